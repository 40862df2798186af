"""Fair queue of a few worker places for many client addresses. The next place goes to the address with the
fewest places, then to the one served longest ago. Many requests of one address, or of fifty addresses, delay
other clients only by the work in progress."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """A semaphore with a total number of places and a maximum per address, for use in one event loop."""

    def __init__(self, places: int, of_address: int) -> None:
        self._free = places
        self._of_address = of_address
        self._taken: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        #: Turn number at which an address last got a place, for addresses that wait or hold one.
        self._served: dict[str, int] = {}
        self._count = 0

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """Context manager: wait for a place for this address, and hold it for the block."""
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
        """Remove the record of an address that neither waits nor holds a place; it then counts as served long
        ago."""
        if self._taken[address] <= 0 and not self._waiting.get(address):
            self._waiting.pop(address, None)
            self._taken.pop(address, None)
            self._served.pop(address, None)
