"""What is printed about a place on a face, and how much two prints show the same, whichever way they are
turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Point

Pixels = NDArray[np.float32]
#: Icons are compared at this resolution of a card whose shorter side is 63 mm: a middle, and how far it may
#: be off where somebody has marked it, and where it is merely seen.
_PX_PER_MM, _USUAL_SIDE_MM = 6.0, 63.0
_CORE_PX, _MARKED_PX, _SEEN_PX = 32, 7, 16
_TURNS = (0, 1, 2, 3)
#: Where a print roughly lies is told at half the resolution; exactly, within so many pixels of there.
_ROUGHLY, _NEAR_PX = 2, 3


@dataclass(frozen=True)
class Print:
    """What is printed at a place: (32 + 2 `off_px`, 32 + 2 `off_px`, 3) float32 Lab; the middle may lie up to
    `off_px` pixels off. `mm_per_px` on this card."""

    pixels: Pixels
    off_px: int = _MARKED_PX
    mm_per_px: float = 1 / _PX_PER_MM

    @property
    def core(self) -> Pixels:
        return self.pixels[self.off_px : self.off_px + _CORE_PX, self.off_px : self.off_px + _CORE_PX]

    @cached_property
    def as_marked(self) -> Print:
        """No further about the middle than where somebody has marked it."""
        cut = slice(self.off_px - _MARKED_PX, self.off_px + _CORE_PX + _MARKED_PX)
        return Print(self.pixels[cut, cut], _MARKED_PX, self.mm_per_px)

    @cached_property
    def rough(self) -> Pixels:
        """All of it at half the resolution."""
        return _halved(self.pixels)

    @cached_property
    def rough_turns(self) -> tuple[Pixels, ...]:
        """The middle at half the resolution in four turns."""
        core = _halved(self.core)
        return tuple(np.ascontiguousarray(np.rot90(core, turn)) for turn in _TURNS)


@dataclass(frozen=True)
class Overlay:
    """One print laid over another where they are most alike: how much their colours are (-1 to 1), and their
    edges there, which tell symbols on one kind of plate apart; how far the other's middle is off, in mm."""

    colours: float
    edges: float
    off_mm: tuple[float, float]

    @property
    def likeness(self) -> float:
        return (self.colours + self.edges) / 2


def printed_at(
    face: NDArray[np.uint8], size_mm: Point, at_mm: Sequence[float], *, marked: bool = True
) -> Print:
    """The print about a place on a face (H, W, 3) BGR; from further about where nobody has `marked` it."""
    off = _MARKED_PX if marked else _SEEN_PX
    side = _CORE_PX + 2 * off
    unit = min(size_mm) / _USUAL_SIDE_MM / _PX_PER_MM  # mm a pixel
    scale = np.array(face.shape[1::-1]) / np.asarray(size_mm) * unit
    softened = face
    if scale.max() > 1.5:  # no finer than it is looked at
        softened = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.4 * float(scale.max())), np.uint8)
    origin = np.asarray(at_mm) / unit - side / 2
    turn = np.array([[scale[0], 0, scale[0] * origin[0]], [0, scale[1], scale[1] * origin[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(softened, turn, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    lab = np.asarray(cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
    return Print(lab, off, unit)


def alike(one: Print, other: Print) -> float:
    """How much two prints show the same, -1 to 1, at the best of four turns and small shifts."""
    return laid_over(one, other).likeness


def laid_over(one: Print, other: Print) -> Overlay:
    """The other print's middle over one, at the best of four turns and all shifts."""
    fields = [cv2.matchTemplate(one.rough, core, cv2.TM_CCOEFF_NORMED) for core in other.rough_turns]
    turn, row, column = (int(k) for k in np.unravel_index(int(np.argmax(fields)), np.shape(fields)))
    core = np.ascontiguousarray(np.rot90(other.core, turn))
    top, left = (max(0, _ROUGHLY * each - _NEAR_PX) for each in (row, column))
    reach = _CORE_PX + 2 * _NEAR_PX
    found = cv2.matchTemplate(one.pixels[top : top + reach, left : left + reach], core, cv2.TM_CCOEFF_NORMED)
    row, column = (int(k) for k in np.unravel_index(int(found.argmax()), found.shape))
    colours = float(found[row, column])
    top, left = top + row, left + column
    under = one.pixels[top : top + _CORE_PX, left : left + _CORE_PX]
    edges = float(cv2.matchTemplate(_edges(under), _edges(core), cv2.TM_CCOEFF_NORMED).max())
    off = ((left - one.off_px) * one.mm_per_px, (top - one.off_px) * one.mm_per_px)
    return Overlay(colours, edges, off)


def _halved(pixels: Pixels) -> Pixels:
    side = pixels.shape[0] // _ROUGHLY
    return np.asarray(cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def _edges(pixels: Pixels) -> Pixels:
    """How lightness rises to the right and down, beside each other (one channel, as they are compared)."""
    slopes = [cv2.Sobel(pixels[..., k], cv2.CV_32F, *step) for k in range(3) for step in ((1, 0), (0, 1))]
    return np.asarray(np.concatenate(slopes, axis=1), np.float32)
