"""Differences between the possible answers about a path: the stretches that only one has, also in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest

import numpy as np
from flask_babel import gettext as _

from scorer.places import place_on_card, place_words
from scorer.text import Language
from waymark.phrases import say
from waymark.picture.annotations import PathPiece
from waymark.review.projection import Points
from waymark.review.tableau.assess import Assessment
from webapp.tableaus.headings import Stretch, headings, turns
from webapp.tableaus.verdict_view import last_place

#: A shorter stretch (mm) is not visible in a small picture, so its neighbours are drawn with it.
_SEEN_MM = 10.0

Edge = tuple[str, str]


@dataclass(frozen=True)
class Way:
    """One possible answer to a question: its number, the resulting assessment, and its path as edges and
    pieces."""

    number: int
    assessment: Assessment
    edges: tuple[Edge, ...]
    pieces: tuple[PathPiece, ...]


#: A step of a path: a place and the next one (None after the last).
_Step = tuple[str, str | None]


def own_edges(way: Way, ways: Sequence[Way]) -> list[int]:
    """Indices of a way's edges that are missing in at least one other way: undirected edges first, then
    repetitions, then the order."""
    own: set[int] = set()
    for other in ways:
        if other is not way:
            own.update(_not_in(_undirected(way.edges), _undirected(other.edges)))
    return sorted(own)


def lines_of(way: Way, edges: Collection[int]) -> list[Points]:
    """Polylines (n, 2) in photo pixels of runs of consecutive edges; gaps between strokes are left out."""
    return [np.concatenate([way.pieces[index].line_px for index in run]) for run in _runs(way, edges)]


def seen_lines(way: Way, edges: Collection[int], px_per_mm: float) -> list[Points]:
    """Polylines as from `lines_of`; a run too short to be visible is extended by the pieces before and after
    it."""
    shown = set(edges)
    for run in _runs(way, edges):
        line = np.concatenate([way.pieces[index].line_px for index in run])
        if np.linalg.norm(np.diff(line, axis=0), axis=1).sum() < _SEEN_MM * px_per_mm:
            shown |= {run[0] - 1, run[-1] + 1} & set(range(len(way.pieces)))
    return lines_of(way, shown)


def runs_or_not(ways: Sequence[Way]) -> bool:
    """Whether a question asks only if a line exists: of two ways, exactly one has edges of its own."""
    return len(ways) == 2 and sum(not _runs(way, own_edges(way, ways)) for way in ways) == 1


def path_words(way: Way, own: Sequence[int], ways: Sequence[Way], language: Language) -> tuple[str, str]:
    """Short label and detail text of a way, compared with the other ways. The label says where the way's own
    stretch goes in the photo, or names the stretch where that does not tell the ways apart. The detail names
    the stretch, its finds, what it omits from the current way, and a different end."""
    detail = []
    stands, run = ways[0], _told_run(way, own, ways, language)
    if run:
        stretch = label = _leads(way, run, language)
        if goes := _goes(way, ways, language):
            label = goes
            detail.append(stretch)
        elsewhere = {name for other in ways if other is not way for edge in other.edges for name in edge}
        only = dict.fromkeys(name for k in own for name in way.edges[k] if name not in elsewhere)
        finds = [find for name in only if (find := way.assessment.dungeon.places[name].find) is not None]
        if finds:
            words = way.assessment.table.game.words.vocabulary
            names = dict.fromkeys(words.name(each).message(language) for each in finds)
            named = say(language, "list.comma").join(names)
            detail.append(_("past: %(finds)s", finds=named))
        left = _runs(stands, _not_in(_undirected(stands.edges), _undirected(way.edges)))
        if way is not stands and left and len(ways) > 2:
            missing = _leads(stands, max(left, key=len), language)
            detail.append(_("leaves out: %(stretch)s", stretch=missing))
    else:
        lost = [
            _leads(other, run, language) for other in ways for run in _runs(other, own_edges(other, ways))
        ]
        label = _("Not here: %(stretch)s", stretch=lost[0]) if lost else _("The path does not run here")
    end, ends_there = _end(way), False
    if runs_or_not(ways):
        ends_there = bool(run) and way.edges[run[-1]][1] == end
        detail[:0] = [label] if run else []
        label = _("The line runs here") if run else _("The line does not run here")
    if len({_end(each) for each in ways}) > 1 and end is not None:
        place = _named(way, end, language)
        detail.append(_("ends there") if ends_there else _("ends at %(place)s", place=place))
    return label, " · ".join(detail)


def _goes(way: Way, ways: Sequence[Way], language: Language) -> str | None:
    """Where the way's own stretch goes, as seen in the photo; None where that does not tell ways apart."""
    runs = [_told_run(each, own_edges(each, ways), ways, language) for each in ways]
    told = headings([_stretch(each, run) for each, run in zip(ways, runs, strict=True)])
    if told is None:
        return None
    return next(words for each, words in zip(ways, told, strict=True) if each is way).message(language)


def _stretch(way: Way, run: Sequence[int]) -> Stretch | None:
    if not run:
        return None
    line = np.concatenate([way.pieces[index].line_px for index in run])
    return Stretch(line, first=run[0] == 0 and run[-1] < len(way.edges) - 1)


