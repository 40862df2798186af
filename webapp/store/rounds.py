"""Consequences of a tableau's ruling for its round, and notification of changes."""

from __future__ import annotations

from typing import Any

from webapp.store.boxes import rules_of_entry, write_boxes
from webapp.store.models import Entry, Revision, Tableau


def follow_ruling(entry: Entry, ruling: Any) -> None:
    """Write a ruling's score into a player's round, unless a person typed another."""
    if not entry.typed:
        write_boxes(entry, score_of(entry, ruling))


def score_of(entry: Entry, ruling: Any) -> dict[str, Any]:
    """Values that a ruling gives to the boxes of a player's round."""
    return rules_of_entry(entry).sheet.row(ruling)


def touch(tableau: Tableau) -> None:
    """Tell every page that shows the tableau, or its game, to look again."""
    tableau.version += 1
    if tableau.entry is not None:
        tableau.entry.round.game.version += 1


def current_revision(tableau: Tableau) -> Revision | None:
    """The current revision: the latest, or the one that it repeats."""
    latest = max(tableau.revisions, key=lambda revision: revision.number, default=None)
    if latest is None or latest.repeats is None:
        return latest
    return next(revision for revision in tableau.revisions if revision.number == latest.repeats)


def revision_numbered(tableau: Tableau, number: int | None) -> Revision | None:
    """A revision by its number; None where there is none."""
    return next((revision for revision in tableau.revisions if revision.number == number), None)
