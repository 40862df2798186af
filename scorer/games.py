"""The games that Waymark knows, by the word in a catalogue's `game`."""

from __future__ import annotations

from scorer.drawing import LineHabits
from scorer.mapmasters.drawing import HABITS as MAP_MASTERS

_LINE_HABITS = {"mapmasters": MAP_MASTERS}
_NO_HABITS = LineHabits()


def line_habits(game: str) -> LineHabits:
    """How lines run at the finds of `game`; for a game without a package of its own, nothing is known."""
    return _LINE_HABITS.get(game, _NO_HABITS)
