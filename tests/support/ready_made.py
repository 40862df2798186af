"""What an app of a test is spared, since it is the same for every app: the cards are parsed, addresses, pages
and queries are compiled, and an empty database is migrated, once a process."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from alembic import command
from alembic.config import Config
from flask import Flask
from patience import PATIENCE_SECONDS
from shared_readings import open_deck
from sqlalchemy import create_engine
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

import webapp.app
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from webapp.config import ServerConfig
from webapp.store import database, render_cache
from webapp.store.database import MIGRATIONS, Database, _migrate, making_anew, open_database

#: Files of empty databases that nobody has opened yet.
_NEWEST: set[str] = set()


def make_ready() -> None:
    """Have every `create_app` of this process take what is made."""
    webapp.app.load_catalogue = _load_once  # type: ignore[attr-defined]
    webapp.app.open_database = open_made  # type: ignore[attr-defined]
    database._migrate = _migrate_unless_made
    database.create_engine = _engine_that_knows_queries  # type: ignore[attr-defined]
    # However busy the machine is.
    render_cache.WAIT_SECONDS = PATIENCE_SECONDS
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _Pages()}
    Rule.compile = _compile_once  # type: ignore[method-assign,assignment]


_compile = Rule.compile
#: What a rule of addresses comes to when it is compiled, by what it is compiled from.
_COMPILED: dict[Any, tuple[Any, ...]] = {}


def _compile_once(rule: Rule) -> None:
    """`Rule.compile`: an app has 160 addresses, and parsing them takes as long as all the rest of it."""
    assert rule.map is not None
    whole = rule.map.host_matching, rule.host, rule.subdomain, rule.merge_slashes, rule.rule
    key = *whole, repr(rule.defaults), tuple(rule.map.converters.items())
    if key not in _COMPILED:
        _compile(rule)
        built = rule._build.__func__, rule._build_unknown.__func__  # type: ignore[attr-defined]
        _COMPILED[key] = rule._parts, rule._trace, rule._converters, frozenset(rule.arguments), *built
    rule._parts, rule._trace, rule._converters, arguments, build, build_unknown = _COMPILED[key]
    rule.arguments |= arguments
    rule._build = build.__get__(rule, None)
    rule._build_unknown = build_unknown.__get__(rule, None)


def _load_once(folder: Path) -> Catalogue:
    return open_deck() if folder == bundled_catalogue() else load_catalogue(folder)


def open_made(url: str) -> Database:
    """`open_database`, which finds a new SQLite file made: migrations take longer than most tests do."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database and not Path(parsed.database).exists():
        # What is wrong there is for `open_database` to tell.
        with suppress(OSError):
            Path(parsed.database).write_bytes(_empty_database())
            _NEWEST.add(parsed.database)
    return open_database(url)


def take_back(database: Database, revision: str) -> None:
    """Have a database as an older version, of that revision of the schema, kept it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with making_anew(database.engine) as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
    database.engine.dispose()


def _migrate_unless_made(engine: Engine) -> None:
    """`database._migrate`, which looks through all migrations for nothing where the file was just made."""
    if engine.url.database in _NEWEST:
        _NEWEST.remove(engine.url.database)
    else:
        _migrate(engine)


#: Queries that were compiled for SQLite, of whichever database: compiling takes longer than asking.
_QUERIES: LRUCache[Any, Any] = LRUCache(1000)


def _engine_that_knows_queries(*arguments: Any, **options: Any) -> Engine:
    """`create_engine`, whose SQLite takes what was compiled for another file: the dialect is the same."""
    engine = create_engine(*arguments, **options)
    if isinstance(engine.dialect, SQLiteDialect):
        dialect: Any = type(engine.dialect)
        dialect.__hash__ = lambda self: hash(type(self))
        dialect.__eq__ = lambda self, other: type(self) is type(other)
        engine._compiled_cache = _QUERIES
    return engine


@cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        url = ServerConfig(data=Path(folder)).url
        open_database(url).engine.dispose()
        return Path(make_url(url).database or "").read_bytes()


@dataclass
class _Page:
    """What a template was compiled to."""

    code: CodeType | None = None


class _Pages:
    """A cache for Jinja, in memory: compiling a page takes a tenth of a second, showing it a hundredth."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str], _Page] = {}

    def get_bucket(self, _environment: object, name: str, _filename: str, source: str) -> _Page:
        return self._pages.setdefault((name, source), _Page())

    def set_bucket(self, page: _Page) -> None:
        """It is kept already."""
