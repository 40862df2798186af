"""Rotation of a board scan to another side of the table, if the photo does not show which side is the top."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

import numpy as np

from scorer.catalogue import Side
from vision.boards.seen import SIDES, BoardPiece, BoardScan, LaidPiece, LayeredScan, LooseScan
from vision.photo import geometry

S = TypeVar("S", bound=BoardScan)


def turned_scan(scan: LooseScan, quarters: int) -> LooseScan:
    """The scan of a square grid, rotated clockwise by `quarters` quarter turns: all cells, sides and
    rotations."""
    for _ in range(quarters % 4):
        scan = _turned_once(scan)
    return scan


def turned_layers(scan: LayeredScan, quarters: int, columns: int) -> LayeredScan:
    """The scan of a layered board with `columns` columns, rotated clockwise by `quarters` quarter turns."""
    for _ in range(quarters % 4):
        scan = _layers_turned_once(scan, columns)
    return scan


def _next_side(of: Side) -> Side:
    return SIDES[(SIDES.index(of) + 1) % 4]


def _turned_once(scan: LooseScan) -> LooseScan:
    side_mm = _side_mm(scan)

    def held(of: LaidPiece) -> LaidPiece:
        turn = None if of.turn_deg is None else (of.turn_deg + 90) % 360
        return replace(
            of, seat=_next_side(of.seat), at_mm=(side_mm - of.at_mm[1], of.at_mm[0]), turn_deg=turn
        )

    turned = _grid_turned_once(scan, round(len(scan.tiles) ** 0.5))
    return replace(turned, held=tuple(held(each) for each in scan.held))


def _layers_turned_once(scan: LayeredScan, columns: int) -> LayeredScan:
    turned = _grid_turned_once(scan, columns)
    gaps = tuple(
        replace(gap, cell=_cell(gap.cell, columns), options=_options(gap.options)) for gap in scan.gaps
    )
    seen = scan.layers
    if seen is None:
        return replace(turned, gaps=gaps)
    layers = replace(
        seen,
        rotation=None if seen.rotation is None else (seen.rotation + 90) % 360,  # type: ignore[arg-type]
        rims=None if seen.rims is None else {_next_side(side): name for side, name in seen.rims.items()},
        boards={name: _next_side(side) for name, side in seen.boards.items()},
        feet=tuple(
            replace(foot, cell=_cell(foot.cell, columns), at=(1 - foot.at[1], foot.at[0]))
            for foot in seen.feet
        ),
    )
    return replace(turned, gaps=gaps, layers=layers)


def _side_mm(scan: BoardScan) -> float:
    to_board = np.linalg.inv(np.array(scan.to_photo))
    return float(geometry.apply(to_board, np.array(scan.grid_px)[2])[0])


def _cell(of: tuple[int, int], side: int) -> tuple[int, int]:
    return side - 1 - of[1], of[0]


def _options(of: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    return tuple((name, (rotation + 90) % 360) for name, rotation in of)


def _grid_turned_once(scan: S, side: int) -> S:
    """The scan with its grid, tiles and pieces rotated by one quarter turn clockwise."""
    # (x, y) is mapped to (side - y, x)
    back = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, _side_mm(scan)], [0.0, 0.0, 1.0]])

    def piece(of: BoardPiece) -> BoardPiece:
        return replace(
            of,
            cell=_cell(of.cell, side),
            facing=None if of.facing is None else _next_side(of.facing),
            next_cell=None if of.next_cell is None else _cell(of.next_cell, side),
        )

    tiles = [
        replace(
            tile,
            cell=_cell(tile.cell, side),
            rotation=(tile.rotation + 90) % 360,
            options=_options(tile.options),
        )
        for tile in scan.tiles
    ]
    return replace(
        scan,
        to_photo=tuple(tuple(float(x) for x in row) for row in np.array(scan.to_photo) @ back),
        grid_px=cast(tuple[tuple[float, float], ...], (scan.grid_px[3], *scan.grid_px[:3])),
        tiles=tuple(sorted(tiles, key=lambda tile: (tile.cell[1], tile.cell[0]))),
        pieces=tuple(piece(each) for each in scan.pieces),
        hidden=tuple(replace(each, cell=_cell(each.cell, side)) for each in scan.hidden),
        unread=tuple(piece(each) for each in scan.unread),
        seats_in_view=tuple(_next_side(each) for each in scan.seats_in_view),
    )
