"""Verification of card candidates: poses on the plane -> candidates that match their art, aligned to the
photo.

Each candidate is compared with its art in a view of the photo. Rival identities at the same place, close-ups
and colours then decide which card it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.adjacency import collide, touching_groups
from vision.cards.compare import Likeness, align, least_likeness, likeness_at, turned_map
from vision.cards.features import Sighting
from vision.cards.hypotheses import MISFIT_PX, Candidate, compete, lying_on
from vision.cards.identify import (
    CLEAR_LIKENESS,
    Rivals,
    Sisters,
    is_plain,
    is_strange,
    near_rivals,
    told_by_colour,
)
from vision.cards.neighbour_search import covered_places, look_closely, search_sites
from vision.cards.plane import fit_plane
from vision.cards.pose import TablePose
from vision.cards.unknown_cards import strangers_beside
from vision.photo.view import Reductions, View

Array = NDArray[np.float64]

#: Number of candidates for one place that are compared with the art.
TRIED_PER_PLACE = 4
#: A candidate that matches its art and has this many times another's votes excludes the other at that place.
CLEAR_VOTES = 4.0


def compare_with_art(
    candidates: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Candidate]:
    """Candidates aligned to the photo and scored against their art; only the best one at each place is
    kept."""
    compared: list[Candidate] = []
    tried: list[Candidate] = []
    for candidate in candidates:
        rivals = [other for other in tried if collide(candidate.placed, other.placed)]
        beaten = any(other.votes > CLEAR_VOTES * candidate.votes and other.aligned for other in rivals)
        if beaten or len(rivals) >= TRIED_PER_PLACE:
            continue
        footprint = candidate.placed.to_table()
        aligned = align(view, table_to_photo @ footprint, candidate.placed.card, likeness)
        if aligned is not None and aligned.likeness >= least_likeness(candidate.placed.size_mm):
            candidate = replace(candidate, aligned=aligned)
            compared.append(candidate)
        tried.append(candidate)
    return compete(sorted(compared, key=lambda candidate: -candidate.likeness))


def sighted_apart(
    sightings: Sequence[Sighting],
    found: Sequence[Candidate],
    table_to_photo: Array,
    view: View,
    likeness: Likeness,
) -> list[Candidate]:
    """Detected cards that are clearly like their art, at places without a candidate.

    They lie at another angle than the other cards, as a neighbour's do, or the plane was not exact enough
    there.
    """
    more: list[Candidate] = []
    for sighting in sightings:
        placed = lying_on(table_to_photo, sighting, likeness.index)
        if placed is None or any(collide(placed, other.placed) for other in (*found, *more)):
            continue
        aligned = align(view, sighting.card_to_photo, sighting.card, likeness)
        if aligned is not None and aligned.likeness >= CLEAR_LIKENESS:
            more.append(Candidate(placed, sighting.inliers, sighting.support, aligned))
    return more


def refit(table_to_photo: Array, found: Sequence[Candidate], scale: float) -> tuple[Array, list[Candidate]]:
    """The plane and poses refitted to the aligned cards, which are more exact than single matches."""
    aligned = [candidate.aligned for candidate in found if candidate.aligned is not None]
    plane = fit_plane(
        table_to_photo,
        [candidate.placed for candidate in found],
        [one.at_mm for one in aligned],
        [one.at_px for one in aligned],
        huber_px=MISFIT_PX / scale,
    )
    return plane.table_to_photo, [
        replace(candidate, placed=placed) for candidate, placed in zip(found, plane.placed, strict=True)
    ]


def best_face(candidate: Candidate, view: View, likeness: Likeness) -> tuple[Candidate, Rivals]:
    """The best identity at a candidate's place (card and rotation), with the scores of all rivals.

    Features can confuse the colours of a starter card where blur has removed the finer half of them.
    """
    turned_back = False
    while True:
        assert candidate.aligned is not None
        placed, aligned = candidate.placed, candidate.aligned
        rivals = likeness_at(view, aligned.card_to_photo, placed.card, likeness)
        card, quarters = max(rivals, key=lambda rival: rivals[rival], default=(placed.card, 0))
        if rivals.get((card, quarters), -1.0) > candidate.likeness:
            turned = turned_map(aligned.card_to_photo, placed.size_mm, quarters)
            better = align(view, turned, card, likeness)
            # A card that looks similar when rotated is distinguished by small details, not by its likeness as
            # a whole.
            same = card == placed.card and not turned_back
            if better is not None and (better.likeness > candidate.likeness or same):
                placed = replace(placed, card=card, turn_rad=placed.turn_rad + quarters * np.pi / 2)
                candidate = replace(candidate, placed=placed, aligned=better)
                turned_back = turned_back or same
                continue
        return candidate, rivals


def with_closeups(
    judged: list[tuple[Candidate, Rivals]],
    strange: list[TablePose],
    table_to_photo: Array,
    photo_at: Reductions,
    near: View,
    likeness: Likeness,
) -> tuple[list[tuple[Candidate, Rivals]], list[TablePose]]:
    """All cards, including those identified in close-ups of unidentified and covered places, and the places
    still unidentified."""
    found = [candidate for candidate, _ in judged]
    lying = [*(one.placed for one in found), *strange]
    strange = strange + strangers_beside(lying, table_to_photo, photo_at, near, likeness)
    more: list[Candidate] = []
    for place in (*strange, *covered_places(found, table_to_photo, near, likeness)):
        if not any(collide(place, one.placed) for one in more):
            card = look_closely(place, table_to_photo, photo_at, near, likeness)
            more += [card] if card is not None else []
    if not more:
        return judged, strange
    # Other cards may lie beside them.
    beside = search_sites(found + more, table_to_photo, near, likeness)
    for candidate in more:
        assert candidate.aligned is not None
        rivals = likeness_at(near, candidate.aligned.card_to_photo, candidate.placed.card, likeness)
        judged = [*judged, (candidate, rivals)]
    judged += [each for one in beside if not is_strange(*(each := best_face(one, near, likeness)))]
    named = [candidate.placed for candidate, _ in judged]
    return judged, [one for one in strange if not any(collide(one, other) for other in named)]


def named_by_colour(
    judged: Sequence[tuple[Candidate, Rivals]], photo_at: Reductions, likeness: Likeness
) -> list[tuple[Candidate, Rivals]]:
    """The cards with their identities decided by colour where several colour variants are possible.

    Variants are ranked by colour. Where the colours are clear, the other variants are no longer rivals. For
    cards less like their art, the colours are compared with the print.
    """
    usual = float(np.median([candidate.likeness for candidate, _ in judged]))
    groups = touching_groups([candidate.placed for candidate, _ in judged])
    group_of = {k: number for number, group in enumerate(groups) for k in group}
    sure, open_, asked = [], [], []
    for k, (candidate, rivals) in enumerate(judged):
        card = candidate.placed.card
        near = near_rivals(candidate, rivals)
        options = [card, *(one for one in likeness.sisters(card) if (one, 0) in near)]
        if not near:
            sure.append(candidate)
        if len(options) > 1 or (not near and not is_plain(candidate, rivals, usual)):
            open_.append(k)
            asked.append(
                Sisters(
                    candidate,
                    tuple(options),
                    tuple(_likeness_of(judged[k], one) for one in options),
                    group_of[k],
                )
            )
    told = told_by_colour(sure, asked, photo_at, likeness.index) if asked else []
    named = list(judged)
    for k, each in zip(open_, told, strict=True):
        if each is not None:
            candidate, rivals = judged[k]
            sisters = [one for one in each.options if one != candidate.placed.card]
            left = {rival: like for rival, like in rivals.items() if rival[1] or rival[0] not in sisters}
            if not each.clear:
                # Their likeness in grey does not distinguish them; their colours are examined later.
                alike = [candidate.likeness, *(rivals[one, 0] for one in sisters)]
                alike.sort(reverse=True)
                left |= {(one, 0): like for one, like in zip(each.options[1:], alike[1:], strict=True)}
            placed = replace(candidate.placed, card=each.options[0])
            named[k] = replace(candidate, placed=placed, in_colour=each.clear), left
    return named


def _likeness_of(judged: tuple[Candidate, Rivals], card: int) -> float:
    """Likeness of a card, or of one of its upright rivals, at the card's place."""
    candidate, rivals = judged
    return candidate.likeness if card == candidate.placed.card else rivals[card, 0]
