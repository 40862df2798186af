"""What has been discovered up to each step of a ruling, as a player counts along the path."""

from __future__ import annotations

import msgspec

from scorer.dungeon import Dungeon
from scorer.mapmasters.objectives import OBJECTIVE_OF, VP_EACH, objective_score
from scorer.mapmasters.ruling import ObjectiveScore, Ruling


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """Discoveries by objective, coins, and what the round's objectives are worth so far."""

    discovered: dict[str, int]
    coins: int
    primary: ObjectiveScore | None
    secondary: ObjectiveScore | None


def tallies(dungeon: Dungeon, ruling: Ruling) -> tuple[Tally, ...]:
    """One tally for each step; the last says what the ruling says."""
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
