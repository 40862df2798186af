"""Naming a found card: likeness and the margin to the next best count together."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from vision.cards.compare import Aligned
from vision.cards.hypotheses import Candidate
from vision.cards.identify import Rivals, is_strange, name
from vision.cards.index import CardIndex
from vision.cards.pose import TablePose

CARDS = cast(CardIndex, SimpleNamespace(ids=("red", "blue", "other")))
POINTS = np.zeros((0, 2))


def found(likeness: float) -> Candidate:
    aligned = Aligned(np.eye(3), likeness, POINTS, POINTS)
    return Candidate(TablePose(0, (0.0, 0.0), 0.0, (63.0, 88.0)), np.zeros(0, np.intp), 1.0, aligned)


def ahead(likeness: float, margin: float) -> tuple[Candidate, Rivals]:
    return found(likeness), {(1, 0): likeness - margin, (2, 0): likeness - margin - 0.01}


@pytest.mark.parametrize(
    ("likeness", "margin", "reason"),
    [
        pytest.param(0.84, 0.50, "", id="a card like its art, far ahead"),
        pytest.param(0.70, 0.18, "", id="a starter, ahead of its other colours"),
        pytest.param(0.55, 0.45, "", id="a blurred card, far ahead"),
        pytest.param(0.64, 0.36, "unlike-its-art", id="the only sister of a missing starter"),
        pytest.param(0.33, 0.23, "unlike-its-art", id="a half covered card"),
        pytest.param(0.84, 0.02, "alike", id="two cards with one face"),
    ],
)
def test_a_name_is_asked_about_unless_likeness_and_margin_both_speak_for_it(
    likeness: float, margin: float, reason: str
) -> None:
    candidate, rivals = ahead(likeness, margin)
    naming: Any = name(candidate, rivals, likeness, CARDS)
    assert naming.reason == reason
    assert (naming.options[0] == "red" and len(naming.options) > 1) if reason else naming.options == ()
    assert not is_strange(candidate, rivals)


@pytest.mark.parametrize(
    ("likeness", "margin", "reason"),
    [
        pytest.param(0.52, 0.24, "", id="glare lies over part of it"),
        pytest.param(0.52, 0.12, "unlike-its-art", id="a stranger is as far ahead"),
        pytest.param(0.42, 0.24, "unlike-its-art", id="too little is like its art"),
    ],
)
def test_a_card_less_like_its_art_is_named_where_it_leads_and_its_colours_fit(
    likeness: float, margin: float, reason: str
) -> None:
    candidate, rivals = ahead(likeness, margin)
    assert name(candidate, rivals, 0.8, CARDS).reason == "unlike-its-art"
    assert name(replace(candidate, in_colour=True), rivals, 0.8, CARDS).reason == reason


def test_a_covered_card_without_a_lead_may_be_none_of_those_that_are_named() -> None:
    candidate, rivals = ahead(0.2, 0.02)
    assert name(replace(candidate, close=True), rivals, 0.8, CARDS).reason == "unlike-its-art"


def test_a_stranger_has_no_name() -> None:
    assert is_strange(*ahead(0.37, 0.02))


def test_a_card_less_like_its_art_than_all_others_is_asked_about() -> None:
    assert name(*ahead(0.67, 0.40), 0.85, CARDS).reason == "unlike-its-art"
