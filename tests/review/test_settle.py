"""Direction by the means: the one legal reading is taken, and no question is left about it."""

from __future__ import annotations

from typing import Any

import pytest
from trial_card import trial_catalogue

from scorer.dungeon import build_dungeon
from scorer.mapmasters.rules.terms import Terms
from scorer.record import Marks, PlacedCard, Record, make_record
from vision.questions import Question
from vision.scan import Scan, SeenPhoto
from waymark.review.referee_cache import Table
from waymark.review.tableau.direction import choose_reading
from waymark.review.tableau.evidence import Evidence

CARDS = (PlacedCard("C1", 0, 0),)
CATALOGUE = trial_catalogue()


# both ways break a rule, and only one comes past the sword
BENT = ("0.e1", "0.m1", "0.j1", "0.s1", "0.j1", "0.n1")


def record(*path: tuple[str, ...], marks: Marks | None = None) -> Record:
    return make_record(CARDS, path, marks=marks or Marks())


def ask(about: str, *others: Record) -> Question:
    options = tuple(f"{k}" for k in range(len(others) + 1))
    return Question(about, "0.j1", options, "why", "理由", None, others)  # type: ignore[arg-type]


def scan(read: Record, *questions: Question) -> Scan:
    lines = tuple(tuple((float(k), 0.0) for k in range(len(stroke))) for stroke in read.path)
    return Scan(SeenPhoto(10, 10), read, (), lines, questions, sure=not questions)


def settled(read: Scan) -> Scan:
    return _chosen(read)[0]


def settled_by(read: Scan) -> str | None:
    choice = _chosen(read)[1]
    return None if choice is None else str(choice.by)


def _chosen(read: Scan) -> tuple[Scan, Any]:
    table = Table(CATALOGUE)
    seen = dict.fromkeys(("0.s1", "0.m1"), 1.0)
    return choose_reading(read, table, Terms(), Evidence(table, read.tableau, seen))


# the monster at m1 stops a path that has no sword: only from the sword's side can it be passed
SWORD_FIRST = ("0.w1", "0.s1", "0.j1", "0.m1", "0.e1")


MARKED = Marks(circled=("0.s1", "0.m1"))


def test_the_only_legal_direction_is_taken_and_not_asked_where_something_is_marked() -> None:
    there, back = record(SWORD_FIRST[::-1], marks=MARKED), record(SWORD_FIRST, marks=MARKED)
    read = settled(scan(there, ask("direction", back)))
    assert read.tableau.path == (SWORD_FIRST,)
    assert read.path_px[0][0] == (4.0, 0.0)
    assert read.questions == ()


def test_the_only_legal_direction_is_taken_and_asked_where_nothing_is_marked() -> None:
    """Who breaks a rule at once and marks nothing leaves a path that is legal read backwards."""
    read = settled(scan(record(SWORD_FIRST[::-1]), ask("direction", record(SWORD_FIRST))))
    assert read.tableau.path == (SWORD_FIRST,)
    assert [question.about for question in read.questions] == ["direction"]


def test_two_legal_directions_stay_a_question() -> None:
    both = ("0.w1", "0.s1", "0.j1", "0.n1")
    read = settled(scan(record(both), ask("direction", record(both[::-1]))))
    assert read.tableau.path == (both,)
    assert [question.about for question in read.questions] == ["direction"]


def test_of_two_legal_directions_the_one_that_the_circles_go_with() -> None:
    # from w1 the sword comes before the monster; from n1 the monster stops the path before the sword
    there = ("0.n1", "0.j1", "0.m1")
    back = ("0.w1", "0.s1", "0.j1", "0.m1")
    for circled, starts, by in ((("0.s1", "0.m1"), "0.w1", "marks"), ((), "0.n1", "asked")):
        marked = [make_record(CARDS, (path,), marks=Marks(circled=circled)) for path in (there, back)]
        read = scan(marked[0], ask("direction", marked[1]))
        assert settled(read).tableau.path[0][0] == starts
        assert settled_by(read) == by


def test_other_questions_are_turned_along() -> None:
    shorter = SWORD_FIRST[::-1][1:]
    circled = record(SWORD_FIRST[::-1], marks=Marks(circled=("0.s1",)))
    read = settled(
        scan(
            record(SWORD_FIRST[::-1], marks=MARKED),
            ask("direction", record(SWORD_FIRST, marks=MARKED)),
            ask("path", record(shorter, marks=MARKED)),
            ask("mark", circled),
        )
    )
    path, mark = read.questions
    assert path.alternatives[0].path == (shorter[::-1],)
    assert mark.alternatives[0].path == (SWORD_FIRST,)
    assert mark.alternatives[0].marks.circled == ("0.s1",)


def test_of_two_illegal_directions_the_one_that_comes_farther() -> None:
    # from e1 the monster stops it at once; from w1 it comes past the sword and back, where the corridor is
    # used up
    bent = ("0.e1", "0.m1", "0.j1", "0.s1", "0.j1", "0.n1")
    read = settled(scan(record(bent), ask("direction", record(bent[::-1]))))
    assert read.tableau.path == (bent[::-1],)
    assert len(read.questions) == 1


@pytest.mark.parametrize(
    ("read", "others", "by"),
    [
        (SWORD_FIRST[::-1], [SWORD_FIRST], "only_legal"),
        (BENT, [BENT[::-1]], "asked"),
        (("0.e1", "0.m1", "0.j1"), [("0.j1", "0.m1", "0.e1")], "same_score"),
    ],
)
def test_what_settled_it_is_told(read: tuple[str, ...], others: list[tuple[str, ...]], by: str) -> None:
    asked = ask("direction", *(record(other) for other in others))
    assert settled_by(scan(record(read), asked)) == by


def test_without_a_direction_question_nothing_changes() -> None:
    read = scan(record(SWORD_FIRST))
    assert settled(read) is read
    assert settled_by(read) is None


def test_the_trial_card_is_what_these_tests_think() -> None:
    dungeon = build_dungeon(CATALOGUE, CARDS)
    assert dungeon.places["0.m1"].find == "monster"
    assert dungeon.open_openings == {"0.w1", "0.e1", "0.n1"}
