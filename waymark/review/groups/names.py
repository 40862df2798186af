"""Names of the questions about a table of groups; answers are stored under these names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.groups import AGREED, SEEN
from scorer.record import PlacedCard
from vision.groups.scan import GroupScan
from vision.questions import Question

#: Keys of options, for any question.
AS_READ, SKETCH = "as-read", "sketch"
#: Key of a line's own reading among the options of a question about it.
OWN_READING = "0"
BY_ORDER = "order"
#: Prefix of questions about an earlier agreement that the photo contradicts.
AGREED_BEFORE = "agreed:"
#: Prefixes of questions about facts that nobody stated, and of questions that a reading left open.
UNTOLD, LEFT_OPEN = "untold:", "open:"
#: Prefix of questions that were open before the photo.
OPEN_BEFORE = LEFT_OPEN + "before:"


def heeded(answers: Mapping[str, str], scan: GroupScan, names: Sequence[str]) -> dict[str, str]:
    """The answers that are valid options of their questions, out of all stored answers of a table."""
    known: dict[str, set[str]] = {}
    for question in scan.questions:
        cards = (scan.placed, *(other.cards for other in question.alternatives))
        known[question.name] = {AS_READ, *(card_at(each, question) for each in cards)}
    for number, line in enumerate(scan.lines):
        known[owner_name(number)] = set(names)
        for question in line.questions:
            known[line_name(question, number)] = set(map(str, range(len(question.alternatives) + 1)))
    return {
        name: key
        for name, key in answers.items()
        if key in known.get(name, ())
        or (is_doubt(name) and key in (AS_READ, SKETCH))
        or (is_agreed(name) and key in (AGREED, SEEN))
        or (name.startswith((UNTOLD, LEFT_OPEN)) and key == AS_READ)
    }


def is_doubt(name: str) -> bool:
    return name.startswith(("stops:", "broken-rule:"))


def is_untold(name: str) -> bool:
    """Whether a question is about a fact that no photo shows. Its answer also holds for later photos."""
    return name.startswith(UNTOLD)


def is_left(name: str) -> bool:
    """Whether a question was left open by an earlier reading that a corrected record or another photo
    has replaced."""
    return name.startswith(LEFT_OPEN)


def left_open(name: str) -> str:
    """Name of a question that a reading left open, after a corrected record has replaced the reading."""
    return LEFT_OPEN + name.removeprefix(LEFT_OPEN)


def is_of_ruling(name: str) -> bool:
    """Whether a question follows from the ruling of a record, and not from the photo."""
    return is_doubt(name) or is_untold(name)


def is_agreed(name: str) -> bool:
    """Whether a question is about an agreement made before the photo."""
    return name.startswith(AGREED_BEFORE)


def owner_name(number: int) -> str:
    return f"owner:{number}"


def line_name(question: Question, number: int) -> str:
    return f"{question.name}:line{number}"


def card_at(cards: Sequence[PlacedCard], question: Question) -> str:
    return cards[int(question.place)].card


def order_key(record: Any) -> str:
    return "|".join(f"{path.group}@{path.path[0][0] if path.path else ''}" for path in record.paths)
