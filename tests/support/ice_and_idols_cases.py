"""Golden cases of Ice and Idols: tables in words, turns in words, and what the referee answers.

tests/golden/ice_and_idols/README.md tells how they are written. Records are made here of plain dicts, so that
nothing of the referee's own is used to say what lies where."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from board_cases import Case, is_expected, read_cases, turn_told

from scorer.catalogue import Catalogue, parse_catalogue

GOLDEN = Path(__file__).parents[1] / "golden" / "ice_and_idols"

LETTERS = {"D": "double_corner", "A": "archway", "R": "roundabout", "Y": "y_junction", "S": "single_corner"}
#: The corridors of each tile as its art stands: openings that are joined.
CORRIDORS = {
    "double_corner": (("top", "right"), ("bottom", "left")),
    "archway": (("top", "bottom"), ("left", "right")),
    "roundabout": (("top", "right", "bottom", "left"),),
    "y_junction": (("left", "top", "right"),),
    "single_corner": (("top", "right"),),
}
COPIES = {"double_corner": 6, "archway": 6, "roundabout": 2, "y_junction": 6, "single_corner": 6}
COLOURS = {"green": "architect", "blue": "curator", "red": "keysmith", "yellow": "sculptor"}
IDOLS = ("sapphire", "tiger_eye", "jade", "ruby", "gold")
MIDDLES = {"top": (25, 0), "right": (50, 25), "bottom": (25, 50), "left": (0, 25)}
VALUES = (3, 4, 5, 6, 7)

#: What is printed on the map of the invented box, by cell.
MAP: dict[tuple[int, int], tuple[tuple[str, ...], tuple[str, ...]]] = {
    (0, 0): (("sapphire",), ()),
    (4, 0): ((), ("sapphire",)),
    (1, 1): (("gold", "ruby"), ()),
    (3, 1): ((), ("ruby",)),
    (0, 4): (("jade",), ()),
    (4, 4): ((), ("jade",)),
    (1, 3): (("tiger_eye",), ()),
    (3, 3): ((), ("tiger_eye", "gold")),
}


def invented_box() -> dict[str, Any]:
    """A catalogue with numbers and a map of our own."""

    def tile(name: str) -> dict[str, Any]:
        nodes, edges = [], []
        for number, sides in enumerate(CORRIDORS[name]):
            middle = "ab"[number]
            nodes.append({"id": middle, "kind": "junction", "level": "main", "at": [25, 25]})
            for side in sides:
                nodes.append(
                    {"id": side, "kind": "opening", "side": side, "level": "main", "at": MIDDLES[side]}
                )
                edges.append({"kind": "corridor", "level": "main", "from": side, "to": middle})
        return {
            "id": name,
            "kind": "tile",
            "role": name,
            "copies": COPIES[name],
            "nodes": nodes,
            "edges": edges,
        }

    def card(name: str, role: str, **more: Any) -> dict[str, Any]:
        return {"id": name, "kind": "card", "role": role, **more}

    tracks = []
    for column, idol in enumerate(IDOLS):
        gives: list[dict[str, Any]] = [
            {"row": 6, "start": [2, 3]},
            {"row": 5, "start": [2], "gives": "event"},
            {"row": 4, "gives": "bonus", "vp": 1},
            {"row": 3, "gives": "shift"},
            {"row": 2},
            {"row": 1, "gives": "shift"},
        ]
        tracks.append({"idol": idol, "column": column, "top": 0, "below": 7, "spaces": gives})
    spots: list[dict[str, Any]] = [
        {"cell": list(cell), "idols": list(idols), "altars": list(altars)}
        for cell, (idols, altars) in MAP.items()
    ]
    halves = [[spot for spot in spots if (spot["cell"][0] < 3) == left] for left in (True, False)]
    for spot in halves[1]:
        spot["cell"] = [spot["cell"][0] - 3, spot["cell"][1]]
    cards = [
        *(tile(name) for name in CORRIDORS),
        *(
            {
                "id": f"figure-{colour}",
                "kind": "figure",
                "role": "character",
                "character": character,
                "colour": colour,
            }
            for colour, character in COLOURS.items()
        ),
        *(
            {"id": f"cube-{colour}", "kind": "marker", "role": "cube", "colour": colour, "copies": 10}
            for colour in COLOURS
        ),
        *({"id": f"vp-{value}", "kind": "chip", "role": "vp", "value": value} for value in VALUES),
        *(
            {"id": f"idol-{idol}", "kind": "chip", "role": "idol", "idol": idol, "copies": 8}
            for idol in IDOLS
        ),
        card("key-1", "key", vp=10, pattern=[[0, 0], [1, 0], [1, 1]]),
        card("key-2", "key", vp=6, pattern=[[0, 0], [1, 0], [2, 0]]),
        card("key-3", "key", vp=8, pattern=[[0, 0], [1, 0], [2, 1]]),
        card("collapse-top", "event", players=2, event="collapse", x=["top"]),
        card("collapse-two", "event", players=2, event="collapse", x=["left", "right"]),
        card("rotate-right", "event", players=2, event="rotate", turn="clockwise"),
        card("rotate-left", "event", players=3, event="rotate", turn="counterclockwise"),
        card("sun-moon", "event", players=2, event="shift", **{"from": "sun", "to": "moon"}),
        card("star-comet", "event", players=4, event="shift", **{"from": "star", "to": "comet"}),
        card("calm", "event", players=2, event="calm"),
        {"id": "map", "kind": "board", "role": "map", "columns": 5, "rows": 5, "cells": spots_whole()},
        {"id": "map-west", "kind": "board", "role": "map", "columns": 3, "rows": 5, "cells": halves[0]},
        {"id": "map-east", "kind": "board", "role": "map", "columns": 2, "rows": 5, "cells": halves[1]},
        {"id": "research", "kind": "board", "role": "research", "columns": 5, "rows": 8, "tracks": tracks},
    ]
    return {
        "format": "waymark-catalogue/1",
        "name": "invented",
        "game": "ice_and_idols",
        "card_size_mm": [50, 50],
        "cards": [{"art": "-", **each} for each in cards],
    }


def spots_whole() -> list[dict[str, Any]]:
    """The map in one piece, with the start in its middle."""
    told: list[dict[str, Any]] = [
        {"cell": list(cell), "idols": list(idols), "altars": list(altars)}
        for cell, (idols, altars) in MAP.items()
    ]
    return [*told, {"cell": [2, 2], "start": True}]


@cache
def box() -> Catalogue:
    """The invented box as a catalogue."""
    return parse_catalogue(msgspec.json.encode(invented_box()))


def cases_of(file: Path) -> Iterator[Case]:
    """The cases of a golden file."""
    return read_cases(file, _empty, _draw, _tell)


def _draw(board: dict[str, Any], lines: Sequence[str]) -> None:
    rows = 5 if board["tiles"] else 0
    for line in lines:
        if rows < 5:
            drawn = [tile(each, column, rows) for column, each in enumerate(line.split())]
            board["tiles"] += [each for each in drawn if each is not None]
            rows += 1
        else:
            change(board, line.split())


def _tell(board: dict[str, Any], lines: Sequence[str], expected: dict[str, str]) -> dict[str, Any] | None:
    player, after = "", None
    claims: dict[str, Any] | None = None
    for line in lines:
        words = line.split()
        if is_expected(line, expected):
            continue
        if words[0] == "after":
            after = _copied(board) if after is None else after
            change(after, words[1:])
        elif words[1:2] == ["does"]:
            player, claims = words[0], claims or {"actions": []}
            claims["actions"] += [action(words[2:])] if words[2:] else []
        elif words[1:] == ["goes", "on"]:
            claims = (claims or {"actions": []}) | {"ends": False}
        elif words[1:] == ["has", "played"]:
            player, after = words[0], _copied(board)
        else:
            change(board, words)
    return turn_told("ice_and_idols", player, board, claims, after) if player else None


def _copied(board: dict[str, Any]) -> dict[str, Any]:
    """A table that does not tell whose turn it is."""
    return copy.deepcopy({name: value for name, value in board.items() if name != "to_move"})


def _empty() -> dict[str, Any]:
    return {
        "format": "waymark-board/1",
        "game": "ice_and_idols",
        "grid": {"columns": 5, "rows": 5},
        "tiles": [],
        "spare": [],
        "pieces": [],
        "ground": {"rotation": 0, "tiles": [{"tile": "map", "column": 0, "row": 0, "rotation": 0}]},
        "boards": {"research": {"columns": 5, "rows": 8, "rotation": 0}},
        "players": [],
    }


def tile(drawn: str, column: int, row: int) -> dict[str, Any] | None:
    """A tile as it is drawn: its letter and degrees (`A90`); `..` none, `??` not made out."""
    if drawn == "..":
        return None
    where = {"column": column, "row": row}
    if drawn == "??":
        return where | {"tile": None, "rotation": None}
    return where | {"tile": LETTERS[drawn[0]], "rotation": int(drawn[1:] or 0)}


def change(board: dict[str, Any], words: list[str]) -> None:
    """Change a table as the words say."""
    word, rest = words[0], words[1:]
    if word == "tile":
        column, row = map(int, rest[0].split(","))
        board["tiles"] = [each for each in board["tiles"] if (each["column"], each["row"]) != (column, row)]
        drawn = tile(rest[1], column, row)
        board["tiles"] += [drawn] if drawn is not None else []
    elif word == "also":
        column, row = map(int, rest[0].split(","))
        board["tiles"].append(tile(rest[1], column, row))
    elif word == "discard":
        board["spare"] = [each for each in board["spare"] if each["at"] != "discard"]
        board["spare"] += [{"tile": LETTERS.get(each), "at": "discard"} for each in rest]
    elif word in ("kept", "box"):
        board["spare"].append({"tile": "roundabout", "at": rest[0] if word == "kept" else "box"})
    elif word == "ground":
        _ground(board, rest)
    elif word == "borders":
        board["borders"] = dict(zip(("top", "right", "bottom", "left"), rest, strict=True))
    elif word == "house":
        name, _, value = rest[0].partition("=")
        board.setdefault("house", {})[name] = {"yes": True}.get(value, value)
    elif word == "move":
        board["to_move"] = rest[0]
    elif word == "nothing":
        for name in rest:
            board.pop(name, None)
    elif word == "figure":
        _stand(board, rest[0], rest[1])
    elif word == "track":
        _track(board, rest)
    elif word == "on":
        where = dict(zip(("column", "row"), map(int, rest[1].split(",")), strict=True)) if rest[1:] else {}
        cube = None if rest[0] == "?" else rest[0]
        board["pieces"].append({"piece": cube, **where, "on": "research"})
    elif word == "ask":
        _ask(board, rest)
    elif word == "gone":
        board["players"] = [each for each in board["players"] if each["name"] != rest[0]]
    else:
        _player(board, words)


def _ground(board: dict[str, Any], words: list[str]) -> None:
    if words[0].isdigit():
        board["ground"]["rotation"] = int(words[0])
    else:
        board["ground"]["tiles"] = []
        for each in words if words != ["none"] else ():
            name, column, row, rotation = each.split(":")
            board["ground"]["tiles"].append(
                {
                    "tile": None if name == "?" else name,
                    "column": int(column),
                    "row": int(row),
                    "rotation": int(rotation),
                }
            )


def _stand(board: dict[str, Any], colour: str, cell: str) -> None:
    """Have a figure stand in a cell, `2,2` or `2,2:a` on one of its corridors; `gone` nowhere, `+1,0` there,
    too."""
    name = None if colour == "?" else f"figure-{colour}"
    if not cell.startswith("+"):
        board["pieces"] = [each for each in board["pieces"] if each["piece"] != name or "on" in each]
    if cell != "gone":
        where, _, place = cell.removeprefix("+").partition(":")
        column, row = map(int, where.split(","))
        told = {"piece": name, "column": column, "row": row}
        board["pieces"].append(told | ({"place": place} if place else {}))


def _track(board: dict[str, Any], words: list[str]) -> None:
    """`sapphire vp-7 green blue`: a track's token (`!` locked) and its cubes from the lowest up; `.` none."""
    column = IDOLS.index(words[0])
    board["pieces"] = [
        each for each in board["pieces"] if each.get("on") != "research" or each["column"] != column
    ]
    token, *cubes = words[1:]
    if token != "-":
        row = 0 if token.endswith("!") else 7
        name = token.removesuffix("!")
        board["pieces"].append({"piece": name, "column": column, "row": row, "on": "research"})
    for number, colour in enumerate(cubes):
        if colour != ".":
            board["pieces"].append(
                {"piece": f"cube-{colour}", "column": column, "row": 6 - number, "on": "research"}
            )


