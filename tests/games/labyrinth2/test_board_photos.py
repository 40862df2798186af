"""Photos of boards: what is told beside them is what lies there, and the turns between two of them are what
the referee makes of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageOps
from printed_faces import print_offset

from samples import blank_cards
from samples.blank_pieces import pieces_shots
from samples.board_truth import BoardSample, board_truth_of
from samples.boards import random_lay, tile_at_end
from samples.compositor import photograph
from samples.deck import card_face
from samples.labyrinth2.states import FAULTS, random_state, random_turn, record_of
from samples.labyrinth2.tables import open_tiles
from samples.layouts import NoScene
from samples.projection import card_corners_mm, card_to_table
from samples.scene_schema import Figure, SceneCard
from samples.scenes import make_board_sample
from samples.second_tiles import draw, second_tiles
from samples.splits import BOARDS, FIRST_SEED, LAMPS
from scorer.labyrinth2.rules.board_ruling import rule_board
from scorer.labyrinth2.rules.pieces import pieces_of
from scorer.labyrinth2.rules.table import table_of
from scorer.labyrinth2.rules.turn_record import turn_told
from scorer.labyrinth2.rules.turn_ruling import rule_turn
from scorer.labyrinth2.rules.validation import board_told

SHIPPED = sorted((Path(__file__).parents[3] / "samples" / "labyrinth2_photos").glob("*.jpg"))
CATALOGUE = open_tiles()
PIECES = pieces_of(CATALOGUE)
Truth = dict[str, Any]


@pytest.fixture(scope="module")
def some() -> list[BoardSample]:
    """A table, and one before and after a turn."""
    return [make_board_sample("tuning-labyrinth2", index) for index in (1, 2, 3)]


@pytest.fixture(scope="module")
def truths(some: list[BoardSample]) -> list[Truth]:
    return [board_truth_of(sample, renderer="compositor") for sample in some]


# --- positions and turns ------------------------------------------------------------------------------------


def test_a_position_is_one_that_play_comes_to() -> None:
    for seed in range(40):
        state = random_state(CATALOGUE, np.random.default_rng(seed))
        assert rule_board(table_of(record_of(state, CATALOGUE), PIECES)).problems == []


def test_the_second_set_of_tiles_makes_positions_too() -> None:
    catalogue = second_tiles()
    pieces = pieces_of(catalogue)
    for seed in range(10):
        state = random_state(catalogue, np.random.default_rng(seed))
        assert rule_board(table_of(record_of(state, catalogue), pieces)).problems == []


@pytest.mark.parametrize("fault", ["", *FAULTS])
def test_a_turn_breaks_the_rule_it_was_played_against_and_no_other_does(fault: str) -> None:
    made = 0
    for seed in range(8):
        rng = np.random.default_rng([seed, 5])
        try:
            turn = random_turn(random_state(CATALOGUE, rng), CATALOGUE, rng, fault)
        except NoScene:  # this position offers no such turn
            continue
        made += 1
        assert turn.ruling.legal == (not fault)
        assert fault in {each.rule for each in turn.ruling.violations} or not fault
    assert made >= 2


# --- what lies there ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_photo_is_a_function_of_split_and_index(some: list[BoardSample]) -> None:
    again = make_board_sample("tuning-labyrinth2", 1)
    assert (again.scene, again.board, again.seen) == (some[0].scene, some[0].board, some[0].seen)


def test_splits_of_boards_share_neither_seeds_nor_lamps() -> None:
    lamps = [kelvin for split in BOARDS for kelvin in LAMPS[split]]
    assert len(set(lamps)) == len(lamps)
    assert len({FIRST_SEED[split] for split in FIRST_SEED}) == len(FIRST_SEED)


@pytest.mark.long
def test_all_tiles_lie_once_and_nearly_in_their_cells(some: list[BoardSample]) -> None:
    for sample in some:
        tiles = [seen for seen in sample.seen if CATALOGUE.card(seen.card).kind == "tile"]
        loose = {card.id: card.copies for card in CATALOGUE.cards if card.kind == "tile"}
        assert Counter(seen.card for seen in tiles) == loose
        for seen in tiles[:-1]:
            assert isinstance(seen.thing, SceneCard)
            assert seen.cell is not None and seen.rotation is not None
            middle = sample.lay.on_table(sample.lay.cell_middle(seen.cell))[0]
            assert np.abs(np.subtract(seen.thing.pose.centre_mm, middle)).max() < 1.6
            turn = seen.thing.pose.angle_deg - sample.lay.angle_deg - seen.rotation
            assert abs(turn) < 2.0


@pytest.mark.long
def test_a_figure_stands_in_its_cell_and_the_dragon_looks_where_it_is_told(some: list[BoardSample]) -> None:
    step = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
    for sample in some:
        lay = sample.lay
        board = board_told(sample.board, PIECES)
        facing = {piece.piece: piece.facing for piece in board.pieces or () if piece.facing}
        for seen in sample.seen:
            if not isinstance(seen.thing, Figure):
                continue
            assert seen.cell is not None
            low, right, _, below = lay.on_table(lay.cell_corners(seen.cell))
            along, across = right - low, below - low
            inside = np.linalg.solve(np.column_stack([along, across]), np.subtract(seen.thing.foot_mm, low))
            assert ((inside > 0) & (inside < 1)).all(), seen.card
            if seen.card in facing:
                angle = np.radians(seen.thing.angle_deg - lay.angle_deg)
                looks = -np.array([np.cos(angle), np.sin(angle)])  # to the left of its art
                assert looks @ np.array(step[str(facing[seen.card])]) > 0.95


@pytest.mark.parametrize("side", ["top", "right", "bottom", "left"])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_tile_pushed_out_leans_on_the_edge_of_the_board(side: Any, rotation: int) -> None:
    lay = random_lay(5, 7, 7, 50.0, (390.0, 390.0))
    tile = tile_at_end(lay, "I01", side, 3, rotation, out=False)
    corners = card_to_table(tile, card_corners_mm(tile))
    from_middle = np.linalg.norm(corners[:, :2], axis=1)
    inner, outer = corners[np.argsort(from_middle)].reshape(2, 2, 3)
    under = corners[:, 2] - lay.tile_thickness_mm
    assert under.min() == pytest.approx(0.0, abs=0.05)
    assert inner[:, 2].min() > outer[:, 2].max() + 0.8 * lay.board_thickness_mm


# --- what is told -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_record_is_taken_by_the_referee_and_has_no_problem(truths: list[Truth]) -> None:
    for truth in truths:
        for told in (truth["board"], truth["sample"]["whole_board"]):
            assert rule_board(table_of(board_told(told, PIECES), PIECES)).problems == []


@pytest.mark.long
def test_things_are_told_in_the_order_of_the_record(truths: list[Truth]) -> None:
    for truth in truths:
        board = truth["board"]
        names = [each["tile"] for each in (*board["tiles"], *board["spare"])]
        names += [each["piece"] for each in board["pieces"]]
        for player in board["players"]:
            names += [name for name, count in player.get("holds", {}).items() for _ in range(count)]
            names += player.get("hand", [])
        assert [entry["card"] for entry in truth["cards"]] == names
        assert all(("corners" in entry) != ("at_px" in entry) for entry in truth["cards"])


@pytest.mark.long
def test_who_is_not_wholly_in_view_holds_nothing_that_is_told(truths: list[Truth]) -> None:
    for truth in truths:
        size = np.array([truth["photo"]["width"], truth["photo"]["height"]])
        told = {player["name"] for player in truth["board"]["players"] if "holds" in player}
        assert told == set(truth["sample"]["holdings_in_view"])
        for entry in truth["cards"]:
            at = np.array(entry.get("corners") or [entry["at_px"]])
            assert ((at >= 0) & (at < size)).all(), entry["card"]


@pytest.mark.long
def test_two_photos_of_a_turn_show_one_table(some: list[BoardSample], truths: list[Truth]) -> None:
    (_, before, after), (_, told_before, told_after) = some, truths
    assert before.scene.table == after.scene.table
    assert before.scene.camera != after.scene.camera
    assert told_before["sample"]["turn"] == told_after["sample"]["turn"]
    turn = told_after["sample"]["turn"]
    ruling = rule_turn(turn_told(turn["record"], PIECES), PIECES)
    assert ruling.legal == turn["legal"]
    assert [each.rule for each in ruling.violations] == turn["rules"]
    tiles = [seen for seen in before.seen if seen.rotation is not None]
    still = [seen for seen in after.seen if seen.rotation is not None and seen in tiles]
    assert 33 > len(still) > 20  # all but the line that was pushed


@pytest.mark.long
def test_a_printed_tile_lies_where_its_truth_says(some: list[BoardSample]) -> None:
    sample = some[0]
    photo = photograph(sample.scene, sample.images.__getitem__)
    off = []
    for seen in sample.seen:
        if isinstance(seen.thing, SceneCard) and seen.cell and CATALOGUE.card(seen.card).kind == "tile":
            off.append(print_offset(sample, photo, seen.thing))
        if len(off) == 7:
            break
    assert np.median([mm for mm, _ in off]) < 0.12
    assert np.median([agreement for _, agreement in off]) > 0.4


# --- the photos that ship -----------------------------------------------------------------------------------


def upright(path: Path) -> NDArray[np.uint8]:
    with Image.open(path) as stored:
        return np.asarray(ImageOps.exif_transpose(stored).convert("RGB"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_photo_shows_the_tiles_of_its_record(path: Path) -> None:
    truth = json.loads(path.with_name(path.stem + ".truth.json").read_text())
    assert path.stat().st_size < 500_000
    assert rule_board(table_of(board_told(truth["board"], PIECES), PIECES)).problems == []
    photo = upright(path)
    assert photo.shape[:2] == (truth["photo"]["height"], truth["photo"]["width"])
    names = [card.id for card in CATALOGUE.cards if card.kind == "tile"]
    faces = np.array([_small(card_face(CATALOGUE, CATALOGUE.card(name))) for name in names])
    side = 64
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - np.float32(0.5)
    right = seen = 0
    for entry in truth["cards"]:
        if entry["card"] not in names or entry.get("hidden", 0) > 0.2:
            continue
        matrix = cv2.getPerspectiveTransform(np.array(entry["corners"], np.float32), square)
        likeness = faces @ _small(cv2.warpPerspective(photo, matrix, (side, side)))
        right += names[int(likeness.argmax())] == entry["card"]
        seen += 1
    assert seen > 25
    # (at so small a size a few tiles of a colour are alike)
    assert right >= 0.9 * seen


def _small(face: NDArray[np.uint8]) -> NDArray[np.float64]:
    """A face as a unit vector: its colours, less their mean and blur."""
    small = cv2.resize(face, (32, 32), interpolation=cv2.INTER_AREA).astype(float)
    small -= small.mean(axis=(0, 1))
    return np.asarray((small / np.linalg.norm(small)).ravel())


@pytest.mark.long
def test_six_photos_show_every_piece_of_a_box_once() -> None:
    shots = list(pieces_shots(CATALOGUE, "tuning-labyrinth2", 1))
    shown = [card.card for shot in shots for card in shot.scene.cards]
    wanted = [card.id for card in CATALOGUE.cards if card.kind not in ("fixed", "die")]
    assert len(shots) == 6
    assert sorted(shown) == sorted(wanted)
    for shot in shots:
        told = blank_cards.truth(shot)
        corners = np.array([card["corners"] for card in told["cards"]])
        assert ((corners >= 0) & (corners < (told["width"], told["height"]))).all()


def test_the_second_sets_art_is_its_own() -> None:
    catalogue = second_tiles()
    chip = catalogue.card("loot-9")
    picture = draw(chip)
    assert picture.shape == (200, 200, 3)
    assert np.array_equal(picture, draw(chip))
    assert not {card.id for card in catalogue.cards} & {card.id for card in CATALOGUE.cards}
    assert sum(card.copies for card in catalogue.cards if card.kind == "tile") == 34
