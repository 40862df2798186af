"""What a person says of enrolled pieces: that they were read right, to which sides a tile opens, which piece
one is, how many there are of it, or that it lies upside down."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from calibration.catalogue_folder import changed_catalogue, turned_art, write_whole
from calibration.faces.store import one_enrolment, png
from calibration.pieces.openings import opening_nodes
from scorer.errors import Code, WaymarkError
from scorer.square_grid import SIDES
from vision.art import read_art

#: What is said of all pieces, or of one, that is as it was read; and of a figure that lies on its head.
EVERY, RIGHT, TURNED = "all", "right", "turned"
_COPIES = re.compile(r"x(\d{1,3})")


def answer_piece(folder: Path, piece: str, said: str) -> None:
    """Take over what somebody says of a piece of the catalogue in `folder`: `right`, sides of a tile
    (`left+top`), `x10` for so many copies, `turned`, or another piece's name, which it is.

    Raises `WaymarkError` (unknown-card, usage, busy, not-writable, no-catalogue)."""
    with one_enrolment(folder), changed_catalogue(folder) as told:
        if piece == EVERY:
            if said != RIGHT:
                raise _not_understood(piece, said)
            for entry in told["cards"]:
                if "asked" not in entry:
                    _confirm(entry)
            return
        entry = _entry(told, piece)
        if entry is None:
            raise WaymarkError(
                Code.UNKNOWN_CARD,
                f"There is no piece {piece!r} in {str(folder)!r}; check its name.",
                f"{str(folder)!r} に {piece!r} という駒はありません。名前を確かめてください。",
            )
        _take(folder, told, entry, said)


def _take(folder: Path, told: dict[str, Any], entry: dict[str, Any], said: str) -> None:
    copies = _COPIES.fullmatch(said)
    sides = said.split("+")
    if said == RIGHT:
        _confirm(entry)
    elif copies is not None and int(copies[1]) > 0:
        entry["copies"] = int(copies[1])
    elif said == TURNED:
        _turn(folder, entry)
    elif entry["kind"] in ("tile", "fixed") and all(side in SIDES for side in sides):
        bits = sum(1 << SIDES.index(side) for side in set(sides))
        nodes, edges = opening_nodes(bits, float(told["card_size_mm"][0]))
        entry |= {"nodes": nodes, "edges": edges}
        _confirm(entry)
    else:
        _rename(told, entry, said)


def _confirm(entry: dict[str, Any]) -> None:
    """No pencil any more."""
    entry.pop("asked", None)
    if entry.get("traced") == "proposed":
        entry["traced"] = "yes"
    for node in entry["nodes"]:
        node.pop("confidence", None)


def _turn(folder: Path, entry: dict[str, Any]) -> None:
    art = read_art(folder / entry["art"])
    if art is not None:
        entry["art"] = turned_art(entry["art"])
        write_whole(folder / entry["art"], png(np.ascontiguousarray(np.rot90(art, 2))))


def _rename(told: dict[str, Any], entry: dict[str, Any], name: str) -> None:
    """This piece is the one of that name: a tile that is there already is one copy more of it; pieces that
    have each other's names change their art."""
    other = _entry(told, name)
    if other is entry or (other is not None and other.get("shape") != entry.get("shape")):
        raise _not_understood(str(entry["id"]), name)
    if other is None:
        value = name.rpartition("-")[2]
        known: dict[str, Any] = {"value": int(value)} if "value" in entry and value.isdigit() else {}
        known |= {"colour": value} if "colour" in entry and not value.isdigit() else {}
        if not known:
            raise _not_understood(str(entry["id"]), name)
        entry |= known | {"id": name}
        _confirm(entry)
    elif entry["kind"] == "tile":
        other["copies"] = int(other.get("copies", 1)) + int(entry.get("copies", 1))
        told["cards"].remove(entry)
    else:
        entry["art"], other["art"] = other["art"], entry["art"]
        _confirm(entry)
        _confirm(other)


def _entry(told: dict[str, Any], name: str) -> dict[str, Any] | None:
    return next((entry for entry in told["cards"] if entry["id"] == name), None)


def _not_understood(piece: str, said: str) -> WaymarkError:
    return WaymarkError(
        Code.USAGE,
        f"{said!r} says nothing of {piece!r}; say right, its open sides (left+top), x2 for two of it, "
        "turned, or which piece it is.",
        f"{piece!r} について {said!r} は分かりません。right、開いた辺(left+top)、x2(2 枚)、turned、"
        "または正しい駒の名前で答えてください。",
    )
