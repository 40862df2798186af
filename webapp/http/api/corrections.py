"""API of tableau corrections: single edits, and the candidates for them: possible card positions and card
ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from flask import request

from scorer.catalogue import CardKind
from scorer.record import PlacedCard
from waymark.review.projection import Points, outline_px, share_in_photo
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.card_edits import card_at, sites
from waymark.review.tableau.edits import Correction
from webapp.http.api.endpoint import Looked, Query, Version, endpoint, not_valid
from webapp.http.api.review import Action, actions, read_review
from webapp.http.services import read_session, services
from webapp.store.database import get_row
from webapp.store.models import Shot, Tableau
from webapp.store.tableaus import assessment_of
from webapp.tableaus.answers import changed_meanwhile
from webapp.tableaus.corrections import LEAST_IN_PHOTO, correct
from webapp.tableaus.kinds import check_own, redo, restore_reading, reviewed, undo
from webapp.tableaus.questions import card_picture
from webapp.tableaus.reading_model import Px
from webapp.tableaus.verdict_view import pxs


class Correct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction of a reading; `version` is the review's version that it is based on."""

    version: Version
    correction: Correction


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """A free place beside the cards: `x`, `y` in mm of the record, `corners` in the photo; `beside` is the
    number of the adjacent card, and `side` the side of that card."""

    x: float
    y: float
    corners: tuple[Px, ...]
    beside: int
    side: Literal["left", "right", "above", "below"]


class CardChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A card of the catalogue. `turned`: the photo matches the card better upside down."""

    card: str
    kind: CardKind
    picture: str
    turned: bool


actions(
    read_review,
    reviewed,
    Action(
        "correct_tableau",
        "/corrections",
        Correct,
        correct,
        "Correct path, marks, cards or means; the first reading is kept, the referee follows.",
    ),
    Action(
        "undo_correction", "/undo", Looked, undo, "Take the latest correction or answer back, and so on back."
    ),
    Action("redo_correction", "/redo", Looked, redo, "Make the correction again that was taken back last."),
    Action(
        "restore_first_reading",
        "/restore-reading",
        Looked,
        restore_reading,
        "Take the photo's reading as it first was; the corrections can be brought back by undoing.",
    ),
)


@endpoint(
    "GET",
    "/tableaus/<tableau_id>/sites",
    query={
        "without": Query("the number of a card that is to lie elsewhere: its own place is free", "[0-9]*")
    },
)
def read_sites(tableau_id: str) -> list[Site]:
    """Where one more card could lie: beside the others, openings meeting."""
    assessment, _ = _assessment(tableau_id)
    photo = assessment.reading.photo
    moved = request.args.get("without", "")
    others = {k: card for k, card in enumerate(assessment.record.cards) if str(k) != moved}
    found = []
    for x, y in sites(services().catalogue, tuple(others.values())):
        outline = _outline(assessment, x, y)
        if share_in_photo(outline, photo.width, photo.height) >= LEAST_IN_PHOTO:
            beside, side = _neighbour(others, x, y)
            found.append(Site(x=x, y=y, corners=pxs(outline), beside=beside, side=side))
    return found


@endpoint(
    "GET",
    "/tableaus/<tableau_id>/card-choices",
    query={
        "index": "The number of a card of the record.",
        "x": "Or the left edge of a free place, mm of the record ...",
        "y": "... and its top edge.",
    },
)
def read_card_choices(tableau_id: str) -> list[CardChoice]:
    """All cards, those first that are most like what the photo shows on a card or a free place."""
    assessment, photo_id = _assessment(tableau_id)
    at_hand = services()
    outline = _asked_outline(assessment)
    ranked = at_hand.queue.rank_cards(photo_id, outline, at_hand.deck) if outline is not None else None
    cards = {card.id: card for card in at_hand.catalogue.cards}
    return [
        CardChoice(card=name, kind=cards[name].kind, picture=card_picture(name), turned=turn == 180)
        for name, turn in ranked or [(name, 0) for name in cards]
    ]


def _asked_outline(assessment: Assessment) -> tuple[Px, ...] | None:
    """Corners in the photo of the card that a request is about, oriented as the tableau, not as the print."""
    try:
        index, x, y = (request.args.get(name) for name in ("index", "x", "y"))
        if index is not None:
            card_at(assessment.record, int(index))
            return tuple(assessment.scan.cards[int(index)].corners)
        if x is not None and y is not None:
            return pxs(_outline(assessment, float(x), float(y)))
    except ValueError:
        raise not_valid("index, x and y are numbers") from None
    return None


def _outline(assessment: Assessment, x: float, y: float) -> Points:
    catalogue = services().catalogue
    card_size = catalogue.card_size_mm
    # Preferably a card of the usual size.
    card = min(catalogue.cards, key=lambda card: (card.size_mm or card_size) != card_size)
    placed = PlacedCard(card.id, x, y)
    return outline_px(placed, assessment.record.cards, assessment.scan.cards, catalogue)


def _neighbour(
    cards: Mapping[int, PlacedCard], x: float, y: float
) -> tuple[int, Literal["left", "right", "above", "below"]]:
    """The card nearest to a free place, and the side of the card."""
    width, height = services().catalogue.card_size_mm

    def off(number: int) -> float:
        return abs(cards[number].x - x) / width + abs(cards[number].y - y) / height

    beside = min(cards, key=off)
    dx, dy = (x - cards[beside].x) / width, (y - cards[beside].y) / height
    if abs(dx) >= abs(dy):
        return beside, "right" if dx > 0 else "left"
    return beside, "below" if dy > 0 else "above"


def _assessment(tableau_id: str) -> tuple[Assessment, str]:
    """Current assessment of a tableau, and the id of the photo in use."""
    session = read_session()
    tableau = get_row(session, Tableau, tableau_id)
    check_own(tableau)
    assessment = assessment_of(session, services().catalogue, tableau)
    if assessment is None:
        raise changed_meanwhile()
    return assessment, session.get_one(Shot, tableau.shot_id).photo_id
