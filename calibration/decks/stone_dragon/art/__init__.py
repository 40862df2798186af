"""Art of the panel set, drawn with the open deck's pen. Art: CC BY 4.0 (see LICENSE-ART); code: MIT."""

from __future__ import annotations

from functools import cache

from PIL import Image

from calibration.decks.stone_dragon.art.cards import draw_card, draw_card_back
from calibration.decks.stone_dragon.art.panels import draw_back, draw_panel
from calibration.decks.stone_dragon.art.tokens import draw_chip, draw_coin, draw_pawn
from calibration.decks.stone_dragon.panel_set import build_catalogue
from scorer.catalogue import Card


def draw_piece(card: Card, px_per_mm: float) -> Image.Image:
    """The art of a piece of the set, upright, cropped at its edge, and deterministic. Raises `ValueError`
    for a piece of another set."""
    if card.role in ("back", "entrance-back"):
        return draw_back(card.role == "entrance-back", px_per_mm)
    if card.role in ("dungeon-back", "victory-back"):
        return draw_card_back(card.role, px_per_mm)
    if card.kind == "tile":
        return draw_panel(card, _number(card), px_per_mm)
    if card.kind == "coin":
        return draw_coin(card, px_per_mm)
    if card.kind == "chip":
        return draw_chip(card, px_per_mm)
    if card.kind == "pawn":
        return draw_pawn(card, px_per_mm)
    return draw_card(card, _number(card), px_per_mm)


def _number(card: Card) -> int:
    """Number of a panel or victory card among the pieces of its kind; the entrance comes last."""
    numbers = _numbers()
    return numbers.get(card.id, len(numbers))


@cache
def _numbers() -> dict[str, int]:
    cards = build_catalogue().cards
    panels = [each.id for each in cards if each.role in ("room", "corridor")]
    victories = [each.id for each in cards if each.role == "victory"]
    return {name: number for names in (panels, victories) for number, name in enumerate(names)}
