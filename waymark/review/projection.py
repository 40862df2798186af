"""Projection of table millimetres to photo pixels, card by card: a card's own corners give the best position
of its places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue, Point
from scorer.dungeon import Dungeon, Link
from scorer.placement import card_to_table, footprint, table_to_card
from scorer.record import PlacedCard, Record
from vision.cards.pose import CardPose
from vision.mirrored import run_backwards
from vision.photo import geometry
from vision.scan import Scan

Points = NDArray[np.float64]

#: Distance within which a card's centre matches that of a read card, whatever its rotation or identity.
SAME_PLACE_MM = 12.0


class Projection:
    """Projection from table millimetres to pixels of a picture: the photo from `origin_px` on, scaled by
    `scale`.

    `cards` are those of the dungeon, in its order. `corners_px` holds (4, 2) for each; `px_per_mm` is
    their mean scale."""

    def __init__(
        self,
        cards: Sequence[CardPose],
        dungeon: Dungeon,
        scale: float = 1.0,
        origin_px: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        sizes = [dungeon.catalogue.size_of(placed.card) for placed in dungeon.cards]
        self._dungeon = dungeon
        self.corners_px = [(card.corners_px - origin_px) * scale for card in cards]
        self._to_px = [
            cv2.getPerspectiveTransform(
                geometry.rectangle(*size).astype(np.float32), corners.astype(np.float32)
            )
            for size, corners in zip(sizes, self.corners_px, strict=True)
        ]
        heights = [
            np.linalg.norm(corners[3] - corners[0]) / height
            for (_, height), corners in zip(sizes, self.corners_px, strict=True)
        ]
        self.px_per_mm = float(np.mean(heights)) if heights else 1.0

    def on_card(self, card_index: int, points_mm: Sequence[Point]) -> Points:
        """Pixel positions (N, 2) of table points (N, 2) in mm that lie on one card."""
        placed = self._dungeon.cards[card_index]
        size = self._dungeon.catalogue.size_of(placed.card)
        face = np.array([[table_to_card(placed, point, size) for point in points_mm]], np.float64)
        pixels: Points = cv2.perspectiveTransform(face, self._to_px[card_index])[0]
        return pixels

    def place(self, name: str) -> Points:
        """Pixel position (2,) of a place of the dungeon."""
        place = self._dungeon.places[name]
        made: Points = self.on_card(place.card_index, [place.at_mm])[0]
        return made

    def link(self, link: Link) -> Points:
        """Pixel polyline (N, 2) of a link between places; a crossing leads from card to card."""
        a, b = self._dungeon.places[link.a], self._dungeon.places[link.b]
        if a.card_index != b.card_index:
            return np.stack([self.place(a.id), self.place(b.id)])
        return self.on_card(a.card_index, link.line_mm)


def cards_in_photo(reading: Scan, record: Record, catalogue: Catalogue) -> tuple[CardPose, ...]:
    """Photo positions of a corrected record's cards, in its order: the detected corners, rotated as in
    the record. Moved and added cards are placed by the homography of all detected cards."""
    if record.cards == reading.tableau.cards or not reading.cards:
        return reading.cards
    read = list(zip(reading.tableau.cards, reading.cards, strict=True))
    return tuple(_seen(placed, read, catalogue) for placed in record.cards)


def _seen(placed: PlacedCard, read: Sequence[tuple[PlacedCard, CardPose]], catalogue: Catalogue) -> CardPose:
    before, seen = min(
        read, key=lambda pair: math.dist(_middle_mm(pair[0], catalogue), _middle_mm(placed, catalogue))
    )
    if before == placed:
        return seen
    near = math.dist(_middle_mm(before, catalogue), _middle_mm(placed, catalogue)) <= SAME_PLACE_MM
    if near and (placed.rotation - before.rotation) % 180 == 0:
        corners = (
            seen.corners if placed.rotation == before.rotation else (*seen.corners[2:], *seen.corners[:2])
        )
    else:
        corners = _by_the_plane(placed, read, catalogue)
    return replace(seen, card=placed.card, rotation=placed.rotation, corners=corners)


def _by_the_plane(
    placed: PlacedCard, read: Sequence[tuple[PlacedCard, CardPose]], catalogue: Catalogue
) -> tuple[tuple[float, float], ...]:
    """Corners by the homography that fits the corners of all cards that were read."""
    corners = cv2.perspectiveTransform(_outline_mm(placed, catalogue)[None], table_plane(read, catalogue))[0]
    return tuple((float(x), float(y)) for x, y in corners)


def turns_in_photo(cards: Sequence[CardPose]) -> tuple[int, ...]:
    """Rotation of each card in the photo, clockwise in degrees, whole quarters; of a mirrored photo in its
    mirror image, as on the table."""
    turns = []
    mirrored = run_backwards([card.corners for card in cards])
    for card in cards:
        top_left, top_right, bottom_right, bottom_left = np.asarray(card.corners, float)
        along = (top_right - top_left) + (bottom_right - bottom_left)
        across = -along[0] if mirrored else along[0]
        turns.append(round(math.degrees(math.atan2(along[1], across)) / 90) % 4 * 90)
    return tuple(turns)


def outline_px(
    placed: PlacedCard, cards: Sequence[PlacedCard], seen: Sequence[CardPose], catalogue: Catalogue
) -> Points:
    """Predicted corners (4, 2) in photo pixels of a card that is not among `cards`."""
    return np.array(_by_the_plane(placed, list(zip(cards, seen, strict=True)), catalogue))


def share_in_photo(outline: Points, width: int, height: int) -> float:
    """Share of a card (corners (4, 2), going round) inside a photo of that size, 0 to 1. 0 for corners
    that make no card."""
    quad = np.asarray(outline, np.float32)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    if not np.isfinite(quad).all() or not geometry.is_convex(quad.astype(np.float64)):
        return 0.0
    inside, _ = cv2.intersectConvexConvex(quad, frame)
    return float(inside / max(cv2.contourArea(quad), 1.0))


def table_point(cards: Sequence[tuple[PlacedCard, CardPose]], catalogue: Catalogue, point_px: Point) -> Point:
    """Table position (mm) of a photo point, by the homography of these cards."""
    to_table = np.linalg.inv(table_plane(cards, catalogue))
    x, y = cv2.perspectiveTransform(np.array([[point_px]], np.float64), to_table)[0, 0]
    return float(x), float(y)


def table_plane(read: Sequence[tuple[PlacedCard, CardPose]], catalogue: Catalogue) -> Points:
    """Homography (3, 3) from table mm to photo pixels that fits the corners of all cards."""
    table = np.concatenate([_outline_mm(card, catalogue) for card, _ in read])
    photo = np.concatenate([seen.corners_px for _, seen in read])
    plane, _ = cv2.findHomography(table, photo)
    return np.asarray(plane, np.float64)


def _outline_mm(placed: PlacedCard, catalogue: Catalogue) -> Points:
    size = catalogue.size_of(placed.card)
    face = geometry.rectangle(*size).tolist()
    return np.array([card_to_table(placed, (x, y), size) for x, y in face])


def _middle_mm(placed: PlacedCard, catalogue: Catalogue) -> Point:
    outline = footprint(placed, catalogue.size_of(placed.card))
    return (outline.left + outline.right) / 2, (outline.top + outline.bottom) / 2
