"""Identity of a detected card: confirmed, another card, the same card in another colour ("sister"), or
unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.adjacency import Size
from vision.cards.compare import least_likeness
from vision.cards.hypotheses import Candidate
from vision.cards.index import TINT_PX, CardIndex, middling
from vision.photo.view import Reductions

#: Likeness of rival identities at a card's place: {(card index, quarter turns against the card read):
#: likeness}.
Rivals = dict[tuple[int, int], float]

# The numbers below were measured on 60 photos of the split `tuning-evening` of `samples/` (compositor, open
# deck), each read with all cards and with about half of its own taken out of the catalogue.

#: A lead over a rival in likeness below which the identity is in doubt.
DOUBT_MARGIN = 0.08
#: Likeness from which an identity is certain: 99 of 100 right cards reach it; sisters of another colour came
#: to 0.63. Below it a question is asked, unless the lead over the next card exceeds the second number and the
#: likeness the third, as for a blurred card.
SURE_LIKENESS, CLEAR_MARGIN, CLEAR_LIKENESS = 0.66, 0.40, 0.50
#: With this lead and at least `CLEAR_LIKENESS` (glare or a hand covers part of the card), a card is
#: identified unless its colours contradict. Of 35 unknown cards without a sister (two decks, half of the true
#: cards taken out) none led by more than 0.11; of 27 right cards with a question 26 led by 0.19 and more.
LEADING_MARGIN = 0.20
#: A card below this likeness and this lead is unknown: unknown cards reached these values. The only right
#: card with a lower likeness led by 0.19. For small cards the likeness threshold is higher, as they match by
#: chance.
STRANGE_LIKENESS, STRANGE_MARGIN = 0.45, 0.12
#: A card whose likeness is this much below that of the photo's other cards may not be in the catalogue.
ODD_LIKENESS = 0.15
#: Size of the cards on which these thresholds were measured.
MEASURED_MM = (63.0, 88.0)
#: Number of rivals offered as alternatives to an uncertain identity.
OFFERED = 2


@dataclass(frozen=True)
class Naming:
    """Confidence (0..1) in a card's identity and rotation, with alternatives if it is low.

    The alternatives are the possible ids (best first) and the reason for the doubt.
    """

    confidence: float
    options: tuple[str, ...] = ()
    reason: str = ""


def is_strange(candidate: Candidate, rivals: Rivals) -> bool:
    """Whether a card is probably not in the catalogue: it has a low likeness to its art and hardly any lead
    over rivals."""
    likeness = candidate.likeness - _by_chance(candidate.placed.size_mm)
    return not candidate.close and likeness < STRANGE_LIKENESS and _margin(candidate, rivals) < STRANGE_MARGIN


def near_rivals(candidate: Candidate, rivals: Rivals) -> list[tuple[int, int]]:
    """Rivals whose likeness is within `DOUBT_MARGIN` of the card's, best first."""
    ranked = sorted(rivals, key=lambda rival: -rivals[rival])
    return [rival for rival in ranked if candidate.likeness - rivals[rival] < DOUBT_MARGIN]


def name(candidate: Candidate, rivals: Rivals, usual: float, index: CardIndex) -> Naming:
    """Confidence in a card's identity, with the alternatives for a question.

    `usual` is the median likeness of the photo's cards, as blur and darkness lower the likeness of all cards.
    """
    card = candidate.placed.card
    likeness, margin = candidate.likeness, _margin(candidate, rivals)
    confidence = float(np.clip(0.5 + 1.5 * margin, 0, 1) * np.clip((likeness - 0.2) / 0.46, 0, 1))
    ranked = sorted(rivals, key=lambda rival: -rivals[rival])
    # For a mostly covered card likeness is no evidence: it may be any card, or none.
    covered = candidate.close and likeness < STRANGE_LIKENESS
    if margin < DOUBT_MARGIN and not covered:
        near = near_rivals(candidate, rivals)
        others = dict.fromkeys(index.ids[rival] for rival, _ in near if rival != card)
        return Naming(confidence, (index.ids[card], *others), "alike" if others else "turned")
    if not (is_plain(candidate, rivals, usual) or (candidate.in_colour and leads(candidate, rivals))):
        others = dict.fromkeys(index.ids[rival] for rival, _ in ranked if rival != card)
        return Naming(confidence * 0.5, (index.ids[card], *list(others)[:OFFERED]), "unlike-its-art")
    return Naming(confidence)


