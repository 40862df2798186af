"""Turns of games that are lists of actions, told by the board before and the board after alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from calibration.decks.ice_and_idols.play import stopped_game as temple_after
from calibration.decks.stone_dragon.play import stopped_game as panels_after
from samples.ice_and_idols.states import State, record_of
from samples.ice_and_idols.tables import open_temple
from samples.stone_dragon.tables import open_panels
from scorer.board_record import Board, BoardPlayer, Piece
from scorer.ice_and_idols.game import GAME as TEMPLE
from scorer.ice_and_idols.rules.pieces import pieces_of as temple_pieces
from scorer.infer_turns import SeenTurn, Trust
from scorer.stone_dragon.game import GAME as PANELS
from scorer.stone_dragon.rules.position import Position, board_of, cell_of
from scorer.stone_dragon.rules.validation import GRID
from waymark.review.boards.records import board_json


def temple(seed: int, turns: int) -> tuple[Board, str]:
    """A table of Ice and Idols after so many turns by chance, and who is to move."""
    position = temple_after(open_temple(), seed, 3, turns)
    maps = temple_pieces(open_temple()).maps
    face = next(
        name
        for name, each in maps.items()
        if position.spots and all(position.spots[5 * c.cell[1] + c.cell[0]] == c for c in each.cells)
    )
    names = list(position.players)
    return record_of(State(position, face, names[0], False), open_temple()), names[turns % 3]


def panels(seed: int, turns: int) -> tuple[Board, str]:
    """A table of Stone Dragon, likewise."""
    position = panels_after(open_panels(), seed, 3, turns)
    names = list(position.holders)
    return _record(position), names[turns % 3]


def _record(position: Position) -> Board:
    where = {each.pawn: each.cell for each in position.holders.values()}
    where |= {position.dragon_pawn: position.dragon_cell}
    cells = {pawn: cell_of(number) for pawn, number in where.items()}
    bare = Board(
        game=PANELS.id,
        catalogue=open_panels().name,
        grid=GRID,
        tiles=(),
        pieces=tuple(Piece(piece=pawn, column=cell[0], row=cell[1]) for pawn, cell in cells.items()),
        players=tuple(
            BoardPlayer(name=each.name, piece=each.pawn, more={"character": each.character_name})
            for each in position.holders.values()
        ),
        more={"dragon": {"piece": position.dragon_pawn}},
    )
    told = board_of(position, bare)
    players = tuple(
        msgspec.structs.replace(each, hand=None, hand_size=holder.hidden)
        for each, holder in zip(told.players, position.holders.values(), strict=True)
    )
    return msgspec.structs.replace(told, players=players)


def seen(game: Any, before: Board, after: Board, player: str, trust: Trust | None = None) -> SeenTurn:
    catalogue = open_temple() if game is TEMPLE else open_panels()
    assert game.photo.infer_turn is not None
    pieces, terms = game.rules.pieces_of(catalogue), game.rules.settings.make({})
    found: SeenTurn | None = game.photo.infer_turn(before, after, player, pieces, terms, trust or Trust())
    assert found is not None
    return found


@pytest.mark.parametrize(("game", "table", "seed"), [(TEMPLE, temple, 9), (PANELS, panels, 2)])
def test_a_turn_is_told_by_the_boards_before_and_after_it(game: Any, table: Any, seed: int) -> None:
    (before, player), (after, _) = table(seed, 7), table(seed, 8)
    told = seen(game, before, after, player)
    assert told.is_told and told.steps
    turn = {"format": "waymark-turn/1", "game": game.id, "player": player, "before": board_json(before)}
    turn |= {"after": board_json(after), "claims": {"actions": list(told.steps)}}
    catalogue = open_temple() if game is TEMPLE else open_panels()
    ruling = game.play.turns.referee(catalogue, turn, game.rules.settings.make({}))
    assert ruling.legal and not getattr(ruling, "differs", ())


@pytest.mark.parametrize(("game", "table", "seed"), [(TEMPLE, temple, 9), (PANELS, panels, 2)])
def test_a_turn_is_open_where_what_lies_before_its_player_is_not_in_view(
    game: Any, table: Any, seed: int
) -> None:
    (before, player), (after, _) = table(seed, 7), table(seed, 8)
    blind = tuple(
        msgspec.structs.replace(each, holds=None, hand_size=None, more={}) for each in after.players
    )
    told = seen(game, before, msgspec.structs.replace(after, players=blind), player)
    assert told.open and not told.is_told


def test_a_tile_that_was_read_wrong_leaves_the_turn_untold_unless_it_was_read_in_doubt() -> None:
    (before, player), (after, _) = temple(9, 7), temple(9, 8)
    right = seen(TEMPLE, before, after, player)
    cell = next(each.cell for each in after.tiles or () if "corner" in (each.tile or ""))
    tiles = tuple(
        msgspec.structs.replace(each, tile="archway") if each.cell == cell else each
        for each in after.tiles or ()
    )
    wrong = msgspec.structs.replace(after, tiles=tiles)
    assert not seen(TEMPLE, before, wrong, player).is_told
    doubted = seen(TEMPLE, before, wrong, player, Trust(tiles={cell: 0.5}))
    assert doubted.is_told and doubted.steps == right.steps
