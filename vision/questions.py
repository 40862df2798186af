"""Questions: what the photo leaves open, with the records that the possible answers would make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scorer.record import Record

#: A reading this much less likely (nats) than the best is no doubt any more.
DOUBT = 5.0

About = Literal["card", "path", "direction", "mark"]


@dataclass(frozen=True)
class Question:
    """One doubt. The first of `options` is what was read; `alternatives` are whole records for the others,
    in order.

    `place` is a place of the record, a card's index where the card is in doubt, or "" when the doubt is
    about no single one.
    `crop_px` is a box in photo pixels (left, top, right, bottom) in which a person sees what the question is
    about, or None.
    `behind` is by how much the ink makes the others less likely (nats) than what was read, 0 where it does
    not tell.
    `reason` is the English sentence, the one that CONTRACT section 4 names.
    """

    about: About
    place: str
    options: tuple[str, ...]
    reason_en: str
    reason_ja: str
    crop_px: tuple[int, int, int, int] | None = None
    alternatives: tuple[Record, ...] = ()
    behind: float = 0.0
    reason: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", self.reason_en)
