"""Interface of a photo storage: bytes under a key; `webapp.store.photo_places` has the implementations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from scorer.errors import Code, WaymarkError
from scorer.text import Text


class StoreUnreachable(WaymarkError):
    """Error: the photo storage does not answer, or refuses access (photos-away); its content may still
    exist."""

    def __init__(self, what: str) -> None:
        super().__init__(
            Code.PHOTOS_AWAY,
            Text(
                "The photos cannot be reached now ({what}); nothing is lost, try again in a moment.",
                what=what,
            ),
        )


class PhotoStore(Protocol):
    """Bytes by key (names joined by "/"). Every method raises `StoreUnreachable` if the store does not
    answer; those that read raise `FileNotFoundError` for a missing key."""

    def write(self, key: str, data: bytes) -> None:
        """Store bytes under a key, durably and atomically. Raises `OSError` on failure."""
        ...

    def read(self, key: str) -> bytes: ...

    def has(self, key: str) -> bool: ...

    def remove(self, key: str) -> None:
        """Delete the bytes under a key, if present."""
        ...

    def names(self) -> Iterator[str]:
        """All keys in the storage, in any order."""
        ...

    def written_at(self, key: str) -> float:
        """Time at which a key was written, in seconds since 1970."""
        ...

    def local_file(self, key: str) -> AbstractContextManager[Path]:
        """Context manager for a local file with the bytes of a key, for reading."""
        ...
