"""Board game art: catalogue -> features and thumbnails of all pieces, cached on disk between runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_of
from scorer.layered import Layers
from scorer.laying import Grid
from scorer.play_kinds import as_board_game
from scorer.text import Text
from vision.boards.sift import look
from vision.cards.index import (
    cache_folder,
    cache_name,
    is_known_by_sight,
    picture_of,
    prune,
    read_arrays,
    unreadable,
    write_arrays,
)
from vision.photo.runtime import single_threaded_blas

#: Side of a cell in pixels, in the pictures that are compared; the smallest photos show half of it.
CELL_PX = 100
#: Side of a cell in pixels in the picture used for the ground's features, about as photos show it.
FEATURE_CELL_PX = 76

Cell = tuple[int, int]
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Flat:
    """A flat piece, or one side of a standing figure.

    `picture` (h, w, 3) is blue-green-red at the board's scale, `size_mm` its width and height, `copies` the
    number in the box. `pawn`: it may be a turned pawn in its colour. `coin`: it lies in front of players,
    never on a board. `siblings` are pictures of pieces that differ from it in colour only, such as pawns.
    """

    id: str
    size_mm: tuple[float, float]
    copies: int
    picture: Picture
    colour: str | None = None
    pawn: bool = False
    coin: bool = False
    siblings: tuple[Picture, ...] = ()

    @property
    def looks(self) -> bool:
        """Whether the piece faces a direction: figures wider than high are drawn from their side."""
        return not self.pawn and self.size_mm[0] > self.size_mm[1]

    @cached_property
    def painted(self) -> NDArray[np.float32]:
        """The paint colour (blue, green, red) of a piece.

        It is the median of the quarter of pixels that differ most from its siblings, or of the most saturated
        half if it has none.
        """
        pixels = self.picture.reshape(-1, 3).astype(np.float32)
        if self.siblings:
            height, width = self.picture.shape[:2]
            alike = [cv2.resize(each, (width, height)) for each in self.siblings]
            others = np.stack([_colours(np.asarray(each, np.uint8)) for each in (self.picture, *alike)])
            strong = np.linalg.norm(others.std(axis=0), axis=1)
            least = np.percentile(strong, 75)
        else:
            strong = pixels.max(axis=1) - pixels.min(axis=1)
            least = np.median(strong)
        return np.asarray(np.median(pixels[strong >= least], axis=0), np.float32)


@dataclass(frozen=True)
class BoardArt:
    """Art of a board with `columns` x `rows` cells of `cell_mm`; pictures have `px_per_mm`.

    `ground` is the printed board, and `ground_mm` its left, top, right and bottom edges. `drawn` (h, w) masks
    its parts that stay visible in play: frame and printed cells. `tiles` are loose; `printed` has the id and
    rotation of each printed cell. `points_mm` (n, 2) and `descriptors` (n, 128) are the features of the
    ground.
    """

    columns: int
    rows: int
    cell_mm: float
    px_per_mm: float
    ground: Picture
    ground_mm: tuple[float, float, float, float]
    drawn: NDArray[np.bool_]
    tiles: tuple[Flat, ...]
    printed: dict[Cell, tuple[str, int]]
    discs: tuple[Flat, ...]
    standing: tuple[Flat, ...]
    points_mm: NDArray[np.float32]
    descriptors: NDArray[np.float32]
    cards: tuple[Flat, ...] = ()

    @property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(column, row) for row in range(self.rows) for column in range(self.columns)]

    @property
    def open_cells(self) -> list[Cell]:
        """The cells for loose tiles, which have no printed tile."""
        return [cell for cell in self.cells if cell not in self.printed]


#: Arrays computed from a catalogue's art: each piece's picture by its id, and the ground's features.
Arrays = dict[str, NDArray[Any]]
POINTS, DESCRIPTORS = " points", " descriptors"


def _seen_pieces(catalogue: Catalogue) -> list[Card]:
    """The pieces to search for in photos: all but dice and pieces that a photo cannot identify.

    Boards, tiles and printed cells are always included, because they must have art.
    """
    return [
        card
        for card in catalogue.cards
        if card.kind != "die" and (is_known_by_sight(card) or card.kind in ("tile", "fixed", "board"))
    ]


@single_threaded_blas()
def look_at_art(catalogue: Catalogue, grid: Grid) -> Arrays:
    """Pictures and features of all pieces, read from their art. Raises `WaymarkError` (art-unreadable)."""
    scale = CELL_PX / catalogue.card_size_mm[0]
    pieces = _seen_pieces(catalogue)
    with ThreadPoolExecutor(max_workers=2) as pool:
        pictures = list(pool.map(lambda card: scaled_picture(catalogue, card, scale), pieces))
    arrays: Arrays = {card.id: picture for card, picture in zip(pieces, pictures, strict=True)}
    ground, ground_mm, drawn = _ground(catalogue, grid, arrays, scale)
    arrays[POINTS], arrays[DESCRIPTORS] = ground_features(ground, drawn, ground_mm, scale)
    return arrays


def board_art(catalogue: Catalogue, grid: Grid, arrays: Arrays) -> BoardArt:
    """The `BoardArt` of a catalogue, built from the arrays of `look_at_art`."""
    if grid.columns is None or grid.rows is None:
        raise ValueError("a board has a grid of its own size")
    cell_mm = catalogue.card_size_mm[0]
    scale = CELL_PX / cell_mm
    ground, ground_mm, drawn = _ground(catalogue, grid, arrays, scale)

    def flats(wanted: Callable[[Card], bool]) -> tuple[Flat, ...]:
        return tuple(
            Flat(
                card.id,
                catalogue.size_of(card.id),
                card.copies,
                arrays[card.id],
                card.colour,
                card.kind == "pawn",
                card.kind == "coin",
            )
            for card in _seen_pieces(catalogue)
            if wanted(card)
        )

    return BoardArt(
        columns=grid.columns,
        rows=grid.rows,
        cell_mm=cell_mm,
        px_per_mm=scale,
        ground=ground,
        ground_mm=ground_mm,
        drawn=drawn,
        tiles=flats(lambda card: card.kind == "tile"),
        printed=_printed(catalogue),
        discs=flats(lambda card: card.shape == "disc"),
        standing=_with_siblings(flats(lambda card: card.shape == "standing")),
        points_mm=arrays[POINTS],
        descriptors=arrays[DESCRIPTORS],
        cards=flats(lambda card: card.kind == "card"),
    )


def _with_siblings(pieces: Sequence[Flat]) -> tuple[Flat, ...]:
    """The pieces, with each pawn's `siblings` set to the pictures of other pawns of its size."""
    return tuple(
        replace(
            piece,
            siblings=tuple(
                other.picture
                for other in pieces
                if piece.pawn
                and other.pawn
                and other is not piece
                and other.picture.shape == piece.picture.shape
            ),
        )
        for piece in pieces
    )


