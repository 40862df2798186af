"""The pieces of a board game in a photo, cut out, evened for light and balanced by their paper: what each is
nobody knows yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.faces.colours import PAPER_LEVEL, balanced, paper_of
from calibration.faces.cut_out import art_px_per_mm, cut_out, native_px_per_mm
from calibration.faces.light import evened, light_over
from calibration.faces.quality import quality_of, washed_out
from scorer.asked_pieces import AskedPieces
from vision.blank_cards import find_blank_cards
from vision.known_lens import lens_of
from vision.lens import AnyLens, Lens
from vision.loose_discs import find_loose_discs
from vision.loose_pieces import find_loose_pieces
from vision.photo import Photo

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Size = tuple[float, float]

#: Art of a board has so many pixels a millimetre at most: it is as large as a hundred cards.
_BOARD_PX_PER_MM = 8
#: Outlines whose middles are nearer than this share of a piece's side are one.
_ONE = 0.5


@dataclass(frozen=True)
class Seen:
    """A piece that was cut out of a photo, before anybody knows which it is; `across_mm` is a disc's measured
    diameter, `hazy` says that glare veils a part of it."""

    asked: AskedPieces
    size_mm: Size
    corners: Array
    face: Picture
    across_mm: float = 0.0
    hazy: bool = False


@dataclass(frozen=True)
class _Outline:
    """Which of what is shown (its number) lies where (corners (4, 2) in the photo)."""

    number: int
    corners: Array
    across_mm: float = 0.0


def pieces_in(picture: Photo, shown: Sequence[tuple[AskedPieces, Size]]) -> list[Seen]:
    """The pieces of a photo, cut out, in even light, their paper white."""
    known = lens_of(picture)
    outlines = _outlines(picture, shown, known)
    lens = known or Lens(picture.width, picture.height)
    if not outlines:
        return []
    light = light_over(picture, lens, [one.corners for one in outlines], shown[outlines[0].number][1])
    faces = []
    for one in outlines:
        number, corners = one.number, one.corners
        asked, size = shown[number]
        scale = art_px_per_mm(corners, size)
        if asked.kind == "board":
            scale = min(scale, _BOARD_PX_PER_MM)
        face = cut_out(picture, lens, corners, size, scale)
        quality = quality_of(face, scale, native_px_per_mm(corners, size), 1.0)
        if quality.usable or asked.kind == "board":
            faces.append((one, evened(face, corners, light)))
    hazy = _veiled([face for _, face in faces])
    paper = paper_of([face for _, face in faces])
    white = (PAPER_LEVEL,) * 3
    return [
        Seen(*shown[one.number], one.corners, balanced(face, paper, white), one.across_mm, veiled)
        for (one, face), veiled in zip(faces, hazy, strict=True)
    ]


def _veiled(faces: Sequence[Picture]) -> list[bool]:
    """Which of a photo's pieces glare veils in a quarter of them or more."""
    quarters = []
    for face in faces:
        y, x = face.shape[0] // 2, face.shape[1] // 2
        quarters += [face[:y, :x], face[:y, x:], face[y:, :x], face[y:, x:]]
    veiled = np.array(washed_out([np.ascontiguousarray(each) for each in quarters]), bool)
    return [bool(each) for each in veiled.reshape(-1, 4).any(axis=1)]


def _outlines(
    picture: Photo, shown: Sequence[tuple[AskedPieces, Size]], lens: AnyLens | None
) -> list[_Outline]:
    """What of the shown lies where; which sort a disc is of is only thought to be so."""
    sizes = [size for _, size in shown]
    if all(asked.shape == "disc" for asked, _ in shown):
        most = max(range(len(shown)), key=lambda k: shown[k][0].count // shown[k][0].copies)
        return [
            _Outline(most, one.corners_px, one.radius * sizes[most][0]) for one in find_loose_discs(picture)
        ]
    alone = any(asked.kind == "board" for asked, _ in shown)
    loose = [
        _Outline(each.size, each.corners_px) for each in find_loose_pieces(picture, sizes, lens, alone=alone)
    ]
    if len(sizes) > 1 or alone:
        return loose
    # pieces of one size are found by their repetition, too, where they touch or lie on patterns
    table = find_blank_cards(picture, sizes[0], lens)
    first, second = [_Outline(0, card.corners_px) for card in table.cards if card.clear], loose
    if len(first) < len(second):
        first, second = second, first
    return first + [one for one in second if all(_apart(one.corners, other.corners) for other in first)]


def _apart(one: Array, other: Array) -> bool:
    side = np.sqrt(cv2.contourArea(other.astype(np.float32)))
    return bool(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > _ONE * side)
