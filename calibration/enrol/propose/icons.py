"""Icons of a deck: templates from traced cards, recognition by template matching, and the best order of
tracing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, FindKind, Point

Pixels = NDArray[np.float32]
#: Icons are compared at this resolution of a card whose shorter side is 63 mm: a middle, and how far it may
#: be off where somebody has marked it, and where it is merely seen.
_PX_PER_MM, _USUAL_SIDE_MM = 6.0, 63.0
_CORE_PX, _MARKED_PX, _SEEN_PX = 32, 7, 16
_TURNS = (0, 1, 2, 3)
#: Where a print roughly lies is told at half the resolution; exactly, within so many pixels of there.
_ROUGHLY, _NEAR_PX = 2, 3


@dataclass(frozen=True)
class Print:
    """The image patch at a place: (32 + 2 `off_px`, 32 + 2 `off_px`, 3) float32 Lab, at `mm_per_px`. The
    icon's centre may be up to `off_px` pixels from the patch's centre."""

    pixels: Pixels
    off_px: int = _MARKED_PX
    mm_per_px: float = 1 / _PX_PER_MM

    @property
    def core(self) -> Pixels:
        return self.pixels[self.off_px : self.off_px + _CORE_PX, self.off_px : self.off_px + _CORE_PX]

    @cached_property
    def as_marked(self) -> Print:
        """The patch cropped to the smaller search margin that positions marked by a person need."""
        cut = slice(self.off_px - _MARKED_PX, self.off_px + _CORE_PX + _MARKED_PX)
        return Print(self.pixels[cut, cut], _MARKED_PX, self.mm_per_px)

    @cached_property
    def rough(self) -> Pixels:
        """The whole patch at half the resolution."""
        return _halved(self.pixels)

    @cached_property
    def rough_turns(self) -> tuple[Pixels, ...]:
        """The central part at half the resolution, rotated by each of four quarter turns."""
        core = _halved(self.core)
        return tuple(np.ascontiguousarray(np.rot90(core, turn)) for turn in _TURNS)


@dataclass(frozen=True)
class Overlay:
    """Best match of one print with another: correlation of colours (-1 to 1), correlation of edges (-1 to
    1), and the offset of the centre in mm. Edges distinguish symbols on plates of one kind."""

    colours: float
    edges: float
    off_mm: tuple[float, float]

    @property
    def likeness(self) -> float:
        return (self.colours + self.edges) / 2


def printed_at(
    face: NDArray[np.uint8], size_mm: Point, at_mm: Sequence[float], *, marked: bool = True
) -> Print:
    """The image patch about a position on a face (H, W, 3) BGR. The margin is larger for positions not
    `marked` by a person."""
    off = _MARKED_PX if marked else _SEEN_PX
    side = _CORE_PX + 2 * off
    unit = min(size_mm) / _USUAL_SIDE_MM / _PX_PER_MM  # mm a pixel
    scale = np.array(face.shape[1::-1]) / np.asarray(size_mm) * unit
    softened = face
    if scale.max() > 1.5:  # no finer than it is looked at
        softened = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.4 * float(scale.max())), np.uint8)
    origin = np.asarray(at_mm) / unit - side / 2
    turn = np.array([[scale[0], 0, scale[0] * origin[0]], [0, scale[1], scale[1] * origin[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(softened, turn, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    lab = np.asarray(cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
    return Print(lab, off, unit)


def alike(one: Print, other: Print) -> float:
    """Similarity of two prints, -1 to 1, at the best of four quarter turns and small shifts."""
    return laid_over(one, other).likeness


def laid_over(one: Print, other: Print) -> Overlay:
    """Template match of the other print's centre in one print, over four quarter turns and all shifts."""
    fields = [cv2.matchTemplate(one.rough, core, cv2.TM_CCOEFF_NORMED) for core in other.rough_turns]
    turn, row, column = (int(k) for k in np.unravel_index(int(np.argmax(fields)), np.shape(fields)))
    core = np.ascontiguousarray(np.rot90(other.core, turn))
    top, left = (max(0, _ROUGHLY * each - _NEAR_PX) for each in (row, column))
    reach = _CORE_PX + 2 * _NEAR_PX
    found = cv2.matchTemplate(one.pixels[top : top + reach, left : left + reach], core, cv2.TM_CCOEFF_NORMED)
    row, column = (int(k) for k in np.unravel_index(int(found.argmax()), found.shape))
    colours = float(found[row, column])
    top, left = top + row, left + column
    under = one.pixels[top : top + _CORE_PX, left : left + _CORE_PX]
    edges = float(cv2.matchTemplate(_edges(under), _edges(core), cv2.TM_CCOEFF_NORMED).max())
    off = ((left - one.off_px) * one.mm_per_px, (top - one.off_px) * one.mm_per_px)
    return Overlay(colours, edges, off)


