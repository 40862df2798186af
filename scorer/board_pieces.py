"""The pieces of a board game's catalogue: what they tell beside the form that all cards share."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from scorer.board_record import whole_numbers
from scorer.catalogue import Card, Catalogue
from scorer.errors import Code, WaymarkError

S = TypeVar("S", bound=msgspec.Struct)


def told_piece(catalogue: Catalogue, card: Card, form: type[S]) -> S:
    """What a piece tells beside the form of all cards. Raises `WaymarkError` (broken-catalogue), also where
    nobody has told anything yet: usual values are no guess of what is printed on it."""
    told = whole_numbers(card.more)
    if not any(field.encode_name in told for field in msgspec.structs.fields(form)):
        raise WaymarkError(
            Code.BROKEN_CATALOGUE,
            f"Box {catalogue.name!r}: what is printed on {card.id!r} is not entered yet; enter it on the "
            "page of the box.",
            f"箱 {catalogue.name!r}: {card.id!r} に印刷されている内容がまだ入っていません。"
            "箱のページで入れてください。",
        )
    try:
        return msgspec.convert(told, form)
    except msgspec.ValidationError as error:
        raise broken_piece(catalogue, card.id, str(error)) from error


def broken_piece(catalogue: Catalogue, card_id: str, what: str) -> WaymarkError:
    """The error for a piece that cannot be played with, for want of something."""
    return WaymarkError(
        Code.BROKEN_CATALOGUE,
        f"Catalogue {catalogue.name!r}, piece {card_id!r}: its {what} is missing or cannot be; mend it.",
        f"カタログ {catalogue.name!r} の {card_id!r} の {what} がないか正しくありません。直してください。",
    )
