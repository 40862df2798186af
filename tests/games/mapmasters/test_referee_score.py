"""Objectives, placement, means, settings, messages: everything in a ruling beside the path's end."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest
from dungeons import card, catalogue, judge, record
from ruling_cases import pins_rules

from scorer.catalogue import FindKind
from scorer.errors import WaymarkError
from scorer.mapmasters import referee
from scorer.mapmasters.rules.codes import ENDS, LAYING_RULES, PATH_RULES
from scorer.mapmasters.rules.objectives import OBJECTIVE_OF, OPTIMIZERS, VP_EACH
from scorer.mapmasters.rules.ruling import to_json

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


@pins_rules("D4", "Z1")
def test_every_find_counts_for_an_objective_or_is_an_optimizer() -> None:
    items = {"coin", "barrel", "sword", "key", "rope", "scroll"}
    obstacles = {"monster", "padlock", "pitfall", "lava_pit"}
    assert set(get_args(FindKind)) == items | obstacles | {"magic_circle"} | set(OPTIMIZERS)
    assert set(OBJECTIVE_OF) == set(get_args(FindKind)) - set(OPTIMIZERS)
    assert set(VP_EACH) == {*OBJECTIVE_OF.values(), "room", "stairs"} and len(VP_EACH) == 12
    assert set(judge(EVERYTHING, WHOLE).discovered) == set(VP_EACH)


#: Its left and right openings meet those of another such card, upright or upside down.
PLAIN = card("P", "w1 j1 e1", "n j1 s", "w2 j2 e2")


def test_a_fault_of_laying_names_its_cards_and_tells_alike_ones_apart() -> None:
    other = card("Q", "w1 j1 e1")
    detached = judge([PLAIN, other], "w1 j1 n", at=[(0, 0), (200, 0)]).placement[0]
    assert detached.message.startswith("Q does not touch the rest") and detached.message_ja.startswith("Qが")
    alike = judge([PLAIN, PLAIN, other], "w1 j1 n", at=[(0, 0), (200, 0), (400, 0)]).placement[0]
    assert alike.message.startswith("P[1] and Q do not touch the rest")


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
        "5 歩目でD29の左上の四方向の交差点[0.j1]に再び来ています。交差点は 1 本の廊下なので、"
        "一度しか通れません。"
        "経路はD29の上の廊下[0.j3]で終わります。"
    )
    assert ruling.why.rule == "corridor-reused" and ruling.why.message == violation.message


def test_unknown_card() -> None:
    with pytest.raises(WaymarkError) as caught:
        referee(catalogue(PLAIN), record([card("Z", "w1 e1")], "w1"))
    assert caught.value.code == "unknown-card"
