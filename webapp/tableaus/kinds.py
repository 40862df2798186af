"""User actions by the kind of play: one player's tableau, a shared table, a board. A board has its own view
(`webapp.tableaus.board_view`), without cards and paths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.play_kinds import BOARD, TABLE, TABLEAU, PlayKind
from scorer.text import Language
from webapp.scans.queue import ScanQueue
from webapp.store import boards as kept_boards
from webapp.store import tables as kept_tables
from webapp.store.boxes import kind_of
from webapp.store.database import not_found
from webapp.store.kinds import redoable, undoable
from webapp.store.models import Revision, Shot, Tableau
from webapp.tableaus import answers, boards, corrections, table_view, tables, view
from webapp.tableaus.model import Answer, Review
from webapp.tableaus.reading_model import Summary

OfTableau = Callable[[Session, Catalogue, Tableau, int], object]
OfShot = Callable[[Session, Catalogue, Shot], None]


@dataclass(frozen=True)
class Reviewed:
    """Actions on photographed cards with drawn paths: the `review` and its `summary`, answering a question,
    using, deleting and restoring a photo, and restoring its reading."""

    review: Callable[[Session, Catalogue, ScanQueue, Tableau, Language], Review]
    summary: Callable[[Session, Catalogue, Tableau, Language], Summary | None]
    answer: Callable[[Session, Catalogue, Tableau, Answer], None]
    use: OfShot
    take_off: OfShot
    bring_back: Callable[[Session, Catalogue, Shot, bool], None]
    restore_reading: OfTableau


@dataclass(frozen=True)
class Acts:
    """Actions of one kind of play. `looked_at` raises `WaymarkError` (conflict) where the state has changed
    since the given version. `stand_again` restores the revision for undo or redo."""

    looked_at: OfTableau
    stand_again: Callable[[Session, Catalogue, Tableau, Revision], object]
    reviewed: Reviewed | None = None


_ACTS: dict[PlayKind, Acts] = {
    TABLEAU: Acts(
        corrections.looked_at,
        corrections.stand_again,
        Reviewed(
            view.review_of,
            view.summary_of,
            answers.answer_question,
            answers.use_photo,
            answers.delete_shot,
            answers.restore_shot,
            corrections.restore_reading,
        ),
    ),
    TABLE: Acts(
        tables.looked_at,
        kept_tables.stand_again,
        Reviewed(
            table_view.review_of_table,
            table_view.summary_of_table,
            tables.answer_table,
            tables.use_table_shot,
            tables.delete_table_shot,
            tables.restore_table_shot,
            tables.restore_table,
        ),
    ),
    BOARD: Acts(boards.looked_at_board, kept_boards.stand_again_board),
}


def reviewed(tableau: Tableau) -> Reviewed:
    """The actions on cards and paths. Raises `WaymarkError` (not-found) for a board."""
    found = _ACTS[kind_of(tableau)].reviewed
    if found is None:
        raise not_found()
    return found


def check_own(tableau: Tableau) -> None:
    """Raises `WaymarkError` (not-found) for a tableau that all players share, since only one player's own
    cards have a separate ruling."""
    if kind_of(tableau).shared:
        raise not_found()


def undo(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Undo the latest undoable change. Raises `WaymarkError`: conflict, and nothing-left."""
    _go_to(session, catalogue, tableau, undoable, version)


def redo(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Make the change again that was undone last. Raises as `undo`."""
    _go_to(session, catalogue, tableau, redoable, version)


def answer(session: Session, catalogue: Catalogue, tableau: Tableau, given: Answer) -> None:
    """Settle a question of a photo. Raises `WaymarkError`: conflict, and not-found for a board."""
    reviewed(tableau).answer(session, catalogue, tableau, given)


def restore_reading(session: Session, catalogue: Catalogue, tableau: Tableau, version: int) -> None:
    """Take the reading of the photo in use as it first was. Raises `WaymarkError` (conflict)."""
    reviewed(tableau).restore_reading(session, catalogue, tableau, version)


def _go_to(
    session: Session,
    catalogue: Catalogue,
    tableau: Tableau,
    which: Callable[[Tableau], Revision | None],
    version: int,
) -> None:
    acts = _ACTS[kind_of(tableau)]
    acts.looked_at(session, catalogue, tableau, version)
    target = which(tableau)
    if target is None:
        raise answers.nothing_left()
    acts.stand_again(session, catalogue, tableau, target)