def _colours(picture: Picture) -> NDArray[np.float32]:
    """Colour differences (n, 2), red - green and blue - green, of a picture's pixels."""
    blue, green, red = picture.reshape(-1, 3).astype(np.float32).T
    return np.stack([red - green, blue - green], axis=1)


def _printed(catalogue: Catalogue) -> dict[Cell, tuple[str, int]]:
    return {
        card.cell: (card.id, card.rotation or 0)
        for card in catalogue.cards
        if card.kind == "fixed" and card.cell is not None
    }


def flat_of(catalogue: Catalogue, card: Card, px_per_mm: float) -> Flat:
    """A piece at a resolution. Raises `WaymarkError` (art-unreadable)."""
    picture = scaled_picture(catalogue, card, px_per_mm)
    return Flat(card.id, catalogue.size_of(card.id), card.copies, picture, card.colour)


def scaled_picture(catalogue: Catalogue, card: Card, px_per_mm: float) -> Picture:
    """A piece's art at a resolution. Raises `WaymarkError` (art-unreadable)."""
    art = picture_of(catalogue, card)
    if art is None:
        raise unreadable(card)
    width, height = catalogue.size_of(card.id)
    size = (max(4, round(width * px_per_mm)), max(4, round(height * px_per_mm)))
    return np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)


