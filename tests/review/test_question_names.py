"""Questions that were known by number have names; programs may send a number still."""

from __future__ import annotations

import pytest
from shared_readings import reading_of

from vision.questions import Question
from waymark.review.pipeline import encode_reading
from waymark.review.tableau.question_names import (
    assumption_by_name,
    assumption_by_number,
    kept_questions,
    name_of,
    names_of,
    number_of,
    numbers_of,
)

ASKED = (
    Question("card", "3", (), "why", "理由", name="card:3"),
    Question("path", "0.j1", (), "why", "理由", name="path:faint:0.j1"),
)


@pytest.mark.parametrize(
    ("number", "name"),
    [(0, "card:3"), (1, "path:faint:0.j1"), (1000, "gap"), (1001, "cards-corrected"), (1002, "broken-rule")],
)
def test_a_number_is_a_name(number: int, name: str) -> None:
    assert name_of(number, ASKED) == name_of(str(number), ASKED) == name_of(name, ASKED) == name
    assert number_of(name, ASKED) == number
    assert assumption_by_name(f"reading:{number}:2", ASKED) == f"reading:{name}:2"
    assert assumption_by_number(f"reading:{name}:2", ASKED) == f"reading:{number}:2"


def test_what_no_question_has_is_no_name() -> None:
    assert name_of(2, ASKED) == "2" and name_of(-1, ASKED) == "-1" and number_of("mark:0.f1", ASKED) == -1
    assert names_of([1002, 0, 7, "gap", 1000], ASKED) == ["broken-rule", "card:3", "gap"]
    assert numbers_of(["gap", "mark:0.f1", "card:3"], ASKED) == [0, 1000]
    assert assumption_by_name("held:fairy:rope*1", ASKED) == "held:fairy:rope*1"
    assert assumption_by_number("backwards", ASKED) == "backwards"


def test_the_questions_of_a_kept_reading_have_their_names() -> None:
    scan = reading_of("table-06")
    names = [question.name for question in kept_questions(encode_reading(scan))]
    assert names == [question.name for question in scan.questions] and all(names)
    assert kept_questions(b"") == ()
