"""Scan of a layered board: photo -> transparent tiles, standing pieces, strips, and player boards with their
contents.

The coordinate frame follows the strips, the first of them at the top, which also give the ground's rotation.
If the strips are not read, the frame is the ground's own, and its rotation is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Side
from scorer.layered import Foot, LayersSeen, Lying
from vision.boards.art import BoardArt, Cell
from vision.boards.cards import CardSight, find_cards
from vision.boards.clear_tiles import (
    ClearReading,
    cell_bank,
    laid_ground,
    read_clear_tiles,
    turned_readings,
    weigh_clear,
)
from vision.boards.discs import disc_likeness
from vision.boards.expected import Expected, expect, line_through
from vision.boards.figure_fit import Standing
from vision.boards.layered_art import SIDE_PX_PER_MM as PX_PER_MM
from vision.boards.layered_art import LayeredArt
from vision.boards.layered_places import Looked, read_places
from vision.boards.layered_plane import find_ground
from vision.boards.pawns import read_coloured
from vision.boards.plane import BoardPlane, eye_of, from_above, no_board, refine_plane
from vision.boards.round_shapes import round_edges
from vision.boards.scan_grid import (
    board_pieces,
    cell_at,
    hidden_cells,
    seat_before,
    sides_in_view,
    turned_corners,
)
from vision.boards.scan_loose import leave_out_shine
from vision.boards.seen import SIDES, BoardScan, BoardTile, Point
from vision.boards.side_boards import BoardSight, Light, RimReading, boards_beside, read_rims
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.runtime import single_threaded_blas
from vision.photo.view import Reductions
from vision.scan import StageClock

Array = NDArray[np.float64]

# First values, by eye on some photos of `tuning-ice-and-idols`.

#: Width (cells) of the examined area around the board.
ROUND_IT = 8.6
#: Number of features used beside the board.
FEATURES_BESIDE = 1500
#: Number of features for a second search at full scale, if a board that is unique in size was not found.
FEATURES_AGAIN = 3500
#: Least confidence of the strips and the ground's rotation; and of a tile used in refining the homography.
SURE_RIMS, HELPFUL = 0.5, 0.8
#: Confidence of a figure above which its cell must hold a tile.
STANDS = 0.5
#: Largest distance (mm) of a loose disc from a board's edge, and its least correlation with its art.
BESIDE_MM, DISC = 40.0, 0.6


@dataclass(frozen=True)
class OpenCell:
    """A cell in which no tile was found: the confidence (0..1) in that, and the tiles that may lie there
    after all."""

    cell: Cell
    confidence: float
    options: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class LayeredScan(BoardScan):
    """The scan of a layered board.

    `layers` has what was read besides tiles and figures; `gaps` are the cells without a tile;
    `turn_confidence` is the confidence in the ground's rotation. `places_px` has the photo position of each
    place by `board/name`, and `boards_px` the corners of each board.
    """

    layers: LayersSeen | None = None
    gaps: tuple[OpenCell, ...] = ()
    turn_confidence: float = 0.0
    places_px: dict[str, Point] = field(default_factory=dict)
    boards_px: dict[str, tuple[Point, ...]] = field(default_factory=dict)


@single_threaded_blas()
def scan_layered_board(
    photo: Photo, art: LayeredArt, on_stage: Callable[[str], None] | None = None
) -> LayeredScan:
    """Reads a photo of a layered board. Raises `WaymarkError` (no-card, status 4) if no board is found."""
    clock = StageClock(on_stage)
    pictures = Reductions(photo)
    found = find_ground(pictures, art)
    if found is None:
        raise no_board()
    clock.note("plane")
    ground, plane = art.grounds[found.ground], found.plane
    readings = _tiles(pictures, plane, found.ground, art)
    plane = refine_plane(plane, pictures, _with_tiles(ground, art, readings))
    rims = _rims(pictures, plane, ground, art)
    quarters = 0 if rims is None else -rims.names.index(art.layers.rims[0]) % 4
    readings = turned_readings(_tiles(pictures, plane, found.ground, art), ground, quarters)
    ground, plane = _turned(ground, plane, quarters)
    above = from_above(pictures, plane.to_photo, ground.ground_mm, ground.px_per_mm)
    clock.note("tiles")
    laid = _with_tiles(ground, art, readings)
    expected = expect(above, replace(laid, printed={}), ())
    eye = eye_of(plane, (photo.width, photo.height))
    look = Standing(expected, laid, eye.place_mm)
    leave_out_shine(look, expected)
    standing = read_coloured(look, expected)
    stood_on = {cell_at(each.stand.foot_mm, ground) for each in standing if each.confidence > STANDS}
    readings = [_under_figure(each) if each.cell in stood_on else each for each in readings]
    clock.note("pieces")
    left, top, right, bottom = ground.ground_mm
    round_it = from_above(pictures, plane.to_photo, _in_view(plane, ground, photo), PX_PER_MM)
    rim = art.rim_mm
    inner = left - rim, top - rim, right + rim, bottom + rim
    cards = find_cards(round_it, art.beside, inner, FEATURES_BESIDE)
    light = _light(expected)
    found_boards = boards_beside(round_it, art, cards, light)
    if not {each.board for each in found_boards} >= _only_ones(art):
        again = find_cards(round_it, art.beside, inner, FEATURES_AGAIN, shrunk=1.0)
        more = boards_beside(round_it, art, again, light)
        if len(more) > len(found_boards):
            cards, found_boards = again, more

    px = plane.px
    corners = {
        each.board: px(each.on_ground(geometry.rectangle(*art.sizes_mm[each.board]))) for each in found_boards
    }
    # a board cut off by the picture is not reliable
    boards = [
        each
        for each in found_boards
        if all(0 <= x < photo.width and 0 <= y < photo.height for x, y in corners[each.board])
    ]
    clock.note("boards")
    looked = Looked(round_it, pictures, eye, light)
    known = {board.id: board for board in art.layers.boards}
    places = [each for sight in boards for each in read_places(looked, art, sight, known[sight.board])]
    lying = (*_cards(cards, boards, art), *_loose(looked, boards, art, ground))
    clock.note("held")

    pieces, unread = board_pieces((), standing, look, ground, px)
    sure = {each.cell: each.tile_confidence for each in readings}
    # on a tile of low confidence false pieces are frequent, so pieces there have at most its confidence
    pieces = tuple(replace(each, confidence=round(each.confidence * sure[each.cell], 3)) for each in pieces)
    told = rims is not None
    return LayeredScan(
        width=photo.width,
        height=photo.height,
        warnings=photo.warnings,
        to_photo=tuple(tuple(float(x) for x in row) for row in plane.to_photo),
        grid_px=px(geometry.rectangle(ground.columns * ground.cell_mm, ground.rows * ground.cell_mm)),
        tiles=_board_tiles(readings, art, ground, px),
        spare=None,
        pieces=pieces,
        held=(),
        hidden=hidden_cells(look, expected, ground),
        unread=unread,
        seats_in_view=sides_in_view(round_it, ground),
        timings_ms=clock.total(),
        layers=LayersSeen(
            ground=found.ground,
            rotation=(0, 90, 180, 270)[quarters] if told else None,
            rims=_sides(rims, quarters) if rims is not None else None,
            boards={each.board: _before(each, art, ground) for each in boards},
            places=tuple(places),
            lying=lying,
            feet=tuple(
                Foot(
                    ground.standing[each.stand.piece].id,
                    cell_at(each.stand.foot_mm, ground),
                    _within(each.stand.foot_mm, ground),
                )
                for each in standing
            ),
        ),
        gaps=tuple(
            OpenCell(
                each.cell,
                each.tile_confidence,
                tuple((art.names[tile], way) for tile, way in each.others if tile is not None),
            )
            for each in readings
            if each.tile is None
        ),
        turn_confidence=0.0 if rims is None else rims.confidence,
        places_px={
            f"{sight.board}/{place.name}": px(sight.on_ground(np.asarray(place.at_mm)))[0]
            for sight in boards
            for place in known[sight.board].places
        },
        boards_px={sight.board: corners[sight.board] for sight in boards},
    )


def _tiles(pictures: Reductions, plane: BoardPlane, name: str, art: LayeredArt) -> list[ClearReading]:
    """The transparent tiles read on a ground, in the ground's own frame."""
    ground, bank = art.grounds[name], cell_bank(art, name)
    above = from_above(pictures, plane.to_photo, ground.ground_mm, ground.px_per_mm)
    return read_clear_tiles(weigh_clear(above, ground, bank), art, ground, bank)


