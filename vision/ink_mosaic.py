"""The mosaic: what each card tells of the ink, turned as it lies and put in its place on one map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.film import Layer, fullest
from vision.ink_map import PX_PER_MM, InkMap
from vision.layout import CardPose
from vision.pens import Pen, all_thin

Image = NDArray[np.float32]
U = TypeVar("U", bound=np.generic)


def mosaic(
    poses: Sequence[CardPose],
    layers: Sequence[Layer],
    pens: tuple[Pen, ...],
    faint: float = 1.0,
) -> InkMap:
    """Turn each card as it lies and put it in its place."""
    margin_mm = 2.0
    low = np.array([min(p.x_mm for p in poses), min(p.y_mm for p in poses)]) - margin_mm
    turned = [_turn(p.rotation) for p in poses]
    places = []
    high = np.zeros(2, int)
    for pose, layer, turn in zip(poses, layers, turned, strict=True):
        height, width = turn(layer.inside).shape
        left, top = (round((v - o) * PX_PER_MM) for v, o in ((pose.x_mm, low[0]), (pose.y_mm, low[1])))
        places.append((slice(top, top + height), slice(left, left + width)))
        high = np.maximum(high, [top + height, left + width])
    shape = tuple(int(v) for v in high + round(margin_mm * PX_PER_MM))
    evidence = np.zeros(shape, np.float32)
    visible = np.zeros(shape, bool)
    film = np.zeros(shape, np.float32)
    picture, blank = np.zeros((*shape, 3), np.uint8), np.zeros((*shape, 3), np.uint8)
    for place, turn, layer in zip(places, turned, layers, strict=True):
        inside = turn(layer.inside)
        np.copyto(visible[place], turn(layer.visible), where=inside)
        within = inside.view(np.uint8)
        cv2.copyTo(turn(layer.evidence), within, evidence[place])
        cv2.copyTo(turn(layer.film), within, film[place])
        picture[place], blank[place] = turn(layer.seen), turn(layer.blank)
    return InkMap(
        evidence,
        visible,
        (float(low[0]), float(low[1])),
        picture,
        pens,
        film,
        _line_film(evidence, film, pens, faint),
        registered_mm=tuple(layer.moved_mm for layer in layers),
        hidden=tuple(layer.hidden for layer in layers),
        blur_mm=max(layer.blur_mm for layer in layers),
        blank=blank,
        faint=faint,
    )


def _line_film(evidence: Image, film: Image, pens: Sequence[Pen], faint: float) -> float:
    """The share of a full film along this photo's plainest lines: blur and thin tips leave less of it.

    Where there is no full film, no line is a plain one.
    """
    inked = film[evidence > tuning.SURE_INK]
    if pens and pens[0].known is not None:
        # what the player told is a plain line, and fuller ones may be there
        plain = np.quantile(inked, tuning.LINE_FILM_QUANTILE) if len(inked) else 1.0
        return float(np.clip(plain, tuning.KNOWN_LINE_FILM, fullest(pens[0])))
    low, high = tuning.LINE_FILM
    if not len(inked) or not pens or all_thin(pens):
        return faint * high
    return float(np.clip(np.quantile(inked, tuning.LINE_FILM_QUANTILE), low, 1.0))


def _turn(rotation: int) -> Callable[[NDArray[U]], NDArray[U]]:
    """Turns pictures clockwise by a card's rotation."""
    way = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}.get(
        rotation
    )

    def turned(picture: NDArray[U]) -> NDArray[U]:
        if way is None:
            return picture
        plain = picture.view(np.uint8) if picture.dtype == np.bool_ else picture
        return np.asarray(cv2.rotate(plain, way)).view(picture.dtype)

    return turned
