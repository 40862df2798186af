"""The enrolment of a player's own box: the pieces of which faces and facts are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorer.enrolment_pieces import AskedPieces


@dataclass(frozen=True)
class Enrolment:
    """The kinds of pieces in a box, with the facts asked about each; empty for a game of dungeon cards."""

    asked: tuple[AskedPieces, ...] = ()


NO_ENROLMENT = Enrolment()
