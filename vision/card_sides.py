"""Where exactly a card's four sides run: its outline, known to a few millimetres, is brought onto the edges
in the photo in full size."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.bare_table import TableColours
from vision.lens import AnyLens
from vision.nested import parting

Array = NDArray[np.float64]
Size = tuple[float, float]

#: Sides are looked at so far to both sides, in such steps, at so many places, without their rounded ends
#: (mm).
REACH_MM, STEP_MM, PLACES, ENDS_MM = 3.0, 0.1, 56, 4.5
#: A step in colour (8-bit L*a*b* levels over `_OVER` steps) that counts in full.
_FULL_STEP = np.array([7.0, 3.5, 3.5])
_OVER = 3
#: Light by its 8-bit lightness: this power of it.
_ENCODING = 2.4
#: A place tells where an edge is if its slope is such a share of the side's usual one.
_TELLS = 0.25
#: A side may be turned against where it was thought to be by so much at each end.
_LEAN_MM = 1.6
#: Lines that are compared on each side, and how far two sides may be from lying as far apart as the card is
#: large, mm: cards and planes are known that well.
_LINES, _APART_MM, _MOST_OFF = 5, 0.6, 1.0
#: What a side counts less for each mm that it lies beside where it was thought to be.
_MOVED = 0.2
#: What an edge counts more that parts table from what is none.
_PARTS = 0.8
#: So much of what an edge counts needs a step that is as many times a full one.
_AMPLE, _AMPLY = 0.4, 4.0
#: An edge's places lie so near its line.
_NEAR_MM = 0.45


@dataclass(frozen=True)
class Sides:
    """`corners` (4, 2) mm in the frame of the card as it was thought to lie; `support` (4,) of top, right,
    bottom, left: how much of each is edge, 0 to 1; `inside` the share of them that is in the photo."""

    corners: Array
    support: Array
    inside: float


def find_sides(
    pixels: NDArray[np.uint8], lens: AnyLens, card_to_straight: Array, size_mm: Size, table: TableColours
) -> Sides:
    """Bring a card's outline onto its edges. `pixels` (H, W, 3) is the photo, BGR; `card_to_straight` (3, 3)
    leads from mm on the card to pixels without distortion."""
    frame = homography.rectangle(*size_mm)
    lines, support, inside = [], [], []
    steps = round(REACH_MM / STEP_MM)
    offsets: Array = np.asarray(np.arange(-steps, steps + 1) * STEP_MM, np.float64)
    strips = []
    for start, end in zip(frame, np.roll(frame, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outwards = np.array([along[1], -along[0]])
        length = float(np.linalg.norm(end - start))
        ends = min(ENDS_MM, 0.2 * length)
        at = np.linspace(ends, length - ends, PLACES)
        places = start + at[:, None] * along
        strip = places[:, None] + offsets[None, :, None] * outwards
        strips.append((strip, places, outwards, at / length))
    where = lens.seen(homography.apply(card_to_straight, np.concatenate([each[0] for each in strips])))
    height, width = pixels.shape[:2]
    within = np.asarray(((where >= 0) & (where <= np.array([width - 1, height - 1]))).all(axis=-1))
    where32 = where.astype(np.float32)
    seen = cv2.remap(
        pixels, where32[..., 0], where32[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    lab = cv2.cvtColor(seen, cv2.COLOR_BGR2Lab).astype(np.float32)
    lab = cv2.GaussianBlur(lab, (0, 0), sigmaX=1.2, sigmaY=0.6)
    slope = _slope(lab, within)
    # a lens blurs light, not its logarithm: as photos are encoded the lighter side seems to reach farther
    exact = slope.copy()
    exact[..., 0] = _slope(255 * (lab[..., 0] / 255) ** _ENCODING, within)
    parts = parting(table.share(np.asarray(seen, np.uint8)), STEP_MM)
    parts[~within] = 0
    choices = []
    for k in range(4):
        part = slope[k * PLACES : (k + 1) * PLACES]
        inside.append(float(within[k * PLACES : (k + 1) * PLACES, steps].mean()))
        choices.append(_lines(part, parts[k * PLACES : (k + 1) * PLACES], offsets))
    chosen = _together(choices, size_mm)
    for k, (first, last, share, channel, sign, _) in enumerate(chosen):
        part = exact[k * PLACES : (k + 1) * PLACES]
        _, places, outwards, at = strips[k]
        line = _fine(part[..., channel] * sign, offsets, first, last)
        lines.append((places[0] + line[0] * outwards, places[-1] + line[1] * outwards))
        support.append(share)
    corners = []
    for before, after in zip([lines[-1], *lines[:-1]], lines, strict=True):
        corners.append(_crossing(before, after))
    return Sides(np.array(corners), np.array(support), float(np.mean(inside)))


def _slope(strips: NDArray[np.float32], within: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How much strips rise outwards, 0 where they are not in the photo."""
    slope = np.zeros_like(strips)
    slope[:, _OVER:-_OVER] = strips[:, 2 * _OVER :] - strips[:, : -2 * _OVER]
    slope[~within] = 0
    return slope


