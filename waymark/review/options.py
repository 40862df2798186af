"""The answers that a question has: each a record, and terms, that would stand once it is given.

Readings bring their own (`Question.alternatives`). What follows from a ruling, or from marks that tell
another story than the path, is answered by whatever would mend it: means that nobody told, the other end,
another reading of the ink, marks that are none of this round's. Only people say so; nothing is chosen
here."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from scorer.game import Assumption
from scorer.record import Marks, Record, path_backwards
from scorer.routes import route_length_mm, routes_from, ways_out
from vision.questions import Question
from waymark.review.direction import TURNED
from waymark.review.evidence import BROKEN_RULE_COST, Evidence
from waymark.review.path_joins import (
    Join,
    Stroke,
    jumps,
    stretches,
    ways_by,
    ways_to_join,
    without_side_ways,
    without_stray,
)
from waymark.review.question_names import (
    BESIDE,
    BROKEN_RULE,
    COVERED,
    GAP,
    MARKS,
    MISSING,
    NO_PATH,
    PART_READ,
    STOPS,
    STOPS_INSIDE,
    STOPS_SHORT,
    STORIES,
    TOO_MUCH,
    UNCLEAR,
    card_reason,
    is_open_ended,
    seen_before,
)
from waymark.review.table import Table

#: What an answer says. `stands`: it is right as it stands. `other`: another reading of the ink; `led`: the
#: line runs here although it was not read so; `jumped`: it breaks off at a gate here and goes on from another
#: one; `held`: something was held that nobody told; `turned`: the path was walked otherwise; `broken`: the
#: same, and a rule was broken all the same; `unmarked`: these marks are none of this round's. Three leave the
#: question open: `otherwise`, it is none of these and has to be corrected by hand, `retake`, something is
#: missing that another photo has to show, and `unknown`, nobody can tell.
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

#: The numbers of answers that leave a question open; those that settle it count from 0, as it stands.
UNKNOWN, OTHERWISE, RETAKE = -1, -2, -3
#: Answers that make one story of path, rules and marks.
_MENDING = frozenset({"held", "turned", "other", "led", "jumped"})
#: An answer that is so much less likely (nats) than another is asked once more; of a broken rule so much more
#: likely is what marks say plainly.
SECOND_LOOK, _PLAINLY = 3.0, 0.5
#: What is put first must be likelier by this (nats) than each answer that scores otherwise: who taps the
#: first answer ends where it leads. Of 474 photos of `tuning-evening` hurried players end sure and wrong on 2
#: with 3, on 1 with 4, and not one more unsure.
LEAST_LEAD = 4.0
#: Marks speak for what mends a path where it leads by this (nats); that tokens are forgotten more often than
#: rules are broken is not enough.
_LEAD = 1.5
#: Each mm of the line that was read and would not be one makes that so much less likely (nats).
_LOST_MM = 0.1
#: An answer this much less likely (nats) than another one to how lines are joined is not offered beside it.
_FAR = 10.0
#: Of two names for a card the second one is so much less likely (nats), and so on: by likeness alone. What is
#: read on a wrong card, often nothing, tells nothing.
_NEXT_NAME = 0.5
#: So many ways to join a line that parts are offered.
MOST_JOINS = 3
#: So many things that may have been held are offered, and so many other readings that mend a path.
_MOST_HELD, _MOST_OTHERS = 4, 3
#: So many ways to lead the line by a place are offered, and so many, those of least change, are weighed.
_MOST_LED, _LED_TRIED = 2, 8
#: A line that marks lead on goes on from there, out of the cards, by ways that are no longer than this.
_ONWARD_MM = 120.0
#: A picture shows so much round the place that a question is about (mm).
_IN_SIGHT_MM = 22.0
#: How much less likely (nats) it is that the player held what nobody told, for each thing, and that it was no
#: token; that a circle is left over from another round; that a line runs where none was read, or that none
#: runs where one was read there and back.
_UNTOLD, _NO_TOKEN, _LEFT_OVER, _LED = 0.7, 1.0, 1.0, 1.5


@dataclass(frozen=True)
class Option:
    """One answer: `number` is what `answer` takes. Once it is given `record` and `terms` stand, and the
    questions named in `settles` are answered, besides the one that was asked. `behind`: how much less likely
    (nats) it is than if nothing spoke against it. `assumption` says what was held; `worth` is what it scores,
    as the game compares verdicts, `legal`: no rule is broken then; `guessed`: nothing tells it but that it
    lies near."""

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
    """What stands while something is asked: the record under its terms, the `questions` of the reading that
    are open, what is weighed, and the names of what has been `answered`. `ways`: the names of the reading's
    questions about the direction that nobody has answered, open or not."""

    record: Record
    terms: Any
    table: Table
    questions: tuple[Question, ...]
    evidence: Evidence
    answered: frozenset[str] = frozenset()
    ways: frozenset[str] = frozenset()


def options_of(question: Question, standing: Standing) -> tuple[Option, ...]:
    """The answers to a question, in the order of their numbers: first those that settle it, of which there
    are two at least, `otherwise` counted; `unknown` last."""
    # Who says that a rule was broken so has seen the path from its other end among the answers.
    ways = standing.ways if question.name == BROKEN_RULE else ()
    stands = _other(standing, "stands", standing.record, settles=ways)
    others: Sequence[Option] = ()
    again = seen_before(question.name)
    if again is not None:
        question = replace(question, name=again)
    if question.name in STORIES:
        # Who was asked what was held, and from where he walked, has said it.
        others = [
            replace(each, settles=each.settles | {STOPS_INSIDE}) for each in _mending(question, standing)
        ]
    elif question.name == STOPS_INSIDE:
        others = [*_held(standing), *_on_by_marks(standing), *_on_and_out(standing), *_begun_here(standing)]
    elif question.name == GAP:
        others = _joining(standing)
    elif question.name == PART_READ:
        others = ()
    elif question.name == UNCLEAR:
        others = [_other(standing, "other", record) for record in question.alternatives]
    elif question.about == "path" and question.alternatives:
        beside = _same_spot(question, standing)
        stands = replace(stands, settles=frozenset(other.name for other in beside))
        own, more = (
            [
                _other(standing, "other", record, settles=stands.settles, behind=each.behind)
                for each in asked
                for record in each.alternatives
                if asked is not beside or record not in question.alternatives
            ]
            for asked in ([question], beside)
        )
        others = [*own, *_first(more, max(0, _MOST_OTHERS - len(own)))]
        if question.name == STOPS_SHORT:
            others += _on_by_marks(standing)
            others += [] if _is_marked(standing.record) else _begun_here(standing)
    elif question.about == "card":
        stands = replace(stands, behind=0.0)
        others = [
            replace(_other(standing, "other", record), behind=_NEXT_NAME * rank)
            for rank, record in enumerate(question.alternatives, start=1)
        ]
    elif question.alternatives:
        others = [
            _other(standing, "other", record, behind=question.behind) for record in question.alternatives
        ]
    elif question.about == "path":
        led = _first(led_by(standing, question.place), _MOST_LED)
        others = [*led, *_unmarked(standing, (question.place,))]
        stands = replace(stands, settles=_in_sight(question, standing))
    if question.name in (*STORIES, GAP):
        denied = _denied((stands, *others), standing)
        stands = replace(stands, settles=stands.settles | denied)
        others = [replace(each, settles=each.settles | denied) for each in others]
    weighed = bool(others)
    if not others and question.about == "path" and question.name not in (NO_PATH, UNCLEAR):
        # What stands is no choice alone.
        near: Iterable[Option] = _nearby(question, standing) if again is None else _as_read(standing)
        if question.name == BROKEN_RULE:  # What breaks another rule would only be asked about again.
            near = (each for each in near if standing.table.referee(each.record, each.terms).legal)
        others = [replace(each, guessed=True) for each in _first(near)]
    left = Option(UNKNOWN, "unknown", standing.record, standing.terms, stands.settles)
    open_ones = [left]
    if _seems_missing(question):
        open_ones.insert(0, replace(left, number=RETAKE, kind="retake"))
    elif not weighed or question.name in {BROKEN_RULE, *STOPS} or is_open_ended(question.name):
        open_ones.insert(0, replace(left, number=OTHERWISE, kind="otherwise"))
    numbered = (
        replace(option, number=number) for number, option in enumerate(_differing(stands, others), start=1)
    )
    return (*(_weighed(option, standing) for option in (stands, *numbered)), *open_ones)


def _weighed(option: Option, standing: Standing) -> Option:
    verdict = standing.table.referee(option.record, option.terms)
    return replace(option, worth=standing.table.game.worth(verdict), legal=verdict.legal)


def _differing(stands: Option, others: Iterable[Option]) -> list[Option]:
    """Answers that come to another record, or other terms, than `stands` and than those before them; of
    those that come to the same the likelier."""
    kept: list[Option] = []
    for option in others:
        ends = option.record, option.terms
        same = next((k for k, each in enumerate(kept) if (each.record, each.terms) == ends), None)
        if same is not None:
            kept[same] = min(kept[same], option, key=_behind)
        elif ends != (stands.record, stands.terms):
            kept.append(option)
    return kept


def in_order(question: Question, options: Sequence[Option]) -> tuple[Option, ...]:
    """Answers as people see them: the likelier before the less likely, then that it has to be corrected by
    hand, and that nobody can tell. That a rule was broken, or that what the evidence speaks against is so all
    the same, comes after what would mend it, unless the marks say so: a path is mostly legal, and sooner
    misread.

    Who taps the first answer must not end on a wrong score that is called sure. So what no ink says comes
    after what was read: a line where none was found, a circle that does not count; where a card, or the whole
    line, seems to be missing, that it is missing comes first; and where the evidence does not tell the first
    answer from those that score otherwise, that nobody can tell comes before all: it settles nothing."""
    place = {"retake": 0, "otherwise": 2, "unknown": 5}
    # What only lies near tells nothing of whether a rule was broken.
    mending = [option.behind for option in options if option.kind in _MENDING and not option.guessed]
    stands = next(option.behind for option in options if option.kind == "stands")
    if question.name == BROKEN_RULE:
        best = min(mending, default=stands)
        # Without marks that say so nobody knows what happened: then the first answer settles nothing.
        place |= {
            "otherwise": 2 if stands - best >= _LEAD or best - stands > _PLAINLY else 0,
            "stands": 0 if best - stands > _PLAINLY else 3,
            "led": 3,
            "broken": 4,
        }
    elif seen_before(question.name) is not None:
        place["stands"] = 3
    elif _is_unweighed(question, options):
        place |= {"other": 2, "led": 2, "otherwise": 3}
    elif question.name == MARKS or (question.about == "path" and question.name != GAP):
        place |= {"led": 2, "unmarked": 2} if question.name != MARKS else {"unmarked": 2}
    ranked = sorted(options, key=lambda option: (place.get(option.kind, 1), option.behind))
    # Where marks alone lead a line, over cards without ink, nothing tells which way it runs.
    led = question.name == MARKS and ranked[0].kind == "led"
    if led or _is_unweighed(question, options) or not _leads(question, ranked):
        ranked.sort(key=lambda option: option.kind != "unknown")
    return tuple(ranked)


def _is_unweighed(question: Question, options: Sequence[Option]) -> bool:
    """Whether nothing tells what else may be there than what was read: the other answers only lie near it."""
    asked = seen_before(question.name) or question.name
    by_itself = asked in {BROKEN_RULE, *STOPS} or is_open_ended(asked)
    return not by_itself and any(option.kind == "otherwise" for option in options)


def _leads(question: Question, ranked: Sequence[Option]) -> bool:
    """Whether the first of several answers leaves the question open, or is likelier by far than each that
    scores otherwise. An answer that is weighed against none, only against a correction by hand, is not. Where
    ink is in doubt, that another answer breaks a rule says nothing: who tapped it may not have told a token,
    or have begun where nobody may."""
    first, *others = (option for option in ranked if option is ranked[0] or not option.leaves_open)
    by_ink = question.about == "path" and question.alternatives and question.name not in (*STORIES, *STOPS)

    def lead(each: Option) -> float:
        broken = BROKEN_RULE_COST if by_ink and first.legal and not each.legal else 0.0
        return each.behind - first.behind - broken

    return first.leaves_open or (
        bool(others)
        and first.behind < LEAST_LEAD
        and all(each.worth == first.worth or lead(each) >= LEAST_LEAD for each in others)
    )


def _seems_missing(question: Question) -> bool:
    """Whether a question is about something that was not read at all: a card, or the whole line, or most of
    it."""
    covered = question.name.startswith(COVERED)
    return covered or question.name in (NO_PATH, UNCLEAR) or card_reason(question.name) in MISSING


def wants_another_look(question: Question, options: Sequence[Option], given: Option) -> bool:
    """Whether ink, marks and rules speak so much more against an answer than against another one that it is
    asked once more."""
    if given.leaves_open or seen_before(question.name) is not None or _is_unweighed(question, options):
        return False
    if question.name == UNCLEAR:  # Whatever is said of that is his word alone.
        return False
    settling = [option.behind for option in options if not option.leaves_open]
    return given.behind - min(settling) >= SECOND_LOOK


def joined_lines(standing: Standing) -> tuple[tuple[Join, Record], ...]:
    """The likeliest records in which the line that parts is joined: those that leave out least of it, break
    no rule and go with the marks; of equal ones those that change least."""
    table, record, terms = standing.table, standing.record, standing.terms
    joined = [
        (join, msgspec.structs.replace(record, path=join.path))
        for join in ways_to_join(record, table.dungeon(record.cards), table.parted(record, terms))
    ]
    joined.sort(key=lambda each: _LOST_MM * each[0].lost_mm + standing.evidence.against(each[1], terms))
    return tuple(joined[:MOST_JOINS])


def _behind(option: Option) -> float:
    return option.behind


def _same_spot(question: Question, standing: Standing) -> list[Question]:
    """The other questions about stretches that this one is about, too: who looks there sees them all, and is
    asked once."""
    spot = _disputed(question, standing)
    return [
        other
        for other in standing.questions
        if other.about == "path"
        and other.alternatives
        and other.name not in (question.name, GAP, *STORIES)
        and spot & _disputed(other, standing)
    ]


def _disputed(question: Question, standing: Standing) -> frozenset[frozenset[str]]:
    """The stretches that only some readings have."""
    now = stretches(standing.record)
    return frozenset(step for other in question.alternatives for step in now ^ stretches(other))


def _in_sight(question: Question, standing: Standing) -> frozenset[str]:
    """The other questions about ink beside the line near one: who looks there sees it all, and is asked
    once."""
    if not question.name.startswith((BESIDE, TOO_MUCH)):
        return frozenset()
    places = standing.table.dungeon(standing.record.cards).places
    here = places[question.place]

    def near(name: str) -> bool:
        there = places.get(name)
        same_card = there is not None and there.card_index == here.card_index
        return there is not None and same_card and math.dist(here.at_mm, there.at_mm) <= _IN_SIGHT_MM

    return frozenset(
        other.name
        for other in standing.questions
        if other.name != question.name
        and not other.alternatives
        and other.name.startswith((BESIDE, TOO_MUCH))
        and near(other.place)
    )


def _denied(options: Collection[Option], standing: Standing) -> frozenset[str]:
    """The questions all of whose other readings are among the answers to another one: whoever gives an answer
    has seen them, and takes it or none of them."""
    offered = {option.record.path for option in options}
    return frozenset(
        question.name
        for question in standing.questions
        if question.about == "path"
        and question.alternatives
        and all(other.path in offered for other in question.alternatives)
    )


def _as_read(standing: Standing) -> list[Option]:
    """With the lines as they were read, before somebody joined them."""
    read, record = standing.evidence.reading, standing.record
    if read.cards != record.cards:
        return []
    return [_other(standing, "other", msgspec.structs.replace(record, path=read.path))]


def _nearby(question: Question, standing: Standing) -> Iterator[Option]:
    """What else the line may do near a place: another reading of ink that is in doubt there, no walk there
    and back, one step less, one more, or nothing beyond it. Of the whole path, where a question names no
    place: read otherwise somewhere, or from the other end."""
    record, dungeon = standing.record, standing.table.dungeon(standing.record.cards)
    if question.place not in dungeon.places:
        yield from (*_readings(standing), *_straightened(standing), *_turned(standing))
        return
    here = {question.place}
    near = here | {link.b for link in dungeon.neighbours[question.place]}
    now = stretches(record)

    def touches(option: Option) -> bool:
        return any(not near.isdisjoint(step) for step in now ^ stretches(option.record))

    if not question.name.startswith(COVERED):  # Whether the path ends there is all that is asked.
        yield from filter(touches, _readings(standing))
        yield from filter(touches, _straightened(standing))
        yield from led_by(standing, *sorted(near - here))
    for k, line in enumerate(record.path):
        for shorter in _shortened(line, question.place):
            lost_mm = route_length_mm(dungeon, line) - route_length_mm(dungeon, shorter)
            cut = msgspec.structs.replace(record, path=(*record.path[:k], shorter, *record.path[k + 1 :]))
            yield _other(standing, "other", cut, behind=_LED + _LOST_MM * lost_mm)


def _shortened(line: Stroke, place: str) -> Iterator[Stroke]:
    """A line without its end at a place, or without all that comes after it, or from it on."""
    for at, name in enumerate(line):
        ends = (line[1:],) if at == 0 else (line[: at + 1], line[:at])
        if name == place:
            yield from (shorter for shorter in ends if 1 < len(shorter) < len(line))


def _joining(standing: Standing) -> tuple[Option, ...]:
    """How a line that parts is part of the path: led on to another, by what was held, or read otherwise; or
    that it is none."""
    table = standing.table
    parted = table.parted(standing.record, standing.terms)
    whole = (
        option
        for option in _readings(standing)
        if len(table.parted(option.record, standing.terms)) < len(parted)
    )
    led = (
        _other(standing, "led", record, behind=_LED + _LOST_MM * join.lost_mm)
        for join, record in joined_lines(standing)
    )
    alone = without_stray(standing.record, table.dungeon(standing.record.cards), parted)
    none = (
        _other(
            standing,
            "other",
            msgspec.structs.replace(standing.record, path=join.path),
            behind=_LED + _LOST_MM * join.lost_mm,
        )
        for join in (alone,)
        if join is not None
    )
    offered = sorted((*led, *_held(standing), *_first(whole, MOST_JOINS), *none), key=_behind)
    # What nobody would take is no answer, unless it is the only one.
    return tuple(option for option in offered if option.behind - offered[0].behind <= _FAR)


# --- what mends a ruling ------------------------------------------------------------------------------------


def _mending(question: Question, standing: Standing) -> Sequence[Option]:
    """What would make one story of path, rules and marks, the likeliest of each kind."""
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
        # A rule that was broken is none that marks could mend.
        return mends_rule(option) if broken else mends_marks(option) and (mends_rule(option) or not legal)

    places = tuple(each.place for each in told)
    tried = [
        *_held(standing),
        *_first(filter(mends, _turned(standing))),
        *_first(filter(mends, _readings(standing))),
    ]
    if broken:
        tried += _first(filter(mends, _straightened(standing)))
    if question.name == MARKS:
        tried += _first(filter(mends, _jumped(standing, places)), 2)
        tried += [*_first(filter(mends, led_by(standing, *places)), 1), *_unmarked(standing, places)]
    mending = [option for option in tried if mends(option)]
    if broken and told:
        # What is marked where the path does not come may tell more of it, whatever rule it breaks.
        mending += _first(filter(mends_marks, led_by(standing, *places)), 1)
    if not broken or any(option.kind == "turned" for option in mending):
        return mending
    # No end is legal: then it is asked, too, from which the rule was broken.
    return [
        *mending,
        *(
            replace(option, kind="broken", settles=option.settles | {BROKEN_RULE})
            for option in _first(_turned(standing))
            if standing.ways
        ),
    ]


def _held(standing: Standing) -> list[Option]:
    """With what was held and not told, such as a forgotten token."""
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


def _turned(standing: Standing) -> Iterator[Option]:
    """From the other end, or in another order, where nothing says that it was not walked so."""
    open_ways = [question for question in standing.questions if question.about == "direction"]
    for question in open_ways:
        for record in question.alternatives:
            yield _other(standing, "turned", record, settles={question.name})
    said = "direction" in standing.answered
    if not (open_ways or said) and standing.table.game.backwards(standing.record) is not None:
        back = msgspec.structs.replace(standing.record, path=path_backwards(standing.record.path))
        yield _other(standing, "turned", back, settles={"direction"}, behind=TURNED)


def _begun_here(standing: Standing) -> list[Option]:
    """From the end at which the path stops, where no path may begin."""
    back = standing.table.game.backwards(standing.record)
    if back is None:
        return []
    return [_other(standing, "broken", back, settles={"direction", BROKEN_RULE})]


def _is_marked(record: Record) -> bool:
    return bool(record.marks.circled or record.marks.struck)


def _readings(standing: Standing) -> Iterator[Option]:
    """The other readings of ink that is in doubt."""
    for question in standing.questions:
        if question.about == "path" and question.name not in STORIES:
            for record in question.alternatives:
                yield _other(standing, "other", record, settles={question.name}, behind=question.behind)


def _straightened(standing: Standing) -> Iterator[Option]:
    """Without a walk there and back: a speck beside the line looks like one."""
    for path in without_side_ways(standing.record.path):
        record = msgspec.structs.replace(standing.record, path=path)
        yield _other(standing, "other", record, behind=_LED)


def _jumped(standing: Standing, places: Sequence[str]) -> Iterator[Option]:
    """With a jump from one of the places, which leaves no ink; of several that come to the same the one that
    goes where a mark is, and at the end of the path."""
    table, gates = standing.table, standing.table.game.habits.gates
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
            yield _other(standing, "jumped", record)


def led_by(standing: Standing, *places: str) -> Iterator[Option]:
    """With the line led by places that it was not read to come to, with the least change."""
    dungeon = standing.table.dungeon(standing.record.cards)
    for place in places:
        for join in ways_by(standing.record, dungeon, place)[:_LED_TRIED]:
            led = msgspec.structs.replace(standing.record, path=join.path)
            yield _other(standing, "led", led, behind=_LED + _LOST_MM * join.lost_mm)


def _on_by_marks(standing: Standing) -> Iterator[Option]:
    """With the line led on from its end by what is marked beyond it, and from there out of the cards."""
    record, dungeon = standing.record, standing.table.dungeon(standing.record.cards)
    told = standing.evidence.two_stories(record, standing.terms)
    places = [dungeon.places[each.place] for each in told if each.place in dungeon.places]
    end, walked = record.path[-1][-1], {name for line in record.path for name in line}
    onward = routes_from(dungeon, end, avoid=walked - {end})
    for goal in dict.fromkeys(place.room or place.id for place in places):
        if goal not in onward:
            continue
        path = (*record.path[:-1], record.path[-1] + onward[goal][1:])
        led = _other(standing, "led", msgspec.structs.replace(record, path=path), behind=_LED)
        yield led
        for out in ways_out(dungeon, path, _ONWARD_MM)[:_MOST_LED]:
            longer = (*path[:-1], path[-1] + out[1:])
            yield _other(standing, "led", msgspec.structs.replace(record, path=longer), behind=_LED)
        return


def _on_and_out(standing: Standing) -> Iterator[Option]:
    """With the line led on from its end and out of the cards, where nothing stops it there."""
    record = standing.record
    if standing.table.referee(record, standing.terms).ended != "dead_end":
        return
    for out in ways_out(standing.table.dungeon(record.cards), record.path, _ONWARD_MM)[:_MOST_LED]:
        path = (*record.path[:-1], record.path[-1] + out[1:])
        yield _other(standing, "led", msgspec.structs.replace(record, path=path), behind=_LED)


def _unmarked(standing: Standing, places: Sequence[str]) -> Iterator[Option]:
    """Without marks that are left over from another round, or that are none at all."""
    marks = standing.record.marks
    gone = [place for place in places if place in (*marks.circled, *marks.struck)]
    if gone:
        circled, struck = (
            tuple(name for name in names if name not in gone) for names in (marks.circled, marks.struck)
        )
        record = msgspec.structs.replace(standing.record, marks=Marks(circled=circled, struck=struck))
        asked = {each.name for each in standing.questions if each.about == "mark" and each.place in gone}
        yield _other(standing, "unmarked", record, settles=asked, behind=_LEFT_OVER * len(gone))


def _other(
    standing: Standing, kind: Kind, record: Record, *, settles: Collection[str] = (), behind: float = 0.0
) -> Option:
    terms = standing.terms
    return Option(
        0, kind, record, terms, frozenset(settles), behind + standing.evidence.against(record, terms)
    )


def _first(options: Iterable[Option], most: int = _MOST_OTHERS) -> list[Option]:
    """The likeliest of several that differ."""
    ranked = sorted(options, key=_behind)
    differing = {option.record.path: option for option in reversed(ranked)}
    return sorted(differing.values(), key=_behind)[:most]
