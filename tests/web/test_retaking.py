"""A photo that could not be read, or hardly, says what spoilt it and where; the big button takes it again."""

from __future__ import annotations

from typing import Any

import cv2
import pytest
from live_server import PHONE, PHOTOS, TABLET, wait_until_read
from spoilt_tables import Pixels, covered_by_glare, dark_and_blurred, table


def sent(page: Any, photo: Pixels) -> str:
    """Send a photo for a player of a new game; its tableau once it has been looked at."""
    players = [{"name": "Aya", "colour": "green"}, {"name": "Ben", "colour": "red"}]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    jpeg = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    file = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": jpeg}
    entry = game["rounds"][0]["entries"][0]["id"]
    kept = page.request.post("/api/v1/photos", multipart={"entry_id": entry, "photo": file}).json()
    tableau_id = str(kept["tableau_id"])
    wait_until_read(page, tableau_id)
    return tableau_id


@pytest.mark.long
def test_a_photo_without_cards_says_why_and_where_and_is_taken_again(new_page: Any) -> None:
    page = new_page(size=PHONE)
    tableau_id = sent(page, covered_by_glare(table()))
    page.goto(f"/tableaus/{tableau_id}")
    panel = page.get_by_role("region", name="This photo could not be read")
    panel.get_by_role("button", name="Glare hides what is here").click()
    place, photo = page.locator(".shortcoming").bounding_box(), page.locator("#viewer").bounding_box()
    # The photo is turned to the place: it is as wide or as high as the photo's frame, nearly.
    assert max(place["width"] / photo["width"], place["height"] / photo["height"]) > 0.8
    button = panel.locator("label", has_text="Take the photo again").bounding_box()
    assert button["height"] >= 64 and button["width"] > 0.8 * panel.bounding_box()["width"]
    assert button["y"] < PHONE["height"], "it is seen without scrolling"
    assert page.get_by_role("link", name="Type the score in").is_visible()
    assert not page.get_by_text("Another photo", exact=True).is_visible(), "one way to take it is enough"
    panel.get_by_label("Take the photo again").set_input_files(PHOTOS / "table-07.jpg")
    panel.wait_for(state="hidden")
    page.locator("#score").wait_for()
    assert not page.locator(".shortcoming").count()


@pytest.mark.long
def test_a_photo_that_is_hard_to_read_says_so_before_it_asks(new_page: Any) -> None:
    page = new_page(size=TABLET, language="ja", dark=True)
    tableau_id = sent(page, dark_and_blurred(table()))
    page.goto(f"/tableaus/{tableau_id}")
    panel = page.get_by_role("region", name="この写真は読み取りにくいです")
    panel.get_by_text("写真が暗すぎます。もっと明るくして撮り直してください。").wait_for()
    assert panel.get_by_text("撮り直す", exact=True).is_visible()
    question = page.locator("#question")
    assert not question.is_visible() or question.bounding_box()["y"] > panel.bounding_box()["y"]
    review = page.request.get(f"/api/v1/tableaus/{tableau_id}/review").json()
    assert not review["reading"]["sure"]
    first = review["reading"]["shortcomings"][0]
    assert first["kind"] == "dark" and len(first["box"]) == 4
