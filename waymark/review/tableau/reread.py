"""Second reading of the ink after cards were corrected: the cards it uses, and how earlier answers and
corrections are kept.

Nothing is stored here: the caller stores each reading beside the first one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import msgspec

from scorer.catalogue import Catalogue
from scorer.record import Marks, PlacedCard, Record
from scorer.text import Text
from vision.cards.pose import Corners
from vision.questions import Question, with_names
from vision.reader import PinnedCard
from vision.scan import Scan
from waymark.review.projection import cards_in_photo
from waymark.review.tableau.card_edits import (
    rename_cards,
    renamed_payments,
    renamed_place,
    same_face,
    same_faces,
)
from waymark.review.tableau.merge import carry_changes

#: Confidence of a card identified by a person; such a card is not asked about again.
_TOLD = 1.0


@dataclass(frozen=True)
class Carried:
    """A new reading with people's changes merged in. `scan` is the reading with a question for each lost
    change, `record` the merged tableau, `answered` the names of the settled questions."""

    scan: Scan
    record: Record
    answered: frozenset[str]


def ink_is_read(reading: Scan, record: Record, catalogue: Catalogue) -> bool:
    """Whether the reading's cards equal the record's in positions and in places and corridors."""
    read = reading.tableau.cards
    return len(read) == len(record.cards) and all(
        _same_spot(a, b) and same_face(catalogue, a.card, b.card)
        for a, b in zip(read, record.cards, strict=True)
    )


def read_on(reading: Scan, record: Record, catalogue: Catalogue) -> Scan:
    """The reading with the record's cards: this one, or one stored for another answer; this one where
    none matches."""
    others = (other for other in (reading, *reading.instead) if ink_is_read(other, record, catalogue))
    return next(others, reading)


def pinned_cards(
    reading: Scan,
    record: Record,
    catalogue: Catalogue,
    *,
    answered: Collection[str] = (),
    before: Sequence[PinnedCard] = (),
    corners: Mapping[int, Corners] | None = None,
) -> tuple[PinnedCard, ...]:
    """The record's cards as fixed input for reading their ink again. Outlines are those that a person
    dragged now (`corners`, by card index) or before (`before`), else those of `reading`. Doubts about
    untouched cards stay, except those that changed cards may have settled."""
    dragged = {(card.card, card.rotation, card.x, card.y): card for card in before if card.changed}
    read = dict(zip(reading.tableau.cards, reading.cards, strict=True))
    doubts = dict(_card_doubts(reading, answered))
    numbers = {card: number for number, card in enumerate(reading.tableau.cards)}
    pinned = []
    for number, (placed, seen) in enumerate(
        zip(record.cards, cards_in_photo(reading, record, catalogue), strict=True)
    ):
        as_read = read.get(placed)
        known = dragged.get((placed.card, placed.rotation, placed.x, placed.y))
        outline = (corners or {}).get(number) or (known.corners if known is not None else seen.corners)
        touched = as_read is None or outline != as_read.corners
        pinned.append(
            PinnedCard(
                card=placed.card,
                rotation=placed.rotation,
                x=placed.x,
                y=placed.y,
                corners=outline,
                confidence=_TOLD if as_read is None else as_read.confidence,
                changed=touched,
                options=() if touched else doubts.get(numbers[placed], ()),
            )
        )
    return tuple(pinned)


def carry_over(
    before: Scan,
    ours: Record,
    reread: Scan,
    catalogue: Catalogue,
    answered: Collection[str],
    *,
    earlier: Record | None = None,
) -> Carried:
    """The new reading `reread`, merged with the changes (`ours`) and answers to the reading `before`.
    `earlier` is the record before the cards were corrected: changes on those cards are reported as lost."""
    numbers = matching_cards(before.tableau.cards, reread.tableau.cards, catalogue)
    base = rename_cards(before.tableau, numbers)
    same = {number: number for number in numbers.values()}
    mine = rename_cards(ours, same)
    path, lost = carry_changes(base.path, mine.path, reread.tableau.path)
    drawn_since = [name for stroke in ours.path for name in stroke if renamed_place(name, same) is None]
    on_cards = _changed_on(before.tableau, earlier or before.tableau, reread.tableau, numbers)
    reread = replace(reread, questions=with_names(reread.questions))
    changes = dict.fromkeys((*on_cards, *drawn_since[:1], *lost))
    questions = with_names((*reread.questions, *(_lost(place) for place in changes)))
    record = msgspec.structs.replace(
        reread.tableau,
        path=path,
        marks=_carried_marks(base.marks, mine.marks, reread.tableau.marks),
        fairy_tokens=ours.fairy_tokens,
        spellbooks=ours.spellbooks,
        objectives=ours.objectives,
        payments=renamed_payments(ours.stated, same_faces(catalogue, ours.cards, reread.tableau.cards)),
    )
    return Carried(
        scan=replace(reread, questions=questions, sure=reread.sure and not questions),
        record=record,
        answered=frozenset(_still_answered(before, reread, numbers, answered)),
    )


def matching_cards(
    before: Sequence[PlacedCard], after: Sequence[PlacedCard], catalogue: Catalogue
) -> dict[int, int]:
    """Matching of cards before and after: index -> index. Cards in the same position match first, then
    moved ones. Cards with another identity or rotation have no match."""
    numbers: dict[int, int] = {}
    for moved in (False, True):
        for old, card in enumerate(before):
            if old in numbers:
                continue
            for new, other in enumerate(after):
                alike = card.rotation == other.rotation and same_face(catalogue, card.card, other.card)
                if new not in numbers.values() and alike and (moved or _same_spot(card, other)):
                    numbers[old] = new
                    break
    return numbers


def _same_spot(a: PlacedCard, b: PlacedCard) -> bool:
    return (a.x, a.y, a.rotation) == (b.x, b.y, b.rotation)


def _card_doubts(reading: Scan, answered: Collection[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The cards with an open doubt about their identity, with the options. Doubts with a single option
    are left out: they are about a gap or the card's picture, which is judged again."""
    for question in with_names(reading.questions):
        if question.about == "card" and question.name not in answered and len(question.options) > 1:
            yield int(question.place), question.options


