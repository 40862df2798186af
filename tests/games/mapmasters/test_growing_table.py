"""A table that was seen before: paths keep their order and ends, what is new comes after them."""

from __future__ import annotations

import msgspec
import pytest

from scorer.games import game_named
from scorer.groups import AGREED, SEEN
from scorer.mapmasters.cooperative.photo.merge_photos import contradictions, grown
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.notation import card_word

SIZE = (63.0, 88.0)
STEPS = frozenset({"B05"})
NOTATION = game_named("mapmasters/cooperative").notation
assert NOTATION is not None

CARDS = "S1-red^@0,0 B05^@63,0 S2-blue^@126,0 ?^@63,88"


def table(paths: str, cards: str = CARDS) -> TableRecord:
    assert NOTATION is not None
    record: TableRecord = NOTATION.parse(f"cooperative | {cards} | green ; red | {paths}")
    return record


def seen_again(before: TableRecord, *readings: TableRecord) -> tuple[str, ...]:
    assert NOTATION is not None
    after = grown(before, readings, SIZE, STEPS)
    return tuple(NOTATION.write(record).split(" | ")[3] for record in after)


@pytest.mark.parametrize(
    ("before", "now", "after"),
    [
        # nothing new
        ("red 0:w1 j1 ; green 2:e1 j1", "green 2:e1 j1 ; red 0:w1 j1", "red 0:w1 j1 ; green 2:e1 j1"),
        # a new path comes after those that are known, whoever is read first
        ("red 0:w1 j1", "green 2:e1 j1 ; red 0:w1 j1", "red 0:w1 j1 ; green 2:e1 j1"),
        # a group goes on from its step card
        (
            "green 0:e1 1:w1 j1 ; red 2:e1 j1",
            "green 0:e1 1:w1 j1 ; green 1:j1 e1 2:w1 ; red 2:e1 j1",
            "green 0:e1 1:w1 j1 ; red 2:e1 j1 ; green 1:j1 e1 2:w1",
        ),
        # the photo does not tell where it stopped: what was agreed does
        ("green 0:e1 1:w1 j1", "green 0:e1 1:w1 j1 e1 2:w1", "green 0:e1 1:w1 j1 ; green 1:j1 e1 2:w1"),
        # a path that had not ended goes on as the same path
        ("green 0:w1 j1", "green 0:w1 j1 e1 1:w1 j1", "green 0:w1 j1 e1 1:w1 j1"),
        # less is read than was agreed, or something else: what was agreed stays
        ("green 0:w1 j1 e1", "green 0:w1 j1", "green 0:w1 j1 e1"),
        ("green 0:w1 j1 e1", "green 0:s1 j1 e1", "green 0:w1 j1 e1"),
        ("green 0:e1 1:w1 j1", "green 0:s1 e1 1:w1 j1 e1 2:w1", "green 0:e1 1:w1 j1 ; green 1:j1 e1 2:w1"),
        ("red 0:w1 j1", "", "red 0:w1 j1"),
        # a sketch that was gone becomes a path
        ("green 0:w1 j1 sketch=yes", "green 0:w1 j1 e1 1:w1 j1", "green 0:w1 j1 e1 1:w1 j1"),
        ("green 0:w1 j1 sketch=yes", "green 0:w1 j1", "green 0:w1 j1 sketch=yes"),
        # the goal that people chose stays with its path
        ("green 0:w1 j1 goal=boots", "green 0:w1 j1", "green 0:w1 j1 goal=boots"),
    ],
)
def test_what_was_agreed_stays_and_what_is_new_comes_after_it(before: str, now: str, after: str) -> None:
    assert seen_again(table(before), table(now)) == (after,)


def test_cards_that_the_photo_does_not_show_still_lie_there() -> None:
    part = table("red 0:e1 j1", "S2-blue^@0,0 B05^@-63,0")
    before = table("green 0:w1 j1")
    (after,) = grown(before, (part,), SIZE, STEPS)
    assert [card.card for card in after.cards] == ["S2-blue", "B05", "S1-red", None]
    assert [(path.group, path.path) for path in after.paths] == [
        ("green", (("2.w1", "2.j1"),)),
        ("red", (("0.e1", "0.j1"),)),
    ]
    assert [card_word(card.placed).partition("@")[2] for card in after.cards[2:3]] == ["-126,0"]


