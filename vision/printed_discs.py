"""Discs that are but pictures on cards: a treasure's card shows the treasure as large as it is.

Where a card of the box shows a disc is known from its art; a disc that is seen is on such a card where what
lies round it is like the rest of the card, turned any way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_art import BoardArt, Flat
from vision.board_plane import FromAbove
from vision.discs import DiscBank, DiscSight, like_discs, name_disc, round_edges

Floats = NDArray[np.float32]

#: A card's picture is a disc where it is so much like one.
PICTURE = 0.62
#: What lies round a disc is a card where it is so much like it (correlation): of 11 pictures in four photos
#: (`tuning-labyrinth2` 901, 908, 921, 926) none came to less than 0.50, and no disc of 60 to more than 0.40.
ON_CARD = 0.45
#: The card round a picture is compared at points so far apart (mm), at so many turns.
STEP_MM, TURNS = 2.5, 60


@dataclass(frozen=True)
class PrintedDisc:
    """A picture of a disc, by its number in `BoardArt.discs`: the rest of its card by places (n, 2), mm from
    the picture's middle, and their colours (n, 3), of no mean and unit length."""

    disc: int
    round_mm: NDArray[np.float64]
    colours: Floats


def printed_discs(art: BoardArt, bank: DiscBank) -> tuple[PrintedDisc, ...]:
    """The discs that cards of a box show; looked for once."""
    kept = vars(art)
    if "printed_discs" not in kept:
        kept["printed_discs"] = tuple(each for card in art.cards for each in _shown_on(card, art, bank))
    found: tuple[PrintedDisc, ...] = kept["printed_discs"]
    return found


def _shown_on(card: Flat, art: BoardArt, bank: DiscBank) -> list[PrintedDisc]:
    height, width = card.picture.shape[:2]
    view = FromAbove(card.picture, art.px_per_mm, (0.0, 0.0), np.ones((height, width), bool))
    found: list[DiscSight] = []
    radii = sorted({disc.size_mm[0] / 2 for disc in art.discs})
    for radius, places in zip(radii, round_edges(view, radii), strict=True):
        sights = [name_disc(view, bank, at) for at in like_discs(view, bank, places, radius)]
        found += [sight for sight in sights if sight is not None and sight.likeness >= PICTURE]
    if not found:
        return []
    best = max(found, key=lambda sight: sight.likeness)
    xs, ys = np.meshgrid(*(np.arange(1.5, side - 1, STEP_MM) for side in card.size_mm))
    at = np.column_stack([xs.ravel(), ys.ravel()])
    away = at - np.asarray(best.at_mm)
    rest = np.hypot(*away.T) > 1.08 * art.discs[best.disc].size_mm[0] / 2
    px = (at[rest] * art.px_per_mm).astype(int)
    colours = card.picture[px[:, 1].clip(0, height - 1), px[:, 0].clip(0, width - 1)].astype(np.float32)
    return [PrintedDisc(best.disc, away[rest], _plain(colours))]


def _plain(colours: Floats) -> Floats:
    """(..., n, 3) colours without their mean, of unit length."""
    away = colours - colours.mean(axis=-2, keepdims=True)
    length = np.sqrt((away * away).sum(axis=(-2, -1), keepdims=True))
    return np.asarray(away / np.maximum(length, 1e-3), np.float32)


def is_printed(sight: DiscSight, above: FromAbove, printed: Sequence[PrintedDisc]) -> bool:
    """Whether a disc that is seen is but a picture on a card."""
    return any(
        _like_card(sight, above, each) > ON_CARD
        for each in printed
        if each.disc in (sight.disc, *sight.others)
    )


def _like_card(sight: DiscSight, above: FromAbove, printed: PrintedDisc) -> float:
    turns = np.arange(TURNS) * 2 * np.pi / TURNS
    cos, sin = np.cos(turns)[:, None], np.sin(turns)[:, None]
    x, y = printed.round_mm.T
    start = np.asarray(sight.at_mm) - above.origin_mm
    at_x = ((start[0] + cos * x - sin * y) * above.px_per_mm - 0.5).astype(np.float32)
    at_y = ((start[1] + sin * x + cos * y) * above.px_per_mm - 0.5).astype(np.float32)
    seen = cv2.remap(above.picture, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alike = (_plain(np.asarray(seen, np.float32)) * printed.colours).sum(axis=(1, 2))
    return float(alike.max())
