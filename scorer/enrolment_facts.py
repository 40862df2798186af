"""Facts printed on a piece that no camera reads for sure: a person states them, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scorer.errors import Code, WaymarkError
from scorer.text import Text

FactSort = Literal["number", "choice", "several", "cells", "marks", "words"]
#: The largest number on a piece.
MOST = 99
#: The sides of a piece, as options.
SIDE_NAMES = (
    ("top", Text("top")),
    ("right", Text("right")),
    ("bottom", Text("bottom")),
    ("left", Text("left")),
)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A fact to be entered about a piece: an integer of at least `least`, one or several of `options`, cells
    of a grid, marks in the cells of a grid, or words. `grid` is (columns, rows). The fact is asked only if
    the facts in `when` have one of the listed values. `usual` is the default."""

    word: str
    name: Text
    sort: FactSort = "number"
    options: tuple[tuple[str, Text], ...] = ()
    least: int = 0
    grid: tuple[int, int] = (0, 0)
    when: tuple[tuple[str, tuple[str, ...]], ...] = ()
    usual: int | str | None = None


def as_told(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Identity conversion, for facts that the catalogue stores as entered."""
    return facts


def due(facts: tuple[Fact, ...], told: Mapping[str, Any]) -> list[Fact]:
    """The facts that have to be asked of a piece, given the answers so far."""
    return [fact for fact in facts if all(told.get(word) in values for word, values in fact.when)]


def untold(facts: tuple[Fact, ...], told: Mapping[str, Any]) -> list[Fact]:
    """The facts that still have to be entered."""
    return [fact for fact in due(facts, told) if fact.word not in told]


def checked_facts(
    facts: tuple[Fact, ...], said: Mapping[str, Any], known: Mapping[str, Any]
) -> dict[str, Any]:
    """The entered facts of a piece after a check, without those that need not be asked given the `known`
    ones. Raises `WaymarkError` (not-valid)."""
    told: dict[str, Any] = {}
    for fact in facts:
        # what it hangs on stands before it
        if fact.word in said and fact in due(facts, {**known, **told}):
            told[fact.word] = _checked(fact, said[fact.word])
    for word in said:
        if all(fact.word != word for fact in facts):
            words = ", ".join(fact.word for fact in facts) or "-"
            raise WaymarkError(
                Code.NOT_VALID,
                Text(
                    "Nothing called {word!r} is asked of this piece; it is asked: {words}.",
                    word=word,
                    words=words,
                ),
            )
    return told


def read_fact(fact: Fact, words: str) -> Any:
    """A fact as it is typed on a command line: `3`, `top`, `top+left`, `0.0+1.1`, `0.0=start+1.2=ruby`."""
    parts = words.split("+")
    if fact.sort == "number":
        return int(words) if words.isascii() and words.isdigit() else words
    if fact.sort == "several":
        return [part for part in parts if part]
    if fact.sort == "cells":
        return [_cell(part) for part in parts]
    if fact.sort == "marks":
        marked: dict[str, list[str]] = {}
        for part in parts:
            cell, _, mark = part.partition("=")
            marked.setdefault(cell, []).append(mark)
        return marked
    return words


def _cell(words: str) -> Any:
    column, dot, row = words.partition(".")
    return [int(column), int(row)] if dot and column.isdigit() and row.isdigit() else words


def _checked(fact: Fact, value: Any) -> Any:
    known = [word for word, _ in fact.options]
    good = False
    if fact.sort == "number":
        good = isinstance(value, int) and not isinstance(value, bool) and fact.least <= value <= MOST
    elif fact.sort == "choice":
        good = value in known
    elif fact.sort == "several":
        good = isinstance(value, list) and bool(value) and all(each in known for each in value)
    elif fact.sort == "cells":
        good = isinstance(value, list) and bool(value) and all(_within(fact, each) for each in value)
    elif fact.sort == "marks":
        good = isinstance(value, dict) and all(
            _within(fact, _cell(str(cell)))
            and isinstance(marks, list)
            and bool(marks)
            and all(mark in known for mark in marks)
            for cell, marks in value.items()
        )
    else:
        good = isinstance(value, str) and bool(value.strip()) and len(value) <= 200 and value.isprintable()
    if not good:
        raise WaymarkError(
            Code.NOT_VALID,
            Text(
                "“{fact}” cannot be {value!r}; check the piece and enter it again.",
                fact=fact.name,
                value=value,
            ),
        )
    return value


def _within(fact: Fact, cell: Any) -> bool:
    return (
        isinstance(cell, list)
        and len(cell) == 2
        and all(isinstance(each, int) and not isinstance(each, bool) for each in cell)
        and 0 <= cell[0] < fact.grid[0]
        and 0 <= cell[1] < fact.grid[1]
    )
