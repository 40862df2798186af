"""How lines run at the finds of the game that lies on the table: the one place where the readers ask it."""

from __future__ import annotations

from scorer.dungeon import Dungeon
from scorer.games import line_habits
from scorer.laying import LineHabits


def habits_of(dungeon: Dungeon) -> LineHabits:
    """The line habits of the dungeon's game."""
    return line_habits(dungeon.catalogue.game)
