"""The layout: where the sighted cards lie on the table. One plane, one scale, portrait cards that touch.

All matches of all cards are explained together by one homography from table mm to photo pixels and one place
and turn per card. On that plane a match tells its card's place to a few millimetres, so cards too weak to be
found alone are found by it. Each is then compared with its art, and the free sites beside it are searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer.errors import NOTHING_FOUND, WaymarkError
from vision import homography
from vision.alignment import align, likeness_at
from vision.candidates import MISFIT_PX, Candidate, compete, find_candidates
from vision.card_index import CardIndex
from vision.cards import find_features, match_features, sight_cards
from vision.contact import (
    collide,
    extent,
    off_quarter,
    quarter_of,
    snap,
    touching_groups,
    touching_side,
)
from vision.likeness import COARSE_PX_PER_MM, Likeness
from vision.photo import Photo
from vision.plane import Placed, fit_plane
from vision.stages import current_stages
from vision.view import View, make_view

Array = NDArray[np.float64]

#: Sightings from which the plane is tried.
PLANES_TRIED = 3
#: Likeness (see vision.likeness) from which a place holds the card: right cards under heavy ink or blur reach
#: 0.55 and more, wrong ones 0.25, a starter of another colour 0.6.
LEAST_LIKENESS = 0.35
#: A card this much less like its art than the photo's others may be one that is not in the catalogue.
ODD_LIKENESS = 0.15
#: Candidates for one place that are compared with the art.
TRIED_PER_PLACE = 4
#: A candidate with this many times the votes of another, and like its art, leaves no room for it.
CLEAR_VOTES = 4.0
#: Coarse correlation from which a neighbouring site is looked at closely, and how far off its card may lie.
LEAST_COARSE = 0.20
SITE_SLACK_MM = 2.5
#: How often found neighbours open new sites beside them.
SITE_ROUNDS = 3
#: A card lies in line beyond a gap when it is this near to where a neighbour of the gap's card would lie.
IN_LINE_MM = 5.0
IN_LINE_DEG = 3.0
#: A rival this near in likeness leaves a doubt.
DOUBT_MARGIN = 0.08


@dataclass(frozen=True)
class CardPose:
    """One card of the tableau, where it lies on the table and in the photo.

    `card`           id in the catalogue
    `rotation`       0 or 180 about its centre in the table's frame (90, 270 only when it really lies across)
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
    card in line with it.
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


def read_layout(photo: Photo, index: CardIndex) -> Layout:
    """Find the cards of a photo and solve where they lie.

    Raises `WaymarkError` (no-card, exit status 4) when no card of the index is in the photo.
    """
    view = make_view(photo.pixels)
    features = find_features(view, index)
    matches = match_features(features, index)
    sightings = sight_cards(matches, index, view.scale)
    if (stages := current_stages()) is not None:
        stages.pixels, stages.features, stages.sightings = photo.pixels, features, sightings
        stages.sighted = tuple(index.ids[sighting.card] for sighting in sightings)
        stages.supporting_px = tuple(matches.at_px[sighting.inliers] for sighting in sightings)
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
    table_to_photo, found = _refit(*best, index, view.scale)
    for _ in range(SITE_ROUNDS):
        more = _search_sites(found, table_to_photo, view, likeness)
        if not more:
            break
        table_to_photo, found = _refit(table_to_photo, found + more, index, view.scale)
    judged = [_best_face(candidate, view, likeness) for candidate in found]
    return _lay_out(judged, table_to_photo, index)


def no_card() -> WaymarkError:
    """The error for a photo in which no card of the catalogue was recognised."""
    return WaymarkError(
        "no-card",
        "No card of this catalogue was recognised; take a sharp photo from above, filled by the cards.",
        "このカタログのカードが見つかりません。カードが大きく入るように、真上からはっきり撮ってください。",
        exit_status=NOTHING_FOUND,
    )


def _worth(found: Sequence[Candidate]) -> float:
    return sum(candidate.likeness for candidate in found)


def _compare(
    candidates: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Candidate]:
    """Compare candidates with their art, strongest first; the best at each place stays."""
    size_mm = likeness.index.card_size_mm
    compared: list[Candidate] = []
    tried: list[Candidate] = []
    for candidate in candidates:
        rivals = [other for other in tried if collide(candidate.placed, other.placed, size_mm)]
        beaten = any(other.votes > CLEAR_VOTES * candidate.votes and other.aligned for other in rivals)
        if beaten or len(rivals) >= TRIED_PER_PLACE:
            continue
        footprint = candidate.placed.to_table(size_mm)
        aligned = align(view, table_to_photo @ footprint, candidate.placed.card, likeness)
        if aligned is not None and aligned.likeness >= LEAST_LIKENESS:
            candidate = replace(candidate, aligned=aligned)
            compared.append(candidate)
        tried.append(candidate)
    return compete(sorted(compared, key=lambda candidate: -candidate.likeness), size_mm)


