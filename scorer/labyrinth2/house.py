"""Where the rulebook is silent, tables play as they like: the settings of `house`, the usual value first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_type_hints

import msgspec

from scorer.errors import Code, WaymarkError


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


_KINDS = get_type_hints(House)
#: The values of each setting, the usual one first.
SETTINGS: dict[str, tuple[Any, ...]] = {
    name: (False, True) if kind is bool else get_args(kind) for name, kind in _KINDS.items()
}


def house_of(told: Mapping[str, Any]) -> House:
    """The settings of a record's `house`. Raises `WaymarkError` (unknown-setting, bad-setting)."""
    for name, value in told.items():
        if name not in SETTINGS:
            names = list(SETTINGS)
            raise WaymarkError(
                Code.UNKNOWN_SETTING,
                f"There is no house rule {name!r}; choose from {', '.join(names)}.",
                f"{name!r} というハウスルールはありません。{'、'.join(names)} から選んでください。",
            )
        values = SETTINGS[name]
        # 1 and 0 equal true and false, but are no settings.
        if not any(value is known or (isinstance(known, str) and value == known) for known in values):
            choices = ["true or false"] if values == (False, True) else list(values)
            choices_ja = ["true か false"] if values == (False, True) else list(values)
            raise WaymarkError(
                Code.BAD_SETTING,
                f"The house rule {name} takes {' or '.join(choices)}, not {value!r}.",
                f"ハウスルール {name} に {value!r} は指定できません。"
                f"{' か '.join(choices_ja)} を指定してください。",
            )
    return House(**told)
