"""The claims that an answer makes about a table, one by one. Answers are compared with the truth in the
claims in which they differ, so that a reading that is wrong elsewhere still has true answers.

Things are named by the truth's cards, wherever they lie in a reading's record. A card at the position of
a true card counts as that card, whatever id was read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from scorer.record import Record
from waymark.bench.truth import SeenCard

Claim = tuple[object, ...]


@dataclass(frozen=True)
class Claims:
    """The claims of an answer. `things`: cards with position and orientation, lines between places,
    circles, strikes, and means held. `walk`: the same lines with their direction, and the order of the
    strokes, from `start` (None: no path). `names` are the cards' names by index in the record."""

    things: frozenset[Claim]
    walk: frozenset[Claim]
    start: str | None
    names: Mapping[int, str]

    def named(self, place: str | None) -> str | None:
        """Translation of a place or card index of the record into the truth's names. None for anything
        else."""
        index, _, local = (place or "").partition(".")
        if not index.isdigit() or int(index) not in self.names:
            return None
        return f"{self.names[int(index)]}.{local}" if local else self.names[int(index)]

    def about(self, name: str | None) -> frozenset[Claim]:
        """The claims about the place or card with this translated name; all claims where the name is None."""
        return frozenset(claim for claim in self.things if name is None or name in claim)


def claims_of(
    record: Record, cards: Sequence[Any], true_cards: Sequence[SeenCard], told: Mapping[str, Any]
) -> Claims:
    """The claims that a record makes, together with the stated terms (`told`, by id).
    `cards` are the record's cards as they lie in the photo, in the record's order; `true_cards` are the
    truth's."""
    where = where_they_lie(cards, true_cards)
    names = {k: f"{where.get(k, f'x{k}')}:{card.card}" for k, card in enumerate(record.cards)}
    steps = [(_named(a, names), _named(b, names)) for stroke in record.path for a, b in pairwise(stroke)]
    joins = [(_named(a[-1], names), _named(b[0], names)) for a, b in pairwise(record.path) if a and b]
    things: list[Claim] = [
        ("card", name, _corner_up(cards[k], true_cards[where[k]]) if k in where else 0)
        for k, name in names.items()
    ]
    things += _counted("line", (tuple(sorted(step)) for step in steps))
    things += [("circled", _named(place, names)) for place in record.marks.circled]
    things += [("struck", _named(place, names)) for place in record.marks.struck]
    things += _held(told)
    walk = _counted("step", steps) + _counted("join", joins)
    start = next((_named(stroke[0], names) for stroke in record.path if stroke), None)
    return Claims(frozenset(things), frozenset(walk), start, names)


def disputed(claims: Iterable[frozenset[Claim]]) -> frozenset[Claim]:
    """The claims that some of the answers make and others do not: their union without their intersection."""
    each = list(claims)
    return frozenset[Claim]().union(*each) - each[0].intersection(*each) if each else frozenset()


def disputed_steps(claims: Sequence[Claims], truth: Claims) -> frozenset[Claim]:
    """Directed steps and joins that some answers claim and others do not, for lines truly drawn in one
    direction. The direction is neither true nor false for a line that nobody drew, or that was drawn
    both ways."""
    steps = {claim[1:3] for claim in truth.walk if claim[0] == "step"}
    one_way = {step for step in steps if step[::-1] not in steps}
    return frozenset(
        claim
        for claim in disputed(each.walk for each in claims)
        if (claim[0] == "step" and not one_way.isdisjoint((claim[1:3], claim[2:0:-1])))
        or (claim[0] == "join" and claim in truth.walk)
    )


def _counted(kind: str, pairs: Iterable[tuple[str, ...]]) -> list[Claim]:
    """One claim for each occurrence of a pair, numbered from 0 so that a set keeps multiplicities."""
    return [(kind, *pair, time) for pair, times in Counter(pairs).items() for time in range(times)]


def _held(values: Mapping[str, Any]) -> list[Claim]:
    held: list[Claim] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            held += [("told", name, what, count) for what, count in value.items() if count]
        elif value:
            held.append(("told", name, msgspec.json.encode(value, order="sorted")))
    return held


def _named(place: str, names: Mapping[int, str]) -> str:
    index, _, local = place.partition(".")
    return f"{names[int(index)]}.{local}"


def where_they_lie(cards: Sequence[Any], truth: Sequence[Any]) -> dict[int, int]:
    """Matching of cards to the truth's cards by position: index in `cards` -> index in `truth`.
    Pairs are matched greedily, nearest first, and lie less than half a card's height apart."""
    near = sorted(
        (distance, k, t)
        for k, card in enumerate(cards)
        for t, true in enumerate(truth)
        if (distance := math.dist(middle_of(card), middle_of(true))) < _height(true) / 2
    )
    where: dict[int, int] = {}
    for _, k, t in near:
        if k not in where and t not in where.values():
            where[k] = t
    return where


def _corner_up(card: Any, true: SeenCard) -> int:
    """Index (0 to 3) of the true card's corner that is nearest to this card's first corner."""
    return min(range(4), key=lambda k: math.dist(true.corners[k], card.corners[0]))


def middle_of(card: Any) -> tuple[float, float]:
    """Centre of a card in the photo: the mean of its four corners, in pixels."""
    return sum(x for x, _ in card.corners) / 4, sum(y for _, y in card.corners) / 4


def _height(card: Any) -> float:
    return math.dist(card.corners[0], card.corners[3])
