"""Fitting standing pieces: expected board and photo -> the poses of pieces that best explain the residual.

Each piece is projected onto the board as the camera sees it (`vision.boards.sprites`). A pose is scored by
the residual that it explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.art import BoardArt, Cell, Flat
from vision.boards.expected import BRIGHTNESS, Expected, colour_planes
from vision.boards.sprites import FLAP_SHARE, Sprite, sprite_of

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

#: Upper bound of a pixel's residual (levels).
MOST_UNLIKE = 80.0
#: Bounds of the illumination of a piece's side and of its flaps, relative to the board, and its largest ratio
#: between colours. The pixels of a round pawn each have their own light, at a fixed cost in levels.
SIDE_LIGHT, FLAP_LIGHT, LIGHT_COLOUR = (0.2, 2.2), (0.5, 1.25), 1.12
PAWN_COST = 8.0
#: Hue difference (degrees) up to which a pixel has a pawn's hue, and from which it has another; and the
#: chroma (levels) below which a colour has no hue.
SAME_HUE, PALE = (14.0, 45.0), 30.0
#: Residual (levels) of an obstacle; its least area in cells; and its least area if it enters over the board's
#: edge.
OBSTACLE, LARGEST, AT_THE_EDGE = 24.0, 1.9, 0.75
#: Least residual area around a cell, and least area in a pawn's hue, as shares of the area of a piece's
#: flaps.
LEAST_FLAPS, LEAST_HUE = 0.5, 0.2
#: Number of points just beyond a piece's edge that are checked, and the weight of the residual there.
RIM_POINTS, RIM_COST = 40, 0.5
#: Least visible share of a piece.
LEAST_SHOWN = 0.4
#: Number of rotations tried; figures with two alike sides need half of them.
TURNS = 8
#: Search range for the foot around a cell's middle, and its step, in cells.
REACH, STEP = 0.36, 0.09
#: Number of a sprite's pixels compared in the first search, and in the refinement.
FEW, MANY = 160, 1200
#: Mean residual (levels), in a box of a given width (mm), around a point that may be a foot.
ACTIVE, SPOT_MM = 24.0, 9.0


@dataclass(frozen=True)
class Stand:
    """A standing piece at a pose.

    `piece` is its number in `BoardArt.standing`, and `foot_mm` its foot on the board. `turn_rad` is its
    rotation, clockwise, of the picture's left-to-right axis; `pawn`: it is a turned pawn. `gain` is the share
    (0..1) of the residual there that it explains, `levels` the sum in grey levels.
    """

    piece: int
    foot_mm: tuple[float, float]
    turn_rad: float
    pawn: bool
    gain: float
    levels: float


class Standing:
    """Search for standing pieces on one board in one photo.

    The residual within the outlines `known` (4, 2), mm, is ignored: the tile beside the board may lie on the
    frame.
    """

    def __init__(self, expected: Expected, art: BoardArt, eye_mm: Array, known: Sequence[Array] = ()) -> None:
        self.art, self.eye = art, eye_mm
        self.scale, self.origin = expected.px_per_mm, np.asarray(expected.origin_mm)
        rim = round(70 * self.scale)
        self.rim = rim

        def wide(picture: NDArray[np.floating]) -> Floats:
            made = cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
            return np.asarray(made, np.float32)

        self.seen = colour_planes(wide(expected.plain))
        self.unveiled = colour_planes(wide(expected.unveiled))
        #: The same arrays with one plane after the other, each flattened.
        self._seen, self._unveiled = (
            np.ascontiguousarray(picture.reshape(-1, 3).T) for picture in (self.seen, self.unveiled)
        )
        self.glare = wide(expected.glare.astype(np.float32)) > 0
        self.blown = wide(expected.blown.astype(np.float32)) > 0
        inside = cv2.copyMakeBorder(
            expected.inside.astype(np.float32), rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0
        )
        #: Residual that no piece found so far explains.
        self.unlike = np.minimum(wide(expected.unlike), MOST_UNLIKE) * inside
        for outline in known:
            cv2.fillConvexPoly(self.unlike, self.px(outline).astype(np.int32), 0)
        self._under: Floats = self.unlike.copy()
        #: Objects over the board that are not pieces, such as hands: nothing below them is visible.
        self.obstacles = self._take_out_obstacles(expected.inside.shape)
        self.explained = np.zeros(self.unlike.shape, bool)
        #: 1 where the picture shows the board, or an object on it that was not found yet; else 0.
        self.open = inside.copy()
        #: Pixels where standing pieces that were found hide the board.
        self.standing = np.zeros(self.unlike.shape, bool)
        #: Whether pieces that may be turned pawns are pawns on this table.
        self.pawns = False
        offsets = np.arange(-REACH, REACH + 1e-6, STEP) * art.cell_mm
        self._shifts = np.array([(x, y) for y in offsets for x in offsets])
        self._sprites: dict[tuple[int, Cell, float, bool], Sprite] = {}
        self._spots = self._look_for_spots()

    def px(self, at_mm: Array) -> NDArray[np.int64]:
        """Points of the board (mm) -> pixel coordinates in the padded pictures."""
        at = np.round((np.asarray(at_mm) - self.origin) * self.scale - 0.5).astype(np.int64)
        return np.asarray(at + self.rim)

    def _take_out_obstacles(self, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Mask of obstacles such as hands; their residual is set to 0.

        An obstacle is a connected residual region larger than any piece, or a large one that enters over the
        board's edge.
        """
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

    def put_obstacles_back(self) -> None:
        """Restores the residual of obstacles, since one may be a figure at a dark edge or beside a hand."""
        back = self.obstacles & ~self.explained
        self.unlike[back] = self._under[back]
        self._spots = self._look_for_spots()

    def take_obstacles_out(self) -> None:
        """Sets the residual of obstacles that no piece explained to 0 again."""
        self.obstacles &= ~self.explained
        self.unlike[self.obstacles] = 0
        self._spots = self._look_for_spots()

    def _look_for_spots(self) -> Floats:
        """Mean residual (levels) around each pixel, in a box of the size of a piece's foot."""
        size = max(3, round(SPOT_MM * self.scale)) | 1
        about = cv2.blur(self.unlike, (size, size))
        # a piece may resemble the ground at its foot, but not everything next to it
        return np.asarray(cv2.dilate(about, np.ones((size // 2 | 1,) * 2, np.uint8)), np.float32)

    def feet_in(self, cell: Cell) -> Array:
        """Candidate feet (n, 2) mm in a cell: the points around which the residual is high."""
        feet = (np.array(cell) + 0.5) * self.art.cell_mm + self._shifts
        at = self.px(feet)
        return np.asarray(feet[self._spots[at[:, 1], at[:, 0]] > ACTIVE])

    def explain(self, at: NDArray[np.int64]) -> None:
        """Marks pixels (n, 2) as explained: their residual becomes 0, and they no longer count as visible."""
        x, y = at[:, 0].clip(0, self.unlike.shape[1] - 1), at[:, 1].clip(0, self.unlike.shape[0] - 1)
        self.unlike[y, x] = 0
        self.explained[y, x] = True
        self.open[y, x] = 0
        self._spots = self._look_for_spots()

    @property
    def unseen(self) -> NDArray[np.bool_]:
        """Mask of pixels where the board is hidden by a piece that was found, or by overexposure."""
        return self.standing | self.blown

    def hidden_shares(self, xs_mm: Array, ys_mm: Array) -> Floats:
        """For points of the board (any shape), 1 where the board is hidden there, else 0."""
        at = self.px(np.stack([xs_mm, ys_mm], axis=-1))
        height, width = self.explained.shape
        x, y = at[..., 0].clip(0, width - 1), at[..., 1].clip(0, height - 1)
        return np.asarray(self.unseen[y, x], np.float32)

    def is_explained(self, at_mm: tuple[float, float]) -> bool:
        """Whether a point of the board (mm) is covered by a piece that was found."""
        x, y = self.px(np.asarray(at_mm))
        return bool(self.explained[y, x])

    def weigh(self, sprite: Sprite, feet_px: NDArray[np.int64], most: int) -> tuple[Floats, Floats]:
        """Scores of a sprite at feet (m, 2) px: explained residual (summed levels), and its share of the
        residual there.

        Only pixels count that no other piece and no edge of the picture covers.
        """
        step = max(1, len(sprite.at) // most)
        at = sprite.at[::step]
        here = self._pixels(feet_px, at)
        shown = self.open.take(here)
        count = np.maximum(shown.sum(axis=1), 1.0)
        before = (self.unlike.take(here) * shown).sum(axis=1) / count
        rest = (_rest(sprite, step, self._seen.take(here, axis=1), shown) * shown).sum(axis=1) / count
        middle = feet_px[len(feet_px) // 2]
        if self.glare[middle[1], middle[0]]:
            # glare on the board is not glare on a piece that stands there
            bare = (_rest(sprite, step, self._unveiled.take(here, axis=1), shown) * shown).sum(axis=1) / count
            rest = np.minimum(rest, bare)
        # an object larger than the piece is not the piece, but for example a hand
        rim = sprite.rim[:: max(1, len(sprite.rim) // RIM_POINTS)]
        beyond = RIM_COST * self.unlike.take(self._pixels(feet_px, rim)).mean(axis=1)
        enough = count >= LEAST_SHOWN * len(at)
        levels = (before - rest - beyond) * count * (len(sprite.at) / len(at)) * enough
        share = (1 - (rest + beyond) / np.maximum(before, 8.0)) * enough
        return levels.astype(np.float32), share.astype(np.float32)

    def _pixels(self, feet_px: NDArray[np.int64], at: NDArray[np.int32]) -> NDArray[np.int64]:
        """Flat indices (m, n) of the pixels at offsets (n, 2) from feet (m, 2), clipped to the picture."""
        height, width = self.unlike.shape
        x = feet_px[:, None, 0] + at[:, 0]
        y = feet_px[:, None, 1] + at[:, 1]
        return np.asarray(y.clip(0, height - 1) * width + x.clip(0, width - 1))

    def best_stands(self, piece: int, cells: Sequence[Cell]) -> list[Stand]:
        """The best-scoring pose of a piece in each of the cells; cells without a candidate are left out."""
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
            if best is not None:
                found.append(best)
        return found

    def _may_stand(self, piece: Flat, cell: Cell) -> bool:
        """Whether the residual around a cell is large enough for a piece, and for a pawn also of its hue."""
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
        hue = colour_planes(piece.painted[None])[0, 1:]
        if np.hypot(*hue) < PALE:
            return True
        alike = _off_colour(self.seen[at][open_to].T[1:], hue) < MOST_UNLIKE / 2
        return bool(np.count_nonzero(alike) > LEAST_HUE * flaps)

    def _ways(self, piece: Flat) -> list[tuple[float, bool]]:
        """Poses to try for a piece: rotations (radians), each with whether it is a turned pawn."""
        turns = [2 * np.pi * k / TURNS for k in range(TURNS if piece.looks else TURNS // 2)]
        folded = [(turn, False) for turn in turns]
        return [(0.0, True)] if piece.pawn and self.pawns else folded

    def _sprite_in(self, piece: int, cell: Cell, turn: float, pawn: bool) -> Sprite:
        """The sprite of a piece that stands in the middle of a cell, cached."""
        key = piece, cell, turn, pawn
        if key not in self._sprites:
            x, y = (np.array(cell) + 0.5) * self.art.cell_mm
            self._sprites[key] = self._sprite(piece, (float(x), float(y)), turn, pawn)
        return self._sprites[key]

    def _sprite(self, piece: int, foot_mm: tuple[float, float], turn: float, pawn: bool) -> Sprite:
        return sprite_of(self.art.standing[piece], foot_mm, turn, pawn, self.eye, self.scale)

    def settle(self, stand: Stand) -> Stand:
        """Local refinement of a pose: the foot in steps of 3 and 1.5 mm, and finer rotations around it."""
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

    def area_px(self, piece: int) -> float:
        """Area of a piece's side, in pixels."""
        width, height = self.art.standing[piece].size_mm
        return width * height * self.scale**2

    def edge_mm(self, at_mm: tuple[float, float]) -> float:
        """Distance (mm) of a point from the nearest edge of its cell."""
        away = np.asarray(at_mm) / self.art.cell_mm % 1
        return float(np.minimum(away, 1 - away).min()) * self.art.cell_mm

    def shown(self, stand: Stand) -> float:
        """The visible share of a piece at a pose: the part that no other piece and no edge covers."""
        sprite = self._sprite(stand.piece, stand.foot_mm, stand.turn_rad, stand.pawn)
        at = sprite.at + self.px(np.asarray(stand.foot_mm))
        x, y = at[:, 0].clip(0, self.unlike.shape[1] - 1), at[:, 1].clip(0, self.unlike.shape[0] - 1)
        return float(self.open[y, x].mean())

    def share_of_obstacles(self, stand: Stand) -> float:
        """The share of a piece's pixels, at a pose, that lies in regions taken for obstacles."""
        sprite = self._sprite(stand.piece, stand.foot_mm, stand.turn_rad, stand.pawn)
        at = sprite.at + self.px(np.asarray(stand.foot_mm))
        x, y = at[:, 0].clip(0, self.unlike.shape[1] - 1), at[:, 1].clip(0, self.unlike.shape[0] - 1)
        return float(self.obstacles[y, x].mean())

    def hide(self, stand: Stand) -> None:
        """Marks the pixels that a piece hides at its pose as explained, so that pieces behind it ignore
        them."""
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
        """Probabilities that a piece faces the top, right, bottom and left; its picture faces left."""
        levels = []
        for quarter in range(4):
            # a piece that faces the top of the picture shows its left-to-right downwards
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


#: Relative loss of explained residual at which a facing is e times less likely.
FACING_LEVELS = 0.04


def _off_colour(seen: Floats, own: Floats) -> Floats:
    """Hue deviation of pixels' chroma (2, ...) from a colour's chroma (2,), scaled to levels.

    Brightness and saturation are ignored: on a round piece they differ from pixel to pixel.
    """
    strength = np.sqrt(seen[0] * seen[0] + seen[1] * seen[1])
    alike = (seen[0] * own[0] + seen[1] * own[1]) / np.maximum(strength * np.linalg.norm(own), 1e-3)
    turn = np.degrees(np.arccos(alike.clip(-1, 1)))
    off = ((turn - SAME_HUE[0]) / (SAME_HUE[1] - SAME_HUE[0])).clip(0, 1)
    pale = (1 - strength / PALE).clip(0, 1)
    return np.asarray(MOST_UNLIKE * np.maximum(off, pale), np.float32)


def _rest(sprite: Sprite, step: int, seen: Floats, shown: Floats) -> Floats:
    """Residual (m, n) in levels between the seen pixels (3, m, n) and a sprite; `shown` (m, n) masks visible
    pixels."""
    low, high = sprite.low[::step].T, sprite.high[::step].T
    if sprite.pawn:
        own = colour_planes(sprite.low[:1])[0]
        return _off_colour(seen[1:], own[1:]) + np.float32(PAWN_COST)
    upright = sprite.upright[::step]
    light = np.ones(seen.shape, np.float32)
    for part, bounds in ((upright, SIDE_LIGHT), (~upright, FLAP_LIGHT)):
        if part.any():
            own = np.asarray((low[:, part] + high[:, part]) / 2, np.float32)
            light[:, :, part] = _light_on(own, _blue_green_red(seen[:, :, part]), shown[:, part], bounds)
    off: Floats = np.zeros_like(seen[0])
    lit = (_planes(low[:, None] * light), _planes(high[:, None] * light))
    for plane, one, other in zip(seen, *lit, strict=True):
        off += np.maximum(np.maximum(np.minimum(one, other) - plane, plane - np.maximum(one, other)), 0)
    np.minimum(off, MOST_UNLIKE, out=off)
    return off


def _light_on(own: Floats, seen: Floats, shown: Floats, bounds: tuple[float, float]) -> Floats:
    """Illumination factors (3, m, 1) that make a part `own` (3, n) as bright as it is `seen` (3, m, n).

    They are clipped to bounds, and nearly equal for all channels.
    """
    met = np.stack([(plane * shown) @ colour for plane, colour in zip(seen, own, strict=True)])
    full = np.maximum(np.stack([shown @ (colour * colour) for colour in own]), 1.0)
    common = (met.sum(axis=0) / full.sum(axis=0)).clip(*bounds)
    light = np.clip(met / full, common / LIGHT_COLOUR, common * LIGHT_COLOUR)
    return np.asarray(light[..., None], np.float32)


def _planes(colours: Floats) -> Floats:
    """Colours (3, ...) in blue, green, red -> brightness and two colour differences, as in
    `colour_planes`."""
    return np.moveaxis(colour_planes(np.moveaxis(colours, 0, -1)), -1, 0)


def _blue_green_red(planes: Floats) -> Floats:
    """Inverse of `_planes`: brightness and two colour differences (3, ...) -> blue, green, red."""
    green = planes[0] / BRIGHTNESS - 0.3 * planes[1] - 0.11 * planes[2]
    return np.asarray(np.stack([planes[2] + green, green, planes[1] + green]), np.float32)
