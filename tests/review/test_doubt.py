"""Doubt weighs ink, rules and marks together; a question offers what would make one story of them."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from shared_readings import open_deck, reading_of
from trial_card import one_card_catalogue
from trial_tableaus import CARDS, TRIAL, asked, chance, path_question, record, shown, stands

from scorer.catalogue import Catalogue
from scorer.dungeon import build_dungeon
from scorer.mapmasters.rules.terms import Terms
from scorer.mapmasters.words.vocabulary import VOCABULARY
from scorer.places import place_words
from scorer.record import Marks, PlacedCard, make_record, path_backwards
from vision.cards.pose import CardPose
from vision.questions import Question
from vision.scan import Scan, SeenPhoto
from waymark.review.projection import turns_in_photo
from waymark.review.referee_cache import Table
from waymark.review.tableau.answers import after_correction, answer, options, still_settled, with_path
from waymark.review.tableau.assess import MOST_ANSWERED, assess
from waymark.review.tableau.evidence import BROKEN_RULE_COST, MOST_PATHS, STOPS_COST, Evidence
from waymark.review.tableau.option import OTHERWISE, UNKNOWN, Option
from waymark.review.tableau.question_names import (
    BROKEN_RULE,
    GAP,
    MARKS,
    NO_PATH,
    PART_READ,
    STOPS_INSIDE,
    STOPS_SHORT,
    UNCLEAR,
    against_evidence,
    left_open,
)
from waymark.review.tableau.questions import MOST_DOUBTS
from waymark.review.tableau.ranking import LEAST_LEAD, in_order, in_turn

#: w1 - sword s1 - junction j1 - monster m1 - e1, and j1 - n1.
PAST_THE_MONSTER = ("0.n1", "0.j1", "0.m1", "0.e1")
SWORD_FIRST = ("0.w1", "0.s1", "0.j1", "0.m1", "0.e1")

#: A certainty that asks about doubts which are usually too unlikely.
ASKS_MORE = 0.998
#: A certainty that asks about hardly any doubt.
ASKS_LITTLE = 0.5

#: Lag (nats) of a reading that nothing speaks for.
FAR_BEHIND = 3.5

#: w1 - scroll - magic circle c1, and magic circle c2 - e1.
GATES = one_card_catalogue(
    [
        {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
        {"id": "s1", "kind": "find", "find": "scroll", "at": [15, 22]},
        {"id": "c1", "kind": "find", "find": "magic_circle", "at": [31, 22]},
        {"id": "c2", "kind": "find", "find": "magic_circle", "at": [31, 60]},
        {"id": "e1", "kind": "opening", "side": "right", "at": [63, 60]},
    ],
    [("w1", "s1"), ("s1", "c1"), ("c2", "e1")],
)
TO_THE_GATE = ("0.w1", "0.s1", "0.c1")


def dot_at_the_gate() -> Question:
    other = record(TO_THE_GATE, ("0.c2",))
    told = "There is ink here that is not part of the path as read."
    return Question("path", "0.c2", ("a", "b"), told, "インク", None, (other,), 0.0, "path:beside:0.c2")


def more_ink(place: str) -> Question:
    return Question("path", place, (), "There is more ink.", "インク", name=f"path:too-much:{place}")


# --- marks and path -----------------------------------------------------------------------------------------


def test_a_circle_where_the_path_does_not_come_is_a_doubt_by_itself() -> None:
    now = stands(record(("0.w1", "0.s1", "0.j1", "0.n1"), circled=("0.s1", "0.m1")))
    assert asked(now) == [MARKS] and not now.sure and now.two_stories == ("0.m1",)
    numbers = {option.kind: option.number for option in options(now, MARKS)}
    old = answer(now, MARKS, numbers["unmarked"])
    assert old is not None and old.sure and old.record.marks.circled == ("0.s1",)
    # who says that the path is right as it is has his score, on his word alone
    right = answer(now, MARKS, numbers["stands"])
    assert right is not None and right.sure and "marks" in right.as_said


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


def test_a_mark_that_is_another_one_by_now_is_not_asked_about() -> None:
    path = ("0.w1", "0.s1", "0.j1", "0.n1")
    unmarked = record(path)
    mark = Question("mark", "0.s1", ("a", "b"), "why", "理由", None, (unmarked,), name="mark:0.s1")
    now = stands(record(path, circled=("0.s1",)), mark)
    then = assess(now.reading, now.table, now.terms, corrected=unmarked)
    assert then.sure and not then.scan.questions


def test_a_line_that_marks_alone_lead_is_not_put_first() -> None:
    aside = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "j1", "kind": "junction", "at": [31, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
            *({"id": f"c{k}", "kind": "find", "find": "coin", "at": [31, 22 + 15 * k]} for k in range(1, 4)),
        ],
        [("w1", "j1"), ("j1", "e1"), ("j1", "c1"), ("c1", "c2"), ("c2", "c3")],
    )
    coins = ("0.c1", "0.c2", "0.c3")
    now = stands(record(("0.w1", "0.j1", "0.e1"), circled=coins), catalogue=aside)
    assert asked(now) == [MARKS] and shown(now, MARKS)[:2] == ["unknown", "led"]
    # nor has anybody said by it where that line stops
    settles = {each.kind: STOPS_INSIDE in each.settles for each in options(now, MARKS)}
    assert settles["unmarked"] and not settles["led"]


def test_marks_make_another_reading_less_likely() -> None:
    whole, cut = ("0.w1", "0.s1", "0.j1", "0.n1"), ("0.j1", "0.n1")
    unmarked = path_question(record(cut), 1.5)
    marked = path_question(record(cut, circled=("0.s1",), struck=()), 1.5)
    bare = stands(record(whole), unmarked)
    assert 0 < chance(stands(record(whole, circled=("0.s1",)), marked), marked) < chance(bare, unmarked)


def test_what_is_less_likely_matters_more_where_something_else_is_in_doubt() -> None:
    whole, cut = ("0.w1", "0.s1", "0.j1", "0.n1"), ("0.w1", "0.s1", "0.j1")
    chances = []
    for circled in (("0.s1",), ("0.s1", "0.m1")):
        other = path_question(record(cut, circled=circled), FAR_BEHIND + 0.1 - STOPS_COST)
        chances.append(chance(stands(record(whole, circled=circled), other), other))
    assert 0 < chances[0] < chances[1]


#: Three cards in a row, w1 - j1 - j2 - j3 - e1 on each.
ROW = one_card_catalogue(
    [
        {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
        *({"id": f"j{k}", "kind": "junction", "at": [15 * k, 22]} for k in (1, 2, 3)),
        {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
    ],
    [("w1", "j1"), ("j1", "j2"), ("j2", "j3"), ("j3", "e1")],
)
THREE = tuple(PlacedCard("C1", 63 * k, 0) for k in range(3))
ALONG = tuple(f"{k}.{name}" for k in range(3) for name in ("w1", "j1", "j2", "j3", "e1"))


def unlike_its_art(index: int) -> Question:
    told = "This is most like the card named here."
    return Question("card", f"{index}", ("C1",), told, "札", name=f"card:unlike-its-art:{index}")


def test_a_card_unlike_its_art_is_asked_about_whatever_line_is_on_it() -> None:
    """It may be in no catalogue, as no card is that was drawn to fit on."""
    for path in (ALONG, ALONG[:10]):
        now = stands(make_record(THREE, (path,)), unlike_its_art(2), catalogue=ROW)
        assert asked(now) == ["card:unlike-its-art:2"] and not now.sure


# --- a broken rule ------------------------------------------------------------------------------------------


def test_a_broken_rule_is_answered_by_what_would_mend_it() -> None:
    now = stands(record(PAST_THE_MONSTER))
    assert asked(now) == [BROKEN_RULE] and not now.sure
    # nothing says what happened: the first answer settles nothing, and the honest one comes before what pays
    assert shown(now, BROKEN_RULE) == ["otherwise", "stands", "fairy:sword*1", "SB-1*1", "SB-5*1", "unknown"]
    told = answer(now, BROKEN_RULE, 1)
    assert told is not None and told.sure and told.ruling.legal and told.as_said == {"means"}
    assert told.terms.fairy_tokens == {"sword": 1} and told.record.fairy_tokens == {"sword": 1}
    so = answer(now, BROKEN_RULE, 0)
    assert so is not None and so.sure and not so.ruling.legal and not so.as_said


@pytest.mark.parametrize("marks", [(), ("0.m1",)])
@pytest.mark.parametrize("behind", [0.2, 2.0, None])
def test_the_first_answer_to_a_broken_rule_never_pays_the_player(
    marks: tuple[str, ...], behind: float | None
) -> None:
    """Neither where the marks speak for something that was held, nor where the ink may be misread."""
    other = record(("0.n1", "0.m1", "0.e1"), circled=marks, struck=marks)
    doubts = () if behind is None else (path_question(other, behind),)
    offered = shown(stands(record(PAST_THE_MONSTER, circled=marks, struck=marks), *doubts), BROKEN_RULE)
    token = offered.index("fairy:sword*1")
    assert {offered[0], "stands"} <= set(offered[:token]), "that it was broken is in sight above it"


def test_that_a_rule_was_broken_against_the_marks_is_sure_as_the_player_says() -> None:
    now = stands(record(PAST_THE_MONSTER, circled=("0.m1",), struck=("0.m1",)))
    so = answer(now, BROKEN_RULE, 0)
    assert so is not None and so.sure and not so.ruling.legal and so.as_said == {"against"}
    assert not so.open_questions, "nothing is asked twice of one spot"


def test_what_only_lies_near_never_lets_a_broken_rule_come_first() -> None:
    read, question = record(SWORD_FIRST), Question("path", "0.j1", (), "why", "理由", name=BROKEN_RULE)
    stands = Option(0, "stands", read, Terms(), behind=2.0, worth="less")
    shorter = Option(1, "other", record(SWORD_FIRST[:-1]), Terms(), behind=20.0, worth="more", guessed=True)
    by_hand = Option(OTHERWISE, "otherwise", read, Terms())
    unknown = Option(UNKNOWN, "unknown", read, Terms())
    answers = (stands, shorter, by_hand, unknown)
    assert in_order(question, answers)[0].leaves_open
    # what the ink or the marks tell does
    told = (stands, replace(shorter, guessed=False), by_hand, unknown)
    assert in_order(question, told)[0] == stands


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
    now = stands(record(("0.w1", "0.s1", "0.j1", "0.n1")), more_ink("0.j1"), certainty=ASKS_MORE)
    (name,) = asked(now)
    real = [each for each in options(now, name) if not each.leaves_open]
    assert len(real) > 1 and len({each.record.path for each in real}) == len(real)
    assert [option.number for option in options(now, name)][len(real) :] == [OTHERWISE, UNKNOWN]
    for number in (OTHERWISE, UNKNOWN):
        left = answer(now, name, number)
        assert left is not None and not left.sure and not left.open_questions
        assert [question.name for question in left.left_questions] == [name]
        after_all = answer(left, name, 0)
        assert after_all is not None and after_all.sure and not after_all.left_questions


def test_an_answer_against_the_ink_is_sure_as_the_player_says() -> None:
    whole, across = record(("0.w1", "0.s1", "0.j1", "0.n1")), record(SWORD_FIRST)
    for behind, grounds in ((3.2, {"against"}), (1.0, set())):
        then = answer(stands(whole, path_question(across, behind)), "path:faint:0.j1", 1)
        assert then is not None and then.record.path == across.path
        assert then.sure and not asked(then) and then.as_said == grounds
    told = answer(stands(whole, path_question(across, 3.2)), "path:faint:0.j1", 1)
    assert told is not None
    # drawn anew there, the line is his own, and no longer an answer that the ink speaks against
    assert not with_path(told, (("0.w1", "0.s1", "0.j1"),)).as_said
    assert with_path(told, (("0.s1", "0.j1", "0.m1", "0.e1"),)).as_said


def test_an_answer_is_put_first_only_where_it_is_likelier_by_far() -> None:
    whole, across = record(("0.w1", "0.s1", "0.j1", "0.n1")), record(SWORD_FIRST)
    doubted = stands(whole, path_question(across, 3.0), certainty=ASKS_MORE)
    assert shown(doubted, "path:faint:0.j1")[0] == "unknown"
    # a reading that breaks a rule is less likely by that, so the other one has to be by more
    broken, legal = record(PAST_THE_MONSTER), record(("0.n1", "0.j1", "0.s1", "0.w1"))
    for lead, first in ((LEAST_LEAD - 0.1, "unknown"), (LEAST_LEAD + 0.1, "stands")):
        now = stands(broken, path_question(legal, BROKEN_RULE_COST + lead), certainty=ASKS_MORE)
        assert shown(now, "path:faint:0.j1")[0] == first
    # that the other one breaks a rule is no lead: a token may not have been told
    for is_legal, first in ((True, "stands"), (False, "unknown")):
        weighed = (
            Option(0, "stands", legal, Terms(), worth=1),
            Option(1, "other", broken, Terms(), behind=LEAST_LEAD + 0.1, worth=2, legal=is_legal),
            Option(UNKNOWN, "unknown", legal, Terms()),
        )
        assert in_order(path_question(broken), weighed)[0].kind == first
    # what is only near, and not read, is weighed against nothing
    answers = shown(stands(whole, more_ink("0.j1"), certainty=ASKS_MORE), "path:too-much:0.j1")
    assert answers[:2] == ["unknown", "stands"] and answers[-1] == "otherwise"


#: w1 - coin c1 - junction j1 - dead end x1.
BLIND = one_card_catalogue(
    [
        {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
        {"id": "j1", "kind": "junction", "at": [31, 22]},
        {"id": "x1", "kind": "end", "at": [50, 22]},
        {"id": "c1", "kind": "find", "find": "coin", "at": [15, 22]},
    ],
    [("w1", "c1"), ("c1", "j1"), ("j1", "x1")],
)


@pytest.mark.parametrize(
    ("path", "in_doubt"),
    [
        (("0.w1", "0.c1", "0.j1"), True),
        # nothing leads on
        (("0.w1", "0.c1", "0.j1", "0.x1"), False),
    ],
)
def test_a_path_that_stops_for_no_reason_may_have_begun_there(path: tuple[str, ...], in_doubt: bool) -> None:
    now = stands(record(path), catalogue=BLIND)
    assert (STOPS_INSIDE in asked(now)) == in_doubt
    if in_doubt:
        assert not now.sure and shown(now, STOPS_INSIDE) == ["unknown", "stands", "broken", "otherwise"]
        so = answer(now, STOPS_INSIDE, 0)
        assert so is not None and so.sure
        turned = answer(now, STOPS_INSIDE, 1)
        assert turned is not None and turned.record.path == (path[::-1],)
        assert turned.sure and not turned.ruling.legal


@pytest.mark.parametrize(
    ("path", "circled", "ends"),
    [
        (("0.w1", "0.s1", "0.j1"), (), ["0.n1", "0.e1", "0.w1"]),
        (("0.w1", "0.s1", "0.j1"), ("0.s1",), ["0.n1", "0.e1"]),
        # one walks out at an opening
        (("0.w1", "0.s1", "0.j1", "0.n1"), ("0.s1",), []),
        # nobody comes by a monster without a sword
        (("0.n1", "0.j1"), (), ["0.w1", "0.n1"]),
    ],
)
def test_who_can_leave_the_cards_does(
    path: tuple[str, ...], circled: tuple[str, ...], ends: list[str]
) -> None:
    """A path that stops near a way out goes on to one of the `ends`, or began where it stops."""
    now = stands(record(path, circled=circled))
    assert asked(now) == ([STOPS_SHORT] if ends else []) and now.sure == (not ends)
    if not ends:
        return
    assert shown(now, STOPS_SHORT)[:2] == ["unknown", "stands"]
    others = [each for each in options(now, STOPS_SHORT) if each.kind in ("other", "broken")]
    assert [each.record.path[-1][-1] for each in others] == ends
    assert [each.kind for each in others if each.kind == "broken"] == ["broken"] * (not circled)
    so, escaped = answer(now, STOPS_SHORT, 0), answer(now, STOPS_SHORT, 1)
    assert so is not None and so.sure and not so.ruling.escaped
    assert escaped is not None and escaped.sure and escaped.ruling.escaped


def test_a_line_that_leads_on_to_nothing_leaves_open_whether_it_leads_out() -> None:
    """Whether the line was seen to go one step further or not, nobody has said that it ends there."""
    forked = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "s1", "kind": "find", "find": "sword", "at": [15, 22]},
            {"id": "j1", "kind": "junction", "at": [25, 22]},
            {"id": "j2", "kind": "junction", "at": [31, 22]},
            {"id": "n1", "kind": "opening", "side": "top", "at": [31, 0]},
        ],
        [("w1", "s1"), ("s1", "j1"), ("j1", "j2"), ("j2", "n1")],
    )
    path = ("0.w1", "0.s1", "0.j1")
    further = path_question(record((*path, "0.j2"), circled=("0.s1",)), behind=2.0)
    now = stands(record(path, circled=("0.s1",)), further, catalogue=forked)
    assert STOPS_SHORT in asked(now) and not now.sure


def test_a_line_that_stops_may_go_on_to_what_is_marked_and_out() -> None:
    long = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "j1", "kind": "junction", "at": [31, 22]},
            {"id": "n1", "kind": "opening", "side": "top", "at": [31, 0]},
            {"id": "c1", "kind": "find", "find": "coin", "at": [31, 60]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 60]},
        ],
        [("w1", "j1"), ("j1", "n1"), ("j1", "c1"), ("c1", "e1")],
    )
    now = stands(record(("0.w1", "0.j1"), circled=("0.c1",)), catalogue=long)
    led = [each.record.path[0][2:] for each in options(now, STOPS_SHORT) if each.kind == "led"]
    assert asked(now) == [STOPS_SHORT] and led == [("0.c1",), ("0.c1", "0.e1")]


@pytest.mark.parametrize(
    ("path", "circled", "in_doubt"),
    [
        # a monster first: who met it had nothing to circle
        (SWORD_FIRST, (), True),
        (SWORD_FIRST, ("0.s1",), False),
        # from neither end against a rule
        (("0.w1", "0.s1", "0.j1", "0.n1"), (), False),
    ],
)
def test_the_only_legal_way_is_no_proof_where_nothing_is_marked(
    path: tuple[str, ...], circled: tuple[str, ...], in_doubt: bool
) -> None:
    read = record(path, circled=circled)
    back = msgspec.structs.replace(read, path=path_backwards(read.path))
    for first, other in ((read, back), (back, read)):
        way = Question(
            "direction", path[0], ("a", "b"), "Which end?", "どちら", None, (other,), name="direction"
        )
        now = stands(first, way)
        assert now.ruling.legal and asked(now) == (["direction"] if in_doubt else [])
        assert now.sure != in_doubt
        if in_doubt:
            assert now.record.path == read.path
            assert shown(now, "direction") == ["unknown", "stands", "other"]
            so = answer(now, "direction", 0)
            assert so is not None and so.sure


def test_who_found_something_before_he_broke_a_rule_would_have_marked_it() -> None:
    """A coin lies before the monster from either end, the sword beyond it from the right."""
    row = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "s1", "kind": "find", "find": "sword", "at": [15, 22]},
            {"id": "m1", "kind": "find", "find": "monster", "at": [30, 22]},
            {"id": "c1", "kind": "find", "find": "coin", "at": [45, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "s1"), ("s1", "m1"), ("m1", "c1"), ("c1", "e1")],
    )
    read = record(("0.w1", "0.s1", "0.m1", "0.c1", "0.e1"))
    back = msgspec.structs.replace(read, path=path_backwards(read.path))
    way = Question("direction", "0.w1", ("a", "b"), "Which end?", "どちら", None, (back,), name="direction")
    now = stands(read, way, catalogue=row)
    assert now.ruling.legal and now.sure and not asked(now)


def test_who_walks_across_a_pit_first_of_all_has_nothing_to_mark() -> None:
    """A rope lies beyond the pit; from the other end it is found before."""
    row = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "r1", "kind": "find", "find": "rope", "at": [15, 22]},
            {"id": "p1", "kind": "find", "find": "pitfall", "at": [40, 22]},
            {"id": "u1", "kind": "junction", "level": "underground", "at": [40, 44]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "r1"), ("r1", "p1"), ("p1", "e1")],
        [("p1", "u1")],
    )
    read = record(("0.w1", "0.r1", "0.p1", "0.e1"))
    back = msgspec.structs.replace(read, path=path_backwards(read.path))
    way = Question("direction", "0.w1", ("a", "b"), "Which end?", "どちら", None, (back,), name="direction")
    now = stands(read, way, catalogue=row)
    assert now.ruling.legal and not now.sure and asked(now) == ["direction"]


def test_who_chose_between_two_readings_is_asked_where_the_nearer_one_ends() -> None:
    row = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            *({"id": f"j{k}", "kind": "junction", "at": [12 * k, 22]} for k in (1, 2, 3)),
            {"id": "c1", "kind": "find", "find": "coin", "at": [42, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "j1"), ("j1", "j2"), ("j2", "j3"), ("j3", "c1"), ("c1", "e1")],
    )
    short, further = record(("0.w1", "0.j1", "0.j2")), record(("0.w1", "0.j1", "0.j2", "0.j3", "0.c1"))
    now = stands(short, path_question(further, 1.0, "0.j2"), catalogue=row)
    first = answer(now, "path:faint:0.j2", 1)
    assert first is not None and asked(first) == [STOPS_SHORT] and not first.sure
    # who draws the line himself has looked at its end
    assert STOPS_SHORT not in asked(with_path(now, (("0.w1", "0.j1", "0.j2", "0.j3"),)))


@pytest.mark.parametrize(("circled", "in_doubt"), [(("0.c1",), True), (("0.c1", "0.p1", "0.s1"), False)])
def test_marks_may_speak_for_who_climbed_up_a_pit(circled: tuple[str, ...], in_doubt: bool) -> None:
    """A fall leads down, so the ink tells one direction: but the circles end at the pit."""
    pit = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22], "level": "underground"},
            {"id": "c1", "kind": "find", "find": "coin", "at": [15, 22], "level": "underground"},
            {"id": "u1", "kind": "junction", "at": [31, 22], "level": "underground"},
            {"id": "p1", "kind": "find", "find": "pitfall", "at": [31, 22]},
            {"id": "s1", "kind": "find", "find": "sword", "at": [42, 22]},
            {"id": "r1", "kind": "find", "find": "rope", "at": [52, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "c1"), ("c1", "u1"), ("p1", "s1"), ("s1", "r1"), ("r1", "e1")],
        [("p1", "u1")],
    )
    fell = record(("0.e1", "0.r1", "0.s1", "0.p1", "0.u1", "0.c1", "0.w1"), circled=circled)
    now = stands(fell, catalogue=pit)
    assert now.ruling.legal and asked(now) == (["direction"] if in_doubt else []) and now.sure != in_doubt
    if in_doubt:
        climbed = answer(now, "direction", 1)
        assert climbed is not None and climbed.record.path == path_backwards(fell.path)
        assert not answer(now, "direction", 0).open_questions  # type: ignore[union-attr]


@pytest.mark.parametrize(("circled", "in_doubt"), [(("0.g1",), True), (("0.s1", "0.c1"), False)])
def test_the_only_legal_way_is_no_proof_where_marks_go_with_the_other(
    circled: tuple[str, ...], in_doubt: bool
) -> None:
    """From the right a monster comes before the sword; what is circled lies before it, or beyond."""
    armed = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "s1", "kind": "find", "find": "sword", "at": [10, 22]},
            {"id": "c1", "kind": "find", "find": "coin", "at": [20, 22]},
            {"id": "c2", "kind": "find", "find": "coin", "at": [30, 22]},
            {"id": "m1", "kind": "find", "find": "monster", "at": [40, 22]},
            {"id": "g1", "kind": "find", "find": "coin", "at": [50, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "s1"), ("s1", "c1"), ("c1", "c2"), ("c2", "m1"), ("m1", "g1"), ("g1", "e1")],
    )
    path = ("0.w1", "0.s1", "0.c1", "0.c2", "0.m1", "0.g1", "0.e1")
    read = record(path, circled=circled)
    back = msgspec.structs.replace(read, path=path_backwards(read.path))
    way = Question("direction", "0.w1", ("a", "b"), "Which end?", "どちら", None, (back,), name="direction")
    now = stands(read, way, catalogue=armed)
    assert now.ruling.legal and ("direction" in asked(now)) == in_doubt


def test_who_comes_to_a_find_goes_on() -> None:
    """Whatever he marks; but not where nothing leads on, or something stops him."""
    row = (("0.w1", "0.c1", "0.c2"), ("0.w1", "0.c1", "0.c2", "0.m1"))
    for path, in_doubt in zip(row, (True, False), strict=True):
        now = stands(record(path, circled=("0.c1", "0.c2")), catalogue=MONSTER_BETWEEN)
        assert (STOPS_INSIDE in asked(now)) == in_doubt


def test_a_path_that_ends_below_a_pit_may_have_begun_in_it() -> None:
    below = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22], "level": "underground"},
            {"id": "c1", "kind": "find", "find": "coin", "at": [15, 22], "level": "underground"},
            {"id": "u1", "kind": "junction", "at": [31, 22], "level": "underground"},
            {"id": "p1", "kind": "find", "find": "pitfall", "at": [31, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "c1"), ("c1", "u1"), ("p1", "e1")],
        [("p1", "u1")],
    )
    walked = ("0.w1", "0.c1", "0.u1")
    assert STOPS_INSIDE in asked(stands(record(walked), catalogue=below))
    # who fell ends below the pit
    fell = record(("0.e1", "0.p1", "0.u1"))
    assert STOPS_INSIDE not in asked(stands(fell, catalogue=below))


def test_an_answer_that_leaves_no_line_is_no_score() -> None:
    now = stands(record(("0.w1", "0.s1", "0.j1", "0.n1")), path_question(record(), place="0.w1"))
    none = answer(now, "path:faint:0.w1", 1)
    assert none is not None and not none.record.path and asked(none) == [NO_PATH]
    assert shown(none, NO_PATH)[0] == "retake"
    so = answer(none, NO_PATH, 0)
    assert so is not None and so.sure


def test_marks_where_the_path_breaks_a_rule_are_asked_about_once_that_is_settled() -> None:
    now = stands(record(PAST_THE_MONSTER, circled=("0.s1",)))
    # the line that comes by the circle is an answer at once, whatever rule it breaks
    led = next(each for each in options(now, BROKEN_RULE) if each.kind == "led")
    assert asked(now) == [BROKEN_RULE] and any("0.s1" in line for line in led.record.path)
    broken = answer(now, BROKEN_RULE, 0)
    assert broken is not None and MARKS in asked(broken)


#: w1 - coin c1 - coin c2 - monster m1 - junction j1 - e1, and a blind end x1 off j1.
MONSTER_BETWEEN = one_card_catalogue(
    [
        {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
        {"id": "c1", "kind": "find", "find": "coin", "at": [12, 22]},
        {"id": "c2", "kind": "find", "find": "coin", "at": [22, 22]},
        {"id": "m1", "kind": "find", "find": "monster", "at": [34, 22]},
        {"id": "j1", "kind": "junction", "at": [48, 22]},
        {"id": "x1", "kind": "junction", "at": [48, 50]},
        {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
    ],
    [("w1", "c1"), ("c1", "c2"), ("c2", "m1"), ("m1", "j1"), ("j1", "e1"), ("j1", "x1")],
)
ON_PAST_THE_MONSTER = ("0.w1", "0.c1", "0.c2", "0.m1", "0.j1", "0.e1")


def test_who_says_that_a_rule_was_broken_so_says_from_which_end() -> None:
    """A monster breaks a rule from either end. Marks tell which way it was, but not once somebody has said
    that it was broken: then they may lie beyond it."""
    read = record(ON_PAST_THE_MONSTER, circled=("0.c1", "0.c2"))
    back = msgspec.structs.replace(read, path=path_backwards(read.path))
    way = Question("direction", "0.w1", ("a", "b"), "Which end?", "どちら", None, (back,), name="direction")
    now = stands(read, way, catalogue=MONSTER_BETWEEN)
    assert asked(now) == [BROKEN_RULE]
    (turned,) = (each for each in options(now, BROKEN_RULE) if each.record.path == back.path)
    assert turned.kind == "broken"
    so, from_there = (answer(now, BROKEN_RULE, number) for number in (0, turned.number))
    assert so is not None and so.sure and so.record.path == read.path
    assert from_there is not None and "direction" not in asked(from_there)


def test_ink_beyond_a_broken_rule_that_changes_nothing_is_not_asked_about() -> None:
    beside = Question("path", "0.x1", (), "There is ink here.", "インク", name="path:beside:0.x1")
    now = stands(record(ON_PAST_THE_MONSTER), beside, catalogue=MONSTER_BETWEEN)
    assert asked(now) == [BROKEN_RULE, beside.name]
    broken = answer(now, BROKEN_RULE, 0)
    assert broken is not None and broken.sure and not broken.ruling.legal


def test_that_a_line_stops_where_ways_lead_on_is_unlikely_however_far_it_is_out() -> None:
    """Also where finds are marked; a line that stops so itself is asked about by itself."""
    row = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "c1", "kind": "find", "find": "coin", "at": [15, 22]},
            {"id": "j1", "kind": "junction", "at": [30, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "c1"), ("c1", "j1"), ("j1", "e1")],
    )
    out = tuple(f"{k}.{name}" for k in range(3) for name in ("w1", "c1", "j1", "e1"))
    marks = Marks(circled=("0.c1", "1.c1", "2.c1"))
    whole, stopped = (make_record(THREE, (path,), marks=marks) for path in (out, out[:3]))
    now = stands(whole, path_question(stopped, 1.0, "0.j1"), catalogue=row)
    assert now.ruling.escaped and now.sure and not asked(now)
    assert now.evidence.unusual(stopped, whole, now.terms) == STOPS_COST
    assert now.evidence.unusual(whole, stopped, now.terms) == 0
    assert asked(stands(stopped, catalogue=row)) == [STOPS_INSIDE]


def test_a_short_path_is_whole_where_it_gets_out_of_the_cards() -> None:
    bare = one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "e1", "kind": "opening", "side": "right", "at": [63, 22]},
        ],
        [("w1", "e1")],
    )
    out = tuple(f"{k}.{name}" for k in range(3) for name in ("w1", "e1"))
    for path, is_short in ((out, False), (out[:4], True)):
        read = make_record(THREE, (path,))
        doubts = [doubt.about for doubt in Table(bare).doubts(read, Terms())]
        assert (PART_READ in doubts) == is_short


def two_ways_in(*more: tuple[str, str]) -> Catalogue:
    """w1 - s1 - j1 - n1, and a way out v1 that some way may join to these."""
    return one_card_catalogue(
        [
            {"id": "w1", "kind": "opening", "side": "left", "at": [0, 22]},
            {"id": "s1", "kind": "find", "find": "sword", "at": [15, 22]},
            {"id": "j1", "kind": "junction", "at": [31, 22]},
            {"id": "n1", "kind": "opening", "side": "top", "at": [31, 0]},
            {"id": "v1", "kind": "opening", "side": "left", "at": [0, 66]},
        ],
        [("w1", "s1"), ("s1", "j1"), ("j1", "n1"), *more],
    )


def test_what_hides_the_beginning_makes_another_one_likelier() -> None:
    whole, inside = ("0.w1", "0.s1", "0.j1", "0.n1"), ("0.s1", "0.j1", "0.n1")
    hidden, faint = (
        replace(path_question(record(inside), behind=2.0), name=f"path:{reason}:0.w1")
        for reason in ("hidden", "faint")
    )
    chances = [
        chance(stands(record(whole, circled=("0.s1",)), doubt, catalogue=two_ways_in(("v1", "s1"))), doubt)
        for doubt in (hidden, faint)
    ]
    assert chances[0] > chances[1] > 0


def test_which_of_two_sisters_lies_there_is_not_asked() -> None:
    """Starters of several colours have the same places and ways, and the same score."""
    (card,) = TRIAL.cards
    sisters = msgspec.structs.replace(TRIAL, cards=(card, msgspec.structs.replace(card, id="C2")))
    read = record(("0.w1", "0.s1", "0.j1", "0.n1"))
    other = msgspec.structs.replace(read, cards=(PlacedCard("C2", 0, 0),))
    card_question = Question("card", "0", ("C1", "C2"), "why", "理由", None, (other,), name="card:0")
    now = stands(read, card_question, path_question(record(("0.w1", "0.s1"))), catalogue=sisters)
    assert asked(now) == ["path:faint:0.j1"] and not chance(now, card_question)


def test_a_card_that_somebody_could_not_name_stays_open_however_unlikely_another_one_is() -> None:
    now = stands(make_record(THREE, (ALONG,)), unlike_its_art(1), catalogue=ROW, certainty=ASKS_LITTLE)
    left = left_open("card:unlike-its-art:1")
    then = assess(now.reading, now.table, now.terms, answered={left}, certainty=ASKS_LITTLE)
    assert now.sure and not then.sure and len(then.left_questions) == 1


def test_what_somebody_could_not_tell_is_not_unlikely_for_that() -> None:
    """Nobody may be told a sure score over a stretch that he has looked at and left open."""
    cut = path_question(record(("0.w1", "0.s1"), circled=("0.s1",)), behind=FAR_BEHIND + 0.5)
    read = record(("0.w1", "0.s1", "0.j1", "0.n1"), circled=("0.s1",))
    assert stands(read, cut).sure
    table = Table(TRIAL)
    scan = stands(read, cut).reading
    now = assess(scan, table, Terms(), answered={left_open(cut.name)})
    assert not now.sure and [each.name for each in now.left_questions] == [cut.name]


def test_doubts_about_one_stretch_are_answered_at_once() -> None:
    """However many doubts there are about a stretch, who looks there answers for one stretch."""
    whole, cut = (
        record(path, circled=("0.s1",))
        for path in (("0.w1", "0.s1", "0.j1", "0.n1"), ("0.w1", "0.s1", "0.j1"))
    )
    doubts = [replace(path_question(cut), name=f"path:faint:0.j1:{k}") for k in range(MOST_ANSWERED + 2)]
    now = stands(whole, *doubts, certainty=ASKS_MORE)
    then = answer(now, asked(now)[0], 0)
    assert then is not None and then.sure and not then.as_said


def test_several_spots_of_one_stretch_are_one_doubt() -> None:
    """All of them tell of the same other reading; the likeliest is asked."""
    whole, cut = record(("0.w1", "0.s1", "0.j1", "0.n1")), record(("0.w1", "0.s1"))
    shorter = record(("0.w1", "0.s1", "0.j1"))
    doubts = (path_question(cut, 0.5, "0.j1"), path_question(cut, 0.2, "0.n1"))
    now = stands(whole, *doubts)
    assert asked(now) == ["path:faint:0.n1"]
    assert set(asked(stands(whole, *doubts, path_question(shorter, 0.2, "0.s1")))) == {
        "path:faint:0.n1",
        "path:faint:0.s1",
    }
    # who answered it, or could not tell, is not asked about the other spot
    for number, left in ((0, 0), (UNKNOWN, 1)):
        then = answer(now, "path:faint:0.n1", number)
        assert then is not None and not then.open_questions and len(then.left_questions) == left


def test_where_much_of_the_path_is_hidden_one_question_is_asked_and_it_is_to_take_the_photo_again() -> None:
    read = record(SWORD_FIRST, circled=("0.s1",))
    steps = ("0.w1", "0.s1", "0.j1", "0.m1", "0.e1", "0.n1")
    others = [record((a, b)) for k, a in enumerate(steps) for b in steps[k + 1 :]][:MOST_DOUBTS]
    doubts = [replace(path_question(each), name=f"path:hidden:0.j1:{k}") for k, each in enumerate(others)]
    assert UNCLEAR not in asked(stands(read, *doubts[1:]))
    now = stands(read, *doubts)
    assert asked(now)[0] == UNCLEAR and not any(name.startswith("path:") for name in asked(now))
    # what else the whole path may be, each worth something else
    offered = [each for each in options(now, UNCLEAR) if not each.leaves_open]
    assert 2 <= len(offered) <= MOST_PATHS + 1 and len({each.worth for each in offered}) == len(offered)
    assert shown(now, UNCLEAR)[0] == "retake" and shown(now, UNCLEAR)[-1] == "unknown"
    other = answer(now, UNCLEAR, 1)
    assert other is not None and other.record.path == offered[1].record.path
    assert other.sure and other.as_said == {"unclear"}
    # who says that it is right all the same has his score, on his word alone, and is asked of no stretch
    then = answer(now, UNCLEAR, 0)
    assert then is not None and then.sure and then.as_said == {"unclear"}
    assert not any(name.startswith("path:") or name == UNCLEAR for name in asked(then))
    # nor who cannot tell; who draws the path by hand has looked at it
    left = answer(now, UNCLEAR, UNKNOWN)
    assert left is not None and [each.name for each in left.left_questions] == [UNCLEAR] and not left.sure
    drawn = after_correction(then, record(SWORD_FIRST[:4]))
    assert UNCLEAR not in drawn
    # what may make a path of it with one answer is asked before
    broken = stands(record(PAST_THE_MONSTER), *doubts)
    assert asked(broken)[0] == BROKEN_RULE
    # and who cannot tell there is not asked about the same spot once more
    left = answer(broken, BROKEN_RULE, UNKNOWN)
    assert left is not None and not left.sure and not left.open_questions


def test_a_card_that_no_line_runs_to_is_not_asked_about() -> None:
    """A card may lie above C1, or to the right of it: only there a line ends at the edge."""
    catalogue, corners = TRIAL, ((0.0, 0.0), (630.0, 0.0), (630.0, 880.0), (0.0, 880.0))
    read = record(("0.w1", "0.s1", "0.j1", "0.n1"))
    above, right = (60, -940, 570, -30), (700, 60, 1300, 820)
    for box, is_asked in ((above, True), (right, False)):
        stranger = Question("card", "0", (), "why", "理由", box, name="card:stranger:0")
        scan = Scan(
            SeenPhoto(1000, 1000), read, (CardPose("C1", 0, corners, 1.0),), ((),), (stranger,), sure=False
        )
        now = assess(scan, Table(catalogue), Terms())
        assert (asked(now) == [stranger.name]) == is_asked and now.sure != is_asked


@pytest.mark.parametrize(
    ("drawn", "right_px", "less"),
    [
        pytest.param((SWORD_FIRST,), 990.0, "", id="another tableau with its line"),
        pytest.param((), 990.0, "no line", id="cards for sale"),
        pytest.param((SWORD_FIRST,), 1100.0, "cut off", id="a neighbour's that runs out of the picture"),
    ],
)
def test_another_group_of_cards_is_likeliest_meant_if_it_is_whole_with_a_line(
    drawn: tuple[tuple[str, ...], ...], right_px: float, less: str
) -> None:
    def likelihood(drawn: tuple[tuple[str, ...], ...], right_px: float) -> float:
        corners = ((100.0, 300.0), (400.0, 300.0), (400.0, 720.0), (100.0, 720.0))
        box = (660, 300, int(right_px), 720)
        group = Question(
            "card", "0", ("C1", "C1"), "why", "理由", box, (record(*drawn),), name="card:group:0"
        )
        read = record(("0.w1", "0.s1", "0.j1", "0.n1"))
        poses = (CardPose("C1", 0, corners, 1.0),)
        scan = Scan(SeenPhoto(1000, 1000), read, poses, ((),), (group,), sure=False)
        return chance(assess(scan, Table(TRIAL), Terms()), group)

    whole = likelihood((SWORD_FIRST,), 990.0)
    assert likelihood(drawn, right_px) < whole if less else likelihood(drawn, right_px) == whole


def test_a_circle_that_the_path_comes_to_by_the_rules_is_not_asked_about() -> None:
    """A room's finds are found where one lands in it, though no line runs to its door."""
    for circled, in_doubt in ((("0.s1",), False), (("0.s1", "0.m1"), True)):
        find = circled[-1]
        beside = Question("path", find, (), "This find is circled.", "丸", name=f"path:off-path:{find}")
        now = stands(record(("0.w1", "0.s1", "0.j1", "0.n1"), circled=circled), beside)
        assert bool(asked(now)) == in_doubt and now.sure != in_doubt


