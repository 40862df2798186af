"""Pawns and figures of one shape in several colours: detected by shape, identified by colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.boards.art import Cell, Flat
from vision.boards.expected import Expected, colour_planes
from vision.boards.figure_fit import PALE, SAME_HUE, Stand, Standing
from vision.boards.figures import StandSight, read_standing
from vision.boards.sprites import Sprite, sprite_of

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# First values, by eye on three photos of `tuning-stone-dragon`.

#: Residual (levels) at which a pixel surely differs from the board, and least filled share of a body's
#: outline.
SURELY, FILLED = 46.0, 0.52
#: Costs of the part of the outline that is not filled, and of residual just outside it.
EMPTY, BEYOND = 0.45, 0.55
#: Sizes tried (relative to the art), number of rotations tried, and largest number of bodies.
PAWN_SIZES, TURNS, MOST = (0.9, 1.08), 6, 8
#: Difference in hue (degrees), lack of chroma and difference in brightness (levels) that cost 1 each.
HUE_DEG, CHROMA, BRIGHT = 20.0, 15.0, 10.0
#: Distance (mm) from the cell's edge below which a foot may be meant to stand in the next cell.
NEAR_EDGE_MM = 4.0


@dataclass(frozen=True)
class Body:
    """A detected pawn shape: its foot (mm), its rotation, its sprite, the share of it that is filled, and its
    score."""

    foot_mm: tuple[float, float]
    turn: float
    sprite: Sprite
    filled: float
    worth: float


def bodies_of(look: Standing, shape: Flat, unlike: Floats, *, pawn: bool, most: int = MOST) -> list[Body]:
    """Detections of one shape in the residual `unlike` (0..1), highest score first.

    The residual that a detection explains is removed from `unlike`.
    """
    cells = [(cell, feet) for cell in look.art.cells if len(feet := look.feet_in(cell))]
    shapes = _shapes(shape, pawn=pawn)
    sprites: dict[tuple[Cell, int], Sprite] = {}
    for cell, _ in cells:
        x, y = (np.array(cell) + 0.5) * look.art.cell_mm
        for number, (piece, turn) in enumerate(shapes):
            sprites[cell, number] = sprite_of(piece, (float(x), float(y)), turn, pawn, look.eye, look.scale)
    best: dict[Cell, Body | None] = {}
    found: list[Body] = []
    for _ in range(most):
        for cell, feet in cells:
            if cell not in best:
                best[cell] = _best_in(
                    look, unlike, feet, [(sprites[cell, k], shapes[k][1]) for k in range(len(shapes))]
                )
        plain = [body for body in best.values() if body is not None]
        if not plain:
            break
        top = max(plain, key=lambda body: body.worth)
        found.append(top)
        _take_out(look, unlike, top)
        near = 1.7 * look.art.cell_mm
        for cell, _ in cells:
            if np.hypot(*((np.array(cell) + 0.5) * look.art.cell_mm - top.foot_mm)) < near:
                best.pop(cell, None)
    return found


def _shapes(shape: Flat, *, pawn: bool) -> list[tuple[Flat, float]]:
    """The sizes and rotations (radians) of a shape to try."""
    if not pawn:
        return [(shape, np.pi * k / TURNS) for k in range(TURNS)]
    width, height = shape.size_mm
    return [(replace(shape, size_mm=(width * size, height * size)), 0.0) for size in PAWN_SIZES]


def _best_in(
    look: Standing, unlike: Floats, feet: Array, sprites: Sequence[tuple[Sprite, float]]
) -> Body | None:
    best: Body | None = None
    at = look.px(feet)
    height, width = unlike.shape
    for sprite, turn in sprites:
        if not len(sprite.at):
            continue
        x = (at[:, None, 0] + sprite.at[None, :, 0]).clip(0, width - 1)
        y = (at[:, None, 1] + sprite.at[None, :, 1]).clip(0, height - 1)
        inside = unlike[y, x]
        x = (at[:, None, 0] + sprite.rim[None, :, 0]).clip(0, width - 1)
        y = (at[:, None, 1] + sprite.rim[None, :, 1]).clip(0, height - 1)
        beyond = unlike[y, x].mean(axis=1)
        filled = inside.mean(axis=1)
        worth = (filled - EMPTY - BEYOND * beyond) * len(sprite.at)
        k = int(worth.argmax())
        if filled[k] > FILLED and worth[k] > 0 and (best is None or worth[k] > best.worth):
            foot = (float(feet[k][0]), float(feet[k][1]))
            best = Body(foot, turn, sprite, float(filled[k]), float(worth[k]))
    return best


def pixels_of(look: Standing, body: Body) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows (n,) and columns (n,) of the pixels that a body hides."""
    at = body.sprite.at + look.px(np.asarray(body.foot_mm))
    height, width = look.unlike.shape
    return at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)


