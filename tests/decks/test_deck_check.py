"""`waymark deck check` names every fault of a catalogue with its card and place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from calibration.decks.check import Finding, art_distances, check_deck
from scorer.errors import WaymarkError

ART_SIZE = (504, 704)


def sound_card(card_id: str) -> dict[str, Any]:
    """A card with everything on it, and nothing wrong with it."""
    return {
        "id": card_id,
        "kind": "dungeon",
        "art": f"art/{card_id}.png",
        "nodes": [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
            {"id": "w2", "kind": "opening", "side": "left", "at": [0, 66]},
            {"id": "d1", "kind": "door", "room": "A", "at": [31, 40]},
            {"id": "j1", "kind": "junction", "at": [31, 22]},
            {"id": "p1", "kind": "find", "find": "pitfall", "at": [45, 22]},
            {"id": "u1", "kind": "junction", "level": "underground", "at": [45, 22]},
            {"id": "t1", "kind": "stairs", "at": [12, 66]},
            {"id": "t2", "kind": "stairs", "level": "underground", "at": [20, 66]},
        ],
        "edges": [
            {"kind": "corridor", "level": "main", "from": "w1", "to": "j1"},
            {"kind": "corridor", "level": "main", "from": "j1", "to": "p1"},
            {"kind": "corridor", "level": "main", "from": "p1", "to": "e1"},
            {"kind": "corridor", "level": "main", "from": "j1", "to": "d1"},
            {"kind": "corridor", "level": "main", "from": "w2", "to": "t1"},
            {"kind": "stairs", "from": "t1", "to": "t2"},
            {"kind": "fall", "from": "p1", "to": "u1"},
            {
                "kind": "corridor",
                "level": "underground",
                "from": "t2",
                "to": "u1",
                "via": [[20, 75], [58, 75]],
            },
        ],
        "rooms": [
            {
                "id": "A",
                "level": "main",
                "outline": [[22, 40], [50, 40], [50, 60], [22, 60]],
                "finds": [{"id": "A1", "find": "barrel", "at": [30, 50]}],
            }
        ],
    }


def paint(file: Path, seed: int, size: tuple[int, int] = ART_SIZE, format: str = "PNG") -> None:
    blocks = np.random.default_rng(seed).integers(0, 256, (11, 8, 3), np.uint8)
    file.parent.mkdir(exist_ok=True)
    Image.fromarray(blocks).resize(size, Image.Resampling.NEAREST).save(file, format)


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """Two sound cards, C1 and C2, in a folder."""
    write(tmp_path, [sound_card("C1"), sound_card("C2")])
    paint(tmp_path / "art/C1.png", 1)
    paint(tmp_path / "art/C2.png", 2)
    return tmp_path


def write(folder: Path, cards: list[Any]) -> None:
    catalogue = {
        "format": "waymark-catalogue/1",
        "name": "trial",
        "game": "mapmasters",
        "card_size_mm": [63, 88],
        "cards": cards,
    }
    (folder / "catalogue.json").write_text(json.dumps(catalogue))


def faults(folder: Path) -> set[tuple[str, str, str]]:
    return {(finding.card, finding.place, finding.code) for finding in check_deck(folder).findings}


def test_a_sound_deck_has_no_findings(deck: Path) -> None:
    report = check_deck(deck)
    assert report.findings == ()
    assert (report.name, report.card_count) == ("trial", 2)


def node(card: dict[str, Any], place: str) -> dict[str, Any]:
    return next(node for node in card["nodes"] if node["id"] == place)


def put_off_the_card(card: dict[str, Any]) -> None:
    node(card, "j1")["at"] = [80, 22]


def name_an_unknown_place(card: dict[str, Any]) -> None:
    card["edges"].append({"kind": "corridor", "level": "main", "from": "j1", "to": "zz"})


def move_the_door_off_the_wall(card: dict[str, Any]) -> None:
    node(card, "d1")["at"] = [31, 36]


def forget_the_landing(card: dict[str, Any]) -> None:
    card["edges"] = [edge for edge in card["edges"] if edge["kind"] != "fall"]


def cut_off_the_room(card: dict[str, Any]) -> None:
    card["edges"] = [edge for edge in card["edges"] if edge["to"] != "d1"]


def cross_two_corridors(card: dict[str, Any]) -> None:
    card["nodes"].append({"id": "n1", "kind": "opening", "side": "top", "at": [15, 0]})
    card["edges"].append({"kind": "corridor", "level": "main", "from": "n1", "to": "t1"})


def use_an_id_twice(card: dict[str, Any]) -> None:
    card["rooms"][0]["finds"][0]["id"] = "j1"


def put_a_find_outside_its_room(card: dict[str, Any]) -> None:
    card["rooms"][0]["finds"][0]["at"] = [10, 80]


@pytest.mark.parametrize(
    ("break_it", "place", "code"),
    [
        (put_off_the_card, "j1", "off-card"),
        (name_an_unknown_place, "zz", "unknown-id"),
        (move_the_door_off_the_wall, "d1", "door-off-outline"),
        (forget_the_landing, "p1", "landing-missing"),
        (cut_off_the_room, "A1", "find-out-of-reach"),
        (cross_two_corridors, "w1-j1 n1-t1", "same-level-crossing"),
        (use_an_id_twice, "j1", "duplicate-id"),
        (put_a_find_outside_its_room, "A1", "find-off-room"),
    ],
)
def test_a_fault_is_named_with_card_and_place(deck: Path, break_it: Any, place: str, code: str) -> None:
    broken = sound_card("C2")
    break_it(broken)
    write(deck, [sound_card("C1"), broken])
    found = faults(deck)
    assert ("C2", place, code) in found
    assert {card for card, _, _ in found} == {"C2"}


def test_corridors_of_two_levels_may_cross(deck: Path) -> None:
    card = sound_card("C2")
    card["nodes"].append(
        {"id": "n1", "kind": "opening", "side": "top", "level": "underground", "at": [15, 0]}
    )
    card["edges"].append({"kind": "corridor", "level": "underground", "from": "n1", "to": "t2"})
    write(deck, [sound_card("C1"), card])
    assert faults(deck) == set()


def test_a_card_that_cannot_be_read_hides_no_fault_of_another(deck: Path) -> None:
    strange = sound_card("C1")
    strange["nodes"][0]["kind"] = "trapdoor"
    broken = sound_card("C2")
    put_off_the_card(broken)
    write(deck, [strange, broken, "not a card"])
    found = faults(deck)
    assert ("C1", "catalogue.json", "bad-form") in found
    assert ("#3", "catalogue.json", "bad-form") in found
    assert ("C2", "j1", "off-card") in found


def test_two_cards_of_one_id_are_named(deck: Path) -> None:
    write(deck, [sound_card("C1"), sound_card("C1")])
    assert ("C1", "C1", "duplicate-id") in faults(deck)


def test_cards_without_topology_are_sound(deck: Path) -> None:
    bare = [sound_card(card_id) | {"nodes": [], "edges": [], "rooms": []} for card_id in ("C1", "C2")]
    write(deck, bare)
    assert faults(deck) == set()


def test_missing_art(deck: Path) -> None:
    (deck / "art/C1.png").unlink()
    assert faults(deck) == {("C1", "art/C1.png", "art-missing")}


@pytest.mark.parametrize(
    ("size", "code"),
    [((504, 600), "art-wrong-shape"), ((704, 504), "art-wrong-shape"), ((252, 352), "art-too-small")],
)
def test_art_of_the_wrong_shape_or_too_small(deck: Path, size: tuple[int, int], code: str) -> None:
    paint(deck / "art/C1.png", 1, size)
    assert faults(deck) == {("C1", "art/C1.png", code)}


def test_art_that_is_no_png(deck: Path) -> None:
    paint(deck / "art/C1.png", 1, format="JPEG")
    (deck / "art/C2.png").write_bytes((deck / "art/C2.png").read_bytes()[:200])
    assert faults(deck) == {("C1", "art/C1.png", "art-unreadable"), ("C2", "art/C2.png", "art-unreadable")}


def test_the_same_art_twice_is_a_fault_either_way_up(deck: Path) -> None:
    Image.open(deck / "art/C1.png").rotate(180).save(deck / "art/C2.png")
    report = check_deck(deck)
    assert [(f.card, f.place, f.code) for f in report.findings] == [("C1", "C2", "art-too-alike")]
    assert report.nearest is not None
    assert report.nearest.distance < 0.1


@pytest.mark.parametrize("other_dungeon", [True, False])
def test_a_copied_face_that_is_paler_is_a_fault_where_its_dungeon_is_another(
    deck: Path, other_dungeon: bool
) -> None:
    paler = np.asarray(Image.open(deck / "art/C1.png")) * 0.93 + 18
    Image.fromarray(paler.clip(0, 255).astype(np.uint8)).rotate(180).save(deck / "art/C2.png")
    if other_dungeon:
        told = json.loads((deck / "catalogue.json").read_text())
        told["cards"][1]["rooms"][0]["finds"][0]["find"] = "sword"
        (deck / "catalogue.json").write_text(json.dumps(told))
    found = [(f.card, f.place, f.code) for f in check_deck(deck).findings]
    assert found == ([("C1", "C2", "paler-copy")] if other_dungeon else [])


def test_the_distance_of_two_plain_faces_is_their_colour_difference() -> None:
    grey, lighter = (np.full((4, 3, 3), (level, 0, 0), np.float32) for level in (40, 55))
    (pair,) = art_distances({"a": grey, "b": lighter})
    assert pair.cards == ("a", "b")
    assert pair.distance == pytest.approx(15, abs=1e-3)


def test_nearest_layouts_skips_faces_of_one_layout(deck: Path) -> None:
    other = sound_card("C3")
    other["nodes"][4]["at"] = [31, 23]
    write(deck, [sound_card("C1"), sound_card("C2"), other])
    paint(deck / "art/C3.png", 3)
    report = check_deck(deck)
    assert report.nearest is not None and report.nearest_layouts is not None
    assert "C3" in report.nearest_layouts.cards
    assert report.nearest.distance <= report.nearest_layouts.distance


def test_every_finding_has_a_sentence_in_both_languages() -> None:
    finding = Finding("C1", "j1", "off-card", "(80, 22)")
    assert finding.sentence("en") == "the place lies off the card: (80, 22)"
    assert "カード" in finding.sentence("ja")


def test_no_catalogue_at_all(tmp_path: Path) -> None:
    with pytest.raises(WaymarkError) as caught:
        check_deck(tmp_path / "nowhere")
    assert caught.value.code == "no-catalogue"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "waymark-catalogue/1", "cards": 3}', "\x00\xff"]
)
def test_a_file_that_is_no_catalogue(tmp_path: Path, text: str) -> None:
    (tmp_path / "catalogue.json").write_text(text)
    with pytest.raises(WaymarkError) as caught:
        check_deck(tmp_path)
    assert caught.value.code == "not-a-catalogue"
