"""Cells within reach of figures, and the cheapest way to a goal with powers and the character's ability."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from scorer.ice_and_idols.rules.actions import COSTS, faults, play
from scorer.ice_and_idols.rules.pieces import IdolKind
from scorer.ice_and_idols.rules.position import Position, Stand, Traveller
from scorer.ice_and_idols.rules.temple_frame import (
    CELLS,
    NEIGHBOURS,
    UNDER,
    across,
    apart,
    beside,
    cell_of,
    number_of,
)
from scorer.ice_and_idols.rules.turn_record import (
    Action,
    Architect,
    Curator,
    Gold,
    Jade,
    Keysmith,
    Move,
    Quarter,
    Ruby,
    Sculptor,
)
from scorer.ice_and_idols.rules.validation import Cheapest
from scorer.record import Rotation
from scorer.square_grid import SIDES

QUARTERS: tuple[Quarter, ...] = ("clockwise", "counterclockwise")
ROTATIONS: tuple[Rotation, ...] = (0, 90, 180, 270)


def walks(position: Position, stand: Stand, most: int) -> dict[Stand, int]:
    """The least AP to every corridor within reach of the given AP; the current one has 0."""
    found = {stand: 0}
    ahead = deque([stand])
    while ahead:
        here = ahead.popleft()
        steps = found[here] + 1
        if steps > most:
            break
        sides = position.sides(here)
        for side in range(4):
            if not sides >> side & 1:
                continue
            cell = NEIGHBOURS[here.cell][side]
            corridor = position.opening(cell, across(side))
            if corridor is None:
                continue
            there = Stand(cell, corridor)
            if there not in found:
                found[there] = steps
                ahead.append(there)
    return found


# --- the cheapest way ---------------------------------------------------------------------------------------


def cheapest_way(position: Position, asked: Cheapest, most: int) -> tuple[int, list[Action]] | None:
    """The least AP with which a player can reach the requested place, and one sequence of actions that does
    so. The search is A*, since one AP brings the figure at most one step nearer. None where more than
    `most` AP are needed."""
    who = position.players[asked.player]
    goals = goal_cells(position, asked)
    turns = "jade" in asked.with_ and "jade" in who.powers and asked.to.cell is None

    def left(state: Position) -> int:
        """A lower bound on the AP still needed from a state (the A* heuristic)."""
        cell = state.stands[who.figure].cell
        near = [
            _distance(cell, goals(quarters)) + 2 * _turns(state.quarters, quarters) for quarters in range(4)
        ]
        return min(near) if turns else near[state.quarters]

    order = count()
    start = position.copy()
    best = {_key(start): 0}
    queue: list[tuple[int, int, int, Position, tuple[Action, ...]]] = []
    heapq.heappush(queue, (left(start), 0, next(order), start, ()))
    while queue:
        guess, _, _, state, done = heapq.heappop(queue)
        if guess > most:
            return None
        spent = sum(COSTS[type(action)] for action in done)
        if best[_key(state)] < spent:
            continue
        if state.stands[who.figure].cell in goals(state.quarters):
            return spent, list(done)
        for actions in _tries(state, state.players[who.name], asked.with_, most - spent):
            after, cost = _played(state, who.name, actions)
            if after is None or spent + cost > most:
                continue
            known = best.get(_key(after))
            if known is not None and known <= spent + cost:
                continue
            best[_key(after)] = spent + cost
            guess = spent + cost + left(after)
            if guess <= most:
                heapq.heappush(queue, (guess, -spent - cost, next(order), after, (*done, *actions)))
    return None


def goal_cells(position: Position, asked: Cheapest) -> Callable[[int], frozenset[int]]:
    """The cells of the temple at which a goal is reached, for each rotation of the map in quarter turns."""
    goal = asked.to
    if goal.cell is not None:
        cell = frozenset({number_of(goal.cell)})
        return lambda quarters: cell

    def shows(number: int) -> bool:
        if goal.map is not None:
            return number == number_of(goal.map)
        spot = position.spots[number] if position.spots is not None else None
        return spot is not None and (goal.idol in spot.idols or goal.altar in spot.altars)

    by_turn = [
        frozenset(cell for cell in range(CELLS) if shows(UNDER[quarters][cell])) for quarters in range(4)
    ]
    return lambda quarters: by_turn[quarters]


def _turns(quarters: int, other: int) -> int:
    """The number of quarter turns between two orientations of the map (0 to 2)."""
    between = (quarters - other) % 4
    return min(between, 4 - between)


def _distance(cell: int, goals: frozenset[int]) -> int:
    return min((apart(cell, goal) for goal in goals), default=1_000)


def _key(state: Position) -> tuple[Any, ...]:
    kept = tuple(sorted(name for player in state.players.values() for name in player.kept))
    stands = tuple(sorted((figure, stand.cell, stand.corridor) for figure, stand in state.stands.items()))
    return tuple(state.tiles), stands, state.quarters, tuple(sorted(state.discard or ())), kept


def _played(state: Position, name: str, actions: tuple[Action, ...]) -> tuple[Position | None, int]:
    """The position after a sequence of actions, and its cost in AP; None where an action is impossible."""
    after = state.copy()
    who = after.players[name]
    cost = 0
    for action in actions:
        if faults(after, who, action):
            return None, 0
        play(after, who, action)
        cost += COSTS[type(action)]
    return after, cost


def _tries(
    state: Position, who: Traveller, means: tuple[str, ...], left: int
) -> Iterator[tuple[Action, ...]]:
    """Candidate next actions. A tile is turned only just before a step onto or off it; earlier turns cost the
    same and change nothing."""
    stand = state.stands[who.figure]
    ruby = "ruby" in means and "ruby" in who.powers
    yield from _steps(state, stand, left, ruby=ruby)
    if "jade" in means and "jade" in who.powers and left >= COSTS[Jade]:
        yield from ((Jade(turn=turn),) for turn in QUARTERS)
    if "gold" in means and "gold" in who.powers and left >= COSTS[Gold]:
        yield from _slides(state)
    if "character" in means:
        for first in _own_turns(state, stand, left, ruby=ruby):
            for action in _abilities(state, who, left - len(first)):
                yield (*first, action)
        if ruby and state.pieces.characters.get(who.figure) == "curator":
            yield from _jumps(state, stand, left)


def _own_turns(state: Position, stand: Stand, left: int, *, ruby: bool) -> list[tuple[Action, ...]]:
    """The possible rotations of the own tile: none, or one to three quarter turns, of which three count as
    one turn back."""
    if not ruby:
        return [()]
    column, row = cell_of(stand.cell)
    once: list[tuple[Action, ...]] = [(Ruby(cell=(column, row), turn=turn),) for turn in QUARTERS]
    return [each for each in ((), *once, once[0] * 2) if len(each) <= left]


def _steps(state: Position, stand: Stand, left: int, *, ruby: bool) -> Iterator[tuple[Action, ...]]:
    """Single steps, each with paid rotations of the own tile and the next one before it."""
    here = state.sides(stand)
    for side, name in enumerate(SIDES):
        cell = NEIGHBOURS[stand.cell][side]
        if state.tiles[cell] is None:
            continue
        offs = [
            turns
            for turns in _own_turns(state, stand, left - 1, ruby=ruby)
            if _turned(here, turns) >> side & 1
        ]
        column, row = cell_of(cell)
        ons: list[tuple[Action, ...]] = [()]
        if ruby:
            once: list[tuple[Action, ...]] = [(Ruby(cell=(column, row), turn=turn),) for turn in QUARTERS]
            ons += [*once, once[0] * 2]
        for off in offs:
            for on in ons:
                if len(off) + len(on) < left:
                    yield (*off, *on, Move(to=name))


def _turned(sides: int, turns: tuple[Action, ...]) -> int:
    for turn in turns:
        quarters = 1 if isinstance(turn, Ruby) and turn.turn == "clockwise" else 3
        sides = (sides << quarters | sides >> (4 - quarters)) & 15
    return sides


def _jumps(state: Position, stand: Stand, left: int) -> Iterator[tuple[Action, ...]]:
    """The curator's jumps onto a tile that is turned before."""
    for side, name in enumerate(SIDES):
        column, row = cell_of(beside(stand.cell, side, 2))
        once: list[tuple[Action, ...]] = [(Ruby(cell=(column, row), turn=turn),) for turn in QUARTERS]
        for off in _own_turns(state, stand, left, ruby=True):
            for on in (*once, once[0] * 2):
                if len(off) + len(on) + COSTS[Curator] <= left:
                    yield (*off, *on, Curator(to=name))