def test_who_draws_on_draws_more_than_a_dot() -> None:
    """One more line that nothing joins to the path is mostly none."""
    read = record(("0.w1", "0.s1", "0.j1", "0.n1"))
    for behind, in_doubt in ((-1.0, True), (0.0, False)):
        dot = record(*read.path, ("0.e1",))
        assert bool(asked(stands(read, path_question(dot, behind)))) == in_doubt


def test_who_plays_draws() -> None:
    """That the whole line is an old one has to be told by the ink."""
    read = record(("0.w1", "0.s1", "0.j1", "0.n1"))
    for behind, in_doubt in ((0.0, True), (1.0, False)):
        assert bool(asked(stands(read, path_question(record(), behind)))) == in_doubt


def test_that_a_find_is_not_marked_says_nothing_where_a_hand_lies_over_it() -> None:
    """The monster is fought as the sword is found; only the sword is circled."""
    read, table, terms = record(SWORD_FIRST, circled=("0.s1",)), Table(TRIAL), Terms()
    assert table.referee(read, terms).legal
    plain = Evidence(table, read, {"0.s1": 1.0})
    assert [each.place for each in plain.discord(read, terms) if each.weight > 0.3] == ["0.m1"]
    hidden = Evidence(table, read, {"0.s1": 1.0, "0.m1": 0.0})
    assert hidden.against(read, terms) == 0.0


