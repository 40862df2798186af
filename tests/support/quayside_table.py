"""Quayside, the board game of `tests/support/fifth_game`, for tests: its catalogue, boards of it, and photos
of its table.

Importing this module puts the game where this process and those that it starts find it.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

PACKAGES = Path(__file__).parent / "fifth_game"
if str(PACKAGES) not in sys.path:
    sys.path.insert(0, str(PACKAGES))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(PACKAGES), os.environ.get("PYTHONPATH"))))
    invalidate_caches()

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402
from quayside.deck import DISC_MM, FRAME_MM, PRINTED, PX_PER_MM, SIDE, TILE_MM, draw_piece, write_deck  # noqa: E402
from quayside.game import GAME  # noqa: E402
from quayside.play import Table  # noqa: E402

from scorer.board_record import Board  # noqa: E402
from scorer.catalogue import Catalogue, load_catalogue  # noqa: E402
from scorer.turn_forms import Seated  # noqa: E402

__all__ = ["BEGINS", "GAME", "begun", "deck", "photo_of", "turned", "written"]

PLAYERS = (Seated("Aya", "red"), Seated("Ben", "blue"))
#: A legal first turn of Aya on the board that is `begun`.
BEGINS = (
    {"do": "sail", "to": [1, 0]},
    {"do": "load", "good": "grain"},
    {"do": "turn", "at": [1, 1], "rotation": 90},
)
#: The table about the board, and where pieces lie in their cells: boats, goods.
ROUND_MM, BOAT_AT, GOOD_AT = 135.0, (0.3, 0.68), (0.7, 0.3)


def deck(folder: Path) -> Catalogue:
    """The catalogue, written to a folder and read again."""
    return load_catalogue(write_deck(folder))


def begun(catalogue: Catalogue, chance: int = 5) -> Board:
    """The board of two players as it was dealt."""
    return Table().dealt(catalogue, Table().begun(catalogue, PLAYERS), random.Random(chance))


def turned(catalogue: Catalogue, board: Board, actions: Sequence[Mapping[str, Any]]) -> Board:
    """The board after legal actions of the player to move."""
    return Table().shown(catalogue, board, {"actions": actions}, GAME.rules.settings.make({}))


def written(file: Path, told: Mapping[str, Any]) -> Path:
    """JSON written to a file; the file."""
    file.write_text(json.dumps(told), encoding="utf-8")
    return file


def photo_of(board: Board) -> bytes:
    """A JPEG of the table, held a little askew: the board, its tiles and pieces, and the goods of the first
    player below it, of the second above it."""
    scale, size = PX_PER_MM, round((SIDE * TILE_MM + 2 * (FRAME_MM + ROUND_MM)) * PX_PER_MM)
    table = Image.new("RGB", (size, size), (128, 98, 66))
    edge = round(ROUND_MM * scale)
    table.paste(draw_piece("board"), (edge, edge))
    for tile in board.tiles or ():
        if tile.tile is not None and tile.tile not in PRINTED:
            corner = _px(tile.column, tile.row)
            table.paste(draw_piece(tile.tile).rotate(-(tile.rotation or 0)), corner)
    for each in board.pieces or ():
        if each.cell is not None and each.piece is not None:
            x, y = BOAT_AT if each.piece.startswith("boat") else GOOD_AT
            _lay(table, each.piece, (each.cell[0] + x, each.cell[1] + y))
    for beside, player in zip((SIDE + 1.1, -1.1), board.players, strict=True):
        goods = [name for name, count in (player.holds or {}).items() for _ in range(count)]
        for number, name in enumerate(goods):
            _lay(table, name, (1.5 + 0.5 * number, beside))
    pixels = cv2.resize(np.asarray(table)[..., ::-1], (2000, 2000), interpolation=cv2.INTER_AREA)
    corners = np.array([[0, 0], [2000, 0], [2000, 2000], [0, 2000]], np.float32)
    held = np.array([[60, 20], [1960, 10], [1990, 1980], [10, 1990]], np.float32)
    askew = cv2.warpPerspective(
        pixels, cv2.getPerspectiveTransform(corners, held), (2000, 2000), borderValue=(66, 98, 128)
    )
    return cv2.imencode(".jpg", askew, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def _px(column: float, row: float) -> tuple[int, int]:
    """A place of the grid, counted in cells, in the picture of the table."""
    x, y = (round((ROUND_MM + FRAME_MM + TILE_MM * each) * PX_PER_MM) for each in (column, row))
    return x, y


def _lay(table: Image.Image, name: str, at: tuple[float, float]) -> None:
    face = draw_piece(name)
    mask = Image.new("L", face.size, 0)
    ImageDraw.Draw(mask).ellipse([0, 0, face.width - 1, face.height - 1], fill=255)
    x, y = _px(*at)
    half = round(DISC_MM * PX_PER_MM / 2)
    table.paste(face, (x - half, y - half), mask)
