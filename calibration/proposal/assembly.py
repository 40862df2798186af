"""A dungeon put together from the parts that are seen: lines, rooms and spots become places and links."""

from __future__ import annotations

from collections.abc import Sequence
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
    resampled,
    traced_net,
)
from calibration.proposal.drawing import DOOR, FIND, FOOT, MAIN, ROOM, STAIRS, UNDER
from scorer.catalogue import Card, Edge, FindKind, Level, Node, Point, Room, RoomFind, Side

#: From these chances on, a spot is one.
_LEAST = {DOOR: 0.35, FIND: 0.4, STAIRS: 0.35, FOOT: 0.35}
_APART_MM = {DOOR: 3.5, FIND: 5.0, STAIRS: 6.0, FOOT: 6.0}
_ROOM_LEAST, _ROOM_AREA_MM2 = 0.5, 70.0
_OUTLINE_MM, _AT_EDGE_MM = 0.9, 1.6
#: How far spots may lie from the lines and walls that they belong to, mm.
_DOOR_TO_WALL_MM, _DOOR_TO_END_MM, _DOOR_TO_LINE_MM = 3.0, 5.5, 3.5
_END_TO_WALL_MM = 3.0
_STAIRS_TO_END_MM, _STAIRS_TO_LINE_MM, _STAIRS_SPAN_MM = 6.5, 4.0, 26.0
_FIND_TO_LINE_MM, _FIND_TO_JOINT_MM = 4.0, 3.5
_LANDING_MM = 5.0
#: Ends of lines that face each other over a gap belong together.
_GAP_MM, _GAP_TURN = 11.0, 0.75
_WALL_MM = 1.2
_STUB_MM, _STUB_WHERE_NONE_END_MM = 5.0, 14.0
#: A line that is led out to a known opening: from how far, how straight, and how likely on its way.
_LED_OUT_MM, _LED_OUT_TURN, _LED_OUT_CHANCE, _LED_APART_MM = 20.0, 0.5, 0.04, 3.0
_LEVELS: tuple[Level, Level] = ("main", "underground")
_SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")
_LETTERS = {"left": "w", "right": "e", "top": "n", "bottom": "s"}


@dataclass(frozen=True)
class KnownOpening:
    """Where openings of the deck lie: place on the side in mm, and how many traced ones do."""

    side: Side
    level: Level
    place_mm: float
    count: int


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
    named: bool


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


