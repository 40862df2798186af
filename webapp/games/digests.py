"""Stored summaries of games: leader, progress, and each player's whole game. Without them, lists and
statistics of a thousand games take seconds.

A digest is derived from its game alone. It is valid for one version of the game and one state of the code,
and is computed again if either changes.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.orm import Session, selectinload

import scorer
from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.games import game_named
from webapp import views
from webapp.games.score_sheet import (
    GameState,
    current_round,
    entries_of,
    game_state,
    has_gaps,
    has_result,
    rounds_played,
    row_of,
    standing,
    transcript,
)
from webapp.games.statistics import PlayedGame, PlayedRound
from webapp.games.view import GameSummary, SeatView, seat_view
from webapp.store import boxes
from webapp.store.boxes import boxes_of, with_usual
from webapp.store.database import Database
from webapp.store.integrity import readable
from webapp.store.models import Digest, Entry, Game, GameRound, Tableau
from webapp.views import view

log = logging.getLogger(__name__)

#: Number of games whose digests are computed or queried at a time.
_AT_A_TIME = 200
_KEPT_AT_A_TIME = 20
#: If more digests than this are missing, the background thread is woken to save them at once.
FEW = 20


class GameDigest(msgspec.Struct, frozen=True, kw_only=True):
    """Summary of a game. `leaders` are the players with rank 1 so far. `played` has every seat's rounds and
    result in seating order; it is empty while the game has no result."""

    state: GameState
    rounds: int
    rounds_played: int
    current_round: int
    leaders: list[str]
    seats: list[SeatView]
    played: list[PlayedGame]


def digest_of(game: Game) -> GameDigest:
    """Summary of a game, computed from its rows."""
    played, told = rounds_played(game), transcript(game)
    score, state = standing(told), game_state(game)
    return GameDigest(
        state=state,
        rounds=len(game.rounds),
        rounds_played=played,
        current_round=current_round(game),
        leaders=list(score.winners) if played and not has_gaps(game) and state != "given-up" else [],
        seats=[seat_view(seat) for seat in game.seats],
        played=[_played(told.rules, game, index) for index in range(len(game.seats))]
        if has_result(game)
        else [],
    )


def _played(rules: Rules, game: Game, index: int) -> PlayedGame:
    players = standing(transcript(game)).players
    score, seat = players[index], game.seats[index]
    entries = entries_of(game, seat)[: rounds_played(game)]
    coins = (
        rules.play.market.coins([row_of(entry) for entry in entries])[-1]
        if rules.play.market is not None
        else 0
    )
    rounds = []
    for entry in entries:
        asked, scores = with_usual(rules, entry.round.terms, "objective"), boxes_of(entry)
        ours = {**rules.api.objectives(asked), **rules.api.boxes(scores)}
        rounds.append(PlayedRound(terms=asked, scores=scores, **ours))
    return view(
        PlayedGame,
        score,
        game_id=game.id,
        title=game.title,
        played_at=game.created_at,
        shared=sum(player.rank == score.rank for player in players) > 1,
        players=len(game.seats),
        columns=dict(score.columns),
        coins_left=max(0, coins),
        rounds=rounds,
    )


# --- stored digests -----------------------------------------------------------------------------------------


def digested(session: Session, games: Sequence[Game]) -> list[tuple[Game, GameDigest]]:
    """The games with their summaries; damaged games are left out (`hidden_from`)."""
    kept = _kept(session, games)
    missing = [game for game in games if game.id not in kept]
    # A session forgets rows without references: these are held until their games are counted.
    held = list(_loaded(session, missing))

    def shown(game: Game) -> tuple[Game, GameDigest]:
        content = kept.get(game.id)
        return game, msgspec.msgpack.decode(content, type=GameDigest) if content else digest_of(game)

    if len(held) > FEW:
        session.info[MANY_MISSING] = True
    return readable(games, shown)


#: Key in a session's `info`: set when many games have no stored digest.
MANY_MISSING = "waymark.digests"


def summaries(session: Session, wanted: Select[Game]) -> list[GameSummary]:
    """Summaries of the games that a query selects."""
    return [summary(*each) for each in digested(session, session.scalars(wanted).all())]


def summary(game: Game, digest: GameDigest) -> GameSummary:
    """Summary of one game for a list."""
    told = msgspec.structs.asdict(digest)
    del told["played"]
    return view(GameSummary, game, **told)


@cache
def _code(game_word: str) -> str:
    """Version of the code that computes digests of a game: SHA-256 of its source files."""
    files = [Path(boxes.__file__), Path(views.__file__), *Path(__file__).parent.glob("*.py")]
    files += sorted(Path(scorer.__file__).parent.rglob("*.py"))
    # A game may be a plug-in from another package.
    files += sorted(Path(inspect.getfile(type(game_named(game_word)))).parent.glob("*.py"))
    text = hashlib.sha256()
    for file in sorted(files):
        text.update(file.read_bytes())
    return text.hexdigest()


def _kept(session: Session, games: Sequence[Game]) -> dict[str, bytes]:
    """The valid stored digests, by game id."""
    ids = [game.id for game in games]
    kept: dict[str, bytes] = {}
    for first in range(0, len(ids), _AT_A_TIME):
        wanted = (
            select(Game.id, Game.game, Digest.made_by, Digest.content)
            .join(Digest, Digest.id == Game.id)
            .where(Game.id.in_(ids[first : first + _AT_A_TIME]), Digest.version == Game.version)
        )
        for game_id, word, made_by, content in session.execute(wanted):
            try:
                if made_by == _code(word):
                    kept[game_id] = content
            except WaymarkError:
                continue
    return kept


_ENTRIES = selectinload(Game.rounds).selectinload(GameRound.entries)
#: Relations that a digest is computed from; of tableaus only their existence.
_COUNTED = (
    selectinload(Game.seats),
    _ENTRIES.selectinload(Entry.purchases),
    _ENTRIES.selectinload(Entry.tableau).load_only(Tableau.entry_id, Tableau.deleted_at),
)


def _loaded(session: Session, games: Sequence[Game]) -> Iterator[Game]:
    """The games with all rows that their digests are computed from, loaded in batches."""
    for first in range(0, len(games), _AT_A_TIME):
        ids = [game.id for game in games[first : first + _AT_A_TIME]]
        yield from session.scalars(select(Game).where(Game.id.in_(ids)).options(*_COUNTED))


class DigestKeeper:
    """Background thread that updates the digests of changed games, from `start` to `stop`. Neither saving a
    score nor listing all games has to wait for it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread; it first updates games that changed while no server ran."""
        self._wake.set()
        self._thread = threading.Thread(target=self._work, name="digests", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Start an update now, for example after an import."""
        self._wake.set()

    def stop(self) -> None:
        """Stop the thread after the current batch."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _work(self) -> None:
        while not self._stopping.is_set():
            self._wake.wait(_LOOK_SECONDS)
            self._wake.clear()
            try:
                for _ in keep_digests(self._database):
                    if self._stopping.is_set():
                        return
            except Exception as error:
                # Lists are correct without stored digests, only slower.
                log.warning("digests of games could not be kept: %s", error)


#: Interval in seconds at which changed games are looked for.
_LOOK_SECONDS = 60.0


def keep_digests(database: Database) -> Iterator[int]:
    """Compute and save the missing or outdated digests of all games, in batches; yields the size of each
    batch."""
    with database.snapshot() as session:
        games = session.scalars(select(Game).where(Game.deleted_at.is_(None))).all()
        kept = _kept(session, games)
        missing = [game.id for game in games if game.id not in kept]
    for first in range(0, len(missing), _KEPT_AT_A_TIME):
        with database.snapshot() as session:
            wanted = select(Game).where(Game.id.in_(missing[first : first + _KEPT_AT_A_TIME]))
            held = session.scalars(wanted.options(*_COUNTED)).all()
            made = readable(
                held,
                lambda game: Digest(
                    id=game.id,
                    version=game.version,
                    made_by=_code(game.game),
                    content=msgspec.msgpack.encode(digest_of(game)),
                ),
            )
        with database.transaction() as session:
            for digest in made:
                session.merge(digest)
        yield len(made)
