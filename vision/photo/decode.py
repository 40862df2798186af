"""A photo as pixels: the one place that decodes pictures, turns them by EXIF and brings them to sRGB.

Left to themselves, OpenCV turns JPEGs by their EXIF orientation, Pillow turns nothing, the HEIF plugin turns
all. Here all but HEIC are left as stored by their decoder, and this module turns them, once.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageCms, UnidentifiedImageError

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.jpeg import BEGINS as JPEG_BEGINS
from vision.photo.jpeg import MAX_SEGMENTS, DamagedJpeg, check_pixels, decode_jpeg, picture_in
from vision.photo.kinds import brands_of, is_left_empty, refusal

#: Phones take 12 to 108 megapixels; beyond this a picture would not fit the memory promised for one photo.
MAX_MEGAPIXELS = 110
#: A 50-megapixel HEIC or JPEG stays under 30 MB, a PNG of it under 150 MB.
MAX_FILE_MB = 150
#: Parts of a PNG: one of 108 megapixels in pieces of 8 kB has 40,000 of them.
MAX_CHUNKS = 50_000
#: A card needs about 200 px of height to be recognised, so nothing smaller can hold one.
MIN_SIDE_PX = 160
#: JPEGs are decoded at a half, a quarter or an eighth of their size where that leaves as much to read from: a
#: 12-megapixel photo's decoding takes 0.4 times as long, and five cards still stand at 5 px/mm in it.
ENOUGH_MEGAPIXELS = 2.8
#: What is larger is held at half its size or less at first, whatever its kind: the largest picture takes
#: 330 MB.
HELD_MEGAPIXELS = 24
#: Large pictures are worked on in strips of so many rows: a copy of a strip is little.
_STRIP_ROWS = 256
#: A profile that moves no colour of the probe by more than this is sRGB under another name.
SAME_COLOUR_STEPS = 2
#: Values of a row that is flat differ by so much.
_FLAT_STEPS = 2.0

# Multi-picture files (MPO: many phones' depth or burst JPEGs) come in as JPEG and are renamed on opening.
_FORMATS = ("JPEG", "PNG", "WEBP", "AVIF")

# What people can do about a picture is told in words. Of broken metadata, and of sizes within the limit
# above, Pillow warns with the path of its own file; OpenCV and loggers write to the terminal as well.
warnings.filterwarnings("ignore", module=r"PIL\.")
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
logging.getLogger("PIL").addHandler(logging.NullHandler())
logging.getLogger("pi_heif").addHandler(logging.NullHandler())
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


#: (height, width, 3) uint8, sRGB, blue-green-red as OpenCV has it, read-only, upright by EXIF.
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class CameraName:
    """The phone and lens that took a photo, as EXIF tells: by these a measured lens is found."""

    make: str = ""
    model: str = ""
    lens: str = ""
    focal_mm: float = 0.0


class Photo:
    """A picture in any size that is a half, a quarter ... of its own. What has been made is kept.

    `width`, `height`  of the whole picture, pixels
    `warnings`         what was odd but could be read
    `camera`           what EXIF tells of the phone; None where it tells nothing
    `orientation`      the EXIF orientation by which it was turned upright
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
        """`pixels` are the picture, or so many halvings of it with what decodes it at fewer."""
        self.warnings = warnings
        self.camera, self.orientation = camera, orientation
        self.height, self.width = (int(side) << halvings for side in pixels.shape[:2])
        self._made = {halvings: pixels}
        self._decode = decode
        self._begun: tuple[int, Future[Pixels]] | None = None

    @property
    def pixels(self) -> Pixels:
        """The picture in full size."""
        return self.reduced(0)

    @property
    def halvings(self) -> int:
        """How small the largest picture is that is there without further decoding."""
        return min(self._made)

    def begin(self, halvings: int) -> None:
        """Begin to decode the picture at fewer halvings for whoever will soon ask for it, in a thread of its
        own: a whole one takes a tenth of the time of a reading, and the second core idles meanwhile."""
        if halvings < min(self._made) and self._begun is None:
            assert self._decode is not None
            pool = ThreadPoolExecutor(1)
            self._begun = halvings, pool.submit(self._decode, halvings)
            pool.shutdown(wait=False)

    def reduced(self, halvings: int) -> Pixels:
        """The picture halved so many times, by averages; an odd side's last row is left out."""
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
    """What a photo's first bytes tell: its media type, and its size in pixels once it is turned upright."""

    media_type: str
    width: int
    height: int


