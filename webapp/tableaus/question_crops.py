"""The part of a photo that shows a question: boxes (left, top, right, bottom) in its pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.dungeon import Dungeon
from vision.questions import Question
from vision.scan import SeenPhoto
from waymark.review.projection import Points, Projection
from waymark.review.tableau.assess import Assessment

Box = tuple[float, float, float, float]

#: Least side of a crop, so that people recognise the place on the cards.
_LEAST_CROP_MM = 44.0

_CROP_MARGIN_MM = 6.0


def where(place: str, dungeon: Dungeon, projection: Projection) -> Points:
    """Position of a question in photo pixels: its place, its card, or the middle of all cards."""
    index = place.partition(".")[0]
    if place in dungeon.places:
        return projection.place(place)
    corners = projection.corners_px
    if index.isdigit() and int(index) < len(corners):
        corners = [corners[int(index)]]
    middle: Points = np.concatenate(corners).mean(axis=0)
    return middle


def crop_of(
    question: Question, at: Points, lines: Sequence[Points], assessment: Assessment, projection: Projection
) -> Box:
    """Box in the photo that shows a question and all its answers."""
    mm = projection.px_per_mm
    # A place without a card is next to the card to which the question belongs.
    points = [] if question.about == "card" and question.crop_px is not None else [at[None], *lines]
    if question.crop_px is not None:
        points.append(np.array(question.crop_px, float).reshape(2, 2))
    elif question.place not in assessment.dungeon.places:
        points += projection.corners_px
    return crop_about(points, _LEAST_CROP_MM, mm, assessment.scan.photo)


def crop_about(points: Sequence[Points], least_mm: float, px_per_mm: float, photo: SeenPhoto) -> Box:
    """Box (left, top, right, bottom; pixels) around points in the photo, with a margin and a minimum size."""
    every = np.concatenate(points)
    low, high = every.min(axis=0), every.max(axis=0)
    half = np.maximum((high - low) / 2 + _CROP_MARGIN_MM * px_per_mm, least_mm / 2 * px_per_mm)
    middle = (low + high) / 2
    return _in_photo(middle - half, middle + half, photo)


def crop_of_cards(assessment: Assessment) -> Box:
    """Box around a tableau in the photo."""
    projection = Projection(assessment.scan.cards, assessment.dungeon)
    every = np.concatenate(projection.corners_px)
    margin = _CROP_MARGIN_MM * projection.px_per_mm
    return _in_photo(every.min(axis=0) - margin, every.max(axis=0) + margin, assessment.scan.photo)


def box_about(crops: Sequence[Box]) -> Box:
    """The smallest box (left, top, right, bottom) that contains several boxes."""
    lefts, tops, rights, bottoms = zip(*crops, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _in_photo(low: Points, high: Points, photo: SeenPhoto) -> Box:
    """A box (left, top, right, bottom) clipped to the photo."""
    left, top = np.clip(low, 0, (photo.width, photo.height))
    right, bottom = np.clip(high, 0, (photo.width, photo.height))
    return round(float(left), 1), round(float(top), 1), round(float(right), 1), round(float(bottom), 1)
