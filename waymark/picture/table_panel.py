"""The panel beside a shared table's photo: state of the mission, goals met, and each group's possessions
and needs, with the cards' icons."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from scorer.tables import GroupTold, Share, TableTold
from scorer.vocabulary import Vocabulary
from waymark.phrases import say
from waymark.picture.canvas import BLACK, GREEN, GREY, ORANGE, SKY, WHITE, YELLOW, Canvas, Colour, Pixels
from waymark.picture.panel import Column
from waymark.picture.signs import LINE_MM, draw_cut, draw_stop, draw_tick
from waymark.review.projection import Points

#: The icon of a thing, where the deck shows one.
Icons = Callable[[str], Pixels | None]
#: Scale of the signs in the panel, in pixels for each millimetre of a card.
_MM = 5.0
_ICON_PX = 22


def fill_result(told: TableTold, column: Column) -> None:
    """Write the result of the mission (won, lost or open), as a sign and in words."""
    canvas, language = column.canvas, column.canvas.language
    at = np.array([72.0, column.y + 34])
    if told.result == "won":
        draw_tick(canvas, at, GREEN, 9.0)
    elif told.result == "lost":
        draw_stop(canvas, at, 9.0)
    else:
        draw_cut(canvas, at, SKY, None, 7.0)
    top = column.y
    column.text(told.title.message(language), 40, indent=110)
    column.y += 4
    for sentence in told.says:
        column.text(sentence.message(language), 28, ORANGE if told.result == "lost" else SKY, indent=110)
    column.y = max(column.y, top + 84)


def fill_goals(
    told: TableTold, inks: Mapping[str, Colour], icons: Icons, vocabulary: Vocabulary, column: Column
) -> None:
    """Write the mission's goals: a tick in the ink of the group that met it, or an empty ring."""
    for goal, met in told.goals:
        at = np.array([58.0, column.y + 22])
        if met is not None:
            draw_tick(column.canvas, at, inks.get(met, GREEN), _MM)
        else:
            column.canvas.disc(at, 4.2 * _MM, WHITE, 0.9 * _MM)
        x = 100.0
        for what, count in goal.wanted.items():
            x = _thing(column.canvas, (x, column.y + 22), what, str(count), WHITE, icons, vocabulary)
        top, language = column.y, column.canvas.language
        if not goal.wanted:
            column.text(goal.asks.message(language), 26, indent=round(x) - Column.LEFT)
        column.y = max(column.y, top + 8)
        column.text(goal.where.message(language), 24, GREY, indent=round(x) - Column.LEFT)
        column.y = max(column.y + 8, top + 52)


def fill_groups(
    told: TableTold, inks: Mapping[str, Colour], icons: Icons, vocabulary: Vocabulary, column: Column
) -> None:
    """Write each group with its ink and name, its possessions, and its progress towards each goal it may
    meet."""
    for number, group in enumerate(told.groups):
        if number:
            column.y += 10
        _group_head(group, inks[group.group], column)
        _holdings(group, icons, vocabulary, column)
        for need in group.needs:
            x, y = 104.0, column.y + 20
            column.canvas.disc(np.array([74.0, y]), 3.2 * _MM, YELLOW if not need.met else GREEN, 0.7 * _MM)
            for share in need.shares:
                x = _share(column.canvas, (x, y), share, icons, vocabulary)
            column.y += 44
            for lacking in need.lacks:
                column.text(f"+ {lacking.message(column.canvas.language)}", 24, YELLOW, indent=72)


def _group_head(group: GroupTold, ink: Colour, column: Column) -> None:
    canvas, language = column.canvas, column.canvas.language
    line = np.array([[38.0, column.y + 22], [112.0, column.y + 22]])
    canvas.line(line, WHITE, LINE_MM * 6 + 6)
    canvas.line(line, ink, LINE_MM * 6)
    column.text(group.name.message(language), 34, indent=96)
    column.y += 4


def _holdings(group: GroupTold, icons: Icons, vocabulary: Vocabulary, column: Column) -> None:
    """Write what a group has found, its tokens (with a star) and what it carries."""
    canvas, language = column.canvas, column.canvas.language
    x, y = 70.0, column.y + 20
    told = [(what, count, False) for what, count in group.counts if count]
    told += [(what, count, True) for what, count in group.tokens]
    for what, count, is_token in told:
        if x > Column.RIGHT - 90:
            x, y = 70.0, y + 50
        if is_token:
            _star(canvas, np.array([x + 8, y - 4]))
            x += 24
        x = _thing(canvas, (x, y), what, str(count), YELLOW if is_token else WHITE, icons, vocabulary)
    if told:
        column.y = y + 26
    for carried in group.carries:
        column.text(carried.message(language), 24, SKY, indent=40)


def _share(
    canvas: Canvas, at: tuple[float, float], share: Share, icons: Icons, vocabulary: Vocabulary
) -> float:
    words = f"{share.have}/{share.wanted}"
    colour = GREEN if share.have == share.wanted else YELLOW
    return _thing(canvas, at, share.what, words, colour, icons, vocabulary)


def _thing(
    canvas: Canvas,
    at: tuple[float, float],
    what: str,
    words: str,
    colour: Colour,
    icons: Icons,
    vocabulary: Vocabulary,
) -> float:
    """Draw a thing's icon (or name) with a number; returns the x position where the next thing may
    begin."""
    picture = icons(what)
    if picture is None:
        words = f"{vocabulary.name(what).message(canvas.language)} {words}"
    return _icon(canvas, at, picture, words, colour)


def _icon(
    canvas: Canvas, at: tuple[float, float], picture: Pixels | None, words: str, colour: Colour
) -> float:
    x, y = at
    if picture is not None:
        middle: Points = np.array([x + _ICON_PX, y])
        canvas.disc(middle, _ICON_PX + 3, WHITE)
        canvas.picture(middle, picture, _ICON_PX)
        x += 2 * _ICON_PX + 8
    canvas.text((x, y), words, 28, colour, "lm")
    return x + canvas.text_size(words, 28)[0] + 22


def _star(canvas: Canvas, at: Points) -> None:
    """Draw a star, which marks the next item as a fairy token."""
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2 == 0, 13.0, 5.5)
    canvas.polygon(at + np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach[:, None], YELLOW)


def fill_legend(ink: Colour, column: Column) -> None:
    """Write the meaning of each sign on the photo."""
    canvas = column.canvas
    signs: tuple[tuple[str, Callable[[Points], None]], ...] = (
        ("overlay.cut", lambda at: draw_cut(canvas, at, ink, 1, 4.0)),
        ("overlay.goal_met", lambda at: draw_tick(canvas, at, ink, 4.0)),
        ("overlay.goal_open", lambda at: _ring(canvas, at)),
        ("overlay.stopped", lambda at: draw_stop(canvas, at, 4.0)),
        ("overlay.goes_on", lambda at: draw_cut(canvas, at, ink, None, 4.0)),
    )
    for key, draw in signs:
        draw(np.array([70.0, column.y + 18]))
        column.text(say(canvas.language, key), 26, indent=90)
        column.y += 14


def _ring(canvas: Canvas, at: Points) -> None:
    canvas.disc(at, 17, BLACK, 7)
    canvas.disc(at, 17, WHITE, 4)
