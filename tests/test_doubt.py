"""Doubt weighs ink, rules and marks together; a question offers what would make one story of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from trial_card import one_card_catalogue, trial_catalogue

from scorer.catalogue import Catalogue
from scorer.dungeon import build_dungeon
from scorer.mapmasters.terms import Terms
from scorer.mapmasters.vocabulary import VOCABULARY
from scorer.places import place_words
from scorer.record import Marks, PlacedCard, Record, make_record
from vision.questions import Question
from vision.scan import Scan, SeenCard, SeenPhoto
from waymark.review.assessment import Assessment, answer, assess, options, still_settled
from waymark.review.options import OTHERWISE, UNKNOWN, in_order
from waymark.review.projection import turns_in_photo
from waymark.review.question_names import BROKEN_RULE, MARKS, due, looked_at
from waymark.review.table import Table
from waymark.review.urgency import in_turn

CARDS = (PlacedCard("C1", 0, 0),)
TRIAL = trial_catalogue()
#: w1 - sword s1 - junction j1 - monster m1 - e1, and j1 - n1.
PAST_THE_MONSTER = ("0.n1", "0.j1", "0.m1", "0.e1")
SWORD_FIRST = ("0.w1", "0.s1", "0.j1", "0.m1", "0.e1")


def record(*path: tuple[str, ...], circled: tuple[str, ...] = (), struck: tuple[str, ...] = ()) -> Record:
    return make_record(CARDS, path, marks=Marks(circled=circled, struck=struck))


def path_question(other: Record, behind: float = 0.0, place: str = "0.j1") -> Question:
    told = "The line here is too faint or broken to tell whether the path runs on."
    return Question("path", place, ("a", "b"), told, "理由", None, (other,), behind, f"path:faint:{place}")


def stands(
    read: Record, *questions: Question, confidence: float = 1.0, catalogue: Catalogue = TRIAL, **told: Any
) -> Assessment:
    lines = tuple(tuple((float(k), 0.0) for k in range(len(stroke))) for stroke in read.path)
    marks = dict.fromkeys((*read.marks.circled, *read.marks.struck), confidence)
    scan = Scan(SeenPhoto(10, 10), read, (), lines, questions, sure=not questions, mark_confidence=marks)
    return assess(scan, Table(catalogue), Terms(**told))


def asked(now: Assessment) -> list[str]:
    return [question.name for question in now.open_questions]


def shown(now: Assessment, name: str) -> list[str]:
    """The answers as people see them: what each says, means by what was held."""
    question = now.question(name)
    assert question is not None
    return [
        option.kind if option.assumption is None else option.assumption.key.removeprefix("held:")
        for option in in_order(question, options(now, name))
    ]


# --- marks and path -----------------------------------------------------------------------------------------


def test_a_circle_where_the_path_does_not_come_is_a_doubt_by_itself() -> None:
    now = stands(record(("0.w1", "0.s1", "0.j1", "0.n1"), circled=("0.s1", "0.m1")))
    assert asked(now) == [MARKS] and not now.sure and now.two_stories == ("0.m1",)
    numbers = {option.kind: option.number for option in options(now, MARKS)}
    old = answer(now, MARKS, numbers["unmarked"])
    assert old is not None and old.sure and old.record.marks.circled == ("0.s1",)
    # who says that the path is right as it is leaves two stories behind him
    right = answer(now, MARKS, numbers["stands"])
    assert right is not None and not right.sure and not right.open_questions


def test_one_mark_that_was_hardly_seen_is_none() -> None:
    path = ("0.w1", "0.s1", "0.j1", "0.n1")
    assert stands(record(path, circled=("0.s1", "0.m1")), confidence=0.3).sure
    # several are one, though
    many = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "j1", "kind": "junction", "at": [31, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
            *({"id": f"c{k}", "kind": "find", "find": "coin", "at": [6 * k, 60]} for k in range(1, 9)),
        ],
        [("w1", "j1"), ("j1", "e1"), *((f"c{k}", f"c{k + 1}") for k in range(1, 8))],
    )
    coins = tuple(f"0.c{k}" for k in range(1, 9))
    now = stands(record(("0.w1", "0.j1", "0.e1"), circled=coins), confidence=0.3, catalogue=many)
    assert asked(now) == [MARKS] and set(now.two_stories) == set(coins)


def test_marks_make_another_reading_far_fetched() -> None:
    whole, cut = ("0.w1", "0.s1", "0.j1", "0.n1"), ("0.j1", "0.n1")
    other = record(cut, circled=("0.s1",), struck=())
    assert asked(stands(record(whole), path_question(record(cut), 1.5))) == ["path:faint:0.j1"]
    assert stands(record(whole, circled=("0.s1",)), path_question(other, 1.5)).sure


# --- a broken rule ------------------------------------------------------------------------------------------


def test_a_broken_rule_is_answered_by_what_would_mend_it() -> None:
    now = stands(record(PAST_THE_MONSTER))
    assert asked(now) == [BROKEN_RULE] and not now.sure
    # nothing says what happened: the first answer settles nothing, that it was so comes last
    assert shown(now, BROKEN_RULE) == [
        "otherwise",
        "fairy:sword*1",
        "SB-1*1",
        "SB-5*1",
        "stands",
        "unknown",
    ]
    told = answer(now, BROKEN_RULE, 1)
    assert told is not None and told.sure and told.ruling.legal
    assert told.terms.fairy_tokens == {"sword": 1} and told.record.fairy_tokens == {"sword": 1}
    so = answer(now, BROKEN_RULE, 0)
    assert so is not None and so.sure and not so.ruling.legal


def test_what_is_circled_beyond_an_obstacle_tells_that_something_was_held() -> None:
    now = stands(record(PAST_THE_MONSTER, circled=("0.m1",), struck=("0.m1",)))
    assert shown(now, BROKEN_RULE)[0] == "fairy:sword*1"
    # that a rule was broken does not go with the circle: it is looked at once more
    so = answer(now, BROKEN_RULE, 0)
    assert so is not None and not so.sure and asked(so)[0] == looked_at(BROKEN_RULE)
    assert shown(so, looked_at(BROKEN_RULE)) == ["otherwise", "stands", "unknown"]
    still = answer(so, looked_at(BROKEN_RULE), 0)
    assert still is not None and not still.sure


def test_from_the_other_end_is_an_answer_where_it_mends_the_path() -> None:
    now = stands(record(SWORD_FIRST[::-1]))
    assert "turned" in shown(now, BROKEN_RULE)
    number = next(each.number for each in options(now, BROKEN_RULE) if each.kind == "turned")
    turned = answer(now, BROKEN_RULE, number)
    assert turned is not None and turned.sure and turned.record.path == (SWORD_FIRST,)


def test_a_reading_that_keeps_the_rules_is_an_answer_to_one_that_breaks_them() -> None:
    short = record(PAST_THE_MONSTER[:3])
    now = stands(record(PAST_THE_MONSTER), path_question(short, 1.0, "0.m1"))
    number = next(each.number for each in options(now, BROKEN_RULE) if each.kind == "other")
    then = answer(now, BROKEN_RULE, number)
    # its own question is settled with it
    assert then is not None and then.sure and then.record.path == short.path


@pytest.mark.parametrize("held", [{"sword": 1}, {}])
def test_what_is_told_is_not_asked(held: dict[str, int]) -> None:
    now = stands(record(PAST_THE_MONSTER), fairy_tokens=held)
    assert now.sure == bool(held) and asked(now) == ([] if held else [BROKEN_RULE])


# --- answers ------------------------------------------------------------------------------------------------


def test_every_question_has_two_real_answers_and_one_for_who_cannot_tell() -> None:
    beside = Question("path", "0.j1", (), "There is ink here.", "インクがあります。", name="path:beside:0.j1")
    now = stands(record(("0.w1", "0.s1", "0.j1", "0.n1")), beside)
    (name,) = asked(now)
    assert [option.number for option in options(now, name)] == [0, OTHERWISE, UNKNOWN]
    for number in (OTHERWISE, UNKNOWN):
        left = answer(now, name, number)
        assert left is not None and not left.sure and not left.open_questions
        assert [question.name for question in left.left_questions] == [name]
        after_all = answer(left, name, 0)
        assert after_all is not None and after_all.sure and not after_all.left_questions


def test_an_answer_against_the_ink_is_asked_once_more() -> None:
    whole, cut = record(("0.w1", "0.s1", "0.j1", "0.n1")), record(("0.w1", "0.s1", "0.j1"))
    for behind, again in ((4.0, True), (1.0, False)):
        now = stands(whole, path_question(cut, behind))
        then = answer(now, "path:faint:0.j1", 1)
        assert then is not None and then.record.path == cut.path
        assert asked(then) == ([looked_at("path:faint:0.j1")] if again else [])
        assert then.sure != again
    now = stands(whole, path_question(cut, 4.0))
    first = answer(now, "path:faint:0.j1", 1)
    assert first is not None
    second = answer(first, looked_at("path:faint:0.j1"), 0)
    assert second is not None and second.sure


def test_another_path_is_looked_at_anew() -> None:
    before, after = record(("0.w1", "0.s1", "0.j1")), record(("0.w1", "0.s1"))
    kept = {BROKEN_RULE, due(BROKEN_RULE), looked_at(BROKEN_RULE), "mark:0.s1"}
    assert still_settled(kept, before, before) == kept
    assert still_settled(kept, before, after) == {"mark:0.s1"}


def test_who_looked_at_a_stretch_is_not_asked_about_it_again() -> None:
    whole, cut = record(("0.w1", "0.s1", "0.j1", "0.n1")), record(("0.w1", "0.s1", "0.j1"))
    other = record(("0.w1", "0.s1", "0.j1", "0.m1"))
    now = stands(whole, path_question(cut, place="0.j1"), path_question(other, place="0.n1"))
    first = asked(now)[0]
    # both readings are among the answers, and whichever is taken settles both questions
    assert sum(option.kind == "other" for option in options(now, first)) == 2
    for number in (0, 1, 2):
        then = answer(now, first, number)
        assert then is not None and not [name for name in asked(then) if name.startswith("path:")]


def test_the_question_with_most_at_stake_for_a_person_s_time_comes_first() -> None:
    read = record(SWORD_FIRST)
    much = msgspec.structs.replace(read, path=(SWORD_FIRST[:2],))
    little = msgspec.structs.replace(read, path=(SWORD_FIRST[:4],))
    nothing = msgspec.structs.replace(read, marks=Marks(circled=("0.s1",), struck=()))
    card = Question("card", "0", ("C1", "C2"), "Which?", "どれ", None, (much,), name="card:0")
    mark = Question("mark", "0.s1", ("no", "yes"), "Circled?", "丸", None, (nothing,), name="mark:0.s1")
    order = in_turn(
        [mark, path_question(little, place="0.m1"), path_question(much, place="0.s1"), card],
        Table(TRIAL),
        read,
        Terms(primary="sword", secondary="monster"),
    )
    assert order[0].name == "card:0"
    assert order[-1].name == "mark:0.s1"


# --- places -------------------------------------------------------------------------------------------------


def test_places_are_told_as_the_card_lies_in_the_photo() -> None:
    dungeon = build_dungeon(TRIAL, CARDS)
    sword = dungeon.places["0.s1"]

    def where(turn: int) -> str:
        return place_words(VOCABULARY, dungeon.lying((turn,)), sword, with_id=False).en

    assert (
        place_words(VOCABULARY, dungeon, sword, with_id=False).en
        == where(0)
        == "the sword at the top left of C1"
    )
    assert where(90) == "the sword at the top right of C1"
    assert where(180) == "the sword at the bottom right of C1"
    assert where(270) == "the sword at the bottom left of C1"
    corners = ((100.0, 0.0), (100.0, 63.0), (12.0, 63.0), (12.0, 0.0))
    assert turns_in_photo([SeenCard("C1", 0, corners, 1.0)]) == (90,)
