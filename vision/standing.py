"""Pieces that stand on a board: folded figures with a picture on either side, and turned pawns in their
colour. Where each stands (its foot), and to which side it looks.

What stands hides, seen from the camera, a part of the board away from its foot: so each piece, at each place
and turn, is laid onto the board as the camera would see it (a sprite), and a place counts as far as the
sprite explains what the bare board does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_art import BoardArt, Cell, Flat
from vision.expected_board import Expected, colour_planes
from vision.homography import rectangle

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: A folded figure's flaps on the ground, as a share of its height; its foot is open by the other.
FLAP_SHARE, FOOT_SHARE = 0.2, 0.1
#: A difference of more levels than this counts as so many.
MOST_UNLIKE = 80.0
#: The light on a piece's side, compared with the board's; of a pawn, which is round, each pixel has its own,
#: which costs so many levels.
SIDE_LIGHT = (0.35, 2.2)
PAWN_COST = 8.0
#: Hues this near (degrees) are a pawn's own, and those beyond are another's; colours weaker than this
#: (levels) are none.
SAME_HUE, PALE = (14.0, 45.0), 30.0
#: A part so much unlike (levels) that is larger than the first share of a cell, or the second where it comes
#: in over the board's edge, is no piece.
OBSTACLE, LARGEST, AT_THE_EDGE = 24.0, 1.9, 0.75
#: So much of a piece's flaps (share of their area) has to be unexplained about a cell, and in a pawn's hue.
LEAST_FLAPS, LEAST_HUE = 0.5, 0.2
#: Beyond a piece's edge (px) the board is to be seen again: what is not costs so much a pixel of the piece.
RIM_PX, RIM_POINTS, RIM_COST = 4, 40, 0.5
#: Turns that are tried, radians; figures whose sides look alike need half of them.
TURNS = 8
#: Feet are tried so far (share of a cell) from a cell's middle, in steps.
REACH, STEP = 0.36, 0.09
#: Pixels of a sprite that are compared at first, and when a place is settled.
FEW, MANY = 160, 1200
#: A place about which so much (levels) is unexplained, in a box so wide (mm), may be a foot.
ACTIVE, SPOT_MM = 24.0, 9.0
#: A turned pawn's outline: its half width at heights, shares of its height.
PAWN = (
    (0.0, 0.27), (0.07, 0.27), (0.12, 0.22), (0.3, 0.14), (0.55, 0.13), (0.66, 0.16), (0.78, 0.19),
    (0.9, 0.155), (1.0, 0.04),
)  # fmt: skip
#: A sprite explains at least this share of what it hides, of what could be explained.
LEAST_GAIN = 0.35


@dataclass(frozen=True)
class Stand:
    """A piece at a place: its number in `BoardArt.standing`, its foot on the board (mm), its turn (radians,
    clockwise, of the picture's left-to-right), whether it is a turned pawn; `gain`: the share (0..1) of what
    is unlike the bare board that it explains, `levels` the sum."""

    piece: int
    foot_mm: tuple[float, float]
    turn_rad: float
    pawn: bool
    gain: float
    levels: float


@dataclass(frozen=True)
class StandSight:
    """A piece that stands there: `confidence` (0..1) that it is this one and stands in this cell; `facing` by
    how likely (0..1) it looks to the top, right, bottom and left; `others`: pieces that it may be as well."""

    stand: Stand
    confidence: float
    facing: tuple[float, float, float, float]
    others: tuple[int, ...] = ()


@dataclass(frozen=True)
class Sprite:
    """What a piece hides of the board: pixels (n, 2) (x, y) from its foot, and the least and the most (n, 3)
    blue, green and red of its art within a pixel of them; `rim` (m, 2) pixels just beyond its edge."""

    at: NDArray[np.int32]
    low: Floats
    high: Floats
    pawn: bool
    rim: NDArray[np.int32]


def laid_on_board(points_mm: Array, eye_mm: Array) -> Array:
    """(n, 3) points over the board to (n, 2) points of the board that they hide from the camera."""
    down = eye_mm[2] / np.maximum(eye_mm[2] - points_mm[:, 2], 1.0)
    return np.asarray(eye_mm[:2] + (points_mm[:, :2] - eye_mm[:2]) * down[:, None])


def sprite_of(
    piece: Flat, foot_mm: tuple[float, float], turn: float, pawn: bool, eye_mm: Array, px_per_mm: float
) -> Sprite:
    """A piece as the camera sees it there."""
    return (
        _pawn(piece, foot_mm, eye_mm, px_per_mm) if pawn else _folded(piece, foot_mm, turn, eye_mm, px_per_mm)
    )


def _folded(
    piece: Flat, foot_mm: tuple[float, float], turn: float, eye_mm: Array, px_per_mm: float
) -> Sprite:
    width, height = piece.size_mm
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    before = np.array([-right[1], right[0], 0.0])
    foot, up = np.array([*foot_mm, 0.0]), np.array([0.0, 0.0, 1.0])
    half = right * width / 2
    picture = piece.picture
    flap = np.ascontiguousarray(picture[::-1][: max(2, round(len(picture) * FLAP_SHARE))])
    parts: list[tuple[NDArray[np.uint8], Array]] = []
    for side in (1.0, -1.0):
        base = foot + side * before * height * FOOT_SHARE / 2
        far = base + side * before * FLAP_SHARE * height
        parts.append((flap, np.array([base - half, base + half, far + half, far - half])))
    # the side that the camera sees covers the other
    sides = sorted((1.0, -1.0), key=lambda side: float(side * before @ (eye_mm - foot)))
    for side in sides[1:]:
        base = foot + side * before * height * FOOT_SHARE / 2
        crest = foot + up * height
        parts.append((picture, np.array([crest - half, crest + half, base + half, base - half])))
    outlines = [laid_on_board(corners, eye_mm) for _, corners in parts]
    every = (np.concatenate(outlines) - foot_mm) * px_per_mm
    low = np.floor(every.min(axis=0)).astype(int) - 1
    size = np.ceil(every.max(axis=0)).astype(int) + 2 - low
    made = np.zeros((size[1], size[0], 3), np.uint8)
    mask = np.zeros((size[1], size[0]), np.uint8)
    for (art, _), outline in zip(parts, outlines, strict=True):
        corners = ((outline - foot_mm) * px_per_mm - low - 0.5).astype(np.float32)
        if abs(cv2.contourArea(corners)) < 4:
            continue
        frame = (rectangle(art.shape[1], art.shape[0]) - 0.5).astype(np.float32)
        seen = cv2.warpPerspective(
            art,
            cv2.getPerspectiveTransform(frame, corners),
            (int(size[0]), int(size[1])),
            flags=cv2.INTER_AREA,
        )
        own = np.zeros_like(mask)
        cv2.fillConvexPoly(own, np.round(corners).astype(np.int32), 1)
        made[own > 0] = seen[own > 0]
        mask |= own
    ys, xs = np.nonzero(mask)
    at = np.column_stack([xs + low[0], ys + low[1]]).astype(np.int32)
    kernel = np.ones((3, 3), np.uint8)
    # beyond its edge there is none of it
    beyond = np.where(mask[..., None] > 0, made, 255).astype(np.uint8)
    low_of, high_of = cv2.erode(beyond, kernel), cv2.dilate(made, kernel)
    of = low_of[ys, xs].astype(np.float32), high_of[ys, xs].astype(np.float32)
    return Sprite(at, *of, False, _rim(mask, low))


def _pawn(piece: Flat, foot_mm: tuple[float, float], eye_mm: Array, px_per_mm: float) -> Sprite:
    height = piece.size_mm[1]
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    rings = [
        laid_on_board(
            np.column_stack([np.asarray(foot_mm) + circle * share * height, np.full(12, at * height)]), eye_mm
        )
        for at, share in PAWN
    ]
    every = (np.concatenate(rings) - foot_mm) * px_per_mm
    low = np.floor(every.min(axis=0)).astype(int) - 1
    size = np.ceil(every.max(axis=0)).astype(int) + 2 - low
    mask = np.zeros((size[1], size[0]), np.uint8)
    for one, other in pairwise(rings):
        both = ((np.concatenate([one, other]) - foot_mm) * px_per_mm - low).astype(np.float32)
        cv2.fillConvexPoly(mask, np.round(cv2.convexHull(both)[:, 0]).astype(np.int32), 1)
    ys, xs = np.nonzero(mask)
    at = np.column_stack([xs + low[0], ys + low[1]]).astype(np.int32)
    colours = np.tile(own_colour(piece), (len(at), 1)).astype(np.float32)
    return Sprite(at, colours, colours, True, _rim(mask, low))


def _rim(mask: NDArray[np.uint8], low: NDArray[np.int64]) -> NDArray[np.int32]:
    """(m, 2) pixels a little beyond what a mask covers, which begins at `low`."""
    wide = cv2.copyMakeBorder(mask, RIM_PX, RIM_PX, RIM_PX, RIM_PX, cv2.BORDER_CONSTANT, value=0)
    outer = cv2.dilate(wide, np.ones((2 * RIM_PX + 1,) * 2, np.uint8))
    inner = cv2.dilate(wide, np.ones((2 * RIM_PX - 3,) * 2, np.uint8))
    ys, xs = np.nonzero(outer - inner)
    return np.column_stack([xs + low[0] - RIM_PX, ys + low[1] - RIM_PX]).astype(np.int32)


def own_colour(piece: Flat) -> Floats:
    """The colour (blue, green, red) in which a piece is painted: the middle of its most coloured half."""
    pixels = piece.picture.reshape(-1, 3).astype(np.float32)
    strong = pixels.max(axis=1) - pixels.min(axis=1)
    return np.asarray(np.median(pixels[strong >= np.median(strong)], axis=0), np.float32)


class Standing:
    """Looks for standing pieces on one board, as it is seen."""

    def __init__(self, expected: Expected, art: BoardArt, eye_mm: Array) -> None:
        self.art, self.eye = art, eye_mm
        self.scale, self.origin = expected.px_per_mm, np.asarray(expected.origin_mm)
        rim = round(70 * self.scale)
        self.rim = rim

        def wide(picture: NDArray[np.floating]) -> Floats:
            made = cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
            return np.asarray(made, np.float32)

        self.seen = colour_planes(wide(expected.plain))
        self.unveiled = colour_planes(wide(expected.unveiled))
        self.glare = wide(expected.glare.astype(np.float32)) > 0
        inside = cv2.copyMakeBorder(
            expected.inside.astype(np.float32), rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0
        )
        #: What no piece explains so far.
        self.unlike = np.minimum(wide(expected.unlike), MOST_UNLIKE) * inside
        #: What lies over the board and is no piece, a hand: nobody sees what is under it.
        self.obstacles = self._take_out_obstacles(expected.inside.shape)
        self.explained = np.zeros(self.unlike.shape, bool)
        #: Where standing pieces were found to hide the board.
        self.standing = np.zeros(self.unlike.shape, bool)
        #: Which pieces are turned pawns on this table; None: not told yet.
        self.pawns: bool | None = None
        self._sprites: dict[tuple[int, Cell, float, bool], Sprite] = {}
        self._spots = self._look_for_spots()

    def px(self, at_mm: Array) -> NDArray[np.int64]:
        """Pixels of points of the board."""
        at = np.round((np.asarray(at_mm) - self.origin) * self.scale - 0.5).astype(np.int64)
        return np.asarray(at + self.rim)

    def _take_out_obstacles(self, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Where what is unexplained hangs together in a part that is larger than any piece, or comes in over
        the board's edge: taken out of what pieces may explain."""
        inner = self.unlike[self.rim : self.rim + size[0], self.rim : self.rim + size[1]]
        rough = (cv2.blur(inner, (3, 3)) > OBSTACLE).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            cv2.morphologyEx(rough, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        )
        made = np.zeros(self.unlike.shape, bool)
        cell = (self.art.cell_mm * self.scale) ** 2
        frame = -np.asarray(self.art.ground_mm[:2]) * self.scale
        for number in range(1, count):
            left, top, width, height, area = stats[number].tolist()
            outer = left < 4 or top < 4 or left + width > size[1] - 4 or top + height > size[0] - 4
            deep = max(width, height) > max(frame.max(), 1.0) * 1.3
            if area > LARGEST * cell or (outer and deep and area > AT_THE_EDGE * cell):
                part = cv2.dilate((labels == number).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
                made[self.rim : self.rim + size[0], self.rim : self.rim + size[1]] |= part
        self.unlike[made] = 0
        return made

    def _look_for_spots(self) -> Floats:
        """How much is unexplained about each pixel, in a box as large as a foot."""
        size = max(3, round(SPOT_MM * self.scale)) | 1
        return np.asarray(cv2.blur(self.unlike, (size, size)), np.float32)

    def feet_in(self, cell: Cell) -> Array:
        """(n, 2) places (mm) in a cell at which something may stand: enough is unexplained about them."""
        offsets = np.arange(-REACH, REACH + 1e-6, STEP) * self.art.cell_mm
        shifts = np.array([(x, y) for y in offsets for x in offsets])
        feet = (np.array(cell) + 0.5) * self.art.cell_mm + shifts
        at = self.px(feet)
        return np.asarray(feet[self._spots[at[:, 1], at[:, 0]] > ACTIVE])

    def explain(self, at: NDArray[np.int64]) -> None:
        """What lies there is explained: (n, 2) pixels."""
        x, y = at[:, 0].clip(0, self.unlike.shape[1] - 1), at[:, 1].clip(0, self.unlike.shape[0] - 1)
        self.unlike[y, x] = 0
        self.explained[y, x] = True
        self._spots = self._look_for_spots()

    def hidden_shares(self, xs_mm: Array, ys_mm: Array) -> Floats:
        """Of points of the board (any shape), 1 where a piece that was found covers them, else 0."""
        at = self.px(np.stack([xs_mm, ys_mm], axis=-1))
        height, width = self.explained.shape
        x, y = at[..., 0].clip(0, width - 1), at[..., 1].clip(0, height - 1)
        return np.asarray(self.standing[y, x], np.float32)

    def is_explained(self, at_mm: tuple[float, float]) -> bool:
        """Whether a point lies under a piece that was found."""
        x, y = self.px(np.asarray(at_mm))
        return bool(self.explained[y, x])

    def weigh(self, sprite: Sprite, feet_px: NDArray[np.int64], most: int) -> tuple[Floats, Floats]:
        """Of a sprite at feet (m, 2): what it explains of what it hides (levels a pixel), and as a share of
        what could be."""
        step = max(1, len(sprite.at) // most)
        at = sprite.at[::step]
        x = (feet_px[:, None, 0] + at[None, :, 0]).clip(0, self.unlike.shape[1] - 1)
        y = (feet_px[:, None, 1] + at[None, :, 1]).clip(0, self.unlike.shape[0] - 1)
        before = self.unlike[y, x].mean(axis=1)
        rest = _rest(sprite, step, self.seen[y, x])
        middle = feet_px[len(feet_px) // 2]
        if self.glare[middle[1], middle[0]]:
            # glare on the board is none on what stands there
            rest = np.minimum(rest, _rest(sprite, step, self.unveiled[y, x]))
        # what is larger than the piece is no piece: a hand
        rim = sprite.rim[:: max(1, len(sprite.rim) // RIM_POINTS)]
        x = (feet_px[:, None, 0] + rim[None, :, 0]).clip(0, self.unlike.shape[1] - 1)
        y = (feet_px[:, None, 1] + rim[None, :, 1]).clip(0, self.unlike.shape[0] - 1)
        beyond = RIM_COST * self.unlike[y, x].mean(axis=1)
        levels, share = (
            (before - rest - beyond) * len(sprite.at),
            1 - (rest + beyond) / np.maximum(before, 8.0),
        )
        return levels.astype(np.float32), share.astype(np.float32)

    def best_stands(self, piece: int, cells: Sequence[Cell]) -> list[Stand]:
        """The best place of a piece in each of the cells."""
        own = self.art.standing[piece]
        found = []
        for cell in cells:
            feet = self.feet_in(cell)
            if not len(feet) or not self._may_stand(own, cell):
                continue
            at = self.px(feet)
            best: Stand | None = None
            for turn, pawn in self._ways(own):
                sprite = self._sprite_in(piece, cell, turn, pawn)
                levels, gain = self.weigh(sprite, at, FEW)
                k = int(levels.argmax())
                if best is None or levels[k] > best.levels:
                    foot = (float(feet[k][0]), float(feet[k][1]))
                    best = Stand(piece, foot, turn, pawn, float(gain[k]), float(levels[k]))
            if best is not None and best.levels > 0:
                found.append(best)
        return found

    def _may_stand(self, piece: Flat, cell: Cell) -> bool:
        """Whether enough is unexplained about a cell for a piece's flaps, and of a pawn in its hue."""
        x, y = self.px((np.array(cell) - 0.5) * self.art.cell_mm)
        side = round(2 * self.art.cell_mm * self.scale)
        at = (slice(max(y, 0), y + side), slice(max(x, 0), x + side))
        open_to = self.unlike[at] > ACTIVE
        width, height = piece.size_mm
        flaps = 2 * FLAP_SHARE * width * height * self.scale**2
        if np.count_nonzero(open_to) < LEAST_FLAPS * flaps:
            return False
        if not piece.pawn:
            return True
        hue = colour_planes(own_colour(piece)[None])[0, 1:]
        alike = _off_colour(self.seen[at][open_to][:, 1:], hue) < MOST_UNLIKE / 2
        return bool(np.count_nonzero(alike) > LEAST_HUE * flaps)

    def _ways(self, piece: Flat) -> list[tuple[float, bool]]:
        """How a piece may stand: its turn, and whether as a turned pawn."""
        turns = [2 * np.pi * k / TURNS for k in range(TURNS if piece.looks else TURNS // 2)]
        folded = [(turn, False) for turn in turns]
        if not piece.pawn or self.pawns is False:
            return folded
        return [(0.0, True)] if self.pawns else [*folded, (0.0, True)]

    def _sprite_in(self, piece: int, cell: Cell, turn: float, pawn: bool) -> Sprite:
        """A piece as it is seen in the middle of a cell; kept."""
        key = piece, cell, turn, pawn
        if key not in self._sprites:
            x, y = (np.array(cell) + 0.5) * self.art.cell_mm
            self._sprites[key] = self._sprite(piece, (float(x), float(y)), turn, pawn)
        return self._sprites[key]

    def _sprite(self, piece: int, foot_mm: tuple[float, float], turn: float, pawn: bool) -> Sprite:
        return sprite_of(self.art.standing[piece], foot_mm, turn, pawn, self.eye, self.scale)

    def settle(self, stand: Stand) -> Stand:
        """A place looked at closely: every half step and finer turns round it."""
        best = stand
        for reach, turns in ((3.0, (-0.26, 0.0, 0.26)), (1.5, (-0.13, 0.0, 0.13))):
            shifts = np.array([(x, y) for y in (-reach, 0, reach) for x in (-reach, 0, reach)])
            start = best
            for turn in turns if not start.pawn else (0.0,):
                at = start.turn_rad + turn
                sprite = self._sprite(start.piece, start.foot_mm, at, start.pawn)
                levels, gain = self.weigh(sprite, self.px(np.asarray(start.foot_mm) + shifts), MANY)
                k = int(levels.argmax())
                if levels[k] > best.levels or best is stand:
                    foot = np.asarray(start.foot_mm) + shifts[k]
                    best = replace(
                        start, foot_mm=(float(foot[0]), float(foot[1])), turn_rad=at, gain=float(gain[k]),
                        levels=float(levels[k]),
                    )  # fmt: skip
        return best

    def hide(self, stand: Stand) -> None:
        """What a piece at a place hides is explained."""
        sprite = self._sprite(stand.piece, stand.foot_mm, stand.turn_rad, stand.pawn)
        mask = np.zeros(self.unlike.shape, np.uint8)
        at = sprite.at + self.px(np.asarray(stand.foot_mm))
        keep = (at >= 0).all(axis=1) & (at < (mask.shape[1], mask.shape[0])).all(axis=1)
        mask[at[keep, 1], at[keep, 0]] = 1
        mask = cv2.dilate(mask, np.ones((5, 5), np.uint8))
        ys, xs = np.nonzero(mask)
        self.standing[ys, xs] = True
        self.explain(np.column_stack([xs, ys]))

    def facings(self, stand: Stand) -> tuple[float, float, float, float]:
        """How likely a piece looks to the top, right, bottom and left: its picture looks to its left."""
        levels = []
        for quarter in range(4):
            # looking to the top, the picture's left-to-right runs down
            at = np.pi / 2 + quarter * np.pi / 2
            shifts = np.array(
                [(x, y) for y in (-4.0, -2.0, 0.0, 2.0, 4.0) for x in (-4.0, -2.0, 0.0, 2.0, 4.0)]
            )
            feet = self.px(np.asarray(stand.foot_mm) + shifts)
            best = -1e9
            for off in (-0.39, -0.2, 0.0, 0.2, 0.39):
                sprite = self._sprite(stand.piece, stand.foot_mm, at + off, False)
                best = max(best, float(self.weigh(sprite, feet, MANY)[0].max()))
            levels.append(best)
        told = np.array(levels)
        told = (told - told.max()) / (FACING_LEVELS * max(float(told.max()), 1.0))
        shares = np.exp(told) / np.exp(told).sum()
        return (float(shares[0]), float(shares[1]), float(shares[2]), float(shares[3]))


#: A facing that explains less by this share of the best's is e times less likely.
FACING_LEVELS = 0.04


def _off_colour(seen: Floats, own: Floats) -> Floats:
    """How far differences of colours (..., 2) are off a colour's own (2,) in hue, in levels: how light and
    how strong a round piece's colour looks, each of its pixels has its own."""
    strength = np.linalg.norm(seen, axis=-1)
    alike = (seen @ own) / np.maximum(strength * float(np.linalg.norm(own)), 1e-3)
    turn = np.degrees(np.arccos(alike.clip(-1, 1)))
    off = ((turn - SAME_HUE[0]) / (SAME_HUE[1] - SAME_HUE[0])).clip(0, 1)
    pale = (1 - strength / PALE).clip(0, 1)
    return np.asarray(MOST_UNLIKE * np.maximum(off, pale), np.float32)


def _rest(sprite: Sprite, step: int, seen: Floats) -> Floats:
    """(m,) how far what is `seen` (m, n, 3) is off a sprite, in levels a pixel."""
    low, high = colour_planes(sprite.low[::step]), colour_planes(sprite.high[::step])
    low, high = np.minimum(low, high), np.maximum(low, high)
    if sprite.pawn:
        return np.asarray(_off_colour(seen[..., 1:], low[0, 1:]).mean(axis=1) + PAWN_COST)
    # how much light comes to its side is not known: as much as makes it as bright as it is seen
    own = (low[:, 0] + high[:, 0]) / 2
    lit = (seen[..., 0] @ own / max(float(own @ own), 1.0)).clip(*SIDE_LIGHT)[:, None, None]
    off = np.maximum(np.maximum(low * lit - seen, seen - high * lit), 0)
    return np.asarray(np.minimum(off.sum(axis=2), MOST_UNLIKE).mean(axis=1))


def read_standing(look: Standing) -> list[StandSight]:
    """The pieces that stand on the board, the plainest first."""
    cells = [cell for cell in look.art.cells if len(look.feet_in(cell))]
    numbers = list(range(len(look.art.standing)))
    stands = {piece: look.best_stands(piece, cells) for piece in numbers}
    look.pawns = _are_pawns(look, stands)
    for piece in numbers:
        other = [each for each in stands[piece] if look.art.standing[piece].pawn and each.pawn != look.pawns]
        if look.pawns is not None and other:
            again = look.best_stands(piece, [_cell(each, look.art) for each in other])
            stands[piece] = [each for each in stands[piece] if each not in other] + again
    found: list[StandSight] = []
    left = set(numbers)
    while left:
        ranked = sorted(
            (stand for piece in left for stand in stands[piece] if stand.gain > LEAST_GAIN / 2),
            key=lambda stand: -stand.levels,
        )
        if not ranked:
            break
        best = look.settle(ranked[0])
        if best.gain < LEAST_GAIN:
            stands[best.piece] = [each for each in stands[best.piece] if each is not ranked[0]]
            continue
        found.append(_sighted(look, best, stands, left))
        left.discard(best.piece)
        look.hide(best)
        reach = 2.2 * look.art.cell_mm
        near = [
            cell
            for cell in cells
            if np.hypot(*((np.array(cell) + 0.5) * look.art.cell_mm - best.foot_mm)) < reach
        ]
        for piece in left:
            kept = [stand for stand in stands[piece] if _cell(stand, look.art) not in near]
            stands[piece] = kept + look.best_stands(piece, near)
    return found


def _are_pawns(look: Standing, stands: dict[int, list[Stand]]) -> bool | None:
    """Whether the explorers of a table are turned pawns: those of a box are alike. None: no telling."""
    told = {True: 0.0, False: 0.0}
    for piece, places in stands.items():
        if look.art.standing[piece].pawn and places:
            best = max(places, key=lambda stand: stand.gain * min(stand.levels, 6000.0))
            told[best.pawn] += best.gain * min(best.levels, 6000.0)
    return None if told[True] == told[False] else told[True] > told[False]


def _sighted(look: Standing, best: Stand, stands: dict[int, list[Stand]], left: set[int]) -> StandSight:
    """How sure a piece is the one that stands there, and in that cell."""
    cell = _cell(best, look.art)
    rivals: list[tuple[float, int]] = []
    for piece in left - {best.piece}:
        near = [s for s in stands[piece] if np.hypot(*(np.subtract(s.foot_mm, best.foot_mm))) < 25]
        if near:
            closest = look.settle(max(near, key=lambda s: s.levels))
            rivals.append((closest.levels, piece))
    rivals.sort(reverse=True)
    behind = 1 - (rivals[0][0] if rivals else 0.0) / max(best.levels, 1.0)
    away = np.asarray(best.foot_mm) / look.art.cell_mm - np.asarray(cell)
    edge = float(np.minimum(away, 1 - away).min()) * look.art.cell_mm
    confidence = (
        float(np.clip((best.gain - 0.2) / 0.25, 0, 1))
        * float(np.clip(behind / 0.25, 0, 1))
        * float(np.clip(edge / 5.0, 0.3, 1))
    )
    others = tuple(piece for levels, piece in rivals if levels > 0.8 * best.levels)
    looks = look.art.standing[best.piece].looks
    facing = look.facings(best) if looks else (0.25, 0.25, 0.25, 0.25)
    return StandSight(best, confidence, facing, others)


def _cell(stand: Stand, art: BoardArt) -> Cell:
    column, row = (int(at // art.cell_mm) for at in stand.foot_mm)
    return min(max(column, 0), art.columns - 1), min(max(row, 0), art.rows - 1)
