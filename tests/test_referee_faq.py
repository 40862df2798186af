"""The rulebook's questions and examples about the path (FAQ, and the sections on exploration and rewards),
answered."""

from __future__ import annotations

import pytest
from dungeons import card, judge
from ruling_cases import Case, check, pins_rules

PIT = card("P", "w1 rope1 pit1 e1", "u1 e2u", "w2 pit2 e2", "u2 x2u", falls=["pit1 u1", "pit2 u2"])
PIT_ROOM = card("R", "w1 Adw", "Ade e1", "u1 e2u", rooms={"A": "pit"}, falls=["A1 u1"])
CIRCLE_ROOM = [
    card("R", "n Adn", "Ade j1 Ads", "Adw w1", rooms={"A": "circle scroll key"}),
    card("S", "n circle1 scroll1 s", "w2 circle2 e2"),
]
ONE_DOOR = [card("R", "n Adn", rooms={"A": "circle coin"}), card("S", "s scroll1 circle1 x1")]

FAQ = [
    Case(
        "Q2",
        "must a rope be used to avoid a pitfall? no, one may go down on purpose",
        PIT,
        "w1 rope1 pit1 u1 e2u",
        "exit",
        "e2u",
        found={"rope": 1, "pit": 1},
    ),
    Case(
        "Q3",
        "can a rope be used to climb? no",
        PIT,
        "w1 rope1 pit1 u1 pit1",
        "violation",
        "u1",
        "climb",
        "pit1",
        found={"rope": 1, "pit": 1},
    ),
    Case(
        "Q4",
        "must one fall in a room with a pitfall? no, and it is circled all the same",
        PIT_ROOM,
        "w1 Adw A Ade e1",
        "exit",
        "e1",
        found={"room": 1, "pit": 1},
    ),
    Case(
        "Q4",
        "in corridors the fall is compulsory without rope or spellbook",
        PIT,
        "w2 pit2 e2",
        "violation",
        "pit2",
        "fall-forced",
        "e2",
        found={"pit": 1},
    ),
    Case(
        "Q4",
        "but for a spellbook",
        PIT,
        "w2 pit2 e2",
        "exit",
        "e2",
        found={"pit": 1},
        spent=["SB-3"],
        means={"books": ["SB-3"]},
    ),
    Case(
        "Q5",
        "with SB-4, can one fall and climb at once? no, unused pitfalls only",
        PIT_ROOM,
        "w1 Adw A A1 u1 A1",
        "violation",
        "u1",
        "climb",
        "A1",
        found={"room": 1, "pit": 1},
        means={"books": ["SB-4"]},
    ),
    Case(
        "Q6",
        "can one fall into the same pitfall twice? no, that would reuse a corridor",
        card(
            "T",
            "w1 Adw",
            "Ade e1",
            "u1 st1u",
            "st1 Ads",
            rooms={"A": "pit"},
            falls=["A1 u1"],
            stairs=["st1 st1u"],
        ),
        "w1 Adw A A1 u1 st1u st1 Ads A A1 u1",
        "violation",
        "A1",
        "corridor-reused",
        "u1",
        found={"room": 1, "pit": 1, "stairs": 1},
    ),
    Case(
        "Q7",
        "how do rooms score? entered and all monsters beaten, once however often entered",
        card("V", "n Adn", "Ade j1 Ads", "Adw w1", rooms={"A": "monster"}),
        "n Adn A Ade j1 Ads A Adw w1",
        "exit",
        "w1",
        found={"room": 1, "monster": 1},
        spent=["fairy:sword"],
        means={"tokens": {"sword": 1}},
    ),
    Case(
        "Q8",
        "do unused circles count? yes",
        CIRCLE_ROOM,
        "1.n 1.circle1 1.scroll1 1.s",
        "exit",
        "1.s",
        found={"magic_circle": 1, "scroll": 1},
    ),
    Case(
        "Q9",
        "do pitfalls crossed with a rope count? yes",
        PIT,
        "w1 rope1 pit1 e1",
        "exit",
        "e1",
        found={"rope": 1, "pit": 1},
        spent=["rope"],
    ),
    Case(
        "Q10",
        "can a circle seen in a room be used on coming back? yes",
        CIRCLE_ROOM,
        "n Adn A Ade j1 Ads A A1 > 1.circle1 1.scroll1 1.s",
        "exit",
        "1.s",
        found={"room": 1, "scroll": 2, "key": 1, "magic_circle": 2},
        spent=["scroll"],
    ),
    Case(
        "Q10",
        "can it be teleported to? yes, while a corridor is left to leave by",
        CIRCLE_ROOM,
        "n Adn A A1 > 1.circle2 1.e2",
        "exit",
        "1.e2",
        found={"room": 1, "scroll": 1, "key": 1, "magic_circle": 2},
        spent=["scroll"],
    ),
    Case(
        "Q10",
        "without one it is a dead end",
        ONE_DOOR,
        "1.s 1.scroll1 1.circle1 > A1 A",
        "dead_end",
        "A",
        found={"room": 1, "coin": 1, "scroll": 1, "magic_circle": 2},
        spent=["scroll"],
    ),
    Case(
        "Q11",
        "can a four-way crossing be walked more than once? no",
        card("X", "w1 j1 e1", "n j1 j2 j3 j1"),
        "w1 j1 j2 j3 j1 n",
        "violation",
        "j3",
        "corridor-reused",
        "j1",
    ),
]