def _carried_marks(base: Marks, ours: Marks, onto: Marks) -> Marks:
    def carried(read: Sequence[str], own: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
        gone = set(read) - set(own)
        return (
            *(name for name in new if name not in gone),
            *(name for name in own if name not in read and name not in new),
        )

    return Marks(
        circled=carried(base.circled, ours.circled, onto.circled),
        struck=carried(base.struck, ours.struck, onto.struck),
    )


def _still_answered(
    before: Scan, reread: Scan, numbers: dict[int, int], answered: Collection[str]
) -> Iterator[str]:
    """The names of the new reading's questions that were settled in the earlier one."""
    settled = {
        _subject(question, numbers) for question in with_names(before.questions) if question.name in answered
    }
    same = {number: number for number in numbers.values()}
    for question in reread.questions:
        subject = _subject(question, same)
        if subject is not None and subject in settled:
            yield question.name


def _subject(question: Question, numbers: dict[int, int]) -> tuple[str, str, str] | None:
    """Key of a question's subject, with the cards' new indices; None where its card has no new index."""
    if question.about == "direction":
        return question.about, "", ""
    place = renamed_place(question.place, numbers)
    if place is None and question.place:
        return None
    return question.about, question.reason_en, place or ""


def _changed_on(base: Record, earlier: Record, after: Record, numbers: dict[int, int]) -> Iterator[str]:
    """Indices (in `after`) of replaced cards with lost changes of path, marks or stated payments."""
    for old, card in enumerate(base.cards[: len(earlier.cards)]):
        new = next((k for k, other in enumerate(after.cards) if (other.x, other.y) == (card.x, card.y)), None)
        if old not in numbers and new is not None and _drawn_on(base, old) != _drawn_on(earlier, old):
            yield f"{new}"


def _drawn_on(record: Record, number: int) -> tuple[set[frozenset[str]], set[str], set[str], set[str]]:
    """The undirected steps, circles, strikes and stated payments on one card."""
    prefix = f"{number}."
    steps = {
        frozenset(step)
        for stroke in record.path
        for step in pairwise(stroke)
        if all(name.startswith(prefix) for name in step)
    }
    circled, struck = (
        {name for name in names if name.startswith(prefix)}
        for names in (record.marks.circled, record.marks.struck)
    )
    paid = {stated.at for stated in record.stated if stated.at.startswith(prefix)}
    return steps, circled, struck, paid


def tells_a_loss(question: Question) -> bool:
    """Whether a question reports a person's change that could not be kept; such a question is always
    asked."""
    return question.reason_en == _lost(question.place).reason_en


def _lost(place: str) -> Question:
    return Question(
        "path",
        place,
        (),
        *Text(
            "The cards were corrected and the ink was read again; a change that you had made here before "
            "could not be kept. Is the path right now?"
        ).pair,
    )
