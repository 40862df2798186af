"""One loader owns decoding: every format, turned once, in sRGB, and every bad input told in one sentence."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms

from scorer.errors import WaymarkError
from vision.photo.decode import Photo, Pixels, load_photo
from vision.photo.file_header import MAX_MEGAPIXELS
from vision.photo.jpeg import picture_in

DATA = Path(__file__).parents[1] / "data"
WIDTH, HEIGHT = 320, 240


def quadrants(mode: str = "RGB") -> Image.Image:
    """Red, green / blue, white: tells every turn and mirror image from the others."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), "white")
    picture.paste((220, 20, 20), (0, 0, 160, 120))
    picture.paste((20, 200, 20), (160, 0, 320, 120))
    picture.paste((20, 20, 220), (0, 120, 160, 240))
    return picture.convert(mode)


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def corners(pixels: np.ndarray) -> str:
    """The colours in the four corners, clockwise from the top left, as letters."""
    height, width = pixels.shape[:2]
    names = ""
    for y, x in ((20, 20), (20, width - 20), (height - 20, width - 20), (height - 20, 20)):
        blue, green, red = (int(value) > 128 for value in pixels[y, x])
        names += {(1, 0, 0): "r", (0, 1, 0): "g", (0, 0, 1): "b", (1, 1, 1): "w"}[red, green, blue]
    return names


def exif(orientation: int) -> bytes:
    tags = Image.Exif()
    tags[0x0112] = orientation
    return tags.tobytes()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_format_is_read_as_bgr(kind: str) -> None:
    photo = load_photo(encoded(quadrants(), kind))
    assert (photo.width, photo.height) == (WIDTH, HEIGHT)
    assert corners(photo.pixels) == "rgwb"
    assert photo.pixels.dtype == np.uint8


def test_a_path_and_its_bytes_give_the_same_pixels(tmp_path: Path) -> None:
    data = encoded(quadrants(), "JPEG")
    (tmp_path / "a.jpg").write_bytes(data)
    assert np.array_equal(load_photo(tmp_path / "a.jpg").pixels, load_photo(data).pixels)


# Where the stored corners (rgwb, clockwise from the top left) come to lie, by the EXIF standard's table.
TURNED = {1: "rgwb", 2: "grbw", 3: "wbrg", 4: "bwgr", 5: "rbwg", 6: "brgw", 7: "wgrb", 8: "gwbr"}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", TURNED)
def test_exif_orientation_is_applied_once(kind: str, orientation: int) -> None:
    photo = load_photo(encoded(quadrants(), kind, exif=exif(orientation)))
    assert corners(photo.pixels) == TURNED[orientation]
    assert (photo.width < photo.height) == (orientation >= 5)


@pytest.mark.parametrize(("name", "seen"), [("quadrants", "rgwb"), ("quadrants-turned", "brgw")])
def test_heic_is_read_and_turned_once(name: str, seen: str) -> None:
    photo = load_photo(DATA / f"{name}.heic")
    assert corners(photo.pixels) == seen