EXAMPLES = [
    Case(
        "X2",
        "items: what lies on the path is collected",
        card("I", "w1 coin1 coin2 sword1 rope1 barrel1 e1", values={"coin2": 2}),
        "w1 coin1 coin2 sword1 rope1 barrel1 e1",
        "exit",
        "e1",
        found={"coin": 3, "sword": 1, "rope": 1, "barrel": 1},
    ),
    Case(
        "X3",
        "obstacles: the monster falls to the sword collected before it",
        card("M", "w1 sword1 monster1 e1"),
        "w1 sword1 monster1 e1",
        "exit",
        "e1",
        found={"sword": 1, "monster": 1},
        spent=["sword"],
    ),
    Case(
        "X3 W2",
        "a sword that lies behind the monster comes too late",
        card("M", "w1 sword1 monster1 e1"),
        "e1 monster1 sword1 w1",
        "violation",
        "e1",
        "monster",
        "monster1",
    ),
    Case(
        "R7",
        "rewards: an obstacle that ends the path unsolved does not count",
        card("M", "w1 key1 monster1 e1"),
        "w1 key1 monster1",
        "obstacle",
        "key1",
        found={"key": 1},
    ),
    Case(
        "X6",
        "rewards: a path that ends in a room counts what lies there when the monsters are beaten",
        card("G", "w1 sword1 Adw", rooms={"A": "monster key"}),
        "w1 sword1 Adw A",
        "dead_end",
        "A",
        found={"sword": 1, "monster": 1, "key": 1, "room": 1},
        spent=["sword"],
    ),
    Case(
        "X4",
        "pitfalls: one on main may be avoided with a rope",
        PIT,
        "w1 rope1 pit1 e1",
        "exit",
        "e1",
        found={"rope": 1, "pit": 1},
        spent=["rope"],
    ),
    Case(
        "X6",
        "dead ends: a room that monsters hold keeps its finds",
        card("G", "w1 coin1 Adw", rooms={"A": "monster key"}),
        "w1 coin1 Adw A",
        "obstacle",
        "A",
        found={"coin": 1},
    ),
    Case(
        "X5",
        "teleporters: the scroll is used, both circles are struck, the path goes on from the second",
        card("C", "w1 scroll1 circle1 x1", "e1 coin1 circle2"),
        "w1 scroll1 circle1 > circle2 coin1 e1",
        "exit",
        "e1",
        found={"scroll": 1, "magic_circle": 2, "coin": 1},
        spent=["scroll"],
    ),
]


@pytest.mark.parametrize("case", FAQ, ids=str)
def test_faq(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", EXAMPLES, ids=str)
def test_worked_examples(case: Case) -> None:
    check(case)


@pins_rules("Q1")
def test_the_only_cost_of_a_dead_end_is_the_escape_box() -> None:
    face = card("D", "w1 key1 e1")
    stopped, left = judge(face, "w1 key1"), judge(face, "w1 key1 e1")
    assert stopped.discovered == left.discovered
    assert (stopped.escaped, left.escaped) == (False, True)
