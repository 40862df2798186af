"""How a game is played at the table: counterfactuals, purchases, payments, groups, turns and forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from scorer.catalogue import Catalogue
from scorer.text import Text
from scorer.verdict import V

if TYPE_CHECKING:
    from scorer.counterfactual import WhatIfs
    from scorer.groups import Groups
    from scorer.market import Market
    from scorer.payments import Payments
    from scorer.turn_forms import BoardTable
    from scorer.turns import Turns

R = TypeVar("R", bound=msgspec.Struct)
B = TypeVar("B")
T = TypeVar("T")


@dataclass(frozen=True)
class Hints(Generic[R, T]):
    """Hints on a record: `hint` gives one as data, and `lines` tells it to people. `hint` raises
    `WaymarkError` as the referee."""

    hint: Callable[[Catalogue, R, T], Any]
    lines: Callable[[Any], Sequence[Text]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Play(Generic[R, B, T, V]):
    """What players do besides laying and drawing. None where a game has no such thing.

    `groups` are there if several groups draw on one table, `turns` if records are snapshots of a board, and
    `forms` are the entry forms of these turns. `hints` say what can still be reached. `recorded_steps` are
    the steps of a round's end (`Sheet.round_end`) that are done once the score sheet is filled in."""

    what_ifs: WhatIfs[R, B, T, V]
    market: Market[T] | None = None
    payments: Payments[R, B, T] | None = None
    groups: Groups[R, T] | None = None
    turns: Turns[T] | None = None
    forms: BoardTable | None = None
    hints: Hints[R, T] | None = None
    recorded_steps: tuple[Text, ...] = ()
