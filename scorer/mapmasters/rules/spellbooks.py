"""The seventeen spellbooks: the phase and the effect of each in our own words, and the arithmetic of the
market.

Those of the path are applied by `walk`; the others act in the market, on the hand, or in the refresh phase,
where people move the cards and this module says what is allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from scorer.mapmasters.rules.means import TOOLS, Tool
from scorer.text import Text

Phase = Literal["market", "hand", "path", "refresh"]

CHEAPER_CARD = "SB-10"
SECOND_TOKEN = "SB-15"


@dataclass(frozen=True, slots=True)
class Spellbook:
    """One spellbook card. `cooperative` cards are played in both modes; a `once_a_game` card is removed after
    use; `coins` is the cost of use."""

    id: str
    phase: Phase
    words: Text
    cooperative: bool = False
    once_a_game: bool = False
    coins: int = 0


_ALL = (
    Spellbook("SB-1", "path", Text("Defeat one monster without a sword."), True),
    Spellbook(
        "SB-2", "path", Text("Teleport from anywhere to a monster, which has to be defeated as usual."), True
    ),
    Spellbook("SB-3", "path", Text("Cross one pitfall or lava pit."), True),
    Spellbook("SB-4", "path", Text("Climb one pitfall that was not used before."), True),
    Spellbook(
        "SB-5", "path", Text("Remove this card for good to gain one fairy token of any kind."), True, True
    ),
    Spellbook("SB-6", "path", Text("Open one padlock without a key."), True),
    Spellbook("SB-7", "path", Text("The path may cross itself; corridors are still walked once."), True),
    Spellbook("SB-8", "path", Text("Teleport from a barrel to another barrel."), True),
    Spellbook("SB-9", "path", Text("Activate one magic circle without a scroll."), True),
    Spellbook("SB-10", "market", Text("Buy one dungeon card for 1 coin less.")),
    Spellbook("SB-11", "path", Text("Leave at the top or bottom edge and come back in exactly opposite.")),
    Spellbook("SB-12", "path", Text("Leave at the left or right edge and come back in exactly opposite.")),
    Spellbook("SB-13", "refresh", Text("Remove one of the five cards of this round for good.")),
    Spellbook(
        "SB-14", "refresh", Text("Pay 2 coins to keep one of the five cards for the next round."), coins=2
    ),
    Spellbook("SB-15", "market", Text("With a fairy token bought, take one of another kind for free.")),
    Spellbook("SB-16", "hand", Text("After drawing the first card, keep it or discard it.")),
    Spellbook("SB-17", "refresh", Text("Swap one card played for a market card of the same or lower value.")),
)
SPELLBOOKS: dict[str, Spellbook] = {book.id: book for book in _ALL}


def dungeon_card_price(cost: int, spellbooks: Collection[str] = ()) -> int:
    """The price of a dungeon card, given the spellbooks that can still be used this round."""
    return max(0, cost - 1) if CHEAPER_CARD in spellbooks else cost


def free_tokens(bought: Tool, spellbooks: Collection[str]) -> tuple[Tool, ...]:
    """The token kinds that come free with a bought fairy token; none without SB-15."""
    return tuple(tool for tool in TOOLS if tool != bought) if SECOND_TOKEN in spellbooks else ()


def tokens_not_bought(
    held: Mapping[str, int], bought: Mapping[str, int], spellbooks: Collection[str]
) -> dict[str, int]:
    """The number of tokens held for a round beyond those bought for it, by kind. SB-15 adds a free token to
    one that is paid for."""
    missing = {
        kind: count - bought.get(kind, 0) for kind, count in held.items() if count > bought.get(kind, 0)
    }
    for paid in TOOLS:
        if not missing.get(paid) and not bought.get(paid):
            continue
        free = next((kind for kind in free_tokens(paid, spellbooks) if missing.get(kind)), None)
        if free is not None:
            missing[free] -= 1
            break
    return {kind: count for kind, count in missing.items() if count}
