"""Records: what is read, and that anything else gets one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import WaymarkError
from scorer.notation import parse_record_or_notation, to_notation
from scorer.record import (
    MOST_CARDS,
    MOST_PLACES,
    Marks,
    PlacedCard,
    Record,
    make_record,
    parse_record,
    to_json,
)

MINIMAL = {"format": "waymark-tableau/1", "cards": [{"card": "D29", "x": 0, "y": 0, "rotation": 180}]}


def test_reads_a_minimal_record() -> None:
    record = parse_record(json.dumps(MINIMAL))
    assert record.cards == (PlacedCard("D29", 0, 0, 180),)
    assert (record.path, record.marks.circled, record.fairy_tokens, record.spellbooks) == ((), (), {}, ())


def test_printing_and_parsing_is_the_identity() -> None:
    record = make_record((PlacedCard("S1-red", 1.5, -2),), (("0.w1", "0.j"),), fairy_tokens={"sword": 2})
    assert parse_record(to_json(record)) == record


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"format": "waymark-scan/1"}, id="another format"),
        pytest.param({"cards": None}, id="no cards"),
        pytest.param({"cards": [{"card": "D29", "x": 0, "y": 0, "rotation": 45}]}, id="a slanted card"),
        pytest.param({"cards": [{"card": "D29", "x": "0", "y": 0}]}, id="a place that is text"),
        pytest.param({"path": ["0.w1"]}, id="a path without strokes"),
        pytest.param({"marks": []}, id="marks as a list"),
        pytest.param({"fairy_tokens": {"sword": 1.5}}, id="half a token"),
    ],
)
def test_what_is_no_record_gets_a_sentence(changes: dict[str, Any]) -> None:
    with pytest.raises(WaymarkError) as caught:
        parse_record(json.dumps(MINIMAL | changes))
    assert (caught.value.code, caught.value.exit_status) == ("not-a-record", 3)


def record_of(cards: int, places: int, marks: int) -> Record:
    return make_record(
        (PlacedCard("D29", 0, 0),) * cards, (("0.j",) * places,), marks=Marks(struck=("0.j",) * marks)
    )


LARGEST = record_of(MOST_CARDS, MOST_PLACES - 5, 5)


def test_the_largest_record_is_read_in_either_form() -> None:
    assert parse_record(to_json(LARGEST)) == LARGEST
    assert parse_record_or_notation(to_notation(LARGEST)) == LARGEST


@pytest.mark.parametrize(
    "too_large",
    [
        pytest.param(record_of(MOST_CARDS + 1, 0, 0), id="a card too many"),
        pytest.param(record_of(1, MOST_PLACES + 1, 0), id="a path too long"),
        pytest.param(record_of(1, MOST_PLACES - 4, 5), id="path and marks together"),
    ],
)
def test_a_record_beyond_all_measure_is_refused_in_either_form(too_large: Record) -> None:
    for text in (to_json(too_large), to_notation(too_large)):
        with pytest.raises(WaymarkError) as caught:
            parse_record_or_notation(text)
        assert (caught.value.code, caught.value.exit_status) == ("record-too-large", 3)
        assert f"{MOST_CARDS:,}" in caught.value.en and f"{MOST_CARDS:,}" in caught.value.ja


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["cards", "path", "x"]), inner)
    ),
    max_leaves=8,
)


@given(JSON | st.fixed_dictionaries({"format": st.just("waymark-tableau/1"), "cards": JSON, "path": JSON}))
def test_any_json_is_a_record_or_gets_a_sentence(value: Any) -> None:
    try:
        parse_record(json.dumps(value))
    except WaymarkError as error:
        assert error.exit_status == 3
