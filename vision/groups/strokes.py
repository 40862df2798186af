"""Attribution of strokes to groups: strokes of another pen, and alternative ends of a group's line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Link
from vision.groups import parameters
from vision.groups.ink import GroupInk
from vision.groups.pens import colours_off_deg
from vision.ink import parameters as ink_parameters
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.marks import MarkReading
from vision.path.link_evidence import LinkEvidence
from vision.path.read import PathDoubt, PathReading
from vision.path.strokes import Path

Array = NDArray[np.float64]
#: Name of the pen colour that a shadow resembles.
_SHADOW = "black"


@dataclass(frozen=True)
class Hue:
    """Hue differences (degrees) of a stroke's ink from each group's colour and from a shadow.

    Both are unset where too little of the ink shows. `nobodys` marks a hue near no stated colour, as on a
    card as dark as the ink.
    """

    off_deg: tuple[float, ...] = ()
    off_shadow_deg: float = 180.0
    nobodys: bool = False


@dataclass(frozen=True)
class PenLine:
    """The line of one pen (by number) as read, with the hue of each of its strokes."""

    pen: int
    inked: GroupInk
    reading: PathReading
    marks: MarkReading
    hues: tuple[Hue, ...]


def hue_of(inked: GroupInk, line_mm: Array, colours: Sequence[str | None]) -> Hue:
    """Hue differences of the ink along a line (N, 2) table mm from the groups' colours and from a shadow."""
    ink = inked.ink
    points = np.round(ink.to_px(line_mm)).astype(np.int32)
    width = round(PX_PER_MM)
    low = np.maximum(points.min(axis=0) - width, 0)
    high = points.max(axis=0) + width + 1
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    evidence = ink.evidence[part]
    along = np.zeros(evidence.shape, np.uint8)
    cv2.polylines(along, [(points - low).reshape(-1, 1, 2)], False, 1, width)
    there = (along > 0) & (evidence > ink_parameters.EVIDENCE.sure_nats)
    if ink.blank is None or np.count_nonzero(there) < parameters.STROKES.hue_mm2 * PX_PER_MM**2:
        return Hue()
    seen, blank = (
        np.divide(picture[part][there], 255, dtype=np.float32) for picture in (ink.picture, ink.blank)
    )
    *off, shadow = colours_off_deg(seen, blank, (*colours, _SHADOW), inked.chroma)
    if min(*off, shadow) > parameters.OWNERS.told_deg and None not in colours:
        return Hue(nobodys=True)
    return Hue(tuple(off), shadow)


def others_colours(drawn: PenLine, idle: Collection[int]) -> frozenset[int]:
    """The groups of `idle` whose colour fits some stroke of a line better than, or about as well as, the
    owner's."""
    own = drawn.inked.owner.group
    return frozenset(
        group
        for hue in drawn.hues
        for group in idle
        if hue.nobodys
        or (hue.off_deg and hue.off_deg[group] + parameters.STROKES.others_deg < hue.off_deg[own])
    )


def stray_strokes(
    drawn: Sequence[PenLine], covered: Callable[[PenLine, str], bool]
) -> list[dict[int, float]]:
    """For each pen, the strokes (by number) that are probably not its own, with the nats in favour of that.

    If all strokes of a pen are such, each counts no more than the least: the pen may be one that no group
    stated. `covered` tells whether an object stands on a place.
    """
    found = []
    for each in drawn:
        strays = {}
        others = [other for other in drawn if other is not each]
        for number in range(len(each.reading.strokes)):
            nearer = [_shadow_deg(each, number), *(_along_deg(each, number, other) for other in others)]
            degrees = max((deg for deg in nearer if deg is not None), default=None)
            if degrees is not None:
                strays[number] = max(
                    parameters.STROKES.stray_nats, parameters.STROKES.hue_nats_per_deg * degrees
                )
        if len(strays) == len(each.reading.strokes):
            strays = dict.fromkeys(strays, parameters.STROKES.stray_nats)
        grey = [
            k
            for k in range(len(each.reading.strokes))
            if k not in strays and _may_be_shadow(each, k, covered)
        ]
        if len(grey) + len(strays) < len(each.reading.strokes):
            strays |= dict.fromkeys(grey, 0.0)
        found.append(strays)
    return found


