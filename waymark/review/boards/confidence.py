"""Confidence in the tiles of a board photo, lowered where a tile is wholly hidden. Such a tile is only
known as the one left over, and its rotation is not known."""

from __future__ import annotations

from scorer.board_record import Cell
from vision.boards.scan_layered import LayeredScan
from vision.boards.scan_loose import LooseScan
from vision.boards.seen import BoardScan

#: Hidden share of a cell from which nothing of its tile is seen.
WHOLLY_HIDDEN = 0.95
#: Confidence of the tile beside the board from which no question is asked about it.
SURE_SPARE = 0.6
#: Highest confidence in a wholly hidden tile that more than one tile may be. Of 20 such tiles
#: (`tuning-labyrinth2`, 84 photos from 4002) 4 were wrong; each time the spare was below `SURE_SPARE`.
LEFT_OVER = 0.8


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
