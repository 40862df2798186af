"""Simulation of a whole mission: set-up, cards laid turn by turn and paths drawn until it is won or lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import msgspec
import numpy as np

from calibration.missions.losses import OWN, OutOfOrder, TooLate, happened, limits
from calibration.missions.plans import Plans, named_cards, ways_of
from calibration.missions.travel import ROTATIONS, Board, Cell, Kit, Laid, Others, Route, beyond
from scorer.catalogue import Catalogue
from scorer.mapmasters.cooperative import CoopSettings, TableRecord, referee
from scorer.mapmasters.cooperative.rules.mission import Goal, Mission, plan_of
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard, Turn
from scorer.mapmasters.cooperative.rules.settings import Difficulty
from scorer.mapmasters.rules.means import TOOLS
from scorer.mapmasters.rules.terms import TOKEN_PRICE
from scorer.record import FORMAT, Rotation

PLAYERS = 3
HAND, HAND_ALONE = 3, 4
#: Tokens that help any group on its way, in the order in which spare coins go to them.
HELPFUL = ("sword", "rope", "key", "scroll")
#: Greatest number of new plans in one turn after the referee rejects a path.
REDRAWN = 4
#: Number of sampled placements that are compared where no plan needs a card.
WEIGHED = 6


@dataclass(frozen=True)
class Outcome:
    """Result of a game: won or lost, the reason, the number of cards laid, and the table's record."""

    won: bool
    reason: str
    turns: int
    goals: int
    record: TableRecord


@dataclass
class _Party:
    """A group of players: its remaining goals, its position, and its plan."""

    name: str
    tokens: frozenset[str]
    goals: list[Goal]
    stands: tuple[Cell, str] | None = None
    kit: Kit | None = None
    route: Route | None = None
    banned: set[tuple[object, ...]] = field(default_factory=set)

    @property
    def goal(self) -> Goal | None:
        return self.goals[0] if self.goals else None


