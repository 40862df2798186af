"""Random walks on random layouts of the open deck: how many layouts a hand has, and how long its paths are.

A walk uses what it collects. The referee rules on the longest walks, and only a legal one counts."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.decks.mapmasters.playability import Layout, Table, deal_hand
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, Link, build_dungeon
from scorer.mapmasters import referee_dungeon
from scorer.record import make_record

LAYING_TRIES = 60
WALKS = 60
RULED = 3  # the longest walks of a layout are put to the referee until one stands
WALK_PLACES = range(10, 41)


@dataclass(frozen=True)
class HandReport:
    """Result for one hand: its layouts, and for each the lengths of the longest legal path and of the
    longest one that escapes."""

    cards: tuple[str, ...]
    layouts: int
    shifted: int
    longest: tuple[int, ...]
    escapes: tuple[int, ...]

    @property
    def playable_layouts(self) -> int:
        """Number of layouts with a legal path of at least ten places. Longer paths can always be
        shortened."""
        return sum(places >= WALK_PLACES.start for places in self.longest)


def layouts_of(
    table: Table, hand: Sequence[str], rng: np.random.Generator, tries: int = LAYING_TRIES
) -> list[Layout]:
    """Distinct legal layouts found in `tries` random attempts. A layout and its rotation count once."""
    found: dict[frozenset[tuple[str, float, float, int]], Layout] = {}
    for _ in range(tries):
        layout = table.lay(hand, rng)
        if layout:
            found.setdefault(_canonical(layout), layout)
    return list(found.values())


def _canonical(layout: Layout) -> frozenset[tuple[str, float, float, int]]:
    def moved(cards: Sequence[tuple[str, float, float, int]]) -> frozenset[tuple[str, float, float, int]]:
        left, top = min(c[1] for c in cards), min(c[2] for c in cards)
        return frozenset((name, x - left, y - top, turn) for name, x, y, turn in cards)

    upright = moved([(c.card, c.x, c.y, c.rotation) for c in layout])
    turned = moved([(c.card, -c.x, -c.y, 180 - c.rotation) for c in layout])
    return min(upright, turned, key=sorted)


def random_walk(dungeon: Dungeon, rng: np.random.Generator) -> list[str]:
    """A random path from an open opening that spends collected items, until it is stuck or outside."""
    here = str(rng.choice(sorted(dungeon.open_openings)))
    path, held = [here], Counter[str]()
    used, cleared = {here}, set[str]()
    crossing_pit = False
    while True:
        place = dungeon.places[here]
        if len(path) > 1 and here in dungeon.open_openings:
            return path
        options: list[Link] = []
        for link in dungeon.neighbours[here]:
            there = dungeon.places[link.b]
            if there.kind == "room_find" or (there.kind != "room" and link.b in used):
                continue
            must_fall = place.find == "pitfall" and not crossing_pit
            if must_fall != (link.kind == "fall") and place.find == "pitfall":
                continue
            if _affordable(dungeon, link, held, cleared):
                options.append(link)
        if not options:
            return path
        # Doors of a room just entered lead on; going out and about beats leaving at once.
        inward = [link for link in options if link.b not in dungeon.open_openings]
        pool = inward if inward and rng.random() < 0.9 else options
        here = pool[rng.integers(len(pool))].b
        there = dungeon.places[here]
        path.append(here)
        used.add(here)
        crossing_pit = there.find == "pitfall" and held["rope"] > 0
        _pay_and_collect(dungeon, here, held, cleared, crossing_pit)


def _guards(dungeon: Dungeon, room: str) -> list[str]:
    return [p.find or "" for p in dungeon.places.values() if p.kind == "room_find" and p.room == room]


PRICE = {"monster": "sword", "padlock": "key", "lava_pit": "rope"}
ITEMS = ("sword", "key", "rope")


def _affordable(dungeon: Dungeon, link: Link, held: Counter[str], cleared: set[str]) -> bool:
    there = dungeon.places[link.b]
    if there.kind == "find":
        return there.find not in PRICE or held[PRICE[there.find]] > 0
    room = there.id if there.kind == "room" else None
    if there.kind == "door" and link.kind == "corridor":
        room = there.room
    return room is None or room in cleared or held["sword"] >= _guards(dungeon, room).count("monster")


def _pay_and_collect(
    dungeon: Dungeon, here: str, held: Counter[str], cleared: set[str], crossing_pit: bool
) -> None:
    place = dungeon.places[here]
    if place.kind == "room" and here not in cleared:
        finds = _guards(dungeon, here)
        held["sword"] -= finds.count("monster")
        held.update(find for find in finds if find in ITEMS)
        cleared.add(here)
    elif place.find in ITEMS:
        held[place.find] += 1
    elif place.find in PRICE:
        held[PRICE[place.find]] -= 1
    elif crossing_pit:
        held["rope"] -= 1


def longest_walks(
    catalogue: Catalogue, layout: Layout, rng: np.random.Generator, walks: int = WALKS
) -> tuple[int, int]:
    """Number of places on the longest legal path found, and on the longest one that escapes (0 when none)."""
    dungeon = build_dungeon(catalogue, layout)
    if not dungeon.open_openings:
        return 0, 0
    paths = sorted((random_walk(dungeon, rng) for _ in range(walks)), key=len, reverse=True)
    best = {False: 0, True: 0}
    for outside in (False, True):
        chosen = [p for p in paths if not outside or p[-1] in dungeon.open_openings]
        for path in chosen[:RULED]:
            ruling = referee_dungeon(dungeon, make_record(layout, (tuple(path),)))
            if ruling.legal and (ruling.escaped or not outside):
                best[outside] = len(path)
                break
    return best[False], best[True]


def play_hand(
    table: Table, hand: tuple[str, ...], rng: np.random.Generator, most_layouts: int = 4
) -> HandReport:
    """Layouts of the hand, and random walks on up to `most_layouts` of them."""
    layouts = layouts_of(table, hand, rng)
    half = table.catalogue.card_size_mm[1]
    shifted = sum(any(card.y % half for card in layout) for layout in layouts)
    walked = [longest_walks(table.catalogue, layout, rng) for layout in layouts[:most_layouts]]
    return HandReport(hand, len(layouts), shifted, tuple(w for w, _ in walked), tuple(e for _, e in walked))


def play(catalogue: Catalogue, hands: int, seed: int = 1) -> list[HandReport]:
    """Reports on `hands` random hands."""
    table, rng = Table(catalogue), np.random.default_rng(seed)
    return [play_hand(table, deal_hand(catalogue, rng), rng) for _ in range(hands)]


def figures(reports: Sequence[HandReport]) -> dict[str, float]:
    """Statistics of the reports, which measure whether the deck is playable."""
    longest = [places for report in reports for places in report.longest]
    escapes = [places for report in reports for places in report.escapes]
    return {
        "hands": len(reports),
        "median layouts found per hand": statistics.median(report.layouts for report in reports),
        "share of layouts with a half shift": sum(r.shifted for r in reports)
        / max(1, sum(r.layouts for r in reports)),
        "share of hands with 3 or more layouts that give a path of 10 places or more": statistics.mean(
            report.playable_layouts >= 3 for report in reports
        ),
        "median of the longest legal path, places": statistics.median(longest or [0]),
        "share of layouts whose longest path is 10 to 40 places": statistics.mean(
            p in WALK_PLACES for p in longest or [0]
        ),
        "share of layouts with a path out": statistics.mean(places > 0 for places in escapes or [0]),
        "median of the longest path out, places": statistics.median(escapes or [0]),
    }
