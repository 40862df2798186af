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
    VERMILION,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    box,
    wrap,
)
from waymark.review.projection import Points

#: The path from its start to its end: dark blue to yellow, monotonous in lightness as well (after cividis).
PATH_RAMP: tuple[Colour, ...] = (
    (30, 80, 200),
    (60, 130, 235),
    (86, 180, 233),
    (170, 205, 140),
    (240, 228, 66),
)

# Sizes in millimetres on the cards.
LINE_MM = 1.5
HALO_MM = 2.6
LOST_HALO_MM = 2.0
FIND_RADIUS_MM = 4.3
BADGE_RADIUS_MM = 4.2
ARROW_EVERY_MM = 17.0
ARROW_MM = 3.2
DASH_MM, DASH_GAP_MM = 2.0, 2.9


def draw_cards(canvas: Canvas, notes: Annotations) -> None:
    for card in notes.cards:
        canvas.line(card.outline_px, BLACK, 7, closed=True)
        canvas.line(card.outline_px, WHITE, 3, closed=True)
    busy = _busy_points(notes)
    size = 3.4 * notes.px_per_mm
    for card in notes.cards:
        if not card.name:
            continue
        # The name stands in the corner where it covers least of the path and the finds.
        width, height = canvas.text_size(card.name, size)
        reach = np.array([width, height]) / 2 + FIND_RADIUS_MM * notes.px_per_mm
        corners = card.outline_px + (card.outline_px.mean(axis=0) - card.outline_px) * 0.2
        covered = [int(np.all(np.abs(busy - corner) < reach, axis=1).sum()) for corner in corners]
        ground = np.array([width + size * 0.7, height + size * 0.7])
        centre = np.clip(corners[int(np.argmin(covered))], ground / 2, np.array(canvas.size) - ground / 2)
        box(canvas, centre, float(ground[0]), float(ground[1]), BLACK)
        canvas.text((float(centre[0]), float(centre[1])), card.name, size, WHITE)


def draw_path(canvas: Canvas, notes: Annotations) -> None:
    def colour_of(piece: PathPiece) -> Colour:
        return ramp(piece.order) if piece.counted else GREY

    draw_line(canvas, notes.pieces, notes.px_per_mm, colour_of)


def draw_line(
    canvas: Canvas, pieces: Sequence[PathPiece], mm: float, colour_of: Callable[[PathPiece], Colour]
) -> None:
    """Draw the steps of a line with arrows; underground and uncounted steps are dashed."""
    for piece in pieces:
        if not piece.jump:
            canvas.line(piece.line_px, BLACK, (HALO_MM if piece.counted else LOST_HALO_MM) * mm)
    for piece in pieces:
        colour = colour_of(piece)
        if piece.jump:
            _dots(canvas, piece.line_px, colour, mm)
        elif piece.underground or not piece.counted:
            canvas.line(piece.line_px, colour, LINE_MM * mm, dash_px=(DASH_MM * mm, DASH_GAP_MM * mm))
        else:
            canvas.line(piece.line_px, colour, LINE_MM * mm)
    _draw_arrows(canvas, pieces, mm)


def _draw_arrows(canvas: Canvas, pieces: Sequence[PathPiece], mm: float) -> None:
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
                _arrow(canvas, start + step * (travelled / length), step / length, piece, mm)
            until_next -= length - travelled


def _arrow(canvas: Canvas, at: Points, heading: Points, piece: PathPiece, mm: float) -> None:
    across = np.array([-heading[1], heading[0]])
    for grow, colour in ((1.0, BLACK), (0.68, WHITE if piece.counted else GREY)):
        size = ARROW_MM * mm * grow
        tip, back = at + heading * size * 0.75, at - heading * size * 0.55
        canvas.polygon(np.stack([tip, back + across * size * 0.6, back - across * size * 0.6]), colour)


def _dots(canvas: Canvas, line: Points, colour: Colour, mm: float) -> None:
    """Draw a jump as dots along a bow, so that two jumps between the same places do not hide a corridor."""
    start, end = line[0], line[-1]
    step = end - start
    length = float(np.hypot(*step))
    if length < 2 * mm:
        return
    bow = np.array([-step[1], step[0]]) / length * min(0.18 * length, 14 * mm)
    t = np.linspace(0, 1, max(3, round(length / (2.2 * mm))))[:, None]
    for point in start + step * t + bow * np.sin(math.pi * t):
        canvas.disc(point, 1.05 * mm, BLACK)
        canvas.disc(point, 0.7 * mm, colour)


