"""View of a game for pages and the API: one plain value, computed for every request."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy import Select, select
from sqlalchemy.orm import Session, object_session, selectinload

from scorer.catalogue import Catalogue
from scorer.sheet import FinalScore
from scorer.text import Language
from waymark.review.tableau.assess import Ground
from waymark.review.tableau.question_names import may_rest_on_answers
from webapp.games.house_rules import has_certainty
from webapp.games.market import not_bought, price_of
from webapp.games.score_sheet import (
    GameState,
    Transcript,
    current_round,
    entries_of,
    final_answer,
    first_to_finish,
    game_state,
    has_gaps,
    live_purchases,
    live_tableau,
    market_order,
    transcript,
)
from webapp.store.boxes import boxes_of, is_whole, rules_of, rules_of_entry, sure_from, with_usual
from webapp.store.database import not_found
from webapp.store.models import Entry, Game, GameRound, Purchase, Seat, Tableau
from webapp.store.tableaus import assessment_of, pending_assessment, pending_shot, score_of
from webapp.views import view

#: Progress of a player's photos: none, being read, unreadable, with questions, sure.
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
    """Score of the photo's ruling, for comparison with the score board: `scores` by column. The other fields
    are Map Masters' boxes under the names of version 1 of the API."""

    scores: dict[str, int | bool | None]
    primary_vp: int | UnsetType | None = UNSET
    secondary_vp: int | UnsetType | None = UNSET
    escaped: bool | UnsetType | None = UNSET
    coins_received: int | UnsetType = UNSET


class LateReading(msgspec.Struct, frozen=True, kw_only=True):
    """A photo's reading that differs from the stored score; `score` counts once a person accepts it. `sure`:
    the reading is certain."""

    shot_id: str
    photo_id: str
    sure: bool
    score: RuledScore


class EntryView(msgspec.Struct, frozen=True, kw_only=True):
    """A player's round. `scores` are its boxes by column, None until known; `terms` are held means.
    `coins_before`, `coins_spent` and `coins_after` are the coins before the market, spent in it, and after
    the round (below 0: inconsistent entries). `ruled` is the photo's score; `optimizers_found` are things on
    its path for use after the round. `time_bonus_seat` is the seat with the time bonus; `nobody_first`:
    stated that no player has it. `unpaid` are held things without a purchase. `as_said`: the photo's
    score is sure by what the player answered alone, `parted`: that lines of the path do not join. `late` is a
    photo's reading from after the game's end.
    The last fields are Map Masters' boxes and means under the names of version 1 of the API."""

    id: str
    seat_id: str
    round: int
    scores: dict[str, int | bool | None]
    terms: dict[str, Any]
    time_bonus: bool
    time_bonus_seat: str | None
    nobody_first: bool
    scored: bool
    typed: bool
    coins_before: int
    coins_spent: int
    coins_after: int
    optimizers_used: dict[str, int]
    optimizers_found: dict[str, int]
    purchases: list[PurchaseView]
    unpaid: list[HeldUnpaid]
    tableau_id: str | None
    photo_id: str | None
    state: TableauState
    as_said: bool
    parted: bool
    ruled: RuledScore | None
    late: LateReading | None
    primary_vp: int | UnsetType | None = UNSET
    secondary_vp: int | UnsetType | None = UNSET
    escaped: bool | UnsetType | None = UNSET
    coins_received: int | UnsetType = UNSET
    fairy_tokens: dict[str, int] | UnsetType = UNSET
    spellbooks: list[str] | UnsetType = UNSET


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the round's end, in the reader's language; `recorded`: done once the scores are entered."""

    key: str
    words: str
    done: bool
    recorded: bool


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round: `terms` are its objectives; `nobody_first`: stated that no player has the time bonus.
    `market_order` lists seats; `reminders` are for its start, `checklist` for its end. The last fields are
    Map Masters' objectives under the names of version 1 of the API."""

    number: int
    terms: dict[str, Any]
    hourglass: bool
    time_bonus_seat: str | None
    nobody_first: bool
    entries: list[EntryView]
    market_order: list[str]
    reminders: list[str]
    checklist: list[Step]
    primary: str | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET


