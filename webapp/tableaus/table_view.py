"""The review of a shared table, computed from its state: the same value as a tableau's, with the paths of all
groups, each in its group's colour."""

from __future__ import annotations

from flask_babel import gettext as _
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.text import Language
from waymark.review.groups import is_untold
from webapp.scans.queue import ScanQueue
from webapp.store.models import Shot, Tableau
from webapp.store.revisions import latest_number
from webapp.store.tables import Standing, answers_of, loss_hangs_on, shown_shot, standing_of
from webapp.tableaus.common_review import (
    review_counts,
    review_finds,
    review_links,
    review_places,
    review_with,
)
from webapp.tableaus.drawing import drawing_of
from webapp.tableaus.model import Review
from webapp.tableaus.photo_view import bearing_on, review_photo, shortcomings_told
from webapp.tableaus.reading_model import Reading, Summary
from webapp.tableaus.table_questions import TableQuestions
from webapp.tableaus.table_reading import TableReading
from webapp.tableaus.tables import table_record


def review_of_table(
    session: Session, catalogue: Catalogue, queue: ScanQueue, tableau: Tableau, language: Language
) -> Review:
    """Review of a table in `language`."""
    standing = standing_of(session, catalogue, tableau)
    reading = None
    if standing is not None and standing.assessment is not None:
        reading = reading_of_table(session, tableau, standing, language)
    return review_with(
        session,
        queue,
        tableau,
        language,
        reading,
        standing.rules if standing is not None else None,
        _("Shared table"),
        untraced=(),
        rereading=None,
        errand=None,
        other=None,
        lead=None,
    )


def summary_of_table(
    session: Session, catalogue: Catalogue, tableau: Tableau, language: Language
) -> Summary | None:
    """Summary of a table's reading; None while no photo was read."""
    standing = standing_of(session, catalogue, tableau)
    if standing is None or standing.assessment is None:
        return None
    view = TableReading(standing, standing.record, standing.ruling, language, loss_hangs_on(standing))
    shown = shown_shot(tableau, session.get_one(Shot, tableau.shot_id))
    return Summary(review_photo(shown.photo), view.end().sentence)


def reading_of_table(session: Session, tableau: Tableau, standing: Standing, language: Language) -> Reading:
    """Reading of a table in its current state; the table must have a photo that was read."""
    assert standing.assessment is not None, "it was read"
    shot = session.get_one(Shot, tableau.shot_id)
    view = TableReading(standing, standing.record, standing.ruling, language, loss_hangs_on(standing))
    asked = TableQuestions(view)
    rules = standing.rules
    answers = answers_of(tableau.answered)
    questions = tuple(asked.questions(answers))
    doubts = tuple(asked.doubts(questions))
    spoilt = shortcomings_told(standing.assessment.scan.photo.shortcomings, language)
    # A photo does not show facts that were not stated.
    seen = [question for question in questions if not is_untold(question.name)]
    told = () if standing.corrected else standing.assessment.told
    photo, cards, pieces = review_photo(shown_shot(tableau, shot).photo), view.cards(), tuple(view.pieces())
    finds = review_finds(rules, view.told_steps, view.dungeon, view.projection, language)
    end, px_per_mm = view.end(), view.projection.px_per_mm
    return Reading(
        photo=photo,
        record=table_record(standing),
        answered=(),
        corrected=standing.corrected,
        revision=max(latest_number(tableau), 0),
        cards=cards,
        places=review_places(rules, view.dungeon, view.projection, language),
        links=review_links(view.dungeon, view.projection),
        pieces=pieces,
        steps=view.steps(),
        finds=finds,
        marks=(),
        mark_notes=(),
        payments=(),
        payment_notes=(),
        laying=tuple(fault.message(language) for fault in rules.words.report(view.said).faults),
        end=end,
        direction=None,
        warnings=tuple(warning.message(language) for warning in standing.assessment.scan.photo.warnings),
        shortcomings=bearing_on(spoilt, seen, doubts),
        questions=questions,
        doubts=doubts,
        sure=standing.sure,
        as_said=False,
        score=view.score(),
        counts=review_counts(rules, view.said, language),
        notes=tuple(note.message(language) for note in told),
        px_per_mm=round(px_per_mm, 3),
        drawing=drawing_of((photo.width, photo.height), cards, pieces, finds, end, px_per_mm, language),
        groups=view.groups(),
    )
