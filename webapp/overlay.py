"""Draws a ruling on its photo. Someone who sees only this picture should understand the ruling.

Lines carry arrows and numbers beside their colours, and every state has its own shape, so that nothing
hangs on colour alone. Shapes are OpenCV's (anti-aliased), text is Pillow's (it knows fonts with Japanese).
"""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scorer.errors import WaymarkError
from scorer.mapmasters.objectives import VP_EACH
from scorer.mapmasters.ruling import Ruling
from vision.scan import Scan
from webapp.annotations import Annotations, FindMark, FindState, PathPiece, Points, annotate
from webapp.chain import ScoreResult
from webapp.messages import Language, find_name, means_name, plain, reading_key, say

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]  # red, green, blue

#: Longer side of the photo in the picture: enough to read a card's icons, quick to draw and to send.
WORKING_SIDE_PX = 2000
#: How much of the table is shown about the cards, in card heights: enough to recognise the photo.
MARGIN_CARDS = 0.4
LEAST_ASPECT = 0.75
PANEL_WIDTH_PX = 680
#: How far the photo is taken back, so that what is drawn stands out.
DIMMED = 0.78

# Okabe and Ito's palette, made for all kinds of colour vision.
ORANGE: Colour = (230, 159, 0)
SKY: Colour = (86, 180, 233)
GREEN: Colour = (0, 158, 115)
YELLOW: Colour = (240, 228, 66)
VERMILION: Colour = (213, 94, 0)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (20, 22, 26)
GREY: Colour = (150, 152, 156)
PANEL: Colour = (28, 31, 38)
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

FONT_PX = 30
#: Where systems keep fonts, and the names of those that have Japanese, best first.
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
JAPANESE_FONTS = (
    "NotoSansCJK*-Regular.*",
    "NotoSansJP*Regular*",
    "NotoSans*JP*",
    "NotoSansCJK*",
    "SourceHanSans*",
    "ipaexg.ttf",
    "ipag*.ttf",
    "TakaoPGothic.ttf",
    "VL-PGothic*.ttf",
    "*ヒラギノ角ゴシック W4*",
    "Hiragino*Gothic*",
    "YuGoth*.tt?",
    "meiryo.ttc",
    "msgothic.ttc",
    "DroidSansFallback*.ttf",
    "wqy-*.ttc",
)


def write_overlay(file: Path, result: ScoreResult, language: Language) -> None:
    """Draw `result` and write it to `file` as a PNG, whatever its name ends in.

    Raises `WaymarkError` (not-writable).
    """
    picture = draw_overlay(result, language)
    packed = io.BytesIO()
    picture.save(packed, "PNG", compress_level=3)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(packed.getvalue())
    except OSError as error:
        raise WaymarkError(
            "not-writable",
            f"{str(file)!r} cannot be written ({error.strerror}); choose another place.",
            f"{str(file)!r} に書き込めません。別の場所を指定してください。",
        ) from error


def draw_overlay(result: ScoreResult, language: Language, *, score: bool = True) -> Image.Image:
    """The photo with the cards, the path and the finds drawn on it, and beside it the `score`; without
    that the photo carries no sentences either, for who says them elsewhere.

    Where no font with Japanese is installed the picture is in English.
    """
    if language == "ja" and japanese_font_file() is None:
        language = "en"
    left, top, right, bottom = _frame(result.scan)
    part = result.photo.pixels[top:bottom, left:right]
    size = photo_part_size(result.scan)
    panel = None
    if score:
        panel = _panel(result, language, size[1])
        # The photo grows with a score that is longer than the photo is high: no empty stripe below it.
        grown = min(_MOST_GROWN, panel.height / size[1])
        size = (round(size[0] * grown), round(size[1] * grown))
    scale = size[0] / part.shape[1]
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    notes = annotate(result.scan, result.ruling, result.dungeon, language, scale=scale, origin_px=(left, top))
    canvas = _Canvas(np.asarray(cv2.convertScaleAbs(small, alpha=DIMMED), np.uint8), language)
    _draw_cards(canvas, notes)
    _draw_path(canvas, notes)
    _draw_finds(canvas, notes)
    if score:
        _callout(canvas, notes)
    _draw_ends(canvas, notes, result.ruling, language)
    if not result.scan.sure:
        _draw_questions(canvas, notes)
    drawn = canvas.finished()
    if panel is None:
        return drawn
    whole = Image.new("RGB", (drawn.width + panel.width, max(drawn.height, panel.height)), PANEL)
    whole.paste(drawn, (0, 0))
    whole.paste(panel, (drawn.width, 0))
    return whole