def _with_tiles(ground: BoardArt, art: LayeredArt, readings: Sequence[ClearReading]) -> BoardArt:
    """The ground with the tiles that were read as part of its print, for refining the homography."""
    printed = {each.cell: ("", each.rotation) for each in readings if each.tile_confidence > HELPFUL}
    return replace(ground, ground=laid_ground(ground, art, readings), printed=printed)


def _rims(pictures: Reductions, plane: BoardPlane, ground: BoardArt, art: LayeredArt) -> RimReading | None:
    """The strips on the sides of the ground; None if they are not read with enough confidence."""
    left, top, right, bottom = ground.ground_mm
    reach = art.rim_mm + 10
    area = (left - reach, top - reach, right + reach, bottom + reach)
    above = from_above(pictures, plane.to_photo, area, PX_PER_MM)
    read = read_rims(above, art.rims, art.rim_mm, (right - left, bottom - top))
    return read if read is not None and read.confidence >= SURE_RIMS else None


def _turned(ground: BoardArt, plane: BoardPlane, quarters: int) -> tuple[BoardArt, BoardPlane]:
    """A square ground and its homography after `quarters` quarter turns clockwise."""
    size = ground.ground_mm[2]
    turn = np.linalg.matrix_power(np.array([[0, -1, size], [1, 0, 0], [0, 0, 1.0]]), quarters)
    picture = np.ascontiguousarray(np.rot90(ground.ground, -quarters))
    return replace(ground, ground=picture), replace(plane, to_photo=plane.to_photo @ np.linalg.inv(turn))