def spots(parts: NDArray[np.float32], part: int, px_per_mm: Array) -> list[Spot]:
    """Where a part of `parts` (8, H, W) peaks, the surest first."""
    chance = parts[part]
    smooth = cv2.GaussianBlur(chance, (0, 0), 0.8)
    high = cv2.dilate(smooth, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((smooth >= high) & (chance > _LEAST[part]))
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
        dead_ends: frozenset[Level] = frozenset(_LEVELS),
        openings: Sequence[KnownOpening] = (),
    ) -> None:
        """`dead_ends`: levels on which corridors may end with nothing there; `openings`: where the deck's
        are."""
        self.dead_ends, self.known_openings = dead_ends, openings
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

    def card(self, id_: str, kind: Any, art: str) -> Card:
        """The card with the dungeon that was put together."""
        for level in _LEVELS:
            self._bridge(level)
            self._openings(level)
        self._doors()
        self._stairs()
        self._finds()
        self._landings()
        for level in _LEVELS:
            self._led_out(level)
            self._withhold_stubs(level)
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
                    straight = min(_heading(net, a) @ step, _heading(net, b) @ -step) / gap
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
        """Whether stairs end at either of two ends: then nothing goes on there."""
        part = STAIRS if level == "main" else FOOT
        near = [spot.at for spot in spots(self.parts, part, self.px_per_mm)]
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
            net.move(joint, edge)
            stretch = net.stretches[net.at_joint(joint)[0]]
            self.places[level][joint] = _Place("opening", stretch.chance, side=_SIDES[side])

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
        for joint in self._free_ends("main"):
            room, at, off = self._wall(net.joints[joint])
            if room is not None and off <= _END_TO_WALL_MM and all(np.hypot(*(at - t)) > 4 for t in taken):
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
        if off[side] > 0.1:
            return False
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
        tops, feet = (spots(self.parts, part, self.px_per_mm) for part in (STAIRS, FOOT))
        if not tops or not feet:
            return
        away = np.array([[float(np.hypot(*(top.at - foot.at))) for foot in feet] for top in tops])
        pairs = [(int(a), int(b)) for a, b in zip(*linear_sum_assignment(away), strict=True)]
        for a, b in pairs:
            if away[a, b] > _STAIRS_SPAN_MM:
                continue
            joints = {}
            for level, spot in zip(_LEVELS, (tops[a], feet[b]), strict=True):
                joints[level] = self._taken(level, spot.at, _STAIRS_TO_END_MM, _STAIRS_TO_LINE_MM)
            if None in joints.values():
                continue
            chance = min(tops[a].chance, feet[b].chance)
            for level in _LEVELS:
                joint = joints[level]
                assert joint is not None
                self.places[level][joint] = _Place("stairs", chance, pair=len(self.stairs))
            self.stairs.append(chance)

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
            room = next((room for room in self.rooms if room.polygon.contains(ShapelyPoint(at))), None)
            if room is not None:
                room.finds.append(find)
                continue
            # what is drawn on a crossing lies on the upper level, but where only the lower one runs
            off = {each: self.nets[each].nearest(at)[0] for each in _LEVELS}
            level: Level = "main" if off["main"] <= max(off["underground"], 2.0) else "underground"
            if off[level] > _FIND_TO_LINE_MM:
                continue
            joint = self._taken(level, at, _FIND_TO_JOINT_MM, _FIND_TO_LINE_MM)
            if joint is not None and joint not in self.places[level]:
                self.nets[level].move(joint, at)
                self.places[level][joint] = _Place("find", find.spot.chance, find=find)

    def _landings(self) -> None:
        """Where the underground ends at a find above, that is a pit."""
        net = self.nets["underground"]
        above = [place.find for place in self.places["main"].values() if place.find]
        above += [find for room in self.rooms for find in room.finds]
        ends = self._free_ends("underground")
        told: list[tuple[float, int, int]] = []
        for k, find in enumerate(above):
            for joint in ends:
                off = float(np.hypot(*(net.joints[joint] - find.spot.at)))
                if off <= (2 * _LANDING_MM if find.find == "pitfall" else _LANDING_MM):
                    told.append((off - (20.0 if find.find == "pitfall" and find.named else 0.0), k, joint))
        done: set[int] = set()
        for _, k, joint in sorted(told):
            find = above[k]
            if k in done or joint in self.places["underground"]:
                continue
            if find.named and find.find != "pitfall":
                continue  # its icon says what it is
            done.add(k)
            net.move(joint, find.spot.at)
            self.places["underground"][joint] = _Place("landing", find.spot.chance)
            self.falls.append((find, joint, find.spot.chance))
        for k, find in enumerate(above):
            if find.named and find.find == "pitfall" and k not in done:
                off, number = net.nearest(find.spot.at)
                if off <= _FIND_TO_LINE_MM:
                    joint = net.split(number, find.spot.at)
                else:
                    joint = net.add_joint(find.spot.at)
                self.places["underground"][joint] = _Place("landing", 0.3)
                self.falls.append((find, joint, 0.3))

    # -- ways to nowhere

    def _led_out(self, level: Level) -> None:
        """A line that ends short of where the deck's openings are, and heads there, leads out: other floors
        often hide the rest."""
        if level in self.dead_ends:
            return
        net, chance = self.nets[level], self.parts[MAIN if level == "main" else UNDER]
        for known in self.known_openings:
            along = known.side in ("left", "right")
            far = self.size_mm[0 if along else 1] if known.side in ("right", "bottom") else 0.0
            at = np.array([far, known.place_mm] if along else [known.place_mm, far])
            taken = any(
                place.kind == "opening" and np.hypot(*(self.nets[each].joints[joint] - at)) < _LED_APART_MM
                for each in _LEVELS
                for joint, place in self.places[each].items()
            )
            if known.level != level or taken:
                continue
            best: tuple[float, int] = (_LED_OUT_CHANCE, -1)
            for joint in self._free_ends(level):
                step = at - net.joints[joint]
                away = float(np.hypot(*step))
                if 0 < away <= _LED_OUT_MM and _heading(net, joint) @ step > _LED_OUT_TURN * away:
                    on_way = resampled(np.array([net.joints[joint], at]), 0.5) * self.px_per_mm - 0.5
                    seen = cv2.remap(chance, on_way[None].astype(np.float32), None, cv2.INTER_LINEAR)
                    best = max(best, (float(seen.mean()), joint))
            if best[1] >= 0:
                opening = net.add_joint(at)
                net.add_stretch(best[1], opening, np.array([net.joints[best[1]], at]), best[0])
                left = net.at_joint(best[1])
                net._join(best[1], left[0], left[1])
                self.places[level][opening] = _Place("opening", best[0], side=known.side)

    def _withhold_stubs(self, level: Level) -> None:
        """Short lines that end with nothing there are mostly none: longer ones too, where none may end so."""
        net, places = self.nets[level], self.places[level]
        longest = _STUB_MM if level in self.dead_ends else _STUB_WHERE_NONE_END_MM
        while True:
            loose = [(net.stretches[net.at_joint(j)[0]].length, j) for j in self._free_ends(level)]
            length, joint = min(loose, default=(np.inf, -1))
            if length > longest:
                return
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
                    place = _Place("end" if degree == 1 else "junction", chance)
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
                        confidence=_told(stretch.chance),
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


def _heading(net: Net, joint: int) -> Array:
    """The direction in which a line would go on beyond its end."""
    line = resampled(net.stretches[net.at_joint(joint)[0]].led_from(joint), 0.5)
    step = line[0] - line[min(len(line) - 1, 8)]
    return np.asarray(step / max(float(np.hypot(*step)), 1e-9))


def _point(at: Any, size_mm: Array) -> Point:
    x, y = (round(float(np.clip(value, 0, limit)), 2) for value, limit in zip(at, size_mm, strict=True))
    return x, y


def _told(chance: float) -> float:
    return round(float(np.clip(chance, 0.01, 0.99)), 2)
