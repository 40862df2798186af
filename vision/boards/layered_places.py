"""Contents of the places on player boards: discs and square chips by their print, blocks by the colour of
their top, or empty.

A block's top is seen displaced from where it stands; an empty place shows the board's own print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scorer.layered import OnPlace, Place, SideBoard
from vision.boards.art import Picture
from vision.boards.camera import Eye
from vision.boards.discs import disc_likeness
from vision.boards.expected import colour_planes, line_through
from vision.boards.layered_art import SIDE_PX_PER_MM, LayeredArt, mean_of_disc
from vision.boards.side_boards import BoardSight, Light, upright
from vision.boards.tiles import normalised
from vision.boards.top_view import FromAbove, crop
from vision.photo.view import Reductions

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# First values, by eye on some photos of `tuning-ice-and-idols`.

#: Lead of a disc over the next one at full confidence, and the correlation around which the confidence falls.
DISC_LEAD, DISC = 0.12, 0.5
#: Weight of a disc's mean colour beside its print, and the colour difference (levels) at which that is 0.
COLOUR, COLOUR_OFF = 0.3, 110.0
#: Lead in correlation of a chip over the board's print at full confidence; and the rotations tried (degrees).
CHIP_LEAD, CHIP_TURNS = 0.16, tuple(range(-40, 41, 10))
#: Share of a block's top in its colour at full confidence, and from which a block is there.
FILLED, THERE = 0.8, 0.5
#: Largest colour difference (levels) of a block, and the neighbourhood (px) within which print is compared.
AWAY, PRINT_PX = 75.0, 5
#: Difference (levels) from print and blocks above which a pixel shows another object, a shadow or a
#: reflection; and the distance (mm) beyond a board's edge at which the table's colour is sampled.
STRANGE, ABOUT_MM = 30.0, 5.0
#: Percentiles that bound the table's colours, since other objects lie there, too.
TABLE = (10, 90)
#: Share of strange pixels from which the confidence of a place falls, and at which it is 0. Of 209 places in
#: plain view (7 photos of `tuning-ice-and-idols`) none had more than 0.23. Places around an arm all had 0.33
#: and more, and had been misread with high confidence before.
COVERED = 0.25, 0.4


@dataclass(frozen=True)
class Looked:
    """The inputs to reading places: the table from above, the photo, its camera, and the light."""

    above: FromAbove
    pictures: Reductions
    eye: Eye
    light: Light


@dataclass(frozen=True)
class _OnBoard:
    """A player board whose places are read: its picture `seen`, upright, and its own `light`."""

    look: Looked
    art: LayeredArt
    sight: BoardSight
    board: SideBoard
    seen: Picture
    light: Light


def read_places(look: Looked, art: LayeredArt, sight: BoardSight, board: SideBoard) -> list[OnPlace]:
    """The piece on each place of a player board, or None for an empty place, each with its confidence."""
    grouped = {name for group in board.groups for name in group}
    places = {place.name: place for place in board.places}
    seen = upright(look.above, sight.to_ground, art.sizes_mm[board.id])
    light = _light_of(seen, art.sides[board.id]) or look.light
    on_board = _OnBoard(look, art, sight, board, seen, light)
    found = _in_groups(on_board, [places[n] for n in places if n in grouped])
    blocks = [each for each in places.values() if set(each.pieces) & set(art.layers.blocks)]
    found += _blocks(on_board, blocks)
    chips = [p for p in places.values() if p.name not in grouped and p not in blocks]
    return found + _chips(on_board, chips)


# --- discs --------------------------------------------------------------------------------------------------


def _in_groups(on: _OnBoard, places: Sequence[Place]) -> list[OnPlace]:
    """Discs in groups of places that hold one disc each, by an assignment of discs to groups.

    No disc is used twice where there are enough discs.
    """
    if not places:
        return []
    by_name = {place.name: place for place in places}
    pieces = sorted({piece for place in places for piece in place.pieces if piece in on.art.discs.ids})
    if not pieces:
        return []  # None of them has art or a colour: people say which lies where.
    likeness = {place.name: _disc_at(on, place, pieces) for place in places}
    groups = [group for group in on.board.groups if all(name in by_name for name in group)]
    worth = np.array([np.max([likeness[name] for name in group], axis=0) for group in groups])
    if len(groups) > 1 and len(pieces) >= len(groups):
        rows, columns = linear_sum_assignment(-worth)
    else:
        rows, columns = np.arange(len(groups)), worth.argmax(axis=1)
    found = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        group = groups[row]
        own = [float(likeness[name][column]) for name in group]
        at = int(np.argmax(own))
        rivals = np.delete(worth[row], column)
        lead = own[at] - float(rivals.max()) if len(rivals) else DISC_LEAD
        elsewhere = own[at] - max((value for k, value in enumerate(own) if k != at), default=-1.0)
        sure = min(lead, elsewhere) / DISC_LEAD * np.clip((own[at] - DISC) / 0.2 + 0.5, 0, 1)
        others = tuple(pieces[int(k)] for k in np.argsort(-worth[row])[:2] if k != column)
        for k, name in enumerate(group):
            there = pieces[column] if k == at else None
            found.append(OnPlace(on.sight.board, name, there, float(np.clip(sure, 0, 1)), others))
    return found


def _disc_at(on: _OnBoard, place: Place, pieces: Sequence[str]) -> Array:
    """Similarity of each disc to the picture around a place, by its print and by its mean colour."""
    radius = on.art.sizes_mm[pieces[0]][0] / 2
    at = on.sight.on_ground(np.asarray(place.at_mm))[0]
    alike = disc_likeness(on.look.above, on.art.discs, (float(at[0]), float(at[1])), radius)
    if alike is None:
        return np.full(len(pieces), -1.0)
    seen = colour_planes(on.light.plain(mean_of_disc(_about(on.seen, place, radius))))
    away = [float(np.linalg.norm(seen - colour_planes(on.art.disc_colours[name]))) for name in pieces]
    same = np.clip(1 - np.array(away) / COLOUR_OFF, 0, 1)
    return np.array([alike.get(name, -1.0) for name in pieces]) + COLOUR * same


# --- chips --------------------------------------------------------------------------------------------------


def _chips(on: _OnBoard, places: Sequence[Place]) -> list[OnPlace]:
    """Square chips on their places, or an empty place where the board's print fits better."""
    art, sight, board, seen = on.art, on.sight, on.board, on.seen
    found = []
    for place in places:
        names = [name for name in place.pieces if name in art.chips]
        if not names:
            continue
        bare = _alike(seen, art.sides[board.id], place, art.sizes_mm[names[0]])
        alike = np.array([_chip_alike(seen, art.chips[name], place) for name in names])
        best = int(alike.argmax())
        others: tuple[str | None, ...]
        if float(alike[best]) > bare:
            lead = float(alike[best]) - max([bare, *np.delete(alike, best).tolist()])
            piece, others = names[best], (None,)
        else:
            lead, piece, others = bare - float(alike[best]), None, (names[best],)
        sure = float(np.clip(lead / CHIP_LEAD, 0, 1))
        found.append(OnPlace(sight.board, place.name, piece, sure, others))
    return found


