"""What the rules know of a catalogue and of a record: the pieces by their roles, house rules, names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from scorer.board_problems import check_names
from scorer.board_record import Board, GridSize, bad_record
from scorer.catalogue import Catalogue
from scorer.house_settings import check_house
from scorer.square_grid import open_sides, turned
from scorer.text import Text

GAME = "quayside"
NAME = Text("Quayside")
SIDE = 5
#: Points of a good, by its role.
POINTS = {"grain": 1, "salt": 2, "silk": 3}
GRID = GridSize(columns=SIDE, rows=SIDE)


class House(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """House rules. `berths`: a cell has room for `one` boat, or for `any` number."""

    berths: Literal["one", "any"] = "one"


@dataclass(frozen=True)
class Pieces:
    """The pieces of a catalogue by id: the open `sides` of tiles as their art has them, the rotation and cell
    of `printed` ones, the points of `goods`, `boats` by colour, and the `copies` in the box."""

    catalogue: Catalogue
    sides: Mapping[str, int]
    printed: Mapping[str, tuple[tuple[int, int], int]]
    goods: Mapping[str, int]
    boats: Mapping[str, str]
    copies: Mapping[str, int]

    def lying(self, tile: str, rotation: int) -> int:
        """The open sides of a tile after a clockwise rotation in degrees."""
        return turned(self.sides[tile], rotation)


def pieces_of(catalogue: Catalogue) -> Pieces:
    """The pieces of a catalogue."""
    cards = catalogue.cards
    return Pieces(
        catalogue=catalogue,
        sides={card.id: open_sides(card) for card in cards if card.kind in ("tile", "fixed")},
        printed={
            card.id: (card.cell, card.rotation or 0)
            for card in cards
            if card.kind == "fixed" and card.cell is not None
        },
        goods={card.id: POINTS[card.role] for card in cards if card.role in POINTS},
        boats={card.colour: card.id for card in cards if card.role == "boat" and card.colour},
        copies={card.id: card.copies for card in cards},
    )


def check_board(board: Board, pieces: Pieces) -> Board:
    """The same board, after a check of all names in it. Raises `WaymarkError` for impossible ones."""
    if board.game != GAME:
        raise bad_record(Text("its game is {game!r}", game=board.game))
    if board.grid not in (None, GRID):
        raise bad_record(Text("the grid has 5 x 5 cells"))
    boats = frozenset(pieces.boats.values())
    check_names(pieces.catalogue, [tile.tile for tile in board.tiles or ()], pieces.sides)
    check_names(pieces.catalogue, [each.piece for each in board.pieces or ()], {*pieces.goods, *boats})
    for player in board.players:
        check_names(pieces.catalogue, [player.piece], boats)
        check_names(pieces.catalogue, player.holds or (), pieces.goods)
    check_house(House, board.house)
    return board
