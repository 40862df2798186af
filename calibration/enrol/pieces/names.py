"""Identification of pieces of one kind by their printed number or their colour. All pieces of a photo are
assigned together, since each name has a limited number of copies."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.outlines.text import read_box, read_line, text_places

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

#: A disc is read at this many turns. Shares of its diameter: height and width of a number's row, and how far
#: the row's middle is from the disc's (a sign may be printed above or below the number).
_TURNS, _HIGH, _WIDE, _ROWS = 12, 0.45, 0.62, (0.0, -0.17, 0.17)
#: Pictures are turned at so many pixels a side; texts are looked for at so many pixels along the longer one.
_SIDE_PX, _TEXT_PX = 160, 560
#: What is read once has a weight of one, what is not read this; on a disc without a number nothing is read.
_NOT_READ, _NOTHING = 0.02, 0.3
#: A bar under a 6 or a 9 has so many times the edges of what is above it.
_BARRED = 1.4
#: How far a disc's diameter is off, usually (a logarithm).
_SIZE_SPREAD = 0.08
#: Hues of the colours that games name, in turns of the colour circle.
_HUES = {"red": 0.0, "orange": 0.08, "yellow": 0.14, "green": 0.36, "blue": 0.61, "purple": 0.77}
#: How far a paint's hue is from its word's, usually (turns); how strong a paint is that has one, and by how
#: much paints differ in that and in brightness.
_HUE_SPREAD, _STRONG, _STRENGTHS, _BRIGHTNESSES = 0.06, 0.3, 0.08, 0.2
#: How bright paints without a hue are.
_GREYS = {"black": 0.15, "white": 0.95}


@dataclass(frozen=True)
class Told:
    """The identification of a piece: the index of its name, and a confidence, 0 to 1."""

    name: int
    confidence: float


def by_number(faces: Sequence[Picture], values: Sequence[int], copies: int = 1) -> list[Told | None]:
    """Identification of cards by the numbers on their faces, in either orientation. Each value has
    `copies` copies."""
    chances = np.array([_chances(_texts(face), values) for face in faces]).reshape(-1, len(values))
    return assigned(chances, [copies] * len(values))


def discs_by_number(
    faces: Sequence[Picture],
    across_mm: Sequence[float],
    names: Sequence[tuple[int | None, float]],
    copies: Sequence[int],
) -> list[Told | None]:
    """Identification of discs at any rotation. A name is a number (None: no number) with a diameter in mm,
    and has a number of `copies`."""
    chances = []
    for face, across in zip(faces, across_mm, strict=True):
        said = _numbers(face)
        odds = [_NOTHING if value is None else _odds(said, value) for value, _ in names]
        sizes = [np.exp(-0.5 * (np.log(across / size) / _SIZE_SPREAD) ** 2) for _, size in names]
        chances.append(np.array(odds) / sum(odds) * np.array(sizes))
    return assigned(np.array(chances).reshape(-1, len(names)), copies)


def by_colour(faces: Sequence[Picture], colours: Sequence[str]) -> list[Told | None]:
    """Identification of pieces by colour."""
    chances = np.array([_likeness(face, colours) for face in faces]).reshape(len(faces), len(colours))
    return assigned(chances, [1] * len(colours))


def assigned(chances: Array, copies: Sequence[int]) -> list[Told | None]:
    """Optimal assignment of names to pieces from probabilities (n, names); None where no name is left. A
    name is used once, or up to its `copies` where there are more pieces than names. The confidence
    compares the assignment with the best one that denies the piece its name."""
    count, names = chances.shape
    name_of = np.repeat(np.arange(names), copies if count > names else 1)
    costs = -np.log(np.maximum(chances, 1e-6))[:, name_of]
    if count > len(name_of):
        costs = np.pad(costs, ((0, 0), (0, count - len(name_of))), constant_values=12.0)
    rows, columns = linear_sum_assignment(costs)
    total = float(costs[rows, columns].sum())
    told: list[Told | None] = []
    for row, column in zip(rows, columns, strict=True):
        if column >= len(name_of):
            told.append(None)
            continue
        barred = costs.copy()
        barred[row, : len(name_of)][name_of == name_of[column]] = 30.0
        behind = float(barred[linear_sum_assignment(barred)].sum()) - total
        told.append(Told(int(name_of[column]), float(1 - np.exp(-max(behind, 0.0)))))
    return told


@dataclass(frozen=True)
class _Reading:
    """A number read in a row of a disc, with its confidence and the disc's picture as it was turned."""

    digits: str
    confidence: float
    row: float
    turned: Picture


