"""Discs, dice and small squares in a style: chips, coins, idols, cubes."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

import numpy as np

from samples.styles.canvas import Canvas, Colour, Picture, Rng, lighter, random_colour
from samples.styles.finish import finished
from samples.styles.icons import draw_sign
from samples.styles.lettering import FONTS, HELD_OUT_FONTS, write_words
from samples.styles.style import HELD_OUT_FAMILIES, Style, apart_from
from samples.styles.textures import Texture, texture_of
from scorer.catalogue import Card

RIMS = ("none", "line", "band", "spokes", "beads")
HELD_OUT_RIMS = ("teeth", "double")
#: What is behind a chip's number.
PLATES = ("none", "none", "disc", "square")
#: Where a chip with a sign has its number.
NUMBER_PLACES = ("below", "below", "above", "alone")
#: How a 6 differs from a 9 on a chip without a sign.
SIX_MARKS = ("bar", "bar", "dot")
#: Colours of pieces by the word that games use for them, (B, G, R).
PAINTS: dict[str, Colour] = {
    "red": (48, 44, 200),
    "blue": (190, 96, 40),
    "yellow": (50, 205, 240),
    "green": (70, 145, 50),
    "black": (40, 38, 40),
    "purple": (150, 60, 130),
    "sapphire": (190, 90, 30),
    "tiger_eye": (40, 110, 180),
    "jade": (110, 160, 60),
    "ruby": (60, 30, 190),
    "gold": (60, 190, 230),
}


@dataclass(frozen=True)
class Tokens:
    """How all chips and coins of a box are made."""

    font: str
    rim: str
    rim_mm: float
    plate: str
    number: str
    six: str
    high: float
    own_bodies: bool
    signed: bool
    metal: Colour


def tokens_of(style: Style) -> Tokens:
    """The make of a style's chips. Fonts and rims of held-out styles are mostly held out, too."""
    rng = np.random.default_rng([style.seed, 3])
    held_out = style.family in HELD_OUT_FAMILIES
    return Tokens(
        font=str(rng.choice(HELD_OUT_FONTS if held_out else FONTS)),
        rim=str(rng.choice(HELD_OUT_RIMS if held_out and rng.random() < 0.5 else RIMS)),
        rim_mm=float(rng.uniform(0.6, 2.0)),
        plate=str(rng.choice(PLATES)),
        number=str(rng.choice(NUMBER_PLACES)),
        six=str(rng.choice(SIX_MARKS)),
        high=float(rng.uniform(0.34, 0.48)),
        own_bodies=bool(rng.random() < 0.6),
        signed=bool(rng.random() < 0.5),
        metal=((60, 190, 235), (200, 200, 205), (60, 120, 190))[int(rng.integers(3))],
    )


def paint(style: Style, word: str) -> Colour:
    """The style's paint for a colour that a game names."""
    rng = np.random.default_rng([style.seed, zlib.crc32(word.encode())])
    spread = 8 if word == "black" else 14
    blue, green, red = np.clip(np.array(PAINTS[word]) + rng.normal(0, spread, 3), 0, 255).astype(int)
    return int(blue), int(green), int(red)


def ink_on(colour: Colour, rng: Rng) -> Colour:
    """A colour in which a number on this ground is plainly read."""
    ink = apart_from(colour, rng)
    return lighter(ink, 0.5 if sum(ink) > sum(colour) else -0.5)


def disc_face(card: Card, style: Style, scale: float) -> Picture:
    """The face (H, W, 3) BGR of a chip or coin, as the square about it."""
    assert card.size_mm is not None
    rng = np.random.default_rng([style.seed, zlib.crc32(card.id.encode())])
    tokens = tokens_of(style)
    canvas = Canvas.blank(card.size_mm, scale)
    body, middle = _body(card, style, tokens), np.array(card.size_mm) / 2
    canvas.pixels[:] = body.surface(canvas, rng)
    _rim(canvas, card, tokens, apart_from(body.colour, np.random.default_rng(style.seed)))
    if card.value is None:
        draw_sign(canvas, middle, style, card.id, 0.28 * card.size_mm[0], body.colour)
    else:
        _number(canvas, card, style, tokens, body.colour)
    return finished(canvas, replace(style, vignette=0.0), rng)


def _body(card: Card, style: Style, tokens: Tokens) -> Texture:
    """One colour for a sort, or one for each value of it; coins are of metal."""
    if card.kind == "coin":
        share = 0.0 if card.value in (None, 1) else 0.35
        return Texture(lighter(tokens.metal, -share), 0.05, 2.0, "none", 3.0, 0.0, style.ink, 0.2)
    word = f"{card.role}{card.value if tokens.own_bodies and card.role == 'treasure' else ''}"
    rng = np.random.default_rng([style.seed, zlib.crc32(word.encode())])
    return texture_of(random_colour(rng, (0.25, 0.95)), rng, 0.3)


