"""Earlier answers and statements about a table, and the questions that remain open after them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec

from scorer.text import Language
from waymark.review.groups.assess import GroupAssessment
from waymark.review.groups.names import OPEN_BEFORE, is_of_ruling, left_open
from waymark.review.groups.questions import OpenBefore, renumbered


def groups_json(now: GroupAssessment, language: Language = "en") -> dict[str, Any]:
    """Scan and ruling as JSON-ready data, in the form of the commands' answers (docs/FORMATS.md)."""
    questions = []
    for question in now.questions:
        told = msgspec.to_builtins(replace(question, alternatives=()))
        del told["alternatives"], told["behind"]
        told["reason"] = question.words.message(language)
        told["options"] = [option.words.message(language) for option in now.offered[question.name]]
        questions.append(told)
    scan = {
        "format": "waymark-scan/1",
        "photo": {
            "width": now.scan.photo.width,
            "height": now.scan.photo.height,
            "number": now.scan.photos[0],
            "shown_by": now.scan.photos,
            "warnings": [warning.message(language) for warning in now.scan.photo.warnings],
        },
        "tableau": msgspec.to_builtins(now.record),
        "cards": [
            {"card": None, "confidence": 0.0} if card is None else msgspec.to_builtins(card)
            for card in now.cards
        ],
        "path_px": now.lines,
        "inks": [
            {"group": owner, "rgb": line.rgb, "strokes": len(line.path)}
            for owner, line in zip(now.owners, now.scan.lines, strict=True)
        ],
        "questions": questions,
        "sure": now.sure,
        "timings_ms": dict(now.timings_ms),
    }
    if now.game.notation is not None:
        scan["notation"] = now.game.notation.write(now.record)
    return {"scan": scan, "ruling": msgspec.to_builtins(now.ruling)}


def open_of(now: GroupAssessment, asked: GroupAssessment, record: Any) -> tuple[OpenBefore, ...]:
    """The open questions of a table in the state `record`. `now` is the reading of its photo; `asked`
    are the questions about a corrected record, else those of `now`."""
    names = {question.name for question in asked.questions}
    before = {each.name: each.cards for each in now.open_before}
    numbers = dict(enumerate(range(len(now.record.cards))))
    if asked is not now:
        numbers = _by_place(now.record, record)
    made: dict[str, OpenBefore] = {}
    for question in now.questions:
        name = question.name if asked is now else left_open(question.name)
        if is_of_ruling(question.name) or name not in names:
            continue
        cards = before[question.name] if question.name in before else _in_doubt(now, question.name)
        kept = OPEN_BEFORE + question.name.removeprefix(OPEN_BEFORE)
        while kept in made:  # from an earlier photo with other card numbers
            kept += "'"
        why = question.reason_en, question.reason_ja
        each = OpenBefore(kept, question.about, question.place, *why, cards)
        made[kept] = renumbered(each, numbers)
    return tuple(made.values())


def _in_doubt(now: GroupAssessment, name: str) -> tuple[int, ...]:
    """Indices of the cards on which the options of a question differ."""
    (question,) = (each for each in now.questions if each.name == name)
    number = question.place.partition(".")[0]
    here = {int(number)} if number.isdigit() else set[int]()
    if question.about == "card":
        return tuple(here)
    first, *others = (_steps(option.record) for option in now.offered[name])
    if not others:
        return tuple(sorted(here))
    places = {place for other in others for _, step in first ^ other for place in step}
    return tuple(sorted({int(place.partition(".")[0]) for place in places}))


def _steps(record: Any) -> set[tuple[str, frozenset[str]]]:
    """The undirected steps of a record's paths, each with the group that drew it."""
    return {
        (path.group, frozenset(step))
        for path in record.paths
        for stroke in path.path
        for step in pairwise(stroke)
    }


def _by_place(record: Any, other: Any) -> dict[int, int]:
    """Matching of the cards of two records by position: index in one record -> index in the other."""
    lying = {(card.x, card.y): number for number, card in enumerate(other.cards)}
    return {
        number: lying[card.x, card.y] for number, card in enumerate(record.cards) if (card.x, card.y) in lying
    }
