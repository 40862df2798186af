"""Differences between two boards, as keyed facts: tiles, pieces, the ground's rotation and the players'
possessions. Only what the truth states is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import msgspec

from scorer.board_record import Board, BoardPlayer, Piece, Tile, turned_board
from scorer.catalogue import Catalogue
from scorer.games import game_of
from scorer.play_kinds import board_game
from scorer.square_grid import open_sides, turned
from vision.boards.art import is_loose

#: A fact's key: its kind first ("tile", "spare", "piece", "ground" or "held"), then what it is about.
Key = tuple[Any, ...]


def differing(board: Board, truth: Board, catalogue: Catalogue) -> frozenset[Key]:
    """The keys of all facts in which a board differs from the truth."""
    ours, theirs = (dict(_facts(each, truth, _Openings(catalogue))) for each in (board, truth))
    return frozenset(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))


def far(board: Board, truth: Board, catalogue: Catalogue) -> int:
    """Distance between a board and the truth: the number of facts in which they differ."""
    return len(differing(board, truth, catalogue))


def is_held(key: Key) -> bool:
    """Whether a fact is about a player's possessions."""
    return bool(key[0] == "held")


def turned_alike(truth: Board, seen: Board, catalogue: Catalogue) -> Board:
    """The truth in the frame of the board as read: of loose pieces nothing tells which side is the top, so
    that one of its four orientations is taken that agrees best."""
    if not is_loose(catalogue):
        return truth
    ways = [turned_board(truth, quarters) for quarters in range(4)]
    return min(ways, key=lambda way: far(seen, way, catalogue))


class _Openings:
    """The sides to which tiles and corridors of a catalogue open; what opens alike lies alike."""

    def __init__(self, catalogue: Catalogue) -> None:
        game = board_game(game_of(catalogue))
        self.catalogue = catalogue
        self.layered = game.rules.pieces_of(catalogue) if game.photo.strategy.is_layered else None

    def of(self, tile: Tile) -> Hashable:
        if tile.tile is None or tile.face == "down":
            return tile.tile, tile.face
        if self.layered is not None:
            return tile.tile, frozenset(self.layered.lying[tile.tile, tile.rotation or 0])
        return tile.tile, turned(open_sides(self.catalogue.card(tile.tile)), tile.rotation or 0)

    def is_printed(self, tile: Tile) -> bool:
        """Whether a tile is part of the board: no truth states it."""
        return tile.tile is not None and self.catalogue.card(tile.tile).kind == "fixed"

    def under(self, piece: Piece, tile: Tile | None) -> Hashable:
        """The sides of the corridor on which a piece stands; None where no node is told."""
        if self.layered is None or piece.on is not None or piece.place is None:
            return None
        if tile is None or tile.tile is None:
            return None
        number = self.layered.tiles[tile.tile].nodes.get(piece.place)
        return piece.place if number is None else self.layered.lying[tile.tile, tile.rotation or 0][number]


def _facts(board: Board, truth: Board, openings: _Openings) -> Iterator[tuple[Key, Any]]:
    """The facts of a board, as far as the truth states them."""
    for tile in board.tiles or () if truth.tiles is not None else ():
        if not openings.is_printed(tile):
            yield ("tile", tile.cell), openings.of(tile)
    if truth.spare is not None:
        yield ("spare",), [(each.tile, each.at) for each in board.spare or ()]
    known = {None, *truth.more.get("boards", ())}
    tiles: dict[Any, Tile] = {tile.cell: tile for tile in board.tiles or ()}
    standing = Counter(
        (
            "piece",
            each.piece,
            each.on,
            each.cell,
            each.facing,
            None if each.on else openings.under(each, tiles.get(each.cell)),
        )
        for each in board.pieces or ()
        if truth.pieces is not None and each.on in known
    )
    yield from standing.items()
    if "ground" in truth.more:
        yield ("ground",), (board.more.get("ground") or {}).get("rotation")
    if "life" in (truth.more.get("dragon") or {}):
        yield ("held", None, "life"), (board.more.get("dragon") or {}).get("life")
    told = {player.name for player in truth.players if player.holds is not None}
    for player in board.players:
        if player.name in told:
            yield from _held(player)


def _held(player: BoardPlayer) -> Iterator[tuple[Key, Any]]:
    """A player's possessions: counts of pieces, hidden cards, and the lists that a game adds."""
    yield ("held", player.name, "told"), player.holds is not None
    for name, count in (player.holds or {}).items():
        if count:
            yield ("held", player.name, name), count
    hand = player.hand or ()
    yield ("held", player.name, "hand"), player.hand_size if player.hand is None else len(hand)
    yield from ((("held", player.name, "hand", name), count) for name, count in Counter(hand).items())
    for field, value in player.more.items():
        if isinstance(value, list):
            things = Counter(msgspec.json.encode(each, order="deterministic") for each in value)
            yield from ((("held", player.name, field, each), count) for each, count in things.items())
