"""Golden cases of Stone Dragon: tables in words, turns in words, and what the referee answers.

tests/golden/stone_dragon/README.md tells how they are written. Records are made here of plain dicts, so that
nothing of the referee's own is used to say what lies where."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from board_cases import Case, is_expected, read_cases, turn_told

from scorer.catalogue import Catalogue, parse_catalogue

GOLDEN = Path(__file__).parents[1] / "golden" / "stone_dragon"

OPEN = {
    "straight": ("top", "bottom"),
    "bend": ("top", "right"),
    "tee": ("right", "bottom", "left"),
    "hall": ("top", "right", "bottom", "left"),
    "cell": ("top",),
    "entrance": ("right", "bottom"),
}
LETTERS = {"S": "straight", "B": "bend", "T": "tee", "H": "hall", "C": "cell", "E": "entrance"}
MIDDLES = {"top": (25, 0), "right": (50, 25), "bottom": (25, 50), "left": (0, 25)}


def invented_box() -> dict[str, Any]:
    """A catalogue with numbers of our own."""

    def panel(name: str, role: str, copies: int, **more: Any) -> dict[str, Any]:
        nodes = [
            {"id": side, "kind": "opening", "side": side, "at": MIDDLES[side], "level": "main"}
            for side in OPEN[name]
        ]
        return {"id": name, "kind": "tile", "role": role, "copies": copies, "nodes": nodes, **more}

    def card(name: str, role: str, copies: int = 1, **more: Any) -> dict[str, Any]:
        return {"id": name, "kind": "card", "role": role, "copies": copies, **more}

    def victory(name: str, stars: int, condition: Any, *abilities: Any) -> dict[str, Any]:
        return card(name, "victory", 2, stars=stars, condition=condition, abilities=list(abilities))

    cards = [
        panel("straight", "corridor", 4),
        panel("bend", "corridor", 3),
        panel("tee", "corridor", 3),
        panel("hall", "room", 3),
        panel("cell", "room", 2),
        panel("entrance", "entrance", 1, arrow="left"),
        {"id": "back", "kind": "tile", "role": "back", "copies": 15},
        {"id": "entrance-back", "kind": "tile", "role": "entrance-back"},
        *(
            {"id": f"pawn-{colour}", "kind": "pawn", "role": "pawn", "colour": colour}
            for colour in ("red", "blue", "green", "yellow", "black")
        ),
        *(
            {"id": f"{kind}+{value}", "kind": "chip", "role": kind, "value": value, "copies": copies}
            for kind in ("sword", "shield", "potion")
            for value, copies in ((1, 3), (2, 3), (4, 2))
        ),
        *({"id": f"life-{n}", "kind": "chip", "role": "life", "value": n, "copies": 12} for n in (1, 5)),
        *({"id": f"coin-{n}", "kind": "coin", "role": "coin", "value": n, "copies": 12} for n in (1, 5)),
        card(
            "dolly",
            "character",
            attack=1,
            life=5,
            coins=3,
            abilities=[{"effect": "discard_monsters", "add": 1}],
        ),
        card(
            "alfred",
            "character",
            attack=1,
            defence=1,
            life=6,
            coins=2,
            abilities=[{"effect": "sell_add", "add": 2, "of": "monster"}],
        ),
        card("brute", "character", attack=2, life=7, coins=0, abilities=[]),
        card("payer", "character", life=5, coins=4, abilities=[{"effect": "pay_coins", "add": 1}]),
        card("dragon-card", "dragon-card", attack=5, defence=2, life=10, stars=3),
        card("slime", "monster", 5, attack=1, life=1, price=1),
        card("goblin", "monster", 4, attack=2, life=2, price=2),
        card("ogre", "monster", 2, attack=4, defence=1, life=4, price=4),
        card("copper", "item", 3, price=1, coins=2),
        card("silver", "item", 2, price=2, coins=4),
        *(
            card(f"{kind}{level}", "item", 3, price=level, chip=kind, level=level)
            for kind in ("sword", "shield", "potion")
            for level in (1, 2)
        ),
        card("cursed-sword", "curse", 2, of="sword"),
        card("cursed-shield", "curse", 2, of="shield"),
        victory("hunter", 2, {"count": "monster_cards", "at_least": 2}, {"effect": "attack", "add": 1}),
        victory(
            "item-doctor",
            2,
            {"count": "item_cards", "at_least": 3},
            {"effect": "sell_times", "times": 2, "of": "any"},
        ),
        victory("labyrinth-doctor", 2, {"count": "panels_up", "at_least": 10}),
        victory("rich", 1, {"count": "coins", "at_least": 5}, {"effect": "defence", "add": 1}),
        victory("healthy", 1, {"count": "life", "at_least": 8}),
        victory("swordsman", 2, {"count": "sword", "at_least": 4}),
        victory("guardian", 1, {"count": "shield", "at_least": 2}),
        victory("pilgrim", 1, {"table": "Has been in all four corners."}),
        victory("avenger", 1, {"moment": "beaten-by-player"}, {"effect": "action_on_defeat"}),
        victory("messenger", 2, {"moment": "beaten-by-monster"}, {"effect": "attack", "add": 2}),
        victory("eloquence", 0, {"swap": True}),
    ]
    return {
        "format": "waymark-catalogue/1",
        "name": "invented",
        "game": "stone_dragon",
        "card_size_mm": [50, 50],
        "cards": [{"art": "-", **each} for each in cards],
    }


@cache
def box() -> Catalogue:
    """The invented box as a catalogue."""
    return parse_catalogue(msgspec.json.encode(invented_box()))


def cases_of(file: Path) -> Iterator[Case]:
    """The cases of a golden file."""
    return read_cases(file, _empty, _draw, _tell)


def _draw(board: dict[str, Any], lines: Sequence[str]) -> None:
    rows = 4 if board["tiles"] else 0
    for line in lines:
        if rows < 4:
            board["tiles"] += [tile(each, column, rows) for column, each in enumerate(line.split())]
            rows += 1
        else:
            change(board, line.split())


def _tell(board: dict[str, Any], lines: Sequence[str], expected: dict[str, str]) -> dict[str, Any] | None:
    player, actions, after = "", list[dict[str, Any]](), None
    for line in lines:
        words = line.split()
        if is_expected(line, expected):
            continue
        if words[0] == "after":
            after = copy.deepcopy(board) if after is None else after
            change(after, words[1:])
        elif words[1:2] == ["does"]:
            player = player or words[0]
            by = [] if words[0] == player else [f"by={words[0]}"]
            actions.append(action([*words[2:], *by]))
        else:
            change(board, words)
    return turn_told("stone_dragon", player, board, {"actions": actions}, after) if actions else None


def _empty() -> dict[str, Any]:
    return {
        "format": "waymark-board/1",
        "game": "stone_dragon",
        "grid": {"columns": 4, "rows": 4},
        "tiles": [],
        "pieces": [],
        "dragon": {},
        "players": [],
    }


def tile(drawn: str, column: int, row: int) -> dict[str, Any]:
    """A panel as it is drawn: its letter and quarter turns (`T90`), `##` face down, `E#` the entrance's back,
    `??` not made out."""
    where = {"column": column, "row": row}
    if drawn in ("##", "E#"):
        return where | {"tile": "entrance-back" if drawn == "E#" else None, "face": "down"}
    if drawn == "??":
        return where | {"tile": None, "rotation": None}
    rotation = None if drawn[1:] == "?" else int(drawn[1:] or 0)
    return where | {"tile": LETTERS[drawn[0]], "rotation": rotation}


def change(board: dict[str, Any], words: list[str]) -> None:
    """Change a table as the words say."""
    word = words[0]
    if word == "tile":
        column, row = map(int, words[1].split(","))
        board["tiles"] = [each for each in board["tiles"] if (each["column"], each["row"]) != (column, row)]
        if words[2] != "none":
            board["tiles"].append(tile(words[2], column, row))
    elif word == "dragon":
        _dragon(board, words[1:])
    elif word == "house":
        for each in words[1:]:
            name, _, value = each.partition("=")
            told: Any = {"yes": True, "no": False}.get(value, value)
            board.setdefault("house", {})[name] = told
    elif word == "setup":
        board["phase"] = "setup"
    elif word == "move":
        board["to_move"] = words[1]
    elif word == "grid":
        board["grid"] = {"columns": int(words[1]), "rows": int(words[2])}
    elif word == "pawn":
        stand(board, words[1], words[2])
    elif word == "gone":
        board["players"] = [each for each in board["players"] if each["name"] != words[1]]
    elif word == "nothing":
        for name in words[1:]:
            board.pop(name, None)
    else:
        _player(board, words)


def _dragon(board: dict[str, Any], words: list[str]) -> None:
    for word in words:
        if word.startswith("@"):
            stand(board, board["dragon"]["piece"].removeprefix("pawn-"), word[1:])
        elif word.isdigit():
            board["dragon"]["life"] = int(word)
        else:
            board["dragon"]["piece"] = f"pawn-{word}"


def stand(board: dict[str, Any], colour: str, cell: str) -> None:
    """Have a pawn stand in a cell alone; `gone`: nowhere; `+1,0`: there, too."""
    name = None if colour == "?" else f"pawn-{colour}"
    if not cell.startswith("+"):
        board["pieces"] = [each for each in board["pieces"] if each["piece"] != name]
    if cell != "gone":
        column, row = map(int, cell.removeprefix("+").split(","))
        board["pieces"].append({"piece": name, "column": column, "row": row})


_LISTS = ("holds", "equipped", "hand", "victory")


def _player(board: dict[str, Any], words: list[str]) -> None:
    name, *rest = words
    player = next((each for each in board["players"] if each["name"] == name), None)
    if player is None:
        player = {"name": name, "holds": {}}
        board["players"].append(player)
    while rest:
        word = rest.pop(0)
        if word.startswith("@"):
            stand(board, player["piece"].removeprefix("pawn-"), word[1:])
        elif word in ("life", "coins"):
            player[word] = int(rest.pop(0))
        elif word == "cards":
            player.pop("hand", None)
            player["hand_size"] = int(rest.pop(0))
        elif word in _LISTS:
            told = []
            while rest and rest[0] not in (*_LISTS, "life", "coins", "cards"):
                told.append(rest.pop(0))
            _told_list(player, word, [each for each in told if each != "nothing"])
        elif f"pawn-{word}" in {card.id for card in box().cards}:
            player["piece"] = f"pawn-{word}"
        else:
            player["character"] = None if word == "?" else word


def _told_list(player: dict[str, Any], word: str, told: list[str]) -> None:
    if word == "holds":
        player["holds"] = {each: told.count(each) for each in told}
    elif word == "victory":
        player["victory"] = [
            {"card": None if card == "?" else card, "side": None if side == "?" else side}
            for card, _, side in (each.partition(":") for each in told)
        ]
    elif word == "hand":
        player.pop("hand_size", None)
        player["hand"] = [None if each == "?" else each for each in told]
    else:
        player[word] = told


def action(words: list[str]) -> dict[str, Any]:
    """An action from `move to=1,0 draw=ogre boost=Aya:attack:slime,goblin/Aya:coins:2`."""
    told: dict[str, Any] = {"do": words[0]}
    for word in words[1:]:
        name, _, value = word.partition("=")
        if name in ("to", "at"):
            told[name] = [int(each) for each in value.split(",")]
        elif name == "rotation":
            told[name] = int(value)
        elif name in ("cards", "lift", "draw") and (name != "draw" or words[0] == "victory"):
            told[name] = [each for each in value.split(",") if each]
        elif name == "at_defeat":
            told[name] = [
                dict(zip(("card", "side"), each.split(":"), strict=True)) for each in value.split("/")
            ]
        elif name == "boost":
            told[name] = _boost(value)
        elif name in ("give", "take"):
            counts = [each.split("x") for each in value.split("/")]
            told[name] = {coin: int(count) for count, coin in counts}
        else:
            told[name] = value
    return told


def _boost(value: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for each in value.split("/"):
        name, what, paid = each.split(":")
        told.setdefault(name, {})[what] = int(paid) if what == "coins" else paid.split(",")
    return told