def _sides(rims: RimReading, quarters: int) -> dict[Side, str]:
    return {SIDES[(side + quarters) % 4]: name for side, name in enumerate(rims.names)}


def _light(expected: Expected) -> Light:
    """The gain and veil of most of the board."""
    there = expected.inside & ~expected.blown
    fit = line_through(expected.art[there][::3], expected.seen[there][::3])
    if fit is None:
        return Light(np.ones(3, np.float32), np.zeros(3, np.float32))
    return Light(*fit)


def _in_view(plane: BoardPlane, ground: BoardArt, photo: Photo) -> tuple[float, float, float, float]:
    """The area of the table around the ground to examine (left, top, right, bottom; mm), limited to the
    photo."""
    left, top, right, bottom = ground.ground_mm
    reach = ROUND_IT * ground.cell_mm
    share = np.linspace(0, 1, 25)
    edge = [(x, y) for x in share for y in share if x in (0, 1) or y in (0, 1)]
    at = (
        np.array([(x * photo.width, y * photo.height, 1.0) for x, y in edge])
        @ np.linalg.inv(plane.to_photo).T
    )
    middle = np.linalg.inv(plane.to_photo) @ (photo.width / 2, photo.height / 2, 1.0)
    # points beyond the horizon are not on the table
    ahead = at[:, 2] * middle[2] > 0
    seen = at[ahead, :2] / at[ahead, 2:]
    if not ahead.all() or not len(seen):
        return left - reach, top - reach, right + reach, bottom + reach
    low, high = seen.min(axis=0), seen.max(axis=0)
    return (
        max(left - reach, min(float(low[0]), left)),
        max(top - reach, min(float(low[1]), top)),
        min(right + reach, max(float(high[0]), right)),
        min(bottom + reach, max(float(high[1]), bottom)),
    )


def _only_ones(art: LayeredArt) -> set[str]:
    """The ids of player boards that are unique in size, so that a table has one of each."""
    sizes = [art.sizes_mm[name] for name in art.sides]
    return {name for name in art.sides if sizes.count(art.sizes_mm[name]) == 1}


def _before(sight: BoardSight, art: LayeredArt, ground: BoardArt) -> Side:
    """The side of the grid nearest to a player board."""
    middle = sight.on_ground(np.asarray(art.sizes_mm[sight.board]) / 2)[0]
    return seat_before((float(middle[0]), float(middle[1])), ground)


