"""Open sides of square tiles in pictures of a set.

The centre of a tile is floor in every shape, and its corners are not. A linear discriminant (Fisher 1936) of
colour and texture separates centres from corners over all tiles of a set. It is applied to the middle of
each side, to tell whether the floor continues there. Then the sides themselves are separated, since drawings
at centres and corners do not occur at sides. Features unlike both classes, such as a sign on the rock, have
little weight. The most probable of the game's shapes is chosen, and its lead over the next gives the
confidence. The network that marks the parts of dungeons (`propose.parts`) says of each tile by itself
whether a corridor's middle line runs to a side; both are independent evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.pieces.tile_features import CORNERS, Square, features_of
from calibration.enrol.propose.drawing import MAIN, UNDER
from calibration.enrol.propose.parts import look
from scorer.square_grid import SIDES

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

#: Squares of a tile in which every shape has floor.
_MIDDLES: tuple[Square, ...] = (
    (0.42, 0.42, 0.50, 0.50),
    (0.50, 0.42, 0.58, 0.50),
    (0.42, 0.50, 0.50, 0.58),
    (0.50, 0.50, 0.58, 0.58),
)
#: Squares just within the middle of each side, from top to left.
_AT_SIDES: tuple[Square, ...] = (
    (0.43, 0.06, 0.57, 0.18),
    (0.82, 0.43, 0.94, 0.57),
    (0.43, 0.82, 0.57, 0.94),
    (0.06, 0.43, 0.18, 0.57),
)
#: What is told by a side is believed no more than this (nats): a leaf may lie on it.
_MOST_NATS = 6.0
#: A side is neither floor nor rock where its squared distance from both is more than this many times that of
#: nine of ten examples; and the nats that it then tells of rock, at least.
_STRANGE, _SIGN_NATS = 1.0, 1.5
#: Fewer tiles than this teach too little of floor and rock to be surer than that.
_FEW, _UNSURE = 6, 0.85
#: How stiff the discriminant is, as a share of the features' own spread.
_STIFF = 0.05
_ROUNDS = 3


@dataclass(frozen=True)
class Ways:
    """The open sides of a tile as it lies (bits of `scorer.square_grid`), and their confidence, 0 to 1."""

    sides: int
    confidence: float

    @property
    def words(self) -> list[str]:
        return [word for k, word in enumerate(SIDES) if self.sides >> k & 1]


@dataclass
class SeenSides:
    """Log-odds in nats that tiles are open at their sides: `seen` (n, 4) of a photo's tiles, and `views` of
    each tile of the box by name, as it lies."""

    shapes: Mapping[int, float]
    seen: Array
    views: dict[str, list[Array]]

    @classmethod
    def of(
        cls, shapes: Mapping[int, float], known: Mapping[str, Picture], seen: Sequence[Picture]
    ) -> SeenSides:
        """From the faces of a box's tiles by name and of a photo's."""
        nats = side_nats([*known.values(), *seen], shapes)
        return cls(shapes, nats[len(known) :], {name: [own] for name, own in zip(known, nats, strict=False)})

    def agreement(self, number: int, name: str, quarters: int) -> float:
        """Log-likelihood ratio in nats that a view, turned clockwise by quarters, and a tile of the box open
        to the same sides."""
        view, known = np.roll(self.seen[number], quarters), np.mean(self.views[name], axis=0)
        apart = _evidence(view, self.shapes) + _evidence(known, self.shapes)
        return _evidence(view + known, self.shapes) - apart

    def add(self, number: int, name: str, quarters: int | None) -> None:
        """Add a view to those of a tile that it was joined with, or (None) as the only one."""
        if quarters is None:
            self.views[name] = [self.seen[number]]
        else:
            self.views[name].append(np.roll(self.seen[number], quarters))

    def of_tile(self, name: str) -> Ways:
        """The open sides of a tile from all its views."""
        ways = _likeliest(np.mean(self.views[name], axis=0), self.shapes)
        few = len(self.seen) + len(self.views) < _FEW
        return Ways(ways.sides, min(ways.confidence, _UNSURE)) if few else ways


def _evidence(nats: Array, shapes: Mapping[int, float]) -> float:
    """Logarithm of the probability of what was seen at a tile's sides, over all shapes."""
    return float(np.logaddexp.reduce(_worths(nats, shapes)))


