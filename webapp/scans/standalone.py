"""`waymark worker`: a process that only reads photos, beside servers on this machine or others."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from pathlib import Path

from calibration.kept_pens import pen_folder
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.config import ServerConfig
from webapp.decks.shelf import Shelf
from webapp.scans.queue import ScanQueue
from webapp.store.database import open_database
from webapp.store.photo_places import FolderStore, open_store


def read_photos(
    config: ServerConfig, *, on_start: Callable[[], None], on_ready: Callable[[], None] = lambda: None
) -> None:
    """Read waiting photos of the database until interrupted or terminated. `on_start` is called when the
    queue is open, `on_ready` when photos are read at once.

    Raises `WaymarkError` where the photos, the database or the cards cannot be used."""
    photos = open_store(config.photos_at)
    if isinstance(photos, FolderStore) and not photos.folder.is_dir():
        # Otherwise each photo would be reported as lost.
        raise WaymarkError(
            Code.NO_FILE,
            Text(
                "The folder of photos {folder!r} is not there; name the server's with --photos.",
                folder=str(photos.folder),
            ),
        )
    folder: Path = config.catalogue or bundled_catalogue()
    catalogue = load_catalogue(folder)
    database = open_database(config.url)
    queue = ScanQueue(
        database,
        photos,
        Shelf(config.data, catalogue, folder),
        config.scan_workers,
        pens=pen_folder(config.data),
        tells_stages=True,
    )
    ended = threading.Event()
    for wanted in (signal.SIGTERM, signal.SIGINT):
        signal.signal(wanted, lambda *_: ended.set())
    try:
        on_start()
        queue.start(on_ready)
        ended.wait()
    finally:
        queue.stop()
        database.engine.dispose()
