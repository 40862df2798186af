"""Operations on games: create, score round by round, correct by hand.

All functions work inside the caller's transaction and leave `game.version` higher when they change
anything. What counts, costs and ranks is the game's rules' to say (`scorer.game`)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.game import Game as Rules
from scorer.games import word_of
from scorer.play_kinds import BOARD, TABLE, PlayKind, groups_of, play_kind
from scorer.terms import Term
from scorer.text import Text, lower
from waymark.review.decision import CERTAINTY
from webapp.games.score_sheet import entry_at, is_begun, live_tableau
from webapp.store.board_players import rename_player
from webapp.store.boards import begin_board
from webapp.store.boxes import changed_house, group_of, kind_of, only, rules_of, rules_of_entry
from webapp.store.kinds import rejudge
from webapp.store.models import Entry, Game, GameRound, Person, Seat, Tableau, now
from webapp.store.names import name_key
from webapp.store.tables import TOLD, revise_table, shared_entry, table_entry


@dataclass(frozen=True)
class NewPlayer:
    """A new player of a game: a name, and a colour of the game's sheet."""

    name: str
    colour: str


@dataclass(frozen=True)
class NewTable:
    """Initial facts of a shared table: the mission's id, the groups' pens if not named by their colours, and
    terms of the game."""

    offer: str
    pens: Mapping[str, str]
    terms: Mapping[str, Any]


# --- beginning ----------------------------------------------------------------------------------------------


def create_game(
    session: Session,
    rules: Rules,
    players: Sequence[NewPlayer],
    *,
    title: str = "",
    location: str = "",
    settings: Mapping[str, Any] | None = None,
    certainty: float | None = None,
    deck: str = "",
    catalogue: Catalogue | None = None,
    table: NewTable | None = None,
    lot: bool = False,
) -> Game:
    """Create a game with all its rounds; players sit clockwise, and the first one begins. With `lot`, or by
    house rules (`settings`, those that differ from the defaults), the first player is drawn here.
    `certainty` as in `change_certainty`. Raises `WaymarkError` (bad-players).

    `table` has the initial facts of a shared table, over the cards of `catalogue`, for games with one."""
    seated = [NewPlayer(player.name.strip(), player.colour) for player in players]
    _check_players(rules, seated)
    terms = rules.rules.settings.make(settings or {})
    lot = lot or rules.sheet.first_by_lot(terms)
    if lot:
        first = secrets.randbelow(len(seated))
        seated = seated[first:] + seated[:first]
    game = Game(
        game=word_of(rules),
        deck=deck,
        title=title.strip(),
        location=location.strip(),
        settings=changed_house(rules, settings or {}),
        certainty=_kept(certainty),
    )
    session.add(game)
    people = [person_named(session, player.name) for player in seated]
    seats = [
        Seat(game=game, person=person, position=position, name=player.name, colour=player.colour)
        for position, (player, person) in enumerate(zip(seated, people, strict=True))
    ]
    for number in range(1, rules.sheet.rounds + 1):
        round_ = GameRound(game=game, number=number)
        session.add(round_)
        session.add_all(Entry(round=round_, seat=seat) for seat in seats)
    session.flush()
    begin = _BEGINS.get(play_kind(rules))
    if begin is not None and catalogue is not None:
        begin(session, catalogue, game, table=table, lot=lot)
    return game


def rematch(session: Session, catalogue: Catalogue, game: Game) -> Game:
    """A new game of the same people with the same deck and house rules; who sat second begins now."""
    seats = [*game.seats[1:], *game.seats[:1]]
    return create_game(
        session,
        rules_of(game),
        [NewPlayer(seat.name, seat.colour) for seat in seats],
        location=game.location,
        settings=game.settings,
        certainty=game.certainty,
        deck=game.deck,
        catalogue=catalogue,
    )


