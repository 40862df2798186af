"""A path corrected by hand: records in, records out. Whether the new path is legal is the referee's to say.

Strokes and steps are counted from 0 in `record.path`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from scorer.dungeon import Dungeon
from scorer.errors import Code, WaymarkError
from scorer.record import Marks, Record, path_backwards
from scorer.routes import route_through, routes_from, shortest_route
from waymark.review.path_joins import Parted, Path, Stroke, put_together, turned

#: Which end of a stroke.
End = Literal["start", "end"]


def draw(
    record: Record, dungeon: Dungeon, places: Sequence[str], parted: Parted, *, join: bool = True
) -> Record:
    """Add the shortest walk by way of `places`. With `join` it goes on from strokes that end where it begins
    or ends, or right beside, or is walked there and back from the one place of another stroke that leads to
    it; else it is a stroke of its own, the last one (`parted` tells what is joined). Raises `WaymarkError`
    (no-route)."""
    stretch = route_through(dungeon, places)
    if stretch is None:
        raise no_route()
    if not join:
        return _with_path(record, (*record.path, stretch))
    return _with_path(record, put_together(record, dungeon, stretch, parted))


def erase(record: Record, stroke: int, start: int, end: int) -> Record:
    """Rub out the stretch from step `start` to step `end` of a stroke: it becomes shorter or two. Both places
    stay where the line still leads to them. Raises `WaymarkError` (no-such-step)."""
    line = _stroke(record, stroke, start, end)
    start, end = sorted((start, end))
    left = [part for part in (line[: start + 1], line[end:]) if len(part) > 1]
    if start == end and len(line) > 1:
        raise _no_such_step()
    return _with_path(record, (*record.path[:stroke], *left, *record.path[stroke + 1 :]))


def lead_through(record: Record, dungeon: Dungeon, stroke: int, step: int, through: str) -> Record:
    """Lead the line between steps `step - 1` and `step` of a stroke through another place: it leaves the line
    and comes back to it where that is shortest. What is dragged at the stroke's end takes the end along.
    Raises `WaymarkError` (no-such-step, no-route)."""
    line = _stroke(record, stroke, step)
    if step < 1:
        raise _no_such_step()
    if through in line:
        raise WaymarkError(
            Code.NO_ROUTE,
            "The line comes through this place already; erase the part that is wrong.",
            "線はもうここを通っています。違う部分を消してください。",
        )
    # From the place outwards, not along the line itself: it is left and met where the walks come to it first.
    walks = routes_from(dungeon, through, avoid=set(line))
    before = [k for k in range(step) if line[k] in walks]
    after = [k for k in range(step, len(line)) if line[k] in walks]
    leave = max(before, default=None)
    back = min(after, default=None)
    if leave is not None and back is not None:
        there, onward = turned(dungeon, walks[line[leave]]), walks[line[back]]
        if not set(there[:-1]) & set(onward[1:]):
            return _with_stroke(record, stroke, line[:leave] + there + onward[1:] + line[back + 1 :])
    if leave is not None and step == len(line) - 1:
        return _with_stroke(record, stroke, line[:leave] + turned(dungeon, walks[line[leave]]))
    if back is not None and step == 1:
        return _with_stroke(record, stroke, walks[line[back]] + line[back + 1 :])
    raise WaymarkError(
        Code.NO_ROUTE,
        "No way leads from the line through this place and back; erase what is wrong, then draw it anew.",
        "線からここを通って戻る道がありません。違う部分を消してから、正しい経路を描いてください。",
    )


def move_end(record: Record, dungeon: Dungeon, stroke: int, end: End, place: str) -> Record:
    """Let a stroke begin or end at another place: shortened where it comes by there, else led on by the
    shortest walk. Raises `WaymarkError` (no-such-step, no-route)."""
    line = _stroke(record, stroke)
    if end == "start":
        # A walk that leads on from the start leads to it in walking order.
        if place in line:
            return _with_stroke(record, stroke, line[line.index(place) :])
        lead = shortest_route(dungeon, place, line[0], avoid=set(line))
        if lead is None:
            raise no_route()
        return _with_stroke(record, stroke, (*lead, *line[1:]))
    if place in line:
        return _with_stroke(record, stroke, line[: len(line) - line[::-1].index(place)])
    lead = shortest_route(dungeon, line[-1], place, avoid=set(line)) or shortest_route(
        dungeon, line[-1], place
    )
    if lead is None:
        raise no_route()
    return _with_stroke(record, stroke, (*line, *lead[1:]))


def swap(record: Record, stroke: int | None) -> Record:
    """Walk a stroke the other way, or the whole path (None). Raises `WaymarkError` (no-such-step)."""
    if stroke is None:
        return _with_path(record, path_backwards(record.path))
    return _with_stroke(record, stroke, _stroke(record, stroke)[::-1])


def move_stroke(record: Record, stroke: int, to: int) -> Record:
    """Walk a stroke as the `to`th one. Raises `WaymarkError` (no-such-step)."""
    line = _stroke(record, stroke)
    _stroke(record, to)
    others = [*record.path[:stroke], *record.path[stroke + 1 :]]
    return _with_path(record, (*others[:to], line, *others[to:]))


def remove_stroke(record: Record, stroke: int) -> Record:
    """Rub a whole stroke out. Raises `WaymarkError` (no-such-step)."""
    _stroke(record, stroke)
    return _with_path(record, (*record.path[:stroke], *record.path[stroke + 1 :]))


def set_mark(record: Record, dungeon: Dungeon, place: str, *, circled: bool, struck: bool) -> Record:
    """Say what is drawn on a find. Raises `WaymarkError` (no-such-step) for what is no find."""
    found = dungeon.places.get(place)
    if found is None or found.find is None:
        raise _no_such_step()
    marks = Marks(
        circled=_with(record.marks.circled, place, circled),
        struck=_with(record.marks.struck, place, struck),
    )
    return msgspec.structs.replace(record, marks=marks)


def no_route() -> WaymarkError:
    """The error for places that no way joins."""
    return WaymarkError(
        Code.NO_ROUTE,
        "No way leads from one of these places to the other; after a teleport draw a new stroke.",
        "この2か所は道でつながっていません。テレポートの先は、別の線として描いてください。",
    )


def _stroke(record: Record, stroke: int, *steps: int) -> Stroke:
    if not 0 <= stroke < len(record.path):
        raise _no_such_step()
    line = record.path[stroke]
    if not all(0 <= step < len(line) for step in steps):
        raise _no_such_step()
    return line


def _with_stroke(record: Record, stroke: int, line: Stroke) -> Record:
    return _with_path(record, (*record.path[:stroke], line, *record.path[stroke + 1 :]))


def _with_path(record: Record, path: Path) -> Record:
    return msgspec.structs.replace(record, path=path)


def _with(names: tuple[str, ...], name: str, there: bool) -> tuple[str, ...]:
    if there:
        return names if name in names else (*names, name)
    return tuple(each for each in names if each != name)


def _no_such_step() -> WaymarkError:
    return WaymarkError(
        Code.NO_SUCH_STEP,
        "This part of the path or this find is not there (any more); look at the path again.",
        "その経路や発見物は（もう）ありません。もう一度確かめてください。",
    )
