"""API of the history: final scores, search for games and photos, people, the bin."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType

from scorer.games import word_of
from webapp.games import history
from webapp.games.final_picture import drawn_final
from webapp.games.final_view import FinalView
from webapp.games.history_view import (
    GamesPage,
    PersonDetail,
    PersonView,
    PhotoFound,
    PhotosPage,
    Trash,
    history_games,
    history_photos,
    person_detail,
    person_view,
    persons_view,
    photo_found,
    trash_view,
)
from webapp.games.preconditions import check_words
from webapp.games.view import the_game
from webapp.http.api.endpoint import Query, endpoint
from webapp.http.api.games import Line, Name, Text, given
from webapp.http.languages import current_language
from webapp.http.presenters import shown_final
from webapp.http.services import read_session, services, write_session
from webapp.store.database import get_row
from webapp.store.models import Person, Tableau


class SeenPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The client's last known values of a person."""

    name: Name | UnsetType = UNSET


class PersonPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of a person; the answer is 409 where the stored name differs from `seen`."""

    name: Name
    seen: SeenPerson = SeenPerson()


class MergeBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The person that the games are moved to."""

    into: Annotated[str, msgspec.Meta(max_length=64)]


class SeenTableau(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The client's last known texts of a tableau."""

    title: Line | UnsetType = UNSET
    notes: Text | UnsetType = UNSET


class TableauPatch(SeenTableau, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of a tableau's texts; the answer is 409 where the stored texts differ from `seen`."""

    seen: SeenTableau = SeenTableau()


_SEARCH = {
    "q": Query("words, all of which must be found"),
    "page": Query("which page, from 1", "[1-9][0-9]{0,7}"),
}


@endpoint("GET", "/history", query={**_SEARCH, "person": "only games of this person (id)"})
def search_games() -> GamesPage:
    """Games by player, title, place, notes and date, the newest first."""
    return history_games(
        history.find_games(
            read_session(),
            words=request.args.get("q", ""),
            person_id=request.args.get("person", ""),
            number=history.page_number(request.args.get("page", "")),
        ),
        services().shelf.catalogue_of,
        current_language(),
    )


@endpoint(
    "GET",
    "/history/photos",
    query={**_SEARCH, "outside": Query("1: only those that belong to no game", "1?")},
)
def search_photos() -> PhotosPage:
    """Photographed tableaus by player, game, card (D29) and date, the newest first."""
    return history_photos(
        history.find_tableaus(
            read_session(),
            words=request.args.get("q", ""),
            outside=request.args.get("outside") == "1",
            number=history.page_number(request.args.get("page", "")),
        )
    )


@endpoint("GET", "/games/<game_id>/final")
def read_final(game_id: str) -> FinalView:
    """Every column of the final score, what it comes from, and who won why."""
    return shown_final(the_game(read_session(), game_id))


@endpoint("GET", "/games/<game_id>/final.png", media_type="image/png")
def read_final_picture(game_id: str) -> Response:
    """The final score as a picture to share."""
    game = the_game(read_session(), game_id)
    return Response(drawn_final(game, services().catalogue, current_language()), mimetype="image/png")


@endpoint("GET", "/persons")
def list_persons() -> list[PersonView]:
    """Everybody who plays, by name."""
    return persons_view(history.people(read_session()))


@endpoint(
    "GET",
    "/persons/<person_id>",
    query={"game": "whose statistics (the word of its rules); the main box's unless it is given"},
)
def read_person(person_id: str) -> PersonDetail:
    """A person's statistics over whole games."""
    word = request.args.get("game") or word_of(services().rules)
    return person_detail(read_session(), get_row(read_session(), Person, person_id), word)


@endpoint("PATCH", "/persons/<person_id>")
def rename_person(person_id: str, body: PersonPatch) -> PersonView:
    """Rename a person."""
    with write_session() as session:
        person = get_row(session, Person, person_id)
        check_words(person, given(body.seen), given(body))
        history.rename_person(person, body.name)
        return person_view(person)


@endpoint("POST", "/persons/<person_id>/merge")
def merge_person(person_id: str, body: MergeBody) -> PersonView:
    """Give this person's games to another entry for the same human; restoring undoes it."""
    with write_session() as session:
        into = get_row(session, Person, body.into)
        history.merge_person(get_row(session, Person, person_id), into)
        return person_view(into)


@endpoint("DELETE", "/persons/<person_id>")
def delete_person(person_id: str) -> None:
    """Put a person into the bin; the games stay."""
    with write_session() as session:
        history.delete_person(get_row(session, Person, person_id))


@endpoint("POST", "/persons/<person_id>/restore")
def restore_person(person_id: str) -> PersonView:
    """Take a person out of the bin, with the games that merging took."""
    with write_session() as session:
        person = get_row(session, Person, person_id, deleted=True)
        history.restore_person(session, person)
        return person_view(person)


@endpoint("PATCH", "/tableaus/<tableau_id>")
def change_tableau(tableau_id: str, body: TableauPatch) -> PhotoFound:
    """Change a tableau's title or notes."""
    with write_session() as session:
        tableau = get_row(session, Tableau, tableau_id)
        check_words(tableau, given(body.seen), given(body))
        for column, value in given(body).items():
            setattr(tableau, column, value)
        return photo_found(tableau)


@endpoint("DELETE", "/tableaus/<tableau_id>")
def delete_tableau(tableau_id: str) -> None:
    """Put a tableau with its photos into the bin."""
    with write_session() as session:
        history.delete_tableau(get_row(session, Tableau, tableau_id))


@endpoint("POST", "/tableaus/<tableau_id>/restore")
def restore_tableau(tableau_id: str) -> PhotoFound:
    """Take a tableau out of the bin."""
    with write_session() as session:
        tableau = get_row(session, Tableau, tableau_id, deleted=True)
        history.restore_tableau(session, services().catalogue, tableau)
        return photo_found(tableau)


@endpoint("GET", "/trash")
def read_trash() -> Trash:
    """Everything in the bin."""
    return trash_view(history.bin_of(read_session()))
