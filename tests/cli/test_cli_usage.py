"""Wrong usage: exit status 2 and one sentence, in the language asked for, also as JSON; help in both
languages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import ROOT, record, run_here, run_program, trial_deck

from waymark.cli.tables import question_line


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return trial_deck(tmp_path / "deck")


WRONG = [
    (["fly"], "'fly'"),
    (["--colour"], "--colour"),
    (["deck", "burn"], "'burn'"),
    (["referee"], "RECORD"),
    (["score"], "PHOTO..."),
    (["scan", "a.jpg", "--colour"], "--colour"),
    (["scan", "a.jpg", "--catalogue"], "--catalogue DIR"),
    (["scan", "a.jpg", "--help=no"], "--help"),
    (["score", "a.jpg", "--primary", "dragon"], "'dragon'"),
    (["score", "a.jpg", "--primary=dragon"], "'dragon'"),
    (["score", "a.jpg", "--fairy", "sword"], "'sword'"),
    (["score", "a.jpg", "--fairy", "sword=many"], "'sword=many'"),
    (["score", "a.jpg", "--fairy", "sword=-1"], "-1"),
    (["score", "a.jpg", "--fairy", "axe=1"], "'axe'"),
    (["score", "a.jpg", "--fairy", "sword=6"], "sword=6"),
    (["score", "a.jpg", "--fairy", "key=3", "--fairy", "key=3"], "key=6"),
    (["score", "a.jpg", "--spellbook", "SB-18"], "'SB-18'"),
    (["deck", "print", "x.pdf", "--paper", "a5"], "a4, letter"),
    (["deck", "print", "x.pdf", "y.pdf"], "'y.pdf'"),
    (["deck", "print", "x.txt"], "'x.txt'"),
    (["serve", "--port"], "--port N"),
]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("arguments", "named"), WRONG)
def test_wrong_usage_ends_with_2_and_one_sentence(arguments: list[str], named: str, language: str) -> None:
    result = run_here(*arguments, LC_ALL="ja_JP.UTF-8" if language == "ja" else "C")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("waymark: ") and result.stderr.count("\n") == 1
    assert named in result.stderr
    assert result.stderr.endswith("。\n" if language == "ja" else ".\n")


@pytest.mark.parametrize("where", ["--lang=ja", "--lang ja"])
def test_the_sentence_is_in_the_language_that_the_command_line_asks_for(where: str) -> None:
    result = run_here("scan", "a.jpg", "--colour", *where.split())
    assert result.stderr == (
        "waymark: --colour というオプションはありません。"
        "オプションの一覧は `waymark scan --help` で見られます。\n"
    )


def test_what_to_do_names_the_command() -> None:
    assert run_here("score", "a.jpg", "--colour").stderr == (
        "waymark: There is no option --colour; `waymark score --help` lists the options.\n"
    )
    assert "`waymark deck --help`" in run_here("deck", "burn").stderr


@pytest.mark.parametrize("arguments", [["score", "--json", "-"], ["score", "a.jpg", "--colour", "--json=-"]])
def test_wrong_usage_is_answered_as_json(arguments: list[str]) -> None:
    result = run_here(*arguments)
    error = json.loads(result.stdout)["error"]
    assert (result.exit_code, error["code"]) == (2, "usage")
    assert result.stderr == f"waymark: {error['message']}\n"


def test_wrong_usage_is_answered_into_the_json_file(tmp_path: Path) -> None:
    target = tmp_path / "answer.json"
    assert run_here("score", "a.jpg", "--fairy", "axe=1", "--json", target).exit_code == 2
    assert json.loads(target.read_bytes())["error"]["code"] == "usage"


@pytest.mark.parametrize("target", ["nowhere/answer.json", "."])
def test_an_answer_that_cannot_be_written_is_told_before_any_work(
    deck: Path, tmp_path: Path, target: str
) -> None:
    file = record(tmp_path / "a.json")
    result = run_here("referee", file, "--catalogue", deck, "--json", f"{tmp_path}/{target}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "The answer cannot be written to" in result.stderr and result.stderr.count("\n") == 1
    assert run_here("fly", "--json", f"{tmp_path}/{target}").exit_code == 2


def test_a_full_disk_leaves_the_table_and_one_sentence(deck: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json")
    result = run_here("referee", file, "--catalogue", deck, "--json", "/dev/full")
    assert result.exit_code == 2
    assert "Coins" in result.stdout
    assert "cannot be written" in result.stderr and result.stderr.count("\n") == 1


def test_without_a_command_the_help_is_shown() -> None:
    result = run_here()
    assert result.exit_code == 2
    assert "referee" in result.stderr and result.stdout == ""


def test_a_file_in_the_deck_folders_way_is_told_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("mine")
    for target in (file, file / "deck"):
        for language, end in (("en", "written.\n"), ("ja", "指定してください。\n")):
            result = run_here("deck", "export", target, "--lang", language)
            assert result.exit_code == 3
            assert "Errno" not in result.stderr and result.stderr.endswith(end)
            assert result.stderr.count("\n") == 1
    assert file.read_text() == "mine"


@pytest.mark.parametrize(("language", "told"), [("en", "(it is empty)"), ("ja", "(中身が空です)")])
@pytest.mark.parametrize("command", ["referee", "final"])
def test_nothing_on_standard_input_is_called_empty(command: str, language: str, told: str) -> None:
    result = run_here(command, "-", "--lang", language, input=b"")
    assert result.exit_code == 3 and told in result.stderr


def test_the_number_behind_a_stroke_is_said_to_be_its_places() -> None:
    question = {
        "about": "path",
        "place": "2.d1",
        "reason": "The line is faint.",
        "options": ["1.w1 → 2.A1 (12), 0.A1 → 2.n1 (11)", "-"],
    }
    assert "1.w1 → 2.A1 (12 places), 0.A1 → 2.n1 (11 places) / -" in question_line(question, "en")
    assert "1.w1 → 2.A1 (12 か所), 0.A1" in question_line(question, "ja")


#: Commands whose help is looked at.
HELPED = ("", "score", "deck", "deck print", "serve", "bench-rulings")
#: A process keeps to the language that it was started in: one for each language gives the help of all.
HELPS = """
import json, sys
from click.testing import CliRunner
from waymark.cli.main import cli
print(json.dumps([CliRunner().invoke(cli, [*each.split(), "--help"]).stdout for each in sys.argv[1:]]))
"""


@pytest.fixture(scope="module")
def helps() -> dict[str, tuple[str, str]]:
    """The help of each command in Japanese and in English."""

    def told(locale: str) -> list[str]:
        ran = subprocess.run(
            [sys.executable, "-c", HELPS, *HELPED],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"LC_ALL": locale},
        )
        found: list[str] = json.loads(ran.stdout)
        return found

    pairs = zip(told("ja_JP.UTF-8"), told("C.UTF-8"), strict=True)
    return dict(zip(HELPED, pairs, strict=True))


@pytest.mark.parametrize("command", HELPED)
def test_help_is_in_one_language(command: str, helps: dict[str, tuple[str, str]]) -> None:
    japanese, english = helps[command]
    if command == "score":  # As people run it, too.
        japanese = run_program("score", "--help", "--lang", "ja").stdout
    assert "使い方: waymark" in japanese and "オプション:" in japanese
    for word in ("Usage", "Show this", "[OPTIONS]", "[ARGS]", "INTEGER", "RANGE", "TEXT"):
        assert word not in japanese
    assert "Usage: waymark" in english


@pytest.mark.parametrize(("language", "sentence"), [("en", "Stopped;"), ("ja", "中断しました。")])
def test_an_interrupt_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    def interrupted(_: str) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("waymark.cli.records.read_input", interrupted)
    result = run_here("referee", "a.json", "--lang", language)
    assert result.exit_code == 130
    assert result.stderr.strip().startswith(sentence) and "Traceback" not in result.stderr
