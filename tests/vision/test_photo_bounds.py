"""Headers of pictures are bounded before a decoder walks through them, and large pictures are held small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from picture_files import ENDLESS, JPEG, KINDS, MANY, PNG, PNG_HEAD, PROGRESSIVE, chunk, packed
from PIL import Image

from scorer.errors import WaymarkError
from vision.photo import decode as photo_module
from vision.photo import file_header
from vision.photo.decode import load_photo, read_header
from vision.photo.jpeg import MAX_FILL_BYTES, MAX_SEGMENTS, jpeg_segments


@pytest.mark.parametrize("data", ENDLESS.values(), ids=ENDLESS)
def test_no_decoder_sees_an_endless_header(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_header, "open_header", lambda _data: pytest.fail("Pillow walks through it"))
    with pytest.raises(WaymarkError) as caught:
        read_header(data)
    assert caught.value.code == "cut-off"


def test_segments_are_counted() -> None:
    data = JPEG[:2] + b"\xff\xfe\x00\x02" * MANY + JPEG[2:]
    assert sum(1 for _ in jpeg_segments(data)) == MAX_SEGMENTS + 1


@pytest.mark.parametrize(
    "data",
    [
        JPEG[:2] + b"\xff" * (MAX_FILL_BYTES - 10) + JPEG[2:],
        JPEG[:2] + (b"\xff\xe1\xff\xff" + bytes(65533)) * 100 + JPEG[2:],
        PROGRESSIVE,
        PNG[:PNG_HEAD] + chunk(b"tEXt", b"a\x00b") * 100 + PNG[PNG_HEAD:],
        packed("WEBP"),
    ],
    ids=["fill", "depth maps", "progressive", "texts", "WebP"],
)
def test_what_cameras_and_programs_write_is_read(data: bytes) -> None:
    assert (read_header(data).width, load_photo(data).width) == (400, 400)


def test_a_png_is_turned_by_its_exif_wherever_it_stands_and_not_decoded_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = chunk(b"eXIf", exif.tobytes().removeprefix(b"Exif\x00\x00"))
    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", lambda _: pytest.fail("decoded"))
    for data in (PNG[:PNG_HEAD] + turned + PNG[PNG_HEAD:], PNG[:-12] + turned + PNG[-12:]):
        assert (read_header(data).width, read_header(data).height) == (300, 400)


@pytest.mark.parametrize("data", KINDS.values(), ids=KINDS)
def test_a_large_picture_is_held_at_half_and_decoded_when_it_is_wanted(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = load_photo(data, whole=True)
    monkeypatch.setattr(photo_module, "HELD_MEGAPIXELS", 0.05)
    held = load_photo(data)
    assert held.halvings == 1 and held.reduced(1).shape == (151, 200, 3)
    far = np.abs(held.reduced(1).astype(int) - whole.reduced(1))
    assert far.mean() < 1 and np.percentile(far, 99) <= 4
    assert np.array_equal(held.pixels, whole.pixels)


def test_a_copy_is_decoded_no_further_than_it_is_large(tmp_path: Path) -> None:
    file = tmp_path / "p.jpg"
    file.write_bytes(packed("JPEG", size=(1600, 1200)))
    assert load_photo(file, longest_px=480).halvings == 1
    assert load_photo(file, longest_px=200).halvings == 3
    assert load_photo(file, longest_px=1601).halvings == 0
