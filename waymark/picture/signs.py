"""The ruling's signs on a photo: cards, path, finds, ends, questions, and the sentence on how it ended."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from scorer.text import Language
from waymark.phrases import say
from waymark.picture.annotations import Annotations, FindMark, PathPiece
from waymark.picture.canvas import (
    BLACK,
    FONT_PX,
    GREEN,
    GREY,
    ORANGE,
    SLATE,
    VERMILION,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    wrap,
)
from waymark.picture.labels import Labels, around, contains
from waymark.review.projection import Points

#: The path from its start to its end: dark blue to yellow, monotonous in lightness as well (after cividis).
PATH_RAMP: tuple[Colour, ...] = (
    (30, 80, 200),
    (60, 130, 235),
    (86, 180, 233),
    (170, 205, 140),
    (240, 228, 66),
)

#: The colour of each piece of a line.
ColourOf = Callable[[PathPiece], Colour]

# Sizes in millimetres on the cards.
LINE_MM = 1.5
HALO_MM = 2.6
LOST_HALO_MM = 2.0
FIND_RADIUS_MM = 4.3
BADGE_RADIUS_MM = 4.2
QUESTION_MM = 3.5
END_NAME_MM = 3.3
#: Half the side of the square about a find's sign, with its number and its tick.
FIND_REACH_MM = 5.3
ARROW_EVERY_MM = 17.0
ARROW_MM = 3.2
DASH_MM, DASH_GAP_MM = 2.0, 2.9


def draw_cards(canvas: Canvas, notes: Annotations) -> None:
    mm = notes.px_per_mm
    for index, card in enumerate(notes.cards):
        canvas.line(card.outline_px, BLACK, 0.9 * mm, closed=True, kind="card-halo")
        with canvas.group("card-line", data_card=str(index)):
            canvas.line(card.outline_px, WHITE, 0.4 * mm, closed=True)


def draw_signs(
    canvas: Canvas,
    notes: Annotations,
    *,
    lines: Sequence[tuple[Sequence[PathPiece], ColourOf]] | None = None,
    callout: bool = False,
    questions: bool = False,
) -> None:
    """Draw a ruling: cards, path, finds, ends, labels and the `questions`' signs. `lines` are the parts of
    the path with their colours; by default one player's."""
    labels, spots = labels_of(canvas, notes, callout=callout, questions=questions)
    with canvas.group(data_layer="cards"):
        draw_cards(canvas, notes)
    with canvas.group(data_layer="path"):
        for pieces, colour_of in lines or [(notes.pieces, path_colour)]:
            draw_line(canvas, pieces, notes.px_per_mm, colour_of)
    with canvas.group(data_layer="finds"):
        draw_finds(canvas, notes)
    with canvas.group(data_layer="ends"):
        draw_ends(canvas, notes)
    with canvas.group(data_layer="labels"):
        labels.draw()
    if questions:
        draw_questions(canvas, notes, spots)


def labels_of(
    canvas: Canvas, notes: Annotations, *, callout: bool, questions: bool
) -> tuple[Labels, list[Points]]:
    """The labels of a tableau's signs, placed clear of them: start and exit, the cards' names, and with
    `callout` the sentence on how the path ended. The positions of the `questions`' signs come with them."""
    labels = Labels(canvas)
    avoid_signs(labels, notes)
    spots = question_spots(labels, notes) if questions else []
    label_ends(labels, notes, canvas.language, END_NAME_MM * notes.px_per_mm)
    name_cards(labels, notes)
    if callout and notes.end_px is not None:
        _add_callout(labels, notes, notes.end_px, canvas)
    return labels, spots


def label_ends(labels: Labels, notes: Annotations, language: Language, size: float) -> None:
    """Name the start of the path and its exit in letters of this size (px)."""
    if notes.start_px is not None:
        start = say(language, "overlay.start")
        labels.add([start], size, notes.start_px, ground=PATH_RAMP[0], kind="end-name")
    if notes.end_px is not None and notes.end == "exit":
        labels.add([say(language, "overlay.exit")], size, notes.end_px, ground=GREEN, kind="end-name")


