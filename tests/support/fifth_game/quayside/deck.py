"""The catalogue, with art drawn by code: a board with nine printed cells, loose tiles, goods and boats."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from scorer.catalogue import FILE_NAME, Card, Catalogue, Edge, Node, Point, Side, to_json
from scorer.record import Rotation

GOODS_COPIES = 4
SIDE, TILE_MM, FRAME_MM, DISC_MM, WATER_MM, PX_PER_MM = 5, 50.0, 24.0, 20.0, 9.0, 8
BOARD_MM = SIDE * TILE_MM + 2 * FRAME_MM
#: Loose tiles: their open sides at rotation 0, and their number in the box.
TILES: dict[str, tuple[tuple[Side, ...], int]] = {
    "straight": (("top", "bottom"), 6),
    "bend": (("top", "right"), 6),
    "fork": (("left", "top", "right"), 4),
}
#: Printed cells: their open sides at rotation 0, cell and rotation. A port is named by its colour.
PRINTED: dict[str, tuple[tuple[Side, ...], tuple[int, int], Rotation]] = {
    "port-red": (("right", "bottom"), (0, 0), 0),
    "port-blue": (("right", "bottom"), (4, 0), 90),
    "port-green": (("right", "bottom"), (4, 4), 180),
    "port-yellow": (("right", "bottom"), (0, 4), 270),
    "pier-1": (("left", "right", "bottom"), (2, 0), 0),
    "pier-2": (("left", "right", "bottom"), (4, 2), 90),
    "pier-3": (("left", "right", "bottom"), (2, 4), 180),
    "pier-4": (("left", "right", "bottom"), (0, 2), 270),
    "basin": (("left", "top", "right", "bottom"), (2, 2), 0),
}
COLOURS = {"red": (200, 40, 44), "blue": (36, 80, 190), "green": (30, 130, 60), "yellow": (236, 196, 40)}
_GROUND = {"straight": (206, 190, 150), "bend": (176, 196, 150), "fork": (206, 160, 150)}
_GOODS = {"grain": (214, 120, 30), "salt": (235, 235, 240), "silk": (150, 60, 140)}
_SIGNS = {"grain": "H", "salt": "X", "silk": "S"}
_PORTS = {name: (r // 2 + 128, g // 2 + 128, b // 2 + 128) for name, (r, g, b) in COLOURS.items()}
_WATER, _SEA = (60, 120, 170), (40, 84, 120)
_AT: dict[Side, Point] = {
    "top": (TILE_MM / 2, 0),
    "right": (TILE_MM, TILE_MM / 2),
    "bottom": (TILE_MM / 2, TILE_MM),
    "left": (0, TILE_MM / 2),
}


def pieces() -> Catalogue:
    """The catalogue, without its art."""
    tiles = [
        Card(id=name, kind="tile", role=name, copies=copies, **_canal(name, sides))
        for name, (sides, copies) in TILES.items()
    ]
    printed = [
        Card(
            id=name,
            kind="fixed",
            role=name.partition("-")[0],
            colour=name.partition("-")[2] if name.startswith("port") else None,
            cell=cell,
            rotation=turn,
            **_canal(name, sides),
        )
        for name, (sides, cell, turn) in PRINTED.items()
    ]
    disc: dict[str, Any] = {"shape": "disc", "size_mm": (DISC_MM, DISC_MM)}
    goods = [
        Card(id=name, kind="chip", role=name, copies=GOODS_COPIES, art=f"art/{name}.png", **disc)
        for name in _GOODS
    ]
    boats = [
        Card(
            id=f"boat-{colour}", kind="pawn", role="boat", colour=colour, art=f"art/boat-{colour}.png", **disc
        )
        for colour in COLOURS
    ]
    board = Card(id="board", kind="board", art="art/board.png", shape="square", size_mm=(BOARD_MM, BOARD_MM))
    cards = (*tiles, *printed, *goods, *boats, board)
    return Catalogue(name="quayside", game="quayside", cards=cards, card_size_mm=(TILE_MM, TILE_MM))


def _canal(name: str, sides: tuple[Side, ...]) -> dict[str, Any]:
    """The fields of a square tile whose canals join in its middle."""
    ends = [Node(id=side[0], kind="opening", side=side, at=_AT[side]) for side in sides]
    return {
        "art": f"art/{name}.png",
        "shape": "square",
        "nodes": (*ends, Node(id="m", kind="junction", at=(TILE_MM / 2, TILE_MM / 2))),
        "edges": tuple(Edge(kind="corridor", level="main", from_=end.id, to="m") for end in ends),
    }


def write_deck(folder: Path) -> Path:
    """Write the catalogue and its art to a folder; the folder."""
    (folder / "art").mkdir(parents=True, exist_ok=True)
    catalogue = pieces()
    for card in catalogue.cards:
        draw_piece(card.id).save(folder / card.art)
    (folder / FILE_NAME).write_bytes(to_json(catalogue))
    return folder


def draw_piece(name: str) -> Image.Image:
    """A piece's face, PX_PER_MM."""
    if name == "board":
        return _board()
    if name in TILES:
        return _tile(name, TILES[name][0], _GROUND[name])
    if name in PRINTED:
        return _tile(name, PRINTED[name][0], _PORTS.get(name.removeprefix("port-"), (150, 150, 160)))
    return _disc(name, _GOODS.get(name) or COLOURS[name.removeprefix("boat-")])


