"""A box of Labyrinth 2 of which some pieces were photographed: with the open set's art, and no photo."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec

from calibration.enrol.pieces.openings import opening_nodes
from scorer.catalogue import FILE_NAME, FORMAT, load_catalogue
from scorer.games import game_named
from scorer.square_grid import BOTTOM, RIGHT, TOP

#: Tiles in pencil, with what was read of them.
TILES = {"tile-01": ("I01", TOP | BOTTOM), "tile-02": ("L01", TOP | RIGHT), "tile-03": ("T01", 15 - TOP)}


def pieces_box(folder: Path, *, game: str = "labyrinth2", more: list[dict[str, Any]] | None = None) -> Path:
    """Make the box: three tiles in pencil, a chip that is asked about, and what else is named."""
    bundled = game_named("labyrinth2").bundled
    assert bundled is not None
    cards = load_catalogue(bundled)
    (folder / "art").mkdir(parents=True)
    entries: list[dict[str, Any]] = []

    def put(name: str, of: str, **fields: Any) -> None:
        shutil.copyfile(cards.art_path(cards.card(of)), folder / "art" / f"{name}.png")
        entries.append({"id": name, "art": f"art/{name}.png", "nodes": [], "edges": [], "rooms": []} | fields)

    for name, (of, sides) in TILES.items():
        nodes, edges = opening_nodes((sides,), 50.0)
        put(name, of, kind="tile", shape="square", traced="proposed", nodes=nodes, edges=edges)
    if game == "labyrinth2":
        chip = {"kind": "chip", "role": "treasure", "shape": "disc", "size_mm": [22.0, 22.0], "value": 8}
        put("chip-8", "chip-8", **chip, copies=2, traced="proposed", asked="name")
    for entry in more or []:
        put(entry["id"], "card-1", **entry)
    told = {"format": FORMAT, "name": folder.name, "game": game, "card_size_mm": [50.0, 50.0]}
    (folder / FILE_NAME).write_bytes(msgspec.json.encode(told | {"corner_radius_mm": 0, "cards": entries}))
    return folder
