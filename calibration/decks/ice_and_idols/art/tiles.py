"""Art of passage tiles: corridors of ice bricks on transparent film. The alpha channel is the opacity over
the map; the colours are those on white paper."""

from __future__ import annotations

import numpy as np
import skia
from PIL import Image

from calibration.decks.drawing.noise import BLEED_MM, Grid
from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import Pen, bow, box, circle, drawing, edges, lighter, stroke
from calibration.decks.ice_and_idols.temple_set import TILE_MM
from scorer.catalogue import Card

_MIDDLE = TILE_MM / 2
#: A corridor's width and its walls'.
FLOOR_MM, WALL_MM = 10.0, 2.0
_ICE, _WALL, _DEEP = rgb("a9d8ea"), rgb("2c7fa6"), rgb("0f3d57")
_CLEAR = 0.1  # so much of the clear film is seen
_FILM = np.array([0.93, 0.97, 0.99], np.float32)
#: Corners of a corridor that bends are rounded by this radius, about the tile's corner.
_BEND_MM = _MIDDLE


def draw_tile(card: Card, px_per_mm: float) -> Image.Image:
    """The art of a tile as RGBA, cropped at its edge."""
    grid = Grid(px_per_mm, (TILE_MM, TILE_MM))
    pixels = np.zeros((*grid.shape, 4), np.uint8)
    with drawing(pixels, grid) as pen:
        _glints(pen)
        for path in _under(card.role or ""):
            _corridor(pen, path)
        for path in _over(card.role or ""):
            _corridor(pen, path)
        if card.role == "archway":
            _bridge(pen)
        if card.role == "roundabout":
            _island(pen)
        pen.line(box(0.4, 0.4, TILE_MM - 0.4, TILE_MM - 0.4, 1.6), _DEEP, 0.8, alpha=0.85)
    first, side = round(BLEED_MM * px_per_mm), round(TILE_MM * px_per_mm)
    kept = pixels[first : first + side, first : first + side].astype(np.float32) / 255
    # Skia's colours are weighed by their alpha already.
    shown = kept[..., :3] + (1 - kept[..., 3:]) * _FILM
    alpha = np.maximum(kept[..., 3:], _CLEAR)
    whole = np.concatenate([shown, alpha], axis=-1)
    return Image.fromarray(np.round(np.clip(whole, 0, 1) * 255).astype(np.uint8), "RGBA")


def _bend(corner: tuple[float, float]) -> skia.Path:
    """Path of a bend: a circle about a corner of the tile."""
    path = skia.Path()
    path.addCircle(*corner, _BEND_MM)
    return path


def _straight(across: bool) -> skia.Path:
    far = TILE_MM + BLEED_MM
    return stroke(
        f"{-BLEED_MM},{_MIDDLE} {far},{_MIDDLE}" if across else f"{_MIDDLE},{-BLEED_MM} {_MIDDLE},{far}"
    )


def _under(role: str) -> list[skia.Path]:
    return [_straight(across=True)] if role == "archway" else []


def _over(role: str) -> list[skia.Path]:
    far = TILE_MM
    if role == "double_corner":
        return [_bend((far, 0.0)), _bend((0.0, far))]
    if role == "single_corner":
        return [_bend((far, 0.0))]
    if role == "archway":
        return [_straight(across=False)]
    if role == "roundabout":
        whole = skia.Path()
        for quarter in range(4):
            arm = stroke(f"{_MIDDLE},{-BLEED_MM} {_MIDDLE},{_MIDDLE - 12}")
            arm.transform(skia.Matrix().setRotate(90 * quarter, _MIDDLE, _MIDDLE))
            whole.addPath(arm)
        whole.addCircle(_MIDDLE, _MIDDLE, 12)
        return [whole]
    # y_junction: two bends that share the upper opening.
    whole = _bend((0.0, 0.0))
    whole.addPath(_bend((far, 0.0)))
    return [whole]


def _corridor(pen: Pen, line: skia.Path) -> None:
    """Draw a corridor along a centre line: walls, floor and brick joints."""
    wide = FLOOR_MM + 2 * WALL_MM
    pen.line(line, _DEEP, wide + 0.9, butt=True)
    pen.line(line, _WALL, wide, butt=True)
    pen.line(line, lighter(_WALL, 0.35), wide - 1.4, butt=True)
    pen.line(line, _DEEP, FLOOR_MM + 0.8, butt=True)
    pen.line(line, _ICE, FLOOR_MM, butt=True)
    _dashes(pen, line, lighter(_ICE, -0.3), FLOOR_MM, 0.45, 5.4)
    pen.line(line, lighter(_ICE, 0.45), 0.5, butt=True)
    _dashes(pen, line, lighter(_ICE, 0.6), 3.2, 1.4, 8.0)


def _dashes(pen: Pen, line: skia.Path, colour: Colour, width: float, on: float, pitch: float) -> None:
    paint = skia.Paint(
        AntiAlias=True,
        Color=skia.Color(*(round(255 * c) for c in colour), 190),
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=width,
        PathEffect=skia.DashPathEffect.Make([on, pitch - on], 0.0),
    )
    pen.canvas.drawPath(line, paint)


def _bridge(pen: Pen) -> None:
    """Draw rails where the upper corridor crosses, since the two corridors are not connected."""
    reach = FLOOR_MM / 2 + WALL_MM + 1.2
    for side in (-1, 1):
        x = _MIDDLE + side * (FLOOR_MM / 2 + WALL_MM / 2)
        pen.line(stroke(f"{x},{_MIDDLE - reach} {x},{_MIDDLE + reach}"), _DEEP, 3.0)
        pen.line(stroke(f"{x},{_MIDDLE - reach} {x},{_MIDDLE + reach}"), rgb("f1f8fb"), 1.8)
        for k in (-1, 0, 1):
            pen.solid(circle(x, _MIDDLE + 5.4 * k, 1.1), rgb("f1f8fb"), outline=0.3)


def _island(pen: Pen) -> None:
    with pen.at(_MIDDLE, _MIDDLE):
        pen.solid(circle(0, 0, 4.2), rgb("f1f8fb"), outline=0.4, contrast=0.15)
        for quarter in range(4):
            with pen.at(0, 0, 45 + 90 * quarter):
                pen.fill(edges("-0.9,-1 0,-3.4 0.9,-1"), _WALL)


def _glints(pen: Pen) -> None:
    """Draw faint highlights on the film, through which the map stays visible."""
    for x, y, long in ((6, 9, 7), (9, 11, 4), (38, 42, 7), (41.4, 40, 4)):
        pen.line(
            bow(f"{x},{y} {x + long / 2},{y - long / 2 - 0.3} {x + long},{y - long}"),
            (1.0, 1.0, 1.0),
            0.7,
            alpha=0.5,
        )
