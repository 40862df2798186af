"""The style of a deck: everything about its look that may differ between two decks, by family and number.

A style is a pure function of its name ("inked-3"). Families and options marked as held out are for validation
and tests alone: nothing is trained on them.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from samples.styles.canvas import Colour, Rng, lighter, near, random_colour
from samples.styles.textures import Texture, texture_of
from scorer.catalogue import Point

#: How a deck as a whole is made, and what is done to the finished picture (`samples.styles.finish`).
FAMILIES = ("flat", "inked", "painted", "pixel", "watercolour", "photo", "chalk", "old-map", "print")
HELD_OUT_FAMILIES = ("woodcut", "neon", "islands", "collage")
#: Numbered styles of each family; with `FAMILIES` and `HELD_OUT_FAMILIES` 54 and 12 styles.
TRAINING_NUMBERS, HELD_OUT_NUMBERS = range(1, 7), range(1, 4)

#: How the floor of a corridor is told from the ground.
FLOORS = ("edged", "edged", "plain", "walls", "band", "hachures", "relief", "tube")
HELD_OUT_FLOORS = ("slabs", "glow")
#: How a corridor of the lower level differs from one of the upper level.
UNDERS = ("floor", "floor", "floor", "dashed", "tinted", "narrow", "dark")
DOORS = ("gap", "posts", "disc", "plank", "arc", "bar", "arch", "square", "keyhole")
HELD_OUT_DOORS = ("portcullis", "leaves")
STAIRS = ("box", "box", "treads", "ladder", "fan", "signs", "chevrons", "hatches", "stripes")
HELD_OUT_STAIRS = ("spiral", "arrow")
ENDS = ("none", "none", "cross", "bar", "disc", "rubble")
ICONS = ("strokes", "blots", "sprites", "letters", "shapes", "pieces")
HELD_OUT_ICONS = ("runes", "faces")
PLATES = ("disc", "square", "none", "none", "none", "mixed", "shade")
FRAMES = ("none", "none", "none", "band", "over", "line", "ornate")
#: Floors that differ less from the ground (of 255) have plain edges, and icons that differ less from what is
#: behind them another colour.
LEAST_CONTRAST = 45.0
SIZES_MM: tuple[Point, ...] = (
    (63.0, 88.0), (63.0, 88.0), (88.0, 63.0), (57.0, 89.0), (70.0, 70.0),
    (60.0, 60.0), (44.0, 68.0), (70.0, 120.0), (89.0, 57.0), (50.0, 75.0),
)  # fmt: skip


@dataclass(frozen=True)
class Style:
    """A deck's style; widths are millimetres, shares 0 to 1."""

    family: str
    size_mm: Point
    corner_mm: float
    ground: Texture
    floor: Texture
    under: Texture
    room: Texture
    ink: Colour
    line_mm: float
    edge_colour: Colour
    rough_mm: float
    square: bool
    corridor_mm: float
    under_mm: float
    floors: str
    unders: str
    see_through: float
    middle: str
    room_walls: str
    wall_mm: float
    wall_colour: Colour
    door: str
    door_colour: Colour
    stairs: str
    stairs_colour: Colour
    end: str
    icons: str
    icon_mm: float
    plate: str
    plate_colour: Colour
    own_colours: bool
    frame: str
    frame_mm: float
    frame_colour: Colour
    doodles: int
    crossing: int
    labels: int
    vignette: float
    seed: int


def style_of(name: str) -> Style:
    """The style of a name such as "inked-3" or "woodcut-1"; any number makes another style."""
    family = name.rpartition("-")[0]
    if family not in FAMILIES + HELD_OUT_FAMILIES:
        raise ValueError(f"no family of styles is called {family!r}")
    rng = np.random.default_rng([zlib.crc32(name.encode()), 31])
    return random_style(rng, family)


def training_names() -> tuple[str, ...]:
    """Names of the styles that training and tuning may use."""
    return tuple(f"{family}-{k}" for family in FAMILIES for k in TRAINING_NUMBERS)


def held_out_names() -> tuple[str, ...]:
    """Names of the styles that are for validation and tests alone."""
    return tuple(f"{family}-{k}" for family in HELD_OUT_FAMILIES for k in HELD_OUT_NUMBERS)


def _one_of(rng: Rng, known: tuple[str, ...], more: tuple[str, ...], held_out: bool) -> str:
    """An option; a deck that is held out has one of the held-out options about half the time."""
    return str(rng.choice(more if held_out and more and rng.random() < 0.5 else known))


