"""API of decks: creation, views, and tracing of their cards edit by edit."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import request

from calibration.enrol.faces.enrolment import Choice
from calibration.enrol.faces.missing import MOST_CARDS, state_cards
from calibration.enrol.trace.drafts import (
    NO_EFFORT,
    Effort,
    copy_draft,
    draft_of,
    edit_draft,
    finish_draft,
    step_draft,
)
from calibration.enrol.trace.graph import LEAST_REACH_MM, MOST_REACH_MM, REACH_MM
from calibration.enrol.trace.tracing import Edit, way_between, with_tracing
from scorer.catalogue import Point
from webapp.decks.shelf import LEAST_SIDE_MM, MOST_SIDE_MM, Deck
from webapp.decks.view import DeckCard, DeckView, TracingView, deck_cards, deck_view
from webapp.http.api.endpoint import Query, Version, endpoint
from webapp.http.deck_presenter import Enrolment, own_deck, picture_address, shown_enrolment, shown_tracing
from webapp.http.languages import current_language
from webapp.http.security import limiter
from webapp.http.services import services
from webapp.http.uploads import uploads_from

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"\S")]
Side = Annotated[float, msgspec.Meta(ge=LEAST_SIDE_MM, le=MOST_SIDE_MM)]
CardId = Annotated[str, msgspec.Meta(max_length=200)]


class NewDeck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new deck: its name, its game's word, and the size of a card in mm."""

    name: Name
    game: Annotated[str, msgspec.Meta(max_length=32)]
    card_size_mm: tuple[Side, Side] = (63.0, 88.0)


class DeckDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A box with its cards, and those that were taken `out` of it."""

    deck: DeckView
    cards: list[DeckCard]
    out: list[DeckCard]


class TraceEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One edit of the tracing at `version`; 409 if another device changed it first. `reach_mm`: the search
    radius around the touched point. `effort`: the effort spent since the last request."""

    version: Version
    edit: Edit
    reach_mm: Annotated[float, msgspec.Meta(ge=LEAST_REACH_MM, le=MOST_REACH_MM)] = REACH_MM
    effort: Effort = NO_EFFORT


class TraceStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tracing's version, and the effort spent since the last request."""

    version: Version
    effort: Effort = NO_EFFORT


