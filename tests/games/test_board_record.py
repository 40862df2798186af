"""The board record of grid games: read strictly, compared whatever the order, turned with the table."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
import trails_table
from same_boards import same_board

from scorer.board_game import decoded
from scorer.board_record import Board, GridSize, Tile, board_from, board_on_table, to_json, turned_board
from scorer.errors import WaymarkError

RECORD: dict[str, Any] = {
    "format": "waymark-board/1",
    "game": "labyrinth2",
    "grid": {"columns": 7, "rows": 7},
    "tiles": [
        {"tile": "L", "column": 1, "row": 0, "rotation": 90},
        {"tile": None, "column": 3, "row": 0, "face": "down"},
        {"tile": None, "column": 4, "row": 0, "rotation": None},
    ],
    "spare": [{"tile": "T", "rotation": 0, "at": "top1"}],
    "pieces": [
        {"piece": "explorer-red", "column": 0, "row": 0},
        {"piece": "dragon", "column": 3, "row": 3, "facing": "left"},
        {"piece": "cube", "column": 1, "row": 7, "on": "research"},
    ],
    "players": [
        {"name": "Aya", "piece": "explorer-red", "holds": {"coin": 2}, "hand": [None], "seat": "top"}
        | {"life": 5}
    ],
    "to_move": "Aya",
    "ground": {"rotation": 90, "tiles": []},
    "piles": {"deck": 3},
}


def parsed(**changes: Any) -> Board:
    return board_from({**RECORD, **changes})


def test_a_board_is_read_and_written_with_what_its_game_adds() -> None:
    board = parsed()
    assert board.more == {"ground": {"rotation": 90, "tiles": []}, "piles": {"deck": 3}}
    assert board.players[0].more == {"life": 5} and board.players[0].hand == (None,)
    assert board.at((1, 0)) == Tile(tile="L", column=1, row=0, rotation=90) and board.at((6, 6)) is None
    assert json.loads(to_json(board)) == RECORD
    assert board_from(decoded(to_json(board))) == board


def test_whole_numbers_may_be_written_with_a_point() -> None:
    assert parsed(grid={"columns": 7.0, "rows": 7}).grid == GridSize(columns=7, rows=7)


def test_what_is_not_told_is_told_apart_from_nothing() -> None:
    told = {"format": "waymark-board/1", "game": "ice_and_idols"}
    assert board_from(told).tiles is None
    assert board_from({**told, "tiles": []}).tiles == ()


TILE = {"tile": "L", "column": 1, "row": 0, "rotation": 90}
AYA = {"name": "Aya"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "waymark-tableau/1"}, "format"),
        ({"game": None}, "game"),
        ({"tiles": [{**TILE, "rotation": 45}]}, "45"),
        ({"tiles": [{**TILE, "face": "sideways"}]}, "sideways"),
        ({"tiles": [{**TILE, "column": True}]}, "int"),
        ({"tiles": [{**TILE, "column": 1.5}]}, "int"),
        ({"tiles": [TILE, {**TILE, "tile": "T"}]}, "two tiles"),
        ({"tiles": [{**TILE, "column": 7}]}, "outside"),
        ({"tiles": [{**TILE, "row": -1}]}, "outside"),
        ({"pieces": [{"piece": "a", "column": 0, "row": 9}]}, "outside"),
        ({"grid": {"columns": 0, "rows": 7}}, "grid"),
        ({"grid": {"columns": 9_999, "rows": 9_999}}, "grid"),
        ({"players": [AYA, AYA]}, "two players"),
        ({"players": [{"name": ""}]}, "no name"),
        ({"players": [{**AYA, "piece": "x"}, {"name": "Ben", "piece": "x"}]}, "two players"),
        ({"players": [{**AYA, "holds": {"coin": -1}}]}, "below 0"),
        ({"players": [{**AYA, "hand": [], "hand_size": 1}]}, "hand_size"),
        ({"to_move": "Cho"}, "Cho"),
        ({"players": [3], "to_move": None}, "players"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        parsed(**changes)
    error = caught.value
    assert error.code == "bad-record" and error.exit_status == 3
    assert words in error.en and error.en.endswith(".") and error.ja.endswith("。")


@pytest.mark.parametrize("data", ["", "[]", "{", "nonsense", "[" * 5_000])
def test_what_is_no_json_object_is_refused(data: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        board_from(decoded(data.encode()))
    assert caught.value.code == "bad-record"


def test_boards_are_the_same_in_any_order_of_tiles_and_pieces() -> None:
    board = parsed()
    mixed = parsed(tiles=RECORD["tiles"][::-1], pieces=RECORD["pieces"][::-1], ask={"who": "wins"})
    assert same_board(board, mixed)
    for changes in (
        {"tiles": RECORD["tiles"][:-1]},
        {"pieces": RECORD["pieces"][1:]},
        {"to_move": None},
        {"piles": {"deck": 2}},
        {"tiles": [{**TILE, "rotation": 180}, *RECORD["tiles"][1:]]},
    ):
        assert not same_board(board, parsed(**changes))


def test_a_whole_table_may_be_turned() -> None:
    board = parsed()
    turned = turned_board(board, 1)
    assert turned.at((6, 1)) == Tile(tile="L", column=6, row=1, rotation=180)
    assert [piece.cell for piece in turned.pieces or ()] == [(6, 0), (3, 3), (1, 7)]
    assert (turned.pieces or ())[1].facing == "top" and turned.players[0].seat == "right"
    assert turned_board(board, 4) == board and turned_board(turned, 3) == board
    assert same_board(board, turned, turned=True) and not same_board(board, turned)
    odd = parsed(grid={"columns": 7, "rows": 8})
    assert turned_board(odd, 1).grid == GridSize(columns=8, rows=7)
    with pytest.raises(ValueError, match="grid"):
        turned_board(msgspec.structs.replace(board, grid=None), 1)


def test_pieces_of_a_photo_stand_in_the_cells_that_they_lie_in() -> None:
    board = trails_table.board(owls=((2, 0),))
    shifted = msgspec.structs.replace(
        trails_table.tableau(board),
        cards=tuple(
            msgspec.structs.replace(card, x=card.x + 311.4 + (index % 3 - 1) * 0.8, y=card.y - 90.2)
            for index, card in enumerate(trails_table.tableau(board).cards)
        ),
    )
    assert same_board(board_on_table(shifted, trails_table.pieces()), board)
    beside = msgspec.structs.replace(
        trails_table.tableau(board),
        cards=tuple(
            msgspec.structs.replace(card, x=-40.0) if card.card == "fox" else card
            for card in trails_table.tableau(board).cards
        ),
    )
    pieces = board_on_table(beside, trails_table.pieces()).pieces or ()
    fox = next(piece for piece in pieces if piece.piece == "fox")
    assert (fox.cell, fox.on) == (None, "spare")
