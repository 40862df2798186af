"""What the path meets: items, monsters on corridors and in rooms."""

from __future__ import annotations

from typing import Any

import pytest
from dungeons import card, judge
from ruling_cases import Case, check, pins_rules


def books(*names: str) -> dict[str, Any]:
    return {"books": names}


SWORD = {"tokens": {"sword": 1}}
ROPE = {"tokens": {"rope": 1}}
ITEMS = card("I", "w1 coin1 barrel1 sword1 key1 rope1 scroll1 e1", "w2 coin2 e2", values={"coin2": 3})
OPTIMIZERS = card("O", "w1 recycle1 scissors1 e1")
MONSTER = card("M", "w1 monster1 e1", "w2 sword1 monster2 monster3 e2")
GUARD = card("G", "w1 Adw", "Ade e1", "w2 sword1 j1 Ads", rooms={"A": "coin monster sword"})
GUARDS = card("G", "w1 sword1 Adw", "Ade e1", rooms={"A": "monster monster key"})
CIRCLE_GUARD = [
    card("G", "w1 Adw", "Ade e2", rooms={"A": "circle monster coin"}),
    card("C", "n scroll1 circle1 s"),
]

CASES = [
    Case(
        "I1",
        "items are collected on arrival",
        ITEMS,
        "w1 coin1 barrel1 sword1 key1 rope1 scroll1 e1",
        "exit",
        "e1",
        found={"coin": 1, "barrel": 1, "sword": 1, "key": 1, "rope": 1, "scroll": 1},
    ),
    Case("I2", "a coin is worth its value", ITEMS, "w2 coin2", "dead_end", "coin2", found={"coin": 3}),
    Case("Z1", "optimizers count for no objective", OPTIMIZERS, "w1 recycle1 scissors1 e1", "exit", "e1"),
    Case(
        "M1 R7",
        "a monster needs a sword, else the path ends and it is not discovered",
        MONSTER,
        "w1 monster1",
        "obstacle",
        "w1",
    ),
    Case(
        "M2", "walking on is `monster`", MONSTER, "w1 monster1 e1", "violation", "w1", "monster", "monster1"
    ),
    Case(
        "W2",
        "a sword collected earlier defeats one monster",
        MONSTER,
        "w2 sword1 monster2 monster3 e2",
        "violation",
        "monster2",
        "monster",
        "monster3",
        found={"sword": 1, "monster": 1},
        spent=["sword"],
    ),
    Case(
        "W3",
        "a fairy token defeats it",
        MONSTER,
        "w1 monster1 e1",
        "exit",
        "e1",
        found={"monster": 1},
        spent=["fairy:sword"],
        means=SWORD,
    ),
    Case(
        "V3",
        "a path that ends on an obstacle it has the means for overcomes it",
        MONSTER,
        "w1 monster1",
        "dead_end",
        "monster1",
        found={"monster": 1},
        spent=["fairy:sword"],
        means=SWORD,
    ),
    Case(
        "W5 W6",
        "items used still count, fairy tokens never do",
        MONSTER,
        "w2 sword1 monster2 monster3 e2",
        "exit",
        "e2",
        found={"sword": 1, "monster": 2},
        spent=["sword", "fairy:sword"],
        means=SWORD,
    ),
    Case(
        "W3",
        "any number of tokens may be bought",
        MONSTER,
        "w2 sword1 monster2 monster3",
        "dead_end",
        "monster3",
        found={"sword": 1, "monster": 2},
        spent=["sword", "fairy:sword"],
        means={"tokens": {"sword": 9}},
    ),
    Case("W3", "the wrong token does nothing", MONSTER, "w1 monster1", "obstacle", "w1", means=ROPE),
    Case(
        "M6",
        "not enough swords: the path ends in the room and nothing in it counts",
        GUARD,
        "w1 Adw A",
        "obstacle",
        "A",
    ),
    Case(
        "M5",
        "the path cannot leave a guarded room",
        GUARD,
        "w1 Adw A Ade",
        "violation",
        "A",
        "room-guarded",
        "Ade",
    ),
    Case(
        "M4",
        "swords held before entering; the one in the room does not help",
        GUARD,
        "w1 Adw A Ade e1",
        "violation",
        "A",
        "room-guarded",
        "Ade",
    ),
    Case(
        "M7",
        "once cleared, everything is discovered and collected",
        GUARD,
        "w2 sword1 j1 Ads A Ade e1",
        "exit",
        "e1",
        found={"sword": 2, "coin": 1, "monster": 1, "room": 1},
        spent=["sword"],
    ),
    Case(
        "M6",
        "not enough swords for all: no sword is spent",
        GUARDS,
        "w1 sword1 Adw A",
        "obstacle",
        "A",
        found={"sword": 1},
    ),
    Case(
        "M3",
        "every monster in it must be defeated",
        GUARDS,
        "w1 sword1 Adw A Ade e1",
        "exit",
        "e1",
        found={"sword": 1, "monster": 2, "room": 1, "key": 1},
        spent=["sword", "fairy:sword"],
        means=SWORD,
    ),
    Case(
        "N3",
        "ending at the monster of a guarded room is ending in the room",
        GUARD,
        "w1 Adw A A2",
        "obstacle",
        "A",
    ),
    Case(
        "N3",
        "after landing there too",
        CIRCLE_GUARD,
        "1.n 1.scroll1 1.circle1 > A1 A A2",
        "obstacle",
        "A1",
        found={"scroll": 1, "magic_circle": 1},
        spent=["scroll"],
    ),
    Case(
        "N3 M5",
        "but not by a new stroke",
        GUARD,
        "w1 Adw A > A2",
        "violation",
        "A",
        "room-guarded",
        "A2",
        means={"books": ["SB-2"]},
    ),
    Case(
        "M5",
        "nothing in a guarded room is usable",
        CIRCLE_GUARD,
        "w1 Adw A A1",
        "violation",
        "A",
        "room-guarded",
        "A1",
    ),
    Case(
        "M7 M8 I1",
        "items are collected on the first visit only",
        card("V", "n Adn", "Ade j1 Ads", "Adw w1", rooms={"A": "coin key"}),
        "n Adn A Ade j1 Ads A Adw w1",
        "exit",
        "w1",
        found={"room": 1, "coin": 1, "key": 1},
    ),
    Case(
        "M6",
        "three monsters and two swords: neither is spent",
        card("G", "w1 sword1 Adw", rooms={"A": "monster coin monster monster"}),
        "w1 sword1 Adw A",
        "obstacle",
        "A",
        found={"sword": 1},
        means=SWORD,
    ),
    Case(
        "M3",
        "three monsters and three swords",
        card("G", "w1 sword1 Adw", rooms={"A": "monster coin monster monster"}),
        "w1 sword1 Adw A",
        "dead_end",
        "A",
        found={"sword": 1, "monster": 3, "coin": 1, "room": 1},
        spent=["sword", "fairy:sword", "fairy:sword"],
        means={"tokens": {"sword": 2}},
    ),
    Case(
        "M8",
        "a room counts on the card it lies on, each of two",
        [card("G", "w1 Adw", "Ade e1", rooms={"A": ""})] * 2,
        "w1 Adw A Ade e1 1.w1 1.Adw 1.A 1.Ade 1.e1",
        "exit",
        "1.e1",
        found={"room": 2},
    ),
    Case(
        "M7",
        "an item of the first visit serves at once after it",
        card("G", "w1 Adw", "Ade monster1 e1", rooms={"A": "sword"}),
        "w1 Adw A Ade monster1 e1",
        "exit",
        "e1",
        found={"room": 1, "sword": 1, "monster": 1},
        spent=["sword"],
    ),
    Case("M8", "a room of which only the door is reached is not visited", GUARD, "w1 Adw", "dead_end", "Adw"),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_items_monsters_and_rooms(case: Case) -> None:
    check(case)


@pins_rules("Z1")
def test_optimizers_are_discovered_for_the_refresh_phase() -> None:
    assert judge(OPTIMIZERS, "w1 recycle1 scissors1 e1").optimizers == {"recycle": 1, "scissors": 1}
