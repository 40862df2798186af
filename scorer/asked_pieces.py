"""What a board game asks of a box that is enrolled from photos: which pieces it has, and what has to be known
of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.catalogue import CardKind, Shape
from scorer.square_grid import Cell, rotations_of, turned
from scorer.text import Text


@dataclass(frozen=True, kw_only=True)
class AskedPieces:
    """Pieces of one sort. `word` names them where they are enrolled, `count` is how many a box holds.

    Tiles have `ways`: how many there are of each shape (its open sides, however turned). Pieces that differ
    by a number have `values`, those that differ by a colour `colours`; of each there are `copies`. A board
    has `printed` cells, with their open sides."""

    word: str
    name: Text
    kind: CardKind
    shape: Shape
    role: str | None = None
    count: int = 1
    copies: int = 1
    values: tuple[int, ...] = ()
    colours: tuple[str, ...] = ()
    ways: Mapping[int, int] = field(default_factory=dict)
    printed: Mapping[Cell, int] = field(default_factory=dict)

    @property
    def lying_ways(self) -> dict[int, float]:
        """Open sides that a tile may show as it lies, with how often each is met."""
        total = sum(self.ways.values())
        return {
            turned(sides, rotation): number / total / len(rotations_of(sides))
            for sides, number in self.ways.items()
            for rotation in rotations_of(sides)
        }