class GameView(msgspec.Struct, frozen=True, kw_only=True):
    """A game with everything in it; `game` is the id of its rules. `certainty` is the least probability of a
    score that is called sure (None: its scores are not read from each player's cards). `score` is the score
    so far, in the order of `seats`, and `standing` the same in the form of the rules (`waymark-final/1`);
    `rounds_played` is the last round with a score, `current_round` the one to continue with. `gaps`: rounds
    up to that lack values of some player, so that there is no leader yet. `state` is open, finished, or
    given-up (ended without a result)."""

    id: str
    game: str
    version: int
    title: str
    location: str
    notes: str
    created_at: datetime
    finished_at: datetime | None
    state: GameState
    settings: dict[str, Any]
    certainty: float | None
    rounds_played: int
    current_round: int
    gaps: bool
    seats: list[SeatView]
    rounds: list[RoundView]
    score: FinalScore
    standing: Any
    coins: dict[str, int]


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list: `leaders` have rank 1 so far; empty while started rounds lack values. `game` is the
    word of its rules. `state` is open, finished or given-up."""

    id: str
    version: int
    title: str
    location: str
    created_at: datetime
    finished_at: datetime | None
    state: GameState
    seats: list[SeatView]
    leaders: list[str]
    rounds: int
    rounds_played: int
    current_round: int
    game: str


_ENTRIES = selectinload(Game.rounds).selectinload(GameRound.entries)
_EVERYTHING = (
    selectinload(Game.seats),
    _ENTRIES.selectinload(Entry.purchases),
    _ENTRIES.selectinload(Entry.tableau).selectinload(Tableau.shots),
)


def with_everything(games: Select[Game]) -> Select[Game]:
    """The query for games, with eager loading of all that `game_view` needs."""
    return games.options(*_EVERYTHING)


def load_game(session: Session, game_id: str) -> Game | None:
    """A game with everything in it; None where there is none."""
    return session.scalar(with_everything(select(Game).where(Game.id == game_id)))


def the_game(session: Session, game_id: str, *, deleted: bool = False) -> Game:
    """A game with everything in it. Raises `WaymarkError` (not-found), for deleted ones too unless
    `deleted` asks for them."""
    game = load_game(session, game_id)
    if game is None or (game.deleted_at is not None and not deleted):
        raise not_found()
    return game


def game_view(game: Game, catalogue: Catalogue, language: Language) -> GameView:
    """View of a game's current state in the reader's language."""
    rules, told = rules_of(game), transcript(game)
    entries: dict[tuple[int, str], EntryView] = {}
    coins: dict[str, int] = {}
    first = {round_.number: (first_to_finish(round_), round_.nobody_first) for round_ in game.rounds}
    for seat in game.seats:
        played = entries_of(game, seat)
        rows = told.played[len(coins)].rows
        held = rules.play.market.coins(rows) if rules.play.market is not None else (0,) * (len(rows) + 1)
        for number in range(1, len(played) + 1):
            entries[number, seat.id] = entry_view(
                catalogue, played, number, first=first[number], before=held[number - 1], after=held[number]
            )
        coins[seat.id] = held[-1]
    answer = final_answer(told)
    return view(
        GameView,
        game,
        state=game_state(game),
        settings=with_usual(rules, game.settings, "house"),
        certainty=sure_from(game) if has_certainty(rules) else None,
        rounds_played=told.rounds,
        current_round=current_round(game),
        gaps=has_gaps(game),
        seats=[seat_view(seat) for seat in game.seats],
        rounds=[
            round_view(round_, [entries[round_.number, seat.id] for seat in game.seats], told, language)
            for round_ in sorted(game.rounds, key=lambda each: each.number)
        ],
        score=rules.sheet.final(answer),
        standing=answer,
        coins=coins,
    )


def seat_view(seat: Seat) -> SeatView:
    """A seat as it is shown."""
    return view(SeatView, seat)


def round_view(
    round_: GameRound, entries: list[EntryView], told: Transcript, language: Language
) -> RoundView:
    """A round as it is shown; `told` is its game."""
    rules, house, seats = told.rules, told.house, round_.game.seats
    asked = with_usual(rules, round_.terms, "objective")
    return view(
        RoundView,
        round_,
        terms=asked,
        time_bonus_seat=first_to_finish(round_),
        entries=entries,
        market_order=[seats[place].id for place in market_order(told, round_.number)],
        reminders=[words.message(language) for words in rules.sheet.round_start(round_.number, house)],
        checklist=[
            Step(
                key=str(index),
                words=words.message(language),
                done=bool(round_.checklist.get(str(index))),
                recorded=words in rules.play.recorded_steps,
            )
            for index, words in enumerate(rules.sheet.round_end(round_.number, house))
        ],
        **rules.api.objectives(asked),
    )


def entry_view(
    catalogue: Catalogue,
    rounds: Sequence[Entry],
    number: int,
    *,
    first: tuple[str | None, bool],
    before: int,
    after: int,
) -> EntryView:
    """View of round `number` among a player's rounds, with the coins before and after it; `first` is the seat
    with the time bonus, and whether it was stated that no seat has it."""
    entry = rounds[number - 1]
    tableau = live_tableau(entry)
    purchases = live_purchases(entry)
    rules = rules_of_entry(entry)
    kept = tableau.ruling if tableau is not None else None
    ruling = msgspec.convert(kept, rules.rules.verdict_type) if kept is not None else None
    boxes, held = boxes_of(entry), with_usual(rules, entry.terms, "held")
    grounds = _rests_on(catalogue, tableau)
    return view(
        EntryView,
        entry,
        round=number,
        scores=boxes,
        terms=held,
        time_bonus_seat=first[0],
        nobody_first=first[1],
        scored=is_whole(entry),
        coins_before=before,
        coins_spent=sum(purchase.coins for purchase in purchases),
        coins_after=after,
        optimizers_found=rules.sheet.found_for_later(ruling) if ruling is not None else {},
        purchases=[purchase_view(purchase) for purchase in purchases],
        unpaid=[
            HeldUnpaid(kind=kind, what=what, coins=price_of(entry, kind, what))
            for kind, what in not_bought(rounds, number)
        ],
        tableau_id=tableau.id if tableau is not None else None,
        photo_id=photo_of(tableau),
        state=state_of(tableau),
        as_said=bool(grounds),
        parted="parted" in grounds,
        ruled=_ruled(entry, rules.sheet.row(ruling)) if ruling is not None else None,
        late=_late(catalogue, entry, tableau),
        **rules.api.boxes(boxes),
        **rules.api.held(held),
    )


def purchase_view(purchase: Purchase) -> PurchaseView:
    """A purchase as it is shown."""
    return view(PurchaseView, purchase)


def state_of(tableau: Tableau | None) -> TableauState:
    """Progress of a tableau."""
    if tableau is None:
        return "none"
    states = {shot.state for shot in tableau.shots if shot.deleted_at is None}
    if states & {"waiting", "running"}:
        return "reading"
    if tableau.record is not None:
        return "sure" if tableau.sure else "questions"
    return "failed" if states else "none"


def _rests_on(catalogue: Catalogue, tableau: Tableau | None) -> frozenset[Ground]:
    """What a sure score rests on that only the player's answers say."""
    session = object_session(tableau) if tableau is not None else None
    if session is None or tableau is None or not may_rest_on_answers(tableau.answered):
        return frozenset()
    stands = assessment_of(session, catalogue, tableau)
    return stands.as_said if stands is not None and stands.sure else frozenset()


def photo_of(tableau: Tableau | None) -> str | None:
    """The photo to show: the one in use, else the latest."""
    if tableau is None:
        return None
    shots = [shot for shot in tableau.shots if shot.deleted_at is None]
    used = [shot for shot in shots if shot.id == tableau.shot_id]
    return (used or shots)[-1].photo_id if shots else None


def _ruled(entry: Entry, row: dict[str, Any]) -> RuledScore:
    return RuledScore(scores=row, **rules_of_entry(entry).api.boxes(row))


def _late(catalogue: Catalogue, entry: Entry, tableau: Tableau | None) -> LateReading | None:
    """A photo's reading that waits beside the score; None where it equals the score board."""
    session = object_session(entry)
    if session is None or tableau is None or entry.typed:
        return None
    shot = pending_shot(session, tableau)
    then = pending_assessment(session, catalogue, shot) if shot is not None else None
    if shot is None or then is None:
        return None
    score = score_of(entry, then.ruling)
    if boxes_of(entry) == score:
        return None
    return LateReading(shot_id=shot.id, photo_id=shot.photo_id, sure=then.sure, score=_ruled(entry, score))
