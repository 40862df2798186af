"""Geometry of small SVG plots: positions of dots, bars and lines. Templates draw them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: Size in the drawing's own units; on a phone a unit is about a pixel.
WIDTH, HEIGHT = 400.0, 190.0
RIGHT, TOP, BOTTOM = 8.0, 12.0, 12.0
#: Least width for a scale's numbers, width of a digit, and gap between the numbers and the lines.
LEAST_LEFT, DIGIT, SCALE_GAP = 34.0, 9.0, 6.0
BAR_ROW, BAR_LABEL, BAR_VALUE = 27.0, 120.0, 44.0
#: Approximate number of grid lines behind a plot.
_LINES = 4


@dataclass(frozen=True)
class Dot:
    """A value with its position in the plot."""

    x: float
    y: float
    value: float


@dataclass(frozen=True)
class LinePlot:
    """A line plot of values from left to right. `scale` are the grid lines from `x` on, with their labels;
    `path` is the SVG path through the dots."""

    dots: tuple[Dot, ...]
    scale: tuple[Dot, ...]
    path: str


@dataclass(frozen=True)
class Bar:
    """A bar that starts at `BAR_LABEL`; `y` is the middle of its row."""

    name: str
    y: float
    length: float
    value: float
    note: str


@dataclass(frozen=True)
class BarPlot:
    """Bars from top to bottom."""

    bars: tuple[Bar, ...]
    height: float


def line_plot(values: Sequence[float]) -> LinePlot:
    """Line plot of values with a scale from zero; a single value is centred."""
    top, step = _scale(max(values, default=0.0))
    edge = max(LEAST_LEFT, DIGIT * len(f"{top:g}") + SCALE_GAP)
    left, right = edge + 10, WIDTH - RIGHT - 10
    gap = (right - left) / (len(values) - 1) if len(values) > 1 else 0.0
    start = left if len(values) > 1 else (left + right) / 2
    dots = tuple(
        Dot(round(start + index * gap, 1), _height(value, top), value) for index, value in enumerate(values)
    )
    lines = [step * index for index in range(int(top / step) + 1)]
    scale = tuple(Dot(edge, _height(value, top), value) for value in lines)
    path = "M" + " L".join(f"{dot.x} {dot.y}" for dot in dots) if len(dots) > 1 else ""
    return LinePlot(dots, scale, path)


def _height(value: float, top: float) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top, 1)


def _scale(highest: float) -> tuple[float, float]:
    """Upper end and step of a scale from zero; the step is 1, 2 or 5 times a power of ten."""
    step = 1.0
    for factor in (2.0, 2.5, 2.0) * 6:
        if step * _LINES >= highest:
            break
        step *= factor
    count = max(1, -int(-highest // step))
    return step * count, step


def bar_plot(rows: Sequence[tuple[str, float, str]]) -> BarPlot:
    """Bar plot of (name, value, note), scaled to the longest bar."""
    room = WIDTH - BAR_LABEL - BAR_VALUE
    highest = max((value for _, value, _ in rows), default=0.0) or 1.0
    bars = tuple(
        Bar(name, BAR_ROW * (index + 0.5), round(room * value / highest, 1), value, note)
        for index, (name, value, note) in enumerate(rows)
    )
    return BarPlot(bars, BAR_ROW * max(1, len(rows)))
