"""`waymark final`: games to final scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runs import run_here


def game(file: Path, rounds: int = 6, **players: dict[str, int]) -> Path:
    """A game of equal rounds: `Aya={"primary": 2}`; `coins_left` is the player's own."""
    seats = [
        {
            "name": name,
            "coins_left": columns.pop("coins_left", 0),
            "rounds": [{"time_bonus": 0, "escaped": False} | columns] * rounds,
        }
        for name, columns in ((name, dict(given)) for name, given in players.items())
    ]
    file.write_text(json.dumps({"format": "waymark-game/1", "mode": "versus", "players": seats}))
    return file


def final(*arguments: object, status: int = 0) -> Any:
    result = run_here("final", *arguments, "--json", "-")
    assert result.exit_code == status
    return json.loads(result.stdout)


def row(shown: str, name: str) -> list[str]:
    line = next(line for line in shown.splitlines() if f" {name} " in line)
    return [cell.strip() for cell in line.strip("│").split("│")]


def test_the_final_score_of_a_game(tmp_path: Path) -> None:
    file = game(tmp_path / "g.json", Aya={"primary": 2, "secondary": 1, "coins_left": 7}, Ben={"primary": 3})
    answer = final(file)
    assert answer["format"] == "waymark-final/1"
    assert answer["players"][0] == {
        "name": "Aya",
        "primary": 12,
        "secondary": 3,
        "time_bonus": 0,
        "escape_bonus": 0,
        "coins": 2,
        "total": 17,
        "rank": 2,
    }
    assert (answer["winners"], answer["decided_by"], answer["rounds"]) == (["Ben"], "total", 6)


def test_people_get_every_column_by_rank(tmp_path: Path) -> None:
    file = game(tmp_path / "g.json", Aya={"primary": 2, "secondary": 1, "coins_left": 7}, Ben={"primary": 3})
    shown = run_here("final", file).stdout
    assert row(shown, "Aya") == ["2", "Aya", "12", "3", "0", "0", "2", "17"]
    assert shown.index("Ben") < shown.index("Aya")
    assert "Ben wins with 18 VP." in shown
    japanese = run_here("final", file, "--lang", "ja").stdout
    assert "最終得点" in japanese and "Benが 18 点で勝ちました。" in japanese


@pytest.mark.parametrize(
    ("ben", "rounds", "english", "japanese"),
    [
        ({"primary": 1, "secondary": 2}, 6, "Ben wins: the totals are tied at 12 VP", "Benの勝ちです"),
        ({"primary": 2}, 6, "Aya, Ben share the win: 12 VP each", "Aya、Benが勝利を分け合います"),
        ({"primary": 3}, 2, "Ben leads with 6 VP.", "Benが 6 点で首位です"),
        ({"primary": 1, "secondary": 2}, 2, "Ben leads: the totals are tied", "Benが首位です"),
        ({"primary": 2}, 2, "Aya, Ben share the lead", "Aya、Benが首位で並んでいます"),
    ],
)
def test_how_the_winner_was_decided(
    tmp_path: Path, ben: dict[str, int], rounds: int, english: str, japanese: str
) -> None:
    file = game(tmp_path / "g.json", rounds, Aya={"primary": 2}, Ben=ben)
    assert english in run_here("final", file).stdout
    assert japanese in run_here("final", file, "--lang", "ja").stdout


def test_fewer_rounds_are_called_a_standing(tmp_path: Path) -> None:
    file = game(tmp_path / "g.json", 2, Aya={"primary": 2})
    assert "Standing after 2 of 6 rounds" in run_here("final", file).stdout
    assert "6 ラウンド中 2 ラウンド終了時" in run_here("final", file, "--lang", "ja").stdout


def test_several_games_give_a_list_with_errors_in_place(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    good = game(tmp_path / "g.json", Aya={"primary": 1})
    error, score = final(bad, good)
    assert (error["error"]["code"], score["winners"]) == ("not-a-game", ["Aya"])


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"format": "waymark-tableau/1", "cards": []}'])
def test_what_is_no_game_ends_with_3_and_one_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    assert final(file, status=3)["error"]["code"] == "not-a-game"
    told = run_here("final", file, "--lang", "ja").stderr
    assert told.startswith("waymark: 対戦ゲームの記録ではありません") and told.count("\n") == 1


def test_a_house_rule_of_the_final_score(tmp_path: Path) -> None:
    file = game(tmp_path / "g.json", Aya={"primary": 1}, Ben={"primary": 1})
    assert final(file)["players"][0]["escape_bonus"] == 0
    given = final(file, "--house", "escape_bonus_for_no_boxes=true")
    assert given["players"][0]["escape_bonus"] == 2


def test_a_list_of_games_as_the_web_app_exports_them_gives_a_list(tmp_path: Path) -> None:
    first = game(tmp_path / "a.json", Aya={"primary": 2}, Ben={"primary": 3})
    second = game(tmp_path / "b.json", Aya={"primary": 5}, Ben={"primary": 3})
    listed = tmp_path / "games.json"
    listed.write_text(f"[{first.read_text()}, {second.read_text()}]")
    assert final(listed) == [final(first), final(second)]
    listed.write_text(f"[{first.read_text()}, 3]")
    assert final(listed, status=3)["error"]["code"] == "not-a-game"


def test_stars_of_the_open_panels_count_where_no_catalogue_is_named(tmp_path: Path) -> None:
    """The hunter's 2 stars for points and the dragon's 2; the explorer's lies for its bonus."""
    file = tmp_path / "game.json"
    laid = [{"card": "hunter", "side": "points"}, {"card": "explorer", "side": "bonus"}]
    players = [{"name": "Aya", "victory": laid}, {"name": "Ben"}, {"name": "Cem"}]
    told = {"format": "waymark-game/1", "game": "stone_dragon", "slayer": "Aya", "players": players}
    file.write_text(json.dumps(told))
    answer = final(file)
    assert [each["total"] for each in answer["players"]] == [4, 0, 0] and answer["finished"]
