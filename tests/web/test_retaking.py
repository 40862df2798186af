"""A photo that could not be read, or hardly, says what spoilt it and where; the big button takes it again."""

from __future__ import annotations

from typing import Any

import cv2
import pytest
from live_server import PHONE, PHOTOS, TABLET, LiveServer, readers_kept, wait_until_read
from spoilt_tables import Pixels, covered_by_glare, dark_and_blurred, table

#: What a browser leaves of a small phone.
SMALL_PHONE = {"width": 390, "height": 664}


def sent(page: Any, photo: Pixels) -> str:
    """Send a photo for a player of a new game; its tableau once it has been looked at."""
    tableau_id = sent_in(page, photo)
    wait_until_read(page, tableau_id)
    return tableau_id


def sent_in(page: Any, photo: Pixels) -> str:
    """Send a photo for a player of a new game; its tableau."""
    players = [{"name": "Aya", "colour": "green"}, {"name": "Ben", "colour": "red"}]
    game = page.request.post("/api/v1/games", data={"players": players}).json()
    jpeg = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    file = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": jpeg}
    entry = game["rounds"][0]["entries"][0]["id"]
    kept = page.request.post("/api/v1/photos", multipart={"entry_id": entry, "photo": file}).json()
    return str(kept["tableau_id"])


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


@pytest.mark.parametrize(
    ("language", "title", "again", "by_hand"),
    [
        ("en", "This takes long", "Take the photo again", "Type the score in"),
        ("ja", "読み取りに時間がかかっています", "撮り直す", "得点を入力"),
    ],
)
def test_who_waits_long_for_a_reading_may_go_on_without_it(
    new_page: Any, live: LiveServer, language: str, title: str, again: str, by_hand: str
) -> None:
    page = new_page(size=SMALL_PHONE, language=language)
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    with readers_kept(live.services):
        page.goto(f"/tableaus/{sent_in(page, table())}")
        page.locator("#progress progress").wait_for()
        panel = page.get_by_role("region", name=title)
        page.clock.run_for(9_900)
        assert not panel.is_visible(), "most readings take two seconds"
        page.clock.run_for(200)
        panel.wait_for()
        button = panel.locator("label", has_text=again).bounding_box()
        typing = panel.get_by_role("link", name=by_hand)
        for box in (button, typing.bounding_box()):
            assert box["y"] + box["height"] <= SMALL_PHONE["height"], "it is seen without scrolling"
        assert page.locator("#progress progress").is_visible(), "it is still being read"
        assert typing.get_attribute("href").startswith("/games/")
    # what is read after all is shown, and nothing is offered instead
    page.clock.resume()
    page.locator("#score").wait_for()
    assert not panel.is_visible()
