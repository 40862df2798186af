"""Manual edits of a cooperative table, one field or object at a time (docs/FORMATS.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from scorer.catalogue import Catalogue
from scorer.errors import Code, WaymarkError
from scorer.mapmasters.cooperative.rules.layout import cell_at
from scorer.mapmasters.cooperative.rules.mission import check_goal
from scorer.mapmasters.cooperative.rules.notation import is_notation, parse_notation
from scorer.mapmasters.cooperative.rules.record import (
    CellStart,
    GroupPath,
    TableCard,
    TableRecord,
    Turn,
    checked_table,
    parse_table,
    unknown_group,
)
from scorer.mapmasters.cooperative.rules.table import make_table
from scorer.text import Text

Number = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
#: The longest text of a record.
MOST_TEXT = 1_000_000


class _Change(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"): ...


class SetGroup(_Change, frozen=True, kw_only=True, tag="group"):
    """Edit of a group: its pen, its purchases, and the start of its miniature. Omitted fields stay
    unchanged."""

    group: str
    colour: str | UnsetType | None = UNSET
    fairy_tokens: dict[str, Number] | UnsetType = UNSET
    spellbooks: tuple[str, ...] | UnsetType = UNSET
    start: CellStart | UnsetType | None = UNSET


class SetTurn(_Change, frozen=True, kw_only=True, tag="turn"):
    """The player whose turn it is, and the number of cards in hand."""

    player: str
    hand: Number | None = None


class Declare(_Change, frozen=True, kw_only=True, tag="declare"):
    """A declared event that only people can observe: it happened (`on`), or it did not."""

    code: str
    on: bool


class ChooseGoal(_Change, frozen=True, kw_only=True, tag="goal"):
    """The goal that was meant where a path ends; None leaves it open."""

    path: Number
    goal: str | None


class SetSketch(_Change, frozen=True, kw_only=True, tag="sketch"):
    """Edit: whether a path is only a sketch, which has no effect in the game."""

    path: Number
    on: bool


class SetOwner(_Change, frozen=True, kw_only=True, tag="owner"):
    """Edit of a line's owner: from this path on, the line belongs to another group. With `whole`, all paths
    of both groups are swapped, since their pens were confused."""

    path: Number
    group: str
    whole: bool = True


class SetOrder(_Change, frozen=True, kw_only=True, tag="order"):
    """The order in which the paths were drawn, by their numbers."""

    paths: tuple[Number, ...]


class SetLine(_Change, frozen=True, kw_only=True, tag="line"):
    """Edit of a path's course, stroke by stroke. If `path` is None, the line is a group's newest path.
    Without strokes the line is removed."""

    group: str
    strokes: tuple[tuple[str, ...], ...]
    path: Number | None = None


class RemovePath(_Change, frozen=True, kw_only=True, tag="remove-path"):
    """Removal of a path."""

    path: Number


class SetCard(_Change, frozen=True, kw_only=True, tag="card"):
    """The card in a slot (column and row) and its rotation; None with `face_down`: not known."""

    cell: tuple[int, int]
    card: str | None
    rotation: Literal[0, 180] = 0
    face_down: bool = False


class MoveCard(_Change, frozen=True, kw_only=True, tag="move-card"):
    """Exchange of the cards of two slots, the second named `to`."""

    cell: tuple[int, int]
    to: tuple[int, int]


class RemoveCard(_Change, frozen=True, kw_only=True, tag="remove-card"):
    """Removal of the card in a slot."""

    cell: tuple[int, int]


class WriteRecord(_Change, frozen=True, kw_only=True, tag="record"):
    """Edit of the whole table as text: a record's JSON or its notation. Omitted facts about mission, groups,
    turn and house rules stay unchanged."""

    text: Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]


TableChange = (
    SetGroup
    | SetTurn
    | Declare
    | ChooseGoal
    | SetSketch
    | SetOwner
    | SetOrder
    | SetLine
    | RemovePath
    | SetCard
    | MoveCard
    | RemoveCard
    | WriteRecord
)


def changed(catalogue: Catalogue, record: TableRecord, change: object) -> TableRecord:
    """The record with a change, given as plain data. Raises `WaymarkError` (not-valid, and as records do)."""
    try:
        told: Any = msgspec.convert(change, TableChange)
    except (msgspec.ValidationError, TypeError) as error:
        raise _not_valid(str(error)) from error
    return checked_table(_changed(catalogue, record, told))


def _changed(catalogue: Catalogue, record: TableRecord, change: Any) -> TableRecord:
    replace = msgspec.structs.replace
    match change:
        case SetGroup():
            return _with_group(record, change)
        case SetTurn(player=player, hand=hand):
            return replace(record, turn=Turn(player=player, hand=hand))
        case Declare(code=code, on=on):
            others = tuple(each for each in record.declared if each != code)
            return replace(record, declared=(*others, code) if on else others)
        case ChooseGoal(path=number, goal=goal):
            if goal is not None:
                check_goal(goal, make_table(catalogue, record).plan.goals)
            return _with_path(record, number, replace(_path(record, number), goal=goal))
        case SetSketch(path=number, on=on):
            return _with_path(record, number, replace(_path(record, number), sketch=on))
        case SetOwner():
            return _with_owner(record, change)
        case SetOrder(paths=order):
            if sorted(order) != list(range(len(record.paths))):
                raise _not_valid("paths has every path once")
            return replace(record, paths=tuple(record.paths[number] for number in order))
        case SetLine():
            return _with_line(record, change)
        case RemovePath(path=number):
            _path(record, number)
            left = tuple(path for k, path in enumerate(record.paths) if k != number)
            return replace(record, paths=left)
        case MoveCard():
            return _with_card_moved(catalogue, record, change)
        case SetCard() | RemoveCard():
            return _with_card(catalogue, record, change)
        case WriteRecord(text=text):
            return _written(record, text)
    raise _not_valid("no such change")


def with_choices(record: TableRecord, before: TableRecord) -> TableRecord:
    """A recomputed record, with people's statements about paths taken from the earlier one: the goal meant at
    a path's end, and whether a path is only a sketch."""
    said: dict[tuple[str, int, str], GroupPath] = {}
    for key, path in _by_end(before):
        said[key] = path
    paths = [
        msgspec.structs.replace(path, goal=said[key].goal, sketch=said[key].sketch or path.sketch)
        if key in said
        else path
        for key, path in _by_end(record)
    ]
    return msgspec.structs.replace(record, paths=tuple(paths))


