"""The layout: every card with its place and turn, one frame for all, groups told apart, doubts told."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from long_rest import long_but
from table_photos import CARDS, Laid, photograph, small_catalogue

from scorer.errors import WaymarkError
from vision.cards import cards_in_view
from vision.cards import features as cards_module
from vision.cards import hypotheses as candidates_module
from vision.cards.features import Sighting
from vision.cards.find_layout import read_layout
from vision.cards.hypotheses import Candidate
from vision.cards.index import CardIndex, load_index
from vision.cards.layout import Layout
from vision.photo import geometry
from vision.photo.decode import Photo
from vision.photo.view import View

ROW = [Laid("D01", 0, 0), Laid("D17", 63, 44, 180), Laid("B01", 126, 0), Laid("S4-green", 126, 88, 180)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> CardIndex:
    return load_index(small_catalogue(tmp_path_factory.mktemp("layout") / "deck"))


def without(index: CardIndex, *ids: str) -> CardIndex:
    """The index of a catalogue that lacks some cards."""
    return index.of([number for number, name in enumerate(index.ids) if name not in ids])


def assert_laid_out(layout: Layout, cards: list[Laid], corners: list[np.ndarray]) -> None:
    """Ids, corners within 4 % of a card's height, and places and turns up to one turn of the whole."""
    truth = {card.card: (card, quad) for card, quad in zip(cards, corners, strict=True)}
    assert sorted(pose.card for pose in layout.poses) == sorted(truth)
    flips = {(pose.rotation - truth[pose.card][0].turn) % 360 for pose in layout.poses}
    assert len(flips) == 1
    flip = flips.pop()
    first = truth[layout.poses[0].card][0]
    for pose in layout.poses:
        card, quad = truth[pose.card]
        assert np.abs(pose.corners_px - quad).max() < 0.02 * np.linalg.norm(quad[3] - quad[0])
        away = np.array([card.x - first.x, card.y - first.y])
        expected = away if flip == 0 else -away
        assert np.abs([pose.x_mm, pose.y_mm] - expected).max() < 1.0


@pytest.mark.parametrize(("roll", "tilt"), long_but([(0, 10), (80, 30), (185, 40)], 1))
def test_places_and_turns_are_read(index: CardIndex, roll: float, tilt: float) -> None:
    photo, corners = photograph(ROW, roll_deg=roll, tilt_deg=tilt)
    layout = read_layout(photo, index)
    assert_laid_out(layout, ROW, corners)
    assert layout.others == () and layout.doubts == ()
    assert min(pose.confidence for pose in layout.poses) > 0.8


@pytest.mark.long
def test_a_table_seen_from_far_aside_is_read(index: CardIndex) -> None:
    photo, corners = photograph(ROW, tilt_deg=66, roll_deg=4)
    assert_laid_out(read_layout(photo, index), ROW, corners)


def test_table_and_card_maps_agree(index: CardIndex) -> None:
    photo, _ = photograph(ROW)
    layout = read_layout(photo, index)
    for pose in layout.poses:
        by_card = geometry.apply(pose.card_to_photo, np.array([31.5, 44.0]))
        by_table = geometry.apply(layout.table_to_photo, np.array([pose.x_mm + 31.5, pose.y_mm + 44.0]))
        assert np.linalg.norm(by_card - by_table) < 0.01 * photo.height
        assert np.allclose(geometry.apply(pose.card_to_photo, np.zeros(2)), pose.corners_px[0])


def test_most_cards_are_upright_in_the_frame(index: CardIndex) -> None:
    upside_down = [replace(card, turn=(card.turn + 180) % 360) for card in ROW[:3]]
    photo, _ = photograph(upside_down)
    turns = [pose.rotation for pose in read_layout(photo, index).poses]
    assert sorted(turns) == [0, 0, 180]


@pytest.mark.long
def test_small_gaps_and_turns_of_the_hand_are_no_other_layout(index: CardIndex) -> None:
    cards = [Laid("D09", 0, 0, 1.2), Laid("D25", 64, 1.0, -1.0), Laid("D41", 127.5, 44.8, 181)]
    photo, _ = photograph(cards)
    layout = read_layout(photo, index)
    assert len(layout.poses) == 3
    placed = {pose.card: pose for pose in layout.poses}
    assert {pose.rotation for pose in layout.poses} == {0, 180}
    across = abs(placed["D25"].x_mm - placed["D09"].x_mm)
    assert abs(across - 63) < 1.0