def test_a_path_that_ends_at_an_obstacle_without_a_mark_asks_what_was_held() -> None:
    stopped = ("0.n1", "0.j1", "0.m1")
    now = stands(record(stopped))
    assert asked(now) == [STOPS_INSIDE] and not now.sure
    assert shown(now, STOPS_INSIDE)[:3] == ["unknown", "stands", "fairy:sword*1"]
    held = next(each for each in options(now, STOPS_INSIDE) if each.kind == "held")
    told = answer(now, STOPS_INSIDE, held.number)
    assert told is not None and told.sure and told.ruling.discovered["monster"] == 1
    # who tells what he held, or marks what he found, is not asked
    assert not asked(stands(record(stopped), fairy_tokens={"key": 1}))
    marked = stands(record(("0.w1", "0.s1", "0.j1", "0.m1"), circled=("0.s1", "0.m1")))
    assert STOPS_INSIDE not in asked(marked)


def test_another_path_is_looked_at_anew() -> None:
    before, after = record(("0.w1", "0.s1", "0.j1")), record(("0.w1", "0.s1"))
    kept = {MARKS, against_evidence(MARKS), BROKEN_RULE, against_evidence(BROKEN_RULE), "mark:0.s1"}
    assert still_settled(kept, before, before) == kept
    assert still_settled(kept, before, after) == {against_evidence(BROKEN_RULE), "mark:0.s1"}


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