def _begin_table(
    session: Session, catalogue: Catalogue, game: Game, *, table: NewTable | None, lot: bool
) -> None:
    if table is None:
        return
    rules, round_ = rules_of(game), game.rounds[0]
    asked = rules.rules.settings.values(rules.rules.settings.make(table.terms))
    round_.terms = only(asked, group_of(rules, "objective"))
    names = [seat.name for seat in game.seats]
    begun = groups_of(rules).begun(catalogue, table.offer, table.pens, names)
    tableau = tableau_of_entry(session, table_entry(round_))
    revise_table(session, catalogue, tableau, begun, kind=TOLD)


def _begin_board(
    session: Session, catalogue: Catalogue, game: Game, *, table: NewTable | None, lot: bool
) -> None:
    tableau = tableau_of_entry(session, table_entry(game.rounds[0]))
    begin_board(session, catalogue, tableau, game.seats, lot=lot)


#: Functions that begin what all players share, by kind of play; one player's tableau is created with its
#: first photo.
_BEGINS: dict[PlayKind, Callable[..., None]] = {TABLE: _begin_table, BOARD: _begin_board}


def _check_players(rules: Rules, players: Sequence[NewPlayer]) -> None:
    least, most = rules.sheet.least_players, rules.sheet.most_players
    if not least <= len(players) <= most:
        raise WaymarkError(
            Code.BAD_PLAYERS,
            Text("A game has {least} to {most} players; add or remove some.", least=least, most=most),
        )
    _check_names([player.name for player in players])
    _check_colours(rules, [player.colour for player in players])


def _check_names(names: Sequence[str]) -> None:
    keys = [name_key(name) for name in names]
    if not all(keys):
        raise WaymarkError(Code.BAD_PLAYERS, Text("A player has no name; write one for everybody."))
    if len(set(keys)) < len(keys):
        raise WaymarkError(
            Code.BAD_PLAYERS,
            Text("Two players have the same name; tell them apart, with an initial for example."),
        )


def _check_colours(rules: Rules, colours: Sequence[str]) -> None:
    if len(set(colours)) < len(colours) or not set(colours) <= rules.sheet.colours.keys():
        raise WaymarkError(
            Code.BAD_PLAYERS,
            Text("Every player needs a colour of their own; choose another where two have the same."),
        )


def person_named(session: Session, name: str) -> Person:
    """The person with that name, compared by appearance, or a new person. Among several, an exact match is
    preferred, then the oldest."""
    key = name_key(name)
    there = select(Person.id, Person.name).where(Person.deleted_at.is_(None)).order_by(Person.created_at)
    alike = [
        (known != name, person_id)
        for person_id, known in session.execute(there)
        if isinstance(known, str) and name_key(known) == key
    ]
    if alike:
        _, person_id = min(alike, key=lambda each: each[0])
        return session.get_one(Person, person_id)
    person = Person(name=name)
    session.add(person)
    return person


def check_open(game: Game) -> None:
    """Raises `WaymarkError` (game-finished) for a finished game, which must be resumed before its scores are
    changed by hand."""
    if game.finished_at is not None:
        raise WaymarkError(
            Code.GAME_FINISHED, Text("This game is finished, so nothing was changed; go on with it first.")
        )


def check_tableau_open(tableau: Tableau) -> None:
    """Raises `WaymarkError` (game-finished) for a tableau of a finished game; tableaus outside games can
    always be changed."""
    if tableau.entry is not None:
        check_open(tableau.entry.round.game)


# --- the round ----------------------------------------------------------------------------------------------


def set_objectives(
    session: Session, catalogue: Catalogue, round_: GameRound, changes: Mapping[str, Any]
) -> None:
    """Set a round's objectives, by ids of the game's terms (None: not chosen yet). All tableaus of the round
    are refereed again. Raises `WaymarkError` for invalid objectives."""
    rules_of(round_.game).rules.settings.make(changes)
    told = {**round_.terms, **changes}
    round_.terms = {name: value for name, value in told.items() if value is not None}
    for entry in round_.entries:
        _referee_again(session, catalogue, entry)
    touch(round_.game)


def set_hourglass(round_: GameRound, on: bool) -> None:
    """Switch a round's hourglass on or off; without it no player has the time bonus."""
    round_.hourglass = on
    if not on:
        give_time_bonus(round_, None)
    touch(round_.game)


