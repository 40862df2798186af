"""A tableau as it stands: a photo's reading with what people answered and corrected, refereed.

Questions keep the number that they have in the reading. Those that are still open are asked about the record
as it stands now: their other readings are carried over to it, so that no answer undoes another."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import msgspec

from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon, build_dungeon
from scorer.mapmasters.direction import path_backwards, worth
from scorer.mapmasters.referee import referee_dungeon
from scorer.mapmasters.ruling import Ruling
from scorer.mapmasters.settings import VersusSettings
from scorer.mapmasters.teleports import parted_strokes
from scorer.record import Record
from vision.questions import Question
from vision.scan import Scan
from waymark.review.judge import Means, judge, with_means
from waymark.review.merge import Path, merge_records, same_way
from waymark.review.path_joins import lead_by, ways_to_join
from waymark.review.projection import cards_in_photo
from waymark.review.rescan import ink_is_read

#: The number of the question that follows from the ruling and not from the photo (strokes that nothing
#: joins).
#: A reading has far fewer questions of its own.
FROM_RULING = 1000
#: So many ways to join a line that parts are offered.
MOST_JOINS = 3
#: The number of the question that follows from a rule which the path breaks. What breaks no rule any more is
#: not asked.
BROKEN_RULE = 1002
#: The number of the question that follows from cards which a person has corrected since the ink was read.
FROM_CARDS = 1001

_CARDS_CORRECTED = Question(
    "path",
    "",
    (),
    "The cards were corrected after the line was read, so it is being read again; if that does not happen, "
    "draw the path by hand, and then say that it is right.",
    "カードを直したので、線を読み直しています。読み直されないときは、道を手で直してから、"
    "これでよいと答えてください。",
)


@dataclass(frozen=True)
class Assessment:
    """`scan` holds the cards of `record` as they lie in the photo. `open_questions` are those that nobody has
    answered, by number; none where none of them can change the score. `parted` are the strokes that nothing
    joins to the one before. `sure`: there are neither. `reading` is the photo's own, `answered` what has been
    settled of it."""

    scan: Scan
    record: Record
    ruling: Ruling
    dungeon: Dungeon
    open_questions: tuple[tuple[int, Question], ...]
    parted: tuple[int, ...]
    sure: bool
    reading: Scan
    answered: frozenset[int]
    settings: VersusSettings


def assess(
    reading: Scan,
    catalogue: Catalogue,
    means: Means,
    *,
    corrected: Record | None = None,
    answered: Collection[int] = (),
    together: bool = True,
) -> Assessment:
    """Judge a reading with `corrected` in place of what was read (None: as it was read) and without the
    questions that have been answered. `together`: it is sure only if no two open questions can change the
    score together either."""
    settled = frozenset(answered)
    asked = [(n, question) for n, question in enumerate(reading.questions) if n not in settled]
    scan = reading
    if corrected is not None:
        record = with_means(corrected, means)
        places = build_dungeon(catalogue, record.cards)
        asked = [(n, each) for n, each in asked if not _is_over(each, reading.tableau, record, places)]
        if not ink_is_read(reading, record, catalogue):
            # What the reading asks is about other cards; the new reading asks its own.
            asked = [(FROM_CARDS, _CARDS_CORRECTED)] if FROM_CARDS not in settled else []
        else:
            asked = [
                (n, _carried_over(question, reading.tableau, record, catalogue)) for n, question in asked
            ]
        scan = replace(
            reading,
            tableau=record,
            cards=cards_in_photo(reading, record, catalogue),
            # What people changed has no line in the photo.
            path_px=reading.path_px
            if record.path == reading.tableau.path
            else tuple(() for _ in record.path),
        )
    questions = tuple(question for _, question in asked)
    judged = judge(
        replace(scan, questions=questions, sure=not questions),
        catalogue,
        means,
        ask_of_gap=FROM_RULING not in settled,
        ask_of_rule=BROKEN_RULE not in settled,
    )
    # What people say of a gap settles the question, not the doubt: a score across it is never told as sure.
    parted = parted_strokes(judged.dungeon, judged.scan.tableau)
    from_ruling = FROM_RULING if parted else BROKEN_RULE
    # A question that follows from the ruling comes last.
    numbers = [*(asked[k][0] for k in judged.asked), from_ruling]
    open_questions = tuple(zip(numbers, judged.scan.questions, strict=False))
    assessment = Assessment(
        scan=judged.scan,
        record=judged.scan.tableau,
        ruling=judged.ruling,
        dungeon=judged.dungeon,
        open_questions=open_questions,
        parted=parted,
        sure=judged.scan.sure,
        reading=reading,
        answered=settled,
        settings=means.settings,
    )
    if not assessment.sure:
        return assessment
    if together and len(open_questions) > 1 and not _harmless_together(assessment, catalogue, means):
        return _unsure(assessment)
    assessment = replace(assessment, open_questions=())
    return _unsure(assessment) if parted else assessment


def _unsure(assessment: Assessment) -> Assessment:
    return replace(assessment, scan=replace(assessment.scan, sure=False), sure=False)


def _harmless_together(assessment: Assessment, catalogue: Catalogue, means: Means) -> bool:
    """Whether no two doubts can change the score together where none can alone: with any one of them decided
    otherwise, the others still change nothing."""
    for number, question in assessment.open_questions:
        for other in question.alternatives:
            then = assess(
                assessment.reading,
                catalogue,
                means,
                corrected=other,
                answered=assessment.answered | {number, FROM_RULING, BROKEN_RULE},
                together=False,
            )
            if then.open_questions or worth(then.ruling) != worth(assessment.ruling):
                return False
    return True


def answer(
    assessment: Assessment, catalogue: Catalogue, means: Means, number: int, option: int
) -> Assessment | None:
    """How the tableau stands once an open question is answered; `option` 0 is the record as it stands, the
    others are the `other_answers`. None where there is no such question or option."""
    question = dict(assessment.open_questions).get(number)
    if question is None:
        return None
    others = other_answers(assessment, number)
    if not 0 <= option <= len(others):
        return None
    record = assessment.record if option == 0 else others[option - 1]
    # The same question asked twice (two specks of ink at one place) is answered once.
    same = {n for n, asked in assessment.open_questions if asked == question}
    settled = still_settled(assessment.answered | same, assessment.record, record)
    return assess(assessment.reading, catalogue, means, corrected=record, answered=settled)


def other_answers(assessment: Assessment, number: int) -> tuple[Record, ...]:
    """The records that the answers to an open question make besides the one that stands. Where nothing else
    was read, at a find that the path does not come to or a line that nothing joins, the line may be led
    there: only people say so, no reading."""
    question = dict(assessment.open_questions)[number]
    if number == FROM_RULING:
        return _joined_lines(assessment)
    if number == BROKEN_RULE:
        return ()
    if question.alternatives or question.about != "path":
        return question.alternatives
    led = lead_by(assessment.record, assessment.dungeon, question.place)
    return () if led is None else (led,)


def _joined_lines(assessment: Assessment) -> tuple[Record, ...]:
    """The likeliest records in which the line that parts is joined: legal ones, where there are any, for a
    player thinks that his path is legal; then those that change least."""
    joined = [
        (join.cost_mm, msgspec.structs.replace(assessment.record, path=join.path))
        for join in ways_to_join(assessment.record, assessment.dungeon)
    ]
    legal = [
        (cost, record)
        for cost, record in joined
        if referee_dungeon(assessment.dungeon, record, assessment.settings).legal
    ]
    return tuple(record for _, record in (legal or joined)[:MOST_JOINS])


def still_settled(answered: Collection[int], before: Record, after: Record) -> frozenset[int]:
    """What remains answered once a record has changed: another path may part, or break a rule, elsewhere."""
    settled = frozenset(answered)
    if before.path != after.path:
        settled -= {FROM_RULING, BROKEN_RULE}
    return settled if before.cards == after.cards else settled - {FROM_CARDS}


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


def _carried_over(question: Question, read: Record, record: Record, catalogue: Catalogue) -> Question:
    """A question about what was read, asked about what stands now. Other readings that cannot be carried
    over, because the same stretch has been changed, are left out; the question stays."""
    if question.about == "direction":
        paths = _other_ways(read.path, [other.path for other in question.alternatives], record.path)
        others = [msgspec.structs.replace(record, path=path) for path in paths]
        options = tuple(_ends(path) for path in (record.path, *paths))
    else:
        merged = [merge_records(read, other, record, catalogue) for other in question.alternatives]
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
