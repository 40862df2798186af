"""A game as pages and the API show it: one plain value, made anew for every look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.orm import Session, object_session, selectinload

from scorer.mapmasters.score_sheet import Final, coins_held, round_end_reminders, round_start_reminders
from scorer.mapmasters.settings import VersusSettings
from waymark.review.question_names import GAP
from webapp.games.market import not_bought, price_of
from webapp.games.score_sheet import (
    current_round,
    entries_of,
    first_to_finish,
    has_gaps,
    is_scored,
    live_purchases,
    live_tableau,
    market_order,
    rounds_played,
    standing,
    to_round,
)
from webapp.http.languages import current_language
from webapp.http.services import services
from webapp.store.late_readings import late_assessment, late_shot
from webapp.store.models import Entry, Game, GameRound, Purchase, Seat, Tableau
from webapp.store.tableaus import assessment_of, game_settings, score_of

#: How far a player's photos have come: none; being read; unreadable; there are questions; sure.
TableauState = Literal["none", "reading", "failed", "questions", "sure"]


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A player of a game; seats are in seating order, clockwise."""

    id: str
    person_id: str
    name: str
    colour: str


class PurchaseView(msgspec.Struct, frozen=True, kw_only=True):
    """Something bought in the market: `kind` is fairy, spellbook, card or other."""

    id: str
    kind: str
    what: str
    coins: int


class HeldUnpaid(msgspec.Struct, frozen=True, kw_only=True):
    """Something held for the path that was not bought: `kind` is fairy or spellbook, `coins` its price."""

    kind: str
    what: str
    coins: int


class RuledScore(msgspec.Struct, frozen=True, kw_only=True):
    """What the ruling of the photo says, beside what stands on the board."""

    primary_vp: int | None
    secondary_vp: int | None
    escaped: bool
    coins_received: int


class LateReading(msgspec.Struct, frozen=True, kw_only=True):
    """What a photo says, where the game says something else: `score`
    counts when a person takes it over. `sure`: Waymark is."""

    shot_id: str
    photo_id: str
    sure: bool
    score: RuledScore


class EntryView(msgspec.Struct, frozen=True, kw_only=True):
    """A player's round. Points are None until known, `secondary_vp` is whole. `coins_before` the market,
    `coins_spent` in it, `coins_received` from the path, `coins_after` the round (below 0: the books are
    wrong). `ruled` is the photo's score; `optimizers_found` are those on its path. `time_bonus_seat` has the
    round's time bonus, whoever it is; `nobody_first`: nobody has, as was said. `unpaid` is held without
    having been bought. `parted`: all questions are answered, and lines of the path still do not join. `late`
    is what a photo says that was read after the game's end."""

    id: str
    seat_id: str
    round: int
    primary_vp: int | None
    secondary_vp: int | None
    time_bonus: bool
    time_bonus_seat: str | None
    nobody_first: bool
    escaped: bool | None
    scored: bool
    typed: bool
    coins_before: int
    coins_spent: int
    coins_received: int
    coins_after: int
    fairy_tokens: dict[str, int]
    spellbooks: list[str]
    optimizers_used: dict[str, int]
    optimizers_found: dict[str, int]
    purchases: list[PurchaseView]
    unpaid: list[HeldUnpaid]
    tableau_id: str | None
    photo_id: str | None
    state: TableauState
    parted: bool
    ruled: RuledScore | None
    late: LateReading | None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the round's end, in the reader's language."""

    key: str
    words: str
    done: bool


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round: `nobody_first`, nobody has its time bonus, as was said on purpose; `market_order` lists seats;
    `reminders` are for its start, `checklist` for its end."""

    number: int
    primary: str | None
    secondary: str | None
    hourglass: bool
    time_bonus_seat: str | None
    nobody_first: bool
    entries: list[EntryView]
    market_order: list[str]
    reminders: list[str]
    checklist: list[Step]


