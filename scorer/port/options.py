"""Options of the command line that are a game's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.text import Text


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option that states a term of the game for one player's tableau: `flag` (`--fairy`) for the term of
    id `term`.

    `choices` are the accepted words (none: any), and `multiple` says that it may be given several times.
    `read` makes the term's value from the words given. It raises `WaymarkError` for an impossible value, and
    `ValueError` with a word that is not of the `form`."""

    flag: str
    term: str
    metavar: str
    help: Text
    read: Callable[[Sequence[str]], Any]
    form: str = ""
    choices: tuple[str, ...] = ()
    multiple: bool = False
