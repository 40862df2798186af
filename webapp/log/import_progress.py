"""How far the imports that are running have come: their photos, which take nearly all of the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

Told = Callable[[int, int], None]


class ImportProgress(msgspec.Struct, frozen=True, kw_only=True):
    """`photos` of `total` are stored; `running` is false before it begins and once it has ended."""

    running: bool
    photos: int = 0
    total: int = 0


class Imports:
    """Imports that are running, by the key that their sender chose."""

    def __init__(self) -> None:
        self._running: dict[str, ImportProgress] = {}

    @contextmanager
    def follow(self, key: str) -> Iterator[Told]:
        """What to tell, as photos are stored: how many, of how many. Without a key nobody asks."""

        def tell(photos: int, total: int) -> None:
            if key:
                self._running[key] = ImportProgress(running=True, photos=photos, total=total)

        tell(0, 0)
        try:
            yield tell
        finally:
            self._running.pop(key, None)

    def progress(self, key: str) -> ImportProgress:
        """How far that import has come."""
        return self._running.get(key, ImportProgress(running=False))
