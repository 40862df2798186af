"""Assignment of one photo's views to known cards: odds of each pair -> posterior probability of each pair.

A view is one of the known cards or a new one. The views of one photo compete for the cards, since a box
seldom holds two equal cards and one photo seldom shows both. The posterior is the mean-field approximation of
that model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: Prior share of a card that a second view of the same photo may still take, since a box may hold copies.
_COPIES = 0.02
_ROUNDS = 12


def posteriors(odds: Sequence[Mapping[int, float]]) -> list[dict[int, float]]:
    """Posterior probability that each view is each known card (its number), from the odds of a match against
    a new card. The rest up to 1 is the probability of a new card."""
    found = [_normalised(dict(each)) for each in odds]
    for _ in range(_ROUNDS):
        for view, each in enumerate(odds):
            others = [told for number, told in enumerate(found) if number != view]
            found[view] = _normalised({card: ratio * _free(card, others) for card, ratio in each.items()})
    return found


def _free(card: int, others: Sequence[Mapping[int, float]]) -> float:
    """Probability that no other view takes the card, or that the card has a copy."""
    free = 1.0
    for told in others:
        free *= 1 - (1 - _COPIES) * told.get(card, 0.0)
    return free


def _normalised(weights: dict[int, float]) -> dict[int, float]:
    total = 1.0 + sum(weights.values())
    return {card: weight / total for card, weight in weights.items()}
