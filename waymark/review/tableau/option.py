"""Answers to a question as records, and repairs of paths whose strokes do not join."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from scorer.counterfactual import Assumption
from scorer.record import Marks, Record, path_backwards
from scorer.routes import routes_from, ways_out
from vision.questions import Question
from waymark.review.referee_cache import Table
from waymark.review.tableau.direction import TURNED
from waymark.review.tableau.evidence import Evidence
from waymark.review.tableau.joins import jumps, ways_by, without_side_ways
from waymark.review.tableau.question_names import BROKEN_RULE, MARKS, STORIES

#: Kind of an option. `stands`: the current record is right. `other`: another reading of the ink. `led`: the
#: line runs here although it was read differently. `jumped`: the line breaks off at a gate and continues
#: from another. `held`: unstated means were held. `turned`: the path has another direction or order.
#: `broken`: the same, and a rule was really broken. `unmarked`: these marks are not from this round. Three
#: kinds leave the question open. `otherwise`: none of these, to be corrected by hand. `retake`: something
#: is missing and needs another photo. `unknown`: "I cannot tell".
Kind = Literal[
    "stands",
    "other",
    "led",
    "jumped",
    "held",
    "turned",
    "broken",
    "unmarked",
    "otherwise",
    "retake",
    "unknown",
]

#: Numbers of the options that leave a question open; settling options count from 0, the current record.
UNKNOWN, OTHERWISE, RETAKE = -1, -2, -3


@dataclass(frozen=True)
class Option:
    """An option of a question; `number` is the value that `answer` takes. It leads to `record` and
    `terms`, and settles the questions named in `settles` as well.
    `behind` is its cost in nats, 0 where nothing contradicts it. `assumption` states the means held.
    `worth` is its score as the game compares verdicts; `legal`: no rule is broken. `guessed`: nothing
    supports it except that it is near."""

    number: int
    kind: Kind
    record: Record
    terms: Any
    settles: frozenset[str] = frozenset()
    behind: float = 0.0
    assumption: Assumption | None = None
    worth: Hashable = None
    legal: bool = True
    guessed: bool = False

    @property
    def leaves_open(self) -> bool:
        return self.kind in ("otherwise", "retake", "unknown")


@dataclass(frozen=True)
class Standing:
    """The current state that a question's options start from: record, terms, open `questions`, evidence,
    and the names of the `answered` questions. `ways`: names of the unanswered questions about the
    direction."""

    record: Record
    terms: Any
    table: Table
    questions: tuple[Question, ...]
    evidence: Evidence
    answered: frozenset[str] = frozenset()
    ways: frozenset[str] = frozenset()


#: Limits of offered unstated means, and of offered alternative readings that repair a path.
_MOST_HELD, MOST_OTHERS = 4, 3
#: Limits of offered ways to lead the line through a place, and of the least changes that are weighed.
MOST_LED, _LED_TRIED = 2, 8
#: Maximum length (mm) of the way from the last marked place off the cards.
_ONWARD_MM = 120.0
#: Cost (nats) of each mm of the read line that an option drops.
LOST_MM = 0.1
#: Costs (nats): unstated means, for each; means other than a token; a circle left over from another round;
#: a line where none was read; and no line where a detour was read.
_UNTOLD, _NO_TOKEN, _LEFT_OVER, LED = 0.7, 1.0, 1.0, 1.5


def mending(question: Question, standing: Standing) -> Sequence[Option]:
    """Repairs that make path, rules and marks consistent, the likeliest of each kind."""
    evidence, broken = standing.evidence, question.name == BROKEN_RULE
    told = evidence.two_stories(standing.record, standing.terms)
    doubted = sum(each.weight for each in told)

    legal = bool(standing.table.referee(standing.record, standing.terms).legal)

    def mends_rule(option: Option) -> bool:
        return bool(standing.table.referee(option.record, option.terms).legal)

    def mends_marks(option: Option) -> bool:
        still = sum(each.weight for each in evidence.discord(option.record, option.terms) if each.there)
        return still <= doubted / 2

    def mends(option: Option) -> bool:
        # Marks cannot repair a path whose broken rule was confirmed.
        return mends_rule(option) if broken else mends_marks(option) and (mends_rule(option) or not legal)

    places = tuple(each.place for each in told)
    tried = [
        *held(standing),
        *likeliest(filter(mends, turned(standing))),
        *likeliest(filter(mends, readings(standing))),
    ]
    if broken:
        tried += likeliest(filter(mends, straightened(standing)))
    if question.name == MARKS:
        tried += likeliest(filter(mends, _jumped(standing, places)), 2)
        tried += [*likeliest(filter(mends, led_by(standing, *places)), 1), *unmarked(standing, places)]
    mending = [option for option in tried if mends(option)]
    if broken and told:
        # Marks off the path may show its further course, even if that breaks a rule.
        mending += likeliest(filter(mends_marks, led_by(standing, *places)), 1)
    if not broken or any(option.kind == "turned" for option in mending):
        return mending
    # If no direction is legal, the question also offers the direction in which the rule was broken.
    return [
        *mending,
        *(
            replace(option, kind="broken", settles=option.settles | {BROKEN_RULE})
            for option in likeliest(turned(standing))
            if standing.ways
        ),
    ]


def held(standing: Standing) -> list[Option]:
    """Options with means that were held but not stated, such as a forgotten token."""
    options = []
    for assumption in standing.table.lifting(standing.record, standing.terms):
        supposed = standing.table.supposed(standing.record, standing.terms, assumption)
        if supposed is None:
            continue
        record, terms = standing.table.retold(*supposed), supposed[1]
        behind = _UNTOLD * (1 + assumption.key.count("+")) + _NO_TOKEN * assumption.key.count("SB-")
        option = Option(0, "held", record, terms, assumption=assumption)
        options.append(replace(option, behind=behind + standing.evidence.against(record, terms)))
    return options[:_MOST_HELD]


def turned(standing: Standing) -> Iterator[Option]:
    """Options with the path in the other direction or in another stroke order, unless the direction was
    answered."""
    open_ways = [question for question in standing.questions if question.about == "direction"]
    for question in open_ways:
        for record in question.alternatives:
            yield other_reading(standing, "turned", record, settles={question.name})
    said = "direction" in standing.answered
    if not (open_ways or said) and standing.table.game.rules.backwards(standing.record) is not None:
        back = msgspec.structs.replace(standing.record, path=path_backwards(standing.record.path))
        yield other_reading(standing, "turned", back, settles={"direction"}, behind=TURNED)


def begun_here(standing: Standing) -> list[Option]:
    """Options with the path reversed, where it stops at an end at which no path may begin."""
    back = standing.table.game.rules.backwards(standing.record)
    if back is None:
        return []
    return [other_reading(standing, "broken", back, settles={"direction", BROKEN_RULE})]


def is_marked(record: Record) -> bool:
    return bool(record.marks.circled or record.marks.struck)


def readings(standing: Standing) -> Iterator[Option]:
    """Options with the alternative readings of doubtful ink."""
    for question in standing.questions:
        if question.about == "path" and question.name not in STORIES:
            for record in question.alternatives:
                yield other_reading(
                    standing, "other", record, settles={question.name}, behind=question.behind
                )


def straightened(standing: Standing) -> Iterator[Option]:
    """Options without one detour (out and back), since a speck beside the line looks like a detour."""
    for path in without_side_ways(standing.record.path):
        record = msgspec.structs.replace(standing.record, path=path)
        yield other_reading(standing, "other", record, behind=LED)


def _jumped(standing: Standing, places: Sequence[str]) -> Iterator[Option]:
    """Options with a jump from one of the places, which leaves no ink. Among jumps with the same result,
    one to a marked place at the end of the path is preferred."""
    table, gates = standing.table, standing.table.game.photo.habits.gates
    marked = {*standing.record.marks.circled, *standing.record.marks.struck}
    dungeon = table.dungeon(standing.record.cards)
    tried = [path for place in places for path in jumps(standing.record, dungeon, place, gates)]
    tried.sort(key=lambda path: (-sum(name in marked for line in path for name in line), len(path[-1])))
    offered: list[Any] = []
    for path in tried:
        record = msgspec.structs.replace(standing.record, path=path)
        verdict = table.referee(record, standing.terms)
        if not any(table.alike(verdict, other) for other in offered):
            offered.append(verdict)
            yield other_reading(standing, "jumped", record)


def led_by(standing: Standing, *places: str) -> Iterator[Option]:
    """Options with the line led through places that it was not read to reach, with the least change."""
    dungeon = standing.table.dungeon(standing.record.cards)
    for place in places:
        for join in ways_by(standing.record, dungeon, place)[:_LED_TRIED]:
            led = msgspec.structs.replace(standing.record, path=join.path)
            yield other_reading(standing, "led", led, behind=LED + LOST_MM * join.lost_mm)


def on_by_marks(standing: Standing) -> Iterator[Option]:
    """Options with the line continued from its end to the marks beyond it, and from there off the cards."""
    record, dungeon = standing.record, standing.table.dungeon(standing.record.cards)
    told = standing.evidence.two_stories(record, standing.terms)
    places = [dungeon.places[each.place] for each in told if each.place in dungeon.places]
    end, walked = record.path[-1][-1], {name for line in record.path for name in line}
    onward = routes_from(dungeon, end, avoid=walked - {end})
    for goal in dict.fromkeys(place.room or place.id for place in places):
        if goal not in onward:
            continue
        path = (*record.path[:-1], record.path[-1] + onward[goal][1:])
        led = other_reading(standing, "led", msgspec.structs.replace(record, path=path), behind=LED)
        yield led
        for out in ways_out(dungeon, path, _ONWARD_MM)[:MOST_LED]:
            longer = (*path[:-1], path[-1] + out[1:])
            yield other_reading(standing, "led", msgspec.structs.replace(record, path=longer), behind=LED)
        return


def on_and_out(standing: Standing, record: Record | None = None) -> Iterator[Option]:
    """Options with the line continued from its end off the cards, where no obstacle stops it there.
    `record`: another record than the current one."""
    record = record or standing.record
    if standing.table.referee(record, standing.terms).ended != "dead_end":
        return
    for out in ways_out(standing.table.dungeon(record.cards), record.path, _ONWARD_MM)[:MOST_LED]:
        path = (*record.path[:-1], record.path[-1] + out[1:])
        yield other_reading(standing, "led", msgspec.structs.replace(record, path=path), behind=LED)


def unmarked(standing: Standing, places: Sequence[str]) -> Iterator[Option]:
    """Options without marks that are left over from another round or were misread."""
    marks = standing.record.marks
    gone = [place for place in places if place in (*marks.circled, *marks.struck)]
    if gone:
        circled, struck = (
            tuple(name for name in names if name not in gone) for names in (marks.circled, marks.struck)
        )
        record = msgspec.structs.replace(standing.record, marks=Marks(circled=circled, struck=struck))
        asked = {each.name for each in standing.questions if each.about == "mark" and each.place in gone}
        yield other_reading(standing, "unmarked", record, settles=asked, behind=_LEFT_OVER * len(gone))


def other_reading(
    standing: Standing, kind: Kind, record: Record, *, settles: Collection[str] = (), behind: float = 0.0
) -> Option:
    terms = standing.terms
    return Option(
        0, kind, record, terms, frozenset(settles), behind + standing.evidence.against(record, terms)
    )


def likeliest(options: Iterable[Option], most: int = MOST_OTHERS) -> list[Option]:
    """The `most` likeliest options with different paths, likeliest first."""
    ranked = sorted(options, key=lambda option: option.behind)
    differing = {option.record.path: option for option in reversed(ranked)}
    return sorted(differing.values(), key=lambda option: option.behind)[:most]
