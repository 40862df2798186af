"""Inference of a turn from two boards: the actions that lead from the first to the second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any

import msgspec

from scorer.board_record import Board, Cell
from scorer.errors import WaymarkError
from scorer.infer_turns import HELD_NATS, Playing, SeenTurn, Step, Trust, likeliest
from scorer.stone_dragon.rules.board_ruling import uses_of
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.illegal_action import Breach
from scorer.stone_dragon.rules.pieces import WORN, Pieces
from scorer.stone_dragon.rules.position import (
    Holder,
    Panel,
    Position,
    cell_of,
    coins_told,
    life_told,
    position_of,
)
from scorer.stone_dragon.rules.problems import can_play, problems_of
from scorer.stone_dragon.rules.turn_record import (
    Action,
    Attack,
    Buy,
    DrawVictory,
    Equip,
    Explore,
    Heal,
    Move,
    Potion,
    Reveal,
    Search,
    Sell,
    TurnPanel,
    Use,
)
from scorer.stone_dragon.rules.turn_ruling import UnderWay
from scorer.stone_dragon.rules.validation import DRAGON, seat_of, top_of

#: A pawn is farther off by each panel (nats).
A_PANEL_AWAY = 0.4


def seen_turn(
    before: Board, after: Board, player: str, pieces: Pieces, house: House, trust: Trust
) -> SeenTurn | None:
    """The likeliest turn of a player between two boards; None where the first cannot be played on."""
    if not can_play(problems_of(before, pieces)):
        return None
    start = UnderWay(player, position_of(before, pieces, house))
    seen = _Seen(player, after, pieces, trust)
    found = likeliest(start, Playing(seen.on, seen.unlike, seen.far, _key, _left))
    # what lies before a player is half of a turn
    stood = next(each for each in before.players if each.name == player)
    whole = stood.holds is not None and player in seen.players
    return found if whole else replace(found, open=True)


class _Seen:
    """The observed board after the turn, for comparison with candidate states."""

    def __init__(self, player: str, after: Board, pieces: Pieces, trust: Trust) -> None:
        self.player, self.pieces, self.trust = player, pieces, trust
        self.tiles = {tile.cell: tile for tile in after.tiles or ()}
        self.standing = {each.piece: each.cell for each in after.pieces or () if each.on is None}
        self.dragon_life = top_of(after).dragon.life
        self.players = {each.name: each for each in after.players if each.holds is not None}
        self.held = {name: self._cards_and_chips(each.holds or {}) for name, each in self.players.items()}

    def _cards_and_chips(self, holds: Any) -> Counter[str]:
        other = {*self.pieces.lives, *self.pieces.coins}
        return Counter({name: count for name, count in holds.items() if count and name not in other})

    # --- how unlike a position is

    def unlike(self, state: UnderWay) -> float:
        return sum(self._unlike(state.position))

    def _unlike(self, now: Position) -> Iterator[float]:
        for number, panel in enumerate(now.panels):
            if not self._lies(now, number, panel):
                yield self.trust.tile(cell_of(number))
        for holder in now.holders.values():
            if holder.pawn in self.standing and self.standing[holder.pawn] != cell_of(holder.cell):
                yield self.trust.piece(holder.pawn)
            yield from self._before(holder)
        if self.dragon_life is not None and self.dragon_life != max(0, now.dragon_life):
            yield HELD_NATS

    def _lies(self, now: Position, number: int, panel: Panel) -> bool:
        seen = self.tiles.get(cell_of(number))
        if seen is None or (seen.face == "up" and (seen.tile is None or seen.rotation is None)):
            return True
        if seen.face == "down" or not panel.up:
            return (seen.face == "up") == panel.up
        if seen.tile is None or seen.tile != panel.name:
            return False
        return self.pieces.lying[seen.tile, seen.rotation or 0] == now.sides[number]

    def _before(self, holder: Holder) -> Iterator[float]:
        player = self.players.get(holder.name)
        if player is None:
            return
        seat, held = seat_of(player), +holder.holds
        yield HELD_NATS * _apart(held, self.held[holder.name])
        for now, told in (
            (holder.life, life_told(player, self.pieces)),
            (holder.coins, coins_told(player, self.pieces)),
        ):
            if told is not None and now != told:
                yield HELD_NATS
        if "equipped" in player.more:
            yield HELD_NATS * _apart(Counter(holder.equipped), Counter(seat.equipped))
        if "victory" in player.more:
            laid = Counter((each.card or "", each.side) for each in seat.victory)
            yield HELD_NATS * _apart(Counter(holder.victory), laid)
        hand = player.hand_size if player.hand is None else len(player.hand)
        if hand is not None and hand != holder.hidden:
            yield HELD_NATS

    def far(self, state: UnderWay) -> float:
        holder = state.position.holders[self.player]
        cell = self.standing.get(holder.pawn)
        if cell is None:
            return 0.0
        column, row = cell_of(holder.cell)
        return A_PANEL_AWAY * (abs(column - cell[0]) + abs(row - cell[1]))

    # --- what can be done

    def on(self, state: UnderWay) -> Iterator[tuple[Step, UnderWay]]:
        for action in self._actions(state.position, state.position.holders[self.player]):
            after = copy(state)
            after.played, after.fights = list(state.played), list(state.fights)
            after.asked = list(state.asked)
            try:
                after.take(action, len(state.played))
            except (Breach, WaymarkError):
                continue
            plain: dict[str, Any] = msgspec.to_builtins(action)
            told = {name: value for name, value in plain.items() if value not in (None, {}, (), [])}
            yield told, after

    def _actions(self, now: Position, who: Holder) -> Iterator[Action]:
        column, row = cell_of(who.cell)
        near: list[Cell] = [
            (column + x, row + y)
            for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0))
            if 0 <= column + x < 4 and 0 <= row + y < 4
        ]
        drawn: list[str | None] = [None, *self._drawn(now)]
        for to in near:
            for draw in drawn:
                yield Move(to=to, draw=draw)
            tile = self.tiles.get(to)
            if tile is not None and tile.face == "up" and tile.tile is not None:
                yield Explore(to=to, tile=tile.tile, rotation=tile.rotation or 0)
        if now.house.room_search == "action":
            for draw in drawn:
                yield Search(draw=draw)
        for cell, tile in self.tiles.items():
            number = cell[1] * 4 + cell[0]
            panel = now.panels[number]
            if panel.up and tile.tile == panel.name and not self._lies(now, number, panel):
                yield TurnPanel(at=cell, rotation=tile.rotation or 0)
        for name, holder in now.holders.items():
            if name != who.name and holder.cell == who.cell:
                for steal in (None, *dict.fromkeys((*holder.equipped, *who.equipped))):
                    yield Attack(target=name, steal=steal)
        if who.cell == now.dragon_cell:
            yield Attack(target=DRAGON)
        yield from self._chips_and_cards(now, who)

    def _drawn(self, now: Position) -> Iterator[str]:
        """The dungeon cards that may have been drawn in a room."""
        pieces = self.pieces
        for name in (*pieces.monsters, *pieces.items, *pieces.curses):
            if now.dungeon_left(name) > 0:
                yield name

    def _chips_and_cards(self, now: Position, who: Holder) -> Iterator[Action]:
        pieces, seen = self.pieces, self.held.get(who.name)
        if seen is None:
            return
        chips = [name for name, count in who.holds.items() if count and name in pieces.chips]
        for name in chips:
            if pieces.chips[name].kind == "potion":
                yield Potion(chip=name)
            elif pieces.chips[name].kind in WORN:
                yield Equip(chip=name)
        for name, count in who.holds.items():
            if count and name in pieces.items:
                for gain, discard in uses_of(now, who, name):
                    yield Use(card=name, gain=gain, discard=discard)
        if who.cell == now.entrance:
            yield from self._at_entrance(who, seen)
        yield from self._reveals(who)

    def _at_entrance(self, who: Holder, seen: Counter[str]) -> Iterator[Action]:
        """Possible actions at the entrance: sales, purchases, healing and draws."""
        pieces = self.pieces
        gone = +who.holds - seen
        sold = [name for name in gone.elements() if name in pieces.monsters or name in pieces.items]
        lifted = [name for name in gone.elements() if name in pieces.curses]
        if sold or lifted:
            yield Sell(cards=tuple(sold), lift=tuple(lifted))
        for name in pieces.chips:
            yield Buy(chip=name)
        yield Heal()
        yield DrawVictory()

    def _reveals(self, who: Holder) -> Iterator[Action]:
        """Victory cards that the board after shows revealed."""
        laid = seat_of(self.players[who.name]).victory
        for each in laid:
            if each.card is None or each.side not in ("points", "bonus"):
                continue
            if (each.card, each.side) not in who.victory:
                yield Reveal(card=each.card, side=each.side)
                yield from self._swaps(who, each.card)

    def _swaps(self, who: Holder, card: str) -> Iterator[Action]:
        for name, victory in self.pieces.victories.items():
            if victory.condition.swap and card in {laid for laid, _ in who.victory}:
                yield Reveal(card=name, swap=card)


def _apart(one: Counter[Any], other: Counter[Any]) -> int:
    return sum(((one - other) + (other - one)).values())


def _key(state: UnderWay) -> Hashable:
    return _left(state), state.left, state.interrupting


def _left(state: UnderWay) -> Hashable:
    now = state.position
    return (
        tuple((panel.name, sides, panel.up) for panel, sides in zip(now.panels, now.sides, strict=True)),
        tuple(
            (
                name,
                each.cell,
                each.life,
                each.coins,
                frozenset((+each.holds).items()),
                tuple(sorted(each.equipped)),
                tuple(sorted(each.victory)),
                each.hidden,
            )
            for name, each in now.holders.items()
        ),
        now.dragon_life,
        now.slayer,
    )
