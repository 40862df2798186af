"""Scans of Labyrinth 2 boards, made without a photo, and their assessments."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from scorer.board_record import Board
from scorer.catalogue import Catalogue, load_catalogue
from scorer.labyrinth2.game import BUNDLED
from vision.boards.seen import BoardPiece, BoardScan, BoardTile, SpareTile
from waymark.review.boards.assess import BoardAssessment, assess_board, assess_turn


@cache
def open_tiles() -> Catalogue:
    return load_catalogue(BUNDLED)


def scan(**more: Any) -> BoardScan:
    """A board 350 mm wide that is seen from straight above, 2 px to the mm, with a margin of 100 px."""
    catalogue = open_tiles()
    loose = [card.id for card in catalogue.cards if card.kind == "tile"]
    printed = {card.cell: card.id for card in catalogue.cards if card.kind == "fixed"}
    tiles = []
    for row in range(7):
        for column in range(7):
            x, y = 100 + 100 * column, 100 + 100 * row
            corners = ((x, y), (x + 100, y), (x + 100, y + 100), (x, y + 100))
            name = printed.get((column, row)) or loose.pop(0)
            own = (column, row) in printed
            tiles.append(BoardTile(name, (column, row), 0, corners, 1.0, 1.0, printed=own))
    usual: dict[str, Any] = {
        "width": 900,
        "height": 900,
        "warnings": (),
        "to_photo": ((2.0, 0.0, 100.0), (0.0, 2.0, 100.0), (0.0, 0.0, 1.0)),
        "grid_px": ((100, 100), (800, 100), (800, 800), (100, 800)),
        "tiles": tuple(tiles),
        "spare": SpareTile(loose[0], 90, ((0, 0), (90, 0), (90, 90), (0, 90)), 1.0, "top", 3),
        "pieces": (
            piece("dragon", (3, 3), facing="left"),
            piece("gargoyle-1", (4, 2)),
            piece("gargoyle-2", (2, 4)),
            piece("explorer-red", (0, 0)),
            piece("explorer-blue", (6, 0)),
            piece("chip-3", (2, 0)),
        ),
        "held": (),
        "hidden": (),
        "unread": (),
        "seats_in_view": ("top", "right", "bottom", "left"),
    }
    return BoardScan(**(usual | more))


def piece(name: str, cell: tuple[int, int], **more: Any) -> BoardPiece:
    at = (150.0 + 100 * cell[0], 150.0 + 100 * cell[1])
    return BoardPiece(name, cell, at, **({"confidence": 1.0} | more))


def assessed(read: BoardScan, told: Board | None = None, **more: Any) -> BoardAssessment:
    return assess_board(read, open_tiles(), None, told, **more)


def with_tile(read: BoardScan, cell: tuple[int, int], **more: Any) -> BoardScan:
    tiles = tuple(replace(each, **more) if each.cell == cell else each for each in read.tiles)
    return replace(read, tiles=tiles)


def pushed() -> BoardScan:
    """The board after the spare came in at top3: column 3 moved down."""
    before = scan()
    column = [next(each for each in before.tiles if each.cell == (3, row)) for row in range(7)]
    assert before.spare is not None
    incoming = replace(column[0], tile=before.spare.tile, rotation=90)
    moved = [incoming, *(replace(each, cell=(3, row + 1)) for row, each in enumerate(column[:-1]))]
    rest = [each for each in before.tiles if each.cell[0] != 3]
    out = replace(before.spare, tile=column[-1].tile, rotation=0, side="bottom", line=3)
    order = sorted([*rest, *moved], key=lambda each: (each.cell[1], each.cell[0]))
    return replace(before, tiles=tuple(order), spare=out)


def turn_of(after: BoardScan, player: str = "red") -> Any:
    before = assessed(replace(scan(), spare=replace(scan().spare, side=None, line=None)))  # type: ignore[type-var]
    return assess_turn(before, assessed(after), player)