def _by_end(record: TableRecord) -> Iterator[tuple[tuple[str, int, str], GroupPath]]:
    """Paths by their group, their number among its paths, and the place where they end."""
    counts: Counter[str] = Counter()
    for path in record.paths:
        yield (path.group, counts[path.group], path.path[-1][-1] if path.path else ""), path
        counts[path.group] += 1


def _path(record: TableRecord, number: int) -> GroupPath:
    if number >= len(record.paths):
        raise _not_valid(f"there is no path {number}")
    return record.paths[number]


def _with_path(record: TableRecord, number: int, path: GroupPath) -> TableRecord:
    paths = tuple(path if k == number else each for k, each in enumerate(record.paths))
    return msgspec.structs.replace(record, paths=paths)


def _with_group(record: TableRecord, change: SetGroup) -> TableRecord:
    _check_group(record, change.group)
    told = {
        name: value
        for name in ("colour", "fairy_tokens", "spellbooks", "start")
        if (value := getattr(change, name)) is not UNSET
    }
    if "fairy_tokens" in told:
        told["fairy_tokens"] = {kind: count for kind, count in told["fairy_tokens"].items() if count}
    groups = tuple(
        msgspec.structs.replace(group, **told) if group.group == change.group else group
        for group in record.groups
    )
    return msgspec.structs.replace(record, groups=groups)


def _with_owner(record: TableRecord, change: SetOwner) -> TableRecord:
    """The record after a change of owner. If two groups' pens were confused, their lines are swapped."""
    _check_group(record, change.group)
    before = _path(record, change.path).group
    swap = {before: change.group, change.group: before} if change.whole else {}

    def owner(number: int, path: GroupPath) -> str:
        return change.group if number == change.path else swap.get(path.group, path.group)

    paths = tuple(msgspec.structs.replace(p, group=owner(k, p)) for k, p in enumerate(record.paths))
    marks = {group.group: group.marks for group in record.groups}
    groups = tuple(
        msgspec.structs.replace(group, marks=marks[swap.get(group.group, group.group)])
        for group in record.groups
    )
    return msgspec.structs.replace(record, paths=paths, groups=groups)


def _with_line(record: TableRecord, change: SetLine) -> TableRecord:
    if change.path is None:
        _check_group(record, change.group)
        drawn = GroupPath(group=change.group, path=change.strokes)
        return msgspec.structs.replace(record, paths=(*record.paths, drawn)) if change.strokes else record
    path = _path(record, change.path)
    if path.group != change.group:
        raise _not_valid(f"path {change.path} is of {path.group}")
    if not change.strokes:
        left = tuple(each for k, each in enumerate(record.paths) if k != change.path)
        return msgspec.structs.replace(record, paths=left)
    return _with_path(record, change.path, msgspec.structs.replace(path, path=change.strokes, goal=None))


def _check_group(record: TableRecord, name: str) -> None:
    known = tuple(group.group for group in record.groups)
    if name not in known:
        raise unknown_group(name, known)


