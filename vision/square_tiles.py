"""Square tiles in a grid: which tile lies in each cell, and which of its four ways, read jointly.

A cell and a tile are compared block by block (normalised correlation), and each block speaks for a tile by
how likely such a correlation is where the right tile is seen, as the plain cells of the same photo tell. What
covers a block (a figure, a chip, glare) makes it speak for nothing. Loose tiles lie once each, or as often as
there are copies: the assignment of all cells together is the likeliest (Kuhn 1955), and a tile's confidence
is by how much the likeliest assignment without it falls behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.board_art import BoardArt, Cell
from vision.board_plane import FromAbove

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Cells are compared in pictures so large (px), block by block; tiles lie off their cell's middle by so many
#: of these pixels at most, in such steps.
SIDE_PX, BLOCK_PX, SHIFT_PX, STEP_PX = 50, 10, 3, 2
BLOCKS = SIDE_PX // BLOCK_PX
#: The neighbourhood that a pixel is set against (px), and what is added to its spread (levels).
NEIGHBOURHOOD_PX, LEAST_SPREAD = 9, 5.0
#: A block's correlation (mean, spread) with the right tile where the photo tells too little of it, and with
#: a wrong one.
USUAL_RIGHT, USUAL_WRONG = (0.62, 0.20), (0.02, 0.19)
#: A block is covered as often as this, and then speaks for nothing.
COVERED = 0.08
#: Neighbouring blocks tell the same twice, and art the same as the photo's light: so much of what they say
#: counts.
INDEPENDENT = 0.45
#: A block of which less is shown (share) says nothing.
LEAST_BLOCK = 0.15
ROTATIONS = (0, 90, 180, 270)


@dataclass(frozen=True)
class TileReading:
    """A cell's tile: its number in `BoardArt.tiles`, how it is turned, how sure each is (0..1), how far it
    lies off the cell's middle (mm), and the share of its blocks that are seen to be its. `others`: tiles that
    it may be as well, likeliest first, each with its rotation."""

    cell: Cell
    tile: int
    rotation: int
    tile_confidence: float
    turn_confidence: float
    off_mm: tuple[float, float]
    seen_share: float
    others: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What each cell says of each tile each way: `nats` (cells, tiles, 4), `shift` (cells, tiles, 4, 2) where
    it lies best (px of the small pictures), `blocks` (cells, tiles, 4, B) the correlations there; `right` and
    `wrong` are their mean and spread where the right tile is seen, and where a wrong one is."""

    cells: tuple[Cell, ...]
    nats: Array
    shift: NDArray[np.int64]
    blocks: Floats
    right: tuple[float, float] = USUAL_RIGHT
    wrong: tuple[float, float] = USUAL_WRONG


def normalised(picture: NDArray[np.uint8]) -> Floats:
    """(h, w, 3) pixels against their neighbourhood, so that light and white balance fall out: brightness and
    two differences of colours."""
    seen = picture.astype(np.float32)
    blue, green, red = seen[..., 0], seen[..., 1], seen[..., 2]
    planes = np.stack([0.3 * red + 0.59 * green + 0.11 * blue, red - green, blue - green], axis=-1)
    size = (NEIGHBOURHOOD_PX * 2 + 1,) * 2
    away = planes - cv2.blur(planes, size)
    spread = np.sqrt(np.maximum(cv2.blur(away * away, size), 0)) + np.float32(LEAST_SPREAD)
    return np.asarray(away / spread, np.float32)


def tile_bank(art: BoardArt) -> Floats:
    """(tiles, 4, S, S, 3) the normalised loose tiles, each way."""
    made = []
    for tile in art.tiles:
        upright = upright_tile(tile.picture)
        made.append(np.stack([_turned(upright, rotation) for rotation in ROTATIONS]))
    return np.stack(made) if made else np.zeros((0, 4, SIDE_PX, SIDE_PX, 3), np.float32)


def upright_tile(picture: NDArray[np.uint8]) -> Floats:
    """(S, S, 3) a tile's normalised picture."""
    small = cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    # what lies beside a tile is not known: its own rim, once more
    wide = cv2.copyMakeBorder(small, 9, 9, 9, 9, cv2.BORDER_REFLECT)
    return normalised(np.asarray(wide, np.uint8))[9:-9, 9:-9]


