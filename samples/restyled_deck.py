"""The open deck in a style of chance: other colours, other icons, other print; for training what must not
know any deck by heart. Never for validation or tests: these have the second deck.

Faces are drawn when they are first asked for, into the folder that is told.
"""

from __future__ import annotations

import math
import zlib
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.tables import cloud
from scorer.catalogue import Card, Catalogue

Canvas = NDArray[np.uint8]
Rgb = tuple[int, int, int]


class RestyledDeck(Catalogue, frozen=True, kw_only=True, dict=True):
    """A catalogue whose faces are another one's restyled by `style`; `path` is where they are kept."""

    style: int
    path: str
    original: Catalogue

    @property
    def folder(self) -> Path | None:
        return Path(self.path)

    def art_path(self, card: Card) -> Path:
        """Where the picture of `card` lies; it is drawn where it is not there yet."""
        file = Path(self.path) / card.art
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            art = cv2.imread(str(self.original.art_path(card)), cv2.IMREAD_COLOR)
            if art is None:
                raise FileNotFoundError(self.original.art_path(card))
            # whole, or not there
            beside = file.with_suffix(".tmp.png")
            face = restyled(np.asarray(art, np.uint8), card, self.card_size_mm[0], self.style)
            cv2.imwrite(str(beside), face)
            beside.replace(file)
        return file


def restyled_deck(original: Catalogue, style: int, folder: Path) -> RestyledDeck:
    """`original` in the style of a seed, its faces in `folder`."""
    return RestyledDeck(
        name=f"style-{style}",
        game=original.game,
        cards=original.cards,
        card_size_mm=original.card_size_mm,
        corner_radius_mm=original.corner_radius_mm,
        corridor_width_mm=6.3,
        icon_mm=7.5,
        style=style,
        path=str(folder),
        original=original,
    )


def restyled(art: Canvas, card: Card, width_mm: float, style: int) -> Canvas:
    """A face (H, W, 3) BGR in the style of a seed."""
    taste = np.random.default_rng([style, 1])
    own = np.random.default_rng([style, zlib.crc32(card.id.encode())])
    per_mm = art.shape[1] / width_mm
    face = _recoloured(art, taste)
    if taste.random() < 0.6:  # paper of another grain
        grain = cloud((art.shape[0], art.shape[1]), (int(taste.integers(4, 40)),) * 2, own)
        face = np.clip(face * (1 + taste.uniform(0.03, 0.1) * grain[..., None]), 0, 255).astype(np.uint8)
    for _ in range(int(taste.integers(0, 14))):  # printed rings and lines anywhere
        _doodle(face, own, own.uniform((0, 0), art.shape[1::-1]), per_mm, taste.uniform(0.2, 0.7))
    if taste.random() < 0.75:
        kinds = taste.permutation(64)
        finds = [(str(node.find), node.at) for node in card.nodes if node.find]
        finds += [(str(find.find), find.at) for room in card.rooms for find in room.finds]
        for kind, at in finds:
            seed = int(kinds[zlib.crc32(kind.encode()) % 64])
            _icon(face, np.asarray(at) * per_mm, per_mm, np.random.default_rng([style, seed]))
    return face


def _recoloured(art: Canvas, rng: np.random.Generator) -> Canvas:
    """The face with its colours mixed anew, its tones stretched or turned round."""
    values = art.astype(np.float32)[..., rng.permutation(3)] / 255
    if rng.random() < 0.3:
        values = 1 - values
    mix = np.eye(3) + rng.normal(0, 0.15, (3, 3))
    values = values @ (mix / mix.sum(axis=1, keepdims=True)).T.astype(np.float32)
    low, high = rng.uniform(0, 0.25), rng.uniform(0.75, 1.0)
    values = low + (high - low) * np.clip(values, 0, 1) ** rng.uniform(0.6, 1.5)
    return np.asarray(np.clip(values * 255, 0, 255), np.uint8)


