"""Payments of the versus mode that could have been made otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.dungeon import Dungeon
from scorer.mapmasters.rules import choices
from scorer.mapmasters.rules.means import WILD, Held
from scorer.mapmasters.rules.payments import state_payment
from scorer.mapmasters.rules.referee import referee_dungeon
from scorer.mapmasters.rules.terms import Terms, with_terms
from scorer.mapmasters.words.messages import means_words
from scorer.mapmasters.words.vocabulary import FINDS
from scorer.payments import PaymentChoice, Way
from scorer.record import Record
from scorer.text import Text


@dataclass(frozen=True)
class DungeonPayments:
    """`scorer.payments.Payments`: an obstacle is paid for with an item, a token or a spellbook."""

    def choices(self, board: Dungeon, record: Record, terms: Terms) -> tuple[PaymentChoice, ...]:
        told = with_terms(record, terms)
        steps = {
            payment.at: number
            for number, step in enumerate(referee_dungeon(board, told, terms.settings).steps, start=1)
            for payment in step.paid
        }
        return tuple(
            _payment_choice(board, each, steps[each.payment.at])
            for each in choices.payment_choices(board, told, terms.settings)
        )

    def state(self, record: Record, at: str, means: str | None, source: str | None = None) -> Record:
        return state_payment(record, at, means, source)


def _payment_choice(board: Dungeon, choice: choices.PaymentChoice, step: int) -> PaymentChoice:
    ways = {way: _way(board, way, choice.tool) for way in choice.ways}
    # Only the wild token can be missed at another place.
    elsewhere = [way for way in choice.ways if way != choice.used and WILD in (way.means, choice.used.means)]
    return PaymentChoice(
        at=choice.payment.at,
        step=step,
        tool=choice.tool,
        used=ways[choice.used],
        ways=tuple(ways.values()),
        stated=choice.payment.stated,
        elsewhere=tuple(ways[way] for way in elsewhere),
    )


def _way(board: Dungeon, way: Held, tool: str) -> Way:
    words = means_words(board, way, with_id=False)
    if way.means == WILD:
        find = FINDS[tool]
        words = Text("{wild} as a {find} token", wild=WILD, find=find)
    return Way(way.means, way.source, words)
