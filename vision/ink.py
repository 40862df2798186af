"""Ink: what the pen added to the cards, as a likelihood on a map of the tableau.

Each card is rectified from the full photo, registered to its blank art (`vision.registration`), the art is
brought into the photo's light (`vision.photometry`), and every pixel is asked whether the pen's film explains
it better than the blank card does (`vision.pens`: which pens there are). Three states are kept apart: ink,
blank, and not visible (glare, a thing on the card).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from vision import tuning
from vision.art import read_art
from vision.group_pens import Owner, find_group_pens
from vision.layout import CardPose
from vision.median import median
from vision.pen_profile import PenProfile
from vision.pens import Changed, Pen, all_thin, find_pens
from vision.photometry import (
    NOISE_FLOOR,
    ColourPairs,
    Relit,
    channel_sum,
    colour_pairs,
    colour_transform,
    large_scale_gain,
    relight,
    strongest,
)
from vision.print_blur import LEAST_BLUR_PX, Details, details_of, matched_blur
from vision.registration import for_registration, residual_flow
from vision.view import halvings_for_ink, px_per_mm

#: A marker line is 1 to 2 mm wide: 5 to 10 pixels. At 4 a quarter of the time is saved, and two lines side by
#: side are told from one less surely.
PX_PER_MM = 5.0
#: Noise is told apart at this many brightnesses.
_LEVELS = 10
#: Light that was added is measured, and things are grown in so many steps, on pictures so many times smaller,
#: which costs little.
_WASH_SHRINK, _GROW_SHRINK, _GROW_STEPS = 4, 4, 6
#: Of a photo with more cards no pictures are kept for other readings: they would take too much memory.
_MOST_KEPT = 12
#: The printed edge of a card is worn, rounded and in its neighbour's shadow.
_EDGE_MM = 0.5

#: A pen where none has drawn: black.
_INK_BGR = (0.1, 0.1, 0.1)
#: The disc over which evidence is averaged: most of a thin pen's width.
_TIP_PX = round(0.8 * PX_PER_MM) // 2 * 2 + 1
_TIP = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_TIP_PX, _TIP_PX)).astype(np.float32)
_TIP /= _TIP.sum()


Image = NDArray[np.float32]
Picture = NDArray[np.uint8]
T = TypeVar("T")
U = TypeVar("U", bound=np.generic)


@dataclass(frozen=True)
class InkMap:
    """The tableau seen from above, `PX_PER_MM` pixels to the millimetre.

    `evidence`   (H, W) float32 log-likelihood ratio of ink against blank card, 0 where nothing is known
    `visible`    (H, W) bool, where ink could be told from blank
    `origin_mm`  table mm of the corner of pixel (0, 0)
    `picture`    (H, W, 3) uint8 BGR, the rectified cards
    `blank`      (H, W, 3) uint8 BGR, the same cards without ink in this photo's light; None where not told
    `pens`       the pens that drew, the first the one that drew most; none when there is no ink
    `film`       (H, W) float32 what share of a pen's full film lies there, None where it was not measured
    `line_film`  what share of a full film this photo's plainest lines show
    `faint`      what share of a usual film the pens were taken to leave
    `registered_mm` per card, the largest correction that registration made
    `hidden`     per card, the share of its face where a line would show and glare or things hide it
    `blur_mm`    Gaussian blur (sigma) of the most blurred card's print
    `player`     the player's own pen, where it was told
    """

    evidence: Image
    visible: NDArray[np.bool_]
    origin_mm: tuple[float, float]
    picture: NDArray[np.uint8]
    pens: tuple[Pen, ...] = ()
    film: Image | None = None
    line_film: float = 1.0
    registered_mm: tuple[float, ...] = ()
    hidden: tuple[float, ...] = ()
    blur_mm: float = 0.0
    blank: NDArray[np.uint8] | None = None
    faint: float = 1.0
    player: PenProfile | None = None

    @property
    def known(self) -> PenProfile | None:
        """The player's own pen, where the ink was read by it."""
        return self.pens[0].known if self.pens else None

    def to_px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """(..., 2) table mm to map pixels (pixel centres at whole numbers)."""
        return (np.asarray(points_mm, float) - self.origin_mm) * PX_PER_MM - 0.5

    def to_mm(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """(..., 2) map pixels to table mm."""
        return (np.asarray(points_px, float) + 0.5) / PX_PER_MM + self.origin_mm


@dataclass(frozen=True)
class GroupInk:
    """The ink of one of several pens, the cards (by number) of the map, and whose the pen is."""

    ink: InkMap
    cards: tuple[int, ...]
    owner: Owner
    chroma: float


@dataclass(frozen=True)
class InkView:
    """A photo (H, W, 3) uint8, halved so many times, the cards that it shows, and which card of the table (by
    number) each is."""

    photo_bgr: Picture
    halvings: int
    poses: tuple[CardPose, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True)
class WayOut:
    """Where on an upright card (mm) a way leads over to another card (its number)."""

    at_mm: tuple[float, float]
    card: int


@dataclass(frozen=True)
class _Face:
    """One card: what is `seen`, upright, (H, W, 3) uint8, and the blank card in the same light. `change`
    (H, W): by how much they differ in the channel in which they differ most; `things`: what lies there hides
    the card.
    """

    seen: Picture
    relit: Relit
    change: Image
    inside: NDArray[np.bool_]
    noise: Image
    things: NDArray[np.bool_]
    moved_mm: float
    blur_mm: float


@dataclass(frozen=True)
class _Layer:
    """What the ink map gets from one card; upright, (H, W). `seen` and `blank` (H, W, 3) uint8: as it is
    seen, and without ink in the same light."""

    evidence: Image
    visible: NDArray[np.bool_]
    film: Image
    hidden: float
    seen: Picture
    blank: Picture
    inside: NDArray[np.bool_]
    moved_mm: float
    blur_mm: float


class SeenCards:
    """What is kept of a photo's cards for whoever reads the ink on them once more: with fainter pens, or,
    where that is expected (`other_cards`), with another card among them."""

    def __init__(self, *, other_cards: bool = False) -> None:
        self._others_follow = other_cards
        self._begun: dict[_Lying, _Begun] = {}
        self._faces: tuple[list[_Lying], list[_Face]] = [], []

    def begun(self, pose: CardPose, begin: Callable[[], _Begun]) -> _Begun:
        """A card upright and registered to its art, as it was begun before or by `begin`."""
        if not self._others_follow:
            return begin()
        lying = _lying(pose)
        if lying not in self._begun:
            made = begin()
            if len(self._begun) >= _MOST_KEPT:
                return made
            self._begun[lying] = made
        return self._begun[lying]

    def faces(self, poses: Sequence[CardPose], look: Callable[[], list[_Face]]) -> list[_Face]:
        """The faces of cards, as they were kept or by `look`: for the caller to use up."""
        lying, faces = self._faces
        return list(faces) if lying == [_lying(pose) for pose in poses] else look()

    def keep(self, poses: Sequence[CardPose], faces: Sequence[_Face]) -> None:
        """Keep faces for the next reading of the same cards, unless they are very many."""
        if len(poses) <= _MOST_KEPT:
            self._faces = [_lying(pose) for pose in poses], list(faces)


#: Where a card lies in a picture: its name, and its corners to a hundredth of a pixel.
_Lying = tuple[str, bytes]


def _lying(pose: CardPose) -> _Lying:
    return pose.card, np.round(np.asarray(pose.corners_px, np.float64), 2).tobytes()


def read_ink(
    photo_bgr: NDArray[np.uint8],
    poses: Sequence[CardPose],
    catalogue: Catalogue,
    *,
    halvings: int = 0,
    known: PenProfile | None = None,
    faint: float = 1.0,
    seen: SeenCards | None = None,
) -> InkMap:
    """The ink on the cards of a layout. `photo_bgr` (H, W, 3) uint8, halved so many times; `known` is the
    player's own pen. `faint`: what share of a usual film pens leave that run dry, where none left a full
    one. `seen` keeps what reading the same photo again can use."""
    seen = seen or SeenCards()
    halved = [_halved(pose, halvings) for pose in poses]
    faces = seen.faces(halved, lambda: _faces(photo_bgr, halved, catalogue, seen))
    pens = find_pens(_each(_changed, faces), PX_PER_MM, known)
    if all_thin(pens):
        seen.keep(halved, faces)
    faint = faint if all_thin(pens) else 1.0
    layers = _each(lambda face: _layer(face, _shown(face), pens or (Pen(_INK_BGR),), faint), _given_up(faces))
    return replace(_mosaic(poses, layers, pens, faint), player=known)


def read_inks(
    views: Sequence[InkView],
    poses: Sequence[CardPose],
    catalogue: Catalogue,
    *,
    colours: Sequence[str | None],
    ways_out: Sequence[Sequence[WayOut]] = (),
) -> tuple[GroupInk, ...]:
    """The ink of the pens of groups (`vision.group_pens.find_group_pens`) on the cards of a table (`poses`),
    of which photos show some or all: each pen's on a map of its own over the cards on which it drew, and
    those to which a line of it leads by one of the `ways_out` of each card; where another pen drew is as good
    as blank. Of a card that several photos show counts the sharpest, and another where that shows nothing.
    The rest as in `read_ink`."""
    faces: list[_Face] = []
    card_of: list[int] = []
    for view in views:
        faces += _faces(view.photo_bgr, [_halved(pose, view.halvings) for pose in view.poses], catalogue)
        card_of += view.cards
    found = find_group_pens(_each(_changed, faces), PX_PER_MM, colours)
    shown = [[k for k, card in enumerate(card_of) if card == number] for number in range(len(poses))]
    drew = [tuple(sorted({pen for k in seen for pen in found.on_cards[k]})) for seen in shown]

    def layers_of(number: int, own: Sequence[int]) -> dict[int, _Layer]:
        seen = sorted((faces[k] for k in shown[number]), key=lambda face: face.blur_mm)
        each = [_own_layers(face, found.pens, own) for face in seen]
        return {pen: _seen_best([layers[pen] for layers in each]) for pen in own}

    layers = _each(layers_of, range(len(poses)), drew)
    on_cards = _led_on(layers, drew, ways_out)
    more = [card for card, own in enumerate(on_cards) if own != drew[card]]
    for card, layer in zip(more, _each(layers_of, more, [on_cards[card] for card in more]), strict=True):
        layers[card] = layer
    inks = []
    for number, pen in enumerate(found.pens):
        cards = tuple(card for card, own in enumerate(on_cards) if number in own)
        if not cards:
            continue
        chosen = [layers[card][number] for card in cards]
        ink = _mosaic([poses[card] for card in cards], chosen, (pen,))
        inks.append(GroupInk(ink, cards, found.owners[number], found.chroma))
    return tuple(inks)


def _seen_best(layers: Sequence[_Layer]) -> _Layer:
    """A card from the sharpest of its photos, which is the first, and from the others where that shows
    nothing: glare and things lie elsewhere in another one."""
    best, *others = layers
    for other in others:
        hidden = ~best.visible & other.visible
        best = replace(
            best,
            evidence=np.where(hidden, other.evidence, best.evidence),
            film=np.where(hidden, other.film, best.film),
            visible=best.visible | other.visible,
            hidden=min(best.hidden, other.hidden),
            seen=np.where(hidden[..., None], other.seen, best.seen),
            blank=np.where(hidden[..., None], other.blank, best.blank),
        )
    return best


def _led_on(
    layers: Sequence[dict[int, _Layer]],
    on_cards: Sequence[tuple[int, ...]],
    ways_out: Sequence[Sequence[WayOut]],
) -> list[tuple[int, ...]]:
    """The pens of each card, with those whose line comes to an opening that leads to it."""
    led = [set(own) for own in on_cards]
    reach = round(tuning.WAY_OUT_MM * PX_PER_MM)
    for card, ways in enumerate(ways_out):
        for number, layer in layers[card].items():
            for way in ways:
                x, y = (round(at * PX_PER_MM) for at in way.at_mm)
                near = layer.evidence[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach]
                if np.count_nonzero(near > tuning.SURE_INK) >= tuning.WAY_OUT_MM2 * PX_PER_MM**2:
                    led[way.card].add(number)
    return [tuple(sorted(own)) for own in led]


def _own_layers(face: _Face, pens: Sequence[Pen], own: Sequence[int]) -> dict[int, _Layer]:
    """What each of several pens drew on a card, by its number."""
    if not own:
        return {}
    shown = _shown(face)
    alone = {number: _layer(face, shown, (pens[number],)) for number in own}
    layers = {}
    for number, layer in alone.items():
        others = [other.evidence for k, other in alone.items() if k != number]
        if others:
            most = np.maximum.reduce(others)
            taken = (most > 0) & (most > layer.evidence)
            against = np.minimum(layer.evidence, 0) - np.float32(tuning.OTHER_PEN) * most
            seen = np.logical_or.reduce([layer.visible, *(alone[k].visible for k in alone)])
            evidence = np.where(taken, np.maximum(against, -tuning.EVIDENCE_LIMIT), layer.evidence)
            film = np.where(taken, 0, layer.film).astype(np.float32)
            layer = replace(layer, evidence=evidence.astype(np.float32), film=film, visible=seen)
        layers[number] = layer
    return layers


def halvings_for(poses: Sequence[CardPose], catalogue: Catalogue, most: int) -> int:
    """How often a photo may be halved, at most so many times, for the ink on its cards to be read."""
    seen = (px_per_mm(pose.corners_px, catalogue.size_of(pose.card)) for pose in poses)
    return halvings_for_ink(seen, most)


def _halved(pose: CardPose, halvings: int) -> CardPose:
    """Where a card lies in a photo that was halved so many times; pixels count from their middles."""
    if not halvings:
        return pose
    scale = 0.5**halvings
    shift = 0.5 * scale - 0.5
    to_half = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
    corners = np.asarray(pose.corners_px, float) * scale + shift
    return replace(pose, card_to_photo=to_half @ pose.card_to_photo, corners_px=corners)


@dataclass(frozen=True)
class _Blank:
    """A card's art at the working scale: `art` (H, W, 3) uint8, and what registration and sharpness compare
    of it (kept, not to be written to).
    """

    art: NDArray[np.uint8]
    even: Image
    details: Details

    def picture(self) -> Image:
        """(H, W, 3) float32 0..1."""
        return np.divide(self.art, np.float32(255), dtype=np.float32)


@lru_cache(maxsize=128)
def _blank(path: Path, changed_ns: int, size: tuple[int, int]) -> _Blank:
    """Cached by file and its time of change."""
    del changed_ns
    art = read_art(path)
    if art is None:
        raise FileNotFoundError(path)
    art = np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)
    grey = cv2.cvtColor(np.divide(art, np.float32(255), dtype=np.float32), cv2.COLOR_BGR2GRAY)
    return _Blank(art, for_registration(grey, PX_PER_MM), details_of(grey, PX_PER_MM))