@pytest.mark.parametrize("gap", long_but([3.5, 2.0, 6.0], 1))
def test_cards_in_sleeves_are_told_as_they_would_lie_without(index: CardIndex, gap: float) -> None:
    across, down = 63 + gap, 88 + gap
    sleeved = [
        Laid("D01", 0, 0),
        Laid("D17", across, down / 2 + 0.6, 180.8),
        Laid("B01", 2 * across, 0, -0.7),
        Laid("S4-green", 2 * across - 0.6, down, 180),
        Laid("D33", 2 * across, 2 * down),
        Laid("D49", 3 * across, 2.5 * down, 0.5),
    ]
    photo, _ = photograph(sleeved)
    layout = read_layout(photo, index)
    assert layout.others == () and layout.doubts == ()
    places = {pose.card: (pose.x_mm, pose.y_mm) for pose in layout.poses}
    x, y = places["D01"]
    sign = 1 if layout.poses[[p.card for p in layout.poses].index("D01")].rotation == 0 else -1
    away = {card: (sign * (at[0] - x), sign * (at[1] - y)) for card, at in places.items()}
    assert {card: pytest.approx(at, abs=0.3) for card, at in away.items()} == {
        "D01": (0, 0),
        "D17": (63, 44),
        "B01": (126, 0),
        "S4-green": (126, 88),
        "D33": (126, 176),
        "D49": (189, 220),
    }