def read_ways(tiles: Sequence[NDArray[np.uint8]], shapes: Mapping[int, float]) -> list[Ways]:
    """Open sides of tiles (H, W, 3) BGR of one set. `shapes` maps the possible sets of open sides, in all
    rotations, to their frequencies."""
    found = [_likeliest(each, shapes) for each in side_nats(tiles, shapes)]
    if len(tiles) < _FEW:
        return [Ways(each.sides, min(each.confidence, _UNSURE)) for each in found]
    return found


def side_nats(tiles: Sequence[NDArray[np.uint8]], shapes: Mapping[int, float]) -> Array:
    """Log-odds (n, 4) in nats that tiles (H, W, 3) BGR of one set are open at each side."""
    if not tiles:
        return np.zeros((0, 4))
    middles, corners, sides = (features_of(tiles, squares) for squares in (_MIDDLES, CORNERS, _AT_SIDES))
    floor = np.median(middles, axis=1)
    rock = np.median(corners, axis=1)
    lines = np.array([_line_nats(each) for each in tiles])
    nats = _told(sides, floor, rock) + lines
    open_to = np.zeros(nats.shape, bool)
    for _ in range(_ROUNDS - 1):
        found = [_likeliest(each, shapes) for each in nats]
        now = np.array([[ways.sides >> k & 1 for k in range(4)] for ways in found], bool)
        if (now == open_to).all() or len(tiles) < 4:
            break
        open_to = now
        nats = _told(sides, sides[open_to], sides[~open_to]) + lines
    return np.asarray(nats)


def _line_nats(tile: NDArray[np.uint8]) -> Array:
    """Log-odds (4,) in nats that the middle line of a corridor runs to each side of a tile (H, W, 3) BGR."""
    chances = look(tile, (1.0, 1.0)).chances()
    line = np.maximum(chances[MAIN], chances[UNDER])
    found = []
    for left, top, right, bottom in _AT_SIDES:
        rows, columns = (
            slice(*(round(each * len(line)) for each in ends)) for ends in ((top, bottom), (left, right))
        )
        # the likeliest place across the corridor, on average along it
        across = 1 if right - left > bottom - top else 0
        chance = np.clip(line[rows, columns].max(axis=across), 1e-3, 1 - 1e-3)
        found.append(float(np.mean(np.log(chance / (1 - chance)))))
    return np.clip(found, -_MOST_NATS, _MOST_NATS)


def _told(sides: Array, floor: Array, rock: Array) -> Array:
    """Log-likelihood ratios (n, 4) in nats that each side (n, 4, features) is floor, from examples of
    floor and rock (m, features)."""
    within = np.cov(np.concatenate([floor - floor.mean(axis=0), rock - rock.mean(axis=0)]).T)
    within += np.diag(_STIFF * np.diag(within) + 1e-3)
    way = np.linalg.solve(within, floor.mean(axis=0) - rock.mean(axis=0))
    at = sides @ way
    high, low = float((floor @ way).mean()), float((rock @ way).mean())
    spread = max(float(np.concatenate([floor @ way - high, rock @ way - low]).std()), 1e-6)
    nats = np.clip((at - (high + low) / 2) * (high - low) / spread**2, -_MOST_NATS, _MOST_NATS)
    # what is neither floor nor rock is a sign that is printed there: sooner on rock, for floor runs out
    examples = np.concatenate([_away(floor, floor, within), _away(rock, rock, within)])
    limit = _STRANGE * float(np.quantile(examples, 0.9))
    strange = np.minimum(_away(sides, floor, within), _away(sides, rock, within)) > limit
    return np.asarray(np.where(strange, np.clip(nats, -_MOST_NATS, -_SIGN_NATS), nats))


def _away(these: Array, examples: Array, within: Array) -> Array:
    """Squared Mahalanobis distance of features from the mean of examples."""
    apart = these - examples.mean(axis=0)
    return np.asarray((apart * np.linalg.solve(within, apart[..., None])[..., 0]).sum(axis=-1))


def _worths(nats: Array, shapes: Mapping[int, float]) -> Array:
    """Log-probability of each shape with what was seen at the sides (4,), up to a constant."""
    return np.array(
        [
            np.log(shapes[sides]) + sum(float(nats[k]) * (1 if sides >> k & 1 else -1) / 2 for k in range(4))
            for sides in shapes
        ]
    )


def _likeliest(nats: Array, shapes: Mapping[int, float]) -> Ways:
    worth = _worths(nats, shapes)
    chances = np.exp(worth - worth.max())
    best = int(worth.argmax())
    return Ways(list(shapes)[best], float(chances[best] / chances.sum()))
