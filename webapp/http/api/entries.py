"""API of players' rounds: manual scores and their withdrawal, means, time bonus, optimizers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy.orm import Session

from scorer.game import Game as Rules
from scorer.sheet import Column
from scorer.terms import Term
from webapp.games import games, manual_scores
from webapp.games.preconditions import check_entry
from webapp.games.view import EntryView, load_game
from webapp.http.api.endpoint import endpoint, not_valid
from webapp.http.api.games import given
from webapp.http.presenters import shown_game
from webapp.http.services import read_session, services, write_session
from webapp.store.boxes import boxes_of, group_of, ruled_columns, rules_of_entry
from webapp.store.database import get_row, not_found
from webapp.store.models import Change, Entry

Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
Coins = Annotated[int, msgspec.Meta(ge=0, le=999)]
Uses = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Score(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's score of a round: `scores` by column of the game's sheet, `optimizers_used` by kind. Map
    Masters' boxes and fairy tokens also have fields of their own."""

    scores: dict[str, Points | bool | None] | UnsetType = UNSET
    held: Annotated[dict[str, dict[str, int | bool]], msgspec.Meta(max_length=20)] | UnsetType = UNSET
    terms: Annotated[dict[str, int | bool | str | None], msgspec.Meta(max_length=20)] | UnsetType = UNSET
    primary_vp: Points | UnsetType | None = UNSET
    secondary_vp: Points | UnsetType | None = UNSET
    escaped: bool | UnsetType | None = UNSET
    coins_received: Coins | UnsetType = UNSET
    fairy_tokens: dict[str, Points] | UnsetType = UNSET
    optimizers_used: dict[str, Uses] | UnsetType = UNSET


