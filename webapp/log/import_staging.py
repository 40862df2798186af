"""Staging of an imported log: rows are written to disk beside the zip, checked one by one, and sorted by
their game. A game is then validated as a whole, however large the log is.

Nothing of the table's own database is changed, or locked, meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.text import Text
from webapp.games.soundness import MOST_BELOW, UnsoundRow
from webapp.log.rows import TABLES, Values, decode_row, encode_row
from webapp.store.models import (
    Base,
    Change,
    Claim,
    Entry,
    Game,
    GameRound,
    Person,
    Photo,
    Purchase,
    Revision,
    Seat,
    Shot,
    Tableau,
)

#: Parent of each table's rows, by the column that refers to it. Photos and journal entries have none.
PARENT: dict[type[Base], tuple[str, type[Base]]] = {
    Seat: ("game_id", Game),
    GameRound: ("game_id", Game),
    Entry: ("round_id", GameRound),
    Purchase: ("entry_id", Entry),
    Tableau: ("entry_id", Entry),
    Shot: ("tableau_id", Tableau),
    Revision: ("tableau_id", Tableau),
    Claim: ("tableau_id", Tableau),
}
#: Other references of a table's rows.
_OTHER: dict[type[Base], tuple[str, type[Base]]] = {
    Seat: ("person_id", Person),
    Entry: ("seat_id", Seat),
    Shot: ("photo_id", Photo),
    Change: ("place", Entry),
}
#: Tables whose rows form a unit: a complete game, or a tableau outside games.
OF_A_UNIT: tuple[type[Base], ...] = (Game, *PARENT)
#: Largest size of a unit's rows: thirty tableaus with hundreds of corrections each take less.
MOST_UNIT_BYTES = 32 << 20
#: Number of rows queried in the table's database at a time.
_AT_A_TIME = 400
_NAMED = {table.__tablename__: table for table in TABLES}


class Staging:
    """The staged rows of one log, in a SQLite file. An existing `file` is continued as it was left."""

    def __init__(self, file: Path) -> None:
        self._base = sqlite3.connect(file, isolation_level=None)
        # A log that was not accepted is sent again, so only `accepted` rows have to survive a power cut.
        self._base.execute("PRAGMA synchronous=OFF")
        self._base.execute("PRAGMA journal_mode=OFF")
        self._base.executescript(
            "CREATE TABLE IF NOT EXISTS row (noun TEXT, id TEXT, parent TEXT, other TEXT, at REAL, unit TEXT,"
            " line BLOB, PRIMARY KEY (noun, id));"
            "CREATE TABLE IF NOT EXISTS here (noun TEXT, id TEXT, unit TEXT, PRIMARY KEY (noun, id));"
        )

    def close(self) -> None:
        self._base.close()

    def keep(self) -> None:
        """Make the staged rows durable: they are on the disk when this returns."""
        self._base.execute("PRAGMA synchronous=FULL")
        self._base.execute("CREATE TABLE IF NOT EXISTS kept (yes)")

    # --- incoming rows ----------------------------------------------------------------------------------

    def add(self, table: type[Base], rows: Iterator[Values]) -> int:
        """Insert rows of one table; returns their number. Raises `UnsoundRow` for a duplicate id."""
        noun, count = table.__tablename__, 0
        parent = PARENT[table][0] if table in PARENT else "noun_id" if table is Change else ""
        other = _OTHER[table][0] if table in _OTHER else ""
        self._base.execute("BEGIN")
        for values in rows:
            line = encode_row(values)
            place = values["before"].get("entry_id") if table is Change else values.get(other)
            if table is Change and values["noun"] != Tableau.__tablename__:
                place = None
            # Two tables may have rows with one id, so the journal identifies them by noun and id.
            below = values.get(parent)
            if table is Change:
                below = f"{values['noun']} {below}"
            try:
                self._base.execute(
                    "INSERT INTO row (noun, id, parent, other, at, line) VALUES (?, ?, ?, ?, ?, ?)",
                    (noun, values["id"], below, place, values["created_at"].timestamp(), line),
                )
            except sqlite3.IntegrityError as error:
                twice = Text("it is there twice")
                raise UnsoundRow(noun, values["id"], twice) from error
            count += 1
        self._base.execute("COMMIT")
        return count

    def sort(self, session: Session) -> None:
        """Determine the unit of every row, using the log and the database of `session`. Raises `UnsoundRow`
        for a reference to a missing row, or for a unit with too many rows."""
        self._base.execute("CREATE INDEX row_parent ON row (noun, parent)")
        self._base.execute("UPDATE row SET unit = id WHERE noun = 'game'")
        for table, (_, above) in PARENT.items():
            noun, upper = table.__tablename__, above.__tablename__
            self._look_up(session, table, above, "parent")
            self._base.execute(
                "UPDATE row SET unit = coalesce("
                "(SELECT unit FROM row up WHERE up.noun = :upper AND up.id = row.parent),"
                "(SELECT unit FROM here WHERE here.noun = :upper AND here.id = row.parent))"
                " WHERE noun = :noun",
                {"noun": noun, "upper": upper},
            )
            if table is Tableau:
                self._sort_tableaus(session)
        for table, (_, above) in _OTHER.items():
            self._look_up(session, table, above, "other")
        self._base.execute("CREATE INDEX row_unit ON row (unit, noun)")
        self._check_sizes()

    def _sort_tableaus(self, session: Session) -> None:
        """Assign a tableau to the game that contains it here, whatever the log says; a tableau outside games
        is its own unit."""
        for names in self._batches("SELECT id FROM row WHERE noun = 'tableau'"):
            for tableau_id, unit in _units(session, Tableau, names).items():
                if unit != tableau_id:
                    self._base.execute(
                        "UPDATE row SET unit = ? WHERE noun = 'tableau' AND id = ?", (unit, tableau_id)
                    )
        self._base.execute("UPDATE row SET unit = id WHERE noun = 'tableau' AND unit IS NULL")

    def _look_up(self, session: Session, table: type[Base], above: type[Base], column: str) -> None:
        """Record the units of local rows that the log refers to but does not contain. Raises `UnsoundRow` for
        a reference to a missing row."""
        noun, upper = table.__tablename__, above.__tablename__
        missing = (
            f"SELECT DISTINCT {column} FROM row WHERE noun = '{noun}' AND {column} IS NOT NULL AND NOT EXISTS"
            f" (SELECT 1 FROM row up WHERE up.noun = '{upper}' AND up.id = row.{column})"
            f" AND NOT EXISTS (SELECT 1 FROM here WHERE here.noun = '{upper}' AND here.id = row.{column})"
        )
        for names in self._batches(missing):
            found = _units(session, above, names)
            self._base.executemany(
                "INSERT OR IGNORE INTO here VALUES (?, ?, ?)",
                [(upper, each, unit) for each, unit in found.items()],
            )
        lost = self._base.execute(missing.replace(f"DISTINCT {column}", "id") + " LIMIT 1").fetchone()
        if lost is not None:
            raise UnsoundRow(noun, lost[0], Text("what it belongs to is missing"))

    def _batches(self, query: str) -> Iterator[list[str]]:
        """The results of a query in batches of some hundred; they are copied first, since rows change
        meanwhile."""
        self._base.execute(f"CREATE TEMP TABLE asked AS {query}")
        column = self._base.execute("SELECT name FROM pragma_table_info('asked')").fetchone()[0]
        try:
            last = 0
            while names := self._base.execute(
                f"SELECT rowid, {column} FROM asked WHERE rowid > ? ORDER BY rowid LIMIT ?",
                (last, _AT_A_TIME),
            ).fetchall():
                last = names[-1][0]
                yield [name for _, name in names]
        finally:
            self._base.execute("DROP TABLE asked")

    def _check_sizes(self) -> None:
        many = self._base.execute(
            "SELECT noun, id FROM row WHERE noun != 'change' AND parent IS NOT NULL"
            " GROUP BY noun, parent HAVING count(*) > ? LIMIT 1",
            (MOST_BELOW,),
        ).fetchone()
        large = self._base.execute(
            "SELECT noun, id FROM row WHERE unit IS NOT NULL"
            " GROUP BY unit HAVING sum(length(line)) > ? LIMIT 1",
            (MOST_UNIT_BYTES,),
        ).fetchone()
        for found in (many, large):
            if found is not None:
                more = Text("it is one of more than there can be")
                raise UnsoundRow(found[0], found[1], more)

    # --- queries ----------------------------------------------------------------------------------------

    def units(self) -> Iterator[str]:
        """Ids of every game, and of every tableau outside games, that have rows in the log."""
        unit = ""
        while found := self._base.execute(
            "SELECT unit FROM row WHERE unit > ? ORDER BY unit LIMIT 1", (unit,)
        ).fetchone():
            (unit,) = found
            yield unit

    def rows(self, table: type[Base], unit: str | None = None) -> Iterator[list[Values]]:
        """The staged rows of a table, or of one unit in it, in order of insertion and in batches."""
        where = "noun = ?" + (" AND unit = ?" if unit is not None else "")
        given: list[Any] = [table.__tablename__, *([unit] if unit is not None else [])]
        last = 0
        while lines := self._base.execute(
            f"SELECT rowid, line FROM row WHERE {where} AND rowid > ? ORDER BY rowid LIMIT ?",
            (*given, last, _AT_A_TIME),
        ).fetchall():
            last = lines[-1][0]
            yield [decode_row(table, line) for _, line in lines]

    def named(self, table: type[Base], names: Sequence[str]) -> list[Values]:
        """The staged rows with these ids; missing ids are left out."""
        found = []
        for name in names:
            line = self._base.execute(
                "SELECT line FROM row WHERE noun = ? AND id = ?", (table.__tablename__, name)
            ).fetchone()
            if line is not None:
                found.append(decode_row(table, line[0]))
        return found

    def changed_at(self, noun: str, row_id: str) -> float | None:
        """Time of a row's last change according to the log (seconds since 1970); None where it is unknown."""
        latest = self._base.execute(
            "SELECT max(at) FROM row WHERE noun = 'change' AND parent = ?", (f"{noun} {row_id}",)
        ).fetchone()[0]
        if noun == Tableau.__tablename__:
            revised = self._base.execute(
                "SELECT max(at) FROM row WHERE noun = 'revision' AND parent = ?", (row_id,)
            ).fetchone()[0]
            latest = max((each for each in (latest, revised) if each is not None), default=None)
        return float(latest) if latest is not None else None

    def shot_of(self, tableau_id: str) -> str | None:
        """Id of the shot whose reading is in use, according to the log."""
        rows = self.named(Tableau, [tableau_id])
        return rows[0].get("shot_id") if rows else None


def _units(session: Session, table: type[Base], names: Sequence[str]) -> dict[str, str]:
    """The unit of each row in the database, by row id: the id of its game, or of its tableau outside
    games."""
    if table is Tableau:
        query = (
            select(Tableau.id, GameRound.game_id)
            .outerjoin(Entry, Tableau.entry_id == Entry.id)
            .outerjoin(GameRound, Entry.round_id == GameRound.id)
        )
    elif table is Entry:
        query = select(Entry.id, GameRound.game_id).join(GameRound, Entry.round_id == GameRound.id)
    elif table in (GameRound, Seat):
        query = select(table.id, table.game_id)
    else:
        query = select(table.id, table.id)
    found = session.execute(query.where(table.id.in_(names)))
    return {row_id: unit or row_id for row_id, unit in found}
