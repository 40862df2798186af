"""Assessment of a tableau: a photo's reading with people's answers and corrections, refereed.

The reader does not know the rules, and the referee sees no picture; this module combines the two. A reading
in doubt has its alternatives as records. Where the game determines which of them is right, that one is used
(ink alone does not show in which direction a line was drawn). The others are refereed, too, and
`waymark.review.decision` decides whether any of them can change the score.

Questions keep their names from the reading. Open questions are asked about the current record: their
alternatives are merged into it, so that no answer undoes another.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from scorer.dungeon import Dungeon
from scorer.record import Record
from scorer.verdict import Discord, RuledDoubt
from vision.questions import Question, with_names
from vision.scan import Scan
from waymark.review.decision import CERTAINTY, decide
from waymark.review.projection import turns_in_photo
from waymark.review.referee_cache import Table
from waymark.review.tableau.direction import choose_reading, told_by_marks
from waymark.review.tableau.evidence import Evidence, confirmed_break, whole_paths
from waymark.review.tableau.joins import ends_of, stretches
from waymark.review.tableau.option import Option, Standing
from waymark.review.tableau.persisted_questions import as_it_stands, in_pencil, pencil_questions
from waymark.review.tableau.posterior import WHOLE, Cause, causes_of, probability
from waymark.review.tableau.posterior import to_ask as doubts_to_ask
from waymark.review.tableau.question_names import (
    ABOUT_THE_PATH,
    BROKEN_RULE,
    GAP,
    MARKS,
    MEANS,
    NO_PATH,
    OFF_PATH,
    PART_READ,
    STOPS,
    STOPS_INSIDE,
    STOPS_SHORT,
    UNCLEAR,
    answered_against,
    left_open,
    was_left,
)
from waymark.review.tableau.questions import (
    MARKS_DIFFER,
    NO_LINE_LEFT,
    asked_of,
    look_over,
    looked_at_once,
    question_of_all,
    taken_again,
    with_twins,
    without_marks_twice,
    without_twins,
)
from waymark.review.tableau.ranking import in_turn
from waymark.review.tableau.reread import read_on

#: Limit of stretches decided by answers on one path; with more, the path is a guess, and whether it is right
#: as a whole, or the photo has to be taken again, is asked. Of 76 drawn photos 2 had more, both misread.
MOST_ANSWERED = 5
#: What a person's answer says that the photo contradicts or does not show: that lines are `parted`, that
#: `marks` are wrong, that an `unclear` path is right, that `means` were held, or something unlikely
#: (`against`).
Ground = Literal["parted", "marks", "unclear", "means", "against"]


@dataclass(frozen=True)
class Assessment:
    """The assessment of a tableau. `record` is the current record and `scan` has its cards in the photo.
    `told` is the game's own form of the record, `board` what its pieces form, and `dungeon` the graph of
    its places.
    `open_questions` are unanswered and can change the score, the most decisive first; `left_questions`
    were skipped. `parted` are the unjoined strokes, `two_stories` the places whose marks contradict the
    path. `sure`: nothing is open that can change the score. `as_said`: it is sure by what people answered,
    where the photo contradicts them or does not show it (`Ground`).
    `doubts` are those of the reading that nobody has answered, and `causes` what could make the score wrong,
    the likeliest first. `certainty` is the least probability of a score that is called sure.
    `reading` is the photo's own reading, `answered` the names of its settled questions, `terms` the
    stated terms, `evidence` the weighed marks, and `table` the cache of the game's answers."""

    scan: Scan
    record: Record
    told: Any
    ruling: Any
    board: Any
    dungeon: Dungeon
    open_questions: tuple[Question, ...]
    left_questions: tuple[Question, ...]
    parted: tuple[int, ...]
    two_stories: tuple[str, ...]
    sure: bool
    as_said: frozenset[Ground]
    doubts: tuple[Question, ...]
    causes: tuple[Cause, ...]
    certainty: float
    reading: Scan
    answered: frozenset[str]
    terms: Any
    table: Table
    evidence: Evidence

    def question(self, name: str) -> Question | None:
        """The open or skipped question with this name; None where there is no such question."""
        still = (*self.open_questions, *self.left_questions)
        return next((question for question in still if question.name == name), None)

    @cached_property
    def probability(self) -> float:
        """Probability (0 to 1) that the score is right."""
        return probability(self.causes)

    @cached_property
    def offered(self) -> dict[str, tuple[Option, ...]]:
        """Cache of the options of questions, by name; each is computed at most once."""
        return {}

    @cached_property
    def said(self) -> Any:
        """The ruling with descriptions for people in place of the record's internal place names."""
        return self.table.game.words.without_ids(self.board, self.told, self.ruling)


