"""Sentences of the command line and the pictures, by keys: a table for each subject."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sized

from scorer.text import ENGLISH, LANGUAGES, Language, Text, plurals
from waymark.phrases import benches, calibration, commands, decks, options, rulings, scans, service, usage

#: The sentences by their keys.
_SENTENCES: dict[str, Text] = {
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


def sentence(key: str, **values: object) -> Text:
    """The sentence `key` with `values` filled in."""
    return _SENTENCES[key].filled(**values)


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key` in `language`, with `values` filled in."""
    return sentence(key, **values).message(language)


_COUNTED = {
    "card": plurals("{count} card", "{count} cards"),
    "page": plurals("{count} page", "{count} pages"),
    "fault": plurals("{count} fault", "{count} faults"),
    "photo": plurals("{count} photo", "{count} photos"),
    "question": plurals("{count} question", "{count} questions"),
    "thing": plurals("{count} thing", "{count} things"),
}


def counted(noun: str, count: int) -> Text:
    """ "1 card", "2 cards"; in Japanese the number alone, since its sentence has the counter."""
    return _COUNTED[noun](count)


def reading_key(sure: bool, questions: Sized) -> str:
    """The message on how far a reading can be trusted."""
    if not sure:
        return "scan.unsure"
    return "scan.sure_anyway" if questions else "scan.sure"


def environment_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language that the environment asks for, by the order of POSIX: LC_ALL, LC_MESSAGES, LANG."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            code = value.lower().partition("_")[0]
            return code if code in LANGUAGES else ENGLISH
    return ENGLISH
