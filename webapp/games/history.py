"""History of games and photos: search, renaming and merging of people, the bin.

Functions that change something work inside the caller's transaction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Generic, TypeVar
from unicodedata import normalize

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, object_session, selectinload
from sqlalchemy.sql.base import ExecutableOption

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import known_games, modes_of, word_of
from scorer.play_kinds import play_kind
from scorer.text import Text
from webapp.games.games import check_tableau_open
from webapp.games.games import touch as touch_game
from webapp.games.manual_scores import take_ruling
from webapp.store.boxes import kind_of
from webapp.store.kinds import rejudge
from webapp.store.models import Base, Change, Entry, Game, GameRound, Person, Seat, Shot, Tableau, now
from webapp.store.names import name_key
from webapp.store.tableaus import delete, restore, touch

#: Rows on a page of the history.
PAGE_SIZE = 20
PHOTOS_PAGE_SIZE = 30
MAX_WORDS = 8

Found = TypeVar("Found")
Row = TypeVar("Row", bound=Base)


@dataclass(frozen=True)
class Page(Generic[Found]):
    """One page of search results: `number` counts from 1, `total` is the number of all results."""

    items: Sequence[Found]
    number: int
    pages: int
    total: int


def page_number(asked: str) -> int:
    """The page number of a request; 1 for an invalid number."""
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 9 else 1


# --- searching ----------------------------------------------------------------------------------------------

#: Years that a search word can mean; other numbers are plain words.
_FIRST_YEAR, _LAST_YEAR = 1970, 2500
_DATE = re.compile(r"(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?|年)?")


def days_meant(word: str) -> tuple[datetime, datetime] | None:
    """Start and end time of a year, month or day ("2026", "2026-11", "2026/11/21", "2026年11月21日") in the
    table's time zone. None for other words."""
    match = _DATE.fullmatch(word)
    if match is None:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        start = date(year, month or 1, day or 1)
    except ValueError:
        return None
    if day:
        end = start + timedelta(days=1)
    elif month:
        end = date(year + month // 12, month % 12 + 1, 1)
    else:
        end = date(year + 1, 1, 1)
    return _midnight(start), _midnight(end)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day).astimezone()


def _spellings(word: str) -> dict[str, None]:
    """Spellings of a word: as written, with composed and decomposed accents, and with full-width characters
    replaced ("Ｄ２９" is "D29")."""
    return dict.fromkeys((word, *(normalize(form, word) for form in ("NFC", "NFD", "NFKC"))))


def _seated(column: InstrumentedAttribute[str], word: str) -> Select[str]:
    """SQL subquery for a column of seats whose player's name contains the word."""
    named = or_(Seat.name.icontains(word, autoescape=True), Person.name.icontains(word, autoescape=True))
    return select(column).join(Person, Seat.person_id == Person.id).where(named)


def _shared_games() -> list[str]:
    """Words of the games in which all players share one tableau."""
    games = (game for word in known_games() for game in modes_of(word))
    return [word_of(game) for game in games if play_kind(game).shared]


def _of_game(word: str) -> ColumnElement[bool]:
    """SQL condition for a game with the word in a player's name, title, place, notes or date."""
    found = [
        Game.id.in_(_seated(Seat.game_id, word)),
        *(column.icontains(word, autoescape=True) for column in (Game.title, Game.location, Game.notes)),
    ]
    if (days := days_meant(word)) is not None:
        found.append(and_(Game.created_at >= days[0], Game.created_at < days[1]))
    return or_(*found)


def find_games(session: Session, *, words: str = "", person_id: str = "", number: int = 1) -> Page[Game]:
    """One page of the games that match every word, newest first."""
    wanted = select(Game.id).where(Game.deleted_at.is_(None))
    for word in words.split()[:MAX_WORDS]:
        wanted = wanted.where(or_(*map(_of_game, _spellings(word))))
    if person_id:
        wanted = wanted.where(Game.id.in_(select(Seat.game_id).where(Seat.person_id == person_id)))
    order = wanted.order_by(Game.created_at.desc(), Game.id)
    return _page(session, Game, order, _whole_game(), number, PAGE_SIZE)


