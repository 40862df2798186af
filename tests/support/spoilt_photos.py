"""Photos degraded in several ways, and the reader that the app would choose for a shipped photo."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import Catalogue, load_catalogue
from scorer.games import game_named, game_told
from scorer.play_kinds import TABLEAU, play_kind
from vision.photo.decode import Photo
from waymark.review.boards.assess import read_board
from waymark.review.groups import read_groups
from waymark.review.pipeline import read_table

Pixels = NDArray[np.uint8]

SAMPLES = Path(__file__).parents[2] / "samples"


def blurred(pixels: Pixels, sigma_px: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma_px), np.uint8)


def noisy(pixels: Pixels, sigma: float) -> Pixels:
    """The photo with Gaussian noise of this standard deviation (grey values)."""
    added = np.random.default_rng(1).normal(0, sigma, pixels.shape).astype(np.float32)
    return (pixels + added).clip(0, 255).astype(np.uint8)


def darkened(pixels: Pixels, share: float) -> Pixels:
    """The photo with this share of its light, and the sensor noise of a phone in the dark."""
    return noisy((pixels * share).astype(np.uint8), 4.0)


def resized(pixels: Pixels, factor: float) -> Pixels:
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=way), np.uint8)


def cluttered(pixels: Pixels, count: float) -> Pixels:
    """The photo with this number of scribbles in pen colours, and half as many covering objects."""
    rng, drawn = np.random.default_rng(2), pixels.copy()
    height, width = pixels.shape[:2]
    pens = [(40, 30, 30), (150, 60, 20), (30, 30, 190), (40, 130, 30)]
    thick = max(2, round(max(height, width) / 500))
    for number in range(round(count)):
        steps = rng.normal(0, 0.025 * max(height, width), (14, 2)).cumsum(axis=0)
        line = (steps + rng.uniform((0, 0), (width, height))).astype(np.int32)
        cv2.polylines(drawn, [line], False, pens[number % len(pens)], thick, cv2.LINE_AA)
    for _ in range(round(count / 2)):
        at, size = rng.uniform((0, 0), (width, height)), rng.uniform(0.005, 0.03) * max(height, width)
        colour = [int(each) for each in rng.integers(20, 235, 3)]
        cv2.circle(drawn, (int(at[0]), int(at[1])), int(size), colour, -1, cv2.LINE_AA)
    return drawn


#: Ways to degrade a photo, each with its strengths.
SPOILT: dict[str, tuple[Callable[[Pixels, float], Pixels], tuple[float, ...]]] = {
    "as-shipped": (lambda pixels, _: pixels, (0.0,)),
    "blur": (blurred, (1.5, 3.0, 4.5, 6.0, 8.0, 11.0, 18.0)),
    "noise": (noisy, (15.0, 40.0, 80.0)),
    "dark": (darkened, (0.4, 0.2, 0.08)),
    "size": (resized, (0.25, 0.4, 0.6, 1.5)),
    "clutter": (cluttered, (15.0, 50.0, 150.0)),
}


def spoilt(photo: Photo, way: str, much: float) -> Photo:
    """The photo degraded in one of the ways of `SPOILT`."""
    change, _ = SPOILT[way]
    pixels = np.ascontiguousarray(change(photo.pixels, much))
    pixels.flags.writeable = False
    return Photo(pixels)


def reader_of(truth: Path) -> Callable[[Photo], Any]:
    """The reader for the photo of a truth file, as the app chooses it: cards, a table of groups, or a
    board."""
    told: dict[str, Any] = json.loads(truth.read_bytes())
    if "board" in told:
        board = _catalogue(game_named(told["board"]["game"]).bundled or bundled_catalogue())
        return lambda photo: read_board(photo, board)
    deck = _catalogue(bundled_catalogue())
    table: dict[str, Any] = told["tableau"]
    game = game_told(table.get("game", ""), table.get("mode", ""), deck.game)
    if play_kind(game) is TABLEAU:
        return lambda photo: read_table(photo, deck)
    people = {name: value for name, value in table.items() if name not in ("cards", "paths")}
    return lambda photo: read_groups([photo], deck, game, {"table": json.dumps(people).encode()})


_catalogues: dict[Path, Catalogue] = {}


def _catalogue(folder: Path) -> Catalogue:
    return _catalogues.setdefault(folder, _catalogues.get(folder) or load_catalogue(folder))
