"""Places of a dungeon in words: what lies there, and where on which card, as the card is printed, or as it
lies for whoever looks at it (`Dungeon.lie`)."""

from __future__ import annotations

from scorer.dungeon import Dungeon, Place
from scorer.errors import Code, WaymarkError
from scorer.placement import EPSILON_MM, table_to_card
from scorer.text import Text
from scorer.vocabulary import Vocabulary

_KIND_NAMES: dict[str, Text] = {
    "opening": Text("opening", "端"),
    "junction": Text("corridor", "廊下"),
    "stairs": Text("stairs", "階段"),
    "door": Text("door", "部屋の扉"),
    "end": Text("dead end", "行き止まり"),
    "room": Text("room", "部屋"),
}
#: A junction where so many corridors meet.
_CROSSINGS: dict[int, Text] = {
    3: Text("three-way crossing", "三方向の交差点"),
    4: Text("four-way crossing", "四方向の交差点"),
}
#: One where more meet.
_CROSSING = Text("crossing", "交差点")
_UNDERGROUND = Text("underground ", "地下の")
#: Where on the card, by the third of its height and of its width.
_SPOTS: tuple[tuple[Text, ...], ...] = (
    (Text("at the top left", "左上"), Text("at the top", "上"), Text("at the top right", "右上")),
    (Text("at the left", "左"), Text("in the middle", "中央"), Text("at the right", "右")),
    (Text("at the bottom left", "左下"), Text("at the bottom", "下"), Text("at the bottom right", "右下")),
)


def place_words(vocabulary: Vocabulary, dungeon: Dungeon, place: Place, *, with_id: bool = True) -> Text:
    """What lies at `place` and where on which card: "the monster at the top left of D29 [0.m1]"; people who
    look at the cards are not told its name in records (`with_id`)."""
    card, where = dungeon.cards[place.card_index].card, place_on_card(vocabulary, dungeon, place)
    if not with_id:
        return Text(f"{where.en} of {card}", f"{card}の{where.ja}")
    return Text(f"{where.en} of {card} [{place.id}]", f"{card}の{where.ja}[{place.id}]")


def place_on_card(vocabulary: Vocabulary, dungeon: Dungeon, place: Place) -> Text:
    """The same where the card is known: "the monster at the top left"."""
    what, spot = _what(vocabulary, dungeon, place), _spot(dungeon, place)
    if place.level == "underground":
        what = Text(_UNDERGROUND.en + what.en, _UNDERGROUND.ja + what.ja)
    return Text(f"the {what.en} {spot.en}", f"{spot.ja}の{what.ja}")


def known_place(dungeon: Dungeon, name: str) -> Place:
    """The place called `name`. Raises `WaymarkError` (unknown-place)."""
    place = dungeon.places.get(name)
    if place is None:
        raise WaymarkError(
            Code.UNKNOWN_PLACE,
            f"There is no place {name!r} in this dungeon; places are written <number of the card, from "
            f"0>.<place>.",
            f"このダンジョンに {name!r} という場所はありません。<カードの番号(0 から)>.<場所> "
            f"と書いてください。",
        )
    return place


def is_crossing(dungeon: Dungeon, place: Place) -> bool:
    """Whether several corridors meet there."""
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
