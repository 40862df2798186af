"""House rules of Labyrinth 2, for questions that the rulebook leaves open; the default of each comes
first."""

from __future__ import annotations

from typing import Literal

import msgspec


class House(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """House rules. `reverse`: the last push may not be undone by `any` pass, or by `others` than the same
    player's. `pushed_chip`: a chip pushed off goes onto the tile just `entered`, or stays on the `spare`.
    `round_trip`: out and back counts as a walk to a treasure. `take`: a player on a treasure `must` take
    it, or `may`.

    `front`: the dragon watches through `any` front, or only an `open` one. `same_tile`: an explorer on a
    gargoyle's own tile is `nearer` than one on the next, or `even`. `empty_handed`: an explorer without
    treasure `shields` those behind, or is `passed_over`."""

    reverse: Literal["any", "others"] = "any"
    pushed_chip: Literal["entered", "spare"] = "entered"
    round_trip: bool = False
    take: Literal["must", "may"] = "must"
    front: Literal["any", "open"] = "any"
    same_tile: Literal["nearer", "even"] = "nearer"
    empty_handed: Literal["shields", "passed_over"] = "shields"