def _about(picture: Picture, place: Place, half_mm: float) -> Picture:
    """Crop of an upright board around a place, `half_mm` to each side, clipped to the board."""
    (x, y), half = np.asarray(place.at_mm) * SIDE_PX_PER_MM, half_mm * SIDE_PX_PER_MM
    rows = slice(max(round(y - half), 0), round(y + half))
    return np.ascontiguousarray(picture[rows, max(round(x - half), 0) : round(x + half)])


def _chip_alike(seen: Picture, chip: Picture, place: Place) -> float:
    """Best correlation (-1..1) of a chip with the picture around a place, over small rotations and shifts."""
    size = chip.shape[1] / SIDE_PX_PER_MM
    half = size / 2 + place.reach_mm[0]
    part = _about(seen, place, 1.45 * half)
    own = normalised(chip)[2:-2, 2:-2]
    side = round(2 * half * SIDE_PX_PER_MM)
    middle = (np.array(part.shape[1::-1]) - 1) / 2
    best = -1.0
    for turn in CHIP_TURNS:
        turned = normalised(crop(part, middle, np.radians(turn), 1.0, (side, side)))
        best = max(best, float(cv2.matchTemplate(turned, own, cv2.TM_CCOEFF_NORMED).max()))
    return best


def _alike(seen: Picture, print_: Picture, place: Place, size: tuple[float, float]) -> float:
    """Correlation (-1..1) of the picture around a place with the board's own print."""
    wide = normalised(_about(seen, place, size[0] / 2 + 2.0))
    own = normalised(_about(print_, place, size[0] / 2))
    return float(cv2.matchTemplate(wide, own, cv2.TM_CCOEFF_NORMED).max())


