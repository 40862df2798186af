"""The layout: where the sighted cards lie on the table. One plane, one scale, cards that touch or fill cells.

All matches of all cards are explained together by one homography from table mm to photo pixels and one place
and turn per card. On that plane a match tells its card's place to a few millimetres, so cards too weak to be
found alone are found by it. Each is then compared with its art, and the free sites beside it are searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.errors import Code, WaymarkError
from vision import homography
from vision.alignment import align, likeness_at, turned_map
from vision.blas import single_threaded_blas
from vision.candidates import MISFIT_PX, Candidate, compete, find_candidates
from vision.card_index import CardIndex
from vision.cards import find_features, match_features, sight_cards
from vision.collected import current
from vision.contact import (
    collide,
    extent,
    off_quarter,
    quarter_of,
    snap,
    touching_groups,
)
from vision.grid import cells_in_line
from vision.likeness import Likeness, least_likeness
from vision.photo import Photo
from vision.plane import Placed, fit_plane, load_ahead
from vision.sites import beside_gaps, search_sites
from vision.view import View, make_view

Array = NDArray[np.float64]

# The numbers below were tuned on the open deck's cards, 63 x 88 mm, in renders of tables.

#: Sightings from which the plane is tried.
PLANES_TRIED = 3
#: A card this much less like its art than the photo's others may be one that is not in the catalogue.
ODD_LIKENESS = 0.15
#: Candidates for one place that are compared with the art.
TRIED_PER_PLACE = 4
#: A candidate with this many times the votes of another, and like its art, leaves no room for it.
CLEAR_VOTES = 4.0
#: How often found neighbours open new sites beside them.
SITE_ROUNDS = 3
#: A rival this near in likeness leaves a doubt.
DOUBT_MARGIN = 0.08


@dataclass(frozen=True)
class CardPose:
    """One card of the tableau, where it lies on the table and in the photo.

    `card`           id in the catalogue
    `rotation`       degrees clockwise about its centre in the table's frame, as it really lies: 90 and 270
                     also for a card that may not lie across
    `x_mm`, `y_mm`   top-left corner of its footprint in the table's frame: the record's `x` and `y`
    `card_to_photo`  (3, 3) float64 homography from mm on the upright card (x right, y down, from the printed
                     top-left corner) to photo pixels. It is the card's own: it carries the card's bow and the
                     lens, so it is better on the card than `Layout.table_to_photo`
    `corners_px`     (4, 2) float64 photo pixels: the printed top-left, top-right, bottom-right, bottom-left
    `confidence`     0..1, how sure it is that this is the card and that it lies there
    """

    card: str
    rotation: int
    x_mm: float
    y_mm: float
    card_to_photo: NDArray[np.float64]
    corners_px: NDArray[np.float64]
    confidence: float


@dataclass(frozen=True)
class CardDoubt:
    """A card that could be another: `index` into `Layout.poses`, the ids that it may be (best first) and why.

    `reason` is "alike" where two cards of the catalogue fit about as well, "unlike-its-art" where the best of
    them fits much worse than the photo's other cards do theirs: it may be covered, or a card not in the
    catalogue. "gap" stands on a card beside a place where a card is missing between the tableau and another
    card in line with it. "turned" stands on a card that could as well be itself turned, "alone" on the only
    card of a photo in which others were sighted that do not lie on its plane: not all are what they seem.
    """

    index: int
    options: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Layout:
    """The largest group of touching cards and the plane that they lie on.

    `poses`            the tableau's cards; the first lies at the origin of the table's frame
    `table_to_photo`   (3, 3) float64 homography from table mm (x right, y down) to photo px, shared by all
    `others`           cards that do not touch the group (a neighbour's, a market's), placed in the same frame
    `doubts`           cards that could be another card
    """

    poses: tuple[CardPose, ...]
    table_to_photo: NDArray[np.float64]
    others: tuple[CardPose, ...] = ()
    doubts: tuple[CardDoubt, ...] = field(default=())


@single_threaded_blas()
def read_layout(photo: Photo, index: CardIndex) -> Layout:
    """Find the cards of a photo and solve where they lie.

    Raises `WaymarkError` (no-card, exit status 4) when no card of the index is in the photo.
    """
    load_ahead()
    view = make_view(photo.pixels, max(index.neighbours.board))
    features = find_features(view, index)
    matches = match_features(features, index)
    sightings = sight_cards(matches, index, view.scale)
    if (made := current()) is not None:
        made.update(pixels=photo.pixels, features=features, sightings=sightings)
        made["sighted"] = tuple(index.ids[sighting.card] for sighting in sightings)
        made["supporting_px"] = tuple(matches.at_px[sighting.inliers] for sighting in sightings)
    likeness = Likeness(index)
    best: tuple[Array, list[Candidate]] | None = None
    for seed in sightings[:PLANES_TRIED]:
        table_to_photo, candidates = find_candidates(seed, sightings, matches, index, view.scale)
        found = _compare(candidates, table_to_photo, view, likeness)
        if found and (best is None or _worth(found) > _worth(best[1])):
            best = table_to_photo, found
        if best is not None and len(best[1]) >= 2:
            break
    if best is None:
        raise no_card()
    # A false sighting makes a plane of its own, on which no other one lies.
    alone = len(best[1]) == 1 and len(sightings) > 1
    table_to_photo, found = _refit(*best, view.scale)
    for _ in range(SITE_ROUNDS):
        more = search_sites(found, table_to_photo, view, likeness)
        if not more:
            break
        table_to_photo, found = _refit(table_to_photo, found + more, view.scale)
    judged = [_best_face(candidate, view, likeness) for candidate in found]
    layout = _lay_out(judged, table_to_photo, index)
    if alone and len(found) == 1 and not layout.doubts:
        layout = replace(layout, doubts=(CardDoubt(0, (layout.poses[0].card,), "alone"),))
    return layout


def no_card() -> WaymarkError:
    """The error for a photo in which no card of the catalogue was recognised."""
    return WaymarkError(
        Code.NO_CARD,
        "No card of this catalogue was recognised; take a sharp photo from above, filled by the cards.",
        "このカタログのカードが見つかりません。カードが大きく入るように、真上からはっきり撮ってください。",
    )


def _worth(found: Sequence[Candidate]) -> float:
    return sum(candidate.likeness for candidate in found)


def _compare(
    candidates: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Candidate]:
    """Compare candidates with their art, strongest first; the best at each place stays."""
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


def _refit(table_to_photo: Array, found: Sequence[Candidate], scale: float) -> tuple[Array, list[Candidate]]:
    """Fit plane and places once more to the aligned cards, which tell them better than single matches."""
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


#: What else may lie in a card's place, by its number and the quarters by which it would be turned against the
#: card that was read, and its likeness.
_Rivals = dict[tuple[int, int], float]


def _best_face(candidate: Candidate, view: View, likeness: Likeness) -> tuple[Candidate, _Rivals]:
    """The candidate, or what is more like its place; and the likeness of the next best cards and turns there.

    Features can mistake a starter for its other colour where blur has taken the finer half of them.
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
            # A card that is much the same turned is told by little of it: not by its likeness as a whole.
            same = card == placed.card and not turned_back
            if better is not None and (better.likeness > candidate.likeness or same):
                placed = replace(placed, card=card, turn_rad=placed.turn_rad + quarters * np.pi / 2)
                candidate = replace(candidate, placed=placed, aligned=better)
                turned_back = turned_back or same
                continue
        return candidate, rivals


