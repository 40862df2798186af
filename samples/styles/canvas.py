"""Drawing on a card in millimetres: strokes, discs, polygons and masks on a (H, W, 3) uint8 BGR picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Point

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[int, int, int]


@dataclass
class Canvas:
    """A card's picture under the brush; positions and widths are millimetres, `scale` is pixels a mm."""

    size_mm: Point
    scale: float
    pixels: Picture

    @staticmethod
    def blank(size_mm: Point, scale: float) -> Canvas:
        width, height = (round(side * scale) for side in size_mm)
        return Canvas(size_mm, scale, np.zeros((height, width, 3), np.uint8))

    @property
    def shape(self) -> tuple[int, int]:
        return self.pixels.shape[0], self.pixels.shape[1]

    def thick(self, width_mm: float) -> int:
        return max(1, round(width_mm * self.scale))

    def at(self, points_mm: Any) -> NDArray[np.int32]:
        """Positions (N, 2) in sixteenths of a pixel, as OpenCV takes them."""
        return np.round((np.atleast_2d(points_mm) * self.scale - 0.5) * 16).astype(np.int32)

    def stroke(
        self, line: Any, colour: Any, width_mm: float, closed: bool = False, on: NDArray[Any] | None = None
    ) -> None:
        target = self.pixels if on is None else on
        cv2.polylines(target, [self.at(line)], closed, colour, self.thick(width_mm), cv2.LINE_AA, 4)

    def fill(self, outline: Any, colour: Any, on: NDArray[Any] | None = None) -> None:
        cv2.fillPoly(self.pixels if on is None else on, [self.at(outline)], colour, cv2.LINE_AA, 4)

    def disc(self, at: Any, radius_mm: float, colour: Any, line_mm: float = 0.0) -> None:
        x, y = self.at(at)[0]
        thick = -1 if line_mm <= 0 else self.thick(line_mm)
        radius = max(1, round(radius_mm * self.scale * 16))
        cv2.circle(self.pixels, (int(x), int(y)), radius, colour, thick, cv2.LINE_AA, 4)

    def words(self, words: str, at: Any, height_mm: float, colour: Any, font: int = 0) -> None:
        """Text whose lower left corner lies at a position."""
        x, y = (round(value * self.scale) for value in at)
        size = height_mm * self.scale / 22
        cv2.putText(self.pixels, words, (x, y), font, size, colour, max(1, round(size * 2)), cv2.LINE_AA)

    def lay(self, mask: Mask, surface: Picture, share: float = 1.0) -> None:
        """Cover the picture with a surface where a mask (0 to 255) says so."""
        weight = mask[..., None].astype(np.float32) * (share / 255)
        self.pixels[:] = np.clip(self.pixels * (1 - weight) + surface * weight + 0.5, 0, 255).astype(np.uint8)

    def lines_mask(self, lines: list[Array], width_mm: float, square: bool = False) -> Mask:
        """Mask of lines of a width; `square`: with square ends and corners."""
        mask = np.zeros(self.shape, np.uint8)
        if square:
            for line in lines:
                self.stroke(line, 255, 1 / self.scale, on=mask)
            side = max(1, round(width_mm * self.scale))
            return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.uint8)
        for line in lines:
            self.stroke(line, 255, width_mm, on=mask)
        return mask

    def grown(self, mask: Mask, reach_mm: float) -> Mask:
        reach = max(1, round(reach_mm * self.scale))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
        return np.asarray(cv2.dilate(mask, kernel), np.uint8)

    def noise(self, cell_mm: float, rng: Rng) -> NDArray[np.float32]:
        """Smooth noise (H, W) of unit deviation; its grains are about `cell_mm` wide."""
        rows, columns = (max(2, math.ceil(side / (cell_mm * self.scale))) for side in self.shape)
        coarse = rng.standard_normal((rows, columns), np.float32)
        return np.asarray(cv2.resize(coarse, self.shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def random_colour(rng: Rng, light: tuple[float, float] = (0, 1), chroma: float = 1.0) -> Colour:
    """A random colour (B, G, R) with a value between two bounds."""
    hue, saturation = rng.integers(180), min(255, int(255 * chroma * rng.beta(1.2, 1.8)))
    made = np.array([[[hue, saturation, int(np.clip(255 * rng.uniform(*light), 0, 255))]]], np.uint8)
    blue, green, red = cv2.cvtColor(made, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def near(colour: Any, rng: Rng, spread: float) -> Colour:
    blue, green, red = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255).astype(int)
    return int(blue), int(green), int(red)


def lighter(colour: Any, share: float) -> Colour:
    """The colour mixed with white (`share` > 0) or with black (`share` < 0)."""
    aim = 255.0 if share > 0 else 0.0
    blue, green, red = (int(value + (aim - value) * abs(share)) for value in colour)
    return blue, green, red
