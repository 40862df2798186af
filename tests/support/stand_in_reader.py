"""A reader that looks at no photo: each costs the same time, and what it is called says what becomes of it.

What is read in every photo stands in the file that WAYMARK_STAND_IN names: processes inherit it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

PHOTOS = Path(__file__).parents[2] / "samples" / "photos"

READING = "WAYMARK_STAND_IN"
SECONDS = "WAYMARK_STAND_IN_SECONDS"
#: Words in a photo's bytes by which it does other than to be read.
ABORTS, HANGS, KILLED_ONCE, UNTIL_TOLD = b"<aborts>", b"<hangs>", b"<killed once>", b"<until told>"


def stand_in(folder: Path, seconds: float) -> None:
    """Have the queues of this process, and the processes that it starts, read as this module does. `folder`
    is for the file."""
    from waymark.review.pipeline import encode_reading
    from webapp.scans import queue

    file = folder / "stand-in-reading"
    file.write_bytes(encode_reading(read_as_its_truth()))
    os.environ[READING], os.environ[SECONDS] = str(file), str(seconds)
    queue.read_shot = read_shot  # type: ignore[attr-defined]
    queue.warm_up = warm_up  # type: ignore[attr-defined]


def tell_to_go_on() -> None:
    """Have a photo read that waits for it."""
    Path(os.environ[READING]).with_name("told").touch()


def read_as_its_truth() -> Any:
    """A small tableau, as its truth has it."""
    import json

    import msgspec

    from vision.scan import Scan

    truth = json.loads((PHOTOS / "table-07.truth.json").read_bytes())
    told = {key: truth[key] for key in ("tableau", "cards", "path_px")}
    size = {"width": truth["photo"]["width"], "height": truth["photo"]["height"]}
    scan = msgspec.convert({"photo": size, **told, "questions": [], "sure": True}, Scan)
    return scan


def warm_up(catalogue_folder: Path) -> None:
    """Nothing to load."""


def read_shot(
    photo: Path,
    pinned: list[Any] | None = None,
    folder: Path | None = None,
    pen: Any = None,
    most_cards: int | None = None,
) -> bytes:
    """`webapp.scans.worker.read_shot`, without looking."""
    data, reading = photo.read_bytes(), Path(os.environ[READING])
    if ABORTS in data:
        os.abort()
    if HANGS in data:
        time.sleep(3600)
    if KILLED_ONCE in data and not (once := reading.with_name("killed")).exists():
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    while UNTIL_TOLD in data and not reading.with_name("told").exists():
        time.sleep(0.02)
    time.sleep(float(os.environ[SECONDS]))
    return reading.read_bytes()
