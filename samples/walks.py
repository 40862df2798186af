"""Walks through a dungeon as players draw them: mostly legal, now and then not.

A walk is grown place by place with a player's preferences (new finds, no exit too soon) and a rough purse;
the referee then says what it is. A reckless walker ignores one kind of rule.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from scorer.dungeon import Dungeon, Link
from scorer.mapmasters import Ruling, referee_dungeon
from scorer.record import make_record

Strokes = tuple[tuple[str, ...], ...]

LONGEST = 40
SHORTEST = 10
TRIES = 90
ITEMS = ("coin", "barrel", "sword", "key", "rope", "scroll")
NEEDS = {"monster": "sword", "padlock": "key", "lava_pit": "rope"}
RECKLESS_WAYS = ("reuse", "obstacle", "fall", "room")


@dataclass(frozen=True)
class DrawnWalk:
    """Strokes of places and the referee's word on them."""

    strokes: Strokes
    ruling: Ruling


def draw_walk(dungeon: Dungeon, rng: np.random.Generator, *, legal: bool) -> DrawnWalk | None:
    """The best of many random walks of the wanted legality; None where the tableau offers none."""
    wanted = int(rng.triangular(SHORTEST, 24, LONGEST))
    starts = sorted(dungeon.open_openings)
    best: tuple[float, DrawnWalk] | None = None
    for _ in range(TRIES if starts else 0):
        reckless = None if legal else str(rng.choice(RECKLESS_WAYS))
        strokes = _grow(dungeon, str(rng.choice(starts)), wanted, reckless, rng)
        length = sum(len(stroke) for stroke in strokes)
        if not SHORTEST <= length <= LONGEST:
            continue
        ruling = referee_dungeon(dungeon, make_record(dungeon.cards, strokes))
        if ruling.legal != legal:
            continue
        finds = sum(len(step.found) for step in ruling.steps)
        cards = len({place.split(".")[0] for stroke in strokes for place in stroke})
        merit = (
            -abs(length - wanted)
            + 1.5 * finds
            + 8 * (len(strokes) > 1)
            + 6 * ruling.escaped
            + 2.5 * cards
            + rng.uniform(0, 8)
        )
        if best is None or merit > best[0]:
            best = merit, DrawnWalk(strokes, ruling)
    return best[1] if best else None


class _Walker:
    """What a player keeps in mind while drawing."""

    def __init__(self, dungeon: Dungeon, start: str) -> None:
        self.dungeon = dungeon
        self.strokes = [[start]]
        self.seen = {start}
        self.rooms: set[str] = set()
        self.spent_circles: set[str] = set()
        self.purse: Counter[str] = Counter()

    @property
    def here(self) -> str:
        return self.strokes[-1][-1]

    @property
    def before(self) -> str | None:
        return self.strokes[-1][-2] if len(self.strokes[-1]) > 1 else None

    def length(self) -> int:
        return sum(len(stroke) for stroke in self.strokes)

    def monsters(self, room: str) -> int:
        return sum(p.room == room and p.find == "monster" for p in self.dungeon.places.values())


def _grow(
    dungeon: Dungeon, start: str, wanted: int, reckless: str | None, rng: np.random.Generator
) -> Strokes:
    walker = _Walker(dungeon, start)
    while walker.length() < LONGEST:
        if walker.length() >= wanted and rng.random() < 0.03:
            break
        if _teleport(walker, rng):
            continue
        step = _choose(walker, wanted, reckless, rng)
        if step is None:
            break
        walker.strokes[-1].append(step.b)
        if not _arrive(walker, step, reckless):
            break
    return tuple(tuple(stroke) for stroke in walker.strokes)


def _arrive(walker: _Walker, step: Link, reckless: str | None) -> bool:
    """Take note of the place reached; False when the path ends there."""
    place = walker.dungeon.places[step.b]
    new = step.b not in walker.seen
    walker.seen.add(step.b)
    if place.kind == "room":
        if step.b not in walker.rooms:
            walker.rooms.add(step.b)
            guards = walker.monsters(step.b)
            if guards > walker.purse["sword"] and reckless != "obstacle":
                return False
            walker.purse["sword"] -= min(guards, walker.purse["sword"])
            for other in walker.dungeon.places.values():
                if other.room == step.b and other.kind == "room_find" and other.find in ITEMS:
                    walker.purse[str(other.find)] += 1
        return True
    if place.kind == "end" or (step.b in walker.dungeon.open_openings):
        return False
    if place.kind == "find" and new:
        if place.find in ITEMS:
            walker.purse[str(place.find)] += 1
        need = NEEDS.get(str(place.find))
        if need is not None:
            if walker.purse[need] <= 0:
                return reckless == "obstacle"
            walker.purse[need] -= 1
    return True


