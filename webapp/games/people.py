"""People at the table: those of the latest game, and all who have played, the latest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flask_babel import gettext
from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from scorer.game import Game as Rules
from webapp.games.games import NewPlayer
from webapp.store.models import Game, Person, Seat


def last_players(session: Session, rules: Rules) -> list[NewPlayer]:
    """The players of the latest game in their seats, as many as fit at a game of these rules. A colour that
    the game does not have, or that is taken, is replaced by a free one."""
    latest = select(Game.id).where(Game.deleted_at.is_(None)).order_by(Game.created_at.desc()).limit(1)
    game_id = session.scalar(latest)
    if game_id is None:
        return []
    seats = select(Seat.name, Seat.colour).where(Seat.game_id == game_id, Seat.deleted_at.is_(None))
    found = session.execute(seats.order_by(Seat.position).limit(rules.sheet.most_players)).all()
    return coloured(rules, [(name, colour) for name, colour in found if isinstance(name, str)])


def coloured(rules: Rules, players: Iterable[tuple[str, str]]) -> list[NewPlayer]:
    """Players from (name, wanted colour), each with a colour of its own."""
    free = list(rules.sheet.colours)
    made = []
    for name, wanted in players:
        colour = wanted if wanted in free else free[0]
        free.remove(colour)
        made.append(NewPlayer(name, colour))
    return made


def known_names(session: Session, most: int) -> list[str]:
    """At most `most` names of people, those of the latest games first."""
    played = func.max(Game.created_at)
    wanted = (
        select(Person.name)
        .outerjoin(Seat, Seat.person_id == Person.id)
        .outerjoin(Game, and_(Game.id == Seat.game_id, Game.deleted_at.is_(None)))
        .where(Person.deleted_at.is_(None))
        .group_by(Person.id, Person.name)
        .order_by(played.desc().nulls_last(), Person.name)
        .limit(most)
    )
    return list(dict.fromkeys(name for name in session.scalars(wanted) if isinstance(name, str)))


def with_usual_names(players: Sequence[NewPlayer], least: int) -> list[NewPlayer]:
    """The players that have a name; of the first `least`, those without one are called by their seat."""
    named = [
        NewPlayer(player.name or (usual_name(seat) if seat <= least else ""), player.colour)
        for seat, player in enumerate(players, 1)
    ]
    return [player for player in named if player.name]


def usual_name(seat: int) -> str:
    """Name of the player in a seat (from 1) who gave none, in the reader's language."""
    return gettext("Player %(number)s", number=seat)
