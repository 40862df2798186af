"""Tests that name the rules they pin, by the ids of tests/data/versus_rules.toml."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def pins_rules(*ids: str) -> Callable[[T], T]:
    """Says of a test which rules it pins; test_referee_rules.py reads it from the source."""
    assert ids
    return lambda test: test
