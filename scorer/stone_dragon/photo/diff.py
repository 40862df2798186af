"""Differences between the photographed board after a turn and the board to which its actions lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from scorer.board_record import Board, BoardPlayer, Tile
from scorer.square_grid import Cell
from scorer.stone_dragon.rules.pieces import Pieces
from scorer.stone_dragon.rules.position import coins_told, life_told
from scorer.stone_dragon.rules.validation import seat_of, top_of


class Difference(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One difference between two boards: its kind, and the player or cell concerned."""

    what: str
    player: str | None = None
    cell: Cell | None = None


def compare(told: Board, seen: Board, pieces: Pieces) -> list[Difference]:
    """All differences between the computed board `told` and the photographed board `seen`. If a piece was not
    recognised, the only difference is `unread`. Facts that the photo does not show count as equal."""
    if _is_unread(told, seen):
        return [Difference(what="unread")]
    return [*_tiles(told, seen, pieces), *_pawns(told, seen), *_players(told, seen, pieces)]


def _standing(board: Board) -> dict[str | None, Cell | None]:
    return {piece.piece: piece.cell for piece in board.pieces or () if piece.on is None}


def _is_unread(told: Board, seen: Board) -> bool:
    standing = _standing(seen)
    pawns = [player.piece for player in told.players] + [top_of(told).dragon.piece]
    return (
        None in standing
        or (seen.pieces is not None and any(standing.get(pawn) is None for pawn in pawns))
        or any(
            tile.face == "up" and (tile.tile is None or tile.rotation is None) for tile in seen.tiles or ()
        )
        or any(player.more.get("character", "") is None for player in seen.players)
        or any(
            laid.card is None or laid.side is None
            for player in seen.players
            for laid in seat_of(player).victory
        )
    )


def _tiles(told: Board, seen: Board, pieces: Pieces) -> Iterator[Difference]:
    if seen.tiles is None:
        return
    for tile in sorted(told.tiles or (), key=lambda tile: (tile.row, tile.column)):
        there = seen.at(tile.cell)
        if there is None or not _same_tile(tile, there, pieces):
            yield Difference(what="tile", cell=tile.cell)


def _same_tile(a: Tile, b: Tile, pieces: Pieces) -> bool:
    """Whether two tiles are equal. Rotations of one panel that open to the same sides count as equal."""
    if a.face != b.face or a.face == "down":
        return a.face == b.face
    if a.tile != b.tile or a.tile is None:
        return a.tile == b.tile
    return pieces.lying[a.tile, a.rotation or 0] == pieces.lying[a.tile, b.rotation or 0]


def _pawns(told: Board, seen: Board) -> Iterator[Difference]:
    here = _standing(told)
    there = here if seen.pieces is None else _standing(seen)
    for player in told.players:
        if here[player.piece] != there[player.piece]:
            yield Difference(what="pawn", player=player.name)
    dragon, shown = top_of(told).dragon, top_of(seen).dragon
    life = shown.life is not None and shown.life != dragon.life
    if here[dragon.piece] != there[dragon.piece] or life or shown.piece not in (None, dragon.piece):
        yield Difference(what="dragon")


def _players(told: Board, seen: Board, pieces: Pieces) -> Iterator[Difference]:
    shown = {player.name: player for player in seen.players}
    for player in told.players:
        if player.name in shown:
            for what in _differing(player, shown[player.name], pieces):
                yield Difference(what=what, player=player.name)


def _differing(told: BoardPlayer, seen: BoardPlayer, pieces: Pieces) -> Iterator[str]:
    counts = {"life": life_told(seen, pieces), "coins": coins_told(seen, pieces)}
    mine, theirs = seat_of(told), seat_of(seen)
    for what, value in counts.items():
        if value is not None and value != getattr(mine, what):
            yield what
    if seen.holds is not None and _holds(told, pieces) != _holds(seen, pieces):
        yield "holds"
    if "equipped" in seen.more and Counter(mine.equipped) != Counter(theirs.equipped):
        yield "equipped"
    laid = [Counter((card.card, card.side) for card in seat.victory) for seat in (mine, theirs)]
    if "victory" in seen.more and laid[0] != laid[1]:
        yield "victory"
    if (seen.hand is not None or seen.hand_size is not None) and _hands_differ(told, seen):
        yield "hand"


def _holds(player: BoardPlayer, pieces: Pieces) -> dict[str, int]:
    other = {*pieces.lives, *pieces.coins}
    return {name: count for name, count in (player.holds or {}).items() if count and name not in other}


def _hands_differ(told: BoardPlayer, seen: BoardPlayer) -> bool:
    sizes = [len(each.hand) if each.hand is not None else each.hand_size or 0 for each in (told, seen)]
    if sizes[0] != sizes[1]:
        return True
    mine, theirs = told.hand, seen.hand
    if mine is None or theirs is None or None in mine or None in theirs:
        return False
    return Counter(mine) != Counter(theirs)
