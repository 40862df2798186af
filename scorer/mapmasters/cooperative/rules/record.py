"""The record of a cooperative table: cards, groups with their means, paths in the order in which they were
drawn (docs/FORMATS.md)."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from scorer.catalogue import Point, Side
from scorer.errors import Code, WaymarkError
from scorer.json_faults import read_json
from scorer.mapmasters.cooperative.rules.mission import Mission, checked_mission
from scorer.mapmasters.cooperative.rules.settings import Difficulty, checked
from scorer.mapmasters.rules.means import TOOLS, checked_spellbooks, checked_tokens
from scorer.record import FORMAT, MOST_CARDS, MOST_PLACES, Marks, PlacedCard, Rotation, not_a_record
from scorer.text import Text

#: A mission has at most five groups and some twenty paths.
MOST_GROUPS = 100
MOST_PATHS = 1_000

_NO_MARKS = Marks()


class TableCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card on the table as in `scorer.record.PlacedCard`; one that lies face down may have no name."""

    card: str | None
    x: float
    y: float
    rotation: Rotation = 0
    face_down: bool = False

    @property
    def placed(self) -> PlacedCard:
        return PlacedCard(self.card or "", self.x, self.y, self.rotation)


class CellStart(msgspec.Struct, frozen=True):
    """Before an empty slot: its column and row, the side where the group comes in, and where on that side, mm
    from the slot's left or top end."""

    cell: tuple[int, int]
    side: Side
    at: float


class Group(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A group: the start of its miniature, its purchases, its tokens from optimizers (by place), and the
    marks along its paths."""

    group: str
    colour: str | None = None
    start: str | CellStart | None = None
    fairy_tokens: dict[str, int] = {}
    spellbooks: tuple[str, ...] = ()
    optimizer_tokens: dict[str, str] = {}
    marks: Marks = _NO_MARKS


class GroupPath(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One path of a group, in strokes, with the goal that players chose, if any; and whether it is only a
    sketch."""

    group: str
    path: tuple[tuple[str, ...], ...] = ()
    goal: str | None = None
    sketch: bool = False


class Turn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The player who lays the next card, and the number of cards in hand."""

    player: str | None = None
    hand: Annotated[int, msgspec.Meta(ge=0)] | None = None


class TableRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The record of a cooperative table. `mission` is an id from the catalogue's folder, the mission itself,
    or None; `origin` is the top-left corner of the layout (mm); `difficulty` is unset where it is unknown."""

    cards: tuple[TableCard, ...]
    mission: str | Mission | None = None
    difficulty: Difficulty | UnsetType = UNSET
    origin: Point = (0.0, 0.0)
    groups: tuple[Group, ...] = ()
    paths: tuple[GroupPath, ...] = ()
    declared: tuple[str, ...] = ()
    turn: Turn | None = None
    house: dict[str, Any] = {}
    catalogue: str = "open"
    mode: Literal["cooperative"]
    format: str


def parse_table(data: bytes | str) -> TableRecord:
    """Read a cooperative record from JSON. Raises `WaymarkError` (not-a-record, record-too-large, and as
    `checked_table`)."""
    record = read_json(data, TableRecord, not_a_record, FORMAT)
    return checked_table(record)


def checked_table(record: TableRecord) -> TableRecord:
    """The same record, after all checks that need no cards. Raises `WaymarkError` (not-a-record,
    not-a-mission, record-too-large, unknown-group, unknown-token, unknown-spellbook, unknown-setting,
    bad-setting)."""
    numbers = [each for card in record.cards for each in (card.x, card.y)]
    numbers += [*record.origin, *(g.start.at for g in record.groups if isinstance(g.start, CellStart))]
    if not all(math.isfinite(number) for number in numbers):
        raise not_a_record(Text("a card's place is not a number"))
    if any(card.card is None and not card.face_down for card in record.cards):
        raise not_a_record(Text("a card without a name does not lie face down"))
    _within_limits(record)
    if isinstance(record.mission, Mission):
        checked_mission(record.mission)
    names = [group.group for group in record.groups]
    if len(set(names)) < len(names) or "" in names:
        raise not_a_record(Text("its groups do not have a name each"))
    for group in record.groups:
        checked_tokens(group.fairy_tokens)
        checked_spellbooks(group.spellbooks)
        for kind in group.optimizer_tokens.values():
            if kind not in TOOLS:
                checked_tokens({kind: 1})
    checked(record.house)
    return record


def unknown_group(name: str, known: tuple[str, ...]) -> WaymarkError:
    """The error for the name of a group that does not play."""
    listed = ", ".join(known) or "-"
    return WaymarkError(
        Code.UNKNOWN_GROUP,
        Text("There is no group {name!r} here; the groups are {listed}.", name=name, listed=listed),
    )


def _within_limits(record: TableRecord) -> None:
    places = sum(len(stroke) for path in record.paths for stroke in path.path)
    places += sum(len(group.marks.circled) + len(group.marks.struck) for group in record.groups)
    strokes = sum(len(path.path) for path in record.paths)
    if (
        len(record.cards) > MOST_CARDS
        or places > MOST_PLACES
        or strokes > MOST_PLACES
        or len(record.groups) > MOST_GROUPS
        or len(record.paths) > MOST_PATHS
    ):
        raise WaymarkError(
            Code.RECORD_TOO_LARGE,
            Text(
                "This record has {cards:,} cards, {groups:,} groups, {paths:,} paths and {places:,} places; "
                "Waymark takes {most_cards:,}, {most_groups:,}, {most_paths:,} and {most_places:,} at most, "
                "so check what made it.",
                cards=len(record.cards),
                groups=len(record.groups),
                paths=len(record.paths),
                places=places,
                most_cards=MOST_CARDS,
                most_groups=MOST_GROUPS,
                most_paths=MOST_PATHS,
                most_places=MOST_PLACES,
            ),
        )
