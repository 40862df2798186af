"""Art of cards: dungeon cards (monsters, items, curses), victory cards with two readable ends, and large
cards of characters and the dragon. They show signs and numbers only, no words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PIL import Image

from calibration.decks.drawing.palette import Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, bow, box, circle, curve, edges, ellipse, lighter, stroke
from calibration.decks.drawing.sheet_of_art import bright_colours, cloth
from calibration.decks.stone_dragon.art.creatures import MONSTERS, Portrait, stone_dragon
from calibration.decks.stone_dragon.art.icons import (
    BONE,
    GOLD,
    SIGNS,
    STEEL,
    WOOD,
    Told,
    draw_row,
    number,
    star,
)
from calibration.decks.stone_dragon.panel_set import CARD_MM, CHARACTER_MM, CHIP_MM
from scorer.catalogue import Card

_SKIN = (rgb("e9bd93"), rgb("b27a4f"), rgb("f0cda8"), rgb("8a5a3c"))


def _face(pen: Pen, skin: Colour, iris: Colour, *, smile: float = 0.6) -> None:
    pen.solid(box(-2.2, 3, 2.2, 8.6, 1), lighter(skin, -0.15), outline=0.35)
    pen.solid(
        curve("-5,-5 -3,-8.6 3,-8.6 5,-5 5,0.6 2.6,4.8 0,6 -2.6,4.8 -5,0.6"),
        skin,
        outline=0.45,
        contrast=0.16,
    )
    for side in (-1, 1):
        pen.solid(ellipse(2.1 * side, -1.8, 1.05, 0.85), rgb("ffffff"), outline=0.22, contrast=0.05)
        pen.fill(circle(2.1 * side, -1.7, 0.62), iris)
        pen.fill(circle(2.1 * side, -1.7, 0.3), INK)
        pen.line(bow(f"{0.9 * side},-3.4 {2.2 * side},-3.9 {3.5 * side},-3.2"), INK, 0.5)
    pen.line(bow("0.3,-1.4 0.9,0.9 -0.3,1.1"), lighter(skin, -0.5), 0.4)
    pen.line(bow(f"-1.7,2.9 0,{2.9 + smile} 1.7,2.9"), rgb("8a2f2a"), 0.6)


def _knight(pen: Pen) -> None:
    steel = rgb("9aa7b5")
    pen.solid(curve("-13,15 -11,8 -4,6 4,6 11,8 13,15"), steel, outline=0.5)
    pen.solid(edges("-3.4,8 0,6.8 3.4,8 2.6,15 -2.6,15"), rgb("b3282f"), outline=0.4)
    for side in (-1, 1):
        pen.solid(ellipse(10.4 * side, 9.6, 3.8, 2.6), lighter(steel, 0.15), outline=0.4)
    _face(pen, _SKIN[0], rgb("3a6ea5"), smile=0.3)
    pen.solid(
        curve("-6.2,-1 -6.6,-8 -3,-12.6 3,-12.6 6.6,-8 6.2,-1 5,-5.6 0,-6.4 -5,-5.6"), steel, outline=0.5
    )
    for side in (-1, 1):
        pen.solid(
            edges(f"{6.2 * side},-2 {4.4 * side},-3 {4.2 * side},4 {5.6 * side},3.4"),
            lighter(steel, -0.1),
            outline=0.35,
        )
    pen.line(stroke("0,-12.6 0,-6.4"), lighter(steel, -0.45), 0.7)
    plume = curve("0,-12 -3,-15.4 4,-15.6 10,-13 12,-7 8.4,-9.6 4,-11.4")
    pen.solid(plume, rgb("c8323a"), outline=0.4)


def _merchant(pen: Pen) -> None:
    coat = rgb("2f6b5a")
    pen.solid(curve("-13,15 -10,8 -4,6.4 4,6.4 10,8 13,15"), coat, outline=0.5)
    pen.solid(edges("-4,7 0,13 4,7 2,6 -2,6"), rgb("f4efe2"), outline=0.35)
    pen.line(bow("-5,8 0,14.6 5,8"), rgb("e2b33c"), 0.9)
    pen.solid(circle(0, 13, 1.5), rgb("e2b33c"), outline=0.3)
    _face(pen, _SKIN[1], rgb("4a3520"), smile=1.0)
    pen.solid(curve("-4,2 0,3.4 4,2 3.4,6.4 0,9 -3.4,6.4"), rgb("3a2a1f"), outline=0.4)
    pen.line(bow("-1.6,4 0,4.8 1.6,4"), rgb("c96a5a"), 0.7)
    pen.solid(curve("-6.6,-5 -7.4,-9 -3,-13.6 4,-13.4 7.4,-9 6.6,-5 0,-7"), rgb("7b3fa8"), outline=0.45)
    for k, x in enumerate((-4.4, -1.4, 1.8)):
        pen.line(
            bow(f"{x},-6.2 {x + 1},-10 {x + 3},-12.8"), lighter(rgb("7b3fa8"), 0.35 if k % 2 else -0.35), 0.6
        )
    pen.solid(curve("-1.2,-7.4 0,-9.4 1.2,-7.4 0,-5.4"), rgb("59d3c0"), outline=0.3)


def _tamer(pen: Pen) -> None:
    leather = rgb("8a5530")
    pen.solid(curve("-13,15 -10,8 -4,6.4 4,6.4 10,8 13,15"), leather, outline=0.5)
    for x, y in ((-8, 11), (-4.6, 13), (4.6, 12.4), (8.6, 11.4)):
        pen.solid(ellipse(x, y, 1.4, 0.9), rgb("3d2412"), outline=0.2)
    hair = rgb("b5482a")
    pen.solid(
        curve("-6.6,4 -8.4,-4 -5,-11.6 0,-13.2 5,-11.6 8.4,-4 6.6,4 8,9.6 5,8 4,0 -4,0 -5,8 -8,9.6"),
        hair,
        outline=0.5,
    )
    _face(pen, _SKIN[2], rgb("3f8a4a"), smile=0.8)
    pen.solid(curve("-5.2,-4 -5,-9 0,-10.8 5,-9 5.2,-4 2,-7 -1,-5.4"), hair, outline=0.4)
    pen.line(stroke("-5.6,-6.4 5.6,-6.4"), rgb("4a9a4e"), 1.1)
    # A small dragon on the shoulder.
    green = rgb("5fae5c")
    pen.solid(curve("8,8.6 7.6,4 9.6,1.6 13,2 13.4,6 11.4,9"), green, outline=0.4)
    pen.solid(curve("8.4,2.6 6.2,1.4 6.6,-1 9.6,-1.6 11.6,0.4 11,2.8"), green, outline=0.4)
    pen.solid(edges("11.4,3 15,-1.4 14.6,5"), rgb("e2b33c"), outline=0.35)
    pen.solid(circle(8.2, 0, 0.8), rgb("ffe14a"), outline=0.2)
    pen.fill(circle(8.1, 0, 0.35), INK)


def _heiress(pen: Pen) -> None:
    gown = rgb("a8326a")
    pen.solid(curve("-13,15 -11,9 -4,7 4,7 11,9 13,15"), gown, outline=0.5)
    pen.solid(curve("-6,8 0,11 6,8 4,6.4 -4,6.4"), rgb("f4efe2"), outline=0.35)
    hair = rgb("2b2230")
    pen.solid(
        curve("-6.6,6 -7.6,-5 -4,-11 4,-11 7.6,-5 6.6,6 8.6,11 5.4,11 4,2 -4,2 -5.4,11 -8.6,11"),
        hair,
        outline=0.5,
    )
    _face(pen, _SKIN[3], rgb("6b3fa0"), smile=0.5)
    pen.solid(curve("-5.4,-3 -4.8,-8.8 0,-10.4 4.8,-8.8 5.4,-3 3.4,-6.6 0,-7.4 -3.4,-6.6"), hair, outline=0.4)
    pen.solid(edges("-4.8,-9 -5.4,-14 -2.4,-11.4 0,-15 2.4,-11.4 5.4,-14 4.8,-9"), rgb("e2b33c"), outline=0.4)
    for x, colour in ((-2.8, "59d3c0"), (0.0, "d8384a"), (2.8, "59d3c0")):
        pen.solid(circle(x, -10, 0.75), rgb(colour), outline=0.2)
    for x in (-4.2, -2.2, 0.0, 2.2, 4.2):
        pen.solid(circle(x, 9.2 - 0.12 * abs(x) ** 1.5, 0.85), rgb("fdf8ec"), outline=0.22, contrast=0.12)
    for side in (-1, 1):
        pen.solid(circle(5 * side, 2.6, 0.8), rgb("e2b33c"), outline=0.22)


CHARACTERS: dict[str, tuple[Portrait, Colour]] = {
    "knight": (_knight, rgb("8f2530")),
    "merchant": (_merchant, rgb("1f5a4a")),
    "tamer": (_tamer, rgb("7a4a14")),
    "heiress": (_heiress, rgb("5a2a6b")),
}


SEED = 20261124
_MONSTER, _ITEM, _CURSE = rgb("6b1f1f"), rgb("1f4a5a"), rgb("3d1f55")
_VICTORY, _BONUS = rgb("e6d49a"), rgb("b9a4d6")


def draw_card(card: Card, number_in_set: int, px_per_mm: float) -> Image.Image:
    """The face of a card, according to its role."""
    drawn = {"monster": _monster, "item": _item, "curse": _curse}.get(card.role or "")
    if drawn is not None:
        ground = {"monster": _MONSTER, "item": _ITEM, "curse": _CURSE}[card.role or ""]
        sheet = cloth(card.id, SEED, CARD_MM, px_per_mm, ground)
        with sheet.pen() as pen:
            drawn(pen, card)
    elif card.role == "victory":
        sheet = cloth(card.id, SEED, CARD_MM, px_per_mm, _VICTORY)
        with sheet.pen() as pen:
            _victory(pen, card, number_in_set)
    elif card.role in ("character", "dragon-card"):
        colour = CHARACTERS[card.id][1] if card.role == "character" else rgb("39404c")
        sheet = cloth(card.id, SEED, CHARACTER_MM, px_per_mm, colour)
        with sheet.pen() as pen:
            (_character if card.role == "character" else _dragon)(pen, card)
    else:
        raise ValueError(card.id)
    return bright_colours(sheet.cut())


def draw_card_back(role: str, px_per_mm: float) -> Image.Image:
    """The back of dungeon cards (a shut gate), or of victory cards (a star)."""
    ground = rgb("2d3440") if role == "dungeon-back" else rgb("6b2b3a")
    width, height = CARD_MM
    sheet = cloth(role, SEED, CARD_MM, px_per_mm, ground)
    with sheet.pen() as pen:
        pen.line(box(2.4, 2.4, width - 2.4, height - 2.4, 2), GOLD, 0.8)
        with pen.within(box(3.4, 3.4, width - 3.4, height - 3.4, 1.4)):
            for at in range(-80, 120, 8):
                pen.line(stroke(f"{at},0 {at + 68},68"), lighter(ground, 0.18), 0.6)
                pen.line(stroke(f"{at},68 {at + 68},0"), lighter(ground, 0.18), 0.6)
        for turn in (0, 180):
            with pen.at(width / 2, height / 2, turn):
                if role == "dungeon-back":
                    pen.solid(curve("-11,0 -11,-9 0,-17 11,-9 11,0"), rgb("565d69"), outline=0.5)
                    for x in (-7.5, -2.5, 2.5, 7.5):
                        pen.line(stroke(f"{x},0 {x},{-13 + 0.5 * abs(x)}"), INK, 1.6)
                        pen.line(stroke(f"{x},0 {x},{-13 + 0.5 * abs(x)}"), rgb("9aa0ab"), 0.9)
                    pen.line(stroke("-10,-5 10,-5"), rgb("9aa0ab"), 1.0)
                else:
                    with pen.at(0, -9.6):
                        star(pen, 8)
        pen.solid(circle(width / 2, height / 2, 3.4), GOLD, outline=0.4, contrast=0.3)
    return bright_colours(sheet.cut())


def _window(pen: Pen, at: tuple[float, float, float, float], colour: Colour) -> None:
    """Draw a framed field (left, top, right, bottom) with a light centre."""
    left, top, right, bottom = at
    frame = box(left, top, right, bottom, 1.8)
    pen.fill(box(left - 1.1, top - 1.1, right + 1.1, bottom + 1.1, 2.4), GOLD)
    pen.line(box(left - 1.1, top - 1.1, right + 1.1, bottom + 1.1, 2.4), INK, 0.4)
    middle = ((left + right) / 2, (top + bottom) / 2)
    pen.glow(
        frame, [(lighter(colour, 0.55), 1.0), (lighter(colour, -0.25), 1.0)], middle, 0.75 * (right - left)
    )
    pen.line(frame, INK, 0.5)


def _band(pen: Pen, at: tuple[float, float, float, float], colour: Colour = BONE) -> None:
    left, top, right, bottom = at
    pen.solid(box(left, top, right, bottom, 1.4), colour, outline=0.3, contrast=0.06)


def _price(pen: Pen, price: int) -> None:
    x, y = CARD_MM[0] - 7.2, 7.0
    with pen.at(x, y, scale=1.28):
        SIGNS["coins"](pen)
    pen.solid(circle(x, y, 3.2), rgb("fff3c4"), outline=0.25, contrast=0.1)
    number(pen, str(price), (x, y), 3.6, INK)


def _monster(pen: Pen, card: Card) -> None:
    width, height = CARD_MM
    pen.line(box(1.6, 1.6, width - 1.6, height - 1.6, 2), rgb("f6d469"), 0.5)
    _window(pen, (4.4, 12.4, width - 4.4, 47), rgb("8a6a5a"))
    with pen.within(box(4.4, 12.4, width - 4.4, 47, 1.8)), pen.at(width / 2, 30.6, scale=1.12):
        MONSTERS[card.id](pen)
    with pen.at(7.2, 7.0, scale=1.2):
        SIGNS["monster"](pen)
    _price(pen, card.more["price"])
    row: list[Told] = []
    for sign in ("attack", "defence", "life"):
        if card.more.get(sign, 0):
            row += [Told(sign), Told(text=str(card.more[sign]))]
    _band(pen, (3, 51, width - 3, height - 4))
    draw_row(pen, (width / 2, 57.4), row, scale=0.68 if len(row) > 4 else 0.95)


def _item(pen: Pen, card: Card) -> None:
    width, height = CARD_MM
    pen.line(box(1.6, 1.6, width - 1.6, height - 1.6, 2), rgb("9fe3ef"), 0.5)
    _window(pen, (4.4, 12.4, width - 4.4, 47), rgb("c9b88f"))
    with pen.at(7.2, 7.0, scale=1.15):
        SIGNS["item"](pen)
    _price(pen, card.more["price"])
    _band(pen, (3, 51, width - 3, height - 4))
    with pen.at(width / 2, 30):
        if "coins" in card.more:
            _hoard(pen, rgb("c47a3d") if card.more["coins"] < 4 else rgb("c9d2dc"), card.more["coins"])
        else:
            _smithy(pen, card.more["chip"], card.more["level"])
    if "coins" in card.more:
        draw_row(pen, (width / 2, 57.4), [Told("coins"), Told(text=str(card.more["coins"]))])
    else:
        draw_row(pen, (width / 2, 57.4), [Told(card.more["chip"]), Told(text=f"+{card.more['level']}")])


def _hoard(pen: Pen, metal: Colour, count: int) -> None:
    for row in range(3):
        for k in range(5 - row):
            x, y = (k - (4 - row) / 2) * 5.4 + 0.7 * ((k * 7 + row) % 3 - 1), 9 - 3.6 * row
            pen.solid(ellipse(x, y, 3.6, 2.3), metal, outline=0.35, contrast=0.35)
            pen.line(ellipse(x, y, 2.4, 1.4), lighter(metal, -0.45), 0.3)
    for k in range(count):
        with pen.at((k - (count - 1) / 2) * 6.2, -5 - 1.6 * (k % 2), scale=0.9):
            pen.solid(circle(0, 0, 4), metal, outline=0.35, contrast=0.4)
            pen.line(circle(0, 0, 2.8), lighter(metal, -0.45), 0.35)
            pen.solid(edges("0,-1.9 1.5,0 0,1.9 -1.5,0"), lighter(metal, 0.4), outline=0.2)


def _smithy(pen: Pen, kind: str, level: int) -> None:
    """Draw an anvil and a hammer for swords and shields, or a cauldron for potions. The number of sparks
    shows the level."""
    if kind == "potion":
        pen.solid(curve("-11,0 -10,9 -4,13.6 4,13.6 10,9 11,0"), rgb("3a3f49"), outline=0.5)
        pen.solid(ellipse(0, 0, 11.4, 2.8), rgb("b04bc0"), outline=0.5, contrast=0.25)
        for x, y, r in ((-4, -3, 1.6), (1, -5.4, 2.1), (5.4, -2.4, 1.3)):
            pen.solid(circle(x, y, r), rgb("d08ae0"), outline=0.25)
    else:
        pen.solid(
            edges("-12,-1 -3,-3 11,-3 9.6,1.4 3.4,3.4 3.4,8 7.4,12 -7.4,12 -3.4,8 -3.4,3.4"),
            rgb("565d69"),
            outline=0.5,
        )
        pen.line(stroke("-9,-1.4 10,-2"), lighter(rgb("565d69"), 0.5), 0.6)
        with pen.at(4.6, -8.6, -38):
            pen.solid(box(-0.9, -1, 0.9, 11, 0.4), WOOD, outline=0.35)
            pen.solid(box(-4, -4.4, 4, 0, 0.8), STEEL, outline=0.4)
    with pen.at(-5 if kind != "potion" else 0, -8.4, scale=1.3 if kind != "potion" else 1.0):
        SIGNS[kind](pen)
    for k in range(level):
        with pen.at(-13 + 26 * k, 9, 20 - 40 * k):
            star(pen, 3.0, rgb("ffb32e"))


def _curse(pen: Pen, card: Card) -> None:
    width, height = CARD_MM
    kind = card.more["of"]
    pen.line(box(1.6, 1.6, width - 1.6, height - 1.6, 2), rgb("c98ae0"), 0.5)
    _window(pen, (4.4, 12.4, width - 4.4, 47), rgb("4a5a3a"))
    with pen.at(width / 2, 29.6, scale=3.1):
        SIGNS[kind](pen)
    chain = "-16,-12 -6,-5 2,3 15,11" if kind == "sword" else "-16,10 -5,6 3,-4 15,-11"
    with pen.at(width / 2, 29.6):
        for colour, weight in ((INK, 3.6), (rgb("9aa0ab"), 2.5), (rgb("3a3f49"), 0.9)):
            pen.line(bow(chain), colour, weight)
        pen.solid(circle(0, 0, 4.6), rgb("3d1f55"), outline=0.45)
        with pen.at(0, 0, scale=0.85):
            SIGNS["skull"](pen)
    with pen.at(7.2, 7.0, scale=1.15):
        SIGNS["item"](pen)
    with pen.at(width - 7.2, 7.0, scale=1.15):
        SIGNS["skull"](pen)
    _band(pen, (3, 51, width - 3, height - 4), rgb("d9c6ec"))
    draw_row(pen, (width / 2, 57.4), [Told("skull"), Told("to"), Told(kind)], scale=0.92)


def _victory(pen: Pen, card: Card, number_in_set: int) -> None:
    """Draw a victory card: condition and stars at one end, the bonus at the other."""
    width, height = CARD_MM
    pen.shade(box(0, height / 2, width, height), (lighter(_BONUS, 0.1), _BONUS), (0, height / 2), (0, height))
    pen.line(box(1.6, 1.6, width - 1.6, height - 1.6, 2), rgb("6b4a1a"), 0.6)
    stars = int(card.more["stars"])
    for k in range(stars):
        with pen.at(width / 2 + 8.6 * (k - (stars - 1) / 2), 7.6):
            star(pen)
    condition = _condition(card.more["condition"])
    _band(pen, (3, 13, width - 3, 28.4))
    draw_row(pen, (width / 2, 20.7), condition, scale=0.9 if len(condition) < 4 else 0.72)
    with pen.at(width / 2, height / 2, 15 * number_in_set):
        spread = 5 + number_in_set % 7
        for k in range(spread):
            with pen.at(0, 0, 360 / spread * k):
                pen.fill(edges("-1.1,-2.8 0,-6.6 1.1,-2.8"), rgb("8a5a12"))
        pen.solid(circle(0, 0, 3.5), _SEALS[number_in_set % len(_SEALS)], outline=0.35, contrast=0.3)
        pen.solid(edges("0,-2 1.1,0 0,2 -1.1,0"), GOLD, outline=0.2)
    rows = [_ability(each) for each in card.more["abilities"]]
    with pen.at(width / 2, height, 180):
        for row in rows:
            _band(pen, (-width / 2 + 3, 8, width / 2 - 3, 23.4), rgb("efe6fa"))
            draw_row(pen, (0, 15.7), row, scale=0.9 if len(row) < 4 else 0.62)
        if not rows:
            with pen.at(0, 15.7, scale=1.6):
                SIGNS["swap"](pen)


_SEALS = (rgb("a8323a"), rgb("2f6fb5"), rgb("3f8a4a"), rgb("7b3fa8"), rgb("c9772a"), rgb("2a7f8f"))


def _condition(told: dict[str, Any]) -> list[Told]:
    if told.get("count"):
        return [Told(told["count"]), Told(text=f"{told['at_least']}+")]
    if told.get("moment"):
        by = "duel" if told["moment"] == "beaten-by-player" else "monster"
        return [Told(by), Told("to"), Told("skull")]
    if told.get("swap"):
        return [Told("any"), Told("swap"), Told("any")]
    return [Told("table"), Told("dragon")]


def _ability(told: dict[str, Any]) -> list[Told]:
    effect = told["effect"]
    if effect in ("attack", "defence"):
        return [Told(effect), Told(text=f"+{told['add']}")]
    if effect == "discard_monsters":
        return [Told("monster"), Told("to"), Told("duel"), Told(text=f"+{told['add']}")]
    if effect == "pay_coins":
        return [Told("coins"), Told("to"), Told("attack"), Told(text=f"+{told['add']}")]
    if effect == "sell_add":
        return [Told(told["of"]), Told("to"), Told("coins"), Told(text=f"+{told['add']}")]
    if effect == "sell_times":
        return [Told("any"), Told("to"), Told("coins"), Told("coins")]
    if effect == "action_on_defeat":
        return [Told("skull"), Told("to"), Told("action")]
    raise ValueError(effect)


def _stats(pen: Pen, card: Card, signs: Sequence[str], x: float, top: float) -> None:
    """Draw signs with their numbers in a column."""
    for k, sign in enumerate(signs):
        with pen.at(x, top + 11.4 * k):
            _band(pen, (-5.4, -5, 12.4, 5))
            with pen.at(0, 0, scale=0.95):
                SIGNS[sign](pen)
            told = str(card.more.get(sign, 0))
            number(pen, told, (8, 0), 5.4 if len(told) == 1 else 3.8, INK)


def _portrait(
    pen: Pen, drawn: Portrait, at: tuple[float, float, float, float], colour: Colour, scale: float
) -> None:
    left, top, right, bottom = at
    _window(pen, at, colour)
    with (
        pen.within(box(left, top, right, bottom, 1.8)),
        pen.at((left + right) / 2, (top + bottom) / 2, scale=scale),
    ):
        drawn(pen)


def _character(pen: Pen, card: Card) -> None:
    width, height = CHARACTER_MM
    drawn, colour = CHARACTERS[card.id]
    pen.line(box(1.8, 1.8, width - 1.8, height - 1.8, 2.4), GOLD, 0.7)
    _portrait(pen, drawn, (24, 5.6, width - 5, 46), lighter(colour, 0.3), 1.22)
    _stats(pen, card, ("attack", "defence", "life", "coins"), 9.4, 9.6)
    rows = [_ability(each) for each in card.more["abilities"]]
    for row in rows:
        _band(pen, (24, 48.6, width - 4, 58), rgb("efe6fa"))
        draw_row(pen, ((20 + width) / 2, 53.3), row, scale=0.72)
    for x, sign in ((17.4, "sword"), (width - 17.4, "shield")):
        with pen.at(x, height - 15.4):
            pen.solid(circle(0, 0, CHIP_MM / 2 + 0.7), lighter(colour, -0.45), outline=0.4, contrast=0.1)
            pen.line(circle(0, 0, CHIP_MM / 2 + 0.7), GOLD, 0.5)
            with pen.at(0, 0, scale=1.7):
                SIGNS[sign](pen)
            pen.fill(circle(0, 0, CHIP_MM / 2 + 0.4), lighter(colour, -0.45), 0.55)


def _dragon(pen: Pen, card: Card) -> None:
    width, height = CHARACTER_MM
    pen.line(box(1.8, 1.8, width - 1.8, height - 1.8, 2.4), rgb("ff8a2a"), 0.8)
    _portrait(pen, stone_dragon, (24, 5.6, width - 5, 52), rgb("b0562a"), 1.2)
    _stats(pen, card, ("attack", "defence", "life"), 9.4, 9.6)
    stars = int(card.more["stars"])
    _band(pen, (6, 60, width - 6, 82), rgb("fff3c4"))
    for k in range(stars):
        with pen.at(width / 2 + 17 * (k - (stars - 1) / 2), 71):
            star(pen, 8.4)
