"""How sure each thing on a read board is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Protocol

from scorer.board_record import Board, Cell, Piece, SpareTile, Tile
from vision.boards.seen import BoardScan
from waymark.review.boards.confidence import SURE_SPARE, asked_below, tile_confidences
from waymark.review.boards.question import BoardQuestion, Settled
from waymark.review.boards.questions import LIKELY_DISC, SURE_DISC, SURE_FACING

#: Maximum evidence (nats) of a confidence.
BOARD_MOST_NATS = 6.0
#: Log-odds (nats) that a disc is as read, and that none lies in plain view where none was read. Of 468 discs
#: read in 70 photos (`tuning-labyrinth2` from 4002) one was wrong; all 14 missed ones were hidden.
READ_DISC, UNSEEN_DISC = 4.0, 3.0


class Read(Protocol):
    """A board as read or as corrected by hand."""

    @property
    def board(self) -> Board: ...
    @property
    def scan(self) -> BoardScan: ...
    @property
    def by_hand(self) -> bool: ...
    @property
    def doubts(self) -> Sequence[BoardQuestion]: ...
    @property
    def said(self) -> Settled: ...


@dataclass(frozen=True)
class Surety:
    """Confidence (0 to 1) of each thing read on a board; things without an entry were stated by a
    person. `dark` are cells that may hold something the photo does not show; `absent` are the figures
    that a person said are not there, `glimpses` all places where a figure may have been seen."""

    tiles: Mapping[Cell, tuple[float, float]] = field(default_factory=dict)
    spare: float = 1.0
    pieces: Mapping[tuple[str, Cell], float] = field(default_factory=dict)
    facings: Mapping[str, float] = field(default_factory=dict)
    dark: frozenset[Cell] = frozenset()
    absent: frozenset[str] = frozenset()
    glimpses: Mapping[tuple[str, Cell], float] = field(default_factory=dict)

    def tile(self, cell: Cell) -> tuple[float, float]:
        return self.tiles.get(cell, (1.0, 1.0))

    def piece(self, piece: Piece) -> float:
        return self.pieces.get((piece.piece or "", piece.cell or (-1, -1)), 1.0)

    def of(self, lying: Tile | SpareTile) -> tuple[float, float]:
        """Confidences of a tile's name and rotation, in a cell or beside the board."""
        return self.tile(lying.cell) if isinstance(lying, Tile) else (self.spare, 1.0)


def surety_of(read: Read) -> Surety:
    """The confidences of a board. What a person has answered has no doubt any more, and is certain."""
    if read.by_hand:
        return Surety()
    scan = read.scan
    least = asked_below(scan)
    open_ = {(each.about, each.cell) for each in read.doubts}
    lost = {each.put for each in read.doubts if each.put is not None}
    spare = 0.0 if scan.spare is None else scan.spare.confidence
    pieces = (*scan.unread, *scan.pieces)
    dark = [each.cell for each in scan.hidden] + [each.cell for each in scan.unread]
    dark += [each.cell for each in scan.pieces if not each.disc]
    return Surety(
        tiles={
            cell: each
            for cell, each in tile_confidences(scan).items()
            if min(each) >= least.tile or ("tile", cell) in open_ or ("rotation", cell) in open_
        },
        spare=spare if spare >= SURE_SPARE or ("spare", None) in open_ else 1.0,
        pieces={
            (each.piece, each.cell): each.confidence
            for each in pieces
            if ("piece", each.cell) in open_
            or each.piece in lost
            or each.confidence >= (SURE_DISC if each.disc else least.figure)
        },
        facings={
            each.piece: each.facing_confidence
            for each in pieces
            if each.facing is not None
            and (each.facing_confidence >= SURE_FACING or ("facing", each.cell) in open_)
        },
        dark=frozenset(dark) - read.said.cells,
        absent=read.said.absent,
        glimpses={(each.piece, each.cell): each.confidence for each in pieces if not each.disc},
    )


def nats(confidence: float) -> float:
    """Log-odds of a confidence, in nats."""
    at = min(max(confidence, 0.5), 0.9999)
    return min(log(at / (1 - at)), BOARD_MOST_NATS)


def disc_nats(confidence: float) -> float:
    """Log-odds (nats) that a disc was read correctly; its confidence is a lead, not a probability."""
    return READ_DISC if confidence >= LIKELY_DISC else 0.0
