"""Marks as evidence, and paths that can be read both ways."""

from __future__ import annotations

import pytest
from dungeons import card, catalogue, judge, record, referee_either_way
from ruling_cases import pins_rules

from scorer.record import Marks, path_backwards

FIGHT = card("F", "w1 sword1 coin1 monster1 j1 barrel1 e1", "w2 pit1 e2", "u1 e2u", falls=["pit1 u1"])


def marked(circled: str = "", struck: str = "") -> Marks:
    return Marks(
        circled=tuple(f"0.{name}" for name in circled.split()),
        struck=tuple(f"0.{name}" for name in struck.split()),
    )


@pins_rules("D5")
@pytest.mark.parametrize(
    ("circled", "struck", "notes"),
    [
        ("sword1 coin1 monster1", "sword1 monster1", []),
        ("coin1", "sword1 monster1", []),
        ("sword1 monster1", "sword1 monster1", [("passed_not_circled", "0.coin1")]),
        ("sword1 coin1 monster1 barrel1", "sword1 monster1", [("circled_not_reached", "0.barrel1")]),
        ("sword1 coin1 monster1", "sword1", [("used_not_struck", "0.monster1")]),
        ("sword1 coin1 monster1", "sword1 coin1 monster1", [("struck_not_used", "0.coin1")]),
        ("", "", []),
    ],
)
def test_marks_that_disagree_with_the_path_are_listed(
    circled: str, struck: str, notes: list[tuple[str, str]]
) -> None:
    ruling = judge(FIGHT, "w1 sword1 coin1 monster1 j1", marks=marked(circled, struck))
    assert [(note.about, note.place) for note in ruling.marks] == notes
    assert all(note.message and note.message_ja for note in ruling.marks)


TOOLED = card("G", "w1 rope1 pit1 scroll1 circle1 x1", "e1 circle2 Adw", rooms={"A": "lava coin"}, falls=[])


@pins_rules("D5")
@pytest.mark.parametrize(
    ("struck", "notes"),
    [
        ("rope1 pit1 scroll1 circle1 circle2", []),
        ("rope1 pit1 scroll1 circle1", [("used_not_struck", "0.circle2")]),
        ("rope1 scroll1 circle1 circle2", [("used_not_struck", "0.pit1")]),
        ("pit1 circle1 circle2", [("used_not_struck", "0.rope1"), ("used_not_struck", "0.scroll1")]),
        (
            "rope1 pit1 scroll1 circle1 circle2 A1",
            [("struck_not_used", "0.A1")],
        ),
    ],
)
def test_what_is_used_is_struck_through_both_circles_too(struck: str, notes: list[tuple[str, str]]) -> None:
    path = "w1 rope1 pit1 scroll1 circle1 > circle2 Adw A"
    ruling = judge(TOOLED, path, marks=marked("rope1 pit1 scroll1 circle1 circle2 A2", struck))
    assert [(note.about, note.place) for note in ruling.marks] == notes


def test_a_token_that_was_used_leaves_its_item_unstruck() -> None:
    means = {"tokens": {"sword": 1}, "marks": marked("sword1 coin1 monster1", "monster1")}
    ruling = judge(FIGHT, "w1 sword1 coin1 monster1 j1", **means)
    assert (ruling.marks, [payment.means for payment in ruling.spent]) == ((), ["fairy:sword"])


@pins_rules("D5")
def test_the_path_decides_not_the_circles() -> None:
    plain = judge(FIGHT, "w1 sword1 coin1 monster1 j1")
    marks = marked("barrel1", "coin1")
    assert judge(FIGHT, "w1 sword1 coin1 monster1 j1", marks=marks).discovered == plain.discovered


@pytest.mark.parametrize("struck", ["", "pit1"])
def test_a_pitfall_fallen_into_may_be_struck_or_not(struck: str) -> None:
    assert judge(FIGHT, "w2 pit1 u1 e2u", marks=marked("pit1", struck)).marks == ()


@pytest.mark.parametrize(
    ("path", "by", "turned"),
    [
        ("w1 sword1 coin1 monster1 j1 barrel1 e1", "only_legal", False),
        ("e1 barrel1 j1 monster1 coin1 sword1 w1", "only_legal", True),
        ("w2 pit1 u1 e2u", "only_legal", False),
        ("j1 monster1", "same_score", False),
    ],
)
def test_a_path_of_unknown_direction_is_refereed_both_ways(path: str, by: str, turned: bool) -> None:
    either = referee_either_way(catalogue(FIGHT), record([FIGHT], path))
    assert (either.ruling.direction.by, either.ruling.direction.turned, not either.choice.asked) == (
        by,
        turned,
        True,
    )
    assert either.ruling.direction.message and either.ruling.direction.message_ja


def test_both_ways_alike_settles_it() -> None:
    face = card("A", "w1 coin1 e1")
    assert (
        referee_either_way(catalogue(face), record([face], "w1 coin1 e1")).ruling.direction.by == "same_score"
    )


def test_a_scroll_collected_on_one_side_tells_the_direction() -> None:
    face = card("C", "w1 scroll1 circle1 x1", "e1 circle2 x2")
    either = referee_either_way(catalogue(face), record([face], "e1 circle2 > circle1 scroll1 w1"))
    assert (either.ruling.direction.by, either.ruling.direction.turned, either.ruling.escaped) == (
        "only_legal",
        True,
        True,
    )


def test_otherwise_it_asks() -> None:
    face = card("A", "w1 monster1 j1 padlock1 coin1 e1")
    either = referee_either_way(catalogue(face), record([face], "w1 monster1 j1 padlock1 coin1 e1"))
    assert (either.choice.by, either.choice.asked) == ("asked", True)
    assert either.ruling.discovered["coin"] != either.other.discovered["coin"]


def test_backwards_turns_strokes_and_places() -> None:
    assert path_backwards((("0.a", "0.b"), ("0.c",))) == (("0.c",), ("0.b", "0.a"))
