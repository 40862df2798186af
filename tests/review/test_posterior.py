"""The posterior of a score: what its causes say together, and what more certainty asks."""

from __future__ import annotations

import math
import random
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trial_tableaus import asked, path_question, record, shown, stands

from tools.fit_posterior import Observation, calibration, fitted, held_out, probabilities, trade
from vision.questions import REASONS, About, Question
from waymark.review.tableau.answers import answer, options
from waymark.review.tableau.assess import Assessment, assess
from waymark.review.tableau.doubt_kinds import Kind, kind_of, reason_of
from waymark.review.tableau.posterior import WHOLE, Cause, Weights, probability, terms_of, to_ask, weights
from waymark.review.tableau.question_names import PART_READ

#: w1 - sword s1 - junction j1 - n1, and the same line as far as the junction.
WHOLE_LINE, CUT_SHORT = ("0.w1", "0.s1", "0.j1", "0.n1"), ("0.j1", "0.n1")

chances = st.lists(st.floats(0, 1), max_size=8).map(
    lambda each: tuple(Cause(f"path:faint:{k}", chance) for k, chance in enumerate(each))
)


def doubted(behind: float) -> Assessment:
    return stands(record(WHOLE_LINE), path_question(record(CUT_SHORT), behind))


def again(now: Assessment, certainty: float) -> Assessment:
    return assess(now.reading, now.table, now.terms, certainty=certainty)


def chance(now: Assessment, name: str) -> float:
    return next(cause.chance for cause in now.causes if cause.name == name)


# --- causes together ----------------------------------------------------------------------------------------


@given(chances)
def test_a_score_is_right_where_no_cause_is_at_work(causes: tuple[Cause, ...]) -> None:
    right = probability(causes)
    assert 0 <= right <= 1
    assert all(right <= 1 - cause.chance + 1e-12 for cause in causes)
    assert probability(()) == 1.0


@given(chances, st.floats(0.01, 0.999))
def test_what_is_not_asked_about_leaves_the_score_certain_enough(
    causes: tuple[Cause, ...], certainty: float
) -> None:
    names = to_ask(causes, certainty)
    rest = [cause for cause in causes if cause.name not in names]
    assert probability(rest) >= certainty
    # and it is no more than that takes: with the least of it left out, the score is not certain enough
    if names:
        least = min((cause for cause in causes if cause.name in names), key=lambda cause: cause.chance)
        assert probability([*rest, least]) < certainty
    assert names <= to_ask(causes, certainty + (1 - certainty) / 2)


def test_a_cause_without_a_chance_is_never_asked_about() -> None:
    assert to_ask([Cause("path:faint:1.w2", 0.0), Cause(WHOLE, 0.5)], 0.9999) == {WHOLE}


# --- what a doubt is worth ----------------------------------------------------------------------------------


def test_the_further_an_alternative_is_behind_the_likelier_is_the_score() -> None:
    told = [doubted(behind) for behind in (0.0, 1.5, 3.0, 4.5, 6.0)]
    faint = [chance(now, "path:faint:0.j1") for now in told]
    assert faint == sorted(faint, reverse=True) and faint[0] > faint[-1]
    right = [now.probability for now in told]
    assert right == sorted(right) and right[0] < right[-1]


def test_no_fitted_weight_makes_a_doubt_likelier_by_its_lag() -> None:
    lags = [value for name, value in weights().doubt.items() if name.startswith("lag ")]
    assert lags and max(lags) <= 0


def test_a_doubt_whose_answers_score_the_same_is_no_cause() -> None:
    read = record(WHOLE_LINE)
    now = stands(read, path_question(read))
    assert [cause.name for cause in now.causes] == [WHOLE]
    assert "path:faint:0.j1" not in asked(again(now, 0.9999))


def test_marks_for_the_path_as_read_make_the_score_likelier() -> None:
    other = record(CUT_SHORT, circled=("0.s1",))
    marked = stands(record(WHOLE_LINE, circled=("0.s1",)), path_question(other, 1.5))
    assert chance(marked, "path:faint:0.j1") < chance(doubted(1.5), "path:faint:0.j1")


def test_the_terms_of_a_cause_add_up_to_its_chance() -> None:
    for cause in doubted(1.5).causes:
        log_odds = sum(terms_of(cause).values())
        assert math.isclose(1 / (1 + math.exp(-log_odds)), cause.chance, abs_tol=0.002)


@pytest.mark.parametrize("name", ["path:unseen:0.n1", "path:covered:0.n1", "path:cut:0.s1", "card:cut-off:0"])
def test_what_the_picture_does_not_show_is_never_far_fetched(name: str) -> None:
    """Photos that are drawn show whole tables: however seldom such a doubt was right there, it is asked."""
    about: About = "card" if name.startswith("card") else "path"
    doubt = Question(about, name.rpartition(":")[2], (), "Not in the picture.", "写っていない", name=name)
    now = stands(record(WHOLE_LINE, circled=("0.s1",)), doubt)
    cause = next(each for each in now.causes if each.name == name)
    assert cause.chance > 0.099 and asked(now) == [name]
    assert sum(terms_of(cause).values()) == pytest.approx(
        math.log(cause.chance / (1 - cause.chance)), abs=0.01
    )