def _faces(
    photo_bgr: NDArray[np.uint8],
    poses: Sequence[CardPose],
    catalogue: Catalogue,
    kept: SeenCards | None = None,
) -> list[_Face]:
    kept = kept or SeenCards()
    cards = [catalogue.card(pose.card) for pose in poses]
    sizes_mm = [catalogue.size_of(card.id) for card in cards]
    sizes = [(round(width * PX_PER_MM), round(height * PX_PER_MM)) for width, height in sizes_mm]
    to_mm = np.array([[1 / PX_PER_MM, 0, 0.5 / PX_PER_MM], [0, 1 / PX_PER_MM, 0.5 / PX_PER_MM], [0, 0, 1]])
    paths = [catalogue.art_path(card) for card in cards]

    # As much at a time as may be: at every step at which two threads wait for each other one of them idles.
    def begin(pose: CardPose, path: Path, size: tuple[int, int], size_mm: tuple[float, float]) -> _Begun:
        return kept.begun(pose, lambda: begin_anew(pose, path, size, size_mm))

    def begin_anew(pose: CardPose, path: Path, size: tuple[int, int], size_mm: tuple[float, float]) -> _Begun:
        blank = _blank(path, path.stat().st_mtime_ns, size)
        seen, moved_mm = _rectified(photo_bgr, pose, blank, to_mm, size_mm)
        values = _values(seen)
        blur_mm = matched_blur(values, blank.details, PX_PER_MM) / PX_PER_MM
        soft = _softened(blank, blur_mm)
        gain = large_scale_gain(values, soft, PX_PER_MM)
        return _Begun(seen, soft, gain, colour_pairs(values, soft, gain), moved_mm, blur_mm)

    begun = _each(begin, poses, paths, sizes, sizes_mm)
    transform = colour_transform([one.pairs for one in begun])

    def lit(one: _Begun) -> _Lit:
        seen = _values(one.seen)
        relit = relight(seen, one.blank, one.gain, transform, PX_PER_MM)
        blank = relit.blank()
        change = np.asarray(strongest(cv2.absdiff(seen, blank)))
        grey = np.asarray(cv2.cvtColor(blank, cv2.COLOR_BGR2GRAY))
        level = np.clip(grey * _LEVELS, 0, _LEVELS - 1).astype(np.uint8)
        relit = _washed_out(seen, relit)
        return _Lit(one.seen, relit, change, level, _edge_noise(grey), one.moved_mm, one.blur_mm)

    light = _each(lit, _given_up(begun))
    floor = _noise_floor(light)

    def finish(one: _Lit, size: tuple[int, int]) -> _Face:
        inside = _inside(size, catalogue.corner_radius_mm)
        # what to expect by brightness, and by registration on printed edges
        noise = np.asarray(cv2.magnitude(cv2.LUT(one.level, floor), one.edge_noise), np.float32)
        things = _things(one.seen, one.change, one.relit, noise, inside)
        return _Face(one.seen, one.relit, one.change, inside, noise, things, one.moved_mm, one.blur_mm)

    return _each(finish, _given_up(light), sizes)