# --- blocks -------------------------------------------------------------------------------------------------


def _blocks(on: _OnBoard, places: Sequence[Place]) -> list[OnPlace]:
    """Blocks on their places, by the colour of their top, which is seen at its own height.

    A place holds a block where the colour is nearer to a block's than to any print around it.
    """
    if not places:
        return []
    look, art, sight, board = on.look, on.art, on.sight, on.board
    names = [name for name in art.layers.blocks if name in places[0].pieces]
    side = art.sizes_mm[names[0]][0]
    print_ = art.sides[board.id]
    raised, bare, beyond = _raised(look, sight, side, print_)
    own = np.stack([colour_planes(_colour(art.blocks[name])) for name in names])
    bounds = _print_bounds(colour_planes(bare))
    table = colour_planes(on.light.plain(_colours_about(look, sight, art.sizes_mm[board.id])))
    for bound, share in zip(bounds, TABLE, strict=True):
        bound[beyond] = np.percentile(table, share, axis=0)
    like, strange = _block_colours(colour_planes(on.light.plain(raised)), bounds, own)
    inner = round(0.75 * side * SIDE_PX_PER_MM) | 1
    found = []
    for place in places:
        worth = _block_worth(like, place, side, inner)
        best = int(worth.argmax())
        plain = float(np.clip((COVERED[1] - _share(strange, place, side)) / (COVERED[1] - COVERED[0]), 0, 1))
        lead = float(worth[best] - np.delete(worth, best).max()) if len(worth) > 1 else 1.0
        full = float(worth[best])
        if full > THERE:
            sure = np.clip(lead / 0.4, 0, 1) * np.clip(0.5 + 0.5 * (full - THERE) / (FILLED - THERE), 0, 1)
            found.append(OnPlace(sight.board, place.name, names[best], float(sure) * plain, (None,)))
        else:
            sure = np.clip(0.5 + 0.5 * (THERE - full) / 0.25, 0, 1)
            found.append(OnPlace(sight.board, place.name, None, float(sure) * plain, (names[best],)))
    return found


def _light_of(seen: Picture, print_: Picture) -> Light | None:
    """The light on a board, fitted to its own print; None where too little of it is seen."""
    size = print_.shape[1] // 3, print_.shape[0] // 3
    ours, theirs = (cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (seen, print_))
    fit = line_through(theirs.reshape(-1, 3).astype(np.float32), ours.reshape(-1, 3).astype(np.float32))
    return None if fit is None else Light(*fit)


def _colour(picture: Picture) -> Floats:
    return np.asarray(np.median(picture.reshape(-1, 3), axis=0), np.float32)


