"""Printed sheet for camera calibration, A4 or Letter: a ChArUco board, a ruler to verify the print scale,
and a colour chart.

A ChArUco board is a chessboard with a marker in every second square. A visible part of it is enough for
calibration (Garrido-Jurado et al. 2014; OpenCV's `aruco`).
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from scorer.output_file import write_output

Paper = Literal["a4", "letter"]
_PAGES = {"a4": A4, "letter": LETTER}

SQUARE_MM = 25.0
COLUMNS, MOST_ROWS = 7, 10
#: Rows of squares on each paper; a sheet with fewer rows shows the first ones of the larger.
ROWS: dict[Paper, int] = {"a4": 10, "letter": 9}
#: A square is so many cells wide, its marker (white rim left out) so many, in its middle.
SQUARE_CELLS, MARKER_CELLS = 11, 7
#: From the paper's upper edge to the chart, its height, and from it to the board, which stands below.
MARGIN_MM, CHART_MM, CHART_GAP_MM = 9.0, 11.0, 4.0
TOP_MM = MARGIN_MM + CHART_MM + CHART_GAP_MM
RULER_GAP_MM, RULER_MM = 4.0, 100
#: sRGB patches: greys from white to black, then red, green, blue, cyan, magenta, yellow, and two skins.
PATCHES = (
    *((level, level, level) for level in (243, 200, 160, 122, 85, 52)),
    (175, 54, 60),
    (70, 148, 73),
    (56, 61, 150),
    (8, 133, 161),
    (187, 86, 149),
    (231, 199, 31),
    (194, 150, 130),
    (115, 82, 68),
)


PATCH_MM = COLUMNS * SQUARE_MM / len(PATCHES)


def patch_middles() -> list[tuple[float, float]]:
    """Centres (x, y) of the chart's patches in mm on the board (x right, y down, from its upper left
    corner)."""
    y = -CHART_GAP_MM - CHART_MM / 2
    return [((number + 0.5) * PATCH_MM, y) for number in range(len(PATCHES))]


@cache
def board() -> cv2.aruco.CharucoBoard:
    """The ChArUco board with all its rows; lengths in mm."""
    marker = SQUARE_MM * MARKER_CELLS / SQUARE_CELLS
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    return cv2.aruco.CharucoBoard((COLUMNS, MOST_ROWS), SQUARE_MM, marker, dictionary)


def board_cells(rows: int) -> NDArray[np.bool_]:
    """Mask (rows * 11, 77) of the black cells in the board's first rows."""
    scale = 4
    size = (COLUMNS * SQUARE_CELLS * scale, MOST_ROWS * SQUARE_CELLS * scale)
    picture = board().generateImage(size, None, 0, 1)
    return np.asarray(picture[scale // 2 :: scale, scale // 2 :: scale] < 128)[: rows * SQUARE_CELLS]


def write_sheet(file: Path, paper: Paper) -> None:
    """Write the sheet as a PDF. Raises `WaymarkError` (not-writable)."""
    page = _PAGES[paper]
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=page, pageCompression=1, invariant=True)
    canvas.setTitle("Waymark: camera sheet")
    canvas.setCreator("Waymark")
    canvas.setViewerPreference("PrintScaling", "None")
    width, height = (side / mm for side in page)
    left = (width - COLUMNS * SQUARE_MM) / 2
    cells, cell = board_cells(ROWS[paper]), SQUARE_MM / SQUARE_CELLS
    canvas.setFillGray(0)
    for row, line in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            y = height - TOP_MM - (row + 1) * cell
            # A hair more, so that no seam shows between two rows of one square.
            canvas.rect(
                (left + start * cell) * mm,
                y * mm,
                (end - start) * cell * mm,
                (cell + 0.02) * mm,
                stroke=0,
                fill=1,
            )
    for (x, y), (red, green, blue) in zip(patch_middles(), PATCHES, strict=True):
        canvas.setFillColorRGB(red / 255, green / 255, blue / 255)
        corner = (left + x - PATCH_MM / 2) * mm, (height - TOP_MM - y - CHART_MM / 2) * mm
        canvas.rect(*corner, PATCH_MM * mm, CHART_MM * mm, stroke=0, fill=1)
    canvas.setFillGray(0)
    canvas.setStrokeGray(0)
    below = height - TOP_MM - ROWS[paper] * SQUARE_MM - RULER_GAP_MM
    _ruler(canvas, left, below)
    canvas.setFont("Helvetica", 7)
    words = "Print at 100%: this ruler is 100 mm long."
    canvas.drawString((left + RULER_MM + 5) * mm, (below - 4) * mm, words)
    canvas.showPage()
    canvas.save()
    write_output(file, made.getvalue())


def _ruler(canvas: Canvas, left: float, top: float) -> None:
    canvas.setLineWidth(0.4)
    canvas.line(left * mm, top * mm, (left + RULER_MM) * mm, top * mm)
    canvas.setFont("Helvetica", 5.5)
    for tick in range(RULER_MM + 1):
        length = 4.0 if tick % 10 == 0 else 3.0 if tick % 5 == 0 else 2.0
        canvas.line((left + tick) * mm, top * mm, (left + tick) * mm, (top - length) * mm)
        if tick % 10 == 0:
            canvas.drawCentredString((left + tick) * mm, (top - 6.2) * mm, str(tick))
