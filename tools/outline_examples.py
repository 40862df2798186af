"""Examples for the network that sees card outlines: photos of cards of one size on a ground, with maps.

    python -m tools.outline_examples --count 1000 --out out/outlines/0.npz

writes `photos` (N, 320, 320, 3) uint8 BGR and `maps` (N, 3, 160, 160) uint8 of 255: inside of a card, side of
a card, and core of a card (`CORE`). Grounds (`tools.outline_grounds`), decks
(`tools.outline_cards`), places, camera, light and lens are all random. No table of `samples` and no deck of
the project is drawn.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.outline_cards import Deck, random_deck
from tools.outline_grounds import SIDE, Field, Rng, colour, ground, noise, octaves
from vision.outlines.outline_net import CORE

Array = NDArray[np.float64]
#: Side of a photo, of its maps, and of the canvas on which it is drawn.
PHOTO_PX, MAPS_PX, FINER = 320, 160, 2
CANVAS_PX = PHOTO_PX * FINER
#: Heights of a card, in pixels of a photo.
LOWEST_PX, HIGHEST_PX = 40, 270
#: Places of cards: centre (mm) and turn (radians).
Place = tuple[float, float, float]


@dataclass(frozen=True)
class View:
    """Position in table mm (H, W, 2) of each pixel of a canvas, and its mean scale."""

    at_mm: Field
    px_per_mm: float


class Camera:
    """A pinhole camera with a lens, tilted against the table, that looks at a part of a larger photo."""

    def __init__(self, rng: Rng, px_per_mm: float) -> None:
        tilt = math.radians(abs(rng.normal(0, 9)) if rng.random() < 0.6 else rng.uniform(10, 45))
        azimuth = rng.uniform(0, 2 * math.pi)
        longer = CANVAS_PX * rng.uniform(1.0, 2.2)
        self.focal = longer * rng.uniform(0.7, 1.2)
        self.k1 = float(rng.normal(0, 0.03)) if rng.random() < 0.5 else 0.0
        self.longer = longer
        self.middle = (CANVAS_PX - 1) / 2 + rng.uniform(-0.5, 0.5, 2) * (longer - CANVAS_PX)
        turn = self._turn(rng, azimuth)
        lean = np.array(
            [[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]], float
        )
        pose = turn @ lean
        distance = self.focal / px_per_mm
        # table mm (x, y, 1) to canvas pixels: the table's origin is seen in the middle of the canvas
        outer = np.column_stack([pose[:, 0], pose[:, 1], [0, 0, distance]])
        focal = np.array([[self.focal, 0, 0], [0, self.focal, 0], [0, 0, 1.0]])
        ray = np.append(((CANVAS_PX - 1) / 2 - self.middle) / self.focal, 1.0) * distance
        outer[:, 2] = ray
        self.to_px = focal @ outer
        self.px_per_mm = px_per_mm

    def _turn(self, rng: Rng, azimuth: float) -> Array:
        cos, sin = math.cos(azimuth), math.sin(azimuth)
        return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])

    def table(self, side: int) -> Field:
        """Table positions in mm (side, side, 2) of the pixels of the canvas at a coarser or the same size."""
        scale = CANVAS_PX / side
        at = ((np.arange(side) + 0.5) * scale - 0.5).astype(np.float32)
        x, y = np.meshgrid(at - self.middle[0], at - self.middle[1])
        bent = 1 + self.k1 * (x * x + y * y) / (self.longer / 2) ** 2
        back = np.linalg.inv(self.to_px).astype(np.float32)
        seen = np.stack([x * bent, y * bent, np.ones_like(x)], axis=2) @ back.T
        return np.asarray(seen[..., :2] / seen[..., 2:], np.float32)


@dataclass(frozen=True)
class Card:
    """A card on the table: its place, its face, and how much its middle appears moved (mm) as it is bowed."""

    place: Place
    face: int
    bow_mm: tuple[float, float]

    def on_card(self, at_mm: Field, size_mm: tuple[float, float], axis: int) -> Field:
        """Positions (H, W, 2) in mm from the card's middle, of positions on the table."""
        x, y, turn = self.place
        cos, sin = math.cos(turn), math.sin(turn)
        away = at_mm - np.array([x, y], np.float32)
        u, v = (away[..., 0] * a + away[..., 1] * b for a, b in ((cos, sin), (-sin, cos)))
        share = np.clip((v if axis else u) / (size_mm[axis] / 2), -1, 1)
        raised = 1 - share * share
        return np.dstack([u - self.bow_mm[0] * raised, v - self.bow_mm[1] * raised]).astype(np.float32)


