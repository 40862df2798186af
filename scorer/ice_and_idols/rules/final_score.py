"""The final score: cubes by the value of their track's token, bonus spaces, all five powers, the key card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from scorer.board_record import Board
from scorer.board_sheet import FINAL_FORMAT, GAME_FORMAT, check_players, game_fields, not_a_game
from scorer.board_turn import board_within
from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.house_settings import check_house, house_of
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import CUBES, FIRST, IDOLS, IdolKind, Pieces, pieces_of
from scorer.ice_and_idols.rules.position import Position, Traveller, position_of
from scorer.ice_and_idols.rules.problems import problems_of, track_stands
from scorer.ice_and_idols.rules.track_ruling import key_of
from scorer.ice_and_idols.rules.validation import GAME, NAME, board_told
from scorer.sheet import ranking
from scorer.text import Text

#: Points for all five powers.
ALL_POWERS = 8

Points = Annotated[int, msgspec.Meta(ge=0)]


class GamePlayer(msgspec.Struct, frozen=True, kw_only=True):
    """The points written down for one player: VP by track, bonus VP, the number of powers, the VP of a met
    key card, and the cubes placed."""

    name: str
    tracks: dict[IdolKind, Points] = {}
    bonus: Points = 0
    powers: Annotated[int, msgspec.Meta(ge=0, le=len(IDOLS))] = 0
    key: Points = 0
    markers: Annotated[int, msgspec.Meta(ge=0, le=CUBES)] = 0


class GameFile(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game: the points written down, in turn order, or the final board. `house` settings may
    accompany written points."""

    players: tuple[GamePlayer, ...] = ()
    board: dict[str, Any] | None = None
    house: dict[str, Any] = {}
    format: str = GAME_FORMAT
    game: str = GAME


class FinalPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's line in the final score. A field is None where it depends on an unknown fact."""

    name: str
    tracks: int | None
    bonus: int | None
    powers: int
    key: int | None
    total: int | None
    rank: int | None
    by_track: dict[IdolKind, int] | None


DecidedBy = Literal["total", "powers", "key", "markers", "order"]
_WAYS: tuple[DecidedBy, ...] = ("total", "powers", "key", "markers", "order")


class Final(msgspec.Struct, frozen=True, kw_only=True):
    format: str = FINAL_FORMAT
    game: str = GAME
    players: list[FinalPlayer]
    winners: list[str]
    decided_by: DecidedBy | None


@dataclass(frozen=True)
class Line:
    """A player's line before it is ranked; `order` is the place in turn order."""

    name: str
    by_track: dict[IdolKind, int] | None
    bonus: int | None
    powers: int
    quick: bool
    key: int | None
    markers: int
    order: int

    @property
    def power_points(self) -> int:
        return ALL_POWERS if self.quick or self.powers == len(IDOLS) else 0

    @property
    def total(self) -> int | None:
        if self.by_track is None or self.bonus is None or self.key is None:
            return None
        return sum(self.by_track.values()) + self.bonus + self.power_points + self.key


def read_game(told: Mapping[str, Any]) -> GameFile:
    """A game from decoded JSON. Raises `WaymarkError` (bad-record)."""
    game = game_fields(told, GameFile, GAME, NAME)
    names = [player.name for player in game.players]
    if game.board is None:
        check_players(names, NAME)
    check_house(House, game.house)
    return game


def final_score(game: GameFile, catalogue: Catalogue | None, *, quick: bool = False) -> Final:
    """Totals and ranks of a finished game; with `quick`, all players score the five powers.

    Ties are broken by powers, the key card's VP, cubes placed, then the later place in turn order. Raises
    `WaymarkError` (bad-record, unknown-card, no-catalogue)."""
    quick = quick or house_of(House, game.house).quick
    if game.board is not None:
        return ranked(_lines_on_board(game.board, catalogue))
    return ranked(
        [
            Line(
                name=player.name,
                by_track=dict(player.tracks),
                bonus=player.bonus,
                powers=player.powers,
                quick=quick,
                key=player.key,
                markers=player.markers,
                order=number,
            )
            for number, player in enumerate(game.players)
        ]
    )


def _lines_on_board(told: dict[str, Any], catalogue: Catalogue | None) -> list[Line]:
    if catalogue is None:
        raise WaymarkError(
            Code.NO_CATALOGUE,
            Text("The points of the tracks are in the catalogue of your box; name it with --catalogue."),
        )
    pieces = pieces_of(catalogue)
    board = board_told(board_within(told, GAME), pieces)
    house = house_of(House, board.house)
    position = position_of(board, pieces, house)
    stands = position.cubes is not None and track_stands(problems_of(board, pieces, house))
    if not board.players:
        raise not_a_game(Text("the board has no players"), NAME)
    names = _turn_order(board)
    return [
        line_of(position, position.players[name], pieces, number, stands=stands, quick=house.quick)
        for number, name in sorted(
            ((names.index(player.name), player.name) for player in board.players),
            key=lambda each: [player.name for player in board.players].index(each[1]),
        )
    ]


def _turn_order(board: Board) -> list[str]:
    """The players in turn order, starting with the holder of the first-player token, else with the first one
    listed."""
    names = [player.name for player in board.players]
    first = next((n for n, player in enumerate(board.players) if (player.holds or {}).get(FIRST)), 0)
    return names[first:] + names[:first]


def line_of(
    position: Position, player: Traveller, pieces: Pieces, order: int, *, stands: bool, quick: bool
) -> Line:
    by_track, bonus = _on_track(position, player, pieces) if stands else (None, None)
    key = 0 if player.key == "" else None
    told = key_of(position, player) if stands else None
    if told is not None:
        key = pieces.keys[told.card].vp if told.met else 0
    return Line(
        name=player.name,
        by_track=by_track,
        bonus=bonus,
        powers=len(player.powers),
        quick=quick,
        key=key,
        markers=position.placed(player),
        order=order,
    )


def _on_track(
    position: Position, player: Traveller, pieces: Pieces
) -> tuple[dict[IdolKind, int] | None, int]:
    """VP by track, None where a column with cubes of the player has no token; and bonus VP."""
    colour = pieces.colours.get(player.figure)
    cubes, tokens = position.cubes or {}, position.tokens or {}
    found: dict[IdolKind, int] | None = {}
    bonus = 0
    for track in pieces.research.tracks if pieces.research is not None else ():
        mine = [space for space in track.spaces if cubes.get((track.column, space.row)) == colour]
        bonus += sum(space.vp for space in mine if space.gives == "bonus")
        if mine and track.column not in tokens:
            found = None
        elif mine and found is not None:
            found[track.idol] = pieces.tokens[tokens[track.column][0]] * len(mine)
    return found, bonus


def ranked(lines: Sequence[Line]) -> Final:
    """The final score of players' lines."""
    standings = [(each.total or 0, each.powers, each.key or 0, each.markers, each.order) for each in lines]
    ranks: Sequence[int | None] = [None] * len(lines)
    decided: DecidedBy | None = None
    if lines and all(line.total is not None for line in lines):
        ranks, decided = ranking(standings, _WAYS)
    return Final(
        players=[
            FinalPlayer(
                name=line.name,
                tracks=None if line.by_track is None else sum(line.by_track.values()),
                bonus=line.bonus,
                powers=line.power_points,
                key=line.key,
                total=line.total,
                rank=rank,
                by_track=line.by_track,
            )
            for line, rank in zip(lines, ranks, strict=True)
        ],
        winners=[line.name for line, rank in zip(lines, ranks, strict=True) if rank == 1],
        decided_by=decided,
    )
