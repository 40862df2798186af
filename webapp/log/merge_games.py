"""Merge of a log's rows into the database, a game at a time: new rows are added, and of two versions of a row
the later one is kept. The result is validated as a whole before it is saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, insert, or_, select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.text import Text
from webapp.games.score_sheet import live_tableau
from webapp.games.soundness import UnsoundRow, check_game, check_tableau
from webapp.games.view import load_game
from webapp.log.import_staging import OF_A_UNIT, PARENT, Staging
from webapp.log.merge_tableaus import add_revisions, find_place
from webapp.log.rows import Values, columns_of
from webapp.store.kinds import rejudge
from webapp.store.models import (
    Base,
    Change,
    Claim,
    Entry,
    Game,
    GameRound,
    Person,
    Photo,
    Revision,
    Seat,
    Shot,
    Tableau,
    now,
    placed_at,
)
from webapp.store.photos import StoredPhoto

#: Derived columns and counters: a difference only in these is no difference.
_FOLLOWING = frozenset({"version", "ruling", "sure"})
#: Tables whose rows are written once. Whether a shot is in the bin is a matter of each table.
_NEVER_CHANGE = (Photo, Shot, Revision, Claim, Change)
#: References of a row that never change. A tableau can be moved, and a photo may have another hash here.
_FOR_GOOD: dict[type[Base], tuple[str, ...]] = {
    table: (column,) for table, (column, _) in PARENT.items() if table is not Tableau
} | {Entry: ("round_id", "seat_id")}


#: Columns that are unique together, by table.
_ONE_EACH: dict[type[Base], tuple[str, str]] = {
    Seat: ("game_id", "position"),
    GameRound: ("game_id", "number"),
    Entry: ("round_id", "seat_id"),
}


@dataclass
class Counts:
    """Numbers of rows that were added, updated and kept, by noun (table)."""

    added: Counter[str] = field(default_factory=Counter)
    updated: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        for mine, theirs in zip(
            (self.added, self.updated, self.kept), (other.added, other.updated, other.kept), strict=True
        ):
            mine.update(theirs)


@dataclass(frozen=True)
class Merging:
    """The context of a merge: staged rows, a transaction, and access to the log's readings and photos.
    `photo` gives a stored photo of the log (None: missing in the log). `times` gives the time of a row's last
    local change."""

    staging: Staging
    session: Session
    catalogue_of: Callable[[str], Catalogue]
    reading: Callable[[str], bytes | None]
    photo: Callable[[str], StoredPhoto | None]
    times: Callable[[str, str], float | None]


def times_of(session: Session) -> Callable[[str, str], float | None]:
    """A function that gives the time of a local row's last change (seconds since 1970), from the journal."""

    def changed_at(noun: str, row_id: str) -> float | None:
        latest = select(func.max(Change.created_at)).where(Change.noun == noun, Change.noun_id == row_id)
        times = [session.scalar(latest)]
        if noun == Tableau.__tablename__:
            times.append(
                session.scalar(select(func.max(Revision.created_at)).where(Revision.tableau_id == row_id))
            )
        return max((each.timestamp() for each in times if each is not None), default=None)

    return changed_at


def merge_people(merging: Merging, rows: Sequence[Values]) -> Counts:
    """Merge some of the log's people into this table's people."""
    unit = _Unit(merging)
    unit.merge(Person, rows)
    merging.session.flush()
    return unit.counts


def merge_unit(merging: Merging, name: str, *, checked: bool = False) -> Counts:
    """Merge the log's rows of one game, or of one tableau outside games. The result is validated as a whole
    unless `checked`. Raises `UnsoundRow` where it would be invalid."""
    session, unit = merging.session, _Unit(merging)
    known = session.get(Game, name) is not None
    _merge_rows(merging, unit, name)
    counts = unit.counts
    if not any((*counts.added.values(), *counts.updated.values())):
        return counts
    game = load_game(session, name)
    if game is not None:
        _settle_game(merging, unit, game, known=known, checked=checked)
    session.flush()
    if not checked:
        for tableau in _tableaus(merging, name):
            check_tableau(session, tableau, merging.catalogue_of(tableau.deck))
    return counts


def _merge_rows(merging: Merging, unit: _Unit, name: str) -> None:
    """Merge all rows of a unit, table by table."""
    session = merging.session
    for table in OF_A_UNIT:
        for rows in merging.staging.rows(table, name):
            if table is not Revision:
                unit.merge(table, rows)
        session.flush()
        if table is Tableau:
            unit.take_places()
        if table is Revision:
            unit.merge_revisions(name)
    session.flush()
    session.expire_all()


