"""Floor plan of a card: distance fields of its corridors' centre lines and its rooms."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.decks.drawing.noise import CARD_MM, Grid, smoothstep, stream, value_noise
from scorer.catalogue import Card, Edge, Node, Room

MAIN_HALF_MM = 3.35  # with the wobble, dirt is about 7 mm wide
UNDER_HALF_MM = 2.9
FILLET_MM = 3.0
WOBBLE_MM = 0.42
_OUTWARD = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "top": (0.0, -1.0), "bottom": (0.0, 1.0)}


@dataclass(frozen=True)
class Plan:
    """Signed distances in mm, (H, W) float32, negative inside.

    `main_mm` is the outer limit of main floors (rooms included), `under_mm` that of underground floors;
    `main_line_mm` is the distance from the centre lines of the main level.
    """

    main_mm: np.ndarray
    under_mm: np.ndarray
    main_line_mm: np.ndarray
    lines: tuple[tuple[str, np.ndarray], ...]  # level, (N, 2) card mm


def corridor_line(edge: Edge, nodes: dict[str, Node]) -> np.ndarray:
    """The corridor's centre line (N, 2) in mm with rounded corners, extended beyond the card's edge at
    openings."""
    start, end = nodes[edge.from_], nodes[edge.to]
    points = [np.array(p, float) for p in (start.at, *edge.via, end.at)]
    line = fillet(points)
    for node, first in ((start, True), (end, False)):
        if node.kind == "opening" and node.side:
            outside = np.array(node.at, float) + 8.0 * np.array(_OUTWARD[node.side])
            line = [outside, *line] if first else [*line, outside]
    return np.array(line)


def fillet(points: list[np.ndarray]) -> list[np.ndarray]:
    """A polyline with inner corners rounded by quadratic curves that start at most `FILLET_MM` before each
    corner."""
    line = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        back, ahead = before - corner, after - corner
        cut_back = min(FILLET_MM, 0.45 * float(np.hypot(*back)))
        cut_ahead = min(FILLET_MM, 0.45 * float(np.hypot(*ahead)))
        if cut_back < 1e-6 or cut_ahead < 1e-6:
            continue
        a = corner + back / np.hypot(*back) * cut_back
        b = corner + ahead / np.hypot(*ahead) * cut_ahead
        for t in np.linspace(0, 1, 7):
            line.append((1 - t) ** 2 * a + 2 * t * (1 - t) * corner + t * t * b)
    return [*line, points[-1]]


def _distance_from(grid: Grid, lines: list[np.ndarray]) -> np.ndarray:
    canvas = np.full(grid.shape, 255, np.uint8)
    shift = 4
    for line in lines:
        fixed = np.round((grid.to_px(line) - 0.5) * (1 << shift)).astype(np.int32)
        cv2.polylines(canvas, [fixed.reshape(-1, 1, 2)], False, 0, 1, cv2.LINE_8, shift)
    if not lines:
        return np.full(grid.shape, 99.0, np.float32)
    made: np.ndarray = cv2.distanceTransform(canvas, cv2.DIST_L2, 5) / np.float32(grid.px_per_mm)
    return made


def room_outline(room: Room) -> np.ndarray:
    return np.array(room.outline, float)


def _room_distance(grid: Grid, rooms: list[Room]) -> np.ndarray:
    inside = np.zeros(grid.shape, np.uint8)
    for room in rooms:
        corners = room_outline(room)
        # A room that ends at the card's edge goes on over the bleed.
        for axis, limit in enumerate(CARD_MM):
            corners[corners[:, axis] < 0.3, axis] = -12.0
            corners[corners[:, axis] > limit - 0.3, axis] = limit + 12.0
        fixed = np.round((grid.to_px(corners) - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(inside, [fixed.reshape(-1, 1, 2)], 255, cv2.LINE_8, 4)
    outward = cv2.distanceTransform(255 - inside, cv2.DIST_L2, 5)
    inward = cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    if not rooms:
        return np.full(grid.shape, 99.0, np.float32)
    made: np.ndarray = (outward - inward) / np.float32(grid.px_per_mm)
    return made


def card_plan(card: Card, seed: int, grid: Grid) -> Plan:
    """The floor plan of `card`, with borders perturbed by the seed. The perturbation fades at the edge,
    where cards meet."""
    nodes = {node.id: node for node in card.nodes}
    lines = tuple(
        (edge.level or "main", corridor_line(edge, nodes)) for edge in card.edges if edge.kind == "corridor"
    )
    main_line = _distance_from(grid, [line for level, line in lines if level == "main"])
    under_line = _distance_from(grid, [line for level, line in lines if level != "main"])
    rng = stream(seed, card.id, "plan")
    x, y = grid.mm()
    edge = np.minimum(np.minimum(x, CARD_MM[0] - x), np.minimum(y, CARD_MM[1] - y))
    calm = 0.25 + 0.75 * smoothstep(0.0, 5.0, edge)
    wobble = calm * (WOBBLE_MM * value_noise(rng, grid, 2.6) + 0.5 * WOBBLE_MM * value_noise(rng, grid, 1.1))
    sigma = 0.55 * grid.px_per_mm
    corridors = cv2.GaussianBlur(main_line, (0, 0), sigma) - np.float32(MAIN_HALF_MM) + 0.8 * wobble
    rooms = _room_distance(grid, [room for room in card.rooms if room.level == "main"])
    under_rooms = _room_distance(grid, [room for room in card.rooms if room.level != "main"])
    under = cv2.GaussianBlur(under_line, (0, 0), sigma) - np.float32(UNDER_HALF_MM) + 0.45 * wobble
    return Plan(
        np.minimum(corridors, rooms).astype(np.float32),
        np.minimum(under, under_rooms).astype(np.float32),
        main_line,
        lines,
    )
