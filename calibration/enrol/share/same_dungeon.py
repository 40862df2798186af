"""Comparison of dungeons: cards with the same dungeon, and cards that differ only in colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scorer.catalogue import Card, Catalogue, Point, Side
from scorer.errors import WaymarkError
from vision.cards.index import read_art

#: Another artist's icons lie within this of each other, as a share of the card's height (4 mm of 88).
NEAR = 0.045
#: Of all openings and finds of both cards this share must agree, and the next best card's be so much less.
LEAST_SHARE, LEAST_LEAD = 0.75, 0.12
#: Lowest number of places needed for a comparison.
LEAST_PLACES = 5
_CLOCKWISE: dict[Side, Side] = {"left": "top", "top": "right", "right": "bottom", "bottom": "left"}


@dataclass(frozen=True)
class Alike:
    """A card with a similar dungeon: `share` of the places agree after a clockwise rotation of the other
    card by `turn` quarters."""

    card: str
    share: float
    turn: int


def alike_dungeons(card: Card, catalogue: Catalogue, known: Catalogue) -> tuple[Alike, ...]:
    """The cards of `known` with the same openings and finds as a card, the most similar first; empty where
    no card is clearly similar."""
    width, height = catalogue.size_of(card.id)
    here = _places(card, (width, height))
    if len(here) < LEAST_PLACES:
        return ()
    quarters = (0, 1, 2, 3) if abs(width - height) < 0.5 else (0, 2)
    found = []
    for other in known.cards:
        size = known.size_of(other.id)
        if not (other.nodes or other.rooms) or (size[0] > size[1]) != (width > height):
            continue
        shares = [
            (_agreement(here, _places(turned_card(other, turn, size), size)), turn) for turn in quarters
        ]
        share, turn = max(shares, key=lambda each: each[0])
        found.append(Alike(other.id, round(share, 3), turn))
    found.sort(key=lambda each: -each.share)
    if not found or found[0].share < LEAST_SHARE:
        return ()
    near = tuple(each for each in found if each.share > found[0].share - LEAST_LEAD)
    # A starter's five colours share a layout: all of them are offered. Many layouts alike tell nothing.
    layouts = {(known.card(each.card).nodes, known.card(each.card).rooms) for each in near}
    return near if len(layouts) <= 2 else ()


def _places(card: Card, size_mm: Point) -> list[tuple[str, float, float]]:
    """Openings and finds of a card: kind, and x and y as shares of the card's width and height."""
    found = [(f"opening {n.side}", *n.at) for n in card.nodes if n.kind == "opening"]
    found += [(str(n.find), *n.at) for n in card.nodes if n.kind == "find"]
    found += [(str(find.find), *find.at) for room in card.rooms for find in room.finds]
    return [(what, x / size_mm[0], y / size_mm[1]) for what, x, y in found]


def _agreement(one: list[tuple[str, float, float]], other: list[tuple[str, float, float]]) -> float:
    """Share of both cards' places that match a place of the same kind on the other card."""
    if not other:
        return 0.0
    at, there = np.array([p[1:] for p in one]), np.array([p[1:] for p in other])
    cost = np.linalg.norm(at[:, None] - there[None], axis=2)
    same = np.array([[a[0] == b[0] for b in other] for a in one])
    cost[~same | (cost > NEAR)] = 1.0
    rows, columns = linear_sum_assignment(cost)
    agreed = int((cost[rows, columns] < 1.0).sum())
    return 2 * agreed / (len(one) + len(other))


def turned_card(card: Card, quarters: int, size_mm: Point) -> Card:
    """A card's dungeon on its face rotated clockwise by quarter turns. `size_mm` is the upright face's
    size. Odd numbers of quarters are for square pieces, which keep their size."""
    width, height = size_mm
    for _ in range(quarters % 4 if quarters % 2 else 0):
        card = _sides_turned(moved_card(card, lambda p: (round(height - p[1], 2), round(p[0], 2))), 1)
    if quarters % 4 == 2:
        card = moved_card(card, lambda p: (round(width - p[0], 2), round(height - p[1], 2)))
        card = _sides_turned(card, 2)
    return card


def _sides_turned(card: Card, quarters: int) -> Card:
    def side(old: Side | None) -> Side | None:
        for _ in range(quarters if old else 0):
            old = _CLOCKWISE[old] if old else None
        return old

    return msgspec.structs.replace(
        card, nodes=tuple(msgspec.structs.replace(node, side=side(node.side)) for node in card.nodes)
    )


def moved_card(card: Card, at: Callable[[Point], Point]) -> Card:
    """The card with a mapping applied to all its positions."""
    replaced = msgspec.structs.replace
    return replaced(
        card,
        nodes=tuple(replaced(node, at=at(node.at)) for node in card.nodes),
        edges=tuple(replaced(edge, via=tuple(map(at, edge.via))) for edge in card.edges),
        rooms=tuple(
            replaced(
                room,
                outline=tuple(map(at, room.outline)),
                finds=tuple(replaced(find, at=at(find.at)) for find in room.finds),
            )
            for room in card.rooms
        ),
    )


#: Measured on the open deck's 125 faces: 180 pairs of one layout in two colours reach 0.70 and more, 15,320
#: others 0.60 at most.
LEAST_LIKENESS = 0.65
_WIDTH_PX = 64
_SLOW_PX = 6.0


@dataclass(frozen=True)
class Like:
    """A card of similar appearance. `likeness` 1 means equal brightness everywhere. `upside_down`: similar
    after a rotation by 180 degrees."""

    card: str
    likeness: float
    upside_down: bool


def like_faces(catalogue: Catalogue, card: Card, most: int) -> tuple[Like, ...]:
    """The traced cards most similar in appearance to a card, the most similar first; empty where its face
    cannot be read."""
    face = _face(catalogue, card)
    if face is None:
        return ()
    found = []
    for other in catalogue.cards:
        if other.id == card.id or other.tracing != "yes":
            continue
        if catalogue.size_of(other.id) != catalogue.size_of(card.id):
            continue
        theirs = _face(catalogue, other)
        if theirs is None or theirs.shape != face.shape:
            continue
        upright = float((face * theirs).sum())
        turned = float((face * theirs[::-1, ::-1]).sum())
        found.append(Like(other.id, max(upright, turned), turned > upright))
    found.sort(key=lambda each: -each.likeness)
    return tuple(each for each in found[:most] if each.likeness >= LEAST_LIKENESS)


def _face(catalogue: Catalogue, card: Card) -> NDArray[np.float32] | None:
    try:
        path = catalogue.art_path(card)
        changed = path.stat().st_mtime_ns
    except (OSError, WaymarkError):
        return None
    width, height = catalogue.size_of(card.id)
    return _pattern(path, changed, round(_WIDTH_PX * height / width))


@lru_cache(maxsize=2048)
def _pattern(path: Path, _changed: int, height_px: int) -> NDArray[np.float32] | None:
    """High-pass filtered brightness (height_px, 64) of a face, of mean 0 and norm 1, or None."""
    art = read_art(path)
    if art is None:
        return None
    grey = cv2.cvtColor(art, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA).astype(np.float32)
    pattern = small - cv2.GaussianBlur(small, (0, 0), _SLOW_PX)
    length = float(np.linalg.norm(pattern))
    return np.asarray(pattern / length, np.float32) if length > 0 else None
