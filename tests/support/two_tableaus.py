"""Pictures with the tableaus of two shipped photos ("table-07")."""

from __future__ import annotations

from typing import Any

from shared_readings import PHOTOS, open_deck, photo_file

from samples import two_tableaus as composed
from samples.two_tableaus import Pair, Pixels, Shown, Way
from waymark.bench.truth import read_truth


def _shipped(name: str) -> Shown:
    return photo_file(name), read_truth(PHOTOS / f"{name}.truth.json", [open_deck()])


def two_tableaus(first: str, second: str, way: Way = "below", **how: Any) -> Pair:
    """`samples.two_tableaus.two_tableaus` of two shipped photos."""
    return composed.two_tableaus(_shipped(first), _shipped(second), way, **how)


def beside(photo: str, other: Pixels, side_px: int = 1600) -> Pair:
    """`samples.two_tableaus.beside` of a shipped photo."""
    return composed.beside(_shipped(photo), other, side_px)
