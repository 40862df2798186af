"""Tasks of a scan process: read one photo and report its stages, find cards in a picture. It has no access to
the database."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.catalogue import FILE_NAME, Catalogue, load_catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text

if TYPE_CHECKING:
    from vision.ink.pens import PenProfile
    from vision.quality import Shortcoming

#: Names of the reported stages in order; "waiting" comes before them and the reading after.
STAGES = ("start", "photo", "layout", "ink", "path", "marks")
#: Pages have priority over scans.
_NICENESS = 10

#: Folder of the deck with which the process was started; and the loaded decks, with the stamp of each file.
_main: Path | None = None
_known: dict[Path, tuple[tuple[int, int], Catalogue]] = {}
_tell: Callable[[str], None] = lambda stage: None  # noqa: E731


def serve(parent: Connection, warm_up: Callable[[Path], None], catalogue_folder: Path) -> None:
    """Main loop of a reading process: warm up, then run requests one at a time until `parent` closes. A
    request is (function, arguments). Replies are ("warm", None), any number of ("stage", name), and ("done",
    value) or ("failed", exception)."""
    global _tell
    # Ctrl+C is sent to all processes of a terminal; the parent process decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    _tell = lambda stage: parent.send(("stage", stage))  # noqa: E731
    warm_up(catalogue_folder)
    parent.send(("warm", None))
    while True:
        try:
            function, arguments = parent.recv()
        except EOFError:
            return
        try:
            told = "done", function(*arguments)
        except Exception as error:
            told = "failed", error
        parent.send(told)


def warm_up(catalogue_folder: Path) -> None:
    """Load cards, index and libraries once for a process's life."""
    global _main
    import cv2

    from vision.photo.runtime import keep_freed_memory
    from waymark.review.pipeline import load_cards

    if sys.platform != "win32":
        os.nice(_NICENESS)
    cv2.setNumThreads(1)
    keep_freed_memory()
    _main = catalogue_folder
    catalogue = _cards_in(catalogue_folder)
    # Unreadable art is reported for each photo, not as a process that ended.
    with suppress(WaymarkError):
        load_cards(catalogue)


def _cards_in(folder: Path | None) -> Catalogue:
    """The catalogue in a deck's folder, reloaded after a change of its file; None is the process's default
    deck. Raises `WaymarkError`."""
    folder = folder or _main
    assert folder is not None, "warm_up comes first"
    told = (folder / FILE_NAME).stat() if (folder / FILE_NAME).exists() else None
    stamp = (told.st_mtime_ns, told.st_size) if told is not None else (0, 0)
    known = _known.get(folder)
    if known is None or known[0] != stamp:
        _known[folder] = known = (stamp, load_catalogue(folder))
    return known[1]


class NothingRead(WaymarkError):
    """The error for a photo in which no card was found, with the photo's probable defects."""

    def __init__(self, error: WaymarkError, shortcomings: tuple[Shortcoming, ...]) -> None:
        super().__init__(error.code, error.words)
        self.error, self.shortcomings = error, shortcomings

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.error, self.shortcomings)


