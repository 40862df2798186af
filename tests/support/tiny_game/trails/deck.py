"""The pieces, drawn by code: four kinds of tiles with roads and things that tell them apart, two tokens."""

from __future__ import annotations

import random
from pathlib import Path

from PIL import Image, ImageDraw

from scorer.catalogue import FILE_NAME, Card, Catalogue, Edge, Node, Point, Side, to_json

TILE_MM, TOKEN_MM, PX_PER_MM, ROAD_MM = 50.0, 16.0, 10, 7.0
#: Open sides at rotation 0.
TILES: dict[str, tuple[Side, ...]] = {
    "straight": ("top", "bottom"),
    "bend": ("top", "right"),
    "tee": ("left", "top", "right"),
    "lane": ("top",),
}
_AT: dict[Side, Point] = {
    "top": (TILE_MM / 2, 0),
    "right": (TILE_MM, TILE_MM / 2),
    "bottom": (TILE_MM / 2, TILE_MM),
    "left": (0, TILE_MM / 2),
}
_GROUND = {
    "straight": (214, 226, 190),
    "bend": (236, 214, 178),
    "tee": (196, 220, 232),
    "lane": (232, 204, 212),
}
_TOKENS = {"fox": (214, 96, 24), "owl": (92, 84, 150)}


def pieces() -> Catalogue:
    """The catalogue, without art."""
    middle = Node(id="m", kind="junction", at=(TILE_MM / 2, TILE_MM / 2))
    tiles = tuple(
        Card(
            id=name,
            kind="tile",
            role="tile",
            art=f"art/{name}.png",
            copies=4,
            shape="square",
            nodes=(*(Node(id=side[0], kind="opening", side=side, at=_AT[side]) for side in sides), middle),
            edges=tuple(Edge(kind="corridor", level="main", from_=side[0], to="m") for side in sides),
        )
        for name, sides in TILES.items()
    )
    tokens = tuple(
        Card(
            id=name,
            kind="chip",
            role=name,
            art=f"art/{name}.png",
            copies=1 if name == "fox" else 3,
            size_mm=(TOKEN_MM, TOKEN_MM),
            shape="disc",
        )
        for name in _TOKENS
    )
    return Catalogue(name="trails", game="trails", cards=tiles + tokens, card_size_mm=(TILE_MM, TILE_MM))


def write_deck(folder: Path) -> Path:
    """Write the catalogue and its art to a folder; the folder."""
    (folder / "art").mkdir(parents=True, exist_ok=True)
    deck = pieces()
    for card in deck.cards:
        draw_piece(card.id).save(folder / card.art)
    (folder / FILE_NAME).write_bytes(to_json(deck))
    return folder


def draw_piece(name: str) -> Image.Image:
    """A piece's face, PX_PER_MM."""
    return _draw_token(name) if name in _TOKENS else _draw_tile(name)


def _draw_tile(name: str) -> Image.Image:
    """Roads over a meadow full of stones and flowers, different on every tile and on every side of it."""
    size = round(TILE_MM * PX_PER_MM)
    face = Image.new("RGB", (size, size), _GROUND[name])
    draw = ImageDraw.Draw(face)
    rng = random.Random(name)
    for _ in range(70):
        x, y, radius = rng.uniform(0, size), rng.uniform(0, size), rng.uniform(6, 22)
        colour = tuple(rng.randint(40, 235) for _ in range(3))
        corners = [(x + rng.uniform(-radius, radius), y + rng.uniform(-radius, radius)) for _ in range(5)]
        draw.polygon(corners, fill=colour, outline=(60, 60, 60))
    middle = size / 2
    width = round(ROAD_MM * PX_PER_MM)
    for side in TILES[name]:
        end = tuple(at * PX_PER_MM for at in _AT[side])
        draw.line([(middle, middle), end], fill=(120, 100, 84), width=width)
    draw.ellipse(
        [middle - width / 2, middle - width / 2, middle + width / 2, middle + width / 2], fill=(120, 100, 84)
    )
    return face


def _draw_token(name: str) -> Image.Image:
    size = round(TOKEN_MM * PX_PER_MM)
    face = Image.new("RGB", (size, size), _TOKENS[name])
    draw = ImageDraw.Draw(face)
    rng = random.Random(name)
    for _ in range(30):
        x, y, radius = rng.uniform(0, size), rng.uniform(0, size), rng.uniform(8, 26)
        shade = rng.choice([(250, 240, 220), (40, 30, 30), (250, 200, 60)])
        draw.polygon(
            [(x + rng.uniform(-radius, radius), y + rng.uniform(-radius, radius)) for _ in range(3)],
            fill=shade,
        )
    return face