@dataclass(frozen=True)
class _Begun:
    """One card: what is `seen`, (H, W, 3) uint8, and its art as blurred, (H, W, 3) float32, upright; the slow
    factor between them, what the photo's colours are told by, how far registration moved it and how blurred
    it is."""

    seen: Picture
    blank: Image
    gain: Image
    pairs: ColourPairs
    moved_mm: float
    blur_mm: float


@dataclass(frozen=True)
class _Lit:
    """What is seen of one card, and the blank card in the photo's light; (H, W) by how much they differ, how
    bright the blank card is, in `_LEVELS`, and the deviation to expect on its printed edges. The rest as in
    `_Begun`."""

    seen: Picture
    relit: Relit
    change: Image
    level: Picture
    edge_noise: Image
    moved_mm: float
    blur_mm: float


def _values(seen: Picture) -> Image:
    """A picture (H, W, 3) in values from 0 to 1. Forty cards' pictures are kept in bytes: as floats they take
    four times as much."""
    return np.divide(seen, np.float32(255), dtype=np.float32)


def _given_up(cards: list[T]) -> Iterator[T]:
    """The cards of a list that does not keep them: what is made of each takes its place, for forty cards'
    pictures are much."""
    cards.reverse()
    while cards:
        yield cards.pop()


def _each(work: Callable[..., T], *columns: Iterable[Any]) -> list[T]:
    """`work` on every card, two at a time: OpenCV and numpy let go of the interpreter's lock."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, *columns))


def _rectified(
    photo_bgr: NDArray[np.uint8],
    pose: CardPose,
    blank: _Blank,
    to_mm: NDArray[np.float64],
    size_mm: tuple[float, float],
) -> tuple[Picture, float]:
    """A card upright and registered to its art, (H, W, 3) uint8, and the largest correction, mm."""
    height, width = blank.art.shape[:2]
    window, homography = _window(photo_bgr, pose, size_mm)
    homography = homography @ to_mm
    first = cv2.warpPerspective(
        cv2.cvtColor(window, cv2.COLOR_BGR2GRAY),
        homography,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    flow = residual_flow(np.divide(first, np.float32(255), dtype=np.float32), blank.even, PX_PER_MM)
    points = cv2.add(flow, _grid((width, height)))
    at = cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography).reshape(points.shape)
    face = cv2.remap(window, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(face, np.uint8)
    far = float(np.sqrt((flow[..., 0] ** 2 + flow[..., 1] ** 2).max())) / PX_PER_MM
    return seen, far


@lru_cache(maxsize=8)
def _grid(size: tuple[int, int]) -> Image:
    """(H, W, 2) where each pixel of a card is; kept, not to be written to."""
    xs, ys = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    return np.stack([xs, ys], axis=-1)


def _softened(blank: _Blank, blur_mm: float) -> Image:
    """A blank card as blurred as it is seen, (H, W, 3) float32."""
    art, sigma = blank.picture(), blur_mm * PX_PER_MM
    return np.asarray(cv2.GaussianBlur(art, (0, 0), sigma) if sigma > LEAST_BLUR_PX else art, np.float32)


def _window(
    photo_bgr: NDArray[np.uint8], pose: CardPose, size_mm: tuple[float, float]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The card's part of the photo, shrunk when it holds more detail than the working scale, and card mm
    to its pixels.
    """
    corners = np.asarray(pose.corners_px, float)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 12, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 12, [photo_bgr.shape[1], photo_bgr.shape[0]])
    high = np.maximum(high, low + 2)
    window = photo_bgr[low[1] : high[1], low[0] : high[0]]
    scale = px_per_mm(corners, size_mm) / PX_PER_MM
    shrink = 1.0
    if scale > 1.5:
        shrink = 1.2 / scale
        window = cv2.resize(window, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    move = np.array(
        [
            [shrink, 0, (0.5 - low[0]) * shrink - 0.5],
            [0, shrink, (0.5 - low[1]) * shrink - 0.5],
            [0, 0, 1],
        ]
    )
    return window, move @ pose.card_to_photo


@lru_cache(maxsize=16)
def _inside(size: tuple[int, int], radius_mm: float) -> NDArray[np.bool_]:
    """(H, W) the card's face without its edge and rounded corners; kept, not to be written to."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    margin = round(_EDGE_MM * PX_PER_MM)
    cv2.rectangle(mask, (margin, margin), (size[0] - 1 - margin, size[1] - 1 - margin), 1, -1)
    radius = radius_mm * PX_PER_MM
    ys, xs = np.mgrid[: size[1], : size[0]]
    dx = np.maximum(radius - np.minimum(xs, size[0] - 1 - xs), 0)
    dy = np.maximum(radius - np.minimum(ys, size[1] - 1 - ys), 0)
    # a corner rounded by less than the margin is square where the margin ends
    made: NDArray[np.bool_] = (mask > 0) & (np.hypot(dx, dy) <= max(radius - margin, 0))
    return made


def _noise_floor(cards: Sequence[_Lit]) -> Image:
    """(256,) by level of brightness: deviation to expect on blank card (sensor, print, tone curve). Medians,
    so that ink does not count as noise."""
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
    """(H, W) deviation to expect by registration on a blank card's printed edges."""
    slope = cv2.magnitude(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125),
        cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125),
    )
    slope = cv2.dilate(slope, np.ones((3, 3), np.uint8))
    slope *= np.float32(tuning.REGISTRATION_MM * PX_PER_MM)
    return np.asarray(slope, np.float32)


