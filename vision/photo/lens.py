"""Radial lens distortion: measured lens profiles, the profile that fits a photo, and undistortion of pixels
and points."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_data_path

from vision.photo.decode import CameraName, Photo, Pixels

Format = Literal["waymark-lens/1"]
FORMAT: Format = "waymark-lens/1"
FOLDER_VARIABLE = "WAYMARK_LENSES"
#: Largest difference of aspect ratio; a photo with a larger one was cropped at an unknown place.
SAME_SHAPE = 0.01
#: Least displacement, as a share of the diagonal, for which a photo is undistorted.
LEAST_SHIFT = 0.0012
#: Grid spacing at which the map from the undistorted picture to the photo is computed.
_STEP_PX = 16
_STRIP_ROWS = 512

Array = NDArray[np.float64]


class LensFile(msgspec.Struct, frozen=True, kw_only=True):
    """Measured lens calibration, for photos of `width` x `height` as stored (before EXIF orientation).

    `focal_px`, `centre_px`: the pinhole camera. `distortion`: k1, k2, p1, p2, k3 of Brown's model, as in
    OpenCV. `vignetting`: light loss, 0 to 1, at half of the half diagonal and in the corner.
    `reprojection_px`: root mean square error of the calibration sheet's corners. `photos`: number of photos
    of the sheet.
    """

    camera: CameraName
    width: int
    height: int
    focal_px: float
    centre_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    vignetting: tuple[float, float]
    reprojection_px: float
    photos: int
    format: Format = FORMAT


@dataclass(frozen=True)
class KnownLens:
    """A lens with measured distortion, for upright photos of one size.

    Points are (..., 2) photo pixels; (0, 0) is the centre of the first pixel.
    """

    width: int
    height: int
    focal_px: float
    centre_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float]

    @cached_property
    def _matrix(self) -> Array:
        x, y = self.centre_px
        return np.array([[self.focal_px, 0, x], [0, self.focal_px, y], [0, 0, 1]])

    def straight(self, seen_px: Array) -> Array:
        """Undistorted points (..., 2) from points of the photo."""
        points = np.asarray(seen_px, np.float64).reshape(-1, 1, 2)
        steps = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-7)
        made = (
            cv2.undistortImagePoints(points, self._matrix, np.array(self.distortion), arg1=steps)
            if points.size
            else points
        )
        return np.asarray(made, np.float64).reshape(np.shape(seen_px))

    def seen(self, straight_px: Array) -> Array:
        """Distorted points (..., 2), as in the photo, from undistorted ones: the inverse of `straight`."""
        x, y = (np.asarray(straight_px, np.float64) - self.centre_px)[..., :2].reshape(
            -1, 2
        ).T / self.focal_px
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        made = np.column_stack([u, v]) * self.focal_px + self.centre_px
        return np.asarray(made.reshape(np.shape(straight_px)))

    @cached_property
    def shift(self) -> float:
        """Greatest displacement of a point by the distortion, as a share of the picture's diagonal."""
        x, y = np.meshgrid(np.linspace(0, self.width - 1, 9), np.linspace(0, self.height - 1, 9))
        points = np.column_stack([x.ravel(), y.ravel()])
        away = np.linalg.norm(self.seen(points) - points, axis=1).max()
        return float(away / np.hypot(self.width, self.height))

    def straightened(self, pixels: NDArray[np.uint8], scale: float = 1.0) -> NDArray[np.uint8]:
        """Undistorted picture (h, w, 3), from a picture of `scale` times the photo's size."""
        height, width = pixels.shape[:2]
        made = np.empty_like(pixels)
        across = np.arange(0, width + _STEP_PX, _STEP_PX, dtype=np.float64)
        for top in range(0, height, _STRIP_ROWS):
            rows = min(_STRIP_ROWS, height - top)
            down = np.arange(0, rows + _STEP_PX, _STEP_PX, dtype=np.float64) + top
            at = (np.dstack(np.meshgrid(across, down)) + 0.5) / scale - 0.5
            coarse = ((self.seen(at) + 0.5) * scale - 0.5).astype(np.float32)
            x, y = np.meshgrid(
                np.arange(width, dtype=np.float32) / _STEP_PX, np.arange(rows, dtype=np.float32) / _STEP_PX
            )
            field = cv2.remap(coarse, x, y, cv2.INTER_LINEAR)
            made[top : top + rows] = cv2.remap(
                pixels, field, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
        return made

    def straight_photo(self, photo: Photo) -> Photo:
        """The undistorted photo, decoded lazily."""

        def made(halvings: int) -> Pixels:
            pixels = self.straightened(photo.reduced(halvings), 0.5**halvings)
            pixels.flags.writeable = False
            return pixels

        decode: Callable[[int], Pixels] = made
        return Photo(made(photo.halvings), photo.warnings, halvings=photo.halvings, decode=decode)


def know_lenses_in(data: Path) -> None:
    """Make this process, and those it starts, look for lens profiles in a data folder first."""
    os.environ.setdefault(FOLDER_VARIABLE, str(data / "lenses"))


def lens_folder() -> Path:
    """Folder of the measured lens profiles."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else _users_folder()


def _users_folder() -> Path:
    return user_data_path("waymark", appauthor=False) / "lenses"


def lens_file(camera: CameraName, folder: Path | None = None) -> Path:
    """File of a phone's lens profile, in the default folder unless another is given."""
    text = "\n".join([camera.make, camera.model, camera.lens, f"{camera.focal_mm:.2f}"])
    return (
        folder or lens_folder()
    ) / f"{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:20]}.json"


def read_lens(camera: CameraName) -> LensFile | None:
    """Measured profile of a phone's lens, from the data folder, else from this user's; None if there is none,
    or the file is damaged or implausible."""
    for folder in (lens_folder(), _users_folder()):
        try:
            lens = msgspec.json.decode(lens_file(camera, folder).read_bytes(), type=LensFile)
        except (OSError, msgspec.DecodeError, ValueError):
            continue
        if min(lens.width, lens.height) > 0 and lens.focal_px > 0:
            return lens
    return None


def lens_of(photo: Photo) -> KnownLens | None:
    """Lens profile of a photo whose phone is known, if its distortion is large enough to matter."""
    if photo.camera is None or not photo.camera.model:
        return None
    told = read_lens(photo.camera)
    if told is None:
        return None
    lens = fitted(told, photo.width, photo.height, photo.orientation)
    return lens if lens is not None and lens.shift > LEAST_SHIFT else None


def fitted(told: LensFile, width: int, height: int, orientation: int = 1) -> KnownLens | None:
    """The profile rescaled to a photo of another size and EXIF orientation; None if the photo is cropped or
    mirrored."""
    quarters = {1: 0, 6: 1, 3: 2, 8: 3}.get(orientation)
    if quarters is None:
        return None
    stored = (height, width) if quarters % 2 else (width, height)
    if abs(stored[0] * told.height / (stored[1] * told.width) - 1) > SAME_SHAPE:
        return None
    scale = stored[0] / told.width
    x, y = ((value + 0.5) * scale - 0.5 for value in told.centre_px)
    lens = KnownLens(stored[0], stored[1], told.focal_px * scale, (x, y), told.distortion)
    for _ in range(quarters):
        x, y = lens.centre_px
        k1, k2, p1, p2, k3 = lens.distortion
        # Clockwise: right becomes below. The tangential distortion is a vector (p2, p1) and is rotated as
        # well.
        turned = (k1, k2, p2, -p1, k3)
        lens = replace(
            lens, width=lens.height, height=lens.width, centre_px=(lens.height - 1 - y, x), distortion=turned
        )
    return lens


@dataclass(frozen=True)
class Lens:
    """Radial lens distortion with two coefficients.

    Radii are in units of half the picture's diagonal. A point at radius r from the middle appears at r (1 +
    k1 r^2 + k2 r^4).
    """

    width: int
    height: int
    k1: float = 0.0
    k2: float = 0.0

    @property
    def _middle(self) -> Array:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    @property
    def _half(self) -> float:
        return float(np.hypot(self.width, self.height)) / 2

    def seen(self, straight_px: Array) -> Array:
        """Distorted points (..., 2), as in the photo, from undistorted pixels."""
        away = np.asarray(straight_px, np.float64) - self._middle
        r2 = (away**2).sum(axis=-1, keepdims=True) / self._half**2
        return np.asarray(self._middle + away * (1 + self.k1 * r2 + self.k2 * r2**2))

    def straight(self, seen_px: Array) -> Array:
        """Undistorted points (..., 2): the inverse of `seen`, by fixed-point iteration."""
        away = np.asarray(seen_px, np.float64) - self._middle
        found = away.copy()
        for _ in range(12):
            r2 = (found**2).sum(axis=-1, keepdims=True) / self._half**2
            found = away / (1 + self.k1 * r2 + self.k2 * r2**2)
        return np.asarray(self._middle + found)

    def straightened(self, pixels: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
        """Undistorted picture (h, w, 3), from a picture of `scale` times the photo's size."""
        if self.k1 == 0 and self.k2 == 0:
            return pixels
        height, width = pixels.shape[:2]
        step = 16  # the field is smooth, so a coarse grid suffices
        xs, ys = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
        at = (np.dstack([xs, ys]) + 0.5) / scale - 0.5
        seen = ((self.seen(at) + 0.5) * scale - 0.5).astype(np.float32)
        grown = (xs.shape[1] * step, xs.shape[0] * step)
        # pixel (x, y) of the enlarged field is at grid position ((x + 0.5) / step - 0.5)
        shift = np.array([[1.0, 0.0, (step - 1) / 2], [0.0, 1.0, (step - 1) / 2]])
        field = cv2.resize(seen, grown, interpolation=cv2.INTER_LINEAR)
        field = cv2.warpAffine(
            field,
            shift,
            grown,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )[:height, :width]
        return np.asarray(
            cv2.remap(
                pixels, field[..., 0], field[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.uint8,
        )


#: A lens with a measured profile, or with distortion estimated from the cards.
AnyLens: TypeAlias = Lens | KnownLens