def read_header(data: bytes) -> PhotoHeader:
    """Look at a photo without decoding it; a JPEG without an end marker is decoded small, as it may be cut
    off. Raises as `load_photo` does for what that shows."""
    picture = _open_checked(data)
    jpeg = picture_in(data) if picture.format in _JPEG_FORMATS else None
    if jpeg is not None and not jpeg.ended:
        try:
            if picture.mode in ("RGB", "L"):
                decode_jpeg(jpeg, picture.size, 3)
            else:
                check_pixels(jpeg)
        except DamagedJpeg as error:
            raise _cut_off() from error
    width, height = picture.size
    if _orientation_of(picture) in (5, 6, 7, 8):
        width, height = height, width
    media_type = "image/jpeg" if picture.format in _JPEG_FORMATS else Image.MIME.get(picture.format or "", "")
    return PhotoHeader(media_type, width, height)


def load_photo(
    source: Path | str | bytes,
    *,
    whole: bool = False,
    longest_px: int | None = None,
    damaged_too: bool = False,
) -> Photo:
    """Decode a JPEG, PNG, WebP, HEIC or AVIF file (a path) or its bytes; a large one no further than reading
    needs at first, unless the `whole` picture is wanted, or only so much that its longer side still has
    `longest_px`. A JPEG of which a part is missing is decoded only where `damaged_too` is wanted: to be
    shown.

    Raises `WaymarkError`: no-photo, not-an-image, cut-off, too-large, too-small.
    """
    data = source if isinstance(source, bytes) else _read_file(Path(source))
    picture = _open_checked(data)
    orientation = _orientation_of(picture)
    jpeg = picture_in(data) if picture.format in _JPEG_FORMATS else None
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
            raise _cut_off() from error
        if pixels is None and picture.format == "HEIF" and picture.mode == "RGB":
            pixels = _decode_heif(data, halvings)
        elif pixels is None:
            pixels, profile = _decode_with_pillow(jpeg.data if jpeg else data, profile, notes, halvings)
        if profile:
            _to_srgb(pixels, profile, notes)
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
        # Of HEIC the decoder has turned the pixels, and says how.
        orientation=int(picture.info.get("original_orientation") or orientation),
    )


def photo_of_pixels(rgb: NDArray[np.uint8]) -> Photo:
    """A photo from pixels that are decoded already: (height, width, 3) uint8, sRGB, red-green-blue, upright.

    Raises `WaymarkError`: not-an-image (another shape or type), too-large, too-small.
    """
    if not isinstance(rgb, np.ndarray) or rgb.dtype != np.uint8 or rgb.ndim != 3 or rgb.shape[2] != 3:
        raise WaymarkError(
            Code.NOT_AN_IMAGE,
            "These are no pixels of a photo; give an array of height x width x 3 bytes (red, green, blue).",
            "写真の画素ではありません。高さ x 幅 x 3 の uint8 配列(赤・緑・青)を指定してください。",
        )
    _check_size(rgb.shape[1], rgb.shape[0])
    pixels = np.ascontiguousarray(rgb[:, :, ::-1])
    pixels.flags.writeable = False
    return Photo(pixels)


