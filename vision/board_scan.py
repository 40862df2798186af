"""A photo of a board: its tiles, what lies and stands on them, the tile beside it, and what lies round it.

What is known of the pieces is how they look (`vision.board_art`); what they mean the game says. Confidences
are chances, 0 to 1, that a thing is as it was read; what was not made out is told as such, with its cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Side
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision import homography
from vision.blas import single_threaded_blas
from vision.board_art import BoardArt, Cell
from vision.board_plane import FromAbove, eye_of, find_plane, from_above, refine_plane
from vision.discs import (
    DiscBank,
    DiscSight,
    disc_bank,
    like_discs,
    name_covered,
    name_disc,
    round_edges,
    round_spots,
)
from vision.expected_board import BLOWN, Expected, expect
from vision.loose_tile import LooseTile, find_loose_tile
from vision.photo import Photo
from vision.scan import StageClock
from vision.square_tiles import TileReading, read_tiles, tile_bank, weigh
from vision.standing import Standing, StandSight, read_standing
from vision.view import Reductions

Array = NDArray[np.float64]
Point = tuple[float, float]
SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")

#: So far beyond the board (cells) things are looked for, at so many pixels to a cell.
ROUND_IT, ROUND_CELL_PX = 4.4, 60
#: A disc is there where it is so much like its art; less, and it may be one that is partly covered. Beside
#: the board, where anything may lie, it is more.
DISC, MAYBE_DISC, HELD_DISC, HELD_SURE = 0.62, 0.47, 0.68, 0.3
#: Levels by which a spot differs where a disc may lie.
SPOT_LEVEL = 28.0
#: A piece could stand where so much of a cell's middle is hidden by what nothing explains.
HIDDEN = 0.35


@dataclass(frozen=True)
class BoardTile:
    """The tile in a cell; `tile` is its id. `corners` are photo pixels of its printed top left, top right,
    bottom right and bottom left. `options`: what else it may be, as (id, rotation). `printed`: it is the
    board's own."""

    tile: str
    cell: Cell
    rotation: int
    corners: tuple[Point, ...]
    tile_confidence: float
    turn_confidence: float
    options: tuple[tuple[str, int], ...] = ()
    printed: bool = False

    @property
    def confidence(self) -> float:
        return self.tile_confidence * self.turn_confidence


@dataclass(frozen=True)
class SpareTile:
    """A tile beside the board: `side` and `line` (column or row, from 0) where it lies against the board's
    edge, None where it lies elsewhere."""

    tile: str
    rotation: int
    corners: tuple[Point, ...]
    confidence: float
    side: Side | None = None
    line: int | None = None


@dataclass(frozen=True)
class BoardPiece:
    """A piece on the board: `at_px` its middle, or its foot, in the photo; `facing` the side to which it
    looks, for pieces that look anywhere, with its own confidence."""

    piece: str
    cell: Cell
    at_px: Point
    confidence: float
    facing: Side | None = None
    facing_confidence: float = 1.0
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class HeldPiece:
    """A piece that lies beside the board, and the side of the board before which it does; `reach_px` is about
    its radius in the photo."""

    piece: str
    seat: Side
    at_px: Point
    confidence: float
    reach_px: float = 0.0


@dataclass(frozen=True)
class HiddenCell:
    """A cell of which so much (share) cannot be seen that a piece could be there unseen; `light`: glare hides
    it, and no thing."""

    cell: Cell
    share: float
    light: bool


@dataclass(frozen=True)
class BoardScan:
    """All that was read of a photo of `width` x `height` pixels; `grid_px` are the grid's corners in it, from
    the board's top left clockwise; `to_photo` maps board mm to photo pixels; `hidden` cells show too little.
    `unread`: something like a disc lies in the cell, and which one could not be told. `seats_in_view`: the
    sides of the board before which the photo shows the table."""

    width: int
    height: int
    warnings: tuple[Text, ...]
    to_photo: tuple[tuple[float, ...], ...]
    grid_px: tuple[Point, ...]
    tiles: tuple[BoardTile, ...]
    spare: SpareTile | None
    pieces: tuple[BoardPiece, ...]
    held: tuple[HeldPiece, ...]
    hidden: tuple[HiddenCell, ...]
    unread: tuple[BoardPiece, ...]
    seats_in_view: tuple[Side, ...] = ()
    timings_ms: dict[str, float] = field(default_factory=dict)

    def box_px(self, cell: Cell) -> tuple[int, int, int, int]:
        """A box in the photo round a cell: left, top, right, bottom."""
        corners = next((tile.corners for tile in self.tiles if tile.cell == cell), self.grid_px)
        xs, ys = zip(*corners, strict=True)
        return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))


