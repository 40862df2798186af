"""What people say of a box's pieces: what is printed on them, which tile one is, and taking it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from pieces_box import pieces_box

from calibration.enrol.catalogue_folder import changed_catalogue
from calibration.enrol.pieces.answers import answer_piece, answer_seen
from calibration.enrol.pieces.holding import (
    asked_of,
    missing_of,
    open_pieces,
    open_question,
    sort_of,
    sorts_held,
    state_of,
)
from calibration.enrol.pieces.openings import corridors_of, opening_nodes
from calibration.enrol.pieces.undoing import changes_of, seen_version, take_back
from scorer.board_pieces import told_piece
from scorer.catalogue import FILE_NAME, load_catalogue, read_catalogue
from scorer.enrolment_facts import checked_facts, untold
from scorer.enrolment_pieces import photographed_together
from scorer.errors import Code, WaymarkError
from scorer.games import game_named
from scorer.square_grid import BOTTOM, LEFT, RIGHT, TOP, open_sides
from scorer.stone_dragon.rules.pieces import Monster

GAMES = ("labyrinth2", "ice_and_idols", "stone_dragon")


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return pieces_box(tmp_path / "box")


def entry(folder: Path, name: str) -> dict[str, Any]:
    told = msgspec.json.decode((folder / FILE_NAME).read_bytes())
    found: dict[str, Any] = next(each for each in told["cards"] if each["id"] == name)
    return found


def version(folder: Path, name: str) -> str:
    return seen_version(entry(folder, name))


# --- taking back --------------------------------------------------------------------------------------------


def test_every_answer_is_taken_back_as_one(box: Path) -> None:
    before = read_catalogue(box)
    for said in ("left+top", "x10", "tile-02", "out"):
        answer_piece(box, "tile-01", said)
        assert read_catalogue(box) != before
        take_back(box, changes_of(box)[-1].number)
        assert read_catalogue(box) == before
    assert changes_of(box) == []


def test_what_another_device_changed_since_is_not_taken_back(box: Path) -> None:
    answer_piece(box, "tile-01", "left+top")
    answer_piece(box, "tile-02", "right")
    answer_piece(box, "tile-01", "x2")
    first, second, _ = changes_of(box)
    take_back(box, second.number)
    assert read_catalogue(box).card("tile-02").traced == "proposed"
    with pytest.raises(WaymarkError) as told:
        take_back(box, first.number)
    assert told.value.code == Code.CONFLICT
    assert open_sides(read_catalogue(box).card("tile-01")) == LEFT | TOP


def test_who_looked_at_an_older_version_is_told_and_changes_nothing(box: Path) -> None:
    seen = {name: version(box, name) for name in ("tile-01", "tile-02")}
    answer_piece(box, "tile-02", "left+top")
    with pytest.raises(WaymarkError) as told:
        answer_seen(box, seen, "right", {})
    assert told.value.code == Code.CONFLICT
    assert read_catalogue(box).card("tile-01").traced == "proposed"


def test_how_sure_the_machine_is_after_a_photo_of_others_is_no_change(box: Path) -> None:
    seen = {"tile-01": version(box, "tile-01")}
    with changed_catalogue(box) as told:
        first = told["cards"][0]
        first["asked"] = "ways"
        for node in first["nodes"]:
            node["confidence"] = 0.5
    answer_seen(box, seen, "right", {})
    assert read_catalogue(box).card("tile-01").traced == "yes"


# --- facts and sorts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_open_set_lacks_nothing_that_its_game_asks_for(game: str) -> None:
    bundled = game_named(game).bundled
    assert bundled is not None
    assert missing_of(load_catalogue(bundled)) == ()
    together = [each.word for group in photographed_together(asked_of(game)) for each in group]
    assert sorted(together) == sorted(each.word for each in asked_of(game) if not each.plain)


#: By game and sort: what a person tells, of a piece of the open set.
TOLD: list[tuple[str, str, str, dict[str, Any]]] = [
    ("stone_dragon", "monster", "wraith", {"attack": 5, "defence": 2, "life": 3, "price": 6}),
    ("stone_dragon", "item", "copper", {"price": 1, "gives": "coins", "coins": 2}),
    ("stone_dragon", "item", "shield-2", {"price": 2, "gives": "shield", "level": "2"}),
    ("stone_dragon", "curse", "cursed-sword", {"of": "sword"}),
    (
        "stone_dragon",
        "character",
        "merchant",
        {
            **{"attack": 1, "defence": 0, "life": 6, "coins": 1},
            **{"ability1": "sell_add", "ability1_by": 2, "ability1_of": "monster", "ability2": "none"},
        },
    ),
    (
        "stone_dragon",
        "victory",
        "hunter",
        {
            **{"stars": 2, "condition": "monster_cards", "at_least": 3},
            **{"ability1": "attack", "ability1_by": 1, "ability2": "none"},
        },
    ),
    ("stone_dragon", "victory", "eloquence", {"stars": 0, "condition": "swap", "ability1": "none"}),
    (
        "stone_dragon",
        "victory",
        "avenger",
        {"stars": 1, "condition": "beaten-by-player", "ability1": "action_on_defeat", "ability2": "none"},
    ),
    ("ice_and_idols", "key", "key-01", {"vp": 5, "pattern": [[0, 0], [1, 0], [1, 1]]}),
    ("ice_and_idols", "event", "event-09", {"players": "3", "event": "collapse", "x": ["top", "bottom"]}),
    ("ice_and_idols", "event", "event-11", {"players": "2", "event": "rotate", "turn": "clockwise"}),
    ("ice_and_idols", "event", "event-17", {"players": "2", "event": "shift", "from": "star"}),
    ("ice_and_idols", "figure", "figure-red", {"character": "keysmith"}),
]


@pytest.mark.parametrize(("game", "word", "piece", "said"), TOLD, ids=[each[2] for each in TOLD])
def test_what_is_told_of_a_piece_is_what_the_open_sets_catalogue_says(
    game: str, word: str, piece: str, said: dict[str, Any]
) -> None:
    asked = next(each for each in asked_of(game) if each.word == word)
    told = checked_facts(asked.facts, said, {})
    assert told == said and untold(asked.facts, told) == []
    bundled = game_named(game).bundled
    assert bundled is not None
    more = load_catalogue(bundled).card(piece).more
    assert {key: value for key, value in asked.told(told).items() if value != ""} == more


def test_the_map_and_the_tracks_of_the_open_temple_are_told_mark_by_mark() -> None:
    bundled = game_named("ice_and_idols").bundled
    assert bundled is not None
    temple = load_catalogue(bundled)
    asked = {each.word: each for each in asked_of("ice_and_idols")}
    marks = {}
    for spot in temple.card("map-gear").more["cells"]:
        own = [*spot.get("idols", []), *(f"altar-{kind}" for kind in spot.get("altars", []))]
        marks["{}.{}".format(*spot["cell"])] = [*own, *(["start"] if spot.get("start") else [])]
    made = asked["map"].told(checked_facts(asked["map"].facts, {"cells": marks}, {}))
    pieces = game_named("ice_and_idols")
    told = msgspec.structs.replace(temple.card("map-gear"), more=dict(made))
    again = msgspec.structs.replace(temple, cards=(told,))
    assert pieces.rules.pieces_of(again).maps["map-gear"].cells == tuple(  # type: ignore[attr-defined]
        sorted(
            pieces.rules.pieces_of(temple).maps["map-gear"].cells,  # type: ignore[attr-defined]
            key=lambda spot: spot.cell[::-1],
        )
    )
    research = pieces.rules.pieces_of(temple).research  # type: ignore[attr-defined]
    rows: dict[str, list[str]] = {}
    for track in research.tracks:
        rows[f"{track.column}.{track.top}"], rows[f"{track.column}.{track.below}"] = ["top"], ["below"]
        for space in track.spaces:
            gives = f"bonus-{space.vp}" if space.gives == "bonus" else space.gives
            start = [f"start-{n}" for n in space.start]
            rows[f"{track.column}.{space.row}"] = [*start, *([gives] if gives else [])] or ["space"]
    made = asked["research"].told(checked_facts(asked["research"].facts, {"tracks": rows}, {}))
    told = msgspec.structs.replace(temple.card("research"), more=dict(made))
    again = msgspec.structs.replace(temple, cards=(told,))
    assert pieces.rules.pieces_of(again).research == research  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "said", [{"attack": -1}, {"attack": True}, {"attack": "2"}, {"stars": 2}, {"life": 0}, {"price": 100}]
)
def test_facts_that_cannot_be_are_refused_in_one_sentence(tmp_path: Path, said: dict[str, Any]) -> None:
    monster = {"id": "monster-01", "kind": "card", "role": "monster", "size_mm": [44, 68], "shape": "rect"}
    folder = pieces_box(tmp_path / "box", game="stone_dragon", more=[monster])
    with pytest.raises(WaymarkError) as told:
        answer_seen(folder, {"monster-01": version(folder, "monster-01")}, "", said)
    assert told.value.code == Code.NOT_VALID
    assert "told" not in entry(folder, "monster-01")


def test_a_card_is_ink_when_all_that_is_printed_on_it_is_told(tmp_path: Path) -> None:
    monster = {"id": "monster-01", "kind": "card", "role": "monster", "size_mm": [44, 68], "shape": "rect"}
    folder = pieces_box(tmp_path / "box", game="stone_dragon", more=[{**monster, "traced": "proposed"}])
    asked = asked_of("stone_dragon")

    def state() -> tuple[str, str]:
        now = entry(folder, "monster-01")
        return state_of(now, sort_of(now, asked)), open_question(now, sort_of(now, asked))

    assert state() == ("asked", "facts")
    answer_piece(folder, "monster-01", "attack:2,defence:0")
    assert state() == ("asked", "facts") and "attack" not in entry(folder, "monster-01")
    assert open_pieces(folder)["monster-01"] == ("facts", "life", "price")
    answer_piece(folder, "monster-01", "life:1,price:3")
    assert state() == ("ink", "")
    assert {key: entry(folder, "monster-01")[key] for key in ("attack", "defence", "life", "price")} == {
        **{"attack": 2, "defence": 0, "life": 1, "price": 3}
    }


def test_a_card_of_which_nobody_told_anything_is_not_ruled_with(tmp_path: Path) -> None:
    monster = {"id": "monster-01", "kind": "card", "role": "monster", "size_mm": [44, 68], "shape": "rect"}
    box = load_catalogue(pieces_box(tmp_path / "box", game="stone_dragon", more=[monster]))
    with pytest.raises(WaymarkError) as told:
        told_piece(box, box.card("monster-01"), Monster)
    assert told.value.code == Code.BROKEN_CATALOGUE and "monster-01" in told.value.en


def test_tiles_that_open_alike_are_told_apart_by_a_person(tmp_path: Path) -> None:
    folder = pieces_box(tmp_path / "box", game="ice_and_idols")
    answer_piece(folder, "tile-01", "right")
    assert entry(folder, "tile-01")["asked"] == "sort"
    answer_piece(folder, "tile-01", "double_corner@90")
    tile = entry(folder, "tile-01")
    assert set(corridors_of(tile)) == {RIGHT | BOTTOM, LEFT | TOP}
    assert (tile["role"], tile["traced"], tile.get("asked")) == ("double_corner", "yes", None)


def test_a_panel_opens_as_it_is_told_and_the_entrance_has_its_arrow(tmp_path: Path) -> None:
    folder = pieces_box(tmp_path / "box", game="stone_dragon")
    answer_piece(folder, "tile-01", "room+left+top")
    room = read_catalogue(folder).card("tile-01")
    assert (room.role, open_sides(room), room.traced) == ("room", LEFT | TOP, "yes")
    answer_piece(folder, "tile-02", "entrance+right+bottom")
    asked = asked_of("stone_dragon")
    assert open_question(entry(folder, "tile-02"), sort_of(entry(folder, "tile-02"), asked)) == "facts"
    answer_piece(folder, "tile-02", "arrow:left")
    assert read_catalogue(folder).card("tile-02").more["arrow"] == "left"


@pytest.mark.parametrize(
    "corridors", [(TOP | RIGHT, BOTTOM | LEFT), (TOP | BOTTOM, LEFT | RIGHT), (15,), (1,)]
)
def test_corridors_are_read_back_as_they_were_written(corridors: tuple[int, ...]) -> None:
    nodes, edges = opening_nodes(corridors, 50.0)
    assert sorted(corridors_of({"nodes": nodes, "edges": edges})) == sorted(corridors)


def test_a_number_that_another_piece_has_makes_that_one_asked_about(tmp_path: Path) -> None:
    chip = {"kind": "chip", "role": "treasure", "shape": "disc", "size_mm": [22.0, 22.0], "value": 1}
    folder = pieces_box(tmp_path / "box", more=[chip | {"id": "chip-1", "traced": "yes"}])
    art = {each["id"]: each["art"] for each in entries_of(folder)}
    answer_piece(folder, "chip-8", "chip-1")
    now = {each["id"]: each for each in entries_of(folder)}
    assert now["chip-1"]["art"] == art["chip-8"] and now["chip-1"]["traced"] == "yes"
    assert now["chip-8"]["art"] == art["chip-1"] and now["chip-8"]["asked"] == "name"


def entries_of(folder: Path) -> list[dict[str, Any]]:
    cards: list[dict[str, Any]] = msgspec.json.decode((folder / FILE_NAME).read_bytes())["cards"]
    return cards


def test_a_box_has_one_entrance(tmp_path: Path) -> None:
    box = pieces_box(tmp_path / "box", game="stone_dragon")
    answer_piece(box, "tile-01", "entrance+top")
    with pytest.raises(WaymarkError) as told:
        answer_piece(box, "tile-02", "entrance+top")
    assert told.value.code == Code.NOT_VALID and "1 entrance" in told.value.en
    answer_piece(box, "tile-01", "room+top")
    answer_piece(box, "tile-02", "entrance+top")
    panels = next(each for each in asked_of("stone_dragon") if each.word == "panel")
    held = {sort.role: count for sort, count in sorts_held(read_catalogue(box), panels)}
    assert held == {"room": 1, "corridor": 0, "entrance": 1}
