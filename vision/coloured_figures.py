"""Figures on a board, all of one shape and each of a colour: bodies are looked for in what the bare board
does not explain and in what has a figure's colour where the print has not, so that neither light on the board
nor a hand beside it hides one; which body is whom, and who is not to be seen, is told of all together.

Standing figures have none of the light that the board mirrors: their colours are looked at in the light of
most of the board, once without its veil and once with it, and the likelier way counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.expected_board import Expected, colour_planes
from vision.pawns import (
    BEYOND,
    EMPTY,
    NEAR_EDGE_MM,
    SURELY,
    Body,
    bodies_of,
    colour_cost,
    pixels_of,
    strong_colour,
)
from vision.standing import StandSight
from vision.standing_fit import SAME_HUE, Stand, Standing

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# Tuned on 131 figures of 44 photos (`tuning-ice-and-idols` 0 to 13, 16 to 33 in glare, 300 to 323): 121 are
# told rightly, by shape alone 111; none of 108 that are sure is wrong, by shape alone 4 of 107.

#: So many bodies are looked at: print in bad light makes many.
MOST = 12
#: A colour has to be so much stronger (levels) than the print's of that hue, and is surely a figure's where
#: it is stronger by the second more.
STRONGER, SURELY_STRONGER = 12.0, 25.0
#: What one body is worth, from how much of it is filled; and what speaks for its being one, before that.
WORTH, THERE = 12.0, 1.5
#: Of a body's pixels those in another's colour count so little.
ANOTHERS = 0.8
#: A figure that leads the next body, and a body that leads the next figure, by so much is sure.
LEAD = 2.0


@dataclass(frozen=True)
class _Told:
    """Which body is which figure, by their numbers (`pairs`), and the `worth` (bodies, figures) of each."""

    turned: bool
    bodies: list[Body]
    worth: Array
    pairs: list[tuple[int, int]]

    @property
    def total(self) -> float:
        return float(sum(self.worth[pair] for pair in self.pairs))


def read_coloured(look: Standing, expected: Expected) -> list[StandSight]:
    """The coloured figures that are seen on a board, each once."""
    pieces = [k for k, piece in enumerate(look.art.standing) if piece.pawn]
    if not pieces:
        return []
    own = [
        strong_colour(colour_planes(look.art.standing[k].picture.reshape(-1, 3).astype(np.float32)))
        for k in pieces
    ]
    ways = [look.unveiled, _as_print_is(look, expected)]
    like = [_in_colour(look, expected, way, own) for way in ways]
    unlike = look.unlike
    every = np.maximum(np.minimum(unlike / SURELY, 1.0), np.max([each.max(axis=0) for each in like], axis=0))
    look.unlike = np.asarray(every * SURELY, np.float32)
    look.explain(np.zeros((0, 2), np.int64))
    shape = look.art.standing[pieces[0]]
    told = []
    for turned in (True, False):
        bodies = bodies_of(look, shape, every.copy(), pawn=turned, most=MOST)
        for way, colours in zip(ways, like, strict=True):
            worth = _worths(look, bodies, way, colours, np.minimum(unlike / SURELY, 1.0), own)
            told.append(_Told(turned, bodies, worth, _assigned(worth)))
    look.unlike = unlike
    best = max(told, key=lambda each: each.total)
    look.pawns = best.turned
    found = [_sighted(look, best, pair, pieces) for pair in best.pairs]
    for sight in found:
        look.hide(sight.stand)
    return found


def _as_print_is(look: Standing, expected: Expected) -> Floats:
    """What is seen, as bright and as white as most of the print is in its art: colour planes."""
    there = expected.inside if expected.inside.any() else np.ones_like(expected.inside)
    usual = np.median(expected.seen[there], axis=0) / np.maximum(np.median(expected.art[there], axis=0), 1.0)
    plain = np.asarray(expected.seen / np.maximum(usual, 0.02), np.float32)
    return colour_planes(_wide(look, plain))


def _wide(look: Standing, picture: Floats) -> Floats:
    rim = (look.rim,) * 4
    return np.asarray(cv2.copyMakeBorder(picture, *rim, cv2.BORDER_REPLICATE), np.float32)


def _in_colour(look: Standing, expected: Expected, seen: Floats, own: Sequence[Floats]) -> Floats:
    """(figures, h, w) how surely (0..1) a pixel has a figure's colour, and more of it than the print."""
    print_ = colour_planes(_wide(look, expected.art))
    made = []
    for colour in own:
        off, strength = _hue_off(seen, colour)
        print_off, of_print = _hue_off(print_, colour)
        of_print = cv2.dilate(np.where(print_off < SAME_HUE[1], of_print, 0), np.ones((3, 3), np.uint8))
        same = ((SAME_HUE[1] - off) / (SAME_HUE[1] - SAME_HUE[0])).clip(0, 1)
        made.append(same * ((strength - of_print - STRONGER) / SURELY_STRONGER).clip(0, 1))
    return np.asarray(np.stack(made) * look.open, np.float32)