def _lay_out(judged: Sequence[tuple[Candidate, _Rivals]], table_to_photo: Array, index: CardIndex) -> Layout:
    """Turn the frame so that cards lie in it as they may, its origin on the first; part off other groups."""
    found = [candidate for candidate, _ in judged]
    groups = touching_groups([candidate.placed for candidate in found])
    largest = max(groups, key=lambda group: (len(group), sum(found[i].likeness for i in group)))
    turn = _frame_turn([found[i].placed for i in largest], table_to_photo, index)
    frame = homography.similarity(turn, np.zeros(2))
    to_frame = np.asarray(np.linalg.inv(frame), np.float64)
    placed = []
    for candidate in found:
        x, y = homography.apply(to_frame, np.asarray(candidate.placed.centre_mm))
        at = float(x), float(y)
        placed.append(replace(candidate.placed, centre_mm=at, turn_rad=candidate.placed.turn_rad - turn))
    if index.neighbours.laying.grid is not None:
        largest, centres, to_table = cells_in_line(placed, index.neighbours.cell_mm)
    else:
        centres = snap(placed, index.neighbours.shifts)
        to_table = _closed_up([placed[i] for i in largest], centres[largest])
    corner = centres - np.array([extent(one.turn_rad, one.size_mm) for one in placed]) / 2
    order = sorted(largest, key=lambda i: (round(corner[i, 0] / 10), corner[i, 1]))
    origin = corner[order[0]]
    usual = float(np.median([candidate.likeness for candidate in found]))

    def pose(i: int, confidence: float) -> CardPose:
        aligned = found[i].aligned
        assert aligned is not None
        return CardPose(
            card=index.ids[placed[i].card],
            rotation=90 * quarter_of(placed[i].turn_rad),
            x_mm=round(float(corner[i, 0] - origin[0]), 2),
            y_mm=round(float(corner[i, 1] - origin[1]), 2),
            card_to_photo=aligned.card_to_photo,
            corners_px=homography.apply(aligned.card_to_photo, homography.rectangle(*placed[i].size_mm)),
            confidence=confidence,
        )

    poses, doubts = [], []
    for number, i in enumerate(order):
        confidence, options, reason = _judge(*judged[i], usual, index)
        poses.append(pose(i, confidence))
        if options:
            doubts.append(CardDoubt(number, options, reason))
    apart = [i for i in range(len(found)) if i not in largest]
    gaps = beside_gaps([placed[i] for i in order], [placed[i] for i in apart], index)
    for i in [] if index.neighbours.laying.grid is not None else gaps:
        doubts.append(CardDoubt(i, (poses[i].card,), "gap"))
    others = [pose(i, _judge(*judged[i], usual, index)[0]) for i in apart]
    to_photo = table_to_photo @ frame @ to_table @ homography.similarity(0.0, origin)
    return Layout(tuple(poses), to_photo, tuple(others), tuple(doubts))