def test_cards_eleven_millimetres_away_belong_to_somebody_else(index: CardIndex) -> None:
    photo, _ = photograph([Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D33", 137, 0)])
    layout = read_layout(photo, index)
    assert {pose.card for pose in layout.poses} == {"D01", "D17"}
    assert [pose.card for pose in layout.others] == ["D33"]


@pytest.mark.long
def test_a_card_laid_across_is_reported_as_turned(index: CardIndex) -> None:
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D33", 126, 0, 90)]
    photo, _ = photograph(cards)
    turns = {pose.card: pose.rotation for pose in read_layout(photo, index).poses}
    assert turns["D01"] == turns["D17"] == 0
    assert turns["D33"] in (90, 270)


def test_cards_that_do_not_touch_are_told_apart(index: CardIndex) -> None:
    cards = [*ROW[:3], Laid("D57", 40, -110, 25)]
    photo, _ = photograph(cards)
    layout = read_layout(photo, index)
    assert sorted(pose.card for pose in layout.poses) == sorted(card.card for card in ROW[:3])
    assert [pose.card for pose in layout.others] == ["D57"]


@pytest.mark.long
def test_ink_over_all_cards_does_not_hide_them(index: CardIndex) -> None:
    random = np.random.default_rng(3)
    ink = [random.uniform((5, 5), (184, 170), (25, 2)).tolist() for _ in range(2)]
    photo, corners = photograph(ROW, ink=ink)
    assert_laid_out(read_layout(photo, index), ROW, corners)


def test_a_dark_noisy_photo_is_read(index: CardIndex) -> None:
    photo, corners = photograph(ROW, light=0.2, noise=4)
    assert_laid_out(read_layout(photo, index), ROW, corners)


def test_a_single_card_is_a_layout(index: CardIndex) -> None:
    photo, corners = photograph([Laid("D65", 0, 0)])
    assert_laid_out(read_layout(photo, index), [Laid("D65", 0, 0)], corners)


def test_a_single_card_with_nothing_beside_it_takes_one_closer_look(
    index: CardIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[tuple[int, ...]] = []
    find = cards_module.find_features

    def counted(view: View, *args: Any, **options: Any) -> Any:
        looks.append(view.grey.shape)
        return find(view, *args, **options)

    monkeypatch.setattr("vision.cards.looks.find_features", counted)
    photo, _ = photograph([Laid("D65", 0, 0)])
    assert len(read_layout(photo, index).poses) == 1 and len(looks) <= 2


@pytest.mark.long
def test_a_catalogue_without_topology_is_recognised(tmp_path: Path) -> None:
    bare = load_index(small_catalogue(tmp_path / "bare", CARDS[3:9], topology=False))
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 44, 180)]
    photo, corners = photograph(cards)
    assert_laid_out(read_layout(photo, bare), cards, corners)


def test_a_card_that_is_not_in_the_catalogue_is_not_named(index: CardIndex) -> None:
    photo, _ = photograph(ROW)
    layout = read_layout(photo, without(index, "D17"))
    assert "D17" not in {pose.card for pose in layout.poses}
    named = {pose.card for pose in (*layout.poses, *layout.others)}
    assert named <= {card.card for card in ROW}


def test_a_card_of_no_catalogue_beside_the_tableau_is_asked_about(index: CardIndex) -> None:
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D33", 126, 0), Laid("D49", 63, 88)]
    photo, corners = photograph(cards)
    layout = read_layout(photo, without(index, "D49"))
    assert {pose.card for pose in layout.poses} == {"D01", "D17", "D33"}
    (doubt,) = layout.doubts
    assert (layout.poses[doubt.index].card, doubt.reason) == ("D17", "stranger")
    assert doubt.corners_px is not None
    assert np.linalg.norm(doubt.corners_px.mean(axis=0) - corners[3].mean(axis=0)) < 20


@pytest.mark.parametrize("checks", long_but([0.0, 8.0, 21.0], 1))
def test_a_cloth_is_no_card_and_hides_none(index: CardIndex, checks: float) -> None:
    photo, corners = photograph(ROW, checks_mm=checks, roll_deg=0.0)
    layout = read_layout(photo, index)
    assert_laid_out(layout, ROW, corners)
    assert layout.doubts == ()


def test_a_half_covered_card_is_told_and_asked_about(index: CardIndex) -> None:
    photo, corners = photograph(ROW)
    covered = photo.pixels.copy()
    top_left, top_right, bottom_right, bottom_left = corners[2]
    half = np.array([top_left, (top_left + top_right) / 2, (bottom_left + bottom_right) / 2, bottom_left])
    cv2.fillConvexPoly(covered, half.astype(np.int32), (90, 120, 180))
    layout = read_layout(Photo(covered), index)
    assert_laid_out(layout, ROW, corners)
    (doubt,) = layout.doubts
    assert (doubt.options[0], doubt.reason) == ("B01", "unlike-its-art")


def test_a_card_of_which_a_hand_leaves_little_is_told_and_asked_about(index: CardIndex) -> None:
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D33", 126, 0)]
    photo, corners = photograph(cards)
    covered = photo.pixels.copy()
    # The hand comes from the right and reaches over to the neighbour.
    hand = geometry.apply(
        _face_to_photo(corners[2]), np.array([[-30, 22], [80, 10], [80, 100], [20, 100], [-30, 70]], float)
    )
    cv2.fillConvexPoly(covered, hand.astype(np.int32), (110, 140, 190))
    layout = read_layout(Photo(covered), index)
    assert_laid_out(layout, cards, corners)
    asked = {doubt.options[0] for doubt in layout.doubts}
    assert "D33" in asked


def _face_to_photo(corners: np.ndarray) -> np.ndarray:
    face = geometry.rectangle(63, 88).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(face, corners.astype(np.float32)), np.float64)


@pytest.mark.parametrize("under", long_but([True, False], 0))
def test_a_card_under_a_hand_that_cannot_be_named_is_asked_about(index: CardIndex, under: bool) -> None:
    cards = [*ROW[:3], Laid("D33", 126, 88)]
    table, corners = photograph(cards, tilt_deg=0.0, roll_deg=0.0)
    photo = table if under else photograph(ROW[:3], tilt_deg=0.0, roll_deg=0.0)[0]
    covered = photo.pixels.copy()
    # four fingers, in the light and in shadow
    for finger in range(4):
        left = 5 + 15 * finger
        outline = np.array([[left, 10], [left + 8, 5], [left + 14, 9], [left + 16, 110], [left + 1, 110]])
        at_px = geometry.apply(_face_to_photo(corners[3]), outline.astype(float)).astype(np.int32)
        cv2.fillConvexPoly(
            covered, at_px, tuple((np.array([120, 150, 205]) * (1 - finger % 2 * 0.5)).tolist())
        )
    layout = read_layout(Photo(covered), without(index, "D33"))
    assert {pose.card for pose in layout.poses} == {"D01", "D17", "B01"}
    assert [doubt.reason for doubt in layout.doubts] == (["stranger"] if under else [])


