"""Games as plays for other programs: players and standings without any photo, in batches, however many there
are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from scorer.errors import WaymarkError
from scorer.game import Game as Rules
from scorer.games import game_named
from scorer.text import Text
from webapp.games.score_sheet import (
    GameState,
    game_state,
    has_result,
    market_order,
    rounds_played,
    standing,
    transcript,
)
from webapp.store.database import not_found
from webapp.store.integrity import each_readable
from webapp.store.models import Entry, Game, GameRound

#: Number of games in memory at a time.
_AT_A_TIME = 20


@dataclass(frozen=True)
class Score:
    """One player's result in a play; `seat_number` counts from 1."""

    seat_id: str
    seat_number: int
    person_id: str
    name: str
    colour: str
    total: int
    rank: int


@dataclass(frozen=True)
class Play:
    """A game for export. `won`: it has a result, and players with rank 1 are winners. `state` is open,
    finished or given-up; rows are sorted by rank."""

    id: str
    game: str
    created_at: datetime
    finished_at: datetime | None
    location: str
    notes: str
    rounds: int
    rounds_played: int
    state: GameState
    won: bool
    first_seat_id: str
    rows: tuple[Score, ...]

    def is_winner(self, row: Score) -> bool:
        """Whether a player has won the play."""
        return self.won and row.rank == 1

    @property
    def about_its_end(self) -> Text | None:
        """A remark on a game without a result; None for a game with one."""
        if self.won:
            return None
        rounds = f"{self.rounds_played}/{self.rounds}"
        if self.state == "given-up":
            return Text("Given up ({rounds} rounds).", rounds=rounds)
        return Text("Not finished ({rounds} rounds).", rounds=rounds)


def play_of(game: Game) -> Play:
    """A game with its rounds and purchases as a play."""
    told, played = transcript(game), rounds_played(game)
    scores = [
        # Before the first round there are no points, whatever is awarded at the end.
        Score(seat.id, number, seat.person_id, seat.name, seat.colour, row.total if played else 0, row.rank)
        for number, (seat, row) in enumerate(zip(game.seats, standing(told).players, strict=True), 1)
    ]
    return Play(
        id=game.id,
        game=game.game,
        created_at=game.created_at,
        finished_at=game.finished_at,
        location=game.location,
        notes=game.notes,
        rounds=len(game.rounds),
        rounds_played=played,
        state=game_state(game),
        won=has_result(game),
        first_seat_id=game.seats[market_order(told, 1)[0]].id,
        rows=tuple(sorted(scores, key=lambda each: each.rank)),
    )


def _told(game: Game) -> Game:
    """The game itself, after checking that it can be converted to a play."""
    play_of(game)
    return game


@dataclass(frozen=True)
class Games:
    """Iterable over the finished, not deleted games of a session, newest first; with `unfinished` also over
    others."""

    session: Session
    names: Sequence[str]
    unfinished: bool = False

    @classmethod
    def of(cls, session: Session, only: str | None = None, *, unfinished: bool = False) -> Games:
        """All games, or the single game with the id `only`, in any state. Raises `WaymarkError`
        (not-found)."""
        wanted = select(Game.id).where(Game.deleted_at.is_(None))
        if only is not None:
            wanted = wanted.where(Game.id == only)
        names = session.scalars(wanted.order_by(Game.created_at.desc(), Game.id)).all()
        if only is not None and not names:
            raise not_found()
        return cls(session, names, unfinished or only is not None)

    def kinds(self) -> list[Rules]:
        """Rules of all exported games."""
        words = select(Game.game).where(Game.deleted_at.is_(None)).distinct().order_by(Game.game)
        if len(self.names) == 1:
            words = words.where(Game.id == self.names[0])
        found = []
        for word in self.session.scalars(words):
            # A game whose rules are not installed is left out.
            with suppress(WaymarkError, TypeError):
                found.append(game_named(word))
        return found

    def __iter__(self) -> Iterator[Game]:
        entries = selectinload(Game.rounds).selectinload(GameRound.entries)
        for at in range(0, len(self.names), _AT_A_TIME):
            names = self.names[at : at + _AT_A_TIME]
            some = select(Game).where(Game.id.in_(names)).order_by(Game.created_at.desc(), Game.id)
            brought = some.options(selectinload(Game.seats), entries.selectinload(Entry.purchases))
            for game in each_readable(self.session.scalars(brought).all(), _told):
                if self.unfinished or (game_state(game) == "finished" and rounds_played(game)):
                    yield game
            self.session.expunge_all()
