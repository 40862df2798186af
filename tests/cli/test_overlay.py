"""The explained picture: what is worked out for it, and that it can be seen in what is drawn."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from clear_labels import boxes_of, check_clear
from dungeons import card
from PIL import Image
from shared_readings import open_deck
from straight_views import CORRIDOR, PITS, ROOM, scored

from scorer.errors import WaymarkError
from scorer.record import Record
from scorer.text import Language
from vision.photo.decode import Photo
from vision.questions import Question
from vision.scan import SeenPhoto
from waymark.bench.players import Truth
from waymark.bench.truth import find_photos, read_truth
from waymark.bench.worst import ruled_as_it_is
from waymark.picture import canvas
from waymark.picture.annotations import Annotations, annotate
from waymark.picture.backdrop import WORKING_SIDE_PX, backdrop, photo_part_size, photo_side_px
from waymark.picture.canvas import GREEN, GREY, PANEL, SLATE, VERMILION, wrap
from waymark.picture.labels import Labels
from waymark.picture.overlay import draw_overlay, write_overlay
from waymark.picture.panel import PANEL_WIDTH_PX
from waymark.picture.signs import QUESTION_MM, avoid_signs, labels_of, ramp
from waymark.review.pipeline import ScoreResult
from waymark.review.referee_cache import Table

PHOTOS = Path(__file__).parents[2] / "samples" / "photos"


def notes_of(result: ScoreResult, **options: Any) -> Annotations:
    return annotate(result.assessment, result.scan, "en", **options)


def states(notes: Annotations) -> dict[str, str]:
    return {mark.find: mark.state for mark in notes.finds}


# --- what is worked out -------------------------------------------------------------------------------------


def test_every_step_is_a_piece_of_the_path_in_order() -> None:
    notes = notes_of(scored([CORRIDOR], "w1 coin1 j1 e1"))
    assert len(notes.pieces) == 3
    orders = [piece.order for piece in notes.pieces]
    assert orders == sorted(orders) and orders[-1] == 1.0
    assert all(piece.counted and not piece.jump and not piece.underground for piece in notes.pieces)
    for before, after in zip(notes.pieces, notes.pieces[1:], strict=False):
        assert before.line_px[-1] == pytest.approx(after.line_px[0])


def test_places_lie_in_the_picture_where_they_lie_on_the_card() -> None:
    notes = notes_of(scored([CORRIDOR], "w1 coin1"), scale=0.5, origin_px=(100.0, 60.0))
    assert notes.start_px == pytest.approx(((40 * 12 - 100) / 2, ((40 + 22) * 12 - 60) / 2), abs=0.01)
    assert notes.px_per_mm == pytest.approx(6.0)


def test_a_card_turned_on_its_head_carries_its_places_along() -> None:
    notes = notes_of(scored([CORRIDOR], "w1 coin1", rotations=[180]))
    assert notes.start_px == pytest.approx(((40 + 63) * 12, (40 + 88 - 22) * 12), abs=0.01)


def test_what_was_drawn_after_a_breach_does_not_count() -> None:
    result = scored([CORRIDOR], "w1 coin1 j1 monster1 n")
    notes = notes_of(result)
    assert [piece.counted for piece in notes.pieces] == [True, True, False, False]
    monster = next(mark for mark in notes.finds if mark.find == "monster")
    assert notes.end_px == pytest.approx(monster.at_px)
    # Said as in the ruling, without the names that places have in records.
    assert "[0.monster1]" in result.assessment.ruling.why.message
    assert notes.why == result.assessment.ruling.why.message.replace(" [0.monster1]", "").replace(
        " [0.j1]", ""
    )


def test_finds_are_collected_used_or_missed() -> None:
    notes = notes_of(scored([PITS], "w1 rope1 pit1 j1 e1"))
    assert states(notes) == {"rope": "used", "pitfall": "used"}
    assert states(notes_of(scored([CORRIDOR], "w1 coin1 j1 e1"))) == {
        "coin": "collected",
        "monster": "missed",
    }


def test_a_fall_is_a_jump_and_the_way_below_is_underground() -> None:
    notes = notes_of(scored([PITS], "w1 rope1 pit1 u1 st1u st1 e2"))
    assert [(piece.jump, piece.underground) for piece in notes.pieces] == [
        (False, False),
        (False, False),
        (True, False),
        (False, True),
        (True, False),
        (False, False),
    ]
    assert states(notes) == {"rope": "collected", "pitfall": "used"}


def test_a_visit_of_a_room_is_one_curve_from_door_to_door() -> None:
    notes = notes_of(scored([ROOM], "w1 Adw A Ade e1"))
    into, out_of = notes.pieces[1], notes.pieces[2]
    assert len(into.line_px) > 4
    assert into.line_px[-1] == pytest.approx(out_of.line_px[0])
    assert out_of.line_px[-1] == pytest.approx(notes.pieces[3].line_px[0])


def test_what_happened_is_told_in_order_and_numbered_like_the_finds() -> None:
    notes = notes_of(scored([CORRIDOR], "w1 coin1 j1 monster1 n", tokens={"sword": 1}))
    assert notes.told == ("1. coin collected", "2. monster defeated (uses fairy sword)", "3. escaped")
    assert {mark.find: mark.number for mark in notes.finds} == {"coin": 1, "monster": 2}


def test_a_question_without_a_place_stands_on_its_card() -> None:
    doubt = Question("card", "0", ("C1", "C2"), "Which card?", "どのカード?")
    (mark,) = notes_of(scored([CORRIDOR], "w1 coin1", (doubt,))).questions
    assert mark.at_px == pytest.approx(((40 + 31.5) * 12, (40 + 44) * 12))
    assert mark.line == "Which card?"


def test_a_tableau_without_a_path_has_no_ends() -> None:
    notes = notes_of(scored([CORRIDOR], ""))
    assert notes.start_px is None and notes.end_px is None and notes.pieces == ()


# --- what is drawn ------------------------------------------------------------------------------------------


def has(picture: Image.Image, colour: tuple[int, int, int], least: int = 200) -> bool:
    """Whether at least so many pixels of the photo's part of the picture have exactly this colour."""
    pixels = np.asarray(picture)[:, :-PANEL_WIDTH_PX]
    return int(np.all(pixels == colour, axis=2).sum()) >= least


