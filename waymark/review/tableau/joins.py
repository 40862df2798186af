"""Joins of a stretch of path with the rest: a stretch that a person drew, or a line that the reader left
unused.

Paths in, paths out. Whether one is legal is the referee's to say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorer.dungeon import Dungeon
from scorer.record import Record
from scorer.routes import Route, route_length_mm, routes_from, shortest_route

Stroke = tuple[str, ...]
Path = tuple[Stroke, ...]
#: Function from a path to the indices of the strokes that are not joined to the previous one.
Parted = Callable[[Path], Sequence[int]]

#: Largest length (mm) of a way past a find for the line to be led along it; and the least ratio of any other
#: way's length to it.
_SHORT_MM, _CLEARLY = 80.0, 1.5
#: Largest distance of a stretch's end from the path for the stretch to be joined to it.
_BESIDE_MM = 30.0
#: Number of nearest ways to the path that are tried from each end of an unjoined line.
_NEAREST = 3


@dataclass(frozen=True)
class Join:
    """A path in which a separate line has become part of another line. `cost_mm` is the length added to
    and removed from the path, `lost_mm` the removed length alone."""

    path: Path
    cost_mm: float
    lost_mm: float = 0.0


def put_together(record: Record, dungeon: Dungeon, stretch: Route, parted: Parted) -> Path:
    """The path with a new stretch: inserted where exactly one place fits, else joined to the path where
    its ends are adjacent, else as a last stroke of its own. `parted` finds the strokes that nothing
    joins to the one before."""
    plain = put_in(record.path, stretch) or _with_loops_put_in(joined(record.path, stretch))
    if len(parted(plain)) <= len(parted(record.path)):
        return plain
    led = _led_on(record.path, dungeon, stretch)
    if led == stretch:
        return plain
    grown = put_in(record.path, led) or joined(record.path, led)
    return grown if len(parted(grown)) < len(parted(plain)) else plain


def ways_by(record: Record, dungeon: Dungeon, place: str) -> tuple[Join, ...]:
    """Paths that reach a place off the current path: by a detour between two of its places, by a detour
    from one, or as a new start or end. For a place in a room, its room counts. The least change comes
    first; empty where the path is there already or no short walk leads there."""
    found = dungeon.places.get(place)
    if found is None:
        return ()
    goal = found.room or place
    return () if any(goal in line for line in record.path) else _led_into(dungeon, record.path, (goal,))


def ways_to_join(record: Record, dungeon: Dungeon, parted: Sequence[int]) -> tuple[Join, ...]:
    """Paths in which the first unjoined line (`parted` are their indices) becomes part of another: as a
    detour between two of its places or from one, or as its start or end. The least change comes first;
    empty where all lines are joined or no short walk leads to one."""
    if not parted:
        return ()
    line, rest = _stray(record, dungeon, parted)
    return _led_into(dungeon, rest, line, before=record.path)


def without_stray(record: Record, dungeon: Dungeon, parted: Sequence[int]) -> Join | None:
    """The path without the first line that is joined to nothing before it; None where all lines are
    joined."""
    if not parted:
        return None
    line, rest = _stray(record, dungeon, parted)
    length_mm = route_length_mm(dungeon, line)
    return Join(rest, length_mm, length_mm)


def _stray(record: Record, dungeon: Dungeon, parted: Sequence[int]) -> tuple[Stroke, Path]:
    """The shorter one of the first two unjoined lines, and all other lines."""
    stray = min((parted[0], parted[0] - 1), key=lambda k: route_length_mm(dungeon, record.path[k]))
    return record.path[stray], record.path[:stray] + record.path[stray + 1 :]


def _led_into(dungeon: Dungeon, rest: Path, line: Stroke, *, before: Path | None = None) -> tuple[Join, ...]:
    """The paths in which a line is part of one of the others (`rest`). Costs are relative to the path
    `before`."""
    before = rest if before is None else before
    old = _steps(before)
    found: dict[Path, Join] = {}

    def length_mm(steps: Collection[frozenset[str]]) -> float:
        return sum(route_length_mm(dungeon, tuple(step)) for step in steps)

    for walk in dict.fromkeys((line, line[::-1])):
        for k, other in enumerate(rest):
            for grown in _grown(dungeon, other, walk, {name for stroke in rest for name in stroke}):
                path = (*rest[:k], grown, *rest[k + 1 :])
                new = _steps(path)
                if path == before or not all(dungeon.links_between(*step) for step in new - old):
                    continue
                had, has = ({frozenset(step) for step in steps} for steps in (old, new))
                found.setdefault(path, Join(path, length_mm(had ^ has), length_mm(had - has)))
    return tuple(sorted(found.values(), key=lambda join: join.cost_mm))


def without_side_ways(path: Path) -> Iterator[Path]:
    """Variants of the path, each without one of its detours (out and back on the same way)."""
    for k, line in enumerate(path):
        for turn in range(1, len(line) - 1):
            reach = 0
            while turn - reach - 1 >= 0 and turn + reach + 1 < len(line):
                if line[turn - reach - 1] != line[turn + reach + 1]:
                    break
                reach += 1
            straight = line[: turn - reach] + line[turn + reach :]
            if reach and len(straight) > 1:
                yield (*path[:k], straight, *path[k + 1 :])


def jumps(record: Record, dungeon: Dungeon, place: str, gates: Collection[str]) -> Iterator[Path]:
    """Paths with a jump from the gate at `place` (finds of the kinds in `gates`) to another gate of that
    kind in a room. A jump leaves no ink there: it continues from the end of a line, or lies within one
    room that a line crosses."""
    here = dungeon.places.get(place)
    if here is None or here.find not in gates:
        return
    others = [
        other
        for other in dungeon.places.values()
        if other.find == here.find and other.id != here.id and other.room is not None
    ]
    at = here.room or here.id
    for k, line in enumerate(record.path):
        for step, name in enumerate(line):
            if name not in (at, here.id):
                continue
            to_gate = line[: step + 1] + ((here.id,) if name != here.id else ())
            for other in others:
                landed = (other.id, str(other.room))
                if (k, step) == (len(record.path) - 1, len(line) - 1):
                    yield (*record.path[:k], to_gate, landed)
                elif other.room == name:
                    onward = (other.id, *line[step:])
                    yield (*record.path[:k], to_gate, onward, *record.path[k + 1 :])


def put_in(path: Path, stretch: Route) -> Path | None:
    """The path with a loop inserted: a stretch that leaves a stroke and returns to it. None where no
    stroke, or more than one place, fits."""
    if len(stretch) < 2:
        return None
    found = []
    for walk in dict.fromkeys((stretch, stretch[::-1])):
        loops: list[tuple[int | None, Stroke]] = (
            [(None, walk)] if walk[0] == walk[-1] and walk == stretch else []
        )
        for k, other in enumerate(path):
            if len(other) > 1 and other[0] == other[-1] == walk[-1] != walk[0]:
                loops.append((k, walk + other[1:] + walk[::-1][1:]))
        for gone, loop in loops:
            for k, line in enumerate(path):
                at = [step for step, name in enumerate(line) if name == loop[0]]
                # At an end of the line it continues there, and does not come back.
                if k == gone or at in ([0], [len(line) - 1]):
                    continue
                found += [(k, gone, line[: step + 1] + loop[1:] + line[step + 1 :]) for step in at]
    if len({line for _, _, line in found}) != 1:
        return None
    here, gone, grown = found[0]
    return tuple(grown if k == here else line for k, line in enumerate(path) if k != gone)


def _with_loops_put_in(path: Path) -> Path:
    """The path in which each closed stroke is inserted into the stroke that passes its end point."""
    for k, line in enumerate(path):
        if len(line) > 2 and line[0] == line[-1]:
            whole = put_in(path[:k] + path[k + 1 :], line)
            if whole is not None:
                return _with_loops_put_in(whole)
    return path


def joined(path: Path, stretch: Route) -> Path:
    """The path with a stretch appended to the strokes that its ends touch. Its direction is that of the
    stroke it touches first."""
    strokes = list(path)
    here = next((k for k, line in enumerate(strokes) if stretch[0] in (line[-1], line[0])), None)
    if here is None or len(stretch) < 2:
        here = next((k for k, line in enumerate(strokes) if stretch[-1] in (line[-1], line[0])), None)
        if here is None or len(stretch) < 2:
            return (*path, stretch)
        stretch = stretch[::-1]
    line = strokes[here]
    forward = line[-1] == stretch[0]
    grown = line + stretch[1:] if forward else stretch[::-1] + line[1:]
    strokes[here] = grown
    met = stretch[-1]
    for k, other in enumerate(strokes):
        if k == here or met not in (other[0], other[-1]):
            continue
        if forward:
            strokes[here] = grown + (other if other[0] == met else other[::-1])[1:]
        else:
            strokes[here] = (other if other[-1] == met else other[::-1])[:-1] + grown
        del strokes[k]
        break
    return tuple(strokes)


def turned(dungeon: Dungeon, walk: Route) -> Route:
    """The reversed walk; where one-way links forbid that, the shortest allowed walk back."""
    backwards = walk[::-1]
    if all(dungeon.links_between(a, b) for a, b in pairwise(backwards)):
        return backwards
    return shortest_route(dungeon, backwards[0], backwards[-1]) or backwards


def _led_on(path: Path, dungeon: Dungeon, stretch: Route) -> Route:
    """A stretch extended at both ends by short walks to the path, where the choice of walk is clear."""
    ends = {name for stroke in path for name in (stroke[:1] + stroke[-1:])}
    walked = {name for stroke in path for name in stroke}

    def onward(end: str) -> Route:
        if end in walked:
            return ()
        walks = routes_from(dungeon, end, avoid=walked | set(stretch))
        near = sorted(
            (route_length_mm(dungeon, walk), name, walk) for name, walk in walks.items() if name in walked
        )
        near = [each for each in near if each[0] <= _BESIDE_MM]
        # A stretch continues from an end of a line rather than from its middle.
        near = [each for each in near if each[1] in ends] or near
        plain = near and all(each[0] >= _CLEARLY * near[0][0] for each in near[1:])
        return near[0][2][1:] if plain else ()

    before, after = onward(stretch[0]), onward(stretch[-1])
    if set(before) & set(after):
        before, after = (before, ()) if not set(after[-1:]) & ends else ((), after)
    return (*before[::-1], *stretch, *after)


def _grown(dungeon: Dungeon, line: Stroke, walk: Route, walked: Collection[str]) -> Iterator[Stroke]:
    """A stroke with another line inserted as a part of it."""
    into = _leads(dungeon, walk[0], walk, walked)
    onward = _leads(dungeon, walk[-1], walk, walked)
    for lead in into:
        way = turned(dungeon, lead)[:-1] + walk
        for i in (k for k, name in enumerate(line) if name == lead[-1]):
            yield line[:i] + way  # the path ends here
            if i == len(line) - 1 and not all(dungeon.links_between(b, a) for a, b in pairwise(lead)):
                # A part that cannot be walked onward is the start of the path, and the whole path is
                # reversed.
                yield walk[::-1] + lead[1:] + line[::-1][1:]
            yield turned(dungeon, way) + line[i + 1 :]  # or begins here
            if walk[0] == walk[-1]:
                yield line[:i] + way + lead[1:] + line[i + 1 :]
            elif len(walk) > 1:
                yield line[:i] + way + turned(dungeon, way)[1:] + line[i + 1 :]
            for back in onward:
                if set(back[1:]) & set(lead[1:]):
                    continue
                for j in (k for k, name in enumerate(line) if name == back[-1] and k >= i):
                    yield line[:i] + way + back[1:] + line[j + 1 :]


def _leads(dungeon: Dungeon, end: str, walk: Route, walked: Collection[str]) -> list[Route]:
    """The shortest walks from the end of a line to the nearest places of the path."""
    if end in walked:
        return [(end,)]
    walks = routes_from(dungeon, end, avoid={*walked, *walk})
    near = [way for name, way in walks.items() if name in walked and name not in walk]
    return [way for way in near[:_NEAREST] if route_length_mm(dungeon, way) <= _SHORT_MM]


def _steps(path: Path) -> set[tuple[str, str]]:
    return {step for stroke in path for step in pairwise(stroke)}


def stretches(record: Record) -> frozenset[frozenset[str]]:
    """The undirected steps of a record's path."""
    return frozenset(frozenset(step) for stroke in record.path for step in pairwise(stroke))


def places_of(steps: Collection[frozenset[str]]) -> frozenset[str]:
    """The end points of the given steps."""
    return frozenset[str]().union(*steps)


def ends_of(path: Path) -> set[str]:
    """The first and last places of a path's strokes."""
    return {name for stroke in path for name in (*stroke[:1], *stroke[-1:])}
