"""Art of the boards: both faces of the map, the research track, borders, and players' boards."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from calibration.decks.drawing.glyphs import draw_text
from calibration.decks.drawing.noise import cellular, fbm, smoothstep, stream
from calibration.decks.drawing.palette import STARTER_COLOURS, Colour, rgb
from calibration.decks.drawing.pen import INK, Pen, box, circle, edges, lighter, stroke
from calibration.decks.drawing.sheet_of_art import Sheet, bright_colours
from calibration.decks.ice_and_idols.art.signs import (
    BORDER_COLOURS,
    CREAM,
    ICE,
    IDOL_COLOURS,
    NIGHT,
    altar,
    bonus,
    border_sign,
    event,
    gear,
    idol,
    person,
    roundel,
    shift,
    snowflake,
    star,
    turn_arrow,
)
from calibration.decks.ice_and_idols.temple_set import BORDER_MM, PLAYER_BOARD_MM, TILE_MM
from scorer.catalogue import Card
from scorer.ice_and_idols.rules.pieces import IDOLS, BorderName

SEED = 20261125


def _stone(name: str, size: tuple[float, float], px_per_mm: float, colour: Colour, cell_mm: float) -> Sheet:
    """A sheet with a texture of frozen flagstones."""
    sheet = Sheet(size, px_per_mm, colour)
    rng = stream(SEED, name, "stone")
    stones = cellular(rng, sheet.grid, cell_mm, warp_mm=0.2)
    tone = rng.normal(1.0, 0.05, len(stones.centre_mm)).astype(np.float32)[stones.label]
    tone = tone + 0.03 * fbm(rng, sheet.grid, 9.0, octaves=4)
    tone = tone * (1 - 0.22 * smoothstep(0.6, 0.1, stones.border_mm))
    frost = smoothstep(0.9, 2.0, fbm(rng, sheet.grid, 26.0, octaves=4))[..., None]
    ground = np.array(colour, np.float32) * tone[..., None]
    sheet.lay(ground + (np.array([0.93, 0.97, 1.0], np.float32) - ground) * 0.5 * frost)
    return sheet


def draw_map(card: Card, px_per_mm: float) -> Image.Image:
    """A face of the map, with idols and altars as in the catalogue, and the start space."""
    side = 5 * TILE_MM
    geared = card.id == "map-gear"
    ground = rgb("8fa3ad") if geared else rgb("a8977e")
    sheet = _stone(card.id, (side, side), px_per_mm, ground, 9.0)
    with sheet.pen() as pen:
        with pen.at(side / 2, side / 2):
            if geared:
                gear(pen, 96, lighter(ground, -0.45), 0.5)
            else:
                for radius in (112, 84, 56):
                    snowflake(pen, radius, lighter(ground, 0.35), 1.4)
        for k in range(6):
            for text in (f"{50 * k},-6 {50 * k},{side + 6}", f"-6,{50 * k} {side + 6},{50 * k}"):
                pen.line(stroke(text), lighter(ground, -0.55), 0.7, alpha=0.7)
        for told in card.more["cells"]:
            _cell(pen, told, geared)
        pen.line(box(0, 0, side, side), NIGHT, 2.4)
    return bright_colours(sheet.cut())


def _cell(pen: Pen, told: dict[str, Any], geared: bool) -> None:
    """Draw a cell of the map. Idols are at the upper left of its centre and altars at the lower right,
    where no tile's corridors cover them."""
    column, row = told["cell"]
    with pen.at(TILE_MM * (column + 0.5), TILE_MM * (row + 0.5)):
        if told.get("start"):
            for radius, colour in ((21.0, NIGHT), (19.6, CREAM), (18.2, NIGHT)):
                pen.fill(circle(0, 0, radius), colour)
            for k in range(8):
                with pen.at(0, 0, 45 * k):
                    pen.solid(edges("-2.6,-6 0,-17.4 2.6,-6"), rgb("f2d06b") if k % 2 else ICE, outline=0.3)
            pen.solid(circle(0, 0, 6.2), rgb("c4622a"), outline=0.4)
            return
        idols, altars = list(told.get("idols", ())), list(told.get("altars", ()))
        at = -13.0
        for number, kind in enumerate(idols):
            x, y = (at, at) if number == 0 else (-at, at) if not altars else (at, -at)
            with pen.at(x, y):
                roundel(pen, rgb("38424d") if geared else rgb("4d4032"), 9.4)
                with pen.at(0, 0, scale=1.5):
                    idol(pen, kind)
        for number, kind in enumerate(altars):
            x, y = (-at, -at) if number == 0 else (-at, at)
            with pen.at(x, y, scale=1.5):
                altar(pen, kind)


