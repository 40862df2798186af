"""A phone's lens is measured on photos of the sheet, kept by its name, and used for its photos."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from PIL import Image

from calibration.camera_sheet import (
    COLUMNS,
    ROWS,
    RULER_MM,
    SQUARE_MM,
    TOP_MM,
    Paper,
    board,
    board_cells,
    write_sheet,
)
from calibration.lens import forget_lens, keep_lens, kept_lenses, measure
from samples.camera import in_file
from samples.camera_sheets import photographed_sheets, write_known
from samples.compositor import photograph
from samples.deck import open_deck
from samples.projection import card_corners_mm, card_to_photo, focal_px
from samples.scenes import make_sample
from scorer.errors import Code, WaymarkError
from vision.cards.index import load_index
from vision.photo.decode import CameraName, Photo, load_photo
from vision.photo.lens import FOLDER_VARIABLE, KnownLens, LensFile, fitted, lens_of, read_lens
from vision.reader import PinnedCard, scan_pinned, scan_with_doubts
from waymark.cli.main import cli

PHONE = CameraName("Waymark", "Pocket 5", "main camera", 5.1)
LENS = LensFile(
    camera=PHONE,
    width=1600,
    height=1200,
    focal_px=1300.0,
    centre_px=(806.0, 594.0),
    distortion=(-0.09, 0.02, 0.0008, -0.0012, 0.0),
    vignetting=(0.05, 0.2),
    reprojection_px=0.2,
    photos=6,
)


@pytest.fixture(autouse=True)
def lenses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "lenses"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nobody"))
    yield tmp_path / "lenses"


def known_lens() -> KnownLens:
    lens = fitted(LENS, 1600, 1200)
    assert lens is not None
    return lens


def seen_sheet(number: int) -> NDArray[np.uint8]:
    """The board as the lens shows it, from one of several sides."""
    lens = known_lens()
    cells = np.kron(~board_cells(10), np.ones((8, 8))).astype(np.uint8) * 235 + 10
    sheet = cv2.copyMakeBorder(cells, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=245)
    per_mm = 8 * 11 / SQUARE_MM
    turn, _ = cv2.Rodrigues(
        np.array([0.5 * np.sin(number * 1.3), 0.5 * np.cos(number * 1.3), 1.57 + 0.1 * number])
    )
    middle = turn @ np.array([COLUMNS * SQUARE_MM / 2, 5 * SQUARE_MM, 0])
    shift = np.array([0, 0, 250.0 + 15 * number]) - middle
    matrix = np.array(
        [[lens.focal_px, 0, lens.centre_px[0]], [0, lens.focal_px, lens.centre_px[1]], [0, 0, 1]]
    )
    to_picture = matrix @ np.column_stack([turn[:, 0], turn[:, 1], shift])
    y, x = np.mgrid[0:1200, 0:1600]
    straight = lens.straight(np.dstack([x, y]).astype(np.float64).reshape(-1, 2))
    on_sheet = cv2.perspectiveTransform(straight[None], np.linalg.inv(to_picture))[0]
    at = ((on_sheet * per_mm + 40) - 0.5).reshape(1200, 1600, 2).astype(np.float32)
    seen = cv2.remap(cv2.GaussianBlur(sheet, (0, 0), 2), at, None, cv2.INTER_LINEAR, borderValue=90)
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheet_is_true_to_scale(paper: Paper, tmp_path: Path) -> None:
    write_sheet(tmp_path / "sheet.pdf", paper)
    page = pypdfium2.PdfDocument(tmp_path / "sheet.pdf")[0]
    width, height = (side / 72 * 25.4 for side in page.get_size())
    assert (round(width), round(height)) == {"a4": (210, 297), "letter": (216, 279)}[paper]
    picture = np.asarray(page.render(scale=6 * 25.4 / 72).to_numpy())
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    )
    assert len(ids) == (COLUMNS - 1) * (ROWS[paper] - 1)
    on_sheet = board().getChessboardCorners()[ids.ravel()][:, :2] + [
        (width - COLUMNS * SQUARE_MM) / 2,
        TOP_MM,
    ]
    assert np.abs((corners.reshape(-1, 2) + 0.5) / 6 - on_sheet).max() < 0.2
    # The ruler ends where its last tick is.
    ruler = picture[round(6 * (TOP_MM + ROWS[paper] * SQUARE_MM + 5.5)), :, 0]
    dark = np.flatnonzero(ruler < 128)
    left = (width - COLUMNS * SQUARE_MM) / 2
    assert dark.min() / 6 == pytest.approx(left, abs=0.2)
    assert dark[dark < 6 * (left + RULER_MM + 2)].max() / 6 == pytest.approx(left + RULER_MM, abs=0.25)


def test_a_lens_bends_and_straightens() -> None:
    lens = known_lens()
    points = np.random.default_rng(1).uniform((0, 0), (1599, 1199), (40, 2))
    assert np.abs(lens.seen(lens.straight(points)) - points).max() < 1e-4
    assert np.abs(lens.straight(points) - points).max() > 5
    x, y = np.meshgrid(np.arange(1600, dtype=np.float64), np.arange(1200, dtype=np.float64))
    ramp = np.dstack([x / 8, y / 8, x * 0]).astype(np.uint8)
    straight = lens.straightened(ramp)
    at = lens.seen(np.array([[300.0, 200.0], [800.0, 900.0]]))
    assert np.abs(straight[[200, 900], [300, 800], :2] - at / 8).max() < 1.5


def test_a_photo_that_exif_turns_has_its_lens_turned() -> None:
    lens = known_lens()
    points = np.random.default_rng(2).uniform((0, 0), (1599, 1199), (20, 2))
    straight = lens.straight(points)
    turned: dict[int, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
        3: lambda p: np.column_stack([1599 - p[:, 0], 1199 - p[:, 1]]),
        6: lambda p: np.column_stack([1199 - p[:, 1], p[:, 0]]),
        8: lambda p: np.column_stack([p[:, 1], 1599 - p[:, 0]]),
    }
    for orientation, turn in turned.items():
        size = (1600, 1200) if orientation == 3 else (1200, 1600)
        other = fitted(LENS, *size, orientation)
        assert other is not None
        assert np.abs(other.straight(turn(points)) - turn(straight)).max() < 1e-6
    half = fitted(LENS, 800, 600)
    assert half is not None
    assert np.abs((half.straight((points + 0.5) / 2 - 0.5) + 0.5) * 2 - 0.5 - straight).max() < 1e-6
    assert fitted(LENS, 1600, 900) is None and fitted(LENS, 1600, 1200, 2) is None


@pytest.mark.long
def test_a_lens_is_measured_on_the_sheet() -> None:
    photos = [Photo(seen_sheet(number), camera=PHONE) for number in range(6)]
    found = measure(photos)
    assert found.lens.camera == PHONE and (found.used, found.shown) == (6, 6)
    assert found.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.01)
    assert found.lens.reprojection_px < 0.5 and found.left_px < found.moved_px / 3
    lens = fitted(found.lens, 1600, 1200)
    assert lens is not None
    points = np.random.default_rng(3).uniform((200, 150), (1400, 1050), (40, 2))
    assert np.abs(lens.straight(points) - known_lens().straight(points)).max() < 1.5


def test_photos_that_do_not_tell_are_refused() -> None:
    plain = Photo(np.full((1200, 1600, 3), 120, np.uint8), camera=PHONE)
    other = Photo(np.full((900, 1600, 3), 120, np.uint8), camera=PHONE)
    for photos in ([plain, plain, plain], [plain, other], []):
        with pytest.raises(WaymarkError) as raised:
            measure(photos)
        assert raised.value.code == Code.NO_SHEET


@pytest.mark.long
def test_photos_all_from_one_side_tell_no_focal_length() -> None:
    with pytest.raises(WaymarkError, match="too much alike"):
        cells = np.kron(~board_cells(10), np.ones((8, 8))).astype(np.uint8) * 235 + 10
        flat = cv2.copyMakeBorder(cells, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=245)
        rng = np.random.default_rng(4)
        noisy = [np.clip(flat + rng.normal(0, 6, flat.shape), 0, 255).astype(np.uint8) for _ in range(3)]
        measure([Photo(cv2.cvtColor(each, cv2.COLOR_GRAY2BGR), camera=PHONE) for each in noisy])


def photo_file(folder: Path, camera: CameraName = PHONE, size: tuple[int, int] = (1600, 1200)) -> Path:
    write_known(
        np.full((size[1], size[0], 3), 90, np.uint8), folder / "photo.jpg", camera.model, camera.focal_mm
    )
    return folder / "photo.jpg"


def test_a_known_phone_is_known_by_its_exif(tmp_path: Path, lenses: Path) -> None:
    photo = load_photo(photo_file(tmp_path))
    assert photo.camera == PHONE and lens_of(photo) is None
    keep_lens(LENS)
    assert read_lens(PHONE) == LENS and kept_lenses() == [LENS]
    assert lens_of(photo) is not None
    assert lens_of(load_photo(photo_file(tmp_path, size=(1600, 900)))) is None  # cropped
    assert lens_of(load_photo(photo_file(tmp_path, replace(PHONE, model="Pocket 6")))) is None
    next(lenses.glob("*.json")).write_text("{")
    assert lens_of(photo) is None
    keep_lens(LENS)
    assert forget_lens(PHONE) and not forget_lens(PHONE) and lens_of(photo) is None


def test_a_lens_that_bends_nothing_costs_nothing(tmp_path: Path) -> None:
    keep_lens(msgspec.structs.replace(LENS, distortion=(0.0, 0.0, 0.0, 0.0, 0.0)))
    assert lens_of(load_photo(photo_file(tmp_path))) is None


def test_a_photo_that_tells_no_phone_is_read_as_it_is(tmp_path: Path) -> None:
    Image.new("RGB", (400, 300)).save(tmp_path / "plain.jpg")
    photo = load_photo(tmp_path / "plain.jpg")
    assert photo.camera is None and lens_of(photo) is None


def test_the_command_forgets(tmp_path: Path) -> None:
    keep_lens(LENS)
    told = CliRunner().invoke(cli, ["calibrate", "camera", "--forget", "--json", "-"])
    assert [each["model"] for each in json.loads(told.stdout)["forgotten"]] == ["Pocket 5"]
    told = CliRunner().invoke(cli, ["calibrate", "camera", "--forget", "--lang", "ja"])
    assert told.exit_code == 0 and "保存した補正はありません" in told.stdout
    assert CliRunner().invoke(cli, ["calibrate", "camera"]).exit_code == 2
    photo = str(photo_file(tmp_path))
    told = CliRunner().invoke(cli, ["calibrate", "camera", photo, "--json", "-"])
    assert told.exit_code == 4 and json.loads(told.stdout)["error"]["code"] == "no-sheet"


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 4])
def test_the_command_measures_rendered_photos(seed: int, tmp_path: Path, lenses: Path) -> None:
    """The bars: focal length within 1%, reprojection error under half a pixel."""
    true = photographed_sheets(seed, 7, tmp_path, "a4" if seed == 1 else "letter")
    photos = [str(file) for file in sorted(tmp_path.glob("*.jpg"))]
    told = CliRunner().invoke(cli, ["calibrate", "camera", *photos, "--json", "-"])
    [lens] = json.loads(told.stdout)["cameras"]
    assert lens["focal_px"] == pytest.approx(true.focal_px, rel=0.01)
    assert lens["reprojection_px"] < 0.5 and lens["left_px"] < lens["moved_px"] and lens["kept"]
    assert len(list(lenses.glob("*.json"))) == 1


@pytest.mark.long
def test_a_known_lens_brings_corners_to_their_place(tmp_path: Path) -> None:
    """A wide lens: the cards' corners are told where they lie in the photo, and nearer than without."""
    sample = make_sample("tuning", 3)
    post = msgspec.structs.replace(sample.scene.post, k1=-0.12, k2=0.01, exif_orientation=1)
    scene = msgspec.structs.replace(sample.scene, post=post)
    camera = scene.camera
    write_known(photograph(scene, sample.images.__getitem__), tmp_path / "wide.jpg", "Wide", 2.2)
    half, focal = float(np.hypot(camera.width, camera.height)) / 2, float(focal_px(camera))
    name = CameraName("Waymark", "Wide", "main camera", 2.2)
    bends = (-0.12 * (focal / half) ** 2, 0.01 * (focal / half) ** 4, 0.0, 0.0, 0.0)
    middle = ((camera.width - 1) / 2, (camera.height - 1) / 2)
    lens = msgspec.structs.replace(
        LENS,
        camera=name,
        width=camera.width,
        height=camera.height,
        focal_px=focal,
        centre_px=middle,
        distortion=bends,
    )
    deck = open_deck()
    index = load_index(deck, cache=tmp_path / "cache")
    true = {
        card.card: in_file(card_to_photo(camera, card, card_corners_mm(card)), camera, post)
        for card in scene.cards
    }

    def worst(cards: object) -> float:
        return max(float(np.abs(np.array(card.corners) - true[card.card]).max()) for card in cards)  # type: ignore

    before = scan_with_doubts(load_photo(tmp_path / "wide.jpg"), deck, index)
    keep_lens(lens)
    photo = load_photo(tmp_path / "wide.jpg")
    after = scan_with_doubts(photo, deck, index)
    assert {card.card for card in after.cards} == set(true)
    assert worst(after.cards) < 0.5 * worst(before.cards)
    pinned = [
        PinnedCard(card.card, placed.rotation, card.corners, 1.0, placed.x, placed.y)
        for card, placed in zip(after.cards, after.tableau.cards, strict=True)
    ]
    again = scan_pinned(photo, pinned, deck, index)
    assert worst(again.cards) == pytest.approx(worst(after.cards), abs=0.3)
    assert again.tableau.path == after.tableau.path
