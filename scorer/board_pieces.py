"""Pieces of a board game's catalogue: their own fields beside those that all cards share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from scorer.board_record import whole_numbers
from scorer.catalogue import Card, Catalogue
from scorer.errors import Code, WaymarkError
from scorer.text import Text

P = TypeVar("P")
S = TypeVar("S", bound=msgspec.Struct)


def kept_pieces(catalogue: Catalogue, made: Callable[[Catalogue], P]) -> P:
    """What a game looks up of a catalogue (`made`), computed once and kept with the catalogue."""
    kept: dict[object, P] = catalogue.__dict__.setdefault("_pieces", {})
    if made not in kept:
        kept[made] = made(catalogue)
    return kept[made]


def of_role(catalogue: Catalogue, role: str) -> list[Card]:
    """The pieces of a role."""
    return [card for card in catalogue.cards if card.role == role]


def told_piece(catalogue: Catalogue, card: Card, form: type[S]) -> S:
    """The game-specific properties of a piece, converted from the catalogue entry's extra fields to `form`.

    Raises `WaymarkError` (broken-catalogue), also where no property has been entered yet. Defaults would be a
    poor guess of what is printed on the piece."""
    told = whole_numbers(card.more)
    if not any(field.encode_name in told for field in msgspec.structs.fields(form)):
        raise WaymarkError(
            Code.BROKEN_CATALOGUE,
            Text(
                "Box {catalogue!r}: what is printed on {id!r} is not entered yet; enter it on the page of "
                "the box.",
                catalogue=catalogue.name,
                id=card.id,
            ),
        )
    try:
        return msgspec.convert(told, form)
    except msgspec.ValidationError as error:
        raise broken_piece(catalogue, card.id, str(error)) from error


def broken_piece(catalogue: Catalogue, card_id: str, what: str) -> WaymarkError:
    """The error for a piece that cannot be played with, for want of something."""
    return WaymarkError(
        Code.BROKEN_CATALOGUE,
        Text(
            "Catalogue {catalogue!r}, piece {card_id!r}: its {what} is missing or cannot be; mend it.",
            catalogue=catalogue.name,
            card_id=card_id,
            what=what,
        ),
    )
