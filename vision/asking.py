"""Questions from doubts: doubts of cards, path and marks -> questions, with the record for each possible
answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import Marks, Record
from scorer.text import Text, listed
from vision import parameters
from vision.cards.layout import CardDoubt, Layout
from vision.marks import MarkReading, Rings
from vision.path.read import PathDoubt, PathReading
from vision.path.strokes import Path as Places
from vision.photo.decode import Photo
from vision.photo.geometry import on_card
from vision.questions import REASONS, Question, with_names

#: Probability from which a mark is certain: of 604 marks at 0.9 and above, 603 were right (`tuning-evening` 0
#: to 59, 600 to 719).
_CERTAIN = 0.95
#: A card recognised with a lower confidence than this leads to a question.
_CARD_CONFIDENCE = 0.5


def questions_of(
    record: Record, layout: Layout, reading: PathReading, marks: MarkReading, dungeon: Dungeon
) -> tuple[Question, ...]:
    """Questions about all doubts on cards, path and marks of `record`, each with its name."""
    return with_names(
        (
            *_card_questions(layout, dungeon.catalogue, record),
            *(_path_question(doubt, record, reading, dungeon, layout) for doubt in reading.doubts),
            *_mark_questions(marks, record, dungeon, layout),
        )
    )


def with_more_doubts(questions: Sequence[Question], before: Layout, now: Layout) -> tuple[Question, ...]:
    """The questions of a reading, with questions added for the doubts that its layout `now` has and `before`
    had not.

    The added ones follow the questions of the earlier doubts.
    """
    had, new = len(before.doubts), now.doubts[len(before.doubts) :]
    asked = (_card_question(doubt, now) for doubt in new)
    return with_names((*questions[:had], *asked, *questions[had:]))


def with_too_much(
    questions: Sequence[Question], record: Record, layout: Layout, catalogue: Catalogue
) -> tuple[Question, ...]:
    """The questions of a reading, with one added which says that the photo was not searched completely."""
    dungeon = build_dungeon(catalogue, record.cards)
    place = next((name for walk in record.path for name in walk), next(iter(dungeon.places), ""))
    told = _question("path", "too-much", place, (), (), _crop(dungeon, layout, place))
    known = any(each.reason_en == told.reason_en for each in questions)
    return tuple(questions) if known else with_names((*questions, told))


def _question(
    about: str,
    reason: str,
    place: str,
    options: tuple[str, ...],
    alternatives: tuple[Record, ...],
    crop: tuple[int, int, int, int] | None,
) -> Question:
    return Question(about, place, options, *REASONS[reason].pair, crop, alternatives)  # type: ignore[arg-type]


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
        question = _card_question(doubt, layout)
        alternatives = [_with_card(record, doubt.index, each, catalogue) for each in question.options[1:]]
        whole = tuple(a for a in alternatives if a is not None)
        if len(whole) == len(alternatives):
            question = replace(question, alternatives=whole)
        questions.append(question)
    return questions


def _card_question(doubt: CardDoubt, layout: Layout) -> Question:
    """The question of a doubt about cards, without the records for its other answers.

    For a doubt about which group is the tableau, the first answer names all cards of the tableau as read.
    """
    read = layout.poses[doubt.index].card
    others = [option for option in doubt.options if option != read]
    if doubt.reason == "group":
        read = cards_told(pose.card for pose in layout.poses)
    corners = layout.poses[doubt.index].corners_px if doubt.corners_px is None else doubt.corners_px
    low, high = corners.min(axis=0).astype(int).tolist(), corners.max(axis=0).astype(int).tolist()
    return _question(
        "card",
        doubt.reason if doubt.reason in REASONS else "card",
        f"{doubt.index}",
        (read, *others),
        (),
        (low[0], low[1], high[0], high[1]),
    )


def cards_told(cards: Iterable[str]) -> str:
    """List of cards as one line of text."""
    return " ".join(cards) or "-"


def _with_card(record: Record, index: int, card: str, catalogue: Catalogue) -> Record | None:
    """The record with one card replaced; None where a place of its path or marks does not exist on the new
    card."""
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
        tuple(_walked(record, path, doubt) for path in doubt.others),
        _crop(dungeon, layout, doubt.place),
    )
    return replace(question, behind=doubt.behind)


def _walked(record: Record, path: Places, doubt: PathDoubt) -> Record:
    """The record with the path replaced, and without marks if the doubt is `unmarked`."""
    marks = Marks() if doubt.unmarked else record.marks
    return msgspec.structs.replace(record, path=path, marks=marks)


def _told(path: Places) -> str:
    """Text of a path in one line: the first and last place of every stroke."""
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


def mark_confidence(rings: Rings, marks: MarkReading) -> dict[str, float]:
    """Confidence in each mark by its place: 0 where it may equally be no mark, 1 where it is plain.

    Finds without a mark that may still have one are included: their value is the confidence that there is
    none. It is 0 where the find is not visible enough.
    """
    told: dict[str, float] = {}
    marked = {*marks.circled, *marks.struck}
    for name, circled, struck, seen in zip(
        rings.places, rings.circled.tolist(), rings.struck.tolist(), rings.seen.tolist(), strict=True
    ):
        if name not in marked:
            none = min((0.5 - max(circled, struck)) / (_CERTAIN - 0.5), 1.0)
            if seen < parameters.MARKS.seen_share or none < 1.0:
                told[name] = round(max(none, 0.0), 2) if seen >= parameters.MARKS.seen_share else 0.0
    for names, chances in ((marks.struck, rings.struck), (marks.circled, rings.circled)):
        chance = dict(zip(rings.places, chances.tolist(), strict=True))
        for place in names:
            told[place] = round(min((chance[place] - 0.5) / (_CERTAIN - 0.5), 1.0), 2)
    return told


def _crop(dungeon: Dungeon, layout: Layout, place: str) -> tuple[int, int, int, int] | None:
    """Bounding box in photo pixels (left, top, right, bottom) of a 24 mm square around a place; None for an
    unknown place."""
    spot = dungeon.places.get(place)
    if spot is None:
        return None
    reach = np.array([[-12, -12], [12, -12], [12, 12], [-12, 12]], float)
    at = np.asarray(spot.at_mm) + reach
    placed = dungeon.cards[spot.card_index]
    face = on_card(placed, at, dungeon.catalogue.size_of(placed.card))
    card_to_photo = np.asarray(layout.poses[spot.card_index].card_to_photo, float)
    pixels = cv2.perspectiveTransform(face[None], card_to_photo)[0]
    low, high = np.floor(pixels.min(axis=0)).astype(int), np.ceil(pixels.max(axis=0)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def apart_of(photo: Photo, layout: Layout) -> tuple[Text, ...]:
    """Texts about the cards that do not touch the tableau, with their positions in the photo; empty if there
    are none."""
    if not layout.others:
        return ()
    told = []
    for other in layout.others:
        place = part_of(photo, other.corners_px.mean(axis=0))
        told.append(Text("{card} ({place})", card=other.card, place=place))
    return (Text("Cards that lie apart do not count: {told}.", told=listed(told)),)


class Sized(Protocol):
    """Protocol of an object with the width and height of a photo."""

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...


def part_of(photo: Sized, at_px: NDArray[np.float64]) -> Text:
    """Words for the part of a photo (such as top left) that contains a pixel (2,)."""
    column, row = (int(at) for at in (at_px / (photo.width, photo.height) * 3).clip(0, 2))
    return _PLACES[row][column]


#: Names of the thirds of the photo, row by row.
_PLACES = (
    (Text("top left"), Text("top"), Text("top right")),
    (Text("left"), Text("middle"), Text("right")),
    (Text("bottom left"), Text("bottom"), Text("bottom right")),
)
