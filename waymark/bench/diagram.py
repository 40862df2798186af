"""Reliability diagram as a picture: predicted confidence against the observed share of correct readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PIL import Image

from scorer.text import Language
from waymark.phrases import say
from waymark.picture.canvas import BLACK, GREEN, GREY, ORANGE, VERMILION, WHITE, Canvas, Colour, box

PANEL_PX = 520
#: The square of a panel that shows 0 to 1 on both axes: left and bottom edge, and side length (pixels).
LEFT_PX, BOTTOM_PX, SIDE_PX = 84, 468, 380
TEXT_PX = 19
PALE: Colour = (226, 228, 232)
DARK_GREY: Colour = (85, 91, 102)


def draw_reliability(reliability: Mapping[str, Any], language: Language) -> Image.Image:
    """A picture with three reliability diagrams side by side: cards, doubts and scores.
    On the dashed diagonal, predicted confidence equals the observed share. Points above it are
    underconfident, points below it overconfident. Bars are 95% bounds."""
    canvas = Canvas((3 * PANEL_PX, PANEL_PX + 40), language, ground=WHITE)
    for number, name in enumerate(("cards", "doubts")):
        panel = _Panel(canvas, number * PANEL_PX)
        panel.axes(
            say(language, f"bench.reliability.{name}"),
            say(language, "bench.reliability.predicted"),
            say(language, "bench.reliability.right"),
        )
        panel.curve(reliability[name], language)
    panel = _Panel(canvas, 2 * PANEL_PX)
    panel.axes(
        say(language, "bench.reliability.scores"), "", say(language, "bench.reliability.right"), scale=False
    )
    panel.bars(
        [
            (say(language, "bench.reliability.sure"), reliability["scores"]["sure"], GREEN),
            (say(language, "bench.reliability.not_sure"), reliability["scores"]["not_sure"], ORANGE),
        ],
        language,
    )
    return canvas.finished()


class _Panel:
    """One square diagram of the picture, with its left edge at `left` pixels."""

    def __init__(self, canvas: Canvas, left: int) -> None:
        self.canvas, self.left = canvas, left + LEFT_PX

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Pixel position of a data point with x and y from 0 to 1."""
        return self.left + x * SIDE_PX, BOTTOM_PX - y * SIDE_PX

    def axes(self, title: str, below: str, beside: str, *, scale: bool = True) -> None:
        for part in np.linspace(0, 1, 6):
            self.canvas.line(np.array([self.at(0, part), self.at(1, part)]), PALE, 1)
            x, y = self.at(0, part)
            self.canvas.text((x - 10, y), f"{part:.0%}", TEXT_PX - 3, BLACK, "rm")
            if scale:
                x, y = self.at(part, 0)
                self.canvas.text((x, y + 18), f"{part:.0%}", TEXT_PX - 3, BLACK, "mm")
        self.canvas.line(np.array([self.at(0, 1), self.at(0, 0), self.at(1, 0)]), BLACK, 2)
        self.canvas.text((self.left, 26), title, TEXT_PX + 3, BLACK, "lm")
        self.canvas.text((self.left, 58), beside, TEXT_PX - 2, DARK_GREY, "lm")
        self.canvas.text((self.left + SIDE_PX / 2, BOTTOM_PX + 46), below, TEXT_PX - 2, DARK_GREY, "mm")
        if scale:
            self.canvas.line(np.array([self.at(0, 0), self.at(1, 1)]), GREY, 2, dash_px=(10, 8))

    def curve(self, told: Mapping[str, Any], language: Language) -> None:
        points = [(each["predicted"], each) for each in told["bins"]]
        if len(points) > 1:
            line = np.array([self.at(x, each["right"]) for x, each in points])
            self.canvas.line(line, GREEN, 3)
        for x, each in points:
            wrong = each["high"] < x  # The share is too low for what was predicted, whatever chance did.
            self._mark(x, each, VERMILION if wrong else GREEN)
        said = say(language, "bench.reliability.none")
        if points:
            said = say(language, "bench.reliability.gap", count=told["count"], gap=f"{told['gap']:.1%}")
        self.canvas.text((self.left + SIDE_PX / 2, BOTTOM_PX + 74), said, TEXT_PX - 2, BLACK, "mm")

    def bars(self, told: Sequence[tuple[str, Mapping[str, Any], Colour]], language: Language) -> None:
        for number, (name, each, colour) in enumerate(told):
            x = (number + 0.5) / len(told)
            if each["count"]:
                middle = np.array(self.at(x, each["right"] / 2))
                box(self.canvas, middle, np.array([45, each["right"] * SIDE_PX / 2]), colour)
                self._mark(x, each, BLACK, count=False)
            left, below = self.at(x, 0)
            words = say(language, "bench.reliability.of", name=name, count=each["count"])
            self.canvas.text((left, below + 22), words, TEXT_PX - 2, BLACK, "mm")

    def _mark(self, x: float, each: Mapping[str, Any], colour: Colour, *, count: bool = True) -> None:
        low, high = self.at(x, each["low"]), self.at(x, each["high"])
        self.canvas.line(np.array([low, high]), colour, 2)
        for end in (low, high):
            self.canvas.line(np.array([(end[0] - 5, end[1]), (end[0] + 5, end[1])]), colour, 2)
        if count:
            self.canvas.disc(np.array(self.at(x, each["right"])), 6, colour)
            self.canvas.text((low[0] + 9, low[1] - 2), str(each["count"]), TEXT_PX - 4, DARK_GREY, "ls")
