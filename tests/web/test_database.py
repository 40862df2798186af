"""The database: migrations make what the models say, the journal keeps what is overwritten."""

from __future__ import annotations

import threading
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select, text

from webapp.database import Database, open_database
from webapp.models import Base, Change, Game


def open_empty(folder: Path) -> Database:
    return open_database(f"sqlite:///{folder / 'waymark.sqlite3'}")


def test_migrations_make_the_models_tables(tmp_path: Path) -> None:
    database = open_empty(tmp_path)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_sqlite_writes_ahead_and_checks_references(tmp_path: Path) -> None:
    database = open_empty(tmp_path)
    with database.snapshot() as session:
        assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.execute(text("PRAGMA foreign_keys")).scalar() == 1
        assert session.execute(text("PRAGMA synchronous")).scalar() == 2


def test_opening_a_database_again_changes_nothing(tmp_path: Path) -> None:
    with open_empty(tmp_path).transaction() as session:
        session.add(Game(title="卓"))
    with open_empty(tmp_path).snapshot() as session:
        assert session.scalars(select(Game.title)).all() == ["卓"]


def test_what_is_overwritten_stands_in_the_journal(tmp_path: Path) -> None:
    database = open_empty(tmp_path)
    with database.transaction() as session:
        game = Game(title="before")
        session.add(game)
    with database.transaction() as session:
        session.get_one(Game, game.id).title = "after"
    with database.snapshot() as session:
        change = session.scalars(select(Change)).one()
    assert (change.noun, change.noun_id) == ("game", game.id)
    assert (change.before, change.after) == ({"title": "before"}, {"title": "after"})


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    database = open_empty(tmp_path)
    with database.transaction() as session:
        game = Game()
        session.add(game)

    def count_up() -> None:
        for _ in range(10):
            with database.transaction() as session:
                session.get_one(Game, game.id).version += 1

    threads = [threading.Thread(target=count_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.snapshot() as session:
        assert session.get_one(Game, game.id).version == 81
