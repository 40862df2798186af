"""Graph of the corridors' centre lines: junctions and ends as joints, and the polylines between them."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.filters import apply_hysteresis_threshold
from skimage.morphology import skeletonize

Array = NDArray[np.float64]
#: A line begins where the chance of one is high and goes on while it is not low; what lies under other floors
#: is seen more faintly.
MAIN_CHANCES, UNDER_CHANCES = (0.5, 0.22), (0.42, 0.13)
#: Padding beyond the card's edge, in pixels; lines are traced into it and clipped at the edge.
_BEYOND_PX = 8
#: Two meetings nearer than this are one, and ends shorter than this are the line's width (mm).
_ONE_MEETING_MM, _SPUR_MM = 4.0, 4.0
_SMOOTH_PX = 5
#: Lines between the same joints nearer than this everywhere are one, a loop shorter than this is none (mm).
_ONE_LINE_MM, _LOOP_MM = 6.0, 18.0


@dataclass
class Stretch:
    """A polyline between two joints of the net. `line` (N, 2) in mm runs from joint `ends[0]` to joint
    `ends[1]`."""

    ends: tuple[int, int]
    line: Array
    chance: float

    @property
    def length(self) -> float:
        return float(np.hypot(*np.diff(self.line, axis=0).T).sum())

    def led_from(self, joint: int) -> Array:
        """The polyline (N, 2) in mm, ordered to start at the given joint."""
        return self.line if self.ends[0] == joint else self.line[::-1]


@dataclass
class Net:
    """A graph of centre lines: joints (positions in mm) and stretches (polylines) by number."""

    joints: dict[int, Array] = field(default_factory=dict)
    stretches: dict[int, Stretch] = field(default_factory=dict)
    #: Joints on the card's edge.
    on_edge: set[int] = field(default_factory=set)
    #: Joints that hold a place, such as a door; they stay when lines are dropped.
    held: Container[int] = frozenset()
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def add_joint(self, at: Array) -> int:
        number = next(self._numbers)
        self.joints[number] = np.asarray(at, float)
        return number

    def add_stretch(self, a: int, b: int, line: Array, chance: float) -> int:
        number = next(self._numbers)
        self.stretches[number] = Stretch((a, b), line, chance)
        return number

    def at_joint(self, joint: int) -> list[int]:
        """Numbers of the stretches incident to a joint. A loop is listed twice."""
        return [n for n, s in self.stretches.items() for end in s.ends if end == joint]

    def ends(self) -> list[int]:
        """Joints of degree one, where a single line ends."""
        return [joint for joint in self.joints if len(self.at_joint(joint)) == 1]

    def hanging_together(self, joint: int) -> set[int]:
        """The connected component of a joint: all joints that can be reached from it along stretches."""
        found, left = {joint}, [joint]
        while left:
            for number in self.at_joint(left.pop()):
                for end in self.stretches[number].ends:
                    if end not in found:
                        found.add(end)
                        left.append(end)
        return found

    def move(self, joint: int, at: Array) -> None:
        """Move a joint to a position in mm. The ends of its stretches are bent to the new position."""
        for number in set(self.at_joint(joint)):
            stretch = self.stretches[number]
            for k, end in ((0, stretch.ends[0]), (-1, stretch.ends[1])):
                if end == joint:
                    stretch.line = _bent(stretch.line, k, at)
        self.joints[joint] = np.asarray(at, float)

    def split(self, number: int, at: Array) -> int:
        """Split a stretch at its point nearest to `at` (mm) and return the number of the new joint."""
        stretch = self.stretches.pop(number)
        dense = resampled(stretch.line, 0.25)
        k = int(np.clip(np.argmin(np.hypot(*(dense - at).T)), 1, max(1, len(dense) - 2)))
        joint = self.add_joint(dense[k])
        self.add_stretch(stretch.ends[0], joint, dense[: k + 1], stretch.chance)
        self.add_stretch(joint, stretch.ends[1], dense[k:], stretch.chance)
        return joint

    def nearest(self, at: Array) -> tuple[float, int]:
        """Distance in mm to the nearest stretch, and its number (-1 without any)."""
        found = (np.inf, -1)
        for number, stretch in self.stretches.items():
            off = float(np.hypot(*(resampled(stretch.line, 0.5) - at).T).min())
            found = min(found, (off, number))
        return found

    def merge(self, a: int, b: int) -> None:
        """Merge joint `b` into joint `a` at their midpoint. Short stretches between the two are deleted."""
        middle = (self.joints[a] + self.joints[b]) / 2
        for number in set(self.at_joint(a)) & set(self.at_joint(b)):
            if self.stretches[number].length < 2 * _ONE_MEETING_MM:
                del self.stretches[number]
        self.move(a, middle)
        self.move(b, middle)
        for stretch in self.stretches.values():
            stretch.ends = tuple(a if end == b else end for end in stretch.ends)  # type: ignore[assignment]
        del self.joints[b]

    def drop(self, number: int) -> None:
        """Delete a stretch. End joints that hold no place are deleted at degree zero, and joined away at
        degree two."""
        ends = self.stretches.pop(number).ends
        for joint in set(ends):
            left = self.at_joint(joint)
            if joint in self.held:
                continue
            if not left:
                self.joints.pop(joint, None)
            elif len(left) == 2 and left[0] != left[1]:
                self.join(joint, left[0], left[1])

    def make_single(self) -> None:
        """Delete small loops, and all but one of nearly parallel stretches between the same two joints."""
        changed = True
        while changed:
            changed = False
            for number, stretch in list(self.stretches.items()):
                a, b = stretch.ends
                if a == b and stretch.length < _LOOP_MM:
                    self.drop(number)
                    changed = True
                    break
                beside = [
                    other
                    for other, each in self.stretches.items()
                    if other != number
                    and {*each.ends} == {a, b}
                    and a != b
                    and _apart(stretch.line, each.line) < _ONE_LINE_MM
                ]
                if beside and all(self.stretches[other].chance >= stretch.chance for other in beside):
                    self.drop(number)
                    changed = True
                    break

    def join(self, joint: int, one: int, other: int) -> None:
        first, second = self.stretches.pop(one), self.stretches.pop(other)
        before, after = first.led_from(joint)[::-1], second.led_from(joint)
        a = first.ends[1] if first.ends[0] == joint else first.ends[0]
        b = second.ends[1] if second.ends[0] == joint else second.ends[0]
        chance = min(first.chance, second.chance)
        self.add_stretch(a, b, np.concatenate([before, after[1:]]), chance)
        del self.joints[joint]


def resampled(line: Array, step_mm: float) -> Array:
    """A polyline (N, 2) in mm resampled at about equal steps of `step_mm`. Both ends are kept."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, along[-1], max(2, round(along[-1] / step_mm) + 1))
    return np.column_stack([np.interp(at, along, line[:, k]) for k in (0, 1)])


