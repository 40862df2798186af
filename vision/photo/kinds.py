"""File type detection from the first bytes, and advice for files that are not supported."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.errors import Code, WaymarkError
from scorer.text import Text

#: Raw photos of cameras that are TIFFs say so with these: DNG's version, Canon's mark behind the header.
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
#: Brands of films, which have the same boxes as HEIC.
_FILMS = frozenset({"isom", "iso2", "mp41", "mp42", "qt", "M4V", "3gp4", "3gp5", "avc1"})
#: So many bytes 0 are no coded pixels, at the end of an HEIC or AVIF, and, as parts of a disk that were never
#: written, in it: HEVC never has three of them; metadata, which may stand there as well, have some.
_EMPTY_END, _EMPTY_BLOCK = 64, 4096
#: A file of more parts than this is no photo.
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
        # 1: the size stands behind the name; 0: up to the end.
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