def _told_run(way: Way, own: Sequence[int], ways: Sequence[Way], language: Language) -> list[int]:
    """Indices of the edges that describe a way; empty where it has none of its own. Edges that are new beside
    the current way are preferred, unless another way has the same words."""

    def new(each: Way) -> list[int]:
        edges = _not_in(_undirected(each.edges), _undirected(ways[0].edges)) if each is not ways[0] else []
        return max(_runs(each, edges), key=len, default=[])

    told = new(way)
    alike = [_leads(each, run, language) for each in ways if each is not way and (run := new(each))]
    if told and _leads(way, told, language) not in alike:
        return told
    return max(_runs(way, own), key=len, default=told)


def _leads(way: Way, run: Sequence[int], language: Language) -> str:
    """Words for a stretch of a path, in walking order; the card is named once if both ends lie on it."""
    first, last = way.edges[run[0]][0], way.edges[run[-1]][1]
    back = first == last and len(run) > 1
    if back:
        last = way.edges[run[len(run) // 2]][0]
    dungeon = way.assessment.dungeon
    ends = [dungeon.places[name] for name in (first, last)]
    if ends[0].card_index == ends[1].card_index:
        card = dungeon.cards[ends[0].card_index].card
        place, other = (
            place_on_card(way.assessment.table.game.words.vocabulary, dungeon, end).message(language)
            for end in ends
        )
        if back:
            return _("%(card)s: from %(place)s to %(other)s and back", card=card, place=place, other=other)
        return _("%(card)s: from %(place)s to %(other)s", card=card, place=place, other=other)
    place, other = (_named(way, end.id, language) for end in ends)
    if back:
        return _("From %(place)s to %(other)s and back", place=place, other=other)
    return _("From %(place)s to %(other)s", place=place, other=other)


def where_they_part(way: Way, others: Sequence[Way], language: Language) -> str:
    """Words for the places where a way differs from the others; "" where it does not differ."""
    own = _walked(way)
    told = dict.fromkeys(step for other in others if (step := _parting(own, _walked(other))) is not None)
    alone = [step for step in told if not any(step in _walked(other) for other in others)]
    words = []
    for before, after in alone[:1] or sorted(told, key=own.index):
        place = _named(way, before, language)
        if after is None:
            words.append(_("It ends at %(place)s", place=place))
        else:
            words.append(_("From %(place)s on to %(other)s", place=place, other=_named(way, after, language)))
    return " · ".join(words)


def headings_apart(ways: Sequence[Way], language: Language) -> list[str] | None:
    """Where each of the ways goes in the photo from the places where it leaves the others; None where that
    does not tell them apart."""
    told = [_parts_towards(way, [each for each in ways if each is not way], language) for way in ways]
    return told if len(ways) > 1 and all(told) and len(set(told)) == len(told) else None


def _parts_towards(way: Way, others: Sequence[Way], language: Language) -> str:
    own = _walked(way)
    steps = {step for other in others if (step := _parting(own, _walked(other))) is not None}
    indices = sorted(map(own.index, steps))
    parted = [way.pieces[index].line_px if index < len(way.pieces) else None for index in indices]
    told = turns([None if line is None else Stretch(line, first=False) for line in parted])
    return "" if told is None else told.message(language)


def _walked(way: Way) -> list[_Step]:
    names = [name for line in way.assessment.record.path for name in line]
    return list(zip_longest(names, names[1:]))


def _parting(own: Sequence[_Step], other: Sequence[_Step]) -> _Step | None:
    """The first step of a path that the other path lacks; None where all steps are equal."""
    return next((step for k, step in enumerate(own) if k >= len(other) or step != other[k]), None)


def _named(way: Way, name: str, language: Language) -> str:
    dungeon = way.assessment.dungeon
    return place_words(
        way.assessment.table.game.words.vocabulary, dungeon, dungeon.places[name], with_id=False
    ).message(language)


def _end(way: Way) -> str | None:
    return last_place(way.assessment)


def _runs(way: Way, edges: Collection[int]) -> list[list[int]]:
    """Runs of consecutive edge indices, without jumps."""
    drawn = [index for index in sorted(edges) if not way.pieces[index].jump]
    grouped = groupby(enumerate(drawn), key=lambda item: item[1] - item[0])
    return [[index for _k, index in group] for _run, group in grouped]


def _undirected(edges: Sequence[Edge]) -> list[Edge]:
    return [(a, b) if a < b else (b, a) for a, b in edges]


def _not_in(edges: Sequence[Edge], others: Sequence[Edge]) -> list[int]:
    """Indices of `edges` that have no match in `others`, regardless of the walking direction: the drawn line
    counts, not the rules' direction."""
    if set(edges) != set(others):
        there = set(others)
        return [index for index, edge in enumerate(edges) if edge not in there]
    left = Counter(others)
    if left != Counter(edges):
        more = []
        for index, edge in enumerate(edges):
            left[edge] -= 1
            if left[edge] < 0:
                more.append(index)
        return more
    matchers = [SequenceMatcher(None, edges, turned, autojunk=False) for turned in (others, others[::-1])]
    matcher = max(matchers, key=lambda each: each.ratio())
    return [
        index
        for tag, start, end, _other_start, _other_end in matcher.get_opcodes()
        if tag != "equal"
        for index in range(start, end)
    ]
