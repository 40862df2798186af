"""Photos of blank cards become a catalogue: found, told apart, kept, whatever happens between."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from enrol_by_truth import enrol_by_truth
from numpy.typing import NDArray

from calibration.enrol.faces.cut_out import corners_filled
from calibration.enrol.faces.enrolment import answer, confirmed_faces, enrol_photo
from calibration.enrol.faces.identity import verdict_of
from calibration.enrol.faces.light import Tones, balanced, tones_of_deck
from calibration.enrol.faces.likeness import compare, prepared
from calibration.enrol.faces.store import Faces, KnownFace, View, read_faces, write_faces
from samples.blank_cards import blank_shot, write_shot
from samples.deck import card_face, open_deck
from samples.enrol_bench import corner_error
from samples.scene_schema import Table
from scorer.catalogue import read_catalogue
from scorer.errors import WaymarkError
from vision.outlines.background import TableColours, unlike_table
from vision.outlines.blank_cards import find_blank_cards
from vision.outlines.edges import find_quads, own_outline, strips_of
from vision.outlines.rectangles import find_rectangles
from vision.photo.decode import load_photo
from vision.photo.lens import Lens
from waymark.cli.main import cli

SIZE = (63.0, 88.0)
Picture = NDArray[np.uint8]


def face(card: str) -> Picture:
    """A card's art, blue-green-red."""
    return np.asarray(cv2.cvtColor(card_face(open_deck(), open_deck().card(card)), cv2.COLOR_RGB2BGR))


def seen_again(art: Picture) -> Picture:
    """The same face as another photo shows it: softer, noisy, lit from one side."""
    width = art.shape[1]
    soft = cv2.GaussianBlur(art, (0, 0), 1.6).astype(np.float32)
    light = np.linspace(0.8, 1.15, width, dtype=np.float32)[None, :, None]
    noise = np.random.default_rng(3).normal(0, 4, soft.shape)
    return np.asarray(np.clip(soft * light + noise, 0, 255), np.uint8)


def card_ids(count: int) -> list[str]:
    """Cards of the open deck that are not alike."""
    return [card.id for card in open_deck().cards if card.kind == "dungeon"][:count]


# --- telling faces apart ------------------------------------------------------------------------------------


def test_a_face_is_the_same_in_another_light() -> None:
    art = face(card_ids(1)[0])
    assert verdict_of(compare(prepared(seen_again(art), SIZE), prepared(art, SIZE))) == "same"


def test_a_face_with_one_find_more_is_another() -> None:
    art = face(card_ids(1)[0])
    twin = art.copy()
    per_mm = art.shape[1] / SIZE[0]
    cv2.circle(twin, (round(31 * per_mm), round(60 * per_mm)), round(3.5 * per_mm), (20, 180, 230), -1)
    cv2.circle(twin, (round(31 * per_mm), round(60 * per_mm)), round(3.5 * per_mm), (20, 60, 90), 3)
    assert verdict_of(compare(prepared(seen_again(twin), SIZE), prepared(art, SIZE))) == "other"


def test_starters_of_two_colours_are_two_cards() -> None:
    alike = [card.id for card in open_deck().cards if card.kind == "starter"]
    layouts: dict[str, list[str]] = {}
    for card in alike:
        layouts.setdefault(card.rpartition("-")[0], []).append(card)
    one, other = next(cards for cards in layouts.values() if len(cards) > 1)[:2]
    assert verdict_of(compare(prepared(seen_again(face(one)), SIZE), prepared(face(other), SIZE))) == "other"


# --- the parts ----------------------------------------------------------------------------------------------


def test_a_lens_bends_lines_and_straightens_them() -> None:
    lens = Lens(4000, 3000, k1=-0.03, k2=0.01)
    points = np.array([[0.0, 0.0], [3999.0, 10.0], [2000.0, 1500.0], [1200.0, 2900.0]])
    assert np.abs(lens.straight(lens.seen(points)) - points).max() < 0.01
    assert np.abs(lens.seen(points) - points).max() > 10


def test_rectangles_are_found_at_any_angle_on_a_plain_table() -> None:
    table = np.full((250, 350, 3), (120, 128, 128), np.uint8)
    for x, y, angle in ((100, 100, 20.0), (240, 140, 65.0)):
        box = cv2.boxPoints(((x, y), SIZE, angle))
        cv2.fillConvexPoly(table, np.int32(box), (200, 128, 128))
    found = find_rectangles(table, np.eye(3), SIZE, np.radians([-25.0, 0.0, 20.0, 65.0]))
    assert np.allclose(sorted(one.centre_mm for one in found), [(100, 100), (240, 140)], atol=3)
    assert sorted(round(np.degrees(one.turn_rad)) for one in found) == [20, 65]


