"""Pose of a printed board: photo -> homography, board mm to photo px, and the camera's position.

Features of the print give the homography, which is refined until printed cells match their art. The camera's
position is needed to project standing pieces.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.allowance import allowance
from vision.boards.art import BoardArt, features
from vision.photo import geometry
from vision.photo.view import Box, Reductions, View

Array = NDArray[np.float64]

#: Longer side (px) of the view and number of its features, for the first search; then for a second search, in
#: dim light or clutter.
VIEWS = ((1000, 2500), (1400, 5000))
#: Side of the part of a photo that is searched last, at a finer scale: a share of the photo's longer side.
#: And the width of the views of it: a look at 48 degrees from the vertical makes the board so much less high.
CROWD, NARROWED = 0.5, (1.0, 2 / 3)
#: Largest ratio of the distances to the best and the second-best descriptor for a match to count.
RATIO = 0.86
#: Largest residual of a match (px of the view), and the least number of matches for a board.
REACH_PX, LEAST_MATCHES = 4.0, 14
#: Largest shift of a printed cell that the refinement accepts, as a share of a cell.
REFINE_REACH = 0.14
#: Least phase correlation response for a cell's shift to be used.
LEAST_RESPONSE = 0.06


@dataclass(frozen=True)
class BoardPlane:
    """Homography `to_photo` (3, 3) from board mm to photo pixels, and the number of features that support
    it."""

    to_photo: Array
    matches: int

    def px(self, points_mm: Array) -> tuple[tuple[float, float], ...]:
        """Points of the board (..., 2) in mm as photo pixels, to a tenth of a pixel."""
        found = geometry.apply(self.to_photo, np.asarray(points_mm, np.float64).reshape(-1, 2))
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in found)


def no_board() -> WaymarkError:
    """The error (no-card, status 4) of a photo in which no board is found."""
    return WaymarkError(
        Code.NO_CARD,
        Text("No board was found in this photo; take it so that the whole board is in the picture."),
    )


def find_plane(pictures: Reductions, art: BoardArt) -> BoardPlane | None:
    """The homography of the board in a photo; None if no board is found."""
    planes = (_plane_in(view, art, most) for view, most in views_of(pictures, art.descriptors))
    return next((plane for plane in planes if plane is not None), None)


def views_of(pictures: Reductions, known: NDArray[np.float32]) -> Iterator[tuple[View, int]]:
    """The views of a photo in which a board is searched for, each with its number of features: the whole
    photo, and then the part where most features match the `known` ones."""
    for longer_side_px, most in VIEWS:
        view = pictures.view(longer_side_px)
        yield view, most
    for narrowed in NARROWED:
        points, descriptors = features_of_view(view, most)
        good, _ = distinct_matches(descriptors, known)
        view = closer(view, points[good].astype(np.float64), pictures, VIEWS[0][0], narrowed)
        yield view, most


def closer(
    view: View, points_px: Array, pictures: Reductions, longer_side_px: float, narrowed: float
) -> View:
    """A closer view of the part of a photo that holds the most of some points of a view. A small board is
    larger in it, and most of a patterned cloth is left out."""
    part = _crowded(view.to_photo(points_px), pictures.size) if len(points_px) else None
    return pictures.view(longer_side_px, part, narrowed)


def _crowded(points_px: Array, size: tuple[int, int]) -> Box:
    """The square part of a photo that holds the most of some points."""
    half = CROWD / 2 * max(size)
    tree = cKDTree(points_px)
    counts = tree.query_ball_point(points_px, half, p=np.inf, return_length=True)
    near = tree.query_ball_point(points_px[int(np.argmax(counts))], half, p=np.inf)
    middle = points_px[near].mean(axis=0)
    left, top = (max(0, round(float(each - half))) for each in middle)
    right, bottom = (min(end, round(float(each + half))) for each, end in zip(middle, size, strict=True))
    return left, top, right, bottom


def _plane_in(view: View, art: BoardArt, most: int) -> BoardPlane | None:
    points, descriptors = features_of_view(view, most)
    if len(points) < LEAST_MATCHES or len(art.points_mm) < LEAST_MATCHES:
        return None
    good, best = distinct_matches(descriptors, art.descriptors)
    if np.count_nonzero(good) < LEAST_MATCHES:
        return None
    seen = view.to_photo(points[good].astype(np.float64))
    known = art.points_mm[best].astype(np.float64)
    solved, kept = cv2.findHomography(
        known, seen, cv2.USAC_MAGSAC, REACH_PX / view.scale, maxIters=5000, confidence=0.9999
    )
    if solved is None or kept is None or int(kept.sum()) < LEAST_MATCHES:
        return None
    to_photo = np.asarray(solved, np.float64)
    corners = geometry.apply(to_photo, geometry.rectangle(art.columns * art.cell_mm, art.rows * art.cell_mm))
    if not geometry.is_convex(corners):
        return None
    return BoardPlane(to_photo, int(kept.sum()))


def distinct_matches(
    seen: NDArray[np.float32], known: NDArray[np.float32]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Mask (n,) of the descriptors whose best match is clearly better than the next one (Lowe's ratio test),
    and the index in `known` of each of these."""
    alike = seen @ known.T
    best = np.asarray(alike.argmax(axis=1))
    rows = np.arange(len(best))
    top = alike[rows, best]
    alike[rows, best] = -1.0
    # distances of unit vectors, by their cosines
    apart, next_apart = np.sqrt(2 - 2 * top.clip(-1, 1)), np.sqrt(2 - 2 * alike.max(axis=1).clip(-1, 1))
    good = apart < RATIO * next_apart
    return good, best[good]


