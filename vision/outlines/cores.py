"""Cards in the heat maps of the network (`outline_net`): hypotheses from regions, and their fit to the maps.

A core is a card without a rim of `CORE` times its shorter side all around (Wang et al. 2019 part lines of
text by shrunk regions in this way). Cores tell touching cards apart; insides and sides tell exactly where
they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from vision.outlines.edges import as_quad
from vision.outlines.outline_net import CORE
from vision.outlines.rectangles import Rectangle
from vision.photo import geometry
from vision.photo.geometry import card_homography

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Levels (8 bit) at which regions are cut out of a heat map.
_LEVELS = (90, 127, 170)
#: Least area of a region, as a share of the picture.
_LEAST_AREA = 0.0006
#: Least area of a core as a share of a whole one (and of a whole one as a share of a core); and the support
#: of a card whose core is whole.
_LEAST_CORE, _SEEN = 0.5, 0.7
#: Steps (mm) in which a card is moved to where it fits best, and the greatest number of each.
_SETTLING_MM, _SETTLED_AFTER = (3.0, 1.2, 0.5), 6
#: Rounds in which the plane and the cards are fitted in turn; the first changes of the plane that are tried
#: (width, height, shear, the foreshortening over the cards' reach; and of cards that keep their places the
#: movement by shares of that reach, and the turn), and the most that are for each of them.
_ROUNDS = 3
_CHANGED = np.vstack([np.zeros(5), np.diag([0.02, 0.02, 0.02, 0.03, 0.03])])
_MOVED = np.vstack([np.zeros(8), np.diag([0.02, 0.02, 0.02, 0.03, 0.03, 0.01, 0.01, 0.02])])
_MOST_TRIED = 32
#: Distances from a card's middle, relative to its outline, at which it is compared with the maps.
_RINGS = (0.92, 1.0, 1.08)
#: The picture in which whole planes are compared is so many times smaller; and the width of a side in it.
_COARSER, _SIDE_PX = 4, 2


def _samples() -> tuple[int, Array]:
    """Number of positions on a card's outline, and those within, on and beyond it as shares of its sides."""
    side = np.array([[x, y] for x in np.linspace(0.06, 0.94, 16) for y in (0.0, 1.0)])
    outline = np.concatenate([side, side[:, ::-1]])
    return len(outline), np.concatenate([0.5 + grown * (outline - 0.5) for grown in _RINGS])


_OUTLINE, _SAMPLES = _samples()


