"""The pieces that a box of Labyrinth 2 holds."""

from __future__ import annotations

from scorer.enrolment_pieces import AskedPieces
from scorer.square_grid import BOTTOM, LEFT, RIGHT, TOP
from scorer.text import Text

_T, _R, _B, _L = TOP, RIGHT, BOTTOM, LEFT
#: The printed cells of the family's boards, row by row: ┌┬┬┐ ├├┬┤ ├┴┤┤ └┴┴┘.
_ROWS = (
    (_R | _B, _R | _B | _L, _R | _B | _L, _B | _L),
    (_T | _R | _B, _T | _R | _B, _R | _B | _L, _T | _B | _L),
    (_T | _R | _B, _T | _R | _L, _T | _B | _L, _T | _B | _L),
    (_T | _R, _T | _R | _L, _T | _R | _L, _T | _L),
)
_TREASURES = tuple(range(1, 13))

ASKED: tuple[AskedPieces, ...] = (
    AskedPieces(
        word="tile",
        name=Text("tiles"),
        kind="tile",
        shape="square",
        usual_mm=(50.0, 50.0),
        count=34,
        ways={_T | _B: 12, _T | _R: 16, _R | _B | _L: 6},
    ),
    AskedPieces(
        word="board",
        name=Text("board"),
        kind="board",
        shape="square",
        usual_mm=(390.0, 390.0),
        printed={
            (2 * column, 2 * row): sides
            for row, line in enumerate(_ROWS)
            for column, sides in enumerate(line)
        },
    ),
    AskedPieces(
        word="chip",
        name=Text("treasure chips"),
        kind="chip",
        shape="disc",
        usual_mm=(22.0, 22.0),
        role="treasure",
        count=24,
        copies=2,
        values=_TREASURES,
    ),
    AskedPieces(
        word="coin",
        name=Text("coins"),
        kind="coin",
        shape="disc",
        usual_mm=(20.0, 20.0),
        role="coin",
        count=24,
        copies=24,
    ),
    AskedPieces(
        word="card",
        name=Text("treasure cards"),
        kind="card",
        shape="rect",
        usual_mm=(44.0, 68.0),
        role="treasure-card",
        count=24,
        copies=2,
        values=_TREASURES,
    ),
    AskedPieces(
        word="explorer",
        name=Text("explorers"),
        kind="pawn",
        shape="standing",
        usual_mm=(16.0, 26.0),
        role="explorer",
        count=4,
        colours=("red", "blue", "yellow", "green"),
    ),
    AskedPieces(
        word="gargoyle",
        name=Text("gargoyles"),
        kind="figure",
        shape="standing",
        usual_mm=(22.0, 30.0),
        role="gargoyle",
        count=2,
    ),
    AskedPieces(
        word="dragon",
        name=Text("dragon"),
        kind="figure",
        shape="standing",
        usual_mm=(46.0, 40.0),
        role="dragon",
    ),
)