def _apart(line: Array, other: Array) -> float:
    """Directed Hausdorff distance in mm from a line to another: the greatest distance of its points from
    the other."""
    one, two = resampled(line, 1.0), resampled(other, 1.0)
    return float(np.hypot(*(one[:, None] - two[None]).transpose(2, 0, 1)).min(axis=1).max())


def _bent(line: Array, end: int, at: Array) -> Array:
    """A polyline (N, 2) in mm with one end (index 0 or -1) moved to `at`. Points near the old end are
    dropped."""
    led = line if end == 0 else line[::-1]
    away = np.hypot(*(led - led[0]).T)
    shift = float(np.hypot(*(np.asarray(at) - led[0])))
    rest = led[away > max(1.5, 1.2 * shift)]
    if not len(rest):
        rest = led[-1:]
    made = np.concatenate([[at], rest])
    return np.asarray(made if end == 0 else made[::-1])


def traced_net(chance: NDArray[np.float32], px_per_mm: Array, chances: tuple[float, float]) -> Net:
    """The graph of centre lines in a probability map (H, W) of centre-line pixels, by hysteresis threshold
    and skeleton. `chances`: the high threshold, reached somewhere on each line, and the low one, reached
    everywhere."""
    padded = np.pad(chance, _BEYOND_PX, mode="edge")
    mask = apply_hysteresis_threshold(padded, chances[1], chances[0])  # type: ignore[no-untyped-call]
    bones = np.asarray(skeletonize(mask), np.bool_)  # type: ignore[no-untyped-call]
    net = _followed(bones, padded, px_per_mm, chance.shape)
    _tidied(net)
    return net


def _followed(
    bones: NDArray[np.bool_], chance: NDArray[np.float32], px_per_mm: Array, shape: tuple[int, ...]
) -> Net:
    """The graph of a skeleton (lines one pixel wide): joints and stretches in mm, clipped at the card's
    edge."""
    count = cv2.filter2D(
        bones.astype(np.uint8), -1, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT
    )
    meeting = bones & (count > 3)
    size = np.array([shape[1], shape[0]], float)
    net = Net()

    def mm(points_px: Array) -> Array:
        return np.asarray((points_px + 0.5 - _BEYOND_PX) / px_per_mm)

    blobs, labels = cv2.connectedComponents(meeting.astype(np.uint8), connectivity=8)
    joints = {}
    for label in range(1, blobs):
        rows, columns = np.nonzero(labels == label)
        joints[label] = net.add_joint(mm(np.array([columns.mean(), rows.mean()])))
    pieces, of = cv2.connectedComponents((bones & ~meeting).astype(np.uint8), connectivity=8)
    for piece in range(1, pieces):
        pixels = _in_order(np.argwhere(of == piece))
        ends: list[int | None] = []
        for end, other in ((pixels[0], None), (pixels[-1], ends)):
            row, column = end
            near = np.unique(labels[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2])
            found = [joints[label] for label in near if label]
            if len(pixels) == 1 and other is not None:
                found = [joint for joint in found if joint != ends[0]] or found
            ends.append(found[0] if found else None)
        line = mm(smoothed(pixels[:, ::-1].astype(float)))
        likely = float(np.mean(chance[pixels[:, 0], pixels[:, 1]]))
        _add_cut(net, line, (ends[0], ends[1]), likely, size / px_per_mm)
    return net