def _halved(pixels: Pixels) -> Pixels:
    side = pixels.shape[0] // _ROUGHLY
    return np.asarray(cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def _edges(pixels: Pixels) -> Pixels:
    """Horizontal and vertical Sobel gradients of the three channels, concatenated side by side as one
    channel."""
    slopes = [cv2.Sobel(pixels[..., k], cv2.CV_32F, *step) for k in range(3) for step in ((1, 0), (0, 1))]
    return np.asarray(np.concatenate(slopes, axis=1), np.float32)


#: Colour correlations of two prints at which they certainly show one icon, and certainly different icons.
ALIKE, UNLIKE = 0.80, 0.55
#: What is this like a place without a find, and hardly more like any find, is none; landings lie at their
#: pits.
_LIKE_NOTHING, _AS_MUCH, _APART_MM = 0.5, 0.06, 3.0
#: Lead in similarity over the next kind at which a kind is certain.
_LEAD = 0.1
#: So much less alike than the deck's repeats are is no repeat, and so much less still is; what is taken for
#: usual where fewer repeats are known.
_MUCH_LESS, _A_LITTLE_LESS, UNKNOWN_LIKENESS, _FEWEST_REPEATS = 0.10, 0.02, 0.8, 4
_OTHERS = ("end", "stairs", "door", "junction")


@dataclass(frozen=True)
class NamedPrint:
    """A print labelled by a person with its find. Where `find` is None, the print shows another kind of
    `place`."""

    print: Print
    find: FindKind | None
    value: int = 1
    place: str = "find"


@dataclass(frozen=True)
class Naming:
    """Classification of a print: kind of find (None: no find), value, confidence (0 to 1), similarity (-1
    to 1), and offset (x, y) of the icon in mm."""

    find: FindKind | None
    value: int
    confidence: float
    likeness: float = -1.0
    off_mm: Point = (0.0, 0.0)


def usual_likeness(named: Sequence[NamedPrint], place: str, unknown: float) -> float:
    """The 10 % quantile of the best similarity between prints of one icon, or of another `place`, in this
    deck. `unknown` is returned where fewer than four repeats are known."""
    best = []
    named = [each for each in named if each.place == place]
    for k, one in enumerate(named):
        same = [
            alike(one.print, other.print)
            for j, other in enumerate(named)
            if j != k and (other.find, other.value) == (one.find, one.value)
        ]
        if same:
            best.append(max(same))
    return float(np.quantile(best, 0.1)) if len(best) >= _FEWEST_REPEATS else unknown


def named_prints(card: Card, face: NDArray[np.uint8], size_mm: Point) -> list[NamedPrint]:
    """Labelled prints of all finds of a traced card, and of places without a find."""
    finds = [(node.find, node.value, node.at) for node in card.nodes if node.find]
    finds += [(find.find, find.value, find.at) for room in card.rooms for find in room.finds]
    named = [NamedPrint(printed_at(face, size_mm, at), find, value) for find, value, at in finds]
    for node in card.nodes:
        # (landings lie at their pits)
        if node.kind in _OTHERS and all(math.dist(node.at, spot) > _APART_MM for _, _, spot in finds):
            named.append(NamedPrint(printed_at(face, size_mm, node.at), None, place=node.kind))
    return named


def naming(seen: Print, known: Sequence[NamedPrint], usual: float = UNKNOWN_LIKENESS) -> Naming | None:
    """Classification of a print by its nearest labelled print, or None where no print is labelled.
    `usual`: the usual similarity of the deck's prints of one icon. A print below it is probably an icon
    without a label."""
    if not known:
        return None
    nothing, here = -1.0, seen.as_marked
    best: dict[tuple[FindKind, int], Overlay] = {}
    for other in known:
        if other.find is None:
            nothing = max(nothing, alike(here, other.print))
        else:
            over, name = laid_over(seen, other.print), (other.find, other.value)
            if name not in best or over.likeness > best[name].likeness:
                best[name] = over
    if nothing > max(_LIKE_NOTHING, max((over.likeness for over in best.values()), default=-1.0) - _AS_MUCH):
        return Naming(None, 1, nothing)
    if not best:
        return None
    (find, value), over = max(best.items(), key=lambda item: item[1].likeness)
    rival = max((other.likeness for name, other in best.items() if name != (find, value)), default=0.0)
    sure = np.clip((over.colours - UNLIKE) / (ALIKE - UNLIKE), 0, 1)
    sure *= np.clip((over.likeness - rival) / _LEAD, 0, 1)
    sure *= np.clip((over.likeness - usual + _MUCH_LESS) / (_MUCH_LESS - _A_LITTLE_LESS), 0, 1)
    return Naming(find, value, float(0.1 + 0.88 * sure), over.likeness, over.off_mm)


#: Colours are told by a histogram over the icon's middle: so wide, in so many steps of lightness and hue.
_RADIUS_PX, _STEPS, _RANGES = 12.5, (6, 12, 12), ((0, 100), (-80, 80), (-80, 80))
#: So much alike are the colours of one icon's prints, another number on it and any turn included (the open
#: deck, tuning: 0.89 and more; other icons 0.83 and less).
_SAME_COLOURS = 0.87
#: Prints less alike than this, of quite other colours, are two looks of a kind: no key on another plate.
_ONE_LOOK, _OTHER_COLOURS = 0.5, 0.7
#: So many more looks of a kind speak as much for another one as that nobody has seen a kind yet.
_UNSEEN_KIND = 0.6


@dataclass(frozen=True)
class Looks:
    """Colour statistics for classifying icons without a label: colour histograms (N, 1728) of labelled
    prints, each of unit length, and the default kind where the colours give no decision."""

    colours: NDArray[np.float32]
    finds: tuple[tuple[FindKind, int], ...]
    rest: FindKind


def looks_of(known: Sequence[NamedPrint], usual: FindKind) -> Looks:
    """Colour statistics of the labelled prints. `usual`: the default kind of find where nothing is known."""
    named = [(each.print, each.find, each.value) for each in known if each.find]
    colours = np.array([_colours(print_.core) for print_, _, _ in named], np.float32)
    counts: dict[FindKind, list[int]] = {}
    for k, (print_, find, _) in enumerate(named):
        firsts = counts.setdefault(find, [])
        if all(
            colours[k] @ colours[j] < _OTHER_COLOURS and alike(print_, named[j][0]) < _ONE_LOOK
            for j in firsts
        ):
            firsts.append(k)
    more = {find: len(firsts) - 1.0 for find, firsts in counts.items()}
    more |= {find: _UNSEEN_KIND for find in get_args(FindKind) if find not in counts}
    more.setdefault(usual, 0.0)
    rest = max(more, key=lambda find: (more[find], find == usual)) if named else usual
    return Looks(colours, tuple((find, value) for _, find, value in named), rest)


def guessed(seen: Print, looks: Looks) -> tuple[FindKind, int] | None:
    """Kind and value guessed from colours for a print that matches no labelled one. None where several
    kinds have the same colours, as with icons drawn in one ink."""
    same = looks.colours @ _colours(seen.core) if looks.finds else np.zeros(0)
    near = {looks.finds[k] for k in np.flatnonzero(same >= _SAME_COLOURS)}
    if len({find for find, _ in near}) > 1:
        return None
    return looks.finds[int(same.argmax())] if near else (looks.rest, 1)


def _colours(core: Pixels) -> NDArray[np.float32]:
    """Square roots (1728,) of a normalised Lab histogram. The dot product of two is the Bhattacharyya
    coefficient."""
    rows, columns = np.mgrid[: core.shape[0], : core.shape[1]] - (core.shape[0] - 1) / 2
    pixels = core[rows**2 + columns**2 < _RADIUS_PX**2]
    low, high = (np.array([each[k] for each in _RANGES]) for k in (0, 1))
    place = np.clip((pixels - low) / (high - low) * _STEPS - 0.5, 0, np.array(_STEPS) - 1.001)
    first = place.astype(int)
    counted = np.zeros(_STEPS)
    for corner in np.ndindex(2, 2, 2):  # each pixel counts for the eight steps about it
        share = np.prod(np.where(corner, place - first, 1 - (place - first)), axis=1)
        np.add.at(counted, tuple((first + corner).T), share)
    return np.asarray(np.sqrt(counted / counted.sum()).ravel(), np.float32)


#: Correlation above which two prints count as one icon.
_SAME = 0.86
#: Greatest number of cards listed.
_TOLD = 10
#: Greatest number of prints that are compared pairwise.
_MOST = 400


def most_told_next(
    cards: Sequence[tuple[Card, NDArray[np.uint8], Point]], known: Sequence[NamedPrint]
) -> list[str]:
    """The ids of up to ten cards in the most informative order of tracing. Each card shows the most
    frequent icons that no traced card and no earlier card in the order shows."""
    seen: list[tuple[str, Print]] = []
    for card, face, size_mm in cards:
        spots = [node.at for node in card.nodes if node.find]
        spots += [find.at for room in card.rooms for find in room.finds]
        seen += [(card.id, printed_at(face, size_mm, at)) for at in spots]
    seen = seen[:_MOST]
    groups: list[tuple[Print, list[str]]] = []
    for card_id, print_ in seen:
        for first, members in groups:
            if alike(print_, first) >= _SAME:
                members.append(card_id)
                break
        else:
            groups.append((print_, [card_id]))
    unknown = [
        members for first, members in groups if all(alike(first, other.print) < _SAME for other in known)
    ]
    order: list[str] = []
    left = [card.id for card, _, _ in cards]
    while left and len(order) < _TOLD:
        worth = {id_: sum(len(members) for members in unknown if id_ in members) for id_ in left}
        best = max(left, key=lambda id_: worth[id_])
        order.append(best)
        left.remove(best)
        unknown = [members for members in unknown if best not in members]
    return order
