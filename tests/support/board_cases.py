"""Golden cases of board games: files of tables and of what is done on them, told in words.

A line that begins a block stands at the margin: `board NAME [like OTHER]` or `case BOARD: title`; what
belongs to it is indented; `--` begins a remark. What the words in a block mean is each game's own."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Case:
    """A table, the turn that was played on it (None: the table itself is asked about), and the expected
    answers."""

    file: str
    line: int
    title: str
    board: dict[str, Any]
    turn: dict[str, Any] | None
    expected: dict[str, str]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.title}"


#: A drawn board from an empty one and the lines below it; the turn told by a case's lines, which change its
#: board and fill in what is expected.
Draw = Callable[[dict[str, Any], Sequence[str]], None]
Tell = Callable[[dict[str, Any], Sequence[str], dict[str, str]], dict[str, Any] | None]


def read_cases(file: Path, empty: Callable[[], dict[str, Any]], draw: Draw, tell: Tell) -> Iterator[Case]:
    """The cases of a golden file."""
    boards: dict[str, dict[str, Any]] = {}
    for number, head, lines in _blocks(file):
        word, _, rest = head.partition(" ")
        if word == "board":
            name, _, base = rest.partition(" like ")
            boards[name] = copy.deepcopy(boards[base]) if base else empty()
            draw(boards[name], lines)
        elif word == "case":
            name, _, title = rest.partition(": ")
            board, expected = copy.deepcopy(boards[name]), dict[str, str]()
            turn = tell(board, lines, expected)
            yield Case(file.name, number, title, board, turn, expected)
        else:
            raise ValueError(f"{file.name}:{number}: {head}")


def _blocks(file: Path) -> Iterator[tuple[int, str, list[str]]]:
    """Each block: the number of its first line, that line, and those below it."""
    block: tuple[int, str, list[str]] | None = None
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        line = text.split("--", 1)[0].rstrip()
        if not line.strip():
            continue
        if line.startswith(" "):
            assert block is not None, f"{file.name}:{number}: this belongs to nothing"
            block[2].append(line.strip())
            continue
        if block is not None:
            yield block
        block = number, line, []
    if block is not None:
        yield block


def is_expected(line: str, expected: dict[str, str]) -> bool:
    """Whether a line tells what is expected (`breaks: nothing`), which is noted then."""
    if ": " not in line and not line.endswith(":"):
        return False
    name, _, told = line.partition(":")
    expected[name] = told.strip()
    return True


def turn_told(game: str, player: str, board: dict[str, Any], claims: Any, after: Any) -> dict[str, Any]:
    """A turn's record; `claims` and `after` are left out where they are None."""
    told = {"format": "waymark-turn/1", "game": game, "player": player, "before": board}
    return told | {name: value for name, value in (("claims", claims), ("after", after)) if value is not None}
