"""Marks (circles and strikes) as evidence: where they disagree with the path. The path decides, not the
marks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scorer.dungeon import Dungeon
from scorer.mapmasters.rules.ruling import MarkDoubt, MarkNote, Payment, Ruling
from scorer.mapmasters.rules.walk import Walk
from scorer.mapmasters.words.messages import place_words
from scorer.record import Marks
from scorer.text import Text, capitalised
from scorer.verdict import Discord

#: Finds that are struck through as soon as they are discovered, for they are discovered by overcoming them.
_OVERCOME = frozenset({"monster", "padlock", "lava_pit"})

#: How strongly (nats) a mark speaks against a path that does not come to it, or that comes to it and does not
#: use it. Nobody circles what he did not find but by mistake, about once in twenty; which of two swords was
#: struck through says little. Set by reason; tried on 41 drawn photos of the tuning split whose players held
#: tokens.
_NOT_REACHED, _NOT_USED = 3.0, 1.2
#: What players usually do: how many of them mark which share of what they find; what is read falls a little
#: short of that. So many of each mark items alone, and hardly ever anything else.
_HABITS = ((0.35, 0.97), (0.25, 0.92), (0.22, 0.6), (0.18, 0.02))
_ITEMS_ALONE, _BESIDE_ITEMS = 0.15, 0.02
_ITEMS = frozenset({"coin", "barrel", "sword", "key", "rope", "scroll"})

_SENTENCES: dict[MarkDoubt, Text] = {
    "passed_not_circled": Text("The path takes {place}, but it is not circled."),
    "circled_not_reached": Text("{place} is circled, but the path does not discover it."),
    "used_not_struck": Text("{place} was used or overcome on the path, but it is not struck through."),
    "struck_not_used": Text("{place} is struck through, but the path neither uses nor overcomes it."),
}


def mark_notes(
    dungeon: Dungeon, marks: Marks, walked: Walk, spent: Sequence[Payment], *, with_ids: bool = True
) -> tuple[MarkNote, ...]:
    """Notes on marks that disagree with the path. A record without marks gives none: marks were not read.

    What is struck through passes for circled as well, and a pitfall that the path fell into may be struck
    through or not: the rules do not say.
    """
    if not (marks.circled or marks.struck):
        return ()
    circled, struck = set(marks.circled), set(marks.struck)
    discovered = [name for step in walked.steps for name in step.found]
    used = {payment.source for payment in spent if payment.source is not None} | walked.used
    used |= {name for name in discovered if dungeon.places[name].find in _OVERCOME}
    marked, reached, spent_or_fallen = circled | struck, set(discovered), used | walked.fallen
    doubts: list[tuple[MarkDoubt, str]] = []
    doubts += [("passed_not_circled", name) for name in discovered if name not in marked]
    doubts += [("circled_not_reached", name) for name in marks.circled if name not in reached]
    doubts += [("used_not_struck", name) for name in sorted(used) if name not in struck]
    doubts += [("struck_not_used", name) for name in marks.struck if name not in spent_or_fallen]
    return tuple(_note(dungeon, about, name, with_ids) for about, name in doubts)


def discord(dungeon: Dungeon, marks: Marks, ruling: Ruling) -> tuple[Discord, ...]:
    """Marks that contradict the ruling, with their weights in nats. Players mark all of their finds, some or
    none. The meaning of an unmarked find therefore depends on the share of this path's finds that is
    marked."""
    found = [name for step in ruling.steps for name in step.found if dungeon.places[name].find is not None]
    marked = {*marks.circled, *marks.struck}
    finds = {name: str(dungeon.places[name].find) for name in found}
    wanting = _wanting(
        [find for name, find in finds.items() if name in marked],
        [find for name, find in finds.items() if name not in marked],
    )
    missed = {note.place for note in ruling.marks if note.place not in finds}
    told: list[Discord] = []
    for note in ruling.marks:
        if note.about == "circled_not_reached":
            told.append(Discord(note.place, _NOT_REACHED))
        # A find that is circled and struck through is one story.
        elif note.about == "struck_not_used" and not (note.place in missed and note.place in marks.circled):
            told.append(Discord(note.place, _NOT_REACHED if note.place in missed else _NOT_USED))
        elif note.about == "passed_not_circled" and wanting:
            told.append(Discord(note.place, wanting, there=False))
    return tuple(told)


def _wanting(marked: Sequence[str], unmarked: Sequence[str]) -> float:
    """The evidence (nats) of each unmarked find against a path. It follows from the likelihood that a player
    who marked the others left out these."""
    if not marked or not unmarked:
        return 0.0
    items, other = (len([find for find in marked if (find in _ITEMS) is kind]) for kind in (True, False))
    no_items = len([find for find in unmarked if find in _ITEMS])

    def likelihood(missed: int, missed_items: int) -> float:
        return sum(
            share
            * (
                (1 - _ITEMS_ALONE) * care ** (items + other) * (1 - care) ** missed
                + _ITEMS_ALONE * care**items * _BESIDE_ITEMS**other * (1 - care) ** missed_items
            )
            for share, care in _HABITS
        )

    return math.log(likelihood(0, 0) / likelihood(len(unmarked), no_items)) / len(unmarked)


def _note(dungeon: Dungeon, about: MarkDoubt, name: str, with_ids: bool) -> MarkNote:
    words, place = _SENTENCES[about], place_words(dungeon, dungeon.places[name], with_id=with_ids)
    note = capitalised(words.filled(place=place))
    return MarkNote(about=about, place=name, message=note.en, message_ja=note.ja)
