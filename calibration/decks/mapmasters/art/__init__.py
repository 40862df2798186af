"""The open deck's art, drawn from its declarations with Skia. Art: CC BY 4.0 (see LICENSE-ART); code: MIT."""

from __future__ import annotations

from PIL import Image

from calibration.decks.mapmasters.art.card_art import draw_card
from scorer.catalogue import Card


def draw_piece(card: Card, px_per_mm: float) -> Image.Image:
    """The blank face of a card, upright, cropped at its edge, and deterministic."""
    return draw_card(card, card.seed or 0, px_per_mm)