@single_threaded_blas()
def scan_board(photo: Photo, art: BoardArt, on_stage: Callable[[str], None] | None = None) -> BoardScan:
    """Read a photo of a board. Raises `WaymarkError` (no-card, status 4) where no board is seen."""
    clock = StageClock(on_stage)
    pictures = Reductions(photo)
    plane = find_plane(pictures, art)
    if plane is None:
        raise WaymarkError(
            Code.NO_CARD,
            "No board was found in this photo; take it so that the whole board is in the picture.",
            "この写真に盤が見つかりません。盤の全体が入るように撮ってください。",
        )
    plane = refine_plane(plane, pictures, art)
    clock.note("plane")
    above = from_above(pictures, plane.to_photo, art.ground_mm, art.px_per_mm)
    evidence = weigh(above, art, tile_bank(art), art.open_cells)
    readings = read_tiles(evidence, art)
    clock.note("tiles")
    reach = ROUND_IT * art.cell_mm
    left, top, right, bottom = art.ground_mm
    round_it = from_above(
        pictures,
        plane.to_photo,
        (left - reach, top - reach, right + reach, bottom + reach),
        ROUND_CELL_PX / art.cell_mm,
    )
    spare = find_loose_tile(round_it, art, _left_over(readings, art))
    clock.note("spare")
    expected = expect(above, art, readings)
    bank = disc_bank(art)
    discs = _discs_on(expected, above, art, bank)
    look = Standing(expected, art, eye_of(plane, (photo.width, photo.height)).place_mm)
    for disc in discs:
        if disc.likeness >= DISC:
            look.explain(_disc_px(disc, art, look))
    standing = read_standing(look)
    discs = _with_covered(discs, look, above, art, bank)
    clock.note("pieces")
    held = _held(round_it, art, bank)
    clock.note("held")
    to_photo = plane.to_photo

    def px(points_mm: Array) -> tuple[Point, ...]:
        found = homography.apply(to_photo, np.asarray(points_mm, np.float64).reshape(-1, 2))
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in found)

    side = art.cell_mm
    inner = homography.rectangle(art.columns * side, art.rows * side)
    pieces, unread = _pieces(discs, standing, look, art, px)
    return BoardScan(
        width=photo.width,
        height=photo.height,
        warnings=photo.warnings,
        to_photo=tuple(tuple(float(x) for x in row) for row in to_photo),
        grid_px=px(inner),
        tiles=_tiles(readings, art, px),
        spare=_spare(spare, art, px),
        pieces=pieces,
        held=tuple(_held_piece(each, art, px) for each in held),
        hidden=_hidden(look, expected, art),
        unread=unread,
        seats_in_view=_in_view(round_it, art),
        timings_ms=clock.total(),
    )


def _left_over(readings: Sequence[TileReading], art: BoardArt) -> list[int]:
    """The tiles of which a copy lies in no cell, and those about which cells are in doubt."""
    taken = Counter(reading.tile for reading in readings)
    over = [k for k, tile in enumerate(art.tiles) if taken[k] < tile.copies]
    doubted = [r for r in readings if r.tile_confidence < 0.9]
    over += [tile for r in doubted for tile in (r.tile, *(other for other, _ in r.others))]
    return list(dict.fromkeys(over))


