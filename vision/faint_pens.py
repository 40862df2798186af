"""Second reading with a lower ink threshold, for a dry pen: its lines are as thin as the residue of wiped
lines.

It takes place only if no pen left thicker ink and the line is lost on its way. A question then asks whether
the line found belongs to this round.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scorer.dungeon import Dungeon
from vision import parameters
from vision.ink.ink_map import InkMap
from vision.ink.pens import all_thin
from vision.marks import Rings, find_rings
from vision.path.read import PathReading, read_path
from vision.path.style import habits_of


def read_lines(
    ink: InkMap, fainter_ink: Callable[[float], InkMap], dungeon: Dungeon
) -> tuple[InkMap, Rings, PathReading]:
    """Rings and path on a dungeon, with the ink map that shows them.

    `fainter_ink` computes the ink map for pens that leave a given share of the usual film
    (`vision.ink.likelihood.read_ink`).
    """
    best = _read(ink, dungeon)
    if not all_thin(ink.pens):
        return best
    for faint in parameters.FAINT_PENS.film_shares:
        if _is_whole(best[2], dungeon):
            break
        fainter = _read(fainter_ink(faint), dungeon)
        if _length_mm(fainter[2]) > parameters.FAINT_PENS.longer_factor * _length_mm(best[2]):
            best = fainter
    return best


def _read(ink: InkMap, dungeon: Dungeon) -> tuple[InkMap, Rings, PathReading]:
    rings = find_rings(ink, dungeon)
    return ink, rings, read_path(ink, dungeon, rings)


def _is_whole(reading: PathReading, dungeon: Dungeon) -> bool:
    """Whether a path has an end at the outer edge, and all ends of its strokes are places where lines may
    end."""
    ends = [name for stroke in reading.path for name in (stroke[0], stroke[-1])]
    if not ends:
        return False
    habits = habits_of(dungeon)
    places = [dungeon.places[name] for name in ends]
    return any(name in dungeon.open_openings for name in ends) and all(
        place.id in dungeon.open_openings
        or place.kind in ("room", "room_find", "door")
        or place.find in habits.gates | habits.stops_at
        for place in places
    )


def _length_mm(reading: PathReading) -> float:
    lines = (stroke.line_mm for stroke in reading.strokes)
    return sum(float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines)