def test_doubts_that_an_answer_left_without_another_reading_are_asked_as_one() -> None:
    """Where lines were joined, what else was unclear of them is looked over once, not place by place."""
    read = record(("0.w1", "0.s1"), ("0.n1", "0.j1", "0.m1"))
    joined = record(("0.w1", "0.s1", "0.j1", "0.n1"))
    shorter = record(("0.w1", "0.s1"), ("0.n1", "0.j1"))
    now = stands(read, path_question(joined, 0.5), path_question(shorter, 1.0, "0.m1"))
    assert asked(now)[0] == GAP
    option = next(each for each in options(now, GAP) if each.record.path == joined.path)
    then = answer(now, GAP, option.number)
    assert then is not None and then.sure and asked(then) == []


def test_lines_that_are_not_joined_are_not_asked_about_again_from_the_other_end() -> None:
    read = record(("0.w1", "0.s1"), ("0.n1", "0.j1"))
    other = msgspec.structs.replace(read, path=(("0.w1", "0.s1"), ("0.j1", "0.n1")))
    direction = Question(
        "direction", "0.w1", ("a", "b"), "Which way?", "向き", None, (other,), name="direction"
    )
    assert asked(stands(read, direction))[0] == GAP
    apart = answer(stands(read, direction), GAP, 0)
    assert apart is not None and GAP not in asked(apart)
    for number in (each.number for each in options(apart, "direction") if not each.leaves_open):
        then = answer(apart, "direction", number)
        assert then is not None and GAP not in asked(then) and not then.sure


