"""Content of the overlay, computed from a scan, its ruling and the dungeon: lines, states of finds and
sentences. No drawing here; positions are pixels of the picture, x right, y down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scorer.dungeon import Dungeon, Place
from scorer.text import NO_WORDS, Language
from scorer.verdict import ToldStep
from vision.questions import Question
from vision.scan import Scan
from waymark.review.projection import Points, Projection
from waymark.review.tableau.assess import Assessment

FindState = Literal["collected", "used", "missed"]
#: How a path ends: it left the dungeon, it broke a rule, or it stopped.
EndState = Literal["exit", "violation", "stopped"]

#: Number of segments of the curve from door to door through a room.
CURVE_POINTS = 16


@dataclass(frozen=True)
class PathPiece:
    """One step of the path as a polyline `line_px` (N, 2). `jump`: a teleport, a fall or stairs.
    `counted`: whether the referee counts the step, `number` that of the place that it leads to, from 1.
    `order`: its position along the path, 0 to 1."""

    line_px: Points
    underground: bool
    jump: bool
    counted: bool
    order: float
    number: int


@dataclass(frozen=True)
class FindMark:
    """A find with its state; `number` is that of the told step that collected it, `title` a page's hint."""

    at_px: Points
    find: str
    state: FindState
    number: int | None
    place: str = ""
    title: str = ""


@dataclass(frozen=True)
class CardLabel:
    """A card's outline (4, 2), printed top-left first, and its name."""

    outline_px: Points
    name: str


@dataclass(frozen=True)
class QuestionMark:
    """A question's position in the photo and its line of text."""

    at_px: Points
    line: str


@dataclass(frozen=True)
class Annotations:
    """Everything that is drawn. `px_per_mm` is the mean scale of the cards; `why` says how the path ended."""

    cards: tuple[CardLabel, ...]
    pieces: tuple[PathPiece, ...]
    finds: tuple[FindMark, ...]
    questions: tuple[QuestionMark, ...]
    start_px: Points | None
    end_px: Points | None
    end: EndState
    why: str
    told: tuple[str, ...]
    px_per_mm: float


def annotate(
    assessment: Assessment,
    scan: Scan,
    language: Language,
    *,
    scale: float = 1.0,
    origin_px: tuple[float, float] = (0.0, 0.0),
) -> Annotations:
    """The annotations for the part of the photo from `origin_px` on, scaled by `scale`; `scan` holds the
    shown questions."""
    record, game = assessment.record, assessment.table.game
    to_photo = Projection(scan.cards, assessment.dungeon, scale, origin_px)
    steps = game.words.steps(assessment.board, assessment.ruling)
    told_steps = [step for step in steps if step.brief != NO_WORDS]
    names = [name for stroke in record.path for name in stroke]
    turn = game.words.turn(assessment.told, assessment.said)
    return Annotations(
        cards=tuple(
            CardLabel(to_photo.corners_px[index], card.card) for index, card in enumerate(record.cards)
        ),
        pieces=tuple(path_pieces(assessment, to_photo)),
        finds=tuple(find_marks(steps, assessment.dungeon, to_photo, told_steps)),
        questions=question_marks(scan.questions, assessment.dungeon, to_photo, language),
        start_px=to_photo.place(names[0]) if names else None,
        end_px=where_it_ends(assessment, to_photo),
        end=_end_state(assessment),
        why=turn.why.words.message(language),
        told=tuple(f"{number}. {step.brief.message(language)}" for number, step in enumerate(told_steps, 1)),
        px_per_mm=to_photo.px_per_mm,
    )


def _end_state(assessment: Assessment) -> EndState:
    """How the path ends: it left the dungeon where the ruling ticks a box of the score sheet."""
    sheet, verdict = assessment.table.game.sheet, assessment.ruling
    row = sheet.row(verdict)
    ticks = [column.id for column in sheet.columns if column.kind == "tick" and column.source == "ruling"]
    if any(row.get(column) is True for column in ticks):
        return "exit"
    return "stopped" if verdict.legal else "violation"


def path_pieces(assessment: Assessment, to_photo: Projection) -> Iterator[PathPiece]:
    """The path as one piece for each place after the first."""
    reached = assessment.table.game.rules.reach(assessment.ruling)
    yield from strokes_pieces(assessment.record.path, assessment.dungeon, reached, to_photo)


