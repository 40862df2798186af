"""Manual corrections of cards: records in, records out. Cards keep their numbers as far as possible.

If a card is replaced or rotated, the line and marks on it no longer match its places. That part of the path
and its marks is dropped, and the ink is read again with the corrected cards
(`waymark.review.tableau.reread`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from scorer.catalogue import Catalogue, Point
from scorer.dungeon import build_dungeon
from scorer.errors import Code, WaymarkError
from scorer.placement import CONTACT_TOLERANCE_MM, Footprint, footprint, overlapping
from scorer.record import Marks, PlacedCard, Record, Rotation, StatedPayment
from scorer.text import Text
from vision.cards.adjacency import laying_of, neighbours_of, rotations_of

#: Distance, as a share of a card's shorter side, within which a card laid by hand is moved to where its
#: openings meet a neighbour's: a third of the way between two such places half a card apart.
SNAP_SHARE = 2 / 9
#: More than any player lays; the limit prevents tables of thousands of cards by mistake.
MOST_CARDS_BY_HAND = 60


def turn_or_rename(record: Record, catalogue: Catalogue, index: int, card: str, rotation: Rotation) -> Record:
    """The record with the id and rotation of one card set. Raises `WaymarkError` (unknown-card,
    no-such-card)."""
    before = card_at(record, index)
    catalogue.card(card)
    after = msgspec.structs.replace(before, card=card, rotation=rotation)
    keeps = rotation == before.rotation and same_face(catalogue, before.card, card)
    cards = (*record.cards[:index], after, *record.cards[index + 1 :])
    changed = msgspec.structs.replace(record, cards=cards)
    return changed if keeps else without_card_path(changed, index)


def move(record: Record, catalogue: Catalogue, index: int, x: float, y: float) -> Record:
    """The record with a card at another position (mm), snapped to neighbours nearby. Its drawings move
    with it. Raises `WaymarkError` (no-such-card, bad-place)."""
    placed = card_at(record, index)
    others = [*record.cards[:index], *record.cards[index + 1 :]]
    x, y = snapped(catalogue, others, placed.card, placed.rotation, x, y)
    after = _free(msgspec.structs.replace(placed, x=x, y=y), others, catalogue)
    return msgspec.structs.replace(record, cards=(*record.cards[:index], after, *record.cards[index + 1 :]))


def add(record: Record, catalogue: Catalogue, card: str, rotation: Rotation, x: float, y: float) -> Record:
    """The record with one more card at the end of its list. Raises `WaymarkError` (unknown-card,
    bad-place)."""
    catalogue.card(card)
    if len(record.cards) >= MOST_CARDS_BY_HAND:
        raise _bad_place()
    x, y = snapped(catalogue, record.cards, card, rotation, x, y)
    placed = _free(PlacedCard(card, x, y, rotation), record.cards, catalogue)
    return msgspec.structs.replace(record, cards=(*record.cards, placed))


def remove(record: Record, index: int) -> Record:
    """The record without a card and its drawings; later indices shift down by one. Raises `WaymarkError`
    (no-such-card, last-card)."""
    card_at(record, index)
    if len(record.cards) == 1:
        raise WaymarkError(
            Code.LAST_CARD,
            Text(
                "A tableau has at least one card; choose which card this is instead, or take another photo."
            ),
        )
    bare = without_card_path(record, index)
    numbers = {k: k - (k > index) for k in range(len(record.cards)) if k != index}
    renamed = rename_cards(bare, numbers)
    return msgspec.structs.replace(renamed, cards=(*record.cards[:index], *record.cards[index + 1 :]))


def without_card_path(record: Record, index: int) -> Record:
    """The record without the parts of strokes on one card; such strokes are cut in two there."""
    return rename_cards(record, {k: k for k in range(len(record.cards)) if k != index})


def rename_cards(record: Record, numbers: dict[int, int]) -> Record:
    """Path, marks and stated payments with the card indices replaced. Parts on cards without a new index
    are removed, and strokes of a single remaining place as well."""
    path: list[tuple[str, ...]] = []
    for stroke in record.path:
        parts: list[list[str]] = [[]]
        for name in stroke:
            renamed = renamed_place(name, numbers)
            if renamed is not None:
                parts[-1].append(renamed)
            elif parts[-1]:
                parts.append([])
        path += [tuple(part) for part in parts if len(part) > 1 or len(part) == len(stroke) == 1]

    def kept(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(new for name in names if (new := renamed_place(name, numbers)) is not None)

    marks = Marks(circled=kept(record.marks.circled), struck=kept(record.marks.struck))
    payments = renamed_payments(record.stated, numbers)
    return msgspec.structs.replace(record, path=tuple(path), marks=marks, payments=payments)


def renamed_payments(
    stated: Sequence[StatedPayment], numbers: Mapping[int, int]
) -> tuple[StatedPayment, ...]:
    """Stated payments with the cards' numbers replaced. Those at places on cards without a number go; where
    only the item lay on such a card, any item of its kind is stated."""
    return tuple(
        StatedPayment(at=at, means=each.means, source=renamed_place(each.source or "", numbers))
        for each in stated
        if (at := renamed_place(each.at, numbers)) is not None
    )


def renamed_place(name: str, numbers: Mapping[int, int]) -> str | None:
    """A place name with its card index replaced; None where the card has no new index."""
    number, _, local_id = name.partition(".")
    new = numbers.get(int(number)) if number.isdigit() else None
    return None if new is None else f"{new}.{local_id}"


def same_face(catalogue: Catalogue, one: str, other: str) -> bool:
    """Whether two cards have the same places and corridors, as starters of different colours do."""
    a, b = catalogue.card(one), catalogue.card(other)
    return (a.nodes, a.edges, a.rooms) == (b.nodes, b.edges, b.rooms)


def same_faces(
    catalogue: Catalogue, before: Sequence[PlacedCard], after: Sequence[PlacedCard]
) -> dict[int, int]:
    """Identity mapping of the indices of cards that have the same rotation and places before and after."""
    return {
        number: number
        for number, (a, b) in enumerate(zip(before, after, strict=False))
        if a.rotation == b.rotation and same_face(catalogue, a.card, b.card)
    }


def sites(catalogue: Catalogue, cards: Sequence[PlacedCard]) -> tuple[tuple[float, float], ...]:
    """Top-left corners (mm) of the free places beside cards for an upright card of the catalogue's size: edge
    to edge, where openings can meet."""
    footprints = [_footprint(catalogue, card) for card in cards]
    found: list[tuple[float, float]] = []
    for x, y in _beside(catalogue, cards, catalogue.card_size_mm):
        outline = footprint(PlacedCard("", x, y), catalogue.card_size_mm)
        known = any(math.dist((x, y), other) < CONTACT_TOLERANCE_MM for other in found)
        if not known and not any(_on(outline, other) for other in footprints):
            found.append((x, y))
    return tuple(sorted(found))


def snapped(
    catalogue: Catalogue, others: Sequence[PlacedCard], card: str, rotation: Rotation, x: float, y: float
) -> tuple[float, float]:
    """The card, moved to the nearest position beside other cards within `SNAP_SHARE`, else left in
    place; rounded to 0.01 mm. Raises `WaymarkError` (bad-place, unknown-card)."""
    if not (math.isfinite(x) and math.isfinite(y)):
        raise _bad_place()
    placed = PlacedCard(card, x, y, rotation)
    size = extent(catalogue, placed)
    near = _beside(catalogue, others, size) if _lies_well(catalogue, placed) else []
    best = min(near, key=lambda place: math.dist(place, (x, y)), default=None)
    if best is not None and math.dist(best, (x, y)) <= SNAP_SHARE * min(size):
        x, y = best
    return round(x, 2), round(y, 2)


def _beside(catalogue: Catalogue, cards: Sequence[PlacedCard], size: Point) -> list[tuple[float, float]]:
    """Top-left corners (mm) of all positions for a card footprint beside the correctly turned cards."""
    neighbours = neighbours_of(catalogue)
    places = []
    for card in cards:
        if _lies_well(catalogue, card):
            width, height = extent(catalogue, card)
            left, top = card.x + (width - size[0]) / 2, card.y + (height - size[1]) / 2
            shifts = neighbours.shifts((width, height), (float(size[0]), float(size[1]))).tolist()
            places += [(round(left + dx, 2), round(top + dy, 2)) for dx, dy in shifts]
    return places


def _lies_well(catalogue: Catalogue, placed: PlacedCard) -> bool:
    """Whether a card's rotation is one of those that the game allows."""
    return placed.rotation in rotations_of(catalogue.card(placed.card), laying_of(catalogue))


