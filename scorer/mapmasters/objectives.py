"""What counts for objectives, and the victory points of each."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.errors import Code, WaymarkError
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


def check_objective(objective: str | None) -> None:
    """Raises `WaymarkError` (unknown-objective) for what is none; None says that there is none."""
    if objective is not None and objective not in VP_EACH:
        raise WaymarkError(
            Code.UNKNOWN_OBJECTIVE,
            f"{objective!r} is not an objective; choose one of {', '.join(VP_EACH)}.",
            f"{objective!r} という目標はありません。{'、'.join(VP_EACH)} から選んでください。",
        )


def objective_score(objective: str | None, discovered: Mapping[str, int]) -> ObjectiveScore | None:
    """Count and victory points of `objective`. Raises `WaymarkError` (unknown-objective)."""
    check_objective(objective)
    if objective is None:
        return None
    count = discovered.get(objective, 0)
    return ObjectiveScore(objective=objective, count=count, vp=count * VP_EACH[objective])
