"""Measurement of layered board photos with their truths: tiles, orientation of the ground, pieces on the
boards beside, figures and possessions of the players."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scorer.board_record import Board, BoardPlayer, Piece
from waymark.review.boards.assess import BoardAssessment

Counts = tuple[int, int]


def layered_kinds(truth: Board, now: BoardAssessment) -> dict[str, Counts]:
    """Counts [right, of how many] for tiles, the ground's orientation, pieces on other boards by kind
    (whole boards as `track`), cells and corridors of figures, and possessions of the players in the
    truth."""
    seen = now.board
    there, ours = _tiles(truth, now), _tiles(seen, now)
    cells = there.keys() | ours.keys()
    told: dict[str, Counts] = {
        "tile": (sum(there.get(cell) == ours.get(cell) for cell in cells), len(cells)),
        "ground": (int(truth.more["ground"] == seen.more.get("ground")), 1),
    }
    if "boards" in truth.more:
        wrong = 0
        for kind in ("marker", "chip"):
            mine, theirs = (_on_boards(board, now, kind) for board in (seen, truth))
            told[kind] = sum((mine & theirs).values()), sum(theirs.values())
            wrong += sum((mine - theirs).values()) + sum((theirs - mine).values())
        told["track"] = int(wrong == 0), 1
    standing = {each.piece: each for each in truth.pieces or () if each.on is None}
    found = {each.piece: each for each in seen.pieces or () if each.on is None}
    right = [name for name, each in standing.items() if name in found and found[name].cell == each.cell]
    told["figure"] = len(right), len(standing)
    of_two = [standing[name] for name in right if standing[name].place is not None]
    told["place"] = (
        sum(_sides(each, truth, now) == _sides(found[each.piece], seen, now) for each in of_two),
        len(of_two),
    )
    holding = [each for each in truth.players if each.holds is not None]
    by_name = {each.name: each for each in seen.players}
    told["holds"] = sum(_had(each) == _had(by_name.get(each.name)) for each in holding), len(holding)
    return {name: counts for name, counts in told.items() if counts[1]}


def _tiles(board: Board, now: BoardAssessment) -> dict[Any, Any]:
    """Tiles by cell: the tile's design and the set of sides to which its corridors open."""
    lying = now.game.rules.board(now.catalogue, board).pieces.lying
    return {
        each.cell: (each.tile, frozenset(lying[each.tile or "", each.rotation or 0]))
        for each in board.tiles or ()
        if each.tile is not None
    }


def _on_boards(board: Board, now: BoardAssessment, kind: str) -> Counter[Any]:
    return Counter(
        (each.piece, each.on, each.cell)
        for each in board.pieces or ()
        if each.on is not None and each.piece is not None and now.catalogue.card(each.piece).kind == kind
    )


def _sides(piece: Piece, board: Board, now: BoardAssessment) -> Any:
    """The sides to which the corridor under a figure opens, independent of which node of the corridor is
    named."""
    pieces = now.game.rules.board(now.catalogue, board).pieces
    tile = next((each for each in board.tiles or () if each.cell == piece.cell), None)
    if tile is None or tile.tile is None or piece.place not in pieces.tiles[tile.tile].nodes:
        return piece.place
    return pieces.lying[tile.tile, tile.rotation or 0][pieces.tiles[tile.tile].nodes[piece.place]]


def _had(player: BoardPlayer | None) -> Any:
    if player is None:
        return None
    held = {name: count for name, count in (player.holds or {}).items() if count}
    return held, player.holds is None, sorted(player.more.get("powers", ())), player.seat, player.hand
