"""Players' claims against a turn or a board: in words, as a withdrawal of the turn, or as the correct board.

All functions work inside the caller's transaction."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy.orm import Session

from scorer.board_edits import WholeRecord, edited
from scorer.board_record import board_told
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.store.boards import RIGHT, board_standing, record_of, revise_board
from webapp.store.database import not_found
from webapp.store.idempotency import id_for
from webapp.store.models import Claim, Tableau, now
from webapp.store.rounds import touch
from webapp.tableaus.boards import looked_at_board, take_turn_back

#: In `Claim.assumes`: the turn is taken back.
BACK = "back"


class NewBoardClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player says: `wants` nothing but `words`, the turn taken `back`, or the board as in `record`;
    sent again under the same key it is written once."""

    who: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    words: Annotated[str, msgspec.Meta(max_length=20_000)] = ""
    wants: Literal["words", "back", "record"] = "words"
    record: dict[str, Any] | None = None
    client_key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


def add_board_claim(session: Session, catalogue: Catalogue, tableau: Tableau, new: NewBoardClaim) -> Claim:
    """Write down what a player says. Raises `WaymarkError`: nothing is said, or the record cannot be."""
    standing = board_standing(session, catalogue, tableau)
    if standing is None:
        raise not_found()
    known = session.get(Claim, claim_id := id_for(tableau.id, new.client_key))
    if known is not None:
        return known
    wanted = new.record if new.wants == "record" else None
    if not new.words.strip() and new.wants != BACK and wanted is None:
        raise WaymarkError(
            Code.NO_CLAIM,
            Text("Say in words what should be different, or choose an assumption."),
        )
    record = None
    if wanted is not None:
        made = edited(standing.rules, catalogue, standing.board, [WholeRecord(record=wanted)])
        record = board_told(made)
    claim = Claim(
        id=claim_id,
        tableau=tableau,
        who=new.who.strip(),
        words=new.words.strip(),
        record=record,
        assumes=BACK if new.wants == BACK else None,
    )
    session.add(claim)
    touch(tableau)
    session.flush()
    return claim


def accept_board_claim(session: Session, catalogue: Catalogue, claim: Claim, version: int) -> None:
    """The table agrees: what the claim wants is done, and can be undone. Raises `WaymarkError` (conflict)."""
    tableau = claim.tableau
    standing = looked_at_board(session, catalogue, tableau, version)
    claim.accepted_at = now()
    revision = None
    if claim.assumes == BACK:
        revision = take_turn_back(session, catalogue, tableau)
    elif claim.record is not None:
        board = record_of(standing.rules, claim.record)
        told = {"kind": "record", "record": claim.record}
        revision = revise_board(session, catalogue, tableau, board, kind=RIGHT, told=told)
    claim.accepted_revision = revision.id if revision is not None else None
    touch(tableau)
