"""One photo to be: its scene, the pictures that the scene names, and what is true of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from samples import ink
from samples.camera import in_file
from samples.layouts import table_to_card_true
from samples.nuisances import Nuisances
from samples.projection import card_to_photo
from samples.scene_schema import Scene, save_scene
from scorer.mapmasters.cooperative.rules.record import TableRecord
from scorer.record import Record

Array = NDArray[np.float64]


@dataclass(frozen=True)
class GroupLine:
    """What one group drew on a cooperative table: its name, its pen, its paths' middle lines, each (N, 2)
    true table mm."""

    group: str
    pen: ink.Pen
    points_mm: tuple[Array, ...]


@dataclass(frozen=True)
class Sample:
    """`path_mm` are the strokes' middle lines, `ghosts_mm` and `spurs_mm` those of wiped lines and of ways
    scribbled over: true table mm. `hidden` are the places that something lies over in the photo. Of a
    cooperative table `table` is the record, and `groups` are its lines; `record` has the cards that lie
    face up."""

    split: str
    seed: int
    scene: Scene
    images: dict[str, NDArray[np.uint8]]
    record: Record
    path_mm: tuple[Array, ...]
    pen: ink.Pen
    legal: bool
    nuisances: Nuisances | None = None
    ghosts_mm: tuple[Array, ...] = ()
    spurs_mm: tuple[Array, ...] = ()
    hidden: tuple[str, ...] = ()
    groups: tuple[GroupLine, ...] = ()
    table: TableRecord | None = None


def path_to_photo(sample: Sample, points_mm: Array) -> Array:
    """True table points (N, 2) of a stroke in photo pixels, on the card that carries each of them."""
    scene = sample.scene
    outside = np.full((len(scene.cards), len(points_mm)), np.inf)
    for index, card in enumerate(scene.cards):
        half = np.asarray(card.size_mm) / 2
        beyond = np.abs(table_to_card_true(card, points_mm) - half) - half
        outside[index] = np.linalg.norm(np.maximum(beyond, 0), axis=1)
    carrier = outside.argmin(axis=0)
    out = np.zeros((len(points_mm), 2))
    for index, card in enumerate(scene.cards):
        chosen = carrier == index
        if chosen.any():
            out[chosen] = card_to_photo(scene.camera, card, table_to_card_true(card, points_mm[chosen]))
    return in_file(out, scene.camera, scene.post)


def scene_folder(scene: Scene, images: Mapping[str, NDArray[np.uint8]], folder: Path) -> None:
    """Write a scene folder (`scene.json` and the pictures that it names) for `samples.cycles`."""
    save_scene(scene, folder)
    for name, picture in images.items():
        order = cv2.COLOR_RGBA2BGRA if picture.shape[2] == 4 else cv2.COLOR_RGB2BGR
        cv2.imwrite(str(folder / name), cv2.cvtColor(picture, order))
