"""STRICT tables and CHECK constraints: the database refuses values that no page could show"""

from __future__ import annotations

import json
import logging
import os
import string
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.ext.compiler import compiles

from scorer.text import plural

log = logging.getLogger(__name__)

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_STATES = "waiting,running,done,failed"
_REVISIONS = "read,answer,card,path,mark,means,payment,terms,reread,restore,photo,table,turn,record"
#: The kinds of each table's columns beside `id` (id or sha256), `created_at` and `deleted_at` (time): a text
#: with its length or its words, an integer with its range, a reference with its table.
TABLES = {
    "person": "name:text",
    "game": (
        "game:text,32 deck:text title:text location:text notes:text settings:object "
        "version:integer,1 finished_at:time given_up:boolean"
    ),
    "seat": "game_id:of,game person_id:of,person position:integer,0,999999 name:text colour:text,16",
    "game_round": (
        "game_id:of,game number:integer,1,999999 terms:object hourglass:boolean nobody_first:boolean "
        "checklist:object"
    ),
    "entry": (
        "round_id:of,game_round seat_id:of,seat scores:object time_bonus:boolean typed:boolean "
        "terms:object optimizers_used:object"
    ),
    "purchase": "entry_id:of,entry kind:text,16 what:text coins:integer,0,9999 sequence:order",
    "photo": "id:sha256 media_type:text,32 width:integer,1 height:integer,1 size_bytes:integer,1",
    "tableau": (
        "game:text,32 deck:text entry_id:of,entry title:text notes:text terms:object shot_id:id "
        "late_shot_id:id record:object cards:text answered:array ruling:object sure:boolean "
        "version:integer,1"
    ),
    "shot": (
        f"tableau_id:of,tableau photo_id:of,photo client_key:text,64 filename:text state:words,{_STATES} "
        "stage:text,16 attempts:integer,0 error:object reading:bytes reread_of:id given:array "
        "beside:id sequence:order"
    ),
    "errand": (
        "tableau_id:of,tableau whose:id kind:words,pen,pen-undo,new-card given:object "
        f"state:words,{_STATES} attempts:integer,0 error:object outcome:object"
    ),
    "lease": "holder:text until:time claimed_at:time interruptions:integer,0",
    "revision": (
        f"tableau_id:of,tableau number:integer,0 kind:words,{_REVISIONS} shot_id:id record:object "
        "answered:array told:object settings:object before:integer,0 repeats:integer,0 "
        "sequence:order"
    ),
    "claim": (
        "tableau_id:of,tableau who:text words:text record:object assumes:text basis:object "
        "accepted_at:time accepted_revision:text sequence:order"
    ),
    "change": "noun:text,32 noun_id:id before:object after:object sequence:order",
    "digest": "version:integer,1 made_by:text,64 content:bytes",
}
#: Values of required columns in place of what was not readable.
USUAL = {
    **dict.fromkeys(("name", "who"), "?"),
    **dict.fromkeys(
        ("deck", "title", "location", "notes", "what", "words", "filename", "stage", "cards"), ""
    ),
    **dict.fromkeys(("settings", "terms", "checklist", "scores", "optimizers_used"), "{}"),
    **dict.fromkeys(("given_up", "hourglass", "nobody_first", "time_bonus", "typed", "sure"), 0),
    **dict.fromkeys(("coins", "sequence", "attempts", "interruptions"), 0),
    **{"game": "mapmasters", "version": 1, "state": "waiting", "answered": "[]"},
}
#: The game of a row that a game cannot do without.
GAME_OF = {
    "seat": "SELECT game_id FROM seat WHERE rowid = ?",
    "game_round": "SELECT game_id FROM game_round WHERE rowid = ?",
    "entry": "SELECT game_id FROM game_round WHERE id = (SELECT round_id FROM entry WHERE entry.rowid = ?)",
}
_FORM = (
    "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] "
    "[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]"
)
_ID = f"{string.ascii_letters}{string.digits}_-"


class _Datetime(sa.TEXT):
    """A DATETIME column of SQLite, whose text Alembic leaves as it is (it would cast it to a number)."""


@compiles(_Datetime)
def _datetime(_type: object, _compiler: object, **_options: object) -> str:
    return "DATETIME"


#: Storage class in SQLite, and the type before this migration, by kind.
_TYPES: dict[str, tuple[Any, Any]] = {
    "id": (sa.TEXT(), sa.String(64)),
    "sha256": (sa.TEXT(), sa.String(64)),
    "of": (sa.TEXT(), sa.String(64)),
    "words": (sa.TEXT(), sa.String(16)),
    "time": (sa.TEXT(), _Datetime()),
    "object": (sa.TEXT(), sa.JSON()),
    "array": (sa.TEXT(), sa.JSON()),
    "integer": (sa.INTEGER(), sa.Integer()),
    "order": (sa.INTEGER(), sa.BigInteger()),
    "boolean": (sa.INTEGER(), sa.Boolean()),
    "bytes": (sa.BLOB(), sa.LargeBinary()),
}


