"""What counts for objectives, and the victory points of each."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.errors import WaymarkError
from scorer.mapmasters.ruling import ObjectiveScore

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


def objective_score(objective: str | None, discovered: Mapping[str, int]) -> ObjectiveScore | None:
    """Count and victory points of `objective`. Raises `WaymarkError` (unknown-objective)."""
    if objective is None:
        return None
    if objective not in VP_EACH:
        raise WaymarkError(
            "unknown-objective",
            f"{objective!r} is not an objective; choose one of {', '.join(VP_EACH)}.",
            f"{objective!r} という目標はありません。{'、'.join(VP_EACH)} から選んでください。",
        )
    count = discovered.get(objective, 0)
    return ObjectiveScore(objective=objective, count=count, vp=count * VP_EACH[objective])
