"""The game of six rounds: final score, market order, and what to do at a round's end (docs/FORMATS.md,
section 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

import msgspec

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.json_faults import json_fault, wrong_format
from scorer.mapmasters.objectives import OPTIMIZERS
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.mapmasters.terms import PRESETS, Terms
from scorer.sheet import Column, FinalRow, FinalScore, Note, Played, Preset, Row
from scorer.text import Text

GAME_FORMAT = "waymark-game/1"
FINAL_FORMAT = "waymark-final/1"

ROUNDS = 6
#: Players of a versus game; alone one plays a cooperative mission.
MIN_PLAYERS = 2
MAX_PLAYERS = 5
#: What everyone starts with.
START_COINS = 6
#: After this round the market is discarded and laid out anew.
MARKET_REPLACED_AFTER = 3
_COINS_PER_VP = 3
#: Points of a round and coins of a game stay far below: whoever wrote more wrote something else.
_MAX_COUNT = 9_999

DecidedBy = Literal["total", "secondary", "shared"]


class Round(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One player's round. `primary`, `secondary` and `time_bonus` are victory points; `secondary` is not
    halved here. The later fields keep the books of the round and do not enter the score.
    """

    primary: int = 0
    secondary: int = 0
    time_bonus: int = 0
    escaped: bool = False
    coins_received: int = 0
    coins_spent: int = 0
    fairy_tokens: dict[str, int] = {}
    spellbooks: tuple[str, ...] = ()
    optimizers_used: dict[str, int] = {}


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A player at the table, in seating order."""

    name: str
    coins_left: int = 0
    rounds: tuple[Round, ...] = ()


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A versus game, whole or under way."""

    format: str
    players: tuple[Player, ...]
    mode: str = "versus"


class FinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's columns: `secondary` is halved, `coins` and `escape_bonus` are victory points."""

    name: str
    primary: int
    secondary: int
    time_bonus: int
    escape_bonus: int
    coins: int
    total: int
    rank: int


class Final(msgspec.Struct, frozen=True, kw_only=True):
    """The final score, or the standing so far. Players stand as in the game; equal players share a rank;
    `rounds` is how many were played.
    """

    players: tuple[FinalPlayer, ...]
    winners: tuple[str, ...]
    decided_by: DecidedBy
    rounds: int
    format: str = FINAL_FORMAT


def parse_games(data: bytes | str) -> Game | tuple[Game, ...]:
    """Read a game, or a list of games as the web app exports them. Raises `WaymarkError` (not-a-game)."""
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    if not text.lstrip().startswith("["):
        return parse_game(data)
    try:
        listed = msgspec.json.decode(data, type=tuple[msgspec.Raw, ...])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return parse_game(data)  # which says what is wrong with it
    if not listed:
        raise _not_a_game(Text("it is an empty list", "空の一覧です"))
    return tuple(parse_game(bytes(game)) for game in listed)


def parse_game(data: bytes | str) -> Game:
    """Read a game from JSON text. Raises `WaymarkError` (not-a-game)."""
    try:
        game = msgspec.json.decode(data, type=Game)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _not_a_game(json_fault(error, data)) from error
    if game.format != GAME_FORMAT:
        raise _not_a_game(wrong_format(game.format, GAME_FORMAT))
    if game.mode != "versus":
        raise _not_a_game(
            Text(
                f"mode is {game.mode!r}, only 'versus' has a final score",
                f"mode が {game.mode!r} で、得点を集計するのは 'versus' だけです",
            )
        )
    if not game.players:
        raise _not_a_game(Text("it has no players", "プレイヤーがいません"))
    for player in game.players:
        if len(player.rounds) > ROUNDS:
            raise _not_a_game(
                Text(
                    f"{player.name!r} has {len(player.rounds)} rounds, a game has {ROUNDS}",
                    f"{player.name!r} のラウンドが {len(player.rounds)} あり、ゲームは {ROUNDS} ラウンドです",
                )
            )
        points = [player.coins_left]
        points += [
            value for each in player.rounds for value in (each.primary, each.secondary, each.time_bonus)
        ]
        if min(points) < 0:
            raise _not_a_game(
                Text(f"{player.name!r} has a count below 0", f"{player.name!r} に 0 より小さい数があります")
            )
        if max(points) > _MAX_COUNT:
            raise _not_a_game(
                Text(
                    f"{player.name!r} has a count above {_MAX_COUNT}",
                    f"{player.name!r} に {_MAX_COUNT} より大きい数があります",
                )
            )
    return game


