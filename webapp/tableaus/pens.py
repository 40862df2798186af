"""Players' pens: one is learned from a tap on the line in a photo and used for all photos of that player from
then on; it is taken back in one step. Both read the photos at hand again and tell what is otherwise.

Pens are kept in files of the data folder (`calibration.kept_pens`), by the player; a tableau outside games
has one of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from calibration.kept_pens import keep_pen, kept_pen, undo_pen
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from vision.pen_profile import PenProfile
from vision.scan import Scan
from waymark.review.assessment import assess
from waymark.review.pipeline import decode_reading
from waymark.review.table import Table
from webapp.decks.shelf import Shelf
from webapp.scans.queue import PHOTO_SECONDS, ScanQueue
from webapp.scans.readers import Died, Reader
from webapp.scans.worker import learn_pen_in, read_shot, worker_failed
from webapp.store.database import Database, get_row
from webapp.store.models import Entry, Shot, Tableau
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import check_original, original_key
from webapp.store.tableaus import is_corrected, means_of, pen_owner, stands_finished, take_reading

T = TypeVar("T")

#: So many photos of a player's game are read again while somebody waits, the latest ones.
MOST_PHOTOS = 6


class PenReading(msgspec.Struct, frozen=True, kw_only=True):
    """How a photo is read: how many places its path comes to, and whether its score is sure."""

    places: int
    sure: bool


class PenPhoto(msgspec.Struct, frozen=True, kw_only=True):
    """A photo at hand: whose tableau it is of (`round` is its number in a game), as it was read before and is
    now. `stays`: people corrected that tableau, or its game is finished, and it does not follow."""

    tableau_id: str
    round: int | None
    before: PenReading
    after: PenReading
    changed: bool
    stays: bool


class PenChanged(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a tap, or of taking one back: whether a pen is kept now, and the photos at hand. `busy`:
    nobody had time to look, and nothing has changed."""

    kept: bool
    photos: tuple[PenPhoto, ...] = ()
    busy: bool = False


@dataclass(frozen=True)
class Pens:
    """The pens of one table."""

    folder: Path
    database: Database
    photos: PhotoStore
    shelf: Shelf
    queue: ScanQueue

    def kept(self, tableau: Tableau) -> bool:
        """Whether a pen is kept of whoever a tableau is of."""
        return kept_pen(pen_owner(tableau), self.folder) is not None

    def learn(self, tableau_id: str, at_px: tuple[float, float]) -> PenChanged:
        """Learn the pen of the line at a point of the photo in use. Raises `WaymarkError` (no-photo,
        no-line)."""
        with self.database.snapshot() as session:
            tableau = get_row(session, Tableau, tableau_id)
            used = session.get(Shot, tableau.shot_id) if tableau.shot_id is not None else None
            if used is None:
                raise WaymarkError(
                    Code.NO_PHOTO,
                    "There is no photo yet that could be looked at; wait until it has been read.",
                    "調べられる写真がまだありません。読み取りが終わるまでお待ちください。",
                )
            owner, deck, photo_id = pen_owner(tableau), tableau.deck, used.photo_id

        def learned(reader: Reader) -> PenProfile:
            with self.photos.local_file(original_key(photo_id)) as photo:
                check_original(photo, photo_id)
                pen: PenProfile = reader.ask(
                    learn_pen_in, photo, at_px, self._box(deck), seconds=PHOTO_SECONDS
                )
                return pen

        try:
            keep_pen(owner, self._lent(learned), self.folder)
        except Died:
            return PenChanged(kept=kept_pen(owner, self.folder) is not None, busy=True)
        return self._read_again(tableau_id)

    def undo(self, tableau_id: str) -> PenChanged:
        """Take back what was learned last."""
        with self.database.snapshot() as session:
            owner = pen_owner(get_row(session, Tableau, tableau_id))
        undo_pen(owner, self.folder)
        return self._read_again(tableau_id)

    def _box(self, deck: str) -> Path | None:
        """What a reading process is told of a box: nothing of the one that it was started with."""
        return self.shelf.named(deck).folder if deck else None

    def _lent(self, work: Callable[[Reader], T]) -> T:
        """What a reading process makes of it. Raises `Died` where there is none, and what `work` raises."""
        try:
            return self.queue.lend(work)
        except Died as died:
            if died.own_fault:
                raise worker_failed(str(died)) from None
            raise

    def _read_again(self, tableau_id: str) -> PenChanged:
        with self.database.snapshot() as session:
            tableau = get_row(session, Tableau, tableau_id)
            known = kept_pen(pen_owner(tableau), self.folder)
            at_hand = [(shot.id, shot.photo_id, shot.tableau.deck) for shot in _at_hand(session, tableau)]
        pen = None if known is None else known.pen
        told = []
        for shot_id, photo_id, deck in at_hand:

            def read(reader: Reader, photo_id: str = photo_id, deck: str = deck) -> bytes:
                with self.photos.local_file(original_key(photo_id)) as photo:
                    check_original(photo, photo_id)
                    encoded: bytes = reader.ask(
                        read_shot, photo, None, self._box(deck), pen, seconds=PHOTO_SECONDS
                    )
                    return encoded

            try:
                scan = decode_reading(self._lent(read))
            except (WaymarkError, FileNotFoundError, Died):
                continue  # That photo stays as it was read.
            told.append(self._taken(shot_id, scan))
        return PenChanged(kept=pen is not None, photos=tuple(told))

    def _taken(self, shot_id: str, scan: Scan) -> PenPhoto:
        """What a photo says now, taken over where nobody has said otherwise."""
        with self.database.transaction() as session:
            shot = session.get_one(Shot, shot_id)
            tableau = shot.tableau
            catalogue = self.shelf.catalogue_of(tableau.deck)
            before = _seen(catalogue, tableau, decode_reading(shot.reading or b""))
            after = _seen(catalogue, tableau, scan)
            stays = is_corrected(tableau) or stands_finished(tableau)
            if not stays:
                take_reading(session, catalogue, shot, scan)
            return PenPhoto(
                tableau_id=tableau.id,
                round=None if tableau.entry is None else tableau.entry.round.number,
                before=before[0],
                after=after[0],
                changed=before != after,
                stays=stays,
            )


def _seen(catalogue: Catalogue, tableau: Tableau, scan: Scan) -> tuple[PenReading, object]:
    """A photo alone, in short and by its path."""
    now = assess(scan, Table(catalogue), means_of(tableau))
    places = sum(len(stroke) for stroke in now.record.path)
    return PenReading(places=places, sure=now.sure), now.record.path


def _at_hand(session: Session, tableau: Tableau) -> Sequence[Shot]:
    """The photos of a player's tableaus in the same game that have been read, the latest first; those of the
    tableau itself outside games."""
    wanted = select(Shot).where(Shot.state == "done", Shot.reread_of.is_(None), Shot.deleted_at.is_(None))
    if tableau.entry is None:
        wanted = wanted.where(Shot.tableau_id == tableau.id)
    else:
        seat = tableau.entry.seat
        wanted = (
            wanted.join(Tableau, Tableau.id == Shot.tableau_id)
            .join(Entry, Entry.id == Tableau.entry_id)
            .where(Entry.seat_id == seat.id, Tableau.deleted_at.is_(None))
        )
    return session.scalars(wanted.order_by(Shot.sequence.desc()).limit(MOST_PHOTOS)).all()
