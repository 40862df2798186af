"""What the path meets: items, obstacles, rooms, pits, stairs, circles; rows are named after the sentence
they pin.
"""

from __future__ import annotations

from typing import Any

import pytest
from dungeons import card, judge
from ruling_cases import Case, check

from scorer.mapmasters import VersusSettings

SWORD = {"tokens": {"sword": 1}}
ROPE = {"tokens": {"rope": 1}}
KEY = {"tokens": {"key": 1}}
SCROLL = {"tokens": {"scroll": 1}}


def books(*names: str) -> dict[str, Any]:
    return {"books": names}


ITEMS = card("I", "w1 coin1 barrel1 sword1 key1 rope1 scroll1 e1", "w2 coin2 e2", values={"coin2": 3})
OPTIMIZERS = card("O", "w1 recycle1 scissors1 e1")
MONSTER = card("M", "w1 monster1 e1", "w2 sword1 monster2 monster3 e2")
GUARD = card("G", "w1 Adw", "Ade e1", "w2 sword1 j1 Ads", rooms={"A": "coin monster sword"})
GUARDS = card("G", "w1 sword1 Adw", "Ade e1", rooms={"A": "monster monster key"})
PADLOCK = card("K", "w1 padlock1 e1", "w2 key1 padlock2 e2")
LAVA = card("L", "w1 lava1 e1", "w2 rope1 lava2 e2")
LAVA_ROOM = card("L", "w1 Adw", "Ade e1", rooms={"A": "lava coin"})
PIT = card("P", "w1 pit1 e1", "u1 e2u", "w2 rope1 pit2 e2", "u2 x1u", falls=["pit1 u1", "pit2 u2"])
PIT_ROOM = card("P", "w1 Adw", "Ade e1", "u1 e2u", rooms={"A": "pit"}, falls=["A1 u1"])
PIT_BELOW = card("B", "w1u pit1u e1u")
STAIRS = card("S", "w1 st1 e1", "st1u u1 e2u", stairs=["st1 st1u"])
CIRCLES = [
    card("C", "w1 scroll1 circle1 e1", "w2 scroll2 scroll3 e2"),
    card("D", "w1 circle1 e1", "s circle2u x1u"),
]
CIRCLE_ROOM = [
    card("R", "w1 scroll1 Adw", "Ade j1 x1", "n Adn", rooms={"A": "circle coin"}),
    card("S", "n circle1 s", "w2 circle2 e2"),
]
CIRCLE_GUARD = [
    card("G", "w1 Adw", "Ade e2", rooms={"A": "circle monster coin"}),
    card("C", "n scroll1 circle1 s"),
]

ITEM_CASES = [
    Case(
        "items are collected on arrival",
        ITEMS,
        "w1 coin1 barrel1 sword1 key1 rope1 scroll1 e1",
        "exit",
        "e1",
        found={"coin": 1, "barrel": 1, "sword": 1, "key": 1, "rope": 1, "scroll": 1},
    ),
    Case("a coin is worth its value", ITEMS, "w2 coin2", "dead_end", "coin2", found={"coin": 3}),
    Case("optimizers count for no objective", OPTIMIZERS, "w1 recycle1 scissors1 e1", "exit", "e1"),
]

MONSTER_CASES = [
    Case(
        "a monster needs a sword, else the path ends and it is not discovered",
        MONSTER,
        "w1 monster1",
        "obstacle",
        "w1",
    ),
    Case("walking on is `monster`", MONSTER, "w1 monster1 e1", "violation", "w1", "monster", "monster1"),
    Case(
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
        "any number of tokens may be bought",
        MONSTER,
        "w2 sword1 monster2 monster3",
        "dead_end",
        "monster3",
        found={"sword": 1, "monster": 2},
        spent=["sword", "fairy:sword"],
        means={"tokens": {"sword": 9}},
    ),
    Case("the wrong token does nothing", MONSTER, "w1 monster1", "obstacle", "w1", means=ROPE),
]

