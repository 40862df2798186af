"""House rules of the versus game with their defaults, and where the online edition differs from the
rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.text import NO_WORDS, Text, listed

Positive = Annotated[int, msgspec.Meta(ge=1, le=999)]
NotNegative = Annotated[int, msgspec.Meta(ge=0, le=999)]


@dataclass(frozen=True, slots=True)
class VersusSettings:
    """Settings of the versus game; the defaults are the project's house rules and the printed rulebook."""

    #: Cards that a player may lay in a round.
    card_limit: Positive = 5
    #: House: an opening that does not line up is closed and reported. True: the path of such a tableau counts
    #: nothing.
    misaligned_voids_path: bool = False
    #: House: a lava pit in a room counts only when the path goes over it, with a rope. False: it is
    #: discovered with the room, as pitfalls are, and going over it costs nothing.
    room_lava_needs_rope: bool = True
    #: House: what the hourglass bonus is worth.
    time_bonus_vp: NotNegative = 1
    #: House: no escape bonus for players without a single escape box. True: they may be second most, or most.
    escape_bonus_for_no_boxes: bool = False
    #: Who buys first in round 1: the rulebook's youngest player, or one drawn by lot (online edition).
    first_player: Literal["youngest", "random"] = "youngest"
    #: The timer that the rulebook advises for the exploration, in minutes; None is no limit (online edition).
    exploration_minutes: Positive | None = 5


HOUSE = VersusSettings()
#: The online edition: first player by lot, no time limit.
ONLINE = VersusSettings(first_player="random", exploration_minutes=None)

#: The settings that the ruling of one player's cards follows; the others are about the game around it.
RULING_SETTINGS = ("card_limit", "misaligned_voids_path", "room_lava_needs_rope")

_YES_OR_NO = Text("true or false")
#: What a setting takes, in words.
_TAKES: dict[str, Text] = {
    "card_limit": Text("a whole number from 1 to 999"),
    "misaligned_voids_path": _YES_OR_NO,
    "room_lava_needs_rope": _YES_OR_NO,
    "time_bonus_vp": Text("a whole number from 0 to 999"),
    "escape_bonus_for_no_boxes": _YES_OR_NO,
    "first_player": Text("youngest or random"),
    "exploration_minutes": Text("a whole number from 1 to 999, or none"),
}


S = TypeVar("S")


def checked(values: Mapping[str, Any]) -> VersusSettings:
    """Settings from `values`, validated. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    return checked_as(VersusSettings, values, _TAKES)


def checked_as(
    settings: type[S], values: Mapping[str, Any], takes: Mapping[str, Text], where: Text = NO_WORDS
) -> S:
    """Settings of a kind that differ from the usual by `values`; `takes` is what each takes, in words, and
    `where` the game that has them. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    types = get_type_hints(settings, include_extras=True)
    for name, value in values.items():
        if name not in types:
            raise WaymarkError(
                Code.UNKNOWN_SETTING,
                Text(
                    "There is no house rule {name!r}{where}; choose from {types}.",
                    name=name,
                    where=where,
                    types=listed(types),
                ),
            )
        try:
            msgspec.convert(value, types[name])
        except msgspec.ValidationError as error:
            raise WaymarkError(
                Code.BAD_SETTING,
                Text(
                    "The house rule {name} takes {takes}, not {value!r}.",
                    name=name,
                    takes=takes[name],
                    value=value,
                ),
            ) from error
    return settings(**values)


def departures(settings: Any) -> dict[str, Any]:
    """The fields of a settings dataclass that differ from their defaults."""
    return {
        field.name: value
        for field in fields(settings)
        if (value := getattr(settings, field.name)) != field.default
    }
