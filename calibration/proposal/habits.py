"""What a deck's dungeons have in common, as far as traced cards tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Level, Side

Array = NDArray[np.float64]
#: A landing this near lies at its pit.
_AT_PIT_MM = 3.0


@dataclass(frozen=True)
class KnownOpening:
    """Where openings of the deck lie, of either level: place on the side in mm, and how many traced ones."""

    side: Side
    place_mm: float
    count: int

    def at(self, size_mm: Array) -> Array:
        """The place on a card of this size, in mm."""
        along = self.side in ("left", "right")
        far = size_mm[0 if along else 1] if self.side in ("right", "bottom") else 0.0
        return np.array([far, self.place_mm] if along else [self.place_mm, far])


@dataclass(frozen=True)
class Habits:
    """What a deck's dungeons have in common: where their openings are, the levels on which corridors may end
    with nothing there, whether stairs always stand at corridors' ends, and how far from their pits landings
    lie."""

    openings: tuple[KnownOpening, ...] = ()
    #: What is common to dungeons of all decks: on the main one they may.
    dead_ends: frozenset[Level] = frozenset({"main"})
    stairs_at_ends: bool = False
    #: The nearest and the farthest, in mm.
    landings_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def landings_at_pits(self) -> bool:
        return self.landings_mm[1] <= _AT_PIT_MM
