"""The printed corner of a card (reference, cost, a starter's emblem), and its frame."""

from __future__ import annotations

import math

import numpy as np
import skia

from calibration.decks.drawing.glyphs import draw_text
from calibration.decks.drawing.noise import CARD_MM, Grid, smoothstep
from calibration.decks.drawing.palette import STARTER_COLOURS, Colour, Palette, rgb
from calibration.decks.drawing.pen import INK, Pen, bow, box, circle, curve, edges, lighter, polygon
from scorer.catalogue import Card

_PARCHMENT = rgb("e9dcb9")
_GOLD = rgb("d9a832")
_INK = rgb("3a2a18")
_WHITE: Colour = (1.0, 1.0, 1.0)


def draw_corner(pen: Pen, card: Card) -> None:
    """Draw reference and cost (or emblem) in the bottom-left corner, x < 13 mm and y > 79 mm."""
    reference = card.id.split("-")[0]
    plaque = curve("-2,80.1 5.0,80.1 11.6,80.6 12.9,81.6 12.8,85 12.7,90 5,92 -2,92")
    with pen.at(0.3, -0.2):
        pen.fill(plaque, INK, 0.6, blur=0.5)
    pen.solid(plaque, _PARCHMENT, outline=0.35, contrast=0.14)
    pen.line(bow("-2,80.7 5.0,80.7 11.2,81.1 12.3,81.9 12.2,85 12.1,90"), rgb("a98a55"), 0.16)
    if card.colour:
        with pen.at(4.0, 83.9):
            emblem(pen, card.colour)
        draw_text(pen, reference, (9.85, 84.1), 2.3, _INK, weight=0.15)
        return
    if card.cost is not None:
        with pen.at(3.9, 84.0):
            pen.solid(circle(0, 0, 2.55), _GOLD, outline=0.3)
            pen.line(circle(0, 0, 2.1), lighter(_GOLD, -0.4), 0.2)
            draw_text(pen, str(card.cost), (0, 0), 2.6, rgb("4a2f05"), weight=0.15)
        draw_text(pen, reference, (9.65, 84.1), 1.9, _INK, weight=0.15)
    else:
        draw_text(pen, reference, (6.9, 84.1), 2.9, _INK, weight=0.13)


def emblem(pen: Pen, colour: str) -> None:
    """Draw a starter's sign around the origin, 6.5 mm across, with a shape for each colour.

    An unknown colour gets a plain disc.
    """
    tint = STARTER_COLOURS.get(colour, rgb("888888"))
    shapes = {"red": _flame, "blue": _drop, "green": _leaf, "yellow": _sun, "purple": _gem}
    outer, inner = shapes.get(colour, _disc)()
    pen.line(outer, _WHITE, 1.3, alpha=0.9)
    pen.solid(outer, tint, outline=0.32)
    pen.fill(inner, lighter(tint, 0.55), 0.9)


def _disc() -> tuple[skia.Path, skia.Path]:
    return circle(0, 0, 3.0), circle(-0.8, -0.8, 0.9)


def _flame() -> tuple[skia.Path, skia.Path]:
    outer = curve(
        "0.2,-4.6 0.9,-2.2 1.9,-1.9 2.1,-3.2 3.0,-0.6 2.8,2.2 0.9,3.5 -0.9,3.5 -2.8,2.2 "
        "-3.0,-0.2 -1.8,-2.0 -1.0,-1.2 -0.7,-3.0"
    )
    return outer, curve("0.1,-0.9 1.2,0.9 1.0,2.4 0,2.9 -1.0,2.4 -1.2,1.1")


def _drop() -> tuple[skia.Path, skia.Path]:
    drop = skia.Path()
    drop.moveTo(0, -3.5)
    drop.cubicTo(0.9, -1.6, 2.6, -0.2, 2.6, 1.1)
    drop.cubicTo(2.6, 2.6, 1.4, 3.4, 0, 3.4)
    drop.cubicTo(-1.4, 3.4, -2.6, 2.6, -2.6, 1.1)
    drop.cubicTo(-2.6, -0.2, -0.9, -1.6, 0, -3.5)
    drop.close()
    return drop, curve("-1.7,0.9 -1.2,-0.3 -0.7,0.2 -0.9,1.4 -0.4,2.4 -1.3,2.1")