def find_tableaus(
    session: Session, *, words: str = "", outside: bool = False, number: int = 1
) -> Page[Tableau]:
    """Tableaus with a photo that have every word: player, game, a card that was read ("D29"), title, notes
    or date. `outside`: only those that belong to no game."""
    has_photo = select(Shot.id).where(Shot.tableau_id == Tableau.id, Shot.deleted_at.is_(None)).exists()
    wanted = (
        select(Tableau.id)
        .outerjoin(Entry, Tableau.entry_id == Entry.id)
        .outerjoin(GameRound, Entry.round_id == GameRound.id)
        .outerjoin(Game, GameRound.game_id == Game.id)
        .where(Tableau.deleted_at.is_(None), Game.deleted_at.is_(None), has_photo)
    )
    if outside:
        wanted = wanted.where(Tableau.entry_id.is_(None))
    for word in words.split()[:MAX_WORDS]:
        wanted = wanted.where(or_(*map(_of_tableau, _spellings(word))))
    order = wanted.order_by(Tableau.created_at.desc(), Tableau.id)
    brought = (
        selectinload(Tableau.shots),
        selectinload(Tableau.entry).options(
            selectinload(Entry.seat), selectinload(Entry.round).selectinload(GameRound.game)
        ),
    )
    return _page(session, Tableau, order, brought, number, PHOTOS_PAGE_SIZE)


def _of_tableau(word: str) -> ColumnElement[bool]:
    """SQL condition for a tableau that matches the word itself, or by its player or game. A shared tableau
    matches any of its players."""
    games = select(Game.id).where(
        or_(Game.title.icontains(word, autoescape=True), Game.location.icontains(word, autoescape=True))
    )
    found: list[ColumnElement[bool]] = [
        Entry.seat_id.in_(_seated(Seat.id, word)),
        and_(Tableau.game.in_(_shared_games()), GameRound.game_id.in_(_seated(Seat.game_id, word))),
        GameRound.game_id.in_(games),
        Tableau.cards.contains(f"\n{word.lower()}\n", autoescape=True),
    ]
    # Most games have none, so existence is checked before the content.
    found += [
        and_(column != "", column.icontains(word, autoescape=True))
        for column in (Tableau.title, Tableau.notes)
    ]
    if (days := days_meant(word)) is not None:
        found.append(and_(Tableau.created_at >= days[0], Tableau.created_at < days[1]))
    return or_(*found)


