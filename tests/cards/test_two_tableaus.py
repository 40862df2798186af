"""Two whole tableaus in one photo: which one is to be scored is asked, and nothing is sure before."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from cli_runs import run_here
from long_rest import long_but
from shared_readings import open_deck, photo_file
from table_photos import Laid, photograph
from two_tableaus import beside, two_tableaus

import waymark
from samples.two_tableaus import Pair, Way
from scorer.mapmasters.rules.terms import Terms
from vision.cards.find_layout import read_layout
from vision.photo import geometry
from vision.photo.decode import Photo, load_photo
from vision.scan import Scan
from waymark.bench.players import Truth, play
from waymark.review.pipeline import decode_reading, encode_reading, load_cards, read_table
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import answer, options
from waymark.review.tableau.assess import assess
from waymark.review.tableau.ranking import in_order

GROUP = "card:group:0"
#: What its name begins with where other cards lie apart, too.
GROUPS = "card:group:"
#: In every direction, as large and smaller, upright and upside down, close together and apart.
PAIRS: tuple[tuple[str, str, Way, dict[str, Any]], ...] = (
    ("table-04", "table-05", "below", {}),
    ("table-06", "table-08", "above", {"share": 0.6, "margin": 0.25}),
    ("table-12", "table-07", "left", {"share": 0.8, "turned": True}),
    ("table-07", "table-04", "right", {"margin": 0.5}),
    ("table-05", "table-11", "left", {"share": 0.6, "margin": 0.5}),
    ("table-08", "table-12", "right", {"turned": True, "margin": 0.1}),
)


@cache
def pair_of(number: int) -> tuple[Pair, Scan]:
    first, second, way, how = PAIRS[number]
    pair = two_tableaus(first, second, way, **how)
    return pair, read(pair.photo)


def read(photo: Photo) -> Scan:
    # kept and read again it is the same
    return decode_reading(encode_reading(read_table(photo, open_deck())))


@pytest.mark.parametrize("number", long_but(list(range(len(PAIRS))), 0, 1))
def test_either_of_two_tableaus_is_scored_once_it_is_taken(number: int) -> None:
    pair, scan = pair_of(number)
    table = Table(open_deck())
    now = assess(scan, table, Terms())
    assert not now.sure and now.open_questions[0].name.startswith(GROUPS)
    assert now.open_questions[0].about == "card"
    asked = [option for option in options(now, now.open_questions[0].name) if not option.leaves_open]
    true = [sorted(card.card for card in truth.cards) for truth in pair.truths]
    assert sorted(sorted(card.card for card in option.record.cards) for option in asked) == sorted(true)
    # the answers are told by their cards
    assert sorted(sorted(each.split()) for each in now.open_questions[0].options) == sorted(true)
    for truth in pair.truths:
        known = Truth(truth, table)
        careful = play(scan, known, "careful")
        assert careful.asked[0].name.startswith(GROUPS) and careful.asked[0].settles
        assert careful.right and not careful.without_true_answer
        hurried = play(scan, known, "hurried")
        assert not hurried.sure


def test_the_first_answer_settles_nothing() -> None:
    _, scan = pair_of(0)
    now = assess(scan, Table(open_deck()), Terms())
    shown = in_order(now.open_questions[0], options(now, GROUP))
    assert [option.kind for option in shown] == ["retake", "stands", "other", "unknown"]
    left = answer(now, GROUP, shown[0].number)
    assert left is not None and not left.sure
    assert [question.name for question in left.left_questions] == [GROUP]


def test_what_was_said_of_one_tableau_tells_nothing_of_the_other() -> None:
    _, scan = pair_of(0)
    names = frozenset(question.name for each in (scan, *scan.instead) for question in each.questions)
    said = assess(scan, Table(open_deck()), Terms(), answered=names - {GROUP} | {"gap", "direction"})
    then = answer(said, GROUP, 1)
    assert then is not None and then.answered == {GROUP}
    assert [card.card for card in then.scan.cards] == [card.card for card in scan.instead[0].cards]


def test_the_cards_of_the_other_tableau_are_told_to_lie_apart() -> None:
    pair, scan = pair_of(0)
    every = {card.card for truth in pair.truths for card in truth.cards}
    for each in (scan, *scan.instead):
        assert {card.card for card in each.cards} | set(each.photo.others) >= every
        assert any("do not count" in warning.en for warning in each.photo.warnings)


def blank_cards() -> np.ndarray:
    """A neighbour's two cards and a row for sale, on which nobody has drawn."""
    cards = [Laid("B01", 0, 0), Laid("B05", 63, 0), Laid("D01", 150, 0), Laid("D09", 220, 0)]
    return np.asarray(photograph(cards, size=(1600, 1200))[0].pixels)


def test_cards_without_a_path_are_not_asked_about() -> None:
    cards = blank_cards()
    seen = read_layout(Photo(cards), load_cards(open_deck()))
    assert {pose.card for pose in (*seen.poses, *seen.others)} == {"B01", "B05", "D01", "D09"}
    scan = read(beside("table-05", cards).photo)
    assert assess(scan, Table(open_deck()), Terms()).sure
    assert not any(question.name.startswith(GROUPS) for question in scan.questions)
    # ... until somebody draws on them
    for pose in seen.poses:
        ends = geometry.apply(pose.card_to_photo, np.array([[0.0, 22], [30, 22], [30, 44], [63, 44]]))
        cv2.polylines(cards, [ends.astype(np.int32)], False, (20, 20, 20), 7, cv2.LINE_AA)
    drawn = read(beside("table-05", cards).photo)
    assert any(question.name.startswith(GROUPS) for question in drawn.questions)


@pytest.mark.parametrize("photo", long_but([f"table-{number:02d}" for number in range(1, 13)], 0))
def test_a_photo_of_one_tableau_asks_nothing_of_others(photo: str) -> None:
    scan = read_table(load_photo(photo_file(photo)), open_deck())
    assert not any(question.name.startswith(GROUPS) for question in scan.questions)


def test_programs_and_the_command_line_ask_which_one(tmp_path: Path) -> None:
    pair, _ = pair_of(0)
    file = tmp_path / "two.jpg"
    file.write_bytes(pair.jpeg())
    result = waymark.score(file)
    assert not result.sure
    question = result.questions[0]
    assert (question.name, question.about) == (GROUP, "card")
    assert [told.partition(":")[0] for told in question.options] == ["stands", "other"]
    cards = [{card.card for card in result.answer(GROUP, number).cards} for number in (0, 1)]
    assert sorted(map(sorted, cards)) == sorted(
        sorted(card.card for card in truth.cards) for truth in pair.truths
    )
    assert result.answer(GROUP, 0).sure and result.answer(GROUP, 1).sure
    told = run_here("scan", file, "--json", "-")
    scan = json.loads(told.stdout)
    assert not scan["sure"] and scan["questions"][0]["name"] == GROUP
    assert sorted(sorted(each.split()) for each in scan["questions"][0]["options"]) == sorted(
        map(sorted, cards)
    )
    assert "? Which tableau should be scored? There are two groups" in run_here("scan", file).stdout
    assert "? どちらのタブローを採点しますか。" in run_here("scan", file, "--lang", "ja").stdout
