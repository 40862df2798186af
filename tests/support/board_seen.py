"""What is seen in a photo of a board game."""

from __future__ import annotations

from typing import Any

from board_play import layers_of_record, panels_of_record, scan_of

BOARDS: dict[str, tuple[str, ...]] = {
    "labyrinth2": ("red", "blue"),
    "stone_dragon": ("red", "blue", "green"),
    "ice_and_idols": ("green", "blue"),
}


def seen_of(word: str, record: dict[str, Any]) -> Any:
    """What a perfect reader reads of a board."""
    if word == "labyrinth2":
        return scan_of(record)
    if word == "ice_and_idols":
        return layers_of_record(record, 0, beside=True)
    pawns = {each["piece"]: (each["column"], each["row"]) for each in record["pieces"]}
    return panels_of_record(record, pawns)
