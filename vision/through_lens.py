"""A photo whose lens is known is read without its distortion, and what was read is told where it lies in the
photo as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.known_lens import KnownLens
from vision.scan import Scan, SeenCard

Array = NDArray[np.float64]
Box = tuple[int, int, int, int]


def as_photographed(scan: Scan, lens: KnownLens) -> Scan:
    """The scan of a photo without distortion (`KnownLens.straight_photo`), in pixels of the photo itself."""
    photo = replace(
        scan.photo,
        apart=tuple(_bent_card(card, lens) for card in scan.photo.apart),
        shortcomings=tuple(
            replace(each, box=_bent_box(each.box, lens)) if each.box is not None else each
            for each in scan.photo.shortcomings
        ),
    )
    questions = tuple(
        replace(each, crop_px=_bent_box(each.crop_px, lens)) if each.crop_px is not None else each
        for each in scan.questions
    )
    return replace(
        scan,
        photo=photo,
        cards=tuple(_bent_card(card, lens) for card in scan.cards),
        path_px=tuple(_bent(line, lens) for line in scan.path_px),
        questions=questions,
        instead=tuple(as_photographed(other, lens) for other in scan.instead),
    )


def straight_corners(
    corners: tuple[tuple[float, float], ...], lens: KnownLens
) -> tuple[tuple[float, float], ...]:
    """Points that a person set in a photo, as they lie without distortion."""
    return tuple((float(x), float(y)) for x, y in lens.straight(np.array(corners, np.float64)))


def _bent_card(card: SeenCard, lens: KnownLens) -> SeenCard:
    return replace(card, corners=_bent(card.corners, lens))


def _bent(line: tuple[tuple[float, float], ...], lens: KnownLens) -> tuple[tuple[float, float], ...]:
    if not line:
        return line
    seen = lens.seen(np.array(line, np.float64))
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in seen)


def _bent_box(box: Box, lens: KnownLens) -> Box:
    left, top, right, bottom = box
    corners = lens.seen(np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64))
    corners = corners.clip(0, [lens.width, lens.height])
    low, high = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])
