"""Pen colours: changed pixels of the cards -> the colour of each pen's full film.

Colours are estimated from the photo, or taken from a measured profile of the pen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.ink import parameters

Array = NDArray[np.float64]


class PenProfile(msgspec.Struct, frozen=True, kw_only=True):
    """Optical profile of a pen.

    `through` is the transmittance of its film along its lines (blue, green, red), more than 1 where pale ink
    is lighter than the card; `spread` the film's standard deviation along them as a share of the usual film;
    `width_mm` the apparent width of its lines; `line_mm` the length of line it was learned from.
    """

    through: tuple[float, float, float]
    spread: float
    width_mm: float
    line_mm: float

    @property
    def film(self) -> float:
        """Absorptance of the film in its strongest channel, 0 to 1."""
        return 1 - min(self.through)

    @property
    def least_cover(self) -> float:
        """Threshold for a line: the smallest share of the pen's usual film that counts as ink."""
        low, high = parameters.KNOWN_PEN.least_cover_share, parameters.KNOWN_PEN.enough_cover_share
        return float(np.clip(1 - parameters.KNOWN_PEN.spread_deviations * self.spread, low, high))

    def makes_sense(self) -> bool:
        """Whether the profile is physically possible: all values are finite and not negative, and it absorbs
        some light."""
        told = (*self.through, self.spread, self.width_mm, self.line_mm)
        return all(math.isfinite(part) and part >= 0 for part in told) and self.film > 0

    @property
    def taken(self) -> tuple[float, float, float]:
        """Absorptance (blue, green, red) of the film, 0 to 1.

        Light added by pale ink depends on the print below it, and is left out.
        """
        blue, green, red = (max(1 - part, 0.0) for part in self.through)
        return blue, green, red

    def angle_to(self, through: Array) -> float:
        """Hue difference (degrees) between a film's transmittance (3,) and the pen's.

        It is 0 if both absorb the same colours, whatever the amount.
        """
        taken, own = 1 - np.asarray(through, float), 1 - np.array(self.through)
        length = float(np.linalg.norm(taken) * np.linalg.norm(own))
        return math.degrees(math.acos(float(np.clip(taken @ own / max(length, 1e-9), -1, 1))))

    def full_bgr(self, ground: Array) -> tuple[float, float, float]:
        """Colour (blue, green, red), 0..1, of a full film of the pen on a ground (3,)."""
        more = max(parameters.PENS.full_share / self.film, 1.0)
        blue, green, red = np.clip(ground * (1 - more * np.array(self.taken)), 0, 1).tolist()
        return blue, green, red


Colours = NDArray[np.float32]

#: Number of pixels among which the mode of a pen's colour is searched for.
_SAMPLES = 400
#: Largest number of pens that are distinguished in one photo.
_MOST_PENS = 4
#: Ground (picture value) of a known pen if no pixel changed.
_USUAL_GROUND = 0.7


@dataclass(frozen=True)
class Changed:
    """Changed pixels of one card that are neither blank nor occluded.

    `where` (H, W) is their mask; other arrays have one entry per pixel, row by row. `on_art` (N, 3) is the
    colour corrected to the art's light, `ground` (N, 3) the art's own colour, blue-green-red 0..1. `beside`
    (N,) marks pixels near an object, which may be its shadow.
    """

    where: NDArray[np.bool_]
    on_art: Colours
    ground: Colours
    beside: NDArray[np.bool_] | None = None

    @property
    def darker(self) -> NDArray[np.bool_]:
        """Mask (N,) of pixels that became darker: pens absorb light, while glare adds it."""
        change = self.on_art - self.ground
        return np.asarray(-change.min(axis=1) > change.max(axis=1))


@dataclass(frozen=True)
class Pen:
    """The colour of a pen's full film on the art, blue-green-red 0..1.

    `thin` if all its ink in this photo is as thin as the residue of a wipe; `known` if it is the pen that the
    player stated.
    """

    bgr: tuple[float, float, float]
    thin: bool = False
    known: PenProfile | None = None


def all_thin(pens: Sequence[Pen]) -> bool:
    """Whether pens were found and all of them drew only lines as thin as wiped ones."""
    return bool(pens) and all(pen.thin for pen in pens)