def _discs_on(expected: Expected, above: FromAbove, art: BoardArt, bank: DiscBank) -> list[DiscSight]:
    """What looks like a disc on the board, the plainest first; no two in one place."""
    found: list[DiscSight] = []
    for radius in sorted({disc.size_mm[0] / 2 for disc in art.discs}):
        only = [k for k, disc in enumerate(art.discs) if disc.size_mm[0] / 2 == radius and not disc.coin]
        if not only:
            continue
        for x, y in round_spots(expected.unlike, expected.px_per_mm, radius, SPOT_LEVEL):
            at = np.array([x + 0.5, y + 0.5]) / expected.px_per_mm + expected.origin_mm
            sight = name_disc(above, bank, (float(at[0]), float(at[1])), only)
            if sight is not None and sight.likeness > MAYBE_DISC:
                found.append(sight)
    found.sort(key=lambda sight: -sight.likeness)
    return _apart(found, art)


#: What is left unexplained about a disc that something covers: so much (share) of what is seen of it.
LEFT_OVER = 0.35


def _with_covered(
    discs: Sequence[DiscSight], look: Standing, above: FromAbove, art: BoardArt, bank: DiscBank
) -> list[DiscSight]:
    """The discs, and those that standing pieces cover in part."""
    plain = [sight for sight in discs if sight.likeness >= DISC]
    unsure = [sight for sight in discs if sight.likeness < DISC]
    found: list[DiscSight] = []
    free = 1 - look.standing.astype(np.float32)
    for radius in sorted({disc.size_mm[0] / 2 for disc in art.discs}):
        only = [k for k, disc in enumerate(art.discs) if disc.size_mm[0] / 2 == radius and not disc.coin]
        if not only:
            continue
        unlike = np.minimum(look.unlike / SPOT_LEVEL, 1.0)
        size = 2 * int(np.ceil(radius * look.scale)) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
        area = cv2.filter2D(free, -1, disc, borderType=cv2.BORDER_REPLICATE)
        full = cv2.filter2D(unlike, -1, disc, borderType=cv2.BORDER_CONSTANT)
        partly = (area > 0.3 * disc.sum()) & (area < 0.97 * disc.sum())
        share = np.where(partly, full / np.maximum(area, 1.0), 0)
        for _ in range(8):
            y, x = np.unravel_index(int(share.argmax()), share.shape)
            if share[y, x] < LEFT_OVER:
                break
            reach = size // 2
            share[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach] = 0
            at = (np.array([x, y]) - look.rim + 0.5) / look.scale + look.origin
            sight = name_covered(above, bank, (float(at[0]), float(at[1])), only, look.hidden_shares)
            if sight is not None and sight.likeness > MAYBE_DISC:
                found.append(sight)
    found.sort(key=lambda sight: -sight.likeness)
    for sight in found:
        if sight.likeness >= DISC:
            look.explain(_disc_px(sight, art, look))
    return _apart([*plain, *found, *unsure], art)


def _apart(found: Sequence[DiscSight], art: BoardArt) -> list[DiscSight]:
    kept: list[DiscSight] = []
    for sight in found:
        reach = 0.8 * art.discs[sight.disc].size_mm[0]
        if all(np.hypot(*np.subtract(sight.at_mm, other.at_mm)) > reach for other in kept):
            kept.append(sight)
    return kept


def _disc_px(sight: DiscSight, art: BoardArt, look: Standing) -> NDArray[np.int64]:
    radius = (art.discs[sight.disc].size_mm[0] / 2 + 1.5) * look.scale
    size = int(np.ceil(radius))
    ys, xs = np.mgrid[-size : size + 1, -size : size + 1]
    within = xs * xs + ys * ys <= radius * radius
    return np.asarray(look.px(np.array(sight.at_mm)) + np.column_stack([xs[within], ys[within]]))


def _held(round_it: FromAbove, art: BoardArt, bank: DiscBank) -> list[DiscSight]:
    """Discs that lie beside the board."""
    left, top, right, bottom = art.ground_mm
    found = []
    radii = sorted({disc.size_mm[0] / 2 for disc in art.discs}, reverse=True)
    for radius, places in zip(radii, round_edges(round_it, radii, art.ground_mm), strict=True):
        for at in like_discs(round_it, bank, places, radius):
            sight = name_disc(round_it, bank, at)
            if sight is not None and sight.likeness >= HELD_DISC and sight.confidence > HELD_SURE:
                found.append(sight)
    found.sort(key=lambda sight: -sight.likeness)
    outside = [
        sight for sight in found if not (left < sight.at_mm[0] < right and top < sight.at_mm[1] < bottom)
    ]
    return _apart(outside, art)


