"""Cache of plans shared by games of one mission. Games of one seed at several difficulties mostly run
alike, so plans for the same table and hands are reused."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, field

from calibration.missions.losses import Limits
from calibration.missions.routes import Planner
from calibration.missions.travel import Board, Cell, Kit, Others, Route, Ways
from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative.rules.mission import Goal, Mission, Plan, slots_of
from scorer.mapmasters.cooperative.rules.settings import Difficulty
from scorer.mapmasters.rules.means import TOOLS


def named_cards(mission: Mission) -> list[str]:
    """Ids of the cards named by a mission's slots."""
    return [slot.card for slot in slots_of(mission).values() if slot.card is not None]


def ways_of(catalogue: Catalogue, plan: Plan) -> Ways:
    """The paths over every card. They end at places where a goal requires a path to end."""
    stops: dict[str, set[str]] = {}
    for goal in plan.goals.values():
        if goal.card is not None:
            stops.setdefault(goal.card, set()).update(goal.places or ())
    return Ways(catalogue, {card: frozenset(at) for card, at in stops.items()})


@dataclass
class Plans:
    """Caches for planning. `ways` apply to all games of a mission; `routes` are reused only within games
    of one seed."""

    ways: Ways
    routes: dict[Hashable, Route | None] = field(default_factory=dict)

    def route(
        self,
        board: Board,
        goal: Goal,
        difficulty: Difficulty,
        hands: Collection[str],
        others: Others,
        banned: frozenset[tuple[object, ...]],
        to_carry: frozenset[str],
        limits: Limits,
        starts: Collection[tuple[Cell, str]],
        kit: Kit,
    ) -> Route | None:
        """The cheapest path found to a goal, computed once for equal arguments."""
        key = (
            # Ways of one cost come in the order in which cards were laid.
            (tuple(board.laid.items()), tuple(board.hidden.items()), frozenset(board.empty)),
            (frozenset(board.used), frozenset(board.struck)),
            tuple((cell, frozenset(names)) for cell, names in board.artifacts.items()),
            (goal.id, _counting(difficulty, goal.counts)),
            frozenset(hands),
            (frozenset(others.used), tuple(others.cards.items())),
            (frozenset(others.kept), frozenset(others.hoped)),
            (banned, to_carry, limits, tuple(starts)),
            (tuple(kit.held.items()), kit.tokens, tuple(sorted(kit.found.items())), kit.artifacts),
        )
        if key not in self.routes:
            planner = Planner(board, goal, difficulty, hands, others, banned, to_carry, limits)
            self.routes[key] = planner.route(starts, kit)
        return self.routes[key]


def _counting(difficulty: Difficulty, counts: Collection[str]) -> str:
    """The part of a difficulty that affects a path to a goal: whether used tools count, and whether
    surplus is forbidden."""
    if not counts:
        return ""
    if difficulty == "hard":
        return "exactly"
    return "used too" if difficulty in ("rookie", "easy") and not set(TOOLS).isdisjoint(counts) else "unused"
