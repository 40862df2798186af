"""A board game in the app whose photo asks something."""

from __future__ import annotations

from typing import Any

from board_play import act, begin, layers_of_record, panels_of_record, photograph, scan_of
from board_question_scenes import DRAGON, LABYRINTH, TEMPLE, AskingPhoto
from flask import Flask

COLOURS = {LABYRINTH: ("red", "blue"), TEMPLE: ("green", "blue"), DRAGON: ("red", "blue", "green")}


def read_truly(call: Any, deck: str) -> tuple[str, Any]:
    """A game that has begun, and what a perfect reader reads of its board."""
    _, board = begin(call, deck, COLOURS[deck])
    record = call("GET", f"{board}/record")
    if deck == LABYRINTH:
        return board, scan_of(record)
    if deck == TEMPLE:
        return board, layers_of_record(record, 0, beside=True)
    return board, panels_of_record(
        record, {each["piece"]: (each["column"], each["row"]) for each in record["pieces"]}
    )


def asking(app: Flask, call: Any, photo: AskingPhoto) -> tuple[str, dict[str, Any]]:
    """A board whose photo asks, and the question."""
    board, scan = read_truly(call, photo.deck)
    if photo.kind == "unseen":
        # nobody has told what lies before players
        record = call("GET", f"{board}/record")
        told = [{k: v for k, v in each.items() if k != "holds"} for each in record["players"]]
        act(call, board, "changes", change={"kind": "record", "record": {**record, "players": told}})
    photograph(app, board, photo.spoil(scan))
    if photo.kind == "chip-place":
        # the first chip that may be hidden
        act(call, board, "answers", question="piece:chips:1", option=2)
    asked = call("GET", board)["pending"]["questions"]
    found = [each for each in asked if each["kind"] == photo.kind]
    assert found, [each["name"] for each in asked]
    return board, found[0]
