"""The house rules in words, for the form that begins a game: every field of `VersusSettings` has its line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from flask_babel import gettext

from scorer.mapmasters.settings import (
    HOUSE,
    ONLINE,
    RULING_SETTINGS,
    VersusSettings,
    departures,
    with_settings,
)

FIELD_PREFIX = "rule-"


@dataclass(frozen=True)
class HouseRule:
    """One setting as a form shows it. `kind` is number, yes_no or choice; `minimum` is for numbers, and an
    empty number means none where `optional`; `choices` are (value, words)."""

    name: str
    label: str
    explanation: str
    kind: str
    value: Any
    minimum: int = 0
    optional: bool = False
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Preset:
    """A set of house rules with a name; `values` as the form's fields have them."""

    name: str
    words: str
    values: dict[str, str]


def house_rules(settings: VersusSettings = HOUSE) -> tuple[HouseRule, ...]:
    """Every house rule, in the order of the settings."""
    words: dict[str, dict[str, Any]] = {
        "card_limit": {
            "label": gettext("Cards in a dungeon"),
            "explanation": gettext("How many cards a player may lay in a round; the rulebook says five."),
            "kind": "number",
            "minimum": 1,
        },
        "misaligned_voids_path": {
            "label": gettext("Cards out of line void the path"),
            "explanation": gettext(
                "Off: a corridor that does not line up is only closed. On: the whole path counts nothing."
            ),
            "kind": "yes_no",
        },
        "room_lava_needs_rope": {
            "label": gettext("Lava pits in rooms need a rope"),
            "explanation": gettext(
                "On: a lava pit in a room counts only when the path crosses it with a rope. "
                "Off: it counts with the room, as a pitfall does."
            ),
            "kind": "yes_no",
        },
        "time_bonus_vp": {
            "label": gettext("Points of the time bonus"),
            "explanation": gettext("What the first to finish gets in a round with an hourglass."),
            "kind": "number",
        },
        "escape_bonus_for_no_boxes": {
            "label": gettext("Escape bonus without an escape"),
            "explanation": gettext(
                "Off: who never escaped gets no escape bonus. On: even no box can be second most."
            ),
            "kind": "yes_no",
        },
        "first_player": {
            "label": gettext("Who buys first in round 1"),
            "explanation": gettext("By lot, Waymark draws when the game begins."),
            "kind": "choice",
            "choices": (
                ("youngest", gettext("The youngest (first in the list)")),
                ("random", gettext("By lot")),
            ),
        },
        "exploration_minutes": {
            "label": gettext("Minutes to explore"),
            "explanation": gettext("The rulebook's optional timer; empty: no limit."),
            "kind": "number",
            "minimum": 1,
            "optional": True,
        },
    }
    return tuple(
        HouseRule(name=each.name, value=getattr(settings, each.name), **words[each.name])
        for each in fields(VersusSettings)
    )


def ruling_rules() -> tuple[HouseRule, ...]:
    """The house rules that the ruling of one player's cards follows."""
    return tuple(rule for rule in house_rules() if rule.name in RULING_SETTINGS)


def begun_rules() -> tuple[HouseRule, ...]:
    """The house rules that may change in a game that has begun: who buys first is decided by then."""
    return tuple(rule for rule in house_rules() if rule.name != "first_player")


def presets() -> tuple[Preset, ...]:
    """The sets of house rules that the form offers."""
    return (
        Preset("house", gettext("Rulebook and house rules"), as_words(HOUSE)),
        Preset("online", gettext("Online edition"), as_words(ONLINE)),
    )


def as_words(settings: VersusSettings) -> dict[str, str]:
    """Settings as `with_settings` reads them."""
    return {name: "none" if value is None else str(value).lower() for name, value in asdict(settings).items()}


def settings_from(form: Mapping[str, str]) -> VersusSettings:
    """The settings that a form asks for. Raises `WaymarkError` (bad-setting)."""
    values = {}
    for rule in house_rules():
        given = form.get(FIELD_PREFIX + rule.name)
        if rule.kind == "yes_no":
            # A form leaves out what is not ticked.
            values[rule.name] = "true" if given else "false"
        elif given is not None:
            values[rule.name] = given.strip() or ("none" if rule.optional else "")
    return with_settings(HOUSE, values)


def changed_rules(settings: VersusSettings) -> list[HouseRule]:
    """The house rules of a game that differ from the usual ones."""
    changed = departures(settings)
    return [rule for rule in house_rules(settings) if rule.name in changed]
