"""What is read in photos. Each is read once in a run of tests, whose processes share the readings; what is
read in a photo that ships stays until something changes that may read it otherwise."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pickle
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from vision.photo.decode import load_photo
from vision.scan import Scan
from waymark.review.pipeline import decode_reading, encode_reading, read_table
from webapp.scans import worker
from webapp.scans.worker import read_shot
from webapp.store.photos import write_whole

ROOT = Path(__file__).parents[2]
PHOTOS = ROOT / "samples" / "photos"
READINGS = Path(os.environ.get("WAYMARK_CACHE", ROOT / ".cache" / "tests")) / "readings"


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
    photo: Path,
    pinned: list[Any] | None = None,
    folder: Path | None = None,
    pen: Any = None,
    most_cards: int | None = None,
) -> bytes:
    """`webapp.scans.worker.read_shot` for a test's server: what another test has had read in a photo with
    cards of the open deck is not read again, what could not be read is."""
    data = photo.read_bytes()
    if folder is not None or pen is not None:  # A box of a test's own, a pen that it has learned.
        return read_shot(photo, pinned, folder, pen, most_cards)
    if pinned is not None:
        return _once(data + json.dumps(pinned).encode(), lambda: read_shot(photo, pinned))
    scan: Scan = pickle.loads(_once(data, lambda: pickle.dumps(decode_reading(read_shot(photo)))))
    return encode_reading(scan)


def warm_up_at_once(catalogue_folder: Path) -> None:
    """`webapp.scans.worker.warm_up` for a test's server: its photos come as soon as pages do."""
    worker._NICENESS = 0
    worker.warm_up(catalogue_folder)


def _once(key: bytes, read: Callable[[], bytes]) -> bytes:
    """What `read` gives, from whichever process was the first to ask: in this run, or since the reader was
    changed where the photo is one that ships."""
    name = hashlib.sha256(key).hexdigest()
    # `conftest.py` makes the folder, anew for each run.
    lock = Path(os.environ["WAYMARK_TEST_READINGS"]) / name
    with lock.open("a+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # Until it is closed: others wait for what this process reads.
        file = _kept() / name if name in _shipped() else lock
        if file.is_file() and (whole := file.read_bytes()):
            return whole
        made = read()
        write_whole(file, made)
        return made


@cache
def _shipped() -> frozenset[str]:
    """The digests of the photos that ship."""
    photos = (file for file in PHOTOS.iterdir() if file.suffix != ".json")
    return frozenset(hashlib.sha256(photo.read_bytes()).hexdigest() for photo in photos)


@cache
def _kept() -> Path:
    """Where readings stay from run to run, as long as all is the same that may read a photo otherwise: the
    program below the web app with its data, and the libraries."""
    whole = hashlib.sha256(f"{sys.version} {cv2.__version__} {np.__version__}".encode())
    whole.update((ROOT / "requirements.lock").read_bytes())
    for package in ("scorer", "vision", "calibration", "waymark"):
        for file in sorted((ROOT / package).rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                whole.update(str(file).encode() + file.read_bytes())
    folder = READINGS / whole.hexdigest()[:24]
    folder.mkdir(parents=True, exist_ok=True)
    for older in READINGS.iterdir():
        if older != folder:
            shutil.rmtree(older, ignore_errors=True)
    return folder
