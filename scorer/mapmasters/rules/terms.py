"""Stated facts of a player's round that no photo shows: means held, the round's objectives, house rules;
and what the market sells them for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import msgspec

from scorer.mapmasters.rules.means import (
    PATH_SPELLBOOKS,
    SPELLBOOKS,
    TOOLS,
    checked_spellbooks,
    checked_tokens,
)
from scorer.mapmasters.rules.objectives import VP_EACH, check_objective
from scorer.mapmasters.rules.settings import (
    HOUSE,
    ONLINE,
    RULING_SETTINGS,
    VersusSettings,
    checked,
    departures,
)
from scorer.mapmasters.rules.spellbooks import SPELLBOOKS as BOOKS
from scorer.record import Objectives, Record
from scorer.sheet import Preset
from scorer.terms import Term
from scorer.text import Text

TOKEN_PRICE = 1
SPELLBOOK_PRICE = 2
CARD_PRICES = (3, 4, 5, 6)
#: A third spellbook takes the place of one of these.
MAX_SPELLBOOKS = 2
#: Fairy tokens of each kind in the box.
TOKENS_OF_A_KIND = 5


@dataclass(frozen=True)
class Terms:
    """The stated facts of a round: fairy tokens by kind, spellbooks by name, the round's objectives and the
    house rules. Construction raises `WaymarkError` (unknown-token, unknown-spellbook, unknown-objective)."""

    fairy_tokens: dict[str, int] = field(default_factory=dict)
    spellbooks: tuple[str, ...] = ()
    primary: str | None = None
    secondary: str | None = None
    settings: VersusSettings = HOUSE

    def __post_init__(self) -> None:
        tokens = {str(kind): count for kind, count in checked_tokens(self.fairy_tokens).items()}
        object.__setattr__(self, "fairy_tokens", tokens)
        object.__setattr__(self, "spellbooks", checked_spellbooks(self.spellbooks))
        check_objective(self.primary)
        check_objective(self.secondary)


#: Nothing held, no objective named, the project's house rules.
NO_TERMS = Terms()


def terms_of(record: Record, terms: Terms = NO_TERMS) -> Terms:
    """`terms`, overridden by the means and objectives that the record states itself. Raises as `Terms`."""
    asked = record.objectives
    return Terms(
        record.fairy_tokens or terms.fairy_tokens,
        record.spellbooks or terms.spellbooks,
        asked.primary or terms.primary,
        asked.secondary or terms.secondary,
        terms.settings,
    )


def with_terms(record: Record, terms: Terms) -> Record:
    """The record with the means and objectives of `terms` filled in, where it states none itself."""
    asked = record.objectives
    if (record.fairy_tokens, record.spellbooks, asked.primary, asked.secondary) == (
        terms.fairy_tokens,
        terms.spellbooks,
        terms.primary,
        terms.secondary,
    ):
        return record
    return msgspec.structs.replace(
        record,
        fairy_tokens=terms.fairy_tokens,
        spellbooks=terms.spellbooks,
        objectives=Objectives(primary=terms.primary, secondary=terms.secondary),
    )


def make_terms(values: Mapping[str, Any]) -> Terms:
    """Terms from values by the ids of `TERMS`. Raises `WaymarkError` (unknown-setting, bad-setting, and as
    `Terms`)."""
    told = {name: value for name, value in values.items() if name not in _HELD}
    terms = Terms(settings=checked(told) if told else HOUSE)
    held = {name: value for name, value in values.items() if name in _HELD}
    if "spellbooks" in held:
        held["spellbooks"] = tuple(held["spellbooks"])
    return replace(terms, **held)


def term_values(terms: Terms) -> dict[str, Any]:
    """The values of `terms` that differ from the defaults, by the ids of `TERMS`."""
    held = {name: getattr(terms, name) for name in _HELD}
    return {name: value for name, value in held.items() if value} | departures(terms.settings)


_HELD = tuple(each.name for each in fields(Terms) if each.name != "settings")

_FIRST_PLAYERS = {"youngest": Text("The youngest (first in the list)"), "random": Text("By lot")}


def _house(setting: str, label: Text, explanation: Text, **more: Any) -> Term:
    usual = getattr(HOUSE, setting)
    kind = more.pop("kind", "flag" if isinstance(usual, bool) else "number")
    return Term(
        id=setting,
        kind=kind,
        group="house",
        label=label,
        explanation=explanation,
        ruling=setting in RULING_SETTINGS,
        usual=usual,
        **more,
    )


#: Everything that is told, in the order in which forms ask for it.
TERMS: tuple[Term, ...] = (
    Term(
        "fairy_tokens", "counts", "held", Text("Fairy tokens"), choices=TOOLS, most=TOKENS_OF_A_KIND, usual={}
    ),
    Term(
        "spellbooks",
        "set",
        "held",
        Text("Spellbooks"),
        choices=SPELLBOOKS,
        choice_words={book.id: book.words for book in BOOKS.values()},
        most=len(SPELLBOOKS),
        usual=(),
        kept=True,
        at_once=MAX_SPELLBOOKS,
        in_rulings=tuple(name for name in SPELLBOOKS if name in PATH_SPELLBOOKS),
    ),
    Term(
        "primary",
        "choice",
        "objective",
        Text("Primary objective"),
        choices=tuple(VP_EACH),
        optional=True,
        worth=VP_EACH,
    ),
    Term(
        "secondary",
        "choice",
        "objective",
        Text("Secondary objective"),
        choices=tuple(VP_EACH),
        optional=True,
        worth=VP_EACH,
    ),
    _house(
        "card_limit",
        Text("Cards in a dungeon"),
        Text("How many cards a player may lay in a round; the rulebook says five."),
        least=1,
    ),
    _house(
        "misaligned_voids_path",
        Text("Cards out of line void the path"),
        Text("Off: a corridor that does not line up is only closed. On: the whole path counts nothing."),
    ),
    _house(
        "room_lava_needs_rope",
        Text("Lava pits in rooms need a rope"),
        Text(
            "On: a lava pit in a room counts only when the path crosses it with a rope. "
            "Off: it counts with the room, as a pitfall does."
        ),
    ),
    _house(
        "time_bonus_vp",
        Text("Points of the time bonus"),
        Text("What the first to finish gets in a round with an hourglass."),
    ),
    _house(
        "escape_bonus_for_no_boxes",
        Text("Escape bonus without an escape"),
        Text("Off: who never escaped gets no escape bonus. On: even no box can be second most."),
    ),
    _house(
        "first_player",
        Text("Who buys first in round 1"),
        Text("By lot, Waymark draws when the game begins."),
        kind="choice",
        choices=tuple(_FIRST_PLAYERS),
        choice_words=_FIRST_PLAYERS,
        until_begun=True,
    ),
    _house(
        "exploration_minutes",
        Text("Minutes to explore"),
        Text("The rulebook's optional timer; empty: no limit."),
        least=1,
        optional=True,
        timer=True,
    ),
)

#: The sets of house rules that have a name.
PRESETS = (
    Preset("house", Text("Rulebook and house rules")),
    Preset("online", Text("Online edition"), departures(ONLINE)),
)
