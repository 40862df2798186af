"""Validation of a whole game or tableau: whether its rows can be played on, shown and scored. A log import
and `waymark data check` use it; the app's own writes follow the same rules. `webapp.store.integrity`
validates single rows.

An invalid row is reported with its fault in a few words; nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.text import Text, unchanged
from waymark.review.projection import Projection
from webapp.games.final_view import final_view
from webapp.games.market import OTHER
from webapp.games.view import game_view
from webapp.store.boxes import rules_of, told_of_entry
from webapp.store.integrity import Fault, game_faults, tableau_faults
from webapp.store.models import Base, Entry, Game, GameRound, Purchase, Shot, Tableau
from webapp.store.tableaus import assessment_of, pending_assessment, pending_shot

#: Largest number of rows below one row: far more than any evening produces, and no more than a page can show.
MOST_BELOW = 10_000

#: Names of the tables in words for people.
_NOUNS = {
    "person": Text("player"),
    "game": Text("game"),
    "seat": Text("seat"),
    "game_round": Text("round"),
    "entry": Text("player's round"),
    "purchase": Text("purchase"),
    "photo": Text("photo"),
    "tableau": Text("tableau"),
    "shot": Text("photo of a tableau"),
    "revision": Text("correction"),
    "claim": Text("claim"),
    "change": Text("line of the journal"),
}


class UnsoundRow(Exception):
    """Error for an invalid row: its table, its id, and its fault."""

    def __init__(self, noun: str, row_id: str, what: Text) -> None:
        super().__init__(noun, row_id, what.en)
        self.noun, self.row_id, self.what = noun, row_id, what

    @property
    def name(self) -> Text:
        """The row's type and id, in words for people."""
        noun = _NOUNS.get(self.noun, unchanged(self.noun))
        return Text("{noun} {row_id}", noun=noun, row_id=self.row_id[:64])


def _unsound(row: Base, what: Text) -> UnsoundRow:
    return UnsoundRow(row.__tablename__, row.id, what)


