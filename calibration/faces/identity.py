"""Which card a face is: one that is known, one that is new, or a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.faces.likeness import Difference, Face, compare, glance, prepared
from vision.art import read_art

Field = NDArray[np.float32]
Size = tuple[float, float]
Verdict = Literal["same", "doubt", "other"]

#: Faces less alike at a glance are not looked at closely; nor are more than so many.
_GLANCE, _CLOSE_LOOKS = 0.5, 5
#: A face turned by 180 degrees is as like itself at a glance where it may be a back.
_SYMMETRIC = 0.7
# What was measured on rendered views of the tuning split (docs/DESIGN.md, "Enrolment"): see `verdict_of`.
SAME_STRUCTURE, OTHER_STRUCTURE = 3.7, 6.0
SAME_HUE, OTHER_HUE = 7.0, 11.0
LEAST_SEEN, LEAST_ALIKE, OTHER_ALIKE = 0.55, 0.8, 0.6


@dataclass(frozen=True)
class Match:
    """A known face (by its number) that a view may be, turned clockwise by so many quarters to lie as it
    does."""

    known: int
    quarters: int
    verdict: Verdict
    difference: Difference

    @property
    def confidence(self) -> float:
        """How sure it is that they are the same, 0 to 1."""
        nearness = 1 - self.difference.structure / (2 * OTHER_STRUCTURE)
        return round(max(0.0, min(0.99, nearness * (0.5 + 0.5 * self.difference.seen))), 3)


def verdict_of(difference: Difference) -> Verdict:
    """What a close look says."""
    if difference.alike < OTHER_ALIKE or difference.structure > OTHER_STRUCTURE or difference.hue > OTHER_HUE:
        return "other"
    sure = difference.structure <= SAME_STRUCTURE and difference.hue <= SAME_HUE
    return "same" if sure and difference.seen >= LEAST_SEEN and difference.alike >= LEAST_ALIKE else "doubt"


@dataclass(frozen=True)
class LookedUp:
    """A face that is known at a glance, and whose picture is fetched where it is looked at closely."""

    at_a_glance: Field
    _close: Callable[[], Face | None]

    @classmethod
    def of_pixels(cls, pixels: NDArray[np.uint8], size_mm: Size) -> LookedUp:
        """A face (H, W, 3) BGR."""
        face = prepared(pixels, size_mm)
        return cls(face.glance, lambda: face)

    @classmethod
    def of_file(cls, folder: Path, art: str, size_mm: Size) -> LookedUp | None:
        """The art of a catalogue; None where there is none. What it is at a glance is kept until the file
        changes."""
        file = folder / art
        try:
            changed = file.stat().st_mtime_ns
        except OSError:
            return None
        seen = _glance_of(file, changed, size_mm)
        return None if seen is None else cls(seen, partial(_face_of, file, size_mm))

    def closely(self) -> Face | None:
        """The face for `compare`."""
        return self._close()


def _face_of(file: Path, size_mm: Size) -> Face | None:
    pixels = read_art(file)
    return None if pixels is None else prepared(pixels, size_mm)


@lru_cache(maxsize=4096)
def _glance_of(file: Path, changed: int, size_mm: Size) -> Field | None:
    face = _face_of(file, size_mm)
    return None if face is None else face.glance


def best_match(one: LookedUp, known: Sequence[LookedUp], quarters: Sequence[int]) -> Match | None:
    """The known face that a face is or may be, whichever way it lies; None where it is none of them."""
    ways = []
    for turn in quarters:
        lying = np.ascontiguousarray(np.rot90(one.at_a_glance, -turn))
        ways += [(glance(lying, other.at_a_glance), number, turn) for number, other in enumerate(known)]
    ways.sort(key=lambda each: -each[0])
    doubt: Match | None = None
    for alike, number, turn in ways[:_CLOSE_LOOKS]:
        face, other = one.closely(), known[number].closely()
        if alike < _GLANCE or face is None or other is None:
            break
        difference = compare(face.turned_by(turn), other)
        match = Match(number, turn, verdict_of(difference), difference)
        if match.verdict == "same":
            return match
        if match.verdict == "doubt" and (doubt is None or difference.structure < doubt.difference.structure):
            doubt = match
    return doubt


def is_symmetric(one: LookedUp) -> bool:
    """Whether a face is the same both ways up, as backs are."""
    if glance(np.ascontiguousarray(one.at_a_glance[::-1, ::-1]), one.at_a_glance) < _SYMMETRIC:
        return False
    face = one.closely()
    return face is not None and compare(face.turned_by(2), face).alike >= _SYMMETRIC


def quarters_of(size_mm: tuple[float, float]) -> tuple[int, ...]:
    """The ways a card may lie that its outline does not tell."""
    return (0, 1, 2, 3) if abs(size_mm[0] - size_mm[1]) < 0.01 * size_mm[0] else (0, 2)
