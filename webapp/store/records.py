"""Validation of stored records and readings: whether they can belong to a table and a photo."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import msgspec

from scorer.game import Game as Rules
from scorer.record import FORMAT, Record, make_record, within_limits
from vision.cards.pose import CardPose
from vision.scan import Scan
from waymark.review.pipeline import decode_reading
from webapp.store.boards import decode_board
from webapp.store.tables import decode_table

#: Largest plausible distance of a card's corner outside its photo, in photo sizes.
_FAR_OUTSIDE = 4.0
#: Least plausible area of a card that was seen (px²).
_LEAST_CARD_PX2 = 16.0


def check_table_record(plain: Any, rules: Rules | None) -> Any:
    """Validate a stored record of a shared table. Raises as `check_record`."""
    assert rules is not None, "a table is of a known game"
    record = msgspec.convert(plain, rules.rules.record_type)
    return rules.rules.parse_record(msgspec.json.encode(record))


def check_table_reading(data: bytes) -> None:
    """Validate a stored reading of a shared table's photo. Raises as `check_reading`."""
    scan = decode_table(data)
    _check_cards(scan.photo.width, scan.photo.height, scan.cards)
    if len(scan.cards) != len(scan.placed):
        raise ValueError("cards that were seen are not those that lie there")
    within_limits(make_record(scan.placed))


def check_board_record(plain: Any, rules: Rules | None) -> Any:
    """Validate a stored record of a board. Raises as `check_record`."""
    assert rules is not None, "a board is of a known game"
    return rules.rules.parse_record(msgspec.json.encode(plain))


def check_board_reading(data: bytes) -> None:
    """Validate a stored reading of a board photo. Raises as `check_reading`."""
    scan = decode_board(data)
    _check_size(scan.width, scan.height)
    if len(scan.grid_px) != 4:
        raise ValueError("no photo of a board")
    if len(scan.to_photo) != 3 or any(len(row) != 3 for row in scan.to_photo):
        raise ValueError("a board that lies nowhere")


def check_record(plain: Any, _rules: Rules | None = None) -> Record:
    """Validate a stored record. Raises `ValueError`, `TypeError` or `WaymarkError`."""
    record = msgspec.convert(plain, Record)
    if record.format != FORMAT or not all(
        math.isfinite(each) and abs(each) < 1e6 for card in record.cards for each in (card.x, card.y)
    ):
        raise ValueError("no record")
    return within_limits(record)


def check_tableau_reading(data: bytes) -> None:
    """Validate a stored reading of one player's photo. Raises as `check_reading`."""
    check_reading(decode_reading(data))


def check_reading(scan: Scan, depth: int = 0) -> None:
    """Validate a reading: its cards must have possible positions in a photo. Raises `ValueError` or
    `WaymarkError`."""
    check_record(msgspec.to_builtins(scan.tableau))
    _check_cards(scan.photo.width, scan.photo.height, (*scan.cards, *scan.photo.apart))
    if len(scan.cards) != len(scan.tableau.cards) or depth > 2:
        raise ValueError("cards that were seen are not those of the record")
    points = (point for line in scan.path_px for point in line)
    if not all(math.isfinite(value) for point in points for value in point):
        raise ValueError("no line")
    for question in scan.questions:
        if len(question.alternatives) not in (0, len(question.options) - 1):
            raise ValueError("a question without its answers")
    for other in scan.instead:
        check_reading(other, depth + 1)


def _check_cards(width: int, height: int, cards: Iterable[CardPose]) -> None:
    """Raises `ValueError` for a photo without a size, and for cards that cannot be visible in it."""
    _check_size(width, height)
    far = _FAR_OUTSIDE * max(width, height)
    for seen in cards:
        ring = seen.corners
        if len(ring) != 4 or not all(len(at) == 2 and max(map(abs, at)) <= far for at in ring):
            raise ValueError("a card without corners")
        if _is_bent(ring) or seen.rotation not in (0, 90, 180, 270):
            raise ValueError("corners that make no card")


def _check_size(width: int, height: int) -> None:
    if not (0 < width <= 100_000 and 0 < height <= 100_000):
        raise ValueError("no photo")


def _is_bent(ring: tuple[tuple[float, float], ...]) -> bool:
    """Whether four corners do not form a convex outline of sufficient size."""
    turns = []
    for k in range(4):
        (ax, ay), (bx, by), (cx, cy) = ring[k], ring[(k + 1) % 4], ring[(k + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(map(abs, turns)) < _LEAST_CARD_PX2 or not (min(turns) > 0 or max(turns) < 0)
