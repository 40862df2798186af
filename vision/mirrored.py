"""Mirrored photos (of a front camera, or of a program that dropped the mirror flag): flipped, read, and the
results mapped back.

No flag for it needs to be stored: the corners of the cards of a mirrored photo run anticlockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.decode import Photo, Pixels

Point = tuple[float, float]
T = TypeVar("T")

MIRRORED = Text(
    "The photo is mirrored, as front cameras save it; it was read the right way round, and left and right "
    "are told as on the table."
)

#: Fields of readings in photo pixels: points or lines, boxes, and homographies to pixels.
POINTS = frozenset({"corners", "corners_px", "path_px", "grid_px", "at_px", "places_px", "boards_px"})
BOXES = frozenset({"box", "crop_px"})
MAPS = frozenset({"to_photo"})


class MirroredPhoto(WaymarkError):
    """Raised if no card is found in the photo, but cards are found in its mirror image."""

    def __init__(self, error: WaymarkError) -> None:
        super().__init__(error.code, error.words)
        self.error = error

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.error,)


def turned_over(photo: Photo) -> Photo:
    """The mirror image of a photo, decoded lazily, with a warning about it.

    It has no camera name, since the measured lens profile does not fit a mirror image.
    """

    def made(halvings: int) -> Pixels:
        width = photo.width >> halvings
        pixels = np.ascontiguousarray(photo.reduced(halvings)[:, width - 1 :: -1])
        pixels.flags.writeable = False
        return pixels

    held = photo.halvings
    return Photo(made(held), (*photo.warnings, MIRRORED), halvings=held, decode=made)


def read_either_way(photo: Photo, read: Callable[[Photo], T]) -> T:
    """Result of `read` for a photo, or for its mirror image where `read` raises `MirroredPhoto`. Raises as
    `read`."""
    try:
        return read(photo)
    except MirroredPhoto as error:
        return _read_over(photo, read, error)


def find_either_way(photo: Photo, read: Callable[[Photo], T]) -> T:
    """Result of `read` for a photo, or for its mirror image where the photo shows nothing (no-card). Raises
    as `read`."""
    try:
        return read(photo)
    except WaymarkError as error:
        if error.code != Code.NO_CARD:
            raise
        return _read_over(photo, read, error)


def _read_over(photo: Photo, read: Callable[[Photo], T], error: WaymarkError) -> T:
    try:
        return reflected(read(turned_over(photo)), photo.width)
    except WaymarkError as still:
        raise (error if still.code == Code.NO_CARD else still) from None


def reflected(reading: T, width: int) -> T:
    """Result of reading a mirror image, mapped back to pixels of the photo itself; `width` is the photo's in
    pixels."""
    if isinstance(reading, tuple):
        return cast("T", tuple(reflected(each, width) for each in reading))
    if not is_dataclass(reading) or isinstance(reading, Text):
        return reading
    changed = {
        field.name: _field(field.name, getattr(reading, field.name), width)
        for field in fields(reading)
        if field.init
    }
    return cast("T", replace(cast("Any", reading), **changed))


def _field(name: str, value: Any, width: int) -> Any:
    if value is None:
        return None
    if name in POINTS:
        return reflected_points(value, width)
    if name in BOXES:
        left, top, right, bottom = value
        return width - right, top, width - left, bottom
    if name in MAPS:
        over = np.array([[-1.0, 0.0, width - 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        return tuple(tuple(float(x) for x in row) for row in over @ np.array(value))
    return reflected(value, width)


def reflected_points(points: Any, width: int) -> Any:
    """Points reflected left to right: a single point, or tuples or a dictionary of points."""
    if isinstance(points, dict):
        return {name: reflected_points(each, width) for name, each in points.items()}
    if len(points) == 2 and not isinstance(points[0], tuple):
        return round(width - 1 - points[0], 1), points[1]
    return tuple(reflected_points(each, width) for each in points)


def run_backwards(outlines: Sequence[Sequence[Point]]) -> bool:
    """Whether most cards' corners, from the printed top left on, run anticlockwise, as in a mirrored
    photo."""
    return sum(1 if _area(each) < 0 else -1 for each in outlines) > 0


def as_turned_over(corners: tuple[Point, ...], width: int) -> tuple[Point, ...]:
    """A card's corners in the mirror image of a photo that is `width` pixels wide, always clockwise.

    Corners that a person drew clockwise on the photo are clockwise in the mirror image too.
    """
    over: tuple[Point, ...] = reflected_points(corners, width)
    if _area(over) < 0:
        over = (over[1], over[0], over[3], over[2])
    return over


def _area(corners: Sequence[Point]) -> float:
    """Signed area of an outline, negative where it runs anticlockwise as seen (y down)."""
    x, y = np.array(corners, np.float64).T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
