"""What lies before whom: discs beside a board, by the side of the board before which they lie.

Coins that lie together by themselves are nobody's: they are still to be won. Whether a single one is, nobody
can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue, Side
from vision import homography
from vision.board_seen import SIDES, BoardScan, HeldPiece

Array = NDArray[np.float64]

#: Before a player things lie in rows: so far from one another (their width) at most, and so little (share of
#: the way) out of line.
BESIDE, OUT_OF_LINE = 1.5, 0.36
#: Things that lie before a side nearer to the photo's edge than this (share of its shorter side) may go on
#: beyond it.
NEAR_THE_EDGE = 0.02
#: All that lies before a side is in view, too, where the photo shows so much of the table (mm) about it.
ROUND_THEM_MM = 26.0


def held_by_seat(scan: BoardScan, catalogue: Catalogue) -> dict[Side | None, dict[str, int]]:
    """What lies before each side of the board of which the photo shows enough to tell."""
    told: dict[Side | None, dict[str, int]] = {}
    whole = whole_seats(scan)
    for seat in SIDES:
        there = [each for each in scan.held if each.seat == seat]
        theirs, unknown = _parted(there, scan, catalogue)
        if not unknown and (seat in whole or (theirs and _all_in_view(theirs, scan))):
            told[seat] = dict(sorted(Counter(each.piece for each in theirs).items()))
    return told


def whole_seats(scan: BoardScan) -> list[Side]:
    """The sides of the board before which all is in view."""
    margin = NEAR_THE_EDGE * min(scan.width, scan.height)
    cut = {
        each.seat
        for each in scan.held
        if min(each.at_px[0], each.at_px[1], scan.width - each.at_px[0], scan.height - each.at_px[1])
        < margin + each.reach_px
    }
    return [seat for seat in scan.seats_in_view if seat not in cut]


def _places_mm(pieces: Sequence[HeldPiece], scan: BoardScan) -> Array:
    """(n, 2) where pieces lie on the board's plane."""
    to_board = np.linalg.inv(np.array(scan.to_photo))
    return homography.apply(to_board, np.array([each.at_px for each in pieces], np.float64).reshape(-1, 2))


def _parted(
    there: Sequence[HeldPiece], scan: BoardScan, catalogue: Catalogue
) -> tuple[list[HeldPiece], bool]:
    """Of what lies before a side what is its player's; and whether that cannot be told."""
    at = _places_mm(there, scan)
    wide = [catalogue.size_of(each.piece)[0] for each in there]
    loose = [catalogue.card(each.piece).kind == "coin" for each in there]

    def in_row(one: int, other: int) -> bool:
        way = np.abs(at[one] - at[other])
        near = float(np.hypot(*way)) / max(wide[one], wide[other])
        return 0.9 < near < BESIDE and float(way.min()) < OUT_OF_LINE * float(way.max())

    theirs = {k for k in range(len(there)) if not loose[k]}
    while more := {k for k in range(len(there)) if k not in theirs and any(in_row(k, j) for j in theirs)}:
        theirs |= more
    rest = [k for k in range(len(there)) if k not in theirs]
    askew = any(
        not in_row(one, other) and np.hypot(*(at[one] - at[other])) < BESIDE * max(wide[one], wide[other])
        for one in rest
        for other in rest
        if one != other
    )
    return [there[k] for k in sorted(theirs)], bool(rest) and not theirs and not askew


def _all_in_view(pieces: Sequence[HeldPiece], scan: BoardScan) -> bool:
    """Whether the photo shows the table about things."""
    at = _places_mm(pieces, scan)
    (left, top), (right, bottom) = at.min(axis=0) - ROUND_THEM_MM, at.max(axis=0) + ROUND_THEM_MM
    corners = homography.apply(
        np.array(scan.to_photo), np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    )
    return bool((corners >= 0).all() and (corners < (scan.width, scan.height)).all())
