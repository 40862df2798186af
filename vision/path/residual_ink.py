"""Residual ink: connected regions of ink on the floors that neither the path nor the marks explain.

There the reading may be incomplete.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon
from vision.ink import parameters as ink_parameters
from vision.ink.ink_map import PX_PER_MM, InkMap, freshness
from vision.marks import Rings
from vision.path import parameters
from vision.path.strokes import Stroke
from vision.path.style import habits_of, style_of


@dataclass(frozen=True)
class Leftover:
    """One component of residual ink: (N, 2) table mm of its pixels, its extent, and the nearest place."""

    points_mm: NDArray[np.float64]
    length_mm: float
    place: str


def unexplained(
    ink: InkMap, dungeon: Dungeon, rings: Rings, strokes: Sequence[Stroke]
) -> tuple[Leftover, ...]:
    """The regions of residual ink that are long enough for a line, longest first."""
    style = style_of(dungeon.catalogue)
    # rock beside a corridor is too dark to tell ink from shadow
    floor_mm = max(style.corridor_mm - 2 * parameters.LEFTOVERS.shade_mm, style.corridor_mm / 2)
    floor = np.zeros(ink.evidence.shape, np.uint8)
    for place in dungeon.places.values():
        if place.outline_mm:
            cv2.fillPoly(floor, [_pixels(ink, np.array(place.outline_mm))], 1)
    for link in dungeon.links:
        if link.kind in ("corridor", "stairs"):
            line = _pixels(ink, np.array(link.line_mm))
            cv2.polylines(floor, [line], False, 1, round(floor_mm * PX_PER_MM))
    # marks around a find, and misjudged pixels of its icon, belong to the find
    for name, ringed in zip(rings.places, rings.found, strict=True):
        centre = _pixels(ink, np.array([dungeon.places[name].at_mm]))[0]
        beyond_mm = parameters.LEFTOVERS.ring_beyond_mm if ringed else parameters.LEFTOVERS.icon_beyond_mm
        radius = round((style.icon_mm / 2 + beyond_mm) * PX_PER_MM)
        cv2.circle(floor, (int(centre[0]), int(centre[1])), radius, 0, -1)
    # ink in the line's own corridor belongs to the line: its width, a cut corner, an arrowhead
    for stroke in strokes:
        thickness = round(2 * style.reach_mm * PX_PER_MM)
        cv2.polylines(floor, [_pixels(ink, stroke.line_mm)], False, 0, thickness)
    left = ((ink.evidence > ink_parameters.EVIDENCE.sure_nats) & (floor > 0)).astype(np.uint8)
    # there are mostly only specks, which outlines exclude faster than connected components
    outlines, _ = cv2.findContours(left, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    extents = (cv2.boundingRect(outline)[2:] for outline in outlines)
    least_px = parameters.LEFTOVERS.least_corridors * style.corridor_mm * PX_PER_MM
    if not any(math.hypot(*extent) >= least_px - 1e-6 for extent in extents):
        return ()
    count, labels, stats, centres = cv2.connectedComponentsWithStats(left, connectivity=8)
    names = list(dungeon.places)
    at = np.array([dungeon.places[name].at_mm for name in names])
    found = []
    for k in range(1, count):
        x, y, across, down, _ = stats[k].tolist()
        length = math.hypot(across, down) / PX_PER_MM
        width = float(stats[k, cv2.CC_STAT_AREA]) / PX_PER_MM**2 / max(length, 1e-6)
        if (
            length >= parameters.LEFTOVERS.least_corridors * style.corridor_mm
            and width >= ink_parameters.PENS.least_width_mm
        ):
            part = slice(y, y + down), slice(x, x + across)
            piece = labels[part] == k
            if not _is_slender(piece) or _is_old(piece, part, ink):
                continue
            nearest = names[int(np.linalg.norm(at - ink.to_mm(centres[k]), axis=1).argmin())]
            rows, columns = np.nonzero(piece)
            points = ink.to_mm(np.column_stack([columns + x, rows + y]))
            if not _is_rim(points, dungeon) and not _is_tail(points, dungeon, strokes):
                found.append(Leftover(points, length, nearest))
    return tuple(sorted(found, key=lambda left: -left.length_mm))


def _is_slender(piece: NDArray[np.bool_]) -> bool:
    """Whether a piece of ink (h, w) is a line, straight or bent, by its area and its greatest thickness."""
    inner = cv2.distanceTransform(np.pad(piece, 1).astype(np.uint8), cv2.DIST_L2, 5)
    thickness = 2 * float(inner.max())
    return bool(np.count_nonzero(piece) / thickness >= parameters.LEFTOVERS.slender_factor * thickness)


def _is_old(piece: NDArray[np.bool_], part: tuple[slice, slice], ink: InkMap) -> bool:
    """Whether a piece of ink (h, w), at this part of the map, is the residue of an old line."""
    return ink.film is not None and freshness(float(np.median(ink.film[part][piece])), ink.line_film) == 0


def _is_rim(points_mm: NDArray[np.float64], dungeon: Dungeon) -> bool:
    """Whether ink points (N, 2) table mm all lie near one edge of a card."""
    for i in range(len(dungeon.cards)):
        corners = np.array(dungeon.outline_mm(i))
        for edges in (corners.min(axis=0), corners.max(axis=0)):
            if (np.abs(points_mm - edges).max(axis=0) < parameters.LEFTOVERS.rim_mm).any():
                return True
    return False


def _is_tail(points_mm: NDArray[np.float64], dungeon: Dungeon, strokes: Sequence[Stroke]) -> bool:
    """Whether ink points (N, 2) table mm continue a stroke inside the room where it ends, and reach no other
    door."""
    corridor_mm = style_of(dungeon.catalogue).corridor_mm
    for stroke in (*strokes, *(stroke.reversed() for stroke in strokes)):
        room = dungeon.places[stroke.places[-1]]
        if room.kind != "room" or len(stroke.places) < 2:
            continue
        outline = np.array(room.outline_mm, np.float32)
        if np.linalg.norm(
            points_mm - stroke.line_mm[-1], axis=1
        ).min() > parameters.LEFTOVERS.tail_corridors * corridor_mm or any(
            cv2.pointPolygonTest(outline, (float(x), float(y)), False) < 0 for x, y in points_mm
        ):
            continue
        others = {link.b for link in dungeon.neighbours[room.id]} - {stroke.places[-2]}
        doors = [dungeon.places[name].at_mm for name in others if dungeon.places[name].kind == "door"]
        return all(
            np.linalg.norm(points_mm - door, axis=1).min()
            > parameters.LEFTOVERS.tail_to_door_corridors * corridor_mm
            for door in doors
        )
    return False


def circled_off_path(dungeon: Dungeon, rings: Rings, strokes: Sequence[Stroke]) -> tuple[str, ...]:
    """Circled finds that the path does not visit."""
    visited = {place for stroke in strokes for place in stroke.places}
    return tuple(
        name
        for name, ringed in zip(rings.places, rings.found, strict=True)
        if ringed and name not in visited and dungeon.places[name].room not in visited
    )


def dotted_gates(ink: InkMap, dungeon: Dungeon, rings: Rings, strokes: Sequence[Stroke]) -> tuple[str, ...]:
    """Gates with ink on their icon that are neither visited by the path nor circled.

    A player may mark a visited gate with no more than a dot. Where the path passes underground, its own line
    does not count as a dot.
    """
    gates = habits_of(dungeon).gates
    visited = {place for stroke in strokes for place in stroke.places}
    ringed = {name for name, found in zip(rings.places, rings.found, strict=True) if found}
    radius = round(style_of(dungeon.catalogue).icon_mm / 2 * parameters.DOTS.gate_share * PX_PER_MM)
    drawn = _drawn(ink, strokes, parameters.LEFTOVERS.drawn_mm)
    return tuple(
        place.id
        for place in dungeon.places.values()
        if place.find in gates
        and place.id not in visited | ringed
        and place.room not in visited
        and _dot(ink, _pixels(ink, np.array([place.at_mm]))[0], radius, drawn)
    )


def dotted_openings(ink: InkMap, dungeon: Dungeon, strokes: Sequence[Stroke]) -> tuple[str, ...]:
    """Outer openings that the path does not visit, with a dot of ink at the very edge.

    There a line may begin or end whose rest is hidden, or a very short further line.
    """
    visited = {place for stroke in strokes for place in stroke.places}
    drawn = _drawn(ink, strokes, parameters.DOTS.edge_clear_mm)

    def is_dotted(name: str) -> bool:
        at_px = _pixels(ink, np.array([dungeon.places[name].at_mm]))[0]
        near, round_it = (
            _inked(ink, at_px, round(reach_mm * PX_PER_MM), drawn)
            for reach_mm in (parameters.DOTS.edge_near_mm, parameters.DOTS.edge_round_mm)
        )
        # shadows, floors that look inked and wiped lines are not dots
        alone = round_it.area_mm2 <= parameters.DOTS.edge_alone_factor * near.area_mm2
        return near.area_mm2 >= parameters.DOTS.edge_mm2 and alone and near.fresh == 1

    return tuple(filter(is_dotted, sorted(dungeon.open_openings - visited)))


def _drawn(ink: InkMap, strokes: Sequence[Stroke], wide_mm: float) -> NDArray[np.uint8]:
    """Mask (H, W) of the ink of the strokes."""
    drawn = np.zeros(ink.evidence.shape, np.uint8)
    for stroke in strokes:
        line = _pixels(ink, stroke.line_mm)
        cv2.polylines(drawn, [line], False, 1, round(wide_mm * PX_PER_MM))
    return drawn


@dataclass(frozen=True)
class _Inked:
    """Ink near a point: its area (mm2), and its freshness, 0 to 1 (`vision.ink.ink_map`)."""

    area_mm2: float
    fresh: float


def _inked(ink: InkMap, at_px: NDArray[np.int32], radius_px: int, drawn: NDArray[np.uint8]) -> _Inked:
    """The ink within a disc, without the pixels in `drawn`."""
    x, y = int(at_px[0]), int(at_px[1])
    left, top = max(x - radius_px, 0), max(y - radius_px, 0)
    part = (slice(top, max(y + radius_px + 1, 0)), slice(left, max(x + radius_px + 1, 0)))
    disc = np.zeros(drawn[part].shape, np.uint8)
    cv2.circle(disc, (x - left, y - top), radius_px, 1, -1)
    inked = (ink.evidence[part] > ink_parameters.EVIDENCE.sure_nats) & (disc > 0) & (drawn[part] == 0)
    film = ink.film[part][inked] if ink.film is not None and inked.any() else None
    fresh = 1.0 if film is None else freshness(float(np.median(film)), ink.line_film)
    return _Inked(float(inked.sum()) / PX_PER_MM**2, fresh)


def _dot(ink: InkMap, at_px: NDArray[np.int32], radius_px: int, drawn: NDArray[np.uint8]) -> bool:
    """Whether a disc holds enough ink for a dot, without the pixels in `drawn`."""
    inked = _inked(ink, at_px, radius_px, drawn)
    return inked.area_mm2 >= parameters.DOTS.gate_mm2 and inked.fresh > 0


def begun_gates(ink: InkMap, dungeon: Dungeon, strokes: Sequence[Stroke]) -> tuple[str, ...]:
    """Gates in rooms with ink at their centre that is not the path's.

    A line that begins or ends at a gate leaves such ink, circled or not; the rest of the line may be
    another's.
    """
    gates = habits_of(dungeon).gates
    radius = round(style_of(dungeon.catalogue).icon_mm / 2 * parameters.DOTS.begun_share * PX_PER_MM)
    drawn = _drawn(ink, strokes, parameters.LEFTOVERS.drawn_mm)
    return tuple(
        place.id
        for place in dungeon.places.values()
        if place.find in gates
        and place.room is not None
        and _dot(ink, _pixels(ink, np.array([place.at_mm]))[0], radius, drawn)
    )


def landings(
    dungeon: Dungeon,
    leftovers: Sequence[Leftover],
    off_path: Sequence[str],
    dotted: Sequence[str],
    begun: Sequence[str],
    strokes: Sequence[Stroke],
) -> tuple[Stroke, ...]:
    """Short strokes from a gate into a room, inferred where a visit leaves little ink.

    A landing is inferred if a line leads off the gate. It is also inferred if the gate is circled and the
    path does not visit its room. Another case is a path that ends at a gate, or in a room with one. Then
    exactly one other gate must be `dotted` or `begun`; a `begun` gate counts even if the path visits its
    room.
    """
    gates = habits_of(dungeon).gates
    ends = {name for stroke in strokes for name in (stroke.places[0], stroke.places[-1])}
    gated = {place.room for place in dungeon.places.values() if place.find in gates}
    left_by = [name for name in ends if name in gated or dungeon.places[name].find in gates]
    elsewhere = {*dotted, *(name for name in begun if dungeon.places[name].room not in ends)}
    entered = elsewhere if len(elsewhere) == 1 and len(left_by) == 1 else set()
    # a line that starts at a gate is visible from an icon's diameter off its centre
    landing_mm = style_of(dungeon.catalogue).icon_mm
    visited = {place for stroke in strokes for place in stroke.places}
    found = []
    for place in dungeon.places.values():
        if (
            place.kind != "room_find"
            or place.find not in gates
            or place.room is None
            or (place.room in visited and place.id not in entered)
        ):
            continue
        outline = np.array(dungeon.places[place.room].outline_mm, np.float32)
        told = place.id in off_path or place.id in entered
        goal = np.asarray(dungeon.places[place.room].at_mm) if told else None
        for left in leftovers:
            middle = np.median(left.points_mm, axis=0)
            distance = np.linalg.norm(left.points_mm - np.asarray(place.at_mm), axis=1)
            inside = cv2.pointPolygonTest(outline, (float(middle[0]), float(middle[1])), False) >= 0
            if inside and distance.min() < landing_mm:
                goal = left.points_mm[int(distance.argmax())]
        if goal is not None:
            found.append(Stroke((place.id, place.room), np.array([place.at_mm, goal])))
            visited.add(place.room)
    return tuple(found)


def _pixels(ink: InkMap, points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(ink.to_px(points_mm)).astype(np.int32)