def _tile(name: str, sides: tuple[Side, ...], ground: tuple[int, int, int]) -> Image.Image:
    """Canals between houses and gardens, which differ on every tile and on every side of it."""
    face = _mottled(name, TILE_MM, ground, 50)
    draw, rng = ImageDraw.Draw(face), random.Random(name)
    middle, width = face.width / 2, round(WATER_MM * PX_PER_MM)
    for x, y in ((0.1, 0.1), (0.68, 0.1), (0.1, 0.7), (0.7, 0.7)):
        roof = tuple(rng.choice((60, 130, 220)) for _ in range(3))
        low, high = (x * face.width, y * face.width), (x + rng.uniform(0.1, 0.2), y + rng.uniform(0.1, 0.2))
        draw.rectangle([low, (high[0] * face.width, high[1] * face.width)], fill=roof, outline=(40, 40, 40))
    for side in sides:
        end = tuple(at * PX_PER_MM for at in _AT[side])
        draw.line([(middle, middle), end], fill=_WATER, width=width)
    draw.circle((middle, middle), width / 2, fill=_WATER)
    return face


def _disc(name: str, ground: tuple[int, int, int]) -> Image.Image:
    """A white rim, and a sign in the middle."""
    size = round(DISC_MM * PX_PER_MM)
    face = Image.new("RGB", (size, size), ground)
    draw = ImageDraw.Draw(face)
    draw.text((size / 2, size / 2), _SIGNS.get(name, "A"), (30, 30, 50), anchor="mm", font_size=size * 0.7)
    draw.ellipse([0, 0, size, size], outline=(245, 245, 240), width=PX_PER_MM)
    return face


def _board() -> Image.Image:
    face = _mottled("board", BOARD_MM, _SEA, 900)
    for name, (_, cell, turn) in PRINTED.items():
        at = tuple(round((FRAME_MM + TILE_MM * each) * PX_PER_MM) for each in cell)
        face.paste(draw_piece(name).rotate(-turn), (at[0], at[1]))
    return face


def _mottled(name: str, size_mm: float, ground: tuple[int, int, int], spots: int) -> Image.Image:
    """A square of a colour, with spots by chance that are the piece's own."""
    size, rng = round(size_mm * PX_PER_MM), random.Random(name)
    face = Image.new("RGB", (size, size), ground)
    draw = ImageDraw.Draw(face)
    for _ in range(spots):
        x, y = rng.uniform(0, size), rng.uniform(0, size)
        radius = rng.uniform(1.0, 3.6) * PX_PER_MM
        corners = [(x + rng.uniform(-radius, radius), y + rng.uniform(-radius, radius)) for _ in range(4)]
        shade = tuple(max(0, min(255, each + rng.choice((-90, -50, 50, 90)))) for each in ground)
        draw.polygon(corners, fill=shade, outline=(50, 50, 50))
    return face
