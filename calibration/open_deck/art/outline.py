"""Outlines told in a line of text, `"0,-5.4 1.2,-2.6 3,3"`: x and y in millimetres, point by point."""

from __future__ import annotations

import skia

from calibration.open_deck.art.pen import Points, polygon, smooth


def points(text: str, *, mirrored: bool = False) -> Points:
    """The points of a text; `mirrored`: left and right exchanged."""
    sign = -1.0 if mirrored else 1.0
    return [(sign * float(x), float(y)) for x, y in (word.split(",") for word in text.split())]


def curve(text: str, *, mirrored: bool = False) -> skia.Path:
    """A closed smooth outline."""
    return smooth(points(text, mirrored=mirrored))


def edges(text: str, *, mirrored: bool = False) -> skia.Path:
    """A closed outline with corners."""
    return polygon(points(text, mirrored=mirrored))


def stroke(text: str, *, mirrored: bool = False) -> skia.Path:
    """An open line with corners."""
    return polygon(points(text, mirrored=mirrored), closed=False)


def bow(text: str, *, mirrored: bool = False) -> skia.Path:
    """An open smooth line."""
    return smooth(points(text, mirrored=mirrored), closed=False)
