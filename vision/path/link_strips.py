"""Sampling strips of links: centre line of each corridor as stations, straight across rooms and round
corners."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.dungeon import Dungeon, Link, Place
from scorer.face import Line
from vision.path import parameters
from vision.path.style import DrawingStyle

Array = NDArray[np.float64]

#: Distance (mm) between stations.
STATION_MM = 0.5


def strip_lines(dungeon: Dungeon, style: DrawingStyle) -> list[Array | None]:
    """Stations (N, 2) of each link's strip, in table mm; None for a link without length."""
    strips: list[Array | None] = [None] * len(dungeon.links)
    long: list[int] = []
    lines: list[Line] = []
    arcs: list[list[float]] = []
    for i, link in enumerate(dungeon.links):
        if link.kind == "room":
            strips[i] = _behind_door(dungeon, link, style)
        elif link.kind != "fall":
            line = link.line_mm
            legs = itertools.starmap(math.dist, itertools.pairwise(line))
            arc = list(itertools.accumulate(legs, initial=0.0))
            if arc[-1] >= 2.0:
                long.append(i)
                lines.append(line)
                arcs.append(arc)
    if long:
        for i, strip in zip(long, _stations(lines, arcs), strict=True):
            strips[i] = strip
    return strips


def _stations(lines: Sequence[Line], arcs: Sequence[Sequence[float]]) -> list[Array]:
    """Polylines (mm) resampled to evenly spaced stations (N, 2), with corners rounded so that strips do not
    fold.

    `arcs` holds the arc length at each point. All lines are done together for speed: a table of forty cards
    has 800.
    """
    lengths = np.array([arc[-1] for arc in arcs])
    counts = np.maximum(3, np.round(lengths / STATION_MM).astype(int) + 1)
    # lines are joined in one array, with a gap between them
    begin = np.concatenate([[0.0], np.cumsum(lengths + 1.0)[:-1]])
    arc = np.concatenate([np.asarray(each) + start for each, start in zip(arcs, begin, strict=True)])
    points = np.concatenate([np.asarray(line, float) for line in lines])
    # two extra stations at each end of a line, for smoothing
    last = np.cumsum(counts + 4) - 3
    first = last - counts + 1
    owner = np.repeat(np.arange(len(lines)), counts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    at = begin[owner] + number * (lengths / (counts - 1))[owner]
    padded = np.zeros((int(last[-1]) + 3, 2))
    core = first[owner] + number
    for axis in range(2):
        padded[core, axis] = np.interp(at, arc, points[:, axis])
    for away in (1, 2):
        padded[first - away] = 2 * padded[first] - padded[first + away]
        padded[last + away] = 2 * padded[last] - padded[last - away]
    weights = (1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9)
    rounded = np.zeros((len(core), 2))
    for k, weight in enumerate(weights):
        rounded += weight * padded[core + k - 2]
    return np.split(rounded, np.cumsum(counts)[:-1])


def _behind_door(dungeon: Dungeon, link: Link, style: DrawingStyle) -> Array | None:
    """Stations (N, 2) from a door straight into its room; None if the link does not join a door to its
    room."""
    a, b = dungeon.places[link.a], dungeon.places[link.b]
    door, room = (a, b) if a.kind == "door" else (b, a)
    if door.kind != "door" or room.kind != "room":
        return None
    depth_mm = parameters.LINKS.behind_door_corridors * style.corridor_mm
    deep = np.arange(0.0, depth_mm + 1e-6, STATION_MM)[:, None]
    return np.asarray(np.asarray(door.at_mm) + _inward(door, room) * deep)


def _inward(door: Place, room: Place) -> Array:
    """Unit vector (2,) from a door into its room, perpendicular to the wall of the door."""
    at = np.asarray(door.at_mm)
    corners = np.asarray(room.outline_mm)
    start, end = corners, np.roll(corners, -1, axis=0)
    along = end - start
    length2 = np.maximum((along**2).sum(axis=1), 1e-9)
    t = np.clip(((at - start) * along).sum(axis=1) / length2, 0, 1)
    wall = int(np.linalg.norm(start + t[:, None] * along - at, axis=1).argmin())
    across = np.array([-along[wall, 1], along[wall, 0]]) / np.sqrt(length2[wall])
    middle = np.asarray(room.at_mm) - at
    inside = cv2.pointPolygonTest(
        corners.astype(np.float32), tuple(float(v) for v in at + 0.5 * across), False
    )
    if inside > 0:
        return np.asarray(across)
    return np.asarray(-across if inside < 0 else across * np.sign(across @ middle or 1.0))


def normals(lines: Array) -> Array:
    """Unit normals (R, N, 2) of polylines (R, N, 2); zero where consecutive points coincide."""
    before, behind = lines[:, [0, *range(lines.shape[1] - 1)]], lines[:, [*range(1, lines.shape[1]), -1]]
    along = behind - before
    along /= np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-9)[..., None]
    return np.stack([-along[..., 1], along[..., 0]], axis=-1)
