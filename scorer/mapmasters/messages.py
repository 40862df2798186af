"""Sentences for people, in English and Japanese: places by what lies there, rules by their template."""

from __future__ import annotations

from collections import Counter

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.means import Held
from scorer.mapmasters.rules import Rule
from scorer.mapmasters.ruling import Payment
from scorer.mapmasters.vocabulary import FINDS
from scorer.placement import EPSILON_MM, table_to_card
from scorer.record import StatedPayment
from scorer.text import Text

_KIND_NAMES: dict[str, Text] = {
    "opening": Text("opening", "端"),
    "junction": Text("corridor", "廊下"),
    "stairs": Text("stairs", "階段"),
    "door": Text("door", "部屋の出入口"),
    "end": Text("dead end", "行き止まり"),
    "room": Text("room", "部屋"),
}
#: A junction where so many corridors meet.
_CROSSINGS: dict[int, Text] = {
    3: Text("three-way crossing", "3方向の交差点"),
    4: Text("four-way crossing", "4方向の交差点"),
}
#: One where more meet.
_CROSSING = Text("crossing", "交差点")
_UNDERGROUND = Text("underground ", "地下の")
#: Where on the card as printed, by the third of its height and of its width.
_SPOTS: tuple[tuple[Text, ...], ...] = (
    (Text("at the top left", "左上"), Text("at the top", "上"), Text("at the top right", "右上")),
    (Text("at the left", "左"), Text("in the middle", "中央"), Text("at the right", "右")),
    (Text("at the bottom left", "左下"), Text("at the bottom", "下"), Text("at the bottom right", "右下")),
)
_ONCE: dict[bool, Text] = {
    True: Text(
        "a crossing is one corridor and is walked once",
        "交差点は1本の廊下なので、一度しか通れません",
    ),
    False: Text("a corridor is walked once", "同じ廊下は一度しか通れません"),
}


def place_words(dungeon: Dungeon, place: Place, *, with_id: bool = True) -> Text:
    """What lies at `place` and where on which card, as the card is printed: "the monster at the top left of
    D29 [0.m1]"; people who look at the cards are not told its name in records (`with_id`).
    """
    card, where = dungeon.cards[place.card_index].card, place_on_card(dungeon, place)
    if not with_id:
        return Text(f"{where.en} of {card}", f"{card}の{where.ja}")
    return Text(f"{where.en} of {card} [{place.id}]", f"{card}の{where.ja}[{place.id}]")


def place_on_card(dungeon: Dungeon, place: Place) -> Text:
    """The same where the card is known: "the monster at the top left"."""
    what, spot = _what(dungeon, place), _spot(dungeon, place)
    if place.level == "underground":
        what = Text(_UNDERGROUND.en + what.en, _UNDERGROUND.ja + what.ja)
    return Text(f"the {what.en} {spot.en}", f"{spot.ja}の{what.ja}")


def means_words(dungeon: Dungeon, paid: Payment | StatedPayment | Held, *, with_id: bool = True) -> Text:
    """What was used, or may be: "the rope at the top left of D29 [0.f3]", "a rope token", "SB-3"."""
    if paid.source is not None and paid.source in dungeon.places:
        return place_words(dungeon, dungeon.places[paid.source], with_id=with_id)
    kind = paid.means.removeprefix("fairy:")
    if kind not in FINDS:
        return Text(paid.means, paid.means)
    find = FINDS[kind]
    if kind == paid.means:
        return Text(f"a {find.en}", f"拾った{find.ja}")
    return Text(f"a {find.en} token", f"{find.ja}のフェアリートークン")


def sentence(
    rule: Rule,
    dungeon: Dungeon,
    *,
    place: Place | None,
    before: Place | None,
    step: int,
    with_ids: bool = True,
) -> Text:
    """The sentence of a rule of the path. `step` counts from 1 along the whole path."""
    named = {
        name: place_words(dungeon, each, with_id=with_ids)
        for name, each in _named(dungeon, place, before).items()
        if f"{{{name}}}" in rule.words.en or f"{{{name}}}" in rule.words.ja
    }
    if "{once}" in rule.words.en and place is not None:
        named["once"] = _ONCE[_is_crossing(dungeon, place)]
    return Text(
        capitalised(rule.words.en.format(step=step, **{name: words.en for name, words in named.items()})),
        rule.words.ja.format(step=step, **{name: words.ja for name, words in named.items()}),
    )


def laying_sentence(rule: Rule, dungeon: Dungeon, cards: tuple[int, ...], limit: int) -> Text:
    """The sentence of a rule of laying about `cards`; alike cards are told apart by their numbers."""
    laid = Counter(placed.card for placed in dungeon.cards)
    names = [name if laid[name := dungeon.cards[index].card] == 1 else f"{name}[{index}]" for index in cards]
    one = len(names) == 1
    verbs = {"does": "does" if one else "do", "are": "is" if one else "are"}
    return Text(
        capitalised(rule.words.en.format(cards=" and ".join(names), limit=limit, **verbs)),
        rule.words.ja.format(cards="と".join(names), limit=limit),
    )


def capitalised(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _named(dungeon: Dungeon, place: Place | None, before: Place | None) -> dict[str, Place]:
    """The places that a template may speak of: `place`, `before`, the `door` and the `room` of the step."""
    named = {}
    if place is not None:
        named["place"] = place
        named["door"] = place if place.kind == "door" or before is None else before
    if before is not None:
        named["before"] = before
        named["room"] = before if before.room is None else dungeon.places[before.room]
    return named


def _what(dungeon: Dungeon, place: Place) -> Text:
    if place.find is not None:
        return FINDS[place.find]
    if _is_crossing(dungeon, place):
        return _CROSSINGS.get(_corridors_at(dungeon, place), _CROSSING)
    return _KIND_NAMES[place.kind]


def _spot(dungeon: Dungeon, place: Place) -> Text:
    size_mm = dungeon.catalogue.card_size_mm
    x, y = table_to_card(dungeon.cards[place.card_index], place.at_mm, size_mm)
    thirds = (3 * (at + EPSILON_MM) / length for at, length in ((y, size_mm[1]), (x, size_mm[0])))
    row, column = (min(2, max(0, int(third))) for third in thirds)
    return _SPOTS[row][column]


def _is_crossing(dungeon: Dungeon, place: Place) -> bool:
    return place.kind == "junction" and _corridors_at(dungeon, place) >= min(_CROSSINGS)


def _corridors_at(dungeon: Dungeon, place: Place) -> int:
    return sum(link.kind == "corridor" for link in dungeon.neighbours[place.id])
