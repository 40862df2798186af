"""`waymark referee`: what it takes for a record, and what it tells beside the ruling."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from cli_runs import ROOT, record, run_here, trial_deck, write_deck
from dungeons import card
from rich.console import Console

from scorer.catalogue import load_catalogue
from scorer.mapmasters import HOUSE
from waymark.cli.inputs import read_record
from waymark.cli.refereeing import RefereeRequest, referee_record
from waymark.cli.tables import print_walk

#: From w1 a sword comes before the monster; from e1 the monster stops the path.
FIGHT = card("A", "w1 sword1 monster1 coin1 e1")
#: A find and an obstacle from either side: the path ends at the first obstacle, with another find.
EITHER = card("A", "w1 key1 monster1 monster2 rope1 e1")

NOTATION = "C1^@0,0 | 0:w1 f1 e1 | primary=coin"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return trial_deck(tmp_path / "deck")


def ruling(*arguments: object, status: int = 0, **options: Any) -> Any:
    result = run_here("referee", *arguments, "--json", "-", **options)
    assert result.exit_code == status
    return json.loads(result.stdout)


def fight(folder: Path, path: str, declared: dict[str, Any] = FIGHT, **fields: Any) -> tuple[Any, ...]:
    """A record of one declared card and the catalogue that has it, as arguments."""
    strokes = [[f"0.{place}" for place in stroke.split()] for stroke in path.split(">")]
    file = record(folder / "fight.json", "A", path=strokes, **fields)
    return file, "--catalogue", write_deck(folder / "declared", declared)


# --- what is taken for a record -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", [NOTATION, f"\ufeff{NOTATION}\n", f"\n  {NOTATION}", NOTATION.replace(" | ", "\n|\n")]
)
def test_a_record_in_notation(deck: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "a.txt"
    file.write_text(content, encoding="utf-8")
    assert ruling(file, "--catalogue", deck)["primary"] == {"objective": "coin", "count": 2, "vp": 2}


def test_notation_from_standard_input(deck: Path) -> None:
    assert ruling("-", "--catalogue", deck, input=NOTATION)["coins"] == 2
    assert "Ruling: standard input" in run_here("referee", "-", "--catalogue", deck, input=NOTATION).stdout


@pytest.mark.parametrize(
    "wrap", [lambda scan: scan, lambda scan: {"scan": scan, "ruling": {}}], ids=["scan", "score"]
)
def test_the_record_inside_an_answer(deck: Path, tmp_path: Path, wrap: Any) -> None:
    file = record(tmp_path / "a.json")
    scan = {"format": "waymark-scan/1", "tableau": json.loads(file.read_text()), "cards": [], "sure": True}
    file.write_text(json.dumps(wrap(scan)))
    answer = ruling(file, "--catalogue", deck)
    assert answer["coins"] == 2 and "doubted" not in answer


def test_a_scan_that_was_in_doubt_is_refereed_with_a_word_of_it(deck: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json")
    file.write_text(json.dumps({"tableau": json.loads(file.read_text()), "sure": False}))
    assert ruling(file, "--catalogue", deck)["doubted"] is True
    assert "not sure of this reading" in run_here("referee", file, "--catalogue", deck).stdout
    assert "不確かな点" in run_here("referee", file, "--catalogue", deck, "--lang", "ja").stdout


def test_the_truth_beside_a_sample_photo_is_refereed() -> None:
    assert ruling(ROOT / "samples/photos/table-01.truth.json")["escaped"] is True


@pytest.mark.parametrize(
    ("content", "code", "japanese"),
    [
        (b"D29 | 0:w1", "not-a-record", "JSON"),
        (b"C1^@0,x | 0:w1", "not-a-notation", "記法"),
        (b"C1^@0,0 | w1", "not-a-notation", "記法"),
        ("C1^@0,0 | 0:w1 é".encode("latin-1"), "not-a-record", "UTF-8"),
        (b'[{"scan": {}}]', "not-a-record", "一覧"),
        (b'{"error": {"code": "no-card", "message": "."}}', "not-a-record", "エラーの答え"),
        (b'{"tableau": {"cards": 1}}', "not-a-record", "$.cards"),
        (b'{"scan": {"tableau": 1}}', "not-a-record", "オブジェクト"),
        (b'{"scan": 1}', "not-a-record", "項目"),
    ],
)
def test_what_holds_no_record_ends_with_3(
    deck: Path, tmp_path: Path, content: bytes, code: str, japanese: str
) -> None:
    file = tmp_path / "x"
    file.write_bytes(content)
    assert ruling(file, "--catalogue", deck, status=3)["error"]["code"] == code
    told = run_here("referee", file, "--catalogue", deck, "--lang", "ja").stderr
    assert japanese in told and told.count("\n") == 1


# --- notation out -------------------------------------------------------------------------------------------


def test_the_notation_of_records_alone_can_be_read_back(deck: Path, tmp_path: Path) -> None:
    file = record(tmp_path / "a.json", objectives={"primary": "coin"})
    shown = run_here("referee", file, file, "--catalogue", deck, "--notation").stdout
    assert shown == f"{NOTATION}\n" * 2
    assert ruling("-", "--catalogue", deck, "--notation", input=shown.splitlines()[0])["notation"] == NOTATION


def test_the_notation_is_not_broken_into_lines(tmp_path: Path, deck: Path) -> None:
    file = record(tmp_path / "a.json", path=[["0.w1", "0.f1"] * 60])
    shown = run_here("referee", file, "--catalogue", deck, "--notation", "--explain").stdout
    assert f"Notation: C1^@0,0 | 0:w1 f1{' w1 f1' * 59}" in shown


# --- the walk explained -------------------------------------------------------------------------------------


def test_the_walk_is_told_step_by_step_and_why_it_ended(tmp_path: Path) -> None:
    marks = {"circled": ["0.coin1"], "struck": []}
    given = *fight(tmp_path, "w1 sword1 monster1 coin1 monster1", marks=marks), "--explain"
    answer, shown = ruling(*given), run_here("referee", *given).stdout
    rows = [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in shown.splitlines()
        if line.startswith("│")
    ]
    told = [[str(step["number"]), step["place"], step["what"], step["held"]] for step in answer["told"]]
    assert rows[: len(told)] == told
    assert rows[1][1] == "0.sword1" and rows[1][3] == "1 sword"
    why = answer["why"]
    assert why["rule"] == "corridor-reused"
    assert f"Ended by corridor-reused ({why['section']}): {why['message']}" in one_line(shown)
    assert [note["about"] for note in answer["marks"]] == [
        "passed_not_circled",
        "passed_not_circled",
        "used_not_struck",
        "used_not_struck",
    ]
    assert all(f"- {note['message']}" in one_line(shown) for note in answer["marks"])


def one_line(shown: str) -> str:
    """What is shown, with the lines put together that were broken to the terminal's width."""
    return " ".join(shown.split())


