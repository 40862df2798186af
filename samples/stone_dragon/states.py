"""Positions of Stone Dragon that a table could have come to: a game played by chance, stopped somewhere, on a
table that is turned any way, with pawns in any colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.decks.stone_dragon.play import stopped_game
from scorer.board_record import Board
from scorer.catalogue import Catalogue, Side
from scorer.square_grid import SIDES
from scorer.stone_dragon.rules.pieces import SIDE, Pieces, pieces_of
from scorer.stone_dragon.rules.position import Holder, Position, cell_of
from scorer.stone_dragon.rules.validation import GAME, LaidSide, board_told

Cell = tuple[int, int]
#: Games are stopped after so many turns at most; in so many (share) nobody has done anything yet.
MOST_TURNS, UNTOUCHED = 60, 0.05


@dataclass(frozen=True)
class Lying:
    """A panel as it lies: its id, or that of the back that is seen of it, and how it is turned."""

    tile: str
    rotation: int
    up: bool


@dataclass(frozen=True)
class Player:
    """Who sits at a side of the grid. `holds` are dungeon cards, chips in the hand, life and coin chips, in
    the order in which they were laid down; `hidden` how many victory cards lie face down."""

    name: str
    pawn: str
    seat: Side
    cell: Cell
    character: str
    holds: tuple[str, ...]
    equipped: tuple[str, ...]
    victory: tuple[tuple[str, LaidSide], ...]
    hidden: int


@dataclass(frozen=True)
class State:
    """What lies and stands where. `dragon_chips`: the life chips beside the dragon's card."""

    panels: dict[Cell, Lying]
    players: tuple[Player, ...]
    dragon: str
    dragon_cell: Cell
    dragon_chips: tuple[str, ...]


def random_state(catalogue: Catalogue, rng: np.random.Generator) -> State:
    """A position somewhere in a game."""
    pieces = pieces_of(catalogue)
    count = int(rng.choice([3, 4], p=[0.4, 0.6]))
    turns = 0 if rng.random() < UNTOUCHED else int(rng.integers(2, MOST_TURNS))
    position = stopped_game(catalogue, int(rng.integers(2**31)), count, turns)
    quarters = int(rng.integers(4))
    pawns = [sorted(pieces.pawns)[int(k)] for k in rng.permutation(len(pieces.pawns))]
    seats = [SIDES[int(k)] for k in sorted(rng.permutation(4)[:count])]
    players = tuple(
        _player(catalogue, pieces, holder, pawn, seat, quarters, rng)
        for holder, pawn, seat in zip(position.holders.values(), pawns, seats, strict=False)
    )
    return State(
        panels=_panels(pieces, position, quarters, rng),
        players=players,
        dragon=pawns[-1],
        dragon_cell=_turned(cell_of(position.dragon_cell), quarters),
        dragon_chips=_in_chips(pieces.lives, position.dragon_life, rng),
    )


def _turned(cell: Cell, quarters: int) -> Cell:
    """Where a cell is after the table is turned by so many quarters clockwise."""
    for _ in range(quarters):
        cell = SIDE - 1 - cell[1], cell[0]
    return cell


def _panels(pieces: Pieces, position: Position, quarters: int, rng: np.random.Generator) -> dict[Cell, Lying]:
    back = min(pieces.backs - pieces.marked_backs)
    found = {}
    for number, panel in enumerate(position.panels):
        cell = _turned(cell_of(number), quarters)
        if panel.up and panel.name is not None:
            found[cell] = Lying(panel.name, ((panel.rotation or 0) + 90 * quarters) % 360, True)
        else:
            found[cell] = Lying(back, 90 * int(rng.integers(4)), False)
    return dict(sorted(found.items(), key=lambda each: (each[0][1], each[0][0])))


def _player(
    catalogue: Catalogue,
    pieces: Pieces,
    holder: Holder,
    pawn: str,
    seat: Side,
    quarters: int,
    rng: np.random.Generator,
) -> Player:
    """Players are called as a photo can tell them apart: by their colour."""
    holds = [*_in_chips(pieces.lives, holder.life, rng), *_in_chips(pieces.coins, holder.coins, rng)]
    held = [name for name, count in sorted(holder.holds.items()) for _ in range(count)]
    holds += [held[int(k)] for k in rng.permutation(len(held))]
    return Player(
        name=catalogue.card(pawn).colour or pawn,
        pawn=pawn,
        seat=seat,
        cell=_turned(cell_of(holder.cell), quarters),
        character=holder.character_name,
        holds=tuple(holds),
        equipped=tuple(holder.equipped),
        victory=tuple(holder.victory),
        hidden=holder.hidden,
    )


def _in_chips(values: dict[str, int] | Any, total: int, rng: np.random.Generator) -> tuple[str, ...]:
    """A sum in chips, the large ones mostly as many as go into it."""
    found: list[str] = []
    for name, value in sorted(values.items(), key=lambda each: -each[1]):
        most = total // value
        count = most if value == 1 or rng.random() < 0.75 else int(rng.integers(0, most + 1))
        found += [name] * count
        total -= count * value
    return tuple(found)


def record_of(state: State, catalogue: Catalogue, *, in_view: Sequence[str] | None = None) -> Board:
    """The board record of a state; what lies before the players `in_view` alone, before all unless told, and
    the dragon's life where `dragon` is among them."""
    tiles: list[dict[str, Any]] = []
    for (column, row), lying in state.panels.items():
        at = {"column": column, "row": row}
        if lying.up:
            tiles.append({"tile": lying.tile, **at, "rotation": lying.rotation})
        else:
            tiles.append({"tile": None, **at, "face": "down"})
    pieces = [
        {"piece": name, "column": cell[0], "row": cell[1]}
        for name, cell in (
            *((each.pawn, each.cell) for each in state.players),
            (state.dragon, state.dragon_cell),
        )
    ]
    values = pieces_of(catalogue).lives
    dragon: dict[str, Any] = {"piece": state.dragon}
    if in_view is None or "dragon" in in_view:
        dragon["life"] = sum(values[chip] for chip in state.dragon_chips)
    players = []
    for player in state.players:
        told: dict[str, Any] = {"name": player.name, "piece": player.pawn, "seat": player.seat}
        if in_view is None or player.name in in_view:
            told |= {
                "character": player.character,
                "holds": dict(Counter(player.holds)),
                "equipped": list(player.equipped),
                "victory": [{"card": card, "side": side} for card, side in player.victory],
                "hand_size": player.hidden,
            }
        players.append(told)
    told = {
        "format": "waymark-board/1",
        "game": GAME,
        "catalogue": catalogue.name,
        "grid": {"columns": SIDE, "rows": SIDE},
        "tiles": tiles,
        "pieces": pieces,
        "dragon": dragon,
        "players": players,
    }
    return board_told(told, pieces_of(catalogue))
