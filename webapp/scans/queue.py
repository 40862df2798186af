"""The threads and processes that work through the queue of photos and jobs (`webapp.scans.leases`): each
thread claims a photo, has it read in a process, and saves the result."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from calibration.kept_pens import kept_pen
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.games import game_of, word_of
from scorer.text import Text
from waymark.review.pipeline import decode_reading
from webapp.decks.shelf import Deck, Shelf
from webapp.scans.leases import RENEW_SECONDS, Claimed, ClaimedErrand, Leases, OtherGame, fail, this_process
from webapp.scans.scan_processes import Died, Reader, Readers
from webapp.scans.worker import (
    board_shown_of,
    boxes_shown_in,
    rank_cards,
    read_shot,
    read_table_shot,
    see_cards,
    warm_up,
    worker_failed,
)
from webapp.store.database import Database
from webapp.store.kinds import kept
from webapp.store.models import Errand, Shot
from webapp.store.photo_store import PhotoStore, StoreUnreachable
from webapp.store.photos import check_original, original_key, photo_lost
from webapp.store.tableaus import take_reading
from webapp.store.tables import of_turn

log = logging.getLogger(__name__)
T = TypeVar("T")
#: Function that saves the result of a photo or errand.
Take = Callable[[Session, Shot], None] | Callable[[Session, Errand], None]
#: Function that runs a step of an errand with a reading process. Raises `WaymarkError` on failure, and
#: `Died`.
Steps = Callable[[Reader, ClaimedErrand], Callable[[Session, Errand], None]]

#: Timeout for reading one photo, in seconds; only a hanging reader takes longer.
PHOTO_SECONDS = 240.0
#: Numbers of other decks and of boards that are tried for a photo without cards of its own deck; each deck
#: takes 0.4 s, each board up to 1 s, together about as long as the first reading.
_MOST_BOXES, _MOST_BOARDS = 4, 4
#: Interval in seconds at which a locked or unreachable database or photo store is tried again.
_AGAIN_SECONDS = 1.0
#: Interval in seconds at which the database is asked for photos that other processes have queued.
_LOOK_SECONDS = 0.25
#: Interval in seconds at which abandoned photos are looked for.
_SWEEP_SECONDS = 60.0
#: Time in seconds that threads have to end at shutdown.
_STOP_SECONDS = 5.0
#: Longest wait in seconds, for its turn and for a free process, of a request whose result is optional.
_TURN_SECONDS = 0.6
#: Time limit in seconds for a viewfinder's picture, which is outdated after that, and for ordering the cards
#: in a card search. With the wait above it stays below 2 s, the limit for any response
#: (`tools/bad_inputs.py`: 5 s before, while photos were being read).
_GLANCE_SECONDS = 1.2


class ScanQueue:
    """Reads waiting shots in `workers` processes, from `start` to `stop`. Other processes with the same
    database, here or on other machines, may read beside it. `pens` is the folder of players' pens.
    `tells_stages`: another process shows the progress, so stages are written to the database."""

    def __init__(
        self,
        database: Database,
        photos: PhotoStore,
        shelf: Shelf,
        workers: int,
        *,
        pens: Path,
        tells_stages: bool = False,
    ) -> None:
        self._database = database
        self._photos = photos
        self._shelf = shelf
        self._workers = workers
        self._pens = pens
        self._tells_stages = tells_stages
        self._leases = Leases(database, this_process())
        self._readers = Readers(workers, warm_up, shelf.main.folder)
        self._stages: dict[str, str] = {}
        self._glancing = threading.Lock()
        self._asides = ThreadPoolExecutor(max(1, workers), "scan-aside")
        self._stopping = threading.Event()
        self._work_waits = threading.Event()
        self._threads: list[threading.Thread] = []
        self._steps: Steps | None = None

    def do_errands(self, steps: Steps) -> None:
        """Enable errands (background jobs); photos take precedence. Call it before `start`."""
        self._steps = steps
        self._leases = replace(self._leases, errands=True)

    def start(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """Start reading. Each process loads cards and libraries now, so that the first photo need not wait;
        `on_ready` is called, in another thread, when the first one could read a photo at once."""
        if self._workers <= 0:
            return
        _remove_left_file(self._database)
        self._readers.on_warm = on_ready
        targets = [self._keep, *[self._work_through] * self._workers]
        self._threads = [threading.Thread(target=each, name="scan-queue", daemon=True) for each in targets]
        for thread in self._threads:
            thread.start()

    @property
    def warm(self) -> bool:
        """Whether a new photo is read at once, because cards and libraries are already loaded."""
        return self._readers.warm

    def load(self) -> tuple[int, int]:
        """Number of photos that this process is reading, and the maximum number at once."""
        return len(self._stages), self._workers

    def stop(self) -> None:
        """Stop the processes. Photos that were being read return to the queue."""
        self._stopping.set()
        self._readers.close()
        self._asides.shutdown(wait=False, cancel_futures=True)
        if not self._threads:
            return
        self.wake()
        end = time.monotonic() + _STOP_SECONDS
        for thread in self._threads:
            thread.join(timeout=max(0.0, end - time.monotonic()))
        with suppress(SQLAlchemyError):  # They are found when their leases have expired.
            self._leases.leave()

    def wake(self) -> None:
        """Have the threads of this process look for work at once; other processes find it within
        `_LOOK_SECONDS`."""
        self._work_waits.set()

    def stage(self, shot: Shot) -> str:
        """Progress of a running shot: one of `worker.STAGES`, or "load" while the first process still loads
        the cards. It is "" for a shot that is not running."""
        if shot.id in self._stages:
            return self._stages[shot.id] or ("" if self.warm else "load")
        return shot.stage

    def glance(self, frame: bytes, deck: str = "") -> tuple[list[list[list[float]]], list[int]] | None:
        """Result of `worker.see_cards` for a frame of the viewfinder and the cards of a deck; None where no
        process is free. Photos take precedence, and one frame is processed at a time."""
        if len(self._stages) >= self._workers or not self._glancing.acquire(timeout=_TURN_SECONDS):
            return None
        try:
            return self._aside(
                lambda reader: reader.ask(see_cards, frame, self._folder(deck), seconds=PHOTO_SECONDS),
                _GLANCE_SECONDS,
            )
        finally:
            self._glancing.release()

    def rank_cards(
        self, photo_id: str, corners: Sequence[tuple[float, float]], deck: str = ""
    ) -> list[tuple[str, int]] | None:
        """All cards as (id, rotation in degrees), sorted by similarity to the photo inside an outline; None
        where no process answers in time."""

        def rank(reader: Reader) -> list[tuple[str, int]]:
            with self._photos.local_file(original_key(photo_id)) as photo:
                ranked: list[tuple[str, int]] = reader.ask(
                    rank_cards, photo, corners, self._folder(deck), seconds=PHOTO_SECONDS
                )
                return ranked

        try:
            return self._aside(rank, _GLANCE_SECONDS)
        except (WaymarkError, OSError):
            return None

    def lend(self, work: Callable[[Reader], T]) -> T:
        """Result of `work`, called with a process that reads no photo meanwhile; waits for a free process.
        Raises what `work` raises, and `Died` where there is no process or the process ends."""
        if not self._threads:
            raise Died("nothing is read here", own_fault=False)
        try:
            with self._readers.one() as reader:
                self._readers.start(reader)
                return work(reader)
        except TimeoutError:
            raise Died("the server ends", own_fault=False) from None

    def _aside(self, work: Callable[[Reader], T], seconds: float) -> T | None:
        """Result of `work`, called with an idle process; None where it takes more than `seconds`. The process
        becomes free when the work is done."""
        if not self._threads or self._stopping.is_set():
            return None

        def with_reader() -> T:
            with self._readers.one(min(seconds, _TURN_SECONDS)) as reader:
                self._readers.start(reader)
                return work(reader)

        try:
            begun = self._asides.submit(with_reader)
        except RuntimeError:  # Stopped at this moment.
            return None
        try:
            return begun.result(seconds)
        except (Died, TimeoutError, CancelledError):
            return None

    # --- threads --------------------------------------------------------------------------------------------

    def _work_through(self) -> None:
        """Main loop of a thread: start a process, then read photos while any wait, and sleep until `wake`."""
        with suppress(Died, OSError), self._readers.one() as reader:
            self._readers.start(reader)
        while True:
            try:
                while self._read_next():
                    pass
            except (_Stopped, TimeoutError):
                return
            except Exception:
                log.exception("a photo could not be claimed; it is tried again")
                self._stopping.wait(_AGAIN_SECONDS)
                continue
            self._work_waits.wait()
            # Cleared before looking: an event after the look sets it again.
            self._work_waits.clear()
            if self._stopping.is_set():
                self.wake()  # For the other threads, too.
                return

    def _read_next(self) -> bool:
        """Read the next photo in the queue; whether one waited. Raises `_Stopped` or `TimeoutError` at
        shutdown."""
        with self._readers.one() as reader:
            claimed = self._patiently(self._leases.claim)
            if claimed is None:
                return False
            self._stages[claimed.id] = ""
            try:
                self._work(reader, claimed)
            finally:
                del self._stages[claimed.id]
        return True

    def _work(self, reader: Reader, claimed: Claimed | ClaimedErrand) -> None:
        """Process a claimed photo or errand and save the result. A reading counts in any case; failures and
        steps of errands count only while this process holds the lease."""
        take: Take
        if_held = True
        try:
            self._readers.start(reader)
            if isinstance(claimed, Claimed):
                take, if_held = self._read(reader, claimed), False
            else:
                assert self._steps is not None, "errands are claimed only where they are done"
                take = self._patiently(partial(self._steps, reader, claimed))
        except (Died, StoreUnreachable, OSError) as error:
            log.warning("the work on %s was interrupted: %s", claimed, error)
            self._give_back(claimed, error)
            return
        except WaymarkError as error:
            take = _failing(error)
        except _Stopped:
            raise
        except Exception as bug:
            log.exception("%s could not be processed", claimed)
            take = _failing(_our_mistake(bug))
        try:
            self._patiently(partial(self._leases.finish, claimed.id, take, if_held=if_held))
        except _Stopped:
            raise
        except Exception as bug:
            # Recorded as failed, so that it does not remain in the reading state.
            log.exception("what came of %s could not be kept", claimed)
            take = _failing(_our_mistake(bug))
            self._patiently(partial(self._leases.finish, claimed.id, take, if_held=True))

    def _give_back(self, claimed: Claimed | ClaimedErrand, error: Exception) -> None:
        if not isinstance(error, Died):
            self._stopping.wait(_AGAIN_SECONDS)
        charged = isinstance(error, Died) and error.own_fault
        self._patiently(partial(self._leases.give_back, claimed.id, charged=charged))

    def _read(self, reader: Reader, claimed: Claimed) -> Callable[[Session, Shot], None]:
        """Read a photo; the function that saves the reading. Raises `Died` and `WaymarkError`."""
        try:
            with ExitStack() as files:
                *beside, photo = (self._original(files, name) for name in (*claimed.beside, claimed.photo_id))
                encoded, deck = self._read_shot(reader, photo, claimed, beside)
        except FileNotFoundError:
            raise photo_lost(claimed.photo_id) from None
        except WaymarkError as error:
            raise photo_lost(claimed.photo_id) if error.code == Code.NO_PHOTO else error from None
        catalogue = self._shelf.catalogue_of(deck)
        if claimed.told is not None:
            return partial(_take_table, catalogue=catalogue, encoded=encoded, beside=claimed.beside)
        scan = decode_reading(encoded)

        def take(session: Session, shot: Shot) -> None:
            shot.tableau.deck = deck
            take_reading(session, catalogue, shot, scan)

        return take

    def _original(self, files: ExitStack, photo_id: str) -> Path:
        """Path to a local file of a photo, valid while `files` is open."""
        photo = files.enter_context(self._photos.local_file(original_key(photo_id)))
        check_original(photo, photo_id)
        return photo

    def _read_shot(
        self, reader: Reader, photo: Path, claimed: Claimed, beside: Sequence[Path] = ()
    ) -> tuple[bytes, str]:
        """The encoded reading of a photo, and the name of the deck that its cards belong to. Without a known
        card, the other decks of this table are tried. In a game another deck is an error that names it."""

        known = kept_pen(claimed.pen_owner, self._pens)
        pen = None if known is None else known.pen
        note = partial(self._note_stage, claimed.shot_id)

        def read(deck: str) -> bytes:
            folder = self._folder(deck)
            # Another deck may be of another game.
            most = claimed.most_cards if deck == claimed.deck else None
            asked = (
                (read_shot, photo, claimed.given, folder, pen, most)
                if claimed.told is None
                else (read_table_shot, [*beside, photo], claimed.game, claimed.told, folder)
            )
            encoded: bytes = reader.ask(*asked, seconds=PHOTO_SECONDS, on_stage=note)
            return encoded

        try:
            return read(claimed.deck), claimed.deck
        except WaymarkError as error:
            if error.code != Code.NO_CARD or claimed.given is not None:
                raise
            others = self._shelf.playable(self._shelf.catalogue_of(claimed.deck).game)
            names = [(box, self._shelf.name_of(box)) for box in others]
            for other, name in self._shown(
                reader, photo, [each for each in names if each[1] != claimed.deck]
            ):
                try:
                    encoded = read(name)
                except WaymarkError:
                    continue
                if claimed.in_game:
                    raise _other_deck(self._shelf.title(other)) from None
                return encoded, name
            if not claimed.in_game:
                self._look_for_boards(reader, photo)
            raise

    def _shown(
        self, reader: Reader, photo: Path, boxes: Sequence[tuple[Deck, str]]
    ) -> list[tuple[Deck, str]]:
        """The decks, each with its name, whose cards a photo seems to show; only the first `_MOST_BOXES`
        are tried. Searching a whole deck takes seconds, and most photos without a known card show no other
        deck."""
        folders = [self._folder(name) for _, name in boxes[:_MOST_BOXES]]
        try:
            numbers: list[int] = reader.ask(boxes_shown_in, photo, folders, seconds=PHOTO_SECONDS)
        except WaymarkError:
            return []
        return [boxes[number] for number in numbers]

    def _look_for_boards(self, reader: Reader, photo: Path) -> None:
        """Raises `OtherGame` where a photo without known cards shows the board of a game."""
        boxes = self._shelf.boards()[:_MOST_BOARDS]
        folders = [box.folder for box in boxes]
        number: int | None = reader.ask(board_shown_of, photo, folders, seconds=PHOTO_SECONDS)
        if number is not None:
            game = game_of(self._shelf.catalogue(boxes[number]))
            raise OtherGame(game.name, word_of(game), self._shelf.name_of(boxes[number]))

    def _folder(self, deck: str) -> Path | None:
        """The folder of a deck; None for the default deck of the reading processes."""
        return self._shelf.named(deck).folder if deck else None

    def _note_stage(self, shot_id: str, stage: str) -> None:
        self._stages[shot_id] = stage
        if self._tells_stages:
            with suppress(SQLAlchemyError):
                self._leases.tell_stage(shot_id, stage)

    def _patiently(self, work: Callable[[], T]) -> T:
        """Result of `work`, repeated while the database is locked or unreachable, so that a finished reading
        is not lost. Raises `_Stopped` at shutdown, and what else `work` raises."""
        while not self._stopping.is_set():
            try:
                return work()
            except (OperationalError, InterfaceError, PoolTimeout) as error:
                log.warning("the database cannot be written now (%s); it is tried again", error)
                self._stopping.wait(_AGAIN_SECONDS)
        raise _Stopped

    def _keep(self) -> None:
        """Main loop of the thread that keeps the queue, independently of the reading processes: abandoned
        photos are queued again, leases of photos in progress extended, and other processes' photos found."""
        renew_at = sweep_at = time.monotonic()
        while not self._stopping.is_set():
            at = time.monotonic()
            try:
                if at >= sweep_at:
                    self._leases.sweep()
                    sweep_at = at + _SWEEP_SECONDS
                if at >= renew_at:
                    self._leases.renew(list(self._stages))
                    renew_at = at + RENEW_SECONDS
                if len(self._stages) < self._workers and self._leases.waiting():
                    self.wake()
                self._stopping.wait(_LOOK_SECONDS)
            except Exception as error:
                log.warning("the queue could not be kept (%s); it is tried again", error)
                self._stopping.wait(RENEW_SECONDS)


