"""Icons: what is printed at a find, and which finds show the same. One that a person has named names all of
its repeats, whichever way it is turned; what he traced without one there (the ends of corridors, stairs,
doors) tells what is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.proposal.prints import Overlay, Print, alike, laid_over, printed_at
from scorer.catalogue import Card, FindKind, Point

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
_OTHERS = ("end", "stairs", "door", "junction")


@dataclass(frozen=True)
class NamedPrint:
    """A print whose find a person has named; None: that is none, but another `place`."""

    print: Print
    find: FindKind | None
    value: int = 1
    place: str = "find"


@dataclass(frozen=True)
class Naming:
    """What a print is most like: the kind (None: no find) and value, and how surely (0 to 1); how much alike
    it is (-1 to 1), and how far off its icon lies (x, y) in mm."""

    find: FindKind | None
    value: int
    confidence: float
    likeness: float = -1.0
    off_mm: Point = (0.0, 0.0)


def usual_likeness(named: Sequence[NamedPrint], place: str, unknown: float) -> float:
    """How much alike prints of one icon, or of another `place`, are on this deck's faces, but for the most
    unlike tenth; `unknown` where fewer than four are known."""
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
