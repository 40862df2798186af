"""Pages: one blueprint per noun, rendered on the server."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec
from flask import Flask, current_app, g, request, url_for
from markupsafe import Markup, escape

from scorer.games import game_named
from scorer.text import LANGUAGES, Language
from webapp.http.pages.messages import messages_address
from webapp.http.pages.rules import words
from webapp.http.services import services

THEMES = ("auto", "light", "dark")
THEME_COOKIE = "theme"


def init_templates(app: Flask) -> None:
    """Register the globals and filters of all templates."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        LANGUAGES=LANGUAGES,
        THEMES=THEMES,
        theme=wanted_theme,
        icon=icon,
        find_name=find_name,
        words=words,
        messages_address=messages_address,
        game_title=game_title,
        preload_modules=preload_modules,
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


def preload_modules(*names: str) -> Markup:
    """Links that have a browser fetch scripts of `static/`, and those of every page, at once with all that
    they import, in place of one depth of imports after the other."""
    root = Path(current_app.static_folder or "").resolve()
    link = Markup('<link rel="modulepreload" href="{}">')
    return Markup("").join(
        link.format(url_for("static", filename=each.relative_to(root).as_posix()))
        for each in modules_of(*(root / name for name in ("capture/capture.js", *names)))
    )


#: An import of a script, or an export from another one: the path relative to it.
_IMPORT = re.compile(r'^(?:import|export)\s(?:[^;"]*\sfrom\s)?"(\.[^"]+)";', re.MULTILINE)


@cache
def modules_of(*scripts: Path) -> tuple[Path, ...]:
    """Scripts (absolute paths) and all modules that they import, directly or not, breadth first; imports at
    run time are not followed."""
    found = [*scripts]
    for each in found:
        imported = [(each.parent / path).resolve() for path in _IMPORT.findall(each.read_text())]
        found += [path for path in dict.fromkeys(imported) if path not in found]
    return tuple(found)


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
