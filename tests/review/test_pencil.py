"""A dungeon that nobody has confirmed is read, asked about, and never sure."""

from __future__ import annotations

import msgspec
import pytest
from trial_card import trial_catalogue

from scorer.catalogue import Catalogue
from scorer.mapmasters.rules.terms import Terms
from scorer.record import PlacedCard, Record, make_record
from vision.scan import Scan, SeenPhoto
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import answer
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.persisted_questions import in_pencil

SWORD_FIRST = ("0.w1", "0.s1", "0.j1", "0.m1", "0.e1")
TRIAL = trial_catalogue()


def with_cards(*changes: dict[str, object]) -> Catalogue:
    """The trial card as it is, and others of it so changed."""
    [card] = TRIAL.cards
    return msgspec.structs.replace(
        TRIAL, cards=tuple(msgspec.structs.replace(card, **each) for each in changes)
    )


def stands(record: Record, catalogue: Catalogue) -> Assessment:
    lines = tuple(tuple((float(k), 0.0) for k in range(len(stroke))) for stroke in record.path)
    return assess(Scan(SeenPhoto(10, 10), record, (), lines, (), sure=True), Table(catalogue), Terms())


def asked(now: Assessment) -> list[str]:
    """What is asked but for whether the path really stops where it does."""
    return [question.name for question in now.open_questions if question.name != "stops-short"]


def test_a_path_over_a_proposed_dungeon_is_scored_and_asked_about() -> None:
    record = make_record((PlacedCard("C1", 0, 0),), (SWORD_FIRST,))
    confirmed = stands(record, with_cards({"traced": "yes"}))
    assert confirmed.sure and not confirmed.open_questions
    now = stands(record, with_cards({"traced": "proposed"}))
    assert now.ruling == confirmed.ruling
    assert not now.sure and asked(now) == ["path:proposed:0"]
    [question] = now.open_questions
    assert question.place == "0.w1" and "confirmed" in question.reason_en and question.reason_ja


def test_it_is_not_sure_either_when_somebody_says_that_the_path_is_right() -> None:
    record = make_record((PlacedCard("C1", 0, 0),), (SWORD_FIRST,))
    now = answer(stands(record, with_cards({"traced": "proposed"})), "path:proposed:0", 0)
    assert now is not None
    assert not now.sure and not asked(now)


@pytest.mark.parametrize(("tracing", "names"), [("proposed", []), ("no", ["path:untraced:1"])])
def test_a_card_beside_the_path_is_asked_about_where_nothing_is_known_of_it(
    tracing: str, names: list[str]
) -> None:
    bare = {"nodes": (), "edges": ()} if tracing == "no" else {}
    catalogue = with_cards({}, {"id": "C2", "traced": tracing, **bare})
    record = make_record((PlacedCard("C1", 0, 0), PlacedCard("C2", 63, 0)), (SWORD_FIRST,))
    now = stands(record, catalogue)
    assert not now.sure and asked(now) == names


def test_a_card_whose_picture_bears_a_line_is_asked_about_and_never_sure() -> None:
    """Whether the line goes over it, its own picture does not tell."""
    record = make_record((PlacedCard("C1", 0, 0), PlacedCard("C2", 63, 0)), (SWORD_FIRST,))
    catalogue = with_cards({"traced": "yes"}, {"id": "C2", "traced": "yes", "drawn_on": True})
    now = stands(record, catalogue)
    assert not now.sure and asked(now) == ["path:drawn-on:1"]
    looked = answer(now, "path:drawn-on:1", 0)
    assert looked is not None and not looked.sure and not asked(looked)


def test_pieces_that_carry_no_dungeon_are_not_missed() -> None:
    tiles = with_cards({"kind": "tile", "nodes": (), "edges": ()})
    assert in_pencil(make_record((PlacedCard("C1", 0, 0),), ()), tiles) == {}
