"""Questions are known by name: the same for the same doubt, however often the photo is read."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from vision.questions import REASONS, About, Question, with_names


def ask(about: About, reason: str, place: str) -> Question:
    return Question(about, place, (), *REASONS[reason].pair)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (ask("path", "faint", "1.w2"), "path:faint:1.w2"),
        (ask("card", "card", "3"), "card:3"),
        (ask("mark", "mark", "0.A1"), "mark:0.A1"),
        (ask("direction", "direction", "0.w1"), "direction"),
        (Question("path", "0.j1", (), "Another program's sentence.", "ほかの文です。"), "path:0.j1"),
        (Question("path", "", (), "Another program's sentence.", "ほかの文です。"), "path"),
    ],
)
def test_a_name_says_what_why_and_where(question: Question, name: str) -> None:
    assert [named.name for named in with_names([question])] == [name]


def test_later_twins_are_numbered_and_names_are_kept() -> None:
    faint, beside = ask("path", "faint", "0.j1"), ask("path", "beside", "0.j1")
    named = with_names([faint, beside, faint, faint])
    assert [q.name for q in named] == [
        "path:faint:0.j1",
        "path:beside:0.j1",
        "path:faint:0.j1:2",
        "path:faint:0.j1:3",
    ]
    assert with_names(named) == named
    # one that is added takes no name that is there, and no question loses its own to it
    assert [q.name for q in with_names([faint, *named[:1]])] == ["path:faint:0.j1:2", "path:faint:0.j1"]


def test_questions_kept_before_they_had_names_get_the_names_of_today() -> None:
    named = with_names([ask("path", "hidden", "0.j1"), ask("mark", "mark", "0.A1")])
    before = msgspec.to_builtins(named)
    for question in before:
        del question["name"]
    kept = msgspec.convert(before, tuple[Question, ...])
    assert [question.name for question in kept] == ["", ""]
    assert with_names(kept) == named
    assert replace(named[0], name="") == kept[0]
