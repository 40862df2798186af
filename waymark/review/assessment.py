"""A tableau as it stands: a photo's reading with what people answered and corrected, refereed.

Reading never asks what is legal, and the referee never sees a picture: here both meet. A reading that was in
doubt carries its other readings as records. Where the game tells which of them stands, that is taken (ink
alone does not tell which way a line was drawn); the others are refereed, too, and `waymark.review.sure`
decides whether any of them can change the score.

Questions keep the name that they have in the reading. Those that are still open are asked about the record
as it stands now: their other readings are carried over to it, so that no answer undoes another."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import msgspec

from scorer.dungeon import Dungeon
from scorer.game import Choice, RuledDoubt
from scorer.record import Record, path_backwards
from vision.questions import DOUBT, Question, with_names
from vision.scan import Scan
from waymark.review.merge import merge_records, same_way
from waymark.review.path_joins import Path, lead_by, ways_to_join
from waymark.review.projection import cards_in_photo
from waymark.review.question_names import BROKEN_RULE, CARDS_CORRECTED, GAP
from waymark.review.rescan import ink_is_read
from waymark.review.sure import Decision, decide
from waymark.review.table import Table

#: So many ways to join a line that parts are offered.
MOST_JOINS = 3
#: Players break a rule in one drawing of eight at most, so another reading that breaks one is less likely by
#: this (nats) than the ink alone says, where what was read breaks none.
BROKEN_RULE_COST = 2.0

_CARDS_CORRECTED = Question(
    "path",
    "",
    (),
    "The cards were corrected after the line was read, so it is being read again; if that does not happen, "
    "draw the path by hand, and then say that it is right.",
    "カードを直したので、線を読み直しています。読み直されないときは、道を手で直してから、"
    "これでよいと答えてください。",
    name=CARDS_CORRECTED,
)

#: Referees a record.
Rule = Callable[[Record], Any]


@dataclass(frozen=True)
class Assessment:
    """`scan` holds the cards of `record` as they lie in the photo; `told` is the game's own record of the
    same (the same one in games whose records are tableaus), `board` what its pieces make, and `dungeon` the
    places and ways where they lie. `open_questions` are those that nobody has answered; none where none of
    them can change the score. `parted` are the strokes that nothing joins to the one before. `sure`: there
    are neither. `reading` is the photo's own, `answered` names what has been settled of it; `terms` are what
    was told, and `table` is what was asked of the game for all this."""

    scan: Scan
    record: Record
    told: Any
    ruling: Any
    board: Any
    dungeon: Dungeon
    open_questions: tuple[Question, ...]
    parted: tuple[int, ...]
    sure: bool
    reading: Scan
    answered: frozenset[str]
    terms: Any
    table: Table

    def question(self, name: str) -> Question | None:
        """The open question of that name; None where there is none (any more)."""
        return next((question for question in self.open_questions if question.name == name), None)

    @cached_property
    def said(self) -> Any:
        """The ruling in the words of people who look at the photo: without the names of places in records."""
        return self.table.game.without_ids(self.board, self.told, self.ruling)


def assess(
    reading: Scan,
    table: Table,
    terms: Any,
    *,
    corrected: Record | None = None,
    answered: Collection[str] = (),
    together: bool = True,
) -> Assessment:
    """Referee a reading with `corrected` in place of what was read (None: as it was read) and without the
    questions that have been answered. `together`: doubts are also tried two by two."""
    return _assessed(reading, table, terms, corrected, frozenset(answered), together)[0]


def _assessed(
    reading: Scan,
    table: Table,
    terms: Any,
    corrected: Record | None,
    settled: frozenset[str],
    together: bool,
) -> tuple[Assessment, Decision]:
    reading = replace(reading, questions=with_names(reading.questions))

    def rule(record: Record) -> Any:
        return table.referee(record, terms)

    scan = _as_it_stands(reading, table, terms, corrected, settled)
    scan, choice = choose_reading(scan, table, rule)
    record = table.retold(scan.tableau, terms)
    told = table.told(record, terms)
    ruling = rule(record)
    if choice is not None:
        ruling = table.game.chosen(ruling, choice)
    doubts = table.doubts(record, terms)
    questions = tuple(
        question for question in scan.questions if not is_far_fetched(question, ruling, rule)
    ) + tuple(_asked(doubt) for doubt in doubts[:1] if doubt.about not in settled)

    def decided(question: Question, other: Record) -> tuple[Decision, Any]:
        ruled = {question.name, GAP, BROKEN_RULE}
        then, decision = _assessed(reading, table, terms, other, settled | ruled, False)
        return decision, then.ruling

    decision = decide(
        questions,
        rule,
        lambda verdict: table.alike(verdict, ruling),
        # What a person has looked at and corrected is read whole.
        read_whole=reading.sure or bool(reading.questions) or corrected is not None,
        gap=any(doubt.blocking for doubt in doubts),
        decided=decided if together else None,
    )
    return (
        Assessment(
            scan=replace(scan, tableau=record, questions=questions, sure=decision.sure),
            record=record,
            told=told,
            ruling=ruling,
            board=table.board(told, record.cards),
            dungeon=table.dungeon(record.cards),
            open_questions=questions if decision.asked else (),
            parted=tuple(number for doubt in doubts for number in doubt.strokes),
            sure=decision.sure,
            reading=reading,
            answered=settled,
            terms=terms,
            table=table,
        ),
        decision,
    )


def _as_it_stands(
    reading: Scan, table: Table, terms: Any, corrected: Record | None, settled: frozenset[str]
) -> Scan:
    """The reading with what people made of it, and with those of its questions that are left."""
    asked = [question for question in reading.questions if question.name not in settled]
    if corrected is None:
        return replace(reading, questions=tuple(asked))
    record = table.retold(corrected, terms)
    places = table.dungeon(record.cards)
    asked = [question for question in asked if not _is_over(question, reading.tableau, record, places)]
    if ink_is_read(reading, record, table.catalogue):
        asked = [_carried_over(question, reading.tableau, record, table) for question in asked]
    else:
        # What the reading asks is about other cards; the new reading asks its own.
        asked = [_CARDS_CORRECTED] if CARDS_CORRECTED not in settled else []
    return replace(
        reading,
        tableau=record,
        cards=cards_in_photo(reading, record, table.catalogue),
        # What people changed has no line in the photo.
        path_px=reading.path_px if record.path == reading.tableau.path else tuple(() for _ in record.path),
        questions=tuple(asked),
    )


# --- between readings ---------------------------------------------------------------------------------------


def choose_reading(scan: Scan, table: Table, rule: Rule) -> tuple[Scan, Choice | None]:
    """The scan read in the likeliest direction and order, and the game's choice (None: nothing was open).

    Ink alone leaves both directions open; the game chooses between the verdicts, and the path itself stays as
    it was read. The direction question keeps those other readings that are as likely, and goes when there are
    none; other questions are turned the same way. `rule` referees a record."""
    asked = next((question for question in scan.questions if question.about == "direction"), None)
    if asked is None:
        return scan, None
    readings = (scan.tableau, *asked.alternatives)
    choice = table.choose([rule(reading) for reading in readings])
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


def _turned(question: Question, read: Record, record: Record, rule: Rule) -> Question:
    """A question about something else, its other readings walked the way that was chosen."""
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


def is_far_fetched(question: Question, ruling: Any, rule: Rule) -> bool:
    """Whether a doubt is none: what was read keeps the rules, its other readings all break one, and the ink
    speaks against them, too."""
    if not ruling.legal or not question.alternatives or question.behind + BROKEN_RULE_COST <= DOUBT:
        return False
    return not any(rule(other).legal for other in question.alternatives)


def _asked(doubt: RuledDoubt) -> Question:
    """A doubt that follows from the ruling, as a question without another reading."""
    return Question("path", doubt.place, (), doubt.words.en, doubt.words.ja, name=doubt.about)


def scan_to_show(assessment: Assessment) -> Scan:
    """What a picture shows of a reading: the questions that are still open, and the gap that people have
    answered for."""
    questions = assessment.open_questions
    if assessment.parted and assessment.question(GAP) is None:
        doubts = assessment.table.doubts(assessment.record, assessment.terms)
        questions += tuple(_asked(doubt) for doubt in doubts if doubt.about == GAP)
        return replace(assessment.scan, questions=questions, sure=False)
    return replace(assessment.scan, questions=questions)


# --- answers ------------------------------------------------------------------------------------------------


def answer(assessment: Assessment, name: str, option: int) -> Assessment | None:
    """How the tableau stands once an open question is answered; `option` 0 is the record as it stands, the
    others are the `other_answers`. None where there is no such question or option."""
    question = assessment.question(name)
    if question is None:
        return None
    others = other_answers(assessment, name)
    if not 0 <= option <= len(others):
        return None
    record = assessment.record if option == 0 else others[option - 1]
    # The same question asked twice (two specks of ink at one place) is answered once.
    same = {asked.name for asked in assessment.open_questions if asks_the_same(asked, question)}
    settled = still_settled(assessment.answered | same, assessment.record, record)
    return assess(assessment.reading, assessment.table, assessment.terms, corrected=record, answered=settled)


def asks_the_same(one: Question, other: Question) -> bool:
    """Whether two questions differ in nothing but their names."""
    return replace(one, name="") == replace(other, name="")


def other_answers(assessment: Assessment, name: str) -> tuple[Record, ...]:
    """The records that the answers to an open question make besides the one that stands. Where nothing else
    was read, at a find that the path does not come to or a line that nothing joins, the line may be led
    there: only people say so, no reading."""
    question = assessment.question(name)
    if question is None or name == BROKEN_RULE:
        return ()
    if name == GAP:
        return _joined_lines(assessment)
    if question.alternatives or question.about != "path":
        return question.alternatives
    led = lead_by(assessment.record, assessment.dungeon, question.place)
    return () if led is None else (led,)


def _joined_lines(assessment: Assessment) -> tuple[Record, ...]:
    """The likeliest records in which the line that parts is joined: legal ones, where there are any, for a
    player thinks that his path is legal; then those that change least."""
    joined = [
        (join.cost_mm, msgspec.structs.replace(assessment.record, path=join.path))
        for join in ways_to_join(assessment.record, assessment.dungeon, assessment.parted)
    ]
    legal = [
        (cost, record) for cost, record in joined if assessment.table.referee(record, assessment.terms).legal
    ]
    return tuple(record for _, record in (legal or joined)[:MOST_JOINS])


def still_settled(answered: Collection[str], before: Record, after: Record) -> frozenset[str]:
    """What remains answered once a record has changed: another path may part, or break a rule, elsewhere."""
    settled = frozenset(answered)
    if before.path != after.path:
        settled -= {GAP, BROKEN_RULE}
    return settled if before.cards == after.cards else settled - {CARDS_CORRECTED}


def direction_settled(assessment: Assessment) -> frozenset[str]:
    """What is answered once somebody says which way the path runs: the rules do not turn it any more."""
    questions = assessment.reading.questions
    return assessment.answered | {question.name for question in questions if question.about == "direction"}


def with_path(assessment: Assessment, path: Path) -> Assessment:
    """How the tableau would stand with another path over the same cards, walked just so."""
    drawn = msgspec.structs.replace(assessment.record, path=path)
    answered = still_settled(direction_settled(assessment), assessment.record, drawn)
    return assess(assessment.reading, assessment.table, assessment.terms, corrected=drawn, answered=answered)


# --- questions about what stands now ------------------------------------------------------------------------


def _is_over(question: Question, read: Record, record: Record, dungeon: Dungeon) -> bool:
    """Whether a doubt about a place that the path did not come to is over: the path that stands does, or the
    circle that speaks of it is taken away."""
    place = dungeon.places.get(question.place)
    if question.about != "path" or question.alternatives or place is None:
        return False
    if place.id in read.marks.circled and place.id not in record.marks.circled:
        return True
    # A room's finds are come to in the room.
    names = {place.id, place.room or place.id} if place.find is not None else {place.id}
    before, now = ({name for stroke in each.path for name in stroke} for each in (read, record))
    return not names & before and bool(names & now)


def _carried_over(question: Question, read: Record, record: Record, table: Table) -> Question:
    """A question about what was read, asked about what stands now. Other readings that cannot be carried
    over, because the same stretch has been changed, are left out; the question stays."""
    if question.about == "direction":
        paths = _other_ways(read.path, [other.path for other in question.alternatives], record.path)
        others = [msgspec.structs.replace(record, path=path) for path in paths]
        options = tuple(_ends(path) for path in (record.path, *paths))
    else:
        merged = [merge_records(read, other, record, table) for other in question.alternatives]
        kept = [
            (name, other)
            for name, other in zip(question.options[1:], merged, strict=False)
            if other is not None and other != record
        ]
        others = [other for _, other in kept]
        options = (*question.options[:1], *(name for name, _ in kept)) if kept else ()
    return replace(question, options=options, alternatives=tuple(others))


def _other_ways(read: Path, others: list[Path], path: Path) -> list[Path]:
    """`path` in the directions and orders that the strokes which were read may have, its own left out."""
    now = same_way(read, others, path)
    ways: list[Path | None] = []
    for way in (read, *others):
        if way == now:
            continue
        if way == path_backwards(now):
            ways.append(path_backwards(path))
        elif len(path) == len(now):
            ways.append(_rearranged(now, way, path))
    return [way for way in dict.fromkeys(ways) if way is not None and way != path]


def _rearranged(before: Path, after: Path, path: Path) -> Path | None:
    """The strokes of `path` moved and turned as those of `before` were to give `after`; None where they were
    not only moved and turned."""
    left = list(range(len(before)))
    moved = []
    for stroke in after:
        index = next((k for k in left if before[k] in (stroke, stroke[::-1])), None)
        if index is None:
            return None
        left.remove(index)
        moved.append(path[index] if before[index] == stroke else path[index][::-1])
    return tuple(moved)


def _ends(path: Path) -> str:
    return ", ".join(f"{stroke[0]} → {stroke[-1]} ({len(stroke)})" for stroke in path) or "-"
