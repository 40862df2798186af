"""The rules by example: every case of tests/golden is ruled on as it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_cases import GOLDEN, GoldenCase, MalformedCase, check, differences, golden_cases, read_cases

CARD = "card P: w1 monster1 e1\n"
CASE = "case M2: a monster\n    P^@0,0 | 0:w1 monster1 e1\n"


@pytest.mark.parametrize("case", golden_cases(), ids=str)
def test_the_ruling_is_as_the_file_says(case: GoldenCase) -> None:
    check(case)


def test_every_file_begins_with_what_it_is_about() -> None:
    assert all(file.read_text("utf-8").startswith("# ") for file in GOLDEN.glob("*.txt"))


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.txt"
    file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize(
    ("says", "wrong"),
    [
        ("ends: violation at 0:w1\n    breaks: monster at 0:monster1", []),
        ("ends: exit at 0:e1", ["ends: expected exit at 0:e1, but it is violation at 0:w1"]),
        ("refused: unknown-card", ["expected refused: unknown-card, but it is ruled on: violation at 0:w1"]),
        (
            "ends: violation at 0:w1\n    breaks: monster at 0:e1\n    found: coin 1\n    spent: SB-1",
            [
                "breaks: expected monster at 0:e1, but it is monster at 0:monster1",
                "found: expected coin 1, but it is nothing",
                "spent: expected SB-1, but it is nothing",
            ],
        ),
    ],
)
def test_what_is_otherwise_is_told(tmp_path: Path, says: str, wrong: list[str]) -> None:
    (case,) = read_cases(written(tmp_path, f"{CARD}{CASE}    {says}\n"))
    assert [line for line in differences(case) if not line.startswith("breaks: expected nothing")] == wrong


def test_a_failure_names_file_line_and_title(tmp_path: Path) -> None:
    file = written(tmp_path, f"{CARD}\n{CASE}    ends: exit at 0:e1\n")
    (case,) = read_cases(file)
    with pytest.raises(AssertionError, match=r"mine\.txt:3: a monster\n  ends: expected exit"):
        check(case)


def test_where_an_item_came_from_may_be_left_open(tmp_path: Path) -> None:
    card = "card P: w1 sword1 sword2 monster1 e1\n"
    case = "case: a sword\n    P^@0,0 | 0:w1 sword1 sword2 monster1\n    ends: dead end at 0:monster1\n"
    found = "    found: sword 2, monster 1\n"
    for spent, fine in (("sword", True), ("sword from 0:sword1", True), ("sword from 0:sword2", False)):
        (read,) = read_cases(written(tmp_path, f"{card}{case}{found}    spent: {spent}\n"))
        assert (differences(read) == []) is fine


def test_cards_of_the_open_deck_need_no_drawing(tmp_path: Path) -> None:
    start = "case: a start that is none\n    D37^@0,0 | 0:j1\n"
    text = f"{start}    ends: violation\n    breaks: bad-start at 0:j1\n"
    (case,) = read_cases(written(tmp_path, text))
    assert differences(case) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there is no case in this file"),
        ("ends: exit\n", "1: a line begins with `card NAME:` or `case RULES: TITLE`"),
        ("    ends: exit\n", "1: an indented line belongs to a card or case above it"),
        ("card my card: w1\n", "1: a card is called by letters and figures"),
        ("card P: w1 mnoster1 e1\n", "1: 'mnoster1' is no place that can be drawn"),
        ("card P: w1 Adw, room A: coins\n", "1: 'coins' is nothing that lies in a room"),
        (CARD + CARD, "2: a card 'P' is drawn above"),
        ("case:\n    P^@0,0\n", "1: a case needs a title"),
        (CASE + "    ends: exit\n", "1: card 'P' is not drawn above it"),
        (CARD + CASE, "2: a case says how the path `ends:`"),
        (CARD + CASE + "    ends: violation at 0:w1\n", "2: a violation says which rule the path `breaks:`"),
        (CARD + CASE + "    ends: exit\n    breaks: monster at 0:w1\n", "2: a violation says which rule"),
        (CARD + CASE + "    ends: exit\n    ends: exit\n", "5: 'ends' is told twice"),
        (CARD + CASE + "    ends: exit\n    fuond: coin 1\n", "5: 'fuond' is none of: house, refused, ends"),
        (CARD + CASE + "    ends: exit\n    0:e1\n", "5: the tableau comes before what is expected of it"),
        (CARD + "case: a\n    P at 0,0\n    ends: exit\n", "2: This is not the notation of a tableau"),
        (CARD + CASE + "    ends: exit\n    house: five cards\n", "2: house rules are written like"),
        (CARD + CASE + "    ends: exit\n    house: cards=5\n", "2: "),
        ("card P: w1 Adw\n" + CASE + "    ends: exit\n", "card P, Adw: a door to the unknown room 'A'"),
        (
            CARD + (CASE + "    ends: violation at 0:w1\n    breaks: monster at 0:monster1\n") * 2,
            "6: another case is called 'a monster'",
        ),
    ],
)
def test_what_cannot_be_understood_is_told_in_a_sentence(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(MalformedCase) as caught:
        read_cases(written(tmp_path, text))
    assert "mine.txt" in str(caught.value) and told in str(caught.value)
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)
