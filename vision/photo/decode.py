"""Photo from a file or bytes: decoded to 8-bit sRGB BGR, turned upright by EXIF, at the resolution needed.

By default OpenCV applies the EXIF orientation to JPEGs, Pillow to no picture, and the HEIF plugin to all.
Here every decoder but HEIC's leaves the pixels as stored, and this module turns them upright once.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.file_header import JPEG_FORMATS, check_size, cut_off, open_checked, read_file
from vision.photo.jpeg import DamagedJpeg, check_pixels, decode_jpeg, picture_in
from vision.photo.pixels import decode_heif, decode_with_pillow, to_srgb

#: Least size for reading: JPEGs are decoded at a half, a quarter or an eighth of their size if at least this
#: many megapixels remain. A 12-megapixel photo is then decoded in 0.4 of the time, and five cards still have
#: 5 px/mm.
ENOUGH_MEGAPIXELS = 2.8
#: A larger picture of any format is first held at half its size or less; the largest picture takes 330 MB.
HELD_MEGAPIXELS = 24
#: Number of sizes: the whole picture, and three halvings, down to an eighth.
_SIZES = 4
#: (height, width, 3) uint8, sRGB, blue-green-red as OpenCV has it, read-only, upright by EXIF.
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class CameraName:
    """Name of the phone and lens that took a photo, from EXIF: the key of the measured lens profiles."""

    make: str = ""
    model: str = ""
    lens: str = ""
    focal_mm: float = 0.0


class Photo:
    """A photo decoded lazily, and cached, at full size or halved repeatedly.

    `width`, `height`  size of the whole picture, pixels
    `warnings`         defects of the file that did not prevent decoding
    `camera`           the phone, from EXIF; None if EXIF does not say
    `orientation`      the EXIF orientation that was undone
    """

    def __init__(
        self,
        pixels: Pixels,
        warnings: tuple[Text, ...] = (),
        *,
        halvings: int = 0,
        decode: Callable[[int], Pixels] | None = None,
        camera: CameraName | None = None,
        orientation: int = 1,
    ) -> None:
        """Create a photo from `pixels`, which are halved `halvings` times; `decode` makes the picture with
        fewer halvings."""
        self.warnings = warnings
        self.camera, self.orientation = camera, orientation
        self.height, self.width = (int(side) << halvings for side in pixels.shape[:2])
        self._made = {halvings: pixels}
        self._decode = decode
        self._begun: tuple[int, Future[Pixels]] | None = None

    @property
    def pixels(self) -> Pixels:
        """Pixels of the picture in full size."""
        return self.reduced(0)

    @property
    def halvings(self) -> int:
        """Number of halvings of the largest picture that needs no further decoding."""
        return min(self._made)

    def begin(self, halvings: int) -> None:
        """Start decoding the picture at fewer halvings in a thread, for a later call that will need it.

        Decoding a whole picture takes a tenth of the time of a reading, and the second core is idle
        meanwhile.
        """
        if halvings < min(self._made) and self._begun is None:
            assert self._decode is not None
            pool = ThreadPoolExecutor(1)
            self._begun = halvings, pool.submit(self._decode, halvings)
            pool.shutdown(wait=False)

    def reduced(self, halvings: int) -> Pixels:
        """Pixels of the picture after `halvings` halvings by averages; the last row or column of an odd size
        is left out."""
        if halvings not in self._made:
            if halvings < min(self._made):
                assert self._decode is not None
                begun = self._begun[1] if self._begun and self._begun[0] == halvings else None
                self._made[halvings] = begun.result() if begun else self._decode(halvings)
            else:
                last = self.reduced(halvings - 1)
                height, width = last.shape[0] // 2, last.shape[1] // 2
                even = last[: 2 * height, : 2 * width]
                halved = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
                halved.flags.writeable = False
                self._made[halvings] = halved
        return self._made[halvings]


@dataclass(frozen=True)
class PhotoHeader:
    """Facts from a photo's first bytes: its media type, and its upright size in pixels."""

    media_type: str
    width: int
    height: int


def read_header(data: bytes) -> PhotoHeader:
    """Media type and upright size (px) of a photo, without decoding it. Raises as `load_photo` for faults
    found here.

    A JPEG without an end marker is decoded at a small size, as it may be truncated.
    """
    picture = open_checked(data)
    jpeg = picture_in(data) if picture.format in JPEG_FORMATS else None
    if jpeg is not None and not jpeg.ended:
        try:
            if picture.mode in ("RGB", "L"):
                decode_jpeg(jpeg, picture.size, 3)
            else:
                check_pixels(jpeg)
        except DamagedJpeg as error:
            raise cut_off() from error
    width, height = picture.size
    if _orientation_of(picture) in (5, 6, 7, 8):
        width, height = height, width
    media_type = "image/jpeg" if picture.format in JPEG_FORMATS else Image.MIME.get(picture.format or "", "")
    return PhotoHeader(media_type, width, height)


