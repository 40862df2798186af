"""What is true of a sample photo, in the form of a scan (docs/FORMATS.md, section 4), written beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from skimage.measure import approximate_polygon

from samples.camera import distort
from samples.projection import card_corners_mm, card_to_photo
from samples.scenes import Sample, path_to_photo

# A stroke's middle line keeps as many points as this tolerance asks for.
LINE_TOLERANCE_PX = 0.4


def corners_px(sample: Sample) -> list[NDArray[np.float64]]:
    """Each tableau card's printed corners (4, 2) in the photo, lens distortion included."""
    scene = sample.scene
    return [
        distort(card_to_photo(scene.camera, card, card_corners_mm(card)), scene.camera, scene.post)
        for card in scene.cards
    ]


def simplified(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """A line (N, 2) px with as few points as the tolerance allows."""
    fewer: NDArray[np.float64] = approximate_polygon(line, LINE_TOLERANCE_PX)  # type: ignore[no-untyped-call]
    return fewer


def truth_of(sample: Sample, *, renderer: str) -> dict[str, Any]:
    """The truth as JSON-ready data: a sure scan, and what the scene was made of."""
    scene = sample.scene
    cards = [
        {
            "card": card.card,
            "rotation": card.rotation,
            "corners": np.round(corners, 2).tolist(),
            "confidence": 1.0,
        }
        for card, corners in zip(scene.cards, corners_px(sample), strict=True)
    ]
    path = [np.round(simplified(path_to_photo(sample, line)), 1).tolist() for line in sample.path_mm]
    others = [card.card for card in scene.others if card.card]
    return {
        "format": "waymark-scan/1",
        "photo": {
            "width": scene.camera.width,
            "height": scene.camera.height,
            "warnings": [],
            "others": others,
        },
        "tableau": msgspec.to_builtins(sample.record),
        "cards": cards,
        "path_px": path,
        "questions": [],
        "sure": True,
        "timings_ms": {},
        "sample": {
            "seed": sample.seed,
            "split": sample.split,
            "renderer": renderer,
            "legal": sample.legal,
            "light": msgspec.to_builtins(scene.light),
            "table": scene.table.kind,
            "ink": {
                "colour": sample.pen.colour,
                "width_mm": round(sample.pen.width_mm, 2),
                "density": round(sample.pen.density, 2),
            },
            "camera": msgspec.to_builtins(scene.camera),
            "post": msgspec.to_builtins(scene.post),
        },
    }


def write_truth(sample: Sample, photo: Path, *, renderer: str) -> Path:
    """Write `<stem>.truth.json` beside a photo."""
    path = photo.with_name(photo.stem + ".truth.json")
    path.write_bytes(msgspec.json.encode(truth_of(sample, renderer=renderer)) + b"\n")
    return path