def outside(on_card: Field, size_mm: tuple[float, float], radius: float) -> Field:
    """Signed distance (H, W) in mm from a card's outline, negative within."""
    across, down = (np.abs(on_card[..., k]) - np.float32(size_mm[k] / 2 - radius) for k in (0, 1))
    beyond = cv2.magnitude(np.maximum(across, 0), np.maximum(down, 0))
    return np.asarray(beyond + np.minimum(np.maximum(across, down), 0) - np.float32(radius), np.float32)


def places(rng: Rng, size: tuple[float, float], reach_mm: float, border: float) -> list[Place]:
    """Places of the cards in view: a grid with gaps, a touching grid, or cards anyhow."""
    form = rng.random()
    turn = rng.uniform(0, 2 * math.pi)
    wide, high = size[0] + 2 * border, size[1] + 2 * border
    if form < 0.2:
        return _scattered(rng, (wide, high), reach_mm)
    if form < 0.5:
        gap, off, lean = 0.0, rng.uniform(0.05, 0.4), 0.004
    elif form < 0.75:
        gap = rng.uniform(0.4, 4)
        off, lean = 0.2 * gap, 0.008
    else:
        gap = rng.uniform(3, 18)
        off, lean = min(2.0, 0.25 * gap), min(0.05, gap / 300)
    columns, rows = (
        max(1, min(8, int(rng.uniform(0.3, 1.3) * reach_mm / side) + 1)) for side in (wide, high)
    )
    start = rng.uniform(-0.3, 0.3, 2) * reach_mm
    present = 1.0 if rng.random() < 0.6 else rng.uniform(0.4, 1)
    shift = rng.uniform(0, wide) if rng.random() < 0.2 else 0.0
    made = []
    for row in range(rows):
        for column in range(columns):
            if rng.random() > present:
                continue
            x = (column - (columns - 1) / 2) * (wide + gap) + rng.normal(0, off) + shift * (row % 2)
            y = (row - (rows - 1) / 2) * (high + gap) + rng.normal(0, off)
            at = np.array([x, y]) + start
            cos, sin = math.cos(turn), math.sin(turn)
            half = math.pi if rng.random() < 0.3 else 0.0
            made.append(
                (cos * at[0] - sin * at[1], sin * at[0] + cos * at[1], turn + half + rng.normal(0, lean))
            )
    return made


def _scattered(rng: Rng, size: tuple[float, float], reach_mm: float) -> list[Place]:
    wanted = int(np.exp(rng.uniform(0, math.log(1 + 0.9 * reach_mm**2 / (size[0] * size[1])))))
    made: list[Place] = []
    boxes: list[Any] = []
    for _ in range(60):
        x, y = rng.uniform(-0.6, 0.6, 2) * reach_mm
        turn = rng.uniform(0, 2 * math.pi)
        box = ((x, y), (size[0] + 1, size[1] + 1), math.degrees(turn))
        if all(cv2.rotatedRectangleIntersection(box, other)[0] == 0 for other in boxes):
            boxes.append(box)
            made.append((float(x), float(y), float(turn)))
            if len(made) >= wanted:
                break
    return made


