"""Positions of random games of Stone Dragon. The simulated players choose at random among sensible
actions."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator

from scorer.catalogue import Catalogue
from scorer.record import Rotation
from scorer.stone_dragon.rules.actions import LIFT, play, why_not_turned
from scorer.stone_dragon.rules.board_ruling import Options, options_of
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.illegal_action import Breach
from scorer.stone_dragon.rules.pieces import CELLS, CHIP_PRICES, Pieces, pieces_of
from scorer.stone_dragon.rules.position import Holder, Panel, Position, cell_of, number_of, side_towards
from scorer.stone_dragon.rules.turn_record import (
    Action,
    Attack,
    Boost,
    Buy,
    DrawVictory,
    Equip,
    Explore,
    Heal,
    Move,
    Potion,
    Reveal,
    Sell,
    Shown,
    TurnPanel,
    Use,
)
from scorer.stone_dragon.rules.turn_ruling import ACTIONS
from scorer.stone_dragon.rules.validation import DRAGON, LaidSide

ROTATIONS: tuple[Rotation, ...] = (0, 90, 180, 270)
#: Where the entrance may be turned, players who all stand on it with its passages outwards never leave it.
HOUSE = House(turn_entrance=False)


class _Table:
    """State of a simulated game: the referee's position, and the hidden piles."""

    def __init__(self, catalogue: Catalogue, players: int, chance: random.Random) -> None:
        self.pieces = pieces_of(catalogue)
        self.chance = chance
        self.dungeon = self._shuffled((*self.pieces.monsters, *self.pieces.items, *self.pieces.curses))
        self.victories = self._shuffled(tuple(self.pieces.victories))
        self.panels = self._shuffled(
            tuple(name for name in self.pieces.panels if name not in self.pieces.entrances)
        )
        self.position = self._laid(players)

    def _shuffled(self, names: tuple[str, ...]) -> list[str]:
        pile = [name for name in names for _ in range(self.pieces.copies[name])]
        self.chance.shuffle(pile)
        return pile

    def _laid(self, players: int) -> Position:
        pieces = self.pieces
        entrance = next(iter(pieces.entrances))
        panels = [Panel(None, None, False) for _ in range(CELLS)]
        characters = self.chance.sample(sorted(pieces.characters), players)
        position = Position(
            pieces=pieces,
            house=HOUSE,
            panels=panels,
            entrance=0,
            holders={name: self._seated(name, number) for number, name in enumerate(characters)},
            dragon_pawn=sorted(pieces.pawns)[-1],
            dragon_cell=CELLS - 1,
            dragon_life=pieces.dragon.life,
            sides=[0] * CELLS,
        )
        position.lay(0, Panel(entrance, 0, True))
        return position

    def _seated(self, name: str, number: int) -> Holder:
        """A new player named after the character, who keeps one of two victory cards."""
        character = self.pieces.characters[name]
        drawn = [self.victories.pop(), self.victories.pop()]
        kept = self.chance.choice(drawn)
        drawn.remove(kept)
        self.victories[:0] = drawn
        return Holder(
            name=name,
            pawn=sorted(self.pieces.pawns)[number],
            character_name=name,
            character=character,
            cell=0,
            life=character.life,
            coins=character.coins,
            holds=Counter(),
            equipped=[],
            victory=[],
            hand=[kept],
            hand_size=1,
        )

    def top(self) -> str | None:
        """The top dungeon card. An empty pile is refilled with the shuffled cards that no player holds."""
        while self.dungeon:
            card = self.dungeon.pop()
            if self.position.dungeon_left(card) > 0:
                return card
        pile = [
            name
            for name in (*self.pieces.monsters, *self.pieces.items, *self.pieces.curses)
            for _ in range(self.position.dungeon_left(name))
        ]
        self.chance.shuffle(pile)
        self.dungeon = pile
        return self.dungeon.pop() if pile else None

    def do(self, name: str, action: Action) -> bool:
        """Apply a legal action to the position; False where the action is illegal."""
        position = self.position.copy()
        try:
            play(position, position.holders[name], action, 0)
        except Breach:
            return False
        self.position = position
        return True


def stopped_game(catalogue: Catalogue, seed: int, players: int, turns: int) -> Position:
    """The position after a number of turns of a random game, or at the dragon's death."""
    table = _Table(catalogue, players, random.Random(seed))
    names = list(table.position.holders)
    for number in range(turns):
        _turn(table, names[number % len(names)])
        if table.position.slayer is not None:
            break
    return table.position


def _turn(table: _Table, name: str) -> None:
    """Play one turn: up to three actions, each one of the sensible ones."""
    for _ in range(ACTIONS):
        _free(table, name)
        action = next((each for each in _ideas(table, name) if table.do(name, each)), None)
        if isinstance(action, DrawVictory) and action.draw is not None and action.keep is not None:
            for card in action.draw:
                table.victories.remove(card)
            back = list(action.draw)
            back.remove(action.keep)
            table.victories[:0] = back
        if table.position.slayer is not None:
            return
    _free(table, name)


