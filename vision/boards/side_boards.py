"""Printed player boards beside a grid: pose and identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.boards.art import Picture
from vision.boards.cards import CardSight
from vision.boards.expected import colour_planes
from vision.boards.layered_art import SIDE_PX_PER_MM, LayeredArt
from vision.boards.top_view import FromAbove
from vision.photo import geometry

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# First values, by eye on some photos of `tuning-ice-and-idols`.

#: Lead in colour difference (levels) over the next board of the same size at full confidence.
LEAD = 12.0
#: Colour difference (levels) above which a board that is unique in size counts as misdetected. In 8 photos of
#: `tuning-ice-and-idols` it was 17 to 42 for right detections, and at least 58 for wrong ones, except for a
#: board one place off.
OTHER_COLOURS = 52.0
#: Correlation of a board's print with itself, moved down, from which it counts as repeating.
REPEATS = 0.5
#: Number of steps of the image alignment, and the correlation below which the detected pose is kept.
STEPS, LEAST = 40, 0.35


@dataclass(frozen=True)
class Light:
    """The light on the print: `gain` and `veil` (3,), blue-green-red, of most of the grid."""

    gain: Floats
    veil: Floats

    def plain(self, seen: Floats) -> Floats:
        """Seen colours converted to the art's light, by removing the veil and dividing by the gain."""
        return np.asarray((seen - self.veil) / np.maximum(self.gain, 0.05), np.float32)


@dataclass(frozen=True)
class BoardSight:
    """A player board beside the grid: its id, its confidence (0..1), and the affine map `to_ground` (2, 3)
    from its mm to the ground's mm."""

    board: str
    confidence: float
    to_ground: Array

    def on_ground(self, at_mm: Array) -> Array:
        """Points (N, 2) mm of the board -> points (N, 2) mm of the ground."""
        return np.asarray(np.atleast_2d(at_mm) @ self.to_ground[:, :2].T + self.to_ground[:, 2])

    @property
    def turn_rad(self) -> float:
        return float(np.arctan2(self.to_ground[1, 0], self.to_ground[0, 0]))


def boards_beside(
    above: FromAbove, art: LayeredArt, cards: Sequence[CardSight], light: Light
) -> list[BoardSight]:
    """The player boards among the cards detected beside the grid, each once."""
    found = [each for each in cards if each.card in art.sides]
    kept: list[BoardSight] = []
    sizes = {art.sizes_mm[each.card] for each in found}
    for size in sorted(sizes):
        names = [name for name in art.sides if art.sizes_mm[name] == size]
        mine = [each for each in found if art.sizes_mm[each.card] == size]
        laid = [_laid(above, art.sides[each.card], each, size) for each in mine]
        cost = np.array(
            [[_off(above, pose, art.sides[name], light) for name in names] for pose in laid]
        ).reshape(len(mine), len(names))
        if len(names) == 1:
            best = max(range(len(mine)), key=lambda k: mine[k].likeness)
            laid[best] = _among_repeats(above, art.sides[names[0]], mine[best], size)
            if _off(above, laid[best], art.sides[names[0]], light) > OTHER_COLOURS:
                continue
            kept.append(BoardSight(names[0], float(np.clip(mine[best].likeness / 0.5, 0, 1)), laid[best]))
            continue
        rows, columns = linear_sum_assignment(cost)
        for row, column in zip(rows, columns, strict=True):
            lead = float(np.delete(cost[row], column).min() - cost[row, column])
            kept.append(BoardSight(names[column], float(np.clip(lead / LEAD, 0, 1)), laid[row]))
    return kept


def _among_repeats(above: FromAbove, art: Picture, sight: CardSight, size: tuple[float, float]) -> Array:
    """The pose of a board whose print may repeat, so that it was detected some rows off: the one of shifted
    poses at which the whole board correlates most."""
    turn = np.radians(sight.turn_deg)
    down = np.array([-np.sin(turn), np.cos(turn)])
    poses = []
    for rows in _repeats(art):
        x, y = np.asarray(sight.at_mm) + rows / SIDE_PX_PER_MM * down
        poses.append(_laid(above, art, replace(sight, at_mm=(float(x), float(y))), size))
    return max(poses, key=lambda pose: _correlation(above, pose, art))


def _repeats(art: Picture) -> list[int]:
    """Shifts (px) down at which a picture resembles itself, 0 among them."""
    grey = _evened(cv2.cvtColor(art, cv2.COLOR_BGR2GRAY).astype(np.float32))
    most = len(grey) // 2
    alike = np.array([_alike_pictures(grey[shift:], grey[: len(grey) - shift]) for shift in range(most)])
    tops = [k for k in range(3, most - 1) if alike[k] > REPEATS and alike[k] == alike[k - 3 : k + 4].max()]
    return sorted({0, *tops, *(-k for k in tops)})