def _ground(
    catalogue: Catalogue, grid: Grid, pictures: Arrays, scale: float
) -> tuple[Picture, tuple[float, float, float, float], NDArray[np.bool_]]:
    """The printed board, its edges in mm, and the mask of its parts that stay visible in play.

    Without a picture of the whole board, the ground consists of the printed cells only.
    """
    columns, rows = grid.columns or 0, grid.rows or 0
    boards = [card for card in catalogue.cards if card.kind == "board"]
    printed = _printed(catalogue)
    cell_mm = catalogue.card_size_mm[0]
    inner = columns * cell_mm, rows * cell_mm
    if boards:
        width, height = catalogue.size_of(boards[0].id)
        ground = pictures[boards[0].id].copy()
    else:
        width, height = inner
        ground = np.zeros((round(height * scale), round(width * scale), 3), np.uint8)
    left, top = (width - inner[0]) / 2, (height - inner[1]) / 2
    drawn = np.full(ground.shape[:2], bool(boards))
    for row in range(rows):
        for column in range(columns):
            y, x = round((top + row * cell_mm) * scale), round((left + column * cell_mm) * scale)
            at = (slice(y, y + CELL_PX), slice(x, x + CELL_PX))
            drawn[at] = (column, row) in printed
            if not boards and (column, row) in printed:
                name, rotation = printed[column, row]
                ground[at] = np.rot90(pictures[name], -rotation // 90)
    return ground, (-left, -top, inner[0] + left, inner[1] + top), drawn


def ground_features(
    ground: Picture, drawn: NDArray[np.bool_], ground_mm: tuple[float, float, float, float], px_per_mm: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Features of the `drawn` parts of a printed board: points (n, 2) in mm, and descriptors (n, 128)."""
    shrink = FEATURE_CELL_PX / CELL_PX
    grey = cv2.cvtColor(ground, cv2.COLOR_BGR2GRAY)
    size = (round(grey.shape[1] * shrink), round(grey.shape[0] * shrink))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    seen = cv2.erode(cv2.resize(drawn.astype(np.uint8), size), np.ones((5, 5), np.uint8))
    found = look(np.asarray(small, np.uint8), mask=seen)
    at = (found.at + 0.5) / shrink / px_per_mm + np.array(ground_mm[:2])
    return at.astype(np.float32), found.descriptors


#: Version of the cache format; raise it whenever the cached arrays change.
VERSION = 1

#: Lock by which threads that need the same catalogue wait for the one that reads its art.
_loading = threading.Lock()


def shows_a_board(catalogue: Catalogue) -> bool:
    """Whether a game has a board with a fixed grid, printed or of loose pieces, that photos can show."""
    if any(card.kind in ("board", "fixed") for card in catalogue.cards):
        return game_of(catalogue).photo.laying.grid is not None
    return is_loose(catalogue)


def is_loose(catalogue: Catalogue) -> bool:
    """Whether a game's board consists of loose pieces only."""
    return game_of(catalogue).photo.strategy.is_loose


def layers_of(catalogue: Catalogue) -> Layers | None:
    """The layers of a layered board that photos may show; None for games without such a board."""
    game = as_board_game(game_of(catalogue))
    if game is None or not game.photo.strategy.is_layered:
        return None
    layers = game.photo.strategy.layers_of(game.rules.pieces_of(catalogue))
    if layers is None:
        raise WaymarkError(
            Code.NO_CARD,
            Text(
                "Photos of this box cannot be read: its catalogue has no map in one piece; tell turns by "
                "hand."
            ),
        )
    return layers


def load_board(catalogue: Catalogue) -> BoardArt:
    """The `BoardArt` of a catalogue, cached in memory and on disk. Raises `WaymarkError` (art-unreadable)."""
    kept = vars(catalogue)
    with _loading:
        if "board_art" not in kept:
            kept["board_art"] = _load(catalogue)
    art: BoardArt = kept["board_art"]
    return art


def _load(catalogue: Catalogue) -> BoardArt:
    grid = game_of(catalogue).photo.laying.grid
    assert grid is not None, "asked of boards alone"
    file = cache_folder() / f"index-board-{cache_name(catalogue, VERSION)}.npz"
    arrays = read_arrays(file)
    if arrays is None or not {POINTS, DESCRIPTORS} <= arrays.keys():
        arrays = look_at_art(catalogue, grid)
        write_arrays(arrays, file)
        prune(file)
    return board_art(catalogue, grid, arrays)
