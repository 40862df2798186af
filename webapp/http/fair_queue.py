"""A few threads for many devices: whoever was served longest ago comes next, so that one address with a
hundred requests, or fifty addresses with some, keep nobody waiting for more than the work under way."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """So many places, of which one address has so many at most; for an event loop alone."""

    def __init__(self, places: int, of_address: int) -> None:
        self._free = places
        self._of_address = of_address
        self._taken: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        #: When an address last had a place, as a count of turns; of those that wait or have one.
        self._served: dict[str, int] = {}
        self._count = 0

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        self._hand_out()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._free += 1
                self._taken[address] -= 1
            elif turn in (waiting := self._waiting.get(address, deque())):
                waiting.remove(turn)
            self._forget(address)
            self._hand_out()

    def _hand_out(self) -> None:
        while self._free > 0:
            ready = [each for each in self._waiting if self._taken[each] < self._of_address]
            if not ready:
                return
            address = min(ready, key=lambda each: (self._taken[each], self._served.get(each, 0)))
            turn = self._waiting[address].popleft()
            if not self._waiting[address]:
                del self._waiting[address]
            if turn.cancelled():
                continue
            self._count += 1
            self._served[address] = self._count
            self._free -= 1
            self._taken[address] += 1
            turn.set_result(None)

    def _forget(self, address: str) -> None:
        """Whoever neither waits nor has a place counts as served long ago."""
        if self._taken[address] <= 0 and not self._waiting.get(address):
            self._waiting.pop(address, None)
            self._taken.pop(address, None)
            self._served.pop(address, None)
