"""Decks by the name of their style, as catalogues with art in a folder.

    python -m samples.styles --style inked-3 --out DIR
    python -m samples.styles --list

Three styles are decks drawn by hand ("blueprint", "parchment", "pixels"); all others are families with a
number (`samples.styles.style`). Training never shows the hand-drawn decks nor a style that is held out.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.decks.pieces import catalogue_json
from samples import parchment_deck, pixel_deck, second_deck
from samples.grid_dungeons import box_of
from samples.styles.canvas import Canvas
from samples.styles.dungeons import dungeon, plan_of
from samples.styles.face import draw_face
from samples.styles.style import HELD_OUT_FAMILIES, Style, style_of
from scorer.catalogue import FILE_NAME, Card, Catalogue

Picture = NDArray[np.uint8]
PX_PER_MM = 10.0
#: Dungeons of a deck in a style, of which the first are starters in five colours.
DUNGEONS, STARTERS = 26, 2
#: Grid dungeons have crossings 14 mm apart: cards are this wide at least, corridors this wide at most.
_GRID_SIDE_MM, _GRID_CORRIDOR_MM = 56.0, 7.0
COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (40, 40, 200),
    "blue": (190, 90, 40),
    "green": (60, 150, 50),
    "yellow": (50, 200, 230),
    "purple": (150, 60, 130),
}
#: Decks drawn by hand: their catalogue in memory, and what draws a face (H, W, 3) RGB.
BY_HAND: dict[str, tuple[Callable[[], Catalogue], Callable[[Card], Picture]]] = {
    "blueprint": (second_deck.second_deck, second_deck.draw),
    "parchment": (parchment_deck.parchment_deck, parchment_deck.draw),
    "pixels": (pixel_deck.pixel_deck, pixel_deck.draw),
}


def deck_of(name: str) -> Catalogue:
    """The catalogue of a deck in the style of this name, in memory. Raises `ValueError` for a family that is
    not known."""
    if name in BY_HAND:
        return BY_HAND[name][0]()
    style = style_of(name)
    number = zlib.crc32(name.encode())
    held_out = style.family in HELD_OUT_FAMILIES
    if held_out and min(style.size_mm) >= _GRID_SIDE_MM and style.corridor_mm <= _GRID_CORRIDOR_MM:
        cards = box_of(("S", "K", "B"), style.size_mm, number % 100_000)
    else:
        cards = _cards(style, np.random.default_rng([number, 2]))
    return Catalogue(
        name=name,
        game="mapmasters",
        cards=tuple(cards),
        card_size_mm=style.size_mm,
        corner_radius_mm=style.corner_mm,
    )


def _cards(style: Style, rng: np.random.Generator) -> list[Card]:
    plan = plan_of(rng, style.size_mm, style.corridor_mm)
    cards: list[Card] = []
    for k in range(DUNGEONS):
        name = f"S{k + 1}" if k < STARTERS else f"K{k + 1 - STARTERS:02d}"
        try:
            card = dungeon(plan, rng, name)
        except RuntimeError:  # the plan leaves hardly room
            plan = plan_of(rng, style.size_mm, style.corridor_mm)
            card = dungeon(plan, rng, name)
        if k >= STARTERS:
            cards.append(card)
            continue
        for colour in COLOURS:
            own = f"{name}-{colour}"
            cards.append(
                msgspec.structs.replace(card, id=own, kind="starter", colour=colour, art=f"art/{own}.png")
            )
    return cards


def draw(name: str, card: Card) -> Picture:
    """The face (H, W, 3) BGR of a card of the deck of this name, upright."""
    if name in BY_HAND:
        return np.asarray(cv2.cvtColor(BY_HAND[name][1](card), cv2.COLOR_RGB2BGR), np.uint8)
    style = style_of(name)
    layout = card.id.split("-")[0]
    rng = np.random.default_rng([zlib.crc32(layout.encode()), style.seed])
    face = draw_face(card, style, PX_PER_MM, rng, layout)
    if card.colour in COLOURS:
        canvas = Canvas(style.size_mm, PX_PER_MM, face)
        canvas.disc((style.size_mm[0] - 5, style.size_mm[1] - 5), 2.6, COLOURS[card.colour])
        canvas.disc((style.size_mm[0] - 5, style.size_mm[1] - 5), 2.6, style.ink, 0.5)
    return face


def write_deck(name: str, folder: Path) -> Catalogue:
    """Write the catalogue and the art of a deck into a folder."""
    catalogue = deck_of(name)
    (folder / "art").mkdir(parents=True, exist_ok=True)
    (folder / FILE_NAME).write_bytes(catalogue_json(catalogue))
    for card in catalogue.cards:
        cv2.imwrite(str(folder / card.art), draw(name, card))
    return catalogue
