"""The walk through the fifth game in docs/adding-a-game.md is true: what it quotes stands in the code."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
WALK = (ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8")
PACKAGES = ROOT / "tests/support/fifth_game"
#: The game with its catalogue, translations and tests.
FILES = [
    *(file for ending in ("py", "po", "txt", "METADATA") for file in PACKAGES.rglob(f"*{ending}")),
    ROOT / "tests/support/quayside_table.py",
    *(ROOT / "tests/games/quayside").glob("*.py"),
    ROOT / "tests/web/test_quayside_page.py",
]


def test_every_quoted_piece_of_code_is_there() -> None:
    code = [file.read_text(encoding="utf-8") for file in FILES]
    quoted = re.findall(r"```(?:python|ini|text)\n(.*?)```", WALK, re.S)
    assert len(quoted) >= 15
    for block in quoted:
        assert any(block in each for each in code), block


def test_every_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:tests|scorer|quayside|docs)/[\w./-]+)`", WALK))
    assert len(named) >= 15
    for name in named:
        assert (ROOT / name).exists() or (PACKAGES / name).exists(), name


def test_a_game_with_its_catalogue_and_tests_has_under_1500_lines() -> None:
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in FILES)
    assert len(FILES) >= 17 and lines < 1_500