class TraceDone(TraceStep, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Confirmation of a card's tracing; `anyway`: despite inconsistencies."""

    anyway: bool = False


class TraceCopy(TraceStep, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card whose dungeon is copied, and whether that card is upside down."""

    card: CardId
    upside_down: bool = False


class TracedWay(msgspec.Struct, frozen=True, kw_only=True):
    """The shortest way between two places of a card: its places, its line, and how long it is in mm; all
    empty and None where there is none."""

    places: tuple[str, ...]
    lines: tuple[tuple[Point, ...], ...]
    mm: float | None


@endpoint("GET", "/decks")
def list_decks() -> list[DeckView]:
    """Every box of this table."""
    shelf, language = services().shelf, current_language()
    return [deck_view(shelf, deck, language) for deck in shelf.decks()]


@endpoint("POST", "/decks", status=201)
def create_deck(body: NewDeck) -> DeckView:
    """Make a box."""
    shelf = services().shelf
    return deck_view(shelf, shelf.new_deck(body.name, body.game, body.card_size_mm), current_language())


@endpoint("GET", "/decks/<escaped:deck_id>")
def read_deck(deck_id: str) -> DeckDetail:
    """A box with its cards."""
    return deck_detail(services().shelf.deck(deck_id))


def deck_detail(deck: Deck) -> DeckDetail:
    """Detailed view of a deck. Raises `WaymarkError` where the folder is no catalogue."""
    shelf = services().shelf
    catalogue = shelf.catalogue(deck)
    address = picture_address(deck, catalogue)
    return DeckDetail(
        deck=deck_view(shelf, deck, current_language()),
        cards=deck_cards(deck, catalogue, catalogue.cards, address),
        out=deck_cards(deck, catalogue, catalogue.out, address),
    )


class FaceAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer to a question about a face, by the question's name. With the choice "same", `card` is the
    chosen one of the cards that the question offers; "": its first one."""

    question: Annotated[str, msgspec.Meta(max_length=64)]
    choice: Choice
    card: CardId = ""


class StatedCards(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many different cards the deck has; null where that is unknown."""

    cards: Annotated[int, msgspec.Meta(ge=1, le=MOST_CARDS)] | None


@endpoint("POST", "/decks/<escaped:deck_id>/photos", upload={}, status=202)
@limiter.limit(lambda: f"{services().config.uploads_per_minute} per minute")
def send_deck_photo(deck_id: str) -> Enrolment:
    """Send a photo of blank cards for a box; it is kept, then looked at in the background."""
    deck = own_deck(deck_id)
    for upload in uploads_from(request):
        services().enrolling.keep_photo(deck, upload.data, upload.filename)
    return shown_enrolment(deck)


@endpoint("GET", "/decks/<escaped:deck_id>/enrolment")
def read_enrolment(deck_id: str) -> Enrolment:
    """How far the photos of a box are, and what is asked."""
    return shown_enrolment(own_deck(deck_id))


@endpoint("POST", "/decks/<escaped:deck_id>/answers")
def answer_face(deck_id: str, body: FaceAnswer) -> Enrolment:
    """Answer a question about a face."""
    deck = own_deck(deck_id)
    services().enrolling.keep_answer(deck, body.question, body.choice, body.card)
    return shown_enrolment(deck)


@endpoint("PUT", "/decks/<escaped:deck_id>/stated-cards")
def state_deck_cards(deck_id: str, body: StatedCards) -> Enrolment:
    """Say how many different cards a deck has, so that missing ones are told."""
    deck = own_deck(deck_id)
    state_cards(deck.folder, body.cards)
    return shown_enrolment(deck)


_TRACING = "/decks/<escaped:deck_id>/cards/<escaped:card_id>/tracing"


@endpoint("GET", _TRACING)
def read_tracing(deck_id: str, card_id: str) -> TracingView:
    """A card's tracing as it stands."""
    return shown_tracing(services().shelf.deck(deck_id), card_id)


@endpoint("POST", f"{_TRACING}/edits")
def edit_tracing(deck_id: str, card_id: str, body: TraceEdit) -> TracingView:
    """Make an edit of a card's tracing; it is kept, and checked, when this is answered."""
    deck = own_deck(deck_id)
    draft = edit_draft(
        deck.folder, card_id, body.version, body.edit, reach_mm=body.reach_mm, effort=body.effort
    )
    return shown_tracing(deck, card_id, draft)


@endpoint("POST", f"{_TRACING}/undo")
def undo_tracing(deck_id: str, card_id: str, body: TraceStep) -> TracingView:
    """Undo the last edit."""
    deck = own_deck(deck_id)
    return shown_tracing(
        deck, card_id, step_draft(deck.folder, card_id, body.version, -1, effort=body.effort)
    )


@endpoint("POST", f"{_TRACING}/redo")
def redo_tracing(deck_id: str, card_id: str, body: TraceStep) -> TracingView:
    """Redo what was undone."""
    deck = own_deck(deck_id)
    return shown_tracing(deck, card_id, step_draft(deck.folder, card_id, body.version, 1, effort=body.effort))


@endpoint("POST", f"{_TRACING}/copy")
def copy_tracing(deck_id: str, card_id: str, body: TraceCopy) -> TracingView:
    """Take over the dungeon of another card of the same layout."""
    deck = own_deck(deck_id)
    draft = copy_draft(
        deck.folder, card_id, body.version, body.card, upside_down=body.upside_down, effort=body.effort
    )
    return shown_tracing(deck, card_id, draft)


@endpoint("POST", f"{_TRACING}/done")
def finish_tracing(deck_id: str, card_id: str, body: TraceDone) -> TracingView:
    """Say that the card is so: it is written to the catalogue, in ink."""
    deck = own_deck(deck_id)
    draft = finish_draft(deck.folder, card_id, body.version, anyway=body.anyway, effort=body.effort)
    card = services().shelf.catalogue(deck).card(card_id)
    services().read_again(deck, (card.id, *card.former))
    services().enrolling.propose_soon(deck)
    return shown_tracing(deck, card_id, draft)


@endpoint(
    "GET",
    f"{_TRACING}/way",
    query={"from": Query("the id of a place", ".{1,64}"), "to": Query("the id of a place", ".{1,64}")},
)
def read_way(deck_id: str, card_id: str) -> TracedWay:
    """The shortest way between two places of a card as it is traced, whatever stands in it."""
    shelf = services().shelf
    deck = shelf.deck(deck_id)
    catalogue = shelf.catalogue(deck)
    card = catalogue.card(card_id)
    drawn = with_tracing(card, draft_of(deck.folder, card, catalogue.size_of(card.id)).tracing, "proposed")
    found = way_between(
        drawn, catalogue.size_of(card_id), request.args.get("from", ""), request.args.get("to", "")
    )
    if found is None:
        return TracedWay(places=(), lines=(), mm=None)
    return TracedWay(places=found.places, lines=found.lines, mm=round(found.length_mm, 1))
