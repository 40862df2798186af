"""Square tiles: identity and rotation of the tile in each cell of a grid, and of the tile beside the
board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.boards.art import CELL_PX, BoardArt, Cell, Picture
from vision.boards.top_view import FromAbove

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Side of a cell's picture and of a block (px); largest shift of a tile from its cell's middle, and its step
#: (px).
SIDE_PX, BLOCK_PX, SHIFT_PX, STEP_PX = 50, 10, 3, 2
BLOCKS = SIDE_PX // BLOCK_PX
#: Radius (px) of the local normalisation, and the constant added to the deviation (levels).
NEIGHBOURHOOD_PX, LEAST_SPREAD = 9, 5.0
#: Default block correlation (mean, deviation) with the right tile, and with a wrong one.
USUAL_RIGHT, USUAL_WRONG = (0.62, 0.20), (0.02, 0.19)
#: Prior probability that a block is covered, and so carries no information.
COVERED = 0.08
#: Weight of a block's evidence, as neighbouring blocks and the light are correlated.
INDEPENDENT = 0.45
#: Visible share below which a block is ignored.
LEAST_BLOCK = 0.15
ROTATIONS = (0, 90, 180, 270)
#: Least confidence of a tile used in refining the homography.
HELPFUL = 0.8


@dataclass(frozen=True)
class TileReading:
    """The tile read in a cell: its number in `BoardArt.tiles`, its rotation, and the confidence (0..1) of
    each.

    `off_mm` is its offset from the cell's middle; `others` are alternative tiles with rotations, likeliest
    first.
    """

    cell: Cell
    tile: int
    rotation: int
    tile_confidence: float
    turn_confidence: float
    off_mm: tuple[float, float]
    others: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Evidence:
    """Scores of each tile and rotation in each cell.

    `nats` (cells, tiles, 4) are log-likelihoods; `shift` (cells, tiles, 4, 2) the best offsets (px of the
    small pictures); `blocks` (cells, tiles, 4, B) the correlations of blocks there. `right` and `wrong` are
    the mean and deviation of such correlations for right and wrong tiles.
    """

    cells: tuple[Cell, ...]
    nats: Array
    shift: NDArray[np.int64]
    blocks: Floats
    right: tuple[float, float] = USUAL_RIGHT
    wrong: tuple[float, float] = USUAL_WRONG


def normalised(picture: NDArray[np.uint8]) -> Floats:
    """Local normalisation of a picture (h, w, 3): brightness and two colour differences, free of light and
    white balance."""
    seen = picture.astype(np.float32)
    blue, green, red = seen[..., 0], seen[..., 1], seen[..., 2]
    planes = np.stack([0.3 * red + 0.59 * green + 0.11 * blue, red - green, blue - green], axis=-1)
    size = (NEIGHBOURHOOD_PX * 2 + 1,) * 2
    away = planes - cv2.blur(planes, size)
    spread = np.sqrt(np.maximum(cv2.blur(away * away, size), 0)) + np.float32(LEAST_SPREAD)
    return np.asarray(away / spread, np.float32)


def tile_bank(art: BoardArt) -> Floats:
    """Normalised pictures of the loose tiles in four rotations, (tiles, 4, S, S, 3)."""
    made = []
    for tile in art.tiles:
        upright = upright_tile(tile.picture)
        made.append(np.stack([_turned(upright, rotation) for rotation in ROTATIONS]))
    return np.stack(made) if made else np.zeros((0, 4, SIDE_PX, SIDE_PX, 3), np.float32)


def upright_tile(picture: NDArray[np.uint8]) -> Floats:
    """Normalised picture (S, S, 3) of an upright tile."""
    small = cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    # the surroundings of a tile are unknown, so its own rim is reflected
    wide = cv2.copyMakeBorder(small, 9, 9, 9, 9, cv2.BORDER_REFLECT)
    return normalised(np.asarray(wide, np.uint8))[9:-9, 9:-9]


def _turned(picture: Floats, rotation: int) -> Floats:
    return np.ascontiguousarray(np.rot90(picture, -rotation // 90))


def in_blocks(pictures: Floats, shown: Floats | None = None) -> Floats:
    """Pictures (n, S, S, 3) cut into blocks (blocks, n, pixels) of zero mean and at most unit norm.

    Only pixels where `shown` (S, S) is 1 are used, if it is given.
    """
    flat = _by_block(pictures)
    seen = _by_block(np.repeat(shown[None, ..., None], 3, axis=3)) if shown is not None else None
    if seen is None:
        flat = flat - flat.mean(axis=2, keepdims=True)
    else:
        count = np.maximum(seen.sum(axis=2, keepdims=True), 1.0)
        flat = (flat - (flat * seen).sum(axis=2, keepdims=True) / count) * seen
    length = np.linalg.norm(flat, axis=2, keepdims=True)
    # a block without pattern correlates with nothing
    return np.asarray(flat / np.maximum(length, 0.25 * BLOCK_PX * np.sqrt(3)), np.float32)


def _by_block(pictures: Floats) -> Floats:
    count = BLOCKS
    parts = pictures.reshape(-1, count, BLOCK_PX, count, BLOCK_PX, 3).transpose(1, 3, 0, 2, 4, 5)
    return np.asarray(parts.reshape(count * count, pictures.shape[0], -1), np.float32)


def shifted_cells(
    above: FromAbove, art: BoardArt, cells: Sequence[Cell]
) -> tuple[Floats, list[tuple[int, int]]]:
    """Normalised cut-outs of cells at each shift (cells, shifts, S, S, 3), and the shifts (px)."""
    scale = SIDE_PX / art.cell_mm
    margin = SHIFT_PX + NEIGHBOURHOOD_PX
    shrink = scale / above.px_per_mm
    size = (round(above.picture.shape[1] * shrink), round(above.picture.shape[0] * shrink))
    small = cv2.resize(above.picture, size, interpolation=cv2.INTER_AREA)
    plain = normalised(np.asarray(small, np.uint8))
    plain = cv2.copyMakeBorder(plain, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    steps = range(-SHIFT_PX, SHIFT_PX + 1, STEP_PX)
    shifts = [(x, y) for y in steps for x in steps]
    made = np.zeros((len(cells), len(shifts), SIDE_PX, SIDE_PX, 3), np.float32)
    for k, (column, row) in enumerate(cells):
        left = round((column * art.cell_mm - above.origin_mm[0]) * scale) + margin
        top = round((row * art.cell_mm - above.origin_mm[1]) * scale) + margin
        for j, (x, y) in enumerate(shifts):
            made[k, j] = plain[top + y : top + y + SIDE_PX, left + x : left + x + SIDE_PX]
    return made, shifts


def weigh(above: FromAbove, art: BoardArt, bank: Floats, cells: Sequence[Cell]) -> Evidence:
    """Scores of each loose tile and rotation in each cell."""
    seen, shifts = shifted_cells(above, art, cells)
    likeness, best, blocks = _matched(seen, bank)
    right, wrong = _habits(likeness, blocks)
    nats = INDEPENDENT * _says(blocks, right, wrong).sum(axis=2)
    shape = (len(cells), len(bank), 4)
    at = np.array(shifts)[best].reshape(*shape, 2)
    return Evidence(tuple(cells), nats.reshape(shape), at, blocks.reshape(*shape, -1), right, wrong)


def weigh_one(seen: Floats, evidence: Evidence, bank: Floats) -> Array:
    """Log-likelihoods (tiles, 4) in nats of each tile and rotation for a tile beside the board.

    `seen` (shifts, S, S, 3) are normalised cut-outs of it.
    """
    _, _, blocks = _matched(seen[None], bank)
    nats = INDEPENDENT * _says(blocks, evidence.right, evidence.wrong).sum(axis=2)
    return np.asarray(nats.reshape(len(bank), 4))


def weigh_shown(
    evidence: Evidence, above: FromAbove, art: BoardArt, bank: Floats, shown: Mapping[Cell, Floats]
) -> Evidence:
    """The scores, recomputed for partly hidden cells from their visible pixels: `shown` (S, S), 0 or 1, for
    each."""
    cells = [cell for cell in evidence.cells if cell in shown]
    if not cells:
        return evidence
    nats, blocks = evidence.nats.copy(), evidence.blocks.copy()
    seen, _ = shifted_cells(above, art, cells)
    for cell, own in zip(cells, seen, strict=True):
        share = _by_block(shown[cell][None, ..., None].repeat(3, axis=3)).mean(axis=(1, 2))
        _, _, found = _matched(own[None], bank, shown[cell])
        says = _says(found, evidence.right, evidence.wrong) * np.where(share < LEAST_BLOCK, 0, share)
        k = evidence.cells.index(cell)
        nats[k] = INDEPENDENT * says.sum(axis=2).reshape(nats[k].shape)
        blocks[k] = found.reshape(blocks[k].shape)
    return replace(evidence, nats=nats, blocks=blocks)


def _matched(
    seen: Floats, bank: Floats, shown: Floats | None = None
) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Similarity of cut-outs (n, shifts, S, S, 3) to m tile pictures at the best shift.

    It returns similarities (n, m), the best shifts (n, m) by index, and the correlations of blocks there (n,
    m, B).
    """
    count, ways = seen.shape[:2]
    ours = in_blocks(seen.reshape(count * ways, SIDE_PX, SIDE_PX, 3), shown)
    theirs = in_blocks(bank.reshape(-1, SIDE_PX, SIDE_PX, 3), shown)
    # (blocks, cells and shifts, tiles and ways)
    alike = np.matmul(ours, theirs.transpose(0, 2, 1))
    # covered blocks match nothing, so negative correlations are no evidence either
    kept = np.maximum(alike, 0).mean(axis=0).reshape(count, ways, -1)
    best = kept.argmax(axis=1)
    by_cell = alike.reshape(len(alike), count, ways, -1)
    rows, faces = np.indices(best.shape)
    blocks = by_cell[:, rows, best, faces].transpose(1, 2, 0)
    return kept.max(axis=1), best, blocks


