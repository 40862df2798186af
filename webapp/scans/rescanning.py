"""Rescan of a whole history with a newer version: the differences between the stored and the new results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Future
from typing import Any

import msgspec
from sqlalchemy import select

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from vision.scan import Scan
from waymark.cluster import ahead, cluster_at, deck_name, local_workers, processors, read
from waymark.review.pipeline import decode_reading, load_cards
from webapp.store.assessments import assessed
from webapp.store.boxes import rules_of
from webapp.store.database import Database
from webapp.store.models import Shot, Tableau
from webapp.store.photo_store import PhotoStore
from webapp.store.photos import original_key
from webapp.store.tableaus import is_corrected, stands_finished, take_reading


class Otherwise(msgspec.Struct, frozen=True, kw_only=True):
    """A photo whose score or certainty has changed with the rescan: the old and new boxes of the score sheet.
    `taken`: its tableau was updated."""

    tableau_id: str
    shot_id: str
    before: dict[str, Any]
    sure_before: bool
    now: dict[str, Any]
    sure_now: bool
    taken: bool


class Reread(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of a rescan: numbers of photos with the same result and with an error, and the photos with
    another result."""

    same: int
    unread: int
    otherwise: tuple[Otherwise, ...]


def reread(
    database: Database,
    photos: PhotoStore,
    catalogue: Catalogue,
    *,
    take: bool = False,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> Reread:
    """Read every photo of the catalogue's game again, `jobs` at a time (None: the number of processors), or
    on the workers of the `cluster` at an address.

    With `take`, a tableau is updated to the new reading unless people corrected it or its game is finished;
    otherwise nothing is changed. Raises `WaymarkError`, `NoCluster`, `NotInstalled`.
    """
    assert catalogue.folder is not None, "a catalogue made in memory has no art to look at"
    load_cards(catalogue)
    deck = deck_name(catalogue.folder)
    known = (
        select(Shot.id, Shot.photo_id)
        .join(Tableau, Tableau.id == Shot.tableau_id)
        .where(Shot.state == "done", Shot.reread_of.is_(None), Shot.deleted_at.is_(None))
        .where(Tableau.deleted_at.is_(None), Tableau.game == catalogue.game)
    )
    with database.snapshot() as session:
        photo_of = {
            shot_id: photo_id for shot_id, photo_id in session.execute(known.order_by(Shot.created_at))
        }
    same = unread = 0
    otherwise: list[Otherwise] = []
    local = local_workers(jobs or processors(), [deck])
    with local if cluster is None else cluster_at(cluster) as (workers, _):

        def begin(shot_id: str) -> Future[bytes]:
            try:
                photo = photos.read(original_key(photo_of[shot_id]))
            except (OSError, WaymarkError) as error:
                lost: Future[bytes] = Future()
                lost.set_exception(error)
                return lost
            return workers.submit(read, photo, deck)

        for shot_id, begun in zip(progress(list(photo_of)), ahead(photo_of, begin), strict=True):
            try:
                scan = decode_reading(begun.result())
            except BrokenExecutor:
                raise
            except Exception:  # An unreadable photo must not affect the others.
                unread += 1
                continue
            found = _compare(database, catalogue, shot_id, scan, take=take)
            if found is None:
                same += 1
            else:
                otherwise.append(found)
    return Reread(same=same, unread=unread, otherwise=tuple(otherwise))


def _compare(
    database: Database, catalogue: Catalogue, shot_id: str, scan: Scan, *, take: bool
) -> Otherwise | None:
    with database.transaction() if take else database.snapshot() as session:
        shot = session.get_one(Shot, shot_id)
        tableau = shot.tableau
        before = assessed(catalogue, tableau, decode_reading(shot.reading or b""))
        now = assessed(catalogue, tableau, scan)
        rules = rules_of(tableau)
        if (rules.rules.worth(before.ruling), before.sure) == (rules.rules.worth(now.ruling), now.sure):
            return None
        found = Otherwise(
            tableau_id=tableau.id,
            shot_id=shot.id,
            before=rules.sheet.row(before.ruling),
            sure_before=before.sure,
            now=rules.sheet.row(now.ruling),
            sure_now=now.sure,
            taken=take and not is_corrected(tableau) and not stands_finished(tableau),
        )
        if found.taken:
            take_reading(session, catalogue, shot, scan)
        return found
