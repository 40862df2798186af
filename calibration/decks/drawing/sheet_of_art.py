"""Canvas of a drawn piece: its pixels with bleed, a pen on them, and the finished picture cropped at its
edge."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PIL import Image

from calibration.decks.drawing.noise import BLEED_MM, Grid, fbm, stream
from calibration.decks.drawing.palette import Colour
from calibration.decks.drawing.pen import Pen, drawing

#: More colours than this swell a tile's file and are not seen in its texture.
_COLOURS = 144


class Sheet:
    """An opaque picture of a piece of `size_mm`: pixels (H, W, 4) uint8, bleed included."""

    def __init__(self, size_mm: tuple[float, float], px_per_mm: float, ground: Colour) -> None:
        self.grid = Grid(px_per_mm, size_mm)
        self.pixels = np.full((*self.grid.shape, 4), 255, np.uint8)
        self.pixels[..., :3] = [round(255 * level) for level in ground]

    def lay(self, image: np.ndarray) -> None:
        """Replace the picture by an image (H, W, 3) float, 0 to 1."""
        self.pixels[..., :3] = np.round(np.clip(image, 0, 1) * 255).astype(np.uint8)

    def as_float(self) -> np.ndarray:
        made: np.ndarray = self.pixels[..., :3].astype(np.float32) / 255
        return made

    @contextmanager
    def pen(self) -> Iterator[Pen]:
        with drawing(self.pixels, self.grid) as pen:
            yield pen

    def cut(self) -> Image.Image:
        """The picture without its bleed, as RGB."""
        scale = self.grid.px_per_mm
        first = round(BLEED_MM * scale)
        width, height = (round(side * scale) for side in self.grid.size_mm)
        kept = self.pixels[first : first + height, first : first + width, :3]
        return Image.fromarray(np.ascontiguousarray(kept))


def cloth(name: str, seed: int, size_mm: tuple[float, float], px_per_mm: float, colour: Colour) -> Sheet:
    """A sheet with a cloth texture of a colour, varied by the name. Pale colours have a weaker texture."""
    sheet = Sheet(size_mm, px_per_mm, colour)
    rng = stream(seed, name, "ground")
    strength = 0.03 if sum(colour) > 1.8 else 0.07
    tone = 1 + strength * fbm(rng, sheet.grid, 6.0, octaves=4) + 0.02 * fbm(rng, sheet.grid, 1.0, octaves=2)
    sheet.lay(np.array(colour, np.float32) * tone[..., None])
    return sheet


def bright_colours(image: Image.Image) -> Image.Image:
    """The picture reduced to one palette that keeps small bright areas; a third of the file size."""
    return image.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def few_colours(image: Image.Image) -> Image.Image:
    """The picture reduced to a palette of its own, for textured pictures; a third of the file size."""
    return image.quantize(_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
