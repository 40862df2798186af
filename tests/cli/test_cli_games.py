"""The command line plays any game: the tiny one, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import trails_table
from cli_runs import run_here, run_program

from scorer.board_record import to_json


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return trails_table.write_deck(tmp_path / "deck")


def record(file: Path, **changes: Any) -> Path:
    told = json.loads(to_json(trails_table.board(owls=((0, 0), (2, 1)))))
    file.write_text(json.dumps({**told, **changes}), encoding="utf-8")
    return file


def answer(*arguments: object, status: int = 0) -> Any:
    result = run_here(*arguments, "--json", "-")
    assert result.exit_code == status, result.stderr
    return json.loads(result.stdout)


def test_a_record_is_refereed_by_its_own_game(deck: Path, tmp_path: Path) -> None:
    given = answer("referee", record(tmp_path / "a.json"), "--catalogue", deck)
    assert given["legal"] and given["points"] == 7 and given["objective"] is None
    assert given["road"][0] == [1, 1] and "told" not in given


def test_what_a_record_does_not_tell_is_told_by_name(deck: Path, tmp_path: Path) -> None:
    given = "referee", record(tmp_path / "a.json"), "--catalogue", deck
    assert answer(*given, "--term", "objective=owls", "--term", "lanterns=2")["points"] == 9
    assert answer(*given, "--term", "objective=owls")["objective"] == {
        "objective": "owls",
        "count": 2,
        "vp": 4,
    }
    assert answer(*given, "--house", "wrap=true") == answer(*given, "--term", "wrap=true")
    own = record(tmp_path / "b.json", objective="corners")
    assert answer("referee", own, "--catalogue", deck, "--term", "objective=owls")["objective"]["count"] == 4


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("--term", "objective=foxes", "owls"),
        ("--term", "lanterns=9", "0 から 3"),
        ("--term", "card_limit=6", "lanterns"),
        ("--house", "lanterns=1", "wrap"),
        ("--term", "wrap", "NAME=VALUE"),
        ("--online", None, "online"),
    ],
)
def test_what_the_game_does_not_have_is_wrong_usage(
    deck: Path, tmp_path: Path, option: str, value: str | None, named: str
) -> None:
    given = record(tmp_path / "a.json"), "--catalogue", deck, "--lang", "ja", option
    result = run_here("referee", *given, *([value] if value else []))
    assert result.exit_code == 2 and named in result.stderr and result.stderr.count("\n") == 1


TOLD = {
    "en": ["tiles of the road", "7 VP", "owls met", "The fox runs over 7 tiles.", "Ran to column 2, row 1."],
    "ja": ["道のタイル", "7 勝利点", "出会ったフクロウ", "キツネはタイル 7 枚を走ります。", "行目へ走った。"],
}


@pytest.mark.parametrize("language", list(TOLD))
def test_people_are_told_in_the_games_own_words(deck: Path, tmp_path: Path, language: str) -> None:
    given = record(tmp_path / "a.json"), "--catalogue", deck, "--lang", language
    result = run_here("referee", *given, "--explain", "--term", "objective=owls")
    assert result.exit_code == 0
    for word in TOLD[language]:
        assert word in result.stdout
    assert "(D." not in result.stdout and "Escaped" not in result.stdout


def test_steps_and_an_unknown_direction_are_answered(deck: Path, tmp_path: Path) -> None:
    given = "referee", record(tmp_path / "a.json"), "--catalogue", deck
    told = answer(*given, "--explain", "--direction", "unknown", "--notation")
    assert [step["place"] for step in told["told"]][:2] == ["1,1", "1,0"]
    assert "notation" not in told and "other_direction" not in told


def test_records_of_several_games_in_one_call(deck: Path, tmp_path: Path) -> None:
    tableau = tmp_path / "t.json"
    tableau.write_text('{"format": "waymark-tableau/1", "cards": [{"card": "D01", "x": 0, "y": 0}]}')
    both = answer("referee", tableau, record(tmp_path / "a.json"))
    assert both[0]["format"] == "waymark-ruling/1"
    assert both[1]["error"]["code"] == "no-catalogue" and "--catalogue" in both[1]["error"]["message"]
    unknown = answer("referee", record(tmp_path / "b.json", game="chess"), status=3)
    assert unknown["error"]["code"] == "unknown-game"
    broken = answer("referee", record(tmp_path / "c.json", tiles=3), "--catalogue", deck, status=3)
    assert broken["error"]["code"] == "bad-record"


def game(file: Path, rounds: int, **players: dict[str, int]) -> Path:
    seats = [{"name": name, "rounds": [row] * rounds} for name, row in players.items()]
    told = {"format": "waymark-game/1", "game": "trails", "players": seats}
    file.write_text(json.dumps(told))
    return file


def test_the_final_score_of_its_game(tmp_path: Path) -> None:
    file = game(tmp_path / "g.json", 3, Aya={"road": 7, "objective": 2}, Ben={"road": 9}, Cho={"road": 9})
    given = answer("final", file)
    assert given["players"][0] == {"name": "Aya", "road": 21, "objective": 6, "total": 27, "rank": 1}
    assert (given["winners"], given["decided_by"], given["rounds"]) == (["Aya", "Ben", "Cho"], "shared", 3)
    shown = run_here("final", file)
    assert "objectives" in shown.stdout and "ran farthest: 27." in shown.stdout
    ahead = run_here("final", game(tmp_path / "h.json", 2, Aya={"road": 7}), "--lang", "ja")
    assert "3 ラウンド中 2 ラウンド" in ahead.stdout and "Ayaが 14 で首位です。" in ahead.stdout
    file.write_text('{"format": "waymark-game/1", "game": "trails", "players": []}')
    assert answer("final", file, status=3)["error"]["code"] == "not-a-game"


def test_its_deck_is_checked_by_the_size_of_each_piece(deck: Path) -> None:
    assert answer("deck", "check", deck)["findings"] == []
    small = trails_table.draw_piece("fox").resize((64, 64))
    small.save(deck / "art" / "fox.png")
    (finding,) = answer("deck", "check", deck, status=3)["findings"]
    assert (finding["card"], finding["code"]) == ("fox", "art-too-small")


def test_programs_find_the_game_by_its_package(deck: Path, tmp_path: Path) -> None:
    result = run_program("referee", str(record(tmp_path / "a.json")), "--catalogue", str(deck), "--json", "-")
    assert result.returncode == 0 and json.loads(result.stdout)["points"] == 7
