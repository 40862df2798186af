"""Payment alternatives: for each payment of a walk, all means held there that could have paid for it."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.dungeon import Dungeon
from scorer.mapmasters.rules.means import Held, Purse, Tool
from scorer.mapmasters.rules.referee import walk_record
from scorer.mapmasters.rules.ruling import Payment
from scorer.mapmasters.rules.settings import HOUSE, VersusSettings
from scorer.record import Record


@dataclass(frozen=True, slots=True)
class PaymentChoice:
    """A payment for a `tool`, with every held means that could have paid for it, the used one included."""

    tool: Tool
    payment: Payment
    ways: tuple[Held, ...]

    @property
    def used(self) -> Held:
        return Held(self.payment.means, self.payment.source)


def payment_choices(
    dungeon: Dungeon, record: Record, settings: VersusSettings = HOUSE
) -> tuple[PaymentChoice, ...]:
    """The payments of a record's path for which any of several means will do, in walking order. Spellbooks
    with a unique effect are left out. Raises like `referee`."""
    purse = _NotingPurse(record)
    walk_record(dungeon, record, purse, settings)
    return tuple(purse.choices)


class _NotingPurse(Purse):
    """A purse that records its content at each payment."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.fairy_tokens, record.spellbooks, record.marks.struck, record.stated)
        self.choices: list[PaymentChoice] = []

    def pay(self, tool: Tool, at: str) -> None:
        ways = tuple(self.ways(tool))
        super().pay(tool, at)
        self.choices.append(PaymentChoice(tool, self.spent[-1], ways))