#: Exceptions that functions may raise for invalid stored values.
_FAULTS = (
    WaymarkError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


@contextmanager
def _of(row: Base, what: Text) -> Iterator[None]:
    """Context manager that reports any error in its block as a fault of this row."""
    try:
        yield
    except UnsoundRow:
        raise
    except WaymarkError as error:
        raise UnsoundRow(row.__tablename__, row.id, error.words) from error
    except _FAULTS as error:
        raise UnsoundRow(row.__tablename__, row.id, what) from error


def _check_rows(faults: Iterable[Fault]) -> None:
    """Raises `UnsoundRow` for the first of these faults."""
    for fault in faults:
        raise UnsoundRow(fault.table, fault.row_id, fault.why)


# --- a game -------------------------------------------------------------------------------------------------


def check_game(game: Game, catalogue: Catalogue) -> None:
    """Validate a game with all its rows. Raises `UnsoundRow`."""
    with _of(game, Text("the game is not known")):
        rules = rules_of(game)
    for entry in (entry for round_ in game.rounds for entry in round_.entries):
        if len(entry.purchases) > MOST_BELOW:
            raise _unsound(entry, Text("it has too many purchases"))
    _check_rows(game_faults(game))
    _check_seats(game)
    for round_ in game.rounds:
        _check_round(game, round_)
        for entry in round_.entries:
            _check_entry(entry, rules)
    with _of(game, Text("the score of this game cannot be computed")):
        final_view(game_view(game, catalogue, "en"), "en")


def _check_seats(game: Game) -> None:
    names, colours = set[str](), set[str]()
    for seat in game.seats:
        _check_lasting(seat)
        if not seat.name.strip() or seat.name in names:
            raise _unsound(seat, Text("its name is empty or another seat's"))
        if seat.colour in colours:
            raise _unsound(seat, Text("its colour is another seat's"))
        names.add(seat.name)
        colours.add(seat.colour)


def _check_lasting(row: Base) -> None:
    """Raises `UnsoundRow` for a deleted row of a type that is only deleted with its game."""
    if row.deleted_at is not None:
        raise _unsound(row, Text("it is deleted, and such a row never is"))


def _check_round(game: Game, round_: GameRound) -> None:
    _check_lasting(round_)
    for entry in round_.entries:
        _check_lasting(entry)
    first = [entry for entry in round_.entries if entry.time_bonus]
    if len(first) > 1:
        raise _unsound(first[1], Text("two were first to finish"))
    if first and (round_.nobody_first or not round_.hourglass):
        raise _unsound(first[0], Text("somebody has a bonus that the round does not have"))


def _check_entry(entry: Entry, rules: Rules) -> None:
    with _of(entry, _NO_TERMS):
        rules.rules.settings.make(told_of_entry(entry))
    for purchase in entry.purchases:
        _check_purchase(purchase, rules)
    tableau = entry.tableau
    if tableau is not None and tableau.game != entry.round.game.game:
        raise _unsound(tableau, Text("it is of another game than its round"))


_NO_TERMS = Text("it has a term that this game does not have")


def _check_purchase(purchase: Purchase, rules: Rules) -> None:
    wares = rules.play.market.wares if rules.play.market is not None else ()
    ware = next((each for each in wares if each.id == purchase.kind), None)
    if ware is None and purchase.kind != OTHER:
        raise _unsound(purchase, Text("nothing of the kind is sold"))
    if ware is not None and ware.fills is not None and purchase.what not in ware.choices:
        raise _unsound(purchase, Text("nothing of the name is sold"))


# --- a tableau ----------------------------------------------------------------------------------------------


def check_tableau(session: Session, tableau: Tableau, catalogue: Catalogue) -> None:
    """Validate a tableau with its photos, corrections and claims. Raises `UnsoundRow`."""
    with _of(tableau, Text("the game is not known")):
        rules = rules_of(tableau)
    if max(len(tableau.revisions), len(tableau.claims), len(tableau.shots)) > MOST_BELOW:
        raise _unsound(tableau, Text("it has too much below it"))
    _check_rows(tableau_faults(tableau, rules))
    shots = _check_shots(session, tableau)
    _check_revisions(tableau, rules, shots)
    if (tableau.ruling is None) != (tableau.record is None) and tableau.ruling is not None:
        raise _unsound(tableau, Text("there is a ruling without a record"))
    for name in (tableau.shot_id, tableau.late_shot_id):
        if name is not None and name not in shots:
            raise _unsound(tableau, Text("it uses a photo that is not its own"))
    used = shots.get(tableau.shot_id or "")
    if used is not None and tableau.record is not None and used.reading is None:
        raise _unsound(tableau, Text("it uses a photo that was not read"))
    _check_shown(session, tableau, catalogue)


def _check_shots(session: Session, tableau: Tableau) -> dict[str, Shot]:
    shots = {shot.id: shot for shot in session.scalars(select(Shot).where(Shot.tableau_id == tableau.id))}
    for shot in shots.values():
        first = shots.get(shot.reread_of) if shot.reread_of is not None else None
        if shot.reread_of is not None and (first is None or first.reread_of is not None):
            raise _unsound(shot, Text("it reads a photo again that is not here"))
        if first is not None and first.photo_id != shot.photo_id:
            raise _unsound(shot, Text("it reads another photo again"))
        if (shot.reread_of is None) != (shot.given is None):
            raise _unsound(shot, Text("what it is read on is missing"))
        if shot.beside is not None:
            other = shots.get(shot.beside)
            if other is None or other.sequence >= shot.sequence:
                raise _unsound(shot, Text("it goes with a photo that is not before it"))
        if shot.state == "done" and shot.reading is None:
            raise _unsound(shot, Text("it was read, and there is no reading"))
    return shots


def _check_revisions(tableau: Tableau, rules: Rules, shots: Mapping[str, Shot]) -> None:
    numbers = set[int]()
    for revision in tableau.revisions:
        _check_lasting(revision)
        for earlier in (revision.before, revision.repeats):
            if earlier is not None and earlier not in numbers:
                raise _unsound(revision, Text("it goes back to one that is not before it"))
        numbers.add(revision.number)
        if revision.shot_id is not None and revision.shot_id not in shots:
            raise _unsound(revision, Text("it is of a photo that is not here"))
        with _of(revision, _NO_TERMS):
            rules.rules.settings.make(revision.settings or {})


def _check_shown(session: Session, tableau: Tableau, catalogue: Catalogue) -> None:
    """Check that the tableau's page can be computed. Tableaus of cards that are not available here are
    skipped, since their page reports that."""
    try:
        stands = assessment_of(session, catalogue, tableau)
        if stands is not None:
            Projection(stands.scan.cards, stands.dungeon)
        late = pending_shot(session, tableau) if stands is not None else None
        if late is not None:
            pending_assessment(session, catalogue, late)
    except WaymarkError as error:
        known = {card.id for card in catalogue.cards}
        laid = {card["card"] for card in (tableau.record or {}).get("cards", ())}
        if laid <= known:
            raise _unsound(tableau, error.words) from error
    except _FAULTS as error:
        raise _unsound(tableau, Text("its reading and its record do not match")) from error