def _leaf() -> tuple[skia.Path, skia.Path]:
    leaf = skia.Path()
    leaf.moveTo(-3.0, 3.0)
    leaf.cubicTo(-3.8, -1.6, -0.4, -3.6, 3.3, -3.3)
    leaf.cubicTo(3.8, 0.6, 1.4, 3.8, -3.0, 3.0)
    leaf.close()
    veins = [edges("-2.9,2.95 2.4,-2.5 -2.5,2.9")]
    for k in (-1.3, 0.0, 1.2):
        veins += [
            polygon([(k, -k), (k + 0.3, -k - 1.7), (k + 0.35, -k - 0.35)]),
            polygon([(k, -k), (k + 1.8, -k - 0.2), (k + 0.35, -k - 0.35)]),
        ]
    whole = skia.Path()
    for vein in veins:
        whole.addPath(vein)
    return leaf, whole


def _sun() -> tuple[skia.Path, skia.Path]:
    points = []
    for k in range(20):
        reach = 3.5 if k % 2 == 0 else 2.2
        points.append((reach * math.sin(math.pi * k / 10), -reach * math.cos(math.pi * k / 10)))
    return polygon(points), circle(0, 0, 1.35)


def _gem() -> tuple[skia.Path, skia.Path]:
    outer = edges("-1.9,-2.7 1.9,-2.7 3.3,-0.8 0,3.4 -3.3,-0.8")
    return outer, edges("-1.6,-2.3 0.0,-2.3 -0.9,-0.8 -2.8,-0.8")


def tint_frame(
    image: np.ndarray, card: Card, grid: Grid, floor_mm: np.ndarray, palette: Palette
) -> np.ndarray:
    """`image` with a border along the card's edge, on rock only; floors continue to the edge."""
    x, y = grid.mm()
    edge = np.minimum(np.minimum(x, CARD_MM[0] - x), np.minimum(y, CARD_MM[1] - y))
    rock = smoothstep(0.7, 1.2, floor_mm)
    vignette = 0.32 * smoothstep(5.0, 0.0, edge) * rock
    out = image * (1 - vignette[..., None])
    if card.colour:
        band, colour, strength = 1.5, STARTER_COLOURS.get(card.colour, palette.accent), 0.8
    elif card.kind in ("boss", "step"):
        band, colour, strength = 1.7, _GOLD if card.kind == "boss" else rgb("b9c2c9"), 0.8
    else:
        plain: np.ndarray = out
        return plain
    stroke = smoothstep(band + 0.15, band, edge) * rock
    shade = 0.65 + 0.55 * smoothstep(band, band * 0.35, edge) * smoothstep(0.0, band * 0.5, edge)
    painted = np.clip(np.array(colour, np.float32) * shade[..., None], 0, 1) * (
        0.75 + 0.5 * image.mean(axis=-1, keepdims=True)
    )
    out = out + (painted - out) * (strength * stroke)[..., None]
    line = smoothstep(0.3, 0.1, np.abs(edge - band - 0.15)) * rock
    out = out * (1 - 0.75 * line[..., None])
    if card.kind == "boss":
        inner = smoothstep(0.28, 0.1, np.abs(edge - band - 0.95)) * rock
        out = out + (np.array(colour, np.float32) - out) * (0.75 * inner)[..., None]
    made: np.ndarray = out
    return made


def draw_studs(pen: Pen, card: Card) -> None:
    """Corner bosses on the frame of boss and step cards."""
    if card.kind not in ("boss", "step"):
        return
    colour = _GOLD if card.kind == "boss" else rgb("b9c2c9")
    for x, y in ((3.4, 3.4), (CARD_MM[0] - 3.4, 3.4), (CARD_MM[0] - 3.4, CARD_MM[1] - 3.4)):
        with pen.at(x, y, 45):
            pen.solid(box(-1.5, -1.5, 1.5, 1.5, 0.3), colour, outline=0.3, contrast=0.45)
            pen.solid(
                box(-0.75, -0.75, 0.75, 0.75, 0.2),
                rgb("8e2f33") if card.kind == "boss" else rgb("3d6f8e"),
                outline=0.2,
                contrast=0.5,
            )
