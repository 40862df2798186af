"""The open deck as a box that nobody has traced, in a data folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec

from calibration.enrol.trace.tracing import LEAST_SURE
from calibration.open_deck import bundled_catalogue
from scorer.catalogue import FILE_NAME, Card, told_card


def untraced_deck(folder: Path, cards: dict[str, str]) -> Path:
    """A box of these cards of the open deck: "no" without a dungeon, "proposed" with the true one as a guess,
    "unsure" likewise, but that its finds are unclear to the machine, "doubted" with corridors, forks,
    openings and doors unclear as well, and "yes" with it in ink."""
    source = bundled_catalogue()
    told = json.loads((source / FILE_NAME).read_bytes())
    kept = []
    (folder / "art").mkdir(parents=True)
    for entry in told["cards"]:
        traced = cards.get(entry["id"])
        if traced is None:
            continue
        shutil.copy(source / entry["art"], folder / entry["art"])
        kept.append(
            {**_as(entry, traced), "traced": "proposed" if traced in ("unsure", "doubted") else traced}
        )
    (folder / FILE_NAME).write_text(json.dumps({**told, "name": "木曜の箱", "cards": kept}), "utf-8")
    return folder


def _as(entry: dict[str, Any], traced: str) -> dict[str, Any]:
    if traced == "yes":
        return entry
    if traced == "no":
        return {**entry, "nodes": [], "edges": [], "rooms": [], "goals": []}
    card = told_card(msgspec.convert(entry, Card))
    for number, part in enumerate([*card["nodes"], *card["edges"], *card["rooms"]]):
        part["confidence"] = LEAST_SURE + 0.01 * (number % 9)
    for room in card["rooms"]:
        for find in room.get("finds", ()):
            find["confidence"] = LEAST_SURE
    if traced == "doubted":
        plain = [node for node in card["nodes"] if node["kind"] in ("opening", "door", "junction", "end")]
        for part in [*plain, *(edge for edge in card["edges"] if edge["kind"] == "corridor")]:
            part["confidence"] = 0.5
    if traced in ("unsure", "doubted"):
        # As the machine proposes before anybody has named an icon.
        finds = [find for room in card["rooms"] for find in room.get("finds", ())]
        for find in [*(node for node in card["nodes"] if node.get("find")), *finds]:
            find.pop("value", None)
            find |= {"find": "coin", "confidence": 0.06}
    return {**entry, **{key: card[key] for key in ("nodes", "edges", "rooms")}}
