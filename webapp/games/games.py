"""Games: begun, scored round by round, corrected by hand.

All functions work inside the caller's transaction and leave `game.version` higher when they change
anything. What counts, costs and ranks is `scorer.mapmasters`' to say."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.mapmasters.means import checked_spellbooks, checked_tokens
from scorer.mapmasters.objectives import check_objective
from scorer.mapmasters.score_sheet import MAX_PLAYERS, MIN_PLAYERS, ROUNDS
from scorer.mapmasters.settings import HOUSE, VersusSettings, departures
from scorer.mapmasters.terms import MAX_SPELLBOOKS
from webapp.games.score_sheet import entry_at, is_begun, live_tableau
from webapp.store.models import Entry, Game, GameRound, Person, Seat, Tableau, now
from webapp.store.tableaus import rejudge

#: The box's five colours.
Colour = Literal["red", "blue", "green", "yellow", "purple"]
COLOURS: tuple[Colour, ...] = get_args(Colour)


@dataclass(frozen=True)
class NewPlayer:
    """Who sits down: a name and one of `COLOURS`."""

    name: str
    colour: str


# --- beginning ----------------------------------------------------------------------------------------------


def create_game(
    session: Session,
    players: Sequence[NewPlayer],
    *,
    title: str = "",
    location: str = "",
    settings: VersusSettings = HOUSE,
) -> Game:
    """Begin a game with all of its rounds; players sit clockwise. The first one buys first in round 1: where
    the settings draw lots, it is drawn here. Raises `WaymarkError` (bad-players)."""
    seated = [NewPlayer(player.name.strip(), player.colour) for player in players]
    _check_players(seated)
    if settings.first_player == "random":
        first = secrets.randbelow(len(seated))
        seated = seated[first:] + seated[:first]
    game = Game(title=title.strip(), location=location.strip(), settings=departures(settings))
    session.add(game)
    people = [person_named(session, player.name) for player in seated]
    seats = [
        Seat(game=game, person=person, position=position, name=player.name, colour=player.colour)
        for position, (player, person) in enumerate(zip(seated, people, strict=True))
    ]
    for number in range(1, ROUNDS + 1):
        round_ = GameRound(game=game, number=number)
        session.add(round_)
        session.add_all(Entry(round=round_, seat=seat) for seat in seats)
    session.flush()
    return game


def _check_players(players: Sequence[NewPlayer]) -> None:
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise WaymarkError(
            "bad-players",
            f"A game has {MIN_PLAYERS} to {MAX_PLAYERS} players; add or remove some.",
            f"プレイヤーは {MIN_PLAYERS}～{MAX_PLAYERS} 人です。人数を直してください。",
        )
    names = [player.name for player in players]
    if not all(names):
        raise WaymarkError(
            "bad-players",
            "A player has no name; write one for everybody.",
            "名前のないプレイヤーがいます。全員の名前を入れてください。",
        )
    if len(set(names)) < len(names):
        raise WaymarkError(
            "bad-players",
            "Two players have the same name; tell them apart, with an initial for example.",
            "同じ名前のプレイヤーがいます。区別できる名前にしてください。",
        )
    colours = {player.colour for player in players}
    if len(colours) < len(players) or not colours <= set(COLOURS):
        raise WaymarkError(
            "bad-players",
            "Every player needs a colour of their own; choose another where two have the same.",
            "プレイヤーの色は一人ずつ違う色にしてください。",
        )


def person_named(session: Session, name: str) -> Person:
    """The person of that name; a new one where nobody has it."""
    person = session.scalar(
        select(Person).where(Person.name == name, Person.deleted_at.is_(None)).order_by(Person.created_at)
    )
    if person is None:
        person = Person(name=name)
        session.add(person)
    return person


def check_open(game: Game) -> None:
    """A finished game is taken up again before its scores are changed by hand. Raises `WaymarkError`
    (game-finished)."""
    if game.finished_at is not None:
        raise WaymarkError(
            "game-finished",
            "This game is finished, so nothing was changed; go on with it first.",
            "このゲームは終了しています。変更していないので、先にゲームを再開してください。",
        )


def check_tableau_open(tableau: Tableau) -> None:
    """The same for what is read of a player's cards, which the score follows; a tableau outside a game can
    always be changed."""
    if tableau.entry is not None:
        check_open(tableau.entry.round.game)


# --- the round ----------------------------------------------------------------------------------------------


def set_objectives(
    session: Session, catalogue: Catalogue, round_: GameRound, changes: Mapping[str, str | None]
) -> None:
    """Choose `primary`, `secondary` or both; every tableau of the round is refereed again. Raises
    `WaymarkError` (unknown-objective)."""
    for column, objective in changes.items():
        check_objective(objective)
        setattr(round_, column, objective)
    for entry in round_.entries:
        _referee_again(session, catalogue, entry)
    touch(round_.game)


def set_hourglass(round_: GameRound, on: bool) -> None:
    """Say whether the primary objective shows an hourglass; without one nobody has the time bonus."""
    round_.hourglass = on
    if not on:
        give_time_bonus(round_, None)
    touch(round_.game)


def give_time_bonus(round_: GameRound, seat_id: str | None) -> None:
    """One player finished first: the others strike the bonus out. None: who did is open."""
    if seat_id is not None:
        entry_at(round_, seat_id)
        round_.hourglass = True
    round_.nobody_first = False
    for entry in round_.entries:
        entry.time_bonus = entry.seat_id == seat_id
    touch(round_.game)


def set_nobody_first(round_: GameRound, on: bool) -> None:
    """Say that with the hourglass nobody finished first: all strike the bonus out. Or that this is open."""
    if on:
        give_time_bonus(round_, None)
        round_.hourglass = True
    round_.nobody_first = on
    touch(round_.game)


def tick(round_: GameRound, ticks: Mapping[str, bool]) -> None:
    """Tick steps of the round's end off, or untick them."""
    round_.checklist = {**round_.checklist, **ticks}
    touch(round_.game)


