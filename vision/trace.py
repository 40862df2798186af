"""What the stages of a scan made, noted for whoever wants to look; nothing is kept where nobody does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_CURRENT: ContextVar[dict[str, Any] | None] = ContextVar("collected", default=None)


@contextmanager
def collected() -> Iterator[dict[str, Any]]:
    """What the stages make of the photo that is scanned in this block, by this thread, by its name in
    `vision.stage_pictures.Stages`."""
    made: dict[str, Any] = {}
    token = _CURRENT.set(made)
    try:
        yield made
    finally:
        _CURRENT.reset(token)


def current() -> dict[str, Any] | None:
    """Where the stages note what they made; None unless somebody wants to see it."""
    return _CURRENT.get()
