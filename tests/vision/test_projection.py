"""The pinhole that renders and truth share."""

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samples.projection import (
    camera_position,
    card_corners_mm,
    card_to_photo,
    card_to_table,
    focal_px,
    photo_to_table,
    table_to_photo,
)
from samples.scene_schema import Camera, CardPose, Light, Scene, SceneCard, Table, load_scene, save_scene

CAMERA = Camera(target_mm=(100, 50), distance_mm=400, width=800, height=600)


def card(**pose: Any) -> SceneCard:
    return SceneCard("D01", 0, 0, 0, "face.png", CardPose(**{"centre_mm": (100, 50), "angle_deg": 0, **pose}))


def test_focal_length_is_equivalent_by_the_diagonal() -> None:
    assert focal_px(CAMERA) == pytest.approx(26 / 43.267 * 1000)


def test_target_falls_on_the_picture_centre_whatever_the_pose() -> None:
    turned = msgspec.structs.replace(CAMERA, tilt_deg=33, azimuth_deg=120, roll_deg=-70)
    assert table_to_photo(turned, [[100, 50]]) == pytest.approx(np.array([[399.5, 299.5]]))


def test_looking_straight_down_keeps_right_and_down() -> None:
    scale = focal_px(CAMERA) / 400
    points = table_to_photo(CAMERA, [[110, 50], [100, 60]])
    assert points == pytest.approx(np.array([[399.5 + 10 * scale, 299.5], [399.5, 299.5 + 10 * scale]]))


def test_tilt_leans_the_camera_over_the_bottom_of_the_table_and_shrinks_the_top() -> None:
    tilted = msgspec.structs.replace(CAMERA, tilt_deg=30)
    assert camera_position(tilted) == pytest.approx([100, -50 - 200, 400 * np.cos(np.radians(30))])
    top, bottom = (np.diff(table_to_photo(tilted, [[90, y], [110, y]]), axis=0)[0, 0] for y in (0.0, 100.0))
    assert 0 < top < bottom


def test_azimuth_90_puts_the_camera_on_the_right() -> None:
    from_right = msgspec.structs.replace(CAMERA, tilt_deg=30, azimuth_deg=90)
    assert camera_position(from_right)[0] == pytest.approx(300)


def test_a_raised_point_moves_away_from_the_point_under_the_lens() -> None:
    low, high = table_to_photo(CAMERA, [[150, 50, 0], [150, 50, 20]])
    assert high[0] - 399.5 == pytest.approx((low[0] - 399.5) * 400 / 380)


def test_points_behind_the_lens_have_no_picture() -> None:
    assert np.isnan(table_to_photo(CAMERA, [[100, 50, 500]])).all()


@given(
    st.floats(0, 40),
    st.floats(-180, 180),
    st.floats(-180, 180),
    st.floats(300, 600),
    st.floats(0, 5),
    st.tuples(st.floats(0, 799), st.floats(0, 599)),
)
def test_photo_to_table_undoes_table_to_photo(
    tilt: float, azimuth: float, roll: float, distance: float, height: float, pixel: tuple[float, float]
) -> None:
    camera = Camera((100, 50), distance, 800, 600, tilt, azimuth, roll)
    on_table = photo_to_table(camera, [pixel], height)
    back = table_to_photo(camera, np.column_stack([on_table, [height]]))
    assert back == pytest.approx(np.array([pixel]), abs=1e-6)


def test_a_flat_card_keeps_its_nominal_corners() -> None:
    corners = card_to_table(card(), card_corners_mm(card()))
    expected = [[68.5, 6, 0.35], [131.5, 6, 0.35], [131.5, 94, 0.35], [68.5, 94, 0.35]]
    assert corners == pytest.approx(np.array(expected))


def test_a_card_turned_by_180_shows_its_printed_top_left_at_the_bottom_right() -> None:
    turned = card(angle_deg=180)
    assert card_to_table(turned, [[0, 0]]) == pytest.approx(np.array([[131.5, 94, 0.35]]))


def test_card_angles_turn_clockwise_as_seen_from_above() -> None:
    right_edge = card_to_table(card(angle_deg=90), [[63, 44]])[0]
    assert right_edge[:2] == pytest.approx([100, 50 + 31.5])


def test_bow_raises_the_middle_or_the_ends_and_tilt_never_sinks_into_the_table() -> None:
    middle, end = [31.5, 44], [31.5, 0]
    assert card_to_table(card(bow_mm=1.0), [middle, end])[:, 2] == pytest.approx([1.35, 0.35])
    assert card_to_table(card(bow_mm=-1.0), [middle, end])[:, 2] == pytest.approx([0.35, 1.35])
    tilted = card(tilt_deg=(1.0, -0.5), lift_mm=0.1)
    heights = card_to_table(tilted, card_corners_mm(tilted))[:, 2]
    assert heights.min() == pytest.approx(0.45)
    assert heights.argmin() == 3  # bottom-left: the right edge and the top edge are the raised ones


def test_card_to_photo_is_the_composition() -> None:
    bent = card(bow_mm=0.8, angle_deg=3)
    points = [[10, 20], [60, 80]]
    on_table = card_to_table(bent, points)
    assert card_to_photo(CAMERA, bent, points) == pytest.approx(table_to_photo(CAMERA, on_table))


def test_a_scene_survives_its_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    scene = Scene(7, (card(),), Table("wood"), Light("window"), CAMERA)
    save_scene(scene, tmp_path / "s")
    assert load_scene(tmp_path / "s") == scene


def test_an_unknown_field_is_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "scene.json").write_text('{"seed": 1, "sead": 2}')
    with pytest.raises(msgspec.ValidationError, match="sead"):
        load_scene(tmp_path)
