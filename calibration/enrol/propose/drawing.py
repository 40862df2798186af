"""Segmentation masks of a dungeon's parts on a card's face, drawn from a known dungeon. They have the form
that `calibration.enrol.propose.parts` predicts, and serve as targets for training and for learning a
deck's style.

There are eight parts: centre lines of the corridors of both levels, also where something covers them;
rooms; spots of doors, of finds, and of the upper and lower ends of stairs; and the main level's floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card

Array = NDArray[np.float64]
MAIN, UNDER, ROOM, DOOR, FIND, STAIRS, FOOT, FLOOR = range(8)
PARTS = 8
#: Widths of drawn lines and spots, in pixels of a card with a shorter side of 128 pixels.
_LINE_PX, _SPOT_PX, _DOOR_PX, _FLOOR_PX = 2.2, 3.2, 3.0, 8
_BEYOND_PX = 16.0


@dataclass(frozen=True)
class Drawing:
    """A dungeon's lines, outlines and spots (x, y) in pixels. At openings, lines continue beyond the
    card's edge."""

    lines: dict[str, list[Array]]
    rooms: list[Array]
    doors: list[Array]
    finds: list[Array]
    #: Pairs of upper and lower ends.
    stairs: list[Array]


def drawing_of(card: Card, size_mm: tuple[float, float], size_px: tuple[int, int]) -> Drawing:
    """The lines, outlines and spots in pixels of a card's dungeon on a face of `size_px` (width, height)."""
    scale = np.asarray(size_px) / np.asarray(size_mm)

    def at(points_mm: Any) -> Array:
        return np.asarray(np.asarray(points_mm, float).reshape(-1, 2) * scale)

    nodes = {node.id: node for node in card.nodes}
    lines: dict[str, list[Array]] = {"main": [], "underground": []}
    for edge in card.edges:
        if edge.kind == "corridor":
            line = at([nodes[edge.from_].at, *edge.via, nodes[edge.to].at])
            if nodes[edge.from_].kind == "opening":
                line = np.concatenate([_beyond(line[0], size_px), line])
            if nodes[edge.to].kind == "opening":
                line = np.concatenate([line, _beyond(line[-1], size_px)])
            lines[edge.level or nodes[edge.from_].level].append(line)
    stairs = []
    for edge in card.edges:
        if edge.kind == "stairs":
            pair = sorted((nodes[edge.from_], nodes[edge.to]), key=lambda node: node.level != "main")
            stairs.append(at([node.at for node in pair]))
    return Drawing(
        lines=lines,
        rooms=[at(room.outline) for room in card.rooms],
        doors=[at(node.at)[0] for node in card.nodes if node.kind == "door"],
        finds=[at(node.at)[0] for node in card.nodes if node.find]
        + [at(find.at)[0] for room in card.rooms for find in room.finds],
        stairs=stairs,
    )


def _beyond(point: Array, size_px: tuple[int, int]) -> Array:
    off = [point[0], size_px[0] - point[0], point[1], size_px[1] - point[1]]
    step = ((-1, 0), (1, 0), (0, -1), (0, 1))[int(np.argmin(off))]
    return np.asarray([point + _BEYOND_PX * np.asarray(step)])


def drawn_parts(drawing: Drawing, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """Masks (8, H, W) uint8, 0 to 255: the coverage of each pixel by each of the eight kinds of parts."""
    width, height = size_px
    made = np.zeros((PARTS, height, width), np.float32)
    for k, level in ((MAIN, "main"), (UNDER, "underground")):
        mask = np.full((height, width), 255, np.uint8)
        for line in drawing.lines[level]:
            cv2.polylines(mask, [_px(line)], False, 0, 1, cv2.LINE_8, 4)
        if not mask.all():
            away = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
            made[k] = np.exp(-((away / _LINE_PX) ** 2))
    for outline in drawing.rooms:
        cv2.fillPoly(made[ROOM], [_px(outline)], 1.0, cv2.LINE_8, 4)
    made[DOOR] = _spots(drawing.doors, _DOOR_PX, (height, width))
    made[FIND] = _spots(drawing.finds, _SPOT_PX, (height, width))
    made[STAIRS] = _spots([pair[0] for pair in drawing.stairs], _SPOT_PX, (height, width))
    made[FOOT] = _spots([pair[1] for pair in drawing.stairs], _SPOT_PX, (height, width))
    for line in drawing.lines["main"]:
        cv2.polylines(made[FLOOR], [_px(line)], False, 1.0, _FLOOR_PX, cv2.LINE_8, 4)
    return np.asarray(np.round(made * 255), np.uint8)


def _spots(points: list[Array], spread: float, shape: tuple[int, int]) -> NDArray[np.float32]:
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    best = np.zeros(shape, np.float32)
    for x, y in points:
        away = (columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2
        np.maximum(best, np.exp(-away / spread**2), out=best)
    return best


def _px(points: Array) -> NDArray[np.int32]:
    return np.round((points - 0.5) * 16).astype(np.int32)
