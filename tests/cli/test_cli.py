"""The `waymark` command as scripts and people meet it: answers, JSON, exit statuses, one-sentence errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import ROOT, record, run_here, trial_deck

from waymark.cli.inputs import overlay_files
from waymark.phrases import environment_language


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return trial_deck(tmp_path / "deck")


# --- referee ------------------------------------------------------------------------------------------------


def test_referee_rules_on_a_record(deck: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json", objectives={"primary": "coin", "secondary": "key"})
    result = run_here("referee", file, "--catalogue", deck, "--json", "-")
    assert result.exit_code == 0
    ruling = json.loads(result.stdout)
    assert ruling["format"] == "waymark-ruling/1"
    assert (ruling["legal"], ruling["escaped"], ruling["coins"]) == (True, True, 2)
    assert ruling["primary"] == {"objective": "coin", "count": 2, "vp": 2}


def test_referee_shows_people_a_table(deck: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json", objectives={"primary": "coin"})
    english = run_here("referee", file, "--catalogue", deck)
    assert english.exit_code == 0
    assert "Primary objective  coin x 2 = 2 VP" in english.stdout
    japanese = run_here("referee", file, "--catalogue", deck, "--lang", "ja")
    assert "主目標" in japanese.stdout and "コイン" in japanese.stdout


def test_several_records_give_a_list_in_order(deck: Path, tmp_path: Path) -> None:
    there = record(tmp_path / "there.json")
    back = record(tmp_path / "back.json", path=[["0.e1", "0.f1", "0.w1"]])
    result = run_here("referee", there, back, "--catalogue", deck, "--json", "-")
    assert [ruling["last_place"] for ruling in json.loads(result.stdout)] == ["0.e1", "0.w1"]


def test_an_error_in_a_list_leaves_the_other_answers(deck: Path, tmp_path: Path) -> None:
    good, bad = record(tmp_path / "good.json"), record(tmp_path / "bad.json", card="C9")
    result = run_here("referee", bad, good, "--catalogue", deck, "--json", "-")
    assert result.exit_code == 0
    first, second = json.loads(result.stdout)
    assert first["error"]["code"] == "unknown-card"
    assert second["legal"] is True
    assert result.stderr.count("\n") == 1


def test_a_list_without_any_answer_ends_as_its_first_error(deck: Path, tmp_path: Path) -> None:
    result = run_here(
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
    deck: Path, tmp_path: Path, content: bytes, code: str
) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(content)
    result = run_here("referee", file, "--catalogue", deck, "--json", "-")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == code
    assert result.stderr.startswith("waymark: ") and result.stderr.count("\n") == 1


def test_a_catalogue_that_is_not_there_is_each_inputs_error(tmp_path: Path) -> None:
    file = record(tmp_path / "a.json")
    result = run_here("referee", file, "--catalogue", tmp_path / "nowhere", "--json", "-")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == "no-catalogue"


def test_json_goes_to_a_file_and_the_table_to_the_screen(deck: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    result = run_here("referee", record(tmp_path / "a.json"), "--catalogue", deck, "--json", answer)
    assert json.loads(answer.read_bytes())["coins"] == 2
    assert "Coins" in result.stdout


def test_a_record_from_standard_input(deck: Path, tmp_path: Path) -> None:
    text = record(tmp_path / "a.json").read_bytes()
    result = run_here("referee", "-", "--catalogue", deck, "--json", "-", input=text)
    assert json.loads(result.stdout)["coins"] == 2


def test_a_mistake_of_ours_is_told_without_a_traceback(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("scorer.mapmasters.game.referee_dungeon", broken)
    result = run_here("referee", record(tmp_path / "a.json"), "--catalogue", deck, "--json", "-")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] == "internal"
    assert "Traceback" not in result.stderr and "ZeroDivisionError: oh" in result.stderr


# --- decks --------------------------------------------------------------------------------------------------


def test_deck_export_writes_the_bundled_catalogue(tmp_path: Path) -> None:
    result = run_here("deck", "export", tmp_path / "out", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["cards"] == 125
    written = json.loads((tmp_path / "out/catalogue.json").read_bytes())
    assert all((tmp_path / "out" / card["art"]).is_file() for card in written["cards"])


def test_deck_export_writes_the_pieces_of_another_game(tmp_path: Path) -> None:
    result = run_here("deck", "export", tmp_path / "out", "--game", "labyrinth2", "--json", "-")
    assert json.loads(result.stdout)["cards"] == 95
    written = json.loads((tmp_path / "out/catalogue.json").read_bytes())
    assert written["game"] == "labyrinth2"
    assert all((tmp_path / "out" / card["art"]).is_file() for card in written["cards"])
    assert run_here("deck", "export", tmp_path / "out", "--game", "chess").exit_code == 3


@pytest.mark.long
def test_the_open_deck_is_sound(tmp_path: Path) -> None:
    run_here("deck", "export", tmp_path / "out")
    result = run_here("deck", "check", tmp_path / "out", "--json", "-")
    report = json.loads(result.stdout)
    assert report["findings"] == []
    assert result.exit_code == 0
    assert report["nearest"]["distance"] > 3
    assert report["nearest_layouts"]["distance"] > 10


def test_deck_check_tells_every_fault_and_ends_with_3(deck: Path) -> None:
    result = run_here("deck", "check", deck, "--json", "-")
    assert result.exit_code == 3
    report = json.loads(result.stdout)
    assert [(f["card"], f["code"]) for f in report["findings"]] == [("C1", "art-missing")]
    assert report["error"]["code"] == "unsound-catalogue"
    shown = run_here("deck", "check", deck)
    assert "art/C1.png" in shown.stdout and "the art file is missing" in shown.stdout
    assert shown.stderr.count("\n") == 1


def test_deck_print_of_chosen_cards(tmp_path: Path) -> None:
    file = tmp_path / "cards.pdf"
    result = run_here("deck", "print", file, "--paper", "letter", "--cards", "D01, D02", "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"file": str(file), "cards": 2, "pages": 1}
    assert file.read_bytes().startswith(b"%PDF")


def test_deck_print_takes_the_pieces_of_another_game(tmp_path: Path) -> None:
    file = tmp_path / "pieces.pdf"
    result = run_here(
        "deck", "print", file, "--game", "labyrinth2", "--cards", "I01,chip-6,dragon", "--json", "-"
    )
    assert json.loads(result.stdout) == {"file": str(file), "cards": 3, "pages": 3}
    assert file.read_bytes().startswith(b"%PDF")


def test_deck_print_of_an_unknown_card(tmp_path: Path) -> None:
    result = run_here("deck", "print", tmp_path / "cards.pdf", "--cards", "D99")
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


def test_the_referee_starts_without_a_picture_library(tmp_path: Path, deck: Path) -> None:
    file = record(tmp_path / "a.json")
    code = (
        "import sys; from waymark.cli.main import cli\n"
        f"command = ['referee', {str(file)!r}, '--catalogue', {str(deck)!r}, '--json', '-']\n"
        "cli(command, standalone_mode=False)\n"
        "heavy = {'cv2', 'numpy', 'shapely', 'PIL', 'rich'} & set(sys.modules)\n"
        "sys.exit(f'{heavy} were imported' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def modules_after(*command: str) -> set[str]:
    """The modules that are imported once a command has run in a process of its own."""
    code = (
        "import sys; from waymark.cli.main import cli\n"
        f"cli({list(command)}, standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stderr.split())


def test_a_photo_is_scored_without_other_games_and_commands() -> None:
    """A photo of one player's tableau needs no board, no shared table, and no command but its own."""
    imported = modules_after("score", "samples/photos/table-07.jpg", "--json", "-")
    assert {"scorer.mapmasters.game", "waymark.cli.photos"} <= imported
    games = ("scorer.board", "scorer.mapmasters.cooperative", "vision.boards", "vision.groups")
    commands = ("waymark.cli.benching", "waymark.cli.decks", "waymark.picture", "webapp", "rich")
    assert [name for name in imported if name.startswith((*games, *commands, "importlib.metadata"))] == []


def test_help_starts_without_a_picture_library_and_the_server() -> None:
    heavy = {"cv2", "numpy", "PIL", "rich", "werkzeug", "sqlalchemy"}
    assert modules_after("--help") & heavy == set()


# --- where pictures go --------------------------------------------------------------------------------------


def test_the_overlay_of_one_photo_is_the_named_file() -> None:
    assert overlay_files("out.png", ["a.jpg"]) == [Path("out.png")]


def test_overlays_of_several_photos_go_into_a_folder() -> None:
    assert overlay_files("out", ["x/a.jpg", "x/b.heic"]) == [Path("out/a.png"), Path("out/b.png")]


def test_photos_of_one_name_do_not_overwrite_each_others_overlays() -> None:
    assert overlay_files("out", ["x/a.jpg", "y/a.jpg"]) == [Path("out/a-1.png"), Path("out/a-2.png")]


def test_no_overlay_was_asked_for() -> None:
    assert overlay_files(None, ["a.jpg", "b.jpg"]) == [None, None]