class SeenScore(Score, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The client's last known values of a player's round. `time_bonus_seat` is the seat with the time bonus
    (None: open, or `nobody_first`)."""

    time_bonus_seat: str | UnsetType | None = UNSET
    nobody_first: bool | UnsetType = UNSET


class EntryPatch(Score, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of a player's round; omitted fields stay. A given score overrides the photo's. `held` gives
    held means by ids of the game's terms; Map Masters' also have fields of their own. The answer is 409 where
    the stored values differ from `seen`."""

    time_bonus: bool | UnsetType = UNSET
    spellbooks: Annotated[dict[str, bool], msgspec.Meta(max_length=17)] | UnsetType = UNSET
    seen: SeenScore = SeenScore()


class FollowPhoto(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The client's last known values of the score that is withdrawn."""

    seen: SeenScore = SeenScore()


class Undo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The id of the change to undo, from the answer to the request that made it."""

    change: Annotated[str, msgspec.Meta(max_length=64)]


class ChangedEntry(EntryView, frozen=True, kw_only=True):
    """A player's round after a change of its score. `change` is the id of the change that undo would withdraw
    next; None where there is none."""

    change: str | None


class TableauId(msgspec.Struct, frozen=True, kw_only=True):
    """The id of the tableau for a player's photos."""

    tableau_id: str


def the_entry(session: Session, entry_id: str) -> Entry:
    """The entry with this id, in an existing game. Raises `WaymarkError` (not-found)."""
    entry = get_row(session, Entry, entry_id)
    whole = load_game(session, entry.round.game_id)
    # The entry keeps the reference: a session forgets rows without one.
    if entry.round.game is not whole or whole.deleted_at is not None:
        raise not_found()
    return entry


def open_entry(session: Session, entry_id: str) -> Entry:
    """The entry with this id, in an unfinished game. Raises `WaymarkError` (not-found, game-finished)."""
    entry = the_entry(session, entry_id)
    games.check_open(entry.round.game)
    return entry


def shown_entry(entry: Entry) -> EntryView:
    """View of a player's round in its game."""
    game = shown_game(entry.round.game)
    return next(each for round_ in game.rounds for each in round_.entries if each.id == entry.id)


def _by_column(rules: Rules, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a request's body by column of the score sheet. Raises `WaymarkError` (not-valid) for an
    unknown column."""
    by_column = {rules.api.columns.get(name, name): value for name, value in values.items()}
    columns = {column.id: column for column in ruled_columns(rules)}
    asked = {*columns, *group_of(rules, "held"), *_FIELDS}
    for name, value in by_column.items():
        if name not in asked:
            raise not_valid(f"the sheet of this game has no {name[:40]!r}")
        if name in columns and not _fits(columns[name], value):
            raise not_valid(f"{name} cannot be {value!r}")
    unknown = set(values.get("optimizers_used", ())) - set(rules.sheet.for_later)
    if unknown:
        raise not_valid(f"nothing is used later that is called {sorted(unknown)[0][:40]!r}")
    return by_column


_FIELDS = ("held", "optimizers_used", "time_bonus", "time_bonus_seat", "nobody_first")


def _told_whole(rules: Rules) -> list[Term]:
    """Terms for held means that have a single value, without separate parts."""
    return [
        term
        for term in rules.rules.settings.terms
        if term.group == "held" and term.kind not in ("counts", "set")
    ]


def _fits(column: Column, value: object) -> bool:
    if value is None:
        return column.kind != "count"
    return isinstance(value, bool) if column.kind == "tick" else type(value) is int and value <= column.most


def _held(rules: Rules, wanted: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Held means in a request's body, by ids of the game's terms, including Map Masters' own fields. Raises
    `WaymarkError` (not-valid) for invalid values."""
    held = {**wanted.pop("held", {})}
    for name in rules.api.means:
        if name in wanted:
            held[name] = {**held.get(name, {}), **wanted[name]}
    terms = {term.id: term for term in rules.rules.settings.terms if term.group == "held"}
    for name, parts in held.items():
        if name not in terms:
            raise not_valid(f"nothing is held that is called {name[:40]!r}")
        for part, value in parts.items():
            counted = terms[name].kind == "counts"
            if counted is isinstance(value, bool) or (counted and not 0 <= value <= terms[name].most):
                raise not_valid(f"{part[:40]!r} cannot be {value!r}")
    return held


def _changed(session: Session, entry: Entry, change: Change | None) -> ChangedEntry:
    session.flush()
    shown = msgspec.structs.asdict(shown_entry(entry))
    return ChangedEntry(**shown, change=change.id if change is not None else None)


@endpoint("GET", "/entries/<entry_id>")
def read_entry(entry_id: str) -> EntryView:
    """A player's round."""
    return shown_entry(the_entry(read_session(), entry_id))


@endpoint("PATCH", "/entries/<entry_id>")
def change_entry(entry_id: str, body: EntryPatch) -> ChangedEntry:
    """Write a score by hand, or change means, time bonus and optimizers."""
    with write_session() as session:
        entry = open_entry(session, entry_id)
        rules, change = rules_of_entry(entry), None
        wanted, seen = _by_column(rules, given(body)), _by_column(rules, given(body.seen))
        held, seen_held = _held(rules, wanted), _held(rules, seen)
        if body.time_bonus is not UNSET:
            wanted["time_bonus_seat"] = entry.seat_id if body.time_bonus else None
            wanted["nobody_first"] = False
        check_entry(entry, {**seen, **seen_held}, {**wanted, **held})
        scores = {column: value for column, value in wanted.items() if column in boxes_of(entry)}
        if scores:
            change = manual_scores.type_score(session, entry, scores)
        if body.time_bonus or (body.time_bonus is False and entry.time_bonus):
            games.give_time_bonus(entry.round, entry.seat_id if body.time_bonus else None)
        if held:
            games.change_held(session, services().catalogue, entry, held)
        told = {term.id: wanted[term.id] for term in _told_whole(rules) if term.id in wanted}
        if told:
            games.set_held(session, services().catalogue, entry, told)
        if body.optimizers_used is not UNSET:
            games.set_optimizers(entry, body.optimizers_used)
        return _changed(session, entry, change)


@endpoint("POST", "/entries/<entry_id>/follow-photo")
def follow_photo(entry_id: str, body: FollowPhoto) -> ChangedEntry:
    """Forget what was typed: the photo's ruling counts again."""
    with write_session() as session:
        entry = open_entry(session, entry_id)
        seen = _by_column(rules_of_entry(entry), given(body.seen))
        held = _held(rules_of_entry(entry), seen)
        check_entry(entry, {**seen, **held}, {})
        return _changed(session, entry, manual_scores.follow_photo(session, entry))


@endpoint("POST", "/entries/<entry_id>/undo")
def undo_entry(entry_id: str, body: Undo) -> ChangedEntry:
    """Take back a score that was written by hand; 409 where something newer was written over it."""
    with write_session() as session:
        entry = open_entry(session, entry_id)
        return _changed(session, entry, manual_scores.undo(session, entry, body.change))


@endpoint("POST", "/entries/<entry_id>/tableau")
def open_tableau(entry_id: str) -> TableauId:
    """The tableau that the player's photos of this round go to; made at the first call."""
    with write_session() as session:
        return TableauId(tableau_id=games.tableau_of_entry(session, the_entry(session, entry_id)).id)
