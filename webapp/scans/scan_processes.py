"""Pool of processes that read photos. Each runs one task at a time, so that a crash is attributed to its
task."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import Any

from webapp.scans.worker import serve

#: Time limit for loading cards and libraries; a missing index is built first.
WARM_UP_SECONDS = 300.0
#: Exit codes of a process that was ended from outside, or with its machine.
_FROM_OUTSIDE = tuple(-getattr(signal, name, 0) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"))
_MEMORY_EVENTS = Path("/proc/vmstat")


class Died(Exception):
    """Error: a reading process ended, or was ended after a timeout. `own_fault`: its task probably caused the
    end. That is false for a kill from outside, and true if the system killed it for its memory."""

    def __init__(self, why: str, *, own_fault: bool) -> None:
        super().__init__(why)
        self.own_fault = own_fault


class Reader:
    """One reading process, started on demand and restarted after it has ended."""

    def __init__(
        self, context: SpawnContext, warm_up: Callable[[Path], None], catalogue_folder: Path
    ) -> None:
        self._context = context
        self._warm_up = warm_up
        self._catalogue_folder = catalogue_folder
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._killed_before = 0
        self._closed = False

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.is_alive()

    def start(self) -> None:
        """Start the process unless it runs, and wait until everything is loaded. Raises `Died`."""
        if self._closed:
            raise Died("it was ended for good", own_fault=False)
        if self.alive:
            return
        self._drop()
        self._line, theirs = self._context.Pipe()
        process = self._context.Process(
            target=serve, args=(theirs, self._warm_up, self._catalogue_folder), daemon=True
        )
        process.start()
        # The process alone holds its end of the pipe, so the pipe closes with it.
        theirs.close()
        self._process = process
        if self._closed:
            process.kill()
        try:
            self._answer(WARM_UP_SECONDS, lambda stage: None)
        except Died as died:
            # No photo has been processed yet.
            raise Died(f"it could not start: {died}", own_fault=False) from None

    def ask(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float,
        on_stage: Callable[[str], None] = lambda stage: None,
    ) -> Any:
        """The result of a module's function, called in the process. Raises what the function raises. Raises
        `Died` where the process ends, or is ended after `seconds`."""
        self.start()
        assert self._line is not None
        self._killed_before = _killed_for_memory()
        try:
            self._line.send((function, arguments))
        except OSError:
            raise self._death() from None
        return self._answer(seconds, on_stage)

    def kill(self) -> None:
        """End the process permanently, whatever it is doing; may be called from any thread."""
        self._closed = True
        if self._process is not None:
            self._process.kill()

    def _answer(self, seconds: float, on_stage: Callable[[str], None]) -> Any:
        assert self._line is not None
        end = time.monotonic() + seconds
        while True:
            try:
                if not self._line.poll(max(0.0, end - time.monotonic())):
                    self._drop()
                    raise Died(f"it took more than {seconds:.0f} s", own_fault=True)
                kind, value = self._line.recv()
            except (EOFError, OSError):
                raise self._death() from None
            if kind == "stage":
                on_stage(value)
            elif kind == "failed":
                raise value
            else:
                return value

    def _death(self) -> Died:
        process = self._process
        assert process is not None
        process.join(timeout=10)
        status = process.exitcode
        self._drop()
        for_memory = _killed_for_memory() > self._killed_before
        by_itself = status is not None and status not in _FROM_OUTSIDE
        return Died(f"exit status {status}", own_fault=by_itself or for_memory)

    def _drop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(timeout=10)
        if self._line is not None:
            self._line.close()
        self._process = self._line = None


class Readers:
    """A pool of reading processes; idle ones are lent out."""

    def __init__(self, count: int, warm_up: Callable[[Path], None], catalogue_folder: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._all = [Reader(context, warm_up, catalogue_folder) for _ in range(count)]
        self._idle = list(self._all)
        self._changed = threading.Condition()
        self._first = threading.Lock()
        self._warm = threading.Event()
        #: Called once, when the first process has loaded everything.
        self.on_warm: Callable[[], None] = lambda: None
        self._closed = False

    @property
    def warm(self) -> bool:
        """Whether at least one process has loaded everything."""
        return self._warm.is_set()

    @contextmanager
    def one(self, seconds: float | None = None) -> Iterator[Reader]:
        """Context manager for an idle process of the pool; call `start` with it. Raises `TimeoutError` where
        none is free within `seconds`, or the pool is closed."""
        with self._changed:
            free = self._changed.wait_for(lambda: self._idle or self._closed, seconds)
            if not free or self._closed:
                raise TimeoutError
            # The process that worked last: its data are still in the processor's cache.
            reader = self._idle.pop()
        try:
            yield reader
        finally:
            with self._changed:
                self._idle.append(reader)
                self._changed.notify()

    def start(self, reader: Reader) -> None:
        """Start a process of the pool unless it runs. Raises `Died`."""
        if self.warm:
            reader.start()
            return
        # The first process builds a missing index; the others find it.
        with self._first:
            reader.start()
            if not self.warm:
                self._warm.set()
                self.on_warm()

    def close(self) -> None:
        """End all processes of the pool."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for reader in self._all:
            reader.kill()


def _killed_for_memory() -> int:
    """Number of processes that the system has killed for lack of memory (cgroup's `oom_kill`); 0 where that
    is unknown."""
    try:
        told = _MEMORY_EVENTS.read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in told.splitlines() if line.startswith("oom_kill ")), 0)