def _numbers(face: Picture) -> dict[str, float]:
    """Numbers read from a disc over all rotations and rows, with their summed confidences."""
    read = list(_readings(face))
    said: dict[str, float] = {}
    for each in read:
        said[each.digits] = said.get(each.digits, 0.0) + each.confidence**4
    for one, other in (("6", "9"), ("9", "6")):
        own = [each for each in read if each.digits == one]
        if own and _is_barred(own):
            said.pop(other, None)
    return said


def _is_barred(read: Sequence[_Reading]) -> bool:
    """Whether a bar lies below a number in the middle of a disc. Beside other numbers lies a sign."""
    rows = {row: sum(each.confidence**4 for each in read if each.row == row) for row in _ROWS}
    if max(rows, key=lambda row: rows[row]) != 0:
        return False
    surest = max((each for each in read if each.row == 0), key=lambda each: each.confidence)
    return _bar_below(surest.turned) > _BARRED


def _readings(face: Picture) -> Iterator[_Reading]:
    small = np.asarray(cv2.resize(face, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)
    for k in range(_TURNS):
        pose = cv2.getRotationMatrix2D(((_SIDE_PX - 1) / 2,) * 2, k * 360 / _TURNS, 1.0)
        turned = np.asarray(cv2.warpAffine(small, pose, (_SIDE_PX,) * 2, borderMode=cv2.BORDER_REPLICATE))
        for row in _ROWS:
            line = np.ascontiguousarray(turned[_part(0.5 + row, _HIGH), _part(0.5, _WIDE)])
            text, confidence = read_line(line)
            digits = _digits(text)
            if digits:
                yield _Reading(digits, confidence, row, turned)


def _part(middle: float, share: float) -> slice:
    """The pixels of a disc's picture about a middle (shares of its side)."""
    return slice(max(0, round(_SIDE_PX * (middle - share / 2))), round(_SIDE_PX * (middle + share / 2)))


def _bar_below(turned: Picture) -> float:
    """Ratio of the horizontal edges below a number to those above it. A bar below distinguishes a 6 from a
    9."""
    grey = cv2.cvtColor(turned, cv2.COLOR_BGR2GRAY).astype(np.float32)
    edges = np.abs(cv2.Sobel(grey, cv2.CV_32F, 0, 1))[:, _part(0.5, 0.34)].mean(axis=1)
    above, below = (
        float(edges[slice(*sorted(round(_SIDE_PX * (0.5 + way * share)) for share in (0.19, 0.36)))].max())
        for way in (-1, 1)
    )
    return below / max(above, 1.0)


def _texts(face: Picture) -> dict[str, float]:
    """Numbers read from a card's face in either orientation, with their confidences."""
    scale = _TEXT_PX / max(face.shape[:2])
    size = (round(face.shape[1] * scale), round(face.shape[0] * scale))
    small = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)
    said: list[dict[str, float]] = [{}, {}]
    for box in text_places(small):
        for way, seen in enumerate(read_box(small, box)):
            digits = _digits(seen.text)
            if digits:
                said[way][digits] = said[way].get(digits, 0.0) + seen.confidence**4
    # a card is upright where more of it is read
    return max(said, key=lambda each: sum(each.values()))


def _digits(text: str) -> str:
    digits = "".join(sign for sign in text if sign.isdigit())
    return digits if len(text) <= len(digits) + 1 else ""


def _chances(said: dict[str, float], values: Sequence[int]) -> list[float]:
    """Probability of each value, from its readings relative to those of all values."""
    odds = [_odds(said, value) for value in values]
    return [each / sum(odds) for each in odds]


def _odds(said: dict[str, float], value: int) -> float:
    return _NOT_READ + said.get(str(value), 0.0) ** 2


def _likeness(face: Picture, colours: Sequence[str]) -> list[float]:
    """Similarity of a face's colour to each of the given colours."""
    pixels = face.reshape(-1, 3).astype(np.float32)
    strong = pixels.max(axis=1) - pixels.min(axis=1)
    blue, green, red = np.median(pixels[strong >= np.quantile(strong, 0.6)], axis=0) / 255
    hue, strength, brightness = colorsys.rgb_to_hsv(float(red), float(green), float(blue))
    # (paints that glare dulls are told apart by their hue as well as others)
    painted = 1 / (1 + np.exp(-(strength - _STRONG) / _STRENGTHS)) if set(colours) & set(_GREYS) else 1.0
    odds = []
    for colour in colours:
        if colour in _GREYS:
            away, of = (brightness - _GREYS[colour]) / _BRIGHTNESSES, 1 - painted
        else:
            away, of = abs((hue - _HUES[colour] + 0.5) % 1 - 0.5) / _HUE_SPREAD, painted
        odds.append(of * float(np.exp(-0.5 * away**2)) + 1e-4)
    return [each / sum(odds) for each in odds]
