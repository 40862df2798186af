"""Photos of Stone Dragon: what is told beside them is what lies there, and a photo tells it again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from samples.board_truth import BoardSample
from samples.layouts import NoScene
from samples.scene_schema import SceneCard
from samples.scenes import make_board_sample
from samples.stone_dragon.states import random_state, record_of
from samples.stone_dragon.tables import DRAGON, open_panels
from scorer.board_record import Board, BoardPlayer, Piece, Tile, board_from, turned_board
from scorer.catalogue import Side
from scorer.port.photo import Sight
from scorer.stone_dragon.game import GAME
from scorer.stone_dragon.photo.layout import laid_out, put_down
from scorer.stone_dragon.rules.pieces import pieces_of
from vision.boards.art import load_board, shows_a_board
from vision.photo.decode import load_photo
from waymark.bench.boards import bench_boards
from waymark.review.boards.assess import score_board

SHIPPED = Path(__file__).parents[3] / "samples" / "stone_dragon_photos"
CATALOGUE = open_panels()
PIECES = pieces_of(CATALOGUE)
SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")


@pytest.fixture(scope="module")
def tables() -> list[BoardSample]:
    """Some tables: what lies on them, not yet photographed."""
    found = []
    for index in (0, 2, 4):
        try:
            found.append(make_board_sample("tuning-stone-dragon", index))
        except NoScene:
            continue
    return found


def test_a_position_is_one_that_play_comes_to() -> None:
    for seed in range(4):
        record = record_of(random_state(CATALOGUE, np.random.default_rng(seed)), CATALOGUE)
        ruling = GAME.rules.referee(GAME.rules.board(CATALOGUE, record), record, GAME.rules.settings.make({}))
        assert {each.rule for each in ruling.problems} <= {"same-side", "entrance-place"}, seed


def test_panels_lie_in_sixteen_cells_and_pawns_stand_on_them(tables: list[BoardSample]) -> None:
    for sample in tables:
        panels = [each for each in sample.seen if each.rotation is not None]
        assert len({each.cell for each in panels}) == 16
        pawns = [each for each in sample.seen if CATALOGUE.card(each.card).kind == "pawn"]
        told = {(each.piece, each.cell) for each in board_from(sample.board).pieces or ()}
        assert {(each.card, each.cell) for each in pawns} == told


def test_only_what_is_wholly_in_view_is_told(tables: list[BoardSample]) -> None:
    for sample in tables:
        board = board_from(sample.board)
        seen = set(sample.told["holdings_in_view"])
        assert {each.name for each in board.players if each.holds is not None} == seen - {DRAGON}
        assert ("life" in board.more["dragon"]) == (DRAGON in seen)


def sights_of(sample: BoardSample) -> list[Sight]:
    """What lies round the grid as a perfect eye sees it."""
    found = []
    middle = np.asarray(sample.lay.size_mm) / 2
    angle = np.radians(sample.lay.angle_deg)
    back = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    for card in sample.scene.cards:
        if CATALOGUE.card(card.card).kind == "tile":
            continue
        x, y = back @ np.asarray(card.pose.centre_mm)
        side: Side = ("right" if x > 0 else "left") if abs(x) > abs(y) else ("bottom" if y > 0 else "top")
        disc = CATALOGUE.card(card.card).shape == "disc"
        turn = None if disc else card.pose.angle_deg - sample.lay.angle_deg
        found.append(Sight(card.card, (float(x + middle[0]), float(y + middle[1])), turn, side))
    return found


def before(player: BoardPlayer) -> tuple[Any, ...]:
    laid = Counter(msgspec.json.encode(each) for each in player.more.get("victory", ()))
    worn = Counter(player.more.get("equipped", ()))
    return player.holds, player.hand_size, worn, laid, player.seat


def test_what_lies_round_the_grid_is_told_by_owner(tables: list[BoardSample]) -> None:
    for sample in tables:
        whole = board_from(sample.told["whole_board"])
        told = [
            BoardPlayer(name=each.name, piece=each.piece, more={"character": each.more["character"]})
            for each in whole.players
        ]
        seen = Board(
            game=GAME.id,
            tiles=tuple(
                Tile(tile=each.card, column=each.cell[0], row=each.cell[1], rotation=each.rotation)  # type: ignore[arg-type]
                for each in sample.seen
                if each.cell is not None and isinstance(each.thing, SceneCard)
            ),
            pieces=whole.pieces,
            players=tuple(told),
        )
        board = laid_out(seen, sights_of(sample), SIDES, PIECES, seen)
        assert {each.name: before(each) for each in board.players} == {
            each.name: before(each) for each in whole.players
        }, sample.seed
        assert board.more["dragon"] == whole.more["dragon"]
        assert {(each.tile, each.cell, each.face) for each in board.tiles or ()} == {
            (each.tile, each.cell, each.face) for each in whole.tiles or ()
        }


def test_what_is_not_wholly_in_view_is_not_told(tables: list[BoardSample]) -> None:
    whole = board_from(tables[0].told["whole_board"])
    board = laid_out(whole, sights_of(tables[0]), (), PIECES, whole)
    assert all(each.holds is None and each.hand_size is None for each in board.players)


def test_what_a_photo_shows_of_a_player_takes_the_place_of_what_was_told() -> None:
    told = {"character": "knight", "life": 5, "coins": 3, "equipped": ["sword+1"]}
    was = BoardPlayer(name="Aya", holds={"slime": 1}, hand=("hunter",), more=told)
    other = BoardPlayer(name="Ben", holds={"goblin": 1}, hand_size=2, more={"life": 2})
    board = Board(game=GAME.id, players=(was, other), more={"dragon": {"piece": "pawn-red", "life": 9}})
    chips = {"life-1": 2, "coin-1": 1}
    seen = [
        BoardPlayer(name="Aya", holds=chips, hand_size=1, seat="left", more={"equipped": [], "victory": []}),
        BoardPlayer(name="Ben"),
    ]
    now = put_down(board, Board(game=GAME.id, tiles=(), pieces=(), players=tuple(seen), more={}))
    aya, ben = now.players
    assert (aya.holds, aya.hand, aya.seat) == (chips, ("hunter",), "left")
    assert aya.more == {"character": "knight", "equipped": [], "victory": []}, "chips tell life and coins"
    assert ben == other and now.more == board.more, "what is not in view stays"


# --- photos -------------------------------------------------------------------------------------------------


def test_a_grid_of_loose_panels_is_a_board() -> None:
    assert shows_a_board(CATALOGUE)
    assert len(load_board(CATALOGUE).open_cells) == 16


@pytest.mark.long
def test_a_photo_tells_panels_and_pawns_and_asks_whether_all_is_right() -> None:
    photo = sorted(SHIPPED.glob("*.jpg"))[0]
    truth = json.loads(photo.with_name(f"{photo.stem}.truth.json").read_bytes())
    now = score_board(load_photo(photo), CATALOGUE)

    def lying(board: Board) -> set[Any]:
        panels = {(each.tile, each.cell, each.rotation, each.face) for each in board.tiles or ()}
        return panels | {(Piece(piece=each.piece), each.cell) for each in board.pieces or ()}

    whole = board_from(truth["board"])
    assert any(lying(now.board) == lying(turned_board(whole, quarters)) for quarters in range(4))
    assert not now.sure and "board:looked-over" in {each.name for each in now.questions}


@pytest.mark.long
def test_the_bench_measures_photos_of_panels() -> None:
    report = bench_boards(SHIPPED)["total"]
    assert report["tiles"][0] == report["tiles"][1] and report["wrong"] == [0, 0]
