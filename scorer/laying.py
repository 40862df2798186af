"""Layout of a game's pieces and the course of its lines: the facts that the photo reader needs of a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grid:
    """Pieces lie in the cells of a grid. The number of columns and rows is None where it is not fixed."""

    columns: int | None = None
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Laying:
    """How pieces may lie: turned by which `rotations` (degrees, clockwise), in a grid or, where `grid` is
    None, touching each other freely. `half_shifts`: neighbours may lie shifted by half a side. `limit` is the
    id of the term (a number) that says how many pieces may lie; "" where none does. `by_owner`: a piece that
    has a colour lies beside none of another colour, for players lay their own."""

    rotations: frozenset[int] = frozenset({0, 90, 180, 270})
    grid: Grid | None = None
    half_shifts: bool = False
    limit: str = ""
    by_owner: bool = False


@dataclass(frozen=True, slots=True)
class LineHabits:
    """Habits of drawing at a game's finds. They are no rules, so a line may be read through any find.
    `stops_at`: finds at which lines often end. `gates`: finds at which a line breaks off, to go on from
    another of the same kind. `stepped_on`: finds in a room that a line leads onto rather than past, the
    likeliest first. `drawn`: whether lines are drawn at all; if not, a photo without lines raises no
    doubt."""

    drawn: bool = True
    stops_at: frozenset[str] = frozenset()
    gates: frozenset[str] = frozenset()
    stepped_on: tuple[str, ...] = ()


NO_HABITS = LineHabits()
