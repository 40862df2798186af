"""The database refuses what no page could show: STRICT tables, CHECK constraints, references."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from column_values import COLUMNS, accepts, put_a_row_in_each, refused, sound
from ready_made import open_made, take_back
from sqlalchemy import Column, Connection, create_engine

from webapp.store.database import open_database
from webapp.store.models import Base, Game, Person, Tableau

NOT_OURS = "alembic_version"


def schema(file: Path) -> dict[str, list[str]]:
    """The lines of each table's and index's SQL, in any order: columns of migrations stand at the end."""
    with closing(sqlite3.connect(file)) as opened:
        rows = opened.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {
        name: sorted(line.strip(" \t,") for line in sql.replace(f'"{name}" (', f"{name} (").splitlines())
        for name, sql in rows
        if name != NOT_OURS
    }


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A connection to a SQLite file with a row in every table."""
    database = open_made(f"sqlite:///{tmp_path_factory.mktemp('constraints') / 'waymark.sqlite3'}")
    with database.engine.connect() as connection:
        put_a_row_in_each(connection)
        yield connection
    database.engine.dispose()


def test_migrations_make_the_constraints_of_the_models(tmp_path: Path) -> None:
    open_made(f"sqlite:///{tmp_path / 'migrated.sqlite3'}").engine.dispose()
    engine = create_engine(f"sqlite:///{tmp_path / 'models.sqlite3'}")
    Base.metadata.create_all(engine)
    engine.dispose()
    made = schema(tmp_path / "models.sqlite3")
    assert schema(tmp_path / "migrated.sqlite3") == made
    tables = [lines for name, lines in made.items() if name in Base.metadata.tables]
    assert all("STRICT" in lines[-1] or "STRICT" in lines for lines in tables)


@pytest.mark.parametrize("column", COLUMNS, ids=str)
def test_a_column_refuses_what_no_page_could_show(rows: Connection, column: Column[Any]) -> None:
    assert accepts(rows, column, sound(column))
    assert [value for value in refused(column, "sqlite") if accepts(rows, column, value)] == []


# --- folders from before ------------------------------------------------------------------------------------


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A database of version 0012 with two games and their players."""
    file = tmp_path / "waymark.sqlite3"
    database = open_made(f"sqlite:///{file}")
    with database.transaction() as session:
        session.add_all([Game(id="kept", title="卓"), Game(id="lost"), Person(id="ann", name="Ann")])
        session.add(Tableau(id="table", record={"cards": []}))
    take_back(database, "0012")
    return file


def write(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as opened:
        for statement in statements:
            opened.execute(statement)
        opened.commit()


def set_aside(file: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for kept in file.parent.glob("quarantine/*/rows.jsonl")
        for line in kept.read_text(encoding="utf-8").splitlines()
    ]


def test_an_update_keeps_a_copy_of_the_database_from_before(
    before: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        open_database(f"sqlite:///{before}").engine.dispose()
    (copy,) = before.parent.glob("waymark-0012-*.sqlite3")
    assert [record.message for record in caplog.records if str(copy) in record.message]
    with closing(sqlite3.connect(copy)) as opened:
        assert opened.execute("SELECT version_num FROM alembic_version").fetchall() == [("0012",)]
        assert opened.execute("SELECT title FROM game WHERE id = 'kept'").fetchall() == [("卓",)]
    assert copy.stat().st_mode & 0o077 == 0, "sessions' games are in it"
    assert not set_aside(before), "everything was readable"
    open_database(f"sqlite:///{before}").engine.dispose()
    assert len(list(before.parent.glob("waymark-0012-*.sqlite3"))) == 1, "it is up to date"


def test_values_that_could_be_read_are_taken_over(before: Path) -> None:
    write(
        before,
        "UPDATE game SET created_at = '2026-01-01 10:00:00', finished_at = '2026-01-02T10:00:00+09:00'",
        "UPDATE tableau SET ruling = 'null'",
    )
    database = open_database(f"sqlite:///{before}")
    with database.snapshot() as session:
        game = session.get_one(Game, "kept")
        assert game.created_at.isoformat() == "2026-01-01T10:00:00+00:00"
        assert game.finished_at is not None
        assert game.finished_at.isoformat() == "2026-01-02T01:00:00+00:00"
        assert session.get_one(Tableau, "table").ruling is None
    database.engine.dispose()
    assert not set_aside(before)


def test_values_that_could_not_be_read_are_set_aside_with_a_sentence(
    before: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seat = "INSERT INTO seat (id, created_at, game_id, person_id, position, name, colour) VALUES"
    write(
        before,
        "UPDATE game SET settings = '[4]', notes = x'ff00', version = 'no number' WHERE id = 'kept'",
        "UPDATE person SET name = x'ff', deleted_at = 'no day'",
        "UPDATE tableau SET record = '7', cards = 'd29'",
        f"{seat} ('first', '2026-01-01 00:00:00.000000', 'lost', 'ann', 'first', 'Ann', 'red')",
        f"{seat} ('second', '2026-01-01 00:00:00.000000', 'lost', 'ann', 2, 'Ann', 'blue')",
        f"{seat} ('third', '2026-01-01 00:00:00.000000', 'nowhere', 'ann', 3, 'Ann', 'blue')",
    )
    with caplog.at_level(logging.WARNING):
        database = open_database(f"sqlite:///{before}")
    with database.snapshot() as session:
        assert [(game.id, game.settings, game.notes, game.version) for game in session.query(Game)] == [
            ("kept", {}, "", 1)
        ]
        (person,) = session.query(Person)
        assert person.name == "?" and person.deleted_at is not None, "it stays in the bin"
        tableau = session.get_one(Tableau, "table")
        assert tableau.record is None and tableau.cards == "", "its photos are read again"
    database.engine.dispose()
    kept = {(each["table"], each["row"]["id"]): each["row"] for each in set_aside(before)}
    assert kept.keys() == {
        ("game", "kept"),
        ("game", "lost"),
        ("person", "ann"),
        ("tableau", "table"),
        ("seat", "first"),
        ("seat", "second"),
        ("seat", "third"),
    }
    assert kept["game", "kept"]["notes"] == {"hex": "ff00"}
    assert kept["game", "kept"]["settings"] == "[4]" and kept["seat", "first"]["position"] == "first"
    (told,) = [record.message for record in caplog.records if "unreadable" in record.message]
    assert told.startswith("7 rows") and str(before.parent / "quarantine") in told
    (readme,) = before.parent.glob("quarantine/*/README.txt")
    assert told in readme.read_text() and "行" in readme.read_text()


def test_a_downgrade_makes_the_tables_that_the_version_before_had(before: Path) -> None:
    old = schema(before)
    assert not any("STRICT" in line or "CHECK" in line for lines in old.values() for line in lines)
    write(before, "UPDATE tableau SET ruling = 'null'")
    take_back(open_database(f"sqlite:///{before}"), "0012")
    assert schema(before) == old
    with closing(sqlite3.connect(before)) as opened:
        assert opened.execute("SELECT record, ruling FROM tableau").fetchall() == [('{"cards": []}', None)]
