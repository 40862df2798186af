"""Merging of photos of one cooperative table: agreed facts stay, and a new photo adds to them.

A photo tells neither the order of paths nor where a group stopped; who has seen the table after every turn
knows both. So paths keep their order and their ends, new ones come after them, and cards that a hand hides,
or that a close-up leaves out, still lie where they lay. What a photo shows otherwise is named
(`contradictions`), and people say which is right: until then a line is as agreed, a card as seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from scorer.catalogue import Point
from scorer.groups import AGREED, SEEN, Contradiction
from scorer.mapmasters.cooperative.play.edits import cut_before
from scorer.mapmasters.cooperative.rules.layout import cell_at
from scorer.mapmasters.cooperative.rules.record import Group, GroupPath, TableCard, TableRecord
from scorer.mapmasters.cooperative.sheet import group_words
from scorer.text import Text, unchanged

Strokes = tuple[tuple[str, ...], ...]

_ANOTHER_CARD = Text("Before this photo {before} was agreed to be here; the photo shows {now}.")
_TURNED_CARD = Text("Before this photo {before} was agreed to lie the other way up.")
_NO_LINE = Text("Before this photo it was agreed what {group} drew; the photo shows no line of it.")
_OTHER_LINE = Text("Before this photo it was agreed what {group} drew; the photo shows something different.")
_AS_AGREED = Text("As it was agreed before")
_AS_SEEN = Text("As this photo shows it")


@dataclass(frozen=True)
class _Grown:
    """A merged table, and the contradictions between its photo and the agreed facts."""

    record: TableRecord
    contradictions: tuple[Contradiction, ...]


def grown(
    before: TableRecord,
    records: Sequence[TableRecord],
    card_size_mm: Point,
    steps: frozenset[str],
    said: Mapping[str, str] = {},
) -> tuple[TableRecord, ...]:
    """The readings of a photo (`records`) merged into the table `before`, without duplicates. `steps` are the
    cards on which paths end and later paths continue. `said` are the answers to contradictions, by name."""
    made = [_grown(before, record, card_size_mm, steps, said).record for record in records]
    return tuple({record.paths: record for record in reversed(made)}.values())[::-1]


def contradictions(
    before: TableRecord,
    record: TableRecord,
    card_size_mm: Point,
    steps: frozenset[str],
    said: Mapping[str, str] = {},
) -> tuple[Contradiction, ...]:
    """Contradictions between a photo's reading and the agreed table, restricted to the area that the photo
    shows. They include the answers in `said`, and their places are those of the merged table."""
    return _grown(before, record, card_size_mm, steps, said).contradictions


def lying_now(
    before: TableRecord, record: TableRecord, card_size_mm: Point, said: Mapping[str, str] = {}
) -> tuple[Mapping[int, int], frozenset[int]]:
    """A mapping from card numbers before to card numbers in the merged table, for cards that are unchanged in
    name and rotation; and the numbers of the cards that the photo shows."""
    cards = _cards(before, _as_before(before, record, card_size_mm), card_size_mm, said)
    return cards.moved, cards.shown


def _grown(
    before: TableRecord,
    record: TableRecord,
    card_size_mm: Point,
    steps: frozenset[str],
    said: Mapping[str, str],
) -> _Grown:
    record = _as_before(before, record, card_size_mm)
    cards = _cards(before, record, card_size_mm, said)
    named = {number: card.card for number, card in enumerate(cards.lying)}
    drawn = list(record.paths)
    for number in cards.kept:
        # What the photo has on a card that is none has other places.
        drawn = [cut for path in drawn if (cut := cut_before(path, number)) is not None]
    groups = dict.fromkeys(path.group for path in (*before.paths, *record.paths))
    kept: dict[str, list[GroupPath]] = {}
    added: dict[str, list[GroupPath]] = {}
    others = list(cards.contradictions)
    for group in groups:
        old = [_moved_path(path, cards.moved) for path in before.paths if path.group == group]
        new = [path for path in drawn if path.group == group]
        name = f"line:{group}"
        known = [path for path in old if path is not None]
        if len(known) < len(old):
            # A card of it is another one: that is what contradicts.
            kept[group], added[group] = new[: len(old)], new[len(old) :]
            continue
        if said.get(name) == SEEN:
            kept[group], added[group] = new[: len(old)], new[len(old) :]
        else:
            kept[group], added[group] = _of_group(known, new, named, steps)
        place = _first_other([*kept[group], *added[group]], known, new, cards.shown) if known else None
        if place is not None:
            words = (_OTHER_LINE if new else _NO_LINE).filled(group=group_words(group))
            others.append(Contradiction(name, "path", place, words, AGREED, _AS_AGREED, _AS_SEEN))
    paths = [_next(kept, path.group) for path in before.paths]
    paths += [_next(added, path.group) for path in drawn]
    paths += [path for left in added.values() for path in left]
    told = {group.group: group for group in before.groups}
    now = msgspec.structs.replace(
        record,
        cards=cards.lying,
        groups=tuple(_group(group, told.get(group.group), cards.moved) for group in record.groups),
        paths=tuple(path for path in paths if path is not None),
    )
    return _Grown(now, tuple(others))


def _first_other(
    now: Sequence[GroupPath], known: Sequence[GroupPath], seen: Sequence[GroupPath], shown: frozenset[int]
) -> str | None:
    """The first place, on the cards that a photo shows, where a group's line differs from the table. The
    photo lacks an agreed step there, or has one that the merged table lacks. None without a difference."""
    there, stands = set(_steps(seen)), set(_steps(now))
    lacking = [step for step in _steps(known) if step not in there]
    left = [step for step in _steps(seen) if step not in stands]
    for step in (*lacking, *left):
        if all(int(place.partition(".")[0]) in shown for place in step):
            return min(step)
    return None


def _steps(paths: Iterable[GroupPath]) -> Iterator[frozenset[str]]:
    """The edges of paths, as unordered pairs of consecutive places."""
    for path in paths:
        for stroke in path.path:
            yield from map(frozenset, pairwise(stroke))


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


@dataclass(frozen=True)
class _Cards:
    """The photo's cards and those that only lay there before; `moved`: which of these each of the cards
    before is, by number, where it is the same and lies the same way; those that the photo has `shown`, and
    those `kept` as they were against it."""

    lying: tuple[TableCard, ...]
    moved: Mapping[int, int]
    shown: frozenset[int]
    kept: frozenset[int]
    contradictions: tuple[Contradiction, ...]


def _cards(before: TableRecord, record: TableRecord, card_size_mm: Point, said: Mapping[str, str]) -> _Cards:
    cards = list(record.cards)
    cells = {cell_at((c.x, c.y), record.origin, card_size_mm): k for k, c in enumerate(cards)}
    shown = {number for number, card in enumerate(cards) if card.card is not None and not card.face_down}
    moved: dict[int, int] = {}
    kept: set[int] = set()
    others = []
    for number, card in enumerate(before.cards):
        column, row = cell_at((card.x, card.y), before.origin, card_size_mm)
        here = cells.get((column, row))
        x = record.origin[0] + column * card_size_mm[0]
        y = record.origin[1] + row * card_size_mm[1]
        lying = msgspec.structs.replace(card, x=x, y=y)
        if here is None:
            here = cells[column, row] = len(cards)
            cards.append(lying)
        elif card.card is not None and not card.face_down:
            if here not in shown:
                # A card that was turned up stays so: what covers its slot in this photo is something else.
                cards[here] = lying
            elif (cards[here].card, cards[here].rotation) != (card.card, card.rotation):
                other = _other_card(f"card:{column},{row}", here, card, cards[here])
                others.append(other)
                if said.get(other.name) == AGREED:
                    cards[here] = lying
                    kept.add(here)
        if (cards[here].card, cards[here].rotation) == (card.card, card.rotation):
            moved[number] = here
    return _Cards(tuple(cards), moved, frozenset(shown - kept), frozenset(kept), tuple(others))


def _other_card(name: str, number: int, before: TableCard, now: TableCard) -> Contradiction:
    agreed, seen = (unchanged(card.card or "?") for card in (before, now))
    if before.card == now.card:
        return Contradiction(
            name, "card", str(number), _TURNED_CARD.filled(before=agreed), SEEN, _AS_AGREED, _AS_SEEN
        )
    words = _ANOTHER_CARD.filled(before=agreed, now=seen)
    return Contradiction(name, "card", str(number), words, SEEN, agreed, seen)


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
    """A group with its place-based facts converted to the current card numbers."""
    if before is None:
        return group
    tokens = {_moved(name, moved): kind for name, kind in before.optimizer_tokens.items()}
    start = _moved(before.start, moved) if isinstance(before.start, str) else group.start
    return msgspec.structs.replace(
        group, start=start, optimizer_tokens={name: kind for name, kind in tokens.items() if name is not None}
    )


# --- what one group drew ------------------------------------------------------------------------------------


def _of_group(
    old: Sequence[GroupPath], new: list[GroupPath], named: Mapping[int, str | None], steps: frozenset[str]
) -> tuple[list[GroupPath], list[GroupPath]]:
    """A group's earlier paths, and its new ones. Of an agreed line, only the part beyond its end is taken
    from the photo."""
    known = list(old)
    if not known:
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
    """The strokes of a group's paths, with strokes merged that continue where the one before ended; and the
    joints between paths, as (stroke, index)."""
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
    """The (stroke, index) in a line at which the known part ends; None where the known part does not occur.
    An identical course is preferred to a mere common end."""
    last = len(known) - 1
    if last < len(line) and list(line[:last]) == list(known[:last]):
        length = len(known[last])
        if line[last][:length] == known[last]:
            return last, length - 1
    found = [(k, i) for k, stroke in enumerate(line) for i, name in enumerate(stroke) if name == end]
    return found[-1] if found else None


def _parts(line: Sequence[tuple[str, ...]], cuts: set[tuple[int, int]], at: tuple[int, int]) -> list[Strokes]:
    """The remainder of a line from a place on, cut at the ends of paths."""
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
