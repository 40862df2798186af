"""What a dispute is about: where a ruling turned, and what would be otherwise under which assumption."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from dungeons import card, strokes
from tiny_tableaus import assessment

from scorer.mapmasters.rules.settings import VersusSettings
from vision.questions import Question
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.counterfactuals import (
    BACKWARDS,
    free_choices,
    parse_assumption,
    suppose,
    turning_step,
    what_ifs,
)

LAIR = card("C1", "w1 coin1 j1 e1", "j1 monster1 coin2 n")
PIT = card("C2", "w1 pit1 coin1 e1", "u1 coin3u e2", falls=["pit1 u1"])
HARD = card("C3", "w1 monster1 coin1 padlock1 coin2 e1")
CAVE = card("C4", "w1 Adw", "Ade e1", rooms={"A": "lava coin"})
DEN = card("C5", "w1 Adw", "Ade e1", rooms={"A": "monster monster coin"})
ARMOURY = card("C7", "w1 sword1 sword2 monster1 e1")
SHORT = card("C8", "w1 key1 padlock1 coin1 monster1 e1")
CIRCLES = card("C6", "w1 circle1 x1", "circle2 coin1 e1")
#: A tableau, for what is the same of any.
ANY = assessment(LAIR, "w1 coin1 j1 e1")


@dataclass(frozen=True)
class Case:
    """A tableau and the what-ifs it should have: keys of assumptions that come to the same, whether the path
    is legal then, whether it escapes, its coins; in order."""

    cards: dict[str, Any]
    path: str
    expected: list[tuple[list[str], bool, bool, int]]
    told: dict[str, Any] = field(default_factory=dict)


CASES = {
    "monster without a sword": Case(
        LAIR,
        "w1 coin1 j1 monster1 coin2 n",
        [(["held:fairy:sword*1", "held:SB-1*1", "held:SB-5*1"], True, True, 2)],
    ),
    "pit without a rope": Case(
        PIT, "w1 pit1 coin1 e1", [(["held:fairy:rope*1", "held:SB-3*1", "held:SB-5*1"], True, True, 1)]
    ),
    "two swords for a room": Case(DEN, "w1 Adw A Ade e1", [(["held:fairy:sword*2"], True, True, 1)]),
    "circle without a scroll": Case(
        CIRCLES,
        "w1 circle1 > circle2 coin1 e1",
        [(["held:fairy:scroll*1", "held:SB-5*1", "held:SB-9*1"], True, True, 1)],
    ),
    "one thing after another": Case(
        HARD,
        "w1 monster1 coin1 padlock1 coin2 e1",
        [
            (["held:fairy:sword*1+fairy:key*1"], True, True, 2),
            (["held:fairy:sword*1", "held:SB-1*1", "held:SB-5*1"], False, False, 1),
        ],
    ),
    "a token that was used might not have been held": Case(
        LAIR,
        "w1 coin1 j1 monster1 coin2 n",
        [(["not_held:fairy:sword*1"], False, False, 1)],
        {"tokens": {"sword": 1}},
    ),
    "nothing that could be held changes an escape": Case(LAIR, "w1 coin1 j1 e1", []),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_would_change_a_ruling(case: Case) -> None:
    now = assessment(case.cards, case.path, **case.told)
    found = [
        (
            [assumption.key for assumption in each.assumptions],
            each.then.ruling.legal,
            each.then.ruling.escaped,
            each.then.ruling.coins,
        )
        for each in what_ifs(now)
    ]
    assert found == case.expected


def test_a_house_rule_that_matters_is_told() -> None:
    now = assessment(CAVE, "w1 Adw A Ade e1", primary="pit")
    (lava,) = what_ifs(now)
    assert [each.key for each in lava.assumptions] == ["house:room_lava_needs_rope"]
    assert now.ruling.discovered["pit"] == 0 and lava.then.ruling.discovered["pit"] == 1
    assert lava.then.ruling.settings == {"room_lava_needs_rope": False}


def test_cards_out_of_line_under_the_other_house_rule() -> None:
    beside: Any = {"at": [(0, 0), (63, 11)], "primary": "coin"}
    now = assessment([LAIR, PIT], "w1 coin1 j1 e1", **beside)
    assert now.ruling.legal and now.ruling.coins == 1
    (void,) = what_ifs(now)
    assert [each.key for each in void.assumptions] == ["house:misaligned_voids_path"]
    assert not void.then.ruling.legal and void.then.ruling.coins == 0
    strict = VersusSettings(misaligned_voids_path=True)
    now = assessment([LAIR, PIT], "w1 coin1 j1 e1", settings=strict, **beside)
    (counted,) = what_ifs(now)
    assert counted.then.ruling.legal and counted.then.ruling.settings == {}


def test_a_reading_in_doubt_comes_before_means() -> None:
    now = assessment(LAIR, "w1 coin1 j1 monster1 coin2 n")
    other = msgspec.structs.replace(now.record, path=strokes("w1 coin1 j1 e1"))
    doubt = Question("path", "0.j1", ("as read", "straight on"), "Where?", "どこ?", alternatives=(other,))
    now = assessment(LAIR, "w1 coin1 j1 monster1 coin2 n", questions=(doubt,))
    first, second = what_ifs(now)
    assert [each.key for each in first.assumptions] == ["reading:path:0.j1:1"] and first.then.ruling.escaped
    assert second.assumptions[0].key == "held:fairy:sword*1"


@pytest.mark.parametrize(
    ("cards", "path", "place", "step", "rule"),
    [
        (LAIR, "w1 coin1 j1 monster1 coin2 n", "0.monster1", 4, "monster"),
        (LAIR, "w1 coin1 j1 monster1", "0.monster1", 4, "stopped-by-monster"),
        (PIT, "w1 pit1 coin1 e1", "0.coin1", 3, "fall-forced"),
        (LAIR, "w1 coin1 j1", "0.j1", 3, "dead-end"),
        (LAIR, "w1 coin1 j1 e1", "0.e1", 4, "exit"),
        (CIRCLES, "w1 circle1 > circle2 coin1", "0.circle2", 3, "circle-inactive"),
        (LAIR, "", None, None, "no-path"),
    ],
)
def test_the_step_where_a_ruling_turned(
    cards: dict[str, Any], path: str, place: str | None, step: int | None, rule: str
) -> None:
    turn = turning_step(assessment(cards, path))
    assert (turn.place, turn.step, turn.why.rule) == (place, step, rule)


def test_the_other_direction_is_refereed() -> None:
    now = assessment(PIT, "w1 pit1 u1 coin3u e2")
    back = suppose(now, BACKWARDS)
    assert now.ruling.escaped and back is not None
    assert back.record.path == (("0.e2", "0.coin3u", "0.u1", "0.pit1", "0.w1"),)
    assert back.ruling.why.rule == "climb"


def test_a_direction_that_the_rules_tell_can_still_be_assumed_otherwise() -> None:
    forth, back = strokes("w1 coin1 j1 monster1"), strokes("monster1 j1 coin1 w1")
    now = assessment(LAIR, "w1 coin1 j1 monster1")
    other = msgspec.structs.replace(now.record, path=back)
    asked = Question("direction", "0.w1", ("w1", "monster1"), "Which?", "どちら?", alternatives=(other,))
    now = assessment(LAIR, "w1 coin1 j1 monster1", questions=(asked,))
    assert now.ruling.direction is not None and now.ruling.direction.by == "only_legal"
    then = suppose(now, BACKWARDS)
    assert now.record.path == forth and then is not None and then.record.path == back
    assert then.ruling.why.rule == "bad-start"


def test_what_cannot_be_assumed() -> None:
    now = assessment(LAIR, "w1 coin1 j1 e1", tokens={"rope": 1}, books=["SB-3"])
    impossible = [
        "not_held:fairy:rope*2",
        "not_held:SB-4*1",
        "held:SB-3*1",
        "reading:0:1",
        "house:card_limit",
        "paid:7.p1=rope",
        "paid:0.coin1=rope@7.f1",
    ]
    for key in impossible:
        assumption = parse_assumption(ANY, key)
        assert assumption is not None and suppose(now, assumption) is None
    empty = assessment(LAIR, "")
    assert suppose(empty, BACKWARDS) is None


@pytest.mark.parametrize(
    "key",
    [
        "held:fairy:rope*1",
        "held:fairy:rope*1+SB-4*1",
        "not_held:SB-1*1",
        "house:card_limit",
        "reading:mark:0.A1:1",
        "reading:3:1",
        "paid:1.p1=SB-5",
        "paid:1.p1=fairy:rope",
        "paid:1.p=1=rope@0.f=3@",
    ],
)
def test_an_assumption_is_named_by_its_key(key: str) -> None:
    assumption = parse_assumption(ANY, key)
    assert assumption is not None and assumption.key == key
    assert parse_assumption(ANY, "backwards") == BACKWARDS


#: Arabic-Indic digits are digits for Python, not for a key.
NO_KEYS: tuple[str, ...] = ("", "other", "held:", "held:gold*1", "held:fairy:rope")
NO_KEYS += "held:fairy:rope*0", "held:fairy:rope*999"
NO_KEYS += "house:fun", "reading:1", "reading:a:b", "reading:١:1", "backwards:1"
NO_KEYS += "paid:", "paid:1.p1", "paid:1.p1=ladder", "paid:=rope", "paid:1.p1=SB-2"


@pytest.mark.parametrize("key", NO_KEYS)
def test_what_is_no_assumption(key: str) -> None:
    assert parse_assumption(ANY, key) is None


def free(now: Assessment) -> list[tuple[str, str, list[str]]]:
    told = free_choices(now, what_ifs(now))
    return [
        (each.choice.at, each.choice.used.means, [other.key for _, other in each.instead]) for each in told
    ]


def test_where_the_referee_chose_what_to_pay_with() -> None:
    path = "w1 coin1 j1 monster1 coin2 n"
    now = assessment(LAIR, path, tokens={"sword": 1}, books=["SB-1", "SB-3"])
    assert free(now) == [("0.monster1", "fairy:sword", ["paid:0.monster1=SB-1"])]
    assert free(assessment(LAIR, path, tokens={"sword": 2})) == []
    two = assessment(ARMOURY, "w1 sword1 sword2 monster1 e1", paid={"monster1": "sword@sword2"})
    assert free(two) == [("0.monster1", "sword", ["paid:0.monster1=sword@0.sword1"])]


def test_what_was_paid_with_changes_the_ruling_only_by_the_wild_token() -> None:
    """The key is there; whoever opens the padlock by SB-5 misses it at the monster."""
    path = "w1 key1 padlock1 coin1 monster1 e1"
    now = assessment(SHORT, path, books=["SB-5"])
    assert now.ruling.escaped
    (other,) = [each for each in what_ifs(now) if each.assumptions[0].kind == "paid"]
    assert [each.key for each in other.assumptions] == ["paid:0.padlock1=SB-5"]
    assert not other.then.ruling.legal and other.then.ruling.violations[0].rule == "monster"
    assert free(now) == []
    # said to be so, the other payment is the what-if that mends it
    now = assessment(SHORT, path, books=["SB-5"], paid={"padlock1": "SB-5"})
    first = what_ifs(now)[0]
    assert [each.key for each in first.assumptions] == ["paid:0.padlock1=key@0.key1"]
    assert first.then.ruling.escaped and [note.about for note in now.ruling.payments] == ["ends_the_path"]
