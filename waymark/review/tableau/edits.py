"""Corrections of a tableau by a person: edits of the path, the marks and the cards, applied to a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from scorer.dungeon import Dungeon
from scorer.errors import Code, WaymarkError
from scorer.port.rules import unknown_term
from scorer.record import Marks, Record, Rotation, path_backwards
from scorer.routes import route_through, routes_from, shortest_route
from scorer.text import Text
from waymark.review.referee_cache import Table
from waymark.review.tableau import card_edits
from waymark.review.tableau.joins import Parted, Path, Stroke, put_together, turned

#: Which end of a stroke.
End = Literal["start", "end"]


def draw(
    record: Record, dungeon: Dungeon, places: Sequence[str], parted: Parted, *, join: bool = True
) -> Record:
    """The record with the shortest walk through `places` added. With `join`, it continues strokes whose
    ends touch or adjoin it, or becomes a detour from the only place of a stroke next to it. Otherwise it
    is a last stroke of its own (`parted` finds what is joined). Raises `WaymarkError` (no-route)."""
    stretch = route_through(dungeon, places)
    if stretch is None:
        raise no_route()
    if not join:
        return _with_path(record, (*record.path, stretch))
    return _with_path(record, put_together(record, dungeon, stretch, parted))


def erase(record: Record, stroke: int, start: int, end: int) -> Record:
    """The record without steps `start` to `end` of a stroke, which becomes shorter or two strokes.
    Places that the line still reaches stay. Raises `WaymarkError` (no-such-step)."""
    line = _stroke(record, stroke, start, end)
    start, end = sorted((start, end))
    left = [part for part in (line[: start + 1], line[end:]) if len(part) > 1]
    if start == end and len(line) > 1:
        raise _no_such_step()
    return _with_path(record, (*record.path[:stroke], *left, *record.path[stroke + 1 :]))


def lead_through(record: Record, dungeon: Dungeon, stroke: int, step: int, through: str) -> Record:
    """The record with the line between steps `step - 1` and `step` of a stroke led through another place
    by the shortest detour. A detour at a stroke's end moves the end. Raises `WaymarkError`
    (no-such-step, no-route)."""
    line = _stroke(record, stroke, step)
    if step < 1:
        raise _no_such_step()
    if through in line:
        raise WaymarkError(
            Code.NO_ROUTE, Text("The line comes through this place already; erase the part that is wrong.")
        )
    # From the place outwards and not along the line itself: the line is left and joined where the walks reach
    # it first.
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
        Text(
            "No way leads from the line through this place and back; erase what is wrong, then draw it again."
        ),
    )


def move_end(record: Record, dungeon: Dungeon, stroke: int, end: End, place: str) -> Record:
    """The record with a stroke's start or end at another place: cut where the stroke passes that place,
    else extended by the shortest walk. Raises `WaymarkError` (no-such-step, no-route)."""
    line = _stroke(record, stroke)
    if end == "start":
        # A walk that continues from the start is in walking order.
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
    """The record with the direction of a stroke reversed, or of the whole path (None). Raises
    `WaymarkError` (no-such-step)."""
    if stroke is None:
        return _with_path(record, path_backwards(record.path))
    return _with_stroke(record, stroke, _stroke(record, stroke)[::-1])


def move_stroke(record: Record, stroke: int, to: int) -> Record:
    """The record with a stroke moved to position `to` in the order of strokes. Raises `WaymarkError`
    (no-such-step)."""
    line = _stroke(record, stroke)
    _stroke(record, to)
    others = [*record.path[:stroke], *record.path[stroke + 1 :]]
    return _with_path(record, (*others[:to], line, *others[to:]))


def remove_stroke(record: Record, stroke: int) -> Record:
    """The record without a whole stroke. Raises `WaymarkError` (no-such-step)."""
    _stroke(record, stroke)
    return _with_path(record, (*record.path[:stroke], *record.path[stroke + 1 :]))


def teleport(record: Record, dungeon: Dungeon, start: str, end: str, parted: Parted) -> Record:
    """The record with a jump from `start`, a place on the path, to `end`: further on in the same stroke, at
    an end of another one, or a place where a stroke begins. Raises `WaymarkError`."""
    number = next((k for k in reversed(range(len(record.path))) if start in record.path[k]), None)
    if number is None or start == end or end not in dungeon.places:
        raise _no_such_step()
    line, others = record.path[number], list(record.path)
    at = max(step for step, name in enumerate(line) if name == start)
    here, onward = line[: at + 1], line[at + 1 :]
    if end in onward:
        others[number : number + 1] = [here, onward[onward.index(end) :]]
    elif onward:
        raise WaymarkError(
            Code.NO_ROUTE, Text("The line goes on from the first place; erase there what is wrong first.")
        )
    else:
        ends = (k for k, each in enumerate(record.path) if k != number and end in (each[0], each[-1]))
        other = next(ends, None)
        there = (end,) if other is None else record.path[other]
        landed = there if there[0] == end else there[::-1]
        others[number : number + 1] = [here, landed]
        if other is not None:
            del others[other if other < number else other + 1]
            number -= other < number
    path = tuple(others)
    if number + 1 in parted(path):
        raise WaymarkError(Code.NO_ROUTE, Text("The rules allow no teleport between these two places."))
    return _with_path(record, path)


def set_mark(record: Record, dungeon: Dungeon, place: str, *, circled: bool, struck: bool) -> Record:
    """The record with the circle and the strike on a find set. Raises `WaymarkError` (no-such-step) for
    a place without a find."""
    found = dungeon.places.get(place)
    if found is None or found.find is None:
        raise _no_such_step()
    marks = Marks(
        circled=_with(record.marks.circled, place, circled), struck=_with(record.marks.struck, place, struck)
    )
    return msgspec.structs.replace(record, marks=marks)


def no_route() -> WaymarkError:
    """The error for two places without a walk between them."""
    return WaymarkError(
        Code.NO_ROUTE,
        Text("No way leads from one of these places to the other; after a teleport draw a new stroke."),
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
        Text("This part of the path or this find is not there any more; check the path again."),
    )


PlaceName = Annotated[str, msgspec.Meta(max_length=64)]
Index = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Px = Annotated[float, msgspec.Meta(ge=-100_000, le=100_000)]
Mm = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]
Corner = tuple[Px, Px]
Corners = tuple[Corner, Corner, Corner, Corner]


class _Correction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class Draw(_Correction, frozen=True, tag="draw"):
    """Add the shortest walk by way of `places` to the path. With `join` it continues strokes that its ends
    meet, otherwise it is a separate stroke."""

    places: Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1, max_length=50)]
    join: bool = True


class Erase(_Correction, frozen=True, tag="erase"):
    """Rub out the path from step `start` to step `end` of a stroke, counted from 0."""

    stroke: Index
    start: Index
    end: Index


class LeadThrough(_Correction, frozen=True, tag="lead-through"):
    """Lead the line between steps `step - 1` and `step` of a stroke through another place."""

    stroke: Index
    step: Index
    place: PlaceName


class MoveEnd(_Correction, frozen=True, tag="move-end"):
    """Let a stroke begin or end at another place."""

    stroke: Index
    end: End
    place: PlaceName


class Swap(_Correction, frozen=True, tag="swap"):
    """Reverse the direction of a stroke, or of the whole path where no stroke is given."""

    stroke: Index | None = None


class MoveStroke(_Correction, frozen=True, tag="move-stroke"):
    """Move a stroke to position `to` (from 0) in the order of strokes."""

    stroke: Index
    to: Index


class RemoveStroke(_Correction, frozen=True, tag="remove-stroke"):
    """Remove a whole stroke from the path."""

    stroke: Index


class Teleport(_Correction, frozen=True, tag="teleport"):
    """Put a jump from a place of the path to another place into it, where the rules allow a teleport."""

    start: PlaceName
    end: PlaceName


class SetMark(_Correction, frozen=True, tag="mark"):
    """Set the mark on a find: circled, struck or none."""

    place: PlaceName
    circled: bool
    struck: bool


class SetCard(_Correction, frozen=True, tag="card"):
    """State a card's identity, its `rotation` and its outline in the photo (`corners`: pixels of the
    printed top-left, top-right, bottom-right, bottom-left). Omitted values stay; the ink is read again."""

    index: Index
    card: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    rotation: Rotation | None = None
    corners: Corners | None = None


class MoveCard(_Correction, frozen=True, tag="move-card"):
    """Move a card to another position, in mm of the record; it snaps to a neighbouring card nearby."""

    index: Index
    x: Mm
    y: Mm


class AddCard(_Correction, frozen=True, tag="add-card"):
    """Add a card that was not found, at a position in mm of the record. Without `corners`, its outline
    in the photo is computed."""

    card: Annotated[str, msgspec.Meta(max_length=200)]
    x: Mm
    y: Mm
    rotation: Rotation = 0
    corners: Corners | None = None


class RemoveCard(_Correction, frozen=True, tag="remove-card"):
    """Remove a card that does not belong to the tableau."""

    index: Index


class SetMeans(_Correction, frozen=True, tag="means"):
    """State all means that were held: `terms` by the ids of the game's terms. Map Masters' fairy tokens
    (by kind) and spellbooks have names of their own."""

    fairy_tokens: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] | UnsetType = UNSET
    spellbooks: (
        Annotated[tuple[Annotated[str, msgspec.Meta(max_length=16)], ...], msgspec.Meta(max_length=17)]
        | UnsetType
    ) = UNSET
    terms: dict[str, Any] = {}


class SetPayment(_Correction, frozen=True, tag="payment"):
    """State which means were used at a place: an item (`rope`), a fairy token (`fairy:rope`) or a
    spellbook (`SB-3`). `source` is the place where the item was found. Without means, the referee
    chooses."""

    at: PlaceName
    means: Annotated[str, msgspec.Meta(max_length=16)] | None
    source: PlaceName | None = None


class SetTerms(_Correction, frozen=True, tag="terms"):
    """State the objectives and rules of a game: `terms` by the ids of the game's terms, and house rules.
    Map Masters' objectives have names of their own. Omitted values stay as they are."""

    primary: str | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    terms: dict[str, Any] = {}


