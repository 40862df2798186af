"""A one-card catalogue for tests of what the rules say of a reading."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from scorer.catalogue import Catalogue, parse_catalogue


def one_card_catalogue(
    nodes: list[dict[str, Any]], corridors: list[tuple[str, str]], falls: Sequence[tuple[str, str]] = ()
) -> Catalogue:
    """A catalogue of the single card C1 with these nodes, joined by straight corridors on the level of their
    ends, and by falls."""
    level = {node["id"]: node.get("level", "main") for node in nodes}
    ways = [{"kind": "corridor", "level": level[a], "from": a, "to": b} for a, b in corridors]
    card = {
        "id": "C1",
        "kind": "dungeon",
        "art": "art/C1.png",
        "nodes": nodes,
        "edges": [*ways, *({"kind": "fall", "from": a, "to": b} for a, b in falls)],
    }
    whole = {"format": "waymark-catalogue/1", "name": "trial", "game": "mapmasters", "cards": [card]}
    return parse_catalogue(json.dumps(whole | {"card_size_mm": [63, 88]}).encode())


def trial_catalogue() -> Catalogue:
    """One card: w1 - sword s1 - junction j1 - monster m1 - e1, and j1 - n1."""
    return one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "s1", "kind": "find", "find": "sword", "at": [15, 22]},
            {"id": "j1", "kind": "junction", "at": [31, 22]},
            {"id": "m1", "kind": "find", "find": "monster", "at": [46, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
            {"id": "n1", "kind": "opening", "side": "top", "at": [31, 0]},
        ],
        [("w1", "s1"), ("s1", "j1"), ("j1", "m1"), ("m1", "e1"), ("j1", "n1")],
    )
