"""Conversion of a board scan to a board record: pieces on the board, and the pieces each player holds beside
it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from scorer.board_game import BoardGame
from scorer.board_record import Board, BoardPlayer, GridSize, Piece, SpareTile, Tile
from scorer.catalogue import Catalogue, Side
from scorer.layered import LayersTold
from scorer.port.photo import Sight
from vision.boards.art import is_loose
from vision.boards.seen import SIDES, BoardPiece, BoardScan, HeldPiece, LaidPiece, LayeredScan
from vision.photo import geometry


def board_of(scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None = None) -> Board:
    """The game's record of a board scan; the players, their hands and whose move it is come from `told`."""
    if isinstance(scan, LayeredScan):
        return layers_told(scan, catalogue, game, told).board
    board = _lying_and_standing(scan, catalogue, game, told)
    sights = [
        Sight(each.piece, each.at_mm, each.turn_deg, each.seat)
        for each in scan.held
        if isinstance(each, LaidPiece)
    ]
    pieces = game.rules.pieces_of(catalogue)
    return game.photo.strategy.laid_out(board, sights, seats_shown(scan), pieces, told)


def _lying_and_standing(scan: BoardScan, catalogue: Catalogue, game: BoardGame, told: Board | None) -> Board:
    """The board's record in the form common to all games."""
    spare, place_at = scan.spare, game.photo.strategy.spare_at
    lying: tuple[SpareTile, ...] = ()
    if spare is not None and place_at is not None:
        at = None if spare.side is None or spare.line is None else place_at(spare.side, spare.line)
        lying = (SpareTile(tile=spare.tile, rotation=cast(Any, spare.rotation), at=at),)
    return Board(
        game=game.id,
        catalogue=catalogue.name,
        grid=GridSize(columns=game.rules.grid.columns, rows=game.rules.grid.rows),
        tiles=tuple(
            Tile(tile=each.tile, column=each.cell[0], row=each.cell[1], rotation=cast(Any, each.rotation))
            for each in scan.tiles
        ),
        spare=lying,
        pieces=tuple(
            Piece(piece=each.piece, column=each.cell[0], row=each.cell[1], facing=each.facing)
            for each in pieces_told(scan, catalogue, told, game)
        ),
        players=_players(scan, catalogue, told),
        to_move=None if told is None else told.to_move,
        house={} if told is None else told.house,
        more={} if told is None else told.more,
    )


#: Confidence below which a figure is not put down, but asked about. Of 106 figures below it 17 stood
#: elsewhere, of 1,250 above it 11 (`tuning-labyrinth2`, `validation-labyrinth2`: 237 photos).
LEAST_FIGURE = 0.8


def pieces_told(
    scan: BoardScan, catalogue: Catalogue, told: Board | None, game: BoardGame
) -> list[BoardPiece]:
    """The pieces on the board, without figures that belong to no player if the players are known, and
    without those that may well stand elsewhere; on a loose board, all pieces."""
    if is_loose(catalogue):
        return list(scan.pieces)
    played = _played(told)
    if isinstance(scan, LayeredScan):
        return [piece for piece in scan.pieces if not played or piece.piece in played]
    return [
        piece
        for piece in scan.pieces
        if (piece.disc or piece.confidence >= LEAST_FIGURE) and may_be_there(piece.piece, catalogue, told)
    ]


def glimpsed(scan: BoardScan, catalogue: Catalogue, told: Board | None) -> list[BoardPiece]:
    """The figures on a board of tiles that may be there, but are too uncertain to be put down; the
    likeliest first."""
    if is_loose(catalogue) or isinstance(scan, LayeredScan):
        return []
    weak = [piece for piece in scan.pieces if not piece.disc and piece.confidence < LEAST_FIGURE]
    found = [piece for piece in weak if may_be_there(piece.piece, catalogue, told)]
    return sorted(found, key=lambda piece: -piece.confidence)


def may_be_there(name: str, catalogue: Catalogue, told: Board | None) -> bool:
    """Whether a piece may be on the board; a figure that belongs to no player may not, if the players are
    known."""
    played = _played(told)
    return not played or name in played or catalogue.card(name).kind != "pawn"


def _played(told: Board | None) -> set[str]:
    return {player.piece for player in told.players if player.piece} if told is not None else set()


def always_there(game: BoardGame, catalogue: Catalogue) -> Collection[str]:
    """The pieces that are on every board of a game unless a player holds them."""
    return game.photo.strategy.always(game.rules.pieces_of(catalogue))


def _players(scan: BoardScan, catalogue: Catalogue, told: Board | None) -> tuple[BoardPlayer, ...]:
    """The players as stated, with their possessions by seat; else one for each pawn on the board, named
    by colour."""
    held = held_by_seat(scan, catalogue)
    if told is not None and told.players:
        return tuple(
            msgspec.structs.replace(player, holds=held[player.seat])
            if player.seat in held
            else msgspec.structs.replace(player, holds=None)
            for player in told.players
        )
    standing = {piece.piece for piece in scan.pieces}
    return tuple(
        BoardPlayer(name=card.colour or card.id, piece=card.id)
        for card in catalogue.cards
        if card.kind == "pawn" and card.id in standing
    )


