"""A dungeon proposed for a card that nobody has traced."""

from __future__ import annotations

import math
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.proposal.assembly import assembled
from calibration.proposal.drawing import FIND
from calibration.proposal.icons import naming
from calibration.proposal.knowledge import MOST_USUAL, Knowledge
from calibration.proposal.known_stairs import told_by_prints
from calibration.proposal.level_colours import told_by_colour
from calibration.proposal.parts import Sight, look
from calibration.proposal.prints import printed_at
from calibration.proposal.soundness import sound
from calibration.proposal.spots import FAINT, SeenFind, Spot, spots
from calibration.proposal.unnamed import guessed
from calibration.tracing import LEAST_SURE
from scorer.catalogue import Card, CardKind, Edge, Node, Point, Room, RoomFind

Guess = TypeVar("Guess", Node, Edge, Room, RoomFind)

#: How sure the kind is of a find that no named icon is like.
_UNNAMED_CONFIDENCE = 0.1
#: How surely an icon is named for it to overrule what the lines say of it.
_NAMED = 0.35
#: What is less alike by so much than the deck's repeats are is none of the named icons: it is like them from
#: the first on anywhere, and from the second on everywhere. On 60 cards of the open deck (tuning, ten traced;
#: repeats 0.42 to 0.53 alike) finds with a named icon were 0.5 alike and more, but for some pits, which lie
#: at any angle (0.38), and 24 spots that are none at most 0.4; on plates of one colour, whose repeats are
#: 0.96 alike, others are up to 0.62.
_NO_REPEAT, _LIKE_ICON = 0.25, (0.42, 0.7)
#: From so far off an icon is looked at once more; finds this near are one.
_LOOK_AGAIN_MM, _LOOKS, _ONE_FIND_MM = 1.5, 2, 3.0
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
    chances = told_by_prints(chances, face, size_mm, knowledge.prints, knowledge.stairs_likeness)
    px_per_mm = np.array(chances.shape[:0:-1], float) / np.asarray(size_mm)
    seen = [_named(face, size_mm, spot, knowledge) for spot in spots(chances, FIND, px_per_mm, FAINT[FIND])]
    finds = _one_a_place([find for find in seen if find is not None])
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
    """What a spot is, where its icon lies; None where people have traced its like as no find."""
    least = float(np.clip(knowledge.likeness - _NO_REPEAT, *_LIKE_ICON))
    named = None
    for _ in range(_LOOKS):
        seen = printed_at(face, size_mm, spot.at.tolist(), marked=False)
        named = naming(seen, knowledge.prints, knowledge.likeness)
        if named is None or named.find is None or named.likeness < least:
            break
        spot = Spot(spot.at + named.off_mm, spot.chance)
        if math.hypot(*named.off_mm) < _LOOK_AGAIN_MM:
            break
    if named is None:
        return SeenFind(spot, MOST_USUAL, 1, _UNNAMED_CONFIDENCE, may_be_pit=True)
    if named.find is None:
        return None
    known = named.likeness >= least
    told = None
    if not known and knowledge.looks is not None:
        told = guessed(seen.as_marked, knowledge.looks)
    find, value = told or (named.find, named.value)
    # where pits are known by their icon, what does not look like one is none
    pit = find == "pitfall"
    if not any(each.find == "pitfall" for each in knowledge.prints):
        pit = named.confidence < _NAMED
    return SeenFind(spot, find, value, named.confidence, pit, known, not known)


def _one_a_place(finds: list[SeenFind]) -> list[SeenFind]:
    """Of finds whose icons lie at one place, the likeliest: those that are known first."""
    kept: list[SeenFind] = []
    for find in sorted(finds, key=lambda each: (each.known, each.spot.chance), reverse=True):
        if all(math.dist(find.spot.at, other.spot.at) >= _ONE_FIND_MM for other in kept):
            kept.append(find)
    return kept
