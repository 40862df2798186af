"""Icons of finds, cropped from the art of the first card that shows such a find."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.catalogue import Card, Catalogue, Point
from scorer.errors import WaymarkError
from vision.cards.index import read_art
from vision.path.style import style_of
from waymark.picture.canvas import Pixels

#: Side of the crop around an icon, as a multiple of the icon's extent.
_AROUND = 1.15


def icon_of(catalogue: Catalogue, thing: str) -> Pixels | None:
    """The icon of a find as a square (N, N, 3) BGR; None where no card shows one or the deck has no art."""
    kept: dict[str, Pixels | None] = catalogue.__dict__.setdefault("_icons", {})
    if thing not in kept:
        kept[thing] = _cut(catalogue, thing)
    return kept[thing]


def _cut(catalogue: Catalogue, thing: str) -> Pixels | None:
    if catalogue.folder is None:
        return None
    half_mm = style_of(catalogue).icon_mm * _AROUND / 2
    for card in catalogue.cards:
        width, height = catalogue.size_of(card.id)
        for x, y in _finds(card, thing):
            if not (half_mm < x < width - half_mm and half_mm < y < height - half_mm):
                continue
            try:
                art = read_art(catalogue.art_path(card))
            except WaymarkError:
                return None
            if art is None:
                break
            scale = art.shape[1] / width
            left, top, side = (round(scale * each) for each in (x - half_mm, y - half_mm, 2 * half_mm))
            return art[top : top + side, left : left + side]
    return None


def _finds(card: Card, thing: str) -> Iterator[Point]:
    yield from (node.at for node in card.nodes if node.find == thing)
    yield from (find.at for room in card.rooms for find in room.finds if find.find == thing)
