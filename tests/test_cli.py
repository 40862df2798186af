"""The `waymark` command as scripts and people meet it: answers, JSON, exit statuses, one-sentence errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from webapp.cli import cli, overlay_files
from webapp.messages import environment_language

ROOT = Path(__file__).parent.parent


@pytest.fixture
def waymark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command in this process: `waymark("referee", "x.json")`."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: object, **options: Any) -> Result:
        return CliRunner().invoke(cli, [str(argument) for argument in arguments], **options)

    return run


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A catalogue of one card with a straight corridor, a coin worth 2 on it, and no art."""
    card = {
        "id": "C1",
        "kind": "dungeon",
        "art": "art/C1.png",
        "nodes": [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "f1", "kind": "find", "find": "coin", "value": 2, "at": [31, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        "edges": [
            {"kind": "corridor", "level": "main", "from": "w1", "to": "f1"},
            {"kind": "corridor", "level": "main", "from": "f1", "to": "e1"},
        ],
    }
    folder = tmp_path / "deck"
    folder.mkdir()
    catalogue = {"format": "waymark-catalogue/1", "name": "trial", "game": "mapmasters", "cards": [card]}
    (folder / "catalogue.json").write_text(json.dumps(catalogue | {"card_size_mm": [63, 88]}))
    return folder


def record(file: Path, card: str = "C1", **fields: Any) -> Path:
    """A record of one card, walked from left to right."""
    whole = {
        "format": "waymark-tableau/1",
        "cards": [{"card": card, "x": 0, "y": 0, "rotation": 0}],
        "path": [["0.w1", "0.f1", "0.e1"]],
    }
    file.write_text(json.dumps(whole | fields))
    return file


# --- referee ------------------------------------------------------------------------------------------------


def test_referee_rules_on_a_record(waymark: Any, deck: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json", objectives={"primary": "coin", "secondary": "key"})
    result = waymark("referee", file, "--catalogue", deck, "--json", "-")
    assert result.exit_code == 0
    ruling = json.loads(result.stdout)
    assert ruling["format"] == "waymark-ruling/1"
    assert (ruling["legal"], ruling["escaped"], ruling["coins"]) == (True, True, 2)
    assert ruling["primary"] == {"objective": "coin", "count": 2, "vp": 2}


def test_referee_shows_people_a_table(waymark: Any, deck: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json", objectives={"primary": "coin"})
    english = waymark("referee", file, "--catalogue", deck)
    assert english.exit_code == 0
    assert "Primary objective  coin x 2 = 2 VP" in english.stdout
    japanese = waymark("referee", file, "--catalogue", deck, "--lang", "ja")
    assert "主目標" in japanese.stdout and "コイン" in japanese.stdout


def test_several_records_give_a_list_in_order(waymark: Any, deck: Path, tmp_path: Path) -> None:
    there = record(tmp_path / "there.json")
    back = record(tmp_path / "back.json", path=[["0.e1", "0.f1", "0.w1"]])
    result = waymark("referee", there, back, "--catalogue", deck, "--json", "-")
    assert [ruling["last_place"] for ruling in json.loads(result.stdout)] == ["0.e1", "0.w1"]


def test_an_error_in_a_list_leaves_the_other_answers(waymark: Any, deck: Path, tmp_path: Path) -> None:
    good, bad = record(tmp_path / "good.json"), record(tmp_path / "bad.json", card="C9")
    result = waymark("referee", bad, good, "--catalogue", deck, "--json", "-")
    assert result.exit_code == 0
    first, second = json.loads(result.stdout)
    assert first["error"]["code"] == "unknown-card"
    assert second["legal"] is True
    assert result.stderr.count("\n") == 1


def test_a_list_without_any_answer_ends_as_its_first_error(waymark: Any, deck: Path, tmp_path: Path) -> None:
    result = waymark(
        "referee", tmp_path / "no.json", tmp_path / "none.json", "--catalogue", deck, "--json", "-"
    )
    assert result.exit_code == 3
    assert [answer["error"]["code"] for answer in json.loads(result.stdout)] == ["no-file", "no-file"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not-a-record"),
        (b"[]", "not-a-record"),
        (b"\xff\xd8\xff\xe0 a photo", "not-a-record"),
        (b'{"format": "waymark-tableau/9", "cards": []}', "not-a-record"),
        (b"[" * 100_000, "not-a-record"),
    ],
)
def test_what_is_no_record_ends_with_3_and_one_sentence(
    waymark: Any, deck: Path, tmp_path: Path, content: bytes, code: str
) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    result = waymark("referee", file, "--catalogue", deck, "--json", "-")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == code
    assert result.stderr.startswith("waymark: ") and result.stderr.count("\n") == 1


def test_a_catalogue_that_is_not_there_is_each_inputs_error(waymark: Any, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json")
    result = waymark("referee", file, "--catalogue", tmp_path / "nowhere", "--json", "-")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == "no-catalogue"


def test_json_goes_to_a_file_and_the_table_to_the_screen(waymark: Any, deck: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    result = waymark("referee", record(tmp_path / "a.json"), "--catalogue", deck, "--json", answer)
    assert json.loads(answer.read_bytes())["coins"] == 2
    assert "Coins" in result.stdout


def test_a_record_from_standard_input(waymark: Any, deck: Path, tmp_path: Path) -> None:
    text = record(tmp_path / "a.json").read_bytes()
    result = waymark("referee", "-", "--catalogue", deck, "--json", "-", input=text)
    assert json.loads(result.stdout)["coins"] == 2


def test_a_mistake_of_ours_is_told_without_a_traceback(
    waymark: Any, deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("scorer.mapmasters.referee", broken)
    result = waymark("referee", record(tmp_path / "a.json"), "--catalogue", deck, "--json", "-")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == "internal"
    assert "Traceback" not in result.stderr and "ZeroDivisionError: oh" in result.stderr


# --- wrong usage --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["referee"],
        ["score"],
        ["scan", "a.jpg", "--colour"],
        ["score", "a.jpg", "--primary", "dragon"],
        ["score", "a.jpg", "--fairy", "sword"],
        ["score", "a.jpg", "--fairy", "sword=many"],
        ["score", "a.jpg", "--fairy", "sword=-1"],
        ["score", "a.jpg", "--fairy", "axe=1"],
        ["score", "a.jpg", "--spellbook", "SB-18"],
        ["deck", "print", "x.pdf", "--paper", "a5"],
    ],
)
def test_wrong_usage_ends_with_2(waymark: Any, arguments: list[str]) -> None:
    result = waymark(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage:" in result.stderr


def test_an_answer_that_cannot_be_written_is_wrong_usage(waymark: Any, deck: Path, tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "answer.json"
    result = waymark("referee", record(tmp_path / "a.json"), "--catalogue", deck, "--json", target)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


# --- decks --------------------------------------------------------------------------------------------------


def test_deck_export_writes_the_bundled_catalogue(waymark: Any, tmp_path: Path) -> None:
    result = waymark("deck", "export", tmp_path / "out", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["cards"] == 125
    written = json.loads((tmp_path / "out/catalogue.json").read_bytes())
    assert all((tmp_path / "out" / card["art"]).is_file() for card in written["cards"])


def test_the_open_deck_is_sound(waymark: Any, tmp_path: Path) -> None:
    waymark("deck", "export", tmp_path / "out")
    result = waymark("deck", "check", tmp_path / "out", "--json", "-")
    report = json.loads(result.stdout)
    assert report["findings"] == []
    assert result.exit_code == 0
    assert report["nearest"]["distance"] > 3
    assert report["nearest_layouts"]["distance"] > 10


def test_deck_check_tells_every_fault_and_ends_with_3(waymark: Any, deck: Path) -> None:
    result = waymark("deck", "check", deck, "--json", "-")
    assert result.exit_code == 3
    report = json.loads(result.stdout)
    assert [(f["card"], f["code"]) for f in report["findings"]] == [("C1", "art-missing")]
    assert report["error"]["code"] == "unsound-catalogue"
    shown = waymark("deck", "check", deck)
    assert "art/C1.png" in shown.stdout and "the art file is missing" in shown.stdout
    assert shown.stderr.count("\n") == 1


def test_deck_print_of_chosen_cards(waymark: Any, tmp_path: Path) -> None:
    file = tmp_path / "cards.pdf"
    result = waymark("deck", "print", file, "--paper", "letter", "--cards", "D01, D02", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"file": str(file), "cards": 2, "pages": 1}
    assert file.read_bytes().startswith(b"%PDF")


def test_deck_print_of_an_unknown_card(waymark: Any, tmp_path: Path) -> None:
    result = waymark("deck", "print", tmp_path / "cards.pdf", "--cards", "D99")
    assert result.exit_code == 3
    assert "'D99'" in result.stderr
    assert not (tmp_path / "cards.pdf").exists()


# --- languages, start-up ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
    ],
)
def test_the_language_follows_the_environment(environment: dict[str, str], language: str) -> None:
    assert environment_language(environment) == language


def run_command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "webapp.cli", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"} | environment,
        check=False,
    )


def test_help_is_in_the_language_of_the_environment() -> None:
    assert "読み取り" in run_command("score", "--help", LC_ALL="ja_JP.UTF-8").stdout
    assert "referee its path" in run_command("score", "--help", LC_ALL="C.UTF-8").stdout


def test_the_referee_starts_without_a_picture_library(tmp_path: Path, deck: Path) -> None:
    file = record(tmp_path / "a.json")
    code = (
        "import sys; from webapp.cli import cli\n"
        f"command = ['referee', {str(file)!r}, '--catalogue', {str(deck)!r}, '--json', '-']\n"
        "cli(command, standalone_mode=False)\n"
        "heavy = {'cv2', 'numpy', 'shapely', 'PIL', 'rich'} & set(sys.modules)\n"
        "sys.exit(f'{heavy} were imported' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# --- where pictures go --------------------------------------------------------------------------------------


def test_the_overlay_of_one_photo_is_the_named_file() -> None:
    assert overlay_files("out.png", ["a.jpg"]) == [Path("out.png")]


def test_overlays_of_several_photos_go_into_a_folder() -> None:
    assert overlay_files("out", ["x/a.jpg", "x/b.heic"]) == [Path("out/a.png"), Path("out/b.png")]


def test_photos_of_one_name_do_not_overwrite_each_others_overlays() -> None:
    assert overlay_files("out", ["x/a.jpg", "y/a.jpg"]) == [Path("out/a-1.png"), Path("out/a-2.png")]


def test_no_overlay_was_asked_for() -> None:
    assert overlay_files(None, ["a.jpg", "b.jpg"]) == [None, None]
