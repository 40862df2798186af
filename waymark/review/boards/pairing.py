"""Which things on two boards of one turn are the same, given the way the tiles moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.board_record import Board, Cell, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue
from scorer.port.photo import Way
from scorer.square_grid import open_sides, turned

#: Number of new treasures in plain view of the earlier photo above which the later one shows a new set-up.
LAID_OUT = 2
#: A tile in a cell or beside the board.
Lying = Tile | SpareTile


def paired_tiles(before: Board, after: Board, way: Way) -> Iterator[tuple[Lying, Lying]]:
    """Each tile of the earlier board, paired with its expected counterpart on the later board."""
    there: dict[Cell, Tile] = {each.cell: each for each in after.tiles or ()}
    spares = (before.spare or (None,))[0], (after.spare or (None,))[0]
    for tile in before.tiles or ():
        if tile.cell == way.out:
            if spares[1] is not None:
                yield tile, spares[1]
        elif (to := there.get(way.moved.get(tile.cell, tile.cell))) is not None:
            yield tile, to
    if spares[0] is not None:
        to_spare: Lying | None = spares[1] if way.entry is None else there.get(way.entry)
        if to_spare is not None:
            yield spares[0], to_spare


def sides_of(tile: Tile, cards: Catalogue) -> int:
    """The open sides of a tile as it lies, as `square_grid.open_sides` tells them; -1 where none is known."""
    return -1 if tile.tile is None else turned(open_sides(cards.card(tile.tile)), tile.rotation or 0)


def stays_in_place(piece: Piece, way: Way, cards: Catalogue) -> bool:
    """Whether a piece stays where it is when the tiles move."""
    return piece.piece is not None and (cards.card(piece.piece).role or "") in way.staying


def carried_to(piece: Piece, way: Way, cards: Catalogue) -> Cell:
    """Cell of a piece after a push that moves the tiles, if no player moves it."""
    cell = piece.cell or (0, 0)
    return cell if stays_in_place(piece, way, cards) else way.carried(cell)


def is_chip(piece: Piece, cards: Catalogue) -> bool:
    """Whether a piece is a chip, of which several may lie on a board."""
    return piece.piece is not None and cards.card(piece.piece).kind == "chip"


def paired_figures(before: Board, after: Board, cards: Catalogue) -> Iterator[tuple[Piece, Piece]]:
    """Pairs of the same figure on both boards."""
    there = {each.piece: each for each in after.pieces or () if not is_chip(each, cards)}
    for each in before.pieces or ():
        if not is_chip(each, cards) and (to := there.get(each.piece)) is not None:
            yield each, to


def chips_unmatched(
    before: Board, after: Board, way: Way, cards: Catalogue
) -> tuple[list[Piece], list[Piece]]:
    """Earlier chips that are missing at their expected cell, and later chips without an origin."""
    left = Counter(
        (each.piece, each.cell) for each in after.pieces or () if is_chip(each, cards) and each.cell
    )
    gone = []
    for each in before.pieces or ():
        if not is_chip(each, cards) or each.cell is None:
            continue
        at = each.piece, way.carried(each.cell)
        if left[at]:
            left[at] -= 1
        else:
            gone.append(each)
    come = []
    for each in after.pieces or ():
        if is_chip(each, cards) and each.cell and left[each.piece, each.cell]:
            left[each.piece, each.cell] -= 1
            come.append(each)
    return gone, come


def is_laid_out(come: Sequence[Piece], way: Way, dark: frozenset[Cell]) -> bool:
    """Whether new chips are a new set-up: more than a few lie where the earlier photo showed none."""
    return sum(way.came_from(each.cell or (0, 0)) not in dark for each in come) > LAID_OUT
