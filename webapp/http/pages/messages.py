"""Translated sentences for the pages' scripts: one JavaScript file per language, generated from the `.po`
files.

Scripts refer to their sentences in English (`static/messages.js`), so that a page in English needs no such
file."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response

from scorer.text import ENGLISH, LANGUAGES
from webapp.http.languages import load_translations

pages = Blueprint("messages", __name__)

#: English sentences of the scripts, written by `python -m tools.script_messages`.
TEMPLATE = Path(__file__).parents[2] / "translations/scripts.pot"
_YEAR_SECONDS = 365 * 24 * 3600
#: These numbers include every plural form of a language.
_NUMBERS = range(1000)


@pages.get(f"/messages/<any({', '.join(LANGUAGES)}):language>.js")
def show(language: str) -> Response:
    """JavaScript file with one language's sentences. With the current hash in its address it is cached for
    good; without it browsers revalidate it."""
    today = request.args.get("v") == _version(language)
    kept = f"public, max-age={_YEAR_SECONDS}, immutable" if today else "no-cache"
    return Response(messages_script(language), mimetype="text/javascript", headers={"Cache-Control": kept})


def messages_address(language: str) -> str | None:
    """URL of a language's sentences, with their hash; None for English, which scripts contain."""
    if language == ENGLISH:
        return None
    return url_for("messages.show", language=language, v=_version(language))


@cache
def messages_script(language: str) -> str:
    """JavaScript for `static/messages.js`. `sentences` maps each English sentence to its translation, or to a
    list of plural forms; `plural` gives the index of the form for a number."""
    translations = load_translations(language)
    rule = get_plural(language)
    examples = {translations.plural(number): number for number in reversed(_NUMBERS)}
    sentences: dict[str, str | list[str]] = {}
    with TEMPLATE.open("rb") as template:
        for message in read_po(template):
            if isinstance(message.id, str):
                if message.id:
                    sentences[message.id] = translations.gettext(message.id)
            else:
                one, many = message.id
                forms = range(rule.num_plurals)
                sentences[one] = [translations.ngettext(one, many, examples[form]) for form in forms]
    data = json.dumps(sentences, ensure_ascii=False, separators=(",", ":"))
    plural = f"(n) => Number({rule.plural_expr})"
    return f"globalThis.waymarkMessages = {{ plural: {plural}, sentences: {data} }};\n"


@cache
def _version(language: str) -> str:
    return sha256(messages_script(language).encode()).hexdigest()[:16]
