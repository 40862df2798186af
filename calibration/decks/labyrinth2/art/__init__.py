"""Art of the tile set, drawn with Skia and the open deck's pen. Art: CC BY 4.0 (see LICENSE-ART); code:
MIT."""

from calibration.decks.labyrinth2.art.drawing import draw_piece

__all__ = ["draw_piece"]
