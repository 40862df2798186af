"""Overlay of a board's reading on its photo, and of a turn as arrows on the photo after it. The picture
should be understood without further explanation. Every mark has a shape of its own, so that nothing
depends on colour alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scorer.board_record import Board, Cell
from scorer.catalogue import Catalogue, Side
from scorer.play_kinds import board_game
from scorer.square_grid import SIDES, STEPS, open_sides, turned
from scorer.text import Language, Text
from vision.boards.seen import BoardScan, LayeredScan
from vision.photo import geometry
from vision.photo.decode import Photo, halvings_to_hold
from waymark.phrases import say
from waymark.picture.backdrop import DIMMED
from waymark.picture.canvas import (
    BLACK,
    GREEN,
    ORANGE,
    SKY,
    VERMILION,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    drawn_language,
    wrap,
)
from waymark.picture.files import write_picture
from waymark.picture.labels import Labels, around
from waymark.review.boards.assess import BoardAssessment, TurnAssessment

Array = NDArray[np.float64]

#: Longer side of the picture (px), and margin of table around the grid (cells).
SIDE_PX, MARGIN_CELLS = 1500, 1.9
#: Radius (cells) that labels leave free around a piece on the board.
PIECE_CELLS = 0.17
#: Font size (px) of the sentences in the strip below.
WORDS_PX = 26


def write_board(file: Path, photo: Photo, now: BoardAssessment, language: Language) -> None:
    """Draw a board as it was read, as PNG, JPEG or WebP. Raises `WaymarkError` (not-writable)."""
    write_picture(file, draw_board(photo, now, language))


def write_turn(file: Path, photo: Photo, now: TurnAssessment, language: Language) -> None:
    """Draw a turn on the photo after it, as PNG, JPEG or WebP. Raises `WaymarkError` (not-writable)."""
    write_picture(file, draw_turn(photo, now, language))


def draw_board(photo: Photo, now: BoardAssessment, language: Language) -> Image.Image:
    """The photo with tiles, pieces, questions, and the cells within reach of the player to move."""
    drawing = _Drawing(photo, now.scan, language)
    _draw_reach(drawing, now)
    _draw_questions(drawing, now)
    _draw_pieces(drawing, now.scan)
    _draw_tiles(drawing, now.scan)
    return drawing.finished(_told(now.game.words.why(now.ruling).words, now.sure, language))


def draw_turn(photo: Photo, now: TurnAssessment, language: Language) -> Image.Image:
    """The photo with the push, the walk and the taken piece as arrows, and crosses where a rule was
    broken."""
    after = now.after
    drawing = _Drawing(photo, after.scan, language)
    _draw_pieces(drawing, after.scan)
    ruling = now.ruling
    if board_game(after.game).photo.infer_turn is not None:
        return drawing.finished(_walked(drawing, now, language))
    if ruling.push is not None:
        _draw_push(drawing, ruling.push.at, after.board)
    if ruling.to is not None:
        stood = ruling.stood if ruling.stood is not None else ruling.to
        _draw_walk(drawing, after.board, after.catalogue, tuple(stood), tuple(ruling.to))
        if ruling.taken is not None:
            drawing.ring(tuple(ruling.to), GREEN, 0.34)
            middle = drawing.middle(tuple(ruling.to))
            above = middle - 0.42 * drawing.unit * _down(drawing, tuple(ruling.to))
            drawing.label(middle, f"+ {ruling.taken}", GREEN, wanted=[above])
    for each in ruling.violations:
        if getattr(each, "cell", None) is not None:
            drawing.cross(tuple(each.cell), VERMILION)
    assert after.game.play.turns is not None
    return drawing.finished(_told(after.game.play.turns.why(ruling).words, now.sure, language))


def _walked(drawing: _Drawing, now: TurnAssessment, language: Language) -> list[str]:
    """Draw the figures' routes in a turn of listed steps; returns the sentences about its ruling."""
    game = board_game(now.after.game)
    traces = game.play.forms.traces(now.before.board, now.after.board, now.after.catalogue, now.ruling)
    for trace in traces:
        drawing.arrow(drawing.px(np.array(trace.points)), ORANGE, 8)
    return _told(now.untold or game.play.turns.why(now.ruling).words, now.sure, language)


def _told(why: Text, sure: bool, language: Language) -> list[str]:
    """The sentences of a ruling; the warning that it is not sure comes first, where it is read."""
    return [*([] if sure else [say(language, "picture.unsure")]), why.message(language)]


