"""The pieces of the tile set as data. Lengths are millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.catalogue import Card, Catalogue, Edge, Node, Point, Side

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


def sides_of(card: Card) -> tuple[Side, ...]:
    return tuple(node.side for node in card.nodes if node.side is not None)


def build_catalogue() -> Catalogue:
    """The catalogue with every piece of the set."""
    cards = [
        _tile(f"{shape}{number:02d}", OPEN[shape], "tile")
        for shape, count in LOOSE.items()
        for number in range(1, count + 1)
    ]
    cards += [_tile(each.id, each.sides, "fixed", cell=each.cell) for each in printed_cells()]
    cards += [
        Card(
            id=f"chip-{value}",
            kind="chip",
            role="treasure",
            value=value,
            copies=2,
            size_mm=(CHIP_MM, CHIP_MM),
            shape="disc",
            art=f"art/chip-{value}.png",
        )
        for value in VALUES
    ]
    cards += [
        Card(
            id=f"card-{value}",
            kind="card",
            role="treasure-card",
            value=value,
            copies=2,
            size_mm=CARD_MM,
            shape="rect",
            art=f"art/card-{value}.png",
        )
        for value in VALUES
    ]
    cards += [_standing(f"explorer-{name}", "explorer", EXPLORER_MM, colour=name) for name in STARTS]
    cards += [_standing(f"gargoyle-{number}", "gargoyle", GARGOYLE_MM) for number in GARGOYLES]
    cards.append(_standing("dragon", "dragon", DRAGON_MM))
    cards.append(
        Card(
            id="coin",
            kind="coin",
            role="coin",
            copies=24,
            size_mm=(COIN_MM, COIN_MM),
            shape="disc",
            art="art/coin.png",
        )
    )
    cards += [_die_face(f"die-arrows-{count}") for count in range(1, MOST_ARROWS + 1)]
    cards += [_die_face(f"die-gargoyle-{number}") for number in GARGOYLES]
    cards += [_die_face(f"die-battle-{count}", copies=3) for count in range(1, 7)]
    board = Card(
        id="board",
        kind="board",
        size_mm=(BOARD_MM, BOARD_MM),
        shape="square",
        chip_cells=chip_cells(),
        art="art/board.png",
    )
    return Catalogue(
        name="labyrinth2",
        game="labyrinth2",
        cards=(*cards, board),
        card_size_mm=(TILE_MM, TILE_MM),
        corner_radius_mm=0.0,
    )


def _tile(name: str, sides: tuple[Side, ...], kind: str, cell: tuple[int, int] | None = None) -> Card:
    middle = TILE_MM / 2
    at: dict[Side, Point] = {
        "top": (middle, 0.0),
        "right": (TILE_MM, middle),
        "bottom": (middle, TILE_MM),
        "left": (0.0, middle),
    }
    openings = tuple(Node(id=side[0], kind="opening", side=side, at=at[side]) for side in sides)
    return Card(
        id=name,
        kind="fixed" if kind == "fixed" else "tile",
        shape="square",
        art=f"art/{name}.png",
        cell=cell,
        rotation=0 if cell is not None else None,
        nodes=(*openings, Node(id="m", kind="junction", at=(middle, middle))),
        edges=tuple(Edge(kind="corridor", from_=node.id, to="m", level="main") for node in openings),
    )


def _standing(name: str, role: str, size_mm: Point, colour: str | None = None) -> Card:
    """The catalogue entry of a folded standing figure, with its side view as art."""
    return Card(
        id=name,
        kind="pawn" if role == "explorer" else "figure",
        role=role,
        colour=colour,
        size_mm=size_mm,
        shape="standing",
        art=f"art/{name}.png",
    )


def _die_face(name: str, copies: int = 1) -> Card:
    return Card(
        id=name, kind="die", copies=copies, size_mm=(DIE_MM, DIE_MM), shape="square", art=f"art/{name}.png"
    )
