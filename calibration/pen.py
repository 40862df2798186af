"""Calibration of a player's pen from one photo of a line, which is tapped by the user or read
automatically.

The colour at the tap gives a rough transmittance of the ink film. The photo is read with it, and the pen
is measured along the line through the tap. So a line too faint for a normal reading can be learned too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.dungeon import build_dungeon
from scorer.errors import Code, WaymarkError
from scorer.placement import card_to_table
from scorer.record import PlacedCard, Rotation
from scorer.text import Text
from vision.cards.find_layout import read_layout
from vision.cards.index import CardIndex
from vision.cards.layout import Layout
from vision.ink.faces import SeenCards
from vision.ink.ink_map import PX_PER_MM, InkMap
from vision.ink.likelihood import read_ink
from vision.ink.pens import PenProfile
from vision.ink.rectify import halvings_for
from vision.mirrored import MirroredPhoto, reflected_points, turned_over
from vision.path.read import PathReading, read_path
from vision.photo.decode import Photo
from vision.photo.lens import lens_of
from vision.photo.runtime import single_threaded_blas

Array = NDArray[np.float64]

#: A tap falls within this of the line that is meant (mm).
TAP_MM = 2.5
#: Less line than the first (mm) tells no pen; without a tap it must be as much as the second.
LEAST_LINE_MM, LEAST_UNTOLD_MM = 15.0, 40.0
#: A film that takes less than this of a card's light is no line that could be told from the card.
LEAST_FILM = 0.05
#: Pale ink gives back more of some colours than the card does, up to so many times as much.
MOST_THROUGH = 1.6
#: Print darker than this (picture values) shows too little of a film.
LEAST_GROUND = 0.3
#: A line is measured so often along it (mm), over its middle (mm to each side), where it is found within the
#: third of where it was read; its width is looked for this far to each side.
_STEP_MM, _CORE_MM, _WANDER_MM, _ACROSS_MM = 0.4, 0.3, 0.8, 2.6
#: What varies within this (mm) along a line is grain.
_GRAIN_MM = 2.0
#: What a tap alone tells of a pen.
_FIRST_SPREAD, _FIRST_WIDTH_MM = 0.25, 1.5


@single_threaded_blas()
def learn_pen(
    photo: Photo, catalogue: Catalogue, index: CardIndex, at_px: tuple[float, float] | None = None
) -> PenProfile:
    """The pen profile of the line at a point of the photo, or of the line read in it where no point is
    given.

    Raises `WaymarkError`: no-card where no card is found; no-line where no line is there, or where it is
    unclear which line is meant.
    """
    lens = lens_of(photo)
    if lens is not None:
        photo = lens.straight_photo(photo)
        if at_px is not None:
            at_px = _pair(lens.straight(np.array(at_px, float)))
    try:
        layout = read_layout(photo, index)
    except MirroredPhoto:
        photo = turned_over(photo)
        at_px = None if at_px is None else reflected_points(at_px, photo.width)
        layout = read_layout(photo, index)
    table = _Table(photo, layout, catalogue)
    if at_px is None:
        ink, reading = table.read(None)
        lines = [stroke.line_mm for stroke in reading.strokes]
        if _length(lines) < LEAST_UNTOLD_MM or any(
            doubt.reason in ("ghost", "faint") for doubt in reading.doubts
        ):
            raise no_line(UNCLEAR)
        return _measured(ink, lines)
    at_mm = table.spot(at_px)
    if at_mm is None:
        raise no_line(BESIDE_CARDS)
    tapped = pen = _tapped(table.ink(None), at_mm)
    for _ in range(2):
        ink, reading = table.read(pen)
        lines = [stroke.line_mm for stroke in reading.strokes]
        if not lines or min(_away(line, at_mm) for line in lines) > TAP_MM:
            break
        pen = _measured(ink, lines)
    if pen is tapped:
        raise no_line(NOT_READ)
    return pen


def _pair(point: Array) -> tuple[float, float]:
    return float(point[0]), float(point[1])


class _Table:
    """The cards of a photo, readable with different pens."""

    def __init__(self, photo: Photo, layout: Layout, catalogue: Catalogue) -> None:
        self._layout, self._catalogue = layout, catalogue
        placed = tuple(
            PlacedCard(p.card, round(p.x_mm, 2), round(p.y_mm, 2), cast("Rotation", p.rotation % 360))
            for p in layout.poses
        )
        self._dungeon = build_dungeon(catalogue, placed)
        self._halvings = halvings_for(layout.poses, catalogue, photo.halvings)
        self._pixels = photo.reduced(self._halvings)
        self._seen = SeenCards(other_cards=True)

    def ink(self, pen: PenProfile | None) -> InkMap:
        return read_ink(
            self._pixels,
            self._layout.poses,
            self._catalogue,
            halvings=self._halvings,
            known=pen,
            seen=self._seen,
        )

    def read(self, pen: PenProfile | None) -> tuple[InkMap, PathReading]:
        """The ink map and the path read with a pen. Raises the errors of `ink`."""
        ink = self.ink(pen)
        return ink, read_path(ink, self._dungeon)

    def spot(self, at_px: tuple[float, float]) -> Array | None:
        """The position on the table in mm of a photo point, or None where it is on no card."""
        for number, pose in enumerate(self._layout.poses):
            outline = np.asarray(pose.corners_px, np.float32)
            if cv2.pointPolygonTest(outline, at_px, False) < 0:
                continue
            on_card = cv2.perspectiveTransform(
                np.array([[at_px]]), np.linalg.inv(np.asarray(pose.card_to_photo, float))
            )[0, 0]
            placed = self._dungeon.cards[number]
            return np.array(
                card_to_table(
                    placed, (float(on_card[0]), float(on_card[1])), self._catalogue.size_of(pose.card)
                )
            )
        return None


def _through(ink: InkMap) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Transmittance (H, W, 3) of the ink relative to the blank cards, and the mask (H, W) where it is
    known."""
    assert ink.blank is not None
    blank = ink.blank.astype(np.float32) / 255
    through = (ink.picture.astype(np.float32) / 255) / np.maximum(blank, LEAST_GROUND / 2)
    return np.asarray(through), ink.visible & (blank.min(axis=2) > LEAST_GROUND)


