"""A square tile's corridors in catalogue form: openings at the midpoints of its sides, joined within each
corridor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.square_grid import SIDES

#: Corridors that do not meet are joined so far from the middle towards their sides (a share of the tile).
_APART = 0.2


def opening_nodes(
    corridors: Sequence[int], tile_mm: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Nodes and edges of a tile from the open sides of each corridor (bits of `scorer.square_grid`)."""
    middle = tile_mm / 2
    at = {
        "top": [middle, 0.0],
        "right": [tile_mm, middle],
        "bottom": [middle, tile_mm],
        "left": [0.0, middle],
    }
    nodes: list[dict[str, Any]] = []
    joins: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    for number, sides in enumerate(corridors):
        open_to = [side for k, side in enumerate(SIDES) if sides >> k & 1]
        join = "m" if number == 0 else f"m{number + 1}"
        spot = [middle, middle]
        if len(corridors) > 1:
            for side in open_to:
                spot = [spot[k] + _APART * (at[side][k] - middle) for k in (0, 1)]
        nodes += [
            {"id": side[0], "kind": "opening", "level": "main", "side": side, "at": at[side]}
            for side in open_to
        ]
        joins.append({"id": join, "kind": "junction", "level": "main", "at": spot})
        edges += [{"kind": "corridor", "level": "main", "from": side[0], "to": join} for side in open_to]
    return nodes + joins, edges


def corridors_of(entry: Mapping[str, Any]) -> tuple[int, ...]:
    """The open sides of each corridor in a tile's entry, as bits."""
    joined: dict[str, set[str]] = {str(node["id"]): {str(node["id"])} for node in entry.get("nodes", ())}
    for edge in entry.get("edges", ()):
        if edge["from"] in joined and edge["to"] in joined:
            both = joined[edge["from"]] | joined[edge["to"]]
            for each in both:
                joined[each] = both
    found: dict[int, int] = {}
    for node in entry.get("nodes", ()):
        if node["kind"] == "opening":
            part = id(joined[str(node["id"])])
            found[part] = found.get(part, 0) | 1 << SIDES.index(node["side"])
    return tuple(found.values())


def sides_of(entry: Mapping[str, Any]) -> int:
    """All open sides in a tile's entry, as bits."""
    every = 0
    for each in corridors_of(entry):
        every |= each
    return every
