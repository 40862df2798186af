"""Planning of one group's path to a goal, by beam search over cards.

A card on the table offers its own paths. An empty slot offers those of every card in hand, and at a higher
cost a hypothetical card. A hypothetical card leads anywhere and brings one missing item. Costs rise for
cards from a hand, hypothetical cards and detours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from calibration.missions.losses import Limits
from calibration.missions.travel import (
    FROM_HAND,
    JUMP,
    MOST_BITS,
    OPPOSITE_SIDE,
    ROTATIONS,
    STEP,
    Board,
    Brought,
    Cell,
    Crossing,
    Distances,
    Kit,
    LaidWay,
    Leg,
    Mouth,
    Others,
    Route,
    Spot,
    Stride,
    Trail,
    beyond,
    next_spot,
    spot_beyond,
)
from scorer.mapmasters.cooperative.rules.mission import Goal
from scorer.mapmasters.cooperative.rules.settings import Difficulty
from scorer.mapmasters.rules.means import TOOLS

BEAM = 32
ANYTHING_GOES = Limits()
MOST_LEGS = 24
#: Number of trails kept for one place with equal gains.
ALIKE = 2
# What a leg costs, in legs over cards that lie. Tried on the open deck's first mission.
HOPE = 4.0
SHARED = 2.0
SHORT = 4.0
_SWORD = TOOLS.index("sword")
_SCROLL = TOOLS.index("scroll")


class Planner:
    """Search for the cheapest path to one goal."""

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
        #: Where the bits of a slot's places begin.
        cells = sorted([*board.laid, *board.empty, *board.hidden])
        self._first_bit = {cell: number * MOST_BITS for number, cell in enumerate(cells)}
        self._struck_in = {cell for cell, _ in board.struck}
        self._brought: dict[int, Brought] = {}
        self._crossings: dict[tuple[Cell, int, bool], Crossing | None] = {}
        self._through_hand: dict[tuple[Cell, Mouth], list[tuple[str, LaidWay, Stride, Crossing]]] = {}
        self._circles = [(cell, name) for cell in board.laid for name in board.way(cell).circles]
        self._ahead = Distances(board, goal, others, self._taken).to_goal(self._lairs)

    def route(self, starts: Collection[tuple[Cell, str]], kit: Kit) -> Route | None:
        """The cheapest path found from any of the start places, or None."""
        best: Route | None = None
        held = tuple(kit.held.get(tool, 0) for tool in TOOLS)
        tokens = tuple(int(tool in kit.tokens) for tool in TOOLS)
        self._tokens = tokens
        self._swords = held[_SWORD] - kit.found.get("sword", 0)
        items = tuple(kit.found.get(tool, 0) for tool in TOOLS)
        found = tuple(kit.found.get(kind, 0) for kind in self._kinds)
        short = self._short(held, items, found)
        beam = [
            Trail(0.0, cell, None, name, held, items, found, kit.artifacts, short) for cell, name in starts
        ]
        for _ in range(MOST_LEGS):
            grown: list[tuple[float, Trail]] = []
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

    def _kept(self, grown: list[tuple[float, Trail]]) -> list[Trail]:
        grown.sort(key=lambda each: each[0])
        count: dict[object, int] = {}
        beam: list[Trail] = []
        for _, trail in grown:
            key = (trail.cell, trail.mouth, trail.at, self._worth(trail), trail.found, trail.artifacts)
            count[key] = count.get(key, 0) + 1
            if count[key] <= ALIKE:
                beam.append(trail.whole())
                if len(beam) == BEAM:
                    break
        return beam

    def _worth(self, trail: Trail) -> tuple[int, ...]:
        """The number held of each tool, capped at the number that is useful."""
        return tuple(
            min(count, self._goal.counts.get(tool, 0) + 1)
            for tool, count in zip(TOOLS, trail.held, strict=True)
        )

    # What is still missing.

    def _gaps(
        self, held: Sequence[int], items: Sequence[int], found: Sequence[int]
    ) -> Iterator[tuple[str, int]]:
        """The missing number of each kind that the goal counts; negative for a surplus."""
        kept = self._difficulty in ("rookie", "easy")
        for wanted, tool, kind in self._asked:
            if tool < 0:
                yield kind, wanted - found[self._kinds.index(kind)]
            elif kept:
                yield kind, wanted - items[tool] - min(self._tokens[tool], held[tool])
            else:
                yield kind, wanted - held[tool]

    def _short(self, held: Sequence[int], items: Sequence[int], found: Sequence[int]) -> int:
        exact = self._difficulty == "hard"
        return sum(abs(gap) for _, gap in self._gaps(held, items, found) if gap > 0 or exact)

    def _hoped(self, trail: Trail) -> float | None:
        """Lower bound of a trail's final cost, or None where the goal cannot be reached."""
        wanted = [name for name in self._goal.artifacts if name not in trail.artifacts]
        ahead = self._ahead[self._lairs.get(wanted[0], None) if wanted else None]
        far = self._far(trail, ahead)
        return None if far is None else trail.cost + SHORT * trail.short + far

    def _far(self, trail: Trail, ahead: Mapping[Spot, float]) -> float | None:
        if trail.mouth is not None:
            return ahead.get((trail.cell, trail.mouth))
        assert trail.at is not None
        way = self._board.way(trail.cell)
        ends = (next_spot(self._board, self._goal, trail.cell, way, s.end) for s in way.strides(trail.at))
        return min((1 + ahead[end] for end in ends if end in ahead), default=None)

    def _meets(self, trail: Trail, cell: Cell, place: str, *, opening: bool) -> bool:
        """Whether a path that ends at this place meets the goal."""
        goal = self._goal
        if cell != self._target:
            return False
        there = opening if goal.places is None else place in goal.places
        return there and not trail.short and set(goal.artifacts) <= trail.artifacts

    # One card further.

    def _onward(self, trail: Trail) -> Iterator[Trail | Route]:
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
        self, trail: Trail, way: LaidWay, mouth: Mouth, kind: str, card: str = ""
    ) -> Iterator[Trail | Route]:
        opening = way.mouths.get(mouth)
        if opening is not None:
            yield from self._over(trail, way, opening, kind, card)

    def _from_hand(self, trail: Trail, mouth: Mouth) -> Iterator[Trail | Route]:
        """Continuations over cards in hand that can be entered here, the best for each gain."""
        taken = {card for _, card, _ in trail.laid}
        key = trail.cell, mouth
        if key not in self._through_hand:
            crossed = [
                (card, way, stride, self._crossing(trail.cell, way, stride, False))
                for card, _, stride, way in self._hand_options(mouth)
            ]
            self._through_hand[key] = [
                (card, way, stride, crossing)
                for card, way, stride, crossing in crossed
                if crossing is not None
            ]
        for card, way, stride, crossing in self._through_hand[key]:
            if card not in taken:
                made = self._crossed(trail, way, stride, crossing, "hand", card)
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
                            sorted(
                                (e.what, e.kind)
                                for e in stride.events
                                if e.kind in TOOLS or e.kind in self._goal.counts
                            )
                        )
                        key = (way.mouth[stride.end], wanted)
                        old = options.get(key)
                        if old is None or len(stride.places) < len(old[2].places):
                            options[key] = (card, turn, stride, way)
            self._options[mouth] = list(options.values())
        return self._options[mouth]

    def _anything(self, trail: Trail, mouth: Mouth) -> Iterator[Trail]:
        """Continuations over a hypothetical card, which leads on and brings one missing item."""
        gaps = self._gaps(trail.held, trail.items, trail.found) if trail.short else ()
        short = {kind: gap for kind, gap in gaps if gap > 0}
        held, items, found = list(trail.held), list(trail.items), list(trail.found)
        if short:
            kind = max(short, key=lambda each: short[each])
            if kind in TOOLS:
                held[TOOLS.index(kind)] += 1
                items[TOOLS.index(kind)] += 1
            else:
                found[self._kinds.index(kind)] += 1
        missing = self._short(held, items, found)
        leg = Leg(trail.cell, "any")
        for side in STEP:
            if side == mouth.side:
                continue
            there = beyond(trail.cell, side)
            for at in (4, 13) if side in ("left", "right") else (6,):
                yield Trail(
                    trail.cost + HOPE + (SHARED if trail.cell in self._others.hoped else 0.0),
                    there,
                    Mouth(OPPOSITE_SIDE[side], at, "main"),
                    None,
                    tuple(held),
                    tuple(items),
                    tuple(found),
                    trail.artifacts,
                    missing,
                    trail.legs,
                    trail.used,
                    trail.laid,
                    leg,
                    puts=True,
                )

    def _over(
        self, trail: Trail, way: LaidWay, start: str, kind: str, card: str = "", *, going_on: bool = False
    ) -> Iterator[Trail | Route]:
        """All continuations over a card from one of its places, and the route where the goal is met at the
        entrance."""
        cell = trail.cell
        spot = (cell, start)
        if not going_on:
            bit = way.bit[start] << self._first_bit[cell]
            if spot in self._others.used or spot in self._board.used or bit & trail.used:
                return
            arrived = self._picked_up(trail, cell)
            if arrived is None:
                return
            if self._meets(arrived, cell, start, opening=True):
                leg = Leg(cell, kind, card or way.card, way.rotation, (start,), trail.jumped)
                yield Route((*trail.legs, leg), trail.cost + 1)
        for stride in way.strides(start):
            key = cell, id(stride), going_on
            if key not in self._crossings:
                self._crossings[key] = self._crossing(cell, way, stride, going_on)
            crossing = self._crossings[key]
            if crossing is None:
                continue
            made = self._crossed(trail, way, stride, crossing, kind, card)
            if made is None:
                continue
            if made.at is not None:
                yield from self._stopped(made.whole(), way, stride.end)
            elif not crossing.outside:
                yield made
            elif self._leaves(made):
                yield Route(made.whole().legs, made.cost)

    def _stopped(self, trail: Trail, way: LaidWay, place: str) -> Iterator[Trail | Route]:
        """Results of ending a path at a place: a route if the goal is met, and trails after a teleport."""
        if self._meets(trail, trail.cell, place, opening=False):
            yield Route(trail.legs, trail.cost)
        yield from self._jumps(trail, way)

    def _leaves(self, trail: Trail) -> bool:
        """Whether leaving the table at this opening meets the goal."""
        assert trail.mouth is not None
        allowed = OPPOSITE_SIDE[trail.mouth.side] in self._goal.sides
        return allowed and not trail.short and set(self._goal.artifacts) <= trail.artifacts

    def _jumps(self, trail: Trail, way: LaidWay) -> Iterator[Trail]:
        """Teleports from the current circle to every other visible circle."""
        if trail.at not in way.circles or not trail.held[_SCROLL] or not self._limits.teleports:
            return
        held = (*trail.held[:_SCROLL], trail.held[_SCROLL] - 1, *trail.held[_SCROLL + 1 :])
        short = self._short(held, trail.items, trail.found)
        for cell, name in self._circles:
            spot = (cell, name)
            bit = self._board.way(cell).bit[name] << self._first_bit[cell]
            if spot == (trail.cell, trail.at) or bit & trail.used or spot in self._board.used:
                continue
            if spot in self._others.used or self._picked_up(trail, cell) is None:
                continue
            yield trail._replace(
                cost=trail.cost + JUMP,
                cell=cell,
                at=name,
                held=held,
                short=short,
                used=trail.used | bit,
                jumped=True,
            )

    def _picked_up(self, trail: Trail, cell: Cell) -> Trail | None:
        """The trail with the artifacts on a card picked up, or None where they belong to another goal."""
        lying = self._board.artifacts.get(cell, set()) - trail.artifacts
        if not lying:
            return trail
        if not lying <= self._to_carry:
            return None
        return trail._replace(artifacts=trail.artifacts | lying)

    def _crossed(
        self, trail: Trail, way: LaidWay, stride: Stride, crossing: Crossing, kind: str, card: str
    ) -> Trail | None:
        """The trail extended over one more card, or None where it is blocked or a toll cannot be paid."""
        if crossing.new & trail.used:
            return None
        cell = trail.cell
        picked = self._picked_up(trail, cell)
        if picked is None:
            return None
        limits = self._limits
        if stride.below and (limits.dry is None or not limits.dry.isdisjoint(picked.artifacts)):
            return None
        held, items, found, short = trail.held, trail.items, trail.found, trail.short
        if crossing.tools:
            now, ever = list(held), list(items)
            for tool, amount in crossing.tools:
                now[tool] += amount
                if now[tool] < 0:
                    return None
                if amount > 0:
                    ever[tool] += amount
            if limits.monsters is not None and self._swords + ever[_SWORD] - now[_SWORD] > limits.monsters:
                return None
            held, items = tuple(now), tuple(ever)
        if crossing.found:
            more = list(found)
            for index, amount in crossing.found:
                more[index] += amount
            found = tuple(more)
        if self._asked and (crossing.tools or crossing.found):
            short = self._short(held, items, found)
        new = kind == "hand" and not any(at == cell for at, _, _ in trail.laid)
        hand_cost = FROM_HAND if new and cell not in self._others.cards else 0.0
        hand_cost += SHARED if new and cell in self._others.hoped else 0.0
        return Trail(
            trail.cost + 1 + hand_cost + 0.02 * len(stride.places),
            crossing.there,
            crossing.mouth,
            stride.end if crossing.mouth is None else None,
            held,
            items,
            found,
            picked.artifacts,
            short,
            trail.legs,
            trail.used,
            trail.laid,
            Leg(cell, kind, card or way.card, way.rotation, stride.places, trail.jumped),
            crossing.spots,
            new or kind == "hidden",
        )

    def _crossing(self, cell: Cell, way: LaidWay, stride: Stride, going_on: bool) -> Crossing | None:
        """The effects of a stride in a slot, or None where lines or plans block it or it leads nowhere."""
        solid = stride.solid - {stride.places[0]} if going_on else stride.solid
        if not solid.isdisjoint(self._taken.get(cell, ())) or (cell, stride.places) in self._banned:
            return None
        mouth = way.mouth.get(stride.end)
        there = cell
        if mouth is not None:
            if not spot_beyond(self._board, self._goal, cell, mouth):
                return None
            there = beyond(cell, mouth.side)
            mouth = Mouth(OPPOSITE_SIDE[mouth.side], mouth.at, mouth.level)
        if cell in self._struck_in:
            brought = self._brings(cell, stride)
        else:
            if id(stride) not in self._brought:
                self._brought[id(stride)] = self._brings(cell, stride)
            brought = self._brought[id(stride)]
        spots = stride.bits << self._first_bit[cell]
        new = spots & ~(way.bit[stride.places[0]] << self._first_bit[cell]) if going_on else spots
        return Crossing(spots, new, *brought, there, mouth, not self._board.is_slot(there))

    def _brings(self, cell: Cell, stride: Stride) -> Brought:
        """Tools gained and spent on a stride, and the other items that the goal counts."""
        tools: list[tuple[int, int]] = []
        found: list[tuple[int, int]] = []
        for what, of, amount, place in stride.events:
            if place and (cell, place) in self._board.struck:
                continue
            if of in TOOLS:
                tools.append((TOOLS.index(of), -1 if what == "toll" else amount))
            elif of in self._kinds:
                found.append((self._kinds.index(of), amount))
        return tuple(tools), tuple(found)
