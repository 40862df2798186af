"""Positions of Ice and Idols that a table could have come to: a game played by chance, stopped somewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np

from calibration.decks.ice_and_idols.play import stopped_game
from scorer.board_record import Board, Piece, board_from
from scorer.catalogue import Catalogue
from scorer.ice_and_idols.rules.pieces import FIRST, pieces_of
from scorer.ice_and_idols.rules.position import Position, board_of
from scorer.ice_and_idols.rules.temple_frame import SIDE
from scorer.ice_and_idols.rules.validation import GAME, RESEARCH
from scorer.square_grid import SIDES

#: Games are stopped after so many turns at most; in so many (share) nobody has done anything yet.
MOST_TURNS, UNTOUCHED = 70, 0.05
#: So often key cards lie face up, as at the end.
KEYS_UP = 0.25


@dataclass(frozen=True)
class State:
    """A position as the referee knows it, the `face` of the map, who starts, and whether keys lie face up."""

    position: Position
    face: str
    first: str
    keys_up: bool


def random_state(catalogue: Catalogue, rng: np.random.Generator) -> State:
    """A position somewhere in a game, called by the players' colours; the temple turned any way."""
    pieces = pieces_of(catalogue)
    count = int(rng.choice([2, 3, 4], p=[0.25, 0.3, 0.45]))
    turns = 0 if rng.random() < UNTOUCHED else int(rng.integers(2, MOST_TURNS))
    played = stopped_game(catalogue, int(rng.integers(2**31)), count, turns)
    position = replace(played, quarters=int(rng.integers(4)))
    position.players = {
        pieces.colours[each.figure]: replace(each, name=pieces.colours[each.figure])
        for each in played.players.values()
    }
    face = next(
        name for name, each in pieces.maps.items() if position.spots and _is_of(each.cells, position.spots)
    )
    names = list(position.players)
    return State(position, face, names[int(rng.integers(len(names)))], bool(rng.random() < KEYS_UP))


def _is_of(printed: Sequence[Any], spots: Sequence[Any]) -> bool:
    return all(spots[each.cell[1] * SIDE + each.cell[0]] == each for each in printed)


def record_of(state: State, catalogue: Catalogue, *, in_view: Sequence[str] | None = None) -> Board:
    """The board record of a state. What lies before the players `in_view` alone, and the track where
    `research` is among them; all of it unless told."""
    pieces, position = pieces_of(catalogue), state.position

    def seen(name: str) -> bool:
        return in_view is None or name in in_view

    bare: dict[str, Any] = {
        "format": "waymark-board/1",
        "game": GAME,
        "catalogue": catalogue.name,
        "grid": {"columns": SIDE, "rows": SIDE},
        "borders": dict(zip(SIDES, position.borders, strict=True)),
        "ground": {
            "rotation": 90 * position.quarters,
            "tiles": [{"tile": state.face, "column": 0, "row": 0, "rotation": 0}],
        },
        "tiles": [],
        "pieces": [{"piece": each.figure, "column": 0, "row": 0} for each in position.players.values()],
        "players": [
            {"name": name, "piece": each.figure, "seat": each.seat}
            | ({"powers": []} if seen(name) else {})
            | ({"holds": {FIRST: 1}} if seen(name) and name == state.first else {})
            for name, each in position.players.items()
        ],
    }
    if seen(RESEARCH):
        assert pieces.research is not None
        size = {"columns": pieces.research.columns, "rows": pieces.research.rows, "rotation": 0}
        bare["boards"] = {RESEARCH: size}
    board = board_of(position, board_from(bare, anywhere=True), to_move=None)
    players = tuple(
        msgspec.structs.replace(
            each,
            holds=each.holds if seen(each.name) else None,
            more=each.more if seen(each.name) else {},
            hand=[position.players[each.name].key] if state.keys_up and seen(each.name) else None,
        )
        for each in board.players
    )
    kept = tuple(
        each for each in board.pieces or () if isinstance(each, Piece) and (each.on is None or seen(RESEARCH))
    )
    # what lies beside the temple is told by no photo so far
    return msgspec.structs.replace(board, players=players, pieces=kept, spare=None)
