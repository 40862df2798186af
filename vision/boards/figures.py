"""Standing pieces on a board: the foot, facing and identity of folded figures and turned pawns.

A standing piece hides a part of the board behind its foot, as seen from the camera. Each piece is therefore
projected onto the board at each place and rotation (a sprite). A pose is scored by the residual of the bare
board that its sprite explains.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.boards.art import BoardArt, Cell
from vision.boards.figure_fit import Stand, Standing

#: Least share of the residual that a sprite must explain.
LEAST_GAIN = 0.35
#: The same in the first passes, and for pieces in regions taken for obstacles.
PLAIN_GAIN = 0.5
#: The same in the last pass, where few pieces are left; the confidence then decides.
FAINT_GAIN = 0.2
#: Share of a piece within obstacles from which its confidence is limited, and that limit.
IN_A_HAND, HAND_SURE = 0.6, 0.5
#: Least residual explained, in levels per pixel of the piece's side.
LEAST_LEVELS = 5.0
#: Number of poses refined for each piece, at first and for pieces not yet found.
CLOSELY, CLOSER = 3, 8
#: Confidence below which a piece waits until surer pieces are found.
TOLD_AT_ONCE = 0.3
#: Least lead, in explained share, by which turned pawns fit better than folded figures; clearer pieces weigh
#: more. It was right on 53 of 54 tables, 23 of them with turned pawns (`tuning-labyrinth2`).
PAWNS_LEAD = 0.12
#: Largest distance (cells) from its foot at which a standing piece hides the board.
HIDES = 2.2


@dataclass(frozen=True)
class Sure:
    """Features by which the confidence of a standing piece is estimated.

    `gain` (0..1) and `density` (levels per pixel) are the residual that it explains, `size` the area of its
    side in cells, `shown` its visible share. `lead` is the margin over another piece there, `lead_elsewhere`
    that over the same piece elsewhere. `edge_mm` is the distance from its cell's edge.
    """

    gain: float
    density: float
    size: float
    shown: float
    lead: float
    lead_elsewhere: float
    edge_mm: float

    @property
    def confidence(self) -> float:
        """Probability, 0 to 1, that the piece and its cell are right.

        It is a logistic fit to 319 figures that were read in 54 photos of `tuning-labyrinth2`, 24 of them
        wrong. Fitted to half of the photos, it gave 0.9 or more to 96% of the right figures of the other
        half, and to 2 of 24 wrong ones.
        """
        odds = (
            2.13 * self.gain
            + 4.49 * np.log(max(self.density, 1.0))
            + 1.21 * np.log(self.size)
            + 16.48 * np.clip(self.lead, 0, 0.4)
            + 5.35 * np.clip(self.lead_elsewhere, 0, 0.5)
            + 13.3 * self.shown
            + 2.21 * min(self.edge_mm, 8.0)
            - 47.52
        )
        return float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


@dataclass(frozen=True)
class StandSight:
    """A standing piece that was found.

    `confidence` (0..1) is for the piece and its cell; `facing` has the probabilities that it faces the top,
    right, bottom and left; `others` are pieces that it may be instead.
    """

    stand: Stand
    confidence: float
    facing: tuple[float, float, float, float]
    others: tuple[int, ...] = ()


def read_standing(look: Standing, but: Collection[int] = ()) -> list[StandSight]:
    """The standing pieces found on the board `but` for some, those with the strongest evidence first."""
    search = _Search(look, but)
    found = search.find_all(PLAIN_GAIN)
    search.closely = CLOSER
    found += search.find_all(PLAIN_GAIN)
    found += search.find_all(LEAST_GAIN)
    if search.left and look.obstacles.any():
        look.put_obstacles_back()
        search.look_again(list(look.art.cells))
        found += [_doubted(each, look) for each in search.find_all(PLAIN_GAIN)]
        look.take_obstacles_out()
        search.look_again(list(look.art.cells))
    return found + search.find_all(FAINT_GAIN, 0.0)


def _doubted(sight: StandSight, look: Standing) -> StandSight:
    """A piece found in a region taken for an obstacle, with lower confidence: a finger fits as well as a
    figure."""
    if look.share_of_obstacles(sight.stand) < IN_A_HAND:
        return sight
    return replace(sight, confidence=min(sight.confidence, HAND_SURE))


class _Search:
    """State of the search: the pieces not yet found (`left`), and the candidate poses of each piece."""

    def __init__(self, look: Standing, but: Collection[int] = ()) -> None:
        self.look = look
        self.closely = CLOSELY
        self.left = set(range(len(look.art.standing))) - set(but)
        self.settled: dict[Stand, Stand] = {}
        cells = self._open(look.art.cells)
        if but:  # a turned pawn has no art by which it could be told
            look.pawns = False
            self.stands = {piece: look.best_stands(piece, cells) for piece in self.left}
            return
        as_pawns: dict[bool, dict[int, list[Stand]]] = {}
        for pawns in (True, False):
            look.pawns = pawns
            own = [piece for piece in self.left if not pawns or look.art.standing[piece].pawn]
            as_pawns[pawns] = {piece: look.best_stands(piece, cells) for piece in own}
        look.pawns = self._are_pawns(as_pawns)
        self.stands = as_pawns[False] | (as_pawns[True] if look.pawns else {})

    def _open(self, cells: Sequence[Cell]) -> list[Cell]:
        return [cell for cell in cells if len(self.look.feet_in(cell))]

    def _settle(self, stand: Stand) -> Stand:
        if stand not in self.settled:
            self.settled[stand] = self.look.settle(stand)
        return self.settled[stand]

    def likeliest(self, piece: int, least: float) -> Stand | None:
        """The most plausible pose of a piece after refinement, or None if no pose explains enough."""
        ranked = sorted(self.stands[piece], key=lambda stand: -stand.levels)[: self.closely]
        places = [self._settle(stand) for stand in ranked]
        enough = LEAST_LEVELS * self.look.area_px(piece)
        told = [stand for stand in places if stand.gain >= least and stand.levels >= enough]
        return max(told, key=self._plainness) if told else None

    def _plainness(self, stand: Stand) -> float:
        """Plausibility score of a pose, from its gain, the residual explained per pixel, its visible share
        and its distance from the cell's edge.

        The total explained is not enough: over a hand, or where little is visible, much is explained badly.
        """
        look = self.look
        density = max(stand.levels / look.area_px(stand.piece), 1.0)
        edge = min(look.edge_mm(stand.foot_mm), 8.0)
        return 16 * stand.gain + 4.5 * math.log(density) + 13 * look.shown(stand) + 0.5 * edge

    def _are_pawns(self, stands: dict[bool, dict[int, list[Stand]]]) -> bool:
        """Whether the explorers on a table are turned pawns; all pieces of a set are of the same kind.

        For pawns, the hue of a pawn explains more than the picture of a folded figure does.
        """
        leads = []
        for piece in stands[True]:
            best = []
            for pawns in (True, False):
                self.stands = stands[pawns]
                best.append(self.likeliest(piece, LEAST_GAIN))
            gains = [stand.gain if stand else LEAST_GAIN for stand in best]
            leads.append((gains[0] - gains[1], max(gains) - LEAST_GAIN))
        weight = sum(plain for _, plain in leads)
        return weight > 0 and sum(lead * plain for lead, plain in leads) / weight > PAWNS_LEAD

    def find_all(self, least: float, sure: float = TOLD_AT_ONCE) -> list[StandSight]:
        """Greedy search: the pieces that explain at least the share `least` with confidence `sure`.

        Each piece found hides what is behind it from the next.
        """
        found: list[StandSight] = []
        while (sight := self._plainest(least, sure)) is not None:
            best = sight.stand
            found.append(sight)
            self.left.discard(best.piece)
            self.look.hide(best)
            away = np.array([(np.array(cell) + 0.5) * self.look.art.cell_mm for cell in self.look.art.cells])
            near = np.hypot(*(away - best.foot_mm).T) < HIDES * self.look.art.cell_mm
            self.look_again(
                [cell for cell, is_near in zip(self.look.art.cells, near, strict=True) if is_near]
            )
        return found

    def _plainest(self, least: float, sure: float) -> StandSight | None:
        """The piece with the highest score among those that are confident enough at their likeliest pose."""
        places = [self.likeliest(piece, least) for piece in sorted(self.left)]
        told = sorted((stand for stand in places if stand is not None), key=_worth, reverse=True)
        if not sure:
            return max(map(self.sighted, told), key=lambda sight: sight.confidence, default=None)
        return next((sight for sight in map(self.sighted, told) if sight.confidence >= sure), None)

    def sighted(self, best: Stand) -> StandSight:
        """A pose with its confidence, its facing and the other pieces that fit nearly as well."""
        look, left = self.look, self.left
        rivals: list[tuple[float, int]] = []
        for piece in left - {best.piece}:
            near = [s for s in self.stands[piece] if np.hypot(*(np.subtract(s.foot_mm, best.foot_mm))) < 25]
            if near:
                closest = self._settle(max(near, key=lambda s: s.levels))
                rivals.append((closest.levels, piece))
        rivals.sort(reverse=True)
        away = [
            self._settle(stand)
            for stand in sorted(self.stands[best.piece], key=lambda stand: -stand.levels)[: self.closely]
            if np.hypot(*(np.subtract(stand.foot_mm, best.foot_mm))) >= 25
        ]
        evidence = self._evidence(
            best,
            lead=1 - (rivals[0][0] if rivals else 0.0) / max(best.levels, 1.0),
            lead_elsewhere=1 - max((_worth(each) for each in away), default=0.0) / max(_worth(best), 1.0),
        )
        others = tuple(piece for levels, piece in rivals if levels > 0.8 * best.levels)
        looks = look.art.standing[best.piece].looks
        facing = look.facings(best) if looks else (0.25, 0.25, 0.25, 0.25)
        return StandSight(best, evidence.confidence, facing, others)

    def _evidence(self, stand: Stand, lead: float, lead_elsewhere: float) -> Sure:
        look, area = self.look, self.look.area_px(stand.piece)
        return Sure(
            gain=stand.gain,
            density=stand.levels / area,
            size=area / (look.art.cell_mm * look.scale) ** 2,
            shown=look.shown(stand),
            lead=lead,
            lead_elsewhere=lead_elsewhere,
            edge_mm=look.edge_mm(stand.foot_mm),
        )

    def look_again(self, cells: Sequence[Cell]) -> None:
        """Recomputes the candidate poses of all remaining pieces in cells whose residual has changed."""
        again = self._open(cells)
        for piece in self.left:
            kept = [stand for stand in self.stands[piece] if _cell(stand, self.look.art) not in cells]
            self.stands[piece] = kept + self.look.best_stands(piece, again)


def _worth(stand: Stand) -> float:
    """Score of a pose: the residual that it explains, weighted by how well it explains it."""
    return stand.levels * stand.gain


def _cell(stand: Stand, art: BoardArt) -> Cell:
    column, row = (int(at // art.cell_mm) for at in stand.foot_mm)
    return min(max(column, 0), art.columns - 1), min(max(row, 0), art.rows - 1)
