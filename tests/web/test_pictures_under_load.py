"""Pictures of rulings are drawn one at a time: who waits for one keeps no page waiting. A page asks again for
a picture that it did not get, to show it and to save it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import requests
from live_server import PHONE, LiveServer
from patience import PATIENCE_SECONDS
from PIL import Image
from played import play_a_little
from sqlalchemy import select

from webapp.config import ServerConfig
from webapp.http.wsgi import THREADS
from webapp.store.models import Tableau


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

    page.route("**/ruling.png*", busy_twice)
    page.goto(read_tableau.replace("/tableaus/", "/r/"))
    page.wait_for_function("() => document.querySelector('.ruling-picture img').naturalWidth > 0")
    assert len(asked) == 4
    asked.clear()
    with page.expect_download() as download:
        page.locator("a[data-picture]").click()
        page.get_by_text("saved as soon as it is ready").wait_for()
    assert download.value.suggested_filename == "waymark-ruling.png"
    with Image.open(download.value.path()) as picture:
        assert picture.format == "PNG"
    # One that cannot be drawn is told in the server's words, and nothing is saved.
    page.unroute("**/ruling.png*")
    page.evaluate("document.querySelector('a[data-picture]').href = '/tableaus/nowhere/ruling.png'")
    page.locator("a[data-picture]").click()
    page.locator(".toast.bad", has_text="This is not here").wait_for()
    context.close()
