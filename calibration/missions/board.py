"""What lies on the table while a mission is played, and what lines have used up of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from calibration.missions.strides import STEP, Cell, LaidWay, Mouth, Ways
from scorer.catalogue import Side
from scorer.mapmasters.cooperative.mission import Plan
from scorer.record import Rotation

ROTATIONS: tuple[Rotation, Rotation] = (0, 180)


@dataclass(frozen=True, slots=True)
class Laid:
    """A card face up, and its number on the table."""

    number: int
    card: str
    rotation: Rotation


@dataclass
class Board:
    """`empty` are the slots that wait for a card, `hidden` those where a card lies face down. `used` are
    places that lines went through, `struck` rooms and finds that bring nothing any more."""

    ways: Ways
    plan: Plan
    laid: dict[Cell, Laid] = field(default_factory=dict)
    hidden: dict[Cell, tuple[int, str]] = field(default_factory=dict)
    empty: set[Cell] = field(default_factory=set)
    used: set[tuple[Cell, str]] = field(default_factory=set)
    struck: set[tuple[Cell, str]] = field(default_factory=set)
    #: Artifacts that nobody carries yet, by the cell of their card.
    artifacts: dict[Cell, set[str]] = field(default_factory=dict)

    def way(self, cell: Cell) -> LaidWay:
        laid = self.laid[cell]
        return self.ways.of(laid.card, laid.rotation)

    def is_slot(self, cell: Cell) -> bool:
        return cell in self.laid or cell in self.empty or cell in self.hidden

    def cell_of(self, card: str) -> Cell:
        """Where a named card lies."""
        named = {laid.card: cell for cell, laid in self.laid.items()}
        named |= {name: cell for cell, (_, name) in self.hidden.items()}
        return named[card]

    def starts(self) -> list[tuple[Cell, str]]:
        """Outer openings where a group may begin."""
        rules = self.plan.starts
        return [
            (cell, name)
            for cell in self.laid
            for name, mouth in self.way(cell).mouth.items()
            if not self.is_slot(beyond(cell, mouth.side))
            and (cell, name) not in self.used
            and (rules is None or any(r.side == mouth.side and r.cell in (None, cell) for r in rules))
        ]


def beyond(cell: Cell, side: Side) -> Cell:
    dx, dy = STEP[side]
    return cell[0] + dx, cell[1] + dy


class Leg(NamedTuple):
    """A stretch of a planned way over one slot. `kind`: a card that `lies` there, one that lies face down
    (`hidden`), one from a `hand`, or anything (`any`), of which no places are known yet."""

    cell: Cell
    kind: str
    card: str = ""
    rotation: Rotation = 0
    places: tuple[str, ...] = ()
    #: Whether a teleport leads to its first place.
    jumped: bool = False


@dataclass(frozen=True)
class Route:
    """A planned way to a goal."""

    legs: tuple[Leg, ...]
    cost: float

    def of_kind(self, *kinds: str) -> list[Leg]:
        return [leg for leg in self.legs if leg.kind in kinds]

    @property
    def places(self) -> set[tuple[Cell, str]]:
        return {(leg.cell, name) for leg in self.legs for name in leg.places}


@dataclass(frozen=True, slots=True)
class Kit:
    """What a group holds: items and tokens together by tool, the unused tokens among them, everything that
    it found, artifacts."""

    held: Mapping[str, int]
    tokens: frozenset[str]
    found: Mapping[str, int]
    artifacts: frozenset[str]


@dataclass(frozen=True)
class Others:
    """What the other groups plan: places that they mean to use, cards that they mean to lay and where, empty
    slots that are kept for them, and those that they hope for."""

    used: Collection[tuple[Cell, str]]
    cards: Mapping[Cell, tuple[str, int]]
    kept: Collection[Cell] = ()
    hoped: Collection[Cell] = ()


__all__ = ["ROTATIONS", "Board", "Kit", "Laid", "Leg", "Mouth", "Others", "Route", "beyond"]
