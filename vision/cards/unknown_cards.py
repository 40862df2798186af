"""Unknown cards: free places beside the tableau that seem to hold a card that cannot be identified.

The card may be in no catalogue, or hidden. Its art is unknown, so it is detected by features of all cards:
straight edges as sides, and about as much texture as its neighbours. Under a hand little of these is visible.
Such a card is detected by colours that the table does not have, and by two of its sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.adjacency import Size, collide, extent, spacing, touching_side
from vision.cards.compare import Likeness
from vision.cards.neighbour_search import free_sites, pattern
from vision.cards.pose import TablePose
from vision.photo import geometry
from vision.photo.view import Reductions, View, pixel_size

Array = NDArray[np.float64]

# The numbers below were measured on 10 photos of the split `tuning-evening` of `samples/`, with two cards of
# each taken out of the catalogue: 20 of their 21 places were found, and 1 of about 130 others.

#: Least pattern of a face, as a share of the found cards'.
LEAST_PATTERN = 0.62
#: Least share of a side along which brightness rises, or falls, across it; most sides reach it.
LEAST_EDGE = 0.66
#: Least share for one of the two sides in each direction (across and down).
FAIR_EDGE = 0.45
#: Share of lines that run straight through from side to side, in both directions, above which the place is a
#: cloth. Faces reached 0.78.
CHECKED = 0.9
#: Thresholds for a card under a hand. Of six such places five (98 photos of `tuning-evening`, open deck and a
#: third one, 24 of them with a hand or finger, 2,100 free sites) have colours of their own in at least 0.85
#: of their area, edges along 0.56 of two sides, and 0.42 of the usual pattern, before close looks. No other
#: site has all three; the nearest has 0.84, 0.48 and 0.34.
COVERED_OWN, COVERED_EDGE, COVERED_PATTERN = 0.8, 0.52, 0.3
#: Thresholds for a half covered card: edges of two sides without a neighbour, and the share of the place with
#: colours of its own and its pattern. On 383 photos of `tuning-evening` (hard and wild, seven decks) two of
#: five cards that were not found are like this, both missed by all other rules, and one of 3,581 free sites,
#: which is cut off by the picture.
HALF_EDGE, HALF_OWN, HALF_PATTERN = 0.75, 0.35, 0.5
#: Least share of a place with colours that the table lacks; below it, an outline like a card's is table
#: (checks, grain). On 16 photos of `tuning-evening` (hard and wild, a card of each taken out) nine places of
#: cards have 0.8 and more, one 0.19; of 12 others on 40 photos nine have at most 0.03.
LEAST_OWN = 0.12
#: Colours are compared in cells, each `CELL_PX` pixels wide, by lightness, green to red, blue to yellow
#: (CIELAB) and spread of lightness, with these weights. A colour is a site's own if fewer than `ALIKE` cells
#: of the free sites at least a card's length away are closer to it; at least `LEAST_ELSEWHERE` such cells are
#: needed.
CELLS, CELL_PX = (8, 11), 4
WEIGHTS = np.array([0.5, 1.5, 1.5, 0.5], np.float32)
OWN_COLOUR, ALIKE, LEAST_CELLS, LEAST_ELSEWHERE = 10.0, 11, 40, 60
#: Resolution at which sides are examined, distance to both sides of the expected position, and length of the
#: ends left out.
EDGE_PX_PER_MM = 2.0
EDGE_REACH_MM = 3.0
EDGE_ENDS_MM = 4.0
#: Steps in brightness (levels) below this are noise.
LEAST_STEP = 4.0


def strangers_beside(
    found: Sequence[TablePose], table_to_photo: Array, photo_at: Reductions, view: View, likeness: Likeness
) -> list[TablePose]:
    """Places beside found cards that seem to hold an unidentified card, likeliest first.

    The `card` of these poses has no meaning.
    """
    index = likeness.index
    faces = [likeness.coarse_region(view, table_to_photo @ one.to_table(), one.size_mm) for one in found]
    usual = float(np.median([pattern(face) for face in faces if face is not None] or [np.inf]))
    sites = free_sites(found, index, spacing(found) or 0.0)

    # Computed only if a face may lie there.
    @cache
    def colours(k: int) -> NDArray[np.float32]:
        return _colours(photo_at, table_to_photo @ sites[k].to_table(), sites[k].size_mm)

    seen: list[tuple[float, int, list[float], bool, bool]] = []
    for k, site in enumerate(sites):
        to_photo = table_to_photo @ site.to_table()
        face = likeness.coarse_region(view, to_photo, site.size_mm)
        if face is None or pattern(face) < COVERED_PATTERN * usual:
            continue
        plain = pattern(face) >= LEAST_PATTERN * usual
        edges = _edges(view, to_photo, site.size_mm)
        half = pattern(face) >= HALF_PATTERN * usual and _has_free_edges(edges, _shared_sides(site, found))
        least = HALF_OWN if half else COVERED_OWN
        if plain or ((half or _on_two_sides(edges)) and _own_colours(k, sites, colours, ()) >= least):
            seen.append((sum(edges), k, edges, plain, half))
    # A cloth has the same colours everywhere; several unknown cards may share colours.
    outlined = {
        k for _, k, edges, plain, _ in seen if plain and _is_outlined(edges, _shared_sides(sites[k], found))
    }
    kept: list[TablePose] = []
    for _, k, edges, plain, half in sorted(seen, key=lambda each: -each[0]):
        if any(collide(sites[k], other) for other in kept):
            continue
        lies = plain and _is_outlined(edges, _shared_sides(sites[k], [*found, *kept]))
        if not (lies or half or _on_two_sides(edges)):
            continue
        own = _own_colours(k, sites, colours, outlined)
        covered = (half and own >= HALF_OWN) or (own >= COVERED_OWN and _on_two_sides(edges))
        if covered or (lies and own >= LEAST_OWN):
            kept.append(sites[k])
    return kept


def _colours(photo_at: Reductions, to_photo: Array, size_mm: Size) -> NDArray[np.float32]:
    """Weighted colour features (N, 4) of the cells of a site that are within the photo."""
    (columns, rows), (width, height) = CELLS, size_mm
    to_mm = np.diag([width / (columns * CELL_PX), height / (rows * CELL_PX), 1.0])
    seen = photo_at.colours_through(to_photo @ to_mm, (columns * CELL_PX, rows * CELL_PX))
    lab = cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    # for whole cells it is their mean, several times as fast as numpy's over two of five axes
    light = lab[..., 0]
    mean, squares = (cv2.resize(each, CELLS, interpolation=cv2.INTER_AREA) for each in (lab, light * light))
    spread = np.sqrt(np.maximum(squares - mean[..., 0] ** 2, 0))
    cells = np.dstack([mean, spread]).reshape(-1, 4)
    across, down = np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows)
    at = geometry.apply(to_photo, np.column_stack([across.ravel() * width, down.ravel() * height]))
    inside = np.all((at > 0) & (at < photo_at.size), axis=1)
    return np.asarray(cells[inside] * WEIGHTS, np.float32)


def _own_colours(
    k: int,
    sites: Sequence[TablePose],
    colours: Callable[[int], NDArray[np.float32]],
    outlined: Collection[int],
) -> float:
    """Share of a site's cells, 0 to 1, with a colour that hardly occurs elsewhere on the table.

    It is compared with free sites at least a card's length away that have no outline. Where too few cells are
    visible, it is 1 if any site has an outline, otherwise 0.
    """
    site, own = sites[k], colours(k)
    far = [
        colours(i)
        for i, other in enumerate(sites)
        if i not in outlined and math.dist(other.centre_mm, site.centre_mm) > max(site.size_mm)
    ]
    elsewhere = np.concatenate([np.zeros((0, 4), np.float32), *far])
    if len(own) < LEAST_CELLS or len(elsewhere) < LEAST_ELSEWHERE:
        return 1.0 if outlined else 0.0
    squares = (own**2).sum(axis=1)[:, None] + (elsewhere**2).sum(axis=1)
    apart = squares - 2 * own @ elsewhere.T
    near = np.count_nonzero(apart <= OWN_COLOUR**2, axis=1)
    return float(np.mean(near < ALIKE))


def _on_two_sides(edges: Sequence[float]) -> bool:
    """Whether at least two sides of a place have edges that suffice for a half covered card."""
    return sorted(edges)[-2] >= COVERED_EDGE


def _has_free_edges(edges: Sequence[float], shared: Collection[int]) -> bool:
    """Whether at least two sides without a neighbour are clear edges."""
    free = sorted(edges[side] for side in range(4) if side not in shared)
    return len(free) > 1 and free[-2] >= HALF_EDGE


def _is_outlined(edges: Sequence[float], shared: Collection[int]) -> bool:
    """Whether most sides without a neighbour are edges, in both directions, unlike wood grain.

    Sides shared with a neighbour are ignored, since they are edges in any case.
    """
    free = [side for side in range(4) if side not in shared]
    clear = [side for side in free if edges[side] >= LEAST_EDGE]
    fair = {side // 2 for side in free if edges[side] >= FAIR_EDGE}
    return 2 * len(clear) > len(free) and fair == {side // 2 for side in free}


def _shared_sides(site: TablePose, found: Sequence[TablePose]) -> set[int]:
    """Side numbers of a site, in the order of `_edges`, along which a card touches it."""
    shared = set()
    back = geometry.similarity(-site.turn_rad, np.zeros(2))
    for one in found:
        if touching_side(site, one) is not None:
            away = geometry.apply(back, np.asarray(one.centre_mm) - site.centre_mm)
            reach = (np.array(site.size_mm) + extent(one.turn_rad - site.turn_rad, one.size_mm)) / 2
            axis = int(np.abs(away / reach).argmax())
            shared.add(2 * axis + int(away[axis] > 0))
    return shared


def _edges(view: View, to_photo: Array, size_mm: Size) -> list[float]:
    """Edge share (4,), 0 to 1, of each side (left, right, top, bottom): the part with an edge of one sign."""
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
    # A checked cloth has such edges everywhere, in both directions.
    return shares if min(within) < CHECKED else [0.0] * 4
