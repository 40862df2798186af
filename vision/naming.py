"""Naming: whether a card that was found is the one it was taken for, another one, or none of the catalogue.

Neither the margin to the next best card nor the likeness alone tells: with the true card taken out of the
catalogue, its sister in another colour is far ahead of the rest, and a stranger of the same game is like any
card to some degree. Both count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.candidates import Candidate
from vision.card_index import CardIndex
from vision.likeness import least_likeness
from vision.neighbours import Size

#: What else may lie in a card's place, by its number and the quarters by which it would be turned against the
#: card that was read, and its likeness.
Rivals = dict[tuple[int, int], float]

# The numbers below were measured on 60 photos of the split `tuning-evening` of `samples/` (compositor, open
# deck), each read with all cards and with about half of its own taken out of the catalogue.

#: A rival this near in likeness leaves a doubt.
DOUBT_MARGIN = 0.08
#: Right cards reach the first number in 99 of 100; sisters of another colour came to 0.63. Below it a name is
#: asked about, unless the next best is farther behind than the second number and the likeness above the
#: third: a blurred card is.
SURE_LIKENESS, CLEAR_MARGIN, CLEAR_LIKENESS = 0.66, 0.40, 0.50
#: So far ahead, and as like its art as the last number, it is named where its colours do not speak against
#: it: glare or a hand lies over part of it. Of 35 strangers without a sister (two decks, half of the true
#: cards taken out) none came to more than 0.11; of 27 right cards that were asked about 26 to 0.19 and more.
LEADING_MARGIN = 0.20
#: Strangers came to the first number with a margin up to the second: they have no name. The only right card
#: that was less like its art was 0.19 ahead. On small cards chance says more.
STRANGE_LIKENESS, STRANGE_MARGIN = 0.45, 0.12
#: A card this much less like its art than the photo's others may be one that is not in the catalogue.
ODD_LIKENESS = 0.15
#: These were measured on cards of this size.
MEASURED_MM = (63.0, 88.0)
#: Rivals that are offered beside a name that is no more than likely.
OFFERED = 2


@dataclass(frozen=True)
class Naming:
    """How sure a card and its turn are (0..1); where they are not, the ids that it may be (best first) and
    why."""

    confidence: float
    options: tuple[str, ...] = ()
    reason: str = ""


def is_strange(candidate: Candidate, rivals: Rivals) -> bool:
    """Whether a card lies there that is most likely none of the catalogue."""
    likeness = candidate.likeness - _by_chance(candidate.placed.size_mm)
    return not candidate.close and likeness < STRANGE_LIKENESS and _margin(candidate, rivals) < STRANGE_MARGIN


def near_rivals(candidate: Candidate, rivals: Rivals) -> list[tuple[int, int]]:
    """Those that are about as like their place as the card that was read, the likest first."""
    ranked = sorted(rivals, key=lambda rival: -rivals[rival])
    return [rival for rival in ranked if candidate.likeness - rivals[rival] < DOUBT_MARGIN]


def name(candidate: Candidate, rivals: Rivals, usual: float, index: CardIndex) -> Naming:
    """How sure it is that a card is the one it was taken for.

    `usual` is the median likeness of the photo's cards: blur and dark lower that of all alike.
    """
    card = candidate.placed.card
    likeness, margin = candidate.likeness, _margin(candidate, rivals)
    confidence = float(np.clip(0.5 + 1.5 * margin, 0, 1) * np.clip((likeness - 0.2) / 0.46, 0, 1))
    ranked = sorted(rivals, key=lambda rival: -rivals[rival])
    # Of a card that is mostly covered likeness tells nothing: it may be any, or none.
    covered = candidate.close and likeness < STRANGE_LIKENESS
    if margin < DOUBT_MARGIN and not covered:
        near = near_rivals(candidate, rivals)
        others = dict.fromkeys(index.ids[rival] for rival, _ in near if rival != card)
        return Naming(confidence, (index.ids[card], *others), "alike" if others else "turned")
    if not (is_plain(candidate, rivals, usual) or (candidate.in_colour and leads(candidate, rivals))):
        others = dict.fromkeys(index.ids[rival] for rival, _ in ranked if rival != card)
        return Naming(confidence * 0.5, (index.ids[card], *list(others)[:OFFERED]), "unlike-its-art")
    return Naming(confidence)


def is_plain(candidate: Candidate, rivals: Rivals, usual: float) -> bool:
    """Whether a card is the one it was taken for by its likeness; `usual` is the photo's cards' median."""
    likeness, margin = candidate.likeness, _margin(candidate, rivals)
    clear = likeness >= SURE_LIKENESS or (likeness >= CLEAR_LIKENESS and margin >= CLEAR_MARGIN)
    return clear and margin >= DOUBT_MARGIN and usual - likeness <= ODD_LIKENESS


def leads(candidate: Candidate, rivals: Rivals) -> bool:
    """Whether a card is so far ahead of all others that it is that one, if its colours fit."""
    return candidate.likeness >= CLEAR_LIKENESS and _margin(candidate, rivals) >= LEADING_MARGIN


def _margin(candidate: Candidate, rivals: Rivals) -> float:
    return candidate.likeness - max(rivals.values(), default=-1.0)


def _by_chance(size_mm: Size) -> float:
    """By how much chance alone makes a card of a size more like its place than one of the measured size."""
    return least_likeness(size_mm) - least_likeness(MEASURED_MM)
