"""Art of a layered board: printed ground, transparent square tiles, strips along its four sides, and player
boards with places for small pieces.

Lengths are in mm. The game defines the meaning of the pieces (`scorer.layered`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, Catalogue
from scorer.layered import Layers, SideBoard
from vision.boards.art import CELL_PX, BoardArt, Flat, Picture, flat_of, ground_features, scaled_picture
from vision.boards.cards import Box, CardBank, card_bank
from vision.boards.discs import DiscBank, disc_bank
from vision.boards.plane import KnownBoards, known_boards
from vision.boards.sift import look
from vision.cards.index import is_known_by_sight, read_art, unreadable

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
#: Scale at which boards beside the grid are compared.
SIDE_PX_PER_MM = 2.0
#: Scale of the strips' pictures for features, about as in photos.
SHRINK = 0.76


@dataclass(frozen=True)
class LayeredArt:
    """Art of a layered board; lengths in mm, side pictures at 2 px per mm.

    `grounds` has, by id, the boards that may lie under the tiles, and `known` their features. Their tiles are
    transparent (CELL_PX, CELL_PX, 4); the last of them, without an id, stands for none. `rim_mm` is the
    width of the strips along its sides; `sides` the pictures of player boards. `beside` are all
    cards and boards that may lie around the grid. `discs` are round, with mean colours `disc_colours` (3,)
    blue-green-red; `chips` are square; `blocks` show their top side.
    """

    layers: Layers
    grounds: dict[str, BoardArt]
    known: KnownBoards
    rim_mm: float
    sides: dict[str, Picture]
    beside: CardBank
    discs: DiscBank
    disc_colours: dict[str, Floats]
    chips: dict[str, Picture]
    blocks: dict[str, Picture]
    sizes_mm: dict[str, tuple[float, float]]


def layered_art(catalogue: Catalogue, layers: Layers) -> LayeredArt:
    """The art of a catalogue's layered board, computed once and cached. Raises `WaymarkError`
    (art-unreadable)."""
    kept: LayeredArt | None = vars(catalogue).get("layered_art")
    if kept is None:
        kept = vars(catalogue)["layered_art"] = _layered_art(catalogue, layers)
    return kept


def _layered_art(catalogue: Catalogue, layers: Layers) -> LayeredArt:
    def side_picture(card: Card) -> Picture:
        return scaled_picture(catalogue, card, SIDE_PX_PER_MM)

    tiles = [_clear_tile(catalogue, card) for card in catalogue.cards if card.kind == "tile"]
    scale = CELL_PX / catalogue.card_size_mm[0]
    standing = tuple(
        replace(flat_of(catalogue, card, scale), pawn=True)
        for card in catalogue.cards
        if card.shape == "standing" and is_known_by_sight(card)
    )
    rims = [catalogue.card(name) for name in layers.rims]
    sides = [catalogue.card(board.id) for board in layers.boards]
    lying = [catalogue.card(name) for name in layers.cards if is_known_by_sight(catalogue.card(name))]
    wanted = {name for board in layers.boards for place in board.places for name in place.pieces}
    seen = [each for each in catalogue.cards if is_known_by_sight(each)]
    discs = [each for each in seen if each.shape == "disc"]
    chips = [
        each for each in seen if each.id in wanted and each.shape != "disc" and each.id not in layers.blocks
    ]
    grounds = {name: _ground(catalogue, catalogue.card(name), standing, tiles) for name in layers.grounds}
    rim_mm = min((min(catalogue.size_of(card.id)) for card in rims), default=0.0)
    return LayeredArt(
        layers=layers,
        grounds=grounds,
        known=known_boards(grounds, [_rim_features(side_picture(card)) for card in rims], rim_mm),
        rim_mm=rim_mm,
        sides={card.id: side_picture(card) for card in sides},
        beside=card_bank(
            [flat_of(catalogue, card, SIDE_PX_PER_MM) for card in (*sides, *lying)],
            {board.id: _covered(catalogue, board) for board in layers.boards},
        ),
        discs=disc_bank([flat_of(catalogue, card, SIDE_PX_PER_MM) for card in discs]),
        disc_colours={card.id: mean_of_disc(side_picture(card)) for card in discs},
        chips={card.id: side_picture(card) for card in chips},
        blocks={name: side_picture(catalogue.card(name)) for name in layers.blocks},
        sizes_mm={card.id: catalogue.size_of(card.id) for card in catalogue.cards},
    )


def _rim_features(rim: Picture) -> tuple[Array, Floats]:
    """Features of a strip: points (n, 2) mm of the upright strip, and descriptors."""
    grey = cv2.cvtColor(rim, cv2.COLOR_BGR2GRAY)
    found = look(
        np.asarray(cv2.resize(grey, None, fx=SHRINK, fy=SHRINK, interpolation=cv2.INTER_AREA), np.uint8)
    )
    return (found.at + 0.5) / SHRINK / SIDE_PX_PER_MM, found.descriptors


def _covered(catalogue: Catalogue, board: SideBoard) -> list[Box]:
    """The boxes of a board (left, top, right, bottom, mm) on which small pieces may lie."""
    found = []
    for place in board.places:
        wide = max(catalogue.size_of(name)[0] for name in place.pieces) / 2
        (x, y), (dx, dy) = place.at_mm, (each + wide for each in place.reach_mm)
        found.append((x - dx, y - dy, x + dx, y + dy))
    return found


def mean_of_disc(picture: Picture) -> Floats:
    """Mean colour (3,) of a disc that fills a picture."""
    height, width = picture.shape[:2]
    ys, xs = np.mgrid[:height, :width]
    within = np.hypot((xs + 0.5) / width - 0.5, (ys + 0.5) / height - 0.5) < 0.46
    return np.asarray(picture[within].mean(axis=0), np.float32)


def _clear_tile(catalogue: Catalogue, card: Card) -> Flat:
    art = read_art(catalogue.art_path(card), clear=True)
    if art is None:
        raise unreadable(card)
    picture = cv2.resize(art, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA)
    return Flat(card.id, catalogue.size_of(card.id), card.copies, np.asarray(picture, np.uint8))


def _ground(catalogue: Catalogue, card: Card, standing: Sequence[Flat], tiles: Sequence[Flat]) -> BoardArt:
    """The `BoardArt` of a ground, with its features."""
    cell_mm = catalogue.card_size_mm[0]
    scale = CELL_PX / cell_mm
    picture = scaled_picture(catalogue, card, scale)
    width, height = catalogue.size_of(card.id)
    drawn, ground_mm = np.ones(picture.shape[:2], bool), (0.0, 0.0, width, height)
    points_mm, descriptors = ground_features(picture, drawn, ground_mm, scale)
    columns, rows = round(width / cell_mm), round(height / cell_mm)
    none = Flat("", (cell_mm, cell_mm), columns * rows, np.zeros((CELL_PX, CELL_PX, 4), np.uint8))
    return BoardArt(
        columns=columns,
        rows=rows,
        cell_mm=cell_mm,
        px_per_mm=scale,
        ground=picture,
        ground_mm=ground_mm,
        drawn=drawn,
        tiles=(*tiles, none),
        printed={},
        discs=(),
        standing=tuple(standing),
        points_mm=points_mm,
        descriptors=descriptors,
    )
