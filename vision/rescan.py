"""Reading a photo whose cards a person has named and placed: only ink, path and marks are left to read.

An outline that a finger dragged, or that another card's art was laid on, is a few millimetres off: the art of
the card that it is now is laid over it once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.placement import card_to_table
from scorer.record import PlacedCard, Rotation
from vision import homography
from vision.alignment import align
from vision.blas import single_threaded_blas
from vision.card_index import CardIndex
from vision.faces import SeenCards
from vision.known_lens import lens_of
from vision.layout import CardDoubt, CardPose, Layout
from vision.likeness import COARSE_PX_PER_MM, Likeness, least_likeness, likeness_to
from vision.mirrored import as_turned_over, reflected, run_backwards, turned_over
from vision.neighbours import Size
from vision.pen_profile import PenProfile
from vision.photo import Photo
from vision.scan import Scan, StageClock, scan_layout
from vision.through_lens import as_photographed, straight_corners
from vision.view import View, make_view

Array = NDArray[np.float64]
Corners = tuple[tuple[float, float], ...]

#: A dragged outline may lie this far off when cards are compared with it.
_OUTLINE_SLACK_MM = 4.0


@dataclass(frozen=True)
class PinnedCard:
    """A card as a person left it. `x`, `y` (mm) and `rotation` are the record's; `corners` are photo pixels
    of the printed top-left, top-right, bottom-right, bottom-left. `changed`: outline or card are not those
    that were read. `options` are the ids that it may still be (best first), where that is not settled."""

    card: str
    rotation: Rotation
    x: float
    y: float
    corners: Corners
    confidence: float
    changed: bool = False
    options: tuple[str, ...] = ()


@single_threaded_blas()
def scan_pinned(
    photo: Photo,
    pinned: Sequence[PinnedCard],
    catalogue: Catalogue,
    index: CardIndex,
    on_stage: Callable[[str], None] | None = None,
    pen: PenProfile | None = None,
    seen: SeenCards | None = None,
) -> Scan:
    """Read ink, path and marks of a photo on the cards as pinned, in their order. `on_stage` is told each
    stage as it ends; `pen` is the player's own; `seen` has what was kept of the photo's cards. Raises
    `WaymarkError` (unknown-card, heaped-cards)."""
    if run_backwards([card.corners for card in pinned]):
        over = tuple(replace(card, corners=as_turned_over(card.corners, photo.width)) for card in pinned)
        read = scan_pinned(turned_over(photo), over, catalogue, index, on_stage, pen)
        return reflected(read, photo.width)
    clock = StageClock(on_stage)
    if (lens := lens_of(photo)) is not None:
        straight = tuple(replace(card, corners=straight_corners(card.corners, lens)) for card in pinned)
        scan = scan_pinned(lens.straight_photo(photo), straight, catalogue, index, on_stage, pen)
        return as_photographed(scan, lens)
    clock.note("photo")
    poses = _poses(photo, pinned, index)
    table = np.concatenate([_footprint_mm(card, catalogue) for card in pinned])
    corners = np.concatenate([np.array(card.corners, np.float64) for card in pinned])
    table_to_photo, _ = cv2.findHomography(table, corners)
    doubts = [CardDoubt(k, card.options, "alike") for k, card in enumerate(pinned) if card.options]
    layout = Layout(poses, np.asarray(table_to_photo, np.float64), doubts=tuple(doubts))
    clock.note("layout")
    return scan_layout(photo, layout, catalogue, clock, pen, seen)


@single_threaded_blas()
def likeliest_cards(photo: Photo, corners: Corners, index: CardIndex) -> list[tuple[str, int]]:
    """All cards by how like they are to what the photo shows within an outline, the likeliest first;
    with each the degrees by which it would lie turned, clockwise, against the outline. The catalogue's order
    where there is nothing to see."""
    if run_backwards([corners]):
        return likeliest_cards(turned_over(photo), as_turned_over(corners, photo.width), index)
    view, likeness = make_view(photo, max(index.neighbours.board)), likeness_to(index)
    slack = round(_OUTLINE_SLACK_MM * COARSE_PX_PER_MM)
    scores = np.full((4, len(index.ids)), -np.inf)
    for size_mm in index.footprints:
        for quarters in index.flips(size_mm):
            turned = (*corners[quarters:], *corners[:quarters])
            region = likeness.coarse_region(view, _to_photo(turned, size_mm), size_mm, slack)
            if region is None:
                return [(name, 0) for name in index.ids]
            scores[quarters, likeness.cards_of(size_mm)] = likeness.try_all(region, size_mm, slack)[0]
    turn = 90 * scores.argmax(axis=0)
    return [(index.ids[card], int(turn[card])) for card in np.argsort(-scores.max(axis=0), kind="stable")]


def _poses(photo: Photo, pinned: Sequence[PinnedCard], index: CardIndex) -> tuple[CardPose, ...]:
    touched = any(card.changed for card in pinned)
    view = make_view(photo, max(index.neighbours.board)) if touched else None
    likeness = likeness_to(index)
    poses = []
    for card in pinned:
        size_mm = index.sizes_mm[index.ids.index(card.card)]
        to_photo = _to_photo(card.corners, size_mm)
        if view is not None and card.changed:
            to_photo = _laid_over(view, to_photo, card.card, likeness)
        poses.append(
            CardPose(
                card=card.card,
                rotation=card.rotation,
                x_mm=card.x,
                y_mm=card.y,
                card_to_photo=to_photo,
                corners_px=homography.apply(to_photo, homography.rectangle(*size_mm)),
                confidence=card.confidence,
            )
        )
    return tuple(poses)


def _laid_over(view: View, to_photo: Array, card: str, likeness: Likeness) -> Array:
    """The card's outline where its art fits best near `to_photo`; that itself where it fits nowhere."""
    number = likeness.index.ids.index(card)
    aligned = align(view, to_photo, number, likeness)
    fits = aligned is not None and aligned.likeness >= least_likeness(likeness.index.sizes_mm[number])
    return aligned.card_to_photo if aligned is not None and fits else to_photo


def _to_photo(corners: Corners, size_mm: Size) -> Array:
    face = homography.rectangle(*size_mm).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(face, np.array(corners, np.float32)), np.float64)


def _footprint_mm(card: PinnedCard, catalogue: Catalogue) -> Array:
    """(4, 2) table mm of the printed corners."""
    size = catalogue.size_of(card.card)
    placed = PlacedCard(card.card, card.x, card.y, card.rotation)
    corners = homography.rectangle(*size).tolist()
    return np.array([card_to_table(placed, (x, y), size) for x, y in corners])
