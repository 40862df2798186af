"""Strangers: sites beside the tableau where a card seems to lie that has no name.

It may be hidden, or in no catalogue. Nothing of the catalogue is known of it, so it is told by what all cards
have: sides that are straight edges, and a face with about as much pattern as its neighbours'.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.contact import collide, extent, spacing, touching_side
from vision.likeness import Likeness
from vision.neighbours import Size
from vision.plane import Placed
from vision.sites import free_sites, pattern
from vision.view import View, pixel_size

Array = NDArray[np.float64]

# The numbers below were measured on 10 photos of the split `tuning-evening` of `samples/`, with two cards of
# each taken out of the catalogue: 20 of their 21 places were told, and 1 of about 130 others.

#: Pattern of a face, as a share of what the found cards have.
LEAST_PATTERN = 0.62
#: The share of a side along which brightness rises, or falls, across it: most sides have that much.
LEAST_EDGE = 0.66
#: Lines that run straight through from side to side, both ways: a cloth. Faces came to 0.78.
CHECKED = 0.9
#: Sides are looked at in this resolution, this far to both sides of where they should be, without their ends.
EDGE_PX_PER_MM = 2.0
EDGE_REACH_MM = 3.0
EDGE_ENDS_MM = 4.0
#: Steps in brightness (levels) below this are noise.
LEAST_STEP = 1.5


def strangers_beside(
    found: Sequence[Placed], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Placed]:
    """Sites beside found cards where an unnamed card seems to lie, the likeliest first; their `card` says
    nothing."""
    index = likeness.index
    faces = [likeness.coarse_region(view, table_to_photo @ one.to_table(), one.size_mm) for one in found]
    usual = float(np.median([pattern(face) for face in faces if face is not None] or [np.inf]))
    seen: list[tuple[float, Placed, list[float]]] = []
    for site in free_sites(found, index, spacing(found) or 0.0):
        to_photo = table_to_photo @ site.to_table()
        face = likeness.coarse_region(view, to_photo, site.size_mm)
        if face is not None and pattern(face) >= LEAST_PATTERN * usual:
            edges = _edges(view, to_photo, site.size_mm)
            seen.append((sum(edges), site, edges))
    kept: list[Placed] = []
    for _, site, edges in sorted(seen, key=lambda each: -each[0]):
        taken = any(collide(site, other) for other in kept)
        if not taken and _is_outlined(edges, _shared_sides(site, [*found, *kept])):
            kept.append(site)
    return kept


def _is_outlined(edges: Sequence[float], shared: Collection[int]) -> bool:
    """Whether most sides that no neighbour shares, which would be edges anyway, are edges; and not one way
    only, as grain is."""
    free = [side for side in range(4) if side not in shared]
    clear = [side for side in free if edges[side] >= LEAST_EDGE]
    return 2 * len(clear) > len(free) and {side // 2 for side in clear} == {side // 2 for side in free}


def _shared_sides(site: Placed, found: Sequence[Placed]) -> set[int]:
    """The sides of a site along which a card touches it, as `_edges` counts them."""
    shared = set()
    back = homography.similarity(-site.turn_rad, np.zeros(2))
    for one in found:
        if touching_side(site, one) is not None:
            away = homography.apply(back, np.asarray(one.centre_mm) - site.centre_mm)
            reach = (np.array(site.size_mm) + extent(one.turn_rad - site.turn_rad, one.size_mm)) / 2
            axis = int(np.abs(away / reach).argmax())
            shared.add(2 * axis + int(away[axis] > 0))
    return shared


def _edges(view: View, to_photo: Array, size_mm: Size) -> list[float]:
    """(4,) for each side (left, right, top, bottom) the share of it, 0..1, along which there is one edge."""
    reach, ends = round(EDGE_REACH_MM * EDGE_PX_PER_MM), round(EDGE_ENDS_MM * EDGE_PX_PER_MM)
    margin = reach + 4
    width, height = pixel_size(size_mm, EDGE_PX_PER_MM)
    seen = view.cut_out(to_photo, size_mm, (width, height), margin)
    if seen is None:
        return [0.0] * 4
    soft = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), 1.0)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=1), cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=1)
    shares, within = [], []
    for steps, length, size in ((across, height, width), (down.T, width, height)):
        steps = steps[margin + ends : margin + length - ends]
        share = np.abs((steps > LEAST_STEP).mean(axis=0) - (steps < -LEAST_STEP).mean(axis=0))
        within.append(share[margin + 2 * reach : margin + size - 2 * reach].max(initial=0.0))
        for side in (margin, margin + size):
            shares.append(float(share[side - reach : side + reach + 1].max(initial=0.0)))
    # A checked cloth has such edges everywhere, both ways.
    return shares if min(within) < CHECKED else [0.0] * 4
