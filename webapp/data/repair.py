"""Repair of a data folder: damaged rows and files are moved to a folder below `quarantine/`, with one
sentence each. Nothing is deleted.

An invalid optional value is replaced by its default. A row without a required value is moved with all rows
that depend on it. A game that would lack a player's seat or round is moved as a whole. Lost values are left
empty and listed in the notes of their game: nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Table
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_named
from scorer.text import Language, Text
from webapp.data.check import Finding, as_finding, row_faults, thing_faults
from webapp.games.games import touch
from webapp.games.soundness import UnsoundRow, check_game
from webapp.games.view import load_game
from webapp.store.database import Database
from webapp.store.integrity import Fault
from webapp.store.models import Base, Entry, Purchase
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import write_whole

#: Number of passes, as repairing one row may reveal a fault in another.
_PASSES = 4
#: Name of the quarantine folder, below the data folder.
QUARANTINE = "quarantine"


class Quarantine:
    """The quarantine folder of one repair, created when the first row or file is moved there."""

    def __init__(self, data: Path, language: Language) -> None:
        self.folder = data / QUARANTINE / datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
        self.told: list[str] = []
        self.language = language

    def tell(self, what: str) -> None:
        """Append a sentence to the folder's `README.txt`: the moved row or file, and the reason."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.told.append(what)
        with (self.folder / "README.txt").open("a", encoding="utf-8") as file:
            file.write(what + "\n")

    def finding(self, finding: Finding) -> None:
        """Append a finding to the folder's `README.txt`."""
        self.tell(f"{finding.where}: {finding.what.message(self.language)}")

    def keep_row(self, table: str, row: Mapping[str, Any], why: str) -> None:
        """Save a row's original values to `rows.jsonl`; bytes are written as hexadecimal digits."""
        plain = {name: {"hex": each.hex()} if isinstance(each, bytes) else each for name, each in row.items()}
        self.tell(f"{table} {row.get('id')!r}: {why}")
        with (self.folder / "rows.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"table": table, "why": why, "row": plain}, ensure_ascii=False) + "\n")

    def keep_photo(self, originals: PhotoStore, finding: Finding) -> None:
        """Move a photo's file from the originals to the quarantine folder. Raises `StoreUnreachable`."""
        key = finding.where.removeprefix("photos/")
        with originals.local_file(key) as file:
            write_whole(self.folder / finding.where, file.read_bytes())
        originals.remove(key)
        self.finding(finding)


def check_mendable(database: Database) -> None:
    """Raises `WaymarkError` for a database other than the SQLite file of the data folder."""
    if database.engine.dialect.name != "sqlite":
        raise WaymarkError(
            Code.USAGE,
            Text(
                "Rows are mended in the SQLite file of a data folder; a PostgreSQL database refuses values "
                "of another kind, and is restored from its own backup."
            ),
        )


def mend_rows(database: Database, catalogue: Catalogue, quarantine: Quarantine) -> None:
    """Repair invalid rows, first single rows, then whole games and tableaus. Each pass is one transaction."""
    language = quarantine.language
    engine = database.engine.execution_options(writes=True)
    for _ in range(_PASSES):
        with database.snapshot() as session:
            faults = list(row_faults(session))
            broken = list(thing_faults(session, catalogue)) if not faults else []
        if not faults and not broken:
            return
        if faults:
            with engine.begin() as connection:
                connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
                for fault in faults:
                    _mend_row(connection, fault, quarantine, language)
            continue
        with database.transaction() as session:
            left = [
                thing
                for thing in broken
                if thing.kind != "game" or not _fill_up(session, thing.id, catalogue, quarantine)
            ]
        with engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
            for thing in left:
                # A purchase is removed alone: its player's round is complete without it.
                alone = thing.error.noun == Purchase.__tablename__
                table, row_id = (thing.error.noun, thing.error.row_id) if alone else (thing.kind, thing.id)
                why = as_finding(thing).what.message(language)
                _take_out(connection, Base.metadata.tables[table], "id", row_id, quarantine, why)


# --- a row --------------------------------------------------------------------------------------------------


def _mend_row(connection: Connection, fault: Fault, quarantine: Quarantine, language: Language) -> None:
    """Replace an invalid value, or move the row to quarantine with all rows that depend on it."""
    table = Base.metadata.tables[fault.table]
    found = connection.exec_driver_sql(f"SELECT * FROM {table.name} WHERE id = ?", (fault.row_id,))
    first = found.mappings().first()
    if first is None or fault.column is None:
        return  # Removed with another row.
    row = dict(first)
    column, why = table.columns[fault.column], fault.what.message(language)
    replaced, value = _replacement(connection, column, row)
    if not replaced:
        # A game is invalid without one of its seats.
        taken, row_id = ("game", row["game_id"]) if table.name == "seat" else (table.name, fault.row_id)
        _take_out(connection, Base.metadata.tables[taken], "id", row_id, quarantine, why)
        return
    quarantine.keep_row(table.name, row, why)
    connection.exec_driver_sql(
        f'UPDATE {table.name} SET "{column.name}" = ? WHERE id = ?', (value, fault.row_id)
    )
    _note_in_game(connection, table.name, row, why)
    if table.name == "tableau" and column.name in ("record", "ruling", "answered"):
        # Its content can be restored from its photos.
        connection.exec_driver_sql(
            "UPDATE tableau SET record = NULL, ruling = NULL, answered = '[]', sure = 0, shot_id = NULL, "
            "cards = '' WHERE id = ?",
            (fault.row_id,),
        )
        connection.exec_driver_sql(
            "UPDATE shot SET state = 'waiting', attempts = 0 WHERE tableau_id = ? AND reread_of IS NULL "
            "AND state = 'done'",
            (fault.row_id,),
        )
    if table.name == "shot" and column.name == "reading":
        connection.exec_driver_sql(
            "UPDATE shot SET state = 'waiting', attempts = 0 WHERE id = ?", (fault.row_id,)
        )


#: SQL queries for the game id of a row, by table.
_GAME_OF = {
    "game": "SELECT ?",
    "seat": "SELECT game_id FROM seat WHERE id = ?",
    "game_round": "SELECT game_id FROM game_round WHERE id = ?",
    "entry": "SELECT game_id FROM game_round JOIN entry ON round_id = game_round.id WHERE entry.id = ?",
    "tableau": "SELECT game_id FROM game_round JOIN entry ON round_id = game_round.id "
    "JOIN tableau ON entry_id = entry.id WHERE tableau.id = ?",
}


def _note_in_game(connection: Connection, table: str, row: Mapping[str, Any], why: str) -> None:
    """Add the reason to the notes of the row's game, and increase its version so that pages reload."""
    if table in _GAME_OF:
        game_id = connection.exec_driver_sql(_GAME_OF[table], (row["id"],)).scalar()
        connection.exec_driver_sql(
            "UPDATE game SET version = version + 1, notes = ltrim(notes || char(10) || ?, char(10)) "
            "WHERE id = ?",
            (why, game_id),
        )
    if table == "tableau":
        connection.exec_driver_sql("UPDATE tableau SET version = version + 1 WHERE id = ?", (row["id"],))


def _replacement(connection: Connection, column: Column[Any], row: Mapping[str, Any]) -> tuple[bool, Any]:
    """Whether a column's value can be replaced, and the replacement in the database's form."""
    if column.nullable:
        return True, None
    if column.name == "colour":
        return _free_colour(connection, row["game_id"])
    if column.default is None:
        return False, None
    default: Any = column.default
    value = default.arg(None) if default.is_callable else default.arg
    return True, _as_kept(connection, column, value)


def _free_colour(connection: Connection, game_id: object) -> tuple[bool, str | None]:
    """Whether a colour of the game is unused, and that colour."""
    words = connection.exec_driver_sql("SELECT game FROM game WHERE id = ?", (game_id,)).scalar()
    taken = (
        connection.exec_driver_sql("SELECT colour FROM seat WHERE game_id = ?", (game_id,)).scalars().all()
    )
    try:
        free = [each for each in game_named(str(words)).sheet.colours if each not in taken]
    except WaymarkError:
        free = []
    return bool(free), free[0] if free else None


def _as_kept(connection: Connection, column: Column[Any], value: Any) -> Any:
    processor = column.type.dialect_impl(connection.dialect).bind_processor(connection.dialect)
    return processor(value) if processor is not None else value


def _take_out(
    connection: Connection, table: Table, column: str, value: Any, quarantine: Quarantine, why: str
) -> None:
    """Move rows to quarantine, after the rows that depend on them. Nullable foreign keys to them are set to
    NULL instead."""
    wanted = f'SELECT * FROM {table.name} WHERE "{column}" = ?'
    for found in connection.exec_driver_sql(wanted, (value,)).mappings().all():
        row = dict(found)
        for other, key in _hanging_on(table):
            if key.nullable:
                connection.exec_driver_sql(
                    f'UPDATE {other.name} SET "{key.name}" = NULL WHERE "{key.name}" = ?', (row["id"],)
                )
            else:
                _take_out(connection, other, key.name, row["id"], quarantine, why)
        quarantine.keep_row(table.name, row, why)
        connection.exec_driver_sql(f"DELETE FROM {table.name} WHERE id = ?", (row["id"],))


def _hanging_on(table: Table) -> Iterator[tuple[Table, Column[Any]]]:
    for other in Base.metadata.tables.values():
        for key in other.foreign_keys:
            if key.column.table is table:
                yield other, key.parent


# --- a game -------------------------------------------------------------------------------------------------


def _fill_up(session: Session, game_id: str, catalogue: Catalogue, quarantine: Quarantine) -> bool:
    """Add blank entries for missing rounds of players; whether the game is valid then."""
    game = load_game(session, game_id)
    if game is None:
        return True
    seats = {seat.id: seat for seat in game.seats}
    missing = [
        (round_, seat)
        for round_ in game.rounds
        for seat_id, seat in seats.items()
        if seat_id not in {entry.seat_id for entry in round_.entries}
    ]
    if not missing:
        return False
    for round_, seat in missing:
        session.add(Entry(round_id=round_.id, seat_id=seat.id))
    session.flush()
    session.expire_all()
    game = load_game(session, game_id)
    try:
        if game is not None:
            check_game(game, catalogue)
    except UnsoundRow:
        return False
    if game is not None:
        touch(game)
        what = Text("{count} rounds of players were missing and are left blank", count=len(missing)).message(
            quarantine.language
        )
        quarantine.tell(f"game {game_id}: {what}")
    return True
