"""A line that runs on past the cards that were found is told; one that ends at the edge is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from shared_readings import open_deck, photo_file, reading_of

from scorer.dungeon import build_dungeon
from vision.layout import read_layout
from vision.map_matching import Matching
from vision.onward import Ground, ground_beyond, runs_on, with_missing_cards
from vision.path import PathDoubt, PathReading
from vision.photo import Photo, load_photo
from vision.scan import line_to_photo
from waymark.review.pipeline import load_cards


@pytest.mark.parametrize("goes_on", [True, False])
def test_ink_beyond_the_edge_is_told(goes_on: bool) -> None:
    photo = load_photo(photo_file("table-07"), whole=True)
    catalogue = open_deck()
    poses = read_layout(photo, load_cards(catalogue)).poses
    record = reading_of("table-07").tableau
    dungeon = build_dungeon(catalogue, record.cards)
    last = dungeon.places[record.path[-1][-1]]
    assert last.id in dungeon.open_openings
    pixels = photo.pixels.copy()
    if goes_on:
        corners = np.asarray(dungeon.outline_mm(last.card_index))
        out = np.array(last.at_mm) - corners.mean(axis=0)
        out = np.where(np.abs(out) == np.abs(out).max(), np.sign(out), 0)
        line_mm = np.array(last.at_mm) + np.array([[-9.0], [12.0]]) * out
        start, end = line_to_photo(line_mm, dungeon, poses).round().astype(int).tolist()
        before = pixels[start[1], start[0]].tolist()
        cv2.line(pixels, start, end, before, 14, cv2.LINE_AA)
    told = runs_on(Photo(pixels), 0, poses, dungeon, record.path)
    assert told == ([last.id] if goes_on else [])


@pytest.mark.parametrize("hides", [True, False])
def test_a_hand_beyond_an_end_of_the_path_may_hide_a_card(hides: bool) -> None:
    photo = load_photo(photo_file("table-07"), whole=True)
    catalogue = open_deck()
    poses = read_layout(photo, load_cards(catalogue)).poses
    record = reading_of("table-07").tableau
    dungeon = build_dungeon(catalogue, record.cards)
    last = dungeon.places[record.path[-1][-1]]
    pixels = photo.pixels.copy()
    if hides:
        corners = np.asarray(dungeon.outline_mm(last.card_index))
        out = np.array(last.at_mm) - corners.mean(axis=0)
        out = np.where(np.abs(out) == np.abs(out).max(), np.sign(out), 0)
        aside = out[::-1]
        reach = np.array([[2, -20], [2, 20], [40, 20], [40, -20]])
        hand_mm = np.array(last.at_mm) + reach[:, :1] * out + reach[:, 1:] * aside
        hand = line_to_photo(hand_mm, dungeon, poses).round().astype(np.int32)
        cv2.fillPoly(pixels, [hand], (104, 136, 190))
    ground = ground_beyond(Photo(pixels), 0, poses, dungeon, record.path)[last.id]
    assert (ground.is_thing, ground.is_bare) == (hides, not hides)


def test_what_covers_an_end_hides_no_card_where_the_ground_beyond_is_bare() -> None:
    covered = [PathDoubt("path", name, (), "covered") for name in ("0.n1", "0.s1")]
    reading = PathReading((), tuple(covered), (), Matching((), (), 0.0))
    grounds = {"0.n1": Ground(False, True), "0.s1": Ground(False, False), "0.w1": Ground(True, False)}

    def doubted(*goes_on: str) -> list[str]:
        return [doubt.place for doubt in with_missing_cards(reading, goes_on, grounds).doubts]

    assert doubted() == ["0.s1", "0.w1"]
    assert doubted("0.n1", "0.e1") == ["0.n1", "0.s1", "0.e1", "0.w1"]
