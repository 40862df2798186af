"""Transparent tiles over a printed ground: identity and rotation of the tile in each cell, or none.

Each cell is compared with its own part of the ground as seen through every tile in every rotation. The print
below therefore does not disturb. Candidates are scored by their pixel residuals, normalised as for other
tiles (`vision.boards.tiles`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.boards.art import CELL_PX, BoardArt, Cell, Picture
from vision.boards.layered_art import LayeredArt
from vision.boards.plane import FromAbove
from vision.boards.tiles import ROTATIONS, SIDE_PX, normalised, shifted_cells

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# First values, by eye on some photos of `tuning-ice-and-idols`.

#: Residual of a pixel (in deviations of its neighbourhood) above which an object covers it.
COVERED = 1.6
#: Effective number of independent pixels in a cell, since neighbouring pixels are correlated.
TELLING = 260.0
#: Relative difference below which two pictures look alike.
ALIKE = 0.12


@dataclass(frozen=True)
class ClearReading:
    """The tile read in a cell: its number (None for no tile), its rotation, and the confidence (0..1) of
    each.

    `others` are alternatives, likeliest first.
    """

    cell: Cell
    tile: int | None
    rotation: int
    tile_confidence: float
    turn_confidence: float
    others: tuple[tuple[int | None, int], ...] = ()


def seen_through(ground: Picture, tile: Picture, rotation: int) -> Picture:
    """The picture of a part of the ground seen through a transparent tile."""
    turned = np.rot90(tile, -rotation // 90).astype(np.float32)
    share = turned[..., 3:] / 255
    return np.asarray(np.round(share * turned[..., :3] + (1 - share) * ground), np.uint8)


def cell_bank(art: LayeredArt, ground: str) -> Floats:
    """Normalised pictures of each cell with each tile in each rotation, (cells, tiles + 1, 4, S, S, 3).

    The bare ground comes last. The result is cached.
    """
    kept: dict[str, Floats] = vars(art).setdefault("_banks", {})
    if ground not in kept:
        kept[ground] = _cell_bank(art, art.grounds[ground])
    return kept[ground]


def _cell_bank(art: LayeredArt, board: BoardArt) -> Floats:
    made = np.zeros((len(board.cells), len(art.tiles) + 1, 4, SIDE_PX, SIDE_PX, 3), np.float32)
    size = (board.columns * SIDE_PX, board.rows * SIDE_PX)
    for tile in range(len(art.tiles) + 1):
        for turn, rotation in enumerate(ROTATIONS):
            if tile == len(art.tiles) and turn:
                made[:, tile, turn] = made[:, tile, 0]
                continue
            whole = board.ground.copy()
            if tile < len(art.tiles):
                for cell in board.cells:
                    part = _part(whole, cell)
                    part[:] = seen_through(part, art.tiles[tile], rotation)
            small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
            plain = normalised(small)
            for k, (column, row) in enumerate(board.cells):
                at = (
                    slice(row * SIDE_PX, (row + 1) * SIDE_PX),
                    slice(column * SIDE_PX, (column + 1) * SIDE_PX),
                )
                made[k, tile, turn] = plain[at]
    return made


def _part(whole: Picture, cell: Cell) -> Picture:
    column, row = cell
    return whole[row * CELL_PX : (row + 1) * CELL_PX, column * CELL_PX : (column + 1) * CELL_PX]


def weigh_clear(above: FromAbove, board: BoardArt, bank: Floats) -> Array:
    """Log-likelihoods (nats) of each tile and rotation in each cell, (cells, tiles + 1, 4), up to a constant
    per cell."""
    seen, _ = shifted_cells(above, board, board.cells)
    rim = 2
    inner = slice(rim, -rim)
    cells, tiles = bank.shape[:2]
    nats = np.zeros((cells, tiles, 4))
    for k in range(cells):
        ours = seen[k][:, inner, inner].reshape(seen.shape[1], -1)
        theirs = bank[k][..., inner, inner, :].reshape(tiles * 4, -1)
        alike = ours @ theirs.T
        # the shift of the cell at which its candidates, taken together, match best
        best = int(alike.max(axis=1).argmax())
        nats[k] = _nats(ours[best], theirs).reshape(tiles, 4)
    return nats


def _nats(ours: Floats, theirs: Floats) -> Array:
    """Log-likelihood (nats) of each candidate from its pixel residuals, which are clipped where a piece may
    cover the cell."""
    share = (theirs @ ours) / np.maximum((theirs * theirs).sum(axis=1), 1.0)
    gain = float(np.clip(share.max(), 0.15, 1.5))
    off = (ours[None] / gain - theirs).reshape(len(theirs), -1, 3)
    away = np.minimum((off * off).sum(axis=2), COVERED**2)
    mean = away.mean(axis=1)
    return np.asarray(-0.5 * TELLING * mean / max(float(mean.min()), 0.05), np.float64)


def read_clear_tiles(nats: Array, art: LayeredArt, board: BoardArt, bank: Floats) -> list[ClearReading]:
    """The jointly likeliest tiles of all cells, with each tile used no more often than it has copies."""
    tiles = len(art.tiles)
    copies = np.concatenate(
        [np.repeat(np.arange(tiles), art.copies), np.full(len(board.cells), tiles, np.intp)]
    )
    whole = np.asarray(np.logaddexp.reduce(nats, axis=2)) - np.log(4)
    costs = -whole[:, copies]
    rows, columns = linear_sum_assignment(costs)
    taken = {int(row): int(copies[column]) for row, column in zip(rows, columns, strict=True)}
    readings = []
    for k, cell in enumerate(board.cells):
        tile = taken[k]
        rest = np.delete(whole[k], tile)
        order = [int(each) for each in np.argsort(-whole[k]) if each != tile]
        lead = float(whole[k, tile] - np.logaddexp.reduce(rest))
        turn = int(nats[k, tile].argmax())
        away = [other for other in range(4) if not _same(bank[k, tile, turn], bank[k, tile, other])]
        behind = np.logaddexp.reduce(nats[k, tile, away] - nats[k, tile, turn]) if away else -30.0
        readings.append(
            ClearReading(
                cell,
                tile if tile < tiles else None,
                ROTATIONS[turn] if tile < tiles else 0,
                float(1 / (1 + np.exp(-np.clip(lead, -30, 30)))),
                float(1 / (1 + np.exp(np.clip(behind, -30, 30)))),
                tuple(
                    (other if other < tiles else None, ROTATIONS[int(nats[k, other].argmax())])
                    for other in order[:2]
                    if whole[k, tile] - whole[k, other] < 6.0
                ),
            )
        )
    return readings


def turned_readings(readings: Sequence[ClearReading], board: BoardArt, quarters: int) -> list[ClearReading]:
    """Readings of a square board after `quarters` quarter turns clockwise, sorted row by row."""
    found = []
    for each in readings:
        column, row = each.cell
        for _ in range(quarters):
            column, row = board.rows - 1 - row, column
        more = 90 * quarters
        found.append(
            replace(
                each,
                cell=(column, row),
                rotation=each.rotation if each.tile is None else (each.rotation + more) % 360,
                others=tuple(
                    (tile, way if tile is None else (way + more) % 360) for tile, way in each.others
                ),
            )
        )
    return sorted(found, key=lambda each: (each.cell[1], each.cell[0]))


def _same(one: Floats, other: Floats) -> bool:
    """Whether two rotations of a tile look alike over the same ground."""
    off = float(np.square(one - other).mean())
    return off < ALIKE * float(np.square(one).mean())


def laid_ground(board: BoardArt, art: LayeredArt, readings: Sequence[ClearReading]) -> Picture:
    """The picture of the ground with the tiles that were read on it."""
    whole = board.ground.copy()
    for reading in readings:
        if reading.tile is not None:
            part = _part(whole, reading.cell)
            part[:] = seen_through(part, art.tiles[reading.tile], reading.rotation)
    return whole
