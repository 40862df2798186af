"""A doubt about cards carries what the photo reads as on the cards of its other answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from shared_readings import open_deck, photo_file

from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.rules.terms import Terms
from vision.cards.find_layout import read_layout
from vision.cards.index import CardIndex
from vision.cards.layout import CardDoubt, Layout
from vision.cards.pose import LayoutCard
from vision.photo.decode import Photo, load_photo
from vision.reader import MOST_NAMES, with_other_cards
from vision.scan import Scan, scan_layout
from waymark.review.pipeline import decode_reading, encode_reading, load_cards, read_table
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import answer, options
from waymark.review.tableau.assess import assess


@pytest.fixture(scope="module")
def index() -> CardIndex:
    return load_cards(open_deck())


@pytest.fixture(scope="module")
def photo() -> Photo:
    return load_photo(photo_file("table-07"))


@pytest.fixture(scope="module")
def layout(photo: Photo, index: CardIndex) -> Layout:
    return read_layout(photo, index)


@pytest.fixture(scope="module")
def whole(photo: Photo, layout: Layout) -> Scan:
    return scan_layout(photo, layout, open_deck())


def in_doubt(photo: Photo, layout: Layout, index: CardIndex) -> Scan:
    scan = scan_layout(photo, layout, open_deck())
    return with_other_cards(photo, layout, scan, open_deck(), index)


def box_of(*poses: LayoutCard) -> np.ndarray:
    corners = np.concatenate([pose.corners_px for pose in poses])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def names(scan: Scan) -> list[str]:
    return sorted(card.card for card in scan.tableau.cards)


@pytest.mark.parametrize("reason", ["stranger", "cut-off"])
def test_a_card_that_has_no_name_is_offered_by_its_likely_ones(
    photo: Photo, layout: Layout, whole: Scan, index: CardIndex, reason: str
) -> None:
    *known, lost = layout.poses
    near = min(known, key=lambda pose: float(np.hypot(pose.x_mm - lost.x_mm, pose.y_mm - lost.y_mm)))
    sighted = lost.card if reason == "cut-off" else ""
    doubt = CardDoubt(known.index(near), (near.card,), reason, lost.corners_px, sighted)
    scan = in_doubt(photo, replace(layout, poses=tuple(known), doubts=(doubt,)), index)
    question = scan.questions[0]
    assert question.options[1] == lost.card and len(question.alternatives) <= MOST_NAMES
    first = scan.instead[0]
    assert names(first) == names(whole) and question.alternatives[0] == first.tableau
    # laid at exact contact, and read on all cards
    assert first.tableau.cards[-1] == whole.tableau.cards[-1]
    assert {name for line in first.tableau.path for name in line} == {
        name for line in whole.tableau.path for name in line
    }


def test_an_answer_that_names_a_card_is_the_reading_on_it(
    photo: Photo, layout: Layout, whole: Scan, index: CardIndex
) -> None:
    """Taken for another card, the answer with the true name brings its own line, and asks nothing twice."""
    right = layout.poses[0]
    other = next(card.id for card in open_deck().cards if card.id != right.card)
    poses = (replace(right, card=other), *layout.poses[1:])
    doubt = CardDoubt(0, (other, right.card), "unlike-its-art")
    scan = in_doubt(photo, replace(layout, poses=poses, doubts=(doubt,)), index)
    # kept and read again it is the same
    now = assess(decode_reading(encode_reading(scan)), Table(open_deck()), Terms())
    name = now.open_questions[0].name
    assert name == "card:unlike-its-art:0"
    assert [option.kind for option in options(now, name)] == ["stands", "other", "otherwise", "unknown"]
    then = answer(now, name, 1)
    assert then is not None and names(then.scan) == names(whole)
    read = assess(whole, Table(open_deck()), Terms())
    assert then.ruling.discovered == read.ruling.discovered and then.sure == read.sure
    assert [question.name for question in then.open_questions] == [
        question.name for question in read.open_questions
    ]


def test_the_other_group_is_an_answer_with_its_own_line(
    photo: Photo, layout: Layout, index: CardIndex
) -> None:
    first, second = layout.poses[:2], layout.poses[2:]
    doubt = CardDoubt(0, (first[0].card,), "group", box_of(*second))
    parted = replace(layout, poses=first, others=(*layout.others, *second), doubts=(doubt,))
    scan = in_doubt(photo, parted, index)
    (other,) = scan.instead
    assert names(other) == sorted(pose.card for pose in second)
    assert scan.questions[0].alternatives == (other.tableau,)
    now = assess(scan, Table(open_deck()), Terms())
    then = answer(now, "card:group:0", 1)
    assert then is not None and {card.card for card in then.scan.cards} == {pose.card for pose in second}


def test_a_doubt_without_other_cards_stays_as_it_is(photo: Photo, layout: Layout, index: CardIndex) -> None:
    doubt = CardDoubt(0, (layout.poses[0].card,), "gap")
    scan = in_doubt(photo, replace(layout, doubts=(doubt,)), index)
    assert scan.instead == () and scan.questions[0].alternatives == ()


#: The open deck's photo of five cards beside which something lies that looks like a sixth.
FULL, BESIDE = "table-04", "card:stranger:4"


@pytest.mark.parametrize(("limit", "readings"), [(5, 1), (6, 1 + MOST_NAMES)])
def test_nothing_is_read_again_for_a_card_that_has_no_room(
    monkeypatch: pytest.MonkeyPatch, limit: int, readings: int
) -> None:
    read: list[Layout] = []

    def reading(photo: Photo, layout: Layout, *rest: Any) -> Scan:
        read.append(layout)
        return scan_layout(photo, layout, *rest)

    monkeypatch.setattr("vision.reader.scan_layout", reading)
    scan = read_table(load_photo(photo_file(FULL)), open_deck(), most_cards=limit)
    assert [question.name for question in scan.questions] == [BESIDE]
    assert (len(read), len(scan.instead)) == (readings, readings - 1)
    assert assess(scan, Table(open_deck()), Terms(settings=VersusSettings(card_limit=limit))).sure


def test_a_card_that_has_room_after_all_is_asked_about() -> None:
    """A photo is read under the usual rules, and then somebody agrees on six cards."""
    scan = read_table(load_photo(photo_file(FULL)), open_deck(), most_cards=5)
    now = assess(scan, Table(open_deck()), Terms(settings=VersusSettings(card_limit=6)))
    assert not now.sure and [question.name for question in now.open_questions] == [BESIDE]
    assert [option.kind for option in options(now, BESIDE)] == ["stands", "retake", "unknown"]
    nothing = answer(now, BESIDE, 0)
    assert nothing is not None and nothing.sure
