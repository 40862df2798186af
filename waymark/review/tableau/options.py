"""Options of a question: each is the record, with its terms, that becomes valid with that answer.

Readings bring their own alternatives (`Question.alternatives`). Questions that follow from a ruling, or
from marks that contradict the path, offer possible repairs: unstated means, the other end, another
reading of the ink, marks of another round. Only people choose; nothing is chosen here."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec

from scorer.record import Record
from scorer.routes import route_length_mm
from vision.questions import Question
from waymark.review.tableau.doubt_kinds import OPEN_ENDED, Kind, kind_of
from waymark.review.tableau.joins import Join, Stroke, stretches, ways_to_join, without_stray
from waymark.review.tableau.option import (
    LED,
    LOST_MM,
    MOST_LED,
    MOST_OTHERS,
    OTHERWISE,
    RETAKE,
    UNKNOWN,
    Option,
    Standing,
    begun_here,
    held,
    is_marked,
    led_by,
    likeliest,
    mending,
    on_and_out,
    on_by_marks,
    other_reading,
    readings,
    straightened,
    turned,
    unmarked,
)
from waymark.review.tableau.question_names import (
    BROKEN_RULE,
    GAP,
    NO_PATH,
    PART_READ,
    STOPS,
    STOPS_INSIDE,
    STOPS_SHORT,
    STORIES,
    UNCLEAR,
)
from waymark.review.tableau.ranking import seems_missing

#: Cost (nats) relative to the best from which a way to join lines is not offered.
_FAR = 10.0
#: Cost (nats) of each further identity offered for a card, by similarity alone: the line read on a wrong
#: card, often none, is no evidence.
_NEXT_NAME = 0.5
#: Limit of offered ways to join an unjoined line.
MOST_JOINS = 3
#: Radius (mm) of the picture around a question's place.
_IN_SIGHT_MM = 22.0


def options_of(question: Question, standing: Standing) -> tuple[Option, ...]:
    """The options of a question, by number. Settling options come first, at least two including
    `otherwise`; `unknown` is last."""
    # The answers include the path from its other end, so a person who confirms the broken rule has ruled that
    # out.
    ways = standing.ways if question.name == BROKEN_RULE else ()
    stands = other_reading(standing, "stands", standing.record, settles=ways)
    others: Sequence[Option] = ()
    if question.name in STORIES:
        # A player who was asked about held means and the start has thereby answered where the path stops,
        # except for a line that marks lead on.
        others = [
            each if each.kind == "led" else replace(each, settles=each.settles | {STOPS_INSIDE})
            for each in mending(question, standing)
        ]
    elif question.name == STOPS_INSIDE:
        others = [*held(standing), *on_by_marks(standing), *on_and_out(standing), *begun_here(standing)]
    elif question.name == GAP:
        others = _joining(standing)
    elif question.name == PART_READ:
        others = ()
    elif question.name == UNCLEAR:
        others = [other_reading(standing, "other", record) for record in question.alternatives]
    elif question.about == "path" and question.alternatives:
        beside = _same_spot(question, standing)
        stands = replace(stands, settles=frozenset(other.name for other in beside))
        own, more = (
            [
                other_reading(standing, "other", record, settles=stands.settles, behind=each.behind)
                for each in asked
                for record in each.alternatives
                if asked is not beside or record not in question.alternatives
            ]
            for asked in ([question], beside)
        )
        others = [*own, *likeliest(more, max(0, MOST_OTHERS - len(own)))]
        # A line that leaves a gate and was seen only as a dot led somewhere: its unseen course is completed.
        dots = [record for record in question.alternatives if record.path and len(record.path[-1]) == 1]
        others += [led for record in dots for led in on_and_out(standing, record)]
        if question.name == STOPS_SHORT:
            others += on_by_marks(standing)
            others += [] if is_marked(standing.record) else begun_here(standing)
    elif question.about == "card":
        stands = replace(stands, behind=0.0)
        others = [
            replace(other_reading(standing, "other", record), behind=_NEXT_NAME * rank)
            for rank, record in enumerate(question.alternatives, start=1)
        ]
    elif question.alternatives:
        others = [
            other_reading(standing, "other", record, behind=question.behind)
            for record in question.alternatives
        ]
    elif question.about == "path" and kind_of(question.name) is not Kind.CUT:
        led = likeliest(led_by(standing, question.place), MOST_LED)
        others = [*led, *unmarked(standing, (question.place,))]
        stands = replace(stands, settles=_in_sight(question, standing))
    if question.name in (*STORIES, GAP):
        denied = _denied((stands, *others), standing)
        stands = replace(stands, settles=stands.settles | denied)
        others = [replace(each, settles=each.settles | denied) for each in others]
    weighed = bool(others)
    # Nothing is guessed about a part outside the picture.
    by_itself = question.name in (NO_PATH, UNCLEAR) or kind_of(question.name) is Kind.CUT
    if not others and question.about == "path" and not by_itself:
        # The current record alone is not a choice.
        near: Iterable[Option] = _nearby(question, standing)
        if question.name == BROKEN_RULE:  # Breaking another rule would only lead to another question.
            near = (each for each in near if standing.table.referee(each.record, each.terms).legal)
        others = [replace(each, guessed=True) for each in likeliest(near)]
    left = Option(UNKNOWN, "unknown", standing.record, standing.terms, stands.settles)
    open_ones = [left]
    if seems_missing(question):
        open_ones.insert(0, replace(left, number=RETAKE, kind="retake"))
    elif not weighed or question.name in {BROKEN_RULE, *STOPS} or kind_of(question.name) in OPEN_ENDED:
        open_ones.insert(0, replace(left, number=OTHERWISE, kind="otherwise", behind=_misread(standing)))
    numbered = (
        replace(option, number=number) for number, option in enumerate(_differing(stands, others), start=1)
    )
    return (*(_weighed(option, standing) for option in (stands, *numbered)), *open_ones)


def _misread(standing: Standing) -> float:
    """Cost (nats) of the likeliest misreading of the line, by the reader's doubts about its ink."""
    return min(
        (each.behind for each in standing.questions if each.about == "path" and each.alternatives),
        default=math.inf,
    )


