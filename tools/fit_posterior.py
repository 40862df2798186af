"""Fits the weights of `waymark.review.tableau.posterior` on photos with known truth.

    python -m tools.keep_readings PHOTOS --out READINGS
    python -m tools.fit_posterior PHOTOS=READINGS ... --out waymark/review/tableau/posterior.json
    python -m tools.fit_posterior PHOTOS=READINGS ...

A careful player answers the questions of each photo; every assessment on the way is one observation, by
whether its score is right. The weights are the maximum a posteriori estimate of a noisy-OR with logistic
causes under normal priors. It is fitted once more without each tenth of the photos, to tell how well it is
calibrated on photos that it has not seen. Without `--out` nothing is fitted, and the same is told of the
weights in use.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from tools.keep_readings import decks_below, kept_readings
from waymark.bench.bounds import upper_bound
from waymark.bench.players import Truth, play
from waymark.cluster import deck_named
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.posterior import UNSEEN, UNSEEN_LOG_ODDS, WHOLE, Weights

#: Precision of the normal prior on a weight, of the mean of each bias, and the precision of that.
_PRECISION, _BIAS_PRECISION = 1.0, 0.01
_BIAS = {"doubt": -3.0, "reading": -4.0}
#: Photos in which a feature of a doubt has to occur to get a weight.
_LEAST_PHOTOS = 4
_FOLDS = 10

Features = Mapping[str, float]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Observation:
    """An assessment of a photo: the features of the reading (None: somebody has checked the whole path) and
    of the doubts, and whether the score is `right`. `folder` is that of the photos. `first`: it is before any
    answer. `told`: the probability by the weights now in use. `sure`: it would be, were every doubt ruled
    out."""

    photo: str
    folder: str
    reading: Features | None
    doubts: tuple[Features, ...]
    right: bool
    first: bool
    told: float
    sure: bool


def observed(photos: Path, readings: Path) -> Iterator[Observation]:
    """The observations of all photos of a set with a kept reading."""
    for kept in kept_readings(photos, readings, decks_below(photos)):
        if kept.reading is None:
            continue
        truth = Truth(kept.seen, Table(deck_named(kept.deck)))
        seen: list[Assessment] = []
        play(kept.reading, truth, "careful", seen.append)
        for number, now in enumerate(seen):
            features = {cause.name: cause.features for cause in now.causes}
            yield Observation(
                photo=kept.name,
                folder=photos.name,
                reading=features.pop(WHOLE, None),
                doubts=tuple(features.values()),
                right=truth.right(now),
                first=number == 0,
                told=now.probability,
                sure=assess(kept.reading, truth.table, truth.terms, certainty=0.0).sure,
            )


@dataclass(frozen=True)
class Design:
    """The features of observations as arrays. `doubts` (M, D) and `owner` (M,) are the doubts with the index
    of the observation of each, `least` (M,) the log-odds that each has at least; `reading` (N, R) with
    `whole` (N,), whether the reading counts as a cause; `right` and `weight` (N,)."""

    doubts: Floats
    owner: NDArray[np.intp]
    least: Floats
    reading: Floats
    whole: NDArray[np.bool_]
    right: NDArray[np.bool_]
    weight: Floats


def feature_names(observations: Sequence[Observation]) -> tuple[list[str], list[str]]:
    """The names of the features of doubts and of readings that get a weight."""
    seen = {(each.photo, name) for each in observations for doubt in each.doubts for name in doubt}
    photos = Counter(name for _, name in seen)
    of_doubts = sorted(name for name, count in photos.items() if count >= _LEAST_PHOTOS)
    return of_doubts, sorted({name for each in observations for name in each.reading or ()})


def design(observations: Sequence[Observation], names: tuple[list[str], list[str]]) -> Design:
    """The observations as arrays. Those of one photo weigh as much as the root of their number."""
    counts = Counter(each.photo for each in observations)
    doubts = [(k, doubt) for k, each in enumerate(observations) for doubt in each.doubts]
    return Design(
        doubts=_matrix([doubt for _, doubt in doubts], names[0]),
        owner=np.array([k for k, _ in doubts], np.intp),
        least=np.array([UNSEEN_LOG_ODDS if UNSEEN in doubt else -np.inf for _, doubt in doubts]),
        reading=_matrix([each.reading or {} for each in observations], names[1]),
        whole=np.array([each.reading is not None for each in observations]),
        right=np.array([each.right for each in observations]),
        weight=np.array([counts[each.photo] ** -0.5 for each in observations]),
    )


def _matrix(rows: Sequence[Features], names: Sequence[str]) -> Floats:
    return np.array([[row.get(name, 0.0) for name in names] for row in rows], float).reshape(-1, len(names))


def log_right(design: Design, doubt: Floats, reading: Floats) -> Floats:
    """(N,) log probability that each score is right."""
    total = np.where(design.whole, -np.logaddexp(0.0, design.reading @ reading), 0.0)
    np.add.at(total, design.owner, -np.logaddexp(0.0, np.maximum(design.doubts @ doubt, design.least)))
    return total


def fitted(observations: Sequence[Observation]) -> Weights:
    """The likeliest weights. A larger lag never makes a doubt likelier."""
    names = feature_names(observations)
    arrays, (doubts, readings) = design(observations, names), map(len, names)
    mean = np.array([_prior_mean(name) for each in names for name in each])
    loose = np.array([name in _BIAS or name.startswith("ruled ") for each in names for name in each])
    precision = np.where(loose, _BIAS_PRECISION, _PRECISION)
    bounds = [(None, 0.0 if name.startswith("lag ") else None) for name in names[0]] + [
        (None, None)
    ] * readings

    def loss(weights: Floats) -> tuple[float, Floats]:
        doubt, reading = weights[:doubts], weights[doubts:]
        logs = np.minimum(log_right(arrays, doubt, reading), -1e-9)
        wrong = -np.expm1(logs)
        likelihood = np.where(arrays.right, logs, np.log(wrong)) @ arrays.weight
        slope = -arrays.weight * np.where(arrays.right, 1.0, -np.exp(logs) / wrong)
        log_odds = arrays.doubts @ doubt
        by_doubt = -slope[arrays.owner] * _chance(log_odds) * (log_odds > arrays.least)
        by_reading = -slope * arrays.whole * _chance(arrays.reading @ reading)
        off = weights - mean
        gradient = np.r_[arrays.doubts.T @ by_doubt, arrays.reading.T @ by_reading] + precision * off
        return float(-likelihood + 0.5 * (precision * off) @ off), gradient

    found = minimize(loss, mean, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000}).x
    told = [round(float(value), 3) for value in found]
    return Weights(
        doubt=dict(zip(names[0], told[:doubts], strict=True)),
        reading=dict(zip(names[1], told[doubts:], strict=True)),
    )


def _prior_mean(name: str) -> float:
    """Where nothing is known better, a nat of lag takes one from a doubt's log-odds, as a likelihood does."""
    return -1.0 if name.startswith("lag ") else _BIAS.get(name, 0.0)


