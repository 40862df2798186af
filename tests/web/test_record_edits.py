"""What each correction makes of a record, whatever the referee says of it."""

from __future__ import annotations

import dungeons
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.dungeon import build_dungeon
from scorer.errors import WaymarkError
from scorer.mapmasters import referee
from scorer.record import Marks, PlacedCard, Record, StatedPayment, make_record
from waymark.review.referee_cache import Table
from waymark.review.tableau.card_edits import SNAP_SHARE, sites
from waymark.review.tableau.edits import (
    AddCard,
    Correction,
    Draw,
    Erase,
    LeadThrough,
    MoveCard,
    MoveEnd,
    MoveStroke,
    RemoveCard,
    RemoveStroke,
    SetCard,
    SetMark,
    SetPayment,
    Swap,
    Teleport,
    corrected,
)
from waymark.review.tableau.merge import carry_changes, merge_records

RING = dungeons.card("R", "w1 j1 sword1 j2 e1", "j1 j3 key1 j2", "j3 x1")
TINT = dungeons.card("Q", "w1 j1 sword1 j2 e1", "j1 j3 key1 j2", "j3 x1")
OTHER = dungeons.card("O", "w1 j1 rope1 e1")
DECK = dungeons.catalogue(RING, TINT, OTHER)
TABLE = Table(DECK)
WIDTH, HEIGHT = dungeons.WIDTH, dungeons.HEIGHT


def drawn(path: str, cards: str = "R R", marks: Marks | None = None) -> Record:
    laid = tuple(PlacedCard(name, k * WIDTH, 0.0) for k, name in enumerate(cards.split()))
    return make_record(laid, dungeons.strokes(path), marks=marks or Marks())