def _tapped(ink: InkMap, at_mm: Array) -> PenProfile:
    """A rough pen profile from the strongest ink near a tap. Raises `WaymarkError` (no-line)."""
    through, told = _through(ink)
    weight = told.astype(np.float32)[..., None]
    side = round(2 * _CORE_MM * PX_PER_MM) | 1
    smooth = (
        cv2.blur(through * weight, (side, side)) / np.maximum(cv2.blur(weight, (side, side)), 1e-3)[..., None]
    )
    x, y = ink.to_px(at_mm)
    rows, columns = np.indices(told.shape)
    away2 = ((columns - x) ** 2 + (rows - y) ** 2) / PX_PER_MM**2
    near = told & (away2 < TAP_MM**2)
    if not near.any():
        raise no_line(NOTHING_THERE)
    film = np.linalg.norm(np.maximum(1 - smooth, 0), axis=2) * np.exp(-away2 / (2 * (TAP_MM / 2) ** 2)) * near
    row, column = np.unravel_index(int(film.argmax()), film.shape)
    return _profile(smooth[row, column].astype(float), _FIRST_SPREAD, _FIRST_WIDTH_MM, 0.0)


def _profile(through: Array, spread: float, width_mm: float, line_mm: float) -> PenProfile:
    """A pen profile from its measures. Raises `WaymarkError` (no-line) where the film absorbs too little
    light."""
    blue, green, red = np.clip(through, 0.02, MOST_THROUGH).tolist()
    if 1 - min(blue, green, red) < LEAST_FILM:
        raise no_line(NOTHING_THERE)
    return PenProfile(
        through=(round(blue, 4), round(green, 4), round(red, 4)),
        spread=round(spread, 3),
        width_mm=round(width_mm, 2),
        line_mm=round(line_mm, 1),
    )


