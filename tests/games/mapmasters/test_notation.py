"""The text notation of a tableau and its path."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_records import random_record

from scorer.errors import WaymarkError
from scorer.notation import parse_notation, parse_record_or_notation, to_notation
from scorer.record import Marks, Objectives, PlacedCard, StatedPayment, make_record, to_json

EXAMPLE = (
    "D29^@0,0 S3-redv@63,44 | 0:w1 j1 d1 A d2 e1 1:w2 > c1 e2 | sword=1 SB-4 primary=key circled=0:A1,f2"
)


def test_an_example_is_read_and_printed_again() -> None:
    record = parse_notation(EXAMPLE)
    assert record == make_record(
        (PlacedCard("D29", 0.0, 0.0, 0), PlacedCard("S3-red", 63.0, 44.0, 180)),
        (("0.w1", "0.j1", "0.d1", "0.A", "0.d2", "0.e1", "1.w2"), ("1.c1", "1.e2")),
        marks=Marks(circled=("0.A1", "0.f2")),
        fairy_tokens={"sword": 1},
        spellbooks=("SB-4",),
        objectives=Objectives(primary="key"),
    )
    assert to_notation(record) == EXAMPLE


@pytest.mark.parametrize(
    "text",
    ["D01^@0,0", "D01>@-3.5,1e-07", "D01^@0,0 | 0:w1", "D01^@0,0 |  | rope=2", "%40v^@0,0 | 0:a%7Cb - "[:-2]],
)
def test_short_forms(text: str) -> None:
    assert parse_notation(to_notation(parse_notation(text))) == parse_notation(text)


def test_stated_payments_are_read_and_printed_again() -> None:
    text = "D01^@0,0 | 0:w1 | rope=1 paid=0:p1/fairy:rope,0:m1/sword/1:f3,0:l1/SB-5"
    record = parse_notation(text)
    assert record.stated == (
        StatedPayment(at="0.p1", means="fairy:rope"),
        StatedPayment(at="0.m1", means="sword", source="1.f3"),
        StatedPayment(at="0.l1", means="SB-5"),
    )
    assert to_notation(record) == text


def test_it_may_be_broken_into_lines() -> None:
    assert parse_notation(EXAMPLE.replace(" ", "\n")) == parse_notation(EXAMPLE)


@given(st.integers(0, 2**32))
def test_printing_and_parsing_is_the_identity_for_walks(seed: int) -> None:
    record = random_record(random.Random(seed))
    assert parse_notation(to_notation(record)) == record


names = st.text(
    st.sampled_from(string.ascii_letters + string.digits + " ^v@|>:=,%-.#\n樽"), min_size=1, max_size=6
)
places = st.builds(lambda index, name: f"{index}.{name}", st.integers(0, 12), names) | names
lengths = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.lists(
        st.builds(PlacedCard, names, lengths, lengths, st.sampled_from([0, 90, 180, 270])),
        min_size=1,
        max_size=3,
    ),
    st.lists(st.lists(places, max_size=4).map(tuple), max_size=3),
    st.dictionaries(names, st.integers(-5, 99), max_size=3),
    st.lists(names, max_size=3),
    st.lists(places, max_size=3),
    st.none() | names,
    names,
    st.lists(st.builds(StatedPayment, at=places, means=names, source=st.none() | places), max_size=3),
)
def test_printing_and_parsing_is_the_identity_for_anything(
    cards: list[PlacedCard],
    path: list[tuple[str, ...]],
    tokens: dict[str, int],
    books: list[str],
    marks: list[str],
    objective: str | None,
    catalogue: str,
    payments: list[StatedPayment],
) -> None:
    record = make_record(
        tuple(cards),
        tuple(path),
        marks=Marks(circled=tuple(marks), struck=tuple(reversed(marks))),
        fairy_tokens=tokens,
        spellbooks=tuple(books),
        objectives=Objectives(primary=objective, secondary=objective),
        catalogue=catalogue,
        payments=tuple(payments),
    )
    assert parse_notation(to_notation(record)) == record


@pytest.mark.parametrize(
    "text",
    [
        "",
        "|",
        "D01",
        "D01^@0",
        "D01^@x,0",
        "D01^@inf,0",
        "D01^@0,0 | w1",
        "D01^@0,0 | x:w1",
        "D01^@0,0 | | a=b",
        "D01^@0,0 | | paid=0:p1",
        "D01^@0,0 | | | |",
    ],
)
def test_what_is_no_notation_gets_a_sentence(text: str) -> None:
    with pytest.raises(WaymarkError) as caught:
        parse_notation(text)
    assert (caught.value.code, caught.value.exit_status) == ("not-a-notation", 3)


@given(st.text(max_size=40) | st.binary(max_size=40))
def test_any_text_is_a_record_or_gets_a_sentence(data: str | bytes) -> None:
    try:
        parse_record_or_notation(data)
    except WaymarkError as error:
        assert error.exit_status == 3


def test_json_and_notation_are_told_apart() -> None:
    record = parse_notation(EXAMPLE)
    assert parse_record_or_notation(to_json(record)) == record
    assert parse_record_or_notation(EXAMPLE.encode()) == record


# --- pasted -------------------------------------------------------------------------------------------------

LINE = "D37v@-3.5,0 S3-green^@63,0 | 0:s1 j5 A d2 w1 > 1:w2 s1 | rope=1 SB-4 primary=sword circled=0:f1,A2"
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


@pytest.mark.parametrize(
    "pasted",
    [
        f"Notation: {LINE}",
        f"  notation :\n{LINE}",
        f"記法: {LINE}",
        f"記法：{LINE}",
        f"**Notation:** {LINE}",
        f"`{LINE}`",
        f"```\nNotation: {LINE}\n```",
        f'"{LINE}"',
        f"“{LINE}”",
        f"\ufeff\u200b{LINE}\u200b",
        LINE.replace("-", "\u2011"),
        LINE.replace("-", "\u2212"),
        LINE.replace("-", "\u2013"),
        LINE.replace(" ", "\u00a0"),
        LINE.replace(" ", "\u3000"),
        LINE.translate(FULL_WIDTH),
        f"Ｎｏｔａｔｉｏｎ：　{LINE.translate(FULL_WIDTH)}",
        LINE.translate({code: wide for code, wide in FULL_WIDTH.items() if not chr(code).isalnum()}),
    ],
)
def test_pasted_notation_is_the_line_that_was_printed(pasted: str) -> None:
    assert parse_notation(pasted) == parse_notation(LINE)
    assert parse_record_or_notation(pasted.encode()) == parse_notation(LINE)


@pytest.mark.parametrize(
    "name", ["Ｄ２９", "D\u201129", "x\u200by", "D：29", "Ｎ:", "Notation:", "`", "été", "ｶｰﾄﾞ"]
)
def test_names_that_pasting_would_change_come_back_as_they_were(name: str) -> None:
    record = make_record((PlacedCard(name, 0.0, 0.0, 0),), ((f"0.{name}",),), spellbooks=(name,))
    assert parse_notation(to_notation(record)) == record
    assert parse_notation(f"Notation: `{to_notation(record)}`") == record