def give_time_bonus(round_: GameRound, seat_id: str | None) -> None:
    """Give the round's time bonus to one player; None leaves it open."""
    if seat_id is not None:
        entry_at(round_, seat_id)
        round_.hourglass = True
    round_.nobody_first = False
    for entry in round_.entries:
        entry.time_bonus = entry.seat_id == seat_id
    touch(round_.game)


def set_nobody_first(round_: GameRound, on: bool) -> None:
    """Record that no player finished before the hourglass, or that this is open."""
    if on:
        give_time_bonus(round_, None)
        round_.hourglass = True
    round_.nobody_first = on
    touch(round_.game)


def tick(round_: GameRound, ticks: Mapping[str, bool]) -> None:
    """Check or uncheck steps of the end of a round."""
    round_.checklist = {**round_.checklist, **ticks}
    touch(round_.game)


# --- a player's round ---------------------------------------------------------------------------------------


def tableau_of_entry(session: Session, entry: Entry) -> Tableau:
    """The tableau for the player's photos, created on first use; for a shared table the shared one. A deleted
    tableau stays in the bin and is replaced by a new one."""
    entry = shared_entry(entry)
    tableau = entry.tableau
    if tableau is not None and tableau.deleted_at is None:
        return tableau
    if tableau is not None:
        # Set by id: the journal records columns, and a relation would be written too late.
        tableau.entry_id = None
        session.flush()
        session.expire(entry, ["tableau"])
    tableau = Tableau(entry=entry, game=entry.round.game.game, deck=entry.round.game.deck)
    session.add(tableau)
    session.flush()
    touch(entry.round.game)
    return tableau


def set_held(session: Session, catalogue: Catalogue, entry: Entry, changes: Mapping[str, Any]) -> None:
    """Set a player's held means, by ids of the game's terms; the tableau is refereed again. Lasting means
    also change in later rounds that have not begun. Raises `WaymarkError` for invalid means, and
    too-many-spellbooks."""
    rules = rules_of_entry(entry)
    held = only(rules.rules.settings.values(rules.rules.settings.make(changes)), group_of(rules, "held"))
    for term in rules.rules.settings.terms:
        if term.group == "held" and term.id in changes:
            _hold(entry, term, held.get(term.id))
    _referee_again(session, catalogue, entry)
    touch(entry.round.game)


def _hold(entry: Entry, term: Term, value: Any) -> None:
    before = entry.terms.get(term.id, ())
    if term.at_once is not None and len(value or ()) > term.at_once:
        raise WaymarkError(
            Code.TOO_MANY_SPELLBOOKS,
            Text(
                "A player holds at most {count} {things}; put one back first.",
                count=term.at_once,
                things=lower(term.label),
            ),
        )
    _tell(entry, term, value)
    if not term.kept:
        return
    there = list(value or ())
    for later in entry.seat.entries:
        if later.round.number > entry.round.number and not is_begun(later):
            held = later.terms.get(term.id, ())
            stays = [each for each in held if each in there or each not in before]
            new = [each for each in there if each not in before and each not in stays]
            _tell(later, term, [*stays, *new][: term.at_once])


def _tell(entry: Entry, term: Term, value: Any) -> None:
    others = {name: told for name, told in entry.terms.items() if name != term.id}
    entry.terms = {**others, term.id: list(value) if term.kind == "set" else value} if value else others


def change_held(
    session: Session, catalogue: Catalogue, entry: Entry, changes: Mapping[str, Mapping[str, Any]]
) -> None:
    """Change single held means, by ids of the game's terms; all others stay. Raises the errors of
    `set_held`."""
    rules = rules_of_entry(entry)
    told: dict[str, Any] = {}
    for term in rules.rules.settings.terms:
        parts = changes.get(term.id)
        if not parts:
            continue
        if term.kind == "counts":
            told[term.id] = {**entry.terms.get(term.id, {}), **parts}
            continue
        called = {_as_called(rules, term, each): held for each, held in parts.items()}
        stays = [each for each in entry.terms.get(term.id, ()) if called.get(each, True)]
        told[term.id] = [*stays, *(each for each, held in called.items() if held and each not in stays)]
    set_held(session, catalogue, entry, told)


