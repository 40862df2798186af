"""Art of the temple set, drawn with the open deck's pen. Art: CC BY 4.0 (see LICENSE-ART); code: MIT."""

from __future__ import annotations

from typing import cast

from PIL import Image

from calibration.decks.ice_and_idols.art.boards import draw_border, draw_map, draw_player_board, draw_research
from calibration.decks.ice_and_idols.art.cards import draw_card, draw_card_back, draw_points
from calibration.decks.ice_and_idols.art.tiles import draw_tile
from calibration.decks.ice_and_idols.art.tokens import (
    draw_adrenaline,
    draw_cube,
    draw_figure,
    draw_first_player,
    draw_idol,
)
from scorer.catalogue import Card
from scorer.ice_and_idols.rules.pieces import BorderName


def draw_piece(card: Card, px_per_mm: float) -> Image.Image:
    """The art of a piece of the set, upright, cropped at its edge, and deterministic. Raises `ValueError`
    for a piece of another set."""
    if card.kind == "tile":
        return draw_tile(card, px_per_mm)
    assert card.size_mm is not None
    if card.role in ("key", "event"):
        return draw_card(card, px_per_mm)
    if card.role in ("key-back", "event-back"):
        return draw_card_back(card.role, px_per_mm)
    if card.role == "map":
        return draw_map(card, px_per_mm)
    if card.role == "research":
        return draw_research(card, px_per_mm)
    if card.role == "border":
        return draw_border(cast(BorderName, card.id.removeprefix("border-")), px_per_mm)
    if card.role == "player-board":
        return draw_player_board(card.colour or "", px_per_mm)
    if card.role == "vp":
        return draw_points(card.value or 0, px_per_mm, card.size_mm)
    if card.role == "idol":
        return draw_idol(card.more["idol"], card.size_mm, px_per_mm)
    if card.role == "cube":
        return draw_cube(card.colour or "", card.size_mm, px_per_mm)
    if card.role == "adrenaline":
        return draw_adrenaline(card.id == "adrenaline-plus", card.size_mm, px_per_mm)
    if card.role == "first-player":
        return draw_first_player(card.size_mm, px_per_mm)
    if card.role == "character":
        return draw_figure(card, px_per_mm)
    raise ValueError(card.id)
