"""Direction and order of strokes of a scan, settled by the game's rules where they tell.

Ink alone leaves both directions open; `scorer.mapmasters.direction` chooses between the rulings. The path
itself stays as it was read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from scorer.mapmasters.direction import choose, path_backwards, told_direction
from scorer.mapmasters.ruling import Direction, Ruling
from scorer.record import Record
from vision.questions import Question
from vision.scan import Scan

Rule = Callable[[Record], Ruling]


def settle_direction(scan: Scan, rule: Rule) -> tuple[Scan, Direction | None]:
    """The scan read in the likeliest direction and order, and what settled it (None: nothing was open).

    Its direction question keeps those other readings that are as likely, and goes when there are none; other
    questions are turned the same way. `rule` referees a record.
    """
    asked = next((question for question in scan.questions if question.about == "direction"), None)
    if asked is None:
        return scan, None
    readings = (scan.tableau, *asked.alternatives)
    settled = choose([rule(reading) for reading in readings])
    chosen, rivals = settled.chosen, settled.rivals
    record = readings[chosen]
    questions = []
    for question in scan.questions:
        if question is not asked:
            questions.append(_turned(question, scan.tableau, record, rule))
        elif rivals:
            questions.append(
                replace(
                    asked,
                    place=record.path[0][0],
                    options=tuple(asked.options[k] for k in (chosen, *rivals)),
                    alternatives=tuple(readings[k] for k in rivals),
                )
            )
    turned = replace(
        scan,
        tableau=record,
        path_px=_lines_in_order(scan, record),
        questions=tuple(questions),
        sure=scan.sure or not questions,
    )
    # the scan's record is written in the direction that stands, so nothing is left to be turned
    return turned, told_direction(settled)


def _turned(question: Question, read: Record, record: Record, rule: Rule) -> Question:
    """A question about something else, its other readings walked the way that was settled."""
    if question.about != "path":
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
    """`path_px` in the order and direction of the strokes of `record`."""
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
