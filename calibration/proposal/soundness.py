"""Contradictions are withheld: what is proposed hangs together, as `calibration.card_geometry` checks it."""

from __future__ import annotations

import msgspec

from calibration.card_geometry import contract_problems, reachable_places
from scorer.catalogue import Card, Point

#: A proposal has so many parts that mending it takes no longer.
_ROUNDS = 200


def sound(card: Card, size_mm: Point) -> Card:
    """The card less what contradicts itself or has no way from any exit; without a dungeon where nothing is
    left."""
    for _ in range(_ROUNDS):
        card = _reached(card)
        problems = [p for p in contract_problems(card, size_mm) if p.code != "landing-missing"]
        if not problems:
            break
        problem = problems[0]
        if problem.code in ("same-level-crossing", "bad-fall", "bad-stairs", "wrong-level", "unknown-id"):
            names = set(problem.place.split())
            rivals = [e for e in card.edges if f"{e.from_}-{e.to}" in names] or list(card.edges)
            worst = min(rivals, key=lambda edge: edge.confidence or 0.0)
            card = msgspec.structs.replace(card, edges=tuple(e for e in card.edges if e is not worst))
        else:
            card = _without(card, {problem.place})
    else:
        card = msgspec.structs.replace(card, nodes=(), edges=(), rooms=())
    return _with_landings(card)


def _reached(card: Card) -> Card:
    """Less all that no opening leads to."""
    reached = reachable_places(card)
    places = {node.id for node in card.nodes} | {room.id for room in card.rooms}
    places |= {find.id for room in card.rooms for find in room.finds}
    return _without(card, places - reached) if places - reached else card


def _without(card: Card, places: set[str]) -> Card:
    """Less these places and what leads to them; a room goes with its doors and finds."""
    rooms = tuple(
        msgspec.structs.replace(room, finds=tuple(find for find in room.finds if find.id not in places))
        for room in card.rooms
        if room.id not in places
    )
    kept = {room.id for room in rooms}
    nodes = tuple(n for n in card.nodes if n.id not in places and (n.room is None or n.room in kept))
    names = {node.id for node in nodes} | {find.id for room in rooms for find in room.finds}
    edges = tuple(edge for edge in card.edges if edge.from_ in names and edge.to in names)
    return msgspec.structs.replace(card, nodes=nodes, edges=edges, rooms=rooms)


def _with_landings(card: Card) -> Card:
    """A pit without a place to fall to is something else that is not known: the least sure of its kind."""
    landed = {edge.from_ for edge in card.edges if edge.kind == "fall"}
    lost = {node.id for node in card.nodes if node.find == "pitfall"} - landed
    lost |= {find.id for room in card.rooms for find in room.finds if find.find == "pitfall"} - landed
    return _without(card, lost) if lost else card
