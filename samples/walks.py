"""Walks through a dungeon as players draw them: mostly legal, now and then not.

A walk is grown place by place with a player's preferences (new finds, no exit too soon) and a rough purse;
the referee then says what it is. A reckless walker ignores one kind of rule.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from scorer.dungeon import Dungeon, Link, Place
from scorer.mapmasters import Ruling, referee_dungeon
from scorer.record import make_record

Strokes = tuple[tuple[str, ...], ...]

LONGEST = 40
SHORTEST = 10
TRIES = 90
ITEMS = ("coin", "barrel", "sword", "key", "rope", "scroll")
NEEDS = {"monster": "sword", "padlock": "key", "lava_pit": "rope"}
RECKLESS_WAYS = ("reuse", "obstacle", "fall", "room")
#: How a walker goes wrong so that a rule is broken.
WAYS_TO_BREAK = {
    "bad-start": ("start",),
    "after-end": ("after",),
    "monster": ("obstacle",),
    "padlock": ("obstacle",),
    "lava": ("obstacle",),
    "room-guarded": ("obstacle",),
    "no-way": ("jump", "wall"),
    "climb": ("climb",),
    "circle-used": ("circle",),
    "circle-inactive": ("circle",),
    "corridor-reused": ("reuse",),
    "door-reused": ("reuse",),
    "fall-forced": ("fall",),
    "path-crossed": ("room", "reuse"),
}
JUMP_SHARE = 0.15
WALL_REACH_MM = 24.0


@dataclass(frozen=True)
class DrawnWalk:
    """Strokes of places and the referee's word on them."""

    strokes: Strokes
    ruling: Ruling


def draw_walk(dungeon: Dungeon, rng: np.random.Generator, *, legal: bool) -> DrawnWalk | None:
    """The best of many random walks of the wanted legality; None where the tableau offers none."""
    wanted = int(rng.triangular(SHORTEST, 24, LONGEST))
    starts = sorted(dungeon.open_openings)

    def walk() -> Strokes:
        reckless = None if legal else str(rng.choice(RECKLESS_WAYS))
        return _grow(dungeon, str(rng.choice(starts)), wanted, reckless, rng)

    def merit(strokes: Strokes, ruling: Ruling) -> float | None:
        if ruling.legal != legal:
            return None
        length = sum(len(stroke) for stroke in strokes)
        cards = len({place.split(".")[0] for stroke in strokes for place in stroke})
        return (
            -abs(length - wanted)
            + 1.5 * _finds(ruling)
            + 8 * (len(strokes) > 1)
            + 6 * ruling.escaped
            + 2.5 * cards
        )

    return _best_walk(dungeon, {}, walk, merit, rng) if starts else None


def draw_walk_breaking(dungeon: Dungeon, rule: str, rng: np.random.Generator) -> DrawnWalk | None:
    """A random walk whose first fault is against `rule`; None where the tableau offers none."""
    starts = sorted(dungeon.open_openings)
    inside = sorted(
        place.id
        for place in dungeon.places.values()
        if place.kind in ("junction", "find", "stairs") and place.level == "main"
    )

    def walk() -> Strokes:
        reckless = str(rng.choice(WAYS_TO_BREAK[rule]))
        start = str(rng.choice(inside if reckless == "start" else starts))
        return _grow(dungeon, start, int(rng.triangular(SHORTEST, 20, 30)), reckless, rng)

    def merit(strokes: Strokes, ruling: Ruling) -> float | None:
        if not ruling.violations or ruling.violations[0].rule != rule:
            return None
        # nobody comes in again with no more than a dot
        if len(strokes[-1]) == 1 and strokes[-1][0] in starts:
            return None
        # a fault late in the walk leaves more of it to be scored
        return 0.4 * len(ruling.steps) + _finds(ruling)

    return _best_walk(dungeon, {}, walk, merit, rng) if starts and inside else None


def draw_walk_with_tokens(
    dungeon: Dungeon, tokens: Mapping[str, int], rng: np.random.Generator
) -> DrawnWalk | None:
    """A legal random walk that uses at least one of the fairy tokens; None where none was found."""
    starts = sorted(dungeon.open_openings)

    def walk() -> Strokes:
        wanted = int(rng.triangular(SHORTEST, 24, LONGEST))
        return _grow(dungeon, str(rng.choice(starts)), wanted, None, rng, tokens)

    def merit(strokes: Strokes, ruling: Ruling) -> float | None:
        paid = [payment.means for step in ruling.steps for payment in step.paid]
        if not ruling.legal or not any(means.startswith("fairy:") for means in paid):
            return None
        return _finds(ruling) + 5 * ruling.escaped

    return _best_walk(dungeon, tokens, walk, merit, rng) if starts else None


def _finds(ruling: Ruling) -> int:
    return sum(len(step.found) for step in ruling.steps)


def _best_walk(
    dungeon: Dungeon,
    tokens: Mapping[str, int],
    walk: Callable[[], Strokes],
    merit: Callable[[Strokes, Ruling], float | None],
    rng: np.random.Generator,
) -> DrawnWalk | None:
    """The walk of most merit (and luck) of many; None is no merit at all."""
    best: tuple[float, DrawnWalk] | None = None
    for _ in range(TRIES):
        strokes = walk()
        if not SHORTEST <= sum(len(stroke) for stroke in strokes) <= LONGEST:
            continue
        ruling = referee_dungeon(dungeon, make_record(dungeon.cards, strokes, fairy_tokens=dict(tokens)))
        worth = merit(strokes, ruling)
        if worth is None:
            continue
        worth += rng.uniform(0, 8)
        if best is None or worth > best[0]:
            best = worth, DrawnWalk(strokes, ruling)
    return best[1] if best else None


