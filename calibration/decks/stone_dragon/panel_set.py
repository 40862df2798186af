"""The pieces of the panel set as data. Lengths are millimetres. Numbers were tuned by simulated play
(`calibration/decks/stone_dragon/README.md`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calibration.decks.pieces import disc, piece, side_middles
from scorer.catalogue import Card, Catalogue, Edge, Node, Side

PANEL_MM = 60.0
CARD_MM = (44.0, 68.0)
#: Characters and the dragon: a sword and a shield lie on a character.
CHARACTER_MM = (63.0, 88.0)
CHIP_MM, COIN_MM = 22.0, 20.0
PAWN_MM = (16.0, 26.0)

#: Panels by their passages as the art stands: role, how many. Each is drawn with an emblem of its own.
PANELS: tuple[tuple[str, str, tuple[Side, ...], int], ...] = (
    ("H", "room", ("top", "right", "bottom", "left"), 2),
    ("R", "room", ("right", "bottom", "left"), 3),
    ("V", "room", ("top", "right"), 2),
    ("N", "room", ("top", "bottom"), 1),
    ("T", "corridor", ("right", "bottom", "left"), 3),
    ("L", "corridor", ("top", "right"), 2),
    ("I", "corridor", ("top", "bottom"), 2),
)
COLOURS = ("red", "blue", "green", "yellow", "black")
#: Item chips of each kind: value and how many.
CHIPS = ((1, 4), (2, 3), (4, 1))

#: Monsters: attack, defence, life, price, copies.
MONSTERS: dict[str, tuple[int, int, int, int, int]] = {
    "rat": (1, 0, 1, 1, 4),
    "bat": (2, 0, 1, 1, 3),
    "goblin": (2, 0, 2, 2, 4),
    "skeleton": (2, 1, 2, 2, 3),
    "orc": (3, 1, 3, 3, 3),
    "troll": (4, 1, 4, 5, 2),
    "wraith": (5, 2, 3, 6, 1),
}
#: Items that give coins: coins, price, copies; items that make chips: kind, level, price, copies.
TREASURES: dict[str, tuple[int, int, int]] = {"copper": (2, 1, 3), "silver": (4, 2, 2)}
SMITHIES: dict[str, tuple[str, int, int, int]] = {
    "sword-1": ("sword", 1, 1, 2),
    "sword-2": ("sword", 2, 2, 2),
    "shield-1": ("shield", 1, 1, 2),
    "shield-2": ("shield", 2, 2, 1),
    "potion-1": ("potion", 1, 1, 2),
    "potion-2": ("potion", 2, 2, 1),
}
CURSES = {"cursed-sword": ("sword", 2), "cursed-shield": ("shield", 2)}

#: Characters: attack, defence, life, coins, abilities.
CHARACTERS: dict[str, tuple[int, int, int, int, tuple[dict[str, Any], ...]]] = {
    "knight": (2, 1, 6, 0, ()),
    "merchant": (1, 0, 6, 1, ({"effect": "sell_add", "add": 2, "of": "monster"},)),
    "tamer": (1, 1, 7, 2, ({"effect": "discard_monsters", "add": 1},)),
    "heiress": (1, 1, 6, 6, ({"effect": "pay_coins", "add": 1},)),
}
#: The dragon: attack, defence, life, stars.
DRAGON = (5, 2, 10, 2)

#: Victory cards, two of each: stars, condition, abilities of the bonus.
VICTORIES: dict[str, tuple[int, dict[str, Any], tuple[dict[str, Any], ...]]] = {
    "hunter": (2, {"count": "monster_cards", "at_least": 3}, ({"effect": "attack", "add": 1},)),
    "hoarder": (2, {"count": "item_cards", "at_least": 2}, ({"effect": "sell_times", "times": 2},)),
    "explorer": (1, {"count": "panels_up", "at_least": 9}, ({"effect": "defence", "add": 1},)),
    "mapmaker": (2, {"count": "panels_up", "at_least": 14}, ({"effect": "attack", "add": 1},)),
    "rich": (2, {"count": "coins", "at_least": 7}, ({"effect": "defence", "add": 1},)),
    "hale": (2, {"count": "life", "at_least": 7}, ({"effect": "attack", "add": 1},)),
    "swordbearer": (2, {"count": "sword", "at_least": 2}, ({"effect": "pay_coins", "add": 1},)),
    "bulwark": (2, {"count": "shield", "at_least": 2}, ({"effect": "discard_monsters", "add": 1},)),
    "witness": (
        1,
        {"table": "You have stood beside the dragon's panel."},
        ({"effect": "sell_add", "add": 1, "of": "any"},),
    ),
    "avenger": (1, {"moment": "beaten-by-player"}, ({"effect": "action_on_defeat"},)),
    "messenger": (2, {"moment": "beaten-by-monster"}, ({"effect": "attack", "add": 2},)),
    "eloquence": (0, {"swap": True}, ()),
}
COPIES_OF_VICTORY = 2


def build_catalogue() -> Catalogue:
    """The catalogue with every piece of the set."""
    faces = [*_panels(), *_pawns(), *_chips(), *_characters(), *_dungeon(), *_victories()]
    cards = [*faces, *_card_backs(faces)]
    return Catalogue(
        name="Open panels",
        game="stone_dragon",
        cards=tuple(cards),
        card_size_mm=(PANEL_MM, PANEL_MM),
        corner_radius_mm=3.0,
    )


def _card(name: str, role: str, copies: int = 1, **more: Any) -> Card:
    size = CHARACTER_MM if role in ("character", "dragon-card") else CARD_MM
    return piece(name, "card", role, copies=copies, size_mm=size, more=more)


def _panels() -> Iterator[Card]:
    yield _panel("entrance", "entrance", ("right", "bottom"), {"arrow": "left"})
    for shape, role, sides, count in PANELS:
        for number in range(1, count + 1):
            yield _panel(f"{shape}{number}", role, sides, {})
    yield piece("back", "tile", "back", copies=15)
    yield piece("entrance-back", "tile", "entrance-back")


def _panel(name: str, role: str, sides: tuple[Side, ...], more: dict[str, Any]) -> Card:
    ends = side_middles(PANEL_MM)
    nodes = [Node(id="m", kind="junction", at=(PANEL_MM / 2, PANEL_MM / 2))]
    nodes += [Node(id=side, kind="opening", side=side, at=ends[side]) for side in sides]
    edges = tuple(Edge(kind="corridor", from_=side, to="m", level="main") for side in sides)
    return piece(name, "tile", role, nodes=tuple(nodes), edges=edges, more=more)


def _pawns() -> Iterator[Card]:
    for colour in COLOURS:
        yield piece(f"pawn-{colour}", "pawn", "pawn", colour=colour, size_mm=PAWN_MM, shape="standing")


def _chips() -> Iterator[Card]:
    for kind in ("sword", "shield", "potion"):
        for value, copies in CHIPS:
            yield disc(f"{kind}+{value}", "chip", kind, CHIP_MM, value=value, copies=copies)
    for value, copies in ((1, 16), (5, 8)):
        yield disc(f"life-{value}", "chip", "life", CHIP_MM, value=value, copies=copies)
    for value, copies in ((1, 16), (5, 8)):
        yield disc(f"coin-{value}", "coin", "coin", COIN_MM, value=value, copies=copies)


def _characters() -> Iterator[Card]:
    for name, (attack, defence, life, coins, abilities) in CHARACTERS.items():
        more = {"attack": attack, "defence": defence, "life": life, "coins": coins}
        yield _card(name, "character", **more, abilities=[dict(each) for each in abilities])
    attack, defence, life, stars = DRAGON
    yield _card("dragon-card", "dragon-card", attack=attack, defence=defence, life=life, stars=stars)


def _dungeon() -> Iterator[Card]:
    for name, (attack, defence, life, price, copies) in MONSTERS.items():
        yield _card(name, "monster", attack=attack, defence=defence, life=life, price=price, copies=copies)
    for name, (coins, price, copies) in TREASURES.items():
        yield _card(name, "item", coins=coins, price=price, copies=copies)
    for name, (kind, level, price, copies) in SMITHIES.items():
        yield _card(name, "item", chip=kind, level=level, price=price, copies=copies)
    for name, (kind, copies) in CURSES.items():
        yield _card(name, "curse", of=kind, copies=copies)


def _card_backs(cards: list[Card]) -> Iterator[Card]:
    """Backs of hidden cards: one for all cards drawn in rooms, one for victory cards."""
    hidden = {"dungeon-back": ("monster", "item", "curse"), "victory-back": ("victory",)}
    for name, roles in hidden.items():
        yield _card(name, name, copies=sum(card.copies for card in cards if card.role in roles))


def _victories() -> Iterator[Card]:
    for name, (stars, condition, abilities) in VICTORIES.items():
        more = {"stars": stars, "condition": dict(condition), "abilities": [dict(each) for each in abilities]}
        yield _card(name, "victory", COPIES_OF_VICTORY, **more)
