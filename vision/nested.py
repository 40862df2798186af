"""Which of several outlines, one within the other, is the card's: an inner frame's, the card's, or a
sleeve's.

All cards of a photo are alike: at their own edge all of them have an edge, and what lies beyond it is the
table. A frame that is printed lies within it, at the same distance on all sides; a sleeve's rim lies beyond
it, and the table shows through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.bare_table import TableColours
from vision.lens import AnyLens
from vision.rectangles import Rectangle, shared

Array = NDArray[np.float64]

#: Outlines are sought so far within and beyond the one that is known, mm, in such steps.
REACH_MM, STEP_MM = 5.0, 0.2
_PLACES, _ENDS_MM = 48, 6.0
_OVER = 2
_FULL_STEP = np.array([7.0, 3.5, 3.5], np.float32)
#: Of so many cards the sides are looked at.
MOST_CARDS = 14
#: What lies so far beyond an edge and within it is compared; what an edge counts that parts nothing from the
#: table.
_BESIDE_MM, _BLIND = 0.9, 0.3
#: An outline that is as clear as this tells how large steps in colour are.
_CLEAR = 0.35
#: Cards may lie so much on each other if an outline is right, and be so much less support where they do.
_MOST_SHARED = 0.03


@dataclass(frozen=True)
class Outset:
    """An outline `mm` beyond the one that is known (less than 0: within it): how much of it is edge, and how
    much it parts what may be table from what may not, both 0 to 1; and how different (CIELAB, 8 bit) the
    colours on both sides of it are."""

    mm: float
    support: float
    parts: float
    colour: float


def outsets(
    pixels: NDArray[np.uint8],
    lens: AnyLens,
    cards: Sequence[tuple[Array, tuple[float, float]]],
    table: TableColours,
) -> list[Outset]:
    """The outlines that all cards have; `cards` are (3, 3) maps from mm on the card to straight pixels, and
    sizes. The innermost comes first."""
    offsets = np.arange(-REACH_MM - 1.0, REACH_MM + 1.0 + STEP_MM / 2, STEP_MM)
    support, bare, colour = [], [], []
    for to_straight, size_mm in cards[:MOST_CARDS]:
        frame = homography.rectangle(*size_mm)
        for start, end in zip(frame, np.roll(frame, -1, axis=0), strict=True):
            length = float(np.linalg.norm(end - start))
            along = (end - start) / length
            outwards = np.array([along[1], -along[0]])
            at = np.linspace(_ENDS_MM, length - _ENDS_MM, _PLACES)
            strip = (start + at[:, None] * along)[:, None] + offsets[None, :, None] * outwards
            seen = lens.seen(homography.apply(to_straight, strip)).astype(np.float32)
            height, width = pixels.shape[:2]
            if not ((seen >= 0) & (seen <= np.array([width - 1, height - 1]))).all():
                continue
            cut = cv2.remap(pixels, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR)
            lab = cv2.cvtColor(cut, cv2.COLOR_BGR2Lab).astype(np.float32)
            bare.append(parting(table.share(np.asarray(cut, np.uint8)), STEP_MM).mean(axis=0))
            lab = cv2.GaussianBlur(lab, (0, 0), sigmaX=1.0, sigmaY=0.6)
            slope = np.zeros_like(lab)
            slope[:, _OVER:-_OVER] = lab[:, 2 * _OVER :] - lab[:, : -2 * _OVER]
            share = np.abs(np.clip(slope / _FULL_STEP, -1, 1).mean(axis=0)).max(axis=1)
            support.append(share)
            wide = round(_BESIDE_MM / STEP_MM)
            mean = cv2.blur(lab, (wide, 1))
            apart = np.zeros(lab.shape[:2], np.float32)
            apart[:, wide:-wide] = np.linalg.norm(mean[:, 2 * wide :] - mean[:, : -2 * wide], axis=2)
            colour.append(np.median(apart, axis=0))
    if not support:
        return []
    # sides are known to a few tenths: an edge counts a little beside its place too
    play = np.ones((1, 3), np.uint8)
    level = cv2.dilate(np.array(support, np.float32), play).mean(axis=0)
    step = cv2.dilate(np.median(np.array(colour, np.float32), axis=0)[None], play)[0]
    parts = np.clip(np.array(bare, np.float32).mean(axis=0), 0, 1)
    level = cv2.GaussianBlur(level[None], (0, 0), sigmaX=1.0, sigmaY=0.01)[0]
    found = []
    for k in range(2, len(offsets) - 2):
        if level[k] >= level[k - 2 : k + 3].max() and abs(offsets[k]) <= REACH_MM:
            near = float(parts[max(0, k - 2) : k + 3].max())
            found.append(Outset(round(float(offsets[k]), 2), float(level[k]), near, float(step[k])))
    return found


def own_outline(found: Sequence[Outset], rectangles: Sequence[Rectangle]) -> float:
    """How far beyond the known outline the cards' own lies, mm: a clear one that parts the table, in light,
    in shadow or under a film, from what is no table, and does not lay the cards on each other."""
    possible = [each for each in found if not _collide(rectangles, each.mm)]
    most = max((each.colour for each in possible if each.support >= _CLEAR), default=1.0)

    def merit(each: Outset) -> float:
        # through a film the table is seen as it is, but for a veil
        return each.support * (_BLIND + each.parts) * (0.4 + 0.6 * min(1.0, each.colour / max(most, 1.0)))

    best = max(possible, key=merit, default=None)
    return 0.0 if best is None else best.mm


def parting(table: NDArray[np.float32], step_mm: float) -> NDArray[np.float32]:
    """(N, K) how much more of what lies just beyond each place of a strip, which runs outwards, may be table
    than of what lies just within, -1 to 1; `table` (N, K) is how much each place may be table."""
    wide = max(2, round(_BESIDE_MM / step_mm))
    kernel = np.zeros((1, 2 * wide + 1), np.float32)
    kernel[0, :wide], kernel[0, wide + 1 :] = -1 / wide, 1 / wide
    return np.asarray(cv2.filter2D(table, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)


def _collide(rectangles: Sequence[Rectangle], mm: float) -> bool:
    """Whether cards would lie on each other if they were larger by so much on each side."""
    grown = [replace(one, size_mm=(one.size_mm[0] + 2 * mm, one.size_mm[1] + 2 * mm)) for one in rectangles]
    pairs = over = 0
    for k, one in enumerate(grown):
        for other in grown[:k]:
            apart = np.hypot(*(np.array(one.centre_mm) - np.array(other.centre_mm)))
            if apart < 1.15 * max(one.size_mm):
                pairs += 1
                over += shared(one, other) > _MOST_SHARED
    return over > 0.3 * max(pairs, 1)