class _Walker:
    """What a player keeps in mind while drawing."""

    def __init__(self, dungeon: Dungeon, start: str, tokens: Mapping[str, int]) -> None:
        self.dungeon = dungeon
        self.strokes = [[start]]
        self.seen = {start}
        self.rooms: set[str] = set()
        self.spent_circles: set[str] = set()
        self.purse: Counter[str] = Counter(tokens)
        self.jumped = False

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
    dungeon: Dungeon,
    start: str,
    wanted: int,
    reckless: str | None,
    rng: np.random.Generator,
    tokens: Mapping[str, int] = {},
) -> Strokes:
    walker = _Walker(dungeon, start, tokens)
    while walker.length() < LONGEST:
        if walker.length() >= wanted and rng.random() < 0.03:
            break
        if _teleport(walker, rng, reckless):
            continue
        if reckless in ("jump", "wall", "climb") and _stray(walker, reckless, rng):
            continue
        step = _choose(walker, wanted, reckless, rng)
        if step is None:
            break
        walker.strokes[-1].append(step.b)
        if not _arrive(walker, step, reckless):
            if reckless == "after" and step.b in dungeon.open_openings and not walker.jumped:
                walker.jumped = True
                others = sorted(dungeon.open_openings - walker.seen)
                if others:
                    walker.strokes.append([str(rng.choice(others))])
                    walker.seen.add(walker.here)
                    continue
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


def _stray(walker: _Walker, reckless: str, rng: np.random.Generator) -> bool:
    """Go where no way leads, once: with the pen lifted, straight through the rock, or up through a pit."""
    here = walker.dungeon.places[walker.here]
    if reckless == "climb":
        pits = [
            place.id
            for place in walker.dungeon.places.values()
            if place.find == "pitfall"
            and place.id not in walker.seen
            and any(link.kind == "fall" and link.b == here.id for link in walker.dungeon.neighbours[place.id])
        ]
        if not pits:
            return False
        walker.strokes[-1].append(pits[0])
        walker.seen.add(pits[0])
        return True
    if walker.jumped or walker.length() < 6 or here.kind == "room" or rng.random() > JUMP_SHARE:
        return False
    linked = {link.b for link in walker.dungeon.neighbours[here.id]}
    choices = sorted(
        place.id
        for place in walker.dungeon.places.values()
        if place.kind in ("junction", "find")
        and place.level == here.level == "main"
        and place.id not in walker.seen | linked
        and (
            reckless == "jump"
            or (place.card_index == here.card_index and math.dist(place.at_mm, here.at_mm) < WALL_REACH_MM)
        )
    )
    if not choices:
        return False
    walker.jumped = True
    chosen = str(rng.choice(choices))
    walker.seen.add(chosen)
    if reckless == "jump":
        walker.strokes.append([chosen])
    else:
        walker.strokes[-1].append(chosen)
    return True


def _teleport(walker: _Walker, rng: np.random.Generator, reckless: str | None = None) -> bool:
    place = walker.dungeon.places[walker.here]
    if place.find != "magic_circle":
        return False
    if reckless == "circle" and walker.before is not None and not walker.jumped and rng.random() < 0.8:
        # without a scroll, or with a circle that was used
        others = sorted(
            other.id
            for other in walker.dungeon.places.values()
            if other.find == "magic_circle" and other.id != place.id
        )
        if others and (walker.purse["scroll"] <= 0 or walker.spent_circles):
            walker.jumped = True
            walker.strokes.append([str(rng.choice(others))])
            walker.seen.add(walker.here)
            return True
    if place.id in walker.spent_circles or walker.purse["scroll"] <= 0:
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
        return _weight_of_room_find(walker, there)
    if here.kind == "room_find" and there.kind == "room":
        return 1.0 if walker.before is None else 0.0
    if there.kind == "room":
        return _weight_of_room(walker, there, reckless)
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
    return _weight_of_place(walker, there, reckless)


def _weight_of_room_find(walker: _Walker, there: Place) -> float:
    """Within a room only what one falls into or teleports from is touched."""
    if there.id == walker.before:
        return 0.0
    if there.find == "pitfall":
        return 0.5 if len(walker.dungeon.neighbours[there.id]) > 1 else 0.0
    if there.find == "magic_circle" and there.id not in walker.spent_circles:
        return 2.0 if walker.purse["scroll"] > 0 and _other_circle(walker, there.id) else 0.0
    return 0.0


def _weight_of_room(walker: _Walker, there: Place, reckless: str | None) -> float:
    if there.id == walker.before:
        return 0.0  # nobody draws to a doorway and turns round in it
    if there.id in walker.rooms:
        return 0.5
    guarded = walker.monsters(there.id) > walker.purse["sword"]
    return 3.0 if not guarded or reckless == "obstacle" else 0.15


def _weight_of_place(walker: _Walker, there: Place, reckless: str | None) -> float:
    """A place of a corridor that was not walked yet, and is no way out."""
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