def avoid_signs(labels: Labels, notes: Annotations) -> None:
    """Keep labels clear of the path, the finds and the path's ends."""
    mm = notes.px_per_mm
    for piece in notes.pieces:
        labels.avoid_line(bow(piece.line_px, mm) if piece.jump else piece.line_px, HALO_MM * mm)
    for mark in notes.finds:
        labels.avoid_disc(mark.at_px, FIND_REACH_MM * mm)
    for at in (notes.start_px, notes.end_px):
        if at is not None:
            labels.avoid_disc(at, BADGE_RADIUS_MM * 1.15 * mm)


def name_cards(labels: Labels, notes: Annotations) -> None:
    """Name each card: in a corner of it, else on its bare ground, else beside it."""
    size = 3.4 * notes.px_per_mm
    shares = np.stack(np.meshgrid(np.linspace(0, 1, 17), np.linspace(0, 1, 21)), axis=-1).reshape(-1, 2)
    shares = shares[np.argsort(np.hypot(*np.minimum(shares, 1 - shares).T))]
    for card in notes.cards:
        if not card.name:
            continue
        half, spots = labels.half([card.name], size), _inside(card.outline_px, shares)
        box = spots[:, None] + half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
        fits = contains(card.outline_px, box).all(axis=1)
        labels.add(
            [card.name],
            size,
            card.outline_px.mean(axis=0),
            spots[fits] if fits.any() else spots,
            on=card.outline_px,
            kind="card-name",
        )


def path_colour(piece: PathPiece) -> Colour:
    """Colour of a step of one player's path: by its position, grey where it does not count."""
    return ramp(piece.order) if piece.counted else GREY


def draw_line(canvas: Canvas, pieces: Sequence[PathPiece], mm: float, colour_of: ColourOf) -> None:
    """Draw the steps of a line with arrows; underground and uncounted steps are dashed."""
    for piece in pieces:
        if not piece.jump:
            width = (HALO_MM if piece.counted else LOST_HALO_MM) * mm
            canvas.line(piece.line_px, BLACK, width, kind="path-halo", data_number=_number_of(piece))
    for piece in pieces:
        colour, number = colour_of(piece), _number_of(piece)
        kind = "path-line" if piece.counted else "path-line lost"
        if piece.jump:
            # Dots: dashes without length, with round caps.
            line, dots = bow(piece.line_px, mm), (0.01, 2.3 * mm)
            canvas.line(line, BLACK, 2.1 * mm, dash_px=dots, kind="path-halo", data_number=number)
            canvas.line(line, colour, 1.4 * mm, dash_px=dots, kind=kind, data_number=number)
            continue
        dashed = piece.underground or not piece.counted
        dash = (DASH_MM * mm, DASH_GAP_MM * mm) if dashed else ()
        canvas.line(piece.line_px, colour, LINE_MM * mm, dash_px=dash, kind=kind, data_number=number)
    draw_arrows(canvas, pieces, mm)


def _number_of(piece: PathPiece) -> str:
    """The step at which a page shows a piece; "" for the end of the path."""
    return str(piece.number) if piece.counted else ""


def draw_arrows(canvas: Canvas, pieces: Sequence[PathPiece], mm: float) -> None:
    """Draw arrow heads at equal distances along the walked steps, the first one soon after the start."""
    until_next = ARROW_EVERY_MM * mm / 2
    for piece in pieces:
        if piece.jump:
            until_next = ARROW_EVERY_MM * mm / 3
            continue
        steps = np.diff(piece.line_px, axis=0)
        for start, step in zip(piece.line_px, steps, strict=False):
            length = float(np.hypot(*step))
            travelled = 0.0
            while length > 0 and until_next <= length - travelled:
                travelled += until_next
                until_next = ARROW_EVERY_MM * mm
                _draw_arrow(canvas, start + step * (travelled / length), step / length, piece, mm)
            until_next -= length - travelled


def _draw_arrow(canvas: Canvas, at: Points, heading: Points, piece: PathPiece, mm: float) -> None:
    across, size = np.array([-heading[1], heading[0]]), ARROW_MM * 0.68 * mm
    tip, back = at + heading * size * 0.75, at - heading * size * 0.55
    canvas.polygon(
        np.stack([tip, back + across * size * 0.6, back - across * size * 0.6]),
        WHITE if piece.counted else GREY,
        rim=(BLACK, 0.9 * mm),
        kind="path-arrow" if piece.counted else "path-arrow lost",
        data_number=_number_of(piece),
    )