def _colour(rng: np.random.Generator) -> Rgb:
    blue, green, red = (int(value) for value in rng.integers(0, 256, 3))
    return (blue, green, red)


def _ellipse(
    face: Canvas, at: NDArray[np.float64], radius_px: float, colour: Rgb, thick_px: float, squash: float = 1.0
) -> None:
    centre = (round(float(at[0]) * 16), round(float(at[1]) * 16))
    axes = (round(radius_px * 16), round(radius_px * squash * 16))
    thick = -1 if thick_px <= 0 else max(1, round(thick_px))
    cv2.ellipse(face, centre, axes, 0, 0, 360, colour, thick, cv2.LINE_AA, 4)


def _line(face: Canvas, points_px: NDArray[np.float64], colour: Rgb, thick_px: float) -> None:
    at = np.round(points_px * 16).astype(np.int32)
    cv2.polylines(face, [at], False, colour, max(1, round(thick_px)), cv2.LINE_AA, 4)


def _doodle(
    face: Canvas, rng: np.random.Generator, at: NDArray[np.float64], per_mm: float, strength: float
) -> None:
    """A printed ring, line or hatch, more or less pale."""
    drawn, colour, thick = face.copy(), _colour(rng), per_mm * rng.uniform(0.2, 1.4)
    form = int(rng.integers(3))
    if form == 0:
        _ellipse(drawn, at, per_mm * rng.uniform(1.5, 7), colour, thick, rng.uniform(0.7, 1.3))
    elif form == 1:
        _line(drawn, at + per_mm * rng.normal(0, 6, (int(rng.integers(2, 5)), 2)), colour, thick)
    else:
        angle, pitch = rng.uniform(0, math.pi), rng.uniform(1.0, 3.0)
        along, across = (
            np.array([math.cos(angle), math.sin(angle)]),
            np.array([-math.sin(angle), math.cos(angle)]),
        )
        for k in range(int(rng.integers(3, 9))):
            middle = at + across * k * pitch * per_mm
            half = along * per_mm * rng.uniform(2, 7)
            _line(drawn, np.array([middle - half, middle + half]), colour, thick / 2)
    face[:] = cv2.addWeighted(drawn, strength, face, 1 - strength, 0)


def _icon(face: Canvas, at: NDArray[np.float64], per_mm: float, rng: np.random.Generator) -> None:
    """An icon over the printed one: a plate or none, a glyph of a few strokes, a rim or two; a struck or
    ringed glyph is print, too."""
    size = per_mm * 3.75
    plate = size * rng.uniform(0.7, 1.1)
    if rng.random() < 0.75:
        if rng.random() < 0.5:
            _ellipse(face, at, plate, _colour(rng), 0)
        else:
            low, high = np.round(at - plate).astype(int), np.round(at + plate).astype(int)
            cv2.rectangle(face, low.tolist(), high.tolist(), _colour(rng), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 6))):
        form, colour = int(rng.integers(4)), _colour(rng)
        if form == 0:
            _ellipse(face, at + size * rng.normal(0, 0.3, 2), size * rng.uniform(0.1, 0.4), colour, 0)
        elif form == 1:
            corners = at + size * rng.uniform(-0.8, 0.8, (int(rng.integers(3, 6)), 2))
            cv2.fillPoly(face, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)
        else:
            count = int(rng.integers(2, 4))
            _line(
                face, at + size * rng.uniform(-0.9, 0.9, (count, 2)), colour, per_mm * rng.uniform(0.3, 1.5)
            )
    if rng.random() < 0.4:
        _ellipse(face, at, size * rng.uniform(0.8, 1.3), _colour(rng), per_mm * rng.uniform(0.2, 1.2))
    if rng.random() < 0.15:
        slope = rng.uniform(0, math.pi)
        half = size * rng.uniform(0.7, 1.1) * np.array([math.cos(slope), math.sin(slope)])
        _line(face, np.array([at - half, at + half]), _colour(rng), per_mm * rng.uniform(0.4, 1.4))
