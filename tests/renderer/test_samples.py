"""Sample photos: the truth beside a photo is what the photo shows."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from printed_faces import print_offset

from samples import camera, clutter, compositor, deck, ink, layouts, scenes, smooth, splits, tables, truth
from samples.projection import card_to_photo
from samples.sample import Sample
from samples.scene_schema import Camera, Light, Post, Table
from scorer.dungeon import build_dungeon
from scorer.mapmasters import referee_dungeon
from scorer.record import parse_record

SHIPPED = Path(__file__).parents[2] / "samples" / "photos"
POST = Post(k1=-0.03, k2=0.01)


@pytest.fixture(scope="module")
def some_samples() -> list[Sample]:
    return [scenes.make_sample("tuning", index) for index in range(3)]


def test_a_sample_is_a_function_of_split_and_index(some_samples: list[Sample]) -> None:
    again = scenes.make_sample("tuning", 0)
    assert again.scene == some_samples[0].scene
    assert again.record == some_samples[0].record
    for name, picture in again.images.items():
        assert np.array_equal(picture, some_samples[0].images[name])


def test_the_record_is_valid_and_its_legality_is_the_referees(some_samples: list[Sample]) -> None:
    for sample in some_samples:
        record = parse_record(msgspec.json.encode(sample.record))
        dungeon = build_dungeon(deck.open_deck(), record.cards)
        assert referee_dungeon(dungeon, record).legal == sample.legal
        length = sum(len(stroke) for stroke in record.path)
        assert 10 <= length <= 40
        assert len({card.card for card in record.cards}) == len(record.cards) <= 5


def test_the_cards_lie_in_one_piece_and_others_do_not_touch(some_samples: list[Sample]) -> None:
    for sample in some_samples:
        faults = build_dungeon(deck.open_deck(), sample.record.cards).faults
        assert "detached" not in {fault.rule for fault in faults}
        tableau = [clutter.ground_of(card) for card in sample.scene.cards]
        for other in sample.scene.others:
            assert min(clutter.ground_of(other).distance(card) for card in tableau) > 5


def test_the_declared_path_runs_along_the_ink(some_samples: list[Sample]) -> None:
    for sample in some_samples:
        on_ink = total = 0
        for line in sample.path_mm:
            for card in sample.scene.cards:
                local = layouts.table_to_card_true(card, line)
                inside = ((local > 0.5) & (local < np.asarray(card.size_mm) - 0.5)).all(axis=1)
                if not inside.any():
                    continue
                assert card.ink is not None
                alpha = sample.images[card.ink][..., 3]
                pixels = (local[inside] * ink.OVERLAY_PX_PER_MM).astype(int)
                on_ink += int((alpha[pixels[:, 1], pixels[:, 0]] > 60).sum())
                total += len(pixels)
        # lifted pens and starved felt leave gaps
        assert on_ink > 0.9 * total


def test_the_path_passes_its_places(some_samples: list[Sample]) -> None:
    for sample in some_samples:
        dungeon = build_dungeon(deck.open_deck(), sample.record.cards)
        for places, line in zip(sample.record.path, sample.path_mm, strict=True):
            for name in places[1:-1]:
                place = dungeon.places[name]
                if place.kind != "room":
                    assert np.linalg.norm(line - np.array(place.at_mm), axis=1).min() < 4.5, name


def test_corners_are_the_cards_own_in_the_photo(some_samples: list[Sample]) -> None:
    sample = some_samples[0]
    scene = sample.scene
    told = truth.truth_of(sample, renderer="compositor")
    for card, entry in zip(scene.cards, told["cards"], strict=True):
        ideal = camera.undistort(np.array(entry["corners"]), scene.camera, scene.post)
        again = card_to_photo(scene.camera, card, np.array([[0, 0], [63, 0], [63, 88], [0, 88.0]]))
        assert np.abs(ideal - again).max() < 0.05
        assert (np.array(entry["corners"]) > 0).all()


def test_a_rendered_card_lies_within_its_corners() -> None:
    sample = scenes.make_sample("tuning", 0)
    white = {name: np.full((704, 504, 3), 255, np.uint8) for name in sample.images}
    bare = tuple(msgspec.structs.replace(card, ink=None) for card in sample.scene.cards)
    view = msgspec.structs.replace(sample.scene.camera, width=800, height=600)
    scene = msgspec.structs.replace(
        sample.scene,
        cards=bare,
        others=(),
        props=(),
        camera=view,
        table=Table("dark_desk", 1),
        light=Light("overcast"),
        post=Post(noise=0, chroma_noise=0, k1=-0.05),
    )
    picture = compositor.photograph(scene, white.__getitem__).astype(float).mean(axis=2)
    inside, outside = np.zeros(picture.shape, np.uint8), np.ones(picture.shape, np.uint8)
    for card in scene.cards:
        for margin, mask, value in ((2.0, inside, 1), (-3.0, outside, 0)):
            low, wide, high = margin, 63 - margin, 88 - margin
            square = np.array([[low, low], [wide, low], [wide, high], [low, high]])
            seen = camera.distort(card_to_photo(view, card, square), view, scene.post)
            cv2.fillPoly(mask, [seen.round().astype(np.int32)], value)
    assert np.quantile(picture[inside > 0], 0.02) > 1.5 * np.quantile(picture[outside > 0], 0.98)


def test_a_printed_face_lies_where_its_truth_says(some_samples: list[Sample]) -> None:
    sample = some_samples[0]
    photo = compositor.photograph(sample.scene, sample.images.__getitem__)
    for card in sample.scene.cards:
        off_mm, agreement = print_offset(sample, photo, card)
        assert agreement > 0.5
        assert off_mm < 0.04, f"{card.card} is off by {off_mm} mm"


def test_a_field_enlarged_from_its_coarse_grid_is_the_field() -> None:
    shape = (2 * smooth.STRIP_PX + 37, 101)
    y, x = np.mgrid[: shape[0], : shape[1]]
    coarse_x, coarse_y = smooth.coarse_grid(shape)
    coarse = 3 * coarse_x - 2 * coarse_y
    assert np.abs(smooth.enlarge(coarse, shape) - (3 * x - 2 * y)).max() < 1e-2
    for rows, cells in smooth.strips(shape[0], smooth.STEP_PX):
        part = smooth.enlarge(coarse[cells], (rows.stop - rows.start, shape[1]))
        assert np.abs(part - (3 * x - 2 * y)[rows]).max() < 1e-2


def test_a_smaller_ideal_picture_makes_the_same_photo() -> None:
    quiet = Post(noise=0, chroma_noise=0, k1=-0.03, k2=0.01)
    y, x = np.mgrid[:600, :800]
    spots = [(150, 120), (640, 130), (400, 300), (170, 500), (660, 480)]
    bumps = sum(np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * 12.0**2)) for u, v in spots)
    whole = np.repeat((0.1 + 0.5 * bumps)[..., None], 3, axis=2).astype(np.float32)
    half = cv2.resize(whole, (400, 300), interpolation=cv2.INTER_AREA)
    one = camera.develop(whole, quiet).astype(int)
    other = camera.develop(half, quiet, (800, 600)).astype(int)
    assert np.abs(one - other).max() <= 3


def test_a_photo_has_no_seams_between_its_strips() -> None:
    grey = np.full((3 * smooth.STRIP_PX, 200, 3), 0.3, np.float32)
    photo = camera.develop(grey, Post(noise=0, chroma_noise=0, vignetting=0)).astype(int)
    assert np.ptp(photo[..., 1]) <= 1


def test_lens_distortion_inverts() -> None:
    view = Camera(target_mm=(0, 0), distance_mm=400, width=2000, height=1500)
    points = np.random.default_rng(1).uniform(0, 1500, (50, 2))
    assert np.abs(camera.undistort(camera.distort(points, view, POST), view, POST) - points).max() < 0.01


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_photo_stored_sideways_is_upright_after_its_tag(tmp_path: Path, orientation: int) -> None:
    rgb = np.zeros((60, 90, 3), np.uint8)
    rgb[:20, :20] = (255, 0, 0)
    view = Camera(target_mm=(0, 0), distance_mm=400, width=90, height=60)
    post = Post(exif_orientation=orientation, jpeg_quality=95)
    path = camera.write_photo(rgb, tmp_path / "photo", post, view)
    upright = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    assert upright is not None and upright.shape == (60, 90, 3)
    assert upright[5:15, 5:15, 0].mean() > 200 > 60 > upright[5:15, 5:15, 1].mean()


def test_splits_share_no_seed_lamp_ink_or_table() -> None:
    names = list(splits.FIRST_SEED)
    starts = sorted(splits.FIRST_SEED[name] for name in names)
    assert all(b - a >= splits.SEEDS_PER_SPLIT for a, b in itertools.pairwise(starts))
    assert all(not set(splits.LAMPS[a]) & set(splits.LAMPS[b]) for a, b in itertools.combinations(names, 2))
    assert len({splits.INK_SHIFT[name] for name in names}) == len(names)
    for some in (("tuning", "validation"), splits.EVENINGS):
        seeds = [splits.FIRST_SEED[name] for name in some]
        woods = [
            set(tables.designs_of([*tables.WOODS.values()], [*tables.EVENING_WOODS.values()], seed))
            for seed in seeds
        ]
        cloths = [
            set(tables.designs_of([*tables.CLOTHS.values()], [*tables.EVENING_CLOTHS.values()], seed))
            for seed in seeds
        ]
        assert all(woods) and all(cloths)
        assert all(not a & b for a, b in itertools.combinations(woods, 2))
        assert all(not a & b for a, b in itertools.combinations(cloths, 2))


def test_overlapping_film_is_darker() -> None:
    pen = ink.Pen.random(np.random.default_rng(3), "blue")
    rng = np.random.default_rng(4)
    across = [
        ink.path_stroke(np.array([[5.0, 20], [35, 20]]), pen, rng),
        ink.path_stroke(np.array([[20.0, 5], [20, 35]]), pen, rng),
    ]
    alone = ink.film(across[:1], lambda points: points, (40.0, 40.0), pen, 1)
    both = ink.film(across, lambda points: points, (40.0, 40.0), pen, 1)
    low, high = (round(side * ink.OVERLAY_PX_PER_MM) for side in (19.4, 20.6))
    middle = (slice(low, high), slice(low, high))
    assert both[middle].mean() > 1.4 * alone[middle].mean() > 0


def test_shipped_truth_loads_and_fits_its_photo() -> None:
    catalogue = deck.open_deck()
    found = sorted(SHIPPED.glob("*.truth.json"))
    assert found
    for path in found:
        told = msgspec.json.decode(path.read_bytes())
        record = parse_record(msgspec.json.encode(told["tableau"]))
        dungeon = build_dungeon(catalogue, record.cards)
        assert all(place in dungeon.places for stroke in record.path for place in stroke)
        assert len(told["cards"]) == len(record.cards)
        assert len(told["path_px"]) == len(record.path)