def _turned(picture: Floats, rotation: int) -> Floats:
    return np.ascontiguousarray(np.rot90(picture, -rotation // 90))


def in_blocks(pictures: Floats, shown: Floats | None = None) -> Floats:
    """(n, S, S, 3) pictures as (blocks, n, pixels) of unit length each; where they are `shown` (S, S), 0 or
    1, alone."""
    flat = _by_block(pictures)
    seen = _by_block(np.repeat(shown[None, ..., None], 3, axis=3)) if shown is not None else None
    if seen is None:
        flat = flat - flat.mean(axis=2, keepdims=True)
    else:
        count = np.maximum(seen.sum(axis=2, keepdims=True), 1.0)
        flat = (flat - (flat * seen).sum(axis=2, keepdims=True) / count) * seen
    length = np.linalg.norm(flat, axis=2, keepdims=True)
    # a plain block correlates with nothing
    return np.asarray(flat / np.maximum(length, 0.25 * BLOCK_PX * np.sqrt(3)), np.float32)


def _by_block(pictures: Floats) -> Floats:
    count = BLOCKS
    parts = pictures.reshape(-1, count, BLOCK_PX, count, BLOCK_PX, 3).transpose(1, 3, 0, 2, 4, 5)
    return np.asarray(parts.reshape(count * count, pictures.shape[0], -1), np.float32)


def shifted_cells(
    above: FromAbove, art: BoardArt, cells: Sequence[Cell]
) -> tuple[Floats, list[tuple[int, int]]]:
    """(cells, shifts, S, S, 3) normalised cut-outs, and the shifts (px)."""
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
    """What the cells say of loose tiles."""
    seen, shifts = shifted_cells(above, art, cells)
    likeness, best, blocks = _matched(seen, bank)
    right, wrong = _habits(likeness, blocks)
    nats = INDEPENDENT * _says(blocks, right, wrong).sum(axis=2)
    shape = (len(cells), len(bank), 4)
    at = np.array(shifts)[best].reshape(*shape, 2)
    return Evidence(tuple(cells), nats.reshape(shape), at, blocks.reshape(*shape, -1), right, wrong)


def weigh_one(seen: Floats, evidence: Evidence, bank: Floats) -> Array:
    """(tiles, 4) nats that a tile beside the board speaks for each tile each way, as the cells of the photo
    do: `seen` (shifts, S, S, 3) are normalised cut-outs of it."""
    _, _, blocks = _matched(seen[None], bank)
    nats = INDEPENDENT * _says(blocks, evidence.right, evidence.wrong).sum(axis=2)
    return np.asarray(nats.reshape(len(bank), 4))


def weigh_shown(
    evidence: Evidence, above: FromAbove, art: BoardArt, bank: Floats, shown: Mapping[Cell, Floats]
) -> Evidence:
    """The evidence with some cells weighed again where nothing stands on them: where each is `shown` (S, S),
    0 or 1."""
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
    """Of cut-outs (n, shifts, S, S, 3) and tiles and ways (m): their likeness (n, m) at the best shift, which
    that is (n, m), and the correlations of the blocks there (n, m, B)."""
    count, ways = seen.shape[:2]
    ours = in_blocks(seen.reshape(count * ways, SIDE_PX, SIDE_PX, 3), shown)
    theirs = in_blocks(bank.reshape(-1, SIDE_PX, SIDE_PX, 3), shown)
    # (blocks, cells and shifts, tiles and ways)
    alike = np.matmul(ours, theirs.transpose(0, 2, 1))
    # what is covered is alike to nothing: better so than less
    kept = np.maximum(alike, 0).mean(axis=0).reshape(count, ways, -1)
    best = kept.argmax(axis=1)
    by_cell = alike.reshape(len(alike), count, ways, -1)
    rows, faces = np.indices(best.shape)
    blocks = by_cell[:, rows, best, faces].transpose(1, 2, 0)
    return kept.max(axis=1), best, blocks


def _habits(likeness: Floats, blocks: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """Mean and spread of blocks' correlations where the right tile is seen, and where a wrong one is: of the
    likeliest tile of each cell, as far as most of its blocks are alike, and of all the others."""
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
    """Nats by which each block speaks for its tile: little where it is covered or by chance alike."""
    held = np.minimum(blocks, right[0]).astype(np.float64)

    def density(habit: tuple[float, float]) -> Array:
        return np.asarray(np.exp(-0.5 * ((held - habit[0]) / habit[1]) ** 2) / habit[1])

    by_chance = density(wrong) + 1e-6
    return np.asarray(np.log((1 - COVERED) * density(right) / by_chance + COVERED))


def read_tiles(evidence: Evidence, art: BoardArt) -> list[TileReading]:
    """The likeliest tiles of all cells together."""
    return read_all_tiles(evidence, art, None)[0]


def read_all_tiles(
    evidence: Evidence, art: BoardArt, beside: Array | None
) -> tuple[list[TileReading], tuple[int, float] | None]:
    """The likeliest tiles of all cells together; and, where one lies `beside` the board that speaks so
    (tiles, 4) for each, which it is and how sure."""
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
        blocks = evidence.blocks[k, tile, turn]
        at = evidence.shift[k, tile, turn] * art.cell_mm / SIDE_PX
        readings.append(
            TileReading(
                cell,
                tile,
                ROTATIONS[turn],
                float(1 / (1 + np.exp(-behind))),
                float(1 / np.exp(np.logaddexp(0, np.logaddexp.reduce(spare - nats[turn])))),
                (float(at[0]), float(at[1])),
                float(np.mean(blocks > 0.3)),
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
    """By how many nats the likeliest assignment in which a cell has another tile falls behind, and that
    tile."""
    barred = costs.copy()
    barred[row, copies == tile] = 1e6
    rows, columns = linear_sum_assignment(barred)
    total = float(barred[rows, columns].sum())
    if total > 5e5:
        return 20.0, []
    other = int(copies[columns[list(rows).index(row)]])
    return total - best_total, [other]