def _take_out(look: Standing, unlike: Floats, body: Body) -> None:
    """Sets the residual that a body explains, and a small margin around it, to 0."""
    mask = np.zeros(unlike.shape, np.uint8)
    mask[pixels_of(look, body)] = 1
    unlike[cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0] = 0


def strong_colour(planes: Floats) -> Floats:
    """Median colour (3,) of the half of the pixels with the highest chroma, as brightness and colour
    differences."""
    chroma = np.linalg.norm(planes[:, 1:], axis=1)
    return np.asarray(np.median(planes[chroma >= np.median(chroma)], axis=0), np.float32)


def colour_cost(seen: Floats, own: Floats) -> float:
    """Cost of identifying a seen colour with a piece's own colour; 0 for equal hues."""
    strength, theirs = float(np.linalg.norm(seen[1:])), float(np.linalg.norm(own[1:]))
    if theirs < PALE:
        return max(0.0, strength - PALE / 2) / CHROMA + abs(float(seen[0] - own[0])) / (3 * BRIGHT)
    turn = np.degrees(np.arccos(np.clip(float(seen[1:] @ own[1:]) / max(strength * theirs, 1e-3), -1, 1)))
    return float(turn) / HUE_DEG + max(0.0, PALE - strength) / CHROMA


# Tuned on 131 figures of 44 photos (`tuning-ice-and-idols` 0 to 13, 16 to 33 in glare, 300 to 323): 121 are
# told rightly, by shape alone 111; none of 108 that are sure is wrong, by shape alone 4 of 107.

#: Largest number of bodies examined, as print in bad light yields many false ones.
MOST_FIGURES = 12
#: Chroma (levels) that a figure's colour must exceed the print's of that hue by, and the further excess at
#: full confidence.
STRONGER, SURELY_STRONGER = 12.0, 25.0
#: Weight of the filled share in a body's score, and the constant in favour of a figure.
WORTH, THERE = 12.0, 1.5
#: Discount of a body's pixels that have another figure's colour.
ANOTHERS = 0.8
#: Lead over the next figure, and over the next body, at full confidence.
FIGURE_LEAD = 2.0
#: Confidence from which a figure is read by its colour alone. Of 74 such figures in 22 photos of
#: `tuning-stone-dragon` (3000 to 3023) none was wrong.
SURE_BY_COLOUR = 0.8


@dataclass(frozen=True)
class _Told:
    """An assignment of bodies to figures: index pairs, and the scores (`worth`: bodies, figures) behind
    it."""

    turned: bool
    bodies: list[Body]
    worth: Array
    pairs: list[tuple[int, int]]

    @property
    def total(self) -> float:
        return float(sum(self.worth[pair] for pair in self.pairs))


def read_coloured(look: Standing, expected: Expected) -> list[StandSight]:
    """The coloured figures found on a board by their colours; each figure is found once at most."""
    found = _by_colour(look, expected)
    for sight in found:
        look.hide(sight.stand)
    return found


