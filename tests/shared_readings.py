"""What is read in photos. Each is read once in a run of tests, whose processes share the readings."""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
from functools import cache
from pathlib import Path

from live_server import PHOTOS

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from vision.photo import load_photo
from vision.scan import Scan
from waymark.review.pipeline import read_table


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
    # `conftest.py` makes the folder, anew for each run.
    file = Path(os.environ["WAYMARK_TEST_READINGS"]) / hashlib.sha256(data).hexdigest()
    with file.open("a+b") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)  # Until it is closed: others wait for what this process reads.
        kept.seek(0)
        if whole := kept.read():
            scan: Scan = pickle.loads(whole)
            return scan
        scan = read_table(load_photo(data), open_deck())
        kept.write(pickle.dumps(scan))
        return scan