class Cores:
    """What the heat maps (H, W, 4) uint8 of a picture (`outline_net.OutlineMaps`) and its colours tell of
    cards of one size (width and height, mm). `unlike` (H, W) is the probability, by its colour, that a pixel
    is not the table."""

    def __init__(self, planes: NDArray[np.uint8], unlike: NDArray[np.float32], size_mm: Size) -> None:
        maps = [np.ascontiguousarray(planes[..., k]) for k in (2, 3)]
        self._size_mm = size_mm
        self._inset_mm = 2 * CORE * min(size_mm)
        outlines = [outline[:, 0] for each in maps for outline in _outlines(each)]
        self._regions = [np.asarray(each, np.float64) for each in outlines]
        #: Corners (4, 2) of cards about single cores.
        self.cards = [_around(corners, size_mm) for each in maps for corners in quads_of(each)]
        self._seen = planes[..., :2].astype(np.float32) / 255
        coarse = (planes.shape[1] // _COARSER, planes.shape[0] // _COARSER)
        told = np.dstack([self._seen, unlike])
        self._coarse = cv2.resize(told, coarse, interpolation=cv2.INTER_AREA)

    def middles(self) -> Array:
        """Middles (N, 2) of the cores, each once.

        Of overlapping regions the most rectangular one of usual size counts: a region may be a part of a
        core, or the cores of two cards.
        """
        outlines = [np.asarray(each, np.float32) for each in self._regions]
        areas = np.array([cv2.contourArea(each) for each in outlines])
        around = np.array([np.prod(cv2.minAreaRect(each)[1]) for each in outlines])
        usual = np.median(areas) if len(areas) else 1.0
        merit = areas / np.maximum(around, 1.0) - np.abs(np.log(areas / usual))
        middles = [_centroid(each) for each in outlines]
        found: list[int] = []
        for k in np.argsort(-merit):
            if not any(_overlap(outlines[k], middles[k], outlines[j], middles[j]) for j in found):
                found.append(int(k))
        return np.array([middles[k] for k in found]).reshape(-1, 2)

    def on(self, plane: Array) -> list[Rectangle]:
        """Cards on a plane (3, 3), table mm to pixels, by the middles and turns of the cores."""
        back = np.asarray(np.linalg.inv(plane), np.float64)
        width, height = self._size_mm
        whole = (width - self._inset_mm) * (height - self._inset_mm)
        found = []
        for region in self._regions:
            on_table = geometry.apply(back, region).astype(np.float32)
            share = cv2.contourArea(on_table) / whole
            if not _LEAST_CORE < share < 1 / _LEAST_CORE:
                continue
            (x, y), sides, turn = cv2.minAreaRect(on_table)
            lies = (sides[0] > sides[1]) == (width >= height)
            angle = float(np.radians(turn if lies else turn + 90))
            found.append(Rectangle((x, y), angle, self._size_mm, _SEEN * min(share, 1 / share)))
        return found

    def agreement(self, plane: Array, cards: Sequence[Rectangle]) -> float:
        """How well cards on a plane explain the picture, 0 to 1: the product of the intersections over unions
        (Jaccard) of the insides, of the sides, and of what is unlike the table by its colour.

        A frame printed within a card has sides like a card's, but the rim beyond it is not the table."""
        inside, side = (np.zeros(self._coarse.shape[:2], np.uint8) for _ in range(2))
        for one in cards:
            corners = np.clip(geometry.apply(plane, one.corners_mm()) / _COARSER, -9999, 9999)
            drawn = np.rint(corners).astype(np.int32)
            cv2.fillConvexPoly(inside, drawn, 255)
            cv2.polylines(side, [drawn], True, 255, _SIDE_PX, cv2.LINE_AA)
        made = np.dstack([inside, side, inside]) / np.float32(255)
        both = np.minimum(made, self._coarse).sum(axis=(0, 1))
        return float(np.prod(both / np.maximum(np.maximum(made, self._coarse).sum(axis=(0, 1)), 1e-6)))

    def fitted(self, plane: Array, cards: Sequence[Rectangle]) -> tuple[Array, list[Rectangle]]:
        """The plane and the cards on it, moved to where the insides and sides seen fit best."""
        settled = [self.settled(plane, one) for one in cards]
        for _ in range(_ROUNDS):
            plane = self._plane_fitted(plane, settled, _CHANGED)
            settled = [self.settled(plane, one) for one in settled]
        return plane, settled

    def laid(self, plane: Array, cards: Sequence[Rectangle]) -> Array:
        """The plane moved to where cards that keep their places on it fit the maps best."""
        return self._plane_fitted(plane, cards, _MOVED)

    def _plane_fitted(self, plane: Array, cards: Sequence[Rectangle], simplex: Array) -> Array:
        """The plane changed by a small projective map for the best fit of the cards (Nelder and Mead)."""
        centres = np.array([one.centre_mm for one in cards])
        middle = centres.mean(axis=0)
        reach = max(self._size_mm) + float(np.ptp(centres, axis=0).max())
        there = np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1.0]])
        points = np.concatenate([_points(one) for one in cards]) - middle

        def changed(change: Array) -> Array:
            wide, high, lean, across, down, *moved = change
            right, below, turn = moved or (0.0, 0.0, 0.0)
            small = [
                [1 + wide, lean - turn, right * reach],
                [turn, 1 + high, below * reach],
                [across / reach, down / reach, 1.0],
            ]
            return np.asarray(plane @ there @ np.array(small))

        found = minimize(
            lambda change: -self._fit(changed(change), points),
            np.zeros(simplex.shape[1]),
            method="Nelder-Mead",
            options={"initial_simplex": simplex, "maxfev": _MOST_TRIED * simplex.shape[1]},
        )
        return np.asarray(changed(found.x) @ np.linalg.inv(there))

    def settled(self, plane: Array, one: Rectangle) -> Rectangle:
        """A card moved and turned to where the maps fit best, by smaller and smaller steps."""
        best = self.fit(plane, one)
        for step in _SETTLING_MM:
            turn = 2 * step / max(one.size_mm)
            ways = ((step, 0, 0), (-step, 0, 0), (0, step, 0), (0, -step, 0), (0, 0, turn), (0, 0, -turn))
            for _ in range(_SETTLED_AFTER):
                (x, y), at = one.centre_mm, one.turn_rad
                around = [replace(one, centre_mm=(x + a, y + b), turn_rad=at + c) for a, b, c in ways]
                fits = [self.fit(plane, each) for each in around]
                if max(fits) <= best:
                    break
                best, one = max(fits), around[int(np.argmax(fits))]
        return one

    def fit(self, plane: Array, one: Rectangle) -> float:
        """Contrast of a card's inside with what is beyond its sides, and the mean side seen along them."""
        return self._fit(plane, _points(one))

    def _fit(self, plane: Array, points: Array) -> float:
        """Contrast of insides with what is beyond, and the mean side on outlines, at points (N, 2)."""
        at = geometry.apply(plane, points).astype(np.float32)
        seen = cv2.remap(self._seen, at[:, 0], at[:, 1], cv2.INTER_LINEAR).reshape(
            -1, len(_RINGS), _OUTLINE, 2
        )
        within, beyond, outline = seen[:, 0, :, 0], seen[:, 2, :, 0], seen[:, 1, :, 1]
        return float(within.mean() - beyond.mean() + outline.mean())

    def like_cards(self, quad: Array, count: int) -> bool:
        """Whether a quadrangle (4, 2) of so many cards is large enough for a core to each."""
        if not self._regions:
            return False
        areas = [cv2.contourArea(each.astype(np.float32)) for each in self._regions]
        width, height = self._size_mm
        core = (width - self._inset_mm) * (height - self._inset_mm) / (width * height)
        share = core * cv2.contourArea(quad.astype(np.float32)) / count
        return bool(_LEAST_CORE * float(np.median(areas)) < share)


