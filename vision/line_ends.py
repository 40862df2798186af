"""Line ends: where else a group's line may end than where its ink does: under what stands there, on the card
beyond a seam, a place on where the pen was pressed less."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from scorer.dungeon import Dungeon, Link
from vision import tuning
from vision.ink_map import PX_PER_MM, InkMap
from vision.link_evidence import LinkEvidence
from vision.path import PathDoubt, PathReading
from vision.walks import Path

#: Ways along which a line is led on under what stands on it, or thin ink.
_WALKED = ("corridor", "stairs", "crossing")


def under_figures(ink: InkMap, path: Path, dungeon: Dungeon) -> Iterator[PathDoubt]:
    """Where else lines may end that end under something that stands there: a place on, or a place or two
    less."""

    def other_ends(stroke: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for link in dungeon.neighbours[stroke[-1]]:
            if link.kind in _WALKED and link.b not in stroke[-2:] and is_covered(ink, dungeon, link.b):
                yield (*stroke, link.b)
        for less in (1, 2):
            if len(stroke) > less + 1 and is_covered(ink, dungeon, stroke[-1 - less]):
                yield stroke[:-less]

    for number, stroke in enumerate(path):
        for walked in (stroke, stroke[::-1]):
            if len(stroke) < 2 or not is_covered(ink, dungeon, walked[-1]):
                continue
            others = tuple(
                (*path[:number], other if walked == stroke else other[::-1], *path[number + 1 :])
                for other in other_ends(walked)
            )
            if others:
                yield PathDoubt("path", walked[-1], others, "standing", tuning.STANDING_BEHIND)


def is_covered(ink: InkMap, dungeon: Dungeon, name: str) -> bool:
    """Whether something stands on a place."""
    x, y = np.round(ink.to_px(np.asarray(dungeon.places[name].at_mm))).astype(int).tolist()
    reach = round(tuning.STANDING_MM * PX_PER_MM)
    left, top = max(x - reach, 0), max(y - reach, 0)
    part = ink.visible[top : max(y + reach + 1, 0), left : max(x + reach + 1, 0)]
    if not part.size:  # on a card on which this pen did not draw
        return False
    around = np.zeros(part.shape, np.uint8)
    cv2.circle(around, (x - left, y - top), reach, 1, -1)
    seen = part[around > 0]
    return bool(len(seen)) and float(np.mean(~seen)) > tuning.STANDING_HIDDEN


def over_seams(reading: PathReading, dungeon: Dungeon) -> PathReading:
    """A reading whose lines end on the next card where they end on the edge of a card that another one
    touches: on that one the pen may have left no ink."""
    return replace(
        reading,
        strokes=tuple(replace(each, places=_beyond((each.places,), dungeon)[0]) for each in reading.strokes),
        doubts=tuple(
            replace(doubt, others=tuple(_beyond(path, dungeon) for path in doubt.others))
            for doubt in reading.doubts
        ),
    )


def _beyond(path: Path, dungeon: Dungeon) -> Path:
    ends = {name for stroke in path if stroke for name in (stroke[0], stroke[-1])}

    def longer(stroke: tuple[str, ...]) -> tuple[str, ...]:
        beyond = next((link.b for link in dungeon.neighbours[stroke[-1]] if link.kind == "crossing"), None)
        return stroke if beyond is None or beyond in ends | set(stroke[-2:]) else (*stroke, beyond)

    return tuple(longer(longer(stroke)[::-1])[::-1] if len(stroke) > 1 else stroke for stroke in path)


def thinly_drawn(links: Sequence[Link], evidence: Sequence[LinkEvidence]) -> frozenset[frozenset[str]]:
    """The ways along which some ink is."""
    return frozenset(
        frozenset((link.a, link.b))
        for link, seen in zip(links, evidence, strict=True)
        if link.kind in _WALKED and seen.coverage >= tuning.THIN_COVERAGE
    )


def led_on(path: Path, thin: Collection[frozenset[str]], dungeon: Dungeon) -> Iterator[PathDoubt]:
    """Lines that may go a place on: a pen is pressed less where a line begins and ends."""
    walked = {name for stroke in path for name in stroke}
    for number, stroke in enumerate(path):
        for first, end in ((True, stroke[0]), (False, stroke[-1])):
            on = [
                link.b
                for link in dungeon.neighbours[end]
                if link.b not in walked and frozenset((end, link.b)) in thin
            ]
            longer = [(name, *stroke) if first else (*stroke, name) for name in on]
            if longer:
                others = tuple((*path[:number], other, *path[number + 1 :]) for other in longer)
                yield PathDoubt("path", end, others, "faint", tuning.THIN_BEHIND)