def test_lines_that_were_joined_may_still_run_from_either_end() -> None:
    read = record(("0.w1", "0.s1"), ("0.n1", "0.j1"))
    other = msgspec.structs.replace(read, path=(("0.w1", "0.s1"), ("0.j1", "0.n1")))
    whole = record(("0.w1", "0.s1", "0.j1", "0.n1"))
    direction = Question(
        "direction", "0.w1", ("a", "b"), "Which way?", "向き", None, (other,), name="direction"
    )
    now = stands(read, direction, path_question(whole, 1.0), certainty=ASKS_MORE)
    option = next(each for each in options(now, GAP) if each.record.path == whole.path)
    then = answer(now, GAP, option.number)
    assert then is not None
    (left,) = then.doubts
    assert left.name == "direction" and [each.path for each in left.alternatives] == [
        path_backwards(whole.path)
    ]


def test_a_rule_that_was_broken_stays_so_however_the_path_runs_elsewhere() -> None:
    so = answer(stands(record(PAST_THE_MONSTER)), BROKEN_RULE, 0)
    assert so is not None
    back = with_path(so, (PAST_THE_MONSTER[::-1],))
    assert not back.ruling.legal and BROKEN_RULE not in asked(back)
    # by another rule, elsewhere, it is asked anew
    assert BROKEN_RULE in asked(with_path(so, (("0.j1", "0.n1"),)))


