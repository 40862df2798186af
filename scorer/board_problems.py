"""Problems of a position itself, in the form of every board game (docs/FORMATS.md, section 7)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from scorer.board_record import Cell, bad_record
from scorer.catalogue import Catalogue
from scorer.text import Text


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a position: its code, its sentence, and the cells concerned."""

    rule: str
    words: Text
    cells: tuple[Cell, ...] = ()


class ToldProblem(msgspec.Struct, frozen=True, kw_only=True):
    rule: str
    message: str
    message_ja: str
    cells: list[Cell]


class RulingOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of every ruling on a board; each game adds its own."""

    format: str = "waymark-board-ruling/1"
    game: str
    problems: list[ToldProblem]

    @property
    def legal(self) -> bool:
        """Whether the position has no problems."""
        return not self.problems


def told_problems(problems: Sequence[Problem]) -> list[ToldProblem]:
    """Problems converted to the form used in the JSON of rulings."""
    return [
        ToldProblem(rule=each.rule, message=each.words.en, message_ja=each.words.ja, cells=list(each.cells))
        for each in problems
    ]


def filled(table: Mapping[str, Text], code: str, **about: object) -> Text:
    """The sentence of a code, with its placeholders filled."""
    text = table[code]
    return text.filled(**about)


def told_cell(cell: Cell) -> Text:
    """The column and row of a cell in words, counted from 1."""
    column, row = cell
    return Text("column {column}, row {row}", column=column + 1, row=row + 1)


def check_names(catalogue: Catalogue, names: Iterable[str | None], known: Container[str]) -> None:
    """Check the names of pieces. Raises `WaymarkError` for a name missing from the catalogue (unknown-card),
    or not allowed there (bad-record)."""
    for name in names:
        if name is not None and name not in known:
            catalogue.card(name)
            raise bad_record(Text("{name!r} has no place there", name=name))