def random_style(rng: Rng, family: str, size_mm: Point | None = None, widest_mm: float = 12.0) -> Style:
    """A random style of a family, with corridors of 3 to `widest_mm`."""
    held_out = family in HELD_OUT_FAMILIES
    size = size_mm or SIZES_MM[int(rng.integers(len(SIZES_MM)))]
    colours = _colours(rng, family)
    busy = 0.15 if family == "flat" else 0.6
    corridor = float(np.exp(rng.uniform(np.log(3.0), np.log(max(3.2, min(widest_mm, min(size) / 5.5))))))
    floors = "slabs" if family == "islands" else "glow" if family == "neon" else ""
    floors = floors or _one_of(rng, FLOORS, (), held_out)
    ground = texture_of(colours["ground"], rng, busy + 0.15, held_out)
    floor = texture_of(colours["floor"], rng, busy - 0.1, held_out)
    if floors == "walls":
        floor = ground if rng.random() < 0.6 else texture_of(near(colours["ground"], rng, 8), rng, 0.2)
    edge = colours["ink"] if rng.random() < 0.6 else near(colours["ground"], rng, 60)
    if floors in ("walls", "hachures") or contrast(floor.colour, ground.colour) < LEAST_CONTRAST:
        edge = apart_from(colours["ground"], rng)
    return Style(
        family=family,
        size_mm=size,
        corner_mm=float(rng.choice([0.0, 2.5, 3.5, 5.0])),
        ground=ground,
        floor=floor,
        under=texture_of(colours["under"], rng, busy, held_out),
        room=texture_of(colours["room"], rng, busy, held_out),
        ink=colours["ink"],
        line_mm=float(rng.uniform(0.2, 1.1)),
        edge_colour=edge,
        rough_mm=float(rng.uniform(0.15, 0.6)) if rng.random() < 0.35 else 0.0,
        square=bool(rng.random() < 0.2),
        corridor_mm=corridor,
        under_mm=corridor * float(rng.uniform(0.7, 1.0)),
        floors=floors,
        unders=str(rng.choice(UNDERS)),
        see_through=float(rng.choice([0.0, 0.0, 0.0, 0.15, 0.3])),
        middle=str(rng.choice(["none", "none", "none", "none", "dashes", "dots", "rails", "steps"])),
        room_walls=str(rng.choice(["line", "line", "double", "none", "relief", "band"])),
        wall_mm=float(rng.uniform(0.3, 1.7)),
        wall_colour=colours["ink"] if rng.random() < 0.6 else random_colour(rng),
        door=_one_of(rng, DOORS, HELD_OUT_DOORS, held_out),
        door_colour=random_colour(rng),
        stairs=_one_of(rng, STAIRS, HELD_OUT_STAIRS, held_out),
        stairs_colour=colours["under"] if rng.random() < 0.4 else random_colour(rng),
        end=str(rng.choice(ENDS)),
        icons=_one_of(rng, ICONS, HELD_OUT_ICONS, held_out),
        icon_mm=float(np.clip(rng.normal(3.2, 0.6), 2.2, 4.6)),
        plate=str(rng.choice(PLATES)),
        plate_colour=random_colour(rng, (0.6, 1.0)) if rng.random() < 0.7 else random_colour(rng),
        own_colours=bool(rng.random() < 0.6),
        frame=str(rng.choice(FRAMES)),
        frame_mm=float(rng.uniform(1.0, 4.5)),
        frame_colour=random_colour(rng) if rng.random() < 0.7 else lighter(colours["ground"], -0.4),
        doodles=int(rng.integers(0, 26)) if rng.random() < 0.7 else 0,
        crossing=int(rng.integers(1, 5)) if rng.random() < 0.3 else 0,
        labels=int(rng.integers(0, 4)),
        vignette=float(rng.uniform(0.1, 0.5)) if rng.random() < 0.25 else 0.0,
        seed=int(rng.integers(1 << 30)),
    )


def contrast(one: Colour, other: Colour) -> float:
    """Greatest difference of two colours in one channel, of 255."""
    return float(np.abs(np.subtract(one, other)).max())


def apart_from(colour: Colour, rng: Rng) -> Colour:
    """A random colour that shows on a ground of this colour."""
    light = float(np.mean(colour)) / 255
    return random_colour(rng, (0.0, max(0.05, light - 0.4)) if light > 0.5 else (min(0.95, light + 0.4), 1.0))


def _colours(rng: Rng, family: str) -> dict[str, Any]:
    """The deck's colours: ground and floor apart in lightness, or in hue alone."""
    dark = rng.random() < (0.95 if family in ("chalk", "neon") else 0.25 if family == "old-map" else 0.55)
    ground_light, floor_light = ((0.05, 0.5), (0.55, 1.0)) if dark else ((0.6, 1.0), (0.1, 0.75))
    chroma = {"inked": 0.25, "woodcut": 0.1, "chalk": 0.5, "old-map": 0.6}.get(family, 1.0)
    ground = random_colour(rng, ground_light, chroma)
    floor = random_colour(rng, floor_light, chroma)
    if rng.random() < 0.12:  # hue alone
        floor = random_colour(rng, (max(ground) / 255 - 0.08, min(1.0, max(ground) / 255 + 0.08)), 1.6)
    if family in ("inked", "old-map", "woodcut") and rng.random() < 0.5:  # paper, and floors a little lighter
        ground = random_colour(rng, (0.7, 0.95), 0.4)
        floor = lighter(ground, float(rng.uniform(0.15, 0.7)))
    kin = rng.random()
    under = near(floor, rng, 45) if kin < 0.45 else random_colour(rng, floor_light) if kin < 0.9 else floor
    kin = rng.random()
    room = floor if kin < 0.3 else near(floor, rng, 25) if kin < 0.6 else random_colour(rng, floor_light)
    light_ink = family in ("chalk", "neon") or rng.random() < 0.25
    ink = random_colour(rng, (0.8, 1.0) if light_ink else (0.0, 0.35))
    return {"ground": ground, "floor": floor, "under": under, "room": room, "ink": ink}
