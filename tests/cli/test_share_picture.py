"""The picture of a ruling for sharing: where the tableau lies in it, what the boxes say, its file size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from dungeons import card
from PIL import Image
from shared_readings import open_deck
from straight_views import CORRIDOR, ROOM, scored

from scorer.text import Language
from vision.photo import geometry
from vision.photo.decode import Photo, load_photo
from waymark.bench.players import Truth
from waymark.bench.truth import read_truth
from waymark.bench.worst import ruled_as_it_is
from waymark.picture.files import MOST_BYTES, packed
from waymark.picture.share_picture import (
    BAND_MM,
    WIDTH_PX,
    Caption,
    draw_share_picture,
    draw_tableau,
    ruling_view,
    score_boxes,
)
from waymark.picture.top_view import LEAST_HEIGHT, MARGIN_MM, MOST_HEIGHT, TopView
from waymark.review.pipeline import ScoreResult
from waymark.review.referee_cache import Table

PHOTOS = Path(__file__).parents[2] / "samples" / "photos"
CAPTION = Caption("Aya", "green", "Saturday · Round 2", "30 November 2026")
WALL = card("W1", "w1 j1 e1")


def shipped(name: str) -> ScoreResult:
    """The true ruling of a photo that ships, on the photo."""
    truth = Truth(read_truth(PHOTOS / f"{name}.truth.json", [open_deck()]), Table(open_deck()))
    return ruled_as_it_is(load_photo(next(PHOTOS.glob(f"{name}.[jhw]*"))), truth)


def seen_from_aside(result: ScoreResult, matrix: Any) -> ScoreResult:
    """The same tableau in a photo that a homography distorts."""
    cards = tuple(
        replace(each, corners=tuple(map(tuple, geometry.apply(matrix, each.corners_px).tolist())))
        for each in result.scan.cards
    )
    size = result.photo.width, result.photo.height
    pixels = np.asarray(cv2.warpPerspective(result.photo.pixels, matrix, size), np.uint8)
    return replace(result, photo=Photo(pixels), scan=replace(result.scan, cards=cards))


def view_of(result: ScoreResult) -> TopView:
    return ruling_view(result.assessment, result.scan)


def test_the_tableau_is_upright_and_reaches_from_edge_to_edge() -> None:
    result = shipped("table-01")
    view = view_of(result)
    corners = np.array([each.corners for each in view.cards(result.scan.cards)])
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    assert (low > 0).all() and (high < view.size).all()
    assert view.size[0] == WIDTH_PX and high[0] - low[0] > 0.94 * WIDTH_PX
    edges = np.abs(corners[:, 1] - corners[:, 0])
    assert np.degrees(np.arctan2(edges[:, 1], edges[:, 0])).max() < 1.5


def test_a_photo_from_aside_gives_the_view_of_one_from_above() -> None:
    result = scored([CORRIDOR, ROOM], "w1 coin1 j1 e1")
    aside = seen_from_aside(result, np.array([[0.9, -0.25, 260], [0.2, 0.8, -30], [1e-4, 5e-5, 1]]))
    above, other = view_of(result), view_of(aside)
    assert above.size == other.size
    for one, two in zip(above.cards(result.scan.cards), other.cards(aside.scan.cards), strict=True):
        assert two.corners_px == pytest.approx(one.corners_px, abs=0.5)


def test_up_in_the_photo_stays_up() -> None:
    result = scored([CORRIDOR, ROOM], "w1 coin1 j1 e1")
    height, width = result.photo.height, result.photo.width
    turned = seen_from_aside(result, np.array([[-1.0, 0, width], [0, -1, height], [0, 0, 1]]))
    (first, _), (last, _) = (view_of(each).cards(each.scan.cards) for each in (result, turned))
    assert first.corners_px[0, 1] < first.corners_px[3, 1]
    assert last.corners_px[0, 1] > last.corners_px[3, 1]


@pytest.mark.parametrize("count", [1, 5])
def test_a_tall_or_a_flat_tableau_has_more_table_around_it(count: int) -> None:
    width, height = view_of(scored([WALL] * count, "w1 j1 e1")).size
    assert LEAST_HEIGHT - 0.01 <= height / width <= MOST_HEIGHT + 0.01
    if count == 5:
        frame = (5 * 63 + 2 * MARGIN_MM, 88 + 2 * MARGIN_MM)
        assert height / width == pytest.approx(max(LEAST_HEIGHT, frame[1] / frame[0]), abs=0.01)


def test_the_line_of_the_pen_is_seen_under_ours() -> None:
    result = scored([WALL], "w1 j1 e1")
    inked = np.full_like(result.photo.pixels, 190)
    places = [(12 * (40 + x), 12 * (40 + 22)) for x in (0, 63)]
    cv2.line(inked, places[0], places[1], (40, 40, 40), 14)
    view = view_of(result)
    drawn = np.asarray(draw_tableau(replace(result, photo=Photo(inked)), "en").convert("L"), float)
    start, end = geometry.apply(view.to_view, np.array(places, float))
    mm = (end[0] - start[0]) / 63
    contrasts = []
    for share in np.linspace(0.1, 0.85, 40):
        x, y = start + share * (end - start)
        beside = [drawn[round(y + side * (BAND_MM / 2 - 0.8) * mm), round(x)] for side in (-1, 1)]
        contrasts.append(np.mean(beside) - drawn[round(y), round(x)])
    # Arrows cover the line here and there.
    assert np.median(contrasts) > 50
    assert np.mean(np.array(contrasts) > 40) > 0.7


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                ("Primary objective", "1", "coin x 1 = 1 VP", ""),
                ("Secondary objective", "0", "room x 0 = 0 VP", ""),
                ("Coins found", "1", "", ""),
                ("Escaped", "", "", "yes"),
            ],
        ),
        (
            "ja",
            [
                ("主目標", "1", "コイン x 1 = 1 勝利点", ""),
                ("副目標", "0", "部屋 x 0 = 0 勝利点", ""),
                ("経路のコイン", "1", "", ""),
                ("脱出した", "", "", "yes"),
            ],
        ),
    ],
)
def test_the_boxes_say_the_score(language: Language, said: list[tuple[str, str, str, str]]) -> None:
    result = scored([CORRIDOR], "w1 coin1 j1 e1", primary="coin", secondary="room")
    boxes = score_boxes(result.assessment, language)
    assert [(box.label, box.value, box.how, box.tick) for box in boxes] == said


def test_without_objectives_no_points_are_said() -> None:
    boxes = score_boxes(scored([CORRIDOR], "w1 coin1 j1 monster1").assessment, "en")
    assert [(box.label, box.tick) for box in boxes] == [("Coins found", ""), ("Not escaped", "no")]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_score_stands_above_the_tableau_and_the_file_is_small(language: Language) -> None:
    result = shipped("table-01")
    picture = draw_share_picture(result, language, CAPTION)
    assert picture.width == WIDTH_PX
    data = packed(picture, ".jpg")
    assert data[:3] == b"\xff\xd8\xff" and len(data) <= MOST_BYTES
    head = picture.crop((0, 0, WIDTH_PX, 420))
    assert len(head.convert("RGB").getcolors(1 << 20) or []) > 50
    tableau = draw_tableau(result, language)
    assert picture.height - tableau.height < 900, "more than half is the tableau"


@pytest.mark.parametrize(
    ("cards", "path"),
    [([CORRIDOR], ""), ([CORRIDOR], "w1"), ([CORRIDOR], "w1 coin1 > 0.n monster1"), ([ROOM] * 5, "w1 Adw A")],
    ids=["no path", "one place", "no way", "five"],
)
def test_whatever_can_be_refereed_can_be_shared(cards: list[dict[str, Any]], path: str) -> None:
    for caption in (None, CAPTION, Caption(who="寿限無" * 40, colour="none", where="卓" * 90)):
        picture = draw_share_picture(scored(cards, path), "ja", caption)
        assert isinstance(picture, Image.Image) and picture.width == WIDTH_PX
