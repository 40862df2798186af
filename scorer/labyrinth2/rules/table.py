"""A board record prepared for rulings: position, connections, possessions, and the progress of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.board_record import Board, BoardPlayer
from scorer.house_settings import house_of
from scorer.labyrinth2.rules.house import House
from scorer.labyrinth2.rules.pieces import FIRST, SECOND, Pieces
from scorer.labyrinth2.rules.position import Position, position_of
from scorer.square_grid import Passages

Phase = Literal["first", "second", "between", "final", "over"]


@dataclass(frozen=True)
class Table:
    """A board prepared for rulings. `armed` says of each explorer whether it holds a treasure, None where
    unknown. `owners` maps explorers to players. `lowest` is the lowest value on the board."""

    board: Board
    pieces: Pieces
    house: House
    position: Position
    ways: Passages
    armed: dict[str, bool | None]
    owners: dict[str, str]
    phase: Phase
    lowest: int | None

    def player(self, name: str) -> BoardPlayer:
        """The player with a name."""
        return next(player for player in self.board.players if player.name == name)

    @property
    def extra_done(self) -> bool:
        """Whether the last pass was an extra one."""
        return bool(self.board.more.get("extra_done", False))


def table_of(board: Board, pieces: Pieces, house: House | None = None) -> Table:
    """The table of a checked board. A given `house` overrides the board's own settings."""
    position = position_of(board, pieces)
    owned = [player for player in board.players if player.piece is not None]
    return Table(
        board=board,
        pieces=pieces,
        house=house_of(House, board.house) if house is None else house,
        position=position,
        ways=position.passages(),
        armed={player.piece or "": is_armed(player, pieces) for player in owned},
        owners={player.piece or "": player.name for player in owned},
        phase=_phase(board, position, pieces),
        lowest=min((pieces.treasures[name] for name, _ in position.chips), default=None),
    )


def held_treasures(player: BoardPlayer, pieces: Pieces) -> dict[str, int] | None:
    """The treasures that a player holds (id to count); None where unknown."""
    if player.holds is None:
        return None
    return {name: count for name, count in player.holds.items() if name in pieces.treasures and count}


def is_armed(player: BoardPlayer, pieces: Pieces) -> bool | None:
    """Whether a player holds a treasure; None where unknown."""
    held = held_treasures(player, pieces)
    return None if held is None else bool(held)


def holds_dragon(player: BoardPlayer, pieces: Pieces) -> bool:
    """Whether a player is recorded as holding the dragon."""
    return any((player.holds or {}).get(name) for name in pieces.dragons)


def _phase(board: Board, position: Position, pieces: Pieces) -> Phase:
    if any(holds_dragon(player, pieces) for player in board.players):
        return "over"
    values = [pieces.treasures[name] for name, _ in position.chips]
    if values:
        return "first" if min(values) in FIRST else "second"
    held = [held_treasures(player, pieces) for player in board.players]
    told = [each for each in held if each is not None]
    late = any(pieces.treasures[name] in SECOND for each in told for name in each)
    return "between" if told and len(told) == len(held) and not late else "final"
