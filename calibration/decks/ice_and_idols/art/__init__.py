"""Art of the temple set, drawn with the open deck's pen. Art: CC BY 4.0 (see LICENSE-ART); code: MIT."""

from calibration.decks.ice_and_idols.art.drawing import draw_piece

__all__ = ["draw_piece"]
