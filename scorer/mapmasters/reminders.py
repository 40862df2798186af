"""Reminders at the start and the end of a round, in English and Japanese."""

from __future__ import annotations

from scorer.mapmasters.game_record import ROUNDS, START_COINS
from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.text import Text

#: After this round the market is discarded and laid out anew.
MARKET_REPLACED_AFTER = 3

_START = Text(
    f"In the first round, everyone takes {START_COINS} coins.",
    f"最初のラウンドでは、各プレイヤーが {START_COINS} コインを受け取ります。",
)

_FIRST_PLAYER: dict[str, Text] = {
    "youngest": Text("The youngest player buys first.", "最年少のプレイヤーから買い物をします。"),
    "random": Text("Draw lots for who buys first.", "最初に買い物をするプレイヤーをくじで決めます。"),
}

_FEWEST_COINS = Text(
    "The player with the fewest coins buys first; a tie goes to who scored less in the last round.",
    "コインが最も少ないプレイヤーから買い物をします。同数なら、前のラウンドの得点が少ない人からです。",
)

_TIMER = Text(
    "Exploration takes {minutes} minutes at most.",
    "探索フェーズの制限時間は {minutes} 分です。",
)

_REMINDERS: tuple[Text, ...] = (
    Text("Return all fairy tokens, used or not.", "フェアリートークンは、使っていなくてもすべて戻します。"),
    Text("Take the coins on the path from the bank.", "経路にあるコインを銀行から受け取ります。"),
    Text("Write down the primary objective's points.", "主目標の点数を記入します。"),
    Text(
        "With an hourglass on the primary objective, the first to finish circles the time bonus; the others "
        "strike it out.",
        "主目標に砂時計があれば、最初に完了した人がタイムボーナスに丸を付け、ほかの人は取り消し線を引きます。",
    ),
    Text("Turn up the secondary objective and write down its points.", "副目標を公開し、点数を記入します。"),
    Text(
        "Tick the escape box if the path left the dungeon.",
        "ダンジョンから出た人は脱出ボックスにチェックを入れます。",
    ),
)

_NOT_AFTER_THE_LAST: tuple[Text, ...] = (
    Text("Turn up the next round's primary objective.", "次のラウンドの主目標を公開します。"),
    Text("Use the recycling signs and scissors that were found.", "見つけたリサイクルとはさみを使います。"),
    Text("Wipe the cards and discard them.", "カードの線を消して捨て札にします。"),
    Text("Turn used spellbooks face up again.", "使った魔導書を表向きに戻します。"),
)

_MARKET = Text(
    "Discard the cards left in the market and lay out new ones.",
    "マーケットに残ったカードをすべて捨て、新しく並べます。",
)

_SCORE = Text("Add up the score sheets.", "スコアボードを集計します。")


def round_start_reminders(number: int, settings: VersusSettings = HOUSE) -> tuple[Text, ...]:
    """Reminders for the start of round `number` (from 1), in order."""
    market = (_START, _FIRST_PLAYER[settings.first_player]) if number == 1 else (_FEWEST_COINS,)
    if settings.exploration_minutes is None:
        return market
    minutes = settings.exploration_minutes
    return (*market, Text(_TIMER.en.format(minutes=minutes), _TIMER.ja.format(minutes=minutes)))


def round_end_reminders(number: int) -> tuple[Text, ...]:
    """Reminders for the end of round `number` (from 1), in order."""
    if number >= ROUNDS:
        return (*_REMINDERS, _SCORE)
    market = (_MARKET,) if number == MARKET_REPLACED_AFTER else ()
    return (*_REMINDERS, *_NOT_AFTER_THE_LAST, *market)
