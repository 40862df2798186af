"""Tests that name the rules they pin, by the ids of tests/data/versus_rules.toml; and one row of a table of
rulings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dungeons import judge

T = TypeVar("T")


def pins_rules(*ids: str) -> Callable[[T], T]:
    """Says of a test which rules it pins; test_referee_rules.py reads it from the source."""
    assert ids
    return lambda test: test


@dataclass
class Case:
    """`pins` are the rules that the row pins; `last` is the last place reached; `rule` the violation, at
    `place` (None: a legal path); `found` every objective that is not 0; `spent` the means in order.
    """

    pins: str
    says: str
    cards: Any
    path: str
    ended: str
    last: str | None
    rule: str | None = None
    place: str | None = None
    found: dict[str, int] = field(default_factory=dict)
    spent: list[str] = field(default_factory=list)
    means: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.pins}: {self.says}"


def check(case: Case) -> None:
    ruling = judge(case.cards, case.path, **case.means)
    violation = ruling.violations[0] if ruling.violations else None
    assert (
        ruling.ended,
        ruling.last_place,
        violation and violation.rule,
        violation and violation.place,
    ) == (case.ended, full(case.last), case.rule, full(case.place))
    assert ruling.legal == (case.rule is None)
    assert ruling.escaped == (case.ended == "exit")
    assert {name: count for name, count in ruling.discovered.items() if count} == case.found
    assert [payment.means for payment in ruling.spent] == case.spent
    if violation is not None:
        path = [stroke.split() for stroke in case.path.split(">")]
        assert full(path[violation.stroke][violation.step]) == violation.place


def full(name: str | None) -> str | None:
    return name if name is None or "." in name else f"0.{name}"
