"""Direction of a path where the ink leaves both open: decided by the rules, then by the marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from scorer.record import Record, path_backwards
from scorer.text import Text
from scorer.verdict import Choice
from vision.questions import DOUBT, Question
from vision.scan import Scan
from waymark.review.referee_cache import Table
from waymark.review.tableau.evidence import Evidence

_BY_MARKS = Text("The circles and strikes show in which direction the path was drawn.")
#: Cost (nats) of the assumption that a path was walked in the other direction than its lines were read.
TURNED = 2.5

#: Function from a record to its ruling.
Rule = Callable[[Record], Any]


def choose_reading(scan: Scan, table: Table, terms: Any, evidence: Evidence) -> tuple[Scan, Choice | None]:
    """The scan in the likeliest direction and stroke order, and the game's choice (None: nothing was
    open).

    Ink alone leaves both directions open; the game chooses between the verdicts, then the marks do: a
    player who circled finds of one direction only walked that one. The path itself stays as read. The
    direction question keeps the alternatives that are as likely, and is dropped without any; other
    questions are turned to match."""
    asked = next((question for question in scan.questions if question.about == "direction"), None)
    if asked is None:
        return scan, None

    def rule(record: Record) -> Any:
        return table.referee(record, terms)

    readings = (scan.tableau, *asked.alternatives)
    choice = table.choose([rule(reading) for reading in readings])
    if choice.asked:
        choice = _chosen_by_marks(choice, [evidence.against(reading, terms) for reading in readings])
    record = readings[choice.chosen]
    questions = []
    for question in scan.questions:
        if question is not asked:
            questions.append(_turned(question, scan.tableau, record, rule))
        elif choice.rivals:
            questions.append(
                replace(
                    asked,
                    place=record.path[0][0],
                    options=tuple(asked.options[k] for k in (choice.chosen, *choice.rivals)),
                    alternatives=tuple(readings[k] for k in choice.rivals),
                )
            )
    turned = replace(scan, tableau=record, path_px=_lines_in_order(scan, record), questions=tuple(questions))
    return turned, choice


def _chosen_by_marks(choice: Choice, against: Sequence[float]) -> Choice:
    """A game's choice among readings, without those that the marks clearly contradict."""
    likely = sorted((choice.chosen, *choice.rivals), key=lambda k: (against[k], k != choice.chosen, k))
    rivals = tuple(k for k in likely[1:] if against[k] - against[likely[0]] <= DOUBT)
    if rivals:
        return replace(choice, chosen=likely[0], rivals=rivals)
    return Choice(likely[0], (), "marks", _BY_MARKS)


def _turned(question: Question, read: Record, record: Record, rule: Rule) -> Question:
    """A question with its alternatives reversed into the chosen direction."""
    if question.about == "mark":
        others = [msgspec.structs.replace(other, path=record.path) for other in question.alternatives]
        return replace(question, alternatives=tuple(others))
    turn = record.path != read.path and record.path == path_backwards(read.path)
    alternatives = []
    for other in question.alternatives:
        back = msgspec.structs.replace(other, path=path_backwards(other.path))
        first, second = (back, other) if turn else (other, back)
        alternatives.append(second if not rule(first).legal and rule(second).legal else first)
    return replace(question, alternatives=tuple(alternatives))


def _lines_in_order(scan: Scan, record: Record) -> tuple[tuple[tuple[float, float], ...], ...]:
    """`path_px` in the stroke order and directions of `record`."""
    if record.path == scan.tableau.path:
        return scan.path_px
    left = list(zip(scan.tableau.path, scan.path_px, strict=True))
    lines = []
    for stroke in record.path:
        for k, (places, line) in enumerate(left):
            if places in (stroke, stroke[::-1]):
                lines.append(line if places == stroke else line[::-1])
                del left[k]
                break
    return tuple(lines)
