"""Photos of cards made on the spot: real art laid on a table in mm, a tilted camera, light and noise."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.open_deck import bundled_catalogue
from scorer.catalogue import FILE_NAME, Catalogue, read_catalogue, to_json
from vision.photo import geometry
from vision.photo.decode import Photo

Array = NDArray[np.float64]

#: A starter in two colours (look-alikes), and cards of every kind.
CARDS = (
    "S1-red",
    "S1-blue",
    "S4-green",
    "D01",
    "D09",
    "D17",
    "D25",
    "D33",
    "D41",
    "D49",
    "D57",
    "D65",
    "B01",
    "B05",
)
PX_PER_MM = 6.0


@dataclass(frozen=True)
class Laid:
    """A card on the table: `x`, `y` of its footprint's corner in mm, `turn` in degrees about its centre."""

    card: str
    x: float
    y: float
    turn: float = 0.0

    def to_table(self, size_mm: tuple[float, float]) -> Array:
        """(3, 3) from mm on the card, of this size, to mm on the table."""
        width, height = size_mm
        across = round(self.turn / 90) % 2
        centre = np.array([self.x, self.y]) + np.array([height, width] if across else [width, height]) / 2
        turned = geometry.similarity(np.radians(self.turn), np.zeros(2))
        shift = centre - geometry.apply(turned, np.array(size_mm) / 2)
        return geometry.similarity(np.radians(self.turn), shift)


def small_catalogue(folder: Path, ids: Sequence[str] = CARDS, *, topology: bool = True) -> Catalogue:
    """A catalogue of a few cards of the bundled deck, written to `folder`."""
    whole = read_catalogue(bundled_catalogue())
    cards = [whole.card(card_id) for card_id in ids]
    if not topology:
        cards = [msgspec.structs.replace(card, nodes=(), edges=(), rooms=()) for card in cards]
    (folder / "art").mkdir(parents=True)
    for card in cards:
        shutil.copy(whole.art_path(card), folder / card.art)
    few = msgspec.structs.replace(whole, cards=tuple(cards))
    (folder / FILE_NAME).write_bytes(to_json(few))
    return read_catalogue(folder)


def photograph(
    cards: Sequence[Laid],
    catalogue: Catalogue | None = None,
    *,
    size: tuple[int, int] = (1600, 1200),
    tilt_deg: float = 20.0,
    roll_deg: float = 8.0,
    ink: Sequence[Sequence[tuple[float, float]]] = (),
    light: float = 1.0,
    noise: float = 3.0,
    checks_mm: float = 0.0,
    seed: int = 1,
) -> tuple[Photo, list[Array]]:
    """The photo and, for each card, where its printed corners are in it: (4, 2) pixels.

    The cards are the bundled deck's where no catalogue is named. `ink` holds polylines in table mm, drawn
    1.6 mm wide. The cloth is checked where `checks_mm` says how finely.
    """
    deck = catalogue or read_catalogue(bundled_catalogue())
    sizes = [deck.size_of(card.card) for card in cards]
    random = np.random.default_rng(seed)
    width = size[0]
    quads = [
        geometry.apply(card.to_table(size_mm), geometry.rectangle(*size_mm))
        for card, size_mm in zip(cards, sizes, strict=True)
    ]
    low, high = np.vstack(quads).min(axis=0) - 15, np.vstack(quads).max(axis=0) + 15
    to_pixels = np.diag([PX_PER_MM, PX_PER_MM, 1.0]) @ geometry.similarity(0.0, -low)
    shape = np.ceil((high - low) * PX_PER_MM).astype(int)
    grain = cv2.resize(random.normal(0, 14, (shape[1] // 4, shape[0] // 30)).astype(np.float32), tuple(shape))
    if checks_mm:
        ys, xs = np.mgrid[: shape[1], : shape[0]] / (checks_mm * PX_PER_MM)
        grain += 70 * ((ys.astype(int) + xs.astype(int)) % 2) + random.normal(0, 6, grain.shape)
    cloth = np.array([70, 105, 140], np.float32) + grain.astype(np.float32)[..., None]
    table = np.clip(cloth, 0, 255, out=cloth).astype(np.uint8)
    for card, size_mm in zip(cards, sizes, strict=True):
        art = cv2.imread(str(deck.art_path(deck.card(card.card))))
        assert art is not None
        scale = np.diag([size_mm[0] / art.shape[1], size_mm[1] / art.shape[0], 1.0])
        to_shown = to_pixels @ card.to_table(size_mm)
        shown = cv2.warpPerspective(art, to_shown @ scale, tuple(shape), flags=cv2.INTER_AREA)
        face = geometry.apply(to_shown, _rounded(size_mm, deck.corner_radius_mm))
        mask = cv2.fillConvexPoly(np.zeros(shown.shape[:2], np.uint8), face.astype(np.int32), 255)
        table[mask > 0] = shown[mask > 0]
    for line in ink:
        points = geometry.apply(to_pixels, np.array(line)).astype(np.int32)
        cv2.polylines(table, [points], False, (40, 30, 30), round(1.6 * PX_PER_MM), cv2.LINE_AA)
    camera = _camera(low, high, size, tilt_deg, roll_deg)
    seen = cv2.warpPerspective(
        table, camera @ np.linalg.inv(to_pixels), size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    slope = np.linspace(1.1, 0.8, width, dtype=np.float32)[None, :, None] * np.float32(light)
    shot = seen * slope
    shot += np.float32(noise) * _noise(seed, size)
    pixels = np.clip(shot, 0, 255, out=shot).astype(np.uint8)
    corners = [geometry.apply(camera, quad) for quad in quads]
    assert all((quad > 0).all() and (quad < size).all() for quad in corners), "a card is off the picture"
    return Photo(pixels), corners


@lru_cache(maxsize=2)
def _noise(seed: int, size: tuple[int, int]) -> NDArray[np.float32]:
    """(H, W, 3) with a deviation of 1: drawing it takes as long as all else of a photo."""
    return np.random.default_rng(seed).standard_normal((size[1], size[0], 3), np.float32)


def _rounded(size_mm: tuple[float, float], radius_mm: float) -> Array:
    """(N, 2) the outline of a card with rounded corners."""
    width, height = size_mm
    middles = np.array([[radius_mm, radius_mm], [width - radius_mm, radius_mm]])
    middles = np.vstack([middles, np.array([width, height]) - middles])
    quarters = [np.linspace(turn, turn + np.pi / 2, 9) for turn in np.radians([180, 270, 0, 90])]
    arcs = [radius_mm * np.column_stack([np.cos(turn), np.sin(turn)]) for turn in quarters]
    return np.vstack([middle + arc for middle, arc in zip(middles, arcs, strict=True)])


def _camera(low: Array, high: Array, size: tuple[int, int], tilt_deg: float, roll_deg: float) -> Array:
    """(3, 3) table mm to pixels of a phone's 26 mm lens that looks at the middle of the table."""
    focal = 26 / 36 * max(size)
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    turn = cv2.Rodrigues(np.array([np.radians(tilt_deg), 0, 0]))[0]
    turn = turn @ cv2.Rodrigues(np.array([0, 0, np.radians(roll_deg)]))[0]
    middle = np.append((low + high) / 2, 0.0)
    distance = 1.12 * focal * np.hypot(*(high - low)) / min(size)
    ahead = np.array([0, 0, distance]) - turn @ middle
    return np.asarray(inner @ np.column_stack([turn[:, 0], turn[:, 1], ahead]), np.float64)
