"""The walk through the tiny game in docs/ADDING_A_GAME.md is true: what it quotes stands in the code."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
WALK = (ROOT / "docs/ADDING_A_GAME.md").read_text(encoding="utf-8")


def test_every_quoted_piece_of_code_is_there() -> None:
    folder = ROOT / "tests/support/tiny_game"
    files = [*folder.rglob("*.py"), *folder.rglob("*.txt")]
    code = [file.read_text(encoding="utf-8") for file in (*files, ROOT / "tests/games/test_game_protocol.py")]
    quoted = re.findall(r"```(?:python|ini|text)\n(.*?)```", WALK, re.S)
    assert len(quoted) >= 10
    for block in quoted:
        assert any(block in each for each in code), block


def test_every_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:tests|scorer|trails|docs)/[\w./-]+)`", WALK))
    assert len(named) >= 8
    for name in named:
        assert (ROOT / name).exists() or (ROOT / "tests/support/tiny_game" / name).exists(), name


def test_every_member_that_is_named_is_one_of_a_part() -> None:
    files = [ROOT / "scorer/game.py", *(ROOT / "scorer/port").glob("*.py")]
    told = "\n".join(file.read_text(encoding="utf-8") for file in files)
    third = WALK.partition("## 3.")[2].partition("## 4.")[0]
    for name in re.findall(r"`([a-z_]+)`", third):
        assert re.search(rf"(?:    def {name}\(|^    {name}: )", told, re.M), name
