"""The pieces of the temple set as data. Lengths are millimetres. Numbers were tuned by simulated play
(`calibration/decks/ice_and_idols/README.md`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calibration.decks.pieces import disc, piece, side_middles
from scorer.catalogue import Card, Catalogue, Edge, Level, Node, Point, Side
from scorer.ice_and_idols.rules.pieces import BORDERS, FIRST, IDOLS, MINUS, PLUS

TILE_MM = 50.0
CARD_MM = (44.0, 68.0)
TOKEN_MM, IDOL_MM, CUBE_MM = 22.0, 16.0, 8.0
FIGURE_MM = (16.0, 26.0)
#: A strip along a side of the temple; a player's board.
BORDER_MM, PLAYER_BOARD_MM = (20.0, 5 * TILE_MM), (146.0, 86.0)
#: Where things lie on a player's board (mm from its top-left corner): idols on their altars and in the hands,
#: the adrenaline token.
ALTARS_MM = tuple((17.0 + 28.0 * number, 22.0) for number in range(len(IDOLS)))
HANDS_MM: tuple[Point, ...] = ((22.0, 68.0), (50.0, 68.0))
ADRENALINE_MM: Point = (122.0, 68.0)

#: Tiles by their corridors (openings that are joined), and how many there are.
TILES: dict[str, tuple[tuple[tuple[Side, ...], ...], int]] = {
    "double_corner": ((("top", "right"), ("bottom", "left")), 6),
    "archway": ((("top", "bottom"), ("left", "right")), 6),
    "roundabout": ((("top", "right", "bottom", "left"),), 2),
    "y_junction": ((("left", "top", "right"),), 7),
    "single_corner": ((("top", "right"),), 5),
}
CHARACTERS = {"green": "architect", "blue": "curator", "red": "keysmith", "yellow": "sculptor"}
TOKENS = (3, 4, 5, 6, 7)

#: The two faces of the map: idols and altars by cell; the start is in the middle.
MAPS: dict[str, dict[tuple[int, int], tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "map-gear": {
        (0, 0): (("sapphire",), ()),
        (2, 0): ((), ("ruby",)),
        (4, 0): (("jade",), ()),
        (1, 1): ((), ("gold",)),
        (3, 1): ((), ("sapphire",)),
        (0, 2): (("gold",), ("tiger_eye",)),
        (4, 2): (("ruby",), ("jade",)),
        (1, 3): (("tiger_eye",), ()),
        (3, 3): (("sapphire", "gold"), ()),
        (0, 4): (("ruby",), ("sapphire",)),
        (2, 4): (("jade",), ("gold",)),
        (4, 4): (("tiger_eye",), ("ruby",)),
        (2, 1): ((), ("tiger_eye",)),
        (2, 3): ((), ("jade",)),
    },
    "map-plain": {
        (0, 1): (("sapphire",), ()),
        (1, 0): ((), ("gold",)),
        (3, 0): (("ruby",), ()),
        (4, 1): ((), ("jade",)),
        (1, 2): (("jade",), ("ruby",)),
        (3, 2): (("gold",), ("sapphire",)),
        (0, 3): (("tiger_eye",), ("sapphire",)),
        (4, 3): (("sapphire",), ("tiger_eye",)),
        (1, 4): (("gold",), ("jade",)),
        (3, 4): (("jade",), ("ruby",)),
        (2, 1): (("tiger_eye",), ()),
        (2, 3): (("ruby",), ()),
        (0, 0): ((), ("tiger_eye",)),
        (4, 4): ((), ("gold",)),
    },
}

#: A track from the lowest space up: for how many players a cube of nobody's stands there, what it gives, VP.
SPACES: tuple[tuple[tuple[int, ...], str | None, int], ...] = (
    ((2, 3), None, 0),
    ((2,), "event", 0),
    ((), "bonus", 1),
    ((), "shift", 0),
    ((), "bonus", 2),
    ((), "shift", 0),
)
#: Key cards: VP and pattern; what is closer together is worth less.
KEYS: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (5, ((0, 0), (1, 0), (1, 1))),
    (5, ((0, 0), (0, 1), (0, 2))),
    (6, ((0, 0), (1, 1), (0, 2))),
    (6, ((0, 0), (1, 0), (2, 1))),
    (6, ((0, 1), (1, 1), (2, 0))),
    (7, ((0, 0), (2, 0), (1, 1))),
    (7, ((0, 0), (1, 1), (2, 2))),
    (8, ((0, 0), (2, 0), (2, 1))),
    (8, ((0, 0), (1, 0), (3, 0))),
    (9, ((0, 0), (2, 0), (4, 0))),
)
#: The event deck: what a card does, from how many players on it is used, how many there are.
EVENTS: tuple[tuple[dict[str, Any], int, int], ...] = (
    *(({"event": "collapse", "x": [side]}, 2, 1) for side in ("top", "right", "bottom", "left")),
    *(({"event": "collapse", "x": [side]}, 4, 1) for side in ("top", "right", "bottom", "left")),
    ({"event": "collapse", "x": ["top", "bottom"]}, 3, 1),
    ({"event": "collapse", "x": ["left", "right"]}, 3, 1),
    ({"event": "rotate", "turn": "clockwise"}, 2, 3),
    ({"event": "rotate", "turn": "counterclockwise"}, 2, 3),
    ({"event": "rotate", "turn": "clockwise"}, 3, 1),
    ({"event": "rotate", "turn": "counterclockwise"}, 3, 1),
    *(
        ({"event": "shift", "from": first, "to": last}, 2, 1)
        for first, last in (("sun", "moon"), ("moon", "sun"), ("star", "comet"), ("comet", "star"))
    ),
    *(
        ({"event": "shift", "from": first, "to": last}, 4, 1)
        for first, last in (("sun", "moon"), ("moon", "sun"), ("star", "comet"), ("comet", "star"))
    ),
    ({"event": "calm"}, 2, 4),
)


def build_catalogue() -> Catalogue:
    """The catalogue with every piece of the set."""
    faces = [*_tiles(), *_figures(), *_tokens(), *_keys(), *_events(), *_boards()]
    cards = [*faces, *_card_backs(faces)]
    return Catalogue(
        name="Open temple",
        game="ice_and_idols",
        cards=tuple(cards),
        card_size_mm=(TILE_MM, TILE_MM),
        corner_radius_mm=2.0,
    )


def _tiles() -> Iterator[Card]:
    ends = side_middles(TILE_MM)
    for name, (corridors, copies) in TILES.items():
        nodes, edges = [], []
        for number, sides in enumerate(corridors):
            inner = f"c{number + 1}"
            # The arch leads over the other corridor.
            level: Level = "underground" if name == "archway" and number else "main"
            nodes.append(Node(id=inner, kind="junction", at=_inner(sides, ends), level=level))
            for side in sides:
                nodes.append(Node(id=side, kind="opening", side=side, at=ends[side], level=level))
                edges.append(Edge(kind="corridor", from_=side, to=inner, level=level))
        yield piece(name, "tile", name, copies=copies, nodes=tuple(nodes), edges=tuple(edges))


def _inner(sides: tuple[Side, ...], ends: dict[Side, Point]) -> Point:
    """Point (mm) where a corridor's sides meet: the tile's centre, a point on a bend, or the branching
    point of two bends."""
    middle = TILE_MM / 2
    if len(sides) == 3:
        x, y = ends[sides[1]]
        return x + 0.2 * (middle - x), y + 0.2 * (middle - y)
    (x0, y0), (x1, y1) = ends[sides[0]], ends[sides[-1]]
    if len(sides) != 2 or x0 == x1 or y0 == y1:
        return middle, middle
    # A quarter of a circle about the tile's corner.
    share = 1 - 0.5**0.5
    return tuple(round(middle + 2 * share * ((a + b) / 2 - middle), 2) for a, b in ((x0, x1), (y0, y1)))


def _figures() -> Iterator[Card]:
    standing: dict[str, Any] = {"size_mm": FIGURE_MM, "shape": "standing"}
    for colour, character in CHARACTERS.items():
        more = {"character": character}
        yield piece(f"figure-{colour}", "figure", "character", colour=colour, more=more, **standing)
        side = (CUBE_MM, CUBE_MM)
        yield piece(f"cube-{colour}", "marker", "cube", colour=colour, copies=10, size_mm=side)


def _tokens() -> Iterator[Card]:
    for value in TOKENS:
        yield disc(f"vp-{value}", "chip", "vp", TOKEN_MM, value=value)
    for idol in IDOLS:
        side = (IDOL_MM, IDOL_MM)
        yield piece(f"idol-{idol}", "chip", "idol", copies=8, size_mm=side, more={"idol": idol})
    for name, role, copies in ((PLUS, "adrenaline", 4), (MINUS, "adrenaline", 4), (FIRST, "first-player", 1)):
        yield disc(name, "chip", role, TOKEN_MM, copies=copies)


def _keys() -> Iterator[Card]:
    for number, (points, pattern) in enumerate(KEYS, 1):
        more = {"vp": points, "pattern": [list(cell) for cell in pattern]}
        yield _card(f"key-{number:02d}", "key", 1, more)


def _events() -> Iterator[Card]:
    for number, (event, players, copies) in enumerate(EVENTS, 1):
        yield _card(f"event-{number:02d}", "event", copies, event | {"players": players})


def _card_backs(cards: list[Card]) -> Iterator[Card]:
    for role in ("key", "event"):
        copies = sum(card.copies for card in cards if card.role == role)
        yield _card(f"{role}-back", f"{role}-back", copies, {})


def _card(name: str, role: str, copies: int, more: dict[str, Any]) -> Card:
    return piece(name, "card", role, copies=copies, size_mm=CARD_MM, more=more)


def _boards() -> Iterator[Card]:
    for border in BORDERS:
        yield piece(f"border-{border}", "marker", "border", size_mm=BORDER_MM)
    spots = {
        "altars": [{"idol": kind, "at": list(at)} for kind, at in zip(IDOLS, ALTARS_MM, strict=True)],
        "hands": [list(at) for at in HANDS_MM],
        "adrenaline": list(ADRENALINE_MM),
    }
    for colour in CHARACTERS:
        size = PLAYER_BOARD_MM
        yield piece(f"player-{colour}", "board", "player-board", colour=colour, size_mm=size, more=spots)
    for name, lying in MAPS.items():
        cells: list[dict[str, Any]] = [
            {"cell": list(cell), "idols": list(idols), "altars": list(altars)}
            for cell, (idols, altars) in lying.items()
        ]
        cells.append({"cell": [2, 2], "start": True})
        more = {"columns": 5, "rows": 5, "cells": cells}
        yield piece(name, "board", "map", size_mm=(5 * TILE_MM, 5 * TILE_MM), more=more)
    last = len(SPACES)
    tracks = [
        {
            "idol": idol,
            "column": column,
            "top": 0,
            "below": last + 1,
            "spaces": [
                {"row": last - number, "start": list(start), "vp": points}
                | ({} if gives is None else {"gives": gives})
                for number, (start, gives, points) in enumerate(SPACES)
            ],
        }
        for column, idol in enumerate(IDOLS)
    ]
    more = {"columns": len(IDOLS), "rows": last + 2, "tracks": tracks}
    yield piece("research", "board", "research", size_mm=(120.0, 190.0), more=more)
