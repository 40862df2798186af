"""The market of the versus mode: tokens, spellbooks and cards for coins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.errors import Code, WaymarkError
from scorer.mapmasters.rules.final_score import market_order as order_of
from scorer.mapmasters.rules.game_record import coins_held
from scorer.mapmasters.rules.means import SPELLBOOKS, TOOLS
from scorer.mapmasters.rules.spellbooks import dungeon_card_price, tokens_not_bought
from scorer.mapmasters.rules.terms import CARD_PRICES, NO_TERMS, SPELLBOOK_PRICE, TOKEN_PRICE, Terms
from scorer.mapmasters.sheet import played_game
from scorer.mapmasters.words.reminders import MARKET_REPLACED_AFTER
from scorer.market import Ware
from scorer.sheet import Played, Row
from scorer.text import Text


@dataclass(frozen=True)
class VersusMarket:
    """`scorer.market.Market`: tokens, spellbooks and cards for coins."""

    wares: tuple[Ware, ...] = (
        Ware("fairy", Text("Fairy token"), "fairy_tokens", TOOLS, dict.fromkeys(TOOLS, TOKEN_PRICE)),
        Ware(
            "spellbook",
            Text("Spellbook"),
            "spellbooks",
            SPELLBOOKS,
            dict.fromkeys(SPELLBOOKS, SPELLBOOK_PRICE),
        ),
        Ware(
            "card",
            Text("Dungeon card"),
            None,
            tuple(map(str, CARD_PRICES)),
            {str(price): price for price in CARD_PRICES},
        ),
    )
    anew_after: int | None = MARKET_REPLACED_AFTER

    def price(self, ware: str, what: str, terms: Terms) -> int:
        prices = {each.id: each.prices for each in self.wares}.get(ware, {})
        if ware == "card" and what.isascii() and what.isdecimal():
            return dungeon_card_price(int(what), terms.spellbooks)
        if what not in prices:
            raise WaymarkError(Code.NOT_SOLD, Text("{what!r} is not sold in the market.", what=what))
        return prices[what]

    def order(self, players: Sequence[Played], terms: Terms, first: int = 0) -> tuple[str, ...]:
        return order_of(played_game(players, terms), first)

    def coins(self, rows: Sequence[Row]) -> tuple[int, ...]:
        (player,) = played_game([Played("", tuple(rows))], NO_TERMS).players
        return coins_held(player.rounds)

    def not_bought(self, terms: Terms, bought: Mapping[str, int]) -> dict[str, int]:
        return tokens_not_bought(terms.fairy_tokens, bought, terms.spellbooks)
