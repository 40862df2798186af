"""Decks drawn otherwise than the open one: other sizes, other colours, as catalogues with art."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue, load_catalogue

_PX_PER_MM = 8.0
Bgr = tuple[int, int, int]


@dataclass(frozen=True)
class Look:
    """How a deck is drawn: lengths in mm, colours blue-green-red."""

    size_mm: tuple[float, float] = (57.0, 89.0)
    radius_mm: float = 0.0
    corridor_mm: float = 4.0
    icon_mm: float = 4.5
    rock: Bgr = (150, 150, 150)
    floor: Bgr = (235, 240, 240)
    icon: Bgr = (60, 160, 200)


#: Paper with narrow corridors, a blackboard with wide ones.
PAPER = Look()
BOARD = Look((70.0, 110.0), 6.0, 12.0, 12.0, (95, 90, 88), (48, 45, 44), (130, 170, 60))


def other_deck(folder: Path, look: Look) -> Catalogue:
    """The deck in `folder`, read as anybody's catalogue is: two cards with corridors, finds and a room."""
    folder.mkdir(parents=True, exist_ok=True)
    cards = [_card(name, look, lean) for name, lean in (("K1", 0.06), ("K2", -0.05))]
    for k, card in enumerate(cards):
        cv2.imwrite(str(folder / card["art"]), _art(card, look, seed=k))
    (folder / "catalogue.json").write_bytes(
        msgspec.json.encode(
            {
                "format": "waymark-catalogue/1",
                "name": "other",
                "game": "mapmasters",
                "card_size_mm": look.size_mm,
                "corner_radius_mm": look.radius_mm,
                "cards": cards,
            }
        )
    )
    return load_catalogue(folder)


def _card(name: str, look: Look, lean: float) -> dict[str, Any]:
    """Two roads from left to right and one that joins them, a room on the way, all by shares of the card."""
    width, height = look.size_mm

    def at(x: float, y: float) -> tuple[float, float]:
        return round(x * width, 2), round(y * height, 2)

    places = {
        "w1": at(0, 0.25),
        "f1": at(0.25, 0.25 + lean),
        "j1": at(0.5, 0.25 + lean),
        "e1": at(1, 0.25),
        "f2": at(0.5, 0.42),
        "d1": at(0.5, 0.55),
        "d2": at(0.34, 0.68),
        "d3": at(0.66, 0.68),
        "w2": at(0, 0.75),
        "f3": at(0.83, 0.7),
        "e2": at(1, 0.75),
    }
    nodes: list[dict[str, Any]] = []
    for place, spot in places.items():
        node: dict[str, Any] = {"id": place, "at": spot}
        if place[0] in "we":
            node |= {"kind": "opening", "side": "left" if place[0] == "w" else "right"}
        elif place[0] == "d":
            node |= {"kind": "door", "room": "A"}
        elif place[0] == "f":
            node |= {"kind": "find", "find": {"f1": "coin", "f2": "key", "f3": "rope"}[place]}
        else:
            node |= {"kind": "junction"}
        nodes.append(node)
    ways = ["w1 f1", "f1 j1", "j1 e1", "j1 f2", "f2 d1", "d2 w2", "d3 f3", "f3 e2"]
    (left, top), (right, bottom) = at(0.34, 0.55), at(0.66, 0.85)
    return {
        "id": name,
        "kind": "dungeon",
        "art": f"{name}.png",
        "nodes": nodes,
        "edges": [{"kind": "corridor", "from": a, "to": b} for a, b in map(str.split, ways)],
        "rooms": [
            {
                "id": "A",
                "outline": [(left, top), (right, top), (right, bottom), (left, bottom)],
                "finds": [{"id": "A1", "find": "barrel", "at": at(0.5, 0.74)}],
            }
        ],
    }


def _art(card: dict[str, Any], look: Look, seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    size = tuple(round(length * _PX_PER_MM) for length in look.size_mm)
    rough = cv2.resize(rng.normal(0, 1, (40, 26)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    art = np.array(look.rock, np.float32) + 14 * rough[..., None]
    floors = np.zeros(size[::-1], np.uint8)
    spots = {node["id"]: node["at"] for node in card["nodes"]}
    for edge in card["edges"]:
        start, end = (_pixel(spots[edge[side]]) for side in ("from", "to"))
        cv2.line(floors, start, end, 1, round(look.corridor_mm * _PX_PER_MM), cv2.LINE_8, 4)
    for room in card["rooms"]:
        cv2.fillPoly(floors, [np.array([_pixel(at) for at in room["outline"]], np.int32) // 16], 1)
    art = np.where(floors[..., None] > 0, np.array(look.floor, np.float32) + 3 * rough[..., None], art)
    icons = [node["at"] for node in card["nodes"] if node["kind"] == "find"]
    icons += [find["at"] for room in card["rooms"] for find in room["finds"]]
    drawn = np.ascontiguousarray(art)
    for at in icons:
        radius = round(look.icon_mm / 2 * _PX_PER_MM * 16)
        cv2.circle(drawn, _pixel(at), radius, look.icon, -1, cv2.LINE_AA, 4)
        dark = tuple(value // 2 for value in look.icon)
        cv2.circle(drawn, _pixel(at), radius // 2, dark, -1, cv2.LINE_AA, 4)
    made: NDArray[np.uint8] = np.clip(cv2.GaussianBlur(drawn, (0, 0), 1.0), 0, 255).astype(np.uint8)
    return made


def _pixel(at_mm: tuple[float, float]) -> tuple[int, int]:
    """A point for OpenCV's drawing with four bits of fraction."""
    x, y = (round((length * _PX_PER_MM - 0.5) * 16) for length in at_mm)
    return x, y