def _measured(ink: InkMap, lines: Sequence[Array]) -> PenProfile:
    """The pen profile measured along lines, each (N, 2) in table mm. Raises `WaymarkError` (no-line)."""
    through, told = _through(ink)
    offsets = np.arange(-_ACROSS_MM, _ACROSS_MM + 1e-6, 1 / PX_PER_MM)
    stations = [_across(line, offsets) for line in lines if len(line) > 1]
    if not stations:
        raise no_line(NOT_READ)
    at = ink.to_px(np.concatenate(stations)).astype(np.float32)
    x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    seen = cv2.remap(through, x, y, cv2.INTER_LINEAR)
    known = cv2.remap(told.astype(np.float32), x, y, cv2.INTER_LINEAR) > 0.99
    taken = 1 - seen
    # the hue of what is taken near the lines, then the middle of each line by how much of it is
    close = known & (np.abs(offsets) <= _WANDER_MM)
    if not close.any():
        raise no_line(NOTHING_THERE)
    hue = np.median(taken[close], axis=0)
    hue /= max(float(np.linalg.norm(hue)), 1e-6)
    amount = np.where(known, taken @ hue, -1.0)
    core = round(_CORE_MM * PX_PER_MM)
    wander = np.flatnonzero(np.abs(offsets) <= _WANDER_MM)
    smooth = cv2.blur(amount.astype(np.float32), (2 * core + 1, 1))
    middle = wander[smooth[:, wander].argmax(axis=1)]
    beside = np.arange(-core, core + 1)
    rows = np.arange(len(amount))[:, None]
    own, whole = taken[rows, middle[:, None] + beside], known[rows, middle[:, None] + beside].all(axis=1)
    line_mm = float(whole.sum()) * _STEP_MM
    if line_mm < LEAST_LINE_MM:
        raise no_line(TOO_LITTLE)
    films = own[whole].mean(axis=1)
    usual = np.median(films, axis=0)
    along = _averaged(films @ usual / max(float(usual @ usual), 1e-9))
    spread = float(1.4826 * np.median(np.abs(along - np.median(along))))
    return _profile(1 - usual, spread, _width_mm(amount[whole], known[whole], middle[whole]), line_mm)


def _across(line: Array, offsets: Array) -> Array:
    """Points (N, K, 2) on cross-sections of a line (M, 2), at even steps along it."""
    legs = np.linalg.norm(np.diff(line, axis=0), axis=1)
    arc = np.concatenate([[0.0], np.cumsum(legs)])
    at = np.arange(0, max(float(arc[-1]), _STEP_MM), _STEP_MM)
    middle = np.column_stack([np.interp(at, arc, line[:, axis]) for axis in (0, 1)])
    ahead = np.column_stack([np.interp(at + _STEP_MM, arc, line[:, axis]) for axis in (0, 1)])
    back = np.column_stack([np.interp(at - _STEP_MM, arc, line[:, axis]) for axis in (0, 1)])
    way = ahead - back
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    normal = np.column_stack([-way[:, 1], way[:, 0]])
    return np.asarray(middle[:, None] + offsets[None, :, None] * normal[:, None])


def _averaged(along: Array) -> Array:
    """Moving average of a quantity along a line, to remove the grain."""
    window = round(_GRAIN_MM / _STEP_MM)
    return np.convolve(along, np.full(window, 1 / window), mode="valid") if len(along) > window else along


def _width_mm(amount: Array, known: NDArray[np.bool_], middle: NDArray[np.intp]) -> float:
    """Full width at half maximum of the line's absorption, in mm."""
    reach = min(int(middle.min()), int(amount.shape[1] - 1 - middle.max()))
    steps = np.arange(-reach, reach + 1)
    rows = np.arange(len(amount))[:, None]
    shown = np.where(known, amount, np.nan)[rows, middle[:, None] + steps]
    profile = np.nanmedian(shown, axis=0)
    inside = profile > profile[reach] / 2
    left = int(np.argmin(inside[: reach + 1][::-1])) if not inside[: reach + 1].all() else reach
    right = int(np.argmin(inside[reach:])) if not inside[reach:].all() else reach
    return (left + right - 1) / PX_PER_MM


def _length(lines: Sequence[Array]) -> float:
    return sum(float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines)


def _away(line: Array, at: Array) -> float:
    """Distance of a point from a polyline (N, 2)."""
    start, way = line[:-1], np.diff(line, axis=0)
    share = np.clip(((at - start) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-9), 0, 1)
    return float(np.linalg.norm(start + share[:, None] * way - at, axis=1).min()) if len(way) else math.inf


def no_line(why: Text) -> WaymarkError:
    """The error that no pen could be learned, with its reason."""
    return WaymarkError(Code.NO_LINE, why)


UNCLEAR = Text(
    "It is not clear which line is meant; give a point on it: in the app with a tap, here with --at X,Y in "
    "pixels of the photo."
)
BESIDE_CARDS = Text("There is no card at that point; give one on the line, on a card of the tableau.")
NOTHING_THERE = Text(
    "No line can be seen at that point; give one right on the line, where it is clearest and on light floor."
)
NOT_READ = Text(
    "No path could be followed from that point; give another one, on the line of the path itself."
)
TOO_LITTLE = Text(
    "Less than {least_line_mm:.0f} mm of the line can be seen on light floor; photograph a longer one.",
    least_line_mm=LEAST_LINE_MM,
)