class GameView(msgspec.Struct, frozen=True, kw_only=True):
    """A game with everything in it. `standing` is the score so far, in the order of `seats`;
    `rounds_played` is the last round with a score, `current_round` the one to go on with; `gaps` says that
    rounds up to that are blank for someone, so that nobody is ahead yet."""

    id: str
    version: int
    title: str
    location: str
    notes: str
    created_at: datetime
    finished_at: datetime | None
    settings: dict[str, Any]
    rounds_played: int
    current_round: int
    gaps: bool
    seats: list[SeatView]
    rounds: list[RoundView]
    standing: Final
    coins: dict[str, int]


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list: `leaders` are those with rank 1 so far, nobody while rounds that others have are
    blank for someone."""

    id: str
    version: int
    title: str
    location: str
    created_at: datetime
    finished_at: datetime | None
    seats: list[SeatView]
    leaders: list[str]
    rounds_played: int
    current_round: int


def with_everything(games: Select[Game]) -> Select[Game]:
    """A query for games that brings all that `game_view` and `game_summary` need, in few queries."""
    entries = selectinload(Game.rounds).selectinload(GameRound.entries)
    return games.options(
        selectinload(Game.seats),
        entries.selectinload(Entry.purchases),
        entries.selectinload(Entry.tableau).selectinload(Tableau.shots),
    )


def load_game(session: Session, game_id: str) -> Game | None:
    """A game with everything in it; None where there is none."""
    return session.scalar(with_everything(select(Game).where(Game.id == game_id)))


def game_view(game: Game) -> GameView:
    """The game as it stands."""
    settings = game_settings(game.settings)
    entries: dict[tuple[int, str], EntryView] = {}
    coins = {}
    first = {round_.number: (first_to_finish(round_), round_.nobody_first) for round_ in game.rounds}
    for seat in game.seats:
        played = entries_of(game, seat)
        books = [to_round(entry, settings) for entry in played]
        for number in range(1, len(played) + 1):
            view = entry_view(
                played,
                number,
                first=first[number],
                before=coins_held(books[: number - 1]),
                after=coins_held(books[:number]),
            )
            entries[view.round, seat.id] = view
        coins[seat.id] = coins_held(books)
    return GameView(
        id=game.id,
        version=game.version,
        title=game.title,
        location=game.location,
        notes=game.notes,
        created_at=game.created_at,
        finished_at=game.finished_at,
        settings=asdict(settings),
        rounds_played=rounds_played(game),
        current_round=current_round(game),
        gaps=has_gaps(game),
        seats=[seat_view(seat) for seat in game.seats],
        rounds=[
            round_view(game, round_, settings, [entries[round_.number, seat.id] for seat in game.seats])
            for round_ in sorted(game.rounds, key=lambda each: each.number)
        ],
        standing=standing(game),
        coins=coins,
    )


def game_summary(game: Game) -> GameSummary:
    """A game in few words."""
    played, gaps = rounds_played(game), has_gaps(game)
    return GameSummary(
        id=game.id,
        version=game.version,
        title=game.title,
        location=game.location,
        created_at=game.created_at,
        finished_at=game.finished_at,
        seats=[seat_view(seat) for seat in game.seats],
        leaders=list(standing(game).winners) if played and not gaps else [],
        rounds_played=played,
        current_round=current_round(game),
    )


def seat_view(seat: Seat) -> SeatView:
    """A seat as it is shown."""
    return SeatView(id=seat.id, person_id=seat.person_id, name=seat.name, colour=seat.colour)


def round_view(
    game: Game, round_: GameRound, settings: VersusSettings, entries: list[EntryView]
) -> RoundView:
    """A round as it is shown."""
    language = current_language()
    return RoundView(
        number=round_.number,
        primary=round_.primary,
        secondary=round_.secondary,
        hourglass=round_.hourglass,
        time_bonus_seat=first_to_finish(round_),
        nobody_first=round_.nobody_first,
        entries=entries,
        market_order=[seat.id for seat in market_order(game, round_.number)],
        reminders=[words.message(language) for words in round_start_reminders(round_.number, settings)],
        checklist=[
            Step(key=str(index), words=words.message(language), done=bool(round_.checklist.get(str(index))))
            for index, words in enumerate(round_end_reminders(round_.number))
        ],
    )


def entry_view(
    rounds: Sequence[Entry], number: int, *, first: tuple[str | None, bool], before: int, after: int
) -> EntryView:
    """Round `number` of a player's rounds as it is shown, between its coins before and after; `first` is the
    seat that has the time bonus, and whether it was said that nobody has it."""
    entry = rounds[number - 1]
    tableau = live_tableau(entry)
    purchases = live_purchases(entry)
    ruling = tableau.ruling if tableau is not None else None
    return EntryView(
        id=entry.id,
        seat_id=entry.seat_id,
        round=number,
        primary_vp=entry.primary_vp,
        secondary_vp=entry.secondary_vp,
        time_bonus=entry.time_bonus,
        time_bonus_seat=first[0],
        nobody_first=first[1],
        escaped=entry.escaped,
        scored=is_scored(entry),
        typed=entry.typed,
        coins_before=before,
        coins_spent=sum(purchase.coins for purchase in purchases),
        coins_received=entry.coins_received,
        coins_after=after,
        fairy_tokens=entry.fairy_tokens,
        spellbooks=entry.spellbooks,
        optimizers_used=entry.optimizers_used,
        optimizers_found=ruling["optimizers"] if ruling is not None else {},
        purchases=[purchase_view(purchase) for purchase in purchases],
        unpaid=[
            HeldUnpaid(kind=kind, what=what, coins=price_of(kind))
            for kind, what in not_bought(rounds, number)
        ],
        tableau_id=tableau.id if tableau is not None else None,
        photo_id=photo_of(tableau),
        state=state_of(tableau),
        parted=tableau is not None and _is_parted(tableau),
        ruled=_ruled(ruling),
        late=_late(entry, tableau),
    )


def purchase_view(purchase: Purchase) -> PurchaseView:
    """A purchase as it is shown."""
    return PurchaseView(id=purchase.id, kind=purchase.kind, what=purchase.what, coins=purchase.coins)


def state_of(tableau: Tableau | None) -> TableauState:
    """How far a tableau has come."""
    if tableau is None:
        return "none"
    states = {shot.state for shot in tableau.shots if shot.deleted_at is None}
    if states & {"waiting", "running"}:
        return "reading"
    if tableau.record is not None:
        return "sure" if tableau.sure else "questions"
    return "failed" if states else "none"


def _is_parted(tableau: Tableau) -> bool:
    """Whether nothing is left to be answered and lines of the path still do not join: only correcting it
    makes the score sure."""
    session = object_session(tableau)
    if session is None or GAP not in tableau.answered or tableau.sure:
        return False
    stands = assessment_of(session, services().catalogue, tableau)
    return stands is not None and bool(stands.parted) and not stands.open_questions


def photo_of(tableau: Tableau | None) -> str | None:
    """The photo to show: the one in use, else the latest."""
    if tableau is None:
        return None
    shots = [shot for shot in tableau.shots if shot.deleted_at is None]
    used = [shot for shot in shots if shot.id == tableau.shot_id]
    return (used or shots)[-1].photo_id if shots else None


def _ruled(ruling: dict[str, Any] | None) -> RuledScore | None:
    if ruling is None:
        return None
    primary, secondary = ruling["primary"], ruling["secondary"]
    return RuledScore(
        primary_vp=primary["vp"] if primary is not None else None,
        secondary_vp=secondary["vp"] if secondary is not None else None,
        escaped=ruling["escaped"],
        coins_received=ruling["coins"],
    )


def _late(entry: Entry, tableau: Tableau | None) -> LateReading | None:
    """What a photo says that waits beside the score; None where it says what the score board has."""
    session = object_session(entry)
    if session is None or tableau is None or entry.typed:
        return None
    shot = late_shot(session, tableau)
    then = late_assessment(session, services().catalogue, shot) if shot is not None else None
    if shot is None or then is None:
        return None
    score = score_of(then.ruling)
    if all(getattr(entry, column) == value for column, value in score.items()):
        return None
    return LateReading(shot_id=shot.id, photo_id=shot.photo_id, sure=then.sure, score=RuledScore(**score))
