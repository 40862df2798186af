"""Objective scoring: counts and victory points of each objective, in total and after each step of a path."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scorer.dungeon import Dungeon
from scorer.errors import Code, WaymarkError
from scorer.mapmasters.rules.ruling import ObjectiveScore, Ruling
from scorer.text import Text, listed

#: Victory points for each discovery that matches the objective.
VP_EACH: dict[str, int] = {
    "barrel": 1,
    "sword": 1,
    "scroll": 1,
    "coin": 1,
    "key": 2,
    "rope": 3,
    "room": 1,
    "stairs": 1,
    "magic_circle": 2,
    "pit": 3,
    "padlock": 3,
    "monster": 3,
}

#: The objective that a find counts for; optimizers count for none.
OBJECTIVE_OF: dict[str, str] = {
    "coin": "coin",
    "barrel": "barrel",
    "sword": "sword",
    "key": "key",
    "rope": "rope",
    "scroll": "scroll",
    "monster": "monster",
    "padlock": "padlock",
    "pitfall": "pit",
    "lava_pit": "pit",
    "magic_circle": "magic_circle",
}

OPTIMIZERS = ("recycle", "scissors")


def check_objective(objective: str | None) -> None:
    """Validate the name of an objective; None is allowed. Raises `WaymarkError` (unknown-objective)."""
    if objective is not None and objective not in VP_EACH:
        raise WaymarkError(
            Code.UNKNOWN_OBJECTIVE,
            Text(
                "{objective!r} is not an objective; choose one of {vp_each}.",
                objective=objective,
                vp_each=listed(VP_EACH),
            ),
        )


def objective_score(objective: str | None, discovered: Mapping[str, int]) -> ObjectiveScore | None:
    """Count and victory points of `objective`. Raises `WaymarkError` (unknown-objective)."""
    check_objective(objective)
    if objective is None:
        return None
    count = discovered.get(objective, 0)
    return ObjectiveScore(objective=objective, count=count, vp=count * VP_EACH[objective])


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """Discoveries by objective, coins, and the current points of the round's objectives."""

    discovered: dict[str, int]
    coins: int
    primary: ObjectiveScore | None
    secondary: ObjectiveScore | None


def tallies(dungeon: Dungeon, ruling: Ruling) -> tuple[Tally, ...]:
    """The tally after each step; the last one equals the ruling's."""
    counts = dict.fromkeys(VP_EACH, 0)
    primary = ruling.primary.objective if ruling.primary is not None else None
    secondary = ruling.secondary.objective if ruling.secondary is not None else None
    told = []
    for step in ruling.steps:
        if step.way == "stairs":
            counts["stairs"] += 1
        if step.event == "entered":
            counts["room"] += 1
        for name in step.found:
            place = dungeon.places[name]
            objective = OBJECTIVE_OF.get(place.find or "")
            if objective is not None:
                counts[objective] += place.value if objective == "coin" else 1
        told.append(
            Tally(
                discovered=dict(counts),
                coins=counts["coin"],
                primary=objective_score(primary, counts),
                secondary=objective_score(secondary, counts),
            )
        )
    return tuple(told)
