"""Identification of a card's face: a known card, a new card, or an open question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.faces.likeness import Difference, Face, compare, glance, glances, prepared, registered
from vision.cards.index import read_art

Field = NDArray[np.float32]
Size = tuple[float, float]
Rgb = tuple[float, float, float]
Verdict = Literal["same", "doubt", "other"]

#: Number of known faces that a face is laid on; lowest descriptor correlation for a close comparison then,
#: and the greatest number of close comparisons.
_LAID, GLANCE, _CLOSE_LOOKS = 12, 0.5, 6
#: So much of a face is like its own photograph with a line and a ring on it, at least: 0.95 of one of the
#: open deck, and 0.63 of the likest of two others.
_LINES_ALIKE = 0.8
#: Lowest correlation of a face with itself rotated by 180 degrees for a possible back.
_SYMMETRIC = 0.7
#: Log odds that two views with these differences show one card: intercept, and factors of the logarithms of
#: `structure`, `hue` and `colour`, each plus the offset. Fitted by logistic regression (docs/experiments.md).
_LOG_ODDS, _OFFSET = (16.7, -1.69, -6.92, -2.46), 0.3
#: Probability above which a match is certain. Below the complement the cards differ.
SURE = 0.98
#: Greatest odds, either way, of a comparison that cannot be certain.
_MOST_DOUBTFUL = 10.0
#: Structure up to which two drawings are certainly equal (another number on a coin differs by at least 3.2
#: where views are soft), up to which they may be, and above which they differ at any glare.
SAME_STRUCTURE, DRAWN_ALIKE, OTHER_STRUCTURE = 2.8, 3.4, 8.0
#: Correlation above which two faces have one drawing, if perhaps in two colours (docs/experiments.md).
ONE_DRAWING = 0.94
LEAST_SEEN, LEAST_ALIKE, OTHER_ALIKE = 0.55, 0.8, 0.6
# A wash of a colour over all of a sibling is told from light by its cast alone: of 1427 pairs of siblings
# (six decks, tuning) 22 pass for one card by their places, and none of these by its cast (least: 0.119).
# Where a photo shows siblings of one colour only, their paper has it: papers of two photos are alike to this.
SAME_CAST, SAME_LIGHT = 0.06, 0.12
#: In one photo, whose light is one but for lamps of two colours, so much hue or cast makes another card.
SIBLING_HUE, SIBLING_CAST = 1.7, 0.15
#: Glare on more of a card than this colours what lies about it, too: then colour alone makes no other card.
CLEARLY_SEEN = 0.9


@dataclass(frozen=True)
class Match:
    """A candidate for a view: the number of a known face, with the clockwise quarter turns that align the
    view with it."""

    known: int
    quarters: int
    verdict: Verdict
    difference: Difference

    @property
    def odds(self) -> float:
        """Odds that the two faces are the same card against two cards. A doubtful match is never certain."""
        ratio = odds_of(self.difference)
        return min(ratio, _MOST_DOUBTFUL) if self.verdict == "doubt" else ratio

    @property
    def drawn_alike(self) -> bool:
        """Whether the drawings are equal, whatever their colours. This is enough to recognise backs."""
        told = self.difference
        shown = told.seen >= LEAST_SEEN and told.alike >= LEAST_ALIKE
        return shown and told.structure <= DRAWN_ALIKE

    @property
    def confidence(self) -> float:
        """Confidence that the two faces are the same, 0 to 1."""
        return round(min(0.99, self.odds / (1 + self.odds)), 3)


def odds_of(difference: Difference) -> float:
    """Odds that two views show the same card, from a close comparison. They stay doubtful where too little is
    visible, or where the whole face differs in colour as in another light."""
    if difference.alike < OTHER_ALIKE or difference.structure > OTHER_STRUCTURE:
        return 0.0
    told = np.log(np.array([difference.structure, difference.hue, difference.colour]) + _OFFSET)
    ratio = float(np.exp(_LOG_ODDS[0] + told @ np.array(_LOG_ODDS[1:])))
    shown = difference.seen >= LEAST_SEEN and difference.alike >= LEAST_ALIKE
    if not shown or difference.cast > SAME_CAST or difference.structure > SAME_STRUCTURE:
        ratio = min(ratio, _MOST_DOUBTFUL)
    return ratio if difference.seen >= CLEARLY_SEEN else max(ratio, 1 / _MOST_DOUBTFUL)


def verdict_of(difference: Difference) -> Verdict:
    """Verdict of a close comparison: certain either way, or a doubt."""
    share = odds_of(difference) / (1 + odds_of(difference))
    if share > SURE:
        return "same"
    return "other" if share < 1 - SURE else "doubt"


@dataclass(frozen=True)
class LookedUp:
    """A face with its thumbnail descriptor. The full picture is loaded only for a close comparison.
    `papers`: the paper colours of the photos that the face was balanced from; empty where unknown."""

    at_a_glance: Field
    _close: Callable[[], Face | None]
    papers: tuple[Rgb, ...] = ()

    @classmethod
    def of_pixels(cls, pixels: NDArray[np.uint8], size_mm: Size, papers: tuple[Rgb, ...] = ()) -> LookedUp:
        """From the image of a face (H, W, 3) BGR."""
        face = prepared(pixels, size_mm)
        return cls(face.glance, lambda: face, papers)

    @classmethod
    def of_file(cls, folder: Path, art: str, size_mm: Size, papers: tuple[Rgb, ...] = ()) -> LookedUp | None:
        """From the catalogue's art file, or None where it is missing. The descriptor is cached until the
        file changes."""
        file = folder / art
        try:
            changed = file.stat().st_mtime_ns
        except OSError:
            return None
        seen = _glance_of(file, changed, size_mm)
        return None if seen is None else cls(seen, partial(_face_of, file, size_mm), papers)

    def closely(self) -> Face | None:
        """The face at full resolution, as `compare` needs it, or None where it cannot be read."""
        return self._close()

    def in_the_light_of(self, other: LookedUp) -> bool:
        """Whether both faces were photographed in light of about the same colour. Otherwise balancing may
        have removed a card's own colour."""
        lights = [[_tint(each) for each in face.papers] for face in (self, other)]
        apart = [float(np.abs(one - two).max()) for one in lights[0] for two in lights[1]]
        return not apart or min(apart) <= SAME_LIGHT


