"""Test whether a scan distinguishes the faces of a catalogue, by simulated photos of similar faces.

The art of a face is rendered on a plain table between two dissimilar cards, in warm light, with slight
blur and noise. It is then read by the same code as a photo. Misidentified and ambiguous cards are
reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import Card, Catalogue
from scorer.errors import WaymarkError
from vision.cards.adjacency import Size
from vision.cards.compare import likeness_to
from vision.cards.find_layout import read_layout
from vision.cards.index import CardIndex, load_index, read_art
from vision.cards.layout import Layout
from vision.photo.decode import photo_of_pixels

Picture = NDArray[np.uint8]

#: Faces less like each other than this (correlation in grey at 0.8 px/mm, the nearer way up) are never taken
#: for each other: the open deck's 37 between 0.55 and 0.73 are not. Of larger decks so many of the likest are
#: scanned.
SUSPECT, MOST_SCANNED = 0.68, 160
#: How the art is seen: pixels a millimetre, blur and noise of a good photo, warm light, a brown table.
_PX_PER_MM, _BLUR_PX, _NOISE = 6.0, 1.0, 3.0
_LIGHT_BGR, _TABLE_BGR = (0.82, 0.94, 1.0), (70, 96, 122)
_MARGIN_MM = 25.0


@dataclass(frozen=True)
class Confusion:
    """A wrong or ambiguous result for a card: it is read as one of the `others` (`taken`), or it remains
    ambiguous (not `taken`). `harmless`: all have the same dungeon, so the score is the same."""

    card: str
    others: tuple[str, ...]
    taken: bool
    harmless: bool


@dataclass(frozen=True)
class DeckScan:
    """Result of a test scan. `scanned`: the number of cards with similar faces that were tested.
    `left_out`: the number omitted for time."""

    confusions: tuple[Confusion, ...]
    scanned: int
    left_out: int


def scan_deck(catalogue: Catalogue) -> DeckScan:
    """Test scan of a catalogue's similar faces. Cards with unreadable art are skipped. Raises
    `WaymarkError` (no-catalogue)."""
    arts = {card.id: read_art(catalogue.art_path(card)) for card in catalogue.cards}
    there = tuple(card for card in catalogue.cards if arts[card.id] is not None)
    if len(there) < 2:
        return DeckScan((), 0, 0)
    legible = msgspec.structs.replace(catalogue, cards=there)
    legible.__dict__["_folder"] = catalogue.folder
    index = load_index(legible)
    if index.neighbours.laying.grid is not None:
        return DeckScan((), 0, 0)  # Tiles on a board's cells are told by their cell, too.
    near = _near(index)
    order = sorted((k for k in range(len(there)) if near[k]), key=lambda k: -max(near[k].values()))
    apart = [k for k in range(len(there)) if not near[k]]
    found = []
    for k in order[:MOST_SCANNED]:
        size = index.sizes_mm[k]
        beside = [other for other in apart if index.sizes_mm[other] == size][:2]
        faces = [arts[there[other].id] for other in (*beside[:1], k, *beside[1:])]
        confusion = _seen_as(there, k, near[k], _laid(faces, size), min(1, len(beside)), index)
        if confusion is not None:
            found.append(confusion)
    return DeckScan(tuple(found), min(len(order), MOST_SCANNED), max(0, len(order) - MOST_SCANNED))


def _near(index: CardIndex) -> list[dict[int, float]]:
    """The similar cards of each card, with their similarities."""
    near: list[dict[int, float]] = [{} for _ in index.ids]
    likeness = likeness_to(index)
    for size_mm in index.footprints:
        bank, cards = likeness.art_bank(size_mm), likeness.cards_of(size_mm)
        alike = bank @ bank.T
        turned = bank[:, ::-1]  # by half a turn: the pixels in reverse order
        alike = np.maximum(alike, bank @ turned.T)
        np.fill_diagonal(alike, 0.0)
        for row, column in np.argwhere(alike >= SUSPECT):
            near[int(cards[row])][int(cards[column])] = float(alike[row, column])
    return near


def _laid(faces: Sequence[Picture | None], size_mm: Size) -> Picture:
    """Simulated photo (from above) of faces side by side on a table."""
    width, height = (round(side * _PX_PER_MM) for side in size_mm)
    margin = round(_MARGIN_MM * _PX_PER_MM)
    rng = np.random.default_rng(7)
    grain = cv2.resize(rng.normal(0, 6, (40, 60)), (len(faces) * width + 2 * margin, height + 2 * margin))
    table = np.asarray(_TABLE_BGR, np.float32) + grain[..., None].astype(np.float32)
    for number, face in enumerate(faces):
        assert face is not None
        small = cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA)
        left = margin + number * width
        table[margin : margin + height, left : left + width] = 8 + 0.86 * small.astype(np.float32)
    seen = cv2.GaussianBlur(table, (0, 0), _BLUR_PX) * np.asarray(_LIGHT_BGR, np.float32)
    seen *= np.linspace(0.86, 1.06, seen.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(seen + rng.normal(0, _NOISE, seen.shape), 0, 255), np.uint8)


def _seen_as(
    cards: Sequence[Card], number: int, near: dict[int, float], picture: Picture, place: int, index: CardIndex
) -> Confusion | None:
    """The confusion of the card in the middle of a simulated photo, or None where it is read correctly."""
    card = cards[number]
    try:
        layout = read_layout(photo_of_pixels(np.ascontiguousarray(picture[..., ::-1])), index)
    except WaymarkError:
        return None  # Not found at all: another matter (the art's own features).
    width = index.sizes_mm[number][0] * _PX_PER_MM
    middle = _MARGIN_MM * _PX_PER_MM + (place + 0.5) * width
    told = _told_at(layout, middle, width)
    if told is None:
        return None
    name, options = told
    by_id = {each.id: each for each in cards}
    if name != card.id and name not in options:
        options = (name, *options)
    others = tuple(dict.fromkeys(other for other in options if other != card.id and other in by_id))
    if not others:
        return None
    same = all(_dungeon(by_id[other]) == _dungeon(card) for other in others)
    return Confusion(card.id, others, name != card.id and len(options) < 2, same)


def _told_at(layout: Layout, x_px: float, reach_px: float) -> tuple[str, tuple[str, ...]] | None:
    """The card read near a column of the picture, and the candidates where it is ambiguous."""
    poses = [*layout.poses, *layout.others]
    away = [abs(float(np.asarray(pose.corners_px)[:, 0].mean()) - x_px) for pose in poses]
    at = int(np.argmin(away))
    if away[at] > reach_px / 2:
        return None
    doubts = [doubt for doubt in layout.doubts if doubt.index == at and doubt.reason == "alike"]
    return poses[at].card, doubts[0].options if doubts else ()


def _dungeon(card: Card) -> object:
    return card.nodes, card.edges, card.rooms
