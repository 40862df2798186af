"""Interface of a photo storage: bytes under a key; `webapp.store.photo_places` has the implementations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from scorer.errors import Code, WaymarkError
from scorer.text import Text


class StoreUnreachable(WaymarkError):
    """The store does not answer, or refuses (photos-away); what is in it may be there still."""

    def __init__(self, what: str) -> None:
        super().__init__(
            Code.PHOTOS_AWAY,
            Text(
                "The photos cannot be reached now ({what}); nothing is lost, try again in a moment.",
                what=what,
            ),
        )


class PhotoStore(Protocol):
    """Bytes by key (names joined by "/"). Every method raises `StoreUnreachable` where the store cannot be
    asked; those that read raise `FileNotFoundError` for what is not there."""

    def write(self, key: str, data: bytes) -> None:
        """Keep bytes: they are there whole, and for good, when this returns. `OSError` where they are not."""
        ...

    def read(self, key: str) -> bytes: ...

    def has(self, key: str) -> bool: ...

    def remove(self, key: str) -> None:
        """Forget what is there, if it is there."""
        ...

    def names(self) -> Iterator[str]:
        """The keys of all that is there, in any order."""
        ...

    def written_at(self, key: str) -> float:
        """When what is there was written, in seconds since 1970."""
        ...

    def local_file(self, key: str) -> AbstractContextManager[Path]:
        """A file with these bytes to read, for as long as the context lasts."""
        ...
