"""Scan: the result of reading a photo (docs/FORMATS.md, section 4), from cards to path and doubts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import Marks, PlacedCard, Record, Rotation, make_record
from scorer.text import Text
from vision.asking import apart_of, mark_confidence, questions_of
from vision.cards.layout import CardDoubt, Layout
from vision.cards.pose import CardPose, LayoutCard
from vision.faint_pens import read_lines
from vision.ink.faces import SeenCards
from vision.ink.ink_map import InkMap
from vision.ink.likelihood import read_ink
from vision.ink.pens import PenProfile
from vision.ink.rectify import halvings_for
from vision.marks import read_marks
from vision.missing_cards import with_missing_cards
from vision.photo.decode import Photo
from vision.photo.geometry import on_card
from vision.photo.moire import shows_a_screen
from vision.photo.runtime import single_threaded_blas
from vision.quality import Shortcoming, shortcomings_of
from vision.questions import Question
from vision.trace import current

FORMAT = "waymark-scan/1"

Array = NDArray[np.float64]

#: Tolerance (px) for simplifying lines in the photo.
_LINE_TOLERANCE_PX = 0.6


@dataclass(frozen=True)
class SeenPhoto:
    """Facts about the photo of a scan: its size after EXIF orientation, warnings, and the cards apart from
    the tableau.

    `apart` has the same cards with their corners. `shortcomings` are defects of the photo with their places;
    their words are among the warnings.
    """

    width: int
    height: int
    warnings: tuple[Text, ...] = ()
    others: tuple[str, ...] = ()
    apart: tuple[CardPose, ...] = ()
    shortcomings: tuple[Shortcoming, ...] = ()


@dataclass(frozen=True)
class Scan:
    """The complete result of reading a photo.

    `sure` means that no question was left open; a program that knows the game's rules may still find faults.
    """

    photo: SeenPhoto
    tableau: Record
    cards: tuple[CardPose, ...]
    path_px: tuple[tuple[tuple[float, float], ...], ...]
    questions: tuple[Question, ...]
    sure: bool
    timings_ms: dict[str, float] = field(default_factory=dict)
    #: Confidence in each mark of the tableau, by its place, 0 to 1.
    mark_confidence: dict[str, float] = field(default_factory=dict)
    #: Readings of the photo for other answers to questions about cards.
    instead: tuple[Scan, ...] = ()
    format: str = FORMAT

    def to_json(self) -> bytes:
        """UTF-8 JSON in the format of docs/FORMATS.md (section 4), without the readings in `instead`."""
        plain = msgspec.to_builtins(self)
        plain["photo"]["warnings"] = [warning.en for warning in self.photo.warnings]
        plain["photo"]["warnings_ja"] = [warning.ja for warning in self.photo.warnings]
        del plain["photo"]["shortcomings"], plain["instead"]
        for question in plain["questions"]:
            del question["alternatives"], question["behind"]
        return msgspec.json.encode(plain)


@single_threaded_blas()
def scan_layout(
    photo: Photo,
    layout: Layout,
    catalogue: Catalogue,
    clock: StageClock | None = None,
    pen: PenProfile | None = None,
    seen: SeenCards | None = None,
) -> Scan:
    """Scan of ink, path and marks on cards that are already found: photo and layout -> `Scan`.

    `pen` is the player's own. `seen` caches intermediate results for reading the photo on other cards.
    """
    clock, seen = clock or StageClock(), seen or SeenCards()
    if shows_a_screen(photo, [pose.corners_px for pose in (*layout.poses, *layout.others)]):
        everything = np.concatenate([pose.corners_px for pose in layout.poses])
        doubt = CardDoubt(0, (layout.poses[0].card,), "screen", everything)
        layout = replace(layout, doubts=(*layout.doubts, doubt))
    placed = tuple(
        PlacedCard(p.card, round(p.x_mm, 2), round(p.y_mm, 2), _turn(p.rotation)) for p in layout.poses
    )
    dungeon = build_dungeon(catalogue, placed)
    halvings = halvings_for(layout.poses, catalogue, photo.halvings)

    def ink_of(faint: float) -> InkMap:
        picture = photo.reduced(halvings)
        return read_ink(
            picture, layout.poses, catalogue, halvings=halvings, faint=faint, known=pen, seen=seen
        )

    ink = ink_of(1.0)
    clock.note("ink")
    ink, rings, reading = read_lines(ink, ink_of, dungeon)
    reading = with_missing_cards(reading, photo, halvings, layout.poses, dungeon, ink)
    clock.note("path")
    marks = read_marks(rings)
    clock.note("marks")
    record = make_record(
        placed,
        reading.path,
        marks=Marks(circled=marks.circled, struck=marks.struck),
        catalogue=catalogue.name,
    )
    if (made := current()) is not None:
        made.update(pixels=photo.pixels, layout=layout, dungeon=dungeon, ink=ink)
        made.update(rings=rings, reading=reading, marks=marks)
    questions = questions_of(record, layout, reading, marks, dungeon)
    shortcomings = shortcomings_of(photo, ink, layout)
    return Scan(
        photo=seen_photo(photo, layout, shortcomings),
        tableau=record,
        cards=tuple(pose.rounded() for pose in layout.poses),
        path_px=tuple(line_in_photo(stroke.line_mm, dungeon, layout.poses) for stroke in reading.strokes),
        questions=questions,
        sure=not questions,
        timings_ms=clock.total(),
        mark_confidence=mark_confidence(rings, marks),
    )


def seen_photo(photo: Photo, layout: Layout, shortcomings: Sequence[Shortcoming]) -> SeenPhoto:
    """Facts about a photo and a layout: size, warnings, cards apart from the tableau, defects."""
    return SeenPhoto(
        photo.width,
        photo.height,
        (*photo.warnings, *(each.words for each in shortcomings), *apart_of(photo, layout)),
        tuple(other.card for other in layout.others),
        tuple(other.rounded() for other in layout.others),
        tuple(shortcomings),
    )


class StageClock:
    """Clock of the stages of a scan, in milliseconds, with a callback at the end of each stage."""

    def __init__(self, on_stage: Callable[[str], None] | None = None) -> None:
        self._on_stage = on_stage
        self._start = self._last = time.perf_counter()
        self._stages: dict[str, float] = {}

    def note(self, stage: str) -> None:
        now = time.perf_counter()
        self._stages[stage] = round((now - self._last) * 1000, 1)
        self._last = now
        if self._on_stage is not None:
            self._on_stage(stage)

    def total(self) -> dict[str, float]:
        return {**self._stages, "total": round((time.perf_counter() - self._start) * 1000, 1)}


def line_to_photo(line_mm: Array, dungeon: Dungeon, poses: Sequence[LayoutCard]) -> Array:
    """Photo pixels (N, 2) of a line in table mm (N, 2), each point by the homography of the card below it."""
    line = np.asarray(line_mm, float).reshape(-1, 2)
    outside = []
    for i in range(len(poses)):
        corners = np.asarray(dungeon.outline_mm(i))
        low, high = corners.min(axis=0), corners.max(axis=0)
        outside.append(np.maximum(np.maximum(low - line, line - high), 0).max(axis=1))
    carrier = np.argmin(outside, axis=0)
    photo = np.zeros_like(line)
    for i, pose in enumerate(poses):
        mine = carrier == i
        if mine.any():
            placed = dungeon.cards[i]
            face = on_card(placed, line[mine], dungeon.catalogue.size_of(placed.card))
            photo[mine] = cv2.perspectiveTransform(face[None], np.asarray(pose.card_to_photo, float))[0]
    return photo


def line_in_photo(
    line_mm: Array, dungeon: Dungeon, poses: Sequence[LayoutCard]
) -> tuple[tuple[float, float], ...]:
    """Polyline in photo pixels, simplified, from a polyline (N, 2) in table mm."""
    return _simplified(line_to_photo(line_mm, dungeon, poses))


def _simplified(line_px: Array) -> tuple[tuple[float, float], ...]:
    if len(line_px) < 2:
        return tuple((float(x), float(y)) for x, y in line_px)
    kept = cv2.approxPolyDP(line_px.astype(np.float32).reshape(-1, 1, 2), _LINE_TOLERANCE_PX, False)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in kept.reshape(-1, 2))


def _turn(rotation: int) -> Rotation:
    return cast("Rotation", rotation % 360)
