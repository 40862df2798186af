"""What the overlay shows, worked out from a scan, its ruling and the dungeon: which line where, which find in
which state, which sentence. No drawing here; positions are pixels of the picture, x right, y down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.ruling import Event, Ruling, Step
from scorer.record import Record
from scorer.text import Language
from waymark.phrases import find_name, means_name, plain, say
from waymark.review.projection import Points, Projection

if TYPE_CHECKING:
    from vision.scan import Scan

FindState = Literal["collected", "used", "missed"]

#: Points of the curve that a visit of a room is drawn as, from door to door.
CURVE_POINTS = 16
#: Steps that a person wants to be told of; the others are only walked.
TOLD_EVENTS = frozenset(get_args(Event)) - {"started", "walked", "revisited", "in_room"}


@dataclass(frozen=True)
class PathPiece:
    """The way from one place of the record to the next: `line_px` (N, 2). `jump` is a teleport, a fall or
    stairs, `counted` whether the referee let it count, `order` its place along the path, 0 to 1."""

    line_px: Points
    underground: bool
    jump: bool
    counted: bool
    order: float


@dataclass(frozen=True)
class FindMark:
    """A find and what became of it; `number` is that of the told step that found it."""

    at_px: Points
    find: str
    state: FindState
    number: int | None


@dataclass(frozen=True)
class CardLabel:
    """A card's outline (4, 2), printed top-left first, and its name."""

    outline_px: Points
    name: str


@dataclass(frozen=True)
class QuestionMark:
    """A doubt, where it is in the photo, and its line of text."""

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
    why: str
    told: tuple[str, ...]
    px_per_mm: float


def annotate(
    scan: Scan,
    ruling: Ruling,
    dungeon: Dungeon,
    language: Language,
    *,
    scale: float = 1.0,
    origin_px: tuple[float, float] = (0.0, 0.0),
) -> Annotations:
    """Work out the picture for the part of the photo from `origin_px` on, drawn `scale` times its size."""
    record = scan.tableau
    to_photo = Projection(scan.cards, dungeon, scale, origin_px)
    pieces = tuple(path_pieces(record, ruling, dungeon, to_photo))
    told_steps = [step for step in ruling.steps if step.event in TOLD_EVENTS]
    number_of = {place: number for number, step in enumerate(told_steps, 1) for place in step.found}
    names = [name for stroke in record.path for name in stroke]
    return Annotations(
        cards=tuple(
            CardLabel(to_photo.corners_px[index], card.card) for index, card in enumerate(record.cards)
        ),
        pieces=pieces,
        finds=tuple(mark for _, mark in find_marks(ruling, dungeon, to_photo, number_of)),
        questions=tuple(_questions(scan, dungeon, to_photo, language)),
        start_px=to_photo.place(names[0]) if names else None,
        end_px=where_it_ends(record, ruling, dungeon, to_photo),
        why=plain(ruling.why.message_ja if language == "ja" else ruling.why.message),
        told=tuple(
            f"{number}. {step_line(step, dungeon, language)}" for number, step in enumerate(told_steps, 1)
        ),
        px_per_mm=to_photo.px_per_mm,
    )


def path_pieces(
    record: Record, ruling: Ruling, dungeon: Dungeon, to_photo: Projection
) -> Iterator[PathPiece]:
    """The path place by place: one piece for each place but the first. `ruling.steps` has one step for each
    place that was reached."""
    places = [dungeon.places[name] for stroke in record.path for name in stroke]
    begins_stroke = {0}
    for stroke in record.path:
        begins_stroke.add(max(begins_stroke) + len(stroke))
    reached = len(ruling.steps)
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
        )


def _room_curve(
    before: Place | None, here: Place, there: Place, after: Place | None, to_photo: Projection
) -> Points | None:
    """Half of the curve from door to door through a room, so that two visits can be told apart; None
    elsewhere."""
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
    ruling: Ruling, dungeon: Dungeon, to_photo: Projection, number_of: dict[str, int]
) -> Iterator[tuple[str, FindMark]]:
    """Every find of the cards: its place, and what became of it. `number_of` numbers what was found."""
    found = {name for step in ruling.steps for name in step.found}
    used = _used_places(ruling.steps)
    for place in dungeon.places.values():
        if place.find is None:
            continue
        state: FindState = "missed"
        if place.id in found:
            state = "used" if place.id in used else "collected"
        yield place.id, FindMark(to_photo.place(place.id), place.find, state, number_of.get(place.id))


def _used_places(steps: Sequence[Step]) -> set[str]:
    """Finds that were spent, overcome, or gone through."""
    used = {payment.source for step in steps for payment in step.paid if payment.source}
    used |= {payment.at for step in steps for payment in step.paid}
    for before, step in pairwise(steps):
        if step.way == "fall":
            used.add(before.place)
        elif step.way == "circle":
            used |= {before.place, step.place}
        elif step.way == "climb":
            used.add(step.place)
    return used


def where_it_ends(record: Record, ruling: Ruling, dungeon: Dungeon, to_photo: Projection) -> Points | None:
    """The obstacle or the step that stopped the path, else the last place of the record."""
    names = [name for stroke in record.path for name in stroke]
    if ruling.violations:
        return to_photo.place(ruling.violations[0].place)
    return to_photo.place(names[-1]) if names else None


def _questions(
    scan: Scan, dungeon: Dungeon, to_photo: Projection, language: Language
) -> Iterator[QuestionMark]:
    for question in scan.questions:
        index = (question.place or "").partition(".")[0]
        if question.place in dungeon.places:
            at = to_photo.place(question.place)
        elif index.isdigit() and int(index) < len(to_photo.corners_px):
            at = to_photo.corners_px[int(index)].mean(axis=0)
        else:
            at = np.concatenate(to_photo.corners_px).mean(axis=0)
        yield QuestionMark(at, question.reason_ja if language == "ja" else question.reason_en)


def step_line(step: Step, dungeon: Dungeon, language: Language) -> str:
    """One step as a person is told of it: what happened, to what, and with which means."""
    place = dungeon.places[step.place]
    comma = say(language, "list.comma")
    finds = [dungeon.places[name] for name in step.found]
    names = comma.join(
        find_name(language, find.find or "") + (f" x{find.value}" if find.value > 1 else "") for find in finds
    )
    what = names or (find_name(language, place.find) if place.find else "")
    line = say(language, f"event.{step.event}", what=what)
    if step.paid:
        line += " " + say(
            language,
            "event.paid",
            means=comma.join(means_name(language, payment.means) for payment in step.paid),
        )
    return line
