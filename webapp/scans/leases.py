"""The queue of photos and jobs: rows of the database. One process claims a photo for a limited time (a lease)
and extends the lease while it works on it; when a lease expires, the photo waits again.

A shot's row states the work, and its lease the process that does it. Errands (background jobs) are claimed in
the same way, one step at a time, while no photo waits. A claim is a transaction under the one lock of all
writers (`Database.transaction`), so that claims see each other, which fair scheduling needs."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import msgspec
import psutil
from sqlalchemy import Connection, delete, exists, func, select, update
from sqlalchemy.orm import Session

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from webapp.scans.worker import NothingRead, worker_failed
from webapp.store.database import Database
from webapp.store.kinds import kept
from webapp.store.models import Entry, Errand, GameRound, Lease, Shot, Tableau, now
from webapp.store.tableaus import most_cards, pen_owner, touch
from webapp.store.tables import of_turn

_Kind = TypeVar("_Kind", Shot, Errand)

#: Duration of a lease in seconds; it expires unless it is extended ...
LEASE_SECONDS = 60.0
#: ... at this interval in seconds.
RENEW_SECONDS = 10.0
#: Number of attempts after which a photo that ends its reading process is marked as failed.
MAX_ATTEMPTS = 2
#: Maximum number of interruptions without the photo's fault. The limit protects against a machine that always
#: fails on this photo without a known cause.
MAX_INTERRUPTIONS = 25
#: Time after which a player's earlier turn no longer counts in the fair scheduling.
TURN_MEMORY = timedelta(minutes=10)
#: Maximum time that an errand's next step waits for photos.
ERRAND_PATIENCE = timedelta(seconds=30)
#: Time for which the result of an errand is kept, for pages that have not asked yet.
ERRAND_MEMORY = timedelta(days=1)
#: Photos outside games are scheduled like those of one game.
_NO_GAME = ""


@dataclass(frozen=True)
class Claimed:
    """A claimed photo to be read: ids of the shot and its photo, and the cards where people corrected them
    (`given`). `deck` is the deck of these cards; `in_game` says whether a game is played with it. `pen_owner`
    is the owner of the pen, `game` the word of the game's rules, `most_cards` the most that they allow."""

    shot_id: str
    photo_id: str
    given: list[Any] | None
    deck: str = ""
    in_game: bool = False
    pen_owner: str = ""
    most_cards: int | None = None
    #: Stated facts of a shared table or board, with which its photos are read; None for one player's tableau.
    told: dict[str, bytes] | None = None
    game: str = ""
    #: Other photos of the same turn that are read together with this one, oldest first.
    beside: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The primary key of the shot's row."""
        return self.shot_id

    def __str__(self) -> str:
        return f"photo {self.photo_id[:8]}"


@dataclass(frozen=True)
class ClaimedErrand:
    """One claimed step of a background job (errand), with the values of the job's row."""

    id: str
    tableau_id: str
    whose: str
    kind: str
    given: dict[str, Any]
    outcome: dict[str, Any] | None
    attempts: int

    def __str__(self) -> str:
        return f"errand {self.kind} {self.id[:8]}"


def this_process() -> str:
    """The name of this process as a lease holder. Other processes on the same machine can tell from it
    whether the process still runs."""
    return f"{socket.gethostname()}/{os.getpid()}/{psutil.Process().create_time():.0f}"


