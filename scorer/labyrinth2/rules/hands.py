"""Rules for the hidden hand cards used in a pass: their uses, and whether they were in the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scorer.board_record import BoardPlayer
from scorer.labyrinth2.rules.pieces import Pieces


def unavailable(player: BoardPlayer, pieces: Pieces, used: Iterable[str]) -> list[int]:
    """The indices of used cards that cannot have been in the player's hand. Each card serves only once in a
    pass. An unknown hand may hold every copy that exists, up to the size of the hand."""
    known, unknown = Counter(pieces.copies), player.hand_size
    if player.hand is not None:
        known = Counter(name for name in player.hand if name is not None)
        unknown = sum(name is None for name in player.hand)
    missing = []
    for number, name in enumerate(used):
        if player.hand is None:
            there = known[name] > 0 and unknown != 0
            known[name] -= there
            unknown = unknown - there if unknown is not None else None
        elif known[name] > 0:
            there = True
            known[name] -= 1
        else:
            there = bool(unknown)
            unknown = (unknown or 0) - there
        if not there:
            missing.append(number)
    return missing


def without(hand: tuple[str | None, ...], used: Iterable[str]) -> tuple[str | None, ...]:
    """A hand after the use of some cards. A used card that is not among the known ones is taken from the
    unknown ones."""
    left = list(hand)
    for name in used:
        if name in left:
            left.remove(name)
        elif None in left:
            left.remove(None)
    return tuple(left)
