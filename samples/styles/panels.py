"""Tiles and panels of board games in a style: the corridors of the open set's pieces, drawn otherwise."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import Any

import cv2
import msgspec
import numpy as np

from calibration.decks.pieces import sides_of
from samples.styles.canvas import Array, Canvas, Colour, Picture, lighter, near
from samples.styles.face import corridor_lines, draw_face
from samples.styles.style import Style, apart_from
from samples.styles.textures import Texture
from scorer.catalogue import Card, Edge, Node, Point, Room, Side

#: Corridors are this wide, as shares of a tile's side.
_NARROWEST, _WIDEST = 0.13, 0.28
#: A room reaches so far from the middle, as shares of a tile's side.
_ROOM_LEAST, _ROOM_MOST = 0.24, 0.34
#: Opacity of a clear tile's film, and how much lighter than any floor it is.
_FILM_ALPHA, _FILM_COLOUR = 0.1, (250, 246, 236)
_OUTWARDS: dict[Side, tuple[int, int]] = {
    "top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0),
}  # fmt: skip


def panel_face(card: Card, side_mm: float, style: Style, scale: float) -> Picture:
    """The face (H, W, 3) BGR of a tile or panel, with an emblem of its own where its art is no other's."""
    rng = np.random.default_rng([style.seed, zlib.crc32(card.id.encode())])
    own = panel_style(style, side_mm, card)
    face = draw_face(_drawn(card, side_mm, own), own, scale, rng)
    canvas = Canvas((side_mm, side_mm), scale, face)
    arrow = (card.more).get("arrow")
    if arrow:
        _arrow(canvas, np.array(_OUTWARDS[arrow]), own)
    return canvas.pixels


def clear_face(card: Card, side_mm: float, style: Style, scale: float) -> Picture:
    """A tile (H, W, 4) BGRA on clear film: opaque where its corridors are, and nearly clear elsewhere."""
    rng = np.random.default_rng([style.seed, zlib.crc32(card.id.encode())])
    film = Texture(_FILM_COLOUR, 0.0, 1.0, "none", 1.0, 0.0, _FILM_COLOUR, 0.1)
    own = panel_style(style, side_mm, card)
    own = replace(own, ground=film, doodles=0, crossing=0, see_through=0.0, vignette=0.0)
    own = replace(own, middle="none", frame="none")
    if own.floors in ("walls", "hachures", "glow"):
        own = replace(own, floors="edged")
    if max(own.floor.colour) > 200:  # floors have to differ from the film
        own = replace(own, floor=replace(own.floor, colour=lighter(own.floor.colour, -0.3)))
    own = replace(own, edge_colour=apart_from(_FILM_COLOUR, np.random.default_rng(style.seed)))
    card = msgspec.structs.replace(card, edges=tuple(_bent(edge, card) for edge in card.edges))
    face = draw_face(card, own, scale, rng)
    canvas = Canvas((side_mm, side_mm), scale, face)
    lines = corridor_lines(card, own)
    mask = canvas.lines_mask(lines["main"] + lines["underground"], own.corridor_mm, own.square)
    alpha = canvas.grown(mask, own.line_mm + 0.4).astype(np.float32) / 255
    shown = face * alpha[..., None] + np.array(_FILM_COLOUR) * (1 - alpha[..., None])
    opacity = 255 * (_FILM_ALPHA + (1 - _FILM_ALPHA) * alpha)
    return np.dstack([shown, opacity]).round().astype(np.uint8)


def _bent(edge: Edge, card: Card) -> Edge:
    """A corridor that leaves its opening at a right angle to the tile's side."""
    nodes = {node.id: node for node in card.nodes}
    start, end = nodes[edge.from_], np.array(nodes[edge.to].at)
    if start.side is None:
        return edge
    first = np.array(start.at)
    bend = first - np.array(_OUTWARDS[start.side]) * 0.6 * float(np.hypot(*(end - first)))
    share = np.linspace(0, 1, 9)[1:-1, None]
    line = (1 - share) ** 2 * first + 2 * share * (1 - share) * bend + share**2 * end
    return msgspec.structs.replace(edge, via=tuple((float(x), float(y)) for x, y in line))


