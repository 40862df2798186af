"""What lies beside a tableau: cards apart are told with corners, a card without a name is asked about."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from table_photos import Laid, photograph, small_catalogue

from scorer.catalogue import Catalogue
from vision.cards.index import CardIndex, load_index
from vision.reader import scan_with_doubts

FEW = ("D01", "D17", "D33", "D49", "D57")


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> tuple[Catalogue, CardIndex]:
    catalogue = small_catalogue(tmp_path_factory.mktemp("apart") / "deck", FEW)
    return catalogue, load_index(catalogue)


def test_cards_apart_are_told_with_their_corners(deck: tuple[Catalogue, CardIndex]) -> None:
    photo, corners = photograph([Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D57", 200, 0)], roll_deg=0.0)
    scan = scan_with_doubts(photo, *deck)
    assert scan.photo.others == ("D57",)
    (apart,) = scan.photo.apart
    assert np.abs(np.array(apart.corners) - corners[2]).max() < 5
    told = [warning for warning in scan.photo.warnings if "D57" in warning.en]
    assert [(warning.en, warning.ja) for warning in told] == [
        ("Cards that lie apart do not count: D57 (right).", "離れて置かれたカードは数えません: D57(右)。")
    ]
    assert msgspec.json.decode(scan.to_json())["photo"]["apart"][0]["card"] == "D57"


def test_a_card_without_a_name_keeps_the_scan_from_being_sure(
    deck: tuple[Catalogue, CardIndex], tmp_path: Path
) -> None:
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D33", 63, 88)]
    photo, corners = photograph(cards)
    lacking = small_catalogue(tmp_path / "lacking", [card for card in FEW if card != "D33"])
    scan = scan_with_doubts(photo, lacking, load_index(lacking))
    assert {card.card for card in scan.tableau.cards} == {"D01", "D17"}
    (question,) = [asked for asked in scan.questions if "could not be read" in asked.reason_en]
    assert question.name.startswith("card:stranger:") and question.crop_px is not None
    middle = np.array(question.crop_px, float).reshape(2, 2).mean(axis=0)
    assert np.linalg.norm(middle - corners[2].mean(axis=0)) < 25
    assert not scan.sure
    whole = scan_with_doubts(photo, *deck)
    assert not any(asked.about == "card" for asked in whole.questions)
