"""Confidence of a proposed part: the chance that it is right, by logistic regression on what was seen of it
(Platt 1999, "Probabilistic outputs for support vector machines").

A corridor is judged by its own line: what stands at its ends has a confidence of its own. A place is judged
by what was seen of it and by the weakest line that meets it. `tools.fit_confidence` fits the weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from calibration.enrol.trace.tracing import Part
from scorer.catalogue import Card, Edge, Node, Room

#: Weights of a kind of part: intercept, log-odds of what was seen of it, log-odds of the weakest line that
#: meets it, and the logarithm of one plus the number of traced cards.
Weights = Mapping[str, tuple[float, float, float, float]]
#: What is seen is never told as likelier than this, nor as likelier not to be there.
_LEAST, _MOST = 0.01, 0.99


def kind_of(part: Part) -> str:
    """Kind of a part: "opening", "find", "corridor", ...; "way" is a staircase between two levels."""
    if isinstance(part, Node):
        return part.kind
    if isinstance(part, Edge):
        return kind_of_link(part.kind)
    return "room" if isinstance(part, Room) else "find"


def kind_of_link(kind: str) -> str:
    """Kind of an edge, whose staircases are told from the stairs at their ends."""
    return "way" if kind == "stairs" else kind


def lines_at(card: Card) -> dict[str, float]:
    """Chance of the weakest line that meets each place, by the place's id."""
    weakest: dict[str, float] = {}
    for edge in card.edges:
        for place in (edge.from_, edge.to):
            chance = _MOST if edge.confidence is None else edge.confidence
            weakest[place] = min(weakest.get(place, _MOST), chance)
    return weakest


def features(chance: float, line: float | None, traced: int) -> tuple[float, float, float, float]:
    """What the weights of a part are multiplied with. `chance`: what was seen of it. `line`: the chance of
    the weakest line that meets it, or None where none has to."""
    return 1.0, _log_odds(chance), 0.0 if line is None else _log_odds(line), math.log1p(traced)


def confident(card: Card, traced: int, weights: Weights | None = None) -> Card:
    """The card with each part's chance turned into its confidence, where `traced` cards of its deck are
    traced."""
    known = fitted_weights() if weights is None else weights
    lines = lines_at(card)

    def told(part: Part, line: float | None = None) -> float:
        seen = features(part.confidence or 0.0, line, traced)
        odds = sum(weight * each for weight, each in zip(known[kind_of(part)], seen, strict=True))
        return round(min(_MOST, max(_LEAST, 1 / (1 + math.exp(-odds)))), 2)

    return replace(
        card,
        nodes=tuple(replace(node, confidence=told(node, lines.get(node.id, _MOST))) for node in card.nodes),
        edges=tuple(replace(edge, confidence=told(edge)) for edge in card.edges),
        rooms=tuple(
            replace(
                room,
                confidence=told(room),
                finds=tuple(
                    replace(find, confidence=told(find, lines.get(find.id, _MOST))) for find in room.finds
                ),
            )
            for room in card.rooms
        ),
    )


@lru_cache(maxsize=1)
def fitted_weights() -> Weights:
    """The weights that `tools.fit_confidence` fitted."""
    told = files(__package__).joinpath("confidence.json").read_bytes()
    return msgspec.json.decode(told, type=dict[str, tuple[float, float, float, float]])


def _log_odds(chance: float) -> float:
    clipped = min(_MOST, max(_LEAST, chance))
    return math.log(clipped / (1 - clipped))
