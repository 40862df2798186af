"""What was played over the API: final scores, games and photos found again, people, the bin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import msgspec
from flask import Response, request
from flask_babel import force_locale
from msgspec import UNSET, UnsetType

from webapp.games import history
from webapp.games.final_picture import drawn_language, final_picture
from webapp.games.final_view import FinalRow, FinalView, final_view
from webapp.games.preconditions import check_words
from webapp.games.statistics import PlayedGame, PlayerStatistics, player_statistics
from webapp.games.view import GameView, SeatView, game_view, photo_of, seat_view
from webapp.http.api.endpoint import Query, endpoint
from webapp.http.api.games import Line, Name, Text, given, the_game
from webapp.http.languages import current_language
from webapp.http.services import get_row, read_session, services, write_session
from webapp.store.models import Game, Person, Shot, Tableau


class HistoryGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game with its winners and scores, in the order of rank; `complete` when it is whole; `gaps` and
    `settled` as in `FinalView`."""

    id: str
    title: str
    location: str
    notes: str
    created_at: datetime
    finished_at: datetime | None
    complete: bool
    rounds_played: int
    gaps: bool
    settled: bool
    winners: list[str]
    rows: list[FinalRow]


class GamesPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of games, the newest first."""

    games: list[HistoryGame]
    page: int
    pages: int
    total: int


class PhotoFound(msgspec.Struct, frozen=True, kw_only=True):
    """A tableau in the history: the photo to show, whose it is and in which game and round (None: outside a
    game), the cards that were read, and whether the reading is sure."""

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


class PhotosPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of tableaus, the newest first."""

    photos: list[PhotoFound]
    page: int
    pages: int
    total: int


