"""Calibration of a phone's lens from photos of the camera sheet: focal length, distortion and vignetting.

Method: Zhang, *A flexible new technique for camera calibration* (2000), as in OpenCV; the sheet is that of
`calibration.camera_sheet`. Both axes share one focal length, since phones have square pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.camera_sheet import PATCHES, SQUARE_CELLS, SQUARE_MM, board, patch_middles
from calibration.enrol.catalogue_folder import write_whole
from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.decode import CameraName, Photo
from vision.photo.lens import KnownLens, LensFile, fitted, lens_file, lens_folder, read_lens

Array = NDArray[np.float64]

#: A photo counts that shows at least so many of the sheet's corners.
LEAST_CORNERS = 12
#: So few photos do not tell a focal length from a distance; with more the lens' middle is sought, too.
LEAST_PHOTOS, PHOTOS_FOR_CENTRE = 3, 5
#: Corners that lie so many times the usual misfit off are of no use (glare, a bent rim).
MOST_OFF = 4.0
#: The focal length must be told to this share (one deviation), and the sheet seen from sides that lie so far
#: apart (degrees): seen from straight above alone it could be any.
SURE_FOCAL, LEAST_TURN_DEG = 0.006, 12.0
#: A misfit above this (px of a photo 4000 wide) means a bent sheet or a zoom that changed.
MOST_MISFIT = 0.9
_FLAGS = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3
#: Blank paper is looked at in the middle of the white squares' rims.
_PAPER_PX = 3


@dataclass(frozen=True)
class SheetView:
    """Detections of the sheet in one photo: points (N, 3) in mm on the sheet and (N, 2) in pixels of the
    stored photo. `paper` (M, 3): x, y and linear light, in any unit, of blank paper."""

    corners_mm: Array
    corners_px: Array
    paper: Array


@dataclass(frozen=True)
class Measured:
    """Result of a calibration: the lens, and the photos `used` of those `shown`. `moved_px` and `left_px`:
    the largest deviation of the sheet's corners from a homography, before and after correction."""

    lens: LensFile
    used: int
    shown: int
    moved_px: float
    left_px: float


