"""Merge of two tables' corrections of the same tableau: both histories are kept, and the later one is
valid."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.text import Text
from webapp.games.soundness import UnsoundRow
from webapp.log.rows import Values
from webapp.store.models import Revision, Tableau


def find_place(session: Session, tableau_id: str, entry_id: str | None) -> str | None:
    """Entry id for an incoming tableau, since a round has one tableau per player. None where another tableau
    is there: the incoming one is then kept outside the game."""
    if entry_id is None:
        return None
    with session.no_autoflush:
        here = session.scalar(select(Tableau).where(Tableau.entry_id == entry_id, Tableau.id != tableau_id))
    if here is None:
        return entry_id
    if here.deleted_at is None:
        return None
    here.entry_id = None
    session.flush()
    return entry_id


def add_revisions(session: Session, theirs: list[Values], *, ours_stands: bool) -> int:
    """Add a tableau's revisions that are new here; returns their number. They are numbered after the existing
    ones. If this table's correction is later, it is repeated after them, so that it stays current."""
    ours = {
        revision.id: revision
        for revision in session.scalars(
            select(Revision).where(Revision.tableau_id == theirs[0]["tableau_id"])
        )
    }
    return _add_to_tableau(session, sorted(theirs, key=_number), ours, ours_stands=ours_stands)


def _add_to_tableau(
    session: Session, theirs: list[Values], ours: dict[str, Revision], *, ours_stands: bool
) -> int:
    latest = max(ours.values(), key=lambda revision: revision.number, default=None)
    number = latest.number + 1 if latest is not None else 0
    numbers: dict[int | None, int] = {}
    added = 0
    for values in theirs:
        if values["id"] in ours:
            numbers[values["number"]] = ours[values["id"]].number
            continue
        new = number if latest is not None else values["number"]
        numbers[values["number"]] = new
        references = {name: numbers.get(values.get(name)) for name in ("before", "repeats")}
        if any(number is None and values.get(name) is not None for name, number in references.items()):
            lost = Text("it goes back to one that is not before it")
            raise UnsoundRow(Revision.__tablename__, values["id"], lost)
        session.add(Revision(**{**values, **references, "number": new}))
        number += 1
        added += 1
    if added and latest is not None and ours_stands:
        same = ("tableau_id", "kind", "shot_id", "record", "answered", "told", "settings", "before")
        again = {name: getattr(latest, name) for name in same}
        session.add(Revision(**again, number=number, repeats=latest.number))
    return added


def _number(values: Values) -> int:
    return int(values["number"])
