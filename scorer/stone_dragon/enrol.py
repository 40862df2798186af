"""The specification of the pieces in a box of Stone Dragon, and of the facts to enter about each. The
rulebook prints no numbers of cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.catalogue import CardKind
from scorer.enrolment_facts import SIDE_NAMES, Fact
from scorer.enrolment_pieces import AskedPieces, TileSort
from scorer.square_grid import BOTTOM, RIGHT, TOP
from scorer.stone_dragon.rules.pieces import CHIP_KINDS, CHIP_PRICES, Condition
from scorer.text import Text, unchanged

_CHIPS = {
    "sword": (Text("sword chips"), Text("sword")),
    "shield": (Text("shield chips"), Text("shield")),
    "potion": (Text("potion chips"), Text("potion")),
}
_BACK = Text("One of them is enough, face down.")
_ATTACK = Fact(word="attack", name=Text("Attack"))
_DEFENCE = Fact(word="defence", name=Text("Defence"), usual=0)
_LIFE = Fact(word="life", name=Text("Life"), least=1)
_STARS = Fact(word="stars", name=Text("Stars"))
_PRICE = Fact(word="price", name=Text("Price (printed stars)"))

#: Abilities are told by these words and a number; a card has two at most.
_EFFECTS = {
    "attack": Text("more attack"),
    "defence": Text("more defence"),
    "discard_monsters": Text("more for each monster card discarded"),
    "pay_coins": Text("more attack for each coin paid"),
    "sell_add": Text("cards sell for more"),
    "sell_times": Text("cards sell for several times as much"),
    "action_on_defeat": Text("one action more when beaten"),
    "table": Text("something else"),
}
_NONE = "none"
_ADDS = ("attack", "defence", "discard_monsters", "pay_coins", "sell_add", "sell_times")
_SOLD = (("monster", Text("monsters")), ("item", Text("items")), ("any", Text("both")))


def _ability_facts(number: int, when: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> tuple[Fact, ...]:
    word = f"ability{number}"
    called = Text("Ability") if number == 1 else Text("Another ability")
    return (
        Fact(
            word=word,
            name=called,
            sort="choice",
            options=((_NONE, Text("none")), *_EFFECTS.items()),
            usual=_NONE,
            when=when,
        ),
        Fact(word=f"{word}_by", name=Text("By how much"), least=1, when=((word, _ADDS),)),
        Fact(
            word=f"{word}_of",
            name=Text("For which cards"),
            sort="choice",
            options=_SOLD,
            when=((word, ("sell_add", "sell_times")),),
        ),
    )


_ABILITIES = (*_ability_facts(1), *_ability_facts(2, (("ability1", tuple(_EFFECTS)),)))

_COUNTS = {
    "panels_up": Text("panels face up"),
    "item_cards": Text("item cards"),
    "monster_cards": Text("monster cards"),
    "coins": Text("coins"),
    "life": Text("life"),
    "sword": Text("value of the equipped sword"),
    "shield": Text("value of the equipped shield"),
}
_CONDITIONS = {
    **_COUNTS,
    "beaten-by-player": Text("beaten by a player"),
    "beaten-by-monster": Text("beaten by a monster"),
    "swap": Text("swaps another card (Eloquence)"),
    "table": Text("something else"),
}


def _abilities(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for word in ("ability1", "ability2"):
        effect = told.get(word, _NONE)
        if effect == _NONE:
            continue
        ability: dict[str, Any] = {"effect": effect}
        if effect in _ADDS:
            ability["times" if effect == "sell_times" else "add"] = told[f"{word}_by"]
        if f"{word}_of" in told:
            ability["of"] = told[f"{word}_of"]
        found.append(ability)
    return found


def _condition(told: Mapping[str, Any]) -> dict[str, Any]:
    kind = told["condition"]
    made = (
        Condition(count=kind, at_least=told["at_least"])
        if kind in _COUNTS
        else Condition(swap=True)
        if kind == "swap"
        else Condition(table=told["words"])
        if kind == "table"
        else Condition(moment=kind)
    )
    return {
        word: value
        for word in Condition.__struct_fields__
        if (value := getattr(made, word)) not in (None, False, 0)
    }


def _fields(told: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers as they are, abilities as the rules ask for them."""
    plain = {word: value for word, value in told.items() if not word.startswith("ability")}
    return plain | {"abilities": _abilities(told)}


def _victory(told: Mapping[str, Any]) -> dict[str, Any]:
    return {"stars": told["stars"], "condition": _condition(told), "abilities": _abilities(told)}


def _item(told: Mapping[str, Any]) -> dict[str, Any]:
    if told["gives"] == "coins":
        return {"price": told["price"], "coins": told["coins"]}
    return {"price": told["price"], "chip": told["gives"], "level": int(told["level"])}


def _chip(kind: str) -> AskedPieces:
    return AskedPieces(
        word=kind,
        name=_CHIPS[kind][0],
        kind="chip",
        shape="disc",
        usual_mm=(22.0, 22.0),
        role=kind,
        count=0,
        values=tuple(CHIP_PRICES),
    )


