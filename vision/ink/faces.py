"""Faces: photo and card poses -> rectified cards, their blank art relit as in the photo, expected noise and
occlusion masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision.cards.pose import LayoutCard
from vision.ink import parameters
from vision.ink.ink_map import PX_PER_MM
from vision.ink.occlusion import find_things, washed_out
from vision.ink.rectify import blank_art, inside_edge, matched_blur, rectified, softened
from vision.ink.relight import (
    NOISE_FLOOR,
    ColourPairs,
    Relit,
    colour_pairs,
    colour_transform,
    large_scale_gain,
    relight,
    strongest,
    values_of,
)
from vision.photo.numerics import median

Image = NDArray[np.float32]
Picture = NDArray[np.uint8]
T = TypeVar("T")


#: Number of brightness levels at which noise is estimated.
_LEVELS = 10

#: Largest number of cards in a photo whose pictures are cached, to limit memory.
_MOST_KEPT = 12


@dataclass(frozen=True)
class Face:
    """One rectified card: its picture `seen` (H, W, 3) uint8, and the blank card `relit` in the photo's
    light.

    `change` (H, W) is their difference in the channel where it is largest. `noise` (H, W) is the deviation
    expected on a blank card; `things` is the occlusion mask.
    """

    seen: Picture
    relit: Relit
    change: Image
    inside: NDArray[np.bool_]
    noise: Image
    things: NDArray[np.bool_]
    moved_mm: float
    blur_mm: float


class SeenCards:
    """Cache of a photo's faces, for a second reading of its ink.

    The second reading uses fainter pens, or another card among the same ones (`other_cards`).
    """

    def __init__(self, *, other_cards: bool = False) -> None:
        self._others_follow = other_cards
        self._begun: dict[_Lying, _Begun] = {}
        self._faces: tuple[list[_Lying], list[Face]] = [], []

    def begun(self, pose: LayoutCard, begin: Callable[[], _Begun]) -> _Begun:
        """A rectified, registered card from the cache, else computed by `begin` and cached."""
        if not self._others_follow:
            return begin()
        lying = _lying(pose)
        if lying not in self._begun:
            made = begin()
            if len(self._begun) >= _MOST_KEPT:
                return made
            self._begun[lying] = made
        return self._begun[lying]

    def faces(self, poses: Sequence[LayoutCard], look: Callable[[], list[Face]]) -> list[Face]:
        """Faces of cards from the cache, else computed by `look`; the caller may overwrite them."""
        lying, faces = self._faces
        return list(faces) if lying == [_lying(pose) for pose in poses] else look()

    def keep(self, poses: Sequence[LayoutCard], faces: Sequence[Face]) -> None:
        """Caches faces for the next reading of the same cards, unless there are more than `_MOST_KEPT`."""
        if len(poses) <= _MOST_KEPT:
            self._faces = [_lying(pose) for pose in poses], list(faces)


#: Key of a card in a photo: its name, and its corners to a hundredth of a pixel.
_Lying = tuple[str, bytes]


def _lying(pose: LayoutCard) -> _Lying:
    return pose.card, np.round(np.asarray(pose.corners_px, np.float64), 2).tobytes()


def find_faces(
    photo_bgr: NDArray[np.uint8],
    poses: Sequence[LayoutCard],
    catalogue: Catalogue,
    kept: SeenCards | None = None,
) -> list[Face]:
    """Faces of cards at these poses in a photo (H, W, 3) uint8 BGR."""
    kept = kept or SeenCards()
    cards = [catalogue.card(pose.card) for pose in poses]
    sizes_mm = [catalogue.size_of(card.id) for card in cards]
    sizes = [(round(width * PX_PER_MM), round(height * PX_PER_MM)) for width, height in sizes_mm]
    to_mm = np.array([[1 / PX_PER_MM, 0, 0.5 / PX_PER_MM], [0, 1 / PX_PER_MM, 0.5 / PX_PER_MM], [0, 0, 1]])
    paths = [catalogue.art_path(card) for card in cards]

    # Large batches: at every step at which two threads wait for each other, one of them is idle.
    def begin(pose: LayoutCard, path: Path, size: tuple[int, int], size_mm: tuple[float, float]) -> _Begun:
        return kept.begun(pose, lambda: begin_anew(pose, path, size, size_mm))

    def begin_anew(
        pose: LayoutCard, path: Path, size: tuple[int, int], size_mm: tuple[float, float]
    ) -> _Begun:
        blank = blank_art(path, path.stat().st_mtime_ns, size)
        seen, moved_mm = rectified(photo_bgr, pose, blank, to_mm, size_mm)
        values = values_of(seen)
        blur_mm = matched_blur(values, blank.details, PX_PER_MM) / PX_PER_MM
        soft = softened(blank, blur_mm)
        gain = large_scale_gain(values, soft, PX_PER_MM)
        return _Begun(seen, soft, gain, colour_pairs(values, soft, gain), moved_mm, blur_mm)

    begun = each_card(begin, poses, paths, sizes, sizes_mm)
    transform = colour_transform([one.pairs for one in begun])

    def lit(one: _Begun) -> _Lit:
        seen = values_of(one.seen)
        relit = relight(seen, one.blank, one.gain, transform, PX_PER_MM)
        blank = relit.blank()
        change = np.asarray(strongest(cv2.absdiff(seen, blank)))
        grey = np.asarray(cv2.cvtColor(blank, cv2.COLOR_BGR2GRAY))
        level = np.clip(grey * _LEVELS, 0, _LEVELS - 1).astype(np.uint8)
        relit = washed_out(seen, relit)
        return _Lit(one.seen, relit, change, level, _edge_noise(grey), one.moved_mm, one.blur_mm)

    light = each_card(lit, given_up(begun))
    floor = _noise_floor(light)

    def finish(one: _Lit, size: tuple[int, int]) -> Face:
        inside = inside_edge(size, catalogue.corner_radius_mm)
        # expected deviation by brightness, and by registration error on printed edges
        noise = np.asarray(cv2.magnitude(cv2.LUT(one.level, floor), one.edge_noise), np.float32)
        things = find_things(one.seen, one.change, one.relit, noise, inside)
        return Face(one.seen, one.relit, one.change, inside, noise, things, one.moved_mm, one.blur_mm)

    return each_card(finish, given_up(light), sizes)


@dataclass(frozen=True)
class _Begun:
    """First stage of a face: the rectified card and its blurred blank art, before the photo's colours are
    known.

    `seen` (H, W, 3) uint8, `blank` (H, W, 3) float32, the slowly varying `gain` between them, and `pairs` of
    corresponding colours. `moved_mm` is the largest correction by registration, `blur_mm` the blur of the
    photo.
    """

    seen: Picture
    blank: Image
    gain: Image
    pairs: ColourPairs
    moved_mm: float
    blur_mm: float


@dataclass(frozen=True)
class _Lit:
    """Second stage of a face: the rectified card, its blank art relit, and the `change` between them.

    `level` (H, W) is the brightness of the blank card in `_LEVELS` steps; `edge_noise` (H, W) is the
    deviation expected at printed edges. Other fields are those of `_Begun`.
    """

    seen: Picture
    relit: Relit
    change: Image
    level: Picture
    edge_noise: Image
    moved_mm: float
    blur_mm: float


def given_up(cards: list[T]) -> Iterator[T]:
    """Iterator over a list that frees each element once it is taken.

    The pictures of forty cards are large, so each card's result replaces its input.
    """
    cards.reverse()
    while cards:
        yield cards.pop()


def each_card(work: Callable[..., T], *columns: Iterable[Any]) -> list[T]:
    """Parallel map of `work` over the cards, on two threads.

    OpenCV and numpy release the interpreter's lock.
    """
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, *columns))


def _noise_floor(cards: Sequence[_Lit]) -> Image:
    """Deviation expected on a blank card at each of 256 brightness levels, (256,), from sensor, print and
    tone curve.

    Medians are used so that ink does not count as noise.
    """
    level = np.concatenate([card.level[1::4, 1::4].ravel() for card in cards])
    error = np.concatenate([card.change[1::4, 1::4].ravel() for card in cards])
    table = np.full(_LEVELS, median(error))
    for k in range(_LEVELS):
        own = error[level == k]
        if len(own) > 60:
            table[k] = median(own)
    floor = np.zeros(256, np.float32)
    floor[:_LEVELS] = np.maximum(1.2 * table, NOISE_FLOOR)
    return floor


def _edge_noise(grey: Image) -> Image:
    """Deviation (H, W) expected from registration errors at the printed edges of a blank card."""
    slope = cv2.magnitude(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
    )
    slope = cv2.dilate(slope, np.ones((3, 3), np.uint8))
    slope *= np.float32(parameters.EVIDENCE.registration_mm * PX_PER_MM)
    return np.asarray(slope, np.float32)
