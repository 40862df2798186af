"""Photo quality: defects and their places (dark, far away, blurred, cut off, hidden), to be reported with
advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.text import Text
from vision.allowance import allowance
from vision.cards.index import CardIndex
from vision.cards.layout import Layout
from vision.cards.looks import price_of, sighted
from vision.cards.search_views import parts
from vision.cards.viewfinder import find_outlines
from vision.ink.ink_map import InkMap
from vision.missing_cards import is_cut
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.sharpness import is_blurred
from vision.photo.view import Reductions

#: Kinds of defects. The viewfinder uses the same words before the photo is taken.
Kind = Literal["dark", "far", "blurred", "cut-off", "hidden"]
#: A part of the photo: left, top, right, bottom in pixels.
Box = tuple[int, int, int, int]

#: Card height in pixels below which reading is unreliable.
_LEAST_CARD_PX = 200.0
#: A photo whose print is blurred by more than this (mm) hides thin lines.
_BLURRY_MM = 0.4
#: Hidden share of a card from which it is reported.
_HIDDEN_SHARE = 0.15
#: Mean brightness (of 255) below which cards are not read well.
_DARK = 45.0

# If no card was found, the reason is sought in the photo as a whole. The numbers below were set on shipped
# photos that were darkened, blurred, reduced and covered.

#: Longer side of the picture in which brightness and sharpness are measured.
_LOOKED_AT_PX = 1100
#: Glare: least brightness, and least share of the photo in one connected region.
_GLARING, _GLARE_SHARE = 250, 0.03


@dataclass(frozen=True)
class Shortcoming:
    """One defect of a photo: its `kind`, its description in words, and its place; None for the whole
    photo."""

    kind: Kind
    words: Text
    box: Box | None = None


def shortcomings_of(photo: Photo, ink: InkMap, layout: Layout) -> tuple[Shortcoming, ...]:
    """Defects of a photo in which cards were found, with their places."""
    found = []
    outlines = [np.asarray(pose.corners_px, np.float64) for pose in layout.poses]
    heights = [float(np.linalg.norm(corners[3] - corners[0])) for corners in outlines]
    everything = _box(outlines, photo)
    small, step = photo.reduced(photo.halvings), max(1, 4 >> photo.halvings)
    left, top, right, bottom = (at >> photo.halvings for at in everything)
    if small[top:bottom:step, left:right:step].mean() < _DARK:
        found.append(Shortcoming("dark", DARK, everything))
    if min(heights) < _LEAST_CARD_PX:
        found.append(Shortcoming("far", FAR, _box([outlines[int(np.argmin(heights))]], photo)))
    if ink.blur_mm > _BLURRY_MM:
        found.append(Shortcoming("blurred", BLURRED, everything))
    # In the dark and in a blurred photo nothing is visible anywhere.
    obscure = any(each.kind in ("dark", "blurred") for each in found)
    for pose, corners, share in zip(layout.poses, outlines, ink.hidden, strict=True):
        if is_cut(corners, photo):
            words = Text(
                "Card {card} is partly outside the photo; take one that shows every card whole.",
                card=pose.card,
            )
            found.append(Shortcoming("cut-off", words, _box([corners], photo)))
        elif share > _HIDDEN_SHARE and not obscure:
            words = Text("Glare or something lying there hides part of card {card}.", card=pose.card)
            found.append(Shortcoming("hidden", words, _box([corners], photo)))
    return tuple(found)


def why_nothing(photo: Photo, index: CardIndex) -> tuple[Shortcoming, ...]:
    """Probable reasons why no card was found in a photo, likeliest first; empty if none shows."""
    scale = min(1.0, _LOOKED_AT_PX / max(photo.width, photo.height))
    size = round(photo.width * scale), round(photo.height * scale)
    small = cv2.resize(photo.reduced(photo.halvings), size, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    if grey.mean() < _DARK:
        return (Shortcoming("dark", DARK),)
    outlines = [outline.corners_px for outline in find_outlines(photo, index)]
    found = [Shortcoming("cut-off", CUT_OFF, _box([each], photo)) for each in outlines if is_cut(each, photo)]
    blurred = is_blurred(grey)
    if not found and not blurred and (afar := _cards_afar(photo, index)):
        found.append(Shortcoming("far", FAR, _box(afar, photo)))
    if not found and (glare := _glare(grey)) is not None:
        left, top, right, bottom = (round(at / scale) for at in glare)
        found.append(Shortcoming("hidden", HIDDEN, (left, top, right, bottom)))
    if not found and blurred:
        found.append(Shortcoming("blurred", BLURRED))
    return tuple(found)


def _cards_afar(photo: Photo, index: CardIndex) -> list[NDArray[np.float64]]:
    """Corners (4, 2) px of cards that are recognised only in an enlarged part of a large photo."""
    photo_at = Reductions(photo)
    if max(photo_at.size) <= _LOOKED_AT_PX:
        return []
    for part in parts(photo_at):
        if not allowance().covers(price_of(part)):
            break
        _, _, sightings = sighted(part, index)
        # A tableau lies in one place, so cards that were not found are near those that were.
        if sightings:
            return [geometry.apply(part.to_photo, each.corners_px(index)) for each in sightings]
    return []


def _glare(grey: NDArray[np.uint8]) -> Box | None:
    """Bounding box of the largest overexposed region of a picture; None if no region is large enough."""
    bright = np.asarray(grey >= _GLARING, np.uint8)
    whole = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, _, pieces, _ = cv2.connectedComponentsWithStats(whole)
    if len(pieces) < 2:
        return None
    left, top, width, height, area = pieces[1:][int(pieces[1:, cv2.CC_STAT_AREA].argmax())].tolist()
    return (left, top, left + width, top + height) if area >= _GLARE_SHARE * grey.size else None


def _box(outlines: Sequence[NDArray[np.float64]], photo: Photo) -> Box:
    """Bounding box of outlines, clipped to the photo."""
    points = np.concatenate(outlines).clip((0, 0), (photo.width, photo.height))
    left, top = np.floor(points.min(axis=0)).astype(int).tolist()
    right, bottom = np.ceil(points.max(axis=0)).astype(int).tolist()
    return left, top, right, bottom


DARK = Text("The photo is too dark; take it again with more light.")
FAR = Text("The cards are small in the photo; go closer.")
BLURRED = Text("The photo is blurred; hold the phone still and tap on the cards to focus.")
CUT_OFF = Text("A card is cut off here; take a photo that shows every card whole.")
HIDDEN = Text("Glare hides what is here; take the photo from another side.")