ROOM_CASES = [
    Case(
        "not enough swords: the path ends in the room and nothing in it counts",
        GUARD,
        "w1 Adw A",
        "obstacle",
        "A",
    ),
    Case(
        "the path cannot leave a guarded room", GUARD, "w1 Adw A Ade", "violation", "A", "room-guarded", "Ade"
    ),
    Case(
        "swords held before entering; the one in the room does not help",
        GUARD,
        "w1 Adw A Ade e1",
        "violation",
        "A",
        "room-guarded",
        "Ade",
    ),
    Case(
        "once cleared, everything is discovered and collected",
        GUARD,
        "w2 sword1 j1 Ads A Ade e1",
        "exit",
        "e1",
        found={"sword": 2, "coin": 1, "monster": 1, "room": 1},
        spent=["sword"],
    ),
    Case(
        "not enough swords for all: no sword is spent",
        GUARDS,
        "w1 sword1 Adw A",
        "obstacle",
        "A",
        found={"sword": 1},
    ),
    Case(
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
        "ending at the monster of a guarded room is ending in the room", GUARD, "w1 Adw A A2", "obstacle", "A"
    ),
    Case(
        "after landing there too",
        CIRCLE_GUARD,
        "1.n 1.scroll1 1.circle1 > A1 A A2",
        "obstacle",
        "A1",
        found={"scroll": 1, "magic_circle": 1},
        spent=["scroll"],
    ),
    Case(
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
        "nothing in a guarded room is usable",
        CIRCLE_GUARD,
        "w1 Adw A A1",
        "violation",
        "A",
        "room-guarded",
        "A1",
    ),
    Case(
        "items are collected on the first visit only",
        card("V", "n Adn", "Ade j1 Ads", "Adw w1", rooms={"A": "coin key"}),
        "n Adn A Ade j1 Ads A Adw w1",
        "exit",
        "w1",
        found={"room": 1, "coin": 1, "key": 1},
    ),
    Case(
        "touching a find in a cleared room changes nothing",
        PIT_ROOM,
        "w1 Adw A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "pit": 1},
    ),
]

PADLOCK_CASES = [
    Case("a padlock needs a key", PADLOCK, "w1 padlock1", "obstacle", "w1"),
    Case("walking on is `padlock`", PADLOCK, "w1 padlock1 e1", "violation", "w1", "padlock", "padlock1"),
    Case(
        "a key opens it",
        PADLOCK,
        "w2 key1 padlock2 e2",
        "exit",
        "e2",
        found={"key": 1, "padlock": 1},
        spent=["key"],
    ),
    Case(
        "a key token opens it",
        PADLOCK,
        "w1 padlock1",
        "dead_end",
        "padlock1",
        found={"padlock": 1},
        spent=["fairy:key"],
        means=KEY,
    ),
]

PIT_CASES = [
    Case("a lava pit needs a rope", LAVA, "w1 lava1", "obstacle", "w1"),
    Case("walking on is `lava`", LAVA, "w1 lava1 e1", "violation", "w1", "lava", "lava1"),
    Case(
        "a rope crosses lava",
        LAVA,
        "w2 rope1 lava2 e2",
        "exit",
        "e2",
        found={"rope": 1, "pit": 1},
        spent=["rope"],
    ),
    Case(
        "lava in a room is walked around",
        LAVA_ROOM,
        "w1 Adw A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "coin": 1},
    ),
    Case(
        "it counts only when the path is recorded through it, which takes a rope",
        LAVA_ROOM,
        "w1 Adw A A1 A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "coin": 1, "pit": 1},
        spent=["fairy:rope"],
        means=ROPE,
    ),
    Case(
        "once crossed it stays so",
        LAVA_ROOM,
        "w1 Adw A A1 A A1 A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "coin": 1, "pit": 1},
        spent=["fairy:rope"],
        means=ROPE,
    ),
    Case(
        "without a rope the path may not go over lava in a room",
        LAVA_ROOM,
        "w1 Adw A A1 A Ade e1",
        "violation",
        "A",
        "lava",
        "A1",
        found={"room": 1, "coin": 1},
    ),
    Case(
        "a line that ends on lava in a room it cannot cross",
        LAVA_ROOM,
        "w1 Adw A A1",
        "obstacle",
        "A",
        found={"room": 1, "coin": 1},
    ),
    Case(
        "a pitfall is discovered on arrival, and ending on it is a dead end",
        PIT,
        "w1 pit1",
        "dead_end",
        "pit1",
        found={"pit": 1},
    ),
    Case(
        "without a rope staying on main is `fall-forced`",
        PIT,
        "w1 pit1 e1",
        "violation",
        "pit1",
        "fall-forced",
        "e1",
        found={"pit": 1},
    ),
    Case(
        "with a rope the path may stay on main",
        PIT,
        "w2 rope1 pit2 e2",
        "exit",
        "e2",
        found={"rope": 1, "pit": 1},
        spent=["rope"],
    ),
    Case(
        "with a rope it may fall all the same, and keeps the rope",
        PIT,
        "w2 rope1 pit2 u2 x1u",
        "dead_end",
        "x1u",
        found={"rope": 1, "pit": 1},
    ),
    Case("falling is to the place under it", PIT, "w1 pit1 u1 e2u", "exit", "e2u", found={"pit": 1}),
    Case("not to another", PIT, "w1 pit1 u2", "violation", "pit1", "no-way", "u2", found={"pit": 1}),
    Case(
        "ropes never climb",
        PIT,
        "w2 rope1 pit2 u2 pit2",
        "violation",
        "u2",
        "climb",
        "pit2",
        found={"rope": 1, "pit": 1},
    ),
    Case(
        "climbing to a pit not visited before takes a spellbook too",
        card("U", "w1u u1", "pit1 e1", falls=["pit1 u1"]),
        "w1u u1 pit1 e1",
        "violation",
        "u1",
        "climb",
        "pit1",
        means=ROPE,
    ),
    Case(
        "a pitfall met underground drops nobody", PIT_BELOW, "w1u pit1u e1u", "exit", "e1u", found={"pit": 1}
    ),
    Case(
        "a pitfall in a room is optional and discovered with it",
        PIT_ROOM,
        "w1 Adw A",
        "dead_end",
        "A",
        found={"room": 1, "pit": 1},
    ),
    Case(
        "the path may go onto it to fall",
        PIT_ROOM,
        "w1 Adw A A1 u1 e2u",
        "exit",
        "e2u",
        found={"room": 1, "pit": 1},
    ),
    Case("and may end on it", PIT_ROOM, "w1 Adw A A1", "dead_end", "A1", found={"room": 1, "pit": 1}),
    Case(
        "going on over it in the room takes a rope",
        PIT_ROOM,
        "w1 Adw A A1 A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "pit": 1},
        spent=["fairy:rope"],
        means=ROPE,
    ),
    Case(
        "or else it falls",
        PIT_ROOM,
        "w1 Adw A A1 A",
        "violation",
        "A1",
        "fall-forced",
        "A",
        found={"room": 1, "pit": 1},
    ),
    Case(
        "a second fall onto the same landing is walking it twice",
        card("T", "w1 pit1", "st1 pit2", "u1 st1u", falls=["pit1 u1", "pit2 u1"], stairs=["st1 st1u"]),
        "w1 pit1 u1 st1u st1 pit2 u1",
        "violation",
        "pit2",
        "corridor-reused",
        "u1",
        found={"pit": 2, "stairs": 1},
    ),
]