def test_a_doubts_reason_is_its_name_without_the_place() -> None:
    assert [reason_of(name) for name in ("path:faint:1.w2", "card:group:0", "direction")] == [
        "path:faint",
        "card:group",
        "direction",
    ]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("card:3", Kind.CARD),
        ("card:gap:0", Kind.MISSING),
        ("path:covered:1.e1:2", Kind.END),
        ("path:off-path:2.s1", Kind.MARK),
        ("mark:0.A1", Kind.MARK),
        ("path:proposed:1", Kind.STRETCH),
        ("stops-inside", Kind.PATH),
    ],
)
def test_a_doubts_kind_follows_from_its_reason(name: str, kind: Kind) -> None:
    assert kind_of(name) is kind


def test_there_are_few_kinds_of_doubt_and_a_reason_for_each() -> None:
    names = {*REASONS} | {f"{about}:{reason}" for reason in REASONS for about in get_args(About)}
    assert len(Kind) <= 12 and {kind_of(name) for name in names} == set(Kind)


# --- a person who wants more certainty ----------------------------------------------------------------------


def test_more_certainty_asks_about_what_is_far_less_likely() -> None:
    now = doubted(6.0)
    assert now.sure and not now.open_questions
    strict = again(now, 1 - chance(now, "path:faint:0.j1") / 2)
    assert not strict.sure and "path:faint:0.j1" in asked(strict)
    # as much as the score has already asks for nothing
    assert again(now, now.probability).sure


def test_an_answer_takes_its_cause_away_and_ends_in_a_sure_score() -> None:
    now = again(doubted(6.0), 0.9999)
    seen = [now.probability]
    while now.open_questions:
        name = now.open_questions[0].name
        then = answer(now, name, 0)
        assert then is not None and name not in {cause.name for cause in then.causes}
        now = then
        seen.append(now.probability)
        assert len(seen) < 10
    assert now.sure and seen == sorted(seen) and now.probability >= 0.9999


def test_what_no_doubt_names_is_asked_as_the_whole_path() -> None:
    now = stands(record(WHOLE_LINE))
    strict = again(now, 1 - chance(now, WHOLE) / 2)
    assert asked(strict) == [PART_READ] and "stands" in shown(strict, PART_READ)
    stays = next(each.number for each in options(strict, PART_READ) if each.kind == "stands")
    then = answer(strict, PART_READ, stays)
    assert then is not None and then.sure and then.probability == 1.0


def test_who_cannot_tell_keeps_the_score_unsure() -> None:
    strict = again(stands(record(WHOLE_LINE)), 0.9999)
    unknown = next(each.number for each in options(strict, PART_READ) if each.kind == "unknown")
    then = answer(strict, PART_READ, unknown)
    assert then is not None and not then.sure and not then.open_questions
    assert [question.name for question in then.left_questions] == [PART_READ]


# --- the fit ------------------------------------------------------------------------------------------------

TRUE = Weights(doubt={"doubt": -3.0, "reason path:faint": 2.5, "lag from 1": -1.0}, reading={"reading": -4.0})


@pytest.fixture(scope="module")
def drawn() -> list[Observation]:
    """Observations whose scores are wrong by the chances of `TRUE`."""
    rng = random.Random(7)
    made = []
    for number in range(3000):
        doubts = tuple(
            {"doubt": 1.0, "reason path:faint": float(rng.random() < 0.5), "lag from 1": rng.uniform(0, 3)}
            for _ in range(rng.randrange(4))
        )
        told = Observation(f"{number}.jpg", "drawn", {"reading": 1.0}, doubts, True, True, 0.0, True)
        chance_right = float(probabilities([told], TRUE)[0])
        made.append(
            Observation(
                told.photo,
                told.folder,
                told.reading,
                doubts,
                rng.random() < chance_right,
                True,
                chance_right,
                True,
            )
        )
    return made


def test_the_fit_finds_the_weights_that_the_truth_was_drawn_by(drawn: list[Observation]) -> None:
    found = fitted(drawn)
    for name, value in TRUE.doubt.items():
        assert found.doubt[name] == pytest.approx(value, abs=0.5), name
    assert found.reading["reading"] == pytest.approx(-4.0, abs=0.6)


def test_probabilities_of_photos_that_were_held_out_are_calibrated(drawn: list[Observation]) -> None:
    told = held_out(drawn)
    lines = list(calibration(np.array([each.right for each in drawn]), told))
    error = float(lines[-1].split()[3])
    assert lines[-1].startswith("expected calibration error") and error < 0.02


def test_the_trade_tells_how_many_are_sure_and_wrong_by_certainty(drawn: list[Observation]) -> None:
    rows = [line.strip("| ").split(" | ") for line in list(trade(drawn, held_out(drawn)))[2:]]
    sure = [int(row[1]) for row in rows]
    wrong = [int(row[2]) for row in rows]
    assert sure == sorted(sure, reverse=True) and sure[0] == len(drawn)
    assert wrong[0] == sum(not each.right for each in drawn) and wrong[3] / sure[3] < wrong[0] / sure[0]
