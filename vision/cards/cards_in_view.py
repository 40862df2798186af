"""Cards in one view: picture of the table -> card poses on its plane, with rival identities and layout.

Plane hypotheses from the sightings are scored by comparing their cards with the art. The best hypothesis is
refined, and extended by cards at free places beside the found ones. Each card is then identified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.adjacency import collide
from vision.cards.compare import Likeness
from vision.cards.features import Features, Matches, Sighting
from vision.cards.hypotheses import Candidate, find_candidates
from vision.cards.identify import CLEAR_LIKENESS, SURE_LIKENESS, Rivals, is_strange
from vision.cards.index import CardIndex
from vision.cards.layout import CardDoubt, Layout
from vision.cards.looks import SMALL_PX, sighted
from vision.cards.neighbour_search import search_sites
from vision.cards.pose import TablePose
from vision.cards.search_views import STEEP, Sight, steepness
from vision.cards.table_frame import lay_out, outline_px, with_strangers
from vision.cards.verify import (
    best_face,
    compare_with_art,
    named_by_colour,
    refit,
    sighted_apart,
    with_closeups,
)
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.view import LEAST_VISIBLE, Reductions, View, halvings_for_ink, px_per_mm
from vision.trace import current

Array = NDArray[np.float64]

# The numbers below were tuned on the open deck's cards, 63 x 88 mm, in renders of tables.

#: Least votes for an unexplained group of features to be searched again; and the confidence of a card below
#: which its place is searched again.
LEFT_VOTES = 2.0
SURE_ENOUGH = 0.5
#: Resolution at which cards are compared with their art: about that of the index's thumbnails.
COMPARED_PX_PER_MM = 2.6
#: Number of sightings tried as plane hypotheses.
PLANES_TRIED = 3
#: Greatest number of rounds in which newly found neighbours open new sites beside them.
SITE_ROUNDS = 8
#: A table seen at a low angle with no more cards than this is searched again, since only the nearest cards
#: are found at first.
FEW_AFAR = 2


@dataclass(frozen=True)
class CardsInView:
    """Cards found in one view of the photo on one plane, each with its rival identities.

    `unclear`: a finer view may find more cards or correct one.
    """

    judged: list[tuple[Candidate, Rivals]]
    table_to_photo: Array
    layout: Layout
    unclear: bool

    @property
    def worth(self) -> float:
        """Score of the view: the sum of the cards' likenesses to their art."""
        return sum(candidate.likeness for candidate, _ in self.judged)

    @property
    def doubtful(self) -> bool:
        """Whether a finer view may find more cards.

        A tableau of one card is rare: the others may be too small in this view.
        """
        return self.unclear or len(self.layout.poses) == 1

    @property
    def poor(self) -> bool:
        """Whether none of the cards is certainly part of the tableau.

        True if no card is like its art. Also true if the tableau has a single card and there are signs of
        more cards. Such signs are another tableau's cards, an unclear result, or strong foreshortening.
        Without such a sign the single card is the whole tableau, as in a first round.
        """
        lone = len(self.judged) > len(self.layout.poses) == 1 or (
            len(self.judged) == 1 and (self.unclear or self.steep)
        )
        return lone or max(candidate.likeness for candidate, _ in self.judged) < SURE_LIKENESS

    @property
    def steep(self) -> bool:
        """Whether the table is so foreshortened that a rectified view (from above) helps."""
        return steepness(self.table_to_photo, [one.placed for one, _ in self.judged]) >= STEEP

    @property
    def small(self) -> bool:
        """Whether the cards are so small in the photo (median longest side, px) that an enlarged view
        helps."""
        poses = (*self.layout.poses, *self.layout.others)
        sides = [
            np.linalg.norm(np.roll(pose.corners_px, -1, axis=0) - pose.corners_px, axis=1) for pose in poses
        ]
        return float(np.median([each.max() for each in sides])) < SMALL_PX


@dataclass(frozen=True)
class _OnPlane:
    """Candidates on one plane hypothesis; those in `found` are like their art in the view `near` of the
    photo."""

    table_to_photo: Array
    candidates: list[Candidate]
    found: list[Candidate]
    near: View
    likeness: Likeness