@dataclass(frozen=True)
class Leases:
    """The leases that one process holds on photos of a database, and on errands where the process runs
    errands."""

    database: Database
    holder: str
    errands: bool = False

    def claim(self) -> Claimed | ClaimedErrand | None:
        """Claim the next photo or errand in the queue; None where nothing waits."""
        if not self.waiting():
            return None
        with self.database.transaction() as session:
            work: Shot | Errand | None = _whose_turn(session, Shot)
            errand = _whose_turn(session, Errand) if self.errands else None
            if errand is not None and (work is None or _waited_long(session, errand)):
                work = errand
            if work is None:
                return None
            at = _clock(session)
            work.state = "running"
            lease = session.get(Lease, work.id)
            if lease is None:
                session.add(lease := Lease(id=work.id))
            lease.holder, lease.until, lease.claimed_at = self.holder, at + _LEASE, at
            return _claimed(work)

    def renew(self, shot_ids: Collection[str]) -> None:
        """Extend the leases of photos that are being read."""
        if not shot_ids:
            return
        # A plain transaction: on PostgreSQL it waits for no other writer.
        with self.database.engine.begin() as connection:
            until = _clock(connection) + _LEASE
            mine = Lease.id.in_(shot_ids), Lease.holder == self.holder
            connection.execute(update(Lease).where(*mine).values(until=until))

    def tell_stage(self, shot_id: str, stage: str) -> None:
        """Record the stage of a reading, for servers in other processes."""
        with self.database.engine.begin() as connection:
            running = Shot.id == shot_id, Shot.state == "running"
            connection.execute(update(Shot).where(*running).values(stage=stage))

    def finish(self, work_id: str, take: Callable[[Session, Any], None], *, if_held: bool = False) -> None:
        """Save the result of a photo or an errand by calling `take`. The result counts even if the lease has
        moved to another process, unless `if_held` is set. Nothing is done if another process saved a result
        first."""
        with self.database.transaction() as session:
            work, lease = _work(session, work_id), session.get(Lease, work_id)
            if work is None or work.state not in ("waiting", "running"):
                return
            if if_held and (lease is None or lease.holder != self.holder):
                return
            take(session, work)
            if lease is not None:
                lease.holder = lease.until = None

    def give_back(self, work_id: str, *, charged: bool) -> None:
        """Return an interrupted photo or errand to the queue; it fails after too many interruptions.
        `charged`: the photo itself ended the process that read it."""
        with self.database.transaction() as session:
            lease = session.get(Lease, work_id)
            work = _work(session, work_id)
            if work is None or lease is None or lease.holder != self.holder or work.state != "running":
                return
            if charged:
                work.attempts += 1
            _interrupt(work, lease, charged=charged)

    def leave(self) -> None:
        """Release all leases of this process; its photos and errands wait again."""
        with self.database.transaction() as session:
            for work, lease in _running(session):
                if lease is not None and lease.holder == self.holder:
                    lease.holder = lease.until = None
                    _wait_again(work)

    def sweep(self) -> None:
        """Return abandoned photos and errands to the queue: the lease has expired, or its process on this
        machine has ended. Leases and errands that are no longer needed are removed."""
        # First without the writers' lock, as there is mostly nothing to do.
        with self.database.snapshot() as session:
            at = _clock(session)
            lost = any(_is_lost(lease, at) for _, lease in _running(session))
            if not lost and session.scalar(_useless(at)) is None and session.scalar(_told(at)) is None:
                return
        with self.database.transaction() as session:
            at = _clock(session)
            for work, lease in _running(session):
                if lease is None:
                    _wait_again(work)
                elif _is_lost(lease, at):
                    _interrupt(work, lease, charged=False)
            session.execute(delete(Lease).where(Lease.id.in_(_useless(at))))
            session.execute(delete(Errand).where(Errand.id.in_(_told(at))))

    def waiting(self) -> bool:
        """Whether photos wait, or errands where this process runs errands."""
        kinds = _KINDS if self.errands else (Shot,)
        with self.database.snapshot() as session:
            return any(session.scalar(select(exists().where(*_waits(kind)))) for kind in kinds)


_LEASE = timedelta(seconds=LEASE_SECONDS)
_KINDS: tuple[type[Shot | Errand], ...] = Shot, Errand


def _running(session: Session) -> list[tuple[Any, Lease | None]]:
    """Photos and errands that are being processed, each with its lease."""
    statements = (
        select(kind, Lease).outerjoin(Lease, Lease.id == kind.id).where(kind.state == "running")
        for kind in _KINDS
    )
    return [(work, lease) for each in statements for work, lease in session.execute(each)]


def _waits(kind: type[Shot | Errand]) -> tuple[Any, ...]:
    return kind.state == "waiting", kind.deleted_at.is_(None)


def _work(session: Session, work_id: str) -> Shot | Errand | None:
    return session.get(Shot, work_id) or session.get(Errand, work_id)


def _claimed(work: Shot | Errand) -> Claimed | ClaimedErrand:
    if isinstance(work, Errand):
        return ClaimedErrand(
            work.id, work.tableau_id, work.whose, work.kind, work.given, work.outcome, work.attempts
        )
    work.stage = ""
    tableau = work.tableau
    earlier, shared = of_turn(tableau, work)[:-1], kept(tableau).photos
    return Claimed(
        work.id,
        work.photo_id,
        work.given,
        tableau.deck,
        in_game=tableau.entry_id is not None,
        pen_owner=pen_owner(tableau),
        most_cards=most_cards(tableau),
        told=None if shared is None else shared.told(tableau),
        game=tableau.game,
        beside=tuple(shot.photo_id for shot in earlier),
    )


def _wait_again(work: Shot | Errand) -> None:
    work.state = "waiting"
    if isinstance(work, Shot):
        work.stage = ""


def _clock(session: Session | Connection) -> datetime:
    """The current time (UTC) on the one clock that all processes share. SQLite's processes share one machine;
    PostgreSQL's clock is read with a query."""
    connection = session.connection() if isinstance(session, Session) else session
    if connection.dialect.name == "sqlite":
        return now()
    # Not `now()`, the start time of the transaction, which may have waited for others since.
    told: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return told.astimezone(UTC)