def _settle_game(merging: Merging, unit: _Unit, game: Game, *, known: bool, checked: bool) -> None:
    """Update a game after its rows were merged: version, time bonus, new rulings. Raises `UnsoundRow` for an
    invalid game, unless it is already `checked`."""
    session, updated = merging.session, any(unit.counts.updated.values())
    if known:
        game.version += 1
    if updated:
        unit.settle_time_bonus(game)
        session.flush()
    if not checked:
        check_game(game, merging.catalogue_of(game.deck))
    if updated:
        for entry in (entry for round_ in game.rounds for entry in round_.entries):
            tableau = live_tableau(entry)
            if tableau is not None and tableau.record is not None:
                rejudge(session, merging.catalogue_of(tableau.deck), tableau)


def _tableaus(merging: Merging, unit: str) -> Iterator[Tableau]:
    """The tableaus of a unit that rows of the log refer to."""
    names: dict[str, None] = {}
    for table, column in (
        (Tableau, "id"),
        (Shot, "tableau_id"),
        (Revision, "tableau_id"),
        (Claim, "tableau_id"),
    ):
        for rows in merging.staging.rows(table, unit):
            names.update(dict.fromkeys(row[column] for row in rows))
    for name in names:
        yield merging.session.get_one(Tableau, name)


def state_of_unit(session: Session, unit: str) -> tuple[Any, ...]:
    """Fingerprint of a unit's versions: unchanged while no row of it was changed."""
    game = session.execute(select(Game.version).where(Game.id == unit)).first()
    rounds = select(GameRound.id).where(GameRound.game_id == unit)
    entries = select(Entry.id).where(Entry.round_id.in_(rounds))
    tableaus = session.execute(
        select(Tableau.id, Tableau.version, Tableau.entry_id)
        .where(or_(Tableau.id == unit, Tableau.entry_id.in_(entries)))
        .order_by(Tableau.id)
    )
    return (tuple(game) if game is not None else None, *map(tuple, tableaus))


def add_changes(session: Session, rows: Sequence[Values]) -> None:
    """Insert those journal rows of the log that are missing here."""
    names = [row["id"] for row in rows]
    known = set(session.scalars(select(Change.id).where(Change.id.in_(names))))
    new = [row for row in rows if row["id"] not in known]
    if new:
        defaults: dict[str, Any] = {"deleted_at": None}
        session.execute(insert(Change), [defaults | row for row in new])