def load_photo(
    source: Path | str | bytes,
    *,
    whole: bool = False,
    longest_px: int | None = None,
    damaged_too: bool = False,
) -> Photo:
    """Decode a JPEG, PNG, WebP, HEIC or AVIF photo from a path or from bytes.

    A large photo is first decoded only to the size that a reading needs. With `whole` it is decoded in full.
    With `longest_px` it is decoded so that its longer side still has that length. With `damaged_too`, a JPEG
    with missing parts is decoded as well, for display only.

    Raises `WaymarkError`: no-photo, not-an-image, cut-off, too-large, too-small.
    """
    data = source if isinstance(source, bytes) else read_file(Path(source))
    picture = open_checked(data)
    orientation = _orientation_of(picture)
    jpeg = picture_in(data) if picture.format in JPEG_FORMATS else None
    plain = picture.mode in ("RGB", "L")

    def decode(halvings: int, notes: list[Text]) -> Pixels:
        profile: bytes | None = picture.info.get("icc_profile")
        try:
            pixels = None
            if jpeg is not None and plain:
                pixels = decode_jpeg(jpeg, picture.size, halvings, damaged_too=damaged_too)
            elif jpeg is not None and not damaged_too:
                check_pixels(jpeg)
        except DamagedJpeg as error:
            raise cut_off() from error
        if pixels is None and picture.format == "HEIF" and picture.mode == "RGB":
            pixels = decode_heif(data, halvings)
        elif pixels is None:
            pixels, profile = decode_with_pillow(jpeg.data if jpeg else data, profile, notes, halvings)
        if profile:
            to_srgb(pixels, profile, notes)
        pixels = turn_upright(pixels, orientation)
        pixels.flags.writeable = False
        return pixels

    if whole:
        halvings = 0
    elif longest_px is not None:
        halvings = _halvings(lambda k: max(picture.size) >> k >= longest_px)
    else:
        reduced = _halvings_to_read(*picture.size) if jpeg and plain else 0
        halvings = max(reduced, halvings_to_hold(*picture.size))
    notes: list[Text] = []
    pixels = decode(halvings, notes)
    return Photo(
        pixels,
        tuple(notes),
        halvings=halvings,
        decode=lambda fewer: decode(fewer, []),
        camera=_camera_of(picture),
        # The HEIC decoder has already rotated the pixels, and reports how.
        orientation=int(picture.info.get("original_orientation") or orientation),
    )


def photo_of_pixels(rgb: NDArray[np.uint8]) -> Photo:
    """A photo from decoded pixels: (height, width, 3) uint8, sRGB, red-green-blue, upright.

    Raises `WaymarkError`: not-an-image (another shape or type), too-large, too-small.
    """
    if not isinstance(rgb, np.ndarray) or rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3:
        raise WaymarkError(
            Code.NOT_AN_IMAGE,
            Text(
                "These are no pixels of a photo; give an array of height x width x 3 bytes (red, green, "
                "blue)."
            ),
        )
    check_size(rgb.shape[1], rgb.shape[0])
    pixels = np.ascontiguousarray(rgb[:, :, ::-1])
    pixels.flags.writeable = False
    return Photo(pixels)


def orientation_in(data: bytes) -> int:
    """EXIF orientation (1 to 8) of a photo's stored pixels. Raises as `read_header`."""
    return _orientation_of(open_checked(data))


def turn_upright(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Upright pixels (height, width, 3) from stored ones, by their EXIF orientation (1 to 8; others count as
    1)."""
    # In one pass over the pixels where possible: `rotate` takes a third of the time of two steps.
    turn = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}.get(orientation)
    if turn is not None:
        return np.ascontiguousarray(cv2.rotate(pixels, turn))
    if orientation in (5, 7):
        pixels = cv2.transpose(pixels)
    mirror = {2: 1, 4: 0, 7: -1}.get(orientation)  # left-right, top-bottom, both
    if mirror is not None:
        pixels = cv2.flip(pixels, mirror)
    return np.ascontiguousarray(pixels)


def _orientation_of(picture: Image.Image) -> int:
    """EXIF orientation (1 to 8) that is still to be undone on an opened picture."""
    if picture.format == "HEIF":
        return 1  # libheif has applied the file's `irot` and `imir`, which EXIF only repeats.
    try:
        # PNG's own method would decode the picture first.
        return int(Image.Image.getexif(picture).get(ExifTags.Base.Orientation, 1))
    except (SyntaxError, ValueError, TypeError, OSError, KeyError):
        return 1  # Broken EXIF is common in shared pictures and no reason for a refusal.


def _camera_of(picture: Image.Image) -> CameraName | None:
    """Name of the phone and lens from the EXIF of an opened picture; None if EXIF does not say."""
    try:
        exif = Image.Image.getexif(picture)
        more = exif.get_ifd(ExifTags.IFD.Exif)
        words = [
            exif.get(ExifTags.Base.Make),
            exif.get(ExifTags.Base.Model),
            more.get(ExifTags.Base.LensModel),
        ]
        make, model, lens = (str(word or "").strip("\x00 ")[:100] for word in words)
        focal = float(more.get(ExifTags.Base.FocalLength) or 0.0)
    except (SyntaxError, ValueError, TypeError, OSError, KeyError, ZeroDivisionError, OverflowError):
        return None
    if not model:
        return None
    return CameraName(make, model, lens, round(focal, 2) if 0 < focal < 10_000 else 0.0)


def _halvings_to_read(width: int, height: int) -> int:
    """Number of halvings of a JPEG of this size during decoding: the most that leave enough pixels, without a
    remainder."""
    return _halvings(
        lambda k: (width | height) % (1 << k) == 0 and width * height >> 2 * k >= ENOUGH_MEGAPIXELS * 1e6
    )


def halvings_to_hold(width: int, height: int) -> int:
    """Number of halvings after which a picture of this size fits in memory; odd rows and columns are left
    out."""
    return next(k for k in range(_SIZES) if width * height >> 2 * k <= HELD_MEGAPIXELS * 1e6)


def _halvings(enough: Callable[[int], bool]) -> int:
    """Greatest number of halvings that satisfies `enough`."""
    return max(k for k in range(_SIZES) if k == 0 or enough(k))