def panel_style(style: Style, side_mm: float, card: Card) -> Style:
    """A deck's style on tiles of a side: wider corridors, larger icons; printed cells have other tones."""
    wide = float(np.clip(0.03 * style.corridor_mm * side_mm, _NARROWEST * side_mm, _WIDEST * side_mm))
    own = replace(
        style,
        size_mm=(side_mm, side_mm),
        corridor_mm=wide,
        under_mm=wide * style.under_mm / style.corridor_mm,
        frame=style.frame if style.frame in ("none", "line", "over") else "none",
        frame_mm=min(style.frame_mm, 1.4),
        labels=0,
        icon_mm=side_mm * 0.09,
    )
    if "back" in (card.role or ""):
        return replace(own, icon_mm=side_mm * 0.3, doodles=0, plate="disc", floor=own.ground)
    if card.kind == "fixed" and style.seed % 2:
        rng = np.random.default_rng([style.seed, 11])
        own = replace(own, ground=replace(own.ground, colour=near(own.ground.colour, rng, 18)))
    return own


def _drawn(card: Card, side_mm: float, style: Style) -> Card:
    """The card with what is drawn beyond its corridors: a room with its doors, and the emblem."""
    sides = sides_of(card)
    nodes: list[Node] = list(card.nodes)
    rooms: tuple[Room, ...] = ()
    emblem: Point | None = (side_mm / 2, side_mm / 2)
    if card.role in ("room", "entrance"):
        half = _room_reach(style) * side_mm
        rooms = (Room(id="r", outline=_room_outline(side_mm, half, style)),)
        nodes += [
            Node(id=f"d{side}", kind="door", room="r", at=_at(side_mm, side, half / side_mm))
            for side in sides
        ]
    elif "back" in (card.role or ""):
        pass
    elif card.kind == "fixed" or card.copies > 1:
        emblem = None
    else:
        emblem = _emblem_place(card, side_mm, sides, style)
    if emblem is not None:
        find: Any = card.id  # (an icon is drawn from any word)
        nodes.append(Node(id="emblem", kind="find", find=find, at=emblem))
    return msgspec.structs.replace(card, nodes=tuple(nodes), rooms=rooms)


def _room_reach(style: Style) -> float:
    return _ROOM_LEAST + (_ROOM_MOST - _ROOM_LEAST) * (style.seed % 97) / 96


def _room_outline(side_mm: float, half: float, style: Style) -> tuple[Point, ...]:
    """A square, an octagon or a circle about the middle."""
    corners = (4, 8, 40)[style.seed // 3 % 3]
    turns = (np.arange(corners) + 0.5) * 2 * np.pi / corners
    reach = half / np.cos(np.pi / corners)
    return tuple(
        (float(side_mm / 2 + reach * np.cos(turn)), float(side_mm / 2 + reach * np.sin(turn)))
        for turn in turns
    )


def _at(side_mm: float, side: Side, share: float) -> Point:
    """The point that lies towards a side, at a share of the tile from its middle."""
    x, y = _OUTWARDS[side]
    return side_mm * (0.5 + share * x), side_mm * (0.5 + share * y)


def _emblem_place(card: Card, side_mm: float, sides: tuple[Side, ...], style: Style) -> Point:
    """On the way, or beside it: in a corner, or at a side that is closed."""
    if style.seed // 5 % 3 == 0:
        return side_mm / 2, side_mm / 2
    closed: list[Side] = [side for side in _OUTWARDS if side not in sides]
    if closed and style.seed // 5 % 3 == 1:
        return _at(side_mm, closed[zlib.crc32(card.id.encode()) % len(closed)], 0.33)
    x, y = ((-1, -1), (1, -1), (1, 1), (-1, 1))[zlib.crc32(card.id.encode()) % 4]
    return side_mm * (0.5 + 0.33 * x), side_mm * (0.5 + 0.33 * y)


def _arrow(canvas: Canvas, way: Array, style: Style) -> None:
    """An arrow from the room to the tile's edge."""
    side = canvas.size_mm[0]
    across = np.array([-way[1], way[0]])
    tip = side / 2 + 0.48 * side * way
    foot = tip - 0.13 * side * way
    form = [tip, foot + 0.08 * side * across, foot - 0.08 * side * across]
    colour: Colour = apart_from(style.ground.colour, np.random.default_rng(style.seed))
    canvas.fill(form, colour)
    canvas.stroke(form, style.ink, 0.4, closed=True)


def start_disc(face: Picture, colour: Any, scale: float, style: Style) -> None:
    """Mark a printed cell as the start of a colour."""
    side = face.shape[0] / scale
    canvas = Canvas((side, side), scale, face)
    canvas.disc((side / 2, side / 2), 0.16 * side, colour)
    canvas.disc((side / 2, side / 2), 0.16 * side, style.ink, 0.8)


def resized(face: Picture, side_px: int) -> Picture:
    """A square face at a side in pixels."""
    return np.asarray(cv2.resize(face, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)
