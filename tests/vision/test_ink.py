"""Ink: what the pen added, told from the blank card, from glare and from things that lie about."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from drawn_cards import PENS, PX_PER_MM, Table, catalogue
from other_deck import BOARD, PAPER, other_deck

from scorer.record import PlacedCard
from vision.cards.pose import corners_of
from vision.ink import rectify
from vision.ink.faces import SeenCards
from vision.ink.ink_map import PX_PER_MM as INK_PX_PER_MM
from vision.ink.ink_map import InkMap
from vision.ink.likelihood import read_ink
from vision.ink.occlusion import _grown, washed_out
from vision.ink.rectify import residual_flow
from vision.ink.relight import Relit
from vision.photo.decode import Photo


def card() -> str:
    """A dungeon card with stairs: two levels, corridors, rock."""
    return next(
        c.id for c in catalogue().cards if c.kind == "dungeon" and any(n.kind == "stairs" for n in c.nodes)
    )


def read(table: Table, **photo: Any) -> InkMap:
    taken, layout = table.photo(**photo)
    return read_ink(taken.pixels, layout.poses, catalogue())


def nearest_pen(ink: InkMap) -> str:
    """The pen of the tests that is nearest to the colour found."""
    assert ink.pens
    return min(PENS, key=lambda pen: math.dist(np.array(PENS[pen]) / 255, ink.pens[0].bgr))


def at(ink: InkMap, picture: np.ndarray, points_mm: np.ndarray) -> np.ndarray:
    columns, rows = np.round(ink.to_px(points_mm)).astype(int).T
    made: np.ndarray = picture[rows, columns]
    return made


DIAGONAL = np.column_stack([np.linspace(12, 50, 80), np.linspace(14, 74, 80)])


@pytest.mark.parametrize("pen", ["black", "blue", "red", "green", "purple"])
def test_a_line_is_ink_and_the_card_beside_it_is_not(pen: str) -> None:
    table = Table((PlacedCard(card(), 0, 0, 0),), pen=pen)
    link = max(
        (link for link in table.dungeon.links if link.kind == "corridor"),
        key=lambda link: np.linalg.norm(np.diff(link.line_mm, axis=0), axis=1).sum(),
    )
    line = np.array(link.line_mm)
    fine = np.column_stack(
        [np.interp(np.linspace(0, 1, 60), np.linspace(0, 1, len(line)), line[:, k]) for k in (0, 1)]
    )
    table.draw(fine)
    ink = read(table)
    middle = at(ink, ink.evidence, fine[8:-8])
    assert np.mean(middle > 0) > 0.95
    assert nearest_pen(ink) == pen
    everywhere = ink.evidence[ink.visible]
    assert np.mean(everywhere > 1.0) < 0.08


def test_a_blank_card_shows_no_ink() -> None:
    ink = read(Table((PlacedCard(card(), 0, 0, 0),)))
    assert np.mean(ink.evidence > 1.0) < 0.01
    assert np.mean(ink.evidence[ink.visible] < -1.0) > 0.7
    assert ink.pens == ()


@pytest.mark.parametrize("radius_mm", [0.0, 0.3, 1.0, 3.0, 6.0])
def test_corners_of_every_radius_keep_the_ink_between_them(radius_mm: float, tmp_path: Path) -> None:
    deck = other_deck(tmp_path, replace(PAPER, radius_mm=radius_mm))
    width, height = deck.card_size_mm
    table = Table((PlacedCard("K1", 0, 0, 0),), deck=deck)
    line = np.column_stack([np.full(60, 0.3 * width), np.linspace(0.08, 0.92, 60) * height])
    table.draw(line)
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, deck)
    assert np.mean(at(ink, ink.evidence, line) > 0) > 0.95
    # what is rounded off is left out, and nothing else
    cut_off = (4 - math.pi) * radius_mm**2
    assert ink.visible.sum() / INK_PX_PER_MM**2 == pytest.approx(
        (width - 1) * (height - 1) - cut_off, rel=0.05
    )
    corner = at(ink, ink.visible, np.array([[0.8, 0.8], [width - 0.8, height - 0.8]]))
    assert corner.tolist() == [radius_mm < 1.5] * 2


def test_a_light_pen_is_ink_on_dark_cards(tmp_path: Path) -> None:
    deck = other_deck(tmp_path, BOARD)
    width, height = deck.card_size_mm
    table = Table((PlacedCard("K1", 0, 0, 0),), pen="white", deck=deck)
    line = np.column_stack([np.full(60, 0.3 * width), np.linspace(0.08, 0.92, 60) * height])
    table.draw(line)
    photo, layout = table.photo()
    ink = read_ink(photo.pixels, layout.poses, deck)
    assert nearest_pen(ink) == "white"
    assert np.mean(at(ink, ink.evidence, line) > 0) > 0.95
    assert np.mean(ink.evidence[ink.visible] > 1.0) < 0.05


def test_a_layout_that_is_off_by_half_a_millimetre_is_mended() -> None:
    ink = read(Table((PlacedCard(card(), 0, 0, 180),)), lift_mm=0.5)
    assert 0.3 < ink.registered_mm[0] < 1.2
    assert np.mean(ink.evidence > 1.0) < 0.01


def test_glare_is_neither_ink_nor_blank() -> None:
    photo, layout = Table((PlacedCard(card(), 0, 0, 0),)).photo()
    pixels = photo.pixels.copy()
    centre = cv2.perspectiveTransform(np.array([[[31.5, 44.0]]]), layout.table_to_photo)[0, 0]
    glare = np.zeros(pixels.shape[:2], np.float32)
    cv2.circle(glare, (int(centre[0]), int(centre[1])), round(9 * PX_PER_MM), 1.0, -1)
    glare = cv2.GaussianBlur(glare, (0, 0), 2 * PX_PER_MM)[..., None]
    ink = read_ink(np.clip(pixels + 330 * glare, 0, 255).astype(np.uint8), layout.poses, catalogue())
    spot = np.array([[31.5 + dx, 44.0 + dy] for dx in (-3, 0, 3) for dy in (-3, 0, 3)])
    assert np.all(at(ink, ink.evidence, spot) < 1.0)
    # far from what a blank card says there
    assert np.mean(at(ink, ink.evidence, spot)) > -2.5


def test_a_die_on_a_card_hides_it_and_is_no_ink() -> None:
    photo, layout = Table((PlacedCard(card(), 0, 0, 0),), lines=[DIAGONAL]).photo()
    pixels = photo.pixels.copy()
    die = np.array([[[22, 20], [38, 21], [37, 37], [21, 36]]], float)
    corners = cv2.perspectiveTransform(die, layout.table_to_photo)[0]
    cv2.fillConvexPoly(pixels, np.round(corners).astype(np.int32), (60, 40, 35))
    ink = read_ink(pixels, layout.poses, catalogue())
    middle = np.array([[30.0 + dx, 28.5 + dy] for dx in (-4, 0, 4) for dy in (-4, 0, 4)])
    assert not at(ink, ink.visible, middle).any()
    assert np.all(np.abs(at(ink, ink.evidence, middle)) < 0.5)
    assert ink.hidden[0] > 0.03


def test_a_map_goes_back_and_forth_between_millimetres_and_pixels() -> None:
    ink = InkMap(
        np.zeros((4, 4), np.float32), np.zeros((4, 4), bool), (-2.0, 3.0), np.zeros((4, 4, 3), np.uint8)
    )
    points = np.array([[0.0, 5.0], [10.5, 7.25]])
    assert np.allclose(ink.to_mm(ink.to_px(points)), points)


def test_photos_are_read_only_inputs() -> None:
    photo, layout = Table((PlacedCard(card(), 0, 0, 0),)).photo()
    before = photo.pixels.copy()
    read_ink(Photo(photo.pixels).pixels, layout.poses, catalogue())
    assert np.array_equal(before, photo.pixels)


def test_a_card_that_lies_as_before_is_not_registered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table((PlacedCard(card(), 0, 0, 0),), pen="blue")
    table.draw(DIAGONAL)
    photo, layout = table.photo()
    seen = SeenCards(other_cards=True)
    first = read_ink(photo.pixels, layout.poses, catalogue(), seen=seen)
    registered = []

    def counted(*told: Any) -> Any:
        registered.append(told)
        return residual_flow(*told)

    monkeypatch.setattr(rectify, "residual_flow", counted)
    again = read_ink(photo.pixels, layout.poses, catalogue(), seen=seen)
    assert not registered
    assert np.allclose(first.evidence, again.evidence, atol=1e-3)
    (moved,) = (replace(pose, corners=corners_of(pose.corners_px + 1.0)) for pose in layout.poses)
    read_ink(photo.pixels, (moved,), catalogue(), seen=seen)
    assert len(registered) == 1


@pytest.mark.parametrize("marks_pen", ["red", "green", "purple", "black"])
def test_a_second_pen_is_ink_too(marks_pen: str) -> None:
    ringed = Table((PlacedCard(card(), 0, 0, 0),), pen=marks_pen)
    find = next(place.id for place in ringed.dungeon.places.values() if place.find)
    ringed.ring(find)
    table = Table((PlacedCard(card(), 0, 0, 0),), pen="blue")
    table.draw(DIAGONAL)
    _, layout = table.photo()
    # what the one pen took of the light, and what the other did
    blank, one, other = (
        each.photo()[0].pixels.astype(float) for each in (replace(table, lines=[]), table, ringed)
    )
    pixels = (one * other / np.maximum(blank, 1)).clip(0, 255).astype(np.uint8)
    ink = read_ink(pixels, layout.poses, catalogue())
    assert len(ink.pens) == 2
    assert np.mean(at(ink, ink.evidence, DIAGONAL[4:-4]) > 0) > 0.9
    # over rock no pen shows
    assert np.mean(at(ink, ink.evidence, ringed.lines[0]) > 0) > 0.7


def test_nothing_is_hidden_where_only_the_print_is_as_dark_as_the_pen() -> None:
    table = Table((PlacedCard(card(), 0, 0, 0),), pen="black")
    table.draw(DIAGONAL)
    assert read(table).hidden[0] < 0.03


#: Blue-green-red of skins, light to dark.
SKINS = [(200, 219, 255), (125, 172, 224), (90, 134, 198), (56, 85, 141), (26, 36, 60)]


@pytest.mark.parametrize("skin", SKINS)
def test_a_finger_hides_the_card_and_is_no_ink_whatever_its_colour(skin: tuple[int, int, int]) -> None:
    table = Table((PlacedCard(card(), 0, 0, 0),), pen="black")
    table.draw(DIAGONAL)
    photo, layout = table.photo()
    tip, root = cv2.perspectiveTransform(np.array([[[30.0, 34.0], [75.0, 4.0]]]), layout.table_to_photo)[0]
    start, end = (np.round(16 * spot).astype(int).tolist() for spot in (tip, root))
    finger = np.zeros(photo.pixels.shape[:2], np.uint8)
    cv2.line(finger, start, end, 1, round(16 * PX_PER_MM), cv2.LINE_8, 4)
    round_it = np.sqrt(np.minimum(cv2.distanceTransform(finger, cv2.DIST_L2, 5) / (8 * PX_PER_MM), 1))
    shaded = np.array(skin) * (0.55 + 0.45 * round_it[..., None])
    pixels = np.where(finger[..., None] > 0, shaded, photo.pixels).astype(np.uint8)
    ink = read_ink(pixels, layout.poses, catalogue())
    along = np.linspace(0.05, 0.55, 12)[:, None]
    middle = np.array([30.0, 34.0]) + along * np.array([45.0, -30.0])
    assert np.mean(at(ink, ink.evidence, middle) > 0.5) < 0.1
    assert np.mean(at(ink, ink.visible, middle)) < 0.35
    assert ink.hidden[0] > 0.08
    free = DIAGONAL[DIAGONAL[:, 1] > 48]
    assert np.mean(at(ink, ink.evidence, free) > 0) > 0.9


def test_a_dark_hand_over_most_of_a_card_is_no_card_in_dim_light() -> None:
    table = Table((PlacedCard(card(), 0, 0, 0),), pen="black")
    table.draw(DIAGONAL)
    photo, layout = table.photo()
    back = cv2.perspectiveTransform(
        np.array([[[-5.0, 50.0], [68.0, 64.0], [68.0, -5.0], [-5.0, -5.0]]]), layout.table_to_photo
    )[0]
    hand = np.zeros(photo.pixels.shape[:2], np.uint8)
    cv2.fillPoly(hand, [np.round(back).astype(np.int32)], 1)
    pixels = np.where(hand[..., None] > 0, np.array([36, 44, 60]), 0.4 * photo.pixels).astype(np.uint8)
    ink = read_ink(pixels, layout.poses, catalogue())
    spots = np.stack(np.meshgrid(np.arange(8.0, 56.0, 6.0), np.arange(6.0, 24.0, 6.0)), axis=-1).reshape(
        -1, 2
    )
    assert np.mean(at(ink, ink.visible, spots)) < 0.1
    free = DIAGONAL[DIAGONAL[:, 1] > 70]
    assert np.mean(at(ink, ink.evidence, free) > 0) > 0.9


def test_light_that_is_added_to_a_card_is_no_brighter_card() -> None:
    # rock with a floor in it, and light over its right side, which a fit took for a brighter card
    art = np.full((300, 300, 3), 0.2, np.float32)
    art[130:160] = 0.55
    seen = art.copy()
    seen[:, 220:] += 0.45
    blank = np.minimum(seen, np.float32(1))
    gain = np.asarray(blank / art, np.float32)
    none = np.zeros_like(art)
    relit = washed_out(blank, Relit(art, gain, none, np.zeros(art.shape[:2], bool)))
    assert relit.washed is not None
    assert relit.washed[:, 260:].min() == 1 and relit.washed[:, :180].max() == 0
    # the same is expected of the blank card, and of a line what it would be beside the light
    gain, offset = relit.light()
    assert np.allclose(gain * art + offset, blank, atol=1e-5)
    assert np.allclose(gain[:, 260:], 1, atol=0.05)


def test_a_finger_goes_on_over_a_floor_of_nearly_its_colour() -> None:
    floor, skin = (0.62, 0.70, 0.74), (0.52, 0.60, 0.76)
    blank = np.full((320, 320, 3), floor, np.float32)
    blank[:160] = 0.2
    seen = blank.copy()
    seen[:240, 130:190] = skin
    # on the rock it is plain to see
    core = np.zeros((160, 160), np.uint8)
    core[:75, 66:94] = 1
    grown = cv2.resize(_grown(core, seen, blank), (320, 320), interpolation=cv2.INTER_NEAREST) > 0
    assert grown[:230, 140:180].all()
    assert not grown[:, :110].any() and not grown[:, 210:].any() and not grown[260:].any()