def photo_part_size(scan: Scan) -> tuple[int, int]:
    """Width and height of the picture without the score, in pixels."""
    left, top, right, bottom = _frame(scan)
    scale = WORKING_SIDE_PX / max(right - left, bottom - top)
    return round((right - left) * scale), round((bottom - top) * scale)


def _frame(scan: Scan) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the part of the photo that is shown: the cards and a margin about them."""
    height, width = scan.photo.height, scan.photo.width
    corners = np.array([card.corners for card in scan.cards], np.float64)
    margin = MARGIN_CARDS * np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1).mean()
    left, top = np.floor(corners.min(axis=(0, 1)) - margin)
    right, bottom = np.ceil(corners.max(axis=(0, 1)) + margin)
    # The score beside it is tall: a row of cards is shown with more of the table above and below.
    more = max(0.0, LEAST_ASPECT * (right - left) - (bottom - top)) / 2
    top, bottom = top - more, bottom + more
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))


# --- fonts --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def japanese_font_file() -> Path | None:
    """A font with Japanese on this machine, or None."""
    folders = [folder for name in FONT_FOLDERS if (folder := Path(name).expanduser()).is_dir()]
    files = sorted(file for folder in folders for file in folder.rglob("*.*") if file.is_file())
    return next((file for pattern in JAPANESE_FONTS for file in files if file.match(pattern)), None)


@lru_cache(maxsize=64)
def font(language: Language, size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font of this size: one with Japanese where that is asked for, else Pillow's own."""
    file = japanese_font_file() if language == "ja" else None
    return ImageFont.truetype(file, size_px) if file else ImageFont.load_default(size_px)


# --- drawing ------------------------------------------------------------------------------------------------


class _Canvas:
    """Shapes at once, text at the end: no shape covers a word."""

    def __init__(self, pixels_bgr: Pixels, language: Language) -> None:
        self.pixels = np.ascontiguousarray(pixels_bgr)
        self.language = language
        self._texts: list[tuple[tuple[float, float], str, int, Colour, str]] = []

    @property
    def size(self) -> tuple[int, int]:
        """Width, height."""
        return self.pixels.shape[1], self.pixels.shape[0]

    def line(self, points: Points, colour: Colour, width_px: float, *, closed: bool = False) -> None:
        cv2.polylines(
            self.pixels, [_fixed(points)], closed, colour[::-1], max(1, round(width_px)), cv2.LINE_AA, _SHIFT
        )

    def polygon(self, points: Points, colour: Colour) -> None:
        cv2.fillPoly(self.pixels, [_fixed(points)], colour[::-1], cv2.LINE_AA, _SHIFT)

    def disc(self, centre: Points, radius_px: float, colour: Colour, width_px: float = -1) -> None:
        thickness = -1 if width_px < 0 else max(1, round(width_px))
        x, y = _fixed(centre)
        cv2.circle(
            self.pixels,
            (int(x), int(y)),
            round(radius_px * 2**_SHIFT),
            colour[::-1],
            thickness,
            cv2.LINE_AA,
            _SHIFT,
        )

    def text(
        self, at: tuple[float, float], words: str, size_px: float, colour: Colour, anchor: str = "mm"
    ) -> None:
        self._texts.append((at, words, max(10, round(size_px)), colour, anchor))

    def text_size(self, words: str, size_px: float) -> tuple[float, float]:
        left, top, right, bottom = font(self.language, max(10, round(size_px))).getbbox(words)
        return right - left, bottom - top

    def finished(self) -> Image.Image:
        picture = Image.fromarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2RGB))
        pen = ImageDraw.Draw(picture)
        for at, words, size_px, colour, anchor in self._texts:
            pen.text(at, words, colour, font(self.language, size_px), anchor)
        return picture


