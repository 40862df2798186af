"""Positions of random games of Ice and Idols. The simulated players are simple: each fetches an idol within
reach and brings it to its altar."""

from __future__ import annotations

import random
from collections import Counter

from scorer.catalogue import Catalogue
from scorer.ice_and_idols.rules.actions import COSTS, faults, play
from scorer.ice_and_idols.rules.board_ruling import ap_of
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import BORDERS, CUBES, IDOLS, IdolKind, map_spots, pieces_of
from scorer.ice_and_idols.rules.position import Position, Stand, Traveller
from scorer.ice_and_idols.rules.reach import cheapest_way, walks
from scorer.ice_and_idols.rules.temple_frame import CELLS, apart, cell_of, number_of
from scorer.ice_and_idols.rules.track_ruling import FULL_TRACKS
from scorer.ice_and_idols.rules.turn_record import Action, Adrenaline, Drop, Move, Pass, Pick, Place
from scorer.ice_and_idols.rules.validation import Cheapest, Goal, Means
from scorer.record import Rotation
from scorer.square_grid import SIDES

ROTATIONS: tuple[Rotation, ...] = (0, 90, 180, 270)
MIDDLE = number_of((2, 2))


class _Table:
    """State of a simulated game: the referee's position, and the event deck."""

    def __init__(self, catalogue: Catalogue, players: int, chance: random.Random) -> None:
        self.pieces = pieces_of(catalogue)
        self.chance = chance
        self.players = players
        self.deck: list[str] = []
        self.position = self._laid()

    def _laid(self) -> Position:
        pieces, chance = self.pieces, self.chance
        names = [name for name in pieces.tiles for _ in range(pieces.copies[name]) if name != "roundabout"]
        chance.shuffle(names)
        tiles: list[tuple[str, int] | None] = [(name, chance.choice(ROTATIONS)) for name in names]
        tiles.insert(MIDDLE, ("roundabout", 0))
        figures = chance.sample(sorted(pieces.characters), self.players)
        keys = chance.sample(sorted(pieces.keys), self.players)
        face = chance.choice(sorted(pieces.maps))
        values = chance.sample(sorted(pieces.tokens), len(IDOLS))
        position = Position(
            pieces=pieces,
            house=House(),
            tiles=tiles,
            stands={figure: Stand(MIDDLE, 0) for figure in figures},
            quarters=0,
            spots=map_spots(pieces, ((face, (0, 0), 0),)),
            borders=BORDERS,
            discard=[],
            players={
                pieces.characters[figure]: self._seated(figure, key, number)
                for number, (figure, key) in enumerate(zip(figures, keys, strict=True))
            },
            cubes={},
            tokens={column: (value, False) for column, value in enumerate(values)},
        )
        self._start_cubes(position, figures)
        return position

    def _seated(self, figure: str, key: str, number: int) -> Traveller:
        return Traveller(
            name=self.pieces.characters[figure],
            figure=figure,
            seat=SIDES[(2 + number) % 4],
            idols=Counter(),
            powers=set(),
            minus=False,
            key=key,
            kept=["roundabout"] if self.pieces.characters[figure] == "keysmith" else [],
        )

    def _start_cubes(self, position: Position, figures: list[str]) -> None:
        """Place cubes of unused colours on the lowest spaces, as in games with fewer than four players."""
        played = {self.pieces.colours[figure] for figure in figures}
        idle = [colour for colour in sorted(self.pieces.cubes.values()) if colour not in played]
        assert self.pieces.research is not None and position.cubes is not None
        for track in self.pieces.research.tracks:
            for space in track.spaces:
                if self.players in space.start:
                    position.cubes[track.column, space.row] = idle[len(position.cubes) % len(idle)]

    def event(self) -> str:
        """Draw the next event card; an empty deck is shuffled again."""
        if not self.deck:
            self.deck = [
                name
                for name, event in self.pieces.events.items()
                for _ in range(self.pieces.copies[name])
                if (event.players or 0) <= self.players
            ]
            self.chance.shuffle(self.deck)
        return self.deck.pop()


def stopped_game(catalogue: Catalogue, seed: int, players: int, turns: int) -> Position:
    """The position after a number of turns of a random game, or after its last round."""
    table = _Table(catalogue, players, random.Random(seed))
    names = list(table.position.players)
    for number in range(turns):
        _turn(table, names[number % players])
        if number % players == players - 1 and _is_over(table.position):
            break
    return table.position


def _is_over(position: Position) -> bool:
    research = position.pieces.research
    assert research is not None
    full = sum(position.is_full(track) for track in research.tracks)
    return full >= FULL_TRACKS or any(
        position.placed(player) >= CUBES for player in position.players.values()
    )


# --- a turn -------------------------------------------------------------------------------------------------


