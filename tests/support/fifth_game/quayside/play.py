"""The game at the table: set-up, entry of turns, the board after one, and the players' possessions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

import msgspec

from quayside.rules.board import Action, Sail
from quayside.rules.pieces import GRID, SIDE, Pieces, pieces_of
from quayside.rules.turns import rule_turn, turn_told
from quayside.words import NAMES
from scorer.board_record import Board, BoardPlayer, Cell, Piece, Tile, board_told
from scorer.catalogue import Catalogue
from scorer.text import Text
from scorer.turn_forms import BoardTable, Seated, Step, StepForm, Trace, action_forms, after_told, walk_trace
from scorer.turns import TURN_FORMAT

_FORMS = {"sail": Text("Sail"), "turn": Text("Turn a tile"), "load": Text("Load a good")}


class Table(BoardTable):
    """`scorer.turn_forms.BoardTable`: boats begin in their ports, and goods lie on loose tiles."""

    def begun(self, catalogue: Catalogue, players: Sequence[Seated]) -> Board:
        pieces = pieces_of(catalogue)
        ports = {catalogue.card(name).colour: cell for name, (cell, _) in pieces.printed.items()}
        return Board(
            game=catalogue.game,
            catalogue=catalogue.name,
            grid=GRID,
            tiles=tuple(_tile(name, cell, turn) for name, (cell, turn) in pieces.printed.items()),
            pieces=tuple(_piece(pieces.boats[each.colour], ports[each.colour]) for each in players),
            players=tuple(
                BoardPlayer(name=each.name, piece=pieces.boats[each.colour], holds={}) for each in players
            ),
            to_move=players[0].name,
        )

    def may_deal(self, catalogue: Catalogue, board: Board) -> bool:
        return len(board.tiles or ()) < SIDE * SIDE

    def dealt(self, catalogue: Catalogue, board: Board, chance: random.Random) -> Board:
        pieces = pieces_of(catalogue)
        printed = {cell for cell, _ in pieces.printed.values()}
        free = [(x, y) for y in range(SIDE) for x in range(SIDE) if (x, y) not in printed]
        names = _copies(pieces, [name for name in pieces.sides if name not in pieces.printed])
        goods = _copies(pieces, list(pieces.goods))
        chance.shuffle(names)
        tiles = [_tile(name, cell, 90 * chance.randrange(4)) for name, cell in zip(names, free, strict=True)]
        lying = map(_piece, goods, chance.sample(free, len(goods)))
        kept = [tile for tile in board.tiles or () if tile.cell in printed]
        boats = [each for each in board.pieces or () if each.piece not in pieces.goods]
        return msgspec.structs.replace(board, tiles=(*kept, *tiles), pieces=(*boats, *lying))

    def forms(
        self, catalogue: Catalogue, board: Board, steps: Sequence[Step], terms: Any
    ) -> tuple[StepForm, ...]:
        kinds = {"good": tuple(pieces_of(catalogue).goods)}
        return action_forms(get_args(Action), _FORMS, kinds, (), NAMES)

    def shown(self, catalogue: Catalogue, board: Board, claims: Mapping[str, Any], terms: Any) -> Board:
        pieces = pieces_of(catalogue)
        turn = {"format": TURN_FORMAT, "player": board.to_move, "before": board_told(board), "claims": claims}
        ruling = rule_turn(turn_told(turn, pieces), pieces, terms)
        return after_told(ruling.after) or board

    def rows(self, catalogue: Catalogue, board: Board, terms: Any) -> dict[str, dict[str, Any]]:
        goods = pieces_of(catalogue).goods
        return {
            each.name: {name: None if each.holds is None else each.holds.get(name, 0) for name in goods}
            for each in board.players
        }

    def is_over(self, catalogue: Catalogue, board: Board) -> bool:
        goods = pieces_of(catalogue).goods
        left = any(each.piece in goods for each in board.pieces or ())
        return not left and not self.may_deal(catalogue, board)

    def traces(self, before: Board, after: Board, catalogue: Catalogue, ruling: Any) -> tuple[Trace, ...]:
        boats = {each.name: each.piece for each in before.players}
        starts = (each.cell for each in before.pieces or () if each.piece == boats.get(ruling.player))
        sailed = [next(starts, None), *(each.to for each in ruling.actions if isinstance(each, Sail))]
        return walk_trace(sailed)


def _piece(name: str, cell: Cell) -> Piece:
    return Piece(piece=name, column=cell[0], row=cell[1])


def _tile(name: str, cell: Cell, rotation: int) -> Tile:
    return Tile(tile=name, column=cell[0], row=cell[1], rotation=cast(Any, rotation))


def _copies(pieces: Pieces, names: Sequence[str]) -> list[str]:
    return [name for name in names for _ in range(pieces.copies[name])]
