"""What enrolment keeps beside a catalogue: the photos, every view of every face, and what was asked.

```
DIR/enrol/faces.json       this file; it is only ever replaced whole
DIR/enrol/photos/HASH.jpg  the photos as they came
DIR/enrol/views/HASH-N.png the N-th card of a photo, cut out and evened for light
DIR/enrol/views/HASH-unused-N.png a small picture of a place that could not be used
```

A face belongs to the card of the catalogue that has its art. So a person may rename the card, and a card
removed by a person stays removed. This file is written before the catalogue, with the photo named as
`pending`, and again after it. After a power failure between, faces not in the catalogue are unconfirmed.
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
from calibration.enrol.faces.light import Tones
from scorer.text import Text
from vision.photo.decode import read_header

FORMAT = "waymark-faces/1"
FILE = "faces.json"
_LOCK = ".faces.lock"
#: Seconds to wait for another enrolment in the same folder: a photo takes some ten.
_PATIENCE = 300.0
_SUFFIXES = {"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "image/avif": ".avif"}


class View(msgspec.Struct, omit_defaults=True):
    """A card in one photo: image `file` below `enrol/`, and the clockwise quarter turns to the face's
    orientation. `drawn_on`: the photo is of a game, and the card shows its lines."""

    file: str
    photo: str
    px_per_mm: float
    quarters: int = 0
    drawn_on: bool = False


class KnownFace(msgspec.Struct, omit_defaults=True):
    """An enrolled face. `art` is the art file of its card in the catalogue. `made` is the digest of the
    generated picture, so a picture supplied by a person is recognised and kept. `light` are the deck's ink
    and paper that the face was balanced to."""

    art: str
    views: list[View]
    made: str = ""
    light: tuple[float, ...] = ()


class UnusedView(msgspec.Struct, omit_defaults=True):
    """A place of a photo whose card could not be used: a small picture of it, its relative position (0 to 1)
    in the photo, and the advice about it."""

    file: str
    at: tuple[float, float]
    advice: Text


class SeenPhoto(msgspec.Struct, omit_defaults=True):
    """A photo: its original name, its file, the tones of its cards, and its unusable views."""

    name: str
    file: str
    tones: Tones | None = None
    unused: list[UnusedView] = []


class PrintedReference(msgspec.Struct, omit_defaults=True, frozen=True):
    """A candidate for a card's printed reference, with its confidence. Centre and size are in mm on the
    card with the text upright. `upside_down`: the text is upside down in the card's art."""

    text: str
    confidence: float
    middle_mm: tuple[float, float]
    size_mm: tuple[float, float]
    upside_down: bool = False


class Asked(msgspec.Struct, omit_defaults=True):
    """An open question about a view. `kind` is "same" (is it the card with this art?), "back" (is it the
    back?), "removed", or "reference" (is `text` printed on it?). `cards`: the number of such cards in the
    photo. `others`: arts of cards excluded by earlier answers. `options`: arts of further cards that it may
    show, likeliest first."""

    name: str
    kind: str
    view: View
    art: str = ""
    cards: int = 1
    others: list[str] = []
    options: list[str] = []
    text: str = ""


class Faces(msgspec.Struct, omit_defaults=True):
    """All enrolment data of a catalogue. `next` numbers the next face without a printed reference;
    `next_question` the next question. `stated`: how many different cards the deck has, as a person said.
    `pending`: the photo whose faces may be missing from the catalogue
    after a power failure."""

    format: str = FORMAT
    next: int = 1
    next_question: int = 1
    pending: str = ""
    stated: int | None = None
    photos: dict[str, SeenPhoto] = {}
    faces: list[KnownFace] = []
    backs: list[View] = []
    asked: list[Asked] = []
    #: Readings by art file, and the art files of cards named by a person.
    printed: dict[str, list[PrintedReference]] = {}
    settled: list[str] = []


def one_enrolment(folder: Path) -> AbstractContextManager[None]:
    """Lock that admits one enrolment at a time in a folder. Raises `WaymarkError` (busy, not-writable)."""
    busy = Text(
        "Another program is enrolling cards in {folder!r}; try again when it is done.", folder=str(folder)
    )
    return one_at_a_time(folder, _LOCK, _PATIENCE, busy)


def read_faces(folder: Path) -> Faces:
    """The enrolment data in a catalogue's folder. It is empty where the file is missing or unreadable,
    since all but the questions can be computed again."""
    try:
        return msgspec.json.decode((folder / ENROL / FILE).read_bytes(), type=Faces)
    except (OSError, msgspec.DecodeError):
        return Faces()


def write_faces(folder: Path, faces: Faces) -> None:
    """Write the enrolment data to the catalogue's folder. Raises `WaymarkError` (not-writable)."""
    write_whole(folder / ENROL / FILE, msgspec.json.format(msgspec.json.encode(faces), indent=1) + b"\n")


def keep_photo(folder: Path, data: bytes) -> tuple[str, str]:
    """Store a photo's bytes unchanged. Returns its key and its file below `enrol/`."""
    key = hashlib.sha256(data).hexdigest()[:24]
    suffix = _SUFFIXES.get(read_header(data).media_type, ".heic")
    file = f"photos/{key}{suffix}"
    if not (folder / ENROL / file).is_file():
        write_whole(folder / ENROL / file, data)
    return key, file


def view_file(photo: str, number: int) -> str:
    """File of a photo's card view, below `enrol/`."""
    return f"views/{photo}-{number}.png"


def keep_view(folder: Path, photo: str, number: int, pixels: NDArray[np.uint8]) -> str:
    """Store a view's image (H, W, 3) BGR. Returns its file below `enrol/`."""
    file = view_file(photo, number)
    write_whole(folder / ENROL / file, png(pixels))
    return file


def keep_unused(folder: Path, photo: str, number: int, pixels: NDArray[np.uint8]) -> str:
    """Store a small picture of an unusable view (H, W, 3) BGR. Returns its file below `enrol/`."""
    file = f"views/{photo}-unused-{number}.png"
    write_whole(folder / ENROL / file, png(pixels))
    return file


def read_unused(folder: Path, view: UnusedView) -> NDArray[np.uint8] | None:
    """The small picture of an unusable view, or None where the file was deleted."""
    pixels = cv2.imread(str(folder / ENROL / view.file), cv2.IMREAD_COLOR)
    return None if pixels is None else np.asarray(pixels, np.uint8)


def read_view(folder: Path, view: View) -> NDArray[np.uint8] | None:
    """A view's image in the photo's orientation, or None where the file was deleted."""
    pixels = cv2.imread(str(folder / ENROL / view.file), cv2.IMREAD_COLOR)
    return None if pixels is None else np.asarray(pixels, np.uint8)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """An image (H, W, 3) BGR encoded as PNG."""
    good, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 3])
    assert good
    return bytes(data)
