"""Photos: the board is printed, with tiles on its grid; and the likeliest turn between two photos."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from quayside.rules.board import Action, BrokenRule, Load, Sail, TurnTile, UnderWay, problems_of
from quayside.rules.pieces import House, Pieces
from quayside.rules.turns import differences
from scorer.board_record import Board
from scorer.infer_turns import Playing, SeenTurn, Step, Trust, likeliest
from scorer.port.photo import TilesOnGrid

#: No tile lies beside the grid, and a turn moves none to another cell.
STRATEGY = TilesOnGrid()


def infer_turn(
    before: Board, after: Board, player: str, pieces: Pieces, house: House, trust: Trust
) -> SeenTurn | None:
    """The likeliest turn of a player between two boards; None where the first cannot be played on."""
    if problems_of(before, pieces):
        return None
    playing = Playing(
        on=lambda now: _next(now, after),
        unlike=lambda now: sum(differences(now.board, after, pieces, trust)),
        far=lambda now: 0.0,
        key=lambda now: (_lasting(now), now.done),
        left=_lasting,
    )
    return likeliest(UnderWay(before, player, pieces, house), playing)


def _lasting(now: UnderWay) -> bytes:
    return msgspec.json.encode([now.board.tiles, now.board.pieces, now.board.players])


def _next(now: UnderWay, seen: Board) -> Iterator[tuple[Step, UnderWay]]:
    """The actions that the rules allow, each with the turn after it. Tiles are turned as they were `seen`."""
    lying = {tile.cell: tile.rotation for tile in seen.tiles or ()}
    here = [each.piece for each in now.board.pieces or () if each.cell == now.cell and each.piece]
    actions: list[Action] = [Sail(to=cell) for cell in now.near()]
    actions += [Load(good=name) for name in dict.fromkeys(here) if name in now.pieces.goods]
    around = [cell for cell in (now.cell, *now.near()) if cell in lying]
    actions += [TurnTile(at=cell, rotation=lying[cell] or 0) for cell in around]
    for action in actions:
        try:
            yield msgspec.to_builtins(action), now.take(action)
        except BrokenRule:
            continue
