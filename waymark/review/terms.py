"""TEMPORARY until the game's Terms."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from scorer.mapmasters.settings import HOUSE, VersusSettings
from scorer.record import Objectives, Record


@dataclass(frozen=True)
class Terms:
    """What is told, not seen."""

    fairy_tokens: dict[str, int] = field(default_factory=dict)
    spellbooks: tuple[str, ...] = ()
    primary: str | None = None
    secondary: str | None = None
    settings: VersusSettings = HOUSE


def with_terms(record: Record, terms: Terms) -> Record:
    """The record with what was told beside the photo."""
    return msgspec.structs.replace(
        record,
        fairy_tokens=terms.fairy_tokens,
        spellbooks=terms.spellbooks,
        objectives=Objectives(primary=terms.primary, secondary=terms.secondary),
    )
