"""Photos of a table in, scores out: `read`, `score` and `referee`, for any program; `draw` shows the result.

>>> import waymark
>>> result = waymark.score("photo.jpg", primary="key", secondary="barrel")  # doctest: +SKIP
>>> result.sure, result.row, result.explain("en")  # doctest: +SKIP

Nothing here is global: several threads may call at once, each photo is read for itself, and what is loaded of
a catalogue is kept with that catalogue. Importing this loads no picture library; the first call does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from scorer.catalogue import Catalogue
    from waymark.program import PhotoLike, Question, Reading, RecordLike, Ruling, Score

__all__ = ["Question", "Reading", "Ruling", "Score", "draw", "load_catalogue", "read", "referee", "score"]

_TYPES = ("Question", "Reading", "Ruling", "Score")


def read(photo: PhotoLike, catalogue: Catalogue | str | Path | None = None, **terms: Any) -> Reading:
    """What a photo shows: the cards, the path drawn on them, and what is in doubt.

    `photo` is a file (a path), its bytes, or its pixels (height, width, 3) uint8 in red, green, blue.
    `catalogue` is a folder of cards, or what `load_catalogue` made of it (faster for many photos); None is
    the open deck. `terms` are what a photo does not show and the game's rules ask for, as in `score`: they
    decide which doubts matter. Raises `scorer.errors.WaymarkError`, one sentence of what to do."""
    from waymark import program

    return program.read(photo, catalogue, terms)


def score(photo: PhotoLike, catalogue: Catalogue | str | Path | None = None, **terms: Any) -> Score:
    """A photo read and refereed: `Score.reading` and `Score.ruling`.

    `terms` are the game's (`scorer.games.game_of(catalogue).rules.settings.terms` lists them): in Map
    Masters `primary` and `secondary` objective, `fairy_tokens={"sword": 1}`, `spellbooks=["SB-4"]`, and the
    rules of the house as `house={"card_limit": 6}`. Other arguments and errors as in `read`."""
    from waymark import program

    return program.score(photo, catalogue, terms)


def referee(record: RecordLike, catalogue: Catalogue | str | Path | None = None, **terms: Any) -> Ruling:
    """The ruling on a record: what lay on the table and the path, as JSON (text or bytes), as plain data, as
    a record of the game, or as a `Reading`. What `terms` name stands in place of what the record tells
    itself. Raises `scorer.errors.WaymarkError`."""
    from waymark import program

    return program.referee(record, catalogue, terms)


def draw(result: Reading | Score, file: str | Path, language: str = "en") -> None:
    """Draw a result on its photo and write it to `file` as a PNG. Raises `scorer.errors.WaymarkError`
    (not-writable)."""
    from waymark import program

    program.draw(result, file, language)


def load_catalogue(folder: str | Path | None = None) -> Catalogue:
    """The cards in use, to be passed on to many calls: a folder, or the open deck (None)."""
    from waymark import program

    return program.catalogue_of(folder)


def __getattr__(name: str) -> Any:
    # The types are imported with the first call, or when somebody asks for them.
    if name in _TYPES:
        from waymark import program

        return getattr(program, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
