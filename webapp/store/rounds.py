"""Consequences of a tableau's ruling for its round, and notification of changes."""

from __future__ import annotations

from typing import Any

from webapp.store.boxes import rules_of_entry, write_boxes
from webapp.store.models import Entry, Tableau


def follow_ruling(entry: Entry, ruling: Any) -> None:
    """Write a ruling's score into a player's round, unless a person typed another."""
    if not entry.typed:
        write_boxes(entry, score_of(entry, ruling))


def score_of(entry: Entry, ruling: Any) -> dict[str, Any]:
    """Values that a ruling gives to the boxes of a player's round."""
    return rules_of_entry(entry).sheet.row(ruling)


def touch(tableau: Tableau) -> None:
    """Increase the versions of the tableau and its game, so that pages reload."""
    tableau.version += 1
    if tableau.entry is not None:
        tableau.entry.round.game.version += 1
