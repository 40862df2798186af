"""A log comes in, into an empty table or beside what is there: rows by their id, photos by their hash.

What is new is added. Where both have a row and it differs, the one that was changed later stands, and what
it replaced is in the journal; where this table's is later, or nobody can tell, this table's stays and the
report says so. Taking the same zip again changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import msgspec
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.record import Record
from webapp.disputes.claims import said_basis
from webapp.games.score_sheet import live_tableau
from webapp.games.view import game_view, load_game
from webapp.log.log_reader import LogReader, check_tables, log_broken, open_log
from webapp.log.merge_tableaus import Times, add_revisions, find_place
from webapp.log.rows import TABLES, Values, columns_of
from webapp.store.boxes import check_boxes, rules_of, told_of_entry
from webapp.store.database import Database
from webapp.store.models import (
    Base,
    Change,
    Claim,
    Entry,
    Game,
    GameRound,
    NotText,
    Person,
    Photo,
    Purchase,
    Revision,
    Seat,
    Shot,
    Tableau,
    now,
    placed_at,
)
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import StoredPhoto, original_key, store_original
from webapp.store.tableaus import rejudge

#: Columns that follow from others or only count: a difference in these alone is none.
_FOLLOWING = frozenset({"version", "ruling", "sure"})
#: What is written once. A shot's bin is each table's own.
_NEVER_CHANGE = (Photo, Shot, Claim, Change)

#: Told how many photos are stored, of how many: they take nearly all of the time.
Told = Callable[[int, int], None]


class ImportProgress(msgspec.Struct, frozen=True, kw_only=True):
    """`photos` of `total` are stored; `running` is false before it begins and once it has ended."""

    running: bool
    photos: int = 0
    total: int = 0


class Imports:
    """Imports that are running, by the key that their sender chose."""

    def __init__(self) -> None:
        self._running: dict[str, ImportProgress] = {}

    @contextmanager
    def follow(self, key: str) -> Iterator[Told]:
        """What to tell, as photos are stored: how many, of how many. Without a key nobody asks."""

        def tell(photos: int, total: int) -> None:
            if key:
                self._running[key] = ImportProgress(running=True, photos=photos, total=total)

        tell(0, 0)
        try:
            yield tell
        finally:
            self._running.pop(key, None)

    def progress(self, key: str) -> ImportProgress:
        """How far that import has come."""
        return self._running.get(key, ImportProgress(running=False))


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an import, in rows by noun: `added` is new here, `updated` was changed later there, `kept`
    was changed later here and stays. `namesakes` are people who now stand here twice under one name."""

    added: dict[str, int]
    updated: dict[str, int]
    kept: dict[str, int]
    photos_added: int
    photos_missing: int
    namesakes: list[str]


@dataclass
class _Merge:
    """What an import has met so far."""

    session: Session
    wanted: set[str]
    photos: dict[str, StoredPhoto]
    changed_there: Times
    changed_here: Times
    begun_at: datetime = field(default_factory=now)
    added: Counter[str] = field(default_factory=Counter)
    updated: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    games: set[str] = field(default_factory=set)
    changed_games: set[str] = field(default_factory=set)
    tableaus: set[str] = field(default_factory=set)


def import_log(
    database: Database,
    catalogue: Catalogue,
    originals: PhotoStore,
    file: Path,
    tell: Told = lambda photos, total: None,
) -> ImportReport:
    """Take in the log in a zip, all of it or nothing. `tell` is called as photos are stored. Raises
    `WaymarkError`: not-a-log, log-broken, too-large."""
    with open_log(file) as reader:
        check_tables(reader)
        with database.snapshot() as session:
            wanted = _photos_wanted(session, reader)
        # Before the transaction: nobody else waits while photos are written; they are named by their content.
        photos, added, missing = _take_photos(database, originals, reader, wanted, tell)
        try:
            with database.transaction() as session:
                merge = _Merge(session, wanted, photos, _changes_there(reader), _changes_here(session))
                _merge_rows(merge, reader)
                _finish(merge, catalogue)
                namesakes = _namesakes(session)
        except (IntegrityError, NotText) as error:
            raise log_broken() from error
    return ImportReport(
        added=dict(merge.added),
        updated=dict(merge.updated),
        kept={noun: count for noun, count in merge.kept.items() if count},
        photos_added=added,
        photos_missing=missing,
        namesakes=namesakes,
    )