def features_of_view(view: View, most: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """SIFT features of a photo's reduced picture, computed once if several boards are searched for in it."""
    what = ("board-features", most, view.grey.shape, zlib.crc32(view.grey.tobytes()))
    return allowance().once(what, int(view.grey.size), lambda: features(view.grey, most=most))


@dataclass(frozen=True)
class FromAbove:
    """A photo rectified to a top view.

    `picture` (h, w, 3) is blue-green-red at `px_per_mm`; `origin_mm` is the board point at the corner of its
    first pixel. `inside` (h, w) masks pixels that lie within the photo.
    """

    picture: NDArray[np.uint8]
    px_per_mm: float
    origin_mm: tuple[float, float]
    inside: NDArray[np.bool_]

    def cut(self, left_mm: float, top_mm: float, size_px: tuple[int, int]) -> NDArray[np.uint8]:
        """Crop of `size_px` (width, height) from a point of the board (mm); black outside the picture."""
        x = round((left_mm - self.origin_mm[0]) * self.px_per_mm)
        y = round((top_mm - self.origin_mm[1]) * self.px_per_mm)
        width, height = size_px
        made = np.zeros((height, width, 3), np.uint8)
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + width, self.picture.shape[1]), min(y + height, self.picture.shape[0])
        if x1 > x0 and y1 > y0:
            made[y0 - y : y1 - y, x0 - x : x1 - x] = self.picture[y0:y1, x0:x1]
        return made


def from_above(
    pictures: Reductions, to_photo: Array, area_mm: tuple[float, float, float, float], px_per_mm: float
) -> FromAbove:
    """Top view of the area (left, top, right, bottom; mm) of the board's plane."""
    left, top, right, bottom = area_mm
    size = (round((right - left) * px_per_mm), round((bottom - top) * px_per_mm))
    shift = 0.5 / px_per_mm
    to_board = np.array([[1 / px_per_mm, 0, left + shift], [0, 1 / px_per_mm, top + shift], [0, 0, 1]])
    through = to_photo @ to_board
    picture = pictures.colours_through(through, size)
    inside = _inside(through, size, pictures.size)
    return FromAbove(picture, px_per_mm, (left, top), inside)


#: Pixel step at which the mask of the photo's area is computed.
_INSIDE_STEP = 8


