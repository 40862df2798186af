"""What a running app has at hand: settings, database, cards, the scan queue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from flask import current_app, g
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from webapp.config import ServerConfig
from webapp.log.import_progress import Imports
from webapp.scans.queue import ScanQueue
from webapp.store.database import Database
from webapp.store.models import Base

KEY = "waymark"

Row = TypeVar("Row", bound=Base)


@dataclass(frozen=True)
class Services:
    """One app's own; `catalogue_folder` is where `catalogue` was read from."""

    config: ServerConfig
    database: Database
    catalogue: Catalogue
    catalogue_folder: Path
    queue: ScanQueue
    imports: Imports = field(default_factory=Imports)


def services() -> Services:
    """Those of the app that answers."""
    return cast(Services, current_app.extensions[KEY])


def read_session() -> Session:
    """The request's session to read in; it is closed with the request."""
    if "reading" not in g:
        g.reading = services().database.readers()
    return cast(Session, g.reading)


@contextmanager
def write_session() -> Iterator[Session]:
    """A transaction: committed when the block ends, so that what is answered after it is on the disk.
    What was read before is read anew."""
    with services().database.transaction() as session:
        yield session
    close_read_session()


def close_read_session(_error: BaseException | None = None) -> None:
    """End the request's reading session."""
    session = g.pop("reading", None)
    if session is not None:
        session.close()


def get_row(session: Session, kind: type[Row], row_id: str, *, deleted: bool = False) -> Row:
    """A row by its id. Raises `WaymarkError` (not-found) for unknown ones, and for deleted ones unless
    `deleted` asks for them too."""
    row = session.get(kind, row_id)
    if row is None or (row.deleted_at is not None and not deleted):
        raise not_found()
    return row


def not_found() -> WaymarkError:
    """The error for what is not there (any more)."""
    return WaymarkError(
        Code.NOT_FOUND,
        "This is not here; it may have been deleted or the link is incomplete. Go back to the start page.",
        "見つかりません。削除されたか、リンクが途切れています。最初のページに戻ってください。",
    )