def chequered(height: int, width: int, check: int = 20) -> Picture:
    """A cloth of two colours."""
    y, x = np.mgrid[:height, :width] // check
    cloth = np.where(((x + y) % 2 == 0)[..., None], (60, 90, 40), (220, 225, 230))
    noise = np.random.default_rng(1).normal(0, 3, cloth.shape)
    return np.asarray(np.clip(cloth + noise, 0, 255), np.uint8)


def test_a_table_has_all_colours_that_the_border_shows() -> None:
    photo = chequered(420, 560)
    photo[120:300, 200:330] = (150, 120, 170)
    unlike = unlike_table(np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2Lab), np.uint8))
    assert unlike[130:290, 210:320].min() > 0.9
    unlike[115:305, 195:335] = 0
    assert unlike.mean() < 0.02


def test_round_corners_are_told_where_the_sides_would_meet() -> None:
    drawn = np.full((400, 500, 3), 60, np.uint8)
    cv2.rectangle(drawn, (100 + 25, 80), (380 - 25, 300), (200, 200, 200), -1)
    cv2.rectangle(drawn, (100, 80 + 25), (380, 300 - 25), (200, 200, 200), -1)
    for x, y in itertools.product((125, 355), (105, 275)):
        cv2.circle(drawn, (x, y), 25, (200, 200, 200), -1)
    lab = np.asarray(cv2.cvtColor(drawn, cv2.COLOR_BGR2Lab), np.uint8)
    corners = np.array([[100, 80], [380, 80], [380, 300], [100, 300]], float)
    errors = [
        np.abs(np.roll(quad, turn, axis=0) - corners).max()
        for quad in find_quads(lab, unlike_table(lab))
        for turn in range(4)
    ]
    assert min(errors) < 2.5


def test_a_sleeves_rim_is_not_the_cards_edge() -> None:
    per_mm, rim = 8, 12  # 1.5 mm of film on all sides
    photo = np.full((900, 800, 3), (50, 60, 70), np.uint8)
    left, top, width, height = 120, 90, 63 * per_mm, 88 * per_mm
    cv2.rectangle(
        photo, (left - rim, top - rim), (left + width + rim - 1, top + height + rim - 1), (62, 72, 82), -1
    )
    art = np.asarray(cv2.resize(face(card_ids(1)[0]), (width, height)), np.uint8)
    photo[top : top + height, left : left + width] = art
    photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), 1.2), np.uint8)
    table = TableColours(photo[:60].reshape(-1, 3), art.reshape(-1, 3))
    scale = (width + 2 * rim) / width, (height + 2 * rim) / height
    thought = np.array(
        [[per_mm * scale[0], 0, left - rim - 0.5], [0, per_mm * scale[1], top - rim - 0.5], [0, 0, 1.0]]
    )
    strips = strips_of(photo, Lens(800, 900), thought, SIZE, table)
    assert own_outline([strips]) == pytest.approx(-1.4, abs=0.25)


