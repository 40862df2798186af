"""The open deck's art, drawn from its declarations with Skia. Art: CC BY 4.0 (see LICENSE-ART); code: MIT."""

from calibration.decks.mapmasters.art.card_art import draw_card

__all__ = ["draw_card"]