def sheet_in(photo: Photo) -> SheetView | None:
    """The sheet detected in a photo, or None where too few corners are visible."""
    detector = cv2.aruco.CharucoDetector(board())
    grey = cv2.cvtColor(photo.pixels, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = detector.detectBoard(grey)
    if ids is None or len(ids) < LEAST_CORNERS:
        return None
    at = np.asarray(corners, np.float64).reshape(-1, 2)
    on_sheet = np.asarray(board().getChessboardCorners(), np.float64)[np.asarray(ids).ravel()]
    return SheetView(on_sheet, _as_stored(at, photo), _paper(grey, at, on_sheet[:, :2], photo))


def _as_stored(upright_px: Array, photo: Photo) -> Array:
    """Points (N, 2) of the upright photo, in pixels of the file before its EXIF rotation."""
    x, y = upright_px.T
    right, bottom = photo.width - 1, photo.height - 1
    turned = {3: (right - x, bottom - y), 6: (y, right - x), 8: (bottom - y, x)}
    return np.column_stack(turned.get(photo.orientation, (x, y)))


def _paper(grey: NDArray[np.generic], at: Array, on_sheet: Array, photo: Photo) -> Array:
    """Samples (M, 3) of x, y and light on blank paper near the sheet's corners, which lie between two
    white and two black squares."""
    to_photo, _ = cv2.findHomography(on_sheet, at)
    if to_photo is None:
        return np.zeros((0, 3))
    # The rim of a white square with its marker: a cell in from the corner, both ways.
    cell = SQUARE_MM / SQUARE_CELLS
    spots = [on_sheet + np.array([dx, dy]) * cell for dx in (-1, 1) for dy in (-1, 1)]
    seen = cv2.perspectiveTransform(np.concatenate(spots)[None], to_photo)[0]
    level = _levels(grey, seen)
    greys = [number for number, colour in enumerate(PATCHES) if len(set(colour)) == 1]
    middles = np.array(patch_middles())[greys]
    chart = _levels(grey, cv2.perspectiveTransform(middles[None], to_photo)[0])
    light = _light(level, chart, np.array([PATCHES[number][0] for number in greys]))
    bright = (level > 0.6 * np.quantile(level, 0.9)) & (level < 250)
    return np.column_stack([_as_stored(seen[bright], photo), light[bright]])


def _levels(grey: NDArray[np.generic], at: Array) -> Array:
    """Smoothed grey levels (N,) of an image at points (N, 2); 0 outside."""
    smooth = cv2.blur(np.asarray(grey), (_PAPER_PX, _PAPER_PX))
    column, row = np.round(at).astype(int).T
    inside = (column >= 0) & (row >= 0) & (column < grey.shape[1]) & (row < grey.shape[0])
    level: Array = np.zeros(len(at))
    level[inside] = smooth[row[inside], column[inside]]
    return level


def _light(level: Array, chart: Array, printed: Array) -> Array:
    """Linear light, in any unit, from grey levels of paper. The response curve comes from the chart's
    greys, which share one illumination, or is a gamma of 2.2 where the chart is not visible."""
    order = np.argsort(chart)
    seen, logs = chart[order], 2.2 * np.log(printed[order] / 255)
    if seen[0] <= 0 or np.diff(seen).min() < 2 or (np.diff(logs) <= 0).any():
        return np.asarray((level / 255) ** 2.2)
    slope = (logs[-1] - logs[-2]) / (seen[-1] - seen[-2])
    return np.asarray(np.exp(np.interp(level, seen, logs) + slope * np.maximum(level - seen[-1], 0)))


def measure(photos: Iterable[Photo], camera: CameraName | None = None) -> Measured:
    """The lens calibrated from photos of the sheet, all taken by one phone.

    Raises `WaymarkError` (no-sheet) where too few show it, or all show it from the same direction.
    """
    views: list[SheetView] = []
    shown, size, shares = 0, (0, 0), set()
    for photo in photos:
        shown += 1
        camera = camera or photo.camera
        stored = (photo.height, photo.width) if photo.orientation in (6, 8) else (photo.width, photo.height)
        shares.add(stored)
        view = sheet_in(photo) if len(shares) == 1 else None
        if view is not None:
            views.append(view)
            size = stored
    if len(shares) > 1:
        raise WaymarkError(
            Code.NO_SHEET, Text("The photos are of different sizes; take them all with one setting.")
        )
    if len(views) < LEAST_PHOTOS:
        raise WaymarkError(
            Code.NO_SHEET,
            Text(
                "Only {count} of {shown} photos show enough of the sheet; fill the picture with it in at "
                "least {least_photos}.",
                count=len(views),
                shown=shown,
                least_photos=LEAST_PHOTOS,
            ),
        )
    matrix, distortion, misfit, focal_deviation, turn_deg = _solve(views, size)
    focal = float(matrix[0, 0])
    if focal_deviation > SURE_FOCAL * focal or turn_deg < LEAST_TURN_DEG:
        raise WaymarkError(
            Code.NO_SHEET,
            Text(
                "The photos are too much alike to tell the focal length; take some with the phone tilted by "
                "30 degrees to each side."
            ),
        )
    if misfit > MOST_MISFIT * max(size) / 4000:
        raise WaymarkError(
            Code.NO_SHEET,
            Text(
                "The sheet does not fit the photos by {misfit:.1f} pixels; lay it quite flat, do not zoom, "
                "and take new ones.",
                misfit=misfit,
            ),
        )
    lens = LensFile(
        camera=camera or CameraName(),
        width=size[0],
        height=size[1],
        focal_px=round(focal, 3),
        centre_px=(round(float(matrix[0, 2]), 3), round(float(matrix[1, 2]), 3)),
        distortion=tuple(round(float(k), 7) for k in distortion.ravel()[:5]),  # type: ignore[arg-type]
        vignetting=_vignetting(views, size),
        reprojection_px=round(misfit, 4),
        photos=len(views),
    )
    known = fitted(lens, *size)
    assert known is not None
    return Measured(lens, len(views), shown, *_changed(views, known))


def _solve(views: Sequence[SheetView], size: tuple[int, int]) -> tuple[Array, Array, float, float, float]:
    """Camera matrix, distortion, root mean square residual (px), standard deviation of the focal length,
    and angular range (degrees) of the viewing directions."""
    objects = [view.corners_mm.astype(np.float32) for view in views]
    seen = [view.corners_px.astype(np.float32) for view in views]
    focal = 0.8 * max(size)
    start = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    flags = _FLAGS | cv2.CALIB_USE_INTRINSIC_GUESS
    if len(views) < PHOTOS_FOR_CENTRE:
        flags |= cv2.CALIB_FIX_PRINCIPAL_POINT | cv2.CALIB_ZERO_TANGENT_DIST
    for again in (True, False):
        solved = cv2.calibrateCameraExtended(objects, seen, size, start.copy(), np.zeros(5), flags=flags)
        misfit, matrix, distortion, turns, shifts, deviations = solved[:6]
        if not again:
            break
        off = [
            np.linalg.norm(cv2.projectPoints(o, r, t, matrix, distortion)[0].reshape(-1, 2) - s, axis=1)
            for o, s, r, t in zip(objects, seen, turns, shifts, strict=True)
        ]
        limit = MOST_OFF * max(float(np.median(np.concatenate(off))), 0.05)
        objects = [
            o[far < limit] if (far < limit).sum() >= 6 else o for o, far in zip(objects, off, strict=True)
        ]
        seen = [s[far < limit] if (far < limit).sum() >= 6 else s for s, far in zip(seen, off, strict=True)]
    return (
        np.asarray(matrix, np.float64),
        np.asarray(distortion, np.float64),
        float(misfit),
        float(np.asarray(deviations).ravel()[0]),
        _apart_deg([np.asarray(cv2.Rodrigues(turn)[0])[:, 2] for turn in turns]),
    )


def _apart_deg(normals: Sequence[Array]) -> float:
    cosines = np.array(normals) @ np.array(normals).T
    return float(np.degrees(np.arccos(np.clip(cosines.min(), -1, 1))))


def _vignetting(views: Sequence[SheetView], size: tuple[int, int]) -> tuple[float, float]:
    """Shares of light lost half-way to the corner and at the corner. They are the radial falloff common to
    all photos; each photo may also have a planar gradient in log light."""
    rows, levels = [], []
    middle, half = (np.array(size) - 1) / 2, float(np.hypot(*size)) / 2
    for number, view in enumerate(views):
        if len(view.paper) < 30:
            continue
        at = (view.paper[:, :2] - middle) / half
        r2 = (at**2).sum(axis=1)
        own = np.zeros((len(at), 3 * len(views)))
        own[:, 3 * number : 3 * number + 3] = np.column_stack([np.ones(len(at)), at])
        rows.append(np.column_stack([r2, r2**2, own]))
        levels.append(np.log(view.paper[:, 2]))
    if not rows:
        return 0.0, 0.0
    matrix, level = np.concatenate(rows), np.concatenate(levels)
    weight = np.ones(len(level))
    found: NDArray[np.floating] = np.zeros(matrix.shape[1])
    for _ in range(4):
        found = np.linalg.lstsq(matrix * weight[:, None], level * weight, rcond=None)[0]
        off = np.abs(matrix @ found - level)
        weight = 1 / np.maximum(off / max(float(np.median(off)), 1e-4), 1.0)
    lost = [1 - float(np.exp(found[0] * r**2 + found[1] * r**4)) for r in (0.5, 1.0)]
    return round(float(np.clip(lost[0], 0, 0.9)), 3), round(float(np.clip(lost[1], 0, 0.9)), 3)


def _changed(views: Sequence[SheetView], lens: KnownLens) -> tuple[float, float]:
    """Largest deviations (px) of the sheet's corners from a homography, in raw and in undistorted photos."""
    bent, left = 0.0, 0.0
    for view in views:
        bent = max(bent, _off_plane(view.corners_mm[:, :2], view.corners_px))
        left = max(left, _off_plane(view.corners_mm[:, :2], lens.straight(view.corners_px)))
    return round(bent, 2), round(left, 2)


def _off_plane(on_sheet: Array, seen: Array) -> float:
    to_photo, _ = cv2.findHomography(on_sheet, seen)
    laid = cv2.perspectiveTransform(on_sheet[None], to_photo)[0]
    return float(np.quantile(np.linalg.norm(laid - seen, axis=1), 0.98))


def keep_lens(lens: LensFile) -> None:
    """Store a lens for all photos of its phone. Raises `WaymarkError` (not-writable)."""
    write_whole(lens_file(lens.camera), msgspec.json.format(msgspec.json.encode(lens), indent=1) + b"\n")


def forget_lens(camera: CameraName) -> bool:
    """Delete the stored lens of a phone. Returns whether one was stored."""
    kept = read_lens(camera) is not None
    lens_file(camera).unlink(missing_ok=True)
    return kept


def kept_lenses() -> list[LensFile]:
    """All stored lenses."""
    found = []
    for file in sorted(lens_folder().glob("*.json")):
        try:
            found.append(msgspec.json.decode(file.read_bytes(), type=LensFile))
        except (OSError, msgspec.DecodeError, ValueError):
            continue
    return found