class Game:
    """One game of a mission, determined by a seed. `plans` may be shared with other games of this mission
    and seed."""

    def __init__(
        self,
        catalogue: Catalogue,
        mission: Mission,
        difficulty: Difficulty,
        seed: int,
        players: int = PLAYERS,
        plans: Plans | None = None,
    ) -> None:
        self._catalogue, self._mission, self._difficulty = catalogue, mission, difficulty
        self._rng = np.random.default_rng([seed, 77])
        self._losses = OWN.get(mission.id, {})
        self._monsters = 0
        self._cards: list[TableCard] = []
        self._paths: list[GroupPath] = []
        self._plan = plan_of(mission, catalogue, named_cards(mission))
        self._plans = plans or Plans(ways_of(catalogue, self._plan))
        self._board = Board(self._plans.ways, self._plan)
        self._deck = self._set_up()
        self._parties = self._groups()
        size = HAND if players > 1 else HAND_ALONE
        self._hands = [[self._deck.pop() for _ in range(size) if self._deck] for _ in range(players)]

    # Setting up.

    def _set_up(self) -> list[str]:
        """Fill the mission's slots, and return the rest as a shuffled deck."""
        rng, board = self._rng, self._board
        starters = [card.id for card in self._catalogue.cards if card.kind == "starter"]
        rng.shuffle(starters)
        for cell, slot in self._plan.slots.items():
            if slot.kind == "empty":
                board.empty.add(cell)
                continue
            if slot.kind == "starter":
                self._lay(cell, starters.pop(), ROTATIONS[int(rng.integers(2))])
            elif slot.kind == "face_down":
                assert slot.card is not None, "the player needs to know what lies face down"
                board.hidden[cell] = (len(self._cards), slot.card)
                self._cards.append(self._placed(cell, slot.card, 0, face_down=True))
            else:
                assert slot.card is not None
                self._lay(cell, slot.card, cast(Rotation, slot.rotation))
        for name, card in self._mission.artifacts.items():
            board.artifacts.setdefault(board.cell_of(card), set()).add(name)
        taken = {card.card for card in self._cards}
        deck = starters[: self._mission.deck.get("starter", 0)]
        for cost in (3, 4, 5, 6):
            kind = [c.id for c in self._catalogue.cards if c.kind == "dungeon" and c.cost == cost]
            kind = [name for name in kind if name not in taken]
            deck += [str(n) for n in rng.permutation(kind)[: self._mission.deck.get(str(cost), 0)]]
        rng.shuffle(deck)
        return deck

    def _placed(self, cell: Cell, card: str, rotation: Rotation, *, face_down: bool = False) -> TableCard:
        width, height = self._catalogue.card_size_mm
        return TableCard(card, cell[0] * width, cell[1] * height, rotation, face_down)

    def _lay(self, cell: Cell, card: str, rotation: Rotation) -> None:
        self._board.laid[cell] = Laid(len(self._cards), card, rotation)
        self._board.empty.discard(cell)
        self._cards.append(self._placed(cell, card, rotation))

    def _groups(self) -> list[_Party]:
        """The groups with their goals and market tokens. Goals are dealt to the groups in turn; goals at a
        boss or an exit come last."""
        names = list(self._mission.groups or ("green",))
        goals = [self._plan.goals[name] for name in self._plan.needed]
        last = [goal for goal in goals if goal.card is None or goal.card in self._plan.bosses]
        before = [goal for goal in goals if goal not in last]
        queues: list[list[Goal]] = [[] for _ in names]
        for index, goal in enumerate(before):
            queues[index % len(names)].append(goal)
        for index, goal in enumerate(last):
            queues[index % len(names)].append(goal)
        tokens: list[set[str]] = [set() for _ in names]
        coins = self._mission.market_coins or 0
        wanted = [
            (index, tool) for index, queue in enumerate(queues) for goal in queue for tool in goal.counts
        ]
        helpful = [(index, tool) for tool in HELPFUL for index in range(len(names))]
        for index, tool in [*wanted, *helpful]:
            if coins >= TOKEN_PRICE and tool in TOOLS and tool not in tokens[index]:
                tokens[index].add(tool)
                coins -= TOKEN_PRICE
        return [
            _Party(name, frozenset(mine), queue)
            for name, mine, queue in zip(names, tokens, queues, strict=True)
        ]

    # Playing.

    def play(self) -> Outcome:
        turns = 0
        while True:
            hand = self._hands[turns % len(self._hands)]
            if not hand or not self._board.empty:
                return self._outcome(turns, turn=Turn(hand=len(hand)))
            self._think(turns)
            card, cell, rotation = self._choice(hand)
            hand.remove(card)
            self._lay(cell, card, rotation)
            turns += 1
            self._spoilt(cell, card, rotation)
            self._draw_all()
            if all(party.goal is None for party in self._parties):
                return self._outcome(turns)
            for code, loss in self._losses.items():
                if isinstance(loss, TooLate) and turns >= loss.cards:
                    return self._outcome(turns, declared=(code,))
            if self._deck:
                hand.append(self._deck.pop())

    def _outcome(self, turns: int, turn: Turn | None = None, declared: tuple[str, ...] = ()) -> Outcome:
        record = msgspec.structs.replace(self._record(self._paths), turn=turn, declared=declared)
        ruling = referee(self._catalogue, record, self._difficulty, CoopSettings())
        met = sum(met is not None for met in ruling.mission.goals.values())
        return Outcome(ruling.mission.result == "won", ruling.mission.reason, turns, met, record)

    def _record(self, paths: Sequence[GroupPath], cards: Sequence[TableCard] | None = None) -> TableRecord:
        return TableRecord(
            format=FORMAT,
            mode="cooperative",
            cards=tuple(cards or self._cards),
            mission=self._mission,
            difficulty=self._difficulty,
            groups=tuple(
                Group(group=party.name, fairy_tokens=dict.fromkeys(sorted(party.tokens), 1))
                for party in self._parties
            ),
            paths=tuple(paths),
        )

    # Planning.

    def _think(self, turn: int) -> None:
        """Make plans for groups without one, and renew one plan that contains a slot for any card. Where a
        group finds no path compatible with the other plans, all groups plan again, and that group plans
        first."""
        hoping = [p for p in self._parties if p.route is not None and p.route.of_kind("any")]
        if hoping:
            party = hoping[turn % len(hoping)]
            party.route = self._planned(party) or party.route
        playing = [party for party in self._parties if party.goal is not None]
        self._plan_all(playing)
        left_out = [party for party in playing if party.route is None]
        if not left_out or len(playing) == 1:
            return
        others = [party for party in playing if party not in left_out]
        best = [party.route for party in playing]
        for order in ([*left_out, *others], [*left_out, *reversed(others)]):
            for party in playing:
                party.route = None
            self._plan_all(order)
            made = [party.route for party in playing]
            if made.count(None) < best.count(None):
                best = made
                if None not in made:
                    break
        for party, route in zip(playing, best, strict=True):
            party.route = route

    def _plan_all(self, parties: Sequence[_Party]) -> None:
        for party in parties:
            if party.route is None:
                party.route = self._planned(party)

    def _gates(self, party: _Party | None) -> set[Cell]:
        """Empty slots before the only entrance of another group's goal, which are reserved for it."""
        board, gates = self._board, set()
        for other in self._parties:
            goal = other.goal
            if other is party or goal is None or goal.card is None or goal.places is None:
                continue
            cell = board.cell_of(goal.card)
            if cell in board.laid:
                mouths = board.way(cell).mouth
                entrances = {beyond(cell, mouths[name].side) for name in goal.places if name in mouths}
                gates |= entrances & board.empty if len(entrances) == 1 else set()
        return gates

    def _planned(self, party: _Party, lay: tuple[Cell, str, Rotation] | None = None) -> Route | None:
        """The best path for a group, at present or after laying the card `lay`."""
        goal = party.goal
        assert goal is not None
        hands = [card for hand in self._hands for card in hand]
        used: set[tuple[Cell, str]] = set()
        cards: dict[Cell, tuple[str, int]] = {}
        for other in self._parties:
            if other is not party and other.route is not None:
                used |= other.route.places
                for leg in other.route.of_kind("hand"):
                    cards[leg.cell] = (leg.card, leg.rotation)
        if lay is not None:
            cards[lay[0]] = (lay[1], lay[2])
        kept = self._gates(party) - cards.keys()
        routes = [other.route for other in self._parties if other is not party]
        hoped = {leg.cell for route in routes if route is not None for leg in route.of_kind("any")}
        starts = [party.stands] if party.stands else [s for s in self._board.starts() if s not in used]
        return self._plans.route(
            self._board,
            goal,
            self._difficulty,
            hands,
            Others(used, cards, kept, hoped),
            frozenset(party.banned),
            frozenset(name for each in party.goals for name in each.artifacts),
            limits(self._losses, self._monsters),
            starts,
            party.kit or Kit(dict.fromkeys(sorted(party.tokens), 1), party.tokens, {}, frozenset()),
        )

    def _spoilt(self, cell: Cell, card: str, rotation: Rotation) -> None:
        """Discard plans that need another card in the slot just filled, and update the others."""
        for party in self._parties:
            route = party.route
            if route is None:
                continue
            there = [leg for leg in route.legs if leg.cell == cell]
            if any((leg.kind, leg.card, leg.rotation) != ("hand", card, rotation) for leg in there):
                party.route = None
            elif there:
                legs = tuple(leg._replace(kind="lies") if leg.cell == cell else leg for leg in route.legs)
                party.route = Route(legs, route.cost)

    def _choice(self, hand: Sequence[str]) -> tuple[str, Cell, Rotation]:
        """The card to lay, its cell and rotation. A card that a plan needs has priority, from the plan
        with the fewest missing cards. Otherwise the choice does least harm to all plans."""
        routes = sorted(
            (party.route for party in self._parties if party.route is not None),
            key=lambda route: len({leg.cell for leg in route.of_kind("hand", "any")}),
        )
        for route in routes:
            for leg in route.of_kind("hand"):
                if leg.card in hand and leg.cell in self._board.empty:
                    return leg.card, leg.cell, leg.rotation
        wanted = self._gates(None) | {leg.cell for route in routes for leg in route.legs}
        promised = {leg.card for route in routes for leg in route.of_kind("hand")}
        spare = [card for card in hand if card not in promised] or list(hand)
        free = sorted(self._board.empty - wanted)
        stuck = any(party.goal is not None and party.route is None for party in self._parties)
        if free and not stuck:
            # Dear cards are worth keeping.
            card = min(spare, key=lambda name: self._catalogue.card(name).cost or 0)
            return card, free[int(self._rng.integers(len(free)))], ROTATIONS[int(self._rng.integers(2))]
        return self._least_harm(spare)

    def _least_harm(self, spare: Sequence[str]) -> tuple[str, Cell, Rotation]:
        """The placement, among sampled ones, after which the groups' plans have the least total cost."""
        options = [
            (card, cell, turn) for card in spare for cell in sorted(self._board.empty) for turn in ROTATIONS
        ]
        order = self._rng.permutation(len(options))[:WEIGHED]
        best, least = options[int(order[0])], float("inf")
        for index in order:
            option = options[int(index)]
            cost = 0.0
            for party in self._parties:
                if party.goal is None:
                    continue
                if party.route is None or any(leg.cell == option[1] for leg in party.route.legs):
                    made = self._planned(party, (option[1], option[0], option[2]))
                    cost += 100.0 if made is None else made.cost
                else:
                    cost += party.route.cost
            if cost < least:
                best, least = option, cost
        return best

    # Drawing.

    def _draw_all(self) -> None:
        for party in self._parties:
            for _ in range(REDRAWN):
                route = party.route
                if party.goal is None or route is None or route.of_kind("hand", "any"):
                    break
                if self._too_early(party.goal):
                    break
                if not self._drawn(party, route) or party.goal is not None:
                    party.route = self._planned(party)

    def _too_early(self, goal: Goal) -> bool:
        """Whether another goal must be met before this one."""
        waits = {
            loss.first
            for loss in self._losses.values()
            if isinstance(loss, OutOfOrder) and loss.then == goal.id
        }
        return any(each.id in waits for party in self._parties for each in party.goals)

    def _drawn(self, party: _Party, route: Route) -> bool:
        """Draw a path if the referee accepts it for the goal and it causes no losing event. Returns
        whether it was drawn."""
        goal = party.goal
        assert goal is not None
        board, cards = self._board, list(self._cards)
        numbers: dict[Cell, int] = {}
        for leg in route.legs:
            if leg.cell in board.hidden:
                number, card = board.hidden[leg.cell]
                cards[number] = self._placed(leg.cell, card, leg.rotation)
                numbers[leg.cell] = number
            else:
                numbers[leg.cell] = board.laid[leg.cell].number
        strokes: list[list[str]] = [[]]
        for leg in route.legs:
            if leg.jumped:
                strokes.append([])
            names = [f"{numbers[leg.cell]}.{name}" for name in leg.places]
            last = next((stroke[-1] for stroke in reversed(strokes) if stroke), None)
            strokes[-1] += names[1:] if names[0] == last else names
        path = GroupPath(group=party.name, path=tuple(map(tuple, strokes)), goal=goal.id)
        record = self._record([*self._paths, path], cards)
        ruling = referee(self._catalogue, record, self._difficulty, CoopSettings())
        drawn = ruling.paths[-1]
        lost = ruling.mission.result == "lost" or happened(self._losses, self._catalogue, record, ruling)
        if drawn.goal != goal.id or lost:
            party.banned.add(route.legs)
            for broken in drawn.violations:
                party.banned |= {
                    (leg.cell, leg.places)
                    for leg in route.legs
                    if broken.place in [f"{numbers[leg.cell]}.{name}" for name in leg.places[1:]]
                }
            return False
        self._paths.append(path)
        self._cards = cards
        for cell, number in numbers.items():
            if cell in board.hidden:
                del board.hidden[cell]
                turned = cards[number]
                board.laid[cell] = Laid(number, turned.card or "", turned.rotation)
            board.artifacts.pop(cell, None)
        self._strike(route)
        group = next(each for each in ruling.groups if each.group == party.name)
        tokens = frozenset(tool for tool in party.tokens if group.tokens.get(tool))
        spent = Counter(paid.means.removeprefix("fairy:") for paid in group.spent)
        held: dict[str, int] = {
            tool: group.discovered.get(tool, 0) + (tool in party.tokens) - spent[tool] for tool in TOOLS
        }
        self._monsters = sum(each.discovered.get("monster", 0) for each in ruling.groups)
        party.kit = Kit(held, tokens, dict(group.discovered), frozenset(group.artifacts))
        last_leg = route.legs[-1]
        party.stands = (last_leg.cell, last_leg.places[-1])
        party.goals.pop(0)
        party.route = None
        return True

    def _strike(self, route: Route) -> None:
        """Mark the places and finds of a drawn path as used for all groups."""
        board = self._board
        for leg in route.legs:
            way = board.way(leg.cell)
            for name in leg.places:
                board.struck.add((leg.cell, name))
                if name in way.rooms:
                    board.struck |= {(leg.cell, find) for find in way.rooms[name]}
                else:
                    board.used.add((leg.cell, name))