def _rim(canvas: Canvas, card: Card, tokens: Tokens, colour: Colour) -> None:
    middle, radius = np.array(canvas.size_mm) / 2, canvas.size_mm[0] / 2
    wide = tokens.rim_mm
    if tokens.rim in ("line", "double"):
        canvas.disc(middle, radius - wide - 0.3, colour, 0.5)
    if tokens.rim == "double":
        canvas.disc(middle, radius - wide - 1.6, colour, 0.3)
    if tokens.rim == "band":
        canvas.disc(middle, radius - wide / 2, colour, wide)
    count = {"spokes": 16, "beads": 24, "teeth": 12}.get(tokens.rim, 0)
    for turn in np.arange(count) * 2 * np.pi / max(count, 1):
        way = np.array([np.cos(turn), np.sin(turn)])
        if tokens.rim == "spokes":
            canvas.stroke([middle + (radius - wide) * way, middle + radius * way], colour, 0.6)
        elif tokens.rim == "beads":
            canvas.disc(middle + (radius - 1.0) * way, 0.45, colour)
        else:
            across = np.array([-way[1], way[0]])
            tip = middle + (radius - wide - 0.6) * way
            foot = middle + (radius + 1) * way
            canvas.fill([tip, foot + 1.6 * across, foot - 1.6 * across], colour)


def _number(canvas: Canvas, card: Card, style: Style, tokens: Tokens, behind: Colour) -> None:
    """The chip's value, with its sort's sign beside it where the sort has one."""
    side, middle = canvas.size_mm[0], np.array(canvas.size_mm) / 2
    signed = tokens.number != "alone" and (card.role != "treasure" or tokens.signed)
    high = tokens.high * side * (0.72 if signed else 1.0)
    at = middle.copy()
    if signed:
        way = 1.0 if tokens.number == "below" else -1.0
        at[1] += 0.17 * side * way
        beside = middle - np.array([0, 0.2 * side * way])
        draw_sign(canvas, beside, style, card.role or "", 0.17 * side, behind)
    rng = np.random.default_rng([style.seed, 13])
    if tokens.plate != "none":
        behind = style.plate_colour
        half = 0.5 * high + 0.9
        if tokens.plate == "disc":
            canvas.disc(at, half + 0.6, behind)
        else:
            wide = half * 1.35
            canvas.fill(at + np.array([[-wide, -half], [wide, -half], [wide, half], [-wide, half]]), behind)
    colour = ink_on(behind, rng)
    plus = card.role in ("sword", "shield", "potion") and style.seed % 2
    text = f"+{card.value}" if plus else str(card.value)
    ambiguous = card.value in (6, 9) and not signed
    if ambiguous and tokens.six == "dot":
        text += "."
    write_words(canvas, text, at, high, colour, tokens.font, 0.62 * side)
    if ambiguous and tokens.six == "bar":
        low = at[1] + 0.5 * high + 0.9
        canvas.stroke([[at[0] - 0.3 * high, low], [at[0] + 0.3 * high, low]], colour, 0.12 * high)


def small_face(card: Card, style: Style, scale: float) -> Picture:
    """A cube, an idol or a die's face (H, W, 3) BGR."""
    assert card.size_mm is not None
    rng = np.random.default_rng([style.seed, zlib.crc32(card.id.encode())])
    canvas = Canvas.blank(card.size_mm, scale)
    middle = np.array(card.size_mm) / 2
    word = card.colour or card.more.get("idol")
    colour = paint(style, str(word)) if word else random_colour(rng, (0.6, 1.0), 0.4)
    canvas.pixels[:] = colour
    if card.kind == "chip":
        draw_sign(canvas, middle, style, card.id, 0.3 * card.size_mm[0], colour)
    if card.kind == "die":
        _die(canvas, card, style)
    return canvas.pixels


def _die(canvas: Canvas, card: Card, style: Style) -> None:
    """The sign of the die's sort, as often as the face counts."""
    *_, sort, number = card.id.split("-")
    count, side = int(number), canvas.size_mm[0]
    colour = random_colour(np.random.default_rng([style.seed, *sort.encode()]), (0.2, 0.9))
    canvas.pixels[:] = colour
    for k in range(count):
        turn = 2 * np.pi * k / count
        reach = 0.0 if count == 1 else 0.26 * side
        at = canvas.size_mm[0] / 2 + reach * np.array([np.sin(turn), -np.cos(turn)])
        draw_sign(canvas, at, style, sort, side * (0.24 if count < 3 else 0.15), colour)
