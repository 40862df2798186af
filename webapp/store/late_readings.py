"""Photos that say otherwise than what stands: read when their game is finished already, or as surely as
another photo of the same tableau. What stands stays, and the reading waits beside it for a person to take it
over, or to leave it.

What is changed is changed inside the caller's transaction."""

from __future__ import annotations

from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.mapmasters.ruling import Ruling
from waymark.review.assessment import Assessment, assess
from waymark.review.pipeline import decode_reading
from waymark.review.table import Table
from webapp.store.models import Shot, Tableau
from webapp.store.tableaus import carried_reread, means_of, score_of, touch


def late_shot(session: Session, tableau: Tableau) -> Shot | None:
    """The photo whose reading waits; None where none does."""
    shot = session.get(Shot, tableau.late_shot_id) if tableau.late_shot_id is not None else None
    return shot if shot is not None and shot.deleted_at is None else None


def late_assessment(session: Session, catalogue: Catalogue, shot: Shot) -> Assessment | None:
    """How the tableau would stand with a reading that waits; None where that is of other cards by now."""
    if shot.reading is None:
        return None
    means = means_of(shot.tableau)
    if shot.reread_of is None:
        return assess(decode_reading(shot.reading), Table(catalogue), means)
    carried = carried_reread(session, catalogue, shot)
    if carried is None:
        return None
    return assess(carried.scan, Table(catalogue), means, corrected=carried.record, answered=carried.answered)


def says_otherwise(ruling: Ruling, other: Ruling) -> bool:
    """Whether two rulings score differently, or could once every objective is known."""
    if None in (ruling.primary, ruling.secondary) and ruling.discovered != other.discovered:
        return True
    return score_of(ruling) != score_of(other)


def leave_late(tableau: Tableau, shot: Shot) -> None:
    """What stands is right: the photo is kept, and nothing is said of it any more."""
    if tableau.late_shot_id == shot.id:
        tableau.late_shot_id = None
        touch(tableau)


def offer_late(tableau: Tableau, shot: Shot) -> None:
    """Undo `leave_late`."""
    if shot.state == "done":
        tableau.late_shot_id = shot.id
        touch(tableau)
