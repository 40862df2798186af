"""Search of free places beside found cards: all cards of the catalogue are compared with each, coarse to
fine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.adjacency import (
    TOUCH_MM,
    Size,
    collide,
    extent,
    off_quarter,
    quarter_of,
    reach_of,
    spacing,
    touching_side,
)
from vision.cards.compare import (
    COARSE_PX_PER_MM,
    Aligned,
    Likeness,
    align,
    laid_at,
    least_likeness,
    likeness_at,
)
from vision.cards.features import find_features, match_features
from vision.cards.hypotheses import Candidate, compete, vote
from vision.cards.index import CardIndex
from vision.cards.pose import TablePose
from vision.cards.search_views import close_up
from vision.photo import geometry
from vision.photo.numerics import median
from vision.photo.view import Reductions, View

Array = NDArray[np.float64]

# The numbers below were measured on 30 photos of `tuning-evening` with a hand, a pen or glare over cards
# (compositor): of two cards mostly covered, with 4.6 and 7.0 votes, and 733 places without a card.

#: Votes from which a place holds a card (a checked cloth reached 2.0 on one of 68 hard and wild photos of a
#: third deck), and the tolerance of their centres.
LEAST_VOTES = 3.0
REACH_MM = 4.0
PLACE_MM = 9.0
#: A side of a known card is covered if its blocks within this distance of the edge have a likeness lower than
#: the whole card's by this much: it was 0.63 and 0.65 beside covered cards, and below 0.34 for 95 of 100
#: others.
SIDE_MM = 15.0
COVERED_SIDE = 0.42
#: Pattern of a place, as a share of the found cards', below which no card is visible: a hand is plain, so the
#: remaining part of a card it covers shows little.
LEAST_PATTERN = 0.12
#: Least number of blocks for judging a side.
LEAST_BLOCKS = 4


def covered_places(
    found: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[TablePose]:
    """Free places beside found cards where an object covers both the place and the adjacent side of its
    neighbour.

    The `card` of these poses has no meaning.
    """
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
    place: TablePose, table_to_photo: Array, photo_at: Reductions, view: View, likeness: Likeness
) -> Candidate | None:
    """The card at a place, identified by its features in a close-up; None if too few features match."""
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
            x, y = geometry.apply(place.to_table(), np.asarray(one.placed.centre_mm))
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
    """Likeness (rows, columns) of each block of a card to its art."""
    assert candidate.aligned is not None
    blocks = likeness.blocks_at(view, candidate.aligned.card_to_photo, candidate.placed.card)
    return np.zeros((0, 0), np.float32) if blocks is None else blocks


def _has_covered_side(placed: TablePose, blocks: NDArray[np.float32]) -> bool:
    """Whether half of any side of a card is covered: a quick test that most cards fail."""
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


def _is_covered(placed: TablePose, blocks: NDArray[np.float32], site: TablePose) -> bool:
    """Whether a card is covered along the side it shares with a site, by the low likeness of its blocks
    there."""
    if not blocks.size or touching_side(site, placed) is None:
        return False
    to_card = np.asarray(np.linalg.inv(placed.to_table()), np.float64) @ site.to_table()
    corners = geometry.apply(to_card, geometry.rectangle(*site.size_mm))
    low, high = corners.min(axis=0) - SIDE_MM, corners.max(axis=0) + SIDE_MM
    rows, columns = blocks.shape
    across, down = np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows)
    at = np.stack([across, down], axis=2) * placed.size_mm
    # Not wider along the side, as the next blocks belong to a neighbour.
    middle = np.asarray(placed.size_mm) / 2
    axis = int(np.abs((corners.mean(axis=0) - middle) / placed.size_mm).argmax())
    low[1 - axis], high[1 - axis] = low[1 - axis] + SIDE_MM, high[1 - axis] - SIDE_MM
    near = np.all((at > low) & (at < high), axis=2)
    if near.sum() < LEAST_BLOCKS:
        return False
    return bool(median(blocks) - median(blocks[near]) >= COVERED_SIDE)


# The numbers below were tuned on the open deck's cards, 63 x 88 mm, in renders of tables.

#: Least coarse correlation for a site to be compared closely, and the greatest offset of its card in mm.
LEAST_COARSE = 0.20
SITE_SLACK_MM = 2.5
#: Least likeness and lead of a card of which a hand or an object hides half: two such cards
#: (`tuning-evening`) had likenesses of 0.29 and 0.33 and leads of 0.15 and 0.23.
COVERED_LIKENESS, COVERED_LEAD = 0.22, 0.13
#: Pattern of a site, as a share of the found cards', below which it is bare table.
LEAST_SITE_PATTERN = 0.3
#: Tolerance of a card in line beyond a gap: its distance from the expected position of the neighbour of the
#: gap's card.
IN_LINE_MM = 5.0
IN_LINE_DEG = 3.0


def search_sites(
    found: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Candidate]:
    """Cards identified at free places beside the found ones: the best card of the catalogue for each
    place."""
    index = likeness.index
    lying = [candidate.placed for candidate in found]
    gap = spacing(lying)
    # Without two touching cards the usual gap is unknown.
    slack_mm = SITE_SLACK_MM if gap is not None else SITE_SLACK_MM + TOUCH_MM / 2
    slack = round(slack_mm * COARSE_PX_PER_MM)
    usual = usual_pattern(lying, table_to_photo, view, likeness)
    more: list[Candidate] = []
    for site in free_sites(lying, index, TOUCH_MM / 2 if gap is None else gap):
        size_mm = site.size_mm
        best: tuple[float, TablePose] | None = None
        region = likeness.coarse_region(view, table_to_photo @ site.to_table(), size_mm, slack)
        if region is None or pattern(region) < LEAST_SITE_PATTERN * usual:
            continue
        for quarters in index.flips(size_mm):
            turned = replace(site, turn_rad=site.turn_rad + quarters * np.pi / 2)
            footprint = turned.to_table()
            # A card rotated clockwise is upright in a picture rotated back.
            upright = np.ascontiguousarray(np.rot90(region, quarters))
            scores, shift = likeness.try_all(upright, size_mm, slack)
            first = int(scores.argmax())
            if best is None or scores[first] > best[0]:
                x, y = geometry.apply(footprint, np.asarray(size_mm) / 2 + shift[first])
                card = int(likeness.cards_of(size_mm)[first])
                best = float(scores[first]), replace(turned, card=card, centre_mm=(float(x), float(y)))
        if best is None or best[0] < LEAST_COARSE:
            continue
        placed = best[1]
        aligned = align(view, table_to_photo @ placed.to_table(), placed.card, likeness)
        if aligned is None or aligned.likeness < COVERED_LIKENESS:
            continue
        if aligned.likeness >= least_likeness(size_mm) or _leads(aligned, placed.card, view, likeness):
            more.append(Candidate(placed, np.zeros(0, np.intp), 0.0, aligned))
    return compete(sorted(more, key=lambda candidate: -candidate.likeness))


def free_sites(found: Sequence[TablePose], index: CardIndex, gap_mm: float) -> list[TablePose]:
    """Free places beside found cards, for cards of every size, with a gap of `gap_mm`.

    They lie at the offsets at which openings meet. For cards that may lie across, they are turned by a
    quarter too.
    """
    kinds = [
        (size_mm, across)
        for size_mm, turns in index.footprints.items()
        for across in ((0, 1) if size_mm[0] != size_mm[1] and any(turn % 2 for turn in turns) else (0,))
    ]
    sites: list[TablePose] = []
    centres = np.array([placed.centre_mm for placed in found]).reshape(-1, 2)
    for placed in found:
        beside = geometry.similarity(placed.turn_rad, np.asarray(placed.centre_mm))
        for size_mm, across in kinds:
            turn = placed.turn_rad + across * np.pi / 2
            shifts = _shifts(index, placed.size_mm, size_mm[::-1] if across else size_mm, gap_mm)
            spots = geometry.apply(beside, shifts)
            # of forty cards only a few are close enough to overlap
            reach = [reach_of(size_mm, other.size_mm) for other in found]
            near = np.abs(spots[:, None] - centres).max(axis=2) <= reach
            for (x, y), close in zip(spots.tolist(), near, strict=True):
                site = TablePose(placed.card, (x, y), turn, size_mm)
                taken = any(collide(site, found[k]) for k in np.flatnonzero(close).tolist())
                if not taken and not any(_same_site(site, other) for other in sites):
                    sites.append(site)
    return sites


def beside_gaps(tableau: Sequence[TablePose], apart: Sequence[TablePose], index: CardIndex) -> list[int]:
    """Indices of the tableau's cards beside a gap of one card's size with another card in line behind it.

    A market or a neighbour's cards seldom lie exactly in line. A card hidden by glare or a hand leaves such a
    gap.
    """
    if not apart:
        return []
    gap = spacing(tableau) or 0.0
    for site in free_sites(tableau, index, gap):
        if any(collide(site, other) for other in apart):
            continue
        beside = [i for i, one in enumerate(tableau) if touching_side(site, one) is not None]
        if beside and any(_in_line(site, other, index, gap) for other in apart):
            return [beside[0]]
    return []


def _leads(aligned: Aligned, card: int, view: View, likeness: Likeness) -> bool:
    """Whether a card with low likeness is far enough ahead of all rivals to be a half covered card."""
    rivals = likeness_at(view, aligned.card_to_photo, card, likeness)
    return aligned.likeness - max(rivals.values(), default=0.0) >= COVERED_LEAD


def usual_pattern(found: Sequence[TablePose], table_to_photo: Array, view: View, likeness: Likeness) -> float:
    """Median texture of the found cards (`pattern`); 0 if none is in the view."""
    regions = (likeness.coarse_region(view, table_to_photo @ one.to_table(), one.size_mm) for one in found)
    return float(np.median([pattern(region) for region in regions if region is not None] or [0.0]))


def pattern(region: NDArray[np.float32]) -> float:
    """Texture of a normalised region: low where there is plain table."""
    return float(np.vdot(region, region)) / region.size


def _shifts(index: CardIndex, one: Size, other: Size, gap_mm: float) -> Array:
    """Neighbour offsets (S, 2), in mm, of cards in sleeves with a gap of `gap_mm` (`Neighbours.shifts`)."""
    middles = (np.array(one) + np.array(other)) / 2
    return np.asarray(index.neighbours.shifts(one, other) * (1 + gap_mm / middles))


def _in_line(site: TablePose, other: TablePose, index: CardIndex, gap_mm: float) -> bool:
    """Whether a card is at one of the neighbour offsets of a site, and aligned with it."""
    back = geometry.similarity(-site.turn_rad, np.zeros(2))
    away = geometry.apply(back, np.asarray(other.centre_mm) - site.centre_mm)
    shifts = _shifts(index, site.size_mm, extent(other.turn_rad - site.turn_rad, other.size_mm), gap_mm)
    misfit = np.linalg.norm(shifts - away, axis=1).min(initial=np.inf)
    turn = other.turn_rad - site.turn_rad
    turned = abs(turn - round(turn / np.pi) * np.pi)  # A card upside down is in line, one across is not.
    if any(quarters % 2 for quarters in index.turns(other.card)):
        turned = abs(off_quarter(turn))
    return bool(misfit < IN_LINE_MM and turned < np.radians(IN_LINE_DEG))


def _same_site(one: TablePose, other: TablePose) -> bool:
    if one.size_mm != other.size_mm or math.dist(one.centre_mm, other.centre_mm) >= SITE_SLACK_MM:
        return False
    return one.size_mm[0] == one.size_mm[1] or quarter_of(one.turn_rad - other.turn_rad) % 2 == 0
