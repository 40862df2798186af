"""Facts of a table that no photo shows and nobody stated: purchases, and events that only people observe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.groups import Untold
from scorer.mapmasters.cooperative.goal_words import declared_words, listed
from scorer.mapmasters.cooperative.messages import part
from scorer.mapmasters.cooperative.record import TableRecord
from scorer.mapmasters.cooperative.ruling import CoopRuling
from scorer.mapmasters.cooperative.table import Table
from scorer.text import Text

_BOUGHT = Untold(
    "bought",
    Text(
        "{coins} coins may be spent at the market, and nothing that was bought has been entered; it may "
        "change the result.",
        "マーケットで使えるコインが {coins} 枚ありますが、買ったものが入力されていません。"
        "買い物によって結果が変わることがあります。",
    ),
    Text("Was nothing bought at the market?", "マーケットで何も買っていませんか?"),
    Text("Nothing was bought", "何も買っていません"),
    Text("Something was bought: enter it", "買ったものを入力する"),
)
_HAPPENED = Untold(
    "happened",
    Text(
        "Only you can see whether this mission was lost by a rule of its own: {what}",
        "このミッションだけの失敗条件は、写真からは分かりません。{what}",
    ),
    Text("Has this never happened?", "これは一度も起きていませんか?"),
    Text("It has not happened", "起きていません"),
    Text("It has happened: enter it", "起きたので入力する"),
    last=True,
)


def untold(table: Table, record: TableRecord, verdict: CoopRuling) -> Iterator[Untold]:
    """Coins of which nothing was bought, where a token or a spellbook might have helped a group on, or been
    one too many; losses of the mission's own that nobody declared, where it is won."""
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
    return replace(each, name=each.name + number, words=part(each.words, **named))
