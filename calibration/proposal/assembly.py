"""A dungeon put together from the parts that are seen: lines, rooms and spots become places and links."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry import Polygon

from calibration.proposal.centre_lines import (
    MAIN_CHANCES,
    UNDER_CHANCES,
    Array,
    Net,
    Stretch,
    resampled,
    traced_net,
)
from calibration.proposal.drawing import DOOR, FIND, FOOT, MAIN, ROOM, STAIRS, UNDER
from calibration.proposal.habits import Habits
from calibration.proposal.ways_on import Ground, heading_of, ways_on
from scorer.catalogue import Card, Edge, FindKind, Level, Node, Point, Room, RoomFind, Side

#: From these chances on, a spot is one.
LEAST = {DOOR: 0.35, FIND: 0.4, STAIRS: 0.35, FOOT: 0.35}
#: From these on where something else speaks for it: a line that ends there, an opening of the deck, an icon
#: that is known.
FAINT = {DOOR: 0.2, FIND: 0.2, STAIRS: 0.1, FOOT: 0.1}
_KNOWN_ICON, _UNLIKE_ALL, _LEAST_DOOR = 0.5, 0.1, 0.12
_APART_MM = {DOOR: 3.5, FIND: 5.0, STAIRS: 6.0, FOOT: 6.0}
_ROOM_LEAST, _ROOM_AREA_MM2 = 0.5, 70.0
_OUTLINE_MM, _AT_EDGE_MM = 0.9, 2.2
#: How far spots may lie from the lines and walls that they belong to, mm.
_DOOR_TO_WALL_MM, _DOOR_TO_END_MM, _DOOR_TO_LINE_MM = 3.0, 5.5, 3.5
_END_TO_WALL_MM = 3.0
_STAIRS_TO_END_MM, _STAIRS_TO_LINE_MM, _STAIRS_SPAN_MM, _DOUBT_MM = 6.5, 4.0, 26.0, 6.0
_FIND_TO_LINE_MM, _FIND_TO_JOINT_MM = 4.0, 3.5
_LANDING_MM, _AT_MEETING_MM = 5.0, 3.5
#: Ends of lines that face each other over a gap belong together.
_GAP_MM, _GAP_TURN = 11.0, 0.75
_WALL_MM = 1.2
_STUB_MM, _STUB_AT_FIND_MM, _STUB_WHERE_NONE_END_MM = 5.0, 7.0, 14.0
#: Openings this near are one; so many lines of a level are led on at most.
_ONE_OPENING_MM, _MOST_LED_ON = 3.0, 8
#: Places that lines end at.
_ENDS = ("stairs", "landing")
#: Stairs in mid-line where the deck's stand at ends are some from this chance on.
_PLAIN_STAIRS = 0.6
#: A line that ends with nothing there where the deck's seldom do is one where it is this likely all along.
_PLAIN_LINE, _LEAST_LINE, _FAINT_MM = 0.65, 0.3, 30.0
#: How likely what seems an end is one; a line is hardly likelier than its weakest part.
_END_CHANCE, _OVER = 0.45, 0.2
#: An opening this near to where the deck's openings are is one of them.
_SNAP_MM = 2.5
#: A line's weakest part is as long as so many steps of half a millimetre.
_WEAK_STEPS = 5
_LEVELS: tuple[Level, Level] = ("main", "underground")
_SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
_LETTERS = {"left": "w", "right": "e", "top": "n", "bottom": "s"}


@dataclass(frozen=True)
class Spot:
    """A place that is seen, in mm, with its chance."""

    at: Array
    chance: float


@dataclass(frozen=True)
class SeenFind:
    """A find's spot with the kind and value that its icon tells, and how surely."""

    spot: Spot
    find: FindKind
    value: int
    confidence: float
    #: Whether its icon does not speak against a pit, to which the underground may lead.
    may_be_pit: bool = False


@dataclass
class _Room:
    id: str
    outline: Array
    chance: float
    finds: list[SeenFind] = field(default_factory=list)

    @property
    def polygon(self) -> Polygon:
        return Polygon(self.outline)


@dataclass
class _Place:
    """What stands at a joint of a level's net."""

    kind: str
    chance: float
    side: Side | None = None
    room: str | None = None
    find: SeenFind | None = None
    #: Number of the stairs or the fall that leads here from the other level.
    pair: int | None = None


