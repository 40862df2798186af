"""Check of a data folder: the database file, its rows, its photos. It changes nothing."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, undefer

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import Game as Rules
from scorer.text import Text, unended
from webapp.config import ServerConfig
from webapp.games.soundness import UnsoundRow, check_game, check_tableau
from webapp.games.view import load_game
from webapp.store.boxes import rules_of
from webapp.store.database import Database, open_database
from webapp.store.integrity import Fault, faults_of, reading_faults
from webapp.store.models import Base, Digest, Entry, Game, GameRound, Photo, Seat, Shot, Tableau
from webapp.store.photo_places import FolderStore
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import is_intact, original_key

#: Kinds of findings: the database file; one of its rows; a game or a tableau with inconsistent rows; a photo
#: whose file is missing or differs; a file without a row.
Kind = Literal["database", "row", "game", "tableau", "photo-lost", "photo-damaged", "photo-orphan"]
#: A photo's file is written before its row, so a file without a row is an orphan only after this many
#: seconds.
ORPHAN_SECONDS = 600.0
_ROWS_AT_A_TIME = 500


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A fault in the data folder: `where` names the row (table and id) or the file, `what` describes the
    fault in one sentence."""

    kind: Kind
    where: str
    what: Text


def open_data(config: ServerConfig) -> Database:
    """Open the database of an existing data folder. Raises `WaymarkError`."""
    if config.database_url is None and not (config.data / "waymark.sqlite3").is_file():
        raise WaymarkError(
            Code.NO_FILE,
            Text(
                "There are no data of Waymark in {data!r}; name the folder that a server has used.",
                data=str(config.data),
            ),
        )
    return open_database(config.url)


def check_database(database: Database) -> list[Finding]:
    """Faults found by the integrity check of a SQLite file; none for another database."""
    if database.engine.dialect.name != "sqlite":
        return []
    try:
        with database.snapshot() as session:
            told = session.connection().exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
    except DBAPIError as error:
        told = [str(error.orig)]
    return [
        Finding(
            kind="database",
            where="waymark.sqlite3",
            what=Text("The database's file is damaged ({line}); restore a backup.", line=line),
        )
        for line in told
        if line != "ok"
    ]


def row_faults(session: Session) -> Iterator[Fault]:
    """Faults of all rows, checked one by one."""
    for table in _tables():
        wanted = select(table)
        if table is Shot:
            wanted = wanted.options(undefer(Shot.reading))
        for row in session.scalars(wanted.execution_options(yield_per=_ROWS_AT_A_TIME)):
            found = faults_of(row, _rules(row))
            if isinstance(row, Shot) and not found:
                found = reading_faults(row)
            yield from found
            session.expunge(row)
        session.expunge_all()


def _tables() -> list[type[Base]]:
    tables = [mapper.class_ for mapper in Base.registry.mappers if mapper.class_ is not Digest]
    return sorted(tables, key=lambda table: str(table.__tablename__))


def _rules(row: Base) -> Rules | None:
    """The rules of the game that a row belongs to; None where they are unknown."""
    try:
        if isinstance(row, (Game, Tableau)):
            return rules_of(row)
        if isinstance(row, (GameRound, Seat)):
            return rules_of(row.game)
        if isinstance(row, Entry):
            return rules_of(row.round.game)
    except WaymarkError:
        return None
    return None


@dataclass(frozen=True)
class ThingFault:
    """The fault of a game or tableau (`kind` and `id`) that is invalid as a whole, with the responsible
    row."""

    kind: Literal["game", "tableau"]
    id: str
    error: UnsoundRow


def thing_faults(session: Session, catalogue: Catalogue, known: Container[str] = ()) -> Iterator[ThingFault]:
    """Faults of games and tableaus whose rows are valid one by one but inconsistent together. A log import
    would reject them. Faults of rows with `known` ids are left out."""
    for game_id in _ids(session, Game):
        game = load_game(session, game_id)
        try:
            if game is not None:
                check_game(game, catalogue)
        except UnsoundRow as error:
            if error.row_id not in known:
                yield ThingFault("game", game_id, error)
        session.expunge_all()
    for tableau_id in _ids(session, Tableau):
        try:
            check_tableau(session, session.get_one(Tableau, tableau_id), catalogue)
        except UnsoundRow as error:
            if error.row_id not in known:
                yield ThingFault("tableau", tableau_id, error)
        session.expunge_all()


def _ids(session: Session, table: type[Base]) -> list[str]:
    return list(session.scalars(select(table.id)))


def as_finding(fault: Fault | ThingFault) -> Finding:
    """A fault in the form of a finding of `waymark data check`."""
    if isinstance(fault, Fault):
        return Finding(kind="row", where=f"{fault.table} {fault.row_id}", what=fault.what)
    row, what = fault.error.name, fault.error.what
    words = Text("The {row} is not sound: {what}.", row=row, what=unended(what))
    return Finding(kind=fault.kind, where=f"{fault.kind} {fault.id}", what=words)


# --- photos -------------------------------------------------------------------------------------------------


def photo_ids(session: Session) -> list[str]:
    """Ids of all photos in the database."""
    return _ids(session, Photo)


def photo_finding(originals: PhotoStore, photo_id: str) -> Finding | None:
    """The finding for a missing or damaged original; None for an intact one. Raises `StoreUnreachable`."""
    key = original_key(photo_id)
    try:
        with originals.local_file(key) as file:
            if is_intact(file, photo_id):
                return None
    except FileNotFoundError:
        return Finding(
            kind="photo-lost",
            where=f"photos/{key}",
            what=Text(
                "The file of photo {photo_id} is not there; send it again or restore a backup.",
                photo_id=photo_id[:8],
            ),
        )
    except OSError:
        pass
    return Finding(
        kind="photo-damaged",
        where=f"photos/{key}",
        what=Text(
            "The file of photo {photo_id} is damaged; send it again or restore a backup.",
            photo_id=photo_id[:8],
        ),
    )


def orphans(originals: PhotoStore, copies: str, known: set[str], now: float) -> Iterator[Finding]:
    """Findings for files among the originals that belong to no row. Recent files are left out, since their
    row may still come. In a bucket, files below `copies` are left out as derived pictures. Raises
    `StoreUnreachable`."""
    beside = None if isinstance(originals, FolderStore) else f"{copies}/"
    for key in sorted(originals.names()):
        name = key.rpartition("/")[2]
        if (name in known and key == original_key(name)) or (beside and key.startswith(beside)):
            continue
        try:
            if now - originals.written_at(key) < ORPHAN_SECONDS:
                continue
        except FileNotFoundError:
            continue  # Removed meanwhile.
        yield Finding(
            kind="photo-orphan",
            where=f"photos/{key}",
            what=Text("No tableau has the photo {name}; it is kept for nobody.", name=name[:16]),
        )
