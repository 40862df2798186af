"""Alternative readings of a table of groups: possible records of a scan's lines. Their probability follows
from ink, colours, rules and the answers that people gave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, product
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.game import Game
from scorer.groups import Contradiction, DrawnLine, Groups
from scorer.record import Marks, PlacedCard, path_backwards
from vision.groups import parameters
from vision.groups.scan import GroupScan, Path, SeenLine
from waymark.review.groups.names import (
    AGREED_BEFORE,
    OWN_READING,
    SKETCH,
    card_at,
    is_agreed,
    line_name,
    owner_name,
)
from waymark.review.tableau.evidence import BROKEN_RULE_COST
from waymark.review.tableau.merge import merge_paths

#: Cost (nats) of a line that stops where no miniature stands, or that runs into an obstacle for its group,
#: relative to a misreading. Estimated: of a hundred lines a few are sketches.
STOPS_COST = 3.8
#: Further cost (nats) of a group's line that stops and continues elsewhere where no rule allows it: that part
#: probably belongs to another group or to none. Chosen by reasoning, not measured.
APART_COST = 4.0
#: Total lead (nats) from which a reading other than the ink's likeliest is chosen.
LEAD = 0.5
#: Limit of tried assignments of strokes to groups.
MOST_OWNERS = 81


@dataclass
class Readings:
    """The records that a scan may stand for, under the game's rules and the answers given so far."""

    catalogue: Catalogue
    game: Game
    groups: Groups[Any, Any]
    setup: Any
    terms: Any
    scan: GroupScan
    names: tuple[str, ...]
    answers: Mapping[str, str]
    #: The chosen reading of each line (`ways_of`) for which it is not the first.
    taken: dict[int, int] = field(default_factory=dict)
    _laid: dict[tuple[PlacedCard, ...], Any] = field(default_factory=dict)
    _boards: dict[Any, Any] = field(default_factory=dict)
    _ruled: dict[bytes, Any] = field(default_factory=dict)

    # --- answers

    @cached_property
    def placed(self) -> tuple[PlacedCard, ...]:
        """The cards of the scan, with the names that people gave in place of those read."""
        placed = self.scan.placed
        for question in self.scan.questions:
            others = {card_at(other.cards, question): other.cards for other in question.alternatives}
            cards = others.get(self.answers.get(question.name, ""))
            if cards is not None:
                placed = self.with_change(placed, cards)
        return placed

    def with_change(
        self, placed: Sequence[PlacedCard], cards: Sequence[PlacedCard]
    ) -> tuple[PlacedCard, ...]:
        """The cards of the scan with the changes of an alternative reading applied."""
        return tuple(
            new if new != old else own for old, new, own in zip(self.scan.placed, cards, placed, strict=True)
        )

    @cached_property
    def owner_of(self) -> dict[int, str]:
        """The group of each line (by number): as people answered, else the likeliest by colours and
        rules."""
        owners = {number: self.names[line.owner.group] for number, line in enumerate(self.scan.lines)}
        for number in owners:
            said = self.answers.get(owner_name(number))
            if said is not None:
                owners = self._given(owners, number, said)
        pens = [line.pen for line in self.scan.lines]
        for pen in dict.fromkeys(pen for pen in pens if pens.count(pen) > 1):
            lines = [k for k, each in enumerate(pens) if each == pen and owner_name(k) not in self.answers]
            others = {owner for k, owner in owners.items() if pens[k] != pen}
            whose = [[name for name in self._may_own(k) if name not in others] or [owners[k]] for k in lines]
            tried = [
                owners | dict(zip(lines, each, strict=True)) for each in islice(product(*whose), MOST_OWNERS)
            ]
            owners = min(tried, key=self.cost_of_owners)
        for number, line in enumerate(self.scan.lines):
            if line.owner.others and pens.count(line.pen) == 1:
                owners = min([owners, *self.given_to_others(owners, number)], key=self.cost_of_owners)
        return owners

    def given_to_others(self, owners: Mapping[int, str], number: int) -> Iterator[dict[int, str]]:
        """Alternative owners of the lines, one line reassigned to another group each time, unless an
        answer forbids it."""
        for name in self._may_own(number):
            ways = [self._given(owners, number, name), self._exchanged(owners, number, name)]
            open_ways = []
            for given in ways:
                changed = [k for k, owner in given.items() if owner != owners[k]]
                if changed and all(owner_name(k) not in self.answers for k in changed):
                    open_ways.append(given)
            if open_ways:
                yield min(open_ways, key=self.cost_of_owners)

    def _exchanged(self, owners: Mapping[int, str], number: int, name: str) -> dict[int, str]:
        """Alternative owners in which two groups exchange their strokes of similar ink. Only the rules
        can tell such strokes apart."""
        given = self._given(owners, number, name)
        pen = self.scan.lines[number].pen
        for k, owner in owners.items():
            if k != number and owner == name and self.scan.lines[k].pen == pen:
                given[k] = owners[number]
        return given

    def _may_own(self, number: int) -> list[str]:
        owner = self.scan.lines[number].owner
        return [self.names[group] for group in (owner.group, *owner.others)]

    def _given(self, owners: Mapping[int, str], number: int, name: str) -> dict[int, str]:
        """The owners of all lines after one line is assigned to a group. The previous owner gets the
        lines that the group drew with another pen."""
        pen = self.scan.lines[number].pen
        given = dict(owners)
        for k, owner in owners.items():
            if owner == name and self.scan.lines[k].pen != pen:
                given[k] = owners[number]
        return given | {number: name}

    def cost_of_owners(self, owners: Mapping[int, str]) -> float:
        """Cost (nats) of an assignment of lines to groups: from their colours and from the rules."""
        drawn = {
            number: replace(self.ways_of(number, owner)[self.taken.get(number, 0)][1], group=owner)
            for number, owner in owners.items()
        }
        return self.colour_cost(owners) + self.cost(self.of(drawn)[0])

    def colour_cost(self, owners: Mapping[int, str]) -> float:
        """Cost (nats) of an assignment of lines to groups, from the colours alone."""
        off = 0.0
        for number, line in enumerate(self.scan.lines):
            if line.off_deg:
                off += line.off_deg[self.names.index(owners[number])]
        return parameters.STROKES.hue_nats_per_deg * off

    @cached_property
    def paths(self) -> dict[int, Path]:
        """The paths that people stated, for those lines (by number) about which they stated one."""
        said: dict[int, Path] = {}
        for number, line in enumerate(self.scan.lines):
            path = line.path
            for question in line.questions:
                key = self.answers.get(line_name(question, number))
                if key is not None:
                    if key != OWN_READING:
                        other = question.alternatives[int(key) - 1].path
                        path = merge_paths(line.path, other, path) or other
                    said[number] = path
        return said

    # --- readings

    def ways_of(self, number: int, owner: str | None = None) -> list[tuple[float, DrawnLine]]:
        """The readings of a line with the cost (nats) of each by its ink; the photo's own reading, with
        answers applied, comes first."""
        line = self.scan.lines[number]
        name = self.owner_of[number] if owner is None else owner
        said = self.paths.get(number, line.path)
        first = line.paths if said == line.path else _walked_as(line, said)
        ways = [(0.0, DrawnLine(name, first, line.marks, line.standing))]
        for question in line.questions:
            for other in question.alternatives:
                path = merge_paths(line.path, other.path, first[0])
                walks = _walked_as(line, other.path if path is None else path)
                ways.append((question.behind, DrawnLine(name, walks, line.marks, line.standing)))
        return ways

    def cost(self, record: Any) -> float:
        """Cost (nats) of a record beside its ink: broken rules, and lines that end where no line may
        end."""
        doubts = list(self.game.rules.doubts(self.board(record), record, self.rule(record)))
        broken = [doubt.place for doubt in doubts if doubt.about == "broken-rule"]
        begun = {stroke[0] for path in record.paths for stroke in path.path[1:]}
        apart = sum(place in begun for place in broken)
        return BROKEN_RULE_COST * len(broken) + APART_COST * apart + STOPS_COST * (len(doubts) - len(broken))

    def settle_lines(self) -> None:
        """Choose, for each line without an answer, the reading with the least total cost from ink and
        rules."""
        for number in range(len(self.scan.lines)):
            ways = self.ways_of(number)
            if number in self.paths or len(ways) < 2:
                continue
            costs = [behind + self.cost(self.of({number: way})[0]) for behind, way in ways]
            best = min(range(len(ways)), key=costs.__getitem__)
            if costs[0] - costs[best] > LEAD:
                self.taken[number] = best

    def of(
        self,
        lines: Mapping[int, DrawnLine] = {},
        cards: tuple[PlacedCard, ...] | None = None,
        said: Mapping[str, str] = {},
    ) -> tuple[Any, ...]:
        """The records of the scan, with some lines (by number) and cards read differently and with
        answers about contradictions."""
        drawn = self._drawn(lines)
        laid = self._laid_out(self.placed if cards is None else cards)
        return self.groups.readings(laid, drawn, self.terms, {**self._said, **said})

    def _drawn(self, lines: Mapping[int, DrawnLine] = {}) -> list[DrawnLine]:
        drawn = [
            lines[number] if number in lines else self.ways_of(number)[self.taken.get(number, 0)][1]
            for number in range(len(self.scan.lines))
        ]
        return _by_group([line for line in drawn if line.paths[0]])

    def _laid_out(self, cards: tuple[PlacedCard, ...]) -> Any:
        if cards not in self._laid:
            self._laid[cards] = self.groups.laid(self.catalogue, self.setup, cards)
        return self._laid[cards]

    @property
    def _said(self) -> dict[str, str]:
        """The answers that people gave about contradictions."""
        return {
            name.removeprefix(AGREED_BEFORE): key for name, key in self.answers.items() if is_agreed(name)
        }

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """The differences between the photo and the earlier agreement, after the lines are settled."""
        laid = self._laid_out(self.placed)
        return self.groups.contradictions(laid, self._drawn(), self.terms, self._said)

    @cached_property
    def lying_now(self) -> tuple[Mapping[int, int], frozenset[int]]:
        """The current number of each card of the earlier table, and the numbers of the cards that the
        photo shows."""
        return self.groups.lying_now(self._laid_out(self.placed), self._said)

    def board(self, record: Any) -> Any:
        if record.cards not in self._boards:
            self._boards[record.cards] = self.game.rules.board(self.catalogue, record)
        return self._boards[record.cards]

    def rule(self, record: Any) -> Any:
        # two of three records are ruled on more than once, and encoding one takes a hundredth of a ruling's
        # time
        key = msgspec.json.encode(record)
        if key not in self._ruled:
            self._ruled[key] = self.game.rules.referee(self.board(record), record, self.terms)
        return self._ruled[key]

    def with_sketches(self, record: Any) -> Any:
        """The record in which the lines that people declared to be sketches are marked as sketches."""
        for name, key in self.answers.items():
            if key == SKETCH:
                record = self.groups.sketched(record, name.partition(":")[2])
        return record

    def lines_of(self, record: Any) -> tuple[tuple[tuple[float, float], ...], ...]:
        """The strokes of each pen in the photo, in the order of their groups' first paths."""
        order = list(dict.fromkeys(path.group for path in record.paths))
        lines = sorted(
            (number for number, owner in self.owner_of.items() if owner in order),
            key=lambda number: order.index(self.owner_of[number]),
        )
        return tuple(stroke for number in lines for stroke in self.scan.lines[number].path_px)


def _walked_as(line: SeenLine, path: Path) -> tuple[Path, ...]:
    """An alternative reading of a line, in both directions where the ink leaves the direction open."""
    backwards = path_backwards(path)
    either_way = path_backwards(line.path) in line.paths[1:]
    return (path, backwards) if either_way and backwards != path else (path,)


def _by_group(lines: Sequence[DrawnLine]) -> list[DrawnLine]:
    """The lines by group: all lines of a group become its strokes, each in both directions where the ink
    leaves that open."""
    groups: dict[str, DrawnLine] = {}
    for line in lines:
        if (before := groups.get(line.group)) is None:
            groups[line.group] = line
            continue
        groups[line.group] = DrawnLine(
            line.group,
            tuple((*one, *other) for one, other in product(before.paths, line.paths)),
            Marks(
                circled=(*before.marks.circled, *line.marks.circled),
                struck=(*before.marks.struck, *line.marks.struck),
            ),
            (*before.standing, *line.standing),
        )
    return list(groups.values())