@dataclass(frozen=True)
class _Ruled:
    """A reading with its record as it stands and the ruling about that. `to_ask` are the referee's doubts
    that nobody has answered, `stories` the marks that contradict the path."""

    reading: Scan
    corrected: Record | None
    settled: frozenset[str]
    scan: Scan
    evidence: Evidence
    standing: Standing
    told: Any
    ruling: Any
    doubts: tuple[RuledDoubt, ...]
    to_ask: tuple[RuledDoubt, ...]
    stories: tuple[Discord, ...]
    ruled: frozenset[str]

    @property
    def gap(self) -> bool:
        """Whether lines are unjoined."""
        return any(doubt.blocking for doubt in self.doubts)

    @property
    def gap_open(self) -> bool:
        return self.gap and GAP not in self.settled

    @property
    def stories_open(self) -> bool:
        return bool(self.stories) and MARKS not in self.settled

    @property
    def against(self) -> frozenset[str]:
        """The names of what contradicts the record."""
        named = {GAP: self.gap_open, MARKS: self.stories_open}
        return frozenset(doubt.about for doubt in self.to_ask).union(name for name in named if named[name])


def assess(
    reading: Scan,
    table: Table,
    terms: Any,
    *,
    corrected: Record | None = None,
    answered: Collection[str] = (),
    certainty: float | None = None,
) -> Assessment:
    """The assessment of a reading, with `corrected` in place of the record as read and without the
    answered questions. `certainty` is the least probability of a score that is called sure
    (`CERTAINTY` by default): with a higher one, more is asked."""
    certainty = CERTAINTY if certainty is None else certainty
    now = _ruled(reading, table, terms, corrected, frozenset(answered))
    scan, record, settled = now.scan, now.standing.record, now.settled
    read = {question.name: question for question in now.reading.questions}
    # A question whose alternatives no longer fit the record is judged by them as they were read.
    judged = [each if each.alternatives else read.get(each.name, each) for each in scan.questions]
    judged = without_twins(judged)
    causes = causes_of(scan, judged, now.standing, now.against)
    left = {name for each in settled if (name := was_left(each)) is not None}
    uncertain = doubts_to_ask(causes, certainty)
    questions = _questions(now, uncertain | left)
    decision = decide(
        questions,
        lambda other: table.referee(other, terms),
        lambda verdict: table.alike(verdict, now.ruling),
        # A path that a person has checked and corrected counts as completely read.
        read_whole=reading.sure or bool(reading.questions) or corrected is not None,
        gap=now.gap_open,
        two_stories=now.stories_open,
        pencil=bool(in_pencil(record, table.catalogue)),
        certain=not uncertain,
    )
    matter = in_turn(questions, table, record, terms) if decision.asked else ()
    turns = turns_in_photo(scan.cards) if len(scan.cards) == len(record.cards) else ()
    board = table.board(now.told, record.cards)
    return Assessment(
        scan=replace(scan, tableau=record, questions=questions, sure=decision.sure),
        record=record,
        told=now.told,
        ruling=now.ruling,
        # People look for the described places in the photo.
        board=board.lying(turns) if isinstance(board, Dungeon) else board,
        dungeon=table.dungeon(record.cards).lying(turns),
        open_questions=tuple(question for question in matter if question.name not in left),
        left_questions=tuple(question for question in matter if question.name in left),
        parted=tuple(number for doubt in now.doubts for number in doubt.strokes),
        two_stories=tuple(each.place for each in now.stories),
        sure=decision.sure,
        as_said=_grounds(settled, gap=now.gap, marks=bool(now.stories)),
        doubts=tuple(judged),
        causes=causes,
        certainty=certainty,
        reading=now.reading,
        answered=settled,
        terms=terms,
        table=table,
        evidence=now.evidence,
    )


