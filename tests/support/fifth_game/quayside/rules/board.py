"""The rules: what is wrong with a position, what a boat may do, and the ruling on a board.

A turn has up to three actions: a boat sails along a canal to the next tile, turns a loose tile under it or
next to it, or loads a good that lies where it is. The game is over when no goods are left on the board. A
player has the points of their goods, and three more for each set of all kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec

from quayside.rules.pieces import SIDE, House, Pieces
from scorer.action_fields import Asks, PieceOf
from scorer.board_problems import Problem, RulingOnBoard, told_problems
from scorer.board_record import Board, Cell, Piece
from scorer.record import Rotation
from scorer.square_grid import STEPS, bits, passages
from scorer.text import Text

ACTIONS, SET_POINTS = 3, 3


class BrokenRule(Exception):
    """An action against the rules: the code of the rule, and its sentence."""

    def __init__(self, rule: str, words: Text) -> None:
        super().__init__(rule)
        self.problem = Problem(rule, words)


def cells_of(board: Board) -> dict[str, Cell]:
    """The cell of each piece on the board by id; of several copies the last one's."""
    return {each.piece: each.cell for each in board.pieces or () if each.piece and each.cell}


def problems_of(board: Board, pieces: Pieces) -> list[Problem]:
    """What cannot be true of a position, or is not known of it."""
    lying = {tile.cell for tile in board.tiles or () if tile.tile is not None}
    bare = [(x, y) for y in range(SIDE) for x in range(SIDE) if (x, y) not in lying]
    found = []
    if bare:
        words = Text("Some cells have no tile that could be recognised.")
        found.append(Problem("no-tile", words, tuple(bare)))
    for player in board.players:
        if player.piece not in cells_of(board):
            words = Text("The boat of {player} is not on the board.", player=player.name)
            found.append(Problem("no-boat", words))
    there = Counter(each.piece for each in board.pieces or () if each.piece is not None)
    for player in board.players:
        there.update(player.holds or {})
    for name, count in there.items():
        if count > pieces.copies[name]:
            found.append(Problem("copies", Text("There are more {name} than the box has.", name=name)))
    return found


def points_of(holds: Mapping[str, int], goods: Mapping[str, int]) -> tuple[int, int]:
    """The points of a player's goods, and those of their complete sets."""
    sets = min((holds.get(name, 0) for name in goods), default=0)
    return sum(goods[name] * count for name, count in holds.items()), SET_POINTS * sets


class Sail(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="sail"):
    """Sail to the next cell."""

    to: Annotated[Cell, Asks(Text("To which tile?"))]


class TurnTile(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="turn"):
    """Turn a loose tile, so that it lies in this rotation."""

    at: Annotated[Cell, Asks(Text("Which tile?"))]
    rotation: Annotated[Rotation, Asks(Text("Turned how?"))]


class Load(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag="load"):
    """Load a good from the cell of the boat."""

    good: Annotated[str, PieceOf("good"), Asks(Text("Which good?"))]


Action = Sail | TurnTile | Load