def _under_figure(reading: ClearReading) -> ClearReading:
    """The reading of a cell under a figure: a tile must lie there, so the likeliest one replaces "no tile".

    Its low confidence leads to a question.
    """
    if reading.tile is not None or not reading.others:
        return reading
    (tile, rotation), *rest = reading.others
    sure = min(reading.tile_confidence, 1 - reading.tile_confidence)
    return replace(reading, tile=tile, rotation=rotation, tile_confidence=sure, others=((None, 0), *rest))


def _within(at_mm: Point, ground: BoardArt) -> Point:
    column, row = cell_at(at_mm, ground)
    return float(at_mm[0] / ground.cell_mm - column), float(at_mm[1] / ground.cell_mm - row)


def _board_tiles(
    readings: Sequence[ClearReading],
    art: LayeredArt,
    ground: BoardArt,
    px: Callable[[Array], tuple[Point, ...]],
) -> tuple[BoardTile, ...]:
    made = []
    for each in readings:
        if each.tile is None:
            continue
        corners = px(
            geometry.rectangle(ground.cell_mm, ground.cell_mm) + np.array(each.cell) * ground.cell_mm
        )
        made.append(
            BoardTile(
                art.names[each.tile],
                each.cell,
                each.rotation,
                turned_corners(corners, each.rotation),
                round(each.tile_confidence, 4),
                round(each.turn_confidence, 4),
                tuple(("" if tile is None else art.names[tile], way) for tile, way in each.others),
            )
        )
    return tuple(made)


# --- loose pieces -------------------------------------------------------------------------------------------


def _nearest(at_mm: Point, boards: Sequence[BoardSight], art: LayeredArt) -> str:
    """The id of the player board nearest to a point; "" if no board was found."""
    away = {
        sight.board: float(np.hypot(*(sight.on_ground(np.asarray(art.sizes_mm[sight.board]) / 2)[0] - at_mm)))
        for sight in boards
    }
    return min(away, key=lambda name: away[name], default="")


def _cards(cards: Sequence[CardSight], boards: Sequence[BoardSight], art: LayeredArt) -> list[Lying]:
    """Cards beside player boards; another one belongs to a board that was not found."""
    found = []
    for each in cards:
        if each.card not in art.sides:
            own = [sight for sight in boards if _is_beside(each.at_mm, sight, art)]
            found.append(Lying(each.card, _nearest(each.at_mm, own, art), round(each.confidence, 3)))
    return found


def _loose(looked: Looked, boards: Sequence[BoardSight], art: LayeredArt, ground: BoardArt) -> list[Lying]:
    """Loose discs beside player boards: each disc at its best place, if it matches its art there."""
    found = []
    radii = sorted({art.sizes_mm[name][0] / 2 for name in art.layers.loose})
    for radius, places in zip(radii, round_edges(looked.above, radii, ground.ground_mm), strict=True):
        near = [at for at in places if any(_is_beside((at[0], at[1]), sight, art) for sight in boards)]
        names = [name for name in art.layers.loose if art.sizes_mm[name][0] / 2 == radius]
        seen = [(at, disc_likeness(looked.above, art.discs, (at[0], at[1]), radius)) for at in near]
        for name in names:
            best = max(
                ((alike[name], at) for at, alike in seen if alike and alike[name] >= max(alike.values())),
                default=None,
                key=lambda each: each[0],
            )
            if best is not None and best[0] > DISC:
                sure = float(np.clip((best[0] - DISC) / 0.15, 0, 1))
                found.append(Lying(name, _nearest(best[1], boards, art), round(sure, 3)))
    return found


def _is_beside(at_mm: Point, sight: BoardSight, art: LayeredArt) -> bool:
    """Whether a point lies just outside a player board."""
    there = np.linalg.solve(sight.to_ground[:, :2], np.asarray(at_mm) - sight.to_ground[:, 2])
    beyond = np.maximum(np.maximum(-there, there - np.asarray(art.sizes_mm[sight.board])), 0)
    return 0.0 < float(np.hypot(*beyond)) < BESIDE_MM