def _chance(logits: Floats) -> Floats:
    return np.exp(-np.logaddexp(0.0, -logits))


def probabilities(observations: Sequence[Observation], weights: Weights) -> Floats:
    """(N,) probability that each score is right."""
    names = list(weights.doubt), list(weights.reading)
    doubt, reading = (np.array(list(each.values())) for each in (weights.doubt, weights.reading))
    return np.exp(log_right(design(observations, names), doubt, reading))


def held_out(observations: Sequence[Observation]) -> Floats:
    """(N,) probability that each score is right, by weights fitted without its tenth of the photos."""
    photos = sorted({each.photo for each in observations})
    random.Random(0).shuffle(photos)
    fold = {photo: number % _FOLDS for number, photo in enumerate(photos)}
    told = np.zeros(len(observations))
    for number in range(_FOLDS):
        kept = [each for each in observations if fold[each.photo] != number]
        out = [k for k, each in enumerate(observations) if fold[each.photo] == number]
        told[out] = probabilities([observations[k] for k in out], fitted(kept))
    return told


#: Bounds of the bins of a calibration diagram.
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


def calibration(right: NDArray[np.bool_], told: Floats) -> Iterator[str]:
    """Lines of a table: the mean probability and the share that is right by bin, and the expected calibration
    error."""
    error = 0.0
    yield "| probability | photos | mean | right |"
    yield "|---|---|---|---|"
    for low, high in pairwise(BINS):
        here = (told >= low) & ((told < high) | (high == 1.0))
        if here.any():
            mean, share = told[here].mean(), right[here].mean()
            error += here.mean() * abs(mean - share)
            yield f"| {low:.2f} to {high:.2f} | {here.sum()} | {mean:.3f} | {share:.3f} |"
    yield f"expected calibration error {error:.4f} of {len(told)}"


#: Certainties that a trade is told for.
CERTAINTIES = (0.0, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998)


def trade(observations: Sequence[Observation], told: Floats) -> Iterator[str]:
    """Lines of a table: how many are sure, and how many of those wrong, by the certainty asked for."""
    yield f"| certainty | sure of {len(observations)} | wrong | at most (95%) |"
    yield "|---|---|---|---|"
    for certainty in CERTAINTIES:
        sure = [
            each.right
            for each, chance in zip(observations, told, strict=True)
            if each.sure and chance >= certainty
        ]
        bound = upper_bound(sure.count(False), len(sure))
        yield f"| {certainty} | {len(sure)} | {sure.count(False)} | {bound or 1.0:.4f} |"


def main() -> None:
    """Fit the weights, or tell how well those in use do."""
    parser = argparse.ArgumentParser(description="Fit the posterior of scores")
    parser.add_argument("sets", nargs="+", metavar="PHOTOS=READINGS")
    parser.add_argument("--out", type=Path, help="file of the weights; without it nothing is fitted")
    options = parser.parse_args()
    pairs = [map(Path, each.split("=")) for each in options.sets]
    observations = [each for photos, readings in pairs for each in observed(photos, readings)]
    if options.out is not None:
        told = held_out(observations)
        plain = msgspec.json.encode(fitted(observations))
        options.out.write_bytes(msgspec.json.format(plain, indent=1) + b"\n")
    else:
        told = np.array([each.told for each in observations])
    firsts = [k for k, each in enumerate(observations) if each.first]
    folders = list(dict.fromkeys(each.folder for each in observations))
    for chosen in ([folders] if len(folders) > 1 else []) + [[folder] for folder in folders]:
        here = [k for k in firsts if observations[k].folder in chosen]
        before = [observations[k] for k in here]
        print(" and ".join(chosen))
        print("\n".join(calibration(np.array([each.right for each in before]), told[here])))
        print("\n".join(trade(before, told[here])))


if __name__ == "__main__":
    main()
