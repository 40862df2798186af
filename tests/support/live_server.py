"""The live server that browser tests talk to, and what they share."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from patience import PATIENCE_SECONDS
from shared_readings import PHOTOS as PHOTOS
from shared_readings import read_shot_once, warm_up_at_once

from calibration.kept_pens import pen_folder
from webapp.app import create_app
from webapp.config import ServerConfig
from webapp.decks.shelf import DECKS
from webapp.http.addresses import Address
from webapp.http.listening import listen
from webapp.http.services import KEY, Services
from webapp.scans import queue
from webapp.scans.scan_processes import Reader
from webapp.store.models import Base

#: Sizes that pages are looked at in: CSS pixels.
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 390, "height": 664}
TABLET = {"width": 820, "height": 1180}
TABLET_WIDE = {"width": 1180, "height": 820}
DESKTOP = {"width": 1440, "height": 900}
#: The form of a game with the open deck: by itself it proposes the box of the newest photo, whoever sent it.
NEW_GAME = "/games/new?deck="


class LiveServer:
    """The app behind its server on a free port, with one process that reads photos, each once in a run of
    tests."""

    def __init__(self, config: ServerConfig) -> None:
        queue.read_shot = read_shot_once  # type: ignore[attr-defined]
        # A look at a viewfinder's picture or for the likeliest card takes as long as the machine is busy.
        queue._GLANCE_SECONDS = queue._TURN_SECONDS = PATIENCE_SECONDS
        queue.warm_up = warm_up_at_once  # type: ignore[attr-defined]
        self.app = create_app(config)
        self.services: Services = self.app.extensions[KEY]
        self.services.queue.start()
        self._server = listen(self.app, Address("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.port}"
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def clear(self) -> None:
        """Have nobody played, nor photographed anything, as on the first day. What still waits to be read is
        not read; a reading that has begun comes to its end first."""
        with self.services.database.transaction() as session:
            for table in reversed(Base.metadata.sorted_tables):
                session.execute(table.delete())
        data = self.services.config.data
        with self.services.queue._readers.one():  # Nobody else reads meanwhile.
            for folder in (data / DECKS, pen_folder(data)):
                shutil.rmtree(folder, ignore_errors=True)

    def stop(self) -> None:
        """Answer what is asked, then close."""
        self._server.stop()
        self._thread.join()
        self.services.queue.stop()


@contextmanager
def readers_kept(services: Services) -> Iterator[None]:
    """Have the one process that reads photos do something else meanwhile."""
    kept, enough = threading.Event(), threading.Event()

    def keep(_: Reader) -> None:
        kept.set()
        assert enough.wait(PATIENCE_SECONDS)

    with ThreadPoolExecutor(1) as others:
        lent = others.submit(services.queue.lend, keep)
        try:
            assert kept.wait(PATIENCE_SECONDS)
            yield
        finally:
            enough.set()
        lent.result(PATIENCE_SECONDS)


def send_photo(
    page: Any,
    tableau_id: str,
    photo: Path,
    *,
    filename: str | None = None,
    anew: bool = False,
    data: bytes | None = None,
) -> dict[str, Any]:
    """Send a photo as a program does; the shot as the API shows it. `anew`: it is read, though another test
    has had it read. `data` takes the place of the file's."""
    buffer = (data or photo.read_bytes()) + (uuid4().bytes if anew else b"")
    sent = page.request.post(
        "/api/v1/photos",
        multipart={
            "tableau_id": tableau_id,
            "photo": {"name": filename or photo.name, "mimeType": "image/jpeg", "buffer": buffer},
        },
    )
    assert sent.status == 202, sent.text()
    shot: dict[str, Any] = sent.json()["shot"]
    return shot


def wait_until_read(page: Any, tableau_id: str) -> dict[str, Any]:
    """Wait until every photo of a tableau has been read or failed; the tableau as the API shows it."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        tableau: dict[str, Any] = page.request.get(f"/api/v1/tableaus/{tableau_id}").json()
        if all(shot["state"] in ("done", "failed") for shot in tableau["shots"]):
            return tableau
        time.sleep(0.3)
    raise AssertionError(f"not read within {PATIENCE_SECONDS} s: {tableau['shots']}")
