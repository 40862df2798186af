"""Dungeons proposed from faces: put together from parts that are seen, sound, measured, kept apart from what
people trace."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.card_geometry import contract_problems
from calibration.open_deck import bundled_catalogue
from calibration.proposal.assembly import Assembly, SeenFind, spots
from calibration.proposal.comparison import Comparison, compare
from calibration.proposal.drawing import FIND, drawing_of, drawn_parts
from calibration.proposal.folder import machine_proposal, propose_folder
from calibration.proposal.icons import named_prints, naming, printed_at
from calibration.proposal.knowledge import Knowledge, learn
from calibration.proposal.parts import gathered, size_px_of, spread
from calibration.proposal.proposing import propose
from scorer.catalogue import Card, Catalogue, read_catalogue
from waymark.cli.main import cli

DECK = read_catalogue(bundled_catalogue())
SIZE = DECK.card_size_mm


def put_together(card: Card) -> Card:
    """The dungeon from its own parts, as a network that errs in nothing would see them."""
    size_px = size_px_of(SIZE)
    drawn = drawn_parts(drawing_of(card, SIZE, size_px), size_px)
    parts = np.asarray(drawn / 255, np.float32)
    true = [(node.at, node.find, node.value) for node in card.nodes if node.find]
    true += [(find.at, find.find, find.value) for room in card.rooms for find in room.finds]
    finds = []
    for spot in spots(parts, FIND, np.array(size_px) / np.array(SIZE)):
        _, find, value = min(true, key=lambda each: float(np.hypot(*(np.array(each[0]) - spot.at))))
        finds.append(SeenFind(spot, find, value, 1.0, may_be_pit=find == "pitfall"))
    return Assembly(parts, SIZE, finds).card(card.id, card.kind, card.art)


@pytest.mark.parametrize("card_id", ["D29", "S2-red", "B02"])
def test_a_dungeon_is_put_together_from_what_is_seen_of_it(card_id: str) -> None:
    declared = DECK.card(card_id)
    made = put_together(declared)
    assert not contract_problems(made, SIZE)
    told = compare(made, declared)
    assert told.exact.found == 1 and told.ways.recall == pytest.approx(1, abs=0.05)
    assert made.tracing == "proposed"
    told_of = [node.confidence for node in made.nodes] + [edge.confidence for edge in made.edges]
    assert None not in told_of + [room.confidence for room in made.rooms]


def test_the_truth_compared_with_itself_is_whole() -> None:
    total = Comparison()
    for card in DECK.cards[:40]:
        total += compare(card, card)
    assert total.exact.found == 40 and total.ways.found == total.ways.true
    for count in (*total.parts.values(), *total.finds.values()):
        assert count.true == count.found == count.proposed


def test_what_is_wrong_is_counted() -> None:
    card = DECK.card("D29")
    corridor = next(edge for edge in card.edges if edge.kind == "corridor")
    less = msgspec.structs.replace(card, edges=tuple(edge for edge in card.edges if edge is not corridor))
    told = compare(less, card)
    assert told.exact.found == 0 and told.ways.found < told.ways.true
    assert told.parts["corridors"].found < told.parts["corridors"].true
    find = next(node for node in card.nodes if node.find)
    other = msgspec.structs.replace(find, find="key" if find.find != "key" else "rope")
    renamed = msgspec.structs.replace(
        card, nodes=tuple(other if node is find else node for node in card.nodes)
    )
    told = compare(renamed, card)
    assert told.parts["finds"].found == told.parts["finds"].true - 1
    assert told.parts["places of finds"].found == told.parts["places of finds"].true
    moved = msgspec.structs.replace(find, at=(find.at[0] + 2.5, find.at[1]))
    off = msgspec.structs.replace(card, nodes=tuple(moved if node is find else node for node in card.nodes))
    assert compare(off, card).parts["places of finds"].found == told.parts["places of finds"].true - 1


def test_four_neighbours_of_each_part_are_the_part() -> None:
    parts = np.random.default_rng(1).random((8, 32, 48)).astype(np.float32)
    assert (spread(gathered(parts)) == parts).all()


def test_a_named_icon_names_its_repeats_however_they_are_turned() -> None:
    card = DECK.card("D29")
    face = np.asarray(cv2.imread(str(DECK.art_path(card))), np.uint8)
    known = named_prints(card, face, SIZE)
    turned = np.ascontiguousarray(face[::-1, ::-1])
    for each, (at, _) in zip(known, [(n.at, n) for n in card.nodes if n.find], strict=False):
        told = naming(printed_at(turned, SIZE, (SIZE[0] - at[0] + 0.5, SIZE[1] - at[1])), known)
        assert told is not None and (told.find, told.value) == (each.find, each.value)
        assert told.confidence > 0.5


def test_a_face_without_a_dungeon_gets_none() -> None:
    blank = np.full((704, 504, 3), 128, np.uint8)
    made = propose(blank, SIZE, Knowledge())
    assert not made.nodes and not made.edges and not made.rooms and made.tracing == "no"


def box_of(folder: Path, *ids: str, traced: tuple[str, ...] = ()) -> Catalogue:
    """A folder with some of the deck's faces; only those `traced` have their dungeon."""
    told = json.loads((bundled_catalogue() / "catalogue.json").read_bytes())
    told["cards"] = [card for card in told["cards"] if card["id"] in ids]
    (folder / "art").mkdir(parents=True)
    for card in told["cards"]:
        shutil.copy(bundled_catalogue() / card["art"], folder / card["art"])
        if card["id"] not in traced:
            card.update(nodes=[], edges=[], rooms=[], traced="no")
    (folder / "catalogue.json").write_text(json.dumps(told), "utf-8")
    return read_catalogue(folder)


