"""Readings of one trial card as they stand, with doubts about its line."""

from __future__ import annotations

from typing import Any

from trial_card import trial_catalogue

from scorer.catalogue import Catalogue
from scorer.mapmasters.rules.terms import Terms
from scorer.record import Marks, PlacedCard, Record, make_record
from vision.questions import Question
from vision.scan import Scan, SeenPhoto
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import options
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.ranking import in_order

CARDS = (PlacedCard("C1", 0, 0),)
TRIAL = trial_catalogue()


def record(*path: tuple[str, ...], circled: tuple[str, ...] = (), struck: tuple[str, ...] = ()) -> Record:
    return make_record(CARDS, path, marks=Marks(circled=circled, struck=struck))


def path_question(other: Record, behind: float = 0.0, place: str = "0.j1") -> Question:
    told = "The line here is too faint or broken to tell whether the path runs on."
    return Question("path", place, ("a", "b"), told, "理由", None, (other,), behind, f"path:faint:{place}")


def stands(
    read: Record,
    *questions: Question,
    confidence: float = 1.0,
    catalogue: Catalogue = TRIAL,
    certainty: float | None = None,
    **told: Any,
) -> Assessment:
    lines = tuple(tuple((float(k), 0.0) for k in range(len(stroke))) for stroke in read.path)
    marks = dict.fromkeys((*read.marks.circled, *read.marks.struck), confidence)
    scan = Scan(SeenPhoto(10, 10), read, (), lines, questions, sure=not questions, mark_confidence=marks)
    return assess(scan, Table(catalogue), Terms(**told), certainty=certainty)


def asked(now: Assessment) -> list[str]:
    return [question.name for question in now.open_questions]


def chance(now: Assessment, question: Question) -> float:
    """The chance that a doubt makes the score wrong; 0 where it changes nothing."""
    return next((cause.chance for cause in now.causes if cause.name == question.name), 0.0)


def shown(now: Assessment, name: str) -> list[str]:
    """The answers as people see them: what each says, means by what was held."""
    question = now.question(name)
    assert question is not None
    return [
        option.kind if option.assumption is None else option.assumption.key.removeprefix("held:")
        for option in in_order(question, options(now, name))
    ]
