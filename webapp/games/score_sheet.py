"""A game as its score board has it: rounds, books of coins, market order, standing.

Nothing is changed here, and nothing computed that `scorer.mapmasters` computes: the game is put into the
scorer's form, and the scorer answers."""

from __future__ import annotations

from itertools import takewhile

from scorer.errors import Code, WaymarkError
from scorer.mapmasters import score_sheet as scorer_game
from scorer.mapmasters.score_sheet import GAME_FORMAT, ROUNDS, Final, coins_held
from scorer.mapmasters.settings import VersusSettings
from webapp.store.models import Entry, Game, GameRound, Purchase, Seat, Tableau
from webapp.store.tableaus import game_settings


def round_numbered(game: Game, number: int) -> GameRound:
    """One of the game's six rounds. Raises `WaymarkError` (bad-round)."""
    for round_ in game.rounds:
        if round_.number == number:
            return round_
    raise WaymarkError(
        Code.BAD_ROUND,
        f"A game has rounds 1 to {ROUNDS}, not {number}; choose one of them.",
        f"ラウンドは 1 から {ROUNDS} までで、{number} はありません。この中から選んでください。",
    )


def entry_at(round_: GameRound, seat_id: str) -> Entry:
    """A player's entry of a round. Raises `WaymarkError` (bad-seat)."""
    for entry in round_.entries:
        if entry.seat_id == seat_id:
            return entry
    raise WaymarkError(
        Code.BAD_SEAT,
        "This player does not sit at this game; load the page again.",
        "このゲームにそのプレイヤーはいません。ページを読み込み直してください。",
    )


def first_to_finish(round_: GameRound) -> str | None:
    """The seat that has the round's time bonus."""
    return next((entry.seat_id for entry in round_.entries if entry.time_bonus), None)


def live_tableau(entry: Entry) -> Tableau | None:
    """The entry's tableau, unless there is none or it is deleted."""
    tableau = entry.tableau
    return tableau if tableau is not None and tableau.deleted_at is None else None


def live_purchases(entry: Entry) -> list[Purchase]:
    """What was bought and not taken back, in order."""
    return [purchase for purchase in entry.purchases if purchase.deleted_at is None]


def is_begun(entry: Entry) -> bool:
    """Whether the player's round has a score or a photo."""
    scored = (entry.primary_vp, entry.secondary_vp, entry.escaped) != (None, None, None)
    return scored or entry.typed or live_tableau(entry) is not None


def next_up(entry: Entry) -> Entry | None:
    """Whose photo is taken next: the first player after this one, clockwise, who has no photo and no score of
    the round yet."""
    entries = entry.round.entries
    here = entries.index(entry)
    return next((each for each in entries[here + 1 :] + entries[:here] if not is_begun(each)), None)


def is_scored(entry: Entry) -> bool:
    """Whether nothing of the player's round is missing."""
    return None not in (entry.primary_vp, entry.secondary_vp, entry.escaped)


def coins_for_market(entry: Entry) -> int | None:
    """What the player still holds for the market of this round; None where an earlier round may have brought
    coins that are not known yet: nothing is written down, and no photo is read for sure."""
    game = entry.round.game
    earlier = entries_of(game, entry.seat)[: entry.round.number - 1]
    for each in earlier:
        tableau = live_tableau(each)
        if not each.typed and (tableau is None or not tableau.sure):
            return None
    settings = game_settings(game.settings)
    spent = sum(purchase.coins for purchase in live_purchases(entry))
    return coins_held([to_round(each, settings) for each in earlier]) - spent


def rounds_played(game: Game) -> int:
    """The last round in which anybody has anything on the score board; 0 before that."""
    return max(
        (
            round_.number
            for round_ in game.rounds
            for entry in round_.entries
            if entry.time_bonus or (entry.primary_vp, entry.secondary_vp, entry.escaped) != (None, None, None)
        ),
        default=0,
    )


def has_gaps(game: Game) -> bool:
    """Whether a round that somebody has is not written down whole for everybody."""
    played = rounds_played(game)
    return any(
        not is_scored(entry) for round_ in game.rounds if round_.number <= played for entry in round_.entries
    )


def current_round(game: Game) -> int:
    """The round that is being played: the last of those that were begun one after the other, or the next one
    where that is scored for everybody. No round is skipped that nothing was done in: objectives of a later
    one may have been chosen by mistake."""
    rounds = sorted(game.rounds, key=lambda each: each.number)
    begun = list(takewhile(_is_under_way, rounds))
    if not begun:
        return 1
    done = all(is_scored(entry) for entry in begun[-1].entries)
    return min(len(begun) + done, ROUNDS)


def _is_under_way(round_: GameRound) -> bool:
    chosen = round_.primary is not None
    return chosen or any(is_begun(entry) or live_purchases(entry) for entry in round_.entries)


def entries_of(game: Game, seat: Seat) -> list[Entry]:
    """A player's rounds, in order."""
    return [entry_at(round_, seat.id) for round_ in sorted(game.rounds, key=lambda each: each.number)]


def to_round(entry: Entry, settings: VersusSettings) -> scorer_game.Round:
    """A player's round as the scorer takes it; what is not known yet is 0."""
    return scorer_game.Round(
        primary=entry.primary_vp or 0,
        secondary=entry.secondary_vp or 0,
        time_bonus=settings.time_bonus_vp if entry.time_bonus else 0,
        escaped=bool(entry.escaped),
        coins_received=entry.coins_received,
        coins_spent=sum(purchase.coins for purchase in live_purchases(entry)),
        fairy_tokens=entry.fairy_tokens,
        spellbooks=tuple(entry.spellbooks),
        optimizers_used=entry.optimizers_used,
    )


def to_game_record(game: Game, *, rounds: int | None = None) -> scorer_game.Game:
    """The game in the scorer's form: as played so far, or as it stood after `rounds`."""
    settings = game_settings(game.settings)
    shown = rounds_played(game) if rounds is None else rounds
    players = []
    for seat in game.seats:
        entries = [to_round(entry, settings) for entry in entries_of(game, seat)]
        counted = entries if rounds is None else entries[:rounds]
        players.append(
            scorer_game.Player(
                name=seat.name, coins_left=max(0, coins_held(counted)), rounds=tuple(entries[:shown])
            )
        )
    return scorer_game.Game(format=GAME_FORMAT, players=tuple(players))


def standing(game: Game) -> Final:
    """The score so far, or the final one."""
    return scorer_game.final_score(to_game_record(game), game_settings(game.settings))


def market_order(game: Game, number: int) -> list[Seat]:
    """Who buys in which turn of round `number`."""
    by_name = {seat.name: seat for seat in game.seats}
    return [by_name[name] for name in scorer_game.market_order(to_game_record(game, rounds=number - 1))]