def _end_with_the_server() -> None:
    """End this process when the server process has ended, since a killed server cannot end its workers."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


@contextmanager
def _mistakes_told() -> Iterator[None]:
    """Context manager that turns unexpected exceptions into `WaymarkError`."""
    try:
        yield
    except WaymarkError:
        raise
    except Exception as bug:
        traceback.print_exc()
        raise worker_failed(f"{type(bug).__name__}: {bug}".splitlines()[0]) from None


def read_shot(
    photo: Path,
    pinned: list[Any] | None = None,
    folder: Path | None = None,
    pen: PenProfile | None = None,
    most_cards: int | None = None,
) -> bytes:
    """Read a photo; returns the bytes of `waymark.review.pipeline.encode_reading`. `pinned` are corrected
    cards (`vision.reader.PinnedCard` as plain data): then only the ink is read. `folder` is the folder of
    their deck if it is not the process's default, `pen` the player's pen, `most_cards` the greatest number of
    cards. Raises `WaymarkError` (`NothingRead` without any card), also for internal errors."""
    import msgspec

    from vision.allowance import one_allowance
    from vision.photo.decode import load_photo
    from vision.quality import why_nothing
    from vision.reader import PinnedCard, scan_pinned
    from waymark.review.pipeline import ask_for_the_path, encode_reading, load_cards, read_table

    catalogue = _cards_in(folder)
    _tell("start")
    with _mistakes_told():
        if pinned is not None:
            told = msgspec.convert(pinned, tuple[PinnedCard, ...])
            cards = tuple(replace(card, card=_here(catalogue, card.card)) for card in told)
            scan = scan_pinned(load_photo(photo), cards, catalogue, load_cards(catalogue), _tell, pen)
            return encode_reading(ask_for_the_path(scan, catalogue))
        decoded = load_photo(photo)
        with one_allowance():
            try:
                return encode_reading(
                    read_table(decoded, catalogue, on_stage=_tell, pen=pen, most_cards=most_cards)
                )
            except WaymarkError as error:
                if error.code != Code.NO_CARD:
                    raise
                raise NothingRead(error, why_nothing(decoded, load_cards(catalogue))) from None


def read_table_shot(
    photos: Sequence[Path], game: str, told: dict[str, bytes], folder: Path | None = None
) -> bytes:
    """Read the photos of one turn of a shared table or board, using the stated facts (`told`); returns the
    encoded reading. Raises as `read_shot`."""
    from scorer.games import game_named
    from webapp.store.kinds import kept_by

    catalogue = _cards_in(folder)
    rules = game_named(game)
    _tell("start")
    with _mistakes_told():
        shared = kept_by(rules).photos
        assert shared is not None, "only what all share is read so"
        return shared.read(photos, catalogue, rules, told, _tell)


def _here(catalogue: Catalogue, name: str) -> str:
    """The current id of a card. Raises `WaymarkError` (unknown-card) for a card that was removed from the
    deck."""
    card = catalogue.card(name)
    if card in catalogue.out:
        raise WaymarkError(
            Code.UNKNOWN_CARD,
            Text(
                "The card {id} was taken out of the box; put it back to have its line read again.", id=card.id
            ),
        )
    return card.id


def see_cards(frame: bytes, folder: Path | None = None) -> tuple[list[list[list[float]]], list[int]]:
    """Outlines of the cards in a small frame of the viewfinder: four [x, y] each, as fractions of its width
    and height. The second value lists the indices of cards that lie apart. `folder` is the deck's folder, as
    in `read_shot`. Raises `WaymarkError` where the bytes are no picture."""
    from vision.cards.viewfinder import find_outlines
    from vision.photo.decode import load_photo
    from waymark.review.pipeline import load_cards

    photo = load_photo(frame)
    size = (photo.width, photo.height)
    seen = find_outlines(photo, load_cards(_cards_in(folder)))
    shares = [(outline.corners_px / size).round(4).tolist() for outline in seen]
    return shares, [number for number, outline in enumerate(seen) if outline.apart]


def boxes_shown_in(photo: Path, folders: Sequence[Path | None]) -> list[int]:
    """Indices of the decks, given by their folders, of which a photo seems to show a card (a quick check). A
    deck that cannot be read is left out. Raises `WaymarkError`."""
    from vision.cards.index import CardIndex
    from vision.cards.looks import boxes_shown
    from vision.photo.decode import load_photo
    from waymark.review.pipeline import load_cards

    numbers: list[int] = []

    def indexes() -> Iterator[CardIndex]:
        for number, folder in enumerate(folders):
            with suppress(WaymarkError):
                index = load_cards(_cards_in(folder))
                numbers.append(number)
                yield index

    return [numbers[k] for k in boxes_shown(load_photo(photo), indexes())]


def board_shown_of(photo: Path, folders: Sequence[Path | None]) -> int | None:
    """Index of the first deck, given by its folder, whose board a photo shows; None where there is none.
    Raises `WaymarkError`."""
    from vision.photo.decode import load_photo
    from waymark.review.boards.recognition import board_shown

    return board_shown(load_photo(photo), [_cards_in(folder) for folder in folders])


def rank_cards(
    photo: Path, corners: Sequence[tuple[float, float]], folder: Path | None = None
) -> list[tuple[str, int]]:
    """`vision.reader.likeliest_cards` for an outline in a photo. Raises `WaymarkError`."""
    from vision.photo.decode import load_photo
    from vision.reader import likeliest_cards
    from waymark.review.pipeline import load_cards

    return likeliest_cards(load_photo(photo), tuple(corners), load_cards(_cards_in(folder)))


def learn_pen_in(photo: Path, at_px: tuple[float, float], folder: Path | None = None) -> PenProfile:
    """`calibration.pen.learn_pen` for the line at a point of a photo. Raises `WaymarkError`."""
    from calibration.pen import learn_pen
    from vision.photo.decode import load_photo
    from waymark.review.pipeline import load_cards

    catalogue = _cards_in(folder)
    return learn_pen(load_photo(photo), catalogue, load_cards(catalogue), at_px)


def worker_failed(what: str) -> WaymarkError:
    """The error for a photo that failed because of an internal error."""
    return WaymarkError(
        Code.INTERNAL,
        Text(
            "This photo could not be read because of a mistake in Waymark ({what}); the photo is kept, and "
            "the score can be typed in.",
            what=what,
        ),
    )
