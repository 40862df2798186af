"""What is learned of how a deck is drawn from the cards that a person has traced: a correction of what the
network sees, pixel by pixel, from the deck's own colours and patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.proposal.parts import Sight

Array = NDArray[np.float32]
#: Random mixtures of features, so that colours can count together; steps of learning and their size.
_MIXTURES, _STEPS, _RATE = 64, 120, 0.03
#: How strongly the network's own opinion is kept, the more so the fewer cards there are.
_RIDGE = 2e-3
#: Parts of small extent count more: eight parts, as the network's training weighs them.
_WEIGHTS = np.repeat(np.array([4, 6, 1.5, 8, 8, 10, 10, 1], np.float32), 4)


@dataclass(frozen=True)
class DeckStyle:
    """Weights of features that are added to the network's log-odds."""

    mean: Array
    deviation: Array
    mixing: Array
    weights: Array

    def seen(self, sight: Sight) -> Sight:
        """The sight as this deck's style makes one see it."""
        count, rows, columns = sight.features.shape
        told = (
            _mixed(sight.features.reshape(count, -1).T, self.mean, self.deviation, self.mixing) @ self.weights
        )
        return Sight(sight.odds + told.T.reshape(-1, rows, columns), sight.features)


def learned_style(sights: Sequence[Sight], parts: Sequence[NDArray[np.uint8]]) -> DeckStyle:
    """The style that makes `sights` tell their true `parts` (32, H/2, W/2 of 255, gathered)."""
    features = np.concatenate([sight.features.reshape(len(sight.features), -1).T for sight in sights])
    odds = np.concatenate([sight.odds.reshape(len(sight.odds), -1).T for sight in sights])
    wanted = np.concatenate([part.reshape(len(part), -1).T for part in parts]).astype(np.float32) / 255
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-3
    rng = np.random.default_rng(1)
    mixing = rng.normal(0, 1, (features.shape[1] + 1, _MIXTURES)).astype(np.float32) / np.sqrt(
        features.shape[1]
    )
    inputs = _mixed(features, mean, deviation, mixing)
    weights = np.zeros((inputs.shape[1], odds.shape[1]), np.float32)
    moment, square = np.zeros_like(weights), np.zeros_like(weights)
    emphasis = 1 + (_WEIGHTS - 1) * wanted
    for step in range(1, _STEPS + 1):
        told = 1 / (1 + np.exp(-np.clip(odds + inputs @ weights, -30, 30)))
        slope = inputs.T @ (emphasis * (told - wanted)) / len(inputs) + _RIDGE * weights
        moment = 0.9 * moment + 0.1 * slope
        square = 0.98 * square + 0.02 * slope**2
        rate = _RATE * (1 - step / (_STEPS + 1))
        weights -= rate * (moment / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.98**step)) + 1e-6)
    return DeckStyle(mean.astype(np.float32), deviation.astype(np.float32), mixing, weights)


def _mixed(features: Array, mean: Array, deviation: Array, mixing: Array) -> Array:
    """(N, F + M + 1) features as they are, mixed, and one."""
    plain = (features - mean) / deviation
    one = np.ones((len(plain), 1), np.float32)
    plain = np.concatenate([plain, one], axis=1)
    return np.asarray(np.concatenate([plain, np.maximum(plain @ mixing, 0)], axis=1), np.float32)
