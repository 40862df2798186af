"""Validation of stated payments: those that could not be followed, and those that ended the path. The means
held take precedence over a statement."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scorer.dungeon import Dungeon
from scorer.mapmasters.rules.means import POOLS, WILD, Purse, Tool, checked_payments
from scorer.mapmasters.rules.ruling import Payment, PaymentDoubt, PaymentNote
from scorer.mapmasters.rules.walk import Walk
from scorer.mapmasters.words.messages import means_words, place_words
from scorer.record import Record, StatedPayment
from scorer.text import Text, unchanged

#: The tool for want of which a rule ends the path.
WANTING: dict[str | None, Tool] = {
    "monster": "sword",
    "room-guarded": "sword",
    "padlock": "key",
    "lava": "rope",
    "fall-forced": "rope",
    "circle-inactive": "scroll",
}

_SENTENCES: dict[PaymentDoubt, Text] = {
    "not_held": Text(
        "It is stated that {means} was used at {place}, but it was not held when the path came there"
        "{instead}."
    ),
    "wrong_means": Text(
        "It is stated that {means} was used at {place}, but it does not help there{instead}."
    ),
    "nothing_due": Text("It is stated that {means} was used at {place}, but the path uses nothing there."),
    "stated_twice": Text("It is stated more than once what was used at {place}; {means} is left out."),
    "ends_the_path": Text(
        "It is stated that {means} was used at {place}, where something else was held as well; with {means} "
        "kept, the path would go on at {stop}."
    ),
}
_INSTEAD = Text("; {used} is counted as used")


def state_payment(record: Record, at: str, means: str | None, source: str | None = None) -> Record:
    """The record with a stated payment at a place, replacing an earlier one; without `means` the statement
    is removed. Raises `WaymarkError` (unknown-means).
    """
    stated = [each for each in record.stated if each.at != at]
    if means is not None:
        stated += checked_payments([StatedPayment(at=at, means=means, source=source)])
    return msgspec.structs.replace(record, payments=tuple(stated))


def payment_notes(
    dungeon: Dungeon, purse: Purse, walked: Walk, without_wild: Walk | None, *, with_ids: bool = True
) -> tuple[PaymentNote, ...]:
    """Notes on the stated payments of `purse`. `without_wild` is the walk as it would
    have been without those that name SB-5, where there are any.
    """
    return tuple(
        _note(dungeon, *doubt, with_ids=with_ids) for doubt in _doubts(dungeon, purse, walked, without_wild)
    )


#: A statement that is doubted, what was used instead, where the path would go on.
_Doubt = tuple[PaymentDoubt, StatedPayment, Payment | None, str | None]


def _doubts(dungeon: Dungeon, purse: Purse, walked: Walk, without_wild: Walk | None) -> Iterator[_Doubt]:
    paid = {payment.at: payment for payment in purse.spent}
    tool, stop = _stopped_for(walked)
    if without_wild is not None and stop is not None and len(without_wild.steps) > len(walked.steps):
        for payment in purse.spent:
            if payment.stated and payment.means == WILD:
                stated = StatedPayment(at=payment.at, means=WILD)
                yield "ends_the_path", stated, None, stop
    for stated in purse.not_held:
        yield "not_held", stated, paid.get(stated.at), None
    for stated in purse.twice:
        yield "stated_twice", stated, None, None
    for stated in purse.pending:
        used = paid.get(stated.at)
        if tool is not None and _is_at(dungeon, stated.at, stop):
            helps = stated.means in POOLS[tool]
            yield "not_held" if helps else "wrong_means", stated, used, None
        else:
            yield "wrong_means" if used is not None else "nothing_due", stated, used, None


def _stopped_for(walked: Walk) -> tuple[Tool | None, str | None]:
    """The tool for lack of which the path ended, and the place that demanded it."""
    tool, spot = WANTING.get(walked.rule), walked.stopped_at
    if tool is None or spot is None:
        return None, None
    obstacle = walked.rule in ("monster", "padlock", "lava")
    return tool, spot.place.id if obstacle else walked.last_place


def _is_at(dungeon: Dungeon, at: str, stop: str | None) -> bool:
    """Whether a place is the one where the path stopped, or a monster in the room where it stopped."""
    if stop is None or at == stop:
        return at == stop
    place, stopped = dungeon.places[at], dungeon.places[stop]
    return place.find == "monster" and place.room is not None and place.room in (stopped.id, stopped.room)


def _note(
    dungeon: Dungeon,
    about: PaymentDoubt,
    stated: StatedPayment,
    used: Payment | None,
    stop: str | None,
    *,
    with_ids: bool,
) -> PaymentNote:
    words, means = _SENTENCES[about], means_words(dungeon, stated, with_id=with_ids)
    place = place_words(dungeon, dungeon.places[stated.at], with_id=with_ids)
    there = (
        place_words(dungeon, dungeon.places[stop], with_id=with_ids) if stop is not None else unchanged("")
    )
    instead = unchanged("")
    if used is not None:
        paid = means_words(dungeon, used, with_id=with_ids)
        instead = _INSTEAD.filled(used=paid)
    note = words.filled(means=means, place=place, stop=there, instead=instead)
    return PaymentNote(about=about, at=stated.at, means=stated.means, message=note.en, message_ja=note.ja)