def test_two_groups_as_large_are_asked_about(index: CardIndex) -> None:
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D33", 150, 0), Laid("D49", 213, 0)]
    photo, _ = photograph(cards)
    layout = read_layout(photo, index)
    assert len(layout.poses) == len(layout.others) == 2
    assert "group" in {doubt.reason for doubt in layout.doubts}


def test_a_card_that_runs_out_of_the_picture_is_asked_about(index: CardIndex) -> None:
    photo, corners = photograph(ROW, tilt_deg=0.0, roll_deg=0.0)
    edge = int(corners[0][:, 0].min() * 0.25 + corners[0][:, 0].max() * 0.75)
    layout = read_layout(Photo(np.ascontiguousarray(photo.pixels[:, edge:])), index)
    assert {pose.card for pose in layout.poses} == {"D17", "B01", "S4-green"}
    assert {doubt.reason for doubt in layout.doubts} <= {"cut-off", "stranger"}


@pytest.mark.parametrize(("size",), long_but([((640, 480),), ((4032, 3024),), ((400, 300),)], 0))
def test_pictures_of_every_size_are_read(index: CardIndex, size: tuple[int, int]) -> None:
    photo, corners = photograph(ROW, size=size)
    assert_laid_out(read_layout(photo, index), ROW, corners)