PathCorrection = Draw | Erase | LeadThrough | MoveEnd | Swap | MoveStroke | RemoveStroke | Teleport
CardCorrection = SetCard | MoveCard | AddCard | RemoveCard
Correction = PathCorrection | SetMark | CardCorrection | SetMeans | SetTerms | SetPayment


def corrected(record: Record, table: Table, correction: Correction) -> Record:
    """The record after a correction. Raises `WaymarkError` where the corrected item does not exist or
    the result is impossible."""
    if isinstance(correction, CardCorrection):
        return _with_cards(record, table, correction)
    if isinstance(correction, (SetMeans, SetTerms)):
        return _with_terms(record, table, correction)
    if isinstance(correction, SetPayment):
        return with_payment(record, table, correction.at, correction.means, correction.source)
    dungeon = table.dungeon(record.cards)
    if isinstance(correction, SetMark):
        told = correction
        return set_mark(record, dungeon, told.place, circled=told.circled, struck=told.struck)
    return corrected_path(record, dungeon, _parted(record, table), correction)


def corrected_path(record: Record, dungeon: Dungeon, parted: Parted, correction: PathCorrection) -> Record:
    """The record after a correction of its path (`waymark.review.tableau.edits`). Raises `WaymarkError`."""
    match correction:
        case Draw(places=places, join=join):
            return draw(record, dungeon, places, parted, join=join)
        case Erase(stroke=stroke, start=start, end=end):
            return erase(record, stroke, start, end)
        case LeadThrough(stroke=stroke, step=step, place=place):
            return lead_through(record, dungeon, stroke, step, place)
        case MoveEnd(stroke=stroke, end=end, place=place):
            return move_end(record, dungeon, stroke, end, place)
        case Swap(stroke=stroke):
            return swap(record, stroke)
        case MoveStroke(stroke=stroke, to=to):
            return move_stroke(record, stroke, to)
        case RemoveStroke(stroke=stroke):
            return remove_stroke(record, stroke)
        case Teleport(start=start_at, end=end_at):
            return teleport(record, dungeon, start_at, end_at, parted)


