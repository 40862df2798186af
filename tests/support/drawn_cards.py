"""Photos for the reader's tests, made at test time: bundled art laid on a table, a pen drawn over it, light
and a lens."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.record import PlacedCard
from vision.cards.layout import Layout
from vision.cards.pose import LayoutCard, corners_of
from vision.photo.decode import Photo

PX_PER_MM = 7.0
MARGIN_MM = 8.0
PENS = {
    "black": (28, 25, 24),
    "blue": (140, 50, 24),
    "red": (40, 26, 185),
    "green": (70, 104, 4),
    "purple": (130, 20, 110),
    "white": (245, 245, 240),
}


@cache
def catalogue() -> Catalogue:
    """The bundled deck."""
    return load_catalogue(bundled_catalogue())


@dataclass
class Table:
    """Cards on a table, and what is drawn on them in table mm."""

    cards: tuple[PlacedCard, ...]
    pen: str = "blue"
    width_mm: float = 1.5
    lines: list[NDArray[np.float64]] = field(default_factory=list)
    deck: Catalogue = field(default_factory=catalogue)

    @property
    def dungeon(self) -> Dungeon:
        return build_dungeon(self.deck, self.cards)

    def draw(self, *lines: NDArray[np.float64]) -> None:
        """Add pen lines (N, 2) table mm."""
        self.lines += [np.asarray(line, float) for line in lines]

    def walk(self, places: Sequence[str], offset_mm: float = 0.0) -> None:
        """Draw the line through places, `offset_mm` to its right-hand side."""
        self.draw(guide(self.dungeon, places, offset_mm))

    def ring(self, place: str, radius_mm: float = 4.8) -> None:
        """Circle a find."""
        angle = np.linspace(0, 6.1, 60)
        at = np.asarray(self.dungeon.places[place].at_mm)
        self.draw(at + radius_mm * np.column_stack([np.cos(angle), np.sin(angle)]))

    def strike(self, place: str) -> None:
        """Strike a find through."""
        at = np.asarray(self.dungeon.places[place].at_mm)
        self.draw(at + np.array([[-3.4, 3.2], [3.4, -3.2]]))

    def photo(self, *, seed: int = 1, lift_mm: float = 0.0) -> tuple[Photo, Layout]:
        """The table seen at a slant, and the true layout (`lift_mm`: by how much the layout is off)."""
        rng = np.random.default_rng(seed)
        width, height = self.deck.card_size_mm
        low = np.array([min(c.x for c in self.cards), min(c.y for c in self.cards)]) - MARGIN_MM
        high = (
            np.array([max(c.x for c in self.cards) + width, max(c.y for c in self.cards) + height])
            + MARGIN_MM
        )
        size = np.ceil((high - low) * PX_PER_MM).astype(int)
        table = np.full((size[1], size[0], 3), (84, 104, 128), np.uint8)
        for card in self.cards:
            art = cv2.imread(str(self.deck.art_path(self.deck.card(card.card))))
            art = cv2.resize(
                art, (round(width * PX_PER_MM), round(height * PX_PER_MM)), interpolation=cv2.INTER_AREA
            )
            art = np.rot90(art, -(card.rotation // 90))
            x, y = np.round((np.array([card.x, card.y]) - low) * PX_PER_MM).astype(int)
            table[y : y + art.shape[0], x : x + art.shape[1]] = art
        film = np.zeros(table.shape[:2], np.uint8)
        for line in self.lines:
            points = np.round(((line - low) * PX_PER_MM - 0.5) * 16).astype(np.int32)
            cv2.polylines(film, [points], False, 255, round(self.width_mm * PX_PER_MM), cv2.LINE_AA, 4)
        cover = (film / 255.0 * 0.88)[..., None]
        table = (table * (1 - cover) + np.array(PENS[self.pen]) * cover).astype(np.uint8)
        source = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
        lean = rng.uniform(0, 0.06, (4, 2)) * size * [[1, 1], [-1, 1], [-1, -1], [1, -1]]
        warp = cv2.getPerspectiveTransform(source, (source + lean).astype(np.float32))
        seen = cv2.warpPerspective(table, warp, tuple(int(v) for v in size)).astype(np.float32)
        ramp = np.linspace(0.75, 1.1, size[0])[None, :, None] * np.array([0.9, 1.0, 1.05])
        seen = cv2.GaussianBlur(seen * ramp, (0, 0), 0.8) + rng.normal(0, 3, seen.shape)
        pixels = np.clip(seen, 0, 255).astype(np.uint8)
        to_px = np.array(
            [[PX_PER_MM, 0, -low[0] * PX_PER_MM - 0.5], [0, PX_PER_MM, -low[1] * PX_PER_MM - 0.5], [0, 0, 1]]
        )
        table_to_photo = warp @ to_px
        poses = []
        for card in self.cards:
            upright = np.array([[1, 0, card.x], [0, 1, card.y], [0, 0, 1.0]])
            if card.rotation == 180:
                upright = np.array([[-1, 0, card.x + width], [0, -1, card.y + height], [0, 0, 1.0]])
            off = np.array([[1, 0, lift_mm], [0, 1, -lift_mm], [0, 0, 1.0]])
            to_photo = table_to_photo @ upright @ off
            corners = cv2.perspectiveTransform(
                np.array([[[0, 0], [width, 0], [width, height], [0, height]]], float), to_photo
            )[0]
            poses.append(
                LayoutCard(card.card, card.rotation, corners_of(corners), 1.0, card.x, card.y, to_photo)
            )
        return Photo(pixels), Layout(tuple(poses), table_to_photo)


def guide(dungeon: Dungeon, places: Sequence[str], offset_mm: float = 0.0) -> NDArray[np.float64]:
    """The line (N, 2) that a pen draws through places: corridors along their middle, rooms from door to
    door.
    """
    points: list[tuple[float, float]] = [dungeon.places[places[0]].at_mm]
    for a, b in itertools.pairwise(places):
        here, there = dungeon.places[a], dungeon.places[b]
        if here.kind == "room" or there.kind == "room":
            # through a room: straight to the next door, or to its middle where the walk ends
            if here.kind == "room" or b == places[-1]:
                points.append(there.at_mm)
        else:
            links = [link for link in dungeon.neighbours[a] if link.b == b]
            points += list(links[0].line_mm[1:]) if links else [there.at_mm]
    line = np.array(points, float)
    if not offset_mm:
        return line
    step = np.gradient(line, axis=0)
    step /= np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-9)
    return line + offset_mm * np.column_stack([-step[:, 1], step[:, 0]])


def random_walk(dungeon: Dungeon, seed: int, wanted: int = 14) -> tuple[str, ...]:
    """A walk from an outer opening that takes no corridor place twice and passes rooms from door to door."""
    rng = random.Random(seed)
    best: tuple[str, ...] = ()
    for _ in range(80):
        path = [rng.choice(sorted(dungeon.open_openings))]
        used = set(path)
        while len(path) < 2 * wanted:
            room = dungeon.places[path[-1]].kind == "room"
            choices = [
                link
                for link in dungeon.neighbours[path[-1]]
                if link.b not in used and dungeon.places[link.b].kind != "room_find"
            ]
            if room and not any(dungeon.places[link.b].kind == "door" for link in choices):
                break
            if not choices:
                break
            path.append(rng.choice(choices).b)
            used.add(path[-1])
            if path[-1] in dungeon.open_openings:
                break
        ends_well = path[-1] in dungeon.open_openings
        if ends_well and abs(len(path) - wanted) < abs(len(best) - wanted):
            best = tuple(path)
    return best
