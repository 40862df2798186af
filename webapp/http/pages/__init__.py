"""Pages: one blueprint per noun, rendered on the server."""

from __future__ import annotations

import re

import msgspec
from flask import Flask, g, request, url_for
from jinja2.ext import Extension
from markupsafe import Markup, escape

from scorer.games import game_named
from scorer.text import LANGUAGES, Language
from webapp.http.pages.messages import messages_address
from webapp.http.pages.rules import words
from webapp.http.services import services

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "theme"


class Unindented(Extension):
    """Templates without the indentation of their lines, which no browser shows."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"^[ \t]+", "", source, flags=re.MULTILINE)


def init_templates(app: Flask) -> None:
    """Register the globals and filters of all templates."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.add_extension(Unindented)
    app.jinja_env.globals.update(
        LANGUAGES=LANGUAGES,
        THEMES=THEMES,
        theme=wanted_theme,
        icon=icon,
        find_name=find_name,
        words=words,
        messages_address=messages_address,
        game_title=game_title,
    )


def wanted_theme() -> str:
    """Theme of a request: light, dark, or the device's preference."""
    theme = request.cookies.get(THEME_COOKIE, "auto")
    return theme if theme in THEMES else "auto"


def icon(name: str, label: str = "") -> Markup:
    """An SVG icon of `static/icons.svg`. Screen readers speak its `label`, or skip an icon without one."""
    spoken = Markup('role="img" aria-label="{}"').format(label) if label else Markup('aria-hidden="true"')
    # A page has about a hundred icons, all from one file.
    if "icons" not in g:
        g.icons = escape(url_for("static", filename="icons.svg"))
    return Markup('<svg class="icon" {}><use href="{}#{}"/></svg>').format(spoken, g.icons, name)


def script_json(value: object) -> Markup:
    """A value as JSON for a script element, escaped so that it cannot end the element (as with `tojson`)."""
    data = msgspec.json.encode(value).decode()
    return Markup(data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def game_title(word: str) -> str:
    """Name of a game by its id."""
    return words(game_named(word).name)


def find_name(language: Language, thing: str) -> str:
    """Name of a thing of the game, in the reader's language."""
    return services().rules.words.vocabulary.name(thing).message(language)
