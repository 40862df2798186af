"""Search budget of a photo: the number of search steps that may be spent on it, counted before they are
taken.

What a photo shows decides how many ways there are to read it: of a blurred one, or one with scribbles all
over, there are more than anybody waits for. Each search says how many steps the next part of it takes at
most, and leaves that out where it is not covered; whoever is told the result is told so. Steps are counted
and not timed, so that a photo is read in the same way on a slow machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

#: So many steps for a photo: a step is a pass of an inner loop, or a pixel in which features are sought, each
#: 0.3 to 0.6 microseconds.
STEPS = 9_000_000
#: One search of many takes no more than this share of them.
SHARE = 0.03


class Allowance:
    """The steps that are left for a photo, and how often something was not covered by them."""

    def __init__(self, steps: int = STEPS) -> None:
        self._most, self.left, self.refusals = steps, steps, 0
        self._known: dict[Hashable, Any] = {}

    @property
    def spent(self) -> int:
        return self._most - self.left

    def spend(self, steps: int) -> None:
        """Take steps that there is no way without."""
        self.left -= steps

    def covers(self, steps: int, share: float = 1.0) -> bool:
        """Whether so many steps are left, and no more than this share of all; if not, that is remembered."""
        covered = steps <= min(self.left, share * self._most)
        self.refusals += not covered
        return covered

    def once(self, what: Hashable, steps: int, make: Callable[[], T]) -> T:
        """What `make` makes, for these steps; it is made, and paid for, once for a photo."""
        if what not in self._known:
            self.spend(steps)
            self._known[what] = make()
        made: T = self._known[what]
        return made


_CURRENT: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def one_allowance() -> Iterator[Allowance]:
    """Context and decorator: all searches in this block and thread share one budget, that of the enclosing
    block if there is one."""
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
