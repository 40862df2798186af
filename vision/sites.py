"""Sites: the free places beside found cards, where neighbours' edges touch and openings can meet.

All cards of the catalogue are tried on them with their small pictures, so that a card with too few features
of its own is found as well; and a site that one card would fill to join another tells of a card that is
hidden.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import homography
from vision.alignment import Aligned, align, likeness_at
from vision.candidates import Candidate, compete
from vision.card_index import CardIndex
from vision.contact import (
    TOUCH_MM,
    collide,
    extent,
    off_quarter,
    quarter_of,
    reach_of,
    spacing,
    touching_side,
)
from vision.likeness import COARSE_PX_PER_MM, Likeness, least_likeness
from vision.neighbours import Size
from vision.plane import Placed
from vision.view import View

Array = NDArray[np.float64]

# The numbers below were tuned on the open deck's cards, 63 x 88 mm, in renders of tables.

#: Coarse correlation from which a site is looked at closely, and how far off its card may lie.
LEAST_COARSE = 0.20
SITE_SLACK_MM = 2.5
#: A card of which a hand or a thing hides half is less like its art than usual, but still ahead of all
#: others: two that were covered (`tuning-evening`) had 0.29 and 0.33, and led by 0.15 and 0.23.
COVERED_LIKENESS, COVERED_LEAD = 0.22, 0.13
#: A site with less pattern than this share of what the found cards have is bare table.
LEAST_PATTERN = 0.3
#: A card lies in line beyond a gap when it is this near to where a neighbour of the gap's card would lie.
IN_LINE_MM = 5.0
IN_LINE_DEG = 3.0


def search_sites(
    found: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Candidate]:
    """Try all cards on the free sites beside the found ones; what is like its art, one for each place."""
    index = likeness.index
    lying = [candidate.placed for candidate in found]
    gap = spacing(lying)
    # Without two that touch nobody knows how far apart these cards are laid.
    slack_mm = SITE_SLACK_MM if gap is not None else SITE_SLACK_MM + TOUCH_MM / 2
    slack = round(slack_mm * COARSE_PX_PER_MM)
    usual = usual_pattern(lying, table_to_photo, view, likeness)
    more: list[Candidate] = []
    for site in free_sites(lying, index, TOUCH_MM / 2 if gap is None else gap):
        size_mm = site.size_mm
        best: tuple[float, Placed] | None = None
        region = likeness.coarse_region(view, table_to_photo @ site.to_table(), size_mm, slack)
        if region is None or pattern(region) < LEAST_PATTERN * usual:
            continue
        for quarters in index.flips(size_mm):
            turned = replace(site, turn_rad=site.turn_rad + quarters * np.pi / 2)
            footprint = turned.to_table()
            # Turned clockwise, a card looks upright in a picture that is turned back.
            upright = np.ascontiguousarray(np.rot90(region, quarters))
            scores, shift = likeness.try_all(upright, size_mm, slack)
            first = int(scores.argmax())
            if best is None or scores[first] > best[0]:
                x, y = homography.apply(footprint, np.asarray(size_mm) / 2 + shift[first])
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


def free_sites(found: Sequence[Placed], index: CardIndex, gap_mm: float) -> list[Placed]:
    """Free places beside found cards for cards of every size, so far from edge to edge, at the shifts at
    which openings meet; across as well for cards that may lie so."""
    kinds = [
        (size_mm, across)
        for size_mm, turns in index.footprints.items()
        for across in ((0, 1) if size_mm[0] != size_mm[1] and any(turn % 2 for turn in turns) else (0,))
    ]
    sites: list[Placed] = []
    centres = np.array([placed.centre_mm for placed in found]).reshape(-1, 2)
    for placed in found:
        beside = homography.similarity(placed.turn_rad, np.asarray(placed.centre_mm))
        for size_mm, across in kinds:
            turn = placed.turn_rad + across * np.pi / 2
            shifts = _shifts(index, placed.size_mm, size_mm[::-1] if across else size_mm, gap_mm)
            spots = homography.apply(beside, shifts)
            # of forty cards few are so near that they could be in the way
            reach = [reach_of(size_mm, other.size_mm) for other in found]
            near = np.abs(spots[:, None] - centres).max(axis=2) <= reach
            for (x, y), close in zip(spots.tolist(), near, strict=True):
                site = Placed(placed.card, (x, y), turn, size_mm)
                taken = any(collide(site, found[k]) for k in np.flatnonzero(close).tolist())
                if not taken and not any(_same_site(site, other) for other in sites):
                    sites.append(site)
    return sites


def beside_gaps(tableau: Sequence[Placed], apart: Sequence[Placed], index: CardIndex) -> list[int]:
    """Cards of the tableau beside a gap that one card would fill and so join another card to it.

    A market or a neighbour's cards seldom lie so exactly in line; a card lost under glare or a hand leaves
    this.
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
    """Whether a card is little like its art, but so far ahead of all others that it must be half covered."""
    rivals = likeness_at(view, aligned.card_to_photo, card, likeness)
    return aligned.likeness - max(rivals.values(), default=0.0) >= COVERED_LEAD


def usual_pattern(found: Sequence[Placed], table_to_photo: Array, view: View, likeness: Likeness) -> float:
    """How much pattern found cards have, on the median; 0 where none is in the picture."""
    regions = (likeness.coarse_region(view, table_to_photo @ one.to_table(), one.size_mm) for one in found)
    return float(np.median([pattern(region) for region in regions if region is not None] or [0.0]))


def pattern(region: NDArray[np.float32]) -> float:
    """How much pattern a normalised region has: little where plain table lies."""
    return float(np.vdot(region, region)) / region.size


def _shifts(index: CardIndex, one: Size, other: Size, gap_mm: float) -> Array:
    """`Neighbours.shifts` of cards that lie in sleeves so far apart."""
    middles = (np.array(one) + np.array(other)) / 2
    return np.asarray(index.neighbours.shifts(one, other) * (1 + gap_mm / middles))


def _in_line(site: Placed, other: Placed, index: CardIndex, gap_mm: float) -> bool:
    """Whether a card lies beside a site as a neighbour whose openings meet does."""
    back = homography.similarity(-site.turn_rad, np.zeros(2))
    away = homography.apply(back, np.asarray(other.centre_mm) - site.centre_mm)
    shifts = _shifts(index, site.size_mm, extent(other.turn_rad - site.turn_rad, other.size_mm), gap_mm)
    misfit = np.linalg.norm(shifts - away, axis=1).min(initial=np.inf)
    turn = other.turn_rad - site.turn_rad
    turned = abs(turn - round(turn / np.pi) * np.pi)  # Upside down is in line, across is not.
    if any(quarters % 2 for quarters in index.turns(other.card)):
        turned = abs(off_quarter(turn))
    return bool(misfit < IN_LINE_MM and turned < np.radians(IN_LINE_DEG))


def _same_site(one: Placed, other: Placed) -> bool:
    if one.size_mm != other.size_mm or math.dist(one.centre_mm, other.centre_mm) >= SITE_SLACK_MM:
        return False
    return one.size_mm[0] == one.size_mm[1] or quarter_of(one.turn_rad - other.turn_rad) % 2 == 0
