"""The openings of a square tile as a catalogue writes them: at the middles of its sides, joined in the
middle."""

from __future__ import annotations

from typing import Any

from scorer.square_grid import SIDES


def opening_nodes(sides: int, tile_mm: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Nodes and edges of a tile that opens to `sides` (bits of `scorer.square_grid`)."""
    middle = tile_mm / 2
    at = {
        "top": [middle, 0.0],
        "right": [tile_mm, middle],
        "bottom": [middle, tile_mm],
        "left": [0.0, middle],
    }
    open_to = [side for k, side in enumerate(SIDES) if sides >> k & 1]
    nodes: list[dict[str, Any]] = [
        {"id": side[0], "kind": "opening", "level": "main", "side": side, "at": at[side]} for side in open_to
    ]
    nodes.append({"id": "m", "kind": "junction", "level": "main", "at": [middle, middle]})
    edges = [{"kind": "corridor", "level": "main", "from": side[0], "to": "m"} for side in open_to]
    return nodes, edges
