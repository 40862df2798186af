"""Photos of Quayside, read as any printed board with loose tiles is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import quayside_table
from cli_runs import run_here
from msgspec.structs import replace
from PIL import Image
from quayside_table import BEGINS, begun, photo_of, turned
from same_boards import same_board

from scorer.board_record import Board, BoardPlayer, board_from
from scorer.catalogue import Catalogue
from waymark.review.boards import assess


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return quayside_table.deck(tmp_path_factory.mktemp("quayside"))


def as_seen(board: Board) -> Board:
    """A board as photos alone tell it, which call players by their colours."""
    names = {"Aya": "red", "Ben": "blue"}
    players = tuple(BoardPlayer(name=names[each.name], piece=each.piece) for each in board.players)
    return replace(board, to_move=None, spare=(), players=players)


def test_two_photos_tell_the_boards_and_the_turn_between(deck: Catalogue, tmp_path: Path) -> None:
    before = begun(deck)
    after = turned(deck, before, BEGINS)
    for name, board in (("before", before), ("after", after)):
        (tmp_path / f"{name}.jpg").write_bytes(photo_of(board))
    given = "--catalogue", deck.folder, "--turn", "red", "--json", "-", "--overlay", tmp_path / "turn.png"
    result = run_here("score", tmp_path / "before.jpg", tmp_path / "after.jpg", *given)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert same_board(board_from(told["turn"]["before"]), as_seen(before))
    assert same_board(board_from(told["turn"]["after"]), as_seen(after))
    assert told["turn"]["claims"]["actions"] == list(BEGINS) and told["ruling"]["legal"]
    with Image.open(tmp_path / "turn.png") as picture:
        assert min(picture.size) > 1000


def test_a_turn_that_was_not_found_is_drawn(
    deck: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assess, "seen_between", lambda *_: None)
    (tmp_path / "board.jpg").write_bytes(photo_of(begun(deck)))
    given = "--catalogue", deck.folder, "--turn", "red", "--overlay", tmp_path / "turn.png"
    result = run_here("score", tmp_path / "board.jpg", tmp_path / "board.jpg", *given)
    assert result.exit_code == 0 and (tmp_path / "turn.png").exists(), result.output
