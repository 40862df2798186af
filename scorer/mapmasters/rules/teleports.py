"""Teleports between strokes: the kind that explains a jump from one place to another."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Literal

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.rules.means import LEFT_RIGHT, TO_BARREL, TO_MONSTER, TOP_BOTTOM, Means, Purse
from scorer.placement import EPSILON_MM, MEETING_DISTANCE_MM, OPPOSITE, OUTWARD, footprint
from scorer.record import Record

Teleport = Literal["circle", "barrel", "monster", "edge"]


def teleport_between(
    dungeon: Dungeon, here: Place, there: Place, purse: Means, defeated: Collection[str]
) -> Teleport | None:
    """The kind of teleport that leads from `here` to `there`, or None. Whether a circle is still unused and
    can be paid for is a question of its own; a spellbook's teleport exists only while the spellbook is
    held.
    """
    if here.id == there.id:
        return None
    if here.find == "magic_circle" and there.find == "magic_circle":
        return "circle"
    if here.find == "barrel" and there.find == "barrel" and purse.has_book(TO_BARREL):
        return "barrel"
    if there.find == "monster" and there.id not in defeated and purse.has_book(TO_MONSTER):
        return "monster"
    book = edge_book(here)
    if book is not None and purse.has_book(book) and exactly_opposite(dungeon, here, there):
        return "edge"
    return None


def parted_strokes(dungeon: Dungeon, record: Record) -> tuple[int, ...]:
    """The numbers of strokes that no teleport joins to the stroke before. It does not matter whether the path
    gets that far or could pay for the teleports."""
    purse = Purse(record.fairy_tokens, record.spellbooks, record.marks.struck)
    places = [[dungeon.places[name] for name in stroke] for stroke in record.path]
    return tuple(
        number
        for number, (before, stroke) in enumerate(pairwise(places), start=1)
        if before and stroke and teleport_between(dungeon, before[-1], stroke[0], purse, ()) is None
    )


def edge_book(opening: Place) -> str | None:
    """The spellbook that leaves the dungeon at `opening`'s side."""
    if opening.kind != "opening" or opening.side is None:
        return None
    return TOP_BOTTOM if opening.side in ("top", "bottom") else LEFT_RIGHT


def exactly_opposite(dungeon: Dungeon, here: Place, there: Place) -> bool:
    """Whether two open outer openings are collinear and face away from each other, with no card beyond
    either."""
    if here.id not in dungeon.open_openings or there.id not in dungeon.open_openings:
        return False
    if here.side is None or there.side != OPPOSITE[here.side]:
        return False
    across = 0 if here.side in ("top", "bottom") else 1
    if abs(here.at_mm[across] - there.at_mm[across]) > MEETING_DISTANCE_MM + EPSILON_MM:
        return False
    return not (_card_beyond(dungeon, here) or _card_beyond(dungeon, there))


def _card_beyond(dungeon: Dungeon, opening: Place) -> bool:
    if opening.side is None:
        return False
    x, y = opening.at_mm
    dx, dy = OUTWARD[opening.side]
    for index, placed in enumerate(dungeon.cards):
        if index == opening.card_index:
            continue
        card = footprint(placed, dungeon.catalogue.size_of(placed.card))
        if dx:
            on_line = card.top + EPSILON_MM < y < card.bottom - EPSILON_MM
            ahead = card.right > x + EPSILON_MM if dx > 0 else card.left < x - EPSILON_MM
        else:
            on_line = card.left + EPSILON_MM < x < card.right - EPSILON_MM
            ahead = card.bottom > y + EPSILON_MM if dy > 0 else card.top < y - EPSILON_MM
        if on_line and ahead:
            return True
    return False
