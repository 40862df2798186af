"""Uses of a deck and of its cards in games, and the photos that are read again when they change."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.store.models import Claim, Game, Revision, Shot, Tableau


def games_with(session: Session, deck: str) -> int:
    """Number of games, finished or not, that use a deck (by the name that games have for it)."""
    count = select(func.count()).select_from(Game).where(Game.deck == deck, Game.deleted_at.is_(None))
    return session.scalar(count) or 0


def check_never_shown(session: Session, deck: str, names: Collection[str]) -> None:
    """Raises `WaymarkError` where a reading or correction names a card by one of its `names` (conflict), or
    where a photo that may show the card is being read (busy)."""
    of_the_deck = select(Tableau.id).where(Tableau.deck == deck)
    shots = select(Shot).where(Shot.tableau_id.in_(of_the_deck))
    if session.scalar(select(shots.where(Shot.state.in_(("waiting", "running"))).exists())):
        raise WaymarkError(
            Code.BUSY, Text("A photo of this box is being read just now; try again in a moment.")
        )
    told = {msgspec.json.encode(name) for name in names}
    for kept in (
        shots.with_only_columns(Shot.reading, Shot.given),
        select(Revision.record).where(Revision.tableau_id.in_(of_the_deck)),
        select(Claim.record).where(Claim.tableau_id.in_(of_the_deck)),
    ):
        for row in session.execute(kept):
            parts = [part if isinstance(part, bytes) else msgspec.json.encode(part) for part in row if part]
            if any(name in part for part in parts for name in told):
                raise WaymarkError(
                    Code.CONFLICT, Text("A score was read with this card, so it stays as it lies.")
                )