@pytest.mark.long
def test_what_is_traced_teaches_and_what_is_proposed_is_pencil(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", "D03", traced=("D01",))
    before = read_catalogue(tmp_path).card("D01")
    made = propose_folder(tmp_path)
    assert [each.card for each in made.cards] == ["D02", "D03"] and made.left == ("D01",)
    assert made.learned_from == 1
    after = read_catalogue(tmp_path)
    assert after.card("D01") == before
    for card in after.cards[1:]:
        assert card.traced == "proposed" and card.nodes
        assert not contract_problems(card, SIZE)
        kept = machine_proposal(tmp_path, card.id)
        assert kept is not None and len(kept["nodes"]) == len(card.nodes)


@pytest.mark.long
def test_a_proposal_that_a_person_has_altered_stays(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", "D04")
    propose_folder(tmp_path)
    file = tmp_path / "catalogue.json"
    told = json.loads(file.read_bytes())
    told["cards"][0]["nodes"][0]["at"][1] += 0.5
    told["cards"][1]["traced"] = "yes"
    file.write_text(json.dumps(told), "utf-8")
    made = propose_folder(tmp_path)
    assert [each.card for each in made.cards] == ["D04"] and set(made.left) == {"D01", "D02"}
    again = json.loads(file.read_bytes())
    assert again["cards"][0] == told["cards"][0] and again["cards"][1] == told["cards"][1]
    # the machine's own stays as it was
    kept = machine_proposal(tmp_path, "D01")
    assert kept is not None and kept["nodes"][0]["at"] != told["cards"][0]["nodes"][0]["at"]


@pytest.mark.long
def test_the_benchmark_measures_what_is_never_traced(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", "D03", "D04", traced=("D01", "D02", "D03", "D04"))
    told = CliRunner().invoke(
        cli,
        [
            "bench-proposals",
            "--catalogue",
            str(tmp_path),
            "--traced",
            "0",
            "--traced",
            "2",
            "--worn",
            "--json",
            "-",
        ],
    )
    assert told.exit_code == 0, told.output
    report = json.loads(told.stdout)
    assert [each["traced"] for each in report["figures"]] == [0, 2]
    for each in report["figures"]:
        assert each["cards"] == 2 and each["unsound"] == 0
        assert each["parts"]["openings"]["recall"] > 60


def test_what_is_learned_of_nothing_is_nothing(tmp_path: Path) -> None:
    assert learn(box_of(tmp_path, "D01")) == Knowledge()


@pytest.mark.long
def test_a_folder_is_proposed_for_from_the_command_line(tmp_path: Path) -> None:
    box_of(tmp_path, "D01", "D02", traced=("D01",))
    told = CliRunner().invoke(cli, ["enrol", str(tmp_path), "--propose", "--json", "-"])
    assert told.exit_code == 0, told.output
    answer = json.loads(told.stdout)
    assert (answer["format"], answer["cards"], answer["left"]) == ("waymark-enrol/1", 2, ["D01"])
    assert [each["card"] for each in answer["proposed"]] == ["D02"]


def test_photos_and_proposals_are_two_calls(tmp_path: Path) -> None:
    for words in ([], ["a.jpg", "--propose"]):
        told = CliRunner().invoke(cli, ["enrol", str(tmp_path), *words])
        assert told.exit_code == 2 and "Traceback" not in told.output