def test_an_escape_a_stop_and_a_breach_look_different() -> None:
    escaped, stopped, broken = (
        draw_overlay(scored([CORRIDOR], path), "en")
        for path in ("w1 coin1 j1 e1", "w1 coin1 j1 monster1", "w1 coin1 j1 monster1 n")
    )
    assert has(escaped, GREEN) and not has(escaped, SLATE) and not has(escaped, VERMILION)
    assert has(stopped, SLATE) and not has(stopped, VERMILION)
    assert has(broken, VERMILION) and not has(broken, SLATE)


def test_a_breach_leaves_a_grey_path() -> None:
    assert has(draw_overlay(scored([CORRIDOR], "w1 coin1 j1 monster1 n"), "en"), GREY)
    assert not has(draw_overlay(scored([CORRIDOR], "w1 coin1 j1 e1"), "en"), GREY)


def test_the_cards_fill_the_picture_beside_the_score() -> None:
    picture = draw_overlay(scored([CORRIDOR], "w1 coin1 j1 e1"), "en")
    assert max(picture.width - PANEL_WIDTH_PX, picture.height) >= WORKING_SIDE_PX
    assert picture.mode == "RGB"


@pytest.mark.parametrize(
    ("cards", "path", "means"),
    [
        ([CORRIDOR], "", {}),
        ([CORRIDOR], "w1", {}),
        ([CORRIDOR], "coin1 j1", {}),
        ([CORRIDOR], "w1 coin1 > 0.n monster1", {}),
        ([ROOM, CORRIDOR], "w1 Adw A A1 A Ade e1 1.w1 1.coin1", {"primary": "coin", "secondary": "room"}),
        ([CORRIDOR, CORRIDOR], "w1 coin1", {"at": [(0, 0), (30, 20)]}),
    ],
    ids=["no path", "one place", "bad start", "no way", "room", "overlap"],
)
def test_whatever_can_be_refereed_can_be_drawn(
    cards: list[dict[str, Any]], path: str, means: dict[str, Any]
) -> None:
    for language in ("en", "ja"):
        assert draw_overlay(scored(cards, path, **means), language).width > PANEL_WIDTH_PX


def test_without_a_japanese_font_the_picture_is_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    result = scored([CORRIDOR], "w1 coin1 j1 e1")
    english = draw_overlay(result, "en")
    monkeypatch.setattr(canvas, "japanese_font_file", lambda: None)
    assert np.array_equal(np.asarray(draw_overlay(result, "ja")), np.asarray(english))


def test_no_stripe_is_left_below_a_photo_that_is_lower_than_its_score() -> None:
    doubts = tuple(
        Question("path", "0.j1", (), "The line is too faint to tell.", "線が薄い。") for _ in range(4)
    )
    result = scored([CORRIDOR, CORRIDOR], "w1 coin1 j1 monster1", doubts, tokens={"sword": 1}, primary="coin")
    picture = np.asarray(draw_overlay(result, "en"))
    assert np.any(picture[-1, :-PANEL_WIDTH_PX] != PANEL)


