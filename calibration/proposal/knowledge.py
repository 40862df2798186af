"""What is known of a deck before a card's dungeon is proposed: nothing, then ever more from what people have
traced."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.proposal.deck_style import DeckStyle, learned_style
from calibration.proposal.drawing import drawing_of, drawn_parts
from calibration.proposal.habits import Habits, KnownOpening
from calibration.proposal.icons import UNKNOWN_LIKENESS, NamedPrint, named_prints, usual_likeness
from calibration.proposal.parts import Sight, gathered, look, size_px_of
from calibration.proposal.unnamed import Looks, looks_of
from scorer.catalogue import Card, Catalogue, FindKind, Level, Node
from vision.art import read_art

Face = NDArray[np.uint8]
#: So many traced cards teach how the deck is drawn; all teach its icons and openings.
_STYLE_CARDS = 16
#: What a find is where nothing is known of it: most of a dungeon's are coins.
MOST_USUAL: FindKind = "coin"
#: Prints of one kind that are kept.
_PRINTS_OF_KIND = 8
_LEVELS: tuple[Level, Level] = ("main", "underground")
#: Where corridors end with nothing there more seldom than this, one that seems to is rather misread.
_DEAD_ENDS_A_CARD = 0.15
#: So many ends of stairs tell where stairs stand.
_FEWEST_STAIRS = 4


@dataclass(frozen=True)
class Knowledge:
    """What is known of a deck; empty at first."""

    cards: int = 0
    style: DeckStyle | None = None
    prints: tuple[NamedPrint, ...] = ()
    #: How much alike prints of one icon are.
    likeness: float = UNKNOWN_LIKENESS
    #: How much alike prints of stairs are; less than anything where that is not known.
    stairs_likeness: float = -1.0
    #: What they tell of icons that nobody has named.
    looks: Looks | None = None
    habits: Habits = field(default_factory=Habits)


def learn(catalogue: Catalogue, sight_of: Callable[[Card, Face], Sight] | None = None) -> Knowledge:
    """What the catalogue's confirmed dungeons teach. `sight_of` is asked where sights are kept; cards whose
    art cannot be read teach nothing."""
    traced: list[tuple[Card, Face]] = []
    for card in catalogue.cards:
        # starters of five colours are one dungeon: the first stands for all
        if card.tracing == "yes" and not any(_same_dungeon(card, other) for other, _ in traced):
            art = None if catalogue.folder is None else read_art(catalogue.art_path(card))
            if art is not None:
                traced.append((card, np.asarray(art, np.uint8)))
    return learned([(card, face, catalogue.size_of(card.id)) for card, face in traced], sight_of)


def learned(
    traced: Sequence[tuple[Card, Face, tuple[float, float]]],
    sight_of: Callable[[Card, Face], Sight] | None = None,
) -> Knowledge:
    """What cards teach whose dungeon a person has confirmed, each with its face and its size in mm."""
    if not traced:
        return Knowledge()
    step = max(1.0, len(traced) / _STYLE_CARDS)
    chosen = [traced[int(k * step)] for k in range(min(_STYLE_CARDS, len(traced)))]
    sights = [sight_of(card, face) if sight_of else look(face, size) for card, face, size in chosen]
    parts = [
        drawn_parts(drawing_of(card, size, size_px_of(size)), size_px_of(size)) for card, _, size in chosen
    ]
    prints: list[NamedPrint] = []
    for card, face, size in traced:
        for found in named_prints(card, face, size):
            same = [p for p in prints if (p.find, p.value, p.place) == (found.find, found.value, found.place)]
            if len(same) < _PRINTS_OF_KIND:
                prints.append(found)
    return Knowledge(
        cards=len(traced),
        style=learned_style(sights, [gathered(part) for part in parts]),
        prints=tuple(prints),
        likeness=usual_likeness(prints, "find", UNKNOWN_LIKENESS),
        stairs_likeness=usual_likeness(prints, "stairs", -1.0),
        looks=looks_of(prints, MOST_USUAL),
        habits=_habits([card for card, _, _ in traced]),
    )


def _same_dungeon(one: Card, other: Card) -> bool:
    return (one.nodes, one.edges, one.rooms) == (other.nodes, other.edges, other.rooms)


def _habits(cards: Sequence[Card]) -> Habits:
    nodes = [node for card in cards for node in card.nodes]
    ends = [node.level for node in nodes if node.kind == "end"]
    lines_at_stairs = [
        sum(edge.kind == "corridor" and node.id in (edge.from_, edge.to) for edge in card.edges)
        for card in cards
        for node in card.nodes
        if node.kind == "stairs"
    ]
    return Habits(
        openings=_known_openings([node for node in nodes if node.side]),
        dead_ends=frozenset(
            level for level in _LEVELS if ends.count(level) >= _DEAD_ENDS_A_CARD * len(cards)
        ),
        stairs_at_ends=len(lines_at_stairs) >= _FEWEST_STAIRS and set(lines_at_stairs) == {1},
        landings_mm=_landings_mm(cards),
    )


def _landings_mm(cards: Sequence[Card]) -> tuple[float, float]:
    """How far from their pits landings lie, the nearest and the farthest; at them where none is known."""
    away = []
    for card in cards:
        at = {node.id: node.at for node in card.nodes}
        at |= {find.id: find.at for room in card.rooms for find in room.finds}
        away += [math.dist(at[edge.from_], at[edge.to]) for edge in card.edges if edge.kind == "fall"]
    return (min(away), max(away)) if away else (0.0, 0.0)


def _known_openings(nodes: Sequence[Node]) -> tuple[KnownOpening, ...]:
    """Openings that lie at the same place of the same side, as one."""
    found: list[KnownOpening] = []
    for side in ("left", "right", "top", "bottom"):
        places = sorted(node.at[1 if side in ("left", "right") else 0] for node in nodes if node.side == side)
        for group in np.split(places, np.flatnonzero(np.diff(places) > 1.5) + 1) if places else []:
            found.append(KnownOpening(side, float(np.median(group)), len(group)))
    return tuple(found)
