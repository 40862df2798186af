"""Validation of what the database cannot refuse: JSON of another form, and incomplete games.

Pages validate a thing that cannot be shown, `waymark data check` validates everything. Facts that depend on
cards (a record may be of another deck) are not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.orm import Session, object_session
from sqlalchemy.orm.exc import DetachedInstanceError

from scorer.errors import Code, WaymarkError
from scorer.game import Game as Rules
from scorer.text import Text
from webapp.store.boxes import rules_of
from webapp.store.column_checks import checks_of
from webapp.store.kinds import kept
from webapp.store.models import Base, Entry, Game, Revision, Shot, Tableau

#: Exceptions that code may raise for JSON of another form.
STUMBLES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, StopIteration)

Row = TypeVar("Row", Game, Tableau)
Shown = TypeVar("Shown")


@dataclass(frozen=True)
class Fault:
    """A fault of a row, in one `column` (None: in related rows): `why` in a few words, `what` in a
    sentence."""

    table: str
    row_id: str
    column: str | None
    why: Text
    what: Text


def faults_of(row: Base, rules: Rules | None, but: Container[str] = ()) -> list[Fault]:
    """Faults of a row's own values, except for the columns in `but`; `rules` are its game's (None:
    unknown)."""
    found: list[Fault] = []
    for column, check in checks_of(row, rules):
        if column in but:
            continue
        try:
            check()
        except (WaymarkError, *STUMBLES) as error:
            words = error if isinstance(error, WaymarkError) else None
            found.append(fault_at(row, column, words))
    return found


def faults_of_game(game: Game) -> list[Fault]:
    """Faults of a game: its rows, its tableaus, and missing or duplicate rounds."""
    found = list(game_faults(game))
    for entry in (entry for round_ in game.rounds for entry in round_.entries):
        if entry.tableau is not None:
            found += faults_of_tableau(entry.tableau)
    return list(dict.fromkeys(found))


def game_faults(game: Game) -> Iterator[Fault]:
    """Faults of a game without its tableaus, one after the other."""
    rules = _known_rules(game)
    entries = [entry for round_ in game.rounds for entry in round_.entries]
    rows: list[Base] = [game, *game.seats, *game.rounds, *entries]
    sound = True
    for row in rows:
        for fault in faults_of(row, rules):
            sound = False
            yield fault
    if sound:
        yield from _not_whole(game, rules)


def _known_rules(row: Game | Tableau) -> Rules | None:
    try:
        return rules_of(row)
    except WaymarkError:
        return None


def faults_of_tableau(tableau: Tableau) -> list[Fault]:
    """Faults of a tableau, of its photos, and of the rows it belongs to."""
    rules = _known_rules(tableau)
    found = list(tableau_faults(tableau, rules))
    for revision in tableau.revisions:
        found += faults_of(revision, rules)
    if tableau.entry is not None:
        found += _faults_around(tableau.entry, rules)
    return list(dict.fromkeys(found))


def tableau_faults(tableau: Tableau, rules: Rules | None) -> Iterator[Fault]:
    """Faults of a tableau's own rows, one after the other; references between corrections are not checked."""
    for row in (tableau, *tableau.shots, *tableau.revisions, *tableau.claims):
        yield from faults_of(row, rules, _EARLIER if isinstance(row, Revision) else ())
    for shot in tableau.shots:
        yield from reading_faults(shot)


#: Columns in which a correction refers to others: checking each of ten thousand would take minutes.
_EARLIER = frozenset({"before", "repeats"})


def reading_faults(shot: Shot) -> list[Fault]:
    """Faults of a photo's stored reading."""
    try:
        if shot.reading is not None:
            kept(shot.tableau).check_reading(shot.reading)
    except (WaymarkError, *STUMBLES):
        return [fault_at(shot, "reading")]
    return []


def _faults_around(entry: Entry, rules: Rules | None) -> list[Fault]:
    """Faults of the game and round that a player's entry belongs to."""
    rows: list[Base] = [entry.seat, entry.round, entry.round.game]
    return [fault for row in rows for fault in faults_of(row, rules)]


