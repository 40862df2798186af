"""A photo's reading told from another side of the table, for boards on which nothing tells the top."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from scorer.catalogue import Side
from vision import homography
from vision.board_seen import SIDES, BoardPiece
from vision.loose_board import LaidPiece, LooseScan


def turned_scan(scan: LooseScan, quarters: int) -> LooseScan:
    """The same reading of a square grid as it is seen when its frame's top is the side that was so many
    quarters counterclockwise from it: all cells, sides and turns go clockwise."""
    for _ in range(quarters % 4):
        scan = _turned_once(scan)
    return scan


def _turned_once(scan: LooseScan) -> LooseScan:
    side = round(len(scan.tiles) ** 0.5)
    to_photo = np.array(scan.to_photo)
    side_mm = float(homography.apply(np.linalg.inv(to_photo), np.array(scan.grid_px)[2])[0])
    # (x, y) comes to (side - y, x)
    back = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, side_mm], [0.0, 0.0, 1.0]])

    def cell(of: tuple[int, int]) -> tuple[int, int]:
        return side - 1 - of[1], of[0]

    def next_side(of: Side) -> Side:
        return SIDES[(SIDES.index(of) + 1) % 4]

    def piece(of: BoardPiece) -> BoardPiece:
        return replace(
            of,
            cell=cell(of.cell),
            facing=None if of.facing is None else next_side(of.facing),
            next_cell=None if of.next_cell is None else cell(of.next_cell),
        )

    def held(of: LaidPiece) -> LaidPiece:
        turn = None if of.turn_deg is None else (of.turn_deg + 90) % 360
        return replace(of, seat=next_side(of.seat), at_mm=(side_mm - of.at_mm[1], of.at_mm[0]), turn_deg=turn)

    tiles = [
        replace(
            tile,
            cell=cell(tile.cell),
            rotation=(tile.rotation + 90) % 360,
            options=tuple((name, (rotation + 90) % 360) for name, rotation in tile.options),
        )
        for tile in scan.tiles
    ]
    return replace(
        scan,
        to_photo=tuple(tuple(float(x) for x in row) for row in to_photo @ back),
        grid_px=cast(tuple[tuple[float, float], ...], (scan.grid_px[3], *scan.grid_px[:3])),
        tiles=tuple(sorted(tiles, key=lambda tile: (tile.cell[1], tile.cell[0]))),
        pieces=tuple(piece(each) for each in scan.pieces),
        held=tuple(held(each) for each in scan.held),
        hidden=tuple(replace(each, cell=cell(each.cell)) for each in scan.hidden),
        unread=tuple(piece(each) for each in scan.unread),
        seats_in_view=tuple(next_side(each) for each in scan.seats_in_view),
    )
