"""Overlay of a table on which several groups drew: each group's line in its ink, with stops, goals met
and goals open. The picture should be understood without further explanation.

Groups are named as well as coloured, and every kind of end has its own shape, so that nothing depends on
colour alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from PIL import Image

from calibration.decks.icons import icon_of
from scorer.catalogue import Catalogue
from scorer.dungeon import Dungeon
from scorer.play_kinds import groups_of
from scorer.tables import TableTold
from scorer.text import Language
from vision.groups.pens import INK_RGB
from vision.photo.decode import Photo
from waymark.picture.annotations import (
    Annotations,
    CardLabel,
    PathPiece,
    find_marks,
    question_marks,
    strokes_pieces,
)
from waymark.picture.backdrop import backdrop, photo_part_size
from waymark.picture.canvas import BLACK, GREY, WHITE, Canvas, Colour, Pixels, drawn_language
from waymark.picture.files import write_picture
from waymark.picture.labels import Labels, around
from waymark.picture.overlay import beside
from waymark.picture.panel import draw_sections, fill_reading
from waymark.picture.signs import (
    BADGE_RADIUS_MM,
    avoid_signs,
    draw_cards,
    draw_cut,
    draw_finds,
    draw_line,
    draw_questions,
    draw_stop,
    draw_tick,
    question_spots,
)
from waymark.picture.table_panel import Icons, fill_goals, fill_groups, fill_legend, fill_result
from waymark.review.groups import GroupAssessment
from waymark.review.groups.in_photo import table_in_photo, whole_dungeon
from waymark.review.projection import Points, Projection

#: Reasons of an end that is final or breaks a rule.
_STOPPED = frozenset({"violation", "obstacle", "unmet", "dead_end"})
#: Scale of signs compared with a single tableau, as a table is larger.
_SIGNS = 1.5
#: Half the side of the square about a sign.
_SIGN_REACH_MM = _SIGNS * BADGE_RADIUS_MM * 1.6
#: Minimum luminance of a drawn ink (0 to 255); darker inks are lightened to be visible on rock.
_LEAST_LIGHT = 70.0
_OTHER_INKS: tuple[Colour, ...] = (
    (0, 166, 200),
    (255, 122, 26),
    (194, 24, 139),
    (122, 90, 42),
    (120, 120, 120),
)


def write_table(
    file: Path, photo: Photo, catalogue: Catalogue, now: GroupAssessment, language: Language
) -> None:
    """Write the overlay of a table on the photo that shows most of it, as PNG, JPEG or WebP by the file's
    ending. Raises `WaymarkError` (not-writable)."""
    write_picture(file, draw_table(photo, catalogue, now, language))


def draw_table(photo: Photo, catalogue: Catalogue, now: GroupAssessment, language: Language) -> Image.Image:
    """The photo with the lines of all groups, and a panel with the possessions and goals of each. In
    English where no font with Japanese is installed."""
    language = drawn_language(language)
    told = groups_of(now.game).told(catalogue, now.record, now.ruling)
    inks = inks_of(told)
    icons = partial(icon_of, catalogue)
    panel = draw_sections(
        [
            partial(fill_result, told),
            partial(fill_goals, told, inks, icons, now.game.words.vocabulary),
            partial(fill_groups, told, inks, icons, now.game.words.vocabulary),
            partial(fill_reading, now.sure, now.questions, now.scan.photo.warnings),
            partial(fill_legend, next(iter(inks.values()), WHITE)),
        ],
        language,
        photo_part_size(now.scan)[1],
    )
    back = backdrop(photo, now.scan, panel.size[1])
    board = now.game.rules.board(catalogue, now.record)
    dungeon = whole_dungeon(board.dungeon)
    cards = table_in_photo(now, now.record, dungeon)
    to_photo = Projection(cards, dungeon, scale=back.scale, origin_px=back.origin_px)
    canvas = back.canvas(language)
    lines = list(_lines(now, dungeon, to_photo))
    found = find_marks(now.game.words.steps(board, now.ruling), dungeon, to_photo, ())
    signs = [sign for sign in signs_of(told, now.record) if sign.place in dungeon.places]
    notes = Annotations(
        cards=tuple(CardLabel(corners, "") for corners in to_photo.corners_px),
        pieces=tuple(piece for _, pieces in lines for piece in pieces),
        finds=tuple(mark for mark in found if mark.state != "missed"),
        questions=question_marks(now.questions, dungeon, to_photo, language),
        start_px=None,
        end_px=None,
        end="stopped",
        why="",
        told=(),
        px_per_mm=to_photo.px_per_mm,
    )
    labels = Labels(canvas)
    avoid_signs(labels, notes)
    for sign in signs:
        if sign.kind != "in":
            labels.avoid_disc(to_photo.place(sign.place), _SIGN_REACH_MM * to_photo.px_per_mm)
    spots = () if now.sure else question_spots(labels, notes)
    draw_cards(canvas, notes)
    for path, (group, pieces) in zip(now.ruling.paths, lines, strict=True):
        lost = GREY if path.violations else inks[group]
        draw_line(canvas, pieces, notes.px_per_mm, partial(_in_ink, inks[group], lost))
    draw_finds(canvas, notes)
    for sign in signs:
        _draw_sign(canvas, labels, sign, told, to_photo, inks, icons)
    labels.draw()
    if not now.sure:
        draw_questions(canvas, notes, spots)
    return beside(canvas, panel).finished()


def inks_of(told: TableTold) -> dict[str, Colour]:
    """The drawing colour of each group's line: its pen's colour, made lighter where that is very dark."""
    inks: dict[str, Colour] = {}
    for number, group in enumerate(told.groups):
        known = INK_RGB.get(group.colour, _OTHER_INKS[number % len(_OTHER_INKS)])
        light = float(np.dot(known, (0.299, 0.587, 0.114)))
        more = max(0.0, _LEAST_LIGHT - light) / (255 - light)
        red, green, blue = (round(each + (255 - each) * more) for each in known)
        inks[group.group] = (red, green, blue)
    return inks


def _in_ink(ink: Colour, lost: Colour, piece: PathPiece) -> Colour:
    """Colour of a step: the group's ink, or `lost` after a broken rule."""
    return ink if piece.counted else lost


