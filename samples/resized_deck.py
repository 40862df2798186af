"""Faces of another size and shape to tune enrolment on: the open deck's, turned, cut and restyled; framed or
up to the edge. Their dungeons no longer fit and are left out. Never for validation: that has its own decks.

`python -m samples.resized_deck --size 88x63 --style 3 --corner 5 --frame 2.5 --out DIR`
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.deck import card_face, open_deck
from samples.restyled_deck import restyled
from scorer.catalogue import FILE_NAME, Card, Catalogue
from scorer.catalogue import to_json as catalogue_json

Picture = NDArray[np.uint8]
#: Pixels a millimetre of the faces.
PX_PER_MM = 10


def resized(art: Picture, size_mm: tuple[float, float]) -> Picture:
    """The middle of a face (H, W, 3), lying as the size does, stretched by a tenth at most."""
    width, height = (round(side * PX_PER_MM) for side in size_mm)
    if (width > height) != (art.shape[1] > art.shape[0]):
        art = np.ascontiguousarray(np.rot90(art))
    ratio = np.clip(width / height / (art.shape[1] / art.shape[0]), 1 / 1.1, 1.1)
    wanted = width / height / ratio
    cut = min(art.shape[1], round(art.shape[0] * wanted)), min(art.shape[0], round(art.shape[1] / wanted))
    left, top = (art.shape[1] - cut[0]) // 2, (art.shape[0] - cut[1]) // 2
    part = art[top : top + cut[1], left : left + cut[0]]
    return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def framed(face: Picture, frame_mm: float, style: int) -> Picture:
    """The face within a frame of one colour, white as often as not."""
    wide = round(frame_mm * PX_PER_MM)
    if wide == 0:
        return face
    taste = np.random.default_rng([style, 2])
    light = taste.random() < 0.5
    colour = (245, 246, 244) if light else tuple(int(each) for each in taste.integers(10, 200, 3))
    size = face.shape[1] - 2 * wide, face.shape[0] - 2 * wide
    inner = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.copyMakeBorder(inner, *(wide,) * 4, cv2.BORDER_CONSTANT, value=colour), np.uint8)


def write_resized_deck(
    folder: Path, size_mm: tuple[float, float], style: int, corner_mm: float, frame_mm: float, count: int
) -> None:
    """The catalogue's folder with so many cards: `catalogue.json` and the art."""
    (folder / "art").mkdir(parents=True, exist_ok=True)
    deck = open_deck()
    cards = []
    for card in deck.cards[:: max(1, len(deck.cards) // count)][:count]:
        art = np.asarray(cv2.cvtColor(card_face(deck, card), cv2.COLOR_RGB2BGR), np.uint8)
        face = resized(restyled(art, card, deck.card_size_mm[0], style), size_mm)
        cards.append(Card(id=card.id, kind=card.kind, art=f"art/{card.id}.png"))
        cv2.imwrite(str(folder / cards[-1].art), framed(face, frame_mm, style))
    catalogue = Catalogue(
        name=f"resized-{style}",
        game=deck.game,
        cards=tuple(cards),
        card_size_mm=size_mm,
        corner_radius_mm=corner_mm,
    )
    (folder / FILE_NAME).write_bytes(catalogue_json(catalogue))


def main() -> None:
    """Write a deck."""
    parser = argparse.ArgumentParser(description="Faces of another size and style, for tuning")
    parser.add_argument("--size", required=True, help="mm, as 88x63")
    parser.add_argument("--style", type=int, required=True)
    parser.add_argument("--corner", type=float, default=3.0, help="radius of the corners, mm")
    parser.add_argument("--frame", type=float, default=0.0, help="width of the printed frame, mm")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    width, height = (float(side) for side in options.size.split("x"))
    write_resized_deck(
        options.out, (width, height), options.style, options.corner, options.frame, options.count
    )


if __name__ == "__main__":
    main()