def ramp(order: float) -> Colour:
    """Colour of the path at position `order`, from 0 at its start to 1 at its end."""
    stops = np.array(PATH_RAMP, float)
    at = np.linspace(0, 1, len(stops))
    red, green, blue = (round(float(np.interp(order, at, stops[:, channel]))) for channel in range(3))
    return red, green, blue


def draw_finds(canvas: Canvas, notes: Annotations) -> None:
    for mark in sorted(notes.finds, key=lambda mark: mark.state != "missed"):
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


def draw_ends(canvas: Canvas, notes: Annotations, language: Language, *, escaped: bool) -> None:
    mm = notes.px_per_mm
    if notes.start_px is not None:
        draw_badge(canvas, notes.start_px, say(language, "overlay.start"), PATH_RAMP[0], WHITE, mm)
    if notes.end_px is None:
        return
    if escaped:
        draw_badge(canvas, notes.end_px, say(language, "overlay.exit"), GREEN, WHITE, mm)
    else:
        draw_stop(canvas, notes.end_px, mm)


def draw_stop(canvas: Canvas, at: Points, mm: float) -> None:
    """Draw an octagonal stop sign with a cross, where the path ends for good."""
    angles = np.arange(8) * math.pi / 4 + math.pi / 8
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    canvas.polygon(at + ring * BADGE_RADIUS_MM * 1.15 * mm, WHITE)
    canvas.polygon(at + ring * BADGE_RADIUS_MM * mm, VERMILION)
    cross = np.array([[-1, -1], [1, 1]]) * BADGE_RADIUS_MM * 0.42 * mm
    for bar in (cross, cross * [1, -1]):
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


def draw_badge(canvas: Canvas, at: Points, words: str, colour: Colour, ink: Colour, mm: float) -> None:
    size = 3.3 * mm
    width, height = canvas.text_size(words, size)
    frame_x, frame_y = canvas.size
    half = np.array([width / 2 + size * 0.5, height / 2 + size * 0.5])
    centre = np.clip(at, half + 4, np.array([frame_x, frame_y]) - half - 4)
    box(canvas, centre, 2 * half[0] + 0.9 * mm, 2 * half[1] + 0.9 * mm, WHITE)
    box(canvas, centre, 2 * half[0], 2 * half[1], colour)
    canvas.text((float(centre[0]), float(centre[1])), words, size, ink)


def draw_callout(canvas: Canvas, notes: Annotations) -> None:
    """Draw the sentence on how the path ended, at the least covering spot, with a line to the path's
    end."""
    if notes.end_px is None:
        return
    frame_x, frame_y = canvas.size
    size = FONT_PX
    lines = wrap(notes.why, canvas.language, size, min(620, frame_x * 0.45))
    step = size * 1.3
    width = max(canvas.text_size(line, size)[0] for line in lines) + size
    height = step * len(lines) + size * 0.7
    best = _callout_spot(notes, np.array([width, height]) / 2, np.array([frame_x, frame_y]))
    canvas.line(np.stack([notes.end_px, best]), BLACK, 7)
    canvas.line(np.stack([notes.end_px, best]), WHITE, 3)
    box(canvas, best, width + 8, height + 8, WHITE)
    box(canvas, best, width, height, BLACK)
    for row, line in enumerate(lines):
        y = best[1] - height / 2 + size * 0.35 + step * (row + 0.5)
        canvas.text((float(best[0] - width / 2 + size / 2), float(y)), line, size, WHITE, "lm")


