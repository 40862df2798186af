"""A declared card as a person would trace it, edit by edit, and whether a tracing says the same."""

from __future__ import annotations

import math
from collections.abc import Iterator

from calibration.enrol.card_geometry import outline_polygon
from calibration.enrol.trace.tracing import (
    Corridor,
    Door,
    Edit,
    Find,
    Lead,
    Opening,
    Outline,
    Stairs,
    Tracing,
    tracing_of,
)
from scorer.catalogue import Card, Node, Point, Room

#: Where a finger puts something is snapped to lines, not to the declared hundredth.
NEAR_MM = 1.0


def edits_of(card: Card) -> Iterator[Edit | tuple[str, Point]]:
    """What a person does, in order. (kind of place, its spot) and then `Lead` without a place: what stands at
    that spot leads there."""
    at = {node.id: node.at for node in card.nodes}
    level = {node.id: node.level for node in card.nodes}
    for room in card.rooms:
        at |= {find.id: find.at for find in room.finds}
        yield Outline(corners=room.outline, level=room.level)
        for find in room.finds:
            yield Find(at=find.at, find=find.find, value=find.value, level=room.level)
    for node in card.nodes:
        if node.kind == "door":
            yield Door(at=node.at)
    at_edge = {node.at for node in card.nodes if node.kind == "door"}
    for node in card.nodes:
        if node.kind == "opening" and node.at not in at_edge:
            yield Opening(at=node.at, level=node.level)
    for edge in card.edges:
        if edge.kind == "corridor" and math.dist(at[edge.from_], at[edge.to]) > 0.1:
            points = (at[edge.from_], *edge.via, at[edge.to])
            yield Corridor(points=points, level=level[edge.from_])
    for node in card.nodes:
        if node.kind == "find":
            assert node.find is not None
            yield Find(at=node.at, find=node.find, value=node.value, level=node.level)
        if node.kind == "stairs":
            yield Stairs(at=node.at, level=node.level)
    for edge in card.edges:
        if edge.kind == "stairs":
            yield ("stairs", at[edge.from_])
            yield Lead(place="", at=at[edge.to])
        if edge.kind == "fall":
            yield ("pitfall", at[edge.from_])
            yield Lead(place="", at=at[edge.to])


def place_at(tracing: Tracing, kind: str, at: Point) -> str:
    """The stairs or the pit at a spot."""
    stairs = [(math.dist(n.at, at), n.id) for n in tracing.nodes if kind in (n.kind, n.find)]
    inside = [(math.dist(f.at, at), f.id) for r in tracing.rooms for f in r.finds if kind == f.find]
    return min([*stairs, *inside])[1]


def differences(traced: Tracing, card: Card) -> list[str]:
    """In what a tracing is not the card's declared dungeon: places by kind and spot, links, rooms."""
    declared = tracing_of(card)
    said: list[str] = []
    match: dict[str, str] = {}
    for node in declared.nodes:
        like = [
            (math.dist(each.at, node.at), each.id)
            for each in traced.nodes
            if (each.kind, each.level, each.find, each.value)
            == (node.kind, node.level, node.find, node.value)
            and each.id not in match.values()
        ]
        if not like or min(like)[0] > NEAR_MM:
            said.append(f"no {node.kind} {node.find or ''} {node.id} at {node.at} {node.level}")
        else:
            match[node.id] = min(like)[1]
    said += [f"more: {each}" for each in traced.nodes if each.id not in match.values()]
    for room in declared.rooms:
        twins = [each for each in traced.rooms if _alike(each, room)]
        twin = twins[0] if len(twins) == 1 else None
        if twin is None:
            said.append(f"no room {room.id}")
            continue
        match[room.id] = twin.id
        for find in room.finds:
            near = [
                f
                for f in twin.finds
                if (f.find, f.value) == (find.find, find.value) and math.dist(f.at, find.at) < NEAR_MM
            ]
            if len(near) != 1:
                said.append(f"no {find.find} in {room.id}")
            else:
                match[find.id] = near[0].id
        if len(twin.finds) != len(room.finds):
            said.append(f"finds of {room.id}: {twin.finds}")
    if len(traced.rooms) != len(declared.rooms):
        said.append(f"rooms: {len(traced.rooms)} of {len(declared.rooms)}")
    for node in declared.nodes:
        if node.kind == "door" and node.id in match:
            door = next(each for each in traced.nodes if each.id == match[node.id])
            if door.room != match.get(node.room or ""):
                said.append(f"door {node.id} of {door.room}")

    def links(tracing: Tracing, name: dict[str, str]) -> list[tuple[str, tuple[str, ...]]]:
        made = []
        for edge in tracing.edges:
            ends = (name.get(edge.from_, edge.from_ + "?"), name.get(edge.to, edge.to + "?"))
            made.append((edge.kind, ends if edge.kind == "fall" else tuple(sorted(ends))))
        return sorted(made)

    wanted, got = links(declared, match), links(traced, {each: each for each in match.values()})
    said += [f"no link {link}" for link in wanted if link not in got]
    said += [f"link too many {link}" for link in got if link not in wanted]
    return said


def _what(node: Node) -> tuple[object, ...]:
    return node.kind, node.level, node.find, node.value


def _alike(one: Room, other: Room) -> bool:
    a, b = outline_polygon(one.outline), outline_polygon(other.outline)
    return one.level == other.level and bool(a.intersection(b).area > 0.95 * a.union(b).area)