def test_cards_of_sixty_pixels_are_read(index: CardIndex) -> None:
    photo, corners = photograph(ROW)
    shrunk = 60 / float(np.linalg.norm(corners[0][3] - corners[0][0]))
    small = cv2.resize(photo.pixels, (0, 0), fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    layout = read_layout(Photo(np.asarray(small, np.uint8)), index)
    assert {pose.card for pose in layout.poses} == {card.card for card in ROW}


@pytest.mark.long
def test_the_other_colour_of_a_missing_starter_is_asked_about(index: CardIndex) -> None:
    cards = [Laid("S1-red", 0, 0), Laid("D17", 63, 44), Laid("D33", 126, 0)]
    photo, _ = photograph(cards)
    layout = read_layout(photo, without(index, "S1-red"))
    named = [pose.card for pose in layout.poses]
    if "S1-blue" in named:
        assert named.index("S1-blue") in {doubt.index for doubt in layout.doubts}


@pytest.mark.long
def test_a_hidden_card_that_parts_the_tableau_is_asked_about(index: CardIndex) -> None:
    cards = [Laid("D01", 0, 0), Laid("D17", 63, 0), Laid("D33", 126, 0), Laid("D49", 189, 44, 180)]
    photo, corners = photograph(cards)
    covered = photo.pixels.copy()
    cv2.fillConvexPoly(covered, corners[2].astype(np.int32), (200, 200, 200))
    layout = read_layout(Photo(covered), index)
    assert {pose.card for pose in layout.poses} == {"D01", "D17"}
    assert [pose.card for pose in layout.others] == ["D49"]
    (doubt,) = layout.doubts
    assert (layout.poses[doubt.index].card, doubt.reason) == ("D17", "gap")


@pytest.mark.long
def test_a_card_in_the_middle_may_be_what_is_left_of_the_tableau(index: CardIndex) -> None:
    aside, middle = [Laid("D01", 0, 0), Laid("D17", 63, 0)], Laid("D33", 250, 0)
    photo, corners = photograph([*aside, middle, Laid("D49", 480, 0)], tilt_deg=0.0)
    layout = read_layout(photo, index)
    assert {pose.card for pose in layout.poses} == {"D01", "D17"}
    (doubt,) = [each for each in layout.doubts if each.reason == "group"]
    assert doubt.corners_px is not None
    assert np.abs(doubt.corners_px.mean(axis=0) - corners[2].mean(axis=0)).max() < 10


@pytest.mark.long
def test_a_sighted_group_at_another_angle_is_laid_out_though_no_vote_is_for_it(
    index: CardIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = [Laid("D01", 0, 0, 20.0), Laid("D17", 59.2, 21.55, 20.0)]
    theirs = [Laid("D33", -190, 0), Laid("D49", -190, 88), Laid("D65", -127, 0)]
    photo, corners = photograph([*mine, *theirs], tilt_deg=0.0, roll_deg=0.0)
    true_candidates = candidates_module.find_candidates

    def theirs_alone(*seen: Any) -> tuple[np.ndarray, list[Candidate]]:
        plane, candidates = true_candidates(*seen)
        named = {index.ids.index(card.card) for card in theirs}
        return plane, [each for each in candidates if each.placed.card in named]

    monkeypatch.setattr(cards_in_view, "find_candidates", theirs_alone)
    layout = read_layout(photo, index)
    found = {pose.card: pose.corners_px for pose in (*layout.poses, *layout.others)}
    assert set(found) == {card.card for card in (*mine, *theirs)}
    for card, quad in zip((*mine, *theirs), corners, strict=True):
        assert np.abs(found[card.card] - quad).max() < 0.02 * np.linalg.norm(quad[3] - quad[0])


@pytest.mark.long
def test_the_only_card_of_a_photo_that_seems_to_show_more_is_asked_about(
    index: CardIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo, _ = photograph([Laid("D65", 0, 0)])
    assert read_layout(photo, index).doubts == ()
    true_sightings = cards_module.sight_cards

    def with_a_false_one(*seen: Any) -> tuple[Sighting, ...]:
        (card,) = true_sightings(*seen)
        skewed = card.card_to_photo @ np.array([[0.3, 0.1, 900.0], [0.0, 0.4, -40.0], [0.001, 0.0, 1.0]])
        return card, replace(card, card=0, card_to_photo=skewed)

    monkeypatch.setattr("vision.cards.looks.sight_cards", with_a_false_one)
    (doubt,) = read_layout(photo, index).doubts
    assert (doubt.index, doubt.options, doubt.reason) == (0, ("D65",), "alone")


@pytest.mark.long
def test_two_cards_with_one_face_are_a_doubt(index: CardIndex) -> None:
    twins = index.of([*range(len(index.ids)), index.ids.index("D17")])
    twins = replace(twins, ids=(*index.ids, "D17-reprint"))
    photo, _ = photograph(ROW[:3])
    layout = read_layout(photo, twins)
    (doubt,) = layout.doubts
    assert set(doubt.options) == {"D17", "D17-reprint"}
    assert layout.poses[doubt.index].card == doubt.options[0]


@pytest.mark.parametrize(("tinted", "read"), [("D17-reprint", "D17"), ("D17", "D17-reprint")])
def test_two_cards_that_differ_in_colour_alone_are_told_apart(
    index: CardIndex, tinted: str, read: str
) -> None:
    twins = index.of([*range(len(index.ids)), index.ids.index("D17")])
    twins = replace(twins, ids=(*index.ids, "D17-reprint"), tints=twins.tints.copy())
    bluer = twins.tints[twins.ids.index(tinted)].astype(float) * (1.2, 1.0, 0.9)
    twins.tints[twins.ids.index(tinted)] = bluer.clip(0, 255).astype(np.uint8)
    photo, _ = photograph(ROW[:3])
    # The lamp is warm: that shifts the colours of all cards alike.
    warm = Photo((photo.pixels * np.array([0.8, 0.95, 1.0])).astype(np.uint8))
    layout = read_layout(warm, twins)
    assert read in {pose.card for pose in layout.poses}
    assert layout.doubts == ()


@pytest.mark.long
@pytest.mark.parametrize(("tinted", "read"), [("D17-reprint", "D17"), ("D17", "D17-reprint")])
def test_colours_that_a_veil_paled_tell_sisters_apart(index: CardIndex, tinted: str, read: str) -> None:
    twins = index.of([*range(len(index.ids)), index.ids.index("D17")])
    twins = replace(twins, ids=(*index.ids, "D17-reprint"), tints=twins.tints.copy())
    bluer = twins.tints[twins.ids.index(tinted)].astype(float) * (1.15, 1.0, 0.92)
    twins.tints[twins.ids.index(tinted)] = bluer.clip(0, 255).astype(np.uint8)
    photo, _ = photograph(ROW[:3])
    # A warm haze over a cold light: it adds to what is dark as much as to what is bright.
    veiled = Photo((photo.pixels * np.array([0.65, 0.55, 0.5]) + np.array([50, 70, 90])).astype(np.uint8))
    layout = read_layout(veiled, twins)
    assert read in {pose.card for pose in layout.poses}
    assert layout.doubts == ()


@pytest.mark.long
def test_small_cards_in_a_large_photo_are_read(index: CardIndex) -> None:
    photo, corners = photograph(ROW[:3])
    shrunk = 75 / float(np.linalg.norm(corners[0][3] - corners[0][0]))
    small = cv2.resize(photo.pixels, (0, 0), fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    pixels = np.random.default_rng(1).normal(110, 1, (3024, 4032, 3)).astype(np.uint8)
    corner = np.array([1500, 1900])
    pixels[corner[1] : corner[1] + len(small), corner[0] : corner[0] + small.shape[1]] = small
    assert_laid_out(
        read_layout(Photo(pixels), index), ROW[:3], [each * shrunk + corner for each in corners[:3]]
    )


@pytest.mark.parametrize("printed", long_but(["as it is seen", "in another colour"], 1))
def test_a_card_under_glare_is_asked_about_where_its_colours_do_not_fit(
    index: CardIndex, printed: str
) -> None:
    photo, corners = photograph(ROW)
    glare = photo.pixels.copy()
    face_to_photo = _face_to_photo(corners[2])
    for left, wide in ((2, 14), (44, 12)):
        stripe = np.array([[left, 0], [left + wide, 0], [left + wide, 88], [left, 88]], float)
        cv2.fillConvexPoly(glare, geometry.apply(face_to_photo, stripe).astype(np.int32), (250, 250, 250))
    if printed == "in another colour":
        # Its sister in that colour, which lies there, is in no catalogue.
        index = replace(index, tints=index.tints.copy())
        sister = index.tints[index.ids.index("B01")] * np.array([1.25, 1.0, 0.85])
        index.tints[index.ids.index("B01")] = sister.clip(0, 255).astype(np.uint8)
    layout = read_layout(Photo(glare), index)
    assert_laid_out(layout, ROW, corners)
    asked = [(doubt.options[0], doubt.reason) for doubt in layout.doubts]
    assert asked == ([("B01", "unlike-its-art")] if printed == "in another colour" else [])


def test_the_middle_group_is_the_tableau_though_a_neighbours_is_larger(index: CardIndex) -> None:
    mine = [Laid("D01", 0, 0), Laid("D17", 63, 0)]
    theirs = [Laid("D33", -300, 0), Laid("D49", -300, 88), Laid("D65", -237, 0), Laid("D57", -237, 88)]
    photo, _ = photograph([*mine, *theirs, Laid("S1-red", 420, 44)], tilt_deg=0.0, roll_deg=0.0)
    layout = read_layout(photo, index)
    assert {pose.card for pose in layout.poses} == {"D01", "D17"}
    # The larger one is asked about, and once.
    assert [doubt.reason for doubt in layout.doubts] == ["group"]


def test_of_two_cards_in_nearly_one_colour_the_likelier_is_read_and_asked_about(index: CardIndex) -> None:
    twins = index.of([*range(len(index.ids)), index.ids.index("D17")])
    twins = replace(twins, ids=(*index.ids, "D17-reprint"), tints=twins.tints.copy())
    bluer = twins.tints[index.ids.index("D17")].astype(float) * (1.03, 1.0, 0.99)
    twins.tints[index.ids.index("D17")] = bluer.clip(0, 255).astype(np.uint8)
    layout = read_layout(photograph(ROW[:3])[0], twins)
    (doubt,) = layout.doubts
    assert doubt.options == ("D17-reprint", "D17")
    assert layout.poses[doubt.index].card == "D17-reprint"


@pytest.mark.parametrize("what", long_but(["a table", "noise", "cards of another catalogue"], 0))
def test_nothing_to_read_is_told(index: CardIndex, what: str) -> None:
    random = np.random.default_rng(2)
    if what == "a table":
        photo = Photo(np.full((900, 1200, 3), (90, 110, 150), np.uint8))
    elif what == "noise":
        photo = Photo(random.integers(0, 255, (900, 1200, 3), dtype=np.uint8))
    else:
        photo, _ = photograph(ROW)
        index = without(index, *(card.card for card in ROW))
    with pytest.raises(WaymarkError) as caught:
        read_layout(photo, index)
    assert (caught.value.code, caught.value.exit_status) == ("no-card", 4)
    assert caught.value.en and caught.value.ja
