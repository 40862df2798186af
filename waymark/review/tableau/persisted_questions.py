"""Questions kept from an earlier reading, and readings over an unconfirmed dungeon."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon
from scorer.games import line_habits
from scorer.record import Record, path_backwards
from scorer.text import Text
from vision.questions import REASONS, Question
from vision.scan import Scan
from waymark.review.projection import cards_in_photo
from waymark.review.referee_cache import Table
from waymark.review.tableau.joins import Path, places_of, stretches
from waymark.review.tableau.merge import merge_records, same_way
from waymark.review.tableau.question_names import CARDS_CORRECTED
from waymark.review.tableau.reread import ink_is_read

_CARDS_CORRECTED = Question(
    "path",
    "",
    (),
    *Text(
        "The cards were corrected after the line was read, so it is being read again; if that does not "
        "happen, draw the path by hand, and then say that it is right."
    ).pair,
    name=CARDS_CORRECTED,
)


def as_it_stands(
    reading: Scan, table: Table, terms: Any, corrected: Record | None, settled: frozenset[str]
) -> Scan:
    """The reading with people's corrections applied, and with its remaining questions."""
    asked = [question for question in reading.questions if question.name not in settled]
    if corrected is None:
        return replace(reading, questions=tuple(asked))
    record = table.retold(corrected, terms)
    places = table.dungeon(record.cards)
    asked = [question for question in asked if not _is_over(question, reading.tableau, record, places)]
    if ink_is_read(reading, record, table.catalogue):
        carried = [(each, _carried_over(each, reading.tableau, record, table)) for each in asked]
        asked = [now for each, now in carried if not _is_walked(each, now, reading.tableau, record)]
    else:
        # The reading's own questions are about other cards; the new reading asks its own.
        asked = [_CARDS_CORRECTED] if CARDS_CORRECTED not in settled else []
    return replace(
        reading,
        tableau=record,
        cards=cards_in_photo(reading, record, table.catalogue),
        # Lines that people changed have no counterpart in the photo.
        path_px=reading.path_px if record.path == reading.tableau.path else tuple(() for _ in record.path),
        questions=tuple(asked),
    )


def _is_over(question: Question, read: Record, record: Record, dungeon: Dungeon) -> bool:
    """Whether a doubt about a place off the path is obsolete: the current path reaches it, or its circle
    was removed."""
    place = dungeon.places.get(question.place)
    if question.about != "path" or question.alternatives or place is None:
        return False
    if place.id in read.marks.circled and place.id not in record.marks.circled:
        return True
    # Finds in a room are reached from the room.
    names = {place.id, place.room or place.id} if place.find is not None else {place.id}
    before, now = ({name for stroke in each.path for name in stroke} for each in (read, record))
    return not names & before and bool(names & now)


def _is_walked(question: Question, now: Question, read: Record, record: Record) -> bool:
    """Whether a doubt about the line is obsolete, because people changed its stretch and no alternative
    remains (`now`). The same holds for a mark that was changed."""
    if question.about == "mark":
        return bool(question.alternatives) and not now.alternatives and read.marks != record.marks
    if question.about != "path" or not question.alternatives or now.alternatives:
        return False
    before, after = stretches(read), stretches(record)
    disputed = {step for other in question.alternatives for step in before ^ stretches(other)}
    return not places_of(disputed).isdisjoint(places_of(before ^ after))


def _carried_over(question: Question, read: Record, record: Record, table: Table) -> Question:
    """A question about the reading, transferred to the current record. Alternatives in conflict with a
    changed stretch are dropped; the question stays."""
    if question.about == "direction":
        paths = _other_ways(read.path, [other.path for other in question.alternatives], record.path)
        if not paths and table.game.rules.backwards(record) is not None:
            # Lines that were joined since are now one line, in either direction.
            paths = [path_backwards(record.path)]
        others = [msgspec.structs.replace(record, path=path) for path in paths]
        options = tuple(ends_told(path) for path in (record.path, *paths))
    else:
        merged = [merge_records(read, other, record, table) for other in question.alternatives]
        if question.about == "card":
            # Answers about the line on other cards concern another line.
            merged = [one or other for one, other in zip(merged, question.alternatives, strict=True)]
        kept = [
            (name, other)
            for name, other in zip(question.options[1:], merged, strict=False)
            if other is not None and other != record
        ]
        others = [other for _, other in kept]
        options = (*question.options[:1], *(name for name, _ in kept)) if kept else ()
    return replace(question, options=options, alternatives=tuple(others))


def _other_ways(read: Path, others: list[Path], path: Path) -> list[Path]:
    """The other possible directions and stroke orders of `path`, according to the readings of the
    strokes."""
    now = same_way(read, others, path)
    ways: list[Path | None] = []
    for way in (read, *others):
        if way == now:
            continue
        if way == path_backwards(now):
            ways.append(path_backwards(path))
        elif len(path) == len(now):
            ways.append(_rearranged(now, way, path))
    return [way for way in dict.fromkeys(ways) if way is not None and way != path]


def _rearranged(before: Path, after: Path, path: Path) -> Path | None:
    """The strokes of `path`, permuted and reversed as `before` was to give `after`; None where `after`
    is no such rearrangement."""
    left = list(range(len(before)))
    moved = []
    for stroke in after:
        index = next((k for k in left if before[k] in (stroke, stroke[::-1])), None)
        if index is None:
            return None
        left.remove(index)
        moved.append(path[index] if before[index] == stroke else path[index][::-1])
    return tuple(moved)


def ends_told(path: Path) -> str:
    return ", ".join(f"{stroke[0]} → {stroke[-1]} ({len(stroke)})" for stroke in path) or "-"


#: Kinds of pieces that have a dungeon; others are laid, rotated or counted.
_CARRIERS = frozenset({"starter", "dungeon", "step", "boss"})


def in_pencil(record: Record, catalogue: Catalogue) -> dict[int, str]:
    """The cards with an unconfirmed dungeon: index -> reason, a key of `vision.questions.REASONS`. The
    dungeon is only proposed, or is missing in a game with lines over cards, or the card's art contains a
    line."""
    drawn = line_habits(catalogue.game).drawn
    why = {}
    for index, placed in enumerate(record.cards):
        card = catalogue.by_id.get(placed.card)
        if card is None:
            continue
        if card.tracing == "proposed":
            why[index] = "proposed"
        elif card.tracing == "no" and drawn and card.kind in _CARRIERS:
            why[index] = "untraced"
        elif card.drawn_on:
            why[index] = "drawn-on"
    return why


def pencil_questions(record: Record, catalogue: Catalogue) -> tuple[Question, ...]:
    """One question for each card with an unconfirmed dungeon: where the path enters a card with a proposed
    one; about the whole path for a card without a dungeon, over which no path can be read, or with a line on
    its art."""
    asked = []
    for index, word in in_pencil(record, catalogue).items():
        on_it = (place for stroke in record.path for place in stroke if place.startswith(f"{index}."))
        place = next(on_it, "")
        if place or word != "proposed":
            asked.append(Question("path", place, (), *REASONS[word].pair, name=f"path:{word}:{index}"))
    return tuple(asked)
