"""What a fake camera shows: a shipped photo as a film (MJPEG), seen by a hand that holds still or moves."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from live_server import PHOTOS
from numpy.typing import NDArray

#: The photo that the camera of the tests looks at, and the size in which it shows it.
TABLE = PHOTOS / "table-07.jpg"
FILM_SIZE = (1080, 1440)
#: One of the table's cards lies half beyond the picture when it is moved down so far.
CUT_OFF_BY = 230
#: At this size the table's cards are recognised, and too small to be read well.
AFAR = 0.65
#: Chromium plays an MJPEG at this rate, over and over.
FRAMES_PER_SECOND = 30
#: A hand that holds still trembles by a pixel; one on its way goes round, far from where it will rest.
TREMBLE = ((0, 0), (1, 0), (1, 1), (0, 1))
SWEEP = tuple(
    (round(130 + 70 * math.sin(math.tau * k / 20)), round(70 * math.cos(math.tau * k / 20)))
    for k in range(20)
)
#: A script for a page: its tilt sensor tells what `window.tilt` holds, over and over.
SENSOR = """window.tilt = %s;
DeviceOrientationEvent.requestPermission = undefined;
setInterval(() => window.dispatchEvent(new DeviceOrientationEvent("deviceorientation", window.tilt)), 100);"""


@cache
def picture() -> NDArray[np.uint8]:
    """The table as the camera sees it from where it rests, (height, width, 3) in BGR."""
    photo = cv2.imread(str(TABLE))
    assert photo is not None
    return np.asarray(cv2.resize(photo, FILM_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def picture_in_the_dark() -> NDArray[np.uint8]:
    """The same table with a tenth of the light."""
    return np.asarray(picture() * 0.1, np.uint8)


def picture_blurred() -> NDArray[np.uint8]:
    """The same table out of focus, by more than a thin line is wide."""
    return np.asarray(cv2.GaussianBlur(picture(), (0, 0), 3), np.uint8)


def picture_from_afar() -> NDArray[np.uint8]:
    """The same table from farther away, amid what its rim looks like."""
    size = round(FILM_SIZE[0] * AFAR), round(FILM_SIZE[1] * AFAR)
    table = cv2.resize(picture(), size, interpolation=cv2.INTER_AREA)
    whole = np.asarray(cv2.GaussianBlur(cv2.resize(table[:40, :40], FILM_SIZE), (0, 0), 9), np.uint8)
    left, top = (FILM_SIZE[0] - size[0]) // 2, (FILM_SIZE[1] - size[1]) // 2
    whole[top : top + size[1], left : left + size[0]] = table
    return whole


def picture_cut_off() -> NDArray[np.uint8]:
    """The same table, moved so far down that a card lies half beyond the picture."""
    move = np.array([[1, 0, 0], [0, 1, CUT_OFF_BY]], np.float64)
    return np.asarray(cv2.warpAffine(picture(), move, FILM_SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def write_still(file: Path, shown: NDArray[np.uint8] | None = None) -> Path:
    """Write what a hand that holds still sees (`shown`, or the table as it is), over and over, as a `.y4m`:
    ten pictures a second, which Chromium need not unpack."""
    shown = picture() if shown is None else shown
    with file.open("wb") as film:
        film.write(f"YUV4MPEG2 W{FILM_SIZE[0]} H{FILM_SIZE[1]} F10:1 Ip A1:1 C420\n".encode())
        for shift in TREMBLE:
            film.write(b"FRAME\n" + cv2.cvtColor(_noisy(shown, shift), cv2.COLOR_BGR2YUV_I420).tobytes())
    return file


def write_film(file: Path, *scenes: tuple[tuple[tuple[int, int], ...], float]) -> Path:
    """Write a film of scenes: where the picture lies in each frame (pixels off), over and over, and for how
    many seconds. Every frame has a camera's noise."""
    frames: dict[tuple[int, int], bytes] = {}
    with file.open("wb") as film:
        for shifts, seconds in scenes:
            for k in range(round(seconds * FRAMES_PER_SECOND)):
                shift = shifts[k % len(shifts)]
                if shift not in frames:
                    frames[shift] = _jpeg(_noisy(picture(), shift))
                film.write(frames[shift])
    return file


@cache
def _noise() -> NDArray[np.float64]:
    return np.random.default_rng(7).normal(0, 3, picture().shape)


def _noisy(shown: NDArray[np.uint8], shift: tuple[int, int]) -> NDArray[np.uint8]:
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    moved = cv2.warpAffine(shown, move, FILM_SIZE, borderMode=cv2.BORDER_REPLICATE)
    noisy: NDArray[np.uint8] = np.clip(moved + np.roll(_noise(), sum(shift)), 0, 255).astype(np.uint8)
    return noisy


def _jpeg(noisy: NDArray[np.uint8]) -> bytes:
    written, jpeg = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert written
    return jpeg.tobytes()


def launch_with_camera(launch: Any, film: Path) -> Any:
    """Chromium whose camera plays a film (its shell has no camera). Pages get it in contexts with
    `permissions=["camera"]`."""
    camera = "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"
    return launch(*camera, whole=True)
