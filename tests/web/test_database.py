"""The database: migrations make what the models say, the journal keeps what is overwritten."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from ready_made import open_made, take_back
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from webapp.games.history import find_games
from webapp.store.database import Database, open_database
from webapp.store.models import Base, Change, Game, NotText, Person, Photo, Revision, Shot, Tableau

Open = Callable[[], Database]


@pytest.fixture
def open_it(tmp_path: Path, database_url: str | None) -> Iterator[Open]:
    """Open a database that is empty at first, as a server does when it starts."""
    opened: list[Database] = []

    def start() -> Database:
        opened.append(open_database(database_url or f"sqlite:///{tmp_path / 'waymark.sqlite3'}"))
        return opened[-1]

    yield start
    for database in opened:
        database.engine.dispose()


@pytest.fixture
def database(tmp_path: Path, database_url: str | None) -> Iterator[Database]:
    """An empty database."""
    database = open_made(database_url or f"sqlite:///{tmp_path / 'waymark.sqlite3'}")
    yield database
    database.engine.dispose()


def in_threads(count: int, work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_migrations_make_the_models_tables(open_it: Open) -> None:
    database = open_it()
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_sqlite_writes_ahead_and_checks_references(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'waymark.sqlite3'}")
    with database.snapshot() as session:
        assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.execute(text("PRAGMA foreign_keys")).scalar() == 1
        assert session.execute(text("PRAGMA synchronous")).scalar() == 2
    database.engine.dispose()


def test_what_an_older_version_kept_is_taken_over(open_it: Open) -> None:
    """A tableau from before house rules could be chosen for one outside a game."""
    database = open_it()
    with database.transaction() as session:
        tableau = Tableau(id="old", title="卓")
        photo = Photo(id="0" * 64, media_type="image/jpeg", width=1, height=1, size_bytes=1)
        session.add_all(
            [Shot(tableau=tableau, photo=photo), Revision(tableau=tableau, number=0, kind="read", record={})]
        )
    take_back(database, "0001")
    with open_it().snapshot() as session:
        tableau = session.get_one(Tableau, "old")
        assert (tableau.title, tableau.terms) == ("卓", {})
        assert len(tableau.shots) == len(tableau.revisions) == 1, "what points at it stays"
    with pytest.raises(IntegrityError), open_it().transaction() as session:
        session.add(Shot(tableau_id="nowhere", photo_id="0" * 64))


def test_opening_a_database_again_changes_nothing(open_it: Open) -> None:
    with open_it().transaction() as session:
        session.add(Game(title="卓"))
    with open_it().snapshot() as session:
        assert session.scalars(select(Game.title)).all() == ["卓"]


def test_servers_that_start_together_migrate_once(open_it: Open) -> None:
    faults: list[Exception] = []

    def start(_number: int) -> None:
        try:
            open_it()
        except Exception as error:
            faults.append(error)

    in_threads(4, start)
    assert not faults
    with open_it().snapshot() as session:
        assert session.execute(text("SELECT count(*) FROM alembic_version")).scalar() == 1


def test_a_server_waits_for_another_that_is_making_the_same_file(tmp_path: Path) -> None:
    file = tmp_path / "waymark.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as another:
        another.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.3, another.rollback)
        timer.start()
        database = open_database(f"sqlite:///{file}")
        timer.join()
    with database.snapshot() as session:
        assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
    database.engine.dispose()


def test_what_is_overwritten_stands_in_the_journal(database: Database) -> None:
    with database.transaction() as session:
        game = Game(title="before")
        session.add(game)
    with database.transaction() as session:
        session.get_one(Game, game.id).title = "after"
    with database.snapshot() as session:
        change = session.scalars(select(Change)).one()
    assert (change.noun, change.noun_id) == ("game", game.id)
    assert (change.before, change.after) == ({"title": "before"}, {"title": "after"})


def test_writers_at_once_lose_nothing(open_it: Open) -> None:
    databases = [open_it(), open_it()]
    with databases[0].transaction() as session:
        game = Game()
        session.add(game)

    def count_up(number: int) -> None:
        for _ in range(20):
            with databases[number % 2].transaction() as session:
                session.get_one(Game, game.id).version += 1

    in_threads(8, count_up)
    with databases[0].snapshot() as session:
        assert session.get_one(Game, game.id).version == 161


def test_a_reader_sees_one_moment_and_waits_for_nobody(database: Database) -> None:
    with database.transaction() as session:
        game = Game(title="before")
        session.add(game)
    with database.snapshot() as reader:
        assert reader.scalars(select(Game.title)).all() == ["before"]
        with database.transaction() as writer:
            writer.get_one(Game, game.id).title = "after"
            writer.add(Game(title="another"))
            writer.flush()
            assert reader.scalars(select(Game.title)).all() == ["before"]
        assert reader.scalars(select(Game.title)).all() == ["before"]


def test_a_text_with_a_nul_is_refused_wherever_it_goes(database: Database) -> None:
    with pytest.raises(NotText), database.transaction() as session:
        session.add(Person(name="A\0"))
    with pytest.raises(NotText), database.snapshot() as session:
        session.get(Person, "\0")
    with database.snapshot() as session:
        assert session.scalars(select(Person)).all() == []


@pytest.mark.parametrize("word", ["café", "CAFÉ", "ｋｅｎ", "Ж", "100%", "a_b", "\\"])
def test_words_are_found_in_any_case_and_as_they_are(database: Database, word: str) -> None:
    with database.transaction() as session:
        session.add(Game(title="Café Ｋｅｎ ж 100% a_b \\"))
        session.add(Game(title="Cafe kan 1000 a-b /"))
    with database.snapshot() as session:
        assert [game.title[:4] for game in find_games(session, words=word).items] == ["Café"]
