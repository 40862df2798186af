"""What an icon may be that is like none that anybody has named: one of a named one's colours, turned or of
another number; else another look of the kind that has most of them, or the kind that nobody has seen yet.
Such a guess is never sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from calibration.proposal.icons import NamedPrint
from calibration.proposal.prints import Pixels, Print, alike
from scorer.catalogue import FindKind

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
    """What named prints tell of those that nobody has named: their colours (N, 1728), each of length one,
    and the kind that is likeliest where the colours tell nothing."""

    colours: NDArray[np.float32]
    finds: tuple[tuple[FindKind, int], ...]
    rest: FindKind


def looks_of(known: Sequence[NamedPrint], usual: FindKind) -> Looks:
    """What named prints tell; `usual`: what a find is where nothing is known."""
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
    """The kind and value that a print may be that is like no named one; None where it has the colours of
    several, as icons have that are drawn in one ink."""
    same = looks.colours @ _colours(seen.core) if looks.finds else np.zeros(0)
    near = {looks.finds[k] for k in np.flatnonzero(same >= _SAME_COLOURS)}
    if len({find for find, _ in near}) > 1:
        return None
    return looks.finds[int(same.argmax())] if near else (looks.rest, 1)


def _colours(core: Pixels) -> NDArray[np.float32]:
    """Roots of how often colours occur, so that a product of two is how much alike they are."""
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
