"""Group pens: faces of a shared table -> the pens that drew, by clustering the hues of line segments.

One pixel of a thin film shows no hue, but a stretch of a line does. Ink is cut into small squares. Each
square gives the direction in which its film changes the card's colour, and squares that agree form one pen.
The game gives the number of pens; each pen's group follows from the pen's colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from vision.groups import parameters
from vision.ink.pens import Changed, Colours, Pen, drawn_lines, full_pen, taken

Array = NDArray[np.float64]

#: Colours (sRGB) of a thick film of whiteboard pens on a light floor, by name; estimated by eye from
#: photographs of whiteboards.
INK_RGB: Mapping[str, tuple[int, int, int]] = {
    "black": (24, 24, 28),
    "blue": (22, 46, 138),
    "red": (186, 24, 38),
    "green": (0, 104, 72),
    "purple": (92, 34, 122),
    "orange": (222, 98, 18),
    "brown": (98, 58, 34),
    "light blue": (20, 122, 186),
    "pink": (226, 60, 140),
    "yellow": (236, 190, 20),
}
#: Default ground (picture values, blue-green-red): a light floor.
_USUAL_GROUND = np.array([0.62, 0.72, 0.78])

#: Luminance weights of a colour change (blue, green, red).
_LUMINANCE = np.array([0.114, 0.587, 0.299])

#: Number of pens searched for beyond the largest possible number, since some of them are merged later.
_MORE = 3


@dataclass(frozen=True)
class Owner:
    """The group that most likely owns a pen, and `others` that may own it instead, all by number.

    `sharing` lists groups without a pen of their own whose colour is so near that some of the strokes may be
    theirs.
    """

    group: int
    others: tuple[int, ...] = ()
    sharing: tuple[int, ...] = ()


@dataclass(frozen=True)
class GroupPens:
    """The pens that drew, the pen with most ink first.

    `on_cards` lists, for each card, the numbers of the pens on it; `owners` has the owner of each pen;
    `chroma` is the share of chroma that the photo keeps.
    """

    pens: tuple[Pen, ...]
    on_cards: tuple[tuple[int, ...], ...]
    owners: tuple[Owner, ...]
    chroma: float = field(default_factory=lambda: parameters.OWNERS.usual_chroma_share)


@dataclass(frozen=True)
class _Squares:
    """N small squares of drawn lines.

    For each square: its `card`, the unit direction `way` (N, 3) of the colour change by the film, the colour
    of the card there (`ground`) and the number of pixels (`weight`). `square` has, for each card, the square
    of every changed pixel (P,), or -1.
    """

    card: NDArray[np.intp]
    way: Array
    ground: Array
    weight: Array
    square: tuple[NDArray[np.intp], ...]

    def off_deg(self, pen: Pen) -> Array:
        """Angle (N,) in degrees between the colour change of each square and the change that a pen's film
        would make."""
        return _angles_between_deg(self.way, pen.bgr - self.ground)


def find_group_pens(cards: Sequence[Changed], px_per_mm: float, colours: Sequence[str | None]) -> GroupPens:
    """The pens that drew on the cards, for groups with pens of these colours.

    Colours are names in `INK_RGB`, or None for any colour. Each group has one pen at most.
    """
    squares = _squares(cards, px_per_mm)
    most = len(colours)
    least = parameters.PENS.least_mm2 * px_per_mm**2
    pens: list[Pen] = []
    left = np.ones(len(squares.way), bool)
    while len(pens) < most + _MORE and squares.weight[left].sum() >= least:
        way = _densest(squares.way[left], squares.weight[left])
        own = left & (_angles_deg(squares.way, way) < parameters.PENS.spread_deg)
        pen = _pen(cards, squares, own)
        for _ in range(3):
            own = left & (squares.off_deg(pen) < parameters.PENS.spread_deg)
            if squares.weight[own].sum() < least:
                break
            pen = _pen(cards, squares, own)
        else:
            pens.append(pen)
            left &= squares.off_deg(pen) > parameters.PENS.apart_deg
            continue
        # what remains there is not a pen's: specks and the rims of objects
        left &= _angles_deg(squares.way, way) > parameters.PENS.spread_deg
    none = GroupPens((), tuple(() for _ in cards), ())
    if not pens:
        return none
    pens, nearest, usual = _settled(
        cards, squares, pens, colours, parameters.PENS.least_on_fullest_mm2 * px_per_mm**2
    )
    drawn = (
        np.array([_by_card(squares, nearest == k, len(cards)) for k in range(len(pens))]).reshape(
            len(pens), len(cards)
        )
        / px_per_mm**2
    )
    # residue of a miniature's edge or a shadow is spread thinly over many cards, a line covers much on some
    drew = [
        k for k in np.argsort(-drawn.sum(axis=1)) if drawn[k].max() >= parameters.PENS.least_on_fullest_mm2
    ]
    told = _told(squares, nearest, len(pens), colours, usual)
    order = sorted(drew, key=lambda k: told[k] is None)[:most]
    if not order:
        return none
    least_here = parameters.PENS.least_on_card_mm2 * px_per_mm**2
    on_cards = tuple(
        tuple(
            number
            for number, k in enumerate(order)
            if squares.weight[(squares.card == card) & (nearest == k)].sum() >= least_here
        )
        for card in range(len(cards))
    )
    off = np.array([[_off_deg(squares, nearest == k, colour, usual) for colour in colours] for k in order])
    return GroupPens(tuple(pens[k] for k in order), on_cards, owners_of(off), usual)


def _settled(
    cards: Sequence[Changed],
    squares: _Squares,
    pens: Sequence[Pen],
    colours: Sequence[str | None],
    least: float,
) -> tuple[list[Pen], NDArray[np.intp], float]:
    """Merged pens, the pen of each square (-1 for none), and the share of chroma that the photo keeps.

    Two pens are merged where squares lie between them as densely as around each, since a thin film is paler
    and purer. Pens of different stated colours stay separate. Two pens of one stated colour are merged, too,
    if each drew at least `least` pixels on some card.
    """
    pens = list(pens)
    usual: float | None = None
    while True:
        off = np.stack([squares.off_deg(pen) for pen in pens])
        nearest = np.where(off.min(axis=0) < parameters.PENS.far_deg, off.argmin(axis=0), -1)
        if usual is None:
            usual = _chroma_kept(squares, nearest, len(pens), colours)
        kept = [k for k in range(len(pens)) if (nearest == k).any()]
        told = _told(squares, nearest, len(pens), colours, usual)
        drew = [bool(_by_card(squares, nearest == k, len(cards)).max() >= least) for k in range(len(pens))]

        def is_one(
            i: int, j: int, off: Array = off, told: list[str | None] = told, drew: list[bool] = drew
        ) -> bool:
            if told[i] != told[j] and None not in (told[i], told[j]):
                return False
            apart = _apart_deg(off[i], off[j])
            if apart > parameters.PENS.one_deg:
                return False
            drew_both = told[i] is not None and told[i] == told[j] and drew[i] and drew[j]
            return drew_both or _is_bridged(squares.weight, off[i], off[j], apart)

        one = next(((i, j) for i, j in combinations(kept, 2) if is_one(i, j)), None)
        if one is None:
            break
        pens[one[0]] = _pen(cards, squares, (nearest == one[0]) | (nearest == one[1]))
        del pens[one[1]]
    names = np.full(len(pens) + 1, -1)
    names[kept] = np.arange(len(kept))
    return [_pen(cards, squares, nearest == k) for k in kept], names[nearest], usual


def _apart_deg(off_one: Array, off_other: Array) -> float:
    """Angle (degrees) between two pens: the median deviation from the first pen of the squares of the
    second."""
    near = (np.minimum(off_one, off_other) < parameters.PENS.far_deg) & (off_other < 4.0)
    return float(np.median(off_one[near])) if near.any() else 90.0


def _is_bridged(weight: Array, off_one: Array, off_other: Array, apart: float) -> bool:
    """Whether squares lie between two pens as densely as around the weaker pen."""
    near = np.minimum(off_one, off_other) < parameters.PENS.far_deg
    near &= off_one + off_other < 1.5 * apart
    along = off_one[near] / (off_one[near] + off_other[near])
    shares, _ = np.histogram(along, bins=(0, 1 / 3, 2 / 3, 1), weights=weight[near])
    return bool(shares[1] > parameters.PENS.valley_share * min(shares[0], shares[2]))


def _told(
    squares: _Squares, nearest: NDArray[np.intp], count: int, colours: Sequence[str | None], usual: float
) -> list[str | None]:
    """The stated colour of each pen, or None where no stated colour is near.

    It is the nearest colour, or the colour of the best assignment if that is not much farther.
    """
    known = _known(colours)
    told = [_nearest_told(squares, nearest == k, colours, usual) for k in range(count)]
    if not known:
        return told
    off = np.array(
        [[_off_deg(squares, nearest == k, colour, usual) for colour in known] for k in range(count)]
    )
    # imported here: it takes 40 MB and a tenth of a second, which a table with one pen does not need
    from scipy.optimize import linear_sum_assignment

    for k, c in zip(*linear_sum_assignment(off), strict=True):
        if off[k, c] < min(parameters.OWNERS.told_deg, off[k].min() + parameters.OWNERS.told_farther_deg):
            told[k] = known[c]
    return told


def _squares(cards: Sequence[Changed], px_per_mm: float) -> _Squares:
    side = max(round(parameters.SQUARES.side_mm * px_per_mm), 1)
    least = parameters.SQUARES.least_mm2 * px_per_mm**2
    card_of, ways, grounds, weights, squares = [], [], [], [], []
    count = 0
    for number, card in enumerate(cards):
        film = taken(card)
        clear = (
            card.darker
            & (film > parameters.SQUARES.film_share)
            & (card.ground.min(axis=1) > parameters.SQUARES.ground_value)
        )
        clear = drawn_lines(card, clear, px_per_mm)
        rows, columns = np.nonzero(card.where)
        across = card.where.shape[1] // side + 1
        cell = (rows // side) * across + columns // side
        size = (card.where.shape[0] // side + 1) * across
        weight = np.bincount(cell[clear], minlength=size).astype(float)

        def mean(
            values: Colours, cell: NDArray[np.intp] = cell[clear], size: int = size, weight: Array = weight
        ) -> Array:
            sums = [np.bincount(cell, values[:, k], minlength=size) for k in range(3)]
            return np.asarray(np.stack(sums, axis=1) / np.maximum(weight, 1)[:, None])

        kept = np.flatnonzero(weight >= least)
        names = np.full(size, -1, np.intp)
        names[kept] = count + np.arange(len(kept))
        squares.append(np.where(clear, names[cell], -1))
        count += len(kept)
        card_of += [number] * len(kept)
        ways.append(_unit(mean((card.on_art - card.ground)[clear])[kept]))
        grounds.append(mean(card.ground[clear])[kept])
        weights.append(weight[kept])
    return _Squares(
        np.array(card_of, np.intp),
        np.concatenate(ways),
        np.concatenate(grounds),
        np.concatenate(weights),
        tuple(squares),
    )


def _by_card(squares: _Squares, own: NDArray[np.bool_], count: int) -> Array:
    """Number of pixels (count,) of the chosen squares on each card."""
    return np.asarray(np.bincount(squares.card[own], squares.weight[own], minlength=count), float)


def _densest(ways: Array, weight: Array) -> Array:
    """Mode (3,) of the directions of colour change, weighted by the pixels of the squares."""
    some = np.argsort(-weight)[:400]
    off = np.degrees(np.arccos(np.clip(ways[some] @ ways[some].T, -1, 1)))
    density = (np.exp(-((off / parameters.PENS.core_deg) ** 2)) * weight[some]).sum(axis=1)
    way = ways[some][int(density.argmax())]
    for _ in range(4):
        own = _angles_deg(ways, way) < parameters.PENS.core_deg
        way = _unit((ways[own] * weight[own, None]).sum(axis=0))
    return np.asarray(way)


def _pen(cards: Sequence[Changed], squares: _Squares, own: NDArray[np.bool_]) -> Pen:
    """The pen that drew the chosen squares, as the colour of a full film on the art."""
    colours, grounds = [], []
    for card, square in zip(cards, squares.square, strict=True):
        chosen = (square >= 0) & own[np.maximum(square, 0)]
        colours.append(card.on_art[chosen])
        grounds.append(card.ground[chosen])
    on_art, ground = np.concatenate(colours), np.concatenate(grounds)
    amount = np.linalg.norm(on_art - ground, axis=1)
    fullest = amount >= np.quantile(amount, parameters.PENS.fullest_quantile)
    return full_pen(np.median(on_art[fullest], axis=0), np.median(ground[fullest], axis=0))


def _angles_deg(ways: Array, way: Array) -> Array:
    return np.asarray(np.degrees(np.arccos(np.clip(ways @ way, -1, 1))))


def _angles_between_deg(ways: Array, vectors: Array) -> Array:
    return np.asarray(np.degrees(np.arccos(np.clip((ways * _unit(vectors)).sum(axis=1), -1, 1))))


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9))


# --- owners of pens -----------------------------------------------------------------------------------------


def owners_of(off: Array) -> tuple[Owner, ...]:
    """Assignment of pens to groups, from hue differences (pens, groups) in degrees.

    There are no more pens than groups.
    """
    count, groups = off.shape
    ranked = sorted(
        (float(sum(off[k, group] for k, group in enumerate(order))), order)
        for order in permutations(range(groups), count)
    )
    best, chosen = ranked[0]
    owners = []
    for k, group in enumerate(chosen):
        near = {order[k] for total, order in ranked if total < best + parameters.OWNERS.near_deg}
        if off[k, group] > parameters.OWNERS.nobodys_deg:  # none of the stated colours
            near = set(range(groups))
        near.discard(group)
        alike = set(np.flatnonzero(off[k] < off[k, group] + parameters.OWNERS.shared_deg).tolist()) | near
        owners.append(Owner(group, tuple(sorted(near)), tuple(sorted(alike - set(chosen)))))
    return tuple(owners)


def colours_off_deg(
    on_cards: Colours, blank: Colours, colours: Sequence[str | None], chroma: float
) -> tuple[float, ...]:
    """Hue difference (degrees) of a line from each of several pen colours.

    The line is given by its pixels (N, 3) and those of the blank card, picture values.
    """
    change, ground = np.asarray(on_cards - blank, float), np.asarray(blank, float)
    squares = _Squares(
        np.zeros(1, np.intp), _unit(change.mean(axis=0))[None], ground.mean(axis=0)[None], np.ones(1), ()
    )
    return tuple(_off_deg(squares, np.ones(1, bool), colour, chroma) for colour in colours)


def nearest_colour(rgb: Sequence[int]) -> str:
    """Common name of the colour of a pen (sRGB of a film on a light floor)."""
    way = _unit(np.asarray(rgb, float)[::-1] / 255 - _USUAL_GROUND)
    return min(
        INK_RGB, key=lambda colour: float(_angles_deg(_unit(_full_bgr(colour) - _USUAL_GROUND)[None], way)[0])
    )


def _full_bgr(colour: str) -> Array:
    return np.array(INK_RGB[colour][::-1], float) / 255


def _off_deg(squares: _Squares, own: NDArray[np.bool_], colour: str | None, usual: float) -> float:
    """Median hue difference (degrees) between a pen's squares and a usual pen of a colour.

    The photo is taken to keep about the share `usual` of the chroma: thin lines lose much of it to the sensor
    and to compression.
    """
    if colour is None or colour not in INK_RGB:
        return parameters.OWNERS.any_colour_deg
    if not own.any():
        return 180.0
    return float(min(np.hypot(_off_by_chroma(squares, own, colour), _unusual_deg(usual))))


def _known(colours: Sequence[str | None]) -> list[str]:
    return [colour for colour in dict.fromkeys(colours) if colour is not None and colour in INK_RGB]


def _unusual_deg(usual: float) -> Array:
    """Penalty (C,) in degrees for each of `parameters.OWNERS.chroma_kept_shares`, by its distance from the
    usual share."""
    return parameters.OWNERS.chroma_deg * (np.array(parameters.OWNERS.chroma_kept_shares) - usual)


def _off_by_chroma(squares: _Squares, own: NDArray[np.bool_], colour: str) -> Array:
    """Median hue difference (C,) in degrees of a pen's squares from a usual pen, for each share of chroma
    kept."""
    change = _full_bgr(colour) - squares.ground[own]
    grey = (change @ _LUMINANCE)[:, None]
    ways = squares.way[own]
    return np.array(
        [
            float(np.median(_angles_between_deg(ways, grey + kept * (change - grey))))
            for kept in parameters.OWNERS.chroma_kept_shares
        ]
    )


def _chroma_kept(
    squares: _Squares, nearest: NDArray[np.intp], count: int, colours: Sequence[str | None]
) -> float:
    """The share of chroma that the photo keeps, chosen so that its pens are nearest to the stated colours."""
    told = _known(colours)
    total = np.abs(_unusual_deg(parameters.OWNERS.usual_chroma_share))
    for k in range(count):
        own = nearest == k
        if told and own.any():
            total = total + np.minimum.reduce([_off_by_chroma(squares, own, colour) for colour in told])
    return float(parameters.OWNERS.chroma_kept_shares[int(np.argmin(total))])


def _nearest_told(
    squares: _Squares, own: NDArray[np.bool_], colours: Sequence[str | None], usual: float
) -> str | None:
    """The stated colour nearest to a pen's squares, or None where none is near."""
    off = {colour: _off_deg(squares, own, colour, usual) for colour in colours if colour in INK_RGB}
    colour = min(off, key=lambda each: off[each], default=None)
    return colour if colour is not None and off[colour] < parameters.OWNERS.told_deg else None
