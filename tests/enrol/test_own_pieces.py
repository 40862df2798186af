"""Photos of a board game's pieces become a catalogue: found, read, in pencil until a person says so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from calibration.enrol.pieces.answers import answer_piece
from calibration.enrol.pieces.enrolled import SURE
from calibration.enrol.pieces.enrolment import OtherPieces, enrol_pieces
from calibration.enrol.pieces.holding import asked_of, missing_of
from calibration.enrol.pieces.names import Told, assigned, by_colour, discs_by_number
from calibration.enrol.pieces.sides import read_ways
from samples.styles.tiles import tile_set
from scorer.catalogue import Catalogue, load_catalogue, read_catalogue
from scorer.errors import WaymarkError
from scorer.games import game_named
from scorer.labyrinth2.enrol import ASKED
from scorer.square_grid import BOTTOM, LEFT, RIGHT, TOP, open_sides, turned
from vision.cards.index import read_art
from vision.outlines.loose_pieces import find_loose_discs, find_loose_pieces
from vision.photo.decode import Photo, load_photo
from vision.photo.geometry import plane_seen_at
from waymark.cli.main import cli

pytestmark = pytest.mark.long

Picture = NDArray[np.uint8]
TABLE = (92, 128, 160)


def open_set() -> Catalogue:
    folder = game_named("labyrinth2").bundled
    assert folder is not None
    return load_catalogue(folder)


def art_of(name: str) -> Picture:
    cards = open_set()
    art = read_art(cards.art_path(cards.card(name)))
    assert art is not None
    return art


def taken(table: Picture) -> bytes:
    """A photo of a table: softened and noisy, as cameras are."""
    soft = cv2.GaussianBlur(table, (0, 0), 1.0).astype(np.float32)
    noisy = soft + np.random.default_rng(5).normal(0, 2.5, soft.shape)
    good, data = cv2.imencode(".png", np.clip(noisy, 0, 255).astype(np.uint8))
    assert good
    return data.tobytes()


def laid_out(faces: list[Picture], *, per_row: int = 4, gap_px: int = 90) -> Picture:
    """Faces in rows on a plain table."""
    rows = [faces[k : k + per_row] for k in range(0, len(faces), per_row)]
    wide = max(sum(face.shape[1] + gap_px for face in row) for row in rows) + 5 * gap_px
    high = sum(max(face.shape[0] for face in row) + gap_px for row in rows) + 5 * gap_px
    table = np.full((high, wide, 3), TABLE, np.uint8)
    y = 3 * gap_px
    for row in rows:
        x = 3 * gap_px
        for face in row:
            table[y : y + face.shape[0], x : x + face.shape[1]] = face
            x += face.shape[1] + gap_px
        y += max(face.shape[0] for face in row) + gap_px
    return table


def all_named(told: list[Told | None]) -> list[Told]:
    """All of them have a name."""
    found = [each for each in told if each is not None]
    assert len(found) == len(told)
    return found


def at_scale(art: Picture, size_mm: tuple[float, float], px_per_mm: float = 9.0) -> Picture:
    size = (round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm))
    return np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)


# --- what is read of a piece --------------------------------------------------------------------------------


def test_openings_of_a_set_are_read_however_its_tiles_lie() -> None:
    tiles = [card for card in open_set().cards if card.kind == "tile"]
    turns = [(k * 7) % 4 for k in range(len(tiles))]
    seen = [
        np.ascontiguousarray(np.rot90(cv2.GaussianBlur(art_of(card.id), (0, 0), 3.0), -turn))
        for card, turn in zip(tiles, turns, strict=True)
    ]
    asked = next(each for each in asked_of("labyrinth2") if each.word == "tile")
    read = read_ways(seen, asked.lying_ways)
    right = [turned(open_sides(card), 90 * turn) for card, turn in zip(tiles, turns, strict=True)]
    assert [ways.sides for ways in read] == right
    assert min(ways.confidence for ways in read) > 0.9


def test_a_sign_that_is_printed_at_a_closed_side_is_not_taken_for_floor() -> None:
    folder = game_named("stone_dragon").bundled
    assert folder is not None
    panels = load_catalogue(folder)
    asked = next(each for each in asked_of("stone_dragon") if each.word == "panel")
    tiles = [card for card in panels.cards if card.kind == "tile" and card.role in asked.roles]
    seen = [read_art(panels.art_path(card)) for card in tiles]
    read = read_ways([each for each in seen if each is not None], asked.lying_ways)
    assert [ways.sides for ways in read] == [open_sides(card) for card in tiles]


@pytest.mark.long
@pytest.mark.parametrize("style", ["neon-1", "collage-2", "woodcut-1"])
def test_openings_of_tiles_are_read_in_styles_that_nothing_was_trained_on(style: str) -> None:
    shapes = next(each.lying_ways for each in ASKED if each.ways)
    sides, faces = tile_set(style, shapes, 20)
    read = read_ways(faces, shapes)
    assert sum(ways.sides == true for ways, true in zip(read, sides, strict=True)) >= 17
    assert (
        sum(ways.sides != true and ways.confidence >= SURE for ways, true in zip(read, sides, strict=True))
        <= 1
    )


def test_of_a_few_tiles_alone_nothing_is_read_surely() -> None:
    asked = next(each for each in asked_of("labyrinth2") if each.word == "tile")
    read = read_ways([art_of(name) for name in ("I01", "L01", "T01")], asked.lying_ways)
    assert max(ways.confidence for ways in read) < 0.9


def test_a_tile_on_which_nothing_tells_floor_from_rock_is_not_read_surely() -> None:
    rng = np.random.default_rng(3)
    plain = [rng.integers(90, 110, (200, 200, 3)).astype(np.uint8) for _ in range(6)]
    asked = next(each for each in asked_of("labyrinth2") if each.word == "tile")
    assert min(ways.confidence for ways in read_ways(plain, asked.lying_ways)) < 0.9


def test_no_two_pieces_have_one_name_and_who_cannot_be_told_is_not_sure() -> None:
    chances = np.array([[0.9, 0.1, 0.0], [0.8, 0.2, 0.0], [0.0, 0.0, 1.0]])
    told = all_named(assigned(chances, [1, 1, 1]))
    assert [each.name for each in told] == [0, 1, 2]
    assert told[2].confidence > 0.9
    assert max(told[0].confidence, told[1].confidence) < 0.9


def test_as_many_have_one_name_as_there_are_copies_and_who_is_left_has_none() -> None:
    chances = np.array([[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.1, 0.9]])
    told = all_named(assigned(chances, [2, 2]))
    assert [each.name for each in told] == [0, 1, 0, 1]
    assert min(each.confidence for each in told) > 0.8
    assert assigned(chances[:, :1], [2]).count(None) == 2


def test_figures_are_told_by_their_colours_together() -> None:
    colours = ("red", "blue", "yellow", "green")
    faces = [art_of(f"explorer-{colour}") for colour in ("green", "red", "yellow", "blue")]
    told = all_named(by_colour(faces, colours))
    assert [colours[each.name] for each in told] == ["green", "red", "yellow", "blue"]
    assert min(each.confidence for each in told) > 0.9


def test_a_number_is_read_on_a_disc_at_any_turn_and_a_disc_without_one_is_told_by_its_size() -> None:
    chip = cv2.resize(art_of("chip-8"), (200, 200))
    pose = cv2.getRotationMatrix2D((99.5, 99.5), 137, 1.0)
    faces = [
        np.asarray(cv2.warpAffine(chip, pose, (200, 200), borderMode=cv2.BORDER_REPLICATE), np.uint8),
        np.full((200, 200, 3), (60, 170, 210), np.uint8),
    ]
    names = [(3, 22.0), (8, 22.0), (None, 20.0)]
    told = all_named(discs_by_number(faces, [22.3, 19.8], names, [2, 2, 24]))
    assert [each.name for each in told] == [1, 2]
    assert min(each.confidence for each in told) > 0.9


# --- finding them -------------------------------------------------------------------------------------------


def seen_aslant(table: Picture, tilt: float = 24.0) -> tuple[Photo, NDArray[np.float64]]:
    """A table as a camera sees it that looks down on it aslant; and the map."""
    height, width = table.shape[:2]
    scale = min(1350 / width, 950 / height)
    laid = np.array([[scale, 0, -scale * width / 2], [0, scale, -scale * height / 2], [0, 0, 1]])
    pose = plane_seen_at((tilt, 70.0), 0.65, (1600, 1200)) @ laid
    seen = cv2.warpPerspective(table, pose, (1600, 1200), flags=cv2.INTER_AREA, borderValue=TABLE)
    return load_photo(taken(np.asarray(seen, np.uint8)), whole=True), pose


def test_figures_of_three_sizes_are_found_at_once() -> None:
    sizes = [(16.0, 26.0), (22.0, 30.0), (46.0, 40.0)]
    names = ["explorer-red", "explorer-blue", "gargoyle-1", "dragon"]
    of = [0, 0, 1, 2]
    faces = [at_scale(art_of(name), sizes[k]) for name, k in zip(names, of, strict=True)]
    photo, _ = seen_aslant(laid_out(faces))
    found = find_loose_pieces(photo, sizes)
    assert sorted(each.size for each in found) == of


def test_a_board_is_its_outline_and_no_frame_or_cell_of_it() -> None:
    board = cv2.resize(art_of("board"), (1400, 1400), interpolation=cv2.INTER_AREA)
    table = laid_out([np.asarray(board, np.uint8)], gap_px=120)
    photo, pose = seen_aslant(table)
    corners = np.array([[360.0, 360], [1760, 360], [1760, 1760], [360, 1760]])
    true = cv2.perspectiveTransform(corners[None], pose)[0]
    (found,) = find_loose_pieces(photo, [(390.0, 390.0)], alone=True)
    away = min(np.abs(np.roll(found.corners_px, k, axis=0) - true).max() for k in range(4))
    assert away < 0.01 * np.linalg.norm(true[1] - true[0])


def test_discs_that_touch_are_found_with_their_sizes() -> None:
    table = np.full((1200, 1600, 3), TABLE, np.uint8)
    middles = [(500, 500), (700, 500), (600, 673), (950, 560)]
    radii = [100, 100, 100, 88]
    for (x, y), radius in zip(middles, radii, strict=True):
        cv2.circle(table, (x, y), radius, (40, 40, 200), -1, cv2.LINE_AA)
        cv2.circle(table, (x, y), round(0.6 * radius), (240, 240, 240), -1, cv2.LINE_AA)
    photo, pose = seen_aslant(table)
    found = find_loose_discs(photo)
    true = cv2.perspectiveTransform(np.array([middles], float), pose)[0]
    assert len(found) == len(middles)
    for at, radius in zip(true, radii, strict=True):
        disc = min(found, key=lambda each: float(np.linalg.norm(each.corners_px.mean(axis=0) - at)))
        assert np.linalg.norm(disc.corners_px.mean(axis=0) - at) < 12
        assert disc.radius == pytest.approx(radius / 100, abs=0.05)


# --- a box --------------------------------------------------------------------------------------------------

TILES = ["I01", "L01", "T01", "I02", "L02", "T02"]


@pytest.fixture(scope="module")
def tile_photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tiles") / "tiles.png"
    file.write_bytes(taken(laid_out([at_scale(art_of(name), (50.0, 50.0)) for name in TILES], per_row=3)))
    return file


@pytest.fixture(scope="module")
def enrolled(tile_photo: Path) -> Path:
    folder = tile_photo.parent / "box"
    enrol_pieces(folder, tile_photo, {"tile": (50.0, 50.0)}, game="labyrinth2")
    return folder


@pytest.fixture
def box(enrolled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(enrolled, tmp_path / "box"))


def ask(*options: str) -> tuple[int, dict[str, Any], str]:
    result = CliRunner().invoke(cli, ["enrol", *options, "--json", "-"])
    return result.exit_code, json.loads(result.stdout or "{}"), result.stderr


def test_tiles_are_enrolled_in_pencil_until_a_person_says_that_they_are_right(
    tile_photo: Path, tmp_path: Path
) -> None:
    folder = str(tmp_path / "box")
    status, told, _ = ask(folder, str(tile_photo), "--game", "labyrinth2", "--pieces", "tile=50x50")
    assert status == 0
    assert told["cards"] == len(TILES) and told["missing"]["tile"] == 34 - len(TILES)
    made = load_catalogue(Path(folder))
    assert made.game == "labyrinth2" and made.card_size_mm == (50.0, 50.0)
    assert {card.traced for card in made.cards} == {"proposed"}
    shapes = [bin(open_sides(card)).count("1") for card in made.cards]
    assert sorted(shapes) == [2, 2, 2, 2, 3, 3]
    status, _, _ = ask(folder, "--answer", "all=right")
    assert status == 0
    # what is asked of one is answered for itself
    asked = [card.id for card in made.cards if "asked" in card.more]
    said = load_catalogue(Path(folder))
    assert [card.id for card in said.cards if card.traced == "proposed"] == asked
    for piece in asked:
        answer_piece(Path(folder), piece, "right")
    assert {card.traced for card in load_catalogue(Path(folder)).cards} == {"yes"}


def test_tiles_photographed_again_are_no_new_ones(box: Path, tile_photo: Path) -> None:
    again = enrol_pieces(box, tile_photo, {"tile": (50.0, 50.0)})
    assert [each.new for each in again.pieces] == [False] * len(TILES)
    assert len(read_catalogue(box).cards) == len(TILES)


def test_a_person_mends_what_was_read(box: Path) -> None:
    answer_piece(box, "tile-01", "left+top")
    answer_piece(box, "tile-02", "x10")
    answer_piece(box, "tile-03", "tile-04")
    made = read_catalogue(box)
    assert open_sides(made.card("tile-01")) == LEFT | TOP and made.card("tile-01").traced == "yes"
    assert made.card("tile-02").copies == 10
    assert made.card("tile-04").copies == 2 and "tile-03" not in made.by_id
    # what nobody said anything of stays in pencil
    assert made.card("tile-05").traced == "proposed"
    (tiles, left), *_ = missing_of(made)
    assert tiles.word == "tile" and left == 34 - 10 - 2 - 3


def test_a_photo_of_other_pieces_than_were_named_is_refused_until_somebody_stands_by_them(
    tile_photo: Path, box: Path
) -> None:
    before = (box / "catalogue.json").read_bytes()
    for shown in ({"card": (44.0, 68.0)}, {"chip": (22.0, 22.0), "coin": (20.0, 20.0)}):
        with pytest.raises(OtherPieces) as told:
            enrol_pieces(box, tile_photo, shown)
        assert [each.word for each in told.value.rather] == ["tile"]
    assert (box / "catalogue.json").read_bytes() == before
    seen = enrol_pieces(box, tile_photo, {"card": (50.0, 50.0)}, as_told=True)
    assert seen.pieces


def test_what_lies_in_a_photo_and_is_no_piece_is_told_with_its_place(tmp_path: Path) -> None:
    table = laid_out([at_scale(art_of(name), (50.0, 50.0)) for name in TILES], per_row=3)
    table = np.vstack([table, np.full((500, table.shape[1], 3), TABLE, np.uint8)])
    table[-450:-100, -500:-200] = (40, 40, 190)
    seen = enrol_pieces(tmp_path / "box", taken(table), {"tile": (50.0, 50.0)}, game="labyrinth2")
    assert len(seen.pieces) == len(TILES) and len(seen.unread) == 1
    assert seen.advice is not None and "(bottom right)" in seen.advice.en


@pytest.mark.parametrize(
    ("pieces", "word"), [("board=390x390", "tile"), ("meeple=10x10", "no pieces"), ("tile=wide", "50x50")]
)
def test_what_cannot_be_enrolled_is_said_in_one_sentence(
    pieces: str, word: str, tile_photo: Path, tmp_path: Path
) -> None:
    options = (str(tmp_path / "box"), str(tile_photo), "--game", "labyrinth2", "--pieces", pieces)
    result = CliRunner().invoke(cli, ["enrol", *options])
    assert result.exit_code == 2
    assert word in result.stderr and "Traceback" not in result.stderr
    assert not (tmp_path / "box" / "catalogue.json").exists()


def test_an_answer_about_a_piece_that_is_not_there_changes_nothing(box: Path) -> None:
    before = (box / "catalogue.json").read_bytes()
    for piece, said in (("tile-99", "right"), ("tile-01", "sideways"), ("all", "left+top")):
        with pytest.raises(WaymarkError):
            answer_piece(box, piece, said)
    assert (box / "catalogue.json").read_bytes() == before


def test_the_printed_cells_of_the_family_are_the_same_whichever_way_the_board_lies() -> None:
    board = next(each for each in asked_of("labyrinth2") if each.word == "board")
    quarter = {(6 - row, column): turned(sides, 90) for (column, row), sides in board.printed.items()}
    assert quarter == dict(board.printed)
    assert board.printed[0, 0] == RIGHT | BOTTOM