def draw_research(card: Card, px_per_mm: float) -> Image.Image:
    """The research board: one track for each kind of idol, lowest space first, with the reward of each
    space."""
    assert card.size_mm is not None
    width, height = card.size_mm
    columns, rows = card.more["columns"], card.more["rows"]
    wide, high = width / columns, height / rows
    sheet = _stone(card.id, card.size_mm, px_per_mm, rgb("54626e"), 7.0)
    with sheet.pen() as pen:
        for track in card.more["tracks"]:
            kind = track["idol"]
            colour = IDOL_COLOURS[kind]
            left = wide * track["column"]
            pen.fill(
                box(left + 1.4, high + 1, left + wide - 1.4, height - high - 1, 3),
                lighter(colour, -0.45),
                0.75,
            )
            pen.line(
                box(left + 1.4, high + 1, left + wide - 1.4, height - high - 1, 3), lighter(colour, 0.3), 0.6
            )
            with pen.at(left + wide / 2, high * (track["top"] + 0.5)):
                _lock(pen, colour)
            with pen.at(left + wide / 2, high * (track["below"] + 0.5)):
                pen.solid(circle(0, 0, 11.3), lighter(colour, -0.55), outline=0.4, contrast=0.1)
                pen.line(circle(0, 0, 11.3), rgb("f2d06b"), 0.6)
                with pen.at(0, 0, scale=1.25):
                    idol(pen, kind)
            for space in track["spaces"]:
                with pen.at(left + wide / 2, high * (space["row"] + 0.5)):
                    _space(pen, space, colour)
        pen.line(box(0, 0, width, height), NIGHT, 1.8)
    return bright_colours(sheet.cut())


def _lock(pen: Pen, colour: Colour) -> None:
    pen.solid(circle(0, 0, 11.3), lighter(colour, -0.2), outline=0.4, contrast=0.2)
    pen.line(circle(0, 0, 10.2), CREAM, 0.5)
    pen.line(circle(0, -2.6, 3.0), INK, 2.4)
    pen.line(circle(0, -2.6, 3.0), rgb("d8dde2"), 1.5)
    pen.solid(box(-4.6, -2, 4.6, 5.4, 0.9), rgb("f2d06b"), outline=0.35)
    pen.fill(circle(0, 1, 1.1), INK)
    pen.fill(box(-0.45, 1, 0.45, 3.4), INK)


def _space(pen: Pen, space: dict[str, Any], colour: Colour) -> None:
    """Draw a space of the track: a square for a cube at the left, its reward at the right."""
    pen.solid(box(-9.6, -8.6, 9.6, 8.6, 1.6), lighter(colour, 0.55), outline=0.35, contrast=0.1)
    with pen.at(-4.2, 0):
        pen.solid(box(-4.6, -4.6, 4.6, 4.6, 0.8), lighter(colour, 0.8), outline=0.3, contrast=0.06)
        for number, players in enumerate(space.get("start", ())):
            with pen.at(0, -2.2 + 4.4 * number if len(space["start"]) > 1 else 0, scale=0.42):
                for k in range(players):
                    with pen.at(7 * (k - (players - 1) / 2), 0):
                        person(pen, rgb("5d666f"))
    with pen.at(5.2, 0, scale=0.86):
        if space.get("gives") == "event":
            event(pen)
        elif space.get("gives") == "shift":
            shift(pen)
        elif space.get("gives") == "bonus":
            bonus(pen, space["vp"])
        else:
            snowflake(pen, 3.4, lighter(colour, -0.3), 0.5)


def draw_border(name: BorderName, px_per_mm: float) -> Image.Image:
    """A border strip along one side of the temple, with its sign five times."""
    width, height = BORDER_MM
    colour = BORDER_COLOURS[name]
    sheet = _stone(f"border-{name}", BORDER_MM, px_per_mm, colour, 8.0)
    with sheet.pen() as pen:
        for x in (2.0, width - 2.0):
            pen.line(stroke(f"{x},-6 {x},{height + 6}"), CREAM, 0.6)
        for k in range(5):
            y = TILE_MM * (k + 0.5)
            with pen.at(width / 2, y):
                roundel(pen, lighter(colour, -0.35), 7.6)
                with pen.at(0, 0, 90, scale=1.2):
                    border_sign(pen, name)
            for dy in (-17.0, 17.0):
                with pen.at(width / 2, y + dy):
                    pen.solid(edges("-3,0 0,-4 3,0 0,4"), lighter(colour, 0.5), outline=0.3)
    return bright_colours(sheet.cut())


