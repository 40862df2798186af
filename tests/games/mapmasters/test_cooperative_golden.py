"""The cooperative rules by example: every case of tests/golden/cooperative is ruled on as it says, and every
sentence of the rules is pinned by one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from cooperative_cases import FOLDER, CoopCase, check, coop_cases

from scorer.mapmasters.cooperative.rules.codes import ENDS, LAYING_RULES, PATH_RULES, RESULTS, SETUP_RULES

RULES = Path(__file__).parents[2] / "data" / "cooperative_rules.toml"


@pytest.mark.parametrize("case", coop_cases(), ids=str)
def test_the_ruling_is_as_the_file_says(case: CoopCase) -> None:
    check(case)


def test_every_file_begins_with_what_it_is_about() -> None:
    assert all(file.read_text("utf-8").startswith("# ") for file in FOLDER.glob("*.txt"))


def test_every_sentence_of_the_rules_is_pinned_and_none_that_does_not_exist() -> None:
    sections = tomllib.loads(RULES.read_text("utf-8"))
    ids = [rule for section in sections.values() for rule in section]
    assert len(ids) == len(set(ids)) and all(text for each in sections.values() for text in each.values())
    pinned = {pin for case in coop_cases() for pin in case.pins}
    assert sorted(set(ids) - pinned) == [] and sorted(pinned - set(ids)) == []


def test_every_code_is_cited_by_a_case() -> None:
    told = " ".join(" ".join(case.expected.values()) for case in coop_cases()).replace(",", " ").split()
    words = set(told)
    codes = {*PATH_RULES, *LAYING_RULES, *SETUP_RULES, *RESULTS} - {"mission"}
    assert sorted(codes - words) == []
    assert any(word.startswith("mission:") for word in words)
    ends = {
        code for code in ENDS if not code.startswith("stopped-by") and code not in ("no-path", "dead_end")
    }
    assert sorted(ends - words) == []
