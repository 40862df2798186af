"""Which level a floor is of, by its colour: on one card both levels' floors have two colours, and the places
where the network is sure tell which. It is asked where floors show: at the card's edge, where openings are.
Elsewhere the main level lies over the other and tells nothing of it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.proposal.drawing import FIND, FLOOR, MAIN, ROOM, UNDER
from calibration.proposal.parts import size_px_of
from scorer.catalogue import Point

Array = NDArray[np.float32]
#: From where on the network is sure of a level, and down to where it is sure of the other's absence.
_SURE, _ABSENT = 0.6, 0.2
#: So many such pixels of both levels tell their colours.
_FEWEST = 60
#: Colours vary at least so much (Lab), and two are told apart at this many times how much they vary.
_VARY, _APART = (3.0, 2.0, 2.0), 2.5
#: A colour is one of a level within so many times how much it varies; and how much more likely it has to be.
_LIKE, _PLAINLY = 3.5, 2.0
#: What is left of a chance against the colour; how far from the edge openings show, mm.
_LEFT, _EDGE_MM = 0.15, 5.0
_FAINT, _ROOM, _FIND = 0.1, 0.3, 0.2


def told_by_colour(parts: Array, face: NDArray[np.uint8], size_mm: Point) -> Array:
    """The parts (8, H, W) with both levels' lines as the colours on the face (H, W, 3) BGR tell them apart;
    as they are, where these do not."""
    small = cv2.resize(face, size_px_of(size_mm), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    lab = np.asarray(cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), 3), np.float64)
    main, under = parts[MAIN], parts[UNDER]
    places = (
        (main > _SURE) & (under < _ABSENT),
        (under > _SURE) & (main < _ABSENT) & (parts[FLOOR] < _SURE),
    )
    if min(int(place.sum()) for place in places) < _FEWEST:
        return parts
    middles = [np.median(lab[place], axis=0) for place in places]
    off = np.concatenate([lab[place] - middle for place, middle in zip(places, middles, strict=True)])
    # what is printed on floors is not of their colour
    off = off[(off**2).sum(axis=1) <= np.quantile((off**2).sum(axis=1), 0.8)]
    spread = np.linalg.inv(off.T @ off / len(off) + np.diag(np.square(_VARY)))
    step = middles[1] - middles[0]
    if step @ spread @ step < _APART**2:
        return parts
    away = [np.einsum("hwi,ij,hwj->hw", lab - middle, spread, lab - middle) for middle in middles]
    like = np.minimum(*away) < _LIKE**2
    rows, columns = main.shape
    shown = np.ones(main.shape, np.bool_)  # openings
    band = [round(_EDGE_MM * side / mm) for side, mm in ((rows, size_mm[1]), (columns, size_mm[0]))]
    shown[band[0] : rows - band[0], band[1] : columns - band[1]] = False
    for part, chance, reach_mm in ((ROOM, _ROOM, 1.0), (FIND, _FIND, 4.0)):
        reach = round(reach_mm * rows / size_mm[1])
        covered = (parts[part] > chance).astype(np.uint8)
        shown &= cv2.dilate(covered, np.ones((2 * reach + 1,) * 2, np.uint8)) == 0
    lower = shown & like & (away[0] - away[1] > 2 * _PLAINLY)
    upper = shown & like & (away[1] - away[0] > 2 * _PLAINLY)
    either = 1 - (1 - main) * (1 - under)
    told = parts.copy()
    told[UNDER][lower] = either[lower]
    told[MAIN][lower] *= _LEFT
    told[UNDER][upper] *= _LEFT
    told[MAIN][upper & (main > _FAINT)] = either[upper & (main > _FAINT)]
    return told
