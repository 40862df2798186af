"""Transparent tiles over a printed ground: identity and rotation of the tile in each cell, or none.

Each cell is compared with its own part of the ground as seen through every tile in every rotation. The print
below therefore does not disturb. Candidates are scored by their pixel residuals, normalised as for other
tiles (`vision.boards.tiles`).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import BoardArt
from vision.boards.tiles import (
    ROTATIONS,
    SIDE_PX,
    Evidence,
    TileReading,
    lay_tile,
    normalised,
    read_tiles,
    shifted_cells,
)
from vision.boards.top_view import FromAbove

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# First values, by eye on some photos of `tuning-ice-and-idols`.

#: Residual of a pixel (in deviations of its neighbourhood) above which an object covers it.
COVERED = 1.6
#: Effective number of independent pixels in a cell, since neighbouring pixels are correlated.
TELLING = 260.0
#: Relative difference below which two pictures look alike.
ALIKE = 0.12
#: Nats behind a cell's tile up to which another one is an option.
RIVAL_NATS = 6.0


def cell_bank(board: BoardArt) -> Floats:
    """Normalised pictures of cells with each tile in each rotation, (cells, tiles, 4, S, S, 3); cached."""
    kept: Floats | None = vars(board).get("cell_bank")
    if kept is None:
        kept = vars(board)["cell_bank"] = _cell_bank(board)
    return kept


def _cell_bank(board: BoardArt) -> Floats:
    made = np.zeros((len(board.cells), len(board.tiles), 4, SIDE_PX, SIDE_PX, 3), np.float32)
    size = (board.columns * SIDE_PX, board.rows * SIDE_PX)
    for number, tile in enumerate(board.tiles):
        for turn, rotation in enumerate(ROTATIONS):
            whole = board.ground.copy()
            for cell in board.cells:
                lay_tile(whole, cell, tile.picture, rotation)
            small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
            by_cell = normalised(small).reshape(board.rows, SIDE_PX, board.columns, SIDE_PX, 3)
            made[:, number, turn] = by_cell.swapaxes(1, 2).reshape(-1, SIDE_PX, SIDE_PX, 3)
    return made


def weigh_clear(above: FromAbove, board: BoardArt, bank: Floats) -> Array:
    """Log-likelihoods (nats) of each tile and rotation in each cell, (cells, tiles, 4), up to a constant per
    cell."""
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


def read_clear_tiles(nats: Array, board: BoardArt, bank: Floats) -> list[TileReading]:
    """The jointly likeliest tiles of all cells, with each tile used no more often than it has copies.

    Rotations that look alike over a cell's ground do not compete.
    """
    nothing = np.zeros((*nats.shape, 2), np.int64)
    evidence = Evidence(tuple(board.cells), nats, nothing, np.zeros((*nats.shape, 0), np.float32))
    readings = []
    for k, each in enumerate(read_tiles(evidence, board)):
        turn = ROTATIONS.index(each.rotation)
        faces, own = bank[k, each.tile], nats[k, each.tile]
        away = [other for other in range(4) if not _same(faces[turn], faces[other])]
        behind = float(np.logaddexp.reduce(own[away] - own[turn])) if away else -30.0
        # hands and figures make cells doubtful, so the likeliest tiles of the cell alone are options, too
        whole = np.logaddexp.reduce(nats[k], axis=1)
        near = [int(tile) for tile in np.argsort(-whole)[:3] if whole[each.tile] - whole[tile] < RIVAL_NATS]
        others = [tile for tile in near if tile != each.tile] or [tile for tile, _ in each.others]
        ways = tuple((tile, ROTATIONS[int(nats[k, tile].argmax())]) for tile in others[:2])
        sure = float(1 / (1 + np.exp(behind)))
        readings.append(replace(each, turn_confidence=sure, others=ways))
    return readings


def _same(one: Floats, other: Floats) -> bool:
    """Whether two rotations of a tile look alike over the same ground."""
    off = float(np.square(one - other).mean())
    return off < ALIKE * float(np.square(one).mean())