def _worth(word: str, name: Text, kind: CardKind, across_mm: float) -> AskedPieces:
    """The specification of discs of which only the value has to be entered."""
    return AskedPieces(
        word=word,
        name=name,
        kind=kind,
        shape="disc",
        usual_mm=(across_mm, across_mm),
        role=word,
        count=24,
        designs=True,
        facts=(Fact(word="value", name=Text("Value"), least=1),),
    )


def _cards(
    word: str,
    name: Text,
    facts: tuple[Fact, ...],
    told: Any,
    *,
    count: int = 0,
    size: tuple[float, float] = (44.0, 68.0),
    copies: int = 1,
) -> AskedPieces:
    return AskedPieces(
        word=word,
        name=name,
        kind="card",
        shape="rect",
        usual_mm=size,
        role=word,
        count=count,
        copies=copies,
        designs=True,
        facts=facts,
        told=told,
    )


def _back(word: str, name: Text, copies: int) -> AskedPieces:
    return AskedPieces(
        word=word,
        name=name,
        kind="card",
        shape="rect",
        usual_mm=(44.0, 68.0),
        role=word,
        count=copies,
        copies=copies,
        hint=_BACK,
    )


ASKED: tuple[AskedPieces, ...] = (
    AskedPieces(
        word="panel",
        name=Text("panels"),
        kind="tile",
        shape="square",
        usual_mm=(60.0, 60.0),
        count=16,
        # nobody has told how many there are of each shape: all are thought to be as many
        ways={TOP: 1, TOP | BOTTOM: 4, TOP | RIGHT: 4, TOP | RIGHT | BOTTOM: 4, 15: 3},
        sorts=(
            TileSort(role="room", name=Text("room"), has_room=True, least=1),
            TileSort(role="corridor", name=Text("corridor", context="panel"), has_room=False, least=1),
            TileSort(role="entrance", name=Text("entrance"), least=1, most=1),
        ),
        facts=(
            Fact(
                word="arrow",
                name=Text("To which side its arrow points"),
                sort="choice",
                options=SIDE_NAMES,
                when=(("role", ("entrance",)),),
            ),
        ),
    ),
    AskedPieces(
        word="back",
        name=Text("back of the panels"),
        kind="tile",
        shape="square",
        usual_mm=(60.0, 60.0),
        role="back",
        count=15,
        copies=15,
        hint=_BACK,
    ),
    AskedPieces(
        word="entrance-back",
        name=Text("back of the entrance"),
        kind="tile",
        shape="square",
        usual_mm=(60.0, 60.0),
        role="entrance-back",
        hint=_BACK,
    ),
    AskedPieces(
        word="pawn",
        name=Text("pawns"),
        kind="pawn",
        shape="standing",
        usual_mm=(16.0, 26.0),
        role="pawn",
        count=5,
        colours=("red", "blue", "green", "yellow", "black"),
    ),
    *(_chip(kind) for kind in CHIP_KINDS),
    _worth("life", Text("life chips"), "chip", 22.0),
    _worth("coin", Text("coins"), "coin", 20.0),
    _cards(
        "character",
        Text("characters"),
        (_ATTACK, _DEFENCE, _LIFE, Fact(word="coins", name=Text("Coins at the start"), usual=0), *_ABILITIES),
        _fields,
        count=4,
        size=(63.0, 88.0),
    ),
    _cards(
        "dragon-card",
        Text("dragon card"),
        (_ATTACK, _DEFENCE, _LIFE, _STARS),
        dict,
        count=1,
        size=(63.0, 88.0),
    ),
    _cards("monster", Text("monsters"), (_ATTACK, _DEFENCE, _LIFE, _PRICE), dict),
    _cards(
        "item",
        Text("item cards"),
        (
            _PRICE,
            Fact(
                word="gives",
                name=Text("What it gives"),
                sort="choice",
                options=(("coins", Text("coins")), *((kind, name) for kind, (_, name) in _CHIPS.items())),
            ),
            Fact(word="coins", name=Text("How many coins"), least=1, when=(("gives", ("coins",)),)),
            Fact(
                word="level",
                name=Text("Level", context="item"),
                sort="choice",
                options=(("1", unchanged("1")), ("2", unchanged("2"))),
                when=(("gives", CHIP_KINDS),),
            ),
        ),
        _item,
    ),
    _cards(
        "curse",
        Text("curses"),
        (
            Fact(
                word="of",
                name=Text("What it curses"),
                sort="choice",
                options=(("sword", _CHIPS["sword"][1]), ("shield", _CHIPS["shield"][1])),
            ),
        ),
        dict,
    ),
    _cards(
        "victory",
        Text("victory cards"),
        (
            _STARS,
            Fact(word="condition", name=Text("Condition"), sort="choice", options=tuple(_CONDITIONS.items())),
            Fact(word="at_least", name=Text("At least"), least=1, when=(("condition", tuple(_COUNTS)),)),
            Fact(
                word="words",
                name=Text("The condition, in words"),
                sort="words",
                when=(("condition", ("table",)),),
            ),
            *_ABILITIES,
        ),
        _victory,
        count=24,
        copies=2,
    ),
    _back("dungeon-back", Text("back of the dungeon cards"), 39),
    _back("victory-back", Text("back of the victory cards"), 24),
)
