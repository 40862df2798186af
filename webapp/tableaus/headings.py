"""Headings of stretches of a path in the photo, in words: "It goes on to the left"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorer.text import Text, listed
from waymark.review.projection import Points

#: A stretch whose ends are nearer than this share of its length leads nowhere: it goes round, or back.
_LEAST_STRAIGHT = 0.35
#: Eight directions clockwise from the right, as seen in the photo.
_ON = (
    Text("It goes on to the right"),
    Text("It goes on to the lower right"),
    Text("It goes on downwards"),
    Text("It goes on to the lower left"),
    Text("It goes on to the left"),
    Text("It goes on to the upper left"),
    Text("It goes on upwards"),
    Text("It goes on to the upper right"),
)
_FROM = (
    Text("It comes from the right"),
    Text("It comes from the lower right"),
    Text("It comes from below"),
    Text("It comes from the lower left"),
    Text("It comes from the left"),
    Text("It comes from the upper left"),
    Text("It comes from above"),
    Text("It comes from the upper right"),
)

_SHORT = (
    Text("right", context="heading"),
    Text("lower right", context="heading"),
    Text("down", context="heading"),
    Text("lower left", context="heading"),
    Text("left", context="heading"),
    Text("upper left", context="heading"),
    Text("up", context="heading"),
    Text("upper right", context="heading"),
)
_ENDS_HERE = Text("It ends here")
_GOES = Text("It goes {ways}")
_THEN = Text(", then ")


@dataclass(frozen=True)
class Stretch:
    """A stretch of a path as a polyline (N, 2) in photo pixels, in walking order; `first`: the path begins
    with it."""

    line_px: Points
    first: bool


def heading(stretch: Stretch) -> Text | None:
    """Where a stretch goes on to, or comes from; None where it goes round or back."""
    sector = _sector(stretch)
    return None if sector is None else (_FROM if stretch.first else _ON)[sector]


def headings(stretches: Sequence[Stretch | None]) -> list[Text] | None:
    """The headings of the stretches, where all of them have one and no two are the same; else None."""
    told = [heading(each) if each is not None else None for each in stretches]
    known = [each for each in told if each is not None]
    if len(known) < 2 or len(known) < len(told) or len({each.en for each in known}) < len(known):
        return None
    return known


def turns(stretches: Sequence[Stretch | None]) -> Text | None:
    """Where a path goes at several places, one after the other; a stretch of None is its end. None where a
    stretch goes round, or there is none."""
    sectors = [_sector(each) for each in stretches if each is not None]
    if any(sector is None for sector in sectors) or not stretches:
        return None
    if not sectors:
        return _ENDS_HERE
    if len(sectors) == 1:
        return _ON[sectors[0] or 0]
    return _GOES.filled(ways=listed([_SHORT[sector or 0] for sector in sectors], _THEN))


def _sector(stretch: Stretch) -> int | None:
    line = stretch.line_px
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    x, y = line[-1] - line[0] if not stretch.first else line[0] - line[-1]
    if math.hypot(x, y) < max(1.0, _LEAST_STRAIGHT * length):
        return None
    return round(math.degrees(math.atan2(y, x)) / 45) % 8
