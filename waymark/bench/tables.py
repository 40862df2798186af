"""Photos of tables on which several groups draw: a table is read from one photo, or from several together,
held against its truth, and what it asks is answered from that."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from scorer.catalogue import Catalogue
from scorer.errors import WaymarkError
from scorer.game import Game
from vision.photo import load_photo
from vision.questions import Question
from waymark.bench.claims import where_they_lie
from waymark.bench.metric import lies_so
from waymark.bench.truth import TableTruth
from waymark.review.groups import GroupAssessment, GroupOption, assess_groups, is_doubt, read_groups

#: A line is its group's where they share so much of the longer of the true one and the one that was read.
LINE_SHARE = 0.6
#: Nobody answers more than so many questions about one table.
MOST_QUESTIONS = 30

#: From which place to which a line goes, and how often.
Walk = Counter[tuple[str, str]]


@dataclass(frozen=True)
class TableMeasured:
    """One table, read from its `photos`; where they show only a part of it (not `whole`), its cards alone are
    measured. Of the `lines` that were drawn, `lines_right` were read and given to their groups,
    `lines_exact` place by place, and of `lines_asked` it is asked whose they are. `result_right`: what the
    table comes to for all is right; `right`: for every group.

    `answered`: how it ended for somebody who was there and answered what was asked (`asked`, by name), and
    `left_open` how much of that had no true answer."""

    photos: tuple[str, ...]
    whole: bool
    card_count: int
    cards_right: int = 0
    cards_extra: int = 0
    lines: int = 0
    lines_right: int = 0
    lines_exact: int = 0
    lines_asked: int = 0
    result_right: bool = False
    right: bool = False
    sure: bool = False
    asked: tuple[str, ...] = ()
    left_open: int = 0
    answered_result_right: bool = False
    answered_right: bool = False
    answered_sure: bool = False
    cpu_seconds: float = 0.0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None
    error_ja: str | None = None

    @property
    def every_card_right(self) -> bool:
        return self.cards_right == self.card_count and self.cards_extra == 0


def measure_table(
    photos: Sequence[Path | bytes], names: Sequence[str], truth: TableTruth, catalogue: Catalogue, game: Game
) -> TableMeasured:
    """Read a table from its photos, called by `names`; `truth` is that of the first one."""
    start = time.process_time()
    told, terms = {"table": bytes(truth.tableau)}, game.make_terms({})
    wanted = frozenset(truth.face_up if truth.is_whole else truth.shown)
    bare = TableMeasured(tuple(names), truth.is_whole, len(wanted))
    try:
        scan = read_groups([load_photo(photo) for photo in photos], catalogue, game, told)
        now = assess_groups(scan, catalogue, game, told, terms)
    except WaymarkError as error:
        return replace(bare, error=error.en, error_ja=error.ja)
    seconds = time.process_time() - start
    known = _Truth(truth, catalogue, game, terms)
    right = known.cards_right(now)
    bare = replace(
        bare,
        cards_right=len(wanted & right),
        cards_extra=len(scan.cards) - len(right),
        cpu_seconds=seconds,
        stages_ms=scan.timings_ms,
    )
    if not truth.is_whole:
        return bare
    lines, read = known.lines, known.lines_of(now, now.record)
    own = [group for group in lines if _share(lines[group], read.get(group, Walk())) >= LINE_SHARE]
    then, asked, left = _answered(known, now, told, terms)
    return replace(
        bare,
        lines=len(lines),
        lines_right=len(own),
        lines_exact=sum(lines[group] == read.get(group) for group in lines),
        lines_asked=sum(name.startswith("owner:") for name in asked),
        result_right=known.result_is_right(now.ruling),
        right=known.is_right(now.ruling),
        sure=now.sure,
        asked=tuple(asked),
        left_open=left,
        answered_result_right=known.result_is_right(then.ruling),
        answered_right=known.is_right(then.ruling),
        answered_sure=then.sure,
    )


def _share(one: Walk, other: Walk) -> float:
    """How much of the longer of two lines both are."""
    return sum((one & other).values()) / max(sum(one.values()), sum(other.values()), 1)


def _lines(record: Any, names: Mapping[str, str]) -> dict[str, Walk]:
    """What each group drew, whichever way; `names` are the cards', by their index in the record."""
    lines: dict[str, Walk] = {}
    for path in record.paths:
        line = lines.setdefault(path.group, Walk())
        for stroke in path.path:
            places = [_named(place, names) for place in stroke]
            line.update(tuple(sorted(step)) for step in pairwise(places))  # type: ignore[misc]
    return {group: line for group, line in lines.items() if line}


