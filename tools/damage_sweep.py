"""Damaged and whole photos, counted: cuts of every sample in several encodings must all be refused, whole
ones all be read, also where they are dark, end in a flat wall or are mostly grey.

    .venv/bin/python tools/damage_sweep.py [--long-side 1000] [--cuts 6]

Prints one line for each encoding, and what went wrong. Exit status 1 where something did.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scorer.errors import Code, WaymarkError
from vision.photo.decode import load_photo

SAMPLES = Path(__file__).parent.parent / "samples"
ENDS = b"\xff\xd9"
EXIF = Image.Exif()
EXIF[0x0112] = 6
ENCODINGS: dict[str, tuple[str, dict[str, object]]] = {
    "JPEG 4:2:0": ("JPEG", {"quality": 85, "subsampling": 2}),
    "JPEG 4:4:4, own tables": ("JPEG", {"quality": 93, "subsampling": 0, "optimize": True}),
    "JPEG 4:2:2, EXIF": ("JPEG", {"quality": 75, "subsampling": 1, "exif": EXIF}),
    "JPEG, restarts by row": ("JPEG", {"quality": 85, "restart_marker_rows": 1}),
    "JPEG, restarts by block": ("JPEG", {"quality": 85, "restart_marker_blocks": 7}),
    "JPEG, progressive": ("JPEG", {"quality": 85, "progressive": True}),
    "JPEG, progressive 4:4:4": ("JPEG", {"quality": 60, "progressive": True, "subsampling": 0}),
    "grey JPEG": ("JPEG", {"quality": 85, "grey": True}),
    "PNG": ("PNG", {"compress_level": 1}),
    "WebP": ("WEBP", {"quality": 80, "method": 0}),
    "WebP, lossless": ("WEBP", {"lossless": True, "quality": 0, "method": 0}),
    "AVIF": ("AVIF", {"quality": 60, "speed": 10}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut photos are refused, whole ones are read.")
    parser.add_argument("--long-side", type=int, default=1000, help="photos are brought to so many pixels")
    parser.add_argument("--cuts", type=int, default=6, help="positions of each photo in each encoding")
    told = parser.parse_args()
    rng = np.random.default_rng(7)
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for file in sorted(SAMPLES.glob("*photos/*")):
        if file.suffix == ".json":
            continue
        pixels = np.asarray(load_photo(file).pixels)[..., ::-1]
        picture = Image.fromarray(pixels)
        picture.thumbnail((told.long_side, told.long_side))
        for name, (kind, options) in ENCODINGS.items():
            for odd, whole in variants(np.asarray(picture), rng).items():
                data = packed(whole, kind, options)
                # Own tables code what is flat as zeros, which at no end are those of a copy that broke off.
                endless = {", no end": data.removesuffix(ENDS)} if "optimize" not in options else {}
                for what, each in {"": data, **endless}.items():
                    told_as = outcome(each)
                    counts[name, f"whole {told_as}"] += 1
                    if told_as != "read":
                        wrong.append(f"{file.name} {name} {odd}{what}: {told_as}")
            data = packed(np.asarray(picture), kind, options)
            for share in rng.uniform(0.05, 0.999, told.cuts):
                cut = data[: int(len(data) * share)]
                for what, each in {
                    "cut": cut,
                    **({} if options.get("lossless") else {"zeros": cut.ljust(len(data), b"\0")}),
                    "with an end marker": cut + ENDS,
                }.items():
                    told_as = outcome(each)
                    counts[name, f"{what}: {told_as}"] += 1
                    if told_as != Code.CUT_OFF:
                        wrong.append(f"{file.name} {name} {what} at {share:.4f}: {told_as}")
    for (name, what), count in sorted(counts.items()):
        print(f"{name:26} {what:30} {count}")
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


def variants(pixels: NDArray[np.uint8], rng: np.random.Generator) -> dict[str, NDArray[np.uint8]]:
    """Variants of a photo: unchanged, darkened, above a flat wall, and mostly covered with flat grey."""
    wall, grey = pixels.copy(), np.full_like(pixels, 128)
    wall[len(wall) // 2 :] = rng.integers(0, 256, 3)
    grey[: len(grey) // 6] = pixels[: len(grey) // 6]
    return {"as it is": pixels, "dark": pixels // 24, "wall": wall, "grey": grey}


def packed(pixels: NDArray[np.uint8], kind: str, options: dict[str, object]) -> bytes:
    """Pixels encoded as the bytes of an image file."""
    buffer = io.BytesIO()
    picture = Image.fromarray(pixels).convert("L" if options.get("grey") else "RGB")
    picture.save(buffer, kind, **{name: value for name, value in options.items() if name != "grey"})
    return buffer.getvalue()


def outcome(data: bytes) -> str:
    """Outcome of decoding: `read`, or the code of the error."""
    try:
        load_photo(data)
    except WaymarkError as error:
        return str(error.code)
    return "read"


if __name__ == "__main__":
    main()
