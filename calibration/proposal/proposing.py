"""A dungeon proposed for a card that nobody has traced."""

from __future__ import annotations

from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.proposal.assembly import assembled
from calibration.proposal.drawing import FIND
from calibration.proposal.icons import naming, printed_at
from calibration.proposal.knowledge import Knowledge
from calibration.proposal.level_colours import told_by_colour
from calibration.proposal.parts import Sight, look
from calibration.proposal.soundness import sound
from calibration.proposal.spots import FAINT, SeenFind, Spot, spots
from calibration.tracing import LEAST_SURE
from scorer.catalogue import Card, CardKind, Edge, FindKind, Node, Point, Room, RoomFind

Guess = TypeVar("Guess", Node, Edge, Room, RoomFind)

#: A find that no named icon is like is called this, very unsurely: most finds of a dungeon are coins.
_UNNAMED: FindKind = "coin"
_UNNAMED_CONFIDENCE = 0.1
#: How surely an icon is named for it to overrule what the lines say of it.
_NAMED = 0.35
#: Before people have traced so many cards of a deck nothing is proposed as sure: after none, 15 to 31% of
#: what was, on decks that nobody had tuned on, was wrong.
FEWEST_TRACED = 3
_UNTAUGHT = 0.98 * LEAST_SURE


def propose(
    face: NDArray[np.uint8],
    size_mm: Point,
    knowledge: Knowledge,
    *,
    like: Card | None = None,
    sight: Sight | None = None,
) -> Card:
    """A dungeon for a face (H, W, 3) BGR, upright: nodes, corridors, rooms and finds, each with a confidence.

    It is sound by construction; where nothing was found the card has none. All of it is below `LEAST_SURE`
    while fewer than `FEWEST_TRACED` cards of the deck are traced. `like` gives the card its id, kind and art,
    `sight` is what `look` saw, where that is known already.
    """
    sight = sight or look(face, size_mm)
    if knowledge.style is not None:
        sight = knowledge.style.seen(sight)
    chances = told_by_colour(sight.chances(), face, size_mm)
    px_per_mm = np.array(chances.shape[:0:-1], float) / np.asarray(size_mm)
    seen = [_named(face, size_mm, spot, knowledge) for spot in spots(chances, FIND, px_per_mm, FAINT[FIND])]
    finds = [find for find in seen if find is not None]
    name: tuple[str, CardKind, str] = (like.id, like.kind, like.art) if like else ("", "dungeon", "")
    card = sound(assembled(chances, size_mm, finds, knowledge.habits, name), size_mm)
    return card if knowledge.cards >= FEWEST_TRACED else _unsure(card)


def _unsure(card: Card) -> Card:
    """The card with nothing in it that is not to be looked at."""
    rooms = [msgspec.structs.replace(room, finds=tuple(map(_capped, room.finds))) for room in card.rooms]
    return msgspec.structs.replace(
        card,
        nodes=tuple(map(_capped, card.nodes)),
        edges=tuple(map(_capped, card.edges)),
        rooms=tuple(map(_capped, rooms)),
    )


def _capped(guess: Guess) -> Guess:
    return msgspec.structs.replace(guess, confidence=min(guess.confidence or 0.0, _UNTAUGHT))


def _named(face: NDArray[np.uint8], size_mm: Point, spot: Spot, knowledge: Knowledge) -> SeenFind | None:
    """What a spot is; None where people have traced its like as no find."""
    named = naming(printed_at(face, size_mm, spot.at.tolist()), knowledge.prints, knowledge.likeness)
    if named is None:
        return SeenFind(spot, _UNNAMED, 1, _UNNAMED_CONFIDENCE, may_be_pit=True)
    if named.find is None:
        return None
    # where pits are known by their icon, what does not look like one is none
    pit = named.find == "pitfall"
    if not any(each.find == "pitfall" for each in knowledge.prints):
        pit = named.confidence < _NAMED
    return SeenFind(spot, named.find, named.value, named.confidence, may_be_pit=pit)
