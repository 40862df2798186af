"""API of shared tables: mission, state, manual changes, turns, hints."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import request

from waymark.review.tableau.edits import PathCorrection
from webapp.disputes.shared_claims import NewTableClaim, accept_table_claim, add_table_claim
from webapp.games.tables import HintView, OfferView, TableView, hints_of, offers_of, table_view
from webapp.games.view import the_game
from webapp.http.api.endpoint import Looked, Version, endpoint
from webapp.http.api.review import Action, actions, claims, read_review
from webapp.http.languages import current_language
from webapp.http.services import read_session, services, write_session
from webapp.store.boxes import kind_of
from webapp.store.database import get_row, not_found
from webapp.store.models import Tableau
from webapp.tableaus.leading import bring
from webapp.tableaus.tables import change_table, correct_line, next_turn


class ChangeTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A manual change of a table: `change` has the game's own form (docs/FORMATS.md), `version` is that of
    the table which the person saw."""

    version: Version
    change: dict[str, Any]


class CorrectLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction of a group's path: `path` is its number in the record's, None for a new one of the group;
    strokes and steps are counted within it."""

    version: Version
    group: str
    path: Annotated[int, msgspec.Meta(ge=0)] | None = None
    correction: PathCorrection


class BringPhoto(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The game into which the photo of a quick look is brought."""

    game_id: Annotated[str, msgspec.Meta(max_length=64)]


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """The game, and the tableau of all its players, where the photo is read."""

    game_id: str
    tableau_id: str


@endpoint(
    "GET", "/missions", query={"deck": "the id of the box that is played with; without it the server's own"}
)
def list_missions() -> list[OfferView]:
    """What can be played together at one table: missions with their shape and goals."""
    shelf = services().shelf
    deck, rules = shelf.chosen(request.args.get("deck", ""), together=True)
    return offers_of(rules, shelf.catalogue_of(deck), current_language())


@endpoint("GET", "/tableaus/<tableau_id>/table")
def read_table(tableau_id: str) -> TableView:
    """A shared table as its players are told it: goals, groups, market, turn."""
    session = read_session()
    told = table_view(
        session, services().catalogue, get_row(session, Tableau, tableau_id), current_language()
    )
    if told is None:
        raise not_found()
    return told


actions(
    read_review,
    kind_of,
    Action(
        "change_shared_table",
        "/table",
        ChangeTable,
        change_table,
        "Change one thing of a shared table by hand; the referee follows.",
    ),
    Action(
        "correct_shared_line",
        "/lines",
        CorrectLine,
        correct_line,
        "Draw or rub out a path of a shared table; the referee follows.",
    ),
    Action(
        "take_turn",
        "/turn",
        Looked,
        next_turn,
        "A card was laid at a shared table: it is the next player's turn.",
    ),
)


claims(read_table, "table", "/table-claims", NewTableClaim, add_table_claim, accept_table_claim)


@endpoint("GET", "/tableaus/<tableau_id>/hint")
def read_hint(tableau_id: str) -> HintView:
    """Which goals can still be met by whom at a shared table, and what closes a way for good."""
    session = read_session()
    told = hints_of(session, services().catalogue, get_row(session, Tableau, tableau_id), current_language())
    if told is None:
        raise not_found()
    return told


@endpoint("POST", "/tableaus/<tableau_id>/bring")
def bring_photo(tableau_id: str, body: BringPhoto) -> Brought:
    """Bring the photo of a quick look into a game whose players share one table; it is read there."""
    with write_session() as session:
        shared = bring(session, get_row(session, Tableau, tableau_id), the_game(session, body.game_id))
        tableau_shared = shared.id
    services().queue.wake()
    return Brought(game_id=body.game_id, tableau_id=tableau_shared)
