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
from vision.alignment import Aligned, align, likeness_at
from vision.card_index import CardIndex
from vision.cards import Matches, find_features, match_features, sight_cards
from vision.likeness import COARSE_PX_PER_MM, Likeness
from vision.photo import Photo
from vision.plane import Placed, fit_plane
from vision.view import View, make_view

Array = NDArray[np.float64]

#: Votes for a card's place agree within this on a plane known from one card, and then from several.
VOTE_REACH_MM = (7.0, 4.0)
#: A match counts when its turn is this near a multiple of a right angle, and its size within this factor.
VOTE_TURN_DEG = 20.0
VOTE_SIZE = 1.5
#: Weighted votes from which a place helps to fit the plane, and from which it is compared with the card's
#: art.
FITTING_VOTES = 3.0
LEAST_VOTES = 1.0
#: Cards may be pushed over each other by this much and still lie side by side.
OVERLAP_MM = 5.0
#: A gap up to this still touches (CONTRACT 2: 1.5 mm, and what a bowed card and measuring add).
TOUCH_MM = 3.0
#: Neighbours share at least this much of an edge; corners that meet are no contact.
SHARED_EDGE_MM = 5.0
#: Contact is believed this many times more than a measured place: a gap is mostly bow and measuring.
CONTACT_TRUST = 4.0
#: Misfit in the view's pixels from which a match pulls less on the plane.
MISFIT_PX = 2.0
#: Sightings from which the plane is tried.
PLANES_TRIED = 3
#: Likeness (see vision.likeness) from which a place holds the card: see tests and bench for the two
#: distributions.
LEAST_LIKENESS = 0.30
#: Coarse correlation from which a neighbouring site is looked at closely, and how far off its card may lie.
LEAST_COARSE = 0.25
SITE_SLACK_MM = 3
#: A rival this near in likeness leaves a doubt.
DOUBT_MARGIN = 0.05


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
    """A card that could be another: `index` into `Layout.poses`, the ids it may be (best first) and why."""

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


@dataclass(frozen=True)
class _Candidate:
    """A card that may lie at a place, with the matches that say so and, once compared, its likeness."""

    placed: Placed
    members: NDArray[np.intp]
    votes: float
    aligned: Aligned | None = None


def read_layout(photo: Photo, index: CardIndex) -> Layout:
    """Find the cards of a photo and solve where they lie.

    Raises `WaymarkError` (no-card, exit status 4) when no card of the index is in the photo.
    """
    view = make_view(photo.pixels)
    matches = match_features(find_features(view, index), index)
    sightings = sight_cards(matches, index, view.scale)
    likeness = Likeness(index)
    best: tuple[Array, list[_Candidate]] | None = None
    for sighting in sightings[:PLANES_TRIED]:
        table_to_photo, found = _solve(sighting.card_to_photo, matches, index, view.scale)
        found = _compare(found, table_to_photo, view, likeness)
        if found and (best is None or _worth(found) > _worth(best[1])):
            best = table_to_photo, found
        if best is not None and len(best[1]) >= 2:
            break
    if best is None:
        raise no_card()
    table_to_photo, found = _refit(*best, index, view.scale)
    for _ in range(3):  # A found neighbour opens new sites beside it.
        more = _search_sites(found, table_to_photo, view, likeness)
        if not more:
            break
        table_to_photo, found = _refit(table_to_photo, found + more, index, view.scale)
    return _lay_out(found, table_to_photo, view, likeness)


def no_card() -> WaymarkError:
    """The error for a photo in which no card of the catalogue was recognised."""
    return WaymarkError(
        "no-card",
        "No card of this catalogue was recognised; take a sharp photo from above, filled by the cards.",
        "このカタログのカードが見つかりません。カードが大きく入るように、真上からはっきり撮ってください。",
        exit_status=NOTHING_FOUND,
    )


def _worth(found: Sequence[_Candidate]) -> float:
    return sum(candidate.aligned.likeness for candidate in found if candidate.aligned)


def _solve(
    table_to_photo: Array, matches: Matches, index: CardIndex, scale: float
) -> tuple[Array, list[_Candidate]]:
    """From one card's homography to the plane of all, and the candidates that compete on it."""
    for reach in (*VOTE_REACH_MM, VOTE_REACH_MM[-1]):
        candidates = _compete(_vote(table_to_photo, matches, index, reach), index.card_size_mm)
        fitting = [candidate for candidate in candidates if candidate.votes >= FITTING_VOTES]
        if not fitting:
            break
        plane = fit_plane(
            table_to_photo,
            [candidate.placed for candidate in fitting],
            [matches.at_mm[candidate.members] for candidate in fitting],
            [matches.at_px[candidate.members] for candidate in fitting],
            index.card_size_mm,
            huber_px=MISFIT_PX / scale,
        )
        table_to_photo = plane.table_to_photo
    candidates = _vote(table_to_photo, matches, index, VOTE_REACH_MM[-1])
    return table_to_photo, candidates