def _not_whole(game: Game, rules: Rules | None) -> Iterator[Fault]:
    """Faults for missing and duplicate seats and rounds."""
    seats = [seat.id for seat in game.seats]
    if [seat.position for seat in game.seats] != list(range(len(seats))):
        yield _missing(game, Text("its seats are not numbered in order"))
    if sorted(round_.number for round_ in game.rounds) != list(range(1, len(game.rounds) + 1)):
        yield _missing(game, Text("its rounds are not numbered in order"))
    for round_ in game.rounds:
        if sorted(entry.seat_id for entry in round_.entries) != sorted(seats):
            yield _missing(round_, Text("it is not there once for every player"))
    if rules is None:
        return
    least, most, rounds = rules.sheet.least_players, rules.sheet.most_players, rules.sheet.rounds
    if not least <= len(seats) <= most:
        yield _missing(
            game,
            Text("it has {count} players, not {least} to {most}", count=len(seats), least=least, most=most),
        )
    if len(game.rounds) != rounds:
        yield _missing(
            game, Text("it has {count} rounds, not {rounds}", count=len(game.rounds), rounds=rounds)
        )


def _missing(row: Base, why: Text) -> Fault:
    noun = Text("game") if isinstance(row, Game) else Text("round")
    what = Text("The {noun} {row_id} is not whole: {why}.", noun=noun, row_id=row.id, why=why)
    return Fault(row.__tablename__, row.id, None, why, what)


def fault_at(row: Base, column: str, error: WaymarkError | None = None) -> Fault:
    """The fault of an invalid value in a column of a row."""
    table, row_id = row.__tablename__, row.id
    if error is not None:
        why = error.words
        what = Text(
            "The row {row_id} of {table} has in {column} what cannot be: {error}",
            row_id=row_id,
            table=table,
            column=column,
            error=error.words,
        )
    else:
        why = Text("what stands in {column} cannot be", column=column)
        what = Text(
            "The row {row_id} of {table} has something in {column} that cannot stand there.",
            row_id=row_id,
            table=table,
            column=column,
        )
    return Fault(table, row_id, column, why, what)


# --- rows that can be shown ---------------------------------------------------------------------------------

#: Key in a session's `info`: sentences about rows that could not be shown.
_HIDDEN = "waymark.hidden"


def damaged(row: Game | Tableau) -> WaymarkError | None:
    """The error for a game or tableau with damaged rows; None where they are sound."""
    try:
        faults = faults_of_game(row) if isinstance(row, Game) else faults_of_tableau(row)
    except DetachedInstanceError:
        # A streamed response outlives its session, so nothing more can be loaded.
        return None
    if not faults:
        return None
    noun = Text("game") if isinstance(row, Game) else Text("tableau")
    return WaymarkError(
        Code.DAMAGED,
        Text(
            "This {noun} cannot be shown because its data are damaged: {what} `waymark data mend` sets that "
            "aside.",
            noun=noun,
            what=faults[0].what,
        ),
    )


def readable(rows: Iterable[Row], show: Callable[[Row], Shown]) -> list[Shown]:
    """Results of `show` for rows, without those that fail: `hidden_from` has a sentence for each. An error
    that no damaged row explains is raised."""
    return list(each_readable(rows, show))


def each_readable(rows: Iterable[Row], show: Callable[[Row], Shown]) -> Iterator[Shown]:
    """As `readable`, as a generator of single results."""
    for row in rows:
        why: WaymarkError | None
        try:
            shown = show(row)
        except WaymarkError as error:
            why = damaged(row) or error
        except STUMBLES:
            why = damaged(row)
            if why is None and object_session(row) is not None:
                raise
        else:
            yield shown
            continue
        session = object_session(row)
        if session is not None and why is not None:
            session.info.setdefault(_HIDDEN, []).append(why)


def hidden_from(session: Session) -> list[WaymarkError]:
    """Reasons why rows of a session were left out by `readable`."""
    return list(session.info.get(_HIDDEN, ()))