@dataclass(frozen=True)
class _Shown:
    """Of one card, (H, W, 3): the `blank` card in its light, the `change` from it to what is seen, and the
    light's `gain` and `offset`; `veil` (H, W) how much of what is seen is veiling light, 0 to 1."""

    blank: Image
    change: Image
    gain: Image
    offset: Image
    veil: Image


def _cover(shown: _Shown, pen: Pen) -> tuple[Image, Image, Image]:
    """How far each pixel lies on the way from card to ink: share (H, W), what is left over, and the way's
    length.
    """
    # in place: fresh memory costs more than the arithmetic
    if pen.known is not None:
        # what its film takes of the card's own light; light that veils the card it does not take
        blue, green, red = pen.known.taken
        way = cv2.subtract(shown.offset, shown.blank)
        cv2.multiply(way, (blue, green, red, 0.0), way)
    else:
        way = cv2.multiply(shown.gain, (*pen.bgr, 0.0))
        cv2.subtract(cv2.add(way, shown.offset, way), shown.blank, way)
    change: Any = shown.change
    if pen.known is not None:
        # a film as thin as the noise shows where a pen's tip is taken together
        change = cv2.filter2D(change, -1, _TIP)
    product = cv2.multiply(way, way)
    length2 = np.maximum(channel_sum(product), np.float32(1e-4))
    share = channel_sum(cv2.multiply(change, way, product)) / length2
    rest2 = np.maximum(channel_sum(cv2.multiply(change, change, product)) - share * share * length2, 0)
    return np.asarray(share), np.asarray(np.sqrt(rest2)), np.asarray(np.sqrt(length2))


