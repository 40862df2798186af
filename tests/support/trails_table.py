"""Trails, the tiny game of `tests/support/tiny_game`, for tests: its cards, records of it, and a table to
photograph.

Importing this module puts the game where this process and those that it starts find it.
"""

from __future__ import annotations

import os
import sys
from importlib import invalidate_caches
from pathlib import Path

PACKAGES = Path(__file__).parent / "tiny_game"
if str(PACKAGES) not in sys.path:
    sys.path.insert(0, str(PACKAGES))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(PACKAGES), os.environ.get("PYTHONPATH"))))
    invalidate_caches()

from PIL import Image, ImageDraw  # noqa: E402
from trails.deck import PX_PER_MM, TILE_MM, TOKEN_MM, draw_piece, pieces, write_deck  # noqa: E402
from trails.game import GAME  # noqa: E402

from scorer.board_record import Board, Cell, GridSize, Piece, Tile  # noqa: E402
from scorer.catalogue import Catalogue, load_catalogue  # noqa: E402
from scorer.record import PlacedCard, Record, Rotation, make_record  # noqa: E402

__all__ = [
    "GAME",
    "PACKAGES",
    "ROWS",
    "board",
    "deck",
    "draw_piece",
    "photo_of",
    "pieces",
    "tableau",
    "write_deck",
]

#: The fox runs from the middle up and round to the last corner: seven tiles.
ROWS = "b>tvbv s^t>l< b^s>b<"
_SIGNS: dict[str, Rotation] = {"^": 0, ">": 90, "v": 180, "<": 270}
_NAMES = {"s": "straight", "b": "bend", "t": "tee", "l": "lane"}


def deck(folder: Path) -> Catalogue:
    """The cards, written to a folder and read again."""
    return load_catalogue(write_deck(folder))


def board(rows: str = ROWS, fox: Cell | None = (1, 1), owls: tuple[Cell, ...] = ()) -> Board:
    """A record from rows of tiles (a letter and `^>v<`, a dot where there is none), the fox's and the owls'
    cells."""
    tiles = []
    for row, line in enumerate(rows.split()):
        words = line.replace(".", "..")
        for column in range(len(words) // 2):
            name, sign = words[2 * column], words[2 * column + 1]
            if name != ".":
                tiles.append(Tile(tile=_NAMES[name], column=column, row=row, rotation=_SIGNS[sign]))
    standing = [Piece(piece="fox", column=fox[0], row=fox[1])] if fox is not None else []
    standing += [Piece(piece="owl", column=column, row=row) for column, row in owls]
    return Board(
        game="trails",
        catalogue="trails",
        grid=GridSize(columns=3, rows=3),
        tiles=tuple(tiles),
        pieces=tuple(standing),
    )


def tableau(record: Board) -> Record:
    """The same pieces as a photo's reading has them: where they lie, in mm."""
    lying = [
        PlacedCard(tile.tile or "", tile.column * TILE_MM, tile.row * TILE_MM, tile.rotation or 0)
        for tile in record.tiles or ()
    ]
    off = (TILE_MM - TOKEN_MM) / 2
    standing = [
        PlacedCard(piece.piece or "", piece.column * TILE_MM + off, piece.row * TILE_MM + off)
        for piece in record.pieces or ()
        if piece.column is not None and piece.row is not None
    ]
    return make_record((*lying, *standing), catalogue="trails")


def photo_of(record: Board, px_per_mm: float = 6.0, margin_mm: float = 25.0) -> Image.Image:
    """The table from straight above: wood, tiles, tokens on them. A lens and light are the caller's."""
    size = round((3 * TILE_MM + 2 * margin_mm) * PX_PER_MM)
    table = Image.new("RGB", (size, size), (128, 98, 66))
    for card in tableau(record).cards:
        face = draw_piece(card.card).rotate(-card.rotation)
        at = tuple(round((each + margin_mm) * PX_PER_MM) for each in (card.x, card.y))
        mask = None
        if card.card in ("fox", "owl"):
            mask = Image.new("L", face.size, 0)
            ImageDraw.Draw(mask).ellipse([0, 0, face.width - 1, face.height - 1], fill=255)
        table.paste(face, (at[0], at[1]), mask)
    scaled = round(size * px_per_mm / PX_PER_MM)
    return table.resize((scaled, scaled), Image.Resampling.LANCZOS)
