"""The final score: the stars of the cards laid for points, and the dragon's stars for its slayer (section 6
of the rulebook)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from scorer.board_problems import Problem, ToldProblem, check_names, filled, told_problems
from scorer.board_sheet import FINAL_FORMAT, GAME_FORMAT, check_players, game_fields, not_a_game
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.sheet import ranking
from scorer.stone_dragon.rules.board_ruling import stars_of
from scorer.stone_dragon.rules.codes import PROBLEMS
from scorer.stone_dragon.rules.pieces import Count, Pieces, pieces_of
from scorer.stone_dragon.rules.problems import laid_problems
from scorer.stone_dragon.rules.validation import GAME, NAME, LaidCard
from scorer.text import Text

DecidedBy = Literal["total", "shared"]


class GamePlayer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player and the victory cards before them; or, written down without them, the stars that they come to
    and those of the dragon."""

    name: str
    victory: tuple[LaidCard, ...] = ()
    stars: Count | None = None
    dragon: Count | None = None


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    players: tuple[GamePlayer, ...]
    slayer: str | None = None
    format: str = GAME_FORMAT
    game: str = GAME


class FinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    victory: int
    dragon: int
    total: int
    rank: int


class Final(msgspec.Struct, frozen=True, kw_only=True):
    """`finished`: whether the dragon is dead; before that it is the standing."""

    format: str = FINAL_FORMAT
    game: str = GAME
    finished: bool
    winners: list[str]
    decided_by: DecidedBy
    problems: list[ToldProblem]
    players: list[FinalPlayer]


def read_game(told: Mapping[str, Any]) -> GameFile:
    """The final possessions of all players, from decoded JSON. Raises `WaymarkError` (bad-record)."""
    game = game_fields(told, GameFile, GAME, NAME)
    names = [player.name for player in game.players]
    check_players(names, NAME)
    if game.slayer is not None and game.slayer not in names:
        raise not_a_game(Text("the slayer {slayer!r} does not play", slayer=game.slayer), NAME)
    if any(card.card is None or card.side is None for player in game.players for card in player.victory):
        raise not_a_game(Text("a victory card could not be read"), NAME)
    return game


def final_score(game: GameFile, catalogue: Catalogue | None) -> Final:
    """Totals and ranks; equal totals share a rank. The stars of cards are the catalogue's: without one only
    stars that were written down count. Raises `WaymarkError` (unknown-card, no-catalogue)."""
    pieces = None if catalogue is None else pieces_of(catalogue)
    stars = [_stars(player, game.slayer, pieces) for player in game.players]
    criteria: tuple[DecidedBy, ...] = ("total", "shared")
    ranks, decided = ranking([(sum(each),) for each in stars], criteria)
    players = [
        FinalPlayer(name=each.name, victory=victory, dragon=dragon, total=victory + dragon, rank=rank)
        for each, (victory, dragon), rank in zip(game.players, stars, ranks, strict=True)
    ]
    return Final(
        finished=game.slayer is not None or any(player.dragon for player in game.players),
        winners=[each.name for each in players if each.rank == 1],
        decided_by=decided,
        problems=told_problems(_problems(game, pieces)),
        players=players,
    )


def _stars(player: GamePlayer, slayer: str | None, pieces: Pieces | None) -> tuple[int, int]:
    """A player's stars from cards, and from the dragon."""
    killed = player.name == slayer
    if pieces is None:
        if player.victory or (killed and player.dragon is None):
            raise WaymarkError(
                Code.NO_CATALOGUE,
                Text("The stars of cards are in the catalogue of your box; name it with --catalogue."),
            )
        return player.stars or 0, player.dragon or 0
    check_names(pieces.catalogue, [card.card for card in player.victory], pieces.victories)
    laid = stars_of([(card.card or "", card.side or "") for card in player.victory], pieces)
    dragon = pieces.dragon.stars if killed and player.dragon is None else player.dragon or 0
    return laid + (player.stars or 0), dragon


def _problems(game: GameFile, pieces: Pieces | None) -> list[Problem]:
    found = []
    if len(game.players) not in (3, 4):
        found.append(Problem("players", PROBLEMS["players"]))
    if pieces is None:
        return found
    laid = [(card.card or "", card.side) for player in game.players for card in player.victory]
    for name in dict.fromkeys(card for card, _ in laid):
        count = sum(card == name for card, _ in laid)
        if count > pieces.copies[name]:
            words = filled(PROBLEMS, "copies", piece=name, count=count, copies=pieces.copies[name])
            found.append(Problem("copies", words))
    return [*found, *laid_problems(laid, pieces)]