def _free(table: _Table, name: str) -> None:
    """Free actions: equip the best chips, and show most cards that may be shown."""
    chips = table.pieces.chips
    for kind in ("sword", "shield"):
        who = table.position.holders[name]
        mine = [
            each for each, count in who.holds.items() if count and each in chips and chips[each].kind == kind
        ]
        best = max(mine, key=lambda each: chips[each].value, default=None)
        if best is not None and chips[best].value > table.position.worn(who, kind):
            table.do(name, Equip(chip=best))
    who = table.position.holders[name]
    for card in list(who.hand or ()):
        if card is None or table.chance.random() < 0.3:
            continue
        any(table.do(name, action) for action in _showings(table, who, card))


def _showings(table: _Table, who: Holder, card: str) -> Iterator[Reveal]:
    condition = table.pieces.victories[card].condition
    if condition.swap:
        for laid, side in who.victory:
            if side == "bonus":
                yield Reveal(card=card, swap=laid)
        return
    sides: list[LaidSide] = ["points", "bonus"]
    if table.chance.random() < 0.25:
        sides.reverse()
    yield from (Reveal(card=card, side=side) for side in sides)


def _ideas(table: _Table, name: str) -> Iterator[Action]:
    """Candidate actions of a player in order of preference; the first legal one is played."""
    chance, position = table.chance, table.position
    who = position.holders[name]
    options = options_of(position, who)
    if DRAGON in options.attack and _is_ready(position, who):
        yield from _attacks(table, who, DRAGON)
    if options.entrance is not None:
        yield from _at_entrance(table, who, options)
    for card, ways in options.use.items():
        if ways and chance.random() < 0.8:
            gain, given = max(ways, key=lambda way: _worth(table.pieces, way))
            yield Use(card=card, gain=gain, discard=given)
    if who.life <= 3 or "hale" in (who.hand or ()):
        yield from (Potion(chip=each) for each, count in who.holds.items() if count and "potion" in each)
    for target in options.attack:
        if target != DRAGON and chance.random() < 0.25:
            yield from _attacks(table, who, target)
    if options.explore and chance.random() < 0.6:
        yield from _explore(table, options)
    yield from _walk(table, who, options)
    yield from _explore(table, options)
    yield from _turns(table)


def _worth(pieces: Pieces, way: tuple[str | None, str | None]) -> int:
    gain, given = (pieces.chips[each].value if each is not None else 0 for each in way)
    return gain - given


def _is_ready(position: Position, who: Holder) -> bool:
    """Whether a player can harm the dragon and survive, or can kill it."""
    harm = position.attack(who) - position.pieces.dragon.defence
    struck = max(0, position.pieces.dragon.attack - position.defence(who))
    return harm >= position.dragon_life or (harm >= 1 and struck < who.life)


