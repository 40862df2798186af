"""Changes of a catalogue's folder: each is atomic, and keeps all fields that were edited by a person.

```
DIR/catalogue.json      the catalogue; people edit it, so other fields are kept unchanged
DIR/art/ID.png          the faces
DIR/enrol/              the data of enrolment: photos, views of faces, the machine's proposals
```
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from filelock import FileLock, Timeout
from PIL import Image

from scorer.catalogue import FILE_NAME, FORMAT, parse_catalogue, read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text

ENROL = "enrol"
_LOCK = ".lock"
#: Seconds to wait for another program that is at the same folder.
_PATIENCE = 60.0


def new_catalogue(name: str, game: str, card_size_mm: tuple[float, float]) -> dict[str, Any]:
    """The JSON of a new catalogue without cards."""
    return {"format": FORMAT, "name": name, "game": game, "card_size_mm": list(card_size_mm), "cards": []}


def has_catalogue(folder: Path) -> bool:
    return (folder / FILE_NAME).is_file()


@contextmanager
def changed_catalogue(folder: Path, new: dict[str, Any] | None = None) -> Iterator[dict[str, Any]]:
    """Context manager: the JSON of `folder`'s catalogue for modification in place, written when the block
    ends without error.

    The folder is locked meanwhile, and other writers wait. A missing catalogue starts as `new`. An error
    in the block, or a power failure, leaves the catalogue unchanged. Raises `WaymarkError` (no-catalogue,
    not-a-catalogue, busy, not-writable).
    """
    busy = Text(
        "Another program is changing the catalogue in {folder!r}; try again when it is done.",
        folder=str(folder),
    )
    with one_at_a_time(folder, _LOCK, _PATIENCE, busy):
        if has_catalogue(folder) or new is None:
            read_catalogue(folder)
            told: dict[str, Any] = msgspec.json.decode((folder / FILE_NAME).read_bytes())
        else:
            told = new
        yield told
        data = msgspec.json.format(msgspec.json.encode(told), indent=1) + b"\n"
        parse_catalogue(data)
        write_whole(folder / FILE_NAME, data)


def turned_art(art: str) -> str:
    """The file name of a card's art after a rotation by 180 degrees, and back: `art/C07.png` and
    `art/C07~.png`."""
    stem, dot, suffix = art.rpartition(".")
    return f"{stem[:-1] if stem.endswith('~') else stem + '~'}{dot}{suffix}"


@contextmanager
def one_at_a_time(folder: Path, lock_name: str, patience: float, busy: Text) -> Iterator[None]:
    """Lock that admits one program at a time among those with the same lock name in a catalogue's folder.
    Raises `WaymarkError` (busy, with the message `busy`, after `patience` seconds; not-writable)."""
    try:
        (folder / ENROL).mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ENROL / lock_name)
        lock.acquire(timeout=patience)
    except Timeout as error:
        raise WaymarkError(Code.BUSY, busy) from error
    except OSError as error:
        raise not_writable(folder, error) from error
    try:
        yield
    finally:
        lock.release()


def write_whole(file: Path, data: bytes) -> None:
    """Write a file atomically: complete or unchanged, even after a power failure. Raises `WaymarkError`
    (not-writable)."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.parent)
        try:
            with os.fdopen(number, "wb") as part:
                part.write(data)
                part.flush()
                os.fsync(part.fileno())
            os.chmod(name, 0o644)
            os.replace(name, file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(file.parent)
    except OSError as error:
        raise not_writable(file, error) from error


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # Only there can a folder be opened, and has to be.
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def not_writable(path: Path, error: OSError) -> WaymarkError:
    """The error (not-writable) for a file or folder that could not be written."""
    return WaymarkError(
        Code.NOT_WRITABLE,
        Text(
            "{path!r} cannot be written ({reason}); free some space or choose another folder.",
            path=str(path),
            reason=error.strerror,
        ),
    )


def export_catalogue(source: Path, target: Path) -> None:
    """Copy a catalogue's folder, with its art converted to PNG (docs/FORMATS.md, section 1). Raises
    `OSError` and `shutil.Error` where the target cannot be written."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    catalogue = msgspec.json.decode((source / FILE_NAME).read_bytes())
    packed = [card for card in catalogue["cards"] if not (card.get("art") or ".png").endswith(".png")]
    for card in packed:
        art = Path(card["art"])
        with Image.open(source / art) as picture:
            picture.save(target / art.with_suffix(".png"))
        (target / art).unlink(missing_ok=True)
        card["art"] = art.with_suffix(".png").as_posix()
    if packed:
        (target / FILE_NAME).write_bytes(msgspec.json.format(msgspec.json.encode(catalogue), indent=1))