def is_plain(candidate: Candidate, rivals: Rivals, usual: float) -> bool:
    """Whether likeness alone decides a card's identity; `usual` is the median likeness of the photo's
    cards."""
    likeness, margin = candidate.likeness, _margin(candidate, rivals)
    clear = likeness >= SURE_LIKENESS or (likeness >= CLEAR_LIKENESS and margin >= CLEAR_MARGIN)
    return clear and margin >= DOUBT_MARGIN and usual - likeness <= ODD_LIKENESS


def leads(candidate: Candidate, rivals: Rivals) -> bool:
    """Whether a card is so far ahead of its rivals that matching colours settle its identity."""
    return candidate.likeness >= CLEAR_LIKENESS and _margin(candidate, rivals) >= LEADING_MARGIN


def _margin(candidate: Candidate, rivals: Rivals) -> float:
    return candidate.likeness - max(rivals.values(), default=-1.0)


def _by_chance(size_mm: Size) -> float:
    """Difference of the likeness threshold between cards of a size and cards of the reference size.

    Smaller cards reach a higher likeness by chance.
    """
    return least_likeness(size_mm) - least_likeness(MEASURED_MM)


Array = NDArray[np.float64]

# The numbers below were measured on 44 sisters whose ground differs in a fifth of its colour (40 photos of
# `tuning-evening`, hard and wild, a third deck) and on 56 that differ in a frame of 3 mm, a stripe of 5 mm or
# a seal of 9 mm (22 photos, a fourth deck; compositor).

#: Channels outside these levels are ignored in colour comparison.
DARKEST, BRIGHTEST = 10.0, 250.0
#: Least number of visible cells of a card, and of all cards identified with certainty, for a decision by
#: colour.
LEAST_CELLS, LEAST_KNOWN = 108, 216
#: Number of reweighting rounds of the robust line fit. With such lines the likeliest sister was right in 115
#: of 124 and 77 of 77 cases (80 photos of the split `tuning-evening`, two decks of other styles with starters
#: in a wash), and in 222 of 229 on a blueprint deck. With one shift and one gain: 67, 75 and 205; with
#: parabolas: 117, 74 and 208; with powers: 90, 75 and 201.
TONES = 8
#: Lower bound of a channel's predicted level.
DIMMEST = 5.0
#: Each card has its own lighting, close to that of the certain cards: theirs has this weight in numbers of
#: the card's cells. Cells whose residual (logarithm of a channel's share of green) exceeds the second number
#: are weighted down, and residuals are limited to the third, since ink and highlights match no sister. The
#: last number is that of the reweighting rounds.
SHARED_LIGHT, OFF_LIGHT, FARTHEST, LIGHT_ROUNDS = 1.0, 0.04, 0.2, 6
#: Weight of the likeness in grey relative to the colour evidence. With it the right one of all 100 is ranked
#: first; with the medians of 48 larger cells, unweighted, of 90.
GREY_COUNTS = 1.0
#: An identity is certain if its lead over each other sister is at least its own cost, both relative to the
#: distance between the sisters' colours. This identifies 67 of the 100, all rightly; of 138 (these and those
#: of 40 more photos) with the true card taken out of the catalogue none is identified wrongly. Sisters closer
#: in colour than this are never certain.
LEAST_APART = 0.03
#: Deviation of the median colour from the certain cards' above which a card without a sister in the catalogue
#: may be one printed in another colour: 95 of 100 right cards have no more (400, open and third deck), and 5
#: of 100 cards whose sister is in the catalogue.
OTHER_COLOUR = 0.06


@dataclass(frozen=True)
class Told:
    """Identity by colour: the possible cards, likeliest first, and whether the first is `clear` of the
    others.

    For a single possible card, `clear` says whether its colours are those of its print.
    """

    options: tuple[int, ...]
    clear: bool


@dataclass(frozen=True)
class Sisters:
    """A detected card that may be one of several colour variants.

    It holds the card as found, and the number of its group of touching cards. For each variant it holds the
    index number and the likeness in grey.
    """

    found: Candidate
    options: tuple[int, ...]
    likeness: tuple[float, ...]
    group: int = 0


