"""Doubts about the reading of a path that its ruling raises."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import msgspec

from scorer.dungeon import Dungeon
from scorer.mapmasters.rules.referee import referee_dungeon
from scorer.mapmasters.rules.ruling import Ruling
from scorer.mapmasters.rules.settings import VersusSettings
from scorer.mapmasters.rules.teleports import parted_strokes
from scorer.record import Record
from scorer.routes import ways_out
from scorer.text import Text
from scorer.verdict import RuledDoubt

_GAP = Text("The line that starts here does not join the one before it; is part of the path missing?")


#: A way out is near within so much (mm), and so many of them are told.
_NEAR_MM, _MOST_OTHERS = 60.0, 2


_RULE = Text(
    "As it was read, the path breaks a rule here; does the line really run like this, and are all tokens "
    "and spellbooks entered?"
)


_PART = Text("This path is short for so many cards and finds almost nothing; is all of it in the photo?")


_STOPS = Text("The path stops here although ways lead on, and nothing on it is marked; did it begin here?")


_STOPS_SHORT = Text("The path stops here, though ways lead on and out of the cards; does the line go on?")


_STOPS_ON_THE_WAY = Text("The path stops here although ways lead on; does the line really end here?")


_STOPPED = Text(
    "The path ends at what stops it here, and nothing on it is marked; was something held that is not "
    "entered?"
)


def doubts_of(board: Dungeon, record: Record, verdict: Ruling) -> Iterator[RuledDoubt]:
    """Doubts that a ruling raises about the reading of the path. Unjoined lines are more likely misread
    (a lost stretch, a scratch taken for ink) than drawn that way, even beyond the path's end. Players
    seldom break rules; a misread line breaks one more often, and so does an unrecorded token."""
    parted = parted_strokes(board, record)
    if parted:
        yield RuledDoubt("gap", record.path[parted[0]][0], _GAP, strokes=parted, blocking=True)
    elif verdict.violations:
        yield RuledDoubt("broken-rule", verdict.violations[0].place, _RULE)
    elif record.path:
        end, marked = record.path[-1][-1], bool(record.marks.circled or record.marks.struck)
        told = bool(record.fairy_tokens or record.spellbooks)
        escaping = _escaping(board, record, verdict)
        if escaping:
            yield RuledDoubt("stops-short", end, _STOPS_SHORT, others=escaping)
        if not marked and _stops_inside(board, record, verdict):
            yield RuledDoubt("stops-inside", end, _STOPS)
        elif _stops_on_the_way(board, record, verdict):
            yield RuledDoubt("stops-inside", end, _STOPS_ON_THE_WAY)
        elif not marked and verdict.ended == "obstacle" and not told:
            yield RuledDoubt("stops-inside", end, _STOPPED)
        if _is_short(record, verdict):
            yield RuledDoubt("part-read", end, _PART)


def _stops_inside(dungeon: Dungeon, record: Record, ruling: Ruling) -> bool:
    """Whether the path may have been drawn in the opposite direction, beginning illegally inside the tableau.
    Such a path stops without an obstacle, in no room, at no door and at no card's edge, or below a pit in
    which it may have begun.

    Of 1,200 drawings (evening samples) 6 began inside and could also be walked from the outer edge, all of
    them like this and without marks; the same holds for 2 legal ones. Of 431 others two ended this way at a
    find: one had begun there. Of 1,400 two were without marks and ended below a pit: one had begun in it."""
    last = dungeon.places[record.path[-1][-1]]
    walked = {frozenset(step) for stroke in record.path for step in pairwise(stroke)}
    leads_on = any(frozenset((link.a, link.b)) not in walked for link in dungeon.neighbours[last.id])
    come_to = {place for step in walked for place in step}
    below = any(link.kind == "fall" and link.b == last.id and link.a not in come_to for link in dungeon.links)
    stops = last.kind in ("junction", "stairs", "find") and leads_on
    return ruling.ended == "dead_end" and (stops or below)


def _stops_on_the_way(dungeon: Dungeon, record: Record, ruling: Ruling) -> bool:
    """Whether a path stops in a corridor or at a door without an obstacle, while ways lead on to unvisited
    places. Players who can go on do so, whatever their marks.

    Of 1,554 photos (`tuning-evening`) seven were read this way, not at a find and otherwise with certainty:
    two of these were misread."""
    last = dungeon.places[record.path[-1][-1]]
    come_to = {name for stroke in record.path for name in stroke}
    leads_on = any(link.b not in come_to for link in dungeon.neighbours[last.id])
    return ruling.ended == "dead_end" and last.kind in ("find", "junction", "stairs", "door") and leads_on


def _escaping(dungeon: Dungeon, record: Record, ruling: Ruling) -> tuple[Record, ...]:
    """Alternative records in which a path that stops without an obstacle continues to a nearby exit, since
    players who can leave do so.

    Of 1,543 legal drawings (evening samples) 13 stop this way. In most readings that do, the end of the line
    was not seen, or was taken for its beginning."""
    if ruling.ended != "dead_end":
        return ()
    settings = VersusSettings(**ruling.settings)
    *before, last = record.path
    longer = (
        msgspec.structs.replace(record, path=(*before, last + route[1:]))
        for route in ways_out(dungeon, record.path, _NEAR_MM)
    )
    legal = (each for each in longer if referee_dungeon(dungeon, each, settings).escaped)
    return tuple(islice(legal, _MOST_OTHERS))


def _is_short(record: Record, ruling: Ruling) -> bool:
    """Whether a path is shorter than players normally draw, since they lay cards to walk them and to find
    things.

    Of 964 drawn photos seven are no longer: the four that stop inside were read in part. The three that leave
    by another card than they entered by were read in full."""
    places = sum(len(stroke) for stroke in record.path)
    finds = sum(len(step.found) for step in ruling.steps)
    cards = {name.partition(".")[0] for name in (record.path[0][0], record.path[-1][-1])}
    whole = ruling.escaped and len(cards) > 1
    return len(record.cards) > 1 and places <= 2 * len(record.cards) and finds < 2 and not whole
