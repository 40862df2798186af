"""A second set of tiles in another style, for validation and tests alone: the labyrinth as a garden.

Tiles of 44 mm with the walls of the open set, but most of them alike: twelve straight ones of one design, ten
bends of another; other frame, chips, figures and cards. Nobody tunes on it.

`python -m samples.second_tiles --out samples/sets/second-tiles` writes the catalogue's folder.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.decks.labyrinth2.tile_set import LOOSE, STARTS, TILE_MM, build_catalogue
from calibration.decks.pieces import catalogue_json, sides_of
from samples.tables import cloud
from scorer.catalogue import FILE_NAME, Card, Catalogue, Point, Side

SIDE_MM, FRAME_MM = 44.0, 18.0
BOARD_MM = 7 * SIDE_MM + 2 * FRAME_MM
CHIP_MM, COIN_MM = 20.0, 18.0
CARD_MM = (50.0, 72.0)
FIGURES_MM: dict[str, Point] = {"explorer": (15.0, 24.0), "gargoyle": (20.0, 28.0), "dragon": (50.0, 38.0)}
PX_PER_MM = 10.0
DRAWN = 2  # times as fine as kept: no edge is jagged
HALF_MM = 7.6  # of a path's width
#: What the pieces are called here.
NAMES = {
    "chip": "loot",
    "card": "map",
    "explorer": "hero",
    "gargoyle": "beast",
    "dragon": "wyrm",
    "coin": "ducat",
}
#: Bends and three-ways that are like no other carry a flower bed: its petals and colour.
BEDS: tuple[tuple[int, tuple[int, int, int]], ...] = (
    (5, (232, 62, 96)), (8, (250, 214, 60)), (3, (240, 240, 248)), (6, (120, 84, 206)),
    (4, (244, 132, 36)), (12, (80, 170, 236)), (5, (250, 250, 250)), (8, (204, 48, 160)),
    (3, (252, 176, 64)), (6, (226, 44, 44)), (4, (150, 220, 244)), (12, (246, 160, 196)),
)  # fmt: skip
DECORATED_BENDS = 6
HEROES = {"red": (214, 48, 49), "blue": (44, 92, 196), "yellow": (246, 204, 50), "green": (46, 160, 78)}
BODIES = (
    (214, 66, 58), (66, 124, 206), (76, 170, 92), (238, 150, 44), (150, 90, 190), (60, 176, 180),
    (226, 96, 160), (150, 160, 60), (150, 100, 70), (92, 98, 190), (140, 146, 156), (60, 60, 66),
)  # fmt: skip
Rgb = tuple[int, int, int]
Picture = NDArray[np.uint8]
TOWARDS: dict[Side, tuple[int, int]] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}


# --- the set ------------------------------------------------------------------------------------------------


def second_tiles() -> Catalogue:
    """The second set's catalogue, in memory."""
    return Catalogue(
        name="hedges",
        game="labyrinth2",
        cards=tuple(_cards()),
        card_size_mm=(SIDE_MM, SIDE_MM),
        corner_radius_mm=0.0,
    )


def _cards() -> Iterator[Card]:
    for card in build_catalogue().cards:
        if card.kind == "tile":
            shape, number = card.id[0], int(card.id[1:])
            own = {"I": 0, "L": DECORATED_BENDS, "T": LOOSE["T"]}[shape]
            if number <= own:
                yield _resized(card, f"{shape.lower()}{number}")
            elif number == own + 1:
                plain = _resized(card, f"{shape.lower()}-plain")
                yield msgspec.structs.replace(plain, copies=LOOSE[shape] - own)
        elif card.kind == "fixed":
            yield _resized(card, f"p{card.id[1:]}")
        elif card.kind == "board":
            yield msgspec.structs.replace(
                card, id="garden", art="art/garden.png", size_mm=(BOARD_MM, BOARD_MM), chip_cells=None
            )
        elif card.kind != "die":
            first, _, rest = card.id.partition("-")
            name = NAMES[first] + (f"-{rest}" if rest else "")
            size = {"chip": (CHIP_MM, CHIP_MM), "coin": (COIN_MM, COIN_MM), "card": CARD_MM}.get(card.kind)
            yield msgspec.structs.replace(
                card, id=name, art=f"art/{name}.png", size_mm=size or FIGURES_MM[card.role or ""]
            )


