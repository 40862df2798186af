"""The pages of an evening in WebKit, as iPhones at a table have them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from live_server import LiveServer
from patience import PATIENCE_SECONDS
from put_readings import photo_that_asks
from webkit import NoWebKit, WebKitPage, webkit_page

pytestmark = pytest.mark.long


@pytest.fixture
def webkit(live: LiveServer, tmp_path: Path) -> Iterator[WebKitPage]:
    try:
        with webkit_page(live.url, tmp_path) as page:
            yield page
    except NoWebKit as error:
        pytest.skip(f"{error}: WebKit is left out")


def call(live: LiveServer, method: str, path: str, **body: Any) -> Any:
    answer = requests.request(method, f"{live.url}/api/v1{path}", json=body or None, timeout=PATIENCE_SECONDS)
    assert answer.ok, answer.text
    return answer.json()


def test_a_photo_is_sent_its_question_answered_and_its_score_shown(
    webkit: WebKitPage, live: LiveServer, tmp_path: Path
) -> None:
    webkit.goto("/games/new")
    webkit.write("[name=name-0]", "Aya")
    webkit.write("[name=name-1]", "Ben")
    webkit.tap("main form button.primary")
    webkit.wait_for("[data-edit]")
    game = webkit.path().split("/")[2]
    call(live, "PATCH", f"/games/{game}/rounds/1", primary="sword", secondary="scroll")

    webkit.goto(f"/games/{game}/rounds/1")
    photo = tmp_path / "table.jpg"
    photo.write_bytes(photo_that_asks("table-01"))
    # The form's script has begun: it listens, and put the place for what it says into the form.
    webkit.write("form:has([data-capture-status]) .capture-input[multiple]", str(photo))
    webkit.wait_for("#score", "Not sure yet")
    webkit.tap("#question .answer[data-option='1']")
    webkit.wait_for(".badge.sure")
    webkit.tap(".toast .button")  # undone, and answered again
    webkit.tap("#question .answer[data-option='1']")
    webkit.wait_for(".badge.sure")

    webkit.goto(f"{webkit.path()}/dispute")
    webkit.wait_for("#dispute:not(.loading) #turn")
    webkit.goto(f"/games/{game}/final")
    webkit.wait_for(".final-table", "Aya")


def test_taps_from_the_start_page_to_the_first_photo_of_three_and_to_a_rematch(
    webkit: WebKitPage, live: LiveServer
) -> None:
    first = ["main a[href='/games/new']", "#add-player", ".begin"]
    webkit.goto("/")
    for place in first:
        webkit.tap(place)
    webkit.wait_for("h1", "Round 1")
    # The fourth tap is the camera's, which is seen without scrolling.
    camera = "document.querySelector('.player-card .capture-way.primary').getBoundingClientRect().bottom"
    assert webkit.run(f"return scrollY === 0 && {camera} <= 664")
    game = webkit.path().split("/")[2]
    assert [seat["name"] for seat in call(live, "GET", f"/games/{game}")["seats"]] == [
        f"Player {number}" for number in (1, 2, 3)
    ]
    # The timer starts, sound and all, and a phone says whose it is.
    webkit.tap("[data-timer-run]")
    webkit.wait_for("[data-timer-left]", "4:5")
    webkit.goto(f"/games/{game}/join")
    webkit.tap("button[name=person]:nth-of-type(2)")
    webkit.wait_for(".player-card.own h2", "Player 2")

    call(live, "PATCH", f"/games/{game}", finished=True)
    webkit.goto("/")
    webkit.tap(f"#game-{game}")
    webkit.tap("[data-again] button")
    webkit.wait_for(".player-card.own h2", "Player 2")
    assert webkit.path().split("/")[2] != game


def test_a_board_is_dealt_and_a_turn_is_begun_by_taps(webkit: WebKitPage, live: LiveServer) -> None:
    players = [{"name": "Aya", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    game = call(live, "POST", "/games", players=players, deck="open-labyrinth2")
    webkit.goto(f"/games/{game['id']}")
    webkit.tap("#deal")
    webkit.wait_for("#picture [data-cell='0,0']")
    webkit.tap("#tell-turn")
    webkit.wait_for("#picture [data-arrow]")
    # The driver calls arrows in a picture not interactable: clicked by a script.
    arrow = "document.querySelector('#picture [data-arrow]')"
    webkit.run(f"{arrow}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")
    webkit.tap("#tell [data-turn]")
    webkit.wait_for("#tell .verdict")
