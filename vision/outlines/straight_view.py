"""View of the photo without lens distortion: foreground mask, and the evidence that rectangles are cards.

A card is a region unlike the table, with table beyond its sides. A frame printed within a card has no table
beyond its sides. The foreground mask joins the colours of the table with what the network sees as the inside
of cards (`outline_net`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.outlines.background import TableColours, unlike_table
from vision.outlines.cores import Cores, quads_of
from vision.outlines.outline_net import OutlineMaps
from vision.outlines.rectangles import Rectangle, pattern_of
from vision.photo import geometry
from vision.photo.lens import AnyLens

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Sampling positions within a rectangle, as shares of its sides.
_GRID = (0.04, 0.15, 0.3, 0.5, 0.7, 0.85, 0.96)
_INSIDE = np.array([[x, y] for x in _GRID for y in _GRID])
#: Distance (mm) of the strips beside a rectangle, and the loss of its score where they are not table.
_BESIDE_MM, _ROUND = 2.0, 0.6
#: Foreground share, relative to a card's, below which an area is bare table, and from which it is a card.
_BARE, _CARD = 0.3, 0.6
#: Least foreground share of a window, relative to a card's, for a card to lie there; and the window's size as
#: a share of the card.
_LEFT, _PART = 0.4, 0.6

#: Share of the colour model in the foreground's log-odds; and the least probability that either states.
_BY_COLOUR, _SURE = 0.5, 0.03


class StraightView:
    """A downsampled photo without lens distortion: `lab` (h, w, 3) uint8 CIE L*a*b*.

    `from_straight` (3, 3) leads from undistorted photo pixels to its pixels.
    """

    def __init__(self, pixels: NDArray[np.uint8], lens: AnyLens, scale: float, maps: OutlineMaps) -> None:
        size = (round(lens.width * scale), round(lens.height * scale))
        small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        self._bgr = lens.straightened(small, scale)
        self.lab = np.asarray(cv2.cvtColor(self._bgr, cv2.COLOR_BGR2Lab), np.uint8)
        planes = lens.straightened(maps.planes, maps.scale)
        planes = np.asarray(cv2.resize(planes, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        self.side = np.ascontiguousarray(planes[..., 1])
        self._inside = np.ascontiguousarray(planes[..., 0])
        self._planes = planes
        self._by_colour = unlike_table(self.lab)
        self.unlike = _joined(self._by_colour, self._inside)
        bare = cv2.blur(self.unlike, (5, 5))
        layers = [*cv2.split(self.lab), np.uint8(255 * bare), self.side]
        self.layers = np.asarray(cv2.merge(layers), np.uint8)
        self._pattern = cv2.blur(pattern_of(self.lab[..., 0]), (31, 31))
        self._usual = max(float(np.quantile(self._pattern, 0.95)), 0.02)
        shift = 0.5 * scale - 0.5
        self.from_straight = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]])
        self.to_straight = np.linalg.inv(self.from_straight)

    def covered(self, plane: Array, rectangles: Sequence[Rectangle], grown: float) -> NDArray[np.bool_]:
        """Mask (h, w) of the cards' areas, each scaled by a factor; `plane` leads from table mm to
        undistorted pixels."""
        made = np.zeros(self.unlike.shape, np.uint8)
        for one in rectangles:
            larger = replace(one, size_mm=(grown * one.size_mm[0], grown * one.size_mm[1]))
            corners = geometry.apply(self.from_straight @ plane, larger.corners_mm())
            cv2.fillConvexPoly(made, np.rint(corners).astype(np.int32), 1)
        return np.asarray(made > 0)

    def table(self, plane: Array, rectangles: Sequence[Rectangle]) -> TableColours:
        """Background model of the table, sampled beside the cards."""
        # the film of a sleeve and the shadow beside a card count as table, too
        beside = self.covered(plane, rectangles, 1.15)
        bare = ((self.unlike < 0.5) | beside) & ~self.covered(plane, rectangles, 1.03)
        cards = self.covered(plane, rectangles, 0.95)
        return TableColours(self._bgr[bare][::17], self._bgr[cards][::7])

    def blocks(self) -> list[Array]:
        """Corners (4, 2) of the quadrangles that the network sees as the inside of cards that may touch."""
        return quads_of(self._inside)

    def cores(self, size_mm: Size) -> Cores:
        """The cores of cards that the network sees."""
        return Cores(self._planes, self._by_colour, size_mm)

    def filled(self, plane: Array, one: Rectangle) -> float:
        """Share of a rectangle, 0 to 1, that is printed and is not table.

        Cells of a chequered cloth have four sides too, and so does a card together with the gap beside it.
        """
        at = self._within(plane, one)
        drawn = min(1.0, float(self._pattern[at[:, 1], at[:, 0]].mean()) / self._usual)
        return drawn * (0.1 + 0.9 * self.islands(plane, one) ** 2)

    def islands(self, plane: Array, one: Rectangle) -> float:
        """Share of a rectangle that is foreground (not table), 0 to 1."""
        at = self._within(plane, one)
        return float(self.unlike[at[:, 1], at[:, 0]].mean())

    def told(self, plane: Array, one: Rectangle) -> float:
        """Share of a rectangle, 0 to 1, that the network sees as the inside of cards."""
        at = self._within(plane, one)
        return float(self._inside[at[:, 1], at[:, 0]].mean()) / 255

    def explained(self, plane: Array, rectangles: Sequence[Rectangle]) -> float:
        """Share, 0 to 1, of what the network sees as the inside of cards that rectangles cover."""
        seen = self._inside > 127
        covered = seen & self.covered(plane, rectangles, 1.0)
        return float(covered.sum() / max(int(seen.sum()), 1))

    def stands_out(self, plane: Array, one: Rectangle) -> float:
        """Contrast of a rectangle with its surroundings, 0 to 1: foreground inside, and table outside.

        A frame printed within a card is surrounded by the card, and so has a low contrast.
        """
        beside = float(np.mean(self._along_sides(plane, one, _BESIDE_MM)))
        return self.islands(plane, one) * (1 - _ROUND * beside)

    def displaced(self, plane: Array, one: Rectangle, usual: float) -> bool:
        """Whether a rectangle is shifted against a card: it shows table along one side, and a card beyond the
        opposite one.

        `usual` is the usual foreground share of a card.
        """
        within = self._along_sides(plane, one, -_BESIDE_MM)
        beyond = self._along_sides(plane, one, _BESIDE_MM)
        return any(
            within[k] < _BARE * usual and beyond[(k + 2) % 4] > _CARD * usual and beyond[k] < _CARD * usual
            for k in range(4)
        )

    def _along_sides(self, plane: Array, one: Rectangle, beyond_mm: float) -> list[float]:
        """Foreground share of a strip at a distance beyond each side (top, right, bottom, left)."""
        wide, high = beyond_mm / one.size_mm[0], beyond_mm / one.size_mm[1]
        sides = (
            [(each, -high) for each in _GRID],
            [(1 + wide, each) for each in _GRID],
            [(each, 1 + high) for each in _GRID],
            [(-wide, each) for each in _GRID],
        )
        shares = np.array(sides).reshape(-1, 2)
        at = self._within(plane, one, shares)
        return [float(each) for each in self.unlike[at[:, 1], at[:, 0]].reshape(4, -1).mean(axis=1)]

    def left(self, plane: Array, rectangles: Sequence[Rectangle], size_mm: Size) -> bool:
        """Whether a foreground region as large as most of a card is not covered by any of the rectangles."""
        side = math.sqrt(area_px(self.from_straight @ plane, rectangles[0]))
        window = max(3, round(_PART * side * min(size_mm) / max(size_mm)))
        rest = self.unlike * ~self.covered(plane, rectangles, 1.08)
        usual = float(np.median([self.islands(plane, one) for one in rectangles]))
        return bool(cv2.blur(rest, (window, window)).max() > _LEFT * usual)

    def _within(self, plane: Array, one: Rectangle, shares: Array = _INSIDE) -> NDArray[np.intp]:
        """Pixels (N, 2) of a sampling grid over a rectangle, at given shares of its sides."""
        corners = one.corners_mm()
        points = corners[0] + shares[:, :1] * (corners[1] - corners[0])
        points = points + shares[:, 1:] * (corners[3] - corners[0])
        at = (
            geometry.apply(self.from_straight @ plane, np.asarray(points, np.float64)).round().astype(np.intp)
        )
        height, width = self._pattern.shape
        return np.asarray(np.clip(at, 0, np.array([width - 1, height - 1])))


def _joined(unlike: NDArray[np.float32], inside: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Probability (h, w) of foreground: the mean log-odds of the colour model and of the network."""
    seen = np.clip(inside / np.float32(255), _SURE, 1 - _SURE)
    by_colour = np.clip(unlike, _SURE, 1 - _SURE)
    odds = _BY_COLOUR * np.log(by_colour / (1 - by_colour)) + (1 - _BY_COLOUR) * np.log(seen / (1 - seen))
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def area_px(plane: Array, one: Rectangle) -> float:
    """Area of a rectangle in the picture, square pixels."""
    return abs(cv2.contourArea(geometry.apply(plane, one.corners_mm()).astype(np.float32)))
