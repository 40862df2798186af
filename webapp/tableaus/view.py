"""The review of a tableau, computed from its state: everything a reviewer sees, with positions in the
photo."""

from __future__ import annotations

from typing import Any

import msgspec
from flask_babel import gettext as _
from sqlalchemy.orm import Session

from calibration.enrol.trace.tracing import settled
from scorer.catalogue import Catalogue
from scorer.record import Marks
from scorer.text import Language
from waymark.picture.annotations import path_pieces
from waymark.review.projection import Projection
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.question_names import numbers_of
from webapp.scans.queue import ScanQueue
from webapp.store.boxes import rules_of
from webapp.store.models import Shot, Tableau
from webapp.store.revisions import latest_number
from webapp.store.tableaus import (
    assessment_of,
    first_shot_id,
    is_corrected,
    pending_assessment,
    pending_shot,
    rereading,
    says_otherwise,
)
from webapp.tableaus.common_review import (
    drawn_pieces,
    review_counts,
    review_finds,
    review_links,
    review_places,
    review_with,
)
from webapp.tableaus.drawing import drawing_of
from webapp.tableaus.jobs import latest_errand
from webapp.tableaus.leading import lead_of
from webapp.tableaus.model import OtherReading, Rereading, Review
from webapp.tableaus.payments import review_payments
from webapp.tableaus.photo_view import bearing_on, review_photo, shortcomings_told, stage_and_progress
from webapp.tableaus.question_crops import where
from webapp.tableaus.questions import card_picture, review_questions
from webapp.tableaus.reading_model import Reading, ReviewCard, ReviewDoubt, ReviewMark, ReviewPiece, Summary
from webapp.tableaus.verdict_view import (
    faults,
    how_chosen,
    mark_notes,
    other_notes,
    payment_notes,
    px,
    pxs,
    review_end,
    review_objective,
    review_steps,
    score_now,
)


def review_of(
    session: Session, catalogue: Catalogue, queue: ScanQueue, tableau: Tableau, language: Language
) -> Review:
    """Review of a tableau in `language`."""
    return review_as_it_stands(
        session, catalogue, queue, tableau, assessment_of(session, catalogue, tableau), language
    )


def summary_of(
    session: Session, catalogue: Catalogue, tableau: Tableau, language: Language
) -> Summary | None:
    """Summary of a tableau's reading; None while no photo was read."""
    assessment = assessment_of(session, catalogue, tableau)
    if assessment is None:
        return None
    why = assessment.table.game.words.why(assessment.said).words
    return Summary(review_photo(session.get_one(Shot, tableau.shot_id).photo), why.message(language))


def review_as_it_stands(
    session: Session,
    catalogue: Catalogue,
    queue: ScanQueue,
    tableau: Tableau,
    assessment: Assessment | None,
    language: Language,
) -> Review:
    """Review of a tableau whose assessment is already known."""
    return review_with(
        session,
        queue,
        tableau,
        language,
        reading_of(session, tableau, assessment, language) if assessment is not None else None,
        rules_of(tableau),
        tableau.entry.seat.name if tableau.entry is not None else "",
        untraced=_untraced(catalogue, assessment) if assessment is not None else (),
        rereading=rereading_view(session, tableau, queue, language),
        errand=latest_errand(session, tableau, language),
        other=_other(session, catalogue, tableau, assessment, language) if assessment else None,
        lead=lead_of(session, catalogue, tableau, language),
    )


def _untraced(catalogue: Catalogue, assessment: Assessment) -> tuple[str, ...]:
    laid = dict.fromkeys(card.card for card in assessment.record.cards)
    known = [catalogue.by_id[card] for card in laid if card in catalogue.by_id]
    return tuple(dict.fromkeys(card.id for card in known if not settled(card)))


def _other(
    session: Session, catalogue: Catalogue, tableau: Tableau, assessment: Assessment, language: Language
) -> OtherReading | None:
    """View of a waiting photo's reading; None where it gives the same score."""
    shot = pending_shot(session, tableau)
    then = pending_assessment(session, catalogue, shot) if shot is not None else None
    if shot is None or then is None or not says_otherwise(tableau, assessment.ruling, then.ruling):
        return None
    number = next((k for k, each in enumerate(tableau.shots, 1) if each.id == first_shot_id(shot)), 1)
    return OtherReading(shot_id=shot.id, photo=number, sure=then.sure, score=score_now(then, language))


def rereading_view(
    session: Session, tableau: Tableau, queue: ScanQueue, language: Language
) -> Rereading | None:
    """Progress of the rescan after a correction of the cards; None where no rescan is wanted."""
    shot = rereading(session, tableau)
    if shot is None or shot.state == "done" or tableau.shot_id is None:
        return None
    stage, progress = stage_and_progress(shot, queue)
    error = str(shot.error[language]) if shot.error is not None else None
    return Rereading(state=shot.state, stage=stage, progress=progress, error=error)


