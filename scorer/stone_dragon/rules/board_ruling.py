"""The ruling on a board: its problems, the stars laid so far, and the options of each player if it were their
turn."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from scorer.board_problems import RulingOnBoard, told_problems
from scorer.board_record import Board
from scorer.catalogue import Side
from scorer.record import Rotation
from scorer.square_grid import SIDES, Cell
from scorer.stone_dragon.rules.actions import (
    makes,
    panels_left,
    why_not_attacked,
    why_not_bought,
    why_not_turned,
)
from scorer.stone_dragon.rules.house import House
from scorer.stone_dragon.rules.pieces import CELLS, Pieces
from scorer.stone_dragon.rules.position import Holder, Position, cell_of, position_of, side_towards
from scorer.stone_dragon.rules.problems import can_play, is_unread, problems_of
from scorer.stone_dragon.rules.validation import DRAGON, LaidSide, Phase, seat_of, top_of
from scorer.stone_dragon.rules.victories import free_sides, is_met, may_have


class Exploring(msgspec.Struct, frozen=True, kw_only=True):
    """A panel that may be turned up: the side on which it has to open, and how each panel that may lie there
    would be turned."""

    to: Cell
    side: Side
    turns: dict[str, list[Rotation]]


class AtEntrance(msgspec.Struct, frozen=True, kw_only=True):
    """Options at the entrance: chips to buy, life to heal, victory cards to draw, cards to sell."""

    buy: list[str]
    heal: bool
    draw: int
    sell: dict[str, int]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    moves: list[Cell]
    explore: list[Exploring]
    attack: list[str]
    entrance: AtEntrance | None
    use: dict[str, list[tuple[str | None, str | None]]]
    reveal: dict[str, list[LaidSide]]


class BoardRuling(RulingOnBoard, frozen=True, kw_only=True):
    """`stars` are None where something was not made out; `turnable` and `options` where nothing can be
    played, and once the dragon is dead."""

    game: str = "stone_dragon"
    phase: Phase
    stars: dict[str, int | None]
    turnable: list[Cell] | None
    options: dict[str, Options] | None


def rule_board(board: Board, pieces: Pieces, house: House) -> BoardRuling:
    """The ruling on a checked board."""
    problems = problems_of(board, pieces)
    laid = [card for player in board.players for card in seat_of(player).victory]
    unread = is_unread(problems) or any(card.card is None or card.side is None for card in laid)
    turnable, options = None, None
    if can_play(problems):
        position = position_of(board, pieces, house)
        if position.dragon_life > 0:
            turnable = [cell_of(cell) for cell in range(CELLS) if why_not_turned(position, cell) is None]
            options = {name: options_of(position, holder) for name, holder in position.holders.items()}
    return BoardRuling(
        problems=told_problems(problems),
        phase=top_of(board).phase,
        stars={
            player.name: None
            if unread
            else stars_of([(card.card or "", card.side or "") for card in seat_of(player).victory], pieces)
            for player in board.players
        },
        turnable=turnable,
        options=options,
    )


def stars_of(victory: list[tuple[str, str]], pieces: Pieces) -> int:
    """The total stars of the victory cards laid for points."""
    return sum(pieces.victories[card].stars for card, side in victory if side == "points")


def options_of(position: Position, who: Holder) -> Options:
    """The options of a player, as if it were their turn."""
    others = [name for name in position.holders if name != who.name]
    return Options(
        moves=sorted(
            (cell_of(cell) for cell in position.neighbours(who.cell) if position.joined(who.cell, cell)),
            key=lambda cell: cell[::-1],
        ),
        explore=_explorations(position, who),
        attack=[each for each in (*others, DRAGON) if why_not_attacked(position, who, each) is None],
        entrance=_at_entrance(position, who) if who.cell == position.entrance else None,
        use={card: uses_of(position, who, card) for card in _held(who, position.pieces.items)},
        reveal=_reveals(position, who),
    )


def _held(who: Holder, cards: Iterable[str]) -> list[str]:
    return [name for name in cards if who.holds[name] > 0]


def _explorations(position: Position, who: Holder) -> list[Exploring]:
    pieces, found = position.pieces, []
    for cell in sorted(position.neighbours(who.cell)):
        side = side_towards(who.cell, cell)
        if side is None or position.panels[cell].up or not position.opens(who.cell, side):
            continue
        back = (side + 2) % 4
        turns: dict[str, list[Rotation]] = {}
        for name in pieces.panels:
            if panels_left(position, name):
                rotations: tuple[Rotation, ...] = (0, 90, 180, 270)
                turns[name] = [turn for turn in rotations if pieces.lying[name, turn] >> back & 1]
        found.append(Exploring(to=cell_of(cell), side=SIDES[back], turns=turns))
    return found


def _at_entrance(position: Position, who: Holder) -> AtEntrance:
    pieces = position.pieces
    sold = {name: position.price(who, name) for name in _held(who, {**pieces.monsters, **pieces.items})}
    return AtEntrance(
        buy=[name for name in pieces.chips if why_not_bought(position, who, name) is None],
        heal=who.life < who.character.life,
        draw=max(0, min(2, position.victory_pile())),
        sell={name: price for name, price in sold.items() if price is not None},
    )


def uses_of(position: Position, who: Holder, card: str) -> list[tuple[str | None, str | None]]:
    """The possible exchanges with an item card, as pairs (chip gained, chip handed in)."""
    pieces = position.pieces
    item = pieces.items[card]
    if item.chip is None:
        return [(None, None)]
    if position.is_cursed(who, item.chip):
        return []
    mine: list[str | None] = [None]
    mine += [name for name in pieces.chips if who.holds[name] > 0 or name in who.equipped]
    return [
        (gain, discard)
        for discard in mine
        for gain in pieces.chips
        if makes(position, item, gain, discard) and position.supply(gain) > 0
    ]


def _reveals(position: Position, who: Holder) -> dict[str, list[LaidSide]]:
    found: dict[str, list[LaidSide]] = {}
    for card in who.hand or ():
        if card is None:
            continue
        condition = position.pieces.victories[card].condition
        if condition.moment is not None or condition.swap:
            continue
        able = may_have(position, who, card) and is_met(position, who, condition)
        found[card] = free_sides(position, card) if able else []
    return found
