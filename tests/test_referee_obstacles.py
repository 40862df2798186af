"""What the path meets: padlocks, lava, pitfalls, and stairs."""

from __future__ import annotations

import pytest
from dungeons import card, judge
from ruling_cases import Case, check, pins_rules

from scorer.mapmasters import VersusSettings

ROPE = {"tokens": {"rope": 1}}
KEY = {"tokens": {"key": 1}}
PADLOCK = card("K", "w1 padlock1 e1", "w2 key1 padlock2 e2")
LAVA = card("L", "w1 lava1 e1", "w2 rope1 lava2 e2")
LAVA_ROOM = card("L", "w1 Adw", "Ade e1", rooms={"A": "lava coin"})
PIT = card("P", "w1 pit1 e1", "u1 e2u", "w2 rope1 pit2 e2", "u2 x1u", falls=["pit1 u1", "pit2 u2"])
PIT_ROOM = card("P", "w1 Adw", "Ade e1", "u1 e2u", rooms={"A": "pit"}, falls=["A1 u1"])
PIT_BELOW = card("B", "w1u pit1u e1u")
STAIRS = card("S", "w1 st1 e1", "st1u u1 e2u", stairs=["st1 st1u"])
STAIRS_UP = card("U", "w2u st1u", "st1 e1", stairs=["st1 st1u"])
PADLOCK_ROOM = card("K", "w1 Adw", "Ade e1", rooms={"A": "padlock"})

