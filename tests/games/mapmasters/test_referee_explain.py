"""The walk told to people, in both languages."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from dungeons import card, catalogue, judge, record

from scorer.dungeon import build_dungeon
from scorer.mapmasters.rules.ruling import Event
from scorer.mapmasters.words.explain import _EVENTS, told_steps
from scorer.mapmasters.words.messages import place_words
from scorer.text import written

FACE = card(
    "D29", "w1 sword1 monster1 rope1 pit1 j1 Adw", "Ade circle1 x1", "e2 circle2 x2", rooms={"A": "coin key"}
)
PATH = "w1 sword1 monster1 rope1 pit1 j1 Adw A Ade circle1 > circle2 e2"


def lines(language: str) -> list[str]:
    means: Any = {"books": ["SB-5", "SB-9"]}
    ruling = judge(FACE, PATH, **means)
    dungeon = build_dungeon(catalogue(FACE), record([FACE], PATH, **means).cards)
    return [step.what.message(language) for step in told_steps(dungeon, ruling)]


def test_every_step_is_told_in_english() -> None:
    told = lines("en")
    assert told[0] == "Started at the opening at the top left of D29 [0.w1]."
    assert told[2] == "Defeated the monster at the top of D29 [0.monster1] (used: the sword from step 2)."
    assert told[4] == "Crossed the pitfall at the top of D29 [0.pit1] (used: the rope from step 4)."
    assert told[7] == "Entered the room in the middle of D29 [0.A] (found: coin, key)."
    assert told[10] == (
        "Discovered the magic circle at the top of D29 [0.circle2] (teleported by magic circle; used: SB-9)."
    )
    assert told[-1] == "Left the dungeon at the opening at the bottom right of D29 [0.e2]."


def test_every_step_is_told_in_japanese() -> None:
    told = lines("ja")
    assert len(told) == len(PATH.replace(">", "").split())
    assert told[2] == "D29の上のモンスター[0.monster1]を倒した(使用: 2 歩目の剣)。"
    assert told[7] == "D29の中央の部屋[0.A]に入った(発見: コイン、鍵)。"
    assert told[-1] == "D29の右下の端[0.e2]から脱出した。"
    assert all(re.search(r"[ぁ-んァ-ン一-龥]", line) for line in told)


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize(
    ("place", "en", "ja"),
    [
        ("j4", "the four-way crossing at the top left of Z [0.j4]", "Zの左上の四方向の交差点[0.j4]"),
        ("j3", "the three-way crossing at the top of Z [0.j3]", "Zの上の三方向の交差点[0.j3]"),
        ("j2", "the corridor at the top of Z [0.j2]", "Zの上の廊下[0.j2]"),
        ("j7", "the crossing at the top left of Z [0.j7]", "Zの左上の交差点[0.j7]"),
        ("x1", "the dead end at the top left of Z [0.x1]", "Zの左上の行き止まり[0.x1]"),
        ("st1", "the stairs at the top of Z [0.st1]", "Zの上の階段[0.st1]"),
        ("st1u", "the underground stairs at the top right of Z [0.st1u]", "Zの右上の地下の階段[0.st1u]"),
        ("s", "the opening at the bottom of Z [0.s]", "Zの下の端[0.s]"),
        ("D", "the room at the bottom right of Z [0.D]", "Zの右下の部屋[0.D]"),
        ("Dde", "the door at the bottom right of Z [0.Dde]", "Zの右下の部屋の扉[0.Dde]"),
        ("D1", "the lava pit at the bottom of Z [0.D1]", "Zの下の溶岩の穴[0.D1]"),
    ],
)
def test_a_place_is_named_by_what_and_where_it_is_on_the_card_as_printed(
    place: str, en: str, ja: str, rotation: int
) -> None:
    face = card(
        "Z",
        "w1 j4 n",
        "j3 j4 j2",
        "w2 j3 e2",
        "x1 j7 e1",
        "j7 st1",
        "j7 Dde",
        "j7 s",
        "st1u x2u",
        rooms={"D": "lava"},
        stairs=["st1 st1u"],
    )
    dungeon = build_dungeon(catalogue(face), record([face], "", rotations=[rotation]).cards)
    named = dungeon.places[f"0.{place}"]
    assert place_words(dungeon, named) == written(en, ja)


@pytest.mark.parametrize("event", get_args(Event))
def test_every_event_has_words(event: Event) -> None:
    assert all("{place}" in words for words in (_EVENTS[event].en, _EVENTS[event].ja))


def test_what_is_held_is_told_after_each_step() -> None:
    ruling = judge(FACE, "w1 sword1", tokens={"rope": 2}, books=["SB-3"])
    dungeon = build_dungeon(catalogue(FACE), record([FACE], "w1 sword1").cards)
    held = told_steps(dungeon, ruling)[-1].held
    assert held == written("1 sword, 2 rope tokens, SB-3", "剣×1、ロープトークン×2、SB-3")


def test_alike_finds_are_counted_and_stairs_lead_up_or_down() -> None:
    face = card(
        "S",
        "w1 Adw",
        "Ade st1",
        "st1u st2u",
        "st2 x1",
        rooms={"A": "sword coin sword scissors scissors"},
        stairs=["st1 st1u", "st2 st2u"],
    )
    path = "w1 Adw A Ade st1 st1u st2u st2 x1"
    dungeon = build_dungeon(catalogue(face), record([face], path).cards)
    told = [step.what for step in told_steps(dungeon, judge(face, path))]
    assert told[2].en.endswith("(found: 2 swords, coin, 2 scissors).")
    assert told[2].ja.endswith("(発見: 剣×2、コイン、はさみ×2)。")
    assert told[5].en.startswith("Came down the underground stairs") and told[5].ja.endswith("下りた。")
    assert told[7].en.startswith("Came up the stairs") and told[7].ja.endswith("上がった。")


def test_the_wild_token_says_what_it_stood_for() -> None:
    ruling = judge(card("K", "w1 padlock1 e1"), "w1 padlock1", books=["SB-5"])
    dungeon = build_dungeon(catalogue(card("K", "w1 padlock1 e1")), record([card("K", "w1 e1")], "").cards)
    assert "SB-5 as a key token" in told_steps(dungeon, ruling)[-1].what.en