def _held_piece(sight: DiscSight, art: BoardArt, px: Callable[[Array], tuple[Point, ...]]) -> HeldPiece:
    own = art.discs[sight.disc]
    middle, beside = px(np.array([sight.at_mm, (sight.at_mm[0] + own.size_mm[0] / 2, sight.at_mm[1])]))
    reach = float(np.hypot(*np.subtract(middle, beside)))
    return HeldPiece(own.id, _seat(sight.at_mm, art), middle, round(sight.confidence, 3), round(reach, 1))


#: Before a side that a player has, the table is seen so far (cells) beyond the board, along its middle half.
SEEN_BEYOND = 2.2


def _in_view(round_it: FromAbove, art: BoardArt) -> tuple[Side, ...]:
    """The sides of the board before which the photo shows the table."""
    left, top, right, bottom = art.ground_mm
    deep = SEEN_BEYOND * art.cell_mm
    wide, high = right - left, bottom - top
    zones = {
        "top": (left + wide / 4, top - deep, right - wide / 4, top),
        "right": (right, top + high / 4, right + deep, bottom - high / 4),
        "bottom": (left + wide / 4, bottom, right - wide / 4, bottom + deep),
        "left": (left - deep, top + high / 4, left, bottom - high / 4),
    }
    seen = []
    for side in SIDES:
        corners = np.array(zones[side]).reshape(2, 2) - round_it.origin_mm
        (x0, y0), (x1, y1) = np.round(corners * round_it.px_per_mm).astype(int).clip(0)
        if round_it.inside[y0:y1, x0:x1].mean() > 0.995:
            seen.append(side)
    return tuple(seen)


def _seat(at_mm: Point, art: BoardArt) -> Side:
    """The side of the board before which a point lies."""
    x = at_mm[0] - art.columns * art.cell_mm / 2
    y = at_mm[1] - art.rows * art.cell_mm / 2
    if abs(x) > abs(y):
        return "right" if x > 0 else "left"
    return "bottom" if y > 0 else "top"


def _tiles(
    readings: Sequence[TileReading], art: BoardArt, px: Callable[[Array], tuple[Point, ...]]
) -> tuple[BoardTile, ...]:
    read = {reading.cell: reading for reading in readings}
    made = []
    for cell in art.cells:
        corner = np.array(cell) * art.cell_mm
        square = homography.rectangle(art.cell_mm, art.cell_mm) + corner
        if cell in art.printed:
            name, rotation = art.printed[cell]
            corners = _turned_corners(px(square), rotation)
            made.append(BoardTile(name, cell, rotation, corners, 1.0, 1.0, printed=True))
        elif cell in read:
            reading = read[cell]
            corners = _turned_corners(px(square + np.asarray(reading.off_mm)), reading.rotation)
            made.append(
                BoardTile(
                    art.tiles[reading.tile].id,
                    cell,
                    reading.rotation,
                    corners,
                    round(reading.tile_confidence, 4),
                    round(reading.turn_confidence, 4),
                    tuple((art.tiles[tile].id, rotation) for tile, rotation in reading.others),
                )
            )
    return tuple(made)


def _turned_corners(corners: tuple[Point, ...], rotation: int) -> tuple[Point, ...]:
    """A square's corners, beginning with the printed top left of a tile that is turned in it."""
    quarters = rotation // 90 % 4
    return tuple(corners[(k + quarters) % 4] for k in range(4))


def _spare(
    found: LooseTile | None, art: BoardArt, px: Callable[[Array], tuple[Point, ...]]
) -> SpareTile | None:
    if found is None:
        return None
    half = art.cell_mm / 2
    cos, sin = np.cos(found.turn_rad), np.sin(found.turn_rad)
    corners = homography.rectangle(art.cell_mm, art.cell_mm) - half
    turned = corners @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(found.at_mm)
    side, line = _against(found.at_mm, art)
    quarter = round(found.turn_rad / (np.pi / 2)) % 4 * 90
    return SpareTile(art.tiles[found.tile].id, quarter, px(turned), round(found.confidence, 3), side, line)


