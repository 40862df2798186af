"""A small stroke font (digits, a few capitals), so that lettering needs no font file and is the same
everywhere."""

from __future__ import annotations

import skia

from calibration.decks.drawing.palette import Colour
from calibration.decks.drawing.pen import Pen, smooth

# Strokes in a box 1 wide and 2 high, y down: "|" straight, "s" smoothed, "o" smoothed and closed.
_STROKES: dict[str, str] = {
    "0": "o .5,0 0,0 0,1 0,2 .5,2 1,2 1,1 1,0",
    "1": "| .1,.45 .55,0 .55,2;| .1,2 1,2",
    "2": "s 0,.5 .05,0 .5,0 1,0 1,.55 .95,.95 .3,1.5 0,2;| 0,2 1,2",
    "3": "s 0,.1 .2,0 .55,0 1,0 1,.48 1,.95 .4,.95;s .4,.95 1,.95 1,1.5 1,2 .5,2 .1,2 0,1.75",
    "4": "| .75,2 .75,0 0,1.4 1,1.4",
    "5": "| .95,0 .12,0 .08,.85;s .08,.85 .3,.7 .55,.7 1,.75 1,1.35 1,2 .45,2 .1,2 0,1.8",
    "6": "s .85,0 .25,.3 0,1 0,1.4;o 0,1.4 0,2 .5,2 1,2 1,1.4 1,.85 .5,.85 0,.85",
    "7": "| 0,0 1,0 .35,2",
    "8": "o .5,0 .05,0 .05,.46 .05,.93 .5,.93 .95,.93 .95,.46 .95,0;"
    "o .5,.93 0,.93 0,1.45 0,2 .5,2 1,2 1,1.45 1,.93",
    "9": "o 1,.6 1,0 .5,0 0,0 0,.6 0,1.15 .5,1.15 1,1.15;s 1,.6 1,1.2 .75,1.7 .2,2",
    "B": "| 0,0 0,2;s 0,0 .5,0 .95,0 .95,.48 .95,.95 .5,.95 0,.95;s 0,.95 .5,.95 1,.98 1,1.48 1,2 .5,2 0,2",
    "D": "| 0,0 0,2;s 0,0 .35,0 1,.05 1,1 1,1.95 .35,2 0,2",
    "S": "s .98,.35 .85,0 .5,0 .03,0 .03,.5 .03,.9 .5,1 .98,1.1 .98,1.5 .98,2 .5,2 .1,2 0,1.65",
    "-": "| .15,1.05 .85,1.05",
    "+": "| .1,1.05 .9,1.05;| .5,.6 .5,1.5",
}
_ADVANCE = 1.55


def _stroke(text: str) -> skia.Path:
    kind, *words = text.split()
    points = [(float(x), float(y)) for x, y in (word.split(",") for word in words)]
    if kind == "|":
        path = skia.Path()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        return path
    return smooth(points, closed=kind == "o")


def text_width(text: str, height: float) -> float:
    return (len(text) * _ADVANCE - (_ADVANCE - 1)) * height / 2


def draw_text(
    pen: Pen, text: str, centre: tuple[float, float], height: float, colour: Colour, *, weight: float = 0.2
) -> None:
    """Letters `height` mm high around `centre`; `weight` is the stroke's width as a share of the height.

    Raises `KeyError` for a character that the alphabet lacks.
    """
    scale = height / 2
    x = centre[0] - text_width(text, height) / 2
    for character in text:
        with pen.at(x, centre[1] - scale, scale=scale):
            for stroke in _STROKES[character].split(";"):
                pen.line(_stroke(stroke), colour, 2 * weight)
        x += _ADVANCE * scale