# --- photos -------------------------------------------------------------------------------------------------


def _photos_wanted(session: Session, reader: LogReader) -> set[str]:
    """The photos of shots that are new here: one that is here has its photo, perhaps under another hash."""
    known = set(session.scalars(select(Shot.id)))
    return {row["photo_id"] for row in reader.rows(Shot) if row["id"] not in known}


def _take_photos(
    database: Database, originals: PhotoStore, reader: LogReader, wanted: set[str], tell: Told
) -> tuple[dict[str, StoredPhoto], int, int]:
    """Store the photos that are not here. Each as it is here by the id that it has in the log, how many are
    new, and how many the log does not have."""
    stored: dict[str, StoredPhoto] = {}
    added = 0
    with database.snapshot() as session:
        known = {photo.id: photo for photo in session.scalars(select(Photo))}
    coming = [photo for photo in reader.manifest.photos if photo.id in wanted]
    for number, photo in enumerate(coming):
        tell(number, len(coming))
        here = next((known[each] for each in (photo.id, photo.sha256) if each in known), None)
        if here is not None and originals.has(original_key(here.id)):
            stored[photo.id] = StoredPhoto(here.id, here.media_type, here.width, here.height, here.size_bytes)
            continue
        stored[photo.id] = store_original(originals, reader.photo(photo))
        added += 1
    tell(len(coming), len(coming))
    return stored, added, len(wanted - stored.keys())


# --- when was what changed ----------------------------------------------------------------------------------


def _changes_there(reader: LogReader) -> dict[tuple[str, str], datetime]:
    latest: dict[tuple[str, str], datetime] = {}
    for row in reader.rows(Change):
        _later(latest, (row["noun"], row["noun_id"]), row["created_at"])
    for row in reader.rows(Revision):
        _later(latest, (Tableau.__tablename__, row["tableau_id"]), row["created_at"])
    return latest


def _changes_here(session: Session) -> dict[tuple[str, str], datetime]:
    latest: dict[tuple[str, str], datetime] = {}
    for noun, noun_id, at in session.execute(select(Change.noun, Change.noun_id, Change.created_at)):
        _later(latest, (noun, noun_id), at)
    for tableau_id, at in session.execute(select(Revision.tableau_id, Revision.created_at)):
        _later(latest, (Tableau.__tablename__, tableau_id), at)
    return latest


def _later(latest: dict[tuple[str, str], datetime], key: tuple[str, str], at: datetime) -> None:
    latest[key] = max(at, latest.get(key, at))


# --- rows ---------------------------------------------------------------------------------------------------


def _merge_rows(merge: _Merge, reader: LogReader) -> None:
    for table in TABLES:
        if table is Revision:
            rows = reader.rows(Revision)
            new = add_revisions(merge.session, rows, merge.changed_there, merge.changed_here)
            merge.added[Revision.__tablename__] += new
            continue
        known: dict[str, Base] = {row.id: row for row in merge.session.scalars(select(table))}
        for values in reader.rows(table):
            here = _as_here(merge, table, values)
            row = known.get(here["id"])
            if row is not None:
                _merge_row(merge, row, here)
            elif table is not Photo or values["id"] in merge.wanted:
                known[here["id"]] = _add(merge, reader, table, here)
        merge.session.flush()


def _as_here(merge: _Merge, table: type[Base], values: Values) -> Values:
    """The row as this table has it: a photo that left without its metadata has another hash, and a photo
    that is new here another size."""
    if table is Photo and (stored := merge.photos.get(values["id"])) is not None:
        return {
            **values,
            "id": stored.sha256,
            "media_type": stored.media_type,
            "width": stored.width,
            "height": stored.height,
            "size_bytes": stored.size_bytes,
        }
    if table is Shot and (stored := merge.photos.get(values["photo_id"])) is not None:
        return {**values, "photo_id": stored.sha256}
    return values


