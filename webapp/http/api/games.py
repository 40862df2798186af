"""API of games: creation, views, changes of title, seats and rounds, deletion and restoration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from flask import request
from msgspec import UNSET, UnsetType
from sqlalchemy import select

from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from waymark.review.decision import CERTAINTY
from webapp.games import games, score_sheet
from webapp.games.digests import summaries
from webapp.games.games import NewPlayer
from webapp.games.house_rules import has_certainty
from webapp.games.preconditions import check_game, check_round, check_words
from webapp.games.view import GameSummary, GameView, the_game
from webapp.http.api.endpoint import Query, endpoint, not_valid
from webapp.http.presenters import shown_game
from webapp.http.services import read_session, services, write_session
from webapp.store.boxes import group_of, rules_of
from webapp.store.database import get_row
from webapp.store.models import Game, Seat

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
Line = Annotated[str, msgspec.Meta(max_length=300)]
Text = Annotated[str, msgspec.Meta(max_length=20_000)]
#: One of the colours of the game's sheet.
Colour = Annotated[str, msgspec.Meta(max_length=16)]
#: House rules by the ids of the game's terms; omitted ones have their default.
House = dict[str, Any]
#: The least probability of a score that is called sure.
Certainty = Annotated[float, msgspec.Meta(ge=CERTAINTY, lt=1)]
#: Largest number of games in one response of the list.
MAX_LISTED = 200


class PlayerBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player of a new game."""

    name: Name
    colour: Colour


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shared table: the id of its `mission`, the groups' pens if not named by their colours, and terms of
    the game (`difficulty`)."""

    mission: Annotated[str, msgspec.Meta(max_length=100)]
    pens: dict[Annotated[str, msgspec.Meta(max_length=100)], Annotated[str, msgspec.Meta(max_length=32)]] = {}
    terms: dict[str, Any] = {}


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to begin; players in seating order, clockwise. `deck` is the id of the deck to play with, by
    default the one that the server was started with. `certainty` is the least probability of a score that is
    called sure (null: the usual one), in games scored from each player's cards. With a `table` the players
    share one table. The first player begins; with `lot` the starting player is drawn."""

    players: Annotated[list[PlayerBody], msgspec.Meta(max_length=20)]
    title: Line = ""
    location: Line = ""
    settings: House = {}
    certainty: Certainty | None = None
    deck: Annotated[str, msgspec.Meta(max_length=200)] = ""
    table: NewTable | None = None
    lot: bool = False


class SeenGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The client's last known values of a game; a `certainty` of null is the usual one."""

    title: Line | UnsetType = UNSET
    location: Line | UnsetType = UNSET
    notes: Text | UnsetType = UNSET
    settings: House | UnsetType = UNSET
    certainty: Certainty | UnsetType | None = UNSET


