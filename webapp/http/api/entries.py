"""Players' rounds over the API: scores written by hand and taken back, means, time bonus, optimizers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy.orm import Session

from scorer.mapmasters.terms import TOKENS_OF_A_KIND
from webapp.games import games
from webapp.games import manual_scores as typed_scores
from webapp.games.manual_scores import RULED
from webapp.games.preconditions import check_entry
from webapp.games.view import EntryView, game_view, load_game
from webapp.http.api.endpoint import endpoint
from webapp.http.api.games import given
from webapp.http.services import get_row, not_found, read_session, services, write_session
from webapp.store.models import Change, Entry

Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
Coins = Annotated[int, msgspec.Meta(ge=0, le=999)]
Tokens = Annotated[int, msgspec.Meta(ge=0, le=TOKENS_OF_A_KIND)]
Uses = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Score(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the score board has of a player's round; `fairy_tokens` and `optimizers_used` count by kind."""

    primary_vp: Points | UnsetType | None = UNSET
    secondary_vp: Points | UnsetType | None = UNSET
    escaped: bool | UnsetType | None = UNSET
    coins_received: Coins | UnsetType = UNSET
    fairy_tokens: dict[str, Tokens] | UnsetType = UNSET
    optimizers_used: dict[Literal["recycle", "scissors"], Uses] | UnsetType = UNSET


class SeenScore(Score, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was looked at of a player's round. `time_bonus_seat` names who had the round's time bonus (None:
    that was open, or `nobody_first`)."""

    time_bonus_seat: str | UnsetType | None = UNSET
    nobody_first: bool | UnsetType = UNSET


class EntryPatch(Score, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to change of a player's round. A score that is given stands against the photo from then on. Kinds
    of tokens and optimizers, and spellbooks (true: held), that are left out stay as they are. 409 where
    something else stands than was `seen`."""

    time_bonus: bool | UnsetType = UNSET
    spellbooks: Annotated[dict[str, bool], msgspec.Meta(max_length=17)] | UnsetType = UNSET
    seen: SeenScore = SeenScore()


class FollowPhoto(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was looked at of the score that is to be forgotten."""

    seen: SeenScore = SeenScore()


class Undo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which change to take back: the `change` that writing it was answered with."""

    change: Annotated[str, msgspec.Meta(max_length=64)]


class ChangedEntry(EntryView, frozen=True, kw_only=True):
    """A player's round after a change of its score. `change` is what undo takes back by this name: what was
    written just now, or after undoing what was written before; None where there is nothing."""

    change: str | None


class TableauId(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player's photos go."""

    tableau_id: str


def the_entry(session: Session, entry_id: str) -> Entry:
    """A player's round of a game that is there, which is read with it. Raises `WaymarkError` (not-found)."""
    entry = get_row(session, Entry, entry_id)
    whole = load_game(session, entry.round.game_id)
    # The entry keeps it from here on: a session forgets rows that nobody holds.
    if entry.round.game is not whole or whole.deleted_at is not None:
        raise not_found()
    return entry


def open_entry(session: Session, entry_id: str) -> Entry:
    """A player's round of a game that is not finished. Raises `WaymarkError` (not-found, game-finished)."""
    entry = the_entry(session, entry_id)
    games.check_open(entry.round.game)
    return entry


def shown_entry(entry: Entry) -> EntryView:
    """A player's round as it stands in its game."""
    game = game_view(entry.round.game)
    return next(each for round_ in game.rounds for each in round_.entries if each.id == entry.id)


def _changed(session: Session, entry: Entry, change: Change | None) -> ChangedEntry:
    session.flush()
    shown = msgspec.structs.asdict(shown_entry(entry))
    return ChangedEntry(**shown, change=change.id if change is not None else None)


@endpoint("GET", "/entries/<entry_id>", summary="A player's round.", answer=EntryView)
def read_entry(entry_id: str) -> EntryView:
    return shown_entry(the_entry(read_session(), entry_id))


@endpoint(
    "PATCH",
    "/entries/<entry_id>",
    summary="Write a score by hand, or change means, time bonus and optimizers.",
    body=EntryPatch,
    answer=ChangedEntry,
)
def change_entry(entry_id: str, body: EntryPatch) -> ChangedEntry:
    with write_session() as session:
        entry = open_entry(session, entry_id)
        wanted, change = given(body), None
        if body.time_bonus is not UNSET:
            wanted["time_bonus_seat"] = entry.seat_id if body.time_bonus else None
            wanted["nobody_first"] = False
        check_entry(entry, given(body.seen), wanted)
        scores = {column: wanted[column] for column in RULED if column in wanted}
        if scores:
            change = typed_scores.type_score(session, entry, scores)
        if body.time_bonus or (body.time_bonus is False and entry.time_bonus):
            games.give_time_bonus(entry.round, entry.seat_id if body.time_bonus else None)
        if body.fairy_tokens is not UNSET or body.spellbooks is not UNSET:
            games.change_means(
                session,
                services().catalogue,
                entry,
                fairy_tokens=wanted.get("fairy_tokens", {}),
                spellbooks=wanted.get("spellbooks", {}),
            )
        if body.optimizers_used is not UNSET:
            games.set_optimizers(entry, wanted["optimizers_used"])
        return _changed(session, entry, change)


@endpoint(
    "POST",
    "/entries/<entry_id>/follow-photo",
    summary="Forget what was typed: the photo's ruling counts again.",
    body=FollowPhoto,
    answer=ChangedEntry,
)
def follow_photo(entry_id: str, body: FollowPhoto) -> ChangedEntry:
    with write_session() as session:
        entry = open_entry(session, entry_id)
        check_entry(entry, given(body.seen), {})
        return _changed(session, entry, typed_scores.follow_photo(session, entry))


@endpoint(
    "POST",
    "/entries/<entry_id>/undo",
    summary="Take back a score that was written by hand; 409 where something newer was written over it.",
    body=Undo,
    answer=ChangedEntry,
)
def undo_entry(entry_id: str, body: Undo) -> ChangedEntry:
    with write_session() as session:
        entry = open_entry(session, entry_id)
        return _changed(session, entry, typed_scores.undo(session, entry, body.change))


@endpoint(
    "POST",
    "/entries/<entry_id>/tableau",
    summary="The tableau that the player's photos of this round go to; made at the first call.",
    answer=TableauId,
)
def open_tableau(entry_id: str) -> TableauId:
    with write_session() as session:
        return TableauId(tableau_id=games.tableau_of_entry(session, the_entry(session, entry_id)).id)