def _hue_off(planes: Floats, own: Floats) -> tuple[Floats, Floats]:
    """How far (degrees) colours are off a colour's hue, and how strong they are (levels)."""
    strength = np.hypot(planes[..., 1], planes[..., 2])
    alike = (planes[..., 1:] @ own[1:]) / np.maximum(strength * np.linalg.norm(own[1:]), 1e-3)
    return np.degrees(np.arccos(alike.clip(-1, 1))), strength


def _worths(
    look: Standing, bodies: Sequence[Body], seen: Floats, like: Floats, unlike: Floats, own: Sequence[Floats]
) -> Array:
    """(bodies, figures) what speaks for each body to be each figure, above 0 where anything does."""
    made = np.zeros((len(bodies), len(own)))
    height, width = unlike.shape
    every = np.maximum(unlike, like.max(axis=0))
    for row, body in enumerate(bodies):
        at = pixels_of(look, body)
        rim = body.sprite.rim + look.px(np.asarray(body.foot_mm))
        beyond = rim[:, 1].clip(0, height - 1), rim[:, 0].clip(0, width - 1)
        surely = every[at] > 0.5
        planes = [each[at][surely] if surely.sum() > 10 else each[at] for each in (look.seen, seen)]
        for column, colour in enumerate(own):
            mine, others = like[column][at], np.delete(like, column, axis=0)[:, *at]
            another = others.max(axis=0) if len(others) else np.zeros_like(mine)
            filled = np.maximum(mine, unlike[at] * (1 - ANOTHERS * another * (1 - mine))).mean()
            spilt = np.maximum(like[column][beyond], unlike[beyond]).mean()
            off = min(colour_cost(strong_colour(each), colour) for each in planes)
            made[row, column] = WORTH * (filled - EMPTY - BEYOND * spilt) - off + THERE
    return made


def _assigned(worth: Array) -> list[tuple[int, int]]:
    """The bodies with their figures for which most speaks together; a figure need not be there."""
    nobody = np.zeros((len(worth), len(worth)))
    rows, columns = linear_sum_assignment(-np.hstack([worth, nobody]))
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(row, column) for row, column in pairs if column < worth.shape[1]]


def _sighted(look: Standing, told: _Told, pair: tuple[int, int], pieces: Sequence[int]) -> StandSight:
    row, column = pair
    body, worth = told.bodies[row], told.worth
    rivals, elsewhere = np.delete(worth[row], column), np.delete(worth[:, column], row)
    leads = [float(worth[pair] - max([0.0, *each])) for each in (rivals, elsewhere)]
    edge = look.edge_mm(body.foot_mm)
    confidence = np.clip(leads[0] / LEAD, 0, 1) * np.clip(leads[1] / LEAD, 0, 1)
    near = [
        k for k in np.argsort(-worth[row]) if k != column and worth[row, k] > max(0.0, worth[pair] - LEAD)
    ]
    return StandSight(
        Stand(pieces[column], body.foot_mm, body.turn, told.turned, body.filled, body.worth),
        float(confidence * np.clip(edge / NEAR_EDGE_MM, 0.3, 1)),
        (0.25, 0.25, 0.25, 0.25),
        tuple(pieces[int(k)] for k in near[:2]),
    )