def _slides(state: Position) -> Iterator[tuple[Action, ...]]:
    for empty in range(CELLS):
        if state.tiles[empty] is not None:
            continue
        for side in range(4):
            cell = NEIGHBOURS[empty][side]
            if state.tiles[cell] is not None:
                yield (Gold(cell=cell_of(cell), to=SIDES[across(side)]),)


def _abilities(state: Position, who: Traveller, left: int) -> Iterator[Action]:
    character = state.pieces.characters.get(who.figure)
    if character == "curator" and left >= COSTS[Curator]:
        yield from (Curator(to=side) for side in SIDES)
    elif character == "sculptor" and left >= COSTS[Sculptor]:
        yield from (Sculptor(to=side) for side in SIDES)
    elif character == "keysmith" and left >= COSTS[Keysmith] and state.discard is not None:
        for tile in sorted({*state.discard, *who.kept}):
            for rotation in _ways(state, tile):
                yield from (Keysmith(to=side, tile=tile, rotation=rotation) for side in SIDES)
    elif character == "architect" and left >= COSTS[Architect]:
        yield from _architect_tries(state, who)


def _architect_tries(state: Position, who: Traveller) -> Iterator[Action]:
    cell = state.stands[who.figure].cell
    own = state.tiles[cell]
    for side in SIDES:
        other = state.tiles[NEIGHBOURS[cell][SIDES.index(side)]]
        fixed = other is not None and state.house.architect_turns == "other"
        # The figure rides one of its corridors, so every rotation of the own tile is another.
        mine: list[Rotation | None] = [None] if fixed or own is None else [*ROTATIONS]
        theirs: list[Rotation | None] = [None] if other is None else [*_ways(state, other[0])]
        for rotation in mine:
            for other_rotation in theirs:
                yield Architect(to=side, rotation=rotation, other_rotation=other_rotation)


def _ways(state: Position, tile: str) -> list[Rotation]:
    """The rotations of a tile that give distinct sets of open sides."""
    found: dict[Any, Rotation] = {}
    for rotation in ROTATIONS:
        found.setdefault(frozenset(state.pieces.lying[tile, rotation]), rotation)
    return list(found.values())


def gets(position: Position, reached: dict[Stand, int], what: str) -> dict[IdolKind, int]:
    """The least AP of a walk to a tile over each idol, or altar."""
    least: dict[IdolKind, int] = {}
    for stand, steps in reached.items():
        spot = position.spot(stand.cell)
        for kind in () if spot is None else getattr(spot, what):
            least[kind] = min(steps, least.get(kind, steps))
    return least