def _is_lost(lease: Lease | None, at: datetime) -> bool:
    if lease is None or lease.holder is None or lease.until is None:
        return True
    # A lease that ends too late was given before the clock was set back.
    return not at <= lease.until <= at + _LEASE or _has_gone(lease.holder)


def _has_gone(holder: str) -> bool:
    """Whether the named process of this machine has ended."""
    host, pid, started = holder.rsplit("/", 2)
    if host != socket.gethostname():
        return False
    try:
        return f"{psutil.Process(int(pid)).create_time():.0f}" != started
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False


def _interrupt(work: Shot | Errand, lease: Lease, *, charged: bool) -> None:
    lease.holder = lease.until = None
    lease.interruptions += not charged
    _wait_again(work)
    if work.attempts >= MAX_ATTEMPTS or lease.interruptions >= MAX_INTERRUPTIONS:
        fail(work, worker_failed("the reading process ended"))


def _useless(at: datetime) -> Any:
    open_ones = [
        exists().where(kind.id == Lease.id, kind.state.in_(("waiting", "running"))) for kind in _KINDS
    ]
    return select(Lease.id).where(Lease.claimed_at < at - TURN_MEMORY, *(~each for each in open_ones))


def _told(at: datetime) -> Any:
    """Query for the ids of errands that ended long ago."""
    done = Errand.state.in_(("done", "failed"))
    return select(Errand.id).where(done, Errand.created_at < at - ERRAND_MEMORY)


# --- whose turn it is ---------------------------------------------------------------------------------------

_GAME = func.coalesce(GameRound.game_id, _NO_GAME)
_PLAYER = func.coalesce(Entry.seat_id, Tableau.id)


def _of_whom(statement: Any, kind: type[Shot | Errand]) -> Any:
    """The statement over shots or errands, joined with the game and the player of each row."""
    return (
        statement.join(Tableau, Tableau.id == kind.tableau_id)
        .outerjoin(Entry, Entry.id == Tableau.entry_id)
        .outerjoin(GameRound, GameRound.id == Entry.round_id)
    )


def _whose_turn(session: Session, kind: type[_Kind]) -> _Kind | None:
    """The photo or errand to be processed next (fair scheduling). A rescan after a correction comes first,
    since a person waits for it and it takes less time than a new photo. Then games take turns, and within a
    game its players. A player with a hundred photos delays no other player."""

    def last_turn(whose: Any) -> Any:
        """Query for the time of the latest recent claim of each game or player."""
        claims = select(whose.label("whose"), func.max(Lease.claimed_at).label("at"))
        recent = _of_whom(claims.join(kind, kind.id == Lease.id), kind)
        return recent.where(Lease.claimed_at > _clock(session) - TURN_MEMORY).group_by(whose).subquery()

    of_game, of_player = last_turn(_GAME), last_turn(_PLAYER)
    in_turn = (
        _of_whom(select(kind), kind)
        .outerjoin(of_game, of_game.c.whose == _GAME)
        .outerjoin(of_player, of_player.c.whose == _PLAYER)
        .where(*_waits(kind))
        .order_by(*([Shot.reread_of.is_(None)] if kind is Shot else []))
        .order_by(of_game.c.at.asc().nulls_first(), of_player.c.at.asc().nulls_first())
        .order_by(kind.created_at, kind.id)
    )
    first: _Kind | None = session.scalar(in_turn.limit(1))
    return first


def _waited_long(session: Session, errand: Errand) -> bool:
    """Whether an errand has waited too long behind photos, since its creation or its last step."""
    lease = session.get(Lease, errand.id)
    since = max(_time(errand.created_at), _time(None if lease is None else lease.claimed_at))
    return since < _clock(session) - ERRAND_PATIENCE


def _time(value: object) -> datetime:
    """A time value of a row. An invalid value becomes a time long ago, so that one bad row delays no
    photo."""
    return value if isinstance(value, datetime) else datetime.min.replace(tzinfo=UTC)


# --- failed -------------------------------------------------------------------------------------------------


class OtherGame(WaymarkError):
    """The outcome for a photo that shows another game's board: the word of that game's rules and the deck
    that recognised it."""

    def __init__(self, name: Text, game: str, deck: str) -> None:
        super().__init__(
            Code.NO_CARD,
            Text("This looks like a board of {name}; bring the photo into a game of it.", name=name),
        )
        self.game, self.deck = game, deck


def fail(work: Shot | Errand, error: WaymarkError) -> None:
    """Record that a photo could not be read or an errand could not be done, with the reason."""
    work.state = "failed"
    told: dict[str, Any] = {"code": error.code, "en": error.en, "ja": error.ja}
    if isinstance(error, OtherGame):
        told |= {"game": error.game, "deck": error.deck}
    if isinstance(error, NothingRead):
        told["shortcomings"] = msgspec.to_builtins(error.shortcomings)
    work.error = told
    if isinstance(work, Shot):
        work.stage = ""
        touch(work.tableau)