def _named(place: str, names: Mapping[str, str]) -> str:
    index, _, local = place.partition(".")
    return f"{names.get(index, '?')}.{local}"


class _Truth:
    """What is true of a table, as somebody knows it who was there."""

    def __init__(self, truth: TableTruth, catalogue: Catalogue, game: Game, terms: Any) -> None:
        self.seen, self.catalogue, self.game = truth, catalogue, game
        self.record = game.parse_record(bytes(truth.tableau))
        board = game.board(catalogue, self.record)
        self.ruling = game.referee(board, self.record, game.terms_of(self.record, terms))
        self.lines = _lines(self.record, {str(k): str(k) for k in range(len(truth.cards))})

    def is_right(self, verdict: Any) -> bool:
        assert self.game.groups is not None
        return bool(self.game.groups.outcome(verdict) == self.game.groups.outcome(self.ruling))

    def result_is_right(self, verdict: Any) -> bool:
        assert self.game.groups is not None
        return bool(self.game.groups.result(verdict) == self.game.groups.result(self.ruling))

    def cards_right(self, now: GroupAssessment) -> frozenset[int]:
        """The cards of the truth that were read rightly, the right way up."""
        read, true = now.scan.cards, self.seen.cards
        return frozenset(
            number
            for k, number in where_they_lie(read, true).items()
            if read[k].card == true[number].card and lies_so(true[number].corners, read[k].corners)
        )

    def lines_of(self, now: GroupAssessment, record: Any) -> dict[str, Walk]:
        """What each group drew by a reading, in the truth's places."""
        return _lines(record, self._names(now))

    def _names(self, now: GroupAssessment) -> dict[str, str]:
        return {str(k): str(number) for k, number in where_they_lie(now.scan.cards, self.seen.cards).items()}

    def answer(self, now: GroupAssessment, question: Question) -> GroupOption | None:
        """What is true of what is asked; None where that is among no answers."""
        options = now.offered[question.name]
        if is_doubt(question.name):
            place = _named(question.place, self._names(now))
            return options[0] if place in self._doubtful(question.name) else None
        if question.about == "card":
            number = where_they_lie(now.scan.cards, self.seen.cards).get(int(question.place))
            lies = None if number is None else self.seen.cards[number].card
            if len(options) == 1:  # whether something else lies there
                return options[0] if self.cards_right(now) >= set(self.seen.face_up) else None
            return next((option for option in options if option.key == lies), None)
        if question.name.startswith("owner:"):
            return min(options, key=lambda option: self._off(now, option))
        return min(options, key=lambda option: (self._off_in_all(now, option), *self._off(now, option)))

    def _doubtful(self, name: str) -> set[str]:
        """Where lines end, or break rules."""
        if name.startswith("stops:"):
            return {path.path[-1][-1] for path in self.record.paths if path.path}
        return {broken.place for path in self.ruling.paths for broken in path.violations}

    def _off(self, now: GroupAssessment, option: GroupOption) -> tuple[int, bool]:
        """By how many steps what groups drew by an answer differs from the truth; of like ones that is true
        which comes to what is true."""
        read = self.lines_of(now, option.record)
        off = 0
        for group in {*read, *self.lines}:
            mine, true = read.get(group, Walk()), self.lines.get(group, Walk())
            off += sum((mine - true).values()) + sum((true - mine).values())
        return off, not self.is_right(option.ruling)

    def _off_in_all(self, now: GroupAssessment, option: GroupOption) -> int:
        """By how many steps what all groups drew differs: where a line runs people see, whosever it is."""
        read = sum(self.lines_of(now, option.record).values(), Walk())
        true = sum(self.lines.values(), Walk())
        return sum((read - true).values()) + sum((true - read).values())


def _answered(
    known: _Truth, now: GroupAssessment, told: Mapping[str, Any], terms: Any
) -> tuple[GroupAssessment, list[str], int]:
    """How a table stands once somebody who was there has answered, what was asked, and how much of it had no
    true answer."""
    answers: dict[str, str] = {}
    asked: list[str] = []
    left: set[str] = set()
    while len(asked) < MOST_QUESTIONS:
        question = next((each for each in now.questions if each.name not in asked), None)
        if question is None:
            break
        asked.append(question.name)
        option = known.answer(now, question)
        if option is None:
            left.add(question.name)
            continue
        answers[question.name] = option.key
        now = assess_groups(now.scan, known.catalogue, now.game, told, terms, answers)
    return now, asked, len(left)
