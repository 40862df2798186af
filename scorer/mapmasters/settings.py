"""What a table may play differently: every house rule, and where the online edition differs from the
rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class VersusSettings:
    """Settings of the versus game; the defaults are the project's house rules and the printed rulebook."""

    #: Cards that a player may lay in a round.
    card_limit: int = 5
    #: House: an opening that does not line up is closed and reported. True: the path of such a tableau counts
    #: nothing.
    misaligned_voids_path: bool = False
    #: House: a lava pit in a room counts only when the path goes over it, with a rope. False: it is
    #: discovered with the room, as pitfalls are, and going over it costs nothing.
    room_lava_needs_rope: bool = True
    #: House: what the hourglass bonus is worth.
    time_bonus_vp: int = 1
    #: House: no escape bonus for players without a single escape box. True: they may be second most, or most.
    escape_bonus_for_no_boxes: bool = False
    #: Who buys first in round 1: the rulebook's youngest player, or one drawn by lot (online edition).
    first_player: Literal["youngest", "random"] = "youngest"
    #: The rulebook's optional timer of the exploration, in minutes; None is the online edition's (no limit).
    exploration_minutes: int | None = None


HOUSE = VersusSettings()
#: The online edition: first player by lot, no time limit.
ONLINE = VersusSettings(first_player="random")