def _with_card(catalogue: Catalogue, record: TableRecord, change: SetCard | RemoveCard) -> TableRecord:
    """The record with another card in a slot, or none. Paths are cut off before a changed card, since its
    places differ."""
    width, height = catalogue.card_size_mm
    cells = [cell_at((card.x, card.y), record.origin, (width, height)) for card in record.cards]
    there = next((k for k, cell in enumerate(cells) if cell == change.cell), None)
    x, y = record.origin[0] + change.cell[0] * width, record.origin[1] + change.cell[1] * height
    new = None
    if isinstance(change, SetCard):
        name = catalogue.card(change.card).id if change.card is not None else None
        new = TableCard(name, x, y, change.rotation, face_down=change.face_down)
    if there is None:
        cards = record.cards if new is None else (*record.cards, new)
        return msgspec.structs.replace(record, cards=cards)
    old = record.cards[there]
    if new is not None:
        new = msgspec.structs.replace(new, x=old.x, y=old.y)
    if new == old:
        return record
    same_places = new is not None and new.card == old.card and new.face_down == old.face_down
    paths = record.paths if same_places else tuple(filter(None, (cut_before(p, there) for p in record.paths)))
    groups = record.groups if same_places else tuple(_without_marks(g, there) for g in record.groups)
    kept = msgspec.structs.replace(record, paths=paths, groups=groups)
    if new is not None:
        cards = tuple(new if k == there else card for k, card in enumerate(record.cards))
        return msgspec.structs.replace(kept, cards=cards)
    return _without(kept, there)


def _with_card_moved(catalogue: Catalogue, record: TableRecord, change: MoveCard) -> TableRecord:
    """The record with the cards of two slots exchanged; paths end before them."""
    size = catalogue.card_size_mm
    lying = {cell_at((card.x, card.y), record.origin, size): card for card in record.cards}
    if change.cell not in lying:
        raise _not_valid("nothing lies in that slot")
    for cell, other in ((change.to, change.cell), (change.cell, change.to)):
        card = lying.get(other)
        put = (
            RemoveCard(cell=cell)
            if card is None
            else SetCard(cell=cell, card=card.card, rotation=_upright(card), face_down=card.face_down)
        )
        record = _with_card(catalogue, record, put)
    return record


def _upright(card: TableCard) -> Literal[0, 180]:
    return 180 if card.rotation == 180 else 0


def cut_before(path: GroupPath, number: int) -> GroupPath | None:
    """The part of a path before a card; None if nothing is left."""
    strokes: list[tuple[str, ...]] = []
    for stroke in path.path:
        end = next((k for k, name in enumerate(stroke) if _card(name) == number), None)
        if end is None:
            strokes.append(stroke)
            continue
        if end:
            strokes.append(stroke[:end])
        break
    else:
        return path
    cut = tuple(strokes)
    return msgspec.structs.replace(path, path=cut, goal=None) if cut else None


def _without_marks(group: Any, number: int) -> Any:
    def kept(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if _card(name) != number)

    marks = msgspec.structs.replace(
        group.marks, circled=kept(group.marks.circled), struck=kept(group.marks.struck)
    )
    start = None if isinstance(group.start, str) and _card(group.start) == number else group.start
    tokens = {name: kind for name, kind in group.optimizer_tokens.items() if _card(name) != number}
    return msgspec.structs.replace(group, marks=marks, start=start, optimizer_tokens=tokens)


def _without(record: TableRecord, number: int) -> TableRecord:
    """The record without a card that no path runs over; the cards behind it have other numbers then."""

    def name(place: str) -> str:
        card, _, local = place.partition(".")
        return f"{int(card) - (int(card) > number)}.{local}"

    def names(places: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(name, places))

    replace = msgspec.structs.replace
    return replace(
        record,
        cards=tuple(card for k, card in enumerate(record.cards) if k != number),
        paths=tuple(replace(path, path=tuple(map(names, path.path))) for path in record.paths),
        groups=tuple(
            replace(
                group,
                start=name(group.start) if isinstance(group.start, str) else group.start,
                marks=replace(
                    group.marks, circled=names(group.marks.circled), struck=names(group.marks.struck)
                ),
                optimizer_tokens={name(k): kind for k, kind in group.optimizer_tokens.items()},
            )
            for group in record.groups
        ),
    )


def _card(place: str) -> int:
    return int(place.partition(".")[0])


def _written(record: TableRecord, text: str) -> TableRecord:
    told = parse_notation(text) if is_notation(text) else parse_table(text)
    return msgspec.structs.replace(
        told,
        mission=record.mission if told.mission is None else told.mission,
        groups=told.groups or record.groups,
        turn=record.turn if told.turn is None else told.turn,
        difficulty=UNSET,
        house={},
        catalogue=record.catalogue,
    )


def _not_valid(what: str) -> WaymarkError:
    return WaymarkError(
        Code.NOT_VALID, Text("This is no change of a table ({what}); load the page again.", what=what[:200])
    )