class PersonView(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who plays."""

    id: str
    name: str
    created_at: datetime
    deleted_at: datetime | None


class PersonDetail(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody with statistics over whole games; `unfinished` games are not in them."""

    person: PersonView
    statistics: PlayerStatistics
    games: list[PlayedGame]
    unfinished: int


class SeenPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was looked at of a person."""

    name: Name | UnsetType = UNSET


class PersonPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change of a person; where another name stands than was `seen`, the answer is 409."""

    name: Name
    seen: SeenPerson = SeenPerson()


class MergeBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The person who gets the games."""

    into: Annotated[str, msgspec.Meta(max_length=64)]


class SeenTableau(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was looked at of a tableau's words."""

    title: Line | UnsetType = UNSET
    notes: Text | UnsetType = UNSET


class TableauPatch(SeenTableau, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change of a tableau's words; where others stand than were `seen`, the answer is 409."""

    seen: SeenTableau = SeenTableau()


class DeletedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the bin."""

    id: str
    title: str
    created_at: datetime
    deleted_at: datetime | None
    players: list[str]


class DeletedTableau(msgspec.Struct, frozen=True, kw_only=True):
    """A tableau in the bin, or a photo of one that is not (`shot_id`)."""

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


def page_number() -> int:
    """The page that a request asks for: 1 for anything that is no number."""
    given = request.args.get("page", "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 9 else 1


def final_of(game: Game) -> FinalView:
    """The end of a game in the reader's language."""
    return final_view(game_view(game), current_language())


def history_games(found: history.Page[Game]) -> GamesPage:
    """A page of games as it is shown."""
    games = []
    for game in found.items:
        final = final_of(game)
        games.append(
            HistoryGame(
                id=game.id,
                title=game.title,
                location=game.location,
                notes=game.notes,
                created_at=game.created_at,
                finished_at=game.finished_at,
                complete=final.complete,
                rounds_played=final.rounds_played,
                gaps=final.gaps,
                settled=final.settled,
                winners=final.winners,
                rows=final.rows,
            )
        )
    return GamesPage(games=games, page=found.number, pages=found.pages, total=found.total)


def history_photos(found: history.Page[Tableau]) -> PhotosPage:
    """A page of tableaus as it is shown."""
    return PhotosPage(
        photos=[_photo(tableau) for tableau in found.items],
        page=found.number,
        pages=found.pages,
        total=found.total,
    )


def _photo(tableau: Tableau) -> PhotoFound:
    entry = tableau.entry
    game = entry.round.game if entry is not None else None
    cards = tableau.record["cards"] if tableau.record is not None else []
    return PhotoFound(
        tableau_id=tableau.id,
        photo_id=photo_of(tableau),
        created_at=tableau.created_at,
        title=tableau.title,
        notes=tableau.notes,
        seat=seat_view(entry.seat) if entry is not None else None,
        game_id=game.id if game is not None else None,
        game_title=game.title if game is not None else "",
        round=entry.round.number if entry is not None else None,
        cards=[card["card"] for card in cards],
        sure=tableau.sure,
    )


def person_view(person: Person) -> PersonView:
    """A person as the API shows one."""
    return PersonView(
        id=person.id, name=person.name, created_at=person.created_at, deleted_at=person.deleted_at
    )


def person_detail(person: Person, games: Sequence[GameView] | None = None) -> PersonDetail:
    """A person with statistics; `games` saves reading those of the person, and may have others in it."""
    if games is None:
        games = history.views_of(history.games_of(read_session(), person.id))
    views = [view for view in games if any(seat.person_id == person.id for seat in view.seats)]
    played = history.played_games(views, person.id)
    return PersonDetail(
        person=person_view(person),
        statistics=player_statistics(played),
        games=played,
        unfinished=sum(not history.is_whole(view) for view in views),
    )


def trash_view(found: history.Bin) -> Trash:
    """The bin as it is shown."""
    return Trash(
        games=[
            DeletedGame(
                id=game.id,
                title=game.title,
                created_at=game.created_at,
                deleted_at=game.deleted_at,
                players=[seat.name for seat in game.seats],
            )
            for game in found.games
        ],
        tableaus=[
            DeletedTableau(
                tableau_id=tableau.id,
                shot_id=None,
                photo_id=photo_of(tableau),
                title=tableau.title,
                created_at=tableau.created_at,
                deleted_at=tableau.deleted_at,
            )
            for tableau in found.tableaus
        ],
        shots=[_shot(shot) for shot in found.shots],
        persons=[person_view(person) for person in found.persons],
    )


def _shot(shot: Shot) -> DeletedTableau:
    return DeletedTableau(
        tableau_id=shot.tableau_id,
        shot_id=shot.id,
        photo_id=shot.photo_id,
        title=shot.filename,
        created_at=shot.created_at,
        deleted_at=shot.deleted_at,
    )


_SEARCH = {
    "q": Query("words, all of which must be found"),
    "page": Query("which page, from 1", "[1-9][0-9]{0,7}"),
}


@endpoint(
    "GET",
    "/history",
    summary="Games by player, title, place, notes and date, the newest first.",
    query={**_SEARCH, "person": "only games of this person (id)"},
    answer=GamesPage,
)
def search_games() -> GamesPage:
    return history_games(
        history.find_games(
            read_session(),
            words=request.args.get("q", ""),
            person_id=request.args.get("person", ""),
            number=page_number(),
        )
    )


@endpoint(
    "GET",
    "/history/photos",
    summary="Photographed tableaus by player, game, card (D29) and date, the newest first.",
    query={**_SEARCH, "outside": Query("1: only those that belong to no game", "1?")},
    answer=PhotosPage,
)
def search_photos() -> PhotosPage:
    return history_photos(
        history.find_tableaus(
            read_session(),
            words=request.args.get("q", ""),
            outside=request.args.get("outside") == "1",
            number=page_number(),
        )
    )


@endpoint(
    "GET",
    "/games/<game_id>/final",
    summary="Every column of the final score, what it comes from, and who won why.",
    answer=FinalView,
)
def read_final(game_id: str) -> FinalView:
    return final_of(the_game(read_session(), game_id))


@endpoint(
    "GET",
    "/games/<game_id>/final.png",
    summary="The final score as a picture to share.",
    media_type="image/png",
)
def read_final_picture(game_id: str) -> Response:
    game = the_game(read_session(), game_id)
    language = drawn_language(current_language())
    with force_locale(language):
        picture = final_picture(final_of(game), language)
    return Response(picture, mimetype="image/png")


@endpoint("GET", "/persons", summary="Everybody who plays, by name.", answer=list[PersonView])
def list_persons() -> list[PersonView]:
    return [person_view(person) for person in history.people(read_session())]


@endpoint(
    "GET", "/persons/<person_id>", summary="A person's statistics over whole games.", answer=PersonDetail
)
def read_person(person_id: str) -> PersonDetail:
    return person_detail(get_row(read_session(), Person, person_id))


@endpoint("PATCH", "/persons/<person_id>", summary="Rename a person.", body=PersonPatch, answer=PersonView)
def rename_person(person_id: str, body: PersonPatch) -> PersonView:
    with write_session() as session:
        person = get_row(session, Person, person_id)
        check_words(person, given(body.seen), given(body))
        history.rename_person(person, body.name)
        return person_view(person)


@endpoint(
    "POST",
    "/persons/<person_id>/merge",
    summary="Give this person's games to another entry for the same human; restoring undoes it.",
    body=MergeBody,
    answer=PersonView,
)
def merge_person(person_id: str, body: MergeBody) -> PersonView:
    with write_session() as session:
        into = get_row(session, Person, body.into)
        history.merge_person(get_row(session, Person, person_id), into)
        return person_view(into)


@endpoint("DELETE", "/persons/<person_id>", summary="Put a person into the bin; the games stay.")
def delete_person(person_id: str) -> None:
    with write_session() as session:
        history.delete_person(get_row(session, Person, person_id))


@endpoint(
    "POST",
    "/persons/<person_id>/restore",
    summary="Take a person out of the bin, with the games that merging took.",
    answer=PersonView,
)
def restore_person(person_id: str) -> PersonView:
    with write_session() as session:
        person = get_row(session, Person, person_id, deleted=True)
        history.restore_person(session, person)
        return person_view(person)


@endpoint(
    "PATCH",
    "/tableaus/<tableau_id>",
    summary="Change a tableau's title or notes.",
    body=TableauPatch,
    answer=PhotoFound,
)
def change_tableau(tableau_id: str, body: TableauPatch) -> PhotoFound:
    with write_session() as session:
        tableau = get_row(session, Tableau, tableau_id)
        check_words(tableau, given(body.seen), given(body))
        for column, value in given(body).items():
            setattr(tableau, column, value)
        return _photo(tableau)


@endpoint("DELETE", "/tableaus/<tableau_id>", summary="Put a tableau with its photos into the bin.")
def delete_tableau(tableau_id: str) -> None:
    with write_session() as session:
        history.delete_tableau(get_row(session, Tableau, tableau_id))


@endpoint(
    "POST", "/tableaus/<tableau_id>/restore", summary="Take a tableau out of the bin.", answer=PhotoFound
)
def restore_tableau(tableau_id: str) -> PhotoFound:
    with write_session() as session:
        tableau = get_row(session, Tableau, tableau_id, deleted=True)
        history.restore_tableau(session, services().catalogue, tableau)
        return _photo(tableau)


@endpoint("GET", "/trash", summary="Everything in the bin.", answer=Trash)
def read_trash() -> Trash:
    return trash_view(history.bin_of(read_session()))