def bow(line: Points, mm: float) -> Points:
    """The bow (N, 2) of a jump, so that two jumps between the same places do not hide a corridor."""
    start, end = line[0], line[-1]
    step = end - start
    length = max(float(np.hypot(*step)), 1e-6)
    out = np.array([-step[1], step[0]]) / length * min(0.18 * length, 14 * mm)
    t = np.linspace(0, 1, 25)[:, None]
    made: Points = start + step * t + out * np.sin(math.pi * t)
    return made


def ramp(order: float) -> Colour:
    """Colour of the path at position `order`, from 0 at its start to 1 at its end."""
    stops = np.array(PATH_RAMP, float)
    at = np.linspace(0, 1, len(stops))
    red, green, blue = (round(float(np.interp(order, at, stops[:, channel]))) for channel in range(3))
    return red, green, blue


def draw_finds(canvas: Canvas, notes: Annotations) -> None:
    for mark in sorted(notes.finds, key=lambda mark: mark.state != "missed"):
        number = None if mark.number is None else str(mark.number)
        with canvas.group(f"find {mark.state}", mark.title, data_place=mark.place, data_number=number):
            draw_find(canvas, mark, notes.px_per_mm)


def draw_find(canvas: Canvas, mark: FindMark, mm: float) -> None:
    """Draw a find's sign: a ring with a tick (collected), a struck-through ring (used), or a thin dashed
    ring (missed)."""
    radius = FIND_RADIUS_MM * mm
    if mark.state == "missed":
        dash = (radius * math.pi / 16,) * 2
        canvas.disc(mark.at_px, radius, BLACK, 0.9 * mm, dash_px=dash)
        canvas.disc(mark.at_px, radius, (205, 207, 210), 0.45 * mm, dash_px=dash)
        return
    colour = GREEN if mark.state == "collected" else ORANGE
    canvas.disc(mark.at_px, radius, WHITE, 1.5 * mm)
    canvas.disc(mark.at_px, radius, colour, 0.9 * mm)
    if mark.state == "used":
        slash = np.array([[-0.72, 0.72], [0.72, -0.72]]) * radius + mark.at_px
        canvas.line(slash, WHITE, 1.5 * mm)
        canvas.line(slash, colour, 0.9 * mm)
    badge = mark.at_px + np.array([0.75, -0.75]) * radius
    canvas.disc(badge, 1.95 * mm, WHITE)
    canvas.disc(badge, 1.7 * mm, colour)
    if mark.number is not None:
        canvas.text((float(badge[0]), float(badge[1])), str(mark.number), 2.5 * mm, WHITE)
    if mark.state == "collected":
        tick = mark.at_px + np.array([0.62, 0.72]) * radius
        canvas.disc(tick, 1.95 * mm, WHITE)
        shape = np.array([[-0.9, 0.0], [-0.25, 0.7], [0.95, -0.75]]) * mm * 1.1 + tick
        canvas.line(shape, colour, 0.75 * mm)


def draw_ends(canvas: Canvas, notes: Annotations) -> None:
    mm = notes.px_per_mm
    if notes.start_px is not None:
        canvas.disc(notes.start_px, 2.6 * mm, WHITE)
        canvas.disc(notes.start_px, 2.6 * mm, PATH_RAMP[0], 0.9 * mm)
    if notes.end_px is None:
        return
    with canvas.group("end", data_number=""):
        if notes.end == "exit":
            draw_tick(canvas, notes.end_px, GREEN, mm)
        else:
            draw_stop(canvas, notes.end_px, mm, broken=notes.end == "violation")


def draw_stop(canvas: Canvas, at: Points, mm: float, *, broken: bool = True) -> None:
    """Draw an octagonal stop sign where the path ends for good: red with a cross, or dark with a bar where no
    rule was `broken`."""
    angles = np.arange(8) * math.pi / 4 + math.pi / 8
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    canvas.polygon(at + ring * BADGE_RADIUS_MM * 1.15 * mm, WHITE)
    canvas.polygon(at + ring * BADGE_RADIUS_MM * mm, VERMILION if broken else SLATE)
    cross = np.array([[-1, -1], [1, 1]]) * BADGE_RADIUS_MM * 0.42 * mm
    for bar in (cross, cross * [1, -1]) if broken else (cross * [1.3, 0],):
        canvas.line(at + bar, WHITE, 0.9 * mm)


