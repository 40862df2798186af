"""A photo that could not be read says what spoilt it and where, and the big button takes it again. One that
was read is asked about first, and what spoils it is told only where the score may hang on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from api_calls import Calls
from flask import Flask
from live_server import PHONE, PHOTOS, TABLET, LiveServer, readers_kept, wait_until_read
from page_looks import MAX_LAYOUT_SHIFT, keep_screenshot, layout_shift
from put_readings import photo_that_asks
from shared_readings import have_read, reading_of_data
from spoilt_tables import Pixels, covered_by_glare, dark_and_blurred, table

from scorer.text import written
from vision.quality import Shortcoming
from webapp.http.services import KEY, Services
from webapp.store.models import Tableau
from webapp.store.photos import store_original
from webapp.store.tableaus import add_shot, take_reading

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
def test_a_photo_that_is_hard_to_read_asks_first_and_says_so_below(new_page: Any) -> None:
    page = new_page(size=TABLET, language="ja", dark=True)
    tableau_id = sent(page, dark_and_blurred(table()))
    page.goto(f"/tableaus/{tableau_id}")
    panel = page.get_by_role("region", name="この写真は読み取りにくいです")
    panel.get_by_text("写真が暗すぎます。もっと明るくして撮り直してください。").wait_for()
    assert panel.get_by_text("撮り直す", exact=True).is_visible()
    question = page.locator("#question")
    assert not question.is_visible() or question.bounding_box()["y"] < panel.bounding_box()["y"]
    review = page.request.get(f"/api/v1/tableaus/{tableau_id}/review").json()
    assert not review["reading"]["sure"]
    first = review["reading"]["shortcomings"][0]
    assert first["kind"] == "dark" and len(first["box"]) == 4 and first["bears"]


def asking(card: int | None, kind: str = "hidden") -> tuple[Any, int, int]:
    """A photo of table-01 whose last stretch is asked about, with a shortcoming on a card (None: on the one
    that is asked about): its bytes, the card and the one that is asked about."""
    data = photo_that_asks("table-01")
    scan = reading_of_data(data)
    about = int(scan.questions[0].place.partition(".")[0])
    spoilt = about if card is None else next(k for k in range(len(scan.cards)) if k != about)
    corners = np.array(scan.cards[spoilt].corners)
    box = (*(int(each) for each in corners.min(axis=0)), *(int(each) for each in corners.max(axis=0)))
    told = Shortcoming(kind, written("Glare hides part of it.", "光で一部が隠れています。"), box)  # type: ignore[arg-type]
    data += b"spoilt"
    have_read(data, replace(scan, photo=replace(scan.photo, shortcomings=(told,))))
    return data, spoilt, about


@pytest.mark.parametrize(
    ("card", "kind", "bears"),
    [
        (None, "hidden", True),
        pytest.param(0, "hidden", False, id="elsewhere"),
        pytest.param(0, "blurred", True, id="all over"),
    ],
)
def test_what_spoils_a_photo_bears_only_on_what_is_open_there(
    app: Flask, card: int | None, kind: str, bears: bool
) -> None:
    data, _, _ = asking(card, kind)
    services: Services = app.extensions[KEY]
    stored = store_original(services.photos, data)
    with services.database.transaction() as session:
        tableau = Tableau(game=services.catalogue.game)
        session.add(tableau)
        session.flush()
        shot = add_shot(session, tableau, stored)
        session.flush()
        take_reading(session, services.catalogue, shot, reading_of_data(data))
        name = tableau.id
    call = Calls(app.test_client())
    reading = call("GET", f"/tableaus/{name}/review")["reading"]
    assert [each["bears"] for each in reading["shortcomings"]] == [bears]
    while reading["questions"]:
        (question, *_), version = reading["questions"], call("GET", f"/tableaus/{name}")["version"]
        stands = next(each["number"] for each in question["options"] if each["kind"] == "stands")
        given = {"question": question["name"], "option": stands, "version": version}
        reading = call("POST", f"/tableaus/{name}/answers", given)["reading"]
    assert reading["sure"] and not any(each["bears"] for each in reading["shortcomings"])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_question_comes_first_and_taking_it_again_is_small(new_page: Any, language: str) -> None:
    size = {"width": 390, "height": 664}
    page = new_page(size=size, language=language)
    for card, shown in ((None, True), (0, False)):
        data, _, _ = asking(card)
        file = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": data}
        tableau_id = page.request.post("/api/v1/photos", multipart={"photo": file}).json()["tableau_id"]
        wait_until_read(page, tableau_id)
        page.goto(f"/tableaus/{tableau_id}")
        page.locator("#question h2").wait_for()
        keep_screenshot(page, f"spoilt-{language}-{'bears' if shown else 'elsewhere'}")
        panel, question = page.locator("#retake"), page.locator("#question").bounding_box()
        assert panel.is_visible() == shown
        heading = page.locator("#question h2").bounding_box()
        assert heading["y"] + heading["height"] < size["height"], "it is read without scrolling"
        if shown:
            button = panel.locator("label.big").bounding_box()
            assert panel.bounding_box()["y"] > question["y"] + question["height"]
            assert button["height"] < 64 and button["width"] <= panel.bounding_box()["width"]


@pytest.mark.parametrize(
    ("language", "title", "again", "by_hand"),
    [
        ("en", "This is taking long", "Take the photo again", "Type the score in"),
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
        page.clock.resume()
        keep_screenshot(page, f"waits-long-{language}", whole=False)
        shift, moved = layout_shift(page)
        assert shift <= MAX_LAYOUT_SHIFT, (shift, moved)
    # what is read after all is shown, and nothing is offered instead
    page.locator("#score").wait_for()
    assert not panel.is_visible()
    _, moved = layout_shift(page)
    assert "photos-panel" not in moved, "it stands below what is in sight, before and after"
