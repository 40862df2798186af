"""Off-graph steps: strokes and ink map -> strokes joined where a line crosses rock between places without a
link.

Such a step breaks a rule, which the referee checks. Here two strokes become one if the ink continues from an
end of one to an end of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.ink import parameters as ink_parameters
from vision.ink.ink_map import InkMap
from vision.path import parameters
from vision.path.strokes import Stroke
from vision.path.style import style_of

Array = NDArray[np.float64]

_STATION_MM = 0.5
#: Half width (mm) of the band around a straight line between two places in which ink counts, and its step.
_ASIDE_MM, _ASIDE_STEP_MM = 2.0, 0.5


def across_rock(ink: InkMap, dungeon: Dungeon, strokes: Sequence[Stroke]) -> tuple[Stroke, ...]:
    """The strokes, with those merged whose ends are joined by ink across rock."""
    strokes = tuple(strokes)
    tried = [(strokes[i], strokes[k]) for i in range(len(strokes)) for k in range(i + 1, len(strokes))]
    for first, second in tried:
        for before in _ways_out(dungeon, first):
            for after in (each.reversed() for each in _ways_out(dungeon, second)):
                if _is_inked(ink, dungeon, before.places[-1], after.places[0]):
                    line = np.concatenate([before.line_mm, after.line_mm])
                    whole = Stroke((*before.places, *after.places), line)
                    rest = [stroke for stroke in strokes if stroke is not first and stroke is not second]
                    return across_rock(ink, dungeon, (whole, *rest))
    return strokes


def _ways_out(dungeon: Dungeon, stroke: Stroke) -> list[Stroke]:
    """A stroke in both directions; if it ends in a room, also a version that ends at the room's door.

    A line that leaves a doorway through the wall looks as if it entered the room.
    """
    ways = []
    for way in (stroke, stroke.reversed()):
        ways.append(way)
        if len(way.places) > 2 and dungeon.places[way.places[-1]].kind == "room":
            door = np.asarray(dungeon.places[way.places[-2]].at_mm)
            reached = len(way.line_mm) - int(np.linalg.norm(way.line_mm[::-1] - door, axis=1).argmin())
            ways.append(Stroke(way.places[:-1], way.line_mm[: max(reached, 2)]))
    return ways


def _is_inked(ink: InkMap, dungeon: Dungeon, start: str, goal: str) -> bool:
    """Whether a straight line of ink joins two places of one card that no link joins."""
    a, b = dungeon.places[start], dungeon.places[goal]
    if a.card_index != b.card_index or a.level != b.level or "room" in (a.kind, b.kind):
        return False
    if a.kind == b.kind == "door" and a.room == b.room:
        # there is no rock between two doors of one room
        return False
    if dungeon.links_between(start, goal) or {start, goal} & dungeon.open_openings:
        return False
    way = np.asarray(b.at_mm) - np.asarray(a.at_mm)
    length = float(np.linalg.norm(way))
    corridor_mm = style_of(dungeon.catalogue).corridor_mm
    if not corridor_mm < length <= parameters.ROCK_LINES.most_corridors * corridor_mm:
        return False
    along = np.linspace(0, 1, round(length / _STATION_MM) + 1)
    aside = np.arange(-_ASIDE_MM, _ASIDE_MM + 1e-6, _ASIDE_STEP_MM)
    normal = np.array([-way[1], way[0]]) / length
    at = np.asarray(a.at_mm) + along[:, None, None] * way + aside[None, :, None] * normal
    pixels = ink.to_px(at).astype(np.float32)
    # near its ends the ink belongs to the lines drawn there
    core = slice(*(round(corridor_mm / 3 / _STATION_MM) * sign for sign in (1, -1)))
    evidence = cv2.remap(ink.evidence, pixels[core], None, cv2.INTER_LINEAR)
    visible = cv2.remap(ink.visible.view(np.uint8), pixels[core], None, cv2.INTER_NEAREST)
    seen = visible.any(axis=1)
    inked = (evidence > ink_parameters.EVIDENCE.sure_nats).any(axis=1)
    return bool(
        seen.mean() >= parameters.DOUBTS.least_seen_share
        and inked[seen].mean() >= parameters.ROCK_LINES.inked_share
        and (evidence > ink_parameters.EVIDENCE.sure_nats).mean() < parameters.ROCK_LINES.band_share
    )