@pytest.mark.long
@pytest.mark.parametrize("size", [(88.0, 63.0), (70.0, 70.0), (57.0, 87.0)])
def test_cards_of_any_shape_are_found_on_a_chequered_cloth(size: tuple[float, float]) -> None:
    pixels, per_mm = chequered(1050, 1400, 31), 3.4
    wide, high = (round(side * per_mm) for side in size)
    true = []
    for k, card in enumerate(card_ids(6)):
        x, y = 150 + (k % 3) * 390, 150 + (k // 3) * 400
        art = face(card) if wide <= high else np.ascontiguousarray(np.rot90(face(card)))
        pixels[y : y + high, x : x + wide] = cv2.resize(art, (wide, high), interpolation=cv2.INTER_AREA)
        true.append((x + wide / 2 - 0.5, y + high / 2 - 0.5))
    good, data = cv2.imencode(".png", pixels)
    assert good
    found = find_blank_cards(load_photo(bytes(data), whole=True), size).cards
    middles = sorted(
        (tuple(card.corners_px.mean(axis=0)) for card in found), key=lambda at: (at[1] > 500, at[0])
    )
    assert len(found) == 6 and np.abs(np.array(middles) - np.array(true)).max() < 3


def test_what_lies_beyond_round_corners_is_not_of_the_art() -> None:
    art = np.full((880, 630, 3), 40, np.uint8)
    cv2.rectangle(art, (0, 0), (629, 879), (0, 0, 255), -1)
    art[:8, :8] = 0
    filled = corners_filled(art, SIZE, 3.0)
    assert (filled[:8, :8] == (0, 0, 255)).all()
    assert np.array_equal(corners_filled(art, SIZE, 0.0), art)


def test_no_photo_has_the_true_colours() -> None:
    warm, cool, other = (0.4, 0.5, 0.6), (0.6, 0.5, 0.4), (0.5, 0.5, 0.5)
    deck = tones_of_deck([Tones((0.0,) * 3, paper) for paper in (warm, cool, other)])
    assert max(deck.paper) - min(deck.paper) < 0.01
    grey = np.full((4, 4, 3), 120, np.uint8)
    lit = balanced(grey, np.array(warm), deck.contrast)[0, 0].astype(int)
    assert lit[0] > lit[1] > lit[2]


# --- from photo to catalogue --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two photos of blank cards on plain tables with two cards in common, and their truths beside them."""
    folder = tmp_path_factory.mktemp("photos")
    ids = card_ids(8)
    shots = [
        blank_shot(open_deck(), "tuning", 700_000 + k, hand) for k, hand in enumerate([ids[:5], ids[3:8]])
    ]
    return [
        write_shot(
            replace(shot, scene=msgspec.structs.replace(shot.scene, table=Table("dark_desk", k))), folder
        )
        for k, shot in enumerate(shots)
    ]


def truth_of(photo: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(photo.with_name(photo.stem + ".truth.json").read_bytes())
    return told


@pytest.fixture(scope="module")
def box(photos: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both photos enrolled by the command."""
    folder = tmp_path_factory.mktemp("enrolled") / "box"
    answer_file = folder.parent / "answer.json"
    result = CliRunner().invoke(cli, ["enrol", str(folder), *map(str, photos), "--json", str(answer_file)])
    assert result.exit_code == 0, result.output
    return folder


def told(box: Path) -> dict[str, Any]:
    answered: dict[str, Any] = json.loads((box.parent / "answer.json").read_bytes())
    return answered


@pytest.mark.long
def test_every_card_is_enrolled_once(box: Path, photos: list[Path]) -> None:
    answered = told(box)
    assert answered["format"] == "waymark-enrol/1" and answered["cards"] == 8
    owner: dict[str, set[str]] = {}
    for photo, seen in zip(photos, answered["photos"], strict=True):
        cards = truth_of(photo)["cards"]
        assert len(seen["faces"]) == len(cards)
        for each in seen["faces"]:
            error, name = min(
                (corner_error(np.array(each["corners"]), np.array(card["corners"]), (0, 2))[0], card["card"])
                for card in cards
            )
            # the second photo has another light: what comes again may be asked about, and as what it is
            assert error < 0.01 and (each["question"] is None or not each["new"])
            owner.setdefault(each["card"], set()).add(name)
    assert len(owner) == 8 and all(len(names) == 1 for names in owner.values())
    assert sum(not each["new"] for each in answered["photos"][1]["faces"]) == 2


@pytest.mark.long
def test_the_catalogue_is_one_and_has_art(box: Path) -> None:
    made = read_catalogue(box)
    assert (made.game, made.card_size_mm, len(made.cards)) == ("mapmasters", SIZE, 8)
    for card in made.cards:
        art = cv2.imread(str(made.art_path(card)))
        assert art is not None and art.shape[1] >= 8 * 63 and card.tracing == "no"


@pytest.mark.long
def test_the_same_photo_again_adds_nothing(box: Path, photos: list[Path], tmp_path: Path) -> None:
    again = shutil.copytree(box, tmp_path / "box")
    seen = enrol_photo(again, photos[0])
    assert seen.cards == 8 and not any(each.new for each in seen.faces)
    kept = read_faces(again)
    asked = [each for each in kept.asked if each.kind != "reference"]
    assert sum(len(each.views) for each in kept.faces) + len(asked) == 10


@pytest.mark.long
def test_what_a_person_changed_stays(box: Path, photos: list[Path], tmp_path: Path) -> None:
    edited = shutil.copytree(box, tmp_path / "box")
    file = edited / "catalogue.json"
    catalogue = json.loads(file.read_bytes())
    catalogue["name"] = "Grandmother's box"
    names = [card["id"] for card in catalogue["cards"]]
    catalogue["cards"][0]["id"] = "Gate"
    removed = catalogue["cards"].pop(1)
    file.write_text(json.dumps(catalogue), "utf-8")
    seen = enrol_photo(edited, photos[0])
    kept = read_catalogue(edited)
    assert kept.name == "Grandmother's box"
    assert [card.id for card in kept.cards] == ["Gate", *names[2:]]
    assert "Gate" in [each.card for each in seen.faces]
    [asked] = [each for each in seen.faces if each.question is not None]
    assert asked.question is not None and "taken out" in asked.question.en and not asked.new
    assert answer(edited, asked.name, "leave") == "" and len(read_catalogue(edited).cards) == 7
    [asked] = [each for each in enrol_photo(edited, photos[0]).faces if each.question is not None]
    assert answer(edited, asked.name, "new") not in names
    assert removed["id"] not in [card.id for card in read_catalogue(edited).cards]
    with pytest.raises(WaymarkError, match="no open question"):
        answer(edited, asked.name, "new")


@pytest.mark.long
def test_backs_are_left_out(tmp_path: Path) -> None:
    ids = card_ids(4)
    shot = blank_shot(open_deck(), "tuning", 700_010, [ids[0], "", ids[1], "", ids[2], ids[3]])
    seen = enrol_by_truth(tmp_path / "box", write_shot(shot, tmp_path))
    assert seen.backs == 2 and seen.cards == 4


@pytest.mark.long
def test_a_face_that_is_the_same_both_ways_up_is_asked_about(tmp_path: Path) -> None:
    ids = card_ids(4)
    shot = blank_shot(open_deck(), "tuning", 700_012, [*ids, ""])
    seen = enrol_photo(tmp_path / "box", write_shot(shot, tmp_path))
    [asked] = [each for each in seen.faces if each.question is not None]
    assert asked.question is not None and "back" in asked.question.en and seen.cards == 4
    assert answer(tmp_path / "box", asked.name, "back") == ""
    assert len(read_faces(tmp_path / "box").backs) == 1


@pytest.mark.long
def test_power_may_fail_at_any_moment(photos: list[Path], tmp_path: Path) -> None:
    """Kills at so many moments of the second photo's enrolment (`WAYMARK_ENROL_KILLS`): what the first one
    gave is there each time, whole, and the second one goes through in the end."""
    folder = tmp_path / "box"
    first = enrol_by_truth(folder, photos[0])
    confirmed = {each.card for each in first.faces}
    program = [sys.executable, str(Path(__file__).parents[1] / "support" / "enrol_by_truth.py")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    trial = shutil.copytree(folder, tmp_path / "trial")
    started = time.monotonic()
    subprocess.run([*program, str(trial), str(photos[1])], check=True, env=environment)
    whole = time.monotonic() - started
    for moment in np.linspace(0.3, 1.0, int(os.environ.get("WAYMARK_ENROL_KILLS", "2"))):
        again = subprocess.Popen([*program, str(folder), str(photos[1])], env=environment)
        time.sleep(moment * whole)
        again.send_signal(signal.SIGKILL)
        again.wait()
        catalogue = read_catalogue(folder)
        assert confirmed <= {card.id for card in catalogue.cards}
        for card in catalogue.cards:
            assert cv2.imread(str(catalogue.art_path(card))) is not None
    last = enrol_by_truth(folder, photos[1])
    # What comes again in another light may be asked about, and as what it is.
    assert last.cards == 8 and not any(each.question and each.new for each in last.faces)
    assert len({each.card for each in itertools.chain(first.faces, last.faces)}) == 8


def test_what_power_left_half_done_was_never_there(tmp_path: Path) -> None:
    """The store is written before the catalogue: a face that is in it alone was not taken out by a person."""
    kept = Faces(pending="p1", faces=[KnownFace(art="art/C01.png", views=[View("v.png", "p1", 8.0)])])
    (tmp_path / "enrol").mkdir()
    write_faces(tmp_path, kept)
    assert confirmed_faces(tmp_path).faces == []
    write_faces(tmp_path, msgspec.structs.replace(kept, pending=""))
    assert len(confirmed_faces(tmp_path).faces) == 1


# --- what cannot be enrolled --------------------------------------------------------------------------------


def refused(*words: str, status: int) -> str:
    result = CliRunner().invoke(cli, ["enrol", *words])
    assert result.exit_code == status, result.output
    return result.output


def test_a_size_is_told_in_millimetres(tmp_path: Path) -> None:
    assert "63x88" in refused(str(tmp_path / "box"), "a.jpg", "--card-size", "63", status=2)
    assert "63x88" in refused(str(tmp_path / "box"), "a.jpg", "--card-size", "0x88", status=2)
    assert not (tmp_path / "box").exists()


def test_what_is_no_photo_or_no_catalogue_is_one_sentence(tmp_path: Path) -> None:
    text = tmp_path / "a.jpg"
    text.write_text("no photo")
    assert "not a picture" in refused(str(tmp_path / "box"), str(text), status=3)
    assert "cannot be read" in refused(str(tmp_path / "box"), str(tmp_path / "none.jpg"), status=3)
    other = tmp_path / "other"
    other.mkdir()
    (other / "catalogue.json").write_text("[]")
    assert "not a Waymark catalogue" in refused(str(other), str(text), status=3)


def test_a_photo_without_a_card_is_told(tmp_path: Path) -> None:
    empty = tmp_path / "table.png"
    noise = np.random.default_rng(1).normal(120, 6, (600, 800, 3))
    cv2.imwrite(str(empty), np.clip(noise, 0, 255).astype(np.uint8))
    assert "No card of 63 x 88 mm" in refused(str(tmp_path / "box"), str(empty), status=4)
    assert not (tmp_path / "box" / "catalogue.json").exists()
