"""The games that are being played, and the one of them that a device most likely belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.games.digests import summaries
from webapp.games.view import GameSummary
from webapp.store.models import Game, now

#: An open game is being played for so long after it began; one with the device's owner for so long.
_EVENING = timedelta(hours=24)
_OWN = timedelta(days=7)


def open_games(session: Session, most: int) -> list[GameSummary]:
    """At most `most` games without an end, the newest first."""
    wanted = select(Game).where(Game.deleted_at.is_(None), Game.finished_at.is_(None))
    return summaries(session, wanted.order_by(Game.created_at.desc()).limit(most))


def running_game(games: Sequence[GameSummary], person_id: str | None) -> GameSummary | None:
    """The newest of these open games that is still being played, seen from the phone of `person_id` (None:
    unknown)."""
    today = now()

    def is_running(game: GameSummary) -> bool:
        own = any(seat.person_id == person_id for seat in game.seats)
        return today - game.created_at < (_OWN if own else _EVENING)

    return next((game for game in games if is_running(game)), None)