@dataclass
class _Unit:
    """One unit that is being merged. `places` are the rounds of its tableaus, assigned once all tableaus are
    merged."""

    merging: Merging
    counts: Counts = field(default_factory=Counts)
    places: dict[str, str | None] = field(default_factory=dict)
    begun_at: datetime = field(default_factory=now)

    # --- rows ---

    def merge(self, table: type[Base], rows: Sequence[Values]) -> None:
        names = [row["id"] for row in rows]
        session = self.merging.session
        known = {row.id: row for row in session.scalars(select(table).where(table.id.in_(names)))}
        for values in rows:
            row = known.get(values["id"])
            if row is None:
                self._add(table, values)
            else:
                _check_same_place(row, values)
                self._merge_row(row, values)

    def _add(self, table: type[Base], values: Values) -> None:
        row = table(**values)
        session = self.merging.session
        if isinstance(row, Shot):
            self._add_photo(row)
            row.reading = self.merging.reading(row.id)
            if row.reading is None and row.state != "failed":
                row.state, row.stage, row.attempts = "waiting", "", 0
            sent = select(Shot.id).where(Shot.client_key == row.client_key)
            if row.client_key is not None and session.scalar(sent) is not None:
                row.client_key = None
        if isinstance(row, Tableau) and row.entry_id is not None:
            there = select(Tableau.id).where(Tableau.entry_id == row.entry_id)
            if session.scalar(there) is not None:
                self.places[row.id], row.entry_id = row.entry_id, None
        self._check_alone(table, row.id, values)
        if isinstance(row, Entry) and session.get(Seat, row.seat_id) is None:
            other = Text("it is of a seat of another game")
            raise UnsoundRow(Entry.__tablename__, row.id, other)
        session.add(row)
        self.counts.added[table.__tablename__] += 1

    def _add_photo(self, shot: Shot) -> None:
        """Insert the photo row of a new shot. A photo exported without metadata has a new hash. For a photo
        missing in the log, the log's photo row is used."""
        session, staging = self.merging.session, self.merging.staging
        told = staging.named(Photo, [shot.photo_id])
        stored = self.merging.photo(shot.photo_id)
        if stored is not None:
            shot.photo_id = stored.sha256
        if session.get(Photo, shot.photo_id) is not None:
            return
        if stored is not None:
            photo = Photo(
                id=stored.sha256,
                media_type=stored.media_type,
                width=stored.width,
                height=stored.height,
                size_bytes=stored.size_bytes,
                created_at=told[0]["created_at"] if told else shot.created_at,
            )
        elif told:
            photo = Photo(**told[0])
        else:
            raise UnsoundRow(Shot.__tablename__, shot.id, Text("its photo is missing"))
        session.add(photo)
        session.flush()
        self.counts.added[Photo.__tablename__] += 1

    def _merge_row(self, row: Base, values: Values) -> None:
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
        there, here = self._times(row)
        if there is None or (here is not None and here >= there):
            self.counts.kept[row.__tablename__] += 1
            return
        self._check_alone(type(row), row.id, values)
        if isinstance(row, Tableau) and "entry_id" in different:
            self.places[row.id], different["entry_id"] = different["entry_id"], None
        self._write(row, different)
        self.counts.updated[row.__tablename__] += 1

    def _check_alone(self, table: type[Base], row_id: str, values: Values) -> None:
        """Check the unique constraints of a row, such as one seat per position. Raises `UnsoundRow`."""
        if table not in _ONE_EACH:
            return
        same = [getattr(table, column) == values[column] for column in _ONE_EACH[table]]
        if self.merging.session.scalar(select(table.id).where(table.id != row_id, *same)) is not None:
            raise UnsoundRow(table.__tablename__, row_id, Text("another one is that already"))

    def _write(self, row: Base, values: Values) -> None:
        for column, value in values.items():
            setattr(row, column, value)
        self.merging.session.flush()
        there, _ = self._times(row)
        if there is None:
            return
        # The journal has recorded this row as changed now; it was changed at the other table, earlier.
        for change in self.merging.session.scalars(
            select(Change).where(
                Change.noun == row.__tablename__, Change.noun_id == row.id, Change.created_at >= self.begun_at
            )
        ):
            change.created_at = datetime.fromtimestamp(there, UTC)
            change.sequence = placed_at(change.created_at)

    def _times(self, row: Base) -> tuple[float | None, float | None]:
        """Times of a row's last change: in the log, and here."""
        key = row.__tablename__, row.id
        return self.merging.staging.changed_at(*key), self.merging.times(*key)

    # --- tableaus ---

    def take_places(self) -> None:
        """Assign tableaus to the rounds given by the log, where the round has no other tableau."""
        session = self.merging.session
        for name, wanted in self.places.items():
            tableau, entry = session.get_one(Tableau, name), session.get(Entry, wanted) if wanted else None
            place = find_place(session, name, wanted) if entry is not None else None
            if place is not None:
                self._write(tableau, {"entry_id": place})
            self.counts.kept[Tableau.__tablename__] += place != wanted

    def merge_revisions(self, unit: str) -> None:
        session, by_tableau = self.merging.session, dict[str, list[Values]]()
        for rows in self.merging.staging.rows(Revision, unit):
            names = [row["id"] for row in rows]
            known = {
                row_id: tableau_id
                for row_id, tableau_id in session.execute(
                    select(Revision.id, Revision.tableau_id).where(Revision.id.in_(names))
                )
            }
            for values in rows:
                if known.get(values["id"], values["tableau_id"]) != values["tableau_id"]:
                    raise _elsewhere(Revision.__tablename__, values["id"])
                by_tableau.setdefault(values["tableau_id"], []).append(values)
        for tableau_id, theirs in by_tableau.items():
            there, here = self._times(session.get_one(Tableau, tableau_id))
            ours_stands = here is not None and (there is None or there <= here)
            added = add_revisions(session, theirs, ours_stands=ours_stands)
            self.counts.added[Revision.__tablename__] += added

    # --- rows that each of two tables may have written by itself ---

    def settle_time_bonus(self, game: Game) -> None:
        """Resolve conflicting statements of two tables about the first player to finish a round; the latest
        statement wins."""
        for round_ in game.rounds:
            first = [entry for entry in round_.entries if entry.time_bonus]
            if not first:
                continue
            latest = max(first, key=self._last_changed)
            stands = round_.hourglass and not round_.nobody_first
            keep = stands or self._last_changed(latest) > self._last_changed(round_)
            for entry in first:
                entry.time_bonus = keep and entry is latest
            if keep and not stands:
                round_.hourglass, round_.nobody_first = True, False

    def _last_changed(self, row: Base) -> float:
        return max((each for each in self._times(row) if each is not None), default=0.0)


def _check_same_place(row: Base, values: Values) -> None:
    for column in _FOR_GOOD.get(type(row), ()):
        if column in values and getattr(row, column) != values[column]:
            raise _elsewhere(row.__tablename__, row.id)


def _elsewhere(noun: str, row_id: str) -> UnsoundRow:
    return UnsoundRow(noun, row_id, Text("here it belongs to something else"))
