"""Art of the panel set, drawn with the open deck's pen. Art: CC BY 4.0 (see LICENSE-ART); code: MIT."""

from calibration.decks.stone_dragon.art.drawing import draw_piece

__all__ = ["draw_piece"]