def _ask(board: dict[str, Any], words: list[str]) -> None:
    """`ap 4`, or `cheapest Aya altar=jade with=jade,ruby limit=5`."""
    ask = board.setdefault("ask", {})
    if words[0] == "ap":
        ask["ap"] = int(words[1])
        return
    told: dict[str, Any] = {"player": words[1]}
    for each in words[2:]:
        name, _, value = each.partition("=")
        if name == "with":
            told["with"] = [means for means in value.split(",") if means]
        elif name == "limit":
            told["limit"] = int(value)
        elif name in ("cell", "map"):
            told["to"] = {name: [int(number) for number in value.split(",")]}
        else:
            told["to"] = {name: value}
    ask["cheapest"] = told


def _player(board: dict[str, Any], words: list[str]) -> None:
    name, *rest = words
    player = next((each for each in board["players"] if each["name"] == name), None)
    if player is None:
        player = {"name": name, "seat": "bottom", "powers": [], "holds": {"adrenaline-plus": 1}, "hand": []}
        board["players"].append(player)
    for word in rest:
        what, _, value = word.partition("=")
        if word.startswith("@"):
            _stand(board, player["piece"].removeprefix("figure-"), word[1:])
        elif word in COLOURS:
            player["piece"] = f"figure-{word}"
        elif word == "minus":
            player["holds"].pop("adrenaline-plus", None)
            player["holds"]["adrenaline-minus"] = 1
        elif word == "first":
            player["holds"]["first-player"] = 1
        elif what == "seat":
            player["seat"] = value
        elif what == "powers":
            player["powers"] = [each for each in value.split(",") if each]
        elif what == "key":
            player["hand"] = [each for each in value.split(",") if each]
            if value == "?":
                del player["hand"]
        else:
            signs = {name: 1 for name in player["holds"] if not name.startswith("idol")}
            idols = [each for each in value.split(",") if each]
            player["holds"] = {f"idol-{each}": idols.count(each) for each in idols} | signs


def action(words: list[str]) -> dict[str, Any]:
    """An action from `place idol=jade for=study shift=left`."""
    told: dict[str, Any] = {"do": words[0]}
    for word in words[1:]:
        name, _, value = word.partition("=")
        if name == "cell":
            told[name] = [int(each) for each in value.split(",")]
        elif name in ("rotation", "other_rotation"):
            told[name] = int(value)
        elif name == "tile":
            told[name] = LETTERS[value]
        elif name == "stand":
            told[name] = dict(each.split(":") for each in value.split("/"))
        else:
            told[name] = value
    return told