#: OpenCV draws at fractions of a pixel when coordinates are given as integers with so many binary places.
_SHIFT = 4


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.round(np.asarray(points) * 2**_SHIFT).astype(np.int32)


def _draw_cards(canvas: _Canvas, notes: Annotations) -> None:
    for card in notes.cards:
        canvas.line(card.outline_px, BLACK, 7, closed=True)
        canvas.line(card.outline_px, WHITE, 3, closed=True)
    busy = _busy_points(notes)
    size = 3.4 * notes.px_per_mm
    for card in notes.cards:
        # The name stands in the corner where it covers least of the path and the finds.
        width, height = canvas.text_size(card.name, size)
        reach = np.array([width, height]) / 2 + FIND_RADIUS_MM * notes.px_per_mm
        corners = card.outline_px + (card.outline_px.mean(axis=0) - card.outline_px) * 0.2
        covered = [int(np.all(np.abs(busy - corner) < reach, axis=1).sum()) for corner in corners]
        centre = corners[int(np.argmin(covered))]
        _box(canvas, centre, width + size * 0.7, height + size * 0.7, BLACK)
        canvas.text((float(centre[0]), float(centre[1])), card.name, size, WHITE)


def _box(canvas: _Canvas, centre: Points, width: float, height: float, colour: Colour) -> None:
    half = np.array([width / 2, height / 2])
    (left, top), (right, bottom) = centre - half, centre + half
    canvas.polygon(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]), colour)


def _draw_path(canvas: _Canvas, notes: Annotations) -> None:
    mm = notes.px_per_mm
    for piece in notes.pieces:
        if not piece.jump:
            canvas.line(piece.line_px, BLACK, (HALO_MM if piece.counted else LOST_HALO_MM) * mm)
    for piece in notes.pieces:
        colour = ramp(piece.order) if piece.counted else GREY
        if piece.jump:
            _dots(canvas, piece.line_px, colour, mm)
        elif piece.underground or not piece.counted:
            for dash in dashes(piece.line_px, DASH_MM * mm, DASH_GAP_MM * mm):
                canvas.line(dash, colour, LINE_MM * mm)
        else:
            canvas.line(piece.line_px, colour, LINE_MM * mm)
    _draw_arrows(canvas, notes.pieces, mm)


def _draw_arrows(canvas: _Canvas, pieces: Sequence[PathPiece], mm: float) -> None:
    """Arrow heads at even distances along what was walked; the first soon after the start."""
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


def _arrow(canvas: _Canvas, at: Points, heading: Points, piece: PathPiece, mm: float) -> None:
    across = np.array([-heading[1], heading[0]])
    for grow, colour in ((1.0, BLACK), (0.68, WHITE if piece.counted else GREY)):
        size = ARROW_MM * mm * grow
        tip, back = at + heading * size * 0.75, at - heading * size * 0.55
        canvas.polygon(np.stack([tip, back + across * size * 0.6, back - across * size * 0.6]), colour)


def _dots(canvas: _Canvas, line: Points, colour: Colour, mm: float) -> None:
    """A jump: dots along a bow, so that two jumps between the same places do not hide a corridor."""
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


def dashes(line: Points, dash_px: float, gap_px: float) -> list[Points]:
    """Cut a polyline (N, 2) into dashes, from its start; lines have round ends, so gaps look smaller than
    they are."""
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    starts = np.arange(0, along[-1], dash_px + gap_px)
    cut: list[Points] = []
    for start in starts:
        end = min(start + dash_px, along[-1])
        inner = along[(along > start) & (along < end)]
        at = np.concatenate([[start], inner, [end]])
        cut.append(np.stack([np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])], axis=1))
    return cut


