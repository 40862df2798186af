"""The market: what things cost, how many spellbooks may be held."""

from __future__ import annotations

TOKEN_PRICE = 1
SPELLBOOK_PRICE = 2
CARD_PRICES = (3, 4, 5, 6)
#: A third spellbook takes the place of one of these.
MAX_SPELLBOOKS = 2
#: Fairy tokens of each kind in the box.
TOKENS_OF_A_KIND = 5
