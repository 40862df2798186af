"""Enrolment of photos of blank cards into a deck. Photos and answers are saved in the deck's folder at once;
the scan processes handle them one after the other.

```
DIR/enrol/waiting/TIME-KEY.json    what is to be done, or what came of it (the last `MOST_DONE` stay)
DIR/enrol/waiting/TIME-KEY.photo   the photo (or the shared tracing), until its cards are enrolled
DIR/enrol/waiting/propose          there is something new to learn from: dungeons are to be proposed again
DIR/enrol/trace-next.json          the cards that it pays most to trace next
```
A server that is killed goes on where it was: to look at the same photo twice changes nothing.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

from calibration.enrol.catalogue_folder import ENROL, write_whole
from calibration.enrol.faces.enrolment import Choice, answer, enrol_photo
from calibration.enrol.faces.store import Asked, read_faces
from calibration.enrol.pieces.enrolment import OtherPieces, checked_sorts, enrol_pieces
from calibration.enrol.share.questions import keep_shared, take_kept
from calibration.enrol.share.sharing import parse_shared
from scorer.catalogue import read_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.decode import read_header
from webapp.decks.shelf import Deck, Shelf
from webapp.scans.queue import ScanQueue
from webapp.scans.scan_processes import Died

log = logging.getLogger(__name__)

WAITING, NEXT = "waiting", "trace-next.json"
_PROPOSE = "propose"
_PROPOSE_SECONDS = 60.0
MOST_DONE = 24
#: Timeout for the enrolment of one photo, in seconds; a photo of thirty cards takes less.
_PHOTO_SECONDS = 300.0
#: Number of attempts after which a photo that ends its process is marked as failed.
_MOST_TRIES = 2
#: Interval in seconds at which folders are checked, since another server may add jobs.
_LOOK_SECONDS = 30.0
_NO_CARD = Text(
    "No card of this box's size is found in the photo; lay the cards flat and apart on a plain table."
)


class Job(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An enrolment job of a deck: a photo, an answer to a question (`question`, `choice`, and the
    `chosen` card), or a shared tracing (`shared`). `added` and `known` are the numbers of new and known
    cards in a photo, `backs` that of backs, `asked` that of cards with a question, `unclear` that of
    unclear ones. `had` are the deck's cards when the photo was first processed. `told` is the number of
    cards whose dungeon came from a shared tracing. `shown` are the stated sorts of a board game's
    pieces in a photo, each with its size in mm; of these, `unclear` have a question. A photo that seems
    to show other pieces waits for a person's decision (state "other"): `rather` are the words of the
    most likely sorts. With `as_told` the person confirms the stated sorts."""

    name: str
    state: Literal["waiting", "done", "failed", "other"] = "waiting"
    question: str = ""
    choice: Choice = "leave"
    chosen: str = ""
    shared: bool = False
    tries: int = 0
    added: int = 0
    known: int = 0
    backs: int = 0
    unclear: int = 0
    asked: int = 0
    told: int = 0
    had: tuple[str, ...] | None = None
    shown: dict[str, tuple[float, float]] = {}
    as_told: bool = False
    rather: tuple[str, ...] = ()
    advice: tuple[Text, ...] = ()
    error: Text | None = None


def look_at_photo(folder: Path, photo: Path, name: str, had: Sequence[str] | None = None) -> Job:
    """Enrol the cards of a photo, in a reading process. `had` are the deck's cards when the photo came, since
    an interrupted attempt may have enrolled some. Raises `WaymarkError`."""
    seen = enrol_photo(folder, photo.read_bytes(), name)
    said = [advice for face in seen.faces for advice in face.advice]
    told = [face for face in seen.faces if face.question is None]
    new = {face.card for face in told if face.new} | _came_since(folder, had, {face.card for face in told})
    return Job(
        name=name,
        state="done",
        added=len(new),
        known=sum(bool(face.card) and face.card not in new for face in told),
        backs=seen.backs,
        asked=len(seen.faces) - len(told),
        unclear=sum(not face.card for face in told),
        advice=tuple(dict.fromkeys([*seen.advice, *said])),
    )


def _came_since(folder: Path, had: Sequence[str] | None, cards: Collection[str]) -> set[str]:
    """Those of `cards` that were not in the deck before (`had`), compared by current ids."""
    if had is None:
        return set()
    by_id = read_catalogue(folder).by_id
    before = {by_id[name].id for name in had if name in by_id}
    return {card for card in cards if card and card not in before}


def look_at_pieces(folder: Path, photo: Path, job: Job) -> Job:
    """Enrolment of a photo of a board game's pieces in a scan process. Raises `WaymarkError`."""
    try:
        seen = enrol_pieces(folder, photo.read_bytes(), job.shown, job.name, as_told=job.as_told)
    except OtherPieces as other:
        words = tuple(each.word for each in other.rather)
        told = other.words
        return Job(name=job.name, state="other", shown=job.shown, rather=words, error=told)
    new = {each.piece for each in seen.pieces if each.new}
    new |= _came_since(folder, job.had, {each.piece for each in seen.pieces})
    return Job(
        name=job.name,
        state="done",
        shown=job.shown,
        added=len(new),
        known=sum(each.piece not in new for each in seen.pieces),
        unclear=sum(piece.question is not None for piece in seen.pieces),
        advice=(seen.advice,) if seen.advice is not None else (),
    )