class _Drawing:
    """The photo part around the board as a canvas, with drawing functions in cell coordinates."""

    def __init__(self, photo: Photo, scan: BoardScan, language: Language) -> None:
        self.language = drawn_language(language)
        self.scan = scan
        self.to_photo = np.array(scan.to_photo)
        grid = np.array(scan.grid_px)
        columns = 1 + max(tile.cell[0] for tile in scan.tiles)
        rows = 1 + max(tile.cell[1] for tile in scan.tiles)
        self.size = columns, rows
        # the cell's length follows from where the grid ends
        end = geometry.apply(np.linalg.inv(self.to_photo), grid[2])
        self.cell_mm = float(end[0]) / columns
        rim = MARGIN_CELLS * self.cell_mm
        corners = geometry.rectangle(columns * self.cell_mm + 2 * rim, rows * self.cell_mm + 2 * rim) - rim
        around = [geometry.apply(self.to_photo, corners)]
        if isinstance(scan, LayeredScan):  # with the boards that lie about
            around += [np.array(board) for board in scan.boards_px.values()]
        around += [each.at_px + 1.5 * each.reach_px * np.array([[-1], [1]]) for each in scan.held]
        seen = np.vstack(around)
        low = np.maximum(np.floor(seen.min(axis=0)), 0).astype(int)
        high = np.minimum(np.ceil(seen.max(axis=0)), (photo.width, photo.height)).astype(int)
        self.scale = SIDE_PX / float(max(high - low))
        halvings = min(photo.halvings, halvings_to_hold(photo.width, photo.height))
        pixels = photo.reduced(halvings)
        part = pixels[low[1] >> halvings : high[1] >> halvings, low[0] >> halvings : high[0] >> halvings]
        size = tuple(np.round((high - low) * self.scale).astype(int).tolist())
        small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        self.origin = low
        dimmed = np.asarray(cv2.convertScaleAbs(small, alpha=DIMMED), np.uint8)
        self.canvas = Canvas((size[0], size[1]), self.language, photo=dimmed)
        self.labels = Labels(self.canvas)
        self._wanted: list[tuple[Array, str, Colour, float, Sequence[Array], Array | None]] = []
        whole = self.px(np.array([[0.0, 0.0], [columns, 0], [columns, rows], [0, rows]]))
        self.unit = float(np.linalg.norm(whole - np.roll(whole, 1, axis=0), axis=1).mean()) / columns

    def px(self, cells: Array) -> Array:
        """Picture points (n, 2) of board positions (n, 2) in cells; whole numbers are cell corners."""
        at = geometry.apply(self.to_photo, np.asarray(cells, np.float64) * self.cell_mm)
        return np.asarray((at - self.origin) * self.scale)

    def in_photo(self, points_px: Any) -> Array:
        """Picture points of photo points, both (n, 2) or (2,) in pixels."""
        return np.asarray((np.asarray(points_px, np.float64) - self.origin) * self.scale)

    def middle(self, cell: Cell) -> Array:
        return np.asarray(self.px(np.array([[cell[0] + 0.5, cell[1] + 0.5]]))[0])

    def square(self, cell: Cell, inset: float = 0.06) -> Array:
        x, y = cell
        a, b = inset, 1 - inset
        return self.px(np.array([[x + a, y + a], [x + b, y + a], [x + b, y + b], [x + a, y + b]]))

    def ring(self, cell: Cell, colour: Colour, share: float) -> None:
        turn = np.linspace(0, 2 * np.pi, 40)
        at = np.array(cell) + 0.5 + share * np.column_stack([np.cos(turn), np.sin(turn)])
        self.outlined(self.px(at), colour, 5)

    def cross(self, cell: Cell, colour: Colour) -> None:
        x, y = cell
        for line in ([[x + 0.2, y + 0.2], [x + 0.8, y + 0.8]], [[x + 0.8, y + 0.2], [x + 0.2, y + 0.8]]):
            self.outlined(self.px(np.array(line)), colour, 9)

    def outlined(self, line: Array, colour: Colour, width: float, *, dash_px: Sequence[float] = ()) -> None:
        self.labels.avoid_line(line, width + 4)
        self.canvas.line(line, BLACK, width + 4, dash_px=dash_px)
        self.canvas.line(line, colour, width, dash_px=dash_px)

    def arrow(self, line: Array, colour: Colour, width: float) -> None:
        """Draw a polyline (picture points) with an arrow head at its end."""
        step = line[-1] - line[-2]
        along = step / max(float(np.linalg.norm(step)), 1e-6)
        across = np.array([-along[1], along[0]])
        head = 0.24 * self.unit
        tip = line[-1] + 0.3 * head * along
        wings = [tip - head * along + 0.62 * head * across, tip - head * along - 0.62 * head * across]
        shaft = np.vstack([line[:-1], tip - 0.8 * head * along])
        self.outlined(shaft, colour, width)
        triangle = np.array([tip, *wings])
        self.canvas.polygon(triangle + 0.12 * (triangle - triangle.mean(axis=0)), BLACK)
        self.canvas.polygon(triangle, colour)
        self.labels.avoid_disc(triangle.mean(axis=0), head / 2)

    def spot(self, at: Array, colour: Colour, share: float) -> None:
        """Draw a disc of this radius (in cells) at a picture point."""
        self.canvas.disc(at, (share + 0.02) * self.unit, BLACK)
        self.canvas.disc(at, share * self.unit, colour)
        self.labels.avoid_disc(at, (share + 0.02) * self.unit)

    def label(
        self,
        at: Array,
        words: str,
        colour: Colour,
        share: float = 0.15,
        *,
        wanted: Sequence[Array] = (),
        on: Array | None = None,
    ) -> None:
        """Have a label placed once all signs are drawn, at the first of the `wanted` points that is free,
        else near `at`, which it tells of; `on`: an outline in which it needs no leader line."""
        self._wanted.append((at, words, colour, max(13.0, share * self.unit), wanted, on))

    def finished(self, sentences: list[str]) -> Image.Image:
        """The finished picture with its labels, and with sentences in a strip below."""
        for at, words, colour, size, wanted, on in self._wanted:
            half = self.labels.half([words], size)
            near = around(at, half, [k * size for k in (0.3, 0.8, 1.5, 2.5, 4.0)])
            self.labels.add([words], size, at, np.vstack([*wanted, near]), on=on, ink=colour)
        self.labels.draw()
        width, height = self.canvas.size
        lines = [line for each in sentences for line in wrap(each, self.language, WORDS_PX, width - 40)]
        whole = Canvas((width, height + round(WORDS_PX * 1.5 * len(lines)) + 24), self.language)
        whole.place(self.canvas, (0, 0))
        for number, line in enumerate(lines):
            whole.text((20, height + 12 + (number + 0.5) * WORDS_PX * 1.5), line, WORDS_PX, WHITE, "lm")
        return whole.finished()