@pytest.mark.parametrize("orientation", [1, 6])
def test_a_large_jpeg_is_decoded_at_half_its_size_until_all_of_it_is_wanted(orientation: int) -> None:
    picture = quadrants().resize((4000, 3000))
    data = encoded(picture, "JPEG", exif=exif(orientation), quality=90)
    photo = load_photo(data)
    size = (4000, 3000) if orientation == 1 else (3000, 4000)
    assert (photo.width, photo.height) == size and photo.halvings == 1
    assert photo.reduced(1).shape == (size[1] // 2, size[0] // 2, 3)
    assert corners(photo.reduced(1)) == corners(photo.reduced(3)) == TURNED[orientation]
    assert np.array_equal(photo.pixels, load_photo(data, whole=True).pixels)
    assert photo.pixels.shape == (size[1], size[0], 3)


def test_a_size_that_was_begun_is_there_once_it_is_asked_for() -> None:
    data = encoded(quadrants().resize((2400, 1800)), "JPEG", quality=90)
    photo = load_photo(data, longest_px=700)
    photo.begin(0)
    # nobody reads in another size because a decoder was quicker
    assert photo.halvings == 1
    assert np.array_equal(photo.reduced(0), load_photo(data, whole=True).pixels)
    assert photo.halvings == 0
    photo.begin(0)
    broken = Photo(photo.reduced(1), halvings=1, decode=no_memory)
    broken.begin(0)
    with pytest.raises(MemoryError):
        broken.reduced(0)


def no_memory(halvings: int) -> Pixels:
    raise MemoryError(halvings)


def test_a_small_jpeg_and_one_of_odd_sides_are_decoded_whole() -> None:
    for size in ((1600, 1200), (4001, 3000)):
        assert load_photo(encoded(quadrants().resize(size), "JPEG")).halvings == 0


def test_orientations_agree_with_pillow() -> None:
    from PIL import ImageOps

    for orientation in TURNED:
        data = encoded(quadrants(), "PNG", exif=exif(orientation))
        upright = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB"))
        assert np.array_equal(load_photo(data).pixels[..., ::-1], upright)


def test_an_orientation_out_of_range_leaves_the_picture_as_stored() -> None:
    assert corners(load_photo(encoded(quadrants(), "JPEG", exif=exif(9))).pixels) == "rgwb"


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("L", "JPEG"), ("L", "PNG"), ("I;16", "PNG"), ("CMYK", "JPEG"), ("P", "PNG"), ("LA", "PNG")],
)
def test_unusual_channels_become_three_of_eight_bits(mode: str, kind: str) -> None:
    if mode == "I;16":
        picture = Image.fromarray((np.asarray(quadrants("L")).astype(np.uint16) << 8) | 7)
    else:
        picture = quadrants(mode)
    pixels = load_photo(encoded(picture, kind)).pixels
    assert pixels.shape == (HEIGHT, WIDTH, 3) and pixels.dtype == np.uint8
    assert pixels[-20, -20].min() > 245
    assert int(pixels[20, 20].sum()) < 500


def test_transparency_is_read_as_white_and_told() -> None:
    photo = load_photo(encoded(Image.new("RGBA", (WIDTH, HEIGHT), (255, 0, 0, 0)), "PNG"))
    assert photo.pixels.min() == 255
    assert len(photo.warnings) == 1


def matrix_profile(gamma: float) -> bytes:
    """A small matrix profile (ICC.1 section 8.3) with sRGB's primaries and a plain gamma curve."""

    def s15(value: float) -> bytes:
        return struct.pack(">i", round(value * 65536))

    def xyz(x: float, y: float, z: float) -> bytes:
        return b"XYZ \0\0\0\0" + s15(x) + s15(y) + s15(z)

    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"
    text = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"test\0" + b"\0" * 79
    tags = {
        b"desc": text + b"\0" * (-len(text) % 4),
        b"wtpt": xyz(0.9642, 1.0, 0.8249),
        b"rXYZ": xyz(0.4361, 0.2225, 0.0139),
        b"gXYZ": xyz(0.3851, 0.7169, 0.0971),
        b"bXYZ": xyz(0.1431, 0.0606, 0.7141),
        b"rTRC": curve,
        b"gTRC": curve,
        b"bTRC": curve,
    }
    table, body, at = struct.pack(">I", len(tags)), b"", 128 + 4 + 12 * len(tags)
    for name, value in tags.items():
        table += name + struct.pack(">II", at + len(body), len(value))
        body += value
    size = at + len(body)
    header = struct.pack(">I4sI4s4s4s", size, b"none", 0x02400000, b"mntr", b"RGB ", b"XYZ ")
    header += b"\0" * 12 + b"acsp" + b"\0" * 28 + s15(0.9642) + s15(1.0) + s15(0.8249)
    return header + b"\0" * (128 - len(header)) + table + body


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_embedded_profile_is_brought_to_srgb(kind: str) -> None:
    grey = Image.new("RGB", (WIDTH, HEIGHT), (128, 128, 128))
    options = {"quality": 98} if kind != "PNG" else {}
    pixels = load_photo(encoded(grey, kind, icc_profile=matrix_profile(1.0), **options)).pixels
    # Half of the light is 188 on sRGB's curve.
    assert abs(int(pixels[100, 100, 0]) - 188) <= 2


