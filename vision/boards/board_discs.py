"""Discs on and beside a board: detected in plain view and behind standing pieces, and distinguished from
pictures of discs on cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import BoardArt, Flat
from vision.boards.discs import DiscBank, DiscSight, like_discs, name_disc
from vision.boards.expected import Expected
from vision.boards.figure_fit import Standing
from vision.boards.round_shapes import FULL, round_edges, round_spots
from vision.boards.top_view import FromAbove

Floats = NDArray[np.float32]

#: Least correlation with a disc for a region of a card's art to be a picture of that disc.
PICTURE = 0.62
#: Least correlation of the surroundings of a disc with a card for the disc to be printed on it. Of 11 printed
#: discs in four photos (`tuning-labyrinth2` 901, 908, 921, 926) none was below 0.50; of 60 real discs none
#: was above 0.40.
ON_CARD = 0.45
#: Spacing (mm) of the points of a card around a printed disc that are compared, and number of rotations
#: tried.
STEP_MM, TURNS = 2.5, 60


@dataclass(frozen=True)
class PrintedDisc:
    """A picture of a disc printed on a card, by its number in `BoardArt.discs`.

    `round_mm` (n, 2) are points of the card around it, in mm from its centre. `colours` (n, 3) are the
    colours there, with zero mean and unit norm.
    """

    disc: int
    round_mm: NDArray[np.float64]
    colours: Floats


def printed_discs(art: BoardArt, bank: DiscBank) -> tuple[PrintedDisc, ...]:
    """The pictures of discs that are printed on cards; computed once per catalogue."""
    kept = vars(art)
    if "printed_discs" not in kept:
        kept["printed_discs"] = tuple(each for card in art.cards for each in _shown_on(card, art, bank))
    found: tuple[PrintedDisc, ...] = kept["printed_discs"]
    return found


def _shown_on(card: Flat, art: BoardArt, bank: DiscBank) -> list[PrintedDisc]:
    height, width = card.picture.shape[:2]
    view = FromAbove(card.picture, art.px_per_mm, (0.0, 0.0), np.ones((height, width), bool))
    found = _round_ones(view, bank, PICTURE)
    if not found:
        return []
    best = found[0]
    xs, ys = np.meshgrid(*(np.arange(1.5, side - 1, STEP_MM) for side in card.size_mm))
    at = np.column_stack([xs.ravel(), ys.ravel()])
    away = at - np.asarray(best.at_mm)
    rest = np.hypot(*away.T) > 1.08 * art.discs[best.disc].size_mm[0] / 2
    px = (at[rest] * art.px_per_mm).astype(int)
    colours = card.picture[px[:, 1].clip(0, height - 1), px[:, 0].clip(0, width - 1)].astype(np.float32)
    return [PrintedDisc(best.disc, away[rest], _plain(colours))]


def _plain(colours: Floats) -> Floats:
    """Colours (..., n, 3) with the mean removed, scaled to unit norm."""
    away = colours - colours.mean(axis=-2, keepdims=True)
    length = np.sqrt((away * away).sum(axis=(-2, -1), keepdims=True))
    return np.asarray(away / np.maximum(length, 1e-3), np.float32)


def is_printed(sight: DiscSight, above: FromAbove, printed: Sequence[PrintedDisc]) -> bool:
    """Whether a detected disc is only a picture printed on a card."""
    return any(
        _like_card(sight, above, each) > ON_CARD
        for each in printed
        if each.disc in (sight.disc, *sight.others)
    )


def _like_card(sight: DiscSight, above: FromAbove, printed: PrintedDisc) -> float:
    turns = np.arange(TURNS) * 2 * np.pi / TURNS
    cos, sin = np.cos(turns)[:, None], np.sin(turns)[:, None]
    x, y = printed.round_mm.T
    around = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)
    at_x, at_y = np.moveaxis(above.px(np.asarray(sight.at_mm) + around).astype(np.float32), -1, 0)
    seen = cv2.remap(above.picture, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alike = (_plain(np.asarray(seen, np.float32)) * printed.colours).sum(axis=(1, 2))
    return float(alike.max())


#: Least correlation with its art of a disc; then that of a partly covered one. Of 340 discs in plain view
#: (`tuning-labyrinth2`, 54 photos) none was below 0.54, and nothing else above 0.52. Beside the board, where
#: any object may lie, the threshold is higher.
DISC, MAYBE_DISC, HELD_DISC, HELD_SURE = 0.62, 0.53, 0.68, 0.3
MAYBE_COVERED = 0.5
#: Least confidence in the identity of a disc for it to be reported.
LEAST_TOLD = 0.15
#: Residual (levels) at which a spot may be a disc.
SPOT_LEVEL = 28.0


def discs_on(expected: Expected, above: FromAbove, art: BoardArt, bank: DiscBank) -> list[DiscSight]:
    """Disc detections on the board, best match first, with overlapping ones removed."""
    found: list[DiscSight] = []
    # a pale disc in bright light is overexposed, except its rim and number
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
        # where much is unexplained a disc is not a spot of its own, but its edge is visible
        places = [place for place in places if _is_unlike(unlike, expected, place, radius)]
        places = like_discs(view, bank, places, radius)
        for x, y in [*middles.tolist(), *places]:
            sight = name_disc(above, bank, (float(x), float(y)), only)
            if sight is not None and sight.likeness > MAYBE_DISC:
                found.append(sight)
    found.sort(key=lambda sight: -sight.likeness)
    return _apart(found, art)


def _is_unlike(unlike: Floats, expected: Expected, at_mm: tuple[float, float], radius: float) -> bool:
    """Whether the residual around a place is large enough for a disc."""
    x, y = (np.asarray(at_mm) - expected.origin_mm) * expected.px_per_mm
    reach = 0.7 * radius * expected.px_per_mm
    part = unlike[max(int(y - reach), 0) : int(y + reach) + 1, max(int(x - reach), 0) : int(x + reach) + 1]
    return bool(part.size) and float(np.minimum(part / SPOT_LEVEL, 1).mean()) > FULL


#: Least mean residual (share) in the visible part of a partly covered disc.
LEFT_OVER = 0.35


def with_covered(
    discs: Sequence[DiscSight], look: Standing, above: FromAbove, art: BoardArt, bank: DiscBank
) -> list[DiscSight]:
    """The disc detections, extended by discs that standing pieces or overexposure hide in part."""
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
            sight = name_disc(above, bank, (float(at[0]), float(at[1])), only, look.hidden_shares)
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


def discs_beside(round_it: FromAbove, art: BoardArt, bank: DiscBank, least: float) -> list[DiscSight]:
    """Disc detections on the table beside the board, best match first, with overlapping ones removed.

    Their correlation with their art is at least `least`.
    """
    left, top, right, bottom = art.ground_mm
    found = _round_ones(round_it, bank, least, art.ground_mm)
    outside = [each for each in found if not (left < each.at_mm[0] < right and top < each.at_mm[1] < bottom)]
    return _apart(outside, art)


def _round_ones(
    above: FromAbove, bank: DiscBank, least: float, but_mm: tuple[float, float, float, float] | None = None
) -> list[DiscSight]:
    """Discs of any size at round edges of a picture, best match first; no edges in the box `but_mm`."""
    found: list[DiscSight] = []
    radii = sorted(set(bank.radius_mm.tolist()), reverse=True)
    for radius, places in zip(radii, round_edges(above, radii, but_mm), strict=True):
        only = bank.of_radius(radius)
        sights = [name_disc(above, bank, at, only) for at in like_discs(above, bank, places, radius)]
        found += [sight for sight in sights if sight is not None and sight.likeness >= least]
    return sorted(found, key=lambda sight: -sight.likeness)
