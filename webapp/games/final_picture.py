"""Picture of the final score for sharing: names and numbers, and a photo of the game where one is given."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from flask_babel import force_locale, gettext
from PIL import Image

from scorer.catalogue import Catalogue
from scorer.game import Game as Rules
from scorer.games import game_named
from scorer.text import Language
from waymark.phrases import say
from waymark.picture.canvas import (
    BLACK,
    GREY,
    SEAT_COLOURS,
    SHEET_INKS,
    WHITE,
    Canvas,
    Colour,
    Pixels,
    box,
    drawn_language,
    font,
    wrap,
)
from waymark.picture.files import packed
from waymark.picture.fitted_text import draw_fitted
from waymark.picture.typeface import missing_signs
from webapp.games.final_view import FinalView, final_view
from webapp.games.view import game_view
from webapp.store.models import Game

WIDTH = 1080
MARGIN = 56
#: Largest number of open points that the picture mentions.
MAX_DOUBTS = 3
_ROW = 104
#: Radius of a column's corners.
_ROUND = 14
_GROUND = (244, 241, 234)
_HEADER = (29, 42, 58)
_WARNING = (122, 83, 0)
_GOLD = (255, 182, 72)
_LINE = (201, 193, 177)
_PLAIN_INK = SHEET_INKS["coins"]
_CROWN = np.array([(-20, 12), (-22, -12), (-10, 0), (0, -18), (10, 0), (22, -12), (20, 12)])
#: Positions at which a column's heading is wrapped.
_HEAD_BREAK = re.compile(r"(?=ボーナス|÷)| (?=bonus|/)")
_NAME_WIDTH = 356
#: Columns are at most as wide as at a table of six.
_WIDEST_CELL = (WIDTH - 2 * MARGIN - _NAME_WIDTH) / 6


def drawn_final(game: Game, catalogue: Catalogue, language: Language) -> bytes:
    """The picture of a game's final score, in the reader's language if its fonts can draw the language."""
    language = drawn_language(language)
    with force_locale(language):
        return final_picture(final_view(game_view(game, catalogue, language), language), language)


@dataclass(frozen=True)
class GamePhoto:
    """A picture of `WIDTH` px from the game, BGR, and whose it is in words."""

    pixels: Pixels
    words: str = ""


def final_picture(game: FinalView, language: Language) -> bytes:
    """The score of every player, as PNG. `game` and picture are in the same language: see
    `drawn_language`."""
    return packed(draw_final(game, language), ".png")


def draw_final(game: FinalView, language: Language, photo: GamePhoto | None = None) -> Image.Image:
    """The title, the `photo`, who won and why, and the score of every player."""
    rules = game_named(game.game)
    words = wrap(game.verdict, language, 40, WIDTH - 2 * MARGIN)
    head = 236 if _place_and_date(game) else 190
    header = head + (0 if photo is None else photo.pixels.shape[0])
    doubts = game.doubts[:MAX_DOUBTS] + ["…"] * (len(game.doubts) > MAX_DOUBTS)
    top = header + 40 + 54 * len(words) + 38 * len(doubts) + 30
    height = round(top + 74 + _ROW * len(game.rows) + 90)
    canvas = Canvas((WIDTH, height), language, ground=_GROUND)
    box(canvas, np.array([WIDTH, head]) / 2, np.array([WIDTH, head]) / 2, _HEADER)
    _header(canvas, rules, game)
    if photo is not None:
        _photo(canvas, photo, head)
    for index, line in enumerate(words):
        draw_fitted(canvas, (MARGIN, header + 60 + 54 * index), line, 40, BLACK, WIDTH - 2 * MARGIN)
    for index, doubt in enumerate(doubts):
        at = (MARGIN, header + 52 + 54 * len(words) + 38 * index)
        draw_fitted(canvas, at, doubt, 28, _WARNING, WIDTH - 2 * MARGIN)
    _table(canvas, rules, game, top)
    draw_fitted(canvas, (WIDTH - MARGIN, height - 44), "Waymark", 28, GREY, 300, "rm")
    return canvas.finished()


def _header(canvas: Canvas, rules: Rules, game: FinalView) -> None:
    """Title, game, place and date."""
    name = rules.name.message(canvas.language)
    if game.settled:
        kind = say(canvas.language, "final.title")
        below = f"{name} · {kind}" if game.title else name
    else:
        kind = gettext("Standing so far")
        below = say(canvas.language, "final.so_far", rounds=game.rounds_whole, of=game.rounds)
        below = f"{name} · {below}"
    draw_fitted(canvas, (MARGIN, 64), game.title or kind, 60, WHITE, WIDTH - 2 * MARGIN, name=True)
    draw_fitted(canvas, (MARGIN, 134), below, 34, _GOLD, WIDTH - 2 * MARGIN)
    draw_fitted(canvas, (MARGIN, 190), _place_and_date(game), 32, (200, 205, 212), WIDTH - 2 * MARGIN)


def _photo(canvas: Canvas, photo: GamePhoto, top: int) -> None:
    """Draw the photo across the whole width, with its words on a strip at its lower left."""
    height = photo.pixels.shape[0]
    part = Canvas((WIDTH, height), canvas.language, photo=photo.pixels)
    if photo.words:
        room = min(part.text_size(photo.words, 30)[0], WIDTH / 2) + 36
        half = np.array([room / 2, 28])
        box(part, np.array([room / 2, height - 28]), half, _HEADER)
        draw_fitted(part, (18, height - 28), photo.words, 30, WHITE, room - 32, name=True)
    canvas.place(part, (0, top))


def left_out(game: FinalView) -> list[str]:
    """Characters in names, title and place that no font here can draw."""
    words = [game.title, game.location, *(row.name for row in game.rows)]
    missing = (sign for each in words if not each.isascii() for sign in missing_signs(each, font("ja", 38)))
    return list(dict.fromkeys(missing))


def _place_and_date(game: FinalView) -> str:
    day = game.created_at.astimezone().date().isoformat()
    return f"{day}  {game.location}".strip()


@dataclass(frozen=True)
class _Column:
    """A drawn column; `id` is None for the total."""

    id: str | None
    head: str
    ground: Colour
    ink: Colour


def _columns(rules: Rules, language: Language) -> list[_Column]:
    columns = [
        _Column(
            column.id,
            (column.short if column.short.en else column.label).message(language),
            *SHEET_INKS.get(column.ink, _PLAIN_INK),
        )
        for column in rules.sheet.final_columns
    ]
    return [*columns, _Column(None, say(language, "final.total"), _GROUND, BLACK)]


def _table(canvas: Canvas, rules: Rules, game: FinalView, top: float) -> None:
    columns = _columns(rules, canvas.language)
    cell = min(_WIDEST_CELL, (WIDTH - 2 * MARGIN - _NAME_WIDTH) / len(columns))
    first = WIDTH - MARGIN - cell * len(columns)
    half = np.array([cell / 2 - 3, (74 + _ROW * len(game.rows)) / 2])
    for index, column in enumerate(columns):
        left = first + index * cell
        if column.id is not None:
            centre = np.array([left + cell / 2, top + half[1]])
            corners = centre + (half - _ROUND) * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
            canvas.polygon(corners, column.ground, rim=(column.ground, 2 * _ROUND))
        for number, line in enumerate(_HEAD_BREAK.split(column.head)):
            at = (left + cell / 2, top + 20 + 23 * number)
            draw_fitted(canvas, at, line, 20, column.ink, cell - 6, "mm")
    for index, row in enumerate(game.rows):
        middle = top + 74 + _ROW * (index + 0.5)
        canvas.line(np.array([[MARGIN, middle], [WIDTH - MARGIN, middle]]) - [0, _ROW / 2], _LINE, 2)
        canvas.disc(np.array([MARGIN + 28, middle]), 28, SEAT_COLOURS.get(row.colour, GREY))
        ink = BLACK if row.colour == "yellow" else WHITE
        draw_fitted(canvas, (MARGIN + 28, middle), str(row.rank), 32, ink, 50, "mm")
        winner = row.name in game.winners and row.rank == 1 and not game.gaps
        room = _NAME_WIDTH - 76 - (56 if winner else 12)
        seat = rules.sheet.colours[row.colour].message(canvas.language)
        draw_fitted(canvas, (MARGIN + 76, middle), row.name, 38, BLACK, room, otherwise=seat, name=True)
        if winner:
            corners = np.array([MARGIN + _NAME_WIDTH - 30, middle]) + _CROWN
            canvas.polygon(corners, _GOLD, rim=(BLACK, 4))
        for number, column in enumerate(columns):
            at = (first + (number + 0.5) * cell, middle)
            number_words = str(row.columns[column.id] if column.id is not None else row.total)
            # A number is never truncated.
            size = 38 if column.id is not None or len(number_words) > 3 else 48
            draw_fitted(canvas, at, number_words, size, column.ink, cell + 8, "mm")