def turn_upright(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Undo an EXIF orientation (1 to 8; anything else counts as 1) on (height, width, 3) stored pixels."""
    # One pass over the pixels where there is one: `rotate` takes a third of the time of two single steps.
    turn = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}.get(orientation)
    if turn is not None:
        return np.ascontiguousarray(cv2.rotate(pixels, turn))
    if orientation in (5, 7):
        pixels = cv2.transpose(pixels)
    mirror = {2: 1, 4: 0, 7: -1}.get(orientation)  # left-right, top-bottom, both
    if mirror is not None:
        pixels = cv2.flip(pixels, mirror)
    return np.ascontiguousarray(pixels)


_PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
#: MPO is a JPEG with more pictures behind the first, as some phones write.
_JPEG_FORMATS = ("JPEG", "MPO")


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """(kind, start, end) of the body of each chunk of a PNG. Raises `WaymarkError` (cut-off) where there are
    more chunks than a picture needs: those with pixels, and others."""
    at, chunks, others = len(_PNG_BEGINS), 0, 0
    while at + 8 <= len(data):
        kind, end = data[at + 4 : at + 8], at + 8 + int.from_bytes(data[at : at + 4], "big")
        chunks, others = chunks + 1, others + (kind != b"IDAT")
        if chunks > MAX_CHUNKS or others > MAX_SEGMENTS:
            raise _cut_off()
        yield kind, at + 8, end
        at = end + 4


def _png_exif(data: bytes) -> bytes | None:
    """The EXIF of a PNG, which may stand behind the pixels: Pillow decodes the picture to look there. Raises
    as `_png_chunks`."""
    found = [data[start:end] for kind, start, end in _png_chunks(data) if kind == b"eXIf"]
    return b"Exif\x00\x00" + found[-1] if found else None


def _check_png(data: bytes) -> None:
    """Raises `WaymarkError` (cut-off) where pixels of a PNG are not those that their checksum is of: Pillow
    takes them as they are."""
    whole = memoryview(data)
    for kind, start, end in _png_chunks(data):
        told = int.from_bytes(whole[end : end + 4], "big")
        if kind == b"IDAT" and crc32(whole[start - 4 : end]) != told:
            raise _cut_off()


def _read_file(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE_MB * 1_000_000:
            raise _too_large(f"{path.stat().st_size / 1e6:.0f} MB", f"{MAX_FILE_MB} MB")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise WaymarkError(
            Code.NO_PHOTO,
            f"There is no readable file {path.name!r}; check the name and the folder.",
            f"ファイル {path.name!r} を読めません。名前とフォルダーを確かめてください。",
        ) from error


def _open_checked(data: bytes) -> Image.Image:
    """The picture's header, of a size that may be decoded; a JPEG's bytes are all there."""
    if len(data) > MAX_FILE_MB * 1_000_000:
        raise _too_large(f"{len(data) / 1e6:.0f} MB", f"{MAX_FILE_MB} MB")
    # Pillow looks at every part of a file's header, so that is counted first.
    if data[:3] == JPEG_BEGINS and picture_in(data) is None:
        raise _cut_off()
    exif = _png_exif(data) if data[:8] == _PNG_BEGINS else None
    picture = _open(data)
    _check_size(*picture.size)
    if is_left_empty(data):
        raise _cut_off()
    if picture.format == "PNG":
        _check_png(data)
    if exif is not None:
        picture.info["exif"] = exif
    return picture


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_MEGAPIXELS * 1_000_000:
        raise _too_large(f"{width} x {height} px", f"{MAX_MEGAPIXELS} megapixels")
    if min(width, height) < MIN_SIDE_PX:
        raise _too_small(width, height)


def _open(data: bytes) -> Image.Image:
    """The picture's header; nothing is decoded yet."""
    try:
        if data[4:8] == b"ftyp" and "avif" not in brands_of(data):
            _register_heif()
            return Image.open(io.BytesIO(data), formats=("HEIF",))
        return Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError as error:
        raise _too_large("its header asks for far more", f"{MAX_MEGAPIXELS} megapixels") from error
    except UnidentifiedImageError as error:
        if _looks_like_a_picture(data):
            raise _cut_off() from error
        raise refusal(data) from error
    except (OSError, SyntaxError, ValueError, EOFError, RuntimeError) as error:
        raise _cut_off() from error


@cache
def _register_heif() -> None:
    import pi_heif  # Loads a library of its own, for which other photos need not wait.

    pi_heif.register_heif_opener()


def _looks_like_a_picture(data: bytes) -> bool:
    """Whether the first bytes are of a format that is read here, so that only the rest can be at fault."""
    return (
        data[:3] == JPEG_BEGINS
        or data[:8] == _PNG_BEGINS
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or bool(brands_of(data) & {"heic", "heix", "hevc", "msf1", "mif1", "avif"})
    )


def orientation_in(data: bytes) -> int:
    """The EXIF orientation (1 to 8) by which a photo's stored pixels are to be turned. Raises as
    `read_header` does."""
    return _orientation_of(_open_checked(data))


def _orientation_of(picture: Image.Image) -> int:
    """The EXIF orientation (1 to 8) by which an opened picture's pixels are still to be turned."""
    if picture.format == "HEIF":
        return 1  # libheif has turned it by the file's own `irot` and `imir`; EXIF only repeats them there.
    try:
        # That of PNG would decode the picture first.
        return int(Image.Image.getexif(picture).get(ExifTags.Base.Orientation, 1))
    except (SyntaxError, ValueError, TypeError, OSError, KeyError):
        return 1  # Broken EXIF is common in shared pictures and no reason to refuse one.


def _camera_of(picture: Image.Image) -> CameraName | None:
    """What the EXIF of an opened picture tells of the phone."""
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
    """How often a JPEG of this size is halved as it is decoded: as often as leaves enough, and no rest."""
    return _halvings(
        lambda k: (width | height) % (1 << k) == 0 and width * height >> 2 * k >= ENOUGH_MEGAPIXELS * 1e6
    )


def halvings_to_hold(width: int, height: int) -> int:
    """How often a picture of this size is halved to be held; a rest of its rows and columns is left out."""
    return next(k for k in range(_SIZES) if width * height >> 2 * k <= HELD_MEGAPIXELS * 1e6)


def _halvings(enough: Callable[[int], bool]) -> int:
    """The most halvings that leave enough."""
    return max(k for k in range(_SIZES) if k == 0 or enough(k))


#: The whole picture, and each half of the one before, down to an eighth.
_SIZES = 4


#: What decoders raise for a file that is not as it says.
_DAMAGED = (OSError, SyntaxError, ValueError, EOFError, RuntimeError, MemoryError)


def _decode_heif(data: bytes, halvings: int) -> NDArray[np.uint8]:
    """A colour HEIC by libheif itself: Pillow's plugin copies the picture twice more.

    Phones write HEIC as a grid of tiles, which libheif decodes side by side.
    """
    import pi_heif

    try:
        picture = pi_heif.open_heif(io.BytesIO(data), bgr_mode=True)
        width, height = picture.size
        # The array only looks into the memory of `picture`, which ends with this function.
        pixels = np.asarray(picture)
        return _in_strips((width, height), halvings, lambda top, end: pixels[top:end, :width])
    except _DAMAGED as error:
        raise _cut_off() from error


def _in_strips(
    size: tuple[int, int], halvings: int, strip: Callable[[int, int], NDArray[np.uint8]]
) -> NDArray[np.uint8]:
    """A picture of this (width, height), halved so many times, from what `strip` tells of the rows from one
    number up to another: blue-green-red."""
    width, height = (side >> halvings for side in size)
    made = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, _STRIP_ROWS >> halvings):
        end = min(height, top + (_STRIP_ROWS >> halvings))
        rows = strip(top << halvings, end << halvings)
        for halved in range(halvings - 1, -1, -1):
            half = (width << halved, (end - top) << halved)
            rows = np.asarray(
                cv2.resize(rows[: 2 * half[1], : 2 * half[0]], half, interpolation=cv2.INTER_AREA), np.uint8
            )
        made[top:end] = rows
    return made