def test_the_walk_is_told_in_japanese(tmp_path: Path) -> None:
    given = *fight(tmp_path, "w1 sword1 coin1"), "--explain"
    shown = run_here("referee", *given, "--lang", "ja").stdout
    assert "手持ち" in shown and "剣×1" in shown
    assert "終わった理由 no-way (D. 探索フェーズ・" in shown
    assert all(step["what_ja"] in shown for step in ruling(*given)["told"])


@pytest.mark.parametrize("columns", [50, 80])
def test_nothing_of_the_walk_is_cut_off_on_a_narrow_screen(tmp_path: Path, columns: int) -> None:
    file, _, deck = fight(tmp_path, "w1 sword1 monster1 coin1 e1")
    refereed = referee_record(
        load_catalogue(deck), read_record(Path(file).read_bytes()), RefereeRequest(explain=True)
    )
    page = io.StringIO()
    print_walk(Console(file=page, width=columns), refereed, "a.json", "ja")
    rows = [line.strip("│").split("│") for line in page.getvalue().splitlines() if line.startswith("│")]
    what = "".join("".join(row[2].split()) for row in rows)
    assert what == "".join("".join(step.what.ja.split()) for step in refereed.steps or ())


def test_the_told_steps_are_answered_in_both_languages(tmp_path: Path) -> None:
    answer = ruling(*fight(tmp_path, "w1 sword1 monster1"), "--explain")
    assert [step["place"] for step in answer["told"]] == [step["place"] for step in answer["steps"]]
    sword = answer["told"][1]
    assert (sword["number"], sword["held"], sword["held_ja"]) == (2, "1 sword", "剣×1")
    assert "Collected" in sword["what"] and "獲得" in sword["what_ja"]
    assert "told" not in ruling(*fight(tmp_path, "w1 sword1"))


