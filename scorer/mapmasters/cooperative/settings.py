"""What a table chooses of a cooperative game: how hard it is, and its house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec

from scorer.errors import Code, WaymarkError
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
    "means_limit": Text("both or either", "both か either"),
    "step_start": Text("stop or card", "stop か card"),
    "broken_rule": Text("lost or open", "lost か open"),
    "used_circles_count": Text("true or false", "true か false"),
    "token_supply": Text("a whole number from 0 to 999", "0 から 999 までの整数"),
}
_TYPES = get_type_hints(CoopSettings, include_extras=True)


def checked(values: Mapping[str, Any]) -> CoopSettings:
    """The house rules that `values` changes. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    for name, value in values.items():
        if name not in _TYPES:
            raise WaymarkError(
                Code.UNKNOWN_SETTING,
                f"There is no house rule {name!r} in the cooperative game; choose from {', '.join(_TYPES)}.",
                f"協力プレイに {name!r} というハウスルールはありません。"
                f"{'、'.join(_TYPES)} から選んでください。",
            )
        try:
            msgspec.convert(value, _TYPES[name])
        except msgspec.ValidationError as error:
            takes = _TAKES[name]
            raise WaymarkError(
                Code.BAD_SETTING,
                f"The house rule {name} takes {takes.en}, not {value!r}.",
                f"ハウスルール {name} に {value!r} は指定できません。{takes.ja} を指定してください。",
            ) from error
    return CoopSettings(**values)


def departures(settings: CoopSettings) -> dict[str, Any]:
    """The settings that differ from the defaults."""
    return {
        field.name: value
        for field in fields(settings)
        if (value := getattr(settings, field.name)) != getattr(HOUSE, field.name)
    }