def _block_worth(like: Floats, place: Place, side: float, inner: int) -> Array:
    """For each block (blocks,), the largest share of its top that is seen in its colour at a place.

    `like` (h, w, blocks) is 1 where a block's colour is seen.
    """
    part = _part(like, place, side)
    full = cv2.blur(part, (inner, inner), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(full.reshape(-1, like.shape[2]).max(axis=0), np.float64)


def _print_bounds(print_: Floats) -> tuple[Floats, Floats]:
    """Local minimum and maximum (h, w, 3) of the printed colours around each pixel."""
    kernel = np.ones((PRINT_PX, PRINT_PX), np.uint8)
    return np.asarray(cv2.erode(print_, kernel)), np.asarray(cv2.dilate(print_, kernel))


def _block_colours(seen: Floats, print_: tuple[Floats, Floats], own: Floats) -> tuple[Floats, Floats]:
    """Masks (h, w, blocks) of pixels nearer to a block's colour than to the print, and (h, w) of pixels near
    neither.

    The print is given by its bounds around each pixel.
    """
    low, high = print_
    to_print = np.linalg.norm(np.maximum(np.maximum(low - seen, seen - high), 0), axis=2)
    away = np.stack([np.linalg.norm(seen - colour, axis=2) for colour in own], axis=2)
    nearest = away <= away.min(axis=2, keepdims=True)
    like = nearest & (away < to_print[..., None]) & (away < AWAY)
    strange = (to_print > STRANGE) & ~like.any(axis=2)
    return np.asarray(like, np.float32), np.asarray(strange, np.float32)


def _colours_about(look: Looked, sight: BoardSight, size_mm: tuple[float, float]) -> Floats:
    """Colours (n, 3) of the table around a board; a cloth may have several."""
    low, high = -np.full(2, ABOUT_MM), np.asarray(size_mm) + ABOUT_MM
    along = np.linspace(0, 1, 24)[:, None]
    corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]), (low[0], low[1])]
    line = np.concatenate([np.array(a) + along * (np.array(b) - a) for a, b in pairwise(corners)])
    at = np.floor((sight.on_ground(line) - look.above.origin_mm) * look.above.px_per_mm).astype(int)
    height, width = look.above.inside.shape
    seen = at[(at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)]
    seen = seen[look.above.inside[seen[:, 1], seen[:, 0]]]
    if not len(seen):
        return np.zeros((1, 3), np.float32)
    return np.asarray(look.above.picture[seen[:, 1], seen[:, 0]], np.float32)


def _share(of: Floats, place: Place, side: float) -> float:
    """The mean of a mask `of` (h, w) in the area where a block of a place may be seen."""
    return float(_part(of, place, side).mean())


def _part(of: Floats, place: Place, side: float) -> Floats:
    """Crop of a board's picture where a block of a place may be seen."""
    x, y = np.asarray(place.at_mm) * SIDE_PX_PER_MM
    dx, dy = (np.asarray(place.reach_mm) + side / 2) * SIDE_PX_PER_MM
    return of[max(round(y - dy), 0) : round(y + dy), max(round(x - dx), 0) : round(x + dx)]


def _raised(
    look: Looked, sight: BoardSight, height_mm: float, print_: Picture
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """The photo rectified to the plane at a height above a board, and the print that an empty board would
    show there.

    Both are (h, w, 3), upright; the mask (h, w) marks pixels that show the table beyond the board.
    """
    scale = SIDE_PX_PER_MM
    pixels = print_.shape[1], print_.shape[0]
    to_ground = np.vstack([sight.to_ground, [0, 0, 1]])
    shift = 0.5 / scale
    to_board = np.array([[1 / scale, 0, shift], [0, 1 / scale, shift], [0, 0, 1]])
    matrix = look.eye.matrix
    at_height, flat = (
        np.column_stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * height + matrix[:, 3]])
        @ to_ground
        @ to_board
        for height in (height_mm, 0.0)
    )
    seen = look.pictures.colours_through(at_height, pixels)
    there = np.linalg.inv(flat) @ at_height
    bare = cv2.warpPerspective(
        print_, there, pixels, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    on = cv2.warpPerspective(
        np.ones(print_.shape[:2], np.uint8), there, pixels, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    )
    return seen.astype(np.float32), np.asarray(bare, np.float32), on == 0
