"""Boxes of board games by the name of their style: the pieces and facts of the open set, in other sizes and
with other art.

    python -m samples.styles --style inked-3 --game stone_dragon --out DIR
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec
import numpy as np

from calibration.decks.ice_and_idols import temple_set
from calibration.decks.labyrinth2 import tile_set
from calibration.decks.pieces import catalogue_json
from calibration.decks.stone_dragon import panel_set
from samples.styles.canvas import Canvas, Picture, lighter
from samples.styles.panels import clear_face, panel_face, resized, start_disc
from samples.styles.sheets import board_face, card_face
from samples.styles.standing import standing_face
from samples.styles.style import Style, apart_from, style_of
from samples.styles.tokens import disc_face, paint, small_face
from scorer.catalogue import FILE_NAME, Card, Catalogue, Point

SETS: dict[str, Callable[[], Catalogue]] = {
    "labyrinth2": tile_set.build_catalogue,
    "stone_dragon": panel_set.build_catalogue,
    "ice_and_idols": temple_set.build_catalogue,
}
PX_PER_MM, BOARD_PX_PER_MM = 10.0, 8.0


@dataclass(frozen=True)
class _Sizes:
    """A box's sizes as factors of the open set's. `frame_mm` is about a board with tiles; `own_tiles` is how
    many tiles of a shape are like no other (None: all)."""

    tile: float
    board: float
    card: Point
    chip: float
    coin: float
    figure: float
    frame_mm: float
    own_tiles: int | None


def _sizes_of(style: Style) -> _Sizes:
    rng = np.random.default_rng([style.seed, 2])
    tile, board, wide, high, chip, coin, figure = (float(each) for each in rng.uniform(0.88, 1.13, 7))
    return _Sizes(
        tile=tile,
        board=board,
        card=(wide, high),
        chip=chip,
        coin=coin,
        figure=figure,
        frame_mm=float(rng.uniform(14, 28)),
        own_tiles=None if rng.random() < 0.5 else int(rng.integers(2, 6)),
    )


def box_of(name: str, game: str) -> Catalogue:
    """The catalogue of a game's box in the style of this name, in memory. Raises `ValueError` for a family
    that is not known."""
    style = style_of(name)
    open_set = SETS[game]()
    sizes = _sizes_of(style)
    cards = [_resized(card, open_set, sizes) for card in open_set.cards]
    if game == "labyrinth2" and sizes.own_tiles is not None:
        cards = list(_with_copies(cards, sizes.own_tiles))
    side = round(open_set.card_size_mm[0] * sizes.tile, 1)
    return msgspec.structs.replace(
        open_set, name=f"{game} {name}", cards=tuple(cards), card_size_mm=(side, side), corner_radius_mm=0.5
    )


def _with_copies(cards: list[Card], own: int) -> Iterator[Card]:
    """The tiles of each shape after the first few are copies of one design."""
    plain: dict[str, Card] = {}
    for card in cards:
        if card.kind == "tile" and int(card.id[1:]) > own:
            first = plain.setdefault(card.id[0], card)
            plain[card.id[0]] = msgspec.structs.replace(first, copies=first.copies + (first is not card))
        else:
            yield card
    yield from plain.values()


def _resized(card: Card, open_set: Catalogue, sizes: _Sizes) -> Card:
    """A piece at the box's size, with everything that has a place on it."""
    tile = round(open_set.card_size_mm[0] * sizes.tile, 1)
    share = tile / open_set.card_size_mm[0]
    if card.kind in ("tile", "fixed"):
        nodes = tuple(msgspec.structs.replace(node, at=_times(node.at, share)) for node in card.nodes)
        return msgspec.structs.replace(card, nodes=nodes)
    assert card.size_mm is not None
    if card.kind == "board" and card.chip_cells is not None:
        side = round(tile_set.SIDE * tile + 2 * sizes.frame_mm, 1)
        return msgspec.structs.replace(card, size_mm=(side, side))
    if card.role in ("map", "border"):
        wide = 5 * tile if card.role == "map" else card.size_mm[0]
        return msgspec.structs.replace(card, size_mm=(wide, 5 * tile))
    factors: dict[str, float | Point] = {"card": sizes.card, "board": sizes.board}
    if card.shape == "disc":
        factors |= {"chip": sizes.chip, "coin": sizes.coin}
    factor = factors.get(card.kind, sizes.figure if card.shape == "standing" else 1.0)
    return msgspec.structs.replace(
        card, size_mm=_times(card.size_mm, factor), more=_moved(card, sizes.board) if card.more else {}
    )


