"""The queue of photos to be read. It lives in the database, so that nothing is lost when the server
stops; worker processes read, one thread hands out and takes back."""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select, update

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from waymark.review.pipeline import decode_reading
from webapp.config import ServerConfig
from webapp.scans.worker import (
    NothingRead,
    is_warm,
    rank_cards,
    read_shot,
    see_cards,
    warm_up,
    worker_failed,
)
from webapp.store.database import Database
from webapp.store.models import Shot
from webapp.store.photos import original_file, photo_lost
from webapp.store.tableaus import take_reading, touch

log = logging.getLogger(__name__)

#: A photo whose worker died this often is told as failed: it would take the next worker along.
MAX_ATTEMPTS = 2
#: The hand-out thread looks by itself this often, in seconds; `wake` makes it look at once.
_LOOK_SECONDS = 1.0
#: A viewfinder's picture that takes longer than this is out of date; it waits so long for its turn.
_GLANCE_SECONDS = 5.0
_TURN_SECONDS = 1.0
#: Who looks for a card waits this long for the likeliest ones to come first.
_RANK_SECONDS = 6.0


class ScanQueue:
    """Reads waiting shots in `config.scan_workers` processes, oldest first, from `start` to `stop`."""

    def __init__(
        self, config: ServerConfig, database: Database, catalogue: Catalogue, catalogue_folder: Path
    ) -> None:
        self._config = config
        self._database = database
        self._catalogue = catalogue
        self._catalogue_folder = catalogue_folder
        self._context = multiprocessing.get_context("spawn")
        self._stages: dict[str, str] = {}
        self._running: dict[Future[bytes], str] = {}
        self._glancing = threading.Lock()
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._warm = threading.Event()
        self._threads: list[threading.Thread] = []
        self._pool: ProcessPoolExecutor | None = None

    def start(self) -> None:
        """Begin to read. What a stopped server left half read waits again."""
        if self._config.scan_workers <= 0:
            return
        with self._database.transaction() as session:
            session.execute(update(Shot).where(Shot.state == "running").values(state="waiting"))
        self._told = self._context.Queue()
        self._loading = self._context.Lock()
        self._pool = self._make_pool()
        for work in (self._hand_out, self._listen):
            thread = threading.Thread(target=work, name=f"scan-{work.__name__}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def get_ready(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """Have every worker load cards and libraries now, so that the first photo does not wait for it.
        `on_ready` is called, in a thread of its own, when the first one could read a photo at once."""

        first = iter((on_ready,))

        def told(loaded: Future[None]) -> None:
            if not loaded.cancelled() and loaded.exception() is None:
                self._warm.set()
                next(first, lambda: None)()

        if self._pool is not None:
            # While none is idle each call brings up another worker.
            for _ in range(self._config.scan_workers):
                self._pool.submit(is_warm).add_done_callback(told)

    @property
    def warm(self) -> bool:
        """Whether a photo that comes now is read at once, not after cards and libraries have been loaded."""
        return self._warm.is_set()

    def load(self) -> tuple[int, int]:
        """How many photos are being read, and how many can be at once."""
        return len(self._running), self._config.scan_workers

    def stop(self) -> None:
        """End the workers. Shots that were being read wait for the next start."""
        self._stopping.set()
        self._wake.set()
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._told.put(None)
            # A worker that was ended while it told may hold the pipe's lock for good.
            self._told.cancel_join_thread()
        for thread in self._threads:
            thread.join(timeout=5)

    def wake(self) -> None:
        """Tell the queue that a shot waits."""
        self._wake.set()

    def stage(self, shot_id: str) -> str:
        """How far a running shot is: one of `worker.STAGES`, "load" while the first worker still loads
        the cards, or "" where it is not running."""
        if shot_id in self._stages:
            return self._stages[shot_id]
        return "load" if shot_id in self._running.values() and not self.warm else ""

    def glance(self, frame: bytes) -> tuple[list[list[list[float]]], list[int]] | None:
        """What `worker.see_cards` makes of a viewfinder's picture, or None while there is no worker free
        for it: photos come first, none waits for a glance, and one glance is taken at a time."""
        if self._pool is None or len(self._running) >= self._config.scan_workers or self._stopping.is_set():
            return None
        if not self._glancing.acquire(timeout=_TURN_SECONDS):
            return None
        try:
            glance = self._pool.submit(see_cards, frame)
        except RuntimeError:  # The pool is being shut down, or a worker of it died.
            self._glancing.release()
            return None
        try:
            return glance.result(_GLANCE_SECONDS)
        except (BrokenProcessPool, TimeoutError, CancelledError):
            return None
        finally:
            self._glancing.release()

    def rank_cards(
        self, photo_id: str, corners: Sequence[tuple[float, float]]
    ) -> list[tuple[str, int]] | None:
        """All cards by how like they are to what a photo shows within an outline, each with the degrees by
        which it is turned; None where no worker answers in time."""
        if self._pool is None or self._stopping.is_set():
            return None
        photo = original_file(self._config.photos, photo_id)
        try:
            return self._pool.submit(rank_cards, photo, corners).result(_RANK_SECONDS)
        except (BrokenProcessPool, TimeoutError, CancelledError, WaymarkError):
            return None

    def _make_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._config.scan_workers,
            mp_context=self._context,
            initializer=warm_up,
            initargs=(self._catalogue_folder, self._told, self._loading),
        )

    def _listen(self) -> None:
        while (item := self._told.get()) is not None:
            shot_id, stage = item
            self._warm.set()
            if shot_id in self._running.values():
                self._stages[shot_id] = stage

    def _hand_out(self) -> None:
        while not self._stopping.is_set():
            try:
                self._take_back()
                self._renew()
                self._submit_waiting()
            except Exception:
                log.exception("the scan queue stumbled; it goes on")
            self._wake.wait(_LOOK_SECONDS)
            self._wake.clear()

    def _submit_waiting(self) -> None:
        free = self._config.scan_workers - len(self._running)
        if free <= 0 or self._stopping.is_set():
            return
        with self._database.transaction() as session:
            waiting = session.scalars(
                select(Shot)
                .where(Shot.state == "waiting", Shot.deleted_at.is_(None))
                # Who corrected a card waits for it; it takes less than a new photo.
                .order_by(Shot.reread_of.is_(None), Shot.created_at)
                .limit(free)
            ).all()
            for shot in waiting:
                shot.state, shot.attempts = "running", shot.attempts + 1
        for shot in waiting:
            photo = original_file(self._config.photos, shot.photo_id)
            future = self._submit(shot.id, photo, shot.given)
            self._running[future] = shot.id
            future.add_done_callback(lambda _future: self._wake.set())

    def _submit(self, shot_id: str, photo: Path, given: list[Any] | None) -> Future[bytes]:
        assert self._pool is not None
        try:
            return self._pool.submit(read_shot, shot_id, photo, given)
        except BrokenProcessPool:  # A worker ended a moment ago.
            self._pool = self._make_pool()
            return self._pool.submit(read_shot, shot_id, photo, given)

    def _renew(self) -> None:
        """New workers where one has ended: the others end with it, and who looks through a viewfinder, or for
        a card, waits for no photo."""
        if self._pool is not None and getattr(self._pool, "_broken", False):
            self._pool.shutdown(wait=False)
            self._pool = self._make_pool()

    def _take_back(self) -> None:
        for future in [future for future in self._running if future.done()]:
            shot_id = self._running.pop(future)
            self._stages.pop(shot_id, None)
            if self._stopping.is_set():
                return
            with self._database.transaction() as session:
                shot = session.get_one(Shot, shot_id)
                try:
                    take_reading(session, self._catalogue, shot, decode_reading(future.result()))
                except BrokenProcessPool:
                    self._revive(shot)
                except WaymarkError as error:
                    fail_shot(shot, error if error.code != Code.NO_PHOTO else photo_lost(shot.photo_id))

    def _revive(self, shot: Shot) -> None:
        """A worker died (out of memory, killed): the photo gets another try in new workers."""
        self._renew()
        if shot.attempts < MAX_ATTEMPTS:
            shot.state = "waiting"
        else:
            fail_shot(shot, worker_failed("the reading process ended"))


def fail_shot(shot: Shot, error: WaymarkError) -> None:
    """Note that a photo could not be read, and why."""
    shot.state, shot.stage = "failed", ""
    told: dict[str, Any] = {"code": error.code, "en": error.en, "ja": error.ja}
    if isinstance(error, NothingRead):
        told["shortcomings"] = msgspec.to_builtins(error.shortcomings)
    shot.error = told
    touch(shot.tableau)
