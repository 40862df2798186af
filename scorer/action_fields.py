"""Meanings of the fields of actions, as annotations of their structs, such as
`draw: Annotated[str, PieceOf("dungeon")]`. The checks of names and the forms for entry are made from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from scorer.board_problems import check_names
from scorer.board_turn import check_cell, check_player
from scorer.catalogue import Catalogue
from scorer.text import Text


@dataclass(frozen=True)
class PieceOf:
    """The field names pieces of a kind: itself, its items, or its keys. `offered` is the kind that forms
    offer, where that is a smaller one."""

    kind: str
    offered: str = ""


@dataclass(frozen=True)
class PlayerName:
    """The field names players: itself, its items, or its keys. `more` are other names that are allowed."""

    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class OnGrid:
    """The field is a cell of a square grid with this many cells to a side."""

    side: int


@dataclass(frozen=True)
class Asks:
    """The question by which a form asks for the field. Forms leave out fields without one. `choices` are
    words to choose from, where the field names no piece and no player."""

    question: Text
    choices: tuple[str, ...] = ()


def check_fields(
    struct: msgspec.Struct,
    catalogue: Catalogue,
    kinds: Mapping[str, Collection[str]],
    players: Collection[str],
) -> None:
    """Check the names and cells in a struct and in those within it. `kinds` are the ids of pieces by kind.
    Raises `WaymarkError` (bad-record, unknown-card)."""
    for field, meanings in _meanings(type(struct)).items():
        value = getattr(struct, field)
        for meaning in meanings:
            match meaning:
                case PieceOf(kind):
                    check_names(catalogue, _names(value), kinds[kind])
                case PlayerName(more):
                    for name in _names(value):
                        check_player(name, {*players, *more})
                case OnGrid(side):
                    check_cell(value, side)
        for within in _structs(value):
            check_fields(within, catalogue, kinds, players)


def questions(actions: Iterable[type[msgspec.Struct]]) -> dict[str, Text]:
    """The questions of fields, by the action's tag and the field (`move.to`)."""
    return {
        place: meaning.question
        for place, meanings in _places(actions)
        for meaning in meanings
        if isinstance(meaning, Asks)
    }


def offers(
    actions: Iterable[type[msgspec.Struct]], kinds: Mapping[str, Sequence[str]], players: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The names that forms offer for fields that are asked, by the action's tag and the field."""
    found = {}
    for place, meanings in _places(actions):
        for meaning in meanings if any(isinstance(each, Asks) for each in meanings) else ():
            if isinstance(meaning, PieceOf):
                found[place] = tuple(kinds[meaning.offered or meaning.kind])
            elif isinstance(meaning, PlayerName):
                found[place] = (*players, *meaning.more)
            elif isinstance(meaning, Asks) and meaning.choices:
                found[place] = meaning.choices
    return found


def _places(actions: Iterable[type[msgspec.Struct]]) -> Iterator[tuple[str, tuple[object, ...]]]:
    for action in actions:
        told = dict(zip(action.__struct_fields__, action.__struct_encode_fields__, strict=True))
        for field, meanings in _meanings(action).items():
            yield f"{action.__struct_config__.tag}.{told[field]}", meanings


@cache
def _meanings(struct: type[msgspec.Struct]) -> dict[str, tuple[object, ...]]:
    """The meanings of each field of a struct."""
    return {
        name: get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        for name, hint in get_type_hints(struct, include_extras=True).items()
        if name in struct.__struct_fields__
    }


def _names(value: Any) -> Iterable[str]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _structs(value: Any) -> Iterator[msgspec.Struct]:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    yield from (each for each in inner if isinstance(each, msgspec.Struct))
