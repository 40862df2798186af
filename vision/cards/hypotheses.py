"""Card hypotheses on the table plane: sightings and matches -> one plane and candidate poses, by voting.

One card's sighting determines the plane to within a few millimetres around that card. Other sightings that
fit the plane refine it. Every match then votes for the position of its card on the plane, to a few
millimetres. Cards with too few matches for a sighting are found in this way as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.adjacency import collide, off_quarter
from vision.cards.compare import Aligned
from vision.cards.features import Matches, Sighting
from vision.cards.index import CardIndex
from vision.cards.plane import fit_plane
from vision.cards.pose import TablePose
from vision.photo import geometry

Array = NDArray[np.float64]

# The numbers below were tuned on the open deck's cards, 63 x 88 mm, in renders of tables.

#: Largest ratio of sizes at which another sighting lies on a sighting's plane (and the card must be longer
#: than wide there).
SAME_SCALE = 1.3
#: Tolerance of votes for a card's place, on a plane known from sightings, and then in two rounds from all
#: votes.
VOTE_REACH_MM = (7.0, 4.0, 4.0)
#: Tolerance of a match: rotation from a multiple of a right angle, and ratio of sizes.
VOTE_TURN_DEG = 20.0
VOTE_SIZE = 1.5
#: Least weighted votes for a place to be used in fitting the plane, and for it to be compared with the card's
#: art.
FITTING_VOTES = 3.0
LEAST_VOTES = 1.0
#: Misfit in the view's pixels from which a match is weighted down in fitting the plane.
MISFIT_PX = 2.0
#: Largest rotation between cards of one orientation of the tableau.
ORIENTATION_DEG = 6.0


@dataclass(frozen=True)
class Candidate:
    """A card hypothesis: its pose on the table (`placed`), its matches, and its alignment once it has been
    compared.

    `close`: it was identified in a close-up of its visible part, and its whole is little like its art.
    `in_colour`: its colours fit its print under the light estimated from the other cards.
    """

    placed: TablePose
    members: NDArray[np.intp]
    votes: float
    aligned: Aligned | None = None
    close: bool = False
    in_colour: bool = False

    @property
    def likeness(self) -> float:
        """Likeness of the aligned card to its art, -1..1; 0 before it is compared."""
        return self.aligned.likeness if self.aligned else 0.0


def find_candidates(
    seed: Sighting, sightings: Sequence[Sighting], matches: Matches, index: CardIndex, scale: float
) -> tuple[Array, list[Candidate]]:
    """Plane homography (3, 3), table mm to photo px, fitted to `seed` and agreeing sightings, and the
    candidates on it.

    Candidates may overlap; those with the most votes come first. `scale` is the view's.
    """
    table_to_photo = seed.card_to_photo
    seen = _on_plane(table_to_photo, seed, sightings, index)
    table_to_photo, seen = _fit(table_to_photo, seen, matches, scale)
    turn = _orientation(seen)
    table_to_photo = table_to_photo @ geometry.similarity(turn, np.zeros(2))
    seen = [_turned_back(candidate, turn) for candidate in seen]
    voted: list[Candidate] = []
    for reach in VOTE_REACH_MM:
        voted = vote(table_to_photo, matches, index, reach)
        apart = compete([*voted, *seen])
        fitting = [candidate for candidate in apart if candidate.votes >= FITTING_VOTES]
        if fitting:
            table_to_photo, _ = _fit(table_to_photo, fitting, matches, scale)
    candidates = vote(table_to_photo, matches, index, VOTE_REACH_MM[-1])
    # Cards at another angle have no votes in that orientation.
    seen = [
        candidate
        for candidate in seen
        if abs(off_quarter(candidate.placed.turn_rad)) > np.radians(VOTE_TURN_DEG / 2)
    ]
    return table_to_photo, sorted([*candidates, *seen], key=lambda candidate: -candidate.votes)


def vote(table_to_photo: Array, matches: Matches, index: CardIndex, reach_mm: float) -> list[Candidate]:
    """Hough voting: matches vote for the centres of their cards on the plane -> candidates, most votes first.

    Cards are assumed to lie along the frame's axes. A match's own rotation is known to ten degrees only, and
    would blur its vote.
    """
    from_photo = np.asarray(np.linalg.inv(table_to_photo), np.float64)
    at_mm = geometry.apply(from_photo, matches.at_px)
    slopes = geometry.jacobian(from_photo, matches.at_px)
    angle = np.radians(matches.angle_deg)
    heading = np.einsum("nij,nj->ni", slopes, np.column_stack([np.cos(angle), np.sin(angle)]))
    turn = np.arctan2(heading[:, 1], heading[:, 0]) - np.radians(matches.card_angle_deg)
    quarter = np.round(turn / (np.pi / 2)).astype(int)
    off = turn - quarter * (np.pi / 2)
    growth = np.sqrt(np.abs(np.linalg.det(slopes))) * matches.size_px / matches.size_mm
    sound = (np.abs(off) < np.radians(VOTE_TURN_DEG)) & (np.abs(np.log(growth)) < np.log(VOTE_SIZE))
    quarter %= 4
    away = np.array(index.sizes_mm)[matches.card] / 2 - matches.at_mm
    cos, sin = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    turned = np.column_stack([cos * away[:, 0] - sin * away[:, 1], sin * away[:, 0] + cos * away[:, 1]])
    centre = at_mm + turned
    group = matches.card * 4 + quarter
    # Most groups are too small to count as a vote.
    total = np.bincount(group[sound], matches.weight[sound], minlength=4 * len(index.ids))
    order = np.flatnonzero(sound & (total[group] >= LEAST_VOTES))
    order = order[np.argsort(group[order], kind="stable")]
    candidates: list[Candidate] = []
    for mine in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        if not len(mine):
            continue
        card, quarters = divmod(int(group[mine[0]]), 4)
        for _ in range(index.copies[card]):
            if matches.weight[mine].sum() < LEAST_VOTES:
                break
            across, down = centre[mine].T
            across, down = across[:, None] - across, down[:, None] - down
            near = across * across + down * down < reach_mm**2
            votes = near @ matches.weight[mine]
            lead = int(votes.argmax())
            if votes[lead] < LEAST_VOTES:
                break
            members = mine[near[lead]]
            x, y = np.average(centre[members], axis=0, weights=matches.weight[members])
            placed = TablePose(card, (float(x), float(y)), quarters * np.pi / 2, index.sizes_mm[card])
            candidates.append(Candidate(placed, members, float(votes[lead])))
            mine = mine[~near[lead]]
    return sorted(candidates, key=lambda candidate: -candidate.votes)


def compete(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Non-maximum suppression: of candidates that overlap, only the first is kept; the input is sorted best
    first."""
    kept: list[Candidate] = []
    for candidate in candidates:
        if not any(collide(candidate.placed, other.placed) for other in kept):
            kept.append(candidate)
    return kept


