"""The review of a shared table, computed from its state: the same value as a tableau's, with the paths of all
groups, each in its group's colour."""

from __future__ import annotations

from flask_babel import gettext as _
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.text import Language
from waymark.review.groups import is_untold
from webapp.decks.shelf import MAIN
from webapp.scans.queue import ScanQueue
from webapp.store.boxes import told_of, with_usual
from webapp.store.models import Shot, Tableau
from webapp.store.tables import Standing, answers_of, loss_hangs_on, shown_shot, standing_of
from webapp.tableaus.model import (
    Review,
    ReviewHistory,
    ReviewMeans,
    ReviewRound,
    ReviewShot,
    State,
)
from webapp.tableaus.photo_view import bearing_on, photo_state, review_photo, review_shot, shortcomings_told
from webapp.tableaus.reading_model import Reading, ReviewCount
from webapp.tableaus.table_questions import TableQuestions
from webapp.tableaus.table_reading import TableReading
from webapp.tableaus.tables import redoable_table, table_record, undoable_table


def review_of_table(
    session: Session, catalogue: Catalogue, queue: ScanQueue, tableau: Tableau, language: Language
) -> Review:
    """A table's review in `language`."""
    standing = standing_of(session, catalogue, tableau)
    seen = standing is not None and standing.assessment is not None
    rules_told = told_of(tableau)
    rules = standing.rules if standing is not None else None
    shots: tuple[ReviewShot, ...] = tuple(
        review_shot(session, shot, queue, language) for shot in tableau.shots
    )
    state: State = "ready" if seen else photo_state(tableau)
    return Review(
        id=tableau.id,
        deck=tableau.deck or MAIN,
        untraced=(),
        version=tableau.version,
        title=tableau.title,
        notes=tableau.notes,
        state=state,
        shots=shots,
        means=ReviewMeans(
            terms={
                term.id: rules_told.get(term.id, term.usual)
                for term in (rules.terms if rules is not None else ())
                if term.group != "house"
            },
            settings=with_usual(rules, rules_told, "house") if rules is not None else {},
        ),
        round=_round(tableau),
        history=ReviewHistory(
            undo=undoable_table(tableau) is not None, redo=redoable_table(tableau) is not None
        ),
        rereading=None,
        errand=None,
        other=None,
        lead=None,
        reading=reading_of_table(session, tableau, standing, language)
        if standing is not None and seen
        else None,
    )


def _round(tableau: Tableau) -> ReviewRound | None:
    entry = tableau.entry
    if entry is None:
        return None
    return ReviewRound(
        game_id=entry.round.game.id,
        game_title=entry.round.game.title,
        number=entry.round.number,
        entry_id=entry.id,
        player=_("Shared table"),
        colour=entry.seat.colour,
        typed=entry.typed,
    )


def reading_of_table(session: Session, tableau: Tableau, standing: Standing, language: Language) -> Reading:
    """Reading of a table in its current state. It has a photo that was read."""
    assert standing.assessment is not None, "it was read"
    shot = session.get_one(Shot, tableau.shot_id)
    view = TableReading(standing, standing.record, standing.ruling, language, loss_hangs_on(standing))
    asked = TableQuestions(view)
    rules, words = standing.rules, standing.rules.vocabulary
    report = rules.report(view.said)
    answers = answers_of(tableau.answered)
    questions = tuple(asked.questions(answers))
    doubts = tuple(asked.doubts(questions))
    spoilt = shortcomings_told(standing.assessment.scan.photo.shortcomings, language)
    # What nobody told no photo shows.
    seen = [question for question in questions if not is_untold(question.name)]
    told = () if standing.corrected else standing.assessment.told
    return Reading(
        photo=review_photo(shown_shot(tableau, shot).photo),
        record=table_record(standing),
        answered=(),
        corrected=standing.corrected,
        revision=max((revision.number for revision in tableau.revisions), default=0),
        cards=view.cards(),
        places=view.places(),
        links=view.links(),
        pieces=tuple(view.pieces()),
        steps=view.steps(),
        finds=view.finds(),
        marks=(),
        mark_notes=(),
        payments=(),
        payment_notes=(),
        laying=tuple(fault.message(language) for fault in report.faults),
        end=view.end(),
        direction=None,
        warnings=tuple(warning.message(language) for warning in standing.assessment.scan.photo.warnings),
        shortcomings=bearing_on(spoilt, seen, doubts),
        questions=questions,
        doubts=doubts,
        sure=standing.sure,
        score=view.score(),
        counts=tuple(
            ReviewCount(id=what, name=words.name(what).message(language), icon=words.icon(what), count=count)
            for what, count in report.counts
        ),
        notes=tuple(note.message(language) for note in told),
        px_per_mm=round(view.projection.px_per_mm, 3),
        groups=view.groups(),
    )
