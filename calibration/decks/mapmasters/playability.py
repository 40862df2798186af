"""Random hands of the open deck and random legal layouts of them.

A hand is five different cards, one to three of them starters. A layout is found by laying card after card at
random, upright or turned, level or shifted by half a height, wherever no opening is left facing a wall.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from scorer.catalogue import Catalogue
from scorer.dungeon import build_dungeon
from scorer.record import PlacedCard, Rotation

HAND = 5
TURNS: tuple[Rotation, Rotation] = (0, 180)

Layout = tuple[PlacedCard, ...]


def deal_hand(catalogue: Catalogue, rng: np.random.Generator) -> tuple[str, ...]:
    """A random hand of five different cards with one to three starters, as in the middle of a game."""
    starters = [card.id for card in catalogue.cards if card.kind == "starter"]
    others = [card.id for card in catalogue.cards if card.kind == "dungeon"]
    count = int(rng.integers(1, 4))
    hand = [*rng.choice(starters, count, replace=False), *rng.choice(others, HAND - count, replace=False)]
    return tuple(str(card) for card in hand)


class Table:
    """Random layouts of one catalogue's cards in which no opening faces a wall."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        width, height = catalogue.card_size_mm
        self.steps = [(dx, dy) for dx in (-width, width) for dy in (-height / 2, 0.0, height / 2)]
        self.steps += [(0.0, -height), (0.0, height)]
        self.fits = cache(self._fits)

    def _fits(self, a: str, turn_a: Rotation, b: str, turn_b: Rotation, dx: float, dy: float) -> bool:
        pair = (PlacedCard(a, 0, 0, turn_a), PlacedCard(b, dx, dy, turn_b))
        return not build_dungeon(self.catalogue, pair).faults

    def _may_lie(self, laid: Sequence[PlacedCard], new: PlacedCard) -> bool:
        width, height = self.catalogue.card_size_mm
        for old in laid:
            dx, dy = new.x - old.x, new.y - old.y
            if abs(dx) < width and abs(dy) < height:
                return False
            beside = (abs(dx) == width and abs(dy) < height) or (dx == 0 and abs(dy) == height)
            if beside and not self.fits(old.card, old.rotation, new.card, new.rotation, dx, dy):
                return False
        return True

    def lay(self, hand: Sequence[str], rng: np.random.Generator) -> Layout | None:
        """One random legal layout of the whole hand, or None when the attempt failed."""
        laid: list[PlacedCard] = []
        for card in rng.permutation(list(hand)):
            spots = (
                [(0.0, 0.0)] if not laid else [(p.x + dx, p.y + dy) for p in laid for dx, dy in self.steps]
            )
            options = [PlacedCard(str(card), x, y, turn) for x, y in dict.fromkeys(spots) for turn in TURNS]
            fitting = [option for option in options if self._may_lie(laid, option)]
            if not fitting:
                return None
            laid.append(fitting[rng.integers(len(fitting))])
        return tuple(laid)