STAIR_CASES = [
    Case(
        "stairs are discovered when walked", STAIRS, "w1 st1 st1u u1 e2u", "exit", "e2u", found={"stairs": 1}
    ),
    Case("they lead up as well", STAIRS, "e2u u1 st1u st1 e1", "exit", "e1", found={"stairs": 1}),
    Case("passing them on the same level walks no stairs", STAIRS, "w1 st1 e1", "exit", "e1"),
    Case("stopping before them walks no stairs", STAIRS, "w1 st1", "dead_end", "st1"),
]

CIRCLE_CASES = [
    Case(
        "a circle is discovered on arrival, used or not",
        CIRCLES,
        "w1 scroll1 circle1 e1",
        "dead_end",
        "e1",
        found={"scroll": 1, "magic_circle": 1},
    ),
    Case(
        "with a scroll the path goes on from another circle",
        CIRCLES,
        "w1 scroll1 circle1 > 1.circle1 1.e1",
        "exit",
        "1.e1",
        found={"scroll": 1, "magic_circle": 2},
        spent=["scroll"],
    ),
    Case(
        "on any card and level",
        CIRCLES,
        "w1 scroll1 circle1 > 1.circle2u 1.x1u",
        "dead_end",
        "1.x1u",
        found={"scroll": 1, "magic_circle": 2},
        spent=["scroll"],
    ),
    Case(
        "without means it stays inactive",
        CIRCLES[1],
        "w1 circle1 > circle2u",
        "violation",
        "circle1",
        "circle-inactive",
        "circle2u",
        found={"magic_circle": 1},
    ),
    Case(
        "a scroll token activates it",
        CIRCLES[1],
        "w1 circle1 > circle2u s",
        "exit",
        "s",
        found={"magic_circle": 2},
        spent=["fairy:scroll"],
        means=SCROLL,
    ),
    Case(
        "both become used",
        CIRCLES,
        "w1 scroll1 circle1 > 1.circle1 > 1.circle2u",
        "violation",
        "1.circle1",
        "circle-used",
        "1.circle2u",
        found={"scroll": 1, "magic_circle": 2},
        spent=["scroll"],
        means={"tokens": {"scroll": 3}},
    ),
    Case(
        "nor back to a used one",
        card("K", "w1 circle1 x1", "e1 circle2 circle3 x2"),
        "w1 circle1 > circle2 circle3 > circle1",
        "violation",
        "circle3",
        "circle-used",
        "circle1",
        found={"magic_circle": 3},
        spent=["fairy:scroll"],
        means={"tokens": {"scroll": 3}},
    ),
    Case(
        "a teleport leads to another circle",
        CIRCLES[1],
        "w1 circle1 > circle1",
        "violation",
        "circle1",
        "no-way",
        "circle1",
        found={"magic_circle": 1},
        means=SCROLL,
    ),
    Case(
        "within a stroke nothing teleports",
        CIRCLES[1],
        "w1 circle1 circle2u",
        "violation",
        "circle1",
        "no-way",
        "circle2u",
        found={"magic_circle": 1},
        means=SCROLL,
    ),
    Case(
        "to a circle whose corridor was walked is walking it twice",
        card("K", "w1 circle1 j1 circle2 e1"),
        "w1 circle1 j1 circle2 > circle1",
        "violation",
        "circle2",
        "corridor-reused",
        "circle1",
        found={"magic_circle": 2},
        means=SCROLL,
    ),
    Case(
        "a circle seen earlier in a room may be used on a later visit",
        CIRCLE_ROOM,
        "w1 scroll1 Adw A A1 > 1.circle1 1.s",
        "exit",
        "1.s",
        found={"scroll": 1, "room": 1, "coin": 1, "magic_circle": 2},
        spent=["scroll"],
    ),
    Case(
        "a circle in a room is discovered with it",
        CIRCLE_ROOM,
        "w1 scroll1 Adw A Ade j1",
        "dead_end",
        "j1",
        found={"scroll": 1, "room": 1, "coin": 1, "magic_circle": 1},
    ),
    Case(
        "landing in a room visits it",
        CIRCLE_ROOM,
        "1.n 1.circle1 > A1 A Ade j1 x1",
        "dead_end",
        "x1",
        found={"room": 1, "coin": 1, "magic_circle": 2},
        spent=["fairy:scroll"],
        means=SCROLL,
    ),
    Case(
        "from the room itself, not from its circle, is no teleport",
        CIRCLE_ROOM,
        "w1 scroll1 Adw A > 1.circle1",
        "violation",
        "A",
        "no-way",
        "1.circle1",
        found={"scroll": 1, "room": 1, "coin": 1, "magic_circle": 1},
    ),
    Case(
        "a circle in a guarded room that is teleported to does not count; the one left from does",
        CIRCLE_GUARD,
        "1.n 1.scroll1 1.circle1 > A1",
        "obstacle",
        "A1",
        found={"scroll": 1, "magic_circle": 1},
        spent=["scroll"],
    ),
    Case(
        "the room may be written after the find landed on",
        CIRCLE_GUARD,
        "1.n 1.scroll1 1.circle1 > A1 A",
        "obstacle",
        "A1",
        found={"scroll": 1, "magic_circle": 1},
        spent=["scroll"],
    ),
    Case(
        "going on from the guarded room",
        CIRCLE_GUARD,
        "1.n 1.scroll1 1.circle1 > A1 A Ade",
        "violation",
        "A1",
        "room-guarded",
        "A",
        found={"scroll": 1, "magic_circle": 1},
        spent=["scroll"],
    ),
    Case(
        "with a sword it is cleared on landing",
        CIRCLE_GUARD,
        "1.n 1.scroll1 1.circle1 > A1 A Ade e2",
        "dead_end",
        "e2",
        found={"scroll": 1, "magic_circle": 2, "monster": 1, "coin": 1, "room": 1},
        spent=["scroll", "fairy:sword"],
        means=SWORD,
    ),
]

CASES = ITEM_CASES + MONSTER_CASES + ROOM_CASES + PADLOCK_CASES + PIT_CASES + STAIR_CASES + CIRCLE_CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.says)
def test_what_the_path_meets(case: Case) -> None:
    check(case)


def test_optimizers_are_discovered_for_the_refresh_phase() -> None:
    assert judge(OPTIMIZERS, "w1 recycle1 scissors1 e1").optimizers == {"recycle": 1, "scissors": 1}


def test_house_lava_in_a_room_can_be_discovered_with_the_room() -> None:
    settings = VersusSettings(room_lava_needs_rope=False)
    ruling = judge(LAVA_ROOM, "w1 Adw A A1 A Ade e1", settings=settings)
    assert (ruling.escaped, ruling.discovered["pit"], ruling.spent) == (True, 1, ())
