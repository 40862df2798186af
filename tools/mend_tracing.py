"""What a person does next about a tracing that is not yet the true one: the edits of the tracing page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import dist

import numpy as np

from calibration.enrol.propose.comparison import SAME_END_MM, SAME_PLACE_MM, same_places
from calibration.enrol.trace.tracing import (
    Change,
    Corridor,
    Door,
    Edit,
    Erase,
    EraseCorridor,
    Find,
    Lead,
    Move,
    Opening,
    Outline,
    Stairs,
)
from scorer.catalogue import Card, Edge, Node, Point, RoomFind

#: Kinds of places that a person draws themselves; ends and junctions come with the corridors.
_DRAWN = ("opening", "door", "find", "stairs")


def next_mend(made: Card, true: Card, done: Sequence[Edit]) -> Edit | None:
    """The next edit that makes `made` more like `true`, none of those `done`; None where no edit is left."""
    return next((edit for edit in _mends(made, true) if edit not in done), None)


def _mends(made: Card, true: Card) -> Iterator[Edit]:
    places, rooms = same_places(made, true)
    yield from (Erase(place=room.id) for room in made.rooms if room.id not in rooms)
    yield from _places_to_change(made, true, places)
    for room in true.rooms:
        if room.id not in rooms.values():
            yield Outline(corners=room.outline, level=room.level)
    yield from _places_to_draw(true, places)
    yield from _lines_to_change(made, true)
    here = {name: place for place, name in places.items()}
    for edge in true.edges:
        if edge.kind != "corridor" and {edge.from_, edge.to} <= here.keys():
            ends = {here[edge.from_], here[edge.to]}
            if not any(other.kind == edge.kind and {other.from_, other.to} == ends for other in made.edges):
                yield Lead(place=here[edge.from_], at=place_of(true, edge.to))


def _places_to_change(made: Card, true: Card, places: dict[str, str]) -> Iterator[Edit]:
    """Erase places that are none, name finds of another kind, and move what stands beside its place."""
    theirs = _named_places(true)
    for name, place in _named_places(made).items():
        if name not in places:
            if isinstance(place, RoomFind) or place.kind in _DRAWN:
                yield Erase(place=name)
            continue
        other = theirs[places[name]]
        if place.find and other.find and place.find != other.find:
            yield Change(place=name, find=other.find, value=other.value)
        drawn = isinstance(place, RoomFind) or place.kind in _DRAWN
        if drawn and dist(place.at, other.at) > SAME_PLACE_MM:
            yield Move(place=name, at=other.at)


def _places_to_draw(true: Card, places: dict[str, str]) -> Iterator[Edit]:
    level = {find.id: room.level for room in true.rooms for find in room.finds}
    for name, place in _named_places(true).items():
        if name in places.values():
            continue
        if isinstance(place, RoomFind) or place.find is not None:
            own = level[name] if isinstance(place, RoomFind) else place.level
            yield Find(at=place.at, find=place.find or "coin", value=place.value, level=own)
        elif place.kind == "opening":
            yield Opening(at=place.at, level=place.level)
        elif place.kind == "door":
            yield Door(at=place.at)
        elif place.kind == "stairs":
            yield Stairs(at=place.at, level=place.level)


def _lines_to_change(made: Card, true: Card) -> Iterator[Edit]:
    """Corridors that run where none is are erased; those that run where none is guessed are drawn."""
    for number, edge in enumerate(made.edges):
        if edge.kind == "corridor" and not on_an_edge(_line(made, edge), true, "corridor"):
            yield EraseCorridor(edge=number)
    for edge in true.edges:
        if edge.kind == "corridor" and not on_an_edge(_line(true, edge), made, "corridor"):
            yield Corridor(points=tuple(_line(true, edge)), level=edge.level or "main")


def on_an_edge(line: Sequence[Point], card: Card, kind: str) -> bool:
    """Whether a line runs where the card has an edge of this kind, by the middle of the line."""
    middle = _middle(line)
    for other in card.edges:
        if (
            other.kind == kind
            and np.linalg.norm(_along(_line(card, other)) - middle, axis=1).min() <= SAME_END_MM
        ):
            return True
    return False


def _along(line: Sequence[Point]) -> np.ndarray:
    steps = np.linspace(0, 1, 20)[:, None]
    points = np.array(line, float)
    return np.concatenate([a + steps * (b - a) for a, b in pairwise(points)])


def _middle(line: Sequence[Point]) -> np.ndarray:
    """The point half-way along a line."""
    points = np.array(line, float)
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return np.array([np.interp(gone[-1] / 2, gone, points[:, axis]) for axis in (0, 1)])


def _line(card: Card, edge: Edge) -> list[Point]:
    return [place_of(card, edge.from_), *edge.via, place_of(card, edge.to)]


def place_of(card: Card, name: str) -> Point:
    """Where a place of a card is, mm."""
    return _named_places(card)[name].at


def _named_places(card: Card) -> dict[str, Node | RoomFind]:
    named: dict[str, Node | RoomFind] = {node.id: node for node in card.nodes}
    return named | {find.id: find for room in card.rooms for find in room.finds}