def ramp(order: float) -> Colour:
    """The path's colour at `order`, 0 at its start to 1 at its end."""
    stops = np.array(PATH_RAMP, float)
    at = np.linspace(0, 1, len(stops))
    red, green, blue = (round(float(np.interp(order, at, stops[:, channel]))) for channel in range(3))
    return red, green, blue


def _draw_finds(canvas: _Canvas, notes: Annotations) -> None:
    for mark in sorted(notes.finds, key=lambda mark: mark.state != "missed"):
        draw_find(canvas, mark, notes.px_per_mm)


def draw_find(canvas: _Canvas, mark: FindMark, mm: float) -> None:
    """Collected: a ring with a tick. Used: a ring that is struck through. Missed: thin and dashed."""
    radius = FIND_RADIUS_MM * mm
    if mark.state == "missed":
        angles = np.linspace(0, 2 * math.pi, 73)
        ring = mark.at_px + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        for dash in dashes(ring, radius * math.pi / 16, radius * math.pi / 16):
            canvas.line(dash, BLACK, 0.9 * mm)
            canvas.line(dash, (205, 207, 210), 0.45 * mm)
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


def _draw_ends(canvas: _Canvas, notes: Annotations, ruling: Ruling, language: Language) -> None:
    mm = notes.px_per_mm
    if notes.start_px is not None:
        _badge(canvas, notes.start_px, say(language, "overlay.start"), PATH_RAMP[0], WHITE, mm)
    if notes.end_px is None:
        return
    if ruling.escaped:
        _badge(canvas, notes.end_px, say(language, "overlay.exit"), GREEN, WHITE, mm)
    else:
        # An octagon as on the road: here it stops.
        angles = np.arange(8) * math.pi / 4 + math.pi / 8
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        canvas.polygon(notes.end_px + ring * BADGE_RADIUS_MM * 1.15 * mm, WHITE)
        canvas.polygon(notes.end_px + ring * BADGE_RADIUS_MM * mm, VERMILION)
        cross = np.array([[-1, -1], [1, 1]]) * BADGE_RADIUS_MM * 0.42 * mm
        for bar in (cross, cross * [1, -1]):
            canvas.line(notes.end_px + bar, WHITE, 0.9 * mm)


def _badge(canvas: _Canvas, at: Points, words: str, colour: Colour, ink: Colour, mm: float) -> None:
    size = 3.3 * mm
    width, height = canvas.text_size(words, size)
    frame_x, frame_y = canvas.size
    half = np.array([width / 2 + size * 0.5, height / 2 + size * 0.5])
    centre = np.clip(at, half + 4, np.array([frame_x, frame_y]) - half - 4)
    _box(canvas, centre, 2 * half[0] + 0.9 * mm, 2 * half[1] + 0.9 * mm, WHITE)
    _box(canvas, centre, 2 * half[0], 2 * half[1], colour)
    canvas.text((float(centre[0]), float(centre[1])), words, size, ink)


def _callout(canvas: _Canvas, notes: Annotations) -> None:
    """The sentence on how the path ended, where it covers least of what matters, tied to the end by a
    line."""
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
    _box(canvas, best, width + 8, height + 8, WHITE)
    _box(canvas, best, width, height, BLACK)
    for row, line in enumerate(lines):
        y = best[1] - height / 2 + size * 0.35 + step * (row + 0.5)
        canvas.text((float(best[0] - width / 2 + size / 2), float(y)), line, size, WHITE, "lm")


def _callout_spot(notes: Annotations, half: Points, frame: Points) -> Points:
    """Where to put a box of half the size `half` (2,): the best of many spots about the path's end."""
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


def _draw_questions(canvas: _Canvas, notes: Annotations) -> None:
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
    """Where the signs of the questions go in a picture of this `size` (width, height): each beside its place,
    clear of the others and of both ends of the path."""
    taken = [at for at in (notes.start_px, notes.end_px) if at is not None]
    spots: list[Points] = []
    for question in notes.questions:
        spots.append(_question_spot(notes, question.at_px, [*taken, *spots], np.array(size, float)))
    return spots


