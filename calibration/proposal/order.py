"""Which cards to trace first: those whose icons show what no traced card shows yet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.proposal.icons import NamedPrint
from calibration.proposal.prints import Print, alike, printed_at
from scorer.catalogue import Card, Point

#: Prints more alike than this show the same for the purpose.
_SAME = 0.86
#: How many cards are told.
_TOLD = 10
#: No more prints than this are compared with one another.
_MOST = 400


def most_told_next(
    cards: Sequence[tuple[Card, NDArray[np.uint8], Point]], known: Sequence[NamedPrint]
) -> list[str]:
    """The ids of up to ten cards, in the order in which tracing them tells most: each shows the icons that
    occur most often among those that no traced card, and none before it in the order, shows."""
    seen: list[tuple[str, Print]] = []
    for card, face, size_mm in cards:
        spots = [node.at for node in card.nodes if node.find]
        spots += [find.at for room in card.rooms for find in room.finds]
        seen += [(card.id, printed_at(face, size_mm, at)) for at in spots]
    seen = seen[:_MOST]
    groups: list[tuple[Print, list[str]]] = []
    for card_id, print_ in seen:
        for first, members in groups:
            if alike(print_, first) >= _SAME:
                members.append(card_id)
                break
        else:
            groups.append((print_, [card_id]))
    unknown = [
        members for first, members in groups if all(alike(first, other.print) < _SAME for other in known)
    ]
    order: list[str] = []
    left = [card.id for card, _, _ in cards]
    while left and len(order) < _TOLD:
        worth = {id_: sum(len(members) for members in unknown if id_ in members) for id_ in left}
        best = max(left, key=lambda id_: worth[id_])
        order.append(best)
        left.remove(best)
        unknown = [members for members in unknown if best not in members]
    return order
