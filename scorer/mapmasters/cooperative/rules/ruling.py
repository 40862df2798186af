"""A cooperative ruling (docs/FORMATS.md): plain data, one Struct per JSON object."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from scorer.mapmasters.cooperative.rules.settings import Difficulty
from scorer.mapmasters.rules.ruling import FORMAT, Payment, Reason, Step

#: How a path ended, the first that fits.
PathEnded = Literal[
    "sketch",  # only a reminder
    "violation",  # breaks a rule
    "obstacle",  # stopped by what it cannot overcome
    "goal",  # a goal is met
    "choice",  # several could be met: the players say which
    "unmet",  # a goal is reached without what it asks for
    "edge",  # at the tableau's edge, where nothing is to be met
    "step",  # on a step card, from which the group goes on
    "waiting",  # at an opening where a card will lie
    "stopped",  # can go on
    "dead_end",  # cannot go on
]
#: How a group's last path ended; `start`: it has none.
GroupEnded = Literal[
    "start",
    "sketch",
    "violation",
    "obstacle",
    "goal",
    "choice",
    "unmet",
    "edge",
    "step",
    "waiting",
    "stopped",
    "dead_end",
]
Result = Literal["won", "lost", "open"]

#: What is wanting for a goal: counts by kind (negative: too many), and artifacts by name.
Missing = dict[str, int | tuple[str, ...]]


class PathViolation(msgspec.Struct, frozen=True, kw_only=True):
    """The rule that a path breaks; `stroke` and `step` (from 0) point at `place` in that path."""

    rule: str
    path: int
    group: str
    stroke: int
    step: int
    place: str
    message: str
    message_ja: str
    section: str
    section_ja: str


class PathRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling on one path. `steps` are empty for a path without effect (a sketch, or a line that can go
    on)."""

    path: int
    group: str
    legal: bool
    ended: PathEnded
    goal: str | None
    choices: tuple[str, ...]
    missing: Missing
    last_place: str | None
    violations: tuple[PathViolation, ...]
    why: Reason
    steps: tuple[Step, ...]


class GroupRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The ruling on one group over all its paths except sketches. `wanting` has, for each unmet goal that the
    group may still meet, the items that it lacks now."""

    group: str
    legal: bool
    ended: GroupEnded
    stands: str | None
    reached: tuple[str, ...]
    artifacts: tuple[str, ...]
    discovered: dict[str, int]
    coins: int
    optimizers: dict[str, int]
    counts: dict[str, int]
    tokens: dict[str, int]
    spent: tuple[Payment, ...]
    missing: Missing
    wanting: dict[str, Missing]
    violations: tuple[PathViolation, ...]


class MissionRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the mission and its reason. `path` and `group` identify the deciding path, if there is
    one."""

    id: str | None
    result: Result
    reason: str
    path: int | None
    group: str | None
    needed: tuple[str, ...]
    goals: dict[str, str | None]
    message: str
    message_ja: str
    section: str
    section_ja: str


class TableFaultTold(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of laying that cards, or a slot of the layout (column and row), break."""

    rule: str
    cards: tuple[int, ...]
    slot: tuple[int, int] | None
    message: str
    message_ja: str
    section: str
    section_ja: str


class SetupFault(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of the set-up that a group, or all of them together, break."""

    rule: str
    group: str | None
    message: str
    message_ja: str
    section: str
    section_ja: str


class CoopRuling(msgspec.Struct, frozen=True, kw_only=True):
    """The complete ruling. `violations` holds the violation of the first path that has one. `settings` are
    the house rules that differ from their defaults."""

    difficulty: Difficulty
    legal: bool
    mission: MissionRuling
    groups: tuple[GroupRuling, ...]
    paths: tuple[PathRuling, ...]
    violations: tuple[PathViolation, ...]
    placement: tuple[TableFaultTold, ...]
    setup: tuple[SetupFault, ...]
    settings: dict[str, Any] = {}
    mode: Literal["cooperative"] = "cooperative"
    format: str = FORMAT
