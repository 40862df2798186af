"""The specification of the pieces of a board game's box, for enrolment from photos: the pieces, and the facts
to enter about each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.catalogue import CardKind, Shape
from scorer.enrolment_facts import Fact, as_told
from scorer.square_grid import Cell, rotations_of, turned
from scorer.text import NO_WORDS, Text

#: How pieces of a kind are laid out for a photo.
LAID_OUT: Mapping[str, Text] = {
    "tile": Text("Lay the tiles apart, face up, on a plain table: all at once, or some in each photo."),
    "board": Text("Nothing may lie on it, and its whole rim must be in view."),
    "card": Text("Lay the cards apart, face up, on a plain table."),
    "chip": Text("Lay them apart, face up."),
    "coin": Text("Lay them apart, face up."),
    "pawn": Text("Lay them on their side, apart, with their feet towards you."),
    "figure": Text("Lay them on their side, apart, with their feet towards you."),
}


@dataclass(frozen=True, kw_only=True)
class TileSort:
    """Tiles that a game calls by one word, its `role`. `corridors` are the open sides of each corridor as the
    rules draw it; none where a tile of this sort may open to any sides, all of them joined. `has_room` says
    whether a room is printed on it (None: unknown). A box has `least` to `most` of them."""

    role: str
    name: Text
    corridors: tuple[int, ...] = ()
    has_room: bool | None = None
    least: int = 0
    most: int = 1000

    @property
    def sides(self) -> int:
        """The union of the open sides of all its corridors."""
        every = 0
        for each in self.corridors:
            every |= each
        return every

    @property
    def rotations(self) -> tuple[int, ...]:
        """The rotations in degrees that give distinct tiles, in view of the tile's symmetry."""
        found: dict[frozenset[int], int] = {}
        for rotation in (0, 90, 180, 270):
            found.setdefault(frozenset(turned(each, rotation) for each in self.corridors), rotation)
        return tuple(found.values())

    def lying(self, rotation: int) -> tuple[int, ...]:
        """The open sides of its corridors after a clockwise rotation in degrees."""
        return tuple(turned(each, rotation) for each in self.corridors)


@dataclass(frozen=True, kw_only=True)
class AskedPieces:
    """The specification of one sort of pieces. `word` is its name in enrolment, `count` the number in a box
    (0: any number) and `usual_mm` the common size.

    Tiles have `ways`, the number of tiles by shape (open sides up to rotation), and `sorts` where the game
    has several. Pieces distinguished by number have `values`, those by colour `colours`, each with `copies`.
    Pieces with `designs` are distinguished by their looks. A board has `printed` cells with their open sides.

    `facts` are further facts to enter, and `told` converts them to catalogue fields. `plain` pieces need no
    photo, since their colour, in this field, says all. `hint` tells how to arrange them for a photo, where
    their kind does not (`laid_out`)."""

    word: str
    name: Text
    kind: CardKind
    shape: Shape
    usual_mm: tuple[float, float]
    role: str | None = None
    count: int = 1
    copies: int = 1
    values: tuple[int, ...] = ()
    colours: tuple[str, ...] = ()
    designs: bool = False
    plain: str = ""
    hint: Text = NO_WORDS
    ways: Mapping[int, int] = field(default_factory=dict)
    sorts: tuple[TileSort, ...] = ()
    printed: Mapping[Cell, int] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    told: Callable[[Mapping[str, Any]], Mapping[str, Any]] = as_told

    @property
    def roles(self) -> tuple[str | None, ...]:
        """The roles of its pieces in a catalogue. A tile of several sorts has no role at first."""
        return (*(sort.role for sort in self.sorts), None) if self.sorts else (self.role,)

    @property
    def laid_out(self) -> Text:
        """The instruction how to arrange the pieces for a photo."""
        return self.hint if self.hint.en else LAID_OUT.get(self.kind, LAID_OUT["card"])

    @property
    def counted(self) -> bool:
        """Whether a number, colour, design or shape distinguishes each piece from the others."""
        return bool(self.values or self.colours or self.designs or self.ways)

    @property
    def lying_ways(self) -> dict[int, float]:
        """The probability of each set of open sides for a tile in random orientation."""
        total = sum(self.ways.values())
        return {
            turned(sides, rotation): number / total / len(rotations_of(sides))
            for sides, number in self.ways.items()
            for rotation in rotations_of(sides)
        }

    def sort(self, role: str | None) -> TileSort | None:
        """The sort of tiles with a role; None where there is none."""
        return next((each for each in self.sorts if each.role == role), None)


def photographed_together(asked: Sequence[AskedPieces]) -> list[tuple[AskedPieces, ...]]:
    """The sorts of pieces grouped by photo. Discs share one photo and figures another, unless their values
    coincide or each is a design of its own. Every other sort has its own photo. Pieces that need no photo
    are left out."""
    groups: dict[str, list[AskedPieces]] = {}
    for each in asked:
        if each.plain:
            continue
        word = each.shape if each.shape in ("disc", "standing") else each.word
        values = {value for other in groups.get(word, ()) for value in other.values}
        if each.designs or values & set(each.values):
            word = each.word
        groups.setdefault(word, []).append(each)
    return [tuple(group) for group in groups.values()]
