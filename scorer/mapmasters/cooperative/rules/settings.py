"""Settings of the cooperative game: difficulty and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import msgspec

from scorer.mapmasters.rules.settings import checked_as
from scorer.text import Text

Difficulty = Literal["rookie", "easy", "normal", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)


@dataclass(frozen=True, slots=True)
class CoopSettings:
    """House rules of the cooperative game; the defaults are the project's."""

    #: Whether a group may have tokens and spellbooks both.
    means_limit: Literal["both", "either"] = "both"
    #: Where a path begins on a step card: where the one before it stopped, or at any free corridor there.
    step_start: Literal["stop", "card"] = "stop"
    #: What becomes of the mission when a path breaks a rule that is no dead end.
    broken_rule: Literal["lost", "open"] = "lost"
    #: Whether circles that were teleported from or to count for goals at normal and hard.
    used_circles_count: bool = True
    #: Fairy tokens of each kind in the box.
    token_supply: Annotated[int, msgspec.Meta(ge=0, le=999)] = 5


HOUSE = CoopSettings()

_TAKES: dict[str, Text] = {
    "means_limit": Text("both or either"),
    "step_start": Text("stop or card"),
    "broken_rule": Text("lost or open"),
    "used_circles_count": Text("true or false"),
    "token_supply": Text("a whole number from 0 to 999"),
}
_GAME = Text(" in the cooperative game")


def checked(values: Mapping[str, Any]) -> CoopSettings:
    """Settings from `values`, validated. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    return checked_as(CoopSettings, values, _TAKES, _GAME)