def _changed(face: _Face) -> Changed:
    """What is surely no blank card, and no thing."""
    least = np.maximum(np.float32(tuning.CHANGED_DEVIATIONS) * face.noise, np.float32(tuning.CHANGED_LEAST))
    strong = (face.change > least) & face.inside & ~face.things
    where = cv2.erode(strong.view(np.uint8), np.ones((2, 2), np.uint8)) > 0
    at = np.flatnonzero(where)

    def there(picture: NDArray[U]) -> NDArray[U]:
        return picture.reshape(-1, 3)[at]

    gain, offset = (there(each) for each in face.relit.light())
    on_art = (_values(there(face.seen)) - offset) / np.maximum(gain, np.float32(0.1))
    ground = there(face.relit.art)
    # nothing takes more than all light: where something seems to, the light is misjudged
    if (dark := on_art.min(axis=1) < -tuning.MISJUDGED_LIGHT).any():
        where.flat[at[dark]] = False
        on_art, ground = on_art[~dark], ground[~dark]
    beside = _near_things(face.things)[where] if face.things.any() else None
    return Changed(where, np.asarray(on_art, np.float32), ground, beside)


def _near_things(things: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(H, W) where a thing is so near that what is there may be its shadow."""
    size = (things.shape[1] // _GROW_SHRINK, things.shape[0] // _GROW_SHRINK)
    small = cv2.resize(things.view(np.uint8), size, interpolation=cv2.INTER_AREA)
    side = 2 * round(tuning.FURTHER_CLEAR_MM * PX_PER_MM / _GROW_SHRINK) + 1
    near = cv2.dilate(small, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    return np.asarray(cv2.resize(near, things.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _things(
    seen: Picture, change: Image, relit: Relit, noise: Image, inside: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(H, W) where what changed is too wide for a pen: something lies there, or hard light."""
    changed = change > np.maximum(4 * noise, np.float32(0.09))
    changed = (changed | relit.odd) & inside
    side = round(tuning.THING_MM * PX_PER_MM) | 1
    # opened at half scale: the disc is large
    small = cv2.resize(changed.astype(np.uint8), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_NEAREST)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side // 2 | 1, side // 2 | 1))
    padded = cv2.copyMakeBorder(small, side, side, side, side, cv2.BORDER_REPLICATE)
    core = cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc)[side:-side, side:-side]
    if not core.any():
        return np.zeros_like(changed)
    rim = round(tuning.THING_RIM_MM * PX_PER_MM) | 1
    # a hand shows as several pieces where the print below it happens to be like it
    gap = round(tuning.THING_GAP_MM * PX_PER_MM / 2) | 1
    core = cv2.morphologyEx(core, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (gap, gap)))
    core = _with_shadow(core, small)
    grown = _grown(core, _values(seen), relit.blank())
    core = cv2.resize(grown, core.shape[::-1], interpolation=cv2.INTER_NEAREST)
    wide = cv2.dilate(core, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rim, rim)))
    _fill_holes(wide, round(tuning.HOLE_MM2 * (PX_PER_MM / 2) ** 2))
    return np.asarray(cv2.resize(wide, changed.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _with_shadow(core: NDArray[np.uint8], changed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Things (h, w) at half scale, with what changed, hangs together with them and is wider than a line: the
    shadow beside a finger or under a pen."""
    side = round(tuning.SHADOW_MM * PX_PER_MM / 2) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    wide = cv2.morphologyEx(changed, cv2.MORPH_OPEN, disc) | core
    _, pieces = cv2.connectedComponents(wide)
    return np.isin(pieces, np.setdiff1d(pieces[core > 0], 0)).astype(np.uint8)


def _fill_holes(things: NDArray[np.uint8], most_px: int) -> None:
    """Close holes in things (h, w) up to an area: the card does not show within a finger."""
    outlines, nesting = cv2.findContours(things, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for k, outline in enumerate(outlines):
        if nesting[0, k, 3] >= 0 and cv2.contourArea(outline) <= most_px:
            cv2.drawContours(things, outlines, k, 1, -1)


def _grown(core: NDArray[np.uint8], seen: Image, blank: Image) -> NDArray[np.uint8]:
    """Things (h, w) with what goes on from them in their own colour, smaller by `_GROW_SHRINK`: a finger over
    a floor of nearly its colour."""
    size = (round(seen.shape[1] / _GROW_SHRINK), round(seen.shape[0] / _GROW_SHRINK))
    small, card = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (seen, blank))
    thing = cv2.resize(core, size, interpolation=cv2.INTER_AREA)
    off = strongest(cv2.absdiff(small, card))
    side = round(tuning.THING_REACH_MM * PX_PER_MM / _GROW_SHRINK) | 1
    disc = round(tuning.THING_GROWN_MM * PX_PER_MM / _GROW_SHRINK) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (disc, disc))
    for _ in range(_GROW_STEPS):
        weight = thing.astype(np.float32)
        near = cv2.blur(weight, (side, side))
        own = cv2.blur(small * weight[..., None], (side, side)) / np.maximum(near, 1e-3)[..., None]
        unlike = strongest(cv2.absdiff(small, np.asarray(own, np.float32)))
        # white is glare, in which a line may show
        coloured = own.min(axis=2) < tuning.THING_WHITE
        alike = (
            coloured & (near > 0.02) & (unlike < tuning.THING_UNLIKE) & (unlike < off - tuning.THING_NEARER)
        )
        wider = cv2.morphologyEx(thing | alike.astype(np.uint8), cv2.MORPH_OPEN, kernel) | thing
        _, pieces = cv2.connectedComponents(wider)
        wider = np.isin(pieces, np.unique(pieces[thing > 0])).astype(np.uint8)
        if np.count_nonzero(wider) == np.count_nonzero(thing):
            break
        thing = wider
    return np.asarray(thing, np.uint8)


def _shown(face: _Face) -> _Shown:
    blank, (gain, offset) = face.relit.blank_and_light()
    # under veiling glare a film shows less than its colour says: no ink seen is not yet no ink
    veil: Image = np.clip(channel_sum(offset) / np.maximum(channel_sum(blank), 0.3), 0, 1)
    if face.relit.washed is not None:
        veil = np.maximum(veil, face.relit.washed)
    return _Shown(blank, np.asarray(cv2.subtract(_values(face.seen), blank)), gain, offset, veil)


def _layer(face: _Face, shown: _Shown, pens: Sequence[Pen], faint: float = 1.0) -> _Layer:
    blank, veil, washed = shown.blank, shown.veil, face.relit.washed
    evidence, film, known = _of_pen(shown, face.noise, pens[0], veil, faint)
    for pen in pens[1:]:
        ratio, share, fits = _of_pen(shown, face.noise, pen, veil, faint)
        # where no pen has been, the one that drew most tells how surely
        better = fits & (ratio > np.maximum(evidence, 0))
        evidence, film = np.where(better, ratio, evidence), np.where(better, share, film)
        known |= better
    visible = face.inside & ~face.things & known
    if washed is not None:
        # what shows in spite of it is seen
        visible &= (washed < tuning.VEILED) | (evidence > 0)
    # a pen is wider than what registration leaves of a printed edge
    evidence = cv2.filter2D(evidence.astype(np.float32), -1, _TIP)
    film = cv2.filter2D(np.clip(film, 0, _fullest(pens[0])).astype(np.float32), -1, _TIP)
    for layer in (evidence, film):
        layer[~face.inside | face.things] = 0
    # on dark print a dark line never shows: nothing is hidden there that another photo would tell
    shows = face.inside & _would_show(face.relit.art, pens[0])
    hidden = float(np.count_nonzero(shows & ~visible)) / max(float(np.count_nonzero(shows)), 1.0)
    return _Layer(
        evidence,
        visible,
        film,
        hidden,
        face.seen,
        np.asarray(cv2.convertScaleAbs(cv2.max(blank, 0), alpha=255), np.uint8),
        face.inside,
        face.moved_mm,
        face.blur_mm,
    )


def _washed_out(seen: Image, relit: Relit) -> Relit:
    """The blank card with light that was added to it (a reflection's soft edge) as light, not as a brighter
    card, and how far that leaves nothing of a line (`Relit.washed`).

    Floors are bright and saturate soon; how much was added is told by the dark print about them.
    """
    size = (round(seen.shape[1] / _WASH_SHRINK), round(seen.shape[0] / _WASH_SHRINK))
    small, art = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (seen, relit.art))
    # as slowly as it varies
    gain = relit.full_gain()[_WASH_SHRINK // 2 :: _WASH_SHRINK, _WASH_SHRINK // 2 :: _WASH_SHRINK]
    usual_gain = np.array([median(gain[..., channel]) for channel in range(3)], np.float32)
    usual = np.clip(art * usual_gain, 0, 1)
    # white light adds to every channel
    added = np.clip(-strongest(usual - small), 0, 1)
    room = (1 - strongest(usual)) ** 2 + np.float32(1e-3)
    side = round(tuning.WASH_MM * PX_PER_MM / _WASH_SHRINK) | 1
    mean = cv2.blur(added * room, (side, side)) / cv2.blur(room, (side, side))
    low, high = tuning.WASHED_OUT
    if mean.max() <= low:
        return relit
    share = cv2.resize(np.asarray(mean, np.float32), seen.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    washed = np.asarray(np.clip((share - low) / (high - low), 0, 1), np.float32)
    return replace(relit, washed=washed, usual_gain=usual_gain)


def _would_show(art: Image, pen: Pen) -> NDArray[np.bool_]:
    """(H, W) where a line would show on a card in an even light."""
    if pen.known is None:
        return np.asarray(strongest(cv2.absdiff(art, (*pen.bgr, 0.0))) > tuning.SHOWS_CONTRAST)
    taken = strongest(cv2.multiply(art, (*pen.known.taken, 0.0)))
    return np.asarray(taken > tuning.KNOWN_SHOWS * pen.known.film)


def _fullest(pen: Pen) -> float:
    """The most that lines show of a pen's film: a known pen may draw a fuller one than it did once."""
    return 1.1 if pen.known is None else max(1.1, 1 / pen.known.film)


def _of_pen(
    shown: _Shown, noise: Image, pen: Pen, veil: Image, faint: float
) -> tuple[Image, Image, NDArray[np.bool_]]:
    """What speaks for a pen's film, the share of it that is there, and where that could be told; (H, W)."""
    share, rest, contrast = _cover(shown, pen)
    least, least_contrast = faint * tuning.LEAST_COVER, tuning.LEAST_CONTRAST
    if pen.known is not None:
        least, least_contrast = pen.known.least_cover, tuning.KNOWN_LEAST_CONTRAST
        noise = noise * np.float32(tuning.KNOWN_NOISE)
    spread2 = noise**2 + (faint * tuning.FILM_SPREAD * contrast) ** 2
    short = share - np.clip(share, least, _fullest(pen))
    ratio = (share**2 - short**2) * contrast**2 / (2 * spread2)
    # neither card nor ink: a highlight, a die, a finger
    tolerance2: Any = tuning.COLOUR_TOLERANCE**2
    if pen.known is not None:
        # a fuller film than the one that was measured is off by more
        tolerance2 = tolerance2 + (tuning.KNOWN_HUE * np.maximum(share, 0) * contrast) ** 2
    strange2 = rest**2 / (2 * ((1.5 * noise) ** 2 + tolerance2))
    ratio = np.clip(ratio, -tuning.EVIDENCE_LIMIT, tuning.EVIDENCE_LIMIT) * np.exp(-strange2)
    ratio = np.where(ratio < 0, ratio * (1 - veil), ratio)
    known = (contrast > least_contrast * noise) & (strange2 < 2.0)
    return ratio, share, known


def _mosaic(
    poses: Sequence[CardPose],
    layers: Sequence[_Layer],
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
        return float(np.clip(plain, tuning.KNOWN_LINE_FILM, _fullest(pens[0])))
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