class Scene:
    """One example: what lies on the table, how it is seen, and the maps."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.deck: Deck = random_deck(rng, 4)
        height = math.exp(rng.uniform(math.log(LOWEST_PX), math.log(HIGHEST_PX)))
        self.camera = Camera(rng, height * FINER / max(self.deck.size_mm))
        self.reach_mm = CANVAS_PX / self.camera.px_per_mm
        self.sleeve = float(rng.uniform(1, 3.5)) if rng.random() < 0.2 else 0.0
        self.axis = int(rng.random() < 0.7)
        bowed = rng.random() < 0.25
        self.cards = []
        empty = rng.random() < 0.05
        for place in [] if empty else places(rng, self.deck.size_mm, self.reach_mm, self.sleeve):
            bow = rng.normal(0, 1.2, 2) if bowed else np.zeros(2)
            bow = np.clip(bow, -2.5, 2.5)
            bow[self.axis] = 0
            self.cards.append(Card(place, int(rng.integers(4)), (float(bow[0]), float(bow[1]))))
        self.shape = self.deck.size_mm, min(self.deck.radius_mm, min(self.deck.size_mm) / 2)

    def photo(self) -> NDArray[np.uint8]:
        """The photo (320, 320, 3) BGR."""
        rng, camera = self.rng, self.camera
        at_mm = camera.table(CANVAS_PX)
        texture = ground(rng, camera.px_per_mm)
        turn = rng.uniform(0, math.pi)
        cos, sin = math.cos(turn) * camera.px_per_mm, math.sin(turn) * camera.px_per_mm
        flat = (
            at_mm @ np.array([[cos, sin], [-sin, cos]], np.float32)
            + rng.uniform(0.3, 0.7, 2).astype(np.float32) * SIDE
        )
        flat = np.abs((flat + SIDE) % (2 * SIDE) - SIDE)
        seen = cv2.remap(
            texture,
            flat[..., 0].astype(np.float32),
            flat[..., 1].astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT_101,
        )
        for _ in range(int(rng.choice([0, 1, 3], p=[0.6, 0.25, 0.15]))):
            self._thing(seen, at_mm)
        drawn = [self._card_px(at_mm, card) for card in self.cards]
        self._shadow(seen, [each for each in drawn if each is not None])
        for card, part in zip(self.cards, drawn, strict=True):
            if part is not None:
                self._draw(seen, card, *part)
        if rng.random() < 0.15:
            self._thing(seen, at_mm)
        return self._taken(seen)

    def _box(self, card: Card, margin_mm: float) -> tuple[slice, slice] | None:
        """The part of the canvas that shows a card."""
        x, y, turn = card.place
        half = np.array(self.deck.size_mm) / 2 + margin_mm
        cos, sin = math.cos(turn), math.sin(turn)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        corners = corners @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
        seen = np.column_stack([corners, np.ones(4)]) @ self.camera.to_px.T
        if (seen[:, 2] <= 1e-3).any():
            return None
        at = seen[:, :2] / seen[:, 2:]
        bent = 1 - self.camera.k1 * (at * at).sum(axis=1, keepdims=True) / (self.camera.longer / 2) ** 2
        at = at * bent + self.camera.middle
        low, high = np.floor(at.min(axis=0)) - 6, np.ceil(at.max(axis=0)) + 7
        low, high = np.clip(low, 0, CANVAS_PX).astype(int), np.clip(high, 0, CANVAS_PX).astype(int)
        if (high - low < 2).any():
            return None
        return slice(low[1], high[1]), slice(low[0], high[0])

    def _card_px(self, at_mm: Field, card: Card) -> tuple[tuple[slice, slice], Field, Field] | None:
        box = self._box(card, 3 + self.sleeve)
        if box is None:
            return None
        on_card = card.on_card(at_mm[box], self.deck.size_mm, self.axis)
        return box, on_card, outside(on_card, *self.shape) * self.camera.px_per_mm

    def _shadow(self, seen: Field, drawn: list[tuple[tuple[slice, slice], Field, Field]]) -> None:
        if not drawn or self.rng.random() < 0.25:
            return
        mask = np.zeros(seen.shape[:2], np.float32)
        for box, _, off in drawn:
            mask[box] = np.maximum(mask[box], off < self.sleeve * self.camera.px_per_mm)
        way = self.rng.normal(0, 0.7, 2) * self.camera.px_per_mm
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, self.rng.uniform(0.3, 2.5) * self.camera.px_per_mm))
        moved = cv2.warpAffine(soft, np.array([[1, 0, way[0]], [0, 1, way[1]]]), seen.shape[1::-1])
        seen *= (1 - self.rng.uniform(0.1, 0.6) * moved)[..., None]

    def _draw(self, seen: Field, card: Card, box: tuple[slice, slice], on_card: Field, off: Field) -> None:
        rng = self.rng
        face = self.deck.faces[card.face]
        size = np.array(self.deck.size_mm, np.float32)
        wanted = max(8, round(self.camera.px_per_mm * max(size)))
        if wanted < max(face.shape[:2]):
            scale = wanted / max(face.shape[:2])
            face = cv2.resize(
                face,
                (max(2, round(face.shape[1] * scale)), max(2, round(face.shape[0] * scale))),
                interpolation=cv2.INTER_AREA,
            )
        at = (on_card / size + 0.5) * np.array([face.shape[1], face.shape[0]], np.float32) - 0.5
        art = cv2.remap(
            face,
            at[..., 0].astype(np.float32),
            at[..., 1].astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        bow = card.bow_mm[1 - self.axis]
        if bow:  # the light changes over a bowed card
            along = on_card[..., self.axis] / size[self.axis]
            art = art * (1 + 0.08 * bow * along)[..., None]
        part = seen[box]
        if self.sleeve:
            film = self.sleeve * self.camera.px_per_mm
            cover = np.clip(0.5 - (off - film), 0, 1)[..., None]
            part[:] = part * (1 - cover) + cover * (part * self._film[0] + self._film[1])
            rim = np.exp(-(((off - film) / 1.2) ** 2))[..., None]
            part += self._film[2] * rim
        cover = np.clip(0.5 - off, 0, 1)[..., None]
        part[:] = part * (1 - cover) + cover * art * (1 + rng.normal(0, 0.02))
        if self.sleeve and self._film[3] > 0:
            part[:] = part + cover * self._film[3] * (225 - part)

    @property
    def _film(self) -> tuple[float, float, float, float]:
        """A sleeve's film: how much ground shows through, haze, brightness of the rim, haze over the card."""
        own = np.random.default_rng(int(self.sleeve * 1e6))
        matte = own.random() < 0.35
        return (
            float(own.uniform(0.75, 1.0)),
            float(own.uniform(0, 35)),
            float(own.normal(0, 35)),
            float(own.uniform(0.05, 0.2)) if matte else 0.0,
        )

    def _thing(self, seen: Field, at_mm: Field) -> None:
        """Draw something that is no card: a die, a disc, a pen, a telephone, a sheet, an arm."""
        rng = self.rng
        size, radius = (
            ((s := float(rng.uniform(8, 20)), s), float(rng.uniform(0.5, 3))),
            ((s := float(rng.uniform(10, 40)), s), s / 2 - 0.01),
            ((float(rng.uniform(7, 12)), float(rng.uniform(100, 160))), 3.0),
            ((float(rng.uniform(68, 80)), float(rng.uniform(140, 165))), float(rng.uniform(4, 12))),
            ((210.0, 297.0), 0.0),
            ((float(rng.uniform(40, 90)), 400.0), 20.0),
        )[int(rng.choice(6, p=[0.25, 0.2, 0.2, 0.1, 0.1, 0.15]))]
        x, y = rng.uniform(-0.6, 0.6, 2) * self.reach_mm
        on = Card((float(x), float(y), float(rng.uniform(0, 6.3))), 0, (0.0, 0.0)).on_card(at_mm, size, 0)
        off = outside(on, size, radius) * self.camera.px_per_mm
        cover = np.clip(0.5 - off, 0, 1)[..., None]
        tint = colour(rng)
        if max(size) > 350:
            tint = np.array([120, 150, 205], np.float32) * rng.uniform(0.3, 1.1)
        if max(size) == 297.0:
            tint = np.float32(rng.uniform(200, 250)) + rng.normal(0, 5, 3).astype(np.float32)
        shade = 1 - 0.3 * np.clip(1 + off / (4 * self.camera.px_per_mm), 0, 1)[..., None]
        made = np.broadcast_to(tint, seen.shape) * shade
        if rng.random() < 0.5:
            inner = np.clip(0.5 - off - rng.uniform(1, 6) * self.camera.px_per_mm, 0, 1)[..., None]
            made = made * (1 - inner) + inner * colour(rng)
        soft = cv2.GaussianBlur(cover[..., 0], (0, 0), 2 + self.camera.px_per_mm)[..., None]
        seen *= 1 - 0.4 * soft
        seen[:] = seen * (1 - cover) + cover * made

    def _taken(self, seen: Field) -> NDArray[np.uint8]:
        """A photo of the canvas: light, glare, blur, noise, white balance and compression."""
        rng = self.rng
        light = np.exp(rng.uniform(0, 0.28) * noise(rng, (CANVAS_PX * rng.uniform(0.4, 1.5),) * 2, CANVAS_PX))
        seen = seen * (light * rng.uniform(0.55, 1.15))[..., None]
        if rng.random() < (0.6 if self.sleeve else 0.15):
            glare = np.clip(
                octaves(rng, CANVAS_PX * rng.uniform(0.05, 0.4), 2, 0.4, CANVAS_PX) - rng.uniform(1, 2), 0, 1
            )
            seen = seen + (rng.uniform(40, 255) * glare)[..., None]
        seen *= np.exp(rng.normal(0, 0.09, 3)).astype(np.float32)
        seen = cv2.resize(seen, (PHOTO_PX, PHOTO_PX), interpolation=cv2.INTER_AREA)
        if rng.random() < 0.6:
            seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 1.3))
        seen = np.asarray(255 * np.clip(seen / 255, 0, 1) ** rng.uniform(0.7, 1.4), np.float32)
        seen = seen + rng.standard_normal(seen.shape, np.float32) * rng.uniform(0, 7)
        photo = np.clip(seen, 0, 255).astype(np.uint8)
        if rng.random() < 0.5:
            _, data = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(45, 95))])
            photo = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return photo

    def maps(self) -> NDArray[np.uint8]:
        """The maps (3, 160, 160)."""
        at_mm = self.camera.table(MAPS_PX)
        made = np.zeros((3, MAPS_PX, MAPS_PX), np.float32)
        step = CANVAS_PX // MAPS_PX
        for card in self.cards:
            box = self._box(card, 3)
            if box is None:
                continue
            part = tuple(slice(each.start // step, -(-each.stop // step)) for each in box)
            on = card.on_card(at_mm[part], self.deck.size_mm, self.axis)
            off = _in_pixels(outside(on, *self.shape))
            inset = 2 * CORE * min(self.deck.size_mm)
            size = self.deck.size_mm[0] - inset, self.deck.size_mm[1] - inset
            core = _in_pixels(outside(on, size, 0.0))
            for channel, seen in enumerate((0.5 - off, 1.6 - np.abs(off), 0.5 - core)):
                own = made[channel, part[0], part[1]]
                np.maximum(own, np.clip(seen, 0, 1), out=own)
        return np.asarray(255 * made + 0.5, np.uint8)


def _in_pixels(distance_mm: Field) -> Field:
    """A map of distances in mm, in pixels of the map."""
    if min(distance_mm.shape) < 2:
        return distance_mm
    return np.asarray(distance_mm / np.maximum(np.hypot(*np.gradient(distance_mm)), 1e-6), np.float32)


def example(number: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    scene = Scene(np.random.default_rng([31, number]))
    return scene.photo(), scene.maps()


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw examples for the network that sees card outlines")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    start = time.process_time()
    made = [example(options.first + k) for k in range(options.count)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        options.out, photos=np.stack([photo for photo, _ in made]), maps=np.stack([maps for _, maps in made])
    )
    print(f"{options.count} examples, {time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
