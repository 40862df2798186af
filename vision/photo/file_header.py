"""Header of a picture file: bytes -> the opened, not yet decoded picture, or an error that names the fault.

Size limits and damage are checked here, before a decoder allocates anything.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

import cv2
from PIL import Image, UnidentifiedImageError

from scorer.errors import Code, WaymarkError
from scorer.text import Text
from vision.photo.jpeg import BEGINS as JPEG_BEGINS
from vision.photo.jpeg import MAX_SEGMENTS, picture_in

#: Marks of raw camera files in TIFF format: DNG's version tag, and Canon's mark behind the header.
_DNG_VERSION, _CANON_RAW = 0xC612, b"CR"
_FILM = "film"
#: File types by their first bytes.
_BEGINNINGS = (
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"\xff\x0a", "JPEG XL"),
    (b"\x00\x00\x00\x0cJXL ", "JPEG XL"),
    (b"\x00\x00\x00\x0cjP  ", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
    (b"8BPS", "PSD"),
    (b"%PDF-", "PDF"),
    (b"FUJIFILMCCD-RAW", "RAF"),
    (b"\x1aE\xdf\xa3", _FILM),
)
_TIFF = {b"II*\x00": "little", b"MM\x00*": "big", b"II+\x00": "", b"MM\x00+": ""}
_RAW = ("DNG", "CR2", "CR3", "RAF")
#: Brands of video files, which have the same box structure as HEIC.
_FILMS = frozenset({"isom", "iso2", "mp41", "mp42", "qt", "M4V", "3gp4", "3gp5", "avc1"})
#: Numbers of zero bytes, at the end and within the file, that mark missing data in HEIC or AVIF (unwritten
#: disk blocks): coded HEVC never has three in a row. Metadata, which may be at the end as well, are not all
#: zero.
_EMPTY_END, _EMPTY_BLOCK = 64, 4096
#: A file with more parts than this is not a photo.
_MOST_PARTS = 1000


def refusal(data: bytes) -> WaymarkError:
    """The error for an unsupported file: its type, and which types to send."""
    kind = _kind_of(data)
    if not kind:
        words = Text("This is not a picture that can be read; give a JPEG, PNG, WebP, HEIC or AVIF photo.")
    elif kind in _RAW:
        words = Text(
            "This is a raw photo ({kind}), which is not read; send the JPEG or HEIC that the camera saves "
            "beside it."
        )
    elif kind == "GIF":
        words = Text("This is a {kind} file, which is not read; send the photo itself as JPEG or HEIC.")
    elif kind == _FILM:
        words = Text("This is a film, which is not read; take a photo and send that.")
    else:
        words = Text(
            "This is a {kind} file, which is not read; send the photo as JPEG, PNG, WebP, HEIC or AVIF."
        )
    return WaymarkError(Code.NOT_AN_IMAGE, words.filled(kind=kind))


def brands_of(data: bytes) -> frozenset[str]:
    """Brands named in a file of ISO boxes (ISO/IEC 14496-12); empty for any other file."""
    if data[4:8] != b"ftyp":
        return frozenset()
    end = min(int.from_bytes(data[:4], "big"), 256)
    names = [data[8:12], *(data[at : at + 4] for at in range(16, end, 4))]
    return frozenset(name.decode("latin-1").strip() for name in names)


def is_left_empty(data: bytes) -> bool:
    """Whether a block of the pixel data of an HEIC or AVIF is all zeros, as an interrupted copy leaves it.

    Decoders take such zeros for pixels.
    """
    return data[4:8] == b"ftyp" and any(
        bytes(_EMPTY_BLOCK) in pixels or (len(pixels) > _EMPTY_END and not any(pixels[-_EMPTY_END:]))
        for pixels in _coded_pixels(data)
    )


def _coded_pixels(data: bytes) -> Iterator[bytes]:
    """Iterator over the boxes of a file (ISO/IEC 14496-12) that contain coded pixels."""
    at = 0
    for _ in range(_MOST_PARTS):
        if at + 8 > len(data):
            return
        kind, size = data[at + 4 : at + 8], int.from_bytes(data[at : at + 4], "big")
        # 1: the size follows the name; 0: the box extends to the end of the file.
        size = int.from_bytes(data[at + 8 : at + 16], "big") if size == 1 else size or len(data) - at
        if size < 8:
            return
        if kind == b"mdat":
            yield data[at + 8 : at + size]
        at += size


def _kind_of(data: bytes) -> str:
    kind = next((kind for begins, kind in _BEGINNINGS if data.startswith(begins)), "")
    if data[:4] in _TIFF:
        kind = _kind_of_tiff(data, _TIFF[data[:4]])
    brands = brands_of(data)
    if "crx" in brands:
        kind = "CR3"
    elif brands & _FILMS or data[8:12] == b"AVI ":
        kind = _FILM
    return kind


def _kind_of_tiff(data: bytes, order: str) -> str:
    """Type of a TIFF file, or of a raw photo in TIFF format, by the tags of its first picture."""
    if order not in ("little", "big"):
        return "TIFF"
    if data[8:10] == _CANON_RAW:
        return "CR2"

    def number(at: int, size: int) -> int:
        return int.from_bytes(data[at : at + size], "little" if order == "little" else "big")

    first = number(4, 4)
    tags = {number(first + 2 + 12 * k, 2) for k in range(min(number(first, 2), 500))}
    return "DNG" if _DNG_VERSION in tags else "TIFF"


#: Phones have 12 to 108 megapixels; a larger picture would exceed the memory limit for one photo.
MAX_MEGAPIXELS = 110
#: A 50-megapixel HEIC or JPEG stays below 30 MB, a PNG of it below 150 MB.
MAX_FILE_MB = 150
#: Largest number of chunks in a PNG: 108 megapixels in chunks of 8 kB are 40,000.
MAX_CHUNKS = 50_000
#: A card needs a height of about 200 px to be recognised, so a smaller picture is never usable.
MIN_SIDE_PX = 160
# Multi-picture files (MPO: depth maps or bursts of many phones) have a JPEG header and are renamed when
# opened.
_FORMATS = ("JPEG", "PNG", "WEBP", "AVIF")
_PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
#: MPO is a JPEG followed by further pictures, as some phones write.
JPEG_FORMATS = ("JPEG", "MPO")

# Problems that a person can solve are reported in words. Pillow also warns about broken metadata, and about
# sizes within the limit above, with the path of its own file; OpenCV and loggers write to the terminal, too.
warnings.filterwarnings("ignore", module=r"PIL\.")
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
logging.getLogger("PIL").addHandler(logging.NullHandler())
logging.getLogger("pi_heif").addHandler(logging.NullHandler())
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def read_file(path: Path) -> bytes:
    """Bytes of a photo's file. Raises `WaymarkError`: no-photo, too-large (file, in MB)."""
    try:
        if path.stat().st_size > MAX_FILE_MB * 1_000_000:
            raise too_large(f"{path.stat().st_size / 1e6:.0f} MB", f"{MAX_FILE_MB} MB")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise WaymarkError(
            Code.NO_PHOTO,
            Text("There is no readable file {path!r}; check the name and the folder.", path=path.name),
        ) from error


