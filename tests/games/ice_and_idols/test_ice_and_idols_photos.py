"""Photos of Ice and Idols: what is told beside them is what lies there, and a photo tells it again."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from samples.board_truth import BoardSample
from samples.ice_and_idols.states import random_state, record_of
from samples.ice_and_idols.tables import open_temple
from samples.layouts import NoScene
from samples.scene_schema import Figure
from samples.scenes import make_board_sample
from scorer.board_record import Board, BoardPlayer, Piece, board_from
from scorer.catalogue import Catalogue, Side, load_catalogue
from scorer.errors import WaymarkError
from scorer.ice_and_idols.game import GAME
from scorer.ice_and_idols.photo.layers import layers_of, place_name
from scorer.ice_and_idols.photo.layout import corridors_by_nearness, laid_out
from scorer.ice_and_idols.rules.pieces import BORDERS, FIRST, MINUS, PLUS, pieces_of
from scorer.ice_and_idols.rules.validation import RESEARCH
from scorer.layered import Foot, LayersSeen, Lying, OnPlace
from scorer.square_grid import SIDES
from vision.boards.art import scaled_picture
from vision.boards.cards import _Compared
from vision.boards.clear_tiles import cell_bank, read_clear_tiles, weigh_clear
from vision.boards.layered_art import LayeredArt, layered_art
from vision.boards.layered_places import _block_colours
from vision.boards.pawns import _assigned
from vision.boards.plane import find_plane
from vision.boards.scan_layered import STRIP_LEAD
from vision.boards.tiles import lay_tile
from vision.boards.top_view import FromAbove
from vision.photo.decode import Photo, load_photo
from vision.photo.view import Reductions
from waymark.bench.boards import bench_boards
from waymark.review.boards.assess import score_board
from webapp.store.boards import decode_board, encode_board

SHIPPED = Path(__file__).parents[3] / "samples" / "ice_and_idols_photos"
CATALOGUE = open_temple()
PIECES = pieces_of(CATALOGUE)


@pytest.fixture(scope="module")
def tables() -> list[BoardSample]:
    """Some tables: what lies on them, not yet photographed."""
    found = []
    for index in (0, 1, 9):
        try:
            found.append(make_board_sample("tuning-ice-and-idols", index))
        except NoScene:
            continue
    return found


def test_a_position_is_one_that_play_comes_to() -> None:
    for seed in range(4):
        record = record_of(random_state(CATALOGUE, np.random.default_rng(seed)), CATALOGUE)
        ruling = GAME.rules.referee(GAME.rules.board(CATALOGUE, record), record, GAME.rules.settings.make({}))
        assert not ruling.problems, (seed, ruling.problems)


def test_only_what_is_wholly_in_view_is_told(tables: list[BoardSample]) -> None:
    for sample in tables:
        board = board_from(sample.board, anywhere=True)
        seen = set(sample.told["holdings_in_view"])
        assert {each.name for each in board.players if each.holds is not None} == seen - {RESEARCH}
        assert ("boards" in board.more) == (RESEARCH in seen)
        assert any(each.on == RESEARCH for each in board.pieces or ()) == (RESEARCH in seen)


def seen_of(sample: BoardSample) -> LayersSeen:
    """All that lies there as a perfect eye sees it."""
    whole = board_from(sample.told["whole_board"], anywhere=True)
    quarters = whole.more["ground"]["rotation"] // 90
    places = [
        OnPlace(RESEARCH, place_name(*each.cell), each.piece, 1.0)
        for each in whole.pieces or ()
        if each.on == RESEARCH and each.cell is not None
    ]
    lying, boards = [], {RESEARCH: "top"}
    for player in whole.players:
        own = f"player-{player.name}"
        boards[own] = SIDES[(SIDES.index(player.seat or "bottom") + quarters) % 4]
        holds = dict(player.holds or {})
        idols = [name for name in holds if name in PIECES.idols]
        places += [OnPlace(own, f"hand:{k}", name, 1.0) for k, name in enumerate(idols)]
        places += [OnPlace(own, "adrenaline", name, 1.0) for name in (PLUS, MINUS) if holds.get(name)]
        places += [OnPlace(own, f"altar:{kind}", PIECES.idol(kind), 1.0) for kind in player.more["powers"]]
        beside = [*(player.hand or ()), *(FIRST,) * holds.get(FIRST, 0)]
        lying += [Lying(name, own, 1.0) for name in beside if name is not None]
    return LayersSeen(
        ground=whole.more["ground"]["tiles"][0]["tile"],
        rotation=whole.more["ground"]["rotation"],
        rims={side: f"border-{name}" for side, name in whole.more["borders"].items()},
        boards=boards,  # type: ignore[arg-type]
        places=tuple(places),
        lying=tuple(lying),
        feet=tuple(feet_of(sample)),
    )


def feet_of(sample: BoardSample) -> list[Foot]:
    lay = sample.lay
    angle = np.radians(lay.angle_deg)
    back = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    found = []
    for seen in sample.seen:
        if isinstance(seen.thing, Figure) and seen.cell is not None:
            at = back @ np.asarray(seen.thing.foot_mm) + np.asarray(lay.size_mm) / 2 - lay.frame_mm
            x, y = at / lay.cell_mm - np.asarray(seen.cell)
            found.append(Foot(seen.card, seen.cell, (float(x), float(y))))
    return found


def test_what_is_seen_makes_the_record(tables: list[BoardSample]) -> None:
    for sample in tables:
        whole = board_from(sample.told["whole_board"], anywhere=True)
        temple = Board(
            game=GAME.id,
            tiles=whole.tiles,
            pieces=tuple(
                Piece(piece=each.piece, column=each.column, row=each.row)
                for each in whole.pieces or ()
                if each.on is None
            ),
            players=tuple(BoardPlayer(name=each.name, piece=each.piece) for each in whole.players),
        )
        told = laid_out(temple, seen_of(sample), PIECES, temple)
        ground, borders = told.board.more["ground"], told.board.more["borders"]
        assert (ground, borders) == (whole.more["ground"], whole.more["borders"])
        assert Counter(told.board.pieces or ()) == Counter(whole.pieces or ()), sample.seed
        assert {each.name: before(each) for each in told.board.players} == {
            each.name: before(each) for each in whole.players
        }
        assert {each.reason for each in told.doubts} <= {"place"}


def before(player: BoardPlayer) -> Any:
    return player.holds, sorted(player.more["powers"]), player.seat, player.hand


def test_what_is_not_seen_is_asked_and_not_told(tables: list[BoardSample]) -> None:
    whole = board_from(tables[0].told["whole_board"], anywhere=True)
    nothing = LayersSeen("map-gear", None, None, {}, (), (), ())
    told = laid_out(whole, nothing, PIECES, whole)
    assert told.board.more["ground"]["rotation"] is None
    assert all(each.holds is None for each in told.board.players)
    asked = {each.name for each in told.doubts}
    assert asked == {*(f"unseen:{each.name}" for each in whole.players)}


@pytest.mark.parametrize(
    ("tile", "rotation", "at", "sides"),
    [
        ("double_corner", 0, (0.65, 0.35), {"top", "right"}),
        ("double_corner", 0, (0.35, 0.65), {"bottom", "left"}),
        ("double_corner", 90, (0.65, 0.65), {"right", "bottom"}),
        ("archway", 0, (0.5, 0.2), {"top", "bottom"}),
        ("archway", 0, (0.8, 0.5), {"left", "right"}),
    ],
)
def test_a_figure_is_on_the_corridor_beneath_it(
    tile: str, rotation: int, at: tuple[float, float], sides: set[Side]
) -> None:
    place = corridors_by_nearness(PIECES, tile, rotation, at)[0][0]
    corridor = PIECES.lying[tile, rotation][PIECES.tiles[tile].nodes[place]]
    assert {side for k, side in enumerate(SIDES) if corridor >> k & 1} == sides


def test_on_a_crossing_it_is_not_told_which_corridor() -> None:
    (_, one), (_, other) = corridors_by_nearness(PIECES, "archway", 0, (0.52, 0.49))
    assert abs(one - other) < 0.12


def test_what_is_neither_print_nor_a_cube_is_strange() -> None:
    print_ = np.full((20, 40, 3), 200, np.float32)
    seen, cube = print_.copy(), np.array([[40, 40, 200]], np.float32)
    seen[:, 10:20], seen[:, 25:] = cube, (90, 110, 130)
    like, strange = _block_colours(seen, (print_, print_), cube)
    assert like[:, 12:18].all() and not like[:, :9].any()
    assert strange[:, 27:].all() and not strange[:, :23].any(), "an arm over the track is no bare space"


def test_a_cloth_in_two_colours_is_no_cube() -> None:
    cloth, cube = np.zeros((8, 8, 3), np.float32), np.array([[40, 90, 10]], np.float32)
    cloth[:, 4:] = (60, 80, 0)
    bounds = np.zeros_like(cloth), np.full_like(cloth, (60, 80, 0))
    like, strange = _block_colours(cloth, bounds, cube)
    assert not like.any() and not strange.any()


def test_a_board_under_many_cubes_is_still_alike() -> None:
    chance = np.random.default_rng(1)
    print_, shown = chance.normal(size=(30, 20, 3)).astype(np.float32), np.ones((30, 20), np.float32)
    shown[:, 4:] = 0
    seen = print_.copy()
    seen[:, 4:] = chance.normal(size=(30, 16, 3))
    assert _Compared([print_], [shown]).likeness([seen])[0, 0] > 0.99
    assert _Compared([print_], [np.ones_like(shown)]).likeness([seen])[0, 0] < 0.5


def test_a_body_for_which_nothing_speaks_is_no_figure() -> None:
    worth = np.array([[3.0, 2.5], [2.0, -4.0], [-1.0, -0.5]])
    assert sorted(_assigned(worth)) == [(0, 1), (1, 0)], "all figures together, not the best alone"
    assert _assigned(np.array([[3.0, 2.5]])) == [(0, 0)], "a figure that is not seen is not told"


# --- photos -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def art() -> LayeredArt:
    layers = layers_of(PIECES)
    assert layers is not None
    return layered_art(CATALOGUE, layers)


def test_print_below_clear_tiles_is_no_wall(art: LayeredArt) -> None:
    ground = art.grounds["map-plain"]
    picture = ground.ground.copy()
    chance = np.random.default_rng(4)
    laid: dict[tuple[int, int], tuple[int, int]] = {}
    *tiles, none = ground.tiles
    left = list(np.repeat(np.arange(len(tiles)), [tile.copies for tile in tiles]))
    for column, row in ground.cells:
        if (column, row) in ((1, 1), (4, 3)):  # nothing lies here
            continue
        tile, rotation = int(left.pop(int(chance.integers(len(left))))), 90 * int(chance.integers(4))
        laid[column, row] = tile, rotation
        lay_tile(picture, (column, row), tiles[tile].picture, rotation)
    dim = np.asarray(
        cv2.convertScaleAbs(cv2.GaussianBlur(picture, (0, 0), 1.5), alpha=0.4, beta=12), np.uint8
    )
    above = FromAbove(dim, ground.px_per_mm, (0.0, 0.0), np.ones(dim.shape[:2], bool))
    bank = cell_bank(ground)
    read = {each.cell: each for each in read_clear_tiles(weigh_clear(above, ground, bank), ground, bank)}
    assert {cell for cell, each in read.items() if ground.tiles[each.tile] is none} == {(1, 1), (4, 3)}
    for cell, (tile, rotation) in laid.items():
        seen = read[cell]
        assert seen.tile == tile and seen.tile_confidence > 0.9, cell
        name = tiles[tile].id
        assert set(PIECES.lying[name, seen.rotation]) == set(PIECES.lying[name, rotation]), cell


def test_the_strips_tell_how_the_temple_is_turned(art: LayeredArt) -> None:
    wide = 310
    for start in range(4):
        picture = np.full((2 * wide, 2 * wide, 3), 90, np.uint8)
        picture[60:560, 60:560] = art.grounds["map-plain"].ground
        for side in range(4):
            name = f"border-{BORDERS[(start + side) % 4]}"
            strip = scaled_picture(CATALOGUE, CATALOGUE.card(name), 2.0)
            laid = np.rot90(strip, (1, 0, -1, 2)[side])
            high, long = laid.shape[:2]
            y, x = {0: (20, 60), 1: (60, 560), 2: (560, 60), 3: (60, 20)}[side]
            picture[y : y + high, x : x + long] = laid
        plane = find_plane(Reductions(Photo(picture)), art.known)
        assert plane is not None and plane.lead >= STRIP_LEAD
        names = {side: name for side, name in zip(plane.sides, art.layers.rims, strict=True)}
        assert names == {side: f"border-{BORDERS[(start + side) % 4]}" for side in range(4)}


@pytest.mark.long
def test_a_photo_tells_the_table_and_asks_whether_all_is_right() -> None:
    photo = sorted(SHIPPED.glob("*.jpg"))[0]
    truth = json.loads(photo.with_name(f"{photo.stem}.truth.json").read_bytes())
    now = score_board(load_photo(photo), CATALOGUE)
    whole = board_from(truth["board"], anywhere=True)
    assert now.board.more["ground"] == whole.more["ground"]
    assert {(each.piece, each.cell, each.on) for each in now.board.pieces or ()} == {
        (each.piece, each.cell, each.on) for each in whole.pieces or ()
    }
    assert decode_board(encode_board(now.scan)) == now.scan
    assert not now.sure and "board:looked-over" in {each.name for each in now.questions}


def without_art(folder: Path, *roles: str) -> Catalogue:
    """The open set with no art for pieces of these roles."""
    bundled = CATALOGUE.folder
    assert bundled is not None
    shutil.copytree(bundled / "art", folder / "art")
    told = json.loads((bundled / "catalogue.json").read_bytes())
    for card in told["cards"]:
        if card.get("role") in roles:
            del card["art"]
    (folder / "catalogue.json").write_text(json.dumps(told), encoding="utf-8")
    return load_catalogue(folder)


@pytest.mark.long
def test_figures_and_cubes_without_art_are_known_by_their_colour(tmp_path: Path) -> None:
    photo = sorted(SHIPPED.glob("*.jpg"))[0]
    truth = json.loads(photo.with_name(f"{photo.stem}.truth.json").read_bytes())
    now = score_board(load_photo(photo), without_art(tmp_path, "character", "cube"))
    assert {(each.piece, each.cell, each.on) for each in now.board.pieces or ()} == {
        (each.piece, each.cell, each.on) for each in board_from(truth["board"], anywhere=True).pieces or ()
    }


@pytest.mark.long
def test_chips_without_art_are_told_by_people(tmp_path: Path) -> None:
    """No colour is told of them either: the photo tells the others, and what it misses is asked."""
    photo = sorted(SHIPPED.glob("*.jpg"))[0]
    now = score_board(load_photo(photo), without_art(tmp_path, "vp", "idol", "adrenaline", "key"))
    told = {each.piece for each in now.board.pieces or ()}
    assert told and not any(name is not None and name.startswith("vp-") for name in told)
    assert not now.sure and "broken-rule:token-missing" in {each.name for each in now.questions}


def test_a_tile_without_art_is_told_in_one_sentence(tmp_path: Path) -> None:
    catalogue = without_art(tmp_path, "archway")
    with pytest.raises(WaymarkError) as caught:
        layered_art(catalogue, layers_of(pieces_of(catalogue)))  # type: ignore[arg-type]
    assert "'archway' has no art" in caught.value.en and "絵がない" in caught.value.ja


@pytest.mark.long
def test_the_bench_measures_tiles_ground_track_and_what_players_have() -> None:
    report = bench_boards(SHIPPED)["total"]
    assert {"tile", "ground", "marker", "chip", "track", "figure", "holds"} <= set(report["kinds"])
    assert all(right == of for right, of in report["kinds"].values())
