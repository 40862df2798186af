"""Where the rulebook is silent, tables play as they like: the settings of `house`, the usual value first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from scorer import house_settings


class House(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a table plays. `reverse`: the last push is not undone by `any` pass, or by `others` than its
    player. `pushed_chip`: a chip pushed off goes onto the tile just `entered`, or stays on the `spare`.
    `round_trip`: out and back counts as a walk to a treasure. `take`: whoever stops on a treasure that may be
    taken `must` take it, or `may`. `front`: the dragon looks through `any` front, or through an `open` one.
    `same_tile`: a gargoyle's own tile is `nearer` than the next, or `even`. `empty_handed`: who has no
    treasure `shields` those behind, or is `passed_over`."""

    reverse: Literal["any", "others"] = "any"
    pushed_chip: Literal["entered", "spare"] = "entered"
    round_trip: bool = False
    take: Literal["must", "may"] = "must"
    front: Literal["any", "open"] = "any"
    same_tile: Literal["nearer", "even"] = "nearer"
    empty_handed: Literal["shields", "passed_over"] = "shields"


def house_of(told: Mapping[str, Any]) -> House:
    """The settings of a record's `house`. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    return house_settings.house_of(House, told)
