"""The list of rules is complete: each is named by a test, and tests name none that does not exist.

Whether a test that names a rule pins it is for its reader to see; that none is forgotten is held here.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from golden_cases import golden_cases

TESTS = Path(__file__).parents[2]


def rule_ids() -> set[str]:
    sections = tomllib.loads((TESTS / "data" / "versus_rules.toml").read_text("utf-8"))
    ids = [rule for section in sections.values() for rule in section]
    assert len(ids) == len(set(ids)) and all(text for each in sections.values() for text in each.values())
    return set(ids)


@cache
def named_ids() -> frozenset[str]:
    """The ids of golden cases, and those in `@pins_rules("P1", "P2")` over all test modules."""
    pinned = {rule for case in golden_cases() for rule in case.pins}
    return frozenset(pinned.union(*(_named_in(module) for module in TESTS.rglob("test_*.py"))))


def _named_in(module: Path) -> Iterator[str]:
    text = module.read_text("utf-8")
    if "pins_rules" in text:  # Parsing the others would take seconds.
        for node in ast.walk(ast.parse(text)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            for word in node.args if node.func.id == "pins_rules" else ():
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    yield word.value


def test_every_rule_is_named_by_a_test() -> None:
    assert sorted(rule_ids() - named_ids()) == []


def test_tests_name_rules_that_exist() -> None:
    assert sorted(named_ids() - rule_ids()) == []
