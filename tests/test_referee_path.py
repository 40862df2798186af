"""The laws of the path; each row is named after the sentence that it pins."""

from __future__ import annotations

import pytest
from dungeons import card
from ruling_cases import Case, check

PLAIN = card("P", "w1 j1 e1", "n j1 s", "w2 x1")
TWO = [PLAIN, card("Q", "w1 coin1 e1")]
#: Corridors that lead back to the crossing j1.
CROSSING = card("X", "w1 j1 e1", "n j1 j2 j3 j1")
#: A room with four doors, each on a corridor to the card's edge.
HALL = card("H", "w1 Adw", "n Adn", "e1 Ade", "s Ads", rooms={"A": "coin barrel"})
#: Out by the south door and in by the west one: the second line must cut the first.
CUT = card("C", "n Adn", "Ads j1 Adw", "Ade e1", rooms={"A": ""})
#: Out by the east door and in by the south one: the lines stay apart.
APART = card("D", "n Adn", "Ade j1 Ads", "Adw w1", rooms={"A": ""})
#: Three visits: two stay apart, the third cuts the first.
THIRD = card("T", "n Adn", "Ads j1 Bdn", "Bds j2 Adw", "Ade e1", rooms={"A": "", "B": ""})
#: A circle in the room, so that a visit can begin and end inside.
INSIDE = card("I", "n Adn", "Ads j1 circle9 e1", "Adw w1", rooms={"A": "circle scroll"})
#: A room at the very edge: its door lies on an opening.
EDGE_ROOM = card("E", "w1 Adw", "Ade e1", rooms={"A": "coin"})
#: Main and underground corridors pass over and under each other.
LEVELS = card("V", "w1 j1 st1", "st1u u1 e2u", "w2u u2 e1u", stairs=["st1 st1u"])

LAWS = [
    Case("a path leads from an open outer opening to another", PLAIN, "w1 j1 e1", "exit", "e1"),
    Case("it starts at an open outer opening", PLAIN, "j1 e1", "violation", None, "bad-start", "j1"),
    Case(
        "an opening that meets another card is no start",
        TWO,
        "1.w1 1.coin1 1.e1",
        "violation",
        None,
        "bad-start",
        "1.w1",
    ),
    Case(
        "crossing from card to card lists both openings",
        TWO,
        "w1 j1 e1 1.w1 1.coin1 1.e1",
        "exit",
        "1.e1",
        found={"coin": 1},
    ),
    Case("a path may come back to an edge where two cards meet and stop", TWO, "w1 j1 e1", "dead_end", "e1"),
    Case("it is unbroken", PLAIN, "w1 e1", "violation", "w1", "no-way", "e1"),
    Case(
        "the next place is not connected to this one",
        TWO,
        "w1 j1 e1 1.coin1",
        "violation",
        "e1",
        "no-way",
        "1.coin1",
    ),
    Case("a stroke that no teleport explains", PLAIN, "w1 > j1 e1", "violation", "w1", "no-way", "j1"),
    Case("a place written twice leads nowhere", PLAIN, "w1 j1 j1", "violation", "j1", "no-way", "j1"),
    Case(
        "a four-way crossing is one corridor and is walked once",
        CROSSING,
        "n j1 j2 j3 j1 e1",
        "violation",
        "j3",
        "corridor-reused",
        "j1",
    ),
    Case("turning back is that too", PLAIN, "w2 x1 w2", "violation", "x1", "corridor-reused", "w2"),
    Case(
        "rooms may be visited again and again",
        APART,
        "n Adn A Ade j1 Ads A Adw w1",
        "exit",
        "w1",
        found={"room": 1},
    ),
    Case(
        "each door is used once",
        HALL,
        "w1 Adw A Adw",
        "violation",
        "A",
        "door-reused",
        "Adw",
        found={"room": 1, "coin": 1, "barrel": 1},
    ),
    Case(
        "coming back in by the door just left by is using it twice",
        HALL,
        "w1 Adw A Ade A Ads s",
        "violation",
        "Ade",
        "door-reused",
        "A",
        found={"room": 1, "coin": 1, "barrel": 1},
    ),
    Case(
        "two visits cross when their doors alternate",
        CUT,
        "n Adn A Ads j1 Adw A Ade e1",
        "violation",
        "A",
        "path-crossed",
        "Ade",
        found={"room": 1},
    ),
    Case(
        "a visit that ends inside crosses nothing",
        CUT,
        "n Adn A Ads j1 Adw A",
        "dead_end",
        "A",
        found={"room": 1},
    ),
    Case(
        "every earlier visit is looked at",
        THIRD,
        "n Adn A Ads j1 Bdn B Bds j2 Adw A Ade e1",
        "violation",
        "A",
        "path-crossed",
        "Ade",
        found={"room": 2},
    ),
    Case(
        "a visit that begins inside crosses nothing",
        INSIDE,
        "n Adn A Ads j1 circle9 > A1 A Adw w1",
        "exit",
        "w1",
        found={"room": 1, "magic_circle": 2, "scroll": 1},
        spent=["scroll"],
    ),
    Case(
        "lines on different levels never cross",
        LEVELS,
        "w1 j1 st1 st1u u1 e2u",
        "exit",
        "e2u",
        found={"stairs": 1},
    ),
    Case(
        "it ends at an open outer opening; going on is after-end",
        PLAIN,
        "w1 j1 e1 j1",
        "violation",
        "e1",
        "after-end",
        "j1",
    ),
    Case(
        "a new stroke after the end is after-end as well",
        CROSSING,
        "w1 j1 e1 > n",
        "violation",
        "e1",
        "after-end",
        "n",
    ),
    Case("the dead end of a wall", PLAIN, "w2 x1", "dead_end", "x1"),
    Case("a path that simply stops is treated as a dead end", PLAIN, "w1 j1", "dead_end", "j1"),
    Case("a path of its start alone has not left the dungeon", PLAIN, "w1", "dead_end", "w1"),
    Case("no path at all discovers nothing", PLAIN, "", "dead_end", None),
    Case(
        "wherever it ends, it keeps all that it discovered",
        HALL,
        "w1 Adw A",
        "dead_end",
        "A",
        found={"room": 1, "coin": 1, "barrel": 1},
    ),
    Case(
        "a path that breaks a rule ends there and keeps what it reached before",
        TWO,
        "w1 j1 e1 1.w1 1.coin1 1.w1 e1 j1 n",
        "violation",
        "1.coin1",
        "corridor-reused",
        "1.w1",
        found={"coin": 1},
    ),
    Case(
        "a room is left by its doors",
        HALL,
        "w1 Adw A e1",
        "violation",
        "A",
        "no-way",
        "e1",
        found={"room": 1, "coin": 1, "barrel": 1},
    ),
    Case(
        "from door to door without the room between is no way",
        HALL,
        "w1 Adw Ade",
        "violation",
        "Adw",
        "no-way",
        "Ade",
    ),
    Case(
        "a room may lie at the edge of the dungeon",
        EDGE_ROOM,
        "w1 Adw A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "coin": 1},
    ),
]