def read_figures(look: Standing, expected: Expected) -> list[StandSight]:
    """The coloured figures found on a board: by colour, and what colour leaves in doubt by the figures' art.
    What hides a part of a figure is known by then, and figures of little colour have their art alone."""
    found = _by_colour(look, expected)
    sure = [sight for sight in found if sight.confidence >= SURE_BY_COLOUR]
    sure = [sight if sight.stand.pawn else replace(sight, stand=look.settle(sight.stand)) for sight in sure]
    for sight in sure:
        look.hide(sight.stand)
    sure += read_standing(look, [sight.stand.piece for sight in sure])
    told = {sight.stand.piece for sight in sure}
    weak = [sight for sight in found if sight.stand.piece not in told]
    for sight in weak:
        look.hide(sight.stand)
    return [*sure, *weak]


def _by_colour(look: Standing, expected: Expected) -> list[StandSight]:
    """The likeliest place of each coloured figure, by one assignment of bodies to figures."""
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
        bodies = bodies_of(look, shape, every.copy(), pawn=turned, most=MOST_FIGURES)
        for way, colours in zip(ways, like, strict=True):
            worth = _worths(look, bodies, way, colours, np.minimum(unlike / SURELY, 1.0), own)
            told.append(_Told(turned, bodies, worth, _assigned(worth)))
    look.unlike = unlike
    best = max(told, key=lambda each: each.total)
    look.pawns = best.turned
    return [_sighted(look, best, pair, pieces) for pair in best.pairs]


def _as_print_is(look: Standing, expected: Expected) -> Floats:
    """Colour planes of the photo, scaled to the brightness and white balance of most of the art."""
    there = expected.inside if expected.inside.any() else np.ones_like(expected.inside)
    usual = np.median(expected.seen[there], axis=0) / np.maximum(np.median(expected.art[there], axis=0), 1.0)
    plain = np.asarray(expected.seen / np.maximum(usual, 0.02), np.float32)
    return colour_planes(_wide(look, plain))


def _wide(look: Standing, picture: Floats) -> Floats:
    rim = (look.rim,) * 4
    return np.asarray(cv2.copyMakeBorder(picture, *rim, cv2.BORDER_REPLICATE), np.float32)


def _in_colour(look: Standing, expected: Expected, seen: Floats, own: Sequence[Floats]) -> Floats:
    """Per figure, how surely (0..1) each pixel has its colour more strongly than the print: (figures, h,
    w)."""
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
    """Hue difference (degrees) of colours from a given colour, and their chroma (levels)."""
    strength = np.hypot(planes[..., 1], planes[..., 2])
    alike = (planes[..., 1:] @ own[1:]) / np.maximum(strength * np.linalg.norm(own[1:]), 1e-3)
    return np.degrees(np.arccos(alike.clip(-1, 1))), strength


def _worths(
    look: Standing, bodies: Sequence[Body], seen: Floats, like: Floats, unlike: Floats, own: Sequence[Floats]
) -> Array:
    """Scores (bodies, figures) for each body being each figure; positive where the evidence favours it."""
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
    """The one-to-one assignment of bodies to figures with the highest total score; both may stay
    unassigned."""
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
    confidence = np.clip(leads[0] / FIGURE_LEAD, 0, 1) * np.clip(leads[1] / FIGURE_LEAD, 0, 1)
    least = max(0.0, worth[pair] - FIGURE_LEAD)
    near = [k for k in np.argsort(-worth[row]) if k != column and worth[row, k] > least]
    return StandSight(
        Stand(pieces[column], body.foot_mm, body.turn, told.turned, body.filled, body.worth),
        float(confidence * np.clip(edge / NEAR_EDGE_MM, 0.3, 1)),
        (0.25, 0.25, 0.25, 0.25),
        tuple(pieces[int(k)] for k in near[:2]),
    )
