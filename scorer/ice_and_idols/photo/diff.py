"""Differences between the photographed table after a turn and the table to which its actions lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from scorer.board_record import Board, Piece, turned_board
from scorer.ice_and_idols.rules.pieces import MINUS, PLUS, Pieces
from scorer.ice_and_idols.rules.position import borders_of, has_track
from scorer.ice_and_idols.rules.validation import GRID, RESEARCH, seat_of, top_of
from scorer.square_grid import SIDES, Cell
from scorer.text import Text

WORDS: dict[str, Text] = {
    "tiles": Text("the tiles"),
    "ground": Text("how the temple is turned"),
    "figures": Text("a figure"),
    "spare": Text("the tiles beside the temple"),
    "track": Text("the research track"),
    "holds": Text("what {player} carries"),
    "powers": Text("{player}'s powers"),
    "to_move": Text("whose turn it is"),
}


def differences(told: Board, seen: Board, pieces: Pieces) -> list[Text]:
    """Sentences about all differences between the computed board `told` and the photographed board `seen`.
    Unread pieces count as equal. Both boards are compared with the sun at the top."""
    a, b = _sun_up(told), _sun_up(seen)
    return [WORDS[what].filled(player=player) for what, player in _differing(a, b, pieces)]


def _sun_up(board: Board) -> Board:
    borders = borders_of(top_of(board))
    quarters = 0 if borders is None else -borders.index("sun") % 4
    if not quarters:
        return board
    # The map is turned with the table; what players sit at is a side of the map.
    seats = [player.seat for player in board.players]
    turned = turned_board(_with_grid(board), quarters)
    players = tuple(replace(player, seat=seat) for player, seat in zip(turned.players, seats, strict=True))
    more: dict[str, Any] = dict(board.more)
    ground = top_of(board).ground
    if ground is not None and ground.rotation is not None:
        more["ground"] = more["ground"] | {"rotation": (ground.rotation + 90 * quarters) % 360}
    assert borders is not None
    names = [borders[(side - quarters) % 4] for side in range(4)]
    more["borders"] = dict(zip(SIDES, names, strict=True))
    return replace(turned, players=players, more=more)


def _with_grid(board: Board) -> Board:
    return board if board.grid is not None else replace(board, grid=GRID)


def _differing(told: Board, seen: Board, pieces: Pieces) -> Iterator[tuple[str, str]]:
    unread = {tile.cell for tile in seen.tiles or () if tile.tile is None or tile.rotation is None}
    if seen.tiles is not None and _tiles(told, pieces, unread) != _tiles(seen, pieces, unread):
        yield "tiles", ""
    mine, theirs = top_of(told).ground, top_of(seen).ground
    if mine is not None and theirs is not None and theirs.rotation not in (None, mine.rotation):
        yield "ground", ""
    if _made_out(seen, None) and _figures_differ(told, seen, pieces):
        yield "figures", ""
    if seen.spare is not None and _spare(told) != _spare(seen):
        yield "spare", ""
    if has_track(seen) and _made_out(seen, RESEARCH) and _track(told) != _track(seen):
        yield "track", ""
    before = {player.name: player for player in told.players}
    for player in seen.players:
        mine_held = before[player.name].holds
        if player.holds is not None and _held(player.holds) != _held(mine_held or {}):
            yield "holds", player.name
        if "powers" in player.more and set(seat_of(player).powers) != set(
            seat_of(before[player.name]).powers
        ):
            yield "powers", player.name
    if seen.to_move is not None and told.to_move is not None and seen.to_move != told.to_move:
        yield "to_move", ""


def _made_out(board: Board, on: str | None) -> bool:
    """Whether all pieces in the temple, or on the track, were recognised."""
    return all(piece.piece is not None for piece in board.pieces or () if piece.on == on)


def _tiles(board: Board, pieces: Pieces, unread: set[Cell]) -> dict[Cell, Any]:
    """Tiles by cell: the design, and the open sides of its corridors."""
    return {
        tile.cell: (tile.tile, frozenset(pieces.lying[tile.tile or "", tile.rotation or 0]))
        for tile in board.tiles or ()
        if tile.tile is not None and tile.cell not in unread
    }


def _figures_differ(told: Board, seen: Board, pieces: Pieces) -> bool:
    """Whether a figure stands in another cell, or on another corridor where both boards give it."""
    here, there = _figures(told, pieces), _figures(seen, pieces)
    if seen.tiles is not None and here.keys() != there.keys():
        return True
    for figure, (cell, sides) in there.items():
        was = here.get(figure)
        if was is None or was[0] != cell or (None not in (sides, was[1]) and sides != was[1]):
            return True
    return False


def _figures(board: Board, pieces: Pieces) -> dict[str | None, Any]:
    """The location of each figure: its cell, and the sides to which its corridor opens, where known."""
    lying = {tile.cell: tile for tile in board.tiles or ()}
    found: dict[str | None, Any] = {}
    for piece in board.pieces or ():
        if piece.on is not None or piece.cell is None:
            continue
        tile = lying.get(piece.cell)
        if tile is None or tile.tile is None:
            found[piece.piece] = piece.cell, None
            continue
        design = pieces.tiles[tile.tile]
        number = design.nodes.get(piece.place or "", 0 if len(design.corridors) == 1 else None)
        sides = pieces.lying[tile.tile, tile.rotation or 0]
        found[piece.piece] = piece.cell, None if number is None else sides[number]
    return found


def _spare(board: Board) -> Counter[Any]:
    return Counter((spare.tile, spare.at or "discard") for spare in board.spare or ())


def _track(board: Board) -> Counter[Any]:
    def of(piece: Piece) -> Any:
        return piece.piece, piece.cell

    return Counter(of(piece) for piece in board.pieces or () if piece.on == RESEARCH)


def _held(holds: dict[str, int]) -> dict[str, int]:
    """The things carried. An adrenaline token of unknown side counts as on its plus side."""
    told = {name: count for name, count in holds.items() if count}
    return told if MINUS in told else told | {PLUS: 1}
