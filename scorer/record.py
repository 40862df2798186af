"""A tableau record: the cards on the table, and the path drawn over them (docs/FORMATS.md, section 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from scorer.errors import Code, WaymarkError
from scorer.json_faults import read_json
from scorer.text import Text

FORMAT = "waymark-tableau/1"

#: A hand is five cards and a path some forty places. A record beyond these is a mistake or mischief, and must
#: not keep the program busy.
MOST_CARDS = 1_000
MOST_PLACES = 20_000

Rotation = Literal[0, 90, 180, 270]


class PlacedCard(msgspec.Struct, frozen=True):
    """A card on the table: top-left corner of its footprint in table mm; turned about its centre."""

    card: str
    x: float
    y: float
    rotation: Rotation = 0


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """The player's marks on finds: the places circled and the places struck through."""

    circled: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()


class Objectives(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The round's objectives, where they are known."""

    primary: str | None = None
    secondary: str | None = None


class StatedPayment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person's statement of the item used at a place. `means` is named like the ruling's payments; `source`
    is the place where the item was collected."""

    at: str
    means: str
    source: str | None = None


_NO_MARKS = Marks()
_NO_OBJECTIVES = Objectives()


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A player's tableau: cards, path (strokes of places `<card index>.<local id>`), marks, means held, and
    stated payments (`payments`; unset without statements)."""

    cards: tuple[PlacedCard, ...]
    path: tuple[tuple[str, ...], ...] = ()
    marks: Marks = _NO_MARKS
    fairy_tokens: dict[str, int] = {}
    spellbooks: tuple[str, ...] = ()
    objectives: Objectives = _NO_OBJECTIVES
    catalogue: str = "open"
    payments: tuple[StatedPayment, ...] | UnsetType = UNSET
    format: str

    def __post_init__(self) -> None:
        if not self.payments:  # a record without any is written as it was before there were any
            msgspec.structs.force_setattr(self, "payments", UNSET)

    @property
    def stated(self) -> tuple[StatedPayment, ...]:
        """The stated payments; empty where there are none."""
        return self.payments or ()


def make_record(
    cards: tuple[PlacedCard, ...],
    path: tuple[tuple[str, ...], ...] = (),
    *,
    marks: Marks = _NO_MARKS,
    fairy_tokens: dict[str, int] | None = None,
    spellbooks: tuple[str, ...] = (),
    objectives: Objectives = _NO_OBJECTIVES,
    catalogue: str = "open",
    payments: tuple[StatedPayment, ...] = (),
) -> Record:
    """A record made in code, with its format word filled in."""
    return Record(
        format=FORMAT,
        catalogue=catalogue,
        cards=cards,
        path=path,
        marks=marks,
        fairy_tokens=fairy_tokens or {},
        spellbooks=spellbooks,
        objectives=objectives,
        payments=payments,
    )


def parse_record(data: bytes | str) -> Record:
    """Read a record from JSON text. Raises `WaymarkError` (not-a-record, record-too-large)."""
    record = read_json(data, Record, not_a_record, FORMAT)
    if not all(math.isfinite(card.x) and math.isfinite(card.y) for card in record.cards):
        raise not_a_record(Text("a card's place is not a number"))
    return within_limits(record)


def within_limits(record: Record) -> Record:
    """The record, if it has at most `MOST_CARDS` cards and `MOST_PLACES` places in its path, marks and
    payments. Raises `WaymarkError` (record-too-large).
    """
    places = sum(len(stroke) for stroke in record.path)
    places += len(record.marks.circled) + len(record.marks.struck) + len(record.stated)
    if len(record.cards) > MOST_CARDS or places > MOST_PLACES:
        raise WaymarkError(
            Code.RECORD_TOO_LARGE,
            Text(
                "This record has {count:,} cards and {places:,} places in its path, marks and payments; "
                "Waymark takes {most_cards:,} cards and {most_places:,} places at most, so check what made "
                "it.",
                count=len(record.cards),
                places=places,
                most_cards=MOST_CARDS,
                most_places=MOST_PLACES,
            ),
        )
    return record


def path_backwards(path: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The strokes of a path in the opposite walking order."""
    return tuple(tuple(reversed(stroke)) for stroke in reversed(path))


def to_json(record: Record) -> bytes:
    """The record as compact UTF-8 JSON."""
    return msgspec.json.encode(record)


def not_a_record(fault: Text) -> WaymarkError:
    """The error for input that cannot be taken as a tableau record."""
    return WaymarkError(
        Code.NOT_A_RECORD,
        Text(
            "This is not a tableau record ({fault}); give a JSON file of the form {format}.",
            fault=fault,
            format=FORMAT,
        ),
    )