def upgrade() -> None:
    connection = op.get_bind()
    sqlite = connection.dialect.name == "sqlite"
    for table in TABLES:
        for column, kind in _columns(table).items():
            if kind in ("object", "array"):
                text = f'"{column}"' if sqlite else f'"{column}"::text'
                op.execute(f'UPDATE "{table}" SET "{column}" = NULL WHERE {text} = \'null\'')
    if sqlite:
        op.execute("DELETE FROM digest")
        _set_unreadable_aside(connection)
    for table in TABLES:
        with op.batch_alter_table(table, **_recreated(sqlite, strict=True)) as batch_op:
            for column, kind in _columns(table).items():
                if sqlite:
                    batch_op.alter_column(column, type_=_type(kind, 0))
                condition = _condition(column, kind, sqlite)
                if condition is not None:
                    batch_op.create_check_constraint(f"ck_{table}_{column}", condition)


def downgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    for table in TABLES:
        with op.batch_alter_table(table, **_recreated(sqlite, strict=False)) as batch_op:
            for column, kind in _columns(table).items():
                if _condition(column, kind, sqlite) is not None:
                    batch_op.drop_constraint(f"ck_{table}_{column}", type_="check")
                if sqlite:
                    batch_op.alter_column(column, type_=_type(kind, 1))


def _recreated(sqlite: bool, *, strict: bool) -> dict[str, Any]:
    return {"recreate": "always", "table_kwargs": {"sqlite_strict": strict}} if sqlite else {}


def _columns(table: str) -> dict[str, str]:
    listed = dict(each.split(":") for each in TABLES[table].split())
    return {"id": "id", "created_at": "time", "deleted_at": "time", **listed}


def _type(kind: str, which: int) -> Any:
    name, _, length = kind.partition(",")
    if name == "text":
        return sa.String(int(length) if length else None) if which else sa.TEXT()
    return _TYPES[name][which]


def _condition(column: str, kind: str, sqlite: bool) -> str | None:
    """The CHECK of a column; None where its type, or its reference, says all."""
    name, *words = kind.split(",")
    column = f'"{column}"'
    if name == "id":
        return f"length({column}) BETWEEN 1 AND 64 AND ltrim({column}, '{_ID}') = ''"
    if name == "sha256":
        return f"length({column}) BETWEEN 64 AND 64 AND ltrim({column}, '0123456789abcdef') = ''"
    if name == "words":
        return f"{column} IN ({', '.join(map(repr, words))})"
    if name == "integer":
        return f"{column} BETWEEN {words[0]} AND {words[1] if words[1:] else 2**31 - 1}"
    if name == "time":
        years = f"{column} >= '1970-01-01 00:00:00+00' AND {column} < '2500-12-31 00:00:00+00'"
        form = f"{column} GLOB '{_FORM}' AND substr({column}, 12, 2) < '24'"
        day = f"date(substr({column}, 1, 10), '+0 days') IS substr({column}, 1, 10)"
        return f"{years} AND {form} AND {day}" if sqlite else years
    if name in ("object", "array") and not sqlite:
        return f"json_typeof({column}) = '{name}'"
    return _condition_in_sqlite(column, name, words) if sqlite else None


def _condition_in_sqlite(column: str, name: str, words: list[str]) -> str | None:
    """The CHECK of a kind that PostgreSQL's types need none for."""
    if name == "text":
        return f"instr({column}, char(0)) = 0" + (f" AND length({column}) <= {words[0]}" if words else "")
    if name == "boolean":
        return f"{column} IN (0, 1)"
    if name in ("object", "array"):
        return f"CASE WHEN json_valid({column}) THEN json_type({column}) = '{name}' ELSE {column} IS NULL END"
    return None


# --- rows that another program or a damaged disk has written ---------------------------------------------


def _set_unreadable_aside(connection: sa.Connection) -> None:
    """Replace values that no page could show, and take out rows that cannot do without them. What stood
    there goes to `rows.jsonl` in a folder beside the database. Rows that refer to a row that was taken out
    are found in the next round."""
    aside = _Aside(connection)
    while True:
        found = [(table, *row) for table in TABLES for row in _unreadable(connection, table)]
        if not found:
            break
        for table, place, columns in found:
            _mend(connection, aside, table, place, columns)
    aside.tell()


def _unreadable(connection: sa.Connection, table: str) -> list[tuple[int, list[str]]]:
    """Rows with unreadable values, by rowid, with these columns."""
    required = {each["name"] for each in sa.inspect(connection).get_columns(table) if not each["nullable"]}
    columns = _columns(table)
    sound = [f'({_sound(name, kind, name in required)}) AS "{name}"' for name, kind in columns.items()]
    query = f'SELECT * FROM (SELECT rowid AS "at row", {", ".join(sound)} FROM "{table}")'
    wanted = " OR ".join(f'NOT "{name}"' for name in columns)
    rows = connection.exec_driver_sql(f"{query} WHERE {wanted}").mappings().all()
    return [(row["at row"], [name for name in columns if not row[name]]) for row in rows]


