"""The walk told to people, in both languages."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from dungeons import card, catalogue, judge, record

from scorer.dungeon import build_dungeon
from scorer.mapmasters.explain import _EVENTS, told_steps
from scorer.mapmasters.ruling import Event

FACE = card(
    "D29",
    "w1 sword1 monster1 rope1 pit1 j1 Adw",
    "Ade circle1 x1",
    "e2 circle2 x2",
    rooms={"A": "coin key"},
)
PATH = "w1 sword1 monster1 rope1 pit1 j1 Adw A Ade circle1 > circle2 e2"


def lines(language: str) -> list[str]:
    means = {"books": ["SB-5", "SB-9"]}
    ruling = judge(FACE, PATH, **means)
    dungeon = build_dungeon(catalogue(FACE), record([FACE], PATH, **means).cards)
    return [step.what for step in told_steps(dungeon, ruling, language)]


def test_every_step_is_told_in_english() -> None:
    told = lines("en")
    assert told[0] == "Started at the opening on D29 [0.w1]."
    assert told[2] == "Defeated the monster on D29 [0.monster1] (used: the sword from 0.sword1)."
    assert told[4] == "Crossed the pitfall on D29 [0.pit1] (used: the rope from 0.rope1)."
    assert told[7] == "Cleared the room on D29 [0.A] on entering (found: coin, key)."
    assert told[10] == (
        "Discovered the magic circle on D29 [0.circle2] (teleported by magic circle; used: SB-9)."
    )
    assert told[-1] == "Left the dungeon at the opening on D29 [0.e2]."


def test_every_step_is_told_in_japanese() -> None:
    told = lines("ja")
    assert len(told) == len(PATH.replace(">", "").split())
    assert told[2] == "D29 のモンスター [0.monster1]を撃破(使用: 0.sword1 の剣)。"
    assert all(re.search(r"[ぁ-んァ-ン一-龥]", line) for line in told)


@pytest.mark.parametrize("event", get_args(Event))
def test_every_event_has_words(event: Event) -> None:
    assert all(words and "{place}" in words for words in _EVENTS[event])


def test_what_is_held_is_told_after_each_step() -> None:
    ruling = judge(FACE, "w1 sword1", tokens={"rope": 2}, books=["SB-3"])
    dungeon = build_dungeon(catalogue(FACE), record([FACE], "w1 sword1").cards)
    assert told_steps(dungeon, ruling, "en")[-1].held == "1 sword, 2 rope tokens, SB-3"
    assert told_steps(dungeon, ruling, "ja")[-1].held == "剣×1、ロープトークン×2、SB-3"


def test_the_wild_token_says_what_it_stood_for() -> None:
    ruling = judge(card("K", "w1 padlock1 e1"), "w1 padlock1", books=["SB-5"])
    dungeon = build_dungeon(catalogue(card("K", "w1 padlock1 e1")), record([card("K", "w1 e1")], "").cards)
    assert "SB-5 as a key token" in told_steps(dungeon, ruling, "en")[-1].what
