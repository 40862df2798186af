"""Random table scenes: which cards lie where, what the player drew, and how the photo was taken.

`make_sample(split, index)` is a pure function of its arguments and the open deck. The splits draw from
disjoint seeds, table designs, lamps and inks: what is tuned on "tuning" has never seen a "validation" scene.
Frames: nominal table mm (the record's), true table mm (cards lie a little off), upright card mm; x right, y
down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from samples import ink
from samples.camera import distort
from samples.clutter import cards_nearby, props_about
from samples.deck import card_face, open_deck
from samples.drawing import drawn_strokes, marks_drawn, random_pen
from samples.layouts import NoScene, posed, random_layout, table_to_card_true
from samples.projection import card_to_photo
from samples.scene_schema import Finish, Scene, Table, save_scene
from samples.shooting import phone_over, random_light, random_post
from samples.splits import FIRST_SEED, SEEDS_PER_SPLIT, Split
from samples.walks import draw_walk
from scorer.dungeon import build_dungeon
from scorer.record import Record, make_record

Array = NDArray[np.float64]
TABLE_KINDS = ("wood", "cloth", "playmat", "white_desk", "dark_desk")
ILLEGAL_SHARE = 0.15


@dataclass(frozen=True)
class Sample:
    """One photo to be: the scene, the pictures it names, and what is true of it. `path_mm` are the strokes'
    middle lines, true table mm."""

    split: str
    seed: int
    scene: Scene
    images: dict[str, NDArray[np.uint8]]
    record: Record
    path_mm: tuple[Array, ...]
    pen: ink.Pen
    legal: bool


def make_sample(split: Split, index: int) -> Sample:
    """The sample photo `index` of a split. Raises `ValueError` for an index beyond the split's seeds."""
    if not 0 <= index < SEEDS_PER_SPLIT:
        raise ValueError(f"index {index} is not in 0..{SEEDS_PER_SPLIT - 1}")
    seed = FIRST_SEED[split] + index
    for attempt in range(40):
        try:
            return _attempt(split, seed, np.random.default_rng([seed, attempt]))
        except NoScene:
            continue
    raise RuntimeError(f"no scene could be made from seed {seed}")


def _attempt(split: Split, seed: int, rng: np.random.Generator) -> Sample:
    catalogue = open_deck()
    placed = random_layout(catalogue, rng)
    dungeon = build_dungeon(catalogue, placed)
    drawn = draw_walk(dungeon, rng, legal=bool(rng.random() >= ILLEGAL_SHARE))
    if drawn is None:
        raise NoScene
    images: dict[str, NDArray[np.uint8]] = {}
    cards = [posed(card, index, rng) for index, card in enumerate(placed)]
    pen = random_pen(split, rng)
    marks = marks_drawn(dungeon, drawn, rng)
    strokes = drawn_strokes(dungeon, cards, drawn, marks, pen, rng)
    for index, card in enumerate(cards):
        images[card.face] = card_face(catalogue.card(card.card))
        film = ink.film(
            strokes,
            partial(table_to_card_true, card),
            card.size_mm,
            pen,
            seed + index,
        )
        if float(film.max()) > 0:
            name = f"ink{index}.png"
            images[name] = ink.overlay(film, pen)
            cards[index] = msgspec.structs.replace(card, ink=name)
    camera = phone_over(cards, rng)
    others = cards_nearby(catalogue, cards, placed, camera, images, rng)
    light = random_light(split, rng)
    scene = Scene(
        seed=seed,
        cards=tuple(cards),
        others=tuple(others),
        props=tuple(props_about(cards, others, camera, light, pen, rng)),
        table=Table(str(rng.choice(TABLE_KINDS)), seed),  # type: ignore[arg-type]
        light=light,
        camera=camera,
        finish=Finish(
            gloss=float(rng.beta(2, 2)),
            linen=float(rng.choice([0.0, 0.4, 0.8])),
            wear=float(rng.beta(1.3, 3)),
        ),
        post=random_post(rng, seed),
    )
    record = make_record(tuple(placed), drawn.strokes, marks=marks)
    path = tuple(stroke.points_mm for stroke in strokes if stroke.kind == "path")
    return Sample(split, seed, scene, images, record, path, pen, drawn.ruling.legal)


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
    return distort(out, scene.camera, scene.post)


def sample_folder(sample: Sample, folder: Path) -> None:
    """Write a scene folder (`scene.json` and the pictures that it names) for `samples.cycles`."""
    save_scene(sample.scene, folder)
    for name, picture in sample.images.items():
        order = cv2.COLOR_RGBA2BGRA if picture.shape[2] == 4 else cv2.COLOR_RGB2BGR
        cv2.imwrite(str(folder / name), cv2.cvtColor(picture, order))
