"""Players' pens: one is learned from a tap on the line in a photo and used for all later photos of that
player; undo is one step. Both read the current photos again and report the differences. They are background
jobs: first the pen, then one photo at each step.

Pens are kept in files of the data folder (`calibration.kept_pens`), by the player; a tableau outside games
has one of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from calibration.kept_pens import keep_pen, kept_pen, put_pen
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.ink.pens import PenProfile
from vision.scan import Scan
from waymark.review.pipeline import decode_reading
from webapp.decks.shelf import Shelf
from webapp.scans.leases import ClaimedErrand
from webapp.scans.queue import PHOTO_SECONDS
from webapp.scans.scan_processes import Reader
from webapp.scans.worker import learn_pen_in, read_shot
from webapp.store.assessments import assessed
from webapp.store.database import Database, get_row
from webapp.store.models import Entry, Errand, Shot, Tableau
from webapp.store.photo_store import PhotoStore, StoreUnreachable
from webapp.store.photos import intact_original
from webapp.store.tableaus import (
    is_corrected,
    most_cards,
    pen_owner,
    stands_finished,
    take_reading,
    used_shot,
)
from webapp.tableaus.jobs import ask
from webapp.tableaus.model import PenPhoto, PenReading

Take = Callable[[Session, Errand], None]

#: Maximum number of a player's photos in a game that are read again, latest first.
MOST_PHOTOS = 6


class _Tap(msgspec.Struct, frozen=True, kw_only=True):
    """A tap on a line: the photo's id, and the point (x, y) in photo pixels."""

    photo_id: str
    at: tuple[float, float]


class _Back(msgspec.Struct, frozen=True, kw_only=True):
    """The pen that undo restores (None: no pen). A repeated step therefore undoes one change only."""

    pen: PenProfile | None


