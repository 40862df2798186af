"""A card's dungeon in the making: nets of lines on both levels, what stands at their joints, rooms."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point as ShapelyPoint

from calibration.proposal.centre_lines import (
    MAIN_CHANCES,
    UNDER_CHANCES,
    Array,
    Net,
    resampled,
    traced_net,
)
from calibration.proposal.drawing import MAIN, ROOM, UNDER
from calibration.proposal.habits import Habits
from calibration.proposal.seen_rooms import SeenRoom, outside_rooms, seen_rooms
from calibration.proposal.spots import SeenFind
from calibration.proposal.ways_on import Ground
from scorer.catalogue import Level, Point, Side

LEVELS: tuple[Level, Level] = ("main", "underground")
SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
#: How far finds and stairs may lie from the lines and joints that they belong to, mm.
FIND_TO_LINE_MM, FIND_TO_JOINT_MM, STAIRS_TO_LINE_MM = 4.0, 3.5, 4.0
#: Openings this near are one.
ONE_OPENING_MM = 3.0
#: A line's weakest part is as long as so many steps of half a millimetre.
_WEAK_STEPS = 5


@dataclass
class Place:
    """What stands at a joint of a level's net."""

    kind: str
    chance: float
    side: Side | None = None
    room: str | None = None
    find: SeenFind | None = None
    #: Number of the stairs or the fall that leads here from the other level.
    pair: int | None = None


class Draft:
    """One card's dungeon in the making: `parts` (8, H, W) are what is seen of it."""

    def __init__(
        self,
        parts: NDArray[np.float32],
        size_mm: Point,
        finds: list[SeenFind],
        habits: Habits,
    ) -> None:
        self.habits = habits
        self.size_mm = np.asarray(size_mm, float)
        self.px_per_mm = np.array(parts.shape[:0:-1], float) / self.size_mm
        self.rooms = seen_rooms(parts[ROOM], self.size_mm, self.px_per_mm)
        outside = outside_rooms(parts[MAIN], self.rooms, self.px_per_mm)
        self.nets: dict[Level, Net] = {
            "main": traced_net(outside, self.px_per_mm, MAIN_CHANCES),
            "underground": traced_net(parts[UNDER], self.px_per_mm, UNDER_CHANCES),
        }
        self.places: dict[Level, dict[int, Place]] = {level: {} for level in LEVELS}
        self.falls: list[tuple[SeenFind, int, float]] = []
        self.finds = finds
        self.parts = parts
        self.stairs: list[float] = []
        self.grounds = {level: Ground(parts, level, self.px_per_mm) for level in LEVELS}

    def free_ends(self, level: Level) -> list[int]:
        net = self.nets[level]
        return [j for j in net.ends() if j not in self.places[level]]

    def usual_place(self, side: Side, at: Array, reach_mm: float) -> Array | None:
        """Where the deck has an opening near a place on this side, the one that most cards have."""
        near = [o for o in self.habits.openings if o.side == side]
        near = [o for o in near if np.hypot(*(o.at(self.size_mm) - at)) <= reach_mm]
        return max(near, key=lambda o: o.count).at(self.size_mm) if near else None

    def wall(self, at: Array) -> tuple[SeenRoom | None, Array, float]:
        """The nearest room, the point on its wall, and how far that is."""
        best: tuple[SeenRoom | None, Array, float] = (None, at, np.inf)
        for room in self.rooms:
            wall = room.polygon.exterior
            point = wall.interpolate(wall.project(ShapelyPoint(at)))
            off = float(np.hypot(point.x - at[0], point.y - at[1]))
            if off < best[2]:
                best = (room, np.array([point.x, point.y]), off)
        return best

    def opening_near(self, at: Array) -> bool:
        return any(
            place.kind == "opening" and np.hypot(*(self.nets[level].joints[joint] - at)) < ONE_OPENING_MM
            for level in LEVELS
            for joint, place in self.places[level].items()
        )

    def most_near(self, part: int, at: Array) -> float:
        """How likely a part is at most within two millimetres and a half."""
        row, column = self.grounds["main"].pixel(at)
        rows, columns = (int(np.ceil(2.5 * scale)) for scale in self.px_per_mm[::-1])
        near = self.parts[
            part, max(0, row - rows) : row + rows + 1, max(0, column - columns) : column + columns + 1
        ]
        return float(near.max())

    def _along(self, level: Level, line: Array) -> Array:
        """How likely a line of this level is, every half millimetre of it."""
        at = (resampled(line, 0.5) * self.px_per_mm - 0.5).astype(np.float32)
        part = MAIN if level == "main" else UNDER
        return np.asarray(cv2.remap(self.parts[part], at[None], None, cv2.INTER_LINEAR)[0], float)

    def weakest(self, level: Level, line: Array) -> float:
        """How likely a line is where it is least so, over some millimetres."""
        seen = self._along(level, line)
        width = min(len(seen), _WEAK_STEPS)
        return float(np.convolve(seen, np.ones(width) / width, "valid").min())

    def free_end_near(self, level: Level, at: Array) -> bool:
        net = self.nets[level]
        return any(np.hypot(*(net.joints[j] - at)) <= STAIRS_TO_LINE_MM for j in self.free_ends(level))

    def joint_for(self, level: Level, at: Array, to_end: float, to_line: float) -> int | None:
        """The joint that a spot belongs to, put there: a line's free end, else a place in its middle."""
        net = self.nets[level]
        near = min(
            ((float(np.hypot(*(net.joints[j] - at))), j) for j in self.free_ends(level)),
            default=(np.inf, -1),
        )
        if near[0] <= to_end:
            net.move(near[1], at)
            return near[1]
        off, number = net.nearest(at)
        if number < 0 or off > to_line:
            return None
        near = min((float(np.hypot(*(net.joints[j] - at))), j) for j in net.stretches[number].ends)
        if near[0] <= FIND_TO_JOINT_MM and near[1] not in self.places[level]:
            return near[1]
        return net.split(number, at)

    def smoothed_over(self, level: Level, joint: int) -> None:
        """Take a joint in mid-line back."""
        net = self.nets[level]
        left = net.at_joint(joint)
        if len(left) == 2 and left[0] != left[1]:
            net.join(joint, left[0], left[1])

    def find_near(self, at: Array) -> bool:
        return any(np.hypot(*(find.spot.at - at)) <= FIND_TO_LINE_MM for find in self.finds)


def off_line(line: Array, at: Array) -> float:
    """How far a place is from a line, in mm."""
    return float(np.hypot(*(resampled(line, 0.5) - at).T).min())
