"""Standing figures in a style: pawns in the colours that a game names, and large figures with a sign."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np

from calibration.decks.print_pictures import FLAP_SHARE
from samples.styles.canvas import Array, Canvas, Colour, Picture, lighter, random_colour
from samples.styles.icons import draw_sign
from samples.styles.style import HELD_OUT_FAMILIES, Style
from samples.styles.tokens import paint
from scorer.catalogue import Card

#: Outlines of bodies, as shares of a figure's width and of its height above the ground; heads are discs.
FIGURES: dict[str, tuple[Array, tuple[float, float, float]]] = {
    "cone": (np.array([[0.5, 0.2], [0.85, 1.0], [0.15, 1.0]]), (0.5, 0.24, 0.19)),
    "cloak": (
        np.array([[0.5, 0.08], [0.72, 0.3], [0.7, 0.6], [0.85, 1.02], [0.15, 1.02], [0.3, 0.6], [0.28, 0.3]]),
        (0.5, 0.26, 0.12),
    ),
    "person": (
        np.array([
            [0.35, 0.38], [0.65, 0.38], [0.92, 0.62], [0.82, 0.7], [0.68, 0.58], [0.74, 1.0], [0.55, 1.0],
            [0.5, 0.78], [0.45, 1.0], [0.26, 1.0], [0.32, 0.58], [0.18, 0.7], [0.08, 0.62],
        ]),
        (0.5, 0.2, 0.17),
    ),
}  # fmt: skip
HELD_OUT_FIGURES: dict[str, tuple[Array, tuple[float, float, float]]] = {
    "chess": (
        np.array([
            [0.42, 0.35], [0.58, 0.35], [0.64, 0.75], [0.82, 0.86], [0.82, 1.0], [0.18, 1.0], [0.18, 0.86],
            [0.36, 0.75],
        ]),
        (0.5, 0.25, 0.2),
    ),
    "robot": (
        np.array([
            [0.24, 0.4], [0.76, 0.4], [0.76, 0.8], [0.68, 0.8], [0.68, 1.0], [0.32, 1.0], [0.32, 0.8],
            [0.24, 0.8],
        ]),
        (0.5, 0.22, 0.16),
    ),
}  # fmt: skip


def standing_face(card: Card, style: Style, scale: float) -> Picture:
    """The face (H, W, 3) BGR of a figure; its lower fifth is ground."""
    assert card.size_mm is not None
    width, height = card.size_mm
    canvas = Canvas.blank(card.size_mm, scale)
    ground = height * (1 - FLAP_SHARE)
    colour = paint(style, card.colour) if card.colour else _colour_of(card, style)
    pale = style.seed % 2 == 0
    behind = lighter(colour, 0.65) if pale else lighter(style.ground.colour, 0.3)
    canvas.pixels[:] = behind
    canvas.fill(
        [[0, ground], [width, ground], [width, height], [0, height]],
        lighter(colour, -0.35) if pale else style.ground.colour,
    )
    if card.colour:
        _pawn(canvas, style, colour, ground)
    else:
        middle = np.array([width / 2, ground / 2 + 0.5])
        own = replace(style, plate="none")
        draw_sign(canvas, middle, own, card.id, 0.46 * min(width, ground), behind)
        for k in range(int(card.id[-1]) if card.id[-1].isdecimal() else 0):
            canvas.disc((width / 2 + 3.2 * k - 1.6, height - 1.8), 1.0, colour)
    frame = [[0, 0], [width, 0], [width, height], [0, height]]
    canvas.stroke(frame, lighter(colour, -0.3), 1.0 + style.frame_mm / 3, closed=True)
    return canvas.pixels


def _colour_of(card: Card, style: Style) -> Colour:
    return random_colour(np.random.default_rng([style.seed, zlib.crc32(card.id.encode())]), (0.3, 0.9))


def _pawn(canvas: Canvas, style: Style, colour: Colour, ground: float) -> None:
    forms = HELD_OUT_FIGURES if style.family in HELD_OUT_FAMILIES else FIGURES
    body, (x, y, reach) = forms[sorted(forms)[style.seed % len(forms)]]
    size = np.array([canvas.size_mm[0], ground + 0.6])
    canvas.fill(body * size, colour)
    canvas.stroke(body * size, lighter(colour, -0.5), 0.4, closed=True)
    head = np.array([x, y]) * size
    canvas.disc(head, reach * size[0], lighter(colour, 0.35 if style.seed // 2 % 2 else 0.0))
    canvas.disc(head, reach * size[0], lighter(colour, -0.5), 0.4)