def extent(catalogue: Catalogue, placed: PlacedCard) -> Point:
    """Width and height (mm) of a card's footprint."""
    width, height = catalogue.size_of(placed.card)
    return (height, width) if placed.rotation % 180 else (width, height)


def _footprint(catalogue: Catalogue, placed: PlacedCard) -> Footprint:
    return footprint(placed, catalogue.size_of(placed.card))


def _free(placed: PlacedCard, others: Sequence[PlacedCard], catalogue: Catalogue) -> PlacedCard:
    """The card itself, if it overlaps no other card. Raises `WaymarkError` (bad-place) otherwise."""
    outline = _footprint(catalogue, placed)
    if any(_on(outline, _footprint(catalogue, other)) for other in others):
        raise _bad_place()
    build_dungeon(catalogue, (*others, placed))
    return placed


def _on(one: Footprint, other: Footprint) -> bool:
    """Whether two cards overlap by more than the measurement tolerance."""
    return overlapping(one, other) and max(one.gap(other)) < -3 * CONTACT_TOLERANCE_MM


def card_at(record: Record, index: int) -> PlacedCard:
    """The card with this number. Raises `WaymarkError` (no-such-card)."""
    if not 0 <= index < len(record.cards):
        raise WaymarkError(Code.NO_SUCH_CARD, Text("This card is not there any more; check the cards again."))
    return record.cards[index]


def _bad_place() -> WaymarkError:
    return WaymarkError(Code.BAD_PLACE, Text("No card can lie there; choose a place beside the others."))
