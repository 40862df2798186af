"""Reminders at the start and the end of a round, in English and Japanese."""

from __future__ import annotations

from scorer.mapmasters.rules.game_record import ROUNDS, START_COINS
from scorer.mapmasters.rules.settings import HOUSE, VersusSettings
from scorer.text import Text

#: After this round the market is discarded and laid out anew.
MARKET_REPLACED_AFTER = 3

_START = Text("In the first round, everyone takes {start_coins} coins.", start_coins=START_COINS)

_FIRST_PLAYER: dict[str, Text] = {
    "youngest": Text("The youngest player buys first."),
    "random": Text("Draw lots for who buys first."),
}

_FEWEST_COINS = Text(
    "The player with the fewest coins buys first; a tie goes to who scored less in the last round."
)

_TIMER = Text("Exploration takes {minutes} minutes at most.")

#: What the score sheet holds once it is filled in.
RECORDED_STEPS: tuple[Text, ...] = (
    Text("Write down the primary objective's points."),
    Text(
        "With an hourglass on the primary objective, the first to finish circles the time bonus; the others "
        "strike it out."
    ),
    Text("Turn up the secondary objective and write down its points."),
    Text("Tick the escape box if the path left the dungeon."),
)

_REMINDERS: tuple[Text, ...] = (
    Text("Return all fairy tokens, used or not."),
    Text("Take the coins on the path from the bank."),
    *RECORDED_STEPS,
)

_NOT_AFTER_THE_LAST: tuple[Text, ...] = (
    Text("Turn up the next round's primary objective."),
    Text("Use the recycling signs and scissors that were found."),
    Text("Wipe the cards and discard them."),
    Text("Turn used spellbooks face up again."),
)

_MARKET = Text("Discard the cards left in the market and lay out new ones.")

_SCORE = Text("Add up the score sheets.")


def round_start_reminders(number: int, settings: VersusSettings = HOUSE) -> tuple[Text, ...]:
    """Reminders for the start of round `number` (from 1), in order."""
    market = (_START, _FIRST_PLAYER[settings.first_player]) if number == 1 else (_FEWEST_COINS,)
    if settings.exploration_minutes is None:
        return market
    minutes = settings.exploration_minutes
    return (*market, _TIMER.filled(minutes=minutes))


def round_end_reminders(number: int) -> tuple[Text, ...]:
    """Reminders for the end of round `number` (from 1), in order."""
    if number >= ROUNDS:
        return (*_REMINDERS, _SCORE)
    market = (_MARKET,) if number == MARKET_REPLACED_AFTER else ()
    return (*_REMINDERS, *_NOT_AFTER_THE_LAST, *market)
