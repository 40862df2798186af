"""Catalogues made on the spot: pieces of any size and corner radius with art of their own.

Each piece has a frame, patches, lines and a word, by which it and its turn can be told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.catalogue import FILE_NAME, Card, Catalogue, Edge, Node, read_catalogue, to_json

ART_PX_PER_MM = 8.0


def drawn_catalogue(
    folder: Path,
    count: int,
    size_mm: tuple[float, float],
    radius_mm: float = 3.0,
    *,
    seed: int = 1,
    sizes_mm: Sequence[tuple[float, float] | None] = (),
    openings: bool = True,
    draw: Callable[[tuple[float, float], int, str], NDArray[np.uint8]] | None = None,
    **fields: Any,
) -> Catalogue:
    """`count` pieces P0, P1, ... of a size, written to `folder`. `sizes_mm` are the pieces' own, where they
    have any; without `openings` nothing but the art is known; `draw` makes the art of a size, a number and a
    name; `fields` are set on every piece."""
    draw = draw or draw_piece
    (folder / "art").mkdir(parents=True)
    cards = []
    for number in range(count):
        own = sizes_mm[number] if number < len(sizes_mm) else None
        width, height = own or size_mm
        name = f"P{number}"
        art = f"art/{name}.png"
        cv2.imwrite(str(folder / art), draw((width, height), 100 * seed + number, name))
        # A corridor from side to side along which a pen can be led.
        nodes = (
            Node(id="w1", kind="opening", side="left", at=(0, height / 2)),
            Node(id="j1", kind="junction", at=(width / 2, height / 2)),
            Node(id="e1", kind="opening", side="right", at=(width, height / 2)),
        )
        edges = (
            Edge(kind="corridor", level="main", from_="w1", to="j1"),
            Edge(kind="corridor", level="main", from_="j1", to="e1"),
        )
        known: dict[str, Any] = {"nodes": nodes, "edges": edges} if openings else {}
        cards.append(Card(id=name, kind="dungeon", art=art, size_mm=own, **known, **fields))
    whole = Catalogue(
        name="drawn", game="mapmasters", cards=tuple(cards), card_size_mm=size_mm, corner_radius_mm=radius_mm
    )
    (folder / FILE_NAME).write_bytes(to_json(whole))
    return read_catalogue(folder)


def draw_piece(size_mm: tuple[float, float], seed: int, word: str) -> NDArray[np.uint8]:
    """(h, w, 3) a piece's art: light ground, a corridor along its middle, patches, lines, a word."""
    rng = np.random.default_rng(seed)
    scale = ART_PX_PER_MM
    width, height = (round(side * scale) for side in size_mm)
    art = np.full((height, width, 3), rng.integers(150, 200, 3), np.uint8)
    for _ in range(round(width * height / scale**2 / 45)):
        at = (int(rng.integers(0, width)), int(rng.integers(0, height)))
        colour = tuple(int(value) for value in rng.integers(40, 220, 3))
        kind, reach = rng.integers(3), int(rng.integers(10, 30))
        if kind == 0:
            cv2.circle(art, at, reach // 2, colour, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(art, at, (at[0] + reach, at[1] + reach // 2), colour, -1)
        else:
            away = rng.integers(-40, 40, 2)
            cv2.line(art, at, (at[0] + int(away[0]), at[1] + int(away[1])), colour, 3, cv2.LINE_AA)
    middle, half = height // 2, round(3 * scale)
    cv2.rectangle(art, (0, middle - half), (width, middle + half), (205, 225, 235), -1)
    cv2.putText(art, word, (20, middle // 2), cv2.FONT_HERSHEY_DUPLEX, 2.0, (20, 20, 60), 4, cv2.LINE_AA)
    cv2.rectangle(art, (0, 0), (width - 1, height - 1), (60, 60, 60), 6)
    return art


def draw_mirrored(size_mm: tuple[float, float], seed: int, word: str) -> NDArray[np.uint8]:
    """Art that is the same upside down, but for a disc near its top."""
    art = draw_piece(size_mm, seed, word)
    upper = art[: art.shape[0] // 2]
    art[art.shape[0] - len(upper) :] = upper[::-1, ::-1]
    across = art.shape[1] // 2
    cv2.circle(art, (across, round(6 * ART_PX_PER_MM)), round(5 * ART_PX_PER_MM), (30, 30, 200), -1)
    cv2.circle(art, (across, round(6 * ART_PX_PER_MM)), round(2 * ART_PX_PER_MM), (250, 250, 250), -1)
    return art
