"""Services of a running app: settings, database, cards, the scan queue."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from flask import current_app, g, has_request_context, request
from sqlalchemy.orm import Session

from calibration.kept_pens import pen_folder
from scorer.catalogue import Catalogue
from scorer.game import Game as Rules
from scorer.games import game_of
from webapp.config import ServerConfig
from webapp.decks.enrolling import Enrolling
from webapp.decks.shelf import Deck, Shelf
from webapp.games.digests import MANY_MISSING, DigestKeeper
from webapp.log.log_import import Imports
from webapp.scans.presence import Photographers
from webapp.scans.queue import ScanQueue
from webapp.store.database import Database
from webapp.store.models import Base, Entry, Game, GameRound, Purchase, Tableau
from webapp.store.photo_store import PhotoStore
from webapp.store.render_cache import Maker
from webapp.store.tableaus import read_again
from webapp.tableaus.jobs import do_steps
from webapp.tableaus.new_cards import NewCards
from webapp.tableaus.pens import Pens

KEY = "waymark"


@dataclass(frozen=True)
class Services:
    """The services of one app: `shelf` has all decks of this table, `photos` the originals."""

    config: ServerConfig
    database: Database
    shelf: Shelf
    photos: PhotoStore
    display_copies: PhotoStore
    queue: ScanQueue
    photographers: Photographers = field(default_factory=Photographers)
    imports: Imports = field(default_factory=Imports)
    pictures: Maker = field(default_factory=Maker)
    #: Files of decks' dungeons; one of a large deck takes half a minute.
    shares: Maker = field(default_factory=Maker)
    #: Started by the server, like the queue.
    digests: DigestKeeper = field(init=False)
    #: Also started by the server.
    enrolling: Enrolling = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digests", DigestKeeper(self.database))
        object.__setattr__(self, "enrolling", Enrolling(self.shelf, self.queue, self.read_again))
        steps = {"pen": self.pens.step, "pen-undo": self.pens.step, "new-card": self.new_cards.step}
        self.queue.do_errands(do_steps(steps))

    def read_again(self, deck: Deck, cards: Collection[str]) -> None:
        """Queue photos that show newly traced cards for another reading. `cards` may contain earlier ids of a
        card."""
        with self.database.transaction() as session:
            again = sum(read_again(session, self.shelf.name_of(deck), card) for card in dict.fromkeys(cards))
        if again:
            self.queue.wake()

    @property
    def pens(self) -> Pens:
        """The players' pens."""
        return Pens(pen_folder(self.config.data), self.database, self.photos, self.shelf)

    @property
    def new_cards(self) -> NewCards:
        """Service that adds cards from photos of games to decks."""
        return NewCards(self.database, self.photos, self.shelf, self.enrolling.propose_soon)

    @property
    def deck(self) -> str:
        """Id of the deck of the game or tableau in a request's address; "" (the server's own) elsewhere."""
        return _deck_asked_about() if has_request_context() else ""

    @property
    def catalogue(self) -> Catalogue:
        """Current catalogue of the deck in a request's address."""
        return self.shelf.catalogue_of(self.deck)

    @property
    def rules(self) -> Rules:
        """Rules of the game that the current catalogue belongs to."""
        return game_of(self.catalogue)


def services() -> Services:
    """The services of the current app."""
    return cast(Services, current_app.extensions[KEY])


def read_session() -> Session:
    """The request's session for reading; it is closed with the request."""
    if "reading" not in g:
        g.reading = services().database.readers()
    return cast(Session, g.reading)


@contextmanager
def write_session() -> Iterator[Session]:
    """A writing transaction, committed at the end of the block, so that an answer sent afterwards is durable.
    The reading session is renewed."""
    with services().database.transaction() as session:
        yield session
    close_read_session()


#: Models of games, tableaus and their parts by the names of URL parameters.
_OF_A_DECK: dict[str, type[Base]] = {
    "game_id": Game,
    "round_id": GameRound,
    "entry_id": Entry,
    "purchase_id": Purchase,
    "tableau_id": Tableau,
}


def _deck_asked_about() -> str:
    if "deck" not in g:
        g.deck = ""
        for name, row_id in (request.view_args or {}).items():
            kind = _OF_A_DECK.get(name)
            # Not in the request's own session, which a writing request ends.
            if kind is not None:
                with services().database.readers() as session:
                    row = session.get(kind, row_id)
                    g.deck = _deck_of(row) if row is not None else ""
    return cast(str, g.deck)


def _deck_of(row: Base) -> str:
    if isinstance(row, Purchase):
        row = row.entry
    if isinstance(row, Entry):
        row = row.round
    if isinstance(row, GameRound):
        row = row.game
    return row.deck if isinstance(row, (Game, Tableau)) else ""


def close_read_session(_error: BaseException | None = None) -> None:
    """Close the request's session for reading."""
    session = g.pop("reading", None)
    if session is not None:
        if MANY_MISSING in session.info:
            services().digests.wake()
        session.close()