def test_no_two_answers_come_to_the_same() -> None:
    read = record(("0.w1", "0.s1"), ("0.n1", "0.j1"))
    whole = record(("0.w1", "0.s1", "0.j1", "0.n1"))
    now = stands(read, path_question(whole, 1.0), path_question(whole, 2.0, "0.s1"))
    ends = [each.record.path for each in options(now, GAP) if not each.leaves_open]
    assert whole.path in ends and len(set(ends)) == len(ends)


def test_a_walk_there_and_back_that_breaks_a_rule_may_be_none() -> None:
    now = stands(record(("0.w1", "0.s1", "0.j1", "0.m1", "0.j1", "0.n1")))
    straight = ("0.w1", "0.s1", "0.j1", "0.n1")
    assert asked(now) == [BROKEN_RULE]
    option = next(each for each in options(now, BROKEN_RULE) if each.record.path == (straight,))
    then = answer(now, BROKEN_RULE, option.number)
    assert then is not None and then.sure and then.ruling.legal


def test_who_uses_a_gate_within_a_room_draws_nothing() -> None:
    """In table-02 the last walk is from a circle of the room to the other one: strikes tell, and no line."""
    now = assess(reading_of("table-02"), Table(open_deck()), Terms())
    assert asked(now)[0] == MARKS and shown(now, MARKS)[0] == "jumped"
    option = next(each for each in options(now, MARKS) if each.kind == "jumped")
    assert option.record.path[-1] == ("0.A2", "0.A") and option.record.path[-2][-1] == "0.A1"
    then = answer(now, MARKS, option.number)
    assert then is not None and not then.two_stories and MARKS not in asked(then)


