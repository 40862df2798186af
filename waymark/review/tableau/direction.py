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
from waymark.review.tableau.persisted_questions import ends_told

_BY_MARKS = Text("The circles and strikes show in which direction the path was drawn.")
#: Largest cost (nats) by the marks, relative to the legal direction, at which a path that breaks a rule in
#: the other direction may have been walked that way. Of 8,560 drawings (evening samples) the six that were
#: are likelier by 1 nat and more; those that were not are likelier by 0.4 at most (40 within 4 nats).
AS_LIKELY = 0.0
#: Cost (nats) of the assumption that a path was walked in the other direction than its lines were read.
TURNED = 2.5
#: Largest cost (nats) by the marks of the direction that the ink does not support at which a question is
#: asked. Of 3,560 drawings (evening samples) five lead to one, and three of these were climbed up a pit.
_ASKED_BEHIND = 2.0
_OTHER_END = Text(
    "The circles fit the path better when it is walked from its other end; at which end did it begin?"
)

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
    elif not choice.rivals:
        rivals = _finding_nothing(readings, choice.chosen, table, terms)
        choice = replace(choice, rivals=rivals or _as_likely(readings, choice.chosen, evidence, table, terms))
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


def told_by_marks(scan: Scan, table: Table, terms: Any, evidence: Evidence) -> Question | None:
    """The question at which end a path began, where the marks contradict the direction that the ink shows.
    For instance, the line of a climb out of a pit looks like a fall, and the marked finds are then before
    it."""
    record = scan.tableau
    back = table.game.rules.backwards(record)
    marked = record.marks.circled or record.marks.struck
    if back is None or not marked or not table.referee(record, terms).legal:
        return None
    behind = TURNED + evidence.against(back, terms) - evidence.against(record, terms)
    if behind > _ASKED_BEHIND or table.alike(table.referee(record, terms), table.referee(back, terms)):
        return None
    ends = tuple(ends_told(each.path) for each in (record, back))
    return Question(
        "direction",
        record.path[0][0],
        ends,
        *_OTHER_END.pair,
        alternatives=(back,),
        behind=TURNED,
        name="direction",
    )


def _finding_nothing(readings: Sequence[Record], chosen: int, table: Table, terms: Any) -> tuple[int, ...]:
    """Indices of readings that break a rule before reaching any find except a pit, where nothing is marked
    and only the chosen reading is legal. A player who drew such a path had nothing to circle. Of 8,560
    drawings (evening samples) and 764 photos five were of this kind; of more than 100 with one or two finds
    before the broken rule, none."""
    marks, verdicts = readings[chosen].marks, [table.referee(reading, terms) for reading in readings]
    if marks.circled or marks.struck or not verdicts[chosen].legal:
        return ()

    def found_before(reading: Record, verdict: Any) -> int:
        names = [name for line in reading.path for name in line][: table.game.rules.reach(verdict)]
        ways = table.dungeon(reading.cards).neighbours[names[-1]] if names else ()
        in_pit = any(way.kind == "fall" for way in ways)
        return sum(count for _, count in table.game.words.report(verdict).counts) - in_pit

    return tuple(
        k
        for k, (reading, verdict) in enumerate(zip(readings, verdicts, strict=True))
        if not verdict.legal
        and not table.alike(verdict, verdicts[chosen])
        and found_before(reading, verdict) <= 0
    )


def _as_likely(
    readings: Sequence[Record], chosen: int, evidence: Evidence, table: Table, terms: Any
) -> tuple[int, ...]:
    """Indices of readings that break a rule but are nearly as likely by the marks as the chosen one,
    which keeps all marks. They also differ in worth."""
    verdict, against = table.referee(readings[chosen], terms), evidence.against(readings[chosen], terms)
    if not verdict.legal:
        return ()
    return tuple(
        k
        for k, reading in enumerate(readings)
        if k != chosen
        and evidence.against(reading, terms) <= against + AS_LIKELY
        and not table.alike(table.referee(reading, terms), verdict)
    )


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