def reading_of(session: Session, tableau: Tableau, assessment: Assessment, language: Language) -> Reading:
    """Reading of a tableau in an actual or assumed state."""
    shot = session.get_one(Shot, tableau.shot_id)
    record, dungeon = assessment.record, assessment.dungeon
    projection = Projection(assessment.scan.cards, dungeon)
    steps = assessment.table.game.words.steps(assessment.board, assessment.ruling, with_ids=False)
    photo, cards = review_photo(shot.photo), review_cards(assessment, projection)
    pieces, end = review_pieces(assessment, projection), review_end(assessment, projection, language)
    finds = review_finds(assessment.table.game, steps, dungeon, projection, language)
    questions, doubts = review_questions(assessment, language), _doubts(assessment, projection)
    spoilt = shortcomings_told(assessment.scan.photo.shortcomings, language)
    return Reading(
        photo=photo,
        record=msgspec.to_builtins(record),
        answered=tuple(numbers_of(assessment.answered, assessment.reading.questions)),
        corrected=is_corrected(tableau),
        revision=max(latest_number(tableau), 0),
        cards=cards,
        places=review_places(assessment.table.game, dungeon, projection, language),
        links=review_links(dungeon, projection),
        pieces=pieces,
        steps=review_steps(assessment, tuple(steps), projection, language),
        finds=finds,
        marks=_marks(record.marks, projection),
        mark_notes=mark_notes(assessment, projection, language),
        payments=review_payments(assessment, projection, language),
        payment_notes=payment_notes(assessment, projection, language),
        laying=faults(assessment, language),
        end=end,
        direction=how_chosen(assessment, language),
        warnings=tuple(warning.message(language) for warning in assessment.scan.photo.warnings),
        shortcomings=bearing_on(spoilt, questions, doubts),
        questions=questions,
        doubts=doubts,
        sure=assessment.sure,
        as_said=assessment.sure and bool(assessment.as_said),
        score=score_now(assessment, language),
        counts=review_counts(assessment.table.game, assessment.ruling, language),
        notes=other_notes(assessment, language),
        px_per_mm=round(projection.px_per_mm, 3),
        drawing=drawing_of(
            (photo.width, photo.height), cards, pieces, finds, end, projection.px_per_mm, language
        ),
        **_of_version1(assessment, language),
    )


def review_cards(assessment: Assessment, projection: Projection) -> tuple[ReviewCard, ...]:
    """The cards of a tableau in an actual or assumed state."""
    read = {(seen.card, seen.corners) for seen in assessment.reading.cards}
    return tuple(
        ReviewCard(
            index=index,
            card=placed.card,
            rotation=placed.rotation,
            x=placed.x,
            y=placed.y,
            corners=pxs(corners),
            confidence=seen.confidence if (seen.card, seen.corners) in read else None,
            picture=card_picture(placed.card),
        )
        for index, (placed, seen, corners) in enumerate(
            zip(assessment.record.cards, assessment.scan.cards, projection.corners_px, strict=True)
        )
    )


def review_pieces(assessment: Assessment, projection: Projection) -> tuple[ReviewPiece, ...]:
    """The path of a tableau in an actual or assumed state."""
    return tuple(drawn_pieces(assessment.record.path, path_pieces(assessment, projection)))


def _marks(marks: Marks, projection: Projection) -> tuple[ReviewMark, ...]:
    return tuple(
        ReviewMark(
            place=name,
            at=px(projection.place(name)),
            circled=name in marks.circled,
            struck=name in marks.struck,
        )
        for name in dict.fromkeys((*marks.circled, *marks.struck))
    )


def _doubts(assessment: Assessment, projection: Projection) -> tuple[ReviewDoubt, ...]:
    """What is told beside a score: the questions left open, and what rests on people's answers alone."""
    doubts = []
    if "parted" in assessment.as_said:
        message = _(
            "The line that starts here does not join the one before it. The score rests on the answer alone."
        )
        starts = [assessment.record.path[stroke][0] for stroke in assessment.parted]
        doubts += [ReviewDoubt(at=px(projection.place(name)), message=message) for name in starts]
    if "marks" in assessment.as_said:
        message = _("The circles or strikes here do not match the path. The score rests on the answer alone.")
        at = px(projection.place(assessment.two_stories[0]))
        doubts.append(ReviewDoubt(at=at, message=message))
    for question in assessment.left_questions:
        message = _("You could not tell what is right here, so the score may be wrong.")
        at = px(where(question.place, assessment.dungeon, projection))
        doubts.append(ReviewDoubt(at=at, message=message, question=question.name))
    everywhere = {
        "unclear": _("The photo does not show this path clearly. The score rests on the answer alone."),
        "means": _("No photo shows what was held. The score rests on the answer alone."),
        "against": _("The answer does not match the photo; the score is based on the answer alone."),
    }
    at = px(where("", assessment.dungeon, projection))
    doubts += [
        ReviewDoubt(at=at, message=message)
        for ground, message in everywhere.items()
        if ground in assessment.as_said
    ]
    return tuple(doubts)


def _of_version1(assessment: Assessment, language: Language) -> dict[str, Any]:
    """Map Masters' fields of a reading under API version 1; empty for another game."""
    if not assessment.table.game.api.known:
        return {}
    return {
        "primary": review_objective(assessment, "primary", language),
        "secondary": review_objective(assessment, "secondary", language),
        "discovered": assessment.ruling.discovered,
    }