def find_in_view(photo: Photo, photo_at: Reductions, likeness: Likeness, sight: Sight) -> CardsInView | None:
    """Cards of the index in one view of the photo, with their layout; None if none is found."""
    index = likeness.index
    features, matches, seen = sighted(sight, index)
    sightings = [replace(each, card_to_photo=sight.to_photo @ each.card_to_photo) for each in seen]
    _trace(photo, sight, features, matches, sightings, index)
    best = _best_plane(photo_at, likeness, sight, matches, seen)
    if best is None:
        return None
    near, likeness = best.near, best.likeness
    # The last steps take about as long as decoding the whole picture, if the ink needs that.
    photo.begin(halvings_for_ink((_fineness(one) for one in best.found), photo.halvings))
    # A false sighting defines a plane of its own, which contains no other sighting.
    alone = len(best.found) == 1 and len(sightings) > 1
    table_to_photo, found = _extended(best, sightings)
    judged = [best_face(candidate, near, likeness) for candidate in found]
    strange = [candidate.placed for candidate, rivals in judged if is_strange(candidate, rivals)]
    judged = [each for each in judged if not is_strange(*each)]
    if not judged:
        return None
    freely = index.neighbours.laying.grid is None
    if freely:
        judged, strange = with_closeups(judged, strange, table_to_photo, photo_at, near, likeness)
    judged = named_by_colour(judged, photo_at, likeness)
    found = [candidate for candidate, _ in judged]
    layout = lay_out(judged, table_to_photo, photo, index)
    if alone and len(found) == 1 and not layout.doubts:
        layout = replace(layout, doubts=(CardDoubt(0, (layout.poses[0].card,), "alone"),))
    unclear = _may_tell_more(layout, found)
    unclear |= len(found) <= FEW_AFAR and steepness(table_to_photo, [one.placed for one in found]) >= STEEP
    left = _left_over(sightings, best.candidates, found, table_to_photo, index)
    unclear |= any(_visible(corners, photo) >= LEAST_VISIBLE for _, corners in left)
    if freely:
        asked = [(one, outline_px(one, table_to_photo), "stranger") for one in strange]
        asked += [(*each, "cut-off") for each in left if _visible(each[1], photo) < LEAST_VISIBLE]
        layout = with_strangers(layout, found, asked, index)
        unclear |= any(doubt.reason == "stranger" for doubt in layout.doubts)
    return CardsInView(judged, table_to_photo, layout, unclear)


def _trace(
    photo: Photo,
    sight: Sight,
    features: Features,
    matches: Matches,
    sightings: Sequence[Sighting],
    index: CardIndex,
) -> None:
    """Record features and sightings (photo pixels) for the debug pictures, if these are collected."""
    if (made := current()) is None:
        return
    made.update(pixels=photo.pixels, features=sight.on_photo(features), sightings=sightings)
    made["sighted"] = tuple(index.ids[sighting.card] for sighting in sightings)
    made["supporting_px"] = tuple(
        geometry.apply(sight.to_photo, matches.at_px[sighting.inliers]) for sighting in sightings
    )


def _best_plane(
    photo_at: Reductions, likeness: Likeness, sight: Sight, matches: Matches, seen: Sequence[Sighting]
) -> _OnPlane | None:
    """The best plane hypothesis of the first sightings, by the likeness of its cards to their art; None
    without sightings."""
    best: _OnPlane | None = None
    for seed in seen[:PLANES_TRIED]:
        table_to_sight, candidates = find_candidates(seed, seen, matches, likeness.index, sight.view.scale)
        if not candidates:
            continue
        table_to_photo = sight.to_photo @ table_to_sight
        reduction = _comparing_scale(table_to_photo, candidates)
        near = photo_at.view(max(photo_at.size) * reduction)
        as_seen = likeness.as_soft(COMPARED_PX_PER_MM * near.scale / reduction)
        found = compare_with_art(candidates, table_to_photo, near, as_seen)
        if found and (best is None or _worth(found) > _worth(best.found)):
            best = _OnPlane(table_to_photo, candidates, found, near, as_seen)
        if best is not None and len(best.found) >= 2:
            break
    return best