def take_shared(folder: Path, shared: Path, name: str) -> tuple[Job, list[str]]:
    """Import a shared tracing, in a reading process. Returns the finished job, and the old and new ids of all
    cards that got their dungeon from it. Raises `WaymarkError`."""
    keep_shared(folder, shared.read_bytes())
    told = told_by_shared(folder)
    return Job(name=name, state="done", shared=True, told=len(told) // 2), told


def told_by_shared(folder: Path) -> list[str]:
    """Apply the deck's imported tracings to its cards; returns the old and new id of each changed card.
    Raises `WaymarkError`."""
    return [name for old, known in take_kept(folder).items() for name in (old, known.card)]


def propose_dungeons(folder: Path) -> list[str]:
    """Propose dungeons for untraced cards, in a reading process. Returns ids as `told_by_shared` does, since
    a proposal may identify another edition. Raises `WaymarkError`."""
    from calibration.enrol.propose.folder import propose_folder

    proposed = propose_folder(folder)
    write_whole(folder / ENROL / NEXT, msgspec.json.encode(proposed.trace_next))
    return told_by_shared(folder)


def trace_next(folder: Path) -> list[str]:
    """Ids of the cards that are most useful to trace next; empty where that is unknown."""
    try:
        return msgspec.json.decode((folder / ENROL / NEXT).read_bytes(), type=list[str])
    except (OSError, msgspec.DecodeError):
        return []


class Enrolling:
    """Background thread that processes the photos and answers of all decks one by one, from `start` to
    `stop`."""

    def __init__(
        self, shelf: Shelf, queue: ScanQueue, traced: Callable[[Deck, Collection[str]], None]
    ) -> None:
        """`traced` is called with each deck's cards whose dungeon has changed."""
        self._traced = traced
        self._shelf = shelf
        self._queue = queue
        self._proposed: dict[str, float] = {}
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="enrolling", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._wake.set()

    def keep_photo(self, deck: Deck, data: bytes, name: str) -> None:
        """Save a photo for enrolment; it is on the disk when this returns. Raises `WaymarkError` for bytes
        that are no photo, and a folder without write permission."""
        read_header(data)
        file = _new_file(deck.folder, hashlib.sha256(data).hexdigest()[:12])
        write_whole(file.with_suffix(".photo"), data)
        write_whole(file, msgspec.json.encode(Job(name=name)))
        self._wake.set()

    def keep_pieces(
        self, deck: Deck, data: bytes, name: str, shown: Mapping[str, tuple[float, float]]
    ) -> None:
        """Save a photo of a board game's pieces for enrolment. Raises `WaymarkError` for bytes that are no
        photo, unknown pieces, and a folder without write permission."""
        read_header(data)
        checked_sorts(self._shelf.catalogue(deck).game, shown)
        file = _new_file(deck.folder, hashlib.sha256(data).hexdigest()[:12])
        write_whole(file.with_suffix(".photo"), data)
        write_whole(file, msgspec.json.encode(Job(name=name, shown=dict(shown))))
        self._wake.set()

    def look_again(self, deck: Deck, key: str, shown: Mapping[str, tuple[float, float]]) -> None:
        """Queue a doubted photo again, with the pieces that a person says it shows. Raises `WaymarkError`:
        another device answered before, or the game has no such pieces."""
        checked_sorts(self._shelf.catalogue(deck).game, shown)
        asked = {file.stem: (file, job) for file, job in jobs_of(deck.folder) if job.state == "other"}
        if key not in asked or not shown:
            raise WaymarkError(
                Code.CONFLICT,
                Text("Somebody has said already what this photo shows, maybe on another device."),
            )
        file, job = asked[key]
        _write(file, Job(name=job.name, shown=dict(shown), as_told=True))
        self._wake.set()

    def leave_out(self, deck: Deck, key: str) -> None:
        """Delete a doubted photo; does nothing if it is already deleted."""
        for file, job in jobs_of(deck.folder):
            if file.stem == key and job.state == "other":
                file.with_suffix(".photo").unlink(missing_ok=True)
                file.unlink(missing_ok=True)

    def keep_shared(self, deck: Deck, data: bytes, name: str) -> None:
        """Save a shared tracing for import. Raises `WaymarkError` for an invalid file, and a folder without
        write permission."""
        parse_shared(data)
        file = _new_file(deck.folder, hashlib.sha256(data).hexdigest()[:12])
        write_whole(file.with_suffix(".photo"), data)
        write_whole(file, msgspec.json.encode(Job(name=name, shared=True)))
        self._wake.set()

    def keep_answer(self, deck: Deck, question: str, choice: Choice, chosen: str = "") -> None:
        """Save an answer to an enrolment question. Raises `WaymarkError` (no-such-question)."""
        if not any(each.name == question for each in open_questions(deck.folder)):
            raise WaymarkError(
                Code.NO_SUCH_QUESTION, Text("This question was answered already, maybe on another device.")
            )
        job = Job(name=question, question=question, choice=choice, chosen=chosen)
        write_whole(_new_file(deck.folder, question), msgspec.json.encode(job))
        self._wake.set()

    def propose_soon(self, deck: Deck) -> None:
        """Request new proposals after a card was traced or added. Never raises."""
        with suppress(WaymarkError):
            write_whole(deck.folder / ENROL / WAITING / _PROPOSE, b"")
            self._wake.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                worked = any([self._work(deck) for deck in self._shelf.decks() if deck.own])
            except Exception:
                log.exception("photos of blank cards could not be looked at")
                worked = False
            if not worked:
                self._wake.wait(_LOOK_SECONDS)
            self._wake.clear()

    def _work(self, deck: Deck) -> bool:
        """Process the oldest waiting job of a deck; whether there was one."""
        for file, job in jobs_of(deck.folder):
            if job.state == "waiting" and not self._stopping.is_set():
                done = self._done(deck, file, job)
                _write(file, done)
                if done.state == "waiting":
                    return False
                if done.state == "done":
                    file.with_suffix(".photo").unlink(missing_ok=True)
                _forget_old(deck.folder)
                if not job.shown:
                    self.propose_soon(deck)
                return True
        return self._propose(deck)

    def _propose(self, deck: Deck) -> bool:
        """Run requested proposals of dungeons, at most once per `_PROPOSE_SECONDS`; whether they were run."""
        marked = deck.folder / ENROL / WAITING / _PROPOSE
        if not marked.exists() or time.monotonic() - self._proposed.get(deck.id, -1e9) < _PROPOSE_SECONDS:
            return False
        marked.unlink(missing_ok=True)
        try:
            self._tell(deck, self._ask(propose_dungeons, deck.folder))
        except (WaymarkError, Died) as error:
            log.warning("no dungeons could be proposed for the box %s: %s", deck.id, error)
        self._proposed[deck.id] = time.monotonic()
        return True

    def _done(self, deck: Deck, file: Path, job: Job) -> Job:
        """The job with its result. It stays waiting where the reading process ended through no fault of its
        own, as at shutdown."""
        done: Job
        photo = file.with_suffix(".photo")
        if job.had is None and not (job.question or job.shared):
            with suppress(WaymarkError):
                cards = read_catalogue(deck.folder).cards
                job = msgspec.structs.replace(job, had=tuple(card.id for card in cards))
        for tries in range(job.tries, _MOST_TRIES):
            _write(file, msgspec.structs.replace(job, tries=tries + 1))
            try:
                if job.question:
                    self._ask(answer, deck.folder, job.question, job.choice, job.chosen)
                    return msgspec.structs.replace(job, state="done")
                if job.shared:
                    done, told = self._ask(take_shared, deck.folder, photo, job.name)
                    self._tell(deck, told)
                    return done
                if job.shown:
                    done = self._ask(look_at_pieces, deck.folder, photo, job)
                    return done
                done = self._ask(look_at_photo, deck.folder, photo, job.name, job.had)
                self._tell(deck, self._ask(told_by_shared, deck.folder))
                return done
            except WaymarkError as error:
                told = error.words
                if error.code == Code.NO_CARD and not job.shown:
                    told = _NO_CARD
                return msgspec.structs.replace(job, state="failed", error=told)
            except Died as died:
                log.warning("the process that looked at %s ended: %s", photo.name, died)
                if not died.own_fault:
                    return job
        return msgspec.structs.replace(
            job, state="failed", error=Text("This photo could not be looked at; take it again.")
        )

    def _tell(self, deck: Deck, cards: Collection[str]) -> None:
        if cards:
            self._traced(deck, cards)

    def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Result of a function that is called in a reading process. Raises `WaymarkError`, `Died`."""
        return self._queue.lend(lambda reader: reader.ask(function, *arguments, seconds=_PHOTO_SECONDS))


def jobs_of(folder: Path) -> list[tuple[Path, Job]]:
    """Waiting and recent jobs of a deck, the oldest first."""
    found = []
    for file in sorted((folder / ENROL / WAITING).glob("*.json")):
        try:
            found.append((file, msgspec.json.decode(file.read_bytes(), type=Job)))
        except (OSError, msgspec.DecodeError):
            continue  # Removed meanwhile, or not a job.
    return found


def open_questions(folder: Path) -> list[Asked]:
    """Unanswered questions about a deck's faces."""
    answered = {job.question for _, job in jobs_of(folder) if job.question and job.state == "waiting"}
    return [asked for asked in read_faces(folder).asked if asked.name not in answered]


def _new_file(folder: Path, key: str) -> Path:
    return folder / ENROL / WAITING / f"{time.time_ns():020d}-{key}.json"


def _write(file: Path, job: Job) -> None:
    write_whole(file, msgspec.json.encode(job))


def _forget_old(folder: Path) -> None:
    done = [file for file, job in jobs_of(folder) if job.state in ("done", "failed")]
    for file in done[:-MOST_DONE]:
        file.with_suffix(".photo").unlink(missing_ok=True)
        file.unlink(missing_ok=True)