def _decode_with_pillow(
    data: bytes, profile: bytes | None, notes: list[Text], halvings: int
) -> tuple[NDArray[np.uint8], bytes | None]:
    """Pixels as 8-bit BGR, and the colour profile that still has to be applied to them."""
    try:
        if data[:4] == b"RIFF":
            return _decode_webp(data, notes, halvings), profile
        picture = _open(data)
        picture.load()
        transparent = picture.has_transparency_data

        def strip(top: int, end: int) -> NDArray[np.uint8]:
            rgb = _in_rgb(picture.crop((0, top, picture.width, end)), profile, transparent=transparent)
            return np.asarray(cv2.cvtColor(np.asarray(rgb), cv2.COLOR_RGB2BGR), np.uint8)

        pixels = _in_strips(picture.size, halvings, strip)
    except Image.DecompressionBombError as error:
        raise _too_large("its header asks for far more", f"{MAX_MEGAPIXELS} megapixels") from error
    except (
        OSError,
        SyntaxError,
        ValueError,
        EOFError,
        RuntimeError,
        MemoryError,
        IndexError,
        cv2.error,
    ) as error:
        raise _cut_off() from error
    if transparent:
        notes.append(_transparent())
    return pixels, None if picture.mode == "CMYK" else profile


def _decode_webp(data: bytes, notes: list[Text], halvings: int) -> NDArray[np.uint8]:
    """A WebP by OpenCV: Pillow holds it four times."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise OSError
    transparent = picture.ndim == 3 and picture.shape[2] == 4
    _check_end(data, np.asarray(picture[-1], np.uint8))

    def strip(top: int, end: int) -> NDArray[np.uint8]:
        rows = np.asarray(picture[top:end], np.uint8)
        if not transparent:
            return rows
        rgba = Image.fromarray(cv2.cvtColor(rows, cv2.COLOR_BGRA2RGBA))
        return np.asarray(_in_rgb(rgba, None, transparent=True))[..., ::-1]

    if transparent:
        notes.append(_transparent())
    return _in_strips((picture.shape[1], picture.shape[0]), halvings, strip)


def _check_end(data: bytes, last_row: NDArray[np.uint8]) -> None:
    """Raises `OSError` where a WebP ends with zeros that are none of its pixels: of these they are flat rows
    (libwebp spends up to 16 bits on a flat block of 16 x 16 pixels), of a copy that broke off a smear."""
    zeros = len(data) - len(data.rstrip(b"\x00"))
    if zeros > max(64, len(last_row) // 8) and last_row.std(axis=0).max() > _FLAT_STEPS:
        raise OSError


def _in_rgb(part: Image.Image, profile: bytes | None, *, transparent: bool) -> Image.Image:
    """A part of a decoded picture as red, green and blue, on white where it is transparent."""
    if part.mode == "CMYK":
        part = _cmyk_to_rgb(part, profile)
    elif part.mode in ("I;16", "I;16B", "I;16L", "I;16N", "I"):
        grey = np.asarray(part, dtype=np.int32)
        # A 16-bit channel's upper byte is the 8-bit channel.
        part = Image.fromarray((np.clip(grey, 0, 65535) >> 8).astype(np.uint8))
    if transparent:
        layer = part.convert("RGBA")
        part = Image.new("RGB", layer.size, "white")
        part.paste(layer, mask=layer.getchannel("A"))
    return part.convert("RGB")


def _cmyk_to_rgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            turned = ImageCms.profileToProfile(picture, source, _srgb(), outputMode="RGB")
            if turned is not None:
                return turned
        except (ImageCms.PyCMSError, OSError):
            pass  # A profile of another colour space: the plain conversion is the best left.
    return picture.convert("RGB")


def _to_srgb(pixels: NDArray[np.uint8], profile: bytes, notes: list[Text]) -> None:
    """Bring BGR pixels from an embedded RGB profile (Display P3, Adobe RGB) to sRGB, in place."""
    try:
        transform = _srgb_transform(profile)
    except (ImageCms.PyCMSError, OSError):
        notes.append(
            Text(
                "The embedded colour profile could not be used; the colours are taken as sRGB.",
                "埋め込まれたカラープロファイルを使えません。色は sRGB として読みます。",
            )
        )
        return
    if transform is None:
        return
    for top in range(0, len(pixels), _STRIP_ROWS):
        rows = pixels[top : top + _STRIP_ROWS]
        rgb = Image.fromarray(cv2.cvtColor(rows, cv2.COLOR_BGR2RGB))
        ImageCms.applyTransform(rgb, transform, inPlace=True)
        rows[:] = cv2.cvtColor(np.asarray(rgb), cv2.COLOR_RGB2BGR)


@cache
def _srgb() -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


def _srgb_transform(profile: bytes) -> ImageCms.ImageCmsTransform | None:
    """The transform from `profile` to sRGB, or None where it would change nothing to speak of."""
    source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    transform = ImageCms.buildTransform(source, _srgb(), "RGB", "RGB")
    steps = np.linspace(0, 255, 6).astype(np.uint8)
    probe = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(6, 36, 3)
    moved = ImageCms.applyTransform(Image.fromarray(probe), transform)
    if moved is not None:
        shift = np.abs(np.asarray(moved).astype(int) - probe).max()
        if shift <= SAME_COLOUR_STEPS:
            return None
    return transform


def _transparent() -> Text:
    return Text(
        "The picture has transparent parts; they are read as white.",
        "画像に透明な部分があります。白として読みます。",
    )


def _too_large(what: str, limit: str) -> WaymarkError:
    return WaymarkError(
        Code.TOO_LARGE,
        f"The picture is too large ({what}); send one of at most {limit}.",
        f"画像が大きすぎます({what})。{limit} 以下の写真を指定してください。",
    )


def _too_small(width: int, height: int) -> WaymarkError:
    # It could be read, there is just nothing in it: the same status as a photo without cards.
    return WaymarkError(
        Code.TOO_SMALL,
        f"The picture is only {width} x {height} px, too small to show a card; give the photo, no preview.",
        f"画像が {width} x {height} px しかありません。縮小版でない元の写真を指定してください。",
    )


def _cut_off() -> WaymarkError:
    return WaymarkError(
        Code.CUT_OFF,
        "The picture is cut off or damaged; copy or upload it once more.",
        "画像が途中で切れているか壊れています。もう一度コピーまたはアップロードしてください。",
    )
