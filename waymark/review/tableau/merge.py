"""Merge of a new reading into a corrected record: the reading's changes are applied to the changes that
people made in the meantime.

The alternatives of a question are whole records, each of which differs from the reading in one respect.
Replacing the record by one of them would undo every earlier answer. Therefore only the difference is applied:
cards by index, marks by place, the path by the stretches that differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

import msgspec

from scorer.errors import WaymarkError
from scorer.record import Marks, PlacedCard, Record, path_backwards
from waymark.review.referee_cache import Table
from waymark.review.tableau.card_edits import renamed_payments, same_faces
from waymark.review.tableau.joins import Path

Item = TypeVar("Item")

#: Separator between strokes in a path written as one sequence; no place has this name.
_LIFTED = ""


def merge_records(base: Record, other: Record, ours: Record, table: Table) -> Record | None:
    """Three-way merge: `ours` with the changes from `base` to `other`. None where both changed the same
    part, or where the result names places that its cards lack.
    Stated terms stay those of `ours`, as do stated payments, except at places on changed cards."""
    cards = _merge_cards(base.cards, other.cards, ours.cards)
    path = merge_paths(base.path, other.path, ours.path)
    if cards is None or path is None:
        return None
    merged = msgspec.structs.replace(
        ours,
        cards=cards,
        path=path,
        marks=Marks(
            circled=_merge_names(base.marks.circled, other.marks.circled, ours.marks.circled),
            struck=_merge_names(base.marks.struck, other.marks.struck, ours.marks.struck),
        ),
        payments=renamed_payments(ours.stated, same_faces(table.catalogue, ours.cards, cards)),
    )
    return merged if _places_exist(merged, table) else None


def merge_paths(base: Path, other: Path, ours: Path) -> Path | None:
    """Three-way merge of paths: `ours` with the stretches in which `other` differs from `base`. The
    direction of `ours` is kept. None where both changed the same stretch."""
    if other == base or ours == other:
        return ours
    if ours == base:
        return other
    turns = [(base, other), (path_backwards(base), path_backwards(other))]
    turns.sort(key=lambda turn: -_likeness(turn[0], ours))
    for before, after in turns:
        merged = _merge_stretches(_as_sequence(before), _as_sequence(after), _as_sequence(ours))
        if merged is not None:
            return _as_path(merged)
    return _merge_strokes(base, other, ours)


def same_way(base: Path, others: Sequence[Path], ours: Path) -> Path:
    """That reading of a path, among `base` and `others`, whose direction and stroke order match `ours`."""
    return max((base, *others), key=lambda path: _likeness(path, ours))


def carry_changes(base: Path, ours: Path, onto: Path) -> tuple[Path, tuple[str, ...]]:
    """Another reading `onto` of the same ink with the changes from `base` to `ours` applied, each where
    `onto` agrees with `base`. Also returned: a place of each change that did not fit. The result has the
    direction of `ours`."""
    if _likeness(path_backwards(base), ours) > _likeness(base, ours):
        base, onto = path_backwards(base), path_backwards(onto)
    before, after = _as_sequence(base), list(_as_sequence(onto))
    lost: list[str] = []
    for change in _changes(before, _as_sequence(ours)):
        places = [name for name in (*before[change.start : change.end], *change.new) if name != _LIFTED]
        spot = _where_it_goes(before, change, after)
        if spot is not None:
            after[spot[0] : spot[1]] = change.new
        elif change.start == change.end and _LIFTED in (change.new[0], change.new[-1]) and places:
            after += [_LIFTED, *change.new]  # a separate stroke, so its position does not matter
        elif places:
            lost.append(places[0])
    return _as_path(after), tuple(lost)


def _where_it_goes(before: Sequence[str], change: _Change, after: Sequence[str]) -> tuple[int, int] | None:
    """The span of `after` that a change of `before` replaces, found by equal neighbouring places. A
    change at the end of a stroke needs an end of a stroke in `after`."""
    beside = [
        before[at] if 0 <= at < len(before) and before[at] != _LIFTED else None
        for at in (change.start - 1, change.end)
    ]
    gone = tuple(before[change.start : change.end])
    if not gone and beside == [None, None]:
        return (0, 0) if not after else None
    for start in range(len(after) - len(gone) + 1):
        end = start + len(gone)
        around = [
            after[at] if 0 <= at < len(after) and after[at] != _LIFTED else None for at in (start - 1, end)
        ]
        if tuple(after[start:end]) == gone and around == beside:
            return start, end
    return None


def _likeness(a: Path, b: Path) -> float:
    return SequenceMatcher(None, _as_sequence(a), _as_sequence(b), autojunk=False).ratio()


def _as_sequence(path: Path) -> tuple[str, ...]:
    flat: list[str] = []
    for stroke in path:
        flat += [*([_LIFTED] if flat else []), *stroke]
    return tuple(flat)


def _as_path(sequence: Sequence[str]) -> Path:
    strokes: list[list[str]] = [[]]
    for name in sequence:
        if name == _LIFTED:
            strokes.append([])
        else:
            strokes[-1].append(name)
    return tuple(tuple(stroke) for stroke in strokes if stroke)


@dataclass(frozen=True)
class _Change:
    """Replacement of items `start` to `end` of a sequence by `new`."""

    start: int
    end: int
    new: tuple[str, ...]


def _changes(base: Sequence[str], other: Sequence[str]) -> Iterator[_Change]:
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, base, other, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            yield _Change(start, end, tuple(other[new_start:new_end]))


def _merge_stretches(base: Sequence[str], other: Sequence[str], ours: Sequence[str]) -> list[str] | None:
    """Three-way merge of one stroke. Adjacent changes conflict: a place kept by both has to lie between
    two changes, so that each step of the result comes from `ours` or `other`."""
    theirs, own = list(_changes(base, other)), list(_changes(base, ours))
    for a in theirs:
        if any(a != b and a.start <= b.end and b.start <= a.end for b in own):
            return None
    merged, at = [], 0
    for change in sorted({*theirs, *own}, key=lambda change: change.start):
        merged += [*base[at : change.start], *change.new]
        at = change.end
    return [*merged, *base[at:]]


def _merge_strokes(base: Path, other: Path, ours: Path) -> Path | None:
    """Three-way merge stroke by stroke, for strokes that `ours` has in another order or direction. The
    strokes replaced by `other` must be unchanged in `ours`."""
    gone, new = _without(base, other), _without(other, base)
    merged: list[tuple[str, ...]] = []
    for stroke in ours:
        as_read = next((old for old in gone if stroke in (old, old[::-1])), None)
        if as_read is None:
            merged.append(stroke)
            continue
        gone.remove(as_read)
        turned = stroke != as_read
        matching = [part for part in new if set(part) & set(as_read)]
        for part in matching:
            new.remove(part)
        merged += [part[::-1] for part in reversed(matching)] if turned else matching
    return tuple(merged) + tuple(new) if not gone else None


def _without(items: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    left = list(items)
    for item in others:
        if item in left:
            left.remove(item)
    return left


def _merge_cards(
    base: Sequence[PlacedCard], other: Sequence[PlacedCard], ours: Sequence[PlacedCard]
) -> tuple[PlacedCard, ...] | None:
    if tuple(base) == tuple(other):
        return tuple(ours)
    if not len(base) == len(other) == len(ours):
        return None
    merged = []
    for before, after, own in zip(base, other, ours, strict=True):
        if before != after and own not in (before, after):
            return None
        merged.append(after if before != after else own)
    return tuple(merged)


def _merge_names(base: Sequence[str], other: Sequence[str], ours: Sequence[str]) -> tuple[str, ...]:
    gone = set(base) - set(other)
    kept = [name for name in ours if name not in gone]
    return (*kept, *(name for name in other if name not in base and name not in kept))


def _places_exist(record: Record, table: Table) -> bool:
    try:
        places = table.dungeon(record.cards).places
    except WaymarkError:
        return False
    named = [name for stroke in record.path for name in stroke]
    return all(name in places for name in (*named, *record.marks.circled, *record.marks.struck))
