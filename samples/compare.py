"""How far the fast renderer is from Cycles: equal scenes, card by card.

`python -m samples.compare samples/sets/cycles-tuning samples/sets/tuning-fast` rectifies each card of both
photos by its truth and prints medians of: correlation of the two pictures of a card, and the fast one's
brightness, contrast and sharpness as a share of the other's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pi_heif
from numpy.typing import NDArray
from PIL import Image, ImageOps

PX_PER_MM = 6


def rectified_cards(truth_path: Path) -> list[NDArray[np.float32]]:
    """Each card of a photo as a grey picture (528, 378), upright."""
    truth = msgspec.json.decode(truth_path.read_bytes())
    stem = truth_path.name.removesuffix(".truth.json")
    photo = next(p for p in truth_path.parent.glob(f"{stem}.*") if p.suffix != ".json")
    grey = np.asarray(ImageOps.exif_transpose(Image.open(photo)).convert("L"))
    width, height = 63 * PX_PER_MM, 88 * PX_PER_MM
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return [
        cv2.warpPerspective(
            grey,
            cv2.getPerspectiveTransform(np.array(card["corners"], np.float32), square),
            (width, height),
            flags=cv2.INTER_AREA,
        ).astype(np.float32)
        for card in truth["cards"]
    ]


def compare(one: Path, other: Path) -> NDArray[np.float64]:
    """(cards, 4): correlation, and brightness, contrast, sharpness of `other` as a share of `one`; truths of
    equal scenes.

    Raises `ValueError` when the scenes differ.
    """
    a, b = (msgspec.json.decode(path.read_bytes()) for path in (one, other))
    if a["tableau"] != b["tableau"]:
        raise ValueError(f"{one.name} and {other.name} show different scenes")
    rows = []
    for x, y in zip(rectified_cards(one), rectified_cards(other), strict=True):
        sharp = [float(cv2.Laplacian(cv2.GaussianBlur(z, (0, 0), 1.5), cv2.CV_32F).std()) for z in (x, y)]
        rows.append(
            [
                float(np.corrcoef(x.ravel(), y.ravel())[0, 1]),
                float(np.median(y)) / max(float(np.median(x)), 1.0),
                float(y.std()) / max(float(x.std()), 1.0),
                sharp[1] / max(sharp[0], 1e-3),
            ]
        )
    return np.array(rows)


def main() -> None:
    """Compare two sets made from the same seeds."""
    parser = argparse.ArgumentParser(description="Fast photos against Cycles photos of equal scenes")
    parser.add_argument("cycles", type=Path)
    parser.add_argument("fast", type=Path)
    options = parser.parse_args()
    pi_heif.register_heif_opener()
    by_seed = {}
    for path in options.fast.glob("*.truth.json"):
        by_seed[msgspec.json.decode(path.read_bytes())["sample"]["seed"]] = path
    found = []
    for path in sorted(options.cycles.glob("*.truth.json")):
        match = by_seed.get(msgspec.json.decode(path.read_bytes())["sample"]["seed"])
        if match is not None:
            found.append(compare(path, match))
            print(path.name, *np.median(found[-1], axis=0).round(2))
    print("median of", len(found), "photos:", *np.median(np.vstack(found), axis=0).round(2))


if __name__ == "__main__":
    main()
