"""Direction of a path: ink does not show which end was drawn first, so the path is refereed both
ways, or in every order that its strokes may have.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import cast

import msgspec

from scorer.mapmasters.rules.ruling import Direction, Ruling, SettledBy
from scorer.text import Text
from scorer.verdict import Choice

_SENTENCES: dict[str, Text] = {
    "only_legal": Text("Only one direction of the path is legal, so that is the one."),
    "same_score": Text(
        "The path scores the same in every direction that it may have, so it does not matter which was drawn."
    ),
    "asked": Text("The directions of the path score differently; please say which end it starts from."),
}


def choose(rulings: Sequence[Ruling]) -> Choice:
    """Choose between the rulings of one path in the directions that it may have.

    Where only some are legal, one of those was drawn. Where none is, the likeliest is the one that comes
    farthest, since a player thinks that his path is legal. Likely readings that are worth the same are no
    question.
    """
    legal = [k for k, ruling in enumerate(rulings) if ruling.legal]
    likely = legal or list(range(len(rulings)))
    chosen = likely[0] if legal else max(likely, key=lambda k: len(rulings[k].steps))
    rivals = tuple(k for k in likely if k != chosen)
    by: SettledBy = "asked"
    if not rivals:
        by = "only_legal"
    elif all(worth(rulings[chosen]) == worth(rulings[k]) for k in rivals):
        by = "same_score"
    return Choice(chosen, rivals, by, _SENTENCES[by], asked=by == "asked")


def worth(ruling: Ruling) -> Hashable:
    """The outcome that objectives score: counts, optimizers and escape of a ruling."""
    discovered = frozenset((find, count) for find, count in ruling.discovered.items() if count)
    optimizers = frozenset((optimizer, count) for optimizer, count in ruling.optimizers.items() if count)
    return discovered, optimizers, ruling.escaped


def outcome(ruling: Ruling) -> Hashable:
    """The visible outcome of a ruling: its worth, its legality, and where the path ends."""
    return worth(ruling), ruling.legal, ruling.ended, ruling.last_place, ruling.why.rule


def with_choice(ruling: Ruling, choice: Choice, *, turned: bool = False) -> Ruling:
    """The ruling with the reason for its direction; `turned`: it is about the path read backwards."""
    return msgspec.structs.replace(ruling, direction=told_direction(choice, turned=turned))


def told_direction(choice: Choice, *, turned: bool = False) -> Direction:
    """The reason for a direction in the form of a ruling."""
    return Direction(
        by=cast(SettledBy, choice.by), turned=turned, message=choice.why.en, message_ja=choice.why.ja
    )