def spots(parts: NDArray[np.float32], part: int, px_per_mm: Array, least: float | None = None) -> list[Spot]:
    """Where a part of `parts` (8, H, W) peaks, the surest first; `least`: with this chance at least."""
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
        if all(np.hypot(*(at - other.at)) > _APART_MM[part] for other in found):
            found.append(Spot(at, float(min(1.0, chance[row, column]))))
    return found


class Assembly:
    """One card's dungeon in the making."""

    def __init__(
        self,
        parts: NDArray[np.float32],
        size_mm: Point,
        finds: list[SeenFind],
        habits: Habits | None = None,
    ) -> None:
        self.habits = habits or Habits()
        self.size_mm = np.asarray(size_mm, float)
        self.px_per_mm = np.array(parts.shape[:0:-1], float) / self.size_mm
        self.rooms = self._seen_rooms(parts[ROOM])
        self.nets: dict[Level, Net] = {
            "main": traced_net(self._outside_rooms(parts[MAIN]), self.px_per_mm, MAIN_CHANCES),
            "underground": traced_net(parts[UNDER], self.px_per_mm, UNDER_CHANCES),
        }
        self.places: dict[Level, dict[int, _Place]] = {level: {} for level in _LEVELS}
        self.falls: list[tuple[SeenFind, int, float]] = []
        self.finds = finds
        self.parts = parts
        self.stairs: list[float] = []
        self.grounds = {level: Ground(parts, level, self.px_per_mm) for level in _LEVELS}

    def card(self, id_: str, kind: Any, art: str) -> Card:
        """The card with the dungeon that was put together."""
        for level in _LEVELS:
            self._bridge(level)
            self._openings(level)
        self._one_opening_a_place()
        self._doors()
        self._stairs()
        self._finds()
        for level in _LEVELS:
            self._at_meetings(level)
        self._landings()
        for level in _LEVELS:
            self._led_on(level)
            self._withhold_stubs(level)
            self._led_on(level)
            self.nets[level].make_single()
            self._one_line_an_end(level)
        return self._written(id_, kind, art)

    # -- rooms

    def _seen_rooms(self, chance: NDArray[np.float32]) -> list[_Room]:
        mask = (chance > _ROOM_LEAST).astype(np.uint8)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
        # an outline runs through its pixels' middles, half a pixel inside
        scale = 4
        fine = cv2.resize(mask * 255, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        contours, _ = cv2.findContours(
            (fine > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        rooms: list[_Room] = []
        for contour in sorted(contours, key=cv2.contourArea, reverse=True):
            line = (contour[:, 0].astype(np.float32) + 0.5) / scale / self.px_per_mm.astype(np.float32)
            outline = cv2.approxPolyDP(line.astype(np.float32), _OUTLINE_MM, True)[:, 0].astype(float)
            for axis, limit in enumerate(self.size_mm):
                outline[outline[:, axis] < _AT_EDGE_MM, axis] = 0
                outline[outline[:, axis] > limit - _AT_EDGE_MM, axis] = limit
            if len(outline) < 3 or not Polygon(outline).is_valid or Polygon(outline).area < _ROOM_AREA_MM2:
                continue
            inside = np.zeros(chance.shape, np.uint8)
            cv2.fillPoly(inside, [np.round(outline * self.px_per_mm).astype(np.int32)], 1)
            likely = float(chance[inside > 0].mean()) if inside.any() else 0.0
            rooms.append(_Room(chr(ord("A") + len(rooms)), outline, likely))
        return rooms[:26]

    def _outside_rooms(self, chance: NDArray[np.float32]) -> NDArray[np.float32]:
        """Corridors end at the walls."""
        kept = chance.copy()
        for room in self.rooms:
            inside = np.zeros(chance.shape, np.uint8)
            cv2.fillPoly(inside, [np.round(room.outline * self.px_per_mm - 0.5).astype(np.int32)], 1)
            reach = max(1, round(_WALL_MM * float(self.px_per_mm.mean())))
            padded = np.pad(inside, reach, mode="edge")
            padded = cv2.erode(padded, np.ones((2 * reach + 1,) * 2, np.uint8), borderValue=1)
            kept[padded[reach:-reach, reach:-reach] > 0] = 0
        return kept

    # -- lines

    def _bridge(self, level: Level) -> None:
        """Ends that face each other over a short gap are one line."""
        net = self.nets[level]
        while True:
            best: tuple[float, int, int] | None = None
            ends = [joint for joint in net.ends() if joint not in net.on_edge]
            for k, a in enumerate(ends):
                for b in ends[k + 1 :]:
                    step = net.joints[b] - net.joints[a]
                    gap = float(np.hypot(*step))
                    if not 0 < gap < _GAP_MM or net.at_joint(a) == net.at_joint(b):
                        continue
                    straight = min(heading_of(net, a) @ step, heading_of(net, b) @ -step) / gap
                    if straight > _GAP_TURN and not self._spot_near(net.joints[a], net.joints[b], level):
                        best = min(best or (np.inf, a, b), (gap, a, b))
            if best is None:
                return
            _, a, b = best
            net.add_stretch(a, b, np.array([net.joints[a], net.joints[b]]), 0.3)
            for joint in (a, b):
                left = net.at_joint(joint)
                if len(left) == 2 and left[0] != left[1]:
                    net._join(joint, left[0], left[1])

    def _spot_near(self, a: Array, b: Array, level: Level) -> bool:
        """Whether stairs or a door are at either of two ends: then nothing goes on there."""
        ends = (STAIRS, DOOR) if level == "main" else (FOOT,)
        near = [spot.at for part in ends for spot in spots(self.parts, part, self.px_per_mm)]
        return any(min(np.hypot(*(at - a)), np.hypot(*(at - b))) < 4.0 for at in near)

    def _openings(self, level: Level) -> None:
        net = self.nets[level]
        for joint in list(net.on_edge):
            if joint not in net.joints:
                continue
            at = net.joints[joint]
            off = [at[0], self.size_mm[0] - at[0], at[1], self.size_mm[1] - at[1]]
            side = int(np.argmin(off))
            edge = at.copy()
            edge[side // 2] = 0.0 if side % 2 == 0 else self.size_mm[side // 2]
            usual = self._usual_place(_SIDES[side], edge, _SNAP_MM)
            if usual is not None:
                edge = usual
            net.move(joint, edge)
            stretch = net.stretches[net.at_joint(joint)[0]]
            self.places[level][joint] = _Place("opening", stretch.chance, side=_SIDES[side])

    def _one_opening_a_place(self) -> None:
        """Of two lines that lead out at one place, one does."""
        found = [
            (place.chance, level, joint)
            for level in _LEVELS
            for joint, place in self.places[level].items()
            if place.kind == "opening"
        ]
        kept: list[Array] = []
        for _, level, joint in sorted(found, key=lambda each: each[0], reverse=True):
            net = self.nets[level]
            at = net.joints[joint]
            if all(np.hypot(*(at - other)) >= _ONE_OPENING_MM for other in kept):
                kept.append(at)
                continue
            # what is left of the line ends there with nothing, and is judged as such
            number = net.at_joint(joint)[0]
            del self.places[level][joint]
            net.on_edge.discard(joint)
            if net.stretches[number].length <= _STUB_WHERE_NONE_END_MM:
                net.drop(number)

    def _usual_place(self, side: Side, at: Array, reach_mm: float) -> Array | None:
        """Where the deck has an opening near a place on this side, the one that most cards have."""
        near = [o for o in self.habits.openings if o.side == side]
        near = [o for o in near if np.hypot(*(o.at(self.size_mm) - at)) <= reach_mm]
        return max(near, key=lambda o: o.count).at(self.size_mm) if near else None

    def _free_ends(self, level: Level) -> list[int]:
        net = self.nets[level]
        return [j for j in net.ends() if j not in self.places[level]]

    # -- doors

    def _doors(self) -> None:
        net = self.nets["main"]
        seen = spots(self.parts, DOOR, self.px_per_mm)
        taken: list[Array] = []
        for spot in seen:
            room, at, off = self._wall(spot.at)
            if room is None or off > _DOOR_TO_WALL_MM:
                continue
            taken.append(at)
            if self._door_on_edge(at, room, spot.chance):
                continue
            ends = [(float(np.hypot(*(net.joints[j] - at))), j) for j in self._free_ends("main")]
            near = min(ends, default=(np.inf, -1))
            if near[0] <= _DOOR_TO_END_MM:
                net.move(near[1], at)
                self.places["main"][near[1]] = _Place("door", spot.chance, room=room.id)
                continue
            off, number = net.nearest(at)
            if number >= 0 and off <= _DOOR_TO_LINE_MM + 1.5:
                stretch = net.stretches[number]
                joint = (
                    net.split(number, at)
                    if min(float(np.hypot(*(net.joints[j] - at))) for j in stretch.ends) > 3.0
                    else min(stretch.ends, key=lambda j: float(np.hypot(*(net.joints[j] - at))))
                )
                door = net.add_joint(at)
                net.add_stretch(joint, door, np.array([net.joints[joint], at]), spot.chance)
                self.places["main"][door] = _Place("door", 0.6 * spot.chance, room=room.id)
        for known in self.habits.openings:
            room, at, off = self._wall(known.at(self.size_mm))
            chance = self._most_near(DOOR, at)
            seen_there = room is not None and off <= _AT_EDGE_MM and chance > FAINT[DOOR]
            if room is not None and seen_there and not self._opening_near(known.at(self.size_mm)):
                self._door_on_edge(known.at(self.size_mm), room, chance)
        for joint in self._free_ends("main"):
            room, at, off = self._wall(net.joints[joint])
            if room is None or off > _END_TO_WALL_MM or self._most_near(DOOR, at) < _LEAST_DOOR:
                continue
            line = net.stretches[net.at_joint(joint)[0]].line
            if all(np.hypot(*(at - t)) > 4 for t in taken) and not self._ends_with_find(
                line, net.joints[joint]
            ):
                net.move(joint, at)
                self.places["main"][joint] = _Place("door", 0.3, room=room.id)

    def _wall(self, at: Array) -> tuple[_Room | None, Array, float]:
        """The nearest room, the point on its wall, and how far that is."""
        best: tuple[_Room | None, Array, float] = (None, at, np.inf)
        for room in self.rooms:
            wall = room.polygon.exterior
            point = wall.interpolate(wall.project(ShapelyPoint(at)))
            off = float(np.hypot(point.x - at[0], point.y - at[1]))
            if off < best[2]:
                best = (room, np.array([point.x, point.y]), off)
        return best

    def _door_on_edge(self, at: Array, room: _Room, chance: float) -> bool:
        """A door in the card's edge: an opening at the same spot leads to it."""
        off = np.array([at[0], self.size_mm[0] - at[0], at[1], self.size_mm[1] - at[1]])
        side = int(np.argmin(off))
        if off[side] > _AT_EDGE_MM:
            return False
        at = at.copy()
        at[side // 2] = 0.0 if side % 2 == 0 else self.size_mm[side // 2]
        usual = self._usual_place(_SIDES[side], at, _SNAP_MM)
        if usual is not None:
            at = usual
        net, places = self.nets["main"], self.places["main"]
        for joint, place in list(places.items()):
            if place.kind == "opening" and np.hypot(*(net.joints[joint] - at)) < 4.0:
                number = net.at_joint(joint)[0]
                if net.stretches[number].length > 6.0:
                    return True  # a corridor's own
                net.on_edge.discard(joint)
                net.drop(number)
                places.pop(joint)
        door, opening = net.add_joint(at), net.add_joint(at)
        net.add_stretch(opening, door, np.array([at, at]), chance)
        places[door] = _Place("door", chance, room=room.id)
        places[opening] = _Place("opening", chance, side=_SIDES[side])
        return True

    # -- stairs

    def _stairs(self) -> None:
        """Stairs that are plainly seen, then those that are faintly seen between two lines that end there."""
        for faint in (False, True):
            seen = [
                spots(self.parts, part, self.px_per_mm, FAINT[part] if faint else None)
                for part in (STAIRS, FOOT)
            ]
            if faint:
                seen = [
                    [spot for spot in each if self._free_end_near(level, spot.at)]
                    for level, each in zip(_LEVELS, seen, strict=True)
                ]
            tops, feet = seen
            if not tops or not feet:
                continue
            away = np.array([[float(np.hypot(*(top.at - foot.at))) for foot in feet] for top in tops])
            # where two are as near, the likelier one, at which a line ends
            doubt = [
                np.array([1 - spot.chance + (not self._free_end_near(level, spot.at)) for spot in each])
                for level, each in zip(_LEVELS, seen, strict=True)
            ]
            costs = away + _DOUBT_MM * (doubt[0][:, None] + doubt[1][None])
            for a, b in zip(*linear_sum_assignment(costs), strict=True):
                plain = not self._rather_find(tops[a]) and not self._rather_find(feet[b])
                if plain and away[a, b] <= _STAIRS_SPAN_MM:
                    self._stand(tops[a], feet[b])

    def _ends_with_find(self, line: Array, at: Array) -> bool:
        """Whether a find lies on a line a few millimetres before its end."""
        return any(
            find.spot.chance > LEAST[FIND]
            and np.hypot(*(find.spot.at - at)) < _STUB_AT_FIND_MM
            and _off_line(line, find.spot.at) < _FIND_TO_LINE_MM
            for find in self.finds
        )

    def _find_near(self, at: Array) -> bool:
        return any(np.hypot(*(find.spot.at - at)) <= _FIND_TO_LINE_MM for find in self.finds)

    def _rather_find(self, spot: Spot) -> bool:
        """Whether a find is more likely at the place, one whose icon is like one that is known."""
        return any(
            find.spot.chance > spot.chance and np.hypot(*(find.spot.at - spot.at)) < _APART_MM[STAIRS]
            for find in self.finds
            if find.spot.chance > LEAST[FIND] and find.confidence > _UNLIKE_ALL
        )

    def _stand(self, top: Spot, foot: Spot) -> None:
        joints = {level: self._foot(level, spot) for level, spot in zip(_LEVELS, (top, foot), strict=True)}
        if None in joints.values():
            return
        chance = min(top.chance, foot.chance)
        for level, joint in joints.items():
            assert joint is not None
            self.places[level][joint] = _Place("stairs", chance, pair=len(self.stairs))
        self.stairs.append(chance)

    def _free_end_near(self, level: Level, at: Array) -> bool:
        net = self.nets[level]
        return any(np.hypot(*(net.joints[j] - at)) <= _STAIRS_TO_LINE_MM for j in self._free_ends(level))

    def _foot(self, level: Level, spot: Spot) -> int | None:
        """The joint that an end of stairs belongs to. Where stairs stand at corridors' ends, a stub that goes
        on beyond them is none, and a corridor that does speaks against them."""
        joint = self._taken(level, spot.at, _STAIRS_TO_END_MM, _STAIRS_TO_LINE_MM)
        if joint is None or not self.habits.stairs_at_ends:
            return joint
        net = self.nets[level]
        ends = {j for j in self._free_ends(level) if not self._find_near(net.joints[j])}
        beyond = [
            (net.stretches[number].length, number)
            for number in net.at_joint(joint)
            if len(net.at_joint(joint)) == 2 and ends & {*net.stretches[number].ends}
        ]
        if beyond and min(beyond)[0] <= _STUB_WHERE_NONE_END_MM:
            net.drop(min(beyond)[1])
        if len(net.at_joint(joint)) > 1 and spot.chance < _PLAIN_STAIRS:
            self._smoothed_over(level, joint)
            return None
        return joint

    def _smoothed_over(self, level: Level, joint: int) -> None:
        """Take a joint in mid-line back."""
        net = self.nets[level]
        left = net.at_joint(joint)
        if len(left) == 2 and left[0] != left[1]:
            net._join(joint, left[0], left[1])

    def _taken(self, level: Level, at: Array, to_end: float, to_line: float) -> int | None:
        """The joint that a spot belongs to, put there: a line's free end, else a place in its middle."""
        net = self.nets[level]
        near = min(
            ((float(np.hypot(*(net.joints[j] - at))), j) for j in self._free_ends(level)),
            default=(np.inf, -1),
        )
        if near[0] <= to_end:
            net.move(near[1], at)
            return near[1]
        off, number = net.nearest(at)
        if number < 0 or off > to_line:
            return None
        near = min((float(np.hypot(*(net.joints[j] - at))), j) for j in net.stretches[number].ends)
        if near[0] <= _FIND_TO_JOINT_MM and near[1] not in self.places[level]:
            return near[1]
        return net.split(number, at)

    # -- finds

    def _finds(self) -> None:
        for find in self.finds:
            at = find.spot.at
            known = find.confidence >= _KNOWN_ICON
            if find.spot.chance <= LEAST[FIND] and not known and not self._ends_at(at):
                continue
            if not known and any(_off_line(pair, at) < _FIND_TO_JOINT_MM for pair in self._stands()):
                continue  # what is printed on the stairs
            room = next((room for room in self.rooms if room.polygon.contains(ShapelyPoint(at))), None)
            if room is not None:
                room.finds.append(find)
                continue
            # what is drawn on a crossing lies on the upper level, but where only the lower one runs
            near = {each: self.nets[each].nearest(at) for each in _LEVELS}
            off = {each: away for each, (away, _) in near.items()}
            level: Level = "main" if off["main"] <= max(off["underground"], 2.0) else "underground"
            if (
                level == "main"
                and off["underground"] <= _FIND_TO_LINE_MM
                and not self._leads_out(near["main"][1])
            ):
                level = "underground"
            if off[level] > _FIND_TO_LINE_MM:
                continue
            joint = self._taken(level, at, _FIND_TO_JOINT_MM, _FIND_TO_LINE_MM)
            if joint is not None and joint not in self.places[level]:
                self.nets[level].move(joint, at)
                self.places[level][joint] = _Place("find", find.spot.chance, find=find)

    def _stands(self) -> list[Array]:
        """Where stairs are: of each both ends."""
        ends: dict[int, list[Array]] = {}
        for level in _LEVELS:
            for joint, place in self.places[level].items():
                if place.pair is not None:
                    ends.setdefault(place.pair, []).append(self.nets[level].joints[joint])
        return [np.array(pair) for pair in ends.values()]

    def _ends_at(self, at: Array) -> bool:
        """Whether a line of a level where none end with nothing there does so at a place."""
        return any(
            level not in self.habits.dead_ends
            and any(
                np.hypot(*(self.nets[level].joints[joint] - at)) <= _FIND_TO_JOINT_MM
                for joint in self._free_ends(level)
            )
            for level in _LEVELS
        )

    def _at_meetings(self, level: Level) -> None:
        """A find or an end of stairs a step away from where lines meet is there."""
        net, places = self.nets[level], self.places[level]
        for joint, place in list(places.items()):
            for number in net.at_joint(joint) if place.kind in ("find", "stairs") else []:
                stretch = net.stretches.get(number)
                if stretch is None or stretch.length > _AT_MEETING_MM or stretch.ends[0] == stretch.ends[1]:
                    continue
                other = stretch.ends[0] if stretch.ends[1] == joint else stretch.ends[1]
                if other not in places:
                    at = net.joints[joint]
                    net.merge(joint, other)
                    net.move(joint, at)
                    for loop in set(net.at_joint(joint)):
                        if net.stretches[loop].ends == (joint, joint):
                            del net.stretches[loop]

    def _landings(self) -> None:
        """Where the underground ends at a find above, that is a pit; or as far from it as the deck's do."""
        net = self.nets["underground"]
        above = [place.find for place in self.places["main"].values() if place.find]
        above += [find for room in self.rooms for find in room.finds]
        ends = self._free_ends("underground")
        nearest, farthest = self.habits.landings_mm
        if self.habits.landings_at_pits:
            nearest = farthest = 0.0
        told: list[tuple[float, int, int]] = []
        for k, find in enumerate(above):
            for joint in ends:
                away = float(np.hypot(*(net.joints[joint] - find.spot.at)))
                off = max(nearest - away, away - farthest, 0.0)
                if off <= (2 * _LANDING_MM if find.find == "pitfall" else _LANDING_MM):
                    told.append((off - (20.0 if find.find == "pitfall" else 0.0), k, joint))
        done: set[int] = set()
        for _, k, joint in sorted(told):
            find = above[k]
            if k in done or joint in self.places["underground"]:
                continue
            if not find.may_be_pit:
                continue  # its icon says what it is
            done.add(k)
            if self.habits.landings_at_pits:
                net.move(joint, find.spot.at)
            self.places["underground"][joint] = _Place("landing", find.spot.chance)
            self.falls.append((find, joint, find.spot.chance))
        for k, find in enumerate(above):
            if find.find == "pitfall" and k not in done:
                off, number = net.nearest(find.spot.at)
                if off <= max(_FIND_TO_LINE_MM, farthest + _LANDING_MM) and number >= 0:
                    joint = net.split(number, find.spot.at)
                else:
                    joint = net.add_joint(find.spot.at)
                self.places["underground"][joint] = _Place("landing", 0.3)
                self.falls.append((find, joint, 0.3))

    # -- ways to nowhere

    def _led_on(self, level: Level) -> None:
        """Lines that end with nothing there, where the deck's seldom do, and landings without a line lead on:
        to an opening of the deck, to another such end, or into a line. Other floors often hide the rest."""
        if level in self.habits.dead_ends:
            return
        net = self.nets[level]
        for _ in range(_MOST_LED_ON):
            openings = [(known, known.at(self.size_mm)) for known in self.habits.openings]
            openings = [(known, at) for known, at in openings if not self._opening_near(at)]
            ends, taken = self._ends_to_lead_on(level), set(self.places[level])
            ways = [way for j in ends for way in ways_on(net, j, self.grounds[level], openings, taken)]
            if not ways:
                return
            way = min(ways, key=lambda each: each.cost)
            to = way.to
            if way.opening is not None:
                to = net.add_joint(way.line[-1])
                self.places[level][to] = _Place("opening", way.chance, side=way.opening.side)
            elif way.into is not None:
                to = net.split(way.into, way.line[-1])
            assert to is not None
            net.add_stretch(way.joint, to, np.concatenate([way.line[:-1], [net.joints[to]]]), way.chance)
            for joint in (way.joint, to):
                left = net.at_joint(joint)
                if len(left) == 2 and left[0] != left[1] and joint not in self.places[level]:
                    net._join(joint, left[0], left[1])

    def _one_line_an_end(self, level: Level) -> None:
        """Of several lines at stairs that stand at ends, or at a landing, those go that lead nowhere else."""
        net = self.nets[level]
        if not self.habits.stairs_at_ends:
            return
        ends = _ENDS if self.habits.landings_at_pits else ("stairs",)
        for joint in [j for j, place in self.places[level].items() if place.kind in ends]:
            lines = sorted(set(net.at_joint(joint)), key=lambda number: net.stretches[number].chance)
            for number in lines[:-1]:
                stretch = net.stretches.pop(number)
                other = stretch.ends[0] if stretch.ends[1] == joint else stretch.ends[1]
                around = other in net.hanging_together(joint)
                net.stretches[number] = stretch
                if around:
                    places = self.places[level]
                    if other in places:
                        del net.stretches[number]
                    else:
                        net.drop(number)
                    break

    def _ends_to_lead_on(self, level: Level) -> list[int]:
        """Ends of lines that are no stubs, and landings without a line."""
        net, places = self.nets[level], self.places[level]
        ends = []
        for joint in self._free_ends(level):
            stretch = net.stretches[net.at_joint(joint)[0]]
            other = stretch.ends[0] if stretch.ends[1] == joint else stretch.ends[1]
            opens = other in places and places[other].kind == "opening"
            if stretch.length > _STUB_WHERE_NONE_END_MM or stretch.chance > (0.35 if opens else 0.5):
                ends.append(joint)
        alone = [j for j, place in places.items() if place.kind in _ENDS and not net.at_joint(j)]
        return ends + alone

    def _leads_out(self, number: int) -> bool:
        """Whether a line of the main level hangs together with an opening, a door or stairs."""
        return any(
            joint in self.places["main"]
            for joint in self.nets["main"].hanging_together(self.nets["main"].stretches[number].ends[0])
        )

    def _opening_near(self, at: Array) -> bool:
        return any(
            place.kind == "opening" and np.hypot(*(self.nets[level].joints[joint] - at)) < _ONE_OPENING_MM
            for level in _LEVELS
            for joint, place in self.places[level].items()
        )

    def _most_near(self, part: int, at: Array) -> float:
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

    def _weakest(self, level: Level, line: Array) -> float:
        """How likely a line is where it is least so, over some millimetres."""
        seen = self._along(level, line)
        width = min(len(seen), _WEAK_STEPS)
        return float(np.convolve(seen, np.ones(width) / width, "valid").min())

    def _withhold_stubs(self, level: Level) -> None:
        """Short lines that end with nothing there are mostly none: where none may end so, longer ones that
        are not plain, too."""
        net, places = self.nets[level], self.places[level]

        def stub(stretch: Stretch) -> bool:
            weakest = self._weakest(level, stretch.line)
            beyond_stairs = any(end in places and places[end].kind == "stairs" for end in stretch.ends)
            beyond_find = any(end in places and places[end].kind == "find" for end in stretch.ends)
            if stretch.length <= (_STUB_AT_FIND_MM if beyond_find else _STUB_MM):
                return True
            if beyond_stairs and self.habits.stairs_at_ends and stretch.length <= _STUB_WHERE_NONE_END_MM:
                return True
            if level in self.habits.dead_ends:
                return stretch.length <= _STUB_WHERE_NONE_END_MM and weakest < _LEAST_LINE
            if stretch.length > _STUB_WHERE_NONE_END_MM:
                return stretch.chance < (0.5 if stretch.length <= _FAINT_MM else _LEAST_LINE)
            return weakest < _PLAIN_LINE

        while True:
            loose = [(net.stretches[net.at_joint(j)[0]], j) for j in self._free_ends(level)]
            stubs = [(stretch.length, j) for stretch, j in loose if stub(stretch)]
            if not stubs:
                return
            _, joint = min(stubs)
            ends = net.stretches.pop(net.at_joint(joint)[0]).ends
            for end in set(ends):
                left = net.at_joint(end)
                place = places.get(end)
                if not left and (place is None or place.kind == "opening"):
                    net.joints.pop(end, None)
                    places.pop(end, None)
                elif len(left) == 2 and left[0] != left[1] and place is None:
                    net._join(end, left[0], left[1])

    # -- writing

    def _written(self, id_: str, kind: Any, art: str) -> Card:
        names: dict[tuple[Level, int], str] = {}
        counts: dict[str, int] = {}

        def name(letter: str) -> str:
            counts[letter] = counts.get(letter, 0) + 1
            return f"{letter}{counts[letter]}"

        pits = {id(find) for find, _, _ in self.falls}
        nodes: list[Node] = []
        edges: list[Edge] = []
        pit_ids: dict[int, str] = {}
        stairs_ids: dict[int, list[str]] = {}
        for level in _LEVELS:
            net = self.nets[level]
            for joint in sorted(net.joints, key=lambda j: (round(net.joints[j][1]), net.joints[j][0])):
                degree = len(net.at_joint(joint))
                place = self.places[level].get(joint)
                if place is None:
                    if not degree:
                        continue
                    chance = float(np.mean([net.stretches[n].chance for n in net.at_joint(joint)]))
                    # what seems to end with nothing there is often something that is not seen
                    end = degree == 1
                    place = _Place("end" if end else "junction", chance * (_END_CHANCE if end else 1))
                letter = {"opening": _LETTERS.get(place.side or "", "o"), "door": "d", "find": "f"}.get(
                    place.kind
                )
                letter = letter or {
                    "stairs": "t" if level == "main" else "v",
                    "landing": "u",
                    "end": "x",
                }.get(place.kind, "j")
                names[level, joint] = name(letter)
                find = place.find
                confidence = place.chance
                if find is not None:
                    confidence = find.spot.chance * find.confidence
                    pit_ids[id(find)] = names[level, joint]
                if place.pair is not None:
                    stairs_ids.setdefault(place.pair, []).append(names[level, joint])
                nodes.append(
                    Node(
                        id=names[level, joint],
                        kind="junction" if place.kind == "landing" else place.kind,  # type: ignore[arg-type]
                        at=_point(net.joints[joint], self.size_mm),
                        level=level,
                        side=place.side,
                        room=place.room,
                        find=None if find is None else "pitfall" if id(find) in pits else find.find,
                        value=1 if find is None or id(find) in pits else find.value,
                        confidence=_told(confidence),
                    )
                )
            for stretch in net.stretches.values():
                a, b = (names[level, joint] for joint in stretch.ends)
                line = cv2.approxPolyDP(resampled(stretch.line, 0.5).astype(np.float32), 0.25, False)[1:-1, 0]
                edges.append(
                    Edge(
                        kind="corridor",
                        level=level,
                        from_=a,
                        to=b,
                        via=tuple(_point(point, self.size_mm) for point in line),
                        confidence=_told(min(stretch.chance, self._weakest(level, stretch.line) + _OVER)),
                    )
                )
        rooms = []
        for room in self.rooms:
            finds = []
            for k, find in enumerate(room.finds, start=1):
                pit = id(find) in pits
                pit_ids[id(find)] = f"{room.id}{k}"
                finds.append(
                    RoomFind(
                        id=f"{room.id}{k}",
                        find="pitfall" if pit else find.find,
                        at=_point(find.spot.at, self.size_mm),
                        value=1 if pit else find.value,
                        confidence=_told(find.spot.chance * find.confidence),
                    )
                )
            outline = tuple(_point(point, self.size_mm) for point in room.outline)
            rooms.append(Room(id=room.id, outline=outline, finds=tuple(finds), confidence=_told(room.chance)))
        for number, ids in stairs_ids.items():
            edges.append(Edge(kind="stairs", from_=ids[0], to=ids[1], confidence=_told(self.stairs[number])))
        for find, joint, chance in self.falls:
            if id(find) in pit_ids:
                to = names.get(("underground", joint))
                if to:
                    edges.append(Edge(kind="fall", from_=pit_ids[id(find)], to=to, confidence=_told(chance)))
        return Card(
            id=id_,
            kind=kind,
            art=art,
            traced="proposed",
            nodes=tuple(nodes),
            edges=tuple(edges),
            rooms=tuple(rooms),
        )


def _off_line(line: Array, at: Array) -> float:
    """How far a place is from a line, in mm."""
    return float(np.hypot(*(resampled(line, 0.5) - at).T).min())


def _point(at: Any, size_mm: Array) -> Point:
    x, y = (round(float(np.clip(value, 0, limit)), 2) for value, limit in zip(at, size_mm, strict=True))
    return x, y


def _told(chance: float) -> float:
    return round(float(np.clip(chance, 0.01, 0.99)), 2)