def _lines(
    now: GroupAssessment, dungeon: Dungeon, to_photo: Projection
) -> Iterator[tuple[str, tuple[PathPiece, ...]]]:
    """The steps of each path, with the group that drew it."""
    for number, path in enumerate(now.record.paths):
        reached = len(now.ruling.paths[number].steps)
        yield path.group, tuple(strokes_pieces(path.path, dungeon, reached, to_photo))


@dataclass(frozen=True)
class TableSign:
    """A sign at a place. `in`: a group's entry; `cut`: a stop from which the line goes on, with its
    `number`. `met`: a goal that was met; `stopped`: a final end; `waits`: a line that may go on; `open`:
    a goal that is open to any group, with the things `wanted`."""

    kind: Literal["in", "cut", "met", "stopped", "waits", "open"]
    place: str
    group: str = ""
    number: int | None = None
    wanted: tuple[str, ...] = ()


def signs_of(told: TableTold, record: Any) -> tuple[TableSign, ...]:
    """The signs on the photo, open goals first."""
    signs = [
        TableSign("open", place, wanted=tuple(goal.wanted))
        for goal, met in told.goals
        if met is None
        for place in goal.places
    ]
    drawn: Counter[str] = Counter()
    for path in told.paths:
        places = [name for stroke in record.paths[path.number].path for name in stroke]
        if not places:
            continue
        if not drawn[path.group]:
            signs.append(TableSign("in", places[0], path.group))
        drawn[path.group] += 1
        if path.ended in _STOPPED:
            signs.append(TableSign("stopped", places[-1], path.group))
        elif path.ended in ("goal", "edge"):
            signs.append(TableSign("met", places[-1], path.group))
        elif path.ended == "step":
            signs.append(TableSign("cut", places[-1], path.group, drawn[path.group]))
        else:
            signs.append(TableSign("waits", places[-1], path.group))
    return tuple(signs)


def _draw_sign(
    canvas: Canvas,
    labels: Labels,
    sign: TableSign,
    told: TableTold,
    to_photo: Projection,
    inks: Mapping[str, Colour],
    icons: Icons,
) -> None:
    mm = _SIGNS * to_photo.px_per_mm
    at, ink = to_photo.place(sign.place), inks.get(sign.group, WHITE)
    if sign.kind == "open":
        _draw_open_goal(
            canvas, labels, at, [each for what in sign.wanted if (each := icons(what)) is not None], mm
        )
    elif sign.kind == "in":
        name = next(group.name for group in told.groups if group.group == sign.group)
        labels.add([name.message(canvas.language)], 3.3 * mm, at, ink=_on(ink), ground=ink)
    elif sign.kind == "met":
        draw_tick(canvas, at, ink, mm)
    elif sign.kind == "stopped":
        draw_stop(canvas, at, mm)
    else:
        draw_cut(canvas, at, ink, sign.number, mm)


def _draw_open_goal(canvas: Canvas, labels: Labels, at: Points, wanted: Sequence[Pixels], mm: float) -> None:
    """Draw an empty ring, and beside it the icons of the wanted things."""
    canvas.disc(at, BADGE_RADIUS_MM * mm, BLACK, 1.8 * mm)
    canvas.disc(at, BADGE_RADIUS_MM * mm, WHITE, 0.9 * mm)
    if not wanted:
        return
    half = np.array([3.2 * len(wanted) + 0.1, 3.3]) * mm
    row = labels.spot(half, around(at, half, [k * mm for k in (5.0, 7.0, 10.0, 14.0, 20.0)]))
    for k, picture in enumerate(wanted):
        middle = row + np.array([(k - (len(wanted) - 1) / 2) * 6.4, 0.0]) * mm
        canvas.disc(middle, 3.3 * mm, WHITE)
        canvas.picture(middle, picture, 3.0 * mm)


def _on(ink: Colour) -> Colour:
    """Black or white, whichever has more contrast on a colour."""
    return BLACK if np.dot(ink, (0.299, 0.587, 0.114)) > 140 else WHITE
