"""Fits the weights of `calibration.enrol.propose.confidence` on decks in styles for training.

    python -m tools.fit_confidence --decks samples/sets/styles --out calibration/enrol/propose/confidence.json

Draws the decks where they are missing, proposes dungeons for cards of each with none to ten others traced,
and compares them with the declared ones. The weights are the maximum a posteriori estimate of a logistic
regression for each kind of part, under a normal prior. Printed is how many of the guesses that nobody looks
at are wrong, on half of the decks by weights of the others. `python -m tools.bench_styles` tells the same of
styles that are held out.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from scipy.optimize import minimize

from calibration.enrol.propose.comparison import Judged, judged
from calibration.enrol.propose.confidence import Weights, features
from calibration.enrol.propose.knowledge import learned
from calibration.enrol.propose.parts import look
from calibration.enrol.propose.propose import drafted
from calibration.enrol.trace.tracing import LEAST_SURE
from samples.styles.decks import write_deck
from samples.styles.style import training_names
from scorer.catalogue import FILE_NAME, load_catalogue
from waymark.bench_proposals import declared_cards, face_of

#: Numbers of traced cards, cards that are measured, and decks of each family of styles.
TRACED, MEASURED, OF_A_FAMILY = (0, 1, 3, 6, 10), 12, 2
#: Precision of the normal prior on a weight; the intercept has none.
_PRECISION = 10.0
_BY_THEIR_ENDS = ("corridor", "way")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Observation:
    """A guess on a card of a deck while `traced` others are traced."""

    deck: str
    traced: int
    guess: Judged


def observed(deck: str, folder: Path) -> list[Observation]:
    """Guesses on some cards of a deck, for each number of traced cards."""
    if not (folder / FILE_NAME).exists():
        write_deck(deck, folder)
    catalogue = load_catalogue(folder)
    declared = declared_cards(catalogue)
    order = np.random.default_rng(1).permutation(len(declared))
    cards = [declared[k] for k in order[: max(TRACED) + MEASURED]]
    faces = {card.id: face_of(catalogue, card, True) for card in cards}
    sights = {card.id: look(faces[card.id], catalogue.size_of(card.id)) for card in cards}
    found = []
    for count in TRACED:
        traced = [(card, faces[card.id], catalogue.size_of(card.id)) for card in cards[:count]]
        knowledge = learned(traced, lambda card, face: sights[card.id])
        for card in cards[max(TRACED) :]:
            size_mm = catalogue.size_of(card.id)
            made = drafted(faces[card.id], size_mm, knowledge, like=card, sight=sights[card.id])
            found += [Observation(deck, count, guess) for guess in judged(made, card)]
    return found


def fitted(seen: Sequence[Observation]) -> Weights:
    """Weights of each kind of part. A corridor or staircase whose ends are no places is left out: it is wrong
    for them, and they have a confidence of their own."""
    kinds = sorted({each.guess.kind for each in seen})
    weights = {}
    for kind in kinds:
        own = [each for each in seen if each.guess.kind == kind]
        if kind in _BY_THEIR_ENDS:
            own = [each for each in own if not each.guess.lost]
        inputs = np.array([_inputs(each) for each in own])
        right = np.array([2.0 * each.guess.right - 1 for each in own])
        weights[kind] = _logistic(inputs, right)
    return weights


def _inputs(each: Observation) -> tuple[float, float, float, float]:
    return features(each.guess.chance, each.guess.line, each.traced)


def _logistic(inputs: Floats, right: Floats) -> tuple[float, float, float, float]:
    """Weights (4,) that make `right` (N,), which is 1 or -1, likeliest by `inputs` (N, 4)."""

    def cost(weights: Floats) -> float:
        misfit = np.logaddexp(0, -right * (inputs @ weights)).sum()
        return float(misfit + _PRECISION / 2 * (weights[1:] ** 2).sum())

    one, seen, line, traced = (round(float(each), 3) for each in minimize(cost, np.zeros(4)).x)
    return one, seen, line, traced


def told(seen: Sequence[Observation], weights: Mapping[str, tuple[float, ...]]) -> str:
    """How many guesses are sure, and how many of these are wrong, for each number of traced cards."""
    words = []
    for count in TRACED:
        own = [each for each in seen if each.traced == count]
        own = [each for each in own if not each.guess.lost or each.guess.kind not in _BY_THEIR_ENDS]
        odds = np.array([np.dot(weights[each.guess.kind], _inputs(each)) for each in own])
        sure = 1 / (1 + np.exp(-odds)) >= LEAST_SURE
        right = np.array([each.guess.right for each in own])
        words.append(f"{count} traced: {(sure & ~right).sum()} of {sure.sum()} sure guesses are wrong")
    return "\n".join(words)


def main() -> None:
    """Fit the weights, tell how well they hold, and write them."""
    parser = argparse.ArgumentParser(description="Confidence of proposed parts")
    parser.add_argument("--decks", type=Path, required=True, help="folder of the decks, drawn if missing")
    parser.add_argument("--out", type=Path, help="file of the weights")
    options = parser.parse_args()
    for folder in (options.decks, options.out.parent if options.out else options.decks):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"{folder} cannot be written ({error.strerror}); name another folder")
    families: dict[str, list[str]] = {}
    for name in training_names():
        families.setdefault(name.rsplit("-", 1)[0], []).append(name)
    names = [name for family in families.values() for name in family[:OF_A_FAMILY]]
    seen = [each for name in track(names) for each in observed(name, options.decks / name)]
    half = set(names[::OF_A_FAMILY])
    weights = fitted([each for each in seen if each.deck in half])
    print(told([each for each in seen if each.deck not in half], weights))
    if options.out is not None:
        text = msgspec.json.format(msgspec.json.encode(fitted(seen)), indent=1).decode()
        options.out.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
