"""Reviewer actions other than corrections: answers to questions, the choice among a tableau's photos.

All functions work inside the caller's transaction."""

from __future__ import annotations

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.record import Record
from scorer.text import Text
from waymark.review.tableau.answers import answer
from waymark.review.tableau.question_names import name_of
from webapp.games.games import check_tableau_open
from webapp.store.boxes import group_of, only
from webapp.store.models import Shot, Tableau
from webapp.store.tableaus import (
    assessment_of,
    best_shot,
    delete,
    in_use,
    not_read,
    restore,
    revise,
    take_over_reread,
    touch,
    unread,
    use_shot,
)
from webapp.tableaus.holding import hold
from webapp.tableaus.model import Answer


def answer_question(session: Session, catalogue: Catalogue, tableau: Tableau, given: Answer) -> None:
    """Settle a question. Raises `WaymarkError` (conflict) where the tableau has changed since the person
    looked, and where there is no such question or option any more: the page asks again."""
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None or tableau.version != given.version:
        raise changed_meanwhile()
    name = name_of(given.question, assessment.reading.questions)
    then = answer(assessment, name, given.option)
    if then is None:
        raise settled_meanwhile()
    rules, kind = assessment.table.game, "answer"
    held = group_of(rules, "held")
    if only(rules.rules.settings.values(then.terms), held) != only(
        rules.rules.settings.values(assessment.terms), held
    ):
        # Held means are a matter of the round, not of the photo; undoing affects both.
        kind = "means"
        hold(session, catalogue, tableau, rules.rules.settings.values(then.terms))
    revise(session, catalogue, tableau, then.record, kind=kind, answered=sorted(then.answered))


def changed_meanwhile() -> WaymarkError:
    """The error for a change based on an outdated version."""
    return WaymarkError(
        Code.CONFLICT,
        Text(
            "Somebody else has changed this tableau in the meantime; look at it again, then repeat what "
            "you did."
        ),
    )


def settled_meanwhile() -> WaymarkError:
    """The error for an answer to a question that is not open (any more)."""
    return WaymarkError(
        Code.CONFLICT,
        Text(
            "This question is settled already or another answer has changed it; look at the questions again."
        ),
    )


def nothing_left() -> WaymarkError:
    """The error for undo or redo without a revision to return to."""
    return WaymarkError(Code.NOTHING_LEFT, Text("There is nothing left to undo or redo here."))


def use_photo(session: Session, catalogue: Catalogue, shot: Shot) -> None:
    """Make a photo's reading the current one, with the corrections made while it was last in use. Raises
    `WaymarkError`: not-read without a reading, conflict where it shows other cards by now."""
    tableau = shot.tableau
    if shot.state != "done":
        raise not_read()
    if shot.reread_of is not None and shot.id == tableau.late_shot_id:
        if not take_over_reread(session, catalogue, shot):
            raise changed_meanwhile()
        return
    ids = {shot.id, *session.scalars(select(Shot.id).where(Shot.reread_of == shot.id))}
    last = max(
        (revision for revision in tableau.revisions if revision.shot_id in ids),
        key=lambda revision: revision.number,
        default=None,
    )
    if last is None:
        use_shot(session, catalogue, tableau, shot, kind="photo")
        return
    # Answers about this photo are independent of the previous photo's record.
    tableau.shot_id, tableau.late_shot_id, tableau.record = last.shot_id, None, None
    record = msgspec.convert(last.record, Record)
    revise(session, catalogue, tableau, record, kind=last.kind, answered=last.answered)


def delete_shot(session: Session, catalogue: Catalogue, shot: Shot) -> None:
    """Remove a photo from its tableau. If its reading was in use, the best of the other photos replaces it.
    Raises `WaymarkError` (game-finished) if that would change a finished game."""
    tableau = shot.tableau
    delete(shot)
    if in_use(session, shot):
        check_tableau_open(tableau)
        other = best_shot(catalogue, tableau)
        if other is not None:
            use_photo(session, catalogue, other)
        else:
            unread(tableau)
    touch(tableau)


def restore_shot(session: Session, catalogue: Catalogue, shot: Shot, use: bool) -> None:
    """Bring a photo back, in use if `use` or where no other one is. Raises `WaymarkError` (game-finished)
    where that would change a finished game."""
    restore(shot)
    if shot.state == "done" and (use or shot.tableau.shot_id is None):
        check_tableau_open(shot.tableau)
        use_photo(session, catalogue, shot)
    touch(shot.tableau)
