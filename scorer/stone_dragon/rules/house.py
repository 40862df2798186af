"""House rules of Stone Dragon, for questions that the rulebook leaves open."""

from __future__ import annotations

from typing import Literal

import msgspec


class House(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """House rules. `room_search`: a room is searched on entry, or by an action. `turn_under_dragon`,
    `turn_entrance`: whether these panels may be turned. `free_after_last`: free actions are allowed when
    no action is left. `curse_takes`: a curse takes an equipped chip, or else one in the hand.

    `steal_on_counter`: a defender who wins takes a chip. `defeat_ends_turn`: a player beaten in the own turn
    has no more actions. `dragon_is_monster`: a defeat by the dragon counts as one by a monster.
    `eloquence_any`: any player's card may be swapped."""

    room_search: Literal["on-entry", "action"] = "on-entry"
    turn_under_dragon: bool = True
    turn_entrance: bool = True
    free_after_last: bool = False
    curse_takes: Literal["equipped", "any"] = "equipped"
    steal_on_counter: bool = True
    defeat_ends_turn: bool = False
    dragon_is_monster: bool = True
    eloquence_any: bool = False
