"""The pieces of a catalogue as the rules ask for them: panels, chips, monsters, items, victory cards, by id.
The rulebook prints no card's numbers; they are the catalogue's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

import msgspec

from scorer.board_pieces import broken_piece, kept_pieces, of_role, told_piece
from scorer.catalogue import Card, Catalogue, Side
from scorer.square_grid import open_sides, turned

SIDE = 4
CELLS = SIDE * SIDE

ChipKind = Literal["sword", "shield", "potion"]
CHIP_KINDS: tuple[ChipKind, ...] = ("sword", "shield", "potion")
#: The kinds of chips that can be equipped.
WORN: tuple[ChipKind, ...] = ("sword", "shield")
#: What a chip of a value costs at the entrance.
CHIP_PRICES: Mapping[int, int] = {1: 1, 2: 3, 4: 5}
#: By the level of an item card: pairs of the value handed in (0: nothing) and the value made.
MADE: Mapping[int, tuple[tuple[int, int], ...]] = {1: ((0, 1), (1, 2), (2, 4)), 2: ((0, 2), (1, 4))}

Count = Annotated[int, msgspec.Meta(ge=0)]


class Ability(msgspec.Struct, frozen=True, kw_only=True):
    """An ability given by a character or by a card laid for its bonus."""

    effect: Literal[
        "attack",
        "defence",
        "discard_monsters",
        "pay_coins",
        "sell_add",
        "sell_times",
        "action_on_defeat",
        "table",
    ]
    add: int = 0
    times: int = 1
    of: Literal["monster", "item", "any"] = "any"


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """The condition for showing a victory card: a count, a moment, a swap, or an event that only people can
    check."""

    count: Literal["panels_up", "item_cards", "monster_cards", "coins", "life", "sword", "shield"] | None = (
        None
    )
    at_least: Count = 0
    moment: Literal["beaten-by-player", "beaten-by-monster"] | None = None
    swap: bool = False
    table: str | None = None


class Character(msgspec.Struct, frozen=True, kw_only=True):
    attack: Count = 0
    defence: Count = 0
    life: Annotated[int, msgspec.Meta(ge=1)] = 1
    coins: Count = 0
    abilities: tuple[Ability, ...] = ()


class Monster(msgspec.Struct, frozen=True, kw_only=True):
    attack: Count = 0
    defence: Count = 0
    life: Annotated[int, msgspec.Meta(ge=1)] = 1
    price: Count = 0


class DragonCard(msgspec.Struct, frozen=True, kw_only=True):
    attack: Count = 0
    defence: Count = 0
    life: Annotated[int, msgspec.Meta(ge=1)] = 1
    stars: Count = 0


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Gives `coins`, or makes a chip of a kind by its level."""

    price: Count = 0
    coins: Count | None = None
    chip: ChipKind | None = None
    level: Literal[1, 2] | None = None


class Curse(msgspec.Struct, frozen=True, kw_only=True):
    of: Literal["sword", "shield"]


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    stars: Count = 0
    condition: Condition = Condition()
    abilities: tuple[Ability, ...] = ()


@dataclass(frozen=True, slots=True)
class Chip:
    kind: ChipKind
    value: int


