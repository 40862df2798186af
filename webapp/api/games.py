"""Games over the API: begun, looked at, scored by hand, put away and brought back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from flask import request
from msgspec import UNSET, UnsetType
from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.mapmasters.game import Final
from scorer.mapmasters.game import Game as GameRecord
from scorer.mapmasters.market import TOKENS_OF_A_KIND
from scorer.mapmasters.settings import HOUSE, VersusSettings
from webapp import games, score_sheet
from webapp.api.endpoint import endpoint
from webapp.game_view import (
    EntryView,
    GameSummary,
    GameView,
    game_summary,
    game_view,
    load_game,
    with_everything,
)
from webapp.games import Colour, NewPlayer
from webapp.models import Entry, Game, Seat, now
from webapp.services import get_row, not_found, reading, saving, services

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
Line = Annotated[str, msgspec.Meta(max_length=300)]
Text = Annotated[str, msgspec.Meta(max_length=20_000)]
Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
Coins = Annotated[int, msgspec.Meta(ge=0, le=999)]
Tokens = Annotated[int, msgspec.Meta(ge=0, le=TOKENS_OF_A_KIND)]
Uses = Annotated[int, msgspec.Meta(ge=0, le=99)]
#: Games in one answer of the list.
MAX_LISTED = 200


class PlayerBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who sits down."""

    name: Name
    colour: Colour


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to begin; players in seating order, clockwise."""

    players: Annotated[list[PlayerBody], msgspec.Meta(max_length=20)]
    title: Line = ""
    location: Line = ""
    settings: VersusSettings = HOUSE


class GamePatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change of a game; what is left out stays."""

    title: Line | UnsetType = UNSET
    location: Line | UnsetType = UNSET
    notes: Text | UnsetType = UNSET
    finished: bool | UnsetType = UNSET
    settings: VersusSettings | UnsetType = UNSET


class SeatPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change of a seat."""

    name: Name | UnsetType = UNSET
    colour: Colour | UnsetType = UNSET


class RoundPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change of a round. `time_bonus_seat` names who finished first (None: nobody); `checklist` has
    steps by key."""

    primary: str | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET
    hourglass: bool | UnsetType = UNSET
    time_bonus_seat: str | UnsetType | None = UNSET
    checklist: dict[Annotated[str, msgspec.Meta(pattern="^[0-9]{1,2}$")], bool] | UnsetType = UNSET


class SeenScore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a page showed of the values that it changes."""

    primary_vp: Points | UnsetType | None = UNSET
    secondary_vp: Points | UnsetType | None = UNSET
    escaped: bool | UnsetType | None = UNSET
    coins_received: Coins | UnsetType = UNSET
    time_bonus: bool | UnsetType = UNSET


class EntryPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change of a player's round. A score that is given stands against the photo from then on. With
    `seen` it is written only over those values: where another device wrote others, the answer is 409."""

    primary_vp: Points | UnsetType | None = UNSET
    secondary_vp: Points | UnsetType | None = UNSET
    escaped: bool | UnsetType | None = UNSET
    coins_received: Coins | UnsetType = UNSET
    time_bonus: bool | UnsetType = UNSET
    fairy_tokens: dict[str, Tokens] | UnsetType = UNSET
    spellbooks: Annotated[list[str], msgspec.Meta(max_length=17)] | UnsetType = UNSET
    optimizers_used: dict[Literal["recycle", "scissors"], Uses] | UnsetType = UNSET
    seen: SeenScore = SeenScore()


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """The number that grows with every change."""

    version: int


