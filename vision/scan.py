"""Scan: what was read from a photo (docs/FORMATS.md, section 4), from cards to path and doubts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.placement import table_to_card
from scorer.record import Marks, PlacedCard, Record, Rotation, make_record
from scorer.text import Text
from vision.blas import single_threaded_blas
from vision.card_index import CardIndex
from vision.ink import InkMap, read_ink
from vision.layout import CardDoubt, CardPose, Layout, read_layout
from vision.marks import MarkReading, find_rings, read_marks
from vision.path import Path as Places
from vision.path import PathDoubt, PathReading, read_path
from vision.photo import Photo, load_photo
from vision.questions import REASONS, Question, with_names

FORMAT = "waymark-scan/1"

Array = NDArray[np.float64]

#: Cards with less height than this many pixels are read at a guess.
_LEAST_CARD_PX = 200.0
#: A photo whose print is blurred by more than this (mm) hides thin lines.
_BLURRY_MM = 0.4
#: More of a card than this hidden by glare or things is told.
_HIDDEN_SHARE = 0.15
#: A corner that lies this share of a card's height outside the picture is told: the card is cut off.
_CUT_OFF_SHARE = 0.03
#: A card recognised with less confidence than this is asked.
_CARD_CONFIDENCE = 0.5
#: Lines in the photo are simplified to this (px).
_LINE_TOLERANCE_PX = 0.6


@dataclass(frozen=True)
class SeenPhoto:
    """The photo: its size after EXIF orientation, what was odd, and cards that do not belong to the
    tableau.
    """

    width: int
    height: int
    warnings: tuple[Text, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeenCard:
    """One card: `corners` are photo pixels of the printed top-left, top-right, bottom-right, bottom-left."""

    card: str
    rotation: int
    corners: tuple[tuple[float, float], ...]
    confidence: float


@dataclass(frozen=True)
class Scan:
    """All that was read. `sure` here means that nothing was left open; who knows the rules may know
    better.
    """

    photo: SeenPhoto
    tableau: Record
    cards: tuple[SeenCard, ...]
    path_px: tuple[tuple[tuple[float, float], ...], ...]
    questions: tuple[Question, ...]
    sure: bool
    timings_ms: dict[str, float] = field(default_factory=dict)
    format: str = FORMAT

    def to_json(self) -> bytes:
        """UTF-8 JSON of CONTRACT section 4; the other readings stay in memory."""
        plain = msgspec.to_builtins(self)
        plain["photo"]["warnings"] = [warning.en for warning in self.photo.warnings]
        plain["photo"]["warnings_ja"] = [warning.ja for warning in self.photo.warnings]
        for question in plain["questions"]:
            del question["alternatives"], question["behind"]
        return msgspec.json.encode(plain)


@single_threaded_blas()
def scan_photo(
    source: Photo | Path | str | bytes,
    catalogue: Catalogue,
    index: CardIndex,
    on_stage: Callable[[str], None] | None = None,
) -> Scan:
    """Read a photo: cards, layout, ink, path, marks, and what is left open.

    `index` is the catalogue's (`vision.card_index.load_index`); `on_stage` is told each stage as it ends.
    Raises `WaymarkError`: status 3 where the photo cannot be read, 4 where no card is in it.
    """
    clock = StageClock(on_stage)
    photo = source if isinstance(source, Photo) else load_photo(source)
    clock.note("photo")
    layout = read_layout(photo, index)
    clock.note("layout")
    return scan_layout(photo, layout, catalogue, clock)


@single_threaded_blas()
def scan_layout(photo: Photo, layout: Layout, catalogue: Catalogue, clock: StageClock | None = None) -> Scan:
    """Read ink, path and marks of cards that are found already."""
    clock = clock or StageClock()
    placed = tuple(
        PlacedCard(p.card, round(p.x_mm, 2), round(p.y_mm, 2), _turn(p.rotation)) for p in layout.poses
    )
    dungeon = build_dungeon(catalogue, placed)
    ink = read_ink(photo.pixels, layout.poses, catalogue)
    clock.note("ink")
    rings = find_rings(ink, dungeon)
    reading = read_path(ink, dungeon, rings)
    clock.note("path")
    marks = read_marks(ink, dungeon, rings, [stroke.line_mm for stroke in reading.strokes])
    clock.note("marks")
    record = make_record(
        placed,
        reading.path,
        marks=Marks(circled=marks.circled, struck=marks.struck),
        catalogue=catalogue.name,
    )
    questions = with_names(
        (
            *_card_questions(layout, catalogue, record),
            *(_path_question(doubt, record, reading, dungeon, layout) for doubt in reading.doubts),
            *_mark_questions(marks, record, dungeon, layout),
        )
    )
    return Scan(
        photo=SeenPhoto(
            photo.width,
            photo.height,
            (*photo.warnings, *_warnings(photo, ink, layout)),
            tuple(other.card for other in layout.others),
        ),
        tableau=record,
        cards=tuple(
            SeenCard(
                pose.card,
                pose.rotation,
                tuple((round(float(x), 1), round(float(y), 1)) for x, y in pose.corners_px),
                round(float(pose.confidence), 3),
            )
            for pose in layout.poses
        ),
        path_px=tuple(
            _simplified(line_to_photo(stroke.line_mm, dungeon, layout.poses)) for stroke in reading.strokes
        ),
        questions=questions,
        sure=not questions,
        timings_ms=clock.total(),
    )


class StageClock:
    """Milliseconds per stage; whoever waits is told of each."""

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


def line_to_photo(line_mm: Array, dungeon: Dungeon, poses: Sequence[CardPose]) -> Array:
    """(N, 2) table mm to (N, 2) photo pixels, each point by the card that carries it."""
    size = dungeon.catalogue.card_size_mm
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
            on_card = np.array(
                [table_to_card(dungeon.cards[i], (x, y), size) for x, y in line[mine].tolist()]
            )
            photo[mine] = cv2.perspectiveTransform(on_card[None], np.asarray(pose.card_to_photo, float))[0]
    return photo


def _simplified(line_px: Array) -> tuple[tuple[float, float], ...]:
    if len(line_px) < 2:
        return tuple((float(x), float(y)) for x, y in line_px)
    kept = cv2.approxPolyDP(line_px.astype(np.float32).reshape(-1, 1, 2), _LINE_TOLERANCE_PX, False)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in kept.reshape(-1, 2))


def _turn(rotation: int) -> Rotation:
    return cast("Rotation", rotation % 360)


def _question(
    about: str,
    reason: str,
    place: str,
    options: tuple[str, ...],
    alternatives: tuple[Record, ...],
    crop: tuple[int, int, int, int] | None,
) -> Question:
    english, japanese = REASONS[reason]
    return Question(about, place, options, english, japanese, crop, alternatives)  # type: ignore[arg-type]


def _card_questions(layout: Layout, catalogue: Catalogue, record: Record) -> list[Question]:
    questions = []
    doubts = list(layout.doubts)
    named = {doubt.index for doubt in doubts}
    doubts += [
        CardDoubt(i, (pose.card,), "confidence")
        for i, pose in enumerate(layout.poses)
        if pose.confidence < _CARD_CONFIDENCE and i not in named
    ]
    for doubt in doubts:
        read = layout.poses[doubt.index].card
        others = [option for option in doubt.options if option != read]
        alternatives = [_with_card(record, doubt.index, option, catalogue) for option in others]
        whole = tuple(a for a in alternatives if a is not None)
        corners = np.asarray(layout.poses[doubt.index].corners_px)
        low, high = corners.min(axis=0).astype(int).tolist(), corners.max(axis=0).astype(int).tolist()
        questions.append(
            _question(
                "card",
                "card",
                f"{doubt.index}",
                (read, *others),
                whole if len(whole) == len(alternatives) else (),
                (low[0], low[1], high[0], high[1]),
            )
        )
    return questions


def _with_card(record: Record, index: int, card: str, catalogue: Catalogue) -> Record | None:
    """The record with another card in one place; None where the path does not exist on that card."""
    cards = list(record.cards)
    cards[index] = msgspec.structs.replace(cards[index], card=card)
    dungeon = build_dungeon(catalogue, cards)
    places = [p for stroke in record.path for p in stroke] + [*record.marks.circled, *record.marks.struck]
    if any(place not in dungeon.places for place in places):
        return None
    return msgspec.structs.replace(record, cards=tuple(cards))


def _path_question(
    doubt: PathDoubt, record: Record, reading: PathReading, dungeon: Dungeon, layout: Layout
) -> Question:
    paths = (reading.path, *doubt.others)
    question = _question(
        doubt.about,
        doubt.reason,
        doubt.place,
        tuple(_told(path) for path in paths) if doubt.others else (),
        tuple(msgspec.structs.replace(record, path=path) for path in doubt.others),
        _crop(dungeon, layout, doubt.place),
    )
    return replace(question, behind=doubt.behind)


def _told(path: Places) -> str:
    """A path in one line: the first and last place of every stroke."""
    return ", ".join(f"{stroke[0]} → {stroke[-1]} ({len(stroke)})" for stroke in path) or "-"


def _mark_questions(marks: MarkReading, record: Record, dungeon: Dungeon, layout: Layout) -> list[Question]:
    questions = []
    for place in marks.doubtful:
        circled = place in marks.circled
        other = tuple(p for p in marks.circled if p != place) if circled else (*marks.circled, place)
        questions.append(
            _question(
                "mark",
                "mark",
                place,
                ("circled", "not circled") if circled else ("not circled", "circled"),
                (msgspec.structs.replace(record, marks=Marks(circled=other, struck=marks.struck)),),
                _crop(dungeon, layout, place),
            )
        )
    return questions


def _crop(dungeon: Dungeon, layout: Layout, place: str) -> tuple[int, int, int, int] | None:
    """A box of about 24 mm round a place, photo pixels."""
    spot = dungeon.places.get(place)
    if spot is None:
        return None
    reach = np.array([[-12, -12], [12, -12], [12, 12], [-12, 12]], float)
    at = np.asarray(spot.at_mm) + reach
    size = dungeon.catalogue.card_size_mm
    on_card = np.array([table_to_card(dungeon.cards[spot.card_index], (x, y), size) for x, y in at.tolist()])
    pixels = cv2.perspectiveTransform(
        on_card[None], np.asarray(layout.poses[spot.card_index].card_to_photo, float)
    )[0]
    low, high = np.floor(pixels.min(axis=0)).astype(int), np.ceil(pixels.max(axis=0)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _warnings(photo: Photo, ink: InkMap, layout: Layout) -> list[Text]:
    """What about the photo makes the reading harder."""
    warnings = []
    heights = [float(np.linalg.norm(p.corners_px[3] - p.corners_px[0])) for p in layout.poses]
    if min(heights) < _LEAST_CARD_PX:
        warnings.append(
            Text(
                "The cards are small in the photo; go nearer.",
                "カードが小さく写っています。近づいて撮ってください。",
            )
        )
    if ink.blur_mm > _BLURRY_MM:
        warnings.append(
            Text(
                "The photo is blurred; hold the phone still and tap on the cards to focus.",
                "写真がぶれているかぼけています。カードに触れてピントを合わせ、動かさずに撮ってください。",
            )
        )
    size = np.array([photo.width, photo.height])
    for pose, share, height in zip(layout.poses, ink.hidden, heights, strict=True):
        beyond = np.maximum(-pose.corners_px, pose.corners_px - size).max()
        if beyond > _CUT_OFF_SHARE * height:
            warnings.append(
                Text(
                    f"Card {pose.card} is partly outside the photo; take one that shows every card whole.",
                    f"カード {pose.card} が写真からはみ出しています。"
                    "全部のカードが入るように撮り直してください。",
                )
            )
        elif share > _HIDDEN_SHARE:
            warnings.append(
                Text(
                    f"Glare or something lying there hides part of card {pose.card}.",
                    f"光の反射か上にある物が、カード {pose.card} の一部を隠しています。",
                )
            )
    return warnings