def _sound(column: str, kind: str, required: bool) -> str:
    name = kind.split(",")[0]
    stored = str(_type(kind, 0)).lower()
    condition = _condition(column, kind, sqlite=True) or "1"
    if name == "of":
        condition = f'EXISTS (SELECT 1 FROM "{kind.split(",")[1]}" AS there WHERE there.id = "{column}")'
    return (
        f"CASE typeof(\"{column}\") WHEN 'null' THEN {int(not required)} "
        f"WHEN '{stored}' THEN coalesce({condition}, 0) ELSE 0 END"
    )


def _mend(connection: sa.Connection, aside: _Aside, table: str, place: int, columns: list[str]) -> None:
    found = (
        connection.exec_driver_sql(f'SELECT * FROM "{table}" WHERE rowid = ?', (place,)).mappings().first()
    )
    if found is None:
        return  # Removed with its game.
    row, kinds = dict(found), _columns(table)
    nullable = {each["name"] for each in sa.inspect(connection).get_columns(table) if each["nullable"]}
    new: dict[str, Any] = {name: _as_read(row[name]) if kinds[name] == "time" else None for name in columns}
    kept = all(value is not None for value in new.values())
    for name in columns:
        if new[name] is not None:
            continue
        if name in ("created_at", "deleted_at"):
            # What was in the bin stays there.
            new[name] = _stored(datetime.now(UTC).replace(tzinfo=None))
        elif name not in nullable:
            if name not in USUAL:
                _take_out(connection, aside, table, place, row)
                return
            new[name] = USUAL[name]
    if not kept:
        aside.keep(table, row, columns)
    if table == "tableau" and {"record", "ruling", "answered"} & set(columns):
        # Its photos say what it was: they are read again.
        new |= {"record": None, "ruling": None, "answered": "[]", "sure": 0, "shot_id": None, "cards": ""}
        connection.exec_driver_sql(
            "UPDATE shot SET state = 'waiting', attempts = 0 WHERE tableau_id = ? AND state = 'done' "
            "AND reread_of IS NULL",
            (row["id"],),
        )
    if table == "shot" and "reading" in columns:
        new |= {"state": "waiting", "attempts": 0}
    values = ", ".join(f'"{name}" = ?' for name in new)
    connection.exec_driver_sql(f'UPDATE "{table}" SET {values} WHERE rowid = ?', (*new.values(), place))


def _take_out(connection: sa.Connection, aside: _Aside, table: str, place: int, row: dict[str, Any]) -> None:
    """Move a row to the file; with a seat, a round or a player's round its game."""
    game_id = connection.exec_driver_sql(GAME_OF[table], (place,)).scalar() if table in GAME_OF else None
    games = connection.exec_driver_sql("SELECT * FROM game WHERE id = ?", (game_id,)).mappings().all()
    for game in games:
        aside.keep("game", dict(game), [])
    connection.exec_driver_sql("DELETE FROM game WHERE id = ?", (game_id,))
    aside.keep(table, row, [])
    connection.exec_driver_sql(f'DELETE FROM "{table}" WHERE rowid = ?', (place,))


def _as_read(value: object) -> str | None:
    """A time in the stored form, if the version before could read it."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        if moment is not None and moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return _stored(moment) if moment is not None and 1970 <= moment.year < 2500 else None


def _stored(moment: datetime) -> str:
    return moment.isoformat(" ", "microseconds")


class _Aside:
    """The file of what was set aside, in the form of `waymark data mend`."""

    def __init__(self, connection: sa.Connection) -> None:
        database = Path(connection.engine.url.database or "")
        self.folder = database.parent / "quarantine" / datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
        self.lines: list[str] = []

    def keep(self, table: str, row: dict[str, Any], columns: list[str]) -> None:
        """Note a row's values, of which those in `columns` are replaced (none: the row is taken out)."""
        plain = {name: {"hex": each.hex()} if isinstance(each, bytes) else each for name, each in row.items()}
        why = f"not readable: {', '.join(columns)}" if columns else "taken out"
        self.lines.append(json.dumps({"table": table, "why": why, "row": plain}, ensure_ascii=False) + "\n")

    def tell(self) -> None:
        """Write the file, and log a sentence about it."""
        if not self.lines:
            return
        self.folder.mkdir(parents=True)
        with (self.folder / "rows.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(self.lines)
            file.flush()
            os.fsync(file.fileno())
        count, folder = len(self.lines), str(self.folder)
        told = plural(
            "{count} row of the database had unreadable values; they are kept in {folder!r}.",
            "{count} rows of the database had unreadable values; they are kept in {folder!r}.",
            count,
            folder=folder,
        )
        readme = "\n".join(told.message(language) for language in ("en", "ja"))
        (self.folder / "README.txt").write_text(readme + "\n", encoding="utf-8")
        log.warning("%s", told.en)