@pytest.mark.parametrize(
    ("path", "correction", "becomes"),
    [
        # a stretch between two taps goes on from the stroke that it meets, whichever end that is
        ("w1 j1", Draw(places=("0.j1", "0.e1")), "w1 j1 sword1 j2 e1"),
        ("j2 e1", Draw(places=("0.j2", "0.w1")), "w1 j1 sword1 j2 e1"),
        ("w1 j1", Draw(places=("0.e1", "0.j1")), "w1 j1 sword1 j2 e1"),
        ("j2 e1", Draw(places=("0.w1", "0.j2")), "w1 j1 sword1 j2 e1"),
        # ... and joins two
        ("w1 j1 > j2 e1", Draw(places=("0.j1", "0.key1", "0.j2")), "w1 j1 j3 key1 j2 e1"),
        ("w1 j1 > e1 j2", Draw(places=("0.j1", "0.sword1", "0.j2")), "w1 j1 sword1 j2 e1"),
        # what meets nothing, or is wanted apart, is a stroke of its own
        ("w1 j1 sword1", Draw(places=("1.w1", "1.j1")), "w1 j1 sword1 > 1.w1 1.j1"),
        ("w1 j1", Draw(places=("0.j1", "0.sword1"), join=False), "w1 j1 > j1 sword1"),
        ("", Draw(places=("0.e1", "1.j1")), "e1 1.w1 1.j1"),
        # erasing shortens or splits
        ("w1 j1 sword1 j2 e1", Erase(stroke=0, start=1, end=3), "w1 j1 > j2 e1"),
        ("w1 j1 sword1 j2 e1", Erase(stroke=0, start=4, end=1), "w1 j1"),
        ("w1 j1 sword1 j2 e1", Erase(stroke=0, start=0, end=4), ""),
        ("w1 j1 sword1 > e1", Erase(stroke=1, start=0, end=0), "w1 j1 sword1"),
        # dragging leads the line another way, or takes its end along
        ("w1 j1 sword1 j2 e1", LeadThrough(stroke=0, step=2, place="0.key1"), "w1 j1 j3 key1 j2 e1"),
        ("w1 j1 j3 key1 j2 e1", LeadThrough(stroke=0, step=4, place="0.sword1"), "w1 j1 sword1 j2 e1"),
        ("w1 j1 sword1", LeadThrough(stroke=0, step=2, place="0.key1"), "w1 j1 j3 key1 j2 sword1"),
        ("w1 j1 sword1", LeadThrough(stroke=0, step=2, place="0.e1"), "w1 j1 j3 key1 j2 e1"),
        ("sword1 j1 w1", LeadThrough(stroke=0, step=1, place="0.e1"), "e1 j2 key1 j3 j1 w1"),
        # an end is pulled on or back
        ("w1 j1", MoveEnd(stroke=0, end="end", place="1.w1"), "w1 j1 sword1 j2 e1 1.w1"),
        ("w1 j1 sword1 j2 e1", MoveEnd(stroke=0, end="end", place="0.j1"), "w1 j1"),
        ("sword1 j2", MoveEnd(stroke=0, end="start", place="0.w1"), "w1 j1 sword1 j2"),
        ("w1 j1 sword1 j2", MoveEnd(stroke=0, end="start", place="0.sword1"), "sword1 j2"),
        # direction and order
        ("w1 j1 > j2 e1", Swap(stroke=1), "w1 j1 > e1 j2"),
        ("w1 j1 > j2 e1", Swap(), "e1 j2 > j1 w1"),
        ("w1 j1 > j2 e1 > key1 j3", MoveStroke(stroke=2, to=0), "key1 j3 > w1 j1 > j2 e1"),
        ("w1 j1 > j2 e1", RemoveStroke(stroke=0), "j2 e1"),
    ],
)
def test_the_path_is_corrected(path: str, correction: Correction, becomes: str) -> None:
    assert corrected(drawn(path), TABLE, correction).path == dungeons.strokes(becomes)


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (Draw(places=("0.w1", "0.nowhere")), "no-route"),
        (Erase(stroke=0, start=1, end=1), "no-such-step"),
        (Erase(stroke=7, start=0, end=1), "no-such-step"),
        (Erase(stroke=0, start=0, end=99), "no-such-step"),
        (LeadThrough(stroke=0, step=0, place="0.key1"), "no-such-step"),
        (LeadThrough(stroke=0, step=2, place="0.j1"), "no-route"),
        (LeadThrough(stroke=0, step=2, place="0.x1"), "no-route"),
        (MoveEnd(stroke=0, end="end", place="0.nowhere"), "no-route"),
        (MoveStroke(stroke=0, to=1), "no-such-step"),
        (SetMark(place="0.j1", circled=True, struck=False), "no-such-step"),
        (SetCard(index=2, card="R"), "no-such-card"),
        (SetCard(index=0, card="none"), "unknown-card"),
        (MoveCard(index=0, x=WIDTH + 20, y=20), "bad-place"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(correction: Correction, code: str) -> None:
    with pytest.raises(WaymarkError) as refused:
        corrected(drawn("w1 j1 sword1 j2 e1"), TABLE, correction)
    assert refused.value.code == code and refused.value.ja


CIRCLES = dungeons.card("M", "w1 circle1 j1 circle2 e1")


@pytest.mark.parametrize(
    ("path", "becomes"),
    [
        # to a place where nothing is drawn yet, to either end of another line, and over a part of its own
        ("w1 circle1", "w1 circle1 > circle2"),
        ("w1 circle1 > circle2 e1", "w1 circle1 > circle2 e1"),
        ("e1 circle2 > w1 circle1", "w1 circle1 > circle2 e1"),
        ("w1 circle1 j1 circle2 e1", "w1 circle1 > circle2 e1"),
    ],
)
def test_a_teleport_is_put_into_the_path(path: str, becomes: str) -> None:
    table = Table(dungeons.catalogue(CIRCLES))
    jump = Teleport(start="0.circle1", end="0.circle2")
    assert corrected(drawn(path, "M"), table, jump).path == dungeons.strokes(becomes)


@pytest.mark.parametrize(
    ("path", "start", "end"),
    [
        ("w1 circle1", "0.circle1", "0.e1"),
        ("w1 circle1 j1", "0.circle1", "0.circle2"),
        ("w1 circle1", "0.circle2", "0.circle1"),
        ("w1 circle1", "0.circle1", "0.nowhere"),
    ],
)
def test_a_teleport_that_the_rules_do_not_allow_is_refused(path: str, start: str, end: str) -> None:
    table = Table(dungeons.catalogue(CIRCLES))
    with pytest.raises(WaymarkError) as refused:
        corrected(drawn(path, "M"), table, Teleport(start=start, end=end))
    assert refused.value.ja


def test_a_mark_is_set_and_taken_away() -> None:
    record = drawn("w1 j1", marks=Marks(circled=("0.key1",)))
    both = corrected(record, TABLE, SetMark(place="0.sword1", circled=True, struck=True))
    assert both.marks == Marks(circled=("0.key1", "0.sword1"), struck=("0.sword1",))
    none = corrected(both, TABLE, SetMark(place="0.key1", circled=False, struck=False))
    assert none.marks == Marks(circled=("0.sword1",), struck=("0.sword1",))


def test_another_card_takes_what_was_drawn_on_it_along() -> None:
    record = drawn("w1 j1 sword1 j2 e1 1.w1 1.j1 1.j3", marks=Marks(circled=("0.sword1", "1.key1")))
    renamed = corrected(record, TABLE, SetCard(index=0, card="O"))
    assert renamed.cards[0].card == "O"
    assert renamed.path == dungeons.strokes("1.w1 1.j1 1.j3") and renamed.marks.circled == ("1.key1",)
    turned = corrected(record, TABLE, SetCard(index=1, rotation=180))
    assert turned.path == dungeons.strokes("w1 j1 sword1 j2 e1") and turned.cards[1].rotation == 180


def test_a_card_of_another_colour_with_the_same_ways_keeps_the_path() -> None:
    record = drawn("w1 j1 sword1 j2 e1 1.w1")
    renamed = corrected(record, TABLE, SetCard(index=0, card="Q"))
    assert renamed.path == record.path and renamed.cards[0].card == "Q"


def test_a_card_is_laid_where_openings_meet() -> None:
    record = drawn("w1 j1", cards="R")
    added = corrected(record, TABLE, AddCard(card="O", x=WIDTH + 5, y=-6.0))
    assert added.cards[1] == PlacedCard("O", WIDTH, 0.0)
    assert build_dungeon(DECK, added.cards).crossings
    moved = corrected(added, TABLE, MoveCard(index=1, x=-WIDTH, y=HEIGHT / 2 + 3))
    assert (moved.cards[1].x, moved.cards[1].y) == (-WIDTH, HEIGHT / 2) and moved.path == record.path
    apart = corrected(added, TABLE, MoveCard(index=1, x=300.0, y=10.0))
    assert (apart.cards[1].x, apart.cards[1].y) == (300.0, 10.0)


def test_a_card_taken_away_leaves_the_others_their_path() -> None:
    record = drawn("w1 j1 sword1 j2 e1 1.w1 1.j1 1.sword1 1.j2 1.e1 2.w1 2.j1", cards="R R R")
    left = corrected(record, TABLE, RemoveCard(index=1))
    assert left.path == dungeons.strokes("w1 j1 sword1 j2 e1 > 1.w1 1.j1")
    with pytest.raises(WaymarkError, match="at least one card"):
        corrected(drawn("", cards="R"), TABLE, RemoveCard(index=0))


def stated(*payments: str) -> tuple[StatedPayment, ...]:
    """`1.p1 rope 0.f3` each: a place, the means, the item's source."""
    words = [payment.split() for payment in payments]
    return tuple(StatedPayment(at=w[0], means=w[1], source=w[2] if len(w) > 2 else None) for w in words)


def test_a_payment_is_stated_and_taken_back() -> None:
    record = msgspec.structs.replace(drawn("w1 j1"), payments=stated("1.j1 rope"))
    said = corrected(record, TABLE, SetPayment(at="0.sword1", means="sword", source="0.key1"))
    assert said.stated == stated("1.j1 rope", "0.sword1 sword 0.key1")
    other = corrected(said, TABLE, SetPayment(at="0.sword1", means="sb1"))
    assert other.stated == stated("1.j1 rope", "0.sword1 SB-1")
    assert corrected(other, TABLE, SetPayment(at="0.sword1", means=None)) == record
    with pytest.raises(WaymarkError, match="nothing that a path can use"):
        corrected(record, TABLE, SetPayment(at="0.sword1", means="ladder"))


@pytest.mark.parametrize(
    ("correction", "left"),
    [
        # on a card that is another one, or turned, the places are others; the item's card alone is forgiven
        (SetCard(index=0, card="O"), ("2.key1 SB-6", "1.sword1 sword")),
        (SetCard(index=0, rotation=180), ("2.key1 SB-6", "1.sword1 sword")),
        (SetCard(index=0, card="Q"), ("0.key1 fairy:key", "2.key1 SB-6", "1.sword1 sword 0.sword1")),
        # cards move up
        (RemoveCard(index=0), ("1.key1 SB-6", "0.sword1 sword")),
        (RemoveCard(index=1), ("0.key1 fairy:key", "1.key1 SB-6")),
        (AddCard(card="O", x=0, y=HEIGHT), ("0.key1 fairy:key", "2.key1 SB-6", "1.sword1 sword 0.sword1")),
        (Swap(), ("0.key1 fairy:key", "2.key1 SB-6", "1.sword1 sword 0.sword1")),
    ],
)
def test_stated_payments_go_with_their_cards(correction: Correction, left: tuple[str, ...]) -> None:
    payments = stated("0.key1 fairy:key", "2.key1 SB-6", "1.sword1 sword 0.sword1")
    record = msgspec.structs.replace(drawn("w1 j1", cards="R R R"), payments=payments)
    after = corrected(record, TABLE, correction)
    assert after.stated == stated(*left)
    referee(DECK, after)  # no statement speaks of a place that is not there


def test_another_reading_takes_stated_payments_along() -> None:
    read = drawn("w1 j1 sword1", cards="R R")
    ours = msgspec.structs.replace(read, payments=stated("0.key1 fairy:key", "1.sword1 sword 0.sword1"))
    longer = msgspec.structs.replace(read, path=dungeons.strokes("w1 j1 sword1 j2"))
    merged = merge_records(read, longer, ours, TABLE)
    assert merged is not None and merged.stated == ours.stated and merged.path == longer.path
    cards = (read.cards[0], msgspec.structs.replace(read.cards[1], card="O"))
    merged = merge_records(read, msgspec.structs.replace(read, cards=cards), ours, TABLE)
    assert merged is not None and merged.stated == stated("0.key1 fairy:key")


@given(st.lists(st.integers(0, 40), max_size=4))
def test_free_places_are_free_and_meet_openings(picks: list[int]) -> None:
    record = drawn("", cards="R")
    for pick in picks:
        free = sites(DECK, record.cards)
        x, y = free[pick % len(free)]
        record = corrected(record, TABLE, AddCard(card="R", x=x, y=y))
        assert (record.cards[-1].x, record.cards[-1].y) == (x, y)
    faults = {fault.rule for fault in build_dungeon(DECK, record.cards).faults}
    assert not faults & {"overlap", "detached"}
    assert SNAP_SHARE * WIDTH < HEIGHT / 4, "half a card's shift must not be snapped away"


@pytest.mark.parametrize(
    ("base", "ours", "onto", "becomes", "lost"),
    [
        # another card was read in the middle: what people did beside it stays
        ("a b > c d", "a b > c d e", "a b m c d", "a b m c d e", ()),
        ("a b > c d", "a b > c x d", "a b m c d", "a b m c x d", ()),
        ("a b > c d", "a b > c d > x y", "a b m c d", "a b m c d > x y", ()),
        ("a b c d", "a b > c d", "a b c d m", "a b > c d m", ()),
        ("a b c", "c b a", "a b c d", "d c b a", ()),
        # what the new reading has otherwise is told
        ("a b c", "a x c", "a m c", "a m c", ("0.b",)),
        ("a b", "a b c", "a b m", "a b m", ("0.c",)),
    ],
)
def test_changes_are_carried_to_a_new_reading(
    base: str, ours: str, onto: str, becomes: str, lost: tuple[str, ...]
) -> None:
    path, gone = carry_changes(*(dungeons.strokes(each) for each in (base, ours, onto)))
    assert path == dungeons.strokes(becomes) and gone == lost