def shipped() -> list[ScoreResult]:
    """The rulings on the truths of the photos that ship, each with a question on every other place."""
    found = []
    for photo, file in find_photos(PHOTOS):
        truth = Truth(read_truth(file, [open_deck()]), Table(open_deck()))
        size = json.loads(file.read_text())["photo"]
        blank = Photo(np.zeros((size["height"], size["width"], 3), np.uint8))
        result = ruled_as_it_is(blank, truth)
        walked = [name for stroke in result.scan.tableau.path for name in stroke]
        doubts = tuple(Question("path", name, (), photo.name, photo.name) for name in walked[::8])
        found.append(replace(result, scan=replace(result.scan, questions=doubts, sure=False)))
    return found


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_label_covers_a_sign_or_a_line_or_another_label(language: Language) -> None:
    results = shipped()
    assert len(results) == 12
    for result in results:
        back = backdrop(result.photo, result.scan, photo_part_size(result.scan)[1])
        notes = annotate(result.assessment, result.scan, language, scale=back.scale, origin_px=back.origin_px)
        drawing = back.canvas(language)
        labels, spots = labels_of(drawing, notes, callout=True, questions=True)
        signs = Labels(drawing)
        avoid_signs(signs, notes)
        reach = QUESTION_MM * notes.px_per_mm
        boxes = [*boxes_of(labels), *((spot - reach, spot + reach) for spot in spots)]
        assert len(boxes) > len(notes.cards) + len(notes.questions)
        check_clear(boxes, signs.obstacles, drawing.size)


def test_a_label_that_stands_off_has_a_leader_to_what_it_points_at() -> None:
    drawing = canvas.Canvas((400, 400), "en")
    labels, at = Labels(drawing), np.array([200.0, 200.0])
    labels.avoid_disc(at, 90)
    labels.add(["START"], 20, at)
    labels.draw()
    ((start, end),) = {
        tuple(re.findall(r"[\d.]+ [\d.]+", shape.get("d", "")))
        for shape in ElementTree.fromstring(drawing.svg())
        if shape.get("class") == "label" and shape.tag.endswith("path")
    }
    assert start == "200 200"
    assert np.hypot(*(np.array(end.split(), float) - at)) > 89


def test_the_picture_without_the_score_is_the_photo_alone() -> None:
    result = scored([CORRIDOR], "w1 coin1 j1 e1")
    assert draw_overlay(result, "en", score=False).size == photo_part_size(result.scan)


def test_of_the_largest_photo_no_more_is_decoded_than_is_held_of_it() -> None:
    small = scored([CORRIDOR], "w1 coin1 j1 e1").scan
    size = SeenPhoto(6708, 8944)
    (card,) = small.cards
    for corners in (((0, 0), (6000, 0), (6000, 8000), (0, 8000)), ((0, 0), (60, 0), (60, 80), (0, 80))):
        scan = replace(small, photo=size, cards=(replace(card, corners=corners),))
        assert photo_side_px(scan) <= 8944 // 2
    assert photo_side_px(small) <= max(small.photo.width, small.photo.height)


def test_a_long_story_makes_the_panel_longer() -> None:
    deck = [card(f"L{n}", "w1 " + " ".join(f"coin{i}" for i in range(1, 16)) + " e1") for n in range(4)]
    walk = " ".join(
        " ".join(f"{n}.{place}" for place in ["w1", *(f"coin{i}" for i in range(1, 16)), "e1"])
        for n in range(4)
    )
    picture = draw_overlay(scored(deck, walk), "en")
    assert picture.height > 60 * 26


def test_the_files_ending_says_its_format_and_all_but_a_png_are_small(tmp_path: Path) -> None:
    result = scored([CORRIDOR, PITS], "w1 coin1 j1 e1")
    noise = np.random.default_rng(1).integers(0, 255, result.photo.pixels.shape, np.uint8)
    result = replace(result, photo=Photo(noise))
    for name, form in (("a.png", "PNG"), ("a.jpg", "JPEG"), ("a.webp", "WEBP"), ("a", "PNG")):
        file = tmp_path / "new" / name
        write_overlay(file, result, "en")
        with Image.open(file) as picture:
            assert picture.format == form
        assert form == "PNG" or file.stat().st_size <= 400_000


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WaymarkError) as caught:
        write_overlay(tmp_path / "file" / "out.png", scored([CORRIDOR], ""), "en")
    assert caught.value.code == "not-writable"


# --- small pieces -------------------------------------------------------------------------------------------


def test_the_ramp_grows_lighter_all_the_way() -> None:
    light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (ramp(step / 20) for step in range(21))]
    assert all(later > earlier for earlier, later in itertools.pairwise(light))


def test_lines_break_at_spaces_in_english_and_anywhere_in_japanese() -> None:
    lines = wrap("one two three four five six", "en", 30, 160)
    assert len(lines) > 1 and " ".join(lines) == "one two three four five six"
    japanese = "経路は行き止まりです。見つけたものはすべて数えます。"
    lines = wrap(japanese, "ja", 30, 240)
    assert len(lines) > 1 and "".join(lines) == japanese
    assert not any(line.startswith(("。", "、")) for line in lines)
    assert any(
        "[10.opening]" in line for line in wrap("経路はここの[10.opening]まで続きます。", "ja", 30, 240)
    )


def test_records_and_cards_agree() -> None:
    result = scored([CORRIDOR, ROOM], "w1 coin1")
    assert isinstance(result.scan.tableau, Record)
    assert [label.name for label in notes_of(result).cards] == ["C1", "C3"]