def _may_be_shadow(drawn: PenLine, number: int, covered: Callable[[PenLine, str], bool]) -> bool:
    """Whether a short stroke of a grey pen starts or ends under an object, whose shadow looks like that pen's
    ink."""
    hue, places = drawn.hues[number], drawn.reading.path[number]
    if not hue.off_deg or len(_links(places)) > parameters.STROKES.most_shadow_links:
        return False
    own = hue.off_deg[drawn.inked.owner.group]
    return hue.off_shadow_deg <= own == min(hue.off_deg) and any(
        covered(drawn, name) for name in (places[0], places[-1])
    )


def _shadow_deg(drawn: PenLine, number: int) -> float | None:
    """Angle (degrees) by which a short stroke's hue is nearer to a shadow than to any group's pen; None if it
    is not."""
    hue = drawn.hues[number]
    if not hue.off_deg or len(_links(drawn.reading.path[number])) > parameters.STROKES.most_shadow_links:
        return None
    nearer = min(hue.off_deg) - hue.off_shadow_deg
    return nearer if nearer > parameters.STROKES.shadow_deg else None


def _along_deg(drawn: PenLine, number: int, other: PenLine) -> float | None:
    """Angle (degrees) by which a stroke along another pen's line is nearer in hue to that pen; None if it is
    not.

    The result is 0 where the stroke's hue does not show and the other pen's line is longer.
    """
    links = _links(drawn.reading.path[number])
    theirs = {link for places in other.reading.path for link in _links(places)}
    if not links or len(links & theirs) < parameters.STROKES.along_share * len(links):
        return None
    off = drawn.hues[number].off_deg
    if not off:
        return 0.0 if len(theirs) > len(links) else None
    nearer = off[drawn.inked.owner.group] - off[other.inked.owner.group]
    return nearer if nearer > 0 else None


def _links(places: Sequence[str]) -> set[frozenset[str]]:
    return {frozenset(link) for link in pairwise(places)}


def without(reading: PathReading, strays: Mapping[int, float]) -> PathDoubt:
    """The reading with the stray strokes left out, as a doubt that ranks ahead of other readings by the
    strays' nats."""
    kept = tuple(places for number, places in enumerate(reading.path) if number not in strays)
    first = reading.path[min(strays)][0]
    least = min([0.0, *(doubt.behind for doubt in reading.doubts)])
    return PathDoubt("path", first, (kept,), "stray", least - min(strays.values()))


#: Kinds of links along which a line may be extended under an object or along thin ink.
_WALKED = ("corridor", "stairs", "crossing")


def under_figures(ink: InkMap, path: Path, dungeon: Dungeon) -> Iterator[PathDoubt]:
    """Doubts with other ends of lines that end under a figure: one place further, or one or two places
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
                yield PathDoubt(
                    "path", walked[-1], others, "standing", parameters.STROKES.standing_behind_nats
                )


def is_covered(ink: InkMap, dungeon: Dungeon, name: str) -> bool:
    """Whether a figure or other object covers a place."""
    x, y = np.round(ink.to_px(np.asarray(dungeon.places[name].at_mm))).astype(int).tolist()
    reach = round(parameters.STROKES.standing_mm * PX_PER_MM)
    left, top = max(x - reach, 0), max(y - reach, 0)
    part = ink.visible[top : max(y + reach + 1, 0), left : max(x + reach + 1, 0)]
    if not part.size:  # on a card on which this pen did not draw
        return False
    around = np.zeros(part.shape, np.uint8)
    cv2.circle(around, (x - left, y - top), reach, 1, -1)
    seen = part[around > 0]
    return bool(len(seen)) and float(np.mean(~seen)) > parameters.STROKES.standing_hidden_share


def over_seams(reading: PathReading, dungeon: Dungeon) -> PathReading:
    """The reading, with each line that ends at a seam between two cards continued on the next card.

    The pen may have left no ink there.
    """
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
    """Links along which at least a thin trace of ink is seen."""
    return frozenset(
        frozenset((link.a, link.b))
        for link, seen in zip(links, evidence, strict=True)
        if link.kind in _WALKED and seen.coverage >= parameters.STROKES.thin_coverage_share
    )


def led_on(path: Path, thin: Collection[frozenset[str]], dungeon: Dungeon) -> Iterator[PathDoubt]:
    """Doubts about strokes that may reach one place further than read, since pen pressure is low at the ends
    of a line."""
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
                yield PathDoubt("path", end, others, "faint", parameters.STROKES.thin_behind_nats)
