"""Detection of a board game's pieces in a photo: rectified, evenly lit and colour-balanced by their paper,
but not yet identified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.cut_out import art_px_per_mm, cut_out, native_px_per_mm
from calibration.enrol.faces.light import PAPER_LEVEL, balanced, evened, light_over, tones_of_photo
from calibration.enrol.faces.quality import quality_of, washed_out
from scorer.enrolment_pieces import AskedPieces, photographed_together
from vision.outlines.background import Foreground, foreground_of
from vision.outlines.blank_cards import find_blank_cards
from vision.outlines.loose_pieces import find_loose_discs, find_loose_pieces
from vision.photo.decode import Photo
from vision.photo.geometry import card_homography, misfit
from vision.photo.lens import AnyLens, Lens, lens_of

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
    """A piece cut out of a photo, not yet identified. `across_mm` is a disc's measured diameter. `hazy`:
    glare covers a part of it. `about`: the piece with its surroundings."""

    asked: AskedPieces
    size_mm: Size
    corners: Array
    face: Picture
    across_mm: float = 0.0
    hazy: bool = False
    about: Picture | None = None

    def as_disc_of(self, size_mm: float) -> Picture:
        """The face of a disc, cut out again at its known diameter. Dark rims on dark tables make the
        measured one unreliable."""
        if self.about is None:
            return self.face
        half = self.about.shape[0] / 2
        reach = min(half, half / _ABOUT * size_mm / self.across_mm)
        x, y = middle_of_disc(self.about, reach)
        side = 2 * round(reach)
        return np.asarray(cv2.getRectSubPix(self.about, (side, side), (x, y)), np.uint8)


@dataclass(frozen=True)
class SeenPieces:
    """The pieces cut out of a photo. `unread`: centres (2,) in photo pixels of objects that were not cut
    out. `rather`: pieces of the game that the photo seems to show instead of the named ones; then `pieces`
    is empty."""

    pieces: tuple[Seen, ...] = ()
    unread: tuple[Array, ...] = ()
    rather: tuple[AskedPieces, ...] = ()


def pieces_in(
    picture: Photo, shown: Sequence[tuple[AskedPieces, Size]], game: Sequence[AskedPieces] = ()
) -> SeenPieces:
    """The pieces of a photo, rectified, evenly lit, with white paper. With a `game`, pieces of the game
    other than those `shown` are also considered."""
    known = lens_of(picture)
    lens = known or Lens(picture.width, picture.height)
    lying = foreground_of(picture)
    apart = outlines_of(picture, shown, known)
    other = rather(picture, lying, shown, apart, game, known)
    outlines = [] if other else _outlines(picture, shown, apart, known)
    if not outlines:
        return SeenPieces(rather=other)
    light = light_over(picture, lens, [one.corners for one in outlines], shown[outlines[0].number][1])
    faces = []
    wide = []
    unread = lying.left_over([one.corners for one in outlines], discs=are_discs(shown))
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
        else:
            unread.append(corners.mean(axis=0))
    hazy = _veiled([face for _, face in faces])
    tones = tones_of_photo([face for _, face in faces])
    white = np.full(3, PAPER_LEVEL)
    paper = np.array(tones.paper) if tones is not None else white
    seen = [
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
    return SeenPieces(tuple(seen), tuple(unread))


def _veiled(faces: Sequence[Picture]) -> list[bool]:
    """Flags of pieces with glare over a quarter of their area or more."""
    quarters = []
    for face in faces:
        y, x = face.shape[0] // 2, face.shape[1] // 2
        quarters += [face[:y, :x], face[:y, x:], face[y:, :x], face[y:, x:]]
    veiled = np.array(washed_out([np.ascontiguousarray(each) for each in quarters]), bool)
    return [any(each) for each in veiled.reshape(-1, 4).tolist()]


def middle_of_disc(about: Picture, radius_px: float) -> tuple[float, float]:
    """Centre (x, y) in pixels of a disc of known radius near the centre of an image, at the greatest
    colour contrast across its rim."""
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
    picture: Photo, shown: Sequence[tuple[AskedPieces, Size]], apart: Sequence[Outline], lens: AnyLens | None
) -> list[Outline]:
    """Outlines of the shown pieces in a photo: the isolated ones in `apart`, and those found by
    repetition. Corners start as in the photo."""
    loose = [replace(one, corners=_upright(one.corners, shown[one.number][1])) for one in apart]
    if len(shown) > 1 or shown[0][0].shape == "disc" or shown[0][0].kind == "board":
        return loose
    # pieces of one size are found by their repetition, too, where they touch or lie on patterns
    table = find_blank_cards(picture, shown[0][1], lens)
    first = [Outline(0, _upright(card.corners_px, shown[0][1])) for card in table.cards if card.clear]
    second = loose
    if len(first) < len(second):
        first, second = second, first
    return first + [one for one in second if all(_apart(one.corners, other.corners) for other in first)]


def _upright(corners: Array, size: Size) -> Array:
    """Corners (4, 2) rolled to start at the top left in the photo. An oblong piece has only two possible
    starts."""
    turns = range(4) if size[0] == size[1] else (0, 2)
    return min((np.roll(corners, -k, axis=0) for k in turns), key=lambda each: float(each[:2, 1].sum()))


def _apart(one: Array, other: Array) -> bool:
    side = np.sqrt(cv2.contourArea(other.astype(np.float32)))
    return bool(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) > _ONE * side)


# --- whether the photo shows the pieces that were named -----------------------------------------------------
# The area covered by detected pieces is compared with the photo's foreground. Where other pieces of the
# game cover it much better, the user is asked.

Sorts = Sequence[tuple[AskedPieces, Size]]

#: How well pieces explain a photo, 0 to 1 (`explained_by`): from `_WELL` on nothing else is looked for;
#: others have to explain it so many times as well, and at least so well. Measured on the six photos of
#: `samples.blank_pieces` (tuning-labyrinth2, seed 0), each read as all five groups of the game's sorts: the
#: right one 0.66 to 0.98, the wrong ones 0.5 at most, but for cards as figures (0.62): these are too many.
_WELL, _BETTER, _LEAST = 0.6, 1.3, 0.45
#: What an outline that no phone can have taken of a piece of its size counts less, for each part of it.
_MISFIT = 5.0
#: What the squares about discs explain so many times as well as these is none (squares 1.2, discs 1.04), and
#: counts so much less.
_MORE, _SQUARE = 1.1, 0.5
#: A disc has so much of its rim at least, and of its own rim usually so much more.
_RIM, _RIM_SEEN = 0.25, 0.3


@dataclass(frozen=True)
class Outline:
    """A detected piece: its kind's index, its corners (4, 2) in photo pixels, and for a disc its diameter
    and the visible share of its rim."""

    number: int
    corners: Array
    across_mm: float = 0.0
    rim: float = 0.0


def are_discs(sorts: Sorts) -> bool:
    return all(asked.shape == "disc" for asked, _ in sorts)


def outlines_of(picture: Photo, sorts: Sorts, lens: AnyLens | None) -> list[Outline]:
    """Isolated pieces of the given kinds in a photo. The kind of a disc is provisional."""
    sizes = [size for _, size in sorts]
    if are_discs(sorts):
        most = max(range(len(sorts)), key=lambda k: sorts[k][0].count // sorts[k][0].copies)
        return [
            Outline(most, one.corners_px, one.radius * sizes[most][0], one.rim)
            for one in find_loose_discs(picture)
        ]
    alone = any(asked.kind == "board" for asked, _ in sorts)
    return [
        Outline(each.size, each.corners_px) for each in find_loose_pieces(picture, sizes, lens, alone=alone)
    ]


def explained_by(picture: Photo, lying: Foreground, sorts: Sorts, outlines: Sequence[Outline]) -> float:
    """Share of a photo's foreground explained by the detected pieces, 0 to 1."""
    if not outlines:
        return 0.0
    discs = are_discs(sorts)
    corners = [one.corners for one in outlines]
    held = lying.explained(corners, discs=discs)
    if discs:
        if lying.explained(corners) > _MORE * held:
            held *= _SQUARE
        rim = float(np.median([one.rim for one in outlines]))
        return held * float(np.clip((rim - _RIM) / _RIM_SEEN, 0, 1))
    size_px = (picture.width, picture.height)
    off = [misfit(card_homography(one.corners, sorts[one.number][1]), size_px) for one in outlines]
    return held * max(0.0, 1 - _MISFIT * float(np.median(off)))


def rather(
    picture: Photo,
    lying: Foreground,
    sorts: Sorts,
    outlines: Sequence[Outline],
    game: Sequence[AskedPieces],
    lens: AnyLens | None,
) -> tuple[AskedPieces, ...]:
    """Pieces of the game that explain the photo better than the named ones: all of that shape. Empty where
    the named ones explain it well, or no others do so better."""
    told = explained_by(picture, lying, sorts, outlines)
    if told >= _WELL:
        return ()
    best = max(told * _BETTER, _LEAST)
    those: tuple[AskedPieces, ...] = ()
    tried: dict[tuple[tuple[str, Size], ...], tuple[AskedPieces, ...]] = {}
    for group in photographed_together(game):
        key = tuple(sorted({(each.shape, each.usual_mm) for each in group}))
        tried[key] = (*tried.get(key, ()), *group)
    named = {asked.word for asked, _ in sorts}
    for group in tried.values():
        if named & {each.word for each in group}:
            continue
        other = [(each, each.usual_mm) for each in group]
        found = explained_by(picture, lying, other, outlines_of(picture, other, lens))
        if found > best:
            best, those = found, group
    return those
