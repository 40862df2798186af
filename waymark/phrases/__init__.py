"""Sentences of the command line and the pictures, in English and Japanese: a table for each subject."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sized

from scorer.text import Language
from waymark.phrases import (
    benches,
    calibration,
    commands,
    decks,
    options,
    rulings,
    scans,
    service,
    usage,
)

#: Key: (English, Japanese), formatted with `str.format`.
_SENTENCES: dict[str, tuple[str, str]] = {
    **rulings.SENTENCES,
    **scans.SENTENCES,
    **decks.SENTENCES,
    **calibration.SENTENCES,
    **usage.SENTENCES,
    **commands.SENTENCES,
    **options.SENTENCES,
    **service.SENTENCES,
    **benches.SENTENCES,
}


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key` in `language`, with `values` filled in."""
    english, japanese = _SENTENCES[key]
    return (japanese if language == "ja" else english).format(**values)


_PLURALS = {
    "card": "cards",
    "page": "pages",
    "fault": "faults",
    "photo": "photos",
    "question": "questions",
    "thing": "things",
}


def counted(language: Language, noun: str, count: int) -> str:
    """ "1 card", "2 cards"; in Japanese the number alone, since its sentence has the counter."""
    if language == "ja":
        return str(count)
    return f"{count} {noun if count == 1 else _PLURALS[noun]}"


def reading_key(sure: bool, questions: Sized) -> str:
    """The message on how far a reading can be trusted."""
    if not sure:
        return "scan.unsure"
    return "scan.sure_anyway" if questions else "scan.sure"


def environment_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language that the environment asks for, by the order of POSIX: LC_ALL, LC_MESSAGES, LANG."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"