#: A tile lies against the end of a line where its middle is so far beyond the board's edge (cells; over the
#: printed frame it lies less than none), and so near to the middle of the line.
AGAINST, IN_LINE = (-0.45, 1.0), 0.42


def _against(at_mm: Point, art: BoardArt) -> tuple[Side | None, int | None]:
    left, top, right, bottom = art.ground_mm
    beyond = {
        "left": left - at_mm[0],
        "right": at_mm[0] - right,
        "top": top - at_mm[1],
        "bottom": at_mm[1] - bottom,
    }
    side = max(SIDES, key=lambda each: beyond[each])
    along = at_mm[0] if side in ("top", "bottom") else at_mm[1]
    line = along / art.cell_mm - 0.5
    count = art.columns if side in ("top", "bottom") else art.rows
    if not AGAINST[0] < beyond[side] / art.cell_mm < AGAINST[1] or abs(line - round(line)) > IN_LINE:
        return None, None
    return (side, round(line)) if 0 <= round(line) < count else (None, None)


def _pieces(
    discs: Sequence[DiscSight],
    standing: Sequence[StandSight],
    look: Standing,
    art: BoardArt,
    px: Callable[[Array], tuple[Point, ...]],
) -> tuple[tuple[BoardPiece, ...], tuple[BoardPiece, ...]]:
    """The pieces on the board; and what may be discs and was not told."""
    made, unread = [], []
    for sight in discs:
        piece = BoardPiece(
            art.discs[sight.disc].id,
            cell_at(sight.at_mm, art),
            px(np.array(sight.at_mm))[0],
            round(sight.confidence * edge_confidence(sight.at_mm, art), 3),
            options=tuple(art.discs[other].id for other in sight.others),
        )
        if sight.likeness >= DISC:
            made.append(piece)
        elif not look.is_explained(sight.at_mm):
            unread.append(piece)
    for each in standing:
        stand = each.stand
        own = art.standing[stand.piece]
        looks = max(range(4), key=lambda quarter: each.facing[quarter])
        made.append(
            BoardPiece(
                own.id,
                cell_at(stand.foot_mm, art),
                px(np.array(stand.foot_mm))[0],
                round(each.confidence, 3),
                SIDES[looks] if own.looks else None,
                round(each.facing[looks], 3) if own.looks else 1.0,
                tuple(art.standing[other].id for other in each.others),
            )
        )
    return tuple(made), tuple(unread)


def cell_at(at_mm: Point, art: BoardArt) -> Cell:
    """The cell in which a point of the board lies, or the nearest."""
    column, row = (int(at // art.cell_mm) for at in at_mm)
    return min(max(column, 0), art.columns - 1), min(max(row, 0), art.rows - 1)


#: A piece nearer than this (mm) to its cell's edge may be meant to lie in the next.
NEAR_EDGE_MM = 3.0


def edge_confidence(at_mm: Point, art: BoardArt) -> float:
    """How sure the cell of a piece is, by its place in it."""
    away = np.asarray(at_mm) / art.cell_mm - np.asarray(cell_at(at_mm, art))
    edge = float(np.minimum(away, 1 - away).min()) * art.cell_mm
    return float(np.clip(edge / NEAR_EDGE_MM, 0.2, 1))


def _hidden(look: Standing, expected: Expected, art: BoardArt) -> tuple[HiddenCell, ...]:
    """Cells in whose middle a piece could be and not be seen: glare, or something that is no piece."""
    found = []
    blown = expected.seen.min(axis=2) > BLOWN
    scale = expected.px_per_mm
    for cell in art.cells:
        low = (np.array(cell) + 0.2) * art.cell_mm
        x, y = np.round((low - expected.origin_mm) * scale).astype(int)
        side = round(0.6 * art.cell_mm * scale)
        light = float(blown[y : y + side, x : x + side].mean())
        x, y = look.px(low)
        at = (slice(y, y + side), slice(x, x + side))
        rest = float((look.obstacles[at] | (look.unlike[at] > SPOT_LEVEL)).mean())
        if light + rest > HIDDEN:
            found.append(HiddenCell(cell, round(min(light + rest, 1.0), 3), light > rest))
    return tuple(found)
