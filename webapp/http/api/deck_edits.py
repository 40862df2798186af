"""API of deck changes: names and cards, shared tracings, and cards added from a photo of a game."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType
from werkzeug.exceptions import UnsupportedMediaType

from calibration.enrol.box_edits import put_back, rename_box, rename_card, take_out, turn_card
from calibration.enrol.share.questions import answer_shared
from calibration.enrol.share.sharing import write_shared
from scorer.catalogue import FILE_NAME
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.decks.uses import check_never_shown, games_with
from webapp.decks.view import DeckView, deck_view
from webapp.http.api.decks import CardId, DeckDetail, Name, deck_detail
from webapp.http.api.endpoint import Query, endpoint
from webapp.http.api.review import open_tableau
from webapp.http.deck_presenter import Enrolment, own_deck, shown_enrolment
from webapp.http.languages import current_language
from webapp.http.security import limiter
from webapp.http.services import read_session, services, write_session
from webapp.http.uploads import plain_filename
from webapp.tableaus.jobs import errand_view
from webapp.tableaus.model import ReviewErrand


class DeckPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new `name` of a deck, replacing the one `seen`, or its state `set_aside` (hidden from new games;
    reversible). For a deck in use the answer is 409 with the number of games, unless `anyway`."""

    name: Name | UnsetType = UNSET
    seen: Annotated[str, msgspec.Meta(max_length=200)] = ""
    set_aside: bool | UnsetType = UNSET
    anyway: bool = False


class CardPatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of a card: another `name` (its printed reference), whether it is `out` of the deck, or whether
    it is `turned` by 180 degrees."""

    name: Annotated[str, msgspec.Meta(max_length=200)] | UnsetType = UNSET
    out: bool | UnsetType = UNSET
    turned: bool = False


class SharedAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card of a shared tracing that equals a card of the deck; "" is none of the candidates."""

    card: CardId
    chosen: CardId


class NewCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Statement that the card of a question (given by its name) is not in the catalogue yet; `version` is
    that of the review which the person saw."""

    question: Annotated[str, msgspec.Meta(max_length=200)]
    version: Annotated[int, msgspec.Meta(ge=0)]


@endpoint("PATCH", "/decks/<escaped:deck_id>")
def change_deck(deck_id: str, body: DeckPatch) -> DeckView:
    """Rename a box, set it aside or bring it back."""
    shelf, deck = services().shelf, own_deck(deck_id)
    if body.name is not UNSET:
        rename_box(deck.folder, body.name, body.seen)
    if body.set_aside is not UNSET:
        games = games_with(read_session(), shelf.name_of(deck)) if body.set_aside else 0
        if games and not body.anyway:
            raise WaymarkError(
                Code.CONFLICT,
                Text(
                    "Games played with this box: {games}. They stay and can be played on; new ones cannot "
                    "choose it until it is brought back.",
                    games=games,
                ),
            )
        deck = shelf.set_aside(deck, body.set_aside)
    return deck_view(shelf, deck, current_language())


@endpoint("PATCH", "/decks/<escaped:deck_id>/cards/<escaped:card_id>")
def change_card(deck_id: str, card_id: str, body: CardPatch) -> DeckDetail:
    """Rename a card, take it out of the box, put it back, or turn it; what was read with it stands."""
    deck = own_deck(deck_id)
    name = services().shelf.name_of(deck)
    if body.turned:
        card = services().shelf.catalogue(deck).card(card_id)

        @contextmanager
        def never_shown() -> Iterator[None]:
            with write_session() as session:
                check_never_shown(session, name, (card.id, *card.former))
                yield

        turn_card(deck.folder, card_id, never_shown)
    if body.out is not UNSET:
        (take_out if body.out else put_back)(deck.folder, card_id)
    if body.name is not UNSET:
        rename_card(deck.folder, card_id, body.name)
        services().read_again(deck, (card_id,))
    services().enrolling.propose_soon(deck)
    return deck_detail(deck)


@endpoint("GET", "/decks/<escaped:deck_id>/shared", media_type="application/json")
@limiter.limit("10 per minute")
def share_deck(deck_id: str) -> Response:
    """The dungeons of a box with fingerprints of its cards and no picture, for others' boxes."""
    deck, receiving = services().shelf.deck(deck_id), services().config.receiving
    services().shelf.catalogue(deck)  # Raises if the deck has none.

    def make() -> bytes:
        with tempfile.TemporaryDirectory(dir=receiving) as folder:
            file = Path(folder) / "shared.json"
            write_shared(deck.folder, file)
            return file.read_bytes()

    # Stamp of the current catalogue, so that a result begun with an older one is not returned.
    stamp = (deck.folder / FILE_NAME).stat().st_mtime_ns
    made = services().shares.made(f"{deck.id} {stamp}", make)
    answer = Response(made, mimetype="application/json")
    name = f"{services().shelf.title(deck).message(current_language())}.waymark.json"
    answer.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return answer


@endpoint(
    "POST",
    "/decks/<escaped:deck_id>/shared",
    takes="application/octet-stream",
    query={"name": Query("what the file is called", ".{1,300}")},
    status=202,
)
@limiter.limit(lambda: f"{services().config.uploads_per_minute} per minute")
def take_shared_deck(deck_id: str) -> Enrolment:
    """Take in dungeons that another box shares; they are kept, then taken over in the background."""
    if request.mimetype != "application/octet-stream":
        raise UnsupportedMediaType
    deck = own_deck(deck_id)
    name = plain_filename(request.args.get("name")) or "shared.json"
    services().enrolling.keep_shared(deck, request.get_data(cache=False), name)
    return shown_enrolment(deck)


@endpoint("POST", "/decks/<escaped:deck_id>/shared/answers")
def answer_shared_card(deck_id: str, body: SharedAnswer) -> Enrolment:
    """Say which card of the shared dungeons a card of the box is."""
    deck = own_deck(deck_id)
    answer_shared(deck.folder, body.card, body.chosen)
    if body.chosen:
        services().read_again(deck, (body.card, body.chosen))
        services().enrolling.propose_soon(deck)
    return shown_enrolment(deck)


@endpoint("POST", "/tableaus/<tableau_id>/new-card", status=202)
def add_new_card(tableau_id: str, body: NewCard) -> ReviewErrand:
    """The card that a question is about is new: have it cut out of the photo into the box, then the photo
    read again. It is kept, then done in the background; `.../progress` tells how far."""
    at_hand = services()
    with write_session() as session:
        tableau = open_tableau(session, tableau_id)
        deck = own_deck(at_hand.shelf.named(tableau.deck).id)
        errand = at_hand.new_cards.add(session, tableau, deck, body.question, body.version)
    at_hand.queue.wake()
    return errand_view(errand, current_language())
