"""Icons of finds, rooms and stairs, cropped from the art of the first card that shows one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.catalogue import Card, Catalogue, Point
from scorer.errors import WaymarkError
from vision.cards.index import read_art
from vision.path.style import style_of
from vision.photo.decode import Pixels

#: Side of the crop around an icon, as a multiple of the icon's extent.
_AROUND = 1.15
#: What is larger than a find, as a multiple of the crop; and things shown by a find of another name.
_LARGER = {"room": 3.4, "stairs": 1.7}
_SHOWN_BY = {"pit": "pitfall"}


def icon_of(catalogue: Catalogue, thing: str) -> Pixels | None:
    """The icon of a find, of a `room` or of `stairs` as a square (N, N, 3) BGR; None where no card shows
    one or the deck has no art."""
    kept: dict[str, Pixels | None] = catalogue.__dict__.setdefault("_icons", {})
    if thing not in kept:
        kept[thing] = _cut(catalogue, thing)
    return kept[thing]


def _cut(catalogue: Catalogue, thing: str) -> Pixels | None:
    if catalogue.folder is None:
        return None
    half_mm = style_of(catalogue).icon_mm * _AROUND / 2 * _LARGER.get(thing, 1.0)
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
    if thing == "room":
        # With its walls around it a plain room is told from its floor.
        yield from (_middle(room.outline) for room in card.rooms if len(room.outline) == 4)
        return
    if thing == "stairs":
        yield from (node.at for node in card.nodes if node.kind == "stairs" and node.level == "main")
        return
    find = _SHOWN_BY.get(thing, thing)
    yield from (node.at for node in card.nodes if node.find == find)
    yield from (each.at for room in card.rooms for each in room.finds if each.find == find)


def _middle(outline: Sequence[Point]) -> Point:
    xs, ys = zip(*outline, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
