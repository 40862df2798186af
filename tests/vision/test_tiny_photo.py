"""A photo of the tiny game, from its pixels to the picture of its ruling: nothing on the way names a game."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
import trails_table
from PIL import Image
from same_boards import same_board

import waymark
from scorer.board_record import Board, Piece
from waymark import Score

ON_TABLE = trails_table.board(fox=None)


@pytest.fixture(scope="module")
def score(tmp_path_factory: pytest.TempPathFactory) -> Score:
    deck = trails_table.deck(tmp_path_factory.mktemp("trails"))
    pixels = np.asarray(trails_table.photo_of(ON_TABLE))
    return waymark.score(pixels, deck, objective="corners", lanterns=1, house={"wrap": True})


def test_the_board_is_read_with_all_four_rotations(score: Score) -> None:
    answer = score.to_json()["scan"]
    read = msgspec.convert(answer["board"], Board)
    assert {tile.rotation for tile in read.tiles or ()} == {0, 90, 180, 270}
    plain = msgspec.structs.replace(read, more={}, house={})
    assert same_board(plain, ON_TABLE, turned=True), "turned as a whole it is the same board"
    assert (read.more, read.house) == ({"lanterns": 1, "objective": "corners"}, {"wrap": True})
    assert "tableau" not in answer and "notation" not in answer
    assert "No line" not in str(answer["questions"]), "no lines are drawn in this game"


def test_what_makes_a_misreading_likely_is_asked(score: Score) -> None:
    (question,) = score.questions
    assert question.name == "broken-rule" and "fox" in question.reason.en and not score.sure
    assert not score.ruling.legal and score.explain("ja") == question.reason.ja
    then = score.answer(question.name, 0)
    assert then.sure and not then.questions


def test_people_add_what_is_not_read(score: Score) -> None:
    """The fox stands on the middle tile: the road is as long as on the board that was laid."""
    board = msgspec.convert(score.to_json()["scan"]["board"], Board)
    whole = msgspec.structs.replace(board, pieces=(Piece(piece="fox", column=1, row=1),))
    catalogue = score.reading._result.assessment.table.catalogue
    ruling = waymark.referee(whole, catalogue, house={"wrap": False})
    laid = waymark.referee(trails_table.board(), catalogue, lanterns=1, objective="corners")
    assert ruling.legal and len(ruling.verdict.road) == len(laid.verdict.road) == 7
    assert ruling.row == laid.row and ruling.verdict.points == 8


def test_the_picture_tells_what_the_game_reports(score: Score, tmp_path: Path) -> None:
    for language in ("en", "ja"):
        file = tmp_path / f"{language}.png"
        waymark.draw(score, file, language)
        with Image.open(file) as picture:
            assert min(picture.size) > 1000