def _closed_up(placed: Sequence[Placed], centres: Array) -> Array:
    """(3, 3) the map from a table on which cards lie at `centres` (N, 2), along its axes, to the one on which
    they were measured."""
    corners, measured = [], []
    for one, centre in zip(placed, centres, strict=True):
        lies = Placed(one.card, (centre[0], centre[1]), quarter_of(one.turn_rad) * np.pi / 2, one.size_mm)
        face = homography.rectangle(*one.size_mm)
        corners.append(homography.apply(lies.to_table(), face))
        measured.append(homography.apply(one.to_table(), face))
    solved, _ = cv2.findHomography(np.concatenate(corners), np.concatenate(measured))
    return np.asarray(solved, np.float64)


def _frame_turn(placed: Sequence[Placed], table_to_photo: Array, index: CardIndex) -> float:
    """The turn at which most cards lie as they may, and then at which most of those are upright that may not
    lie in every way; of two as good, the one that is upright in the photo."""
    off = [off_quarter(card.turn_rad - placed[0].turn_rad) for card in placed]
    along = placed[0].turn_rad + float(np.mean(off))
    quarters = [quarter_of(card.turn_rad - along) for card in placed]
    middle = np.mean([card.centre_mm for card in placed], axis=0)
    slope = homography.jacobian(table_to_photo, middle[None])[0]

    ways = [index.rotations[card.card] for card in placed]

    def merit(quarter: int) -> tuple[int, int, float]:
        turn = along + quarter * np.pi / 2
        down = slope @ np.array([-np.sin(turn), np.cos(turn)])
        lying = [(90 * (mine - quarter) % 360, way) for mine, way in zip(quarters, ways, strict=True)]
        allowed = sum(rotation in way for rotation, way in lying)
        upright = sum(rotation == 0 and len(way) < 4 for rotation, way in lying)
        return allowed, upright, float(down[1])

    return along + max(range(4), key=merit) * np.pi / 2


def _judge(
    candidate: Candidate, rivals: _Rivals, usual: float, index: CardIndex
) -> tuple[float, tuple[str, ...], str]:
    """How sure a card and its turn are (0..1); where they are not, the ids that it may be and why.

    `usual` is the median likeness of the photo's cards: blur and dark lower that of all alike.
    """
    card = candidate.placed.card
    name = index.ids[card]
    margin = candidate.likeness - max(rivals.values(), default=-1.0)
    confidence = float(np.clip(0.5 + 1.5 * margin, 0, 1) * np.clip(candidate.likeness / 0.5, 0, 1))
    if margin < DOUBT_MARGIN:
        near = [rival for rival, score in rivals.items() if candidate.likeness - score < DOUBT_MARGIN]
        near.sort(key=lambda rival: -rivals[rival])
        others = dict.fromkeys(index.ids[rival] for rival, _ in near if rival != card)
        return confidence, (name, *others), "alike" if others else "turned"
    if usual - candidate.likeness > ODD_LIKENESS:
        return confidence * 0.5, (name,), "unlike-its-art"
    return confidence, (), ""