def draw_player_board(colour_name: str, px_per_mm: float) -> Image.Image:
    """A player's board: five altars with their powers, a space for idols in hand, and one for adrenaline."""
    colour = STARTER_COLOURS[colour_name]
    width, _ = PLAYER_BOARD_MM
    sheet = _stone(f"player-{colour_name}", PLAYER_BOARD_MM, px_per_mm, lighter(colour, -0.35), 7.0)
    with sheet.pen() as pen:
        pen.line(box(2, 2, width - 2, PLAYER_BOARD_MM[1] - 2, 3), lighter(colour, 0.55), 0.9)
        for number, kind in enumerate(IDOLS):
            x = 17 + 28.0 * number
            with pen.at(x, 22, scale=1.75):
                altar(pen, kind)
            pen.solid(box(x - 11, 36, x + 11, 49, 1.6), CREAM, outline=0.3, contrast=0.05)
            with pen.at(x, 42.5):
                _power(pen, kind)
        for x, kinds in ((22.0, 1), (50.0, 0)):
            pen.solid(box(x - 12, 56, x + 12, 80, 3), lighter(colour, -0.6), outline=0.4, contrast=0.1)
            pen.line(box(x - 12, 56, x + 12, 80, 3), lighter(colour, 0.4), 0.5)
            with pen.at(x, 68):
                if kinds:
                    _hand(pen)
                else:
                    idol_at = IDOL_COLOURS["tiger_eye"]
                    pen.line(circle(0, 0, 6), idol_at, 0.8)
                    _hand(pen)
        with pen.at(width - 24, 68):
            pen.solid(circle(0, 0, 12), lighter(colour, -0.6), outline=0.4, contrast=0.1)
            pen.line(circle(0, 0, 12), rgb("ff6a4a"), 0.8)
            draw_text(pen, "+", (0, 0), 10, rgb("ff9a7a"))
        with pen.at(88, 68, scale=2.0):
            person(pen, colour)
    return bright_colours(sheet.cut())


def _power(pen: Pen, kind: str) -> None:
    """Draw the symbol of a power."""
    if kind == "sapphire":
        draw_text(pen, "6", (0, 0), 7, INK)
    elif kind == "tiger_eye":
        for x in (-4.4, 4.4):
            with pen.at(x, 0, scale=0.8):
                idol(pen, "gold" if x < 0 else "jade")
    elif kind == "jade":
        pen.line(box(-6, -4.4, -0.4, 4.4), INK, 0.4)
        pen.line(stroke("-3.2,-4.4 -3.2,4.4"), INK, 0.3)
        pen.line(stroke("-6,0 -0.4,0"), INK, 0.3)
        with pen.at(4.6, 0, scale=0.75):
            turn_arrow(pen, True, IDOL_COLOURS["jade"])
    elif kind == "ruby":
        pen.solid(box(-6.6, -2.8, -1, 2.8, 0.5), ICE, outline=0.3)
        with pen.at(4.4, 0, scale=0.75):
            turn_arrow(pen, True, IDOL_COLOURS["ruby"])
    else:
        pen.solid(box(-7, -2.8, -1.4, 2.8, 0.5), ICE, outline=0.3)
        pen.solid(
            edges("0,-0.8 3.4,-0.8 3.4,-2.4 6.6,0 3.4,2.4 3.4,0.8 0,0.8"), IDOL_COLOURS["gold"], outline=0.3
        )


def _hand(pen: Pen) -> None:
    for x in (-3.0, -1.0, 1.0, 3.0):
        pen.solid(box(x - 0.85, -5.6 + 0.3 * abs(x), x + 0.85, 1, 0.8), rgb("e9bd93"), outline=0.25)
    pen.solid(box(-4.2, -0.6, 4, 5.4, 1.8), rgb("e9bd93"), outline=0.3)
    with pen.at(4.4, 0.6, 40):
        pen.solid(box(-0.9, -3.4, 0.9, 2, 0.8), rgb("e9bd93"), outline=0.25)
    star(pen, 1.6, CREAM)
