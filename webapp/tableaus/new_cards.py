"""A card that a photo shows and no catalogue has: where it lies, as the question about it tells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Catalogue
from scorer.record import PlacedCard
from vision.questions import Question
from waymark.review.assessment import Assessment
from waymark.review.projection import Points, outline_px, table_point
from waymark.review.question_names import card_reason

#: Questions about a card that is most like a known one, and may be another, and about a place where a card
#: without a name seems to lie.
_NAMED, _NAMELESS = frozenset({"unlike-its-art", ""}), "stranger"
#: The outline is brought onto the box of the question in so many steps; and fits it so well (shares of it).
_STEPS, _FITS = 8, 0.06


def may_be_new(question: Question) -> bool:
    """Whether a question is about one card, which may be in no catalogue."""
    reason = card_reason(question.name)
    return question.about == "card" and question.crop_px is not None and reason in {*_NAMED, _NAMELESS}


def outline_in_photo(assessment: Assessment, question: Question) -> Points | None:
    """The corners (4, 2) of the card that a question is about, photo pixels, as the tableau lies; None where
    the photo does not tell them."""
    card = int(question.place)
    if card_reason(question.name) != _NAMELESS:
        return np.array(assessment.scan.cards[card].corners, float)
    if question.crop_px is None:
        return None
    box = np.array(question.crop_px, float)
    found = min(_outlines(assessment, card, box), key=lambda each: each[0], default=None)
    if found is None or found[0] > _FITS:
        return None
    return found[1]


def _outlines(
    assessment: Assessment, beside: int, box: NDArray[np.float64]
) -> Iterator[tuple[float, Points]]:
    """Outlines of a card in the plane of the one `beside`, each with how far it is from filling a box (left,
    top, right, bottom), as a share of that."""
    catalogue = assessment.dungeon.catalogue
    cards = [assessment.record.cards[beside]]
    seen = [assessment.scan.cards[beside]]
    usual = _usual_card(catalogue)
    width, height = catalogue.size_of(usual)
    extent = float(np.hypot(*(box[2:] - box[:2])))
    middle = table_point(list(zip(cards, seen, strict=True)), catalogue, tuple((box[:2] + box[2:]) / 2))

    def off(at: NDArray[np.float64], rotation: int) -> tuple[NDArray[np.float64], Points]:
        placed = PlacedCard(usual, float(at[0]), float(at[1]), rotation)  # type: ignore[arg-type]
        outline = outline_px(placed, cards, seen, catalogue)
        return np.concatenate([outline.min(axis=0), outline.max(axis=0)]) - box, outline

    for rotation in (0, 90) if width != height else (0,):
        across, down = (width, height) if rotation == 0 else (height, width)
        at = np.array(middle) - np.array([across, down]) / 2
        for _ in range(_STEPS):
            here, _outline = off(at, rotation)
            slopes = np.column_stack([off(at + step, rotation)[0] - here for step in np.eye(2)])
            at = at - np.linalg.lstsq(slopes, here, rcond=None)[0]
        here, outline = off(at, rotation)
        yield float(np.abs(here).max()) / extent, outline


def _usual_card(catalogue: Catalogue) -> str:
    """Any card of the usual size."""
    usual = catalogue.card_size_mm
    return min(catalogue.cards, key=lambda card: (card.size_mm or usual) != usual).id