def told_by_colour(
    sure: Sequence[Candidate], open_: Sequence[Sisters], photo_at: Reductions, index: CardIndex
) -> list[Told | None]:
    """Identity of cards by colour, under the lighting estimated from the `sure` cards: one result per card of
    `open_`.

    A result is None where the colours do not decide.
    """
    light = _light_of(sure, photo_at, index)
    if light is None:
        return [None] * len(open_)
    weighed = [_weighed(one, light, photo_at, index) for one in open_]
    told = [None if one is None else _told(one) for one in weighed]
    for group in {one.group for one in open_}:
        both = [
            (k, one, each)
            for k, (one, each) in enumerate(zip(weighed, told, strict=True))
            if open_[k].group == group and one is not None and each is not None
        ]
        together = _told_together([(one, each) for _, one, each in both], index)
        for (k, _, _), each in zip(both, together, strict=True):
            told[k] = each
    return told


@dataclass(frozen=True)
class _Light:
    """Lighting estimated from cards identified with certainty: a linear model per channel, and a residual
    colour shift.

    For each channel (3,) it has the visible share of the printed level, and the veil added to it. The
    residual shift (2,) is in log chromaticity.
    """

    gain: Array
    veil: Array
    shift: Array

    def of(self, printed: Array) -> Array:
        """Log chromaticity (..., 2) expected in the photo for printed levels (..., 3)."""
        return _chroma(np.maximum(self.gain * printed + self.veil, DIMMEST))


def _light_of(sure: Sequence[Candidate], photo_at: Reductions, index: CardIndex) -> _Light | None:
    """Lighting estimated from cards identified with certainty; None where too little of them is visible."""
    shown = [_shown(one, (one.placed.card,), photo_at, index) for one in sure]
    if sum(len(seen) for seen, _ in shown) < LEAST_KNOWN:
        return None
    seen = np.concatenate([each for each, _ in shown])
    printed = np.concatenate([each[0] for _, each in shown])
    lines = [_line(printed[:, channel], seen[:, channel]) for channel in range(3)]
    light = _Light(np.array([gain for gain, _ in lines]), np.array([veil for _, veil in lines]), np.zeros(2))
    return replace(light, shift=np.median(_chroma(seen) - light.of(printed), axis=0))


def _line(printed: Array, seen: Array) -> tuple[float, float]:
    """Slope and offset of a robust line from printed to observed levels (n,) of a channel, by reweighted
    least squares."""
    terms, weight = np.stack([printed, np.ones(len(printed))], axis=1), np.ones(len(printed))
    slope, offset = 1.0, 0.0
    for _ in range(TONES):
        root = np.sqrt(weight)
        slope, offset = np.linalg.lstsq(terms * root[:, None], seen * root, rcond=None)[0]
        off = np.abs(seen - slope * printed - offset)
        usual = max(float(np.median(off)), 1e-6)
        weight = usual / np.maximum(off, usual)
    return float(slope), float(offset)


@dataclass(frozen=True)
class _Weighed:
    """Colour evidence for a card: the cost of each of its `options` (n,), their likeness in grey, and their
    colour distances.

    `against` (n,) is the cost that decides whether an option is clear; `away` (n,) orders the options, since
    it grows with a distance beyond `FARTHEST` where the cost no longer does: a print that is more saturated
    than all others is still nearest to its own colour. `alike` (n,) is the likeness in grey. The distances
    (n, n) are between the colours of each two options. For a single option, `off` is the deviation of its
    colours.
    """

    options: tuple[int, ...]
    against: Array
    away: Array
    alike: Array
    apart: Array
    off: float = 0.0

    @property
    def cost(self) -> Array:
        """Cost (n,) by which the options are ordered, likeliest first."""
        return np.asarray(self.away - GREY_COUNTS * self.alike)


def _weighed(one: Sisters, light: _Light, photo_at: Reductions, index: CardIndex) -> _Weighed | None:
    levels, prints = _shown(one.found, one.options, photo_at, index)
    if len(levels) < LEAST_CELLS:
        return None
    seen, printed = _chroma(levels), light.of(prints)
    if len(printed) == 1:
        off = np.median(seen - printed[0], axis=0) - light.shift
        none = np.zeros(1)
        return _Weighed(one.options, none, none, none, np.zeros((1, 1)), float(np.hypot(*off)))
    # Where sisters are printed alike, a cell shows only the lighting.
    telling = np.linalg.norm(printed - printed.mean(axis=0), axis=2).max(axis=0)
    if not telling.any():
        return None
    telling /= telling.sum()
    off = [_off(seen - each, light) for each in printed]
    against = np.array([telling @ cells.clip(max=FARTHEST) + shift for cells, shift in off])
    away = np.array([telling @ (FARTHEST * -np.expm1(-cells / FARTHEST)) + shift for cells, shift in off])
    apart = np.linalg.norm(printed[:, None] - printed, axis=3).clip(max=FARTHEST) @ telling
    return _Weighed(one.options, against, away, np.array(one.likeness), apart)


