"""Hidden cards that a pass uses: which may be used for what, and whether they were there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scorer.board_record import BoardPlayer
from scorer.labyrinth2.pieces import Pieces


def unavailable(player: BoardPlayer, pieces: Pieces, used: Iterable[str]) -> list[int]:
    """Which of the cards that a player used, by number, were not in hand: a card serves once in a pass. A
    hand that is not told may hold as many of each as there are, and as many as its size."""
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
    """A hand after cards were used; one that was not told goes for one that is not known."""
    left = list(hand)
    for name in used:
        if name in left:
            left.remove(name)
        elif None in left:
            left.remove(None)
    return tuple(left)
