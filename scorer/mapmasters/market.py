"""The market's sums: what everyone begins with, what things cost, how many spellbooks may be held."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.mapmasters.game import Round

STARTING_COINS = 6
TOKEN_PRICE = 1
SPELLBOOK_PRICE = 2
CARD_PRICES = (3, 4, 5, 6)
#: A third spellbook takes the place of one of these.
MAX_SPELLBOOKS = 2
#: Fairy tokens of each kind in the box.
TOKENS_OF_A_KIND = 5


def coins_held(rounds: Iterable[Round]) -> int:
    """Coins after these rounds; below 0 where more was spent than written down as received."""
    return STARTING_COINS + sum(each.coins_received - each.coins_spent for each in rounds)
