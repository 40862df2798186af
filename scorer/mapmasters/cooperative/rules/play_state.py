"""The state of a cooperative game during its simulation: groups, drawn paths, and the deciding event."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.mapmasters.cooperative.rules.mission import Goal
from scorer.mapmasters.cooperative.rules.record import CellStart, Group
from scorer.mapmasters.cooperative.rules.ruling import GroupEnded, Missing, PathEnded, PathViolation, Result
from scorer.mapmasters.cooperative.rules.walk import GroupWalker
from scorer.mapmasters.rules.ruling import Reason


@dataclass
class Party:
    """The state of one group during the simulation."""

    told: Group
    walker: GroupWalker
    start: str | CellStart | None
    stands: str | None = None
    begun: bool = False
    over: bool = False
    ended: GroupEnded = "start"
    missing: Missing = field(default_factory=dict)
    reached: list[str] = field(default_factory=list)
    cards_met: set[str] = field(default_factory=set)
    taken: list[str] = field(default_factory=list)
    carried: set[str] = field(default_factory=set)
    violations: list[PathViolation] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.told.group


@dataclass
class Drawn:
    """The result of one path. `strides` is the range (from, to) of its group's strides that belong to it."""

    number: int
    party: Party
    ended: PathEnded
    why: Reason
    last_place: str | None
    violation: PathViolation | None = None
    goal: str | None = None
    choices: tuple[str, ...] = ()
    missing: Missing = field(default_factory=dict)
    strides: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Meeting:
    """The outcome at a path's end: how it ended, the goal met, the goals to choose between, and the missing
    items."""

    ended: PathEnded
    goal: Goal | None = None
    choices: tuple[str, ...] = ()
    missing: Missing = field(default_factory=dict)


@dataclass(frozen=True)
class Decision:
    result: Result
    reason: str
    path: int | None = None
    group: str | None = None
    what: str = ""
