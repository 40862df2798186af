"""Where a corridor goes on that ends with nothing there, or is hidden: the likeliest way over what is
seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from skimage.graph import MCP_Geometric

from calibration.proposal.centre_lines import Array, Net, resampled, smoothed
from calibration.proposal.drawing import FLOOR, MAIN, ROOM, UNDER
from calibration.proposal.habits import KnownOpening
from scorer.catalogue import Level

#: How far a way leads at most, from a line's end and from a place without a line (mm).
_MOST_MM, _MOST_ALONE_MM = 28.0, 60.0
#: How much it goes on as the line did (cosine), which a short line does not tell; how much longer than
#: straight it may be.
_TURN, _SHORT_TURN, _SHORT_MM, _ROUND_ABOUT = 0.3, -0.5, 6.0, 1.4
#: How likely it is on the whole.
_LEAST: dict[Level, float] = {"main": 0.3, "underground": 0.12}
#: What is less likely than this counts as this; below floors that hide it, more. A step costs something.
_UNSEEN, _UNSEEN_BELOW, _HIDDEN, _STEP_COST = 0.02, 0.15, 0.5, 0.1
#: A way into a line leads to its joint where that is as near (mm).
_TO_JOINT_MM = 3.5


@dataclass(frozen=True)
class WayOn:
    """A way (N, 2) in mm from a joint on: to an opening of the deck, another joint, or into a stretch. `cost`
    is the lower the likelier and shorter it is."""

    joint: int
    line: Array
    chance: float
    cost: float
    to: int | None = None
    into: int | None = None
    opening: KnownOpening | None = None


class Ground:
    """What ways of a level cost on a card: `parts` (8, H, W)."""

    def __init__(self, parts: NDArray[np.float32], level: Level, px_per_mm: Array) -> None:
        self.level, self.px_per_mm = level, px_per_mm
        chances, least = parts[MAIN], np.full(parts.shape[1:], _UNSEEN)
        if level == "underground":
            chances = parts[UNDER]
            least[np.maximum(parts[FLOOR], parts[ROOM]) > _HIDDEN] = _UNSEEN_BELOW
        self.costs: NDArray[np.float64] = -np.log(np.clip(chances, least, 1))

    def pixel(self, at: Array) -> tuple[int, int]:
        """(row, column) of a place in mm."""
        rows, columns = self.costs.shape
        column, row = np.floor(at * self.px_per_mm).astype(int)
        return int(np.clip(row, 0, rows - 1)), int(np.clip(column, 0, columns - 1))


def ways_on(
    net: Net, joint: int, ground: Ground, openings: list[tuple[KnownOpening, Array]], taken: set[int]
) -> list[WayOn]:
    """The likeliest ways from a line's end, or from a joint without a line: to each of the `openings` (and
    where it is), to other such ends, and into lines. `taken`: joints where something stands already."""
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
    """The direction in which a line would go on beyond its end."""
    line = resampled(net.stretches[net.at_joint(joint)[0]].led_from(joint), 0.5)
    step = line[0] - line[min(len(line) - 1, 8)]
    return np.asarray(step / max(float(np.hypot(*step)), 1e-9))