def open_checked(data: bytes) -> Image.Image:
    """Open a picture without decoding it, and check size and completeness: raises as `load_photo` does."""
    if len(data) > MAX_FILE_MB * 1_000_000:
        raise too_large(f"{len(data) / 1e6:.0f} MB", f"{MAX_FILE_MB} MB")
    # Counted first, because Pillow reads every part of a file's header.
    if data[:3] == JPEG_BEGINS and picture_in(data) is None:
        raise cut_off()
    exif = _png_exif(data) if data[:8] == _PNG_BEGINS else None
    picture = open_header(data)
    check_size(*picture.size)
    if is_left_empty(data):
        raise cut_off()
    if picture.format == "PNG":
        _check_png(data)
    if exif is not None:
        picture.info["exif"] = exif
    return picture


def check_size(width: int, height: int) -> None:
    """Check that a picture of this size (px) can be read. Raises `WaymarkError` (too-large, too-small)."""
    if width * height > MAX_MEGAPIXELS * 1_000_000:
        raise too_large(f"{width} x {height} px", f"{MAX_MEGAPIXELS} megapixels")
    if min(width, height) < MIN_SIDE_PX:
        raise _too_small(width, height)


def open_header(data: bytes) -> Image.Image:
    """Open a picture by its header alone; nothing is decoded yet. Raises as `load_photo` does."""
    try:
        if data[4:8] == b"ftyp" and "avif" not in brands_of(data):
            _register_heif()
            return Image.open(io.BytesIO(data), formats=("HEIF",))
        return Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError as error:
        raise too_large("its header asks for far more", f"{MAX_MEGAPIXELS} megapixels") from error
    except UnidentifiedImageError as error:
        if _looks_like_a_picture(data):
            raise cut_off() from error
        raise refusal(data) from error
    except (OSError, SyntaxError, ValueError, EOFError, RuntimeError) as error:
        raise cut_off() from error


