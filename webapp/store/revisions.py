"""Revisions of a tableau: adding, restoring and finding them. Each kind of play referees a new record in its
own way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from webapp.store.models import Revision, Tableau

#: Function that rules on the current record and updates its round.
Judge = Callable[[Session, Catalogue, Tableau], None]


def current_revision(tableau: Tableau) -> Revision | None:
    """The current revision: the latest, or the one that it repeats."""
    latest = max(tableau.revisions, key=_number, default=None)
    if latest is None or latest.repeats is None:
        return latest
    return next(revision for revision in tableau.revisions if revision.number == latest.repeats)


def revisions_back(tableau: Tableau) -> Iterator[Revision]:
    """The current revision, and those that it followed from, back to the first."""
    stands = current_revision(tableau)
    while stands is not None:
        yield stands
        stands = revision_numbered(tableau, stands.before)


def revision_numbered(tableau: Tableau, number: int | None) -> Revision | None:
    """A revision by its number; None where there is none."""
    return next((revision for revision in tableau.revisions if revision.number == number), None)


def latest_number(tableau: Tableau) -> int:
    """The number of the latest revision; -1 before the first."""
    return max((revision.number for revision in tableau.revisions), default=-1)


def add_revision(
    session: Session,
    tableau: Tableau,
    record: dict[str, Any],
    *,
    kind: str,
    answered: Collection[Any],
    told: Mapping[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    before: int | None = None,
    repeats: int | None = None,
) -> Revision:
    """Save `record` as the tableau's new revision, without refereeing it. `before` is the number of the
    revision that undo returns to (None: the current one). A revision that `repeats` another is no new change.
    `told` holds facts stated with it."""
    stands = current_revision(tableau)
    revision = Revision(
        tableau=tableau,
        number=latest_number(tableau) + 1,
        kind=kind,
        shot_id=tableau.shot_id,
        record=record,
        answered=sorted(set(answered)),
        told=dict(told) if told is not None else None,
        settings=settings,
        before=before if before is not None or stands is None else stands.number,
        repeats=repeats,
    )
    session.add(revision)
    tableau.record, tableau.answered = revision.record, revision.answered
    return revision


def judged(
    session: Session, catalogue: Catalogue, tableau: Tableau, revision: Revision, judge: Judge
) -> Revision:
    """Referee a shared tableau; the resulting record is saved in its new revision."""
    session.flush()
    judge(session, catalogue, tableau)
    revision.record = tableau.record or {}
    session.flush()
    return revision


def stand_again(
    session: Session, catalogue: Catalogue, tableau: Tableau, target: Revision, judge: Judge
) -> Revision:
    """Restore an earlier revision of a shared tableau as the current one."""
    stands = current_revision(tableau)
    tableau.shot_id = target.shot_id
    again = add_revision(
        session,
        tableau,
        target.record,
        kind=target.kind,
        answered=target.answered,
        told=target.told,
        before=stands.number if stands is not None else None,
        repeats=target.number,
    )
    return judged(session, catalogue, tableau, again, judge)


def _number(revision: Revision) -> int:
    return revision.number
