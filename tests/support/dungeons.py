"""Tiny dungeons for tests, written as the corridors that a player would trace with a finger.

A card is a few corridors, each a list of place names; what a place is shows in its name:

    n s w1 w2 e1 e2         openings in the six usual spots of a card
    j1 x1                   a junction, the end of a corridor
    sword1 pit2 circle3     finds on the corridor (`pit` pitfall, `lava` lava pit, `circle` magic circle)
    st1                     stairs
    A Adn Ade Ads Adw A1    a room, its doors in the north, east, south and west wall, its first find
    u1 and a final u        an underground junction; anything else underground: w2u, key1u, st1u

Paths are written likewise, ` > ` between strokes; a place of another card than the first is written `1.w1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from scorer import game
from scorer.catalogue import Catalogue, Point, parse_catalogue
from scorer.mapmasters import HOUSE, Ruling, VersusSettings, referee
from scorer.mapmasters.game import VERSUS
from scorer.mapmasters.rules.terms import terms_of
from scorer.record import Marks, Objectives, PlacedCard, Record, StatedPayment, make_record

WIDTH, HEIGHT = 63.0, 88.0

_OPENINGS: dict[str, tuple[str, Point]] = {
    "n": ("top", (31.5, 0)),
    "s": ("bottom", (31.5, 88)),
    "w1": ("left", (0, 22)),
    "w2": ("left", (0, 66)),
    "e1": ("right", (63, 22)),
    "e2": ("right", (63, 66)),
}
FINDS = {
    **{name: name for name in ("coin", "barrel", "sword", "key", "rope", "scroll", "monster", "padlock")},
    **{"pit": "pitfall", "lava": "lava_pit", "circle": "magic_circle"},
    **{name: name for name in ("recycle", "scissors")},
}
#: Rooms lie side by side; doors in the middle of each wall.
_ROOM_AT: dict[str, Point] = {"A": (12, 30), "B": (36, 30), "C": (12, 56), "D": (36, 56)}
_ROOM_SIZE: Point = (18, 20)
_DOOR_AT: dict[str, Point] = {"n": (9, 0), "e": (18, 10), "s": (9, 20), "w": (0, 10)}


def card(
    card_id: str,
    *corridors: str,
    rooms: Mapping[str, str] | None = None,
    stairs: Iterable[str] = (),
    falls: Iterable[str] = (),
    values: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """A card's declaration. `rooms` lists the finds of each room (`coin=3` is worth three); `stairs` and
    `falls` are pairs of places; `values` are those of coins on corridors.
    """
    rooms = rooms or {}
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[dict[str, Any]] = []
    for corridor in corridors:
        names = corridor.split()
        for name in names:
            if name not in nodes:
                nodes[name] = _node(name, len(nodes), (values or {}).get(name, 1))
        for a, b in pairwise(names):
            below = "underground" in (nodes[a]["level"], nodes[b]["level"])
            level = "underground" if below else "main"
            edges.append({"kind": "corridor", "level": level, "from": a, "to": b})
    for kind, pairs in (("stairs", stairs), ("fall", falls)):
        for pair in pairs:
            a, b = pair.split()
            edges.append({"kind": kind, "from": a, "to": b})
    return {
        "id": card_id,
        "kind": "dungeon",
        "art": f"art/{card_id}.png",
        "nodes": list(nodes.values()),
        "edges": edges,
        "rooms": [_room(name, finds) for name, finds in rooms.items()],
    }


def catalogue(*cards: dict[str, Any]) -> Catalogue:
    data = {
        "format": "waymark-catalogue/1",
        "name": "tiny",
        "game": "mapmasters",
        "card_size_mm": [WIDTH, HEIGHT],
        "cards": cards,
    }
    return parse_catalogue(msgspec.json.encode(data))


def strokes(path: str) -> tuple[tuple[str, ...], ...]:
    """`w1 j1 > 1.circle1` as the strokes of a record."""
    if not path:
        return ()
    return tuple(
        tuple(name if "." in name else f"0.{name}" for name in stroke.split()) for stroke in path.split(">")
    )


def record(
    cards: Sequence[dict[str, Any]],
    path: str,
    *,
    at: Sequence[Point] | None = None,
    rotations: Sequence[int] | None = None,
    tokens: Mapping[str, int] | None = None,
    books: Sequence[str] = (),
    marks: Marks | None = None,
    primary: str | None = None,
    secondary: str | None = None,
    paid: Mapping[str, str] | None = None,
) -> Record:
    """A record of `cards` laid in a row, or at `at`. `paid` states what was used where, an item with its
    source as `rope@rope1`.
    """
    spots = at or [(index * WIDTH, 0.0) for index in range(len(cards))]
    turns = rotations or [0] * len(cards)
    return make_record(
        tuple(
            PlacedCard(face["id"], x, y, turn)  # type: ignore[arg-type]
            for face, (x, y), turn in zip(cards, spots, turns, strict=True)
        ),
        strokes(path),
        marks=marks or Marks(),
        fairy_tokens=dict(tokens or {}),
        spellbooks=tuple(books),
        objectives=Objectives(primary=primary, secondary=secondary),
        payments=tuple(stated(at, means) for at, means in (paid or {}).items()),
    )


def stated(at: str, paid: str) -> StatedPayment:
    """A stated payment; `paid` is means, or `rope@rope1`."""
    (((at,),), (means, _, source)) = strokes(at), paid.partition("@")
    return StatedPayment(at=at, means=means, source=strokes(source)[0][0] if source else None)


def judge(
    cards: dict[str, Any] | Sequence[dict[str, Any]],
    path: str,
    *,
    settings: VersusSettings = HOUSE,
    **means: Any,
) -> Ruling:
    """The ruling on `path` over `cards`; further arguments are those of `record`."""
    laid = [cards] if isinstance(cards, dict) else list(cards)
    distinct = {face["id"]: face for face in laid}
    return referee(catalogue(*distinct.values()), record(laid, path, **means), settings)


def _node(name: str, index: int, value: int) -> dict[str, Any]:
    # Where corridor places lie means nothing to the rules; they only have to be on the card.
    at: Point = (6 + index % 7 * 8, 6 + index // 7 * 8)
    below = name.endswith("u") or re.fullmatch(r"u\d+", name) is not None
    node: dict[str, Any] = {"id": name, "at": at, "level": "underground" if below else "main"}
    bare = name.removesuffix("u")
    find = re.fullmatch(r"([a-z]+?)\d*", bare)
    if bare in _OPENINGS:
        side, spot = _OPENINGS[bare]
        return node | {"kind": "opening", "side": side, "at": spot}
    if match := re.fullmatch(r"([A-Z])d([nesw])", bare):
        (x, y), (dx, dy) = _ROOM_AT[match[1]], _DOOR_AT[match[2]]
        return node | {"kind": "door", "room": match[1], "at": (x + dx, y + dy)}
    if find is not None and find[1] in FINDS:
        return node | {"kind": "find", "find": FINDS[find[1]], "value": value}
    if name.startswith("st"):
        return node | {"kind": "stairs"}
    return node | {"kind": "end" if name.startswith("x") else "junction"}


def _room(name: str, finds: str) -> dict[str, Any]:
    (x, y), (width, height) = _ROOM_AT[name], _ROOM_SIZE
    lying = []
    for index, word in enumerate(finds.split()):
        find, _, value = word.partition("=")
        at = (x + 3 + index % 4 * 4, y + 5 + index // 4 * 5)
        lying.append({"id": f"{name}{index + 1}", "find": FINDS[find], "value": int(value or 1), "at": at})
    outline = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return {"id": name, "level": "main", "outline": outline, "finds": lying}


def referee_either_way(catalogue: Catalogue, record: Record) -> game.EitherWay:
    """The ruling on a path as recorded and backwards."""
    return game.referee_either_way(VERSUS, VERSUS.rules.board(catalogue, record), record, terms_of(record))
