"""Names of questions. A reading names its own (`vision.questions.with_names`); questions from other
sources have their names here.

Questions once had numbers instead: those of a reading by their position, the others by a fixed number.
The functions here still understand stored numbers, and programs that send them. Numbers are no longer
written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from vision.questions import Question, with_names

#: Unjoined strokes; the question follows from the ruling, not from the photo.
GAP = "gap"
#: Cards corrected by a person since the ink was read.
CARDS_CORRECTED = "cards-corrected"
#: A rule that the path breaks; not asked once the path breaks none.
BROKEN_RULE = "broken-rule"

#: Cards on which no line was found.
NO_PATH = "path"
#: The whole path, asked once in place of doubts whose alternatives no longer fit it.
PART_READ = "part-read"
#: Too much of the path is unclear, so that another photo is quicker than answers.
UNCLEAR = "unclear"
#: A path that ends without an obstacle.
STOPS_INSIDE = "stops-inside"
#: A path that ends without an obstacle, near an exit of the cards.
STOPS_SHORT = "stops-short"
STOPS = (STOPS_INSIDE, STOPS_SHORT)
#: Marks that contradict the path.
MARKS = "marks"
#: Questions about the current path; another path may have other gaps or broken rules.
ABOUT_THE_PATH = (GAP, BROKEN_RULE, MARKS, PART_READ, *STOPS)
#: Questions about contradictions between path, rules and marks; one answer resolves them all.
STORIES = frozenset({BROKEN_RULE, MARKS})
#: Prefix of questions about circles beside the path.
OFF_PATH = "path:off-path:"
#: Prefix of the stored key of a skipped question.
_LEFT = "left:"
#: Prefix of the stored key of an answer that the evidence contradicts: "due:path:faint:1.w2".
_AGAINST = "due:"
#: Stored key of an answer that something was held which nobody had written down.
MEANS = "told:means"

#: Former numbers of these questions; a reading has far fewer questions of its own.
_NUMBERS = {
    GAP: 1000,
    CARDS_CORRECTED: 1001,
    BROKEN_RULE: 1002,
    MARKS: 1003,
    PART_READ: 1004,
    STOPS_INSIDE: 1005,
    UNCLEAR: 1006,
}
_NAMES = {number: name for name, number in _NUMBERS.items()}
#: Prefix of the keys of assumptions about a reading (`waymark.review.tableau.counterfactuals`).
_READING = "reading:"


def name_of(asked: str | int, questions: Sequence[Question]) -> str:
    """Name of a question that is given by name, or by its number among a reading's `questions`. A number
    without a question is returned as digits, which no question has as its name."""
    if isinstance(asked, str) and not (asked.isascii() and asked.isdigit()):
        return asked
    number = int(asked)
    if number in _NAMES:
        return _NAMES[number]
    names = [question.name for question in with_names(questions)]
    return names[number] if 0 <= number < len(names) else str(number)


def left_open(name: str) -> str:
    """Stored key of a question that somebody could not answer: it is not asked again, and keeps the score
    from being sure."""
    return _LEFT + name


def was_left(name: str) -> str | None:
    """Name of the question that a stored key marks as skipped; None for the key of an answered question."""
    return name.removeprefix(_LEFT) if name.startswith(_LEFT) else None


def against_evidence(name: str) -> str:
    """Stored key of a question whose answer the evidence contradicts."""
    return _AGAINST + name


def answered_against(key: str) -> str | None:
    """Name of the question that a stored key marks as answered against the evidence; None for others."""
    return key.removeprefix(_AGAINST) if key.startswith(_AGAINST) else None


def may_rest_on_answers(answered: Iterable[str]) -> bool:
    """Whether, by the names of the answered questions, a score may rest on answers that the photo does not
    show (`waymark.review.tableau.assess.Ground`)."""
    return any(key in (GAP, MARKS, UNCLEAR, MEANS) or key.startswith(_AGAINST) for key in answered)


def broken_rule_at(rule: str, place: str) -> str:
    """Stored key of an answer that a rule was broken at a place: it remains valid however the path runs
    elsewhere."""
    return f"{BROKEN_RULE}:{rule}:{place}"


def is_confirmed_break(name: str) -> bool:
    """Whether a stored key is one of `broken_rule_at`."""
    return name.startswith(f"{BROKEN_RULE}:")


class _Kept(msgspec.Struct):
    """The part of a stored reading that contains its questions."""

    questions: tuple[Question, ...] = ()


def kept_questions(reading: bytes) -> tuple[Question, ...]:
    """The named questions of a stored reading (`waymark.review.pipeline.encode_reading`); empty where
    nothing is stored. Raises `msgspec.DecodeError`."""
    return with_names(msgspec.json.decode(reading, type=_Kept).questions) if reading else ()


def number_of(name: str, questions: Sequence[Question]) -> int:
    """The number by which the API still refers to a question; -1 for a question that the reading does
    not have."""
    if name in _NUMBERS:
        return _NUMBERS[name]
    names = [question.name for question in with_names(questions)]
    return names.index(name) if name in names else -1


def names_of(answered: Iterable[str | int], questions: Sequence[Question]) -> list[str]:
    """Stored answers, numbers or names, as sorted unique names. Numbers without a question in the
    reading are left out, as after a new reading."""
    names = (name_of(each, questions) for each in answered)
    return sorted({name for name in names if not name.lstrip("-").isdigit()})


def numbers_of(answered: Iterable[str], questions: Sequence[Question]) -> list[int]:
    """The former numbers of named questions; names without one are left out."""
    numbers = (number_of(name, questions) for name in answered)
    return sorted(number for number in numbers if number >= 0)


def assumption_by_name(key: str, questions: Sequence[Question]) -> str:
    """The key of an assumption, with the number of its question replaced by the question's name."""
    if not key.startswith(_READING):
        return key
    question, _, option = key.removeprefix(_READING).rpartition(":")
    return f"{_READING}{name_of(question, questions)}:{option}"


def assumption_by_number(key: str, questions: Sequence[Question]) -> str:
    """The key of an assumption, with the name of its question replaced by its number; unchanged where
    the question has no number."""
    if not key.startswith(_READING):
        return key
    question, _, option = key.removeprefix(_READING).rpartition(":")
    number = number_of(question, questions)
    return key if number < 0 else f"{_READING}{number}:{option}"