# --- direction ----------------------------------------------------------------------------------------------

FORTH = "w1 sword1 monster1 coin1 e1"
BACK = "e1 coin1 monster1 sword1 w1"


@pytest.mark.parametrize(("path", "turned"), [(FORTH, False), (BACK, True)])
def test_the_one_legal_direction_is_ruled_on(tmp_path: Path, path: str, turned: bool) -> None:
    answer = ruling(*fight(tmp_path, path), "--direction", "unknown", "--notation")
    assert (answer["direction"]["by"], answer["direction"]["turned"]) == ("only_legal", turned)
    assert (answer["escaped"], answer["last_place"]) == (True, "0.e1")
    assert answer["notation"] == f"A^@0,0 | 0:{FORTH}"
    assert "other_direction" not in answer


def test_a_path_is_ruled_on_as_written_unless_its_direction_is_unknown(tmp_path: Path) -> None:
    answer = ruling(*fight(tmp_path, BACK))
    assert (answer["direction"], answer["legal"], answer["ended"]) == (None, False, "violation")


def test_both_directions_alike_settle_it(deck: Path, tmp_path: Path) -> None:
    given = record(tmp_path / "a.json"), "--catalogue", deck, "--direction", "unknown"
    assert ruling(*given)["direction"]["by"] == "same_score"
    assert "scores the same in every direction" in run_here("referee", *given).stdout
    assert "どの向きでも同じ得点" in run_here("referee", *given, "--lang", "ja").stdout


def test_otherwise_people_are_asked_and_told_what_each_direction_gives(tmp_path: Path) -> None:
    given = *fight(tmp_path, "w1 key1 monster1 monster2 rope1 e1", EITHER), "--direction", "unknown"
    answer = ruling(*given)
    assert answer["direction"]["by"] == "asked"
    assert (answer["discovered"]["key"], answer["other_direction"]["discovered"]["rope"]) == (1, 1)
    shown = run_here("referee", *given).stdout
    assert "please say which end it starts from" in shown
    assert "starting at 0.w1: key 1, not escaped" in shown
    assert "starting at 0.e1: rope 1, not escaped" in shown


# --- house rules --------------------------------------------------------------------------------------------


def test_a_house_rule_is_applied_and_told(deck: Path, tmp_path: Path) -> None:
    cards = [{"card": "C1", "x": 63 * k, "y": 0} for k in range(6)]
    file = record(tmp_path / "a.json", cards=cards)
    assert [fault["rule"] for fault in ruling(file, "--catalogue", deck)["placement"]] == ["too-many-cards"]
    given = file, "--catalogue", deck, "--house", "card_limit=6"
    assert ruling(*given)["placement"] == []
    assert ruling(*given)["settings"] == {"card_limit": 6}
    assert "House rules: card_limit=6" in run_here("referee", *given).stdout


def test_the_online_edition_and_a_house_rule_on_top(deck: Path, tmp_path: Path) -> None:
    given = record(tmp_path / "a.json"), "--catalogue", deck, "--online"
    assert ruling(*given)["settings"]["first_player"] == "random"
    assert "first_player" not in ruling(*given, "--house", "first_player=youngest")["settings"]


@pytest.mark.parametrize(
    ("house", "named"),
    [
        ("card_limit", "NAME=VALUE"),
        ("card_limit=0", "1 から 999 までの整数"),
        ("card_limit=1000", "999"),
        ("tempo=1", "room_lava_needs_rope"),
    ],
)
def test_a_house_rule_that_does_not_exist_is_wrong_usage(house: str, named: str) -> None:
    result = run_here("referee", "x.json", "--house", house, "--lang", "ja")
    assert result.exit_code == 2
    assert named in result.stderr and result.stderr.count("\n") == 1


def test_every_house_rule_is_documented_with_its_default() -> None:
    told = (ROOT / "scorer/mapmasters/README.md").read_text(encoding="utf-8")
    for name, default in asdict(HOUSE).items():
        shown = str(default).lower() if isinstance(default, bool) else default
        assert f"| `{name}` | {shown} |" in told
