"""The other board of a turn after a change of one board: what its photo does not show itself is there, or is
not there, on both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from scorer.board_record import Board, Cell, Piece
from scorer.catalogue import Catalogue
from scorer.port.photo import Way
from waymark.review.boards.pairing import is_chip


@dataclass(frozen=True)
class Echo:
    """How a change of a board is repeated on the other one. `seen` is the other board as its own photo
    shows it; `dark` are its cells that may hold a chip unseen. `first`: the changed board is the earlier
    one."""

    way: Way
    cards: Catalogue
    mover: str
    seen: Board
    dark: frozenset[Cell]
    first: bool

    def others(self, own: Board, changed: Board, other: Board) -> Iterator[Board]:
        """The likely other boards after `own` became `changed`. Where the mover stops, a chip may also have
        been taken."""
        was, then = Counter(own.pieces or ()), Counter(changed.pieces or ())
        gone, come = list((was - then).elements()), list((then - was).elements())
        board = self._figures(gone, come, self._without_chips(gone, other))
        chips = [each for each in come if is_chip(each, self.cards) and each.cell is not None]
        hidden = [each for each in chips if self._there(each) in self.dark]
        yield self._with_chips(hidden, board)
        stop = figure_cell(other if self.first else changed, self.mover)
        after = {each.cell if not self.first else self._there(each) for each in hidden}
        if stop in after:
            yield board

    def turned(self, changed: Board, other: Board, cell: Cell) -> Board:
        """The other board with the tile of a cell turned as on the changed one."""
        tile, there = changed.at(cell), self._cell(cell)
        if tile is None:
            return other
        tiles = tuple(
            msgspec.structs.replace(each, rotation=tile.rotation) if each.cell == there else each
            for each in other.tiles or ()
        )
        return msgspec.structs.replace(other, tiles=tiles)

    def _cell(self, cell: Cell) -> Cell:
        return self.way.carried(cell) if self.first else self.way.came_from(cell)

    def _there(self, piece: Piece) -> Cell:
        cell = piece.cell or (0, 0)
        role = self.cards.card(piece.piece).role if piece.piece else None
        return cell if role in self.way.staying else self._cell(cell)

    def _is_seen(self, name: str | None, cell: Cell) -> bool:
        return any(each.piece == name and each.cell == cell for each in self.seen.pieces or ())

    def _without_chips(self, gone: list[Piece], other: Board) -> Board:
        """The other board without chips that it only has because the changed board had them."""
        pieces = list(other.pieces or ())
        for each in gone:
            if not is_chip(each, self.cards) or self._is_seen(each.piece, self._there(each)):
                continue
            same = [one for one in pieces if one.piece == each.piece and one.cell == self._there(each)]
            if same:
                pieces.remove(same[0])
        return msgspec.structs.replace(other, pieces=tuple(pieces))

    def _with_chips(self, chips: list[Piece], board: Board) -> Board:
        added = [
            msgspec.structs.replace(each, column=self._there(each)[0], row=self._there(each)[1])
            for each in chips
        ]
        return msgspec.structs.replace(board, pieces=(*(board.pieces or ()), *added))

    def _figures(self, gone: list[Piece], come: list[Piece], other: Board) -> Board:
        """The other board with figures moved that only the changed board's photo shows."""
        moved = {each.piece: each for each in come if not is_chip(each, self.cards)}
        for each in gone:
            name = each.piece
            if name is None or is_chip(each, self.cards) or name == self.mover:
                continue
            if any(one.piece == name for one in self.seen.pieces or ()):
                continue
            to = moved.get(name)
            other = with_figure(other, name, None if to is None else self._there(to))
        return other


def figure_cell(board: Board, name: str) -> Cell | None:
    """The cell of a figure; None where it is not on the grid."""
    return next((each.cell for each in board.pieces or () if each.piece == name), None)


def with_figure(board: Board, name: str, cell: Cell | None) -> Board:
    """The board with a figure in a cell, facing as before; None takes it off the board."""
    was = next((each for each in board.pieces or () if each.piece == name), Piece(piece=name))
    kept = [each for each in board.pieces or () if each.piece != name]
    if cell is not None:
        kept.append(msgspec.structs.replace(was, column=cell[0], row=cell[1]))
    return msgspec.structs.replace(board, pieces=tuple(kept))
