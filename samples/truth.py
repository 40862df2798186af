"""What is true of a sample photo, in the form of a scan (docs/FORMATS.md, section 4), written beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pi_heif
from numpy.typing import NDArray
from PIL import Image, ImageOps

from samples.camera import file_size, in_file
from samples.ink import STEP_MM
from samples.projection import card_corners_mm, card_to_photo
from samples.sample import Sample, path_to_photo

# A stroke's middle line keeps as many points as this tolerance asks for.
LINE_TOLERANCE_PX = 0.4
# Where all three colours are this bright, a photo shows nothing; so much of a path must be, to say so.
WHITE = 248
WASHED_OUT_MM = 3.0


def corners_px(sample: Sample) -> list[NDArray[np.float64]]:
    """Each tableau card's printed corners (4, 2) in the photo, lens distortion included."""
    scene = sample.scene
    return [
        in_file(card_to_photo(scene.camera, card, card_corners_mm(card)), scene.camera, scene.post)
        for card in scene.cards
    ]


def simplified(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """A line (N, 2) px with as few points as the tolerance allows."""
    # Importing it takes all of scipy.stats along: seconds, which most who import this module do not need.
    from skimage.measure import approximate_polygon

    fewer: NDArray[np.float64] = approximate_polygon(line, LINE_TOLERANCE_PX)  # type: ignore[no-untyped-call]
    return fewer


def lines_px(sample: Sample, lines_mm: Sequence[NDArray[np.float64]]) -> list[list[list[float]]]:
    """Lines on the table, each (N, 2) true mm, as they lie in the photo."""
    return [np.round(simplified(path_to_photo(sample, line)), 1).tolist() for line in lines_mm]


def washed_out(sample: Sample, rgb: NDArray[np.uint8]) -> bool:
    """Whether glare or light hides a stretch of the path: the stored photo (H, W, 3), upright, is white where
    the ink lies."""
    points_mm = np.vstack(sample.path_mm)
    at = path_to_photo(sample, points_mm).round().astype(int)
    at = np.clip(at, 0, np.array(rgb.shape[1::-1]) - 1)
    white = (rgb[at[:, 1], at[:, 0]] >= WHITE).all(axis=1)
    return bool(white.sum() * STEP_MM >= WASHED_OUT_MM)


def truth_of(sample: Sample, *, renderer: str) -> dict[str, Any]:
    """The truth as JSON-ready data: a sure scan, and what the scene was made of."""
    scene = sample.scene
    cards = [
        {
            "card": card.card or None,
            "rotation": card.rotation,
            "corners": np.round(corners, 2).tolist(),
            "confidence": 1.0,
        }
        for card, corners in zip(scene.cards, corners_px(sample), strict=True)
    ]
    path = lines_px(sample, sample.path_mm)
    width, height = file_size(scene.camera, scene.post)
    nuisances = sample.nuisances.named() if sample.nuisances is not None else {}
    others = [card.card for card in scene.others if card.card]
    return {
        "format": "waymark-scan/1",
        "photo": {"width": width, "height": height, "warnings": [], "others": others},
        "tableau": msgspec.to_builtins(sample.table or sample.record),
        "cards": cards,
        "path_px": path,
        "questions": [],
        "sure": True,
        "timings_ms": {},
        "sample": {
            "seed": sample.seed,
            "split": sample.split,
            "renderer": renderer,
            "deck": sample.record.catalogue,
            "legal": sample.legal,
            **nuisances,
            "hidden": list(sample.hidden),
            "ghosts_px": lines_px(sample, sample.ghosts_mm),
            "spurs_px": lines_px(sample, sample.spurs_mm),
            "light": msgspec.to_builtins(scene.light),
            "table": scene.table.kind,
            "ink": {
                "colour": sample.pen.colour,
                "width_mm": round(sample.pen.width_mm, 2),
                "density": round(sample.pen.density, 2),
            },
            **({"groups": _groups(sample)} if sample.groups else {}),
            "camera": msgspec.to_builtins(scene.camera),
            "post": msgspec.to_builtins(scene.post),
        },
    }


def _groups(sample: Sample) -> list[dict[str, Any]]:
    """What each group drew, and with which pen."""
    return [
        {
            "group": line.group,
            "colour": line.pen.colour,
            "rgb": list(line.pen.rgb),
            "lines_px": lines_px(sample, line.points_mm),
        }
        for line in sample.groups
    ]


def write_truth(sample: Sample, photo: Path, *, renderer: str) -> Path:
    """Write `<stem>.truth.json` beside a photo, which is looked at once more for what light hides in it."""
    path = photo.with_name(photo.stem + ".truth.json")
    told = truth_of(sample, renderer=renderer)
    pi_heif.register_heif_opener()
    with Image.open(photo) as stored:
        upright = np.asarray(ImageOps.exif_transpose(stored).convert("RGB"))
    told["sample"]["washed_out"] = washed_out(sample, upright)
    path.write_bytes(msgspec.json.encode(told) + b"\n")
    return path
