"""States of the beam search over cards: the partial path of one group, and its crossing of one slot."""

from __future__ import annotations

from typing import NamedTuple

from calibration.missions.travel import Cell, Leg, Mouth


class Trail(NamedTuple):
    """A partial path. It ends before `mouth` of `cell`, or at the place `at` in that cell. `legs`, `used`
    (bit set of places) and `laid` exclude the last leg. That leg is stored separately (`leg`, its `spots`,
    whether it `puts` its card), to save copies for trails that are discarded."""

    cost: float
    cell: Cell
    mouth: Mouth | None
    at: str | None
    held: tuple[int, ...]
    items: tuple[int, ...]
    found: tuple[int, ...]
    artifacts: frozenset[str]
    #: Number of items still missing for the goal.
    short: int
    legs: tuple[Leg, ...] = ()
    used: int = 0
    laid: tuple[tuple[Cell, str, int], ...] = ()
    leg: Leg | None = None
    spots: int = 0
    puts: bool = False
    jumped: bool = False

    def whole(self) -> Trail:
        """The trail with its last leg merged into the others."""
        leg = self.leg
        if leg is None:
            return self
        laid = (*self.laid, (leg.cell, leg.card, leg.rotation)) if self.puts else self.laid
        legs, used = (*self.legs, leg), self.used | self.spots
        return self._replace(legs=legs, used=used, laid=laid, leg=None, spots=0, puts=False)


Brought = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]


class Crossing(NamedTuple):
    """Effects of a stride over the card in one slot. `spots`: bit set of its places; `new`: those the
    trail must not have visited. `tools` and `found`: gains in order by index; tolls are negative. The
    stride ends in cell `there` before `mouth`, or inside (None)."""

    spots: int
    new: int
    tools: tuple[tuple[int, int], ...]
    found: tuple[tuple[int, int], ...]
    there: Cell
    mouth: Mouth | None
    outside: bool
