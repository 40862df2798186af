"""Boxes and tracings as the reader of what is being answered sees them: in their language, with addresses of
pictures."""

from __future__ import annotations

from collections.abc import Callable

from flask import url_for

from calibration.trace_drafts import Draft, draft_of
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from webapp.decks.shelf import Deck
from webapp.decks.view import TracingView, tracing_view
from webapp.http.languages import current_language
from webapp.http.services import services


def picture_address(deck: Deck, catalogue: Catalogue) -> Callable[[str], str]:
    """The address of a card's picture, which changes with it."""

    def address(card_id: str) -> str:
        try:
            changed = catalogue.art_path(catalogue.card(card_id)).stat().st_mtime_ns
        except (OSError, WaymarkError):
            changed = 0
        return url_for("decks.card_picture", deck_id=deck.id, card_id=card_id, version=f"{changed:x}")

    return address


def shown_tracing(deck: Deck, card_id: str, draft: Draft | None = None) -> TracingView:
    """A card's tracing as it stands now. Raises `WaymarkError` (unknown-card)."""
    catalogue = services().shelf.catalogue(deck)
    card = catalogue.card(card_id)
    draft = draft or draft_of(deck.folder, card)
    return tracing_view(deck, catalogue, card, draft, current_language(), picture_address(deck, catalogue))


def own_deck(deck_id: str) -> Deck:
    """A box that may be changed here. Raises `WaymarkError`."""
    deck = services().shelf.deck(deck_id)
    if not deck.own:
        raise WaymarkError(
            Code.FORBIDDEN,
            "The open deck comes with Waymark and stays as it is; make a box of your own.",
            "オープンデッキは Waymark に付属のもので、変更できません。自分の箱を作ってください。",
        )
    return deck
