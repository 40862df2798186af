"""Plans that games of one mission share: a seed's games at several difficulties mostly go the same way, and
what was planned on the same table with the same in hand need not be planned again."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, field

from calibration.missions.losses import Limits
from calibration.missions.routes import Planner
from calibration.missions.travel import Board, Cell, Kit, Others, Route, Ways
from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative.mission import Goal, Mission, Plan, slots_of
from scorer.mapmasters.cooperative.settings import Difficulty
from scorer.mapmasters.means import TOOLS


def named_cards(mission: Mission) -> list[str]:
    """The cards that slots name."""
    return [slot.card for slot in slots_of(mission).values() if slot.card is not None]


def ways_of(catalogue: Catalogue, plan: Plan) -> Ways:
    """The ways over every card. They stop where a goal asks a path to end."""
    stops: dict[str, set[str]] = {}
    for goal in plan.goals.values():
        if goal.card is not None:
            stops.setdefault(goal.card, set()).update(goal.places or ())
    return Ways(catalogue, {card: frozenset(at) for card, at in stops.items()})


@dataclass
class Plans:
    """`ways` hold for all games of a mission; routes are worth keeping for one seed's games."""

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
        """The cheapest way found to a goal, looked for once."""
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
    """What of a difficulty bears on a way to a goal: whether used tools count, whether more is too many."""
    if not counts:
        return ""
    if difficulty == "hard":
        return "exactly"
    return "used too" if difficulty in ("rookie", "easy") and not set(TOOLS).isdisjoint(counts) else "unused"