def _on_plane(
    table_to_photo: Array, seed: Sighting, sightings: Sequence[Sighting], index: CardIndex
) -> list[Candidate]:
    """Candidates from the sightings with a plausible size and shape on the plane of `seed`, which comes
    first."""
    seen = []
    for sighting in (seed, *(other for other in sightings if other is not seed)):
        placed = lying_on(table_to_photo, sighting, index)
        if placed is not None:
            seen.append(Candidate(placed, sighting.inliers, sighting.support))
    return compete(seen)


def lying_on(table_to_photo: Array, sighting: Sighting, index: CardIndex) -> TablePose | None:
    """Pose of a sighted card on a plane (3, 3), table mm to photo px; None if its size or shape does not fit
    the plane."""
    size_mm = index.sizes_mm[sighting.card]
    middle = np.asarray(size_mm) / 2
    to_table = np.asarray(np.linalg.solve(table_to_photo, sighting.card_to_photo))
    centre = geometry.apply(to_table, middle)
    slope = geometry.jacobian(to_table, middle[None])[0]
    growth = np.linalg.svd(slope, compute_uv=False)
    if not (1 / SAME_SCALE < growth[1] <= growth[0] < SAME_SCALE):
        return None
    turn = np.arctan2(slope[1, 0] - slope[0, 1], slope[0, 0] + slope[1, 1])
    return TablePose(sighting.card, (float(centre[0]), float(centre[1])), float(turn), size_mm)


def _fit(
    table_to_photo: Array, candidates: Sequence[Candidate], matches: Matches, scale: float
) -> tuple[Array, list[Candidate]]:
    plane = fit_plane(
        table_to_photo,
        [candidate.placed for candidate in candidates],
        [matches.at_mm[candidate.members] for candidate in candidates],
        [matches.at_px[candidate.members] for candidate in candidates],
        huber_px=MISFIT_PX / scale,
    )
    placed = zip(candidates, plane.placed, strict=True)
    return plane.table_to_photo, [Candidate(at, one.members, one.votes) for one, at in placed]


def _orientation(seen: Sequence[Candidate]) -> float:
    """Dominant rotation of the cards, in radians from the nearest quarter turn."""
    off = np.array([off_quarter(candidate.placed.turn_rad) for candidate in seen])
    votes = np.array([candidate.votes for candidate in seen])
    apart = (off[:, None] - off[None] + np.pi / 4) % (np.pi / 2) - np.pi / 4
    near = np.abs(apart) < np.radians(ORIENTATION_DEG)
    # Number of cards first, then votes: a single unmarked card must not outvote a tableau full of ink.
    lead = int((near.sum(axis=1) + near @ votes / (1 + votes.sum())).argmax())
    return float(off[lead] - np.average(apart[lead][near[lead]], weights=votes[near[lead]]))


def _turned_back(candidate: Candidate, turn: float) -> Candidate:
    """The candidate's pose in a frame rotated by `turn` radians."""
    back = geometry.similarity(-turn, np.zeros(2))
    x, y = geometry.apply(back, np.asarray(candidate.placed.centre_mm))
    turned = candidate.placed.turn_rad - turn
    placed = replace(candidate.placed, centre_mm=(float(x), float(y)), turn_rad=turned)
    return Candidate(placed, candidate.members, candidate.votes)
