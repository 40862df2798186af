"""Facts of a table that no photo shows and nobody stated: purchases, and events that only people observe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.groups import Untold
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.mapmasters.cooperative.rules.ruling import CoopRuling
from scorer.mapmasters.cooperative.rules.table import Table
from scorer.mapmasters.cooperative.words.goal_words import declared_words
from scorer.text import Text, listed

_BOUGHT = Untold(
    "bought",
    Text(
        "{coins} coins may be spent at the market, and nothing that was bought has been entered; it may "
        "change the result."
    ),
    Text("Was nothing bought at the market?"),
    Text("Nothing was bought"),
    Text("Something was bought: enter it"),
)
_HAPPENED = Untold(
    "happened",
    Text("Only you can see whether this mission was lost by a rule of its own: {what}"),
    Text("Has this never happened?"),
    Text("It has not happened"),
    Text("It has happened: enter it"),
    last=True,
)


def untold(table: Table, record: TableRecord, verdict: CoopRuling) -> Iterator[Untold]:
    """Facts that may be missing from the record: purchases, and losses that nobody declared.

    Purchases are asked for where no purchase is recorded, and a token or a spellbook could have helped a
    group on or been one too many. Mission-specific losses are asked for where the mission is won."""
    mission = table.plan.mission
    bought = any(group.fairy_tokens or group.spellbooks for group in record.groups)
    helped = verdict.mission.result == "lost" or not verdict.legal
    counted = verdict.difficulty == "hard" and any(verdict.mission.goals.values())
    if mission.market_coins and not bought and (helped or counted):
        yield _told(_BOUGHT, coins=mission.market_coins)
    losing = [declared_words(mission, code) for code in mission.lose.declared]
    if losing and verdict.mission.result == "won":
        # What is won later may have been lost in between.
        yield _told(_HAPPENED, f"@{len(record.paths)}", what=listed(losing))


def _told(each: Untold, number: str = "", **named: object) -> Untold:
    return replace(each, name=each.name + number, words=each.words.filled(**named))
