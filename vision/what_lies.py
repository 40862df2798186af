"""What of a photo lies on its table, whatever it is: islands of colours that the table has not.
Against them it is told how well outlines that were found explain a photo, and where something lies that no
outline holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bare_table import unlike_table
from vision.photo import Photo

Array = NDArray[np.float64]

#: The picture that is looked at: its longer side.
_VIEW_PX = 1000.0
#: What is no table, the gaps that are closed and the specks that are left out of it (px).
_UNLIKE, _CLOSED, _OPENED = 0.4, 11, 9
#: An outline holds what lies so far beyond it (a share of its size): shadows, rims.
_BEYOND = 1.16
#: What lies there is a thing of its own from this share of a found piece's area on.
_THING = 0.3
#: Parts of one thing lie nearer to each other than this share of a found piece's side.
_PARTS = 0.2
#: Points on a circle's rim.
_ROUND = np.linspace(0, 2 * np.pi, 36, endpoint=False)


@dataclass(frozen=True)
class Lying:
    """`islands` (h, w) uint8 is 1 where something lies, in a picture `scale` times the photo's size."""

    islands: NDArray[np.uint8]
    scale: float

    def explained(self, outlines: Sequence[Array], *, discs: bool = False) -> float:
        """How well outlines (4, 2) of the photo, or the `discs` in them, tell what lies there: what both
        hold as a share of what either does, 0 to 1."""
        held = self._held(outlines, 1.0, discs=discs)
        both, either = (held & self.islands).sum(), (held | self.islands).sum()
        return float(both / max(int(either), 1))

    def left_over(self, outlines: Sequence[Array], *, discs: bool = False) -> list[Array]:
        """The middles (2,), photo pixels, of what lies there beside the outlines of pieces, from the top
        down: things about as large as these."""
        if not outlines:
            return []
        areas = [abs(cv2.contourArea((each * self.scale).astype(np.float32))) for each in outlines]
        area = float(np.median(areas))
        free = (self.islands & (1 - self._held(outlines, _BEYOND, discs=discs))).astype(np.uint8)
        free = np.asarray(cv2.morphologyEx(free, cv2.MORPH_OPEN, _round(_OPENED)), np.uint8)
        # of a pale piece there are only some parts that the table has not
        near = _round(2 * round(_PARTS * area**0.5 / 2) + 1)
        parts = np.asarray(cv2.morphologyEx(free, cv2.MORPH_CLOSE, near), np.uint8)
        things, _ = cv2.findContours(parts, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for thing in things:
            hull = cv2.convexHull(thing)
            if cv2.contourArea(hull) > _THING * area and not self._at_rim(cv2.boundingRect(hull)):
                found.append((hull[:, 0].mean(axis=0) + 0.5) / self.scale - 0.5)
        return sorted(found, key=lambda each: float(each[1]))

    def _at_rim(self, box: Sequence[int]) -> bool:
        """Whether an island runs along the picture's rim: the table's end, or a hand."""
        height, width = self.islands.shape
        left, top, wide, high = box
        touches = (left <= 1, top <= 1, left + wide >= width - 1, top + high >= height - 1)
        return sum(touches) > 1 or (any(touches) and max(wide / width, high / height) > 0.5)

    def _held(self, outlines: Sequence[Array], share: float, *, discs: bool) -> NDArray[np.uint8]:
        held = np.zeros_like(self.islands)
        for each in outlines:
            corners = (each + 0.5) * self.scale - 0.5
            middle = corners.mean(axis=0)
            if discs:
                across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
                corners = middle + np.cos(_ROUND)[:, None] * across + np.sin(_ROUND)[:, None] * down
            around = middle + share * (corners - middle)
            cv2.fillConvexPoly(held, np.rint(around).astype(np.int32), 1)
        return held


def lying_in(photo: Photo) -> Lying:
    """What lies on a photo's table."""
    scale = min(1.0, _VIEW_PX / max(photo.width, photo.height))
    size = (round(photo.width * scale), round(photo.height * scale))
    small = cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA)
    unlike = unlike_table(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), np.uint8))
    mask = (unlike > _UNLIKE).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _round(_CLOSED)), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _round(_OPENED)), np.uint8)
    # what islands enclose lies on the table, too: a pale face within its rim
    rims, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return Lying(cv2.drawContours(np.zeros_like(mask), rims, -1, 1, cv2.FILLED), scale)


def _round(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