def strokes_pieces(
    strokes: Sequence[Sequence[str]], dungeon: Dungeon, reached: int, to_photo: Projection
) -> Iterator[PathPiece]:
    """Strokes as one piece for each place after the first; the first `reached` places count as reached."""
    places = [dungeon.places[name] for stroke in strokes for name in stroke]
    begins_stroke = {0}
    for stroke in strokes:
        begins_stroke.add(max(begins_stroke) + len(stroke))
    for index in range(1, len(places)):
        here, there = places[index - 1], places[index]
        links = () if index in begins_stroke else dungeon.links_between(here.id, there.id)
        on_foot = bool(links) and links[0].kind in ("corridor", "crossing", "room")
        if on_foot:
            after = places[index + 1] if index + 1 < len(places) and index + 1 not in begins_stroke else None
            before = places[index - 2] if index >= 2 and index - 1 not in begins_stroke else None
            line = _room_curve(before, here, there, after, to_photo)
            if line is None:
                line = to_photo.link(links[0])
        else:
            line = np.stack([to_photo.place(here.id), to_photo.place(there.id)])
        yield PathPiece(
            line_px=line,
            underground=there.level == "underground" and here.level == "underground",
            jump=not on_foot,
            counted=index < reached,
            order=index / max(1, len(places) - 1),
            number=index + 1,
        )


def _room_curve(
    before: Place | None, here: Place, there: Place, after: Place | None, to_photo: Projection
) -> Points | None:
    """Half of the curve from door to door through a room, so that two visits can be told apart. None for
    steps outside rooms."""
    if there.kind == "room" and here.kind == "door" and after is not None and after.kind == "door":
        doors, half = (here, after), slice(None, CURVE_POINTS // 2 + 1)
    elif here.kind == "room" and there.kind == "door" and before is not None and before.kind == "door":
        doors, half = (before, there), slice(CURVE_POINTS // 2, None)
    else:
        return None
    room = there if there.kind == "room" else here
    start, middle, end = (to_photo.place(place.id) for place in (doors[0], room, doors[1]))
    t = np.linspace(0, 1, CURVE_POINTS + 1)[:, None]
    curve: Points = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
    return curve[half]


def find_marks(
    steps: Sequence[ToldStep], dungeon: Dungeon, to_photo: Projection, numbered: Sequence[ToldStep]
) -> Iterator[FindMark]:
    """The mark of every find of the cards. A collected find has the number of its step among
    `numbered`."""
    number_of = {place: number for number, step in enumerate(numbered, 1) for place in step.found}
    found = {name for step in steps for name in step.found}
    used = {name for step in steps for name in step.used}
    for place in dungeon.places.values():
        if place.find is None:
            continue
        state: FindState = "missed"
        if place.id in found:
            state = "used" if place.id in used else "collected"
        yield FindMark(to_photo.place(place.id), place.find, state, number_of.get(place.id), place.id)


def where_it_ends(assessment: Assessment, to_photo: Projection) -> Points | None:
    """Pixel position of the step that broke a rule, else of the path's last place; None without a path."""
    names = [name for stroke in assessment.record.path for name in stroke]
    if not assessment.ruling.legal:
        place = assessment.table.game.words.turn(assessment.told, assessment.ruling).place
        if place in assessment.dungeon.places:
            return to_photo.place(place)
    return to_photo.place(names[-1]) if names else None


def question_marks(
    questions: Sequence[Question], dungeon: Dungeon, to_photo: Projection, language: Language
) -> tuple[QuestionMark, ...]:
    """The pixel position of each question's place; the centre of all cards for a question without a
    place."""
    marks = []
    for question in questions:
        index = (question.place or "").partition(".")[0]
        if question.place in dungeon.places:
            at = to_photo.place(question.place)
        elif index.isdigit() and int(index) < len(to_photo.corners_px):
            at = to_photo.corners_px[int(index)].mean(axis=0)
        else:
            at = np.concatenate(to_photo.corners_px).mean(axis=0)
        marks.append(QuestionMark(at, question.words.message(language)))
    return tuple(marks)
