"""View of a verdict for review and dispute, from the game's own report of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from scorer.game import Game as Rules
from scorer.text import NO_WORDS, Language, written
from scorer.verdict import ToldStep
from waymark.picture.annotations import where_it_ends
from waymark.review.projection import Points, Projection
from waymark.review.tableau.assess import Assessment
from webapp.tableaus.reading_model import (
    Px,
    ReviewEnd,
    ReviewFact,
    ReviewMarkNote,
    ReviewObjective,
    ReviewPaymentNote,
    ReviewStep,
    ReviewTally,
    Score,
)
from webapp.views import view, views


def px(point: Points) -> Px:
    """A point as JSON: (x, y) in photo pixels."""
    return round(float(point[0]), 1), round(float(point[1]), 1)


def pxs(points: Points) -> tuple[Px, ...]:
    """A polyline as JSON: points (x, y) in photo pixels."""
    return tuple(px(point) for point in points)


def px_of_place(assessment: Assessment, projection: Projection, place: str | None) -> Px | None:
    """Pixel of a place in the photo; None for a place that is on no card, such as a cell of a board."""
    return px(projection.place(place)) if place in assessment.dungeon.places else None


def score_of(rules: Rules, verdict: Any, language: Language) -> Score:
    """Score of a verdict, with its facts in words."""
    return Score(
        legal=verdict.legal,
        scores=rules.sheet.row(verdict),
        facts=views(
            ReviewFact, (fact for fact in rules.words.report(verdict).facts if not fact.with_ids), language
        ),
        **rules.api.score(verdict),
    )


def score_now(assessment: Assessment, language: Language) -> Score:
    """The score of a tableau in an actual or assumed state."""
    return score_of(assessment.table.game, assessment.ruling, language)


def review_objective(assessment: Assessment, which: str, language: Language) -> ReviewObjective | None:
    """View of a Map Masters objective; None where none is set."""
    score = getattr(assessment.ruling, which)
    if score is None:
        return None
    name = assessment.table.game.words.vocabulary.name(score.objective).message(language)
    return view(ReviewObjective, score, name=name)


def review_steps(
    assessment: Assessment, told: tuple[ToldStep, ...], projection: Projection, language: Language
) -> tuple[ReviewStep, ...]:
    """Steps of the ruling."""
    rules, ruling = assessment.table.game, assessment.ruling
    tallies = rules.words.tallies(assessment.board, ruling)
    own = rules.api.steps(ruling)
    return tuple(
        ReviewStep(
            number=line.number,
            place=line.place,
            at=px_of_place(assessment, projection, line.place),
            sentence=line.what.message(language),
            told=line.brief != NO_WORDS,
            held_words=line.held.message(language),
            found=line.found,
            tally=_tally(tallies[k]) if own else msgspec.UNSET,
            **(own[k] if own else {}),
        )
        for k, line in enumerate(told)
    )


def _tally(tally: Any) -> ReviewTally:
    return msgspec.convert(msgspec.to_builtins(tally), ReviewTally)


def review_end(assessment: Assessment, projection: Projection, language: Language) -> ReviewEnd:
    """End of the path in a verdict: its place and its reason."""
    rules, said = assessment.table.game, assessment.said
    at, why = where_it_ends(assessment, projection), rules.words.why(said)
    place = rules.api.end_place(assessment.ruling)
    if not rules.api.known:
        place = rules.words.turn(assessment.told, assessment.ruling).place
    return ReviewEnd(
        how=how_it_ends(assessment)[0],
        place=place,
        at=px(at) if at is not None else px_of_place(assessment, projection, place),
        rule=why.rule,
        section=why.section.message(language),
        sentence=why.words.message(language),
        violations=rules.api.violations(said, language),
    )


def last_place(assessment: Assessment) -> str | None:
    """The last drawn place that counts in the verdict; None without a path."""
    names = [name for stroke in assessment.record.path for name in stroke]
    reached = assessment.table.game.rules.reach(assessment.ruling)
    return names[reached - 1] if 0 < reached <= len(names) else None


def how_it_ends(assessment: Assessment) -> tuple[str, str | None]:
    """Reason and place of the end of a drawn path."""
    how = assessment.table.game.api.how(assessment.ruling)
    return how or ("end" if assessment.ruling.legal else "violation"), last_place(assessment)


def how_chosen(assessment: Assessment, language: Language) -> str | None:
    """Reason for the choice of the reading in use; None without a choice, or while it is an open question."""
    rules = assessment.table.game
    if rules.api.is_asked(assessment.ruling):
        return None
    return rules.words.report(assessment.ruling).chosen.message(language) or None


def mark_notes(
    assessment: Assessment, projection: Projection, language: Language
) -> tuple[ReviewMarkNote, ...]:
    """Contradictions between marks and path, each at its place."""
    return tuple(
        ReviewMarkNote(about=about, place=place, at=at, message=message)
        for about, place, at, message in _noted(assessment, projection, "marks", language)
    )


def payment_notes(
    assessment: Assessment, projection: Projection, language: Language
) -> tuple[ReviewPaymentNote, ...]:
    """Remarks of the ruling on stated payments, each at its place."""
    return tuple(
        ReviewPaymentNote(about=about, place=place, at=at, message=message)
        for about, place, at, message in _noted(assessment, projection, "payments", language)
    )


def _noted(
    assessment: Assessment, projection: Projection, kind: str, language: Language
) -> Iterator[tuple[str, str, Px, str]]:
    """Notes of one kind in a ruling: subject, place, position in the photo, and words."""
    for note in assessment.table.game.api.notes(assessment.said, kind):
        place = note.at if kind == "payments" else note.place
        message = written(note.message, note.message_ja).message(language)
        yield note.about, place, px(projection.place(place)), message


def other_notes(assessment: Assessment, language: Language) -> tuple[str, ...]:
    """Remarks for people that have no field of their own in the API."""
    rules = assessment.table.game
    if rules.api.known:
        return ()
    return tuple(note.message(language) for note in rules.words.report(assessment.said).notes)


def faults(assessment: Assessment, language: Language) -> tuple[str, ...]:
    """Faults in the placement of the cards."""
    told = assessment.table.game.words.report(assessment.said).faults
    return tuple(fault.message(language) for fault in told)
