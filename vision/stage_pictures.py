"""Debug pictures of a scan's stages: one picture per stage, to show where a reading went wrong.

The only text in the pictures are ids, figures and the names of doubts. Blue is evidence for, orange is
evidence against, and yellow is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon
from scorer.errors import Code, WaymarkError
from scorer.text import Text

if TYPE_CHECKING:
    from vision.cards.features import Features, Sighting
    from vision.cards.layout import Layout
    from vision.cards.pose import LayoutCard
    from vision.ink.ink_map import InkMap
    from vision.marks import MarkReading, Rings
    from vision.path.read import PathReading

Picture = NDArray[np.uint8]
Array = NDArray[np.float64]
Colour = tuple[int, int, int]

#: Blue-green-red; distinguishable by colour-blind people, too.
_FOR: Colour = (200, 90, 0)
_AGAINST: Colour = (0, 110, 230)
_DOUBT: Colour = (40, 220, 250)
_QUIET: Colour = (150, 150, 150)
_WHITE: Colour = (255, 255, 255)
#: Largest length (px) of a photo's longer side, and enlargement of ink maps.
_PHOTO_PX = 2000
_ENLARGED = 2
_PLANE_PX_PER_MM = 5.0
_PLANE_MARGIN_MM = 30.0
_MOST_PLANE_PX = 4000
_BELOW = np.array([0.0, 36.0])
_NAMES = ("1-features", "2-cards", "3-plane", "4-ink", "5-links", "6-walk", "7-marks")


@dataclass
class Stages:
    """Results of the stages of one scan, each None until its stage has ended.

    `sighted` are the cards of the sightings. `supporting_px` (N, 2) are the features that support each of
    them.
    """

    pixels: Picture | None = None
    features: Features | None = None
    sightings: tuple[Sighting, ...] = ()
    sighted: tuple[str, ...] = ()
    supporting_px: tuple[Array, ...] = ()
    layout: Layout | None = None
    dungeon: Dungeon | None = None
    ink: InkMap | None = None
    rings: Rings | None = None
    reading: PathReading | None = None
    marks: MarkReading | None = None


def draw_stages(stages: Stages, catalogue: Catalogue, folder: Path) -> tuple[Path, ...]:
    """Write the pictures of the finished stages into `folder` (created if missing), with names in order.

    Raises `WaymarkError` (not-writable) where they cannot be written.
    """
    pictures: list[tuple[str, Picture]] = []
    if stages.pixels is not None:
        if stages.features is not None:
            pictures.append((_NAMES[0], _features(stages.pixels, stages.features, stages.supporting_px)))
            pictures.append((_NAMES[1], _cards(stages, stages.pixels, catalogue)))
        if stages.layout is not None:
            pictures.append((_NAMES[2], _plane(stages.pixels, stages.layout, catalogue)))
    if stages.ink is not None and stages.dungeon is not None:
        pictures.append((_NAMES[3], _ink(stages.ink)))
        if stages.reading is not None:
            pictures.append((_NAMES[4], _links(stages.ink, stages.dungeon, stages.reading)))
            pictures.append((_NAMES[5], _walk(stages.ink, stages.dungeon, stages.reading)))
        if stages.rings is not None and stages.marks is not None:
            pictures.append((_NAMES[6], _marks(stages.ink, stages.dungeon, stages.rings, stages.marks)))
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _NAMES:
            # an earlier scan may have completed more stages
            (folder / f"{name}.png").unlink(missing_ok=True)
        for name, picture in pictures:
            written.append(folder / f"{name}.png")
            written[-1].write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    except OSError as error:
        raise WaymarkError(
            Code.NOT_WRITABLE,
            Text(
                "{folder!r} cannot be written to ({reason}); name another folder.",
                folder=str(folder),
                reason=error.strerror,
            ),
        ) from error
    return tuple(written)


def _shown(pixels: Picture, light: float) -> tuple[Picture, float]:
    """Copy of the photo to draw on, and its scale; `light` is the paler the smaller."""
    scale = min(1.0, _PHOTO_PX / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _paled(np.asarray(small, np.uint8), light), scale


def _paled(picture: Picture, light: float) -> Picture:
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(grey, light, np.full_like(grey, 128), 1 - light, 0), np.uint8)


def _features(pixels: Picture, features: Features, supporting_px: Sequence[Array]) -> Picture:
    """Picture of all features as circles of their size with their direction, with dots on those that support
    a card."""
    picture, scale = _shown(pixels, 0.6)
    for at, size, angle in zip(features.at_px, features.size_px, features.angle_deg, strict=True):
        radius = max(2.0, size * scale / 2)
        turn = np.radians(angle)
        rim = at * scale + radius * np.array([np.cos(turn), np.sin(turn)])
        cv2.circle(picture, _point(at * scale), round(radius * 16), _DOUBT, 1, cv2.LINE_AA, 4)
        cv2.line(picture, _point(at * scale), _point(rim), _DOUBT, 1, cv2.LINE_AA, 4)
    for at in np.concatenate([np.zeros((0, 2)), *supporting_px]):
        cv2.circle(picture, _point(at * scale), 5 * 16, _FOR, -1, cv2.LINE_AA, 4)
    return picture


def _cards(stages: Stages, pixels: Picture, catalogue: Catalogue) -> Picture:
    """Picture of the sighted cards by their matches (thin, with their support), and of the layout's cards
    (thick)."""
    picture, scale = _shown(pixels, 0.6)
    for sighting, card in zip(stages.sightings, stages.sighted, strict=True):
        corners = _through(sighting.card_to_photo, _outline(catalogue, card)) * scale
        _polygon(picture, corners, _AGAINST, 2)
        _label(picture, corners[0] + [8, 28], f"{card} {sighting.support:.0f}", _AGAINST)
    if stages.layout is not None:
        for pose in (*stages.layout.poses, *stages.layout.others):
            mine = any(pose is own for own in stages.layout.poses)
            _outlined(picture, pose, pose.corners_px * scale, _FOR if mine else _QUIET)
        for doubt in stages.layout.doubts:
            corners = stages.layout.poses[doubt.index].corners_px * scale
            _polygon(picture, corners, _DOUBT, 3)
            _label(picture, corners.mean(axis=0) + _BELOW, "? " + " ".join(doubt.options), _DOUBT)
    return picture


def _plane(pixels: Picture, layout: Layout, catalogue: Catalogue) -> Picture:
    """Top view of the table with a grid of 10 mm and the cards of the layout."""
    outlines = [_table_outline(pose, catalogue) for pose in layout.poses]
    low = np.min(outlines, axis=(0, 1)) - _PLANE_MARGIN_MM
    high = np.max(outlines, axis=(0, 1)) + _PLANE_MARGIN_MM
    px_per_mm = min(_PLANE_PX_PER_MM, _MOST_PLANE_PX / float((high - low).max()))
    width, height = (int(side) for side in np.ceil((high - low) * px_per_mm))
    to_mm = np.array([[1 / px_per_mm, 0, low[0]], [0, 1 / px_per_mm, low[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(
        pixels, layout.table_to_photo @ to_mm, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    picture = np.ascontiguousarray(seen, np.uint8)
    grid = picture.copy()
    for axis in range(2):
        for mm in np.arange(np.ceil(low[axis] / 10) * 10, high[axis], 10):
            at = round((mm - low[axis]) * px_per_mm)
            end = (at, height) if axis == 0 else (width, at)
            cv2.line(grid, (at, 0) if axis == 0 else (0, at), end, _WHITE, 1)
    picture = np.asarray(cv2.addWeighted(grid, 0.35, picture, 0.65, 0), np.uint8)
    for pose in layout.others:
        _outlined(picture, pose, (_table_outline(pose, catalogue) - low) * px_per_mm, _QUIET)
    for pose, outline in zip(layout.poses, outlines, strict=True):
        corners = (outline - low) * px_per_mm
        _outlined(picture, pose, corners, _FOR)
        told = f"{pose.x_mm:.1f} {pose.y_mm:.1f} mm  {pose.rotation}"
        _label(picture, corners.mean(axis=0) + _BELOW, told, _FOR)
    return picture


def _map(ink: InkMap, light: float) -> Picture:
    picture = cv2.resize(ink.picture, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_LINEAR)
    return _paled(np.asarray(picture, np.uint8), light)


def _ink(ink: InkMap) -> Picture:
    """Picture of the ink evidence: blue, darker where surer, with orange stripes where nothing is visible."""
    picture = _map(ink, 0.55)
    size = picture.shape[1::-1]
    sure = cv2.resize(np.clip(ink.evidence / 3, 0, 1), size, interpolation=cv2.INTER_LINEAR)[..., None]
    mixed = picture * (1 - sure) + np.array(_FOR) * sure
    card = ink.picture.any(axis=2) & ~ink.visible
    rows, columns = np.indices(picture.shape[:2])
    hidden = cv2.resize(card.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    mixed[hidden & ((rows + columns) % 12 < 3)] = _AGAINST
    return np.asarray(mixed, np.uint8)


def _links(ink: InkMap, dungeon: Dungeon, reading: PathReading) -> Picture:
    """Picture of each link along its likeliest line, with its score (nats).

    Blue: chosen (thick: chosen twice). Grey: not chosen, with ink evidence against it. Orange: not chosen
    despite ink evidence for it.
    """
    picture = _map(ink, 0.75)
    labels = []
    for seen, times in zip(reading.evidence, reading.matching.times, strict=True):
        line = _pixels(ink, seen.line_mm)
        colour = _FOR if times else _AGAINST if seen.score > 0 else _QUIET
        _polyline(picture, line, colour, 2 + 3 * times)
        if seen.length_mm:
            told = f"{seen.score:.0f}" + (f"+{seen.second:.0f}" if times > 1 else "")
            labels.append((line[len(line) // 2], told, colour))
    for at, told, colour in labels:
        _label(picture, at, told, colour)
    for name in reading.matching.ends:
        cv2.circle(picture, _whole(_pixels(ink, [dungeon.places[name].at_mm])[0]), 10, _DOUBT, 3, cv2.LINE_AA)
    return picture


def _walk(ink: InkMap, dungeon: Dungeon, reading: PathReading) -> Picture:
    """Picture of the strokes in order, with arrows, the places they pass, and the doubts."""
    picture = _map(ink, 0.75)
    for number, stroke in enumerate(reading.strokes, 1):
        line = _pixels(ink, stroke.line_mm)
        _polyline(picture, line, _WHITE, 7)
        _polyline(picture, line, _FOR, 4)
        arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
        for along in np.arange(60.0, arc[-1], 120.0):
            tail, tip = (
                np.array([np.interp(along + step, arc, line[:, k]) for k in (0, 1)]) for step in (-14.0, 14.0)
            )
            cv2.arrowedLine(picture, _whole(tail), _whole(tip), _WHITE, 3, cv2.LINE_AA, tipLength=0.7)
        for name in dict.fromkeys(stroke.places):
            _label(picture, _pixels(ink, [dungeon.places[name].at_mm])[0], name, _FOR, 0.45)
        _label(picture, line[0] + [0, -26], f"{number}", _WHITE, 1.0)
    for doubt in reading.doubts:
        if doubt.place in dungeon.places:
            at = _pixels(ink, [dungeon.places[doubt.place].at_mm])[0]
            cv2.circle(picture, _whole(at), 24, _DOUBT, 4, cv2.LINE_AA)
            _label(picture, at + _BELOW, doubt.reason, _DOUBT)
    return picture


def _marks(ink: InkMap, dungeon: Dungeon, rings: Rings, marks: MarkReading) -> Picture:
    """Picture of the best ring around each find, with its probability in percent: blue for a ring, yellow in
    doubt.

    Struck finds have a cross.
    """
    picture = _map(ink, 0.75)
    for name, share, outline in zip(rings.places, rings.circled, rings.outline_mm, strict=True):
        circled, doubted = name in marks.circled, name in marks.doubtful
        colour = _DOUBT if doubted else _FOR if circled else _QUIET
        line = _pixels(ink, outline)
        _polygon(picture, line, colour, 4 if circled or doubted else 1)
        _label(picture, line[np.argmin(line[:, 1])] - [0, 12], f"{100 * share:.0f}%", colour, 0.5)
        if name in marks.struck:
            at = _pixels(ink, [dungeon.places[name].at_mm])[0]
            for step in ([22, 22], [22, -22]):
                cv2.line(picture, _whole(at - step), _whole(at + step), _AGAINST, 4, cv2.LINE_AA)
    return picture


def _outline(catalogue: Catalogue, card: str) -> Array:
    width, height = catalogue.size_of(card)
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def _table_outline(pose: LayoutCard, catalogue: Catalogue) -> Array:
    """Printed corners (4, 2) of a card in table mm, the top-left one first."""
    upright = _outline(catalogue, pose.card)
    turn = np.radians(pose.rotation)
    turned = upright @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(turned - turned.min(axis=0) + [pose.x_mm, pose.y_mm])


def _outlined(picture: Picture, pose: LayoutCard, corners: Array, colour: Colour) -> None:
    """Draw a card's outline, with a thick upper edge, and its id."""
    _polygon(picture, corners, colour, 3)
    cv2.line(picture, _whole(corners[0]), _whole(corners[1]), colour, 9, cv2.LINE_AA)
    _label(picture, corners.mean(axis=0), f"{pose.card} {pose.confidence:.2f}", colour, 0.9)


