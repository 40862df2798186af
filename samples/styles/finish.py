"""What is done to a finished card by its family: brush, paper, pixels, print."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.styles.canvas import Canvas, Picture, Rng
from samples.styles.style import Style


def finished(canvas: Canvas, style: Style, rng: Rng) -> Picture:
    """The picture (H, W, 3) as the family leaves it."""
    face = canvas.pixels
    if style.vignette:
        rows, columns = np.mgrid[: face.shape[0], : face.shape[1]].astype(np.float32)
        away = np.hypot(columns / face.shape[1] - 0.5, rows / face.shape[0] - 0.5)
        face = np.clip(face * (1 - style.vignette * 2 * away**2)[..., None], 0, 255).astype(np.uint8)
    made = _DONE[style.family](canvas, np.ascontiguousarray(face), style, rng)
    return np.ascontiguousarray(made)


def _bent(canvas: Canvas, face: Picture, cell_mm: float, reach_mm: float, rng: Rng) -> Picture:
    """The picture with all lines bent a little."""
    rows, columns = np.mgrid[: face.shape[0], : face.shape[1]].astype(np.float32)
    across = columns + reach_mm * canvas.scale * canvas.noise(cell_mm, rng)
    down = rows + reach_mm * canvas.scale * canvas.noise(cell_mm, rng)
    made = cv2.remap(face, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(made, np.uint8)


def _lit(face: Picture, light: NDArray[Any]) -> Picture:
    return np.asarray(np.clip(face * light[..., None], 0, 255), np.uint8)


def _odd(canvas: Canvas, side_mm: float) -> int:
    return max(3, 2 * round(side_mm * canvas.scale / 2) + 1)


def _flat(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    return face


def _inked(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    bent = _bent(canvas, face, 2.0, 0.12, rng)
    return _lit(bent, 1 + 0.03 * canvas.noise(0.4, rng))


def _painted(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Brush strokes: short shifts of colour along one direction, and blended edges."""
    bent = _bent(canvas, face, 0.9, 0.25, rng)
    soft = np.asarray(cv2.medianBlur(bent, min(_odd(canvas, 0.6), 9)), np.uint8)
    strokes = canvas.noise(0.5, rng)
    length = _odd(canvas, 2.5)
    kernel = np.zeros((length, length), np.float32)
    turn = (style.seed % 7) * 0.4 - 1
    cv2.line(
        kernel,
        (0, int(length / 2 * (1 - turn) % length)),
        (length - 1, int(length / 2 * (1 + turn) % length)),
        1,
    )
    strokes = cv2.filter2D(strokes, -1, kernel / kernel.sum())
    return _lit(soft, 1 + 0.16 * strokes)


def _pixel(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Square pixels of 0.5 to 0.9 mm in few tones."""
    side = 0.5 + 0.4 * (style.seed % 10) / 10
    size = tuple(max(8, round(each / side)) for each in canvas.size_mm)
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    step = 24 + style.seed % 24
    small = np.clip((small // step) * step + step // 2, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small, face.shape[1::-1], interpolation=cv2.INTER_NEAREST), np.uint8)


def _watercolour(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Pale washes with dark rims that run into each other on grained paper."""
    bent = _bent(canvas, face, 2.5, 0.2, rng)
    wash = cv2.bilateralFilter(bent, 5, 60, 0.8 * canvas.scale)
    rim = cv2.Laplacian(cv2.GaussianBlur(wash, (0, 0), 0.4 * canvas.scale), cv2.CV_32F).min(axis=2)
    pale = 255 - (255 - wash.astype(np.float32)) * (0.8 + 0.06 * canvas.noise(6, rng))[..., None]
    made = pale - 1.0 * np.clip(-rim, 0, 20)[..., None]
    return _lit(np.clip(made, 0, 255).astype(np.uint8), 1 + 0.05 * canvas.noise(0.35, rng))


def _photo(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Light and dirt over everything, as of photographed stone or wood."""
    light = sum(0.09 * canvas.noise(cell, rng) for cell in (0.4, 1.5, 5, 20))
    return _lit(_bent(canvas, face, 1.0, 0.1, rng), 1 + np.asarray(light))


def _chalk(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Light strokes broken by the board's grain."""
    ground = np.asarray(style.ground.colour, np.float32)
    share = np.clip(0.75 + 0.35 * canvas.noise(0.35, rng), 0, 1)[..., None]
    return np.asarray(face * share + ground * (1 - share), np.uint8)


def _old_map(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """One brown ink on stained paper."""
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None] / 255
    brown, paper = np.array([20, 45, 80], np.float32), np.array([170, 215, 235], np.float32)
    toned = 0.65 * (brown + (paper - brown) * grey) + 0.35 * face
    return _lit(
        np.clip(toned, 0, 255).astype(np.uint8), 1 + 0.07 * canvas.noise(6, rng) + 0.04 * canvas.noise(1, rng)
    )


def _print(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Halftone dots, and inks that are printed a little apart."""
    made = face.copy()
    for channel in range(3):
        step = np.array(
            [[1, 0, rng.normal(0, 0.1) * canvas.scale], [0, 1, rng.normal(0, 0.1) * canvas.scale]], np.float32
        )
        made[..., channel] = cv2.warpAffine(
            face[..., channel], step, face.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
        )
    rows, columns = np.mgrid[: face.shape[0], : face.shape[1]].astype(np.float32)
    pitch = 0.8 * canvas.scale
    dots = np.cos(6.28 * (columns + rows) / pitch) * np.cos(6.28 * (columns - rows) / pitch)
    return _lit(made, 1 + 0.08 * dots)


def _woodcut(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Two tones; middle tones become hatching."""
    # tones are spread first, so that what differed a little still differs
    tones = cv2.equalizeHist(cv2.cvtColor(_bent(canvas, face, 1.5, 0.15, rng), cv2.COLOR_BGR2GRAY))
    grey = tones.astype(np.float32)
    rows, columns = np.mgrid[: face.shape[0], : face.shape[1]].astype(np.float32)
    hatch = 40 * np.sin(6.28 * (rows + 0.4 * columns) / (1.1 * canvas.scale))
    middle = float(np.median(grey))
    share = np.clip((grey + hatch - middle) / 24 + 0.5, 0, 1)[..., None]
    ink, paper = np.array([30, 25, 30], np.float32), np.array([205, 225, 232], np.float32)
    return np.asarray(0.4 * face + 0.6 * (ink + (paper - ink) * share), np.uint8)


def _neon(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    glow = cv2.GaussianBlur(face, (0, 0), 0.8 * canvas.scale)
    return np.asarray(cv2.addWeighted(face, 0.85, glow, 0.5, 0), np.uint8)


def _collage(canvas: Canvas, face: Picture, style: Style, rng: Rng) -> Picture:
    """Cut papers: every edge throws a shadow, every sheet has its grain."""
    grey = cv2.GaussianBlur(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), (0, 0), 0.25 * canvas.scale)
    slope = cv2.Sobel(grey, cv2.CV_32F, 1, 1, ksize=3) / 128
    return _lit(face, 1 - 0.5 * np.clip(slope, -0.6, 0.6) + 0.04 * canvas.noise(0.5, rng))


_DONE = {
    "flat": _flat,
    "inked": _inked,
    "painted": _painted,
    "pixel": _pixel,
    "watercolour": _watercolour,
    "photo": _photo,
    "chalk": _chalk,
    "old-map": _old_map,
    "print": _print,
    "woodcut": _woodcut,
    "neon": _neon,
    "islands": _watercolour,
    "collage": _collage,
}
