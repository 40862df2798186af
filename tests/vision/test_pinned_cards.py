"""Cards that a person names and places: their ink is read, their outline found again, the likeliest named."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import msgspec
import numpy as np
import pytest
from live_server import PHOTOS

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from vision.cards.index import CardIndex, load_index
from vision.cards.pose import Corners
from vision.photo.decode import Photo, load_photo
from vision.reader import PinnedCard, likeliest_cards, scan_pinned, scan_with_doubts
from vision.scan import Scan


@cache
def deck() -> tuple[Catalogue, CardIndex]:
    catalogue = load_catalogue(bundled_catalogue())
    return catalogue, load_index(catalogue)


@cache
def seen() -> tuple[Photo, Scan]:
    photo = load_photo(PHOTOS / "table-07.jpg")
    return photo, scan_with_doubts(photo, *deck())


def as_read() -> tuple[PinnedCard, ...]:
    scan = seen()[1]
    return tuple(
        PinnedCard(placed.card, placed.rotation, card.corners, card.confidence, placed.x, placed.y)
        for placed, card in zip(scan.tableau.cards, scan.cards, strict=True)
    )


def test_the_cards_as_they_were_read_give_the_same_reading() -> None:
    photo, scan = seen()
    again = scan_pinned(photo, as_read(), *deck())
    assert again.tableau == scan.tableau


@pytest.mark.parametrize("off_mm", [(2.0, -1.5), (-2.5, 1.0)])
def test_a_roughly_dragged_outline_is_laid_over_the_card(off_mm: tuple[float, float]) -> None:
    photo, scan = seen()
    cards = list(as_read())
    corners = np.array(cards[0].corners)
    mm = np.linalg.norm(corners[3] - corners[0]) / deck()[0].card_size_mm[1]
    dragged: Corners = tuple((float(x), float(y)) for x, y in corners + np.array(off_mm) * mm)
    cards[0] = replace(cards[0], corners=dragged, changed=True)
    again = scan_pinned(photo, cards, *deck())
    assert np.abs(np.array(again.cards[0].corners) - corners).max() < mm
    assert again.tableau.path == scan.tableau.path


def test_doubts_that_are_left_open_are_asked() -> None:
    photo, _ = seen()
    cards = list(as_read())
    cards[1] = replace(cards[1], options=(cards[1].card, "D05"))
    asked = [q for q in scan_pinned(photo, cards, *deck()).questions if q.about == "card"]
    assert [(question.place, question.options) for question in asked] == [("1", (cards[1].card, "D05"))]


@pytest.mark.parametrize("turned", [False, True])
def test_the_card_that_lies_there_is_the_likeliest(turned: bool) -> None:
    photo, scan = seen()
    for card in scan.cards:
        corners = (*card.corners[2:], *card.corners[:2]) if turned else card.corners
        ranked = likeliest_cards(photo, corners, deck()[1])
        assert ranked[0] == (card.card, 180 if turned else 0)
        assert {name for name, _ in ranked} == set(deck()[1].ids)


def test_outside_the_photo_no_card_is_likelier_than_another() -> None:
    photo, _ = seen()
    away: Corners = ((-900.0, 0.0), (-500.0, 0.0), (-500.0, 600.0), (-900.0, 600.0))
    ranked = likeliest_cards(photo, away, deck()[1])
    assert ranked == [(name, 0) for name in deck()[1].ids]


def test_cards_that_were_stored_before_they_were_poses_are_read() -> None:
    corners = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    stored = {"card": "C1", "rotation": 90, "x": 1.5, "y": -2.0, "corners": corners, "confidence": 0.9}
    as_read = PinnedCard("C1", 90, corners, 0.9, 1.5, -2.0)
    assert msgspec.convert(stored, PinnedCard) == as_read
    dragged = msgspec.convert(stored | {"changed": True, "options": ["C2"]}, PinnedCard)
    assert dragged == replace(as_read, changed=True, options=("C2",))
    assert msgspec.to_builtins(as_read) == stored | {"changed": False, "options": ()}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(stored | {"rotation": 45}, PinnedCard)