def _habits(likeness: Floats, blocks: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """Mean and deviation of block correlations for right tiles and for wrong ones.

    Right tiles are those with a clear lead in their cells; wrong ones are those ranked far behind.
    """
    order = np.argsort(-likeness, axis=1)
    top = np.take_along_axis(blocks, order[:, :1, None], axis=1)[:, 0]
    lead = likeness[np.arange(len(likeness)), order[:, 0]] - likeness[np.arange(len(likeness)), order[:, 1]]
    clear = top[lead > 0.12]
    rest = np.take_along_axis(blocks, order[:, 8:, None], axis=1)
    wrong = (float(rest.mean()), float(rest.std())) if rest.size else USUAL_WRONG
    if len(clear) < 4:
        return USUAL_RIGHT, wrong
    middle = float(np.median(clear))
    spread = float(1.48 * np.median(np.abs(clear - middle)))
    return (max(middle, wrong[0] + 0.15), max(spread, 0.10)), wrong


def _says(blocks: Floats, right: tuple[float, float], wrong: tuple[float, float]) -> Array:
    """Log-likelihood ratio (nats) of each block for its tile; small where the block is covered or matches by
    chance."""
    held = np.minimum(blocks, right[0]).astype(np.float64)

    def density(habit: tuple[float, float]) -> Array:
        return np.asarray(np.exp(-0.5 * ((held - habit[0]) / habit[1]) ** 2) / habit[1])

    by_chance = density(wrong) + 1e-6
    return np.asarray(np.log((1 - COVERED) * density(right) / by_chance + COVERED))


def read_tiles(evidence: Evidence, art: BoardArt) -> list[TileReading]:
    """The jointly likeliest tiles of all cells."""
    return read_all_tiles(evidence, art, None)[0]


def read_all_tiles(
    evidence: Evidence, art: BoardArt, beside: Array | None
) -> tuple[list[TileReading], tuple[int, float] | None]:
    """The jointly likeliest tiles of all cells, and the tile beside the board with its confidence.

    `beside` (tiles, 4) are the scores of that tile, or None without one.
    """
    copies = np.repeat(np.arange(len(art.tiles)), [tile.copies for tile in art.tiles])
    whole = np.asarray(np.logaddexp.reduce(evidence.nats, axis=2))
    if beside is not None:
        whole = np.concatenate([whole, np.logaddexp.reduce(beside, axis=1)[None]])
    costs = -whole[:, copies]
    rows, columns = linear_sum_assignment(costs)
    taken = {int(row): int(copies[column]) for row, column in zip(rows, columns, strict=True)}
    best_total = float(costs[rows, columns].sum())
    readings = []
    for k, cell in enumerate(evidence.cells):
        if k not in taken:
            continue
        tile = taken[k]
        behind, others = _without(costs, copies, k, tile, best_total)
        nats = evidence.nats[k, tile]
        turn = int(nats.argmax())
        spare = np.delete(nats, turn)
        at = evidence.shift[k, tile, turn] * art.cell_mm / SIDE_PX
        readings.append(
            TileReading(
                cell,
                tile,
                ROTATIONS[turn],
                float(1 / (1 + np.exp(-behind))),
                float(1 / np.exp(np.logaddexp(0, np.logaddexp.reduce(spare - nats[turn])))),
                (float(at[0]), float(at[1])),
                tuple((each, ROTATIONS[int(evidence.nats[k, each].argmax())]) for each in others),
            )
        )
    other = len(evidence.cells)
    if beside is None or other not in taken:
        return readings, None
    behind, _ = _without(costs, copies, other, taken[other], best_total)
    return readings, (taken[other], float(1 / (1 + np.exp(-behind))))


def _without(
    costs: Array, copies: NDArray[np.intp], row: int, tile: int, best_total: float
) -> tuple[float, list[int]]:
    """Nats by which the best assignment with another tile in a cell is less likely, and that tile."""
    barred = costs.copy()
    barred[row, copies == tile] = 1e6
    rows, columns = linear_sum_assignment(barred)
    total = float(barred[rows, columns].sum())
    if total > 5e5:
        return 20.0, []
    other = int(copies[columns[list(rows).index(row)]])
    return total - best_total, [other]


def with_tiles(art: BoardArt, readings: Sequence[TileReading]) -> BoardArt:
    """The board with the tiles that were read as part of its print, for refining the homography."""
    ground = art.ground.copy()
    for each in readings:
        lay_tile(ground, each.cell, art.tiles[each.tile].picture, each.rotation)
    printed = {
        each.cell: (art.tiles[each.tile].id, each.rotation)
        for each in readings
        if each.tile_confidence > HELPFUL
    }
    return replace(art, ground=ground, printed=printed)


def lay_tile(ground: Picture, cell: Cell, picture: Picture, rotation: int) -> None:
    """Draws a tile, which may be transparent, in a cell of a ground without a frame."""
    column, row = cell
    part = ground[row * CELL_PX : (row + 1) * CELL_PX, column * CELL_PX : (column + 1) * CELL_PX]
    turned = np.rot90(picture, -rotation // 90)
    share = turned[..., 3:].astype(np.float32) / 255 if turned.shape[2] == 4 else 1.0
    part[:] = np.round(share * turned[..., :3] + (1 - share) * part)
