"""A card is enrolled from a photo of a game: where about it lies, with the line on it, until its blank face
comes."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.enrol.catalogue_folder import changed_catalogue, new_catalogue
from calibration.enrol.faces.enrolment import answer, enrol_photo, enrol_played
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import read_catalogue
from scorer.errors import Code, WaymarkError
from vision.cards.index import read_art
from vision.outlines.blank_cards import BlankCard, BlankTable
from vision.photo.lens import Lens

CARD = "D14"
LEFT, TOP, WIDTH, HEIGHT = 140, 200, 630, 880
CORNERS = np.array(
    [[LEFT, TOP], [LEFT + WIDTH, TOP], [LEFT + WIDTH, TOP + HEIGHT], [LEFT, TOP + HEIGHT]], float
)
#: What a question tells of it is some pixels off.
ABOUT = CORNERS + np.array([[8, -9], [9, 8], [-7, -8], [-9, 9]])


def photo_of(card: str, *, line: bool) -> bytes:
    """A card on a grey table, with a path across it and a find circled, or blank."""
    art = read_art(bundled_catalogue() / "art" / f"{card}.png")
    assert art is not None
    table: NDArray[np.uint8] = np.full((1400, 1000, 3), (78, 84, 92), np.uint8)
    face = cv2.resize(art, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    table[TOP : TOP + HEIGHT, LEFT : LEFT + WIDTH] = face
    if line:
        path = np.array([[LEFT, 420], [330, 430], [470, 560], [480, 800], [620, 900], [LEFT + WIDTH, 905]])
        cv2.polylines(table, [path], False, (30, 30, 30), 15, cv2.LINE_AA)
        cv2.circle(table, (470, 560), 45, (30, 30, 30), 12, cv2.LINE_AA)
    return bytes(cv2.imencode(".jpg", table, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


@pytest.fixture
def box(tmp_path: Path) -> Path:
    folder = tmp_path / "box"
    with changed_catalogue(folder, new_catalogue("ours", "mapmasters", (63, 88))):
        pass
    (tmp_path / "played.jpg").write_bytes(photo_of(CARD, line=True))
    return folder


def off_art(box: Path, card: str) -> float:
    """How far a card's art is from the true face: the mean difference of grey levels."""
    made = read_art(box / read_catalogue(box).card(card).art)
    true = read_art(bundled_catalogue() / "art" / f"{CARD}.png")
    assert made is not None and true is not None
    ours, theirs = (
        cv2.resize(face, (126, 176), interpolation=cv2.INTER_AREA).astype(float) for face in (made, true)
    )
    return float(np.abs(ours - theirs)[6:-6, 6:-6].mean())


@pytest.mark.long
def test_a_card_from_a_game_bears_its_line_until_it_is_seen_blank(box: Path, tmp_path: Path) -> None:
    played = tmp_path / "played.jpg"
    assert enrol_played(box, played, ABOUT.tolist()) == ("card-01", True)
    # Whoever is killed before the photo is read again asks once more.
    assert enrol_played(box, played, ABOUT.tolist()) == ("card-01", False)
    [card] = read_catalogue(box).cards
    assert card.drawn_on and card.tracing == "no"
    with_line = off_art(box, "card-01")
    blank = BlankTable((BlankCard(CORNERS, 1.0, 1.0),), Lens(1000, 1400), 10.0)
    with patch("calibration.enrol.faces.enrolment.find_blank_cards", lambda *_: blank):
        [seen] = enrol_photo(box, photo_of(CARD, line=False), "blank.jpg").faces
        assert seen.question is not None and seen.card == "card-01" and not seen.new
        assert answer(box, seen.name, "same") == "card-01"
        [card] = read_catalogue(box).cards
        assert not card.drawn_on and off_art(box, "card-01") < 0.7 * with_line
        [other] = enrol_photo(box, photo_of("D39", line=False), "other.jpg").faces
    assert other.new and other.card == "card-02"


def test_what_has_no_edges_is_no_card(box: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.jpg"
    bare.write_bytes(cv2.imencode(".jpg", np.full((1400, 1000, 3), 90, np.uint8))[1].tobytes())
    with pytest.raises(WaymarkError) as caught:
        enrol_played(box, bare, ABOUT.tolist())
    assert caught.value.code == Code.NO_CARD and not read_catalogue(box).cards
