"""A cooperative table that was seen before: what was agreed of it then stays, and a new photo adds to it.

A photo tells neither the order of paths nor where a group stopped; who has seen the table after every turn
knows both. So paths keep their order and their ends, new ones come after them, and cards that a hand hides,
or that a close-up leaves out, still lie where they lay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from scorer.catalogue import Point
from scorer.mapmasters.cooperative.layout import cell_at
from scorer.mapmasters.cooperative.record import Group, GroupPath, TableCard, TableRecord

Strokes = tuple[tuple[str, ...], ...]


def grown(
    before: TableRecord, records: Sequence[TableRecord], card_size_mm: Point, steps: frozenset[str]
) -> tuple[TableRecord, ...]:
    """What the readings of a photo (`records`) come to on a table that stood as `before`; those that come to
    the same are one. `steps` are the cards on which paths end that others go on from."""
    made = [
        _grown(before, _as_before(before, record, card_size_mm), card_size_mm, steps) for record in records
    ]
    return tuple({record.paths: record for record in reversed(made)}.values())[::-1]


def _grown(
    before: TableRecord, record: TableRecord, card_size_mm: Point, steps: frozenset[str]
) -> TableRecord:
    cards, moved = _cards(before, record, card_size_mm)
    named = {number: card.card for number, card in enumerate(cards)}
    groups = dict.fromkeys(path.group for path in (*before.paths, *record.paths))
    kept: dict[str, list[GroupPath]] = {}
    added: dict[str, list[GroupPath]] = {}
    for group in groups:
        old = [_moved_path(path, moved) for path in before.paths if path.group == group]
        new = [path for path in record.paths if path.group == group]
        kept[group], added[group] = _of_group(old, new, named, steps)
    paths = [_next(kept, path.group) for path in before.paths]
    paths += [_next(added, path.group) for path in record.paths]
    paths += [path for left in added.values() for path in left]
    told = {group.group: group for group in before.groups}
    return msgspec.structs.replace(
        record,
        cards=cards,
        groups=tuple(_group(group, told.get(group.group), moved) for group in record.groups),
        paths=tuple(path for path in paths if path is not None),
    )


def _as_before(before: TableRecord, record: TableRecord, card_size_mm: Point) -> TableRecord:
    """The record with its slots counted as before: by the cards that both have, for a photo that shows only
    a part of the table may have none that the mission names."""
    was = [(c.card, cell_at((c.x, c.y), before.origin, card_size_mm)) for c in before.cards if c.card]
    votes = Counter(
        (old[0] - new[0], old[1] - new[1])
        for card in record.cards
        for name, old in was
        if card.card == name and not card.face_down
        for new in [cell_at((card.x, card.y), record.origin, card_size_mm)]
    )
    if not votes:
        return record
    (columns, rows), count = votes.most_common(1)[0]
    if count <= votes[0, 0]:
        return record
    origin = record.origin[0] - columns * card_size_mm[0], record.origin[1] - rows * card_size_mm[1]
    return msgspec.structs.replace(record, origin=origin)


def _next(of: dict[str, list[GroupPath]], group: str) -> GroupPath | None:
    return of[group].pop(0) if of.get(group) else None


def _cards(
    before: TableRecord, record: TableRecord, card_size_mm: Point
) -> tuple[tuple[TableCard, ...], dict[int, int]]:
    """The record's cards and those that only lay there before; and which of these each of the cards before
    is, by number, where it is the same and lies the same way."""
    cards = list(record.cards)
    cells = {cell_at((c.x, c.y), record.origin, card_size_mm): k for k, c in enumerate(cards)}
    moved: dict[int, int] = {}
    for number, card in enumerate(before.cards):
        column, row = cell_at((card.x, card.y), before.origin, card_size_mm)
        here = cells.get((column, row))
        x = record.origin[0] + column * card_size_mm[0]
        y = record.origin[1] + row * card_size_mm[1]
        lying = msgspec.structs.replace(card, x=x, y=y)
        if here is None:
            here = cells[column, row] = len(cards)
            cards.append(lying)
        elif cards[here].card is None and card.card is not None and not card.face_down:
            # A card that was turned up stays so: what covers its slot in this photo is something else.
            cards[here] = lying
        if (cards[here].card, cards[here].rotation) == (card.card, card.rotation):
            moved[number] = here
    return tuple(cards), moved


def _moved(name: str, moved: Mapping[int, int]) -> str | None:
    number, _, local = name.partition(".")
    here = moved.get(int(number))
    return None if here is None else f"{here}.{local}"


def _moved_path(path: GroupPath, moved: Mapping[int, int]) -> GroupPath | None:
    """A path on the cards as they are numbered now; None where a card of it is another one."""
    strokes = []
    for stroke in path.path:
        names = [_moved(name, moved) for name in stroke]
        if None in names:
            return None
        strokes.append(tuple(name for name in names if name is not None))
    return msgspec.structs.replace(path, path=tuple(strokes))


def _group(group: Group, before: Group | None, moved: Mapping[int, int]) -> Group:
    """What is told of a group by places, on the cards as they are numbered now."""
    if before is None:
        return group
    tokens = {_moved(name, moved): kind for name, kind in before.optimizer_tokens.items()}
    start = _moved(before.start, moved) if isinstance(before.start, str) else group.start
    return msgspec.structs.replace(
        group,
        start=start,
        optimizer_tokens={name: kind for name, kind in tokens.items() if name is not None},
    )


# --- what one group drew ------------------------------------------------------------------------------------


def _of_group(
    old: list[GroupPath | None], new: list[GroupPath], named: Mapping[int, str | None], steps: frozenset[str]
) -> tuple[list[GroupPath], list[GroupPath]]:
    """A group's paths that were there before, and those that are new: of a line that was agreed only what
    goes on beyond its end is taken from the photo."""
    known = [path for path in old if path is not None]
    if not known or len(known) < len(old):
        return [], new
    line, cuts = _joined(new)
    end = _last(known[-1])
    at = _beyond(line, _joined(known)[0], end)
    rest = [] if at is None else _parts(line, cuts, at)
    rest = [strokes for strokes in rest if sum(map(len, strokes)) > 1]
    if rest and not known[-1].sketch and not _stops(end, named, steps):
        # It had not ended yet: what follows is the same path.
        first, *rest = rest
        whole = (*known[-1].path[:-1], (*known[-1].path[-1], *first[0][1:]), *first[1:])
        known[-1] = msgspec.structs.replace(known[-1], path=whole, goal=None)
    elif rest and known[-1].sketch:
        first, *rest = rest
        known[-1] = msgspec.structs.replace(
            known[-1], path=_last_path(new, known[-1]), sketch=False, goal=None
        )
    group = known[0].group
    return known, [GroupPath(group=group, path=strokes) for strokes in rest]


def _last_path(new: Sequence[GroupPath], sketch: GroupPath) -> Strokes:
    """The path that a sketch has become, as the photo has it."""
    start = sketch.path[0][0]
    return next((path.path for path in new if path.path and path.path[0][0] == start), sketch.path)


def _stops(place: str, named: Mapping[int, str | None], steps: frozenset[str]) -> bool:
    return named.get(int(place.partition(".")[0])) in steps


def _last(path: GroupPath) -> str:
    return path.path[-1][-1] if path.path else "-1."


def _joined(paths: Sequence[GroupPath]) -> tuple[list[tuple[str, ...]], set[tuple[int, int]]]:
    """All strokes of a group's paths, those made one that go on where the one before ended; and where one
    path ends and the next begins, by stroke and place."""
    strokes: list[tuple[str, ...]] = []
    cuts: set[tuple[int, int]] = set()
    for path in paths:
        for k, stroke in enumerate(path.path):
            if not k and strokes and strokes[-1][-1] == stroke[0]:
                cuts.add((len(strokes) - 1, len(strokes[-1]) - 1))
                strokes[-1] = (*strokes[-1], *stroke[1:])
            else:
                strokes.append(stroke)
    return strokes, cuts


def _beyond(
    line: Sequence[tuple[str, ...]], known: Sequence[tuple[str, ...]], end: str
) -> tuple[int, int] | None:
    """Where in a line what was known of it ends, by stroke and place: where it runs just so, else where it
    comes to the same end; None where it does not."""
    last = len(known) - 1
    if last < len(line) and list(line[:last]) == list(known[:last]):
        length = len(known[last])
        if line[last][:length] == known[last]:
            return last, length - 1
    found = [(k, i) for k, stroke in enumerate(line) for i, name in enumerate(stroke) if name == end]
    return found[-1] if found else None


def _parts(line: Sequence[tuple[str, ...]], cuts: set[tuple[int, int]], at: tuple[int, int]) -> list[Strokes]:
    """What comes in a line from a place on, cut where paths end."""
    parts: list[Strokes] = []
    strokes: list[tuple[str, ...]] = []
    for k in range(at[0], len(line)):
        begin = at[1] if k == at[0] else 0
        for i in sorted(i for stroke, i in cuts if stroke == k and i > begin):
            strokes.append(line[k][begin : i + 1])
            parts.append(tuple(strokes))
            strokes, begin = [], i
        strokes.append(line[k][begin:])
    parts.append(tuple(strokes))
    return parts
