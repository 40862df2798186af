"""Draft of a dungeon: graph of centre lines with places, rooms and continuations at its ends."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import Polygon
from skimage.graph import MCP_Geometric

from calibration.enrol.propose.centre_lines import (
    MAIN_CHANCES,
    UNDER_CHANCES,
    Array,
    Net,
    resampled,
    smoothed,
    traced_net,
)
from calibration.enrol.propose.drawing import DOOR, FIND, FLOOR, FOOT, MAIN, ROOM, STAIRS, UNDER
from calibration.enrol.propose.knowledge import Habits, KnownOpening
from scorer.catalogue import FindKind, Level, Point, Side

#: Lowest probabilities at which a detected spot is accepted, by part.
LEAST = {DOOR: 0.35, FIND: 0.4, STAIRS: 0.35, FOOT: 0.35}
#: From these on where something else speaks for it: a line that ends there, an opening of the deck, an icon
#: that is known.
FAINT = {DOOR: 0.2, FIND: 0.2, STAIRS: 0.1, FOOT: 0.1}
#: Minimum distances between spots of one part, in mm.
APART_MM = {DOOR: 3.5, FIND: 5.0, STAIRS: 6.0, FOOT: 6.0}


@dataclass(frozen=True)
class Spot:
    """A detected place: position in mm and probability."""

    at: Array
    chance: float


@dataclass(frozen=True)
class SeenFind:
    """A detected find: its spot, the kind and value read from its icon, and the confidence of that
    reading. `known`: the icon clearly resembles an icon named by a person. `stranger`: the icon resembles
    none of them. Both are false while no icon is named."""

    spot: Spot
    find: FindKind
    value: int
    confidence: float
    #: Whether the icon is compatible with a pit, so that an underground corridor may lead to it.
    may_be_pit: bool = False
    known: bool = False
    stranger: bool = False


def spots(parts: NDArray[np.float32], part: int, px_per_mm: Array, least: float | None = None) -> list[Spot]:
    """Local maxima of the probability map of one part in `parts` (8, H, W), the most probable first.
    `least`: the lowest probability accepted."""
    least = LEAST[part] if least is None else least
    chance = parts[part]
    smooth = cv2.GaussianBlur(chance, (0, 0), 0.8)
    high = cv2.dilate(smooth, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((smooth >= high) & (chance > least))
    found: list[Spot] = []
    for k in np.argsort(-smooth[rows, columns]):
        row, column = int(rows[k]), int(columns[k])
        window = (slice(max(0, row - 2), row + 3), slice(max(0, column - 2), column + 3))
        weight = np.clip(smooth[window] - 0.5 * smooth[row, column], 0, None)
        near_rows, near_columns = np.nonzero(weight)
        share = weight[near_rows, near_columns] / weight.sum()
        centre = np.array([near_columns @ share + window[1].start, near_rows @ share + window[0].start])
        at = (centre + 0.5) / px_per_mm
        if all(np.hypot(*(at - other.at)) > APART_MM[part] for other in found):
            found.append(Spot(at, float(min(1.0, chance[row, column]))))
    return found


_ROOM_LEAST, _ROOM_AREA_MM2 = 0.5, 70.0
_OUTLINE_MM = 0.9
#: Distance in mm within which a wall or a door lies in the card's edge.
AT_EDGE_MM = 2.2
_WALL_MM = 1.2


@dataclass
class SeenRoom:
    """A detected room: its outline (N, 2) in mm, its probability, and the finds inside it."""

    id: str
    outline: Array
    chance: float
    finds: list[SeenFind] = field(default_factory=list)

    @property
    def polygon(self) -> Polygon:
        return Polygon(self.outline)


def seen_rooms(chance: NDArray[np.float32], size_mm: Array, px_per_mm: Array) -> list[SeenRoom]:
    """Rooms segmented from the probability map `chance` (H, W) by threshold and contours, the largest
    first."""
    mask = (chance > _ROOM_LEAST).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    # an outline runs through its pixels' middles, half a pixel inside
    scale = 4
    fine = cv2.resize(mask * 255, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    contours, _ = cv2.findContours((fine > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rooms: list[SeenRoom] = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        line = (contour[:, 0].astype(np.float32) + 0.5) / scale / px_per_mm.astype(np.float32)
        outline = cv2.approxPolyDP(line.astype(np.float32), _OUTLINE_MM, True)[:, 0].astype(float)
        for axis, limit in enumerate(size_mm):
            outline[outline[:, axis] < AT_EDGE_MM, axis] = 0
            outline[outline[:, axis] > limit - AT_EDGE_MM, axis] = limit
        if len(outline) < 3 or not Polygon(outline).is_valid or Polygon(outline).area < _ROOM_AREA_MM2:
            continue
        inside = np.zeros(chance.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(outline * px_per_mm).astype(np.int32)], 1)
        likely = float(chance[inside > 0].mean()) if inside.any() else 0.0
        rooms.append(SeenRoom(chr(ord("A") + len(rooms)), outline, likely))
    return rooms[:26]


def outside_rooms(
    chance: NDArray[np.float32], rooms: list[SeenRoom], px_per_mm: Array
) -> NDArray[np.float32]:
    """The probability map (H, W) of corridors with the insides of rooms set to zero, since corridors end
    at walls."""
    kept = chance.copy()
    for room in rooms:
        inside = np.zeros(chance.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(room.outline * px_per_mm - 0.5).astype(np.int32)], 1)
        reach = max(1, round(_WALL_MM * float(px_per_mm.mean())))
        padded = np.pad(inside, reach, mode="edge")
        padded = cv2.erode(padded, np.ones((2 * reach + 1,) * 2, np.uint8), borderValue=1)
        kept[padded[reach:-reach, reach:-reach] > 0] = 0
    return kept


#: Greatest length in mm of a continuing path, from a line's end and from a place without a line.
_MOST_MM, _MOST_ALONE_MM = 28.0, 60.0
#: How much it goes on as the line did (cosine), which a short line does not tell; how much longer than
#: straight it may be.
_TURN, _SHORT_TURN, _SHORT_MM, _ROUND_ABOUT = 0.3, -0.5, 6.0, 1.4
#: Lowest mean probability of a continuing path.
_LEAST: dict[Level, float] = {"main": 0.3, "underground": 0.12}
#: What is less likely than this counts as this; below floors that hide it, more. A step costs something.
_UNSEEN, _UNSEEN_BELOW, _HIDDEN, _STEP_COST = 0.02, 0.15, 0.5, 0.1
#: A path into a line ends at the line's joint where that is within this distance, in mm.
_TO_JOINT_MM = 3.5


@dataclass(frozen=True)
class WayOn:
    """A path (N, 2) in mm that continues from a joint to an opening, to another joint, or into a stretch.
    `cost` is lower for likelier and shorter paths."""

    joint: int
    line: Array
    chance: float
    cost: float
    to: int | None = None
    into: int | None = None
    opening: KnownOpening | None = None


class Ground:
    """Costs per pixel for path search on one level of a card, from the probability maps `parts` (8, H, W)."""

    def __init__(self, parts: NDArray[np.float32], level: Level, px_per_mm: Array) -> None:
        self.level, self.px_per_mm = level, px_per_mm
        chances, least = parts[MAIN], np.full(parts.shape[1:], _UNSEEN)
        if level == "underground":
            chances = parts[UNDER]
            least[np.maximum(parts[FLOOR], parts[ROOM]) > _HIDDEN] = _UNSEEN_BELOW
        self.costs: NDArray[np.float64] = -np.log(np.clip(chances, least, 1))

    def pixel(self, at: Array) -> tuple[int, int]:
        """The pixel (row, column) of a position in mm, clipped to the map."""
        rows, columns = self.costs.shape
        column, row = np.floor(at * self.px_per_mm).astype(int)
        return int(np.clip(row, 0, rows - 1)), int(np.clip(column, 0, columns - 1))


def ways_on(
    net: Net, joint: int, ground: Ground, openings: list[tuple[KnownOpening, Array]], taken: set[int]
) -> list[WayOn]:
    """Cheapest paths that continue from a joint of degree zero or one. Targets are the `openings` (each
    with its position in mm), other free ends, and stretches. `taken`: joints that already hold a place."""
    at = net.joints[joint]
    heading, turn = None, _TURN
    if net.at_joint(joint):
        heading = heading_of(net, joint)
        if net.stretches[net.at_joint(joint)[0]].length < _SHORT_MM:
            turn = _SHORT_TURN
    search = MCP_Geometric(ground.costs + _STEP_COST)
    reached, _ = search.find_costs([ground.pixel(at)])
    targets: list[tuple[Array, int | None, int | None, KnownOpening | None]] = [
        (place, None, None, known) for known, place in openings
    ]
    targets += [(net.joints[j], j, None, None) for j in net.ends() if j != joint and j not in taken]
    mine = net.hanging_together(joint)
    for number, stretch in net.stretches.items():
        if stretch.ends[0] not in mine:
            line = resampled(stretch.line, 0.5)
            place = line[int(np.argmin([reached[ground.pixel(point)] for point in line]))]
            near = [j for j in stretch.ends if np.hypot(*(net.joints[j] - place)) < _TO_JOINT_MM]
            near = [j for j in near if j not in taken]
            targets.append((place, near[0], None, None) if near else (place, None, number, None))
    found = []
    for place, to, into, known in targets:
        away = float(np.hypot(*(place - at)))
        if not 0 < away <= (_MOST_ALONE_MM if heading is None else _MOST_MM):
            continue
        if heading is not None and away > 3.0 and heading @ (place - at) < turn * away:
            continue
        pixels = np.array(search.traceback(ground.pixel(place)))
        seen = ground.costs[pixels[:, 0], pixels[:, 1]]
        way = np.concatenate([[at], ((pixels[:, ::-1] + 0.5) / ground.px_per_mm)[1:-1], [place]])
        length = float(np.hypot(*np.diff(way, axis=0).T).sum())
        chance = float(np.exp(-seen.mean()))
        if chance >= _LEAST[ground.level] and length <= _ROUND_ABOUT * away + 2:
            found.append(WayOn(joint, smoothed(way), chance, float(seen.sum()), to, into, known))
    return found


def heading_of(net: Net, joint: int) -> Array:
    """Unit vector of the direction in which a line would continue beyond its end."""
    line = resampled(net.stretches[net.at_joint(joint)[0]].led_from(joint), 0.5)
    step = line[0] - line[min(len(line) - 1, 8)]
    return np.asarray(step / max(float(np.hypot(*step)), 1e-9))


LEVELS: tuple[Level, Level] = ("main", "underground")
SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
#: Greatest distances in mm of finds and stairs from their lines and joints.
FIND_TO_LINE_MM, FIND_TO_JOINT_MM, STAIRS_TO_LINE_MM = 4.0, 3.5, 4.0
#: Openings within this distance are merged.
ONE_OPENING_MM = 3.0
#: Length of the window for a line's weakest part, in steps of half a millimetre.
_WEAK_STEPS = 5


@dataclass
class Place:
    """The thing at a joint of a level's net, such as a door, an opening, a find or stairs."""

    kind: str
    chance: float
    side: Side | None = None
    room: str | None = None
    find: SeenFind | None = None
    #: Number of the stairs or fall that links this place to the other level.
    pair: int | None = None


