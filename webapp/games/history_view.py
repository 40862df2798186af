"""Views of the history: pages of games and photos, people with their statistics, the bin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.games import game_named
from scorer.text import Language
from webapp.games.digests import GameDigest, digested
from webapp.games.final_view import FinalRow, final_view
from webapp.games.history import Bin, Page, games_with
from webapp.games.score_sheet import GameState
from webapp.games.statistics import PlayedGame, PlayerStatistics, player_statistics
from webapp.games.view import SeatView, game_view, photo_of, seat_view
from webapp.store.boxes import kind_of
from webapp.store.integrity import readable
from webapp.store.models import Game, Person, Tableau
from webapp.views import view


class HistoryGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game with its winners and scores, in the order of rank; `complete` when it is whole; `state`,
    `gaps` and `settled` as in `FinalView`; `game` is the word of its rules."""

    id: str
    title: str
    location: str
    notes: str
    created_at: datetime
    finished_at: datetime | None
    state: GameState
    complete: bool
    rounds_played: int
    gaps: bool
    settled: bool
    winners: list[str]
    rows: list[FinalRow]
    game: str
    rounds: int


class GamesPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of games, the newest first."""

    games: list[HistoryGame]
    page: int
    pages: int
    total: int


class PhotoFound(msgspec.Struct, frozen=True, kw_only=True):
    """A tableau in the history: the photo, player, game and round (None: outside games), the read cards (none
    for a board), and whether the reading is certain. `game` is the word of its rules. A `shared` tableau is
    stored with the first player's round."""

    tableau_id: str
    photo_id: str | None
    created_at: datetime
    title: str
    notes: str
    seat: SeatView | None
    game_id: str | None
    game_title: str
    round: int | None
    cards: list[str]
    sure: bool
    game: str
    shared: bool


class PhotosPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of tableaus, the newest first."""

    photos: list[PhotoFound]
    page: int
    pages: int
    total: int


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """A person who plays."""

    id: str
    name: str
    created_at: datetime
    deleted_at: datetime | None


class PersonDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A person with statistics over games with a result, of one game (`game`: the word of its rules).
    `unfinished` games are excluded. `whole_games` counts complete games by game."""

    person: PersonView
    statistics: PlayerStatistics
    games: list[PlayedGame]
    unfinished: int
    game: str
    whole_games: dict[str, int]


class DeletedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the bin."""

    id: str
    title: str
    created_at: datetime
    deleted_at: datetime | None
    players: list[str]


class DeletedTableau(msgspec.Struct, frozen=True, kw_only=True):
    """A deleted tableau, or a deleted photo of an existing tableau (`shot_id`)."""

    tableau_id: str
    shot_id: str | None
    photo_id: str | None
    title: str
    created_at: datetime
    deleted_at: datetime | None


class Trash(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be restored, the latest first."""

    games: list[DeletedGame]
    tableaus: list[DeletedTableau]
    shots: list[DeletedTableau]
    persons: list[PersonView]


def history_games(
    found: Page[Game], catalogue_of: Callable[[str], Catalogue], language: Language
) -> GamesPage:
    """View of a page of games."""

    def shown(game: Game) -> HistoryGame:
        final = final_view(game_view(game, catalogue_of(game.deck), language), language)
        return view(HistoryGame, final)

    return GamesPage(
        games=readable(found.items, shown), page=found.number, pages=found.pages, total=found.total
    )


def history_photos(found: Page[Tableau]) -> PhotosPage:
    """View of a page of tableaus."""
    return PhotosPage(
        photos=readable(found.items, photo_found), page=found.number, pages=found.pages, total=found.total
    )


def photo_found(tableau: Tableau) -> PhotoFound:
    """A tableau as the history shows it."""
    entry = tableau.entry
    game = entry.round.game if entry is not None else None
    # Boards have no cards, and a face-down card has no name.
    laid = (tableau.record or {}).get("cards", ())
    return view(
        PhotoFound,
        tableau,
        tableau_id=tableau.id,
        photo_id=photo_of(tableau),
        seat=seat_view(entry.seat) if entry is not None else None,
        game_id=game.id if game is not None else None,
        game_title=game.title if game is not None else "",
        round=entry.round.number if entry is not None else None,
        cards=[card["card"] for card in laid if card["card"] is not None],
        shared=kind_of(tableau).shared,
    )


def persons_view(persons: Sequence[Person]) -> list[PersonView]:
    """Views of several people."""
    return [person_view(person) for person in persons]


def person_view(person: Person) -> PersonView:
    """A person as the API shows one."""
    return view(PersonView, person)


def person_detail(
    session: Session, person: Person, word: str, games: Sequence[tuple[Game, GameDigest]] | None = None
) -> PersonDetail:
    """A person with statistics of the game of that word; `games` saves reading those of the person, and may
    have others in it. Raises `WaymarkError` (unknown-game)."""
    if games is None:
        games = digested(session, games_with(session, person.id))
    rules = game_named(word)
    played: dict[str, list[PlayedGame]] = {word: []}
    unfinished = 0
    for game, digest in games:
        seats = [index for index, seat in enumerate(digest.seats) if seat.person_id == person.id]
        unfinished += bool(seats) and not digest.played
        if seats and digest.played:
            # A player with two seats counts twice.
            played.setdefault(game.game, []).extend(digest.played[index] for index in seats)
    return PersonDetail(
        person=person_view(person),
        statistics=player_statistics(rules, played[word]),
        games=played[word],
        unfinished=unfinished,
        game=word,
        whole_games={game: len(each) for game, each in played.items() if each},
    )


def most_played(games: Sequence[tuple[Game, GameDigest]], usual: str) -> str:
    """The game whose statistics are shown first: the default one, unless only others were completed."""
    counted = Counter(game.game for game, digest in games if digest.played)
    return usual if counted[usual] or not counted else counted.most_common(1)[0][0]


def games_by_person(games: Sequence[tuple[Game, GameDigest]]) -> dict[str, list[tuple[Game, GameDigest]]]:
    """The games of each person, by id; one with two seats has the game once."""
    found: dict[str, list[tuple[Game, GameDigest]]] = {}
    for game, digest in games:
        for person_id in {seat.person_id for seat in digest.seats if seat.person_id is not None}:
            found.setdefault(person_id, []).append((game, digest))
    return found


def trash_view(found: Bin) -> Trash:
    """View of the bin."""
    return Trash(
        games=[view(DeletedGame, game, players=[seat.name for seat in game.seats]) for game in found.games],
        tableaus=[_deleted_tableau(tableau) for tableau in found.tableaus],
        shots=[view(DeletedTableau, shot, shot_id=shot.id, title=shot.filename) for shot in found.shots],
        persons=persons_view(found.persons),
    )


def _deleted_tableau(tableau: Tableau) -> DeletedTableau:
    return view(DeletedTableau, tableau, tableau_id=tableau.id, shot_id=None, photo_id=photo_of(tableau))
