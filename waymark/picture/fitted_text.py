"""A line of text that fits a width."""

from __future__ import annotations

from waymark.picture.canvas import Canvas, Colour, font
from waymark.picture.typeface import clusters, drawable


def draw_fitted(
    canvas: Canvas,
    at: tuple[float, float],
    words: str,
    size_px: int,
    colour: Colour,
    width_px: float,
    anchor: str = "lm",
    *,
    otherwise: str = "",
    name: bool = False,
) -> None:
    """A text that fits the width: a long text ends in an ellipsis. Characters that no font can draw are left
    out; `otherwise` replaces an empty result."""
    signs = clusters(drawable(words, font(canvas.language, size_px)) or otherwise)
    shown = "".join(signs)
    while signs and canvas.text_size(shown, size_px)[0] > width_px:
        signs.pop()
        shown = "".join(signs) + "…"
    canvas.text(at, shown, size_px, colour, anchor, name=name)