_Line = tuple[float, float, float, int, float, float]


def _lines(slope: NDArray[np.float32], parts: NDArray[np.float32], offsets: Array) -> list[_Line]:
    """The best lines through a strip: offsets at its first and last place, support, channel, sign and
    merit."""
    count = len(offsets)
    steps = slope / _FULL_STEP.astype(np.float32)
    full = np.clip(steps, -1, 1)
    # of edges that are all clear the larger step counts more: a film's rim is a small one
    ample = (1 - _AMPLE) * full + _AMPLE * np.clip(steps / _AMPLY, -1, 1)
    share = np.linspace(0, 1, len(slope), dtype=np.float32)
    lean = round(_LEAN_MM / STEP_MM)
    grid, leans = np.meshgrid(np.arange(0, count, 2), np.arange(-lean, lean + 1, 2), indexing="ij")
    starts, ends = grid.ravel(), (grid + leans).ravel()
    keep = (ends >= 0) & (ends < count)
    starts, ends = starts[keep], ends[keep]
    at = np.rint(starts[:, None] + (ends - starts)[:, None] * share).astype(np.intp)
    means = full[np.arange(len(slope))[None], at].mean(axis=1)  # (lines, 3)
    channel = np.abs(means).argmax(axis=1)
    signed = means[np.arange(len(means)), channel]
    strong = np.abs(ample[np.arange(len(slope))[None], at].mean(axis=1)).max(axis=1)
    apart = np.clip(parts[np.arange(len(slope))[None], at].mean(axis=1), 0, 1)
    found: list[_Line] = []
    merit = strong + _PARTS * apart
    left = merit.copy()
    for _ in range(_LINES):
        k = int(left.argmax())
        if left[k] < 0.1:
            break
        found.append(
            (
                offsets[starts[k]],
                offsets[ends[k]],
                float(max(abs(signed[k]), apart[k])),
                int(channel[k]),
                float(np.sign(signed[k])),
                float(left[k]),
            )
        )
        near = (np.abs(starts - starts[k]) + np.abs(ends - ends[k])) * STEP_MM < 1.2
        left[near] = 0
    # where nothing is seen it stays where it was thought to be
    found.append((0.0, 0.0, 0.05, 0, 1.0, -0.2))
    return found


def _together(choices: list[list[_Line]], size_mm: Size) -> list[_Line]:
    """One line a side, so that opposite ones are as far apart as the card is large."""
    chosen: list[_Line] = [choices[k][0] for k in range(4)]
    for one, other in ((0, 2), (1, 3)):
        best = -np.inf
        for a, b in product(choices[one], choices[other]):
            # the lines run opposite ways: the first place of one lies across from the last of the other
            apart = np.array([a[0] + b[1], a[1] + b[0]])
            off = min(1.0, float((apart**2).mean()) / (2 * _APART_MM**2))
            merit = a[5] + b[5] - _MOST_OFF * off
            merit -= _MOVED * (abs(a[0] + a[1]) + abs(b[0] + b[1])) / 2
            if merit > best:
                best, chosen[one], chosen[other] = merit, a, b
    return chosen


def _fine(slope: NDArray[np.float32], offsets: Array, first: float, last: float) -> tuple[float, float]:
    """A line's offsets at its ends to a fraction of a step: the middle of the slope at each place, and a line
    through these by least absolute differences."""
    share = np.linspace(0, 1, len(slope))
    for _ in range(3):
        expected = first + share * (last - first)
        away = offsets[None] - expected[:, None]
        weight = np.clip(slope, 0, None) * (np.abs(away) <= _NEAR_MM)
        total = weight.sum(axis=1)
        sure = total > max(_TELLS * float(np.median(total)), 0.5)
        if np.count_nonzero(sure) < 8:
            return first, last
        off = (weight * away).sum(axis=1)[sure] / total[sure]
        at, robust = share[sure], np.ones(np.count_nonzero(sure))
        change = np.zeros(2)
        for _ in range(4):
            rows = np.column_stack([1 - at, at])
            scaled = rows * robust[:, None]
            change = np.linalg.solve(scaled.T @ rows + 1e-6 * np.eye(2), scaled.T @ off)
            robust = 1 / np.maximum(np.abs(off - rows @ change), 0.05)
        first, last = first + float(change[0]), last + float(change[1])
    return first, last


def _crossing(one: tuple[Array, Array], other: tuple[Array, Array]) -> Array:
    (a, b), (c, d) = one, other
    u, v = b - a, d - c
    t = np.linalg.solve(np.column_stack([u, -v]), c - a)[0]
    return np.asarray(a + t * u)