class _Done(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of a pen job: whether a pen is kept, the changed photos (`PenChanged`), and all shots looked
    at, including failures."""

    kept: bool
    photos: tuple[PenPhoto, ...] = ()
    looked_at: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pens:
    """Operations on the pens of one table's players."""

    folder: Path
    database: Database
    photos: PhotoStore
    shelf: Shelf

    def kept(self, tableau: Tableau) -> bool:
        """Whether a pen is stored for the owner of a tableau."""
        return kept_pen(pen_owner(tableau), self.folder) is not None

    def learn(self, session: Session, tableau: Tableau, at_px: tuple[float, float]) -> Errand:
        """Start the job that learns a pen from the line at a point (x, y, pixels) of the photo in use. Raises
        `WaymarkError` (no-photo, conflict)."""
        used = used_shot(session, tableau)
        if used is None:
            raise WaymarkError(
                Code.NO_PHOTO,
                Text("There is no photo yet that could be looked at; wait until it has been read."),
            )
        return ask(session, tableau, "pen", _Tap(photo_id=used.photo_id, at=at_px))

    def undo(self, session: Session, tableau: Tableau) -> Errand:
        """Start the job that restores the previous pen. Raises `WaymarkError` (conflict)."""
        known = kept_pen(pen_owner(tableau), self.folder)
        back = _Back(pen=None if known is None else known.before)
        errand = ask(session, tableau, "pen-undo", back)
        if known is None:
            errand.state, errand.outcome = "done", msgspec.to_builtins(_Done(kept=False))
        return errand

    def step(self, reader: Reader, errand: ClaimedErrand) -> Take:
        """Run one step of a pen job: the first sets the pen, each further one reads a photo again. Raises
        `WaymarkError` (no-line), `Died`."""
        if errand.outcome is not None:
            return self._read_next(reader, errand, msgspec.convert(errand.outcome, _Done))
        if errand.kind == "pen":
            tap = msgspec.convert(errand.given, _Tap)
            with self.database.snapshot() as session:
                deck = get_row(session, Tableau, errand.tableau_id).deck
            with intact_original(self.photos, tap.photo_id) as photo:
                pen: PenProfile | None = reader.ask(
                    learn_pen_in, photo, tap.at, self._box(deck), seconds=PHOTO_SECONDS
                )
            assert pen is not None
            keep_pen(errand.whose, pen, self.folder)
        else:
            pen = msgspec.convert(errand.given, _Back).pen
            put_pen(errand.whose, pen, self.folder)
        return _go_on(_Done(kept=pen is not None))

    def _read_next(self, reader: Reader, errand: ClaimedErrand, done: _Done) -> Take:
        with self.database.snapshot() as session:
            row = session.get_one(Errand, errand.id)
            shot = _next_at_hand(session, row, done)
            if shot is None:
                return _go_on(done)
            shot_id, photo_id, deck = shot.id, shot.photo_id, shot.tableau.deck
            owner, most = pen_owner(shot.tableau), most_cards(shot.tableau)
        done = msgspec.structs.replace(done, looked_at=(*done.looked_at, shot_id))
        if errand.attempts:
            return _go_on(done)  # The process ended: the photo's reading is kept.
        known = kept_pen(owner, self.folder)
        pen = None if known is None else known.pen
        try:
            with intact_original(self.photos, photo_id) as photo:
                encoded: bytes = reader.ask(
                    read_shot, photo, None, self._box(deck), pen, most, seconds=PHOTO_SECONDS
                )
            scan = decode_reading(encoded)
        except StoreUnreachable:
            raise
        except WaymarkError:
            return _go_on(done)  # This reading is kept, too.

        def take(session: Session, row: Errand) -> None:
            told = self._taken(session, session.get_one(Shot, shot_id), scan)
            _go_on(msgspec.structs.replace(done, photos=(*done.photos, told)))(session, row)

        return take

    def _box(self, deck: str) -> Path | None:
        """Folder of a deck for a reading process; None for the process's default deck."""
        return self.shelf.named(deck).folder if deck else None

    def _taken(self, session: Session, shot: Shot, scan: Scan) -> PenPhoto:
        """The old and new result of a photo. The new reading is saved unless the tableau was corrected or its
        game is finished."""
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


def _go_on(done: _Done) -> Take:
    """A function that saves the job's progress, and queues its next step if another photo is left."""

    def take(session: Session, errand: Errand) -> None:
        more = _next_at_hand(session, errand, done) is not None
        errand.state, errand.attempts = "waiting" if more else "done", 0
        errand.outcome = msgspec.to_builtins(done)

    return take


def _seen(catalogue: Catalogue, tableau: Tableau, scan: Scan) -> tuple[PenReading, object]:
    """Summary and path of a tableau as read from one photo alone."""
    now = assessed(catalogue, tableau, scan)
    places = sum(len(stroke) for stroke in now.record.path)
    return PenReading(places=places, sure=now.sure), now.record.path


def _next_at_hand(session: Session, errand: Errand, done: _Done) -> Shot | None:
    """The latest photo that the job has not read again: of the same player and game, or of the tableau
    outside games. Photos sent after the tap are left out, since they are read with the new pen anyway."""
    if len(done.looked_at) >= MOST_PHOTOS:
        return None
    tableau = errand.tableau
    wanted = select(Shot).where(
        Shot.state == "done",
        Shot.reread_of.is_(None),
        Shot.deleted_at.is_(None),
        Shot.created_at <= errand.created_at,
        Shot.id.not_in(done.looked_at),
    )
    if tableau.entry is None:
        wanted = wanted.where(Shot.tableau_id == tableau.id)
    else:
        wanted = (
            wanted.join(Tableau, Tableau.id == Shot.tableau_id)
            .join(Entry, Entry.id == Tableau.entry_id)
            .where(Entry.seat_id == tableau.entry.seat.id, Tableau.deleted_at.is_(None))
        )
    return session.scalars(wanted.order_by(Shot.sequence.desc()).limit(1)).first()