def _tint(paper: Rgb) -> NDArray[np.float64]:
    told = np.log(np.maximum(np.array(paper), 1e-3))
    return np.asarray(told - told.mean(), np.float64)


def _face_of(file: Path, size_mm: Size) -> Face | None:
    pixels = read_art(file)
    return None if pixels is None else prepared(pixels, size_mm)


@lru_cache(maxsize=4096)
def _glance_of(file: Path, changed: int, size_mm: Size) -> Field | None:
    face = _face_of(file, size_mm)
    return None if face is None else face.glance


def best_match(one: LookedUp, known: Sequence[LookedUp], quarters: Sequence[int]) -> Match | None:
    """The best match of a face among the known faces over the given rotations, or None where no face
    matches."""
    return nearest_of(close_looks(one, known, quarters))


def close_looks(one: LookedUp, known: Sequence[LookedUp], quarters: Sequence[int]) -> list[Match]:
    """Close comparisons of a face with the known faces that have the most similar descriptors once it is laid
    on them."""
    ways = []
    for turn in quarters:
        lying = np.ascontiguousarray(np.rot90(one.at_a_glance, -turn))
        alike = glances(lying, [other.at_a_glance for other in known])
        ways += [(each, number, turn) for number, each in enumerate(alike)]
    ways.sort(key=lambda each: -each[0])
    face = one.closely()
    laid: list[tuple[float, int, int, Face, Face]] = []
    for _, number, turn in ways[:_LAID] if face is not None else []:
        other = known[number].closely()
        if face is not None and other is not None:
            lying_on = registered(face.turned_by(turn), other)
            laid.append((glance(lying_on.glance, other.glance), number, turn, lying_on, other))
    laid.sort(key=lambda each: -each[0])
    found: list[Match] = []
    for seen, number, turn, lying_on, other in laid[:_CLOSE_LOOKS]:
        if seen < GLANCE:
            break
        difference = compare(lying_on, other)
        verdict = verdict_of(difference)
        if verdict == "same" and not one.in_the_light_of(known[number]):
            verdict = "doubt"
        found.append(Match(number, turn, verdict, difference))
    return found


def nearest_of(found: Sequence[Match]) -> Match | None:
    """The likeliest of several matches, or None. Its verdict is "doubt" where a second face is about as
    likely."""
    likely = sorted((match for match in found if match.verdict != "other"), key=lambda match: -match.odds)
    if not likely:
        return None
    nearest = likely[0]
    rivals = sum(match.odds for match in likely if match.known != nearest.known)
    return nearest if nearest.odds > SURE / (1 - SURE) * rivals else replace(nearest, verdict="doubt")


def like_but_for_lines(one: LookedUp, known: Sequence[LookedUp], quarters: Sequence[int]) -> Match | None:
    """The known face with drawn lines that a blank face may match, since most of its cells agree. The
    verdict is never "same"; None where no face matches."""
    found = []
    for turn in quarters:
        lying = np.ascontiguousarray(np.rot90(one.at_a_glance, -turn))
        for number, other in enumerate(known):
            if glance(lying, other.at_a_glance) >= GLANCE:
                face, drawn_on = one.closely(), other.closely()
                if face is not None and drawn_on is not None:
                    difference = compare(face.turned_by(turn), drawn_on)
                    found.append(Match(number, turn, "doubt", difference))
    nearest = max(found, key=lambda match: match.difference.alike, default=None)
    return nearest if nearest is not None and nearest.difference.alike >= _LINES_ALIKE else None


def is_symmetric(one: LookedUp) -> bool:
    """Whether a face is equal to itself rotated by 180 degrees, as backs are, also where its outline was
    found a little beside it."""
    face = one.closely()
    if face is None:
        return False
    turned = registered(face.turned_by(2), face)
    return glance(turned.glance, face.glance) >= _SYMMETRIC and compare(turned, face).alike >= _SYMMETRIC


def quarters_of(size_mm: tuple[float, float]) -> tuple[int, ...]:
    """The quarter turns that a card's outline leaves open: four for a square card, two for any other."""
    return (0, 1, 2, 3) if abs(size_mm[0] - size_mm[1]) < 0.01 * size_mm[0] else (0, 2)
