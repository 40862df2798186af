"""Art of the tile set, drawn with Skia and the open deck's pen. Art: CC BY 4.0 (see LICENSE-ART); code:
MIT."""

from __future__ import annotations

from PIL import Image

from calibration.decks.labyrinth2.art.cards_and_dice import (
    draw_arrows_face,
    draw_battle_face,
    draw_card,
    draw_chip,
    draw_coin,
    draw_gargoyle_face,
)
from calibration.decks.labyrinth2.art.figures import draw_dragon, draw_explorer, draw_gargoyle
from calibration.decks.labyrinth2.art.tiles import draw_board, draw_loose, draw_printed
from scorer.catalogue import Card

_DIE = {"arrows": draw_arrows_face, "gargoyle": draw_gargoyle_face, "battle": draw_battle_face}


def draw_piece(card: Card, px_per_mm: float) -> Image.Image:
    """The art of a piece of the set, upright, cropped at its edge, and deterministic. Raises `ValueError`
    for a piece of another set."""
    number = int(card.id.rpartition("-")[2]) if card.id[-1].isdecimal() and "-" in card.id else 0
    if card.kind == "tile":
        return draw_loose(card, px_per_mm)
    if card.kind == "fixed":
        return draw_printed(card, px_per_mm)
    if card.kind == "board":
        return draw_board(px_per_mm)
    if card.kind == "coin":
        return draw_coin(px_per_mm)
    if card.kind == "die":
        return _DIE[card.id.split("-")[1]](number, px_per_mm)
    if card.role == "treasure":
        return draw_chip(number, px_per_mm)
    if card.role == "treasure-card":
        return draw_card(number, px_per_mm)
    if card.role == "explorer":
        return draw_explorer(card, px_per_mm)
    if card.role == "gargoyle":
        return draw_gargoyle(number, px_per_mm)
    if card.role == "dragon":
        return draw_dragon(px_per_mm)
    raise ValueError(card.id)