#: Steps that break several rules at once, in the order of citation.
PIT_LOOP = card("L", "w1 pit1 j1", "u1 e2u", falls=["pit1 u1"])
PRECEDENCE = [
    Case("after-end before no-way", TWO, "w1 j1 n 1.e1", "violation", "n", "after-end", "1.e1"),
    Case(
        "the obstacle not passed before no-way",
        card("O", "w1 monster1 e1"),
        "w1 monster1 w1",
        "violation",
        "w1",
        "monster",
        "monster1",
    ),
    Case(
        "the guarded room before no-way",
        card("G", "w1 Adw", "Ade e1", rooms={"A": "monster"}),
        "w1 Adw A e1",
        "violation",
        "A",
        "room-guarded",
        "e1",
    ),
    Case(
        "the guarded room before door-reused",
        card("G", "w1 Adw", rooms={"A": "monster"}),
        "w1 Adw A Adw",
        "violation",
        "A",
        "room-guarded",
        "Adw",
    ),
    Case("no-way before corridor-reused", CROSSING, "n j1 j2 n", "violation", "j2", "no-way", "n"),
    Case(
        "climb before corridor-reused",
        PIT_LOOP,
        "w1 pit1 u1 pit1",
        "violation",
        "u1",
        "climb",
        "pit1",
        found={"pit": 1},
    ),
    Case(
        "climb before corridor-reused, with the spellbook too",
        PIT_LOOP,
        "w1 pit1 u1 pit1",
        "violation",
        "u1",
        "climb",
        "pit1",
        found={"pit": 1},
        means={"books": ["SB-4"]},
    ),
    Case(
        "circle-used before circle-inactive",
        card("K", "w1 circle1 j1 circle2 e1"),
        "w1 circle1 > circle2 > circle1",
        "violation",
        "circle2",
        "circle-used",
        "circle1",
        found={"magic_circle": 2},
        spent=["fairy:scroll"],
        means={"tokens": {"scroll": 1}},
    ),
    Case(
        "circle-inactive before corridor-reused",
        card("K", "w1 circle1 j1 circle2 e1"),
        "w1 circle1 j1 circle2 > circle1",
        "violation",
        "circle2",
        "circle-inactive",
        "circle1",
        found={"magic_circle": 2},
    ),
    Case(
        "corridor-reused before fall-forced",
        PIT_LOOP,
        "w1 pit1 w1",
        "violation",
        "pit1",
        "corridor-reused",
        "w1",
        found={"pit": 1},
    ),
    Case(
        "door-reused before path-crossed",
        CUT,
        "n Adn A Ads j1 Adw A Ads",
        "violation",
        "A",
        "door-reused",
        "Ads",
        found={"room": 1},
    ),
]


@pytest.mark.parametrize("case", LAWS, ids=lambda case: case.says)
def test_laws_of_the_path(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", PRECEDENCE, ids=lambda case: case.says)
def test_when_one_step_breaks_several_rules_the_order_decides(case: Case) -> None:
    check(case)
