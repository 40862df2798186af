"""Crowded boards for training: many pieces, each in its cell."""

from __future__ import annotations

from samples.labyrinth2.crowded import crowded_board
from samples.labyrinth2.tables import open_tiles
from samples.scene_schema import Figure


def test_a_crowded_board_has_many_pieces_in_their_cells() -> None:
    catalogue = open_tiles()
    board = crowded_board(catalogue, 10_500_004)
    assert len(board.standing) > 8
    for each in board.standing:
        assert isinstance(each.thing, Figure)
        side = catalogue.card_size_mm[0]
        x, y = board.foot_mm(each.thing)
        assert (int(x // side), int(y // side)) == each.cell


def test_a_seed_makes_one_board() -> None:
    one, other = (crowded_board(open_tiles(), 10_500_005).scene for _ in range(2))
    assert one == other