@pytest.mark.parametrize(
    "name", ["card:stranger:0", "card:cut-off:0", "card:gap:0", "path", "path:covered:0.n1"]
)
def test_that_something_is_missing_is_the_first_answer_where_it_may_be(name: str) -> None:
    about = "card" if name.startswith("card") else "path"
    read = record() if name == "path" else record(("0.w1", "0.s1", "0.j1", "0.n1"))
    question = Question(about, {"card": "0"}.get(about, name[13:]), (), "why", "理由", name=name)  # type: ignore[arg-type]
    answers = shown(stands(read, question), name)
    assert answers[:2] == ["retake", "stands"] and answers[-1] == "unknown"
    # a line whose end is covered may as well stop before it
    assert answers[2:-1] == (["other"] if name.startswith("path:covered") else [])


def test_what_no_ink_says_comes_after_what_was_read() -> None:
    read = record(("0.w1", "0.s1", "0.j1", "0.n1"), circled=("0.s1", "0.m1"))
    answers = shown(stands(read), MARKS)
    assert answers.index("stands") < answers.index("unmarked")
    beside = Question("path", "0.n1", (), "There is ink here.", "インク", name="path:beside:0.n1")
    now = stands(record(("0.w1", "0.s1", "0.j1"), circled=("0.s1",)), beside)
    assert shown(now, "path:beside:0.n1")[:3] == ["unknown", "stands", "led"]