def _correlation(above: FromAbove, pose: Array, art: Picture) -> float:
    """Correlation (-1..1) of a whole board with its art."""
    size = art.shape[1] / SIDE_PX_PER_MM, art.shape[0] / SIDE_PX_PER_MM
    both = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (art, upright(above, pose, size)))
    return _alike_pictures(*(_evened(each.astype(np.float32)) for each in both))


def _alike_pictures(one: Floats, other: Floats) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def _pose(sight: CardSight, size: tuple[float, float]) -> Array:
    """Rigid map (2, 3) from a board's mm to the ground's mm, as detected."""
    to_ground = geometry.similarity(np.radians(sight.turn_deg), np.asarray(sight.at_mm))[:2]
    to_ground[:, 2] -= to_ground[:, :2] @ (np.asarray(size) / 2)
    return to_ground


def _laid(above: FromAbove, art: Picture, sight: CardSight, size: tuple[float, float]) -> Array:
    """Refined affine map (2, 3) from a board's mm to the ground's mm, by ECC image alignment (Evangelidis and
    Psarakis 2008).

    The detected pose is kept if the alignment fails.
    """
    pose = _pose(sight, size)
    scale = above.px_per_mm
    half = float(np.hypot(*size)) / 2 + 12.0
    side = round(2 * half * scale)
    # only the surroundings of the board
    corner = np.round((np.asarray(sight.at_mm) - half - above.origin_mm) * scale) / scale + above.origin_mm
    part = above.cut(float(corner[0]), float(corner[1]), (side, side))
    about = FromAbove(part, scale, (float(corner[0]), float(corner[1])), np.ones(part.shape[:2], bool))
    to_view = _to_view(pose, about)
    grey = _evened(cv2.cvtColor(art, cv2.COLOR_BGR2GRAY).astype(np.float32))
    view = _evened(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32))
    ends = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, 1e-4)
    try:
        score, found = cv2.findTransformECC(
            grey, view, to_view.astype(np.float32), cv2.MOTION_AFFINE, ends, None, 5
        )
    except cv2.error:
        return pose
    if score < LEAST:
        return pose
    # from art pixels to view pixels, by the scales of both in px per mm
    linear = found[:, :2].astype(np.float64) * SIDE_PX_PER_MM / scale
    art_middle = np.full(2, -0.5)
    shift = (found[:, :2] @ art_middle + found[:, 2] + 0.5) / scale + corner
    made = np.column_stack([linear, shift])
    moved = geometry.rectangle(*size) @ (made - pose)[:, :2].T + (made - pose)[:, 2]
    return made if float(np.abs(moved).max()) < 12.0 else pose


def _to_view(pose: Array, above: FromAbove) -> Array:
    """Affine map (2, 3) from pixels of a board's art to pixels of the top view."""
    linear = pose[:, :2] * above.px_per_mm / SIDE_PX_PER_MM
    return np.column_stack([linear, above.px(pose[:, 2]) + linear @ np.full(2, 0.5)])


def _evened(grey: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(grey - cv2.blur(grey, (31, 31)), (0, 0), 1.0), np.float32)


def upright(above: FromAbove, pose: Array, size: tuple[float, float]) -> Picture:
    """The picture of a board in the top view, rotated upright, at the scale of its art."""
    pixels = round(size[0] * SIDE_PX_PER_MM), round(size[1] * SIDE_PX_PER_MM)
    return np.asarray(
        cv2.warpAffine(
            above.picture, _to_view(pose, above), pixels, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        ),
        np.uint8,
    )


def _off(above: FromAbove, pose: Array, art: Picture, light: Light) -> float:
    """Median colour difference (levels) between the picture of a board and its art."""
    size = art.shape[1] / SIDE_PX_PER_MM, art.shape[0] / SIDE_PX_PER_MM
    seen = upright(above, pose, size)
    small = (24, 16)
    ours = light.plain(cv2.resize(seen, small, interpolation=cv2.INTER_AREA).astype(np.float32))
    theirs = cv2.resize(art, small, interpolation=cv2.INTER_AREA).astype(np.float32)
    apart = np.abs(colour_planes(ours) - colour_planes(np.asarray(theirs, np.float32)))[..., 1:].sum(axis=2)
    return float(np.median(apart))
