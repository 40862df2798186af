"""A dungeon in the making written as a card, each part with its confidence."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from calibration.proposal.centre_lines import Array, resampled
from calibration.proposal.draft import LEVELS, Draft, Place
from scorer.catalogue import Card, Edge, Level, Node, Point, Room, RoomFind

#: How likely what seems an end is one; a line is hardly likelier than its weakest part.
_END_CHANCE, _OVER = 0.45, 0.2
_LETTERS = {"left": "w", "right": "e", "top": "n", "bottom": "s"}


def written(draft: Draft, id_: str, kind: Any, art: str) -> Card:
    names: dict[tuple[Level, int], str] = {}
    counts: dict[str, int] = {}

    def name(letter: str) -> str:
        counts[letter] = counts.get(letter, 0) + 1
        return f"{letter}{counts[letter]}"

    pits = {id(find) for find, _, _ in draft.falls}
    nodes: list[Node] = []
    edges: list[Edge] = []
    pit_ids: dict[int, str] = {}
    stairs_ids: dict[int, list[str]] = {}
    for level in LEVELS:
        net = draft.nets[level]
        for joint in sorted(net.joints, key=lambda j: (round(net.joints[j][1]), net.joints[j][0])):
            degree = len(net.at_joint(joint))
            place = draft.places[level].get(joint)
            if place is None:
                if not degree:
                    continue
                chance = float(np.mean([net.stretches[n].chance for n in net.at_joint(joint)]))
                # what seems to end with nothing there is often something that is not seen
                end = degree == 1
                place = Place("end" if end else "junction", chance * (_END_CHANCE if end else 1))
            letter = {"opening": _LETTERS.get(place.side or "", "o"), "door": "d", "find": "f"}.get(
                place.kind
            )
            letter = letter or {
                "stairs": "t" if level == "main" else "v",
                "landing": "u",
                "end": "x",
            }.get(place.kind, "j")
            names[level, joint] = name(letter)
            find = place.find
            confidence = place.chance
            if find is not None:
                confidence = find.spot.chance * find.confidence
                pit_ids[id(find)] = names[level, joint]
            if place.pair is not None:
                stairs_ids.setdefault(place.pair, []).append(names[level, joint])
            nodes.append(
                Node(
                    id=names[level, joint],
                    kind="junction" if place.kind == "landing" else place.kind,  # type: ignore[arg-type]
                    at=_point(net.joints[joint], draft.size_mm),
                    level=level,
                    side=place.side,
                    room=place.room,
                    find=None if find is None else "pitfall" if id(find) in pits else find.find,
                    value=1 if find is None or id(find) in pits else find.value,
                    confidence=_told(confidence),
                )
            )
        for stretch in net.stretches.values():
            a, b = (names[level, joint] for joint in stretch.ends)
            line = cv2.approxPolyDP(resampled(stretch.line, 0.5).astype(np.float32), 0.25, False)[1:-1, 0]
            edges.append(
                Edge(
                    kind="corridor",
                    level=level,
                    from_=a,
                    to=b,
                    via=tuple(_point(point, draft.size_mm) for point in line),
                    confidence=_told(min(stretch.chance, draft.weakest(level, stretch.line) + _OVER)),
                )
            )
    rooms = []
    for room in draft.rooms:
        finds = []
        for k, find in enumerate(room.finds, start=1):
            pit = id(find) in pits
            pit_ids[id(find)] = f"{room.id}{k}"
            finds.append(
                RoomFind(
                    id=f"{room.id}{k}",
                    find="pitfall" if pit else find.find,
                    at=_point(find.spot.at, draft.size_mm),
                    value=1 if pit else find.value,
                    confidence=_told(find.spot.chance * find.confidence),
                )
            )
        outline = tuple(_point(point, draft.size_mm) for point in room.outline)
        rooms.append(Room(id=room.id, outline=outline, finds=tuple(finds), confidence=_told(room.chance)))
    for number, ids in stairs_ids.items():
        edges.append(Edge(kind="stairs", from_=ids[0], to=ids[1], confidence=_told(draft.stairs[number])))
    for find, joint, chance in draft.falls:
        if id(find) in pit_ids:
            to = names.get(("underground", joint))
            if to:
                edges.append(Edge(kind="fall", from_=pit_ids[id(find)], to=to, confidence=_told(chance)))
    return Card(
        id=id_,
        kind=kind,
        art=art,
        traced="proposed",
        nodes=tuple(nodes),
        edges=tuple(edges),
        rooms=tuple(rooms),
    )


def _point(at: Any, size_mm: Array) -> Point:
    x, y = (round(float(np.clip(value, 0, limit)), 2) for value, limit in zip(at, size_mm, strict=True))
    return x, y


def _told(chance: float) -> float:
    return round(float(np.clip(chance, 0.01, 0.99)), 2)
