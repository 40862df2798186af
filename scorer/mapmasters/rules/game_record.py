"""The record of a versus game: players and their rounds, parsed from JSON (docs/FORMATS.md, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import msgspec

from scorer.errors import Code, WaymarkError
from scorer.json_faults import read_json
from scorer.mapmasters.rules.ruling import Ruling
from scorer.mapmasters.rules.settings import HOUSE, VersusSettings
from scorer.text import Text

GAME_FORMAT = "waymark-game/1"
ROUNDS = 6
#: Coins of each player at the start.
START_COINS = 6
#: Points of a round and coins of a game stay far below: whoever wrote more wrote something else.
_MAX_COUNT = 9_999


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
    """A player at the table, listed in seating order."""

    name: str
    coins_left: int = 0
    rounds: tuple[Round, ...] = ()


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A versus game, finished or under way."""

    format: str
    players: tuple[Player, ...]
    mode: str = "versus"


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
        raise not_a_game(Text("it is an empty list"))
    return tuple(parse_game(bytes(game)) for game in listed)


def parse_game(data: bytes | str) -> Game:
    """Read a game from JSON text. Raises `WaymarkError` (not-a-game)."""
    game = read_json(data, Game, not_a_game, GAME_FORMAT)
    if game.mode != "versus":
        raise not_a_game(Text("mode is {mode!r}, only 'versus' has a final score", mode=game.mode))
    if not game.players:
        raise not_a_game(Text("it has no players"))
    for player in game.players:
        if len(player.rounds) > ROUNDS:
            raise not_a_game(
                Text(
                    "{player!r} has {count} rounds, a game has {rounds}",
                    player=player.name,
                    count=len(player.rounds),
                    rounds=ROUNDS,
                )
            )
        points = [player.coins_left]
        points += [
            value for each in player.rounds for value in (each.primary, each.secondary, each.time_bonus)
        ]
        if min(points) < 0:
            raise not_a_game(Text("{player!r} has a count below 0", player=player.name))
        if max(points) > _MAX_COUNT:
            raise not_a_game(
                Text("{player!r} has a count above {max_count}", player=player.name, max_count=_MAX_COUNT)
            )
    return game


def coins_held(rounds: Sequence[Round]) -> tuple[int, ...]:
    """A player's coins at the start and after each of `rounds`: coins received less coins spent."""
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
    """The round's entries that follow from a ruling."""
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


def not_a_game(fault: Text) -> WaymarkError:
    return WaymarkError(
        Code.NOT_A_GAME,
        Text(
            "This is not the record of a versus game ({fault}); give a JSON file of the form {game_format}.",
            fault=fault,
            game_format=GAME_FORMAT,
        ),
    )