def _callout_spot(notes: Annotations, half: Points, frame: Points) -> Points:
    """Centre (2,) in pixels for a box of half size `half` (2,), with the least cost among candidate
    spots around the path's end."""
    end = notes.end_px
    assert end is not None
    busy = _busy_points(notes)
    # A coarse grid over every card: to cover bare rock is better than a corridor, and bare table better than
    # either.
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 7), np.linspace(0, 1, 9)), axis=-1).reshape(-1, 2)
    card_points = np.concatenate([_inside(card.outline_px, grid) for card in notes.cards])
    radius = FIND_RADIUS_MM * notes.px_per_mm
    along = np.linspace(0, 1, 30)[:, None]
    # What the leader passes near its own end is no crossing.
    elsewhere = busy[np.hypot(*(busy - end).T) > 2.5 * radius]

    def cost(centre: Points) -> float:
        covered = np.all(np.abs(busy - centre) < half + 1.4 * radius, axis=1).sum()
        on_cards = np.all(np.abs(card_points - centre) < half, axis=1).sum()
        leader = end + (centre - end) * along
        crossed = (np.linalg.norm(elsewhere[:, None] - leader[None], axis=2).min(axis=1) < radius).sum()
        hidden_end = 1000 if np.all(np.abs(end - centre) < half + 38) else 0
        return float(8 * covered + on_cards + 4 * crossed + hidden_end + np.hypot(*(centre - end)) / 90)

    margin = half + 8
    spots = [
        np.clip(end + distance * (half + 60) * [math.cos(angle), math.sin(angle)], margin, frame - margin)
        for distance in (0.75, 1.2, 1.8, 2.6)
        for angle in np.arange(16) * math.pi / 8
    ]
    return min(spots, key=cost)


def _busy_points(notes: Annotations) -> Points:
    """Points (N, 2) of the path and the finds: what no label should cover."""
    lines = [piece.line_px for piece in notes.pieces]
    return np.concatenate([np.empty((0, 2)), *lines, *(mark.at_px[None] for mark in notes.finds)])


def _inside(corners: Points, shares: Points) -> Points:
    """Points (N, 2) of a quadrilateral (4, 2) at shares of its width and height (bilinear)."""
    across, down = shares[:, :1], shares[:, 1:]
    top = corners[0] * (1 - across) + corners[1] * across
    bottom = corners[3] * (1 - across) + corners[2] * across
    points: Points = top * (1 - down) + bottom * down
    return points


def draw_questions(canvas: Canvas, notes: Annotations) -> None:
    mm = notes.px_per_mm
    diamond = np.array([[0, -1], [1, 0], [0, 1], [-1, 0]]) * 3.5 * mm
    spots = question_spots(notes, canvas.size)
    for number, (question, at) in enumerate(zip(notes.questions, spots, strict=True), 1):
        if np.hypot(*(at - question.at_px)) > 2.2 * FIND_RADIUS_MM * mm:
            canvas.line(np.stack([question.at_px, at]), BLACK, 5)
            canvas.line(np.stack([question.at_px, at]), YELLOW, 2)
        canvas.polygon(at + diamond * 1.2, BLACK)
        canvas.polygon(at + diamond, YELLOW)
        canvas.text((float(at[0]), float(at[1])), f"?{number}", 3 * mm, BLACK)


def question_spots(notes: Annotations, size: tuple[int, int]) -> list[Points]:
    """Positions of the questions' signs in a picture of `size` (width, height): near their places, clear
    of each other and of the path's ends."""
    taken = [at for at in (notes.start_px, notes.end_px) if at is not None]
    spots: list[Points] = []
    for question in notes.questions:
        spots.append(_question_spot(notes, question.at_px, [*taken, *spots], np.array(size, float)))
    return spots


def _question_spot(notes: Annotations, place: Points, taken: Sequence[Points], frame: Points) -> Points:
    """Position (2,) of a question's sign: beside its place, which stays visible, and clear of the signs
    in `taken`."""
    mm = notes.px_per_mm
    finds = np.concatenate([np.empty((0, 2)), *(mark.at_px[None] for mark in notes.finds)])

    def cost(at: Points) -> float:
        crowded = sum(np.hypot(*(at - other)) < 2.3 * BADGE_RADIUS_MM * mm for other in taken)
        on_finds = (np.hypot(*(finds - at).T) < FIND_RADIUS_MM * mm).sum()
        return float(100 * crowded + 3 * on_finds + np.hypot(*(at - place)) / mm)

    margin = np.full(2, 5 * mm)
    spots = [
        np.clip(
            place + distance * FIND_RADIUS_MM * mm * np.array([math.cos(angle), math.sin(angle)]),
            margin,
            np.maximum(margin, frame - margin),
        )
        for distance in (1.3, 2.1, 3.0, 4.2, 5.6, 7.5)
        # The first is up and to the left, as it always was.
        for angle in math.pi * 5 / 4 + np.arange(12) * math.pi / 6
    ]
    return min(spots, key=cost)