@cache
def _register_heif() -> None:
    import pi_heif  # Loads a library that other photos do not need.

    pi_heif.register_heif_opener()


def _looks_like_a_picture(data: bytes) -> bool:
    """Whether the first bytes are those of a supported format, so that only later bytes can be damaged."""
    return (
        data[:3] == JPEG_BEGINS
        or data[:8] == _PNG_BEGINS
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or bool(brands_of(data) & {"heic", "heix", "hevc", "msf1", "mif1", "avif"})
    )


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Iterator over the chunks of a PNG: (kind, start, end) of each chunk's data.

    Raises `WaymarkError` (cut-off) if there are more chunks than a picture needs, of pixels or of other
    kinds.
    """
    at, chunks, others = len(_PNG_BEGINS), 0, 0
    while at + 8 <= len(data):
        kind, end = data[at + 4 : at + 8], at + 8 + int.from_bytes(data[at : at + 4], "big")
        chunks, others = chunks + 1, others + (kind != b"IDAT")
        if chunks > MAX_CHUNKS or others > MAX_SEGMENTS:
            raise cut_off()
        yield kind, at + 8, end
        at = end + 4


def _png_exif(data: bytes) -> bytes | None:
    """EXIF data of a PNG, which may come after the pixels; None if there is none. Raises as `_png_chunks`.

    Pillow would decode the whole picture to look there.
    """
    found = [data[start:end] for kind, start, end in _png_chunks(data) if kind == b"eXIf"]
    return b"Exif\x00\x00" + found[-1] if found else None


def _check_png(data: bytes) -> None:
    """Verify the checksums of a PNG's pixel chunks, which Pillow does not. Raises `WaymarkError` (cut-off) on
    a mismatch."""
    whole = memoryview(data)
    for kind, start, end in _png_chunks(data):
        told = int.from_bytes(whole[end : end + 4], "big")
        if kind == b"IDAT" and crc32(whole[start - 4 : end]) != told:
            raise cut_off()


def too_large(what: str, limit: str) -> WaymarkError:
    """The error for a picture beyond a limit; `what` is its size and `limit` the limit, both with their
    units."""
    return WaymarkError(
        Code.TOO_LARGE,
        Text("The picture is too large ({what}); send one of at most {limit}.", what=what, limit=limit),
    )


def _too_small(width: int, height: int) -> WaymarkError:
    # The file was readable but contains no picture: the same status as a photo without cards.
    return WaymarkError(
        Code.TOO_SMALL,
        Text(
            "The picture is only {width} x {height} px, too small to show a card; give the photo, no "
            "preview.",
            width=width,
            height=height,
        ),
    )


def cut_off() -> WaymarkError:
    """The error for a picture whose file is truncated or damaged."""
    return WaymarkError(Code.CUT_OFF, Text("The picture is cut off or damaged; copy or upload it once more."))
