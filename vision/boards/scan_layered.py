"""Scan of a layered board: photo -> transparent tiles, standing pieces, strips, and player boards with their
contents.

The coordinate frame follows the strips, the first of them at the top, which also give the ground's rotation.
If the strips are not read, the frame is the ground's own, and its rotation is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Side
from scorer.layered import Foot, LayersSeen, Lying
from vision.boards.art import BoardArt
from vision.boards.camera import eye_of
from vision.boards.cards import CardSight, find_cards
from vision.boards.clear_tiles import cell_bank, read_clear_tiles, weigh_clear
from vision.boards.discs import disc_likeness
from vision.boards.expected import Expected, expect, line_through
from vision.boards.figure_fit import Standing
from vision.boards.figures import StandSight
from vision.boards.layered_art import SIDE_PX_PER_MM as PX_PER_MM
from vision.boards.layered_art import LayeredArt
from vision.boards.layered_places import Looked, read_places
from vision.boards.pawns import read_coloured
from vision.boards.plane import BoardPlane, find_plane, no_board, refine_plane
from vision.boards.round_shapes import round_edges
from vision.boards.scan_parts import ReadBoard, as_scan, cell_at, leave_out_shine, seat_before
from vision.boards.seen import SIDES, LayeredScan, OpenCell, Point
from vision.boards.side_boards import BoardSight, Light, boards_beside
from vision.boards.tiles import TileReading, with_tiles
from vision.boards.top_view import FromAbove, from_above
from vision.boards.turned_scan import turned_layers
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
#: Lead (features) of the strips' order over the next at full confidence, and the least confidence in it. The
#: order was right in all of 16 photos with 0.5 and more (`tuning-ice-and-idols`).
STRIP_LEAD, SURE_RIMS = 4, 0.5
#: Confidence of a figure above which its cell must hold a tile.
STANDS = 0.5
#: Largest distance (mm) of a loose disc from a board's edge, and its least correlation with its art.
BESIDE_MM, DISC = 40.0, 0.6


@single_threaded_blas()
def scan_layered_board(
    photo: Photo, art: LayeredArt, on_stage: Callable[[str], None] | None = None
) -> LayeredScan:
    """Reads a photo of a layered board. Raises `WaymarkError` (no-card, status 4) if no board is found."""
    clock = StageClock(on_stage)
    pictures = Reductions(photo)
    found = find_plane(pictures, art.known)
    if found is None:
        raise no_board()
    clock.note("plane")
    ground = art.grounds[found.board]
    readings = _tiles(from_above(pictures, found.to_photo, ground.ground_mm, ground.px_per_mm), ground)
    plane = refine_plane(found, pictures, with_tiles(ground, readings))
    turn_confidence = float(np.clip(found.lead / STRIP_LEAD, 0, 1)) if found.sides else 0.0
    rims = _rims(found, art) if turn_confidence >= SURE_RIMS else None
    above = from_above(pictures, plane.to_photo, ground.ground_mm, ground.px_per_mm)
    readings = _tiles(above, ground)
    clock.note("tiles")
    laid = with_tiles(ground, readings)
    expected = expect(above, replace(laid, printed={}), ())
    eye = eye_of(plane.to_photo, (photo.width, photo.height))
    look = Standing(expected, laid, eye.place_mm)
    leave_out_shine(look, expected)
    standing = read_coloured(look, expected)
    stood_on = {cell_at(each.stand.foot_mm, ground) for each in standing if each.confidence > STANDS}
    readings = [_under_figure(each, ground) if each.cell in stood_on else each for each in readings]
    clock.note("pieces")
    round_it = from_above(pictures, plane.to_photo, _in_view(plane, ground, photo), PX_PER_MM)
    light = _light(expected)
    cards, boards = _found_beside(round_it, art, ground, light)
    boards = [each for each in boards if _is_whole(_corners(each, plane, art), photo)]
    clock.note("boards")
    looked = Looked(round_it, pictures, eye, light)
    known = {board.id: board for board in art.layers.boards}
    places = [each for sight in boards for each in read_places(looked, art, sight, known[sight.board])]
    lying = (*_cards(cards, boards, art), *_loose(looked, boards, art, ground))
    clock.note("held")

    scan = as_scan(
        LayeredScan,
        photo,
        ReadBoard(plane, ground, expected, look, round_it, readings, standing),
        clock,
        layers=LayersSeen(
            ground=found.board,
            rotation=0 if rims is not None else None,
            rims=rims,
            boards={each.board: _before(each, art, ground) for each in boards},
            places=tuple(places),
            lying=lying,
            feet=tuple(_foot(each, ground) for each in standing),
        ),
        gaps=_gaps(readings, ground),
        turn_confidence=0.0 if rims is None else turn_confidence,
        places_px={
            f"{sight.board}/{place.name}": plane.px(sight.on_ground(np.asarray(place.at_mm)))[0]
            for sight in boards
            for place in known[sight.board].places
        },
        boards_px={sight.board: _corners(sight, plane, art) for sight in boards},
    )
    sure = {each.cell: each.tile_confidence for each in readings}
    # on a tile of low confidence false pieces are frequent, so pieces there have at most its confidence
    pieces = (replace(each, confidence=round(each.confidence * sure[each.cell], 3)) for each in scan.pieces)
    scan = replace(scan, pieces=tuple(pieces))
    # the first strip is at the top
    quarters = 0 if rims is None else -found.sides[0] % 4
    return turned_layers(scan, quarters, ground.columns)


def _tiles(above: FromAbove, ground: BoardArt) -> list[TileReading]:
    bank = cell_bank(ground)
    return read_clear_tiles(weigh_clear(above, ground, bank), ground, bank)


def _rims(plane: BoardPlane, art: LayeredArt) -> dict[Side, str]:
    """The strip on each side of the ground, in its own frame."""
    return {SIDES[side]: name for side, name in sorted(zip(plane.sides, art.layers.rims, strict=True))}


def _gaps(readings: Sequence[TileReading], ground: BoardArt) -> tuple[OpenCell, ...]:
    """The cells without a tile."""

    def options(each: TileReading) -> tuple[tuple[str, int], ...]:
        return tuple((ground.tiles[tile].id, way) for tile, way in each.others)

    none = [each for each in readings if not ground.tiles[each.tile].id]
    return tuple(OpenCell(each.cell, each.tile_confidence, options(each)) for each in none)


def _foot(sight: StandSight, ground: BoardArt) -> Foot:
    at_mm = sight.stand.foot_mm
    return Foot(ground.standing[sight.stand.piece].id, cell_at(at_mm, ground), _within(at_mm, ground))


def _found_beside(
    round_it: FromAbove, art: LayeredArt, ground: BoardArt, light: Light
) -> tuple[list[CardSight], list[BoardSight]]:
    """Cards around the ground, and the player boards among them; sought once more at full scale if a board
    that is unique in size was not found."""
    left, top, right, bottom = ground.ground_mm
    rim = art.rim_mm
    inner = left - rim, top - rim, right + rim, bottom + rim
    cards = find_cards(round_it, art.beside, inner, FEATURES_BESIDE)
    boards = boards_beside(round_it, art, cards, light)
    if not {each.board for each in boards} >= _only_ones(art):
        again = find_cards(round_it, art.beside, inner, FEATURES_AGAIN, shrunk=1.0)
        more = boards_beside(round_it, art, again, light)
        if len(more) > len(boards):
            return again, more
    return cards, boards


def _corners(sight: BoardSight, plane: BoardPlane, art: LayeredArt) -> tuple[Point, ...]:
    """The corners of a player board in the photo."""
    return plane.px(sight.on_ground(geometry.rectangle(*art.sizes_mm[sight.board])))


def _is_whole(corners_px: Sequence[Point], photo: Photo) -> bool:
    """Whether a board lies in the picture: one that is cut off is not reliable."""
    return all(0 <= x < photo.width and 0 <= y < photo.height for x, y in corners_px)


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


def _under_figure(reading: TileReading, ground: BoardArt) -> TileReading:
    """The reading of a cell under a figure: a tile must lie there, so the likeliest one replaces "no tile".

    Its low confidence leads to a question.
    """
    if ground.tiles[reading.tile].id or not reading.others:
        return reading
    (tile, rotation), *rest = reading.others
    sure = min(reading.tile_confidence, 1 - reading.tile_confidence)
    others = ((reading.tile, 0), *rest)
    return replace(reading, tile=tile, rotation=rotation, tile_confidence=sure, others=others)


def _within(at_mm: Point, ground: BoardArt) -> Point:
    column, row = cell_at(at_mm, ground)
    return float(at_mm[0] / ground.cell_mm - column), float(at_mm[1] / ground.cell_mm - row)


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
