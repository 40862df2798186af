"""The decks that only validation sees are sound boxes of cards, the same each time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from calibration.decks.check import check_deck
from calibration.enrol.card_geometry import contract_problems
from samples.grid_dungeons import KINDS, box_of
from samples.pixel_deck import pixel_deck
from samples.styles.decks import write_deck
from scorer.catalogue import read_catalogue


def test_a_box_has_all_that_a_box_has() -> None:
    deck = pixel_deck()
    assert deck.cards == pixel_deck().cards
    assert not [fault for card in deck.cards for fault in contract_problems(card, deck.card_size_mm)]
    finds = {node.find for card in deck.cards for node in card.nodes if node.find}
    finds |= {find.find for card in deck.cards for room in card.rooms for find in room.finds}
    assert finds == set(KINDS)
    assert {edge.kind for card in deck.cards for edge in card.edges} == {"corridor", "stairs", "fall"}
    colours = Counter(card.id.split("-")[0] for card in deck.cards if card.kind == "starter")
    assert set(colours.values()) == {5} and len(deck.cards) >= 30


def test_any_size_has_its_dungeons() -> None:
    for size in ((70.0, 70.0), (120.0, 50.0)):
        assert len(box_of(("A", "B", "C"), size, 5)) == 37


@pytest.mark.long
@pytest.mark.parametrize("name", ["parchment", "pixels"])
def test_a_deck_is_sound(name: str, tmp_path: Path) -> None:
    write_deck(name, tmp_path)
    report = check_deck(tmp_path)
    assert report.findings == () and report.card_count == 37
    assert read_catalogue(tmp_path).by_id
    assert report.nearest is not None and np.isfinite(report.nearest.distance)