def test_ink_beyond_an_end_is_likelier_a_line_than_ink_beside_a_whole_path() -> None:
    beside = Question("path", "0.m1", (), "There is ink here.", "インク", name="path:beside:0.m1")
    whole, stops = (
        stands(record(path), beside) for path in (("0.w1", "0.s1", "0.j1", "0.n1"), ("0.w1", "0.s1", "0.j1"))
    )
    assert 0 < chance(whole, beside) < chance(stops, beside)
    # where the path is broken with it as it is without, it changes nothing
    assert not chance(stands(record(("0.j1", "0.n1")), beside), beside)


def test_more_ink_than_was_looked_into_matters_less_where_marks_bear_the_path_out() -> None:
    path, doubt = ("0.w1", "0.s1", "0.j1", "0.n1"), more_ink("0.j1")
    borne_out, bare, contradicted = (
        chance(stands(record(path, circled=circled), doubt), doubt)
        for circled in (("0.s1",), (), ("0.s1", "0.m1"))
    )
    assert 0 < borne_out < min(bare, contradicted)


def test_a_dot_at_a_gate_is_a_line_that_ran_somewhere() -> None:
    """Nobody has read where it goes: that it stops there does not speak against it, and it is led out."""
    now = stands(record(TO_THE_GATE), dot_at_the_gate(), catalogue=GATES)
    assert asked(now) == ["path:beside:0.c2"]
    led = [each.record.path for each in options(now, "path:beside:0.c2") if each.kind == "led"]
    assert led == [(TO_THE_GATE, ("0.c2", "0.e1"))]


def test_ink_in_a_room_that_the_path_comes_to_is_not_asked_about() -> None:
    table = Table(open_deck())
    read = reading_of("table-02")
    for place, is_asked in (("0.A", False), ("0.A1", False), ("0.e2", True)):
        ink = Question("path", place, (), "There is ink here.", "インク", name=f"path:beside:{place}")
        scan = replace(read, questions=(ink,))
        assert (ink.name in asked(assess(scan, table, Terms(), certainty=ASKS_MORE))) == is_asked


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
    assert turns_in_photo([CardPose("C1", 0, corners, 1.0)]) == (90,)