def _draw_tiles(drawing: _Drawing, scan: BoardScan) -> None:
    """Each loose tile's outline, a tick at the top of its art, and its id."""
    for tile in scan.tiles:
        if tile.printed:
            continue
        corners = drawing.in_photo(tile.corners)
        drawing.canvas.line(corners, WHITE, 1.5, closed=True)
        top, inner = corners[:2].mean(axis=0), corners.mean(axis=0)
        drawing.canvas.line(np.array([top, top + 0.16 * (inner - top)]), YELLOW, 4)
        below = inner + 0.36 * drawing.unit * _down(drawing, tile.cell)
        drawing.label(inner, tile.tile, WHITE, 0.11, wanted=[below], on=corners)
    if scan.spare is not None:
        corners = drawing.in_photo(scan.spare.corners)
        drawing.outlined(np.vstack([corners, corners[:1]]), SKY, 3)
        middle = corners.mean(axis=0)
        drawing.label(middle, scan.spare.tile, SKY, wanted=[middle], on=corners)


def _down(drawing: _Drawing, cell: Cell) -> Array:
    """Unit vector in the picture towards the bottom of the board, at a cell."""
    x, y = cell
    one, other = drawing.px(np.array([[x + 0.5, y + 0.4], [x + 0.5, y + 0.6]]))
    return np.asarray((other - one) / max(float(np.linalg.norm(other - one)), 1e-6))


