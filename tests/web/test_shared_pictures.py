"""Pictures that people send to each other: a ruling and the final score, small, with what they are about."""

from __future__ import annotations

import io
import time
from typing import Any

import numpy as np
import pytest
from api_calls import Calls
from flask import Flask
from flask.testing import FlaskClient
from live_server import PHONE, LiveServer
from PIL import Image
from played import write_scores
from put_readings import put_reading

from waymark.picture.files import MOST_BYTES
from waymark.picture.share_picture import WIDTH_PX
from webapp.games.final_picture import WIDTH

PATIENCE_SECONDS = 60
#: Ground of the final score below its photo.
PAPER = (244, 241, 234)
#: A share sheet that keeps what it was given; the first share is refused where `window.refuseFirst` is set.
SHARE_SHEET = """
window.shared = [];
navigator.canShare = () => true;
navigator.share = async (what) => {
  if (window.refuseFirst) {
    window.refuseFirst = false;
    throw new DOMException("too late", "NotAllowedError");
  }
  window.shared.push([what.files[0].name, what.files[0].type, what.files[0].size, what.title]);
};
"""


def fetch(client: FlaskClient, address: str) -> Any:
    """The answer, when the picture is drawn."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (answer := client.get(address)).status_code == 503 and time.monotonic() < until:
        time.sleep(0.2)
    assert answer.status_code == 200, address
    return answer


def opened(answer: Any) -> Image.Image:
    picture = Image.open(io.BytesIO(answer.data))
    assert answer.mimetype == "image/jpeg" and picture.format == "JPEG"
    assert len(answer.data) <= MOST_BYTES
    assert not picture.getexif()
    return picture


def begin(app: Flask, call: Calls, *photos: str, title: str = "Mia's table") -> Any:
    """A game of Mia and Leo with a score and with photos of Leo and Mia; Leo wins."""
    players = [{"name": "Mia", "colour": "red"}, {"name": "Leo", "colour": "blue"}]
    game = call("POST", "/games", {"players": players, "title": title}, status=201)
    (mia, leo) = (entry["id"] for entry in game["rounds"][0]["entries"])
    for entry, photo in zip((leo, mia), photos, strict=False):
        put_reading(app, entry, photo)
    scores = {mia: {"primary_vp": 2, "secondary_vp": 1}, leo: {"primary_vp": 5, "secondary_vp": 2}}
    write_scores(app, {entry: {**told, "escaped": False} for entry, told in scores.items()})
    return call("GET", f"/games/{game['id']}")


def rows_of_photo(picture: Image.Image) -> int:
    """Number of rows in which neither the heading's nor the paper's colour covers most."""
    pixels = np.asarray(picture.convert("RGB"), int)
    plain = [np.abs(pixels - colour).max(axis=2) < 12 for colour in (PAPER, (29, 42, 58))]
    return int((np.mean(plain[0] | plain[1], axis=1) < 0.2).sum())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_final_score_has_a_photo_of_the_winner(
    app: Flask, client: FlaskClient, call: Calls, language: str
) -> None:
    game = begin(app, call, "table-01", "table-07")
    address = f"/games/{game['id']}/final.jpg?lang={language}"
    answer = fetch(client, address)
    picture = opened(answer)
    assert picture.width == WIDTH and rows_of_photo(picture) > 350
    again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    # Leo's photo is another one than Mia's.
    leo, mia = (entry["tableau_id"] for entry in reversed(game["rounds"][0]["entries"]))
    call("DELETE", f"/tableaus/{leo}")
    assert fetch(client, address).data != answer.data
    call("DELETE", f"/tableaus/{mia}")
    assert rows_of_photo(opened(fetch(client, address))) < 10


def test_a_game_without_photos_has_a_small_picture_too(app: Flask, client: FlaskClient, call: Calls) -> None:
    game = begin(app, call)
    picture = opened(fetch(client, f"/games/{game['id']}/final.jpg"))
    assert picture.width == WIDTH and rows_of_photo(picture) < 10


def test_the_ruling_says_whose_it_is(app: Flask, client: FlaskClient, call: Calls) -> None:
    game = begin(app, call, "table-01")
    leo = game["rounds"][0]["entries"][1]["tableau_id"]
    answer = fetch(client, f"/tableaus/{leo}/ruling.jpg?lang=en")
    assert opened(answer).width == WIDTH_PX
    call("PATCH", f"/seats/{game['seats'][1]['id']}", {"name": "Leopold"})
    assert fetch(client, f"/tableaus/{leo}/ruling.jpg?lang=en").data != answer.data


@pytest.mark.long
@pytest.mark.parametrize("refused", [False, True])
def test_the_share_sheet_opens_with_the_picture(live: LiveServer, browser: Any, refused: bool) -> None:
    call = Calls(live.app.test_client())
    game = begin(live.app, call, "table-01")
    leo = game["rounds"][0]["entries"][1]["tableau_id"]
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    page = context.new_page()
    page.add_init_script(SHARE_SHEET + f"window.refuseFirst = {str(refused).lower()};")
    for path, name in ((f"/games/{game['id']}/final", "final"), (f"/r/{leo}", "ruling")):
        page.goto(live.url + path)
        link = page.locator("[data-picture=share]")
        link.click()
        if refused:
            page.get_by_text("tap again to share it").wait_for()
            link.click()
        page.wait_for_function("() => window.shared.length === 1")
        ((file, kind, size, title),) = page.evaluate("window.shared")
        assert (file, kind) == (f"waymark-{name}.jpg", "image/jpeg") and 0 < size <= MOST_BYTES
        assert title == ("Mia's table" if name == "final" else "Waymark")
    context.close()
