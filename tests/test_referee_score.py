"""Objectives, placement, means, settings, messages: everything in a ruling beside the path's end."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest
from dungeons import HEIGHT, WIDTH, card, catalogue, judge, record
from ruling_cases import pins_rules

from scorer.catalogue import FindKind
from scorer.errors import WaymarkError
from scorer.mapmasters import VersusSettings, referee
from scorer.mapmasters.objectives import OBJECTIVE_OF, OPTIMIZERS, VP_EACH
from scorer.mapmasters.rules import ENDS, LAYING_RULES, PATH_RULES
from scorer.mapmasters.ruling import Ruling, to_json
from scorer.record import Marks

EVERYTHING = card(
    "E",
    "w1 barrel1 sword1 sword2 scroll1 coin1 key1 rope1 circle1 padlock1 monster1 st1",
    "st1u u1 Adn",
    "Ads pit1 e2",
    rooms={"A": "pit barrel lava"},
    stairs=["st1 st1u"],
    values={"coin1": 2},
)
WHOLE = (
    "w1 barrel1 sword1 sword2 scroll1 coin1 key1 rope1 circle1 padlock1 monster1 "
    "st1 st1u u1 Adn A Ads pit1 e2"
)


@pins_rules("R2", "R3", "R5", "R6", "X1", "X7")
@pins_rules("O-barrel", "O-sword", "O-scroll", "O-coin", "O-key", "O-rope", "O-room", "O-stairs")
@pins_rules("O-magic_circle", "O-pit", "O-padlock", "O-monster")
@pytest.mark.parametrize(
    ("objective", "count", "vp"),
    [
        ("barrel", 2, 2),
        ("sword", 2, 2),
        ("scroll", 1, 1),
        ("coin", 2, 2),
        ("key", 1, 2),
        ("rope", 1, 3),
        ("room", 1, 1),
        ("stairs", 1, 1),
        ("magic_circle", 1, 2),
        ("pit", 2, 6),
        ("padlock", 1, 3),
        ("monster", 1, 3),
    ],
)
def test_each_objective_counts_its_discoveries(objective: str, count: int, vp: int) -> None:
    ruling = judge(EVERYTHING, WHOLE, primary=objective, secondary="barrel")
    assert ruling.escaped
    assert ruling.primary is not None and ruling.secondary is not None
    assert (ruling.primary.count, ruling.primary.vp) == (count, vp)
    assert (ruling.secondary.objective, ruling.secondary.vp) == ("barrel", 2)
    assert ruling.coins == 2


@pins_rules("D4", "Z1")
def test_every_find_counts_for_an_objective_or_is_an_optimizer() -> None:
    items = {"coin", "barrel", "sword", "key", "rope", "scroll"}
    obstacles = {"monster", "padlock", "pitfall", "lava_pit"}
    assert set(get_args(FindKind)) == items | obstacles | {"magic_circle"} | set(OPTIMIZERS)
    assert set(OBJECTIVE_OF) == set(get_args(FindKind)) - set(OPTIMIZERS)
    assert set(VP_EACH) == {*OBJECTIVE_OF.values(), "room", "stairs"} and len(VP_EACH) == 12


def test_without_objectives_there_is_no_score_but_every_count() -> None:
    ruling = judge(EVERYTHING, WHOLE)
    assert (ruling.primary, ruling.secondary) == (None, None)
    assert set(ruling.discovered) == set(VP_EACH)


#: Its left and right openings meet those of another such card, upright or upside down.
PLAIN = card("P", "w1 j1 e1", "n j1 s", "w2 j2 e2")


@pins_rules("L2", "L3", "L4", "L5", "L6", "L8", "H1")
@pytest.mark.parametrize(
    ("means", "faults"),
    [
        ({}, []),
        ({"rotations": [0, 180]}, []),
        ({"rotations": [0, 90]}, [("turned", (1,)), ("misaligned", (0, 1))]),
        ({"rotations": [0, 270]}, [("turned", (1,)), ("misaligned", (0, 1))]),
        ({"at": [(0, 0), (WIDTH - 1.5, 0)]}, []),
        ({"at": [(0, 0), (WIDTH - 1.6, 0)]}, [("overlap", (0, 1))]),
        ({"at": [(0, 0), (WIDTH + 1.5, 0)]}, []),
        ({"at": [(0, 0), (WIDTH + 1.6, 0)]}, [("detached", (1,))]),
        ({"at": [(0, 0), (WIDTH, HEIGHT)]}, [("detached", (1,))]),
        ({"at": [(0, 0), (WIDTH, HEIGHT / 2)]}, []),
        ({"at": [(0, 0), (WIDTH, 3)]}, []),
        ({"at": [(0, 0), (WIDTH, 3.1)]}, [("misaligned", (0, 1))]),
        ({"at": [(0, 0), (WIDTH, 20)]}, [("misaligned", (0, 1))]),
    ],
)
def test_laying_is_reported_and_does_not_void_the_path(means: Any, faults: Any) -> None:
    ruling = judge([PLAIN, PLAIN], "w1 j1 n", **means)
    assert [(fault.rule, fault.cards) for fault in ruling.placement] == faults
    assert (ruling.legal, ruling.escaped) == (True, True)


def test_a_fault_of_laying_names_its_cards_and_tells_alike_ones_apart() -> None:
    other = card("Q", "w1 j1 e1")
    detached = judge([PLAIN, other], "w1 j1 n", at=[(0, 0), (200, 0)]).placement[0]
    assert detached.message.startswith("Q does not touch the rest") and detached.message_ja.startswith("Qが")
    alike = judge([PLAIN, PLAIN, other], "w1 j1 n", at=[(0, 0), (200, 0), (400, 0)]).placement[0]
    assert alike.message.startswith("P[1] and Q do not touch the rest")


@pins_rules("L7")
def test_facing_openings_of_different_levels_are_both_closed() -> None:
    cards = [card("P", "n j1 e1"), card("Q", "w1u u1", "n j1")]
    ruling = judge(cards, "n j1 e1")
    assert [(fault.rule, fault.places) for fault in ruling.placement] == [("misaligned", ("0.e1", "1.w1u"))]
    assert (ruling.ended, ruling.last_place) == ("dead_end", "0.e1")
    assert judge(cards, "1.w1u 1.u1").violations[0].rule == "bad-start"


@pins_rules("L7", "L4")
def test_an_opening_under_another_card_is_closed() -> None:
    ruling = judge([PLAIN, PLAIN], "w1 j1 e1", at=[(0, 0), (WIDTH - 10, 40)])
    assert "overlap" in [fault.rule for fault in ruling.placement]
    assert (ruling.ended, judge([PLAIN, PLAIN], "w2 j2 e2", at=[(0, 0), (WIDTH - 10, 40)]).ended) == (
        "exit",
        "dead_end",
    )


@pins_rules("L9")
def test_an_opening_that_meets_no_card_leads_outside() -> None:
    alone, beside = judge(PLAIN, "w1 j1 e1"), judge([PLAIN, PLAIN], "w1 j1 e1")
    assert (alone.ended, beside.ended) == ("exit", "dead_end")


@pins_rules("L1", "L2")
def test_more_than_five_cards_are_too_many_and_fewer_are_allowed() -> None:
    assert judge([PLAIN] * 5, "w1 j1 n").placement == ()
    many = [fault for fault in judge([PLAIN] * 6, "w1 j1 n").placement if fault.rule == "too-many-cards"]
    assert [fault.cards for fault in many] == [(5,)]


def test_a_table_may_play_with_more_cards() -> None:
    assert judge([PLAIN] * 6, "w1 j1 n", settings=VersusSettings(card_limit=6)).placement == ()


@pins_rules("L8", "H1", "P2")
def test_house_a_misaligned_opening_is_closed() -> None:
    cards = [PLAIN, card("Q", "w1 j1 e1", "w2 j2 e2")]
    shifted = {"at": [(0, 0), (WIDTH, 20)]}
    ended = judge(cards, "w1 j1 e1", **shifted)
    assert (ended.ended, ended.last_place) == ("dead_end", "0.e1")
    through = judge(cards, "w1 j1 e1 1.w1", **shifted)
    assert through.violations[0].rule == "no-way"
    void = judge(cards, "w1 j1 n", settings=VersusSettings(misaligned_voids_path=True), **shifted)
    assert (void.violations[0].rule, void.last_place, void.legal) == ("misaligned", None, False)


@pytest.mark.parametrize(
    ("means", "code"),
    [
        ({"tokens": {"coin": 1}}, "unknown-token"),
        ({"tokens": {"rope": -1}}, "unknown-token"),
        ({"books": ["SB-18"]}, "unknown-spellbook"),
        ({"books": [""]}, "unknown-spellbook"),
        ({"primary": "gold"}, "unknown-objective"),
        ({"marks": Marks(circled=("0.zz",))}, "unknown-place"),
    ],
)
def test_what_does_not_exist_gets_a_sentence(means: Any, code: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        judge(PLAIN, "w1 j1", **means)
    assert (caught.value.code, caught.value.exit_status) == (code, 3)


@pytest.mark.parametrize("path", ["0.zz", "w1 7.w1", "w1 0.W1", "w1 j1 .", "w1 > 0.j1.x"])
def test_places_that_do_not_exist_get_a_sentence(path: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        judge(PLAIN, path)
    assert caught.value.code == "unknown-place"


def test_spellbooks_are_known_by_careless_names() -> None:
    monster = card("M", "w1 monster1 e1")
    for name in ("SB-1", "sb1", "SB-01", "sb_1"):
        assert judge(monster, "w1 monster1 e1", books=[name]).escaped


@pins_rules("P17")
def test_the_ruling_is_json_of_the_documented_form() -> None:
    ruling = judge(EVERYTHING, WHOLE, primary="key", secondary="barrel")
    data = json.loads(to_json(ruling))
    assert data["format"] == "waymark-ruling/1"
    assert data["primary"] == {"objective": "key", "count": 1, "vp": 2}
    assert data["spent"][0]["at"] == "0.padlock1" and data["spent"][0]["means"] == "key"
    assert [step["place"] for step in data["steps"]] == [f"0.{name}" for name in WHOLE.split()]
    assert data["steps"][2]["held"] == {"sword": 1}
    assert data["steps"][3]["event"] == "collected" and data["steps"][-1]["event"] == "escaped"
    assert set(data) >= {
        "legal",
        "escaped",
        "ended",
        "last_place",
        "violations",
        "placement",
        "discovered",
        "coins",
    }


@pytest.mark.parametrize("code", sorted(PATH_RULES | ENDS | LAYING_RULES))
def test_every_rule_has_a_section_and_a_sentence_in_both_languages(code: str) -> None:
    rule = (PATH_RULES | ENDS | LAYING_RULES)[code]
    assert rule.code == code
    assert (
        rule.section.en and rule.section.ja and rule.words.en.endswith(".") and rule.words.ja.endswith("。")
    )
    assert set(re.findall(r"{(\w+)}", rule.words.ja)) == set(re.findall(r"{(\w+)}", rule.words.en)) - {
        "does",
        "are",
    }
    assert not re.search(r"[ぁ-んァ-ン一-龥]", rule.words.en) and re.search(r"[ぁ-ん]", rule.words.ja)


@pins_rules("P17")
def test_a_violation_says_what_where_and_at_which_step() -> None:
    ruling = judge(card("D29", "n j1 j2 j3 j1 e1"), "n j1 j2 j3 j1")
    violation = ruling.violations[0]
    assert (violation.stroke, violation.step) == (0, 4)
    assert violation.message == (
        "You came to the four-way crossing at the top left of D29 [0.j1] a second time at step 5; a crossing "
        "is one corridor and is walked once. The path ends at the corridor at the top of D29 [0.j3]."
    )
    assert violation.message_ja == (
        "5歩目でD29の左上の4方向の交差点[0.j1]に再び来ています。交差点は1本の廊下なので、一度しか通れません。"
        "経路はD29の上の廊下[0.j3]で終わります。"
    )
    assert ruling.why.rule == "corridor-reused" and ruling.why.message == violation.message


@pins_rules("P17")
@pytest.mark.parametrize(
    ("path", "code"),
    [("", "no-path"), ("w1 j1 n", "exit"), ("w1 j1", "dead-end"), ("j1", "bad-start")],
)
def test_every_ruling_says_why_the_path_ended(path: str, code: str) -> None:
    why = judge(PLAIN, path).why
    assert why.rule == code and why.message and why.message_ja


def test_where_what_was_used_came_from() -> None:
    ruling = judge(card("M", "w1 sword1 sword2 monster1 e1"), "w1 sword1 sword2 monster1 e1")
    assert [(payment.at, payment.source) for payment in ruling.spent] == [("0.monster1", "0.sword1")]
    struck = judge(
        card("M", "w1 sword1 sword2 monster1 e1"),
        "w1 sword1 sword2 monster1 e1",
        marks=Marks(struck=("0.sword2", "0.monster1")),
    )
    assert [payment.source for payment in struck.spent] == ["0.sword2"]


def test_unknown_card() -> None:
    with pytest.raises(WaymarkError) as caught:
        referee(catalogue(PLAIN), record([card("Z", "w1 e1")], "w1"))
    assert caught.value.code == "unknown-card"


@pins_rules("P16")
def test_rulings_of_violations_have_no_escape() -> None:
    ruling: Ruling = judge(PLAIN, "w1 j1 n > w1")
    assert (ruling.legal, ruling.escaped, ruling.ended) == (False, False, "violation")
