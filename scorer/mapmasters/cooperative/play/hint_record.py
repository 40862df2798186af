"""The hint as data (docs/FORMATS.md): which goals can still be met, and by which groups."""

from __future__ import annotations

from typing import Literal

import msgspec

from scorer.mapmasters.cooperative.rules.layout import Cell
from scorer.mapmasters.cooperative.rules.ruling import Result
from scorer.text import Text, unchanged, written

FORMAT = "waymark-hint/1"
#: How a group stands to a goal: over cards that lie; only by cards that are still to be laid; not any more.
State = Literal["way", "cards", "closed"]
#: The reason why a group cannot meet a goal.
Why = Literal["over", "met-here", "artifact", "too-few", "too-many", "cut", "no-way"]


class HintGate(msgspec.Struct, frozen=True, kw_only=True):
    """A bottleneck of all remaining ways: a `place`, or a `slot` (column and row, from 0)."""

    place: str | None = None
    slot: Cell | None = None


class HintLine(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn line that blocks a way at `place`: a group, and the number of its path."""

    place: str
    group: str
    path: int


class HintWay(msgspec.Struct, frozen=True, kw_only=True):
    """One group's state for one goal. `gates` where it can still meet it, `lines` where lines close it."""

    group: str
    state: State
    why: Why | None
    gates: tuple[HintGate, ...]
    lines: tuple[HintLine, ...]
    message: str
    message_ja: str


class HintGoal(msgspec.Struct, frozen=True, kw_only=True):
    """A needed goal: the group that met it, or the chances of each group to meet it."""

    goal: str
    met: str | None
    ways: tuple[HintWay, ...]


class Hint(msgspec.Struct, frozen=True, kw_only=True):
    """The hint (docs/FORMATS.md). `winnable` is false where that is certain."""

    result: Result
    winnable: bool
    goals: tuple[HintGoal, ...]
    message: str
    message_ja: str
    mode: Literal["cooperative"] = "cooperative"
    format: str = FORMAT


def hint_lines(hint: Hint) -> tuple[Text, ...]:
    """A hint in lines for people: its message, and the ways of each goal."""
    lines = [written(hint.message, hint.message_ja)]
    for goal in hint.goals:
        lines.append(unchanged(f"{goal.goal}:" if goal.met is None else f"{goal.goal}: {goal.met} \u2713"))
        lines += [written(f"  {way.message}", f"  {way.message_ja}") for way in goal.ways]
    return tuple(lines)
