"""Knowledge learned from a deck's traced cards: style, habits of its dungeons, icons and colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.propose.drawing import drawing_of, drawn_parts
from calibration.enrol.propose.icons import (
    UNKNOWN_LIKENESS,
    Looks,
    NamedPrint,
    looks_of,
    named_prints,
    usual_likeness,
)
from calibration.enrol.propose.parts import Sight, gathered, look, size_px_of
from scorer.catalogue import Card, Catalogue, FindKind, Level, Node, Side
from vision.cards.index import read_art

Array = NDArray[np.float64]
#: Distance in mm within which a landing counts as located at its pit.
_AT_PIT_MM = 3.0


@dataclass(frozen=True)
class KnownOpening:
    """A usual position of openings in the deck, on either level: side, place on it in mm, and the number
    of traced openings there."""

    side: Side
    place_mm: float
    count: int

    def at(self, size_mm: Array) -> Array:
        """The position (x, y) in mm on a card of this size."""
        along = self.side in ("left", "right")
        far = size_mm[0 if along else 1] if self.side in ("right", "bottom") else 0.0
        return np.array([far, self.place_mm] if along else [self.place_mm, far])


@dataclass(frozen=True)
class Habits:
    """Regularities of a deck's dungeons: positions of openings, levels on which dead ends occur, whether
    stairs are always at corridor ends, and the distances of landings from their pits."""

    openings: tuple[KnownOpening, ...] = ()
    #: Levels on which dead ends occur. By default the main level, as in all known decks.
    dead_ends: frozenset[Level] = frozenset({"main"})
    stairs_at_ends: bool = False
    #: Least and greatest distance of a landing from its pit, in mm.
    landings_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def landings_at_pits(self) -> bool:
        return self.landings_mm[1] <= _AT_PIT_MM


Field = NDArray[np.float32]
#: Number of random feature mixtures, number of learning steps, and step size.
_MIXTURES, _STEPS, _RATE = 64, 120, 0.03
#: Strength of the regularisation towards the network's own output; it is stronger for fewer cards.
_RIDGE = 2e-3
#: Weights of the eight parts, as in the network's training; parts of small area have larger weights.
_WEIGHTS = np.repeat(np.array([4, 6, 1.5, 8, 8, 10, 10, 1], np.float32), 4)


@dataclass(frozen=True)
class DeckStyle:
    """A learned correction for one deck: weights of features, for an offset to the network's log-odds."""

    mean: Field
    deviation: Field
    mixing: Field
    weights: Field

    def seen(self, sight: Sight) -> Sight:
        """The network's output with this deck's correction added to its log-odds."""
        count, rows, columns = sight.features.shape
        told = (
            _mixed(sight.features.reshape(count, -1).T, self.mean, self.deviation, self.mixing) @ self.weights
        )
        return Sight(sight.odds + told.T.reshape(-1, rows, columns), sight.features)


def learned_style(sights: Sequence[Sight], parts: Sequence[NDArray[np.uint8]]) -> DeckStyle:
    """The deck's correction, fitted by gradient descent to make `sights` predict their true `parts` (32,
    H/2, W/2), 0 to 255, in the layout of `gathered`."""
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


def _mixed(features: Field, mean: Field, deviation: Field, mixing: Field) -> Field:
    """Feature matrix (N, F + 1 + M): the standardised features, a constant one, and M rectified random
    projections."""
    plain = (features - mean) / deviation
    one = np.ones((len(plain), 1), np.float32)
    plain = np.concatenate([plain, one], axis=1)
    return np.asarray(np.concatenate([plain, np.maximum(plain @ mixing, 0)], axis=1), np.float32)


Face = NDArray[np.uint8]
#: Number of traced cards used to learn the style. All traced cards are used for icons and openings.
_STYLE_CARDS = 16
#: The default kind of a find, since most finds of a dungeon are coins.
MOST_USUAL: FindKind = "coin"
#: Greatest number of stored prints of one kind.
_PRINTS_OF_KIND = 8
_LEVELS: tuple[Level, Level] = ("main", "underground")
#: Where corridors end with nothing there more seldom than this, one that seems to is rather misread.
_DEAD_ENDS_A_CARD = 0.15
#: Lowest number of stairs ends needed to learn whether stairs are at corridor ends.
_FEWEST_STAIRS = 4


