"""Photos of boards are read: tiles jointly, discs at any turn, standing pieces by their foot."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from scorer.catalogue import load_catalogue
from scorer.errors import WaymarkError
from scorer.labyrinth2.game import BUNDLED
from vision.boards.art import BoardArt, Flat, load_board, shows_a_board
from vision.boards.camera import eye_of
from vision.boards.discs import DiscBank, disc_bank, name_disc
from vision.boards.expected import expect
from vision.boards.scan_grid import scan_board
from vision.boards.sprites import laid_on_board
from vision.boards.tiles import Evidence, read_tiles, tile_bank, weigh, weigh_shown
from vision.boards.top_view import FromAbove
from vision.photo.decode import load_photo, photo_of_pixels

SHIPPED = Path(__file__).parents[3] / "samples" / "labyrinth2_photos"


def coloured_discs() -> BoardArt:
    """A catalogue of three discs whose halves differ, and two tiles."""
    pictures = []
    for number in range(3):
        picture = np.full((44, 44, 3), 210, np.uint8)
        cv2.circle(picture, (22, 22), 21, (40, 60 + 80 * number, 200 - 80 * number), 6)
        cv2.ellipse(picture, (22, 22), (13, 13), 0, 0, 90 + 80 * number, (30, 30, 30), -1)
        pictures.append(picture)
    discs = tuple(Flat(f"disc-{k}", (22.0, 22.0), 2, each) for k, each in enumerate(pictures))
    tiles = tuple(Flat(f"tile-{k}", (50.0, 50.0), 1, np.zeros((100, 100, 3), np.uint8)) for k in range(3))
    empty = np.zeros((0, 2), np.float32)
    return BoardArt(
        columns=2, rows=1, cell_mm=50.0, px_per_mm=2.0, ground=np.zeros((100, 200, 3), np.uint8),
        ground_mm=(0.0, 0.0, 100.0, 50.0), drawn=np.zeros((100, 200), bool), tiles=tiles, printed={},
        discs=discs, standing=(), points_mm=empty, descriptors=np.zeros((0, 128), np.float32),
    )  # fmt: skip


def disc_seen_from_above(art: BoardArt, number: int, turn_deg: float) -> FromAbove:
    """A disc on a grey board, in dim yellow light, its middle at 40, 30 mm."""
    picture = np.full((120, 160, 3), 90, np.float32)
    turn = cv2.getRotationMatrix2D((21.5, 21.5), turn_deg, 1.0)
    turn[:, 2] += (79.5 - 21.5, 59.5 - 21.5)
    face = cv2.warpAffine(art.discs[number].picture, turn, (160, 120)).astype(np.float32)
    mask = np.zeros((120, 160), np.uint8)
    cv2.circle(mask, (80, 60), 21, 1, -1)
    picture[mask > 0] = face[mask > 0]
    dim = np.clip(picture * (0.4, 0.6, 0.7) + 12, 0, 255).astype(np.uint8)
    return FromAbove(dim, 2.0, (0.0, 0.0), np.ones((120, 160), bool))


@pytest.mark.parametrize("turn_deg", [0, 37, 143, 250])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_disc_is_known_at_any_turn_and_in_any_light(number: int, turn_deg: float) -> None:
    art = coloured_discs()
    sight = name_disc(
        disc_seen_from_above(art, number, turn_deg), disc_bank(art.discs), (41.0, 29.0), [0, 1, 2]
    )
    assert sight is not None
    assert sight.disc == number and sight.likeness > 0.9
    assert np.hypot(sight.at_mm[0] - 40, sight.at_mm[1] - 30) < 1.6


def half_covered(bank: DiscBank, art: BoardArt, number: int, beyond_mm: float) -> object:
    above = disc_seen_from_above(art, number, 70)
    above.picture[:, : round(2 * beyond_mm)] = (10, 160, 40)

    def covered(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return ((x < beyond_mm) & (y > -1000)).astype(np.float32)

    return name_disc(above, bank, (40.0, 30.0), [0, 1, 2], covered)


def test_a_disc_is_known_by_the_half_that_is_seen() -> None:
    art = coloured_discs()
    sight = half_covered(disc_bank(art.discs), art, 1, 38.0)
    assert sight is not None and sight.disc == 1 and sight.likeness > 0.85  # type: ignore[attr-defined]


def test_a_disc_of_which_hardly_anything_is_seen_is_not_told() -> None:
    art = coloured_discs()
    assert half_covered(disc_bank(art.discs), art, 1, 49.0) is None


def evidence_of(nats: np.ndarray) -> Evidence:
    cells = tuple((column, 0) for column in range(len(nats)))
    shape = (*nats.shape, 1)
    return Evidence(cells, nats, np.zeros((*nats.shape, 2), int), np.full(shape, 0.6, np.float32))


def test_a_hidden_cell_has_the_tile_that_is_left() -> None:
    nats = np.zeros((3, 3, 4))
    nats[0, 2, 1] = nats[1, 0, 3] = 30.0  # the third cell says nothing
    readings = read_tiles(evidence_of(nats), coloured_discs())
    assert [each.tile for each in readings] == [2, 0, 1]
    assert readings[2].tile_confidence > 0.99
    assert readings[2].turn_confidence == pytest.approx(0.25)


def test_two_cells_that_nobody_sees_leave_both_tiles_open() -> None:
    nats = np.zeros((3, 3, 4))
    nats[0, 2, 1] = 30.0
    readings = read_tiles(evidence_of(nats), coloured_discs())
    assert readings[0].tile_confidence > 0.99
    assert {each.tile for each in readings[1:]} == {0, 1}
    assert all(each.tile_confidence == pytest.approx(0.5) for each in readings[1:])


def test_what_is_surest_in_one_cell_gives_way_to_another_that_has_nothing_else() -> None:
    nats = np.full((2, 3, 4), -40.0)
    nats[0, 0, 0], nats[0, 1, 0], nats[1, 0, 0] = 12.0, 9.0, 10.0
    readings = read_tiles(evidence_of(nats), coloured_discs())
    assert [each.tile for each in readings] == [1, 0]


def seen_from(place_mm: tuple[float, float, float], focal_px: float = 3000.0) -> np.ndarray:
    """The (3, 4) camera at a place over the board that looks at its middle; z upwards."""
    eye, middle = np.array(place_mm), np.array([175.0, 175.0, 0.0])
    ahead = (middle - eye) / np.linalg.norm(middle - eye)
    right = np.array([-ahead[1], ahead[0], 0.0])
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    down *= -np.sign(down[2])
    turned = np.stack([right, down, ahead])
    inner = np.array([[focal_px, 0, 2016], [0, focal_px, 1512], [0, 0, 1]])
    return np.asarray(inner @ np.column_stack([turned, -turned @ eye]))


@pytest.mark.parametrize("place_mm", [(175.0, 600.0, 480.0), (430.0, 330.0, 560.0)])
def test_the_cameras_place_follows_from_the_boards_plane(place_mm: tuple[float, float, float]) -> None:
    camera = seen_from(place_mm)
    eye = eye_of(camera[:, [0, 1, 3]], (4032, 3024))
    assert np.allclose(eye.place_mm, place_mm, rtol=0.03, atol=8)


def test_what_stands_hides_the_board_away_from_the_camera() -> None:
    hidden = laid_on_board(
        np.array([[100.0, 100.0, 40.0], [100.0, 100.0, 0.0]]), np.array([100.0, 500.0, 400.0])
    )
    assert hidden[1].tolist() == [100.0, 100.0]
    assert hidden[0][0] == pytest.approx(100.0) and hidden[0][1] == pytest.approx(100 - 400 / 9)


def test_a_catalogue_of_cards_shows_no_board() -> None:
    from calibration.open_deck import bundled_catalogue

    assert not shows_a_board(load_catalogue(bundled_catalogue()))
    assert shows_a_board(load_catalogue(BUNDLED))


@cache
def open_board() -> BoardArt:
    return load_board(load_catalogue(BUNDLED))


@pytest.mark.long
@pytest.mark.parametrize("name", ["table-01", "table-02"])
def test_a_shipped_photo_is_read(name: str) -> None:
    truth = msgspec.json.decode((SHIPPED / f"{name}.truth.json").read_bytes())
    scan = scan_board(load_photo(SHIPPED / f"{name}.jpg"), open_board())
    read = {each.cell: (each.tile, each.rotation) for each in scan.tiles}
    for tile in truth["board"]["tiles"]:
        found, rotation = read[tile["column"], tile["row"]]
        assert found == tile["tile"]
        assert (rotation - tile["rotation"]) % (180 if found.startswith("I") else 360) == 0
    assert scan.spare is not None and scan.spare.tile == truth["board"]["spare"][0]["tile"]
    corners = np.array(truth["sample"]["grid_px"])
    assert np.abs(np.array(scan.grid_px) - corners).max() < 6


@pytest.mark.long
def test_a_photo_without_a_board_is_told() -> None:
    rng = np.random.default_rng(3)
    table = cv2.GaussianBlur(rng.integers(0, 255, (600, 800, 3), np.uint8), (0, 0), 2)
    with pytest.raises(WaymarkError) as told:
        scan_board(photo_of_pixels(np.asarray(table, np.uint8)), open_board())
    assert told.value.exit_status == 4


def paved_board() -> BoardArt:
    """A board of nine printed cells in two colours, and nothing else."""
    rng = np.random.default_rng(4)
    ground = cv2.resize(
        rng.integers(40, 220, (30, 30, 3), np.uint8), (300, 300), interpolation=cv2.INTER_CUBIC
    )
    return replace(
        coloured_discs(),
        columns=3,
        rows=3,
        ground=np.asarray(ground, np.uint8),
        ground_mm=(0.0, 0.0, 150.0, 150.0),
        drawn=np.ones((300, 300), bool),
        printed={(column, row): ("cell", 0) for column in range(3) for row in range(3)},
    )


def test_a_cell_under_a_figure_has_the_light_of_its_neighbours() -> None:
    art = paved_board()
    seen = (art.ground * 0.6 + 10).astype(np.uint8)
    # a dark thing with a picture of its own over most of the middle cell
    picture = np.random.default_rng(9).integers(0, 90, (9, 8, 3), np.uint8)
    seen[104:196, 100:180] = cv2.resize(picture, (80, 92))
    above = FromAbove(seen, 2.0, (0.0, 0.0), np.ones((300, 300), bool))
    unlike = expect(above, art, ()).unlike
    assert np.median(unlike[55:95, 92:98]) < 6, "what is left of the cell is the board"
    assert np.median(unlike[55:95, 52:88]) > 24, "the figure is none of it"


def test_what_stands_on_a_tile_says_nothing_of_it() -> None:
    rng = np.random.default_rng(1)
    pictures = [cv2.resize(rng.integers(0, 255, (12, 12, 3), np.uint8), (100, 100)) for _ in range(3)]
    art = replace(
        coloured_discs(),
        columns=1,
        tiles=tuple(Flat(f"tile-{k}", (50.0, 50.0), 1, np.asarray(each)) for k, each in enumerate(pictures)),
    )
    # of the second tile the upper third is seen, under a figure like the third
    seen = np.asarray(pictures[1]).copy()
    seen[34:] = np.asarray(pictures[2])[34:]
    above = FromAbove(seen, 2.0, (0.0, 0.0), np.ones((100, 100), bool))
    bank = tile_bank(art)
    whole = weigh(above, art, bank, [(0, 0)])
    assert read_tiles(whole, art)[0].tile == 2
    shown = np.zeros((50, 50), np.float32)
    shown[:17] = 1
    reading = read_tiles(weigh_shown(whole, above, art, bank, {(0, 0): shown}), art)[0]
    assert reading.tile == 1 and reading.rotation == 0


def test_a_pawn_is_painted_as_it_differs_from_the_others() -> None:
    def figure(colour: tuple[int, int, int]) -> np.ndarray:
        picture = np.full((60, 40, 3), (30, 140, 200), np.uint8)
        cv2.rectangle(picture, (8, 8), (32, 48), colour, -1)
        return picture

    blue, green = figure((160, 60, 50)), figure((60, 130, 50))
    piece = Flat("pawn", (20.0, 30.0), 1, blue, pawn=True, siblings=(green,))
    assert piece.painted.tolist() == [160, 60, 50]