def _times(size: Point, factor: float | Point) -> Point:
    wide, high = factor if isinstance(factor, tuple) else (factor, factor)
    return round(size[0] * wide, 1), round(size[1] * high, 1)


def _moved(card: Card, factor: float) -> dict[str, object]:
    """What a game adds to a card; places on a player's board are moved with its size."""
    if card.role != "player-board":
        return card.more
    altars = [each | {"at": list(_times(each["at"], factor))} for each in card.more["altars"]]
    hands = [list(_times(spot, factor)) for spot in card.more["hands"]]
    return card.more | {
        "altars": altars,
        "hands": hands,
        "adrenaline": list(_times(card.more["adrenaline"], factor)),
    }


def draw_piece(box: Catalogue, card: Card, style: Style) -> Picture:
    """The art of a box's piece: (H, W, 3) BGR, or (H, W, 4) BGRA of a clear tile."""
    side = box.card_size_mm[0]
    if card.kind in ("tile", "fixed"):
        if box.game == "ice_and_idols":
            return clear_face(card, side, style, PX_PER_MM)
        face = panel_face(card, side, style, PX_PER_MM)
        start = {cell: colour for colour, cell in tile_set.STARTS.items()}.get(card.cell or (9, 9))
        if start is not None:
            start_disc(face, paint(style, start), PX_PER_MM, style)
        return face
    if card.shape == "disc":
        return disc_face(card, style, PX_PER_MM)
    if card.shape == "standing":
        return standing_face(card, style, PX_PER_MM)
    if card.kind == "card":
        return card_face(card, style, PX_PER_MM)
    if card.kind == "board" and card.chip_cells is not None:
        return _tile_board(box, card, style)
    if card.kind == "board" or card.role == "border":
        return board_face(card, style, BOARD_PX_PER_MM)
    return small_face(card, style, PX_PER_MM)


def _tile_board(box: Catalogue, board: Card, style: Style) -> Picture:
    """A board for tiles: a frame with an arrow at each end of a line that moves, and the printed cells."""
    assert board.size_mm is not None
    tile, frame = box.card_size_mm[0], (board.size_mm[0] - tile_set.SIDE * box.card_size_mm[0]) / 2
    rng = np.random.default_rng([style.seed, 23])
    canvas = Canvas.blank(board.size_mm, BOARD_PX_PER_MM)
    canvas.pixels[:] = style.room.surface(canvas, rng)
    far = board.size_mm[0] - frame
    inner = np.array([[frame, frame], [far, frame], [far, far], [frame, far]])
    canvas.fill(inner, lighter(style.ground.colour, -0.3))
    for card in box.cards:
        if card.kind == "fixed" and card.cell is not None:
            left, top = (round((frame + at * tile) * BOARD_PX_PER_MM) for at in card.cell)
            face = resized(draw_piece(box, card, style), round(tile * BOARD_PX_PER_MM))
            canvas.pixels[top : top + len(face), left : left + len(face)] = face
    colour = apart_from(style.room.colour, rng)
    for _ in range(4):
        for line in (1, 3, 5):
            x = frame + (line + 0.5) * tile
            canvas.fill([[x - 6, 0.35 * frame], [x + 6, 0.35 * frame], [x, 0.8 * frame]], colour)
        canvas.pixels[:] = np.rot90(canvas.pixels)
    canvas.stroke(inner, style.frame_colour, 1.4, closed=True)
    edge = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * board.size_mm
    canvas.stroke(edge, style.frame_colour, 2.0, closed=True)
    return canvas.pixels


def write_box(name: str, game: str, folder: Path) -> Catalogue:
    """Write the catalogue and the art of a game's box into a folder."""
    box, style = box_of(name, game), style_of(name)
    (folder / "art").mkdir(parents=True, exist_ok=True)
    (folder / FILE_NAME).write_bytes(catalogue_json(box))
    for card in box.cards:
        cv2.imwrite(str(folder / card.art), draw_piece(box, card, style))
    return box