def test_a_profile_that_is_srgb_changes_nothing() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    plain, tagged = encoded(quadrants(), "PNG"), encoded(quadrants(), "PNG", icc_profile=srgb)
    assert np.array_equal(load_photo(plain).pixels, load_photo(tagged).pixels)


def test_a_broken_profile_is_told_and_does_not_refuse_the_photo() -> None:
    photo = load_photo(encoded(quadrants(), "JPEG", icc_profile=b"not a profile"))
    assert corners(photo.pixels) == "rgwb"
    assert len(photo.warnings) == 1


def png_header(width: int, height: int) -> bytes:
    """A PNG that only claims its size: whoever decodes it before asking pays for it."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    return start + struct.pack(">I", 4) + b"IDAT" + b"\0\0\0\0" + b"\0\0\0\0"


def jpeg_whole() -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    return encoded(Image.fromarray(noise), "JPEG")


BAD = {
    "empty": (b"", "not-an-image"),
    "text": (b"hello, this is no picture" * 20, "not-an-image"),
    "gif": (encoded(quadrants("P"), "GIF"), "not-an-image"),
    "jpeg cut in its header": (jpeg_whole()[:100], "cut-off"),
    "jpeg cut in its scan": (jpeg_whole()[:-2000], "cut-off"),
    "jpeg filled up with zeros": (jpeg_whole()[:-2000] + b"\0" * 2000, "cut-off"),
    "heic cut": ((DATA / "quadrants.heic").read_bytes()[:-200], "cut-off"),
    "heic cut in its header": ((DATA / "quadrants.heic").read_bytes()[:60], "cut-off"),
    "png cut": (encoded(quadrants(), "PNG")[:-60], "cut-off"),
    "webp cut": (encoded(Image.open(io.BytesIO(jpeg_whole())), "WEBP")[:-2000], "cut-off"),
    "20,000 x 20,000": (png_header(20_000, 20_000), "too-large"),
    "10,500 x 10,500": (png_header(10_500, 10_500), "too-large"),
    "1 x 1": (encoded(Image.new("RGB", (1, 1)), "PNG"), "too-small"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_in_both_languages(name: str) -> None:
    data, code = BAD[name]
    with pytest.raises(WaymarkError) as caught:
        load_photo(data)
    error = caught.value
    assert error.code == code
    assert error.exit_status == (4 if code == "too-small" else 3)
    for sentence in (error.en, error.ja):
        assert sentence and "\n" not in sentence


def test_the_size_limit_is_named() -> None:
    with pytest.raises(WaymarkError, match=f"{MAX_MEGAPIXELS} megapixels"):
        load_photo(png_header(20_000, 20_000))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(WaymarkError) as caught:
        load_photo(tmp_path / "nowhere.jpg")
    assert caught.value.code == "no-photo"


def ends(data: bytes) -> bool:
    """Whether a JPEG's first picture has its end marker."""
    picture = picture_in(data)
    return picture is not None and picture.ended


def test_a_thumbnail_does_not_hide_that_the_picture_is_cut() -> None:
    thumbnail = encoded(quadrants().resize((80, 60)), "JPEG")
    data = encoded(Image.open(io.BytesIO(jpeg_whole())), "JPEG", exif=b"Exif\0\0" + thumbnail)
    assert ends(data)
    assert not ends(data[:-500])


def test_progressive_jpegs_are_whole_to_their_last_scan() -> None:
    data = encoded(Image.open(io.BytesIO(jpeg_whole())), "JPEG", progressive=True)
    assert ends(data)
    assert corners(load_photo(encoded(quadrants(), "JPEG", progressive=True)).pixels) == "rgwb"
    assert not ends(data[:-50])
