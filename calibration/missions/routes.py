"""Planning one group's way to a goal: a beam search over cards.

A card that lies offers its ways, an empty slot those of every card in hand, and for more the hope of any
card: such a slot leads wherever one likes and brings one of what is still missing. What is dearer is done
only where nothing cheaper does: a card from a hand, hope, a detour.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from calibration.missions.board import ROTATIONS, Board, Kit, Leg, Route, beyond
from calibration.missions.losses import Limits
from calibration.missions.strides import OPPOSITE_SIDE, STEP, Cell, LaidWay, Mouth, Stride
from scorer.mapmasters.cooperative.mission import Goal
from scorer.mapmasters.cooperative.settings import Difficulty
from scorer.mapmasters.means import TOOLS

BEAM = 32
ANYTHING_GOES = Limits()
MOST_LEGS = 24
#: Ways that come to the same place and bring as much: this many are followed.
ALIKE = 2

# What a leg costs, in legs over cards that lie. Tried on the open deck's first mission.
FROM_HAND = 1.6
HOPE = 4.0
SHARED = 2.0
SHORT = 4.0
JUMP = 1.5

#: Before a mouth of a slot, or (a name) on a circle, from where teleports lead.
_Spot = tuple[Cell, Mouth] | str
_SWORD = TOOLS.index("sword")
_CIRCLE = "circle"
_OUT = "out"
_LEVELS = ("main", "underground")
_MOUTHS = tuple(
    Mouth(side, at, level)
    for level in _LEVELS
    for side in STEP
    for at in ((4, 13) if side in ("left", "right") else (6,))
)


class _Trail(NamedTuple):
    """A way so far. It stands before `mouth` of `cell`, or (`at`) on a place there."""

    cost: float
    cell: Cell
    mouth: Mouth | None
    at: str | None
    held: tuple[int, ...]
    items: tuple[int, ...]
    found: tuple[int, ...]
    artifacts: frozenset[str]
    legs: tuple[Leg, ...]
    used: frozenset[tuple[Cell, str]]
    laid: tuple[tuple[Cell, str, int], ...]
    jumped: bool = False


class _Crossing(NamedTuple):
    """What a stride over the card in one slot comes to: its places, those of them that the trail may not have
    been at, and what it brings in order (by the index of a tool; tolls are below nothing)."""

    spots: frozenset[tuple[Cell, str]]
    new: frozenset[tuple[Cell, str]]
    tools: tuple[tuple[int, int], ...]
    found: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Others:
    """What the other groups plan: places that they mean to use, cards that they mean to lay and where, empty
    slots that are kept for them, and those that they hope for."""

    used: Collection[tuple[Cell, str]]
    cards: Mapping[Cell, tuple[str, int]]
    kept: Collection[Cell] = ()
    hoped: Collection[Cell] = ()


class Planner:
    """Looks for the cheapest way to one goal."""

    def __init__(
        self,
        board: Board,
        goal: Goal,
        difficulty: Difficulty,
        hands: Collection[str],
        others: Others,
        banned: Collection[tuple[object, ...]] = frozenset(),
        to_carry: Collection[str] = frozenset(),
        limits: Limits = ANYTHING_GOES,
    ) -> None:
        self._board, self._goal, self._difficulty = board, goal, difficulty
        self._others, self._banned, self._limits = others, banned, limits
        self._to_carry = {*to_carry, *goal.artifacts}
        self._hands = sorted(set(hands) - {card for card, _ in others.cards.values()})
        self._kinds = tuple(kind for kind in goal.counts if kind not in TOOLS)
        self._target = board.cell_of(goal.card) if goal.card is not None else None
        self._options: dict[Mouth, list[tuple[str, int, Stride, LaidWay]]] = {}
        self._lairs = {name: cell for cell, names in board.artifacts.items() for name in names}
        self._asked = [
            (wanted, TOOLS.index(kind) if kind in TOOLS else -1, kind) for kind, wanted in goal.counts.items()
        ]
        self._taken: dict[Cell, set[str]] = {}
        for cell, name in [*board.used, *others.used]:
            self._taken.setdefault(cell, set()).add(name)
        self._crossings: dict[tuple[Cell, int, bool], _Crossing | None] = {}
        self._circles = [(cell, name) for cell in board.laid for name in board.way(cell).circles]
        self._ahead = self._distances()

    def route(self, starts: Collection[tuple[Cell, str]], kit: Kit) -> Route | None:
        """The cheapest way found from one of the places."""
        best: Route | None = None
        held = tuple(kit.held.get(tool, 0) for tool in TOOLS)
        tokens = tuple(int(tool in kit.tokens) for tool in TOOLS)
        self._tokens = tokens
        self._swords = held[_SWORD] - kit.found.get("sword", 0)
        items = tuple(kit.found.get(tool, 0) for tool in TOOLS)
        found = tuple(kit.found.get(kind, 0) for kind in self._kinds)
        beam = [
            _Trail(0.0, cell, None, name, held, items, found, kit.artifacts, (), frozenset(), ())
            for cell, name in starts
        ]
        for _ in range(MOST_LEGS):
            grown: list[tuple[float, _Trail]] = []
            for trail in beam:
                for there in self._onward(trail):
                    if isinstance(there, Route):
                        if (best is None or there.cost < best.cost) and there.legs not in self._banned:
                            best = there
                        continue
                    hoped = self._hoped(there)
                    if hoped is not None and (best is None or hoped < best.cost):
                        grown.append((hoped, there))
            beam = self._kept(grown)
            if not beam:
                break
        return best

    def _kept(self, grown: list[tuple[float, _Trail]]) -> list[_Trail]:
        grown.sort(key=lambda each: each[0])
        count: dict[object, int] = {}
        beam: list[_Trail] = []
        for _, trail in grown:
            key = (trail.cell, trail.mouth, trail.at, self._worth(trail), trail.found, trail.artifacts)
            count[key] = count.get(key, 0) + 1
            if count[key] <= ALIKE:
                beam.append(trail)
                if len(beam) == BEAM:
                    break
        return beam

    def _worth(self, trail: _Trail) -> tuple[int, ...]:
        """What is held of each tool, as far as more of it is of any use."""
        return tuple(
            min(count, self._goal.counts.get(tool, 0) + 1)
            for tool, count in zip(TOOLS, trail.held, strict=True)
        )

    # What is still missing.

    def _has(self, trail: _Trail) -> dict[str, int]:
        """What counts for the goal."""
        kept = self._difficulty in ("rookie", "easy")
        counts = {}
        for _, tool, kind in self._asked:
            if tool < 0:
                counts[kind] = trail.found[self._kinds.index(kind)]
            elif kept:
                counts[kind] = trail.items[tool] + min(self._tokens[tool], trail.held[tool])
            else:
                counts[kind] = trail.held[tool]
        return counts

    def _short(self, trail: _Trail) -> dict[str, int]:
        if not self._asked:
            return {}
        has = self._has(trail)
        exact = self._difficulty == "hard"
        gaps = {kind: wanted - has[kind] for kind, wanted in self._goal.counts.items()}
        return {kind: gap for kind, gap in gaps.items() if gap > 0 or (gap and exact)}

    def _hoped(self, trail: _Trail) -> float | None:
        """What a trail will have cost in the end, at least; None where it cannot come there."""
        short = sum(abs(gap) for gap in self._short(trail).values())
        wanted = [name for name in self._goal.artifacts if name not in trail.artifacts]
        ahead = self._ahead[self._lairs.get(wanted[0], None) if wanted else None]
        far = self._far(trail, ahead)
        return None if far is None else trail.cost + SHORT * short + far

    def _far(self, trail: _Trail, ahead: Mapping[_Spot, float]) -> float | None:
        if trail.mouth is not None:
            return ahead.get((trail.cell, trail.mouth))
        assert trail.at is not None
        way = self._board.way(trail.cell)
        ends = (self._next(trail.cell, way, stride.end) for stride in way.strides(trail.at))
        return min((1 + ahead[end] for end in ends if end in ahead), default=None)

    def _next(self, cell: Cell, way: LaidWay, end: str) -> _Spot:
        mouth = way.mouth.get(end)
        if mouth is None:
            return _CIRCLE if end in way.circles else _OUT
        return self._beyond(cell, mouth)

    def _beyond(self, cell: Cell, mouth: Mouth) -> _Spot:
        """Where one comes out by a mouth: in the next slot, or outside; "" where that is no way."""
        there = beyond(cell, mouth.side)
        if not self._board.is_slot(there):
            return _OUT if mouth.side in self._goal.sides else ""
        return there, Mouth(OPPOSITE_SIDE[mouth.side], mouth.at, mouth.level)

    def _distances(self) -> dict[Cell | None, dict[_Spot, float]]:
        """For every mouth what the goal is away at least (None), or by way of an artifact's card."""
        back: dict[_Spot, list[tuple[_Spot, float]]] = {}
        goals: dict[_Spot, float] = {_OUT: 0.0} if self._goal.card is None else {}
        for cell in [*self._board.laid, *self._board.empty, *self._board.hidden]:
            for before, after, cost in self._steps(cell):
                back.setdefault(after, []).append((before, cost))
            if cell == self._target:
                for way in self._faces(cell):
                    for mouth, opening in way.mouths.items():
                        places = self._goal.places
                        inside = {stride.end for stride in way.strides(opening)}
                        if places is None or opening in places or inside & places:
                            goals[cell, mouth] = 1.0
        plain = _spread(back, goals)
        made: dict[Cell | None, dict[_Spot, float]] = {None: plain}
        for lair in {self._lairs[name] for name in self._goal.artifacts if name in self._lairs}:
            at_lair: dict[_Spot, float] = {spot: far for spot, far in plain.items() if spot[0] == lair}
            made[lair] = _spread(back, at_lair)
        return made

    def _faces(self, cell: Cell) -> list[LaidWay]:
        """What lies in a slot, either way up where that is open; nothing where any card may come."""
        board = self._board
        if cell in board.laid:
            return [board.way(cell)]
        if cell in board.hidden:
            return [board.ways.of(board.hidden[cell][1], turn) for turn in ROTATIONS]
        card, turn = self._others.cards.get(cell, ("", 0))
        return [board.ways.of(card, 180 if turn else 0)] if card else []

    def _steps(self, cell: Cell) -> Iterator[tuple[_Spot, _Spot, float]]:
        """Single steps through a slot: from where, to where, the cost."""
        faces = self._faces(cell)
        if not faces and cell in self._others.kept:
            return
        if not faces:
            ends = [(out, self._beyond(cell, out)) for out in _MOUTHS]
            for mouth in _MOUTHS:
                for out, after in ends:
                    if out.side != mouth.side and not (mouth.level == out.level == "underground") and after:
                        yield (cell, mouth), after, 1 + FROM_HAND
            return
        taken: Collection[str] = self._taken.get(cell, ())
        for way in faces:
            starts: list[tuple[_Spot, str, float]] = [
                ((cell, mouth), name, 1.0) for mouth, name in way.mouths.items()
            ]
            starts += [(_CIRCLE, circle, 1.0 + JUMP) for circle in way.circles]
            for before, name, cost in starts:
                if name not in taken:
                    for stride in way.strides(name):
                        if stride.solid.isdisjoint(taken):
                            yield before, self._next(cell, way, stride.end), cost

    def _meets(self, trail: _Trail, cell: Cell, place: str, *, opening: bool) -> bool:
        """Whether ending at that place meets the goal."""
        goal = self._goal
        if cell != self._target:
            return False
        there = opening if goal.places is None else place in goal.places
        return there and not self._short(trail) and set(goal.artifacts) <= trail.artifacts

    # One card further.

    def _onward(self, trail: _Trail) -> Iterator[_Trail | Route]:
        board = self._board
        if trail.at is not None:
            yield from self._over(trail, board.way(trail.cell), trail.at, "lies", going_on=True)
            return
        cell, mouth = trail.cell, trail.mouth
        assert mouth is not None
        laid = {at: (card, turn) for at, card, turn in trail.laid}
        if cell in board.laid:
            yield from self._through(trail, board.way(cell), mouth, "lies")
        elif cell in board.hidden:
            turns = [laid[cell][1]] if cell in laid else ROTATIONS
            for turn in turns:
                way = board.ways.of(board.hidden[cell][1], 180 if turn else 0)
                yield from self._through(trail, way, mouth, "hidden", board.hidden[cell][1])
        elif cell in laid or cell in self._others.cards:
            card, turn = laid.get(cell) or self._others.cards[cell]
            if card:
                way = board.ways.of(card, 180 if turn else 0)
                yield from self._through(trail, way, mouth, "hand", card)
        elif cell not in self._others.kept:
            yield from self._from_hand(trail, mouth)
            yield from self._anything(trail, mouth)

    def _through(
        self, trail: _Trail, way: LaidWay, mouth: Mouth, kind: str, card: str = ""
    ) -> Iterator[_Trail | Route]:
        opening = way.mouths.get(mouth)
        if opening is not None:
            yield from self._over(trail, way, opening, kind, card)

    def _from_hand(self, trail: _Trail, mouth: Mouth) -> Iterator[_Trail | Route]:
        """Cards in hand that let the way in here, the best of what each brings."""
        taken = {card for _, card, _ in trail.laid}
        for card, turn, stride, way in self._hand_options(mouth):
            if card not in taken:
                made = self._stepped(trail, way, stride, "hand", card, turn)
                if made is not None:
                    yield made

    def _hand_options(self, mouth: Mouth) -> list[tuple[str, int, Stride, LaidWay]]:
        if mouth not in self._options:
            options: dict[object, tuple[str, int, Stride, LaidWay]] = {}
            for card in self._hands:
                for turn in ROTATIONS:
                    way = self._board.ways.of(card, turn)
                    opening = way.mouths.get(mouth)
                    for stride in way.strides(opening) if opening is not None else ():
                        if stride.end not in way.mouth:
                            continue
                        wanted = tuple(
                            sorted((e.what, e.kind) for e in stride.events if self._matters(e.kind))
                        )
                        key = (way.mouth[stride.end], wanted)
                        old = options.get(key)
                        if old is None or len(stride.places) < len(old[2].places):
                            options[key] = (card, turn, stride, way)
            self._options[mouth] = list(options.values())
        return self._options[mouth]

    def _matters(self, kind: str) -> bool:
        return kind in TOOLS or kind in self._goal.counts

    def _anything(self, trail: _Trail, mouth: Mouth) -> Iterator[_Trail]:
        """The hope that some card will lead on, and bring one thing of those that are missing."""
        short = {kind: gap for kind, gap in self._short(trail).items() if gap > 0}
        held, items, found = list(trail.held), list(trail.items), list(trail.found)
        if short:
            kind = max(short, key=lambda each: short[each])
            if kind in TOOLS:
                held[TOOLS.index(kind)] += 1
                items[TOOLS.index(kind)] += 1
            else:
                found[self._kinds.index(kind)] += 1
        for side in STEP:
            if side == mouth.side:
                continue
            there = beyond(trail.cell, side)
            for at in (4, 13) if side in ("left", "right") else (6,):
                yield _Trail(
                    trail.cost + HOPE + (SHARED if trail.cell in self._others.hoped else 0.0),
                    there,
                    Mouth(OPPOSITE_SIDE[side], at, "main"),
                    None,
                    tuple(held),
                    tuple(items),
                    tuple(found),
                    trail.artifacts,
                    (*trail.legs, Leg(trail.cell, "any")),
                    trail.used,
                    (*trail.laid, (trail.cell, "", 0)),
                )

    def _over(
        self,
        trail: _Trail,
        way: LaidWay,
        start: str,
        kind: str,
        card: str = "",
        *,
        going_on: bool = False,
    ) -> Iterator[_Trail | Route]:
        """Every way over a card from one of its places; a goal met at once where the way comes in there."""
        cell = trail.cell
        spot = (cell, start)
        if not going_on:
            if spot in self._others.used or spot in self._board.used or spot in trail.used:
                return
            arrived = self._picked_up(trail, cell)
            if arrived is None:
                return
            if self._meets(arrived, cell, start, opening=True):
                leg = Leg(cell, kind, card or way.card, way.rotation, (start,), trail.jumped)
                yield Route((*trail.legs, leg), trail.cost + 1)
        for stride in way.strides(start):
            made = self._stepped(trail, way, stride, kind, card, way.rotation, going_on=going_on)
            if made is None:
                continue
            if made.at is not None:
                if self._meets(made, cell, stride.end, opening=False):
                    yield Route(made.legs, made.cost)
                yield from self._jumps(made, way)
                continue
            assert made.mouth is not None
            outside = not self._board.is_slot(made.cell)
            if not outside:
                yield made
            elif self._leaves(made):
                yield Route(made.legs, made.cost)

    def _leaves(self, trail: _Trail) -> bool:
        """Whether a way out of the table meets the goal."""
        assert trail.mouth is not None
        allowed = OPPOSITE_SIDE[trail.mouth.side] in self._goal.sides
        return allowed and not self._short(trail) and set(self._goal.artifacts) <= trail.artifacts

    def _jumps(self, trail: _Trail, way: LaidWay) -> Iterator[_Trail]:
        """Teleports from the circle where the way stands to every other one that lies open."""
        scroll = TOOLS.index("scroll")
        if trail.at not in way.circles or not trail.held[scroll] or not self._limits.teleports:
            return
        held = (*trail.held[:scroll], trail.held[scroll] - 1, *trail.held[scroll + 1 :])
        for cell, name in self._circles:
            spot = (cell, name)
            if spot == (trail.cell, trail.at) or spot in trail.used or spot in self._board.used:
                continue
            if spot in self._others.used or self._picked_up(trail, cell) is None:
                continue
            yield _Trail(
                trail.cost + JUMP,
                cell,
                None,
                name,
                held,
                trail.items,
                trail.found,
                trail.artifacts,
                trail.legs,
                trail.used | {spot},
                trail.laid,
                True,
            )

    def _picked_up(self, trail: _Trail, cell: Cell) -> _Trail | None:
        """The trail with what lies on a card's token; None where that is meant for another goal."""
        lying = self._board.artifacts.get(cell, set()) - trail.artifacts
        if not lying:
            return trail
        if not lying <= self._to_carry:
            return None
        return trail._replace(artifacts=trail.artifacts | lying)

    def _stepped(
        self,
        trail: _Trail,
        way: LaidWay,
        stride: Stride,
        kind: str,
        card: str,
        turn: int,
        *,
        going_on: bool = False,
    ) -> _Trail | None:
        """The trail over one card more, if nothing bars it and every toll can be paid."""
        cell = trail.cell
        key = cell, id(stride), going_on
        if key not in self._crossings:
            self._crossings[key] = self._crossing(cell, stride, going_on)
        crossing = self._crossings[key]
        if crossing is None or not crossing.new.isdisjoint(trail.used):
            return None
        mouth = way.mouth.get(stride.end)
        if mouth is not None and not self._beyond(cell, mouth):
            return None
        picked = self._picked_up(trail, cell)
        if picked is None:
            return None
        limits = self._limits
        if stride.below and (limits.dry is None or not limits.dry.isdisjoint(picked.artifacts)):
            return None
        held, items, found = trail.held, trail.items, trail.found
        if crossing.tools:
            now, ever = list(held), list(items)
            for tool, amount in crossing.tools:
                now[tool] += amount
                if now[tool] < 0:
                    return None
                ever[tool] += max(amount, 0)
            if limits.monsters is not None and self._swords + ever[_SWORD] - now[_SWORD] > limits.monsters:
                return None
            held, items = tuple(now), tuple(ever)
        if crossing.found:
            more = list(found)
            for index, amount in crossing.found:
                more[index] += amount
            found = tuple(more)
        new = kind == "hand" and not any(at == cell for at, _, _ in trail.laid)
        hand_cost = FROM_HAND if new and cell not in self._others.cards else 0.0
        hand_cost += SHARED if new and cell in self._others.hoped else 0.0
        turned = new or kind == "hidden"
        return _Trail(
            trail.cost + 1 + hand_cost + 0.02 * len(stride.places),
            cell if mouth is None else beyond(cell, mouth.side),
            None if mouth is None else Mouth(OPPOSITE_SIDE[mouth.side], mouth.at, mouth.level),
            stride.end if mouth is None else None,
            held,
            items,
            found,
            picked.artifacts,
            (*trail.legs, Leg(cell, kind, card or way.card, way.rotation, stride.places, trail.jumped)),
            trail.used | crossing.spots,
            (*trail.laid, (cell, card, turn)) if turned else trail.laid,
        )

    def _crossing(self, cell: Cell, stride: Stride, going_on: bool) -> _Crossing | None:
        """What a stride comes to in that slot; None where lines or other plans bar it."""
        solid = stride.solid - {stride.places[0]} if going_on else stride.solid
        if not solid.isdisjoint(self._taken.get(cell, ())) or (cell, stride.places) in self._banned:
            return None
        tools: list[tuple[int, int]] = []
        found: list[tuple[int, int]] = []
        for what, of, amount, place in stride.events:
            if place and (cell, place) in self._board.struck:
                continue
            if of in TOOLS:
                tools.append((TOOLS.index(of), -1 if what == "toll" else amount))
            elif of in self._kinds:
                found.append((self._kinds.index(of), amount))
        spots = frozenset((cell, name) for name in stride.places)
        new = spots - {(cell, stride.places[0])} if going_on else spots
        return _Crossing(spots, new, tuple(tools), tuple(found))


def _spread(
    back: Mapping[_Spot, Collection[tuple[_Spot, float]]], goals: Mapping[_Spot, float]
) -> dict[_Spot, float]:
    """The cheapest way to any goal from everywhere, over steps told backwards."""
    far = dict(goals)
    queue = [(cost, index, spot) for index, (spot, cost) in enumerate(goals.items())]
    heapq.heapify(queue)
    number = len(queue)
    while queue:
        cost, _, spot = heapq.heappop(queue)
        if cost > far[spot]:
            continue
        for before, step in back.get(spot, ()):
            if cost + step < far.get(before, float("inf")):
                far[before] = cost + step
                number += 1
                heapq.heappush(queue, (cost + step, number, before))
    return far