class GamePatch(SeenGame, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of a game; omitted fields stay. As in every patch, the answer is 409 and nothing is saved where
    the stored values differ from `seen`.

    `finished` ends the game after any number of rounds, or resumes it; `given_up` ends it without a
    result."""

    finished: bool | UnsetType = UNSET
    given_up: bool | UnsetType = UNSET
    seen: SeenGame = SeenGame()


class SeenSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The client's last known values of a seat."""

    name: Name | UnsetType = UNSET
    colour: Colour | UnsetType = UNSET


class SeatPatch(SeenSeat, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of a seat; the answer is 409 where the stored values differ from `seen`."""

    seen: SeenSeat = SeenSeat()


class SeenRound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The client's last known values of a round: `terms` are its objectives, by ids of the game's terms; Map
    Masters' also have fields of their own. `time_bonus_seat` is the first to finish (None: open, or
    `nobody_first`: stated that no player was first)."""

    terms: dict[str, str | None] | UnsetType = UNSET
    primary: str | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET
    hourglass: bool | UnsetType = UNSET
    time_bonus_seat: str | UnsetType | None = UNSET
    nobody_first: bool | UnsetType = UNSET


class RoundPatch(SeenRound, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of a round; the answer is 409 where the stored values differ from `seen`. `checklist` has steps
    by key; omitted steps stay."""

    checklist: dict[Annotated[str, msgspec.Meta(pattern="^[0-9]{1,2}$")], bool] | UnsetType = UNSET
    seen: SeenRound = SeenRound()


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """The version number that increases with every change."""

    version: int


def given(values: msgspec.Struct) -> dict[str, Any]:
    """Fields of a body that are set, in flat form: terms by id and scores by column beside the other
    fields."""
    named = {
        name: value
        for name in values.__struct_fields__
        if name != "seen" and (value := getattr(values, name)) is not UNSET
    }
    return {**named.pop("terms", {}), **named.pop("scores", {}), **named}


def check_house(rules: Rules, values: House) -> None:
    """Raises `WaymarkError` (not-valid) for an unknown or invalid house rule of the game."""
    house = group_of(rules, "house")
    try:
        rules.rules.settings.make(values)
    except WaymarkError as error:
        raise not_valid(error.message("en")) from error
    for name in values:
        if name not in house:
            raise not_valid(f"there is no house rule {name[:40]!r}")


def _check_certainty(rules: Rules, certainty: float | UnsetType | None) -> None:
    if isinstance(certainty, float) and not has_certainty(rules):
        raise not_valid("only a game that is scored from each player's cards has a certainty")


def _check_objectives(rules: Rules, values: Mapping[str, Any]) -> dict[str, Any]:
    """Objectives of a round in a request's body. Raises `WaymarkError` (not-valid) for fields that the game
    does not have."""
    asked = group_of(rules, "objective")
    objectives = {name: value for name, value in values.items() if name in asked}
    for name in values:
        if name not in asked and name not in _ROUND_FIELDS:
            raise not_valid(f"a round of this game asks for no {name[:40]!r}")
    return objectives


_ROUND_FIELDS = ("hourglass", "time_bonus_seat", "nobody_first", "checklist")


@endpoint(
    "GET",
    "/games",
    query={"state": Query("open, finished or given-up; all of them without it", "open|finished|given-up")},
)
def list_games() -> list[GameSummary]:
    """Games, the newest first."""
    wanted = select(Game).where(Game.deleted_at.is_(None)).order_by(Game.created_at.desc()).limit(MAX_LISTED)
    state = request.args.get("state")
    if state == "open":
        wanted = wanted.where(Game.finished_at.is_(None))
    if state in ("finished", "given-up"):
        wanted = wanted.where(Game.finished_at.is_not(None), Game.given_up.is_(state == "given-up"))
    return summaries(read_session(), wanted)


@endpoint("POST", "/games", status=201)
def create_game(body: NewGame) -> GameView:
    """Begin a game."""
    deck, rules = services().shelf.chosen(body.deck, together=body.table is not None)
    check_house(rules, body.settings)
    _check_certainty(rules, body.certainty)
    for player in body.players:
        _check_colour(rules, player.colour)
    with write_session() as session:
        game = games.create_game(
            session,
            rules,
            [NewPlayer(player.name, player.colour) for player in body.players],
            title=body.title,
            location=body.location,
            settings=body.settings,
            certainty=body.certainty,
            deck=deck,
            table=games.NewTable(body.table.mission, body.table.pens, body.table.terms)
            if body.table is not None
            else None,
            catalogue=services().shelf.catalogue_of(deck),
            lot=body.lot,
        )
        session.flush()
        return shown_game(the_game(session, game.id))


@endpoint("GET", "/games/version")
def read_games_version() -> Version:
    """Whether there is anything new in any game; cheap, for asking often."""
    return Version(version=games.version_of_all(read_session()))


@endpoint("GET", "/games/<game_id>")
def read_game(game_id: str) -> GameView:
    """A game with everything in it."""
    return shown_game(the_game(read_session(), game_id))


@endpoint("GET", "/games/<game_id>/version")
def read_game_version(game_id: str) -> Version:
    """Whether there is anything new in a game."""
    return Version(version=get_row(read_session(), Game, game_id).version)


@endpoint("GET", "/games/<game_id>/standing")
def read_standing(game_id: str) -> dict[str, Any]:
    """The final score, or the standing so far."""
    told = score_sheet.transcript(the_game(read_session(), game_id))
    plain: dict[str, Any] = msgspec.to_builtins(score_sheet.final_answer(told))
    return plain


@endpoint("GET", "/games/<game_id>/record")
def read_game_record(game_id: str) -> dict[str, Any]:
    """The game in the form waymark-game/1."""
    told = score_sheet.transcript(the_game(read_session(), game_id))
    plain: dict[str, Any] = msgspec.to_builtins(score_sheet.to_game_record(told))
    return plain


@endpoint("PATCH", "/games/<game_id>")
def change_game(game_id: str, body: GamePatch) -> GameView:
    """Change a game's title, place, notes, house rules or certainty; finish it, give it up or go on."""
    with write_session() as session:
        game = the_game(session, game_id)
        if not (body.settings is UNSET and body.certainty is UNSET) and body.finished is not False:
            games.check_open(game)
        _check_certainty(rules_of(game), body.certainty)
        for house in (body.settings, body.seen.settings):
            if house is not UNSET:
                check_house(rules_of(game), house)
        check_game(game, given(body.seen), given(body))
        for column in ("title", "location", "notes"):
            value = getattr(body, column)
            if value is not UNSET:
                setattr(game, column, value)
        if body.finished is True or body.given_up is True:
            games.end(game, given_up=body.given_up is True)
        elif body.finished is False or (body.given_up is False and game.given_up):
            games.take_up(game)
        if body.settings is not UNSET:
            games.change_settings(session, services().catalogue, game, body.settings)
        if body.certainty is not UNSET:
            games.change_certainty(session, services().catalogue, game, body.certainty)
        games.touch(game)
        return shown_game(game)


@endpoint("DELETE", "/games/<game_id>")
def delete_game(game_id: str) -> None:
    """Put a game into the bin."""
    with write_session() as session:
        games.delete_game(the_game(session, game_id))


@endpoint("POST", "/games/<game_id>/restore")
def restore_game(game_id: str) -> GameView:
    """Take a game out of the bin."""
    with write_session() as session:
        game = the_game(session, game_id, deleted=True)
        games.restore_game(game)
        return shown_game(game)


@endpoint("PATCH", "/seats/<seat_id>")
def change_seat(seat_id: str, body: SeatPatch) -> GameView:
    """Rename a player or change the colour."""
    with write_session() as session:
        seat = get_row(session, Seat, seat_id)
        if body.colour is not UNSET:
            _check_colour(rules_of(seat.game), body.colour)
        check_words(seat, given(body.seen), given(body))
        games.change_seat(
            session,
            seat,
            name=seat.name if body.name is UNSET else body.name,
            colour=seat.colour if body.colour is UNSET else body.colour,
            catalogue=services().shelf.catalogue_of(seat.game.deck),
        )
        return shown_game(the_game(session, seat.game_id))


@endpoint("PATCH", "/games/<game_id>/rounds/<int:number>")
def change_round(game_id: str, number: int, body: RoundPatch) -> GameView:
    """Choose a round's objectives and hourglass, give its time bonus, tick its steps."""
    with write_session() as session:
        game = the_game(session, game_id)
        round_ = score_sheet.round_numbered(game, number)
        games.check_open(game)
        rules, wanted = rules_of(game), given(body)
        _check_objectives(rules, given(body.seen))
        objectives = _check_objectives(rules, wanted)
        check_round(round_, given(body.seen), wanted)
        if objectives:
            games.set_objectives(session, services().catalogue, round_, objectives)
        if body.hourglass is not UNSET:
            games.set_hourglass(round_, body.hourglass)
        if body.time_bonus_seat is not UNSET:
            games.give_time_bonus(round_, body.time_bonus_seat)
        if body.nobody_first is not UNSET:
            games.set_nobody_first(round_, body.nobody_first)
        if body.checklist is not UNSET:
            games.tick(round_, body.checklist)
        session.flush()
        return shown_game(game)


def _check_colour(rules: Rules, colour: str) -> None:
    if colour not in rules.sheet.colours:
        raise not_valid(f"there is no colour {colour!r}; this game has {', '.join(rules.sheet.colours)}")