def final_score(game: Game, settings: VersusSettings = HOUSE) -> Final:
    """Columns, bonuses, ranks and winners. Ties in the total go to the higher whole secondary column, then
    are shared.
    """
    bonuses = escape_bonuses(
        [sum(each.escaped for each in player.rounds) for player in game.players], settings
    )
    columns: list[tuple[Player, int, int, int, int, int]] = []
    standings: list[tuple[int, int]] = []
    for player, bonus in zip(game.players, bonuses, strict=True):
        primary = sum(each.primary for each in player.rounds)
        whole_secondary = sum(each.secondary for each in player.rounds)
        time_bonus = sum(each.time_bonus for each in player.rounds)
        coins = player.coins_left // _COINS_PER_VP
        total = primary + whole_secondary // 2 + time_bonus + bonus + coins
        columns.append((player, primary, whole_secondary // 2, time_bonus, bonus, coins))
        standings.append((total, whole_secondary))
    players = tuple(
        FinalPlayer(
            name=player.name,
            primary=primary,
            secondary=secondary,
            time_bonus=time_bonus,
            escape_bonus=bonus,
            coins=coins,
            total=standing[0],
            rank=1 + sum(other > standing for other in standings),
        )
        for (player, primary, secondary, time_bonus, bonus, coins), standing in zip(
            columns, standings, strict=True
        )
    )
    winners = tuple(player.name for player in players if player.rank == 1)
    best_total = max(player.total for player in players)
    decided_by: DecidedBy = "total"
    if len(winners) > 1:
        decided_by = "shared"
    elif sum(player.total == best_total for player in players) > 1:
        decided_by = "secondary"
    return Final(
        players=players,
        winners=winners,
        decided_by=decided_by,
        rounds=max(len(player.rounds) for player in game.players),
    )


def escape_bonuses(boxes: Sequence[int], settings: VersusSettings = HOUSE) -> tuple[int, ...]:
    """Victory points for each player's number of escape boxes: 2 for the most, 1 for the next lower
    number.
    """
    counted = {count for count in boxes if count > 0 or settings.escape_bonus_for_no_boxes}
    worth = dict(zip(sorted(counted, reverse=True), (2, 1), strict=False))
    return tuple(worth.get(count, 0) for count in boxes)


def market_order(game: Game, first: int = 0) -> tuple[str, ...]:
    """Who buys in which turn of the next round: first the player with the fewest coins (tie: fewer victory
    points in the last round, then the earlier seat), then clockwise. In round 1 the player at seat `first`
    begins, whom people find as `round_start_reminders` says.
    """

    def key(seat: int) -> tuple[int, int, int]:
        player = game.players[seat]
        last = player.rounds[-1] if player.rounds else Round()
        return player.coins_left, last.primary + last.secondary + last.time_bonus, seat

    names = [player.name for player in game.players]
    if any(player.rounds for player in game.players):
        first = min(range(len(names)), key=key)
    return tuple(names[first:] + names[:first])


def coins_held(rounds: Sequence[Round]) -> tuple[int, ...]:
    """The coins that a player has by the books at the start and after each of `rounds`: those received come,
    those spent go.
    """
    return tuple(accumulate((each.coins_received - each.coins_spent for each in rounds), initial=START_COINS))


def round_of(
    ruling: Ruling,
    *,
    time_bonus: bool = False,
    coins_spent: int = 0,
    fairy_tokens: dict[str, int] | None = None,
    spellbooks: Sequence[str] = (),
    optimizers_used: dict[str, int] | None = None,
    settings: VersusSettings = HOUSE,
) -> Round:
    """The round that a ruling is worth to its player."""
    return Round(
        primary=ruling.primary.vp if ruling.primary is not None else 0,
        secondary=ruling.secondary.vp if ruling.secondary is not None else 0,
        time_bonus=settings.time_bonus_vp if time_bonus else 0,
        escaped=ruling.escaped,
        coins_received=ruling.coins,
        coins_spent=coins_spent,
        fairy_tokens=fairy_tokens or {},
        spellbooks=tuple(spellbooks),
        optimizers_used=optimizers_used or {},
    )


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
    """What to mind at the start of round `number` (from 1), in order."""
    market = (_START, _FIRST_PLAYER[settings.first_player]) if number == 1 else (_FEWEST_COINS,)
    if settings.exploration_minutes is None:
        return market
    minutes = settings.exploration_minutes
    return (*market, Text(_TIMER.en.format(minutes=minutes), _TIMER.ja.format(minutes=minutes)))


def round_end_reminders(number: int) -> tuple[Text, ...]:
    """What to do at the end of round `number` (from 1), in order."""
    if number >= ROUNDS:
        return (*_REMINDERS, _SCORE)
    market = (_MARKET,) if number == MARKET_REPLACED_AFTER else ()
    return (*_REMINDERS, *_NOT_AFTER_THE_LAST, *market)


_WON: dict[DecidedBy, Text] = {
    "total": Text("{winners} wins with {total} VP.", "{winners}が {total} 点で勝ちました。"),
    "secondary": Text(
        "{winners} wins: the totals are tied at {total} VP, and the higher secondary column decides.",
        "合計は {total} 点で同点ですが、副目標の得点が高い{winners}の勝ちです。",
    ),
    "shared": Text(
        "{winners} share the win: {total} VP each, and equal secondary columns.",
        "{winners}が勝利を分け合います。合計 {total} 点も副目標の得点も同じです。",
    ),
}
_LEADS: dict[DecidedBy, Text] = {
    "total": Text("{winners} leads with {total} VP.", "{winners}が {total} 点で首位です。"),
    "secondary": Text(
        "{winners} leads: the totals are tied at {total} VP, and the higher secondary column decides.",
        "合計は {total} 点で同点ですが、副目標の得点が高い{winners}が首位です。",
    ),
    "shared": Text(
        "{winners} share the lead: {total} VP each, and equal secondary columns.",
        "{winners}が首位で並んでいます。合計 {total} 点も副目標の得点も同じです。",
    ),
}


def played_game(players: Sequence[Played], terms: Terms, rounds: int | None = None) -> Game:
    """The game of players' rows, of which `rounds` count; in the books all do."""
    return Game(
        format=GAME_FORMAT,
        players=tuple(
            Player(
                name=player.name,
                coins_left=max(0, coins_held(made)[-1]),
                rounds=tuple(made if rounds is None else made[:rounds]),
            )
            for player in players
            for made in [[_round(row, terms.settings) for row in player.rows]]
        ),
    )


def _round(row: Row, settings: VersusSettings) -> Round:
    """A row of the sheet; what is not known yet is 0, a ticked time bonus what the house says."""
    values = {column: value for column, value in row.items() if value is not None}
    if values.get("time_bonus") is True:
        values["time_bonus"] = settings.time_bonus_vp
    return msgspec.convert({**values, "time_bonus": int(values.get("time_bonus", 0))}, Round)


def shown_final(final: Final) -> FinalScore:
    """A final score as people are told it."""
    total = max(player.total for player in final.players)
    won, leads = _WON[final.decided_by], _LEADS[final.decided_by]
    en, ja = ", ".join(final.winners), "、".join(final.winners)
    return FinalScore(
        players=tuple(
            FinalRow(
                player.name,
                {column.id: getattr(player, column.id) for column in _FINAL_COLUMNS},
                player.total,
                player.rank,
            )
            for player in final.players
        ),
        winners=final.winners,
        decided_by=final.decided_by,
        rounds=final.rounds,
        won=Text(won.en.format(winners=en, total=total), won.ja.format(winners=ja, total=total)),
        leads=Text(leads.en.format(winners=en, total=total), leads.ja.format(winners=ja, total=total)),
    )


_COLUMNS = (
    Column(
        "primary",
        Text("Primary objective", "主目標"),
        ink="primary",
        short=Text("primary", "主目標"),
        told=Text("primary objective", "主目標"),
    ),
    Column(
        "secondary",
        Text("Secondary (not halved)", "副目標(半分にする前)"),
        ink="secondary",
        short=Text("secondary", "副目標"),
        told=Text("secondary objective", "副目標"),
        weight=0.5,
    ),
    Column(
        "time_bonus",
        Text("Time bonus", "タイムボーナス"),
        "tick",
        "people",
        ink="time",
        icon="hourglass",
        short=Text("time bonus", "タイムボーナス"),
        told=Text("time bonus", "タイムボーナス"),
        once=True,
        worth="time_bonus_vp",
    ),
    Column(
        "escaped",
        Text("Escape box", "脱出ボックス"),
        "tick",
        ink="escape",
        icon="escape",
        short=Text("escape", "脱出"),
        ticks=(
            Text("escaped", "脱出"),
            Text("not escaped", "脱出せず"),
            Text("escape not known yet", "脱出が未定"),
        ),
        choices=(Text("Escaped", "脱出した"), Text("Not escaped", "脱出せず")),
        statistic=Text("Escapes", "脱出"),
        weight=0.5,
    ),
    Column(
        "coins_received",
        Text("Coins found on the path", "経路で得たコイン"),
        "count",
        ink="coins",
        icon="coin",
        short=Text("coins", "コイン"),
        told=Text("coins found", "経路のコイン"),
        boxed=False,
        statistic=Text("Coins received per game", "1 ゲームの獲得コイン"),
        weight=0.01,
    ),
)
_FINAL_COLUMNS = (
    Column("primary", Text("Primary", "主目標"), ink="primary", short=Text("primary", "主目標")),
    Column(
        "secondary",
        Text("Secondary ÷ 2", "副目標 ÷2"),
        ink="secondary",
        short=Text("secondary / 2", "副目標÷2"),
    ),
    Column(
        "time_bonus",
        Text("Time bonus", "タイムボーナス"),
        ink="time",
        short=Text("time bonus", "タイムボーナス"),
    ),
    Column(
        "escape_bonus",
        Text("Escape bonus", "脱出ボーナス"),
        ink="escape",
        short=Text("escape bonus", "脱出ボーナス"),
    ),
    Column("coins", Text("Coins ÷ 3", "コイン ÷3"), ink="coins", short=Text("coins / 3", "コイン÷3")),
)
#: The box's five colours.
_COLOURS = {
    "red": Text("Red", "赤"),
    "blue": Text("Blue", "青"),
    "green": Text("Green", "緑"),
    "yellow": Text("Yellow", "黄"),
    "purple": Text("Purple", "紫"),
}


_BY_OBJECTIVE = Text(
    "As written down: the secondary objective's points are not halved here.",
    "記入どおりの点数です。副目標も半分にしていません。",
)
_TIES = Text(
    "Equal totals are ranked by the whole secondary column; where that is equal, too, the rank is shared.",
    "合計が同じときは副目標の合計 (半分にする前) が高いほうが上です。それも同じなら同じ順位です。",
)


def _escape_why(escapes: int, bonus: int) -> Text:
    if bonus == 2:
        return Text("most escapes", "脱出回数が最多")
    if bonus == 1:
        return Text("second most escapes", "脱出回数が 2 番目")
    return Text("no escape", "脱出なし") if escapes == 0 else Text("fewer escapes", "3 番目以下")


@dataclass(frozen=True)
class VersusSheet:
    """`scorer.sheet.Sheet`: six rounds of four boxes, and coins."""

    columns: tuple[Column, ...] = _COLUMNS
    final_columns: tuple[Column, ...] = _FINAL_COLUMNS
    rounds: int = ROUNDS
    least_players: int = MIN_PLAYERS
    most_players: int = MAX_PLAYERS
    colours: Mapping[str, Text] = field(default_factory=lambda: _COLOURS)
    presets: tuple[Preset, ...] = PRESETS
    ties: Text = _TIES
    by_objective: Text = _BY_OBJECTIVE
    for_later: tuple[str, ...] = OPTIMIZERS

    def row(self, verdict: Ruling) -> dict[str, Any]:
        return {
            "primary": verdict.primary.vp if verdict.primary is not None else None,
            "secondary": verdict.secondary.vp if verdict.secondary is not None else None,
            "escaped": verdict.escaped,
            "coins_received": verdict.coins,
        }

    def game_file(self, players: Sequence[Played], terms: Terms, rounds: int | None = None) -> Game:
        return played_game(players, terms, rounds)

    def parse_games(self, data: bytes) -> Game | tuple[Game, ...]:
        return parse_games(data)

    def final_answer(self, game: Game, terms: Terms, catalogue: Catalogue | None = None) -> Final:
        return final_score(game, terms.settings)

    def final(self, answer: Final) -> FinalScore:
        return shown_final(answer)

    def round_start(self, number: int, terms: Terms) -> tuple[Text, ...]:
        return round_start_reminders(number, terms.settings)

    def round_end(self, number: int, terms: Terms) -> tuple[Text, ...]:
        return round_end_reminders(number)

    def notes(self, players: Sequence[Played], terms: Terms) -> tuple[dict[str, Note], ...]:
        made = [[_round(row, terms.settings) for row in player.rows] for player in players]
        boxes = [sum(each.escaped for each in rounds) for rounds in made]
        bonuses = escape_bonuses(boxes, terms.settings)
        return tuple(
            {
                "secondary": Note(sum(each.secondary for each in rounds), "÷ 2"),
                "escape_bonus": Note(
                    escapes, "×", "escape", Text("Escapes", "脱出"), _escape_why(escapes, bonus)
                ),
                "coins": Note(coins_held(rounds)[-1], "÷ 3"),
            }
            for rounds, escapes, bonus in zip(made, boxes, bonuses, strict=True)
        )

    def found_for_later(self, verdict: Ruling) -> dict[str, int]:
        return dict(verdict.optimizers)

    def first_by_lot(self, terms: Terms) -> bool:
        return terms.settings.first_player == "random"


SHEET = VersusSheet()


def to_json(final: Final) -> bytes:
    """The final score as compact UTF-8 JSON."""
    return msgspec.json.encode(final)


def _not_a_game(fault: Text) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_GAME,
        f"This is not the record of a versus game ({fault.en}); give a JSON file of the form {GAME_FORMAT}.",
        f"対戦ゲームの記録ではありません({fault.ja})。{GAME_FORMAT} 形式の JSON を指定してください。",
    )