def _weighed(option: Option, standing: Standing) -> Option:
    verdict = standing.table.referee(option.record, option.terms)
    return replace(option, worth=standing.table.game.rules.worth(verdict), legal=verdict.legal)


def _differing(stands: Option, others: Iterable[Option]) -> list[Option]:
    """The options whose record or terms differ from `stands` and from each other; of equal ones, the
    likelier is kept."""
    kept: list[Option] = []
    for option in others:
        ends = option.record, option.terms
        same = next((k for k, each in enumerate(kept) if (each.record, each.terms) == ends), None)
        if same is not None:
            kept[same] = min(kept[same], option, key=_behind)
        elif ends != (stands.record, stands.terms):
            kept.append(option)
    return kept


def joined_lines(standing: Standing) -> tuple[tuple[Join, Record], ...]:
    """The likeliest records in which an unjoined line is joined to the path, at most `MOST_JOINS`. The
    cost grows with the length left out, broken rules and contradicting marks."""
    table, record, terms = standing.table, standing.record, standing.terms
    joined = [
        (join, msgspec.structs.replace(record, path=join.path))
        for join in ways_to_join(record, table.dungeon(record.cards), table.parted(record, terms))
    ]
    joined.sort(key=lambda each: LOST_MM * each[0].lost_mm + standing.evidence.against(each[1], terms))
    return tuple(joined[:MOST_JOINS])


def _behind(option: Option) -> float:
    return option.behind


def _same_spot(question: Question, standing: Standing) -> list[Question]:
    """The other questions about the same disputed stretches, which are settled together with this one."""
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
    """The steps that some readings of a question have and others lack."""
    now = stretches(standing.record)
    return frozenset(step for other in question.alternatives for step in now ^ stretches(other))


def _in_sight(question: Question, standing: Standing) -> frozenset[str]:
    """The names of other questions about ink beside the line within the picture of this one, settled
    together with it."""
    if kind_of(question.name) is not Kind.INK:
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
        and kind_of(other.name) is Kind.INK
        and near(other.place)
    )


def _denied(options: Collection[Option], standing: Standing) -> frozenset[str]:
    """Names of the questions whose alternatives are all among the options of another question. An answer
    to that one settles them, too."""
    offered = {option.record.path for option in options}
    return frozenset(
        question.name
        for question in standing.questions
        if question.about == "path"
        and question.alternatives
        and all(other.path in offered for other in question.alternatives)
    )


def _nearby(question: Question, standing: Standing) -> Iterator[Option]:
    """Options with small changes of the line near a place: another reading of doubtful ink, no detour,
    one step less or more, or nothing beyond it. For a question without a place: other readings anywhere,
    or the other end."""
    record, dungeon = standing.record, standing.table.dungeon(standing.record.cards)
    if question.place not in dungeon.places:
        yield from (*readings(standing), *straightened(standing), *turned(standing))
        return
    here = {question.place}
    near = here | {link.b for link in dungeon.neighbours[question.place]}
    now = stretches(record)

    def touches(option: Option) -> bool:
        return any(not near.isdisjoint(step) for step in now ^ stretches(option.record))

    if kind_of(question.name) is not Kind.END:  # That question is only whether the path ends there.
        yield from filter(touches, readings(standing))
        yield from filter(touches, straightened(standing))
        yield from led_by(standing, *sorted(near - here))
    for k, line in enumerate(record.path):
        for shorter in _shortened(line, question.place):
            lost_mm = route_length_mm(dungeon, line) - route_length_mm(dungeon, shorter)
            cut = msgspec.structs.replace(record, path=(*record.path[:k], shorter, *record.path[k + 1 :]))
            yield other_reading(standing, "other", cut, behind=LED + LOST_MM * lost_mm)


def _shortened(line: Stroke, place: str) -> Iterator[Stroke]:
    """Shortened versions of a line: without its end at a place, or without everything before or after
    it."""
    for at, name in enumerate(line):
        ends = (line[1:],) if at == 0 else (line[: at + 1], line[:at])
        if name == place:
            yield from (shorter for shorter in ends if 1 < len(shorter) < len(line))


def _joining(standing: Standing) -> tuple[Option, ...]:
    """Options that join an unjoined line to the path: by a continuation, by unstated means or by another
    reading; or that drop the line."""
    table = standing.table
    parted = table.parted(standing.record, standing.terms)
    whole = (
        option
        for option in readings(standing)
        if len(table.parted(option.record, standing.terms)) < len(parted)
    )
    led = (
        other_reading(standing, "led", record, behind=LED + LOST_MM * join.lost_mm)
        for join, record in joined_lines(standing)
    )
    alone = without_stray(standing.record, table.dungeon(standing.record.cards), parted)
    none = (
        other_reading(
            standing,
            "other",
            msgspec.structs.replace(standing.record, path=join.path),
            behind=LED + LOST_MM * join.lost_mm,
        )
        for join in (alone,)
        if join is not None
    )
    offered = sorted((*led, *held(standing), *likeliest(whole, MOST_JOINS), *none), key=_behind)
    # Very unlikely options are dropped, unless only one is left.
    return tuple(option for option in offered if option.behind - offered[0].behind <= _FAR)