def _ruled(
    reading: Scan, table: Table, terms: Any, corrected: Record | None, settled: frozenset[str]
) -> _Ruled:
    """The record of a reading as it stands, refereed."""
    if corrected is not None:
        reading = read_on(reading, corrected, table.catalogue)
    reading = replace(reading, questions=with_names(reading.questions))
    settled = with_twins(settled, {question.name: question for question in reading.questions})
    scan = as_it_stands(reading, table, terms, corrected, settled)
    evidence = Evidence(
        table, reading.tableau, reading.mark_confidence, settled=_marks_settled(settled), confirmed=settled
    )
    scan, choice = choose_reading(scan, table, terms, evidence)
    if choice is None and "direction" not in settled:
        other_end = told_by_marks(scan, table, terms, evidence)
        scan = scan if other_end is None else replace(scan, questions=(*scan.questions, other_end))
    record = table.retold(scan.tableau, terms)
    ruling = table.referee(record, terms)
    if choice is not None:
        ruling = table.game.rules.chosen(ruling, choice)
    doubts = table.doubts(record, terms)
    ruled = _with_implied(settled, reading, record)
    to_ask = [
        doubt
        for doubt in doubts
        if ruled.isdisjoint({doubt.about, confirmed_break(table, ruling, doubt.place)})
    ]
    return _Ruled(
        reading=reading,
        corrected=corrected,
        settled=settled,
        scan=scan,
        evidence=evidence,
        standing=Standing(record, terms, table, scan.questions, evidence, answered=settled),
        told=table.told(record, terms),
        ruling=ruling,
        doubts=tuple(doubts),
        to_ask=tuple(to_ask[:1]),
        stories=tuple(evidence.two_stories(record, terms)),
        ruled=ruled,
    )


def _questions(now: _Ruled, uncertain: Collection[str]) -> tuple[Question, ...]:
    """The questions about a record: the reader's about the `uncertain` causes, and those of the ruling."""
    record, settled, reading = now.standing.record, now.settled, now.reading
    doubted = [each for each in now.scan.questions if each.name in uncertain]
    likely, to_ask = _readers_questions(now, doubted), now.to_ask
    # Alternatives with the same ruling do not show whether the line continues and leaves the cards.
    if any(_leads_on(each, record) and _changes(each, now) for each in doubted):
        to_ask = tuple(doubt for doubt in to_ask if doubt.about != STOPS_SHORT)
    if WHOLE in uncertain and not (now.against or any(each.name in (PART_READ, UNCLEAR) for each in likely)):
        likely.append(look_over())
    questions = tuple(likely)
    if now.stories_open:
        questions = without_marks_twice(likely, now.evidence.discord(record, now.standing.terms))
    questions += tuple(map(asked_of, to_ask))
    if now.stories_open and not (to_ask or now.gap_open) and MARKS not in now.ruled:
        questions += (Question("path", now.stories[0].place, (), *MARKS_DIFFER.pair, name=MARKS),)
    if reading.tableau.path and not record.path and NO_PATH not in settled:
        # After an answer that removes the whole line, the player is asked whether a line was drawn, so that
        # an empty path never becomes a score.
        questions += (Question("path", "", (), *NO_LINE_LEFT.pair, name=NO_PATH),)
    pencil = pencil_questions(record, now.standing.table.catalogue)
    questions += tuple(each for each in pencil if each.name not in settled)
    if _answered_stretches(reading, settled) > MOST_ANSWERED and UNCLEAR not in settled:
        questions += (question_of_all(),)
    return questions