def _in_order(pixels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pixels (N, 2) as (row, column) of a chain, ordered from one end to the other."""
    left = {(int(row), int(column)) for row, column in pixels}

    def beside(at: tuple[int, int]) -> list[tuple[int, int]]:
        near = [(at[0] + dr, at[1] + dc) for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        near += [(at[0] + dr, at[1] + dc) for dr in (-1, 1) for dc in (-1, 1)]
        return [step for step in near if step in left]

    at = min(left, key=lambda pixel: len(beside(pixel)))
    order = [at]
    left.discard(at)
    while near := beside(at):
        at = near[0]
        left.discard(at)
        order.append(at)
    return np.array(order)


def smoothed(points: Array) -> Array:
    """A pixel chain (N, 2) smoothed by a moving average. Both end points are kept."""
    if len(points) < 4:
        return points
    reach = min(_SMOOTH_PX, len(points) // 2)
    padded = np.pad(points, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    kernel = np.ones(2 * reach + 1) / (2 * reach + 1)
    made = np.column_stack([np.convolve(padded[:, k], kernel, mode="valid") for k in (0, 1)])
    made[0], made[-1] = points[0], points[-1]
    return made


def _add_cut(
    net: Net, line: Array, ends: tuple[int | None, int | None], chance: float, size_mm: Array
) -> None:
    """Add a line to the net, clipped to the card. Each clipped end becomes a joint on the card's edge."""
    inside = np.asarray(((line > 0) & (line < size_mm)).all(axis=1))
    if not inside.any():
        return
    a, b = ends
    first, last = int(np.argmax(inside)), len(line) - 1 - int(np.argmax(inside[::-1]))
    kept = line[first : last + 1]
    if first > 0:
        kept = np.concatenate([[_on_edge(line[first - 1], line[first], size_mm)], kept])
        a = net.add_joint(kept[0])
        net.on_edge.add(a)
    elif a is None:
        a = net.add_joint(kept[0])
    else:
        kept = np.concatenate([[net.joints[a]], kept])
    if last < len(line) - 1:
        kept = np.concatenate([kept, [_on_edge(line[last + 1], line[last], size_mm)]])
        b = net.add_joint(kept[-1])
        net.on_edge.add(b)
    elif b is None:
        b = net.add_joint(kept[-1])
    else:
        kept = np.concatenate([kept, [net.joints[b]]])
    net.add_stretch(a, b, kept, chance)


def _on_edge(outside: Array, inside: Array, size_mm: Array) -> Array:
    """Intersection (x, y) in mm of the card's edge with the segment between an outside and an inside
    point."""
    step = outside - inside
    shares = [1.0]
    for axis in (0, 1):
        if step[axis]:
            shares += [(limit - inside[axis]) / step[axis] for limit in (0.0, size_mm[axis])]
    share = min(share for share in shares if share >= 0)
    return np.asarray(np.clip(inside + share * step, 0, size_mm))


def _tidied(net: Net) -> None:
    """Clean the net in place: merge junctions that are close, delete short stubs, and remove joints of
    degree two."""
    for joint in list(net.joints):
        if not net.at_joint(joint):
            del net.joints[joint]
    changed = True
    while changed:
        changed = False
        for number, stretch in list(net.stretches.items()):
            a, b = stretch.ends
            busy = [len(net.at_joint(joint)) > 1 and joint not in net.on_edge for joint in (a, b)]
            if a != b and all(busy) and stretch.length < _ONE_MEETING_MM:
                net.merge(a, b)
                changed = True
                break
            loose = (len(net.at_joint(a)) == 1 and a not in net.on_edge) != (
                len(net.at_joint(b)) == 1 and b not in net.on_edge
            )
            if (a == b and stretch.length < 3 * _SPUR_MM) or (loose and stretch.length < _SPUR_MM):
                net.drop(number)
                changed = True
                break
    net.make_single()
    for joint in list(net.joints):
        left = net.at_joint(joint)
        if len(left) == 2 and left[0] != left[1] and joint not in net.on_edge:
            net.join(joint, left[0], left[1])