class TableauId(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player's photos go."""

    tableau_id: str


def the_game(session: Session, game_id: str, *, deleted: bool = False) -> Game:
    """A game with everything in it. Raises `WaymarkError` (not-found)."""
    game = load_game(session, game_id)
    if game is None or (game.deleted_at is not None and not deleted):
        raise not_found()
    return game


def the_entry(session: Session, entry_id: str) -> Entry:
    """A player's round of a game that is there. Raises `WaymarkError` (not-found)."""
    entry = get_row(session, Entry, entry_id)
    if entry.round.game.deleted_at is not None:
        raise not_found()
    return entry


def shown_entry(session: Session, entry_id: str) -> EntryView:
    """A player's round as it stands after a change."""
    session.flush()
    game = game_view(the_entry(session, entry_id).round.game)
    return next(entry for round_ in game.rounds for entry in round_.entries if entry.id == entry_id)


@endpoint(
    "GET",
    "/games",
    summary="Games, the newest first.",
    query={"state": "open or finished; all of them without it"},
    answer=list[GameSummary],
)
def list_games() -> list[GameSummary]:
    wanted = select(Game).where(Game.deleted_at.is_(None)).order_by(Game.created_at.desc()).limit(MAX_LISTED)
    if request.args.get("state") == "open":
        wanted = wanted.where(Game.finished_at.is_(None))
    if request.args.get("state") == "finished":
        wanted = wanted.where(Game.finished_at.is_not(None))
    return [game_summary(game) for game in reading().scalars(with_everything(wanted))]


@endpoint("POST", "/games", summary="Begin a game.", body=NewGame, answer=GameView, status=201)
def create_game(body: NewGame) -> GameView:
    with saving() as session:
        game = games.create_game(
            session,
            [NewPlayer(player.name, player.colour) for player in body.players],
            title=body.title,
            location=body.location,
            settings=body.settings,
        )
        return game_view(game)


@endpoint("GET", "/games/<game_id>", summary="A game with everything in it.", answer=GameView)
def read_game(game_id: str) -> GameView:
    return game_view(the_game(reading(), game_id))


@endpoint(
    "GET", "/games/<game_id>/version", summary="Whether there is anything new in a game.", answer=Version
)
def read_game_version(game_id: str) -> Version:
    return Version(version=get_row(reading(), Game, game_id).version)


@endpoint(
    "GET", "/games/<game_id>/standing", summary="The final score, or the standing so far.", answer=Final
)
def read_standing(game_id: str) -> Final:
    return score_sheet.standing(the_game(reading(), game_id))


@endpoint("GET", "/games/<game_id>/record", summary="The game in the form waymark-game/1.", answer=GameRecord)
def read_game_record(game_id: str) -> GameRecord:
    return score_sheet.to_game_record(the_game(reading(), game_id))


@endpoint(
    "PATCH",
    "/games/<game_id>",
    summary="Change a game's title, place, notes or house rules; finish it or go on.",
    body=GamePatch,
    answer=GameView,
)
def change_game(game_id: str, body: GamePatch) -> GameView:
    with saving() as session:
        game = the_game(session, game_id)
        for column in ("title", "location", "notes"):
            value = getattr(body, column)
            if value is not UNSET:
                setattr(game, column, value)
        if body.finished is not UNSET:
            game.finished_at = (game.finished_at or now()) if body.finished else None
        if body.settings is not UNSET:
            games.change_settings(session, services().catalogue, game, body.settings)
        games.touch(game)
        return game_view(game)


@endpoint("DELETE", "/games/<game_id>", summary="Put a game into the bin.")
def delete_game(game_id: str) -> None:
    with saving() as session:
        games.delete_game(the_game(session, game_id))


@endpoint("POST", "/games/<game_id>/restore", summary="Take a game out of the bin.", answer=GameView)
def restore_game(game_id: str) -> GameView:
    with saving() as session:
        game = the_game(session, game_id, deleted=True)
        games.restore_game(game)
        return game_view(game)


@endpoint(
    "PATCH",
    "/seats/<seat_id>",
    summary="Rename a player or change the colour.",
    body=SeatPatch,
    answer=GameView,
)
def change_seat(seat_id: str, body: SeatPatch) -> GameView:
    with saving() as session:
        seat = get_row(session, Seat, seat_id)
        games.change_seat(
            session,
            seat,
            name=seat.name if body.name is UNSET else body.name,
            colour=seat.colour if body.colour is UNSET else body.colour,
        )
        return game_view(seat.game)


@endpoint(
    "PATCH",
    "/games/<game_id>/rounds/<int:number>",
    summary="Choose a round's objectives and hourglass, give its time bonus, tick its steps.",
    body=RoundPatch,
    answer=GameView,
)
def change_round(game_id: str, number: int, body: RoundPatch) -> GameView:
    with saving() as session:
        game = the_game(session, game_id)
        round_ = score_sheet.round_numbered(game, number)
        objectives: dict[str, Any] = {
            column: value
            for column in ("primary", "secondary")
            if (value := getattr(body, column)) is not UNSET
        }
        if objectives:
            games.set_objectives(session, services().catalogue, round_, objectives)
        if body.hourglass is not UNSET:
            games.set_hourglass(round_, body.hourglass)
        if body.time_bonus_seat is not UNSET:
            games.give_time_bonus(round_, body.time_bonus_seat)
        if body.checklist is not UNSET:
            games.tick(round_, body.checklist)
        session.flush()
        return game_view(game)


@endpoint("GET", "/entries/<entry_id>", summary="A player's round.", answer=EntryView)
def read_entry(entry_id: str) -> EntryView:
    return shown_entry(reading(), entry_id)


def _given(score: EntryPatch | SeenScore) -> dict[str, Any]:
    fields = SeenScore.__struct_fields__
    return {column: value for column in fields if (value := getattr(score, column)) is not UNSET}


@endpoint(
    "PATCH",
    "/entries/<entry_id>",
    summary="Write a score by hand, or change means, time bonus and optimizers.",
    body=EntryPatch,
    answer=EntryView,
)
def change_entry(entry_id: str, body: EntryPatch) -> EntryView:
    with saving() as session:
        entry = the_entry(session, entry_id)
        wanted = _given(body)
        games.check_unchanged(entry, _given(body.seen), wanted)
        scores = {column: value for column, value in wanted.items() if column in games.RULED}
        if scores:
            games.type_score(entry, scores)
        if body.time_bonus is not UNSET:
            taken = entry.seat_id if body.time_bonus else None
            if body.time_bonus or entry.time_bonus:
                games.give_time_bonus(entry.round, taken)
        if body.fairy_tokens is not UNSET or body.spellbooks is not UNSET:
            games.set_means(
                session,
                services().catalogue,
                entry,
                fairy_tokens=None if body.fairy_tokens is UNSET else body.fairy_tokens,
                spellbooks=None if body.spellbooks is UNSET else body.spellbooks,
            )
        if body.optimizers_used is not UNSET:
            games.set_optimizers(entry, {str(kind): count for kind, count in body.optimizers_used.items()})
        return shown_entry(session, entry_id)


@endpoint(
    "POST",
    "/entries/<entry_id>/follow-photo",
    summary="Forget what was typed: the photo's ruling counts again.",
    answer=EntryView,
)
def follow_photo(entry_id: str) -> EntryView:
    with saving() as session:
        games.follow_photo(the_entry(session, entry_id))
        return shown_entry(session, entry_id)


@endpoint(
    "POST",
    "/entries/<entry_id>/undo",
    summary="Take back the latest score that was typed; again takes the one before back.",
    answer=EntryView,
)
def undo_entry(entry_id: str) -> EntryView:
    with saving() as session:
        games.undo(session, the_entry(session, entry_id))
        return shown_entry(session, entry_id)


@endpoint(
    "POST",
    "/entries/<entry_id>/tableau",
    summary="The tableau that the player's photos of this round go to; made at the first call.",
    answer=TableauId,
)
def open_tableau(entry_id: str) -> TableauId:
    with saving() as session:
        return TableauId(tableau_id=games.tableau_of_entry(session, the_entry(session, entry_id)).id)