def _page(
    session: Session,
    kind: type[Row],
    wanted: Select[str],
    brought: Sequence[ExecutableOption],
    number: int,
    size: int,
) -> Page[Row]:
    """One page of rows with the `wanted` ids, in that order, with relations loaded as `brought`. Only rows of
    this page are loaded, since rows are large."""
    total = session.scalar(select(func.count()).select_from(wanted.order_by(None).subquery())) or 0
    pages = max(1, -(-total // size))
    number = min(max(1, number), pages)
    ids = session.scalars(wanted.offset((number - 1) * size).limit(size)).all()
    rows = {row.id: row for row in session.scalars(select(kind).where(kind.id.in_(ids)).options(*brought))}
    return Page([rows[row_id] for row_id in ids if row_id in rows], number, pages, total)


def _whole_game() -> tuple[ExecutableOption, ...]:
    entries = selectinload(Game.rounds).selectinload(GameRound.entries)
    return (
        selectinload(Game.seats),
        entries.selectinload(Entry.purchases),
        entries.selectinload(Entry.tableau).selectinload(Tableau.shots),
    )


# --- people -------------------------------------------------------------------------------------------------


def people(session: Session) -> list[Person]:
    """All people who are not deleted, by name."""
    return list(
        session.scalars(select(Person).where(Person.deleted_at.is_(None)).order_by(Person.name, Person.id))
    )


def games_with(session: Session, person_id: str = "") -> list[Game]:
    """Games of a person, or all games, oldest first, without their rounds."""
    wanted = select(Game).where(Game.deleted_at.is_(None)).order_by(Game.created_at, Game.id)
    if person_id:
        wanted = wanted.where(Game.id.in_(select(Seat.game_id).where(Seat.person_id == person_id)))
    return list(session.scalars(wanted))


def rename_person(person: Person, name: str) -> None:
    """Rename a person, also in games with the old name, unless another player there has the new one. Raises
    `WaymarkError` (bad-name)."""
    name = name.strip()
    if not name_key(name):
        raise WaymarkError(Code.BAD_NAME, Text("A player needs a name; write one."))
    for seat in person.seats:
        others = {name_key(other.name) for other in seat.game.seats if other is not seat}
        if seat.name == person.name and name_key(name) not in others:
            seat.name = name
            touch_game(seat.game)
    person.name = name


def look_alikes(persons: Sequence[Person]) -> list[list[Person]]:
    """Groups of people whose names look the same: a name may be typed in two ways, or be used at two
    tables."""
    alike: dict[str, list[Person]] = {}
    for person in persons:
        # A name that is not readable cannot be compared.
        if isinstance(person.name, str) and (key := name_key(person.name)):
            alike.setdefault(key, []).append(person)
    return [each for each in alike.values() if len(each) > 1]


def merge_person(person: Person, into: Person) -> None:
    """Two entries for one human: the games of `person` become those of `into`, and `person` goes into the
    bin, from where `restore_person` undoes all of it. Raises `WaymarkError` (same-person)."""
    if person is into:
        raise WaymarkError(Code.SAME_PERSON, Text("This is the same player twice; choose another one."))
    seats, session = list(person.seats), object_session(person)
    person.deleted_at = now()
    if session is not None:
        # Flushed, so that the changes by merging follow it in the journal.
        session.flush()
    for seat in seats:
        # Set by column: the journal does not see changes of a relation.
        seat.person_id = into.id
        touch_game(seat.game)


def delete_person(person: Person) -> None:
    """Hide a person from lists; the games stay as they are."""
    person.deleted_at = now()


def restore_person(session: Session, person: Person) -> None:
    """Bring a person back, with the games that merging took."""
    if person.deleted_at is None:
        return
    journal = select(Change.sequence, Change.after).where(
        Change.noun == Person.__tablename__, Change.noun_id == person.id
    )
    put_away = [sequence for sequence, wrote in session.execute(journal) if wrote.get("deleted_at")]
    # By time as well, because earlier versions wrote both at once.
    after = or_(Change.sequence > max(put_away, default=0), Change.created_at >= person.deleted_at)
    moved = select(Change).where(Change.noun == Seat.__tablename__, after)
    for change in session.scalars(moved):
        seat = session.get(Seat, change.noun_id)
        if (
            seat is not None
            and change.before.get("person_id") == person.id
            and change.after.get("person_id") == seat.person_id
        ):
            seat.person_id = person.id
            touch_game(seat.game)
    person.deleted_at = None


# --- tableaus -----------------------------------------------------------------------------------------------


def delete_tableau(tableau: Tableau) -> None:
    """Hide a tableau with its photos, and remove its score from its game. Raises `WaymarkError`:
    game-finished; conflict for a shared tableau, which its game needs."""
    check_tableau_open(tableau)
    entry = tableau.entry
    if entry is not None and kind_of(tableau).shared:
        raise WaymarkError(
            Code.CONFLICT,
            Text("This lies before all players of its game; put the whole game into the bin instead."),
        )
    delete(tableau)
    touch(tableau)
    if entry is not None and not entry.typed:
        take_ruling(entry)


def restore_tableau(session: Session, catalogue: Catalogue, tableau: Tableau) -> None:
    """Restore a deleted tableau to its round, unless another tableau is there. It is refereed with the
    round's current objectives, and its score counts unless another was typed. Raises `WaymarkError`
    (game-finished)."""
    restore(tableau)
    if tableau.entry_id is None:
        tableau.entry_id = _place_before(session, tableau)
        session.flush()
        session.expire(tableau, ["entry"])
    check_tableau_open(tableau)
    touch(tableau)
    rejudge(session, catalogue, tableau)


def _place_before(session: Session, tableau: Tableau) -> str | None:
    """The entry that a displaced tableau belonged to, if it is free again."""
    journal = select(Change).where(Change.noun == Tableau.__tablename__, Change.noun_id == tableau.id)
    left = (row.before.get("entry_id") for row in session.scalars(journal.order_by(Change.sequence.desc())))
    entry_id = next(filter(None, left), None)
    other = session.scalar(select(Tableau).where(Tableau.entry_id == entry_id)) if entry_id else None
    if other is not None and other.deleted_at is None:
        return None
    if other is not None:
        # Set by id: the journal records columns.
        other.entry_id = None
        session.flush()
    return entry_id


# --- the bin ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bin:
    """Deleted things, latest first. Photos of deleted tableaus are not listed separately."""

    games: Sequence[Game]
    tableaus: Sequence[Tableau]
    shots: Sequence[Shot]
    persons: Sequence[Person]

    @property
    def is_empty(self) -> bool:
        """Whether the bin is empty."""
        return not (self.games or self.tableaus or self.shots or self.persons)


def bin_of(session: Session) -> Bin:
    """Everything that can be restored."""

    def deleted(kind: type[Row]) -> Select[Row]:
        return select(kind).where(kind.deleted_at.is_not(None)).order_by(kind.deleted_at.desc())

    shots = deleted(Shot).join(Tableau, Shot.tableau_id == Tableau.id).where(Tableau.deleted_at.is_(None))
    return Bin(
        session.scalars(deleted(Game).options(selectinload(Game.seats))).all(),
        session.scalars(deleted(Tableau).options(selectinload(Tableau.shots))).all(),
        session.scalars(shots.where(Shot.reread_of.is_(None))).all(),
        session.scalars(deleted(Person)).all(),
    )
