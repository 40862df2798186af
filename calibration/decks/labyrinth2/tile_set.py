"""The pieces of the tile set as data. Lengths are millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from calibration.decks.pieces import disc, piece, side_middles
from scorer.catalogue import Card, Catalogue, Edge, Node, Side

TILE_MM = 50.0
#: The board: seven cells and a frame with the arrows.
SIDE, FRAME_MM = 7, 20.0
BOARD_MM = SIDE * TILE_MM + 2 * FRAME_MM
CHIP_MM, COIN_MM, DIE_MM = 22.0, 20.0, 16.0
CARD_MM = (44.0, 68.0)
EXPLORER_MM, GARGOYLE_MM, DRAGON_MM = (16.0, 26.0), (22.0, 30.0), (46.0, 40.0)

#: Open sides as the art stands, and how many loose tiles of each shape there are.
OPEN: dict[str, tuple[Side, ...]] = {
    "I": ("top", "bottom"),
    "L": ("top", "right"),
    "T": ("right", "bottom", "left"),
}
LOOSE = {"I": 12, "L": 16, "T": 6}
#: The printed cells, row by row: corners that open inwards, the others three-way.
_DRAWN: dict[str, tuple[Side, ...]] = {
    "┌": ("right", "bottom"),
    "┐": ("bottom", "left"),
    "└": ("top", "right"),
    "┘": ("top", "left"),
    "┬": ("right", "bottom", "left"),
    "├": ("top", "right", "bottom"),
    "┤": ("top", "bottom", "left"),
    "┴": ("top", "right", "left"),
}
_PRINTED = ("┌┬┬┐", "├├┬┤", "├┴┤┤", "└┴┴┘")
#: Where explorers start: the corner of each colour.
STARTS = {"red": (0, 0), "blue": (6, 0), "yellow": (6, 6), "green": (0, 6)}
#: Where gargoyles stand at first: two printed cells about the nest.
GARGOYLES = {1: (4, 2), 2: (2, 4)}
VALUES = range(1, 13)
MOST_ARROWS = 4


@dataclass(frozen=True)
class PrintedCell:
    """A cell of the board with its printed tile."""

    id: str
    cell: tuple[int, int]
    sides: tuple[Side, ...]


def printed_cells() -> Iterator[PrintedCell]:
    for row, shapes in enumerate(_PRINTED):
        for column, drawn in enumerate(shapes):
            yield PrintedCell(f"F{2 * column}{2 * row}", (2 * column, 2 * row), _DRAWN[drawn])


def chip_cells() -> tuple[tuple[int, int], ...]:
    """The cells with a ring for a treasure: the printed cells that are not start cells."""
    return tuple(each.cell for each in printed_cells() if each.cell not in STARTS.values())


def build_catalogue() -> Catalogue:
    """The catalogue with every piece of the set."""
    cards = [
        _tile(f"{shape}{number:02d}", OPEN[shape], "tile")
        for shape, count in LOOSE.items()
        for number in range(1, count + 1)
    ]
    cards += [_tile(each.id, each.sides, "fixed", cell=each.cell) for each in printed_cells()]
    cards += [disc(f"chip-{value}", "chip", "treasure", CHIP_MM, value=value, copies=2) for value in VALUES]
    for value in VALUES:
        size, shape = CARD_MM, "rect"
        cards.append(
            piece(f"card-{value}", "card", "treasure-card", value=value, copies=2, size_mm=size, shape=shape)
        )
    cards += [
        piece(f"explorer-{name}", "pawn", "explorer", colour=name, size_mm=EXPLORER_MM, shape="standing")
        for name in STARTS
    ]
    cards += [
        piece(f"gargoyle-{number}", "figure", "gargoyle", size_mm=GARGOYLE_MM, shape="standing")
        for number in GARGOYLES
    ]
    cards.append(piece("dragon", "figure", "dragon", size_mm=DRAGON_MM, shape="standing"))
    cards.append(disc("coin", "coin", "coin", COIN_MM, copies=24))
    cards += [_die_face(f"die-arrows-{count}") for count in range(1, MOST_ARROWS + 1)]
    cards += [_die_face(f"die-gargoyle-{number}") for number in GARGOYLES]
    cards += [_die_face(f"die-battle-{count}", copies=3) for count in range(1, 7)]
    side = (BOARD_MM, BOARD_MM)
    board = piece("board", "board", size_mm=side, shape="square", chip_cells=chip_cells())
    return Catalogue(
        name="labyrinth2",
        game="labyrinth2",
        cards=(*cards, board),
        card_size_mm=(TILE_MM, TILE_MM),
        corner_radius_mm=0.0,
    )


def _tile(
    name: str, sides: tuple[Side, ...], kind: Literal["fixed", "tile"], cell: tuple[int, int] | None = None
) -> Card:
    at = side_middles(TILE_MM)
    openings = tuple(Node(id=side[0], kind="opening", side=side, at=at[side]) for side in sides)
    return piece(
        name,
        kind,
        shape="square",
        cell=cell,
        rotation=0 if cell is not None else None,
        nodes=(*openings, Node(id="m", kind="junction", at=(TILE_MM / 2, TILE_MM / 2))),
        edges=tuple(Edge(kind="corridor", from_=node.id, to="m", level="main") for node in openings),
    )


def _die_face(name: str, copies: int = 1) -> Card:
    return piece(name, "die", copies=copies, size_mm=(DIE_MM, DIE_MM), shape="square")
