"""Tracing of a scan: intermediate results of the stages, kept only within a `collected` block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_CURRENT: ContextVar[dict[str, Any] | None] = ContextVar("collected", default=None)


@contextmanager
def collected() -> Iterator[dict[str, Any]]:
    """Context manager that collects the results of the stages of the photo scanned in this block and thread.

    The keys are the field names of `vision.stage_pictures.Stages`.
    """
    made: dict[str, Any] = {}
    token = _CURRENT.set(made)
    try:
        yield made
    finally:
        _CURRENT.reset(token)


def current() -> dict[str, Any] | None:
    """The collection of this thread; None outside a `collected` block."""
    return _CURRENT.get()
