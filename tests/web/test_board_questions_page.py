"""Questions about a board's photo in a real browser: one of each kind is answered by a tap on the page."""

from __future__ import annotations

import random
from typing import Any

import pytest
from api_calls import Calls
from board_asking import asking
from board_play import act, begin, photograph, scan_of
from board_question_scenes import AskingPhoto, asking_photos
from live_server import LiveServer

pytestmark = pytest.mark.long

SMALL = {"width": 390, "height": 664}
ONE_OF_EACH = list({photo.kind: photo for photo in asking_photos()}.values())


@pytest.fixture(autouse=True)
def dealt_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of some tiles nothing hangs on how they lie: what is dealt is the same each time."""
    monkeypatch.setattr(random, "SystemRandom", lambda: random.Random(5))


def shown(live: LiveServer, page: Any, photo: AskingPhoto) -> dict[str, Any]:
    """The page of a board whose photo asks, with that question; those before it are left open."""
    client = live.app.test_client()
    board, question = asking(live.app, Calls(client), photo)
    call = Calls(client)
    while (first := call("GET", board)["pending"]["questions"][0])["name"] != question["name"]:
        call(
            "POST",
            f"{board}/answers",
            {"version": call("GET", board)["version"], "question": first["name"], "option": 0},
        )
    page.goto(f"/games/{call('GET', board)['game_id']}")
    page.locator(f'#question[data-kind="{photo.kind}"]').wait_for()
    return question


@pytest.mark.parametrize("photo", ONE_OF_EACH, ids=[photo.name for photo in ONE_OF_EACH])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_question_is_answered_by_a_tap(
    live: LiveServer, new_page: Any, photo: AskingPhoto, language: str
) -> None:
    page = new_page(size=SMALL, language=language)
    question = shown(live, page, photo)
    box = page.locator("#question")
    assert box.locator("[data-option]").count() == max(1, len(question["options"]))
    said = box.inner_text()
    last = box.locator("[data-option]").last
    last.tap()
    page.wait_for_function("(said) => document.querySelector('#question')?.innerText !== said", arg=said)


def test_a_missing_piece_is_put_by_a_tap_on_the_photo(live: LiveServer, new_page: Any) -> None:
    page = new_page(size=SMALL)
    shown(live, page, next(each for each in ONE_OF_EACH if each.kind == "missing"))
    said = page.locator("#question").inner_text()
    page.locator('#picture [data-cell="3,2"]').tap()
    page.wait_for_function("(said) => document.querySelector('#question')?.innerText !== said", arg=said)


def test_a_photo_after_the_end_counts_what_players_hold(live: LiveServer, new_page: Any) -> None:
    call = Calls(live.app.test_client())
    game, board = begin(call)
    record = call("GET", f"{board}/record")
    act(call, board, "end", ended=True)
    page = new_page(size=SMALL)
    page.goto(f"/games/{game['id']}")
    page.locator("#capture").wait_for()
    assert page.locator("#tell-turn").is_hidden()
    photograph(live.app, board, scan_of(record, doubted=(1, 0)))
    page.reload()
    page.locator("#take-photo-board").tap()
    page.wait_for_selector("#pending", state="hidden")
    assert call("GET", board)["over"]