def _readers_questions(now: _Ruled, likely: list[Question]) -> list[Question]:
    """The reader's questions that are in doubt, one for each spot."""
    reading, settled, standing = now.reading, now.settled, now.standing
    if now.corrected is not None or not any(doubt.about in (GAP, BROKEN_RULE) for doubt in now.to_ask):
        # If a gap remains after people have looked at it, the reading's own doubts count.
        stays = now.gap and not settled.isdisjoint({GAP, left_open(GAP)})
        likely = taken_again(likely, reading.questions if stays else likely, settled)
    if any(each.name == UNCLEAR for each in likely):
        paths = whole_paths(now.scan.questions, standing.record, standing.terms, standing.table, now.evidence)
        likely = [replace(each, alternatives=paths) if each.name == UNCLEAR else each for each in likely]
    read = {question.name: question for question in reading.questions}
    return without_twins(looked_at_once(likely, read, settled))


def _changes(question: Question, now: _Ruled) -> bool:
    """Whether some alternative of a question has another ruling."""
    table, terms = now.standing.table, now.standing.terms
    return not all(table.alike(now.ruling, table.referee(each, terms)) for each in question.alternatives)


def _with_implied(settled: frozenset[str], reading: Scan, record: Record) -> frozenset[str]:
    """The names of the settled questions, and of those about the path that these settle as well."""
    ruled = settled | ({STOPS_INSIDE} if settled & {"direction", STOPS_SHORT} else set())
    if _end_is_seen(reading, record, settled):
        ruled |= {STOPS_SHORT}
    if UNCLEAR in settled:  # A check of the whole path covers these questions.
        ruled |= {*ABOUT_THE_PATH}
    return ruled


def _grounds(settled: Collection[str], *, gap: bool, marks: bool) -> frozenset[Ground]:
    """What a score rests on that only people's answers say; `gap`: lines are unjoined, `marks`: some marks
    contradict the path."""
    applies: dict[Ground, bool] = {
        "parted": gap and GAP in settled,
        "marks": marks and MARKS in settled,
        "unclear": UNCLEAR in settled,
        "means": MEANS in settled,
        "against": any(answered_against(key) is not None for key in settled),
    }
    return frozenset(ground for ground, does in applies.items() if does)


def _end_is_seen(reading: Scan, record: Record, settled: Collection[str]) -> bool:
    """Whether people have checked the end of the path: drawn it, confirmed it, or answered how the line
    runs on from it. A choice between two readings of a stretch does not check the end beyond the nearer
    one."""
    others = (other.path for question in reading.questions for other in question.alternatives)
    read = ends_of(reading.tableau.path).union(*map(ends_of, others))
    if not record.path or record.path[-1][-1] not in read:
        return True
    answered = (each for each in reading.questions if each.name in settled)
    return any(name in settled for name in STOPS) or any(_leads_on(each, record) for each in answered)


def _leads_on(question: Question, record: Record) -> bool:
    """Whether some alternative reading continues the line beyond the end of the path."""
    if question.about != "path" or not record.path:
        return False
    end, now = record.path[-1][-1], stretches(record)
    return any(end in step for other in question.alternatives for step in stretches(other) - now)


def _answered_stretches(reading: Scan, settled: Collection[str]) -> int:
    """Number of stretches of the path that were decided by answers rather than ink. Doubts about the
    same steps count as one stretch."""
    spots: list[frozenset[frozenset[str]]] = []
    read = stretches(reading.tableau)
    for question in reading.questions:
        if question.about != "path" or not question.alternatives or question.name not in settled:
            continue
        spot = frozenset(step for other in question.alternatives for step in read ^ stretches(other))
        spots = [
            *(each for each in spots if not each & spot),
            spot.union(*(each for each in spots if each & spot)),
        ]
    return len(spots)


def _marks_settled(settled: Collection[str]) -> frozenset[str]:
    """The places where people confirmed that the path is right although a circle beside it disagrees."""
    before = OFF_PATH
    return frozenset(name.removeprefix(before) for name in settled if name.startswith(before))


def scan_to_show(assessment: Assessment) -> Scan:
    """The scan for a picture of an assessment: with the questions that are still open, and without gaps
    that were answered."""
    questions = assessment.open_questions
    if assessment.parted and assessment.question(GAP) is None:
        doubts = assessment.table.doubts(assessment.record, assessment.terms)
        questions += tuple(asked_of(doubt) for doubt in doubts if doubt.about == GAP)
        return replace(assessment.scan, questions=questions, sure=False)
    return replace(assessment.scan, questions=questions)