CASES = [
    Case("K1 R7", "a padlock needs a key", PADLOCK, "w1 padlock1", "obstacle", "w1"),
    Case(
        "K1", "walking on is `padlock`", PADLOCK, "w1 padlock1 e1", "violation", "w1", "padlock", "padlock1"
    ),
    Case(
        "K1",
        "a key opens it",
        PADLOCK,
        "w2 key1 padlock2 e2",
        "exit",
        "e2",
        found={"key": 1, "padlock": 1},
        spent=["key"],
    ),
    Case(
        "K1 W3",
        "a key token opens it",
        PADLOCK,
        "w1 padlock1",
        "dead_end",
        "padlock1",
        found={"padlock": 1},
        spent=["fairy:key"],
        means=KEY,
    ),
    Case(
        "N5",
        "a padlock in a room is walked around",
        PADLOCK_ROOM,
        "w1 Adw A Ade e1",
        "exit",
        "e1",
        found={"room": 1},
    ),
    Case(
        "N5",
        "going over it takes a key",
        PADLOCK_ROOM,
        "w1 Adw A A1 A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "padlock": 1},
        spent=["fairy:key"],
        means=KEY,
    ),
    Case(
        "N5",
        "without a key the line stops at it",
        PADLOCK_ROOM,
        "w1 Adw A A1",
        "obstacle",
        "A",
        found={"room": 1},
    ),
    Case("V1 R7", "a lava pit needs a rope", LAVA, "w1 lava1", "obstacle", "w1"),
    Case("V1", "walking on is `lava`", LAVA, "w1 lava1 e1", "violation", "w1", "lava", "lava1"),
    Case(
        "V1",
        "a rope crosses lava",
        LAVA,
        "w2 rope1 lava2 e2",
        "exit",
        "e2",
        found={"rope": 1, "pit": 1},
        spent=["rope"],
    ),
    Case(
        "V2",
        "lava in a room is walked around",
        LAVA_ROOM,
        "w1 Adw A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "coin": 1},
    ),
    Case(
        "V2",
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
        "V3",
        "ending on it with a rope overcomes it",
        LAVA_ROOM,
        "w1 Adw A A1",
        "dead_end",
        "A1",
        found={"room": 1, "coin": 1, "pit": 1},
        spent=["fairy:rope"],
        means=ROPE,
    ),
    Case(
        "V2",
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
        "V2",
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
        "V2",
        "a line that ends on lava in a room it cannot cross",
        LAVA_ROOM,
        "w1 Adw A A1",
        "obstacle",
        "A",
        found={"room": 1, "coin": 1},
    ),
    Case(
        "F1 F5",
        "a pitfall is discovered on arrival, and ending on it is a dead end",
        PIT,
        "w1 pit1",
        "dead_end",
        "pit1",
        found={"pit": 1},
    ),
    Case(
        "F3",
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
        "F2",
        "with a rope the path may stay on main",
        PIT,
        "w2 rope1 pit2 e2",
        "exit",
        "e2",
        found={"rope": 1, "pit": 1},
        spent=["rope"],
    ),
    Case(
        "F2",
        "with a rope it may fall all the same, and keeps the rope",
        PIT,
        "w2 rope1 pit2 u2 x1u",
        "dead_end",
        "x1u",
        found={"rope": 1, "pit": 1},
    ),
    Case("F4", "falling is to the place under it", PIT, "w1 pit1 u1 e2u", "exit", "e2u", found={"pit": 1}),
    Case("F4", "not to another", PIT, "w1 pit1 u2", "violation", "pit1", "no-way", "u2", found={"pit": 1}),
    Case(
        "F1 O-pit",
        "a pitfall counts once, fallen into or crossed later",
        PIT_ROOM,
        "w1 Adw A A1 A A1 u1 e2u",
        "exit",
        "e2u",
        found={"room": 1, "pit": 1},
        spent=["fairy:rope"],
        means=ROPE,
    ),
    Case(
        "F4",
        "a fall is no way for a new stroke",
        PIT,
        "w1 pit1 > u1",
        "violation",
        "pit1",
        "no-way",
        "u1",
        found={"pit": 1},
    ),
    Case(
        "F7",
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
        "F7",
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
        "N6",
        "a pitfall met underground drops nobody",
        PIT_BELOW,
        "w1u pit1u e1u",
        "exit",
        "e1u",
        found={"pit": 1},
    ),
    Case(
        "F6",
        "a pitfall in a room is optional and discovered with it",
        PIT_ROOM,
        "w1 Adw A",
        "dead_end",
        "A",
        found={"room": 1, "pit": 1},
    ),
    Case(
        "F6",
        "the path may go onto it to fall",
        PIT_ROOM,
        "w1 Adw A A1 u1 e2u",
        "exit",
        "e2u",
        found={"room": 1, "pit": 1},
    ),
    Case("F6", "and may end on it", PIT_ROOM, "w1 Adw A A1", "dead_end", "A1", found={"room": 1, "pit": 1}),
    Case(
        "N4",
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
        "N4",
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
        "N7",
        "a second fall onto the same landing is walking it twice",
        card("T", "w1 pit1", "st1 pit2", "u1 st1u", falls=["pit1 u1", "pit2 u1"], stairs=["st1 st1u"]),
        "w1 pit1 u1 st1u st1 pit2 u1",
        "violation",
        "pit2",
        "corridor-reused",
        "u1",
        found={"pit": 2, "stairs": 1},
    ),
    Case(
        "T2",
        "stairs are discovered when walked",
        STAIRS,
        "w1 st1 st1u u1 e2u",
        "exit",
        "e2u",
        found={"stairs": 1},
    ),
    Case("T1", "they lead up as well", STAIRS, "e2u u1 st1u st1 e1", "exit", "e1", found={"stairs": 1}),
    Case("T2", "passing them on the same level walks no stairs", STAIRS, "w1 st1 e1", "exit", "e1"),
    Case(
        "T2 O-stairs",
        "two stairs count twice",
        [STAIRS, STAIRS_UP],
        "w1 st1 st1u u1 e2u 1.w2u 1.st1u 1.st1 1.e1",
        "exit",
        "1.e1",
        found={"stairs": 2},
    ),
    Case("T2", "stopping before them walks no stairs", STAIRS, "w1 st1", "dead_end", "st1"),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_padlocks_pits_and_stairs(case: Case) -> None:
    check(case)


@pins_rules("H2")
def test_house_lava_in_a_room_can_be_discovered_with_the_room() -> None:
    settings = VersusSettings(room_lava_needs_rope=False)
    ruling = judge(LAVA_ROOM, "w1 Adw A A1 A Ade e1", settings=settings)
    assert (ruling.escaped, ruling.discovered["pit"], ruling.spent) == (True, 1, ())