@dataclass(frozen=True)
class Knowledge:
    """All knowledge of one deck. A new instance is empty."""

    cards: int = 0
    style: DeckStyle | None = None
    prints: tuple[NamedPrint, ...] = ()
    #: Usual similarity of prints of one icon.
    likeness: float = UNKNOWN_LIKENESS
    #: Usual similarity of prints of stairs; -1 where it is not known.
    stairs_likeness: float = -1.0
    #: Colour statistics for icons without a label.
    looks: Looks | None = None
    habits: Habits = field(default_factory=Habits)


def learn(catalogue: Catalogue, sight_of: Callable[[Card, Face], Sight] | None = None) -> Knowledge:
    """Knowledge learned from the catalogue's confirmed dungeons. `sight_of` returns the cached network
    output of a card. Cards with unreadable art are skipped."""
    traced: list[tuple[Card, Face]] = []
    for card in catalogue.cards:
        # starters of five colours are one dungeon: the first stands for all
        dungeon = (card.nodes, card.edges, card.rooms)
        if card.tracing == "yes" and all(dungeon != (one.nodes, one.edges, one.rooms) for one, _ in traced):
            art = None if catalogue.folder is None else read_art(catalogue.art_path(card))
            if art is not None:
                traced.append((card, np.asarray(art, np.uint8)))
    return learned([(card, face, catalogue.size_of(card.id)) for card, face in traced], sight_of)


def learned(
    traced: Sequence[tuple[Card, Face, tuple[float, float]]],
    sight_of: Callable[[Card, Face], Sight] | None = None,
) -> Knowledge:
    """Knowledge learned from confirmed cards, each given with its face and its size in mm."""
    if not traced:
        return Knowledge()
    step = max(1.0, len(traced) / _STYLE_CARDS)
    chosen = [traced[int(k * step)] for k in range(min(_STYLE_CARDS, len(traced)))]
    sights = [sight_of(card, face) if sight_of else look(face, size) for card, face, size in chosen]
    parts = [
        drawn_parts(drawing_of(card, size, size_px_of(size)), size_px_of(size)) for card, _, size in chosen
    ]
    prints: list[NamedPrint] = []
    for card, face, size in traced:
        for found in named_prints(card, face, size):
            same = [p for p in prints if (p.find, p.value, p.place) == (found.find, found.value, found.place)]
            if len(same) < _PRINTS_OF_KIND:
                prints.append(found)
    return Knowledge(
        cards=len(traced),
        style=learned_style(sights, [gathered(part) for part in parts]),
        prints=tuple(prints),
        likeness=usual_likeness(prints, "find", UNKNOWN_LIKENESS),
        stairs_likeness=usual_likeness(prints, "stairs", -1.0),
        looks=looks_of(prints, MOST_USUAL),
        habits=_habits([card for card, _, _ in traced]),
    )


def _habits(cards: Sequence[Card]) -> Habits:
    nodes = [node for card in cards for node in card.nodes]
    ends = [node.level for node in nodes if node.kind == "end"]
    lines_at_stairs = [
        sum(edge.kind == "corridor" and node.id in (edge.from_, edge.to) for edge in card.edges)
        for card in cards
        for node in card.nodes
        if node.kind == "stairs"
    ]
    return Habits(
        openings=_known_openings([node for node in nodes if node.side]),
        dead_ends=frozenset(
            level for level in _LEVELS if ends.count(level) >= _DEAD_ENDS_A_CARD * len(cards)
        ),
        stairs_at_ends=len(lines_at_stairs) >= _FEWEST_STAIRS and set(lines_at_stairs) == {1},
        landings_mm=_landings_mm(cards),
    )


def _landings_mm(cards: Sequence[Card]) -> tuple[float, float]:
    """Least and greatest distance in mm of landings from their pits; (0, 0) where no landing is known."""
    away = []
    for card in cards:
        at = {node.id: node.at for node in card.nodes}
        at |= {find.id: find.at for room in card.rooms for find in room.finds}
        away += [math.dist(at[edge.from_], at[edge.to]) for edge in card.edges if edge.kind == "fall"]
    return (min(away), max(away)) if away else (0.0, 0.0)


def _known_openings(nodes: Sequence[Node]) -> tuple[KnownOpening, ...]:
    """Clusters of openings that lie at the same place of the same side."""
    found: list[KnownOpening] = []
    for side in ("left", "right", "top", "bottom"):
        places = sorted(node.at[1 if side in ("left", "right") else 0] for node in nodes if node.side == side)
        for group in np.split(places, np.flatnonzero(np.diff(places) > 1.5) + 1) if places else []:
            found.append(KnownOpening(side, float(np.median(group)), len(group)))
    return tuple(found)