def _attacks(table: _Table, who: Holder, target: str) -> Iterator[Attack]:
    """Attack actions, one for each possible outcome of the fight."""
    other = table.position.holders.get(target)
    boost = {}
    if table.position.has(who, "pay_coins") and who.coins > 1:
        boost[who.name] = Boost(coins=who.coins // 2)
    for loser in (other, who):
        chips = (None, *(loser.equipped[:1] if loser is not None else ()))
        for steal in reversed(chips):
            shown = () if loser is None else _at_defeat(table, loser, target)
            yield Attack(target=target, steal=steal, at_defeat=shown, boost=boost)
            yield Attack(target=target, steal=steal, boost=boost)


def _at_defeat(table: _Table, loser: Holder, target: str) -> tuple[Shown, ...]:
    """The card that a player would show on defeat, declared in advance where the fight may be lost."""
    moment = "beaten-by-player" if target in table.position.holders else "beaten-by-monster"
    for card in loser.hand or ():
        if card is not None and table.pieces.victories[card].condition.moment == moment:
            return (Shown(card=card, side="points"),)
    return ()


def _at_entrance(table: _Table, who: Holder, options: Options) -> Iterator[Action]:
    chance, there = table.chance, options.entrance
    assert there is not None
    cards = [card for card in there.sell for _ in range(who.holds[card])]
    wanted = {card for card in who.hand or () if card in ("hunter", "hoarder")}
    curses = [card for card in table.pieces.curses if who.holds[card]]
    if curses and who.coins >= LIFT * len(curses) and chance.random() < 0.7:
        yield from (Sell(cards=(card,), lift=tuple(curses)) for card in cards[:1])
    if cards and (not wanted or chance.random() < 0.5):
        yield Sell(cards=tuple(cards))
    strong = [each for each in there.buy if CHIP_PRICES[table.pieces.chips[each].value] >= 3]
    if strong and chance.random() < 0.8:
        yield Buy(chip=chance.choice(strong))
    if there.heal and who.life < who.character.life - 1 and chance.random() < 0.6:
        yield Heal()
    if there.draw and len(who.hand or ()) < 2 and chance.random() < 0.6:
        drawn = tuple(table.victories[-there.draw :])
        yield DrawVictory(draw=drawn, keep=chance.choice(drawn))
    if there.buy and chance.random() < 0.4:
        yield Buy(chip=chance.choice(there.buy))


def _explore(table: _Table, options: Options) -> Iterator[Action]:
    """Actions that turn up the next panel, rotated so that most of its passages connect."""
    for each in table.chance.sample(options.explore, len(options.explore)):
        up = {panel.name for panel in table.position.panels if panel.up}
        name = next((panel for panel in table.panels if panel not in up), None)
        turns = each.turns.get(name or "", [])
        if name is not None and turns:
            yield Explore(to=each.to, tile=name, rotation=table.chance.choice(turns))


def _walk(table: _Table, who: Holder, options: Options) -> Iterator[Action]:
    """A step towards a goal: the dragon when ready, the entrance with goods to sell, else a random place."""
    chance, position = table.chance, table.position
    goal: int | None = None
    goods = sum(count for card, count in who.holds.items() if position.price(who, card))
    if _is_ready(position, who) and chance.random() < 0.9:
        goal = position.dragon_cell
    elif (goods >= 3 or who.life <= 2 or who.coins >= 5) and chance.random() < 0.8:
        goal = position.entrance
    elif chance.random() < 0.4:
        goal = position.dragon_cell
    cells = [number_of(cell) for cell in options.moves]
    chance.shuffle(cells)
    if goal is not None and goal != who.cell:
        steps = _steps_to(position, goal)
        if steps.get(who.cell) == 0:
            yield from _explore(table, options)
        if who.cell not in steps:
            yield from _way_opened(table, who, options, goal)
        cells.sort(key=lambda cell: steps.get(cell, 99))
    for cell in cells:
        yield from _moves(table, who, cell)


def _turns(table: _Table) -> Iterator[TurnPanel]:
    """Rotations of face-up panels, in random order."""
    cells = [cell for cell in range(CELLS) if table.position.panels[cell].up]
    for cell in table.chance.sample(cells, len(cells)):
        yield TurnPanel(at=cell_of(cell), rotation=table.chance.choice(ROTATIONS))


def _way_opened(table: _Table, who: Holder, options: Options, goal: int) -> Iterator[Action]:
    """Actions towards a goal that cannot be reached: rotations of panels that open a path to it, then
    turning up a panel, then moves nearer to it, then random moves and rotations."""
    position = table.position
    once = list(_turned(position))
    for turn, turned in once:
        if who.cell in _steps_to(turned, goal):
            yield turn
    beside = {cell_of(cell) for cell in position.neighbours(goal)}
    for turn, turned in once:
        if turn.at in beside and any(who.cell in _steps_to(twice, goal) for _, twice in _turned(turned)):
            yield turn
    if options.explore and table.chance.random() < 0.8:
        yield from _explore(table, options)
    steps = _steps_from(position, who.cell)
    near = min(steps, key=lambda cell: (_apart(cell, goal), steps[cell]))
    if near != who.cell and table.chance.random() < 0.7:
        back = _steps_from(position, near)
        for each in sorted(options.moves, key=lambda cell: back.get(number_of(cell), 99)):
            yield from _moves(table, who, number_of(each))
    if table.chance.random() < 0.5:  # Only a panel that nobody stands on can be turned.
        for each in table.chance.sample(options.moves, len(options.moves)):
            yield from _moves(table, who, number_of(each))
    yield from _turns(table)


def _turned(position: Position) -> Iterator[tuple[TurnPanel, Position]]:
    """All legal rotations of panels, each with the position after it."""
    for cell in range(CELLS):
        if why_not_turned(position, cell) is None:
            for rotation in ROTATIONS:
                turned = position.copy()
                turned.lay(cell, Panel(position.panels[cell].name, rotation, True))
                yield TurnPanel(at=cell_of(cell), rotation=rotation), turned


def _apart(cell: int, other: int) -> int:
    (column, row), (there, below) = cell_of(cell), cell_of(other)
    return abs(column - there) + abs(row - below)


def _moves(table: _Table, who: Holder, cell: int) -> Iterator[Move]:
    """Move actions, one for each possible outcome of the fight on arrival."""
    room = table.position.panels[cell].name in table.pieces.rooms
    draw = table.top() if room else None
    shown = _at_defeat(table, who, "monster") if draw else ()
    yield Move(to=cell_of(cell), draw=draw, at_defeat=shown)
    yield Move(to=cell_of(cell), draw=draw)


def _steps_to(position: Position, goal: int) -> dict[int, int]:
    """Number of steps from every panel to a goal. For a face-down goal, to a panel from which it can be
    turned up."""
    if position.panels[goal].up:
        return _steps_from(position, goal)
    ends = [
        cell
        for cell in position.neighbours(goal)
        if position.opens(cell, side_towards(cell, goal) or 0) and side_towards(cell, goal) is not None
    ]
    return _steps_from(position, *ends)


def _steps_from(position: Position, *cells: int) -> dict[int, int]:
    """Number of steps to every reachable panel from the nearest of the given panels (breadth-first
    search)."""
    found, ahead = dict.fromkeys(cells, 0), deque(cells)
    while ahead:
        here = ahead.popleft()
        for cell in position.neighbours(here):
            if cell not in found and position.joined(here, cell):
                found[cell] = found[here] + 1
                ahead.append(cell)
    return found