def _centroid(region: NDArray[np.float32]) -> Array:
    """The middle (2,) of a region's area, given its outline (N, 2)."""
    moments = cv2.moments(region)
    middle = np.array([moments["m10"], moments["m01"]]) / max(moments["m00"], 1e-6)
    return np.asarray(middle, np.float64)


def _overlap(one: NDArray[np.float32], at: Array, other: NDArray[np.float32], there: Array) -> bool:
    """Whether a region (N, 2) contains the middle (2,) of the other."""
    return any(
        cv2.pointPolygonTest(region, (float(middle[0]), float(middle[1])), False) >= 0
        for region, middle in ((one, there), (other, at))
    )


def _points(one: Rectangle) -> Array:
    """Positions (N, 2), in mm on the table, at which a card is compared with the heat maps."""
    corners = one.corners_mm()
    points = corners[0] + _SAMPLES[:, :1] * (corners[1] - corners[0])
    return np.asarray(points + _SAMPLES[:, 1:] * (corners[3] - corners[0]))


def quads_of(chance: NDArray[np.uint8]) -> list[Array]:
    """Corners (4, 2), clockwise, of the quadrangles in a heat map (H, W) uint8; one may appear once for each
    level."""
    height, width = chance.shape
    found = []
    for outline in _outlines(chance):
        x, y, wide, high = cv2.boundingRect(outline)
        if x <= 1 or y <= 1 or x + wide >= width - 1 or y + high >= height - 1:
            continue
        corners = as_quad(outline)
        if corners is not None:
            found.append(corners)
    return found


def _outlines(chance: NDArray[np.uint8]) -> list[NDArray[np.int32]]:
    """Outlines (N, 1, 2) of the regions of a heat map at several levels."""
    found: list[NDArray[np.int32]] = []
    for level in _LEVELS:
        mask = np.asarray(chance > level, np.uint8)
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        large = [each for each in outlines if cv2.contourArea(each) >= _LEAST_AREA * chance.size]
        found += [np.asarray(each, np.int32) for each in large]
    return found


def _around(core: Array, size_mm: Size) -> Array:
    """Corners (4, 2) of the card about the corners (4, 2) of its core."""
    rim = CORE * min(size_mm)
    sides = np.linalg.norm(np.roll(core, -1, axis=0) - core, axis=1)
    lies = (sides[0] + sides[2] > sides[1] + sides[3]) == (size_mm[0] >= size_mm[1])
    width, height = size_mm if lies else size_mm[::-1]
    plane = card_homography(core, (width - 2 * rim, height - 2 * rim))
    return geometry.apply(plane, geometry.rectangle(width, height) - rim)