@dataclass(frozen=True)
class Pieces:
    """The pieces of a catalogue. `panels` are the open sides of each panel in the orientation of its art;
    `rooms` and `entrances` are among them. `arrows` are the arrows of entrances. `backs` are the ids of
    backs, with those of entrances in `marked_backs`. `made` is the item chip by kind and value.
    `victory_count` is the total number of victory cards."""

    catalogue: Catalogue
    panels: Mapping[str, int]
    rooms: frozenset[str]
    entrances: frozenset[str]
    arrows: Mapping[str, Side]
    backs: frozenset[str]
    marked_backs: frozenset[str]
    pawns: frozenset[str]
    chips: Mapping[str, Chip]
    lives: Mapping[str, int]
    coins: Mapping[str, int]
    characters: Mapping[str, Character]
    dragon: DragonCard
    monsters: Mapping[str, Monster]
    items: Mapping[str, Item]
    curses: Mapping[str, Curse]
    victories: Mapping[str, Victory]
    copies: Mapping[str, int]
    made: Mapping[tuple[str, int], str]
    victory_count: int
    #: Open sides by (panel, rotation).
    lying: Mapping[tuple[str, int], int]

    def is_dungeon_card(self, name: str) -> bool:
        """Whether a card is one of those drawn in rooms."""
        return name in self.monsters or name in self.items or name in self.curses

    @property
    def dungeon_count(self) -> int:
        """The number of cards that are drawn in rooms."""
        return sum(self.copies[name] for name in (*self.monsters, *self.items, *self.curses))


def pieces_of(catalogue: Catalogue) -> Pieces:
    """The pieces of a catalogue, computed once and cached. Raises `WaymarkError` (broken-catalogue) for
    unplayable pieces."""
    return kept_pieces(catalogue, _pieces_of)


_PANELS = ("room", "corridor", "entrance")
S = TypeVar("S", bound=msgspec.Struct)


def _pieces_of(catalogue: Catalogue) -> Pieces:
    def told(role: str, form: type[S]) -> dict[str, S]:
        return {card.id: told_piece(catalogue, card, form) for card in of_role(catalogue, role)}

    panels = {card.id: open_sides(card) for role in _PANELS for card in of_role(catalogue, role)}
    chips = {
        card.id: Chip(kind, _value(catalogue, card))
        for kind in CHIP_KINDS
        for card in of_role(catalogue, kind)
    }
    for name, chip in chips.items():
        if chip.value not in CHIP_PRICES:
            raise broken_piece(catalogue, name, "value")
    dragons = told("dragon-card", DragonCard)
    if len(dragons) != 1:
        raise broken_piece(catalogue, "dragon-card", "entry")
    items = told("item", Item)
    for name, item in items.items():
        if (item.coins is None) == (item.chip is None) or (item.chip is None) != (item.level is None):
            raise broken_piece(catalogue, name, "coins, or chip and level,")
    victories = told("victory", Victory)
    copies = {card.id: card.copies for card in catalogue.cards}
    made: dict[tuple[str, int], str] = {}
    for name, chip in chips.items():
        made.setdefault((chip.kind, chip.value), name)
    arrows: dict[str, Side] = {}
    for card in of_role(catalogue, "entrance"):
        arrow = card.more.get("arrow")
        if arrow not in ("top", "right", "bottom", "left"):
            raise broken_piece(catalogue, card.id, "arrow")
        arrows[card.id] = arrow
    return Pieces(
        catalogue=catalogue,
        panels=panels,
        rooms=frozenset(card.id for card in of_role(catalogue, "room")),
        entrances=frozenset(arrows),
        arrows=arrows,
        backs=frozenset(card.id for role in ("back", "entrance-back") for card in of_role(catalogue, role)),
        marked_backs=frozenset(card.id for card in of_role(catalogue, "entrance-back")),
        pawns=frozenset(card.id for card in of_role(catalogue, "pawn")),
        chips=chips,
        lives={card.id: _value(catalogue, card) for card in of_role(catalogue, "life")},
        coins={card.id: _value(catalogue, card) for card in of_role(catalogue, "coin")},
        characters=told("character", Character),
        dragon=next(iter(dragons.values())),
        monsters=told("monster", Monster),
        items=items,
        curses=told("curse", Curse),
        victories=victories,
        copies=copies,
        made=made,
        victory_count=sum(copies[name] for name in victories),
        lying={
            (name, rotation): turned(sides, rotation)
            for name, sides in panels.items()
            for rotation in (0, 90, 180, 270)
        },
    )


def _value(catalogue: Catalogue, card: Card) -> int:
    if card.value is None or card.value < 1:
        raise broken_piece(catalogue, card.id, "value")
    return card.value
