"""Pictures of rulings and copies of photos are made one at a time: who waits for one keeps no page waiting,
and is told to ask again where it takes its time. A page asks again for a picture that it did not get, to show
it and to save it."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import requests
from flask.testing import FlaskClient
from live_server import PHONE, LiveServer
from patience import PAGE_PATIENCE_MS, PATIENCE_SECONDS
from PIL import Image
from played import play_a_little, small_photo
from sqlalchemy import select

from scorer.errors import Code, WaymarkError
from scorer.text import written
from webapp.config import ServerConfig
from webapp.http.intake import THREADS
from webapp.store import photos, render_cache
from webapp.store.models import Tableau


@pytest.fixture
def copy(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a copy that nobody has asked for yet; who does waits no time."""
    sent: Any = client.post("/api/v1/photos", data={"photo": (io.BytesIO(small_photo("late")), "p.jpg")}).json
    monkeypatch.setattr(render_cache, "WAIT_SECONDS", 0.0)
    return f"/photos/{sent['shot']['photo_id']}/480.jpg"


def until_made(client: FlaskClient, address: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Ask as somebody who waits."""
    monkeypatch.setattr(render_cache, "WAIT_SECONDS", PATIENCE_SECONDS)
    return client.get(address)


def test_a_copy_that_takes_its_time_is_made_once_for_all_who_ask(
    client: FlaskClient, copy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, made, make = threading.Event(), [], photos._smaller

    def slow(*arguments: Any) -> bytes:
        made.append(arguments)
        assert go_on.wait(PATIENCE_SECONDS)
        return make(*arguments)

    monkeypatch.setattr(photos, "_smaller", slow)
    for _ in range(3):
        answer = client.get(copy)
        assert answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0
    go_on.set()
    assert until_made(client, copy, monkeypatch).data.startswith(b"\xff\xd8") and len(made) == 1


def test_why_a_copy_could_not_be_made_is_told_to_who_asks_next(
    client: FlaskClient, copy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def fails(*_arguments: Any) -> bytes:
        assert go_on.wait(PATIENCE_SECONDS)
        raise WaymarkError(Code.CUT_OFF, written("It ends early.", "途中で切れています。"))

    monkeypatch.setattr(photos, "_smaller", fails)
    assert client.get(copy).status_code == 503
    go_on.set()
    assert until_made(client, copy, monkeypatch).status_code == Code.CUT_OFF.http_status


def test_only_so_many_pictures_wait_to_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_cache, "WAIT_SECONDS", 0.0)
    maker, go_on = render_cache.Maker(), threading.Event()
    for number in range(render_cache.MOST + 3):
        with pytest.raises(WaymarkError) as told:
            maker.made(str(number), lambda: go_on.wait(PATIENCE_SECONDS))
        assert told.value.code == Code.BUSY
    assert len(maker._making) == render_cache.MOST
    go_on.set()


@pytest.fixture
def read_tableau(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a tableau that was read, on a server of its own: no picture is drawn yet."""
    config = ServerConfig(data=tmp_path_factory.mktemp("pictures") / "data", scan_workers=0)
    server = LiveServer(replace(config, requests_per_minute=100_000))
    play_a_little(server.app)
    with server.services.database.snapshot() as session:
        tableau_id = session.scalars(select(Tableau.id)).one()
    yield f"{server.url}/tableaus/{tableau_id}"
    server.stop()


@pytest.mark.long
def test_pages_come_while_many_pictures_are_asked_for(read_tableau: str) -> None:
    kinds = [f"lang={language}&score={score}" for language in ("en", "ja") for score in ("yes", "no")]
    asked = [f"{read_tableau}/ruling.png?{kind}" for kind in kinds] * THREADS
    home = read_tableau.partition("/tableaus")[0]
    with ThreadPoolExecutor(len(asked)) as pool:
        pictures = [pool.submit(requests.get, address, timeout=PATIENCE_SECONDS) for address in asked]
        pages = [requests.get(home, timeout=PATIENCE_SECONDS) for _ in range(5)]
    assert all(page.status_code == 200 for page in pages)
    for answer in (picture.result() for picture in pictures):
        assert answer.status_code == 200 and answer.content.startswith(b"\x89PNG")


@pytest.mark.long
def test_a_shared_ruling_asks_again_for_its_picture_and_so_does_a_link_that_saves_one(
    read_tableau: str, browser: Any
) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    page = context.new_page()
    asked: list[str] = []

    def busy_twice(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) <= 2:
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="busy")
        else:
            route.continue_()

    page.route("**/ruling.*", busy_twice)
    page.goto(read_tableau.replace("/tableaus/", "/r/"))
    page.wait_for_function("() => document.querySelector('.ruling-picture img').naturalWidth > 0")
    assert len(asked) == 4
    asked.clear()
    with page.expect_download() as download:
        page.locator("a[data-picture]").click()
        page.get_by_text("saved as soon as it is ready").wait_for()
    assert download.value.suggested_filename == "waymark-ruling.jpg"
    with Image.open(download.value.path()) as picture:
        assert picture.format == "JPEG"
    # One that cannot be drawn is told in the server's words, and nothing is saved.
    page.unroute("**/ruling.*")
    page.evaluate("document.querySelector('a[data-picture]').href = '/tableaus/nowhere/ruling.png'")
    page.locator("a[data-picture]").click()
    page.locator(".toast.bad", has_text="This is not here").wait_for()
    context.close()


@pytest.mark.long
def test_a_photo_whose_copy_is_not_made_yet_comes_by_itself(read_tableau: str, browser: Any) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-GB")
    context.set_default_timeout(PAGE_PATIENCE_MS)
    page = context.new_page()
    asked: list[str] = []

    def busy_at_first(route: Any) -> None:
        address = route.request.url
        asked.append(address)
        if asked.count(address) == 1:
            route.fulfill(status=503, headers={"Retry-After": "2"}, body="busy")
        else:
            route.continue_()

    page.route("**/photos/**", busy_at_first)
    is_there = lambda answer: "/photos/" in answer.url and answer.status == 200  # noqa: E731
    with page.expect_response(is_there) as drawn:
        page.goto(read_tableau)
    assert asked.count(drawn.value.url) == 2
    listed = page.locator("#shots img")
    listed.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('#shots img').naturalWidth > 0")
    context.close()
