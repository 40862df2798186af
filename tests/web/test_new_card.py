"""A card that is in no catalogue comes into the box from the photo that is being scored."""

from __future__ import annotations

import json
from typing import Any

import cv2
import pytest
from live_server import PHOTOS, LiveServer, wait_until_read
from page_looks import faults, keep_screenshot
from untraced_deck import untraced_deck

from scorer.catalogue import read_catalogue

TRUTH = json.loads((PHOTOS / "table-07.truth.json").read_bytes())
PLAYERS = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
NEW = "D14"


@pytest.mark.long
def test_a_new_card_comes_from_the_photo_that_shows_it(new_page: Any, live: LiveServer) -> None:
    others = {card["card"]: "yes" for card in TRUTH["tableau"]["cards"] if card["card"] != NEW}
    box = untraced_deck(live.services.config.data / "boxes" / "without", {**others, "D72": "yes"})
    page = new_page(language="ja")
    game = page.request.post("/api/v1/games", data={"players": PLAYERS, "deck": "without"}).json()
    entry = game["rounds"][0]["entries"][0]["id"]
    data = (PHOTOS / "table-07.jpg").read_bytes()
    photo = {"name": "table-07.jpg", "mimeType": "image/jpeg", "buffer": data}
    sent = page.request.post("/api/v1/photos", multipart={"entry_id": entry, "photo": photo}).json()
    tableau = sent["tableau_id"]
    first = wait_until_read(page, tableau)
    assert NEW not in {card["card"] for card in first["record"]["cards"]}

    page.goto(f"/tableaus/{tableau}")
    page.locator("#question .new-card").wait_for()
    keep_screenshot(page, "new-card-question", whole=True)
    assert not faults(page)
    page.locator("#question .new-card").tap()
    page.locator("#untraced:not([hidden])").wait_for()
    keep_screenshot(page, "new-card-added", whole=True)
    (added,) = [card for card in read_catalogue(box).cards if card.id not in {*others, "D72"}]
    assert added.drawn_on and added.tracing == "no"
    read = wait_until_read(page, tableau)
    assert added.id in {card["card"] for card in read["record"]["cards"]}
    assert len(read["record"]["cards"]) == len(TRUTH["tableau"]["cards"])
    # It lies where the photo shows it, and is as large.
    laid = {card["card"]: card for card in read["record"]["cards"]}
    art = cv2.imread(str(box / added.art))
    assert art is not None and art.shape[0] > art.shape[1]
    assert laid[added.id]["rotation"] in (0, 180) and not read["sure"]
    # The same card once more is no second one.
    page.goto(f"/decks/without/cards/{added.id}?tableau={tableau}")
    page.wait_for_function("() => document.querySelector('#trace-tools button')")
    keep_screenshot(page, "new-card-traced", whole=True)
    assert len(read_catalogue(box).cards) == len(others) + 2
