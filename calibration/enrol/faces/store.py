"""What enrolment keeps beside a catalogue: the photos, every view of every face, and what was asked.

```
DIR/enrol/faces.json       this file; it is only ever replaced whole
DIR/enrol/photos/HASH.jpg  the photos as they came
DIR/enrol/views/HASH-N.png the N-th card of a photo, cut out and evened for light
```

A face belongs to the card of the catalogue that has its art, so a person may give the card another name, and
a card that a person takes out stays out. This file is written before the catalogue, with the photo named as
`pending`, and after it: where power fails between, what is not in the catalogue was never confirmed.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.catalogue_folder import ENROL, one_at_a_time, write_whole
from scorer.text import Text
from vision.photo.decode import read_header

FORMAT = "waymark-faces/1"
FILE = "faces.json"
_LOCK = ".faces.lock"
#: Seconds to wait for another enrolment in the same folder: a photo takes some ten.
_PATIENCE = 300.0
_SUFFIXES = {"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "image/avif": ".avif"}


class View(msgspec.Struct, omit_defaults=True):
    """A card as one photo shows it: `file` below `enrol/`, turned by so many quarters (clockwise) to lie as
    the face does. `drawn_on`: the photo is of a game, and the card bears its lines."""

    file: str
    photo: str
    px_per_mm: float
    quarters: int = 0
    drawn_on: bool = False


class KnownFace(msgspec.Struct, omit_defaults=True):
    """A face that was enrolled: `art` is what its card in the catalogue says. `made` tells the picture that
    was
    made of the views, so that one that a person put in its place stays; `paper` the colours it was balanced
    to.
    """

    art: str
    views: list[View]
    made: str = ""
    paper: tuple[float, ...] = ()


class SeenPhoto(msgspec.Struct, omit_defaults=True):
    """A photo: what it was called, and the colour of its cards' paper (linear blue, green, red)."""

    name: str
    file: str
    paper: tuple[float, float, float] | None = None


class PrintedReference(msgspec.Struct, omit_defaults=True, frozen=True):
    """What may be a card's printed reference, and how surely it was read: its middle and size on the card,
    mm, as they are with the text upright; `upside_down`: so it stands in the card's art."""

    text: str
    confidence: float
    middle_mm: tuple[float, float]
    size_mm: tuple[float, float]
    upside_down: bool = False


class Asked(msgspec.Struct, omit_defaults=True):
    """A view that waits for an answer: `kind` "same" (is it the card with this art?), "back" (is it the
    back?), "removed" or "reference" (is `text` printed on it?). `cards` is how many of it the photo shows;
    `others` are arts of cards that somebody said it is not."""

    name: str
    kind: str
    view: View
    art: str = ""
    cards: int = 1
    others: list[str] = []
    text: str = ""


class Faces(msgspec.Struct, omit_defaults=True):
    """All that is kept. `next` is the number of the next face without a printed reference, and of the next
    question; `pending` the photo whose faces may not be in the catalogue yet, where power failed."""

    format: str = FORMAT
    next: int = 1
    next_question: int = 1
    pending: str = ""
    photos: dict[str, SeenPhoto] = {}
    faces: list[KnownFace] = []
    backs: list[View] = []
    asked: list[Asked] = []
    #: By art; and the arts whose cards a person has said how to call.
    printed: dict[str, list[PrintedReference]] = {}
    settled: list[str] = []


def one_enrolment(folder: Path) -> AbstractContextManager[None]:
    """One enrolment in a folder at a time. Raises `WaymarkError` (busy, not-writable)."""
    busy = Text(
        "Another program is enrolling cards in {folder!r}; try again when it is done.", folder=str(folder)
    )
    return one_at_a_time(folder, _LOCK, _PATIENCE, busy)


def read_faces(folder: Path) -> Faces:
    """What is kept in a catalogue's folder; nothing yet where there is none, or where it cannot be read: all
    of it can be made again but the questions."""
    try:
        return msgspec.json.decode((folder / ENROL / FILE).read_bytes(), type=Faces)
    except (OSError, msgspec.DecodeError):
        return Faces()


def write_faces(folder: Path, faces: Faces) -> None:
    """Raises `WaymarkError` (not-writable)."""
    write_whole(folder / ENROL / FILE, msgspec.json.format(msgspec.json.encode(faces), indent=1) + b"\n")


def keep_photo(folder: Path, data: bytes) -> tuple[str, str]:
    """Keep a photo as it came; gives its key and its file below `enrol/`."""
    key = hashlib.sha256(data).hexdigest()[:24]
    suffix = _SUFFIXES.get(read_header(data).media_type, ".heic")
    file = f"photos/{key}{suffix}"
    if not (folder / ENROL / file).is_file():
        write_whole(folder / ENROL / file, data)
    return key, file


def view_file(photo: str, number: int) -> str:
    """Where a photo's view of a card is kept, below `enrol/`."""
    return f"views/{photo}-{number}.png"


def keep_view(folder: Path, photo: str, number: int, pixels: NDArray[np.uint8]) -> str:
    """Keep a view's picture (H, W, 3) BGR; gives its file below `enrol/`."""
    file = view_file(photo, number)
    write_whole(folder / ENROL / file, png(pixels))
    return file


def read_view(folder: Path, view: View) -> NDArray[np.uint8] | None:
    """A view's picture as it lies in its photo; None where somebody took it away."""
    pixels = cv2.imread(str(folder / ENROL / view.file), cv2.IMREAD_COLOR)
    return None if pixels is None else np.asarray(pixels, np.uint8)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A picture (H, W, 3) BGR as PNG."""
    good, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 3])
    assert good
    return bytes(data)
