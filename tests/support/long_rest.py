"""What of a parametrized test is tried by `make test`; the rest of it takes its turn with the long tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def long_but(values: Sequence[Any], *kept: int) -> list[Any]:
    """The values for `pytest.mark.parametrize` (tuples for several names), marked `long` but for those at the
    indices `kept`."""
    assert set(kept) <= set(range(len(values)))
    return [
        value
        if index in kept
        else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)
        for index, value in enumerate(values)
    ]