def _draw_pieces(drawing: _Drawing, scan: BoardScan) -> None:
    for piece in scan.pieces:
        at = drawing.in_photo(piece.at_px)
        drawing.spot(at, YELLOW, 0.05)
        drawing.labels.avoid_disc(at, PIECE_CELLS * drawing.unit)
        below = at + (PIECE_CELLS + 0.11) * drawing.unit * _down(drawing, piece.cell)
        drawing.label(at, piece.piece, YELLOW, 0.12, wanted=[below])
        if piece.facing is not None:
            step = np.array(STEPS[SIDES.index(piece.facing)])
            middle = np.array(piece.cell) + 0.5
            drawing.arrow(drawing.px(np.array([middle, middle + 0.75 * step])), VERMILION, 6)
    if isinstance(scan, LayeredScan) and scan.layers is not None:
        for place in scan.layers.places:
            if place.piece is not None:
                at = drawing.in_photo(scan.places_px[f"{place.board}/{place.place}"])
                drawing.labels.avoid_disc(at, 0.06 * drawing.unit)
                drawing.label(at, place.piece, SKY, 0.07)
    for held in scan.held:
        at = drawing.in_photo(held.at_px)
        drawing.labels.avoid_disc(at, max(0.12 * drawing.unit, held.reach_px * drawing.scale))
        drawing.label(at, held.piece, SKY, 0.1)


def _draw_questions(drawing: _Drawing, now: BoardAssessment) -> None:
    own = [each.cell for each in now.questions if each.cell is not None and each.on is None]
    for cell in dict.fromkeys([*own, *(cell for each in now.questions for _, cell in each.covers)]):
        square, middle = drawing.square(cell), drawing.middle(cell)
        drawing.canvas.line(square, ORANGE, 5, closed=True, dash_px=(14, 10))
        drawing.label(middle, "?", ORANGE, 0.25, wanted=[middle], on=square)


def _draw_reach(drawing: _Drawing, now: BoardAssessment) -> None:
    """Shade the cells that the piece of the player to move can walk to."""
    mover = next((player for player in now.board.players if player.name == now.board.to_move), None)
    for reach in getattr(now.ruling, "reach", ()):
        if mover is None or reach.piece != mover.piece:
            continue
        for cell in reach.cells:
            drawing.canvas.polygon(drawing.square(tuple(cell), 0.02), GREEN, 0.35)
        for cell in reach.takes:
            drawing.ring(tuple(cell), GREEN, 0.36)


def _draw_push(drawing: _Drawing, at: str, board: Board) -> None:
    """Draw an arrow along the pushed line from where the tile entered; `at` is a side and a line number."""
    columns, rows = drawing.size
    side, line = next((side, at.removeprefix(side)) for side in SIDES if at.startswith(side))
    if not line.isdigit():
        return
    middle = int(line) + 0.5
    ends: dict[Side, tuple[tuple[float, float], tuple[float, float]]] = {
        "top": ((middle, -0.95), (middle, rows + 0.45)),
        "bottom": ((middle, rows + 0.95), (middle, -0.45)),
        "left": ((-0.95, middle), (columns + 0.45, middle)),
        "right": ((columns + 0.95, middle), (-0.45, middle)),
    }
    start, end = ends[side]
    drawing.arrow(drawing.px(np.array([start, end])), SKY, 10)


def _draw_walk(drawing: _Drawing, board: Board, catalogue: Catalogue, stood: Cell, to: Cell) -> None:
    """Draw the shortest path along corridors from the figure's cell after the push; a dashed straight
    line where no path exists."""
    drawing.spot(drawing.middle(stood), ORANGE, 0.08)
    if stood == to:
        return
    way = shortest_way(board, catalogue, stood, to)
    if way is None:
        line = np.array([drawing.middle(stood), drawing.middle(to)])
        drawing.outlined(line, VERMILION, 7, dash_px=(22, 18))
        drawing.arrow(line[-2:] * [[0.15], [0.0]] + line[[1, 1]] * [[0.85], [1.0]], VERMILION, 7)
        return
    drawing.arrow(np.array([drawing.middle(cell) for cell in way]), ORANGE, 8)


def shortest_way(board: Board, catalogue: Catalogue, start: Cell, end: Cell) -> list[Cell] | None:
    """The cells of a shortest path between two cells along tiles with matching open sides (breadth-first
    search). None where no path exists."""
    sides = {
        tile.cell: turned(open_sides(catalogue.card(tile.tile)), tile.rotation or 0)
        for tile in board.tiles or ()
        if tile.tile is not None
    }
    before: dict[Cell, Cell] = {start: start}
    ahead = deque([start])
    while ahead:
        cell = ahead.popleft()
        if cell == end:
            break
        for side, (dx, dy) in enumerate(STEPS):
            beyond = cell[0] + dx, cell[1] + dy
            joined = sides.get(cell, 0) >> side & 1 and sides.get(beyond, 0) >> (side + 2) % 4 & 1
            if joined and beyond not in before:
                before[beyond] = cell
                ahead.append(beyond)
    if end not in before:
        return None
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]