def _turn(table: _Table, name: str) -> None:
    position = table.position
    left = ap_of(position.players[name])
    if _is_trapped(position, position.players[name]):
        _pass(table, name)
        return
    spent_adrenaline = False
    if table.chance.random() < 0.15 and not faults(position, position.players[name], Adrenaline()):
        left += play(position, position.players[name], Adrenaline()).ap
        spent_adrenaline = True
    for _ in range(40):
        actions = _plan(table, name, left)
        if not actions:
            break
        for action in actions:
            who = table.position.players[name]
            cost = COSTS[type(action)]
            if cost > left or faults(table.position, who, action):
                left = 0
                break
            left += play(table.position, who, action).ap - cost
        if left <= 0:
            break
    who = table.position.players[name]
    if who.minus and not spent_adrenaline:
        who.minus = False


def _is_trapped(position: Position, who: Traveller) -> bool:
    return len(walks(position, position.stands[who.figure], 1)) == 1


def _pass(table: _Table, name: str) -> None:
    position = table.position
    cells = [cell for cell in range(CELLS) if position.tiles[cell] and not position.figures_on(cell)]
    for cell in table.chance.sample(cells, len(cells)):
        laid = position.tiles[cell]
        assert laid is not None
        place = position.pieces.tiles[laid[0]].named[0]
        action = Pass(cell=cell_of(cell), place=place)
        if not faults(position, position.players[name], action):
            play(position, position.players[name], action)
            return


def _plan(table: _Table, name: str, left: int) -> list[Action]:
    """The next actions: pick up or place here, else move where that is possible, else move closer."""
    position, who = table.position, table.position.players[name]
    stand = position.stands[who.figure]
    spot = position.spot(stand.cell)
    assert spot is not None
    if left < 1:
        return []
    for kind in IDOLS:
        if who.idols[position.pieces.idol(kind)]:
            if kind in spot.altars and (placed := _placing(table, who, kind)) is not None:
                return [placed]
            if not _is_wanted(position, who, kind):
                return [Drop(idol=kind)]
    room = sum(who.idols.values()) < who.hands
    for kind in spot.idols:
        if room and not who.idols[position.pieces.idol(kind)] and _is_wanted(position, who, kind):
            return [Pick(idol=kind)]
    return _way(table, who, left)


def _is_wanted(position: Position, who: Traveller, kind: IdolKind) -> bool:
    """Whether placing an idol of this kind still brings a benefit."""
    track = position.pieces.track(kind)
    open_track = track is not None and not position.is_full(track) and position.placed(who) < CUBES
    return kind not in who.powers or open_track


def _placing(table: _Table, who: Traveller, kind: IdolKind) -> Place | None:
    """The use of an idol at its altar: research, or with some probability its power. None where neither is
    possible."""
    position, chance = table.position, table.chance
    track = position.pieces.track(kind)
    assert track is not None and position.cubes is not None
    space = next((each for each in track.spaces if (track.column, each.row) not in position.cubes), None)
    able = space is not None and position.placed(who) < CUBES
    power = kind not in who.powers and (not able or chance.random() < 0.3)
    if power:
        return Place(idol=kind, for_="power", event=table.event())
    if not able or space is None:
        return None
    return Place(
        idol=kind,
        for_="study",
        event=table.event() if space.gives == "event" else None,
        shift=chance.choice(("left", "right", None)) if space.gives == "shift" else None,
    )


def _goals(position: Position, who: Traveller) -> list[Goal]:
    """Goals of a player: altars of useful carried idols, and useful idols not carried."""
    carried = [kind for kind in IDOLS if who.idols[position.pieces.idol(kind)]]
    goals = [Goal(altar=kind) for kind in carried if _is_wanted(position, who, kind)]
    if sum(who.idols.values()) < who.hands:
        goals += [
            Goal(idol=kind) for kind in IDOLS if kind not in carried and _is_wanted(position, who, kind)
        ]
    return goals


def _way(table: _Table, who: Traveller, left: int) -> list[Action]:
    position, chance = table.position, table.chance
    goals = _goals(position, who)
    means: tuple[Means, ...] = ("jade", "ruby", "gold", "character") if chance.random() < 0.15 else ()
    for goal in chance.sample(goals, len(goals)):
        found = cheapest_way(
            position, Cheapest(player=who.name, to=goal, with_=means, limit=7), min(left - 1, 6)
        )
        if found is not None and found[1]:
            return found[1]
    return _nearer(table, who, goals, left)


def _nearer(table: _Table, who: Traveller, goals: list[Goal], left: int) -> list[Action]:
    """One step towards a goal, or a random step."""
    position = table.position
    stand = position.stands[who.figure]
    wanted = [
        cell
        for cell in range(CELLS)
        for goal in goals
        if (spot := position.spot(cell)) is not None
        and (goal.idol in spot.idols or goal.altar in spot.altars)
    ]
    reached = walks(position, stand, left)
    if len(reached) < 2 or not wanted:
        return []
    best = min(
        (each for each in reached if each != stand),
        key=lambda each: (min(apart(each.cell, cell) for cell in wanted), table.chance.random()),
    )
    found = cheapest_way(
        position, Cheapest(player=who.name, to=Goal(cell=cell_of(best.cell)), with_=()), left
    )
    moves = [action for action in (found[1] if found is not None else []) if isinstance(action, Move)]
    return [*moves[:left]]