def _vote(table_to_photo: Array, matches: Matches, index: CardIndex, reach_mm: float) -> list[_Candidate]:
    """Every match on the plane votes for its card's centre; groups that agree, strongest first."""
    from_photo = _inverse(table_to_photo)
    at_mm = homography.apply(from_photo, matches.at_px)
    slopes = homography.jacobian(from_photo, matches.at_px)
    angle = np.radians(matches.angle_deg)
    heading = np.einsum("nij,nj->ni", slopes, np.column_stack([np.cos(angle), np.sin(angle)]))
    turn = np.arctan2(heading[:, 1], heading[:, 0]) - np.radians(matches.card_angle_deg)
    quarter = np.round(turn / (np.pi / 2)).astype(int)
    off = turn - quarter * (np.pi / 2)
    growth = np.sqrt(np.abs(np.linalg.det(slopes))) * matches.size_px / matches.size_mm
    sound = (np.abs(off) < np.radians(VOTE_TURN_DEG)) & (np.abs(np.log(growth)) < np.log(VOTE_SIZE))
    quarter %= 4
    away = np.asarray(index.card_size_mm) / 2 - matches.at_mm
    cos, sin = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    centre = at_mm + np.column_stack(
        [cos * away[:, 0] - sin * away[:, 1], sin * away[:, 0] + cos * away[:, 1]]
    )
    group = matches.card * 4 + quarter
    candidates: list[_Candidate] = []
    order = np.flatnonzero(sound)
    order = order[np.argsort(group[order], kind="stable")]
    for mine in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        for _ in range(3):
            if matches.weight[mine].sum() < LEAST_VOTES:
                break
            near = np.linalg.norm(centre[mine, None] - centre[None, mine], axis=2) < reach_mm
            votes = near @ matches.weight[mine]
            lead = int(votes.argmax())
            if votes[lead] < LEAST_VOTES:
                break
            members = mine[near[lead]]
            middle = np.average(centre[members], axis=0, weights=matches.weight[members])
            placed = Placed(
                int(group[mine[0]] // 4),
                (float(middle[0]), float(middle[1])),
                float(group[mine[0]] % 4) * np.pi / 2,
            )
            candidates.append(_Candidate(placed, members, float(votes[lead])))
            mine = mine[~near[lead]]
    return sorted(candidates, key=lambda candidate: -candidate.votes)


def _extent(placed: Placed, size_mm: tuple[float, float]) -> tuple[float, float]:
    """Width and height of a card's footprint, turned to the nearest quarter."""
    across = round(placed.turn_rad / (np.pi / 2)) % 2
    return (size_mm[1], size_mm[0]) if across else size_mm


def _gaps(one: Placed, other: Placed, size_mm: tuple[float, float]) -> tuple[float, float]:
    """Free space between two footprints along x and y in mm; negative where they overlap."""
    mine, theirs = _extent(one, size_mm), _extent(other, size_mm)
    return (
        abs(one.centre_mm[0] - other.centre_mm[0]) - (mine[0] + theirs[0]) / 2,
        abs(one.centre_mm[1] - other.centre_mm[1]) - (mine[1] + theirs[1]) / 2,
    )


def _collide(one: Placed, other: Placed, size_mm: tuple[float, float]) -> bool:
    return max(_gaps(one, other, size_mm)) < -OVERLAP_MM


def _compete(candidates: Sequence[_Candidate], size_mm: tuple[float, float]) -> list[_Candidate]:
    """Keep the better of any two candidates for one place. The order given is the order of merit."""
    kept: list[_Candidate] = []
    for candidate in candidates:
        if not any(_collide(candidate.placed, other.placed, size_mm) for other in kept):
            kept.append(candidate)
    return kept


def _compare(
    candidates: Sequence[_Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[_Candidate]:
    """Compare candidates with their art, strongest first; the best at each place stays."""
    size_mm = likeness.index.card_size_mm
    compared: list[_Candidate] = []
    tried: list[_Candidate] = []
    for candidate in candidates:
        # A place whose card is beyond doubt is not tried again with weaker cards.
        if any(
            _collide(candidate.placed, other.placed, size_mm) and other.votes > 4 * candidate.votes
            for other in compared
        ):
            continue
        rivals = sum(_collide(candidate.placed, other.placed, size_mm) for other in tried)
        if rivals >= 4:
            continue
        tried.append(candidate)
        aligned = align(
            view, table_to_photo @ candidate.placed.to_table(size_mm), candidate.placed.card, likeness
        )
        if aligned is not None and aligned.likeness >= LEAST_LIKENESS:
            compared.append(replace(candidate, aligned=aligned))
    compared.sort(key=lambda candidate: -candidate.aligned.likeness if candidate.aligned else 0)
    return _compete(compared, size_mm)


def _refit(
    table_to_photo: Array, found: Sequence[_Candidate], index: CardIndex, scale: float
) -> tuple[Array, list[_Candidate]]:
    """Fit plane and places once more to the aligned blocks, which lie evenly over every card."""
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
    found: Sequence[_Candidate], table_to_photo: Array, view: View, likeness: Likeness
) -> list[_Candidate]:
    """Try all cards on the free places beside the found ones: where edges touch and openings can meet."""
    index = likeness.index
    size_mm = index.card_size_mm
    more: list[_Candidate] = []
    for site in _free_sites(found, index):
        scores = []
        for turn in (site.turn_rad, site.turn_rad + np.pi):
            footprint = replace(site, turn_rad=turn).to_table(size_mm)
            region = likeness.coarse_region(view, table_to_photo @ footprint, SITE_SLACK_MM)
            if region is None:
                break
            best, shift = likeness.try_all(region, round(SITE_SLACK_MM * COARSE_PX_PER_MM))
            card = int(best.argmax())
            moved = homography.apply(footprint, np.asarray(size_mm) / 2 + shift[card] / COARSE_PX_PER_MM)
            scores.append((float(best[card]), Placed(card, (float(moved[0]), float(moved[1])), turn)))
        if not scores:
            continue
        score, placed = max(scores, key=lambda pair: pair[0])
        if score < LEAST_COARSE:
            continue
        aligned = align(view, table_to_photo @ placed.to_table(size_mm), placed.card, likeness)
        if aligned is not None and aligned.likeness >= LEAST_LIKENESS:
            more.append(_Candidate(placed, np.zeros(0, np.intp), 0.0, aligned))
    more.sort(key=lambda candidate: -candidate.aligned.likeness if candidate.aligned else 0)
    return _compete(more, size_mm)


def _free_sites(found: Sequence[_Candidate], index: CardIndex) -> list[Placed]:
    """Free places beside found cards, edge to edge at the shifts at which openings meet."""
    size_mm = index.card_size_mm
    sites: list[Placed] = []
    for candidate in found:
        placed = candidate.placed
        across = round(placed.turn_rad / (np.pi / 2)) % 2
        cos, sin = np.cos(placed.turn_rad), np.sin(placed.turn_rad)
        for dx, dy in index.neighbour_shifts_mm.tolist():
            centre = (
                placed.centre_mm[0] + cos * dx - sin * dy,
                placed.centre_mm[1] + sin * dx + cos * dy,
            )
            site = Placed(-1, centre, placed.turn_rad)
            if across or any(_collide(site, other.placed, size_mm) for other in found):
                continue
            if any(np.hypot(centre[0] - s.centre_mm[0], centre[1] - s.centre_mm[1]) < 2 for s in sites):
                continue
            sites.append(site)
    return sites


def _touching_groups(placed: Sequence[Placed], size_mm: tuple[float, float]) -> list[list[int]]:
    """Indices of cards that touch along edges, group by group."""
    left = set(range(len(placed)))
    groups = []
    while left:
        group, edge = [], [left.pop()]
        while edge:
            one = edge.pop()
            group.append(one)
            near = {other for other in left if _touch(placed[one], placed[other], size_mm)}
            left -= near
            edge += near
        groups.append(sorted(group))
    return groups


def _touch(one: Placed, other: Placed, size_mm: tuple[float, float]) -> bool:
    across, down = _gaps(one, other, size_mm)
    return (across <= TOUCH_MM and down <= -SHARED_EDGE_MM) or (
        down <= TOUCH_MM and across <= -SHARED_EDGE_MM
    )


def _settle(placed: Sequence[Placed], size_mm: tuple[float, float]) -> Array:
    """(N, 2) centres: measured places, drawn towards exact contact of touching edges by least squares."""
    measured = np.array([card.centre_mm for card in placed])
    settled = np.empty_like(measured)
    for axis in (0, 1):
        rows, values = [np.eye(len(placed))], [measured[:, axis]]
        for i, one in enumerate(placed):
            for j in range(i):
                other = placed[j]
                gaps = _gaps(one, other, size_mm)
                if not _touch(one, other, size_mm) or gaps[axis] < gaps[1 - axis]:
                    continue
                row = np.zeros((1, len(placed)))
                row[0, i], row[0, j] = CONTACT_TRUST, -CONTACT_TRUST
                apart = measured[i, axis] - measured[j, axis]
                rows.append(row)
                values.append(np.array([CONTACT_TRUST * np.sign(apart) * (abs(apart) - gaps[axis])]))
        settled[:, axis] = np.linalg.lstsq(np.vstack(rows), np.concatenate(values), rcond=None)[0]
    return settled


def _lay_out(found: Sequence[_Candidate], table_to_photo: Array, view: View, likeness: Likeness) -> Layout:
    """Turn the frame so that most cards are upright, its origin on the first; part off other groups."""
    size_mm = likeness.index.card_size_mm
    placed = [candidate.placed for candidate in found]
    groups = _touching_groups(placed, size_mm)
    largest = max(groups, key=lambda group: (len(group), sum(_merit(found[i]) for i in group)))
    turn = _frame_turn([placed[i] for i in largest], table_to_photo)
    back = homography.similarity(turn, np.zeros(2))
    centres = _settle(placed, size_mm)
    frames = []
    for candidate, centre in zip(found, centres, strict=True):
        middle = homography.apply(_inverse(back), centre)
        rotation = round((candidate.placed.turn_rad - turn) / (np.pi / 2)) % 4 * 90
        width, height = _extent(replace(candidate.placed, turn_rad=np.radians(rotation)), size_mm)
        frames.append((rotation, middle[0] - width / 2, middle[1] - height / 2))
    order = sorted(largest, key=lambda i: (round(frames[i][1] / 10), frames[i][2]))
    origin = np.array(frames[order[0]][1:])

    def pose(i: int, confidence: float) -> CardPose:
        aligned = found[i].aligned
        assert aligned is not None
        rotation, x, y = frames[i]
        return CardPose(
            card=likeness.index.ids[found[i].placed.card],
            rotation=rotation,
            x_mm=round(float(x - origin[0]), 2),
            y_mm=round(float(y - origin[1]), 2),
            card_to_photo=aligned.card_to_photo,
            corners_px=homography.apply(aligned.card_to_photo, homography.rectangle(*size_mm)),
            confidence=confidence,
        )

    poses, doubts = [], []
    for number, i in enumerate(order):
        confidence, options = _judge(found[i], view, likeness)
        poses.append(pose(i, confidence))
        if options:
            doubts.append(CardDoubt(number, options, "These cards look alike here."))
    others = [pose(i, _judge(found[i], view, likeness)[0]) for i in range(len(found)) if i not in largest]
    shift = homography.similarity(0.0, origin)
    return Layout(tuple(poses), table_to_photo @ back @ shift, tuple(others), tuple(doubts))


def _inverse(map_: Array) -> Array:
    return np.asarray(np.linalg.inv(map_), np.float64)


def _merit(candidate: _Candidate) -> float:
    return candidate.aligned.likeness if candidate.aligned else 0.0


def _frame_turn(placed: Sequence[Placed], table_to_photo: Array) -> float:
    """The quarter turn at which most cards are upright; of two as good, the one that is upright in the photo."""
    quarters = [round(card.turn_rad / (np.pi / 2)) % 4 for card in placed]
    middle = np.mean([card.centre_mm for card in placed], axis=0)
    slope = homography.jacobian(table_to_photo, middle[None])[0]

    def merit(quarter: int) -> tuple[int, float]:
        down = slope @ np.array([-np.sin(quarter * np.pi / 2), np.cos(quarter * np.pi / 2)])
        return quarters.count(quarter), float(down[1])

    return max(range(4), key=merit) * np.pi / 2


def _judge(candidate: _Candidate, view: View, likeness: Likeness) -> tuple[float, tuple[str, ...]]:
    """How sure this card is (0..1), and the ids it may be where another is about as like."""
    assert candidate.aligned is not None
    card = candidate.placed.card
    rivals = likeness_at(view, candidate.aligned.card_to_photo, card, likeness)
    nearest = max(rivals.values(), default=-1.0)
    margin = candidate.aligned.likeness - nearest
    confidence = float(np.clip(0.5 + 1.5 * margin, 0, 1) * np.clip(candidate.aligned.likeness / 0.5, 0, 1))
    if margin >= DOUBT_MARGIN:
        return confidence, ()
    names = [card] + [
        rival
        for rival, score in sorted(rivals.items(), key=lambda pair: -pair[1])
        if candidate.aligned.likeness - score < DOUBT_MARGIN
    ]
    return confidence, tuple(likeness.index.ids[number] for number in names)
