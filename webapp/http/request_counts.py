"""Counts of requests in this process's memory, for the rate limits."""

from __future__ import annotations

import threading
from typing import ClassVar

from limits.storage import MemoryStorage


class RequestCounts(MemoryStorage):
    """`limits`' storage in memory, which counts one request at a time. Its own `incr` replaces the timer that
    removes old counts and starts it in two steps: two threads in between start one timer twice, and one of
    the two requests fails.
    """

    STORAGE_SCHEME: ClassVar[list[str]] = ["one-at-a-time"]  # type: ignore[misc]  # as `limits` declares it
    URI = "one-at-a-time://"

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: str) -> None:
        self._turn = threading.Lock()
        super().__init__(uri, wrap_exceptions, **options)

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to the count of a key, which ends `expiry` seconds after its first request. Returns it."""
        with self._turn:
            return super().incr(key, expiry, amount)