def _told(one: _Weighed) -> Told:
    if len(one.options) == 1:
        return Told(one.options, one.off <= OTHER_COLOUR)
    order = np.argsort(one.cost, kind="stable")
    best, others = int(order[0]), order[1:]
    lead, apart = one.against[others] - one.against[best], one.apart[best, others]
    clear = apart.min() >= LEAST_APART and (lead / apart).min() >= one.against[best] / apart.min()
    return Told(tuple(int(one.options[k]) for k in order), bool(clear))


def _told_together(cards: Sequence[tuple[_Weighed, Told]], index: CardIndex) -> list[Told]:
    """Identities of cards that touch each other, on the assumption that all belong to one owner.

    The common owner puts the options in order, but makes no identity clear. A card whose options lack one of
    the owners is no evidence about the others: it may belong to just that owner.
    """
    told = [each for _, each in cards]
    owners = [{index.owners[card] for card in one.options} for one, _ in cards]
    open_ = [k for k, each in enumerate(owners) if len(each) > 1 and "" not in each]
    every = sorted(set().union(*(owners[k] for k in open_)))
    whole = [k for k in open_ if len(owners[k]) == len(every)]
    if len(whole) < 2:
        return told
    total = np.zeros(len(every))
    for k in whole:
        one, _ = cards[k]
        place = {index.owners[card]: n for n, card in enumerate(one.options)}
        total += one.cost[[place[owner] for owner in every]]
    likeliest = every[int(total.argmin())]
    for k in whole:
        ranked = tuple(sorted(told[k].options, key=lambda card: index.owners[card] != likeliest))
        if not told[k].clear:
            told[k] = Told(ranked, False)
    return told


def _off(shifts: Array, light: _Light) -> tuple[Array, float]:
    """Colour deviation (n,) of each cell from the card's own lighting, and the deviation of that lighting
    from `light`.

    `light` is the lighting of the cards identified with certainty.
    """
    own, believed = light.shift, SHARED_LIGHT * len(shifts)
    for _ in range(LIGHT_ROUNDS):
        weight = OFF_LIGHT / np.maximum(np.hypot(*(shifts - own).T), OFF_LIGHT)
        own = (weight @ shifts + believed * light.shift) / (weight.sum() + believed)
    return np.hypot(*(shifts - own).T), float(np.hypot(*(own - light.shift)))


def _shown(
    one: Candidate, cards: Sequence[int], photo_at: Reductions, index: CardIndex
) -> tuple[Array, Array]:
    """BGR levels of a place's cells in the photo (n, 3), and in the print of each given card (cards, n, 3).

    Only cells that show colour in the photo and in all prints are kept. All the cards have one size.
    """
    printed = index.tints[list(cards)].reshape(len(cards), -1, 3).astype(np.float64)
    cells = index.tints.shape[1:3]
    assert one.aligned is not None
    size_mm = index.sizes_mm[one.placed.card]
    seen = _cells(one.aligned.card_to_photo, size_mm, (cells[0], cells[1]), photo_at)
    shown = np.all((np.minimum(printed, seen) > DARKEST) & (seen < BRIGHTEST), axis=(0, 2))
    return seen[shown], printed[:, shown]


def _cells(card_to_photo: Array, size_mm: Size, cells: tuple[int, int], photo_at: Reductions) -> Array:
    """Median colour (BGR) of each cell of a card in the photo, (rows * columns, 3)."""
    rows, columns = cells
    across, down = size_mm[0] / (columns * TINT_PX), size_mm[1] / (rows * TINT_PX)
    to_mm = np.array([[across, 0, across / 2], [0, down, down / 2], [0, 0, 1]])
    seen = photo_at.colours_through(card_to_photo @ to_mm, (columns * TINT_PX, rows * TINT_PX))
    return middling(seen, cells).reshape(-1, 3).astype(np.float64)


def _chroma(bgr: Array) -> Array:
    """Log chromaticity (..., 2): logarithms of blue and red relative to green, independent of brightness."""
    values = np.log(np.maximum(bgr, 1.0))
    return np.asarray(values[..., [0, 2]] - values[..., [1]])
