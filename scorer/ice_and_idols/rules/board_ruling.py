"""The ruling on a board: its problems, the cells that each player can reach, and the state of the research
track."""

from __future__ import annotations

from typing import Any

import msgspec

from scorer.board_problems import RulingOnBoard, told_problems
from scorer.board_record import Board
from scorer.catalogue import Side
from scorer.ice_and_idols.rules.house import House
from scorer.ice_and_idols.rules.pieces import IDOLS, IdolKind, Pieces
from scorer.ice_and_idols.rules.position import Position, Stand, Traveller, position_of
from scorer.ice_and_idols.rules.problems import problems_of, temple_stands, track_stands
from scorer.ice_and_idols.rules.reach import cheapest_way, gets, walks
from scorer.ice_and_idols.rules.temple_frame import UNDER, cell_of
from scorer.ice_and_idols.rules.track_ruling import EndTold, KeyTold, TrackTold, end_of, key_of, tracks_of
from scorer.ice_and_idols.rules.validation import top_of
from scorer.square_grid import SIDES, Cell

#: What adrenaline takes of the turn after it.
SPENT = 2


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """A reachable corridor, and the least AP to reach it."""

    cell: Cell
    sides: list[Side]
    ap: int


class Gets(msgspec.Struct, frozen=True, kw_only=True):
    """The least AP of a walk to a tile over each idol and altar."""

    idols: dict[IdolKind, int]
    altars: dict[IdolKind, int]


class PlayerTold(msgspec.Struct, frozen=True, kw_only=True):
    """The resources of a player's next turn and the cells within reach. Fields that depend on the temple, the
    map or the track are None where that is unknown."""

    name: str
    ap: int
    hands: int
    powers: list[IdolKind]
    stands: Cell | None
    sides: list[Side] | None
    map: Cell | None
    idols: list[IdolKind] | None
    altars: list[IdolKind] | None
    reach: list[Reached] | None
    gets: Gets | None
    collapse: dict[Side, Cell | None] | None
    markers: int | None
    key: KeyTold | None


class CheapestTold(msgspec.Struct, frozen=True, kw_only=True):
    ap: int | None
    actions: list[dict[str, Any]] | None


class BoardRuling(RulingOnBoard, frozen=True, kw_only=True):
    game: str = "ice_and_idols"
    players: list[PlayerTold]
    tracks: list[TrackTold] | None
    end: EndTold | None
    cheapest: CheapestTold | None


def rule_board(board: Board, pieces: Pieces, house: House) -> BoardRuling:
    """The ruling on a checked board."""
    problems = problems_of(board, pieces, house)
    position = position_of(board, pieces, house)
    ask = top_of(board).ask
    temple = board.tiles is not None and temple_stands(problems)
    track = position.cubes is not None and track_stands(problems)
    tracks = tracks_of(position, pieces.research) if track and pieces.research is not None else None
    map_told = top_of(board).ground is not None
    cheapest = None
    if ask.cheapest is not None:
        cheapest = CheapestTold(ap=None, actions=None)
        name = ask.cheapest.player
        hangs_on_map = ask.cheapest.to.map is not None and not map_told
        if temple and not hangs_on_map and position.players[name].figure in position.stands:
            limit = ask.cheapest.limit
            most = ap_of(position.players[name]) if limit is None else limit
            found = cheapest_way(position, ask.cheapest, most)
            if found is not None:
                cheapest = CheapestTold(ap=found[0], actions=[msgspec.to_builtins(each) for each in found[1]])
    return BoardRuling(
        problems=told_problems(problems),
        players=[
            _player(position, player, ask.ap, temple=temple, map_told=map_told, track=track)
            for player in position.players.values()
        ],
        tracks=tracks,
        end=None if tracks is None else end_of(position, tracks),
        cheapest=cheapest,
    )


def ap_of(player: Traveller) -> int:
    """The AP with which a player's next turn begins."""
    return player.base - (SPENT if player.minus else 0)


def sides_told(sides: int) -> list[Side]:
    """Open sides (a bit mask) as a list of names."""
    return [name for side, name in enumerate(SIDES) if sides >> side & 1]


def _player(
    position: Position, player: Traveller, asked: int | None, *, temple: bool, map_told: bool, track: bool
) -> PlayerTold:
    ap = ap_of(player)
    stand = position.stands.get(player.figure) if temple else None
    spot = None if stand is None else position.spot(stand.cell)
    reached = None if stand is None else walks(position, stand, ap if asked is None else asked)
    return PlayerTold(
        name=player.name,
        ap=ap,
        hands=player.hands,
        powers=[kind for kind in IDOLS if kind in player.powers],
        stands=None if stand is None else cell_of(stand.cell),
        sides=None if stand is None else sides_told(position.sides(stand)),
        map=None if stand is None or not map_told else cell_of(UNDER[position.quarters][stand.cell]),
        idols=None if spot is None else list(spot.idols),
        altars=None if spot is None else list(spot.altars),
        reach=None if reached is None else _reached(position, reached),
        gets=None
        if reached is None or spot is None
        else Gets(idols=gets(position, reached, "idols"), altars=gets(position, reached, "altars")),
        collapse=None if stand is None or not map_told else _collapse(position, player),
        markers=position.placed(player) if track else None,
        key=key_of(position, player) if track else None,
    )


def _reached(position: Position, reached: dict[Stand, int]) -> list[Reached]:
    return [
        Reached(cell=cell_of(stand.cell), sides=sides_told(position.sides(stand)), ap=steps)
        for stand, steps in sorted(
            reached.items(), key=lambda each: (each[1], each[0].cell, each[0].corridor)
        )
    ]


def _collapse(position: Position, player: Traveller) -> dict[Side, Cell | None]:
    falling = {name: position.falling(player, side) for side, name in enumerate(SIDES)}
    return {name: None if cell is None else cell_of(cell) for name, cell in falling.items()}
