"""A card's face after rotation: its places and ways in table directions, measured from the card's printed
top-left corner.

Records use the same few cards again and again, so each rotated face is cached by catalogue and rotation. Only
the translation to the corner's position remains to be done for each card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from scorer.catalogue import Card, Catalogue, Level, Point, Side
from scorer.placement import EPSILON_MM, side_on_table, turned
from scorer.record import Rotation

PlaceKind = Literal["opening", "junction", "find", "stairs", "door", "end", "room", "room_find"]
LinkKind = Literal["corridor", "stairs", "fall", "room", "crossing"]
Line = tuple[Point, ...]


class Site(NamedTuple):
    """A place on a card, with its id on that card."""

    id: str
    kind: PlaceKind
    level: Level
    at: Point
    find: str | None = None
    value: int = 1
    room: str | None = None
    side: Side | None = None
    outline: Line = ()


class Way(NamedTuple):
    """A way between two sites along `line`, ends included."""

    a: str
    b: str
    kind: LinkKind
    level: Level | None
    line: Line
    one_way: bool = False

    def reversed(self) -> Way:
        """The same way in the direction from `b` to `a`."""
        return Way(self.b, self.a, self.kind, self.level, self.line[::-1], self.one_way)


class Face(NamedTuple):
    """Places and ways of a turned card. `leaving[id]` holds the ways that leave a site, each turned so that
    it starts there; one-way ones at their start only."""

    sites: tuple[Site, ...]
    openings: tuple[Site, ...]
    ways: tuple[Way, ...]
    leaving: dict[str, tuple[Way, ...]]


#: Of a card that lies face down nothing is seen.
NO_FACE = Face((), (), (), {})


def turned_face(catalogue: Catalogue, card_id: str, rotation: Rotation) -> Face:
    """The face of a card that lies turned by `rotation`. Raises `WaymarkError` (unknown-card)."""
    face: Face | None = catalogue.kept_faces.get((card_id, rotation))
    if face is None:
        face = catalogue.kept_faces[card_id, rotation] = _face(catalogue.card(card_id), rotation)
    return face


def _face(card: Card, rotation: Rotation) -> Face:
    sites = _sites(card, rotation)
    ways = _ways(card, sites, rotation)
    leaving: dict[str, list[Way]] = {site: [] for site in sites}
    for way in ways:
        leaving[way.a].append(way)
        if not way.one_way:
            leaving[way.b].append(way.reversed())
    return Face(
        sites=tuple(sites.values()),
        openings=tuple(site for site in sites.values() if site.kind == "opening" and site.side is not None),
        ways=tuple(ways),
        leaving={site: tuple(leaves) for site, leaves in leaving.items()},
    )


def _sites(card: Card, rotation: Rotation) -> dict[str, Site]:
    sites = [
        Site(
            id=node.id,
            kind=node.kind,
            level=node.level,
            at=turned(node.at, rotation),
            find=node.find,
            value=node.value,
            room=node.room,
            side=side_on_table(node.side, rotation) if node.side is not None else None,
        )
        for node in card.nodes
    ]
    for room in card.rooms:
        outline = tuple(turned(corner, rotation) for corner in room.outline)
        sites.append(Site(room.id, "room", room.level, _centroid(outline), outline=outline))
        sites += [
            Site(find.id, "room_find", room.level, turned(find.at, rotation), find.find, find.value, room.id)
            for find in room.finds
        ]
    return {site.id: site for site in sites}


def _ways(card: Card, sites: dict[str, Site], rotation: Rotation) -> list[Way]:
    """Ways of rooms to their finds, of doors to their rooms, and edges, in that order."""
    into = [(room.id, find.id) for room in card.rooms for find in room.finds]
    into += [(node.id, node.room) for node in card.nodes if node.kind == "door" and node.room is not None]
    ways = [Way(a, b, "room", sites[b].level, (sites[a].at, sites[b].at)) for a, b in into]
    for edge in card.edges:
        start, end = sites[edge.from_], sites[edge.to]
        line = (start.at, *(turned(point, rotation) for point in edge.via), end.at)
        level = (edge.level or start.level) if edge.kind == "corridor" else None
        ways.append(Way(start.id, end.id, edge.kind, level, line, one_way=edge.kind == "fall"))
    return ways


def _centroid(outline: Sequence[Point]) -> Point:
    """The centre of area of a simple polygon; the mean of its corners where it has no area."""
    twice_area = x_sum = y_sum = 0.0
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = x0 * y1 - x1 * y0
        twice_area += cross
        x_sum += (x0 + x1) * cross
        y_sum += (y0 + y1) * cross
    if abs(twice_area) < EPSILON_MM:
        return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
    return x_sum / (3 * twice_area), y_sum / (3 * twice_area)
