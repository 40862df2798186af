"""The rules: which tiles a road joins, how long the fox can run, what that is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from scorer.board_record import Board, Cell
from scorer.catalogue import Catalogue, Side
from scorer.text import Text

SIDE = 3
FOX, OWL = "fox", "owl"
OBJECTIVES = ("owls", "corners")
VP_EACH = {"owls": 2, "corners": 1}
_SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")
_STEPS: dict[Side, Cell] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
_OPPOSITE: dict[Side, Side] = {"top": "bottom", "right": "left", "bottom": "top", "left": "right"}
_CORNERS = frozenset({(0, 0), (SIDE - 1, 0), (0, SIDE - 1), (SIDE - 1, SIDE - 1)})

REASONS = {
    "no-fox": Text("The fox stands on no tile, so nobody knows where the road begins."),
    "several-foxes": Text("There is more than one fox, so nobody knows where the road begins."),
    "road": Text("The fox runs over {tiles} tiles."),
}


@dataclass(frozen=True)
class Terms:
    """What is told: lanterns held (one tile more each), the round's objective, and whether roads that leave
    the board come back in at the other end."""

    lanterns: int = 0
    objective: str | None = None
    wrap: bool = False


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    objective: str
    count: int
    vp: int


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """`road` are the cells of the longest road, the fox's first; `joined` those that it can reach at all."""

    legal: bool
    why: str
    message: str
    message_ja: str
    road: tuple[Cell, ...] = ()
    joined: int = 0
    points: int = 0
    objective: Objective | None = None
    format: str = "waymark-board-ruling/1"


@dataclass(frozen=True)
class Roads:
    """Which sides the tiles of a board are open to, by cell."""

    open_to: dict[Cell, frozenset[Side]]

    def neighbours(self, cell: Cell, *, wrap: bool) -> Iterator[Cell]:
        for side in sorted(self.open_to.get(cell, ())):
            column, row = (at + step for at, step in zip(cell, _STEPS[side], strict=True))
            there = (column % SIDE, row % SIDE) if wrap else (column, row)
            if there != cell and _OPPOSITE[side] in self.open_to.get(there, ()):
                yield there


def join_roads(catalogue: Catalogue, board: Board) -> Roads:
    """What the tiles of a board make. Raises `WaymarkError` (unknown-card)."""
    _check_pieces(board, catalogue)
    open_to = {}
    for tile in board.tiles or ():
        if tile.tile is not None and tile.rotation is not None:
            sides = [node.side for node in catalogue.card(tile.tile).nodes if node.kind == "opening"]
            quarters = tile.rotation // 90
            open_to[tile.cell] = frozenset(
                _SIDES[(_SIDES.index(side) + quarters) % 4] for side in sides if side is not None
            )
    return Roads(open_to)


def _check_pieces(board: Board, catalogue: Catalogue) -> None:
    """That every id is one of the catalogue. Raises `WaymarkError` (unknown-card)."""
    names: list[str | None] = [tile.tile for tile in board.tiles or ()]
    names += [tile.tile for tile in board.spare or ()]
    names += [piece.piece for piece in board.pieces or ()]
    for player in board.players:
        names += [player.piece, *(player.holds or {}), *(player.hand or ())]
    for name in names:
        if name is not None:
            catalogue.card(name)


def rule(roads: Roads, board: Board, terms: Terms) -> Ruling:
    """How long the fox's road is, and what it is worth."""
    foxes = [piece.cell for piece in board.pieces or () if piece.piece == FOX and piece.on is None]
    if len(foxes) != 1 or foxes[0] not in roads.open_to:
        return _refused("several-foxes" if len(foxes) > 1 else "no-fox")
    start = foxes[0]
    joined = _joined(roads, start, terms.wrap)
    road = max(_runs(roads, (start,), terms.wrap), key=len)
    objective = None
    if terms.objective is not None:
        owls = [piece.cell for piece in board.pieces or () if piece.piece == OWL]
        count = sum(owl in joined for owl in owls) if terms.objective == "owls" else len(joined & _CORNERS)
        vp = count * VP_EACH[terms.objective]
        objective = Objective(objective=terms.objective, count=count, vp=vp)
    why = REASONS["road"]
    return Ruling(
        legal=True,
        why="road",
        message=why.en.format(tiles=len(road)),
        message_ja=why.ja.format(tiles=len(road)),
        road=road,
        joined=len(joined),
        points=len(road) + terms.lanterns,
        objective=objective,
    )


def _refused(rule: str) -> Ruling:
    return Ruling(legal=False, why=rule, message=REASONS[rule].en, message_ja=REASONS[rule].ja)


def _joined(roads: Roads, start: Cell, wrap: bool) -> frozenset[Cell]:
    reached, ahead = {start}, [start]
    while ahead:
        new = set(roads.neighbours(ahead.pop(), wrap=wrap)) - reached
        reached |= new
        ahead += new
    return frozenset(reached)


def _runs(roads: Roads, run: tuple[Cell, ...], wrap: bool) -> Iterator[tuple[Cell, ...]]:
    """Every run that goes on from `run` and comes to no tile twice."""
    yield run
    for there in roads.neighbours(run[-1], wrap=wrap):
        if there not in run:
            yield from _runs(roads, (*run, there), wrap)


def worth(ruling: Ruling) -> tuple[Any, ...]:
    counted = None if ruling.objective is None else (ruling.objective.objective, ruling.objective.count)
    return ruling.legal, ruling.points, counted
