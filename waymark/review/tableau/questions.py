"""Questions that no reader asks: those that follow from the ruling, those that an answer leaves open, and one
question in place of several about the same path."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from scorer.text import Text
from scorer.verdict import Discord, RuledDoubt
from vision.questions import Question
from waymark.review.tableau.doubt_kinds import reason_of
from waymark.review.tableau.question_names import OFF_PATH, PART_READ, UNCLEAR
from waymark.review.tableau.reread import tells_a_loss

MARKS_DIFFER = Text("The circles or strikes here do not match the path as it was read.")
_LOOK_OVER = Text(
    "Part of this line is hard to see in the photo; please check the whole path once, as it is now."
)
_UNCLEAR = Text("Much of the path is not clear in this photo. Take it again, closer or in better light.")
_MUCH_HIDDEN = Text("Something hides much of the path. Take the photo again without it.")
NO_LINE_LEFT = Text(
    "As it is now, no path was drawn. If there is a line, take the photo again, or draw the path by hand."
)
#: Number of doubts about different stretches from which the photo is taken again instead. Of 80 photos of
#: `tuning-evening` with a hand, finger or pen over the path, 5 have as many, and led to 2 to 9 questions. A
#: player who confirms the path anyway gets the score, marked as not sure. Unjoined lines and broken rules
#: are asked first: of 9 such photos 2 were right after that.
MOST_DOUBTS = 5
#: Prefix of a reading's questions about single stretches of the path.
_OF_THE_PATH = "path:"


def without_marks_twice(
    questions: Collection[Question], discord: Collection[Discord]
) -> tuple[Question, ...]:
    """The reading's questions without those about single circles beside the path that weigh enough. One
    question covers all marks that contradict the path."""
    weighed = {each.place for each in discord if each.weight > 0}
    return tuple(
        question
        for question in questions
        if question.alternatives or not question.name.startswith(OFF_PATH) or question.place not in weighed
    )


def taken_again(
    questions: list[Question], counted: Collection[Question], settled: Collection[str]
) -> list[Question]:
    """The questions, with a single one in place of those about stretches of the path where the `counted`
    ones are many: whether to take the photo again."""
    doubts = [each for each in questions if each.name.startswith(_OF_THE_PATH) and not tells_a_loss(each)]
    rest = [each for each in questions if each not in doubts]
    if UNCLEAR in settled:
        return rest
    open_ones = [each for each in counted if each.name.startswith(_OF_THE_PATH) and each.alternatives]
    if (
        not doubts
        or len({tuple(other.path for other in each.alternatives) for each in open_ones}) < MOST_DOUBTS
    ):
        return questions
    hidden = sum(reason_of(each.name) == "path:hidden" for each in open_ones)
    words = _MUCH_HIDDEN if 2 * hidden >= len(open_ones) else _UNCLEAR
    return [*rest, question_of_all(words)]


def question_of_all(words: Text = _UNCLEAR) -> Question:
    """The question whether the whole path is right, or has to be photographed again."""
    return Question("path", "", (), *words.pair, name=UNCLEAR)


def looked_at_once(
    questions: Collection[Question], read: Mapping[str, Question], settled: Collection[str]
) -> list[Question]:
    """The questions, with one about the whole path in place of those whose alternatives no longer fit
    it. All that remains to ask is whether the path is right."""
    bare = [
        question
        for question in questions
        if question.about == "path"
        and not question.alternatives
        and question.name in read
        and read[question.name].alternatives
    ]
    kept = [question for question in questions if question not in bare]
    if bare and PART_READ not in settled:
        kept.append(look_over())
    return kept


def look_over() -> Question:
    """The question whether the whole path is right as it is now."""
    return Question("path", "", (), *_LOOK_OVER.pair, name=PART_READ)


def without_twins(questions: Collection[Question]) -> list[Question]:
    """The questions about the line without those whose alternatives are all offered by another, equally
    likely question. Several places on one stretch lead to the same alternative and are one doubt."""
    kept = [(question.behind, -len(_ways(question)), k) for k, question in enumerate(questions)]
    asked = list(questions)
    return [
        question
        for rank, question in zip(kept, asked, strict=True)
        if not (ways := _ways(question))
        or not any(ways <= _ways(asked[other[2]]) for other in kept if other < rank)
    ]


def with_twins(settled: frozenset[str], read: Mapping[str, Question]) -> frozenset[str]:
    """The names of the settled questions, and of questions whose alternatives were all offered by one of
    those."""
    seen = [_ways(question) for name, question in read.items() if name in settled]
    return settled | {
        name
        for name, question in read.items()
        if (ways := _ways(question)) and any(ways <= each for each in seen)
    }


def _ways(question: Question) -> frozenset[tuple[tuple[str, ...], ...]]:
    """The alternative paths of a question about the line; empty for other questions."""
    return frozenset(other.path for other in question.alternatives if question.about == "path")


def asked_of(doubt: RuledDoubt) -> Question:
    """The question for a doubt that follows from the ruling, mostly without alternatives."""
    words = doubt.words
    return Question("path", doubt.place, (), *words.pair, alternatives=doubt.others, name=doubt.about)