def _resized(card: Card, name: str) -> Card:
    """A tile of the open set at this set's size."""
    share = SIDE_MM / TILE_MM
    nodes = tuple(
        msgspec.structs.replace(node, at=(node.at[0] * share, node.at[1] * share)) for node in card.nodes
    )
    return msgspec.structs.replace(card, id=name, art=f"art/{name}.png", nodes=nodes)


def write_set(folder: Path) -> Catalogue:
    """Write the catalogue and its art."""
    catalogue = second_tiles()
    (folder / "art").mkdir(parents=True, exist_ok=True)
    (folder / FILE_NAME).write_bytes(catalogue_json(catalogue))
    for card in catalogue.cards:
        cv2.imwrite(str(folder / card.art), cv2.cvtColor(draw(card), cv2.COLOR_RGB2BGR))
    return catalogue


# --- the drawing --------------------------------------------------------------------------------------------


class _Pen:
    """A picture of a size in mm, drawn finer than it is kept."""

    def __init__(self, width_mm: float, height_mm: float, ground: Rgb) -> None:
        self.scale = PX_PER_MM * DRAWN
        self.size = (round(width_mm * self.scale), round(height_mm * self.scale))
        self.pixels: Picture = np.full((self.size[1], self.size[0], 3), ground, np.uint8)

    def _px(self, points: object) -> NDArray[np.int32]:
        return np.round(np.asarray(points, float) * self.scale).astype(np.int32)

    def fill(self, points: object, colour: Rgb) -> None:
        cv2.fillPoly(self.pixels, [self._px(points)], colour, cv2.LINE_AA)

    def line(self, points: object, colour: Rgb, width_mm: float, closed: bool = False) -> None:
        width = max(1, round(width_mm * self.scale))
        cv2.polylines(self.pixels, [self._px(points)], closed, colour, width, cv2.LINE_AA)

    def disc(self, at: Point, radius_mm: float, colour: Rgb, width_mm: float | None = None) -> None:
        width = -1 if width_mm is None else max(1, round(width_mm * self.scale))
        centre = self._px(at)
        cv2.circle(
            self.pixels,
            (int(centre[0]), int(centre[1])),
            round(radius_mm * self.scale),
            colour,
            width,
            cv2.LINE_AA,
        )

    def text(self, word: str, at: Point, height_mm: float, colour: Rgb, weight_mm: float) -> None:
        font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, round(weight_mm * self.scale))
        size = height_mm * self.scale / 22.0
        (width, height), _ = cv2.getTextSize(word, font, size, thick)
        x, y = at[0] * self.scale - width / 2, at[1] * self.scale + height / 2
        cv2.putText(self.pixels, word, (round(x), round(y)), font, size, colour, thick, cv2.LINE_AA)

    def kept(self) -> Picture:
        size = (self.size[0] // DRAWN, self.size[1] // DRAWN)
        return np.asarray(cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def draw(card: Card) -> Picture:
    """A piece's art (H, W, 3) sRGB, upright, at `PX_PER_MM`. Raises `ValueError` for no piece of this set."""
    if card.kind in ("tile", "fixed"):
        return _tile(card)
    if card.kind == "board":
        return _board()
    if card.kind == "chip":
        return _chip(card.value or 0)
    if card.kind == "coin":
        return _coin()
    if card.kind == "card":
        return _card(card.value or 0)
    if card.role == "explorer":
        return _hero(HEROES[card.colour or ""])
    if card.role == "gargoyle":
        return _beast(int(card.id[-1]))
    if card.role == "dragon":
        return _wyrm()
    raise ValueError(card.id)


def _tile(card: Card) -> Picture:
    """Hedges with a sandy path between them, kerbed with stones."""
    rng = np.random.default_rng(zlib.crc32(card.id.encode()))
    printed = card.kind == "fixed"
    hedge: Rgb = (122, 84, 44) if printed else (44, 104, 52)
    pen = _Pen(SIDE_MM, SIDE_MM, hedge)
    _leaves(pen, hedge, rng)
    middle = SIDE_MM / 2
    arms = [TOWARDS[side] for side in sides_of(card)]

    def path(half: float, colour: Rgb) -> None:
        pen.disc((middle, middle), half, colour)
        for x, y in arms:
            end = (middle + 30 * x, middle + 30 * y)
            side = (half * abs(y), half * abs(x))
            pen.fill(
                [
                    (middle - side[0], middle - side[1]),
                    (middle + side[0], middle + side[1]),
                    (end[0] + side[0], end[1] + side[1]),
                    (end[0] - side[0], end[1] - side[1]),
                ],
                colour,
            )

    path(HALF_MM + 1.5, (70, 66, 60))
    path(HALF_MM + 1.1, (168, 162, 150))
    path(HALF_MM, (226, 206, 162) if not printed else (212, 200, 184))
    _pebbles(pen, rng)
    if printed:
        pen.line([(1, 1), (43, 1), (43, 43), (1, 43)], (236, 220, 180), 0.9, closed=True)
        start = {cell: name for name, cell in STARTS.items()}.get(card.cell or (9, 9))
        if start is not None:
            pen.disc((middle, middle), 7.0, HEROES[start])
            pen.disc((middle, middle), 7.0, (255, 255, 255), 0.7)
            pen.disc((middle, middle), 2.4, (255, 255, 255))
    bed = _bed_of(card.id)
    if bed is not None:
        at = (middle, middle) if card.id[0] == "t" else (9.2, 34.8)
        _flowers(pen, at, *bed)
    pen.line(
        [(0, 0), (44, 0), (44, 44), (0, 44)], (20, 44, 24) if not printed else (50, 34, 20), 0.7, closed=True
    )
    return pen.kept()


def _bed_of(name: str) -> tuple[int, Rgb] | None:
    if name[0] in "lt" and name[1:].isdecimal():
        number = int(name[1:]) - 1 + (DECORATED_BENDS if name[0] == "t" else 0)
        return BEDS[number]
    return None


def _leaves(pen: _Pen, colour: Rgb, rng: np.random.Generator) -> None:
    """A clipped hedge: lumps of leaves, light and dark."""
    shape = (pen.size[1], pen.size[0])
    tone = 1 + 0.16 * cloud(shape, (60, 60), rng) + 0.10 * cloud(shape, (22, 22), rng)
    pen.pixels[:] = np.clip(np.asarray(colour, np.float32) * tone[..., None], 0, 255).astype(np.uint8)
    for _ in range(420):
        at = rng.uniform(0, 1, 2) * (pen.size[0], pen.size[1])
        bright = rng.uniform(0.55, 1.5)
        tint = tuple(float(min(255, c * bright)) for c in colour)
        axes = (round(rng.uniform(5, 12)), round(rng.uniform(3, 6)))
        cv2.ellipse(
            pen.pixels,
            (int(at[0]), int(at[1])),
            axes,
            float(rng.uniform(0, 180)),
            0,
            360,
            tint,
            -1,
            cv2.LINE_AA,
        )


def _pebbles(pen: _Pen, rng: np.random.Generator) -> None:
    """Grains on the path: where it is the colour of sand."""
    sand = pen.pixels[..., 2].astype(int) > 140
    sand &= pen.pixels[..., 0].astype(int) > 190
    grain = 1 + 0.05 * cloud((pen.size[1], pen.size[0]), (3, 3), rng)
    grained = np.clip(pen.pixels * grain[..., None], 0, 255).astype(np.uint8)
    pen.pixels[sand] = grained[sand]
    for _ in range(60):
        x, y = rng.uniform(0, SIDE_MM, 2)
        if sand[min(int(y * pen.scale), pen.size[1] - 1), min(int(x * pen.scale), pen.size[0] - 1)]:
            level = int(rng.uniform(150, 200))
            pen.disc((x, y), float(rng.uniform(0.15, 0.4)), (level, level - 12, level - 36))


def _flowers(pen: _Pen, at: Point, petals: int, colour: Rgb) -> None:
    """A round bed with one great flower."""
    pen.disc(at, 6.4, (70, 48, 30))
    pen.disc(at, 6.4, (210, 204, 190), 0.7)
    for k in range(petals):
        angle = 2 * math.pi * k / petals
        reach, wide = 3.1, min(2.6, 7.2 / petals + 0.5)
        pen.disc((at[0] + reach * math.sin(angle), at[1] - reach * math.cos(angle)), wide, colour)
    pen.disc(at, 1.7, (110, 60, 20) if petals % 2 else (250, 230, 120))


def _board() -> Picture:
    """Planks round bare earth, with the printed cells and an arrow at each end of a line."""
    rng = np.random.default_rng(7)
    side = round(BOARD_MM * PX_PER_MM)
    tone = 1 + 0.10 * cloud((side, side), (8, 400), rng) + 0.05 * cloud((side, side), (2, 60), rng)
    picture = np.clip(np.array([176, 130, 84], np.float32) * tone[..., None], 0, 255).astype(np.uint8)
    first, last = round(FRAME_MM * PX_PER_MM), round((BOARD_MM - FRAME_MM) * PX_PER_MM)
    earth = 1 + 0.12 * cloud((last - first, last - first), (30, 30), rng)
    picture[first:last, first:last] = np.clip(
        np.array([92, 78, 62], np.float32) * earth[..., None], 0, 255
    ).astype(np.uint8)
    cell = round(SIDE_MM * PX_PER_MM)
    for card in second_tiles().cards:
        if card.kind == "fixed" and card.cell is not None:
            left, top = (first + at * cell for at in card.cell)
            picture[top : top + cell, left : left + cell] = _tile(card)
    cv2.rectangle(picture, (first - 12, first - 12), (last + 11, last + 11), (84, 54, 30), 10, cv2.LINE_AA)
    cv2.rectangle(picture, (6, 6), (side - 7, side - 7), (84, 54, 30), 8, cv2.LINE_AA)
    for _ in range(4):
        for line in (1, 3, 5):
            middle = first + round((line + 0.5) * cell)
            arrow = np.array([[middle - 70, 50], [middle + 70, 50], [middle, 140]], np.int32)
            cv2.fillPoly(picture, [arrow], (58, 120, 62), cv2.LINE_AA)
            cv2.polylines(picture, [arrow], True, (240, 230, 200), 7, cv2.LINE_AA)
        picture = np.ascontiguousarray(np.rot90(picture))
    return picture


def _chip(value: int) -> Picture:
    body = BODIES[value - 1]
    pen = _Pen(CHIP_MM, CHIP_MM, body)
    middle = (CHIP_MM / 2, CHIP_MM / 2)
    pen.disc(middle, 9.3, (250, 250, 246), 0.8)
    spokes = 2 * value if value < 7 else value
    for k in range(spokes):
        angle = 2 * math.pi * k / spokes
        ends = [(10 + r * math.sin(angle), 10 - r * math.cos(angle)) for r in (7.4, 8.6)]
        pen.line(ends, (250, 250, 246), 0.5)
    _number(pen, value, middle, 9.0, (255, 255, 255))
    return pen.kept()


def _number(pen: _Pen, value: int, at: Point, height: float, colour: Rgb) -> None:
    lifted = 1.0 if value in (6, 9) else 0.0
    pen.text(
        str(value), (at[0], at[1] - lifted), height if value < 10 else 0.85 * height, colour, 0.17 * height
    )
    if lifted:
        low = at[1] + 0.55 * height
        pen.line([(at[0] - 0.35 * height, low), (at[0] + 0.35 * height, low)], colour, 0.12 * height)


def _coin() -> Picture:
    pen = _Pen(COIN_MM, COIN_MM, (196, 198, 204))
    pen.disc((9, 9), 8.2, (120, 124, 132), 0.7)
    pen.disc((9, 9), 6.4, (224, 226, 230))
    pen.text("5", (9, 9), 7.0, (84, 88, 98), 1.0)
    return pen.kept()


def _card(value: int) -> Picture:
    width, height = CARD_MM
    pen = _Pen(width, height, (246, 240, 222))
    pen.line(
        [(2.5, 2.5), (width - 2.5, 2.5), (width - 2.5, height - 2.5), (2.5, height - 2.5)],
        BODIES[value - 1],
        1.6,
        True,
    )
    pen.disc((width / 2, 28), 15.0, BODIES[value - 1])
    _number(pen, value, (width / 2, 28), 14.0, (255, 255, 255))
    if value > 6:  # once more
        pen.line([(15, 58), (35, 58)], (60, 110, 70), 2.0)
        pen.fill([(33, 54), (40, 58), (33, 62)], (60, 110, 70))
    else:  # throw again
        pen.fill([(20, 53), (30, 53), (30, 63), (20, 63)], (200, 60, 50))
        for x, y in ((22.5, 55.5), (27.5, 60.5), (25, 58)):
            pen.disc((x, y), 1.0, (255, 255, 255))
    return pen.kept()


def _ground(pen: _Pen, size: Point) -> None:
    """The lowest fifth of a figure, on which it stands."""
    width, height = size
    pen.fill([(0, 0.8 * height), (width, 0.8 * height), (width, height), (0, height)], (120, 92, 58))


def _hero(colour: Rgb) -> Picture:
    width, height = size = FIGURES_MM["explorer"]
    pen = _Pen(width, height, (236, 236, 230))
    _ground(pen, size)
    dark = (colour[0] // 2, colour[1] // 2, colour[2] // 2)
    pen.fill([(7.5, 6), (12.6, 20), (2.4, 20)], colour)
    pen.line([(7.5, 6), (12.6, 20), (2.4, 20)], dark, 0.5, closed=True)
    pen.disc((7.5, 6.4), 3.4, (236, 196, 160))
    pen.fill([(3.4, 5.2), (11.6, 5.2), (7.5, 0.8)], dark)
    for x in (6.3, 8.7):
        pen.disc((x, 6.8), 0.45, (20, 20, 20))
    pen.line([(0, 0), (width, 0), (width, height), (0, height)], colour, 1.6, closed=True)
    return pen.kept()


def _beast(number: int) -> Picture:
    width, height = size = FIGURES_MM["gargoyle"]
    glow: Rgb = (236, 90, 40) if number == 1 else (70, 120, 240)
    pen = _Pen(width, height, (46, 44, 52))
    _ground(pen, size)
    grey: Rgb = (150, 150, 156)
    for side in (-1, 1):
        pen.fill(
            [(10 + 2 * side, 13), (10 + 9.3 * side, 4), (10 + 8.4 * side, 15), (10 + 4 * side, 19)],
            (104, 104, 112),
        )
        pen.fill([(10 + 2 * side, 6), (10 + 5 * side, 1.4), (10 + 4.2 * side, 7.5)], (214, 208, 190))
    pen.fill([(6, 12), (14, 12), (16, 23.6), (4, 23.6)], grey)
    pen.disc((10, 9.4), 4.6, grey)
    for x in (8.2, 11.8):
        pen.disc((x, 9), 1.25, glow)
    pen.line([(7.6, 12), (12.4, 12)], (40, 40, 44), 0.6)
    for k in range(number):
        pen.disc((10 + 5 * (k - (number - 1) / 2), 25.8), 1.4, glow)
    pen.line([(0, 0), (width, 0), (width, height), (0, height)], glow, 1.4, closed=True)
    return pen.kept()


def _wyrm() -> Picture:
    """A crimson dragon that looks to the left, with arrows on its ground that point there."""
    width, height = size = FIGURES_MM["dragon"]
    pen = _Pen(width, height, (170, 206, 226))
    _ground(pen, size)
    red: Rgb = (172, 34, 44)
    pen.fill([(22, 20), (31, 2), (44, 5), (38, 10), (46, 14), (36, 18), (33, 24)], (110, 20, 34))
    pen.fill([(14, 30), (18, 18), (28, 17), (38, 22), (47, 12), (48.5, 15), (42, 30)], red)
    pen.fill([(15, 26), (10, 13), (3.5, 12.5), (2.5, 9.6), (9.5, 6), (15.5, 6.5), (18, 12), (22, 24)], red)
    pen.fill([(12, 7), (14, 1.6), (15.6, 7.4)], (238, 224, 190))
    pen.disc((10.2, 8.8), 1.0, (255, 236, 90))
    pen.line([(3.5, 11.6), (9.5, 11.2)], (60, 8, 14), 0.5)
    for x in (16.5, 35.0):
        pen.fill([(x, 26), (x + 4, 26), (x + 4.6, 31), (x - 1.6, 31)], (196, 58, 60))
    for x in (4.0, 16.0, 28.0, 40.0):
        pen.fill([(x, 34.2), (x + 5, 31.6), (x + 5, 36.8)], (250, 226, 120))
    pen.line([(0, 0), (width, 0), (width, height), (0, height)], (90, 16, 26), 1.6, closed=True)
    return pen.kept()


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the second set of tiles")
    parser.add_argument("--out", type=Path, required=True)
    write_set(parser.parse_args().out)


if __name__ == "__main__":
    main()
