"""Descriptions of places: the kind of place, its card, and its position on the card. Positions refer to the
printed orientation, or to the viewer's (`Dungeon.lie`)."""

from __future__ import annotations

from scorer.dungeon import Dungeon, Place
from scorer.errors import Code, WaymarkError
from scorer.placement import EPSILON_MM, table_to_card
from scorer.text import Text
from scorer.vocabulary import Vocabulary

_KIND_NAMES: dict[str, Text] = {
    "opening": Text("opening"),
    "junction": Text("corridor"),
    "stairs": Text("stairs"),
    "door": Text("door"),
    "end": Text("dead end"),
    "room": Text("room"),
}
#: A junction where so many corridors meet.
_CROSSINGS: dict[int, Text] = {3: Text("three-way crossing"), 4: Text("four-way crossing")}
#: One where more meet.
_CROSSING = Text("crossing")
_UNDERGROUND = Text("underground {what}")
#: Where on the card, by the third of its height and of its width.
_SPOTS: tuple[tuple[Text, ...], ...] = (
    (Text("at the top left"), Text("at the top"), Text("at the top right")),
    (Text("at the left"), Text("in the middle"), Text("at the right")),
    (Text("at the bottom left"), Text("at the bottom"), Text("at the bottom right")),
)


def place_words(vocabulary: Vocabulary, dungeon: Dungeon, place: Place, *, with_id: bool = True) -> Text:
    """What lies at `place` and where on which card: "the monster at the top left of D29 [0.m1]"; people who
    look at the cards are not told its name in records (`with_id`)."""
    card, where = dungeon.cards[place.card_index].card, place_on_card(vocabulary, dungeon, place)
    if not with_id:
        return Text("{where} of {card}", where=where, card=card)
    return Text("{where} of {card} [{id}]", where=where, card=card, id=place.id)


def place_on_card(vocabulary: Vocabulary, dungeon: Dungeon, place: Place) -> Text:
    """The same where the card is known: "the monster at the top left"."""
    what, spot = _what(vocabulary, dungeon, place), _spot(dungeon, place)
    if place.level == "underground":
        what = _UNDERGROUND.filled(what=what)
    return Text("the {what} {spot}", what=what, spot=spot)


def known_place(dungeon: Dungeon, name: str) -> Place:
    """The place called `name`. Raises `WaymarkError` (unknown-place)."""
    place = dungeon.places.get(name)
    if place is None:
        raise WaymarkError(
            Code.UNKNOWN_PLACE,
            Text(
                "There is no place {name!r} in this dungeon; places are written <number of the card, from "
                "0>.<place>.",
                name=name,
            ),
        )
    return place


def is_crossing(dungeon: Dungeon, place: Place) -> bool:
    """Whether several corridors meet at a place."""
    return place.kind == "junction" and _corridors_at(dungeon, place) >= min(_CROSSINGS)


def _what(vocabulary: Vocabulary, dungeon: Dungeon, place: Place) -> Text:
    if place.find is not None:
        return vocabulary.name(place.find)
    if is_crossing(dungeon, place):
        return _CROSSINGS.get(_corridors_at(dungeon, place), _CROSSING)
    return _KIND_NAMES[place.kind]


def _spot(dungeon: Dungeon, place: Place) -> Text:
    placed = dungeon.cards[place.card_index]
    size_mm = dungeon.catalogue.size_of(placed.card)
    x, y = table_to_card(placed, place.at_mm, size_mm)
    thirds = (3 * (at + EPSILON_MM) / length for at, length in ((y, size_mm[1]), (x, size_mm[0])))
    row, column = (min(2, max(0, int(third))) for third in thirds)
    for _ in range((dungeon.lie[place.card_index] // 90) % 4 if dungeon.lie else 0):
        row, column = column, 2 - row
    return _SPOTS[row][column]


def _corridors_at(dungeon: Dungeon, place: Place) -> int:
    return sum(link.kind == "corridor" for link in dungeon.neighbours[place.id])