def _refit(
    table_to_photo: Array, found: Sequence[Candidate], index: CardIndex, scale: float
) -> tuple[Array, list[Candidate]]:
    """Fit plane and places once more to the aligned cards, which tell them better than single matches."""
    aligned = [candidate.aligned for candidate in found if candidate.aligned is not None]
    plane = fit_plane(
        table_to_photo,
        [candidate.placed for candidate in found],
        [one.at_mm for one in aligned],
        [one.at_px for one in aligned],
        index.card_size_mm,
        huber_px=MISFIT_PX / scale,
    )
    return plane.table_to_photo, [
        replace(candidate, placed=placed) for candidate, placed in zip(found, plane.placed, strict=True)
    ]


def _search_sites(
    found: Sequence[Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[Candidate]:
    """Try all cards on the free places beside the found ones: where edges touch and openings can meet."""
    size_mm = likeness.index.card_size_mm
    more: list[Candidate] = []
    for site in _free_sites([candidate.placed for candidate in found], likeness.index):
        best: tuple[float, Placed] | None = None
        for turn in (site.turn_rad, site.turn_rad + np.pi):
            footprint = replace(site, turn_rad=turn).to_table(size_mm)
            region = likeness.coarse_region(view, table_to_photo @ footprint, SITE_SLACK_MM)
            if region is None:
                break
            scores, shift = likeness.try_all(region, round(SITE_SLACK_MM * COARSE_PX_PER_MM))
            card = int(scores.argmax())
            x, y = homography.apply(footprint, np.asarray(size_mm) / 2 + shift[card] / COARSE_PX_PER_MM)
            if best is None or scores[card] > best[0]:
                best = float(scores[card]), Placed(card, (float(x), float(y)), turn)
        if best is None or best[0] < LEAST_COARSE:
            continue
        placed = best[1]
        aligned = align(view, table_to_photo @ placed.to_table(size_mm), placed.card, likeness)
        if aligned is not None and aligned.likeness >= LEAST_LIKENESS:
            more.append(Candidate(placed, np.zeros(0, np.intp), 0.0, aligned))
    return compete(sorted(more, key=lambda candidate: -candidate.likeness), size_mm)


def _free_sites(found: Sequence[Placed], index: CardIndex) -> list[Placed]:
    """Free places beside found cards, edge to edge at the shifts at which openings meet."""
    size_mm = index.card_size_mm
    sites: list[Placed] = []
    for placed in found:
        for shift in index.neighbour_shifts_mm:
            beside = homography.similarity(placed.turn_rad, np.asarray(placed.centre_mm))
            x, y = homography.apply(beside, shift)
            site = Placed(placed.card, (float(x), float(y)), placed.turn_rad)
            taken = any(collide(site, other, size_mm) for other in found)
            known = any(np.hypot(x - s.centre_mm[0], y - s.centre_mm[1]) < SITE_SLACK_MM for s in sites)
            if not taken and not known:
                sites.append(site)
    return sites


def _best_face(candidate: Candidate, view: View, likeness: Likeness) -> tuple[Candidate, dict[str, float]]:
    """The candidate, or a card that is more like its place; and the likeness of the next best cards there.

    Features can mistake a starter for its other colour where blur has taken the finer half of them.
    """
    while True:
        assert candidate.aligned is not None
        card = candidate.placed.card
        rivals = likeness_at(view, candidate.aligned.card_to_photo, card, likeness)
        best = max(rivals, key=lambda rival: rivals[rival], default=card)
        if rivals.get(best, -1.0) > candidate.likeness:
            aligned = align(view, candidate.aligned.card_to_photo, best, likeness)
            if aligned is not None and aligned.likeness > candidate.likeness:
                candidate = replace(candidate, placed=replace(candidate.placed, card=best), aligned=aligned)
                continue
        return candidate, {likeness.index.ids[rival]: score for rival, score in rivals.items()}


def _lay_out(
    judged: Sequence[tuple[Candidate, dict[str, float]]], table_to_photo: Array, index: CardIndex
) -> Layout:
    """Turn the frame so that most cards are upright, its origin on the first; part off other groups."""
    found = [candidate for candidate, _ in judged]
    size_mm = index.card_size_mm
    groups = touching_groups([candidate.placed for candidate in found], size_mm)
    largest = max(groups, key=lambda group: (len(group), sum(found[i].likeness for i in group)))
    turn = _frame_turn([found[i].placed for i in largest], table_to_photo)
    frame = homography.similarity(turn, np.zeros(2))
    to_frame = np.asarray(np.linalg.inv(frame), np.float64)
    placed = []
    for candidate in found:
        x, y = homography.apply(to_frame, np.asarray(candidate.placed.centre_mm))
        at = float(x), float(y)
        placed.append(replace(candidate.placed, centre_mm=at, turn_rad=candidate.placed.turn_rad - turn))
    corner = snap(placed, size_mm) - np.array([extent(one.turn_rad, size_mm) for one in placed]) / 2
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
            corners_px=homography.apply(aligned.card_to_photo, homography.rectangle(*size_mm)),
            confidence=confidence,
        )

    poses, doubts = [], []
    for number, i in enumerate(order):
        confidence, options, reason = _judge(*judged[i], usual, index)
        poses.append(pose(i, confidence))
        if options:
            doubts.append(CardDoubt(number, options, reason))
    apart = [i for i in range(len(found)) if i not in largest]
    for i in _beside_gaps([placed[i] for i in order], [placed[i] for i in apart], index):
        doubts.append(CardDoubt(i, (poses[i].card,), "gap"))
    others = [pose(i, _judge(*judged[i], usual, index)[0]) for i in apart]
    shift = homography.similarity(0.0, origin)
    return Layout(tuple(poses), table_to_photo @ frame @ shift, tuple(others), tuple(doubts))


def _beside_gaps(tableau: Sequence[Placed], apart: Sequence[Placed], index: CardIndex) -> list[int]:
    """Cards of the tableau beside a gap that one card would fill and so join another card to it.

    A market or a neighbour's cards seldom lie so exactly in line; a card lost under glare or a hand leaves
    this.
    """
    size_mm = index.card_size_mm
    for site in _free_sites(tableau, index):
        if any(collide(site, other, size_mm) for other in apart):
            continue
        beside = [i for i, one in enumerate(tableau) if touching_side(site, one, size_mm) is not None]
        if beside and any(_in_line(site, other, index) for other in apart):
            return [beside[0]]
    return []


def _in_line(site: Placed, other: Placed, index: CardIndex) -> bool:
    """Whether a card lies beside a site as a neighbour whose openings meet does."""
    back = homography.similarity(-site.turn_rad, np.zeros(2))
    away = homography.apply(back, np.asarray(other.centre_mm) - site.centre_mm)
    misfit = np.linalg.norm(index.neighbour_shifts_mm - away, axis=1).min()
    turned = abs(np.sin(other.turn_rad - site.turn_rad))  # Upside down is in line, across is not.
    return bool(misfit < IN_LINE_MM and turned < np.sin(np.radians(IN_LINE_DEG)))


def _frame_turn(placed: Sequence[Placed], table_to_photo: Array) -> float:
    """The turn at which most cards are upright; of two as good, the one that is upright in the photo."""
    off = [off_quarter(card.turn_rad - placed[0].turn_rad) for card in placed]
    along = placed[0].turn_rad + float(np.mean(off))
    quarters = [quarter_of(card.turn_rad - along) for card in placed]
    middle = np.mean([card.centre_mm for card in placed], axis=0)
    slope = homography.jacobian(table_to_photo, middle[None])[0]

    def merit(quarter: int) -> tuple[int, float]:
        turn = along + quarter * np.pi / 2
        down = slope @ np.array([-np.sin(turn), np.cos(turn)])
        return quarters.count(quarter), float(down[1])

    return along + max(range(4), key=merit) * np.pi / 2


def _judge(
    candidate: Candidate, rivals: dict[str, float], usual: float, index: CardIndex
) -> tuple[float, tuple[str, ...], str]:
    """How sure a card is (0..1); where it is not, the ids that it may be and why.

    `rivals` are the likenesses of the next best cards, `usual` the median of the photo's cards: blur and dark
    lower that of all alike.
    """
    name = index.ids[candidate.placed.card]
    margin = candidate.likeness - max(rivals.values(), default=-1.0)
    confidence = float(np.clip(0.5 + 1.5 * margin, 0, 1) * np.clip(candidate.likeness / 0.5, 0, 1))
    if margin < DOUBT_MARGIN:
        near = [rival for rival, score in rivals.items() if candidate.likeness - score < DOUBT_MARGIN]
        return confidence, (name, *sorted(near, key=lambda rival: -rivals[rival])), "alike"
    if usual - candidate.likeness > ODD_LIKENESS:
        return confidence * 0.5, (name,), "unlike-its-art"
    return confidence, (), ""