def test_a_card_that_was_turned_up_stays_turned_up() -> None:
    before = table("green 3:w1 j1", CARDS.replace("?^@63,88", "D29^@63,88"))
    (after,) = grown(before, (table(""),), SIZE, STEPS)
    assert (after.cards[3].card, after.cards[3].face_down) == ("D29", False)
    assert after.paths == before.paths


def test_another_card_than_before_takes_the_photos_line() -> None:
    before = table("green 2:e1 j1")
    other = table("green 2:w1 j2", CARDS.replace("S2-blue", "S3-blue"))
    (after,) = grown(before, (other,), SIZE, STEPS)
    assert after.paths == other.paths


def test_readings_that_come_to_the_same_are_one() -> None:
    before = table("red 0:w1 j1 ; green 2:e1 j1")
    turned = msgspec.structs.replace(before, paths=before.paths[::-1])
    assert len(grown(before, (before, turned), SIZE, STEPS)) == 1


# --- what a photo shows otherwise


def told_otherwise(before: TableRecord, now: TableRecord, **said: str) -> list[tuple[str, str]]:
    told = {name.replace("_", ":"): key for name, key in said.items()}
    return [(each.name, each.place) for each in contradictions(before, now, SIZE, STEPS, told)]


@pytest.mark.parametrize(
    ("before", "now", "otherwise"),
    [
        ("green 0:w1 j1", "green 0:w1 j1", []),
        ("green 0:w1 j1", "green 0:w1 j1 e1 1:w1 ; red 2:e1 j1", []),
        # walked the other way it is the same line
        ("green 0:w1 j1", "green 0:j1 w1", []),
        ("green 0:w1 j1 e1", "green 0:w1 j1", [("line:green", "0.e1")]),
        ("green 0:w1 j1 e1", "green 0:s1 j1 e1", [("line:green", "0.j1")]),
        ("green 0:w1 j1 ; red 2:e1 j1", "green 0:w1 j1", [("line:red", "2.e1")]),
        # what is new but begins before what was agreed is left out: that is told
        ("green 0:j1 e1", "green 0:w1 j1 e1", [("line:green", "0.j1")]),
    ],
)
def test_a_line_that_was_agreed_and_is_seen_otherwise_is_named(
    before: str, now: str, otherwise: list[tuple[str, str]]
) -> None:
    assert told_otherwise(table(before), table(now)) == otherwise


def test_what_a_photo_does_not_show_contradicts_nothing() -> None:
    part = table("red 0:e1 j1", "S2-blue^@0,0 B05^@-63,0")
    assert told_otherwise(table("green 0:w1 j1 ; red 2:e1 j1"), part) == []


@pytest.mark.parametrize(
    ("right", "after"), [(AGREED, "green 0:w1 j1 e1 ; red 2:e1 j1"), (SEEN, "green 0:s1 j1 e1 ; red 2:e1 j1")]
)
def test_people_say_which_line_is_right_and_the_order_stays(right: str, after: str) -> None:
    before = table("green 0:w1 j1 e1 ; red 2:e1 j1")
    now = table("red 2:e1 j1 ; green 0:s1 j1 e1")
    (record,) = grown(before, (now,), SIZE, STEPS, {"line:green": right})
    assert record.paths == table(after).paths


@pytest.mark.parametrize(
    ("right", "card", "line"), [(SEEN, "S3-blue", "green 2:w1 j2"), (AGREED, "S2-blue", "green 2:e1 j1")]
)
def test_a_card_that_is_seen_as_another_one_is_named_and_people_say_which_it_is(
    right: str, card: str, line: str
) -> None:
    before = table("green 2:e1 j1")
    now = table("green 2:w1 j2", CARDS.replace("S2-blue", "S3-blue"))
    assert told_otherwise(before, now) == [("card:2,0", "2")]
    (record,) = grown(before, (now,), SIZE, STEPS, {"card:2,0": right})
    assert record.cards[2].card == card
    assert record.paths == table(line).paths