class Draft:
    """The draft of one card's dungeon. `parts` (8, H, W) are the probability maps of the network."""

    def __init__(
        self, parts: NDArray[np.float32], size_mm: Point, finds: list[SeenFind], habits: Habits
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
        for level in LEVELS:
            self.nets[level].held = self.places[level]
        self.falls: list[tuple[SeenFind, int, float]] = []
        self.finds = finds
        self.parts = parts
        self.stairs: list[float] = []
        self.grounds = {level: Ground(parts, level, self.px_per_mm) for level in LEVELS}

    def free_ends(self, level: Level) -> list[int]:
        net = self.nets[level]
        return [j for j in net.ends() if j not in self.places[level]]

    def usual_place(self, side: Side, at: Array, reach_mm: float) -> Array | None:
        """Position in mm of the most frequent opening of the deck on this side within `reach_mm` of `at`,
        or None."""
        near = [o for o in self.habits.openings if o.side == side]
        near = [o for o in near if np.hypot(*(o.at(self.size_mm) - at)) <= reach_mm]
        return max(near, key=lambda o: o.count).at(self.size_mm) if near else None

    def wall(self, at: Array) -> tuple[SeenRoom | None, Array, float]:
        """The nearest room, the nearest point on its wall in mm, and the distance to that point in mm."""
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
        """Highest probability of a part within 2.5 mm of a position."""
        row, column = self.grounds["main"].pixel(at)
        rows, columns = (int(np.ceil(2.5 * scale)) for scale in self.px_per_mm[::-1])
        near = self.parts[
            part, max(0, row - rows) : row + rows + 1, max(0, column - columns) : column + columns + 1
        ]
        return float(near.max())

    def _along(self, level: Level, line: Array) -> Array:
        """Probabilities (N,) of this level's centre line, sampled every 0.5 mm along a line."""
        at = (resampled(line, 0.5) * self.px_per_mm - 0.5).astype(np.float32)
        part = MAIN if level == "main" else UNDER
        return np.asarray(cv2.remap(self.parts[part], at[None], None, cv2.INTER_LINEAR)[0], float)

    def weakest(self, level: Level, line: Array) -> float:
        """Lowest mean probability of a line over a window of some millimetres."""
        seen = self._along(level, line)
        width = min(len(seen), _WEAK_STEPS)
        return float(np.convolve(seen, np.ones(width) / width, "valid").min())

    def free_end_near(self, level: Level, at: Array) -> bool:
        net = self.nets[level]
        return any(np.hypot(*(net.joints[j] - at)) <= STAIRS_TO_LINE_MM for j in self.free_ends(level))

    def joint_for(self, level: Level, at: Array, to_end: float, to_line: float) -> int | None:
        """The joint for a spot, moved or created there: the free end of a line, or a point within a line.
        None where no line is near enough."""
        net = self.nets[level]
        near = min(
            ((float(np.hypot(*(net.joints[j] - at))), j) for j in self.free_ends(level)), default=(np.inf, -1)
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
        """Remove a joint of degree two and join its two stretches into one."""
        net = self.nets[level]
        left = net.at_joint(joint)
        if len(left) == 2 and left[0] != left[1]:
            net.join(joint, left[0], left[1])

    def find_near(self, at: Array) -> bool:
        return any(np.hypot(*(find.spot.at - at)) <= FIND_TO_LINE_MM for find in self.finds)


def off_line(line: Array, at: Array) -> float:
    """Distance in mm from a position to a line."""
    return float(np.hypot(*(resampled(line, 0.5) - at).T).min())