def _question_spot(notes: Annotations, place: Points, taken: Sequence[Points], frame: Points) -> Points:
    """Where to put a question's sign: beside its place, so that what is asked about can be seen, and clear of
    the signs in `taken`."""
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


def wrap(words: str, language: Language, size_px: int, width_px: float) -> list[str]:
    """Break a sentence into lines that fit: at spaces in English, anywhere but in Latin words in Japanese."""
    joiner = "" if language == "ja" else " "
    pieces = re.findall(r"[!-~]+|.", words) if language == "ja" else words.split()
    lines, line = [], ""
    face = font(language, size_px)
    for piece in pieces:
        longer = line + joiner + piece if line else piece
        # A full stop or a comma does not begin a line of Japanese.
        if line and face.getlength(longer) > width_px and piece not in "、。」)":
            lines.append(line)
            line = piece
        else:
            line = longer
    return [*lines, line]


# --- the score beside the photo -----------------------------------------------------------------------------


class _Column:
    """Rows from top to bottom on a canvas."""

    LEFT, RIGHT = 32, PANEL_WIDTH_PX - 32

    def __init__(self, canvas: _Canvas) -> None:
        self.canvas = canvas
        self.y = 36.0
        self.started = False

    def text(self, words: str, size_px: int = FONT_PX, colour: Colour = WHITE, indent: int = 0) -> None:
        left = self.LEFT + indent
        for line in wrap(words, self.canvas.language, size_px, self.RIGHT - left):
            self.canvas.text((left, self.y), line, size_px, colour, "la")
            self.y += size_px * 1.32

    def pair(self, words: str, value: str, size_px: int = FONT_PX, colour: Colour = WHITE) -> None:
        self.canvas.text((self.RIGHT, self.y), value, size_px, colour, "ra")
        self.text(words, size_px, colour)

    def rule(self) -> None:
        self.y += 14
        self.canvas.line(np.array([[self.LEFT, self.y], [self.RIGHT, self.y]]), GREY, 2)
        self.y += 18


def _panel(result: ScoreResult, language: Language, height: int) -> Image.Image:
    """The score, what was discovered, what happened in order, and what the signs mean; in two columns where
    one would be longer than the photo is high."""
    notes = annotate(result.scan, result.ruling, result.dungeon, language)
    sections: list[_Section] = [
        partial(_fill_score, notes, result.scan, result.ruling),
        partial(_fill_story, notes),
        partial(_fill_reading, notes, result.scan),
        _legend,
    ]
    heights = [_column_height([section], language) for section in sections]
    if sum(heights) <= height * _LONGEST_COLUMN:
        columns = [sections]
    else:
        # The cut that leaves the longer column shortest.
        cut = min(range(1, len(sections)), key=lambda k: max(sum(heights[:k]), sum(heights[k:])))
        columns = [sections[:cut], sections[cut:]]
    rows = max(height, *(math.ceil(_column_height(column, language)) for column in columns))
    whole = Image.new("RGB", (PANEL_WIDTH_PX * len(columns), rows), PANEL)
    for k, column in enumerate(columns):
        canvas = _Canvas(np.full((rows, PANEL_WIDTH_PX, 3), PANEL[::-1], np.uint8), language)
        _fill(_Column(canvas), column)
        whole.paste(canvas.finished(), (k * PANEL_WIDTH_PX, 0))
    return whole


#: The photo is drawn at most this much larger than `WORKING_SIDE_PX`: more is slow and no sharper.
_MOST_GROWN = 1.6
#: A panel may be this much longer than the photo is high before it is set in two columns.
_LONGEST_COLUMN = 1.5

_Section = Callable[["_Column"], None]


def _column_height(sections: Sequence[_Section], language: Language) -> float:
    canvas = _Canvas(np.full((16, PANEL_WIDTH_PX, 3), PANEL[::-1], np.uint8), language)
    return _fill(_Column(canvas), sections)


