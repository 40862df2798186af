"""How lines run at the finds of a game, as the path reader needs to know it: habits of pens, no rules.

Each game's package says it of its own finds (`HABITS`), so that `vision` names none of them. Nothing here
tells what is allowed: a line may be read through any find.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LineHabits:
    """`stops_at`: finds at which lines often end. `gates`: finds at which a line breaks off, to go on from
    another of the same kind. `stepped_on`: finds in a room that a line is led onto instead of past,
    likeliest first."""

    stops_at: frozenset[str] = frozenset()
    gates: frozenset[str] = frozenset()
    stepped_on: tuple[str, ...] = ()
