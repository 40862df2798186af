"""Cards and boards of board games in a style."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from samples.styles.canvas import Canvas, Colour, Picture, Rng, lighter, random_colour
from samples.styles.finish import finished
from samples.styles.icons import draw_sign
from samples.styles.lettering import write_words
from samples.styles.style import Style
from samples.styles.tokens import ink_on, paint, tokens_of
from scorer.catalogue import Card, Point

#: Facts that cards print as a number beside a sign.
_PRINTED = ("attack", "defence", "life", "coins", "price", "level", "stars", "vp", "players")


def card_face(card: Card, style: Style, scale: float) -> Picture:
    """The face (H, W, 3) BGR of a card: a title, a picture, numbers and lines of text."""
    assert card.size_mm is not None
    rng = np.random.default_rng([style.seed, zlib.crc32(card.id.encode())])
    sort = np.random.default_rng([style.seed, zlib.crc32((card.role or "").encode())])
    width, height = card.size_mm
    canvas = Canvas.blank(card.size_mm, scale)
    back = card.id.endswith("back")
    paper = style.ground.colour if back or style.seed % 2 else random_colour(sort, (0.75, 1.0), 0.35)
    canvas.pixels[:] = replace(style.ground, colour=paper).surface(canvas, rng)
    ink = ink_on(paper, sort)
    inner = style.frame_mm + 0.8
    canvas.stroke(_inside(card.size_mm, inner), ink, 0.4 + style.line_mm / 2, closed=True)
    at = np.array([width / 2, height * (0.5 if back else 0.4)])
    if back or card.value is None:
        draw_sign(canvas, at, style, card.id, min(width, height) * (0.36 if back else 0.28), paper)
    if not back:
        _printed(canvas, card, style, paper, rng)
    return finished(canvas, style, rng)


def _printed(canvas: Canvas, card: Card, style: Style, paper: Colour, rng: Rng) -> None:
    """Numbers and lines of text; a card with a value has it large in its middle."""
    width, height = canvas.size_mm
    tokens = tokens_of(style)
    ink = ink_on(paper, np.random.default_rng([style.seed, zlib.crc32((card.role or "").encode())]))
    if card.value is not None:
        middle = np.array([width / 2, height * 0.4])
        body = random_colour(np.random.default_rng([style.seed, card.value if tokens.own_bodies else 0]))
        canvas.disc(middle, 0.3 * width, body)
        mark = "." if card.value in (6, 9) and tokens.six == "dot" else ""
        write_words(canvas, f"{card.value}{mark}", middle, 0.24 * width, ink_on(body, rng), tokens.font)
    facts = [(word, value) for word, value in card.more.items() if word in _PRINTED]
    step = width / (len(facts) + 1)
    for k, (word, value) in enumerate(facts, 1):
        at = np.array([k * step, height - 9.0])
        draw_sign(canvas, at - np.array([0, 5.5]), style, word, 2.6, paper)
        write_words(canvas, str(value), at, 4.2, ink, tokens.font)
    for cell in card.more.get("pattern", ()):
        canvas.disc(np.array([0.3 * width, 0.62 * height]) + 5.0 * np.array(cell), 2.0, ink)
    for _, y in zip(range(3), np.arange(0.66, 0.78, 0.04) * height, strict=False):
        end = width * float(rng.uniform(0.5, 0.85))
        if not card.more.get("pattern"):
            canvas.stroke([[0.15 * width, y], [end, y]], ink, 0.5)


def board_face(card: Card, style: Style, scale: float) -> Picture:
    """The face (H, W, 3) BGR of a board of Ice and Idols, or of a border of its temple."""
    assert card.size_mm is not None
    rng = np.random.default_rng([style.seed, zlib.crc32(card.id.encode())])
    canvas = Canvas.blank(card.size_mm, scale)
    canvas.pixels[:] = style.ground.surface(canvas, rng)
    ground = style.ground.colour
    width, height = card.size_mm
    more = card.more
    if card.role == "map":
        for place, word in _map_signs(more, width):
            draw_sign(canvas, place, style, word, 5.0, ground)
        for k in range(6):
            at = k * width / 5
            for line in ([[at, 0], [at, height]], [[0, at], [width, at]]):
                canvas.stroke(line, lighter(style.ground.colour, -0.25), 0.5)
    elif card.role == "research":
        _tracks(canvas, more, style)
    elif card.role == "border":
        for k in range(5):
            place = np.array([width / 2, (k + 0.5) * height / 5])
            draw_sign(canvas, place, style, card.id, 7.0, ground)
    else:
        canvas.stroke(_inside(card.size_mm, 4.0), paint(style, str(card.colour)), 3.0, closed=True)
        for spot in more.get("altars", ()):
            canvas.disc(spot["at"], 10.0, style.plate_colour)
            canvas.disc(spot["at"], 10.0, paint(style, spot["idol"]), 1.0)
            draw_sign(canvas, np.array(spot["at"]), style, f"idol-{spot['idol']}", 5.0, style.plate_colour)
        for spot in (*more.get("hands", ()), more.get("adrenaline", (20.0, 20.0))):
            canvas.disc(spot, 11.0, style.ink, 0.8)
    canvas.stroke(_inside(card.size_mm, 0.0), style.frame_colour, 2.0, closed=True)
    return finished(canvas, replace(style, vignette=0.0), rng)


def _inside(size_mm: Point, inner: float) -> Any:
    """Corners (4, 2) of the rectangle that lies so far within a sheet's edge."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return inner + corners * (np.array(size_mm) - 2 * inner)


def _map_signs(more: dict[str, Any], side: float) -> Iterator[tuple[Any, str]]:
    """Positions in mm and words of a map's signs: idols above the middle of a cell, altars below it."""
    for cell in more["cells"]:
        middle = (np.array(cell["cell"]) + 0.5) * side / 5
        for k, idol in enumerate(cell.get("idols", ())):
            yield middle + np.array([10.0 * k - 6.0, -9.0]), f"idol-{idol}"
        for k, idol in enumerate(cell.get("altars", ())):
            yield middle + np.array([10.0 * k - 4.0, 9.0]), f"altar-{idol}"
        if cell.get("start"):
            yield middle, "start"


def _tracks(canvas: Canvas, more: dict[str, Any], style: Style) -> None:
    """A column of spaces for each idol."""
    width, height = canvas.size_mm
    wide, high = width / more["columns"], height / more["rows"]
    for track in more["tracks"]:
        x = (track["column"] + 0.5) * wide
        for row, word in ((track["top"], "top"), (track["below"], f"idol-{track['idol']}")):
            draw_sign(canvas, np.array([x, (row + 0.5) * high]), style, word, 5.0, style.ground.colour)
        for space in track["spaces"]:
            at = np.array([x, (space["row"] + 0.5) * high])
            box = at + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (0.36 * wide, 0.36 * high)
            canvas.fill(box, style.plate_colour)
            canvas.stroke(box, paint(style, track["idol"]), 0.8, closed=True)
            if space.get("gives"):
                draw_sign(canvas, at, style, f"{space['gives']}{space['vp']}", 3.4, style.plate_colour)
