"""Payments in games where any of several means can pay: which means was used at which place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec

from scorer.text import Text

R = TypeVar("R", bound=msgspec.Struct)
B_contra = TypeVar("B_contra", contravariant=True)
T_contra = TypeVar("T_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Way:
    """One thing that a payment could be made with: `means` by the game's word, `source` where it was found;
    `words` for people."""

    means: str
    source: str | None
    words: Text


@dataclass(frozen=True, slots=True)
class PaymentChoice:
    """A payment that could have been made in several `ways`, with its place and step (from 1).

    `tool` is the tool demanded, `used` the way actually taken, and a flag says whether people stated it.
    `elsewhere` are ways that may be missed at another place if they are used here."""

    at: str
    step: int
    tool: str
    used: Way
    ways: tuple[Way, ...]
    stated: bool
    elsewhere: tuple[Way, ...] = ()


class Payments(Protocol[R, B_contra, T_contra]):
    """Payments of a game in which players may state the items used at places."""

    def choices(self, board: B_contra, record: R, terms: T_contra) -> tuple[PaymentChoice, ...]:
        """The payments for which any of several things would do, in walking order."""
        ...

    def state(self, record: R, at: str, means: str | None, source: str | None = None) -> R:
        """The record with a statement of the means used at a place; None removes the statement. Raises
        `WaymarkError` (unknown-means)."""
        ...
