"""Confidence in the tiles of a board photo, lowered where a tile is wholly hidden. Such a tile is only
known as the one left over, and its rotation is not known."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.board_record import Cell
from vision.boards.seen import BoardScan, LayeredScan, LooseScan

#: Hidden share of a cell from which nothing of its tile is seen.
WHOLLY_HIDDEN = 0.95
#: Confidence of the tile beside the board from which no question is asked about it.
SURE_SPARE = 0.6
#: Highest confidence in a wholly hidden tile that more than one tile may be. Of 20 such tiles
#: (`tuning-labyrinth2`, 84 photos from 4002) 4 were wrong; each time the spare was below `SURE_SPARE`.
LEFT_OVER = 0.8


@dataclass(frozen=True)
class Asked:
    """Confidences from which nothing is asked: about a tile and its turn, a figure, a thing beside the
    board."""

    tile: float
    figure: float
    held: float


#: Of clear tiles at 0.8 or more 507 of 507 were right, of figures at 0.6 or more 53 of 53 (24 photos of
#: `tuning-ice-and-idols` from 3000). Beside loose panels all 236 cards and coins that were read were right,
#: of chips 10 of 10 between 0.4 and 0.6 and 201 of 210 above (22 photos of `tuning-stone-dragon` from 3000).
PRINTED, LOOSE, CLEAR = Asked(0.97, 0.95, 0.6), Asked(0.97, 0.95, 0.4), Asked(0.85, 0.6, 0.6)


def asked_below(scan: BoardScan) -> Asked:
    """The confidences below which a board of a kind is asked about."""
    if isinstance(scan, LayeredScan):
        return CLEAR
    return LOOSE if isinstance(scan, LooseScan) else PRINTED


def tile_confidences(scan: BoardScan) -> dict[Cell, tuple[float, float]]:
    """Confidence (0 to 1) in each cell's tile and in its rotation."""
    told = {each.cell: (each.tile_confidence, each.turn_confidence) for each in scan.tiles}
    if isinstance(scan, LayeredScan | LooseScan):
        return told
    hidden = {each.cell for each in scan.hidden if each.share >= WHOLLY_HIDDEN}
    loose = [each.cell for each in scan.tiles if each.cell in hidden and not each.printed]
    spare = 0.0 if scan.spare is None else scan.spare.confidence
    only_one = len(loose) == 1 and spare >= SURE_SPARE
    for cell in loose if not only_one else ():
        told[cell] = min(told[cell][0], LEFT_OVER), told[cell][1]
    return told
