"""Photos of games whose turns are lists of actions, made on the spot: of boards of Ice and Idols and of Stone
Dragon as an app has them, each game's all of one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from samples.board_photos import random_ground, take_photo
from samples.compositor import photograph
from samples.ice_and_idols import tables as temple_tables
from samples.ice_and_idols.states import State as Temple
from samples.splits import FIRST_SEED
from samples.stone_dragon import tables as panel_tables
from samples.stone_dragon.states import Lying, Player
from samples.stone_dragon.states import State as Panels
from scorer.board_record import Board
from scorer.catalogue import Catalogue, Side
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import pieces_of as temple_pieces
from scorer.ice_and_idols.rules.position import position_of
from scorer.stone_dragon.rules.pieces import pieces_of as panel_pieces
from scorer.stone_dragon.rules.validation import seat_of, top_of

#: Enough for a board, and read quickly.
LONGEST_PX, QUALITY = 2016, 88
SEATS: tuple[Side, ...] = ("bottom", "left", "right", "top")


def temple_photo(catalogue: Catalogue, board: Board, table: int, shot: int) -> bytes:
    """A JPEG of a table of Ice and Idols, its track and player boards in view."""
    pieces = temple_pieces(catalogue)
    position = position_of(board, pieces, House())
    position.players = {
        pieces.colours[each.figure]: replace(each, name=pieces.colours[each.figure], seat=SEATS[number])
        for number, each in enumerate(position.players.values())
    }
    face = board.more["ground"]["tiles"][0]["tile"]
    state = Temple(position, face, next(iter(position.players)), False)
    seed = FIRST_SEED["tuning-ice-and-idols"] + 4 * table
    lay = temple_tables._lay(catalogue, seed)
    laid_by = temple_tables._Table(lay, catalogue, state, np.random.default_rng([seed, 32]))
    laid = laid_by.laid()
    laid = replace(laid, shown=np.vstack(list(laid.zones.values())))
    ground = random_ground(seed, np.random.default_rng([seed, 33]))
    others = tuple(laid_by.others)
    photo = take_photo(lay, laid, others, ground, "tuning-ice-and-idols", seed + shot, "easy")
    return _jpeg(photograph(photo.scene, temple_tables._faces(catalogue, laid, others).__getitem__))


def panels_photo(catalogue: Catalogue, board: Board, table: int, shot: int) -> bytes:
    """A JPEG of a table of Stone Dragon, what lies before the players in view."""
    pieces = panel_pieces(catalogue)
    back = min(pieces.backs - pieces.marked_backs)
    cells = {piece.piece: piece.cell for piece in board.pieces or ()}
    dragon = top_of(board).dragon
    players = []
    for number, player in enumerate(board.players):
        seat = seat_of(player)
        chips = ["life-1"] * (seat.life or 0) + ["coin-1"] * (seat.coins or 0)
        held = [name for name, count in (player.holds or {}).items() for _ in range(count)]
        players.append(
            Player(
                name=player.name,
                pawn=player.piece or "",
                seat=SEATS[number],
                cell=cells[player.piece] or (0, 0),
                character=seat.character or "",
                holds=(*chips, *held),
                equipped=seat.equipped,
                victory=tuple((each.card or "", each.side or "points") for each in seat.victory),
                hidden=player.hand_size or len(player.hand or ()),
            )
        )
    state = Panels(
        panels={
            tile.cell: Lying(
                back if tile.face == "down" else tile.tile or "", tile.rotation or 0, tile.face == "up"
            )
            for tile in board.tiles or ()
        },
        players=tuple(players),
        dragon=dragon.piece or "",
        dragon_cell=cells[dragon.piece] or (0, 0),
        dragon_chips=("life-5",) * ((dragon.life or 0) // 5) + ("life-1",) * ((dragon.life or 0) % 5),
    )
    seed = FIRST_SEED["tuning-stone-dragon"] + 4 * table
    rng = np.random.default_rng([seed, 32])
    lay = panel_tables._lay(catalogue, seed, rng)
    laid = panel_tables._laid(lay, catalogue, state, rng)
    laid = replace(laid, shown=np.vstack(list(laid.zones.values())))
    others = panel_tables._piles(lay, catalogue, laid, rng)
    ground = random_ground(seed, np.random.default_rng([seed, 33]))
    photo = take_photo(lay, laid, others, ground, "tuning-stone-dragon", seed + shot, "easy")
    return _jpeg(photograph(photo.scene, panel_tables._faces(catalogue, laid, others).__getitem__))


def _jpeg(pixels: np.ndarray) -> bytes:
    smaller = LONGEST_PX / max(pixels.shape[:2])
    small = cv2.resize(pixels[..., ::-1], None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def write_photo(file: Path, photo: bytes) -> Path:
    file.write_bytes(photo)
    return file
