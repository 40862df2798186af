"""Pose of a board made of loose square pieces: photo -> lattice and homography, from the pieces alone.

Each match of a feature with one of a piece's art votes for that piece's middle (Lowe 2004, section 7.3). Each
detected piece gives an affine map, and neighbours are joined into a lattice. One homography is then fitted to
all matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.boards.art import Flat
from vision.boards.sift import (
    Features,
    Matches,
    PieceFeatures,
    features_of_pieces,
    features_of_view,
    likeliest,
    look,
    middles,
)
from vision.photo import geometry
from vision.photo.view import Reductions, View

Array = NDArray[np.float64]
Cell = tuple[int, int]

# First values, by eye on four photos of `tuning-stone-dragon`.

#: Longer side of the view (px) and its number of features; side of a piece's art (px) and its number of
#: features.
VIEW_PX, VIEW_FEATURES, ART_PX, ART_FEATURES = 1500, 3200, 150, 180
#: Least cosine of matching features, and largest distance behind the best one.
LEAST_ALIKE, BEHIND = 0.80, 0.06
#: Tolerance of votes for the same piece: position (share of a cell), rotation (degrees) and scale (log).
VOTE_REACH, VOTE_TURN, VOTE_SCALE = 0.22, 24.0, 0.45
#: Least number of matches for a piece, and the largest residual of a match (px in the view).
LEAST_MATCHES, MISFIT_PX = 5, 3.0
#: Largest deviation of a neighbour's middle from its expected place, as a share of a cell.
OFF_LATTICE = 0.3
#: Least number of pieces for a board.
LEAST_PIECES = 3
#: Candidate distances between the middles of neighbouring pieces, in sides of a piece.
PITCHES = (1.0, 1.012, 1.024, 1.036, 1.048, 1.06)


@dataclass(frozen=True)
class Lattice:
    """A grid of pieces found in a photo.

    `to_photo` (3, 3) maps cells (column and row, from the corner of the first cell) to photo pixels. `pitch`
    is a cell's side in sides of a piece; `pieces` counts the pieces that support it.
    """

    to_photo: Array
    pitch: float
    pieces: int


@dataclass
class _Seen:
    """A detected piece: `frame` (2, 3) maps shares of its side, from its middle, to view pixels; with its
    matches."""

    piece: int
    frame: Array
    art: Array
    at: Array
    cell: Cell | None = None
    quarter: int = 0
    score: float = field(default=0.0)


def panel_bank(tiles: Sequence[Flat]) -> PieceFeatures:
    """Features of the art of square pieces, in shares of their side."""
    parts = []
    for tile in tiles:
        grey = cv2.cvtColor(tile.picture, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, (ART_PX, ART_PX), interpolation=cv2.INTER_AREA)
        found = look(np.asarray(small, np.uint8), ART_FEATURES)
        parts.append(replace(found, at=(found.at + 0.5) / ART_PX - 0.5, size=found.size / ART_PX))
    return features_of_pieces(parts)


def find_lattice(pictures: Reductions, bank: PieceFeatures, columns: int, rows: int) -> Lattice | None:
    """The grid of `columns` by `rows` pieces in a photo; None where none is seen.

    Its top is the side that is uppermost in the photo.
    """
    view = pictures.view(VIEW_PX)
    seen = features_of_view(view, VIEW_FEATURES)
    placed = _lattice(
        _pieces(seen, likeliest(seen.descriptors @ bank.descriptors.T, LEAST_ALIKE, BEHIND), bank)
    )
    fitted = _through_all(placed, view) if len(placed) >= LEAST_PIECES else None
    if fitted is None:
        return None
    to_photo, pitch = fitted
    shift = np.eye(3)
    shift[:2, 2] = _window(placed, columns, rows)
    to_photo = _uppermost(to_photo @ shift, columns, rows)
    return Lattice(to_photo / to_photo[2, 2], pitch, len(placed))


def _pieces(seen: Features, matches: Matches, bank: PieceFeatures) -> list[_Seen]:
    """The pieces detected in a view, best score first, with overlapping detections removed."""
    which, art, told = matches
    scale = seen.size[which] / bank.size[art]
    turn = seen.angle[which] - bank.angle[art]
    middle = middles(seen.at[which], turn, scale, bank.at[art])
    weight = np.asarray((told - LEAST_ALIKE) / (1 - LEAST_ALIKE) + 0.1, np.float64)
    made: list[_Seen] = []
    for piece in np.unique(bank.piece[art]):
        own = np.flatnonzero(bank.piece[art] == piece)
        made += _of_piece(
            int(piece),
            middle[own],
            scale[own],
            turn[own],
            weight[own],
            bank.at[art[own]],
            seen.at[which[own]],
        )
    made.sort(key=lambda each: -each.score)
    kept: list[_Seen] = []
    for each in made:
        side = float(np.sqrt(abs(np.linalg.det(each.frame[:, :2]))))
        if all(np.hypot(*(each.frame[:, 2] - other.frame[:, 2])) > 0.55 * side for other in kept):
            kept.append(each)
    return kept


def _of_piece(
    piece: int, middle: Array, scale: Array, turn: Array, weight: Array, art: Array, at: Array
) -> list[_Seen]:
    """Detections of one piece: clusters of its matches that vote for one middle, size and rotation."""
    found: list[_Seen] = []
    near = np.hypot(*(middle[:, None] - middle[None]).transpose(2, 0, 1)) < VOTE_REACH * scale[:, None]
    apart = np.abs((turn[:, None] - turn + np.pi) % (2 * np.pi) - np.pi) < np.radians(VOTE_TURN)
    agree = near & apart & (np.abs(np.log(scale[:, None] / scale)) < VOTE_SCALE)
    left = np.ones(len(middle), np.float32)
    counted = agree.astype(np.float32)
    for _ in range(40):
        votes = counted @ (weight * left).astype(np.float32)
        top = int((votes * left).argmax())
        mine = np.flatnonzero(agree[top] & (left > 0))
        if len(mine) < LEAST_MATCHES:
            break
        frame, inside = cv2.estimateAffine2D(
            art[mine], at[mine], method=cv2.RANSAC, ransacReprojThreshold=MISFIT_PX, maxIters=300
        )
        left[mine] = 0
        if frame is None or inside is None or int(inside.sum()) < LEAST_MATCHES:
            continue
        stretch = np.linalg.svd(frame[:, :2], compute_uv=False)
        if np.linalg.det(frame[:, :2]) <= 0 or stretch[0] > 2.6 * stretch[1]:
            continue
        kept = mine[inside[:, 0] > 0]
        if len(np.unique(np.round(at[kept]), axis=0)) < LEAST_MATCHES:
            continue
        found.append(_Seen(piece, np.asarray(frame), art[kept], at[kept], score=float(weight[kept].sum())))
    return found


def _lattice(pieces: Sequence[_Seen]) -> list[_Seen]:
    """The largest set of detected pieces that form one grid, each with its cell and its quarter turns."""
    best: list[_Seen] = []
    for start in range(min(4, len(pieces))):
        placed = {start: ((0, 0), 0)}
        ahead = [start]
        while ahead:
            here = ahead.pop(0)
            (column, row), quarter = placed[here]
            frame = pieces[here].frame
            # the grid's axes in the view: the piece's own, turned back
            spin = _quarter(-quarter)
            axes = frame[:, :2] @ spin
            for k, other in enumerate(pieces):
                if k in placed:
                    continue
                off = np.linalg.solve(axes, other.frame[:, 2] - frame[:, 2]) / 1.02
                step = np.round(off).astype(int)
                if np.abs(step).sum() != 1 or np.abs(off - step).max() > OFF_LATTICE:
                    continue
                own = np.linalg.solve(axes, other.frame[:, :2])
                turned = (
                    round(float(np.arctan2(own[1, 0] - own[0, 1], own[0, 0] + own[1, 1])) / (np.pi / 2)) % 4
                )
                if np.abs(own - _quarter(turned)).max() > 0.45:
                    continue
                cell = (column + int(step[0]), row + int(step[1]))
                if any(cell == taken for taken, _ in placed.values()):
                    continue
                placed[k] = (cell, turned)
                ahead.append(k)
        if len(placed) > len(best):
            best = [replace(pieces[k], cell=cell, quarter=turns) for k, (cell, turns) in placed.items()]
    return best


def _quarter(turns: int) -> Array:
    """Rotation matrix (2, 2) of a number of quarter turns clockwise (y down)."""
    cos, sin = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns % 4]
    return np.array([[cos, -sin], [sin, cos]], float)


def _through_all(placed: Sequence[_Seen], view: View) -> tuple[Array, float] | None:
    """Homography from cells to the photo, fitted to all matches, and the best-fitting pitch; None if there is
    no fit."""
    best: tuple[float, Array, float] | None = None
    seen = view.to_photo(np.concatenate([each.at for each in placed]))
    centres = np.concatenate(
        [np.tile(np.asarray(each.cell, float) + 0.5, (len(each.at), 1)) for each in placed]
    )
    own = np.concatenate([each.art @ _quarter(each.quarter).T for each in placed])
    reach = 2 * MISFIT_PX / view.scale
    for pitch in PITCHES:
        solved, kept = cv2.findHomography(centres + own / pitch, seen, cv2.USAC_MAGSAC, reach)
        if solved is None or kept is None:
            continue
        off = np.linalg.norm(geometry.apply(np.asarray(solved), centres + own / pitch) - seen, axis=1)
        misfit = float(np.minimum(off, reach).mean())
        if best is None or misfit < best[0]:
            best = misfit, np.asarray(solved, np.float64), pitch
    return None if best is None else best[1:]


def _window(placed: Sequence[_Seen], columns: int, rows: int) -> NDArray[np.intp]:
    """The first cell of the board: that of the window of cells with the highest piece scores."""
    cells = np.array([each.cell for each in placed])
    around = np.array([columns, rows]) - 1
    low = cells.min(axis=0) - around
    worth = np.zeros((cells.max(axis=0) + around - low + 1)[::-1])
    worth[tuple((cells - low).T[::-1])] = [1.0 + 0.05 * min(each.score, 20.0) for each in placed]
    return np.asarray(fullest_window(worth, columns, rows) + low)


def fullest_window(worth: Array, columns: int, rows: int) -> NDArray[np.intp]:
    """First cell (column, row) of the window with the most worth in a grid (rows, columns); the middle one of
    equals."""
    total = sliding_window_view(worth, (rows, columns)).sum(axis=(2, 3)).T
    best = np.argwhere(total > total.max() - 1e-6)
    return np.asarray(best[len(best) // 2])


def _uppermost(to_photo: Array, columns: int, rows: int) -> Array:
    """The homography of the same grid, turned so that the side uppermost in the photo is its top."""
    found = []
    for turns in range(4):
        size = (columns, rows) if turns % 2 == 0 else (rows, columns)
        spin = np.eye(3)
        spin[:2, :2] = _quarter(turns)
        spin[:2, 2] = [(0, 0), (rows, 0), (columns, rows), (0, columns)][turns]
        made = to_photo @ spin
        top = geometry.apply(made, np.array([[size[0] / 2, 0], [size[0] / 2, size[1]]]))
        found.append((float(top[1, 1] - top[0, 1]), made))
    return max(found, key=lambda each: each[0])[1]
