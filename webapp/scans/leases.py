"""Who reads which photo. A photo that waits is claimed by one process for a while, which is prolonged for as
long as it works on it; what nobody works on any more waits again.

The row of a shot says what is to be done, its lease who does it. Nothing else does: the queue engine
(`webapp.scans.engine`) carries only the word that photos wait, so that nothing is lost with it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import psutil
from sqlalchemy import Connection, delete, exists, func, select, update
from sqlalchemy.orm import Session

from scorer.errors import WaymarkError
from webapp.scans.worker import NothingRead, worker_failed
from webapp.store.database import Database
from webapp.store.models import Entry, GameRound, Lease, Shot, Tableau, now
from webapp.store.tableaus import pen_owner, touch

#: A photo is given up by whoever has not prolonged its lease for so long, in seconds ...
LEASE_SECONDS = 60.0
#: ... which is done this often.
RENEW_SECONDS = 10.0
#: A photo that ended the process which read it this often is told as failed.
MAX_ATTEMPTS = 2
#: So often a reading may be cut short without the photo's fault. The bound is for a machine that always ends
#: while it reads this one and cannot tell why.
MAX_INTERRUPTIONS = 25
#: Whose photos were read so long ago waits like somebody of whom none was read yet.
TURN_MEMORY = timedelta(minutes=10)
#: Photos outside games take turns with games as one game does.
_NO_GAME = ""


@dataclass(frozen=True)
class Claimed:
    """A photo to be read: the shot, its photo, the cards where people corrected them; the box that they are
    of, and whether a game is played with it; whose pen drew."""

    shot_id: str
    photo_id: str
    given: list[Any] | None
    deck: str = ""
    in_game: bool = False
    pen_owner: str = ""


def this_process() -> str:
    """The name of this process among those that read: another process on the same machine can tell whether it
    is still there."""
    return f"{socket.gethostname()}/{os.getpid()}/{psutil.Process().create_time():.0f}"


@dataclass(frozen=True)
class Leases:
    """The claims of one process on the photos of a database."""

    database: Database
    holder: str

    def claim(self) -> Claimed | None:
        """Take the photo whose turn it is; None where none waits."""
        if not self.waiting():
            return None
        with self.database.transaction() as session:
            shot = _whose_turn(session)
            if shot is None:
                return None
            at = _clock(session)
            shot.state, shot.stage = "running", ""
            lease = session.get(Lease, shot.id)
            if lease is None:
                session.add(lease := Lease(id=shot.id))
            lease.holder, lease.until, lease.claimed_at = self.holder, at + _LEASE, at
            tableau = shot.tableau
            return Claimed(
                shot.id,
                shot.photo_id,
                shot.given,
                tableau.deck,
                in_game=tableau.entry_id is not None,
                pen_owner=pen_owner(tableau),
            )

    def renew(self, shot_ids: Collection[str]) -> None:
        """Prolong the leases of photos that are being read."""
        # A plain transaction: on PostgreSQL it waits for no other writer.
        with self.database.engine.begin() as connection:
            until = _clock(connection) + _LEASE
            mine = Lease.id.in_(shot_ids), Lease.holder == self.holder
            connection.execute(update(Lease).where(*mine).values(until=until))

    def tell_stage(self, shot_id: str, stage: str) -> None:
        """Note how far a reading is, for servers that are other processes."""
        with self.database.engine.begin() as connection:
            running = Shot.id == shot_id, Shot.state == "running"
            connection.execute(update(Shot).where(*running).values(stage=stage))

    def finish(self, shot_id: str, take: Callable[[Session, Shot], None], *, if_held: bool = False) -> None:
        """Have `take` write down what came of a photo, whoever holds it by now: a reading is a reading; only
        where it is still this process's with `if_held`. Nothing is done where another process was first."""
        with self.database.transaction() as session:
            shot, lease = session.get(Shot, shot_id), session.get(Lease, shot_id)
            if shot is None or shot.state not in ("waiting", "running"):
                return
            if if_held and (lease is None or lease.holder != self.holder):
                return
            take(session, shot)
            if lease is not None:
                lease.holder = lease.until = None

    def give_back(self, shot_id: str, *, charged: bool) -> None:
        """The reading of a photo was cut short: it waits again, or has failed once that happened too often.
        `charged`: the photo itself ended the process that read it."""
        with self.database.transaction() as session:
            lease = session.get(Lease, shot_id)
            shot = session.get(Shot, shot_id)
            if shot is None or lease is None or lease.holder != self.holder or shot.state != "running":
                return
            if charged:
                shot.attempts += 1
            _interrupt(shot, lease, charged=charged)

    def leave(self) -> None:
        """This process reads no more: what it holds waits again."""
        with self.database.transaction() as session:
            for shot, lease in session.execute(_HELD.where(Lease.holder == self.holder)):
                shot.state, shot.stage = "waiting", ""
                lease.holder = lease.until = None

    def sweep(self) -> None:
        """Have photos wait again that nobody reads any more: whose lease has passed, or whose reader has
        gone from this machine. What leases have nothing more to tell is removed."""
        with self.database.snapshot() as session:
            at = _clock(session)
            lost = [shot.id for shot, lease in session.execute(_HELD) if _is_lost(lease, at)]
            useless = session.scalars(_useless(at)).all()
        if not lost and not useless:
            return
        with self.database.transaction() as session:
            at = _clock(session)
            for shot, lease in session.execute(_HELD.where(Shot.id.in_(lost))):
                if not _is_lost(lease, at):  # Prolonged meanwhile.
                    continue
                if lease is None:
                    shot.state, shot.stage = "waiting", ""
                else:
                    _interrupt(shot, lease, charged=False)
            session.execute(delete(Lease).where(Lease.id.in_(useless)))

    def waiting(self) -> int:
        """How many photos wait."""
        with self.database.snapshot() as session:
            count = select(func.count()).select_from(Shot).where(*_WAITING)
            return session.scalar(count) or 0


