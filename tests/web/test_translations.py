"""Every string that a page says in English is said in Japanese, with the same values in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from webapp.http.languages import TRANSLATIONS

WEBAPP = TRANSLATIONS.parent
PO_FILES = sorted((TRANSLATIONS / "ja").glob("*.po"))
_VALUE = re.compile(r"%\((\w+)\)[sd]")


def first_form(message: Message) -> str:
    """A message's Japanese, which has one form for every number."""
    return message.string if isinstance(message.string, str) else (message.string or ("",))[0]


def said() -> Iterator[tuple[str, str]]:
    """(where, string) for every string marked for translation in code and templates."""
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    options = {"**/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}
    for file, line, message, _comments, _context in extract_from_dir(WEBAPP, methods, options):
        for text in (message,) if isinstance(message, str) else message:
            yield f"{file}:{line}", text


def translated() -> dict[str, str]:
    """English to Japanese, of all files."""
    found: dict[str, str] = {}
    for file in PO_FILES:
        with file.open("rb") as source:
            for message in read_po(source, locale="ja"):
                key = message.id if isinstance(message.id, str) else message.id[0]
                value = first_form(message)
                if key:
                    found[key] = value
    return found


def test_every_string_is_translated() -> None:
    japanese = translated()
    strings = dict((text, where) for where, text in said())
    assert len(strings) > 10, "the extraction found nothing"
    plural_seconds = {
        message.id[1]
        for file in PO_FILES
        for message in read_po(file.open("rb"), locale="ja")
        if isinstance(message.id, (list, tuple))
    }
    missing = {
        text: where
        for text, where in strings.items()
        if not japanese.get(text) and text not in plural_seconds
    }
    assert not missing


def test_no_translation_is_left_over() -> None:
    strings = {text for _, text in said()}
    assert not set(translated()) - strings


@pytest.mark.parametrize("file", PO_FILES, ids=lambda file: file.stem)
def test_values_stand_in_both_languages(file: Path) -> None:
    with file.open("rb") as source:
        for message in read_po(source, locale="ja"):
            english = message.id if isinstance(message.id, str) else message.id[-1]
            japanese = first_form(message)
            assert set(_VALUE.findall(english)) == set(_VALUE.findall(japanese)), english
