"""House rules of Ice and Idols, for questions that the rulebook leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from scorer import house_settings


class House(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """House rules. `quick`: the quick game, in which all players have the five powers from the start.
    `architect_turns`: whether the architect may turn both tiles, or only the other one."""

    quick: bool = False
    architect_turns: Literal["both", "other"] = "both"


def house_of(told: Mapping[str, Any]) -> House:
    """The settings of a record's `house`. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    return house_settings.house_of(House, told)
