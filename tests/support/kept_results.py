"""What takes long to make and is the same each time, kept from run to run beside the program's own cache."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from webapp.store.photos import write_whole


def kept(kind: str, made_from: bytes, make: Callable[[], bytes]) -> bytes:
    """What `make` gives, once for everything that it is made from; of each kind the newest is kept."""
    folder = Path(os.environ["WAYMARK_CACHE"])
    file = folder / f"{kind}-{hashlib.sha256(made_from).hexdigest()[:24]}.kept"
    if not file.is_file():
        made = make()
        folder.mkdir(parents=True, exist_ok=True)
        for older in folder.glob(f"{kind}-*.kept"):
            older.unlink(missing_ok=True)
        write_whole(file, made)
    return file.read_bytes()
