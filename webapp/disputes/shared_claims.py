"""Claims about shared tableaus. For a table: words, or a corrected record. For a turn or a board: words,
withdrawal of the turn, or a corrected board.

All functions work inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy.orm import Session

from scorer.board_edits import WholeRecord, edited
from scorer.board_record import board_told
from scorer.catalogue import Catalogue
from webapp.disputes.claims import no_claim, written
from webapp.store.boards import RIGHT, board_rules, board_standing, record_of, revise_board
from webapp.store.database import not_found
from webapp.store.idempotency import id_for
from webapp.store.models import Claim, Revision, Tableau, now
from webapp.store.rounds import touch
from webapp.store.tables import players_of, revise_table, standing_of
from webapp.tableaus.boards import looked_at_board, take_turn_back
from webapp.tableaus.tables import looked_at

#: Value of `Claim.assumes`: the turn is undone.
BACK = "back"


class NewTableClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's claim about a shared table: `text` is a corrected record (JSON or notation), if there is
    one. A repeated key creates it once."""

    who: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    words: Annotated[str, msgspec.Meta(max_length=20_000)] = ""
    text: Annotated[str, msgspec.Meta(max_length=1_000_000)] = ""
    client_key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class NewBoardClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's claim about a board: `wants` is `words`, `back` (undo the turn), or `record` (a corrected
    board). A repeated key creates it once."""

    who: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    words: Annotated[str, msgspec.Meta(max_length=20_000)] = ""
    wants: Literal["words", "back", "record"] = "words"
    record: dict[str, Any] | None = None
    client_key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


def add_table_claim(session: Session, catalogue: Catalogue, tableau: Tableau, new: NewTableClaim) -> Claim:
    """Save a claim about a table. Raises `WaymarkError` for an empty claim or an invalid record."""
    standing = standing_of(session, catalogue, tableau)
    if standing is None:
        raise not_found()

    def wanted() -> dict[str, Any]:
        change = {"kind": "record", "text": new.text}
        made = standing.groups.changed(catalogue, standing.record, change, players_of(tableau))
        told: dict[str, Any] = msgspec.to_builtins(made)
        return told

    return _add(session, tableau, new, wanted if new.text.strip() else None)


def add_board_claim(session: Session, catalogue: Catalogue, tableau: Tableau, new: NewBoardClaim) -> Claim:
    """Save a claim about a board. Raises `WaymarkError` for an empty claim or an invalid record."""
    standing = board_standing(session, catalogue, tableau)
    if standing is None:
        raise not_found()
    record = new.record if new.wants == "record" else None

    def wanted() -> dict[str, Any]:
        return board_told(
            edited(standing.rules, catalogue, standing.board, [WholeRecord(record=record or {})])
        )

    assumes = BACK if new.wants == BACK else None
    return _add(session, tableau, new, wanted if record is not None else None, assumes)


def _add(
    session: Session,
    tableau: Tableau,
    new: NewTableClaim | NewBoardClaim,
    wanted: Callable[[], dict[str, Any]] | None,
    assumes: str | None = None,
) -> Claim:
    known = session.get(Claim, claim_id := id_for(tableau.id, new.client_key))
    if known is not None:
        return known
    who, words = new.who.strip(), new.words.strip()
    if not words and wanted is None and assumes is None:
        raise no_claim()
    record = None if wanted is None else wanted()
    claim = Claim(id=claim_id, tableau=tableau, who=who, words=words, record=record, assumes=assumes)
    return written(session, claim)


def accept_table_claim(session: Session, catalogue: Catalogue, claim: Claim, version: int) -> None:
    """Apply an accepted claim's record to the table, as a change that can be undone. Raises `WaymarkError`
    (conflict)."""
    tableau = claim.tableau
    standing = looked_at(session, catalogue, tableau, version)
    revision = None
    if claim.record is not None:
        record = msgspec.convert(claim.record, standing.rules.rules.record_type)
        revision = revise_table(session, catalogue, tableau, record, kind="record")
    _accepted(claim, revision)


def accept_board_claim(session: Session, catalogue: Catalogue, claim: Claim, version: int) -> None:
    """Apply an accepted claim to the board, as a change that can be undone. Raises `WaymarkError`
    (conflict)."""
    tableau = claim.tableau
    looked_at_board(session, catalogue, tableau, version)
    revision = None
    if claim.assumes == BACK:
        revision = take_turn_back(session, catalogue, tableau)
    elif claim.record is not None:
        board = record_of(board_rules(tableau), claim.record)
        told = {"kind": "record", "record": claim.record}
        revision = revise_board(session, catalogue, tableau, board, kind=RIGHT, told=told)
    _accepted(claim, revision)


def _accepted(claim: Claim, revision: Revision | None) -> None:
    claim.accepted_at = now()
    claim.accepted_revision = revision.id if revision is not None else None
    touch(claim.tableau)
