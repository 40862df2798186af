"""Search budget of a photo: the number of search steps that may be spent on it, counted before each search.

The content of a photo decides how many ways there are to read it. For a blurred photo, or one covered with
scribbles, the full search takes too long. Each search states the greatest number of steps of its next part,
and skips that part if the budget does not cover it. Skipped parts are reported with the result. Steps are
counted rather than timed, so that a photo is read in the same way on a slow machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

#: Steps for one photo. A step is a pass of an inner loop, or a pixel searched for features: 0.3 to 0.6
#: microseconds.
STEPS = 8_500_000
#: Greatest share of the budget for one search among many.
SHARE = 0.03


class Allowance:
    """Search budget of one photo: the steps left, and the number of searches refused."""

    def __init__(self, steps: int = STEPS) -> None:
        self._most, self.left, self.refusals = steps, steps, 0
        self._known: dict[Hashable, Any] = {}

    @property
    def spent(self) -> int:
        return self._most - self.left

    def spend(self, steps: int) -> None:
        """Subtract the steps of a search that cannot be skipped."""
        self.left -= steps

    def covers(self, steps: int, share: float = 1.0) -> bool:
        """Whether the budget covers `steps`, which may be at most `share` of the whole budget; a refusal is
        counted."""
        covered = steps <= min(self.left, share * self._most)
        self.refusals += not covered
        return covered

    def once(self, what: Hashable, steps: int, make: Callable[[], T]) -> T:
        """Result of `make`, computed once per photo and key `what`; the steps are spent only the first
        time."""
        if what not in self._known:
            self.spend(steps)
            self._known[what] = make()
        made: T = self._known[what]
        return made


_CURRENT: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def one_allowance() -> Iterator[Allowance]:
    """Context manager and decorator: all searches in this block and thread share one budget.

    An enclosing block's budget is used if there is one.
    """
    outer = _CURRENT.get()
    if outer is not None:
        yield outer
        return
    token = _CURRENT.set(own := Allowance())
    try:
        yield own
    finally:
        _CURRENT.reset(token)


def allowance() -> Allowance:
    """The budget of the photo being read; a new one outside such a block."""
    return _CURRENT.get() or Allowance()
