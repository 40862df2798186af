"""The review of a photographed tableau: one player's, or one that all players share."""

from __future__ import annotations

from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.text import Language
from webapp.scans.queue import ScanQueue
from webapp.store.boards import is_board
from webapp.store.database import not_found
from webapp.store.models import Tableau
from webapp.store.tables import is_table
from webapp.tableaus.model import Review
from webapp.tableaus.table_view import review_of_table
from webapp.tableaus.view import review_of as review_of_tableau


def check_no_board(tableau: Tableau) -> None:
    """Raises `WaymarkError` (not-found) for a board: it is shown and changed as such
    (`webapp.tableaus.board_view`), and knows nothing of cards and paths."""
    if is_board(tableau):
        raise not_found()


def check_own(tableau: Tableau) -> None:
    """Raises `WaymarkError` (not-found) for what lies before all players: only one player's own cards have
    a ruling to be looked at by itself."""
    if is_board(tableau) or is_table(tableau):
        raise not_found()


def review_of(
    session: Session, catalogue: Catalogue, queue: ScanQueue, tableau: Tableau, language: Language
) -> Review:
    """The review of either in `language`."""
    check_no_board(tableau)
    made = review_of_table if is_table(tableau) else review_of_tableau
    return made(session, catalogue, queue, tableau, language)
