"""States of the beam search over cards: the partial route of one group, and a stride over one slot."""

from __future__ import annotations

from typing import NamedTuple

from calibration.missions.travel import Cell, Leg, Mouth


class Trail(NamedTuple):
    """A way so far. It stands before `mouth` of `cell`, or (`at`) on a place there. `legs`, `used` (places, a
    bit each) and `laid` are those up to its last leg, which it keeps by itself (`leg`, its `spots`, whether
    it `puts` its card there) until it is known that the trail is followed: most are not."""

    cost: float
    cell: Cell
    mouth: Mouth | None
    at: str | None
    held: tuple[int, ...]
    items: tuple[int, ...]
    found: tuple[int, ...]
    artifacts: frozenset[str]
    #: How much is missing of what the goal counts.
    short: int
    legs: tuple[Leg, ...] = ()
    used: int = 0
    laid: tuple[tuple[Cell, str, int], ...] = ()
    leg: Leg | None = None
    spots: int = 0
    puts: bool = False
    jumped: bool = False

    def whole(self) -> Trail:
        """The trail with its last leg among the others."""
        leg = self.leg
        if leg is None:
            return self
        laid = (*self.laid, (leg.cell, leg.card, leg.rotation)) if self.puts else self.laid
        legs, used = (*self.legs, leg), self.used | self.spots
        return self._replace(legs=legs, used=used, laid=laid, leg=None, spots=0, puts=False)


Brought = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]


class Crossing(NamedTuple):
    """What a stride over the card in one slot comes to: its places, those of them that the trail may not have
    been at (a bit each), what it brings in order (by the index of a tool; tolls are below nothing), and where
    it comes out: `there` before `mouth`, or (None) inside."""

    spots: int
    new: int
    tools: tuple[tuple[int, int], ...]
    found: tuple[tuple[int, int], ...]
    there: Cell
    mouth: Mouth | None
    outside: bool
