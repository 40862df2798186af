"""A path that a player draws on the photo as their claim: it is refereed beside the current one, which stays
valid."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product, takewhile

import msgspec
from flask_babel import gettext as _

from scorer.dungeon import Dungeon
from scorer.places import known_place, place_words
from scorer.record import path_backwards, within_limits
from scorer.text import Language
from scorer.vocabulary import Vocabulary
from waymark.review.tableau.answers import answer, with_path
from waymark.review.tableau.assess import Assessment
from waymark.review.tableau.edits import corrected
from waymark.review.tableau.joins import Path
from waymark.review.tableau.question_names import name_of
from webapp.disputes.model import DrawPath
from webapp.tableaus.answers import settled_meanwhile

#: Least number of links at a crossing; with fewer, a corridor only bends, and people would not name the
#: place.
_WAYS_AT_A_CROSSING = 3


@dataclass(frozen=True)
class Parting:
    """First difference between a claimed path and the current one. `common` are the shared places,
    followed by those of `stands` and of `claimed` (empty: the path ends). `anew`: the claim starts a new
    line there."""

    common: tuple[str, ...]
    stands: tuple[str, ...]
    claimed: tuple[str, ...]
    anew: bool


def parting(stands: Path, claimed: Path) -> Parting | None:
    """First difference of two paths; None where they are equal. A place that starts a new line differs from
    the same place within a line."""
    ways = [
        [(name, k == 0) for stroke in path for k, name in enumerate(stroke)] for path in (stands, claimed)
    ]
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ways, strict=False)))
    names = [tuple(name for name, _starts in way) for way in ways]
    if all(len(way) == alike for way in ways):
        return None
    anew = alike < len(ways[1]) and ways[1][alike][1]
    return Parting(names[0][:alike], names[0][alike:], names[1][alike:], anew)


def parting_words(
    vocabulary: Vocabulary, parts: Parting, stands: Path, claimed: Path, dungeon: Dungeon, language: Language
) -> str:
    """Common part of the current and the claimed path, in words, and the next place of each."""
    if not parts.claimed and not parts.common:
        return _("The claim is that no path was drawn.")
    if not parts.stands and not parts.common:
        return _("In the current ruling, no path was drawn.")
    if claimed == path_backwards(stands):
        return _("It is the same path, walked the other way round.")

    def named(name: str) -> str:
        return place_words(vocabulary, dungeon, dungeon.places[name], with_id=False).message(language)

    if not parts.common:
        return _(
            "The paths differ from the start: the current path begins at %(stands)s, the claimed one at "
            "%(claimed)s.",
            stands=named(parts.stands[0]),
            claimed=named(parts.claimed[0]),
        )
    alike = {"step": len(parts.common), "place": named(parts.common[-1])}
    if not parts.claimed:
        onward = named(_telling(parts.stands, (), dungeon)[0])
        return _(
            "Both paths are the same up to step %(step)s, %(place)s. The claimed one ends there; the "
            "current one goes on to %(onward)s.",
            **alike,
            onward=onward,
        )
    if not parts.stands:
        onward = named(_telling(parts.claimed, (), dungeon)[0])
        return _(
            "Both paths are the same up to step %(step)s, %(place)s. The current one ends there; the "
            "claimed one goes on to %(onward)s.",
            **alike,
            onward=onward,
        )
    if parts.anew:
        return _(
            "Both paths are the same up to step %(step)s, %(place)s. The claimed line breaks off there, "
            "and a new one begins at %(claimed)s.",
            **alike,
            claimed=named(parts.claimed[0]),
        )
    if parts.stands[0] == parts.claimed[0]:
        return _(
            "Both paths are the same up to step %(step)s, %(place)s. The current line breaks off there, "
            "and a new one begins at %(stands)s; the claimed line goes on.",
            **alike,
            stands=named(parts.stands[0]),
        )
    here = [named(name) for name in _telling(parts.stands, parts.claimed, dungeon)]
    there = [named(name) for name in _telling(parts.claimed, parts.stands, dungeon)]
    # Two places of one kind may be close together, so places with different names are used to describe the
    # ways.
    ways = next((pair for pair in product(here, there) if pair[0] != pair[1]), (here[0], there[0]))
    return _(
        "Both paths are the same up to step %(step)s, %(place)s. From there the current one goes on to "
        "%(stands)s, the claimed one to %(claimed)s.",
        **alike,
        stands=ways[0],
        claimed=ways[1],
    )


def _telling(way: Sequence[str], other: Collection[str], dungeon: Dungeon) -> Sequence[str]:
    """The most distinctive places of a path: places that the other path lacks, without plain bends."""
    own = [name for name in way if name not in other]
    told = [name for name in own if not _is_bend(dungeon, name)]
    return told or own or way


def _is_bend(dungeon: Dungeon, name: str) -> bool:
    ways = {link.b for link in dungeon.neighbours[name]}
    return dungeon.places[name].kind == "junction" and len(ways) < _WAYS_AT_A_CROSSING


def with_claimed_path(assessment: Assessment, path: Path) -> Assessment:
    """Assessment of the tableau with the path of a claim. Raises `WaymarkError` (unknown-place,
    record-too-large)."""
    within_limits(msgspec.structs.replace(assessment.record, path=path))
    for stroke in path:
        for name in stroke:
            known_place(assessment.dungeon, name)
    return with_path(assessment, path)


def with_drawn_path(assessment: Assessment, drawn: DrawPath) -> Assessment:
    """Assessment of the tableau with a drawn path and its further correction or answer. Raises
    `WaymarkError`: the correction's own errors, and conflict where the question or option does not exist (any
    more)."""
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