@dataclass(frozen=True)
class UnderWay:
    """A turn of a player after some actions: the board by then, and their number."""

    board: Board
    player: str
    pieces: Pieces
    house: House
    done: int = 0

    @property
    def boat(self) -> str:
        """The id of the player's boat."""
        return next(each.piece or "" for each in self.board.players if each.name == self.player)

    @property
    def cell(self) -> Cell:
        """The cell of the player's boat."""
        return cells_of(self.board)[self.boat]

    def near(self) -> list[Cell]:
        """The cells next to the boat."""
        column, row = self.cell
        around = [(column + x, row + y) for x, y in STEPS]
        return [cell for cell in around if min(cell) >= 0 and max(cell) < SIDE]

    def boats_at(self, cell: Cell) -> list[Piece]:
        """The other boats in a cell."""
        boats = {*self.pieces.boats.values()} - {self.boat}
        return [each for each in self.board.pieces or () if each.piece in boats and each.cell == cell]

    def take(self, action: Action) -> UnderWay:
        """The turn after one more action. Raises `BrokenRule`."""
        if self.done == ACTIONS:
            raise BrokenRule("no-actions-left", Text("A turn has three actions."))
        match action:
            case Sail():
                return self._sailed(action.to)
            case TurnTile():
                return self._turned(action)
            case Load():
                return self._loaded(action.good)

    def _on(self, board: Board) -> UnderWay:
        return replace(self, board=board, done=self.done + 1)

    def _open(self, cell: Cell) -> int:
        tile = self.board.at(cell)
        return 0 if tile is None or tile.tile is None else self.pieces.lying(tile.tile, tile.rotation or 0)

    def _sailed(self, to: Cell) -> UnderWay:
        if to not in self.near():
            raise BrokenRule("not-next", Text("A boat sails to the next tile."))
        side = STEPS.index((to[0] - self.cell[0], to[1] - self.cell[1]))
        if not (self._open(self.cell) >> side & 1 and self._open(to) >> (side + 2) % 4 & 1):
            raise BrokenRule("no-canal", Text("No canal leads there."))
        if self.house.berths == "one" and self.boats_at(to):
            raise BrokenRule("occupied", Text("Another boat lies there."))
        moved = tuple(
            msgspec.structs.replace(each, column=to[0], row=to[1]) if each.piece == self.boat else each
            for each in self.board.pieces or ()
        )
        return self._on(msgspec.structs.replace(self.board, pieces=moved))

    def _turned(self, action: TurnTile) -> UnderWay:
        tile = self.board.at(action.at)
        if action.at not in (self.cell, *self.near()):
            raise BrokenRule("too-far", Text("A boat turns its own tile or one next to it."))
        if tile is None or tile.tile is None or tile.tile in self.pieces.printed:
            raise BrokenRule("printed-tile", Text("This tile is printed and cannot be turned."))
        if self.pieces.lying(tile.tile, tile.rotation or 0) == self.pieces.lying(tile.tile, action.rotation):
            raise BrokenRule("not-turned", Text("The tile lies like this already."))
        if self.boats_at(action.at):
            raise BrokenRule("occupied", Text("Another boat lies there."))
        turned = msgspec.structs.replace(tile, rotation=action.rotation)
        tiles = tuple(turned if each is tile else each for each in self.board.tiles or ())
        return self._on(msgspec.structs.replace(self.board, tiles=tiles))

    def _loaded(self, good: str) -> UnderWay:
        lying = list(self.board.pieces or ())
        there = next((each for each in lying if each.piece == good and each.cell == self.cell), None)
        if there is None:
            raise BrokenRule("nothing-there", Text("No such good lies where the boat is."))
        lying.remove(there)
        players = tuple(
            msgspec.structs.replace(each, holds={**each.holds, good: each.holds.get(good, 0) + 1})
            if each.name == self.player and each.holds is not None
            else each
            for each in self.board.players
        )
        return self._on(msgspec.structs.replace(self.board, pieces=tuple(lying), players=players))


class BoardRuling(RulingOnBoard, frozen=True, kw_only=True):
    """The ruling on a board: its problems, each player's points (None where their goods are unknown), and the
    cells joined to each boat by canals."""

    game: str = "quayside"
    points: dict[str, int | None]
    canals: dict[str, list[Cell]]


def rule_board(board: Board, pieces: Pieces, house: House) -> BoardRuling:
    """The ruling on a board."""
    return BoardRuling(
        problems=told_problems(problems_of(board, pieces)),
        points={
            each.name: None if each.holds is None else sum(points_of(each.holds, pieces.goods))
            for each in board.players
        },
        canals={
            name: _joined(board, pieces, cell)
            for name, cell in cells_of(board).items()
            if name not in pieces.goods
        },
    )


def _joined(board: Board, pieces: Pieces, cell: Cell) -> list[Cell]:
    sides = [0] * (SIDE * SIDE)
    for tile in board.tiles or ():
        if tile.tile is not None:
            sides[tile.row * SIDE + tile.column] = pieces.lying(tile.tile, tile.rotation or 0)
    joined = passages(sides, SIDE).joined(cell[1] * SIDE + cell[0])
    return [(number % SIDE, number // SIDE) for number in bits(joined)]
