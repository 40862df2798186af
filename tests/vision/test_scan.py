"""The scan: the fields of docs/FORMATS.md from a photo, with what was left open."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from drawn_cards import Table, catalogue, random_walk

from scorer.dungeon import build_dungeon
from scorer.record import PlacedCard, parse_record
from vision.cards.layout import CardDoubt, Layout
from vision.cards.pose import corners_of
from vision.photo.decode import Photo
from vision.scan import Scan, line_to_photo, scan_layout


def drawn() -> tuple[Table, tuple[str, ...]]:
    ids = [card.id for card in catalogue().cards if card.kind == "dungeon"]
    table = Table((PlacedCard(ids[20], 0, 0, 0), PlacedCard(ids[31], 63, 44, 180)))
    walk = random_walk(table.dungeon, 20)
    table.walk(walk)
    return table, walk


def scan(table: Table) -> Scan:
    photo, layout = table.photo()
    return scan_layout(photo, layout, catalogue())


def test_json_has_every_field_of_the_contract() -> None:
    table, walk = drawn()
    answer = json.loads(scan(table).to_json())
    assert answer["format"] == "waymark-scan/1"
    assert {"format", "photo", "tableau", "cards", "path_px", "questions", "sure", "timings_ms"} <= set(
        answer
    )
    assert [card["card"] for card in answer["cards"]] == [card.card for card in table.cards]
    record = parse_record(json.dumps(answer["tableau"]))
    assert record.cards == table.cards
    assert record.path[0] in (walk, walk[::-1])
    assert {"ink", "path", "marks", "total"} <= set(answer["timings_ms"])
    for question in answer["questions"]:
        assert {"about", "place", "options", "reason"} <= set(question)
        assert "alternatives" not in question


def test_path_pixels_run_along_the_ink() -> None:
    table, _ = drawn()
    photo, layout = table.photo()
    read = scan_layout(photo, layout, catalogue())
    (line,) = read.path_px
    points = np.round(np.array(line)).astype(int)
    blue, _, red = photo.pixels[points[:, 1], points[:, 0]].T.astype(int)
    # the pen is blue, the floors are not
    assert np.mean(blue > red + 10) > 0.9


def test_both_directions_are_offered_where_the_ink_does_not_tell() -> None:
    table, walk = drawn()
    (question,) = [q for q in scan(table).questions if q.about == "direction"]
    (other,) = question.alternatives
    assert {other.path[0], scan(table).tableau.path[0]} == {walk, walk[::-1]}
    assert question.reason_en and question.reason_ja and question.crop_px is not None
    assert len(question.options) == 2


def test_nothing_drawn_is_nothing_read() -> None:
    table = Table((PlacedCard("D01", 0, 0, 0), PlacedCard("D02", 63, 0, 0)))
    read = scan(table)
    assert read.tableau.path == ()
    assert read.path_px == ()


def test_a_doubtful_card_is_a_question_with_the_record_it_would_make() -> None:
    starters = [card.id for card in catalogue().cards if card.id.startswith("S1-")]
    table = Table((PlacedCard(starters[0], 0, 0, 0),))
    table.walk(random_walk(table.dungeon, 1))
    photo, layout = table.photo()
    doubted = replace(layout, doubts=(CardDoubt(0, (starters[0], starters[1]), "colour"),))
    (question,) = [q for q in scan_layout(photo, doubted, catalogue()).questions if q.about == "card"]
    assert question.options == (starters[0], starters[1])
    assert question.alternatives[0].cards[0].card == starters[1]
    assert not scan_layout(photo, doubted, catalogue()).sure


def test_a_small_photo_is_told() -> None:
    table, _ = drawn()
    photo, layout = table.photo()
    small = Photo(np.ascontiguousarray(photo.pixels[::4, ::4]))
    shrink = np.diag([0.25, 0.25, 1.0])
    poses = tuple(
        replace(p, card_to_photo=shrink @ p.card_to_photo, corners=corners_of(p.corners_px / 4))
        for p in layout.poses
    )
    read = scan_layout(small, Layout(poses, shrink @ layout.table_to_photo), catalogue())
    assert any("small" in warning.en and "小さく" in warning.ja for warning in read.photo.warnings)


def test_a_card_beyond_the_picture_is_told() -> None:
    table, _ = drawn()
    photo, layout = table.photo()
    cut = Photo(np.ascontiguousarray(photo.pixels[: int(layout.poses[0].corners_px[:, 1].max()) - 60]))
    warnings = scan_layout(cut, layout, catalogue()).photo.warnings
    assert any(f"Card {layout.poses[0].card} is partly outside" in warning.en for warning in warnings)


def test_a_line_is_mapped_by_the_card_that_carries_it() -> None:
    table, _ = drawn()
    _, layout = table.photo()
    dungeon = build_dungeon(catalogue(), table.cards)
    points = np.array([[10.0, 20.0], [100.0, 60.0]])
    straight = np.column_stack([points, np.ones(2)]) @ layout.table_to_photo.T
    assert np.allclose(
        line_to_photo(points, dungeon, layout.poses), straight[:, :2] / straight[:, 2:], atol=1e-6
    )