def _add(merge: _Merge, reader: LogReader, table: type[Base], values: Values) -> Base:
    row = table(**values)
    session = merge.session
    if isinstance(row, Shot):
        row.reading = reader.reading(row.id)
        if row.reading is None and row.state != "failed":
            row.state, row.stage, row.attempts = "waiting", "", 0
        sent = select(Shot.id).where(Shot.client_key == row.client_key)
        if row.client_key is not None and session.scalar(sent) is not None:
            row.client_key = None
    if isinstance(row, Tableau):
        merge.tableaus.add(row.id)
        wanted = row.entry_id
        row.entry_id = find_place(session, row.id, wanted)
        merge.kept[row.__tablename__] += row.entry_id != wanted
    if isinstance(row, Claim):
        merge.tableaus.add(row.tableau_id)
    session.add(row)
    if isinstance(row, Game):
        merge.games.add(row.id)
    if table is not Change:
        merge.added[table.__tablename__] += 1
    return row


def _merge_row(merge: _Merge, row: Base, values: Values) -> None:
    if isinstance(row, _NEVER_CHANGE):
        return
    different = {
        column.key: values[column.key]
        for column in columns_of(type(row))
        if column.key in values
        and column.key not in _FOLLOWING
        and getattr(row, column.key) != values[column.key]
    }
    if not different:
        return
    key = (row.__tablename__, row.id)
    there, here = merge.changed_there.get(key), merge.changed_here.get(key)
    if there is None or (here is not None and here >= there):
        merge.kept[row.__tablename__] += 1
        return
    if isinstance(row, Tableau):
        merge.tableaus.add(row.id)
        if "entry_id" in different:
            different["entry_id"] = find_place(merge.session, row.id, different["entry_id"])
    for column, value in different.items():
        setattr(row, column, value)
    merge.session.flush()
    # The journal says of this row that it was changed now; it was done there, then.
    for change in merge.session.scalars(
        select(Change).where(
            Change.noun == key[0], Change.noun_id == row.id, Change.created_at >= merge.begun_at
        )
    ):
        change.created_at, change.sequence = there, placed_at(there)
    merge.updated[row.__tablename__] += 1
    if (game := _game_of(row)) is not None:
        merge.games.add(game.id)
        merge.changed_games.add(game.id)


def _game_of(row: Base) -> Game | None:
    if isinstance(row, Game):
        return row
    if isinstance(row, (Seat, GameRound)):
        return row.game
    if isinstance(row, Entry):
        return row.round.game
    if isinstance(row, Purchase):
        return row.entry.round.game
    if isinstance(row, Tableau) and row.entry is not None:
        return row.entry.round.game
    return None


# --- afterwards ---------------------------------------------------------------------------------------------


def _finish(merge: _Merge, catalogue: Catalogue) -> None:
    """Rulings follow what changed, pages look again, and a log that would not work is not taken at all."""
    session = merge.session
    session.flush()
    session.expire_all()
    for game_id in merge.changed_games:
        game = session.get_one(Game, game_id)
        game.version += 1
        for entry in (entry for round_ in game.rounds for entry in round_.entries):
            tableau = live_tableau(entry)
            if tableau is not None and tableau.record is not None:
                rejudge(session, catalogue, tableau)
    try:
        for game_id in merge.games:
            whole = load_game(session, game_id)
            if whole is not None:
                _check_terms(whole)
                game_view(whole, catalogue, "en")
        for tableau_id in merge.tableaus:
            tableau = session.get_one(Tableau, tableau_id)
            rules = rules_of(tableau)
            for form, value in ((Record, tableau.record), (rules.verdict_type, tableau.ruling)):
                if value is not None:
                    msgspec.convert(value, form)
            for told in (tableau.terms, *(revision.settings for revision in tableau.revisions)):
                rules.make_terms(told or {})
            for claim in tableau.claims:
                if claim.record is not None:
                    msgspec.convert(claim.record, Record)
                said_basis(claim)
    except (WaymarkError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise log_broken() from error


def _check_terms(game: Game) -> None:
    """Raises `WaymarkError`, `TypeError` or `ValueError` for what cannot be told, or stand in a box."""
    rules = rules_of(game)
    rules.make_terms(game.settings)
    for round_ in game.rounds:
        for entry in round_.entries:
            rules.make_terms(told_of_entry(entry))
            check_boxes(entry)


def _namesakes(session: Session) -> list[str]:
    """Names that several people have."""
    names = select(Person.name).where(Person.deleted_at.is_(None)).group_by(Person.name)
    return list(session.scalars(names.having(func.count() > 1).order_by(Person.name)))