# --- a player's round ---------------------------------------------------------------------------------------


def tableau_of_entry(session: Session, entry: Entry) -> Tableau:
    """The tableau that the player's photos go to, made at the first one. A deleted one is left to the bin:
    a new one takes its place."""
    tableau = entry.tableau
    if tableau is not None and tableau.deleted_at is None:
        return tableau
    if tableau is not None:
        # By its id: the journal has what columns were, and a relation is written too late for it.
        tableau.entry_id = None
        session.flush()
        session.expire(entry, ["tableau"])
    tableau = Tableau(entry=entry)
    session.add(tableau)
    session.flush()
    touch(entry.round.game)
    return tableau


def set_means(
    session: Session,
    catalogue: Catalogue,
    entry: Entry,
    *,
    fairy_tokens: Mapping[str, int] | None = None,
    spellbooks: Sequence[str] | None = None,
) -> None:
    """Say what the player holds for the path; the tableau is refereed again. Spellbooks stay with the player:
    what comes or goes does so in the following rounds too, as far as those have not been played. Raises
    `WaymarkError` (unknown-token, unknown-spellbook, too-many-spellbooks)."""
    if fairy_tokens is not None:
        entry.fairy_tokens = {str(kind): count for kind, count in checked_tokens(fairy_tokens).items()}
    if spellbooks is not None:
        before, books = entry.spellbooks, checked_spellbooks(spellbooks)
        if len(books) > MAX_SPELLBOOKS:
            raise WaymarkError(
                "too-many-spellbooks",
                f"A player holds at most {MAX_SPELLBOOKS} spellbooks; put one back first.",
                f"魔導書は {MAX_SPELLBOOKS} 枚までです。先に 1 枚外してください。",
            )
        entry.spellbooks = list(books)
        for later in entry.seat.entries:
            if later.round.number > entry.round.number and not is_begun(later):
                kept = [book for book in later.spellbooks if book in books or book not in before]
                new = [book for book in books if book not in before and book not in kept]
                later.spellbooks = [*kept, *new][:MAX_SPELLBOOKS]
    _referee_again(session, catalogue, entry)
    touch(entry.round.game)


def change_means(
    session: Session,
    catalogue: Catalogue,
    entry: Entry,
    *,
    fairy_tokens: Mapping[str, int],
    spellbooks: Mapping[str, bool],
) -> None:
    """Say how many fairy tokens of a kind are held and whether a spellbook is; all others stay as they are.
    Raises what `set_means` does."""
    holds = {checked_spellbooks([book])[0]: held for book, held in spellbooks.items()}
    kept = [book for book in entry.spellbooks if holds.get(book, True)]
    new = [book for book, held in holds.items() if held and book not in kept]
    set_means(
        session,
        catalogue,
        entry,
        fairy_tokens={**entry.fairy_tokens, **fairy_tokens} if fairy_tokens else None,
        spellbooks=[*kept, *new] if spellbooks else None,
    )


def set_optimizers(entry: Entry, used: Mapping[str, int]) -> None:
    """Write down how many optimizers of a kind the player used in the refresh; other kinds stay."""
    counts = {**entry.optimizers_used, **used}
    entry.optimizers_used = {kind: count for kind, count in counts.items() if count}
    touch(entry.round.game)


def _referee_again(session: Session, catalogue: Catalogue, entry: Entry) -> None:
    tableau = live_tableau(entry)
    if tableau is not None and tableau.record is not None:
        rejudge(session, catalogue, tableau)


# --- the game -----------------------------------------------------------------------------------------------


def change_settings(session: Session, catalogue: Catalogue, game: Game, settings: VersusSettings) -> None:
    """Play by other house rules; every tableau is refereed again by them."""
    game.settings = departures(settings)
    session.flush()
    for round_ in game.rounds:
        for entry in round_.entries:
            _referee_again(session, catalogue, entry)
    touch(game)


def change_seat(session: Session, seat: Seat, *, name: str, colour: str) -> None:
    """Rename a player of a game, or give another colour: two who swap colours do it by way of a third one's.
    Raises `WaymarkError` (bad-players)."""
    players = [
        NewPlayer(name.strip(), colour) if each is seat else NewPlayer(each.name, each.colour)
        for each in seat.game.seats
    ]
    _check_players(players)
    if name.strip() != seat.name:
        # By its id: the journal has what columns were, and a relation is written too late for it.
        person = person_named(session, name.strip())
        session.flush()
        seat.person_id = person.id
        seat.name = name.strip()
    seat.colour = colour
    touch(seat.game)


def delete_game(game: Game) -> None:
    """Hide a game until it is restored."""
    game.deleted_at = now()
    touch(game)


def restore_game(game: Game) -> None:
    """Bring a deleted game back."""
    game.deleted_at = None
    touch(game)


def touch(game: Game) -> None:
    """Tell every page that shows the game to look again."""
    game.version += 1


def version_of_all(session: Session) -> int:
    """A number that grows with every new game and with every change of one, those in the bin among them."""
    return session.scalar(select(func.sum(Game.version))) or 0
