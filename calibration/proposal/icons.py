"""Icons: what is printed at a find, and which finds show the same. One that a person has named names all of
its repeats, whichever way it is turned; what he traced without one there (the ends of corridors, stairs,
doors) tells what is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, FindKind, Point

#: Icons are compared at this resolution of a card whose shorter side is 63 mm: a middle, and how far it may
#: be off.
_PX_PER_MM, _USUAL_SIDE_MM = 6.0, 63.0
_CORE_PX, _SHIFT_PX = 32, 7
#: So alike are two prints of one icon, and two icons that are not the same (correlation).
ALIKE, UNLIKE = 0.80, 0.55
#: What is this like a place without a find, and hardly more like any find, is none; landings lie at their
#: pits.
_LIKE_NOTHING, _AS_MUCH, _APART_MM = 0.5, 0.06, 3.0
#: The lead over another kind with which a kind is sure.
_LEAD = 0.1
#: So much less alike than the deck's repeats are is no repeat, and so much less still is; what is taken for
#: usual where fewer repeats are known.
_MUCH_LESS, _A_LITTLE_LESS, UNKNOWN_LIKENESS, _FEWEST_REPEATS = 0.10, 0.02, 0.8, 4
_TURNS = (0, 1, 2, 3)
_OTHERS = ("end", "stairs", "door", "junction")


@dataclass(frozen=True)
class Print:
    """What is printed at a find: (46, 46, 3) float32 Lab."""

    pixels: NDArray[np.float32]

    @property
    def core(self) -> NDArray[np.float32]:
        return self.pixels[_SHIFT_PX:-_SHIFT_PX, _SHIFT_PX:-_SHIFT_PX]


@dataclass(frozen=True)
class NamedPrint:
    """A print whose find a person has named; None: that is none, but another `place`."""

    print: Print
    find: FindKind | None
    value: int = 1
    place: str = "find"


@dataclass(frozen=True)
class Naming:
    """What a print is most like: the kind (None: no find) and value, and how surely (0 to 1)."""

    find: FindKind | None
    value: int
    confidence: float


def printed_at(face: NDArray[np.uint8], size_mm: Point, at_mm: Sequence[float]) -> Print:
    """The print about a place on a face (H, W, 3) BGR."""
    side = _CORE_PX + 2 * _SHIFT_PX
    unit = min(size_mm) / _USUAL_SIDE_MM / _PX_PER_MM  # mm a pixel
    scale = np.array(face.shape[1::-1]) / np.asarray(size_mm) * unit
    softened = face
    if scale.max() > 1.5:  # no finer than it is looked at
        softened = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.4 * float(scale.max())), np.uint8)
    origin = np.asarray(at_mm) / unit - side / 2
    turn = np.array([[scale[0], 0, scale[0] * origin[0]], [0, scale[1], scale[1] * origin[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(softened, turn, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return Print(np.asarray(cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32))


def alike(one: Print, other: Print) -> float:
    """How much two prints show the same, -1 to 1, at the best of four turns and small shifts: their colours
    and their edges, which tell symbols on one kind of plate apart."""
    return sum(_laid_over(one, other)) / 2


def usual_likeness(named: Sequence[NamedPrint]) -> float:
    """How much alike prints of one icon are on this deck's faces, but for the most unlike tenth."""
    best = []
    for k, one in enumerate(named):
        same = [
            alike(one.print, other.print)
            for j, other in enumerate(named)
            if j != k and one.find is not None and (other.find, other.value) == (one.find, one.value)
        ]
        if same:
            best.append(max(same))
    return float(np.quantile(best, 0.1)) if len(best) >= _FEWEST_REPEATS else UNKNOWN_LIKENESS


def _laid_over(one: Print, other: Print) -> tuple[float, float]:
    """How much two prints are alike where they are most, and how much their edges are there."""
    best, place, turned = -1.0, (0, 0), other.core
    for turn in _TURNS:
        core = np.ascontiguousarray(np.rot90(other.core, turn))
        found = cv2.matchTemplate(one.pixels, core, cv2.TM_CCOEFF_NORMED)
        row, column = np.unravel_index(int(found.argmax()), found.shape)
        if found[row, column] > best:
            best, place, turned = float(found[row, column]), (int(row), int(column)), core
    top, left = place
    under = one.pixels[top : top + _CORE_PX, left : left + _CORE_PX]
    return best, float(cv2.matchTemplate(_edges(under), _edges(turned), cv2.TM_CCOEFF_NORMED).max())


def _edges(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """How lightness rises to the right and down, beside each other (one channel, as they are compared)."""
    slopes = [cv2.Sobel(pixels[..., k], cv2.CV_32F, *step) for k in range(3) for step in ((1, 0), (0, 1))]
    return np.asarray(np.concatenate(slopes, axis=1), np.float32)


def named_prints(card: Card, face: NDArray[np.uint8], size_mm: Point) -> list[NamedPrint]:
    """The prints of all finds of a traced card, and of places where none is."""
    finds = [(node.find, node.value, node.at) for node in card.nodes if node.find]
    finds += [(find.find, find.value, find.at) for room in card.rooms for find in room.finds]
    named = [NamedPrint(printed_at(face, size_mm, at), find, value) for find, value, at in finds]
    for node in card.nodes:
        # (landings lie at their pits)
        if node.kind in _OTHERS and all(math.dist(node.at, spot) > _APART_MM for _, _, spot in finds):
            named.append(NamedPrint(printed_at(face, size_mm, node.at), None, place=node.kind))
    return named


def naming(seen: Print, known: Sequence[NamedPrint], usual: float = UNKNOWN_LIKENESS) -> Naming | None:
    """What a print is; None where nothing is known yet. `usual`: how much alike the deck's prints of one icon
    are; what is less like all of them is likely an icon that nobody has named."""
    nothing = -1.0
    best: dict[tuple[FindKind, int], tuple[float, float]] = {}
    for other in known:
        print_, edges = _laid_over(seen, other.print)
        if other.find is None:
            nothing = max(nothing, (print_ + edges) / 2)
        else:
            name = (other.find, other.value)
            best[name] = max(best.get(name, (-1.0, -1.0)), ((print_ + edges) / 2, print_))
    if not known:
        return None
    if nothing > max(_LIKE_NOTHING, max((score for score, _ in best.values()), default=-1.0) - _AS_MUCH):
        return Naming(None, 1, nothing)
    ranked = sorted(best.items(), key=lambda item: item[1], reverse=True)
    (find, value), (score, likeness) = ranked[0]
    rival = max((other for name, (other, _) in ranked if name != (find, value)), default=0.0)
    sure = np.clip((likeness - UNLIKE) / (ALIKE - UNLIKE), 0, 1) * np.clip((score - rival) / _LEAD, 0, 1)
    sure *= np.clip((score - usual + _MUCH_LESS) / (_MUCH_LESS - _A_LITTLE_LESS), 0, 1)
    return Naming(find, value, float(0.1 + 0.88 * sure))