def _teleport(walker: _Walker, rng: np.random.Generator) -> bool:
    place = walker.dungeon.places[walker.here]
    if place.find != "magic_circle" or place.id in walker.spent_circles or walker.purse["scroll"] <= 0:
        return False
    others = [
        other.id
        for other in walker.dungeon.places.values()
        if other.find == "magic_circle" and other.id not in walker.spent_circles and other.id != place.id
    ]
    if not others or rng.random() < 0.15:
        return False
    landing = str(rng.choice(sorted(others)))
    walker.spent_circles |= {place.id, landing}
    walker.purse["scroll"] -= 1
    walker.seen.add(landing)
    walker.strokes.append([landing])
    return True


def _choose(walker: _Walker, wanted: int, reckless: str | None, rng: np.random.Generator) -> Link | None:
    dungeon, here = walker.dungeon, walker.dungeon.places[walker.here]
    links = list(dungeon.neighbours[here.id])
    if here.kind == "find" and here.find == "pitfall":
        falls = [link for link in links if link.kind == "fall"]
        if walker.purse["rope"] > 0 and rng.random() < 0.6:
            walker.purse["rope"] -= 1
            links = [link for link in links if link.kind != "fall"]
        elif reckless != "fall" and falls:
            links = falls
    options, weights = [], []
    for link in links:
        weight = _weight(walker, link, wanted, reckless)
        if weight > 0:
            options.append(link)
            weights.append(weight)
    if not options:
        return None
    share = np.array(weights) / sum(weights)
    return options[int(rng.choice(len(options), p=share))]


def _weight(walker: _Walker, link: Link, wanted: int, reckless: str | None) -> float:
    """How much a player likes the next place; 0 where he would not go."""
    places = walker.dungeon.places
    here, there = places[link.a], places[link.b]
    if there.kind == "room_find":
        # within a room only what one falls into or teleports from is touched
        if there.id == walker.before:
            return 0.0
        if there.find == "pitfall":
            return 0.5 if len(walker.dungeon.neighbours[there.id]) > 1 else 0.0
        if there.find == "magic_circle" and there.id not in walker.spent_circles:
            return 2.0 if walker.purse["scroll"] > 0 and _other_circle(walker, there.id) else 0.0
        return 0.0
    if here.kind == "room_find" and there.kind == "room":
        return 1.0 if walker.before is None else 0.0
    if there.kind == "room":
        if there.id == walker.before:
            return 0.0  # nobody draws to a doorway and turns round in it
        if there.id in walker.rooms:
            return 0.5
        guarded = walker.monsters(there.id) > walker.purse["sword"]
        return 3.0 if not guarded or reckless == "obstacle" else 0.15
    if there.kind == "door" and walker.before == there.id and here.kind == "room":
        return 0.0
    if there.id in walker.seen:
        if reckless == "reuse" and there.id != walker.before:
            return 0.6
        return 0.05 if reckless == "reuse" and walker.length() > 6 else 0.0
    if there.id in walker.dungeon.open_openings:
        return 0.04 if walker.length() < wanted - 4 else 3.0
    if there.kind == "opening" and not any(
        link.kind == "crossing" for link in walker.dungeon.neighbours[there.id]
    ):
        return 0.02
    if there.kind == "find":
        need = NEEDS.get(str(there.find))
        if need is not None and walker.purse[need] <= 0:
            return 0.8 if reckless == "obstacle" else 0.12
        return 2.5
    if there.kind == "end":
        return 0.15
    return 1.6 if there.kind in ("door", "stairs") else 1.0


def _other_circle(walker: _Walker, circle: str) -> bool:
    return any(
        p.find == "magic_circle" and p.id != circle and p.id not in walker.spent_circles
        for p in walker.dungeon.places.values()
    )
