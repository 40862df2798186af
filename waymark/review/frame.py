"""From which side a board is told of which a photo does not show the top: from the one from which it stood
before."""

from __future__ import annotations

from scorer.board_record import Board
from scorer.catalogue import Catalogue
from scorer.square_grid import open_sides, turned
from vision.board_seen import BoardScan
from vision.loose_board import LooseScan
from vision.turned_scan import turned_scan


def framed(scan: BoardScan, told: Board | None, catalogue: Catalogue) -> BoardScan:
    """The reading as it is most like a board that stood before it; as it was photographed where none did."""
    if not isinstance(scan, LooseScan) or told is None or not told.tiles:
        return scan
    ways = [turned_scan(scan, quarters) for quarters in range(4)]
    return max(ways, key=lambda way: _likeness(way, told, catalogue))


def _likeness(scan: LooseScan, told: Board, catalogue: Catalogue) -> float:
    """How much of a board lies and stands as it was told: pieces in their cells, most of all those that lie
    face up, and how they are turned."""
    seen = {tile.cell: tile for tile in scan.tiles}
    worth = 0.0
    for tile in told.tiles or ():
        there = seen.get(tile.cell)
        if there is None:
            continue
        sides = open_sides(catalogue.card(there.tile))
        if tile.face == "down":
            worth += not sides
        elif tile.tile == there.tile:
            worth += 1 + (turned(sides, there.rotation) == turned(sides, tile.rotation or 0))
    standing = {(piece.piece, piece.cell) for piece in told.pieces or ()}
    return worth + sum((piece.piece, piece.cell) in standing for piece in scan.pieces)
