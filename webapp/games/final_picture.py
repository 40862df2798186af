"""Picture of the final score for sharing: names and numbers, no photo."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from flask_babel import force_locale, gettext
from PIL import Image, ImageDraw

from scorer.catalogue import Catalogue
from scorer.game import Game as Rules
from scorer.games import game_named
from scorer.text import Language
from waymark.phrases import say
from waymark.picture.canvas import BLACK, GREY, WHITE, drawn_language, font, wrap
from waymark.picture.files import packed
from waymark.picture.typeface import Font, clusters, draw_line, drawable, line_width, missing_signs
from webapp.games.final_view import FinalView, final_view
from webapp.games.view import game_view
from webapp.store.models import Game

WIDTH = 1080
MARGIN = 56
#: Largest number of open points that the picture mentions.
MAX_DOUBTS = 3
_ROW = 104
_GROUND = (244, 241, 234)
_HEADER = (29, 42, 58)
_WARNING = (122, 83, 0)
_GOLD = (255, 182, 72)
_LINE = (201, 193, 177)
Colour: TypeAlias = tuple[int, int, int]
#: Ground and ink of a column, by the box style that it is drawn in.
_INKS: dict[str, tuple[Colour, Colour]] = {
    "primary": ((219, 231, 250), (27, 79, 156)),
    "secondary": ((251, 224, 238), (161, 36, 107)),
    "time": ((220, 241, 226), (31, 107, 59)),
    "escape": ((251, 224, 220), (163, 32, 29)),
    "coins": ((250, 236, 200), (122, 83, 0)),
}
_PLAIN_INK = _INKS["coins"]
_SEAT = {
    "red": (196, 55, 45),
    "blue": (40, 95, 180),
    "green": (40, 130, 75),
    "yellow": (222, 170, 30),
    "purple": (125, 70, 160),
}
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


def final_picture(game: FinalView, language: Language) -> bytes:
    """The score of every player, as PNG. `game` and picture are in the same language: see
    `drawn_language`."""
    rules = game_named(game.game)
    words = wrap(game.verdict, language, 40, WIDTH - 2 * MARGIN)
    header = 236 if _place_and_date(game) else 190
    doubts = game.doubts[:MAX_DOUBTS] + ["…"] * (len(game.doubts) > MAX_DOUBTS)
    top = header + 40 + 54 * len(words) + 38 * len(doubts) + 30
    height = round(top + 74 + _ROW * len(game.rows) + 90)
    picture = Image.new("RGB", (WIDTH, height), _GROUND)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, WIDTH, header), _HEADER)
    if game.settled:
        kind = say(language, "final.title")
        below = kind if game.title else rules.name.message(language)
    else:
        kind = gettext("Standing so far")
        below = say(language, "final.so_far", rounds=game.rounds_whole, of=game.rounds)
    _text(picture, (MARGIN, 64), game.title or kind, 60, WHITE, WIDTH - 2 * MARGIN, name=True)
    _text(picture, (MARGIN, 134), below, 34, _GOLD, WIDTH - 2 * MARGIN)
    _text(picture, (MARGIN, 190), _place_and_date(game), 32, (200, 205, 212), WIDTH - 2 * MARGIN)
    for index, line in enumerate(words):
        _text(picture, (MARGIN, header + 60 + 54 * index), line, 40, BLACK, WIDTH - 2 * MARGIN)
    for index, doubt in enumerate(doubts):
        at = (MARGIN, header + 52 + 54 * len(words) + 38 * index)
        _text(picture, at, doubt, 28, _WARNING, WIDTH - 2 * MARGIN)
    _table(picture, rules, game, language, top)
    _text(picture, (WIDTH - MARGIN, height - 44), "Waymark", 28, GREY, 300, anchor="rm")
    return packed(picture, ".png")


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
            *_INKS.get(column.ink, _PLAIN_INK),
        )
        for column in rules.sheet.final_columns
    ]
    return [*columns, _Column(None, say(language, "final.total"), _GROUND, BLACK)]


def _table(picture: Image.Image, rules: Rules, game: FinalView, language: Language, top: float) -> None:
    pen = ImageDraw.Draw(picture)
    columns = _columns(rules, language)
    cell = min(_WIDEST_CELL, (WIDTH - 2 * MARGIN - _NAME_WIDTH) / len(columns))
    first = WIDTH - MARGIN - cell * len(columns)
    for index, column in enumerate(columns):
        left = first + index * cell
        bottom = top + 74 + _ROW * len(game.rows)
        if column.id is not None:
            pen.rounded_rectangle((left + 3, top, left + cell - 3, bottom), 14, column.ground)
        for number, line in enumerate(_HEAD_BREAK.split(column.head)):
            _text(
                picture,
                (left + cell / 2, top + 20 + 23 * number),
                line,
                20,
                column.ink,
                cell - 6,
                anchor="mm",
            )
    for index, row in enumerate(game.rows):
        middle = top + 74 + _ROW * (index + 0.5)
        pen.line((MARGIN, middle - _ROW / 2, WIDTH - MARGIN, middle - _ROW / 2), _LINE, 2)
        colour = _SEAT.get(row.colour, GREY)
        pen.ellipse((MARGIN, middle - 28, MARGIN + 56, middle + 28), colour)
        ink = BLACK if row.colour == "yellow" else WHITE
        _text(picture, (MARGIN + 28, middle), str(row.rank), 32, ink, 50, anchor="mm")
        winner = row.name in game.winners and row.rank == 1 and not game.gaps
        room = _NAME_WIDTH - 76 - (56 if winner else 12)
        seat = rules.sheet.colours[row.colour].message(language)
        _text(picture, (MARGIN + 76, middle), row.name, 38, BLACK, room, otherwise=seat, name=True)
        if winner:
            _crown(pen, MARGIN + _NAME_WIDTH - 30, middle)
        for number, column in enumerate(columns):
            at = (first + (number + 0.5) * cell, middle)
            number_words = str(row.columns[column.id] if column.id is not None else row.total)
            # A number is never truncated.
            size = 38 if column.id is not None or len(number_words) > 3 else 48
            _text(picture, at, number_words, size, column.ink, cell + 8, anchor="mm")


def _crown(pen: ImageDraw.ImageDraw, x: float, y: float) -> None:
    points = [(-20, 12), (-22, -12), (-10, 0), (0, -18), (10, 0), (22, -12), (20, 12)]
    pen.polygon([(x + dx, y + dy) for dx, dy in points], _GOLD, BLACK, 2)


def _text(
    picture: Image.Image,
    at: tuple[float, float],
    words: str,
    size_px: int,
    colour: tuple[int, int, int],
    width_px: float,
    *,
    anchor: str = "lm",
    otherwise: str = "",
    name: bool = False,
) -> None:
    """A text that fits the width: a long text ends in an ellipsis. Characters that no font can draw are left
    out; `otherwise` replaces an empty result."""
    # Names may be in any script, whatever the page's language.
    face = font("ja" if not words.isascii() else "en", size_px)
    shown = _clipped(drawable(words, face) or otherwise, face, width_px)
    draw_line(picture, at, shown, colour, face, anchor, name=name)


def _clipped(words: str, face: Font, width_px: float) -> str:
    if line_width(words, face) <= width_px:
        return words
    signs = clusters(words)
    while signs and line_width("".join(signs) + "…", face) > width_px:
        signs.pop()
    return "".join(signs) + "…"
