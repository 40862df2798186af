"""Check that a photo shows the pieces that the user named. The area covered by detected pieces is compared
with the foreground of the photo. Where other pieces of the game cover it much better, the user is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorer.enrolment_pieces import AskedPieces, photographed_together
from vision.outlines.background import Foreground
from vision.outlines.loose_pieces import find_loose_discs, find_loose_pieces
from vision.photo.decode import Photo
from vision.photo.geometry import card_homography, misfit
from vision.photo.lens import AnyLens

Array = NDArray[np.float64]
Size = tuple[float, float]
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
