"""Close-ups: one place beside the known cards looked at as finely as the index's art, for a card that is
mostly covered.

Under a hand too little of a card is left to be like its art as a whole. The features of what is left agree on
the card and on this place all the same, and nothing else does: on 733 other places no card had more than 1.1
votes. Such a close look costs much, so it is kept for places that give a reason: what covers a card mostly
covers its neighbour's side as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.alignment import align, laid_at
from vision.candidates import Candidate, vote
from vision.cards import find_features, match_features
from vision.contact import TOUCH_MM, spacing, touching_side
from vision.likeness import Likeness
from vision.median import median
from vision.plane import Placed
from vision.sights import close_up
from vision.sites import free_sites, pattern, usual_pattern
from vision.view import Reductions, View

Array = NDArray[np.float64]

# The numbers below were measured on 30 photos of `tuning-evening` with a hand, a pen or glare over cards
# (compositor): of two cards mostly covered, with 4.6 and 7.0 votes, and 733 places without a card.

#: Votes from which a card lies at a place (a checked cloth came to 2.0 on one of 68 hard and wild photos of a
#: third deck), and how near to it they put its middle.
LEAST_VOTES = 3.0
REACH_MM = 4.0
PLACE_MM = 9.0
#: A side of a known card is covered where its blocks within this distance are so much less like its art than
#: the card is as a whole: beside covered cards 0.63 and 0.65, in 95 of 100 of the others below 0.34.
SIDE_MM = 15.0
COVERED_SIDE = 0.42
#: A place with less pattern than this share of what the found cards have shows nothing of a card: a hand is
#: plain, so what is left of one tells little.
LEAST_PATTERN = 0.12
#: Blocks by which a side is judged.
LEAST_BLOCKS = 4


def covered_places(
    found: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Placed]:
    """Free places beside found cards that something covers together with the side of its neighbour; their
    `card` says nothing."""
    lying = [candidate.placed for candidate in found]
    seen = [_blocks(candidate, view, likeness) for candidate in found]
    if not any(_has_covered_side(*each) for each in zip(lying, seen, strict=True)):
        return []
    usual, gap = usual_pattern(lying, table_to_photo, view, likeness), spacing(lying)
    places = []
    for site in free_sites(lying, likeness.index, TOUCH_MM / 2 if gap is None else gap):
        if not any(_is_covered(*each, site) for each in zip(lying, seen, strict=True)):
            continue
        region = likeness.coarse_region(view, table_to_photo @ site.to_table(), site.size_mm)
        if region is not None and pattern(region) >= LEAST_PATTERN * usual:
            places.append(site)
    return places


def look_closely(
    place: Placed, table_to_photo: Array, photo_at: Reductions, view: View, likeness: Likeness
) -> Candidate | None:
    """The card whose features are seen at a place; None where there is none, or too few of them."""
    index = likeness.index
    seen = close_up(photo_at, table_to_photo, place)
    if seen is None:
        return None
    sight, place_to_sight = seen
    matches = match_features(find_features(sight.view, index), index)
    middle = np.asarray(place.size_mm) / 2
    for one in vote(place_to_sight, matches, index, REACH_MM):
        if one.votes < LEAST_VOTES:
            break
        size_mm = one.placed.size_mm
        if size_mm == place.size_mm and np.hypot(*(one.placed.centre_mm - middle)) < PLACE_MM:
            x, y = homography.apply(place.to_table(), np.asarray(one.placed.centre_mm))
            turn = place.turn_rad + one.placed.turn_rad
            placed = replace(one.placed, centre_mm=(float(x), float(y)), turn_rad=turn)
            to_photo = table_to_photo @ placed.to_table()
            as_voted = laid_at(view, to_photo, placed.card, likeness)
            better = align(view, to_photo, placed.card, likeness)
            laid = [each for each in (as_voted, better) if each is not None]
            if laid:
                best = max(laid, key=lambda each: each.likeness)
                return Candidate(placed, np.zeros(0, np.intp), one.votes, best, close=True)
    return None


def _blocks(candidate: Candidate, view: View, likeness: Likeness) -> NDArray[np.float32]:
    """(rows, columns) how like its art a card is, block by block."""
    assert candidate.aligned is not None
    blocks = likeness.blocks_at(view, candidate.aligned.card_to_photo, candidate.placed.card)
    return np.zeros((0, 0), np.float32) if blocks is None else blocks


def _has_covered_side(placed: Placed, blocks: NDArray[np.float32]) -> bool:
    """Whether half of some side of a card is covered: a quick answer for the cards of most photos."""
    if not blocks.size:
        return False
    least = median(blocks) - COVERED_SIDE
    for axis, part in ((1, blocks), (0, blocks.T)):
        deep = max(1, round(SIDE_MM / placed.size_mm[axis] * len(part)))
        for strip in (part[:deep], part[-deep:]):
            half = -(-strip.shape[1] // 2)
            starts = {0, (strip.shape[1] - half) // 2, strip.shape[1] - half}
            if any(median(strip[:, start : start + half]) <= least for start in starts):
                return True
    return False


def _is_covered(placed: Placed, blocks: NDArray[np.float32], site: Placed) -> bool:
    """Whether what is seen of a card is little like it along the side that it shares with a site."""
    if not blocks.size or touching_side(site, placed) is None:
        return False
    to_card = np.asarray(np.linalg.inv(placed.to_table()), np.float64) @ site.to_table()
    corners = homography.apply(to_card, homography.rectangle(*site.size_mm))
    low, high = corners.min(axis=0) - SIDE_MM, corners.max(axis=0) + SIDE_MM
    rows, columns = blocks.shape
    across, down = np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows)
    at = np.stack([across, down], axis=2) * placed.size_mm
    # Wider along the side it would be a neighbour's.
    middle = np.asarray(placed.size_mm) / 2
    axis = int(np.abs((corners.mean(axis=0) - middle) / placed.size_mm).argmax())
    low[1 - axis], high[1 - axis] = low[1 - axis] + SIDE_MM, high[1 - axis] - SIDE_MM
    near = np.all((at > low) & (at < high), axis=2)
    if near.sum() < LEAST_BLOCKS:
        return False
    return bool(median(blocks) - median(blocks[near]) >= COVERED_SIDE)