def find_pens(cards: Sequence[Changed], px_per_mm: float, known: PenProfile | None = None) -> tuple[Pen, ...]:
    """Pens that drew in a photo, the pen with most ink first; none if there is no ink.

    A `known` pen comes first, even where it does not show, followed by pens for the ink that it does not
    explain. If enough lines have a full film, the profile is ignored, because the photo shows its pens
    better. Pens are darker than cards, so lighter pixels (such as glare) count only if nearly all changed
    pixels are lighter.
    """
    if known is not None and _plain_mm2(cards, px_per_mm) < parameters.KNOWN_PEN.plain_mm2:
        return _further([_of_profile(known, cards)], cards, [card.darker for card in cards], px_per_mm)
    darker = [card.darker for card in cards]
    areas = [
        sum(float(np.count_nonzero(own == dark)) for own in darker) / px_per_mm**2 for dark in (True, False)
    ]
    light = areas[0] < parameters.PENS.least_dark_mm2 and areas[1] > parameters.PENS.light_factor * max(
        areas[0], parameters.PENS.least_light_mm2
    )
    chosen = _apart_from_things(cards, [own != light for own in darker], px_per_mm)
    on_art = np.concatenate([card.on_art[own] for card, own in zip(cards, chosen, strict=True)])
    ground = np.concatenate([card.ground[own] for card, own in zip(cards, chosen, strict=True)])
    if len(on_art) / px_per_mm**2 < parameters.PENS.least_ink_mm2:
        return ()
    colour, under = _densest(on_art, ground)
    if not light:
        return _further([full_pen(colour, under)], cards, chosen, px_per_mm)
    # this much ink with a colour of its own covers a dark floor, as a thin film cannot add light
    covers = (
        areas[1] > parameters.PENS.least_dark_mm2 and _chroma(colour - under) > parameters.PENS.coloured_value
    )
    pens = [_pen(colour) if covers else full_pen(colour, under)]
    return _further(pens, cards, _apart_from_things(cards, darker, px_per_mm), px_per_mm)


def _apart_from_things(
    cards: Sequence[Changed], chosen: list[NDArray[np.bool_]], px_per_mm: float
) -> list[NDArray[np.bool_]]:
    """Masks of the chosen pixels of each card without those beside an object, whose shadow is darker than a
    faint line.

    All chosen pixels are kept if too few of the others form lines.
    """
    apart = [
        own if card.beside is None else own & ~card.beside for card, own in zip(cards, chosen, strict=True)
    ]
    lines = sum(
        float(np.count_nonzero(drawn_lines(card, own, px_per_mm)))
        for card, own in zip(cards, apart, strict=True)
    )
    return apart if lines / px_per_mm**2 >= parameters.PENS.apart_mm2 else chosen


def _further(
    pens: list[Pen], cards: Sequence[Changed], chosen: Sequence[NDArray[np.bool_]], px_per_mm: float
) -> tuple[Pen, ...]:
    """The pens, extended by pens for the `chosen` pixels that they do not explain."""
    while len(pens) < _MOST_PENS:
        rest = [_unlike(card, own, pens, px_per_mm) for card, own in zip(cards, chosen, strict=True)]
        on_art = np.concatenate([card.on_art[own] for card, own in zip(cards, rest, strict=True)])
        ground = np.concatenate([card.ground[own] for card, own in zip(cards, rest, strict=True)])
        if len(on_art) / px_per_mm**2 < parameters.FURTHER_PENS.least_mm2:
            break
        colour, under = _densest(on_art, ground)
        alike = np.linalg.norm(on_art - colour, axis=1) < parameters.PENS.spread_value
        taking = film_of(colour, under) >= parameters.FURTHER_PENS.film_share
        # objects and misjudged print have many colours, and the film of a wiped line is thin
        if alike.mean() < parameters.FURTHER_PENS.alike_share or not (
            taking or _chroma(colour - under) > parameters.PENS.coloured_value
        ):
            break
        pens.append(full_pen(colour, under) if taking else _pen(colour))
    return tuple(pens)


def _plain_mm2(cards: Sequence[Changed], px_per_mm: float) -> float:
    """Area (mm2) of ink in lines of a full film."""
    return (
        sum(
            float(
                np.count_nonzero(
                    drawn_lines(
                        card, card.darker & (taken(card) > parameters.KNOWN_PEN.plain_film_share), px_per_mm
                    )
                )
            )
            for card in cards
        )
        / px_per_mm**2
    )


def taken(card: Changed) -> Colours:
    """Absorptance (N,) of each changed pixel in its strongest channel."""
    return np.asarray((1 - card.on_art / np.maximum(card.ground, 0.2)).max(axis=1), np.float32)


