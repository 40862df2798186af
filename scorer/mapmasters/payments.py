"""Payments that a person states, as evidence: which of them could not be followed, which ended the path.
What is held decides, not the statement.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from scorer.dungeon import Dungeon
from scorer.mapmasters.means import POOLS, WILD, Purse, Tool, checked_payments
from scorer.mapmasters.messages import means_name, place_name
from scorer.mapmasters.ruling import Payment, PaymentDoubt, PaymentNote
from scorer.mapmasters.walk import Walk
from scorer.record import Record, StatedPayment

#: The tool for want of which a rule ends the path.
_WANTING: dict[str | None, Tool] = {
    "monster": "sword",
    "room-guarded": "sword",
    "padlock": "key",
    "lava": "rope",
    "fall-forced": "rope",
    "circle-inactive": "scroll",
}

_SENTENCES: dict[PaymentDoubt, tuple[str, str]] = {
    "not_held": (
        "It is stated that {means} was used at {place}, but it was not held when the path came there"
        "{instead}.",
        "{place}で{means}を使ったとされていますが、経路がそこに来たときには持っていませんでした{instead}。",
    ),
    "wrong_means": (
        "It is stated that {means} was used at {place}, but it does not help there{instead}.",
        "{place}で{means}を使ったとされていますが、そこでは役に立ちません{instead}。",
    ),
    "nothing_due": (
        "It is stated that {means} was used at {place}, but the path uses nothing there.",
        "{place}で{means}を使ったとされていますが、経路はそこで何も使いません。",
    ),
    "stated_twice": (
        "It is stated more than once what was used at {place}; {means} is left out.",
        "{place}で使ったものが重ねて指定されています。{means}のほうは数えていません。",
    ),
    "ends_the_path": (
        "It is stated that {means} was used at {place}, where something else was held as well; with {means} "
        "kept, the path would go on at {stop}.",
        "{place}で{means}を使ったとされていますが、ほかに使えるものも持っていました。"
        "{means}を残していれば、経路は{stop}から先へ進めました。",
    ),
}
_INSTEAD = ("; {used} is counted as used", "。代わりに{used}を使ったものとします")


def state_payment(record: Record, at: str, means: str | None, source: str | None = None) -> Record:
    """The record with a statement of what was used at a place, in the stead of any other about it; without
    `means` nobody says what was. Raises `WaymarkError` (unknown-means).
    """
    stated = [each for each in record.stated if each.at != at]
    if means is not None:
        stated += checked_payments([StatedPayment(at=at, means=means, source=source)])
    return msgspec.structs.replace(record, payments=tuple(stated))


def payment_notes(
    dungeon: Dungeon, purse: Purse, walked: Walk, without_wild: Walk | None
) -> tuple[PaymentNote, ...]:
    """What is to be said of the statements that `purse` was given. `without_wild` is the walk as it would
    have been without those that name SB-5, where there are any.
    """
    return tuple(_notes(dungeon, purse, walked, without_wild))


def _notes(dungeon: Dungeon, purse: Purse, walked: Walk, without_wild: Walk | None) -> Iterator[PaymentNote]:
    paid = {payment.at: payment for payment in purse.spent}
    tool, stop = _stopped_for(walked)
    if without_wild is not None and stop is not None and len(without_wild.steps) > len(walked.steps):
        for payment in purse.spent:
            if payment.stated and payment.means == WILD:
                stated = StatedPayment(at=payment.at, means=WILD)
                yield _note(dungeon, "ends_the_path", stated, None, stop)
    for stated in purse.not_held:
        yield _note(dungeon, "not_held", stated, paid.get(stated.at))
    for stated in purse.twice:
        yield _note(dungeon, "stated_twice", stated, None)
    for stated in purse.pending:
        used = paid.get(stated.at)
        if tool is not None and _is_at(dungeon, stated.at, stop):
            helps = stated.means in POOLS[tool]
            yield _note(dungeon, "not_held" if helps else "wrong_means", stated, used)
        else:
            yield _note(dungeon, "wrong_means" if used is not None else "nothing_due", stated, used)


def _stopped_for(walked: Walk) -> tuple[Tool | None, str | None]:
    """The tool for want of which the path ended, and the place that asked for it."""
    tool, spot = _WANTING.get(walked.rule), walked.stopped_at
    if tool is None or spot is None:
        return None, None
    obstacle = walked.rule in ("monster", "padlock", "lava")
    return tool, spot.place.id if obstacle else walked.last_place


def _is_at(dungeon: Dungeon, at: str, stop: str | None) -> bool:
    """Whether a place is where the path stopped, or a monster in the room that it stopped in."""
    if stop is None or at == stop:
        return at == stop
    place, stopped = dungeon.places[at], dungeon.places[stop]
    return place.find == "monster" and place.room is not None and place.room in (stopped.id, stopped.room)


def _note(
    dungeon: Dungeon,
    about: PaymentDoubt,
    stated: StatedPayment,
    used: Payment | None,
    stop: str | None = None,
) -> PaymentNote:
    said = []
    for index, language in enumerate(("en", "ja")):
        instead = ""
        if used is not None:
            instead = _INSTEAD[index].format(used=means_name(dungeon, used, language))
        words = _SENTENCES[about][index].format(
            means=means_name(dungeon, stated, language),
            place=place_name(dungeon, dungeon.places[stated.at], language),
            stop=place_name(dungeon, dungeon.places[stop], language) if stop is not None else "",
            instead=instead,
        )
        said.append(words)
    return PaymentNote(about=about, at=stated.at, means=stated.means, message=said[0], message_ja=said[1])