def _inside(through: Array, size: tuple[int, int], photo: tuple[int, int]) -> NDArray[np.bool_]:
    """Mask (h, w) of the pixels of a picture that lie in the photo; `through` (3, 3) maps picture to
    photo."""
    xs, ys = np.meshgrid(np.arange(0, size[0], _INSIDE_STEP), np.arange(0, size[1], _INSIDE_STEP))
    mapped = np.stack([xs, ys], axis=-1) @ through[:, :2].T + through[:, 2]
    depth = mapped[..., 2:]
    at = mapped[..., :2] / np.where(np.abs(depth) < 1e-9, 1e-9, depth)
    middle = np.array([*np.array(size) / 2, 1.0]) @ through[2]
    within = (at > 0).all(axis=2) & (at < (photo[0] - 1, photo[1] - 1)).all(axis=2)
    within &= depth[..., 0] * middle > 0
    return np.asarray(cv2.resize(within.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0)


def refine_plane(plane: BoardPlane, pictures: Reductions, art: BoardArt, rounds: int = 2) -> BoardPlane:
    """The homography refined by phase correlation of the printed cells with their art."""
    scale, side = art.px_per_mm, round(art.cell_mm * art.px_per_mm)
    cells = list(art.printed)
    left, top = art.ground_mm[:2]
    grey = cv2.cvtColor(art.ground, cv2.COLOR_BGR2GRAY).astype(np.float32)
    window = cv2.createHanningWindow((96, 96), cv2.CV_32F)
    rim = (side - 96) // 2
    to_photo = plane.to_photo
    for _ in range(rounds):
        above = from_above(pictures, to_photo, art.ground_mm, scale)
        seen_grey = cv2.cvtColor(above.picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
        at, moved, weight = [], [], []
        for column, row in cells:
            y = round((row * art.cell_mm - top) * scale) + rim
            x = round((column * art.cell_mm - left) * scale) + rim
            block = (slice(y, y + 96), slice(x, x + 96))
            shift, response = cv2.phaseCorrelate(_evened(grey[block]), _evened(seen_grey[block]), window)
            if response > LEAST_RESPONSE and max(np.abs(shift)) < REFINE_REACH * side:
                middle = np.array([column + 0.5, row + 0.5]) * art.cell_mm
                at.append(middle)
                moved.append(middle + np.asarray(shift) / scale)
                weight.append(response)
        if len(at) < 6:
            break
        change, _ = cv2.findHomography(np.array(at), np.array(moved), cv2.LMEDS)
        if change is None:
            break
        to_photo = to_photo @ np.asarray(change, np.float64)
    return BoardPlane(to_photo / to_photo[2, 2], plane.matches)


def _evened(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """A grey picture with its local mean removed, so that light does not matter."""
    return np.asarray(grey - cv2.blur(grey, (15, 15)), np.float32)


# --- the camera ---------------------------------------------------------------------------------------------

#: Usual focal length of a phone, in longer sides of its picture, and its log deviation.
USUAL_FOCAL, FOCAL_SPREAD = 0.75, 0.12


@dataclass(frozen=True)
class Eye:
    """A calibrated camera: `matrix` (3, 4) projects board mm (x, y, and z upwards) to photo pixels;
    `place_mm` (3,) is its centre."""

    matrix: Array
    place_mm: Array

    def project(self, points_mm: Array) -> Array:
        """Points over the board (..., 3) mm -> photo pixels (..., 2)."""
        points = np.asarray(points_mm, np.float64)
        mapped = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(mapped[..., :2] / mapped[..., 2:])


def eye_of(plane: BoardPlane, size: tuple[int, int]) -> Eye:
    """The camera for a board's homography, with its principal point at the photo's centre.

    The tilt determines the focal length; without a tilt, that of a usual phone is used.
    """
    width, height = size
    middle = np.array([width / 2, height / 2])
    centred = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]) @ plane.to_photo
    usual = USUAL_FOCAL * max(width, height)

    def misfit(log: float) -> float:
        scaled = np.diag([1 / np.exp(log), 1 / np.exp(log), 1.0]) @ centred
        one, other = scaled[:, 0], scaled[:, 1]
        lengths = np.linalg.norm(one), np.linalg.norm(other)
        square = float(one @ other) / float(lengths[0] * lengths[1])
        even = float(np.log(lengths[0] / lengths[1]))
        off = (log - np.log(usual)) / FOCAL_SPREAD
        return (square / 0.004) ** 2 + (even / 0.004) ** 2 + float(off) ** 2

    logs = np.log(usual) + np.linspace(-0.5, 0.5, 201)
    focal = float(np.exp(logs[int(np.argmin([misfit(log) for log in logs]))]))
    scaled = np.diag([1 / focal, 1 / focal, 1.0]) @ centred
    scaled /= np.sqrt(np.linalg.norm(scaled[:, 0]) * np.linalg.norm(scaled[:, 1]))
    if scaled[2, 2] < 0:
        scaled = -scaled
    one, other, shift = scaled.T
    one, other = one / np.linalg.norm(one), other / np.linalg.norm(other)
    # x to the right and y down make z point into the table
    up = -np.cross(one, other)
    turned = np.column_stack([one, other, up])
    inner = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    place = -np.linalg.solve(turned, shift)
    return Eye(inner @ np.column_stack([turned, shift]), place)