def _of_profile(known: PenProfile, cards: Sequence[Changed]) -> Pen:
    """A known pen, with its colour on the median ground of the changed pixels."""
    grounds = np.concatenate([card.ground for card in cards])
    ground = np.median(grounds, axis=0) if len(grounds) else np.full(3, _USUAL_GROUND)
    return Pen(known.full_bgr(np.asarray(ground, float)), known=known)


def film_of(colour: Colours, ground: Colours) -> float:
    """Absorptance of a film in its strongest channel, 0 to 1."""
    return float((1 - colour / np.maximum(ground, 0.2)).max())


def _chroma(change: Colours) -> Colours:
    """Chroma (...,) of colour changes (..., 3): their distance from grey, since light and shade change all
    channels alike."""
    return np.asarray(np.linalg.norm(change - change.mean(axis=-1, keepdims=True), axis=-1), np.float32)


def full_pen(colour: Colours, ground: Colours) -> Pen:
    """The pen of a film: a thin film's colour is extrapolated to a full film.

    The colour of a light pen, which absorbs nothing, is left as it is.
    """
    film = film_of(colour, ground)
    if 0 < film < parameters.PENS.full_share:
        # below this thickness a film does not determine its hue any better
        more = parameters.PENS.full_share / max(film, parameters.PENS.full_share / 6)
        colour = np.clip(ground + (colour - ground) * more, 0, 1)
    return _pen(colour, thin=0 < film < parameters.PENS.thin_share)


def _pen(colour: Colours, *, thin: bool = False) -> Pen:
    blue, green, red = (float(value) for value in colour)
    return Pen((blue, green, red), thin=thin)


def _densest(on_art: Colours, ground: Colours) -> tuple[Colours, Colours]:
    """Mode of the colours of the fullest film (3,), and the median colour of the ground below it (3,)."""
    amount = np.linalg.norm(on_art - ground, axis=1)
    # the half of the pixels that changed most
    fullest = amount >= np.quantile(amount, 0.5)
    full, under = on_art[fullest], ground[fullest]
    some = full[:: -(-len(full) // _SAMPLES)]
    length2 = (some**2).sum(axis=1)
    near = length2[:, None] + length2[None] - 2 * some @ some.T < parameters.PENS.core_value**2
    colour = np.median(some[near[int(near.sum(axis=1).argmax())]], axis=0)
    own = np.ones(len(full), bool)
    for _ in range(3):
        own = np.linalg.norm(full - colour, axis=1) < parameters.PENS.spread_value
        if not own.any():
            break
        colour = np.median(full[own], axis=0)
    return colour, np.median(under[own] if own.any() else under, axis=0)


def _unlike(
    card: Changed, chosen: NDArray[np.bool_], pens: Sequence[Pen], px_per_mm: float
) -> NDArray[np.bool_]:
    """Mask (N,) of a card's pixels in drawn lines that no pen's film explains at any thickness.

    Candidates are the chosen pixels, and pixels with a strong chroma: on a dark floor, red and orange absorb
    no light.
    """
    left: NDArray[np.bool_] = chosen & (taken(card) > parameters.FURTHER_PENS.film_share)
    left |= _chroma(card.on_art - card.ground) > parameters.PENS.coloured_value
    if card.beside is not None:
        left &= ~card.beside
    for pen in pens:
        way = np.asarray(pen.bgr, np.float32) - card.ground
        change = card.on_art - card.ground
        share = np.clip((change * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-4), 0, 1.5)
        left &= np.linalg.norm(change - share[:, None] * way, axis=1) > parameters.FURTHER_PENS.unlike_value
    return drawn_lines(card, left, px_per_mm)


def drawn_lines(card: Changed, chosen: NDArray[np.bool_], px_per_mm: float) -> NDArray[np.bool_]:
    """Mask (N,) of a card's chosen pixels that form lines."""
    if not chosen.any():
        return chosen
    picture = np.zeros(card.where.shape, np.uint8)
    picture[card.where] = chosen
    _, labels, stats, _ = cv2.connectedComponentsWithStats(picture, connectivity=8)
    length = np.hypot(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) / px_per_mm
    width = stats[:, cv2.CC_STAT_AREA] / px_per_mm**2 / np.maximum(length, 1e-6)
    lines: NDArray[np.bool_] = (length > parameters.FURTHER_PENS.length_mm) & (
        width > parameters.PENS.least_width_mm / 2
    )
    lines[0] = False
    return np.asarray(lines[labels[card.where]])