def _fill(column: _Column, sections: Sequence[_Section]) -> float:
    """Write sections one below the other; those with nothing to say take no room. Returns the height that was
    needed."""
    for section in sections:
        before = column.y
        if column.started:
            column.rule()
        ruled = column.y
        section(column)
        if column.y == ruled:
            column.y = before
        else:
            column.started = True
    return column.y + 24


def _fill_score(notes: Annotations, scan: Scan, ruling: Ruling, column: _Column) -> None:
    language = column.canvas.language
    column.text(say(language, "ruling.title"), 46)
    column.y += 8
    for key, objective in (("ruling.primary", ruling.primary), ("ruling.secondary", ruling.secondary)):
        if objective is not None:
            column.pair(say(language, key), f"{objective.vp} {say(language, 'ruling.vp')}", 38, YELLOW)
            matches = f"{find_name(language, objective.objective)} x {objective.count}"
            column.text(matches, FONT_PX, SKY, indent=20)
    column.pair(say(language, "ruling.coins"), str(ruling.coins), 38)
    column.pair(say(language, "ruling.escaped"), say(language, "yes" if ruling.escaped else "no"), 38)
    legal = say(language, "ruling.legal.yes" if ruling.legal else "ruling.legal.no")
    column.pair(say(language, "ruling.legal"), legal, 38, WHITE if ruling.legal else ORANGE)
    if notes.end_px is None:  # else it stands on the photo, where the path ends
        column.text(notes.why, FONT_PX, SKY)
    for fault in ruling.placement:
        column.text(plain(fault.message_ja if language == "ja" else fault.message), 26, ORANGE)
    column.rule()
    column.text(say(language, "ruling.found"), 34)
    found = [(find, count) for find in VP_EACH if (count := ruling.discovered.get(find, 0))]
    found += [(find, count) for find, count in ruling.optimizers.items() if count]
    for find, count in found:
        column.pair(find_name(language, find), str(count))
    if not found:
        column.text(say(language, "ruling.nothing"))
    if ruling.spent:
        column.y += 10
        column.text(say(language, "ruling.spent"), 34)
        for means, count in Counter(payment.means for payment in ruling.spent).items():
            column.pair(means_name(language, means), str(count))


def _fill_story(notes: Annotations, column: _Column) -> None:
    if notes.told:
        column.text(say(column.canvas.language, "overlay.told"), 34)
    for line in notes.told:
        column.text(line, 26)


def _fill_reading(notes: Annotations, scan: Scan, column: _Column) -> None:
    language = column.canvas.language
    column.text(say(language, reading_key(scan.sure, scan.questions)), 26, WHITE if scan.sure else YELLOW)
    for number, question in enumerate(notes.questions, 1):
        column.text(f"?{number} {question.line}", 26, GREY if scan.sure else YELLOW)
    for warning in scan.photo.warnings:
        column.text(say(language, "scan.warning", warning=warning.message(language)), 26, ORANGE)


def _legend(column: _Column) -> None:
    """What each sign on the photo means, drawn by the same hand."""
    canvas, mm = column.canvas, 6.0
    states: tuple[FindState, ...] = ("collected", "used", "missed")
    for state in states:
        draw_find(canvas, FindMark(np.array([70.0, column.y + 18]), "", state, None), mm)
        column.text(say(canvas.language, f"overlay.{state}"), 26, indent=90)
        column.y += 34
    column.y -= 10
    for dashed, colour, key in (
        (False, SKY, "overlay.walked"),
        (True, SKY, "overlay.underground"),
        (True, GREY, "overlay.not_counted"),
    ):
        line = np.array([[38.0, column.y + 18], [102.0, column.y + 18]])
        for dash in dashes(line, DASH_MM * mm, DASH_GAP_MM * mm) if dashed else [line]:
            canvas.line(dash, colour, LINE_MM * mm)
        column.text(say(canvas.language, key), 26, indent=90)
        column.y += 8
