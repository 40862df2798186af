"""Sentences for people, in English and Japanese: places by what lies there, rules by their template."""

from __future__ import annotations

from collections import Counter

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.means import Held
from scorer.mapmasters.rules import Rule
from scorer.mapmasters.ruling import Payment
from scorer.placement import EPSILON_MM, table_to_card
from scorer.record import StatedPayment

FIND_NAMES: dict[str, tuple[str, str]] = {
    "coin": ("coin", "コイン"),
    "barrel": ("barrel", "樽"),
    "sword": ("sword", "剣"),
    "key": ("key", "鍵"),
    "rope": ("rope", "ロープ"),
    "scroll": ("scroll", "巻物"),
    "monster": ("monster", "モンスター"),
    "padlock": ("padlock", "南京錠"),
    "pitfall": ("pitfall", "落とし穴"),
    "lava_pit": ("lava pit", "溶岩の穴"),
    "magic_circle": ("magic circle", "魔法陣"),
    "recycle": ("recycling sign", "リサイクル"),
    "scissors": ("scissors", "はさみ"),
}
_KIND_NAMES: dict[str, tuple[str, str]] = {
    "opening": ("opening", "端"),
    "junction": ("corridor", "廊下"),
    "stairs": ("stairs", "階段"),
    "door": ("door", "部屋の出入口"),
    "end": ("dead end", "行き止まり"),
    "room": ("room", "部屋"),
}
#: A junction where so many corridors meet.
_CROSSINGS: dict[int, tuple[str, str]] = {
    3: ("three-way crossing", "3方向の交差点"),
    4: ("four-way crossing", "4方向の交差点"),
}
_UNDERGROUND = ("underground ", "地下の")
#: Where on the card as printed, by the third of its height and of its width.
_SPOTS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("at the top left", "左上"), ("at the top", "上"), ("at the top right", "右上")),
    (("at the left", "左"), ("in the middle", "中央"), ("at the right", "右")),
    (("at the bottom left", "左下"), ("at the bottom", "下"), ("at the bottom right", "右下")),
)
_ONCE: dict[bool, tuple[str, str]] = {
    True: (
        "a crossing is one corridor and is walked once",
        "交差点は1本の廊下なので、一度しか通れません",
    ),
    False: ("a corridor is walked once", "同じ廊下は一度しか通れません"),
}


def place_name(dungeon: Dungeon, place: Place, language: str) -> str:
    """What lies at `place` and where on which card, as the card is printed, and its name in records: "the
    monster at the top left of D29 [0.m1]".
    """
    card, where = dungeon.cards[place.card_index].card, place_on_card(dungeon, place, language)
    return f"{card}の{where}[{place.id}]" if language == "ja" else f"{where} of {card} [{place.id}]"


def place_on_card(dungeon: Dungeon, place: Place, language: str) -> str:
    """The same where the card is known: "the monster at the top left"."""
    index = 1 if language == "ja" else 0
    what = _what(dungeon, place)[index]
    if place.level == "underground":
        what = _UNDERGROUND[index] + what
    spot = _spot(dungeon, place)[index]
    return f"{spot}の{what}" if language == "ja" else f"the {what} {spot}"


def means_name(dungeon: Dungeon, paid: Payment | StatedPayment | Held, language: str) -> str:
    """What was used, or may be: "the rope at the top left of D29 [0.f3]", "a rope token", "SB-3"."""
    index = 1 if language == "ja" else 0
    if paid.source is not None and paid.source in dungeon.places:
        return place_name(dungeon, dungeon.places[paid.source], language)
    kind = paid.means.removeprefix("fairy:")
    if kind not in FIND_NAMES:
        return paid.means
    if kind == paid.means:
        return (f"a {FIND_NAMES[kind][0]}", f"拾った{FIND_NAMES[kind][1]}")[index]
    return (f"a {FIND_NAMES[kind][0]} token", f"{FIND_NAMES[kind][1]}のフェアリートークン")[index]


def sentence(
    rule: Rule, dungeon: Dungeon, language: str, *, place: Place | None, before: Place | None, step: int
) -> str:
    """The sentence of a rule of the path. `step` counts from 1 along the whole path."""
    template = rule.ja if language == "ja" else rule.en
    words = {"step": str(step)}
    for name, named in _named(dungeon, place, before).items():
        if f"{{{name}}}" in template:
            words[name] = place_name(dungeon, named, language)
    if "{once}" in template and place is not None:
        words["once"] = _ONCE[_is_crossing(dungeon, place)][1 if language == "ja" else 0]
    return _capitalised(template.format_map(words))


def laying_sentence(rule: Rule, dungeon: Dungeon, language: str, cards: tuple[int, ...], limit: int) -> str:
    """The sentence of a rule of laying about `cards`; alike cards are told apart by their numbers."""
    laid = Counter(placed.card for placed in dungeon.cards)
    names = [name if laid[name := dungeon.cards[index].card] == 1 else f"{name}[{index}]" for index in cards]
    template = rule.ja if language == "ja" else rule.en
    if language == "ja":
        return template.format(cards="と".join(names), limit=limit)
    one = len(names) == 1
    verbs = {"does": "does" if one else "do", "are": "is" if one else "are"}
    return _capitalised(template.format(cards=" and ".join(names), limit=limit, **verbs))


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


def _what(dungeon: Dungeon, place: Place) -> tuple[str, str]:
    if place.find is not None:
        return FIND_NAMES[place.find]
    if _is_crossing(dungeon, place):
        return _CROSSINGS.get(_corridors_at(dungeon, place), ("crossing", "交差点"))
    return _KIND_NAMES[place.kind]


def _spot(dungeon: Dungeon, place: Place) -> tuple[str, str]:
    size_mm = dungeon.catalogue.card_size_mm
    x, y = table_to_card(dungeon.cards[place.card_index], place.at_mm, size_mm)
    thirds = (3 * (at + EPSILON_MM) / length for at, length in ((y, size_mm[1]), (x, size_mm[0])))
    row, column = (min(2, max(0, int(third))) for third in thirds)
    return _SPOTS[row][column]


def _is_crossing(dungeon: Dungeon, place: Place) -> bool:
    return place.kind == "junction" and _corridors_at(dungeon, place) >= min(_CROSSINGS)


def _corridors_at(dungeon: Dungeon, place: Place) -> int:
    return sum(link.kind == "corridor" for link in dungeon.neighbours[place.id])


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