def draw_tick(canvas: Canvas, at: Points, colour: Colour, mm: float) -> None:
    """Draw a disc with a tick, for a goal that is met."""
    canvas.disc(at, BADGE_RADIUS_MM * 1.15 * mm, WHITE)
    canvas.disc(at, BADGE_RADIUS_MM * mm, colour)
    shape = np.array([[-0.5, 0.05], [-0.12, 0.42], [0.52, -0.4]]) * BADGE_RADIUS_MM * mm + at
    canvas.line(shape, BLACK if sum(colour) > 480 else WHITE, 1.0 * mm)


def draw_cut(canvas: Canvas, at: Points, ink: Colour, number: int | None, mm: float) -> None:
    """Draw a diamond with a stop's number, or with three dots where a line waits or may go on."""
    diamond = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]]) * BADGE_RADIUS_MM * 1.15 * mm
    canvas.polygon(at + diamond * 1.35, BLACK)
    canvas.polygon(at + diamond * 1.2, ink)
    canvas.polygon(at + diamond * 0.85, WHITE)
    if number is not None:
        canvas.text((float(at[0]), float(at[1])), str(number), 4 * mm, BLACK)
    for k in (-1, 0, 1) if number is None else ():
        canvas.disc(at + np.array([k * 1.7 * mm, 0.0]), 0.6 * mm, BLACK)


def _add_callout(labels: Labels, notes: Annotations, end: Points, canvas: Canvas) -> None:
    """Add the sentence on how the path ended: near its end, on bare table rather than on a card."""
    lines = wrap(notes.why, canvas.language, FONT_PX, min(620, canvas.size[0] * 0.45))
    half = labels.half(lines, FONT_PX)
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 7), np.linspace(0, 1, 9)), axis=-1).reshape(-1, 2)
    card_points = np.concatenate([_inside(card.outline_px, grid) for card in notes.cards])
    wanted = around(end, half, [k * FONT_PX for k in (2, 4, 6, 9, 12, 16)])
    on_cards = np.all(np.abs(card_points - wanted[:, None]) < half, axis=2).sum(axis=1)
    cost = on_cards + np.hypot(*(wanted - end).T) / 90
    labels.add(lines, FONT_PX, end, wanted[np.argsort(cost, kind="stable")])


def _inside(corners: Points, shares: Points) -> Points:
    """Points (N, 2) of a quadrilateral (4, 2) at shares of its width and height (bilinear)."""
    across, down = shares[:, :1], shares[:, 1:]
    top = corners[0] * (1 - across) + corners[1] * across
    bottom = corners[3] * (1 - across) + corners[2] * across
    points: Points = top * (1 - down) + bottom * down
    return points


def draw_questions(canvas: Canvas, notes: Annotations, spots: Sequence[Points]) -> None:
    """Draw each question's sign at its spot, with a line to its place."""
    mm = notes.px_per_mm
    diamond = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]]) * QUESTION_MM * mm
    for number, (question, at) in enumerate(zip(notes.questions, spots, strict=True), 1):
        canvas.line(np.stack([question.at_px, at]), BLACK, 0.7 * mm)
        canvas.line(np.stack([question.at_px, at]), YELLOW, 0.3 * mm)
        canvas.polygon(at + diamond * 1.2, BLACK)
        canvas.polygon(at + diamond, YELLOW)
        canvas.text((float(at[0]), float(at[1])), f"?{number}", 3 * mm, BLACK)


def question_spots(labels: Labels, notes: Annotations) -> list[Points]:
    """Positions of the questions' signs: near their places, which stay visible, clear of all other signs."""
    mm = notes.px_per_mm
    half = np.full(2, QUESTION_MM * 1.2 * mm)
    return [
        labels.spot(half, around(question.at_px, half, [k * mm for k in (3.0, 6.0, 10.0, 15.0, 22.0)]))
        for question in notes.questions
    ]