def _remove_left_file(database: Database) -> None:
    """Remove the file beside a SQLite database in which earlier versions announced photos."""
    url = database.engine.url
    if url.get_backend_name() == "sqlite" and url.database:
        with suppress(OSError):
            for end in ("", "-wal", "-shm"):
                Path(url.database).with_suffix(f".queue.sqlite3{end}").unlink(missing_ok=True)


def _take_table(
    session: Session, shot: Shot, *, catalogue: Catalogue, encoded: bytes, beside: tuple[str, ...] = ()
) -> None:
    """Add a reading to its shared table; an error is recorded with the photo. The photo is read again where
    one of the photos read with it (`beside`) was deleted meanwhile."""
    if beside != tuple(each.photo_id for each in of_turn(shot.tableau, shot)[:-1]):
        shot.state, shot.stage = "waiting", ""
        return
    with session.begin_nested() as attempt:
        try:
            shared = kept(shot.tableau).photos
            assert shared is not None, "only what all share is read so"
            shared.take(session, catalogue, shot, encoded)
        except WaymarkError as error:
            attempt.rollback()
            session.expire_all()
            fail(shot, error)


def _other_deck(name: Text) -> WaymarkError:
    return WaymarkError(
        Code.NO_CARD,
        Text(
            "These look like cards of the box “{name}”, and this game is played with another; begin the game "
            "with that box.",
            name=name,
        ),
    )


class _Stopped(Exception):
    """The queue is shutting down."""


def _failing(error: WaymarkError) -> Take:
    return lambda session, work: fail(work, error)


def _our_mistake(bug: Exception) -> WaymarkError:
    return worker_failed(f"{type(bug).__name__}: {bug}".splitlines()[0])
