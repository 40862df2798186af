"""Dry run of a log import: a game is first merged in a database in memory. A refused log therefore changes
nothing and delays no other request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, StaticPool, create_engine, event, insert, inspect, or_, select
from sqlalchemy.orm import Session

from webapp.log.import_staging import OF_A_UNIT, PARENT, Staging
from webapp.store.models import Base, Entry, Game, Person, Photo, Seat, Shot, Tableau

_AT_A_TIME = 200


class Rehearsal:
    """An in-memory database for the dry run, emptied after each game."""

    def __init__(self) -> None:
        self._engine = create_engine("sqlite://", poolclass=StaticPool, json_deserializer=msgspec.json.decode)
        event.listen(self._engine, "connect", _with_foreign_keys)
        Base.metadata.create_all(self._engine)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def with_unit(self, here: Session, staging: Staging, unit: str) -> Iterator[Session]:
        """A transaction in the dry run's database that contains a unit from the database `here`, and all rows
        that the log refers to."""
        with self._engine.connect() as connection:
            transaction = connection.begin()
            try:
                _copy(here, connection.execute, staging, unit)
                with Session(connection, expire_on_commit=False) as session:
                    yield session
            finally:
                if transaction.is_active:
                    transaction.rollback()


def _with_foreign_keys(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys=ON")


def _copy(here: Session, execute: Any, staging: Staging, unit: str) -> None:
    of_unit: dict[type[Base], ColumnElement[bool]] = {Game: Game.id == unit}
    for table, (column, upper) in PARENT.items():
        below = getattr(table, column).in_(select(upper.id).where(of_unit[upper]))
        of_unit[table] = or_(Tableau.id == unit, below) if table is Tableau else below
    found: dict[type[Base], dict[str, dict[str, Any]]] = {table: {} for table in OF_A_UNIT}
    for table in OF_A_UNIT:
        _find(here, found, table, of_unit[table])
        for rows in staging.rows(table, unit):
            _find_named(here, found, table, {row["id"] for row in rows})
    # A row that belongs to another game here is noticed through its parent.
    above: list[tuple[type[Base], tuple[str, type[Base]]]]
    above = [*reversed(PARENT.items()), (Entry, ("seat_id", Seat)), (Seat, PARENT[Seat])]
    for table, (column, upper) in above:
        _find_named(here, found, upper, {row[column] for row in found[table].values()} - {None})
    people = {row["person_id"] for row in found[Seat].values()}
    photos = {row["photo_id"] for row in found[Shot].values()}
    for rows in staging.rows(Seat, unit):
        people |= {row["person_id"] for row in rows}
    for rows in staging.rows(Shot, unit):
        photos |= {row["photo_id"] for row in rows}
    found[Person], found[Photo] = {}, {}
    _find_named(here, found, Person, people)
    _find_named(here, found, Photo, photos)
    new = staging.named(Person, sorted(people - found[Person].keys()))
    found[Person] |= {row["id"]: {"deleted_at": None} | row for row in new}
    tables: tuple[type[Base], ...] = (Person, Photo, *OF_A_UNIT)
    for table in tables:
        rows_here = list(found[table].values())
        for at in range(0, len(rows_here), _AT_A_TIME):
            execute(insert(table), rows_here[at : at + _AT_A_TIME])


def _find(here: Session, found: dict[Any, Any], table: type[Base], which: ColumnElement[bool]) -> None:
    columns = list(inspect(table).columns)
    for row in here.execute(select(*columns).where(which)):
        found[table][row.id] = row._asdict()


def _find_named(here: Session, found: dict[Any, Any], table: type[Base], names: set[str]) -> None:
    wanted = sorted(names - found[table].keys())
    for at in range(0, len(wanted), _AT_A_TIME):
        _find(here, found, table, table.id.in_(wanted[at : at + _AT_A_TIME]))
