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
#: A disc is cut out so many times as large, for how large it is its name tells.
_ABOUT = 1.25
#: Its middle is sought in a picture in which its radius is so many pixels, and so far off (shares of the
#: radius); just beyond its rim and within, colours differ by so many levels where it is plain, and each
#: pixel that it is moved counts against it.
_RIM_PX, _OFF, _BESIDE, _PLAIN, _MOVED = 60, 0.14, 0.05, 30.0, 0.15


@dataclass(frozen=True)
class Seen:
    """A piece that was cut out of a photo, before anybody knows which it is; `across_mm` is a disc's measured
    diameter, `hazy` says that glare veils a part of it, and
    `about` shows it with what lies about it."""

    asked: AskedPieces
    size_mm: Size
    corners: Array
    face: Picture
    across_mm: float = 0.0
    hazy: bool = False
    about: Picture | None = None

    def as_disc_of(self, size_mm: float) -> Picture:
        """The face of a disc that turned out to be so large: dark rims on dark tables are hardly seen."""
        if self.about is None:
            return self.face
        half = self.about.shape[0] / 2
        reach = min(half, half / _ABOUT * size_mm / self.across_mm)
        x, y = middle_of_disc(self.about, reach)
        side = 2 * round(reach)
        return np.asarray(cv2.getRectSubPix(self.about, (side, side), (x, y)), np.uint8)


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
    wide = []
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
            about = None
            if asked.shape == "disc":
                larger = corners.mean(axis=0) + _ABOUT * (corners - corners.mean(axis=0))
                around = cut_out(picture, lens, larger, (size[0] * _ABOUT, size[1] * _ABOUT), scale)
                about = evened(around, larger, light)
            wide.append(about)
    hazy = _veiled([face for _, face in faces])
    paper = paper_of([face for _, face in faces])
    white = (PAPER_LEVEL,) * 3
    return [
        Seen(
            *shown[one.number],
            one.corners,
            balanced(face, paper, white),
            one.across_mm,
            veiled,
            None if about is None else balanced(about, paper, white),
        )
        for (one, face), veiled, about in zip(faces, hazy, wide, strict=True)
    ]


def _veiled(faces: Sequence[Picture]) -> list[bool]:
    """Which of a photo's pieces glare veils in a quarter of them or more."""
    quarters = []
    for face in faces:
        y, x = face.shape[0] // 2, face.shape[1] // 2
        quarters += [face[:y, :x], face[:y, x:], face[y:, :x], face[y:, x:]]
    veiled = np.array(washed_out([np.ascontiguousarray(each) for each in quarters]), bool)
    return [any(each) for each in veiled.reshape(-1, 4).tolist()]


def middle_of_disc(about: Picture, radius_px: float) -> tuple[float, float]:
    """The middle of a disc of a known radius that lies about the middle of a picture: where most of its rim
    parts colours."""
    scale = _RIM_PX / radius_px
    small = cv2.resize(about, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2Lab), (0, 0), 1.5).astype(np.float32)
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    reach = round(_OFF * _RIM_PX)
    steps = np.arange(-reach, reach + 1)
    shifts = np.array([(x, y) for y in steps for x in steps], float)
    middle = np.array([lab.shape[1] - 1, lab.shape[0] - 1]) / 2

    def colours(share: float) -> NDArray[np.float32]:
        at = np.rint(middle + shifts[:, None] + share * _RIM_PX * ring).astype(np.intp)
        at = np.clip(at, 0, np.array([lab.shape[1] - 1, lab.shape[0] - 1]))
        return np.asarray(lab[at[..., 1], at[..., 0]], np.float32)

    parting = np.abs(colours(1 + _BESIDE) - colours(1 - _BESIDE)).sum(axis=2)
    merit = np.minimum(parting, _PLAIN).mean(axis=1) - np.linalg.norm(shifts, axis=1) * _MOVED
    x, y = (middle + shifts[int(merit.argmax())]) / scale
    return float(x), float(y)


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
