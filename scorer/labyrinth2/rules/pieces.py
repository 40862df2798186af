"""The pieces of a catalogue as the rules ask for them: shapes, treasures, figures, cards, by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.board_pieces import broken_piece, kept_pieces
from scorer.board_record import Board
from scorer.catalogue import Catalogue
from scorer.square_grid import open_sides, turned

SIDE = 7
CELLS = SIDE * SIDE
#: The cell of the dragon.
MIDDLE = 3 * SIDE + 3
#: Treasures of the first and of the second helping.
FIRST, SECOND = range(1, 7), range(7, 13)
#: A hand card of one of these values pays for another throw; of one of those, for another pass.
REROLL, EXTRA = FIRST, SECOND


@dataclass(frozen=True)
class Pieces:
    """The pieces of a catalogue. `sides` are the open sides of each tile in the orientation of its art.
    `printed` are the tiles printed on cells, with their open sides. `treasures` and `cards` are values by
    id. `figures` are the roles of explorers, gargoyles and dragons. `coins` are the ids of coins.
    `chip_cells` are the initial cells of treasures, if the catalogue has them."""

    catalogue: Catalogue
    sides: Mapping[str, int]
    loose: frozenset[str]
    printed: Mapping[int, tuple[str, int]]
    treasures: Mapping[str, int]
    cards: Mapping[str, int]
    figures: Mapping[str, str]
    coins: frozenset[str]
    copies: Mapping[str, int]
    chip_cells: frozenset[int] | None
    #: Open sides by (tile, rotation).
    lying: Mapping[tuple[str, int], int] = field(default_factory=dict)

    @property
    def dragons(self) -> frozenset[str]:
        return frozenset(name for name, role in self.figures.items() if role == "dragon")


def set_aside(board: Board, pieces: Pieces) -> frozenset[str]:
    """The treasures of the second helping, while of both only those of the first lie on the board: they come
    when the last of the first is taken."""
    there = {each.piece for each in board.pieces or ()}
    values = {value for name, value in pieces.treasures.items() if name in there}
    early = bool(values) and values <= set(FIRST)
    return frozenset(name for name, value in pieces.treasures.items() if early and value in SECOND)


_FIGURES = ("explorer", "gargoyle", "dragon")


def pieces_of(catalogue: Catalogue) -> Pieces:
    """The pieces of a catalogue, computed once and cached. Raises `WaymarkError` (broken-catalogue) for
    unplayable pieces."""
    return kept_pieces(catalogue, _pieces_of)


def _pieces_of(catalogue: Catalogue) -> Pieces:
    tiles = [card for card in catalogue.cards if card.kind in ("tile", "fixed")]
    sides = {card.id: open_sides(card) for card in tiles}
    printed = {}
    for card in tiles:
        if card.kind == "fixed" and card.cell is not None:
            column, row = card.cell
            if not (0 <= column < SIDE and 0 <= row < SIDE):
                raise broken_piece(catalogue, card.id, "cell")
            printed[row * SIDE + column] = card.id, turned(sides[card.id], card.rotation or 0)
    valued: dict[str, dict[str, int]] = {"treasure": {}, "treasure-card": {}}
    for card in catalogue.cards:
        if card.role in valued:
            if card.value is None:
                raise broken_piece(catalogue, card.id, "value")
            valued[card.role][card.id] = card.value
    boards = [card.chip_cells for card in catalogue.cards if card.kind == "board" and card.chip_cells]
    return Pieces(
        catalogue=catalogue,
        sides=sides,
        loose=frozenset(card.id for card in tiles if card.kind == "tile"),
        printed=printed,
        treasures=valued["treasure"],
        cards=valued["treasure-card"],
        figures={card.id: card.role for card in catalogue.cards if card.role in _FIGURES and card.role},
        coins=frozenset(card.id for card in catalogue.cards if card.role == "coin"),
        copies={card.id: card.copies for card in catalogue.cards},
        chip_cells=frozenset(row * SIDE + column for column, row in boards[0]) if boards else None,
        lying={
            (name, rotation): turned(open_to, rotation)
            for name, open_to in sides.items()
            for rotation in (0, 90, 180, 270)
        },
    )
