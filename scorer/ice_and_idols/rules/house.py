"""House rules of Ice and Idols, for questions that the rulebook leaves open."""

from __future__ import annotations

from typing import Literal

import msgspec


class House(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """House rules. `quick`: the quick game, in which all players have the five powers from the start.
    `architect_turns`: whether the architect may turn both tiles, or only the other one."""

    quick: bool = False
    architect_turns: Literal["both", "other"] = "both"
