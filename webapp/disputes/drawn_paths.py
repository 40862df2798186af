"""A path as a player says that it goes, drawn on the photo: refereed beside the one that stands, which stays
so."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import msgspec

from scorer.mapmasters.referee import known_place
from scorer.record import within_limits
from waymark.review.assessment import Assessment, answer, with_path
from waymark.review.edits import corrected
from waymark.review.path_joins import Path
from waymark.review.question_names import name_of
from webapp.disputes.model import DrawPath
from webapp.tableaus.answers import settled_meanwhile


@dataclass(frozen=True)
class Parting:
    """Where a claimed path leaves the one that stands: both begin with `common`, then come the places of
    `stands` and of `claimed` (none: it ends). `anew`: as claimed, a new line begins there."""

    common: tuple[str, ...]
    stands: tuple[str, ...]
    claimed: tuple[str, ...]
    anew: bool


def parting(stands: Path, claimed: Path) -> Parting | None:
    """Where two paths part; None where they are the same. A line that begins anew is none that goes on."""
    ways = [
        [(name, k == 0) for stroke in path for k, name in enumerate(stroke)] for path in (stands, claimed)
    ]
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ways, strict=False)))
    names = [tuple(name for name, _ in way) for way in ways]
    if all(len(way) == alike for way in ways):
        return None
    anew = alike < len(ways[1]) and ways[1][alike][1]
    return Parting(names[0][:alike], names[0][alike:], names[1][alike:], anew)


def with_claimed_path(assessment: Assessment, path: Path) -> Assessment:
    """How the tableau would stand with a path that somebody claims. Raises `WaymarkError` (unknown-place,
    record-too-large)."""
    within_limits(msgspec.structs.replace(assessment.record, path=path))
    for stroke in path:
        for name in stroke:
            known_place(assessment.dungeon, name)
    return with_path(assessment, path)


def with_drawn_path(assessment: Assessment, drawn: DrawPath) -> Assessment:
    """The same with what comes to the path now. Raises `WaymarkError`: whatever the correction itself raises,
    and conflict where there is no such question or option (any more)."""
    then = with_claimed_path(assessment, drawn.path)
    if drawn.correction is not None:
        path = corrected(then.record, assessment.table, drawn.correction).path
        then = with_claimed_path(assessment, path)
    if drawn.answer is not None:
        name = name_of(drawn.answer.question, then.reading.questions)
        answered = answer(then, name, drawn.answer.option)
        if answered is None:
            raise settled_meanwhile()
        then = with_path(assessment, answered.record.path)
    return then