def with_payment(
    record: Record, table: Table, at: str, means: str | None, source: str | None = None
) -> Record:
    """The record with a statement of what was used at a place. Raises `WaymarkError` (unknown-means;
    no-payments in a game in which nothing is paid)."""
    if table.game.play.payments is None:
        raise WaymarkError(Code.NO_PAYMENTS, Text("This game has no payments."))
    stated: Record = table.game.play.payments.state(record, at, means, source)
    return stated


def told_values(correction: SetMeans | SetTerms) -> dict[str, Any]:
    """The values that a correction states, by the ids of the game's terms, without house rules."""
    named = {
        name: value
        for name, value in msgspec.structs.asdict(correction).items()
        if value is not UNSET and name not in ("settings", "terms")
    }
    return named | correction.terms


def _with_terms(record: Record, table: Table, correction: SetMeans | SetTerms) -> Record:
    game = table.game
    group, told = "held" if isinstance(correction, SetMeans) else "objective", told_values(correction)
    known = {term.id for term in game.rules.settings.terms if term.group == group}
    for name in told.keys() - known:
        raise unknown_term(game.name, game.rules.settings.terms, name, group)
    before = game.rules.settings.values(table.terms_in(record))
    # Held means are replaced as a whole.
    stays = before.keys() - known if group == "held" else before.keys()
    values = {name: before[name] for name in stays} | told
    return table.retold(record, game.rules.settings.make(values))


def _parted(record: Record, table: Table) -> Parted:
    terms = table.terms_in(record)
    return lambda path: table.parted(msgspec.structs.replace(record, path=path), terms)


def _with_cards(record: Record, table: Table, correction: CardCorrection) -> Record:
    catalogue = table.catalogue
    match correction:
        case SetCard(index=index, card=card, rotation=rotation):
            placed = card_edits.card_at(record, index)
            return card_edits.turn_or_rename(
                record,
                catalogue,
                index,
                placed.card if card is None else card,
                placed.rotation if rotation is None else rotation,
            )
        case MoveCard(index=index, x=x, y=y):
            return card_edits.move(record, catalogue, index, x, y)
        case AddCard(card=card, rotation=rotation, x=x, y=y):
            return card_edits.add(record, catalogue, card, rotation, x, y)
        case RemoveCard(index=index):
            return card_edits.remove(record, index)