_LEASE = timedelta(seconds=LEASE_SECONDS)
_WAITING = Shot.state == "waiting", Shot.deleted_at.is_(None)
_HELD = select(Shot, Lease).outerjoin(Lease, Lease.id == Shot.id).where(Shot.state == "running")


def _clock(session: Session | Connection) -> datetime:
    """The time by the one clock that all processes share: SQLite's are on one machine, PostgreSQL has its
    own."""
    connection = session.connection() if isinstance(session, Session) else session
    if connection.dialect.name == "sqlite":
        return now()
    # Not `now()`, the time at which the transaction began: it may have waited for others since.
    told: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return told.astimezone(UTC)


def _is_lost(lease: Lease | None, at: datetime) -> bool:
    if lease is None or lease.holder is None or lease.until is None:
        return True
    # A lease that ends too late was given before the clock was put back.
    return not at <= lease.until <= at + _LEASE or _has_gone(lease.holder)


def _has_gone(holder: str) -> bool:
    """Whether a process of this machine has ended."""
    host, pid, started = holder.rsplit("/", 2)
    if host != socket.gethostname():
        return False
    try:
        return f"{psutil.Process(int(pid)).create_time():.0f}" != started
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False


def _interrupt(shot: Shot, lease: Lease, *, charged: bool) -> None:
    lease.holder = lease.until = None
    lease.interruptions += not charged
    shot.state, shot.stage = "waiting", ""
    if shot.attempts >= MAX_ATTEMPTS or lease.interruptions >= MAX_INTERRUPTIONS:
        fail_shot(shot, worker_failed("the reading process ended"))


def _useless(at: datetime) -> Any:
    unread = exists().where(Shot.id == Lease.id, Shot.state.in_(("waiting", "running")))
    return select(Lease.id).where(Lease.claimed_at < at - TURN_MEMORY, ~unread)


# --- whose turn it is ---------------------------------------------------------------------------------------

_GAME = func.coalesce(GameRound.game_id, _NO_GAME)
_PLAYER = func.coalesce(Entry.seat_id, Tableau.id)


def _of_whom(statement: Any) -> Any:
    """The statement, over shots, with the game and the player that each is of."""
    return (
        statement.join(Tableau, Tableau.id == Shot.tableau_id)
        .outerjoin(Entry, Entry.id == Tableau.entry_id)
        .outerjoin(GameRound, GameRound.id == Entry.round_id)
    )


def _whose_turn(session: Session) -> Shot | None:
    """The photo that is to be read next. Who corrected a card waits for it, and that takes less than a new
    photo; then games take turns, and in a game its players: who sends a hundred photos holds up nobody but
    himself."""
    waiting: Sequence[Any] = session.execute(
        _of_whom(select(Shot.id, Shot.reread_of, Shot.created_at, _GAME, _PLAYER)).where(*_WAITING)
    ).all()
    if not waiting:
        return None
    recent = _of_whom(select(_GAME, _PLAYER, Lease.claimed_at).join(Shot, Shot.id == Lease.id))
    games: dict[str, datetime] = {}
    players: dict[str, datetime] = {}
    for game, player, at in session.execute(recent.where(Lease.claimed_at > _clock(session) - TURN_MEMORY)):
        games[game] = max(at, games.get(game, at))
        players[player] = max(at, players.get(player, at))
    never = datetime.min.replace(tzinfo=UTC)

    def turn(row: Any) -> tuple[Any, ...]:
        shot_id, reread_of, created_at, game, player = row
        return reread_of is None, games.get(game, never), players.get(player, never), created_at, shot_id

    return session.get_one(Shot, min(waiting, key=turn)[0])


# --- failed -------------------------------------------------------------------------------------------------


def fail_shot(shot: Shot, error: WaymarkError) -> None:
    """Note that a photo could not be read, and why."""
    shot.state, shot.stage = "failed", ""
    told: dict[str, Any] = {"code": error.code, "en": error.en, "ja": error.ja}
    if isinstance(error, NothingRead):
        told["shortcomings"] = msgspec.to_builtins(error.shortcomings)
    shot.error = told
    touch(shot.tableau)
