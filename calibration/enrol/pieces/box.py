"""The entries of a box's catalogue and their art, while pieces are added."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.enrol.catalogue_folder import write_whole
from calibration.enrol.faces.store import png
from calibration.enrol.pieces.looking import Seen
from calibration.enrol.pieces.openings import opening_nodes
from scorer.enrolment_pieces import AskedPieces
from vision.cards.index import read_art

Picture = NDArray[np.uint8]


class Box:
    """A box of pieces under modification. `told` is the catalogue's JSON, which is modified."""

    def __init__(self, folder: Path, told: dict[str, Any]) -> None:
        self.folder, self.told = folder, told

    @property
    def tile_mm(self) -> float:
        return float(self.told["card_size_mm"][0])

    def entry(self, name: str) -> dict[str, Any] | None:
        return next((entry for entry in self.told["cards"] if entry["id"] == name), None)

    def entries(self, kind: str, roles: Collection[str | None]) -> list[dict[str, Any]]:
        return [entry for entry in self.told["cards"] if entry["kind"] == kind and entry.get("role") in roles]

    def free_name(self, word: str) -> str:
        """An unused piece name with the given prefix."""
        used = {str(entry["id"]) for entry in (*self.told["cards"], *self.told.get("out", ()))}
        return next(name for k in range(1, 1000) if (name := f"{word}-{k:02d}") not in used)

    def face(self, entry: Mapping[str, Any]) -> Picture | None:
        return read_art(self.folder / str(entry["art"]))

    def shown(self, asked: AskedPieces) -> list[tuple[dict[str, Any], Picture]]:
        """The entries of a sort of pieces, with their art where it can be read."""
        found = [(entry, self.face(entry)) for entry in self.entries(asked.kind, asked.roles)]
        return [(entry, face) for entry, face in found if face is not None]

    def new(self, asked: AskedPieces, name: str, one: Seen) -> dict[str, Any]:
        """A new entry for a piece; its art file is written."""
        entry: dict[str, Any] = {
            "id": name,
            "kind": asked.kind,
            "art": self.keep_art(name, one.face),
            "shape": asked.shape,
        }
        if asked.role is not None:
            entry["role"] = asked.role
        if asked.kind != "tile":
            entry["size_mm"] = [float(side) for side in one.size_mm]
        return entry | {"nodes": [], "edges": [], "rooms": []}

    def keep_art(self, name: str, face: Picture) -> str:
        """Write a piece's art to a new file and return its name. Existing files are not overwritten."""
        files = (f"art/{name}.png" if k == 1 else f"art/{name}-{k}.png" for k in range(1, 10_000))
        art = next(file for file in files if not (self.folder / file).exists())
        write_whole(self.folder / art, png(face))
        return art

    def put(self, entry: dict[str, Any]) -> None:
        """Insert a piece, or replace the piece of the same name. Data added by people to the old entry are
        kept."""
        before = self.entry(entry["id"])
        if before is None:
            self.told["cards"].append(entry)
        else:
            kept = {key: before[key] for key in before if key not in (*entry, "asked", "traced")}
            before.clear()
            before.update(entry | kept)

    def open_to(self, entry: dict[str, Any], corridors: Sequence[int], confidence: float) -> None:
        """Set the open sides in a tile's entry, as a guess with a confidence."""
        entry["nodes"], entry["edges"] = opening_nodes(corridors, self.tile_mm)
        for node in entry["nodes"]:
            if node["kind"] == "opening":
                node["confidence"] = round(confidence, 3)
        entry["traced"] = "proposed"