def _extended(best: _OnPlane, sightings: Sequence[Sighting]) -> tuple[Array, list[Candidate]]:
    """Refined homography (3, 3), table mm to photo px, and its cards, including newly found neighbours and
    separate cards."""
    near, likeness = best.near, best.likeness
    table_to_photo, found = refit(best.table_to_photo, best.found, near.scale)
    if more := sighted_apart(sightings, found, table_to_photo, near, likeness):
        table_to_photo, found = refit(table_to_photo, found + more, near.scale)
    for _ in range(SITE_ROUNDS):
        more = search_sites(found, table_to_photo, near, likeness)
        if not more:
            break
        table_to_photo, found = refit(table_to_photo, found + more, near.scale)
    return table_to_photo, found


def _may_tell_more(layout: Layout, found: Sequence[Candidate]) -> bool:
    """Whether a finer view may identify cards that are in doubt.

    For a covered card, a close-up has already shown all there is. For a whole card identified by a close-up,
    this view was not fine enough.
    """
    close = {id(one.aligned.card_to_photo): one.likeness for one in found if one.aligned and one.close}
    covered = {place for place, likeness in close.items() if likeness < CLEAR_LIKENESS}
    if len(covered) < len(close):
        return True
    poses = (*layout.poses, *layout.others)
    if any(pose.confidence < SURE_ENOUGH and id(pose.card_to_photo) not in covered for pose in poses):
        return True
    return any(
        doubt.corners_px is not None or id(layout.poses[doubt.index].card_to_photo) not in covered
        for doubt in layout.doubts
    )


def _comparing_scale(table_to_photo: Array, candidates: Sequence[Candidate]) -> float:
    """Scale of the photo at which the cards are compared with their art."""
    middles = np.array([candidate.placed.centre_mm for candidate in candidates])
    slopes = geometry.jacobian(table_to_photo, middles)
    return COMPARED_PX_PER_MM / float(np.median(np.sqrt(np.abs(np.linalg.det(slopes)))))


def _fineness(candidate: Candidate) -> float:
    """Resolution of a detected card in the photo, px per mm."""
    assert candidate.aligned is not None
    size_mm = candidate.placed.size_mm
    corners = geometry.apply(candidate.aligned.card_to_photo, geometry.rectangle(*size_mm))
    return px_per_mm(corners, size_mm)


def _left_over(
    sightings: Sequence[Sighting],
    candidates: Sequence[Candidate],
    found: Sequence[Candidate],
    table_to_photo: Array,
    index: CardIndex,
) -> list[tuple[TablePose, Array]]:
    """Places that may hold a card that was not found, each with its corners (4, 2) in the photo.

    They are the places with many votes and the sightings without a card.
    """
    places = [candidate.placed for candidate in found]
    left: list[tuple[TablePose, Array]] = []

    def keep(placed: TablePose, corners: Array) -> None:
        if not any(collide(placed, other) for other in (*places, *(one for one, _ in left))):
            left.append((placed, corners))

    for one in candidates:
        if one.votes >= LEFT_VOTES:
            keep(one.placed, outline_px(one.placed, table_to_photo))
    from_photo = np.asarray(np.linalg.inv(table_to_photo), np.float64)
    for sighting in sightings:
        size_mm = index.sizes_mm[sighting.card]
        to_table = from_photo @ sighting.card_to_photo
        x, y = geometry.apply(to_table, np.asarray(size_mm) / 2)
        keep(TablePose(sighting.card, (float(x), float(y)), 0.0, size_mm), sighting.corners_px(index))
    return left


def _visible(corners: Array, photo: Photo) -> float:
    """Share of an outline's area within the photo, 0 to 1."""
    frame = geometry.rectangle(photo.width, photo.height).astype(np.float32)
    quad = corners.astype(np.float32)
    inside, _ = cv2.intersectConvexConvex(quad, frame)
    return float(inside) / max(float(cv2.contourArea(quad)), 1.0)


def _worth(found: Sequence[Candidate]) -> float:
    return sum(candidate.likeness for candidate in found)
