"""What a person states was used where: followed where it was held, told where it was not."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from cli_runs import run_here
from dungeons import card, catalogue, judge, record
from hypothesis import given, settings
from hypothesis import strategies as st
from random_records import chance, deck, in_turns, random_record, stated_as, with_random_statements

from scorer.dungeon import build_dungeon
from scorer.mapmasters import Ruling, referee
from scorer.mapmasters.rules.choices import payment_choices
from scorer.mapmasters.rules.direction import worth
from scorer.mapmasters.rules.means import WILD, Held
from scorer.record import StatedPayment, parse_record, to_json

seeds = st.integers(0, 2**32)

#: Two ropes, then two pits to be crossed, then the way out.
PITS = card("P", "w1 rope1 rope2 pit1 j1 pit2 j2 e1", "u1 x1u", "u2 x2u", falls=["pit1 u1", "pit2 u2"])
PITS_CROSSED = "w1 rope1 rope2 pit1 j1 pit2 j2"
LOCKS = card("L", "w1 key1 padlock1 j1 monster1 e1")


def test_a_statement_on_top_of_another_is_told() -> None:
    stated = (StatedPayment(at="0.pit1", means="rope"), StatedPayment(at="0.pit1", means="fairy:rope"))
    whole = msgspec.structs.replace(record([PITS], PITS_CROSSED, tokens={"rope": 1}), payments=stated)
    ruling = referee(catalogue(PITS), whole)
    assert [payment.means for payment in ruling.spent] == ["rope", "rope"]
    assert [(note.about, note.means) for note in ruling.payments] == [("stated_twice", "fairy:rope")]


def test_notes_are_sentences_with_the_places_in_words() -> None:
    ruling = judge(
        LOCKS, "w1 key1 padlock1 j1 monster1 e1", paid={"padlock1": "SB-5", "j1": "key@key1"}, books=["SB-5"]
    )
    wild, idle = ruling.payments
    assert (
        "SB-5 was used at the padlock" in wild.message
        and "the path would go on at the monster" in wild.message
    )
    assert "南京錠" in wild.message_ja and "モンスター" in wild.message_ja
    assert "the key at the top left of L [0.key1] was used at the corridor" in idle.message


def test_a_record_without_statements_is_written_as_before() -> None:
    plain = record([PITS], PITS_CROSSED)
    assert b"payments" not in to_json(plain)
    assert parse_record(to_json(plain).replace(b'"path"', b'"payments":[],"path"')) == plain
    stated = record([PITS], PITS_CROSSED, paid={"pit1": "rope@rope2"})
    assert json.loads(to_json(stated))["payments"] == [{"at": "0.pit1", "means": "rope", "source": "0.rope2"}]
    assert parse_record(to_json(stated)) == stated
    assert msgspec.structs.replace(stated, payments=()) == plain


def test_the_ways_held_at_each_payment_are_told() -> None:
    whole = record([PITS], PITS_CROSSED, tokens={"rope": 2}, books=["SB-5"], paid={"pit1": "fairy:rope"})
    dungeon = build_dungeon(catalogue(PITS), whole.cards)
    ropes, told = [Held("rope", "0.rope1"), Held("rope", "0.rope2")], [Held("fairy:rope"), Held(WILD)]
    choices = payment_choices(dungeon, whole)
    assert [(choice.payment.at, choice.used, list(choice.ways)) for choice in choices] == [
        ("0.pit1", Held("fairy:rope"), ropes + told),
        ("0.pit2", Held("rope", "0.rope1"), ropes + told),
    ]


def test_the_command_follows_statements_and_tells_them() -> None:
    text = "D37v@0,0 S3-green^@63,0 | 0:s1 j5 f1 | sword=1 paid=0:f1/rope"
    told = run_here("referee", "-", "--explain", input=text)
    assert told.exit_code == 0 and "It is stated that a rope was used" in " ".join(told.stdout.split())
    assert "拾ったロープ" in run_here("referee", "-", "--explain", "--lang", "ja", input=text).stdout


def same_but_for_statements(ruling: Ruling) -> Any:
    """A ruling without what it says of statements, as plain data."""
    plain = json.loads(msgspec.json.encode(ruling))
    del plain["payments"]
    for payment in [*plain["spent"], *(paid for step in plain["steps"] for paid in step["paid"])]:
        payment.pop("stated", None)
    return plain


@in_turns
@settings(max_examples=66)
@given(seeds)
def test_the_referees_own_payments_stated_rule_the_same(turn: int, seed: int) -> None:
    walked = random_record(chance(turn, seed))
    ruling = referee(deck(), walked)
    stated = tuple(stated_as(payment) for payment in ruling.spent)
    again = referee(deck(), msgspec.structs.replace(walked, payments=stated))
    assert same_but_for_statements(again) == same_but_for_statements(ruling)
    assert all(payment.stated for payment in again.spent)
    assert {note.about for note in again.payments} <= {"ends_the_path"}


@in_turns
@settings(max_examples=100)
@given(seeds)
def test_statements_within_one_pool_change_no_score(turn: int, seed: int) -> None:
    rng = chance(turn, seed)
    walked = random_record(rng)
    some = with_random_statements(rng, walked)
    within = tuple(stated for stated in some.stated if stated.means != WILD)
    ruling = referee(deck(), msgspec.structs.replace(some, payments=within))
    expected = referee(deck(), walked)
    assert worth(ruling) == worth(expected)
    assert (ruling.ended, ruling.last_place, ruling.violations, ruling.why) == (
        expected.ended,
        expected.last_place,
        expected.violations,
        expected.why,
    )
    assert len(ruling.spent) == len(expected.spent)


@in_turns
@settings(max_examples=100)
@given(seeds)
def test_every_statement_is_followed_or_told(turn: int, seed: int) -> None:
    rng = chance(turn, seed)
    stated = with_random_statements(rng, random_record(rng))
    ruling = referee(deck(), stated)
    followed = [(payment.at, payment.means) for payment in ruling.spent if payment.stated]
    told = [(note.at, note.means) for note in ruling.payments if note.about != "ends_the_path"]
    assert sorted([*followed, *told]) == sorted((each.at, each.means) for each in stated.stated)


@in_turns
@settings(max_examples=66)
@given(seeds)
def test_any_way_that_was_held_can_be_stated(turn: int, seed: int) -> None:
    walked = random_record(chance(turn, seed))
    dungeon = build_dungeon(deck(), walked.cards)
    for choice in payment_choices(dungeon, walked):
        assert choice.used in choice.ways
        for means, source in choice.ways:
            stated = StatedPayment(at=choice.payment.at, means=means, source=source)
            ruling = referee(deck(), msgspec.structs.replace(walked, payments=(stated,)))
            (paid,) = [payment for payment in ruling.spent if payment.stated]
            assert (paid.at, paid.means, paid.source) == (stated.at, means, source)
