"""Corrections: what a person may say against a reading, and what the record becomes by it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType

from scorer.dungeon import Dungeon
from scorer.errors import Code, WaymarkError
from scorer.game import unknown_term
from scorer.record import Record, Rotation
from waymark.review import card_edits, path_edits
from waymark.review.path_edits import End
from waymark.review.path_joins import Parted
from waymark.review.table import Table

PlaceName = Annotated[str, msgspec.Meta(max_length=64)]
Index = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Px = Annotated[float, msgspec.Meta(ge=-100_000, le=100_000)]
Mm = Annotated[float, msgspec.Meta(ge=-10_000, le=10_000)]
Corner = tuple[Px, Px]
Corners = tuple[Corner, Corner, Corner, Corner]


class _Correction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class Draw(_Correction, frozen=True, tag="draw"):
    """Add the shortest walk by way of `places` to the path. With `join` it goes on from strokes that it
    meets with its ends, else it is a stroke of its own."""

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
    """Walk a stroke in the other direction; without one, the whole path."""

    stroke: Index | None = None


class MoveStroke(_Correction, frozen=True, tag="move-stroke"):
    """Walk a stroke as the `to`th one, counted from 0."""

    stroke: Index
    to: Index


class RemoveStroke(_Correction, frozen=True, tag="remove-stroke"):
    """Rub a whole stroke out."""

    stroke: Index


class SetMark(_Correction, frozen=True, tag="mark"):
    """Say what is drawn on a find."""

    place: PlaceName
    circled: bool
    struck: bool


class SetCard(_Correction, frozen=True, tag="card"):
    """Say which card lies there, how it is turned (`rotation`) and where its outline is in the photo
    (`corners`: pixels of the printed top-left, top-right, bottom-right, bottom-left). What is left out stays;
    the ink is read again."""

    index: Index
    card: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    rotation: Rotation | None = None
    corners: Corners | None = None


class MoveCard(_Correction, frozen=True, tag="move-card"):
    """Lay a card elsewhere, in mm of the record; near a place beside another card it is laid there."""

    index: Index
    x: Mm
    y: Mm


class AddCard(_Correction, frozen=True, tag="add-card"):
    """Lay a card that was not found, in mm of the record; its outline (`corners`) is worked out where it is
    left out."""

    card: Annotated[str, msgspec.Meta(max_length=200)]
    x: Mm
    y: Mm
    rotation: Rotation = 0
    corners: Corners | None = None


class RemoveCard(_Correction, frozen=True, tag="remove-card"):
    """Take a card away that does not belong to the tableau."""

    index: Index


class SetMeans(_Correction, frozen=True, tag="means"):
    """Say what was held, all of it: `terms` by the ids of the game's terms; Map Masters' have names of their
    own, too, fairy tokens by kind and spellbooks."""

    fairy_tokens: dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] | UnsetType = UNSET
    spellbooks: (
        Annotated[tuple[Annotated[str, msgspec.Meta(max_length=16)], ...], msgspec.Meta(max_length=17)]
        | UnsetType
    ) = UNSET
    terms: dict[str, Any] = {}


class SetPayment(_Correction, frozen=True, tag="payment"):
    """Say what was used at a place: an item (`rope`; `source` tells which, by its place), a fairy token
    (`fairy:rope`) or a spellbook (`SB-3`). Without means it is the referee's choice again."""

    at: PlaceName
    means: Annotated[str, msgspec.Meta(max_length=16)] | None
    source: PlaceName | None = None


class SetTerms(_Correction, frozen=True, tag="terms"):
    """Say what is asked for and played by where no game does: `terms` by the ids of the game's terms, with
    names of their own for Map Masters' objectives, and house rules. What is left out stays."""

    primary: str | UnsetType | None = UNSET
    secondary: str | UnsetType | None = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    terms: dict[str, Any] = {}


PathCorrection = Draw | Erase | LeadThrough | MoveEnd | Swap | MoveStroke | RemoveStroke
CardCorrection = SetCard | MoveCard | AddCard | RemoveCard
Correction = PathCorrection | SetMark | CardCorrection | SetMeans | SetTerms | SetPayment


def corrected(record: Record, table: Table, correction: Correction) -> Record:
    """What a record becomes. Raises `WaymarkError`: what the correction speaks of is not there, or cannot
    be."""
    if isinstance(correction, CardCorrection):
        return _with_cards(record, table, correction)
    if isinstance(correction, (SetMeans, SetTerms)):
        return _with_terms(record, table, correction)
    if isinstance(correction, SetPayment):
        return with_payment(record, table, correction.at, correction.means, correction.source)
    dungeon = table.dungeon(record.cards)
    if isinstance(correction, SetMark):
        told = correction
        return path_edits.set_mark(record, dungeon, told.place, circled=told.circled, struck=told.struck)
    return corrected_path(record, dungeon, _parted(record, table), correction)


def corrected_path(record: Record, dungeon: Dungeon, parted: Parted, correction: PathCorrection) -> Record:
    """What a record becomes whose path is corrected (`waymark.review.path_edits`). Raises `WaymarkError`."""
    match correction:
        case Draw(places=places, join=join):
            return path_edits.draw(record, dungeon, places, parted, join=join)
        case Erase(stroke=stroke, start=start, end=end):
            return path_edits.erase(record, stroke, start, end)
        case LeadThrough(stroke=stroke, step=step, place=place):
            return path_edits.lead_through(record, dungeon, stroke, step, place)
        case MoveEnd(stroke=stroke, end=end, place=place):
            return path_edits.move_end(record, dungeon, stroke, end, place)
        case Swap(stroke=stroke):
            return path_edits.swap(record, stroke)
        case MoveStroke(stroke=stroke, to=to):
            return path_edits.move_stroke(record, stroke, to)
        case RemoveStroke(stroke=stroke):
            return path_edits.remove_stroke(record, stroke)


def with_payment(
    record: Record, table: Table, at: str, means: str | None, source: str | None = None
) -> Record:
    """The record with a statement of what was used at a place. Raises `WaymarkError` (unknown-means;
    no-payments in a game in which nothing is paid)."""
    if table.game.payments is None:
        raise WaymarkError(
            Code.NO_PAYMENTS,
            "Nothing is paid with in this game.",
            "このゲームでは、何かを使って支払うことはありません。",
        )
    stated: Record = table.game.payments.state(record, at, means, source)
    return stated


def told_values(correction: SetMeans | SetTerms) -> dict[str, Any]:
    """What a correction tells, by the ids of the game's terms; house rules aside."""
    named = {
        name: value
        for name, value in msgspec.structs.asdict(correction).items()
        if value is not UNSET and name not in ("settings", "terms")
    }
    return named | correction.terms


def _with_terms(record: Record, table: Table, correction: SetMeans | SetTerms) -> Record:
    game = table.game
    group, told = "held" if isinstance(correction, SetMeans) else "objective", told_values(correction)
    known = {term.id for term in game.terms if term.group == group}
    for name in told.keys() - known:
        raise unknown_term(game, name, group)
    before = game.term_values(table.terms_in(record))
    # What was held is told as a whole.
    stays = before.keys() - known if group == "held" else before.keys()
    values = {name: before[name] for name in stays} | told
    return table.retold(record, game.make_terms(values))


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
