"""Cache of rendered pictures and files: made on first request, one at a time, outside the request's thread. A
copy of the largest photo takes 300 MB and three seconds of processor time: the client waits a moment and asks
again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar, cast

from scorer.errors import Code, WaymarkError
from scorer.text import Text

#: Longest wait in seconds for a picture: with the rest of a request it stays below 2 s, the limit for any
#: response (`tools/bad_inputs.py`).
WAIT_SECONDS = 1.2
#: Largest number of pictures that are waiting, or have failed and were not asked for since.
MOST = 12

T = TypeVar("T")


class Maker:
    """Runs rendering functions one at a time, in its own thread. Each `make` stores its result, also a slow
    one, where the next request finds it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "making")
        self._making: dict[str, Future[Any]] = {}
        self._changing = threading.Lock()

    def made(self, name: str, make: Callable[[], T]) -> T:
        """The result of `make`, called once for all simultaneous requests with the same name. Raises what
        `make` raises, and `WaymarkError` (busy) after a timeout. `make` then continues, and its failure is
        reported to the next request."""
        with self._changing:
            making = self._making.get(name)
            if making is None:
                self._forget()
                if len(self._making) >= MOST:
                    raise _busy()
                making = self._making[name] = self._thread.submit(make)
        try:
            made = making.result(WAIT_SECONDS)
        except TimeoutError:
            if not making.done():
                raise _busy() from None
            raise  # Its own error.
        finally:
            if making.done():
                with self._changing:
                    if self._making.get(name) is making:
                        del self._making[name]
        return cast(T, made)

    def _forget(self) -> None:
        """Remove the records of finished tasks; the latest failures are kept."""
        done = [name for name, making in self._making.items() if making.done()]
        for name in done:
            if self._making[name].exception() is None or len(self._making) >= MOST:
                del self._making[name]


def _busy() -> WaymarkError:
    return WaymarkError(Code.BUSY, Text("This is still being made; try again in a few seconds."))
