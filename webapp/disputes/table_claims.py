"""Claims about a shared table: in words, or with the correct record.

All functions work inside the caller's transaction."""

from __future__ import annotations

from typing import Annotated

import msgspec
from sqlalchemy.orm import Session

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.store.database import not_found
from webapp.store.idempotency import id_for
from webapp.store.models import Claim, Tableau, now
from webapp.store.rounds import touch
from webapp.store.tables import is_table, players_of, revise_table, standing_of
from webapp.tableaus.tables import looked_at


class NewTableClaim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player says of a shared table: `text` is the record that it should be (JSON or notation), where
    it is more than words; sent again under the same key it is written once."""

    who: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    words: Annotated[str, msgspec.Meta(max_length=20_000)] = ""
    text: Annotated[str, msgspec.Meta(max_length=1_000_000)] = ""
    client_key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


def add_table_claim(session: Session, catalogue: Catalogue, tableau: Tableau, new: NewTableClaim) -> Claim:
    """Write down what a player says. Raises `WaymarkError`: nothing is said, or the record cannot be."""
    standing = standing_of(session, catalogue, tableau) if is_table(tableau) else None
    if standing is None or standing.rules.groups is None:
        raise not_found()
    known = session.get(Claim, claim_id := id_for(tableau.id, new.client_key))
    if known is not None:
        return known
    if not new.words.strip() and not new.text.strip():
        raise WaymarkError(
            Code.NO_CLAIM,
            Text("Say in words what should be different, or choose an assumption."),
        )
    record = None
    if new.text.strip():
        change = {"kind": "record", "text": new.text}
        made = standing.rules.groups.changed(catalogue, standing.record, change, players_of(tableau))
        record = msgspec.to_builtins(made)
    claim = Claim(id=claim_id, tableau=tableau, who=new.who.strip(), words=new.words.strip(), record=record)
    session.add(claim)
    touch(tableau)
    session.flush()
    return claim


def accept_table_claim(session: Session, catalogue: Catalogue, claim: Claim, version: int) -> None:
    """The table agrees: what the claim brings stands, and can be undone. Raises `WaymarkError` (conflict)."""
    tableau = claim.tableau
    standing = looked_at(session, catalogue, tableau, version)
    claim.accepted_at = now()
    if claim.record is not None:
        record = msgspec.convert(claim.record, standing.rules.record_type)
        revision = revise_table(session, catalogue, tableau, record, kind="record")
        claim.accepted_revision = revision.id
    touch(tableau)