def _through(homography: Array, points: Array) -> Array:
    return np.asarray(cv2.perspectiveTransform(points[None], np.asarray(homography, float))[0])


def _pixels(ink: InkMap, points_mm: Iterable[Sequence[float]] | Array) -> Array:
    """Pixels (N, 2) of the enlarged map, from table mm (N, 2)."""
    return np.asarray((ink.to_px(np.array(points_mm, float).reshape(-1, 2)) + 0.5) * _ENLARGED - 0.5)


def _point(at: Array) -> tuple[int, int]:
    """Fixed-point coordinates of a point for OpenCV's drawing, with four fractional bits."""
    return round(float(at[0]) * 16), round(float(at[1]) * 16)


def _whole(at: Array) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def _polyline(picture: Picture, line: Array, colour: Colour, width: int) -> None:
    cv2.polylines(picture, [np.round(line * 16).astype(np.int32)], False, colour, width, cv2.LINE_AA, 4)


def _polygon(picture: Picture, line: Array, colour: Colour, width: int) -> None:
    cv2.polylines(picture, [np.round(line * 16).astype(np.int32)], True, colour, width, cv2.LINE_AA, 4)


def _label(picture: Picture, at: Array, text: str, colour: Colour, size: float = 0.6) -> None:
    """Draw text near a point, on a dark ground, kept within the picture."""
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    x = min(max(round(float(at[0]) - width / 2), 3), max(picture.shape[1] - width - 3, 3))
    y = min(max(round(float(at[1]) + height / 2), height + 3), max(picture.shape[0] - below - 3, height + 3))
    cv2.rectangle(picture, (x - 3, y - height - 3), (x + width + 3, y + below), (30, 30, 30), -1)
    light = tuple(min(255, value + 90) for value in colour)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, light, 2, cv2.LINE_AA)