def _as_called(rules: Rules, term: Term, thing: str) -> str:
    """A thing's name in the game's notation (`sb04` becomes SB-4)."""
    (name,) = rules.rules.settings.values(rules.rules.settings.make({term.id: [thing]}))[term.id]
    return str(name)


def set_optimizers(entry: Entry, used: Mapping[str, int]) -> None:
    """Set the number of used optimizers of a round by kind; other kinds stay."""
    counts = {**entry.optimizers_used, **used}
    entry.optimizers_used = {kind: count for kind, count in counts.items() if count}
    touch(entry.round.game)


def _referee_again(session: Session, catalogue: Catalogue, entry: Entry) -> None:
    tableau = live_tableau(entry)
    if tableau is not None and tableau.record is not None:
        rejudge(session, catalogue, tableau)


# --- the game -----------------------------------------------------------------------------------------------


def change_settings(session: Session, catalogue: Catalogue, game: Game, settings: Mapping[str, Any]) -> None:
    """Set a game's house rules, by ids of the game's terms; omitted rules take their defaults. All tableaus
    are refereed again. Raises `WaymarkError` for an unknown rule."""
    game.settings = changed_house(rules_of(game), settings)
    _referee_all(session, catalogue, game)


def change_certainty(session: Session, catalogue: Catalogue, game: Game, certainty: float | None) -> None:
    """Set the least probability of a score that is called sure (None: the usual one). All tableaus are judged
    again; typed scores stay."""
    game.certainty = _kept(certainty)
    _referee_all(session, catalogue, game)


def _kept(certainty: float | None) -> float | None:
    return None if certainty == CERTAINTY else certainty


def _referee_all(session: Session, catalogue: Catalogue, game: Game) -> None:
    session.flush()
    for round_ in game.rounds:
        for entry in round_.entries:
            _referee_again(session, catalogue, entry)
    touch(game)


def change_seat(
    session: Session, seat: Seat, *, name: str, colour: str, catalogue: Catalogue | None = None
) -> None:
    """Rename a player of a game, or change the colour. Two players swap colours by way of a third colour.
    Raises `WaymarkError` (bad-players)."""
    players = [
        NewPlayer(name.strip(), colour) if each is seat else NewPlayer(each.name, each.colour)
        for each in seat.game.seats
    ]
    _check_colours(rules_of(seat.game), [player.colour for player in players])
    # In older games two names may look alike: they are kept until one of them is changed.
    if name.strip() != seat.name:
        _check_names([player.name for player in players])
        # Set by id: the journal records columns, and a relation would be written too late.
        person = person_named(session, name.strip())
        session.flush()
        old, seat.person_id = seat.name, person.id
        seat.name = name.strip()
        tableau = live_tableau(table_entry(seat.game.rounds[0]))
        if catalogue is not None and tableau is not None and kind_of(tableau) is BOARD:
            session.flush()
            rename_player(session, catalogue, tableau, old, seat.name)
    seat.colour = colour
    touch(seat.game)


def end(game: Game, *, given_up: bool) -> None:
    """Mark a game as finished, with a result or given up. A repeated call keeps the first time."""
    game.finished_at = game.finished_at or now()
    game.given_up = given_up


def take_up(game: Game) -> None:
    """Resume a finished game."""
    game.finished_at, game.given_up = None, False


def delete_game(game: Game) -> None:
    """Hide a game until it is restored."""
    game.deleted_at = now()
    touch(game)


def restore_game(game: Game) -> None:
    """Bring a deleted game back."""
    game.deleted_at = None
    touch(game)


def touch(game: Game) -> None:
    """Increase the game's version, so that pages reload."""
    game.version += 1


def version_of_all(session: Session) -> int:
    """A number that grows with every new game and with every change of one, those in the bin among them."""
    return int(session.scalar(select(func.sum(Game.version))) or 0)
