"""Faces of another size and shape to tune enrolment on: the open deck's, turned, cut and restyled; framed or
up to the edge. Their dungeons no longer fit and are left out. Never for validation: that has its own decks.

`python -m samples.resized_deck --size 88x63 --style 3 --corner 5 --frame 2.5 --out DIR`

`--rim 2` prints a line round the face, within a border of one colour; `--siblings gem` has starters of five
colours that differ by a gem's colour alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal, cast, get_args

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
#: What siblings have in their colour: all that is printed, a frame, a band or a gem.
Siblings = Literal["wash", "frame", "band", "gem"]
#: Their colours (blue, green, red), and how much of a wash is of it, by style.
COLOURS = {
    "red": (52, 58, 178),
    "blue": (168, 96, 52),
    "green": (76, 140, 66),
    "yellow": (50, 168, 196),
    "purple": (150, 62, 120),
}
_WASH = (0.08, 0.3)
#: A printed line round the face, mm.
_LINE_MM = 0.6


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


def lined(face: Picture, rim_mm: float, style: int) -> Picture:
    """The face within a border of one colour, pale or dark, and a line of a contrary one at its inner edge:
    what is printed is a stronger frame than the card's own edge."""
    if rim_mm == 0:
        return face
    wide, line = round(rim_mm * PX_PER_MM), round(_LINE_MM * PX_PER_MM)
    taste = np.random.default_rng([style, 3])
    pale, dark = ((int(each), int(each) + 3, int(each) + 6) for each in taste.integers((205, 18), (240, 60)))
    border, ink = (pale, dark) if taste.random() < 0.5 else (dark, pale)
    height, width = face.shape[:2]
    inner = cv2.resize(face, (width - 2 * wide, height - 2 * wide), interpolation=cv2.INTER_AREA)
    inner = cv2.rectangle(inner, (0, 0), (inner.shape[1] - 1, inner.shape[0] - 1), ink, 2 * line)
    return np.asarray(cv2.copyMakeBorder(inner, *(wide,) * 4, cv2.BORDER_CONSTANT, value=border), np.uint8)


def in_colour(face: Picture, colour: str, siblings: Siblings, style: int) -> Picture:
    """A sibling's face (H, W, 3) BGR in its colour."""
    told = COLOURS[colour]
    made, (height, width) = face.copy(), face.shape[:2]
    if siblings == "wash":
        ink = np.array(told, np.float64) / np.mean(told)
        share = np.random.default_rng([style, 4]).uniform(*_WASH)
        return np.clip(face * (1 - share + share * ink), 0, 255).astype(np.uint8)
    if siblings == "frame":
        cv2.rectangle(made, (14, 14), (width - 15, height - 15), told, round(1.4 * PX_PER_MM))
    elif siblings == "band":
        made[height // 3 : height // 3 + 3 * PX_PER_MM] = told
    else:
        cv2.circle(made, (7 * PX_PER_MM, height - 7 * PX_PER_MM), 2 * PX_PER_MM, told, -1, cv2.LINE_AA)
    return made


def write_resized_deck(
    folder: Path,
    size_mm: tuple[float, float],
    style: int,
    *,
    corner_mm: float,
    frame_mm: float,
    count: int,
    rim_mm: float = 0.0,
    siblings: Siblings | None = None,
) -> None:
    """The catalogue's folder with so many cards: `catalogue.json` and the art. Where there are `siblings`,
    the starters are drawn in one colour first."""
    (folder / "art").mkdir(parents=True, exist_ok=True)
    deck = open_deck()
    cards = []
    for card in _chosen(deck, count, siblings):
        coloured = siblings if card.colour in COLOURS else None
        drawn = next(each for each in deck.cards if _layout(each) == _layout(card)) if coloured else card
        art = np.asarray(cv2.cvtColor(card_face(deck, drawn), cv2.COLOR_RGB2BGR), np.uint8)
        face = resized(restyled(art, drawn, deck.card_size_mm[0], style), size_mm)
        if coloured:
            face = in_colour(face, str(card.colour), coloured, style)
        cards.append(Card(id=card.id, kind=card.kind, art=f"art/{card.id}.png"))
        face = lined(framed(face, frame_mm, style), rim_mm, style)
        cv2.imwrite(str(folder / cards[-1].art), face)
    catalogue = Catalogue(
        name=f"resized-{style}",
        game=deck.game,
        cards=tuple(cards),
        card_size_mm=size_mm,
        corner_radius_mm=corner_mm,
    )
    (folder / FILE_NAME).write_bytes(catalogue_json(catalogue))


def _chosen(deck: Catalogue, count: int, siblings: Siblings | None) -> list[Card]:
    """So many cards; with `siblings` half of them starters, every colour of a layout."""
    if siblings is None:
        return list(deck.cards[:: max(1, len(deck.cards) // count)][:count])
    starters = [card for card in deck.cards if card.colour in COLOURS]
    others = [card for card in deck.cards if card.colour not in COLOURS]
    half = min(len(starters), len(COLOURS) * round(count / 2 / len(COLOURS)))
    return [*starters[:half], *others[: count - half]]


def _layout(card: Card) -> str:
    return card.id.rsplit("-", 1)[0]


def main() -> None:
    """Write a deck."""
    parser = argparse.ArgumentParser(description="Faces of another size and style, for tuning")
    parser.add_argument("--size", required=True, help="mm, as 88x63")
    parser.add_argument("--style", type=int, required=True)
    parser.add_argument("--corner", type=float, default=3.0, help="radius of the corners, mm")
    parser.add_argument("--frame", type=float, default=0.0, help="width of the printed frame, mm")
    parser.add_argument("--rim", type=float, default=0.0, help="border beyond a printed line, mm")
    parser.add_argument("--siblings", choices=get_args(Siblings), help="what has their colour")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    width, height = (float(side) for side in options.size.split("x"))
    write_resized_deck(
        options.out,
        (width, height),
        options.style,
        corner_mm=options.corner,
        frame_mm=options.frame,
        count=options.count,
        rim_mm=options.rim,
        siblings=cast("Siblings | None", options.siblings),
    )


if __name__ == "__main__":
    main()
