"""Vector drawing in millimetres: strokes, fills and outlines of shapes on a canvas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import skia

from calibration.decks.drawing.noise import BLEED_MM, Grid
from calibration.decks.drawing.palette import Colour


def points(text: str, *, mirrored: bool = False) -> Points:
    """Points parsed from a text such as "x,y x,y". `mirrored` negates x."""
    sign = -1.0 if mirrored else 1.0
    return [(sign * float(x), float(y)) for x, y in (word.split(",") for word in text.split())]


def curve(text: str, *, mirrored: bool = False) -> skia.Path:
    """A closed smooth path from points in text form."""
    return smooth(points(text, mirrored=mirrored))


def edges(text: str, *, mirrored: bool = False) -> skia.Path:
    """A closed polygon from points in text form."""
    return polygon(points(text, mirrored=mirrored))


def stroke(text: str, *, mirrored: bool = False) -> skia.Path:
    """An open polyline from points in text form."""
    return polygon(points(text, mirrored=mirrored), closed=False)


def bow(text: str, *, mirrored: bool = False) -> skia.Path:
    """An open smooth path from points in text form."""
    return smooth(points(text, mirrored=mirrored), closed=False)


Points = Sequence[tuple[float, float]]
INK: Colour = (0.11, 0.09, 0.09)


def argb(colour: Colour, alpha: float = 1.0) -> int:
    r, g, b = (min(255, max(0, round(255 * c))) for c in colour)
    return int(skia.Color(r, g, b, min(255, max(0, round(255 * alpha)))))


def lighter(colour: Colour, share: float) -> Colour:
    """A colour blended towards white by `share`, or towards black when it is negative."""
    goal = 1.0 if share > 0 else 0.0
    r, g, b = (c + (goal - c) * abs(share) for c in colour)
    return r, g, b


def polygon(points: Points | np.ndarray, closed: bool = True) -> skia.Path:
    path = skia.Path()
    path.addPoly([skia.Point(float(x), float(y)) for x, y in points], closed)
    return path


def smooth(points: Points | np.ndarray, closed: bool = True) -> skia.Path:
    """A smooth path of quadratic curves through the midpoints of a polygon's sides, with its corners as
    control points."""
    p = [(float(x), float(y)) for x, y in points]
    path = skia.Path()
    if closed:
        path.moveTo((p[-1][0] + p[0][0]) / 2, (p[-1][1] + p[0][1]) / 2)
        for a, b in zip(p, [*p[1:], p[0]], strict=True):
            path.quadTo(a[0], a[1], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        path.close()
    else:
        path.moveTo(*p[0])
        for a, b in pairwise(p[1:]):
            path.quadTo(a[0], a[1], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        path.lineTo(*p[-1])
    return path


def star_points(points: int, outer: float, inner: float) -> Points:
    """Corners of a star around the origin, its first point upwards."""
    reach = [(outer if k % 2 == 0 else inner, math.pi * k / points) for k in range(2 * points)]
    return [(r * math.sin(a), -r * math.cos(a)) for r, a in reach]


def circle(x: float, y: float, radius: float) -> skia.Path:
    path = skia.Path()
    path.addCircle(x, y, radius)
    return path


def ellipse(x: float, y: float, rx: float, ry: float) -> skia.Path:
    path = skia.Path()
    path.addOval(skia.Rect.MakeLTRB(x - rx, y - ry, x + rx, y + ry))
    return path


def box(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> skia.Path:
    path = skia.Path()
    path.addRoundRect(skia.Rect.MakeLTRB(x0, y0, x1, y1), radius, radius)
    return path


def join(*paths: skia.Path) -> skia.Path:
    whole = skia.Path()
    for path in paths:
        whole.addPath(path)
    return whole


class Pen:
    """A drawing interface to a canvas in card millimetres. Every method draws immediately."""

    def __init__(self, canvas: skia.Canvas) -> None:
        self.canvas = canvas

    @contextmanager
    def at(self, x: float, y: float, turn_deg: float = 0.0, scale: float = 1.0) -> Iterator[None]:
        """Context manager: draw relative to (x, y), rotated clockwise by degrees and scaled."""
        self.canvas.save()
        self.canvas.translate(x, y)
        self.canvas.rotate(turn_deg)
        self.canvas.scale(scale, scale)
        yield
        self.canvas.restore()

    @contextmanager
    def within(self, path: skia.Path) -> Iterator[None]:
        self.canvas.save()
        self.canvas.clipPath(path, doAntiAlias=True)
        yield
        self.canvas.restore()

    def fill(self, path: skia.Path, colour: Colour, alpha: float = 1.0, blur: float = 0.0) -> None:
        paint = skia.Paint(AntiAlias=True, Color=argb(colour, alpha))
        if blur:
            paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
        self.canvas.drawPath(path, paint)

    def line(
        self,
        path: skia.Path,
        colour: Colour,
        width: float,
        alpha: float = 1.0,
        blur: float = 0.0,
        *,
        butt: bool = False,
    ) -> None:
        paint = skia.Paint(
            AntiAlias=True,
            Color=argb(colour, alpha),
            Style=skia.Paint.kStroke_Style,
            StrokeWidth=width,
            StrokeCap=skia.Paint.kButt_Cap if butt else skia.Paint.kRound_Cap,
            StrokeJoin=skia.Paint.kRound_Join,
        )
        if blur:
            paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
        self.canvas.drawPath(path, paint)

    def shade(
        self, path: skia.Path, colours: Sequence[Colour], start: tuple[float, float], end: tuple[float, float]
    ) -> None:
        """Fill a path with a linear gradient from `start` to `end`."""
        shader = skia.GradientShader.MakeLinear(
            [skia.Point(*start), skia.Point(*end)], [argb(colour) for colour in colours]
        )
        self.canvas.drawPath(path, skia.Paint(AntiAlias=True, Shader=shader))

    def glow(
        self,
        path: skia.Path,
        stops: Sequence[tuple[Colour, float]],
        centre: tuple[float, float],
        radius: float,
        positions: Sequence[float] | None = None,
    ) -> None:
        """Fill a path with a radial gradient of (colour, alpha) stops."""
        shader = skia.GradientShader.MakeRadial(
            skia.Point(*centre), radius, [argb(colour, alpha) for colour, alpha in stops], positions
        )
        self.canvas.drawPath(path, skia.Paint(AntiAlias=True, Shader=shader))

    def solid(
        self,
        path: skia.Path,
        colour: Colour,
        *,
        outline: float = 0.34,
        contrast: float = 0.34,
        ink: Colour = INK,
    ) -> None:
        """Draw a shaded body, lit from the upper left, with a dark outline."""
        bounds = path.getBounds()
        self.line(path, ink, 2 * outline)
        self.shade(
            path,
            (lighter(colour, contrast), colour, lighter(colour, -contrast)),
            (bounds.left(), bounds.top()),
            (bounds.right(), bounds.bottom()),
        )


@contextmanager
def drawing(pixels_rgba: np.ndarray, grid: Grid) -> Iterator[Pen]:
    """Context manager: a pen that draws in place on pixels (H, W, 4) uint8 of the grid."""
    surface = skia.Surface(pixels_rgba, colorType=skia.kRGBA_8888_ColorType)
    with surface as canvas:
        canvas.scale(grid.px_per_mm, grid.px_per_mm)
        canvas.translate(BLEED_MM, BLEED_MM)
        yield Pen(canvas)
