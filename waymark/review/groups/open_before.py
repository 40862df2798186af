"""What was still open of a table when another photo was taken: it stays open until somebody answers it, or
the new photo shows what was in doubt. What a photo leaves out says nothing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scorer.text import Text
from vision.questions import About
from waymark.review.groups.asked import AS_IT_STANDS, Asked
from waymark.review.groups.names import AS_READ, BY_ORDER, OPEN_BEFORE
from waymark.review.groups.readings import Readings


class OpenBefore(msgspec.Struct, frozen=True):
    """A question about a table that nobody had answered. `place` and `cards` are of the table's record: its
    answers differ in what lies or is drawn on these cards; none: in what no photo shows."""

    name: str
    about: About
    place: str
    reason_en: str
    reason_ja: str
    cards: tuple[int, ...] = ()


def still_open(made: Readings, before: Sequence[OpenBefore]) -> tuple[OpenBefore, ...]:
    """Those that the photo does not settle, on the cards as they are numbered now. It settles what it shows,
    but for lines that it leaves in doubt itself: what was agreed hides that it does."""
    if not before:
        return ()
    numbers, shown = made.lying_now
    drawn = _drawn_in_doubt(made)
    kept = []
    for each in before:
        now = renumbered(each, numbers)
        is_seen = bool(each.cards) and shown.issuperset(now.cards)
        if not is_seen or (each.about != "card" and not drawn.isdisjoint(now.cards)):
            kept.append(now)
    return tuple(kept)


def open_question(made: Readings, each: OpenBefore, record: Any) -> Asked:
    """Whether the table is right as it stands in what was open before its photo."""
    words = AS_IT_STANDS
    if each.name.startswith(OPEN_BEFORE + BY_ORDER):
        words = made.groups.order_told(record, record)
    why = Text(each.reason_en, each.reason_ja)
    return Asked(each.name, each.about, each.place, why, (), (AS_READ, words), is_open=True)


def _drawn_in_doubt(made: Readings) -> frozenset[int]:
    """The cards on which the photo leaves lines in doubt."""
    places: set[str] = set()
    for line in made.scan.lines:
        places.update(question.place for question in line.questions)
        if line.owner.others:
            places.update(place for stroke in line.path for place in stroke)
    numbers = (place.partition(".")[0] for place in places)
    return frozenset(int(number) for number in numbers if number.isdigit())


def renumbered(each: OpenBefore, numbers: Mapping[int, int]) -> OpenBefore:
    """The same on cards of other numbers; without a place where its card is none of these."""
    number, dot, local = each.place.partition(".")
    here = numbers.get(int(number)) if number.isdigit() else None
    place = "" if here is None else f"{here}{dot}{local}"
    cards = tuple(numbers[card] for card in each.cards if card in numbers)
    return msgspec.structs.replace(each, place=place, cards=cards)
