"""The colours of a card: one of several kinds of rock, varied slightly by the card's seed.

All floors have medium lightness and low saturation, so that ink of any colour is visible on them.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import numpy as np

Colour = tuple[float, float, float]  # sRGB, 0..1


@dataclass(frozen=True)
class Palette:
    """The colours of a card. `rock` runs from crack to lit edge; `accent` tints crystals and moss; floors
    are lighter than all rock."""

    name: str
    rock: tuple[Colour, Colour, Colour, Colour]
    accent: Colour
    dirt: Colour
    flag: Colour
    wall: Colour


def rgb(text: str) -> Colour:
    """A hex colour such as `rgb("8a7f6c")` as three floats, 0 to 1."""
    return int(text[0:2], 16) / 255, int(text[2:4], 16) / 255, int(text[4:6], 16) / 255


def _rock(name: str, ramp: str, accent: str, dirt: str, flag: str, wall: str) -> Palette:
    first, second, third, fourth = (rgb(word) for word in ramp.split())
    return Palette(name, (first, second, third, fourth), rgb(accent), rgb(dirt), rgb(flag), rgb(wall))


ROCKS = (
    _rock("slate", "171d26 38434f 5d6b78 97a5ae", "6fb7c9", "c8b595", "c3c3bd", "8b929a"),
    _rock("umber", "20160f 4a3526 755840 b08e6b", "c98e4a", "cfb892", "c9c0b0", "9a8a76"),
    _rock("moss", "141b12 354330 586a49 93a077", "8fbf5a", "c7b58f", "c1c2b2", "8b917d"),
    _rock("basalt", "14141a 33333d 54545f 8a8a94", "b06ad0", "c3b198", "bfbdbc", "84848c"),
    _rock("sandstone", "2c1a10 66442c 967050 cba880", "d9a24a", "d6c29d", "cfc5b1", "a8937a"),
    _rock("ice", "16262f 365a6b 6089a0 b4d2dc", "9fe3ef", "c9bda4", "c7cccb", "8fa3ad"),
    _rock("porphyry", "20131a 4b303c 735060 a98793", "d67aa0", "cbb49a", "c7bfbd", "94838a"),
    _rock("verdigris", "0f1e1f 294749 477072 86aaa5", "63c7ae", "c9b794", "c0c6c0", "809593"),
    _rock("ochre shale", "1f190e 4a4026 726540 aa9a6b", "e0c25a", "cdbb95", "c6c2b0", "958d76"),
    _rock("cinnabar", "22120f 54302a 82544a b98d7c", "e08a4f", "cfb798", "c8beb4", "9a8078"),
    _rock("dusk", "17152a 383457 5c587e 9a97b4", "8f8af0", "c7b59b", "c2c0c4", "888699"),
)

UNDERGROUND = rgb("d9b263")
UNDERGROUND_DARK = rgb("a97c35")
UNDERGROUND_LIGHT = rgb("ecd08c")

STARTER_COLOURS: dict[str, Colour] = {
    "red": rgb("c8372d"),
    "blue": rgb("2f6fc0"),
    "green": rgb("3f9440"),
    "yellow": rgb("e3b021"),
    "purple": rgb("8345ad"),
}


# A starter's rock is of its colour's family, as far as rock goes.
_STARTER_ROCKS = {
    "red": ("cinnabar", "porphyry"),
    "blue": ("slate", "ice"),
    "green": ("moss", "verdigris"),
    "yellow": ("sandstone", "ochre shale"),
    "purple": ("dusk", "basalt"),
}


def card_palette(rng: np.random.Generator, colour: str | None = None) -> Palette:
    """One of `ROCKS` (for a starter, one of its `colour`) with slightly varied hue, saturation and value."""
    names = _STARTER_ROCKS.get(colour or "", tuple(rock.name for rock in ROCKS))
    name = names[int(rng.integers(len(names)))]
    base = next(rock for rock in ROCKS if rock.name == name)
    hue, saturation, value = rng.uniform([-0.02, 0.85, 0.93], [0.02, 1.2, 1.07])

    def shift(colour: Colour, share: float) -> Colour:
        h, s, v = colorsys.rgb_to_hsv(*colour)
        return colorsys.hsv_to_rgb(
            (h + hue * share) % 1.0,
            min(1.0, s * (1 + (saturation - 1) * share)),
            min(1.0, v * (1 + (value - 1) * share)),
        )

    first, second, third, fourth = (shift(colour, 1.0) for colour in base.rock)
    return Palette(
        base.name,
        (first, second, third, fourth),
        shift(base.accent, 1.0),
        shift(base.dirt, 0.4),
        shift(base.flag, 0.4),
        shift(base.wall, 0.7),
    )


def ramp(colours: tuple[Colour, ...], t: np.ndarray) -> np.ndarray:
    """Colours (H, W, 3) float32 interpolated along `colours` at positions (H, W), 0 to 1."""
    stops = np.linspace(0, 1, len(colours))
    table = np.array(colours, np.float32)
    return np.stack([np.interp(t, stops, table[:, c]) for c in range(3)], axis=-1).astype(np.float32)
