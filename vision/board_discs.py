"""The discs on a board and beside it: those in plain view, and those that standing pieces cover in part."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_art import BoardArt
from vision.board_plane import FromAbove
from vision.discs import (
    FULL,
    DiscBank,
    DiscSight,
    like_discs,
    name_covered,
    name_disc,
    round_edges,
    round_spots,
)
from vision.expected_board import Expected
from vision.printed_discs import is_printed, printed_discs
from vision.standing_fit import Standing

Floats = NDArray[np.float32]

#: A disc is there where it is so much like its art; less, and it may be one that is partly covered: of 340
#: discs in plain view (`tuning-labyrinth2`, 54 photos) none came to less than 0.54, and nothing else to more
#: than 0.52. Beside the board, where anything may lie, it is more.
DISC, MAYBE_DISC, HELD_DISC, HELD_SURE = 0.62, 0.53, 0.68, 0.3
MAYBE_COVERED = 0.5
#: Which disc it is could not be told where it is surer of it by less than this.
LEAST_TOLD = 0.15
#: Levels by which a spot differs where a disc may lie.
SPOT_LEVEL = 28.0


def discs_on(expected: Expected, above: FromAbove, art: BoardArt, bank: DiscBank) -> list[DiscSight]:
    """What looks like a disc on the board, the plainest first; no two in one place."""
    found: list[DiscSight] = []
    # a pale disc in bright light is blown, but not its rim and number
    unlike = np.maximum(expected.unlike, np.float32(SPOT_LEVEL) * expected.blown)
    sizes = sorted({disc.size_mm[0] / 2 for disc in art.discs if not disc.coin})
    view = FromAbove(
        expected.seen.clip(0, 255).astype(np.uint8), expected.px_per_mm, expected.origin_mm, expected.inside
    )
    edges = round_edges(view, sizes)
    for radius, places in zip(sizes, edges, strict=True):
        only = [k for k, disc in enumerate(art.discs) if disc.size_mm[0] / 2 == radius and not disc.coin]
        spots = round_spots(unlike, expected.px_per_mm, radius, SPOT_LEVEL)
        middles = (np.array(spots).reshape(-1, 2) + 0.5) / expected.px_per_mm + expected.origin_mm
        # where much is unexplained a disc is no spot of its own, but it has its edge
        places = [place for place in places if _is_unlike(unlike, expected, place, radius)]
        places = like_discs(view, bank, places, radius)
        for x, y in [*middles.tolist(), *places]:
            sight = name_disc(above, bank, (float(x), float(y)), only)
            if sight is not None and sight.likeness > MAYBE_DISC:
                found.append(sight)
    found.sort(key=lambda sight: -sight.likeness)
    return _apart(found, art)


def _is_unlike(unlike: Floats, expected: Expected, at_mm: tuple[float, float], radius: float) -> bool:
    """Whether something is unexplained about a place."""
    x, y = (np.asarray(at_mm) - expected.origin_mm) * expected.px_per_mm
    reach = 0.7 * radius * expected.px_per_mm
    part = unlike[max(int(y - reach), 0) : int(y + reach) + 1, max(int(x - reach), 0) : int(x + reach) + 1]
    return bool(part.size) and float(np.minimum(part / SPOT_LEVEL, 1).mean()) > FULL


#: What is left unexplained about a disc that something covers: so much (share) of what is seen of it.
LEFT_OVER = 0.35


def with_covered(
    discs: Sequence[DiscSight], look: Standing, above: FromAbove, art: BoardArt, bank: DiscBank
) -> list[DiscSight]:
    """The discs, and those that standing pieces, or light, hide in part."""
    plain = [sight for sight in discs if sight.likeness >= DISC]
    unsure = [sight for sight in discs if sight.likeness < DISC]
    found: list[DiscSight] = []
    free = 1 - look.unseen.astype(np.float32)
    for radius in sorted({disc.size_mm[0] / 2 for disc in art.discs}):
        only = [k for k, disc in enumerate(art.discs) if disc.size_mm[0] / 2 == radius and not disc.coin]
        if not only:
            continue
        unlike = np.minimum(look.unlike / SPOT_LEVEL, 1.0)
        size = 2 * int(np.ceil(radius * look.scale)) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
        area = cv2.filter2D(free, -1, disc, borderType=cv2.BORDER_REPLICATE)
        full = cv2.filter2D(unlike, -1, disc, borderType=cv2.BORDER_CONSTANT)
        partly = (area > 0.3 * disc.sum()) & (area < 0.97 * disc.sum())
        share = np.where(partly, full / np.maximum(area, 1.0), 0)
        for _ in range(8):
            y, x = np.unravel_index(int(share.argmax()), share.shape)
            if share[y, x] < LEFT_OVER:
                break
            reach = size // 2
            share[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach] = 0
            at = (np.array([x, y]) - look.rim + 0.5) / look.scale + look.origin
            sight = name_covered(above, bank, (float(at[0]), float(at[1])), only, look.hidden_shares)
            if sight is not None and sight.likeness > MAYBE_COVERED:
                found.append(sight)
    found.sort(key=lambda sight: -sight.likeness)
    for sight in found:
        if sight.likeness >= DISC:
            look.explain(disc_px(sight, art, look))
    return _apart([*plain, *found, *unsure], art)


def _apart(found: Sequence[DiscSight], art: BoardArt) -> list[DiscSight]:
    kept: list[DiscSight] = []
    for sight in found:
        reach = 0.8 * art.discs[sight.disc].size_mm[0]
        if all(np.hypot(*np.subtract(sight.at_mm, other.at_mm)) > reach for other in kept):
            kept.append(sight)
    return kept


def disc_px(sight: DiscSight, art: BoardArt, look: Standing) -> NDArray[np.int64]:
    radius = (art.discs[sight.disc].size_mm[0] / 2 + 1.5) * look.scale
    size = int(np.ceil(radius))
    ys, xs = np.mgrid[-size : size + 1, -size : size + 1]
    within = xs * xs + ys * ys <= radius * radius
    return np.asarray(look.px(np.array(sight.at_mm)) + np.column_stack([xs[within], ys[within]]))


def discs_beside(round_it: FromAbove, art: BoardArt, bank: DiscBank) -> list[DiscSight]:
    """Discs that lie beside the board."""
    left, top, right, bottom = art.ground_mm
    found = []
    radii = sorted({disc.size_mm[0] / 2 for disc in art.discs}, reverse=True)
    for radius, places in zip(radii, round_edges(round_it, radii, art.ground_mm), strict=True):
        for at in like_discs(round_it, bank, places, radius):
            sight = name_disc(round_it, bank, at)
            if sight is not None and sight.likeness >= HELD_DISC and sight.confidence > HELD_SURE:
                found.append(sight)
    found.sort(key=lambda sight: -sight.likeness)
    outside = [
        sight for sight in found if not (left < sight.at_mm[0] < right and top < sight.at_mm[1] < bottom)
    ]
    printed = printed_discs(art, bank) if outside else ()
    return [sight for sight in _apart(outside, art) if not is_printed(sight, round_it, printed)]
