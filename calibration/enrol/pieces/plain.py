"""Pieces that need no photo, since their colour identifies them; they are added to a box automatically."""

from __future__ import annotations

import numpy as np

from calibration.enrol.pieces.box import Box
from calibration.enrol.pieces.looking import Seen
from scorer.enrolment_pieces import AskedPieces

_SIDE_PX = 200
#: Colours by name, as (blue, green, red).
_PAINTS = {
    "red": (48, 48, 200),
    "blue": (190, 100, 40),
    "yellow": (60, 200, 235),
    "green": (70, 140, 50),
    "sapphire": (190, 90, 30),
    "tiger_eye": (40, 110, 180),
    "jade": (110, 160, 60),
    "ruby": (60, 30, 190),
    "gold": (60, 190, 230),
}


def add_plain(box: Box, asked: tuple[AskedPieces, ...]) -> None:
    """Add the plain coloured pieces that every box contains."""
    for sort in asked:
        for colour in sort.colours if sort.plain else ():
            name = f"{sort.word}-{colour}"
            if box.entry(name) is not None:
                continue
            face = np.full((_SIDE_PX, _SIDE_PX, 3), _PAINTS[colour], np.uint8)
            entry = box.new(sort, name, Seen(sort, sort.usual_mm, np.zeros((4, 2)), face))
            entry |= {"copies": sort.copies, sort.plain: colour}
            box.put(entry)
