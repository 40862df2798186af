"""Simulated players: what they answer, how it ends, and how sure a count of their errors may be."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from trial_card import trial_catalogue

from scorer.catalogue import Catalogue
from scorer.record import Marks, PlacedCard, Record, make_record
from vision.cards.pose import CardPose
from vision.questions import Question
from vision.scan import Scan, SeenPhoto
from waymark.bench.bounds import upper_bound
from waymark.bench.doubts import doubt_confidences
from waymark.bench.metric import Measured
from waymark.bench.players import PLAYERS, Asked, Played, PlayerName, Truth, play
from waymark.bench.report import report
from waymark.bench.truth import Seen, SeenCard
from waymark.review.referee_cache import Table
from waymark.review.tableau.assess import assess

CORNERS = ((0.0, 0.0), (630.0, 0.0), (630.0, 880.0), (0.0, 880.0))
# w1 - sword s1 - junction j1 - monster m1 - e1, and j1 - n1.
UP = ("0.w1", "0.s1", "0.j1", "0.n1")
STOPPED = ("0.w1", "0.s1", "0.j1")
ACROSS = ("0.w1", "0.s1", "0.j1", "0.m1", "0.e1")
#: From the far side through the monster, with no sword before it.
BACK = ACROSS[::-1]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return trial_catalogue()


def tableau(*path: tuple[str, ...], circled: tuple[str, ...] = (), **held: Any) -> Record:
    return make_record((PlacedCard("C1", 0, 0),), path, marks=Marks(circled=circled), **held)


def doubt(*alternatives: Record, about: Any = "path", place: str = "0.j1", behind: float = 0.0) -> Question:
    options = tuple("abcd"[: len(alternatives) + 1]) if alternatives else ()
    return Question(about, place, options, f"why {place}", "理由", None, alternatives, behind)


def reading(record: Record, *questions: Question) -> Scan:
    card = CardPose("C1", 0, CORNERS, 1.0)
    plain = dict.fromkeys((*record.marks.circled, *record.marks.struck), 1.0)
    return Scan(
        SeenPhoto(1000, 1000), record, (card,), (), questions, sure=not questions, mark_confidence=plain
    )


def played(catalogue: Catalogue, true: Record, read: Scan, player: PlayerName = "careful") -> Played:
    return play(read, Truth(Seen(true, (SeenCard("C1", 0, CORNERS),)), Table(catalogue)), player)


def test_a_photo_read_right_without_questions_ends_right_and_sure(catalogue: Catalogue) -> None:
    end = played(catalogue, tableau(UP), reading(tableau(UP)))
    assert end == Played(right=True, sure=True)


@pytest.mark.parametrize("true", [UP, STOPPED])
def test_the_careful_player_picks_what_is_true_wherever_it_stands(
    catalogue: Catalogue, true: tuple[str, ...]
) -> None:
    end = played(catalogue, tableau(true), reading(tableau(UP), doubt(tableau(STOPPED))))
    # That he cannot tell stands first, for nothing speaks for either.
    assert (end.right, end.sure, end.asked[0].option) == (True, True, 1 + (true != UP))
    assert not end.without_true_answer and not end.changed_nothing


def test_the_hurried_player_takes_what_is_first(catalogue: Catalogue) -> None:
    # He had no sword, and circled the monster all the same: what comes first does not give him one.
    beaten = tableau(("0.n1", "0.j1", "0.m1", "0.e1"), circled=("0.m1",))
    end = played(catalogue, beaten, reading(beaten), "hurried")
    assert [each.option for each in end.asked] == [0] and not end.asked[0].settles
    assert (end.right, end.sure, end.sure_and_wrong) == (True, False, False)


def test_a_wrong_score_without_a_question_is_sure_and_wrong(catalogue: Catalogue) -> None:
    assert played(catalogue, tableau(STOPPED), reading(tableau(UP)), "hurried").sure_and_wrong


def test_where_nothing_speaks_for_an_answer_the_first_one_settles_nothing(catalogue: Catalogue) -> None:
    for true in (UP, ACROSS):
        read = reading(tableau(UP), doubt(tableau(ACROSS), behind=2.0))
        end = played(catalogue, tableau(true), read, "hurried")
        assert (end.sure, end.left_open, end.asked[0].settles) == (False, 1, False)


def test_a_question_without_a_true_answer_is_left_open(catalogue: Catalogue) -> None:
    # The line ended where both answers lead it on.
    read = reading(tableau(UP), doubt(tableau(ACROSS)))
    end = played(catalogue, tableau(STOPPED), read)
    assert (end.without_true_answer, end.left_open) == (1, 1)
    assert (end.right, end.sure) == (False, False)


def test_who_drew_on_does_not_say_that_the_path_stops(catalogue: Catalogue) -> None:
    read = tableau(("0.n1", "0.j1", "0.s1"))
    on = tableau(("0.n1", "0.j1", "0.s1", "0.w1"))
    for true, said in ((read, True), (on, False)):
        end = played(catalogue, true, reading(read))
        (question,) = (each for each in end.asked if each.name.startswith("stops"))
        assert (end.right, end.sure) == (True, True) and (question.option == 1) == said


def test_where_no_answer_is_true_the_question_is_left_open(catalogue: Catalogue) -> None:
    # How the line begins was missed, and no answer mends that: the rule it breaks so was not broken.
    read, other = tableau(("0.j1", "0.n1")), tableau(("0.j1", "0.m1"))
    end = played(catalogue, tableau(UP), reading(read, doubt(other)))
    # the other reading breaks it as well, so that between the two there is nothing to ask
    assert [(each.name, each.settles) for each in end.asked] == [("broken-rule", False)]
    assert (end.sure, end.without_true_answer, end.left_open) == (False, 1, 1)


def test_the_same_doubt_about_a_card_taken_for_another_place_of_the_record(catalogue: Catalogue) -> None:
    """The reading counts a second card first: its places have other names, and are the same places."""
    far = CardPose("C1", 0, tuple((x + 2000, y) for x, y in CORNERS), 1.0)
    both = (PlacedCard("C1", 200, 0), PlacedCard("C1", 0, 0))
    line = tuple(place.replace("0.", "1.") for place in UP)
    read, other = make_record(both, (line,)), make_record(both, (line[:3],))
    scan = Scan(
        SeenPhoto(3000, 1000),
        read,
        (far, CardPose("C1", 0, CORNERS, 1.0)),
        (),
        (doubt(other, place="1.j1"),),
        sure=False,
    )
    for true, option in ((UP, 1), (STOPPED, 2)):
        asked = {each.name: each.option for each in played(catalogue, tableau(true), scan).asked}
        assert asked["path:1.j1"] == option


@pytest.mark.parametrize("beside", [(700, 0, 1330, 880), (2000, 0, 2630, 880)])
def test_a_card_that_was_missed_is_not_denied(
    catalogue: Catalogue, beside: tuple[int, int, int, int]
) -> None:
    """Two cards lie there, and one was read; it is asked about the spot of the other one, or about none."""
    second = tuple((x + 700, y) for x, y in CORNERS)
    both = make_record((PlacedCard("C1", 0, 0), PlacedCard("C1", 63, 0)), (UP,))
    seen = Seen(both, (SeenCard("C1", 0, CORNERS), SeenCard("C1", 0, second)))  # type: ignore[arg-type]
    stranger = replace(doubt(about="card", place="0"), crop_px=beside)
    end = play(reading(tableau(UP), stranger), Truth(seen, Table(catalogue)), "careful")
    missed = beside[0] == 700
    assert (end.sure, end.without_true_answer) == (not missed, int(missed))


def test_who_began_elsewhere_says_neither_end(catalogue: Catalogue) -> None:
    for true, settled in ((STOPPED, True), (STOPPED[::-1], True), (UP[:1:-1], False)):
        end = played(catalogue, tableau(true), reading(tableau(STOPPED)))
        assert (end.asked[0].name, end.asked[0].settles) == ("stops-short", settled)
        assert (end.right, end.sure) == (settled, settled)


@pytest.mark.parametrize(("true", "option"), [(("0.s1",), 0), ((), 1)])
def test_marks_are_answered_as_they_were_drawn(
    catalogue: Catalogue, true: tuple[str, ...], option: int
) -> None:
    seen = Seen(tableau(UP, circled=true), (SeenCard("C1", 0, CORNERS),))
    truth = Truth(seen, Table(catalogue))
    # The line is misread in both: the circle is what is asked.
    after = [
        assess(reading(tableau(STOPPED, circled=circled)), truth.table, truth.terms)
        for circled in (("0.s1",), ())
    ]
    question = doubt(tableau(STOPPED), about="mark", place="0.s1")
    assert truth.true_answer(after[0], question, after) == option


def test_tokens_are_told_by_the_careful_player_only(catalogue: Catalogue) -> None:
    """From the far side the line runs into the monster: legal for who held a sword."""
    true = tableau(BACK, fairy_tokens={"sword": 1})
    careful = played(catalogue, true, reading(tableau(BACK)))
    assert (careful.right, careful.sure, careful.asked) == (True, True, ())
    hurried = played(catalogue, true, reading(tableau(BACK)), "hurried")
    assert [each.name for each in hurried.asked] == ["broken-rule"]
    # Who held none answers that he broke the rule, though that he held one stands first.
    broke = played(catalogue, tableau(BACK), reading(tableau(BACK)))
    assert (broke.right, broke.asked[0].settles, broke.asked[0].option > 0) == (True, True, True)


def test_a_broken_rule_is_confirmed_only_where_it_was_broken(catalogue: Catalogue) -> None:
    turned_back = ("0.w1", "0.s1", "0.w1")
    broke = played(catalogue, tableau(turned_back), reading(tableau(turned_back)))
    assert (broke.right, broke.sure, len(broke.asked), broke.without_true_answer) == (True, True, 1, 0)
    misread = played(catalogue, tableau(UP), reading(tableau(turned_back)))
    assert not misread.sure and not misread.right
    assert misread.asked[0].name == "broken-rule"


@pytest.mark.parametrize(("true", "option"), [(UP, 0), (UP[::-1], 1)])
def test_a_line_is_answered_the_way_it_was_walked(
    catalogue: Catalogue, true: tuple[str, ...], option: int
) -> None:
    seen = Seen(tableau(true), (SeenCard("C1", 0, CORNERS),))
    truth = Truth(seen, Table(catalogue))
    after = [assess(reading(tableau(way)), truth.table, truth.terms) for way in (UP, UP[::-1])]
    question = doubt(tableau(UP[::-1]), about="direction", place="0.w1")
    assert truth.true_answer(after[0], question, after) == option


def test_who_knows_where_he_began_says_so_though_the_line_goes_astray(catalogue: Catalogue) -> None:
    seen = Seen(tableau(ACROSS), (SeenCard("C1", 0, CORNERS),))
    truth = Truth(seen, Table(catalogue))
    # The reading walks back what it came, and then on: no direction of it is the true one throughout.
    astray = (*UP, "0.j1", "0.s1")
    after = [assess(reading(tableau(way)), truth.table, truth.terms) for way in (astray[::-1], astray)]
    question = doubt(tableau(astray), about="direction", place="0.s1")
    assert truth.true_answer(after[0], question, after) == 1


def test_no_score_is_right_where_there_is_nothing_to_score(catalogue: Catalogue) -> None:
    truth = Truth(Seen(make_record((), ()), ()), Table(catalogue))
    for player in PLAYERS:
        assert play(reading(tableau()), truth, player).sure_and_wrong


def test_doubts_are_held_against_the_truth(catalogue: Catalogue) -> None:
    faint = replace(doubt(tableau(STOPPED)), behind=2.0)
    other_way = replace(doubt(tableau(UP[::-1]), about="direction", place="0.w1"), behind=1.0)
    wide = replace(doubt(tableau(ACROSS)), behind=3.0)
    silent = doubt(tableau(BACK))
    scan = reading(tableau(UP), faint, other_way, wide, silent)

    def told(true: Record) -> list[bool]:
        truth = Truth(Seen(true, (SeenCard("C1", 0, CORNERS),)), Table(catalogue))
        return [right for _, right in doubt_confidences(scan, truth)]

    assert told(tableau(UP)) == [True, True, True]
    assert told(tableau(UP[::-1])) == [True, False, True]
    # Neither way of a line that was not drawn so, and neither of two ends that are not there.
    assert told(tableau(STOPPED)) == [False]


def test_an_answer_that_leaves_all_as_it_was_changed_nothing() -> None:
    same = Asked("path:0.j1", "0.j1", 0, settles=True, changed=False, answers=1, again=True)
    end = Played(
        asked=(same, Asked("gap", "", 2, settles=False, changed=False, answers=3, again=False, true=False))
    )
    assert (end.changed_nothing, end.one_answer, end.asked_again, end.without_true_answer) == (1, 1, 1, 1)


def test_what_is_wrong_with_questions_is_counted(catalogue: Catalogue) -> None:
    """One answer that settles, two that come to the same, and a place where nothing was drawn or read."""
    read = tableau(UP)
    beside = replace(doubt(place="0.e1"), name="path:beside:0.e1")
    end = played(catalogue, tableau(UP), reading(tableau(UP[:3]), doubt(tableau(UP)), beside))
    asked = {each.kind: each for each in end.asked}
    assert asked["path"].real == 2 and not asked["path"].alike and not asked["path"].bare
    # The line ends two steps away from the opening, and ran to another one.
    assert asked["path:beside"].bare and end.without_ink == 1
    missing = replace(doubt(about="card", place="0"), name="card:gap:0")
    (gap,) = played(catalogue, tableau(UP), reading(read, missing)).asked
    assert (gap.kind, gap.real, gap.settles) == ("card:gap", 2, True)
    assert Played(asked=(gap,)).few_answers == 0
    few = replace(gap, real=1)
    row = Measured("a.jpg", 1, players={"careful": Played(asked=(few, asked["path"], asked["path"]))})
    total = report([row])["total"]["players"]["careful"]
    assert total["few_answers"] == 1 and total["same_answers"] == 0
    assert total["kinds"] == {
        "path": {"asked": 2, "few_answers": 0, "answered": 2},
        "card:gap": {"asked": 1, "few_answers": 1, "answered": 1},
    }


def test_who_takes_the_photo_again_answers_no_more_about_this_one(catalogue: Catalogue) -> None:
    none = replace(doubt(), name="path", place="")
    read = reading(tableau(circled=("0.s1",)), doubt(tableau(), about="mark", place="0.s1"), none)
    for player in PLAYERS:
        end = played(catalogue, tableau(UP, circled=("0.s1",)), read, player)
        assert [(each.name, each.settles) for each in end.asked] == [("path", False)]
        assert not end.sure and end.without_true_answer == 0


def test_who_is_asked_about_a_card_looks_at_the_card(catalogue: Catalogue) -> None:
    """Where a card lies that was not read, it is not true that none does."""
    beside = ((640.0, 0.0), (1270.0, 0.0), (1270.0, 880.0), (640.0, 880.0))
    both = make_record((PlacedCard("C1", 0, 0), PlacedCard("C1", 63, 0)), (UP,))
    truth = Truth(Seen(both, (SeenCard("C1", 0, CORNERS), SeenCard("C1", 0, beside))), Table(catalogue))
    box = (640, 0, 1270, 880)
    asked = replace(doubt(about="card", place="0"), name="card:stranger:0", crop_px=box)
    out = tableau(("0.m1", "0.e1"))
    missing = next(
        each for each in play(reading(out, asked), truth, "careful").asked if each.kind[:4] == "card"
    )
    assert missing.true and not missing.settles


@pytest.mark.parametrize("covered", [(), (("0.m1", "0.e1"),)], ids=["nothing", "a second line"])
def test_who_drew_on_the_covered_part_of_a_card_does_not_say_that_its_line_is_right(
    catalogue: Catalogue, covered: tuple[tuple[str, ...], ...]
) -> None:
    """The question names the place nearest to what covers the card; the line there was read as it is."""
    asked = replace(doubt(place="0.w1"), name="path:cut:0.w1")
    end = played(catalogue, tableau(UP, *covered), reading(tableau(UP), asked))
    assert (end.sure, end.right, end.without_true_answer) == (not covered, not covered, 0)


def test_the_report_counts_how_photos_end() -> None:
    question = Asked("a", "", 0, settles=True, changed=True, answers=2, again=False)
    ends = [
        Played(right=True, sure=True),
        Played(right=True, sure=True, asked=(question,)),
        Played(right=False, sure=True, asked=(question,) * 2),
        Played(right=False, sure=False, asked=(question,) * 3),
    ]
    rows = [Measured(f"{k}.jpg", 1, players={"hurried": end}) for k, end in enumerate(ends)]
    told = report(rows)
    total = told["total"]["players"]["hurried"]
    assert (total["questions"], total["questions_mean"], total["questions_most"]) == (6, 1.5, 3)
    assert (total["at_most_one_question"], total["at_most_two_questions"]) == (0.5, 0.75)
    assert (total["right"], total["sure"]) == (0.5, 0.75)
    assert (total["sure_and_wrong_count"], total["sure_count"], total["sure_and_wrong"]) == (1, 3, 0.25)
    assert total["sure_and_wrong_bound"] == pytest.approx(upper_bound(1, 4))
    assert total["wrong_among_sure_bound"] == pytest.approx(upper_bound(1, 3))
    assert [row["players"]["hurried"]["sure_and_wrong"] for row in told["photos"]] == [0, 0, 1, 0]


@pytest.mark.parametrize(("count", "bound"), [(36, 0.08), (299, 0.01), (2995, 0.001)])
def test_none_of_so_many_is_a_bound(count: int, bound: float) -> None:
    told = upper_bound(0, count)
    assert told is not None
    assert told == pytest.approx(1 - 0.05 ** (1 / count))
    assert 0.99 * bound < told <= bound


@pytest.mark.parametrize(("wrong", "of"), [(1, 10), (3, 40), (9, 10)])
def test_with_a_share_as_large_as_the_bound_so_few_are_rare(wrong: int, of: int) -> None:
    share = upper_bound(wrong, of)
    assert share is not None
    chance = sum(math.comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(wrong + 1))
    assert chance == pytest.approx(0.05)


def test_the_bound_of_all_and_of_nothing() -> None:
    assert upper_bound(5, 5) == 1.0
    assert upper_bound(0, 0) is None
