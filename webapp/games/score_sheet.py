"""Score sheet of a game: rounds, coin books, market order, standing.

Nothing is changed here, and nothing computed that the game's rules compute: the game is put into their form,
and they answer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.game import Game as Rules
from scorer.sheet import FinalScore, Played
from scorer.text import Text
from webapp.store.boxes import house_terms, is_blank, is_whole, rules_of, rules_of_entry
from webapp.store.models import Entry, Game, GameRound, Purchase, Seat, Tableau

#: State of a game.
GameState = Literal["open", "finished", "given-up"]


def round_numbered(game: Game, number: int) -> GameRound:
    """The round with a number. Raises `WaymarkError` (bad-round)."""
    for round_ in game.rounds:
        if round_.number == number:
            return round_
    raise WaymarkError(
        Code.BAD_ROUND,
        Text(
            "A game has rounds 1 to {count}, not {number}; choose one of them.",
            count=len(game.rounds),
            number=number,
        ),
    )


def entry_at(round_: GameRound, seat_id: str) -> Entry:
    """A player's entry of a round. Raises `WaymarkError` (bad-seat)."""
    for entry in round_.entries:
        if entry.seat_id == seat_id:
            return entry
    raise WaymarkError(Code.BAD_SEAT, Text("This player does not sit at this game; load the page again."))


def first_to_finish(round_: GameRound) -> str | None:
    """Seat id of the player with the round's time bonus; None if it is open."""
    return next((entry.seat_id for entry in round_.entries if entry.time_bonus), None)


def live_tableau(entry: Entry) -> Tableau | None:
    """The entry's tableau; None where it is missing or deleted."""
    tableau = entry.tableau
    return tableau if tableau is not None and tableau.deleted_at is None else None


def live_purchases(entry: Entry) -> list[Purchase]:
    """Purchases that were not withdrawn, in order."""
    return [purchase for purchase in entry.purchases if purchase.deleted_at is None]


def is_begun(entry: Entry) -> bool:
    """Whether the player's round has a score or a photo."""
    return not is_blank(entry) or entry.typed or live_tableau(entry) is not None


def next_up(entry: Entry) -> Entry | None:
    """The entry to photograph next: the next player clockwise without a photo and a score in the round."""
    entries = entry.round.entries
    here = entries.index(entry)
    return next((each for each in entries[here + 1 :] + entries[:here] if not is_begun(each)), None)


def coins_for_market(entry: Entry) -> int | None:
    """Number of coins that the player can spend in this round's market. None where the coins of an earlier
    round are unknown: no score is written, and no photo was read with certainty."""
    game, market = entry.round.game, rules_of_entry(entry).play.market
    if market is None:
        return None
    earlier = entries_of(game, entry.seat)[: entry.round.number - 1]
    for each in earlier:
        tableau = live_tableau(each)
        if not each.typed and (tableau is None or not tableau.sure):
            return None
    spent = sum(purchase.coins for purchase in live_purchases(entry))
    return market.coins([row_of(each) for each in earlier])[-1] - spent


def rounds_played(game: Game) -> int:
    """Number of the last round with any value on the score board; 0 if there is none."""
    return max(
        (
            round_.number
            for round_ in game.rounds
            for entry in round_.entries
            if entry.time_bonus or not is_blank(entry)
        ),
        default=0,
    )


def has_gaps(game: Game) -> bool:
    """Whether a started round lacks values of some player."""
    played = rounds_played(game)
    return any(
        not is_whole(entry) for round_ in game.rounds if round_.number <= played for entry in round_.entries
    )


def is_written_down(game: Game) -> bool:
    """Whether all rounds have all values of all players."""
    return rounds_played(game) == len(game.rounds) and all(
        is_whole(entry) for round_ in game.rounds for entry in round_.entries
    )


def game_state(game: Game) -> GameState:
    """Whether a game is open, finished or given up. It is finished if the table ended it, after any number of
    rounds, or entered all of its rounds."""
    if game.finished_at is not None:
        return "given-up" if game.given_up else "finished"
    return "finished" if is_written_down(game) else "open"


def has_result(game: Game) -> bool:
    """Whether a game has a winner: it is finished, with at least one round, and no played round is
    incomplete. Only such games enter statistics."""
    return game_state(game) == "finished" and rounds_played(game) > 0 and not has_gaps(game)


def current_round(game: Game) -> int:
    """The current round: the last of the rounds that were begun one after the other, or the next one if that
    is scored for all players. No untouched round is skipped, since objectives of a later one may have been
    chosen by mistake."""
    rounds = sorted(game.rounds, key=lambda each: each.number)
    begun = list(takewhile(_is_under_way, rounds))
    if not begun:
        return 1
    done = all(is_whole(entry) for entry in begun[-1].entries)
    return min(len(begun) + done, len(rounds))


def _is_under_way(round_: GameRound) -> bool:
    return first_objective(round_) is not None or any(
        is_begun(entry) or live_purchases(entry) for entry in round_.entries
    )


def entries_of(game: Game, seat: Seat) -> list[Entry]:
    """A player's entries in the order of rounds."""
    return [entry_at(round_, seat.id) for round_ in sorted(game.rounds, key=lambda each: each.number)]


def first_objective(round_: GameRound) -> Any:
    """The round's first objective; None while it is not chosen."""
    objectives = [term.id for term in rules_of(round_.game).rules.settings.terms if term.group == "objective"]
    return round_.terms.get(objectives[0]) if objectives else None


def row_of(entry: Entry) -> dict[str, Any]:
    """An entry in the form of the game's rules: its boxes, terms, and coins spent."""
    rules = rules_of_entry(entry)
    people = [column.id for column in rules.sheet.columns if column.once]
    row = {**entry.scores, **{column: entry.time_bonus for column in people}}
    if rules.play.market is None:
        return row
    spent = sum(purchase.coins for purchase in live_purchases(entry))
    return {**row, **entry.terms, "coins_spent": spent, "optimizers_used": entry.optimizers_used}


@dataclass(frozen=True)
class Transcript:
    """A game in the form of its rules: all players' rounds in seating order, the house rules, and the number
    of rounds played."""

    rules: Rules
    played: tuple[Played, ...]
    house: Any
    rounds: int


def transcript(game: Game) -> Transcript:
    """A game converted to the form of its rules."""
    played = tuple(
        Played(seat.name, tuple(row_of(entry) for entry in entries_of(game, seat))) for seat in game.seats
    )
    return Transcript(rules_of(game), played, house_terms(game), rounds_played(game))


def to_game_record(told: Transcript) -> msgspec.Struct:
    """Record of the game as played so far, in the game's file format."""
    return told.rules.sheet.game_file(told.played, told.house, told.rounds)


def final_answer(told: Transcript) -> msgspec.Struct:
    """The current or final score in the rules' output format."""
    return told.rules.sheet.final_answer(to_game_record(told), told.house)


def standing(told: Transcript) -> FinalScore:
    """The current or final score in the form shown to people."""
    return told.rules.sheet.final(final_answer(told))


def market_order(told: Transcript, number: int) -> list[int]:
    """Seat indices in the order of buying in round `number`; seating order in a game without a market."""
    names = [player.name for player in told.played]
    if told.rules.play.market is None:
        return list(range(len(names)))
    before = [Played(player.name, player.rows[: number - 1]) for player in told.played]
    return [names.index(name) for name in told.rules.play.market.order(before, told.house)]
