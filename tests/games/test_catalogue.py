"""Catalogues: what is read, and which sentence a broken one gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import load_catalogue, parse_catalogue, read_catalogue, structure_faults, to_json
from scorer.errors import WaymarkError


def a_card(**changes: Any) -> dict[str, Any]:
    card: dict[str, Any] = {
        "id": "D29",
        "kind": "dungeon",
        "cost": 4,
        "colour": None,
        "copies": 1,
        "art": "art/D29.png",
        "nodes": [
            {"id": "w1", "kind": "opening", "side": "left", "level": "main", "at": [0, 22]},
            {"id": "f1", "kind": "find", "find": "coin", "value": 3, "level": "main", "at": [30, 22]},
            {"id": "d1", "kind": "door", "room": "A", "level": "main", "at": [31, 40]},
            {"id": "u1", "kind": "junction", "level": "underground", "at": [27, 60]},
        ],
        "edges": [
            {"kind": "corridor", "level": "main", "from": "w1", "to": "f1", "via": [[8, 21]]},
            {"kind": "corridor", "level": "main", "from": "f1", "to": "d1"},
            {"kind": "fall", "from": "A1", "to": "u1"},
        ],
        "rooms": [
            {
                "id": "A",
                "level": "main",
                "outline": [[20, 40], [44, 40], [44, 60], [20, 60]],
                "finds": [{"id": "A1", "find": "pitfall", "at": [27, 50]}],
            }
        ],
    }
    return card | changes


def a_catalogue(*cards: dict[str, Any], **changes: Any) -> bytes:
    catalogue = {
        "format": "waymark-catalogue/1",
        "name": "test",
        "game": "mapmasters",
        "card_size_mm": [63, 88],
        "cards": list(cards),
    }
    return json.dumps(catalogue | changes).encode()


def test_reads_a_card_with_its_defaults() -> None:
    catalogue = parse_catalogue(a_catalogue(a_card()))
    card = catalogue.card("D29")
    assert catalogue.corner_radius_mm == 3
    assert [node.value for node in card.nodes] == [1, 3, 1, 1]
    assert card.edges[0].via == ((8, 21),)
    assert not list(structure_faults(catalogue))


def test_unknown_fields_are_welcome() -> None:
    parse_catalogue(a_catalogue(a_card(painter="Mio"), edition=2))


def test_a_card_that_has_only_art_is_legal(tmp_path: Path) -> None:
    (tmp_path / "catalogue.json").write_bytes(a_catalogue(a_card(nodes=[], edges=[], rooms=[])))
    assert load_catalogue(tmp_path).card("D29").nodes == ()


def test_printing_and_parsing_is_the_identity() -> None:
    catalogue = parse_catalogue(a_catalogue(a_card()))
    assert parse_catalogue(to_json(catalogue)) == catalogue


def test_every_card_tells_its_lists_and_every_place_its_level() -> None:
    bare = {
        "id": "S1",
        "kind": "starter",
        "art": "a.png",
        "nodes": [{"id": "x", "kind": "end", "at": [1, 1]}],
    }
    old = parse_catalogue(a_catalogue({**bare, "edges": [{"kind": "corridor", "from": "x", "to": "x"}]}))
    (card,) = json.loads(to_json(old))["cards"]
    assert card["rooms"] == [] and card["nodes"][0]["level"] == card["edges"][0]["level"] == "main"
    (empty,) = json.loads(to_json(parse_catalogue(a_catalogue({**bare, "nodes": []}))))["cards"]
    assert (empty["nodes"], empty["edges"], empty["rooms"]) == ([], [], [])


def test_the_exported_deck_tells_levels_and_rooms() -> None:
    deck = json.loads((bundled_catalogue() / "catalogue.json").read_bytes())
    places = [place for card in deck["cards"] for place in (*card["nodes"], *card["rooms"])]
    corridors = [edge for card in deck["cards"] for edge in card["edges"] if edge["kind"] == "corridor"]
    assert {place["level"] for place in places + corridors} == {"main", "underground"}
    assert any(card["rooms"] == [] for card in deck["cards"])


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        pytest.param({"edges": [{"kind": "corridor", "from": "w1", "to": "zz"}]}, "zz", id="edge to nowhere"),
        pytest.param(
            {"edges": [{"kind": "corridor", "from": "A1", "to": "u1"}]}, "A1", id="corridor from a find"
        ),
        pytest.param({"rooms": []}, "d1", id="door without room"),
        pytest.param(
            {"nodes": [{"id": "w1", "kind": "opening", "at": [0, 1]}]}, "w1", id="opening without side"
        ),
        pytest.param(
            {"nodes": [{"id": "A1", "kind": "end", "at": [0, 1]}], "edges": []}, "A1", id="id used twice"
        ),
    ],
)
def test_structure_faults_name_card_and_place(tmp_path: Path, changes: dict[str, Any], place: str) -> None:
    (tmp_path / "catalogue.json").write_bytes(a_catalogue(a_card(**changes)))
    assert ("D29", place) in [(card, at) for card, at, _ in structure_faults(read_catalogue(tmp_path))]
    with pytest.raises(WaymarkError, match="D29") as caught:
        load_catalogue(tmp_path)
    assert caught.value.code == "broken-catalogue"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff\xfe", id="not UTF-8"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b"[" * 100_000, id="nested beyond reason"),
        pytest.param(a_catalogue(format="waymark-catalogue/9"), id="another format"),
        pytest.param(a_catalogue(card_size_mm=[0, 88]), id="no width"),
        pytest.param(a_catalogue(a_card(kind="dragon")), id="unknown kind"),
    ],
)
def test_what_is_no_catalogue_gets_a_sentence(data: bytes) -> None:
    with pytest.raises(WaymarkError) as caught:
        parse_catalogue(data)
    assert caught.value.code == "not-a-catalogue"
    assert caught.value.exit_status == 3
    assert caught.value.message("ja") != caught.value.message("en")


def test_a_piece_may_have_no_art_and_a_card_that_is_walked_may_not() -> None:
    cube = {"id": "cube-green", "kind": "marker", "role": "cube", "colour": "green", "copies": 10}
    catalogue = parse_catalogue(a_catalogue(cube))
    assert catalogue.card("cube-green").art == "" and b'"art"' not in to_json(catalogue)
    with pytest.raises(WaymarkError, match="'D1' has no art"):
        parse_catalogue(a_catalogue({"id": "D1", "kind": "dungeon"}))


def test_a_missing_folder_and_an_unknown_card_get_sentences(tmp_path: Path) -> None:
    with pytest.raises(WaymarkError, match=r"catalogue\.json"):
        load_catalogue(tmp_path / "nowhere")
    with pytest.raises(WaymarkError, match="D30"):
        parse_catalogue(a_catalogue(a_card())).card("D30")
