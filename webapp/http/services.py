"""What a running app has at hand: settings, database, cards, the scan queue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from flask import current_app, g
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.game import Game as Rules
from scorer.games import game_of
from webapp.config import ServerConfig
from webapp.decks.shelf import Shelf
from webapp.games.digests import MANY_MISSING, DigestKeeper
from webapp.log.log_import import Imports
from webapp.scans.photographers import Photographers
from webapp.scans.queue import ScanQueue
from webapp.store.database import Database
from webapp.store.photo_store import PhotoStore

KEY = "waymark"


@dataclass(frozen=True)
class Services:
    """One app's own; `catalogue_folder` is where `catalogue` was read from, `photos` are the originals."""

    config: ServerConfig
    database: Database
    catalogue: Catalogue
    catalogue_folder: Path
    photos: PhotoStore
    display_copies: PhotoStore
    queue: ScanQueue
    photographers: Photographers = field(default_factory=Photographers)
    imports: Imports = field(default_factory=Imports)
    #: Started by the server, as the queue is.
    digests: DigestKeeper = field(init=False)
    #: Every box of this table, `catalogue`'s among them.
    shelf: Shelf = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digests", DigestKeeper(self.database))
        object.__setattr__(self, "shelf", Shelf(self.config.data, self.catalogue, self.catalogue_folder))

    @property
    def rules(self) -> Rules:
        """The game that the cards are of."""
        return game_of(self.catalogue)


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
        if MANY_MISSING in session.info:
            services().digests.wake()
        session.close()
