"""Sentences for people, in English and Japanese: places by what lies there, rules by their template."""

from __future__ import annotations

from scorer.dungeon import Dungeon, Place
from scorer.mapmasters.rules import Rule

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
    "opening": ("opening", "入口"),
    "junction": ("corridor", "通路"),
    "stairs": ("stairs", "階段"),
    "door": ("door", "部屋の出入口"),
    "end": ("end of a corridor", "通路の端"),
    "room": ("room", "部屋"),
}
_CROSSING = ("crossing of corridors", "通路の交差点")
_UNDERGROUND = (" (underground)", "(地下)")
#: A junction with this many corridors is a crossing rather than a bend.
_CROSSING_WAYS = 3


def place_name(dungeon: Dungeon, place: Place, language: str) -> str:
    """What lies at `place` and on which card, with its name in records: "the monster on D29 [0.m1]"."""
    index = 1 if language == "ja" else 0
    if place.find is not None:
        what = FIND_NAMES[place.find][index]
    elif place.kind == "junction" and _corridors_at(dungeon, place) >= _CROSSING_WAYS:
        what = _CROSSING[index]
    else:
        what = _KIND_NAMES[place.kind][index]
    if place.level == "underground":
        what += _UNDERGROUND[index]
    card = dungeon.cards[place.card_index].card
    return f"{card} の{what} [{place.id}]" if language == "ja" else f"the {what} on {card} [{place.id}]"


def sentence(
    rule: Rule, dungeon: Dungeon, language: str, *, place: Place | None, before: Place | None, step: int
) -> str:
    """The sentence of a rule of the path. `step` counts from 1 along the whole path."""
    words = {
        "place": place_name(dungeon, place, language) if place is not None else "",
        "before": place_name(dungeon, before, language) if before is not None else "",
        "step": step,
    }
    return _capitalised((rule.ja if language == "ja" else rule.en).format_map(words))


def laying_sentence(rule: Rule, dungeon: Dungeon, language: str, cards: tuple[int, ...], limit: int) -> str:
    """The sentence of a rule of laying about `cards`."""
    names = [dungeon.cards[index].card for index in cards]
    listed = "と".join(names) if language == "ja" else " and ".join(names)
    return _capitalised((rule.ja if language == "ja" else rule.en).format(cards=listed, limit=limit))


def _corridors_at(dungeon: Dungeon, place: Place) -> int:
    return sum(link.kind == "corridor" for link in dungeon.neighbours[place.id])


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
