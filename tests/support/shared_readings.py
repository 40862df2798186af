"""What is read in photos. Each is read once in a run of tests, whose processes share the readings."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from vision.photo.decode import load_photo
from vision.scan import Scan
from waymark.review.pipeline import decode_reading, encode_reading, read_table
from webapp.scans import worker
from webapp.scans.worker import read_shot

PHOTOS = Path(__file__).parents[2] / "samples" / "photos"


@cache
def open_deck() -> Catalogue:
    return load_catalogue(bundled_catalogue())


def photo_file(photo: str) -> Path:
    """The file of a photo that ships, such as "table-07"."""
    return next(file for file in PHOTOS.glob(f"{photo}.*") if file.suffix != ".json")


@cache
def reading_of(photo: str) -> Scan:
    """What is read in a photo that ships."""
    return reading_of_data(photo_file(photo).read_bytes())


def reading_of_data(data: bytes) -> Scan:
    """What is read in a photo with cards of the open deck."""

    def read() -> bytes:
        return pickle.dumps(read_table(load_photo(data), open_deck()))

    scan: Scan = pickle.loads(_once(data, read))
    return scan


def have_read(data: bytes, scan: Scan) -> None:
    """Have every test's server read this in a photo that nobody has had read, whatever it shows."""
    _once(data, lambda: pickle.dumps(scan))


def read_shot_once(
    photo: Path, pinned: list[Any] | None = None, folder: Path | None = None, pen: Any = None
) -> bytes:
    """`webapp.scans.worker.read_shot` for a test's server: what another test has had read in a photo with
    cards of the open deck is not read again, what could not be read is."""
    data = photo.read_bytes()
    if folder is not None or pen is not None:  # A box of a test's own, a pen that it has learned.
        return read_shot(photo, pinned, folder, pen)
    if pinned is not None:
        return _once(data + json.dumps(pinned).encode(), lambda: read_shot(photo, pinned))
    scan: Scan = pickle.loads(_once(data, lambda: pickle.dumps(decode_reading(read_shot(photo)))))
    return encode_reading(scan)


def warm_up_at_once(catalogue_folder: Path) -> None:
    """`webapp.scans.worker.warm_up` for a test's server: its photos come as soon as pages do."""
    worker._NICENESS = 0
    worker.warm_up(catalogue_folder)


def _once(key: bytes, read: Callable[[], bytes]) -> bytes:
    """What `read` gives, from whichever process of this run was the first to ask."""
    # `conftest.py` makes the folder, anew for each run.
    file = Path(os.environ["WAYMARK_TEST_READINGS"]) / hashlib.sha256(key).hexdigest()
    with file.open("a+b") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)  # Until it is closed: others wait for what this process reads.
        kept.seek(0)
        if whole := kept.read():
            return whole
        made = read()
        kept.write(made)
        return made
