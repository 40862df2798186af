"""Quayside, the game that docs/adding-a-game.md walks through: its rules, and the command line that knows
nothing of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import quayside_table
from check_game import check_game
from cli_runs import run_here
from msgspec.structs import replace
from quayside_table import BEGINS, GAME, begun, written

from scorer.board_record import Board, board_from, board_told
from scorer.catalogue import Catalogue


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return quayside_table.deck(tmp_path_factory.mktemp("quayside"))


@pytest.fixture
def board(deck: Catalogue) -> Board:
    return begun(deck)


def ruled(deck: Catalogue, board: Board, *actions: dict[str, Any], player: str = "Aya", **more: Any) -> Any:
    turn = {"format": "waymark-turn/1", "player": player, "before": board_told(board), **more}
    told = {**turn, "claims": {"actions": actions}}
    turns = GAME.play.turns
    return turns.referee(deck, told, turns.terms_of(told, GAME.rules.settings.make({})))


def test_it_is_a_game(deck: Catalogue, board: Board) -> None:
    records = [board, replace(board, pieces=()), replace(board, tiles=(), house={"berths": "any"})]
    check_game(GAME, deck, records, {"berths": "any"})
    joined = GAME.rules.rule(board, GAME.rules.pieces_of(deck), GAME.rules.settings.make({})).canals
    assert {(0, 0), (1, 0), (2, 0)} <= {*joined["boat-red"]}


def test_a_turn_sails_loads_and_turns(deck: Catalogue, board: Board) -> None:
    ruling = ruled(deck, board, *BEGINS)
    after = board_from(ruling.after)
    assert ruling.legal and after.players[0].holds == {"grain": 1}
    assert {each.piece: each.cell for each in after.pieces or ()}["boat-red"] == (1, 0)
    turned = after.at((1, 1))
    assert turned is not None and turned.rotation == 90
    assert ruled(deck, board, *BEGINS, after=board_told(board)).differs, "no photo shows what was done"
    assert not ruled(deck, board, *BEGINS, after=ruling.after).differs


SAIL = {"do": "sail", "to": [1, 0]}


@pytest.mark.parametrize(
    ("rule", "actions"),
    [
        ("not-next", [{"do": "sail", "to": [2, 2]}]),
        ("no-canal", [{"do": "sail", "to": [0, 1]}]),
        ("nothing-there", [{"do": "load", "good": "silk"}]),
        ("printed-tile", [{"do": "turn", "at": [0, 0], "rotation": 90}]),
        ("too-far", [{"do": "turn", "at": [3, 3], "rotation": 90}]),
        ("not-turned", [{"do": "turn", "at": [1, 0], "rotation": 270}]),
        ("no-actions-left", [SAIL, {"do": "sail", "to": [0, 0]}, SAIL, {"do": "load", "good": "grain"}]),
    ],
)
def test_a_turn_against_the_rules_names_the_rule(
    deck: Catalogue, board: Board, rule: str, actions: list[dict[str, Any]]
) -> None:
    ruling = ruled(deck, board, *actions)
    assert ruling.legal is False and ruling.violations[0].rule == rule and ruling.after is None
    assert ruling.violations[0].message != ruling.violations[0].message_ja


def test_an_occupied_place_is_closed_unless_the_house_rule_opens_it(deck: Catalogue, board: Board) -> None:
    pieces = [replace(each, column=1) if each.piece == "boat-blue" else each for each in board.pieces or ()]
    met = replace(board, pieces=tuple(pieces))
    assert ruled(deck, met, SAIL).violations[0].rule == "occupied"
    assert ruled(deck, replace(met, house={"berths": "any"}), SAIL).legal
    assert ruled(deck, board, SAIL, player="Ben").violations[0].rule == "not-your-turn"


@pytest.mark.parametrize(
    ("language", "fine", "broken"),
    [
        ("en", "This turn follows the rules.", "No canal leads there."),
        ("ja", "この手番はルールどおりです。", "そこへ通じる水路がありません。"),
    ],
)
def test_the_command_line_rules_on_boards_and_turns(
    deck: Catalogue, board: Board, tmp_path: Path, language: str, fine: str, broken: str
) -> None:
    given = "--catalogue", deck.folder, "--lang", language
    found = run_here("referee", written(tmp_path / "board.json", board_told(board)), *given)
    assert (
        found.exit_code == 0
        and {"en": "Nothing is wrong", "ja": "問題はありません"}[language] in found.stdout
    )
    for actions, words in ((BEGINS, fine), ([{"do": "sail", "to": [0, 1]}], broken)):
        turn = {"format": "waymark-turn/1", "game": "quayside", "player": "Aya", "before": board_told(board)}
        file = written(tmp_path / "turn.json", {**turn, "claims": {"actions": actions}})
        assert words in run_here("referee", file, "--explain", *given).stdout


def test_the_final_score_counts_goods_and_sets(tmp_path: Path) -> None:
    players: list[dict[str, Any]] = [
        {"name": "Aya", "grain": 1, "salt": 2, "silk": 1},
        {"name": "Ben", "silk": 4},
    ]
    game = {"format": "waymark-game/1", "game": "quayside", "players": players}
    file = written(tmp_path / "game.json", game)
    told = json.loads(run_here("final", file, "--json", "-").stdout)
    assert [(each["total"], each["rank"]) for each in told["players"]] == [(8 + 3, 2), (12, 1)]
    assert "Ben brings ashore the most: 12 points." in run_here("final", file).stdout
    assert "Benがいちばん多く陸揚げしました" in run_here("final", file, "--lang", "ja").stdout
    players[0]["gold"] = 1
    assert (
        json.loads(run_here("final", written(file, game), "--json", "-").stdout)["error"]["code"]
        == "bad-record"
    )