def layers_told(scan: LayeredScan, catalogue: Catalogue, game: BoardGame, told: Board | None) -> LayersTold:
    assert scan.layers is not None
    board = _lying_and_standing(scan, catalogue, game, told)
    return game.photo.strategy.from_layers(board, scan.layers, game.rules.pieces_of(catalogue), told)


def board_json(board: Board) -> dict[str, Any]:
    """A board record as JSON-ready data; fields that a game adds are at the top level."""
    plain: dict[str, Any] = msgspec.to_builtins(board)
    if "players" in plain:
        plain["players"] = list(plain["players"])  # a game's additions are read from lists only
    for part in (plain, *plain.get("players", ())):
        part.update(part.pop("more", None) or {})
    return {"format": board.format} | plain


Array = NDArray[np.float64]

#: Rows of pieces before a player: maximum distance of neighbours (in widths), and maximum deviation from
#: the row (share of that distance).
BESIDE, OUT_OF_LINE = 1.5, 0.36
#: Pieces nearer to the photo's edge than this (share of its shorter side) may continue outside the photo.
NEAR_THE_EDGE = 0.02
#: Margin of visible table (mm) around pieces that shows that all of them are in view.
ROUND_THEM_MM = 26.0


def held_by_seat(scan: BoardScan, catalogue: Catalogue) -> dict[Side | None, dict[str, int]]:
    """The possessions at each side of the board, for the sides that the photo shows well enough."""
    told: dict[Side | None, dict[str, int]] = {}
    whole = whole_seats(scan)
    for seat in SIDES:
        theirs, unknown = _parted(_at(seat, scan), scan, catalogue)
        if not unknown and (seat in whole or (theirs and _all_in_view(theirs, scan))):
            told[seat] = dict(sorted(Counter(each.piece for each in theirs).items()))
    return told


def _at(seat: Side, scan: BoardScan) -> list[HeldPiece]:
    return [each for each in scan.held if each.seat == seat]


def seats_shown(scan: BoardScan) -> list[Side]:
    """The sides of the board of which the photo shows all that lies before them: the whole area, or bare
    table around the pieces, wider than the gaps between the pieces of one player."""
    whole = whole_seats(scan)
    return [
        seat for seat in SIDES if seat in whole or ((there := _at(seat, scan)) and _all_in_view(there, scan))
    ]


def whole_seats(scan: BoardScan) -> list[Side]:
    """The sides of the board with the whole area before them inside the photo."""
    margin = NEAR_THE_EDGE * min(scan.width, scan.height)
    cut = {
        each.seat
        for each in scan.held
        if min(each.at_px[0], each.at_px[1], scan.width - each.at_px[0], scan.height - each.at_px[1])
        < margin + each.reach_px
    }
    return [seat for seat in scan.seats_in_view if seat not in cut]


def _places_mm(pieces: Sequence[HeldPiece], scan: BoardScan) -> Array:
    """Positions (n, 2) of pieces in mm on the board's plane."""
    to_board = np.linalg.inv(np.array(scan.to_photo))
    return geometry.apply(to_board, np.array([each.at_px for each in pieces], np.float64).reshape(-1, 2))


def _parted(
    there: Sequence[HeldPiece], scan: BoardScan, catalogue: Catalogue
) -> tuple[list[HeldPiece], bool]:
    """The pieces before a side that belong to its player, and whether their owner is unclear."""
    at = _places_mm(there, scan)
    wide = [catalogue.size_of(each.piece)[0] for each in there]
    loose = [catalogue.card(each.piece).kind == "coin" for each in there]

    def in_row(one: int, other: int) -> bool:
        way = np.abs(at[one] - at[other])
        near = float(np.hypot(*way)) / max(wide[one], wide[other])
        return 0.9 < near < BESIDE and float(way.min()) < OUT_OF_LINE * float(way.max())

    theirs = {k for k in range(len(there)) if not loose[k]}
    while more := {k for k in range(len(there)) if k not in theirs and any(in_row(k, j) for j in theirs)}:
        theirs |= more
    rest = [k for k in range(len(there)) if k not in theirs]
    askew = any(
        not in_row(one, other) and np.hypot(*(at[one] - at[other])) < BESIDE * max(wide[one], wide[other])
        for one in rest
        for other in rest
        if one != other
    )
    return [there[k] for k in sorted(theirs)], bool(rest) and not theirs and not askew


def _all_in_view(pieces: Sequence[HeldPiece], scan: BoardScan) -> bool:
    """Whether the photo shows the table around pieces, with a margin of `ROUND_THEM_MM`."""
    at = _places_mm(pieces, scan)
    (left, top), (right, bottom) = at.min(axis=0) - ROUND_THEM_MM, at.max(axis=0) + ROUND_THEM_MM
    corners = geometry.apply(
        np.array(scan.to_photo), np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    )
    return bool((corners >= 0).all() and (corners < (scan.width, scan.height)).all())
