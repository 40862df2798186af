"""The truth of a table on which several groups draw, as a player who was there knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from scorer.catalogue import Catalogue
from scorer.game import Game
from scorer.play_kinds import groups_of
from vision.questions import Question
from waymark.bench.claims import where_they_lie
from waymark.bench.metric import lies_so
from waymark.bench.truth import TableTruth
from waymark.review.groups import GroupAssessment, GroupOption, is_doubt

#: Number of times that a line takes each step (place, place).
Walk = Counter[tuple[str, str]]


def share_of(one: Walk, other: Walk) -> float:
    """Overlap of two lines: the number of common steps divided by the steps of the longer line."""
    return sum((one & other).values()) / max(sum(one.values()), sum(other.values()), 1)


def _lines(record: Any, names: Mapping[str, str]) -> dict[str, Walk]:
    """The undirected steps that each group drew, with counts. `names` translates card indices of the
    record."""
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


class TableKnown:
    """The truth of a table: its record, ruling, lines and goals reached."""

    def __init__(self, truth: TableTruth, catalogue: Catalogue, game: Game, terms: Any) -> None:
        self.seen, self.catalogue, self.game = truth, catalogue, game
        self.groups = groups_of(game)
        self.record = game.rules.parse_record(bytes(truth.tableau))
        board = game.rules.board(catalogue, self.record)
        self.ruling = game.rules.referee(board, self.record, game.rules.settings.of(self.record, terms))
        self.lines = _lines(self.record, {str(k): str(k) for k in range(len(truth.cards))})
        self.reached = self._reached(self.record, self.ruling)

    def is_right(self, verdict: Any) -> bool:
        return bool(self.groups.outcome(verdict) == self.groups.outcome(self.ruling))

    def result_is_right(self, verdict: Any) -> bool:
        return bool(self.groups.result(verdict) == self.groups.result(self.ruling))

    def cards_right(self, now: GroupAssessment) -> frozenset[int]:
        """Indices of the true cards that were read with the right name and orientation."""
        read, true = now.scan.cards, self.seen.cards
        return frozenset(
            number
            for k, number in where_they_lie(read, true).items()
            if read[k].card == true[number].card and lies_so(true[number].corners, read[k].corners)
        )

    def lines_of(self, now: GroupAssessment, record: Any) -> dict[str, Walk]:
        """The steps that each group drew according to a reading, in the truth's place names."""
        return _lines(record, self._names(now))

    def _names(self, now: GroupAssessment) -> dict[str, str]:
        return {str(k): str(number) for k, number in where_they_lie(now.scan.cards, self.seen.cards).items()}

    def answer(self, now: GroupAssessment, question: Question) -> GroupOption | None:
        """The true option of a question; None where no option is true."""
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
        """The places where true lines end, or where they break rules, according to the kind of question."""
        if name.startswith("stops:"):
            return {path.path[-1][-1] for path in self.record.paths if path.path}
        return {broken.place for path in self.ruling.paths for broken in path.violations}

    def _off(self, now: GroupAssessment, option: GroupOption) -> tuple[int, int, bool]:
        """Sort key of an option: steps that differ from the truth group by group, goals that differ, and
        whether the ruling is wrong."""
        read = self.lines_of(now, option.record)
        off = 0
        for group in {*read, *self.lines}:
            mine, true = read.get(group, Walk()), self.lines.get(group, Walk())
            off += sum((mine - true).values()) + sum((true - mine).values())
        met = self._reached(option.record, option.ruling)
        return off, len(met ^ self.reached), not self.is_right(option.ruling)

    def _reached(self, record: Any, ruling: Any) -> frozenset[tuple[str, str]]:
        """The pairs (group, goal) of goals that groups reached."""
        told = self.groups.told(self.catalogue, record, ruling)
        return frozenset((group.group, goal) for group in told.groups for goal in group.reached)

    def _off_in_all(self, now: GroupAssessment, option: GroupOption) -> int:
        """Number of steps that differ from the truth over all groups together, regardless of which group
        drew them."""
        read = sum(self.lines_of(now, option.record).values(), Walk())
        true = sum(self.lines.values(), Walk())
        return sum((read - true).values()) + sum((true - read).values())
