"""Ways over one card: from a place at its edge or inside to the next place where something can be decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from scorer.catalogue import Catalogue, Side
from scorer.face import Face, Site, turned_face
from scorer.mapmasters.objectives import OBJECTIVE_OF
from scorer.record import Rotation

Cell = tuple[int, int]

#: Of the ways that join two places of a card and bring different things, this many are kept.
KEPT = 8
#: A way over one card with more places is not looked for: such detours fill a card for all others.
MOST_PLACES = 16
_TOLL = {"monster": "sword", "padlock": "key", "lava_pit": "rope"}
_ROUNDED_MM = 5.0
#: More places no card has.
MOST_BITS = 64


class Mouth(NamedTuple):
    """Where an opening meets its neighbour: side of the slot, how far along it (in steps of 5 mm), level."""

    side: Side
    at: int
    level: str


class Event(NamedTuple):
    """What happens on a way: `gain` of a kind by so much at a place, or (`toll`) a tool to be spent."""

    what: str
    kind: str
    amount: int
    place: str


@dataclass(frozen=True, slots=True)
class Stride:
    """A way over a card: its places in order, what happens in order; `solid` are its places that no line has
    been at before: all but rooms; `below`: it leads underground; `bits`: its places, by `LaidWay.bit`; its
    last is its `end`."""

    places: tuple[str, ...]
    events: tuple[Event, ...]
    solid: frozenset[str]
    below: bool
    bits: int
    end: str


OPPOSITE_SIDE: dict[Side, Side] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
STEP: dict[Side, Cell] = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


def mouth_of(opening: Site) -> Mouth:
    assert opening.side is not None
    along = opening.at[1] if opening.side in ("left", "right") else opening.at[0]
    return Mouth(opening.side, round(along / _ROUNDED_MM), opening.level)


class LaidWay:
    """A card as it lies turned: its openings by mouth, and the ways between its places."""

    def __init__(self, catalogue: Catalogue, card: str, rotation: Rotation, stops: frozenset[str]) -> None:
        self.card, self.rotation = card, rotation
        self._face: Face = turned_face(catalogue, card, rotation)
        self._sites = {site.id: site for site in self._face.sites}
        #: A bit for each place, the same whichever way the card lies.
        self.bit = {name: 1 << number for number, name in enumerate(sorted(self._sites))}
        assert len(self.bit) <= MOST_BITS
        self._finds: dict[str, list[Site]] = {}
        for site in self._face.sites:
            if site.kind == "room_find" and site.room is not None:
                self._finds.setdefault(site.room, []).append(site)
        size = catalogue.size_of(card)
        # A turned card's places are measured from its printed corner.
        shift = (0.0, 0.0) if rotation == 0 else size
        openings = [
            site._replace(at=(site.at[0] + shift[0], site.at[1] + shift[1])) for site in self._face.openings
        ]
        self.mouths = {mouth_of(site): site.id for site in openings}
        self.mouth = {name: mouth for mouth, name in self.mouths.items()}
        self.circles = frozenset(
            site.id for site in self._face.sites if site.kind == "find" and site.find == "magic_circle"
        )
        self.rooms = {
            site.id: tuple(find.id for find in self._finds.get(site.id, ()))
            for site in self._face.sites
            if site.kind == "room"
        }
        self._stops = stops | self.circles
        self._from: dict[str, tuple[Stride, ...]] = {}

    def strides(self, start: str) -> tuple[Stride, ...]:
        """Ways from a place to an opening, a stop or a circle."""
        if start not in self._from:
            self._from[start] = tuple(_best(self._walk(start)))
        return self._from[start]

    def _walk(self, start: str) -> Iterator[Stride]:
        stack: list[tuple[tuple[str, ...], tuple[Event, ...], bool]] = [((start,), (), False)]
        first = self._sites[start]
        if first.kind == "find" and first.find == "pitfall":
            return
        while stack:
            places, events, must_fall = stack.pop()
            here = self._sites[places[-1]]
            if len(places) > 1:
                if here.kind == "opening" or here.id in self._stops:
                    solid = frozenset(name for name in places if self._sites[name].kind != "room")
                    below = any(self._sites[name].level != "main" for name in places)
                    bits = sum(self.bit[name] for name in places)
                    yield Stride(places, events, solid, below, bits, here.id)
                if here.kind == "opening" or len(places) >= MOST_PLACES:
                    continue
            for way in self._face.leaving.get(here.id, ()):
                there = self._sites[way.b]
                if there.id in places or there.kind == "room_find":
                    continue
                if must_fall != (way.kind == "fall"):
                    continue
                came = (Event("gain", "stairs", 1, ""),) if way.kind == "stairs" else ()
                reached = (*events, *came, *self._events(there))
                path = (*places, there.id)
                if there.kind == "find" and there.find == "pitfall" and way.kind != "fall":
                    stack.append((path, reached, True))
                    stack.append((path, (*reached, Event("toll", "rope", 1, there.id)), False))
                else:
                    stack.append((path, reached, False))

    def _events(self, there: Site) -> Iterator[Event]:
        """What happens on coming to a place, tolls first."""
        if there.kind == "room":
            finds = self._finds.get(there.id, ())
            yield from (Event("toll", "sword", 1, each.id) for each in finds if each.find == "monster")
            yield Event("gain", "room", 1, there.id)
            lying = [each for each in finds if each.find not in ("padlock", "lava_pit")]
        elif there.kind == "find":
            toll = _TOLL.get(there.find or "")
            if toll is not None:
                yield Event("toll", toll, 1, there.id)
            lying = [there]
        else:
            return
        for each in lying:
            objective = OBJECTIVE_OF.get(each.find or "")
            if objective is not None:
                yield Event("gain", objective, each.value if each.find == "coin" else 1, each.id)


def _best(strides: Iterator[Stride]) -> Iterator[Stride]:
    """For each end the shortest way of each kind, as far as some are kept."""
    kinds: dict[tuple[str, tuple[tuple[str, str], ...]], Stride] = {}
    for stride in sorted(strides, key=lambda each: len(each.places)):
        brings = tuple(sorted((event.what, event.kind) for event in stride.events))
        kinds.setdefault((stride.end, brings), stride)
    count: dict[str, int] = {}
    for (end, _), stride in kinds.items():
        count[end] = count.get(end, 0) + 1
        if count[end] <= KEPT:
            yield stride


class Ways:
    """Every card's ways, made once: the five colours of a starter share them."""

    def __init__(self, catalogue: Catalogue, stops: dict[str, frozenset[str]]) -> None:
        self._catalogue, self._stops = catalogue, stops
        self.of = cache(self._of)

    def _of(self, card: str, rotation: Rotation) -> LaidWay:
        told = self._catalogue.card(card)
        name = card
        if told.colour is not None:
            twin = card.removesuffix(told.colour) + "red"
            if twin != card and any(each.id == twin for each in self._catalogue.cards):
                return self.of(twin, rotation)
        return LaidWay(self._catalogue, name, rotation, self._stops.get(card, frozenset()))
