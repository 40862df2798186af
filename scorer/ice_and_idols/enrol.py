"""The specification of the pieces in a box of Ice and Idols, and of the facts to enter about each. The
rulebook prints no numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from scorer.enrolment_facts import SIDE_NAMES, Fact
from scorer.enrolment_pieces import AskedPieces, TileSort
from scorer.ice_and_idols.rules.pieces import BORDERS, CUBES, IDOLS, CharacterName
from scorer.ice_and_idols.sheet import IDOL_WORDS
from scorer.square_grid import BOTTOM, LEFT, RIGHT, TOP
from scorer.text import Text

_COLOURS = ("green", "blue", "red", "yellow")
_BORDERS = (("sun", Text("sun")), ("star", Text("star")), ("moon", Text("moon")), ("comet", Text("comet")))
_CHARACTERS = {
    "curator": Text("curator"),
    "keysmith": Text("keysmith"),
    "sculptor": Text("sculptor"),
    "architect": Text("architect"),
}
assert set(_CHARACTERS) == set(get_args(CharacterName))
_IDOL_NAMES = tuple((kind, IDOL_WORDS[kind]) for kind in IDOLS)
_ALTAR = "altar-"
_MAP_MARKS = (
    *_IDOL_NAMES,
    *((_ALTAR + kind, Text("{name} altar", name=name)) for kind, name in _IDOL_NAMES),
    ("start", Text("start")),
)
#: Most points that a bonus space gives, and most rows of a research board.
_MOST_BONUS, _ROWS = 3, 12
_TRACK_MARKS = (
    ("space", Text("plain space")),
    ("event", Text("event")),
    ("shift", Text("token shift")),
    *((f"bonus-{vp}", Text("bonus {vp}", vp=vp)) for vp in range(1, _MOST_BONUS + 1)),
    ("start-2", Text("cube with 2 players")),
    ("start-3", Text("cube with 3 players")),
    ("top", Text("locked token")),
    ("below", Text("token")),
)
_EVENTS = (
    ("collapse", Text("collapse")),
    ("rotate", Text("rotation")),
    ("shift", Text("shift")),
    ("calm", Text("nothing", context="event")),
)
_TURNS = (("clockwise", Text("clockwise")), ("counterclockwise", Text("counterclockwise")))
_PLAYERS = tuple((str(n), Text("{n} players", n=n)) for n in (2, 3, 4))


def _event(told: Mapping[str, Any]) -> dict[str, Any]:
    event = {"event": told["event"], "players": int(told["players"])}
    if told["event"] == "collapse":
        event["x"] = told["x"]
    if told["event"] == "rotate":
        event["turn"] = told["turn"]
    if told["event"] == "shift":
        borders = list(BORDERS)
        across = borders[(borders.index(told["from"]) + 2) % 4]
        event |= {"from": told["from"], "to": across}
    return event


def _map(told: Mapping[str, Any]) -> dict[str, Any]:
    cells = []
    for cell, marks in _in_order(told["cells"]):
        spot: dict[str, Any] = {"cell": list(cell)}
        idols = [mark for mark in marks if mark in IDOLS]
        altars = [mark.removeprefix(_ALTAR) for mark in marks if mark.startswith(_ALTAR)]
        spot |= {"idols": idols} if idols else {}
        spot |= {"altars": altars} if altars else {}
        spot |= {"start": True} if "start" in marks else {}
        cells.append(spot)
    return {"columns": 5, "rows": 5, "cells": cells}


def _research(told: Mapping[str, Any]) -> dict[str, Any]:
    """The research tracks for the catalogue, from entered facts. The columns are in the order of the idols,
    and the last row is the lowest."""
    marked = dict(_in_order(told["tracks"]))
    tracks = []
    for column, idol in enumerate(IDOLS):
        rows = {row: marks for (at, row), marks in marked.items() if at == column}
        spaces = []
        for row in sorted(rows, reverse=True):
            marks = rows[row]
            if "top" in marks or "below" in marks:
                continue
            space: dict[str, Any] = {"row": row}
            start = [n for n in (2, 3) if f"start-{n}" in marks]
            bonus = next((int(mark[-1]) for mark in marks if mark.startswith("bonus-")), 0)
            gives = next((mark for mark in marks if mark in ("event", "shift")), "bonus" if bonus else "")
            space |= {"start": start} if start else {}
            space |= {"gives": gives} if gives else {}
            space |= {"vp": bonus} if bonus else {}
            spaces.append(space)
        ends = {end: next((row for row in rows if end in rows[row]), None) for end in ("top", "below")}
        if spaces and None not in ends.values():
            tracks.append({"idol": idol, "column": column, **ends, "spaces": spaces})
    rows_used = 1 + max((row for _, row in marked), default=0)
    return {"columns": len(IDOLS), "rows": rows_used, "tracks": tracks}


def _in_order(marked: Mapping[str, list[str]]) -> list[tuple[tuple[int, int], list[str]]]:
    """Marks by cell, sorted row by row."""
    cells = {tuple(int(part) for part in cell.split(".")): marks for cell, marks in marked.items()}
    return [((column, row), cells[column, row]) for column, row in sorted(cells, key=lambda at: at[::-1])]


ASKED: tuple[AskedPieces, ...] = (
    AskedPieces(
        word="tile",
        name=Text("tiles"),
        kind="tile",
        shape="square",
        usual_mm=(50.0, 50.0),
        count=26,
        ways={15: 14, TOP | RIGHT | LEFT: 7, TOP | RIGHT: 5},
        hint=Text("Clear tiles are seen best on white paper. Lay them apart."),
        sorts=(
            TileSort(
                role="double_corner", name=Text("double corner"), corridors=(TOP | RIGHT, BOTTOM | LEFT)
            ),
            TileSort(role="archway", name=Text("archway"), corridors=(TOP | BOTTOM, LEFT | RIGHT)),
            TileSort(role="roundabout", name=Text("roundabout"), corridors=(15,)),
            TileSort(role="y_junction", name=Text("Y junction"), corridors=(TOP | RIGHT | LEFT,)),
            TileSort(role="single_corner", name=Text("single corner"), corridors=(TOP | RIGHT,)),
        ),
    ),
    AskedPieces(
        word="map",
        name=Text("map"),
        kind="board",
        shape="square",
        usual_mm=(250.0, 250.0),
        role="map",
        count=0,
        designs=True,
        hint=Text("Lay the whole map out, one side to a photo, with its rim in view."),
        facts=(
            Fact(
                word="cells",
                name=Text("Idols, altars and the start"),
                sort="marks",
                options=_MAP_MARKS,
                grid=(5, 5),
            ),
        ),
        told=_map,
    ),
    AskedPieces(
        word="research",
        name=Text("research board"),
        kind="board",
        shape="rect",
        usual_mm=(120.0, 190.0),
        role="research",
        facts=(
            Fact(
                word="tracks",
                name=Text("The tracks, from the left: sapphire, tiger eye, jade, ruby, gold"),
                sort="marks",
                options=_TRACK_MARKS,
                grid=(len(IDOLS), _ROWS),
            ),
        ),
        told=_research,
    ),
    AskedPieces(
        word="figure",
        name=Text("figures"),
        kind="figure",
        shape="standing",
        usual_mm=(16.0, 26.0),
        role="character",
        count=4,
        colours=_COLOURS,
        facts=(
            Fact(word="character", name=Text("Character"), sort="choice", options=tuple(_CHARACTERS.items())),
        ),
    ),
    AskedPieces(
        word="vp",
        name=Text("VP tokens"),
        kind="chip",
        shape="disc",
        usual_mm=(22.0, 22.0),
        role="vp",
        count=5,
        values=tuple(range(1, 13)),
    ),
    AskedPieces(
        word="key",
        name=Text("key cards"),
        kind="card",
        shape="rect",
        usual_mm=(44.0, 68.0),
        role="key",
        count=10,
        designs=True,
        facts=(
            Fact(word="vp", name=Text("VP"), least=1),
            Fact(word="pattern", name=Text("Pattern"), sort="cells", grid=(5, 5)),
        ),
    ),
    AskedPieces(
        word="event",
        name=Text("event cards"),
        kind="card",
        shape="rect",
        usual_mm=(44.0, 68.0),
        role="event",
        count=30,
        designs=True,
        facts=(
            Fact(word="players", name=Text("Used from how many players on"), sort="choice", options=_PLAYERS),
            Fact(word="event", name=Text("Event"), sort="choice", options=_EVENTS),
            Fact(
                word="x",
                name=Text("Where the X is"),
                sort="several",
                options=SIDE_NAMES,
                when=(("event", ("collapse",)),),
            ),
            Fact(
                word="turn",
                name=Text("How the temple turns"),
                sort="choice",
                options=_TURNS,
                when=(("event", ("rotate",)),),
            ),
            Fact(
                word="from",
                name=Text("From which border"),
                sort="choice",
                options=_BORDERS,
                when=(("event", ("shift",)),),
            ),
        ),
        told=_event,
    ),
    AskedPieces(
        word="cube",
        name=Text("cubes"),
        kind="marker",
        shape="square",
        usual_mm=(8.0, 8.0),
        role="cube",
        count=len(_COLOURS) * CUBES,
        copies=CUBES,
        colours=_COLOURS,
        plain="colour",
    ),
    AskedPieces(
        word="idol",
        name=Text("idols"),
        kind="chip",
        shape="square",
        usual_mm=(16.0, 16.0),
        role="idol",
        count=8 * len(IDOLS),
        copies=8,
        colours=IDOLS,
        plain="idol",
    ),
)
